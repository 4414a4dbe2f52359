/* SPDX-License-Identifier: Apache-2.0 */
/* Builds the product of the threads' blocks, with linear Horn clauses.

   A node has a location for each thread, constants for some variables, and a predicate over the remaining variables. Flags, turns, mutexes
   and small counters are thus enumerated, and the solver treats only variables with many values. Variables that cannot affect a guard
   are not part of the product.

   A variable that takes more than MAX_DOMAIN constants is symbolic at all nodes. If there are too many nodes, the variable with the
   most constants becomes symbolic, and the product is built again.

   A clause composes the transitions of one thread from a node to its next stop (passes/reduce/blocks.h). While a thread is at a stop
   that is In, no other thread runs. */
#include "engine/horn/product.h"
#include "base/clock.h"
#include "base/map.h"
#include "base/messages.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DOMAIN = 8, MAX_ENTRIES = 16 };

/* A path of one thread from a node. Guard and values are over the variables at that node. */
typedef struct Run {
    unsigned thread, start; /* node */
    unsigned location;
    const Expr *guard;
    const Expr **values; /* by variable; NULL: symbolic and unchanged */
    ScheduleStep *steps; /* a vec */
} Run;

typedef struct Explorer {
    Product *product;
    Map *by_hash; /* node hash -> index + 1 */
    unsigned *chain;
    bool demoted; /* a variable became symbolic: the product must be built again */
} Explorer;

/* ---- constants ---- */

static void note_symbol(void *context, const Symbol *s) {
    if (s->kind != SYM_FUNCTION) *(bool *)context = true;
}

static bool is_closed(const Expr *e) {
    bool open = false;
    if (expr_is_const(e)) return true;
    expr_symbols(e, note_symbol, &open);
    return !open;
}

static Fault refuse_symbol(void *context, const Symbol *s, unsigned n, const Value *args, Value *result) {
    (void)context, (void)s, (void)n, (void)args, (void)result;
    return FAULT_RANGE;
}

/* Returns an array without symbols in a form that depends on its contents alone: entries stored in order. NULL if there are too many entries. */
static const Expr *canonical_array(Product *p, const Expr *e) {
    Exprs *x = p->system->exprs;
    Value v;
    if (e->sort->element->kind == SORT_ARRAY) return NULL;
    if (expr_eval(&(EvalEnv){p->constants, refuse_symbol, NULL}, e, &v) != FAULT_NONE) return NULL;
    size_t n = array_entries(v.array);
    if (n > MAX_ENTRIES) return NULL;
    const Expr *a = expr_const_array(x, e->sort, expr_const(x, e->sort->element, array_default(v.array).bits));
    for (size_t i = 0; i < n; i++) {
        Value index, element;
        array_entry(v.array, i, &index, &element);
        const Expr *args[] = {a, expr_const(x, e->sort->index, index.bits), expr_const(x, e->sort->element, element.bits)};
        a = expr_make(x, OP_STORE, 0, 3, args);
    }
    return a;
}

/* Returns e as a constant in the form that nodes use, or NULL if e is not a constant. */
static const Expr *constant_of(Product *p, const Expr *e) {
    if (expr_is_const(e)) return e;
    return e->sort->kind == SORT_ARRAY && is_closed(e) ? canonical_array(p, e) : NULL;
}

/* Adds a constant to the domain of a variable. Returns true if the variable may be part of nodes. */
static bool admit(Explorer *x, unsigned v, const Expr *constant) {
    Product *p = x->product;
    if (p->symbolic[v]) return false;
    if (vec_has(p->domains[v], constant)) return true;
    vec_push(p->domains[v], constant);
    if (vec_len(p->domains[v]) <= MAX_DOMAIN) return true;
    p->symbolic[v] = true;
    x->demoted = true;
    return false;
}

/* ---- nodes ---- */

static uint64_t node_hash(const Product *p, const unsigned *locations, const Expr *const *values) {
    uint64_t h = hash_bytes(locations, vec_len(p->system->threads) * sizeof *locations, 1);
    for (size_t v = 0; v < vec_len(p->system->variables); v++)
        if (values[v]) h = hash_word(h ^ hash_word(v << 32 | values[v]->id));
    return h;
}

static bool node_is(const Product *p, const ProductNode *n, const unsigned *locations, const Expr *const *values) {
    return !memcmp(n->locations, locations, vec_len(p->system->threads) * sizeof *locations) &&
           !memcmp((const void *)n->values, (const void *)values, vec_len(p->system->variables) * sizeof *values);
}

/* Makes the predicate of a node, with the variables that matter there and have no constant as arguments. */
static void make_predicate(Product *p, ProductNode *n) {
    const System *s = p->system;
    unsigned *args = NULL;
    const Sort **sorts = NULL;
    char name[32];
    for (unsigned v = 0; v < vec_len(s->variables); v++)
        if (p->relevant[v] && !n->values[v] && system_is_live(s, n->locations, v)) {
            vec_push(args, v);
            vec_push(sorts, s->variables[v].symbol->sort);
        }
    n->nargs = (unsigned)vec_len(args);
    n->args = arena_copy(p->arena, args, n->nargs * sizeof *args);
    snprintf(name, sizeof name, "P%zu", vec_len(p->nodes));
    n->predicate = horn_predicate(p->horn.horn, name, n->nargs, sorts);
    vec_free(args);
    vec_free(sorts);
}

/* Returns the node with these locations and constants, which may be new. Sets the values of variables that do not matter here to NULL. */
static unsigned node_for(Explorer *x, const unsigned *locations, const Expr **values) {
    Product *p = x->product;
    const System *s = p->system;
    for (unsigned v = 0; v < vec_len(s->variables); v++)
        if (values[v] && (!p->relevant[v] || !system_is_live(s, locations, v) || !admit(x, v, values[v]))) values[v] = NULL;
    uint64_t h = node_hash(p, locations, values), head = 0;
    map_get(x->by_hash, h, &head);
    for (unsigned n = (unsigned)head; n; n = x->chain[n - 1])
        if (node_is(p, &p->nodes[n - 1], locations, values)) return n - 1;
    ProductNode n = {.locations = arena_copy(p->arena, locations, vec_len(s->threads) * sizeof *locations),
                     .values = arena_copy(p->arena, (const void *)values, vec_len(s->variables) * sizeof *values)};
    make_predicate(p, &n);
    vec_push(p->nodes, n);
    vec_push(x->chain, (unsigned)head);
    map_put(x->by_hash, h, vec_len(p->nodes));
    return (unsigned)vec_len(p->nodes) - 1;
}

/* ---- runs ---- */

static const Expr *current(const Product *p, const Run *r, const Expr *e) { return system_with(p->system, r->values, e); }

/* Applies a node's predicate to its variables, or to their values at the end of a run if that is not NULL. */
static const Expr *atom(const Product *p, const ProductNode *n, const Run *r) {
    const Expr **args = NULL;
    for (unsigned i = 0; i < n->nargs; i++) {
        const Expr *value = r ? r->values[n->args[i]] : NULL;
        vec_push(args, value ? value : system_expr(p->system, n->args[i]));
    }
    const Expr *a = expr_apply(p->system->exprs, n->predicate, n->nargs, args);
    vec_free(args);
    return a;
}

static void add_clause(Product *p, ProductClause c, const Expr *constraint, const Expr *body, const Expr *head) {
    char name[32];
    snprintf(name, sizeof name, "c%zu", vec_len(p->clauses));
    if (expr_is_false(constraint)) {
        vec_free(c.steps);
        return;
    }
    horn_clause(p->horn.horn, name, constraint, body ? 1 : 0, &body, head);
    vec_push(p->clauses, c);
}

/* Returns the node at the end of a run. */
static unsigned node_reached(Explorer *x, const Run *r) {
    Product *p = x->product;
    const System *s = p->system;
    unsigned *locations = NULL;
    const Expr **values = NULL;
    for (unsigned t = 0; t < vec_len(s->threads); t++) vec_push(locations, t == r->thread ? r->location : p->nodes[r->start].locations[t]);
    for (unsigned v = 0; v < vec_len(s->variables); v++)
        vec_push(values, r->values[v] && p->relevant[v] ? constant_of(p, r->values[v]) : NULL);
    unsigned n = node_for(x, locations, values);
    vec_free(locations);
    vec_free(values);
    return n;
}

/* Ends a run: adds a clause to its node, or a query if it ends at an ERROR or STOP. */
static void finish_run(Explorer *x, const Run *r) {
    Product *p = x->product;
    const SystemLocation *l = &p->system->threads[r->thread].locations[r->location];
    ProductClause c = {.source = r->start, .target = NONE};
    const Expr *head = NULL;
    if (l->kind == LOCATION_ERROR || l->kind == LOCATION_STOP) {
        c.bad = l;
    } else {
        c.target = node_reached(x, r);
        head = atom(p, &p->nodes[c.target], r);
    }
    vec_append(c.steps, r->steps);
    add_clause(p, c, r->guard, atom(p, &p->nodes[r->start], NULL), head);
}

static void continue_run(Explorer *, Run *);

/* Continues the run once for each alternative of the choices between constants that the transition has assigned, from its update u on. */
static void split_choices(Explorer *x, Run *r, const Transition *tr, size_t u) {
    Product *p = x->product;
    Exprs *e = p->system->exprs;
    for (; u < vec_len(tr->updates); u++) {
        unsigned changed = tr->updates[u].variable;
        const Expr *given = r->values[changed];
        if (given && !p->symbolic[changed] && given->op == OP_ITE && constant_of(p, given->args[1]) && constant_of(p, given->args[2]))
            break;
    }
    if (u == vec_len(tr->updates)) {
        continue_run(x, r);
        return;
    }
    unsigned v = tr->updates[u].variable;
    const Expr *value = r->values[v], *guard = r->guard;
    for (unsigned side = 0; side < 2; side++) {
        r->guard = expr_and(e, guard, side ? expr_not(e, value->args[0]) : value->args[0]);
        r->values[v] = value->args[1 + side];
        if (!expr_is_false(r->guard)) split_choices(x, r, tr, u + 1);
    }
    r->guard = guard;
    r->values[v] = value;
}

static void *copy_of(const void *bytes, size_t size) {
    void *copy = malloc(size ? size : 1);
    if (!copy) out_of_resources(MSG_BASE_NO_MEMORY);
    return memcpy(copy, bytes, size);
}

static void take(Explorer *x, const Run *before, const Transition *tr) {
    Product *p = x->product;
    const System *s = p->system;
    const Expr *guard = expr_and(s->exprs, before->guard, current(p, before, tr->guard));
    if (expr_is_false(guard) || x->demoted) return;
    Run r = *before;
    r.guard = guard;
    r.location = tr->target;
    r.values = copy_of((const void *)before->values, vec_len(s->variables) * sizeof *r.values);
    for (size_t u = 0; u < vec_len(tr->updates); u++) {
        unsigned v = tr->updates[u].variable;
        if (p->relevant[v]) r.values[v] = current(p, before, tr->updates[u].value);
    }
    r.steps = NULL;
    vec_append(r.steps, before->steps);
    vec_push(r.steps, ((ScheduleStep){r.thread, tr->index}));
    split_choices(x, &r, tr, 0);
    vec_free(r.steps);
    free((void *)r.values);
}

static void continue_run(Explorer *x, Run *r) {
    Product *p = x->product;
    const SystemThread *t = &p->system->threads[r->thread];
    const SystemLocation *l = &t->locations[r->location];
    if (p->blocks->stop[r->thread][r->location] || l->kind != LOCATION_PLAIN) {
        finish_run(x, r);
        return;
    }
    for (size_t i = 0; i < vec_len(l->out); i++) take(x, r, &t->transitions[l->out[i]]);
}

/* ---- the exploration ---- */

/* Returns the thread at an In location, which alone may run; NONE if all threads may run. */
static unsigned thread_in_block(const Product *p, const ProductNode *n) {
    for (unsigned t = 0; t < vec_len(p->system->threads); t++)
        if (!p->blocks->out[t][n->locations[t]]) return t;
    return NONE;
}

static void expand(Explorer *x, unsigned node) {
    Product *p = x->product;
    const System *s = p->system;
    unsigned only = thread_in_block(p, &p->nodes[node]);
    for (unsigned t = 0; t < vec_len(s->threads) && !x->demoted; t++) {
        if (only != NONE && t != only) continue;
        const SystemThread *thread = &s->threads[t];
        Run r = {.thread = t, .start = node, .location = p->nodes[node].locations[t], .guard = expr_bool(s->exprs, true)};
        r.values = copy_of((const void *)p->nodes[node].values, vec_len(s->variables) * sizeof *r.values);
        const SystemLocation *l = &thread->locations[r.location];
        for (size_t i = 0; i < vec_len(l->out); i++) take(x, &r, &thread->transitions[l->out[i]]);
        free((void *)r.values);
    }
}

static void start(Explorer *x) {
    Product *p = x->product;
    const System *s = p->system;
    unsigned *locations = NULL;
    const Expr **values = NULL, *constraint = expr_bool(s->exprs, true);
    for (size_t t = 0; t < vec_len(s->threads); t++) vec_push(locations, s->threads[t].entry);
    for (size_t v = 0; v < vec_len(s->variables); v++) vec_push(values, s->variables[v].init ? constant_of(p, s->variables[v].init) : NULL);
    unsigned n = node_for(x, locations, values);
    for (unsigned i = 0; i < p->nodes[n].nargs; i++) {
        unsigned v = p->nodes[n].args[i];
        if (s->variables[v].init) constraint = expr_and(s->exprs, constraint, expr_eq(s->exprs, system_expr(s, v), s->variables[v].init));
    }
    add_clause(p, (ProductClause){.source = NONE, .target = n}, constraint, NULL, atom(p, &p->nodes[n], NULL));
    vec_free(locations);
    vec_free(values);
}

/* Makes the variable with the most constants symbolic. Returns false if no variable has two constants. */
static bool demote_largest(Product *p) {
    unsigned worst = NONE;
    for (unsigned v = 0; v < vec_len(p->domains); v++)
        if (!p->symbolic[v] && vec_len(p->domains[v]) > 1 && (worst == NONE || vec_len(p->domains[v]) > vec_len(p->domains[worst])))
            worst = v;
    if (worst != NONE) p->symbolic[worst] = true;
    return worst != NONE;
}

static void forget(Product *p) {
    for (size_t i = 0; i < vec_len(p->clauses); i++) vec_free(p->clauses[i].steps);
    for (size_t v = 0; v < vec_len(p->domains); v++) vec_free(p->domains[v]);
    vec_free(p->clauses);
    vec_free(p->nodes);
    clauses_free(&p->horn);
}

/* Builds the product. Returns false if it must be built again, since more variables are symbolic now. */
static bool explore(Product *p, Smt *smt, size_t max_nodes, double deadline) {
    Explorer x = {.product = p, .by_hash = map_new()};
    bool late = false;
    clauses_start(&p->horn, smt);
    p->too_large = false;
    start(&x);
    for (unsigned n = 0; n < vec_len(p->nodes) && !p->too_large && !x.demoted; n++) {
        expand(&x, n);
        late = n % 64 == 0 && clock_seconds() > deadline;
        p->too_large = late || vec_len(p->nodes) > max_nodes;
    }
    map_free(x.by_hash);
    vec_free(x.chain);
    if (x.demoted) return false;
    return !p->too_large || late || !demote_largest(p);
}

/* True if each clause leads from a node to a node, or to an ERROR or STOP. */
static bool product_valid(const Product *p) {
    size_t n = vec_len(p->nodes);
    for (size_t i = 0; i < vec_len(p->clauses); i++) {
        const ProductClause *c = &p->clauses[i];
        if ((i && c->source >= n) || (c->target == NONE) != (c->bad != NULL) || (c->target != NONE && c->target >= n)) return false;
    }
    return p->too_large || (n && vec_len(p->relevant) == vec_len(p->system->variables));
}

Product *product_new(const System *s, const Blocks *b, Smt *smt, size_t max_nodes, double deadline) {
    Product *p = zeroed(1, sizeof *p);
    p->system = s;
    p->blocks = b;
    p->arena = arena_new();
    p->constants = values_new();
    vec_resize(p->symbolic, vec_len(s->variables));
    vec_resize(p->domains, vec_len(s->variables));
    p->relevant = system_relevant(s);
    while (!explore(p, smt, max_nodes, deadline)) forget(p);
    ensure(product_valid(p));
    return p;
}

void product_free(Product *p) {
    if (!p) return;
    forget(p);
    vec_free(p->domains);
    vec_free(p->relevant);
    vec_free(p->symbolic);
    values_free(p->constants);
    arena_free(p->arena);
    free(p);
}
