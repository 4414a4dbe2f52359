/* SPDX-License-Identifier: Apache-2.0 */
/* See zone_terms.h. A term becomes a sum of variables with coefficients, and an interval for the rest. */
#include "analysis/zone_terms.h"
#include "base/map.h"
#include "base/vec.h"

/* ---- names ---- */

static void add_symbol(void *context, const Symbol *s) {
    ZoneNames *n = context;
    if (s->kind == SYM_FUNCTION || s->sort->kind != SORT_INT) return;
    if (!vec_has(n->symbols, s)) vec_push(n->symbols, s);
}

void zone_names_add(ZoneNames *n, const Expr *e) { expr_symbols(e, add_symbol, n); }
void zone_names_free(ZoneNames *n) { vec_free(n->symbols); }

static unsigned index_of(const ZoneNames *n, const Symbol *s) {
    for (size_t i = 0; i < vec_len(n->symbols); i++)
        if (n->symbols[i] == s) return (unsigned)i + 1;
    return 0;
}

/* ---- terms as sums ---- */

/* A sum of a few variables with coefficients, plus a number between lo and hi. */
enum { MAX_TERMS = 6, MAX_TREE = 400 };
typedef struct Sum {
    unsigned n;
    unsigned variable[MAX_TERMS];
    i128 factor[MAX_TERMS];
    i128 lo, hi; /* beyond ZONE_UNBOUNDED: no bound */
} Sum;

typedef struct Interval {
    i128 lo, hi;
} Interval;

static const Interval ANY = {-ZONE_UNBOUNDED, ZONE_UNBOUNDED};

/* Limits an interval. A lower bound is never ZONE_UNBOUNDED, and an upper bound never -ZONE_UNBOUNDED: larger numbers are given up. */
static Interval limited(i128 lo, i128 hi) {
    return (Interval){lo >= ZONE_UNBOUNDED    ? ZONE_UNBOUNDED - 1
                      : lo <= -ZONE_UNBOUNDED ? -ZONE_UNBOUNDED
                                              : lo,
                      hi <= -ZONE_UNBOUNDED  ? 1 - ZONE_UNBOUNDED
                      : hi >= ZONE_UNBOUNDED ? ZONE_UNBOUNDED
                                             : hi};
}

static Interval interval_sum(Interval a, Interval b) {
    i128 lo = a.lo <= -ZONE_UNBOUNDED || b.lo <= -ZONE_UNBOUNDED ? -ZONE_UNBOUNDED : a.lo + b.lo;
    i128 hi = a.hi >= ZONE_UNBOUNDED || b.hi >= ZONE_UNBOUNDED ? ZONE_UNBOUNDED : a.hi + b.hi;
    return limited(lo, hi);
}

static bool is_small(i128 c) { return c < (i128)1 << 62 && c > -((i128)1 << 62); }

/* Returns c times the factor. If c is not finite, or the product is too large, returns the infinity on that side. */
static i128 scaled(i128 c, i128 factor) {
    i128 r;
    bool far = c >= ZONE_UNBOUNDED || c <= -ZONE_UNBOUNDED;
    if (!far && !__builtin_mul_overflow(c, factor, &r)) return r;
    return (c > 0) == (factor > 0) ? ZONE_UNBOUNDED : -ZONE_UNBOUNDED;
}

static Interval interval_times(Interval a, i128 factor) {
    if (factor == 0) return (Interval){0, 0};
    return factor > 0 ? limited(scaled(a.lo, factor), scaled(a.hi, factor)) : limited(scaled(a.hi, factor), scaled(a.lo, factor));
}

static Interval variable_interval(const Zone *z, unsigned i) {
    i128 hi = zone_bound(z, i, 0), lo = zone_bound(z, 0, i);
    return (Interval){lo >= ZONE_UNBOUNDED ? -ZONE_UNBOUNDED : -lo, hi};
}

static Interval sum_interval(const Zone *z, const Sum *s) {
    Interval r = {s->lo, s->hi};
    for (unsigned i = 0; i < s->n; i++) {
        r = interval_sum(r, interval_times(variable_interval(z, s->variable[i]), s->factor[i]));
    }
    return r;
}

static Sum sum_of_interval(Interval r) { return (Sum){.lo = r.lo, .hi = r.hi}; }

static Sum sum_of_constant(i128 c) { return sum_of_interval(limited(c, c)); }

/* Returns a + factor * b. */
static Sum sum_add(const Zone *z, Sum a, const Sum *b, i128 factor) {
    Interval rest = interval_times((Interval){b->lo, b->hi}, factor);
    for (unsigned k = 0; k < b->n; k++) {
        unsigned i = 0;
        i128 f = b->factor[k] * factor;
        while (i < a.n && a.variable[i] != b->variable[k]) i++;
        if (i == MAX_TERMS || !is_small(f)) { /* too many variables: the interval of this one replaces it */
            rest = interval_sum(rest, interval_times(interval_times(variable_interval(z, b->variable[k]), b->factor[k]), factor));
            continue;
        }
        if (i == a.n) {
            a.variable[a.n] = b->variable[k];
            a.factor[a.n++] = f;
        } else if (!(a.factor[i] += f)) {
            a.n--;
            a.variable[i] = a.variable[a.n];
            a.factor[i] = a.factor[a.n];
        }
    }
    rest = interval_sum(rest, (Interval){a.lo, a.hi});
    a.lo = rest.lo;
    a.hi = rest.hi;
    return a;
}

static bool same_sum(const Sum *a, const Sum *b) {
    bool same = a->n == b->n && a->lo == b->lo && a->hi == b->hi && a->lo == a->hi;
    for (unsigned i = 0; i < a->n && same; i++) same = a->variable[i] == b->variable[i] && a->factor[i] == b->factor[i];
    return same;
}

static Interval hull(Interval a, Interval b) { return (Interval){a.lo < b.lo ? a.lo : b.lo, a.hi > b.hi ? a.hi : b.hi}; }

static Sum sum_of(const Zone *, const ZoneNames *, const Expr *);

static Interval interval_of(const Zone *z, const ZoneNames *names, const Expr *e) {
    Sum s = sum_of(z, names, e);
    return sum_interval(z, &s);
}

static i128 floor_div(i128 a, i128 b) { return a >= 0 ? a / b : -((-a + b - 1) / b); }

/* Divides by a positive constant, rounding down. The remainder is not negative. */
static Sum division(const Zone *z, const ZoneNames *names, const Expr *e) {
    Interval a = interval_of(z, names, e->args[0]);
    if (!expr_is_const(e->args[1]) || (i128)e->args[1]->value <= 0) return sum_of_interval(ANY);
    i128 by = (i128)e->args[1]->value;
    if (e->op == OP_MOD) return a.lo >= 0 && a.hi < by ? sum_of(z, names, e->args[0]) : sum_of_interval((Interval){0, by - 1});
    return sum_of_interval(
        (Interval){a.lo <= -ZONE_UNBOUNDED ? a.lo : floor_div(a.lo, by), a.hi >= ZONE_UNBOUNDED ? a.hi : floor_div(a.hi, by)});
}

static Sum product(const Zone *z, const ZoneNames *names, const Expr *e) {
    Sum a = sum_of(z, names, e->args[0]), b = sum_of(z, names, e->args[1]), none = {0};
    if (!b.n && b.lo == b.hi && is_small(b.lo)) return sum_add(z, none, &a, b.lo);
    if (!a.n && a.lo == a.hi && is_small(a.lo)) return sum_add(z, none, &b, a.lo);
    Interval p = sum_interval(z, &a), q = sum_interval(z, &b);
    if (!is_small(p.lo) || !is_small(p.hi) || !is_small(q.lo) || !is_small(q.hi)) {
        bool positive = p.lo >= 0 && q.lo >= 0;
        return sum_of_interval((Interval){positive ? 0 : -ZONE_UNBOUNDED, ZONE_UNBOUNDED});
    }
    i128 ends[] = {p.lo * q.lo, p.lo * q.hi, p.hi * q.lo, p.hi * q.hi};
    Interval r = {ends[0], ends[0]};
    for (int i = 1; i < 4; i++) r = hull(r, (Interval){ends[i], ends[i]});
    return sum_of_interval(limited(r.lo, r.hi));
}

static Sum choice(const Zone *z, const ZoneNames *names, const Expr *e) {
    ZoneAnswer c = zone_decides(z, names, e->args[0]);
    Sum a, b;
    if (c != ZONE_NO) a = sum_of(z, names, e->args[1]);
    if (c != ZONE_YES) b = sum_of(z, names, e->args[2]);
    if (c != ZONE_MAYBE) return c == ZONE_YES ? a : b;
    return same_sum(&a, &b) ? a : sum_of_interval(hull(sum_interval(z, &a), sum_interval(z, &b)));
}

static Sum sum_of(const Zone *z, const ZoneNames *names, const Expr *e) {
    Sum a, b;
    unsigned v;
    if (e->tree > MAX_TREE) return sum_of_interval(ANY);
    switch (e->op) {
    case OP_CONST: return sum_of_constant((i128)e->value);
    case OP_SYMBOL: v = index_of(names, e->symbol); return v ? (Sum){.n = 1, .variable = {v}, .factor = {1}} : sum_of_interval(ANY);
    case OP_ADD:
    case OP_SUB:
        a = sum_of(z, names, e->args[0]);
        b = sum_of(z, names, e->args[1]);
        return sum_add(z, a, &b, e->op == OP_ADD ? 1 : -1);
    case OP_MUL: return product(z, names, e);
    case OP_DIV:
    case OP_MOD: return division(z, names, e);
    case OP_ITE: return choice(z, names, e);
    default: return sum_of_interval(ANY);
    }
}

/* ---- decisions ---- */

static Sum difference_of(const Zone *z, const ZoneNames *names, const Expr *a, const Expr *b) {
    Sum s = {0}, t = {0};
    if (a) s = sum_of(z, names, a);
    if (b) t = sum_of(z, names, b);
    return b ? sum_add(z, s, &t, -1) : s;
}

/* True if the sum is x - y plus an interval. x and y may be 0, for the number 0. */
static bool is_difference(const Sum *s, unsigned *x, unsigned *y) {
    *x = *y = 0;
    for (unsigned i = 0; i < s->n; i++) {
        unsigned *place = s->factor[i] == 1 ? x : s->factor[i] == -1 ? y : NULL;
        if (!place || *place) return false;
        *place = s->variable[i];
    }
    return true;
}

static i128 upper(const Zone *z, const Sum *s) {
    unsigned x, y;
    if (s->n && is_difference(s, &x, &y)) return interval_sum((Interval){0, zone_bound(z, x, y)}, (Interval){0, s->hi}).hi;
    return sum_interval(z, s).hi;
}

i128 zone_difference(const Zone *z, const ZoneNames *names, const Expr *a, const Expr *b) {
    Sum s = difference_of(z, names, a, b);
    return upper(z, &s);
}

bool zone_differ(const Zone *z, const ZoneNames *names, const Expr *a, const Expr *b) {
    Sum s = difference_of(z, names, a, b), t = difference_of(z, names, b, a);
    unsigned x, y;
    if (upper(z, &s) < 0 || upper(z, &t) < 0) return true;
    return s.lo == 0 && s.hi == 0 && is_difference(&s, &x, &y) && zone_apart(z, x, y);
}

static bool is_integer(const Expr *e) { return e->sort->kind == SORT_INT; }

static ZoneAnswer decide_less(const Zone *z, const ZoneNames *names, const Expr *e) {
    i128 least = e->op == OP_SLT ? 1 : 0; /* a + least <= b */
    if (zone_difference(z, names, e->args[0], e->args[1]) <= -least) return ZONE_YES;
    return zone_difference(z, names, e->args[1], e->args[0]) < least ? ZONE_NO : ZONE_MAYBE;
}

static ZoneAnswer decide_equal(const Zone *z, const ZoneNames *names, const Expr *e) {
    if (zone_differ(z, names, e->args[0], e->args[1])) return ZONE_NO;
    bool same = zone_difference(z, names, e->args[0], e->args[1]) <= 0 && zone_difference(z, names, e->args[1], e->args[0]) <= 0;
    return same ? ZONE_YES : ZONE_MAYBE;
}

ZoneAnswer zone_decides(const Zone *z, const ZoneNames *names, const Expr *e) {
    ZoneAnswer a, all;
    if (e->tree > MAX_TREE) return ZONE_MAYBE;
    switch (e->op) {
    case OP_CONST: return e->value ? ZONE_YES : ZONE_NO;
    case OP_NOT: a = zone_decides(z, names, e->args[0]); return a == ZONE_MAYBE ? a : a == ZONE_YES ? ZONE_NO : ZONE_YES;
    case OP_AND:
    case OP_OR:
        all = e->op == OP_AND ? ZONE_YES : ZONE_NO;
        for (unsigned i = 0; i < e->nargs; i++) {
            a = zone_decides(z, names, e->args[i]);
            if (a == (e->op == OP_AND ? ZONE_NO : ZONE_YES)) return a;
            if (a == ZONE_MAYBE) all = a;
        }
        return all;
    case OP_EQ: return is_integer(e->args[0]) ? decide_equal(z, names, e) : ZONE_MAYBE;
    case OP_SLT:
    case OP_SLE: return is_integer(e->args[0]) ? decide_less(z, names, e) : ZONE_MAYBE;
    default: return ZONE_MAYBE;
    }
}

/* ---- restriction ---- */

/* Restricts the zone to where the sum can be <= 0: each variable is bounded by the least value of the rest. */
static void restrict_sum(Zone *z, const Sum *s) {
    unsigned x, y;
    if (s->lo <= -ZONE_UNBOUNDED) return;
    if (is_difference(s, &x, &y)) {
        zone_restrict(z, x, y, -s->lo);
        return;
    }
    for (unsigned i = 0; i < s->n; i++) {
        Sum rest = *s;
        rest.n--;
        rest.variable[i] = rest.variable[rest.n];
        rest.factor[i] = rest.factor[rest.n];
        i128 room = sum_interval(z, &rest).lo; /* the condition is factor * variable <= -room */
        if (room <= -ZONE_UNBOUNDED || room >= ZONE_UNBOUNDED) continue;
        if (s->factor[i] > 0) zone_restrict(z, s->variable[i], 0, floor_div(-room, s->factor[i]));
        else zone_restrict(z, 0, s->variable[i], floor_div(-room, -s->factor[i]));
    }
}

/* Assumes a + least <= b. */
static void assume_less(Zone *z, const ZoneNames *names, const Expr *a, const Expr *b, i128 least) {
    Sum s = difference_of(z, names, a, b), more = sum_of_constant(least);
    s = sum_add(z, s, &more, 1);
    restrict_sum(z, &s);
}

static void assume_equal(Zone *z, const ZoneNames *names, const Expr *a, const Expr *b, bool holds) {
    unsigned x, y;
    if (holds) {
        assume_less(z, names, a, b, 0);
        assume_less(z, names, b, a, 0);
        return;
    }
    Sum s = difference_of(z, names, a, b);
    if (s.lo == s.hi && is_difference(&s, &x, &y)) zone_exclude(z, x, y, -s.lo);
}

void zone_assume_difference(Zone *z, const ZoneNames *names, const Expr *a, const Expr *b, i128 c) { assume_less(z, names, a, b, -c); }
void zone_assume_different(Zone *z, const ZoneNames *names, const Expr *a, const Expr *b) { assume_equal(z, names, a, b, false); }

/* Assumes that one of the operands is `holds`. There is at least one operand. */
static void assume_some(Zone *z, const ZoneNames *names, const Expr *e, bool holds) {
    Zone *all = zone_copy(z);
    zone_assume(all, names, e->args[0], holds);
    for (unsigned i = 1; i < e->nargs; i++) {
        Zone *one = zone_copy(z);
        zone_assume(one, names, e->args[i], holds);
        zone_join(all, one);
        zone_free(one);
    }
    Zone swap = *z;
    *z = *all;
    *all = swap;
    zone_free(all);
}

void zone_assume(Zone *z, const ZoneNames *names, const Expr *e, bool holds) {
    if (z->empty || (e->tree > MAX_TREE && e->op != OP_AND)) return;
    switch (e->op) {
    case OP_CONST: z->empty |= (e->value != 0) != holds; break;
    case OP_NOT: zone_assume(z, names, e->args[0], !holds); return;
    case OP_AND:
    case OP_OR:
        if ((e->op == OP_AND) != holds) {
            assume_some(z, names, e, holds);
            return;
        }
        for (unsigned i = 0; i < e->nargs && !z->empty; i++) zone_assume(z, names, e->args[i], holds);
        return;
    case OP_EQ:
        if (is_integer(e->args[0])) assume_equal(z, names, e->args[0], e->args[1], holds);
        break;
    case OP_SLT:
    case OP_SLE:
        if (!is_integer(e->args[0])) break;
        if (holds) assume_less(z, names, e->args[0], e->args[1], e->op == OP_SLT ? 1 : 0);
        else assume_less(z, names, e->args[1], e->args[0], e->op == OP_SLT ? 0 : 1);
        break;
    default: break;
    }
    zone_close(z);
}

/* ---- choices and simplification ---- */

const Expr *zone_open_choice(const Zone *z, const ZoneNames *names, const Expr *e) {
    if (!is_integer(e) || e->tree > MAX_TREE) return NULL;
    if (e->op == OP_ITE) {
        ZoneAnswer a = zone_decides(z, names, e->args[0]);
        return a == ZONE_MAYBE ? e->args[0] : zone_open_choice(z, names, e->args[a == ZONE_YES ? 1 : 2]);
    }
    if (e->op != OP_ADD && e->op != OP_SUB && e->op != OP_MUL && e->op != OP_DIV && e->op != OP_MOD) return NULL;
    for (unsigned i = 0; i < e->nargs; i++) {
        const Expr *c = zone_open_choice(z, names, e->args[i]);
        if (c) return c;
    }
    return NULL;
}

typedef struct Simplifier {
    Exprs *exprs;
    const Zone *zone;
    const ZoneNames *names;
    Map *done; /* Expr -> Expr */
} Simplifier;

static const Expr *simplify(Simplifier *s, const Expr *e);

static const Expr *rebuilt(Simplifier *s, const Expr *e) {
    const Expr *args[e->nargs + 1];
    bool same = true;
    for (unsigned i = 0; i < e->nargs; i++) {
        args[i] = simplify(s, e->args[i]);
        same &= args[i] == e->args[i];
    }
    return same ? e : expr_make(s->exprs, e->op, e->flags, e->nargs, args);
}

static const Expr *simplified(Simplifier *s, const Expr *e) {
    ZoneAnswer a;
    switch (e->op) {
    case OP_ITE:
        a = zone_decides(s->zone, s->names, e->args[0]);
        return a == ZONE_MAYBE ? rebuilt(s, e) : simplify(s, e->args[a == ZONE_YES ? 1 : 2]);
    case OP_MOD: {
        Interval r = interval_of(s->zone, s->names, e->args[0]);
        bool idle = expr_is_const(e->args[1]) && r.lo >= 0 && r.hi < (i128)e->args[1]->value;
        return idle ? simplify(s, e->args[0]) : rebuilt(s, e);
    }
    case OP_EQ:
    case OP_SLT:
    case OP_SLE: a = zone_decides(s->zone, s->names, e); return a == ZONE_MAYBE ? rebuilt(s, e) : expr_bool(s->exprs, a == ZONE_YES);
    case OP_NOT:
    case OP_AND:
    case OP_OR:
    case OP_ADD:
    case OP_SUB:
    case OP_MUL:
    case OP_DIV:
    case OP_SELECT:
    case OP_STORE: return rebuilt(s, e);
    default: return e;
    }
}

static const Expr *simplify(Simplifier *s, const Expr *e) {
    const Expr *known = map_find(s->done, e);
    if (known) return known;
    known = simplified(s, e);
    map_set(s->done, e, known);
    return known;
}

const Expr *zone_simplify(Exprs *x, const Zone *z, const ZoneNames *names, const Expr *e) {
    Simplifier s = {x, z, names, map_new()};
    const Expr *r = simplify(&s, e);
    map_free(s.done);
    return r;
}
