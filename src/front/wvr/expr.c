/* SPDX-License-Identifier: Apache-2.0 */
/* Parses sorts and expressions of .wvr. The language is strictly typed, and an error of sorts points at the operand. Sums and products
   are built balanced, so that long ones do not become deep. */
#include "expr/messages.h"
#include "front/messages.h"
#include "front/wvr/wvr.h"
#include <string.h>

/* ---- sorts ---- */

static void print_sort(Buf *b, const Sort *s) {
    if (s->kind != SORT_ARRAY) {
        buf_text(b, s->kind == SORT_BOOL ? "Bool" : "Int");
        return;
    }
    buf_text(b, "(Array ");
    print_sort(b, s->index);
    buf_char(b, ' ');
    print_sort(b, s->element);
    buf_char(b, ')');
}

static const Sort *array_sort(Wvr *r) {
    wvr_next(r);
    wvr_expect(r, "Array");
    const Sort *index = wvr_sort(r), *element = index ? wvr_sort(r) : NULL;
    return element && wvr_expect(r, ")") ? sort_array(r->program->exprs, index, element) : NULL;
}

const Sort *wvr_sort(Wvr *r) {
    Exprs *p = r->program->exprs;
    const Sort *s = NULL;
    if (wvr_is(r, "(")) {
        if (wvr_enter(r)) s = array_sort(r);
        wvr_leave(r);
        return s;
    }
    if (wvr_is(r, "Int")) s = sort_int(p);
    else if (wvr_is(r, "Bool")) s = sort_bool(p);
    else lexer_error(&r->lexer, MSG_FRONT_WVR_SORT);
    wvr_next(r);
    return s;
}

/* ---- names ---- */

static const char *const operators[] = {
    "not", "and", "or", "=>", "+", "-", "*", "/", "<", ">", "<=", ">=", "=", "/=", "if", "ite", "select", "store", "true", "false", NULL};

static bool is_operator(const char *name) {
    for (const char *const *op = operators; *op; op++)
        if (!strcmp(name, *op)) return true;
    return false;
}

void wvr_declare(Wvr *r, LexerPlace place, const char *name, Variable *v, unsigned nparams) {
    if (is_operator(name)) lexer_error_at(&r->lexer, place, MSG_FRONT_WVR_NAME_TAKEN, name);
    Name *n = arena_new_of(r->lexer.arena, Name);
    *n = (Name){v, nparams};
    v->position = wvr_position(r, place);
    map_set(r->names, name, n);
}

/* ---- operands ---- */

typedef struct Operand {
    const Expr *expr;
    LexerPlace place;
} Operand;

/* True if the operand has the sort; else reports an error at its place. */
static bool has_sort(Wvr *r, const Operand *o, const Sort *sort) {
    if (o->expr->sort == sort) return true;
    Buf want = {0}, have = {0};
    print_sort(&want, sort);
    print_sort(&have, o->expr->sort);
    lexer_error_at(&r->lexer, o->place, MSG_FRONT_WVR_SORT_OTHER, buf_string(&want), buf_string(&have));
    buf_free(&want);
    buf_free(&have);
    return false;
}

static bool all_have_sort(Wvr *r, const Operand *list, const Sort *sort) {
    for (size_t i = 0; i < vec_len(list); i++)
        if (!has_sort(r, &list[i], sort)) return false;
    return true;
}

static bool has_count(Wvr *r, const char *op, LexerPlace place, size_t n, size_t least, size_t most) {
    if (n >= least && n <= most) return true;
    if (least == most) lexer_error_at(&r->lexer, place, MSG_FRONT_WVR_OPERANDS, op, least, least == 1 ? "" : "s", n);
    else if (n < least) lexer_error_at(&r->lexer, place, MSG_FRONT_WVR_OPERANDS_LEAST, op, least, least == 1 ? "" : "s");
    else lexer_error_at(&r->lexer, place, MSG_FRONT_WVR_OPERANDS_MOST, op, most);
    return false;
}

static const Expr *balanced(Exprs *p, Op op, const Operand *list, size_t n) {
    if (n == 1) return list[0].expr;
    return expr_2(p, op, balanced(p, op, list, n / 2), balanced(p, op, list + n / 2, n - n / 2));
}

/* Joins all of the list by AND or OR. */
static const Expr *junction(Exprs *p, Op op, const Expr *const *list, size_t n) {
    if (!n) return expr_bool(p, op == OP_AND);
    return n == 1 ? list[0] : expr_make(p, op, 0, (unsigned)n, list);
}

/* ---- operators ---- */

/* Builds (and …), (or …), and (=> a b c), which is: not a, or not b, or c. */
static const Expr *build_logic(Wvr *r, const char *op, LexerPlace place, const Operand *list) {
    Exprs *p = r->program->exprs;
    const Expr **args = NULL;
    size_t n = vec_len(list);
    bool implies = !strcmp(op, "=>");
    if (!all_have_sort(r, list, sort_bool(p)) || (implies && !has_count(r, op, place, n, 1, WVR_OPERANDS))) return NULL;
    for (size_t i = 0; i < n; i++) vec_push(args, implies && i + 1 < n ? expr_not(p, list[i].expr) : list[i].expr);
    const Expr *e = junction(p, strcmp(op, "and") ? OP_OR : OP_AND, args, n);
    vec_free(args);
    return e;
}

static const Expr *build_arithmetic(Wvr *r, const char *op, LexerPlace place, const Operand *list) {
    Exprs *p = r->program->exprs;
    size_t n = vec_len(list);
    if (!all_have_sort(r, list, sort_int(p))) return NULL;
    if (*op == '/') {
        r->divides = true;
        return has_count(r, op, place, n, 2, 2) ? list[0].expr : NULL;
    }
    if (!has_count(r, op, place, n, 1, WVR_OPERANDS)) return NULL;
    if (*op != '-') return balanced(p, *op == '+' ? OP_ADD : OP_MUL, list, n);
    if (n == 1) return expr_2(p, OP_SUB, expr_int(p, 0), list[0].expr);
    return expr_2(p, OP_SUB, list[0].expr, balanced(p, OP_ADD, list + 1, n - 1));
}

static const Expr *build_comparison(Wvr *r, const char *op, LexerPlace place, const Operand *list) {
    Exprs *p = r->program->exprs;
    if (!has_count(r, op, place, vec_len(list), 2, 2) || !all_have_sort(r, list, sort_int(p))) return NULL;
    const Expr *a = list[*op == '<' ? 0 : 1].expr, *b = list[*op == '<' ? 1 : 0].expr;
    return expr_2(p, op[1] ? OP_SLE : OP_SLT, a, b);
}

/* Builds (= a b c), which is: a = b and b = c; or (/= a b c): no two are equal. */
static const Expr *build_equality(Wvr *r, const char *op, LexerPlace place, const Operand *list) {
    enum { MOST_DISTINCT = 200 };
    Exprs *p = r->program->exprs;
    const Expr **args = NULL;
    size_t n = vec_len(list);
    bool distinct = *op == '/';
    if (!has_count(r, op, place, n, 1, distinct ? MOST_DISTINCT : WVR_OPERANDS) || !all_have_sort(r, list, list[0].expr->sort)) return NULL;
    for (size_t i = 0; i + 1 < n; i++)
        for (size_t k = i + 1; k < (distinct ? n : i + 2); k++) {
            const Expr *same = expr_eq(p, list[i].expr, list[k].expr);
            vec_push(args, distinct ? expr_not(p, same) : same);
        }
    const Expr *e = junction(p, OP_AND, args, vec_len(args));
    vec_free(args);
    return e;
}

static const Expr *build_array(Wvr *r, const char *op, LexerPlace place, const Operand *list) {
    Exprs *p = r->program->exprs;
    bool store = !strcmp(op, "store");
    if (!has_count(r, op, place, vec_len(list), store ? 3 : 2, store ? 3 : 2)) return NULL;
    const Sort *array = list[0].expr->sort;
    if (array->kind != SORT_ARRAY) {
        lexer_error_at(&r->lexer, list[0].place, MSG_FRONT_WVR_NO_ARRAY);
        return NULL;
    }
    if (!has_sort(r, &list[1], array->index) || (store && !has_sort(r, &list[2], array->element))) return NULL;
    const Expr *args[] = {list[0].expr, list[1].expr, store ? list[2].expr : NULL};
    return expr_make(p, store ? OP_STORE : OP_SELECT, 0, store ? 3 : 2, args);
}

static const Expr *build_choice(Wvr *r, const char *op, LexerPlace place, const Operand *list) {
    Exprs *p = r->program->exprs;
    if (!has_count(r, op, place, vec_len(list), 3, 3) || !has_sort(r, &list[0], sort_bool(p)) || !has_sort(r, &list[2], list[1].expr->sort))
        return NULL;
    return expr_ite(p, list[0].expr, list[1].expr, list[2].expr);
}

static const Expr *build_not(Wvr *r, LexerPlace place, const Operand *list) {
    Exprs *p = r->program->exprs;
    if (!has_count(r, "not", place, vec_len(list), 1, 1) || !has_sort(r, &list[0], sort_bool(p))) return NULL;
    return expr_not(p, list[0].expr);
}

static const Expr *build_application(Wvr *r, const char *name, LexerPlace place, const Operand *list) {
    Exprs *p = r->program->exprs;
    const Name *n = map_find(r->names, name);
    if (!n) lexer_error_at(&r->lexer, place, MSG_FRONT_WVR_OPERATOR_UNKNOWN, name);
    else if (!n->nparams && vec_len(list))
        lexer_error_at(&r->lexer, place, n->variable->sort->kind == SORT_ARRAY ? MSG_FRONT_WVR_ARRAY_CALLED : MSG_FRONT_WVR_VARIABLE_CALLED,
                       name, name);
    if (r->lexer.failed || !has_count(r, name, place, vec_len(list), n->nparams, n->nparams)) return NULL;
    const Expr *e = variable_expr(r->program, n->variable);
    for (size_t i = 0; i < vec_len(list); i++) {
        if (!has_sort(r, &list[i], e->sort->index)) return NULL;
        e = expr_2(p, OP_SELECT, e, list[i].expr);
    }
    return e;
}

static bool is_one_of(const char *op, const char *const *list) {
    while (*list && strcmp(op, *list)) list++;
    return *list;
}

static const Expr *build(Wvr *r, const char *op, LexerPlace place, const Operand *list) {
    static const char *const logic[] = {"and", "or", "=>", NULL}, *const arithmetic[] = {"+", "-", "*", "/", NULL};
    static const char *const comparison[] = {"<", ">", "<=", ">=", NULL}, *const equality[] = {"=", "/=", NULL};
    static const char *const arrays[] = {"select", "store", NULL}, *const choice[] = {"if", "ite", NULL};
    if (!strcmp(op, "not")) return build_not(r, place, list);
    if (is_one_of(op, logic)) return build_logic(r, op, place, list);
    if (is_one_of(op, arithmetic)) return build_arithmetic(r, op, place, list);
    if (is_one_of(op, comparison)) return build_comparison(r, op, place, list);
    if (is_one_of(op, equality)) return build_equality(r, op, place, list);
    if (is_one_of(op, arrays)) return build_array(r, op, place, list);
    if (is_one_of(op, choice)) return build_choice(r, op, place, list);
    return build_application(r, op, place, list);
}

/* ---- expressions ---- */

static const Expr *any_expr(Wvr *);

static const Expr *compound(Wvr *r) {
    Operand *list = NULL;
    const Expr *e = NULL;
    LexerPlace opened = lexer_place(&r->lexer);
    wvr_next(r);
    LexerPlace place = lexer_place(&r->lexer);
    const char *op = wvr_symbol(r, MSG_FRONT_WVR_OPERATOR);
    while (!r->lexer.failed && r->lexer.token != TOKEN_END && !wvr_is(r, ")")) {
        Operand o = {.place = lexer_place(&r->lexer)};
        o.expr = any_expr(r);
        if (o.expr) vec_push(list, o);
        if (vec_len(list) > WVR_OPERANDS) lexer_error_at(&r->lexer, place, MSG_FRONT_WVR_OPERANDS_MANY, WVR_OPERANDS);
    }
    if (wvr_is(r, ")")) e = build(r, op, place, list);
    vec_free(list);
    return wvr_close(r, opened) ? e : NULL;
}

static const Expr *leaf(Wvr *r) {
    Lexer *l = &r->lexer;
    Exprs *p = r->program->exprs;
    const Expr *e = NULL;
    if (l->token == TOKEN_NUMBER) e = expr_int(p, l->number);
    else if (wvr_is(r, "true") || wvr_is(r, "false")) e = expr_bool(p, wvr_is(r, "true"));
    else if (l->token != TOKEN_NAME)
        lexer_error(l, l->token == TOKEN_END ? MSG_FRONT_WVR_END_EXPRESSION : MSG_EXPR_EXPECTED, MSG_FRONT_WVR_EXPRESSION);
    else {
        const Name *n = map_find(r->names, exprs_intern(p, l->name));
        if (!n) lexer_error(l, is_operator(l->name) ? MSG_FRONT_WVR_OPERATOR_BARE : MSG_FRONT_WVR_UNDECLARED, l->name, l->name);
        else if (n->nparams) lexer_error(l, MSG_FRONT_WVR_FUNCTION_BARE, l->name, n->nparams, n->nparams == 1 ? "" : "s", l->name);
        else e = variable_expr(r->program, n->variable);
    }
    wvr_next(r);
    return l->failed ? NULL : e;
}

static const Expr *any_expr(Wvr *r) {
    if (!wvr_is(r, "(")) return leaf(r);
    const Expr *e = wvr_enter(r) ? compound(r) : NULL;
    wvr_leave(r);
    return e;
}

const Expr *wvr_expr(Wvr *r, const Sort *expected) {
    Operand o = {.place = lexer_place(&r->lexer)};
    o.expr = any_expr(r);
    return o.expr && has_sort(r, &o, expected) ? o.expr : NULL;
}
