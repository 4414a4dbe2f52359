/* SPDX-License-Identifier: Apache-2.0 */
#include "result/proof.h"
#include "base/die.h"
#include "base/vec.h"
#include <stdlib.h>

Proof *proof_new(ProofRule rule, Program *program, System *system) {
    Proof *p = calloc(1, sizeof *p);
    if (!p) lack("out of memory");
    p->rule = rule;
    p->program = program;
    p->system = system;
    return p;
}

bool proof_is_fair(const Proof *p) {
    for (size_t i = 0; i < vec_len(p->nodes); i++)
        if (vec_len(p->nodes[i].helpers)) return true;
    return false;
}

bool proof_ends(const Proof *p) { return p->rule == RULE_RANKING || p->rule == RULE_EACH; }

static void free_ranks(const Expr ****ranks) {
    for (size_t t = 0; t < vec_len(ranks); t++) {
        for (size_t l = 0; l < vec_len(ranks[t]); l++) vec_free(ranks[t][l]);
        vec_free(ranks[t]);
    }
    vec_free(ranks);
}

void proof_free(Proof *p) {
    if (!p) return;
    for (size_t t = 0; t < vec_len(p->system->threads); t++) {
        if (p->out) vec_free(p->out[t]);
        if (p->stop) vec_free(p->stop[t]);
        if (p->movers) vec_free(p->movers[t]);
        if (p->facts) vec_free(p->facts[t]);
        if (p->invariants) vec_free(p->invariants[t]);
    }
    for (size_t i = 0; i < vec_len(p->nodes); i++) {
        vec_free(p->nodes[i].locations);
        vec_free(p->nodes[i].rank);
        vec_free(p->nodes[i].helpers);
        for (size_t k = 0; k < vec_len(p->nodes[i].rounds); k++) vec_free(p->nodes[i].rounds[k].measures);
        vec_free(p->nodes[i].rounds);
        vec_free(p->nodes[i].sleep);
        vec_free(p->nodes[i].edges);
    }
    for (size_t i = 0; i < vec_len(p->pairs); i++) {
        for (size_t l = 0; l < vec_len(p->pairs[i].invariants); l++) vec_free(p->pairs[i].invariants[l]);
        vec_free(p->pairs[i].invariants);
    }
    vec_free(p->pairs);
    vec_free(p->partners);
    vec_free(p->places);
    vec_free(p->guarantees);
    vec_free(p->relies);
    vec_free(p->after);
    vec_free(p->places_after);
    for (size_t i = 0; i < vec_len(p->letters); i++) vec_free(p->letters[i].transitions);
    vec_free(p->letters);
    vec_free(p->out);
    vec_free(p->stop);
    vec_free(p->movers);
    vec_free(p->facts);
    vec_free(p->invariants);
    free_ranks(p->ranks);
    vec_free(p->nodes);
    system_free(p->system);
    program_free(p->program);
    exprs_free(p->exprs);
    free(p);
}
