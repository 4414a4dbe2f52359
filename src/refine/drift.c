/* SPDX-License-Identifier: Apache-2.0 */
/* Assertions that differ only in a constant, x <= 9, x <= 8, x <= 7 …, one for each path that was looked at: the proof drifts. What stays the same
   is not the constant, but how the sum is related to others by guards that were not needed for each of these paths. */
#include "refine/internal.h"

enum { MOST_ALIKE = 3 };

/* What assertions alike have in common: the sum without its constant, and how it is compared. 0: not a comparison. */
static uint64_t family_of(Interpolator *p, const Expr *e) {
    Linear l;
    bool equality, negated = e->op == OP_NOT;
    if (!linear_of_atom(p->exprs, negated ? e->args[0] : e, &l, &equality)) return 0;
    l.constant = 0;
    uint64_t key = vec_len(l.terms) ? (uint64_t)linear_expr(p->exprs, &l)->id * 4 + (negated ? 3 : equality ? 2 : 1) : 0;
    linear_free(&l);
    return key;
}

void drift_learn(Interpolator *p, const Expr *assertion) {
    uint64_t key = family_of(p, assertion), count = 0;
    if (!key) return;
    map_get(p->families, key, &count);
    map_put(p->families, key, count + 1);
}

bool drift_suspected(Interpolator *p, const Expr *assertion) {
    uint64_t key = family_of(p, assertion), count = 0;
    return key && map_get(p->families, key, &count) && count >= MOST_ALIKE;
}
