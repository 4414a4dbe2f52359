/* SPDX-License-Identifier: Apache-2.0 */
/* Finds symmetric threads, and renames formulas from one to another, so that predicates are learnt for all of them together.

   Two threads are symmetric if their block steps are the same up to a renaming. It renames variables one to one. It renames a constant
   depending on the variable that the constant is compared with, assigned to, or an index of. */
#include "engine/threader/aret.h"
#include <stdlib.h>

enum { MOST_TREE = 400 };

typedef struct ConstantPair {
    const Symbol *beside; /* the variable that the constant is compared with, assigned to, or an index of, or NULL */
    const Expr *from, *to;
} ConstantPair;

typedef struct Symmetry {
    unsigned from, to;            /* threads */
    const Symbol **left, **right; /* vecs: a variable, and its image for the other thread */
    ConstantPair *constants;      /* a vec */
} Symmetry;

struct SymmetricThreads {
    const Abstraction *abstraction;
    Symmetry **of; /* by thread, a vec: the renamings to its symmetric threads */
};

/* ---- the renaming ---- */

static void note_first(void *context, const Symbol *s) {
    const Symbol **first = context;
    if (!*first && s->kind == SYM_VARIABLE) *first = s;
}

/* Returns the first variable in an expression. A constant beside the expression is renamed by this variable. */
static const Symbol *first_symbol(const Expr *e) {
    const Symbol *first = NULL;
    expr_symbols(e, note_first, &first);
    return first;
}

static bool is_comparison(Op op) { return op == OP_EQ || op == OP_SLT || op == OP_SLE || op == OP_ULT || op == OP_ULE; }

/* Returns the variable that the i-th operand of e is beside, if e itself is beside `above`. */
static const Symbol *beside(const Expr *e, unsigned i, const Symbol *above) {
    if (is_comparison(e->op)) return first_symbol(e->args[1 - i]);
    if (e->op == OP_SELECT || e->op == OP_STORE) return i ? first_symbol(e->args[0]) : NULL;
    return e->op == OP_ITE && i ? above : NULL;
}

static bool pair_symbols(Symmetry *k, const Symbol *a, const Symbol *b) {
    for (size_t i = 0; i < vec_len(k->left); i++)
        if (k->left[i] == a || k->right[i] == b) return k->left[i] == a && k->right[i] == b;
    vec_push(k->left, a);
    vec_push(k->right, b);
    return true;
}

static bool match(Symmetry *k, const Expr *a, const Expr *b, const Symbol *context);

static bool match_operands(Symmetry *k, const Expr *a, const Expr *b, const Symbol *context, bool swapped) {
    for (unsigned i = 0; i < a->nargs; i++)
        if (!match(k, a->args[i], b->args[swapped ? a->nargs - 1 - i : i], beside(a, i, context))) return false;
    return true;
}

static bool match(Symmetry *k, const Expr *a, const Expr *b, const Symbol *context) {
    if (a->op != b->op || a->sort != b->sort || a->nargs != b->nargs || a->flags != b->flags || a->low != b->low) return false;
    if (a->op == OP_SYMBOL) return pair_symbols(k, a->symbol, b->symbol);
    if (a->op == OP_APPLY && a->symbol != b->symbol) return false;
    if (a->op == OP_CONST) {
        if (a->sort->kind == SORT_BOOL) return a == b;
        vec_push(k->constants, ((ConstantPair){context, a, b}));
        return true;
    }
    size_t symbols = vec_len(k->left), constants = vec_len(k->constants);
    if (match_operands(k, a, b, context, false)) return true;
    while (vec_len(k->left) > symbols) (void)vec_pop(k->left), (void)vec_pop(k->right);
    while (vec_len(k->constants) > constants) (void)vec_pop(k->constants);
    bool either = a->op == OP_EQ || a->op == OP_AND || a->op == OP_OR || a->op == OP_ADD;
    return either && a->nargs == 2 && match_operands(k, a, b, context, true);
}

/* ---- symmetric threads ---- */

static bool match_block_steps(Symmetry *k, const System *s, const BlockStep *a, const BlockStep *b) {
    if (a->step.target != b->step.target || vec_len(a->step.updates) != vec_len(b->step.updates)) return false;
    if (a->step.guard->tree > MOST_TREE || !match(k, a->step.guard, b->step.guard, NULL)) return false;
    for (size_t i = 0; i < vec_len(a->step.updates); i++) {
        const Update *x = &a->step.updates[i], *y = &b->step.updates[i];
        const Symbol *left = s->variables[x->variable].symbol, *right = s->variables[y->variable].symbol;
        if (x->value->tree > MOST_TREE || !pair_symbols(k, left, right) || !match(k, x->value, y->value, left)) return false;
    }
    return true;
}

static bool match_threads(Symmetry *k, const Abstraction *a) {
    unsigned **from = a->block_steps->starting_at[k->from], **to = a->block_steps->starting_at[k->to];
    if (vec_len(from) != vec_len(to) || a->system->threads[k->from].entry != a->system->threads[k->to].entry) return false;
    for (size_t l = 0; l < vec_len(from); l++) {
        if (vec_len(from[l]) != vec_len(to[l])) return false;
        for (size_t i = 0; i < vec_len(from[l]); i++)
            if (!match_block_steps(k, a->system, &a->block_steps->list[from[l][i]], &a->block_steps->list[to[l][i]])) return false;
    }
    return true;
}

static void free_symmetry(Symmetry *k) {
    vec_free(k->left);
    vec_free(k->right);
    vec_free(k->constants);
}

SymmetricThreads *symmetric_new(const Abstraction *a) {
    SymmetricThreads *k = zeroed(1, sizeof *k);
    k->abstraction = a;
    size_t n = vec_len(a->system->threads);
    vec_resize(k->of, n);
    for (unsigned t = 0; t < n; t++)
        for (unsigned u = 0; u < n; u++) {
            Symmetry one = {.from = t, .to = u};
            if (t == u || a->system->threads[t].many || a->system->threads[u].many) continue;
            if (match_threads(&one, a)) vec_push(k->of[t], one);
            else free_symmetry(&one);
        }
    return k;
}

void symmetric_free(SymmetricThreads *k) {
    if (!k) return;
    for (size_t t = 0; t < vec_len(k->of); t++) {
        for (size_t i = 0; i < vec_len(k->of[t]); i++) free_symmetry(&k->of[t][i]);
        vec_free(k->of[t]);
    }
    vec_free(k->of);
    free(k);
}

/* ---- renamed formulas ---- */

size_t symmetric_count(const SymmetricThreads *k, unsigned thread) { return vec_len(k->of[thread]); }
unsigned symmetric_thread(const SymmetricThreads *k, unsigned thread, size_t i) { return k->of[thread][i].to; }

typedef struct Renaming {
    const Abstraction *abstraction;
    const Symmetry *symmetry;
} Renaming;

/* Exchanges the variables and places of the two threads. */
static unsigned rename_variable(const Renaming *r, unsigned v) {
    const Abstraction *a = r->abstraction;
    const Symmetry *k = r->symmetry;
    if (v == place_of(a, k->from)) return place_of(a, k->to);
    if (v == place_of(a, k->to)) return place_of(a, k->from);
    const Symbol *s = a->extended->variables[v].symbol;
    for (size_t i = 0; i < vec_len(k->left); i++)
        if (k->left[i] == s) return system_variable(a->extended, k->right[i]);
    for (size_t i = 0; i < vec_len(k->left); i++)
        if (k->right[i] == s) return system_variable(a->extended, k->left[i]);
    return v;
}

static const Expr *rename_symbol(const Renaming *r, const Expr *e) {
    const Abstraction *a = r->abstraction;
    unsigned v = system_variable(a->extended, e->symbol);
    if (v == NONE) return e;
    unsigned image = rename_variable(r, v >= a->shared ? v - a->shared : v);
    return image == NONE ? e : abstraction_expr(a, v >= a->shared ? after_of(a, image) : image);
}

/* Returns the variable without prime. */
static const Symbol *before(const Abstraction *a, const Symbol *s) {
    unsigned v = s ? system_variable(a->extended, s) : NONE;
    return v == NONE || v < a->shared ? s : a->extended->variables[v - a->shared].symbol;
}

static const Expr *rename_constant(const Renaming *r, const Expr *e, const Symbol *context) {
    const ConstantPair *list = r->symmetry->constants;
    context = before(r->abstraction, context);
    if (e->sort->kind == SORT_BOOL) return e;
    for (size_t i = 0; i < vec_len(list); i++)
        if (list[i].from == e && list[i].beside == context) return list[i].to;
    for (size_t i = 0; i < vec_len(list); i++)
        if (list[i].to == e && list[i].beside == context) return list[i].from;
    return e;
}

static bool is_place(const Abstraction *a, const Symbol *s) {
    unsigned v = s ? system_variable(a->extended, s) : NONE;
    if (v == NONE) return false;
    return (v >= a->shared ? v - a->shared : v) >= vec_len(a->system->variables);
}

static const Expr *renamed(const Renaming *r, const Expr *e, const Symbol *context) {
    const Expr *list[8];
    if (e->op == OP_SYMBOL) return rename_symbol(r, e);
    if (e->op == OP_CONST) return is_place(r->abstraction, context) ? e : rename_constant(r, e, context);
    bool simple = e->op < OP_ZEXT || e->op == OP_SELECT || e->op == OP_STORE;
    if (e->nargs > 8 || !simple) return NULL;
    for (unsigned i = 0; i < e->nargs; i++) {
        list[i] = renamed(r, e->args[i], beside(e, i, context));
        if (!list[i]) return NULL;
    }
    return expr_make(r->abstraction->exprs, e->op, e->flags, e->nargs, list);
}

const Expr *symmetric_formula(const SymmetricThreads *k, unsigned thread, size_t i, const Expr *e) {
    Renaming r = {k->abstraction, &k->of[thread][i]};
    return e->tree > MOST_TREE ? NULL : renamed(&r, e, NULL);
}
