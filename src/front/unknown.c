/* SPDX-License-Identifier: Apache-2.0 */
/* Lowers calls of functions that no file defines.

   The function may have any result. The call may change or call whatever it can reach: the targets of its arguments, variables and
   functions that other files can name, and variables that no file defines.

   If it can reach something of the program, its effects are left out. Then no SAFE and no UNSAFE depends on the call, unless the user
   states that it has no effect. If it can reach nothing, the call is only an input. Library functions that only read their arguments are
   known by name. */
#include "front/lower.h"
#include "front/messages.h"
#include <string.h>

enum { MAX_NESTING = 8 };

/* ---- pointers ---- */

/* True for a constant object through which only such objects can be reached, so that no call or write can go through it. */
static bool harmless_object(const Object *o, unsigned depth) {
    if (!o->readonly || o->kind != OBJECT_GLOBAL || depth == MAX_NESTING) return false;
    for (unsigned i = 0; i < o->nrelocations; i++)
        if (!harmless_object(o->relocations[i].target->user, depth + 1)) return false;
    return true;
}

/* True for a pointer to such an object, or a number. A number is no address, as a program cannot know where objects are. */
static bool harmless_pointer(Lower *l, const Expr *e) {
    Object *o;
    uint64_t offset;
    if (expr_is_const(e)) return true;
    return address_split(l->front, e, &o, &offset) && harmless_object(o, 0);
}

/* ---- integers that may be addresses ---- */

static bool has_pointer(LLVMTypeRef type) {
    switch (LLVMGetTypeKind(type)) {
    case LLVMPointerTypeKind: return true;
    case LLVMArrayTypeKind:
    case LLVMVectorTypeKind: return has_pointer(LLVMGetElementType(type));
    case LLVMStructTypeKind:
        for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++)
            if (has_pointer(LLVMStructGetTypeAtIndex(type, i))) return true;
        return false;
    default: return false;
    }
}

/* Returns the declared type of the variable, element or field that the pointer names; NULL if it names none. */
static LLVMTypeRef declared_type(LLVMValueRef pointer) {
    if (LLVMIsAAllocaInst(pointer)) return LLVMGetAllocatedType(pointer);
    if (LLVMIsAGlobalVariable(pointer)) return LLVMGlobalGetValueType(pointer);
    if (!LLVMIsAGetElementPtrInst(pointer)) return NULL;
    LLVMTypeRef type = LLVMGetGEPSourceElementType(pointer);
    for (unsigned i = 2; i < (unsigned)LLVMGetNumOperands(pointer); i++)
        type = LLVMGetTypeKind(type) == LLVMStructTypeKind
                   ? LLVMStructGetTypeAtIndex(type, (unsigned)LLVMConstIntGetZExtValue(LLVMGetOperand(pointer, i)))
                   : LLVMGetElementType(type);
    return type;
}

/* True if a pointer is read as an integer, or written where none is declared, mostly through a union. */
static bool puns(Front *f, LLVMTypeRef accessed, LLVMValueRef pointer) {
    LLVMTypeRef declared = declared_type(pointer);
    if (!declared) return false;
    if (LLVMGetTypeKind(accessed) == LLVMPointerTypeKind) return !has_pointer(declared);
    return LLVMGetTypeKind(accessed) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(accessed) >= f->pointer_width && has_pointer(declared);
}

/* True if the bytes of another type are copied into an integer. */
static bool copies_pun(LLVMValueRef call) {
    const char *name = LLVMIsAFunction(LLVMGetCalledValue(call)) ? LLVMGetValueName(LLVMGetCalledValue(call)) : "";
    if (strncmp(name, "llvm.memcpy.", 12) && strncmp(name, "llvm.memmove.", 13)) return false;
    LLVMTypeRef to = declared_type(LLVMGetOperand(call, 0)), from = declared_type(LLVMGetOperand(call, 1));
    return to && to != from && LLVMGetTypeKind(to) == LLVMIntegerTypeKind;
}

static bool constant_casts(LLVMValueRef v, unsigned depth) {
    if (!LLVMIsAConstant(v) || LLVMIsAGlobalValue(v) || depth == MAX_NESTING) return false;
    if (LLVMIsAConstantExpr(v) && LLVMGetConstOpcode(v) == LLVMPtrToInt) return true;
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(v); i++)
        if (constant_casts(LLVMGetOperand(v, i), depth + 1)) return true;
    return false;
}

/* True if an address that was converted to an integer is used for more than differences and comparisons. */
static bool cast_escapes(LLVMValueRef cast) {
    for (LLVMUseRef u = LLVMGetFirstUse(cast); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (LLVMIsAICmpInst(user)) continue;
        if (!LLVMIsABinaryOperator(user) || LLVMGetInstructionOpcode(user) != LLVMSub) return true;
        if (!LLVMIsAPtrToIntInst(LLVMGetOperand(user, 0)) || !LLVMIsAPtrToIntInst(LLVMGetOperand(user, 1))) return true;
    }
    return false;
}

static bool instruction_casts(Front *f, LLVMValueRef i) {
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMPtrToInt:
        if (cast_escapes(i)) return true;
        break;
    case LLVMLoad:
        if (puns(f, LLVMTypeOf(i), LLVMGetOperand(i, 0))) return true;
        break;
    case LLVMStore:
        if (puns(f, LLVMTypeOf(LLVMGetOperand(i, 0)), LLVMGetOperand(i, 1))) return true;
        break;
    case LLVMCall:
        if (copies_pun(i)) return true;
        break;
    default: break;
    }
    for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(i); k++)
        if (constant_casts(LLVMGetOperand(i, k), 0)) return true;
    return false;
}

static bool function_casts(Front *f, LLVMValueRef function) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (instruction_casts(f, i)) return true;
    return false;
}

/* True if the program converts addresses to integers, so that any integer may be an address. */
static bool integers_are_addresses(Front *f) {
    bool found = f->integers == 2;
    if (f->integers) return found;
    for (LLVMValueRef g = LLVMGetFirstGlobal(f->module); g && !found; g = LLVMGetNextGlobal(g))
        found = LLVMGetInitializer(g) && constant_casts(LLVMGetInitializer(g), 0);
    for (LLVMValueRef v = LLVMGetFirstFunction(f->module); v && !found; v = LLVMGetNextFunction(v))
        found = !LLVMIsDeclaration(v) && !function_info(f, v)->model && function_casts(f, v);
    f->integers = found ? 2 : 1;
    return found;
}

enum { NARROW = 32 }; /* an integer with fewer bits is no useful address, not even half of one */

static bool harmless_argument(Lower *l, LLVMValueRef argument) {
    LLVMTypeRef type = LLVMTypeOf(argument);
    if (LLVMGetTypeKind(type) == LLVMPointerTypeKind) return harmless_pointer(l, value_of(l, argument));
    if (has_pointer(type)) return false;
    if (LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) < NARROW) return true;
    const Leaves *leaves = type_leaves(l->front, type);
    const Expr **values = value_leaves(l, argument);
    for (unsigned i = 0; i < leaves->n; i++)
        if (!expr_is_const(values[i]) && integers_are_addresses(l->front)) return false;
    return true;
}

/* ---- what other files can name ---- */

static bool is_local(LLVMValueRef global) {
    LLVMLinkage linkage = LLVMGetLinkage(global);
    return linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage;
}

static bool is_stream(const char *name) { return !strcmp(name, "stdin") || !strcmp(name, "stdout") || !strcmp(name, "stderr"); }

/* True if the program uses it. Uses by models of library functions do not count, as those may never be called. */
static bool used_by_program(Front *f, LLVMValueRef v, unsigned depth) {
    for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (LLVMIsAInstruction(user)) {
            if (!function_info(f, LLVMGetBasicBlockParent(LLVMGetInstructionParent(user)))->model) return true;
        } else if (!LLVMIsAConstantExpr(user) || depth == MAX_NESTING || used_by_program(f, user, depth + 1)) {
            return true;
        }
    }
    return false;
}

/* foreign: return only a variable that no file defines. */
static LLVMValueRef visible_variable(Front *f, bool foreign) {
    for (LLVMValueRef g = LLVMGetFirstGlobal(f->module); g; g = LLVMGetNextGlobal(g))
        if ((!foreign || LLVMIsDeclaration(g)) && !is_local(g) && !LLVMIsGlobalConstant(g) && !is_stream(LLVMGetValueName(g)) &&
            used_by_program(f, g, 0))
            return g;
    return NULL;
}

/* True if the function is only passed to functions that create threads, so that no other code is meant to call it. */
static bool only_starts(LLVMValueRef function) {
    bool any = false;
    for (LLVMUseRef u = LLVMGetFirstUse(function); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u), callee = LLVMIsACallInst(user) ? LLVMGetCalledValue(user) : NULL;
        if (!callee || callee == function || !LLVMIsAFunction(callee)) return false;
        const char *name = LLVMGetValueName(callee);
        if (strcmp(name, "pthread_create") && strcmp(name, "thrd_create")) return false;
        any = true;
    }
    return any;
}

/* True if a call of the function changes nothing and returns no address. */
static bool gives_nothing(Front *f, LLVMValueRef function) {
    LLVMTypeRef result = LLVMGetReturnType(LLVMGlobalGetValueType(function));
    bool number = LLVMGetTypeKind(result) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(result) >= NARROW;
    return is_pure(f, function, 0) && !has_pointer(result) && !(number && integers_are_addresses(f));
}

/* Returns a function of the program that other files can name and that has an effect, or NULL. */
static LLVMValueRef visible_function(Front *f, bool starts_too) {
    for (LLVMValueRef v = LLVMGetFirstFunction(f->module); v; v = LLVMGetNextFunction(v)) {
        if (LLVMIsDeclaration(v) || is_local(v) || is_special(v) || function_info(f, v)->model) continue;
        if (!strcmp(LLVMGetValueName(v), "main") || gives_nothing(f, v)) continue;
        if (starts_too || !only_starts(v)) return v;
    }
    return NULL;
}

/* ---- calls ---- */

static const char *reachable_argument(Lower *l, LLVMValueRef call, bool numbers) {
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
        LLVMValueRef argument = LLVMGetOperand(call, i);
        if (harmless_argument(l, argument)) continue;
        bool pointer = LLVMGetTypeKind(LLVMTypeOf(argument)) == LLVMPointerTypeKind;
        if (!pointer && !numbers) continue;
        return pointer ? MSG_FRONT_UNKNOWN_GETS_POINTER : MSG_FRONT_UNKNOWN_GETS_NUMBER;
    }
    return NULL;
}

/* Returns what the function can reach, as the end of a sentence, or NULL. *strange: it can only call start functions of threads. */
static const char *reach(Lower *l, LLVMValueRef call, const char *name, bool *strange) {
    *strange = false;
    if (libc_only_reads(name)) return NULL;
    const char *why = reachable_argument(l, call, !is_for_verifiers(name));
    if (why) return why;
    Arena *scratch = l->front->scratch;
    LLVMValueRef foreign = visible_variable(l->front, true);
    if (foreign) return arena_printf(scratch, MSG_FRONT_UNKNOWN_CHANGES_FOREIGN, LLVMGetValueName(foreign));
    if (libc_only_arguments(name)) return NULL;
    LLVMValueRef variable = visible_variable(l->front, false), function = visible_function(l->front, false);
    if (variable) return arena_printf(scratch, MSG_FRONT_UNKNOWN_CHANGES, LLVMGetValueName(variable));
    *strange = !function;
    if (!function) function = visible_function(l->front, true);
    return function ? arena_printf(scratch, MSG_FRONT_UNKNOWN_CALLS, LLVMGetValueName(function)) : NULL;
}

static bool said_pure(Front *f, const char *name) {
    size_t n = strlen(name);
    if (f->options->undefined_pure) return true;
    for (const char *s = f->options->pure; s && *s; s += strcspn(s, ","), s += *s == ',')
        if (strcspn(s, ",") == n && !strncmp(s, name, n)) return true;
    return false;
}

/* Leaves out the effects of the call, and records that it may have some. */
static void leave_out(Lower *l, LLVMValueRef call, const char *name) {
    bool strange;
    const char *why = reach(l, call, name, &strange);
    if (!why && libc_only_reads(name)) {
        read_arguments(l, call, name);
        bool known = reads_are_known(l, call, name) || said_pure(l->front, name);
        for (Fork f = fork_by(l, known ? 0 : FOR_READS); fork_next(l, &f);)
            if (!known && asks(l, FOR_READS)) emit_omission(l, name, MSG_FRONT_UNKNOWN_READS, false);
    }
    if (!why) return;
    if (said_pure(l->front, name)) emit_assumption(l, name, arena_printf(l->front->scratch, MSG_FRONT_HAS_NO_EFFECT, name));
    else emit_omission(l, name, why, !strange);
}

/* Lets the call end the process or the thread. A function that never returns is a thread that is never scheduled again, unless it is
   asked whether executions end. */
static void call_noreturn(Lower *l, const char *name) {
    Cursor thread, process;
    emit_over(l, MSG_FRONT_UNKNOWN_ENDS, name);
    emit_branch(l, emit_any(l, sort_bool(l->pool)), &thread, &process);
    l->cursor = process;
    emit_halt(l);
    l->cursor = thread;
    end_thread(l, emit_any(l, sort_bv(l->pool, l->front->pointer_width)));
    l->cursor.dead = true;
}

static void give_result(Lower *l, LLVMValueRef call, const char *name) {
    const Leaves *type = type_leaves(l->front, LLVMTypeOf(call));
    if (!type->n || !LLVMGetFirstUse(call)) return;
    const Expr **leaves = arena_array(l->front->scratch, const Expr *, type->n);
    bool pointer = LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMPointerTypeKind;
    emit_unknown_result(l, name);
    for (unsigned i = 0; i < type->n; i++) {
        leaves[i] = emit_any(l, type->leaf[i].sort);
        Variable *v = expr_variable(leaves[i]);
        variable_set_signed(l->program, v, !pointer);
        if (pointer) v->ctype = exprs_intern(l->pool, "void *");
    }
    define(l, call, leaves);
}

/* Lets the call be a cancellation point, as it may be one or call one. */
static void test_cancel(Lower *l, const char *name) {
    LLVMValueRef model = LLVMGetNamedFunction(l->front->module, "__heddle_cancel_unknown");
    if (!model || libc_only_reads(name) || libc_only_arguments(name) || said_pure(l->front, name)) return;
    if (may_be_cancelled(l)) enter_model(l, model, NULL, 0);
}

void call_unknown(Lower *l, LLVMValueRef call, LLVMValueRef function, const char *name) {
    test_cancel(l, name);
    leave_out(l, call, name);
    unsigned noreturn = LLVMGetEnumAttributeKindForName("noreturn", 8);
    if (LLVMGetEnumAttributeAtIndex(function, ON_FUNCTION, noreturn)) {
        for (Fork f = fork_by(l, FOR_ENDS); fork_next(l, &f);)
            if (!asks(l, FOR_ENDS)) call_noreturn(l, name);
            else emit_stop(l, APPROX_UNSUPPORTED, MSG_FRONT_UNKNOWN_NO_RETURN, name);
        return;
    }
    if (disturb_errno(l)) emit_over(l, MSG_FRONT_UNKNOWN_ERRNO, name);
    give_result(l, call, name);
}
