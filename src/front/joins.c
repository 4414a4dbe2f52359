/* SPDX-License-Identifier: Apache-2.0 */
/* Analyses the thread that a join waits for: whether it may be the joining thread itself, or one that is detached or was joined. */
#include "front/module.h"
#include <string.h>

static bool is_call_of(Front *f, LLVMValueRef i, const char *a, const char *b) {
    const char *name = library_name(f, i);
    return !strcmp(name, a) || !strcmp(name, b);
}

/* True if a variable of the function holds only numbers of threads that the function creates. */
static bool holds_created(Front *f, LLVMValueRef place, unsigned depth) {
    if (depth == 0 && !LLVMIsAAllocaInst(place)) return false;
    for (LLVMUseRef u = LLVMGetFirstUse(place); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (LLVMIsALoadInst(user) || (LLVMIsAGetElementPtrInst(user) && holds_created(f, user, depth + 1))) continue;
        if (!is_call_of(f, user, "pthread_create", "thrd_create") || LLVMGetOperand(user, 0) != place) return false;
        for (unsigned i = 1; i < LLVMGetNumArgOperands(user); i++)
            if (LLVMGetOperand(user, i) == place) return false;
    }
    return true;
}

/* Main was not created, so it can join itself only if it asks for its own number. */
bool may_join_itself(Lower *l, LLVMValueRef call) {
    if (l->template_->index == 0 && !program_uses(l->front, "pthread_self") && !program_uses(l->front, "thrd_current")) return false;
    LLVMValueRef thread = LLVMGetNumArgOperands(call) ? LLVMGetOperand(call, 0) : NULL;
    if (!thread || !LLVMIsALoadInst(thread)) return true;
    LLVMValueRef place = LLVMGetOperand(thread, 0);
    while (LLVMIsAGetElementPtrInst(place)) place = LLVMGetOperand(place, 0);
    return !holds_created(l->front, place, 0);
}

/* Main is lowered first, so it is known whether it ends its thread. */
unsigned awaited_main(Lower *l) {
    if (!program_uses(l->front, "pthread_self") && !program_uses(l->front, "thrd_current")) return 0;
    if (l->template_->index == 0) return IS_MAIN;
    const Template *t = l->program->templates[0];
    for (size_t i = 0; i < vec_len(t->locations); i++)
        if (t->locations[i].kind == LOCATION_END) return MAIN_LEAVES;
    return 0;
}

/* ---- threads that no other thread may wait for ---- */

/* Returns the variable that the thread's number is read from if it only ever holds such numbers, else NULL. */
static LLVMValueRef origin(Front *f, LLVMValueRef call) {
    LLVMValueRef thread = LLVMGetNumArgOperands(call) ? LLVMGetOperand(call, 0) : NULL;
    if (!thread || !LLVMIsALoadInst(thread)) return NULL;
    LLVMValueRef place = LLVMGetOperand(thread, 0);
    while (LLVMIsAGetElementPtrInst(place)) place = LLVMGetOperand(place, 0);
    return holds_created(f, place, 0) ? place : NULL;
}

LLVMValueRef *calls_of(Front *f, const char *name, bool *other) {
    LLVMValueRef function = LLVMGetNamedFunction(f->module, name), *calls = NULL;
    for (LLVMUseRef u = function ? LLVMGetFirstUse(function) : NULL; u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (!LLVMIsACallInst(user) || LLVMGetCalledValue(user) != function) *other = true;
        else if (!function_info(f, LLVMGetBasicBlockParent(LLVMGetInstructionParent(user)))->model) vec_push(calls, user);
    }
    return calls;
}

/* True if some call detaches a thread whose number the variable may hold. */
static bool detaches(Front *f, const char *name, LLVMValueRef variable) {
    bool found = false;
    LLVMValueRef *calls = calls_of(f, name, &found);
    for (size_t i = 0; i < vec_len(calls) && !found; i++) {
        LLVMValueRef other = origin(f, calls[i]);
        found = !other || !variable || other == variable;
    }
    vec_free(calls);
    return found;
}

/* True if some call creates a detached thread whose number the variable may hold. */
static bool creates_detached(Front *f, LLVMValueRef variable) {
    if (!program_uses(f, "pthread_attr_setdetachstate")) return false;
    bool found = !variable;
    LLVMValueRef *calls = calls_of(f, "pthread_create", &found);
    for (size_t i = 0; i < vec_len(calls) && !found; i++) {
        LLVMValueRef place = LLVMGetOperand(calls[i], 0);
        while (LLVMIsAGetElementPtrInst(place)) place = LLVMGetOperand(place, 0);
        found = place == variable && !LLVMIsAConstantPointerNull(LLVMGetOperand(calls[i], 1));
    }
    vec_free(calls);
    return found;
}

/* True if the thread whose number a variable holds is joined in more places than it is created in. Arrays are excluded, since their
   elements are not distinguished. */
static bool joins_twice(Front *f, LLVMValueRef variable) {
    unsigned created = 0, joined = 0;
    if (!variable || LLVMGetTypeKind(LLVMGetAllocatedType(variable)) != LLVMIntegerTypeKind) return false;
    for (LLVMUseRef u = LLVMGetFirstUse(variable); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        created += is_call_of(f, user, "pthread_create", "thrd_create");
        for (LLVMUseRef v = LLVMIsALoadInst(user) ? LLVMGetFirstUse(user) : NULL; v; v = LLVMGetNextUse(v))
            joined += is_call_of(f, LLVMGetUser(v), "pthread_join", "thrd_join");
    }
    return joined > created;
}

static bool may_join_in_vain(Front *f, LLVMValueRef call) {
    LLVMValueRef variable = origin(f, call);
    return joins_twice(f, variable) || detaches(f, "pthread_detach", variable) || detaches(f, "thrd_detach", variable) ||
           creates_detached(f, variable);
}

static bool some_join_in_vain(Front *f) {
    if (f->join_in_vain_known) return f->join_in_vain_known == 2;
    bool found = false;
    static const char *const joins[] = {"pthread_join", "thrd_join"};
    for (size_t k = 0; k < sizeof joins / sizeof *joins && !found; k++) {
        LLVMValueRef *calls = calls_of(f, joins[k], &found);
        for (size_t i = 0; i < vec_len(calls) && !found; i++) found = may_join_in_vain(f, calls[i]);
        vec_free(calls);
    }
    f->join_in_vain_known = found ? 2 : 1;
    return found;
}

PropertySet joins_in_vain(Front *f, LLVMValueRef call) {
    bool once = call ? may_join_in_vain(f, call) : some_join_in_vain(f);
    return (may_take_again(f, call) ? FOR_MEMORY : 0) | (once ? FOR_ALL & ~FOR_MEMORY : 0);
}
