/* SPDX-License-Identifier: Apache-2.0 */
/* The engine `impact` proves programs by lazy abstraction with interpolants and partial order reduction (Wachter, Kroening and Ouaknine, "Verifying
   Multi-Threaded Software with Impact", FMCAD 2013). It expands an abstract reachability tree over control states. Interpolants of
   impossible paths to an error become labels of nodes. A node whose label implies the label of another node is covered by that node, and
   need not be expanded.

   We deviate from the paper in four points. Control states have the values of variables with few constants, so labels mention the other variables
   only. The steps of the tree are block steps. Sleep sets replace monotonic paths, which remain as an option. The complete tree is a proof, which is
   checked independently of the engine. */
#include "base/clock.h"
#include "engine/impact/art.h"
#include "engine/messages.h"

enum { MAX_ROUNDS = 6 };

static Verdict *no_verdict(const Art *a) {
    if (a->stopped != NONE) {
        const BlockStep *l = &a->block_steps->list[a->stopped];
        return chain_stopped(a->task->program, &a->system->threads[l->thread].locations[l->step.target], "impact");
    }
    return verdict_unknown((Position){0}, MSG_ENGINE_IMPACT_GAVE_UP, a->not_known ? MSG_ENGINE_PATH_UNDECIDED : MSG_ENGINE_CERTIFY_TIME);
}

static Verdict *search(const EngineTask *task, Chain *p, double deadline, bool whole) {
    Art *a = art_new(task, p, deadline);
    Verdict *v = NULL;
    switch (explore(a)) {
    case EXPLORED_SAFE: v = whole ? symbolic_safe(certify(a, p)) : NULL; break;
    case EXPLORED_ERROR: v = symbolic_end(task, p, a->schedule, vec_len(a->schedule), "impact"); break;
    case EXPLORED_UNKNOWN: v = no_verdict(a); break;
    }
    art_free(a);
    return v;
}

static PassSettings settings_of(const EngineTask *task, Arithmetic arithmetic, unsigned rounds) {
    return (PassSettings){
        .question = task->question, .arithmetic = arithmetic, .no_reduction = task->options.reduction != REDUCTION_YES, .rounds = rounds};
}

/* Searches for an error with at most `rounds` rounds of the loops that create threads. Returns NULL if there is no error within this bound. */
static Verdict *search_rounds(const EngineTask *task, double deadline, Arithmetic arithmetic, unsigned rounds) {
    Chain p;
    Verdict *v = symbolic_prepare(task, &p, settings_of(task, arithmetic, rounds), "impact");
    if (!v && system_has_many(p.system)) v = verdict_unknown((Position){0}, MSG_ENGINE_IMPACT_THREADS);
    if (!v) {
        prepare_blocks(&p, task->stats);
        v = search(task, &p, deadline, false);
    }
    chain_free(&p);
    return v;
}

/* Searches for an error with few threads, because the number of threads has no known bound and there can be no proof. */
static Verdict *search_few_threads(const EngineTask *task, double deadline, Arithmetic arithmetic) {
    unsigned clean = 0;
    Verdict *all = verdict_unknown((Position){0}, MSG_ENGINE_IMPACT_UNBOUNDED);
    for (unsigned rounds = 1; rounds <= MAX_ROUNDS && clock_seconds() < deadline; rounds++) {
        Verdict *v = search_rounds(task, deadline, arithmetic, rounds);
        if (v && v->kind == VERDICT_UNSAFE) {
            verdict_free(all);
            return v;
        }
        if (!v && clean + 1 == rounds) clean = rounds;
        if (v && rounds == 1) verdict_note(all, "%s", v->reason);
        verdict_free(v);
    }
    if (clean) verdict_note(all, MSG_ENGINE_IMPACT_ROUNDS, clean, clean == 1 ? "" : "s");
    return all;
}

static Verdict *attempt(const EngineTask *task, double deadline, Arithmetic arithmetic) {
    Chain p;
    Verdict *v = symbolic_prepare(task, &p, settings_of(task, arithmetic, 0), "impact");
    bool many = !v && system_has_many(p.system);
    if (!v && !many) {
        symbolic_progress(task, "impact: movers and blocks");
        prepare_blocks(&p, task->stats);
        v = search(task, &p, deadline, true);
    }
    chain_free(&p);
    return many ? search_few_threads(task, deadline, arithmetic) : v;
}

static Verdict *run(const EngineTask *task) { return attempt_arithmetics(task, attempt); }

static PassSettings settings(const EngineTask *task) { return settings_of(task, first_arithmetic(task), 0); }

const Engine engine_impact = {
    .name = "impact",
    .summary = "unfolds the program lazily, with interpolants and partial order reduction",
    .supports = property_is_reachability,
    .errors = ERRORS_ALL,
    .systems = true,
    .run = run,
    .settings = settings,
};
