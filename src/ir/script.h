/* SPDX-License-Identifier: Apache-2.0 */
/* Replays recorded choices in their order. */
#pragma once
#include "ir/step.h"

typedef struct Script {
    const u128 *choices; /* a vec */
    size_t next;
    bool missing; /* more choices were asked for than recorded */
} Script;

Chooser script_chooser(Script *);
bool script_is_used_up(const Script *); /* exactly the recorded choices were asked for */
