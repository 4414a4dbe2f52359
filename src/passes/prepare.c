/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the tables of passes for an engine, and turns a pass that refuses into UNKNOWN. */
#include "passes/prepare.h"
#include "passes/messages.h"

Position chain_position(const Program *original, Position at) {
    if (at.file) at.file = exprs_intern(original->exprs, at.file);
    return at;
}

Verdict *chain_stopped(const Program *original, const SystemLocation *stop, const char *engine) {
    Verdict *v = verdict_unknown(chain_position(original, stop->position), MSG_PASSES_REACHES_STOP, engine, stop->text ? ": " : "",
                                 stop->text ? stop->text : "");
    v->cause = REASON_OMITTED;
    return v;
}

Verdict *instrument_property(Chain *p, const Program *original, const Question *question) {
    *p = chain_new(original, (PassSettings){.question = question});
    if (passes_run(p, &passes_property, NULL)) return NULL;
    return verdict_unknown(chain_position(original, p->where), "%s", buf_string(&p->why));
}

Chain prepare_common(const Chain *from, double until) {
    Chain p = chain_new(from->program, (PassSettings){.question = from->settings.question, .discharge = true});
    p.until = until;
    p.after = from->after;
    p.context = from->context;
    if (!passes_run(&p, &passes_building, last_common_pass)) chain_free(&p);
    p.until = 0;
    return p;
}

/* Returns the common chain itself instead of a copy, since a process rarely needs it twice. */
static Chain take(Chain *common, PassSettings settings) {
    Chain p = *common;
    *common = (Chain){0};
    p.settings = settings;
    return p;
}

Verdict *prepare(Chain *p, const Program *original, Chain *common, PassSettings settings, const char *engine) {
    bool useful = common && common->program && !settings.count && !settings.rounds;
    *p = useful ? take(common, settings) : chain_new(original, settings);
    if (passes_run(p, &passes_building, NULL)) return NULL;
    Verdict *v = verdict_unknown(chain_position(original, p->where), "%s: %s", engine, buf_string(&p->why));
    v->cause = REASON_REFUSED;
    return v;
}

static uint64_t count_blocks(const Chain *p) {
    uint64_t n = 0;
    for (size_t t = 0; t < vec_len(p->system->threads); t++)
        for (size_t l = 0; l < vec_len(p->blocks->out[t]); l++)
            n += p->blocks->out[t][l] && vec_len(p->system->threads[t].locations[l].out);
    return n;
}

void prepare_blocks(Chain *p, Stats *stats) {
    passes_run(p, &passes_reducing, NULL);
    if (stats) stats->blocks = count_blocks(p);
}

#define COPY_VEC(to, from, type)                                                   \
    do {                                                                           \
        type *copy_ = NULL;                                                        \
        for (size_t i_ = 0; i_ < vec_len(from); i_++) vec_push(copy_, (from)[i_]); \
        vec_push(to, copy_);                                                       \
    } while (0)

Proof *chain_proof(Chain *p, ProofRule rule) {
    ensure(p->facts & FACT_WHOLE && p->facts & FACT_BLOCKS);
    Proof *proof = proof_new(rule, p->program, p->system);
    settings_print(&proof->settings, &p->settings);
    for (size_t t = 0; t < vec_len(p->system->threads); t++) {
        COPY_VEC(proof->out, p->blocks->out[t], bool);
        COPY_VEC(proof->stop, p->blocks->stop[t], bool);
        COPY_VEC(proof->movers, p->movers->kind[t], uint8_t);
        COPY_VEC(proof->facts, p->movers->facts[t], const Expr *);
    }
    p->owned_by_proof = true;
    return proof;
}
