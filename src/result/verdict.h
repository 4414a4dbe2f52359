/* SPDX-License-Identifier: Apache-2.0 */
/* A verdict is the answer of an engine. SAFE and UNSAFE are claims until check/ has accepted their proof or trace. */
#pragma once
#include "base/stats.h"
#include "result/omission.h"
#include "result/proof.h"
#include "result/question.h"
#include "result/trace.h"
#include <stdio.h>

typedef enum VerdictKind { VERDICT_UNKNOWN, VERDICT_SAFE, VERDICT_UNSAFE } VerdictKind;

typedef enum ProofKind {
    PROOF_NONE,
    PROOF_EXHAUSTED, /* all states were visited; `states` is their number */
    PROOF_INVARIANT, /* a proof in `invariant`; once it is checked, `obligations` obligations hold */
    PROOF_ORDER,     /* a lock order in `order`; once it is checked, `obligations` waits respect it */
    PROOF_NOTHING,   /* the program has no error location */
    PROOF_RACE_FREE  /* no-data-race: a race proof by locks, creation and joins; `obligations` obligations hold */
} ProofKind;

/* Reasons of UNKNOWN, in ascending order of use for the reader. If engines have several reasons, the last one is reported. */
typedef enum UnknownReason {
    REASON_OTHER,        /* a failure, or no particular reason */
    REASON_LIMIT,        /* time or memory ran out */
    REASON_REFUSED,      /* the engine does not support a construct of the program */
    REASON_THREADS,      /* the program has too many threads */
    REASON_INPUTS,       /* an input has too many values to try them all */
    REASON_WEAK,         /* atomic accesses order too little for a proof over interleavings */
    REASON_BUFFER_BOUND, /* more delayed stores wait than the store buffers of the analysis hold */
    REASON_OMITTED,      /* an execution reaches code that is not modelled */
    REASON_ASSUMED       /* a trace reaches an error, but relies on behaviour that the translation added */
} UnknownReason;

typedef struct Verdict {
    VerdictKind kind;
    UnknownReason cause; /* UNKNOWN */
    bool race;           /* UNKNOWN under C11: the reason is a data race */
    char *reason;        /* UNKNOWN: one line for the user; malloced */
    Position position;   /* the place of the reason; no file: none */
    Trace
        *trace; /* UNSAFE, and UNKNOWN by REASON_ASSUMED. SAFE: a fault that makes it vacuous, if such a trace was found. Otherwise NULL */
    ProofKind proof; /* SAFE: the kind of the proof */
    bool vacuous;    /* SAFE: undefined behaviour precedes every assertion */
    char *cut;       /* SAFE, UNKNOWN: the first undefined behaviour at which executions ended, in words; malloced; NULL: none was found */
    Faults cut_by;   /* the faults of all undefined behaviour at which executions ended */
    uint64_t states;
    Proof *invariant;   /* PROOF_INVARIANT: the proof, in the process that found it … */
    char *sent;         /* … and its text (proof_text.h) in the process that checks it; malloced */
    uint64_t *order;    /* PROOF_ORDER: the lock order as numbers (lock_order.h); a vec */
    const char *engine; /* a literal: the engine that answered; NULL: no engine was needed. This and the next four members are not sent */
    Stats stats;        /* counters of that engine … */
    Stats explored;     /* … and of the engine explicit, if it took part */
    bool met_undefined; /* some engine met undefined behaviour */
    bool checked;       /* the obligations were discharged: an engine cannot set this for its own proof */
    uint64_t obligations;
    char *certificate;   /* malloced SMT-LIB; NULL if it was not requested */
    char *invariants;    /* malloced text for the reader */
    char **notes;        /* a vec of malloced lines: "executions end at the null dereference at a.c:3" */
    char **warnings;     /* a vec of malloced lines that even --quiet prints: "there is no assertion in the program" */
    Omission *omissions; /* a vec, of SAFE: what was left out on the way to the proof. The engine cannot set it */
    char *view;          /* malloced JSON: the proof by places in the source (explain/proof_view.h); NULL if it was not requested */
} Verdict;

/* Tells whether UNSAFE has a trace and no proof, UNKNOWN a reason, and a trace only with REASON_ASSUMED, and SAFE a trace only if it is vacuous. */
bool verdict_valid(const Verdict *);
Verdict *verdict_new(VerdictKind);
Verdict *verdict_unknown(Position, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Returns UNKNOWN with a message, where `where` ends the sentence before the code. */
Verdict *verdict_in(const char *message, const char *where);
void verdict_note(Verdict *, const char *format, ...) __attribute__((format(printf, 2, 3)));
void verdict_warn(Verdict *, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Adds the reason of another verdict and its place as a note, unless the verdict has this place or reason already. */
void verdict_note_reason(Verdict *, const Verdict *other);
/* Replaces the undefined behaviour at which executions end, and the notes about it. The other verdict gives its own away. */
void verdict_take_cut(Verdict *, Verdict *from);
static inline bool verdict_decides(const Verdict *v) { return v->kind != VERDICT_UNKNOWN; }
void verdict_free(Verdict *);
/* Send a verdict from the engine's process to the verifier. Strings in positions are interned into the Exprs. */
bool verdict_write(const Verdict *, FILE *);
Verdict *verdict_read(FILE *, Exprs *); /* NULL if the bytes are not a complete verdict */
