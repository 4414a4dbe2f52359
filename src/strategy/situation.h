/* SPDX-License-Identifier: Apache-2.0 */
/* Declares the situation, by which plans are chosen, and the lemmas of plans. */
#pragma once
#include "strategy/strategy.h"

typedef struct Situation {
    const Config *config;
    const Loaded *loaded; /* may be NULL */
    const Program *program;
    const Question *question;
    StoreDelays *delays;       /* for TSO and PSO: the stores that may be delayed; otherwise NULL */
    bool buffers_bounded;      /* the deepest store buffers have room for all delayed stores */
    bool statically_race_free; /* locks, creation and joins order all conflicting accesses, whatever atomic accesses do */
    TimeSlot time;
} Situation;

/* A lemma concludes from a verdict about a plan's program to the question. It gets a verdict that decides the plan's program. It returns
   this verdict, with the lemma's part added to the certificate. If the conclusion fails, it returns UNKNOWN with the reason. */
typedef Verdict *Lemma(const Situation *, Verdict *);

Lemma no_lemma;   /* the verdict answers the question itself */
Lemma same_as_sc; /* no thread can observe a delayed store, by analysis/delays.h */
Lemma robust;     /* no thread can observe a delayed store, as the engines prove */
/* C11: only seq_cst atomics race, so all executions are sequentially consistent. An UNSAFE needs the lemma, too, since other races make the
   behaviour undefined */
Lemma data_race_free;
Lemma races_under_sc; /* C11: a race under sequential consistency is a race. The absence of races does not follow from interleavings */
/* Confirms a SAFE of no-data-race under C11, since interleavings do not model atomic accesses weaker than seq_cst. */
Lemma confirm_under_c11;

/* Returns the name of the memory model for display. */
const char *memory_name(MemoryModel);
bool has_weak_atomics(const Program *); /* true if some atomic access is weaker than seq_cst */
