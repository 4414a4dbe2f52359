/* SPDX-License-Identifier: Apache-2.0 */
/* Accesses memory: finds the bytes of a segment for an address, and reports every invalid access. Invariant: an undefined byte has its
   shadow bit set and is 0. The first read chooses its value, which it then keeps. */
#include "ir/machine.h"
#include <stdlib.h>
#include <string.h>

/* ---- finding ---- */

static Fault find_in_block(const Machine *m, uint64_t address, uint64_t size, Span *span) {
    Block *b = heap_find(m->state, granule_of(m, address));
    if (!b) return FAULT_BOUNDS;
    if (!b->alive) return FAULT_FREED;
    uint64_t offset = address - granule_address(m, b->granule);
    if (offset > b->size || b->size - offset < size) return FAULT_BOUNDS;
    uint32_t index = (uint32_t)(b - m->state->blocks);
    *span = (Span){.seg = HEAP_SEG | index,
                   .shadow = (uint32_t)block_shadow(b),
                   .offset = offset,
                   .object = m->program->objects[b->site],
                   .instance = index + 1,
                   .bits = footprint_heap(b->granule, offset, size)};
    return FAULT_NONE;
}

/* Finds the bytes of a static object. `thread` is its owner, unless it is global. The caller has checked the bounds. */
static Fault find_static(const Machine *m, const Object *o, unsigned thread, uint64_t offset, uint64_t size, Span *span) {
    const Place *p = &m->places[o->index];
    uint32_t seg = p->seg;
    if (o->kind != OBJECT_GLOBAL) {
        if (thread > vec_len(m->state->first)) return FAULT_SCOPE;
        uint32_t main_seg = m->state->first[thread - 1];
        const ThreadHead *head = thread_head(m->state, thread);
        if (o->kind == OBJECT_LOCAL && o->template_ != head->template_) return FAULT_SCOPE;
        if (p->alive != NO_PLACE && !m->state->segs[main_seg].data[p->alive]) return FAULT_SCOPE;
        if (o->kind == OBJECT_THREAD && state_ended(m, m->state, thread)) return FAULT_SCOPE;
        seg += main_seg;
    }
    *span = (Span){.seg = seg,
                   .shadow = p->shadow,
                   .base = p->offset,
                   .offset = offset,
                   .object = o,
                   .instance = thread,
                   .bits = footprint_object(m, o, offset, size)};
    return FAULT_NONE;
}

static Fault find(const Machine *m, const CompiledInstr *c, uint64_t address, uint64_t size, Span *span) {
    if (c->object) return find_static(m, c->object, m->thread, c->offset, size, span);
    uint64_t granule = granule_of(m, address), offset = 0;
    if (granule == 0) return FAULT_NULL;
    if (granule >= m->heap_granule) return find_in_block(m, address, size, span);
    unsigned thread = 0;
    const Object *o = layout_find(m->layout, address, &thread, &offset);
    if (!o || o->kind == OBJECT_FUNCTION || offset > o->size || o->size - offset < size) return FAULT_BOUNDS;
    return find_static(m, o, thread, offset, size, span);
}

Fault memory_find(Machine *m, const CompiledInstr *c, uint64_t address, uint64_t size, bool write, Span *span) {
    Fault f = find(m, c, address, size, span);
    m->fault_address = address;
    if (f) return f;
    if (write && span->object->readonly) return FAULT_READONLY;
    if (m->track) {
        if (write) m->track->write |= span->bits;
        else m->track->read |= span->bits;
    }
    return FAULT_NONE;
}

/* ---- bytes and their shadows ---- */

static inline const uint8_t *span_data(const Machine *m, const Span *s) { return seg_of(m->state, s->seg)->data + s->base + s->offset; }

static inline bool shadow_bit(const uint8_t *shadow, uint64_t i) { return shadow[i / 8] >> (i % 8) & 1; }

static bool any_undefined(const Machine *m, const Span *s, uint64_t size) {
    if (s->shadow == NO_PLACE) return false;
    const uint8_t *shadow = seg_of(m->state, s->seg)->data + s->shadow;
    for (uint64_t i = s->offset; i < s->offset + size; i++)
        if (shadow_bit(shadow, i)) return true;
    return false;
}

static void set_shadow(Machine *m, const Span *s, uint64_t size, bool undefined) {
    if (s->shadow == NO_PLACE || size == 0) return;
    if (!undefined && !any_undefined(m, s, size)) return;
    uint64_t first = s->offset / 8, last = (s->offset + size - 1) / 8;
    uint8_t *shadow = step_writable(m, s->seg, s->shadow + first, last - first + 1) - first;
    for (uint64_t i = s->offset; i < s->offset + size; i++) {
        uint8_t one = (uint8_t)(1u << i % 8);
        shadow[i / 8] = (uint8_t)(undefined ? shadow[i / 8] | one : shadow[i / 8] & ~one);
    }
}

void memory_store(Machine *m, const Span *s, u128 bits, unsigned mask, uint64_t size) {
    memcpy(step_writable(m, s->seg, s->base + s->offset, size), &bits, size);
    set_shadow(m, s, size, false);
    for (uint64_t i = 0; mask >> i; i++)
        if (mask >> i & 1) {
            Span one = *s;
            one.offset += i;
            set_shadow(m, &one, 1, true);
        }
}

unsigned memory_mask(const Machine *m, const Span *s, uint64_t size) {
    if (!any_undefined(m, s, size)) return 0;
    const uint8_t *shadow = seg_of(m->state, s->seg)->data + s->shadow;
    unsigned mask = 0;
    for (uint64_t i = 0; i < size; i++) mask |= (unsigned)shadow_bit(shadow, s->offset + i) << i;
    return mask;
}

/* Stores that wait in buffers do not count: only their own thread can know of them. */
Fault memory_written(Machine *m, const CompiledInstr *c) {
    uint64_t address = 0;
    Span span;
    Fault f = c->object ? FAULT_NONE : evaluate_narrow(m, &c->address, &address);
    if (!f) f = memory_find(m, c, address, c->bytes, false, &span);
    if (!f) step_set_target(m, c, (Value){.bits = memory_mask(m, &span, c->bytes) == 0});
    return f;
}

u128 memory_load(Machine *m, const Span *s, uint64_t size) {
    u128 bits = 0;
    memcpy(&bits, span_data(m, s), size);
    return bits;
}

u128 memory_settle(Machine *m, const Span *s, u128 bits, unsigned mask, const Sort *sort, uint64_t size) {
    bits = step_choose_bytes(m, bits, mask, sort, NULL);
    origins_settle(m, origin_memory(m, s), mask, bits);
    memory_store(m, s, bits, 0, size);
    return bits;
}

/* ---- many bytes at once ---- */

static Fault range(Machine *m, const CompiledInstr *c, const Operand *address, uint64_t size, bool write, Span *span) {
    uint64_t a;
    Fault f = evaluate_narrow(m, address, &a);
    return f ? f : memory_find(m, c, a, size, write, span);
}

Fault memory_fill(Machine *m, const CompiledInstr *c) {
    uint64_t size, byte;
    Span to;
    Fault f = evaluate_narrow(m, &c->size, &size);
    if (!f) f = evaluate_narrow(m, &c->value, &byte);
    if (f || size == 0) return f;
    if ((f = range(m, c, &c->address, size, true, &to))) return f;
    memset(step_writable(m, to.seg, to.base + to.offset, size), (int)byte, size);
    set_shadow(m, &to, size, false);
    step_note_access(m, ACCESS_WRITE, c, &to, 0, size, (Value){.bits = byte});
    return FAULT_NONE;
}

/* Copies origins in the order that overwrites no byte before it is copied. */
static void copy_origins(Machine *m, const Span *from, const Span *to, uint64_t size, const bool *undefined) {
    OriginPlace a = origin_memory(m, to), b = origin_memory(m, from);
    for (uint64_t i = 0; i < size && m->origins; i++) {
        uint64_t k = a.offset <= b.offset ? i : size - 1 - i;
        if (undefined[k]) origins_copy(m, a, k, b, k);
    }
}

static void copy_shadow(Machine *m, const Span *from, const Span *to, uint64_t size) {
    if (to->shadow == NO_PLACE) return;
    if (!any_undefined(m, from, size)) {
        set_shadow(m, to, size, false);
        return;
    }
    bool *undefined = zeroed(size, sizeof *undefined); /* the ranges may overlap */
    const uint8_t *shadow = seg_of(m->state, from->seg)->data + from->shadow;
    for (uint64_t i = 0; i < size; i++) undefined[i] = shadow_bit(shadow, from->offset + i);
    for (uint64_t i = 0; i < size; i++) {
        Span one = *to;
        one.offset += i;
        set_shadow(m, &one, 1, undefined[i]);
    }
    copy_origins(m, from, to, size, undefined);
    free(undefined);
}

Fault memory_copy(Machine *m, const CompiledInstr *c) {
    uint64_t size;
    Span from, to;
    Fault f = evaluate_narrow(m, &c->size, &size);
    if (f || size == 0) return f;
    f = range(m, c, &c->value, size, false, &from);
    if (!f) f = range(m, c, &c->address, size, true, &to);
    if (f) return f;
    copy_shadow(m, &from, &to, size);
    uint8_t *into = step_writable(m, to.seg, to.base + to.offset, size);
    memmove(into, span_data(m, &from), size);
    step_note_access(m, ACCESS_READ, c, &from, 0, size, (Value){0});
    step_note_access(m, ACCESS_WRITE, c, &to, 0, size, (Value){0});
    return FAULT_NONE;
}

bool memory_is_invalid(Machine *m, const CompiledInstr *c, Fault *f) {
    uint64_t address, size = 0;
    Span span;
    *f = evaluate_narrow(m, &c->address, &address);
    if (!*f && c->instr->size) *f = evaluate_narrow(m, &c->size, &size);
    if (*f) return true;
    if (!c->instr->size) return !heap_may_free(m, address);
    return size && memory_find(m, c, address, size, c->instr->writes, &span) != FAULT_NONE;
}

/* ---- lives of local objects ---- */

void memory_begin_life(Machine *m, const Object *o, bool alive) {
    const Place *p = &m->places[o->index];
    uint32_t main_seg = m->state->first[m->thread - 1];
    *step_writable(m, main_seg, p->alive, 1) = alive;
    if (m->track) m->track->write |= footprint_object(m, o, 0, o->size);
    if (o->size == 0) return;
    origins_forget(m, (OriginPlace){main_seg + p->seg, 0, p->offset}, o->size);
    memset(step_writable(m, main_seg + p->seg, p->offset, o->size), 0, o->size);
    uint64_t bytes = (o->size + 7) / 8;
    uint8_t *shadow = step_writable(m, main_seg + p->seg, p->shadow, bytes);
    memset(shadow, alive ? 0xff : 0, bytes);
    if (alive && o->size % 8) shadow[bytes - 1] = (uint8_t)((1u << o->size % 8) - 1);
}
