/* SPDX-License-Identifier: Apache-2.0 */
/* Memory becomes variables: scalars and arrays, split by what pointers can point to.

   requires  a well-formed program, one template per thread (instances)
   ensures   no LOAD, STORE, COPY, FILL, ALLOC, FREE, SIZE, ALIVE or DEAD is left; locations and actions are the same; every
             execution of the program that does not fault is one of the result (which has more: bounds and freed memory are
             not watched, memory that was never written holds any value)
   breaks    nothing

   An object whose accesses lie at exact offsets is a scalar per cell. Where offsets vary, let M be the greatest
   common divisor of the strides with which they do: each cell r … r+size of the stride is an array over the element number
   (offset - r) / M. So `int a[n]` from malloc is one array indexed by element, and an array of structs one array
   per field. A site that allocates many objects numbers them, pointsto_stride apart, and is an array of structs.
   Cells are as small as the pieces in which memory is accessed; a larger piece is several cells.
   An access that may meet several objects, or several places of one, asks the address which of them it is. C's pointer rules are used where they
   help: an address computed from a pointer into an object is in that object (leaving it is undefined). */
#include "transform/program/regions.h"
#include "base/die.h"
#include "base/map.h"
#include "base/vec.h"
#include "ir/layout.h"
#include "ir/shape.h"
#include <inttypes.h>
#include <stdlib.h>

enum { MAX_TARGETS = 8, MAX_BYTES = 16 };

typedef struct Cell {
    uint64_t residue, size; /* bytes from its stride's start */
    Variable *variable;     /* scalar, or array by element number */
    Variable **own;         /* a vec by template: of thread-local storage, each thread's own */
    bool mutex;             /* words that are locked one at a time, at a place only known when it happens */
} Cell;

typedef struct Piece {
    uint64_t residue, size;
} Piece;

typedef struct Region {
    bool used;
    uint64_t stride; /* M; 0: scalars */
    Piece *pieces;   /* a vec: accessed at once; they may overlap */
    Cell *cells;     /* a vec, by residue: such that every piece is some of them in a row */
    bool written;    /* by anything but its initialiser */
    Variable *count; /* of a site that allocates many: how many so far */
} Region;

typedef struct Regions {
    Program *program;
    PointsTo *pointsto;
    Region *regions; /* by object index */
    Buf *why;
    Position *where;
    bool failed;
    bool frees;    /* memory is freed somewhere */
    bool *foreign; /* by object index: a local object that another template reaches */
    const Instr *at;
    unsigned template_; /* at work */
} Regions;

static void fail(Regions *r, const char *text, const Object *o) {
    if (r->failed) return;
    r->failed = true;
    *r->where = r->at ? r->at->position : (Position){0};
    buf_printf(r->why, "%s", text);
    if (o) buf_printf(r->why, " (%s)", o->name);
}

static uint64_t sort_bytes(const Sort *s) { return s->kind == SORT_BV ? (s->width + 7) / 8 : 0; }

/* ---- the accesses of the program ---- */

typedef void (*AccessVisitor)(Regions *, const Template *, const Instr *, const Expr *address, uint64_t size, bool write);

/* A COPY of few bytes is a LOAD and a STORE, a FILL a STORE: what was never written has a value here, and its copy the same. */
static bool spell_out(Program *p, Template *t, const Instr *i, Instr **out) {
    if ((i->kind != INSTR_COPY && i->kind != INSTR_FILL) || !expr_is_const(i->size) || i->size->value > MAX_BYTES) return false;
    unsigned n = (unsigned)i->size->value;
    if (!n) return true;
    Instr store = {.kind = INSTR_STORE, .address = i->address, .value = i->value, .position = i->position};
    for (unsigned k = 1; k < n && i->kind == INSTR_FILL; k++) store.value = expr_2(p->exprs, OP_CONCAT, i->value, store.value);
    if (i->kind == INSTR_COPY) {
        Variable *v = template_local(p, t, "copied", sort_bv(p->exprs, 8 * n));
        v->temporary = true;
        v->position = i->position;
        vec_push(*out, ((Instr){.kind = INSTR_LOAD, .target = v, .address = i->value, .position = i->position}));
        store.value = variable_expr(p, v);
    }
    vec_push(*out, store);
    return true;
}

static void spell_out_copies(Program *p) {
    for (size_t t = 0; t < vec_len(p->templates); t++)
        for (size_t a = 0; a < vec_len(p->templates[t]->actions); a++) {
            Action *action = &p->templates[t]->actions[a];
            Instr *out = NULL;
            for (size_t k = 0; k < vec_len(action->instrs); k++)
                if (!spell_out(p, p->templates[t], &action->instrs[k], &out)) vec_push(out, action->instrs[k]);
            vec_free(action->instrs);
            action->instrs = out;
        }
}

/* Every access of memory, as (address, bytes). */
static void visit_accesses(Regions *r, AccessVisitor visit) {
    for (size_t t = 0; t < vec_len(r->program->templates); t++) {
        const Template *template_ = r->program->templates[t];
        for (size_t a = 0; a < vec_len(template_->actions); a++)
            for (size_t k = 0; k < vec_len(template_->actions[a].instrs); k++) {
                const Instr *i = r->at = &template_->actions[a].instrs[k];
                if (i->kind == INSTR_LOAD) visit(r, template_, i, i->address, sort_bytes(i->target->sort), false);
                if (i->kind == INSTR_STORE) visit(r, template_, i, i->address, sort_bytes(i->value->sort), true);
                if ((i->kind == INSTR_LOCK || i->kind == INSTR_TRYLOCK || i->kind == INSTR_UNLOCK) && i->address)
                    visit(r, template_, i, i->address, 4, true);
            }
    }
    r->at = NULL;
}

static uint64_t gcd(uint64_t a, uint64_t b) { return congruence_join((Congruence){a, 0}, (Congruence){b, 0}).modulus; }

/* Can an access of that size be there? Outside of the object it is undefined. */
static bool is_possible(const Target *to, uint64_t size) {
    const Object *o = to->object;
    if (o->kind == OBJECT_FUNCTION) return false;
    if (to->offset.modulus) return true;
    if ((int64_t)to->offset.residue < 0) return false;
    return o->kind == OBJECT_HEAP || to->offset.residue + size <= o->size;
}

static unsigned count_objects(const Targets *t) {
    unsigned n = 0;
    for (size_t i = 0; i < vec_len(t->list); i++) n += !i || t->list[i].object != t->list[i - 1].object;
    return n;
}

static void note_stride(Regions *r, const Template *t, const Instr *i, const Expr *address, uint64_t size, bool write) {
    (void)i;
    const Targets *targets = pointsto(r->pointsto, address);
    if (pointsto_is_wild(r->pointsto, address)) fail(r, "a pointer that comes from a number or an input: what it points to is not known", NULL);
    if (count_objects(targets) > MAX_TARGETS) fail(r, "a pointer may point to too many objects", NULL);
    for (size_t k = 0; k < vec_len(targets->list); k++) {
        const Target *to = &targets->list[k];
        Region *g = &r->regions[to->object->index];
        if (!is_possible(to, size)) continue;
        g->used = true;
        g->written |= write;
        g->stride = gcd(g->stride, to->offset.modulus);
        if (to->object->kind == OBJECT_LOCAL && to->object->template_ != t->index) r->foreign[to->object->index] = true;
        if (!size || size > MAX_BYTES) fail(r, "an access of a size that is not modelled", to->object);
    }
}

static uint64_t residue_in(const Region *g, const Target *to) { return g->stride ? to->offset.residue % g->stride : to->offset.residue; }

static void note_piece(Regions *r, const Template *t, const Instr *i, const Expr *address, uint64_t size, bool write) {
    (void)t, (void)i, (void)write;
    const Targets *targets = pointsto(r->pointsto, address);
    for (size_t k = 0; k < vec_len(targets->list) && !r->failed; k++) {
        const Target *to = &targets->list[k];
        if (!is_possible(to, size)) continue;
        Region *g = &r->regions[to->object->index];
        Piece n = {residue_in(g, to), size};
        bool found = false;
        if (g->stride && n.residue + size > g->stride) fail(r, "memory is accessed in pieces that overlap", to->object);
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

/* Cells from one end of a piece to the next. */
static void cut_cells(Region *g) {
    uint64_t *ends = NULL;
    for (size_t i = 0; i < vec_len(g->pieces); i++) {
        vec_push(ends, g->pieces[i].residue);
        vec_push(ends, g->pieces[i].residue + g->pieces[i].size);
    }
    if (ends) qsort(ends, vec_len(ends), sizeof *ends, by_number);
    for (size_t i = 0; i + 1 < vec_len(ends); i++)
        if (ends[i] < ends[i + 1] && is_in_piece(g, ends[i])) vec_push(g->cells, ((Cell){.residue = ends[i], .size = ends[i + 1] - ends[i]}));
    vec_free(ends);
}

static Cell *cell_of(Region *g, uint64_t residue) {
    for (size_t c = 0; c < vec_len(g->cells); c++)
        if (g->cells[c].residue == residue) return &g->cells[c];
    die("regions: no cell");
}

static unsigned count_cells(const Region *g, const Cell *first, uint64_t size) {
    unsigned n = 0;
    for (size_t c = 0; c < vec_len(g->cells); c++) n += g->cells[c].residue >= first->residue && g->cells[c].residue < first->residue + size;
    return n;
}

/* Pointers are followed as a whole: those that are accessed in pieces are not. */
static void check_pieces(Regions *r, const Template *t, const Instr *i, const Expr *address, uint64_t size, bool write) {
    (void)t, (void)write;
    const Targets *targets = pointsto(r->pointsto, address);
    const Expr *value = i->kind == INSTR_LOAD ? variable_expr(r->program, i->target) : i->kind == INSTR_STORE ? i->value : NULL;
    for (size_t k = 0; k < vec_len(targets->list) && !r->failed; k++) {
        const Target *to = &targets->list[k];
        if (!is_possible(to, size)) continue;
        Region *g = &r->regions[to->object->index];
        if (cell_of(g, residue_in(g, to))->size == size) continue;
        if (!value || vec_len(pointsto(r->pointsto, value)->list)) fail(r, "memory is accessed in pieces that overlap", to->object);
    }
}

/* A mutex whose place is not one scalar becomes reads and writes of its word, as those of a normal one: nothing but 0 may
   be put there by others. (One that is one scalar is looked at where the system is built.) */
static void visit_mutex_cells(Regions *r, const Instr *i, const Expr *address, uint64_t size, bool locks) {
    const Targets *targets = pointsto(r->pointsto, address);
    for (size_t k = 0; k < vec_len(targets->list) && !r->failed; k++) {
        const Target *to = &targets->list[k];
        if (!is_possible(to, size)) continue;
        Region *g = &r->regions[to->object->index];
        Cell *cell = cell_of(g, residue_in(g, to));
        for (unsigned c = count_cells(g, cell, size); c-- > 0; cell++) {
            if (locks) cell->mutex |= g->stride || vec_len(targets->list) > 1;
            else if (cell->mutex && !(expr_is_const(i->value) && !i->value->value)) fail(r, "a mutex that is not a normal one", to->object);
        }
    }
}

static void note_mutex(Regions *r, const Template *t, const Instr *i, const Expr *address, uint64_t size, bool write) {
    (void)t, (void)write;
    if (i->kind != INSTR_LOAD && i->kind != INSTR_STORE) visit_mutex_cells(r, i, address, size, true);
}

static void check_mutex(Regions *r, const Template *t, const Instr *i, const Expr *address, uint64_t size, bool write) {
    (void)t, (void)write;
    if (i->kind == INSTR_STORE) visit_mutex_cells(r, i, address, size, false);
}

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

/* A constant array with the elements that differ stored into it. */
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
    buf_text(name, o->name);
    shape_path(&path, o->shape, c->residue, is_signed);
    /* An array's name stands for all of its elements. */
    const char *text = buf_string(&path);
    if (g->stride && *text == '[') {
        while (*text && *text != ']') text++;
        if (*text) text++;
    }
    if (o->shape || c->residue) buf_text(name, text);
    buf_free(&path);
}

static const Expr *initial_cell(Regions *r, Object *o, Region *g, Cell *c, const Sort *sort) {
    const Expr *init = g->stride ? initial_array(r->program, o, g, c, sort) : initial_value(r->program, o, c->residue, c->size);
    if (!init) fail(r, "a pointer in an initialiser is read in pieces", o);
    else if (c->mutex && !is_all_zero(init)) fail(r, "a mutex that is not a normal one", o);
    return init;
}

/* Thread-local storage: a local of every template, with an initial value. */
static void make_own(Regions *r, Object *o, Region *g, Cell *c, const char *name, bool is_signed) {
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

static void make_variable(Regions *r, Object *o, Region *g, Cell *c) {
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

/* A bound of a number of bytes, or UINT64_MAX. More than half of the address space cannot be allocated, so what is negative as a whole does not count. */
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

/* Objects must not grow into each other: what a site allocates has to fit. */
static void check_room(Regions *r, const Object *site, uint64_t room) {
    for (size_t t = 0; t < vec_len(r->program->templates); t++)
        for (size_t a = 0; a < vec_len(r->program->templates[t]->actions); a++) {
            const Action *action = &r->program->templates[t]->actions[a];
            for (size_t k = 0; k < vec_len(action->instrs); k++) {
                const Instr *i = &action->instrs[k];
                if (i->kind != INSTR_ALLOC || i->object != site) continue;
                if (most_bytes(r->program, i->size) >= room) fail(r, "an allocation that may be too large", site);
            }
        }
}

static void make_variables(Regions *r) {
    Program *p = r->program;
    bool *shared = program_shared_objects(p);
    for (size_t i = 0; i < vec_len(p->objects) && !r->failed; i++) {
        Object *o = p->objects[i];
        Region *g = &r->regions[i];
        if (o->kind == OBJECT_THREAD && g->used && shared[i]) fail(r, "the address of thread-local storage leaves its thread", o);
        if (o->kind == OBJECT_LOCAL && r->foreign[i] && p->templates[o->template_]->count != 1)
            fail(r, "a local variable of many threads is shared", o);
        for (size_t c = 0; c < vec_len(g->cells); c++) make_variable(r, o, g, &g->cells[c]);
        if (o->kind == OBJECT_HEAP && pointsto_allocates_many(r->pointsto, o)) {
            if (g->used) check_room(r, o, pointsto_stride(p));
            Buf name = {0};
            buf_printf(&name, "%s.count", o->name);
            g->count = program_global(p, buf_string(&name), sort_bv(p->exprs, p->pointer_width), expr_bv(p->exprs, p->pointer_width, 0));
            g->count->temporary = true;
            buf_free(&name);
        }
    }
    vec_free(shared);
}

/* ---- addresses ---- */

/* Where in o, if e points into it, in one way alone; NULL: several, or not. */
static const Target *target_in(Regions *r, const Expr *e, const Object *o) {
    const Targets *t = pointsto(r->pointsto, e);
    const Target *found = NULL;
    for (size_t i = 0; i < vec_len(t->list); i++) {
        if (t->list[i].object != o) continue;
        if (found) return NULL;
        found = &t->list[i];
    }
    return found;
}

static bool is_pointer(Regions *r, const Expr *e) { return vec_len(pointsto(r->pointsto, e)->list) > 0; }

/* The offset of e from o's base, given that e points into o. */
static const Expr *offset_in(Regions *r, const Expr *e, const Object *o) {
    Program *p = r->program;
    const Target *t = target_in(r, e, o);
    if (t && !t->offset.modulus) return expr_bv(p->exprs, p->pointer_width, t->offset.residue);
    if (e->op == OP_ADD && is_pointer(r, e->args[0]) != is_pointer(r, e->args[1])) {
        unsigned k = is_pointer(r, e->args[0]) ? 0 : 1;
        return expr_2f(p->exprs, OP_ADD, FLAG_NSW, offset_in(r, e->args[k], o), e->args[1 - k]); /* C's pointer arithmetic does not wrap around */
    }
    if (e->op == OP_SUB && !is_pointer(r, e->args[1])) return expr_2f(p->exprs, OP_SUB, FLAG_NSW, offset_in(r, e->args[0], o), e->args[1]);
    return expr_2(p->exprs, OP_SUB, e, object_address(p, o));
}

static bool divides(uint64_t by, const Expr *e) {
    Congruence c = pointsto_number(e);
    return c.modulus % by == 0 && (int64_t)c.residue % (int64_t)by == 0;
}

static const Expr *quotient(Exprs *, const Expr *e, uint64_t by);

/* A constant, if it divides. */
static const Expr *constant_quotient(Exprs *x, const Expr *e, uint64_t by) {
    unsigned shift = 64 - e->sort->width;
    int64_t v = (int64_t)((uint64_t)e->value << shift) >> shift;
    return v % (int64_t)by ? NULL : expr_bv(x, e->sort->width, (u128)(i128)(v / (int64_t)by));
}

static const Expr *quotient_of_sum(Exprs *x, const Expr *e, uint64_t by) {
    const Expr *a = quotient(x, e->args[0], by), *b = a ? quotient(x, e->args[1], by) : NULL;
    bool moved = expr_is_const(e->args[0]) || expr_is_const(e->args[1]); /* by a constant, within the object */
    return b && (moved || pointsto_exact(e)) ? expr_2(x, e->op, a, b) : NULL;
}

/* e / by, if it is a whole number, as one with sign, that needs no division. What may have wrapped around is none: (i * 4) / 4 is not i then. */
static const Expr *quotient(Exprs *x, const Expr *e, uint64_t by) {
    const Expr *q;
    if (expr_is_const(e)) return constant_quotient(x, e, by);
    switch (e->op) {
    case OP_ADD:
    case OP_SUB: return quotient_of_sum(x, e, by);
    case OP_MUL:
        q = expr_is_const(e->args[1]) && pointsto_exact(e) ? constant_quotient(x, e->args[1], by) : NULL;
        return q ? expr_2(x, OP_MUL, e->args[0], q) : NULL;
    case OP_SHL:
        if (!expr_is_const(e->args[1]) || e->args[1]->value >= 32 || !pointsto_exact(e) || ((uint64_t)1 << e->args[1]->value) % by) return NULL;
        return expr_2(x, OP_MUL, e->args[0], expr_bv(x, e->sort->width, ((uint64_t)1 << e->args[1]->value) / by));
    case OP_SEXT:
        q = pointsto_exact(e->args[0]) && by >> (e->args[0]->sort->width - 1) == 0 ? quotient(x, e->args[0], by) : NULL;
        return q ? expr_convert(x, OP_SEXT, q, e->sort->width) : NULL;
    case OP_ZEXT: return divides(by, e) ? expr_2(x, OP_UDIV, e, expr_bv(x, e->sort->width, by)) : NULL;
    default: return NULL;
    }
}

/* e / by, for an offset e in an object that by divides. */
static const Expr *divided(Exprs *x, const Expr *e, uint64_t by) {
    const Expr *q = by == 1 ? e : quotient(x, e, by);
    return q ? q : expr_2(x, OP_UDIV, e, expr_bv(x, e->sort->width, by));
}

/* A place in a region: the cells, lowest first, and for arrays which element. */
typedef struct Place {
    Cell *cells;
    unsigned ncells;
    const Expr *element; /* NULL: a scalar */
    const Expr *here;    /* the condition that the address means this place */
} Place;

/* Room for what a site allocates: allocation sites follow one another behind everything else. */
static uint64_t site_room(const Program *p) { return pointsto_stride(p) * 256; }

/* How far addresses go that mean the object. */
static uint64_t extent(const Program *p, const Object *o) {
    uint64_t least = pointsto_stride(p);
    if (o->kind == OBJECT_HEAP) return site_room(p);
    return o->size < least ? least : o->size + 1;
}

/* Does e point to this target, and not to another in the set? */
static const Expr *points_to(Regions *r, const Expr *e, const Targets *all, const Target *t) {
    Program *p = r->program;
    Exprs *x = p->exprs;
    const Expr *base = object_address(p, t->object), *offset = expr_2(x, OP_SUB, e, base), *c = expr_bool(x, true);
    if (vec_len(all->list) == 1) return c;
    if (!t->offset.modulus) return expr_eq(x, e, expr_2(x, OP_ADD, base, expr_bv(x, p->pointer_width, t->offset.residue)));
    if (count_objects(all) > 1) {
        if (pointsto_allocates_many(r->pointsto, t->object)) fail(r, "a pointer may point to objects of several places that allocate many", t->object);
        if (t->object->kind == OBJECT_HEAP) check_room(r, t->object, site_room(p));
        c = expr_2(x, OP_ULT, offset, expr_bv(x, p->pointer_width, extent(p, t->object)));
    }
    if (target_in(r, e, t->object)) return c;
    const Expr *rest = expr_2(x, OP_UREM, offset, expr_bv(x, p->pointer_width, t->offset.modulus));
    return expr_and(x, c, expr_eq(x, rest, expr_bv(x, p->pointer_width, t->offset.residue)));
}

/* The places an address can mean, as a vec. */
static Place *places(Regions *r, const Expr *address, uint64_t size) {
    Program *p = r->program;
    const Targets *t = pointsto(r->pointsto, address);
    Place *list = NULL;
    for (size_t i = 0; i < vec_len(t->list); i++) {
        const Target *to = &t->list[i];
        if (!is_possible(to, size)) continue;
        Region *g = &r->regions[to->object->index];
        Place at = {.here = points_to(r, address, t, to)};
        uint64_t residue = residue_in(g, to);
        at.cells = cell_of(g, residue);
        at.ncells = count_cells(g, at.cells, size);
        if (g->stride) {
            const Expr *offset = to->offset.modulus ? offset_in(r, address, to->object) : expr_bv(p->exprs, p->pointer_width, to->offset.residue);
            at.element = divided(p->exprs, expr_2(p->exprs, OP_SUB, offset, expr_bv(p->exprs, p->pointer_width, residue)), g->stride);
        }
        vec_push(list, at);
    }
    return list;
}

static Variable *variable_at(const Regions *r, const Cell *c) { return c->own ? c->own[r->template_] : c->variable; }

static const Expr *read_cell(Regions *r, const Place *at, unsigned k) {
    const Expr *v = variable_expr(r->program, variable_at(r, &at->cells[k]));
    return at->element ? expr_2(r->program->exprs, OP_SELECT, v, at->element) : v;
}

static const Expr *read_place(Regions *r, const Place *at) {
    const Expr *value = read_cell(r, at, 0);
    for (unsigned k = 1; k < at->ncells; k++) value = expr_2(r->program->exprs, OP_CONCAT, read_cell(r, at, k), value);
    return value;
}

/* The variable's new value when `value` is written to the cell. */
static const Expr *written_cell(Regions *r, const Place *at, unsigned k, const Expr *value) {
    Exprs *x = r->program->exprs;
    const Expr *old = variable_expr(r->program, variable_at(r, &at->cells[k]));
    const Expr *args[] = {old, at->element, value};
    return expr_ite(x, at->here, at->element ? expr_make(x, OP_STORE, 0, 3, args) : value, old);
}

/* ---- instructions ---- */

static Instr assignment(const Instr *like, Variable *target, const Expr *value) {
    return (Instr){.kind = INSTR_ASSIGN, .target = target, .value = value, .atomic = like->atomic, .position = like->position};
}

static Instr assumption(const Instr *like, const Expr *value) {
    return (Instr){.kind = INSTR_ASSUME, .value = value, .position = like->position};
}

static const Expr *read_address(Regions *r, const Place *list, unsigned width) {
    Exprs *x = r->program->exprs;
    const Expr *value = NULL;
    for (size_t i = vec_len(list); i-- > 0;) {
        const Expr *v = expr_extract(x, read_place(r, &list[i]), 0, width);
        value = value ? expr_ite(x, list[i].here, v, value) : v;
    }
    return value;
}

static void write_places(Regions *r, const Instr *like, const Place *list, const Expr *value, Instr **out) {
    Exprs *x = r->program->exprs;
    for (size_t i = 0; i < vec_len(list); i++) {
        const Expr *whole = expr_convert(x, OP_ZEXT, value, (unsigned)sort_bytes(value->sort) * 8);
        unsigned low = 0;
        for (unsigned k = 0; k < list[i].ncells; k++) {
            unsigned width = (unsigned)list[i].cells[k].size * 8;
            const Expr *part = expr_extract(x, whole, low, width);
            vec_push(*out, assignment(like, variable_at(r, &list[i].cells[k]), written_cell(r, &list[i], k, part)));
            low += width;
        }
    }
}

/* A mutex whose place is not one scalar: as reads and writes of its word. */
static void rewrite_lock(Regions *r, const Template *t, const Instr *i, const Place *list, Instr **out) {
    Exprs *x = r->program->exprs;
    const Expr *word = read_address(r, list, 32), *self = variable_expr(r->program, t->self), *zero = expr_bv(x, 32, 0);
    const Expr *free = expr_eq(x, word, zero);
    if (i->kind == INSTR_LOCK) vec_push(*out, assumption(i, free));
    const Expr *next = i->kind == INSTR_LOCK ? self : i->kind == INSTR_UNLOCK ? zero : expr_ite(x, free, self, word);
    const Expr *result = i->kind == INSTR_TRYLOCK ? expr_ite(x, free, zero, expr_bv(x, 32, 16)) : zero;
    if (i->target) vec_push(*out, assignment(i, i->target, result));
    write_places(r, i, list, next, out);
}

static uint64_t access_size(const Instr *i) {
    return i->kind == INSTR_LOAD ? sort_bytes(i->target->sort) : i->kind == INSTR_STORE ? sort_bytes(i->value->sort) : 4;
}

static void rewrite_access(Regions *r, const Template *t, const Instr *i, Instr **out) {
    Place *list = places(r, i->address, access_size(i));
    if (!vec_len(list)) { /* null, not initialised, or beyond the object: the access faults (a wild address was refused) */
        vec_push(*out, assumption(i, expr_bool(r->program->exprs, false)));
    } else if (i->kind == INSTR_LOAD) {
        vec_push(*out, assignment(i, i->target, read_address(r, list, i->target->sort->width)));
    } else if (i->kind == INSTR_STORE) {
        write_places(r, i, list, i->value, out);
    } else if (vec_len(list) == 1 && !list[0].element && !list[0].cells->mutex) {
        Instr lock = *i;
        lock.cell = variable_at(r, list[0].cells);
        lock.address = NULL;
        vec_push(*out, lock);
    } else {
        rewrite_lock(r, t, i, list, out);
    }
    vec_free(list);
}

/* Fresh memory holds any value, or zeros. */
static void fresh(Regions *r, const Instr *i, const Object *o, Instr **out) {
    Program *p = r->program;
    Region *g = &r->regions[o->index];
    for (size_t c = 0; c < vec_len(g->cells); c++) {
        Cell *cell = &g->cells[c];
        if (!i->zeroed) {
            vec_push(*out, ((Instr){.kind = INSTR_HAVOC, .target = cell->variable, .position = i->position}));
            continue;
        }
        const Expr *zero = expr_bv(p->exprs, (unsigned)cell->size * 8, 0);
        vec_push(*out, assignment(i, cell->variable, g->stride ? expr_const_array(p->exprs, cell->variable->sort, zero) : zero));
    }
}

/* The next of a site's many objects; its cells were never written, and hold any value since the start. */
static void next_object(Regions *r, const Instr *i, Instr **out) {
    Program *p = r->program;
    Region *g = &r->regions[i->object->index];
    const Expr *n = variable_expr(p, g->count);
    const Expr *base = object_address(p, i->object), *stride = expr_bv(p->exprs, p->pointer_width, pointsto_stride(p));
    for (size_t c = 0; c < vec_len(g->cells) && i->zeroed; c++) {
        if (g->stride != pointsto_stride(p)) {
            fail(r, "many zeroed arrays are allocated at one place", i->object);
            break;
        }
        const Expr *args[] = {variable_expr(p, g->cells[c].variable), n, expr_bv(p->exprs, (unsigned)g->cells[c].size * 8, 0)};
        vec_push(*out, assignment(i, g->cells[c].variable, expr_make(p->exprs, OP_STORE, 0, 3, args)));
    }
    vec_push(*out, assignment(i, i->target, expr_2(p->exprs, OP_ADD, base, expr_2(p->exprs, OP_MUL, n, stride))));
    vec_push(*out, assignment(i, g->count, expr_2(p->exprs, OP_ADD, n, expr_bv(p->exprs, p->pointer_width, 1))));
}

static void rewrite(Regions *r, const Template *t, const Instr *i, Instr **out) {
    Program *p = r->program;
    r->at = i;
    switch (i->kind) {
    case INSTR_LOAD:
    case INSTR_STORE: rewrite_access(r, t, i, out); return;
    case INSTR_LOCK:
    case INSTR_TRYLOCK:
    case INSTR_UNLOCK:
        if (i->address) rewrite_access(r, t, i, out);
        else vec_push(*out, *i);
        return;
    case INSTR_ALLOC:
        if (r->regions[i->object->index].count) {
            next_object(r, i, out);
        } else {
            fresh(r, i, i->object, out);
            vec_push(*out, assignment(i, i->target, object_address(p, i->object)));
        }
        return;
    case INSTR_ALIVE: fresh(r, i, i->object, out); return;
    case INSTR_DEAD:
    case INSTR_FREE: return;
    case INSTR_SIZE: vec_push(*out, ((Instr){.kind = INSTR_HAVOC, .target = i->target, .position = i->position})); return;
    case INSTR_COPY:
    case INSTR_FILL: fail(r, "a copy of many bytes is not modelled", NULL); return;
    default: vec_push(*out, *i);
    }
}

/* ---- addresses become numbers ---- */

typedef struct Bases {
    Program *program;
    Layout *layout;
    unsigned thread; /* whose objects are meant; each template is one thread */
} Bases;

static uint64_t site_address(const Bases *b, const Object *site) {
    uint64_t room = site_room(b->program), before = 0;
    for (unsigned i = 0; i < site->index; i++) before += b->program->objects[i]->kind == OBJECT_HEAP;
    return layout_heap_start(b->layout) + before * room;
}

static const Expr *base_number(void *context, const Expr *e) {
    const Bases *b = context;
    if (e->symbol->kind != SYM_ADDRESS) return NULL;
    const Object *o = e->symbol->user;
    unsigned thread = o->kind == OBJECT_THREAD ? b->thread : 1; /* a local belongs to one template */
    uint64_t address = o->kind == OBJECT_HEAP ? site_address(b, o) : layout_address(b->layout, o, thread);
    return expr_bv(b->program->exprs, b->program->pointer_width, address);
}

static const Expr *numbered(Bases *b, const Expr *e) {
    return e ? expr_substitute(b->program->exprs, e, base_number, b) : NULL;
}

static void number_addresses(Program *p) {
    Bases b = {p, layout_new(p), 1};
    for (size_t i = 0; i < vec_len(p->globals); i++) p->globals[i]->init = numbered(&b, p->globals[i]->init);
    for (size_t t = 0; t < vec_len(p->templates); t++)
        for (size_t a = 0; a < vec_len(p->templates[t]->actions); a++) {
            Action *action = &p->templates[t]->actions[a];
            b.thread = (unsigned)t + 1;
            action->guard = numbered(&b, action->guard);
            for (size_t i = 0; i < vec_len(action->instrs); i++) {
                Instr *in = &action->instrs[i];
                in->address = numbered(&b, in->address);
                in->value = numbered(&b, in->value);
                in->size = numbered(&b, in->size);
            }
        }
    layout_free(b.layout);
}

/* ---- comparing addresses ----
   The system never uses an address again, malloc may. A program can tell only by comparing a pointer to freed memory with one to
   new memory: if memory is freed at all, no two pointers into the heap may be compared. And a site that allocates many objects has
   room for some hundreds before their addresses are those of the next site: pointers to different ones may not be compared.
   An object of each of many threads has one address for all of them: pointers to it may be compared with nothing but null. */

static bool into_heap(Regions *r, const Expr *e) {
    const Targets *t = pointsto(r->pointsto, e);
    for (size_t i = 0; i < vec_len(t->list); i++)
        if (t->list[i].object->kind == OBJECT_HEAP) return true;
    return false;
}

/* What tells one address from another, or takes a number from an address that nobody follows: all but moving within an
   object, choosing, keeping in arrays, and comparing with what is no pointer into the heap. */
static bool reveals(Regions *r, const Expr *e) {
    unsigned n = 0;
    for (unsigned i = 0; i < e->nargs; i++) n += e->args[i]->sort->kind == SORT_BV && into_heap(r, e->args[i]);
    if (!n) return false;
    switch (e->op) {
    case OP_ITE:
    case OP_SELECT:
    case OP_STORE:
    case OP_CONST_ARRAY: return false;
    case OP_EQ:
    case OP_ULT:
    case OP_ULE:
    case OP_ADD: return n > 1;
    case OP_SUB: return n > 1 || into_heap(r, e->args[1]);
    default: return true;
    }
}

/* Are pointers compared that may be to objects of different sites, one of which allocates many? */
static bool compares_sites(Regions *r, const Expr *e) {
    const Object *first = NULL;
    bool many = false, differ = false;
    if (e->op != OP_EQ && e->op != OP_ULT && e->op != OP_ULE) return false;
    for (unsigned k = 0; k < 2; k++) {
        if (e->args[k]->sort->kind != SORT_BV || !into_heap(r, e->args[k])) return false;
        const Targets *t = pointsto(r->pointsto, e->args[k]);
        for (size_t i = 0; i < vec_len(t->list); i++) {
            const Object *o = t->list[i].object;
            if (o->kind != OBJECT_HEAP) continue;
            differ |= first && first != o;
            first = o;
            many |= pointsto_allocates_many(r->pointsto, o);
        }
    }
    return many && differ;
}

/* Has the object an instance in each of many threads? */
static bool is_of_many(const Program *p, const Object *o) {
    if (o->kind == OBJECT_LOCAL) return p->templates[o->template_]->count != 1;
    bool many = false;
    for (size_t t = 0; t < vec_len(p->templates); t++) many |= p->templates[t]->count != 1;
    return o->kind == OBJECT_THREAD && many;
}

static bool into_many(Regions *r, const Expr *e) {
    const Targets *t = pointsto(r->pointsto, e);
    for (size_t i = 0; i < vec_len(t->list); i++)
        if (is_of_many(r->program, t->list[i].object)) return true;
    return false;
}

/* Is the address of an object of many threads looked at? */
static bool tells_threads(Regions *r, const Expr *e) {
    bool into = false;
    for (unsigned i = 0; i < e->nargs; i++) into |= e->args[i]->sort->kind == SORT_BV && into_many(r, e->args[i]);
    if (!into) return false;
    switch (e->op) {
    case OP_ITE:
    case OP_ADD:
    case OP_SELECT:
    case OP_STORE:
    case OP_CONST_ARRAY: return false;
    case OP_SUB: return into_many(r, e->args[1]);
    case OP_EQ: return !(expr_is_const(e->args[0]) && !e->args[0]->value) && !(expr_is_const(e->args[1]) && !e->args[1]->value);
    default: return true;
    }
}

static void look_for_comparisons(void *context, const Expr *e) {
    Regions *r = context;
    if (r->frees && reveals(r, e)) fail(r, "pointers into the heap are compared while memory is freed: malloc may use an address again", NULL);
    if (tells_threads(r, e)) fail(r, "addresses of the local variables of many threads are compared", NULL);
    if (compares_sites(r, e)) fail(r, "pointers to objects of several places that allocate many are compared", NULL);
    for (unsigned i = 0; i < e->nargs; i++) look_for_comparisons(r, e->args[i]);
}

static void check_comparisons(Regions *r) {
    Program *p = r->program;
    for (int round = 0; round < 2; round++)
        for (size_t t = 0; t < vec_len(p->templates); t++)
            for (size_t a = 0; a < vec_len(p->templates[t]->actions); a++) {
                const Action *action = &p->templates[t]->actions[a];
                if (round) look_for_comparisons(r, action->guard);
                for (size_t i = 0; i < vec_len(action->instrs); i++) {
                    r->frees |= action->instrs[i].kind == INSTR_FREE;
                    r->at = &action->instrs[i];
                    if (round) instr_expressions(&action->instrs[i], look_for_comparisons, r);
                }
            }
    r->at = NULL;
}

static void rewrite_program(Regions *r) {
    Program *p = r->program;
    for (size_t t = 0; t < vec_len(p->templates) && !r->failed; t++)
        for (size_t a = 0; a < vec_len(p->templates[t]->actions); a++) {
            Action *action = &p->templates[t]->actions[a];
            Instr *out = NULL;
            r->template_ = (unsigned)t;
            for (size_t i = 0; i < vec_len(action->instrs); i++) rewrite(r, p->templates[t], &action->instrs[i], &out);
            vec_free(action->instrs);
            action->instrs = out;
        }
}

bool regions(Program *p, Buf *why, Position *where) {
    spell_out_copies(p);
    Regions r = {.program = p, .pointsto = pointsto_new(p), .why = why, .where = where};
    vec_resize(r.regions, vec_len(p->objects));
    vec_resize(r.foreign, vec_len(p->objects));
    check_comparisons(&r);
    if (!r.failed) visit_accesses(&r, note_stride);
    if (!r.failed) visit_accesses(&r, note_piece);
    for (size_t i = 0; i < vec_len(r.regions) && !r.failed; i++) cut_cells(&r.regions[i]);
    if (!r.failed) visit_accesses(&r, check_pieces);
    if (!r.failed) visit_accesses(&r, note_mutex);
    if (!r.failed) visit_accesses(&r, check_mutex);
    if (!r.failed) make_variables(&r);
    if (!r.failed) rewrite_program(&r);
    if (!r.failed) number_addresses(p);
    for (size_t i = 0; i < vec_len(r.regions); i++) {
        for (size_t c = 0; c < vec_len(r.regions[i].cells); c++) vec_free(r.regions[i].cells[c].own);
        vec_free(r.regions[i].cells);
        vec_free(r.regions[i].pieces);
    }
    vec_free(r.regions);
    vec_free(r.foreign);
    pointsto_free(r.pointsto);
    return !r.failed;
}
