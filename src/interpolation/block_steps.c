/* SPDX-License-Identifier: Apache-2.0 */
/* Composes the runs of threads from stop to stop.

   requires  a system with its blocks
   ensures   every run of a thread from a stop to the next is a block step, with the guard and the updates of the run
   breaks    nothing */
#include "interpolation/block_steps.h"
#include <stdlib.h>

/* ---- composition ---- */

typedef struct Run {
    unsigned thread, source, location;
    const Expr *guard;
    const Expr **values;   /* by variable: its value over the values at the start; NULL if unchanged */
    unsigned *transitions; /* a vec */
} Run;

static const Expr *now(const System *s, const Run *r, const Expr *e) { return system_with(s, r->values, e); }

static void add_block_step(BlockSteps *ls, const Run *r) {
    const System *s = ls->system;
    const SystemThread *t = &s->threads[r->thread];
    BlockStep l = {.thread = r->thread};
    l.step = (Transition){.index = (unsigned)vec_len(ls->list),
                          .source = r->source,
                          .target = r->location,
                          .guard = r->guard,
                          .position = t->transitions[r->transitions[0]].position,
                          .creates = NONE,
                          .joins = NONE,
                          .lock = NONE,
                          .unlock = NONE};
    for (unsigned v = 0; v < vec_len(s->variables); v++)
        if (r->values[v] && r->values[v] != system_expr(s, v)) vec_push(l.step.updates, ((Update){v, r->values[v]}));
    for (size_t i = 0; i < vec_len(r->transitions); i++) {
        const Transition *x = &t->transitions[r->transitions[i]];
        vec_push(l.transitions, r->transitions[i]);
        vec_append(l.step.inputs, x->inputs);
        vec_append(l.step.actions, x->actions);
        if (x->creates != NONE) l.step.creates = x->creates;
        if (x->joins != NONE) l.step.joins = x->joins;
        l.step.waits |= x->waits;
    }
    vec_push(ls->starting_at[r->thread][r->source], l.step.index);
    vec_push(ls->list, l);
}

/* Adds a block step for each way in which the run can continue to a stop. */
static void follow(BlockSteps *ls, const Blocks *b, const Run *r) {
    const System *s = ls->system;
    const SystemThread *t = &s->threads[r->thread];
    const SystemLocation *l = &t->locations[r->location];
    if (vec_len(r->transitions) && (b->stop[r->thread][r->location] || l->kind != LOCATION_PLAIN)) {
        add_block_step(ls, r);
        return;
    }
    for (size_t i = 0; i < vec_len(l->out); i++) {
        const Transition *x = &t->transitions[l->out[i]];
        Run next = *r;
        next.guard = expr_and(s->exprs, r->guard, now(s, r, x->guard));
        if (expr_is_false(next.guard)) continue;
        next.location = x->target;
        next.values = vec_copy(r->values);
        next.transitions = vec_copy(r->transitions);
        for (size_t u = 0; u < vec_len(x->updates); u++) next.values[x->updates[u].variable] = now(s, r, x->updates[u].value);
        vec_push(next.transitions, x->index);
        follow(ls, b, &next);
        vec_free(next.values);
        vec_free(next.transitions);
    }
}

/* ---- variables ---- */

typedef struct Reads {
    const System *system;
    bool *seen; /* by variable */
} Reads;

static void note_read(void *context, const Symbol *symbol) {
    Reads *r = context;
    unsigned v = system_variable(r->system, symbol);
    if (v != NONE) r->seen[v] = true;
}

static void find_variables(BlockSteps *ls, BlockStep *l, const bool *relevant) {
    Reads r = {ls->system, NULL};
    vec_resize(r.seen, vec_len(ls->system->variables));
    expr_symbols(l->step.guard, note_read, &r);
    for (size_t i = 0; i < vec_len(l->step.updates); i++) {
        if (!relevant[l->step.updates[i].variable]) continue;
        vec_push(l->writes, l->step.updates[i].variable);
        expr_symbols(l->step.updates[i].value, note_read, &r);
    }
    for (unsigned v = 0; v < vec_len(r.seen); v++)
        if (r.seen[v]) vec_push(l->reads, v);
    vec_free(r.seen);
}

static bool have_common(const unsigned *a, const unsigned *b) {
    for (size_t i = 0, k = 0; i < vec_len(a) && k < vec_len(b);) {
        if (a[i] == b[k]) return true;
        if (a[i] < b[k]) i++;
        else k++;
    }
    return false;
}

bool block_steps_disjoint(const BlockStep *a, const BlockStep *b) {
    return !have_common(a->writes, b->writes) && !have_common(a->writes, b->reads) && !have_common(a->reads, b->writes);
}

/* Returns the value of v after both block steps. */
static const Expr *result_of(const System *s, const BlockStep *first, const BlockStep *second, unsigned v) {
    const Expr *u = transition_update(&second->step, v);
    if (u) return transition_after(s, &first->step, u);
    u = transition_update(&first->step, v);
    return u ? u : system_expr(s, v);
}

const Expr *block_steps_swap(const System *s, const bool *relevant, const BlockStep *first, const BlockStep *second) {
    ensure(first->thread != second->thread);
    Exprs *x = s->exprs;
    if (block_steps_disjoint(first, second)) return expr_bool(x, true);
    const Expr *can = expr_and(x, first->step.guard, transition_after(s, &first->step, second->step.guard));
    const Expr *then = expr_and(x, second->step.guard, transition_after(s, &second->step, first->step.guard));
    const BlockStep *both[] = {first, second};
    for (int k = 0; k < 2; k++)
        for (size_t i = 0; i < vec_len(both[k]->step.updates); i++) {
            unsigned v = both[k]->step.updates[i].variable;
            if (relevant[v]) then = expr_and(x, then, expr_eq(x, result_of(s, first, second, v), result_of(s, second, first, v)));
        }
    return expr_implies(x, can, then);
}

/* ---- all of them ---- */

BlockSteps *block_steps_new(const System *s, const Blocks *b) {
    BlockSteps *ls = zeroed(1, sizeof *ls);
    ls->system = s;
    for (unsigned t = 0; t < vec_len(s->threads); t++) {
        unsigned **from = NULL;
        vec_resize(from, vec_len(s->threads[t].locations));
        vec_push(ls->starting_at, from);
        for (unsigned l = 0; l < vec_len(from); l++) {
            Run start = {.thread = t, .source = l, .location = l, .guard = expr_bool(s->exprs, true)};
            if (!b->stop[t][l] || s->threads[t].locations[l].kind != LOCATION_PLAIN) continue;
            vec_resize(start.values, vec_len(s->variables));
            follow(ls, b, &start);
            vec_free(start.values);
        }
    }
    bool *relevant = system_relevant(s);
    for (size_t i = 0; i < vec_len(ls->list); i++) find_variables(ls, &ls->list[i], relevant);
    vec_free(relevant);
    return ls;
}

void block_steps_free(BlockSteps *ls) {
    if (!ls) return;
    vec_each_at(BlockStep, l, ls->list) {
        vec_free(l->step.updates);
        vec_free(l->step.inputs);
        vec_free(l->step.actions);
        vec_free(l->transitions);
        vec_free(l->reads);
        vec_free(l->writes);
    }
    for (size_t t = 0; t < vec_len(ls->starting_at); t++) {
        vec_free_rows(ls->starting_at[t]);
    }
    vec_free(ls->starting_at);
    vec_free(ls->list);
    free(ls);
}

void block_steps_in_proof(const BlockSteps *block_steps, Proof *proof) {
    for (size_t l = 0; l < vec_len(block_steps->list); l++) {
        ProofStep block_step = {.thread = block_steps->list[l].thread, .transitions = vec_copy(block_steps->list[l].transitions)};
        vec_push(proof->block_steps, block_step);
    }
}

bool block_step_is_bad(const BlockSteps *ls, const BlockStep *l) {
    LocationKind kind = ls->system->threads[l->thread].locations[l->step.target].kind;
    return kind == LOCATION_ERROR || kind == LOCATION_STOP;
}
