/* SPDX-License-Identifier: Apache-2.0 */
/* Replaces objects that are only accessed at constant addresses by variables.

   requires  a well-formed program
   ensures   the templates, locations and actions stay. An object is promoted if its address is only used for accesses at constant offsets,
             and these accesses agree where the parts of the object (its cells) begin and end. A variable per cell replaces it; the contents
             replace a constant object. The program is well-formed.
   breaks    object indices (promoted objects are removed)

   Invariant of the result: the address symbol of a promoted object occurs nowhere. Values do not change: an access that
   would fault (out of bounds, a write to a constant) keeps its object in memory. A COPY relates the cells of its two sides:
   the cells of one side are imposed on the other until nothing changes. */
#include "passes/program/program_passes.h"
#include "ir/shape.h"
#include <string.h>

enum { MAX_CELLS = 64, MAX_CELL_BYTES = 16 };

typedef struct Cell {
    uint64_t offset, size; /* bytes */
    Variable *variable;    /* NULL in a constant object */
    const Expr *value;     /* the value of a read: the variable, or the constant */
} Cell;

typedef struct Candidate {
    bool rejected;
    Cell *cells; /* a vec */
} Candidate;

typedef struct Promotion {
    Program *program;
    Candidate *candidates; /* by object index */
    Instr *copies;         /* a vec: the COPYs of the program, for the fixpoint */
} Promotion;

/* ---- addresses ---- */

/* True if e is an object's address plus a constant, which may be negative. Sets *object and *offset. */
static bool constant_address(const Program *p, const Expr *e, Object **object, uint64_t *offset) {
    const Expr *base = e, *constant = NULL;
    if (e->op == OP_ADD) {
        constant = expr_is_const(e->args[1]) ? e->args[1] : e->args[0];
        base = constant == e->args[1] ? e->args[0] : e->args[1];
        if (!expr_is_const(constant)) return false;
    }
    if (base->op != OP_SYMBOL || base->symbol->kind != SYM_ADDRESS) return false;
    *object = base->symbol->user;
    uint64_t c = constant ? (uint64_t)constant->value : 0;
    *offset = p->pointer_width == 32 ? (uint64_t)(int32_t)c : c;
    return true;
}

static Candidate *candidate_of(Promotion *pr, const Object *o) { return &pr->candidates[o->index]; }

static void reject_symbol(void *context, const Symbol *s) {
    Promotion *pr = context;
    if (s->kind == SYM_ADDRESS) candidate_of(pr, s->user)->rejected = true;
}

/* Rejects the objects whose addresses occur in e: an address that is used as a value keeps its object in memory. */
static void reject_addresses(void *context, const Expr *e) { expr_symbols(e, reject_symbol, context); }

/* ---- cells ---- */

/* Adds a cell; returns false if it overlaps another cell in part, or a limit is exceeded. */
static bool add_cell(Candidate *c, uint64_t offset, uint64_t size, bool *changed) {
    vec_each_at(const Cell, k, c->cells) {
        if (k->offset == offset && k->size == size) return true;
        if (offset < k->offset + k->size && k->offset < offset + size) return false;
    }
    if (size > MAX_CELL_BYTES || vec_len(c->cells) >= MAX_CELLS) return false;
    vec_push(c->cells, ((Cell){.offset = offset, .size = size}));
    if (changed) *changed = true;
    return true;
}

static bool inside(const Object *o, uint64_t offset, uint64_t size) { return offset <= o->size && size <= o->size - offset; }

/* Records an access of size bytes at the address as one cell. */
static void note_access(Promotion *pr, const Expr *address, uint64_t size, bool write) {
    Object *o;
    uint64_t offset;
    if (!constant_address(pr->program, address, &o, &offset)) {
        reject_addresses(pr, address);
        return;
    }
    Candidate *c = candidate_of(pr, o);
    if (!inside(o, offset, size) || (write && o->readonly) || !add_cell(c, offset, size, NULL)) c->rejected = true;
}

/* Records an access of a range that may span cells: a side of a COPY, or a FILL. Rejects the object unless the range lies inside. */
static void note_range(Promotion *pr, const Expr *address, const Expr *size, bool write) {
    Object *o;
    uint64_t offset;
    if (!expr_is_const(size) || !constant_address(pr->program, address, &o, &offset)) reject_addresses(pr, address);
    else if (!inside(o, offset, (uint64_t)size->value) || (write && o->readonly)) candidate_of(pr, o)->rejected = true;
}

static uint64_t sort_bytes(const Sort *s) { return s->kind == SORT_BV ? (s->width + 7) / 8 : UINT64_MAX; }

/* True if an INVALID never holds, since the access lies inside a global. (A local may be dead.) */
static bool is_in_global(const Program *p, const Instr *i) {
    Object *o;
    uint64_t offset;
    return i->size && expr_is_const(i->size) && constant_address(p, i->address, &o, &offset) && o->kind == OBJECT_GLOBAL &&
           inside(o, offset, (uint64_t)i->size->value) && !(i->writes && o->readonly);
}

static void note_instr(Promotion *pr, const Instr *i) {
    switch (i->kind) {
    case INSTR_LOAD: note_access(pr, i->address, sort_bytes(i->target->sort), false); return;
    case INSTR_STORE:
        reject_addresses(pr, i->value);
        note_access(pr, i->address, sort_bytes(i->value->sort), true);
        return;
    case INSTR_LOCK:
    case INSTR_TRYLOCK:
    case INSTR_UNLOCK:
        if (i->address) note_access(pr, i->address, 4, true);
        return;
    case INSTR_COPY:
        reject_addresses(pr, i->size);
        note_range(pr, i->address, i->size, true);
        note_range(pr, i->value, i->size, false);
        vec_push(pr->copies, *i);
        return;
    case INSTR_FILL:
        reject_addresses(pr, i->size);
        reject_addresses(pr, i->value);
        note_range(pr, i->address, i->size, true);
        if (!expr_is_const(i->value)) reject_addresses(pr, i->address);
        return;
    case INSTR_INVALID:
        if (!is_in_global(pr->program, i)) instr_expressions(i, reject_addresses, pr);
        return;
    default: instr_expressions(i, reject_addresses, pr);
    }
}

/* ---- COPY and FILL span cells ---- */

/* True if each cell of c lies inside or outside of [offset, offset + size). */
static bool cells_fit(const Candidate *c, uint64_t offset, uint64_t size) {
    vec_each_at(const Cell, k, c->cells) {
        bool in = k->offset >= offset && k->offset + k->size <= offset + size;
        bool out = k->offset + k->size <= offset || k->offset >= offset + size;
        if (!in && !out) return false;
    }
    return true;
}

static size_t cells_within(const Candidate *c, uint64_t offset, uint64_t size) {
    size_t n = 0;
    for (size_t i = 0; i < vec_len(c->cells); i++) n += c->cells[i].offset >= offset && c->cells[i].offset < offset + size;
    return n;
}

/* Adds the cells of `from` within [a, a + size) to `to` at b; returns false if one does not fit. */
static bool impose(const Candidate *from, uint64_t a, Candidate *to, uint64_t b, uint64_t size, bool *changed) {
    vec_each(Cell, k, from->cells)
        if (k.offset >= a && k.offset < a + size && !add_cell(to, k.offset - a + b, k.size, changed)) return false;
    return true;
}

static bool in_cell(const Candidate *c, uint64_t at) {
    for (size_t i = 0; i < vec_len(c->cells); i++)
        if (at >= c->cells[i].offset && at < c->cells[i].offset + c->cells[i].size) return true;
    return false;
}

/* Adds cells for the bytes of [offset, offset + size) that no cell covers. */
static bool add_rest(Candidate *c, uint64_t offset, uint64_t size, bool *changed) {
    for (uint64_t at = offset, end = offset + size; at < end; at++) {
        uint64_t n = 0;
        while (at + n < end && n < MAX_CELL_BYTES && !in_cell(c, at + n)) n++;
        if (n && !add_cell(c, at, n, changed)) return false;
    }
    return true;
}

/* Makes the cells of the two sides of a COPY agree, or rejects an object. Returns true if anything changed. */
static bool settle_copy(Promotion *pr, const Instr *copy) {
    Object *to, *from;
    uint64_t a, b, size = (uint64_t)copy->size->value;
    if (!expr_is_const(copy->size)) return false;
    bool is_to = constant_address(pr->program, copy->address, &to, &a) && !candidate_of(pr, to)->rejected;
    bool is_from = constant_address(pr->program, copy->value, &from, &b) && !candidate_of(pr, from)->rejected;
    bool changed = false;
    Candidate *ct = is_to ? candidate_of(pr, to) : NULL, *cf = is_from ? candidate_of(pr, from) : NULL;
    if (ct && !cells_fit(ct, a, size)) return ct->rejected = true;
    if (cf && !cells_fit(cf, b, size)) return cf->rejected = true;
    if (ct && cf) {
        bool overlap = ct == cf && a != b && a < b + size && b < a + size;
        if (overlap) return ct->rejected = true;
        if (!impose(ct, a, cf, b, size, &changed)) return cf->rejected = true;
        if (!impose(cf, b, ct, a, size, &changed)) return ct->rejected = true;
    }
    /* A range that is copied but never accessed becomes one cell, if it is small. */
    if (ct && !cells_within(ct, a, size) && !add_cell(ct, a, size, &changed)) return ct->rejected = true;
    if (cf && !cells_within(cf, b, size) && !add_cell(cf, b, size, &changed)) return cf->rejected = true;
    /* Code may read every byte of a copy in memory. */
    if (cf && !ct && !add_rest(cf, b, size, &changed)) return cf->rejected = true;
    return changed;
}

static void settle_fills(Promotion *pr) {
    Program *p = pr->program;
    program_each_instr(const Instr, in, p) {
        Object *o;
        uint64_t offset;
        if (in->kind == INSTR_FILL && constant_address(p, in->address, &o, &offset) && expr_is_const(in->size) &&
            !cells_fit(candidate_of(pr, o), offset, (uint64_t)in->size->value))
            candidate_of(pr, o)->rejected = true;
    }
}

/* ---- candidates ---- */

static void note_program(Promotion *pr) {
    Program *p = pr->program;
    for (size_t i = 0; i < vec_len(p->globals); i++)
        if (p->globals[i]->init) reject_addresses(pr, p->globals[i]->init);
    vec_each(const Object *, o, p->objects) {
        Candidate *c = candidate_of(pr, o);
        c->rejected |= o->kind != OBJECT_GLOBAL && o->kind != OBJECT_LOCAL;
        for (unsigned r = 0; r < o->nrelocations; r++) reject_symbol(pr, o->relocations[r].target);
    }
    program_each_action(const Action, action, p) {
        reject_addresses(pr, action->guard);
        for (size_t i = 0; i < vec_len(action->instrs); i++) note_instr(pr, &action->instrs[i]);
    }
}

/* Returns the initial value of a cell of a global object, or NULL if a relocation does not fit the cell. */
static const Expr *initial_value(Program *p, const Object *o, const Cell *c) {
    for (unsigned r = 0; r < o->nrelocations; r++) {
        const Relocation *l = &o->relocations[r];
        uint64_t size = p->pointer_width / 8;
        if (l->offset >= c->offset + c->size || l->offset + size <= c->offset) continue;
        if (l->offset != c->offset || size != c->size) return NULL;
        return expr_2(p->exprs, OP_ADD, expr_symbol(p->exprs, l->target), expr_bv(p->exprs, p->pointer_width, (u128)(i128)l->addend));
    }
    u128 value = 0;
    for (uint64_t i = 0; o->bytes && i < c->size; i++) value |= (u128)o->bytes[c->offset + i] << 8 * i;
    return expr_bv(p->exprs, (unsigned)c->size * 8, value);
}

static void decide(Promotion *pr) {
    note_program(pr);
    for (bool again = true; again;) {
        again = false;
        for (size_t i = 0; i < vec_len(pr->copies); i++) again |= settle_copy(pr, &pr->copies[i]);
    }
    settle_fills(pr);
    vec_each(const Object *, o, pr->program->objects) {
        Candidate *c = candidate_of(pr, o);
        for (size_t k = 0; k < vec_len(c->cells) && !c->rejected && o->kind == OBJECT_GLOBAL; k++)
            c->rejected = !initial_value(pr->program, o, &c->cells[k]);
    }
}

/* Sorts cells by offset. Questions about lost memory need this: the parts of a pointer that spans several cells become adjacent variables. */
static void sort_cells(Cell *cells) {
    for (size_t i = 1; i < vec_len(cells); i++)
        for (size_t k = i; k > 0 && cells[k].offset < cells[k - 1].offset; k--) {
            Cell c = cells[k];
            cells[k] = cells[k - 1];
            cells[k - 1] = c;
        }
}

/* ---- the replacement ---- */

static void make_variable(Promotion *pr, const Object *o, Cell *c) {
    Program *p = pr->program;
    if (o->readonly) {
        c->value = initial_value(p, o, c);
        return;
    }
    Buf name = {0}, part = {0};
    bool is_signed = false;
    if (shape_is_piece(o->shape, c->offset, c->size)) {
        shape_piece(&name, o->name, c->offset, c->size);
    } else {
        buf_text(&name, o->name);
        if (!(c->offset == 0 && c->size == o->size && !o->shape) && !shape_several(&name, &part, o->shape, c->offset, c->size))
            shape_path(&name, o->shape, c->offset, &is_signed);
    }
    buf_free(&part);
    const Sort *sort = sort_bv(p->exprs, (unsigned)c->size * 8);
    Variable *v = o->kind == OBJECT_GLOBAL ? program_global(p, buf_string(&name), sort, initial_value(p, o, c))
                                           : template_local(p, p->templates[o->template_], buf_string(&name), sort);
    v->is_signed = is_signed;
    v->position = o->position;
    if (c->size == o->size) v->ctype = o->ctype;
    v->shape = shape_of_part(p->exprs, o->shape, c->offset, c->size);
    c->variable = v;
    c->value = variable_expr(p, v);
    buf_free(&name);
}

/* Returns the promoted object that contains a constant address, or NULL; *offset is the position in it. */
static Candidate *promoted(Promotion *pr, const Expr *address, uint64_t *offset) {
    Object *o;
    if (!address || !constant_address(pr->program, address, &o, offset)) return NULL;
    Candidate *c = candidate_of(pr, o);
    return c->rejected ? NULL : c;
}

static Cell *cell_at(Candidate *c, uint64_t offset) {
    for (size_t i = 0; i < vec_len(c->cells); i++)
        if (c->cells[i].offset == offset) return &c->cells[i];
    die("promote: no cell at offset %llu", (unsigned long long)offset);
}

static Instr assignment(const Instr *like, Variable *target, const Expr *value) {
    return (Instr){.kind = INSTR_ASSIGN,
                   .target = target,
                   .value = value,
                   .position = like->position,
                   .atomic = like->atomic,
                   .order = like->order,
                   .failing = like->failing,
                   .life = like->life};
}

static const Expr *moved(Program *p, const Expr *address, uint64_t by) {
    return expr_2(p->exprs, OP_ADD, address, expr_bv(p->exprs, p->pointer_width, by));
}

/* Replaces a COPY with a promoted side by an instruction per cell. The cells may come in any order: ranges that overlap keep their
   object in memory. */
static void rewrite_copy(Promotion *pr, const Instr *i, Candidate *to, uint64_t a, Candidate *from, uint64_t b, Instr **out) {
    uint64_t size = (uint64_t)i->size->value;
    const Candidate *guide = to ? to : from;
    uint64_t start = to ? a : b;
    vec_each(Cell, c, guide->cells) {
        if (c.offset < start || c.offset >= start + size) continue;
        uint64_t at = c.offset - start;
        if (to && from) {
            vec_push(*out, assignment(i, c.variable, cell_at(from, b + at)->value));
        } else if (to) {
            vec_push(
                *out,
                ((Instr){.kind = INSTR_LOAD, .target = c.variable, .address = moved(pr->program, i->value, at), .position = i->position}));
        } else {
            vec_push(
                *out,
                ((Instr){.kind = INSTR_STORE, .value = c.value, .address = moved(pr->program, i->address, at), .position = i->position}));
        }
    }
}

static void rewrite_fill(Promotion *pr, const Instr *i, Candidate *c, uint64_t offset, Instr **out) {
    vec_each_at(const Cell, cell, c->cells) {
        if (cell->offset < offset || cell->offset >= offset + (uint64_t)i->size->value) continue;
        u128 value = 0;
        for (uint64_t n = 0; n < cell->size; n++) value |= i->value->value << 8 * n;
        vec_push(*out, assignment(i, cell->variable, expr_bv(pr->program->exprs, (unsigned)cell->size * 8, value)));
    }
}

static void rewrite_alive(const Candidate *c, const Instr *i, Instr **out) {
    for (size_t k = 0; k < vec_len(c->cells); k++)
        vec_push(*out, ((Instr){.kind = INSTR_HAVOC, .undefined = true, .target = c->cells[k].variable, .position = i->position}));
}

static void rewrite(Promotion *pr, const Instr *i, Instr **out) {
    Exprs *x = pr->program->exprs;
    uint64_t a = 0, b = 0;
    Candidate *c = promoted(pr, i->address, &a);
    Candidate *from = i->kind == INSTR_COPY ? promoted(pr, i->value, &b) : NULL;
    if (i->kind == INSTR_COPY && (c || from)) {
        rewrite_copy(pr, i, c, a, from, b, out);
    } else if ((i->kind == INSTR_ALIVE || i->kind == INSTR_DEAD) && !candidate_of(pr, i->object)->rejected) {
        if (i->kind == INSTR_ALIVE) rewrite_alive(candidate_of(pr, i->object), i, out);
    } else if (!c) {
        vec_push(*out, *i);
    } else if (i->kind == INSTR_INVALID) {
        vec_push(*out, ((Instr){.kind = INSTR_ASSUME, .value = expr_bool(x, false), .position = i->position}));
    } else if (i->kind == INSTR_FILL) {
        rewrite_fill(pr, i, c, a, out);
    } else if (i->kind == INSTR_LOAD) {
        vec_push(*out, assignment(i, i->target, expr_extract(x, cell_at(c, a)->value, 0, i->target->sort->width)));
    } else if (i->kind == INSTR_STORE) {
        Variable *v = cell_at(c, a)->variable;
        vec_push(*out, assignment(i, v, expr_convert(x, OP_ZEXT, i->value, v->sort->width)));
    } else {
        Instr lock = *i;
        lock.cell = cell_at(c, a)->variable;
        lock.address = NULL;
        vec_push(*out, lock);
    }
}

static void rewrite_program(Promotion *pr) {
    Program *p = pr->program;
    program_each_action(Action, action, p) {
        Instr *out = NULL;
        for (size_t i = 0; i < vec_len(action->instrs); i++) rewrite(pr, &action->instrs[i], &out);
        vec_free(action->instrs);
        action->instrs = out;
    }
}

static void drop_promoted_objects(Promotion *pr) {
    Object **kept = NULL;
    for (size_t i = 0; i < vec_len(pr->program->objects); i++)
        if (pr->candidates[i].rejected) vec_push(kept, pr->program->objects[i]);
    for (size_t i = 0; i < vec_len(kept); i++) kept[i]->index = (unsigned)i;
    vec_free(pr->program->objects);
    pr->program->objects = kept;
}

PromotedCell *promote_memory(Program *p, bool sorted) {
    PromotedCell *cells = NULL;
    Promotion pr = {.program = p};
    vec_resize(pr.candidates, vec_len(p->objects));
    decide(&pr);
    for (size_t i = 0; i < vec_len(p->objects) && sorted; i++) sort_cells(pr.candidates[i].cells);
    for (size_t i = 0; i < vec_len(p->objects); i++)
        for (size_t k = 0; k < vec_len(pr.candidates[i].cells) && !pr.candidates[i].rejected; k++)
            make_variable(&pr, p->objects[i], &pr.candidates[i].cells[k]);
    rewrite_program(&pr);
    for (size_t i = 0; i < vec_len(p->objects); i++)
        for (size_t k = 0; k < vec_len(pr.candidates[i].cells) && !pr.candidates[i].rejected; k++) {
            const Cell *c = &pr.candidates[i].cells[k];
            vec_push(cells, ((PromotedCell){p->objects[i], c->offset, c->size, c->variable}));
        }
    drop_promoted_objects(&pr);
    for (size_t i = 0; i < vec_len(pr.candidates); i++) vec_free(pr.candidates[i].cells);
    vec_free(pr.candidates);
    vec_free(pr.copies);
    return cells;
}
