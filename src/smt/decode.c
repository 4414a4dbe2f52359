/* SPDX-License-Identifier: Apache-2.0 */
/* Translates Z3's terms to expressions: models, solutions of Horn clauses, interpolants. Z3 answers with operators that we do not have (>=,
   =>, n-ary +, bvneg …), which are rewritten to ours. If a part of the answer has no counterpart, the whole answer is NULL, and the caller
   does without it. */
#include "base/vec.h"
#include "smt/internal.h"
#include <string.h>

typedef struct Decoder {
    Smt *smt;
    Z3_model model; /* NULL for terms outside of a model */
    Map *done;      /* Z3 ast id -> Expr */
    size_t nbound;
    const Expr *const *bound;
} Decoder;

static const Sort *smt_decode_sort(Smt *s, Z3_sort t) {
    switch (Z3_get_sort_kind(s->z3, t)) {
    case Z3_BOOL_SORT: return sort_bool(s->exprs);
    case Z3_INT_SORT: return sort_int(s->exprs);
    case Z3_BV_SORT: return sort_bv(s->exprs, Z3_get_bv_sort_size(s->z3, t));
    case Z3_ARRAY_SORT: {
        const Sort *index = smt_decode_sort(s, Z3_get_array_sort_domain(s->z3, t));
        const Sort *element = smt_decode_sort(s, Z3_get_array_sort_range(s->z3, t));
        return index && element ? sort_array(s->exprs, index, element) : NULL;
    }
    default: return NULL;
    }
}

static const Expr *numeral(Smt *s, Z3_ast t) {
    const Sort *sort = smt_decode_sort(s, Z3_get_sort(s->z3, t));
    if (!sort) return NULL;
    const char *text = Z3_get_numeral_string(s->z3, t);
    bool negative = *text == '-';
    u128 v = 0;
    if (strlen(text) > 38) return NULL; /* the number may exceed 128 bits */
    for (const char *p = text + negative; *p; p++) {
        if (*p < '0' || *p > '9') return NULL;
        v = v * 10 + (unsigned)(*p - '0');
    }
    return expr_const(s->exprs, sort, negative ? (u128)0 - v : v);
}

/* Folds a binary operator over n operands, from the left. */
static const Expr *fold(Exprs *x, Op op, size_t n, const Expr *const *a) {
    const Expr *e = a[0];
    for (size_t i = 1; i < n; i++) e = expr_2(x, op, e, a[i]);
    return e;
}

static const Expr *distinct(Exprs *x, size_t n, const Expr *const *a) {
    const Expr *e = expr_bool(x, true);
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++) e = expr_and(x, e, expr_not(x, expr_eq(x, a[i], a[j])));
    return e;
}

static const Expr *negated(Exprs *x, const Expr *a) { return expr_2(x, OP_SUB, expr_const(x, a->sort, 0), a); }

static const Expr *decode_core(Exprs *x, Z3_decl_kind k, size_t n, const Expr *const *a) {
    switch (k) {
    case Z3_OP_TRUE: return expr_bool(x, true);
    case Z3_OP_FALSE: return expr_bool(x, false);
    case Z3_OP_EQ:
    case Z3_OP_IFF: return expr_eq(x, a[0], a[1]);
    case Z3_OP_DISTINCT: return distinct(x, n, a);
    case Z3_OP_XOR: return expr_not(x, expr_eq(x, a[0], a[1]));
    case Z3_OP_ITE: return expr_ite(x, a[0], a[1], a[2]);
    case Z3_OP_AND: return n ? fold(x, OP_AND, n, a) : expr_bool(x, true);
    case Z3_OP_OR: return n ? fold(x, OP_OR, n, a) : expr_bool(x, false);
    case Z3_OP_NOT: return expr_not(x, a[0]);
    case Z3_OP_IMPLIES: return expr_implies(x, a[0], a[1]);
    case Z3_OP_SELECT: return n == 2 ? expr_2(x, OP_SELECT, a[0], a[1]) : NULL;
    case Z3_OP_STORE: return n == 3 ? expr_make(x, OP_STORE, 0, 3, a) : NULL;
    default: return NULL;
    }
}

static const Expr *decode_integer(Exprs *x, Z3_decl_kind k, size_t n, const Expr *const *a) {
    switch (k) {
    case Z3_OP_LE: return expr_2(x, OP_SLE, a[0], a[1]);
    case Z3_OP_GE: return expr_2(x, OP_SLE, a[1], a[0]);
    case Z3_OP_LT: return expr_2(x, OP_SLT, a[0], a[1]);
    case Z3_OP_GT: return expr_2(x, OP_SLT, a[1], a[0]);
    case Z3_OP_ADD: return fold(x, OP_ADD, n, a);
    case Z3_OP_SUB: return fold(x, OP_SUB, n, a);
    case Z3_OP_UMINUS: return negated(x, a[0]);
    case Z3_OP_MUL: return fold(x, OP_MUL, n, a);
    case Z3_OP_IDIV: return expr_2(x, OP_DIV, a[0], a[1]);
    case Z3_OP_MOD: return expr_2(x, OP_MOD, a[0], a[1]);
    default: return NULL;
    }
}

static const Expr *decode_bitvector(Exprs *x, Z3_decl_kind k, size_t n, const Expr *const *a) {
    switch (k) {
    case Z3_OP_BADD: return fold(x, OP_ADD, n, a);
    case Z3_OP_BSUB: return fold(x, OP_SUB, n, a);
    case Z3_OP_BMUL: return fold(x, OP_MUL, n, a);
    case Z3_OP_BNEG: return negated(x, a[0]);
    case Z3_OP_BUDIV:
    case Z3_OP_BUDIV_I: return expr_2(x, OP_UDIV, a[0], a[1]);
    case Z3_OP_BSDIV:
    case Z3_OP_BSDIV_I: return expr_2(x, OP_SDIV, a[0], a[1]);
    case Z3_OP_BUREM:
    case Z3_OP_BUREM_I: return expr_2(x, OP_UREM, a[0], a[1]);
    case Z3_OP_BSREM:
    case Z3_OP_BSREM_I: return expr_2(x, OP_SREM, a[0], a[1]);
    case Z3_OP_BSHL: return expr_2(x, OP_SHL, a[0], a[1]);
    case Z3_OP_BLSHR: return expr_2(x, OP_LSHR, a[0], a[1]);
    case Z3_OP_BASHR: return expr_2(x, OP_ASHR, a[0], a[1]);
    case Z3_OP_BAND: return fold(x, OP_BAND, n, a);
    case Z3_OP_BOR: return fold(x, OP_BOR, n, a);
    case Z3_OP_BXOR: return fold(x, OP_BXOR, n, a);
    case Z3_OP_BNOT: return expr_2(x, OP_BXOR, a[0], expr_const(x, a[0]->sort, ~(u128)0));
    case Z3_OP_ULT: return expr_2(x, OP_ULT, a[0], a[1]);
    case Z3_OP_ULEQ: return expr_2(x, OP_ULE, a[0], a[1]);
    case Z3_OP_UGT: return expr_2(x, OP_ULT, a[1], a[0]);
    case Z3_OP_UGEQ: return expr_2(x, OP_ULE, a[1], a[0]);
    case Z3_OP_SLT: return expr_2(x, OP_SLT, a[0], a[1]);
    case Z3_OP_SLEQ: return expr_2(x, OP_SLE, a[0], a[1]);
    case Z3_OP_SGT: return expr_2(x, OP_SLT, a[1], a[0]);
    case Z3_OP_SGEQ: return expr_2(x, OP_SLE, a[1], a[0]);
    case Z3_OP_CONCAT: return fold(x, OP_CONCAT, n, a);
    case Z3_OP_BV2INT: return expr_1(x, OP_UBV_TO_INT, a[0]);
    default: return NULL;
    }
}

static unsigned parameter(Smt *s, Z3_func_decl d, unsigned i) { return (unsigned)Z3_get_decl_int_parameter(s->z3, d, i); }

/* Decodes operators whose meaning depends on the parameters or sorts of their declaration. */
static const Expr *decode_indexed(Smt *s, Z3_ast t, Z3_func_decl d, size_t n, const Expr *const *a) {
    Exprs *x = s->exprs;
    const Sort *sort;
    switch (Z3_get_decl_kind(s->z3, d)) {
    case Z3_OP_EXTRACT: {
        unsigned high = parameter(s, d, 0), low = parameter(s, d, 1);
        return expr_extract(x, a[0], low, high - low + 1);
    }
    case Z3_OP_ZERO_EXT: return expr_convert(x, OP_ZEXT, a[0], a[0]->sort->width + parameter(s, d, 0));
    case Z3_OP_SIGN_EXT: return expr_convert(x, OP_SEXT, a[0], a[0]->sort->width + parameter(s, d, 0));
    case Z3_OP_INT2BV: return expr_convert(x, OP_INT_TO_BV, a[0], Z3_get_bv_sort_size(s->z3, Z3_get_sort(s->z3, t)));
    case Z3_OP_CONST_ARRAY: return (sort = smt_decode_sort(s, Z3_get_sort(s->z3, t))) ? expr_const_array(x, sort, a[0]) : NULL;
    case Z3_OP_UNINTERPRETED: {
        uint64_t y;
        if (!map_get(s->symbols, Z3_get_func_decl_id(s->z3, d), &y)) return NULL;
        const Symbol *symbol = (const Symbol *)(uintptr_t)y;
        return symbol->kind == SYM_FUNCTION ? expr_apply(x, symbol, (unsigned)n, a) : expr_symbol(x, symbol);
    }
    default: return NULL;
    }
}

static const Expr *decode_app(Smt *s, Z3_ast t, size_t n, const Expr *const *a) {
    Z3_func_decl d = Z3_get_app_decl(s->z3, Z3_to_app(s->z3, t));
    Z3_decl_kind k = Z3_get_decl_kind(s->z3, d);
    const Expr *e = decode_core(s->exprs, k, n, a);
    if (!e) e = decode_integer(s->exprs, k, n, a);
    if (!e) e = decode_bitvector(s->exprs, k, n, a);
    return e ? e : decode_indexed(s, t, d, n, a);
}

static const Expr *decode(Decoder *, Z3_ast);

/* Decodes an array that the model gives as a function: stores on a constant array. */
static const Expr *decode_as_array(Decoder *d, Z3_ast t) {
    Z3_context c = d->smt->z3;
    const Sort *sort = smt_decode_sort(d->smt, Z3_get_sort(c, t));
    Z3_func_interp f = d->model && sort ? Z3_model_get_func_interp(c, d->model, Z3_get_as_array_func_decl(c, t)) : NULL;
    if (!f) return NULL;
    Z3_func_interp_inc_ref(c, f);
    const Expr *otherwise = Z3_func_interp_get_arity(c, f) == 1 ? decode(d, Z3_func_interp_get_else(c, f)) : NULL;
    const Expr *e = otherwise ? expr_const_array(d->smt->exprs, sort, otherwise) : NULL;
    for (unsigned i = 0; e && i < Z3_func_interp_get_num_entries(c, f); i++) {
        Z3_func_entry entry = Z3_func_interp_get_entry(c, f, i);
        Z3_func_entry_inc_ref(c, entry);
        const Expr *args[] = {e, decode(d, Z3_func_entry_get_arg(c, entry, 0)), decode(d, Z3_func_entry_get_value(c, entry))};
        e = args[1] && args[2] ? expr_make(d->smt->exprs, OP_STORE, 0, 3, args) : NULL;
        Z3_func_entry_dec_ref(c, entry);
    }
    Z3_func_interp_dec_ref(c, f);
    return e;
}

/* ---- lambdas: how models give arrays of Bool ---- */

/* Collects the constants that x is compared with. False if x is used in another way. */
static bool points_of(const Expr *e, const Expr *x, const Expr ***points) {
    if (e == x) return false;
    if (e->op == OP_EQ && (e->args[0] == x || e->args[1] == x)) {
        const Expr *other = e->args[e->args[0] == x ? 1 : 0];
        if (!expr_is_const(other)) return false;
        if (vec_has(*points, other)) return true;
        vec_push(*points, other);
        return true;
    }
    for (unsigned i = 0; i < e->nargs; i++)
        if (!points_of(e->args[i], x, points)) return false;
    return true;
}

/* Returns a constant of the sort that differs from all points; NULL if there is no such constant. */
static const Expr *other_point(Exprs *p, const Sort *sort, const Expr *const *points) {
    for (u128 v = 0; v <= vec_len(points); v++) {
        const Expr *e = expr_const(p, sort, v);
        bool taken = false;
        for (size_t i = 0; i < vec_len(points); i++) taken |= points[i] == e;
        if (!taken) return e;
    }
    return NULL;
}

typedef struct Point {
    const Symbol *symbol;
    const Expr *value;
} Point;

static const Expr *point_image(void *context, const Expr *e) {
    const Point *p = context;
    return e->symbol == p->symbol ? p->value : NULL;
}

static const Expr *at_point(Exprs *p, const Expr *body, const Expr *x, const Expr *value) {
    return expr_substitute(p, body, point_image, &(Point){x->symbol, value});
}

/* Returns the function of x as stores on a constant array; NULL if the body does more with x than compare it with constants. */
static const Expr *array_of(Exprs *p, const Sort *sort, const Expr *x, const Expr *body) {
    const Expr **points = NULL, *e = NULL, *other;
    bool known = x->sort->kind == SORT_BOOL; /* then true and another point are all */
    if (known) vec_push(points, expr_bool(p, true));
    if ((known || points_of(body, x, &points)) && (other = other_point(p, x->sort, points))) {
        e = expr_const_array(p, sort, at_point(p, body, x, other));
        for (size_t i = 0; i < vec_len(points); i++) {
            const Expr *args[] = {e, points[i], at_point(p, body, x, points[i])};
            e = expr_make(p, OP_STORE, 0, 3, args);
        }
    }
    vec_free(points);
    return e;
}

static const Expr *decode_lambda(Decoder *d, Z3_ast t) {
    Z3_context c = d->smt->z3;
    const Sort *sort = Z3_is_lambda(c, t) && Z3_get_quantifier_num_bound(c, t) == 1 ? smt_decode_sort(d->smt, Z3_get_sort(c, t)) : NULL;
    if (!sort || sort->kind != SORT_ARRAY || sort->index->kind == SORT_ARRAY) return NULL;
    const Expr *x = expr_symbol(d->smt->exprs, symbol_new(d->smt->exprs, SYM_VARIABLE, "x", sort->index)), **bound = NULL;
    for (size_t i = 0; i < d->nbound; i++) vec_push(bound, d->bound[i]);
    vec_push(bound, x);
    const Expr *body = smt_decode_in(d->smt, d->model, Z3_get_quantifier_body(c, t), vec_len(bound), bound);
    vec_free(bound);
    return body && body->sort == sort->element ? array_of(d->smt->exprs, sort, x, body) : NULL;
}

static const Expr *decode_new(Decoder *d, Z3_ast t) {
    Z3_context c = d->smt->z3;
    switch (Z3_get_ast_kind(c, t)) {
    case Z3_NUMERAL_AST: return numeral(d->smt, t);
    case Z3_VAR_AST: {
        unsigned i = Z3_get_index_value(c, t);
        return i < d->nbound ? d->bound[d->nbound - 1 - i] : NULL;
    }
    case Z3_APP_AST: {
        if (Z3_is_as_array(c, t)) return decode_as_array(d, t);
        Z3_app app = Z3_to_app(c, t);
        unsigned n = Z3_get_app_num_args(c, app);
        const Expr **args = NULL, *e = NULL;
        for (unsigned i = 0; i < n; i++) {
            const Expr *a = decode(d, Z3_get_app_arg(c, app, i));
            if (!a) break;
            vec_push(args, a);
        }
        if (vec_len(args) == n) e = decode_app(d->smt, t, n, args);
        vec_free(args);
        return e;
    }
    case Z3_QUANTIFIER_AST: return decode_lambda(d, t);
    default: return NULL;
    }
}

static const Expr *decode(Decoder *d, Z3_ast t) {
    uint64_t known, id = Z3_get_ast_id(d->smt->z3, t);
    if (map_get(d->done, id, &known)) return (const Expr *)(uintptr_t)known;
    const Expr *e = decode_new(d, t);
    map_put(d->done, id, map_key(e));
    return e;
}

const Expr *smt_decode(Smt *s, Z3_ast t, size_t n, const Expr *const *bound) { return smt_decode_in(s, NULL, t, n, bound); }

const Expr *smt_decode_in(Smt *s, Z3_model model, Z3_ast t, size_t n, const Expr *const *bound) {
    Decoder d = {s, model, map_new(), n, bound};
    const Expr *e = decode(&d, t);
    map_free(d.done);
    return e;
}
