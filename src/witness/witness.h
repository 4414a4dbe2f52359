/* SPDX-License-Identifier: Apache-2.0 */
/* A witness as it is in a file (formats 2.0 to 2.2 of the Competition on Software Verification, or an automaton in GraphML): claims of others
   about a program, not believed before they are checked. */
#pragma once
#include "base/arena.h"
#include "base/buf.h"
#include "result/question.h"

typedef struct Spot {
    const char *file;      /* NULL: it does not say */
    unsigned line, column; /* column 0: it does not say */
    unsigned first, last;  /* of a target with a column: those of its statement; 0: any */
    const char *function;  /* NULL: it does not say */
} Spot;

typedef enum WayKind {
    WAY_ASSUME, /* the thread is before the statement, and the constraint holds */
    WAY_BRANCH, /* it decides here */
    WAY_ENTER,  /* it calls a function, or starts a thread */
    WAY_RETURN, /* a function returns, and the constraint holds */
    WAY_TARGET  /* the violation */
} WayKind;

typedef struct Way {
    WayKind kind;
    unsigned thread;  /* 0 is main, k the one started by the k-th WAY_ENTER that starts one */
    bool any_thread;  /* it does not say who */
    bool starts;      /* GraphML: this ENTER starts a thread … */
    bool anywhere;    /* … and a thread may be in the middle of the line */
    unsigned segment; /* those of one segment belong together */
    Spot spot;
    const char *constraint; /* NULL: none */
} Way;

typedef struct Invariant {
    bool loop; /* at a loop, else before a statement */
    Spot spot;
    const char *text;
} Invariant;

typedef struct Ghost {
    const char *name, *type, *initial;
} Ghost;

/* Done in one step with the statement. */
typedef struct GhostUpdate {
    Spot spot;
    const char *variable, *text;
} GhostUpdate;

typedef struct HashedFile {
    const char *name, *hash;
} HashedFile;

typedef struct Witness {
    bool violation;
    const char *specification; /* as it is written */
    const char *data_model;    /* NULL: it does not say */
    HashedFile *files;         /* a vec */
    Way *ways;                 /* a vec, of a violation */
    Invariant *invariants;     /* vecs, of a proof */
    Ghost *ghosts;
    GhostUpdate *updates;
} Witness;

typedef struct Witnesses {
    Arena *arena;
    Witness *list; /* a vec: one for each specification, in the order of the file */
} Witnesses;

/* What became of a witness of others. */
typedef enum WitnessStatus { STANDING_OPEN, STANDING_CONFIRMED, STANDING_REFUSED } WitnessStatus;

/* NULL: *error says what is wrong with the file. */
Witnesses *witnesses_read(const char *path, Buf *error);
Witnesses *witnesses_new(void); /* none yet */
void witnesses_free(Witnesses *);

/* ---- inside ---- */
Witness *witness_of(Witnesses *, bool violation, const char *specification); /* the one that there is, or a new one */
bool witness_graphml(Witnesses *, const char *path, const char *text, Buf *error);
