/* SPDX-License-Identifier: Apache-2.0 */
/* What an engine answers. SAFE and UNSAFE are claims until check/ has accepted their witness. */
#pragma once
#include "base/stats.h"
#include "result/proof.h"
#include "result/question.h"
#include "result/trace.h"
#include <stdio.h>

typedef enum VerdictKind { VERDICT_UNKNOWN, VERDICT_SAFE, VERDICT_UNSAFE } VerdictKind;

typedef enum ProofKind {
    PROOF_NONE,
    PROOF_EXHAUSTED, /* every reachable state was visited; `states` of them */
    PROOF_INVARIANT, /* `invariant`; once checked, `obligations` of it hold */
    PROOF_ORDER,     /* `order`; once checked, `obligations` waits keep to it */
    PROOF_NOTHING,   /* there is no error location */
    PROOF_RACE_FREE  /* no-data-race: locks, creation and joins keep all accesses apart; `obligations` of it hold */
} ProofKind;

/* Why it is not known, the least first: where several say why, the last is what a user can best do something about. */
typedef enum UnknownReason {
    REASON_OTHER,        /* a failure, or no idea */
    REASON_LIMIT,        /* time or memory */
    REASON_REFUSED,      /* the program has something that the engine does not take */
    REASON_THREADS,      /* too many threads */
    REASON_INPUTS,       /* too many values to try them all */
    REASON_WEAK,         /* atomic accesses order too little for what was proved of interleavings */
    REASON_BUFFER_BOUND, /* more stores wait than are followed */
    REASON_OMITTED,      /* an execution reaches what is not modelled */
    REASON_ASSUMED       /* there is an error, if something is so that is not known: the trace shows it */
} UnknownReason;

typedef struct Verdict {
    VerdictKind kind;
    UnknownReason cause; /* of UNKNOWN */
    bool race;           /* of UNKNOWN under C11: the reason is a data race */
    char *reason;        /* of UNKNOWN: one line a user understands; malloced */
    Position position;   /* of the reason, if it has one */
    Trace *
        trace; /* of UNSAFE; of UNKNOWN by REASON_ASSUMED; of SAFE that is vacuous, if one was found: its last step is a fault; else NULL */
    ProofKind proof; /* of SAFE */
    bool vacuous;    /* of SAFE: undefined behaviour comes before any assertion */
    char *cut;     /* of SAFE and UNKNOWN: undefined behaviour at which executions end, the first that was met; malloced; NULL: none was */
    Faults cut_by; /* all that were met */
    uint64_t states;
    Proof *invariant;   /* where it was found; … */
    char *sent;         /* … elsewhere, as text (proof_text.h): to be checked there; malloced */
    uint64_t *order;    /* of PROOF_ORDER: an order of locks, as it is sent (lock_order.h); a vec */
    const char *engine; /* a literal: who answered; NULL: nobody had to. Not sent, like the rest: */
    Stats stats;        /* counted by that engine … */
    Stats explored;     /* … and by the one that visits states, if it took part */
    bool met_undefined; /* some engine met undefined behaviour */
    bool checked;       /* the obligations were discharged. Not sent: nobody vouches for himself */
    uint64_t obligations;
    char *certificate; /* malloced SMT-LIB; NULL if nobody asked */
    char *invariants;  /* malloced: for display */
    char **notes;      /* a vec of malloced lines worth telling: "executions end at the null dereference at a.c:3" */
    char **warnings;   /* likewise, told in any case: "there is no assertion in the program" */
    char *view;        /* malloced JSON: the proof by places in the source (explain/proof_view.h); NULL if nobody asked */
} Verdict;

/* UNSAFE has a trace and no proof, UNKNOWN a reason, and a trace only if it is assumed; the trace of SAFE shows that it is vacuous. */
bool verdict_valid(const Verdict *);
Verdict *verdict_new(VerdictKind);
Verdict *verdict_unknown(Position, const char *format, ...) __attribute__((format(printf, 2, 3)));
void verdict_note(Verdict *, const char *format, ...) __attribute__((format(printf, 2, 3)));
void verdict_warn(Verdict *, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The reason of another, with its place, unless it speaks of the same place or says the same. */
void verdict_note_reason(Verdict *, const Verdict *other);
static inline bool verdict_decides(const Verdict *v) { return v->kind != VERDICT_UNKNOWN; }
void verdict_free(Verdict *);
/* Between the engine's process and ours. Strings in positions are interned into exprs. */
bool verdict_write(const Verdict *, FILE *);
Verdict *verdict_read(FILE *, Exprs *); /* NULL if what is there is not a whole verdict */
