/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HEDDLE_ENGINE_HORN_REDCOMP_H
#define HEDDLE_ENGINE_HORN_REDCOMP_H
#include "ir/program.h"

/* --dump-blocks, --dump-chc: the blocks of the program, or the Horn clauses of a rule (NULL: the first that applies). */
void redcomp_dump(const Program *, const char *rule, bool blocks, Buf *);

#endif
