/* SPDX-License-Identifier: Apache-2.0 */
/* Computes the memory that an instruction may touch. Allocation sites form classes: two sites are in one class if an object of one may reuse the
   place of a freed object of the other. A pointer to the freed object then points to the new one. Each class has bits for its pieces of
   4 bytes. The offset of a piece, modulo the number of these bits, selects its bit. */
#include "engine/explicit/reduce.h"
#include "analysis/unescaped_heap.h"
#include "analysis/pointsto.h"
#include "analysis/reused_places.h"
#include <stdlib.h>

enum { PIECE = 4, MANY = 16, MOST_STEPS = 64 };

typedef struct Class {
    unsigned root;         /* the object that stands for it */
    unsigned first, count; /* of the root: the first bit of the class, and the number of its bits */
} Class;

struct Touches {
    const Program *program;
    const Machine *machine;
    PointsTo *pointsto;
    UnescapedHeap *fresh;
    Class *classes; /* a vec by object */
    u128 heap;      /* the bits of all classes */
};

/* ---- classes ---- */

static unsigned root(const Touches *t, unsigned object) {
    while (t->classes[object].root != object) object = t->classes[object].root;
    return object;
}

static bool is_site(const Touches *t, size_t object) { return t->program->objects[object]->kind == OBJECT_HEAP; }

static void join_classes(Touches *t) {
    size_t n = vec_len(t->program->objects);
    ReusedPlaces *reuse = reuse_new(t->program, t->pointsto);
    vec_resize(t->classes, n);
    for (unsigned i = 0; i < n; i++) t->classes[i].root = i;
    for (unsigned i = 0; i < n; i++)
        for (unsigned k = 0; k < n && is_site(t, i); k++)
            if (is_site(t, k) && reuse_of(reuse, t->program->objects[i], t->program->objects[k])) t->classes[root(t, k)].root = root(t, i);
    reuse_free(reuse);
}

/* Gives the class of an ALLOC a bit for each piece of the object, at most MANY. */
static void count_pieces(Touches *t, const Instr *i) {
    if (i->kind != INSTR_ALLOC) return;
    uint64_t pieces = expr_is_const(i->size) ? (uint64_t)(i->size->value + PIECE - 1) / PIECE : MANY;
    unsigned *count = &t->classes[root(t, i->object->index)].count;
    if (*count < pieces) *count = pieces < MANY ? (unsigned)pieces : MANY;
}

static void give_bits(Touches *t) {
    const Program *p = t->program;
    program_each_instr(const Instr, instr, p) count_pieces(t, instr);
    unsigned next = machine_bits_used(t->machine);
    for (unsigned i = 0; i < vec_len(t->classes); i++) {
        Class *c = &t->classes[i];
        if (!is_site(t, i) || c->root != i) continue;
        if (!c->count) c->count = 1;
        c->first = next;
        next += c->count;
        for (unsigned k = 0; k < c->count; k++) t->heap |= machine_memory_bit(c->first + k);
    }
}

Touches *touches_new(const Program *p, const Machine *m) {
    Touches *t = zeroed(1, sizeof *t);
    *t = (Touches){.program = p, .machine = m, .pointsto = pointsto_new(p), .fresh = unescaped_new(p)};
    join_classes(t);
    give_bits(t);
    return t;
}

void touches_free(Touches *t) {
    if (!t) return;
    pointsto_free(t->pointsto);
    unescaped_free(t->fresh);
    vec_free(t->classes);
    free(t);
}

/* ---- places ---- */

static u128 whole_class(const Class *c) {
    u128 bits = 0;
    for (unsigned k = 0; k < c->count; k++) bits |= machine_memory_bit(c->first + k);
    return bits;
}

/* Returns the bits of `size` bytes at an offset of the object. */
static u128 part(const Touches *t, const Object *o, uint64_t offset, uint64_t size) {
    if (o->kind != OBJECT_HEAP) return machine_object_bits(t->machine, o, offset, size);
    const Class *c = &t->classes[root(t, o->index)];
    if (size > (uint64_t)c->count * PIECE) return whole_class(c);
    u128 bits = 0;
    for (uint64_t k = offset / PIECE; k <= (offset + size - 1) / PIECE; k++)
        bits |= machine_memory_bit(c->first + (unsigned)(k % c->count));
    return bits;
}

static u128 whole(const Touches *t, const Object *o) {
    if (o->kind == OBJECT_HEAP) return whole_class(&t->classes[root(t, o->index)]);
    return machine_object_bits(t->machine, o, 0, o->size);
}

/* Returns the bits of `size` bytes (0: unknown) at any offset of the target. Offsets beyond the object are left out: an access there is a fault. */
static u128 place(const Touches *t, const Target *at, uint64_t size) {
    const Object *o = at->object;
    uint64_t modulus = at->offset.modulus, offset = at->offset.residue;
    if (!size || o->kind == OBJECT_LOCAL || o->kind == OBJECT_THREAD) return whole(t, o);
    if (modulus == 0 || (o->kind == OBJECT_HEAP && modulus % pointsto_stride(t->program) == 0)) return part(t, o, offset, size);
    uint64_t steps = o->kind == OBJECT_HEAP ? MOST_STEPS + 1 : o->size / modulus + 1;
    if (o->kind == OBJECT_HEAP && (uint64_t)MANY * PIECE % modulus == 0 && t->classes[root(t, o->index)].count == MANY)
        steps = MANY * PIECE / modulus; /* the bits repeat from there on */
    if (steps > MOST_STEPS) return whole(t, o);
    u128 bits = 0;
    for (uint64_t k = 0; k < steps; k++) bits |= part(t, o, offset + k * modulus, size);
    return bits;
}

/* Adds the bits of an access of `size` bytes (0: unknown). Returns false if it may touch any memory. */
static bool reach(Touches *t, const Expr *address, uint64_t size, u128 *bits) {
    const Targets *at = pointsto(t->pointsto, address);
    if (!vec_len(at->list) || pointsto_is_wild(t->pointsto, address)) return false;
    for (size_t i = 0; i < vec_len(at->list); i++) *bits |= place(t, &at->list[i], size);
    return true;
}

static uint64_t bytes_of(const Sort *s) { return s->kind == SORT_BV ? (s->width + 7) / 8 : 0; }

/* ---- instructions ---- */

/* Computes the memory that the instruction reads and writes, without its other effects. Returns false if that may be any memory. */
static bool memory_of(Touches *t, const Instr *i, Footprint *f) {
    switch (i->kind) {
    case INSTR_LOAD: return reach(t, i->address, bytes_of(i->target->sort), &f->read);
    case INSTR_STORE: return reach(t, i->address, bytes_of(i->value->sort), &f->write);
    case INSTR_FILL:
    case INSTR_FREE: return reach(t, i->address, 0, &f->write);
    case INSTR_COPY: return reach(t, i->address, 0, &f->write) && reach(t, i->value, 0, &f->read);
    case INSTR_SIZE: return reach(t, i->address, 0, &f->read);
    case INSTR_WRITTEN: return reach(t, i->address, 4, &f->read);
    case INSTR_LOCK:
    case INSTR_TRYLOCK:
    case INSTR_UNLOCK: return i->cell || reach(t, i->address, 4, &f->write);
    default: return true;
    }
}

Footprint touches_of(Touches *t, const Template *template_, const Action *a, const Instr *i) {
    Footprint all = machine_may_touch(t->machine, template_, a, i), memory = {0, 0};
    if (!i) return all;
    if (unescaped_object(t->fresh, template_, a, i)) return machine_may_touch_except_memory(t->machine, template_, a, i);
    if (!memory_of(t, i, &memory)) {
        if (all.read & machine_memory_bits(t->machine)) all.read |= t->heap;
        if (all.write & machine_memory_bits(t->machine)) all.write |= t->heap;
        return all;
    }
    Footprint rest = machine_may_touch_except_memory(t->machine, template_, a, i);
    footprint_add(&rest, memory);
    return rest;
}
