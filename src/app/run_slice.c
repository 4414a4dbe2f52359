/* SPDX-License-Identifier: Apache-2.0 */
/* A violation depends on few of its steps. The first steps of the slice violate the property: the two accesses of a race, the locks of
   a deadlock, or the allocation and the free of a block. Their reasons follow. The last steps of a thread may decide that it reaches this
   place, a value that is read comes from a write, and a thread comes from its creation. The slice is as large as MOST_LINES allows. */
#include "app/run_slice.h"

enum { MOST_LINES = 18, MOST_LAST = 8, FAR = 64 /* bytes between a block and a wrong access */ };

typedef struct Slice {
    const RunViolation *v;
    const bool *candidates;
    bool *shown;   /* a vec */
    size_t *work;  /* a vec: steps whose reasons are not yet in the slice */
    unsigned last; /* how many steps before a step of the slice belong to it */
} Slice;

static bool is_access(const RunStep *s) { return s->kind == RUN_ACCESS || s->kind == RUN_ATOMIC; }
static bool takes_lock(const RunStep *s) { return (s->kind == RUN_LOCK || s->kind == RUN_TRY || s->kind == RUN_READ_LOCK) && !s->flag; }
static const RunStep *step(const Slice *s, size_t i) { return &s->v->steps[i]; }

static void add(Slice *s, size_t i) {
    if (s->shown[i] || !s->candidates[i]) return;
    s->shown[i] = true;
    vec_push(s->work, i);
}

/* Adds the creation of a thread. */
static void add_creation(Slice *s, unsigned thread) {
    for (size_t i = 0; i < vec_len(s->v->steps); i++)
        if (step(s, i)->kind == RUN_CREATE && step(s, i)->other == thread) {
            add(s, i);
            return;
        }
}

/* Adds the last write before step i of the place that step i reads. */
static void add_origin(Slice *s, size_t i) {
    const RunStep *read = step(s, i);
    for (size_t k = i; k-- > 0;) {
        const RunStep *w = step(s, k);
        if (!is_access(w) || !w->write || w->address >= read->address + read->size || read->address >= w->address + w->size) continue;
        if (w->thread != read->thread) add(s, k);
        return;
    }
}

/* Adds the last steps of the thread before step i. */
static void add_last(Slice *s, size_t i, unsigned n) {
    for (size_t k = i; k-- > 0 && n;) {
        if (step(s, k)->thread != step(s, i)->thread || !s->candidates[k]) continue;
        add(s, k);
        n--;
    }
}

/* Adds where the thread has taken the locks that it holds at step `end`, or only `lock`, unless that is 0. */
static void add_locks(Slice *s, unsigned thread, size_t end, uint64_t lock) {
    for (size_t i = 0; i < end; i++) {
        const RunStep *taken = step(s, i);
        if (taken->thread != thread || !takes_lock(taken) || (lock && taken->address != lock)) continue;
        bool held = true;
        for (size_t k = i + 1; k < end && held; k++) held = step(s, k)->kind != RUN_UNLOCK || step(s, k)->address != taken->address;
        if (held) add(s, i);
    }
}

/* Adds the steps that violate the property. */
static void begin(Slice *s) {
    const RunViolation *v = s->v;
    size_t n = vec_len(v->steps), last = n, first = n;
    for (size_t i = 0; i < n; i++) {
        const RunStep *t = step(s, i);
        bool block =
            (t->kind == RUN_ALLOCATE || t->kind == RUN_FREE) && v->address + FAR >= t->address && v->address < t->address + t->value + FAR;
        if (block) add(s, i);
        if (t->thread == v->thread) last = i;
        if (v->outcome == RUN_END_RACE && t->thread == v->other && t->pc == v->other_pc) first = i;
    }
    if (last < n) add(s, last);
    if (first < n) add(s, first);
    if (v->outcome == RUN_END_RACE) add_locks(s, v->thread, n, 0), add_locks(s, v->other, first, 0);
    add_creation(s, v->thread);
}

/* Adds for a deadlock the last step of each thread, and where it took the locks that it holds. */
static void begin_deadlock(Slice *s) {
    size_t n = vec_len(s->v->steps);
    for (size_t i = n; i-- > 0;) {
        bool later = false;
        for (size_t k = i + 1; k < n && !later; k++) later = step(s, k)->thread == step(s, i)->thread && s->candidates[k];
        if (later || !s->candidates[i]) continue;
        add(s, i);
        add_locks(s, step(s, i)->thread, n, 0);
    }
}

static void grow(Slice *s) {
    while (vec_len(s->work)) {
        size_t i = vec_pop(s->work);
        const RunStep *t = step(s, i);
        add_creation(s, t->thread);
        if (is_access(t) && !t->write) add_origin(s, i);
    }
}

/* Adds the last steps of the thread that violates, and their reasons. */
static void grow_from_end(Slice *s) {
    for (size_t i = vec_len(s->v->steps); i-- > 0;)
        if (step(s, i)->thread == s->v->thread && s->candidates[i]) {
            add_last(s, i, s->last);
            break;
        }
    grow(s);
}

bool *run_slice(const RunViolation *v, const bool *candidates, size_t (*lines)(void *context, const bool *shown), void *context) {
    Slice s = {.v = v, .candidates = candidates};
    bool *shown = vec_copy(candidates);
    size_t n = vec_len(v->steps);
    for (unsigned last = MOST_LAST + 1; last-- > 0 && n && lines(context, shown) > MOST_LINES;) {
        vec_resize(s.shown, n);
        memset(s.shown, 0, n * sizeof *s.shown);
        begin(&s);
        if (v->outcome == RUN_END_DEADLOCK) begin_deadlock(&s);
        grow(&s);
        s.last = last;
        grow_from_end(&s);
        memcpy(shown, s.shown, n * sizeof *shown);
    }
    vec_free(s.shown);
    vec_free(s.work);
    return shown;
}
