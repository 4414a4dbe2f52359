/* SPDX-License-Identifier: Apache-2.0 */
/* Names the parts of objects as the program does. A shape is a text with just enough of an object's C type.
     shape := i SIZE | u SIZE | f SIZE | p           a signed, unsigned, floating scalar of SIZE bytes; a pointer
            | s LOW + WIDTH | b LOW + WIDTH           a signed, unsigned bit-field: WIDTH bits from bit LOW of the byte at its offset; structs only
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

/* Appends the path of the part at offset: ".next", "[3].v", nothing for a scalar at 0, "+5" if no part starts there. Bit-fields that
   share bytes are a part together: ".{a,b}". *is_signed becomes true for a signed scalar. is_signed and shape may be NULL. */
void shape_path(Buf *, const char *shape, uint64_t offset, bool *is_signed);
/* Returns the kind of the scalar that starts at offset: i, u, f or p; 0 if none starts there. */
char shape_scalar(const char *shape, uint64_t offset);

typedef struct ShapeBits {
    const char *name; /* points into the shape's text, `length` bytes long */
    size_t length;
    unsigned low, width; /* in bits, from the given offset */
    bool is_signed;
} ShapeBits;

enum { SHAPE_BITS_MAX = 64 };
/* Lists the bit-fields that lie wholly in `size` bytes at offset, and returns their number. 0 if a part of another kind starts there. */
size_t shape_bits(const char *shape, uint64_t offset, uint64_t size, ShapeBits[SHAPE_BITS_MAX]);
/* Returns the value of a bit-field of that list, given the bytes. */
i128 shape_bits_value(const ShapeBits *, u128 bytes);
const char *shape_of_part(Exprs *, const char *shape, uint64_t offset, uint64_t size); /* interned; NULL: neither a scalar nor a struct */

typedef struct ShapeScalar {
    uint64_t offset, size;
    char kind; /* i, u, f, p */
} ShapeScalar;
enum { SHAPE_SCALARS_MAX = 16 };
/* Lists the scalars in `size` bytes at offset (at most 16 bytes) and returns their number. 0 if the bytes have other parts than scalars
   and padding. */
size_t shape_scalars(const char *shape, uint64_t offset, uint64_t size, ShapeScalar[SHAPE_SCALARS_MAX]);
/* If the bytes are several scalars: appends the path of the object that they are members of, and their shape as a struct of its own.
   Returns false for all other bytes. */
bool shape_several(Buf *path, Buf *part, const char *shape, uint64_t offset, uint64_t size);
/* Returns true if the bytes are not whole scalars or bit-fields, and not within a library's private members. Then their path would name
   something else, and shape_piece calls them "(bytes 2 to 3 of x)". */
bool shape_is_piece(const char *shape, uint64_t offset, uint64_t size);
void shape_piece(Buf *, const char *name, uint64_t offset, uint64_t size);
/* Appends the path of the whole part to which a pointer to offset points: "[1]" where shape_path has "[1].first". */
void shape_target(Buf *, const char *shape, uint64_t offset);
/* Returns the shape, or NULL if it is an integer's. */
const char *shape_special(const char *shape);
/* Returns the length of a part's name without bit-fields at its end: of s.in in s.in.{a,b}. */
size_t shape_prefix(const char *name);
