/* SPDX-License-Identifier: Apache-2.0 */
/* Lowers what the library models need to report misuse (model/heddle.h), and finds whether the program may copy a mutex, as a part of some
   object. The initialiser of a variable, which is a constant, is no such object. A loop of the program that copies byte by byte is not
   found. */
#include "front/lower.h"
#include <string.h>

enum { SMALLEST = 24 }; /* the size of a mutex, for ILP32 */

static bool copies_bytes(const char *name) {
    static const char *const names[] = {"memcpy", "memmove", "mempcpy", "realloc", "reallocarray"};
    if (!strncmp(name, "llvm.memcpy.", 12) || !strncmp(name, "llvm.memmove.", 13)) return true;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(name, names[i])) return true;
    return false;
}

static bool is_constant_object(LLVMValueRef v) { return LLVMIsAGlobalVariable(v) && LLVMIsGlobalConstant(v); }

static bool is_small(LLVMValueRef size) { return LLVMIsAConstantInt(size) && LLVMConstIntGetZExtValue(size) < SMALLEST; }

static bool may_copy_mutex(LLVMValueRef call) {
    unsigned n = LLVMGetNumArgOperands(call);
    return n < 3 || !(is_constant_object(LLVMGetOperand(call, 1)) || is_small(LLVMGetOperand(call, 2)));
}

/* A function of the library that is not called directly may be called anywhere. */
static bool is_copied_by(Front *f, LLVMValueRef function) {
    for (LLVMUseRef u = LLVMGetFirstUse(function); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        bool call = LLVMIsACallInst(user) && LLVMGetCalledValue(user) == function;
        if (call && function_info(f, LLVMGetBasicBlockParent(LLVMGetInstructionParent(user)))->model) continue;
        if (!call || may_copy_mutex(user)) return true;
    }
    return false;
}

bool may_copy_objects(Front *f) {
    if (f->copies) return f->copies == 2;
    bool found = false;
    for (LLVMValueRef v = LLVMGetFirstFunction(f->module); v && !found; v = LLVMGetNextFunction(v))
        found = copies_bytes(LLVMGetValueName(v)) && is_copied_by(f, v);
    f->copies = found ? 2 : 1;
    return found;
}

/* An object that exists from the beginning has no undefined bytes. */
const Expr *lower_written(Lower *l, const Expr *address) {
    const Object *o = address_base(address);
    if (o && (o->kind == OBJECT_GLOBAL || o->kind == OBJECT_THREAD)) return expr_bool(l->pool, true);
    Instr *i = emit_visible(l, INSTR_WRITTEN);
    i->address = address;
    i->target = emit_temporary(l, sort_bv(l->pool, 32));
    return expr_not(l->pool, expr_eq(l->pool, variable_expr(l->program, i->target), expr_bv(l->pool, 32, 0)));
}

void lower_misuse(Lower *l, const Expr *which) {
    static const Fault faults[] = {FAULT_HELD, FAULT_AGAIN, FAULT_AWAITED, FAULT_GONE, FAULT_COPY, FAULT_RWLOCK, FAULT_SELF, FAULT_LIFE};
    ensure(expr_is_const(which) && which->value < sizeof faults / sizeof *faults);
    emit_visible(l, INSTR_JOIN)->address = expr_bv(l->pool, 32, MISUSE + faults[which->value]);
    emit_halt(l);
}
