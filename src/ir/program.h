/* SPDX-License-Identifier: Apache-2.0 */
/* Defines the program IR, the data on which front end, analyses, passes and engines work. doc/ir.md specifies its text form and meaning;
   this header is the same in C.

   A program has global variables, memory objects, thread templates and procedures. A template is a control-flow graph: locations joined by
   actions. A procedure is code of the same form that templates call; the pass `inline` replaces each call by a copy of it.
   An action is one atomic step. When its guard holds, it may run its instructions in order. As the front end makes it, an action touches
   shared memory at most once, unless C calls the whole atomic. Thread-local work around the access is folded in.

   All data live in the program's arena, expressions in its pool. Indices are dense and stable. */
#pragma once
#include "base/arena.h"
#include "base/buf.h"
#include "base/vec.h"
#include "expr/expr.h"

typedef struct Activation Activation;
typedef struct Position {
    const char *file; /* interned; NULL: nowhere */
    unsigned line, column;
    const Activation *in; /* from C: the function, in its context; NULL: not known. Never in the text nor compared; lives as long as the
                             program that the front end made */
    unsigned origin;      /* likewise, for native runs (native/instrument.c): the LLVM instruction, from 1; 0: none */
    unsigned sequence;    /* … and how many actions came from that instruction before */
} Position;

/* Records a call of a function that is inlined. */
struct Activation {
    const char *function;
    bool library;     /* one of Heddle's models: its steps are shown at the place of the call */
    bool uncalled;    /* … which the program does not call itself: its accesses belong to the point of the call around it */
    uint64_t context; /* for native runs: a hash of the calls that lead here; 0: not known */
    Position from;    /* the place of the call; without file: this is the first function of a thread */
};

/* Begins the names of variables and objects that belong to Heddle's models of library functions. Reports do not show these variables. */
#define LIBRARY_PREFIX "library's "

/* Returns the context of the code that a call leads to, from the caller's context and the call's origin. The runtime of native runs
   computes the same. */
static inline uint64_t context_of_call(uint64_t context, unsigned origin) {
    uint64_t x = (context + 1) * 0x9e3779b97f4a7c15u + origin;
    x = (x ^ x >> 32) * 0xd6e8feb86659fd93u;
    return x ^ x >> 32;
}

/* A set of properties, in the order of result/question.h. It marks what only some properties need. As the front end makes it, a program
   has the code for all properties. The pass `focus` keeps the code that one property needs, and removes the marks. 0: no mark. */
typedef unsigned PropertySet;
enum {
    FOR_ASSERTIONS = 1,
    FOR_RACES = 2,
    FOR_DEADLOCKS = 4,
    FOR_MEMORY = 8,
    FOR_OVERFLOWS = 16,
    FOR_ENDS = 32,
    PROPERTY_BITS = 6, /* bits */
    FOR_ALL = (1 << PROPERTY_BITS) - 1
};

/* ir/fields.def lists the members of a program's structs. Thus the text of a program has all of it. */
#define MEMBER(type, name, kind, word) type name;

/* ---- variables ---- */
typedef struct Variable Variable;
struct Variable {
#define VARIABLE MEMBER
#include "ir/fields.def"
};

/* ---- memory ----
   Memory is objects; an object is bytes, little-endian. A pointer is an integer of pointer width: the object's base
   address plus an offset. Bases are assigned by ir/layout so that no arithmetic of less than a granule leads
   from one object into another; address 0 belongs to none. */
typedef enum ObjectKind {
    OBJECT_GLOBAL,  /* one instance, always alive */
    OBJECT_THREAD,  /* one per thread (C's _Thread_local), alive from the thread's start, initialised then */
    OBJECT_LOCAL,   /* one per thread of its template, alive from ALIVE to DEAD, undefined at ALIVE */
    OBJECT_HEAP,    /* an allocation site: an instance per ALLOC, alive until FREE */
    OBJECT_FUNCTION /* a function: only its address counts */
} ObjectKind;

typedef struct Relocation {
    uint64_t offset;      /* the bytes of a pointer at this offset hold … */
    const Symbol *target; /* … the address of this object or function … */
    int64_t addend;       /* … plus this */
} Relocation;

typedef struct Object Object;
struct Object {
#define OBJECT MEMBER
#include "ir/fields.def"
};

/* Returns true if the object belongs to a template, which is then o->template_. */
static inline bool object_is_in_template(const Object *o) { return o->kind == OBJECT_LOCAL || o->stack; }

/* ---- actions ---- */
typedef enum InstrKind {
    INSTR_ASSIGN,  /* target := value */
    INSTR_HAVOC,   /* target := any value of its sort (a choice); if `undefined`, the choice is made at the first read */
    INSTR_ASSUME,  /* the action is enabled only if value holds here; if `waits`: it waits for thread number `address` (NULL, 0: any) */
    INSTR_LOAD,    /* target := the bytes at address; undefined bytes hold any value        (a choice) */
    INSTR_STORE,   /* the bytes at address := value */
    INSTR_COPY,    /* size bytes from address `value` to `address`, as memmove; undefined bytes stay undefined */
    INSTR_FILL,    /* size bytes at address := the byte `value` (bv8) */
    INSTR_ALLOC,   /* target := a new instance of `object` of size bytes, undefined, or zero if `zeroed`. A choice:
                      at a fresh place, or at the place of a freed instance to which something still points */
    INSTR_FREE,    /* the instance at address dies; NULL does nothing; anything else is a fault */
    INSTR_SIZE,    /* target := size of the object that address points to the start of (for realloc) */
    INSTR_WRITTEN, /* target := 1 if no byte of the word at address is undefined, else 0 */
    INSTR_ALIVE,   /* a local object's life begins, contents undefined */
    INSTR_DEAD,    /* … and ends */
    INSTR_INVALID, /* with size: enabled only if `size` bytes at address do not lie within a live object (if `writes`: a live writable one).
                      Without size: enabled only if FREE of the address is a fault. NULL may be freed */
    INSTR_LOST,    /* the action is enabled only if there is memory from ALLOC that nothing points to */
    INSTR_LOCK,    /* the mutex word at address (or in `cell`); see doc/ir.md. target (may be NULL) := error number */
    INSTR_TRYLOCK,
    INSTR_UNLOCK,
    INSTR_CREATE, /* a new thread of template_, its argument := value; target (may be NULL) := its number */
    INSTR_JOIN, /* enabled when thread number `address` has ended; target (may be NULL) := its result. Numbers from MISUSE up report faults */
    INSTR_FENCE, /* accesses no memory: orders the accesses before and behind it (counts under weak memory only) */
    INSTR_CALL   /* the last of its action: runs the procedure, template_ or, if `address` is given, the one at this address */
} InstrKind;
enum { INSTR_KINDS = INSTR_CALL + 1 };

/* Lists what a call passes to a procedure, and where it puts the results. It lies in the program's arena. */
typedef struct CallParts {
    unsigned narguments, nresults; /* nresults may be 0 although the procedure has results */
    const Expr **arguments;
    Variable **results;
} CallParts;

/* The library models join a thread with the number MISUSE + f to report the fault f. No thread has such a number. */
#define MISUSE 0xffffff00u
static inline bool is_misuse(uint64_t number) { return number > MISUSE && number < MISUSE + FAULT_COUNT; }

/* C11's memory orders (memory_order_consume is acquire). Under sequential consistency they make no difference. */
typedef enum MemoryOrder { ORDER_SEQ_CST, ORDER_RELAXED, ORDER_ACQUIRE, ORDER_RELEASE, ORDER_ACQ_REL } MemoryOrder;
enum { ORDERS = ORDER_ACQ_REL + 1 };
static inline bool order_acquires(MemoryOrder o) { return o == ORDER_SEQ_CST || o == ORDER_ACQUIRE || o == ORDER_ACQ_REL; }
static inline bool order_releases(MemoryOrder o) { return o == ORDER_SEQ_CST || o == ORDER_RELEASE || o == ORDER_ACQ_REL; }

typedef struct Instr {
#define INSTR MEMBER
#include "ir/fields.def"
} Instr;

enum { NO_APPROXIMATION = ~0u };

typedef struct Action {
#define ACTION MEMBER
#include "ir/fields.def"
} Action;

typedef enum LocationKind {
    LOCATION_PLAIN,
    LOCATION_END,   /* the thread has ended */
    LOCATION_HALT,  /* the process has ended: return from main, or, if it has a text, exit, abort … */
    LOCATION_ERROR, /* the property is violated; `text` describes the violation */
    LOCATION_STOP,  /* the continuation is not modelled; `approximation` has the reason */
    LOCATION_RETURN /* of a procedure: no thread is ever here, since the step that leads here goes on behind the call */
} LocationKind;
enum { LOCATION_KINDS = LOCATION_RETURN + 1 };

typedef struct Location {
#define LOCATION MEMBER
#include "ir/fields.def"
} Location;

typedef struct Template {
#define TEMPLATE MEMBER
#include "ir/fields.def"
} Template;

/* Set in the index of a procedure, so that it differs from the index of each template of a thread. */
enum { PROCEDURE = 1u << 31 };
static inline bool template_is_procedure(const Template *t) { return t->index & PROCEDURE; }

/* ---- approximations ---- */
typedef enum ApproximationKind {
    APPROX_OVER,        /* more behaviours than the program's: no UNSAFE through it */
    APPROX_UNDER,       /* fewer (a bound): no SAFE if it can be reached */
    APPROX_UNSUPPORTED, /* a construct that is not modelled: no SAFE if it can be reached */
    APPROX_ASSUMED      /* attached to no action or location: every verdict assumes it */
} ApproximationKind;
enum { APPROXIMATION_KINDS = APPROX_ASSUMED + 1 };
typedef struct Approximation {
#define APPROXIMATION MEMBER
#include "ir/fields.def"
} Approximation;

/* The memory model: when the store of a thread becomes visible to other threads (doc/ir.md, "Weak memory"). */
typedef enum MemoryModel {
    MEMORY_SC,  /* immediately */
    MEMORY_TSO, /* the stores of a thread wait in its buffer, and arrive in order */
    MEMORY_PSO, /* … in order for each place only */
    MEMORY_C11  /* as the memory orders of C11 allow (RC11) */
} MemoryModel;
enum { MEMORY_MODELS = MEMORY_C11 + 1 };

typedef struct Program {
#define PROGRAM MEMBER
#include "ir/fields.def"
} Program;

/* Loops over the actions of all templates, and over the instructions of all actions. x points to each and has type T. `break` ends only
   the innermost loop, over the actions of one template or the instructions of one action. */
#define program_each_action(T, x, p)                          \
    vec_each(const Template *, x##_template_, (p)->templates) \
        vec_each_at(T, x, x##_template_->actions)
#define program_each_instr(T, x, p)                     \
    program_each_action(const Action, x##_action_, (p)) \
        vec_each_at(T, x, x##_action_->instrs)

/* ---- building (ir/build.c) ---- */
Program *program_new(unsigned pointer_width);
void program_free(Program *);
void template_release(Template *); /* frees the vecs of a template that was removed from its program */
Variable *program_global(Program *, const char *name, const Sort *, const Expr *init);
Object *program_object(Program *, ObjectKind, const char *name, uint64_t size);
Template *program_template(Program *, const char *name, unsigned count); /* adds self; except in main also argument and result */
/* Adds a procedure without locals; self stays NULL unless its code needs the thread's number. A suffix makes the name unique. */
Template *program_procedure(Program *, const char *name);
/* Add a parameter or result. All parameters come before the results, and both before the other locals. */
Variable *procedure_parameter(Program *, Template *, const char *name, const Sort *);
Variable *procedure_result(Program *, Template *, const char *name, const Sort *);
Template *program_body(const Program *, unsigned index); /* returns the template or procedure with this index, or NULL */
unsigned program_approximation(Program *, ApproximationKind, Position, const char *text);
Variable *template_local(Program *, Template *, const char *name, const Sort *);
unsigned template_location(Program *, Template *, LocationKind, Position);
/* Adds an action to the template and returns it. guard NULL stands for true. The pointer is valid until the next action is added. */
Action *template_action(Program *, Template *, unsigned source, unsigned target, const Expr *guard, Position);
void template_mark_loops(Template *);               /* marks the targets of back edges of a depth-first search as loop heads */
Instr *action_instr(Action *, InstrKind, Position); /* appends; the pointer is valid until the next instruction is added */
/* Makes the list of a call; copies the arrays. */
const CallParts *call_new(Program *, unsigned narguments, const Expr *const *arguments, unsigned nresults, Variable *const *results);
void variable_set_signed(Program *, Variable *, bool is_signed); /* of the variable and its symbol */
const Expr *variable_expr(Program *, const Variable *);
const Expr *object_address(Program *, const Object *);
static inline Variable *expr_variable(const Expr *e) {
    return e->op == OP_SYMBOL && e->symbol->kind == SYM_VARIABLE ? (Variable *)e->symbol->user : NULL;
}

/* Returns the call that ends the action, or NULL. */
static inline const Instr *action_call(const Action *a) {
    return vec_len(a->instrs) && vec_last(a->instrs).kind == INSTR_CALL ? &vec_last(a->instrs) : NULL;
}

/* ---- what an instruction or action touches ---- */
/* Visits every expression that the instruction reads (address, value, size, arguments of a call). */
void instr_expressions(const Instr *, void (*visit)(void *context, const Expr *), void *context);
bool expr_reads_global(const Expr *);
/* Returns the variable that the instruction writes, or NULL. A mutex word in `cell` is read and written, but not returned here; nor are
   the results of a CALL. */
Variable *instr_written(const Instr *);
/* Returns true for an atomic access that is not seq_cst. */
static inline bool instr_is_weak(const Instr *i) { return i->atomic && i->order != ORDER_SEQ_CST; }
/* Return true for an atomic read that does not acquire, and for an atomic write that does not release. */
bool instr_reads_weakly(const Instr *);
bool instr_writes_weakly(const Instr *);
/* Returns the position of the first atomic access that reads or writes weakly; {0} if the program has no such access. */
Position program_first_weak_access(const Program *);
/* Returns the object that an address is built on syntactically: of symbol, symbol + offset, … NULL if there is not exactly one. */
const Object *address_base(const Expr *address);
/* Computes for each object, by index, whether a thread that it does not belong to may access its changing contents. False for readonly
   objects. False for LOCAL and THREAD objects whose address is used as the base of LOAD, STORE, COPY and FILL addresses only. Returns a
   vec that the caller frees, valid until the program changes. */
bool *program_shared_objects(const Program *);
/* Return true if the instruction or action may touch state that another thread can see: a global variable, shared memory, threads,
   locks. NULL for `shared`, from program_shared_objects, means that every object is shared. */
bool instr_is_visible(const Instr *, const bool *shared);
bool action_is_visible(const Action *, const bool *shared);

/* ---- text (ir/print.c, ir/parse.c) and well-formedness (ir/check.c) ---- */
void program_print(Buf *, const Program *);
/* Parses .hir text. On an error it returns NULL, and *error has file:line:column, the line and a caret. */
Program *program_parse(const char *file, const char *text, Buf *error);
/* Returns true if both programs have the same text, except for names that are unique in one pool only. Compares all members
   (ir/fields.def). */
bool program_equal(const Program *, const Program *);
/* Checks every rule of doc/ir.md, "Well-formedness". On failure it returns false, and *complaint names the rule and the place. */
bool program_check(const Program *, Buf *complaint);
