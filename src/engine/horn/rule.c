/* SPDX-License-Identifier: Apache-2.0 */
/* Implements what the rules share. If clauses have no solution, the solver derives false from them. The derivation is a tree, whose steps are
   transitions of several threads. A bounded search looks for an execution of these transitions. If the solver gives no derivation in time, or one to a
   STOP, the search is over all transitions. If it finds no execution, the rule is too weak for the program. */
#include "engine/horn/rule.h"
#include "base/clock.h"
#include "engine/messages.h"
#include "interpolation/bounded_search.h"

ClausesPlan rule_plan(const RuleTask *t) {
    return (ClausesPlan){.deadline = t->deadline, .progress = t->engine->progress, .context = t->engine->context};
}

void rule_progress(const RuleTask *t, const char *line) { symbolic_progress(t->engine, line); }

/* ---- refutations ---- */

enum { FEW_STEPS = 10, MOST_STEPS = 40, MOST_BLOCK_STEPS = 400, MOST_SECONDS = 10 };

/* By thread, then by transition: the derivation uses it. */
static bool **used_transitions(const System *s, const Clauses *c, const size_t *derivation) {
    bool **used = NULL;
    vec_resize(used, vec_len(s->threads));
    for (unsigned t = 0; t < vec_len(s->threads); t++) vec_resize(used[t], vec_len(s->threads[t].transitions));
    vec_each(size_t, clause, derivation) {
        if (clause >= vec_len(c->steps)) continue;
        const ClauseStep *x = &c->steps[clause];
        vec_each(unsigned, transition, x->transitions) {
            unsigned other = s->threads[x->thread].other_instance;
            used[x->thread][transition] = true;
            if (other != NONE) used[other][transition] = true;
        }
    }
    return used;
}

/* Returns the block steps of which the derivation uses all transitions, as a vec. */
static unsigned *used_block_steps(const BlockSteps *all, const Clauses *c, const size_t *derivation) {
    bool **used = used_transitions(all->system, c, derivation);
    unsigned *list = NULL;
    for (unsigned i = 0; i < vec_len(all->list); i++) {
        bool is_used = true;
        vec_each(unsigned, transition, all->list[i].transitions) is_used = is_used && used[all->list[i].thread][transition];
        if (is_used) vec_push(list, i);
    }
    vec_free_rows(used);
    return list;
}

static unsigned count_steps_of(const Clauses *c, const size_t *derivation) {
    unsigned n = 0;
    vec_each(size_t, clause, derivation) n += clause < vec_len(c->steps) && c->steps[clause].transitions;
    return n;
}

/* Returns the schedule of these block steps. */
static ScheduleStep *schedule_of(const BlockSteps *all, const unsigned *block_steps) {
    ScheduleStep *steps = NULL;
    vec_each(unsigned, i, block_steps) {
        vec_each(unsigned, transition, all->list[i].transitions) vec_push(steps, ((ScheduleStep){all->list[i].thread, transition}));
    }
    return steps;
}

/* True if one of these block steps leads to a STOP. */
static bool have_stop(const BlockSteps *all, const unsigned *block_steps) {
    vec_each(unsigned, i, block_steps) {
        const BlockStep *x = &all->list[i];
        if (all->system->threads[x->thread].locations[x->step.target].kind == LOCATION_STOP) return true;
    }
    return false;
}

/* True if a transition of the block step stands for an action that over-approximates the program. */
static bool approximates(const Chain *w, const BlockStep *x) {
    const SystemThread *thread = &w->system->threads[x->thread];
    const Template *of = w->program->templates[thread->template_];
    vec_each(unsigned, transition, x->transitions) {
        const unsigned *actions = thread->transitions[transition].actions;
        for (size_t i = 0; i < vec_len(actions); i++)
            if (actions[i] < vec_len(of->actions) && of->actions[actions[i]].approximation != NO_APPROXIMATION) return true;
    }
    return false;
}

/* Returns the steps of an execution to an error of at most `steps` of these block steps, or NULL. */
static unsigned *search(const Chain *w, const BlockSteps *all, const unsigned *block_steps, unsigned steps, double seconds) {
    SmtAnswer answer;
    if (steps > MOST_STEPS) steps = MOST_STEPS;
    if (seconds > (double)MOST_SECONDS) seconds = (double)MOST_SECONDS;
    if (seconds < 0.01 || !vec_len(block_steps) || vec_len(block_steps) > MOST_BLOCK_STEPS) return NULL;
    return bounded_search(w->blocks, all, solver_new(w->smt, (unsigned)(seconds * 1000)), block_steps, steps, &answer);
}

/* Returns the steps of an execution to an error of any block steps, or NULL. Short executions come first, and those without block steps that
   over-approximate the program. */
static unsigned *search_any(const Chain *w, const BlockSteps *all, double deadline) {
    unsigned *exact = NULL, *every = NULL, *list = NULL;
    for (unsigned i = 0; i < vec_len(all->list); i++) {
        vec_push(every, i);
        if (!approximates(w, &all->list[i])) vec_push(exact, i);
    }
    for (unsigned n = FEW_STEPS; !list && n <= MOST_STEPS; n += FEW_STEPS) {
        list = search(w, all, exact, n, (deadline - clock_seconds()) / 2);
        if (!list && vec_len(exact) < vec_len(every)) list = search(w, all, every, n, deadline - clock_seconds());
    }
    vec_free(exact);
    vec_free(every);
    return list;
}

/* Returns the schedule of an execution to an error with the steps of a derivation, or NULL. Without a derivation, or if it leads to a STOP, which
   is no error, the execution may have any steps. */
static ScheduleStep *ordered(const RuleTask *t, const Clauses *c, const size_t *derivation, double deadline) {
    const Chain *w = t->prepared;
    BlockSteps *all = block_steps_new(w->system, w->blocks);
    unsigned *block_steps = used_block_steps(all, c, derivation), steps = count_steps_of(c, derivation);
    if (system_has_many(w->system)) steps *= 2; /* two instances may take the same steps */
    bool any = !derivation || have_stop(all, block_steps);
    unsigned *list = any ? search_any(w, all, deadline) : search(w, all, block_steps, steps, deadline - clock_seconds());
    ScheduleStep *schedule = schedule_of(all, list);
    vec_free(list);
    vec_free(block_steps);
    block_steps_free(all);
    return schedule;
}

/* Returns UNSAFE if an execution consists of the steps of a derivation of false, or of any steps if there is no derivation in time; or NULL. */
static Verdict *refute(const RuleTask *t, const Clauses *c, double deadline) {
    rule_progress(t, "redcomp: ordering the steps of a refutation");
    size_t *derivation = clauses_refutation(c, (deadline - clock_seconds()) / 2);
    ScheduleStep *schedule = ordered(t, c, derivation, deadline);
    Verdict *v = schedule ? symbolic_unsafe(t->engine, t->prepared, schedule, vec_len(schedule)) : NULL;
    vec_free(schedule);
    vec_free(derivation);
    return v;
}

/* Returns UNSAFE, or UNKNOWN with the reason. */
static Verdict *refuted(const RuleTask *t, const Clauses *c, const ClausesPlan *plan, const char *no_proof) {
    Verdict *v = refute(t, c, plan->deadline);
    *t->no_proof = clock_seconds() < plan->deadline; /* with more time, an order might be found */
    return v ? v : verdict_unknown((Position){0}, MSG_ENGINE_NOT_PROVED, no_proof);
}

/* ---- rules ---- */

Verdict *rule_solve(const RuleTask *t, Clauses *c, const ClausesPlan *plan, const char *no_proof) {
    t->engine->stats->clauses = horn_clauses(c->horn);
    t->engine->stats->predicates = horn_predicates(c->horn);
    switch (clauses_simplify(c, plan) ? HORN_SOLVED : clauses_solve(c, plan)) {
    case HORN_SOLVED: return NULL;
    case HORN_REFUTED: return refuted(t, c, plan, no_proof);
    default: return verdict_unknown((Position){0}, MSG_ENGINE_HORN_UNSOLVED, c->reason);
    }
}

Verdict *rule_undecodable(void) { return verdict_unknown((Position){0}, MSG_ENGINE_HORN_UNREADABLE); }

bool rule_applies_always(const System *s) {
    (void)s;
    return true;
}

bool rule_fixed_number(const System *s) { return !system_has_many(s); }
