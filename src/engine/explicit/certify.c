/* SPDX-License-Identifier: Apache-2.0 */
/* Makes a proof with obligations where the engine has visited all states. The search itself leaves no proof. For --certificate, the state space of
   the system is therefore unfolded a second time, independently of the search. Its states are the control states of
   interpolation/control_states.h, with every variable that has one known value. These states are the nodes of a proof by the rule `reduced`,
   without any reduction. A node's invariant states the values of the variables. Each step leads to the node with the values after it.

   A value that depends on an input is unknown at a node: it may be anything. If the absence of errors depends on this value, there is no
   such proof. */
#include "engine/explicit/explicit.h"
#include "engine/messages.h"
#include "passes/prepare.h"
#include "interpolation/control_states.h"

enum { MOST = 5000 };

/* Returns settings with bit-vectors, even if the question asks for integers: the values of states are bit-vectors. */
PassSettings certify_settings(const EngineTask *task) { return (PassSettings){.question = task->question, .arithmetic = BITVECTORS}; }

static const char *unfold(Context *c, ControlStates *vectors, double until) {
    for (unsigned i = 0; i < control_states_count(vectors); i++) {
        const ControlStep *steps = control_states_next(vectors, i);
        for (size_t k = 0; k < vec_len(steps); k++)
            if (steps[k].target == NONE) return MSG_ENGINE_CERTIFY_INPUTS;
        if (control_states_count(vectors) > MOST) return MSG_ENGINE_CERTIFY_STATES;
        if (context_seconds(c) > until) return MSG_ENGINE_CERTIFY_TIME;
    }
    return NULL;
}

static ProofNode node_of(const System *s, ControlStates *vectors, unsigned vector) {
    ProofNode n = {.invariant = control_states_constants(vectors, vector)};
    const ControlStep *steps = control_states_next(vectors, vector);
    for (size_t t = 0; t < vec_len(s->threads); t++) vec_push(n.locations, control_states_get(vectors, vector)->locations[t]);
    for (size_t k = 0; k < vec_len(steps); k++) vec_push(n.edges, ((ProofEdge){steps[k].block_step, steps[k].target}));
    return n;
}

static Proof *proof_of(Chain *p, const BlockSteps *block_steps, ControlStates *vectors) {
    Proof *proof = chain_proof(p, RULE_REDUCED);
    block_steps_in_proof(block_steps, proof);
    for (unsigned i = 0; i < control_states_count(vectors); i++) vec_push(proof->nodes, node_of(p->system, vectors, i));
    return proof;
}

static Proof *certify_system(Context *c, Chain *p, double until, const char **why_not) {
    Proof *proof = NULL;
    prepare_blocks(p, NULL);
    BlockSteps *block_steps = block_steps_new(p->system, p->blocks);
    ControlStates *vectors = control_states_new(p->system, p->blocks, block_steps);
    control_states_track_all(vectors);
    *why_not = unfold(c, vectors, until);
    if (!*why_not) proof = proof_of(p, block_steps, vectors);
    control_states_free(vectors);
    block_steps_free(block_steps);
    return proof;
}

/* For data races, the program is instrumented already. For other properties, it is instrumented here. */
Proof *certify_states(Context *c, double until, const char **why_not) {
    const Question *q = c->task->question;
    Chain asked, p = {.program = NULL};
    Proof *proof = NULL;
    Verdict *v = instrument_property(&asked, c->program, q->property == PROPERTY_NO_DATA_RACE ? NULL : q);
    if (!v) v = prepare(&p, asked.program, NULL, certify_settings(c->task), "explicit");
    if (v) *why_not = MSG_ENGINE_CERTIFY_SYSTEM;
    else if (!property_is_reachability(q->property)) *why_not = MSG_ENGINE_CERTIFY_ENDS;
    else if (system_has_many(p.system)) *why_not = "the number of threads has no known bound";
    else proof = certify_system(c, &p, until, why_not);
    verdict_free(v);
    chain_free(&p);
    chain_free(&asked);
    return proof;
}
