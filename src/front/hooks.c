/* SPDX-License-Identifier: Apache-2.0 */
/* Runs functions before and after main: __attribute__((constructor)) and __attribute__((destructor)).

   Constructors run by ascending priority, and for equal priority in the order of the files and of the functions in a file. Destructors
   run in the opposite order, after the functions that were given to atexit. */
#include "front/lower.h"
#include "front/messages.h"
#include <stdlib.h>

typedef struct Hook {
    unsigned long long priority;
    size_t place;
    LLVMValueRef function;
} Hook;

static int before(const void *a, const void *b) {
    const Hook *x = a, *y = b;
    if (x->priority != y->priority) return x->priority < y->priority ? -1 : 1;
    return x->place < y->place ? -1 : x->place > y->place;
}

static LLVMValueRef list_of(const Front *f, const char *name) {
    LLVMValueRef list = LLVMGetNamedGlobal(f->module, name), value = list ? LLVMGetInitializer(list) : NULL;
    return value && LLVMIsAConstantArray(value) ? value : NULL;
}

static Hook *hooks_of(const Front *f, const char *name) {
    LLVMValueRef list = list_of(f, name);
    Hook *hooks = NULL;
    for (int i = 0; list && i < LLVMGetNumOperands(list); i++) {
        LLVMValueRef entry = LLVMGetOperand(list, (unsigned)i);
        Hook h = {LLVMConstIntGetZExtValue(LLVMGetOperand(entry, 0)), (size_t)i, LLVMIsAFunction(LLVMGetOperand(entry, 1))};
        vec_push(hooks, h);
    }
    if (hooks) qsort(hooks, vec_len(hooks), sizeof *hooks, before);
    return hooks;
}

LLVMValueRef *hook_functions(const Front *f, bool at_end) {
    Hook *hooks = hooks_of(f, at_end ? "llvm.global_dtors" : "llvm.global_ctors");
    LLVMValueRef *functions = NULL;
    for (size_t n = vec_len(hooks), i = 0; i < n; i++) vec_push(functions, hooks[at_end ? n - 1 - i : i].function);
    vec_free(hooks);
    return functions;
}

/* Runs one function. The C library passes main's arguments to constructors; one that takes them is not modelled. */
static void run_hook(Lower *l, LLVMValueRef function, const char *what) {
    if (l->cursor.dead) return;
    if (!function || LLVMIsDeclaration(function) || LLVMCountParams(function)) emit_stop(l, APPROX_UNSUPPORTED, "%s", what);
    else if (!activations(l, function_info(l->front, function)))
        enter_model(l, function, NULL, 0); /* a call of exit in a destructor is undefined */
}

void run_constructors(Lower *l) {
    Hook *hooks = hooks_of(l->front, "llvm.global_ctors");
    for (size_t i = 0; i < vec_len(hooks); i++) run_hook(l, hooks[i].function, MSG_FRONT_HOOK_BEFORE);
    vec_free(hooks);
}

void run_destructors(Lower *l) {
    Hook *hooks = hooks_of(l->front, "llvm.global_dtors");
    for (size_t i = vec_len(hooks); i-- > 0;) run_hook(l, hooks[i].function, MSG_FRONT_HOOK_AFTER);
    vec_free(hooks);
}

bool has_destructors(const Front *f) { return list_of(f, "llvm.global_dtors"); }
