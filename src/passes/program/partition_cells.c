/* SPDX-License-Identifier: Apache-2.0 */
/* Cuts memory into cells by the accesses of the program.

   requires  a program without COPY and FILL of few bytes (partition.c replaces them); points-to
   ensures   every piece that one instruction accesses is a sequence of cells; a program for which this is impossible is refused
   breaks    nothing: the program stays unchanged */
#include "passes/messages.h"
#include "passes/program/partition_internal.h"
#include <stdlib.h>

typedef void (*AccessVisitor)(Partition *, const Template *, const Instr *, const Expr *address, uint64_t size, bool write);

/* Visits every access of memory with its address and its number of bytes. */
static void visit_accesses(Partition *r, AccessVisitor visit) {
    vec_each(const Template *, template_, r->program->templates)
        for (size_t a = 0; a < vec_len(template_->actions); a++)
            for (size_t k = 0; k < vec_len(template_->actions[a].instrs); k++) {
                const Instr *i = r->at = &template_->actions[a].instrs[k];
                if (i->kind == INSTR_LOAD) visit(r, template_, i, i->address, region_bytes(i->target->sort), false);
                if (i->kind == INSTR_STORE) visit(r, template_, i, i->address, region_bytes(i->value->sort), true);
                if ((i->kind == INSTR_LOCK || i->kind == INSTR_TRYLOCK || i->kind == INSTR_UNLOCK) && i->address)
                    visit(r, template_, i, i->address, 4, true);
            }
    r->at = NULL;
}

static uint64_t gcd(uint64_t a, uint64_t b) { return congruence_join((Congruence){a, 0}, (Congruence){b, 0}).modulus; }

bool region_may_contain(const Target *to, uint64_t size) {
    const Object *o = to->object;
    if (o->kind == OBJECT_FUNCTION) return false;
    if (to->offset.modulus) return true;
    if ((int64_t)to->offset.residue < 0) return false;
    return o->kind == OBJECT_HEAP || to->offset.residue + size <= o->size;
}

unsigned region_count_objects(const Targets *t) {
    unsigned n = 0;
    for (size_t i = 0; i < vec_len(t->list); i++) n += !i || t->list[i].object != t->list[i - 1].object;
    return n;
}

static void note_stride(Partition *r, const Template *t, const Instr *i, const Expr *address, uint64_t size, bool write) {
    (void)i;
    const Targets *targets = pointsto(r->pointsto, address);
    if (pointsto_is_wild(r->pointsto, address)) partition_refuse(r, MSG_PASSES_POINTER_COMPUTED, NULL);
    if (region_count_objects(targets) > MAX_TARGETS) partition_refuse(r, MSG_PASSES_POINTER_WIDE, NULL);
    vec_each_at(const Target, to, targets->list) {
        Region *g = &r->regions[to->object->index];
        if (!region_may_contain(to, size)) continue;
        g->used = true;
        g->written |= write;
        g->stride = gcd(g->stride, to->offset.modulus);
        if (to->object->kind == OBJECT_LOCAL && to->object->template_ != t->index) r->foreign[to->object->index] = true;
        if (!size || size > MAX_BYTES) partition_refuse(r, MSG_PASSES_ACCESS_SIZE, to->object);
    }
}

uint64_t region_residue(const Region *g, const Target *to) { return g->stride ? to->offset.residue % g->stride : to->offset.residue; }

static void note_piece(Partition *r, const Template *t, const Instr *i, const Expr *address, uint64_t size, bool write) {
    (void)t, (void)i, (void)write;
    const Targets *targets = pointsto(r->pointsto, address);
    for (size_t k = 0; k < vec_len(targets->list) && !r->failed; k++) {
        const Target *to = &targets->list[k];
        if (!region_may_contain(to, size)) continue;
        Region *g = &r->regions[to->object->index];
        Piece n = {region_residue(g, to), size};
        bool found = false;
        if (g->stride && n.residue + size > g->stride) partition_refuse(r, MSG_PASSES_ACCESS_OVERLAP, to->object);
        for (size_t c = 0; c < vec_len(g->pieces); c++) found |= g->pieces[c].residue == n.residue && g->pieces[c].size == size;
        if (!found) vec_push(g->pieces, n);
    }
}

static int by_number(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static bool is_in_piece(const Region *g, uint64_t residue) {
    for (size_t i = 0; i < vec_len(g->pieces); i++)
        if (residue >= g->pieces[i].residue && residue < g->pieces[i].residue + g->pieces[i].size) return true;
    return false;
}

/* Makes the cells: the ranges in pieces from one end of a piece to the next end. */
static void cut_cells(Region *g) {
    uint64_t *ends = NULL;
    for (size_t i = 0; i < vec_len(g->pieces); i++) {
        vec_push(ends, g->pieces[i].residue);
        vec_push(ends, g->pieces[i].residue + g->pieces[i].size);
    }
    if (ends) qsort(ends, vec_len(ends), sizeof *ends, by_number);
    for (size_t i = 0; i + 1 < vec_len(ends); i++)
        if (ends[i] < ends[i + 1] && is_in_piece(g, ends[i]))
            vec_push(g->cells, ((Cell){.residue = ends[i], .size = ends[i + 1] - ends[i]}));
    vec_free(ends);
}

Cell *region_cell(Region *g, uint64_t residue) {
    for (size_t c = 0; c < vec_len(g->cells); c++)
        if (g->cells[c].residue == residue) return &g->cells[c];
    die("partition-memory: no cell begins there");
}

unsigned region_count_cells(const Region *g, const Cell *first, uint64_t size) {
    unsigned n = 0;
    for (size_t c = 0; c < vec_len(g->cells); c++)
        n += g->cells[c].residue >= first->residue && g->cells[c].residue < first->residue + size;
    return n;
}

/* Refuses accesses of pointers that consist of several cells, since points-to follows only whole pointers. */
static void check_pieces(Partition *r, const Template *t, const Instr *i, const Expr *address, uint64_t size, bool write) {
    (void)t, (void)write;
    const Targets *targets = pointsto(r->pointsto, address);
    const Expr *value = i->kind == INSTR_LOAD ? variable_expr(r->program, i->target) : i->kind == INSTR_STORE ? i->value : NULL;
    for (size_t k = 0; k < vec_len(targets->list) && !r->failed; k++) {
        const Target *to = &targets->list[k];
        if (!region_may_contain(to, size)) continue;
        Region *g = &r->regions[to->object->index];
        if (region_cell(g, region_residue(g, to))->size == size) continue;
        if (!value || vec_len(pointsto(r->pointsto, value)->list)) partition_refuse(r, MSG_PASSES_ACCESS_OVERLAP, to->object);
    }
}

/* Visits the cells of a mutex (locks), or of a store. A mutex whose place is not one scalar becomes reads and writes of its word, as if it were a
   normal mutex. Stores to this word may then store only 0. mutex-kinds and build_system check the kinds of mutexes that are scalars. */
static void visit_mutex_cells(Partition *r, const Instr *i, const Expr *address, uint64_t size, bool locks) {
    const Targets *targets = pointsto(r->pointsto, address);
    for (size_t k = 0; k < vec_len(targets->list) && !r->failed; k++) {
        const Target *to = &targets->list[k];
        if (!region_may_contain(to, size)) continue;
        Region *g = &r->regions[to->object->index];
        Cell *cell = region_cell(g, region_residue(g, to));
        for (unsigned c = region_count_cells(g, cell, size); c-- > 0; cell++) {
            if (locks) cell->mutex |= g->stride || vec_len(targets->list) > 1;
            else if (cell->mutex && !(expr_is_const(i->value) && !i->value->value)) partition_refuse(r, MSG_PASSES_MUTEX_KIND, to->object);
        }
    }
}

static void note_mutex(Partition *r, const Template *t, const Instr *i, const Expr *address, uint64_t size, bool write) {
    (void)t, (void)write;
    if (i->kind != INSTR_LOAD && i->kind != INSTR_STORE) visit_mutex_cells(r, i, address, size, true);
}

static void check_mutex(Partition *r, const Template *t, const Instr *i, const Expr *address, uint64_t size, bool write) {
    (void)t, (void)write;
    if (i->kind == INSTR_STORE) visit_mutex_cells(r, i, address, size, false);
}

static bool region_valid(const Region *g) {
    uint64_t end = 0;
    for (size_t i = 0; i < vec_len(g->cells); i++) {
        if (g->cells[i].residue < end || !g->cells[i].size) return false;
        end = g->cells[i].residue + g->cells[i].size;
    }
    return g->used || !vec_len(g->cells) ? !g->stride || end <= g->stride : false;
}

static bool partition_valid(const Partition *r) {
    for (size_t i = 0; i < vec_len(r->regions); i++)
        if (!region_valid(&r->regions[i])) return false;
    return vec_len(r->regions) == vec_len(r->program->objects);
}

void partition_cut(Partition *r) {
    if (!r->failed) visit_accesses(r, note_stride);
    if (!r->failed) visit_accesses(r, note_piece);
    for (size_t i = 0; i < vec_len(r->regions) && !r->failed; i++) cut_cells(&r->regions[i]);
    if (!r->failed) visit_accesses(r, check_pieces);
    if (!r->failed) visit_accesses(r, note_mutex);
    if (!r->failed) visit_accesses(r, check_mutex);
    ensure(r->failed || partition_valid(r));
}
