/* SPDX-License-Identifier: Apache-2.0 */
/* The rule redsafety with In = ∅: every location is Out, but those inside the program's own atomic sections, and no two actions are one
   transition. S2 to S4 are then for these sections alone, S5 and S6 are the rule REACHENV that Threader automates (Owicki and Gries, with
   environment transitions for each source thread); the paper's comparison. */
#include "engine/horn/rule.h"

static Verdict *run(const RuleTask *task) { return redsafety_run(task, "reachenv"); }

const Rule rule_reachenv = {"reachenv", rule_fixed_number, BLOCKS_NONE, run, redsafety_dump};
