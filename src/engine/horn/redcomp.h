/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HEDDLE_ENGINE_HORN_REDCOMP_H
#define HEDDLE_ENGINE_HORN_REDCOMP_H
#include "ir/program.h"

/* --dump-blocks, --dump-chc: the blocks of the program, or the Horn clauses of the rule product. */
void redcomp_dump(const Program *, bool blocks, Buf *);

#endif
