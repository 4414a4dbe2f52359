/* SPDX-License-Identifier: Apache-2.0 */
/* Implements what the rules share. If clauses have no solution, the solver derives false from them. The derivation is a tree, whose steps are
   transitions of several threads. A bounded search looks for an execution of these transitions. If the solver gives no derivation in time, the
   search is over all transitions. If it finds no execution, the rule is too weak for the program. */
#include "engine/horn/rule.h"
#include "base/clock.h"
#include "engine/messages.h"
#include "interpolation/bounded_search.h"

ClausesPlan rule_plan(const RuleTask *t) {
    return (ClausesPlan){.deadline = t->deadline, .progress = t->engine->progress, .context = t->engine->context};
}

void rule_progress(const RuleTask *t, const char *line) { symbolic_progress(t->engine, line); }

/* ---- refutations ---- */

enum { MOST_STEPS = 40, MOST_BLOCK_STEPS = 400, MOST_SECONDS = 10 };

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

/* Returns the block steps of which the derivation uses all transitions, as a vec; all block steps without a derivation. */
static unsigned *used_block_steps(const BlockSteps *all, const Clauses *c, const size_t *derivation) {
    bool **used = used_transitions(all->system, c, derivation);
    unsigned *list = NULL;
    for (unsigned i = 0; i < vec_len(all->list); i++) {
        bool is_used = true;
        vec_each(unsigned, transition, all->list[i].transitions)
            is_used = is_used && (!derivation || used[all->list[i].thread][transition]);
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

/* Returns the schedule of an execution to an error with the steps of a derivation (NULL: any steps), or NULL. */
static ScheduleStep *ordered(const RuleTask *t, const Clauses *c, const size_t *derivation, double seconds) {
    const Chain *w = t->prepared;
    BlockSteps *all = block_steps_new(w->system, w->blocks);
    unsigned *block_steps = used_block_steps(all, c, derivation), steps = count_steps_of(c, derivation), *list = NULL;
    SmtAnswer answer;
    if (system_has_many(w->system)) steps *= 2; /* two instances may take the same steps */
    if (!derivation || steps > MOST_STEPS) steps = MOST_STEPS;
    if (seconds > (double)MOST_SECONDS) seconds = (double)MOST_SECONDS;
    if (seconds > 0.01 && vec_len(block_steps) && vec_len(block_steps) <= MOST_BLOCK_STEPS)
        list = bounded_search(w->blocks, all, solver_new(w->smt, (unsigned)(seconds * 1000)), block_steps, steps, &answer);
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
    ScheduleStep *schedule = ordered(t, c, derivation, deadline - clock_seconds());
    Verdict *v = schedule ? symbolic_unsafe(t->engine, t->prepared, schedule, vec_len(schedule)) : NULL;
    vec_free(schedule);
    vec_free(derivation);
    return v;
}

/* Returns UNSAFE, or UNKNOWN with the reason. */
static Verdict *refuted(const RuleTask *t, const Clauses *c, const ClausesPlan *plan, const char *no_proof) {
    *t->no_proof = true;
    Verdict *v = refute(t, c, plan->deadline);
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
