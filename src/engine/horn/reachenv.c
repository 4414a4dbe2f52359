/* SPDX-License-Identifier: Apache-2.0 */
/* Implements the rule `reachenv`: the rule redsafety with In = ∅ (Popeea, Rybalchenko and Wilhelm, Section IV-A).

   Every location is Out, except inside atomic sections of the program, and each transition is one action. S2 to S4 then affect only the
   atomic sections. S5 and S6 are the rule REACHENV of Threader: the method of Owicki and Gries, with environment transitions for
   each thread. The paper compares its rule with this one. */
#include "engine/horn/rule.h"

static Verdict *run(const RuleTask *task) { return redsafety_run(task, "reachenv"); }

const Rule rule_reachenv = {"reachenv", rule_fixed_number, BLOCKS_NONE, run, redsafety_dump};
