/* SPDX-License-Identifier: Apache-2.0 */
/* Lowers functions that are known by name: the ends of an execution, nondeterminism, atomic sections, and the primitives that the
   library models are written in (model/heddle.h). The table records what a body counts if the program defines such a function. */
#include "front/lower.h"
#include "front/messages.h"
#include "front/repair.h"
#include <stdio.h>
#include <string.h>

typedef enum Special {
    SPECIAL_ERROR,
    SPECIAL_ASSERT,
    SPECIAL_ERROR_TEXT,
    SPECIAL_HALT,
    SPECIAL_FINISH,
    SPECIAL_REQUIRE,
    SPECIAL_AWAIT,
    SPECIAL_WAIT,
    SPECIAL_BEGIN,
    SPECIAL_END,
    SPECIAL_ANY,
    SPECIAL_LOCK,
    SPECIAL_TRYLOCK,
    SPECIAL_UNLOCK,
    SPECIAL_SELF,
    SPECIAL_CREATE,
    SPECIAL_JOIN,
    SPECIAL_EXIT,
    SPECIAL_ALLOC,
    SPECIAL_ALLOC_ALIGNED,
    SPECIAL_ALLOC_SPARE,
    SPECIAL_FREE,
    SPECIAL_SIZE,
    SPECIAL_WRITTEN,
    SPECIAL_MISUSE,
    SPECIAL_COPY,
    SPECIAL_FILL,
    SPECIAL_UNSUPPORTED,
    SPECIAL_OVER,
    SPECIAL_ASSUMPTION,
    SPECIAL_LIFE,
    SPECIAL_CONVERT,
    SPECIAL_UNDEFINED,
    SPECIAL_MAY_FAIL, /* from here on: the answer is known when the program is translated */
    SPECIAL_PROGRESS,
    SPECIAL_ENDS,
    SPECIAL_ORDER,
    SPECIAL_C11,
    SPECIAL_BUFFERED,
    SPECIAL_READS,
    SPECIAL_FAULTS,
    SPECIAL_SPURIOUS,
    SPECIAL_USE,
    SPECIAL_UNREAD,
    SPECIAL_CONVERSIONS,
    SPECIAL_CALLS,
    SPECIAL_PURE,
    SPECIAL_RELOCKS,
    SPECIAL_DESTROYS,
    SPECIAL_COPIES,
    SPECIAL_VAIN,
    SPECIAL_THREADS,
    SPECIAL_LIVES,
    SPECIAL_CANCELLABLE,
    SPECIAL_MAIN,
    SPECIAL_PRIVATE
} Special;

/* The meaning of the program's own body for such a function. */
typedef enum Body {
    BODY_IGNORED, /* none: the call itself is the error; verification tasks give it an empty body, or any other */
    BODY_USUAL,   /* none if it is the usual body; another one counts */
    BODY_COUNTS,  /* a program that defines a library function means its own */
    BODY_REFUSED  /* the name is reserved for Heddle */
} Body;

typedef struct Name {
    const char *name;
    Special special;
    bool keeps; /* it does not pass on its pointer arguments */
    Body body;
} Name;

static const Name names[] = {
    {"reach_error", SPECIAL_ERROR, true, BODY_IGNORED},
    {"__VERIFIER_error", SPECIAL_ERROR, true, BODY_IGNORED},
    {"__assert_fail", SPECIAL_ASSERT, true, BODY_COUNTS},
    {"__assert", SPECIAL_ASSERT, true, BODY_COUNTS},
    {"__assert_perror_fail", SPECIAL_ERROR, true, BODY_COUNTS},
    {"__heddle_error", SPECIAL_ERROR_TEXT, true, BODY_REFUSED},
    {"abort", SPECIAL_HALT, true, BODY_COUNTS},
    {"exit", SPECIAL_FINISH, true, BODY_COUNTS},
    {"_exit", SPECIAL_HALT, true, BODY_COUNTS},
    {"_Exit", SPECIAL_HALT, true, BODY_COUNTS},
    {"quick_exit", SPECIAL_FINISH, true, BODY_COUNTS},
    {"__heddle_halt", SPECIAL_HALT, true, BODY_REFUSED},
    {"assume_abort_if_not", SPECIAL_REQUIRE, true, BODY_USUAL},
    {"__VERIFIER_assume", SPECIAL_REQUIRE, true, BODY_USUAL},
    {"__CPROVER_assume", SPECIAL_REQUIRE, true, BODY_COUNTS},
    {"__ESBMC_assume", SPECIAL_REQUIRE, true, BODY_COUNTS},
    {"__goblint_assume", SPECIAL_REQUIRE, true, BODY_COUNTS},
    {"__heddle_assume", SPECIAL_AWAIT, true, BODY_REFUSED},
    {"__heddle_await", SPECIAL_WAIT, true, BODY_REFUSED},
    {"__heddle_await_of", SPECIAL_WAIT, true, BODY_REFUSED},
    {"__VERIFIER_atomic_begin", SPECIAL_BEGIN, true, BODY_USUAL},
    {"__VERIFIER_atomic_end", SPECIAL_END, true, BODY_USUAL},
    {"__CPROVER_atomic_begin", SPECIAL_BEGIN, true, BODY_COUNTS},
    {"__CPROVER_atomic_end", SPECIAL_END, true, BODY_COUNTS},
    {"__ESBMC_atomic_begin", SPECIAL_BEGIN, true, BODY_COUNTS},
    {"__ESBMC_atomic_end", SPECIAL_END, true, BODY_COUNTS},
    {"__heddle_atomic_begin", SPECIAL_BEGIN, true, BODY_REFUSED},
    {"__heddle_atomic_end", SPECIAL_END, true, BODY_REFUSED},
    {"__heddle_choose", SPECIAL_ANY, true, BODY_REFUSED},
    {"__heddle_any", SPECIAL_ANY, true, BODY_REFUSED},
    {"__heddle_any_long", SPECIAL_ANY, true, BODY_REFUSED},
    {"__heddle_lock", SPECIAL_LOCK, true, BODY_REFUSED},
    {"__heddle_trylock", SPECIAL_TRYLOCK, true, BODY_REFUSED},
    {"__heddle_unlock", SPECIAL_UNLOCK, true, BODY_REFUSED},
    {"__heddle_self", SPECIAL_SELF, true, BODY_REFUSED},
    {"__heddle_create", SPECIAL_CREATE, false, BODY_REFUSED},
    {"__heddle_join", SPECIAL_JOIN, true, BODY_REFUSED},
    {"__heddle_exit_thread", SPECIAL_EXIT, false, BODY_REFUSED},
    {"__heddle_alloc", SPECIAL_ALLOC, true, BODY_REFUSED},
    {"__heddle_alloc_aligned", SPECIAL_ALLOC_ALIGNED, true, BODY_REFUSED},
    {"__heddle_alloc_spare", SPECIAL_ALLOC_SPARE, true, BODY_REFUSED},
    {"__heddle_free", SPECIAL_FREE, true, BODY_REFUSED},
    {"__heddle_size", SPECIAL_SIZE, true, BODY_REFUSED},
    {"__heddle_written", SPECIAL_WRITTEN, true, BODY_REFUSED},
    {"__heddle_misuse", SPECIAL_MISUSE, true, BODY_REFUSED},
    {"__heddle_copy", SPECIAL_COPY, true, BODY_REFUSED},
    {"__heddle_fill", SPECIAL_FILL, true, BODY_REFUSED},
    {"__heddle_unsupported", SPECIAL_UNSUPPORTED, true, BODY_REFUSED},
    {"__heddle_over", SPECIAL_OVER, true, BODY_REFUSED},
    {"__heddle_assumption", SPECIAL_ASSUMPTION, true, BODY_REFUSED},
    {"__heddle_life", SPECIAL_LIFE, true, BODY_REFUSED},
    {UNDEFINED_SUM, SPECIAL_UNDEFINED, true, BODY_REFUSED},
    {UNDEFINED_DIVISION, SPECIAL_UNDEFINED, true, BODY_REFUSED},
    {"__heddle_may_fail", SPECIAL_MAY_FAIL, true, BODY_REFUSED},
    {"__heddle_spurious", SPECIAL_SPURIOUS, true, BODY_REFUSED},
    {"__heddle_progress", SPECIAL_PROGRESS, true, BODY_REFUSED},
    {"__heddle_ends", SPECIAL_ENDS, true, BODY_REFUSED},
    {"__heddle_order", SPECIAL_ORDER, true, BODY_REFUSED},
    {"__heddle_c11", SPECIAL_C11, true, BODY_REFUSED},
    {"__heddle_buffered", SPECIAL_BUFFERED, true, BODY_REFUSED},
    {"__heddle_reads", SPECIAL_READS, true, BODY_REFUSED},
    {"__heddle_faults", SPECIAL_FAULTS, true, BODY_REFUSED},
    {"__heddle_use", SPECIAL_USE, true, BODY_REFUSED},
    {"__heddle_conversions", SPECIAL_CONVERSIONS, true, BODY_REFUSED},
    {"__heddle_convert", SPECIAL_CONVERT, true, BODY_REFUSED},
    {"__heddle_unread", SPECIAL_UNREAD, true, BODY_REFUSED},
    {"__heddle_calls", SPECIAL_CALLS, true, BODY_REFUSED},
    {"__heddle_pure", SPECIAL_PURE, true, BODY_REFUSED},
    {"__heddle_private", SPECIAL_PRIVATE, true, BODY_REFUSED},
    {"__heddle_joins_in_vain", SPECIAL_VAIN, true, BODY_REFUSED},
    {"__heddle_more_threads", SPECIAL_THREADS, true, BODY_REFUSED},
    {"__heddle_lives", SPECIAL_LIVES, true, BODY_REFUSED},
    {"__heddle_cancellable", SPECIAL_CANCELLABLE, true, BODY_REFUSED},
    {"__heddle_awaits_main", SPECIAL_MAIN, true, BODY_REFUSED},
    {"__heddle_relocks", SPECIAL_RELOCKS, true, BODY_REFUSED},
    {"__heddle_destroys", SPECIAL_DESTROYS, true, BODY_REFUSED},
    {"__heddle_copies", SPECIAL_COPIES, true, BODY_REFUSED},
};

static const char nondet_prefix[] = "__VERIFIER_nondet_";

static const Name *name_of(const char *name) {
    if (*name != '_' && *name != 'a' && *name != 'r' && *name != 'e' && *name != 'q') return NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(names[i].name, name)) return &names[i];
    return NULL;
}

/* An input has no arguments. A function with such a name and with arguments does more than choose a value. */
static bool is_nondet(LLVMValueRef function, const char *name) {
    return LLVMIsDeclaration(function) && LLVMCountParams(function) == 0 && !strncmp(name, nondet_prefix, sizeof nondet_prefix - 1);
}

/* ---- bodies ---- */

static LLVMValueRef next_real(LLVMValueRef i) {
    while (i && LLVMIsACallInst(i) && !strncmp(LLVMGetValueName(LLVMGetCalledValue(i)), "llvm.dbg.", 9)) i = LLVMGetNextInstruction(i);
    return i;
}

/* Skips the code that stores a function's parameters. */
static LLVMValueRef after_parameters(LLVMValueRef function) {
    LLVMValueRef i = next_real(LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)));
    while (LLVMIsAAllocaInst(i) ||
           (LLVMIsAStoreInst(i) && LLVMIsAArgument(LLVMGetOperand(i, 0)) && LLVMIsAAllocaInst(LLVMGetOperand(i, 1))))
        i = next_real(LLVMGetNextInstruction(i));
    return i;
}

/* Returns the first instruction with an effect from the start of the block on; NULL for an endless loop without one. */
static LLVMValueRef first_effect(LLVMBasicBlockRef block) {
    LLVMValueRef i = next_real(LLVMGetFirstInstruction(block));
    unsigned blocks = LLVMCountBasicBlocks(LLVMGetBasicBlockParent(block));
    for (; LLVMIsABranchInst(i) && !LLVMIsConditional(i); blocks--) {
        if (blocks == 0) return NULL;
        i = next_real(LLVMGetFirstInstruction(LLVMGetSuccessor(i, 0)));
    }
    return i;
}

/* True if the variable holds only the parameter. */
static bool holds_parameter(LLVMValueRef place, LLVMValueRef parameter) {
    LLVMValueRef stored = NULL;
    for (LLVMUseRef u = LLVMGetFirstUse(place); u; u = LLVMGetNextUse(u)) {
        if (LLVMIsALoadInst(LLVMGetUser(u))) continue;
        if (stored || !LLVMIsAStoreInst(LLVMGetUser(u))) return false;
        stored = LLVMGetOperand(LLVMGetUser(u), 0);
    }
    return stored == parameter && LLVMIsAAllocaInst(place);
}

static bool ends_process(LLVMValueRef i) {
    LLVMValueRef callee = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
    if (!callee || !LLVMIsAFunction(callee) || !LLVMIsDeclaration(callee)) return false;
    const Name *n = name_of(LLVMGetValueName(callee));
    return n && (n->special == SPECIAL_HALT || n->special == SPECIAL_FINISH);
}

/* True for the body `if (!condition) abort();`, or one with an endless loop in its place. Except for the property about endless
   executions, an endless thread is like one that ends the process later. */
static bool requires_argument(LLVMValueRef function) {
    LLVMValueRef i = after_parameters(function);
    if (LLVMCountParams(function) != 1 || !LLVMIsALoadInst(i) || !holds_parameter(LLVMGetOperand(i, 0), LLVMGetParam(function, 0)))
        return false;
    LLVMValueRef test = next_real(LLVMGetNextInstruction(i));
    if (!LLVMIsAICmpInst(test) || LLVMGetICmpPredicate(test) != LLVMIntNE || LLVMGetOperand(test, 0) != i) return false;
    if (!LLVMIsAConstantInt(LLVMGetOperand(test, 1)) || LLVMConstIntGetZExtValue(LLVMGetOperand(test, 1)) != 0) return false;
    LLVMValueRef last = next_real(LLVMGetNextInstruction(test));
    if (!LLVMIsABranchInst(last) || !LLVMIsConditional(last) || LLVMGetCondition(last) != test) return false;
    LLVMValueRef otherwise = first_effect(LLVMGetSuccessor(last, 1));
    LLVMValueRef then = first_effect(LLVMGetSuccessor(last, 0));
    return then && LLVMIsAReturnInst(then) && (!otherwise || ends_process(otherwise));
}

static bool is_usual(LLVMValueRef function, Special special) {
    if (LLVMGetTypeKind(LLVMGetReturnType(LLVMGlobalGetValueType(function))) != LLVMVoidTypeKind) return false;
    return special == SPECIAL_REQUIRE ? requires_argument(function) : LLVMIsAReturnInst(after_parameters(function)) != NULL;
}

/* Returns the meaning of the function's name; NULL if it has no special one. */
static const Name *meaning(LLVMValueRef function) {
    const char *name = LLVMGetValueName(function);
    const Name *n = name_of(*name == '\1' ? name + 1 : name);
    if (!n || LLVMIsDeclaration(function) || n->body == BODY_IGNORED || n->body == BODY_REFUSED) return n;
    return n->body == BODY_USUAL && is_usual(function, n->special) ? n : NULL;
}

bool is_special(LLVMValueRef function) { return meaning(function) || is_nondet(function, LLVMGetValueName(function)); }

bool program_asserts(Front *f) {
    for (LLVMValueRef v = LLVMGetFirstFunction(f->module); v; v = LLVMGetNextFunction(v)) {
        const Name *n = meaning(v);
        bool own = !n && !strcmp(LLVMGetValueName(v), "__assert_fail");
        if (n && n->special != SPECIAL_ERROR && n->special != SPECIAL_ASSERT && n->special != SPECIAL_ERROR_TEXT) continue;
        if ((n || own) && program_uses(f, LLVMGetValueName(v))) return true;
    }
    return false;
}

NativeCall special_native(LLVMValueRef function) {
    const Name *n = meaning(function);
    if (!n) return is_nondet(function, LLVMGetValueName(function)) ? NATIVE_INPUT : NATIVE_USUAL;
    switch (n->special) {
    case SPECIAL_ERROR: return NATIVE_ERROR;
    case SPECIAL_ASSERT: return NATIVE_ASSERT;
    case SPECIAL_HALT: return NATIVE_HALT;
    case SPECIAL_FINISH: return *n->name == 'q' ? NATIVE_QUICK : NATIVE_FINISH;
    case SPECIAL_REQUIRE: return NATIVE_REQUIRE;
    case SPECIAL_BEGIN: return NATIVE_BEGIN;
    case SPECIAL_END: return NATIVE_END;
    case SPECIAL_OVER:
    case SPECIAL_LIFE: return NATIVE_NOTHING;
    case SPECIAL_ANY: return NATIVE_INPUT;
    default: return n->special >= SPECIAL_MAY_FAIL ? NATIVE_ANSWER : NATIVE_PRIMITIVE;
    }
}

bool special_ends(LLVMValueRef function) {
    const Name *n = meaning(function);
    return n && (n->special == SPECIAL_FINISH || n->special == SPECIAL_EXIT);
}

bool special_keeps(const char *name) {
    const Name *n = name_of(name);
    return !n || n->keeps;
}

/* ---- helpers ---- */

static const Expr *argument(Lower *l, LLVMValueRef call, unsigned i) {
    if (i < LLVMGetNumArgOperands(call)) return value_of(l, LLVMGetOperand(call, i));
    return emit_any(l, sort_bv(l->pool, 32));
}

static const Expr *pointer_argument(Lower *l, LLVMValueRef call, unsigned i) { return as_pointer(l->front, argument(l, call, i), false); }

static const Expr *truth_argument(Lower *l, LLVMValueRef call) {
    const Expr *e = argument(l, call, 0);
    if (e->sort->kind == SORT_BOOL) return e;
    return expr_not(l->pool, expr_eq(l->pool, e, expr_const(l->pool, e->sort, 0)));
}

/* Defines the call's value from e, whatever the declaration said of its type. */
static void give(Lower *l, LLVMValueRef call, const Expr *e) {
    const Sort *sort = type_sort(l->front, LLVMTypeOf(call));
    if (sort) define_scalar(l, call, as_sort(l->front, e, sort));
}

static Variable *result_variable(Lower *l, LLVMValueRef call, unsigned width) {
    return LLVMGetFirstUse(call) ? emit_temporary(l, sort_bv(l->pool, width)) : NULL;
}

static void give_variable(Lower *l, LLVMValueRef call, Variable *v) {
    if (v) give(l, call, variable_expr(l->program, v));
}

static void give_any(Lower *l, LLVMValueRef call) {
    const Leaves *type = type_leaves(l->front, LLVMTypeOf(call));
    const Expr **leaves = arena_array(l->front->scratch, const Expr *, type->n + 1);
    for (unsigned i = 0; i < type->n; i++) leaves[i] = emit_any(l, type->leaf[i].sort);
    if (type->n) define(l, call, leaves);
}

/* Answers a question of the models, and records the answer for native runs. */
static void answer(Lower *l, LLVMValueRef call, unsigned value) {
    native_answer(l, FOR_ALL, value);
    const Sort *sort = type_sort(l->front, LLVMTypeOf(call));
    give(l, call, sort && sort->kind == SORT_BOOL ? expr_bool(l->pool, value != 0) : expr_bv(l->pool, 32, value));
}

/* Answers a question whose answer depends on the property. */
static void answer_for(Lower *l, LLVMValueRef call, PropertySet set) {
    native_answer(l, set, 1);
    give(l, call, asked(l, set));
}

static const char *text_argument(Lower *l, LLVMValueRef call) {
    const char *text = constant_string(l->front, pointer_argument(l, call, 0));
    return text ? text : "?";
}

/* ---- ends ---- */

static void fail(Lower *l, LLVMValueRef call, const Name *n) {
    bool named = n->special == SPECIAL_ERROR;
    const char *text = named ? arena_printf(l->front->scratch, MSG_FRONT_IS_CALLED, n->name) : text_argument(l, call);
    emit_error(l, n->special == SPECIAL_ASSERT ? arena_printf(l->front->scratch, MSG_FRONT_ASSERTION_FAILS, text) : text);
}

/* True if the body (requires_argument) has an endless loop instead of abort(). */
static bool loops_otherwise(LLVMValueRef function) {
    if (!LLVMIsAFunction(function) || LLVMIsDeclaration(function)) return false;
    return !first_effect(LLVMGetSuccessor(LLVMGetBasicBlockTerminator(LLVMGetEntryBasicBlock(function)), 1));
}

static void require(Lower *l, LLVMValueRef call) {
    Cursor yes, no;
    emit_branch(l, truth_argument(l, call), &yes, &no);
    l->cursor = no;
    PropertySet endless = loops_otherwise(LLVMGetCalledValue(call)) ? FOR_ENDS : 0;
    for (Fork f = fork_by(l, endless); !no.dead && fork_next(l, &f);)
        if (asks(l, endless)) emit_endless(l);
        else emit_halt(l);
    l->cursor = yes;
}

/* ---- locks and threads ---- */

static Instr *emit_at(Lower *l, InstrKind kind, const Expr *address) {
    Instr *i = emit_visible(l, kind);
    i->address = address;
    return i;
}

static void lock(Lower *l, LLVMValueRef call, InstrKind kind) {
    const Expr *word = pointer_argument(l, call, 0);
    Variable *result = result_variable(l, call, 32);
    (kind == INSTR_LOCK ? emit_wait(l, kind, word) : emit_at(l, kind, word))->target = result;
    give_variable(l, call, result);
}

static void create(Lower *l, LLVMValueRef call) {
    const Expr *start = pointer_argument(l, call, 0), *value = pointer_argument(l, call, 1);
    Variable *number = result_variable(l, call, 32);
    LLVMValueRef function = function_of(l->front, start);
    if (!function) create_any(l, start, value, number);
    else if (!LLVMIsDeclaration(function)) create_one(l, function, value, number);
    else emit_stop(l, APPROX_UNSUPPORTED, MSG_FRONT_THREAD_UNKNOWN, LLVMGetValueName(function));
    if (!l->cursor.dead) give_variable(l, call, number);
}

static void join(Lower *l, LLVMValueRef call) {
    const Expr *thread = as_sort(l->front, argument(l, call, 0), sort_bv(l->pool, 32));
    Variable *result = result_variable(l, call, l->front->pointer_width);
    emit_wait(l, INSTR_JOIN, thread)->target = result;
    give_variable(l, call, result);
}

/* ---- memory ---- */

static Object *alloc_object(Lower *l, LLVMValueRef call, bool zeroed) {
    const Expr *size = pointer_argument(l, call, 0);
    char name[40];
    snprintf(name, sizeof name, "heap%u", l->position.line);
    Object *o = program_object(l->program, OBJECT_HEAP, name, 0);
    o->position = l->position;
    name_heap_object(l, call, o, size);
    Variable *v = emit_temporary(l, sort_bv(l->pool, l->front->pointer_width));
    Instr *i = emit_visible(l, INSTR_ALLOC);
    i->object = o;
    i->target = v;
    i->size = size;
    i->zeroed = zeroed;
    if (!zeroed && l->front->options->zero_memory) {
        i->zeroed = true;
        assume_zero(l);
    }
    give_variable(l, call, v);
    return o;
}

static void alloc(Lower *l, LLVMValueRef call) {
    const Expr *zeroed = argument(l, call, 1);
    if (expr_is_const(zeroed)) alloc_object(l, call, zeroed->value != 0);
    else emit_stop(l, APPROX_UNSUPPORTED, MSG_FRONT_ALLOCATION_CLEARED);
}

/* An alignment that is not constant is not recorded. */
static void alloc_aligned(Lower *l, LLVMValueRef call) {
    const Expr *alignment = argument(l, call, 1);
    Object *o = alloc_object(l, call, false);
    if (expr_is_const(alignment)) o->align = (uint64_t)alignment->value;
}

static void alloc_spare(Lower *l, LLVMValueRef call) {
    Object *o = alloc_object(l, call, false);
    o->name = arena_printf(l->program->arena, LIBRARY_PREFIX "%s", o->name);
}

static void spurious(Lower *l, LLVMValueRef call) {
    if (l->front->options->no_spurious_wakeups) note_assumption(l, MSG_FRONT_SPURIOUS_WAKEUPS);
    answer(l, call, !l->front->options->no_spurious_wakeups);
}

static void object_size(Lower *l, LLVMValueRef call) {
    const Expr *address = pointer_argument(l, call, 0);
    Variable *v = emit_temporary(l, sort_bv(l->pool, l->front->pointer_width));
    emit_at(l, INSTR_SIZE, address)->target = v;
    give_variable(l, call, v);
}

static void copy(Lower *l, LLVMValueRef call, InstrKind kind) {
    const Expr *to = pointer_argument(l, call, 0), *size = pointer_argument(l, call, 2), *value = argument(l, call, 1);
    bool hidden = address_private(l, to) && (kind == INSTR_FILL || address_private(l, value));
    Instr *i = hidden ? emit_private(l, kind) : emit_visible(l, kind);
    i->address = to;
    i->value = kind == INSTR_FILL ? as_sort(l->front, value, sort_bv(l->pool, 8)) : value;
    i->size = size;
}

/* ---- all ---- */

/* Finds the properties for which the answer to a question of the models is yes. False if it does not depend on the property. */
static bool depends_on_property(Lower *l, Special question, PropertySet *set) {
    static const PropertySet sets[SPECIAL_PRIVATE + 1] = {
        [SPECIAL_PROGRESS] = FOR_DEADLOCKS, [SPECIAL_ENDS] = FOR_ENDS,    [SPECIAL_ORDER] = FOR_RACES,
        [SPECIAL_READS] = FOR_READS,        [SPECIAL_LIVES] = FOR_MEMORY, [SPECIAL_FAULTS] = FOR_READS | FOR_OVERFLOWS | FOR_ENDS};
    if ((*set = sets[question])) return true;
    if (question == SPECIAL_VAIN) return *set = joins_in_vain(l->front, NULL), true;
    if (question == SPECIAL_COPIES) return *set = may_copy_objects(l->front) ? FOR_MEMORY : 0, true;
    if (question != SPECIAL_DESTROYS) return false;
    bool destroys = program_uses(l->front, "pthread_mutex_destroy") || program_uses(l->front, "mtx_destroy");
    return *set = destroys ? FOR_MEMORY : 0, true;
}

/* Answers questions about the program and the options. */
static bool is_so(Lower *l, LLVMValueRef call, Special question) {
    const FrontOptions *o = l->front->options;
    switch (question) {
    case SPECIAL_C11: return o->c11;
    case SPECIAL_BUFFERED: return front_is_buffered(l->front);
    case SPECIAL_MAY_FAIL: return o->may_fail;
    case SPECIAL_UNREAD: return l->frame->call && text_unread(l->front, l->frame->call);
    case SPECIAL_CALLS: return program_uses(l->front, text_argument(l, call));
    case SPECIAL_RELOCKS: return may_relock(l->front);
    case SPECIAL_THREADS: return most_threads(l->front) > LLVMConstIntGetZExtValue(LLVMGetOperand(call, 0));
    case SPECIAL_CANCELLABLE: return may_be_cancelled(l);
    case SPECIAL_PRIVATE: return address_private(l, pointer_argument(l, call, 0));
    case SPECIAL_PURE: {
        LLVMValueRef function = function_of(l->front, pointer_argument(l, call, 0));
        return function && is_pure(l->front, function, 0);
    }
    default: die("what the models ask is not known");
    }
}

static void lower_named(Lower *l, LLVMValueRef call, const Name *n) {
    PropertySet set;
    switch (n->special) {
    case SPECIAL_ERROR:
    case SPECIAL_ASSERT:
    case SPECIAL_ERROR_TEXT: fail(l, call, n); break;
    case SPECIAL_HALT: emit_halt(l); break;
    case SPECIAL_FINISH: end_process(l, *n->name == 'q'); break;
    case SPECIAL_REQUIRE: require(l, call); break;
    case SPECIAL_AWAIT:
        /* Waiting is a step of its own, unless the section around it already is. */
        end_step_for(l, l->cursor.done);
        emit_assume(l, truth_argument(l, call), false, NULL);
        break;
    case SPECIAL_WAIT:
        end_step_for(l, l->cursor.done);
        emit_assume(l, truth_argument(l, call), true, LLVMGetNumArgOperands(call) > 1 ? argument(l, call, 1) : NULL);
        break;
    case SPECIAL_BEGIN:
        end_step_for(l, FOR_DEADLOCKS); /* a thread that waits in the section has executed what comes before */
        emit_section_begin(l);
        break;
    case SPECIAL_END: emit_section_end(l); break;
    case SPECIAL_ANY: give_any(l, call); break;
    case SPECIAL_LOCK: lock(l, call, INSTR_LOCK); break;
    case SPECIAL_TRYLOCK: lock(l, call, INSTR_TRYLOCK); break;
    case SPECIAL_UNLOCK: lock(l, call, INSTR_UNLOCK); break;
    case SPECIAL_SELF: give(l, call, variable_expr(l->program, l->template_->self)); break;
    case SPECIAL_CREATE: create(l, call); break;
    case SPECIAL_JOIN: join(l, call); break;
    case SPECIAL_EXIT: end_thread(l, pointer_argument(l, call, 0)); break;
    case SPECIAL_ALLOC: alloc(l, call); break;
    case SPECIAL_ALLOC_ALIGNED: alloc_aligned(l, call); break;
    case SPECIAL_ALLOC_SPARE: alloc_spare(l, call); break;
    case SPECIAL_FREE: emit_at(l, INSTR_FREE, pointer_argument(l, call, 0)); break;
    case SPECIAL_SIZE: object_size(l, call); break;
    case SPECIAL_WRITTEN: give(l, call, lower_written(l, pointer_argument(l, call, 0))); break;
    case SPECIAL_MISUSE: lower_misuse(l, argument(l, call, 0)); break;
    case SPECIAL_COPY: copy(l, call, INSTR_COPY); break;
    case SPECIAL_FILL: copy(l, call, INSTR_FILL); break;
    case SPECIAL_UNSUPPORTED: emit_stop(l, APPROX_UNSUPPORTED, "%s", text_argument(l, call)); break;
    case SPECIAL_LIFE: l->life = true; break;
    case SPECIAL_OVER: emit_over(l, "%s", text_argument(l, call)); break;
    case SPECIAL_ASSUMPTION: note_assumption(l, text_argument(l, call)); break;
    case SPECIAL_UNDEFINED: lower_undefined(l, !strcmp(n->name, UNDEFINED_DIVISION)); break;
    case SPECIAL_SPURIOUS: spurious(l, call); break;
    case SPECIAL_USE: answer(l, call, (unsigned)(l->frame->call ? result_use(l->frame->call) : RESULT_MATTERS)); break;
    case SPECIAL_MAIN: answer(l, call, awaited_main(l)); break;
    case SPECIAL_CONVERSIONS: answer(l, call, (uint32_t)scan_conversions(l)); break;
    case SPECIAL_CONVERT: scan_store(l, (unsigned)argument(l, call, 0)->value); break;
    default:
        if (depends_on_property(l, n->special, &set)) answer_for(l, call, set);
        else answer(l, call, is_so(l, call, n->special));
    }
}

/* Adds a path that stops, for an assertion that fails in a program that defines the assertion function itself. For some properties this
   failure counts as an error. */
static void own_assertion(Lower *l, const char *name) {
    Cursor error, body;
    emit_branch(l, emit_any(l, sort_bool(l->pool)), &error, &body);
    l->cursor = error;
    emit_stop(l, APPROX_UNSUPPORTED, MSG_FRONT_ASSERT_OWN, name);
    l->cursor = body;
}

bool lower_special(Lower *l, LLVMValueRef call, LLVMValueRef function, const char *name) {
    const Name *n = meaning(function);
    if (n && n->body == BODY_REFUSED && !LLVMIsDeclaration(function)) emit_stop(l, APPROX_UNSUPPORTED, MSG_FRONT_OWN_NAME, name);
    else if (n) lower_named(l, call, n);
    else if (is_nondet(function, name) && LLVMGetNumArgOperands(call) == 0) give_any(l, call);
    else {
        if (!strcmp(name, "__assert_fail") && !LLVMIsDeclaration(function)) own_assertion(l, name);
        return false;
    }
    return true;
}
