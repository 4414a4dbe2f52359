/* SPDX-License-Identifier: Apache-2.0 */
/* Runs of one thread from stop to stop, found once for each stop. */
#include "base/vec.h"
#include "check/checker.h"

typedef struct Run Run;
struct Run {
    Transition step;        /* composed */
    const Transition *last; /* the transition taken to get here … */
    const Run *before;      /* … from there */
};

bool checker_is_bad(const Checker *c, unsigned t, unsigned l) {
    LocationKind kind = c->system->threads[t].locations[l].kind;
    return kind == LOCATION_ERROR || kind == LOCATION_STOP;
}

/* The run and one more transition; false if it cannot be. */
static bool extend(const Checker *c, const Run *run, const Transition *x, Run *next) {
    const System *s = c->system;
    *next = (Run){.last = x, .before = run};
    next->step = (Transition){.source = run->step.source, .target = x->target};
    next->step.guard = expr_and(c->exprs, run->step.guard, transition_after(s, &run->step, x->guard));
    if (expr_is_false(next->step.guard)) return false;
    for (size_t i = 0; i < vec_len(x->updates); i++)
        vec_push(next->step.updates, ((Update){x->updates[i].variable, transition_after(s, &run->step, x->updates[i].value)}));
    for (size_t i = 0; i < vec_len(run->step.updates); i++)
        if (!transition_update(x, run->step.updates[i].variable)) vec_push(next->step.updates, run->step.updates[i]);
    return true;
}

static void follow(Checker *c, unsigned t, const Run *run, Transition **list) {
    const SystemLocation *l = &c->system->threads[t].locations[run->step.target];
    for (const Run *q = run->before; q && c->ok; q = q->before) /* its inputs would be those of the first time */
        if (q->last && q->last == run->last) checker_refuse(c, "a run that takes a transition twice without a stop");
    for (size_t i = 0; i < vec_len(l->out) && c->ok; i++) {
        Run next;
        if (!extend(c, run, &c->system->threads[t].transitions[l->out[i]], &next)) continue;
        if (checker_is_bad(c, t, next.step.target) || c->proof->stop[t][next.step.target]) {
            vec_push(*list, next.step);
        } else {
            follow(c, t, &next, list);
            vec_free(next.step.updates);
        }
    }
}

const Transition *checker_runs(Checker *c, unsigned t, unsigned l) {
    const System *s = c->system;
    for (size_t k = vec_len(c->runs); k < vec_len(s->threads); k++) {
        CheckedRuns *by_location = NULL;
        vec_resize(by_location, vec_len(s->threads[k].locations));
        vec_push(c->runs, by_location);
    }
    CheckedRuns *r = &c->runs[t][l];
    if (!r->found) {
        Run start = {.step = {.source = l, .target = l, .guard = expr_bool(c->exprs, true)}};
        follow(c, t, &start, &r->list);
        r->found = true;
    }
    return r->list;
}

void checker_forget_runs(Checker *c) {
    for (size_t t = 0; t < vec_len(c->runs); t++) {
        for (size_t l = 0; l < vec_len(c->runs[t]); l++) {
            for (size_t i = 0; i < vec_len(c->runs[t][l].list); i++) vec_free(c->runs[t][l].list[i].updates);
            vec_free(c->runs[t][l].list);
        }
        vec_free(c->runs[t]);
    }
    vec_free(c->runs);
}
