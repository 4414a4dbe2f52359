/* SPDX-License-Identifier: Apache-2.0 */
/* Walks over expressions to substitute parts and to list symbols. Each shared node is visited once, on an explicit stack, so depth is
   not limited. */
#include "base/map.h"
#include "base/vec.h"
#include "expr/internal.h"

/* ---- substitution ---- */
typedef struct Substitution {
    Exprs *pool;
    ExprImage image;
    void *context;
    bool all;  /* replaces any nodes, not only symbols */
    Map *done; /* node to its image */
} Substitution;

const Expr *expr_rebuild(Exprs *p, const Expr *e, unsigned flags, const Expr *const *args) {
    switch (e->op) {
    case OP_EXTRACT: return expr_extract(p, args[0], e->low, e->sort->width);
    case OP_CONST_ARRAY: return expr_const_array(p, e->sort, args[0]);
    case OP_APPLY: return expr_apply(p, e->symbol, e->nargs, args);
    default: return op_is_conversion(e->op) ? expr_convert(p, e->op, args[0], e->sort->width) : expr_make(p, e->op, flags, e->nargs, args);
    }
}

/* Returns the image of e if the caller or the lack of operands determines it. NULL: it is built from the images of the operands. */
static const Expr *own_image(const Substitution *s, const Expr *e) {
    const Expr *to = s->all || e->op == OP_SYMBOL ? s->image(s->context, e) : NULL;
    ensure(!to || to->sort == e->sort);
    return to ? to : e->nargs ? NULL : e;
}

/* Returns the image of e if all operands have images. Otherwise pushes the operands without image, and returns NULL. */
static const Expr *node_image(Substitution *s, const Expr *e, const Expr ***stack, const Expr ***args) {
    bool ready = true, changed = false;
    vec_clear(*args);
    for (unsigned i = 0; i < e->nargs; i++) {
        const Expr *to = map_find(s->done, e->args[i]);
        if (!to) {
            vec_push(*stack, e->args[i]);
            ready = false;
            continue;
        }
        changed |= to != e->args[i];
        vec_push(*args, to);
    }
    return !ready ? NULL : changed ? expr_rebuild(s->pool, e, e->flags, *args) : e;
}

static const Expr *substitute_shared(Substitution *s, const Expr *e) {
    const Expr **stack = NULL, **args = NULL;
    s->done = map_new();
    vec_push(stack, e);
    while (vec_len(stack)) {
        const Expr *top = vec_last(stack), *to;
        if (map_find(s->done, top)) {
            (void)vec_pop(stack);
            continue;
        }
        to = own_image(s, top);
        if (!to) to = node_image(s, top, &stack, &args);
        if (to) map_set(s->done, top, to);
    }
    const Expr *result = map_find(s->done, e);
    map_free(s->done);
    vec_free(stack);
    vec_free(args);
    return result;
}

/* Substitutes in a small expression, where recursion is faster than a map of images. */
static const Expr *substitute_small(Substitution *s, const Expr *e) {
    const Expr *args[32];
    bool changed = false;
    const Expr *own = own_image(s, e);
    if (own) return own;
    for (unsigned i = 0; i < e->nargs; i++) {
        args[i] = substitute_small(s, e->args[i]);
        changed |= args[i] != e->args[i];
    }
    return changed ? expr_rebuild(s->pool, e, e->flags, args) : e;
}

const Expr *expr_substitute(Exprs *p, const Expr *e, ExprImage image, void *context) {
    Substitution s = {.pool = p, .image = image, .context = context};
    return e->tree <= 32 ? substitute_small(&s, e) : substitute_shared(&s, e);
}

const Expr *expr_replace(Exprs *p, const Expr *e, ExprImage image, void *context) {
    Substitution s = {.pool = p, .image = image, .context = context, .all = true};
    return e->tree <= 32 ? substitute_small(&s, e) : substitute_shared(&s, e);
}

typedef struct Exchange {
    const Expr *part, *by;
} Exchange;

static const Expr *exchanged(void *context, const Expr *e) {
    const Exchange *x = context;
    return e == x->part ? x->by : NULL;
}

const Expr *expr_exchange(Exprs *p, const Expr *e, const Expr *part, const Expr *by) {
    return expr_replace(p, e, exchanged, &(Exchange){part, by});
}

/* ---- symbols ---- */
void expr_symbols(const Expr *e, void (*visit)(void *context, const Symbol *), void *context) {
    Map *seen = map_new(); /* nodes and symbols */
    const Expr **stack = NULL;
    vec_push(stack, e);
    while (vec_len(stack)) {
        const Expr *top = vec_pop(stack);
        if (map_get(seen, map_key(top), NULL)) continue;
        map_put(seen, map_key(top), 1);
        if (top->symbol && !map_get(seen, map_key(top->symbol), NULL)) {
            map_put(seen, map_key(top->symbol), 1);
            visit(context, top->symbol);
        }
        for (unsigned i = top->nargs; i-- > 0;) /* so that the first operand is visited first */
            vec_push(stack, top->args[i]);
    }
    vec_free(stack);
    map_free(seen);
}

static bool mentions_small(const Expr *e, const Symbol *s) {
    if (e->symbol == s) return true;
    for (unsigned i = 0; i < e->nargs; i++)
        if (mentions_small(e->args[i], s)) return true;
    return false;
}

typedef struct Search {
    const Symbol *symbol;
    bool found;
} Search;

static void compare_symbol(void *context, const Symbol *s) {
    Search *search = context;
    search->found |= s == search->symbol;
}

bool expr_mentions(const Expr *e, const Symbol *s) {
    if (e->tree <= 256) return mentions_small(e, s);
    Search search = {.symbol = s};
    expr_symbols(e, compare_symbol, &search);
    return search.found;
}
