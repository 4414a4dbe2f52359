/* SPDX-License-Identifier: Apache-2.0 */
/* Implements the rule `product`: solves the clauses of the product. A solution is a proof, and a derivation of false is a schedule. */
#include "base/clock.h"
#include "engine/horn/product.h"
#include "engine/horn/rule.h"
#include "engine/messages.h"

/* Numbers of nodes. Zones are tried up to MAX_NODES, the solver up to SOLVER_NODES, Houdini up to FEW_PREDICATES. The solver gets the limit
   FEW_CONTEXTS (HornLimits.contexts) for more than MANY_NODES. */
enum { MAX_NODES = 30000, SOLVER_NODES = 6000, MANY_NODES = 800, FEW_CONTEXTS = 20, FEW_PREDICATES = 60 };

/* ---- a solution is a proof ---- */

static Verdict *safe(const RuleTask *t, const Product *p) {
    const Expr **invariants = product_invariants(t->prepared->system, p);
    if (!invariants) return rule_undecodable();
    Proof *proof = product_proof(t->prepared, p, invariants, RULE_PRODUCT);
    vec_free(invariants);
    return symbolic_safe(proof);
}

/* ---- a derivation of false is a schedule ---- */

/* Returns UNSAFE with the steps of the clauses along a derivation, or NULL if no execution of the program follows these steps. */
static Verdict *unsafe(const RuleTask *t, const Product *p, const size_t *path) {
    ScheduleStep *steps = NULL;
    for (size_t i = 0; i < vec_len(path); i++) vec_append(steps, p->clauses[path[i]].steps);
    Verdict *v = steps ? symbolic_unsafe(t->engine, t->prepared, steps, vec_len(steps)) : NULL;
    vec_free(steps);
    return v;
}

static void reverse(size_t *list) {
    for (size_t i = 0, n = vec_len(list); i < n / 2; i++) {
        size_t swap = list[i];
        list[i] = list[n - 1 - i];
        list[n - 1 - i] = swap;
    }
}

/* Returns the first clause of a node. Clauses are in the order of their source nodes, behind the initial clause. */
static size_t first_clause_of(const Product *p, unsigned node) {
    size_t low = 1, high = vec_len(p->clauses);
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (p->clauses[middle].source < node) low = middle + 1;
        else high = middle;
    }
    return low;
}

/* Returns the shortest path of clauses from the initial one to an ERROR, without regard to their constraints; NULL if no path exists. */
static size_t *shortest_way(const Product *p) {
    size_t *reached_by = NULL, *path = NULL; /* reached_by: by node, clause + 1 */
    unsigned *work = NULL;
    size_t found = 0;
    vec_resize(reached_by, vec_len(p->nodes));
    reached_by[p->clauses[0].target] = 1;
    vec_push(work, p->clauses[0].target);
    for (size_t next = 0; next < vec_len(work) && !found; next++)
        for (size_t i = first_clause_of(p, work[next]); i < vec_len(p->clauses) && p->clauses[i].source == work[next] && !found; i++) {
            const ProductClause *c = &p->clauses[i];
            if (expr_is_false(horn_get(p->horn.horn, i)->constraint)) continue;
            if (c->target == NONE && c->bad->kind == LOCATION_ERROR) found = i;
            if (c->target == NONE || reached_by[c->target]) continue;
            reached_by[c->target] = i + 1;
            vec_push(work, c->target);
        }
    for (size_t i = found; i; i = reached_by[p->clauses[i].source] - 1) vec_push(path, i);
    if (found) vec_push(path, 0);
    reverse(path);
    vec_free(reached_by);
    vec_free(work);
    return path;
}

/* Tries the shortest path to an ERROR, which an execution often follows. */
static Verdict *try_shortest(const RuleTask *t, const Product *p) {
    size_t *path = shortest_way(p);
    Verdict *v = path ? unsafe(t, p, path) : NULL;
    vec_free(path);
    return v;
}

static Verdict *refuted(const RuleTask *t, const Product *p) {
    HornLimits limits = {.milliseconds = (unsigned)((t->deadline - clock_seconds()) * 1000)};
    size_t *path = horn_refutation(p->horn.horn, limits);
    const ProductClause *last = path ? &p->clauses[vec_last(path)] : NULL;
    Verdict *v = NULL;
    *t->no_proof = path != NULL;
    if (last && last->bad->kind == LOCATION_STOP) {
        v = chain_stopped(t->engine->program, last->bad, "redcomp");
    } else {
        v = path ? unsafe(t, p, path) : NULL;
        if (!v) v = verdict_unknown((Position){0}, MSG_ENGINE_COUNTEREXAMPLE_SPURIOUS);
    }
    vec_free(path);
    return v;
}

/* ---- the rule ---- */

/* Returns NULL if the zones do not suffice and the product is too large for the solver. */
static Verdict *solve(const RuleTask *t, Product *p) {
    ClausesPlan plan = rule_plan(t);
    plan.contexts = vec_len(p->nodes) > MANY_NODES ? FEW_CONTEXTS : 0;
    plan.use_houdini = vec_len(p->nodes) <= FEW_PREDICATES;
    if (clauses_simplify(&p->horn, &plan)) return safe(t, p);
    Verdict *v = try_shortest(t, p);
    if (v || vec_len(p->nodes) > SOLVER_NODES) return v;
    switch (clauses_solve(&p->horn, &plan)) {
    case HORN_SOLVED: return safe(t, p);
    case HORN_REFUTED: return refuted(t, p);
    default: return verdict_unknown((Position){0}, MSG_ENGINE_HORN_UNSOLVED, p->horn.reason);
    }
}

static Verdict *with_nodes(const RuleTask *t, size_t max_nodes, double deadline) {
    const Chain *w = t->prepared;
    Stats *stats = t->engine->stats;
    Product *p = product_new(w->system, w->blocks, w->smt, max_nodes, deadline);
    stats->nodes = stats->predicates = vec_len(p->nodes);
    stats->clauses = horn_clauses(p->horn.horn);
    Verdict *v = p->too_large ? NULL : solve(t, p);
    product_free(p);
    return v;
}

/* With many nodes, the predicates have few arguments, and zones often suffice. Otherwise the product is built with fewer nodes, so that more
   variables are symbolic, for the solver. */
static Verdict *run(const RuleTask *t) {
    rule_progress(t, "redcomp: product of the threads' blocks");
    double now = clock_seconds();
    Verdict *v = with_nodes(t, MAX_NODES, now + (t->deadline - now) / 3);
    if (!v) v = with_nodes(t, SOLVER_NODES, t->deadline);
    return v ? v : verdict_unknown((Position){0}, MSG_ENGINE_PRODUCT_LARGE, SOLVER_NODES);
}

static void dump(const RuleTask *t, Buf *out) {
    Product *p = product_new(t->prepared->system, t->prepared->blocks, t->prepared->smt, SOLVER_NODES, clock_seconds() + 60);
    horn_print(out, p->horn.horn);
    product_free(p);
}

const Rule rule_product = {"product", rule_fixed_number, BLOCKS_ANY, run, dump};
