/* SPDX-License-Identifier: Apache-2.0 */
#include "front/repair.h"
#include <string.h>

/* Returns the value read before the loop if this is the exchange of such a loop, whose block clang calls atomic_op. NULL if it is not. */
static LLVMValueRef seen_by(LLVMValueRef exchange) {
    static const char name[] = "atomic_op";
    LLVMValueRef seen = LLVMGetOperand(exchange, 1);
    LLVMBasicBlockRef block = LLVMGetInstructionParent(exchange);
    if (strncmp(LLVMGetBasicBlockName(block), name, sizeof name - 1) || !LLVMIsAPHINode(seen)) return NULL;
    return LLVMGetInstructionParent(seen) == block && LLVMCountIncoming(seen) == 2 ? seen : NULL;
}

/* Replaces all uses of the value read first, except that of the loop. */
static void repair_result(LLVMValueRef seen) {
    for (unsigned k = 0; k < 2; k++) {
        LLVMValueRef first = LLVMGetIncomingValue(seen, k);
        if (LLVMGetIncomingBlock(seen, k) == LLVMGetInstructionParent(seen) || !LLVMIsALoadInst(first)) continue;
        for (LLVMUseRef u = LLVMGetFirstUse(first), next; u; u = next) {
            next = LLVMGetNextUse(u);
            LLVMValueRef user = LLVMGetUser(u);
            for (int i = 0; user != seen && i < LLVMGetNumOperands(user); i++)
                if (LLVMGetOperand(user, (unsigned)i) == first) LLVMSetOperand(user, (unsigned)i, seen);
        }
    }
}

static LLVMValueRef bit_of(LLVMValueRef v) {
    LLVMValueRef from = LLVMIsAZExtInst(v) ? LLVMGetOperand(v, 0) : NULL;
    return from && LLVMGetIntTypeWidth(LLVMTypeOf(from)) == 1 ? from : NULL;
}

static LLVMBuilderRef builder_before(LLVMValueRef i) {
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(i)));
    LLVMPositionBuilderBefore(b, i);
    return b;
}

/* Repairs a bool: the object is one if the value was extended from a bit. The bit read first is replaced by the exchanged one, too. */
static void repair_bool(LLVMValueRef exchange, LLVMValueRef seen) {
    LLVMValueRef bit = NULL, value = LLVMGetOperand(exchange, 2);
    for (unsigned k = 0; k < 2; k++)
        if (LLVMGetIncomingBlock(seen, k) != LLVMGetInstructionParent(seen)) bit = bit_of(LLVMGetIncomingValue(seen, k));
    if (!bit) return;
    LLVMValueRef whole = LLVMIsATruncInst(value) ? LLVMGetOperand(value, 0) : value;
    LLVMBuilderRef b = builder_before(exchange);
    if (!bit_of(value)) {
        LLVMValueRef is = LLVMBuildICmp(b, LLVMIntNE, whole, LLVMConstNull(LLVMTypeOf(whole)), "");
        LLVMSetOperand(exchange, 2, LLVMBuildZExt(b, is, LLVMTypeOf(value), ""));
    }
    LLVMValueRef now = LLVMBuildTrunc(b, seen, LLVMTypeOf(bit), "");
    for (LLVMUseRef u = LLVMGetFirstUse(bit), next; u; u = next) {
        next = LLVMGetNextUse(u);
        LLVMValueRef user = LLVMGetUser(u);
        if (LLVMIsAZExtInst(user) && LLVMGetInstructionParent(user) == LLVMGetInstructionParent(bit)) continue; /* for the loop */
        for (int i = 0; i < LLVMGetNumOperands(user); i++)
            if (LLVMGetOperand(user, (unsigned)i) == bit) LLVMSetOperand(user, (unsigned)i, now);
    }
    LLVMDisposeBuilder(b);
}

static void repair(LLVMValueRef i) {
    LLVMValueRef seen = LLVMIsAAtomicCmpXchgInst(i) ? seen_by(i) : NULL;
    if (!seen) return;
    repair_result(seen);
    if (LLVMGetTypeKind(LLVMTypeOf(seen)) == LLVMIntegerTypeKind) repair_bool(i, seen);
}

void repair_atomics(LLVMModuleRef m) {
    for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) repair(i);
}

void name_checks(LLVMModuleRef m) {
    static const char prefix[] = "__ubsan_handle_", division[] = "divrem";
    for (LLVMValueRef f = LLVMGetFirstFunction(m), next; f; f = next) {
        next = LLVMGetNextFunction(f);
        const char *name = LLVMGetValueName(f);
        if (!LLVMIsDeclaration(f) || strncmp(name, prefix, sizeof prefix - 1)) continue;
        const char *ours = strncmp(name + sizeof prefix - 1, division, sizeof division - 1) ? UNDEFINED_SUM : UNDEFINED_DIVISION;
        LLVMValueRef to = LLVMGetNamedFunction(m, ours);
        if (!to) to = LLVMAddFunction(m, ours, LLVMGlobalGetValueType(f));
        LLVMReplaceAllUsesWith(f, to);
        LLVMDeleteFunction(f);
    }
}
