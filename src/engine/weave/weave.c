/* SPDX-License-Identifier: Apache-2.0 */
/* The engine `weave`: a reduction of the program and its proof, searched for together (Farzan and Vandikas, POPL 2020). The proof is a set of
   assertions. In each round it is checked whether the assertions prove a reduction of the program, that is, some of its interleavings that stand for
   all (check.c); if not, there is an interleaving that they do not exclude. It is possible: an error. Or it is not, and assertions are added that
   exclude it or make it one that others stand for (refine.c). See doc/rules.md, "How weave searches". */
#include "base/clock.h"
#include "base/vec.h"
#include "engine/arithmetic.h"
#include "engine/weave/certificate.h"
#include "engine/weave/refine.h"
#include "transform/prepare.h"
#include "transform/schedule.h"
#include "transform/strides.h"
#include <stdio.h>
#include <string.h>

typedef struct Work {
    const EngineTask *task;
    double deadline;
    Prepared prepared;
    Letters *letters;
    Vectors *vectors;
    Hoare *hoare;
    Space *space;
    Interpolator *interpolator;
} Work;

static void progress(const Work *w, const char *line) {
    if (w->task->progress) w->task->progress(w->task->context, line);
}

/* ---- verdicts ---- */

static Verdict *safe(Work *w, const Check *c) {
    Verdict *v = verdict_new(VERDICT_SAFE);
    v->proof = PROOF_INVARIANT;
    v->invariant = prepared_proof(&w->prepared, RULE_REDUCED);
    certificate_add(v->invariant, w->space, c);
    w->task->stats->nodes = vec_len(v->invariant->nodes);
    return v;
}

static Verdict *unsafe(Work *w, const TracePoint *trace) {
    ScheduleStep *steps = NULL;
    const Letter *last = NULL;
    for (size_t i = 0; i < vec_len(trace); i++) {
        last = &w->letters->list[space_place(w->space, trace[i].vector)->steps[trace[i].step].letter];
        for (size_t k = 0; k < vec_len(last->transitions); k++) vec_push(steps, ((ScheduleStep){last->thread, last->transitions[k]}));
    }
    const SystemLocation *end = &w->prepared.system->threads[last->thread].locations[last->step.target];
    Trace *t = end->kind == LOCATION_STOP ? NULL
               : schedule_trace(w->task->program, w->prepared.program, w->prepared.translation, w->prepared.system, w->prepared.smt, steps, vec_len(steps));
    Verdict *v;
    if (t) {
        v = verdict_new(VERDICT_UNSAFE);
        v->trace = t;
    } else if (end->kind == LOCATION_STOP) {
        v = prepared_stopped(w->task->program, end, "weave");
    } else {
        v = verdict_unknown((Position){0}, "weave: a counterexample of the abstraction is none of the program");
    }
    vec_free(steps);
    return v;
}

/* ---- rounds ---- */

static Verdict *out_of_time(const Work *w) {
    return verdict_unknown((Position){0}, "weave: no proof within the time (%zu assertions after %llu rounds)", hoare_assertions(w->hoare),
                           (unsigned long long)w->task->stats->rounds);
}

/* One check, and what follows from its failure; NULL: another round. */
static Verdict *round_(Work *w, const Order *order, bool all) {
    Stats *stats = w->task->stats;
    char line[80];
    snprintf(line, sizeof line, "weave: round %llu, %zu assertions", (unsigned long long)++stats->rounds, hoare_assertions(w->hoare));
    progress(w, line);
    Check c = check_proof(w->space, order, all, w->deadline);
    Verdict *v = NULL;
    stats->nodes = vec_len(c.nodes);
    if (c.answer == CHECK_PROVED) v = safe(w, &c);
    else if (c.answer == CHECK_GAVE_UP) v = out_of_time(w);
    else
        switch (refine_proof(w->space, w->interpolator, w->prepared.smt, order, c.trace)) {
        case LESSON_LEARNED: break;
        case LESSON_POSSIBLE: v = unsafe(w, c.trace); break;
        case LESSON_NOTHING: v = verdict_unknown((Position){0}, "weave: interpolation finds no assertions that help"); break;
        case LESSON_FULL: v = verdict_unknown((Position){0}, "weave: the proof would need more than %d assertions", MAX_ASSERTIONS); break;
        case LESSON_UNKNOWN: v = verdict_unknown((Position){0}, "weave: the solver cannot tell whether a path is possible"); break;
        }
    check_free(&c);
    return v;
}

static Verdict *search(Work *w) {
    const char *name = w->task->order && strcmp(w->task->order, "auto") ? w->task->order : "all:lockstep";
    bool all = !strncmp(name, "all:", 4);
    Order *order = order_new(all ? name + 4 : name, (unsigned)vec_len(w->prepared.system->threads));
    if (!order) return verdict_unknown((Position){0}, "weave: there is no order '%s'", name);
    Verdict *v = NULL;
    while (!v) v = clock_seconds() > w->deadline ? out_of_time(w) : round_(w, order, all);
    order_free(order);
    return v;
}

/* ---- the engine ---- */

static Commutation commutation(Commutations c) {
    return (Commutation){.none = c == COMMUTE_NONE, .semi = c != COMMUTE_IN_CONTEXT, .contextual = c != COMMUTE_SEMI};
}

static Verdict *refused(const System *s) {
    if (vec_len(s->threads) > MAX_THREADS) return verdict_unknown((Position){0}, "weave: more than %d threads", MAX_THREADS);
    for (size_t t = 0; t < vec_len(s->threads); t++)
        if (s->threads[t].many) return verdict_unknown((Position){0}, "weave: the number of threads of %s is not known", s->threads[t].name);
    return NULL;
}

static void add_hints(Work *w) {
    const Expr **hints = strides(w->prepared.system);
    for (size_t i = 0; i < vec_len(hints); i++) {
        hoare_assert(w->hoare, hints[i]);
        interpolator_prefer(w->interpolator, hints[i]);
    }
    vec_free(hints);
}

/* *weaker: what was found holds of a system with more executions. */
static Verdict *attempt_by(const EngineTask *task, double deadline, Arithmetic arithmetic, bool *weaker) {
    Work w = {.task = task, .deadline = deadline};
    Verdict *v = prepare(&w.prepared, task->program, arithmetic, "weave");
    *weaker = w.prepared.weaker;
    if (!v) v = refused(w.prepared.system);
    if (!v) {
        progress(&w, "weave: movers and blocks");
        prepare_blocks(&w.prepared, !task->no_reduction, task->stats);
        const System *s = w.prepared.system;
        w.letters = letters_new(s, w.prepared.blocks);
        w.vectors = vectors_new(s, w.prepared.blocks, w.letters);
        w.hoare = hoare_new(s, w.prepared.smt, task->stats);
        w.space = space_new(s, w.letters, w.vectors, w.hoare, commutation(task->commutation));
        w.interpolator = interpolator_new(s, w.prepared.smt);
        add_hints(&w);
        v = search(&w);
        interpolator_free(w.interpolator);
        space_free(w.space);
        hoare_free(w.hoare);
        vectors_free(w.vectors);
        letters_free(w.letters);
    }
    prepared_release(&w.prepared);
    return v;
}

/* With weaker guards first: an error that is none of the program calls for the others. */
static Verdict *attempt(const EngineTask *task, double deadline, bool integers) {
    bool weaker;
    Verdict *v = attempt_by(task, deadline, integers ? WEAK : BITVECTORS, &weaker);
    if (!weaker || v->kind != VERDICT_UNKNOWN || clock_seconds() > deadline - task->budget.seconds / 2) return v;
    verdict_free(v);
    return attempt_by(task, deadline, CONGRUENT, &weaker);
}

static Verdict *run(const EngineTask *task) { return attempt_arithmetics(task, attempt); }

static bool supports(Property p) { return p == PROPERTY_UNREACH_CALL; }

const Engine engine_weave = {"weave", "a reduction and its proof, found together; proves programs with unbounded data", supports, run};
