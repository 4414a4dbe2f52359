/* SPDX-License-Identifier: Apache-2.0 */
/* Applies delta debugging (Zeller and Hildebrandt, TSE 2002) to the decisions. Parts of the list are left out. Where a decision does not fit
   any more, the run continues by defaults. A run that still has the violation replaces the schedule if it has fewer switches. */
#include "run/minimise.h"
#include <string.h>

enum { MOST_TRIES = 2000, MORE_EVENTS = 10000 };
static const double MOST_SECONDS = 3;

bool minimise_found(const Finding *wanted, Finding *finding) {
    for (unsigned i = 0; i < shared->nraces && wanted->outcome == OUTCOME_RACE; i++)
        if (violation_is_same(&shared->races[i], wanted)) {
            *finding = shared->races[i];
            return true;
        }
    *finding = shared->end;
    return violation_is_same(&shared->end, wanted);
}

typedef struct Minimiser {
    const Program *program;
    const Config *config;
    Violation *v;
    Decision *best, *tried; /* lists of the same size */
    uint64_t n;
    unsigned tries;
    double start;
} Minimiser;

static bool is_over(const Minimiser *m) { return m->tries >= MOST_TRIES || base_seconds() - m->start > MOST_SECONDS; }

static void take(Minimiser *m, const Finding *f) {
    m->n = shared->ndecisions;
    memcpy(m->best, shared->decisions, m->n * sizeof *m->best);
    m->v->finding = *f;
    m->v->hash = shared->hash;
}

/* Tries the schedule without the decisions from `from` to `to`. */
static bool without(Minimiser *m, uint64_t from, uint64_t to) {
    Finding f;
    uint64_t n = m->n - (to - from);
    memcpy(m->tried, m->best, from * sizeof *m->tried);
    memcpy(m->tried + from, m->best + to, (m->n - to) * sizeof *m->tried);
    Run r = {.seed = m->v->seed, .strategy = m->v->strategy, .decisions = m->tried, .ndecisions = n, .reuse = m->v->reuse};
    r.until = m->v->finding.outcome == OUTCOME_RACE ? &m->v->finding : NULL;
    r.events = 2 * m->v->finding.event + MORE_EVENTS;
    m->tries++;
    run_schedule(m->program, m->config, &r);
    if (!minimise_found(&m->v->finding, &f) || shared->ndecisions > n) return false;
    take(m, &f);
    return true;
}

/* Leaves out parts of this size, the last ones first: they are the least likely to matter. Returns whether one could be left out. */
static bool without_parts(Minimiser *m, uint64_t size) {
    bool any = false;
    for (uint64_t to = m->n; to && !is_over(m);) {
        uint64_t from = to > size ? to - size : 0;
        bool shorter = without(m, from, to);
        any |= shorter;
        to = shorter && from > m->n ? m->n : from;
    }
    return any;
}

void minimise(const Program *p, const Config *c, Violation *v) {
    size_t room = (v->ndecisions + 1) * sizeof(Decision);
    Minimiser m = {.program = p, .config = c, .v = v, .best = base_memory(room), .tried = base_memory(room), .n = v->ndecisions};
    m.start = base_seconds();
    memcpy(m.best, v->decisions, v->ndecisions * sizeof(Decision));
    for (uint64_t size = (m.n + 1) / 2; size && !is_over(&m);) {
        bool any = without_parts(&m, size < m.n ? size : m.n);
        size = any && size == 1 ? 1 : size / 2;
    }
    v->decisions = m.best;
    v->ndecisions = m.n;
}
