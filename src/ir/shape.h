/* SPDX-License-Identifier: Apache-2.0 */
/* The shape of an object: just enough of its C type to call its parts by the program's names.
     shape := i SIZE | u SIZE | f SIZE | p           a signed, unsigned, floating scalar of SIZE bytes; a pointer
            | [ COUNT x STRIDE ] shape                an array
            | { NAME @ OFFSET : shape , … }           a struct or union
   Example: {v@0:i4,next@8:p} is struct node { int v; struct node *next; }.
   Shapes are for people: no verdict depends on them. */
#ifndef HEDDLE_IR_SHAPE_H
#define HEDDLE_IR_SHAPE_H
#include "base/buf.h"
#include <stdbool.h>
#include <stdint.h>

/* Append the path of the part at offset: ".next", "[3].v", nothing for a scalar at 0, "+5" where no part starts there.
   *is_signed (may be NULL) tells whether that part is a signed scalar. shape may be NULL. */
void shape_path(Buf *, const char *shape, uint64_t offset, bool *is_signed);
/* The kind of scalar at offset: i, u, f, p; 0 if none starts there. */
char shape_scalar(const char *shape, uint64_t offset);

#endif
