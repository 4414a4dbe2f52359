/* SPDX-License-Identifier: Apache-2.0 */
/* Translates expressions to Z3's terms, each expression once. The walk has an explicit stack, since expressions can be deep. */
#include "base/vec.h"
#include "smt/internal.h"
#include <stdio.h>

static Z3_sort smt_sort(Smt *, const Sort *);

static Z3_sort make_sort(Smt *s, const Sort *t) {
    switch (t->kind) {
    case SORT_BOOL: return Z3_mk_bool_sort(s->z3);
    case SORT_BV: return Z3_mk_bv_sort(s->z3, t->width);
    case SORT_INT: return Z3_mk_int_sort(s->z3);
    case SORT_ARRAY: {
        Z3_sort index = smt_sort(s, t->index), element = smt_sort(s, t->element);
        return Z3_mk_array_sort(s->z3, index, element);
    }
    }
    die("smt: no such sort");
}

/* Returns the sort, and keeps a reference to it: Z3 itself keeps only its latest result alive. */
static Z3_sort smt_sort(Smt *s, const Sort *t) {
    Z3_sort z = map_find(s->sorts, t);
    if (z) return z;
    z = make_sort(s, t);
    Z3_inc_ref(s->z3, Z3_sort_to_ast(s->z3, z));
    map_set(s->sorts, t, z);
    return z;
}

static Z3_ast constant(Smt *s, const Expr *e) {
    if (e->sort->kind == SORT_BOOL) return e->value ? Z3_mk_true(s->z3) : Z3_mk_false(s->z3);
    bool negative = e->sort->kind == SORT_INT && (i128)e->value < 0;
    u128 v = negative ? (u128)0 - e->value : e->value;
    char text[48], *p = text + sizeof text;
    *--p = 0;
    do *--p = (char)('0' + (int)(v % 10));
    while (v /= 10);
    if (negative) *--p = '-';
    return Z3_mk_numeral(s->z3, p, smt_sort(s, e->sort));
}

Z3_func_decl smt_declaration(Smt *s, const Symbol *y) {
    Z3_sort domain[y->nparams ? y->nparams : 1];
    for (unsigned i = 0; i < y->nparams; i++) domain[i] = smt_sort(s, y->params[i]);
    Z3_func_decl d = Z3_mk_func_decl(s->z3, Z3_mk_string_symbol(s->z3, y->name), y->nparams, domain, smt_sort(s, y->sort));
    map_put(s->symbols, Z3_get_func_decl_id(s->z3, d), map_key(y));
    return d;
}

/* Makes an uninterpreted function of a floating-point operator, with the widths in its name: fadd.64.64. */
static Z3_ast uninterpreted(Smt *s, const Expr *e, const Z3_ast *args) {
    char name[64];
    Z3_sort domain[3];
    for (unsigned i = 0; i < e->nargs; i++) domain[i] = Z3_get_sort(s->z3, args[i]);
    snprintf(name, sizeof name, "%s.%u.%u", op_text(e->op), e->args[0]->sort->width, e->sort->width);
    Z3_func_decl d = Z3_mk_func_decl(s->z3, Z3_mk_string_symbol(s->z3, name), e->nargs, domain, smt_sort(s, e->sort));
    return Z3_mk_app(s->z3, d, e->nargs, args);
}

static Z3_ast integer_op(Smt *s, const Expr *e, const Z3_ast *a) {
    Z3_context c = s->z3;
    switch (e->op) {
    case OP_ADD: return Z3_mk_add(c, 2, a);
    case OP_SUB: return Z3_mk_sub(c, 2, a);
    case OP_MUL: return Z3_mk_mul(c, 2, a);
    case OP_DIV: return Z3_mk_div(c, a[0], a[1]);
    case OP_MOD: return Z3_mk_mod(c, a[0], a[1]);
    case OP_SLT: return Z3_mk_lt(c, a[0], a[1]);
    case OP_SLE: return Z3_mk_le(c, a[0], a[1]);
    default: die("smt: %s on integers", op_text(e->op));
    }
}

static Z3_ast bitvector_op(Smt *s, const Expr *e, const Z3_ast *a) {
    Z3_context c = s->z3;
    switch (e->op) {
    case OP_ADD: return Z3_mk_bvadd(c, a[0], a[1]);
    case OP_SUB: return Z3_mk_bvsub(c, a[0], a[1]);
    case OP_MUL: return Z3_mk_bvmul(c, a[0], a[1]);
    case OP_UDIV: return Z3_mk_bvudiv(c, a[0], a[1]);
    case OP_SDIV: return Z3_mk_bvsdiv(c, a[0], a[1]);
    case OP_UREM: return Z3_mk_bvurem(c, a[0], a[1]);
    case OP_SREM: return Z3_mk_bvsrem(c, a[0], a[1]);
    case OP_SHL: return Z3_mk_bvshl(c, a[0], a[1]);
    case OP_LSHR: return Z3_mk_bvlshr(c, a[0], a[1]);
    case OP_ASHR: return Z3_mk_bvashr(c, a[0], a[1]);
    case OP_BAND: return Z3_mk_bvand(c, a[0], a[1]);
    case OP_BOR: return Z3_mk_bvor(c, a[0], a[1]);
    case OP_BXOR: return Z3_mk_bvxor(c, a[0], a[1]);
    case OP_ULT: return Z3_mk_bvult(c, a[0], a[1]);
    case OP_ULE: return Z3_mk_bvule(c, a[0], a[1]);
    case OP_SLT: return Z3_mk_bvslt(c, a[0], a[1]);
    case OP_SLE: return Z3_mk_bvsle(c, a[0], a[1]);
    case OP_ZEXT: return Z3_mk_zero_ext(c, e->sort->width - e->args[0]->sort->width, a[0]);
    case OP_SEXT: return Z3_mk_sign_ext(c, e->sort->width - e->args[0]->sort->width, a[0]);
    case OP_EXTRACT: return Z3_mk_extract(c, e->low + e->sort->width - 1, e->low, a[0]);
    case OP_CONCAT: return Z3_mk_concat(c, a[0], a[1]);
    case OP_UBV_TO_INT: return Z3_mk_bv2int(c, a[0], false);
    case OP_SBV_TO_INT: return Z3_mk_bv2int(c, a[0], true);
    default: return uninterpreted(s, e, a);
    }
}

static Z3_ast bool_to_bv(Smt *s, Z3_ast b) {
    Z3_ast one = smt_encode(s, expr_bv(s->exprs, 1, 1)), zero = smt_encode(s, expr_bv(s->exprs, 1, 0));
    return Z3_mk_ite(s->z3, b, one, zero);
}

static Z3_ast encode_node(Smt *s, const Expr *e, const Z3_ast *a) {
    Z3_context c = s->z3;
    switch (e->op) {
    case OP_CONST: return constant(s, e);
    case OP_SYMBOL:
    case OP_APPLY: return Z3_mk_app(c, smt_declaration(s, e->symbol), e->nargs, a);
    case OP_EQ: return Z3_mk_eq(c, a[0], a[1]);
    case OP_ITE: return Z3_mk_ite(c, a[0], a[1], a[2]);
    case OP_NOT: return Z3_mk_not(c, a[0]);
    case OP_AND: return Z3_mk_and(c, e->nargs, a);
    case OP_OR: return Z3_mk_or(c, e->nargs, a);
    case OP_BOOL_TO_BV: return bool_to_bv(s, a[0]);
    case OP_INT_TO_BV: return Z3_mk_int2bv(c, e->sort->width, a[0]);
    case OP_SELECT: return Z3_mk_select(c, a[0], a[1]);
    case OP_STORE: return Z3_mk_store(c, a[0], a[1], a[2]);
    case OP_CONST_ARRAY: return Z3_mk_const_array(c, smt_sort(s, e->sort->index), a[0]);
    default: return e->args[0]->sort->kind == SORT_INT ? integer_op(s, e, a) : bitvector_op(s, e, a);
    }
}

static Z3_ast known(const Smt *s, const Expr *e) { return e->id < vec_len(s->terms) ? s->terms[e->id] : NULL; }

Z3_ast smt_encode(Smt *s, const Expr *root) {
    const Expr **todo = NULL;
    Z3_ast *args = NULL;
    vec_push(todo, root);
    while (vec_len(todo)) {
        const Expr *e = vec_last(todo);
        size_t pending = vec_len(todo);
        for (unsigned i = 0; i < e->nargs && !known(s, e); i++)
            if (!known(s, e->args[i])) vec_push(todo, e->args[i]);
        if (vec_len(todo) > pending) continue;
        (void)vec_pop(todo);
        if (known(s, e)) continue;
        vec_clear(args);
        for (unsigned i = 0; i < e->nargs; i++) vec_push(args, known(s, e->args[i]));
        Z3_ast t = encode_node(s, e, args);
        Z3_inc_ref(s->z3, t);
        if (vec_len(s->terms) <= e->id) vec_resize(s->terms, exprs_count(s->exprs));
        s->terms[e->id] = t;
    }
    vec_free(todo);
    vec_free(args);
    return known(s, root);
}
