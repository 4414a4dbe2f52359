/* SPDX-License-Identifier: Apache-2.0 */
/* The program IR: what every analysis, transformation and engine works on. doc/ir.md specifies its text form and
   meaning; this header is the same in C.

   A program has global variables, memory objects and thread templates. A template is a control-flow graph: locations
   joined by actions. An action is one atomic step: it is enabled when its guard holds, and then runs its
   instructions in order. As the front end makes it, an action touches shared memory at most once (unless C calls
   the whole atomic), with the thread-local work around it folded in.

   Everything lives in the program's arena; expressions in its pool. Indices are dense and stable. */
#pragma once
#include "base/arena.h"
#include "base/buf.h"
#include "base/vec.h"
#include "expr/expr.h"

typedef struct Activation Activation;
typedef struct Position {
    const char *file; /* interned; NULL: nowhere */
    unsigned line, column;
    const Activation
        *in; /* of what was C: the function, and who called it. NULL: not known. Not in the text form, never compared; good as long as
                             the program that the front end made */
    unsigned origin,
        part; /* likewise, where a native run is asked for (native/instrument.c): which instruction of LLVM it is, from 1; 0: none.
                              How many came of it before */
} Position;

/* A call of a function, as inlined. */
struct Activation {
    const char *function;
    bool library;     /* one of Heddle's models: what it does is at the place of the call */
    bool implied;     /* … which the program does not call: what it reads, a library function reads */
    uint64_t context; /* for native runs: a hash of the calls that lead here; 0: none */
    Position from;    /* of the call; no file: a thread's first function */
};

/* What the names of variables and objects begin with that are of Heddle's own models of library functions: display do not know them. */
#define LIBRARY_PREFIX "library's "

/* The context of what a call leads to: that of the caller, and the call's origin. The runtime of native runs computes the same. */
static inline uint64_t context_of_call(uint64_t context, unsigned origin) {
    uint64_t x = (context + 1) * 0x9e3779b97f4a7c15u + origin;
    x = (x ^ x >> 32) * 0xd6e8feb86659fd93u;
    return x ^ x >> 32;
}

/* What something matters to, as a set of properties in the order of result/question.h. As the front end makes it, a program has what any
   property needs; the pass `focus` keeps what one of them needs, and takes the marks away. 0: there is no mark. */
typedef unsigned Matters;
enum {
    FOR_ASSERTIONS = 1,
    FOR_RACES = 2,
    FOR_DEADLOCKS = 4,
    FOR_MEMORY = 8,
    FOR_OVERFLOWS = 16,
    FOR_ENDS = 32,
    MATTERS = 6, /* bits */
    FOR_ALL = (1 << MATTERS) - 1
};

/* The structs of a program have the members that ir/fields.def lists, so that all of a program is in its text. */
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
    OBJECT_GLOBAL,  /* one, always alive */
    OBJECT_THREAD,  /* one per thread (C's _Thread_local), alive from the thread's start, initialised then */
    OBJECT_LOCAL,   /* one per thread of its template, alive from ALIVE to DEAD, undefined at ALIVE */
    OBJECT_HEAP,    /* an allocation site: an instance per ALLOC, alive until FREE */
    OBJECT_FUNCTION /* only its address matters */
} ObjectKind;

typedef struct Relocation {
    uint64_t offset;      /* pointer-width bytes there hold … */
    const Symbol *target; /* … the address of this object or function … */
    int64_t addend;       /* … plus this */
} Relocation;

typedef struct Object Object;
struct Object {
#define OBJECT MEMBER
#include "ir/fields.def"
};

/* Does it belong to a template, its template_? */
static inline bool object_is_within(const Object *o) { return o->kind == OBJECT_LOCAL || o->stack; }

/* ---- actions ---- */
typedef enum InstrKind {
    INSTR_ASSIGN, /* target := value */
    INSTR_HAVOC,  /* target := any value of its sort (a choice); if `undefined`, which one is chosen at its first read */
    INSTR_ASSUME, /* the action is enabled only if value holds here; if it `waits`, for thread number `address` (0, NULL: none in particular) */
    INSTR_LOAD,    /* target := the bytes at address; undefined bytes hold any value        (a choice) */
    INSTR_STORE,   /* the bytes at address := value */
    INSTR_COPY,    /* size bytes from address `value` to `address`, as memmove; undefined bytes stay undefined */
    INSTR_FILL,    /* size bytes at address := the byte `value` (bv8) */
    INSTR_ALLOC,   /* target := a new instance of `object` of size bytes; undefined, or zero if `zeroed`
                      (a choice: fresh, or the place of a freed one that something still points to) */
    INSTR_FREE,    /* the instance at address dies; NULL does nothing; anything else is a fault */
    INSTR_SIZE,    /* target := size of the object that address points to the start of (for realloc) */
    INSTR_ALIVE,   /* a local object's life begins, contents undefined */
    INSTR_DEAD,    /* … and ends */
    INSTR_INVALID, /* the action is enabled only if `size` bytes at address are no part of an object that lives (if `writes`, and may be
                      written); without size: if FREE of the address is a fault. NULL may be freed */
    INSTR_LOST,    /* the action is enabled only if there is memory from ALLOC that nothing points to */
    INSTR_LOCK,    /* the mutex word at address (or in `cell`); see doc/ir.md. target (may be NULL) := error number */
    INSTR_TRYLOCK,
    INSTR_UNLOCK,
    INSTR_CREATE, /* a new thread of template_, its argument := value; target (may be NULL) := its number */
    INSTR_JOIN,   /* enabled when thread number `address` has ended; target (may be NULL) := its result */
    INSTR_FENCE   /* nothing is read or written: what `order` says of the accesses before and behind it (matters for weak memory only) */
} InstrKind;
enum { INSTR_KINDS = INSTR_FENCE + 1 };

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
    LOCATION_ERROR, /* the property is violated; text says how */
    LOCATION_STOP   /* what follows is not modelled: `approximation` says what and why */
} LocationKind;

typedef struct Location {
#define LOCATION MEMBER
#include "ir/fields.def"
} Location;

typedef struct Template {
#define TEMPLATE MEMBER
#include "ir/fields.def"
} Template;

/* ---- approximations ---- */
typedef enum ApproximationKind {
    APPROX_OVER,        /* more behaviours than the program's: no UNSAFE through it */
    APPROX_UNDER,       /* fewer (a bound): no SAFE if it can be reached */
    APPROX_UNSUPPORTED, /* a construct that is not modelled: no SAFE if it can be reached */
    APPROX_ASSUMED      /* attached to nothing: what every verdict takes for granted */
} ApproximationKind;
enum { APPROXIMATION_KINDS = APPROX_ASSUMED + 1 };
typedef struct Approximation {
#define APPROXIMATION MEMBER
#include "ir/fields.def"
} Approximation;

/* How threads see what others store (doc/ir.md, "Weak memory"). */
typedef enum MemoryModel {
    MEMORY_SC,  /* at once */
    MEMORY_TSO, /* a thread's stores wait in its buffer, and arrive in order */
    MEMORY_PSO, /* … in order only for each place */
    MEMORY_C11  /* as C11's memory orders say (RC11) */
} MemoryModel;
enum { MEMORY_MODELS = MEMORY_C11 + 1 };

typedef struct Program {
#define PROGRAM MEMBER
#include "ir/fields.def"
} Program;

/* Loops over the actions of all templates, over the instructions of all actions: x points to each, of type T. `break` ends the innermost
   loop alone: that over one template's actions, over one action's instructions. */
#define program_each_action(T, x, p)                          \
    vec_each(const Template *, x##_template_, (p)->templates) \
        vec_each_at(T, x, x##_template_->actions)
#define program_each_instr(T, x, p)                     \
    program_each_action(const Action, x##_action_, (p)) \
        vec_each_at(T, x, x##_action_->instrs)

/* ---- building (ir/build.c) ---- */
Program *program_new(unsigned pointer_width);
void program_free(Program *);
void template_release(Template *); /* for who takes a template out of a program */
Variable *program_global(Program *, const char *name, const Sort *, const Expr *init);
Object *program_object(Program *, ObjectKind, const char *name, uint64_t size);
Template *program_template(Program *, const char *name, unsigned count); /* has self; main none of argument, result */
unsigned program_approximation(Program *, ApproximationKind, Position, const char *text);
Variable *template_local(Program *, Template *, const char *name, const Sort *);
unsigned template_location(Program *, Template *, LocationKind, Position);
/* A new action; guard NULL is true. The pointer is good until the next action is added. */
Action *template_action(Program *, Template *, unsigned source, unsigned target, const Expr *guard, Position);
void template_mark_loops(Template *);                            /* loop heads: the targets of back edges of a depth-first search */
Instr *action_instr(Action *, InstrKind, Position);              /* good until the next instruction is added */
void variable_set_signed(Program *, Variable *, bool is_signed); /* of the variable and its symbol */
const Expr *variable_expr(Program *, const Variable *);
const Expr *object_address(Program *, const Object *);
static inline Variable *expr_variable(const Expr *e) {
    return e->op == OP_SYMBOL && e->symbol->kind == SYM_VARIABLE ? (Variable *)e->symbol->user : NULL;
}

/* ---- what an instruction or action touches ---- */
/* Visit every expression an instruction reads (address, value, size). */
void instr_expressions(const Instr *, void (*visit)(void *context, const Expr *), void *context);
bool expr_reads_global(const Expr *);
/* The variable it writes, or NULL (a mutex word in `cell` is read and written; it is not reported here). */
Variable *instr_written(const Instr *);
/* Is it an atomic access that is not seq_cst, or need not be where a compare-exchange fails? */
static inline bool instr_is_weak(const Instr *i) { return i->atomic && (i->order != ORDER_SEQ_CST || i->failure != ORDER_SEQ_CST); }
/* Is it an atomic read that does not acquire (of a compare-exchange: not even where it fails), an atomic write that does not release? */
bool instr_reads_weakly(const Instr *);
bool instr_writes_weakly(const Instr *);
/* The first atomic access that reads or writes weakly; nowhere if there is none. */
Position program_unordered(const Program *);
/* The object an address is built on: symbol, symbol + offset …; NULL if it has no single one on its face. */
const Object *address_base(const Expr *address);
/* For each object (by index), may a thread it does not belong to access its changing contents? Not so: readonly
   objects, and the LOCAL and THREAD ones whose address is used as the base of LOAD, STORE, COPY and FILL addresses only.
   A vec, the caller's to free; good until the program changes. */
bool *program_shared_objects(const Program *);
/* Does it touch state that another thread can see: a global variable, shared memory, threads, locks? shared comes from
   program_shared_objects; NULL: every object counts as shared. Conservative. */
bool instr_is_visible(const Instr *, const bool *shared);
bool action_is_visible(const Action *, const bool *shared);

/* ---- text (ir/print.c, ir/parse.c) and well-formedness (ir/check.c) ---- */
void program_print(Buf *, const Program *);
/* Parse .hir text; on an error NULL, and *error has file:line:column, the line and a caret. */
Program *program_parse(const char *file, const char *text, Buf *error);
/* Do both have the same text, but for names that are unique in one pool only? Compares all members (ir/fields.def). */
bool program_equal(const Program *, const Program *);
/* Every rule of doc/ir.md, "Well-formedness". False: *complaint says which rule, where. */
bool program_check(const Program *, Buf *complaint);
