/* SPDX-License-Identifier: Apache-2.0 */
/* Removes steps after which no error is reachable any more.

   requires  a system
   ensures   the same errors are reachable
   breaks    locations and transitions are numbered anew

   cut_tails: if one thread alone has errors, the system may stop when this thread is where it cannot reach an error. The thread therefore
   stays there. If no thread has errors, no thread moves. A thread that is no longer created does not move either.

   cut_all: a step that only changes the thread's own variables, and after which the thread is stuck, is removed. Other threads cannot
   observe the step, so the thread may as well stay before it. A thread is stuck where it has no transition: it would end the process, or
   wait forever. */
#include "passes/system/system_passes.h"
#include "system/compose.h"
#include "passes/system/tidy.h"

static bool is_bad(const SystemLocation *l) { return l->kind == LOCATION_ERROR || l->kind == LOCATION_STOP; }

static bool has_errors(const SystemThread *t) {
    for (size_t l = 0; l < vec_len(t->locations); l++)
        if (is_bad(&t->locations[l])) return true;
    return false;
}

/* Returns a vec by location: true if the thread can reach an error from there. */
static bool *before_errors(const SystemThread *t) {
    bool *before = NULL;
    vec_resize(before, vec_len(t->locations));
    for (size_t l = 0; l < vec_len(t->locations); l++) before[l] = is_bad(&t->locations[l]);
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = vec_len(t->transitions); i-- > 0;) {
            const Transition *x = &t->transitions[i];
            if (!before[x->target] || before[x->source]) continue;
            before[x->source] = changed = true;
        }
    }
    return before;
}

/* Keeps the transitions whose sources are in kept (by location; NULL for no location), and the locations that they reach. */
static void keep_transitions(SystemThread *t, const bool *kept) {
    Transition *all = NULL;
    for (size_t i = 0; i < vec_len(t->transitions); i++)
        if (kept && kept[t->transitions[i].source]) vec_push(all, t->transitions[i]);
        else transition_free(&t->transitions[i]);
    vec_free(t->transitions);
    t->transitions = all;
    thread_relink(t);
    tidy_locations(t);
}

static bool is_created(const System *s, unsigned thread) {
    unsigned status = s->threads[thread].status;
    if (!thread || status == NONE || s->threads[thread].many) return true;
    for (size_t t = 0; t < vec_len(s->threads); t++)
        for (size_t i = 0; i < vec_len(s->threads[t].transitions) && t != thread; i++)
            if (transition_update(&s->threads[t].transitions[i], status)) return true;
    return false;
}

void cut_tails(System *s) {
    unsigned bad = 0, last = 0;
    for (unsigned t = 0; t < vec_len(s->threads); t++) {
        if (!has_errors(&s->threads[t])) continue;
        bad += s->threads[t].many ? 2 : 1;
        last = t;
    }
    if (bad > 1) return;
    bool *before = before_errors(&s->threads[last]);
    keep_transitions(&s->threads[last], before);
    vec_free(before);
    for (unsigned t = 0; t < vec_len(s->threads); t++)
        if (!bad || !is_created(s, t)) keep_transitions(&s->threads[t], NULL);
    tidy_updates(s);
}

/* True if the thread stays at l forever. */
static bool is_stuck(const SystemThread *t, unsigned l) {
    return l != t->entry && t->locations[l].kind == LOCATION_PLAIN && !vec_len(t->locations[l].out);
}

/* True if other threads can observe the step. The end of an atomic section lets other threads move again. */
static bool is_observable(const System *s, const SystemThread *t, const Transition *x) {
    bool observable = x->creates != NONE || (t->locations[x->source].atomic && !t->locations[x->target].atomic);
    for (size_t u = 0; u < vec_len(x->updates); u++) observable |= s->variables[x->updates[u].variable].thread == NONE;
    return observable;
}

/* Removes the transitions that only lead to where the thread is stuck. Returns true if it removed some: then more sources may be stuck. */
static bool cut_ends(const System *s, SystemThread *t) {
    Transition *all = NULL;
    size_t before = vec_len(t->transitions);
    for (size_t i = 0; i < before; i++)
        if (!is_stuck(t, t->transitions[i].target) || is_observable(s, t, &t->transitions[i])) vec_push(all, t->transitions[i]);
        else transition_free(&t->transitions[i]);
    vec_free(t->transitions);
    t->transitions = all;
    thread_relink(t);
    return vec_len(all) < before;
}

void cut_all(System *s) {
    for (unsigned t = 0; t < vec_len(s->threads); t++)
        while (cut_ends(s, &s->threads[t])) continue;
    for (unsigned t = 0; t < vec_len(s->threads); t++)
        if (has_errors(&s->threads[t])) return;
    for (unsigned t = 0; t < vec_len(s->threads); t++) keep_transitions(&s->threads[t], NULL);
}
