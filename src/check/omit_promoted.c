/* SPDX-License-Identifier: Apache-2.0 */
/* Checks that objects which became variables have no address that any code has as a value.

   The pass gives its cells: which bytes became which variable. The check trusts none of them. It goes through the instructions before and after the
   pass together. An access of a lost object must have a constant address within the object, and become an access of the variable with exactly
   these bytes. Other instructions, guards and initial values must be the same, and must not have the address of a lost object. */
#include "base/map.h"
#include "check/omission_checks.h"
#include "check/messages.h"
#include "result/promoted.h"
#include <string.h>

typedef struct Check {
    const Program *before, *after;
    Exprs *exprs;
    PromotedCell **cells; /* vecs: the cells of each lost object */
    Map *lost;            /* Object → index in cells: objects that only the program before has */
    Map *old;             /* Variable → 1: variables of the program before, and those of cells so far */
    Omission *omission;
    const Instr *next, *end; /* the instructions after the pass that remain of the action at hand */
} Check;

static bool is_lost(const Check *c, const Object *o) { return o && map_get(c->lost, map_key(o), NULL); }

static const PromotedCell *cells_of(const Check *c, const Object *o) {
    uint64_t i = 0;
    return o && map_get(c->lost, map_key(o), &i) ? c->cells[i] : NULL;
}

static void refuse(Check *c, Position at, const char *why) { omission_refuse(c->omission, at, "%s", why); }

/* ---- addresses ---- */

typedef struct Look {
    const Check *check;
    bool found;
} Look;

static void look(void *context, const Symbol *s) {
    Look *l = context;
    if (s->kind == SYM_ADDRESS) l->found |= is_lost(l->check, s->user);
}

static bool mentions_lost(const Check *c, const Expr *e) {
    Look l = {c, false};
    if (e) expr_symbols(e, look, &l);
    return l.found;
}

/* Returns the lost object o of an address "o plus a constant", or NULL. */
static const Object *lost_at(const Check *c, const Expr *e, uint64_t *offset) {
    *offset = 0;
    if (!e) return NULL;
    for (unsigned k = 0; k < 2 && e->op == OP_ADD; k++)
        if (expr_is_const(e->args[k])) {
            u128 value = e->args[k]->value;
            *offset = e->sort->width == 32 ? (uint64_t)(int64_t)(int32_t)(uint32_t)value : (uint64_t)value;
            e = e->args[1 - k];
            break;
        }
    bool symbol = e->op == OP_SYMBOL && e->symbol->kind == SYM_ADDRESS;
    return symbol && is_lost(c, e->symbol->user) ? e->symbol->user : NULL;
}

static bool is_within(const Object *o, uint64_t offset, uint64_t size) { return offset <= o->size && size <= o->size - offset; }

/* ---- cells ---- */

static const PromotedCell *cell_at(const Check *c, const Object *o, uint64_t offset, uint64_t size) {
    const PromotedCell *list = cells_of(c, o);
    vec_each_at(const PromotedCell, k, list)
        if (k->offset == offset && k->size == size) return k;
    return NULL;
}

/* Returns the bytes that the cell has at the start, or NULL if they are not one value. */
static const Expr *contents(const Check *c, const PromotedCell *k) {
    const Object *o = k->object;
    u128 value = 0;
    for (unsigned r = 0; r < o->nrelocations; r++) {
        const Relocation *l = &o->relocations[r];
        uint64_t size = c->before->pointer_width / 8;
        if (l->offset >= k->offset + k->size || l->offset + size <= k->offset) continue;
        if (l->offset != k->offset || size != k->size) return NULL;
        return expr_2(c->exprs, OP_ADD, expr_symbol(c->exprs, l->target),
                      expr_bv(c->exprs, c->before->pointer_width, (u128)(i128)l->addend));
    }
    for (uint64_t i = 0; o->bytes && i < k->size; i++) value |= (u128)o->bytes[k->offset + i] << 8 * i;
    return expr_bv(c->exprs, (unsigned)k->size * 8, value);
}

static const Expr *value_of(const Check *c, const PromotedCell *k) {
    return k->variable ? expr_symbol(c->exprs, k->variable->symbol) : contents(c, k);
}

static bool is_new(const Check *c, const Variable *v) { return !map_get(c->old, map_key(v), NULL); }

/* A cell lies in a lost object. Its variable is new, stands for no other cell, lives where the object lives, and begins with its bytes. */
static bool is_sound(const Check *c, const PromotedCell *k) {
    const Object *o = k->object;
    Variable *v = k->variable;
    if (!is_within(o, k->offset, k->size) || !k->size) return false;
    const PromotedCell *list = cells_of(c, o);
    vec_each_at(const PromotedCell, other, list)
        if (other != k && k->offset < other->offset + other->size && other->offset < k->offset + k->size) return false;
    if (!v) return o->readonly && o->kind == OBJECT_GLOBAL && contents(c, k);
    if (!is_new(c, v) || v->sort->kind != SORT_BV || v->sort->width != k->size * 8) return false;
    if (o->kind == OBJECT_GLOBAL) return v->global && v->init && v->init == contents(c, k);
    return o->kind == OBJECT_LOCAL && !v->global && v->template_ == o->template_;
}

/* ---- instructions ---- */

static bool same_instr(const Instr *a, const Instr *b) {
    return a->kind == b->kind && a->target == b->target && a->cell == b->cell && a->address == b->address && a->value == b->value &&
           a->size == b->size && a->object == b->object && a->template_ == b->template_ && a->undefined == b->undefined &&
           a->waits == b->waits && a->writes == b->writes && a->atomic == b->atomic && a->order == b->order && a->zeroed == b->zeroed &&
           a->life == b->life;
}

/* Takes the next instruction after the pass; it must be this one. */
static void expect(Check *c, const Instr *wanted) {
    if (c->next == c->end || !same_instr(c->next, wanted)) refuse(c, wanted->position, MSG_CHECK_PROMOTED_OTHER);
    else c->next++;
}

static Instr assignment(const Instr *like, Variable *v, const Expr *value) {
    return (Instr){.kind = INSTR_ASSIGN,
                   .target = v,
                   .value = value,
                   .position = like->position,
                   .atomic = like->atomic,
                   .order = like->order,
                   .life = like->life};
}

static uint64_t bytes_of(const Sort *s) { return s->kind == SORT_BV ? (s->width + 7) / 8 : UINT64_MAX; }

static void check_access(Check *c, const Instr *i, const Object *o, uint64_t offset) {
    bool load = i->kind == INSTR_LOAD, lock = i->kind != INSTR_LOAD && i->kind != INSTR_STORE;
    uint64_t size = load ? bytes_of(i->target->sort) : lock ? 4 : bytes_of(i->value->sort);
    const PromotedCell *k = cell_at(c, o, offset, size);
    if (!k || (!load && !k->variable)) {
        refuse(c, i->position, MSG_CHECK_PROMOTED_BYTES);
        return;
    }
    Instr wanted = *i;
    if (load) wanted = assignment(i, i->target, expr_extract(c->exprs, value_of(c, k), 0, i->target->sort->width));
    else if (!lock) wanted = assignment(i, k->variable, expr_convert(c->exprs, OP_ZEXT, i->value, k->variable->sort->width));
    else wanted.cell = k->variable, wanted.address = NULL;
    expect(c, &wanted);
}

/* Every cell of the range is filled, and no cell reaches out of it. */
static void check_range(Check *c, const Instr *i, const Object *o, uint64_t offset, uint64_t size) {
    if (!is_within(o, offset, size)) refuse(c, i->position, MSG_CHECK_PROMOTED_BYTES);
    const PromotedCell *list = cells_of(c, o);
    vec_each_at(const PromotedCell, k, list) {
        bool in = k->offset < offset + size && offset < k->offset + k->size;
        if (in && (k->offset < offset || k->offset + k->size > offset + size)) refuse(c, i->position, MSG_CHECK_PROMOTED_BYTES);
    }
}

static void check_fill(Check *c, const Instr *i, const Object *o, uint64_t offset) {
    if (!expr_is_const(i->size) || !expr_is_const(i->value)) {
        refuse(c, i->position, MSG_CHECK_PROMOTED_BYTES);
        return;
    }
    uint64_t size = (uint64_t)i->size->value;
    check_range(c, i, o, offset, size);
    const PromotedCell *list = cells_of(c, o);
    vec_each_at(const PromotedCell, k, list) {
        if (k->offset < offset || k->offset >= offset + size) continue;
        u128 value = 0;
        for (uint64_t n = 0; n < k->size; n++) value |= (i->value->value & 255) << 8 * n;
        Instr wanted = assignment(i, k->variable, expr_bv(c->exprs, (unsigned)k->size * 8, value));
        if (k->variable) expect(c, &wanted);
        else refuse(c, i->position, MSG_CHECK_PROMOTED_BYTES);
    }
}

static const Expr *moved(const Check *c, const Expr *address, uint64_t by) {
    return expr_2(c->exprs, OP_ADD, address, expr_bv(c->exprs, c->before->pointer_width, by));
}

/* Expects the copy of one cell: of the target if it is lost, or else of the source. */
static void check_copied(Check *c, const Instr *i, const PromotedCell *k, uint64_t at, const Object *to, const Object *from, uint64_t b) {
    Instr wanted = {.position = i->position};
    if (to && from) {
        const PromotedCell *source = cell_at(c, from, b + at, k->size);
        if (!source || !k->variable) refuse(c, i->position, MSG_CHECK_PROMOTED_BYTES);
        else wanted = assignment(i, k->variable, value_of(c, source));
    } else if (to) {
        wanted.kind = INSTR_LOAD, wanted.target = k->variable, wanted.address = moved(c, i->value, at);
    } else {
        wanted.kind = INSTR_STORE, wanted.value = value_of(c, k), wanted.address = moved(c, i->address, at);
    }
    expect(c, &wanted);
}

static void check_copy(Check *c, const Instr *i, const Object *to, uint64_t a, const Object *from, uint64_t b) {
    if (!expr_is_const(i->size)) {
        refuse(c, i->position, MSG_CHECK_PROMOTED_BYTES);
        return;
    }
    uint64_t size = (uint64_t)i->size->value, start = to ? a : b, copied = 0;
    const Object *guide = to ? to : from;
    if (to) check_range(c, i, to, a, size);
    if (from) check_range(c, i, from, b, size);
    if (!to && mentions_lost(c, i->address)) refuse(c, i->position, MSG_CHECK_PROMOTED_ADDRESS);
    if (!from && mentions_lost(c, i->value)) refuse(c, i->position, MSG_CHECK_PROMOTED_ADDRESS);
    const PromotedCell *list = cells_of(c, guide);
    vec_each_at(const PromotedCell, k, list) {
        if (k->offset < start || k->offset >= start + size) continue;
        check_copied(c, i, k, k->offset - start, to, from, b);
        copied += k->size;
    }
    if (!to && copied != size) refuse(c, i->position, MSG_CHECK_PROMOTED_BYTES); /* memory gets all bytes */
}

/* The contents of a local are undefined where its life begins. */
static void check_life(Check *c, const Instr *i) {
    const PromotedCell *list = cells_of(c, i->object);
    vec_each_at(const PromotedCell, k, list) {
        Instr wanted = {.kind = INSTR_HAVOC, .undefined = true, .target = k->variable, .position = i->position};
        if (i->kind == INSTR_ALIVE) expect(c, &wanted);
    }
}

/* Checks that the access is always valid. */
static void check_invalid(Check *c, const Instr *i, const Object *o, uint64_t offset) {
    bool valid = o->kind == OBJECT_GLOBAL && i->size && expr_is_const(i->size) && is_within(o, offset, (uint64_t)i->size->value) &&
                 !(i->writes && o->readonly);
    Instr wanted = {.kind = INSTR_ASSUME, .value = expr_bool(c->exprs, false), .position = i->position};
    if (valid) expect(c, &wanted);
    else refuse(c, i->position, MSG_CHECK_PROMOTED_BYTES);
}

static void check_instr(Check *c, const Instr *i) {
    uint64_t a, b;
    const Object *o = lost_at(c, i->address, &a), *from = lost_at(c, i->value, &b);
    bool access =
        i->kind == INSTR_LOAD || i->kind == INSTR_STORE || i->kind == INSTR_LOCK || i->kind == INSTR_TRYLOCK || i->kind == INSTR_UNLOCK;
    if (mentions_lost(c, i->size) || (i->kind != INSTR_COPY && mentions_lost(c, i->value)))
        refuse(c, i->position, MSG_CHECK_PROMOTED_ADDRESS);
    else if (i->kind == INSTR_COPY && (o || from)) check_copy(c, i, o, a, from, b);
    else if (is_lost(c, i->object) && (i->kind == INSTR_ALIVE || i->kind == INSTR_DEAD)) check_life(c, i);
    else if (is_lost(c, i->object) || (!o && (mentions_lost(c, i->address) || mentions_lost(c, i->value))))
        refuse(c, i->position, MSG_CHECK_PROMOTED_ADDRESS);
    else if (!o) expect(c, i);
    else if (access) check_access(c, i, o, a);
    else if (i->kind == INSTR_FILL) check_fill(c, i, o, a);
    else if (i->kind == INSTR_INVALID) check_invalid(c, i, o, a);
    else refuse(c, i->position, MSG_CHECK_PROMOTED_ADDRESS);
}

static void check_action(Check *c, const Action *x, const Action *y) {
    c->next = y->instrs;
    c->end = y->instrs + vec_len(y->instrs);
    bool same = x->source == y->source && x->target == y->target && x->guard == y->guard && x->approximation == y->approximation;
    if (!same) refuse(c, x->position, MSG_CHECK_PROMOTED_OTHER);
    if (mentions_lost(c, x->guard)) refuse(c, x->position, MSG_CHECK_PROMOTED_ADDRESS);
    for (size_t i = 0; i < vec_len(x->instrs) && !c->omission->refused; i++) check_instr(c, &x->instrs[i]);
    if (c->next != c->end) refuse(c, x->position, MSG_CHECK_PROMOTED_OTHER);
}

static void check_template(Check *c, const Template *x, const Template *y) {
    if (vec_len(x->actions) != vec_len(y->actions) || x->entry != y->entry) {
        refuse(c, (Position){0}, MSG_CHECK_PROMOTED_OTHER);
        return;
    }
    for (size_t a = 0; a < vec_len(x->actions) && !c->omission->refused; a++) check_action(c, &x->actions[a], &y->actions[a]);
}

/* ---- all ---- */

static void find_lost(Check *c, PromotedCell *claimed) {
    Map *kept = map_new();
    vec_each(const Object *, o, c->after->objects) map_put(kept, map_key(o), 1);
    vec_each(const Object *, o, c->before->objects) {
        if (map_get(kept, map_key(o), NULL)) continue;
        map_put(c->lost, map_key(o), vec_len(c->cells));
        vec_push(c->cells, NULL);
    }
    map_free(kept);
    for (size_t n = 0; n < vec_len(claimed); n++) {
        const PromotedCell *k = &claimed[n];
        uint64_t i;
        if (map_get(c->lost, map_key(k->object), &i)) vec_push(c->cells[i], *k);
        else refuse(c, k->object->position, MSG_CHECK_PROMOTED_BYTES);
    }
}

static void find_old(Check *c) {
    vec_each(const Variable *, v, c->before->globals) map_put(c->old, map_key(v), 1);
    vec_each(const Template *, t, c->before->templates)
        vec_each(const Variable *, v, t->locals) map_put(c->old, map_key(v), 1);
}

static void check_start(Check *c) {
    vec_each(const Variable *, v, c->after->globals)
        if (mentions_lost(c, v->init)) refuse(c, v->position, MSG_CHECK_PROMOTED_ADDRESS);
    vec_each(const Object *, o, c->before->objects)
        for (unsigned r = 0; r < o->nrelocations; r++)
            if (is_lost(c, o->relocations[r].target->user)) refuse(c, o->position, MSG_CHECK_PROMOTED_ADDRESS);
    vec_each(const PromotedCell *, list, c->cells)
        vec_each_at(const PromotedCell, k, list) {
            if (!is_sound(c, k)) refuse(c, k->object->position, MSG_CHECK_PROMOTED_BYTES);
            if (k->variable) map_put(c->old, map_key(k->variable), 1);
        }
}

void omit_promoted(const OmissionView *v, Omission *o) {
    Check c = {.before = v->before, .after = v->after, .exprs = v->before->exprs, .lost = map_new(), .old = map_new(), .omission = o};
    find_lost(&c, v->claim);
    find_old(&c);
    o->count = (unsigned)map_size(c.lost);
    if (vec_len(v->before->templates) != vec_len(v->after->templates)) refuse(&c, (Position){0}, MSG_CHECK_PROMOTED_OTHER);
    if (!o->refused) check_start(&c);
    for (size_t t = 0; t < vec_len(v->before->templates) && !o->refused; t++)
        check_template(&c, v->before->templates[t], v->after->templates[t]);
    map_free(c.lost);
    map_free(c.old);
    vec_free_rows(c.cells);
}
