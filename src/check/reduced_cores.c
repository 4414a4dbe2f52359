/* SPDX-License-Identifier: Apache-2.0 */
/* Discharges the obligations of nodes with unsatisfiable cores. An invariant is a conjunction, and most obligations need few of its
   conjuncts. The conjuncts of a core are remembered, and a later node that has them needs no solver. The certificate has each such
   obligation once. */
#include "base/clock.h"
#include "check/reduced.h"
#include "check/messages.h"

static void flatten(const Expr *e, const Expr ***out) {
    if (e->op == OP_AND)
        for (unsigned i = 0; i < e->nargs; i++) flatten(e->args[i], out);
    else if (!expr_is_true(e)) vec_push(*out, e);
}

void cores_at(Reduced *r, unsigned node) {
    ensure(node < vec_len(r->conjuncts));
    const Expr *const *list = r->conjuncts[node];
    for (size_t i = 0; i < vec_len(list); i++) {
        if (list[i]->id >= vec_len(r->stamps)) vec_resize(r->stamps, list[i]->id + 1000);
        r->stamps[list[i]->id] = node + 1;
    }
}

bool cores_has(const Reduced *r, unsigned node, const Expr *e) { return e->id < vec_len(r->stamps) && r->stamps[e->id] == node + 1; }

static bool is_known(const Reduced *r, unsigned node, const Core *cores) {
    for (size_t i = 0; i < vec_len(cores); i++) {
        bool all = true;
        for (size_t k = 0; k < vec_len(cores[i].conjuncts) && all; k++) all = cores_has(r, node, cores[i].conjuncts[k]);
        if (all) return true;
    }
    return false;
}

static const Expr *proxy(Reduced *r, const Expr *e) {
    const Expr *p = map_find(r->proxies, e);
    if (p) return p;
    p = expr_symbol(r->exprs, symbol_new(r->exprs, SYM_VARIABLE, "holds", sort_bool(r->exprs)));
    solver_assert(r->solver, expr_implies(r->exprs, p, e));
    map_set(r->proxies, e, p);
    return p;
}

static void remember(Reduced *r, const Expr *excluded, Core core) {
    uint64_t n = 0;
    map_get(r->cores, map_key(excluded), &n);
    if (!n) {
        vec_push(r->core_lists, NULL);
        n = vec_len(r->core_lists);
        map_put(r->cores, map_key(excluded), n);
    }
    vec_push(r->core_lists[n - 1], core);
}

void cores_exclude(Reduced *r, unsigned node, const Expr *what) {
    Checker *c = r->checker;
    uint64_t n = 0;
    ensure(node < vec_len(r->conjuncts) && expr_is_formula(what));
    if (!c->ok) return;
    if (expr_is_false(what) || (map_get(r->cores, map_key(what), &n) && is_known(r, node, r->core_lists[n - 1]))) {
        c->report->trivial++;
        return;
    }
    if (clock_seconds() > c->deadline) {
        checker_refuse(c, MSG_CHECK_TIME);
        return;
    }
    const Expr **assumptions = NULL, *negated = what;
    bool *needed = NULL;
    size_t count = vec_len(r->conjuncts[node]);
    Core core = {NULL};
    for (size_t i = 0; i < count; i++) vec_push(assumptions, proxy(r, r->conjuncts[node][i]));
    vec_resize(needed, count);
    solver_push(r->solver);
    solver_assert(r->solver, what);
    if (solver_check_assuming(r->solver, count, assumptions) == SMT_UNSAT) {
        solver_core(r->solver, count, needed);
        for (size_t i = 0; i < count; i++) {
            if (!needed[i]) continue;
            vec_push(core.conjuncts, r->conjuncts[node][i]);
            negated = expr_and(r->exprs, negated, r->conjuncts[node][i]);
        }
        remember(r, what, core);
        c->report->obligations++;
        if (c->certificate) checker_write(c, negated);
    } else checker_refuse(c, MSG_CHECK_FAILS);
    solver_pop(r->solver);
    vec_free(needed);
    vec_free(assumptions);
}

void cores_begin(Reduced *r) {
    r->cores = map_new();
    r->proxies = map_new();
    r->solver = solver_small(r->checker->smt, OBLIGATION_MS);
    for (size_t i = 0; i < vec_len(r->proof->nodes); i++) {
        const Expr **list = NULL;
        flatten(r->proof->nodes[i].invariant, &list);
        vec_push(r->conjuncts, list);
    }
}

void cores_end(Reduced *r) {
    for (size_t i = 0; i < vec_len(r->core_lists); i++) {
        for (size_t k = 0; k < vec_len(r->core_lists[i]); k++) vec_free(r->core_lists[i][k].conjuncts);
        vec_free(r->core_lists[i]);
    }
    vec_free_rows(r->conjuncts);
    vec_free(r->core_lists);
    vec_free(r->stamps);
    solver_free(r->solver);
    map_free(r->cores);
    map_free(r->proxies);
}
