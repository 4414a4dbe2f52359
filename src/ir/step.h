/* SPDX-License-Identifier: Apache-2.0 */
/* The concrete semantics: one machine for replaying counterexamples, for the explicit engine, for random testing
   and for the front end's own tests. A Machine is a program compiled for execution; a State is one configuration of it.
   Faults (undefined behaviour) are noticed, never executed: a step that faults changes nothing. */
#pragma once
#include "ir/program.h"

typedef struct Machine Machine;
typedef struct State State;

/* Parts of valid-memsafety; 0 stands for the usual ones. */
enum {
    PART_DEREF = 1,
    PART_FREE = 2,
    PART_MEMTRACK = 4,   /* nothing is lost */
    PART_MEMCLEANUP = 8, /* nothing is left when the process ends */
    PARTS_USUAL = PART_DEREF | PART_FREE | PART_MEMTRACK,
    NPARTS = 4
};
static inline bool parts_have(unsigned parts, unsigned some) { return (parts ? parts : PARTS_USUAL) & some; }

/* What counts as a violation beyond what the program says. */
typedef struct MachineRules {
    bool misuse;    /* a mutex that is not used as it must be is a fault; otherwise the step has no effect */
    unsigned parts; /* state_leak looks for the memory that these parts are about */
} MachineRules;

/* Compiles the program. It must not change while the machine lives. */
Machine *machine_new(const Program *, MachineRules);
void machine_free(Machine *);

/* From now on the machine notices when an undefined byte that was copied is read with another value than its copy. */
void machine_watch_copies(Machine *);
bool machine_copies_differ(const Machine *);

/* ---- choices: the nondeterminism inside a step ---- */
typedef enum ChoiceKind {
    CHOICE_VALUE,  /* any value of `sort` (HAVOC; an undefined value read; a global without initialiser). Never an array: that is
                      a choice of its element everywhere else, a COUNT, and so many choices of an index and its element */
    CHOICE_ONE_OF, /* 0 … count-1 (where ALLOC puts the instance; 0 is a fresh place) */
    CHOICE_COUNT   /* 0 or more: how many elements of an array are chosen one by one */
} ChoiceKind;
typedef struct Choice {
    ChoiceKind kind;
    const Sort *sort;
    uint64_t count;
    const Instr *instr;       /* NULL at the initial state and in a guard */
    bool undefined;           /* VALUE of something uninitialised; if it is partly so, of its undefined bytes, lowest first */
    const Variable *variable; /* the local that is undefined, or the global without initialiser; NULL: memory, or not undefined */
} Choice;
typedef struct Chooser {
    u128 (*choose)(void *context, const Choice *);
    void *context;
} Chooser;

/* ---- what a step did, for display and for partial order reduction ---- */
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
    bool chosen;              /* the value was undefined, in part at least, and got chosen by being read */
    bool undefined;           /* the value is undefined, in part at least, and says nothing */
    bool atomic;              /* it cannot race with another such */
    bool buffered;            /* WRITE: it waits in the thread's store buffer; READ: it comes from there */
    bool arrives;             /* WRITE: it waited there until now */
    const Variable *variable; /* or, if NULL, memory: */
    uint64_t address, size;   /* CREATE, JOIN: the other thread's number in address */
    const Object *object;     /* that address lies in, and the offset in it; NULL if unknown */
    unsigned instance;        /* of a heap object: 1, 2 … in order of allocation place */
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

unsigned state_threads(const State *); /* created so far: numbers 1 … n */
unsigned state_template(const State *, unsigned thread);
unsigned state_location(const State *, unsigned thread);           /* index in its template */
bool state_ended(const Machine *, const State *, unsigned thread); /* it is at an END location */
bool state_halted(const Machine *, const State *);                 /* some thread is at a HALT location */
/* The thread that holds the atomic section (is at an atomic location), or 0. */
unsigned state_atomic_thread(const Machine *, const State *);
Value state_variable(const Machine *, const State *, const Variable *, unsigned thread); /* thread: for locals */
/* Up to 16 bytes of a global object. False: some are undefined, or it is another kind of object. */
bool state_bytes(const Machine *, const State *, const Object *, uint64_t offset, uint64_t size, u128 *bits);

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
    uint64_t address;   /* of the access at fault, if it is one, and of a lock that blocks; 0: it is a variable */
    bool blocked;       /* DISABLED by a lock, a join, an atomic section or what a library function waits for, not by data … */
    unsigned blocker;   /* … and by this thread: the lock's owner, the one to join, the one in its section; 0: by none in particular */
} StepResult;

/* Take this action of this thread. accesses may be NULL; of a step that is blocked, they are what it has looked at before. */
StepResult machine_step(Machine *, State *, unsigned thread, unsigned action, const Chooser *, Accesses *accesses);

/* ---- weak memory: a program whose memory is TSO or PSO ----
   Stores that wait in the buffer of a thread are numbered from 0, the oldest. */
unsigned state_waiting(const State *, unsigned thread);
/* The n-th arrives in memory. DISABLED: there is none, or another has to come first. *stored: the action that it belongs to. */
StepResult machine_flush(Machine *, State *, unsigned thread, unsigned n, Accesses *, const Action **stored);

/* A canonical encoding of the state: equal bytes iff equal states. Appends to the Buf. Good for this machine only. */
void state_encode(const Machine *, const State *, Buf *);
void state_decode(Machine *, State *, const void *bytes, size_t size);

/* ---- states as tuples of components, for those who store many ----
   A state falls into components (the global variables, each thread, each heap object …) that are encoded one by one;
   a step changes few of them. A store gives equal bytes equal numbers, never 0. The state remembers the numbers of
   its components until they change, so only what changed is encoded again: a state works with one store in its life. */
typedef struct ComponentStore {
    uint32_t (*put)(void *context, const void *bytes, size_t size);
    const void *(*get)(void *context, uint32_t id, size_t *size);
    void *context;
} ComponentStore;
size_t state_tuple_length(const State *);
void state_to_tuple(Machine *, State *, const ComponentStore *, uint32_t *tuple);
void state_from_tuple(Machine *, State *, const ComponentStore *, const uint32_t *tuple, size_t length);

/* ---- footprints: which shared things steps touch, as sets of hashed names ----
   Steps whose footprints do not conflict commute. Two things may share a bit, which only makes steps seem to conflict. */
typedef struct Footprint {
    u128 read, write;
} Footprint;
static inline bool footprints_conflict(Footprint a, Footprint b) { return (a.write & (b.read | b.write)) || (a.read & b.write); }
static inline void footprint_add(Footprint *to, Footprint more) {
    to->read |= more.read;
    to->write |= more.write;
}
/* From now on every attempted step adds what it touched (a disabled one: what disabled it) to *sum; NULL stops that. */
void machine_track(Machine *, Footprint *sum);
u128 machine_ends(void); /* that threads have ended */
/* What an instruction, a guard (instr NULL) or reaching the target may touch, in whatever state. */
Footprint machine_may_touch(const Machine *, const Template *, const Action *, const Instr *);
/* The same, but for the memory at its addresses; and the bits of memory, for who knows better what addresses point to: those of
   bytes of an object that is not in the heap, how many are in use by what is not, the n-th for memory in turn, and all that may stand for memory. */
Footprint machine_may_touch_besides(const Machine *, const Template *, const Action *, const Instr *);
u128 machine_object_bits(const Machine *, const Object *, uint64_t offset, uint64_t size);
unsigned machine_bits_used(const Machine *);
u128 machine_memory_bit(unsigned n);
u128 machine_memory_bits(const Machine *);
/* A mutex word that is the same one in every state: a global variable, or bytes of a global object. */
typedef struct LockPlace {
    const Variable *cell;
    const Object *object;
    uint64_t offset;
} LockPlace;
/* The word that LOCK, TRYLOCK or UNLOCK works on. False: not the same in every state. */
bool machine_lock_place(const Machine *, const Template *, const Action *, const Instr *, LockPlace *);
unsigned state_lock_owner(const Machine *, const State *, const LockPlace *); /* 0: nobody */

/* The running thread that this action's first instruction, a JOIN, waits for, or 0; *reads are the global variables
   that say which one it is. */
unsigned machine_awaited(Machine *, State *, unsigned thread, unsigned action, u128 *reads);

/* ---- threads that are joined together, for those who take them as interchangeable ----
   From now on a JOIN of a thread of such a template (by index; NULL: of none any more) waits until all threads of the template that were not
   joined yet have ended, and a state remembers who was joined. The list must outlive the machine, or this. */
void machine_join_together(Machine *, const bool *templates);
bool state_joined(const State *, unsigned thread);
/* Marks the threads (by number) that may own a mutex. Only while threads are joined together. */
void state_lock_owners(const Machine *, const State *, bool *owns);
/* Makes it as if the thread had ended. False: its template has no end. */
bool state_end_thread(Machine *, State *, unsigned thread);
/* Where the thread's components begin in the tuple of a state, and how many they are. */
size_t state_thread_components(const State *, unsigned thread, size_t *count);

/* Can another thread see the action? (Reading readonly or thread-private memory, say, cannot be seen.) */
bool machine_action_visible(const Machine *, const Template *, const Action *);
