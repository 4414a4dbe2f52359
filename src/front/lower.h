/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the front end share. Private to src/front.

   A module is lowered template by template (a template is a function that threads start with). Calls are inlined: a Frame is
   one activation, with its own variables. Lowering follows control flow with a Cursor, the place where code is
   being added; a Cursor is a value, so a branch is two of them. */
#pragma once
#include "base/map.h"
#include "front/front.h"
#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

enum { NONE = ~0u, ON_FUNCTION = ~0u }; /* no index; attributes of the function itself */

/* ---- types (types.c) ---- */
/* A scalar part of a type. */
typedef struct Leaf {
    uint64_t offset, size; /* bytes */
    const Sort *sort;      /* i1 is Bool; pointers and floats are bit-vectors */
} Leaf;
/* A first-class value is one expression per leaf of its type. */
typedef struct Leaves {
    bool supported;
    unsigned n;
    Leaf *leaf; /* a vec while under construction */
} Leaves;

/* ---- functions, as analysed once (function.c) ---- */
typedef struct AllocaInfo {
    LLVMValueRef value;
    const char *name, *ctype, *shape;
    LLVMMetadataRef type; /* of debug information; NULL if not known */
    Position position;
    uint64_t size;
    const Sort *sort; /* of a plain variable; NULL: an object in memory */
    bool is_signed;
    bool named;           /* debug information has a name for it */
    bool static_;         /* executed once per activation, of constant size */
    bool private_;        /* an object that no other thread can reach */
    bool repeats;         /* a static one whose declaration is in a loop */
    LLVMValueRef scope;   /* a dynamic one that dies where the stack is restored to what is saved here; NULL: at the return */
    bool set_first;       /* a plain variable that is surely written before it is read */
    unsigned parameter;   /* only ever holds this parameter, or NONE */
    LLVMValueRef declare; /* its llvm.dbg.declare, or NULL */
    uint64_t life[2];     /* of an object: its bit in FunctionInfo.lives; 0: it lives from entry to return. The second: for FOR_MEMORY */
    bool outlived;        /* of an object: a pointer to it may be kept for longer than its function runs … */
    bool anew;            /* … or than its life, and the next life begins in the same activation: each is an object of its own */
} AllocaInfo;

typedef struct FunctionInfo {
    LLVMValueRef function;
    const char *name;
    bool model;           /* library code: users never see it */
    unsigned sections;    /* it has atomic sections: 1 yes, 2 no, 0 not yet known */
    bool section;         /* its body is an atomic section */
    bool lists_arguments; /* it looks at arguments that it has no parameters for */
    bool list_private;    /* … through lists that no other thread can reach */
    bool optimised;       /* perhaps: see poison.c */
    unsigned returns;     /* number of return instructions */
    AllocaInfo **allocas; /* a vec */
    Map *alloca_of;       /* value → AllocaInfo */
    Map *uses;            /* instruction → packed ValueUse */
    Map *predecessors;    /* block → number of edges into it */
    Map *lives[2];        /* instruction → the lives (lives.c) that it is in, as bits; the second: for FOR_MEMORY */
} FunctionInfo;

typedef struct ValueUse {
    unsigned index, last; /* places in its block: of the instruction, of its last use there */
    bool crosses;         /* used in another block */
} ValueUse;

/* A global of the module: a plain variable or an object. */
typedef struct GlobalInfo {
    Variable *variable;
    Object *object;
} GlobalInfo;

typedef struct Front {
    const FrontOptions *options;
    Program *program;
    Exprs *pool;
    Arena *scratch; /* lives as long as the lowering */
    LLVMContextRef context;
    LLVMModuleRef module;
    LLVMTargetDataRef target;
    unsigned pointer_width, recursion_bound;
    Map *globals;         /* value → GlobalInfo */
    Map *functions;       /* value → FunctionInfo */
    Map *types;           /* type → Leaves */
    Map *object_function; /* FUNCTION object → value */
    Map *labels;          /* block whose address is taken → FUNCTION object */
    Map *assigned;        /* variables of C: what was read from one may change, even if it has no name */
    Map *privates;        /* object that no other thread can reach → itself */
    Map *templates;       /* start function → template index + 1 */
    Map *breaks;          /* instruction that writes to a local that is const (constant_locals.c) → BREAKS_…; NULL: there is none */
    Map *approximations;  /* hash of kind, text, place → index + 1 */
    Map *files;           /* debug file → its name */
    Map *structs;         /* name → debug type of the struct or union; NULL until somebody asks */
    Map *seen_types;      /* debug types that were searched for them */
    Map *closed;          /* expression → 1 open, 2 closed */
    LLVMValueRef *starts; /* a vec: the start function of each template */
    LLVMValueRef *taken;  /* a vec: functions whose address is used as a value */
    bool taken_known;
    struct FunctionTargets *targets; /* targets.c; NULL: nobody has asked */
    Object **undefined;              /* a vec: objects that start with any contents */
    bool guesses;                    /* one of them has an initial value, which is not modelled */
    bool lacks;                      /* … is one that no file defines */
    bool writes_const;               /* … is const, and written */
    Variable **foreign;              /* a vec: variables that no file defines */
    bool threads_known;              /* what most_threads says: */
    unsigned threads;
    int vain;             /* what some_join_in_vain says, likewise */
    Map *takings;         /* joins and detaches whose thread may be joined or detached otherwise, too; NULL: nobody has asked */
    int relocks;          /* what may_relock says: 0 not yet known, 1 no, 2 yes */
    Matters weak_noted;   /* atomic accesses weaker than seq_cst were met, for these properties */
    int integers;         /* whether the program turns addresses into integers: 0 not yet known, 1 no, 2 yes */
    size_t work[MATTERS]; /* instructions lowered so far, for each property */
    bool has_questions;
    Variable *questions[FOR_ALL + 1]; /* by set: is one of these properties asked? NULL: nobody wants to know */
    struct Native *native;            /* native.c; NULL: no native run is asked for */
} Front;

/* ---- the place where code is being added (emit.c) ---- */
/* Either an action is open (its target is not yet fixed), or the place is a location. A step may end there for one property and go on for
   another: so what the step has done is a set of properties. */
typedef struct Cursor {
    unsigned location; /* where we are, or where the open action starts */
    unsigned action;   /* the open action, or NONE */
    unsigned depth;    /* nesting of atomic sections */
    bool dead;         /* nothing can be reached here */
    Matters gone;      /* nothing can be reached here for these properties */
    Matters done;      /* the step has touched what others see: a further visible access needs another step */
    Matters section;   /* it has, but all it touched belongs to the atomic section it is in: more may follow */
    Matters began;     /* the step began before `location`; up to there */
    Matters atomic;    /* … it began at an atomic location, */
    Matters changed;   /* … changed what others see, */
    Matters noted;     /* … recorded an approximation */
} Cursor;

typedef struct Pending {
    LLVMValueRef value;
    unsigned last; /* place in the block of the last use */
} Pending;

typedef struct Work {
    LLVMBasicBlockRef block;
    Cursor cursor;
} Work;

typedef struct Frame Frame;
struct Frame {
    Frame *caller;
    FunctionInfo *info;
    bool lives;             /* its lives are those for FOR_MEMORY */
    LLVMValueRef call;      /* that made it; NULL: none */
    const char *function;   /* the innermost function of the user's */
    Position call_position; /* of the call that made it; code of models takes it */
    Activation *activation;
    Map *values;      /* value → const Expr ** (its leaves) */
    Map *variables;   /* plain alloca → Variable; of one that is allocated: the variable with its address */
    Map *bound;       /* plain alloca → const Expr *: the argument it always holds */
    Map *blocks;      /* block and depth → location + 1 */
    Pending *pending; /* a vec: values of this block still needed that read variables */
    unsigned index;   /* place in the block */
    Work *work;       /* a vec */
    Object **objects; /* a vec: local objects, dead when it returns */
    Object *list;     /* the arguments it has no parameters for; NULL: nobody looks at them */
    Variable **stack; /* a vec: dynamic allocas, freed when it returns */
    bool returned;
    Matters gone, never;         /* the properties for which nothing gets to its entry; to a return of it */
    Cursor back;                 /* where control goes on in the caller */
    unsigned join;               /* location where several returns meet, or NONE */
    Variable **result_variables; /* their results */
    const Expr **result;         /* leaves of the result */
};

typedef struct Lower {
    Front *front;
    Program *program;
    Exprs *pool;
    Template *template_;
    Frame *frame;
    Cursor cursor;
    Matters asked; /* the properties that code is being made for (but for those in cursor.gone) */
    Position position;
    unsigned threading; /* nesting of edges that branch themselves */
    unsigned ways;      /* the call being lowered is through a pointer, to one of so many functions; 0: it is not */
    unsigned halt, quit, end, too_large,
        limbo;                  /* locations shared by the template, or NONE. quit: the process ends otherwise than by main's return */
    bool returned;              /* main has */
    MemoryOrder order, failure; /* of the atomic access being lowered; of a compare-exchange where it fails, else seq_cst */
} Lower;

/* ---- types.c ---- */
const Sort *type_sort(Front *, LLVMTypeRef); /* of a scalar; NULL: not one, or not supported */
const Leaves *type_leaves(Front *, LLVMTypeRef);
uint64_t type_store_size(Front *, LLVMTypeRef);
uint64_t type_size(Front *, LLVMTypeRef);
unsigned type_bits(const Sort *); /* of Bool: 1 */
/* Bytes of memory that a scalar of this sort takes, and its value there. */
const Expr *to_memory(Front *, const Expr *, uint64_t size);
const Expr *from_memory(Front *, const Expr *raw, const Sort *);
const Expr *as_bits(Front *, const Expr *);               /* Bool becomes bv1 */
const Expr *as_sort(Front *, const Expr *, const Sort *); /* cut or zero-extended */
const Expr *as_pointer(Front *, const Expr *, bool is_signed);
const Expr *pointer_const(Front *, uint64_t);
const Expr *address_add(Front *, const Expr *, uint64_t);
bool expr_closed(Front *, const Expr *); /* no variable in it */
/* Is e the address of an object plus a constant? */
bool address_split(Front *, const Expr *, Object **, uint64_t *offset);

/* ---- debuginfo.c ---- */
typedef struct DebugName {
    const char *name, *ctype, *shape;
    LLVMMetadataRef type;
    bool is_signed;
    Position position;
} DebugName;
/* What a pointer points to. */
typedef struct DebugType {
    LLVMMetadataRef type;
    uint64_t size; /* bytes */
    bool byte;     /* char and its kin: what is of no other type, too */
} DebugType;
Position debug_position(Front *, LLVMValueRef instruction);
bool debug_local(Front *, LLVMValueRef declare, LLVMValueRef *variable, DebugName *);
bool debug_global(Front *, LLVMValueRef global, DebugName *);
Position debug_function(Front *, LLVMValueRef function);
/* As the program writes it: the linker gives static functions of one name others. */
const char *debug_function_name(Front *, LLVMValueRef function);
/* A block of C, or a function; of code that the compiler inlined, with the call. None: NULL. */
typedef struct DebugBlock {
    LLVMMetadataRef scope, inlined;
} DebugBlock;
bool debug_is_const(Front *, LLVMMetadataRef type); /* it, or what it is an array of */
DebugBlock debug_block(Front *, LLVMValueRef instruction);
DebugBlock debug_block_of_variable(Front *, LLVMValueRef declare);
DebugBlock debug_outer(Front *, DebugBlock); /* the block around it; none around a function that was not inlined */
/* Mark where the fields of a variable (a global, or a llvm.dbg.declare), or of what it points to, begin and end. False: it does not have that size. */
bool debug_fields(Front *, LLVMValueRef variable, bool pointer, uint64_t size, bool *cut);
bool debug_pointee(Front *, LLVMMetadataRef pointer, DebugType *);   /* false: nothing that is known */
const char *debug_shape(Front *, const DebugType *, uint64_t count); /* of so many of it; 0: any number */
const char *debug_type_name(Front *, const DebugType *);             /* NULL: none */
bool debug_ends_open(Front *, const DebugType *);                    /* a struct whose last member is an array of no known length */
bool debug_member(Front *, LLVMMetadataRef composite, uint64_t offset, const char **name, LLVMMetadataRef *type);
LLVMMetadataRef debug_struct(Front *, const char *name); /* a struct or union; NULL: none is known */

/* ---- arguments.c ---- */
/* What the function that a template starts with is called with: main with any arguments, up to a bound. */
const Expr ***start_arguments(Lower *, LLVMValueRef function, unsigned *n);

/* ---- heap.c ---- */
/* What the object that the call allocates is called, by what the program uses it as. */
void name_heap_object(Lower *, LLVMValueRef call, Object *, const Expr *size);

/* ---- constants.c, globals.c ---- */
/* The leaves of a constant; a leaf that is undefined is NULL. False: not supported. */
bool constant_leaves(Front *, LLVMValueRef, const Expr **leaves);
bool is_model_variable(LLVMValueRef global); /* that models of library functions keep for themselves */
GlobalInfo *global_info(Front *, LLVMValueRef global);
Object *function_object(Front *, LLVMValueRef function);
Object *label_object(Front *, LLVMBasicBlockRef);       /* what &&label is the address of */
LLVMValueRef function_of(Front *, const Expr *address); /* NULL: not the address of a function */
/* Loading from a constant object at a constant address: the value, or NULL. */
const Expr *constant_load(Front *, const Expr *address, const Sort *, uint64_t size);
/* The C string at a constant address, or NULL; in the scratch arena. */
const char *constant_string(Front *, const Expr *address);
LLVMValueRef strip_alias(LLVMValueRef);
/* Whether a store through the pointer sets the kind of a mutex; if so, *address and *value become those of the mutex word. */
bool stores_mutex_kind(Lower *, LLVMValueRef pointer, const Expr **address, const Expr **value);
const Expr *gep_address(Front *, LLVMValueRef gep, const Expr *base, const Expr *(*index)(void *, LLVMValueRef), void *);

/* ---- function.c, escape.c ---- */
FunctionInfo *function_info(Front *, LLVMValueRef);
void function_info_free(FunctionInfo *);
ValueUse value_use(const FunctionInfo *, LLVMValueRef);
bool branches_on_phi(LLVMBasicBlockRef, LLVMValueRef *phi);
bool is_plain(Front *, LLVMValueRef pointer, const Sort *); /* only loaded and stored as this sort */
bool pointer_escapes(Front *, LLVMValueRef);
bool pointer_kept(Front *, LLVMValueRef alloca); /* by a variable of its function or elsewhere; or compared */
/* May somebody hold a pointer to it when it is dead? inner: does this variable of its function die with it? */
typedef bool InnerVariable(void *context, LLVMValueRef variable);
bool pointer_outlives(Front *, LLVMValueRef alloca, InnerVariable *inner, void *context);
/* Who stores, copies or fills through it, as far as it can be followed. */
typedef void PointerWrite(void *context, LLVMValueRef instruction);
void pointer_writes(Front *, LLVMValueRef alloca, PointerWrite *, void *context);
bool in_loop(LLVMBasicBlockRef);
const LLVMValueRef *taken_functions(Front *); /* a vec */

/* ---- targets.c ---- */
typedef struct FunctionTargets FunctionTargets;
/* As far as one can see. What a pointer points to otherwise is left out. */
bool may_point_to(Front *, LLVMValueRef pointer, LLVMValueRef function);
void targets_free(FunctionTargets *);
bool may_be_called(Front *, LLVMValueRef function); /* through a pointer that is not known when it is inlined */
bool program_uses(Front *, const char *function);   /* the program itself, not just the library */
LLVMValueRef saved_stack(LLVMValueRef restore);     /* what AllocaInfo.scope says; NULL: not known */

/* ---- constant_locals.c ---- */
void constant_locals_find(Front *, FunctionInfo *);
void constant_locals_guard(Lower *, LLVMValueRef instruction); /* what it writes must not be one */

/* ---- lives.c ---- */
void lives_find(Front *, FunctionInfo *);
/* Is each life of a local an object of its own? (frame->variables has its address then.) */
bool lives_anew(const Frame *, const AllocaInfo *);
void lives_enter(Lower *, Frame *, const AllocaInfo *);                          /* such a one has a place in the frame */
bool lives_differ(const Frame *caller, const FunctionInfo *, LLVMValueRef call); /* … for FOR_MEMORY, of one called there? */
uint64_t lives_at(const Frame *, LLVMValueRef instruction);
/* Lives end and begin on the way from one instruction to the next; NULL: out of the function. */
void lives_change(Lower *, LLVMValueRef from, LLVMValueRef to);
void lives_end(Lower *, const Frame *); /* of all that lives as long as the frame */

/* ---- poison.c ---- */
#define OPTIMISED_ATTRIBUTE "heddle-optimised"
void mark_optimised(LLVMContextRef, LLVMModuleRef);
bool function_is_optimised(LLVMValueRef);
const Expr *undefined_shift(Lower *, const Expr *any); /* what clang makes of a shift of constants by too much; any: any value */
const Expr *hold_defined(Lower *, const Expr *);       /* as emit_hold; in optimised code what is not defined is any value */

/* ---- native.c: what a native run needs to know ---- */
typedef struct Native Native;
/* What a native run does instead of a call; special.c knows. */
typedef enum NativeCall {
    NATIVE_USUAL,     /* nothing else */
    NATIVE_PRIMITIVE, /* the runtime has a function of that name */
    NATIVE_ANSWER,    /* what was answered when it was lowered */
    NATIVE_INPUT,     /* what the trace says */
    NATIVE_ERROR,
    NATIVE_ASSERT,
    NATIVE_HALT,
    NATIVE_FINISH,
    NATIVE_QUICK,
    NATIVE_REQUIRE,
    NATIVE_BEGIN, /* of an atomic section */
    NATIVE_END,
    NATIVE_NOTHING
} NativeCall;
NativeCall special_native(LLVMValueRef function);
void native_begin(Front *);                                      /* numbers the instructions */
unsigned native_origin(const Front *, LLVMValueRef instruction); /* its number; 0: none */
void native_answer(Lower *, Matters, unsigned value);            /* what a question of the models is answered with, here, for these */
unsigned native_variant(const char *model);                      /* which of the models of a function it is; 0: the usual one */
void native_finish(Front *, LLVMValueRef entry, Loaded *);       /* after lowering: the module becomes Loaded.native */

/* ---- fork.c: what differs from property to property ---- */
enum {
    FOR_READS = FOR_MEMORY | FOR_RACES /* it matters what library functions read, though nobody can tell by their results */
};
/* Code for these properties, and for the others; afterwards the ways meet:
     for (Fork f = fork_by(l, FOR_RACES); fork_next(l, &f);) … */
typedef struct Fork {
    Matters all, parts[2];
    unsigned n, next;
    Cursor start, ends[2];
} Fork;
Fork fork_by(Lower *, Matters);
bool fork_next(Lower *, Fork *);
/* What a part of a fork computes. *all: what the parts before it did; start with NULL. */
void fork_value(Lower *, const Expr **all, const Expr *here);
void fork_leaves(Lower *, const Expr ***all, const Expr *const *here, unsigned n);
/* Is it one of these properties? The place must be one for these alone, or for none of them. */
bool asks(const Lower *, Matters);
const Expr *asked(Lower *, Matters);           /* likewise, as a value: the place may be for some that are and some that are not */
const Expr *asked_here(Lower *, const Expr *); /* the same value, at this place */
const Expr *instrumented_by(Lower *, Matters, const Expr *); /* … for these */
bool is_question(const Expr *);
bool has_question(Lower *, const Expr *);

/* ---- emit.c ---- */
Instr *emit(Lower *, InstrKind);         /* thread-local work */
Instr *emit_private(Lower *, InstrKind); /* an access to memory that others cannot see; it may fault */
Instr *emit_visible(Lower *, InstrKind); /* what others can see: one of these per action */
Instr *emit_read(Lower *, InstrKind);    /* likewise, where nothing of theirs changes */
void emit_assign(Lower *, Variable *, const Expr *);
/* waits: a library function waits for it, and for the thread that has this number (0, NULL: for none in particular). */
void emit_assume(Lower *, const Expr *, bool waits, const Expr *of);
void emit_life(Lower *, InstrKind, Object *); /* ALIVE, DEAD: a local object's life begins (anew), or ends */
unsigned emit_location(Lower *, LocationKind);
unsigned emit_settle(Lower *);                         /* the location of the cursor; no action is open after it, and no step has begun */
void emit_settle_for(Lower *, Matters);                /* no step of these properties has begun after it */
void emit_within(Lower *, unsigned location, Matters); /* go there; for these properties the step goes on */
void emit_goto(Lower *, unsigned location);            /* the cursor is dead after it */
void emit_branch(Lower *, const Expr *condition, Cursor *yes, Cursor *no);
Cursor emit_guarded(Lower *, unsigned location, const Expr *guard, unsigned depth);
void emit_halt(Lower *);
void emit_endless(Lower *); /* a loop that does nothing, for ever */
void emit_error(Lower *, const char *text);
void emit_end(Lower *, const Expr *result);
void emit_stop(Lower *, ApproximationKind, const char *format, ...) __attribute__((format(printf, 3, 4)));
void emit_stop_unless(Lower *, const Expr *condition, const char *text); /* where it is false, what follows is not modelled */
void emit_over(Lower *, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A call whose effects are not modelled; the code goes on without any. likely: it may well have some, so no trace goes through it. */
void emit_omission(Lower *, const char *function, const char *why, bool likely);
void emit_doubt(Lower *, const char *text);   /* what is there may fail in ways that are not modelled: one way stops, the other goes on */
void emit_unknown_value(Lower *, Variable *); /* of a global that no file defines */
void emit_unknown_result(Lower *, const char *function);               /* what is chosen next is any value, the function's result */
void emit_assumption(Lower *, const char *function, const char *text); /* verdicts take it for granted; function may be NULL */
void emit_said(Lower *, const char *text);                             /* likewise, by the user's word: of no place */
void assume_zero(Lower *);                                             /* what is not initialised is zero: on record */
void emit_section_begin(Lower *);
void emit_section_end(Lower *);
Variable *emit_temporary(Lower *, const Sort *);
const Expr *emit_any(Lower *, const Sort *);
const Expr *emit_hold(Lower *, const Expr *); /* its value now, in a temporary */

/* ---- lower.c ---- */
void lower_work(Lower *, unsigned n); /* so much more has been lowered */
bool lower_too_large(Lower *);
void lower_template(Front *, unsigned index);
void lower_prologue(Front *); /* after all templates */
unsigned template_of(Front *, LLVMValueRef start);
void lower_body(Lower *, Frame *);
const Expr **value_leaves(Lower *, LLVMValueRef);
const Expr *value_of(Lower *, LLVMValueRef); /* of a scalar */
void define(Lower *, LLVMValueRef, const Expr **leaves);
void define_scalar(Lower *, LLVMValueRef, const Expr *);
void assign_local(Lower *, Variable *, const Expr *);
void settle_faults(Lower *);
void clear_object(Lower *, const Frame *, const Object *); /* a local of the frame begins to live: with zeros, if the user says so */
void undefine_local(Lower *, const Frame *, Variable *);   /* it is not initialised */
Frame *frame_new(Lower *, FunctionInfo *, LLVMValueRef call);
void frame_enter(Lower *, Frame *, const Expr ***arguments, unsigned n);
void frame_free(Frame *);

/* ---- instr.c, memory.c, copy.c, call.c, varargs.c, unknown.c, assembler.c, special.c, intrinsics.c ---- */
void lower_instr(Lower *, LLVMValueRef);
/* Integers wider than any sort (bit-fields, mostly), as lists of 64-bit limbs. False: not an instruction on them. */
bool lower_wide(Lower *, LLVMValueRef);
bool type_is_wide(LLVMTypeRef);
enum { LIMB = 64 };
bool lower_memory(Lower *, LLVMValueRef); /* false: not an instruction on memory */
bool address_private(Lower *, const Expr *);
void emit_fence(Lower *, MemoryOrder); /* where memory orders matter */
/* A read-modify-write or an atomic store (of the order that is lowered) of what no other thread sees: what remains of its order. */
void fence_private(Lower *, const Variable *, const Expr *address, bool modifies);
static inline bool front_is_buffered(const Front *f) { return f->options->weak && !f->options->c11; } /* TSO, PSO */
const Expr *load_scalar(Lower *, const Expr *address, const Sort *, uint64_t size, bool atomic);
void store_scalar(Lower *, const Expr *address, const Expr *, uint64_t size, bool atomic);
void lower_copy(Lower *, LLVMValueRef call);
void lower_fill(Lower *, LLVMValueRef call);
const Expr *load_fields(Lower *, const Expr *address, const AllocaInfo *as, uint64_t offset, uint64_t size);
void copy_object(Lower *, const Expr *to, const Expr *from, LLVMTypeRef);
void lower_call(Lower *, LLVMValueRef);
void lower_restore(Lower *, LLVMValueRef call);
void list_arguments(Lower *, Frame *, LLVMValueRef call); /* those that the function of the frame has no parameters for */
void lower_arguments_start(Lower *, const Expr *list);
void lower_arguments_copy(Lower *, const Expr *to, const Expr *from);
LLVMTypeRef passed_by_value(LLVMValueRef call, unsigned i); /* of argument i; NULL: it is not a struct in memory */
/* As many leaves as the type has, each of its sort; any values for those that are missing. */
const Expr **coerce(Lower *, const Expr **leaves, unsigned n, const Leaves *type);
void call_function(Lower *, LLVMValueRef call, LLVMValueRef function);
unsigned activations(const Lower *, const FunctionInfo *);                             /* of a function, at this place */
void enter_model(Lower *, LLVMValueRef function, const Expr ***arguments, unsigned n); /* for what the program does without a call */
/* hooks.c */
void run_constructors(Lower *);
void run_destructors(Lower *);
bool has_destructors(const Front *);
LLVMValueRef *hook_functions(const Front *, bool at_end); /* a vec: those that run before main, or after it, in their order */
/* reads.c */
void read_arguments(Lower *, LLVMValueRef call, const char *name);  /* what the model of a library function does not, or if it has none */
bool reads_are_known(Lower *, LLVMValueRef call, const char *name); /* of one that has none */
void call_unknown(Lower *, LLVMValueRef call, LLVMValueRef function, const char *name);
bool lists_name(const char *list, const char *name); /* between blanks (libc.c) */
bool libc_only_reads(const char *name);              /* a function of the library that writes nothing of the program's (libc.c) */
bool is_for_verifiers(const char *name);
bool libc_only_arguments(const char *name); /* … nothing but what its arguments point to */
void call_assembler(Lower *, LLVMValueRef call, LLVMValueRef code);
bool disturb_errno(Lower *); /* a call of the library may leave any number there; false: nobody looks */
void end_thread(Lower *, const Expr *result);
void end_process(Lower *, bool quick);                         /* by exit, or by quick_exit */
bool lower_math(Lower *, LLVMValueRef call, const char *name); /* false: not a function of constants that is known */
bool lower_math_intrinsic(Lower *, LLVMValueRef call, const char *name);
bool lower_special(Lower *, LLVMValueRef call, LLVMValueRef function, const char *name);
bool is_special(LLVMValueRef function); /* false also for names whose definition counts */
bool program_asserts(Front *);          /* whether the program itself calls what reports errors */
bool special_keeps(const char *name);   /* a primitive that does not give its pointers to others */
enum { RESULT_UNUSED, RESULT_SIGN, RESULT_MATTERS };
/* scan.c: of the call of scanf that is being lowered */
int scan_conversions(Lower *); /* of its format; -1: not known */
void scan_store(Lower *, unsigned index);
/* creations.c */
bool is_started(LLVMValueRef call, LLVMValueRef function);      /* does the call create a thread that does the function? */
unsigned most_threads(Front *);                                 /* main among them; ~0u: it is not known */
bool runs_once(Front *, LLVMValueRef function, unsigned depth); /* depth: 0 */

/* joins.c */
enum { IS_MAIN = 1, MAIN_LEAVES };
unsigned awaited_main(Lower *); /* if others may wait for the end of main: is this main, or does it end its thread? 0: no */
bool may_join_itself(Lower *, LLVMValueRef call);
/* The properties for which a join may be of a thread that is detached, or was joined; NULL: some join. */
Matters joins_in_vain(Front *, LLVMValueRef call);
LLVMValueRef *calls_of(Front *, const char *name, bool *other); /* by the program; a vec. *other: it is used otherwise, too */
bool may_take_again(Front *, LLVMValueRef call);                /* joins_once.c; NULL: is there such a call? */
bool may_be_cancelled(Lower *);                                 /* cancel.c: the thread, here */
bool text_unread(Front *, LLVMValueRef call);                   /* of the variable that is its first argument */
int result_use(LLVMValueRef call);                              /* not used; only compared with zero; anything else */
bool may_relock(Front *);                                       /* may a thread ask for a read-write lock that it holds for writing? */
bool is_pure(Front *, LLVMValueRef function, unsigned depth);   /* it changes nothing but its own variables */
/* Here clang found arithmetic that is not defined: a division, or a sum. Its operands are not there any more: arithmetic of one bit, which C does
   not have, stands for it. */
void lower_undefined(Lower *, bool division);
const Expr *condition_of(Lower *, LLVMValueRef branch);
void lower_intrinsic(Lower *, LLVMValueRef call, const char *name);
