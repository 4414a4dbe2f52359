/* SPDX-License-Identifier: Apache-2.0 */
/* Computes the accesses that may happen in parallel by the static race check (doc/rules.md, "Accesses that cannot race"). All accesses count as
   plain, so every pair of conflicting accesses that nothing orders is a race. */
#include "passes/program/mhp.h"
#include "base/map.h"
#include "ir/copy.h"
#include "passes/program/program_passes.h"
#include "analysis/race_sites.h"
#include <stdlib.h>

enum { LARGEST = 200000 }; /* the largest number of actions for which each thread gets its own template */

/* Returns the number of actions if each thread had its own template. */
static size_t size_of_instances(const Program *p) {
    size_t n = 0;
    for (size_t t = 0; t < vec_len(p->templates); t++) {
        unsigned count = p->templates[t]->count;
        n += vec_len(p->templates[t]->actions) * (count && count < 64 ? count : 1);
    }
    return n;
}

RaceProof *prove_race_free(Program *p, bool fresh) {
    Translation *t = translation_new(p);
    specialise_small(p, t);
    PromotedCell *cells = promote_memory(p, false);
    vec_free(cells);
    if (size_of_instances(p) < LARGEST) instantiate_threads(p, t);
    RaceProof *proof = race_model(p, t, fresh);
    if (proof) race_find_facts(proof);
    translation_free(t);
    return proof;
}

/* ---- pairs ---- */

struct Mhp {
    const RaceProof *proof;
    unsigned *first_action; /* by template: the number of its first action among all */
    Map *pairs;             /* a set: the pairs of actions that may happen in parallel (key_of) */
};

static uint64_t key_of(const Mhp *m, unsigned template_, unsigned action, unsigned other_template, unsigned other) {
    uint64_t x = m->first_action[template_] + action, y = m->first_action[other_template] + other;
    return (x < y ? x << 32 | y : y << 32 | x) + 1;
}

static void note_pair(void *context, const RaceAccess *one, const RaceAccess *other) {
    Mhp *m = context;
    const RaceThread *t = &m->proof->threads[one->thread], *u = &m->proof->threads[other->thread];
    map_put(m->pairs, key_of(m, t->template_, t->steps[one->step].action, u->template_, u->steps[other->step].action), 1);
}

static void make_plain(Program *p) {
    program_each_instr(Instr, i, p) i->atomic = i->failing = false;
}

/* True if a guard reads a shared variable. The static race check does not treat such reads as accesses. */
static bool guards_read(Program *p) {
    bool *shared = program_shared_objects(p);
    const Action *guard;
    Site *sites = race_sites(p, shared, &guard);
    vec_free(sites);
    vec_free(shared);
    return guard != NULL;
}

Mhp *mhp_new(const Program *original) {
    Program *p = program_copy(original);
    RaceProof *proof = NULL;
    make_plain(p);
    p->memory = MEMORY_SC;
    bool fresh = original->memory != MEMORY_PSO; /* under PSO, the address of an object may arrive before its content */
    if (!guards_read(p)) proof = prove_race_free(p, fresh);
    Mhp *m = proof ? zeroed(1, sizeof *m) : NULL;
    if (m) {
        unsigned n = 0;
        for (size_t t = 0; t < vec_len(original->templates); t++) {
            vec_push(m->first_action, n);
            n += (unsigned)vec_len(original->templates[t]->actions);
        }
        m->proof = proof;
        m->pairs = map_new();
        race_pairs(proof, note_pair, m, NULL);
        race_proof_free(proof);
    }
    program_free(p);
    return m;
}

void mhp_free(Mhp *m) {
    if (!m) return;
    map_free(m->pairs);
    vec_free(m->first_action);
    free(m);
}

bool mhp_in_parallel(const void *context, unsigned template_, unsigned action, unsigned other_template, unsigned other) {
    const Mhp *m = context;
    return map_get(m->pairs, key_of(m, template_, action, other_template, other), NULL);
}

StoreDelays *mhp_delays(const Program *p) {
    StoreDelays *delays = delays_new(p, NULL, NULL);
    Mhp *m = delays->any ? mhp_new(p) : NULL;
    if (!m) return delays;
    delays_free(delays);
    delays = delays_new(p, mhp_in_parallel, m);
    mhp_free(m);
    return delays;
}
