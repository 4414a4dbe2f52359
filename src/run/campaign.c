/* SPDX-License-Identifier: Apache-2.0 */
#include "run/campaign.h"
#include "run/strategy.h"
#include <string.h>

/* ---- the number of different traces ---- */

enum { MOST_ORDERS = 1 << 20 };

/* Returns whether this hash is new. Beyond MOST_ORDERS / 2 of them, it counts none. */
static bool is_new(uint64_t hash) {
    static uint64_t *seen;
    static unsigned n;
    if (!seen) seen = base_memory(MOST_ORDERS * sizeof *seen);
    unsigned i = (unsigned)(hash >> 20) % MOST_ORDERS;
    while (seen[i] && seen[i] != hash) i = (i + 1) % MOST_ORDERS;
    if (seen[i] || n == MOST_ORDERS / 2) return false;
    seen[i] = hash;
    n++;
    return true;
}

/* ---- violations ---- */

/* Returns whether the campaign has it already. It keeps one of each property, or with `all` one of each place. */
static bool is_known(const Campaign *c, const Finding *f) {
    for (unsigned i = 0; i < c->nviolations; i++) {
        const Finding *old = &c->violations[i].finding;
        if (c->config->all ? violation_is_same(old, f) : violation_property(old->outcome) == violation_property(f->outcome)) return true;
    }
    return c->nviolations == MOST_VIOLATIONS;
}

static void add(Campaign *c, const Finding *f, const Run *r) {
    const char *property = violation_property(f->outcome), *wanted = c->config->property;
    if (!property || (*wanted && strcmp(wanted, property)) || is_known(c, f)) return;
    Decision *kept = base_memory((shared->ndecisions + 1) * sizeof *kept);
    memcpy(kept, shared->decisions, shared->ndecisions * sizeof *kept);
    c->violations[c->nviolations++] = (Violation){.finding = *f,
                                                  .run = c->runs,
                                                  .seed = r->seed,
                                                  .hash = shared->hash,
                                                  .reuse = r->reuse,
                                                  .strategy = strategy_select(r->strategy, r->seed)->name,
                                                  .decisions = kept,
                                                  .ndecisions = shared->ndecisions};
}

static void judge(Campaign *c, const Run *r) {
    Outcome end = shared->end.outcome;
    for (unsigned i = 0; i < shared->nraces; i++) add(c, &shared->races[i], r);
    add(c, &shared->end, r);
    if (end == OUTCOME_GOOD || violation_property(end) || c->unfinished++) return;
    c->reason = shared->end;
    c->reason_run = c->runs;
}

static void count(Campaign *c) {
    c->orders += is_new(shared->hash);
    c->all_events += shared->events;
    if (shared->events > c->most_events) c->most_events = shared->events;
    if (shared->threads > c->most_threads) c->most_threads = shared->threads;
    c->all_points += shared->points;
    shared->usual_points = c->all_points / ++c->counted;
}

/* ---- the search ---- */

bool campaign_reuses(uint64_t seed) {
    enum { RARELY = 16 };
    return seed % RARELY == RARELY - 1;
}

void campaign_search(Campaign *c, uint64_t job) {
    const Config *o = c->config;
    uint64_t step = o->jobs * o->shards;
    double start = base_seconds();
    for (uint64_t i = (o->shard - (o->shards > 1)) * o->jobs + job; i < o->runs; i += step) {
        Run r = {.seed = o->seed + i, .strategy = o->strategy};
        r.reuse = campaign_reuses(r.seed);
        c->runs = i + 1;
        run_schedule(c->program, o, &r);
        judge(c, &r);
        count(c);
        c->seconds = base_seconds() - start;
        if (c->seconds > o->timeout || (*o->property && c->nviolations && !o->all)) break;
    }
}
