/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps the predicates by location and the transition predicates by thread, and makes the steps of block steps for abstract posts. */
#include "base/clock.h"
#include "engine/threader/aret.h"
#include <stdio.h>
#include <stdlib.h>

/* ---- the extended system ---- */

static void add_variable(Abstraction *a, const char *name, const char *suffix, const Sort *sort) {
    char text[200];
    snprintf(text, sizeof text, "%s%s", name, suffix);
    const Symbol *symbol = symbol_new(a->exprs, SYM_VARIABLE, text, sort);
    system_add_variable(a->extended, (SystemVariable){.symbol = symbol, .name = symbol->name, .thread = NONE, .owner = NONE});
}

static void extend_system(Abstraction *a) {
    const System *s = a->system;
    a->extended = system_empty(a->exprs);
    a->extended->integers = s->integers;
    for (size_t v = 0; v < vec_len(s->variables); v++) system_add_variable(a->extended, s->variables[v]);
    for (size_t t = 0; t < vec_len(s->threads); t++) add_variable(a, s->threads[t].name, ".at", sort_int(a->exprs));
    a->shared = (unsigned)vec_len(a->extended->variables);
    for (unsigned v = 0; v < a->shared; v++)
        add_variable(a, a->extended->variables[v].symbol->name, "'", a->extended->variables[v].symbol->sort);
}

const Expr *abstraction_numbers(const Abstraction *a, unsigned t, unsigned u) {
    const Expr *both[] = {system_self(a->system, t), t == u ? NULL : system_self(a->system, u)};
    return system_numbers(a->system, 2, both);
}

/* ---- steps ---- */

/* Makes the step from the state before a block step to the state after it. */
static unsigned own_step(Abstraction *a, const BlockStep *l) {
    Update *updates = NULL;
    for (size_t i = 0; i < vec_len(l->step.updates); i++)
        if (a->relevant[l->step.updates[i].variable]) vec_push(updates, l->step.updates[i]);
    vec_push(updates, ((Update){place_of(a, l->thread), expr_int(a->exprs, l->step.target)}));
    unsigned step = post_add_step(a->post, expr_and(a->exprs, abstraction_numbers(a, l->thread, l->thread), l->step.guard), updates);
    vec_free(updates);
    return step;
}

/* Makes the step that keeps the state before a block step, and sets the primed variables to the state after it. */
static unsigned relational_step(Abstraction *a, const BlockStep *l) {
    Update *updates = NULL;
    size_t n = vec_len(a->system->variables);
    for (unsigned v = 0; v < n; v++)
        if (a->relevant[v]) vec_push(updates, ((Update){after_of(a, v), transition_value(a->system, &l->step, v)}));
    for (unsigned t = 0; t < vec_len(a->system->threads); t++) {
        const Expr *then = t == l->thread ? expr_int(a->exprs, l->step.target) : abstraction_expr(a, place_of(a, t));
        vec_push(updates, ((Update){after_of(a, place_of(a, t)), then}));
    }
    const Expr *here = expr_eq(a->exprs, abstraction_expr(a, place_of(a, l->thread)), expr_int(a->exprs, l->step.source));
    const Expr *guard = expr_and(a->exprs, expr_and(a->exprs, abstraction_numbers(a, l->thread, l->thread), l->step.guard), here);
    unsigned step = post_add_step(a->post, guard, updates);
    vec_free(updates);
    return step;
}

static unsigned start_step(Abstraction *a, unsigned t) {
    const System *s = a->system;
    const Expr *init = abstraction_numbers(a, t, t);
    for (unsigned v = 0; v < vec_len(s->variables); v++)
        if (s->variables[v].init) init = expr_and(a->exprs, init, expr_eq(a->exprs, system_expr(s, v), s->variables[v].init));
    for (unsigned u = 0; u < vec_len(s->threads); u++)
        init = expr_and(a->exprs, init, expr_eq(a->exprs, abstraction_expr(a, place_of(a, u)), expr_int(a->exprs, s->threads[u].entry)));
    return post_add_step(a->post, init, NULL);
}

static unsigned *find_written(const Abstraction *a, const BlockStep *l) {
    const System *s = a->system;
    unsigned *list = NULL;
    for (unsigned v = 0; v < vec_len(s->variables); v++) {
        unsigned owner = s->variables[v].thread;
        bool written = transition_update(&l->step, v) != NULL || (!a->frames && (owner == NONE || owner == l->thread));
        if (written && a->relevant[v]) vec_push(list, v);
    }
    vec_push(list, place_of(a, l->thread));
    return list;
}

unsigned abstraction_after(Abstraction *a, unsigned step, unsigned mask, const PredicateSet *these) {
    unsigned wanted = post_intern_set(a->post, these);
    uint64_t key = (uint64_t)step << 40 | (uint64_t)mask << 20 | wanted, known;
    bool remember = step < 1u << 24 && mask < 1u << 20 && wanted < 1u << 20;
    if (remember && map_get(a->after, key, &known)) return (unsigned)known;
    unsigned result = post_after(a->post, step, mask, these);
    if (remember) map_put(a->after, key, result);
    return result;
}

/* ---- predicates ---- */

/* Marks the variables of an assertion as noticed, except the thread's own locals. thread: NONE for a transition predicate. */
static void notice(Abstraction *a, unsigned thread, unsigned assertion) {
    const unsigned *list = post_variables(a->post, assertion);
    for (size_t i = 0; i < vec_len(list); i++) {
        unsigned v = list[i] >= a->shared ? list[i] - a->shared : list[i];
        if (v >= vec_len(a->system->variables) || thread == NONE || a->system->variables[v].thread != thread) a->noticed[v] = true;
    }
}

/* Adds the conjuncts of a formula to a set. thread: NONE for a transition predicate. Returns false if all of them are in the set already. */
static bool track_in(Abstraction *a, PredicateSet *m, unsigned thread, const Expr *e) {
    bool grown = false;
    if (e->op == OP_AND) {
        for (unsigned i = 0; i < e->nargs; i++) grown |= track_in(a, m, thread, e->args[i]);
        return grown;
    }
    if (expr_is_const(e)) return false;
    unsigned n = post_add_predicate(a->post, e);
    if (n == NONE || predicates_has(m, n)) return false;
    predicates_add(m, n);
    notice(a, thread, n);
    return true;
}

bool abstraction_track(Abstraction *a, unsigned thread, unsigned location, const Expr *e) {
    return track_in(a, &a->predicates[thread][location], thread, e);
}

bool abstraction_relate(Abstraction *a, unsigned thread, const Expr *e) { return track_in(a, &a->relations[thread], NONE, e); }

/* ---- the abstraction ---- */

Abstraction *abstraction_new(const Chain *p, Stats *stats, bool frames) {
    Abstraction *a = zeroed(1, sizeof *a);
    *a = (Abstraction){.system = p->system,
                       .blocks = p->blocks,
                       .exprs = p->system->exprs,
                       .smt = p->smt,
                       .frames = frames,
                       .started = clock_seconds(),
                       .after = map_new(),
                       .steps = map_new(),
                       .views = map_new(),
                       .cube_views = map_new()};
    a->block_steps = block_steps_new(p->system, p->blocks);
    a->whole = block_steps_new(p->system, p->blocks);
    a->relevant = system_relevant(p->system);
    block_steps_by_cases(a->block_steps, a->relevant);
    extend_system(a);
    vec_resize(a->noticed, a->shared);
    a->post = post_new(a->extended, p->smt, stats);
    for (size_t t = 0; t < vec_len(p->system->threads); t++) {
        PredicateSet *list = NULL;
        vec_resize(list, vec_len(p->system->threads[t].locations));
        vec_push(a->predicates, list);
        vec_push(a->relations, (PredicateSet){0});
        vec_push(a->start, start_step(a, (unsigned)t));
    }
    for (size_t i = 0; i < vec_len(a->block_steps->list); i++) {
        vec_push(a->own, own_step(a, &a->block_steps->list[i]));
        vec_push(a->relational, relational_step(a, &a->block_steps->list[i]));
        vec_push(a->written, find_written(a, &a->block_steps->list[i]));
    }
    a->symmetric = symmetric_new(a);
    return a;
}

void abstraction_free(Abstraction *a) {
    if (!a) return;
    vec_free_rows(a->predicates);
    vec_free(a->relations);
    vec_free(a->noticed);
    symmetric_free(a->symmetric);
    vec_free_rows(a->written);
    for (size_t i = 0; i < vec_len(a->tried); i++) vec_free(a->tried[i].block_steps);
    vec_free(a->tried);
    vec_free(a->own);
    vec_free(a->relational);
    vec_free(a->start);
    vec_free(a->relevant);
    map_free(a->after);
    map_free(a->steps);
    map_free(a->views);
    map_free(a->cube_views);
    post_free(a->post);
    block_steps_free(a->block_steps);
    block_steps_free(a->whole);
    system_free(a->extended);
    free(a);
}
