/* SPDX-License-Identifier: Apache-2.0 */
/* What plans are chosen by: the question, and how weak the program's memory is. */
#pragma once
#include "strategy/strategy.h"

typedef struct Situation {
    const Config *config;
    const Loaded *loaded; /* may be NULL */
    const Program *program;
    const Question *question;
    StoreDelays *delays;  /* of TSO and PSO: which stores may be late; else NULL */
    bool buffers_bounded; /* no more stores wait than the deepest buffers have room for */
    bool no_race_asked;   /* locks, creation and joins keep all accesses apart, whatever atomic accesses do */
    TimeSlot time;
} Situation;

/* A lemma says what a verdict about a plan's program means for the question. It gets a verdict that decides it, and returns that one, with
   what the lemma adds to its certificate, or UNKNOWN with the reason why it does not follow. */
typedef Verdict *Lemma(const Situation *, Verdict *);

Lemma no_lemma;          /* the verdict is one about the question */
Lemma same_as_sc;        /* no store can be late in a way that others notice: by analysis/delays.h */
Lemma robust;            /* nobody can notice a late store: proved by the engines */
Lemma data_race_free;    /* C11: only seq_cst atomics race; then there are no executions but the sequentially consistent ones.
                            Where others race, nothing is defined, so an UNSAFE needs it, too */
Lemma races_under_sc;    /* C11: a race under sequential consistency is one; that there is none needs more than its interleavings */
Lemma confirm_under_c11; /* interleavings say nothing of atomic accesses that order less than seq_cst ones */

/* The name of the memory model, for display. */
const char *memory_name(MemoryModel);
bool has_weak_atomics(const Program *); /* weaker than seq_cst */
