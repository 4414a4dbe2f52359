/* SPDX-License-Identifier: Apache-2.0 */
/* The engine `threader` finds rely-guarantee proofs by predicate abstraction and refinement (aret.h; Gupta, Popeea and Rybalchenko, "Predicate
   Abstraction and Refinement for Verifying Multi-Threaded Programs", POPL 2011, Sections 4 to 7).

   A round computes the fixpoint for the present predicates. If an error is reached, the engine searches for an order of its steps that
   the system can execute (linearise.c). If it finds none, new predicates exclude the counterexample (pool.c, clauses.c), with modular
   predicates first.

   We deviate: steps are block steps, an error is a location of one thread, and variables that a step does not write are known to be
   unchanged. */
#include "base/clock.h"
#include "engine/messages.h"
#include "engine/symbolic.h"
#include "engine/threader/tree.h"
#include <stdio.h>
#include <string.h>

enum { MOST_VAIN = 3 };

typedef struct Work {
    const EngineTask *task;
    double deadline;
    Chain *prepared;
    Abstraction *abstraction;
    bool many;                   /* some threads are marked many, so formulas must be modular */
    unsigned vain[VOCABULARIES]; /* by vocabulary: how often the clauses were not solved */
    bool refuted[VOCABULARIES];  /* by vocabulary: there is no proof in it */
} Work;

static void progress(const Work *w) {
    char line[80];
    snprintf(line, sizeof line, "threader: round %llu, %zu predicates", (unsigned long long)w->task->stats->rounds,
             post_predicate_count(w->abstraction->post));
    symbolic_progress(w->task, line);
}

/* ---- verdicts ---- */

/* Returns SAFE. Making the proof smaller may take half a second, and a twentieth of the time of the search. */
static Verdict *safe(Work *w, Aret *r) {
    double now = clock_seconds(), until = now + 0.5 + (now - w->abstraction->started) / 20;
    if (until > w->deadline) until = w->deadline;
    aret_keep_needed(r, until);
    Proof *proof = chain_proof(w->prepared, RULE_RELY);
    aret_certify(r, proof, until);
    return symbolic_safe(proof);
}

/* ---- rounds ---- */

static Verdict *out_of_time(const Work *w) {
    return verdict_unknown((Position){0}, MSG_ENGINE_THREADER_TIME, post_predicate_count(w->abstraction->post),
                           (unsigned long long)w->task->stats->rounds);
}

/* Tries the sources of predicates, first without the initial condition, and then with it. */
static bool by_pool(Tree *t) {
    if (tree_by_pool(t, POOL_KNOWN, true) || tree_by_pool(t, POOL_GUARDS, true) || tree_by_pool(t, POOL_KNOWN, false)) return true;
    return tree_by_pool(t, POOL_COUNTERS, false) || tree_by_pool(t, POOL_GUARDS, false);
}

/* Adds predicates in a vocabulary that exclude the counterexample. REFINE_ERROR: no such predicates exist. Then there is no proof in this
   vocabulary, since its predicates would exclude the counterexample, and the solver is not used for this vocabulary again. */
static RefineResult refine_with(Work *w, Aret *r, Vocabulary v) {
    Tree t;
    RefineResult lesson = REFINE_LEARNED;
    tree_open(&t, r, v);
    bool learned = !w->refuted[v] && by_pool(&t);
    if (!learned) lesson = w->vain[v] < MOST_VAIN ? tree_by_clauses(&t, w->deadline) : REFINE_NOTHING;
    if (lesson == REFINE_ERROR) {
        w->vain[v] = MOST_VAIN;
        w->refuted[v] = v != VOCABULARY_ALL && !w->many;
    }
    bool late = lesson == REFINE_NOTHING && !w->refuted[v] && (tree_by_pool(&t, POOL_BEFORE, true) || tree_by_pool(&t, POOL_BEFORE, false));
    if (late) lesson = REFINE_LEARNED;
    if (lesson == REFINE_NOTHING && v != VOCABULARY_ALL) w->vain[v]++;
    tree_close(&t);
    return lesson;
}

static Verdict *exclude(Work *w, Aret *r) {
    bool biased = w->task->options.threader_bias == BIAS_MODULAR || w->many;
    RefineResult last = REFINE_NOTHING;
    for (Vocabulary v = biased ? VOCABULARY_MODULAR : VOCABULARY_ALL; v < VOCABULARIES; v++) {
        last = refine_with(w, r, v);
        if (last == REFINE_LEARNED) return NULL;
        if (clock_seconds() > w->deadline) return out_of_time(w);
        if (w->many) break;
    }
    if (last != REFINE_ERROR) return verdict_unknown((Position){0}, MSG_ENGINE_THREADER_PREDICATES);
    return verdict_unknown((Position){0}, w->many ? MSG_ENGINE_THREADER_NOT_MODULAR : MSG_ENGINE_THREADER_NEITHER);
}

/* Runs a round. Returns NULL if it added predicates, so that another round must follow. */
static Verdict *one_round(Work *w) {
    Aret r;
    Verdict *v = NULL;
    w->task->stats->rounds++;
    progress(w);
    AretAnswer answer = aret_build(&r, w->abstraction, w->deadline);
    w->task->stats->tree_nodes = vec_len(r.nodes);
    if (answer == ARET_PROVED) v = safe(w, &r);
    else if (answer == ARET_TIME) v = out_of_time(w);
    else {
        ScheduleStep *steps = linearise(&r);
        v = steps ? symbolic_end(w->task, w->prepared, steps, vec_len(steps), "threader") : exclude(w, &r);
        vec_free(steps);
    }
    aret_free(&r);
    return v;
}

/* ---- the engine ---- */

static PassSettings settings_of(const EngineTask *task, Arithmetic arithmetic) {
    bool none = task->options.reduction != REDUCTION_YES;
    return (PassSettings){.question = task->question,
                          .arithmetic = arithmetic,
                          .fine = task->fine_steps || none,
                          .no_reduction = none,
                          .loops = !none,
                          .final_values = true};
}

static Verdict *search(const EngineTask *task, Chain *prepared, double deadline) {
    Work w = {.task = task, .deadline = deadline, .prepared = prepared, .many = system_has_many(prepared->system)};
    Verdict *v = NULL;
    w.abstraction = abstraction_new(prepared, task->stats, task->options.threader_start == START_FRAMES);
    while (!v) v = one_round(&w);
    abstraction_free(w.abstraction);
    return v;
}

Proof *threader_proof(const EngineTask *task, Chain *prepared, double deadline) { return search(task, prepared, deadline)->invariant; }

static Verdict *attempt(const EngineTask *task, double deadline, Arithmetic arithmetic) {
    Chain prepared;
    Verdict *v = symbolic_prepare(task, &prepared, settings_of(task, arithmetic), "threader");
    if (!v) {
        prepare_blocks(&prepared, task->stats);
        v = search(task, &prepared, deadline);
    }
    chain_free(&prepared);
    return v;
}

static Verdict *run(const EngineTask *task) { return attempt_arithmetics(task, attempt); }

static PassSettings settings(const EngineTask *task) { return settings_of(task, first_arithmetic(task)); }

const Engine engine_threader = {
    .name = "threader",
    .summary = "finds rely-guarantee proofs: what each thread guarantees to the other threads",
    .supports = property_is_reachability,
    .errors = ERRORS_ALL,
    .systems = true,
    .run = run,
    .settings = settings,
};
