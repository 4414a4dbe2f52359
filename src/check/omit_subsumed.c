/* SPDX-License-Identifier: Apache-2.0 */
/* Checks that each action that can no longer be taken is included in another one, which chooses any value where the first computes one. */
#include "check/messages.h"
#include "check/omission_checks.h"

/* Returns whether the choice of any value includes the assignment, and the assignment neither faults nor accesses anything. */
static bool includes(const Instr *any, const Instr *exact) {
    if (any->kind == INSTR_HAVOC && exact->kind == INSTR_ASSIGN)
        return any->target == exact->target && !any->undefined && !expr_may_fault(exact->value) && !expr_reads_global(exact->value);
    return any->kind == exact->kind && any->target == exact->target && any->address == exact->address && any->value == exact->value &&
           any->size == exact->size && any->cell == exact->cell && any->object == exact->object && any->template_ == exact->template_ &&
           any->waits == exact->waits && any->writes == exact->writes && any->zeroed == exact->zeroed;
}

static bool subsumes(const Action *any, const Action *exact) {
    bool good = any != exact && any->source == exact->source && any->target == exact->target && !expr_is_false(any->guard) &&
                (any->guard == exact->guard || expr_is_true(any->guard)) && vec_len(any->instrs) == vec_len(exact->instrs);
    for (size_t i = 0; i < vec_len(exact->instrs) && good; i++) good = includes(&any->instrs[i], &exact->instrs[i]);
    return good;
}

/* Returns whether an action after the pass includes an action before the pass. */
static bool is_subsumed(const Template *after, const Action *exact) {
    vec_each_at(const Action, a, after->actions)
        if (a->index != exact->index && subsumes(a, exact)) return true;
    return false;
}

void omit_subsumed(const OmissionView *v, Omission *o) {
    for (size_t t = 0; t < vec_len(v->before->templates); t++)
        for (size_t k = 0; k < vec_len(v->before->templates[t]->actions); k++) {
            const Template *after = v->after->templates[t];
            const Action *x = &v->before->templates[t]->actions[k], *y = &after->actions[k];
            if (x->guard == y->guard) continue;
            o->count++;
            if (!expr_is_false(y->guard) || !is_subsumed(after, x)) omission_refuse(o, x->position, "%s", MSG_CHECK_SUBSUMED);
        }
}
