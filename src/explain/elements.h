/* SPDX-License-Identifier: Apache-2.0 */
/* Which elements of an array variable a step read or wrote, for display: q[3], not all of q. */
#pragma once
#include "check/replay.h"

typedef struct Element {
    Buf name; /* q[3], M[3][true]; to be freed */
    const Sort *sort;
    Value value;
    Value before; /* of a write */
} Element;

/* The elements that this access (of an array variable) of the step read or wrote: *list is a vec, the caller's to free. A
   write of elements reads no others. False: it was the array as a whole, or it is not known what. before: of a write, the array as it was, or NULL. */
bool elements_of(const ReplayStep *, const Access *, const ArrayValue *before, Element **list);
