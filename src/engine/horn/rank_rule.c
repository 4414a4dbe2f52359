/* SPDX-License-Identifier: Apache-2.0 */
/* Implements the rule `ranking` (doc/rules.md): every execution ends. A proof is the product of the rule product, in which no STOP is
   reachable, with a ranking of its nodes. */
#include "base/clock.h"
#include "engine/horn/product.h"
#include "engine/horn/rank.h"
#include "engine/horn/rule.h"
#include "engine/messages.h"

enum { MAX_NODES = 6000 };

static ProofRound copied(const ProofRound *round) {
    return (ProofRound){.relation = round->relation, .measures = vec_copy(round->measures)};
}

static Verdict *proved(const RuleTask *t, const Product *p, const Ranker *r, const Expr *const *invariants) {
    Proof *proof = product_proof(t->prepared, p, invariants, RULE_RANKING);
    size_t k = 0;
    for (size_t n = 0; n < vec_len(p->nodes); n++) {
        if (expr_is_false(invariants[n])) continue;
        vec_append(proof->nodes[k].rank, r->tuples[n]);
        vec_append(proof->nodes[k].helpers, r->helpers[n]);
        for (size_t i = 0; i < vec_len(r->rounds[n]) && vec_len(r->saved); i++) vec_push(proof->nodes[k].rounds, copied(&r->rounds[n][i]));
        k++;
    }
    vec_append(proof->after, r->saved);
    return symbolic_safe(proof);
}

/* Returns a place in the source on the cycle without a ranking. */
static Position place_of(const RuleTask *t, const Product *p, const Ranker *r, unsigned stuck) {
    const System *s = p->system;
    for (size_t i = 0; i < vec_len(r->edges); i++) {
        if (r->edges[i].done || r->component[r->edges[i].source] != r->component[stuck]) continue;
        const ProductNode *from = &p->nodes[r->edges[i].source], *to = &p->nodes[r->edges[i].target];
        for (unsigned k = 0; k < vec_len(s->threads); k++) {
            const SystemLocation *l = &s->threads[k].locations[from->locations[k]];
            bool moves = from->locations[k] != to->locations[k] || l->loop_head;
            if (moves && l->position.file) return chain_position(t->engine->program, l->position);
        }
    }
    return (Position){0};
}

static Verdict *refused(const RuleTask *t, const Product *p, Ranker *r, unsigned stuck) {
    Buf from = {0};
    Position at = place_of(t, p, r, stuck);
    Verdict *v = verdict_unknown(at, MSG_ENGINE_RANK_NONE);
    v->cause = REASON_REFUSED; /* takes precedence over the reason that there are too many values to try */
    if (rank_candidate(r, stuck, &from)) verdict_note(v, MSG_ENGINE_RANK_CANDIDATE, from.length ? ", from " : "", buf_string(&from));
    buf_free(&from);
    return v;
}

static Verdict *rank(const RuleTask *t, const Product *p) {
    unsigned stuck = 0;
    Verdict *v;
    rule_progress(t, "redcomp: rankings of loops");
    bool fair = t->engine->question->fair == FAIR_WEAK;
    const Expr **invariants = product_invariants(t->prepared->system, p);
    if (!invariants) return rule_undecodable();
    Ranker r = {.product = p,
                .smt = t->prepared->smt,
                .deadline = t->deadline,
                .fair = fair,
                .invariants = invariants,
                .rounds_first = t->engine->options.rule == HORN_ROUNDS};
    if (rank_product(&r, &stuck)) v = proved(t, p, &r, invariants);
    else v = refused(t, p, &r, stuck);
    rank_free(&r);
    vec_free(invariants);
    return v;
}

/* Proves that no STOP is reachable, and ranks the product. */
static Verdict *solve(const RuleTask *t, Product *p) {
    ClausesPlan plan = rule_plan(t);
    plan.deadline = clock_seconds() + (t->deadline - clock_seconds()) / 2;
    plan.use_houdini = true;
    if (clauses_simplify(&p->horn, &plan)) {
        if (p->horn.zones) zones_strengthen(p->horn.zones, p->horn.horn);
        return rank(t, p);
    }
    switch (clauses_solve(&p->horn, &plan)) {
    case HORN_SOLVED: return rank(t, p);
    case HORN_REFUTED: return verdict_unknown((Position){0}, MSG_ENGINE_RANK_STOP);
    default: return verdict_unknown((Position){0}, MSG_ENGINE_HORN_UNSOLVED, p->horn.reason);
    }
}

static Verdict *run(const RuleTask *t) {
    const Chain *w = t->prepared;
    rule_progress(t, "redcomp: product of the threads' blocks");
    Product *p = product_new(w->system, w->blocks, w->smt, MAX_NODES, t->deadline);
    t->engine->stats->nodes = t->engine->stats->predicates = vec_len(p->nodes);
    t->engine->stats->clauses = horn_clauses(p->horn.horn);
    Verdict *v = p->too_large ? verdict_unknown((Position){0}, MSG_ENGINE_PRODUCT_LARGE, MAX_NODES) : solve(t, p);
    product_free(p);
    return v;
}

static void dump(const RuleTask *t, Buf *out) {
    Product *p = product_new(t->prepared->system, t->prepared->blocks, t->prepared->smt, MAX_NODES, clock_seconds() + 60);
    horn_print(out, p->horn.horn);
    product_free(p);
}

const Rule rule_ranking = {"ranking", rule_fixed_number, BLOCKS_ANY, run, dump};
