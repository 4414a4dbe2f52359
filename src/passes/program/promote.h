/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "ir/program.h"

/* Memory that is only ever accessed at constant addresses becomes variables; see promote.c. */
/* sorted: the variables of an object follow each other as they lie in memory. */
void program_promote(Program *, bool sorted);
