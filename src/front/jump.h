/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HEDDLE_FRONT_JUMP_H
#define HEDDLE_FRONT_JUMP_H
#include "ir/program.h"

/* Branches that an action before them decides are taken at once; see jump.c. Marks loop heads afresh. */
void program_jump(Program *);

#endif
