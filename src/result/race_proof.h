/* SPDX-License-Identifier: Apache-2.0 */
/* A race proof claims that no two accesses race, by locks and by creation and joins of threads. doc/rules.md, "Accesses that cannot race", has the
   argument.

   The program becomes a set of threads, each a graph of locations and steps. A step has a list of events, which describe its effects on locks, on
   the results of attempts to lock, and on threads. Accesses belong to steps. A location of a thread has facts. A fact states that the thread holds
   a lock, that it holds a lock if a result is zero, or that another thread does not run. The file check/race_free.c checks the facts. Pairs that
   may still race are reported by race_pairs. */
#pragma once
#include "ir/program.h"
#include "result/race_holders.h"

enum { RACE_NONE = ~0u };

typedef enum RaceOp {
    RACE_ACQUIRE, /* lock a is acquired */
    RACE_RELEASE, /* lock a is released; RACE_NONE: the lock is not known, and the words of the classes in set b may be released */
    RACE_SMASH,   /* the words of the classes in set b may be written by other means, unless holder a points to an unescaped object */
    RACE_LOSE, /* from here on it is not known whether lock a is held, or which lock it is, unless holder b points to an unescaped object */
    RACE_TRY,  /* lock a is held if flag b is zero */
    RACE_NONZERO, /* flag b gets a value that is not zero */
    RACE_COPY,    /* flag b gets the value of flag a */
    RACE_FORGET,  /* flag b gets any value */
    RACE_ZERO,    /* the step is possible only if flag b is zero */
    RACE_CREATE,  /* thread a is created */
    RACE_JOIN,    /* thread a has ended, of which only one instance exists */
    /* Effects on claims about addresses (result/race_holders.h): */
    RACE_NEW,     /* an object of site a begins to live; holder b gets its address; RACE_NONE: no holder gets it */
    RACE_MOVE,    /* holder b gets the value of holder a */
    RACE_SHIFT,   /* holder b gets the value of holder a plus a constant */
    RACE_DERIVE,  /* holder b gets a value made of holder a and of its own value */
    RACE_CLEAR,   /* holder b gets a value that is made of no address of a site */
    RACE_TELL,    /* other threads may know a value computed from holder a */
    RACE_NULL,    /* the thread's next steps may depend on whether holder a is null */
    RACE_COMPARE, /* the thread's next steps may depend on the order of holders a and b */
    RACE_REACH    /* the thread accesses memory where holder a points */
} RaceOp;

struct RaceEvent {
    RaceOp op;
    unsigned a, b;
};

typedef struct RaceStep {
    unsigned source, target;
    unsigned action;   /* of the program before loops are unrolled */
    RaceEvent *events; /* a vec */
} RaceStep;

/* A lock as a thread knows it. Locks of one class may be the same word; locks of different classes are different words. */
typedef struct RaceLock {
    unsigned class_;
    bool fixed; /* all locks of the class are one word; otherwise the lock is at a fixed distance from an address that the thread has */
} RaceLock;

/* The thread holds the lock if the flag is zero. */
typedef struct RaceCondition {
    unsigned flag, lock;
} RaceCondition;

typedef struct RaceThread {
    const char *name;
    unsigned template_; /* of the same program */
    bool many;
    unsigned *parts; /* marked many: a thread without steps for each CREATE, if each CREATE is executed at most once; a vec */
    unsigned entry, locations;
    RaceLock *locks; /* vecs */
    RaceCondition *conditions;
    RaceStep *steps;
    RaceHolders holders;
    unsigned *sites; /* a vec, by site of the holders: the region of its objects */
    uint64_t *facts; /* by location, race_width words: locks, conditions, threads that do not run. An unreachable location has all facts. */
} RaceThread;

/* Ranges of `size` bytes of a region. The ranges begin at the offsets that are ≡ residue modulo modulus; modulus 0: only at residue. Size 0:
   without end. */
typedef struct RaceBytes {
    uint64_t region;
    uint64_t modulus, residue, size;
} RaceBytes;

/* A lock at a fixed distance from the accessed memory. Overlapping accesses with the same key have the same lock. */
typedef struct RaceGuard {
    unsigned lock, key;
} RaceGuard;

typedef struct RaceAccess {
    unsigned thread, step, before; /* before: the number of events of the step before the access */
    unsigned instr;
    bool writes, atomic, section;
    bool first;       /* no visible effect comes before it in its step */
    bool mutex;       /* the access takes or releases a mutex, and races only with … */
    bool life;        /* … the beginning or the end of the life of a mutex */
    bool own;         /* the access is to a thread's own object */
    bool wild;        /* the address is not known */
    bool allocates;   /* the access makes the object: no thread knows the address yet */
    unsigned holder;  /* the holder of the thread that points to the accessed place, or RACE_NONE */
    RaceBytes *bytes; /* vecs */
    RaceGuard *guards;
} RaceAccess;

typedef struct RaceProof {
    RaceThread *threads; /* vecs */
    RaceAccess *accesses;
    unsigned **sets;                 /* vecs of classes */
    const char **classes, **regions; /* names, for display */
    bool *published_relaxed;         /* by region: its address may be passed on to a thread without an order */
} RaceProof;

/* Tells whether all numbers of threads, locations, steps and locks are in range. */
bool race_proof_valid(const RaceProof *);
RaceProof *race_proof_new(void);
void race_proof_free(RaceProof *);

/* ---- facts have numbers: first locks, then conditions, then threads that do not run ---- */
unsigned race_width(const RaceProof *, unsigned thread); /* the number of words for the facts of a location */
static inline bool race_bit(const uint64_t *row, unsigned i) { return row[i / 64] >> i % 64 & 1; }
static inline void race_set(uint64_t *row, unsigned i, bool to) {
    row[i / 64] = (row[i / 64] & ~(UINT64_C(1) << i % 64)) | (uint64_t)to << i % 64;
}
unsigned race_facts(const RaceProof *, unsigned thread); /* the number of facts */
unsigned race_fact_lock(unsigned lock);
unsigned race_fact_condition(const RaceThread *, unsigned condition);
unsigned race_fact_absent(const RaceThread *, unsigned thread);
/* Returns the facts at a location. */
uint64_t *race_row(const RaceProof *, unsigned thread, unsigned location);

/* The creation of threads by threads. */
typedef struct RaceFamily {
    bool **descends; /* by thread, other thread: the first may create the second, directly or by threads that it creates */
    /* by thread, other thread: the second exists only if the first has created it in this way; the first has one instance */
    bool **depends;
} RaceFamily;
RaceFamily race_family(const RaceProof *);
void race_family_free(RaceFamily *);

/* True if the facts of `thread` imply that all parts of the thread `many` are absent. */
bool race_parts_absent(const RaceProof *, unsigned thread, unsigned many, const uint64_t *row);
/* True if the holder points to an unescaped object after the first `events` events of the step, and the object's address is not passed on
   weakly. Other threads then access the object only later, and observe its contents. */
bool race_hides(const RaceProof *, unsigned thread, const RaceStep *, unsigned events, unsigned holder);
/* True if the access comes before all accesses of other threads to its place, because it is to an unescaped object. */
bool race_is_early(const RaceProof *, const RaceAccess *);
/* True if the fact holds after the first `events` events of the step, provided that the facts at the step's source hold. */
bool race_holds(const RaceProof *, const RaceFamily *, unsigned thread, const RaceStep *, unsigned events, unsigned fact);
/* True if two sets of ranges of one region may have a byte in common. */
bool race_bytes_meet(const RaceBytes *, const RaceBytes *);
/* Calls `found` for each pair of accesses that may race by the facts. If `words` is not NULL, adds for each region why its accesses do not race. */
typedef void RaceFound(void *context, const RaceAccess *, const RaceAccess *);
void race_pairs(const RaceProof *proof, RaceFound *found, void *context, Buf *words);
