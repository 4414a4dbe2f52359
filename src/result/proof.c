/* SPDX-License-Identifier: Apache-2.0 */
#include "result/proof_text.h"
#include <stdlib.h>

const char *const proof_rule_words[] = {"product", "modular", "safety", "pairs", "ranking", "each", "reduced", "rely"};

Proof *proof_new(ProofRule rule, Program *program, System *system) {
    Proof *p = zeroed(1, sizeof *p);
    p->rule = rule;
    p->program = program;
    p->system = system;
    return p;
}

static bool node_valid(const Proof *p, const ProofNode *n) {
    if (!n->invariant || vec_len(n->locations) != vec_len(p->system->threads)) return false;
    for (size_t t = 0; t < vec_len(n->locations); t++)
        if (n->locations[t] >= vec_len(p->system->threads[t].locations)) return false;
    for (size_t i = 0; i < vec_len(n->edges); i++)
        if (n->edges[i].block_step >= vec_len(p->block_steps) || n->edges[i].target >= vec_len(p->nodes)) return false;
    for (size_t i = 0; i < vec_len(n->sleep); i++)
        if (n->sleep[i] >= vec_len(p->block_steps)) return false;
    return true;
}

bool proof_valid(const Proof *p) {
    size_t threads = vec_len(p->system->threads);
    for (size_t i = 0; i < vec_len(p->nodes); i++)
        if (!node_valid(p, &p->nodes[i])) return false;
    for (size_t i = 0; i < vec_len(p->block_steps); i++)
        if (p->block_steps[i].thread >= threads || !vec_len(p->block_steps[i].transitions)) return false;
    vec_each_at(const ProofInside, in, p->insides) {
        size_t locations = in->thread < threads ? vec_len(p->system->threads[in->thread].locations) : 0;
        if (!in->relation || in->start >= locations || in->location >= locations) return false;
    }
    for (size_t i = 0; i < vec_len(p->pairs); i++)
        if (p->pairs[i].first >= threads || p->pairs[i].second >= threads) return false;
    return true;
}

bool proof_is_fair(const Proof *p) {
    for (size_t i = 0; i < vec_len(p->nodes); i++)
        if (vec_len(p->nodes[i].helpers)) return true;
    return false;
}

bool proof_ends(const Proof *p) { return p->rule == RULE_RANKING || p->rule == RULE_EACH; }

/* Frees a vec of vecs, one for each thread. */
#define FREE_ROWS(rows)                                                     \
    do {                                                                    \
        for (size_t r_ = 0; r_ < vec_len(rows); r_++) vec_free((rows)[r_]); \
        vec_free(rows);                                                     \
    } while (0)

void proof_release(Proof *p) {
    FREE_ROWS(p->out);
    FREE_ROWS(p->stop);
    FREE_ROWS(p->movers);
    FREE_ROWS(p->facts);
    FREE_ROWS(p->invariants);
    for (size_t i = 0; i < vec_len(p->nodes); i++) {
        vec_free(p->nodes[i].locations);
        vec_free(p->nodes[i].rank);
        vec_free(p->nodes[i].helpers);
        for (size_t k = 0; k < vec_len(p->nodes[i].rounds); k++) vec_free(p->nodes[i].rounds[k].measures);
        vec_free(p->nodes[i].rounds);
        vec_free(p->nodes[i].sleep);
        vec_free(p->nodes[i].edges);
    }
    for (size_t i = 0; i < vec_len(p->pairs); i++) FREE_ROWS(p->pairs[i].invariants);
    vec_free(p->pairs);
    vec_free(p->insides);
    vec_free(p->partners);
    vec_free(p->places);
    vec_free(p->guarantees);
    vec_free(p->relies);
    vec_free(p->after);
    vec_free(p->places_after);
    for (size_t i = 0; i < vec_len(p->block_steps); i++) vec_free(p->block_steps[i].transitions);
    vec_free(p->block_steps);
    for (size_t t = 0; t < vec_len(p->ranks); t++) FREE_ROWS(p->ranks[t]);
    vec_free(p->ranks);
    vec_free(p->nodes);
    buf_free(&p->settings);
    free(p);
}

void proof_free(Proof *p) {
    if (!p) return;
    System *system = p->system;
    Program *program = p->program;
    proof_release(p);
    system_free(system);
    program_free(program);
}
