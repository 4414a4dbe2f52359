/* SPDX-License-Identifier: Apache-2.0 */
/* Enumerates the runs of a thread from stop to stop. Only this file does so. Runs that begin without knowledge of the state are
   enumerated once, and then kept. */
#include "check/checker.h"
#include "check/messages.h"

bool checker_is_bad(const Checker *c, unsigned t, unsigned l) {
    ensure(t < vec_len(c->system->threads) && l < vec_len(c->system->threads[t].locations));
    LocationKind kind = c->system->threads[t].locations[l].kind;
    return kind == LOCATION_ERROR || kind == LOCATION_STOP;
}

static bool is_end(const Checker *c, const BlockPath *run) {
    return c->proof->stop[run->thread][run->location] || c->system->threads[run->thread].locations[run->location].kind != LOCATION_PLAIN;
}

/* Extends the run by a transition. Returns false if the guard is false. */
static bool extend(const Checker *c, const BlockPath *run, const Transition *x, BlockPath *next) {
    const System *s = c->system;
    *next = (BlockPath){.thread = run->thread, .location = x->target, .last = x, .before = run};
    next->guard = expr_and(c->exprs, run->guard, system_with(s, run->values, x->guard));
    if (expr_is_false(next->guard)) return false;
    vec_resize(next->values, vec_len(s->variables));
    for (size_t v = 0; v < vec_len(s->variables); v++) next->values[v] = run->values[v];
    for (size_t i = 0; i < vec_len(x->updates); i++)
        next->values[x->updates[i].variable] = system_with(s, run->values, x->updates[i].value);
    return true;
}

void block_paths_follow(Checker *c, const BlockPath *run, BlockPathFound *found, void *context) {
    const SystemThread *thread = &c->system->threads[run->thread];
    ensure(run->location < vec_len(thread->locations) && vec_len(run->values) == vec_len(c->system->variables));
    const SystemLocation *l = &thread->locations[run->location];
    for (const BlockPath *q = run->before; q && c->ok; q = q->before) /* the inputs of the second time would be those of the first */
        if (q->last && q->last == run->last) checker_refuse(c, MSG_CHECK_RUN_REPEATS);
    for (size_t i = 0; i < vec_len(l->out) && c->ok; i++) {
        BlockPath next;
        if (!extend(c, run, &thread->transitions[l->out[i]], &next)) continue;
        if (is_end(c, &next)) found(context, &next);
        else block_paths_follow(c, &next, found, context);
        vec_free(next.values);
    }
}

void block_paths_from(Checker *c, unsigned t, unsigned l, BlockPathFound *found, void *context) {
    ensure(t < vec_len(c->system->threads) && l < vec_len(c->system->threads[t].locations));
    BlockPath start = {.thread = t, .location = l, .guard = expr_bool(c->exprs, true)};
    vec_resize(start.values, vec_len(c->system->variables));
    block_paths_follow(c, &start, found, context);
    vec_free(start.values);
}

Transition block_path_step(const BlockPath *run) {
    ensure(run->last); /* it has at least one transition */
    Transition step = {.target = run->location, .guard = run->guard};
    for (const BlockPath *q = run; q->last; q = q->before) step.source = q->last->source;
    for (unsigned v = 0; v < vec_len(run->values); v++)
        if (run->values[v]) vec_push(step.updates, ((Update){v, run->values[v]}));
    return step;
}

/* ---- runs that are kept ---- */

static void keep(void *context, const BlockPath *run) {
    CheckedRuns *runs = context;
    vec_push(runs->list, block_path_step(run));
}

const Transition *checker_block_paths(Checker *c, unsigned t, unsigned l) {
    ensure(t < vec_len(c->system->threads) && l < vec_len(c->system->threads[t].locations));
    const System *s = c->system;
    for (size_t k = vec_len(c->runs); k < vec_len(s->threads); k++) {
        CheckedRuns *by_location = NULL;
        vec_resize(by_location, vec_len(s->threads[k].locations));
        vec_push(c->runs, by_location);
    }
    CheckedRuns *r = &c->runs[t][l];
    if (!r->found) block_paths_from(c, t, l, keep, r);
    r->found = true;
    return r->list;
}

void checker_forget_block_paths(Checker *c) {
    for (size_t t = 0; t < vec_len(c->runs); t++) {
        for (size_t l = 0; l < vec_len(c->runs[t]); l++) {
            for (size_t i = 0; i < vec_len(c->runs[t][l].list); i++) vec_free(c->runs[t][l].list[i].updates);
            vec_free(c->runs[t][l].list);
        }
        vec_free(c->runs[t]);
    }
    vec_free(c->runs);
}
