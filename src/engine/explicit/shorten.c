/* SPDX-License-Identifier: Apache-2.0 */
/* Shortens traces of violations. It leaves out steps that are not needed, and joins parts of threads that need not be interrupted. Every candidate is
   executed, and its impossible steps are skipped. If this still reaches the violation, the executed steps are the new trace. (Greedy
   removal of chunks, as in delta debugging: Zeller and Hildebrandt, TSE 2002.) */
#include "engine/explicit/explicit.h"
#include "ir/script.h"
#include "ir/wait.h"
#include "result/assume.h"
#include <string.h>

typedef struct Shorten {
    Context *context;
    const TraceStep *steps; /* of the trace; candidates are lists of indices into it */
    const u128 *initial;
    TraceEnd end;
    unsigned *best; /* a vec */
    double until;
} Shorten;

static State *initial_state(const Shorten *h) {
    Script script = {.choices = h->initial};
    Chooser chooser = script_chooser(&script);
    return state_initial(h->context->machine, &chooser);
}

/* Executes the possible steps of the candidate, which become *done. Returns true if they end at the violation. */
static bool execute(const Shorten *h, const unsigned *candidate, unsigned **done) {
    State *s = initial_state(h);
    bool error = false;
    for (size_t i = 0; i < vec_len(candidate) && !error; i++) {
        const TraceStep *step = &h->steps[candidate[i]];
        if (step->thread > state_threads(s)) continue;
        const Template *t = h->context->program->templates[state_template(s, step->thread)];
        if (step->action >= vec_len(t->actions)) continue;
        Script script = {.choices = step->choices};
        Chooser chooser = script_chooser(&script);
        StepResult r = machine_step(h->context->machine, s, step->thread, step->action, &chooser, NULL);
        bool fault = h->end == TRACE_FAULT && context_violates(h->context, &t->actions[step->action], &r);
        if (r.status != STEP_DONE && !fault) continue;
        vec_push(*done, candidate[i]);
        if (fault) {
            error = script_is_used_up(&script);
            break;
        }
        if (!script_is_used_up(&script)) break; /* the step made other choices than the recorded ones */
        error = h->end == TRACE_ERROR && t->locations[t->actions[step->action].target].kind == LOCATION_ERROR;
    }
    const Object *object;
    if (h->end == TRACE_DEADLOCK) error = context_is_deadlocked(h->context, s, 0);
    if (h->end == TRACE_LEAK) error = state_halted(h->context->machine, s) && state_leak(h->context->machine, s, &object);
    state_free(h->context->machine, s);
    return error;
}

static unsigned switches(const Shorten *h, const unsigned *list) {
    unsigned n = 0;
    for (size_t i = 1; i < vec_len(list); i++) n += h->steps[list[i]].thread != h->steps[list[i - 1]].thread;
    return n;
}

/* Returns true if the list has fewer steps or fewer switches than the best one, and not more of either. */
static bool is_better(const Shorten *h, const unsigned *list) {
    size_t a = vec_len(list), b = vec_len(h->best);
    unsigned sa = switches(h, list), sb = switches(h, h->best);
    return (sa < sb && a <= b) || (sa <= sb && a < b);
}

/* Executes and frees the candidate. Makes the executed steps the best list if they are better, and returns true. */
static bool try_candidate(Shorten *h, unsigned *candidate) {
    unsigned *done = NULL;
    bool better = execute(h, candidate, &done) && is_better(h, done);
    vec_free(candidate);
    if (better) {
        vec_free(h->best);
        h->best = done;
    } else {
        vec_free(done);
    }
    return better;
}

static bool in_time(const Shorten *h) { return context_seconds(h->context) < h->until; }

/* ---- leaving out ---- */

static unsigned *without(const unsigned *list, size_t from, size_t to) {
    unsigned *shorter = NULL;
    for (size_t i = 0; i < vec_len(list); i++)
        if (i < from || i >= to) vec_push(shorter, list[i]);
    return shorter;
}

static unsigned *without_thread_after(const Shorten *h, unsigned thread, size_t from) {
    unsigned *shorter = NULL;
    for (size_t i = 0; i < vec_len(h->best); i++)
        if (i < from || h->steps[h->best[i]].thread != thread) vec_push(shorter, h->best[i]);
    return shorter;
}

/* Tries to leave out all steps of a thread from a switch to it on, for every switch. */
static void drop_tails(Shorten *h) {
    for (size_t i = 0; i < vec_len(h->best) && in_time(h); i++) {
        unsigned thread = h->steps[h->best[i]].thread;
        if (i && h->steps[h->best[i - 1]].thread == thread) continue;
        try_candidate(h, without_thread_after(h, thread, i));
    }
}

static void drop_chunks(Shorten *h) {
    for (size_t size = vec_len(h->best) / 2; size; size /= 2)
        for (size_t at = 0; at < vec_len(h->best) && in_time(h);)
            if (!try_candidate(h, without(h->best, at, at + size))) at += size;
}

/* ---- fewer switches ---- */

static size_t segment_end(const Shorten *h, size_t at) {
    size_t i = at;
    while (i < vec_len(h->best) && h->steps[h->best[i]].thread == h->steps[h->best[at]].thread) i++;
    return i;
}

/* Returns the list with [from, to) moved to before `at`; at < from or at >= to. */
static unsigned *moved(const unsigned *list, size_t from, size_t to, size_t at) {
    unsigned *other = NULL;
    for (size_t i = 0; i <= vec_len(list); i++) {
        if (i == at)
            for (size_t k = from; k < to; k++) vec_push(other, list[k]);
        if (i < vec_len(list) && (i < from || i >= to)) vec_push(other, list[i]);
    }
    return other;
}

/* Tries to join the segment at `at` with the thread's next segment: moves that one forward, or this one back. */
static bool join_segments(Shorten *h, size_t at) {
    size_t end = segment_end(h, at), next = end;
    unsigned thread = h->steps[h->best[at]].thread;
    while (next < vec_len(h->best) && h->steps[h->best[next]].thread != thread) next++;
    if (next == vec_len(h->best)) return false;
    size_t next_end = segment_end(h, next);
    return try_candidate(h, moved(h->best, next, next_end, end)) || try_candidate(h, moved(h->best, at, end, next));
}

static void join_all(Shorten *h) {
    for (size_t at = 0; at < vec_len(h->best) && in_time(h);)
        if (!join_segments(h, at)) at = segment_end(h, at);
}

/* ---- all of it ---- */

static bool assumes(const Program *p, const Trace *t) {
    size_t *list = trace_assumptions(p, t);
    bool any = vec_len(list) != 0;
    vec_free(list);
    return any;
}

/* Returns true if the best list depends on an over-approximation, but the trace does not. This happens if it leaves out a step that overwrites the
   unknown result of a function. */
static bool assumes_more(const Shorten *h, const Trace *t) {
    if (!h->context->has_results || assumes(h->context->program, t)) return false;
    Trace shorter = {.initial = t->initial};
    for (size_t i = 0; i < vec_len(h->best); i++) vec_push(shorter.steps, t->steps[h->best[i]]);
    bool more = assumes(h->context->program, &shorter);
    vec_free(shorter.steps);
    return more;
}

static void keep_best(Shorten *h, Trace *t) {
    TraceStep *steps = NULL;
    bool *kept = NULL;
    vec_resize(kept, vec_len(t->steps));
    for (size_t i = 0; i < vec_len(h->best); i++) {
        vec_push(steps, t->steps[h->best[i]]);
        kept[h->best[i]] = true;
    }
    for (size_t i = 0; i < vec_len(t->steps); i++)
        if (!kept[i]) vec_free(t->steps[i].choices);
    vec_free(t->steps);
    vec_free(kept);
    t->steps = steps;
}

void shorten_trace(Context *c, Trace *t, double seconds) {
    Shorten h = {.context = c, .steps = t->steps, .initial = t->initial, .end = t->end, .until = context_seconds(c) + seconds};
    for (size_t i = 0; i < vec_len(t->steps); i++) vec_push(h.best, (unsigned)i);
    for (size_t before = SIZE_MAX; in_time(&h);) {
        size_t now = vec_len(h.best) + switches(&h, h.best);
        if (now >= before) break;
        before = now;
        drop_tails(&h);
        join_all(&h);
        drop_chunks(&h);
    }
    if (!assumes_more(&h, t)) keep_best(&h, t);
    vec_free(h.best);
}
