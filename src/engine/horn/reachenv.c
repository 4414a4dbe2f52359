/* SPDX-License-Identifier: Apache-2.0 */
/* The rule redsafety with In = ∅: every location is Out, but those inside the program's own atomic sections. S2 to S4 are then for
   these sections alone, S5 and S6 are the rule REACHENV that Threader automates (Owicki and Gries, with environment transitions for
   each source thread); the paper's comparison. */
#include "engine/horn/redsafety.h"

static void forget_blocks(Prepared *p) {
    movers_forget(p->movers);
    blocks_free(p->system, p->blocks);
    p->blocks = blocks_new(p->system, p->smt, NULL);
}

static Verdict *run(const RuleTask *task) {
    forget_blocks(task->prepared);
    return redsafety_run(task, "reachenv");
}

static void dump(const RuleTask *task, Buf *out) {
    forget_blocks(task->prepared);
    redsafety_dump(task, out);
}

const Rule rule_reachenv = {"reachenv", rule_fixed_number, false, run, dump};
