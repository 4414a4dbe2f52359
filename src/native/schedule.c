/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the schedule of a native run. The replay reports every access of every step. Accesses that other threads can see become turns.
   Each instruction of the IR has the number of the LLVM instruction that it came from. The accesses of one LLVM instruction within one
   step are one turn. Its accesses in later steps are pieces of that turn. */
#include "native/schedule.h"
#include "base/map.h"
#include "check/replay.h"
#include "ir/wait.h"

typedef struct Watcher {
    const Program *program;
    const Trace *trace;
    NativeRun *run;
    size_t step;
    Map *last;        /* thread → its last turn + 1 */
    Map *undefined;   /* variable and thread → its entry in run->variables + 1 */
    Map *rooms;       /* place → the most bytes ever allocated there */
    size_t first;     /* of a race: the step with which the last step races */
    Access pair[2];   /* of accesses that happens-before does not order: the two */
    Access *accesses; /* a vec: the accesses of that step … */
    size_t *turns;    /* … and for each access its turn + 1, or 0 */
    uint64_t lowest;  /* the lowest number that is an address */
} Watcher;

/* ---- points ---- */

static bool is_implied(Position p) {
    for (; p.in; p = p.in->from)
        if (p.in->uncalled) return true;
    return false;
}

static NativePoint point_at(Position p) {
    bool known = p.in && !is_implied(p);
    return (NativePoint){.origin = known ? p.origin : 0, .context = known ? p.in->context : 0};
}

/* Returns the point of the position. Models that the program does not call itself have the point of the call around them. */
static NativePoint point_of_call(Position p) {
    while (is_implied(p)) p = p.in->from;
    return point_at(p);
}

static bool same_point(NativePoint a, NativePoint b) { return a.origin == b.origin && a.context == b.context; }

/* ---- the value of a turn ---- */

static unsigned bytes_of(const Access *a) {
    const Sort *sort = a->variable ? a->variable->sort : NULL;
    if (!a->variable) return (unsigned)a->size;
    return sort->kind == SORT_BV ? (sort->width + 7) / 8 : sort->kind == SORT_BOOL ? 1 : 0;
}

static bool has_value(const Access *a) {
    InstrKind kind = a->instr ? a->instr->kind : INSTR_ASSUME;
    return (a->kind == ACCESS_READ || a->kind == ACCESS_WRITE) && !a->undefined &&
           (kind == INSTR_ASSIGN || kind == INSTR_LOAD || kind == INSTR_STORE) && bytes_of(a) <= 16;
}

static void add_access(const Watcher *w, NativeTurn *t, const Access *a) {
    unsigned pointer = w->program->pointer_width / 8;
    if (a->kind == ACCESS_READ) t->reads += bytes_of(a);
    if (a->kind == ACCESS_WRITE) t->written += bytes_of(a);
    if (a->kind == ACCESS_ALLOC) {
        uint64_t room = 0;
        map_get(w->rooms, a->address, &room);
        if (a->size > room) map_put(w->rooms, a->address, a->size);
        t->place = a->address;
    }
    if (!has_value(a)) return;
    if (t->overrides_memory) { /* a read-modify-write */
        t->valued = false;
        return;
    }
    t->valued = true;
    t->overrides_memory = w->program->memory != MEMORY_SC && a->kind == ACCESS_READ;
    t->initialises |= a->chosen && a->kind == ACCESS_READ;
    t->size = bytes_of(a);
    t->value = a->value.bits;
    for (unsigned at = 0; at + pointer <= t->size; at += pointer) {
        u128 word = t->value >> 8 * at;
        t->address |= (pointer == 8 ? (uint64_t)word : (uint32_t)word) >= w->lowest;
    }
}

/* ---- turns ---- */

static bool is_seen(const Access *a) {
    if (a->object && a->object->stack && (a->kind == ACCESS_ALLOC || a->kind == ACCESS_FREE)) return false;
    return (a->kind != ACCESS_READ && a->kind != ACCESS_WRITE) || a->shared || (a->chosen && !a->variable);
}

static bool races(const Watcher *w) { return w->trace->end == TRACE_RACE || w->trace->end == TRACE_UNORDERED; }

/* Returns the number of the access's turn + 1, or 0 if it has no turn. */
static size_t add_turn(Watcher *w, unsigned thread, const Access *a) {
    Position p = a->instr ? a->instr->position : (Position){0};
    bool race = races(w) && (w->step == w->first || w->step + 1 == vec_len(w->trace->steps));
    NativePoint point = race ? point_of_call(p) : point_at(p);
    uint64_t last = 0;
    if (!point.origin || !is_seen(a)) return 0;
    map_get(w->last, thread, &last);
    NativeTurn *before = last ? &w->run->turns[last - 1] : NULL;
    bool again = before && same_point(before->point, point) && before->step == w->step && before->instr == a->instr;
    bool more = before && same_point(before->point, point) && p.sequence > before->part;
    if ((again || more) && before->step == w->step) {
        before->part = p.sequence;
        before->instr = a->instr;
        add_access(w, before, a);
        return (size_t)last;
    }
    NativeTurn t = {.thread = thread, .point = point, .part = p.sequence, .instr = a->instr, .step = w->step, .continues = more};
    t.first = more ? before->first : vec_len(w->run->turns);
    if (more) {
        t.read_at = before->read_at + before->reads;
        t.write_at = before->write_at + before->written;
        w->run->turns[t.first].parts = t.parts = before->parts = true;
    }
    add_access(w, &t, a);
    vec_push(w->run->turns, t);
    map_put(w->last, thread, vec_len(w->run->turns));
    return vec_len(w->run->turns);
}

/* ---- inputs ---- */

static uint64_t variable_key(const Variable *v, unsigned thread) { return hash_word(map_key(v)) + thread; }

static void note_undefined(Watcher *w, const ReplayStep *s) {
    for (size_t i = 0; !s->flush && i < vec_len(s->action->instrs); i++) {
        const Instr *instr = &s->action->instrs[i];
        if (instr->kind != INSTR_HAVOC || !instr->undefined) continue;
        NativeInput in = {.thread = s->thread, .point = point_at(instr->position), .step = w->step};
        vec_push(w->run->variables, in);
        map_put(w->undefined, variable_key(instr->target, s->thread), vec_len(w->run->variables));
    }
}

/* Records an access that is an input. Returns false for other accesses. */
static bool note_input(Watcher *w, unsigned thread, const Access *a) {
    uint64_t known;
    if (a->kind != ACCESS_WRITE) return false;
    if (a->chosen && a->variable && !a->variable->global) {
        if (map_get(w->undefined, variable_key(a->variable, thread), &known)) w->run->variables[known - 1].value = (uint64_t)a->value.bits;
        return true;
    }
    if (!a->instr || a->instr->kind != INSTR_HAVOC || a->instr->undefined) return false;
    NativeInput in = {.thread = thread, .point = point_at(a->instr->position), .step = w->step, .value = (uint64_t)a->value.bits};
    if (in.point.origin || (a->instr->position.in && thread == 1)) vec_push(w->run->inputs, in);
    return true;
}

/* ---- ends ---- */

static void note_end(Watcher *w, Machine *m, const ReplayStep *s) {
    NativeRun *r = w->run;
    TraceEnd end = w->trace->end;
    r->threads = state_threads(s->after);
    vec_resize(r->fates, r->threads + 1);
    for (unsigned t = 1; t <= r->threads; t++) {
        bool waits = end == TRACE_DEADLOCK && w->step + 1 == vec_len(w->trace->steps) && !state_can_move(m, s->after, t);
        r->fates[t] = state_ended(m, s->after, t) ? NATIVE_ENDS : waits ? NATIVE_WAITS : NATIVE_SOMEWHERE;
    }
    bool alone = TRACE_LOOPS(end) && r->loop == vec_len(r->turns); /* the loop has no turns */
    r->thread = end == TRACE_ERROR || end == TRACE_FAULT || end == TRACE_LEAK || alone ? s->thread : 0;
    if (s->fault) r->point = point_of_call(s->fault->instr ? s->fault->instr->position : s->action->position);
}

static bool same_access(const Access *a, const Access *b) {
    return a->kind == b->kind && a->instr == b->instr && a->variable == b->variable && a->address == b->address;
}

/* Returns whether these are the accesses that race, as the trace ends. */
static bool is_pair(const Watcher *w, const Access *a, const Access *b) {
    return w->trace->end == TRACE_RACE ? accesses_race(a, b) : same_access(a, &w->pair[0]) && same_access(b, &w->pair[1]);
}

/* Marks the turns that race, and removes later turns of the same steps. If other steps come between the two, the first step keeps its
   turns. */
static void note_race(Watcher *w, const ReplayStep *s, const size_t *turns) {
    for (size_t i = 0; i < s->naccesses; i++)
        for (size_t k = 0; k < vec_len(w->accesses); k++) {
            if (!turns[i] || !w->turns[k] || !is_pair(w, &w->accesses[k], &s->accesses[i])) continue;
            NativeTurn *list = w->run->turns, *first = &list[w->turns[k] - 1], *second = &list[turns[i] - 1];
            size_t kept = 0;
            first->race = second->race = true;
            for (size_t n = 0; n < vec_len(list); n++) {
                bool late = (w->trace->end == TRACE_RACE && list[n].step == first->step && &list[n] > first) ||
                            (list[n].step == second->step && &list[n] > second);
                if (!late) list[kept++] = list[n];
            }
            vec_resize(w->run->turns, kept);
            return;
        }
}

static void watch(void *context, Machine *m, const ReplayStep *s) {
    Watcher *w = context;
    size_t n = vec_len(w->trace->steps), *turns = NULL;
    if (TRACE_LOOPS(w->trace->end) && w->step == w->trace->loop) w->run->loop = vec_len(w->run->turns);
    note_undefined(w, s);
    for (size_t i = 0; i < s->naccesses && !s->flush; i++) {
        bool input = note_input(w, s->thread, &s->accesses[i]);
        vec_push(turns, input ? 0 : add_turn(w, s->thread, &s->accesses[i]));
    }
    note_end(w, m, s);
    if (races(w) && w->step + 1 == n) note_race(w, s, turns);
    if (races(w) && w->step == w->first) {
        for (size_t i = 0; i < s->naccesses; i++) vec_push(w->accesses, s->accesses[i]);
        w->turns = turns;
    } else vec_free(turns);
    w->step++;
}

static void find_first_of_race(Watcher *w, const Question *q) {
    size_t n = vec_len(w->trace->steps);
    ClockedAccess first;
    w->first = n < 2 ? 0 : n - 2;
    if (w->trace->end != TRACE_UNORDERED || !replay_unordered(w->program, q, w->trace, &first, &w->pair[1])) return;
    w->first = first.step;
    w->pair[0] = first.access;
}

NativeRun *native_run_of_trace(const Program *p, const Question *q, const Trace *t) {
    Watcher w = {.program = p, .trace = t, .run = native_run_new(), .last = map_new(), .undefined = map_new(), .rooms = map_new()};
    w.lowest = p->pointer_width == 64 ? (uint64_t)1 << 32 : (uint64_t)1 << 16;
    w.run->end = t->end;
    w.run->property = 1u << q->property;
    find_first_of_race(&w, q);
    replay(p, q, t, watch, &w, NULL);
    for (size_t i = 0; i < vec_len(w.run->turns); i++)
        if (w.run->turns[i].written) w.run->turns[w.run->turns[i].first].writes = true;
    for (size_t i = 0; i < vec_len(w.run->turns); i++) w.run->turns[i].writes = w.run->turns[w.run->turns[i].first].writes;
    for (size_t i = 0; i < vec_len(w.run->turns); i++) map_get(w.rooms, w.run->turns[i].place, &w.run->turns[i].most_bytes);
    map_free(w.last);
    map_free(w.undefined);
    map_free(w.rooms);
    vec_free(w.accesses);
    vec_free(w.turns);
    return w.run;
}
