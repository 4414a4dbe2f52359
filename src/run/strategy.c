/* SPDX-License-Identifier: Apache-2.0 */
/* The strategies:
   - random: each enabled thread is as likely as any other one (random walk)
   - pct: random priorities, of which d-1 change at random points (Burckhardt et al., ASPLOS 2010)
   - pos: each event has a random priority, drawn anew after a conflict (partial order sampling, Yuan et al., CAV 2018)
   - race: a thread pauses before an access until another one is about to conflict with it (Sen, PLDI 2008)
   - mix: one of these, by the seed */
#include "run/strategy.h"
#include "run/random.h"
#include "run/scheduler.h"
#include <string.h>

const Strategy *strategy;

/* ---- random walk ---- */

static Thread *choose_random(Thread *const *enabled, unsigned n) { return enabled[random_below(n)]; }

/* ---- priorities ---- */

enum { MOST_CHANGES = 8, USUAL_LENGTH = 100, MOST_SPINS = 1000 };
static unsigned depth;
static uint64_t changes[MOST_CHANGES], lowest;

/* Gives way to all other threads. */
static void lower(Thread *t) { t->priority = -(double)++lowest; }

static Thread *highest(Thread *const *enabled, unsigned n) {
    Thread *best = enabled[0];
    for (unsigned i = 1; i < n; i++)
        if (enabled[i]->priority > best->priority) best = enabled[i];
    if (best == self && ++self->spins > MOST_SPINS) { /* it may wait for another thread in a loop */
        self->spins = 0;
        lower(self);
    }
    return best;
}

static void start_pct(void) {
    uint64_t length = shared->usual_points ? shared->usual_points : USUAL_LENGTH;
    for (unsigned i = 1; i < depth; i++) changes[i] = 1 + random_next() % length;
}

/* Returns whether other threads should run first. The process ends with exit: what other threads would do then is otherwise not seen. */
static bool gives_way(const Thread *t) {
    return t->event.kind == EVENT_YIELD || t->event.kind == EVENT_SLEEP || t->event.kind == EVENT_EXIT;
}

static void arrived_pct(Thread *t) {
    if (gives_way(t)) lower(t);
}

static void created_pct(Thread *t) { t->priority = 1 + random_unit(); }

static Thread *choose_pct(Thread *const *enabled, unsigned n) {
    for (unsigned i = 1; i < depth; i++)
        if (changes[i] == shared->points) lower(self);
    return highest(enabled, n);
}

static void arrived_pos(Thread *t) {
    if (gives_way(t)) lower(t);
    else t->priority = random_unit();
}

static void created_pos(Thread *t) { t->priority = random_unit(); }

static void happened_pos(const Thread *done) {
    for (unsigned i = 0; i < nthreads; i++)
        if (threads[i] != done && threads[i]->state == THREAD_LIVE && event_conflicts(threads[i], done))
            threads[i]->priority = random_unit();
}

/* ---- race-directed ---- */

static Thread *choose_race(Thread *const *enabled, unsigned n) {
    static Thread *others[MOST_THREADS];
    unsigned n_others = 0;
    if (self->event.kind == EVENT_ACCESS || self->event.kind == EVENT_ATOMIC) {
        for (unsigned i = 0; i < n; i++)
            if (enabled[i] != self && event_conflicts(enabled[i], self)) { /* both are about to access the place */
                enabled[i]->paused = self->paused = false;
                return random_below(2) ? enabled[i] : self;
            }
        if (random_below(2)) self->paused = true;
    }
    for (unsigned i = 0; i < n; i++)
        if (!enabled[i]->paused) others[n_others++] = enabled[i];
    Thread *t = n_others ? others[random_below(n_others)] : enabled[random_below(n)];
    t->paused = false;
    return t;
}

/* ---- the table ---- */

static const Strategy strategies[] = {
    {.name = "random", .choose = choose_random},
    {.name = "pct", .start = start_pct, .created = created_pct, .arrived = arrived_pct, .choose = choose_pct},
    {.name = "pos", .created = created_pos, .arrived = arrived_pos, .choose = highest, .happened = happened_pos},
    {.name = "race", .choose = choose_race},
};
enum { RANDOM, PCT, POS, RACE, NSTRATEGIES };

const Strategy *strategy_select(const char *name, uint64_t seed) {
    static const struct {
        unsigned strategy, depth;
    } mix[] = {{POS, 3}, {RANDOM, 3}, {RACE, 3}, {PCT, 2}, {POS, 3}, {PCT, 3}, {RACE, 3}, {PCT, 4}};
    unsigned turn = (unsigned)(seed % (sizeof mix / sizeof *mix));
    depth = mix[turn].depth;
    if (!strcmp(name, "mix")) return &strategies[mix[turn].strategy];
    for (unsigned i = 0; i < NSTRATEGIES; i++)
        if (!strcmp(name, strategies[i].name)) return &strategies[i];
    return NULL;
}
