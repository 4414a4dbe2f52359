/* SPDX-License-Identifier: Apache-2.0 */
/* Computes a forward data flow for each thread, which is intersected where ways meet. At the entry of main, all other threads are absent.
   After a creation, the thread is present, and so are the threads that it may create. After a join, the thread is absent. Another thread
   than main only knows about threads that no other thread can create: its own descendants. */
#include "analysis/parallel.h"

/* Returns a table by thread and created thread. A thread marked many may have several creators. */
static bool **find_created(const System *s) {
    bool **created = NULL;
    for (size_t t = 0; t < vec_len(s->threads); t++) {
        bool *by = NULL;
        vec_resize(by, vec_len(s->threads));
        for (size_t i = 0; i < vec_len(s->threads[t].transitions); i++) {
            unsigned o = s->threads[t].transitions[i].creates;
            if (o == NONE) continue;
            by[o] = true;
            if (s->threads[o].other_instance != NONE) by[s->threads[o].other_instance] = true;
        }
        vec_push(created, by);
    }
    return created;
}

/* Returns the threads that `from` may create, directly or by its creations, without the help of the thread `without` (NONE: with any
   help). */
static bool *find_descendants(bool *const *created, unsigned from, unsigned without) {
    bool *found = NULL;
    unsigned *work = NULL;
    vec_resize(found, vec_len(created));
    if (from != without) vec_push(work, from);
    while (vec_len(work)) {
        unsigned t = vec_pop(work);
        for (unsigned o = 0; o < vec_len(created); o++) {
            if (!created[t][o] || found[o] || o == without) continue;
            found[o] = true;
            vec_push(work, o);
        }
    }
    vec_free(work);
    return found;
}

typedef struct Family {
    bool **descends; /* by thread and other thread: the first may create the other, directly or by its creations */
    bool **depends;  /* by thread and other thread: the other only exists if the first created it so */
} Family;

static Family family_of(const System *s) {
    Family f = {0};
    bool **created = find_created(s);
    for (unsigned t = 0; t < vec_len(s->threads); t++) {
        bool *others = find_descendants(created, 0, t), *depends = NULL;
        for (unsigned o = 0; o < vec_len(s->threads); o++) vec_push(depends, o != t && o != 0 && !others[o]);
        vec_push(f.descends, find_descendants(created, t, NONE));
        vec_push(f.depends, depends);
        vec_free(others);
    }
    vec_free_rows(created);
    return f;
}

static void family_free(Family *f) {
    for (size_t t = 0; t < vec_len(f->descends); t++) {
        vec_free(f->descends[t]);
        vec_free(f->depends[t]);
    }
    vec_free(f->descends);
    vec_free(f->depends);
}

/* Returns a vec by thread: true if the thread is absent after the transition. */
static bool *after(const System *s, const Family *f, const bool *before, const Transition *tr) {
    bool *now = NULL;
    unsigned twin = tr->creates == NONE ? NONE : s->threads[tr->creates].other_instance;
    for (unsigned o = 0; o < vec_len(s->threads); o++) {
        bool present = tr->creates != NONE && (o == tr->creates || f->descends[tr->creates][o]);
        present |= twin != NONE && (o == twin || f->descends[twin][o]);
        vec_push(now, before[o] && !present);
    }
    if (tr->joins != NONE && !s->threads[tr->joins].many) now[tr->joins] = true;
    return now;
}

static bool **flow(const System *s, const Family *f, unsigned t) {
    const SystemThread *thread = &s->threads[t];
    bool **absent = NULL;
    unsigned *work = NULL;
    vec_resize(absent, vec_len(thread->locations));
    for (unsigned o = 0; o < vec_len(s->threads); o++) vec_push(absent[thread->entry], !thread->many && f->depends[t][o]);
    vec_push(work, thread->entry);
    while (vec_len(work)) {
        unsigned l = vec_pop(work);
        for (size_t k = 0; k < vec_len(thread->locations[l].out); k++) {
            const Transition *tr = &thread->transitions[thread->locations[l].out[k]];
            bool *now = after(s, f, absent[l], tr), **target = &absent[tr->target], changed = !*target;
            for (unsigned o = 0; o < vec_len(now) && *target; o++)
                if ((*target)[o] && !now[o]) (*target)[o] = false, changed = true;
            if (*target) vec_free(now);
            else *target = now;
            if (changed) vec_push(work, tr->target);
        }
    }
    vec_free(work);
    return absent;
}

Parallel parallel_find(const System *s) {
    Parallel p = {0};
    Family f = family_of(s);
    for (unsigned t = 0; t < vec_len(s->threads); t++) {
        bool **absent = flow(s, &f, t), *reached = NULL;
        for (size_t l = 0; l < vec_len(absent); l++) {
            vec_push(reached, absent[l] != NULL);
            if (!absent[l]) vec_resize(absent[l], vec_len(s->threads));
        }
        vec_push(p.reached, reached);
        vec_push(p.absent, absent);
    }
    family_free(&f);
    return p;
}

void parallel_free(Parallel *p) {
    for (size_t t = 0; t < vec_len(p->absent); t++) {
        vec_free_rows(p->absent[t]);
        vec_free(p->reached[t]);
    }
    vec_free(p->absent);
    vec_free(p->reached);
}
