/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "result/translation.h"

/* Memory becomes variables: scalars and arrays, split by what pointers can point to. See regions.c.
   False: *why says which access stands in the way, with its position in *where. */
bool regions(Program *, Translation *, Buf *why, Position *where);
