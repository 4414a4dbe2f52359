/* SPDX-License-Identifier: Apache-2.0 */
/* Names the cleanup handlers of pthread_cleanup_push and pthread_cleanup_pop, macros that make a buffer, two variables for the routine
   and its argument, and this code:

         if (__sigsetjmp(buffer, 0)) { routine(argument); __pthread_unwind_next(&buffer); }
         __pthread_register_cancel(&buffer); … __pthread_unregister_cancel(&buffer);

   The C library lets __sigsetjmp return a second time in a thread that ends. Here it returns once, and a thread that ends calls the
   handlers that were pushed. So the routine that is called before __pthread_unwind_next is pushed where the same buffer is registered. */
#include "front/cleanup.h"
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

typedef struct Handler {
    LLVMValueRef routine, argument; /* the variables that hold them */
} Handler;

static bool is_debug(LLVMValueRef i) { return LLVMIsACallInst(i) && !strncmp(LLVMGetValueName(LLVMGetCalledValue(i)), "llvm.dbg.", 9); }

/* Returns the variable that the value was read from in this block, or NULL. */
static LLVMValueRef variable_of(LLVMValueRef v, LLVMBasicBlockRef block) {
    if (!LLVMIsALoadInst(v) || LLVMGetInstructionParent(v) != block) return NULL;
    return LLVMIsAAllocaInst(LLVMGetOperand(v, 0));
}

/* Finds the handler that is called before the call of __pthread_unwind_next. */
static bool handler_before(LLVMValueRef unwind, Handler *h) {
    LLVMValueRef call = LLVMGetPreviousInstruction(unwind);
    while (call && is_debug(call)) call = LLVMGetPreviousInstruction(call);
    if (!call || !LLVMIsACallInst(call) || LLVMGetNumArgOperands(call) != 1) return false;
    LLVMBasicBlockRef block = LLVMGetInstructionParent(call);
    h->routine = variable_of(LLVMGetCalledValue(call), block);
    h->argument = variable_of(LLVMGetOperand(call, 0), block);
    return h->routine && h->argument;
}

static bool is_call_of(LLVMValueRef user, LLVMValueRef function) {
    return function && LLVMIsACallInst(user) && LLVMGetCalledValue(user) == function && LLVMGetNumArgOperands(user) == 1;
}

/* Finds the handler that belongs to a buffer, which must be a variable. */
static bool handler_of(LLVMModuleRef m, LLVMValueRef buffer, Handler *h) {
    LLVMValueRef unwind = LLVMGetNamedFunction(m, "__pthread_unwind_next");
    if (!LLVMIsAAllocaInst(buffer)) return false;
    for (LLVMUseRef u = LLVMGetFirstUse(buffer); u; u = LLVMGetNextUse(u))
        if (is_call_of(LLVMGetUser(u), unwind)) return handler_before(LLVMGetUser(u), h);
    return false;
}

void build_model_call(LLVMModuleRef m, LLVMBuilderRef b, const char *name, LLVMValueRef *arguments, unsigned n) {
    LLVMContextRef c = LLVMGetModuleContext(m);
    LLVMTypeRef pointer = LLVMPointerTypeInContext(c, 0), types[] = {pointer, pointer};
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(c), types, n, false);
    LLVMValueRef function = LLVMGetNamedFunction(m, name);
    if (!function) function = LLVMAddFunction(m, name, type);
    LLVMBuildCall2(b, type, function, arguments, n, "");
}

static void replace(LLVMModuleRef m, LLVMValueRef call, const Handler *h) {
    LLVMContextRef c = LLVMGetModuleContext(m);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(c);
    LLVMPositionBuilderBefore(b, call);
    if (h) {
        LLVMTypeRef pointer = LLVMPointerTypeInContext(c, 0);
        LLVMValueRef arguments[] = {LLVMBuildLoad2(b, pointer, h->routine, ""), LLVMBuildLoad2(b, pointer, h->argument, "")};
        build_model_call(m, b, "__heddle_push_cleanup", arguments, 2);
    } else {
        build_model_call(m, b, "__heddle_pop_cleanup", NULL, 0);
    }
    LLVMDisposeBuilder(b);
    LLVMInstructionEraseFromParent(call);
}

static void replace_pops(LLVMModuleRef m, LLVMValueRef buffer) {
    LLVMValueRef pop = LLVMGetNamedFunction(m, "__pthread_unregister_cancel");
    for (LLVMUseRef u = LLVMGetFirstUse(buffer), next; u; u = next) {
        next = LLVMGetNextUse(u);
        if (is_call_of(LLVMGetUser(u), pop)) replace(m, LLVMGetUser(u), NULL);
    }
}

void name_cleanups(LLVMModuleRef m) {
    LLVMValueRef push = LLVMGetNamedFunction(m, "__pthread_register_cancel");
    if (!push || !LLVMIsDeclaration(push)) return;
    for (LLVMUseRef u = LLVMGetFirstUse(push), next; u; u = next) {
        next = LLVMGetNextUse(u);
        LLVMValueRef call = LLVMGetUser(u), buffer = is_call_of(call, push) ? LLVMGetOperand(call, 0) : NULL;
        Handler h;
        if (!buffer || !handler_of(m, buffer, &h)) continue;
        replace(m, call, &h);
        replace_pops(m, buffer);
    }
}
