/* SPDX-License-Identifier: Apache-2.0 */
/* Reads witnesses from files: formats 2.0 to 2.2 of the Competition on Software Verification, or an automaton in GraphML. A witness is a
   claim of another tool, which must be checked. */
#pragma once
#include "base/arena.h"
#include "base/buf.h"
#include "result/question.h"

typedef struct Spot {
    const char *file;      /* NULL: not given */
    unsigned line, column; /* column 0: not given */
    unsigned first, last;  /* for a target or assumption with a column: the columns of its statement; 0: any */
    const char *function;  /* NULL: not given */
} Spot;

/* A part of a text. The character at the end does not belong to it. */
typedef struct TextRange {
    unsigned line, column, last_line, last_column; /* line 0: not known */
} TextRange;

typedef enum ClaimedWaypointKind {
    CLAIMED_ASSUME, /* the thread is before the statement, and the constraint holds */
    CLAIMED_BRANCH, /* the thread takes a branch */
    CLAIMED_ENTER,  /* the thread calls a function, or starts a thread */
    CLAIMED_RETURN, /* a function returns, and the constraint holds */
    CLAIMED_TARGET  /* the violation */
} ClaimedWaypointKind;

typedef struct ClaimedWaypoint {
    ClaimedWaypointKind kind;
    unsigned thread;  /* 0 is main, and k is the thread of the k-th CLAIMED_ENTER that starts a thread */
    bool any_thread;  /* the thread is not given */
    bool starts;      /* GraphML: this ENTER starts a thread */
    bool anywhere;    /* GraphML: the thread may be in the middle of the line */
    unsigned segment; /* index of its segment */
    Spot spot;
    const char *constraint; /* NULL: none */
    TextRange head, body;   /* of a branch: the condition, and the statement that runs if it holds */
} ClaimedWaypoint;

typedef struct Invariant {
    bool loop; /* at a loop; otherwise before a statement */
    Spot spot;
    const char *text;
} Invariant;

typedef struct Ghost {
    const char *name, *type, *initial;
} Ghost;

/* An assignment to a ghost variable, in one step with the statement. */
typedef struct GhostUpdate {
    Spot spot;
    const char *variable, *text;
} GhostUpdate;

typedef struct HashedFile {
    const char *name, *hash;
} HashedFile;

typedef struct Witness {
    bool violation;
    bool limited;              /* Heddle does not check all of its claims */
    const char *specification; /* as in the file */
    const char *data_model;    /* NULL: not given */
    HashedFile *files;         /* a vec */
    ClaimedWaypoint *ways;     /* a vec, of a violation */
    Invariant *invariants;     /* vecs, of a proof */
    Ghost *ghosts;
    GhostUpdate *updates;
} Witness;

typedef struct Witnesses {
    Arena *arena;
    Witness *list; /* a vec: one for each specification, in the order of the file */
} Witnesses;

/* The result of the check of a witness. */
typedef enum WitnessStatus { WITNESS_OPEN, WITNESS_CONFIRMED, WITNESS_REFUSED } WitnessStatus;

/* Reads the witnesses of a file. Returns NULL and sets *error if the file is wrong. */
Witnesses *witnesses_read(const char *path, Buf *error);
Witnesses *witnesses_new(void); /* an empty list */
void witnesses_free(Witnesses *);

/* ---- for read.c and graphml.c ---- */
Witness *witness_of(Witnesses *, bool violation, const char *specification); /* adds it if it is new */
bool witness_graphml(Witnesses *, const char *path, const char *text, Buf *error);
