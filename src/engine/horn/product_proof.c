/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/horn/product.h"

static const Expr *node_invariant(const System *s, const Product *p, const ProductNode *n) {
    const Expr **args = NULL, *e = expr_bool(s->exprs, true);
    for (unsigned i = 0; i < n->nargs; i++) vec_push(args, system_expr(s, n->args[i]));
    for (unsigned v = 0; v < vec_len(s->variables); v++)
        if (n->values[v]) e = expr_and(s->exprs, e, expr_eq(s->exprs, system_expr(s, v), n->values[v]));
    const Expr *solution = clauses_solution(&p->horn, expr_apply(s->exprs, n->predicate, n->nargs, args));
    vec_free(args);
    return solution ? expr_and(s->exprs, e, solution) : NULL;
}

const Expr **product_invariants(const System *s, const Product *p) {
    const Expr **invariants = NULL;
    for (size_t i = 0; i < vec_len(p->nodes); i++) {
        vec_push(invariants, node_invariant(s, p, &p->nodes[i]));
        if (vec_last(invariants)) continue;
        vec_free(invariants);
        return NULL;
    }
    return invariants;
}

Proof *product_proof(Chain *w, const Product *p, const Expr *const *invariants, ProofRule rule) {
    const System *s = w->system;
    Proof *proof = chain_proof(w, rule);
    for (size_t i = 0; i < vec_len(p->nodes); i++) {
        ProofNode n = {.invariant = invariants[i]};
        if (expr_is_false(n.invariant)) continue;
        for (size_t k = 0; k < vec_len(s->threads); k++) vec_push(n.locations, p->nodes[i].locations[k]);
        vec_push(proof->nodes, n);
    }
    return proof;
}
