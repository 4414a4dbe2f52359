/* SPDX-License-Identifier: Apache-2.0 */
/* What the rules redsafety and reachenv share: they differ in the blocks they are given. */
#pragma once
#include "engine/horn/rule.h"

/* name: of the rule, for what is said. */
Verdict *redsafety_run(const RuleTask *, const char *name);
void redsafety_dump(const RuleTask *, Buf *);
