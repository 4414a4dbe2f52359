/* SPDX-License-Identifier: Apache-2.0 */
/* From a program to what symbolic engines work on: one template per thread, memory as variables, integers where possible;
   then movers and blocks. */
#ifndef HEDDLE_PASSES_PREPARE_H
#define HEDDLE_PASSES_PREPARE_H
#include "base/stats.h"
#include "reduction/blocks.h"
#include "verdict/translation.h"
#include "verdict/verdict.h"

typedef struct Prepared {
    Program *program; /* transformed */
    Translation *translation;
    System *system;
    Smt *smt;
    Movers *movers;
    Blocks *blocks;
    bool weaker; /* an error of the system need not be one of the program */
    bool taken;  /* a proof owns program and system */
} Prepared;

typedef enum Arithmetic {
    BITVECTORS,
    INTEGERS,
    CONGRUENT, /* integers; variables that may wrap around are not brought into range before somebody looks */
    WEAK       /* … and guards are weaker (weaken_guards.h), if Prepared.weaker says so */
} Arithmetic;

/* NULL, or why it cannot be done, said for that engine. Release it in either case. */
Verdict *prepare(Prepared *, const Program *, Arithmetic, const char *engine);
/* … with a transition for each action (or atomic section). */
Verdict *prepare_fine(Prepared *, const Program *, Arithmetic, const char *engine);
/* … with at most so many rounds of loops that create threads: for hunting errors, proofs of it mean nothing. */
Verdict *prepare_in_part(Prepared *, const Program *, Arithmetic, unsigned rounds, const char *engine);
/* reduce false: nothing moves, others may run everywhere. stats may be NULL. */
void prepare_blocks(Prepared *, bool reduce, Stats *stats);
/* Others instead, that may loop before their commit. */
void prepare_longer_blocks(Prepared *, Stats *stats);
/* A proof by some rule with the system, blocks, movers and facts; the invariants are the caller's to add. */
Proof *prepared_proof(Prepared *, ProofRule);
/* A position of the transformed program, with a file name that outlives it. */
Position prepared_position(const Program *original, Position);
/* UNKNOWN: an execution reaches this STOP, and what is not modelled there. */
Verdict *prepared_stopped(const Program *original, const SystemLocation *stop, const char *engine);
void prepared_release(Prepared *);

#endif
