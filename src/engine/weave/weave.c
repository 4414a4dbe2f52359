/* SPDX-License-Identifier: Apache-2.0 */
/* The engine `weave` searches for a reduction of the program together with its proof (Farzan and Vandikas, "Reductions for Safety Proofs", POPL
   2020). The proof is a set of assertions. Each round begins with a check (cover.c): do the assertions prove a reduction, that is, a set of
   interleavings that represents all. If they do not, it returns a path to an error that they do not exclude. A possible path is an error of the
   program. For an impossible path, assertions are added that exclude it, or by which the reduction need not contain it (refine.c). doc/rules.md,
   "How weave searches", has the details. */
#include "base/clock.h"
#include "engine/symbolic.h"
#include "engine/weave/cover.h"
#include "engine/weave/refine.h"
#include "engine/weave/order.h"
#include "analysis/congruence_invariants.h"
#include "engine/messages.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct Work {
    const EngineTask *task;
    double deadline;
    Chain prepared;
    BlockSteps *block_steps;
    ControlStates *control_states;
    AbstractPost *post;
    Space *space;
} Work;

/* ---- verdicts ---- */

static Verdict *safe(Work *w, const Check *c) {
    Proof *proof = chain_proof(&w->prepared, RULE_REDUCED);
    certificate_add(proof, w->space, c);
    w->task->stats->nodes = vec_len(proof->nodes);
    return symbolic_safe(proof);
}

static Verdict *unsafe(Work *w, const TracePoint *trace) {
    ScheduleStep *steps = NULL;
    for (size_t i = 0; i < vec_len(trace); i++) {
        const BlockStep *l = &w->block_steps->list[space_place(w->space, trace[i].control_state)->steps[trace[i].step].block_step];
        for (size_t k = 0; k < vec_len(l->transitions); k++) vec_push(steps, ((ScheduleStep){l->thread, l->transitions[k]}));
    }
    Verdict *v = symbolic_end(w->task, &w->prepared, steps, vec_len(steps), "weave");
    vec_free(steps);
    return v;
}

/* ---- strategies ---- */

/* A search for a reduction, with its own order, assertions and interpolator. */
typedef struct Strategy {
    bool all; /* nodes may choose any order, `order` first; otherwise only `order` is used */
    Order *order;
    StrategyAssertions part;
    Interpolator *interpolator; /* NULL: the strategy has not had a turn yet */
    double spent;               /* seconds of processor time that it has used */
    double weight;              /* its share of the processor time, relative to the other strategies */
    double turn;                /* seconds of processor time in its next turn */
    Verdict *end;               /* the reason why it has ended; NULL: it has not */
} Strategy;

/* `auto` runs several strategies in turns, since it is not predictable which of them finds a proof soon. The first strategy runs alone for a short
   time, and then gets half of the time. */
static const double head_start = 1.0, first_turn = 0.5;
enum { FEWEST_TO_LEAD = 4, MOST_LEADERS = 4 };

/* Adds formulas that often help as assertions of the strategy. Frees the vec. */
static void add_hints(const Work *w, Strategy *s, const Expr **hints) {
    for (size_t i = 0; i < vec_len(hints); i++) {
        unsigned n = post_add_predicate(w->post, hints[i]);
        if (n != NONE) strategy_assertions_add(&s->part, n);
        interpolator_prefer(s->interpolator, hints[i]);
    }
    vec_free(hints);
}

/* Prepares the strategy for its first turn. */
static void wake(const Work *w, Strategy *s) {
    s->interpolator = interpolator_new(w->prepared.system, w->prepared.smt);
    add_hints(w, s, congruence_invariants(w->prepared.system));
    add_hints(w, s, ranges_set_once(w->prepared.system));
    add_hints(w, s, place_invariants(w->prepared.system));
}

static bool add_strategy(const Work *w, const char *name, Strategy **list) {
    bool all = !strncmp(name, "all:", 4);
    Strategy s = {.all = all, .weight = 1, .turn = first_turn};
    s.order = order_new(all ? name + 4 : name, (unsigned)vec_len(w->prepared.system->threads));
    strategy_assertions_begin(&s.part);
    vec_push(*list, s);
    return s.order != NULL;
}

static void strategy_end(Strategy *s) {
    order_free(s->order);
    interpolator_free(s->interpolator);
    strategy_assertions_end(&s->part);
    verdict_free(s->end);
}

/* Adds strategies with one thread in lockstep with a sequence of the rest. This serves programs in which one thread does all of the work that
   the rest does in parts. */
static void add_leaders(const Work *w, Strategy **list) {
    unsigned n = (unsigned)vec_len(w->prepared.system->threads);
    for (unsigned leader = 1; n >= FEWEST_TO_LEAD && leader < n && leader <= MOST_LEADERS; leader++) {
        Buf tree = {0};
        buf_printf(&tree, "all:L(%u,S(0", leader);
        for (unsigned t = 1; t < n; t++)
            if (t != leader) buf_printf(&tree, ",%u", t);
        buf_text(&tree, "))");
        add_strategy(w, buf_string(&tree), list);
        buf_free(&tree);
    }
}

static Strategy *strategies(const Work *w) {
    Strategy *list = NULL;
    Buf tree = {0};
    buf_text(&tree, "all:");
    related_order(&tree, w->prepared.system);
    add_strategy(w, buf_string(&tree), &list);
    add_strategy(w, buf_string(&tree) + strlen("all:"), &list);
    buf_free(&tree);
    add_leaders(w, &list);
    list[0].weight = (double)(vec_len(list) - 1);
    list[0].spent = -head_start;
    return list;
}

/* Returns the strategy that has used the least of its share; NULL: all have ended. */
static Strategy *next_strategy(Strategy *list) {
    Strategy *best = NULL;
    for (size_t i = 0; i < vec_len(list); i++)
        if (!list[i].end && (!best || list[i].spent / list[i].weight < best->spent / best->weight)) best = &list[i];
    return best;
}

/* ---- rounds ---- */

static Verdict *out_of_time(const Work *w) {
    return verdict_unknown((Position){0}, MSG_ENGINE_WEAVE_TIME, post_predicate_count(w->post), (unsigned long long)w->task->stats->rounds);
}

/* Refines the proof by a path that it does not exclude. Returns a verdict if the path is possible in the system; NULL: the strategies continue,
   except this one if refinement failed. */
static Verdict *learn(Work *w, Strategy *s, const TracePoint *trace) {
    switch (refine_proof(w->space, s->interpolator, w->prepared.smt, s->order, trace)) {
    case REFINE_LEARNED: break;
    case REFINE_POSSIBLE: return unsafe(w, trace);
    case REFINE_NOTHING: s->end = verdict_unknown((Position){0}, MSG_ENGINE_WEAVE_INTERPOLATION); break;
    case REFINE_FULL: s->end = verdict_unknown((Position){0}, MSG_ENGINE_WEAVE_ASSERTIONS, MAX_PREDICATES); break;
    case REFINE_UNKNOWN: s->end = verdict_unknown((Position){0}, MSG_ENGINE_WEAVE_UNDECIDED); break;
    }
    return NULL;
}

/* Runs a check for the time of a turn, or, if the strategy is alone, without this limit. An interrupted check is repeated in the next turn, which is
   twice as long. Knowledge about steps is kept, so the repetition is fast. A check of all orders may need long to show that each order leads to
   an error. If it is interrupted, its own order is checked alone, which may give a proof or a path to refine. */
static Check check_in_turn(Work *w, Strategy *s, bool alone) {
    Check c = check_proof(w->space, s->order, s->all, (CheckLimits){w->deadline, alone ? HUGE_VAL : clock_processor() + s->turn});
    if (c.answer != CHECK_INTERRUPTED) return c;
    if (s->all && clock_seconds() < w->deadline) {
        check_free(&c);
        c = check_proof(w->space, s->order, false, (CheckLimits){w->deadline, clock_processor() + s->turn});
    }
    s->turn *= 2;
    return c;
}

/* Runs one check, and refines the proof if the check fails. Returns NULL if the strategies continue. */
static Verdict *one_round(Work *w, Strategy *s, bool alone) {
    Stats *stats = w->task->stats;
    char line[80];
    snprintf(line, sizeof line, "weave: round %llu, %zu assertions", (unsigned long long)stats->rounds + 1, post_predicate_count(w->post));
    symbolic_progress(w->task, line);
    if (!s->interpolator) wake(w, s);
    w->space->part = &s->part;
    Check c = check_in_turn(w, s, alone);
    Verdict *v = NULL;
    stats->nodes = vec_len(c.nodes);
    stats->rounds += c.answer != CHECK_INTERRUPTED;
    switch (c.answer) {
    case CHECK_PROVED: v = safe(w, &c); break;
    case CHECK_FAILED: v = learn(w, s, c.trace); break;
    case CHECK_INTERRUPTED: break;
    case CHECK_GAVE_UP: s->end = verdict_unknown((Position){0}, MSG_ENGINE_WEAVE_NODES); break;
    }
    check_free(&c);
    return v;
}

/* Runs the strategies in turns until one has a verdict or all have ended. The reason of the first one is then the verdict. */
static Verdict *take_turns(Work *w, Strategy *list) {
    for (Strategy *s; (s = next_strategy(list));) {
        if (clock_seconds() > w->deadline) return out_of_time(w);
        double start = clock_processor();
        Verdict *v = one_round(w, s, vec_len(list) == 1);
        s->spent += clock_processor() - start;
        if (v) return v;
    }
    Verdict *v = list[0].end;
    list[0].end = NULL;
    return v;
}

static Verdict *search(Work *w) {
    const char *order = w->task->options.weave_order, *named = order && strcmp(order, "auto") ? order : NULL;
    Strategy *list = NULL;
    Verdict *v = NULL;
    if (!named) list = strategies(w);
    else if (!add_strategy(w, named, &list)) v = verdict_unknown((Position){0}, MSG_ENGINE_WEAVE_ORDER, named);
    if (!v) v = take_turns(w, list);
    for (size_t i = 0; i < vec_len(list); i++) strategy_end(&list[i]);
    vec_free(list);
    return v;
}

/* ---- the engine ---- */

static Commutation commutation(ReductionKind r) {
    return (Commutation){.none = r == REDUCTION_NO, .semi = r != REDUCTION_CONTEXT, .contextual = r != REDUCTION_SEMI};
}

static Verdict *refused(const System *s) {
    if (vec_len(s->threads) > MAX_THREADS) return verdict_unknown((Position){0}, MSG_ENGINE_WEAVE_THREADS, MAX_THREADS);
    for (size_t t = 0; t < vec_len(s->threads); t++)
        if (s->threads[t].many)
            return verdict_unknown((Position){0}, MSG_ENGINE_WEAVE_UNBOUNDED, (int)strcspn(s->threads[t].name, "#"), s->threads[t].name);
    return NULL;
}

/* Returns settings with the arithmetic, with WEAK in place of INTEGERS. */
static PassSettings settings_of(const EngineTask *task, Arithmetic arithmetic) {
    return (PassSettings){.question = task->question,
                          .arithmetic = arithmetic == INTEGERS ? WEAK : arithmetic,
                          .no_reduction = task->options.reduction != REDUCTION_YES};
}

/* Attempts a proof with the arithmetic. *weaker is true if the system has more executions than the program, because guards were weakened. */
static Verdict *attempt_by(const EngineTask *task, double deadline, Arithmetic arithmetic, bool *weaker) {
    Work w = {.task = task, .deadline = deadline};
    Verdict *v = symbolic_prepare(task, &w.prepared, settings_of(task, arithmetic), "weave");
    *weaker = w.prepared.has_spurious_errors;
    if (!v) v = refused(w.prepared.system);
    if (!v) {
        symbolic_progress(task, "weave: movers and blocks");
        prepare_blocks(&w.prepared, task->stats);
        const System *s = w.prepared.system;
        w.block_steps = block_steps_new(s, w.prepared.blocks);
        w.control_states = control_states_new(s, w.prepared.blocks, w.block_steps);
        w.post = post_new(s, w.prepared.smt, task->stats);
        w.space = space_new(s, w.block_steps, w.control_states, w.post, commutation(task->options.reduction), task->stats);
        v = search(&w);
        space_free(w.space);
        post_free(w.post);
        control_states_free(w.control_states);
        block_steps_free(w.block_steps);
    }
    chain_free(&w.prepared);
    return v;
}

/* Attempts a proof with weaker guards first. If that fails, perhaps by a spurious counterexample, attempts one with exact guards. */
static Verdict *attempt(const EngineTask *task, double deadline, Arithmetic arithmetic) {
    bool weaker;
    Verdict *v = attempt_by(task, deadline, arithmetic, &weaker);
    if (!weaker || v->kind != VERDICT_UNKNOWN || clock_seconds() > deadline - task->budget.seconds / 2) return v;
    verdict_free(v);
    return attempt_by(task, deadline, CONGRUENT, &weaker);
}

static Verdict *run(const EngineTask *task) { return attempt_arithmetics(task, attempt); }

static PassSettings settings(const EngineTask *task) { return settings_of(task, first_arithmetic(task)); }

const Engine engine_weave = {
    .name = "weave",
    .summary = "finds a reduction together with its proof; proves programs with unbounded data",
    .supports = property_is_reachability,
    .errors = ERRORS_ALL,
    .systems = true,
    .run = run,
    .settings = settings,
};
