/* SPDX-License-Identifier: Apache-2.0 */
/* Translates bit-vector expressions to integers, as integers.h describes.

   requires  no variable changes its sign or its mark `congruent` while a translation is in use
   ensures   where a bit-vector expression does not fault, its image has the same truth value, or a congruent value in the range that goes
             with the image
   breaks    nothing: the module only makes expressions, and remembers them */
#include "passes/build/integers.h"
#include "base/map.h"
#include "passes/messages.h"
#include <stdlib.h>

typedef struct Range {
    i128 lo, hi;
} Range;

/* An integer that stands for a bit-vector: the term is congruent to it modulo 2^width, and lies in the range. The term is NULL if the
   translation is refused. */
typedef struct Number {
    const Expr *term;
    Range range;
    unsigned width;
} Number;

struct Integers {
    Exprs *exprs;
    Map *symbols;     /* Symbol -> Symbol */
    Map *formulas;    /* Expr -> Expr, for Bool */
    Map *numbers;     /* Expr -> Number */
    Map *congruences; /* Expr, an equality modulo a power of two -> Expr, the equality of integers */
    Map *whole;       /* Expr -> 1: an expression without bit-vectors; 2: an expression with bit-vectors */
    Arena *arena;
    const char *refusal;
};

/* The range of a number that is only known to be congruent. The range exceeds that of each type, so each use brings the number into range. */
static const Range ANYWHERE = {-((i128)1 << 99), (i128)1 << 99};

/* Ranges stay within this, so that sums and products of two never overflow 128 bits. */
static const i128 HUGE_BOUND = (i128)1 << 100;

Integers *integers_new(const Program *p) {
    Integers *n = zeroed(1, sizeof *n);
    n->exprs = p->exprs;
    n->symbols = map_new();
    n->formulas = map_new();
    n->numbers = map_new();
    n->whole = map_new();
    n->congruences = map_new();
    n->arena = arena_new();
    return n;
}

void integers_free(Integers *n) {
    if (!n) return;
    map_free(n->symbols);
    map_free(n->formulas);
    map_free(n->numbers);
    map_free(n->whole);
    map_free(n->congruences);
    arena_free(n->arena);
    free(n);
}

const char *integers_refusal(const Integers *n) { return n->refusal; }

/* ---- sorts and symbols ---- */

static const Sort *image_sort(Exprs *x, const Sort *s) {
    if (s->kind == SORT_BV) return sort_int(x);
    if (s->kind == SORT_ARRAY) return sort_array(x, image_sort(x, s->index), image_sort(x, s->element));
    return s;
}

const Symbol *integers_symbol(Integers *n, const Symbol *s) {
    const Symbol *image = map_find(n->symbols, s);
    const Sort *sort = image_sort(n->exprs, s->sort);
    if (image) return image;
    if (sort == s->sort) {
        image = s;
    } else {
        Symbol *made = symbol_new(n->exprs, s->kind, s->name, sort);
        made->user = s->user;
        made->sign = 1;
        image = made;
    }
    map_set(n->symbols, s, image);
    return image;
}

/* True if e has no bit-vectors, so that e is its own image. */
static bool is_whole(Integers *n, const Expr *e) {
    uint64_t known;
    if (map_get(n->whole, map_key(e), &known)) return known == 1;
    bool whole = image_sort(n->exprs, e->sort) == e->sort && e->op != OP_APPLY;
    for (unsigned i = 0; i < e->nargs && whole; i++) whole = is_whole(n, e->args[i]);
    map_put(n->whole, map_key(e), whole ? 1 : 2);
    return whole;
}

/* ---- ranges ---- */

static i128 power(unsigned k) { return (i128)1 << k; }

static Range signed_range(unsigned w) { return (Range){-power(w - 1), power(w - 1) - 1}; }
static Range unsigned_range(unsigned w) { return (Range){0, power(w) - 1}; }

/* Returns the range of a variable, or of the elements of an array. v is NULL for an input, or if no variable is known. */
static Range range_of(const Variable *v, unsigned w) {
    if (v && v->congruent) return ANYWHERE;
    return v && v->is_signed ? signed_range(w) : unsigned_range(w);
}

static bool within(Range r, Range s) { return r.lo >= s.lo && r.hi <= s.hi; }

static Range hull(Range a, Range b) { return (Range){a.lo < b.lo ? a.lo : b.lo, a.hi > b.hi ? a.hi : b.hi}; }

static Range meet(Range a, Range b) {
    Range r = {a.lo > b.lo ? a.lo : b.lo, a.hi < b.hi ? a.hi : b.hi};
    return r.lo <= r.hi ? r : b; /* an empty meet: the operation always faults */
}

static const Expr *constant(Integers *n, i128 v) { return expr_int(n->exprs, v); }
static const Expr *sum(Integers *n, const Expr *a, const Expr *b) { return expr_2(n->exprs, OP_ADD, a, b); }
static const Expr *less(Integers *n, const Expr *a, i128 c) { return expr_2(n->exprs, OP_SLT, a, constant(n, c)); }

static const Number refused = {0};

static Number refuse(Integers *n, const Expr *e) {
    n->refusal = op_text(e->op);
    return refused;
}

/* Returns a number in range r that is congruent to a. The range must span 2^width numbers. */
static Number brought_into(Integers *n, Number a, Range r) {
    if (!a.term || within(a.range, r)) return a;
    i128 m = power(a.width);
    const Expr *t = a.term;
    if (a.range.lo >= r.lo - m && a.range.hi <= r.hi) t = expr_ite(n->exprs, less(n, t, r.lo), sum(n, t, constant(n, m)), t);
    else if (a.range.lo >= r.lo && a.range.hi <= r.hi + m) t = expr_ite(n->exprs, less(n, t, r.hi + 1), t, sum(n, t, constant(n, -m)));
    else if (r.lo == 0) t = expr_2(n->exprs, OP_MOD, t, constant(n, m));
    else t = sum(n, expr_2(n->exprs, OP_MOD, sum(n, t, constant(n, -r.lo)), constant(n, m)), constant(n, r.lo));
    return (Number){t, r, a.width};
}

static Number as_signed(Integers *n, Number a) { return a.term ? brought_into(n, a, signed_range(a.width)) : a; }
static Number as_unsigned(Integers *n, Number a) { return a.term ? brought_into(n, a, unsigned_range(a.width)) : a; }

/* Returns the number that is stored if a is assigned to the variable or an element of it. */
static Number kept_by(Integers *n, const Variable *v, Number a) {
    if (!a.term || (v && v->congruent)) return a;
    return v && v->is_signed ? as_signed(n, a) : as_unsigned(n, a);
}

static Number bounded(Number a) {
    if (a.range.lo < -HUGE_BOUND || a.range.hi > HUGE_BOUND) a.range = ANYWHERE;
    return a;
}

/* ---- operators ---- */

static Number number(Integers *, const Expr *);

static Number symbol_number(Integers *n, const Expr *e) {
    const Variable *v = expr_variable(e);
    unsigned w = e->sort->width;
    return (Number){expr_symbol(n->exprs, integers_symbol(n, e->symbol)), range_of(v, w), w};
}

static Number constant_number(Integers *n, const Expr *e) {
    unsigned w = e->sort->width;
    i128 v = (i128)e->value;
    if (v >= power(w - 1)) v -= power(w);
    return (Number){constant(n, v), {v, v}, w};
}

static bool is_constant(Number a) { return a.term && a.range.lo == a.range.hi; }

static Range product_range(Range a, Range b) {
    const i128 limit = (i128)1 << 62;
    if (a.lo < -limit || a.hi > limit || b.lo < -limit || b.hi > limit) {
        if (b.lo == b.hi || a.lo == a.hi) {
            /* a constant times a wide range */
            i128 c = b.lo == b.hi ? b.lo : a.lo;
            Range r = b.lo == b.hi ? a : b;
            if (c >= -limit && c <= limit && r.lo >= -((i128)1 << 64) && r.hi <= (i128)1 << 64)
                return c >= 0 ? (Range){r.lo * c, r.hi * c} : (Range){r.hi * c, r.lo * c};
        }
        return (Range){-((i128)1 << 126), ((i128)1 << 126)};
    }
    i128 p[] = {a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi};
    Range r = {p[0], p[0]};
    for (int i = 1; i < 4; i++) r = hull(r, (Range){p[i], p[i]});
    return r;
}

static Number arithmetic(Integers *n, const Expr *e) {
    Number a = number(n, e->args[0]), b = number(n, e->args[1]);
    if (!a.term || !b.term) return refused;
    bool is_signed = e->flags & (FLAG_NSW | FLAG_EXACT);
    if (is_signed) a = as_signed(n, a), b = as_signed(n, b);
    Number r = {expr_2(n->exprs, e->op, a.term, b.term), {0, 0}, e->sort->width};
    if (e->op == OP_ADD) r.range = (Range){a.range.lo + b.range.lo, a.range.hi + b.range.hi};
    else if (e->op == OP_SUB) r.range = (Range){a.range.lo - b.range.hi, a.range.hi - b.range.lo};
    else r.range = product_range(a.range, b.range);
    if (is_signed) r.range = meet(r.range, signed_range(r.width));
    else if (e->flags & FLAG_NUW) r = as_unsigned(n, r);
    return bounded(r);
}

/* Returns the quotient or remainder of a division that rounds towards zero. */
static Number division(Integers *n, const Expr *e) {
    bool is_signed = e->op == OP_SDIV || e->op == OP_SREM, remainder = e->op == OP_UREM || e->op == OP_SREM;
    Exprs *x = n->exprs;
    Number a = number(n, e->args[0]), b = number(n, e->args[1]);
    a = is_signed ? as_signed(n, a) : as_unsigned(n, a);
    b = is_signed ? as_signed(n, b) : as_unsigned(n, b);
    if (!a.term || !b.term) return refused;
    const Expr *zero = constant(n, 0);
    const Expr *q = expr_2(x, OP_DIV, a.term, b.term);
    if (a.range.lo < 0) /* Euclidean division rounds down for positive divisors and up for negative ones */
        q = expr_ite(x, less(n, a.term, 0), expr_2(x, OP_SUB, zero, expr_2(x, OP_DIV, expr_2(x, OP_SUB, zero, a.term), b.term)), q);
    i128 bound = a.range.hi > -a.range.lo ? a.range.hi : -a.range.lo;
    Range r = {a.range.lo < 0 || b.range.lo < 0 ? -bound : 0, bound};
    if (remainder) {
        q = expr_2(x, OP_SUB, a.term, expr_2(x, OP_MUL, b.term, q));
        if (a.range.lo >= 0 && b.range.lo > 0) q = expr_2(x, OP_MOD, a.term, b.term), r = (Range){0, b.range.hi - 1};
    }
    return (Number){q, r, e->sort->width};
}

static Number shift(Integers *n, const Expr *e) {
    Number a = number(n, e->args[0]);
    if (!a.term || !expr_is_const(e->args[1]) || e->args[1]->value >= e->sort->width) return refuse(n, e);
    i128 by = power((unsigned)e->args[1]->value);
    if (e->op == OP_SHL) {
        if (e->flags & FLAG_NSW) a = as_signed(n, a);
        Number r = {expr_2(n->exprs, OP_MUL, a.term, constant(n, by)), product_range(a.range, (Range){by, by}), e->sort->width};
        return bounded(r);
    }
    a = e->op == OP_ASHR ? as_signed(n, a) : as_unsigned(n, a);
    i128 down = a.range.lo >= 0 ? a.range.lo / by : -((-a.range.lo + by - 1) / by);
    return (Number){expr_2(n->exprs, OP_DIV, a.term, constant(n, by)), {down, a.range.hi / by}, e->sort->width};
}

static bool is_bit(Number a) { return a.range.lo >= 0 && a.range.hi <= 1; }

static Number from_condition(Integers *n, const Expr *c, unsigned width) {
    return (Number){expr_ite(n->exprs, c, constant(n, 1), constant(n, 0)), {0, 1}, width};
}

/* Translates a & (2^k - 1) and a & ~(2^k - 1). */
static Number masked(Integers *n, const Expr *e, Number a, u128 mask) {
    unsigned w = e->sort->width;
    u128 all = w == 128 ? ~(u128)0 : ((u128)1 << w) - 1, low = mask + 1, high = (~mask & all) + 1;
    if (mask == 0) return (Number){constant(n, 0), {0, 0}, w};
    a = as_unsigned(n, a);
    if ((low & mask) == 0) {
        if (a.range.hi <= (i128)mask) return a;
        return (Number){expr_2(n->exprs, OP_MOD, a.term, constant(n, (i128)low)), {0, (i128)mask}, w};
    }
    if ((high & (high - 1)) == 0) {
        i128 by = (i128)high;
        Range down = {a.range.lo - a.range.lo % by, a.range.hi - a.range.hi % by};
        return (Number){expr_2(n->exprs, OP_SUB, a.term, expr_2(n->exprs, OP_MOD, a.term, constant(n, by))), down, w};
    }
    return refuse(n, e);
}

static Number bitwise(Integers *n, const Expr *e) {
    Number a = number(n, e->args[0]), b = number(n, e->args[1]);
    Exprs *x = n->exprs;
    if (!a.term || !b.term) return refused;
    if (is_bit(a) && is_bit(b)) {
        const Expr *p = expr_eq(x, a.term, constant(n, 1)), *q = expr_eq(x, b.term, constant(n, 1));
        const Expr *c = e->op == OP_BAND ? expr_and(x, p, q) : e->op == OP_BOR ? expr_or(x, p, q) : expr_not(x, expr_eq(x, p, q));
        return from_condition(n, c, e->sort->width);
    }
    if (e->op == OP_BAND && expr_is_const(e->args[1])) return masked(n, e, a, e->args[1]->value);
    if (e->op == OP_BAND && expr_is_const(e->args[0])) return masked(n, e, b, e->args[0]->value);
    if (e->op == OP_BXOR && is_constant(b) && b.range.lo == -1) /* ~a */
        return (Number){expr_2(x, OP_SUB, constant(n, -1), a.term), {-1 - a.range.hi, -1 - a.range.lo}, e->sort->width};
    if (e->op == OP_BOR && is_constant(b) && b.range.lo == 0) return a;
    return refuse(n, e);
}

static Number extract(Integers *n, const Expr *e) {
    Number a = number(n, e->args[0]);
    if (!a.term) return refused;
    if (e->low) {
        a = as_unsigned(n, a);
        i128 by = power(e->low);
        a = (Number){expr_2(n->exprs, OP_DIV, a.term, constant(n, by)), {a.range.lo / by, a.range.hi / by}, a.width};
    }
    a.width = e->sort->width; /* congruent modulo the larger power, so modulo the smaller */
    return a;
}

static Number extended(Integers *n, const Expr *e) {
    Number a = number(n, e->args[0]);
    a = e->op == OP_ZEXT ? as_unsigned(n, a) : as_signed(n, a);
    a.width = e->sort->width;
    return a;
}

static Number concatenated(Integers *n, const Expr *e) {
    Number a = as_unsigned(n, number(n, e->args[0])), b = as_unsigned(n, number(n, e->args[1]));
    if (!a.term || !b.term) return refused;
    i128 by = power(b.width);
    const Expr *t = sum(n, expr_2(n->exprs, OP_MUL, a.term, constant(n, by)), b.term);
    return (Number){t, {0, a.range.hi * by + b.range.hi}, e->sort->width};
}

static Number choice(Integers *n, const Expr *e) {
    const Expr *c = integers_formula(n, e->args[0]);
    Number a = number(n, e->args[1]), b = number(n, e->args[2]);
    if (!c || !a.term || !b.term) return refused;
    return (Number){expr_ite(n->exprs, c, a.term, b.term), hull(a.range, b.range), e->sort->width};
}

/* ---- arrays: indices by their signed value, elements by the sign of the array's variable ---- */

static const Variable *array_variable(const Expr *e) {
    while (e->op == OP_STORE || e->op == OP_ITE) e = e->args[e->op == OP_ITE ? 1 : 0];
    return expr_variable(e);
}

static const Expr *element_value(Integers *n, const Expr *array, const Expr *e) {
    const Variable *v = array_variable(array);
    if (e->sort->kind != SORT_BV) return e->sort->kind == SORT_BOOL ? integers_formula(n, e) : NULL;
    return kept_by(n, v, number(n, e)).term;
}

/* True if the elements of one array have the same integers in the other: their signs agree, and the elements are in range unless the other
   array is congruent. */
static bool reads_alike(const Expr *array, const Expr *other) {
    const Variable *a = expr_variable(array), *b = array_variable(other);
    if (a == b || array->sort->element->kind != SORT_BV) return true;
    return (a && a->is_signed) == (b && b->is_signed) && (!(a && a->congruent) || (b && b->congruent));
}

static const Expr *array_image(Integers *n, const Expr *e, const Expr *sign_of) {
    switch (e->op) {
    case OP_SYMBOL:
        if (reads_alike(e, sign_of)) return expr_symbol(n->exprs, integers_symbol(n, e->symbol));
        n->refusal = MSG_PASSES_OPERATOR_ARRAYS;
        return NULL;
    case OP_STORE: {
        const Expr *a = array_image(n, e->args[0], sign_of), *i = as_signed(n, number(n, e->args[1])).term;
        const Expr *v = element_value(n, sign_of, e->args[2]), *args[] = {a, i, v};
        return a && i && v ? expr_make(n->exprs, OP_STORE, 0, 3, args) : NULL;
    }
    case OP_ITE: {
        const Expr *c = integers_formula(n, e->args[0]), *a = array_image(n, e->args[1], sign_of), *b = array_image(n, e->args[2], sign_of);
        return c && a && b ? expr_ite(n->exprs, c, a, b) : NULL;
    }
    case OP_CONST_ARRAY: {
        const Expr *v = element_value(n, sign_of, e->args[0]);
        return v ? expr_const_array(n->exprs, image_sort(n->exprs, e->sort), v) : NULL;
    }
    default: return NULL;
    }
}

static Number selected(Integers *n, const Expr *e) {
    const Variable *v = array_variable(e->args[0]);
    const Expr *a = array_image(n, e->args[0], e->args[0]), *i = as_signed(n, number(n, e->args[1])).term;
    unsigned w = e->sort->width;
    if (!a || !i) return refuse(n, e);
    return (Number){expr_2(n->exprs, OP_SELECT, a, i), range_of(v, w), w};
}

/* ---- translation ---- */

static Number number_new(Integers *n, const Expr *e) {
    if (e->sort->kind != SORT_BV || e->sort->width > 64) return refuse(n, e);
    switch (e->op) {
    case OP_CONST: return constant_number(n, e);
    case OP_SYMBOL: return symbol_number(n, e);
    case OP_ITE: return choice(n, e);
    case OP_ADD:
    case OP_SUB:
    case OP_MUL: return arithmetic(n, e);
    case OP_UDIV:
    case OP_SDIV:
    case OP_UREM:
    case OP_SREM: return division(n, e);
    case OP_SHL:
    case OP_LSHR:
    case OP_ASHR: return shift(n, e);
    case OP_BAND:
    case OP_BOR:
    case OP_BXOR: return bitwise(n, e);
    case OP_ZEXT:
    case OP_SEXT: return extended(n, e);
    case OP_EXTRACT: return extract(n, e);
    case OP_CONCAT: return concatenated(n, e);
    case OP_SELECT: return selected(n, e);
    case OP_BOOL_TO_BV: {
        const Expr *c = integers_formula(n, e->args[0]);
        return c ? from_condition(n, c, 1) : refused;
    }
    default: return refuse(n, e);
    }
}

static Number number(Integers *n, const Expr *e) {
    Number *known = map_find(n->numbers, e);
    if (known) return *known;
    known = arena_new_of(n->arena, Number);
    *known = number_new(n, e);
    map_set(n->numbers, e, known);
    return *known;
}

static bool is_anywhere(Number a) { return a.range.lo <= ANYWHERE.lo / 2 || a.range.hi >= ANYWHERE.hi / 2; }

static const Expr *equality(Integers *n, const Expr *e) {
    Exprs *x = n->exprs;
    SortKind kind = e->args[0]->sort->kind;
    if (kind == SORT_BOOL) {
        const Expr *a = integers_formula(n, e->args[0]), *b = integers_formula(n, e->args[1]);
        return a && b ? expr_eq(x, a, b) : NULL;
    }
    if (kind == SORT_ARRAY) {
        const Expr *sign_of = e->args[array_variable(e->args[0]) ? 0 : 1];
        const Variable *v = array_variable(sign_of);
        const Expr *a = array_image(n, e->args[0], sign_of), *b = array_image(n, e->args[1], sign_of);
        if (v && v->congruent) return n->refusal = op_text(e->op), NULL; /* elements may be congruent and not equal */
        return a && b ? expr_eq(x, a, b) : NULL;
    }
    Number a = number(n, e->args[0]), b = number(n, e->args[1]);
    if (!a.term || !b.term) return NULL;
    Range s = signed_range(a.width), u = unsigned_range(a.width);
    if (is_anywhere(a) || is_anywhere(b)) { /* a single remainder of a difference: its operand is linear */
        Number d = {expr_2(x, OP_SUB, a.term, b.term), ANYWHERE, a.width};
        const Expr *same = expr_eq(x, as_unsigned(n, d).term, constant(n, 0));
        map_set(n->congruences, same, (void *)expr_eq(x, a.term, b.term));
        return same;
    }
    bool direct = (within(a.range, s) && within(b.range, s)) || (within(a.range, u) && within(b.range, u));
    /* A constant takes the view of the other side. */
    if (!direct && is_constant(b) && within(a.range, u)) b = as_unsigned(n, b), direct = true;
    if (!direct && is_constant(a) && within(b.range, u)) a = as_unsigned(n, a), direct = true;
    if (!direct && (a.range.lo >= 0 || b.range.lo >= 0)) a = as_unsigned(n, a), b = as_unsigned(n, b);
    else if (!direct) a = as_signed(n, a), b = as_signed(n, b);
    return expr_eq(x, a.term, b.term);
}

static const Expr *comparison(Integers *n, const Expr *e) {
    bool is_signed = e->op == OP_SLT || e->op == OP_SLE;
    Number a = number(n, e->args[0]), b = number(n, e->args[1]);
    a = is_signed ? as_signed(n, a) : as_unsigned(n, a);
    b = is_signed ? as_signed(n, b) : as_unsigned(n, b);
    if (!a.term || !b.term) return NULL;
    return expr_2(n->exprs, e->op == OP_ULT || e->op == OP_SLT ? OP_SLT : OP_SLE, a.term, b.term);
}

static const Expr *connective(Integers *n, const Expr *e) {
    const Expr *args[e->nargs];
    for (unsigned i = 0; i < e->nargs; i++)
        if (!(args[i] = integers_formula(n, e->args[i]))) return NULL;
    return expr_make(n->exprs, e->op, 0, e->nargs, args);
}

static const Expr *formula_new(Integers *n, const Expr *e) {
    switch (e->op) {
    case OP_CONST:
    case OP_SYMBOL: return e;
    case OP_NOT:
    case OP_AND:
    case OP_OR:
    case OP_ITE: return connective(n, e);
    case OP_EQ: return equality(n, e);
    case OP_ULT:
    case OP_ULE:
    case OP_SLT:
    case OP_SLE: return comparison(n, e);
    default: n->refusal = op_text(e->op); return NULL;
    }
}

const Expr *integers_formula(Integers *n, const Expr *e) {
    uint64_t known;
    if (map_get(n->formulas, map_key(e), &known)) return (const Expr *)(uintptr_t)known;
    const Expr *f = is_whole(n, e) ? e : formula_new(n, e);
    map_set(n->formulas, e, f);
    return f;
}

const Expr *integers_value(Integers *n, const Expr *e, const Variable *v) {
    if (is_whole(n, e)) return e;
    if (e->sort->kind == SORT_BOOL) return integers_formula(n, e);
    if (e->sort->kind == SORT_ARRAY) return array_image(n, e, expr_symbol(n->exprs, v->symbol));
    return kept_by(n, v, number(n, e)).term;
}

const Expr *integers_number(Integers *n, const Expr *e, i128 *lo, i128 *hi) {
    Number a = number(n, e);
    *lo = a.range.lo;
    *hi = a.range.hi;
    return a.term;
}

const Expr *integers_weaken(Integers *n, const Expr *e) {
    if (e->op == OP_NOT) {
        const Expr *equal = map_find(n->congruences, e->args[0]);
        return equal ? expr_not(n->exprs, equal) : e;
    }
    if (e->op != OP_AND && e->op != OP_OR) return e;
    const Expr *args[e->nargs];
    for (unsigned i = 0; i < e->nargs; i++) args[i] = integers_weaken(n, e->args[i]);
    return expr_make(n->exprs, e->op, 0, e->nargs, args);
}

const Expr *integers_range(Integers *n, const Variable *v) {
    Exprs *x = n->exprs;
    if (v->sort->kind != SORT_BV || v->congruent) return expr_bool(x, true);
    Range r = v->is_signed ? signed_range(v->sort->width) : unsigned_range(v->sort->width);
    const Expr *t = expr_symbol(x, integers_symbol(n, v->symbol));
    return expr_and(x, expr_2(x, OP_SLE, constant(n, r.lo), t), expr_2(x, OP_SLE, t, constant(n, r.hi)));
}
