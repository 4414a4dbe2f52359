/* SPDX-License-Identifier: Apache-2.0 */
/* Puts the steps of a counterexample in an order (Gupta, Popeea and Rybalchenko, Section 6, Figure 10).

   A counterexample is a tree: the steps of the thread that reaches the error, environment transitions between them, and the causes of
   each environment transition. The causes are put directly before the environment transition, except for steps that their thread has
   already taken. */
#include "base/map.h"
#include "engine/threader/aret.h"
#include "passes/schedule_trace.h"

enum { PATH_MS = 5000 };

typedef struct Order {
    const Aret *aret;
    const Abstraction *abstraction;
    unsigned *block_steps; /* a vec: the block steps so far */
    unsigned **done;       /* by thread, a vec: its block steps so far */
    bool possible;
} Order;

/* Returns the corresponding block step of another instance: that with the same position among the block steps of its location. */
static unsigned block_step_for(const Order *o, unsigned block_step, unsigned thread) {
    const BlockStep *l = &o->abstraction->block_steps->list[block_step];
    if (l->thread == thread) return block_step;
    const unsigned *mine = o->abstraction->block_steps->starting_at[l->thread][l->step.source],
                   *other = o->abstraction->block_steps->starting_at[thread][l->step.source];
    for (size_t i = 0; i < vec_len(mine) && i < vec_len(other); i++)
        if (mine[i] == block_step) return other[i];
    return NONE;
}

static unsigned location_of(const Order *o, unsigned thread) {
    const unsigned *done = o->done[thread];
    return vec_len(done) ? o->abstraction->block_steps->list[vec_last(done)].step.target : o->abstraction->system->threads[thread].entry;
}

static void take(Order *o, unsigned block_step, unsigned thread) {
    block_step = block_step_for(o, block_step, thread);
    o->possible &= block_step != NONE && o->abstraction->block_steps->list[block_step].step.source == location_of(o, thread);
    if (!o->possible) return;
    vec_push(o->block_steps, block_step);
    vec_push(o->done[thread], block_step);
}

/* Returns the thread that takes a step of `actor` as seen by `thread`: the other instance takes steps of the same code. */
static unsigned other_than(const Order *o, unsigned thread, unsigned actor) {
    const System *s = o->abstraction->system;
    return system_first_instance(s, thread) == system_first_instance(s, actor) ? s->threads[thread].other_instance : actor;
}

/* Returns the nodes on the path from the start to the node, the last first, as a vec. */
static unsigned *way_to(const Aret *r, unsigned node) {
    unsigned *way = NULL;
    for (unsigned n = node; r->nodes[n].parent != NONE; n = r->nodes[n].parent) vec_push(way, n);
    return way;
}

/* Takes the steps on the path to the node, without the causes of environment transitions. */
static void reach_directly(Order *o, unsigned node, unsigned thread) {
    const Aret *r = o->aret;
    unsigned *way = way_to(r, node);
    for (size_t i = vec_len(way); i-- > 0 && o->possible;) {
        const Node *n = &r->nodes[way[i]];
        if (n->env == NONE) take(o, n->block_step, thread);
        else take(o, r->envs[n->env].block_step, other_than(o, thread, aret_block_step(r, n->env)->thread));
    }
    vec_free(way);
}

/* Takes the steps on the path to the node, with the causes of environment transitions. The node is a state of the thread. */
static void reach(Order *o, unsigned node, unsigned thread, unsigned depth) {
    const Aret *r = o->aret;
    unsigned *way = way_to(r, node), at = 0;
    if (depth > 40) o->possible = false;
    for (size_t i = vec_len(way); i-- > 0 && o->possible;) {
        const Node *n = &r->nodes[way[i]];
        if (n->env == NONE) {
            unsigned l = block_step_for(o, n->block_step, thread);
            bool is_done = at < vec_len(o->done[thread]) && o->done[thread][at] == l;
            if (!is_done && at < vec_len(o->done[thread])) o->possible = false; /* the thread took another path */
            else if (!is_done) take(o, n->block_step, thread);
            at++;
        } else if (at >= vec_len(o->done[thread])) { /* else it was applied before a step that is already taken */
            unsigned actor = other_than(o, thread, aret_block_step(r, n->env)->thread);
            unsigned l = block_step_for(o, r->envs[n->env].block_step, actor);
            reach(o, r->envs[n->env].source, actor, depth + 1);
            if (o->possible && location_of(o, actor) == o->abstraction->block_steps->list[l].step.source) take(o, l, actor);
            else o->possible = false;
        }
    }
    vec_free(way);
}

/* ---- feasibility ---- */

typedef struct Now {
    const System *system;
    const Expr **values;
    Map *inputs;
} Now;

static const Expr *image(void *context, const Expr *e) {
    const Now *n = context;
    unsigned v = system_variable(n->system, e->symbol);
    if (v != NONE) return n->values[v];
    const Symbol *copy = map_find(n->inputs, e->symbol);
    return copy ? expr_symbol(n->system->exprs, copy) : NULL;
}

static void follow(Now *n, Solver *solver, const Transition *x) {
    const System *s = n->system;
    const Expr **next = NULL;
    for (size_t i = 0; i < vec_len(x->inputs); i++)
        map_set(n->inputs, x->inputs[i], symbol_new(s->exprs, SYM_VARIABLE, x->inputs[i]->name, x->inputs[i]->sort));
    solver_assert(solver, expr_substitute(s->exprs, x->guard, image, n));
    for (size_t v = 0; v < vec_len(s->variables); v++) vec_push(next, n->values[v]);
    for (size_t i = 0; i < vec_len(x->updates); i++)
        next[x->updates[i].variable] = expr_substitute(s->exprs, x->updates[i].value, image, n);
    vec_free(n->values);
    n->values = next;
}

static bool is_possible(const Order *o, const BlockSteps *of) {
    const System *s = o->abstraction->system;
    Solver *solver = solver_small(o->abstraction->smt, PATH_MS);
    Now now = {.system = s, .inputs = map_new()};
    for (unsigned v = 0; v < vec_len(s->variables); v++)
        vec_push(now.values, s->variables[v].init ? s->variables[v].init : system_expr(s, v));
    for (size_t t = 0; t < vec_len(s->threads); t++)
        if (s->threads[t].many) solver_assert(solver, abstraction_numbers(o->abstraction, (unsigned)t, s->threads[t].other_instance));
    for (size_t i = 0; i < vec_len(o->block_steps); i++) follow(&now, solver, &of->list[o->block_steps[i]].step);
    bool possible = solver_check(solver) == SMT_SAT;
    solver_free(solver);
    map_free(now.inputs);
    vec_free(now.values);
    return possible;
}

/* Returns the schedule of the block steps, or NULL if they are not possible in this order. */
static ScheduleStep *schedule(const Order *o, const BlockSteps *of) {
    ScheduleStep *steps = NULL;
    if (!o->possible || !is_possible(o, of)) return NULL;
    for (size_t i = 0; i < vec_len(o->block_steps); i++) {
        const BlockStep *l = &of->list[o->block_steps[i]];
        for (size_t k = 0; k < vec_len(l->transitions); k++) vec_push(steps, ((ScheduleStep){l->thread, l->transitions[k]}));
    }
    return steps;
}

static ScheduleStep *in_order(const Aret *r, bool directly) {
    Order o = {.aret = r, .abstraction = r->abstraction, .possible = true};
    unsigned thread = r->nodes[r->error].thread;
    vec_resize(o.done, vec_len(r->abstraction->system->threads));
    if (directly) reach_directly(&o, r->error, thread);
    else reach(&o, r->error, thread, 0);
    if (o.possible) take(&o, r->bad, thread);
    ScheduleStep *steps = schedule(&o, r->abstraction->block_steps);
    vec_free_rows(o.done);
    vec_free(o.block_steps);
    return steps;
}

static ScheduleStep *in_this_order(const Aret *r, unsigned *block_steps) {
    Order o = {.aret = r, .abstraction = r->abstraction, .possible = true, .block_steps = block_steps};
    ScheduleStep *steps = block_steps ? schedule(&o, r->abstraction->whole) : NULL;
    vec_free(o.block_steps);
    return steps;
}

ScheduleStep *linearise(Aret *r) {
    ScheduleStep *steps = in_order(r, true);
    if (!steps) steps = in_order(r, false);
    if (!steps) steps = in_this_order(r, interleave_tree(r));
    return steps ? steps : in_this_order(r, interleave_all(r->abstraction));
}
