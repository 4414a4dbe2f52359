/* SPDX-License-Identifier: Apache-2.0 */
/* Declares what the files of the front end share: types, analyses of functions, the cursor, and lowering. Private to src/front.

   A module is lowered template by template; a template is a function that some thread starts with. Calls are inlined: a Frame is one
   activation, with its own variables. A Cursor is the place where code is added; as it is a value, a branch makes two of them. */
#pragma once
#include "base/map.h"
#include "front/front.h"
#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

enum { NONE = ~0u, ON_FUNCTION = ~0u }; /* NONE: no index; ON_FUNCTION: the index for attributes of the function itself */

/* ---- types (types.c) ---- */
/* A scalar part of a type. */
typedef struct Leaf {
    uint64_t offset, size; /* bytes */
    const Sort *sort;      /* i1 is Bool; pointers and floats are bit-vectors */
} Leaf;
/* The scalars of a first-class type, in the order of their offsets. A value of the type is one expression for each leaf. */
typedef struct Leaves {
    bool supported;
    unsigned n;
    Leaf *leaf; /* a vec while it is built, then an array of n */
} Leaves;

/* ---- functions, as analysed once (function.c) ---- */
typedef struct AllocaInfo {
    LLVMValueRef value;
    const char *name, *ctype, *shape;
    LLVMMetadataRef type; /* debug information of its type; NULL if it is unknown */
    Position position;
    uint64_t size;
    const Sort *sort; /* the sort of a plain variable; NULL for an object in memory */
    bool is_signed;
    bool named;    /* whether debug information names it */
    bool static_;  /* whether it is executed once per activation, with a constant size */
    bool private_; /* an object that no other thread can reach */
    bool repeats;  /* static, with its declaration in a loop */
    /* For a dynamic one: the variable with the saved stack pointer whose restoration frees it; NULL: the return frees it */
    LLVMValueRef scope;
    bool set_first;       /* a plain variable that is always written before it is read */
    unsigned parameter;   /* index of the parameter that it holds all the time, or NONE */
    LLVMValueRef declare; /* its llvm.dbg.declare, or NULL */
    uint64_t life[2];     /* for an object: its bit in FunctionInfo.lives, indexed in the same way; 0: it lives from entry to return */
    bool outlived;        /* for an object: a pointer to it may be kept after its function returns */
    /* For an object: a pointer may outlive one life while the next begins in the same activation, so each life is an object of its own */
    bool anew;
} AllocaInfo;

typedef struct FunctionInfo {
    LLVMValueRef function;
    const char *name;
    bool model;           /* library code, which is not shown to the user */
    unsigned sections;    /* whether it has atomic sections: 0 not yet known, 1 yes, 2 no */
    bool section;         /* whether its body is an atomic section */
    bool lists_arguments; /* whether it uses arguments that it has no parameters for */
    bool list_private;    /* whether it uses them only through lists that no other thread can reach */
    bool optimised;       /* it may be optimised code; see poison.c */
    unsigned returns;     /* number of return instructions */
    AllocaInfo **allocas; /* a vec */
    Map *alloca_of;       /* value → AllocaInfo */
    Map *uses;            /* instruction → packed ValueUse */
    Map *predecessors;    /* block → number of edges into it */
    /* Instruction → bits of the lives (lives.c) that include it; lives[1] is for FOR_MEMORY, lives[0] for the other properties */
    Map *lives[2];
} FunctionInfo;

typedef struct ValueUse {
    unsigned index, last; /* places in its block: of the instruction, and of its last use in the block */
    bool crosses;         /* used in another block */
} ValueUse;

/* A global of the module: either a plain variable or an object. */
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
    Map *assigned;        /* variables of the program, whose value may change after it was read even if they have no name */
    Map *privates;        /* object that no other thread can reach → itself */
    Map *templates;       /* start function → index of its template */
    Map *breaks;          /* instruction that writes a const local → BREAKS_… (constant_locals.c); NULL before the first */
    Map *approximations;  /* hash of kind, text and place → index in Program.approximations */
    Map *files;           /* debug file → its name */
    Map *structs;         /* name → debug type of the struct or union; NULL until it is first used */
    Map *seen_types;      /* debug types that were already searched for structs */
    Map *closed;          /* expression → 1 not closed, 2 closed; see expr_closed */
    LLVMValueRef *starts; /* a vec, by template: its start function */
    LLVMValueRef *taken;  /* a vec: functions whose address is used as a value */
    bool taken_known;
    struct FunctionTargets *targets; /* built by targets.c when it is first used; NULL before */
    Object **undefined;              /* a vec: objects that start with unknown contents */
    bool guesses;                    /* whether one of them has an initial value that is not modelled */
    bool lacks;                      /* whether one of them is defined by no file */
    bool writes_const;               /* whether one of them is const, and the program writes it */
    Variable **foreign;              /* a vec: variables that no file defines */
    bool threads_known;              /* whether most_threads has stored its answer in `threads` */
    unsigned threads;
    int join_in_vain_known; /* the answer of some_join_in_vain (joins.c): 0 not yet known, 1 no, 2 yes */
    Map *taken_once;        /* calls that take a thread which no other call takes (joins_once.c); NULL until it is first used */
    bool takes_again;       /* whether some other call takes a thread */
    Map *running;           /* model → whether a call of it may run a function of the program (effects.c); NULL until it is first used */
    int relocks;            /* the answer of may_relock: 0 not yet known, 1 no, 2 yes */
    int copies;             /* the answer of may_copy_objects, likewise */
    PropertySet weak_noted; /* the properties for which an atomic access weaker than seq_cst was met */
    int integers;           /* whether the program converts addresses to integers: 0 not yet known, 1 no, 2 yes */
    size_t work[PROPERTY_BITS]; /* for each property, the number of instructions lowered for it so far */
    bool has_questions;
    /* By set of properties: the variable that is true if one of them is asked; NULL until it is first used */
    Variable *questions[FOR_ALL + 1];
    struct Native *native; /* data for native runs (native/instrument.c); NULL if no native run is asked for */
} Front;

/* ---- the place where code is being added (emit.c) ---- */
/* The cursor is either in an open action, whose target is not yet fixed, or at a location. A step may end there for one property and
   continue for another, so each fact about the step is a set of properties. */
typedef struct Cursor {
    unsigned location;   /* the location of the cursor, or the source of the open action */
    unsigned action;     /* the open action, or NONE */
    unsigned depth;      /* nesting depth of atomic sections */
    bool dead;           /* the cursor is unreachable */
    PropertySet gone;    /* properties for which the cursor is unreachable */
    PropertySet done;    /* the step has made a visible access; another one needs another step */
    PropertySet section; /* the step has made visible accesses, all in the present atomic section, where more may follow */
    PropertySet began;   /* the step began before `location`; the next three describe the part before it */
    PropertySet atomic;  /* the step began at an atomic location */
    PropertySet changed; /* the step changed what other threads can see */
    PropertySet noted;   /* the step recorded an approximation */
    PropertySet chosen;  /* the step made a choice */
} Cursor;

typedef struct Pending {
    LLVMValueRef value;
    unsigned last; /* place of its last use in the block */
} Pending;

typedef struct Work {
    LLVMBasicBlockRef block;
    Cursor cursor;
} Work;

typedef struct Frame Frame;
struct Frame {
    Frame *caller;
    FunctionInfo *info;
    bool lives;             /* whether its lives are those for FOR_MEMORY, FunctionInfo.lives[1] */
    LLVMValueRef call;      /* the call that made it; NULL: none */
    const char *function;   /* the innermost function of the user */
    Position call_position; /* position of that call, which the code of models takes over */
    Activation *activation;
    Map *values;      /* value → const Expr ** (its leaves) */
    Map *variables;   /* plain alloca → Variable; allocated alloca → the variable with its address */
    Map *bound;       /* plain alloca → const Expr *: the argument that it holds all the time */
    Map *blocks;      /* block and nesting depth → location */
    Pending *pending; /* a vec: values of this block that read variables and are still needed */
    unsigned index;   /* place of the present instruction in its block */
    Work *work;       /* a vec: blocks still to be lowered */
    Object **objects; /* a vec: local objects that die at the return */
    Object *list;     /* the arguments that it has no parameters for; NULL if it does not use them */
    Variable **stack; /* a vec: variables with the addresses of allocations that the return frees */
    bool returned;
    PropertySet gone, never;     /* the properties for which its entry is unreachable, and those for which every return is */
    Cursor back;                 /* the cursor in the caller after the return */
    unsigned join;               /* location where several returns meet, or NONE */
    Variable **result_variables; /* the variables that hold the results at `join` */
    const Expr **result;         /* the leaves of the result */
};

/* An instruction in an atomic section that waits: its place in the template. */
typedef struct SectionWait {
    unsigned action, instr;
} SectionWait;

typedef struct Lower {
    Front *front;
    Program *program;
    Exprs *pool;
    Template *template_;
    Frame *frame;
    Cursor cursor;
    PropertySet asked; /* the properties for which code is made now, except those in cursor.gone */
    Position position;
    unsigned threading; /* nesting depth of edges that branch themselves */
    unsigned ways;      /* if the present call is through a pointer: the number of functions it may reach; else 0 */
    unsigned halt, quit, end, too_large,
        limbo;          /* locations that the template shares, or NONE; at `quit` the process ends before main returns */
    bool returned;      /* whether the start function has returned */
    SectionWait *waits; /* a vec */
    MemoryOrder order;  /* of the present atomic access … */
    bool fails;         /* … which is the read of a compare-exchange that fails */
    bool life;          /* the next store begins or ends the life of a mutex */
} Lower;

/* ---- types.c ---- */
const Sort *type_sort(Front *, LLVMTypeRef); /* NULL if the type is no scalar or is not supported */
const Leaves *type_leaves(Front *, LLVMTypeRef);
uint64_t type_store_size(Front *, LLVMTypeRef);
uint64_t type_size(Front *, LLVMTypeRef);
unsigned type_bits(const Sort *); /* 1 for Bool */
/* Convert a value to the `size` bytes that represent it in memory, and back to a scalar of the sort. */
const Expr *to_memory(Front *, const Expr *, uint64_t size);
const Expr *from_memory(Front *, const Expr *raw, const Sort *);
const Expr *as_bits(Front *, const Expr *);               /* converts a Bool to bv1 */
const Expr *as_sort(Front *, const Expr *, const Sort *); /* truncates or zero-extends */
const Expr *as_pointer(Front *, const Expr *, bool is_signed);
const Expr *pointer_const(Front *, uint64_t);
const Expr *address_add(Front *, const Expr *, uint64_t);
bool expr_closed(Front *, const Expr *); /* true if e mentions no variable except questions (fork.c) */
/* True if e is the address of an object plus a constant offset. */
bool address_split(Front *, const Expr *, Object **, uint64_t *offset);

/* ---- debuginfo.c ---- */
typedef struct DebugName {
    const char *name, *ctype, *shape;
    LLVMMetadataRef type;
    bool is_signed;
    Position position;
} DebugName;
/* The target type of a pointer. */
typedef struct DebugType {
    LLVMMetadataRef type;
    uint64_t size; /* bytes */
    bool byte;     /* a character type, as which C lets a program access anything */
} DebugType;
Position debug_position(Front *, LLVMValueRef instruction);
bool debug_local(Front *, LLVMValueRef declare, LLVMValueRef *variable, DebugName *);
bool debug_global(Front *, LLVMValueRef global, DebugName *);
Position debug_function(Front *, LLVMValueRef function);
/* Returns the name in the source. The linker renames static functions with equal names. */
const char *debug_function_name(Front *, LLVMValueRef function);
/* A block of C, or a function; scope is NULL if there is no block. `inlined` is the call of code that the compiler inlined. */
typedef struct DebugBlock {
    LLVMMetadataRef scope, inlined;
} DebugBlock;
bool debug_is_const(Front *, LLVMMetadataRef type); /* true if the type, or the element type of an array, is const */
DebugBlock debug_block(Front *, LLVMValueRef instruction);
DebugBlock debug_block_of_variable(Front *, LLVMValueRef declare);
DebugBlock debug_outer(Front *, DebugBlock); /* returns the enclosing block; its scope is NULL around a function that was not inlined */
/* Marks in cut[0..size] the offsets where fields of a variable begin and end. The variable is a global or a llvm.dbg.declare; if
   `pointer`, the fields are those of its target. False if the size differs. */
bool debug_fields(Front *, LLVMValueRef variable, bool pointer, uint64_t size, bool *cut);
bool debug_pointee(Front *, LLVMMetadataRef pointer, DebugType *);   /* false if the target is unknown */
const char *debug_shape(Front *, const DebugType *, uint64_t count); /* NULL if unknown; count 0: any number of elements */
const char *debug_type_name(Front *, const DebugType *);             /* NULL if it has no name */
bool debug_ends_open(Front *, const DebugType *);                    /* true if it is a struct that ends with an array of unknown length */
bool debug_member(Front *, LLVMMetadataRef composite, uint64_t offset, const char **name, LLVMMetadataRef *type);
LLVMMetadataRef debug_struct(Front *, const char *name); /* a struct or union; NULL if unknown */

/* ---- arguments.c ---- */
/* Returns the arguments of a template's start function, and their number in *n. main gets any arguments up to a bound. */
const Expr ***start_arguments(Lower *, LLVMValueRef function, unsigned *n);

/* ---- heap.c ---- */
/* Sets the object's name and type for display, found from the uses of the allocation's result. */
void name_heap_object(Lower *, LLVMValueRef call, Object *, const Expr *size);

/* ---- constants.c, globals.c ---- */
/* Computes the leaves of a constant; an undefined leaf is NULL. False if the constant is not supported. */
bool constant_leaves(Front *, LLVMValueRef, const Expr **leaves);
/* Returns the address of a weak function that no file defines: null, or that of the function in another file. */
const Expr *weak_address(Lower *, LLVMValueRef function);
bool is_model_variable(LLVMValueRef global); /* true if it belongs to the models of library functions */
GlobalInfo *global_info(Front *, LLVMValueRef global);
Object *function_object(Front *, LLVMValueRef function);
Object *label_object(Front *, LLVMBasicBlockRef);       /* returns the object whose address &&label is */
LLVMValueRef function_of(Front *, const Expr *address); /* NULL if it is not the address of a function */
/* Returns the value of a load from a constant object at a constant address; NULL if it is unknown. */
const Expr *constant_load(Front *, const Expr *address, const Sort *, uint64_t size);
/* Returns the C string at a constant address, in the scratch arena; NULL if it is unknown. */
const char *constant_string(Front *, const Expr *address);
LLVMValueRef strip_alias(LLVMValueRef);
/* True if a store through the pointer sets the kind of a mutex. Then *address and *value become those of the mutex word. */
bool stores_mutex_kind(Lower *, LLVMValueRef pointer, const Expr **address, const Expr **value);
const Expr *gep_address(Front *, LLVMValueRef gep, const Expr *base, const Expr *(*index)(void *, LLVMValueRef), void *);

/* ---- function.c, escape.c ---- */
FunctionInfo *function_info(Front *, LLVMValueRef);
void function_info_free(FunctionInfo *);
ValueUse value_use(const FunctionInfo *, LLVMValueRef);
bool branches_on_phi(LLVMBasicBlockRef, LLVMValueRef *phi);
bool is_plain(Front *, LLVMValueRef pointer, const Sort *); /* true if it is only loaded and stored as this sort */
bool pointer_escapes(Front *, LLVMValueRef);
/* True if a variable of its function or other code keeps the pointer, or the pointer is compared. */
bool pointer_kept(Front *, LLVMValueRef alloca);
/* True if a pointer to the alloca may be kept longer than the object lives. `inner` returns whether a variable of its function dies with
   the object. */
typedef bool InnerVariable(void *context, LLVMValueRef variable);
bool pointer_outlives(Front *, LLVMValueRef alloca, InnerVariable *inner, void *context);
/* Calls the callback for each instruction that stores, copies or fills through the pointer, as far as it can be followed. */
typedef void PointerWrite(void *context, LLVMValueRef instruction);
void pointer_writes(Front *, LLVMValueRef alloca, PointerWrite *, void *context);
bool in_loop(LLVMBasicBlockRef);
const LLVMValueRef *taken_functions(Front *); /* a vec */

/* ---- targets.c ---- */
typedef struct FunctionTargets FunctionTargets;
/* True if the pointer may point to the function according to a guess. Callers must stop where the guess is wrong. */
bool may_point_to(Front *, LLVMValueRef pointer, LLVMValueRef function);
void targets_free(FunctionTargets *);
bool may_be_called(Front *, LLVMValueRef function); /* through a pointer that is not known when the call is inlined */
bool program_uses(Front *, const char *function);   /* true if the program itself uses it, not only the models */
LLVMValueRef saved_stack(LLVMValueRef restore);     /* returns the variable for AllocaInfo.scope; NULL if unknown */

/* ---- constant_locals.c ---- */
void constant_locals_find(Front *, FunctionInfo *);
void constant_locals_guard(Lower *, LLVMValueRef instruction); /* reports a fault if the instruction may write a const local */

/* ---- lives.c ---- */
void lives_find(Front *, FunctionInfo *);
/* True if each life of the alloca is an object of its own; frame->variables then has the variable with its address. */
bool lives_anew(const Frame *, const AllocaInfo *);
void lives_enter(Lower *, Frame *, const AllocaInfo *); /* enters such an alloca into the frame */
/* True if some lives in a call of the function differ for FOR_MEMORY. */
bool lives_differ(const Frame *caller, const FunctionInfo *, LLVMValueRef call);
uint64_t lives_at(const Frame *, LLVMValueRef instruction);
/* Ends and begins lives on the way between two instructions; `to` is NULL for a return. */
void lives_change(Lower *, LLVMValueRef from, LLVMValueRef to);
void lives_end(Lower *, const Frame *); /* ends the lives of all objects that live as long as the frame */

/* ---- poison.c ---- */
#define OPTIMISED_ATTRIBUTE "heddle-optimised"
void mark_optimised(LLVMContextRef, LLVMModuleRef);
bool function_is_optimised(LLVMValueRef);
/* Returns the result of a constant shift by too much: an overflow fault if overflows are asked, else `any`. */
const Expr *undefined_shift(Lower *, const Expr *any);
const Expr *hold_defined(Lower *, const Expr *); /* emit_hold, except that in optimised code an undefined value becomes any value */

/* ---- native/instrument.c: what a native run needs to know ---- */
typedef struct Native Native;
/* Replacements of a call in a native run (special.c). */
typedef enum NativeCall {
    NATIVE_USUAL,     /* the call itself */
    NATIVE_PRIMITIVE, /* the runtime's function of the same name */
    NATIVE_ANSWER,    /* the answer that was given when the call was lowered */
    NATIVE_INPUT,     /* the value in the trace */
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
unsigned native_origin(const Front *, LLVMValueRef instruction); /* the number of the instruction; 0 if it has none */
/* Records the answer to a question of the models at this place, for these properties. */
void native_answer(Lower *, PropertySet, unsigned value);
unsigned native_variant(const char *model);                /* the number of the variant that the model implements; 0: the usual one */
void native_finish(Front *, LLVMValueRef entry, Loaded *); /* turns the module into Loaded.native, after lowering */

/* ---- fork.c: code that differs between properties ---- */
enum {
    FOR_READS = FOR_MEMORY | FOR_RACES,  /* it matters what library functions read, even if it affects no result */
    FOR_WAITS = FOR_DEADLOCKS | FOR_ENDS /* it matters whether a wait ends */
};
/* Lowers code once for these properties and once for the other ones, after which the paths meet:
     for (Fork f = fork_by(l, FOR_RACES); fork_next(l, &f);) … */
typedef struct Fork {
    PropertySet all, parts[2];
    unsigned n, next;
    Cursor start, ends[2];
} Fork;
Fork fork_by(Lower *, PropertySet);
bool fork_next(Lower *, Fork *);
/* Adds the value that the present part of a fork computes. *all has the values of the parts before it, and starts as NULL. */
void fork_value(Lower *, const Expr **all, const Expr *here);
void fork_leaves(Lower *, const Expr ***all, const Expr *const *here, unsigned n);
/* True if one of these properties is asked here. The cursor must be for a subset of these properties, or for other properties only. */
bool asks(const Lower *, PropertySet);
const Expr *asked(Lower *, PropertySet); /* returns the same answer as a Bool value; the cursor may be for properties of both kinds */
const Expr *answer_questions_here(Lower *, const Expr *);         /* substitutes the answers that are known at this place */
const Expr *answer_questions(Lower *, PropertySet, const Expr *); /* substitutes the answers for these properties */
bool is_question(const Expr *);
bool has_question(Lower *, const Expr *);

/* ---- emit.c ---- */
Instr *emit(Lower *, InstrKind);         /* adds thread-local work */
Instr *emit_private(Lower *, InstrKind); /* adds an access to memory that other threads cannot see, and that may fault */
Instr *emit_visible(Lower *, InstrKind); /* adds a visible access, the only one of its action */
Instr *emit_read(Lower *, InstrKind);    /* adds a visible access that changes nothing for other threads */
void emit_assign(Lower *, Variable *, const Expr *);
/* Adds an assumption. `waits`: a library function waits for it, and for the thread with the number `of`; 0 or NULL: for no particular
   thread. */
void emit_assume(Lower *, const Expr *, bool waits, const Expr *of);
/* Adds a lock or join. The step ends before it if a choice of the step may affect the address: a thread that waits has made its choice. In
   one step, it would choose so that it need not wait. */
Instr *emit_wait(Lower *, InstrKind, const Expr *address);
void emit_life(Lower *, InstrKind, Object *); /* ALIVE or DEAD: the life of a local object begins (anew) or ends */
unsigned emit_location(Lower *, LocationKind);
unsigned end_step(Lower *);                                /* ends the step and the open action, and returns the location of the cursor */
void end_step_for(Lower *, PropertySet);                   /* ends the step for these properties */
void emit_within(Lower *, unsigned location, PropertySet); /* goes to the location, and continues the step for these properties */
void emit_goto(Lower *, unsigned location);                /* the cursor is dead afterwards */
void emit_branch(Lower *, const Expr *condition, Cursor *yes, Cursor *no);
Cursor emit_guarded(Lower *, unsigned location, const Expr *guard, unsigned depth);
void emit_halt(Lower *);
void emit_endless(Lower *); /* a loop that does nothing */
void emit_error(Lower *, const char *text);
void emit_end(Lower *, const Expr *result);
void emit_stop(Lower *, ApproximationKind, const char *format, ...) __attribute__((format(printf, 3, 4)));
void emit_stop_unless(Lower *, const Expr *condition, const char *text); /* stops where the condition is false */
void emit_over(Lower *, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Adds a call whose effects are not modelled. If `likely`, it probably has effects, so no UNSAFE depends on a trace through it. */
void emit_omission(Lower *, const char *function, const char *why, bool likely);
void emit_doubt(Lower *, const char *text);   /* adds a path that stops, since the code here may fail in a way that is not modelled */
void emit_unknown_value(Lower *, Variable *); /* sets a global that no file defines to any value */
/* Records that the next chosen value is the result of the function. */
void emit_unknown_result(Lower *, const char *function);
void emit_assumption(Lower *, const char *function, const char *text); /* records what verdicts take for granted; function may be NULL */
void note_assumption(Lower *, const char *text);                       /* records an assumption of the user, without a place */
void assume_zero(Lower *);                                             /* records that uninitialised memory is zero */
void emit_section_begin(Lower *);
void emit_section_end(Lower *);
Variable *emit_temporary(Lower *, const Sort *);
const Expr *emit_any(Lower *, const Sort *);
const Expr *emit_hold(Lower *, const Expr *); /* returns its present value, in a temporary */

/* ---- section_choices.c ---- */
/* Lets the template stop where an atomic section makes a choice and then waits: nothing ends the step between the two. */
void refuse_section_choices(Lower *);

/* ---- lower.c ---- */
void lower_work(Lower *, unsigned n); /* counts n more instructions as lowered */
bool lower_too_large(Lower *);
void lower_template(Front *, unsigned index);
void lower_prologue(Front *); /* runs after all templates */
unsigned template_of(Front *, LLVMValueRef start);
void lower_body(Lower *, Frame *);
const Expr **value_leaves(Lower *, LLVMValueRef);
const Expr *value_of(Lower *, LLVMValueRef); /* the value of a scalar */
void define(Lower *, LLVMValueRef, const Expr **leaves);
void define_scalar(Lower *, LLVMValueRef, const Expr *);
void assign_local(Lower *, Variable *, const Expr *);
/* Makes values that were computed already, and are used later, fault before the visible change that follows. */
void settle_faults(Lower *);
void clear_object(Lower *, const Frame *, const Object *); /* clears a local object whose life begins, with --zero-memory */
void undefine_local(Lower *, const Frame *, Variable *);   /* makes the variable uninitialised */
Frame *frame_new(Lower *, FunctionInfo *, LLVMValueRef call);
void frame_enter(Lower *, Frame *, const Expr ***arguments, unsigned n);
void frame_free(Frame *);

/* ---- instr.c, memory.c, copy.c, call.c, varargs.c, unknown.c, assembler.c, special.c, intrinsics.c ---- */
void lower_instr(Lower *, LLVMValueRef);
/* Lowers instructions on integers wider than any sort (mostly bit-fields), as lists of 64-bit limbs. False if the instruction has no
   wide operand. */
bool lower_wide(Lower *, LLVMValueRef);
bool type_is_wide(LLVMTypeRef);
enum { LIMB = 64 };
void lower_exchange(Lower *, LLVMValueRef, MemoryOrder failure); /* of a compare-exchange; the order in which it fails */
bool lower_memory(Lower *, LLVMValueRef);                        /* false if it is not an instruction on memory */
bool address_private(Lower *, const Expr *);                     /* True if no other thread can reach the object at the address. */
void emit_fence(Lower *, MemoryOrder);                           /* if memory orders matter */
/* Emits the fence that remains of an atomic store or, if `modifies`, a read-modify-write of the present order, on a place that no other
   thread sees. */
void fence_private(Lower *, const Variable *, const Expr *address, bool modifies);
static inline bool front_is_buffered(const Front *f) { return f->options->weak && !f->options->c11; } /* TSO or PSO */
const Expr *load_scalar(Lower *, const Expr *address, const Sort *, uint64_t size, bool atomic);
void store_scalar(Lower *, const Expr *address, const Expr *, uint64_t size, bool atomic);
void lower_copy(Lower *, LLVMValueRef call);
void lower_fill(Lower *, LLVMValueRef call);
const Expr *load_fields(Lower *, const Expr *address, const AllocaInfo *as, uint64_t offset, uint64_t size);
void copy_object(Lower *, const Expr *to, const Expr *from, LLVMTypeRef);
void lower_call(Lower *, LLVMValueRef);
void lower_restore(Lower *, LLVMValueRef call);
void list_arguments(Lower *, Frame *, LLVMValueRef call); /* stores the arguments that the frame's function has no parameters for */
void lower_arguments_start(Lower *, const Expr *list);
void lower_arguments_copy(Lower *, const Expr *to, const Expr *from);
LLVMTypeRef passed_by_value(LLVMValueRef call, unsigned i); /* type of argument i if it is a struct in memory, else NULL */
/* Converts leaves to the number and sorts of the type's leaves; missing leaves get any values. */
const Expr **coerce(Lower *, const Expr **leaves, unsigned n, const Leaves *type);
void call_function(Lower *, LLVMValueRef call, LLVMValueRef function);
/* The number of activations of the function around this place */
unsigned activations(const Lower *, const FunctionInfo *);
/* Calls a model where the program has no call of it. */
void enter_model(Lower *, LLVMValueRef function, const Expr ***arguments, unsigned n);
/* hooks.c */
void run_constructors(Lower *);
void run_destructors(Lower *);
bool has_destructors(const Front *);
/* A vec, in their order: the functions that run before main or, if at_end, after it */
LLVMValueRef *hook_functions(const Front *, bool at_end);
/* reads.c */
/* Makes the reads that the function's model, if it has one, leaves out. */
void read_arguments(Lower *, LLVMValueRef call, const char *name);
/* True if read_arguments makes all reads of a function without a model. */
bool reads_are_known(Lower *, LLVMValueRef call, const char *name);
void call_unknown(Lower *, LLVMValueRef call, LLVMValueRef function, const char *name);
bool lists_name(const char *list, const char *name); /* true if the list of words between blanks has the name (libc.c) */
bool libc_only_reads(const char *name);              /* true if the library function writes no memory of the program (libc.c) */
bool is_for_verifiers(const char *name);
bool libc_only_arguments(const char *name); /* true if it also writes, but only what its arguments point to (libc.c) */
void call_assembler(Lower *, LLVMValueRef call, LLVMValueRef code);
bool disturb_errno(Lower *); /* sets errno to any number, as a library call may do; false if the program does not read errno */
void end_thread(Lower *, const Expr *result);
void end_process(Lower *, bool quick);                         /* by exit, or by quick_exit if `quick` */
bool lower_math(Lower *, LLVMValueRef call, const char *name); /* false if the arguments are not constant or the function is unknown */
bool lower_math_intrinsic(Lower *, LLVMValueRef call, const char *name);
bool lower_special(Lower *, LLVMValueRef call, LLVMValueRef function, const char *name);
bool is_special(LLVMValueRef function);   /* also false for names whose definition in the program counts */
bool program_asserts(Front *);            /* true if the program itself calls a function that reports errors */
bool special_ends(LLVMValueRef function); /* true if it is special, ends the thread or process, and runs what is registered for this */
bool special_keeps(const char *name);     /* true if it is no primitive, or one that does not pass on its pointer arguments */
enum { RESULT_UNUSED, RESULT_SIGN, RESULT_MATTERS };
/* scan.c: the call of scanf that is being lowered */
int scan_conversions(Lower *); /* returns the number of conversions in its format; -1 if unknown */
void scan_store(Lower *, unsigned index);
/* creations.c */
bool is_started(Front *, LLVMValueRef call, LLVMValueRef function); /* true if the call creates a thread that runs the function */
unsigned most_threads(Front *);                                     /* main included; ~0u if unknown */
bool runs_once(Front *, LLVMValueRef function, unsigned depth);     /* depth: pass 0 */

/* joins.c */
enum { IS_MAIN = 1, MAIN_LEAVES };
unsigned awaited_main(Lower *); /* IS_MAIN or MAIN_LEAVES (main ends its thread) if other threads may wait for main's end; else 0 */
bool may_join_itself(Lower *, LLVMValueRef call);
/* Returns the properties for which a join may take a thread that is detached or was joined; call NULL: for some join. */
PropertySet joins_in_vain(Front *, LLVMValueRef call);
/* Returns a vec of the program's calls of the function. Sets *other if the program also uses it in another way. */
LLVMValueRef *calls_of(Front *, const char *name, bool *other);
bool may_take_again(Front *, LLVMValueRef call); /* joins_once.c: false if it is known not to; call NULL: true for some call */
bool may_be_cancelled(Lower *);                  /* cancel.c: the present thread, at this place */
bool text_unread(Front *, LLVMValueRef call);    /* the variable that is the first argument of the call */
/* Returns RESULT_UNUSED, RESULT_SIGN (only compared with zero) or RESULT_MATTERS. */
int result_use(LLVMValueRef call);
/* Returns the name of the library function that the call is for, if the program does not define it; else "". */
const char *library_name(Front *, LLVMValueRef call);
bool may_relock(Front *); /* true if a thread may lock a read-write lock that it holds for writing */
/* creations.c: a new thread that starts with the function; for create_any, a pointer, with one branch for each function that it may be */
void create_one(Lower *, LLVMValueRef start, const Expr *value, Variable *number);
void create_any(Lower *, const Expr *start, const Expr *value, Variable *number);
/* misuse.c */
bool may_copy_objects(Front *);                               /* true if the program may copy a mutex to another place */
const Expr *lower_written(Lower *, const Expr *address);      /* returns whether no byte of the word at the address is undefined */
void lower_misuse(Lower *, const Expr *which);                /* reports the fault with this number in the models */
bool is_pure(Front *, LLVMValueRef function, unsigned depth); /* true if it changes nothing but its own variables */
/* Lowers a place where clang found undefined arithmetic: a division if `division`, else a sum. Its operands are gone, so an operation on
   one bit, which C does not have, stands for it. */
void lower_undefined(Lower *, bool division);
const Expr *condition_of(Lower *, LLVMValueRef branch);
void lower_intrinsic(Lower *, LLVMValueRef call, const char *name);
