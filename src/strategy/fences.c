/* SPDX-License-Identifier: Apache-2.0 */
/* Suggests fences that exclude an execution under weak memory.

   The program is verified again, first under sequential consistency. Then a fence is added behind the first delayed store of the trace,
   before the access that overtakes this store. If that program is UNSAFE, too, its trace shows the place of another fence. */
#include "analysis/delays.h"
#include "base/clock.h"
#include "process/progress.h"
#include "strategy/messages.h"
#include "strategy/second_looks.h"
#include <math.h>
#include <stdlib.h>

enum { MOST_FENCES = 4 };

/* ---- the delayed store, and the access that overtakes it ---- */

typedef struct Pair {
    unsigned template_, store, other; /* actions; other overtakes store */
    bool found;
} Pair;

/* A store that has not left its store buffer yet */
typedef struct Waiting {
    unsigned thread, action;
} Waiting;

typedef struct Walk {
    const Program *program;
    const StoreDelays *delays;
    unsigned *templates; /* a vec, by thread number */
    Waiting *waiting;    /* a vec, in the order of execution */
    Pair pair;
} Walk;

/* Returns the index of the store that is number n (from 0) in the thread's buffer. If there are fewer, returns the number of all waiting
   stores. */
static size_t find_waiting(const Walk *w, unsigned thread, unsigned n) {
    for (size_t i = 0; i < vec_len(w->waiting); i++)
        if (w->waiting[i].thread == thread && n-- == 0) return i;
    return vec_len(w->waiting);
}

/* Records that the access `by` overtakes the thread's last store among the first n waiting stores, if this store may be delayed. */
static void overtake(Walk *w, unsigned thread, size_t n, unsigned by) {
    const StoreDelay *of = w->delays->of[w->templates[thread]];
    for (size_t i = n; i-- > 0 && !w->pair.found;) {
        if (w->waiting[i].thread != thread) continue;
        if (of[w->waiting[i].action].may_be_delayed) w->pair = (Pair){w->templates[thread], w->waiting[i].action, by, true};
        return;
    }
}

static void flush(Walk *w, unsigned thread, unsigned n) {
    size_t at = find_waiting(w, thread, n);
    if (at == vec_len(w->waiting)) return;
    overtake(w, thread, at, w->waiting[at].action);
    for (size_t i = at + 1; i < vec_len(w->waiting); i++) w->waiting[i - 1] = w->waiting[i];
    (void)vec_pop(w->waiting);
}

static void walk_step(Walk *w, const TraceStep *s) {
    if (s->action == TRACE_FLUSH) {
        flush(w, s->thread, vec_len(s->choices) ? (unsigned)s->choices[0] : 0);
        return;
    }
    unsigned t = w->templates[s->thread];
    const Action *a = &w->program->templates[t]->actions[s->action];
    const StoreDelay *d = &w->delays->of[t][s->action];
    if (d->weak.kind == WEAK_LOAD && d->is_observable) overtake(w, s->thread, vec_len(w->waiting), s->action);
    if (d->weak.kind == WEAK_STORE) vec_push(w->waiting, ((Waiting){s->thread, s->action}));
    for (size_t k = 0; k < vec_len(a->instrs); k++)
        if (a->instrs[k].kind == INSTR_CREATE) vec_push(w->templates, a->instrs[k].template_);
}

static Pair find_pair(const Program *p, const Trace *t) {
    StoreDelays *delays = delays_new(p, NULL, NULL);
    Walk w = {.program = p, .delays = delays};
    vec_push(w.templates, 0);
    vec_push(w.templates, 0);
    for (size_t i = 0; i < vec_len(t->steps) && !w.pair.found; i++) walk_step(&w, &t->steps[i]);
    vec_free(w.templates);
    vec_free(w.waiting);
    delays_free(delays);
    return w.pair;
}

/* ---- the note ---- */

typedef struct Lines {
    unsigned first, last;
} Lines;

static Lines lines_of(const Program *p, const Pair *pair) {
    const Action *actions = p->templates[pair->template_]->actions;
    unsigned a = actions[pair->store].position.line, b = actions[pair->other].position.line;
    return a < b ? (Lines){a, b} : (Lines){b, a};
}

static int compare_lines(const void *a, const void *b) {
    const Lines *x = a, *y = b;
    return x->first != y->first ? (x->first > y->first) - (x->first < y->first) : (x->last > y->last) - (x->last < y->last);
}

/* Adds a note with the places of the fences. Several fences may be in one line, or be the same for display, in functions that several
   threads execute. */
static void note_fences(Verdict *v, Lines *lines, unsigned n) {
    Buf text = {0};
    qsort(lines, n, sizeof *lines, compare_lines);
    for (unsigned i = 0, next; i < n; i = next) {
        for (next = i + 1; next < n && !compare_lines(&lines[i], &lines[next]);) next++;
        const char *many = next > i + 1 ? "s" : "";
        if (i) buf_text(&text, ", and ");
        if (lines[i].first == lines[i].last) buf_printf(&text, MSG_STRATEGY_FENCE_BEHIND, many, lines[i].first);
        else buf_printf(&text, MSG_STRATEGY_FENCE_BETWEEN, lines[i].first, lines[i].last);
    }
    verdict_note(v, n > 1 ? MSG_STRATEGY_FENCES : MSG_STRATEGY_FENCE, buf_string(&text));
    buf_free(&text);
}

/* ---- all ---- */

/* Verifies the result of passes_weak with these settings. *made gets the route, which the caller frees. A trace of the verdict is one of
   that program. */
static Verdict *verify_variant(const Config *c, const Loaded *in, const Program *p, const Question *q, PassSettings settings, TimeSlot time,
                               Route *made) {
    *made = route_new(p, q, settings);
    Chain *chain = route_chain(made, false);
    return chain ? answer(c, in, chain->program, q, time) : route_refusal(made);
}

static void exclude_by_fences(const Config *c, const Loaded *in, const Program *p, const Question *q, Verdict *v, TimeSlot time) {
    Lines lines[MOST_FENCES];
    Route routes[MOST_FENCES] = {0};
    Verdict *last = v;
    unsigned n = 0;
    for (bool goes_on = true; goes_on && n < MOST_FENCES && slot_left(time) > 0;) {
        Pair pair = find_pair(p, last->trace);
        if (!pair.found) break;
        FencePlace *fences = NULL;
        vec_push(fences, ((FencePlace){pair.template_, pair.store}));
        lines[n] = lines_of(p, &pair);
        Verdict *next = verify_variant(c, in, p, q, (PassSettings){.fences = fences}, time, &routes[n]);
        if (next->kind == VERDICT_SAFE) note_fences(v, lines, n + 1);
        goes_on = next->kind == VERDICT_UNSAFE;
        if (goes_on) p = routes[n].plain.chain.program;
        if (last != v) verdict_free(last);
        last = next;
        vec_free(fences);
        n++;
    }
    if (last != v) verdict_free(last);
    while (n) route_free(&routes[--n]);
}

void suggest_fences(const Config *c, const Loaded *in, const Program *p, const Question *q, Verdict *v, TimeSlot time) {
    TimeSlot slot = slot_share(time, 0.5, 3 * (clock_seconds() - time.start) + 1);
    Route made;
    if (v->kind != VERDICT_UNSAFE || p->memory == MEMORY_SC || q->property != PROPERTY_UNREACH_CALL || slot_left(slot) < 0.1) return;
    progress_phase("searching for fences that exclude the execution");
    Verdict *same = verify_variant(c, in, p, q, (PassSettings){.memory = MEMORY_AS_SC}, slot, &made);
    bool safe = same->kind == VERDICT_SAFE;
    verdict_free(same);
    route_free(&made);
    if (!safe) return;
    verdict_note(v, MSG_STRATEGY_FENCE_UNNEEDED);
    if (p->memory != MEMORY_C11) exclude_by_fences(c, in, p, q, v, slot);
}
