/* SPDX-License-Identifier: Apache-2.0 */
/* Choices that were made before, handed out again in their order. */
#pragma once
#include "ir/step.h"

typedef struct Script {
    const u128 *choices; /* a vec */
    size_t next;
    bool missing; /* there were too few */
} Script;

Chooser script_chooser(Script *);
bool script_fits(const Script *); /* all were asked for, and no more */
