/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HEDDLE_PASSES_PROGRAM_REGIONS_H
#define HEDDLE_PASSES_PROGRAM_REGIONS_H
#include "result/translation.h"

/* Memory becomes variables: scalars and arrays, split by what pointers can point to. See regions.c.
   False: *why says which access stands in the way, with its position in *where. */
bool regions(Program *, Translation *, Buf *why, Position *where);

#endif
