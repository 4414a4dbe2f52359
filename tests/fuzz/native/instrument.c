/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of the runtime before whatever another thread could see and whatever may be undefined: loads, stores, atomic
   operations, copies, division, arithmetic that must not overflow. Locals that are not plain scalars, and thread-locals, get their memory from the
   runtime, which knows how long they live. */
#include "native.h"
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Module {
    LLVMModuleRef module;
    LLVMContextRef context;
    LLVMBuilderRef builder;
    LLVMTargetDataRef layout;
    LLVMTypeRef i32, i64, pointer, nothing;
} Module;

typedef struct Site {
    LLVMValueRef instr;
    bool private_; /* nobody else reaches what it accesses */
} Site;

static LLVMValueRef call(Module *m, LLVMTypeRef result, const char *name, LLVMValueRef *arguments, unsigned n) {
    LLVMTypeRef types[8];
    for (unsigned i = 0; i < n; i++) types[i] = LLVMTypeOf(arguments[i]);
    LLVMTypeRef type = LLVMFunctionType(result, types, n, false);
    LLVMValueRef f = LLVMGetNamedFunction(m->module, name);
    if (!f) f = LLVMAddFunction(m->module, name, type);
    return LLVMBuildCall2(m->builder, type, f, arguments, n, "");
}

static LLVMValueRef number(Module *m, uint64_t n) { return LLVMConstInt(m->i64, n, false); }

static bool is_intrinsic(LLVMValueRef v, const char *prefix) {
    if (!LLVMIsACallInst(v)) return false;
    LLVMValueRef f = LLVMGetCalledValue(v);
    return LLVMIsAFunction(f) && !strncmp(LLVMGetValueName(f), prefix, strlen(prefix));
}

static bool is_copy(LLVMValueRef v) {
    return is_intrinsic(v, "llvm.memcpy.") || is_intrinsic(v, "llvm.memmove.") || is_intrinsic(v, "llvm.memset.");
}

/* ---- who can reach a local ---- */

static bool accesses(LLVMValueRef user, LLVMValueRef pointer) {
    if (LLVMIsALoadInst(user)) return true;
    if (LLVMIsAStoreInst(user)) return LLVMGetOperand(user, 0) != pointer;
    if (LLVMIsAAtomicRMWInst(user)) return LLVMGetOperand(user, 1) != pointer;
    return LLVMIsAAtomicCmpXchgInst(user) && LLVMGetOperand(user, 1) != pointer && LLVMGetOperand(user, 2) != pointer;
}

static bool is_private(LLVMValueRef pointer) {
    for (LLVMUseRef u = LLVMGetFirstUse(pointer); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (accesses(user, pointer) || is_copy(user)) continue;
        if (!LLVMIsAGetElementPtrInst(user) || !is_private(user)) return false;
    }
    return true;
}

static bool thread_local_private(LLVMValueRef variable) {
    for (LLVMUseRef u = LLVMGetFirstUse(variable); u; u = LLVMGetNextUse(u))
        if (!is_intrinsic(LLVMGetUser(u), "llvm.threadlocal.address") || !is_private(LLVMGetUser(u))) return false;
    return true;
}

/* Only ever loaded and stored as a whole: nothing to watch. */
static bool is_plain(LLVMValueRef alloca) {
    for (LLVMUseRef u = LLVMGetFirstUse(alloca); u; u = LLVMGetNextUse(u))
        if (!accesses(LLVMGetUser(u), alloca)) return false;
    return true;
}

static LLVMValueRef root_of(LLVMValueRef pointer) {
    while (LLVMIsAGetElementPtrInst(pointer) || (LLVMIsAConstantExpr(pointer) && LLVMGetConstOpcode(pointer) == LLVMGetElementPtr))
        pointer = LLVMGetOperand(pointer, 0);
    return pointer;
}

static bool root_private(LLVMValueRef pointer) {
    LLVMValueRef root = root_of(pointer);
    if (LLVMIsAAllocaInst(root)) return is_private(root);
    return is_intrinsic(root, "llvm.threadlocal.address") && thread_local_private(LLVMGetOperand(root, 0));
}

/* ---- accesses ---- */

static LLVMValueRef pointer_of(LLVMValueRef i) { return LLVMGetOperand(i, LLVMIsAStoreInst(i) ? 1 : 0); }

static LLVMTypeRef accessed_type(LLVMValueRef i) {
    return LLVMTypeOf(LLVMIsALoadInst(i) ? i : LLVMIsAStoreInst(i) ? LLVMGetOperand(i, 0) : LLVMGetOperand(i, 1));
}

/* A weak exchange may fail though the value is as expected: then it is compared with another one. */
static void may_fail(Module *m, LLVMValueRef exchange) {
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(exchange, 1));
    if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind) return;
    LLVMValueRef spurious = call(m, m->i32, "__native_choose", NULL, 0);
    spurious = LLVMBuildICmp(m->builder, LLVMIntNE, spurious, LLVMConstInt(m->i32, 0, false), "");
    LLVMValueRef arguments[] = {LLVMGetOperand(exchange, 0), LLVMGetOperand(exchange, 0), number(m, LLVMABISizeOfType(m->layout, type)),
                                number(m, ACCESS_WRITES)};
    call(m, m->nothing, "__native_access", arguments, 4);
    LLVMValueRef now = LLVMBuildLoad2(m->builder, type, LLVMGetOperand(exchange, 0), "");
    LLVMValueRef other = LLVMBuildXor(m->builder, now, LLVMConstInt(type, 1, false), "");
    LLVMSetOperand(exchange, 1, LLVMBuildSelect(m->builder, spurious, other, LLVMGetOperand(exchange, 1), ""));
}

static void watch_access(Module *m, const Site *s) {
    LLVMValueRef pointer = pointer_of(s->instr);
    LLVMPositionBuilderBefore(m->builder, s->instr);
    if (LLVMIsAAtomicCmpXchgInst(s->instr) && LLVMGetWeak(s->instr)) {
        may_fail(m, s->instr);
        return;
    }
    uint64_t flags = (LLVMIsALoadInst(s->instr) ? 0 : ACCESS_WRITES) | (s->private_ ? ACCESS_PRIVATE : 0);
    LLVMValueRef arguments[] = {root_of(pointer), pointer, number(m, LLVMABISizeOfType(m->layout, accessed_type(s->instr))),
                                number(m, flags)};
    call(m, m->nothing, "__native_access", arguments, 4);
}

static void watch_copy(Module *m, const Site *s) {
    LLVMPositionBuilderBefore(m->builder, s->instr);
    bool fill = is_intrinsic(s->instr, "llvm.memset."), move = is_intrinsic(s->instr, "llvm.memmove.");
    LLVMValueRef arguments[] = {LLVMGetOperand(s->instr, 0), LLVMGetOperand(s->instr, 1),
                                LLVMBuildZExt(m->builder, LLVMGetOperand(s->instr, 2), m->i64, ""),
                                number(m, (move ? 1u : 0u) | (s->private_ ? 2u : 0u))};
    if (fill) arguments[1] = LLVMBuildZExt(m->builder, arguments[1], m->i64, "");
    call(m, m->nothing, fill ? "__native_fill" : "__native_copy", arguments, 4);
    LLVMInstructionEraseFromParent(s->instr);
}

/* ---- arithmetic ---- */

static void watch_arithmetic(Module *m, LLVMValueRef i) {
    LLVMOpcode o = LLVMGetInstructionOpcode(i);
    LLVMTypeRef type = LLVMTypeOf(i);
    if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(type) > 64) return;
    bool divides = o == LLVMUDiv || o == LLVMSDiv || o == LLVMURem || o == LLVMSRem,
         shifts = o == LLVMShl || o == LLVMLShr || o == LLVMAShr;
    bool overflows = (o == LLVMAdd || o == LLVMSub || o == LLVMMul) && LLVMGetNSW(i);
    if (!divides && !shifts && !overflows) return;
    LLVMPositionBuilderBefore(m->builder, i);
    LLVMValueRef a = LLVMBuildSExt(m->builder, LLVMGetOperand(i, 0), m->i64, ""),
                 b = LLVMBuildSExt(m->builder, LLVMGetOperand(i, 1), m->i64, "");
    LLVMValueRef arguments[] = {number(m, divides        ? (o == LLVMSDiv || o == LLVMSRem ? 's' : 'u')
                                          : shifts       ? '<'
                                          : o == LLVMAdd ? '+'
                                          : o == LLVMSub ? '-'
                                                         : '*'),
                                a, b, number(m, LLVMGetIntTypeWidth(type))};
    call(m, m->nothing, "__native_arithmetic", arguments, 4);
}

/* ---- lives ---- */

static void give_memory(Module *m, LLVMValueRef alloca) {
    LLVMPositionBuilderBefore(m->builder, alloca);
    LLVMValueRef count = LLVMBuildZExt(m->builder, LLVMGetOperand(alloca, 0), m->i64, "");
    LLVMValueRef size = LLVMBuildMul(m->builder, count, number(m, LLVMABISizeOfType(m->layout, LLVMGetAllocatedType(alloca))), "");
    LLVMValueRef memory = call(m, m->pointer, "__native_local", &size, 1);
    LLVMReplaceAllUsesWith(alloca, memory);
    LLVMInstructionEraseFromParent(alloca);
}

/* The locals of a function die when it returns. Those of main end with the process. */
static void watch_lives(Module *m, LLVMValueRef f, const LLVMValueRef *allocas, size_t n, bool shared) {
    LLVMPositionBuilderBefore(m->builder, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(f)));
    LLVMValueRef mark = call(m, m->i64, "__native_enter", NULL, 0);
    for (size_t i = 0; i < n; i++) give_memory(m, allocas[i]);
    if (!strcmp(LLVMGetValueName(f), "main")) return;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef last = LLVMGetBasicBlockTerminator(b);
        if (!LLVMIsAReturnInst(last)) continue;
        LLVMPositionBuilderBefore(m->builder, last);
        LLVMValueRef arguments[] = {mark, number(m, shared)};
        call(m, m->nothing, "__native_leave", arguments, 2);
    }
}

static void own_copy(Module *m, LLVMValueRef address) {
    LLVMValueRef variable = LLVMGetOperand(address, 0);
    LLVMPositionBuilderBefore(m->builder, address);
    LLVMValueRef arguments[] = {variable, number(m, LLVMABISizeOfType(m->layout, LLVMGlobalGetValueType(variable)))};
    LLVMReplaceAllUsesWith(address, call(m, m->pointer, "__native_thread_local", arguments, 2));
    LLVMInstructionEraseFromParent(address);
}

/* A function whose name says so is an atomic section. */
static void watch_section(Module *m, LLVMValueRef f) {
    LLVMPositionBuilderBefore(m->builder, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(f)));
    call(m, m->nothing, "__VERIFIER_atomic_begin", NULL, 0);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
        if (!LLVMIsAReturnInst(LLVMGetBasicBlockTerminator(b))) continue;
        LLVMPositionBuilderBefore(m->builder, LLVMGetBasicBlockTerminator(b));
        call(m, m->nothing, "__VERIFIER_atomic_end", NULL, 0);
    }
}

/* ---- ends ---- */

static void watch_unreachable(Module *m, LLVMValueRef i) {
    LLVMValueRef before = LLVMGetPreviousInstruction(i);
    unsigned kind = LLVMGetEnumAttributeKindForName("noreturn", 8);
    LLVMValueRef f = before && LLVMIsACallInst(before) ? LLVMGetCalledValue(before) : NULL;
    if (f && LLVMIsAFunction(f) && LLVMGetEnumAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, kind)) return;
    LLVMPositionBuilderBefore(m->builder, i);
    call(m, m->nothing, "__native_unreachable", NULL, 0);
}

static void replace_trap(Module *m, LLVMValueRef i) {
    LLVMPositionBuilderBefore(m->builder, i);
    call(m, m->nothing, "abort", NULL, 0);
    unsigned kind = LLVMGetEnumAttributeKindForName("noreturn", 8);
    LLVMAddAttributeAtIndex(LLVMGetNamedFunction(m->module, "abort"), (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                            LLVMCreateEnumAttribute(m->context, kind, 0));
    LLVMInstructionEraseFromParent(i);
}

/* ---- all ---- */

enum { MAX_SITES = 4000, MAX_LOCALS = 100 };
typedef struct Sites {
    Site list[MAX_SITES];
    size_t n;
} Sites;

static _Noreturn void too_large(void) {
    fprintf(stderr, "native: the program is too large\n");
    exit(3);
}

static void add(Sites *s, LLVMValueRef instr, bool private_) {
    if (s->n == MAX_SITES) too_large();
    s->list[s->n++] = (Site){instr, private_};
}

/* What is to be done is found first, while uses of pointers are the program's own. */
static void instrument_function(Module *m, LLVMValueRef f) {
    static Sites access, copies, others, addresses;
    LLVMValueRef allocas[MAX_LOCALS];
    size_t nallocas = 0;
    bool shared = false;
    access.n = copies.n = others.n = addresses.n = 0;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            if (LLVMIsALoadInst(i) || LLVMIsAStoreInst(i) || LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i)) {
                if (!LLVMIsAAllocaInst(pointer_of(i)) || !is_plain(pointer_of(i))) add(&access, i, root_private(pointer_of(i)));
            } else if (is_copy(i)) {
                add(&copies, i,
                    root_private(LLVMGetOperand(i, 0)) && (is_intrinsic(i, "llvm.memset.") || root_private(LLVMGetOperand(i, 1))));
            } else if (is_intrinsic(i, "llvm.threadlocal.address")) {
                add(&addresses, i, false);
            } else if (LLVMIsAAllocaInst(i)) {
                if (is_plain(i)) continue;
                if (nallocas == MAX_LOCALS) too_large();
                allocas[nallocas++] = i;
                shared |= !is_private(i);
            } else {
                add(&others, i, false);
            }
        }
    for (size_t k = 0; k < access.n; k++) watch_access(m, &access.list[k]);
    for (size_t k = 0; k < others.n; k++) {
        LLVMValueRef i = others.list[k].instr;
        if (LLVMIsAUnreachableInst(i)) watch_unreachable(m, i);
        else if (is_intrinsic(i, "llvm.trap")) replace_trap(m, i);
        else if (LLVMIsABinaryOperator(i)) watch_arithmetic(m, i);
    }
    if (nallocas) watch_lives(m, f, allocas, nallocas, shared);
    for (size_t k = 0; k < copies.n; k++) watch_copy(m, &copies.list[k]);
    for (size_t k = 0; k < addresses.n; k++) own_copy(m, addresses.list[k].instr);
}

void instrument(LLVMModuleRef module) {
    LLVMStripModuleDebugInfo(module);
    LLVMContextRef c = LLVMGetModuleContext(module);
    Module m = {.module = module,
                .context = c,
                .builder = LLVMCreateBuilderInContext(c),
                .layout = LLVMGetModuleDataLayout(module),
                .i32 = LLVMInt32TypeInContext(c),
                .i64 = LLVMInt64TypeInContext(c),
                .pointer = LLVMPointerTypeInContext(c, 0),
                .nothing = LLVMVoidTypeInContext(c)};
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f)) {
            instrument_function(&m, f);
            if (!strncmp(LLVMGetValueName(f), "__VERIFIER_atomic_", 18)) watch_section(&m, f);
        }
    unsigned names = 0;
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g)) {
        char name[40];
        LLVMSetThreadLocal(g, false);
        snprintf(name, sizeof name, "global.%u", names++);
        if (!*LLVMGetValueName(g)) LLVMSetValueName2(g, name, strlen(name));
        if (!LLVMIsDeclaration(g)) LLVMSetLinkage(g, LLVMExternalLinkage);
    }
    LLVMDisposeBuilder(m.builder);
}
