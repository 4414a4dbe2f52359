/* SPDX-License-Identifier: Apache-2.0 */
#include "expr/send.h"
#include "base/vec.h"
#include "expr/internal.h"
#include <limits.h>
#include <stdlib.h>

/* ---- sending ---- */

struct ExprSender {
    unsigned *number, *symbol_number; /* vecs, by id: number + 1; 0: not added */
    const Expr **exprs;               /* vecs: what was added */
    const Symbol **symbols;
    const Sort **sorts;
    const Expr **work;
};

ExprSender *sender_new(const Exprs *p) {
    ExprSender *s = calloc(1, sizeof *s);
    if (!s) lack("out of memory");
    vec_resize(s->number, exprs_count(p));
    vec_resize(s->symbol_number, exprs_symbol_count(p));
    return s;
}

void sender_free(ExprSender *s) {
    vec_free(s->number);
    vec_free(s->symbol_number);
    vec_free(s->exprs);
    vec_free(s->symbols);
    vec_free(s->sorts);
    vec_free(s->work);
    free(s);
}

void sender_add_symbol(ExprSender *s, const Symbol *symbol) {
    if (s->symbol_number[symbol->id]) return;
    s->symbol_number[symbol->id] = 1;
    vec_push(s->symbols, symbol);
}

static void add_one(ExprSender *s, const Expr *e) {
    if (s->number[e->id]) return;
    s->number[e->id] = 1;
    vec_push(s->exprs, e);
    vec_push(s->work, e);
    if (e->symbol) sender_add_symbol(s, e->symbol);
}

void sender_add(ExprSender *s, const Expr *root) {
    for (add_one(s, root); vec_len(s->work);) {
        const Expr *e = vec_pop(s->work);
        for (unsigned i = 0; i < e->nargs; i++) add_one(s, e->args[i]);
    }
}

/* A handful: a list will do. */
static unsigned sort_number(ExprSender *s, const Sort *sort) {
    for (unsigned i = 0; i < vec_len(s->sorts); i++)
        if (s->sorts[i] == sort) return i;
    if (sort->kind == SORT_ARRAY) {
        sort_number(s, sort->index);
        sort_number(s, sort->element);
    }
    vec_push(s->sorts, sort);
    return (unsigned)vec_len(s->sorts) - 1;
}

static int by_id(const void *a, const void *b) {
    const Expr *x = *(const Expr *const *)a, *y = *(const Expr *const *)b;
    return (x->id > y->id) - (x->id < y->id);
}

static int by_symbol_id(const void *a, const void *b) {
    const Symbol *x = *(const Symbol *const *)a, *y = *(const Symbol *const *)b;
    return (x->id > y->id) - (x->id < y->id);
}

static void write_sorts(ExprSender *s, Buf *out) {
    bytes_number(out, vec_len(s->sorts));
    for (size_t i = 0; i < vec_len(s->sorts); i++) {
        const Sort *sort = s->sorts[i];
        bytes_number(out, sort->kind);
        if (sort->kind == SORT_BV) bytes_number(out, sort->width);
        if (sort->kind != SORT_ARRAY) continue;
        bytes_number(out, sort_number(s, sort->index));
        bytes_number(out, sort_number(s, sort->element));
    }
}

static void write_symbols(ExprSender *s, Buf *out) {
    bytes_number(out, vec_len(s->symbols));
    for (unsigned i = 0; i < vec_len(s->symbols); i++) {
        const Symbol *symbol = s->symbols[i];
        s->symbol_number[symbol->id] = i + 1;
        bytes_number(out, symbol->kind);
        bytes_string(out, symbol->name);
        bytes_number(out, sort_number(s, symbol->sort));
        bytes_number(out, (uint64_t)(symbol->sign + 1));
        bytes_number(out, symbol->nparams);
        for (unsigned k = 0; k < symbol->nparams; k++) bytes_number(out, sort_number(s, symbol->params[k]));
    }
}

static void write_node(ExprSender *s, const Expr *e, Buf *out) {
    bytes_number(out, e->op);
    bytes_number(out, sort_number(s, e->sort));
    bytes_number(out, e->flags);
    if (e->op == OP_EXTRACT) bytes_number(out, e->low);
    if (e->op == OP_CONST) {
        bytes_number(out, (uint64_t)e->value);
        bytes_number(out, (uint64_t)(e->value >> 64));
    }
    if (e->op == OP_SYMBOL || e->op == OP_APPLY) bytes_number(out, s->symbol_number[e->symbol->id] - 1);
    if (op_arity(e->op) < 0) bytes_number(out, e->nargs);
    for (unsigned i = 0; i < e->nargs; i++) bytes_number(out, s->number[e->args[i]->id] - 1);
}

void sender_write(ExprSender *s, Buf *out) {
    if (vec_len(s->exprs)) qsort(s->exprs, vec_len(s->exprs), sizeof *s->exprs, by_id);
    if (vec_len(s->symbols)) qsort(s->symbols, vec_len(s->symbols), sizeof *s->symbols, by_symbol_id);
    for (size_t i = 0; i < vec_len(s->symbols); i++) {
        sort_number(s, s->symbols[i]->sort);
        for (unsigned k = 0; k < s->symbols[i]->nparams; k++) sort_number(s, s->symbols[i]->params[k]);
    }
    for (size_t i = 0; i < vec_len(s->exprs); i++) sort_number(s, s->exprs[i]->sort);
    write_sorts(s, out);
    write_symbols(s, out);
    bytes_number(out, vec_len(s->exprs));
    for (unsigned i = 0; i < vec_len(s->exprs); i++) {
        s->number[s->exprs[i]->id] = i + 1;
        write_node(s, s->exprs[i], out);
    }
}

unsigned sender_number(const ExprSender *s, const Expr *e) {
    ensure(e->id < vec_len(s->number) && s->number[e->id]);
    return s->number[e->id] - 1;
}

unsigned sender_symbol_number(const ExprSender *s, const Symbol *symbol) {
    ensure(symbol->id < vec_len(s->symbol_number) && s->symbol_number[symbol->id]);
    return s->symbol_number[symbol->id] - 1;
}

/* ---- receiving ---- */

/* The number of something that is there already. */
static unsigned read_index(Reader *r, size_t n) {
    if (!n) r->bad = true;
    return n ? read_unsigned(r, (unsigned)n - 1) : 0;
}

static const Sort *read_sort(const ExprReceiver *x, Exprs *p, Reader *r) {
    SortKind kind = (SortKind)read_unsigned(r, SORT_ARRAY);
    if (kind == SORT_BV) {
        unsigned width = read_unsigned(r, 128);
        r->bad |= !width;
        return r->bad ? NULL : sort_bv(p, width);
    }
    if (kind != SORT_ARRAY) return kind == SORT_BOOL ? sort_bool(p) : sort_int(p);
    unsigned index = read_index(r, vec_len(x->sorts)), element = read_index(r, vec_len(x->sorts));
    return r->bad ? NULL : sort_array(p, x->sorts[index], x->sorts[element]);
}

static const Symbol *read_symbol(const ExprReceiver *x, Exprs *p, Reader *r) {
    SymbolKind kind = (SymbolKind)read_unsigned(r, SYM_FUNCTION);
    char *name = read_string(r);
    unsigned sort = read_index(r, vec_len(x->sorts));
    int sign = (int)read_unsigned(r, 2) - 1;
    unsigned n = read_count(r);
    const Sort **params = NULL;
    Symbol *s = NULL;
    for (unsigned i = 0; i < n && !r->bad; i++) {
        unsigned k = read_index(r, vec_len(x->sorts));
        if (!r->bad) vec_push(params, x->sorts[k]);
    }
    r->bad |= symbol_find(p, name) != NULL || (n && kind != SYM_FUNCTION);
    if (!r->bad && kind == SYM_FUNCTION) s = symbol_function(p, name, x->sorts[sort], n, params);
    else if (!r->bad) s = symbol_new(p, kind, name, x->sorts[sort]);
    if (s) s->sign = sign;
    vec_free(params);
    free(name);
    return s;
}

static bool all_are(const NodeKey *k, SortKind kind) {
    for (unsigned i = 0; i < k->n; i++)
        if (k->args[i]->sort->kind != kind) return false;
    return true;
}

static bool is_application(const NodeKey *k) {
    if (k->symbol->kind != SYM_FUNCTION || k->n != k->symbol->nparams || k->sort != k->symbol->sort) return false;
    for (unsigned i = 0; i < k->n; i++)
        if (k->args[i]->sort != k->symbol->params[i]) return false;
    return true;
}

/* What the constructors look at. */
static bool is_well_sorted(Exprs *p, const NodeKey *k) {
    const Sort *first = k->n ? k->args[0]->sort : NULL;
    if (k->flags & ~op_flags(k->op)) return false;
    switch (k->op) {
    case OP_CONST:
        if (k->sort->kind == SORT_BOOL) return k->value <= 1;
        return k->sort->kind == SORT_BV ? !(k->value & ~mask_of(k->sort->width)) : k->sort->kind == SORT_INT;
    case OP_SYMBOL: return k->symbol->kind != SYM_FUNCTION && k->sort == k->symbol->sort;
    case OP_APPLY: return is_application(k);
    case OP_AND:
    case OP_OR: return k->n >= 2 && k->sort->kind == SORT_BOOL && all_are(k, SORT_BOOL);
    case OP_EXTRACT: return is_bv(first) && is_bv(k->sort) && k->low < first->width && k->sort->width <= first->width - k->low;
    case OP_CONST_ARRAY: return k->sort->kind == SORT_ARRAY && k->sort->element == first;
    case OP_ZEXT:
    case OP_SEXT:
    case OP_INT_TO_BV:
    case OP_FP_TO_SBV:
    case OP_FP_TO_UBV:
    case OP_SBV_TO_FP:
    case OP_UBV_TO_FP:
    case OP_FP_TO_FP: return is_bv(k->sort) && op_converts(k->op, first, k->sort->width);
    default: return op_result_sort(p, k->op, k->args) == k->sort;
    }
}

static const Expr *read_node(const ExprReceiver *x, Exprs *p, Reader *r, const Expr ***args) {
    NodeKey k = {.op = (Op)read_unsigned(r, OP_COUNT - 1)};
    unsigned sort = read_index(r, vec_len(x->sorts));
    k.flags = read_unsigned(r, 7);
    if (k.op == OP_EXTRACT) k.low = read_unsigned(r, 127);
    if (k.op == OP_CONST) {
        k.value = read_number(r, UINT64_MAX);
        k.value |= (u128)read_number(r, UINT64_MAX) << 64;
    }
    unsigned symbol = k.op == OP_SYMBOL || k.op == OP_APPLY ? read_index(r, vec_len(x->symbols)) : 0;
    k.n = op_arity(k.op) < 0 ? read_count(r) : (unsigned)op_arity(k.op);
    vec_clear(*args);
    for (unsigned i = 0; i < k.n && !r->bad; i++) {
        unsigned a = read_index(r, vec_len(x->exprs));
        if (!r->bad) vec_push(*args, x->exprs[a]);
    }
    if (r->bad) return NULL;
    k.sort = x->sorts[sort];
    k.symbol = k.op == OP_SYMBOL || k.op == OP_APPLY ? x->symbols[symbol] : NULL;
    k.args = *args;
    r->bad = !is_well_sorted(p, &k);
    return r->bad ? NULL : pool_node(p, &k);
}

void receiver_read(ExprReceiver *x, Exprs *p, Reader *r) {
    const Expr **args = NULL;
    for (unsigned n = read_count(r); n && !r->bad; n--) {
        const Sort *s = read_sort(x, p, r);
        if (!r->bad) vec_push(x->sorts, s);
    }
    for (unsigned n = read_count(r); n && !r->bad; n--) {
        const Symbol *s = read_symbol(x, p, r);
        if (!r->bad) vec_push(x->symbols, s);
    }
    for (unsigned n = read_count(r); n && !r->bad; n--) {
        const Expr *e = read_node(x, p, r, &args);
        if (!r->bad) vec_push(x->exprs, e);
    }
    vec_free(args);
}

void receiver_free(ExprReceiver *x) {
    vec_free(x->sorts);
    vec_free(x->symbols);
    vec_free(x->exprs);
}
