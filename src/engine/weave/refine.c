/* SPDX-License-Identifier: Apache-2.0 */
/* Finds assertions for a path that the proof does not exclude.

   It first examines commutativity. Suppose that a preferred block step was postponed, comes later on the path, and could be moved to its
   preferred position, but the assertions do not show this. Then interpolants of "the path up to here, and the block steps do not commute" become
   assertions. These explain why block steps commute, not why the error is impossible. The reduction then needs no
   interleaving of this kind. If nothing is found in this way, interpolants of the path itself become assertions. */
#include "engine/weave/refine.h"
#include "base/map.h"

enum { SOLVER_MS = 5000 };

typedef struct Refinement {
    Space *space;
    Interpolator *interpolator;
    Smt *smt;
    const Order *order;
    const TracePoint *trace;
    const Expr *initially;
    PathStep *steps;     /* vecs: by position, the step from there */
    const Expr ***known; /* … and the assertions that hold there */
    /* The path in a solver: values by position and variable, a literal by position for the guards of its step. */
    Solver *solver;
    const Expr ***values;
    const Expr **literals;
    int8_t *feasible; /* by number of steps: whether so long a prefix is possible; -1: not known yet */
} Refinement;

/* ---- the path as a formula ---- */

typedef struct Now {
    const System *system;
    const Expr *const *values;
    Map *inputs; /* of the step: Symbol → its copy; NULL: no copies */
} Now;

static const Expr *image(void *context, const Expr *e) {
    const Now *n = context;
    unsigned v = system_variable(n->system, e->symbol);
    if (v != NONE) return n->values[v];
    const Symbol *copy = n->inputs ? map_find(n->inputs, e->symbol) : NULL;
    return copy ? expr_symbol(n->system->exprs, copy) : NULL;
}

/* Extends the formula by a step: adds the values after it, and its guard, which a literal enables. */
static void extend(Refinement *r, const PathStep *step) {
    const System *s = r->space->system;
    const Expr **before = vec_last(r->values), **next = NULL;
    Now now = {s, before, map_new()};
    for (size_t i = 0; i < vec_len(step->inputs); i++)
        map_set(now.inputs, step->inputs[i], symbol_new(s->exprs, SYM_VARIABLE, step->inputs[i]->name, step->inputs[i]->sort));
    const Expr *literal = expr_symbol(s->exprs, symbol_new(s->exprs, SYM_VARIABLE, "step", sort_bool(s->exprs)));
    solver_assert(r->solver, expr_implies(s->exprs, literal, expr_substitute(s->exprs, step->guard, image, &now)));
    vec_push(r->literals, literal);
    for (unsigned v = 0; v < vec_len(s->variables); v++) vec_push(next, before[v]);
    for (size_t i = 0; i < vec_len(step->updates); i++)
        next[step->updates[i].variable] = expr_substitute(s->exprs, step->updates[i].value, image, &now);
    vec_push(r->values, next);
    map_free(now.inputs);
}

static void make_path(Refinement *r) {
    const System *s = r->space->system;
    const Expr **start = NULL;
    r->solver = solver_small(r->smt, SOLVER_MS);
    for (unsigned v = 0; v < vec_len(s->variables); v++) vec_push(start, system_expr(s, v));
    vec_push(r->values, start);
    solver_assert(r->solver, r->initially);
    for (size_t i = 0; i < vec_len(r->steps); i++) extend(r, &r->steps[i]);
    for (size_t i = 0; i <= vec_len(r->steps); i++) vec_push(r->feasible, -1);
}

static void free_path(Refinement *r) {
    vec_free_rows(r->values);
    vec_free(r->literals);
    vec_free(r->feasible);
    solver_free(r->solver);
}

static bool is_feasible(Refinement *r, size_t steps) {
    if (r->feasible[steps] < 0) r->feasible[steps] = solver_check_assuming(r->solver, steps, r->literals) == SMT_SAT;
    return r->feasible[steps];
}

/* Returns true if e holds after the first `steps` steps of the path. */
static bool holds_on_path(Refinement *r, size_t steps, const Expr *e) {
    const System *s = r->space->system;
    Now now = {s, r->values[steps], NULL};
    solver_push(r->solver);
    solver_assert(r->solver, expr_not(s->exprs, expr_substitute(s->exprs, e, image, &now)));
    SmtAnswer a = solver_check_assuming(r->solver, steps, r->literals);
    solver_pop(r->solver);
    return a == SMT_UNSAT;
}

/* ---- interpolants ---- */

/* Adds the conjuncts of e to the part at work. Sets *grown if one is new. Returns false if there is no room. */
static bool add_assertion(Refinement *r, const Expr *e, bool *grown) {
    bool room = true;
    if (e->op == OP_AND) {
        for (unsigned i = 0; i < e->nargs; i++) room &= add_assertion(r, e->args[i], grown);
        return room;
    }
    if (expr_is_const(e)) return true;
    unsigned n = post_add_predicate(r->space->post, e);
    if (n == NONE) return false;
    if (strategy_assertions_add(r->space->part, n)) {
        interpolator_prefer(r->interpolator, e);
        *grown = true;
    }
    return true;
}

/* Adds interpolants of the steps as assertions. All steps but the last must be those of the path. */
static RefineResult interpolate_steps(Refinement *r, const PathStep *steps, size_t n) {
    const Expr ***known = NULL;
    for (size_t i = 0; i <= n; i++) vec_push(known, i < n ? r->known[i] : NULL);
    Interpolants found = interpolate(r->interpolator, r->initially, steps, n, (const Expr **const *)known);
    vec_free(known);
    bool room = true, grown = false;
    for (size_t i = 0; i < vec_len(found.at); i++)
        for (size_t k = 0; k < vec_len(found.at[i]); k++) room &= add_assertion(r, found.at[i][k], &grown);
    RefineResult l = found.answer == PATH_POSSIBLE ? REFINE_POSSIBLE : found.answer == PATH_UNKNOWN ? REFINE_UNKNOWN : REFINE_NOTHING;
    if (l == REFINE_NOTHING && grown) l = REFINE_LEARNED;
    interpolants_free(&found);
    return room ? l : REFINE_FULL;
}

/* Adds interpolants of the path up to the position, followed by the condition that two block steps do not commute there. */
static RefineResult interpolate_swap(Refinement *r, size_t position, const Expr *swap) {
    PathStep *steps = NULL;
    for (size_t i = 0; i < position; i++) vec_push(steps, r->steps[i]);
    vec_push(steps, ((PathStep){.guard = expr_not(r->space->system->exprs, swap)}));
    RefineResult l = interpolate_steps(r, steps, vec_len(steps));
    vec_free(steps);
    return l;
}

/* ---- commutativity ---- */

static unsigned block_step_at(const Refinement *r, size_t position) {
    const TracePoint *p = &r->trace[position];
    return space_place(r->space, p->control_state)->steps[p->step].block_step;
}

static unsigned thread_of(const Refinement *r, unsigned block_step) { return r->space->block_steps->list[block_step].thread; }

/* Returns the next position of the block step on the path, if its thread takes no other step before; NONE: no such position. */
static size_t next_place(const Refinement *r, size_t position, unsigned block_step) {
    for (size_t i = position + 1; i < vec_len(r->trace); i++) {
        unsigned l = block_step_at(r, i);
        if (thread_of(r, l) == thread_of(r, block_step)) return l == block_step ? i : NONE;
    }
    return NONE;
}

static unsigned group_of(const ControlStateSteps *place, unsigned block_step) {
    for (unsigned i = 0; i < vec_len(place->groups); i++)
        if (place->groups[i].block_step == block_step) return i;
    return NONE;
}

/* Returns true if the assertions at the position show that the block steps commute. */
static bool is_shown(Refinement *r, size_t position, unsigned first, unsigned second) {
    const TracePoint *p = &r->trace[position];
    const ControlStateSteps *place = space_place(r->space, p->control_state);
    unsigned a = group_of(place, first), b = group_of(place, second);
    return a != NONE && b != NONE && space_commute(r->space, p->control_state, a, b, p->mask);
}

/* Returns true if the block step at `later` can be moved to `position` along this path, but the assertions do not show this. Appends to *open the
   positions at which they do not show it. */
static bool can_move(Refinement *r, size_t position, size_t later, size_t **open) {
    unsigned block_step = block_step_at(r, later);
    for (size_t k = position; k < later; k++) {
        if (is_shown(r, k, block_step_at(r, k), block_step)) continue;
        const Expr *swap = space_swap(r->space, r->trace[k].control_state, block_step_at(r, k), block_step);
        if (expr_is_const(swap) || !holds_on_path(r, k, swap)) return false;
        vec_push(*open, k);
    }
    return vec_len(*open) > 0;
}

static RefineResult learn_to_move(Refinement *r, size_t position, unsigned block_step) {
    size_t later = next_place(r, position, block_step), *open = NULL;
    RefineResult l = REFINE_NOTHING;
    if (later != NONE && is_feasible(r, later) && can_move(r, position, later, &open))
        for (size_t i = 0; i < vec_len(open) && l != REFINE_FULL; i++) {
            RefineResult one =
                interpolate_swap(r, open[i], space_swap(r->space, r->trace[open[i]].control_state, block_step_at(r, open[i]), block_step));
            if (one == REFINE_LEARNED || one == REFINE_FULL) l = one;
        }
    vec_free(open);
    return l;
}

static RefineResult learn_to_commute(Refinement *r) {
    RefineResult l = REFINE_NOTHING;
    for (size_t i = 0; i < vec_len(r->trace) && l == REFINE_NOTHING && is_feasible(r, i); i++) {
        const TracePoint *p = &r->trace[i];
        const ControlStateSteps *place = space_place(r->space, p->control_state);
        unsigned *preferred = check_preference(r->space, r->order, p->turn, p->control_state), taken = block_step_at(r, i);
        for (size_t k = 0; k < vec_len(preferred) && l == REFINE_NOTHING; k++) {
            const Group *g = &place->groups[preferred[k]];
            if (g->block_step == taken) break;
            if (g->thread == thread_of(r, taken) || set_has(set_pool_get(r->space->sleeps, p->sleep), g->block_step)) continue;
            l = learn_to_move(r, i, g->block_step);
        }
        vec_free(preferred);
    }
    return l;
}

/* ---- the refinement ---- */

static void begin(Refinement *r) {
    r->initially = control_states_initially(r->space->control_states);
    vec_each_at(const TracePoint, p, r->trace) {
        const Transition *t = post_transition(r->space->post, space_step(r->space, p->control_state, p->step));
        const Expr **list = NULL;
        unsigned a;
        vec_push(r->steps, ((PathStep){t->guard, t->updates, t->inputs}));
        for (PredicateWalk w = predicates_walk(post_predicate_set(r->space->post, p->mask)); predicates_next(&w, &a);)
            vec_push(list, post_predicate(r->space->post, a));
        vec_push(r->known, list);
    }
}

RefineResult refine_proof(Space *space, Interpolator *interpolator, Smt *smt, const Order *order, const TracePoint *trace) {
    Refinement r = {.space = space, .interpolator = interpolator, .smt = smt, .order = order, .trace = trace};
    RefineResult l = REFINE_NOTHING;
    begin(&r);
    if (space->commutation.contextual && !space->commutation.none) {
        make_path(&r);
        l = learn_to_commute(&r);
        free_path(&r);
    }
    if (l == REFINE_NOTHING) l = interpolate_steps(&r, r.steps, vec_len(r.steps));
    vec_free_rows(r.known);
    vec_free(r.steps);
    return l;
}
