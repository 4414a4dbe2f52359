/* SPDX-License-Identifier: Apache-2.0 */
/* An exhausted search has nothing to show but its end. Who asks for obligations gets the state space a second time, from the system
   that proofs speak of, and independent of the search: the vectors of interpolation/vectors.h with every variable that has one value
   are its states. They are a proof by the rule reduced in which nothing is left out: each node says what the variables
   are, and each step leads to the node of what they are then.

   A value that depends on an input is not known at a node, as if it could be anything. Often nobody minds; else there is no such proof. */
#include "engine/explicit/explicit.h"
#include "passes/prepare.h"
#include "interpolation/vectors.h"

enum { MOST = 5000 };

/* States have values of so many bits, whatever arithmetic is asked for. */
PassSettings certify_settings(const EngineTask *task) { return (PassSettings){.question = task->question, .arithmetic = BITVECTORS}; }

static const char *unfold(Context *c, Vectors *vectors, double until) {
    for (unsigned i = 0; i < vectors_count(vectors); i++) {
        const VectorStep *steps = vectors_next(vectors, i);
        for (size_t k = 0; k < vec_len(steps); k++)
            if (steps[k].target == NONE) return "what depends on inputs is not known well enough to exclude the error";
        if (vectors_count(vectors) > MOST) return "there are too many states";
        if (context_seconds(c) > until) return "no time is left";
    }
    return NULL;
}

static ProofNode node_of(const System *s, Vectors *vectors, unsigned vector) {
    ProofNode n = {.invariant = vectors_known(vectors, vector)};
    const VectorStep *steps = vectors_next(vectors, vector);
    for (size_t t = 0; t < vec_len(s->threads); t++) vec_push(n.locations, vectors_get(vectors, vector)->locations[t]);
    for (size_t k = 0; k < vec_len(steps); k++) vec_push(n.edges, ((ProofEdge){steps[k].letter, steps[k].target}));
    return n;
}

static Proof *proof_of(Chain *p, const Letters *letters, Vectors *vectors) {
    Proof *proof = chain_proof(p, RULE_REDUCED);
    letters_in_proof(letters, proof);
    for (unsigned i = 0; i < vectors_count(vectors); i++) vec_push(proof->nodes, node_of(p->system, vectors, i));
    return proof;
}

static Proof *certify_system(Context *c, Chain *p, double until, const char **why_not) {
    Proof *proof = NULL;
    prepare_blocks(p, NULL);
    Letters *letters = letters_new(p->system, p->blocks);
    Vectors *vectors = vectors_new(p->system, p->blocks, letters);
    vectors_all(vectors);
    *why_not = unfold(c, vectors, until);
    if (!*why_not) proof = proof_of(p, letters, vectors);
    vectors_free(vectors);
    letters_free(letters);
    return proof;
}

/* Races are asked as errors already, other violations are not. */
Proof *certify_states(Context *c, double until, const char **why_not) {
    const Question *q = c->task->question;
    Chain asked, p = {.program = NULL};
    Proof *proof = NULL;
    Verdict *v = prepare_question(&asked, c->program, q->property == PROPERTY_NO_DATA_RACE ? NULL : q);
    if (!v) v = prepare(&p, asked.program, NULL, certify_settings(c->task), "explicit");
    if (v) *why_not = "the program is outside of what proofs can speak of";
    else if (!property_is_reachability(q->property)) *why_not = "they say that no error is reachable, not that executions end";
    else if (system_has_many(p.system)) *why_not = "the number of threads has no known bound";
    else proof = certify_system(c, &p, until, why_not);
    verdict_free(v);
    chain_free(&p);
    chain_free(&asked);
    return proof;
}
