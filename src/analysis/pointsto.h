/* SPDX-License-Identifier: Apache-2.0 */
/* Computes what pointers may point to, over variables and contents of objects. The analysis is inclusion-based and ignores the order of
   instructions. A target is an object with a congruence for its offset, which separates the fields in arrays of structs. An object may have
   a few offsets, which separates pointers to a struct from pointers to a struct inside of it. */
#pragma once
#include "analysis/congruence.h"
#include "ir/program.h"

typedef struct Target {
    Object *object;
    Congruence offset;
    unsigned word; /* the word of the value that holds the address: 0, but for values of several words */
} Target;

typedef struct Targets {
    Target *list; /* a vec, ordered by object index and word; of the offsets of both, none includes another */
    bool other;   /* the value may also be no pointer into an object: null, or an integer */
} Targets;

/* Bytes is the bytes of an object in one access. */
typedef struct Bytes {
    Congruence offset;
    uint64_t size;
} Bytes;
typedef enum { APART, OVERLAP, SAME_START } Meet;
/* Compares the bytes of all offsets a with the bytes of all offsets b. SAME_START: some of them start at the same place. */
Meet pointsto_meet(Bytes a, Bytes b);

typedef struct PointsTo PointsTo;
/* Analyses a program, which must outlive the result. */
PointsTo *pointsto_new(const Program *);
void pointsto_free(PointsTo *);
/* Returns the targets of an expression. The result lives as long as the analysis. */
const Targets *pointsto(PointsTo *, const Expr *);
/* Returns the targets that `size` bytes of an object, at an offset, may hold. The result lives as long as the analysis. */
const Targets *pointsto_content(PointsTo *, const Target *, uint64_t size);
/* True if an instruction that stores, copies or fills may write the `size` bytes at an address. */
bool pointsto_may_write(PointsTo *, const Instr *, const Expr *address, uint64_t size);
/* Returns the bytes of an object that may hold whole addresses, as a vec that the caller frees. */
Bytes *pointsto_addresses(const PointsTo *, const Object *);
/* True if the value may be an address that is not among the targets: an input, or a number that control flow made from an address. */
bool pointsto_is_wild(PointsTo *, const Expr *);
/* True if the value may come from the number of a thread. */
bool pointsto_is_thread(PointsTo *, const Expr *);
/* True if the site may allocate more than once. Each instance lies pointsto_stride after the one that was allocated before. */
bool pointsto_allocates_many(const PointsTo *, const Object *site);
uint64_t pointsto_stride(const Program *);
