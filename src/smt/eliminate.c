/* SPDX-License-Identifier: Apache-2.0 */
/* Eliminates quantifiers by Z3's tactic "qe". */
#include "smt/internal.h"
#include "base/vec.h"

/* Returns the disjunction of the goals that a tactic leaves; NULL if one of them cannot be decoded. */
static const Expr *goals(Smt *s, Z3_apply_result r) {
    Z3_context c = s->z3;
    const Expr *e = expr_bool(s->exprs, false);
    for (unsigned i = 0; i < Z3_apply_result_get_num_subgoals(c, r) && e; i++) {
        Z3_goal part = Z3_apply_result_get_subgoal(c, r, i);
        const Expr *all = expr_bool(s->exprs, true);
        for (unsigned k = 0; k < Z3_goal_size(c, part) && all; k++) {
            const Expr *one = smt_decode(s, Z3_goal_formula(c, part, k), 0, NULL);
            all = one ? expr_and(s->exprs, all, one) : NULL;
        }
        e = all ? expr_or(s->exprs, e, all) : NULL;
    }
    return e;
}

const Expr *smt_eliminate(Smt *s, Z3_ast quantified, unsigned milliseconds) {
    Z3_context c = s->z3;
    Z3_goal goal = Z3_mk_goal(c, true, false, false);
    Z3_goal_inc_ref(c, goal);
    Z3_goal_assert(c, goal, quantified);
    Z3_tactic qe = Z3_mk_tactic(c, "qe");
    Z3_tactic_inc_ref(c, qe);
    Z3_tactic limited = milliseconds ? Z3_tactic_try_for(c, qe, milliseconds) : qe;
    Z3_tactic_inc_ref(c, limited);
    Z3_apply_result r = Z3_tactic_apply(c, limited, goal);
    const Expr *e = NULL;
    if (r) {
        Z3_apply_result_inc_ref(c, r);
        e = goals(s, r);
        Z3_apply_result_dec_ref(c, r);
    }
    Z3_tactic_dec_ref(c, limited);
    Z3_tactic_dec_ref(c, qe);
    Z3_goal_dec_ref(c, goal);
    return e;
}

const Expr *smt_exists(Smt *s, unsigned milliseconds, size_t n, const Symbol *const *symbols, const Expr *e) {
    ensure(expr_is_formula(e));
    Z3_app *bound = NULL;
    for (size_t i = 0; i < n; i++) vec_push(bound, Z3_to_app(s->z3, smt_encode(s, expr_symbol(s->exprs, symbols[i]))));
    Z3_ast body = smt_encode(s, e);
    Z3_ast t = n ? Z3_mk_exists_const(s->z3, 0, (unsigned)n, bound, 0, NULL, body) : body;
    vec_free(bound);
    return smt_eliminate(s, t, milliseconds);
}
