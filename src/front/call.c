/* SPDX-License-Identifier: Apache-2.0 */
/* Lowers calls. A defined function is inlined, down to a bound of nested activations of itself. A call through a pointer branches on the
   functions that the pointer may be. */
#include "front/lower.h"
#include "front/messages.h"
#include <string.h>

/* ---- arguments and results ---- */

/* C lets declarations and definitions disagree. */
const Expr **coerce(Lower *l, const Expr **leaves, unsigned n, const Leaves *type) {
    bool same = n == type->n;
    for (unsigned i = 0; same && i < n; i++) same = leaves[i]->sort == type->leaf[i].sort;
    if (same) return leaves;
    const Expr **out = arena_array(l->front->scratch, const Expr *, type->n + 1);
    for (unsigned i = 0; i < type->n; i++) {
        const Sort *sort = type->leaf[i].sort;
        out[i] = i < n ? as_sort(l->front, leaves[i], sort) : emit_any(l, sort);
    }
    return out;
}

LLVMTypeRef passed_by_value(LLVMValueRef call, unsigned i) {
    unsigned kind = LLVMGetEnumAttributeKindForName("byval", 5);
    LLVMAttributeRef a = LLVMGetCallSiteEnumAttribute(call, i + 1, kind);
    return a ? LLVMGetTypeAttributeValue(a) : NULL;
}

/* Copies a struct that is passed by value. The callee gets the address of its own copy. */
static const Expr **copy_argument(Lower *l, Frame *f, LLVMValueRef parameter, const Expr *from, LLVMTypeRef type) {
    const char *name = LLVMGetValueName(parameter);
    Object *o = program_object(l->program, OBJECT_LOCAL, *name ? name : "argument", type_size(l->front, type));
    o->template_ = l->template_->index;
    o->position = l->position;
    if (!pointer_escapes(l->front, parameter)) map_set(l->front->privates, o, o);
    vec_push(f->objects, o);
    emit(l, INSTR_ALIVE)->object = o;
    const Expr **address = arena_array(l->front->scratch, const Expr *, 1);
    address[0] = object_address(l->program, o);
    copy_object(l, address[0], from, type);
    return address;
}

static const Expr ***call_arguments(Lower *l, Frame *f, LLVMValueRef call) {
    LLVMValueRef function = f->info->function;
    unsigned n = LLVMCountParams(function), given = LLVMGetNumArgOperands(call);
    const Expr ***arguments = arena_array(l->front->scratch, const Expr **, n + 1);
    for (unsigned i = 0; i < n; i++) {
        LLVMValueRef parameter = LLVMGetParam(function, i);
        const Leaves *type = type_leaves(l->front, LLVMTypeOf(parameter));
        LLVMTypeRef copied = i < given ? passed_by_value(call, i) : NULL;
        if (copied) {
            arguments[i] = copy_argument(l, f, parameter, value_of(l, LLVMGetOperand(call, i)), copied);
        } else if (i < given) {
            LLVMValueRef operand = LLVMGetOperand(call, i);
            arguments[i] = coerce(l, value_leaves(l, operand), type_leaves(l->front, LLVMTypeOf(operand))->n, type);
        } else {
            arguments[i] = coerce(l, NULL, 0, type);
        }
    }
    return arguments;
}

/* ---- inlining ---- */

/* Adds the result of the call in the present part of a fork. */
static void take_result(Lower *l, LLVMValueRef call, const Expr ***result) {
    unsigned n = type_leaves(l->front, LLVMTypeOf(call))->n;
    if (n) fork_leaves(l, result, map_find(l->frame->values, call), n);
}

/* Recursion on constant arguments has a larger bound: it ends by itself, or the program becomes too large. The bound is larger still where
   a function calls itself with other constants than its own arguments. */
enum { CONSTANT_RECURSION = 200, COUNTING_RECURSION = 2500, FRAME_WORK = 20 };

static bool differs_from_parameter(Lower *l, LLVMValueRef argument, LLVMValueRef parameter) {
    const Expr **own = map_find(l->frame->values, parameter), **given = value_leaves(l, argument);
    for (unsigned k = 0; own && k < type_leaves(l->front, LLVMTypeOf(argument))->n; k++)
        if (own[k] != given[k]) return true;
    return false;
}

/* True if a function calls itself with other constants than its own arguments. */
static bool counts(Lower *l, LLVMValueRef call) {
    LLVMValueRef function = LLVMGetCalledValue(call);
    if (!LLVMIsAFunction(function) || LLVMGetBasicBlockParent(LLVMGetInstructionParent(call)) != function) return false;
    for (unsigned i = 0; i < LLVMCountParams(function); i++)
        if (differs_from_parameter(l, LLVMGetOperand(call, i), LLVMGetParam(function, i))) return true;
    return false;
}

static unsigned recursion_bound(Lower *l, LLVMValueRef call) {
    unsigned bound = l->front->recursion_bound, n = LLVMGetNumArgOperands(call);
    bool constant = n > 0;
    for (unsigned i = 0; i < n && constant; i++) {
        LLVMValueRef argument = LLVMGetOperand(call, i);
        const Expr **leaves = LLVMIsAInstruction(argument) || LLVMIsAArgument(argument) ? map_find(l->frame->values, argument) : NULL;
        for (unsigned k = 0; leaves && k < type_leaves(l->front, LLVMTypeOf(argument))->n; k++)
            constant &= expr_closed(l->front, leaves[k]);
    }
    unsigned larger = !constant ? bound : counts(l, call) ? COUNTING_RECURSION : CONSTANT_RECURSION;
    return bound < larger ? larger : bound;
}

unsigned activations(const Lower *l, const FunctionInfo *info) {
    unsigned n = 0;
    for (const Frame *f = l->frame; f; f = f->caller) n += f->info == info;
    return n;
}

static bool signature_supported(Lower *l, LLVMValueRef function) {
    if (!type_leaves(l->front, LLVMGetReturnType(LLVMGlobalGetValueType(function)))->supported) return false;
    for (unsigned i = 0; i < LLVMCountParams(function); i++)
        if (!type_leaves(l->front, LLVMTypeOf(LLVMGetParam(function, i)))->supported) return false;
    return true;
}

static void inline_here(Lower *l, LLVMValueRef call, LLVMValueRef function, FunctionInfo *info) {
    Position position = l->position;
    Frame *f = frame_new(l, info, call);
    lower_work(l, FRAME_WORK);
    const Expr ***arguments = call_arguments(l, f, call);
    if (info->lists_arguments) list_arguments(l, f, call);
    Frame *caller = l->frame;
    if (info->section) emit_section_begin(l);
    l->frame = f;
    frame_enter(l, f, arguments, LLVMCountParams(function));
    lower_body(l, f);
    l->frame = caller;
    l->position = position;
    const Leaves *returned = type_leaves(l->front, LLVMGetReturnType(LLVMGlobalGetValueType(function)));
    const Leaves *wanted = type_leaves(l->front, LLVMTypeOf(call));
    if (!l->cursor.dead && wanted->n) define(l, call, coerce(l, f->result, f->result ? returned->n : 0, wanted));
    frame_free(f);
}

static void inline_function(Lower *l, LLVMValueRef call, LLVMValueRef function) {
    FunctionInfo *info = function_info(l->front, function);
    if (lower_too_large(l)) return;
    unsigned nested = activations(l, info), ways = l->ways, most = l->front->recursion_bound;
    l->ways = 0;
    if (ways > 1 && nested && nested >= most / ways) { /* each of these functions calls all of them again */
        emit_stop(l, APPROX_UNDER, MSG_FRONT_RECURSION_POINTER, info->name, ways, nested);
        return;
    }
    if (nested >= most && nested >= recursion_bound(l, call)) {
        emit_stop(l, APPROX_UNDER, MSG_FRONT_RECURSION, info->name, nested);
        return;
    }
    if (!signature_supported(l, function)) {
        emit_stop(l, APPROX_UNSUPPORTED, MSG_FRONT_PARAMETER_TYPE, info->name);
        return;
    }
    const Expr **result = NULL;
    bool differ = lives_differ(l->frame, info, call);
    for (Fork f = fork_by(l, differ ? FOR_MEMORY : 0); fork_next(l, &f);) {
        inline_here(l, call, function, info);
        take_result(l, call, &result);
    }
    if (differ && result) define(l, call, result);
}

/* ---- models that are called for what the program does without a call ---- */

/* The model must return nothing. */
void enter_model(Lower *l, LLVMValueRef function, const Expr ***arguments, unsigned n) {
    FunctionInfo *info = function_info(l->front, function);
    for (Fork fork = fork_by(l, lives_differ(l->frame, info, NULL) ? FOR_MEMORY : 0); fork_next(l, &fork);) {
        Position position = l->position;
        Frame *f = frame_new(l, info, NULL), *caller = l->frame;
        f->activation->uncalled = info->model && strncmp(info->name, "__heddle_at_", 12); /* a native run calls those */
        l->frame = f;
        frame_enter(l, f, arguments, n);
        lower_body(l, f);
        l->frame = caller;
        l->position = position;
        frame_free(f);
    }
}

bool disturb_errno(Lower *l) {
    LLVMValueRef function = LLVMGetNamedFunction(l->front->module, "__heddle_disturb_errno");
    if (!function || LLVMIsDeclaration(function) || !program_uses(l->front, "__errno_location")) return false;
    enter_model(l, function, NULL, 0);
    return true;
}

/* ---- the end of a thread ---- */

/* Ends the lives of all locals of the thread, before destructors run. */
static void leave_all(Lower *l) {
    for (const Frame *f = l->frame; f; f = f->caller) lives_end(l, f);
}

/* Returns the properties for which the models record that a thread ends. A thread that waits for it may be cancelled, and it matters
   whether waits end; or the number of a thread is used that may be detached. */
static PropertySet ends_noted(Lower *l) {
    bool cancels = program_uses(l->front, "pthread_cancel"), signals = program_uses(l->front, "pthread_kill");
    return (cancels ? FOR_DEADLOCKS | FOR_ENDS : 0) | (cancels || signals ? FOR_MEMORY : 0);
}

/* Calls the destructors of thread-specific data, if the program has keys. A destructor that ends the thread is the last one. */
static const Expr *call_destructors(Lower *l, const Expr *result) {
    LLVMModuleRef m = l->front->module;
    LLVMValueRef function = LLVMGetNamedFunction(m, "__heddle_at_thread_end");
    if (!function || LLVMIsDeclaration(function) || l->cursor.dead) return result;
    bool keys = program_uses(l->front, "pthread_key_create") || program_uses(l->front, "tss_create");
    bool noted = asks(l, ends_noted(l));
    if (!keys && !noted) return result;
    FunctionInfo *info = function_info(l->front, function);
    if (activations(l, info)) return result;
    result = emit_hold(l, result);
    if (keys) leave_all(l);
    enter_model(l, function, NULL, 0);
    return result;
}

/* Stops if main ends its thread in a program with functions for the end of the process: the end of the last thread is that of the
   process. */
static void stop_at_last(Lower *l) {
    if (l->template_->index == 0 && (program_uses(l->front, "atexit") || has_destructors(l->front)))
        emit_stop(l, APPROX_UNSUPPORTED, MSG_FRONT_MAIN_ENDS);
}

void end_thread(Lower *l, const Expr *result) {
    for (Fork f = fork_by(l, ends_noted(l)); fork_next(l, &f);) {
        const Expr *last = call_destructors(l, result);
        stop_at_last(l);
        if (!l->cursor.dead) emit_end(l, last);
    }
}

/* ---- the end of the process ---- */

/* Runs the functions that were registered for the end of the process first. A call of exit in such a function is undefined. */
void end_process(Lower *l, bool quick) {
    LLVMValueRef function = LLVMGetNamedFunction(l->front->module, quick ? "__heddle_at_quick_exit" : "__heddle_at_exit");
    bool known = function && !LLVMIsDeclaration(function) && program_uses(l->front, quick ? "at_quick_exit" : "atexit");
    if (known && !activations(l, function_info(l->front, function))) enter_model(l, function, NULL, 0);
    if (!quick) run_destructors(l);
    if (!l->cursor.dead) emit_halt(l);
}

/* ---- output ---- */

/* True if a format has the conversion n, which stores the number of written characters. */
static bool format_stores(const char *format) {
    for (const char *s = format; (s = strchr(s, '%')); s++) {
        s++;
        s += strspn(s, "0123456789.*$-+ #'hlLqjzt");
        if (*s == 'n') return true;
        if (!*s) break;
    }
    return false;
}

/* True if some text of the program would store as a format. */
static bool some_format_stores(Front *f) {
    for (LLVMValueRef g = LLVMGetFirstGlobal(f->module); g; g = LLVMGetNextGlobal(g)) {
        LLVMValueRef text = LLVMIsDeclaration(g) ? NULL : LLVMGetInitializer(g);
        if (!text || !LLVMIsAConstantDataArray(text) || !LLVMIsConstantString(text)) continue;
        size_t length;
        const char *bytes = LLVMGetAsString(text, &length);
        if (format_stores(arena_printf(f->scratch, "%.*s", (int)length, bytes))) return true;
    }
    return false;
}

/* True if an output function with a list of arguments may store through one of them. Its format may come from elsewhere. */
static bool listed_output_stores(Lower *l, LLVMValueRef call, const char *name) {
    unsigned at = !strcmp(name, "vprintf") ? 0 : 1;
    if ((at && strcmp(name, "vfprintf") && strcmp(name, "vdprintf")) || LLVMGetNumArgOperands(call) < at + 2) return false;
    const char *format = constant_string(l->front, value_of(l, LLVMGetOperand(call, at)));
    return format ? format_stores(format) : some_format_stores(l->front);
}

/* True if an output function may store through one of its arguments. All other output has no effect. */
static bool output_stores(Lower *l, LLVMValueRef call, const char *name) {
    if (*name == 'v') return listed_output_stores(l, call, name);
    unsigned at = !strcmp(name, "printf") ? 0 : 1, n = LLVMGetNumArgOperands(call);
    if ((at && strcmp(name, "fprintf") && strcmp(name, "dprintf")) || n < at + 2) return false;
    const char *format = constant_string(l->front, value_of(l, LLVMGetOperand(call, at)));
    if (format) return format_stores(format);
    bool pointer = false;
    for (unsigned i = at + 1; i < n; i++) pointer |= LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(call, i))) == LLVMPointerTypeKind;
    return pointer;
}

/* ---- functions with two models ---- */

/* Returns the model for a thread that may be cancelled while it waits, or that waits for the result of main: "__heddle_ending_" and the
   name. NULL if the usual model does. */
static LLVMValueRef waiting_model(Lower *l, LLVMValueRef function, const char *name, bool join) {
    bool waits = join || !strcmp(name, "sem_wait") || !strncmp(name, "pthread_cond_", 13) || !strncmp(name, "cnd_", 4);
    if (!waits || l->frame->info->model || !function_info(l->front, function)->model) return NULL;
    if (!may_be_cancelled(l) && !(join && awaited_main(l) == MAIN_LEAVES)) return NULL;
    return LLVMGetNamedFunction(l->front->module, arena_printf(l->front->scratch, "__heddle_ending_%s", name));
}

/* Returns the variant of a model that this call needs:
   - "__heddle_reads_" and the name where it matters what is read;
   - "__heddle_ending_" and the name by waiting_model;
   - "__heddle_again_" and the name where a thread may lock what it holds, or join itself;
   - "__heddle_once_" and the name where a joined thread may be detached or joined already. */
static LLVMValueRef model_of(Lower *l, LLVMValueRef call, LLVMValueRef function, const char *name) {
    if (!function_info(l->front, function)->model) return function;
    if (*name == 'v' && asks(l, FOR_READS)) {
        LLVMValueRef reader = LLVMGetNamedFunction(l->front->module, arena_printf(l->front->scratch, "__heddle_reads_%s", name));
        if (reader) return reader;
    }
    bool join = !strcmp(name, "pthread_join") || !strcmp(name, "thrd_join"), lock = !strncmp(name, "pthread_rwlock_", 15);
    LLVMValueRef leaving = waiting_model(l, function, name, join);
    if (leaving) return leaving;
    if ((!join && !lock) || l->frame->info->model) return function;
    bool once = join && asks(l, joins_in_vain(l->front, call));
    if (join && !once && !may_join_itself(l, call)) return function;
    if (lock && !may_relock(l->front)) return function;
    const char *prefix = once ? "once" : "again";
    LLVMValueRef again = LLVMGetNamedFunction(l->front->module, arena_printf(l->front->scratch, "__heddle_%s_%s", prefix, name));
    return again ? again : function;
}

/* Returns the properties for which another model may be needed than for the other properties. */
static PropertySet models_differ(Lower *l, LLVMValueRef call, LLVMValueRef function, const char *name) {
    if (!function_info(l->front, function)->model) return 0;
    if (*name == 'v') return FOR_READS;
    bool join = !strcmp(name, "pthread_join") || !strcmp(name, "thrd_join");
    return join && !l->frame->info->model ? joins_in_vain(l->front, call) : 0;
}

static void call_defined(Lower *l, LLVMValueRef call, LLVMValueRef function, const char *name) {
    const Expr **result = NULL;
    Fork f = fork_by(l, models_differ(l, call, function, name));
    while (fork_next(l, &f)) {
        LLVMValueRef model = l->cursor.dead ? NULL : model_of(l, call, function, name);
        if (model && model != function) native_answer(l, FOR_ALL, native_variant(LLVMGetValueName(model)));
        if (model) inline_function(l, call, model);
        if (f.n > 1) take_result(l, call, &result);
    }
    if (result) define(l, call, result);
}

void call_function(Lower *l, LLVMValueRef call, LLVMValueRef function) {
    const char *name = LLVMGetValueName(function);
    if (*name == '\1') name++; /* an assembler name, which is used verbatim */
    bool defined = !LLVMIsDeclaration(function);
    if (!strncmp(name, "llvm.", 5)) lower_intrinsic(l, call, name);
    else if (lower_special(l, call, function, name)) return;
    else if (defined && function_info(l->front, function)->model && output_stores(l, call, name))
        emit_stop(l, APPROX_UNSUPPORTED, MSG_FRONT_STORES_ARGUMENT, name);
    else if (defined) {
        if (function_info(l->front, function)->model && !l->frame->info->model) read_arguments(l, call, name);
        call_defined(l, call, function, name);
    } else if (!lower_math(l, call, name)) call_unknown(l, call, function, name);
}

/* ---- calls through pointers ---- */

static bool fits(Lower *l, LLVMValueRef call, LLVMValueRef function) {
    LLVMTypeRef type = LLVMGlobalGetValueType(function);
    unsigned n = LLVMCountParams(function), given = LLVMGetNumArgOperands(call);
    if (LLVMIsFunctionVarArg(type) ? given < n : given != n) return false;
    for (unsigned i = 0; i < n; i++) {
        const Leaves *a = type_leaves(l->front, LLVMTypeOf(LLVMGetParam(function, i)));
        const Leaves *b = type_leaves(l->front, LLVMTypeOf(LLVMGetOperand(call, i)));
        if (a->n != b->n) return false;
        for (unsigned k = 0; k < a->n; k++)
            if (a->leaf[k].sort != b->leaf[k].sort) return false;
    }
    const Leaves *wanted = type_leaves(l->front, LLVMTypeOf(call)), *got = type_leaves(l->front, LLVMGetReturnType(type));
    return wanted->n == 0 || (wanted->n == got->n && wanted->leaf[0].sort == got->leaf[0].sort);
}

typedef struct ReturnPoint {
    unsigned location, depth;
    Variable **results;
    const Expr **leaves;
} ReturnPoint;

static void meet(Lower *l, ReturnPoint *m, LLVMValueRef call, const Leaves *type) {
    if (l->cursor.dead) return;
    if (m->location == NONE) {
        m->location = emit_location(l, LOCATION_PLAIN);
        m->depth = l->cursor.depth;
    }
    if (m->depth != l->cursor.depth) {
        emit_stop(l, APPROX_UNSUPPORTED, MSG_FRONT_CALL_SECTION);
        return;
    }
    const Expr **values = type->n ? map_find(l->frame->values, call) : NULL;
    for (unsigned i = 0; values && i < type->n; i++) emit_assign(l, m->results[i], values[i]);
    emit_goto(l, m->location);
}

/* Marks the functions that the pointer may be or, if none of these fits, all that fit. Returns their number. */
static unsigned choose_targets(Lower *l, LLVMValueRef call, const LLVMValueRef *functions, bool *chosen) {
    LLVMValueRef pointer = LLVMGetCalledValue(call);
    unsigned n = 0;
    for (int all = 0; all < 2 && !n; all++)
        for (size_t i = 0; i < vec_len(functions); i++) {
            chosen[i] = (all || may_point_to(l->front, pointer, functions[i])) && fits(l, call, functions[i]) &&
                        may_be_called(l->front, functions[i]);
            n += chosen[i];
        }
    return n;
}

/* Lowers a call through a pointer that is not one of the functions. Calling the null pointer is as wrong as reading there. */
static void call_nothing(Lower *l, const Expr *target) {
    Cursor null, other;
    emit_branch(l, expr_eq(l->pool, target, pointer_const(l->front, 0)), &null, &other);
    l->cursor = null;
    if (!null.dead) load_scalar(l, pointer_const(l->front, 0), sort_bv(l->pool, 8), 1, false);
    emit_stop(l, APPROX_UNSUPPORTED, MSG_FRONT_CALL_NULL);
    l->cursor = other;
    emit_stop(l, APPROX_UNSUPPORTED, MSG_FRONT_CALL_TYPE);
}

static void lower_indirect(Lower *l, LLVMValueRef call, const Expr *target) {
    const Leaves *type = type_leaves(l->front, LLVMTypeOf(call));
    ReturnPoint m = {.location = NONE,
                     .results = arena_array(l->front->scratch, Variable *, type->n + 1),
                     .leaves = arena_array(l->front->scratch, const Expr *, type->n + 1)};
    for (unsigned i = 0; i < type->n; i++) {
        m.results[i] = emit_temporary(l, type->leaf[i].sort);
        m.leaves[i] = variable_expr(l->program, m.results[i]);
    }
    target = emit_hold(l, target);
    const LLVMValueRef *functions = taken_functions(l->front);
    bool *chosen = arena_array(l->front->scratch, bool, vec_len(functions) + 1);
    unsigned ways = choose_targets(l, call, functions, chosen);
    for (size_t i = 0; i < vec_len(functions) && !l->cursor.dead; i++) {
        if (!chosen[i]) continue;
        const Expr *address = object_address(l->program, function_object(l->front, functions[i]));
        Cursor here, other;
        emit_branch(l, expr_eq(l->pool, target, address), &here, &other);
        l->cursor = here;
        l->ways = ways;
        call_function(l, call, functions[i]);
        l->ways = 0;
        meet(l, &m, call, type);
        l->cursor = other;
    }
    call_nothing(l, target);
    if (m.location == NONE) return;
    l->cursor = (Cursor){.location = m.location, .action = NONE, .depth = m.depth};
    if (type->n) define(l, call, m.leaves);
}

void lower_call(Lower *l, LLVMValueRef call) {
    LLVMValueRef callee = strip_alias(LLVMGetCalledValue(call));
    if (!LLVMIsAFunction(callee) || strncmp(LLVMGetValueName(callee), "llvm.dbg.", 9)) settle_faults(l); /* before it branches */
    if (LLVMIsAInlineAsm(callee)) {
        call_assembler(l, call, callee);
        return;
    }
    if (LLVMIsAFunction(callee)) {
        call_function(l, call, callee);
        return;
    }
    const Expr *target = value_of(l, callee);
    if (l->cursor.dead) return;
    LLVMValueRef function = function_of(l->front, target);
    if (function) call_function(l, call, function);
    else lower_indirect(l, call, target);
}
