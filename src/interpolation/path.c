/* SPDX-License-Identifier: Apache-2.0 */
/* Translates a path into formulas, and finds its shortest impossible prefix.

   Every assignment gives its variable a new version. A version that equals a constant, another version, or one of these plus a constant, is
   replaced by this value. The solver gets the definition of a version when a formula first mentions it. A literal implies each conjunct of
   a guard, so that unsatisfiable cores show which conjuncts are needed. */
#include "interpolation/internal.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_MINIMISED = 64 }; /* bound of the number of guards of a core that minimise tries to leave out */

/* ---- symbols ---- */

static const Symbol *copy_of(Interpolator *p, const Symbol *s, const Symbol ***copies, size_t k) {
    while (vec_len(*copies) <= k) {
        char name[200];
        snprintf(name, sizeof name, "%.180s@%zu", s->name, vec_len(*copies) + 1);
        vec_push(*copies, symbol_new(p->exprs, SYM_VARIABLE, name, s->sort));
    }
    return (*copies)[k];
}

const Expr *path_literal(Interpolator *p, size_t k) {
    while (vec_len(p->literals) <= k)
        vec_push(p->literals, expr_symbol(p->exprs, symbol_new(p->exprs, SYM_VARIABLE, "!path", sort_bool(p->exprs))));
    return p->literals[k];
}

/* Returns the k-th copy of an input. */
static const Expr *input_copy(Interpolator *p, const Symbol *input, size_t k) {
    uint64_t at;
    if (!map_get(p->copies, map_key(input), &at)) {
        at = vec_len(p->copy_lists);
        map_put(p->copies, map_key(input), at);
        vec_push(p->copy_lists, NULL);
    }
    return expr_symbol(p->exprs, copy_of(p, input, &p->copy_lists[at], k));
}

/* ---- values along the path ---- */

typedef struct Here {
    const Path *path;
    size_t position;
    const PathStep *step; /* the step whose inputs are replaced by copies, or NULL */
} Here;

static const Expr *value_here(void *context, const Expr *e) {
    const Here *h = context;
    if (h->step && vec_has(h->step->inputs, e->symbol)) return input_copy(h->path->by, e->symbol, h->position);
    unsigned v = system_variable(h->path->by->system, e->symbol);
    return v == NONE ? NULL : h->path->values[h->position][v];
}

static const Expr *in_step(const Path *p, size_t k, const Expr *e) {
    Here h = {p, k, &p->steps[k]};
    return expr_substitute(p->by->exprs, e, value_here, &h);
}

/* True if the value is simple enough to stand for the version. */
static bool is_plain(const Expr *e) { return !e->nargs || (e->op == OP_ADD && !e->args[0]->nargs && e->args[1]->op == OP_CONST); }

static const Expr *versioned(Path *p, unsigned variable, const Expr *value) {
    Interpolator *by = p->by;
    if (is_plain(value)) return value;
    const Symbol *s = copy_of(by, by->system->variables[variable].symbol, &by->versions[variable], p->used[variable]++);
    map_set(p->definitions, s, value);
    return expr_symbol(by->exprs, s);
}

static void assign(Path *p, size_t k) {
    const PathStep *s = &p->steps[k];
    size_t variables = vec_len(p->by->system->variables);
    memcpy(p->values[k + 1], p->values[k], variables * sizeof *p->values[k]);
    for (size_t u = 0; u < vec_len(s->updates); u++) {
        const Expr *value = normalise(p->by->normaliser, in_step(p, k, s->updates[u].value));
        p->values[k + 1][s->updates[u].variable] = versioned(p, s->updates[u].variable, value);
    }
}

/* ---- definitions of versions ---- */

typedef struct Pending {
    Path *path;
    const Symbol **found; /* a vec */
} Pending;

static void find_definition(void *context, const Symbol *s) {
    Pending *n = context;
    if (map_find(n->path->definitions, s)) vec_push(n->found, s);
}

static void path_forget_models(Path *p) {
    for (size_t i = 0; i < vec_len(p->models); i++) {
        model_free(p->models[i].model);
        map_free(p->models[i].truths);
    }
    vec_clear(p->models);
}

/* Returns e, after the definitions of its versions were asserted. Models from before do not respect new definitions, so they are dropped. */
static const Expr *with_definitions(Path *p, const Expr *e) {
    Pending todo = {.path = p};
    expr_symbols(e, find_definition, &todo);
    if (vec_len(todo.found)) path_forget_models(p);
    while (vec_len(todo.found)) {
        const Symbol *s = vec_pop(todo.found);
        const Expr *value = map_find(p->definitions, s);
        if (!value) continue;
        map_set(p->definitions, s, NULL);
        solver_assert(p->by->paths, expr_eq(p->by->exprs, expr_symbol(p->by->exprs, s), value));
        expr_symbols(value, find_definition, &todo);
    }
    vec_free(todo.found);
    return e;
}

const Expr *path_at(Path *p, size_t position, const Expr *e) {
    ensure(position < vec_len(p->values) && p->values[position]);
    Here h = {p, position, NULL};
    return with_definitions(p, expr_substitute(p->by->exprs, e, value_here, &h));
}

static void add_guard(Path *p, unsigned step, const Expr *condition, const Expr *image) {
    PathGuard g = {.step = step, .condition = condition, .literal = path_literal(p->by, vec_len(p->guards))};
    solver_assert(p->by->paths, expr_implies(p->by->exprs, g.literal, with_definitions(p, image)));
    vec_push(p->guards, g);
}

static void add_guards(Path *p, unsigned step, const Expr *guard) {
    const Expr **conjuncts = NULL;
    normalise_conjuncts(p->by->normaliser, guard, &conjuncts);
    for (size_t i = 0; i < vec_len(conjuncts); i++)
        add_guard(p, step, conjuncts[i], step == NONE ? path_at(p, 0, conjuncts[i]) : in_step(p, step, conjuncts[i]));
    vec_free(conjuncts);
}

void path_open(Path *p, Interpolator *by, const Expr *initially, const PathStep *steps, size_t n) {
    ensure(expr_is_formula(initially));
    *p = (Path){.by = by, .steps = steps, .n = n, .definitions = map_new()};
    size_t variables = vec_len(by->system->variables);
    vec_resize(p->used, variables);
    for (size_t k = 0; k <= n; k++) {
        const Expr **row = NULL;
        vec_resize(row, variables);
        vec_push(p->values, row);
    }
    for (unsigned v = 0; v < variables; v++) p->values[0][v] = system_expr(by->system, v);
    solver_push(by->paths);
    add_guards(p, NONE, initially);
    for (size_t k = 0; k < n; k++) {
        ensure(expr_is_formula(steps[k].guard));
        add_guards(p, (unsigned)k, steps[k].guard);
        assign(p, k);
    }
}

void path_free(Path *p) {
    path_forget_models(p);
    vec_free(p->models);
    solver_pop(p->by->paths);
    vec_free_rows(p->values);
    vec_free(p->guards);
    vec_free(p->used);
    map_free(p->definitions);
}

/* ---- the core ---- */

/* Returns the position behind the guard's step, and 0 for the initial condition. */
static size_t guard_position(const PathGuard *g) { return g->step == NONE ? 0 : g->step + 1; }

/* Checks the guards that are marked as needed and have a position before `end`. If they are unsatisfiable, only those in the core stay
   marked. */
static SmtAnswer ask(Path *p, size_t end) {
    const Expr **assumed = NULL;
    size_t *guards = NULL;
    for (size_t i = 0; i < vec_len(p->guards); i++)
        if (p->guards[i].needed && guard_position(&p->guards[i]) < end) {
            vec_push(assumed, p->guards[i].literal);
            vec_push(guards, i);
        }
    SmtAnswer a = solver_check_assuming(p->by->paths, vec_len(assumed), assumed);
    if (a == SMT_UNSAT) {
        bool *core = NULL;
        vec_resize(core, vec_len(assumed));
        if (vec_len(assumed)) solver_core(p->by->paths, vec_len(assumed), core);
        for (size_t i = 0; i < vec_len(p->guards); i++) p->guards[i].needed = false;
        for (size_t i = 0; i < vec_len(guards); i++) p->guards[guards[i]].needed = core[i];
        vec_free(core);
    }
    vec_free(assumed);
    vec_free(guards);
    return a;
}

static size_t last_needed(const Path *p) {
    size_t last = 0;
    for (size_t i = 0; i < vec_len(p->guards); i++)
        if (p->guards[i].needed && guard_position(&p->guards[i]) > last) last = guard_position(&p->guards[i]);
    return last;
}

static void need_all(Path *p) {
    for (size_t i = 0; i < vec_len(p->guards); i++) p->guards[i].needed = true;
}

static void mark(Path *p, const bool *needed) {
    for (size_t i = 0; i < vec_len(p->guards); i++) p->guards[i].needed = needed[i];
}

/* Leaves out guards of the core, the latest first, if the remaining ones suffice together with any earlier guards. A guard becomes part of
   every precondition before it. Assertions from a late guard that helps by chance often hold for this path only. */
static void minimise(Path *p) {
    size_t n = vec_len(p->guards), tried = 0;
    bool *allowed = NULL, *core = NULL;
    vec_resize(allowed, n);
    vec_resize(core, n);
    for (size_t i = 0; i < n; i++) {
        allowed[i] = guard_position(&p->guards[i]) <= p->n;
        core[i] = p->guards[i].needed;
    }
    for (size_t i = n; i-- > 0 && tried < MOST_MINIMISED;) {
        bool needed = core[i];
        allowed[i] = false;
        if (!needed) continue;
        tried++;
        mark(p, allowed);
        if (ask(p, SIZE_MAX) == SMT_UNSAT)
            for (size_t k = 0; k < n; k++) core[k] = p->guards[k].needed;
        else allowed[i] = true;
    }
    mark(p, core);
    vec_free(allowed);
    vec_free(core);
}

PathAnswer path_refute(Path *p) {
    need_all(p);
    SmtAnswer a = ask(p, SIZE_MAX);
    if (a != SMT_UNSAT) return a == SMT_SAT ? PATH_POSSIBLE : PATH_UNKNOWN;
    size_t end = last_needed(p);
    for (;;) { /* searches for a shorter prefix */
        need_all(p);
        if (!end || ask(p, end) != SMT_UNSAT) break;
        end = last_needed(p);
    }
    for (size_t i = 0; i < vec_len(p->guards); i++) p->guards[i].needed = guard_position(&p->guards[i]) <= end;
    if (ask(p, SIZE_MAX) != SMT_UNSAT) return PATH_UNKNOWN;
    p->n = last_needed(p);
    ensure(p->n <= end); /* the shortest impossible prefix */
    minimise(p);
    return PATH_IMPOSSIBLE;
}
