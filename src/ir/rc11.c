/* SPDX-License-Identifier: Apache-2.0 */
/* Takes steps of execution graphs. The interpreter takes the step on a memory that shows the value of the write that is read. The value
   that the step writes becomes an event, and is removed from memory again. */
#include "ir/rc11.h"
#include "base/map.h"
#include "ir/internal.h"
#include "ir/machine.h"
#include <string.h>

/* ---- what actions do ---- */

typedef struct Shape {
    unsigned reads, writes, fences, threads, locks, other;
    unsigned reader, writer; /* indices of instructions */
    const Variable *read, *written;
} Shape;

typedef struct Reads {
    Shape *shape;
    unsigned instr;
} Reads;

static void note_global(void *context, const Symbol *s) {
    Reads *r = context;
    const Variable *v = s->kind == SYM_VARIABLE ? s->user : NULL;
    if (!v || !v->global || r->shape->read == v) return;
    r->shape->read = v;
    r->shape->reads++;
    r->shape->reader = r->instr;
}

static void note_expr(void *context, const Expr *e) { expr_each_symbol(e, note_global, context); }

static void add_instr(Shape *s, const CompiledInstr *c, unsigned k) {
    const Instr *i = c->instr;
    Reads reads = {s, k};
    instr_expressions(i, note_expr, &reads);
    if (i->target && i->target->global) {
        s->writes++;
        s->writer = k;
        s->written = i->target;
    }
    switch (i->kind) {
    case INSTR_ASSIGN:
    case INSTR_HAVOC:
    case INSTR_ASSUME: break;
    case INSTR_FENCE: s->fences++; break;
    case INSTR_LOAD:
        s->reads += c->visible;
        if (c->visible) s->reader = k;
        break;
    case INSTR_STORE:
        s->writes += c->visible;
        if (c->visible) s->writer = k;
        break;
    case INSTR_LOCK:
    case INSTR_TRYLOCK:
    case INSTR_UNLOCK:
        s->locks++;
        s->reader = s->writer = k;
        s->read = s->written = i->cell && i->cell->global ? i->cell : NULL;
        break;
    case INSTR_CREATE:
    case INSTR_JOIN: s->threads++; break;
    default: s->other += c->visible;
    }
}

static const CompiledAction *compiled(const Rc11 *g, unsigned thread, unsigned action) {
    return &g->machine->templates[state_template(g->state, thread)].actions[action];
}

static Shape shape_of(const CompiledAction *a) {
    Shape s = {0};
    Reads reads = {&s, 0};
    note_expr(&reads, a->action->guard);
    if (s.reads) s.other++; /* the guard reads shared state */
    for (size_t i = 0; i < vec_len(a->ops); i++) add_instr(&s, &a->ops[i], (unsigned)i);
    return s;
}

Rc11Kind rc11_kind(const Rc11 *g, unsigned thread, unsigned action) {
    const CompiledAction *a = compiled(g, thread, action);
    const Template *t = g->machine->program->templates[state_template(g->state, thread)];
    if (!g->start) return RC11_LOCAL;
    Shape s = shape_of(a);
    unsigned all = s.reads + s.writes + s.fences + s.threads + s.locks;
    if (!all && !s.other) return RC11_LOCAL;
    if (s.other || t->locations[a->action->source].atomic || t->locations[a->action->target].atomic || a->action->section)
        return RC11_UNSUPPORTED;
    if (all == 1)
        return s.reads ? RC11_READ : s.writes ? RC11_WRITE : s.fences ? RC11_FENCE : s.threads ? RC11_THREAD : RC11_READ_MODIFY_WRITE;
    return s.reads == 1 && s.writes == 1 && all == 2 && s.reader < s.writer ? RC11_READ_MODIFY_WRITE : RC11_UNSUPPORTED;
}

/* ---- places ---- */

bool rc11_same_place(const Event *a, const Event *b) {
    if (a->variable || b->variable) return a->variable == b->variable;
    return a->address == b->address && a->size == b->size;
}

static bool overlap(const Event *a, const Event *b) {
    return !a->variable && !b->variable && a->address < b->address + b->size && b->address < a->address + a->size;
}

static bool is_access(const Event *e) { return e->kind == EVENT_READ || e->kind == EVENT_WRITE; }

static Position position_of(const CompiledAction *a, unsigned k) {
    return a->ops[k].instr->position.file ? a->ops[k].instr->position : a->action->position;
}

/* Finds the place that instruction k will access from this state. Only assignments and assumptions may precede it, unless its address is
   static. */
static bool place_of(Rc11 *g, unsigned thread, const CompiledAction *a, unsigned k, const Variable *v, Event *place) {
    const CompiledInstr *c = &a->ops[k];
    Machine *m = g->machine;
    Span span;
    *place = (Event){.thread = thread, .variable = v, .size = c->bytes, .position = position_of(a, k)};
    if (v) return true;
    if (!c->object) { /* the address may depend on earlier instructions of the action */
        for (unsigned i = 0; i < k; i++)
            if (a->ops[i].kind != INSTR_ASSUME && a->ops[i].kind != INSTR_ASSIGN) return false;
        State *copy = state_copy(m, g->state);
        Accesses seen = {0};
        StepResult r = machine_step(m, copy, thread, a->action->index, NULL, &seen);
        bool found = false;
        for (size_t i = 0; i < vec_len(seen.list) && r.status != STEP_FAULT; i++)
            if (seen.list[i].instr == c->instr && seen.list[i].address) {
                place->address = seen.list[i].address;
                found = true;
            }
        vec_free(seen.list);
        state_free(m, copy);
        return found;
    }
    step_begin(m, g->state, thread, NULL, NULL);
    if (memory_find(m, c, 0, c->bytes, false, &span)) return false;
    place->address = step_address(m, &span);
    return true;
}

bool rc11_place(Rc11 *g, unsigned thread, unsigned action, Event *place) {
    const CompiledAction *a = compiled(g, thread, action);
    Shape s = shape_of(a);
    Rc11Kind kind = rc11_kind(g, thread, action);
    bool reads = kind == RC11_READ || kind == RC11_READ_MODIFY_WRITE;
    return place_of(g, thread, a, reads ? s.reader : s.writer, reads ? s.read : s.written, place);
}

/* Finds the value of the place before the first creation of a thread. Returns false if it has no single defined value. */
static bool value_at_start(Rc11 *g, const CompiledInstr *c, const Event *place, u128 *value) {
    Machine *m = g->machine;
    Span span;
    if (place->variable) {
        *value = state_variable(m, g->start, place->variable, 1).bits;
        return place->variable->sort->kind != SORT_ARRAY;
    }
    step_begin(m, g->start, 1, NULL, NULL);
    CompiledInstr free_ = *c;
    free_.object = NULL; /* the object may be another thread's: find it by its address */
    if (memory_find(m, &free_, place->address, place->size, false, &span) || memory_mask(m, &span, place->size)) return false;
    *value = memory_load(m, &span, place->size);
    return true;
}

/* Writes the value to the place, so that the step of the thread reads it. */
static bool show_value(Rc11 *g, unsigned thread, const CompiledInstr *c, const Event *place, u128 value) {
    Machine *m = g->machine;
    Span span;
    step_begin(m, g->state, thread, NULL, NULL);
    if (place->variable) {
        step_write_global(m, place->variable, (Value){.bits = value});
    } else {
        CompiledInstr free_ = *c;
        free_.object = NULL;
        if (memory_find(m, &free_, place->address, place->size, false, &span)) return false;
        memory_store(m, &span, value, 0, place->size);
    }
    step_forget_undo(m);
    return true;
}

/* ---- events ---- */

static unsigned nth_of(const Rc11 *g, unsigned thread) {
    unsigned n = 0;
    for (unsigned i = 0; i < g->n; i++) n += g->events[i].thread == thread;
    return n;
}

static Event *add(Rc11 *g, Event e) {
    e.nth = nth_of(g, e.thread);
    g->events[g->n] = e;
    return &g->events[g->n++];
}

static void add_write(Rc11 *g, Event e, unsigned rank) {
    unsigned most = 0;
    for (unsigned i = 0; i < g->n; i++) most += g->events[i].kind == EVENT_WRITE && rc11_same_place(&g->events[i], &e);
    e.rank = rank < most ? rank : most;
    for (unsigned i = 0; i < g->n; i++) {
        Event *w = &g->events[i];
        if (w->kind == EVENT_WRITE && rc11_same_place(w, &e) && w->rank >= e.rank) w->rank++;
    }
    add(g, e);
}

/* Returns the event of the initial value, which it adds if needed; RC11_EVENTS if there is no such value, or no room. */
static unsigned start_of(Rc11 *g, const CompiledInstr *c, const Event *place) {
    u128 value;
    for (unsigned i = 0; i < g->n; i++)
        if (g->events[i].thread == 0 && rc11_same_place(&g->events[i], place)) return i;
    if (g->n + 8 > RC11_EVENTS || !value_at_start(g, c, place, &value)) return RC11_EVENTS;
    Event e = *place;
    e.kind = EVENT_WRITE;
    e.thread = 0;
    e.plain = true;
    e.value = value;
    e.position = (Position){0};
    add_write(g, e, 0);
    return g->n - 1;
}

static Rc11Result unsupported(const char *why) { return (Rc11Result){.step = {.status = STEP_DISABLED}, .unsupported = why}; }

static const char *find_mixed_size(const Rc11 *g, const Event *place) {
    for (unsigned i = 0; i < g->n; i++)
        if (is_access(&g->events[i]) && overlap(&g->events[i], place) && !rc11_same_place(&g->events[i], place))
            return "accesses of different sizes to the same memory";
    return NULL;
}

/* Returns true for an attempt to take a mutex that has failed. The attempt may have read an old value, by which another thread holds it. */
static bool lock_fails(const Instr *i, u128 before, u128 after) {
    return (i->kind == INSTR_TRYLOCK || i->kind == INSTR_LOCK) && before == after;
}

static bool find_value(const Accesses *list, size_t from, AccessKind kind, const Instr *i, u128 *value) {
    for (size_t k = from; k < vec_len(list->list); k++) {
        const Access *a = &list->list[k];
        if (a->instr != i || (a->kind != kind && a->kind != ACCESS_LOCK && a->kind != ACCESS_UNLOCK)) continue;
        if (kind == ACCESS_WRITE && a->variable && !a->variable->global) continue;
        *value = a->value.bits;
        return true;
    }
    return false;
}

static Event access_event(const Event *place, EventKind kind, const Instr *i) {
    Event e = *place;
    bool lock = instr_is_lock(i);
    e.kind = kind;
    e.plain = !i->atomic && !lock;
    e.order = !lock                ? i->order
              : kind == EVENT_READ ? (i->kind == INSTR_UNLOCK ? ORDER_RELAXED : ORDER_ACQUIRE)
                                   : (i->kind == INSTR_UNLOCK ? ORDER_RELEASE : ORDER_RELAXED);
    return e;
}

uint64_t rc11_hash_thread(const Rc11 *g, unsigned thread) {
    const State *s = g->state;
    uint32_t end = thread < state_threads(s) ? s->first[thread] : (uint32_t)vec_len(s->segs);
    uint64_t h = thread;
    for (uint32_t i = s->first[thread - 1]; i < end; i++) h = hash_bytes(s->segs[i].data, s->segs[i].size, h);
    return h;
}

/* ---- steps ---- */

static Rc11Result step_access(Rc11 *g, const Rc11Step *x, Rc11Kind kind, Accesses *accesses) {
    const CompiledAction *a = compiled(g, x->thread, x->action);
    Shape s = shape_of(a);
    bool reads = kind != RC11_WRITE, writes = kind != RC11_READ;
    const CompiledInstr *reader = &a->ops[s.reader], *writer = &a->ops[s.writer], *c = reads ? reader : writer;
    Event place;
    Rc11 before = *g;
    if (!rc11_place(g, x->thread, x->action, &place)) return unsupported("an address that is not known in advance");
    if (find_mixed_size(g, &place)) return unsupported(find_mixed_size(g, &place));
    unsigned start = start_of(g, c, &place), source = x->source < RC11_EVENTS ? x->source : start;
    if (start == RC11_EVENTS) return unsupported("memory that is not initialised, or too many events");
    if (source >= g->n || g->events[source].kind != EVENT_WRITE || !rc11_same_place(&g->events[source], &place))
        return unsupported("the write to read from does not exist");
    State *old = state_copy(g->machine, g->state);
    size_t from = vec_len(accesses->list);
    bool shown = !reads || show_value(g, x->thread, c, &place, g->events[source].value);
    StepResult r =
        shown ? machine_step(g->machine, g->state, x->thread, x->action, x->chooser, accesses) : (StepResult){.status = STEP_DISABLED};
    u128 written = 0;
    bool known = r.status != STEP_DONE || !writes || find_value(accesses, from, ACCESS_WRITE, writer->instr, &written);
    bool failed = writes && known && lock_fails(writer->instr, g->events[source].value, written);
    shown &= known;
    if (r.status != STEP_DONE || !shown) {
        state_assign(g->machine, g->state, old);
        state_free(g->machine, old);
        *g = before;
        return shown ? (Rc11Result){.step = r} : unsupported("a step whose written value is not known");
    }
    state_free(g->machine, old);
    if (reads) {
        Event e = access_event(&place, EVENT_READ, reader->instr);
        e.from = source;
        e.value = g->events[source].value;
        g->failed_order_unknown |= failed;
        if (failed) e.order = ORDER_RELAXED;
        add(g, e);
    }
    if (writes && !failed) {
        Event e = access_event(&place, EVENT_WRITE, writer->instr);
        e.value = written;
        e.change = kind == RC11_READ_MODIFY_WRITE;
        add_write(g, e, x->rank);
    }
    show_value(g, x->thread, c, &place, g->events[start].value);
    return (Rc11Result){.step = r};
}

static unsigned last_of(const Rc11 *g, unsigned thread) {
    unsigned last = RC11_EVENTS;
    for (unsigned i = 0; i < g->n; i++)
        if (g->events[i].thread == thread) last = i;
    return last;
}

/* Takes a step of fences, creation and joins. */
static Rc11Result step_order(Rc11 *g, const Rc11Step *x, Accesses *accesses) {
    const CompiledAction *a = compiled(g, x->thread, x->action);
    size_t from = vec_len(accesses->list);
    unsigned threads = state_threads(g->state);
    StepResult r = machine_step(g->machine, g->state, x->thread, x->action, x->chooser, accesses);
    if (r.status != STEP_DONE) return (Rc11Result){.step = r};
    for (size_t i = 0; i < vec_len(a->ops); i++)
        if (a->ops[i].kind == INSTR_FENCE) add(g, (Event){.kind = EVENT_FENCE, .thread = x->thread, .order = a->ops[i].instr->order});
    for (size_t i = from; i < vec_len(accesses->list); i++) {
        const Access *s = &accesses->list[i];
        if (s->kind == ACCESS_JOIN)
            add(g, (Event){.kind = EVENT_JOIN, .thread = x->thread, .plain = true, .from = last_of(g, (unsigned)s->address)});
    }
    for (unsigned t = threads + 1; t <= state_threads(g->state); t++) {
        add(g, (Event){.kind = EVENT_CREATE, .thread = x->thread, .plain = true});
        add(g, (Event){.kind = EVENT_START, .thread = t, .plain = true, .from = g->n - 1});
    }
    return (Rc11Result){.step = r};
}

/* Takes a step before the first creation of a thread, as under sequential consistency. */
static Rc11Result step_alone(Rc11 *g, const Rc11Step *x, Accesses *accesses) {
    const CompiledAction *a = compiled(g, x->thread, x->action);
    bool creates = false;
    for (size_t i = 0; i < vec_len(a->ops); i++) creates |= a->ops[i].kind == INSTR_CREATE;
    if (!creates) return (Rc11Result){.step = machine_step(g->machine, g->state, x->thread, x->action, x->chooser, accesses)};
    g->start = state_copy(g->machine, g->state);
    if (rc11_kind(g, x->thread, x->action) != RC11_THREAD) return unsupported("a thread that is created by an action with other effects");
    return step_order(g, x, accesses);
}

Rc11Result rc11_step(Rc11 *g, const Rc11Step *x, Accesses *accesses) {
    if (g->n + 8 > RC11_EVENTS) return unsupported("too many events");
    if (!g->start) return step_alone(g, x, accesses);
    Rc11Kind kind = rc11_kind(g, x->thread, x->action);
    switch (kind) {
    case RC11_LOCAL: return (Rc11Result){.step = machine_step(g->machine, g->state, x->thread, x->action, x->chooser, accesses)};
    case RC11_READ:
    case RC11_WRITE:
    case RC11_READ_MODIFY_WRITE: return step_access(g, x, kind, accesses);
    case RC11_FENCE:
    case RC11_THREAD: return step_order(g, x, accesses);
    default: return unsupported("an atomic section, or memory that is allocated, freed, copied or filled, while there are several threads");
    }
}
