/* SPDX-License-Identifier: Apache-2.0 */
/* Computes footprints: 128 bits stand for all that threads share. Global variables and pieces of four bytes of global objects take bits
   0–95 in turn. Heap objects, the objects of threads, and the order of allocations and creations have the rest. Data that only one
   thread can see have no bits. */
#include "base/map.h"
#include "ir/machine.h"
#include <string.h>

enum {
    PLAIN = 96,       /* globals and global objects */
    HEAP = 96,        /* 16 bits: contents of heap objects */
    OWN = 112,        /* 8 bits: objects of threads whose address escapes */
    HEAP_ORDER = 120, /* the set of allocated places */
    THREADS = 121,    /* the number of threads */
    ENDS = 122,       /* 6 bits: which threads have ended */
    PIECE = 4,
    MANY = 16 /* the most pieces of one object that have bits of their own */
};

static u128 bit(unsigned i) { return (u128)1 << i; }

const u128 footprint_heap_order = (u128)1 << HEAP_ORDER;
const u128 footprint_threads = (u128)1 << THREADS;
const u128 footprint_all_heap = (u128)0xffff << HEAP;
const u128 footprint_all_ends = (u128)0x3f << ENDS;

void footprint_assign(Machine *m) {
    const Program *p = m->program;
    unsigned next = 0;
    vec_resize(m->global_bits, vec_len(p->globals));
    vec_resize(m->object_bits, vec_len(p->objects));
    for (size_t i = 0; i < vec_len(p->globals); i++) m->global_bits[i] = bit(next++ % PLAIN);
    m->memory_bits = footprint_all_heap;
    for (size_t i = 0; i < vec_len(p->objects); i++) {
        const Object *o = p->objects[i];
        if (!m->shared[i]) continue;
        if (o->kind == OBJECT_GLOBAL) {
            uint64_t pieces = (o->size + PIECE - 1) / PIECE;
            m->object_bits[i].first = (uint8_t)(next % PLAIN);
            m->object_bits[i].count = (uint8_t)(pieces > MANY ? MANY : pieces ? pieces : 1);
            next += m->object_bits[i].count;
        } else if (o->kind == OBJECT_LOCAL || o->kind == OBJECT_THREAD) {
            m->object_bits[i].first = (uint8_t)(OWN + i % 8);
            m->object_bits[i].count = 1;
        }
        m->memory_bits |= footprint_object(m, o, 0, o->size);
    }
    m->bits_used = next;
}

u128 footprint_object(const Machine *m, const Object *o, uint64_t offset, uint64_t size) {
    unsigned first = m->object_bits[o->index].first, count = m->object_bits[o->index].count;
    if (count == 0) return 0;
    if (first >= PLAIN) return bit(first);
    uint64_t from = offset / PIECE, to = size ? (offset + size - 1) / PIECE : from;
    u128 set = 0;
    if (to - from >= count) to = from + count - 1;
    for (uint64_t k = from; k <= to; k++) set |= bit((first + (unsigned)(k % count)) % PLAIN);
    return set;
}

u128 footprint_heap(uint64_t granule, uint64_t offset, uint64_t size) {
    if (size > 8 * PIECE) return footprint_all_heap;
    u128 set = 0;
    for (uint64_t k = offset / PIECE; k <= (offset + (size ? size - 1 : 0)) / PIECE; k++)
        set |= bit(HEAP + (unsigned)(hash_word(granule * 4099 + k) % 16));
    return set;
}

u128 footprint_thread(unsigned thread) { return bit(ENDS + thread % 6); }

u128 machine_end_bits(void) { return footprint_all_ends; }

void machine_track(Machine *m, Footprint *sum) { m->track = sum; }

/* ---- what an instruction may touch ---- */

static const CompiledInstr *compiled(const Machine *m, const Template *t, const Action *a, const Instr *i) {
    return &m->templates[t->index].actions[a->index].ops[i - a->instrs];
}

/* Returns the footprint of the memory that an instruction may reach at an address. */
static u128 may_reach(const Machine *m, const CompiledInstr *c, const Expr *address) {
    if (c->object) return footprint_object(m, c->object, c->offset, c->bytes);
    const Object *base = address_base(address);
    if (base && base->kind != OBJECT_HEAP && base->kind != OBJECT_FUNCTION) return footprint_object(m, base, 0, base->size);
    return m->memory_bits;
}

static u128 word_bits(const Machine *m, const CompiledInstr *c) {
    const Variable *cell = c->instr->cell;
    if (cell) return cell->global ? m->global_bits[cell->index] : 0;
    return may_reach(m, c, c->instr->address);
}

static void add_effect(const Machine *m, const CompiledInstr *c, Footprint *f) {
    const Instr *i = c->instr;
    u128 place;
    switch (i->kind) {
    case INSTR_ASSIGN:
    case INSTR_HAVOC:
    case INSTR_ASSUME: break;
    case INSTR_LOAD: /* the read of an undefined byte chooses its value */
    case INSTR_STORE:
    case INSTR_FILL:
        place = may_reach(m, c, i->address);
        f->read |= place;
        if (i->kind != INSTR_LOAD) f->write |= place;
        break;
    case INSTR_COPY:
        f->read |= may_reach(m, c, i->value);
        f->write |= may_reach(m, c, i->address);
        break;
    case INSTR_ALLOC: f->write |= footprint_heap_order; break;
    case INSTR_FREE: f->write |= footprint_heap_order | footprint_all_heap; break;
    case INSTR_SIZE: f->read |= footprint_all_heap | footprint_heap_order; break;
    case INSTR_ALIVE:
    case INSTR_DEAD: f->write |= footprint_object(m, i->object, 0, i->object->size); break;
    case INSTR_WRITTEN: f->read |= may_reach(m, c, i->address); break;
    case INSTR_INVALID: f->read |= may_reach(m, c, i->address) | footprint_heap_order; break;
    case INSTR_LOST: f->read |= ~(u128)0; break;
    case INSTR_LOCK:
    case INSTR_TRYLOCK:
    case INSTR_UNLOCK:
        place = word_bits(m, c);
        f->read |= place;
        f->write |= place;
        break;
    case INSTR_CREATE: f->write |= footprint_threads; break;
    case INSTR_JOIN: f->read |= footprint_threads | footprint_all_ends; break;
    case INSTR_FENCE: break;
    case INSTR_CALL: die("a program that runs has no calls");
    }
}

Footprint machine_may_touch(const Machine *m, const Template *t, const Action *a, const Instr *i) {
    Footprint f = {0, 0};
    if (!i) {
        f.read = m->templates[t->index].actions[a->index].guard.reads;
        if (t->locations[a->target].kind == LOCATION_END) f.write |= footprint_all_ends | m->templates[t->index].actions[a->index].kills;
        return f;
    }
    const CompiledInstr *c = compiled(m, t, a, i);
    f.read = c->address.reads | c->value.reads | c->size.reads;
    f.write = c->target_bit;
    add_effect(m, c, &f);
    return f;
}

Footprint machine_may_touch_except_memory(const Machine *m, const Template *t, const Action *a, const Instr *i) {
    const CompiledInstr *c = compiled(m, t, a, i);
    Footprint f = {c->address.reads | c->value.reads | c->size.reads, c->target_bit};
    switch (i->kind) {
    case INSTR_FREE: f.write |= footprint_heap_order; break;
    case INSTR_SIZE: f.read |= footprint_heap_order; break;
    case INSTR_LOAD:
    case INSTR_WRITTEN:
    case INSTR_STORE:
    case INSTR_FILL:
    case INSTR_COPY: break;
    case INSTR_LOCK:
    case INSTR_TRYLOCK:
    case INSTR_UNLOCK:
        if (!i->cell) break;
        /* fall through */
    default: add_effect(m, c, &f);
    }
    return f;
}

u128 machine_object_bits(const Machine *m, const Object *o, uint64_t offset, uint64_t size) { return footprint_object(m, o, offset, size); }

unsigned machine_bits_used(const Machine *m) { return m->bits_used; }

u128 machine_memory_bit(unsigned n) { return bit(n % OWN); }

u128 machine_memory_bits(const Machine *m) { return m->memory_bits; }

bool machine_lock_place(const Machine *m, const Template *t, const Action *a, const Instr *i, LockPlace *place) {
    const CompiledInstr *c = compiled(m, t, a, i);
    *place = (LockPlace){0};
    if (c->has_cell) {
        place->cell = i->cell;
        return i->cell->global;
    }
    place->object = c->object;
    place->offset = c->offset;
    return c->object && c->object->kind == OBJECT_GLOBAL;
}

unsigned state_lock_owner(const Machine *m, const State *s, const LockPlace *l) {
    uint32_t word = 0;
    if (l->cell) {
        word = (uint32_t)slot_read_narrow(s->segs[0].data, &m->globals[l->cell->index]);
    } else {
        const Place *p = &m->places[l->object->index];
        memcpy(&word, s->segs[p->seg].data + p->offset + l->offset, sizeof word);
    }
    return word & 0xffff;
}

bool machine_action_visible(const Machine *m, const Template *t, const Action *a) {
    return m->templates[t->index].actions[a->index].visible;
}
