/* SPDX-License-Identifier: Apache-2.0 */
/* Finds calls that join or detach a thread which no other call takes, and which take another thread each time.

   Where this is asked (valid-memsafety), the models keep a list of the threads that were joined or detached (model/threads.c), which is
   costly. The calls found here need not use the list. All these conditions must hold:
   - the program calls the functions that take threads only directly, and every detached thread is detached by such a call;
   - the thread's number is in a variable, or an element of an array, that is never copied;
   - no path leads from one join of it to another without a pthread_create between them, unless they are of different elements;
   - all joins through a global variable are in one function that runs once. */
#include "front/module.h"
#include <string.h>

static const char *const takers[] = {"pthread_join", "thrd_join",          "pthread_detach",
                                     "thrd_detach",  "pthread_tryjoin_np", "pthread_timedjoin_np"};
enum { TAKERS = sizeof takers / sizeof *takers, DEEPEST = 8 };

static bool is_among(const char *name, const char *const *names, size_t n) {
    for (size_t k = 0; k < n; k++)
        if (!strcmp(name, names[k])) return true;
    return false;
}

static bool is_creation(Front *f, LLVMValueRef i) {
    const char *name = library_name(f, i);
    return !strcmp(name, "pthread_create") || !strcmp(name, "thrd_create");
}

static bool is_marker(Front *f, LLVMValueRef i) { return !strncmp(library_name(f, i), "llvm.lifetime.", 14); }

static LLVMValueRef function_around(LLVMValueRef i) { return LLVMGetBasicBlockParent(LLVMGetInstructionParent(i)); }

/* ---- ways ---- */

typedef bool Stops(Front *, LLVMValueRef instruction, LLVMValueRef variable);

static LLVMValueRef base_of(LLVMValueRef place) {
    while (LLVMIsAGetElementPtrInst(place) || (LLVMIsAConstantExpr(place) && LLVMGetConstOpcode(place) == LLVMGetElementPtr))
        place = LLVMGetOperand(place, 0);
    if (!LLVMIsALoadInst(place)) return place;
    LLVMValueRef holder = LLVMGetOperand(place, 0); /* holds the address of an array on the heap */
    return LLVMIsAAllocaInst(holder) || LLVMIsAGlobalVariable(holder) ? holder : place;
}

/* A call that may fail leaves the old number in the variable. */
static bool creates_into(Front *f, LLVMValueRef i, LLVMValueRef variable) {
    return is_creation(f, i) && LLVMGetOperand(i, 0) == variable && !f->options->may_fail;
}
static bool stores_to(Front *f, LLVMValueRef i, LLVMValueRef variable) {
    return (void)f, LLVMIsAStoreInst(i) && LLVMGetOperand(i, 1) == variable;
}
static bool is_itself(Front *f, LLVMValueRef i, LLVMValueRef variable) { return (void)f, i == variable; }
static bool never(Front *f, LLVMValueRef i, LLVMValueRef variable) { return (void)f, (void)i, (void)variable, false; }

/* Searches from the instruction to the end of its block. Returns 1 if it finds `to`, -1 if some instruction stops the search, else 0. */
static int meets(Front *f, LLVMValueRef i, LLVMValueRef to, Stops *stops, LLVMValueRef variable) {
    for (; i; i = LLVMGetNextInstruction(i)) {
        if (i == to) return 1;
        if (stops(f, i, variable)) return -1;
    }
    return 0;
}

/* True if a path leads from one instruction to another of the same function without an instruction that stops it. */
static bool leads(Front *f, LLVMValueRef from, LLVMValueRef to, Stops *stops, LLVMValueRef variable) {
    LLVMBasicBlockRef *todo = NULL;
    Map *seen = map_new();
    int met = meets(f, LLVMGetNextInstruction(from), to, stops, variable);
    if (met == 0) vec_push(todo, LLVMGetInstructionParent(from));
    while (vec_len(todo) && met != 1) {
        LLVMValueRef last = LLVMGetBasicBlockTerminator(vec_pop(todo));
        for (unsigned k = 0; k < LLVMGetNumSuccessors(last) && met != 1; k++) {
            LLVMBasicBlockRef next = LLVMGetSuccessor(last, k);
            if (map_get(seen, map_key(next), NULL)) continue;
            map_put(seen, map_key(next), 1);
            met = meets(f, LLVMGetFirstInstruction(next), to, stops, variable);
            if (met == 0) vec_push(todo, next);
        }
    }
    map_free(seen);
    vec_free(todo);
    return met == 1;
}

/* ---- variables with numbers of threads ---- */

/* True if the number is not copied, only compared or passed to a function of the library that does not return or keep it. */
static bool number_stays(Front *f, LLVMValueRef number) {
    static const char *const users[] = {"pthread_equal",
                                        "thrd_equal",
                                        "pthread_kill",
                                        "pthread_cancel",
                                        "pthread_setname_np",
                                        "pthread_getname_np",
                                        "pthread_setaffinity_np",
                                        "pthread_getaffinity_np",
                                        "pthread_setschedparam",
                                        "pthread_getattr_np",
                                        "pthread_getschedparam",
                                        "pthread_setschedprio",
                                        "pthread_getcpuclockid",
                                        "printf",
                                        "fprintf"};
    if (LLVMGetTypeKind(LLVMTypeOf(number)) != LLVMIntegerTypeKind) return false;
    for (LLVMUseRef u = LLVMGetFirstUse(number); u; u = LLVMGetNextUse(u)) {
        const char *name = library_name(f, LLVMGetUser(u));
        if (is_among(name, takers, TAKERS) || is_among(name, users, sizeof users / sizeof *users)) continue;
        if (!LLVMIsAICmpInst(LLVMGetUser(u))) return false;
    }
    return true;
}

static bool is_allocation(Front *f, LLVMValueRef v) {
    return !strcmp(library_name(f, v), "malloc") || !strcmp(library_name(f, v), "calloc");
}

/* True if only calls of the library store numbers at the place, and no other code knows it. holder: it holds the address of an array on
   the heap. */
static bool place_stays(Front *f, LLVMValueRef place, bool holder, unsigned depth) {
    if (depth > DEEPEST) return false;
    for (LLVMUseRef u = LLVMGetFirstUse(place); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        const char *name = library_name(f, user);
        bool step = LLVMIsAGetElementPtrInst(user) || (LLVMIsAConstantExpr(user) && LLVMGetConstOpcode(user) == LLVMGetElementPtr);
        if (step && !holder) {
            if (!place_stays(f, user, false, depth + 1)) return false;
        } else if (LLVMIsALoadInst(user)) {
            if (holder ? !place_stays(f, user, false, depth + 1) : !number_stays(f, user)) return false;
        } else if (LLVMIsAStoreInst(user)) {
            LLVMValueRef value = LLVMGetOperand(user, 0);
            if (value == place || !(LLVMIsNull(value) || (holder && is_allocation(f, value)))) return false;
        } else if (is_creation(f, user)) {
            for (unsigned i = holder ? 0 : 1; i < LLVMGetNumArgOperands(user); i++)
                if (LLVMGetOperand(user, i) == place) return false;
        } else if (strncmp(name, "llvm.lifetime.", 14) && strncmp(name, "llvm.memset.", 12) && strcmp(name, "free") &&
                   !LLVMIsAICmpInst(user))
            return false;
    }
    return true;
}

static bool variable_stays(Front *f, LLVMValueRef v) {
    LLVMTypeRef type = LLVMIsAAllocaInst(v) ? LLVMGetAllocatedType(v) : LLVMIsAGlobalVariable(v) ? LLVMGlobalGetValueType(v) : NULL;
    if (!type) return false;
    if (LLVMIsAGlobalVariable(v) && (LLVMIsDeclaration(v) || LLVMIsThreadLocal(v) || !LLVMIsNull(LLVMGetInitializer(v)))) return false;
    return place_stays(f, v, LLVMGetTypeKind(type) == LLVMPointerTypeKind, 0);
}

/* ---- different elements ---- */

static LLVMValueRef place_of(LLVMValueRef taker) { return LLVMGetOperand(LLVMGetOperand(taker, 0), 0); }

/* True for different constant places of one variable. */
static bool are_apart(LLVMValueRef a, LLVMValueRef b) {
    unsigned n = (unsigned)LLVMGetNumOperands(a);
    if (!LLVMIsAGetElementPtrInst(a) || !LLVMIsAGetElementPtrInst(b) || LLVMGetGEPSourceElementType(a) != LLVMGetGEPSourceElementType(b))
        return LLVMIsAConstant(a) && LLVMIsAConstant(b) && a != b;
    if ((unsigned)LLVMGetNumOperands(b) != n || LLVMIsAGetElementPtrInst(LLVMGetOperand(a, 0)) ||
        LLVMIsAGetElementPtrInst(LLVMGetOperand(b, 0)))
        return false;
    bool differ = false;
    for (unsigned i = 1; i < n; i++) {
        LLVMValueRef x = LLVMGetOperand(a, i), y = LLVMGetOperand(b, i);
        if (!LLVMIsAConstantInt(x) || !LLVMIsAConstantInt(y)) return false;
        differ |= LLVMConstIntGetSExtValue(x) != LLVMConstIntGetSExtValue(y);
    }
    return differ;
}

/* ---- indices that move on ---- */

/* An index takes steps by 1 that do not wrap around as a signed number, or as an unsigned one. With both kinds, it may come back. */
typedef enum Step { STEP_NONE, UP_SIGNED, UP_UNSIGNED, DOWN_SIGNED, DOWN_UNSIGNED } Step;

/* True if the value is read from the variable, and has not changed when the same block comes to the instruction. */
static bool is_present(Front *f, LLVMValueRef value, LLVMValueRef variable, LLVMValueRef at) {
    if (!LLVMIsALoadInst(value) || LLVMGetOperand(value, 0) != variable) return false;
    return LLVMGetInstructionParent(value) == LLVMGetInstructionParent(at) && meets(f, value, at, stores_to, variable) == 1;
}

/* Returns the step that cannot wrap around where the comparison of the variable's value with another one is true. */
static Step allowed(LLVMIntPredicate p) {
    switch (p) {
    case LLVMIntSLT: return UP_SIGNED;
    case LLVMIntULT: return UP_UNSIGNED;
    case LLVMIntSGT: return DOWN_SIGNED;
    case LLVMIntUGT: return DOWN_UNSIGNED;
    default: return STEP_NONE;
    }
}

/* Returns the step of the variable that cannot wrap around at the start of this block, by the branch that leads there. */
static Step guarded_step(Front *f, LLVMBasicBlockRef block, LLVMValueRef variable) {
    LLVMValueRef branch = NULL;
    for (LLVMUseRef u = LLVMGetFirstUse(LLVMBasicBlockAsValue(block)); u; u = LLVMGetNextUse(u)) {
        if (branch || !LLVMIsABranchInst(LLVMGetUser(u))) return STEP_NONE;
        branch = LLVMGetUser(u);
    }
    if (!branch || !LLVMIsConditional(branch) || LLVMGetSuccessor(branch, 0) != block) return STEP_NONE;
    LLVMValueRef test = LLVMIsAICmpInst(LLVMGetCondition(branch));
    return test && is_present(f, LLVMGetOperand(test, 0), variable, branch) ? allowed(LLVMGetICmpPredicate(test)) : STEP_NONE;
}

static bool guards_as(Front *f, LLVMValueRef i, LLVMValueRef variable, Step step) {
    LLVMBasicBlockRef block = LLVMGetInstructionParent(i);
    return LLVMGetFirstInstruction(block) == i && guarded_step(f, block, variable) == step;
}
static bool guards_up_signed(Front *f, LLVMValueRef i, LLVMValueRef v) { return guards_as(f, i, v, UP_SIGNED); }
static bool guards_up_unsigned(Front *f, LLVMValueRef i, LLVMValueRef v) { return guards_as(f, i, v, UP_UNSIGNED); }
static bool guards_down_signed(Front *f, LLVMValueRef i, LLVMValueRef v) { return guards_as(f, i, v, DOWN_SIGNED); }
static bool guards_down_unsigned(Front *f, LLVMValueRef i, LLVMValueRef v) { return guards_as(f, i, v, DOWN_UNSIGNED); }

/* True if every way from a store to the variable to this one leads through such a guard. */
static bool is_guarded(Front *f, LLVMValueRef store, LLVMValueRef variable, Stops *guard) {
    for (LLVMUseRef u = LLVMGetFirstUse(variable); u; u = LLVMGetNextUse(u))
        if (stores_to(f, LLVMGetUser(u), variable) && leads(f, LLVMGetUser(u), store, guard, variable)) return false;
    return true;
}

/* Returns the step if the store sets i to i + 1 or i - 1 without wrapping around. */
static Step step_of(Front *f, LLVMValueRef store, LLVMValueRef variable) {
    LLVMValueRef sum = LLVMIsABinaryOperator(LLVMGetOperand(store, 0));
    LLVMOpcode op = sum ? LLVMGetInstructionOpcode(sum) : LLVMRet;
    if (op != LLVMAdd && op != LLVMSub) return STEP_NONE;
    LLVMValueRef old = LLVMGetOperand(sum, 0), by = LLVMGetOperand(sum, 1);
    if (!is_present(f, old, variable, store) || !LLVMIsAConstantInt(by)) return STEP_NONE;
    long long c = LLVMConstIntGetSExtValue(by) * (op == LLVMSub ? -1 : 1);
    if (c != 1 && c != -1) return STEP_NONE;
    if (LLVMGetNSW(sum)) return c > 0 ? UP_SIGNED : DOWN_SIGNED; /* the overflow of a signed number is undefined */
    if (is_guarded(f, store, variable, c > 0 ? guards_up_signed : guards_down_signed)) return c > 0 ? UP_SIGNED : DOWN_SIGNED;
    if (is_guarded(f, store, variable, c > 0 ? guards_up_unsigned : guards_down_unsigned)) return c > 0 ? UP_UNSIGNED : DOWN_UNSIGNED;
    return STEP_NONE;
}

/* True if the variable always grows, or always shrinks, between two reads. */
static bool moves_on(Front *f, LLVMValueRef read) {
    LLVMValueRef variable = LLVMGetOperand(read, 0);
    Step all = STEP_NONE;
    if (!LLVMIsAAllocaInst(variable) || leads(f, read, read, stores_to, variable)) return false;
    for (LLVMUseRef u = LLVMGetFirstUse(variable); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (LLVMIsALoadInst(user) || is_marker(f, user)) continue;
        if (!stores_to(f, user, variable) || LLVMGetOperand(user, 0) == variable) return false;
        if (!leads(f, read, user, never, NULL) || !leads(f, user, read, never, NULL)) continue;
        Step step = step_of(f, user, variable);
        if (step == STEP_NONE || (all != STEP_NONE && step != all)) return false;
        all = step;
    }
    return true;
}

/* True if each execution takes another element a[i], since i moves on. */
static bool takes_another(Front *f, LLVMValueRef taker) {
    LLVMValueRef place = place_of(taker);
    unsigned n = LLVMIsAGetElementPtrInst(place) ? (unsigned)LLVMGetNumOperands(place) : 0;
    if (n < 2 || LLVMIsAGetElementPtrInst(LLVMGetOperand(place, 0))) return false;
    for (unsigned i = 1; i + 1 < n; i++)
        if (!LLVMIsAConstantInt(LLVMGetOperand(place, i))) return false;
    LLVMValueRef index = LLVMGetOperand(place, n - 1);
    if (LLVMIsASExtInst(index) || LLVMIsAZExtInst(index)) index = LLVMGetOperand(index, 0);
    return LLVMIsALoadInst(index) && !leads(f, taker, taker, is_itself, index) && moves_on(f, index);
}

/* ---- answers ---- */

typedef struct Taking {
    LLVMValueRef call, variable; /* NULL if the source of the number is unknown */
} Taking;

static LLVMValueRef variable_of(Front *f, LLVMValueRef taker) {
    LLVMValueRef number = LLVMGetNumArgOperands(taker) ? LLVMGetOperand(taker, 0) : NULL;
    if (!number || !LLVMIsALoadInst(number)) return NULL;
    LLVMValueRef variable = base_of(LLVMGetOperand(number, 0));
    return variable_stays(f, variable) ? variable : NULL;
}

/* Returns a vec of the program's calls that take threads. Sets *other if the program also uses these functions in another way. */
static Taking *list_takings(Front *f, bool *other) {
    Taking *list = NULL;
    for (unsigned k = 0; k < TAKERS; k++) {
        LLVMValueRef *calls = calls_of(f, takers[k], other);
        for (size_t i = 0; i < vec_len(calls); i++) vec_push(list, ((Taking){calls[i], variable_of(f, calls[i])}));
        vec_free(calls);
    }
    return list;
}

static bool is_scalar(LLVMValueRef v) {
    LLVMTypeRef type = LLVMIsAAllocaInst(v) ? LLVMGetAllocatedType(v) : LLVMGlobalGetValueType(v);
    bool many = LLVMIsAAllocaInst(v) && !LLVMIsAConstantInt(LLVMGetOperand(v, 0)); /* a variable-length array */
    return !many && LLVMGetTypeKind(type) == LLVMIntegerTypeKind;
}

/* True if b may take, after a, the same thread. */
static bool may_follow(Front *f, const Taking *a, const Taking *b) {
    if (function_around(a->call) != function_around(b->call)) return true;
    if (!leads(f, a->call, b->call, is_scalar(a->variable) ? creates_into : never, a->variable)) return false;
    return a->call == b->call ? !takes_another(f, a->call) : !are_apart(place_of(a->call), place_of(b->call));
}

static bool is_taken_once(Front *f, const Taking *list, const Taking *t) {
    if (!t->variable) return false;
    if (LLVMIsAGlobalVariable(t->variable) && !runs_once(f, function_around(t->call), 0)) return false;
    for (size_t i = 0; i < vec_len(list); i++)
        if (list[i].variable == t->variable && (may_follow(f, t, &list[i]) || may_follow(f, &list[i], t))) return false;
    return true;
}

/* True for a thread that detaches itself once, in a start function that is never called. */
static bool detaches_itself(Front *f, const Taking *t) {
    LLVMValueRef number = LLVMGetNumArgOperands(t->call) ? LLVMGetOperand(t->call, 0) : NULL, function = function_around(t->call);
    const char *name = library_name(f, t->call), *source = number ? library_name(f, number) : "";
    if (strcmp(source, "pthread_self") && strcmp(source, "thrd_current")) return false;
    if (strcmp(name, "pthread_detach") && strcmp(name, "thrd_detach")) return false;
    if (leads(f, t->call, t->call, never, NULL)) return false;
    for (LLVMUseRef u = LLVMGetFirstUse(function); u; u = LLVMGetNextUse(u))
        if (!is_started(f, LLVMGetUser(u), function)) return false;
    return LLVMGetFirstUse(function) != NULL;
}

/* True if threads are taken only by themselves, each once. */
static bool all_detach_themselves(Front *f, const Taking *list) {
    if (program_uses(f, "pthread_attr_setdetachstate")) return false;
    for (size_t i = 0; i < vec_len(list); i++) {
        if (!detaches_itself(f, &list[i])) return false;
        for (size_t k = 0; k < i; k++)
            if (function_around(list[i].call) == function_around(list[k].call)) return false;
    }
    return true;
}

/* True if some thread whose number is in the variable is created detached. */
static bool is_born_detached(Front *f, LLVMValueRef variable) {
    if (!program_uses(f, "pthread_attr_setdetachstate")) return false;
    bool found = false;
    LLVMValueRef *calls = calls_of(f, "pthread_create", &found);
    for (size_t i = 0; i < vec_len(calls) && !found; i++)
        found = base_of(LLVMGetOperand(calls[i], 0)) == variable && !LLVMIsAConstantPointerNull(LLVMGetOperand(calls[i], 1));
    vec_free(calls);
    return found;
}

/* A thread that knows its own number may pass it on to a join of unknown threads; then every call is in doubt. */
static void find_takings(Front *f) {
    bool other = false, unknown = false;
    Taking *list = list_takings(f, &other);
    f->taken_once = map_new();
    for (size_t i = 0; i < vec_len(list); i++) unknown |= !list[i].variable;
    bool knows = program_uses(f, "pthread_self") || program_uses(f, "thrd_current");
    bool by_themselves = !other && all_detach_themselves(f, list), doubt = other || (unknown && knows);
    for (size_t i = 0; i < vec_len(list); i++)
        if (by_themselves || (!doubt && is_taken_once(f, list, &list[i]) && !is_born_detached(f, list[i].variable)))
            map_put(f->taken_once, map_key(list[i].call), 1);
    f->takes_again = other || map_size(f->taken_once) < vec_len(list);
    vec_free(list);
}

bool may_take_again(Front *f, LLVMValueRef call) {
    if (!f->taken_once) find_takings(f);
    return call ? !map_get(f->taken_once, map_key(call), NULL) : f->takes_again;
}
