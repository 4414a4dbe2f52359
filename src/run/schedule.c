/* SPDX-License-Identifier: Apache-2.0 */
#include "run/schedule.h"
#include "run/scheduler.h"

static const Decision *next, *end;
static bool follows, strict;

void schedule_follow(const Decision *d, uint64_t n, bool is_strict) {
    next = d;
    end = d + n;
    follows = true;
    strict = is_strict;
}

bool schedule_follows(void) { return follows; }

/* Skips decisions of the calling thread for places that it has left behind: another order of events led around them. */
static void skip(void) {
    while (!strict && next < end && next->thread == self->id && next->steps < self->steps) next++;
}

bool schedule_is_due(void) {
    if (!follows) return false;
    skip();
    return next < end && next->thread == self->id && next->steps == self->steps;
}

bool schedule_take(DecisionKind kind, unsigned *value) {
    if (!schedule_is_due() || next->kind != kind) return false;
    *value = next->value;
    next++;
    return true;
}

void schedule_record(DecisionKind kind, unsigned value) {
    if (shared->ndecisions == MOST_DECISIONS) scheduler_end(OUTCOME_LIMIT, 0, "the schedule has more than %d switches", MOST_DECISIONS);
    shared->decisions[shared->ndecisions++] =
        (Decision){.steps = self->steps, .thread = self->id, .kind = (unsigned short)kind, .value = (unsigned short)value};
}

static Thread *among(Thread *const *enabled, unsigned n, unsigned id) {
    for (unsigned i = 0; i < n; i++)
        if (enabled[i]->id == id) return enabled[i];
    return NULL;
}

static bool gives_way(const Thread *t) { return t->event.kind == EVENT_YIELD || t->event.kind == EVENT_SLEEP; }

Thread *schedule_default(Thread *const *enabled, unsigned n) {
    Thread *same = among(enabled, n, self->id);
    if (same && self->state == THREAD_LIVE && !gives_way(self)) return same;
    for (unsigned i = 0; i < n; i++)
        if (enabled[i]->id > self->id) return enabled[i];
    return enabled[0];
}

Thread *schedule_choose(Thread *const *enabled, unsigned n) {
    unsigned id;
    bool recorded = schedule_take(DECISION_SWITCH, &id);
    Thread *t = recorded ? among(enabled, n, id) : NULL;
    if (t) return t;
    if (recorded && strict) scheduler_end(OUTCOME_DIVERGED, 0, "thread %u cannot go on after %lu events", id, (unsigned long)self->steps);
    t = schedule_default(enabled, n);
    if (strict || t == self || next == end) return t;
    Thread *wanted = among(enabled, n, next->thread); /* back to the recorded order */
    return wanted && wanted != self ? wanted : t;
}
