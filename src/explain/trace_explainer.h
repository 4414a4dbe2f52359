/* SPDX-License-Identifier: Apache-2.0 */
/* Declares the state that the files explain_*.c share while they make a counterexample: the replay so far, and the names of places and values.
   Private to these files. */
#pragma once
#include "base/map.h"
#include "check/replay.h"
#include "explain/explain_trace.h"
#include "ir/clocks.h"
#include "ir/layout.h"
#include "ir/shape.h"
#include "ir/wait.h"

/* A piece of allocated memory. */
typedef struct HeapPlace {
    uint64_t address, size;
    const Object *object;
    unsigned number;           /* 1, 2 … in the order of allocation, among allocations of the same name */
    uint64_t since;            /* TraceExplainer.now when it was allocated */
    unsigned allocator, freer; /* threads; freer is 0 until the memory is freed */
    Position allocated, freed;
} HeapPlace;

/* A thread holds a lock. */
typedef struct HeldLock {
    unsigned thread;
    enum { HELD_MUTEX, HELD_TO_READ, HELD_TO_WRITE } how;
    const Variable *variable; /* NULL if the lock has an address */
    uint64_t address;
    const char *name;
} HeldLock;

/* A write to memory or to a variable. */
typedef struct Written {
    const Variable *variable; /* or NULL: */
    uint64_t address, size;
    unsigned thread;
    Position position;
    bool destroys; /* it destroys a mutex */
} Written;

/* Names a variable or object of the counterexample. */
typedef struct Namesake {
    const char *name;
    const void *what; /* a Variable or an Object */
    unsigned thread;  /* its thread; 0: it is global */
    Position position;
} Namesake;

typedef struct TraceExplainer {
    const Program *program;
    const Question *question;
    Counterexample *counterexample;
    Layout *layout;
    Map *bytes;      /* address → 1 + the byte there; 0: not known */
    Map *variables;  /* global variable → index in values */
    Value *values;   /* a vec */
    HeapPlace *heap; /* a vec */
    uint64_t now;    /* the number of accesses so far, as the time */
    Map *written;    /* address or global variable → the time when it got its value */
    Map *inputs;     /* temporary and thread → 1: it holds an input */
    Map *bare;       /* local variable and thread → 1: it was never initialised */
    Map *own;        /* thread → the number of its steps */
    Map *waits;      /* thread → 1 + the steps of other threads when its wait for a condition variable began */
    Map *lines;      /* thread → a hash of its last line */
    size_t step;
    unsigned started; /* the number of threads so far */
    bool at_once;     /* this step flushes the store of the last step */
    const Trace *trace;
    ReplayStep before; /* data race: the step before the last … */
    Access *racing;    /* … and a vec of its accesses */
    HeldLock *held;    /* a vec: the locks that threads hold, without the effect of the two steps that race */
    Written *writes;   /* a vec: all writes so far, perhaps to a mutex */
    Clocks *clocks;    /* data race whose accesses are not adjacent: happens-before so far; otherwise NULL */
    uint64_t *asked;   /* a vec: threads that pthread_cancel asked to end */
    Namesake *named;   /* a vec: the variables and objects that the counterexample names */
    bool again;        /* `named` is complete: this is the second pass over the trace */
} TraceExplainer;

/* Returns the key of a thread's local variable in a map. */
static inline uint64_t local_key(const Variable *v, unsigned thread) { return hash_word(map_key(v)) + thread; }
const char *kept(TraceExplainer *, Buf *text); /* returns a copy in the counterexample's arena, and frees the buffer */
/* Returns a value as C writes it. `kind` is that of a shape: i, u, f, p; 0 if it is not known. `then`: the time when the value was written. */
const char *value_text(TraceExplainer *, const Sort *, Value, char kind, uint64_t then);
void note_named(TraceExplainer *, const Access *);
bool names_differ(const TraceExplainer *); /* true if two of them share a name */
/* Adds " (thread 2)" or a place to a name that several variables or objects of the counterexample share. */
void put_which(const TraceExplainer *, Buf *, const Variable *, const Object *, uint64_t address);
/* Returns the name of the accessed place. Sets *hidden for a read or write of a member of a library's type; the name is then that of the whole. */
const char *access_name(TraceExplainer *, const Access *, bool *hidden);
/* Returns the name of the object of a library's type that is accessed, and in *part the library's name of the member (__data.__lock). NULL: the
   object has another type. */
const char *library_place(TraceExplainer *, const Access *, const char **part);
/* Returns the name of a variable, or of the memory at an address: m[1]. A member of a library's type has the name of the whole. NULL: no memory has
   the address. */
const char *place_name(TraceExplainer *, const Variable *, uint64_t address);
/* Returns the values of several members: {a = 1, next = NULL}. `shape` is that of a struct of scalars. */
const char *members_text(TraceExplainer *, const char *shape, uint64_t size, Value, uint64_t then);
/* Returns the shape of the accessed members if the access has several; otherwise NULL. */
const char *access_members(TraceExplainer *, const Access *);
const Sort *access_sort(const Access *); /* the sort of the value read or written; NULL if it is not known */
char access_kind(const Access *);        /* its kind as in a shape; 0 if it is not known */
/* Find the value that the place of the access, or a variable, had before. False: it is not known. */
bool memory_before(const TraceExplainer *, const Access *, Value *);
bool variable_before(const TraceExplainer *, const Variable *, Value *);
uint64_t written_at(const TraceExplainer *, const Access *);                 /* the time when the place got its value */
void forget(TraceExplainer *, uint64_t address, uint64_t size, bool zeroed); /* forgets the contents of memory whose life begins */
void remember(TraceExplainer *, const Access *);                             /* records the value read or written */
void add_heap_place(TraceExplainer *, const Access *, unsigned thread, Position);
void end_heap_place(TraceExplainer *, const Access *, unsigned thread, Position); /* records that it is freed */
const char *address_before(TraceExplainer *, const Access *); /* the earlier allocation whose address this one reuses; NULL: none */

const Activation *own_activation(Position);           /* the call of the program's own function; NULL: not known */
const char *callers_text(TraceExplainer *, Position); /* "push:28 ← main:40"; NULL if the function has no callers */

/* ---- explain_sync.c ---- */
void note_held(TraceExplainer *, unsigned thread, const Access *);              /* updates the locks that threads hold */
void note_written(TraceExplainer *, unsigned thread, const Access *, Position); /* records a write */
/* Returns the fault. If it is the use of a destroyed mutex that no thread has destroyed, returns FAULT_MUTEX. */
Fault told_fault(const TraceExplainer *, const ReplayStep *);
/* Marks the event if it begins or ends a wait for a condition variable. */
void note_wait(TraceExplainer *, const Access *, unsigned thread, TraceLineEvent *);
/* Describes an access by which a library function changes a synchronisation object. SYNC_TOLD: *e is the event. SYNC_HIDDEN: the access is not
   shown. SYNC_NONE: another access. */
typedef enum SyncEvent { SYNC_NONE, SYNC_TOLD, SYNC_HIDDEN } SyncEvent;
SyncEvent sync_event(TraceExplainer *, const Access *, TraceLineEvent *);
void put_awaited(TraceExplainer *, Buf *, Machine *, const State *, const Wait *); /* adds the object that a library function waits for */

void tell_mutex(TraceExplainer *, const ReplayStep *fault); /* adds the name of a misused mutex, and who destroyed it */

/* ---- explain_end.c ---- */
void put_thread(TraceExplainer *, Buf *, unsigned thread);
/* Describes the end of the trace, if this is one of its last steps. The counterexample has the events of the step already. */
void tell_end(TraceExplainer *, Machine *, const ReplayStep *, const Trace *);
void tell_memory(TraceExplainer *, const StepResult *fault); /* adds the threads that allocated and freed the memory of a fault */
/* Records which local variables are uninitialised after the step, or before its instruction `until` unless that is NULL. */
void note_bare(TraceExplainer *, const ReplayStep *, const Instr *until);
void tell_bare(TraceExplainer *, const ReplayStep *); /* reports a faulty access through an uninitialised pointer */
/* ---- explain_operands.c ---- */
void tell_operands(TraceExplainer *, Machine *, const ReplayStep *); /* adds the operands of an arithmetic fault */
void tell_start(TraceExplainer *, const Trace *);                    /* describes the end of a trace without steps */
