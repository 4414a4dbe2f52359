/* SPDX-License-Identifier: Apache-2.0 */
/* May a mutex be used that was destroyed? Then it is marked where that is done; a mark is a write, for which most programs that tidy up before they end have no need:
   main destroys after it has joined all, and calls nothing more that could use one. */
#include "front/module.h"
#include <string.h>

static const char *const destroyers[] = {"pthread_mutex_destroy", "mtx_destroy"};

static const char *called(LLVMValueRef i) {
    LLVMValueRef callee = LLVMIsACallInst(i) ? strip_alias(LLVMGetCalledValue(i)) : NULL;
    if (!callee) return NULL;
    return LLVMIsAFunction(callee) ? LLVMGetValueName(callee) : "";
}

/* A call that surely uses no mutex of the program. */
static bool is_harmless(const char *name) {
    static const char *const words[] = {"_destroy", "llvm.", "printf", "free", "puts", "exit", "abort", "__assert_fail", "reach_error"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strstr(name, words[i])) return true;
    return false;
}

static bool is_last_use(LLVMValueRef destroys) {
    Map *seen = map_new();
    LLVMValueRef *work = NULL;
    bool last = true;
    vec_push(work, LLVMGetNextInstruction(destroys));
    while (vec_len(work) && last) {
        for (LLVMValueRef i = vec_pop(work); i && last; i = LLVMGetNextInstruction(i)) {
            const char *name = called(i);
            last = i != destroys && (!name || is_harmless(name));
            for (unsigned k = 0; LLVMIsATerminatorInst(i) && k < LLVMGetNumSuccessors(i); k++) {
                LLVMBasicBlockRef to = LLVMGetSuccessor(i, k);
                if (map_get(seen, map_key(to), NULL)) continue;
                map_put(seen, map_key(to), 1);
                vec_push(work, LLVMGetFirstInstruction(to));
            }
        }
    }
    map_free(seen);
    vec_free(work);
    return last;
}

static unsigned count_calls(Front *f, const char *name) {
    unsigned n = 0;
    LLVMValueRef function = LLVMGetNamedFunction(f->module, name);
    for (LLVMUseRef u = function ? LLVMGetFirstUse(function) : NULL; u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        n += !LLVMIsAInstruction(user) || !function_info(f, LLVMGetBasicBlockParent(LLVMGetInstructionParent(user)))->model;
    }
    return n;
}

/* All calls by the program are the last that main does with a mutex? */
static bool destroys_last(Front *f, const char *name) {
    LLVMValueRef function = LLVMGetNamedFunction(f->module, name);
    for (LLVMUseRef u = function ? LLVMGetFirstUse(function) : NULL; u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (!LLVMIsACallInst(user) || LLVMGetCalledValue(user) != function) return false;
        LLVMValueRef in = LLVMGetBasicBlockParent(LLVMGetInstructionParent(user));
        if (function_info(f, in)->model) continue;
        if (strcmp(LLVMGetValueName(in), "main") || !is_last_use(user)) return false;
    }
    return true;
}

bool may_use_destroyed(Front *f) {
    unsigned created = count_calls(f, "pthread_create") + count_calls(f, "thrd_create");
    if (created > count_calls(f, "pthread_join") + count_calls(f, "thrd_join")) return true;
    for (size_t i = 0; i < sizeof destroyers / sizeof *destroyers; i++)
        if (!destroys_last(f, destroyers[i])) return true;
    return false;
}
