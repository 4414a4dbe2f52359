/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "ir/program.h"

/* Branches that an action before them decides are taken at once; see jump_ahead.c. Marks loop heads afresh. */
void jump_ahead(Program *);
