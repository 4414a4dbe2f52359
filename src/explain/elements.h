/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the elements of an array variable that a step read or wrote, so that the reader sees q[3] instead of the whole of q. */
#pragma once
#include "check/replay.h"

typedef struct Element {
    Buf name; /* q[3], M[3][true]; the caller frees it */
    const Sort *sort;
    Value value;
    Value before; /* the value before a write */
} Element;

/* Finds the elements that an access (of an array variable) of the step read or wrote. *list becomes a vec, which the caller frees. `before` is the
   array before a write; NULL if it is not known. A write of elements does not read the other elements.
   Returns false if the whole array was accessed, or if the elements are not known. */
bool elements_of(const ReplayStep *, const Access *, const ArrayValue *before, Element **list);
