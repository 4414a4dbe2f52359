/* SPDX-License-Identifier: Apache-2.0 */
#include "check/told.h"
#include "base/vec.h"
#include "ir/clocks.h"
#include "ir/wait.h"
#include <string.h>

typedef struct Marking {
    Program *program;
    const Trace *trace;
    size_t step;
    uint32_t bit;
    Access *racing;   /* a vec: of the step before the last, in a race */
    Position *places; /* a vec: of instructions and actions that take part */
    Position error;   /* of an assertion */
    const Object *lost;
    Clocks *clocks; /* of a trace that ends with what nothing orders; else NULL */
} Marking;

static bool same(Position a, Position b) { return a.file && b.file && a.line == b.line && a.column == b.column && !strcmp(a.file, b.file); }

static void find_race(Marking *k, const ReplayStep *s) {
    if (k->step + 1 < vec_len(k->trace->steps)) {
        for (size_t i = 0; i < s->naccesses; i++) vec_push(k->racing, s->accesses[i]);
        return;
    }
    for (size_t x = 0; x < vec_len(k->racing); x++)
        for (size_t i = 0; i < s->naccesses; i++)
            if (accesses_race(&k->racing[x], &s->accesses[i]) && k->racing[x].instr && s->accesses[i].instr) {
                vec_push(k->places, k->racing[x].instr->position);
                vec_push(k->places, s->accesses[i].instr->position);
                return;
            }
}

static void find_unordered(Marking *k, const ReplayStep *s) {
    ClockedAccess first;
    Access second;
    if (!clocks_step(k->clocks, s->thread, s->action, s->accesses, s->naccesses, &first, &second)) return;
    if (!first.access.instr || !second.instr || k->step + 1 < vec_len(k->trace->steps)) return;
    vec_push(k->places, first.access.instr->position);
    vec_push(k->places, second.instr->position);
}

static bool find_waits(void *context, Machine *m, const State *s) {
    Marking *k = context;
    Wait *waits = NULL;
    state_deadlock(m, s, &waits);
    for (size_t i = 0; i < vec_len(waits); i++) vec_push(k->places, waits[i].action->position);
    vec_free(waits);
    return true;
}

static void look(void *context, Machine *m, const ReplayStep *s) {
    Marking *k = context;
    size_t n = vec_len(k->trace->steps);
    if (k->trace->end == TRACE_RACE && k->step + 2 >= n) find_race(k, s);
    if (k->clocks) find_unordered(k, s);
    if (++k->step < n) return;
    switch (k->trace->end) {
    case TRACE_ERROR: k->error = s->template_->locations[s->action->target].position; break;
    case TRACE_FAULT:
        if (s->fault) vec_push(k->places, s->fault->instr ? s->fault->instr->position : s->action->position);
        break;
    case TRACE_DEADLOCK: find_waits(k, m, s->after); break;
    case TRACE_LEAK: state_leak(m, s->after, &k->lost); break;
    case TRACE_ENDLESS:
    case TRACE_FAIR:
    case TRACE_RACE:
    case TRACE_UNORDERED: break;
    }
}

static bool takes_part(const Marking *k, Position p) {
    for (size_t i = 0; i < vec_len(k->places); i++)
        if (same(k->places[i], p)) return true;
    return false;
}

static bool mark_template(const Marking *k, Template *t) {
    bool marked = false;
    for (size_t l = 0; l < vec_len(t->locations); l++)
        if (t->locations[l].kind == LOCATION_ERROR && same(t->locations[l].position, k->error)) {
            t->locations[l].kind = LOCATION_HALT;
            marked = true;
        }
    for (size_t a = 0; a < vec_len(t->actions); a++) {
        if (takes_part(k, t->actions[a].position)) t->actions[a].told |= k->bit, marked = true;
        for (size_t i = 0; i < vec_len(t->actions[a].instrs); i++)
            if (takes_part(k, t->actions[a].instrs[i].position)) t->actions[a].instrs[i].told |= k->bit, marked = true;
    }
    return marked;
}

bool told_mark(Program *p, const Trace *trace, unsigned n) {
    Marking k = {.program = p, .trace = trace, .bit = UINT32_C(1) << n};
    bool marked = false;
    if (trace->end == TRACE_UNORDERED) k.clocks = clocks_new();
    if (vec_len(trace->steps)) replay(p, trace, look, &k, NULL);
    else replay_from_start(p, trace, find_waits, &k);
    for (size_t t = 0; t < vec_len(p->templates); t++) marked |= mark_template(&k, p->templates[t]);
    for (size_t i = 0; i < vec_len(p->objects) && k.lost; i++)
        if (same(p->objects[i]->position, k.lost->position)) p->objects[i]->told = marked = true;
    if (k.clocks) clocks_free(k.clocks);
    vec_free(k.racing);
    vec_free(k.places);
    return marked;
}
