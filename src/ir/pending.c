/* SPDX-License-Identifier: Apache-2.0 */
/* Implements the store buffers of TSO and PSO (doc/ir.md, "Weak memory"). A state has all waiting stores, the oldest first. While a
   thread takes a step, its own waiting stores are written to memory. So it reads its own last stores. */
#include "ir/machine.h"

bool store_buffer_any(const State *s, unsigned thread) {
    for (size_t i = 0; i < vec_len(s->pending); i++)
        if (s->pending[i].thread == thread) return true;
    return false;
}

unsigned state_buffered_stores(const State *s, unsigned thread) {
    unsigned n = 0;
    for (size_t i = 0; i < vec_len(s->pending); i++) n += s->pending[i].thread == thread && !s->pending[i].barrier;
    return n;
}

void store_buffer_add_barrier(Machine *m) {
    Pending p = {.thread = m->thread, .barrier = true};
    if (store_buffer_any(m->state, m->thread)) vec_push(m->state->pending, p);
}

void store_buffer_add(Machine *m, const CompiledInstr *c, const Span *span, Value value) {
    Pending p = {.thread = m->thread, .op = c, .action = m->action->action, .size = c->bytes, .value = value};
    if (span) p.address = step_address(m, span);
    else p.variable = c->instr->target;
    vec_push(m->state->pending, p);
}

/* ---- what a thread sees ---- */

void store_buffer_show(Machine *m) {
    vec_each_at(const Pending, p, m->state->pending) {
        Overlay o = {.variable = p->variable, .size = p->size};
        if (p->thread != m->thread || p->barrier) continue;
        if (p->variable) {
            o.old = state_variable(m, m->state, p->variable, m->thread);
            step_write_global(m, p->variable, p->value);
        } else {
            if (memory_find(m, p->op, p->address, p->size, true, &o.span)) continue; /* the memory is not alive any more */
            o.old.bits = memory_load(m, &o.span, p->size);
            o.mask = memory_mask(m, &o.span, p->size);
            memory_store(m, &o.span, p->value.bits, 0, p->size);
        }
        vec_push(m->overlays, o);
    }
}

void store_buffer_hide(Machine *m) {
    while (vec_len(m->overlays)) {
        Overlay o = vec_pop(m->overlays);
        if (o.variable) step_write_global(m, o.variable, o.old);
        else memory_store(m, &o.span, o.old.bits, o.mask, o.size);
    }
}

bool store_buffer_forwards(const Machine *m, const Variable *v) {
    for (size_t i = 0; i < vec_len(m->overlays); i++)
        if (m->overlays[i].variable == v) return true;
    return false;
}

static bool overlap(const Span *a, uint64_t n, const Span *b, uint64_t k) {
    uint64_t x = a->base + a->offset, y = b->base + b->offset;
    return a->seg == b->seg && x < y + k && y < x + n;
}

static bool covers(const Span *a, uint64_t n, const Span *b, uint64_t k) {
    uint64_t x = a->base + a->offset, y = b->base + b->offset;
    return x <= y && y + k <= x + n;
}

/* The youngest overlapping store forwards its value to the load, if it has all bytes. */
bool store_buffer_blocks_load(const Machine *m, const Span *s, uint64_t size, bool *buffered) {
    for (size_t i = vec_len(m->overlays); i-- > 0;) {
        const Overlay *o = &m->overlays[i];
        if (o->variable || !overlap(&o->span, o->size, s, size)) continue;
        *buffered = true;
        return !covers(&o->span, o->size, s, size);
    }
    return false;
}

/* ---- what arrives ---- */

static bool same_place(const Pending *a, const Pending *b) {
    if (a->variable || b->variable) return a->variable == b->variable;
    return a->address < b->address + b->size && b->address < a->address + a->size;
}

/* Returns true if p must arrive before q, which the same thread has stored later. */
static bool precedes(const Machine *m, const Pending *p, const Pending *q) {
    return m->program->memory == MEMORY_TSO || p->barrier || same_place(p, q);
}

static size_t find(const State *s, unsigned thread, unsigned n) {
    for (size_t i = 0; i < vec_len(s->pending); i++)
        if (s->pending[i].thread == thread && !s->pending[i].barrier && n-- == 0) return i;
    return vec_len(s->pending);
}

static void take_out(State *s, size_t at) {
    for (size_t i = at + 1; i < vec_len(s->pending); i++) s->pending[i - 1] = s->pending[i];
    (void)vec_pop(s->pending);
}

/* Removes barriers of the thread that have no store before them. */
static void tidy(State *s, unsigned thread) {
    for (size_t i = 0; i < vec_len(s->pending); i++) {
        if (s->pending[i].thread != thread) continue;
        if (!s->pending[i].barrier) return;
        take_out(s, i--);
    }
}

StepResult machine_flush(Machine *m, State *s, unsigned thread, unsigned n, Accesses *accesses, const Action **stored) {
    StepResult r = {.status = STEP_DISABLED};
    size_t at = find(s, thread, n);
    if (at == vec_len(s->pending) || !step_may_move(m, s, thread, &r.blocker)) return r;
    Pending p = s->pending[at];
    for (size_t i = 0; i < at; i++)
        if (s->pending[i].thread == thread && precedes(m, &s->pending[i], &p)) return r;
    step_begin(m, s, thread, NULL, accesses);
    m->op = p.op;
    Span span = {0};
    if (!p.variable && memory_find(m, p.op, p.address, p.size, true, &span))
        return (StepResult){.status = STEP_FAULT, .instr = p.op->instr};
    if (p.variable) step_write_global(m, p.variable, p.value);
    else memory_store(m, &span, p.value.bits, 0, p.size);
    step_note_access(m, ACCESS_WRITE, p.op, p.variable ? NULL : &span, 0, p.size, p.value);
    if (accesses) {
        Access *a = &vec_last(accesses->list);
        a->variable = p.variable;
        a->shared = a->arrives = true;
    }
    *stored = p.action;
    step_forget_undo(m);
    take_out(s, at);
    tidy(s, thread);
    return (StepResult){.status = STEP_DONE};
}
