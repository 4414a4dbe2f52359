/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the values that C leaves open: results of operators on addresses and on ids of threads, and loads of parts of addresses. For each such value, a
   condition states when the result is the same in every implementation. */
#include "passes/program/unspecified_internal.h"
#include "passes/messages.h"

enum { MOST_TAG = 7, MOST_PAIRS = 16 };

/* ---- formulas ---- */

static unsigned granule_bits(const Unspecified *o) { return o->program->pointer_width == 64 ? 32 : 16; }

static const Expr *low_part(const Unspecified *o, const Expr *x) {
    return x->sort->width > o->program->pointer_width ? expr_extract(o->pool, x, 0, o->program->pointer_width) : x;
}

/* Returns the condition that x can be an address. Null and negative numbers cannot. */
const Expr *unspecified_in_space(const Unspecified *o, const Expr *x) {
    x = low_part(o, x);
    const Expr *low = expr_2(o->pool, OP_ULE, number(o, UINT64_C(1) << granule_bits(o)), x);
    if (o->program->pointer_width == 32) return low;
    return expr_and(o->pool, low, expr_2(o->pool, OP_ULT, x, number(o, UINT64_C(1) << 63)));
}

static const Expr *granule(const Unspecified *o, const Expr *x) {
    x = low_part(o, x);
    return expr_2(o->pool, OP_LSHR, expr_2(o->pool, OP_SUB, x, number(o, o->program->skew)), number(o, granule_bits(o)));
}

const Expr *unspecified_same_granule(const Unspecified *o, const Expr *x, const Expr *y) {
    return expr_eq(o->pool, granule(o, x), granule(o, y));
}

const Expr *unspecified_offset(const Unspecified *o, const Expr *x) {
    return expr_2(o->pool, OP_BAND, expr_2(o->pool, OP_SUB, low_part(o, x), number(o, o->program->skew)),
                  number(o, (UINT64_C(1) << granule_bits(o)) - 1));
}

/* Returns the condition that x is at the given offset in its granule. */
static const Expr *at_offset(const Unspecified *o, const Expr *x, uint64_t offset) {
    return expr_eq(o->pool, unspecified_offset(o, x), number(o, offset));
}

const Expr *unspecified_multiple(const Unspecified *o, const Expr *e, uint64_t of) {
    if (of <= 1) return expr_bool(o->pool, true);
    return expr_eq(o->pool, expr_2(o->pool, OP_BAND, e, number(o, of - 1)), number(o, 0));
}

/* ---- facts about pointers ---- */

static const Target *targets_of(const Unspecified *o, const Expr *e, size_t *n) {
    const Targets *t = pointsto(o->pointsto, e);
    *n = vec_len(t->list);
    return t->list;
}

/* True if e may be an address, perhaps in a wider integer. */
static bool is_address(const Unspecified *o, const Expr *e) {
    size_t n = 0;
    if (e->sort->kind == SORT_BV && e->sort->width >= o->program->pointer_width && !expr_is_const(e)) targets_of(o, e, &n);
    return n > 0;
}

/* True if x and y point into the same object, which has a single instance. */
static bool one_object(const Unspecified *o, const Expr *x, const Expr *y) {
    const Object *only = NULL;
    for (unsigned k = 0; k < 2; k++) {
        size_t n;
        const Target *t = targets_of(o, k ? y : x, &n);
        if (!n) return false;
        for (size_t i = 0; i < n; i++) {
            if (only && t[i].object != only) return false;
            only = t[i].object;
        }
    }
    if (only->kind == OBJECT_HEAP) return !pointsto_allocates_many(o->pointsto, only);
    return only->kind == OBJECT_GLOBAL || only->kind == OBJECT_FUNCTION;
}

uint64_t unspecified_alignment(const Unspecified *o, const Object *of) {
    uint64_t usual = o->program->pointer_width / 4;
    if (of->kind == OBJECT_HEAP) return of->align > usual ? of->align : usual;
    return of->kind == OBJECT_FUNCTION ? 1 : of->align;
}

/* True if the bits of e in the mask are those of its offset: each object that e may point into has an alignment above the mask. */
static bool low_bits_known(const Unspecified *o, const Expr *e, u128 mask) {
    size_t n;
    const Target *t = targets_of(o, e, &n);
    for (size_t i = 0; i < n; i++) {
        bool asked_for = t[i].object->kind == OBJECT_HEAP && t[i].object->align > mask;
        if (!asked_for && (unspecified_alignment(o, t[i].object) <= mask || mask > MOST_TAG)) return false;
    }
    return true;
}

/* Returns the size of each allocation of a site, or 0 if the size is not constant. */
static uint64_t only_size(const Unspecified *o, const Object *site) {
    uint64_t size = 0;
    program_each_instr(const Instr, in, o->program) {
        if (in->kind != INSTR_ALLOC || in->object != site) continue;
        if (!expr_is_const(in->size) || (size && size != in->size->value)) return 0;
        size = (uint64_t)in->size->value;
    }
    return size;
}

/* Returns a number of which the object's address is a multiple under every allocator. */
static uint64_t surely_aligned_to(const Unspecified *o, const Object *of) {
    uint64_t align = unspecified_alignment(o, of);
    if (of->kind == OBJECT_HEAP && align > MOST_TAG + 1 && align > of->align) return of->align > MOST_TAG + 1 ? of->align : MOST_TAG + 1;
    return align ? align : 1;
}

static uint64_t greatest_common(uint64_t a, uint64_t b) { return b ? greatest_common(b, a % b) : a; }

/* True if the target's offset may equal n modulo the modulus (0: may be n). The instances of an allocation site have a distance of one stride,
   so offsets have a modulus of their own. */
static bool may_be_at(const Target *t, uint64_t n, uint64_t modulus) {
    uint64_t common = greatest_common(t->offset.modulus, modulus), away = t->offset.residue - n;
    return common ? away % common == 0 : away == 0;
}

/* True if the target is the start of its object, and the object is not empty. */
static bool is_start(const Unspecified *o, const Target *t) {
    bool empty = t->object->kind != OBJECT_HEAP && !t->object->size;
    return !empty && t->offset.residue == 0 && t->offset.modulus % pointsto_stride(o->program) == 0;
}

/* True if the operator only moves its operands, and does not depend on their values. */
bool unspecified_moves(Op op) {
    switch (op) {
    case OP_ITE:
    case OP_SELECT:
    case OP_STORE:
    case OP_CONST_ARRAY:
    case OP_ZEXT:
    case OP_SEXT:
    case OP_CONCAT: return true;
    default: return false;
    }
}

/* ---- equality of pointers ---- */

/* Returns the condition under which C leaves open whether x, a pointer into a or to its end, equals y, the start of b. Returns NULL if C never
   leaves it open. After the end of one object's life, the other may lie at any place in it. */
static const Expr *meets_start(const Unspecified *o, const Target *a, const Target *b, const Expr *x, const Expr *y) {
    if (a->object->kind == OBJECT_FUNCTION || is_start(o, a) || !may_be_at(b, 0, 0)) return NULL;
    uint64_t align = surely_aligned_to(o, a->object), size = a->object->kind == OBJECT_HEAP ? only_size(o, a->object) : a->object->size;
    if (surely_aligned_to(o, b->object) < align) align = surely_aligned_to(o, b->object);
    bool overlap = reuse_of(o->reuse, a->object, b->object) || reuse_of(o->reuse, b->object, a->object);
    const Expr *start = at_offset(o, y, 0);
    if (overlap || (!size && a->object->kind == OBJECT_HEAP)) {
        if (!may_be_at(a, 0, align)) return NULL;
        return expr_and(o->pool, start,
                        expr_and(o->pool, no(o, at_offset(o, x, 0)), unspecified_multiple(o, unspecified_offset(o, x), align)));
    }
    return size % align || !may_be_at(a, size, 0) ? NULL : expr_and(o->pool, start, at_offset(o, x, size));
}

static bool is_of_thread(const Object *o) { return o->kind == OBJECT_THREAD || o->kind == OBJECT_LOCAL || o->stack; }

static const Expr *lies_in(const Unspecified *o, const Expr *x, const Object *of) {
    return of->kind == OBJECT_HEAP ? expr_bool(o->pool, true) : unspecified_same_granule(o, x, object_address(o->program, of));
}

/* Returns the condition under which C leaves open whether x and y, pointers to a and b, are equal, or NULL if it never does. */
static const Expr *open_pair(Unspecified *o, const Target *a, const Target *b, const Expr *x, const Expr *y) {
    if (o->reused && is_of_thread(a->object) && is_of_thread(b->object) &&
        (a->object == b->object || a->object->template_ != b->object->template_))
        return expr_bool(o->pool, true); /* a new thread may get the stack of a thread that has ended */
    if (a->object == b->object && a->object->kind != OBJECT_HEAP) return NULL;
    if (a->object->mergeable && b->object->mergeable && a->object != b->object) return expr_bool(o->pool, true);
    const Expr *open = meets_start(o, a, b, x, y);
    const Expr *other = meets_start(o, b, a, y, x);
    if (other) open = open ? expr_or(o->pool, open, other) : other;
    if (!stack_disjoint_lives(o->stack, a->object, b->object)) return open;
    if (a->object->template_ != o->template_->index) return expr_bool(o->pool, true); /* only the own thread can compute lies_in */
    const Expr *dead = expr_and(o->pool, lies_in(o, x, a->object), lies_in(o, y, b->object));
    return open ? expr_or(o->pool, open, dead) : dead;
}

/* True if x and y may point into the same local, whose place may change between its lives. */
static bool may_have_moved(Unspecified *o, const Expr *x, const Expr *y) {
    size_t n, m;
    const Target *s = targets_of(o, x, &n), *t = targets_of(o, y, &m);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < m; k++)
            if (s[i].object == t[k].object && stack_moves(o->stack, s[i].object)) return true;
    return false;
}

static bool all_static(const Target *t, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (t[i].object->kind == OBJECT_HEAP || t[i].object->mergeable)
            return false; /* the results that C allows depend on sizes, alignment or contents */
    return true;
}

static bool open_pointers(Unspecified *o, const Expr *e, OpenValue *out) {
    const Expr *x = e->args[0], *y = e->args[1], *open = expr_bool(o->pool, false);
    size_t n, m;
    const Target *s = targets_of(o, x, &n), *t = targets_of(o, y, &m);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < m; k++) {
            const Expr *pair = open_pair(o, &s[i], &t[k], x, y);
            if (pair) open = n * m > MOST_PAIRS ? expr_bool(o->pool, true) : expr_or(o->pool, open, pair);
        }
    bool precise = !expr_is_true(open); /* false: `open` includes pointers to live objects, which C requires to differ */
    open = expr_and(o->pool, open, expr_and(o->pool, unspecified_in_space(o, x), unspecified_in_space(o, y)));
    open = expr_and(o->pool, open, no(o, unspecified_same_granule(o, x, y)));
    bool moved = may_have_moved(o, x, y);
    if (moved) open = expr_and(o->pool, unspecified_in_space(o, x), unspecified_in_space(o, y));
    *out = (OpenValue){.value = e,
                       .exact = no(o, open),
                       .why = MSG_PASSES_OPEN_PAIR,
                       .allowed = precise && !moved && all_static(s, n) && all_static(t, m)};
    return true;
}

/* ---- operators on addresses ---- */

/* True if e is a constant that no pointer equals: a number at the start of the address space, or at its end (with 64 bits, the upper half). */
static bool is_small(const Unspecified *o, const Expr *e) {
    if (!expr_is_const(e)) return false;
    return e->value <= SMALL || (o->program->pointer_width == 64 && (e->value >> (e->sort->width - 1) & 1)) ||
           e->value == number(o, UINT64_MAX)->value;
}

static bool open_equality(Unspecified *o, const Expr *e, OpenValue *out) {
    const Expr *x = e->args[0], *y = e->args[1];
    if (is_small(o, x) || is_small(o, y)) return false;
    if (is_address(o, x) && is_address(o, y)) return !one_object(o, x, y) && open_pointers(o, e, out);
    *out = (OpenValue){.value = e,
                       .exact = no(o, expr_and(o->pool, unspecified_in_space(o, x), unspecified_in_space(o, y))),
                       .why = MSG_PASSES_OPEN_ADDRESS};
    return true;
}

/* Records the differences that C allows: two objects may have any order and distance, but do not overlap, and are aligned. */
static void allow_difference(const Unspecified *o, const Target *s, const Target *t, OpenValue *out) {
    uint64_t a = unspecified_alignment(o, s->object), b = unspecified_alignment(o, t->object);
    out->allowed = out->difference = true;
    out->align = a < b ? a : b;
    out->residue = (int64_t)(s->offset.residue - t->offset.residue);
    out->above = (int64_t)t->object->size;
    out->below = -(int64_t)s->object->size;
}

static bool has_function(const Target *t, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (t[i].object->kind == OBJECT_FUNCTION) return true;
    return false;
}

/* True for a comparison or difference of two pointers, unless they point into one object: only there does C define the result. */
static bool open_order(Unspecified *o, const Expr *e, OpenValue *out) {
    const Expr *x = e->args[0], *y = e->args[1];
    bool with_sign = e->op == OP_SLT || e->op == OP_SLE;
    if (e->op != OP_SUB && (is_small(o, x) || is_small(o, y)) && !(with_sign && o->program->pointer_width == 32)) return false;
    if (one_object(o, x, y)) return false;
    const Expr *numbers = expr_and(o->pool, no(o, unspecified_in_space(o, x)), no(o, unspecified_in_space(o, y)));
    size_t n, m;
    const Target *s = targets_of(o, x, &n), *t = targets_of(o, y, &m);
    bool code = has_function(s, n) || has_function(t, m); /* functions share a granule */
    const Expr *together = !code ? unspecified_same_granule(o, x, y) : expr_eq(o->pool, low_part(o, x), low_part(o, y));
    if (may_have_moved(o, x, y)) together = expr_bool(o->pool, false);
    *out = (OpenValue){.value = e, .exact = expr_or(o->pool, numbers, together), .why = MSG_PASSES_OPEN_ADDRESS};
    if (n != 1 || m != 1 || s->object == t->object || x->sort->width != o->program->pointer_width) return true;
    out->allowed = e->op != OP_SUB;
    if (e->op == OP_SUB && all_static(s, 1) && all_static(t, 1) && !s->offset.modulus && !t->offset.modulus) allow_difference(o, s, t, out);
    return true;
}

/* True if e sets, clears or tests low bits of an address that alignment keeps 0. */
static bool is_tag(const Unspecified *o, const Expr *e) {
    if (e->op == OP_EXTRACT && e->sort->width >= o->program->pointer_width)
        return e->low % o->program->pointer_width == 0; /* whole addresses */
    if (e->op == OP_EXTRACT)
        return e->low + e->sort->width <= 3 && low_bits_known(o, e->args[0], ((u128)1 << (e->low + e->sort->width)) - 1);
    if (e->nargs != 2 || !expr_is_const(e->args[1])) return false;
    u128 mask = e->args[1]->value, all = number(o, UINT64_MAX)->value;
    if (e->op == OP_UREM) return mask && !(mask & (mask - 1)) && low_bits_known(o, e->args[0], mask - 1);
    if (e->op == OP_BOR || e->op == OP_BXOR) return low_bits_known(o, e->args[0], mask);
    return e->op == OP_BAND && (low_bits_known(o, e->args[0], mask) || low_bits_known(o, e->args[0], mask ^ all));
}

/* Records the numbers that C allows for the address in e, if e has a single one: all that are aligned and belong to the address space. */
static void allow_number(const Unspecified *o, const Expr *e, OpenValue *out) {
    unsigned found = 0;
    for (unsigned i = 0; i < e->nargs; i++) {
        size_t n;
        if (!is_address(o, e->args[i])) continue;
        const Target *t = targets_of(o, e->args[i], &n);
        if (found++ || n != 1 || e->args[i]->sort->width != o->program->pointer_width ||
            (t->offset.modulus && t->object->kind != OBJECT_HEAP) || t->offset.modulus % pointsto_stride(o->program))
            return;
        out->address = e->args[i];
        out->align = unspecified_alignment(o, t->object);
        out->offset = t->offset.residue;
    }
    out->allowed = found == 1;
}

static bool open_number(Unspecified *o, const Expr *e, OpenValue *out) {
    if (is_tag(o, e)) return false;
    const Expr *exact = expr_bool(o->pool, true);
    for (unsigned i = 0; i < e->nargs; i++)
        if (is_address(o, e->args[i])) exact = expr_and(o->pool, exact, no(o, unspecified_in_space(o, e->args[i])));
    *out = (OpenValue){.value = e, .exact = exact, .why = MSG_PASSES_OPEN_ADDRESS};
    allow_number(o, e, out);
    return true;
}

static bool open_address(Unspecified *o, const Expr *e, OpenValue *out) {
    unsigned n = 0;
    for (unsigned i = 0; i < e->nargs; i++) n += is_address(o, e->args[i]);
    if (!n || unspecified_moves(e->op)) return false;
    switch (e->op) {
    case OP_EQ: return open_equality(o, e, out);
    case OP_ULT:
    case OP_ULE:
    case OP_SLT:
    case OP_SLE: return open_order(o, e, out);
    case OP_SUB: return is_address(o, e->args[1]) && open_order(o, e, out);
    case OP_ADD:
        if (n < 2) return false;
        *out = (OpenValue){.value = e,
                           .exact = no(o, expr_and(o->pool, unspecified_in_space(o, e->args[0]), unspecified_in_space(o, e->args[1]))),
                           .why = MSG_PASSES_OPEN_ADDRESS};
        return true;
    default: return open_number(o, e, out);
    }
}

/* ---- ids of threads ---- */

static bool is_thread(const Unspecified *o, const Expr *e) { return e->sort->kind == SORT_BV && pointsto_is_thread(o->pointsto, e); }

/* Handles an equality of ids of threads. Library models compare Heddle's numbers of threads, which have 32 bits; the ids of a program are as wide
   as a pointer. */
static bool open_equal_threads(Unspecified *o, const Expr *e, unsigned ids, OpenValue *out) {
    const Expr *x = e->args[0], *y = e->args[1];
    bool library = x->sort->width == 32 && o->program->pointer_width == 64, constant = expr_is_const(x) || expr_is_const(y);
    if (x->sort->width >= 32 && ((expr_is_const(x) && !x->value) || (expr_is_const(y) && !y->value))) return false;
    if ((ids == 2 && !o->reused && x->sort->width >= 32) || (library && !constant)) return false;
    if (!constant) out->exact = e;
    return true;
}

static bool open_thread(Unspecified *o, const Expr *e, OpenValue *out) {
    unsigned n = 0;
    for (unsigned i = 0; i < e->nargs; i++) n += is_thread(o, e->args[i]);
    if (!n || unspecified_moves(e->op)) return false;
    *out = (OpenValue){.value = e, .exact = expr_bool(o->pool, false), .why = MSG_PASSES_OPEN_THREAD};
    switch (e->op) {
    case OP_EXTRACT: return e->low != 0 || e->sort->width < 32;
    case OP_EQ: return open_equal_threads(o, e, n, out);
    default: return true;
    }
}

bool unspecified_aligned(const Program *p) {
    for (size_t i = 0; i < vec_len(p->objects); i++)
        if (p->objects[i]->align > (p->skew & -p->skew)) return false;
    return true;
}

/* True if a thread may be created after another was joined, or was detached and has ended. */
bool unspecified_reuses_ids(const Program *p) {
    bool joins = false;
    if (p->detaches) return true;
    unsigned creators = 0;
    vec_each(const Template *, template_, p->templates) {
        bool *after = NULL, creates = false, again = false;
        vec_resize(after, vec_len(template_->locations));
        for (bool changed = true; changed;) {
            changed = false;
            vec_each_at(const Action, action, template_->actions) {
                bool joined = after[action->source];
                for (size_t i = 0; i < vec_len(action->instrs); i++) {
                    joined |= action->instrs[i].kind == INSTR_JOIN;
                    creates |= action->instrs[i].kind == INSTR_CREATE;
                    again |= joined && action->instrs[i].kind == INSTR_CREATE;
                }
                joins |= joined;
                changed |= joined && !after[action->target];
                after[action->target] |= joined;
            }
        }
        vec_free(after);
        if (again) return true;
        creators += creates;
    }
    return joins && creators > 1;
}

/* True for a part of an address that was read from memory (unspecified_parts.c). */
static bool open_part(const Unspecified *o, const Expr *e, OpenValue *out) {
    const OpenValue *open = e->op == OP_SYMBOL ? map_find(o->loads, e->symbol) : NULL;
    if (!open) return false;
    *out = *open;
    out->why = MSG_PASSES_OPEN_ADDRESS;
    return true;
}

bool unspecified_is_open(Unspecified *o, const Expr *e, OpenValue *out) {
    return (open_thread(o, e, out) || open_address(o, e, out) || open_part(o, e, out)) && !expr_is_true(out->exact);
}
