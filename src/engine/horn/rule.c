/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/horn/rule.h"

ClausesPlan rule_plan(const RuleTask *t) {
    return (ClausesPlan){.deadline = t->deadline, .progress = t->engine->progress, .context = t->engine->context};
}

void rule_progress(const RuleTask *t, const char *line) { symbolic_progress(t->engine, line); }

Verdict *rule_solve(const RuleTask *t, Clauses *c, const ClausesPlan *plan, const char *no_proof) {
    t->engine->stats->clauses = horn_clauses(c->horn);
    t->engine->stats->predicates = horn_predicates(c->horn);
    switch (clauses_simplify(c, plan) ? HORN_SOLVED : clauses_solve(c, plan)) {
    case HORN_SOLVED: return NULL;
    case HORN_REFUTED: *t->no_proof = true; return verdict_unknown((Position){0}, "redcomp: %s", no_proof);
    default: return verdict_unknown((Position){0}, "redcomp: the Horn clauses were not solved (%s)", c->reason);
    }
}

const Expr *rule_numbers(const System *s, unsigned n, const Expr *const *numbers) {
    ensure(n && numbers);
    Exprs *x = s->exprs;
    const Expr *e = expr_bool(x, true);
    for (unsigned i = 0; i < n; i++) {
        if (!numbers[i]) continue;
        e = expr_and(x, e, expr_2(x, s->integers ? OP_SLT : OP_ULT, expr_const(x, numbers[i]->sort, vec_len(s->threads)), numbers[i]));
        for (unsigned k = 0; k < i; k++)
            if (numbers[k]) e = expr_and(x, e, expr_not(x, expr_eq(x, numbers[i], numbers[k])));
    }
    return e;
}

Verdict *rule_undecodable(void) { return verdict_unknown((Position){0}, "redcomp: the solver's invariant cannot be read"); }

bool rule_applies_always(const System *s) {
    (void)s;
    return true;
}

bool rule_fixed_number(const System *s) { return !system_has_many(s); }
