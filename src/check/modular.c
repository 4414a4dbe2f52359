/* SPDX-License-Identifier: Apache-2.0 */
/* Checks the obligations of the rules modular and each; see doc/rules.md. In the rule each, a thread's own runs make its tuple smaller
   (decrease), and runs of other threads do not make it larger (keep). */
#include "check/checker.h"
#include "check/messages.h"

static const Expr *invariant(const Checker *c, unsigned t, unsigned l) { return c->proof->invariants[t][l]; }

/* Checks that the run keeps the invariant of every other thread at each location where other threads may run. */
static void check_interference(Checker *c, unsigned t, const Transition *run) {
    const System *s = c->system;
    const Expr *mine = expr_and(c->exprs, invariant(c, t, run->source), run->guard);
    for (unsigned u = 0; u < vec_len(s->threads); u++)
        for (unsigned k = 0; k < vec_len(s->threads[u].locations) && u != t && c->ok; k++) {
            if (!c->proof->out[u][k] || expr_is_true(invariant(c, u, k))) continue;
            checker_name(c, "interfere %s %u by %s %u to %u", s->threads[u].name, k, s->threads[t].name, run->source, run->target);
            const Expr *both = expr_and(c->exprs, checker_numbers(c, u, t), expr_and(c->exprs, invariant(c, u, k), mine));
            checker_obligation(c, both, transition_after(s, run, invariant(c, u, k)));
        }
}

/* Checks that the run does not make the tuple of another thread larger. */
static void check_keeps(Checker *c, unsigned t, const Transition *run) {
    const System *s = c->system;
    const Expr *mine = expr_and(c->exprs, invariant(c, t, run->source), run->guard);
    for (unsigned u = 0; u < vec_len(s->threads); u++)
        for (unsigned k = 0; k < vec_len(s->threads[u].locations) && u != t && c->ok; k++) {
            const Expr *const *rank = (const Expr *const *)c->proof->ranks[u][k];
            if (!c->proof->out[u][k]) continue;
            checker_name(c, "keep %s %u by %s %u to %u", s->threads[u].name, k, s->threads[t].name, run->source, run->target);
            const Expr *both = expr_and(c->exprs, checker_numbers(c, u, t), expr_and(c->exprs, invariant(c, u, k), mine));
            checker_obligation(c, both, ranking_falls(c, rank, rank, run, false));
        }
}

static void check_decrease(Checker *c, unsigned t, const Transition *run) {
    const Expr *mine = expr_and(c->exprs, invariant(c, t, run->source), run->guard);
    const Expr *const *before = (const Expr *const *)c->proof->ranks[t][run->source];
    checker_name(c, "decrease %s %u to %u", c->system->threads[t].name, run->source, run->target);
    checker_obligation(c, mine, ranking_falls(c, before, (const Expr *const *)c->proof->ranks[t][run->target], run, true));
    check_keeps(c, t, run);
}

static void check_run(Checker *c, unsigned t, const Transition *run) {
    const System *s = c->system;
    const Expr *mine = expr_and(c->exprs, invariant(c, t, run->source), run->guard);
    if (checker_is_bad(c, t, run->target)) {
        checker_name(c, "error %s %u", s->threads[t].name, run->target);
        checker_obligation(c, mine, expr_bool(c->exprs, false));
        return;
    }
    checker_name(c, "step %s %u to %u", s->threads[t].name, run->source, run->target);
    checker_obligation(c, mine, transition_after(s, run, invariant(c, t, run->target)));
    check_interference(c, t, run);
    if (c->proof->rule == RULE_EACH) check_decrease(c, t, run);
}

static void check_thread(Checker *c, unsigned t) {
    const SystemThread *thread = &c->system->threads[t];
    if (thread->many) checker_second_instance(c, t);
    for (unsigned l = 0; l < vec_len(thread->locations); l++) {
        checker_name(c, "claim %s %u", thread->name, l);
        checker_scope(c, invariant(c, t, l), (CheckScope){t, t, false});
        for (size_t i = 0; c->proof->rule == RULE_EACH && i < vec_len(c->proof->ranks[t][l]); i++)
            checker_scope(c, c->proof->ranks[t][l][i], (CheckScope){t, t, false});
    }
    checker_name(c, "init %s", thread->name);
    if (checker_is_bad(c, t, thread->entry)) checker_refuse(c, MSG_CHECK_ENTRY_ERROR);
    checker_obligation(c, expr_and(c->exprs, checker_initially(c), checker_numbers(c, t, t)), invariant(c, t, thread->entry));
    for (unsigned l = 0; l < vec_len(thread->locations) && c->ok; l++) {
        checker_name(c, "step %s %u", thread->name, l);
        if (!c->proof->stop[t][l] || thread->locations[l].kind != LOCATION_PLAIN) continue;
        const Transition *runs = checker_block_paths(c, t, l);
        for (size_t i = 0; i < vec_len(runs) && c->ok; i++) check_run(c, t, &runs[i]);
    }
}

void check_modular(Checker *c) {
    ensure(c->proof->rule == RULE_MODULAR || c->proof->rule == RULE_EACH);
    for (unsigned t = 0; t < vec_len(c->system->threads) && c->ok; t++) check_thread(c, t);
}
