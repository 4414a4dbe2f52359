/* SPDX-License-Identifier: Apache-2.0 */
#include "passes/prepare.h"
#include "base/vec.h"
#include "ir/copy.h"
#include "ir/promote.h"
#include "transform/build/build_system.h"
#include "transform/system/foresee_indices.h"
#include "transform/system/fuse.h"
#include "transform/program/instances.h"
#include "transform/program/lock_results.h"
#include "transform/system/find_locks.h"
#include "transform/system/orders_by_type.h"
#include "transform/program/regions.h"
#include "transform/program/few_rounds.h"
#include "transform/program/specialise.h"
#include "transform/system/tidy.h"
#include "transform/program/twins.h"
#include "transform/system/weaken_guards.h"
#include "transform/build/wraps.h"

Position prepared_position(const Program *original, Position at) {
    if (at.file) at.file = exprs_intern(original->exprs, at.file);
    return at;
}

Verdict *prepared_stopped(const Program *original, const SystemLocation *stop, const char *engine) {
    Verdict *v = verdict_unknown(prepared_position(original, stop->position), "%s: an execution reaches what is not modelled%s%s",
                                 engine, stop->text ? ": " : "", stop->text ? stop->text : "");
    v->cause = CAUSE_OMITTED;
    return v;
}

/* A proof need not look at what an over-approximation covers. */
static void leave_out_covered(Program *p) {
    for (size_t t = 0; t < vec_len(p->templates); t++)
        for (size_t a = 0; a < vec_len(p->templates[t]->actions); a++)
            if (p->templates[t]->actions[a].covered) p->templates[t]->actions[a].guard = expr_bool(p->exprs, false);
}

typedef System *(*Fuse)(System *, Smt *);

/* rounds: at most so many of loops that create threads; 0: all. wrapping: the variables to be kept congruent alone, by their places (a vec). */
static Verdict *prepare_once(Fuse fused, unsigned rounds, Prepared *p, const Program *original, Arithmetic arithmetic, const uint64_t *wrapping,
                             const char *engine) {
    Buf why = {0};
    Position where = {0};
    Verdict *v = NULL;
    *p = (Prepared){.program = program_copy(original)};
    p->translation = translation_new(p->program);
    leave_out_covered(p->program);
    specialise(p->program, p->translation);
    if (rounds) few_rounds(p->program, p->translation, rounds);
    program_promote(p->program);
    instances(p->program, p->translation);
    twins(p->program, p->translation);
    if (regions(p->program, &why, &where)) {
        lock_results(p->program);
        specialise(p->program, p->translation); /* what is constant now that memory and locks are assignments */
        wraps_mark(p->program, wrapping);
        System *fine = build_system(p->program, arithmetic != BITVECTORS, arithmetic == INTEGERS, &why);
        if (fine) {
            p->smt = smt_new(fine->exprs);
            p->system = fused(fine, p->smt);
        }
    }
    if (!p->system) {
        v = verdict_unknown(prepared_position(original, where), "%s: %s", engine, buf_string(&why));
        v->cause = CAUSE_REFUSED;
    }
    buf_free(&why);
    return v;
}

/* Which variables wrap around is known when the system is there: then it is made again. What they are copied to wraps around as well. */
static Verdict *prepare_by(Fuse fused, unsigned rounds, Prepared *p, const Program *original, Arithmetic arithmetic, const char *engine) {
    enum { TRIES = 4 };
    uint64_t *wrapping = NULL;
    Verdict *v = prepare_once(fused, rounds, p, original, arithmetic, NULL, engine);
    for (unsigned i = 0; i < TRIES && !v && arithmetic >= CONGRUENT && wraps_find(p->system, &wrapping); i++) {
        prepared_release(p);
        v = prepare_once(fused, rounds, p, original, arithmetic, wrapping, engine);
    }
    if (!v && vec_len(wrapping)) wraps_loosen(p->system, p->smt);
    if (!v && arithmetic >= CONGRUENT) {
        orders_by_type(p->system);
        tidy_stutter(p->system);
        foresee_indices(p->system);
    }
    if (!v && arithmetic == WEAK) p->weaker = weaken_guards(p->system, p->smt);
    vec_free(wrapping);
    return v;
}

Verdict *prepare(Prepared *p, const Program *original, Arithmetic arithmetic, const char *engine) {
    return prepare_by(fuse, 0, p, original, arithmetic, engine);
}

Verdict *prepare_fine(Prepared *p, const Program *original, Arithmetic arithmetic, const char *engine) {
    return prepare_by(fuse_sections, 0, p, original, arithmetic, engine);
}

Verdict *prepare_in_part(Prepared *p, const Program *original, Arithmetic arithmetic, unsigned rounds, const char *engine) {
    return prepare_by(fuse, rounds, p, original, arithmetic, engine);
}

static uint64_t count_blocks(const Prepared *p) {
    uint64_t n = 0;
    for (size_t t = 0; t < vec_len(p->system->threads); t++)
        for (size_t l = 0; l < vec_len(p->blocks->out[t]); l++)
            n += p->blocks->out[t][l] && vec_len(p->system->threads[t].locations[l].out);
    return n;
}

void prepare_blocks(Prepared *p, bool reduce, Stats *stats) {
    find_locks(p->system, p->smt);
    bool *relevant = system_relevant(p->system);
    p->movers = movers_new(p->system, p->smt, relevant);
    vec_free(relevant);
    if (!reduce) movers_forget(p->movers);
    p->blocks = blocks_new(p->system, p->smt, reduce ? p->movers : NULL);
    if (stats) stats->blocks = count_blocks(p);
}

void prepare_longer_blocks(Prepared *p, Stats *stats) {
    blocks_free(p->system, p->blocks);
    p->blocks = blocks_with_loops(p->system, p->smt, p->movers);
    if (stats) stats->blocks = count_blocks(p);
}

#define COPY_VEC(to, from, type)                                                                                                      \
    do {                                                                                                                              \
        type *copy_ = NULL;                                                                                                           \
        for (size_t i_ = 0; i_ < vec_len(from); i_++) vec_push(copy_, (from)[i_]);                                                     \
        vec_push(to, copy_);                                                                                                          \
    } while (0)

Proof *prepared_proof(Prepared *p, ProofRule rule) {
    Proof *proof = proof_new(rule, p->program, p->system);
    for (size_t t = 0; t < vec_len(p->system->threads); t++) {
        COPY_VEC(proof->out, p->blocks->out[t], bool);
        COPY_VEC(proof->stop, p->blocks->stop[t], bool);
        COPY_VEC(proof->movers, p->movers->kind[t], uint8_t);
        COPY_VEC(proof->facts, p->movers->facts[t], const Expr *);
    }
    p->taken = true;
    return proof;
}

void prepared_release(Prepared *p) {
    blocks_free(p->system, p->blocks);
    movers_free(p->system, p->movers);
    smt_free(p->smt);
    translation_free(p->translation);
    if (!p->taken) {
        system_free(p->system);
        program_free(p->program);
    }
    *p = (Prepared){0};
}
