/* SPDX-License-Identifier: Apache-2.0 */
/* Makes a proof by the rule `reduced` from a complete tree. Covered nodes are replaced by their coverers, and nodes that the root does not reach are
   left out. */
#include "engine/impact/art.h"

static void need(const Art *a, unsigned node, bool *seen, unsigned **list) {
    unsigned n = art_coverer(a, node);
    if (a->nodes[n].impossible || seen[n]) return;
    seen[n] = true;
    vec_push(*list, n);
}

unsigned *certify_needed(const Art *a) {
    unsigned *list = NULL;
    bool *seen = NULL;
    vec_resize(seen, vec_len(a->nodes));
    need(a, 0, seen, &list);
    for (size_t i = 0; i < vec_len(list); i++) {
        const ArtNode *n = &a->nodes[list[i]];
        for (size_t k = 0; k < vec_len(n->edges) && !n->dead; k++) need(a, n->edges[k].child, seen, &list);
    }
    vec_free(seen);
    return list;
}

static ProofNode proof_node(const Art *a, unsigned node, const unsigned *number) {
    const ArtNode *n = &a->nodes[node];
    ProofNode p = {.dead = n->dead};
    p.invariant = expr_and(a->system->exprs, control_states_constants(a->control_states, n->control_state), n->conjunction);
    for (size_t t = 0; t < vec_len(a->system->threads); t++)
        vec_push(p.locations, control_states_get(a->control_states, n->control_state)->locations[t]);
    for (unsigned l = 0; l < vec_len(a->block_steps->list); l++)
        if (art_has(n->sleep, l)) vec_push(p.sleep, l);
    for (size_t k = 0; k < vec_len(n->edges) && !n->dead; k++) {
        unsigned target = art_coverer(a, n->edges[k].child);
        if (!a->nodes[target].impossible) vec_push(p.edges, ((ProofEdge){n->edges[k].block_step, number[target]}));
    }
    return p;
}

Proof *certify(const Art *a, Chain *prepared) {
    ensure(art_valid(a));
    Proof *proof = chain_proof(prepared, RULE_REDUCED);
    unsigned *needed = certify_needed(a), *number = NULL;
    vec_resize(number, vec_len(a->nodes));
    block_steps_in_proof(a->block_steps, proof);
    for (unsigned i = 0; i < vec_len(needed); i++) number[needed[i]] = i;
    for (size_t i = 0; i < vec_len(needed); i++) vec_push(proof->nodes, proof_node(a, needed[i], number));
    vec_free(needed);
    vec_free(number);
    return proof;
}
