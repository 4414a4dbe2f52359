/* SPDX-License-Identifier: Apache-2.0 */
/* A forward data flow for each thread, intersected where ways meet. At the entry of main all others are absent; a thread is present after
   its creation, and so is what it may create in turn; it is absent after it was joined. Other threads know of their own descendants alone. */
#include "transform/parallel.h"
#include "base/vec.h"

/* By thread: who creates it; NONE: nobody. */
static unsigned *find_creators(const System *s) {
    unsigned *creator = NULL;
    for (size_t t = 0; t < vec_len(s->threads); t++) vec_push(creator, NONE);
    for (unsigned t = 0; t < vec_len(s->threads); t++)
        for (size_t i = 0; i < vec_len(s->threads[t].transitions); i++) {
            unsigned created = s->threads[t].transitions[i].creates;
            if (created == NONE) continue;
            unsigned twin = s->threads[created].twin;
            creator[created] = t;
            if (twin != NONE) creator[twin] = t;
        }
    return creator;
}

static bool descends(const unsigned *creator, unsigned thread, unsigned from) {
    for (unsigned c = creator[thread], n = 0; c != NONE && n < vec_len(creator); c = creator[c], n++)
        if (c == from) return true;
    return false;
}

/* What is absent after a transition. */
static bool *after(const System *s, const unsigned *creator, const bool *before, const Transition *tr) {
    bool *now = NULL;
    unsigned twin = tr->creates == NONE ? NONE : s->threads[tr->creates].twin;
    for (unsigned o = 0; o < vec_len(s->threads); o++) {
        bool present = tr->creates != NONE && (o == tr->creates || descends(creator, o, tr->creates));
        present |= twin != NONE && (o == twin || descends(creator, o, twin));
        vec_push(now, before[o] && !present);
    }
    if (tr->joins != NONE && !s->threads[tr->joins].many) now[tr->joins] = true;
    return now;
}

static bool **flow(const System *s, const unsigned *creator, unsigned t) {
    const SystemThread *thread = &s->threads[t];
    bool **absent = NULL;
    unsigned *work = NULL;
    vec_resize(absent, vec_len(thread->locations));
    for (unsigned o = 0; o < vec_len(s->threads); o++) vec_push(absent[thread->entry], !thread->many && descends(creator, o, t));
    vec_push(work, thread->entry);
    while (vec_len(work)) {
        unsigned l = vec_pop(work);
        for (size_t k = 0; k < vec_len(thread->locations[l].out); k++) {
            const Transition *tr = &thread->transitions[thread->locations[l].out[k]];
            bool *now = after(s, creator, absent[l], tr), **target = &absent[tr->target], changed = !*target;
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
    unsigned *creator = find_creators(s);
    for (unsigned t = 0; t < vec_len(s->threads); t++) {
        bool **absent = flow(s, creator, t), *reached = NULL;
        for (size_t l = 0; l < vec_len(absent); l++) {
            vec_push(reached, absent[l] != NULL);
            if (!absent[l]) vec_resize(absent[l], vec_len(s->threads));
        }
        vec_push(p.reached, reached);
        vec_push(p.absent, absent);
    }
    vec_free(creator);
    return p;
}

void parallel_free(Parallel *p) {
    for (size_t t = 0; t < vec_len(p->absent); t++) {
        for (size_t l = 0; l < vec_len(p->absent[t]); l++) vec_free(p->absent[t][l]);
        vec_free(p->absent[t]);
        vec_free(p->reached[t]);
    }
    vec_free(p->absent);
    vec_free(p->reached);
}
