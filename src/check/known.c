/* SPDX-License-Identifier: Apache-2.0 */
#include "check/known.h"
#include "ir/clocks.h"
#include "ir/wait.h"
#include <string.h>

typedef struct Search {
    const Trace *trace;
    size_t step;
    Access *racing; /* a vec: in a race, the accesses of the step before the last */
    KnownViolation found;
    Clocks *clocks; /* for a trace that ends with unordered accesses; otherwise NULL */
} Search;

static void find_race(Search *k, const ReplayStep *s) {
    if (k->step + 1 < vec_len(k->trace->steps)) {
        for (size_t i = 0; i < s->naccesses; i++) vec_push(k->racing, s->accesses[i]);
        return;
    }
    for (size_t x = 0; x < vec_len(k->racing); x++)
        for (size_t i = 0; i < s->naccesses; i++)
            if (accesses_race(&k->racing[x], &s->accesses[i]) && k->racing[x].instr && s->accesses[i].instr) {
                vec_push(k->found.places, k->racing[x].instr->position);
                vec_push(k->found.places, s->accesses[i].instr->position);
                return;
            }
}

static void find_unordered(Search *k, const ReplayStep *s) {
    ClockedAccess first;
    Access second;
    if (!clocks_step(k->clocks, s->thread, s->action, s->accesses, s->naccesses, &first, &second)) return;
    if (!first.access.instr || !second.instr || k->step + 1 < vec_len(k->trace->steps)) return;
    vec_push(k->found.places, first.access.instr->position);
    vec_push(k->found.places, second.instr->position);
}

static bool find_waits(void *context, Machine *m, const State *s) {
    Search *k = context;
    Wait *waits = NULL;
    state_deadlock(m, s, &waits);
    for (size_t i = 0; i < vec_len(waits); i++) vec_push(k->found.places, waits[i].action->position);
    vec_free(waits);
    return true;
}

static void visit_step(void *context, Machine *m, const ReplayStep *s) {
    Search *k = context;
    size_t n = vec_len(k->trace->steps);
    if (k->trace->end == TRACE_RACE && k->step + 2 >= n) find_race(k, s);
    if (k->clocks) find_unordered(k, s);
    if (++k->step < n) return;
    switch (k->trace->end) {
    case TRACE_ERROR: k->found.error = s->template_->locations[s->action->target].position; break;
    case TRACE_FAULT:
        if (s->fault) vec_push(k->found.places, s->fault->instr ? s->fault->instr->position : s->action->position);
        break;
    case TRACE_DEADLOCK: find_waits(k, m, s->after); break;
    case TRACE_LEAK: {
        const Object *lost;
        if (state_leak(m, s->after, &lost)) k->found.lost = lost->position;
        break;
    }
    case TRACE_ENDLESS:
    case TRACE_FAIR:
    case TRACE_RACE:
    case TRACE_UNORDERED: break;
    }
}

static bool same(Position a, Position b) {
    return (!a.file && !b.file) || (a.file && b.file && a.line == b.line && a.column == b.column && !strcmp(a.file, b.file));
}

static bool is_known(const Known *known, const KnownViolation *v) {
    vec_each_at(const KnownViolation, x, known->list) {
        bool equal = same(x->error, v->error) && same(x->lost, v->lost) && vec_len(x->places) == vec_len(v->places);
        for (size_t k = 0; k < vec_len(v->places) && equal; k++) equal = same(x->places[k], v->places[k]);
        if (equal) return true;
    }
    return false;
}

static void keep_name(Known *known, Position *p) {
    if (p->file) p->file = arena_printf(known->arena, "%s", p->file);
}

static void keep_names(Known *known, KnownViolation *v) {
    if (!known->arena) known->arena = arena_new();
    for (size_t i = 0; i < vec_len(v->places); i++) keep_name(known, &v->places[i]);
    keep_name(known, &v->error);
    keep_name(known, &v->lost);
}

static bool has_place(const KnownViolation *v) {
    bool found = v->error.file || v->lost.file;
    for (size_t i = 0; i < vec_len(v->places); i++) found |= v->places[i].file != NULL;
    return found;
}

bool known_add(Known *known, const Program *p, const Question *q, const Trace *trace) {
    ensure(known_valid(known) && trace_valid(trace));
    Search k = {.trace = trace};
    if (vec_len(known->list) == MOST_KNOWN) return false;
    if (trace->end == TRACE_UNORDERED) k.clocks = clocks_new();
    if (vec_len(trace->steps)) replay(p, q, trace, visit_step, &k, NULL);
    else replay_from_start(p, q, trace, find_waits, &k);
    bool again = is_known(known, &k.found);
    if (again) vec_free(k.found.places);
    else keep_names(known, &k.found), vec_push(known->list, k.found);
    if (k.clocks) clocks_free(k.clocks);
    vec_free(k.racing);
    return !again && has_place(&vec_last(known->list));
}
