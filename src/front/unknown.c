/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of functions that nobody defines. Such a function may have any result. It may also change or call whatever it can get at:
   if that is anything of the program's, what follows is not modelled. It can get at what its arguments lead to and at variables that no file
   defines: they are the library's. What is assumed is that it does not know the program's own variables and functions by name. */
#include "front/lower.h"
#include <string.h>

enum { MAX_NESTING = 8 };

/* ---- pointers ---- */

/* A constant through which nothing can be reached but such constants: no function to call, nothing to write to. */
static bool harmless_object(const Object *o, unsigned depth) {
    if (!o->readonly || o->kind != OBJECT_GLOBAL || depth == MAX_NESTING) return false;
    for (unsigned i = 0; i < o->nrelocations; i++)
        if (!harmless_object(o->relocations[i].target->user, depth + 1)) return false;
    return true;
}

/* A number is the address of nothing: where objects lie is no program's to know. */
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

/* What the variable, element or field that the pointer names was declared as; NULL: it names none. */
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

/* A pointer is read as an integer, or written where there is none: by a union, mostly. */
static bool puns(Front *f, LLVMTypeRef accessed, LLVMValueRef pointer) {
    LLVMTypeRef declared = declared_type(pointer);
    if (!declared) return false;
    if (LLVMGetTypeKind(accessed) == LLVMPointerTypeKind) return !has_pointer(declared);
    return LLVMGetTypeKind(accessed) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(accessed) >= f->pointer_width && has_pointer(declared);
}

/* The bytes of something else are copied into an integer. */
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

/* The difference of two addresses, or their comparison, is no address. */
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

/* Whether the program makes integers of addresses. Where it does, any integer may be one. */
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

enum { NARROW = 32 }; /* an integer of fewer bits is no good address, not even half of one */

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

/* ---- calls ---- */

/* A variable that no file defines, and that can change. */
static LLVMValueRef foreign_variable(Front *f) {
    for (LLVMValueRef g = LLVMGetFirstGlobal(f->module); g; g = LLVMGetNextGlobal(g))
        if (LLVMIsDeclaration(g) && LLVMGetFirstUse(g) && !LLVMIsGlobalConstant(g)) return g;
    return NULL;
}

static bool gets_at_something(Lower *l, LLVMValueRef call, const char *name) {
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
        LLVMValueRef argument = LLVMGetOperand(call, i);
        if (harmless_argument(l, argument)) continue;
        bool pointer = LLVMGetTypeKind(LLVMTypeOf(argument)) == LLVMPointerTypeKind;
        const char *what = pointer ? "pointer" : "number that may be an address";
        emit_stop(l, APPROX_UNSUPPORTED, "call of the unknown function %s, which gets a %s", name, what);
        return true;
    }
    LLVMValueRef foreign = foreign_variable(l->front);
    if (!foreign) return false;
    const char *variable = LLVMGetValueName(foreign);
    emit_stop(l, APPROX_UNSUPPORTED, "call of the unknown function %s, which may change %s, that no file defines", name, variable);
    return true;
}

/* It ends the process, or its thread, or does neither: whoever goes on for ever is a thread that is never scheduled again. */
static void call_noreturn(Lower *l, const char *name) {
    Cursor thread, process;
    emit_over(l, "call of the unknown function %s, which does not return: the process or the thread ends", name);
    emit_branch(l, emit_any(l, sort_bool(l->pool)), &thread, &process);
    l->cursor = process;
    emit_halt(l);
    l->cursor = thread;
    end_thread(l, emit_any(l, sort_bv(l->pool, l->front->pointer_width)));
    l->cursor.dead = true;
}

void call_unknown(Lower *l, LLVMValueRef call, LLVMValueRef function, const char *name) {
    if (gets_at_something(l, call, name)) return;
    unsigned noreturn = LLVMGetEnumAttributeKindForName("noreturn", 8);
    if (LLVMGetEnumAttributeAtIndex(function, ON_FUNCTION, noreturn)) {
        call_noreturn(l, name);
        return;
    }
    const Leaves *type = type_leaves(l->front, LLVMTypeOf(call));
    disturb_errno(l);
    emit_over(l, "call of the unknown function %s: its result is any value", name);
    if (type->n) define(l, call, coerce(l, NULL, 0, type));
}
