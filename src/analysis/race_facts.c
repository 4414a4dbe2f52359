/* SPDX-License-Identifier: Apache-2.0 */
/* Computes the facts of a proof that accesses do not race, by a forward data flow through each thread. The flow begins with all facts. */
#include "analysis/race_model.h"
#include <string.h>

typedef struct Flow {
    RaceProof *proof;
    RaceFamily family;
    unsigned index, width;
    RaceThread *thread;
    uint64_t *now;  /* the facts at the present point of a step */
    unsigned **out; /* by location: a vec of its steps */
} Flow;

static bool has(const Flow *f, unsigned fact) { return race_bit(f->now, fact); }
static void put(Flow *f, unsigned fact, bool to) { race_set(f->now, fact, to); }

/* Updates the conditions "the lock is held if the flag is zero" of a flag that gets a value. Such a condition holds if the value is not
   zero, or if the thread holds the lock anyway. It also holds if the value is the result of an attempt to lock this lock, or a copy of a
   flag with this condition. The argument `tried` is the lock of the attempt, and `copied` the copied flag; otherwise they are RACE_NONE. */
static void set_flag(Flow *f, unsigned flag, unsigned tried, unsigned copied, bool nonzero) {
    const RaceThread *t = f->thread;
    uint64_t *before = NULL;
    vec_resize(before, f->width);
    memcpy(before, f->now, f->width * sizeof *before);
    for (unsigned c = 0; c < vec_len(t->conditions); c++) {
        if (t->conditions[c].flag != flag) continue;
        unsigned lock = t->conditions[c].lock;
        bool holds = nonzero || lock == tried || has(f, race_fact_lock(lock));
        for (unsigned d = 0; d < vec_len(t->conditions) && copied != RACE_NONE; d++)
            if (t->conditions[d].flag == copied && t->conditions[d].lock == lock) holds |= race_bit(before, race_fact_condition(t, d));
        put(f, race_fact_condition(t, c), holds);
    }
    vec_free(before);
}

static void remove_lock(Flow *f, unsigned lock) {
    if (lock == RACE_NONE) return;
    put(f, race_fact_lock(lock), false);
    for (unsigned c = 0; c < vec_len(f->thread->conditions); c++)
        if (f->thread->conditions[c].lock == lock) put(f, race_fact_condition(f->thread, c), false);
}

static void add_lock(Flow *f, unsigned lock) {
    put(f, race_fact_lock(lock), true);
    for (unsigned c = 0; c < vec_len(f->thread->conditions); c++)
        if (f->thread->conditions[c].lock == lock) put(f, race_fact_condition(f->thread, c), true);
}

static void apply(Flow *f, const RaceStep *s, unsigned event) {
    const RaceThread *t = f->thread;
    const RaceEvent *e = &s->events[event];
    switch (e->op) {
    case RACE_ACQUIRE: add_lock(f, e->a); return;
    case RACE_RELEASE: remove_lock(f, e->a); return;
    case RACE_LOSE:
        if (!race_hides(f->proof, f->index, s, event, e->b)) remove_lock(f, e->a);
        return;
    case RACE_TRY: set_flag(f, e->b, e->a, RACE_NONE, false); return;
    case RACE_NONZERO: set_flag(f, e->b, RACE_NONE, RACE_NONE, true); return;
    case RACE_COPY: set_flag(f, e->b, RACE_NONE, e->a, false); return;
    case RACE_FORGET: set_flag(f, e->b, RACE_NONE, RACE_NONE, false); return;
    case RACE_ZERO:
        for (unsigned c = 0; c < vec_len(t->conditions); c++)
            if (t->conditions[c].flag == e->b && has(f, race_fact_condition(t, c))) add_lock(f, t->conditions[c].lock);
        return;
    case RACE_CREATE:
        for (unsigned u = 0; u < vec_len(f->proof->threads); u++)
            if (u == e->a || f->family.descends[e->a][u]) put(f, race_fact_absent(t, u), false);
        return;
    case RACE_JOIN:
        put(f, race_fact_absent(t, e->a), !f->proof->threads[e->a].many);
        for (unsigned u = 0; u < vec_len(f->proof->threads); u++)
            if (race_parts_absent(f->proof, f->index, u, f->now)) put(f, race_fact_absent(t, u), true);
        return;
    default: return; /* it changes no fact */
    }
}

static void begin(Flow *f) {
    uint64_t *entry = race_row(f->proof, f->index, f->thread->entry);
    memset(f->thread->facts, 0xff, vec_len(f->thread->facts) * sizeof *f->thread->facts);
    memset(entry, 0, f->width * sizeof *entry);
    for (unsigned u = 0; u < vec_len(f->proof->threads); u++)
        race_set(entry, race_fact_absent(f->thread, u), f->index == 0 ? u != 0 : f->family.depends[f->index][u]);
}

static void flow(Flow *f) {
    unsigned *work = NULL;
    bool *reached = NULL;
    vec_resize(reached, f->thread->locations);
    vec_push(work, f->thread->entry);
    reached[f->thread->entry] = true;
    while (vec_len(work)) {
        unsigned l = vec_pop(work);
        for (size_t k = 0; k < vec_len(f->out[l]); k++) {
            const RaceStep *s = &f->thread->steps[f->out[l][k]];
            uint64_t *to = race_row(f->proof, f->index, s->target);
            bool changed = !reached[s->target];
            memcpy(f->now, race_row(f->proof, f->index, l), f->width * sizeof *f->now);
            for (unsigned e = 0; e < vec_len(s->events); e++) apply(f, s, e);
            for (unsigned w = 0; w < f->width; w++) {
                changed |= (to[w] & ~f->now[w]) != 0;
                to[w] &= f->now[w];
            }
            reached[s->target] = true;
            if (changed) vec_push(work, s->target);
        }
    }
    vec_free(work);
    vec_free(reached);
}

void race_find_facts(RaceProof *p) {
    Flow f = {.proof = p, .family = race_family(p)};
    for (f.index = 0; f.index < vec_len(p->threads); f.index++) {
        f.thread = &p->threads[f.index];
        f.width = race_width(p, f.index);
        f.now = NULL;
        f.out = NULL;
        vec_resize(f.thread->facts, (size_t)f.width * f.thread->locations);
        vec_resize(f.now, f.width);
        vec_resize(f.out, f.thread->locations);
        for (unsigned s = 0; s < vec_len(f.thread->steps); s++) vec_push(f.out[f.thread->steps[s].source], s);
        begin(&f);
        flow(&f);
        vec_free_rows(f.out);
        vec_free(f.now);
    }
    race_family_free(&f.family);
}
