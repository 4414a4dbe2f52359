/* SPDX-License-Identifier: Apache-2.0 */
/* Replaces memory by variables: scalars and arrays. The points-to analysis decides which variables an access may denote.

   requires  a well-formed program, one template per thread (instantiate-threads)
   ensures   no LOAD, STORE, ALLOC, FREE, SIZE, ALIVE or DEAD is left, and no COPY or FILL. A COPY or FILL of few bytes becomes loads and
             stores; a program with a larger one is refused. Every execution of the program that does not fault is an execution of the result.
             The result has more executions: it checks neither bounds nor freed memory, and unwritten memory holds any value
   breaks    the entry of a thread may be a new location, with copies of the actions there (the translation has their origin)

   An object that is only accessed at constant offsets becomes one scalar for each cell. Otherwise, the stride M is the greatest common divisor of
   the moduli of the offsets' congruences. Each cell r … r+size of the stride becomes an array over the element number (offset - r) / M. So
   `int a[n]` from malloc becomes one array indexed by element, and an array of structs becomes one array for each field. A site that allocates many
   objects numbers them, and becomes an array of structs. The addresses of these objects have distance pointsto_stride. Cells are as small as the
   smallest pieces in which memory is accessed, and a larger piece is several cells. An access may denote several objects, or several places of one
   object. The address then selects the place at run time. C's pointer rules help: an address that is computed from a pointer into an object is in
   this object, since C leaves other cases undefined. */
#include "passes/program/program_passes.h"
#include "ir/layout.h"
#include "passes/messages.h"
#include "passes/program/partition_internal.h"

void partition_refuse(Partition *r, const char *text, const Object *o) {
    if (r->failed) return;
    r->failed = true;
    *r->where = r->at ? r->at->position : (Position){0};
    size_t n = message_length(text);
    buf_bytes(r->why, text, n);
    if (o) buf_printf(r->why, " (%s)", o->name);
    buf_text(r->why, text + n);
}

/* ---- copies ---- */

/* Replaces a COPY of few bytes by a LOAD and a STORE, and a FILL by a STORE. Unwritten bytes have some value in the result, and their copy has the
   same value. Returns false for other instructions. */
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
        vec_each_at(Action, action, p->templates[t]->actions) {
            Instr *out = NULL;
            for (size_t k = 0; k < vec_len(action->instrs); k++)
                if (!spell_out(p, p->templates[t], &action->instrs[k], &out)) vec_push(out, action->instrs[k]);
            vec_free(action->instrs);
            action->instrs = out;
        }
}

/* ---- cells ---- */

static const Expr *read_cell(Partition *r, const Place *at, unsigned k) {
    const Expr *v = variable_expr(r->program, region_variable(r, &at->cells[k]));
    return at->element ? expr_2(r->program->exprs, OP_SELECT, v, at->element) : v;
}

static const Expr *read_place(Partition *r, const Place *at) {
    const Expr *value = read_cell(r, at, 0);
    for (unsigned k = 1; k < at->ncells; k++) value = expr_2(r->program->exprs, OP_CONCAT, read_cell(r, at, k), value);
    return value;
}

/* Returns the new value of the cell's variable if `value` is written to the place. */
static const Expr *written_cell(Partition *r, const Place *at, unsigned k, const Expr *value) {
    Exprs *x = r->program->exprs;
    const Expr *old = variable_expr(r->program, region_variable(r, &at->cells[k]));
    const Expr *args[] = {old, at->element, value};
    return expr_ite(x, at->here, at->element ? expr_make(x, OP_STORE, 0, 3, args) : value, old);
}

/* ---- instructions ---- */

static Instr assignment(const Instr *like, Variable *target, const Expr *value) {
    return (Instr){.kind = INSTR_ASSIGN,
                   .target = target,
                   .value = value,
                   .atomic = like->atomic,
                   .order = like->order,
                   .failing = like->failing,
                   .position = like->position};
}

static Instr assumption(const Instr *like, const Expr *value) {
    return (Instr){.kind = INSTR_ASSUME, .value = value, .position = like->position};
}

static const Expr *read_address(Partition *r, const Place *list, unsigned width) {
    Exprs *x = r->program->exprs;
    const Expr *value = NULL;
    for (size_t i = vec_len(list); i-- > 0;) {
        const Expr *v = expr_extract(x, read_place(r, &list[i]), 0, width);
        value = value ? expr_ite(x, list[i].here, v, value) : v;
    }
    return value;
}

static void write_places(Partition *r, const Instr *like, const Place *list, const Expr *value, Instr **out) {
    Exprs *x = r->program->exprs;
    for (size_t i = 0; i < vec_len(list); i++) {
        const Expr *whole = expr_convert(x, OP_ZEXT, value, (unsigned)region_bytes(value->sort) * 8);
        unsigned low = 0;
        for (unsigned k = 0; k < list[i].ncells; k++) {
            unsigned width = (unsigned)list[i].cells[k].size * 8;
            const Expr *part = expr_extract(x, whole, low, width);
            vec_push(*out, assignment(like, region_variable(r, &list[i].cells[k]), written_cell(r, &list[i], k, part)));
            low += width;
        }
    }
}

/* Rewrites a LOCK, TRYLOCK or UNLOCK to reads and writes of the word. It serves mutexes whose place is not one scalar. */
static void rewrite_lock(Partition *r, const Template *t, const Instr *i, const Place *list, Instr **out) {
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
    return i->kind == INSTR_LOAD ? region_bytes(i->target->sort) : i->kind == INSTR_STORE ? region_bytes(i->value->sort) : 4;
}

static void rewrite_access(Partition *r, const Template *t, const Instr *i, Instr **out) {
    Place *list = region_places(r, i->address, access_size(i));
    /* the address is null, not initialised, or outside the object, so the access faults (a wild address was refused) */
    if (!vec_len(list)) {
        vec_push(*out, assumption(i, expr_bool(r->program->exprs, false)));
        if (i->target) vec_push(*out, assignment(i, i->target, expr_const(r->program->exprs, i->target->sort, 0)));
    } else if (i->kind == INSTR_LOAD) {
        vec_push(*out, assignment(i, i->target, read_address(r, list, i->target->sort->width)));
    } else if (i->kind == INSTR_STORE) {
        write_places(r, i, list, i->value, out);
    } else if (vec_len(list) == 1 && !list[0].element && !list[0].cells->mutex) {
        Instr lock = *i;
        lock.cell = region_variable(r, list[0].cells);
        lock.address = NULL;
        vec_push(*out, lock);
    } else {
        rewrite_lock(r, t, i, list, out);
    }
    vec_free(list);
}

/* Gives new memory any value, or zeros. */
static void fill_new_object(Partition *r, const Instr *i, const Object *o, Instr **out) {
    Program *p = r->program;
    Region *g = &r->regions[o->index];
    vec_each_at(Cell, cell, g->cells) {
        if (!i->zeroed) {
            vec_push(*out, ((Instr){.kind = INSTR_HAVOC, .target = cell->variable, .position = i->position}));
            continue;
        }
        const Expr *zero = expr_bv(p->exprs, (unsigned)cell->size * 8, 0);
        vec_push(*out, assignment(i, cell->variable, g->stride ? expr_const_array(p->exprs, cell->variable->sort, zero) : zero));
    }
}

/* Allocates the next object of a site that allocates many. No instruction has written its cells, so they still hold any value. */
static void next_object(Partition *r, const Instr *i, Instr **out) {
    Program *p = r->program;
    Region *g = &r->regions[i->object->index];
    const Expr *n = variable_expr(p, g->count);
    const Expr *base = object_address(p, i->object), *stride = expr_bv(p->exprs, p->pointer_width, pointsto_stride(p));
    for (size_t c = 0; c < vec_len(g->cells) && i->zeroed; c++) {
        if (g->stride != pointsto_stride(p)) {
            partition_refuse(r, MSG_PASSES_ZEROED_ARRAYS, i->object);
            break;
        }
        const Expr *args[] = {variable_expr(p, g->cells[c].variable), n, expr_bv(p->exprs, (unsigned)g->cells[c].size * 8, 0)};
        vec_push(*out, assignment(i, g->cells[c].variable, expr_make(p->exprs, OP_STORE, 0, 3, args)));
    }
    region_allocated(r, i, n, out);
    vec_push(*out, assignment(i, i->target, expr_2(p->exprs, OP_ADD, base, expr_2(p->exprs, OP_MUL, n, stride))));
    vec_push(*out, assignment(i, g->count, expr_2(p->exprs, OP_ADD, n, expr_bv(p->exprs, p->pointer_width, 1))));
}

static void rewrite(Partition *r, const Template *t, const Instr *i, Instr **out) {
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
            fill_new_object(r, i, i->object, out);
            region_allocated(r, i, NULL, out);
            vec_push(*out, assignment(i, i->target, object_address(p, i->object)));
        }
        return;
    case INSTR_ALIVE:
        fill_new_object(r, i, i->object, out);
        region_set_alive(r, i, true, out);
        return;
    case INSTR_DEAD: region_set_alive(r, i, false, out); return;
    case INSTR_FREE: region_freed(r, i, out); return;
    case INSTR_INVALID: vec_push(*out, assumption(i, region_invalid(r, i))); return;
    case INSTR_LOST: vec_push(*out, assumption(i, region_lost(r))); return;
    case INSTR_SIZE:
    case INSTR_WRITTEN: vec_push(*out, ((Instr){.kind = INSTR_HAVOC, .target = i->target, .position = i->position})); return;
    case INSTR_COPY:
    case INSTR_FILL: partition_refuse(r, MSG_PASSES_COPY_LARGE, NULL); return;
    default: vec_push(*out, *i);
    }
}

/* ---- addresses become numbers ---- */

typedef struct Bases {
    Program *program;
    Layout *layout;
    unsigned thread; /* the thread of the present template */
} Bases;

static uint64_t site_address(const Bases *b, const Object *site) {
    uint64_t room = region_site_room(b->program), before = 0;
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

static const Expr *numbered(Bases *b, const Expr *e) { return e ? expr_substitute(b->program->exprs, e, base_number, b) : NULL; }

static void number_addresses(Program *p) {
    Bases b = {p, layout_new(p), 1};
    for (size_t i = 0; i < vec_len(p->globals); i++) p->globals[i]->init = numbered(&b, p->globals[i]->init);
    for (size_t t = 0; t < vec_len(p->templates); t++) {
        b.thread = (unsigned)t + 1;
        for (size_t i = 0; i < vec_len(p->templates[t]->locals); i++)
            p->templates[t]->locals[i]->init = numbered(&b, p->templates[t]->locals[i]->init);
        vec_each_at(Action, action, p->templates[t]->actions) {
            action->guard = numbered(&b, action->guard);
            vec_each_at(Instr, in, action->instrs) {
                in->address = numbered(&b, in->address);
                in->value = numbered(&b, in->value);
                in->size = numbered(&b, in->size);
            }
        }
    }
    layout_free(b.layout);
}

static void rewrite_program(Partition *r) {
    Program *p = r->program;
    for (size_t t = 0; t < vec_len(p->templates) && !r->failed; t++)
        vec_each_at(Action, action, p->templates[t]->actions) {
            Instr *out = NULL;
            r->template_ = (unsigned)t;
            for (size_t i = 0; i < vec_len(action->instrs); i++) rewrite(r, p->templates[t], &action->instrs[i], &out);
            if (p->templates[t]->locations[action->target].kind == LOCATION_END)
                region_end_of_thread(r, p->templates[t], action->position, &out);
            vec_free(action->instrs);
            action->instrs = out;
        }
}

bool partition(Program *p, Translation *translation, Buf *why, Position *where) {
    spell_out_copies(p);
    Partition r = {.program = p, .pointsto = pointsto_new(p), .why = why, .where = where};
    vec_resize(r.regions, vec_len(p->objects));
    vec_resize(r.foreign, vec_len(p->objects));
    partition_check_comparisons(&r);
    if (!r.failed) partition_cut(&r);
    partition_find_checked(&r);
    if (!r.failed) partition_make_variables(&r);
    if (!r.failed) partition_make_size_variables(&r);
    if (!r.failed) rewrite_program(&r);
    if (!r.failed) number_addresses(p);
    if (!r.failed) partition_start(p, translation);
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
