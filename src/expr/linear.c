/* SPDX-License-Identifier: Apache-2.0 */
/* Computes with sums of monomials, and comparisons of them. Integer arithmetic checks for overflow: an expression whose numbers do not
   fit is kept as one monomial. */
#include "base/vec.h"
#include "expr/internal.h"
#include "expr/normal.h"

enum { MAX_TERMS = 64 }; /* most pairs of terms of a product that is multiplied out */

void linear_free(Linear *l) { vec_free(l->terms); }

bool linear_valid(const Linear *l) {
    for (size_t i = 0; i < vec_len(l->terms); i++)
        if (!l->terms[i].factor || (i && l->terms[i - 1].monomial->id >= l->terms[i].monomial->id)) return false;
    return l->sort && (l->sort->kind == SORT_INT || l->sort->kind == SORT_BV);
}

/* ---- numbers of a sort ---- */

/* Returns the number as the sort has it: bit-vectors wrap. */
static i128 wrapped(const Sort *s, i128 v) { return is_int(s) ? v : signed_of((u128)v & mask_of(s->width), s->width); }

/* Returns true if an integer is so small that it has a negation and a successor. */
static bool fits(const Sort *s, i128 v) { return !is_int(s) || (v < (i128)1 << 126 && v > -((i128)1 << 126)); }

static bool add_numbers(const Sort *s, i128 a, i128 b, i128 *sum) {
    if (is_int(s)) return !__builtin_add_overflow(a, b, sum) && fits(s, *sum);
    *sum = wrapped(s, (i128)((u128)a + (u128)b));
    return true;
}

static bool multiply_numbers(const Sort *s, i128 a, i128 b, i128 *product) {
    if (is_int(s)) return !__builtin_mul_overflow(a, b, product) && fits(s, *product);
    *product = wrapped(s, (i128)((u128)a * (u128)b));
    return true;
}

static i128 opposite_number(const Sort *s, i128 v) { return wrapped(s, (i128)((u128)0 - (u128)v)); }

/* ---- sums ---- */

/* Computes a += factor · b, by merging the sorted terms. */
static bool merge(Linear *a, i128 factor, const Linear *b) {
    Linear sum = {.sort = a->sort};
    size_t i = 0, k = 0, n = vec_len(a->terms), m = vec_len(b->terms);
    i128 c, d;
    bool ok = multiply_numbers(a->sort, factor, b->constant, &c) && add_numbers(a->sort, a->constant, c, &sum.constant);
    while (ok && (i < n || k < m)) {
        if (k == m || (i < n && a->terms[i].monomial->id < b->terms[k].monomial->id)) {
            vec_push(sum.terms, a->terms[i]);
            i++;
            continue;
        }
        bool both = i < n && a->terms[i].monomial == b->terms[k].monomial;
        ok = multiply_numbers(a->sort, factor, b->terms[k].factor, &c) && add_numbers(a->sort, both ? a->terms[i].factor : 0, c, &d);
        Term t = {d, b->terms[k].monomial};
        if (ok && d) vec_push(sum.terms, t);
        i += both;
        k++;
    }
    if (!ok) {
        linear_free(&sum);
        return false;
    }
    linear_free(a);
    *a = sum;
    return true;
}

bool linear_add(Linear *to, i128 factor, const Linear *l) {
    ensure(to->sort == l->sort);
    bool good = merge(to, factor, l);
    ensure(linear_valid(to));
    return good;
}

bool linear_subtract(i128 constant, const Linear *sum, Linear *out) {
    *out = (Linear){.sort = sum->sort, .constant = constant};
    return linear_add(out, -1, sum);
}

/* ---- monomials ---- */

static void factors_of(const Expr *e, const Expr ***factors) {
    if (e->op == OP_MUL) {
        factors_of(e->args[0], factors);
        factors_of(e->args[1], factors);
        return;
    }
    vec_push(*factors, e);
    for (size_t i = vec_len(*factors) - 1; i && (*factors)[i - 1]->id > e->id; i--) { /* keep them sorted */
        (*factors)[i] = (*factors)[i - 1];
        (*factors)[i - 1] = e;
    }
}

static const Expr *product_of(Exprs *x, const Expr *a, const Expr *b) {
    const Expr **factors = NULL;
    factors_of(a, &factors);
    factors_of(b, &factors);
    const Expr *e = factors[0];
    for (size_t i = 1; i < vec_len(factors); i++) e = expr_2(x, OP_MUL, e, factors[i]);
    vec_free(factors);
    return e;
}

static bool add_product(Exprs *x, Linear *to, Term a, Term b) {
    Linear one = {.sort = to->sort};
    Term t = {0};
    bool ok = multiply_numbers(to->sort, a.factor, b.factor, &t.factor);
    if (!ok || !t.factor) return ok;
    t.monomial = product_of(x, a.monomial, b.monomial);
    vec_push(one.terms, t);
    ok = merge(to, 1, &one);
    linear_free(&one);
    return ok;
}

static bool multiply(Exprs *x, const Linear *a, const Linear *b, Linear *product) {
    *product = (Linear){.sort = a->sort};
    if (vec_len(a->terms) * vec_len(b->terms) > MAX_TERMS) return false;
    Linear rest = {.sort = a->sort, .terms = b->terms}; /* b without its constant */
    bool ok = merge(product, b->constant, a) && merge(product, a->constant, &rest);
    for (size_t i = 0; ok && i < vec_len(a->terms); i++)
        for (size_t k = 0; ok && k < vec_len(b->terms); k++) ok = add_product(x, product, a->terms[i], b->terms[k]);
    if (!ok) linear_free(product);
    return ok;
}

/* ---- from and to expressions ---- */

/* Makes a constant, or the monomial of an expression that is not a sum or is too large. */
static void linear_of_leaf(const Expr *e, Linear *l) {
    *l = (Linear){.sort = e->sort};
    i128 value = e->op == OP_CONST ? wrapped(e->sort, (i128)e->value) : 0;
    if (e->op == OP_CONST && fits(e->sort, value)) l->constant = value;
    else vec_push(l->terms, ((Term){1, e}));
}

void linear_of(Exprs *x, const Expr *e, Linear *l) {
    Linear a, b;
    if (e->op != OP_ADD && e->op != OP_SUB && e->op != OP_MUL) {
        linear_of_leaf(e, l);
        return;
    }
    linear_of(x, e->args[0], &a);
    linear_of(x, e->args[1], &b);
    if (e->op == OP_MUL) {
        if (!multiply(x, &a, &b, l)) linear_of_leaf(e, l);
        linear_free(&a);
    } else if (merge(&a, e->op == OP_ADD ? 1 : -1, &b)) {
        *l = a;
    } else {
        linear_of_leaf(e, l);
        linear_free(&a);
    }
    linear_free(&b);
}

static const Expr *number(Exprs *x, const Sort *s, i128 v) { return expr_const(x, s, (u128)v); }

static const Expr *scaled(Exprs *x, const Sort *s, i128 factor, const Expr *monomial) {
    return factor == 1 ? monomial : expr_2(x, OP_MUL, monomial, number(x, s, factor));
}

/* Returns true if -v exists. */
static bool has_opposite(i128 v) { return (u128)v != sign_bit(128); }

const Expr *linear_expr(Exprs *x, const Linear *l) {
    const Expr *e = NULL;
    size_t n = vec_len(l->terms), first = 0;
    while (first < n && l->terms[first].factor < 0) first++;
    bool constant_first = first == n;
    e = constant_first ? number(x, l->sort, l->constant) : scaled(x, l->sort, l->terms[first].factor, l->terms[first].monomial);
    for (size_t i = 0; i < n; i++) {
        Term t = l->terms[i];
        if (i == first) continue;
        bool less = t.factor < 0 && has_opposite(t.factor);
        e = expr_2(x, less ? OP_SUB : OP_ADD, e, scaled(x, l->sort, less ? -t.factor : t.factor, t.monomial));
    }
    return constant_first || !l->constant ? e : expr_2(x, OP_ADD, e, number(x, l->sort, l->constant));
}

/* ---- comparisons ---- */

static u128 magnitude(i128 v) { return v < 0 ? (u128)0 - (u128)v : (u128)v; }

static u128 common_divisor(const Linear *l) {
    u128 g = 0;
    for (size_t i = 0; i < vec_len(l->terms); i++)
        for (u128 a = magnitude(l->terms[i].factor); a;) {
            u128 rest = g % a;
            g = a;
            a = rest;
        }
    return g;
}

/* Returns the quotient, rounded up: if g divides all factors, Σ + c <= 0 is Σ/g + ⌈c/g⌉ <= 0. */
static i128 divided_up(i128 c, i128 g) { return c / g + (c % g > 0); }

/* Returns left OP right + k for a sum Σ: positive terms go to the left, negative ones to the right. */
static const Expr *sides(Exprs *x, Op op, const Linear *l) {
    Linear left = {.sort = l->sort}, right = {.sort = l->sort};
    vec_each(Term, t, l->terms) {
        bool negative = t.factor < 0 && has_opposite(t.factor);
        if (negative) t.factor = -t.factor;
        if (negative) vec_push(right.terms, t);
        else vec_push(left.terms, t);
    }
    i128 k = l->constant; /* left + k OP right */
    bool to_left = vec_len(right.terms) && (k > 0 || !vec_len(left.terms));
    if (op == OP_SLE && k == 1 && vec_len(left.terms) && vec_len(right.terms)) {
        op = OP_SLT;
        k = 0;
    }
    if (to_left) left.constant = k;
    else right.constant = opposite_number(l->sort, k);
    const Expr *e = expr_2(x, op, linear_expr(x, &left), linear_expr(x, &right));
    linear_free(&left);
    linear_free(&right);
    return e;
}

/* Divides by the common divisor, and makes the first factor of equalities positive. Returns true if that decides the comparison as
   *value. */
static bool reduce(Linear *l, bool equality, bool *value) {
    *value = equality ? l->constant == 0 : l->constant <= 0;
    if (!vec_len(l->terms)) return true;
    i128 g = is_int(l->sort) ? (i128)common_divisor(l) : 1;
    *value = false;
    if (equality && l->constant % g) return true;
    i128 sign = equality && l->terms[0].factor < 0 ? -1 : 1;
    for (size_t i = 0; i < vec_len(l->terms); i++) multiply_numbers(l->sort, l->terms[i].factor / g, sign, &l->terms[i].factor);
    if (equality) multiply_numbers(l->sort, l->constant / g, sign, &l->constant);
    else l->constant = divided_up(l->constant, g);
    return false;
}

/* Returns the comparison if the only monomial has this constant value; NULL if the numbers become too large. */
static const Expr *comparison_at(Exprs *x, const Linear *l, bool equality, const Expr *constant) {
    i128 value = wrapped(l->sort, (i128)constant->value), sum;
    if (!fits(l->sort, value) || !multiply_numbers(l->sort, l->terms[0].factor, value, &sum)) return NULL;
    if (!add_numbers(l->sort, sum, l->constant, &sum)) return NULL;
    return expr_bool(x, equality ? sum == 0 : sum <= 0);
}

/* Simplifies the comparison of a choice between two constants to a choice between two results. */
static const Expr *comparison_of_choice(Exprs *x, const Linear *l, bool equality) {
    const Expr *m = vec_len(l->terms) == 1 ? l->terms[0].monomial : NULL;
    if (!m || m->op != OP_ITE || m->args[1]->op != OP_CONST || m->args[2]->op != OP_CONST) return NULL;
    const Expr *a = comparison_at(x, l, equality, m->args[1]), *b = comparison_at(x, l, equality, m->args[2]);
    return a && b ? expr_ite(x, m->args[0], a, b) : NULL;
}

static const Expr *comparison(Exprs *x, const Linear *given, bool equality) {
    ensure(linear_valid(given) && (equality || is_int(given->sort)));
    Linear l = {.sort = given->sort, .constant = given->constant};
    bool value;
    const Expr *e;
    for (size_t i = 0; i < vec_len(given->terms); i++) vec_push(l.terms, given->terms[i]);
    if (reduce(&l, equality, &value)) e = expr_bool(x, value);
    else if (!(e = comparison_of_choice(x, &l, equality))) e = sides(x, equality ? OP_EQ : OP_SLE, &l);
    linear_free(&l);
    return e;
}

const Expr *linear_is_zero(Exprs *x, const Linear *l) { return comparison(x, l, true); }
const Expr *linear_not_positive(Exprs *x, const Linear *l) { return comparison(x, l, false); }

bool linear_of_atom(Exprs *x, const Expr *atom, Linear *l, bool *equality) {
    *equality = atom->op == OP_EQ;
    if (!*equality && atom->op != OP_SLE && atom->op != OP_SLT) return false;
    const Sort *s = atom->args[0]->sort;
    if (!is_int(s) && !(*equality && is_bv(s))) return false;
    Linear right;
    linear_of(x, atom->args[0], l);
    linear_of(x, atom->args[1], &right);
    bool ok = merge(l, -1, &right);
    if (ok && atom->op == OP_SLT) ok = add_numbers(s, l->constant, 1, &l->constant);
    linear_free(&right);
    if (!ok) linear_free(l);
    return ok;
}
