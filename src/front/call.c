/* SPDX-License-Identifier: Apache-2.0 */
/* Calls. A defined function is inlined, down to a bound of nested activations of itself; a call through a pointer branches
   on the functions it may point to; an unknown function has any result, if it gets nothing it could change. */
#include "front/lower.h"
#include <string.h>

/* ---- arguments and results ---- */

/* As many leaves as the type has, each of its sort: C lets declarations and definitions disagree. */
static const Expr **coerce(Lower *l, const Expr **leaves, unsigned n, const Leaves *type) {
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

static LLVMTypeRef by_value(LLVMValueRef call, unsigned i) {
    unsigned kind = LLVMGetEnumAttributeKindForName("byval", 5);
    LLVMAttributeRef a = LLVMGetCallSiteEnumAttribute(call, i + 1, kind);
    return a ? LLVMGetTypeAttributeValue(a) : NULL;
}

/* A struct passed by value: the callee gets the address of its own copy. */
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
        LLVMTypeRef copied = i < given ? by_value(call, i) : NULL;
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

/* Recursion on constants is followed further: it ends by itself, or the program gets too large. */
enum { CONSTANT_RECURSION = 200, FRAME_WORK = 20 };

static unsigned recursion_bound(Lower *l, LLVMValueRef call) {
    unsigned bound = l->front->recursion_bound, n = LLVMGetNumArgOperands(call);
    bool constant = n > 0;
    for (unsigned i = 0; i < n && constant; i++) {
        LLVMValueRef argument = LLVMGetOperand(call, i);
        const Expr **leaves = LLVMIsAInstruction(argument) || LLVMIsAArgument(argument) ? map_find(l->frame->values, argument) : NULL;
        for (unsigned k = 0; leaves && k < type_leaves(l->front, LLVMTypeOf(argument))->n; k++) constant &= expr_closed(l->front, leaves[k]);
    }
    return constant && bound < CONSTANT_RECURSION ? CONSTANT_RECURSION : bound;
}

static unsigned activations(const Lower *l, const FunctionInfo *info) {
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

static void inline_function(Lower *l, LLVMValueRef call, LLVMValueRef function) {
    FunctionInfo *info = function_info(l->front, function);
    if (lower_too_large(l)) return;
    unsigned nested = activations(l, info);
    if (nested >= l->front->recursion_bound && nested >= recursion_bound(l, call)) {
        emit_stop(l, APPROX_UNDER, "recursion of %s beyond %u nested calls", info->name, nested);
        return;
    }
    if (!signature_supported(l, function)) {
        emit_stop(l, APPROX_UNSUPPORTED, "a parameter or result of %s has a type that is not modelled", info->name);
        return;
    }
    Position position = l->position;
    Frame *f = frame_new(l, info);
    l->front->work += FRAME_WORK;
    const Expr ***arguments = call_arguments(l, f, call);
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

/* ---- the end of a thread ---- */

static bool is_used_outside(LLVMModuleRef m, const char *name, const char *but) {
    LLVMValueRef function = LLVMGetNamedFunction(m, name);
    for (LLVMUseRef u = function ? LLVMGetFirstUse(function) : NULL; u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        const char *in = LLVMIsAInstruction(user) ? LLVMGetValueName(LLVMGetBasicBlockParent(LLVMGetInstructionParent(user))) : "";
        if (strcmp(in, but) != 0) return true;
    }
    return false;
}

/* The library's part: destructors of thread-specific data, if the program has such. (A destructor that ends the thread is the last.) */
static const Expr *call_destructors(Lower *l, const Expr *result) {
    LLVMModuleRef m = l->front->module;
    LLVMValueRef function = LLVMGetNamedFunction(m, "__heddle_at_thread_end");
    if (!function || LLVMIsDeclaration(function) || l->cursor.dead) return result;
    if (!is_used_outside(m, "pthread_key_create", "tss_create") && !is_used_outside(m, "tss_create", "")) return result;
    FunctionInfo *info = function_info(l->front, function);
    if (activations(l, info)) return result;
    Position position = l->position;
    result = emit_hold(l, result);
    Frame *f = frame_new(l, info), *caller = l->frame;
    l->frame = f;
    frame_enter(l, f, NULL, 0);
    lower_body(l, f);
    l->frame = caller;
    l->position = position;
    frame_free(f);
    return result;
}

void end_thread(Lower *l, const Expr *result) {
    result = call_destructors(l, result);
    if (!l->cursor.dead) emit_end(l, result);
}

/* ---- unknown functions ---- */

/* A pointer through which the callee can change nothing: null, or to a constant. */
static bool harmless_pointer(Lower *l, const Expr *e) {
    Object *o;
    uint64_t offset;
    if (expr_is_const(e)) return true;
    return address_split(l->front, e, &o, &offset) && o->readonly;
}

static void call_unknown(Lower *l, LLVMValueRef call, LLVMValueRef function, const char *name) {
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
        LLVMValueRef argument = LLVMGetOperand(call, i);
        if (LLVMGetTypeKind(LLVMTypeOf(argument)) != LLVMPointerTypeKind || harmless_pointer(l, value_of(l, argument))) continue;
        emit_stop(l, APPROX_UNSUPPORTED, "call of the unknown function %s, which gets a pointer", name);
        return;
    }
    unsigned noreturn = LLVMGetEnumAttributeKindForName("noreturn", 8);
    if (LLVMGetEnumAttributeAtIndex(function, ON_FUNCTION, noreturn)) {
        emit_over(l, "call of the unknown function %s, which does not return: the process ends", name);
        emit_halt(l);
        return;
    }
    const Leaves *type = type_leaves(l->front, LLVMTypeOf(call));
    emit_over(l, "call of the unknown function %s: its result is any value", name);
    if (type->n) define(l, call, coerce(l, NULL, 0, type));
}

/* ---- output ---- */

/* Whether a format has the conversion n, which stores how much was written. */
static bool format_stores(const char *format) {
    for (const char *s = format; (s = strchr(s, '%')) && *++s; s++) {
        s += strspn(s, "0123456789.*$-+ #'hlLqjzt");
        if (*s == 'n') return true;
        if (!*s) break;
    }
    return false;
}

/* Output has no effect, unless it stores through one of its arguments. */
static bool output_stores(Lower *l, LLVMValueRef call, const char *name) {
    unsigned at = !strcmp(name, "printf") ? 0 : 1, n = LLVMGetNumArgOperands(call);
    if ((at && strcmp(name, "fprintf") && strcmp(name, "dprintf")) || n < at + 2) return false;
    const char *format = constant_string(l->front, value_of(l, LLVMGetOperand(call, at)));
    if (format) return format_stores(format);
    bool pointer = false;
    for (unsigned i = at + 1; i < n; i++) pointer |= LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(call, i))) == LLVMPointerTypeKind;
    return pointer;
}

void call_function(Lower *l, LLVMValueRef call, LLVMValueRef function) {
    const char *name = LLVMGetValueName(function);
    if (*name == '\1') name++; /* an assembler name, as it stands */
    bool defined = !LLVMIsDeclaration(function);
    if (!strncmp(name, "llvm.", 5)) lower_intrinsic(l, call, name);
    else if (lower_special(l, call, name, defined)) return;
    else if (defined && function_info(l->front, function)->model && output_stores(l, call, name))
        emit_stop(l, APPROX_UNSUPPORTED, "%s, which stores through an argument", name);
    else if (defined) inline_function(l, call, function);
    else call_unknown(l, call, function, name);
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

typedef struct Meeting {
    unsigned location, depth;
    Variable **results;
    const Expr **leaves;
} Meeting;

static void meet(Lower *l, Meeting *m, LLVMValueRef call, const Leaves *type) {
    if (l->cursor.dead) return;
    if (m->location == NONE) {
        m->location = emit_location(l, LOCATION_PLAIN);
        m->depth = l->cursor.depth;
    }
    if (m->depth != l->cursor.depth) {
        emit_stop(l, APPROX_UNSUPPORTED, "a call that returns inside or outside of an atomic section");
        return;
    }
    const Expr **values = type->n ? map_find(l->frame->values, call) : NULL;
    for (unsigned i = 0; values && i < type->n; i++) emit_assign(l, m->results[i], values[i]);
    emit_goto(l, m->location);
}

void lower_indirect(Lower *l, LLVMValueRef call, const Expr *target) {
    const Leaves *type = type_leaves(l->front, LLVMTypeOf(call));
    Meeting m = {.location = NONE, .results = arena_array(l->front->scratch, Variable *, type->n + 1),
                 .leaves = arena_array(l->front->scratch, const Expr *, type->n + 1)};
    for (unsigned i = 0; i < type->n; i++) {
        m.results[i] = emit_temporary(l, type->leaf[i].sort);
        m.leaves[i] = variable_expr(l->program, m.results[i]);
    }
    target = emit_hold(l, target);
    const LLVMValueRef *functions = taken_functions(l->front);
    for (size_t i = 0; i < vec_len(functions) && !l->cursor.dead; i++) {
        if (!fits(l, call, functions[i]) || !may_be_called(l->front, functions[i])) continue;
        const Expr *address = object_address(l->program, function_object(l->front, functions[i]));
        Cursor here, other;
        emit_branch(l, expr_eq(l->pool, target, address), &here, &other);
        l->cursor = here;
        call_function(l, call, functions[i]);
        meet(l, &m, call, type);
        l->cursor = other;
    }
    emit_stop(l, APPROX_UNSUPPORTED, "call through a pointer that is none of the functions of its type");
    if (m.location == NONE) return;
    l->cursor = (Cursor){.location = m.location, .action = NONE, .depth = m.depth};
    if (type->n) define(l, call, m.leaves);
}

/* ---- assembler ---- */

/* Instructions that order or delay accesses: under sequential consistency they do nothing. */
static bool is_barrier(const char *text) {
    static const char *const barriers[] = {"", "nop", "pause", "rep; nop", "rep nop", "rep;nop", "mfence", "lfence", "sfence"};
    for (size_t i = 0; i < sizeof barriers / sizeof *barriers; i++)
        if (!strcmp(text, barriers[i])) return true;
    return false;
}

static void call_assembler(Lower *l, LLVMValueRef code) {
    size_t length, n;
    const char *text = LLVMGetInlineAsmAsmString(code, &length), *list = LLVMGetInlineAsmConstraintString(code, &n);
    text = arena_strndup(l->front->scratch, text, length);
    list = arena_strndup(l->front->scratch, list, n);
    bool writes = strpbrk(list, "=+") != NULL;
    if (!writes && (is_barrier(text) || !strstr(list, "~{memory}"))) return;
    emit_stop(l, APPROX_UNSUPPORTED, "assembler code");
}

void lower_call(Lower *l, LLVMValueRef call) {
    LLVMValueRef callee = strip_alias(LLVMGetCalledValue(call));
    if (LLVMIsAInlineAsm(callee)) {
        call_assembler(l, callee);
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
