/* SPDX-License-Identifier: Apache-2.0 */
#include "result/race_proof.h"
#include <stdlib.h>
#include <string.h>

RaceProof *race_proof_new(void) {
    RaceProof *p = zeroed(1, sizeof *p);
    return p;
}

static bool thread_valid(const RaceProof *p, const RaceThread *t) {
    if (t->entry >= t->locations) return false;
    for (size_t i = 0; i < vec_len(t->steps); i++)
        if (t->steps[i].source >= t->locations || t->steps[i].target >= t->locations) return false;
    for (size_t i = 0; i < vec_len(t->conditions); i++)
        if (t->conditions[i].lock >= vec_len(t->locks)) return false;
    for (size_t i = 0; i < vec_len(t->parts); i++)
        if (t->parts[i] >= vec_len(p->threads)) return false;
    for (size_t i = 0; i < vec_len(t->steps); i++)
        if (!holders_valid(&t->holders, t->steps[i].events, vec_len(t->steps[i].events))) return false;
    if (vec_len(t->sites) != t->holders.sites) return false;
    for (size_t i = 0; i < vec_len(t->sites); i++)
        if (t->sites[i] >= vec_len(p->published_relaxed)) return false;
    return t->many || !vec_len(t->parts);
}

bool race_proof_valid(const RaceProof *p) {
    for (size_t t = 0; t < vec_len(p->threads); t++)
        if (!thread_valid(p, &p->threads[t])) return false;
    vec_each_at(const RaceAccess, a, p->accesses) {
        if (a->thread >= vec_len(p->threads) || a->step >= vec_len(p->threads[a->thread].steps)) return false;
        if (a->holder != RACE_NONE && a->holder >= p->threads[a->thread].holders.variables) return false;
        if (a->allocates && vec_len(a->bytes) != 1) return false;
        if (a->before > vec_len(p->threads[a->thread].steps[a->step].events)) return false;
        for (size_t g = 0; g < vec_len(a->guards); g++)
            if (a->guards[g].lock >= vec_len(p->threads[a->thread].locks)) return false;
    }
    return true;
}

static void free_thread(RaceThread *t) {
    for (size_t s = 0; s < vec_len(t->steps); s++) vec_free(t->steps[s].events);
    vec_free(t->steps);
    vec_free(t->locks);
    vec_free(t->parts);
    vec_free(t->conditions);
    vec_free(t->holders.rows);
    vec_free(t->sites);
    vec_free(t->facts);
}

void race_proof_free(RaceProof *p) {
    if (!p) return;
    for (size_t t = 0; t < vec_len(p->threads); t++) free_thread(&p->threads[t]);
    for (size_t i = 0; i < vec_len(p->accesses); i++) {
        vec_free(p->accesses[i].bytes);
        vec_free(p->accesses[i].guards);
    }
    vec_free_rows(p->sets);
    vec_free(p->threads);
    vec_free(p->accesses);
    vec_free(p->classes);
    vec_free(p->regions);
    vec_free(p->published_relaxed);
    free(p);
}

/* ---- facts by number ---- */

unsigned race_facts(const RaceProof *p, unsigned thread) {
    ensure(thread < vec_len(p->threads));
    const RaceThread *t = &p->threads[thread];
    return (unsigned)(vec_len(t->locks) + vec_len(t->conditions) + vec_len(p->threads));
}

unsigned race_width(const RaceProof *p, unsigned thread) { return (race_facts(p, thread) + 63) / 64; }
unsigned race_fact_lock(unsigned lock) { return lock; }
unsigned race_fact_condition(const RaceThread *t, unsigned condition) { return (unsigned)vec_len(t->locks) + condition; }
unsigned race_fact_absent(const RaceThread *t, unsigned thread) { return (unsigned)(vec_len(t->locks) + vec_len(t->conditions)) + thread; }

uint64_t *race_row(const RaceProof *p, unsigned thread, unsigned location) {
    ensure(thread < vec_len(p->threads) && location < p->threads[thread].locations);
    return &p->threads[thread].facts[(size_t)location * race_width(p, thread)];
}

/* ---- objects that nobody else knows ---- */

bool race_hides(const RaceProof *p, unsigned thread, const RaceStep *s, unsigned events, unsigned holder) {
    ensure(thread < vec_len(p->threads) && events <= vec_len(s->events));
    const RaceThread *t = &p->threads[thread];
    if (holder == RACE_NONE || !vec_len(t->holders.rows)) return false;
    uint16_t *row = NULL;
    vec_resize(row, holders_width(&t->holders));
    memcpy(row, holders_row(&t->holders, s->source), vec_len(row) * sizeof *row);
    for (unsigned e = 0; e < events; e++) holders_apply(&t->holders, row, &s->events[e]);
    unsigned site = holders_points(&t->holders, row, holder);
    vec_free(row);
    return site != RACE_NONE && !p->published_relaxed[t->sites[site]];
}

bool race_is_early(const RaceProof *p, const RaceAccess *a) {
    if (a->allocates) return !p->published_relaxed[a->bytes[0].region];
    return race_hides(p, a->thread, &p->threads[a->thread].steps[a->step], a->before, a->holder);
}

/* ---- families ---- */

static bool **find_created(const RaceProof *p) {
    bool **created = NULL;
    for (size_t t = 0; t < vec_len(p->threads); t++) {
        bool *by = NULL;
        vec_resize(by, vec_len(p->threads));
        for (size_t s = 0; s < vec_len(p->threads[t].steps); s++) {
            const RaceEvent *events = p->threads[t].steps[s].events;
            for (size_t e = 0; e < vec_len(events); e++)
                if (events[e].op == RACE_CREATE) by[events[e].a] = true;
        }
        vec_push(created, by);
    }
    return created;
}

/* Returns the threads that `from` may create, directly or by threads that it creates, if the thread `without` creates no thread; RACE_NONE: no
   restriction. */
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

RaceFamily race_family(const RaceProof *p) {
    RaceFamily f = {0};
    bool **created = find_created(p);
    for (unsigned t = 0; t < vec_len(p->threads); t++) {
        bool *others = find_descendants(created, 0, t), *depends = NULL;
        for (unsigned o = 0; o < vec_len(p->threads); o++) vec_push(depends, !p->threads[t].many && o != t && o != 0 && !others[o]);
        vec_push(f.descends, find_descendants(created, t, RACE_NONE));
        vec_push(f.depends, depends);
        vec_free(others);
    }
    vec_free_rows(created);
    return f;
}

void race_family_free(RaceFamily *f) {
    for (size_t t = 0; t < vec_len(f->descends); t++) {
        vec_free(f->descends[t]);
        vec_free(f->depends[t]);
    }
    vec_free(f->descends);
    vec_free(f->depends);
}

/* ---- facts after some events of a step ---- */

typedef struct Past {
    const RaceProof *proof;
    unsigned index; /* of the thread */
    const RaceFamily *family;
    const RaceThread *thread;
    const RaceStep *step;
    const uint64_t *row; /* the facts at the step's source */
} Past;

static bool holds_condition(const Past *p, unsigned events, unsigned flag, unsigned lock);

/* Returns whether event number `events` of the step ends a fact about the lock. */
static bool ends_lock(const Past *p, unsigned events, unsigned lock) {
    const RaceEvent *e = &p->step->events[events];
    if (e->a != lock) return false;
    return e->op == RACE_RELEASE || (e->op == RACE_LOSE && !race_hides(p->proof, p->index, p->step, events, e->b));
}

static bool holds_lock(const Past *p, unsigned events, unsigned lock) {
    while (events-- > 0) {
        const RaceEvent *e = &p->step->events[events];
        if (ends_lock(p, events, lock)) return false;
        if (e->op == RACE_ACQUIRE && e->a == lock) return true;
        if (e->op == RACE_ZERO && holds_condition(p, events, e->b, lock)) return true;
    }
    return race_bit(p->row, race_fact_lock(lock));
}

static bool holds_condition(const Past *p, unsigned events, unsigned flag, unsigned lock) {
    unsigned all = events;
    while (events-- > 0) {
        const RaceEvent *e = &p->step->events[events];
        if (ends_lock(p, events, lock)) return holds_lock(p, all, lock);
        if (e->b != flag) continue;
        if (e->op == RACE_NONZERO) return true;
        if (e->op == RACE_TRY) return e->a == lock || holds_lock(p, all, lock);
        if (e->op == RACE_COPY) return holds_condition(p, events, e->a, lock) || holds_lock(p, all, lock);
        if (e->op == RACE_FORGET) return holds_lock(p, all, lock);
    }
    const RaceThread *t = p->thread;
    for (unsigned c = 0; c < vec_len(t->conditions); c++)
        if (t->conditions[c].flag == flag && t->conditions[c].lock == lock && race_bit(p->row, race_fact_condition(t, c))) return true;
    return holds_lock(p, all, lock);
}

bool race_parts_absent(const RaceProof *p, unsigned thread, unsigned many, const uint64_t *row) {
    ensure(thread < vec_len(p->threads) && many < vec_len(p->threads));
    const RaceThread *t = &p->threads[thread], *m = &p->threads[many];
    for (size_t i = 0; i < vec_len(m->parts); i++)
        if (!race_bit(row, race_fact_absent(t, m->parts[i]))) return false;
    return vec_len(m->parts) > 0;
}

static bool holds_absent(const Past *p, unsigned events, unsigned other);

/* True if all parts of the thread `many` are absent: each of its CREATEs creates a part. */
static bool parts_are_absent(const Past *p, unsigned events, unsigned many) {
    const unsigned *parts = p->proof->threads[many].parts;
    for (size_t i = 0; i < vec_len(parts); i++)
        if (!holds_absent(p, events, parts[i])) return false;
    return vec_len(parts) > 0;
}

static bool holds_absent(const Past *p, unsigned events, unsigned other) {
    if (vec_len(p->proof->threads[other].parts) && parts_are_absent(p, events, other)) return true;
    while (events-- > 0) {
        const RaceEvent *e = &p->step->events[events];
        if (e->op == RACE_CREATE && (e->a == other || p->family->descends[e->a][other])) return false;
        if (e->op == RACE_JOIN && e->a == other) return !p->proof->threads[other].many;
    }
    return race_bit(p->row, race_fact_absent(p->thread, other));
}

bool race_holds(const RaceProof *proof, const RaceFamily *family, unsigned thread, const RaceStep *step, unsigned events, unsigned fact) {
    ensure(events <= vec_len(step->events) && fact < race_facts(proof, thread));
    const RaceThread *t = &proof->threads[thread];
    Past p = {proof, thread, family, t, step, race_row(proof, thread, step->source)};
    size_t locks = vec_len(t->locks), conditions = vec_len(t->conditions);
    if (fact < locks) return holds_lock(&p, events, fact);
    fact -= (unsigned)locks;
    if (fact < conditions) return holds_condition(&p, events, t->conditions[fact].flag, t->conditions[fact].lock);
    return holds_absent(&p, events, fact - (unsigned)conditions);
}
