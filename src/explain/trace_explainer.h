/* SPDX-License-Identifier: Apache-2.0 */
/* What the files that tell a counterexample share: what was seen so far, and how places and values are called then. Private to tell*.c. */
#pragma once
#include "base/map.h"
#include "check/replay.h"
#include "explain/explain_trace.h"
#include "ir/clocks.h"
#include "ir/layout.h"
#include "ir/shape.h"
#include "ir/wait.h"

typedef struct HeapPlace {
    uint64_t address, size;
    const Object *object;
    unsigned number;           /* 1, 2 … of those of its site, in the order of allocation */
    uint64_t since;            /* TraceExplainer.now when it was allocated */
    unsigned allocator, freer; /* threads; 0: it is not freed */
    Position allocated, freed;
} HeapPlace;

/* A lock that a thread holds. */
typedef struct HeldLock {
    unsigned thread;
    enum { HELD_MUTEX, HELD_TO_READ, HELD_TO_WRITE } how;
    const Variable *variable; /* or NULL: */
    uint64_t address;
    const char *name;
} HeldLock;

/* Something that has a name. */
typedef struct Namesake {
    const char *name;
    const void *what; /* a Variable or an Object */
    unsigned thread;  /* whose it is; 0: everybody's */
    Position position;
} Namesake;

typedef struct TraceExplainer {
    const Program *program;
    const Question *question;
    Counterexample *counterexample;
    Layout *layout;
    Map *bytes;      /* address → 1 + byte, of what was seen */
    Map *variables;  /* global variable → index in values, plus 1 */
    Value *values;   /* a vec */
    HeapPlace *heap; /* a vec */
    uint64_t now;    /* accesses seen */
    Map *written;    /* address or global variable → now, when it got its value */
    Map *inputs;     /* temporary and thread → 1: it holds a value from outside */
    Map *bare;       /* local variable and thread → 1: it was never initialised */
    Map *own;        /* thread → steps that it has taken */
    Map *waits;      /* thread → steps that the others had taken when it began to wait for a condition variable, plus 1 */
    Map *lines;      /* thread → a hash of the line where it was last */
    size_t step;
    unsigned started; /* threads, so far */
    bool at_once;     /* the store of the last step arrives in this one */
    const Trace *trace;
    ReplayStep before; /* of a race, the step before the last … */
    Access *racing;    /* … and what it accessed, a vec */
    HeldLock *held;    /* a vec: so far, but for these two */
    Clocks *clocks;    /* of a race of what never meets; else NULL */
    uint64_t *asked;   /* a vec: threads that were asked to end (pthread_cancel) */
    Namesake *named;   /* a vec: what the counterexample is about */
    bool again;        /* it is complete: the counterexample is told again */
} TraceExplainer;

/* The key of a thread's local variable in a map. */
static inline uint64_t local_key(const Variable *v, unsigned thread) { return hash_word(map_key(v)) + thread; }
const char *kept(TraceExplainer *, Buf *text); /* a copy in the counterexample's arena; the buffer is freed */
const char *value_text(TraceExplainer *, const Sort *, Value, char kind,
                       uint64_t then); /* kind as in shapes: i, u, f, p; 0 if it is not known */
void note_named(TraceExplainer *, const Access *);
bool names_differ(const TraceExplainer *); /* some have one name */
/* Which one it is, " (thread 2)", if others of its name are in the counterexample. */
void put_which(const TraceExplainer *, Buf *, const Variable *, const Object *, uint64_t address);
const char *access_name(TraceExplainer *, const Access *, bool *hidden);
/* Of an access inside of one of the library's types: the name of the whole, and the library's of the part (__data.__lock); NULL: it is none. */
const char *library_place(TraceExplainer *, const Access *, const char **part);
/* A variable, or the memory at an address, as a name: m[1]; what is in the library's types by that of the whole. NULL: nothing is there. */
const char *place_name(TraceExplainer *, const Variable *, uint64_t address);
/* The value of several members at once: {a = 1, next = NULL}. shape: of a struct of scalars. */
const char *members_text(TraceExplainer *, const char *shape, uint64_t size, Value, uint64_t then);
/* The shape of what is accessed, if it is several members; NULL if not. */
const char *access_members(TraceExplainer *, const Access *);
const Sort *access_sort(const Access *);
char access_kind(const Access *);
/* What was there before, if it is known. */
bool memory_before(const TraceExplainer *, const Access *, Value *);
bool variable_before(const TraceExplainer *, const Variable *, Value *);
uint64_t written_at(const TraceExplainer *, const Access *);                 /* when the place got the value that is there */
void forget(TraceExplainer *, uint64_t address, uint64_t size, bool zeroed); /* memory that begins to live */
void remember(TraceExplainer *, const Access *);
void add_heap_place(TraceExplainer *, const Access *, unsigned thread, Position);
void end_heap_place(TraceExplainer *, const Access *, unsigned thread, Position); /* it is freed */
const char *address_before(TraceExplainer *, const Access *);                     /* what an allocation has the address of; NULL: nothing */

const Activation *own_activation(Position);           /* of the program's own function; NULL: not known */
const char *callers_text(TraceExplainer *, Position); /* "push:28 ← main:40"; NULL: nobody called it */

/* ---- tell_sync.c ---- */
void note_held(TraceExplainer *, unsigned thread, const Access *);
void note_wait(TraceExplainer *, const Access *, unsigned thread, TraceLineEvent *);
void note_exchange(const Machine *, const ReplayStep *, const Access *, TraceLineEvent *);
/* Is the access what a function of the library does to what threads synchronise by, and is that worth telling? */
typedef enum SyncEvent { SYNC_NONE, SYNC_TOLD, SYNC_HIDDEN } SyncEvent;
SyncEvent sync_event(TraceExplainer *, const Access *, TraceLineEvent *);
void put_awaited(TraceExplainer *, Buf *, Machine *, const State *, const Wait *); /* what a library function waits for */

void tell_mutex(TraceExplainer *, const StepResult *fault); /* which one is misused */

/* ---- tell_end.c ---- */
void put_thread(TraceExplainer *, Buf *, unsigned thread);
/* What the trace ends with, if this is one of its last steps; the step is told already. */
void tell_end(TraceExplainer *, Machine *, const ReplayStep *, const Trace *);
void tell_memory(TraceExplainer *, const StepResult *fault); /* of what is accessed in vain: who allocated it, and freed it */
void note_bare(TraceExplainer *, const ReplayStep *,
               const Instr *until); /* which variables are not initialised after the step, or before this instruction of it */
void tell_bare(TraceExplainer *, const ReplayStep *); /* of an access in vain: through such a one */
/* ---- tell_operands.c ---- */
void tell_operands(TraceExplainer *, Machine *, const ReplayStep *); /* arithmetic that is not defined: with which numbers */
void tell_start(TraceExplainer *, const Trace *);                    /* the same, of a trace that has no steps */
