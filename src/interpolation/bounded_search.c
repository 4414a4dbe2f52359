/* SPDX-License-Identifier: Apache-2.0 */
/* Encodes executions of at most `steps` block steps as a formula: bounded model checking (Biere, Cimatti, Clarke and Zhu 1999). Each step is
   one of the given block steps, or none. There are two instances of each thread marked many. */
#include "interpolation/bounded_search.h"
#include "base/map.h"

enum { MOST_ORDERED = 150 }; /* the greatest number of block steps for which symmetries are broken */

typedef struct Search {
    const System *system;
    const Blocks *blocks;
    const BlockSteps *all;
    Exprs *exprs;
    Solver *solver;
    const unsigned *block_steps; /* a vec: the block steps that may be taken, as indices of `all` */
    unsigned steps;              /* the bound */
    bool *needed;                /* by variable: guards depend on it */
    const Expr **values;         /* by variable, a vec: its present value */
    const Expr ***at;            /* by thread, by location, vecs: the thread is at the location now */
    const Expr ***choices;       /* by step, by block step, vecs: the block step is taken */
    const Expr **created;        /* by thread, a vec: the thread is created, if it is marked many */
    Map *inputs;                 /* the symbols of the inputs in the present step */
} Search;

static const BlockStep *block_step_of(const Search *s, size_t i) { return &s->all->list[s->block_steps[i]]; }

/* ---- the needed variables ---- */

static void need_symbol(void *context, const Symbol *symbol) {
    Search *s = context;
    unsigned v = system_variable(s->system, symbol);
    if (v != NONE) s->needed[v] = true;
}

static void find_needed(Search *s) {
    vec_resize(s->needed, vec_len(s->system->variables));
    for (size_t i = 0; i < vec_len(s->block_steps); i++) expr_symbols(block_step_of(s, i)->step.guard, need_symbol, s);
    for (size_t n = 0, before = 1; n != before;) {
        before = n;
        n = 0;
        for (size_t i = 0; i < vec_len(s->block_steps); i++) {
            const Transition *x = &block_step_of(s, i)->step;
            for (size_t k = 0; k < vec_len(x->updates); k++)
                if (s->needed[x->updates[k].variable]) expr_symbols(x->updates[k].value, need_symbol, s);
        }
        for (size_t v = 0; v < vec_len(s->needed); v++) n += s->needed[v];
    }
}

/* ---- one step ---- */

static const Expr *fresh(const Search *s, const char *name, const Sort *sort) {
    return expr_symbol(s->exprs, symbol_new(s->exprs, SYM_VARIABLE, name, sort));
}

static const Expr *image(void *context, const Expr *e) {
    const Search *s = context;
    unsigned v = system_variable(s->system, e->symbol);
    if (v != NONE) return s->values[v];
    return map_find(s->inputs, e->symbol);
}

static const Expr *now(Search *s, const Expr *e) { return expr_substitute(s->exprs, e, image, s); }

static void renew_inputs(Search *s) {
    for (size_t i = 0; i < vec_len(s->block_steps); i++) {
        const Transition *x = &block_step_of(s, i)->step;
        for (size_t k = 0; k < vec_len(x->inputs); k++) map_set(s->inputs, x->inputs[k], fresh(s, x->inputs[k]->name, x->inputs[k]->sort));
    }
}

/* True if the block step creates an instance of thread `kind`. */
static bool creates(const Search *s, const BlockStep *l, unsigned kind) {
    bool found = false;
    for (size_t i = 0; i < vec_len(l->transitions) && !found; i++) {
        unsigned t = s->system->threads[l->thread].transitions[l->transitions[i]].creates;
        found = t != NONE && system_first_instance(s->system, t) == kind;
    }
    return found;
}

/* Updates `created`: the first creation of a thread marked many creates the thread, the next one its second instance. */
static void create(Search *s, const Expr **taken) {
    Exprs *x = s->exprs;
    for (unsigned t = 0; t < vec_len(s->created); t++) {
        if (!s->system->threads[t].many || system_first_instance(s->system, t) != t) continue;
        const Expr *now = expr_bool(x, false);
        unsigned second = s->system->threads[t].other_instance;
        for (size_t i = 0; i < vec_len(s->block_steps); i++)
            if (creates(s, block_step_of(s, i), t)) now = expr_or(x, now, taken[i]);
        s->created[second] = expr_or(x, s->created[second], expr_and(x, s->created[t], now));
        s->created[t] = expr_or(x, s->created[t], now);
    }
}

static const Expr *named(const Search *s, const char *name, const Expr *e) {
    if (expr_is_const(e) || e->op == OP_SYMBOL) return e;
    const Expr *symbol = fresh(s, name, e->sort);
    solver_assert(s->solver, expr_eq(s->exprs, symbol, e));
    return symbol;
}

/* Returns by thread, as a vec, the formula that it takes the present step. */
static const Expr **running_threads(const Search *s, const Expr **taken) {
    const Expr **runs = NULL;
    for (unsigned t = 0; t < vec_len(s->system->threads); t++) {
        const Expr *e = expr_bool(s->exprs, false);
        for (size_t i = 0; i < vec_len(s->block_steps); i++)
            if (block_step_of(s, i)->thread == t) e = expr_or(s->exprs, e, taken[i]);
        vec_push(runs, named(s, "runs", e));
    }
    return runs;
}

/* Asserts that at most one thread runs, and that no other thread runs while a thread is at an In location. */
static void assert_exclusive(const Search *s, const Expr **runs) {
    Exprs *x = s->exprs;
    for (size_t t = 0; t < vec_len(runs); t++)
        for (size_t u = 0; u < vec_len(runs); u++) {
            if (u < t) solver_assert(s->solver, expr_or(x, expr_not(x, runs[t]), expr_not(x, runs[u])));
            for (size_t p = 0; u != t && p < vec_len(s->at[t]); p++)
                if (!s->blocks->out[t][p]) solver_assert(s->solver, expr_implies(x, s->at[t][p], expr_not(x, runs[u])));
        }
}

/* True if the second step is of a thread with a smaller number, and could as well have been taken first. */
static bool in_wrong_order(const Search *s, const BlockStep *first, const BlockStep *second) {
    const Blocks *b = s->blocks;
    if (second->thread >= first->thread || !block_steps_disjoint(first, second)) return false;
    if (!b->out[first->thread][first->step.source] || !b->out[second->thread][second->step.target]) return false;
    for (unsigned t = 0; t < vec_len(s->created); t++)
        if (s->system->threads[t].many && (creates(s, first, system_first_instance(s->system, t)) || second->thread == t)) return false;
    return true;
}

/* Breaks symmetries: of executions that differ only in the order of disjoint steps, one remains. After a step without a block step, no block step
   follows. */
static void assert_order(const Search *s, const Expr **taken) {
    if (!vec_len(s->choices) || vec_len(s->block_steps) > MOST_ORDERED) return;
    const Expr **before = vec_last(s->choices);
    for (size_t i = 0; i < vec_len(s->block_steps); i++) {
        const Expr **some = NULL;
        vec_push(some, expr_not(s->exprs, taken[i]));
        for (size_t k = 0; k < vec_len(s->block_steps); k++)
            if (!in_wrong_order(s, block_step_of(s, k), block_step_of(s, i))) vec_push(some, before[k]);
        solver_assert(s->solver, expr_make(s->exprs, OP_OR, 0, (unsigned)vec_len(some), some));
        vec_free(some);
    }
}

/* Asserts that at most one block step is taken, with its guard true and its thread at its source. */
static void assert_choice(Search *s, const Expr **taken) {
    Exprs *x = s->exprs;
    const Expr **runs = running_threads(s, taken);
    assert_exclusive(s, runs);
    vec_free(runs);
    for (size_t i = 0; i < vec_len(s->block_steps); i++) {
        const BlockStep *l = block_step_of(s, i);
        const Expr *can = expr_and(x, s->at[l->thread][l->step.source], now(s, l->step.guard));
        solver_assert(s->solver, expr_implies(x, taken[i], expr_and(x, can, s->created[l->thread])));
        for (size_t k = 0; k < i; k++)
            if (block_step_of(s, k)->thread == l->thread && block_step_of(s, k)->step.source == l->step.source)
                solver_assert(s->solver, expr_or(x, expr_not(x, taken[i]), expr_not(x, taken[k])));
    }
}

static void update(Search *s, const Expr **taken) {
    Exprs *x = s->exprs;
    const Expr **next = NULL;
    for (unsigned v = 0; v < vec_len(s->system->variables); v++) {
        const Expr *value = s->values[v];
        for (size_t i = 0; i < vec_len(s->block_steps) && s->needed[v]; i++) {
            const Expr *written = transition_update(&block_step_of(s, i)->step, v);
            if (written) value = expr_ite(x, taken[i], now(s, written), value);
        }
        vec_push(next, value == s->values[v] ? value : named(s, s->system->variables[v].symbol->name, value));
    }
    vec_free(s->values);
    s->values = next;
}

static void move(Search *s, const Expr **taken) {
    Exprs *x = s->exprs;
    for (unsigned t = 0; t < vec_len(s->system->threads); t++) {
        const Expr *stays = expr_bool(x, true);
        for (size_t i = 0; i < vec_len(s->block_steps); i++)
            if (block_step_of(s, i)->thread == t) stays = expr_and(x, stays, expr_not(x, taken[i]));
        for (unsigned p = 0; p < vec_len(s->at[t]); p++) {
            const Expr *there = expr_and(x, stays, s->at[t][p]);
            for (size_t i = 0; i < vec_len(s->block_steps); i++)
                if (block_step_of(s, i)->thread == t && block_step_of(s, i)->step.target == p) there = expr_or(x, there, taken[i]);
            s->at[t][p] = there == s->at[t][p] ? there : named(s, "at", there);
        }
    }
}

static void step(Search *s) {
    const Expr **taken = NULL;
    for (size_t i = 0; i < vec_len(s->block_steps); i++) vec_push(taken, fresh(s, "taken", sort_bool(s->exprs)));
    renew_inputs(s);
    assert_choice(s, taken);
    assert_order(s, taken);
    update(s, taken);
    move(s, taken);
    create(s, taken);
    vec_push(s->choices, taken);
}

/* ---- all steps ---- */

static void begin(Search *s) {
    const System *y = s->system;
    find_needed(s);
    for (unsigned v = 0; v < vec_len(y->variables); v++)
        vec_push(s->values, y->variables[v].init ? y->variables[v].init : system_expr(y, v));
    for (unsigned t = 0; t < vec_len(y->threads); t++) {
        const Expr **list = NULL;
        for (unsigned p = 0; p < vec_len(y->threads[t].locations); p++) vec_push(list, expr_bool(s->exprs, p == y->threads[t].entry));
        vec_push(s->at, list);
        vec_push(s->created, expr_bool(s->exprs, !y->threads[t].many));
        const Expr *both[] = {system_self(y, t), y->threads[t].many ? system_self(y, y->threads[t].other_instance) : NULL};
        solver_assert(s->solver, system_numbers(y, 2, both));
    }
    for (unsigned i = 0; i < s->steps; i++) step(s);
}

/* Returns the formula that some thread is at an error. */
static const Expr *error(const Search *s) {
    const Expr *e = expr_bool(s->exprs, false);
    for (unsigned t = 0; t < vec_len(s->system->threads); t++)
        for (unsigned p = 0; p < vec_len(s->at[t]); p++)
            if (s->system->threads[t].locations[p].kind == LOCATION_ERROR) e = expr_or(s->exprs, e, s->at[t][p]);
    return e;
}

/* Returns the block steps of the execution that the solver found, as a vec. */
static unsigned *found(const Search *s) {
    unsigned *list = NULL;
    for (unsigned i = 0; i < s->steps; i++)
        for (size_t k = 0; k < vec_len(s->block_steps); k++) {
            const Expr *e = solver_value(s->solver, s->choices[i][k]);
            if (!e || !expr_is_true(e)) continue;
            vec_push(list, s->block_steps[k]);
            if (block_step_is_bad(s->all, block_step_of(s, k))) return list;
        }
    return list;
}

static void end(Search *s) {
    vec_free_rows(s->at);
    vec_free_rows(s->choices);
    vec_free(s->values);
    vec_free(s->created);
    vec_free(s->needed);
    map_free(s->inputs);
    solver_free(s->solver);
}

unsigned *bounded_search(const Blocks *blocks, const BlockSteps *all, Solver *solver, const unsigned *block_steps, unsigned steps,
                         SmtAnswer *answer) {
    Search s = {.system = all->system,
                .blocks = blocks,
                .all = all,
                .exprs = all->system->exprs,
                .solver = solver,
                .block_steps = block_steps,
                .steps = steps,
                .inputs = map_new()};
    begin(&s);
    solver_assert(s.solver, error(&s));
    *answer = solver_check(s.solver);
    unsigned *list = *answer == SMT_SAT ? found(&s) : NULL;
    end(&s);
    return list;
}
