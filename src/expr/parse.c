/* SPDX-License-Identifier: Apache-2.0 */
/* Parses the .hir form of sorts and expressions. It reports as an error of the text what constructors would treat as a broken invariant. */
#include "base/map.h"
#include "base/vec.h"
#include "expr/internal.h"
#include "expr/messages.h"
#include "expr/named.h"
#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = 10000, MAX_SORT_DEPTH = 100 }; /* of nesting, since the parser is recursive */

/* ---- sorts ---- */
static const Sort *sort_within(Exprs *, Lexer *, unsigned depth);

static const Sort *parse_array_sort(Exprs *p, Lexer *l, unsigned depth) {
    const Sort *index, *element;
    if (depth == MAX_SORT_DEPTH) {
        lexer_error(l, MSG_EXPR_SORT_DEEP, MAX_SORT_DEPTH);
        return NULL;
    }
    lexer_next(l);
    if (!lexer_expect(l, "(") || !(index = sort_within(p, l, depth + 1)) || !lexer_expect(l, ",") ||
        !(element = sort_within(p, l, depth + 1)) || !lexer_expect(l, ")"))
        return NULL;
    return sort_array(p, index, element);
}

/* Returns N if name is bvN with a valid width; else 0. */
static unsigned bv_width(const char *name) {
    char *end;
    if (strncmp(name, "bv", 2) || name[2] < '1' || name[2] > '9') return 0;
    unsigned long width = strtoul(name + 2, &end, 10);
    return *end || width > 128 ? 0 : (unsigned)width;
}

static const Sort *sort_within(Exprs *p, Lexer *l, unsigned depth) {
    if (lexer_accept(l, "bool")) return sort_bool(p);
    if (lexer_accept(l, "int")) return sort_int(p);
    if (lexer_is(l, "array")) return parse_array_sort(p, l, depth);
    unsigned width = l->token == TOKEN_NAME ? bv_width(l->name) : 0;
    if (!width) {
        lexer_error(l, MSG_EXPR_SORT_EXPECTED);
        return NULL;
    }
    lexer_next(l);
    return sort_bv(p, width);
}

const Sort *sort_parse(Exprs *p, Lexer *l) { return sort_within(p, l, 0); }

/* ---- expressions ---- */
typedef struct Parser {
    Exprs *pool;
    Lexer *lexer;
    ExprResolve resolve;
    void *context;
    const Lets *lets;
    unsigned depth, deepest; /* of nesting, with names written out */
} Parser;

typedef struct Let {
    const Expr *value;
    unsigned depth;
} Let;

struct Lets {
    Map *index; /* interned name -> index in list */
    Let *list;
};

/* The head of a compound expression: (OP flags LOW WIDTH SORT FUNCTION …). */
typedef struct Head {
    Op op;
    unsigned flags, low, width;
    const Sort *sort;
    const Symbol *function;
} Head;

static const Expr *parse(Parser *);

static const Symbol *parse_symbol(Parser *r) {
    Lexer *l = r->lexer;
    if (l->token != TOKEN_NAME) {
        lexer_error(l, MSG_EXPR_EXPECTED, "a name");
        return NULL;
    }
    const Symbol *s = r->resolve(r->context, l->name);
    if (!s) lexer_error(l, MSG_EXPR_UNDECLARED, l->name);
    return s;
}

static const Let *find_let(const Lets *x, Exprs *p, const char *name) {
    uint64_t i;
    return x && map_get(x->index, map_key(exprs_intern(p, name)), &i) ? &x->list[i] : NULL;
}

/* Records the depth. Reports an error and returns false if it is too deep. */
static bool reach(Parser *r, unsigned depth) {
    if (depth > MAX_DEPTH) lexer_error(r->lexer, MSG_EXPR_DEEP, MAX_DEPTH);
    if (depth > r->deepest) r->deepest = depth;
    return depth <= MAX_DEPTH;
}

static const Expr *parse_leaf(Parser *r) {
    Lexer *l = r->lexer;
    const Expr *e;
    const Let *let = l->token == TOKEN_NAME ? find_let(r->lets, r->pool, l->name) : NULL;
    if (let) {
        e = reach(r, r->depth + let->depth) ? let->value : NULL;
    } else if (lexer_is(l, "true") || lexer_is(l, "false")) {
        e = expr_bool(r->pool, lexer_is(l, "true"));
    } else if (l->token == TOKEN_NUMBER) {
        e = l->width ? expr_bv(r->pool, l->width, (u128)l->number) : expr_int(r->pool, l->number);
    } else if (l->token != TOKEN_NAME) {
        lexer_error(l, MSG_EXPR_EXPECTED, "an expression");
        return NULL;
    } else {
        const Symbol *s = parse_symbol(r);
        if (s && s->kind == SYM_FUNCTION) lexer_error(l, MSG_EXPR_FUNCTION_BARE, s->name, s->name);
        if (l->failed) return NULL;
        e = expr_symbol(r->pool, s);
    }
    lexer_next(l);
    return l->failed ? NULL : e;
}

static bool parse_small_number(Lexer *l, unsigned least, unsigned *value) {
    if (l->token != TOKEN_NUMBER || l->width || l->number < (i128)least || l->number > 128) {
        lexer_error(l, MSG_EXPR_NUMBER_EXPECTED, least);
        return false;
    }
    *value = (unsigned)l->number;
    lexer_next(l);
    return true;
}

static bool parse_op(Lexer *l, Op *op) {
    for (int i = OP_SYMBOL + 1; i < OP_COUNT; i++)
        if (lexer_accept(l, op_text((Op)i))) {
            *op = (Op)i;
            return true;
        }
    lexer_error(l, MSG_EXPR_EXPECTED, "an operator");
    return false;
}

static bool parse_flag(Lexer *l, Head *h, const char *text, unsigned flag) {
    if (!lexer_is(l, text)) return false;
    if (!(op_flags(h->op) & flag)) {
        lexer_error(l, MSG_EXPR_FLAG_WRONG, op_text(h->op), text);
        return false;
    }
    h->flags |= flag;
    lexer_next(l);
    return true;
}

static bool parse_flags(Lexer *l, Head *h) {
    while (parse_flag(l, h, "nsw", FLAG_NSW) || parse_flag(l, h, "nuw", FLAG_NUW) || parse_flag(l, h, "exact", FLAG_EXACT));
    return !l->failed;
}

static bool parse_function(Parser *r, Head *h) {
    h->function = parse_symbol(r);
    if (h->function && h->function->kind != SYM_FUNCTION) lexer_error(r->lexer, MSG_EXPR_FUNCTION_EXPECTED, h->function->name);
    lexer_next(r->lexer);
    return !r->lexer->failed;
}

static bool parse_head(Parser *r, Head *h) {
    Lexer *l = r->lexer;
    if (!parse_op(l, &h->op) || !parse_flags(l, h)) return false;
    switch (h->op) {
    case OP_EXTRACT: return parse_small_number(l, 0, &h->low) && parse_small_number(l, 1, &h->width);
    case OP_CONST_ARRAY: return (h->sort = sort_parse(r->pool, l));
    case OP_APPLY: return parse_function(r, h);
    default: return !op_is_conversion(h->op) || parse_small_number(l, 1, &h->width);
    }
}

static bool right_count(const Head *h, unsigned n) {
    int arity = op_arity(h->op);
    if (h->op == OP_APPLY) return n == h->function->nparams;
    return arity < 0 ? n >= 2 : n == (unsigned)arity;
}

static bool right_sorts(Exprs *p, const Head *h, unsigned n, const Expr *const *args) {
    switch (h->op) {
    case OP_AND:
    case OP_OR:
        for (unsigned i = 0; i < n; i++)
            if (args[i]->sort->kind != SORT_BOOL) return false;
        return true;
    case OP_EXTRACT: return is_bv(args[0]->sort) && h->low + h->width <= args[0]->sort->width;
    case OP_CONST_ARRAY: return h->sort->kind == SORT_ARRAY && h->sort->element == args[0]->sort;
    case OP_APPLY:
        for (unsigned i = 0; i < n; i++)
            if (args[i]->sort != h->function->params[i]) return false;
        return true;
    default: return op_is_conversion(h->op) ? op_converts(h->op, args[0]->sort, h->width) : op_result_sort(p, h->op, args) != NULL;
    }
}

static void sort_error(Lexer *l, const Head *h, unsigned n, const Expr *const *args) {
    Buf b = {0};
    for (unsigned i = 0; i < n; i++) {
        buf_char(&b, ' ');
        sort_print(&b, args[i]->sort);
    }
    lexer_error(l, MSG_EXPR_OPERAND_SORTS, op_text(h->op), buf_string(&b));
    buf_free(&b);
}

static void count_error(Lexer *l, const Head *h, unsigned n) {
    int arity = op_arity(h->op);
    unsigned right = h->op == OP_APPLY ? h->function->nparams : arity < 0 ? 2 : (unsigned)arity;
    lexer_error(l, MSG_EXPR_OPERAND_COUNT, op_text(h->op), arity < 0 && h->op != OP_APPLY ? "at least " : "", right, right == 1 ? "" : "s",
                n);
}

static const Expr *build(Parser *r, const Head *h, unsigned n, const Expr *const *args) {
    Exprs *p = r->pool;
    if (!right_count(h, n)) {
        count_error(r->lexer, h, n);
        return NULL;
    }
    if (!right_sorts(p, h, n, args)) {
        sort_error(r->lexer, h, n, args);
        return NULL;
    }
    switch (h->op) {
    case OP_EXTRACT: return expr_extract(p, args[0], h->low, h->width);
    case OP_CONST_ARRAY: return expr_const_array(p, h->sort, args[0]);
    case OP_APPLY: return expr_apply(p, h->function, n, args);
    default: return op_is_conversion(h->op) ? expr_convert(p, h->op, args[0], h->width) : expr_make(p, h->op, h->flags, n, args);
    }
}

static const Expr *parse_compound(Parser *r) {
    Lexer *l = r->lexer;
    Head h = {0};
    const Expr **args = NULL, *e = NULL;
    lexer_next(l);
    if (!parse_head(r, &h)) return NULL;
    while (!l->failed && l->token != TOKEN_END && !lexer_is(l, ")")) {
        const Expr *arg = parse(r);
        if (arg) vec_push(args, arg);
    }
    if (!l->failed) e = build(r, &h, (unsigned)vec_len(args), args); /* errors point to the closing parenthesis, the current token */
    vec_free(args);
    return lexer_expect(l, ")") ? e : NULL;
}

static const Expr *parse(Parser *r) {
    if (!lexer_is(r->lexer, "(")) return parse_leaf(r);
    if (!reach(r, r->depth + 1)) return NULL;
    r->depth++;
    const Expr *e = parse_compound(r);
    r->depth--;
    return e;
}

const Expr *lets_parse_expr(const Lets *lets, Exprs *p, Lexer *l, ExprResolve resolve, void *context) {
    Parser r = {.pool = p, .lexer = l, .resolve = resolve, .context = context, .lets = lets};
    return parse(&r);
}

const Expr *expr_parse(Exprs *p, Lexer *l, ExprResolve resolve, void *context) { return lets_parse_expr(NULL, p, l, resolve, context); }

/* ---- names for expressions ---- */
Lets *lets_new(void) {
    Lets *x = zeroed(1, sizeof *x);
    x->index = map_new();
    return x;
}

void lets_free(Lets *x) {
    if (!x) return;
    map_free(x->index);
    vec_free(x->list);
    free(x);
}

void lets_parse(Lets *x, Exprs *p, Lexer *l, ExprResolve resolve, void *context) {
    Parser r = {.pool = p, .lexer = l, .resolve = resolve, .context = context, .lets = x};
    if (l->token != TOKEN_NAME) lexer_error(l, MSG_EXPR_EXPECTED, "a name");
    else if (resolve(context, l->name) || find_let(x, p, l->name)) lexer_error(l, MSG_EXPR_NAME_TAKEN, l->name);
    if (l->failed) return;
    const char *name = exprs_intern(p, l->name);
    lexer_next(l);
    const Expr *e = lexer_expect(l, "=") ? parse(&r) : NULL;
    if (!e || !lexer_expect(l, ";")) return;
    map_put(x->index, map_key(name), vec_len(x->list));
    vec_push(x->list, ((Let){e, r.deepest}));
}
