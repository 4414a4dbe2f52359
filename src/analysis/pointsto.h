/* SPDX-License-Identifier: Apache-2.0 */
/* What pointers can point to. Flow-insensitive and inclusion-based, over variables and the contents of objects; a target is an
   object with a congruence that its offset satisfies, so arrays of structs keep their fields apart; there may be a few for one
   object, so pointers to structs and to structs inside of them are told apart. */
#pragma once
#include "analysis/congruence.h"
#include "ir/program.h"

typedef struct Target {
    Object *object;
    Congruence offset;
} Target;

typedef struct Targets {
    Target *list; /* a vec, ordered by object index; an object may have several offsets, none of which includes another */
    bool other;   /* may be no pointer into an object: null, an integer */
} Targets;

typedef struct PointsTo PointsTo;
PointsTo *pointsto_new(const Program *);
void pointsto_free(PointsTo *);
/* What an expression of pointer width can point to; good until the analysis is freed. */
const Targets *pointsto(PointsTo *, const Expr *);
/* What so many bytes of an object, at an offset, can hold; likewise. */
const Targets *pointsto_content(PointsTo *, const Target *, uint64_t size);
/* May the value be an address that the targets do not tell: an input, or a number made from an address by control flow? */
bool pointsto_is_wild(PointsTo *, const Expr *);
/* May the value come from the number of a thread? */
bool pointsto_is_thread(PointsTo *, const Expr *);
/* A site that may allocate more than once: its instances lie pointsto_stride apart, in the order of allocation. */
bool pointsto_allocates_many(const PointsTo *, const Object *site);
uint64_t pointsto_stride(const Program *);
