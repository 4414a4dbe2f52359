/* SPDX-License-Identifier: Apache-2.0 */
/* Finds threads that may be joined or detached more than once.

   Where this is asked (valid-memsafety), the models keep a list of the threads that were joined or detached (model/threads.c), which is
   costly. The list leaves out threads that the program text shows to be taken at most once:
   - the thread's number is in a variable, or an element of an array, that is never copied;
   - no path leads from one join of it to another without a pthread_create between them, unless they are of different elements;
   - all joins through a global variable are in one function that runs once. */
#include "front/module.h"
#include <string.h>

static const char *const takers[] = {"pthread_join", "thrd_join",          "pthread_detach",
                                     "thrd_detach",  "pthread_tryjoin_np", "pthread_timedjoin_np"};
enum { TAKERS = sizeof takers / sizeof *takers, DEEPEST = 8 };

static const char *called(LLVMValueRef i) {
    LLVMValueRef callee = LLVMIsACallInst(i) ? strip_alias(LLVMGetCalledValue(i)) : NULL;
    return callee && LLVMIsAFunction(callee) ? LLVMGetValueName(callee) : "";
}

static bool is_taker(LLVMValueRef i) {
    const char *name = called(i);
    for (unsigned k = 0; k < TAKERS; k++)
        if (!strcmp(name, takers[k])) return true;
    return false;
}

static bool is_creation(LLVMValueRef i) { return !strcmp(called(i), "pthread_create") || !strcmp(called(i), "thrd_create"); }

static LLVMValueRef function_around(LLVMValueRef i) { return LLVMGetBasicBlockParent(LLVMGetInstructionParent(i)); }

/* ---- ways ---- */

typedef bool Stops(LLVMValueRef instruction, LLVMValueRef variable);

static LLVMValueRef base_of(LLVMValueRef place) {
    while (LLVMIsAGetElementPtrInst(place) || (LLVMIsAConstantExpr(place) && LLVMGetConstOpcode(place) == LLVMGetElementPtr))
        place = LLVMGetOperand(place, 0);
    if (!LLVMIsALoadInst(place)) return place;
    LLVMValueRef holder = LLVMGetOperand(place, 0); /* holds the address of an array on the heap */
    return LLVMIsAAllocaInst(holder) || LLVMIsAGlobalVariable(holder) ? holder : place;
}

static bool creates_into(LLVMValueRef i, LLVMValueRef variable) { return is_creation(i) && LLVMGetOperand(i, 0) == variable; }
static bool stores_to(LLVMValueRef i, LLVMValueRef variable) { return LLVMIsAStoreInst(i) && LLVMGetOperand(i, 1) == variable; }
static bool is_itself(LLVMValueRef i, LLVMValueRef variable) { return i == variable; }
static bool never(LLVMValueRef i, LLVMValueRef variable) { return (void)i, (void)variable, false; }

/* Searches from the instruction to the end of its block. Returns 1 if it finds `to`, -1 if some instruction stops the search, else 0. */
static int meets(LLVMValueRef i, LLVMValueRef to, Stops *stops, LLVMValueRef variable) {
    for (; i; i = LLVMGetNextInstruction(i)) {
        if (i == to) return 1;
        if (stops(i, variable)) return -1;
    }
    return 0;
}

/* True if a path leads from one instruction to another of the same function without an instruction that stops it. */
static bool leads(LLVMValueRef from, LLVMValueRef to, Stops *stops, LLVMValueRef variable) {
    LLVMBasicBlockRef *todo = NULL;
    Map *seen = map_new();
    int met = meets(LLVMGetNextInstruction(from), to, stops, variable);
    if (met == 0) vec_push(todo, LLVMGetInstructionParent(from));
    while (vec_len(todo) && met != 1) {
        LLVMValueRef last = LLVMGetBasicBlockTerminator(vec_pop(todo));
        for (unsigned k = 0; k < LLVMGetNumSuccessors(last) && met != 1; k++) {
            LLVMBasicBlockRef next = LLVMGetSuccessor(last, k);
            if (map_get(seen, map_key(next), NULL)) continue;
            map_put(seen, map_key(next), 1);
            met = meets(LLVMGetFirstInstruction(next), to, stops, variable);
            if (met == 0) vec_push(todo, next);
        }
    }
    map_free(seen);
    vec_free(todo);
    return met == 1;
}

/* ---- variables with numbers of threads ---- */

/* True if the number is not copied, only compared or passed to the library. */
static bool number_stays(LLVMValueRef number) {
    if (LLVMGetTypeKind(LLVMTypeOf(number)) != LLVMIntegerTypeKind) return false;
    for (LLVMUseRef u = LLVMGetFirstUse(number); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (is_taker(user) || !strncmp(called(user), "pthread_", 8) || !strncmp(called(user), "thrd_", 5)) continue;
        if (!strcmp(called(user), "printf") || !strcmp(called(user), "fprintf") || LLVMIsAICmpInst(user)) continue;
        return false;
    }
    return true;
}

static bool is_allocation(LLVMValueRef v) { return !strcmp(called(v), "malloc") || !strcmp(called(v), "calloc"); }

/* True if only calls of the library store numbers at the place, and no other code knows it. holder: it holds the address of an array on
   the heap. */
static bool place_stays(LLVMValueRef place, bool holder, unsigned depth) {
    if (depth > DEEPEST) return false;
    for (LLVMUseRef u = LLVMGetFirstUse(place); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        const char *name = called(user);
        bool step = LLVMIsAGetElementPtrInst(user) || (LLVMIsAConstantExpr(user) && LLVMGetConstOpcode(user) == LLVMGetElementPtr);
        if (step && !holder) {
            if (!place_stays(user, false, depth + 1)) return false;
        } else if (LLVMIsALoadInst(user)) {
            if (holder ? !place_stays(user, false, depth + 1) : !number_stays(user)) return false;
        } else if (LLVMIsAStoreInst(user)) {
            LLVMValueRef value = LLVMGetOperand(user, 0);
            if (value == place || !(LLVMIsAConstant(value) || (holder && is_allocation(value)))) return false;
        } else if (is_creation(user)) {
            for (unsigned i = holder ? 0 : 1; i < LLVMGetNumArgOperands(user); i++)
                if (LLVMGetOperand(user, i) == place) return false;
        } else if (strncmp(name, "llvm.lifetime.", 14) && strncmp(name, "llvm.memset.", 12) && strcmp(name, "free") &&
                   !LLVMIsAICmpInst(user))
            return false;
    }
    return true;
}

static bool variable_stays(LLVMValueRef v) {
    LLVMTypeRef type = LLVMIsAAllocaInst(v) ? LLVMGetAllocatedType(v) : LLVMIsAGlobalVariable(v) ? LLVMGlobalGetValueType(v) : NULL;
    if (!type || (LLVMIsAGlobalVariable(v) && (LLVMIsDeclaration(v) || LLVMIsThreadLocal(v)))) return false;
    return place_stays(v, LLVMGetTypeKind(type) == LLVMPointerTypeKind, 0);
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

/* Returns the sign of c if the value is i + c, where i is the old value of the variable and c is not zero; else 0. */
static int step_of(LLVMValueRef value, LLVMValueRef variable) {
    LLVMValueRef sum = LLVMIsABinaryOperator(value);
    LLVMOpcode op = sum ? LLVMGetInstructionOpcode(sum) : LLVMRet;
    if (op != LLVMAdd && op != LLVMSub) return 0;
    LLVMValueRef old = LLVMGetOperand(sum, 0), by = LLVMGetOperand(sum, 1);
    if (!LLVMIsALoadInst(old) || LLVMGetOperand(old, 0) != variable || !LLVMIsAConstantInt(by)) return 0;
    long long c = LLVMConstIntGetSExtValue(by) * (op == LLVMSub ? -1 : 1);
    return (c > 0) - (c < 0);
}

/* True if the variable always grows, or always shrinks, between two reads. */
static bool moves_on(LLVMValueRef read) {
    LLVMValueRef variable = LLVMGetOperand(read, 0);
    int sign = 0;
    if (!LLVMIsAAllocaInst(variable) || leads(read, read, stores_to, variable)) return false;
    for (LLVMUseRef u = LLVMGetFirstUse(variable); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (LLVMIsALoadInst(user) || !strncmp(called(user), "llvm.lifetime.", 14)) continue;
        if (!stores_to(user, variable) || LLVMGetOperand(user, 0) == variable) return false;
        if (!leads(read, user, never, NULL) || !leads(user, read, never, NULL)) continue;
        int step = step_of(LLVMGetOperand(user, 0), variable);
        if (step == 0 || step == -sign) return false;
        sign = step;
    }
    return true;
}

/* True if each execution takes another element a[i], since i moves on. */
static bool takes_another(LLVMValueRef taker) {
    LLVMValueRef place = place_of(taker);
    unsigned n = LLVMIsAGetElementPtrInst(place) ? (unsigned)LLVMGetNumOperands(place) : 0;
    if (n < 2 || LLVMIsAGetElementPtrInst(LLVMGetOperand(place, 0))) return false;
    for (unsigned i = 1; i + 1 < n; i++)
        if (!LLVMIsAConstantInt(LLVMGetOperand(place, i))) return false;
    LLVMValueRef index = LLVMGetOperand(place, n - 1);
    if (LLVMIsASExtInst(index) || LLVMIsAZExtInst(index)) index = LLVMGetOperand(index, 0);
    return LLVMIsALoadInst(index) && !leads(taker, taker, is_itself, index) && moves_on(index);
}

/* ---- answers ---- */

typedef struct Taking {
    LLVMValueRef call, variable; /* NULL if the source of the number is unknown */
} Taking;

static LLVMValueRef variable_of(LLVMValueRef taker) {
    LLVMValueRef number = LLVMGetNumArgOperands(taker) ? LLVMGetOperand(taker, 0) : NULL;
    if (!number || !LLVMIsALoadInst(number)) return NULL;
    LLVMValueRef variable = base_of(LLVMGetOperand(number, 0));
    return variable_stays(variable) ? variable : NULL;
}

/* Returns a vec of the program's calls that take threads. Sets *other if the program also uses these functions in another way. */
static Taking *find_takings(Front *f, bool *other) {
    Taking *list = NULL;
    for (unsigned k = 0; k < TAKERS; k++) {
        LLVMValueRef *calls = calls_of(f, takers[k], other);
        for (size_t i = 0; i < vec_len(calls); i++) vec_push(list, ((Taking){calls[i], variable_of(calls[i])}));
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
static bool may_follow(const Taking *a, const Taking *b) {
    if (function_around(a->call) != function_around(b->call)) return true;
    if (!leads(a->call, b->call, is_scalar(a->variable) ? creates_into : never, a->variable)) return false;
    return a->call == b->call ? !takes_another(a->call) : !are_apart(place_of(a->call), place_of(b->call));
}

static bool is_taken_once(Front *f, const Taking *list, const Taking *t) {
    if (!t->variable) return false;
    if (LLVMIsAGlobalVariable(t->variable) && !runs_once(f, function_around(t->call), 0)) return false;
    for (size_t i = 0; i < vec_len(list); i++)
        if (list[i].variable == t->variable && (may_follow(t, &list[i]) || may_follow(&list[i], t))) return false;
    return true;
}

/* True for a thread that detaches itself once, in a start function that is never called. */
static bool detaches_itself(const Taking *t) {
    LLVMValueRef number = LLVMGetNumArgOperands(t->call) ? LLVMGetOperand(t->call, 0) : NULL, function = function_around(t->call);
    if (!number || (strcmp(called(number), "pthread_self") && strcmp(called(number), "thrd_current"))) return false;
    if (!strstr(called(t->call), "detach") || leads(t->call, t->call, never, NULL)) return false;
    for (LLVMUseRef u = LLVMGetFirstUse(function); u; u = LLVMGetNextUse(u))
        if (!is_started(LLVMGetUser(u), function)) return false;
    return true;
}

static bool all_detach_themselves(const Taking *list) {
    for (size_t i = 0; i < vec_len(list); i++) {
        if (!detaches_itself(&list[i])) return false;
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
static void find_repeated(Front *f) {
    bool all = false, unknown = false;
    Taking *list = find_takings(f, &all);
    f->takings = map_new();
    for (size_t i = 0; i < vec_len(list); i++) unknown |= !list[i].variable;
    if (unknown) all |= program_uses(f, "pthread_self") || program_uses(f, "thrd_current");
    for (size_t i = 0; i < vec_len(list) && !all_detach_themselves(list); i++)
        if (all || !is_taken_once(f, list, &list[i]) || is_born_detached(f, list[i].variable))
            map_put(f->takings, map_key(list[i].call), 1);
    vec_free(list);
}

bool may_take_again(Front *f, LLVMValueRef call) {
    if (!f->takings) find_repeated(f);
    return call ? map_get(f->takings, map_key(call), NULL) : map_size(f->takings) > 0;
}
