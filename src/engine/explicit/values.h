/* SPDX-License-Identifier: Apache-2.0 */
/* Inputs of which a few values stand for all. */
#pragma once
#include "analysis/pointsto.h"
#include "ir/program.h"

/* Values for the target of a HAVOC (a bit-vector) such that every execution behaves, as far as control goes, like one
   with one of these. *values is a vec. False: none are known. */
bool values_of_input(const Program *, PointsTo *, const Instr *havoc, u128 **values);

/* ---- the analyses behind it ---- */
bool values_by_flow(const Program *, const Variable *, u128 **values);                   /* flow.c: where the value goes */
bool values_by_range(const Program *, const Instr *havoc, u128 **values);                /* range.c: what is assumed of it first */
bool values_by_equality(const Program *, PointsTo *, const Instr *havoc, u128 **values); /* equal.c: what it may be equal to */

static inline void values_add(u128 **values, u128 v) {
    for (size_t i = 0; i < vec_len(*values); i++)
        if ((*values)[i] == v) return;
    vec_push(*values, v);
}
static inline u128 values_mask(unsigned width) { return width >= 128 ? ~(u128)0 : ((u128)1 << width) - 1; }
