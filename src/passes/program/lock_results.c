/* SPDX-License-Identifier: Apache-2.0 */
/* Replaces the results of LOCK and UNLOCK by assignments of 0, which constant propagation can use. LOCK and UNLOCK of a normal mutex always succeed.
   Without this pass, an exit of pthread_cond_wait that has not locked the mutex again would seem possible.

   requires  a well-formed program whose mutexes are normal (mutex-kinds); build_system refuses programs with other mutexes
   ensures   no LOCK or UNLOCK has a result; locations and actions are the same
   breaks    nothing */
#include "passes/program/program_passes.h"

static bool succeeds(const Instr *i) { return (i->kind == INSTR_LOCK || i->kind == INSTR_UNLOCK) && i->target; }

static void rewrite(Program *p, Action *a) {
    Instr *out = NULL;
    bool any = false;
    for (size_t k = 0; k < vec_len(a->instrs); k++) any |= succeeds(&a->instrs[k]);
    if (!any) return;
    vec_each(Instr, i, a->instrs) {
        bool result = succeeds(&i);
        Instr zero = {.kind = INSTR_ASSIGN, .target = i.target, .value = expr_bv(p->exprs, 32, 0), .position = i.position};
        if (result) i.target = NULL;
        vec_push(out, i);
        if (result) vec_push(out, zero);
    }
    vec_free(a->instrs);
    a->instrs = out;
}

void lock_results(Program *p) {
    program_each_action(Action, a, p) rewrite(p, a);
}
