/* SPDX-License-Identifier: Apache-2.0 */
/* What the rules redsafety and reachenv share: they differ in the blocks they are given. */
#ifndef HEDDLE_ENGINE_HORN_REDSAFETY_H
#define HEDDLE_ENGINE_HORN_REDSAFETY_H
#include "engine/horn/rule.h"

/* name: of the rule, for what is said. */
Verdict *redsafety_run(const RuleTask *, const char *name);
void redsafety_dump(const RuleTask *, Buf *);

#endif
