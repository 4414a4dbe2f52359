/* SPDX-License-Identifier: Apache-2.0 */
/* Why no two accesses race: what a program does with locks and threads, and facts about it. doc/rules.md, "Accesses that cannot race", has the argument.

   The program is seen as threads, each a graph of locations and steps. A step has events, in order: what it does to locks, to the results of
   attempts to lock, and to threads. Accesses belong to steps. At each location of a thread facts are claimed: locks that it holds there, locks that it holds if
   a result is zero, threads that do not run then. check/race_free.c looks whether they hold; race_pairs says which accesses they do not keep apart. */
#pragma once
#include "ir/program.h"

enum { RACE_NONE = ~0u };

typedef enum RaceOp {
    RACE_ACQUIRE, /* lock a */
    RACE_RELEASE, /* lock a, or RACE_NONE: one that is not known; the words of the classes in set b may be released */
    RACE_SMASH,   /* the words of the classes in set b may be written otherwise */
    RACE_LOSE,    /* it is not known any more whether lock a is held, or which one it is */
    RACE_TRY,     /* lock a is held if flag b is zero */
    RACE_NONZERO, /* flag b gets a value that is not zero */
    RACE_COPY,    /* flag b gets the value of flag a */
    RACE_FORGET,  /* flag b gets any value */
    RACE_ZERO,    /* flag b is zero: otherwise the step is not taken */
    RACE_CREATE,  /* thread a begins */
    RACE_JOIN     /* thread a, one of a kind, has ended */
} RaceOp;

typedef struct RaceEvent {
    RaceOp op;
    unsigned a, b;
} RaceEvent;

typedef struct RaceStep {
    unsigned source, target;
    unsigned action;   /* of the program that is meant, with its template: */
    RaceEvent *events; /* a vec */
} RaceStep;

/* A lock as a thread knows it. Locks of one class may be the same word; those of different classes are not. */
typedef struct RaceLock {
    unsigned class_;
    bool fixed; /* all locks of the class are one word. Otherwise it is one at some distance from an address that the thread holds. */
} RaceLock;

/* The lock is held if the flag is zero. */
typedef struct RaceCondition {
    unsigned flag, lock;
} RaceCondition;

typedef struct RaceThread {
    const char *name;
    unsigned template_; /* of the program that is meant */
    bool many;
    unsigned *parts; /* of many: the threads that each CREATE makes, if each is one, as threads that do nothing themselves. A vec */
    unsigned entry, locations;
    RaceLock *locks; /* vecs */
    RaceCondition *conditions;
    RaceStep *steps;
    uint64_t *facts; /* by location, `width` words: locks, conditions, threads that do not run. Where nothing gets to, all. */
} RaceThread;

/* Bytes of a region whose offset is ≡ residue modulo modulus (0: exactly), and the size - 1 bytes behind them; size 0: all behind. */
typedef struct RaceBytes {
    uint64_t region;
    uint64_t modulus, residue, size;
} RaceBytes;

/* A lock that lies at a fixed distance from what is accessed: where two accesses with the same key meet in memory, their locks are the same. */
typedef struct RaceGuard {
    unsigned lock, key;
} RaceGuard;

typedef struct RaceAccess {
    unsigned thread, step, before; /* so many events of the step come before it */
    unsigned instr;
    bool writes, atomic, section;
    bool first;       /* nothing that others can see comes before it in its step */
    bool own;         /* in an object that each thread has for itself */
    bool wild;        /* anywhere */
    RaceBytes *bytes; /* vecs */
    RaceGuard *guards;
} RaceAccess;

typedef struct RaceProof {
    RaceThread *threads; /* vecs */
    RaceAccess *accesses;
    unsigned **sets;                 /* of classes */
    const char **classes, **regions; /* names, for display */
    bool *early; /* by region: some of it is accessed, too, before others know it, and they see that done; those are no accesses here */
} RaceProof;

/* Numbers of threads, locations, steps, locks and flags are of things that exist. */
bool race_proof_valid(const RaceProof *);
RaceProof *race_proof_new(void);
void race_proof_free(RaceProof *);

/* ---- facts: by number, those of locks, then of conditions, then of threads that do not run ---- */
unsigned race_width(const RaceProof *, unsigned thread); /* words of the facts at a location */
static inline bool race_bit(const uint64_t *row, unsigned i) { return row[i / 64] >> i % 64 & 1; }
static inline void race_set(uint64_t *row, unsigned i, bool to) {
    row[i / 64] = (row[i / 64] & ~(UINT64_C(1) << i % 64)) | (uint64_t)to << i % 64;
}
unsigned race_facts(const RaceProof *, unsigned thread); /* how many there are */
unsigned race_fact_lock(unsigned lock);
unsigned race_fact_condition(const RaceThread *, unsigned condition);
unsigned race_fact_absent(const RaceThread *, unsigned thread);
uint64_t *race_row(const RaceProof *, unsigned thread, unsigned location);

/* Who brings whom into being. */
typedef struct RaceFamily {
    bool **descends; /* by thread, other: it may create the other, or what it creates may */
    bool **depends;  /* …: the other is there only if it, one of a kind, has brought it into being */
} RaceFamily;
RaceFamily race_family(const RaceProof *);
void race_family_free(RaceFamily *);

/* Are all parts of a thread absent, by these facts? */
bool race_parts_absent(const RaceProof *, unsigned thread, unsigned many, const uint64_t *row);
/* Does the fact hold when so many events of the step are done, if what is claimed of its source holds there? */
bool race_holds(const RaceProof *, const RaceFamily *, unsigned thread, const RaceStep *, unsigned events, unsigned fact);
/* May two ranges of bytes of one region have a byte in common? */
bool race_bytes_meet(const RaceBytes *, const RaceBytes *);
/* Every two accesses that the facts do not keep apart. Words of display's, if wanted: what keeps the accesses of each region apart. */
typedef void RaceFound(void *context, const RaceAccess *, const RaceAccess *);
void race_pairs(const RaceProof *proof, RaceFound *found, void *context, Buf *words);
