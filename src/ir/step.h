/* SPDX-License-Identifier: Apache-2.0 */
/* The concrete semantics: one machine for replaying counterexamples, for the explicit engine, for random testing
   and for the front end's own tests. A Machine is a program compiled for execution; a State is one configuration of it.
   Faults (undefined behaviour) are noticed, never executed: a step that faults changes nothing. */
#ifndef HEDDLE_IR_STEP_H
#define HEDDLE_IR_STEP_H
#include "ir/program.h"

typedef struct Machine Machine;
typedef struct State State;

Machine *machine_new(const Program *);
void machine_free(Machine *);

/* ---- choices: the nondeterminism inside a step ---- */
typedef enum ChoiceKind {
    CHOICE_VALUE, /* any value of `sort` (HAVOC; an undefined value read; a global without initialiser) */
    CHOICE_ONE_OF /* 0 … count-1 (where ALLOC puts the instance; 0 is a fresh place) */
} ChoiceKind;
typedef struct Choice {
    ChoiceKind kind;
    const Sort *sort;
    uint64_t count;
    const Instr *instr; /* NULL at the initial state */
    bool undefined;     /* VALUE of something uninitialised */
} Choice;
typedef struct Chooser {
    u128 (*choose)(void *context, const Choice *);
    void *context;
} Chooser;

/* ---- what a step did, for people and for partial order reduction ---- */
typedef enum AccessKind { ACCESS_READ, ACCESS_WRITE, ACCESS_LOCK, ACCESS_UNLOCK, ACCESS_ALLOC, ACCESS_FREE, ACCESS_CREATE, ACCESS_JOIN } AccessKind;
typedef struct Access {
    AccessKind kind;
    bool shared;              /* another thread could see it */
    const Variable *variable; /* or, if NULL, memory: */
    uint64_t address, size;   /* CREATE, JOIN: the other thread's number in address */
    const Object *object;     /* that address lies in, and the offset in it; NULL if unknown */
    unsigned instance;        /* of a heap object: 1, 2 … in order of allocation place */
    uint64_t offset;
    Value value;              /* read or written */
    const Instr *instr;
} Access;
typedef struct Accesses {
    Access *list; /* a vec; machine_step appends */
} Accesses;

State *state_initial(Machine *, const Chooser *);
State *state_copy(Machine *, const State *);
void state_assign(Machine *, State *to, const State *from);
void state_free(Machine *, State *);

unsigned state_threads(const State *);                          /* created so far: numbers 1 … n */
unsigned state_template(const State *, unsigned thread);
unsigned state_location(const State *, unsigned thread);        /* index in its template */
bool state_halted(const Machine *, const State *);              /* some thread is at a HALT location */
/* The thread that holds the atomic section (is at an atomic location), or 0. */
unsigned state_atomic_thread(const Machine *, const State *);
Value state_variable(const Machine *, const State *, const Variable *, unsigned thread); /* thread: for locals */

typedef enum StepStatus {
    STEP_DONE,
    STEP_DISABLED, /* guard or an assume false, lock taken, joined thread still running, or another thread is in an
                      atomic section, or the process has ended */
    STEP_FAULT     /* undefined behaviour; the state is unchanged */
} StepStatus;
typedef struct StepResult {
    StepStatus status;
    Fault fault;
    const Instr *instr; /* at fault; NULL: the guard */
    bool blocked;       /* DISABLED by a lock, a join or an atomic section, not by data */
} StepResult;

/* Take this action of this thread. accesses may be NULL. */
StepResult machine_step(Machine *, State *, unsigned thread, unsigned action, const Chooser *, Accesses *accesses);

/* A canonical encoding of the state: equal bytes iff equal states. Appends to the Buf. */
void state_encode(const Machine *, const State *, Buf *);
void state_decode(Machine *, State *, const void *bytes, size_t size);

#endif
