/* SPDX-License-Identifier: Apache-2.0 */
/* The shape of an object: just enough of its C type to call its parts by the program's names.
     shape := i SIZE | u SIZE | f SIZE | p           a signed, unsigned, floating scalar of SIZE bytes; a pointer
            | s LOW + WIDTH | b LOW + WIDTH           a signed, unsigned bit-field: WIDTH bits from bit LOW of the byte at its offset; in a struct only
            | ?                                       something else
            | [ COUNT x STRIDE ] shape                an array
            | { NAME @ OFFSET : shape , … }           a struct or union
   Example: {v@0:i4,next@8:p} is struct node { int v; struct node *next; }.
   Shapes are for display: no verdict depends on them. */
#pragma once
#include "base/buf.h"
#include "expr/expr.h"
#include <stdbool.h>
#include <stdint.h>

/* Append the path of the part at offset: ".next", "[3].v", nothing for a scalar at 0, "+5" where no part starts there. Bit-fields that
   share bytes are a part together: ".{a,b}".
   *is_signed (may be NULL) tells whether that part is a signed scalar. shape may be NULL. */
void shape_path(Buf *, const char *shape, uint64_t offset, bool *is_signed);
/* The kind of scalar at offset: i, u, f, p; 0 if none starts there. */
char shape_scalar(const char *shape, uint64_t offset);

typedef struct ShapeBits {
    const char *name; /* in the shape's text, `length` of it */
    size_t length;
    unsigned low, width; /* bits, counted from the offset that was asked for */
    bool is_signed;
} ShapeBits;

enum { SHAPE_BITS_MAX = 64 };
/* The bit-fields that lie wholly in `size` bytes at offset; none if anything else starts there. Returns how many. */
size_t shape_bits(const char *shape, uint64_t offset, uint64_t size, ShapeBits[SHAPE_BITS_MAX]);
/* The value of such a field in those bytes. */
i128 shape_bits_value(const ShapeBits *, u128 bytes);
const char *shape_of_part(Exprs *, const char *shape, uint64_t offset, uint64_t size); /* NULL: it is neither a scalar nor a struct */

typedef struct ShapeScalar {
    uint64_t offset, size;
    char kind; /* i, u, f, p */
} ShapeScalar;
enum { SHAPE_SCALARS_MAX = 16 };
/* The scalars that `size` bytes at offset, at most 16, consist of, but for padding. None if a part is something else. Returns how many. */
size_t shape_scalars(const char *shape, uint64_t offset, uint64_t size, ShapeScalar[SHAPE_SCALARS_MAX]);
/* If they are several: the path of what they are the members of, and their shape as those of a struct of their own. */
bool shape_several(Buf *path, Buf *part, const char *shape, uint64_t offset, uint64_t size);
/* Are the bytes a piece of a scalar, or of several, and not of what a library keeps for itself? Then the path is that of something else: they are called "(bytes 2 to 3 of x)". */
bool shape_is_piece(const char *shape, uint64_t offset, uint64_t size);
void shape_piece(Buf *, const char *name, uint64_t offset, uint64_t size);
/* The path of what a pointer to offset points to, as a whole: "[1]" where shape_path says "[1].first". */
void shape_target(Buf *, const char *shape, uint64_t offset);
/* The shape itself, unless it is that of an integer; NULL then. */
const char *shape_special(const char *shape);
/* The name of a part without the bit-fields at its end: s.in of s.in.{a,b}. How much of it. */
size_t shape_prefix(const char *name);
