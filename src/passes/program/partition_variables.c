/* SPDX-License-Identifier: Apache-2.0 */
/* Makes a variable for each cell, with its initial contents.

   requires  regions that are cut into cells
   ensures   the program has a variable for each cell. If the object is a local that no other thread accesses, the variable is a local. A cell of
             thread-local storage becomes a local of every thread, with an initial value. All other variables are global
   breaks    locals have initial values, until partition_start makes assignments of them */
#include "passes/program/partition_internal.h"
#include "ir/shape.h"
#include "passes/messages.h"

static bool is_all_zero(const Expr *e) {
    if (e->op == OP_CONST_ARRAY) e = e->args[0];
    return expr_is_const(e) && !e->value;
}

/* ---- initial contents ---- */

static const Expr *initial_value(Program *p, const Object *o, uint64_t offset, uint64_t size) {
    if (offset + size > o->size) return expr_bv(p->exprs, (unsigned)size * 8, 0);
    for (unsigned k = 0; k < o->nrelocations; k++) {
        const Relocation *l = &o->relocations[k];
        if (l->offset >= offset + size || l->offset + p->pointer_width / 8 <= offset) continue;
        if (l->offset != offset || size * 8 != p->pointer_width) return NULL;
        return expr_2(p->exprs, OP_ADD, expr_symbol(p->exprs, l->target), expr_bv(p->exprs, p->pointer_width, (u128)(i128)l->addend));
    }
    u128 value = 0;
    for (uint64_t i = 0; o->bytes && i < size; i++) value |= (u128)o->bytes[offset + i] << 8 * i;
    return expr_bv(p->exprs, (unsigned)size * 8, value);
}

/* Returns the initial array: zeros, into which the other elements are stored. NULL: some element is a part of a pointer. */
static const Expr *initial_array(Program *p, const Object *o, const Region *g, const Cell *c, const Sort *sort) {
    Exprs *x = p->exprs;
    const Expr *a = expr_const_array(x, sort, expr_bv(x, (unsigned)c->size * 8, 0));
    for (uint64_t n = 0; (o->bytes || o->nrelocations) && n * g->stride + c->residue + c->size <= o->size; n++) {
        const Expr *v = initial_value(p, o, n * g->stride + c->residue, c->size);
        if (!v) return NULL;
        if (expr_is_const(v) && !v->value) continue;
        const Expr *args[] = {a, expr_bv(x, p->pointer_width, n), v};
        a = expr_make(x, OP_STORE, 0, 3, args);
    }
    return a;
}

/* ---- the variables ---- */

static const Sort *cell_sort(Program *p, const Region *g, const Cell *c) {
    const Sort *element = sort_bv(p->exprs, (unsigned)c->size * 8);
    return g->stride ? sort_array(p->exprs, sort_bv(p->exprs, p->pointer_width), element) : element;
}

static void name_cell(Buf *name, const Object *o, const Region *g, const Cell *c, bool *is_signed) {
    Buf path = {0};
    shape_path(&path, o->shape, c->residue, is_signed);
    if (!g->stride && shape_is_piece(o->shape, c->residue, c->size)) {
        shape_piece(name, o->name, c->residue, c->size);
        buf_free(&path);
        return;
    }
    buf_text(name, o->name);
    /* The name of an array variable has no index, since it contains all elements. */
    const char *text = buf_string(&path);
    if (g->stride && *text == '[') {
        while (*text && *text != ']') text++;
        if (*text) text++;
    }
    if (o->shape || c->residue) buf_text(name, text);
    buf_free(&path);
}

static const Expr *initial_cell(Partition *r, Object *o, Region *g, Cell *c, const Sort *sort) {
    const Expr *init = g->stride ? initial_array(r->program, o, g, c, sort) : initial_value(r->program, o, c->residue, c->size);
    if (!init) partition_refuse(r, MSG_PASSES_INIT_PIECES, o);
    else if (c->mutex && !is_all_zero(init)) partition_refuse(r, MSG_PASSES_MUTEX_KIND, o);
    return init;
}

/* Makes the variables of a cell of thread-local storage: a local of every template, with an initial value. */
static void make_own(Partition *r, Object *o, Region *g, Cell *c, const char *name, bool is_signed) {
    Program *p = r->program;
    const Sort *sort = cell_sort(p, g, c);
    for (size_t t = 0; t < vec_len(p->templates); t++) {
        Variable *v = template_local(p, p->templates[t], name, sort);
        v->init = initial_cell(r, o, g, c, sort);
        v->position = o->position;
        v->shape = shape_of_part(p->exprs, o->shape, c->residue, c->size);
        variable_set_signed(p, v, is_signed && !c->mutex);
        vec_push(c->own, v);
    }
}

static void make_variable(Partition *r, Object *o, Region *g, Cell *c) {
    Program *p = r->program;
    Buf name = {0};
    bool is_signed = false;
    bool local = o->kind == OBJECT_LOCAL && !r->foreign[o->index];
    const Sort *sort = cell_sort(p, g, c);
    name_cell(&name, o, g, c, &is_signed);
    if (o->kind == OBJECT_THREAD) {
        make_own(r, o, g, c, buf_string(&name), is_signed);
        buf_free(&name);
        return;
    }
    if (local) {
        c->variable = template_local(p, p->templates[o->template_], buf_string(&name), sort);
    } else {
        const Expr *init = o->kind == OBJECT_GLOBAL ? initial_cell(r, o, g, c, sort) : NULL;
        c->variable = program_global(p, buf_string(&name), sort, init);
    }
    variable_set_signed(p, c->variable, is_signed && !c->mutex); /* a mutex holds numbers of threads */
    c->variable->position = o->position;
    c->variable->shape = shape_of_part(p->exprs, o->shape, c->residue, c->size);
    buf_free(&name);
}

/* Returns an upper bound of a number of bytes, or UINT64_MAX. An allocation cannot be larger than half of the address space. So negative values of
   the whole expression are not counted. */
static uint64_t most_bytes(const Program *p, const Expr *e) {
    unsigned width = e->sort->width;
    uint64_t a, b;
    if (expr_is_const(e)) return (uint64_t)e->value;
    if (width < p->pointer_width) return (UINT64_C(1) << width) - 1;
    switch (e->op) {
    case OP_ZEXT: return most_bytes(p, e->args[0]);
    case OP_SEXT: return most_bytes(p, e->args[0]) / 2 + 1; /* two negative factors may be as large */
    case OP_SHL:
        if (!expr_is_const(e->args[1]) || e->args[1]->value >= 32) return UINT64_MAX;
        return __builtin_mul_overflow(most_bytes(p, e->args[0]), UINT64_C(1) << e->args[1]->value, &a) ? UINT64_MAX : a;
    case OP_MUL: return __builtin_mul_overflow(most_bytes(p, e->args[0]), most_bytes(p, e->args[1]), &a) ? UINT64_MAX : a;
    case OP_ADD: return __builtin_add_overflow(most_bytes(p, e->args[0]), most_bytes(p, e->args[1]), &a) ? UINT64_MAX : a;
    case OP_ITE:
        a = most_bytes(p, e->args[1]);
        b = most_bytes(p, e->args[2]);
        return a > b ? a : b;
    default: return UINT64_MAX;
    }
}

void region_check_room(Partition *r, const Object *site, uint64_t room) {
    program_each_instr(const Instr, i, r->program) {
        if (i->kind != INSTR_ALLOC || i->object != site) continue;
        if (most_bytes(r->program, i->size) >= room) partition_refuse(r, MSG_PASSES_ALLOCATION_LARGE, site);
    }
}

void partition_make_variables(Partition *r) {
    Program *p = r->program;
    bool *shared = program_shared_objects(p);
    for (size_t i = 0; i < vec_len(p->objects) && !r->failed; i++) {
        Object *o = p->objects[i];
        Region *g = &r->regions[i];
        if (o->kind == OBJECT_THREAD && g->used && shared[i]) partition_refuse(r, MSG_PASSES_THREAD_LOCAL_LEAVES, o);
        if (o->kind == OBJECT_LOCAL && r->foreign[i] && p->templates[o->template_]->count != 1)
            partition_refuse(r, MSG_PASSES_LOCAL_SHARED, o);
        for (size_t c = 0; c < vec_len(g->cells); c++) make_variable(r, o, g, &g->cells[c]);
        if (o->kind == OBJECT_HEAP && pointsto_allocates_many(r->pointsto, o)) {
            if (g->used) region_check_room(r, o, pointsto_stride(p));
            Buf name = {0};
            buf_printf(&name, "%s.count", o->name);
            g->count = program_global(p, buf_string(&name), sort_bv(p->exprs, p->pointer_width), expr_bv(p->exprs, p->pointer_width, 0));
            g->count->temporary = true;
            buf_free(&name);
        }
    }
    vec_free(shared);
}
