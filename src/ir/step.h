/* SPDX-License-Identifier: Apache-2.0 */
/* Executes programs concretely, one step at a time. Replay of counterexamples, the explicit engine, random testing and the tests of the
   front end share this interpreter. A Machine is a program compiled for execution. A State is one configuration of it. Faults (undefined
   behaviour) are reported and never executed: a step that faults changes nothing. */
#pragma once
#include "ir/program.h"

typedef struct Machine Machine;
typedef struct State State;

/* The parts of the property valid-memsafety. 0 stands for PARTS_USUAL. */
enum {
    PART_DEREF = 1,
    PART_FREE = 2,
    PART_MEMTRACK = 4,   /* no memory is lost: something points to all that is allocated */
    PART_MEMCLEANUP = 8, /* no memory is left when the process ends */
    PARTS_USUAL = PART_DEREF | PART_FREE | PART_MEMTRACK,
    NPARTS = 4
};
static inline bool parts_have(unsigned parts, unsigned some) { return (parts ? parts : PARTS_USUAL) & some; }

/* Selects checks that do not follow from the program alone. */
typedef struct MachineRules {
    bool misuse;    /* misuse of a mutex is a fault; if false, such a step has no effect */
    unsigned parts; /* the parts of valid-memsafety for which state_leak searches */
} MachineRules;

/* Compiles the program, which must not change while the machine lives. */
Machine *machine_new(const Program *, MachineRules);
void machine_free(Machine *);

/* After machine_watch_copies, machine_copies_differ returns true once an undefined byte and its copy were read with different values. */
void machine_watch_copies(Machine *);
bool machine_copies_differ(const Machine *);

/* ---- choices: the nondeterminism inside a step ---- */
typedef enum ChoiceKind {
    CHOICE_VALUE,  /* any value of `sort` (HAVOC; an undefined value that is read; a global without initialiser). `sort` is never an array:
                      an array is a choice of the default element, a COUNT n, and then n pairs of choices: index and element */
    CHOICE_ONE_OF, /* 0 … count-1 (where ALLOC puts the instance; 0 is a fresh place) */
    CHOICE_COUNT   /* 0 or more: how many elements of an array are chosen individually */
} ChoiceKind;
typedef struct Choice {
    ChoiceKind kind;
    const Sort *sort;
    uint64_t count;
    const Instr *instr;       /* NULL at the initial state and in a guard */
    bool undefined;           /* VALUE of uninitialised data; if only some bytes are undefined: these bytes, lowest first */
    const Variable *variable; /* the local that is undefined, or the global without initialiser; NULL: memory, or not undefined */
} Choice;
typedef struct Chooser {
    u128 (*choose)(void *context, const Choice *);
    void *context;
} Chooser;

/* ---- the accesses of a step, for display and for partial-order reduction ---- */
typedef enum AccessKind {
    ACCESS_READ,
    ACCESS_WRITE,
    ACCESS_LOCK,
    ACCESS_UNLOCK,
    ACCESS_ALLOC,
    ACCESS_FREE,
    ACCESS_CREATE,
    ACCESS_JOIN
} AccessKind;
typedef struct Access {
    AccessKind kind;
    bool shared;              /* another thread could see it */
    bool chosen;              /* at least a part of the value was undefined, and the read has chosen it */
    bool undefined;           /* at least a part of the value is undefined, so `value` is meaningless */
    bool atomic;              /* a C11 atomic access: two of these do not race */
    bool buffered;            /* WRITE: the store waits in the thread's store buffer; READ: the value comes from there */
    bool arrives;             /* WRITE: a waiting store arrives in memory */
    const Variable *variable; /* the variable that is accessed; NULL: memory, as follows */
    uint64_t address, size;   /* CREATE, JOIN: the other thread's number in address */
    const Object *object;     /* the object in which address lies at `offset`; NULL if unknown */
    unsigned instance;        /* of a heap object: 1, 2 … in order of allocation place; of a thread's object: its thread, or 0: this one */
    uint64_t offset;
    Value value; /* read or written */
    const Instr *instr;
} Access;
typedef struct Accesses {
    Access *list; /* a vec; machine_step appends */
} Accesses;

State *state_initial(Machine *, const Chooser *);
State *state_copy(Machine *, const State *);
void state_assign(Machine *, State *to, const State *from);
void state_free(Machine *, State *);

unsigned state_threads(const State *); /* the number n of threads created so far; they are numbered 1 … n */
unsigned state_template(const State *, unsigned thread);
unsigned state_location(const State *, unsigned thread);           /* the index in its template */
bool state_ended(const Machine *, const State *, unsigned thread); /* the thread is at an END location */
bool state_halted(const Machine *, const State *);                 /* a thread is at a HALT location */
/* Returns the thread that is in an atomic section (at an atomic location), or 0. */
unsigned state_atomic_thread(const Machine *, const State *);
Value state_variable(const Machine *, const State *, const Variable *, unsigned thread); /* thread: for locals */
/* Reads up to 16 bytes of a global object. Returns false if some of them are undefined, or the object is of another kind. */
bool state_bytes(const Machine *, const State *, const Object *, uint64_t offset, uint64_t size, u128 *bits);

typedef enum StepStatus {
    STEP_DONE,
    STEP_DISABLED, /* the guard or an assume is false, a lock is held, a joined thread still runs, another thread is in an
                      atomic section, or the process has ended */
    STEP_FAULT     /* undefined behaviour; the state is unchanged */
} StepStatus;
typedef struct StepResult {
    StepStatus status;
    Fault fault;
    const Instr *instr; /* the instruction at fault; NULL: the guard */
    uint64_t address;   /* of the access at fault, or of the lock that blocks; 0: a variable, or no access */
    bool blocked;       /* DISABLED by a lock, a join, an atomic section or the wait of a library function, and not by data … */
    unsigned blocker;   /* … and by this thread: owner of the lock, thread to join, thread in its section; 0: no particular one */
} StepResult;

/* Executes this action of this thread. Appends its accesses to *accesses, which may be NULL. A blocked step has appended those that it
   made before it blocked. */
StepResult machine_step(Machine *, State *, unsigned thread, unsigned action, const Chooser *, Accesses *accesses);

/* ---- weak memory: programs under TSO or PSO ----
   The stores that wait in the buffer of a thread are numbered from 0, the oldest. */
unsigned state_buffered_stores(const State *, unsigned thread);
/* Moves the n-th waiting store of the thread to memory. DISABLED if it does not exist, or another store has to arrive first. *stored
   becomes the action that made the store. */
StepResult machine_flush(Machine *, State *, unsigned thread, unsigned n, Accesses *, const Action **stored);

/* Appends a canonical encoding of the state to the Buf: equal bytes iff equal states of this machine. */
void state_encode(const Machine *, const State *, Buf *);
void state_decode(Machine *, State *, const void *bytes, size_t size);

/* ---- states as tuples of components, for engines that store many states ----
   A state consists of components (the global variables, each thread, each heap object …) that are encoded separately. A step changes few
   of them. A store gives equal bytes equal numbers, never 0. The state remembers the numbers of its components until they change, so
   only changed components are encoded again. Therefore a state works with one store in its life. */
typedef struct ComponentStore {
    uint32_t (*put)(void *context, const void *bytes, size_t size);
    const void *(*get)(void *context, uint32_t id, size_t *size);
    void *context;
} ComponentStore;
size_t state_tuple_length(const State *);
void state_to_tuple(Machine *, State *, const ComponentStore *, uint32_t *tuple);
void state_from_tuple(Machine *, State *, const ComponentStore *, const uint32_t *tuple, size_t length);

/* ---- footprints: the shared data that steps touch, as sets of hashed names ----
   Steps whose footprints do not conflict commute. Two
   data may share a bit, which only makes more steps seem to conflict. */
typedef struct Footprint {
    u128 read, write;
} Footprint;
static inline bool footprints_conflict(Footprint a, Footprint b) { return (a.write & (b.read | b.write)) || (a.read & b.write); }
static inline void footprint_add(Footprint *to, Footprint more) {
    to->read |= more.read;
    to->write |= more.write;
}
/* After this call every attempted step adds its footprint to *sum. A disabled step adds the data that disabled it. NULL ends this. */
void machine_track(Machine *, Footprint *sum);
u128 machine_end_bits(void); /* the bits for the ends of threads */
/* Returns all that the instruction may touch in any state. instr NULL stands for the guard and the arrival at the target. */
Footprint machine_may_touch(const Machine *, const Template *, const Action *, const Instr *);
/* Returns the same, but leaves out the memory at the addresses of the instruction. A caller that knows better where these point composes
   the bits of memory itself, with the four functions below. The first returns the bits of bytes of an object outside the heap. The
   second counts the bits that are in use for other data. The third returns the n-th bit for memory, in turn. The fourth returns all bits
   that may stand for memory. */
Footprint machine_may_touch_except_memory(const Machine *, const Template *, const Action *, const Instr *);
u128 machine_object_bits(const Machine *, const Object *, uint64_t offset, uint64_t size);
unsigned machine_bits_used(const Machine *);
u128 machine_memory_bit(unsigned n);
u128 machine_memory_bits(const Machine *);
/* Names a mutex word at a fixed place: a global variable or bytes of a global object. */
typedef struct LockPlace {
    const Variable *cell;
    const Object *object;
    uint64_t offset;
} LockPlace;
/* Finds the word that a LOCK, TRYLOCK or UNLOCK works on. Returns false if the place depends on the state. */
bool machine_lock_place(const Machine *, const Template *, const Action *, const Instr *, LockPlace *);
unsigned state_lock_owner(const Machine *, const State *, const LockPlace *); /* 0: it is free */

/* Returns the running thread for which the first instruction of this action, a JOIN, waits, or 0. *reads becomes the footprint of the
   global variables that determine the thread. */
unsigned machine_joined_thread(Machine *, State *, unsigned thread, unsigned action, u128 *reads);

/* ---- threads that are joined together, for symmetry reduction ----
   After this call, a JOIN of a thread whose template is marked (by index) waits until all threads of the template that were not joined
   yet have ended. A state then records which threads were joined. NULL ends this. The list must outlive the machine, or this setting. */
void machine_join_together(Machine *, const bool *templates);
bool state_joined(const State *, unsigned thread);
/* Marks the threads, by number, that may own a mutex. Only while threads are joined together. */
void state_lock_owners(const Machine *, const State *, bool *owns);
/* Moves the thread to an END location. Returns false if its template has none. */
bool state_end_thread(Machine *, State *, unsigned thread);
/* Returns the index in a state's tuple at which the components of the thread begin; *count becomes their number. */
size_t state_thread_components(const State *, unsigned thread, size_t *count);

/* Returns true if another thread can see the action. (A read of readonly or thread-private memory, for example, cannot be seen.) */
bool machine_action_visible(const Machine *, const Template *, const Action *);
