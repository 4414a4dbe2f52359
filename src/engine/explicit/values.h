/* SPDX-License-Identifier: Apache-2.0 */
/* Finds inputs for which a few values represent all, by three analyses: flow.c, range.c and equal.c. */
#pragma once
#include "analysis/pointsto.h"
#include "ir/program.h"

/* Sets *values (a vec) such that every execution has the same control flow as one in which the HAVOC chooses one of them. The HAVOC's target is a
   bit-vector. Returns false if no such values are known. */
bool values_of_input(const Program *, PointsTo *, const Instr *havoc, u128 **values);

/* ---- the analyses that values_of_input tries in this order ---- */
bool values_by_flow(const Program *, const Variable *, u128 **values); /* flow.c: all uses are comparisons with constants or remainders */
bool values_by_range(const Program *, const Instr *havoc, u128 **values);                /* range.c: conditions leave a small range */
bool values_by_equality(const Program *, PointsTo *, const Instr *havoc, u128 **values); /* equal.c: all uses are tests for equality */

static inline void values_add(u128 **values, u128 v) {
    for (size_t i = 0; i < vec_len(*values); i++)
        if ((*values)[i] == v) return;
    vec_push(*values, v);
}
static inline u128 values_mask(unsigned width) { return width >= 128 ? ~(u128)0 : ((u128)1 << width) - 1; }
