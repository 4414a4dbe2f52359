/* SPDX-License-Identifier: Apache-2.0 */
/* Answers questions of the library models about the program: how it uses a result, whether a function changes anything, and whether a
   thread locks a read-write lock that it holds. */
#include "front/module.h"
#include <string.h>

enum { MAX_NESTING = 8 };

const char *library_name(Front *f, LLVMValueRef call) {
    LLVMValueRef callee = LLVMIsACallInst(call) ? strip_alias(LLVMGetCalledValue(call)) : NULL;
    if (!callee || !LLVMIsAFunction(callee)) return "";
    return LLVMIsDeclaration(callee) || function_info(f, callee)->model ? LLVMGetValueName(callee) : "";
}

/* ---- results ---- */

static bool is_zero(LLVMValueRef v) { return LLVMIsAConstantPointerNull(v) || (LLVMIsAConstantInt(v) && LLVMConstIntGetZExtValue(v) == 0); }

static bool only_sign(LLVMValueRef value, unsigned depth);

/* True if all values read from a plain variable, which may be the value, are only compared with zero. */
static bool variable_only_sign(LLVMValueRef place, unsigned depth) {
    if (!LLVMIsAAllocaInst(place)) return false;
    for (LLVMUseRef u = LLVMGetFirstUse(place); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        bool stored = LLVMIsAStoreInst(user) && LLVMGetOperand(user, 1) == place && LLVMGetOperand(user, 0) != place;
        if (!stored && !(LLVMIsALoadInst(user) && only_sign(user, depth + 1))) return false;
    }
    return true;
}

static bool only_sign(LLVMValueRef value, unsigned depth) {
    if (depth == MAX_NESTING) return false;
    for (LLVMUseRef u = LLVMGetFirstUse(value); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (LLVMIsAICmpInst(user) && is_zero(LLVMGetOperand(user, LLVMGetOperand(user, 0) == value ? 1 : 0))) continue;
        if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) == value && variable_only_sign(LLVMGetOperand(user, 1), depth)) continue;
        return false;
    }
    return true;
}

int result_use(LLVMValueRef call) {
    if (!LLVMGetFirstUse(call)) return RESULT_UNUSED;
    return only_sign(call, 0) ? RESULT_SIGN : RESULT_MATTERS;
}

/* ---- texts ---- */

/* True if the library function only writes or prints a text that it is given, without another effect. */
static bool only_shows(Front *f, LLVMValueRef call) {
    static const char *const names[] = {"snprintf", "sprintf", "vsnprintf", "vsprintf",           "printf", "fprintf", "puts",
                                        "fputs",    "perror",  "prctl",     "pthread_setname_np", "syslog"};
    LLVMValueRef callee = strip_alias(LLVMGetCalledValue(call));
    if (!LLVMIsAFunction(callee)) return false;
    const char *name = LLVMGetValueName(callee);
    if (!strncmp(name, "llvm.dbg.", 9) || !strncmp(name, "llvm.lifetime.", 14)) return true;
    if (LLVMIsDeclaration(callee) || !function_info(f, callee)->model) return false;
    if (!strcmp(name, "pthread_setname_np") && LLVMGetFirstUse(call)) return false; /* its result shows the length of the text */
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(names[i], name)) return true;
    return false;
}

/* True if the call makes another text of this one, which may show it. */
static bool makes_text(LLVMValueRef call, LLVMValueRef text) {
    const char *name = LLVMGetValueName(strip_alias(LLVMGetCalledValue(call)));
    bool makes = strstr(name, "sprintf") || strstr(name, "snprintf");
    for (unsigned i = 1; makes && i < LLVMGetNumArgOperands(call); i++)
        if (LLVMGetOperand(call, i) == text) return true;
    return false;
}

static bool unread(Front *f, LLVMValueRef text) {
    for (LLVMUseRef u = LLVMGetFirstUse(text); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (LLVMIsAGetElementPtrInst(user) ? unread(f, user) : LLVMIsACallInst(user) && only_shows(f, user) && !makes_text(user, text))
            continue;
        return false;
    }
    return true;
}

bool text_unread(Front *f, LLVMValueRef call) {
    LLVMValueRef text = LLVMGetNumArgOperands(call) ? LLVMGetOperand(call, 0) : NULL;
    while (text && LLVMIsAGetElementPtrInst(text)) text = LLVMGetOperand(text, 0);
    return text && LLVMIsAAllocaInst(text) && unread(f, text);
}

/* ---- functions ---- */

/* True for models that only read. */
static bool only_reads(const char *name) {
    static const char *const names[] = {"strcmp",  "strncmp", "strcasecmp", "strncasecmp", "memcmp", "strlen",
                                        "strnlen", "abs",     "labs",       "toupper",     "tolower"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(names[i], name)) return true;
    return false;
}

static bool call_is_pure(Front *f, LLVMValueRef call, unsigned depth) {
    LLVMValueRef callee = strip_alias(LLVMGetCalledValue(call));
    if (!LLVMIsAFunction(callee)) return false;
    const char *name = LLVMGetValueName(callee);
    if (!strncmp(name, "llvm.", 5))
        return !strncmp(name, "llvm.dbg.", 9) || !strncmp(name, "llvm.abs.", 9) || !strncmp(name, "llvm.lifetime.", 14);
    if (LLVMIsDeclaration(callee) || is_special(callee)) return false; /* what a special function does is not in its body */
    if (function_info(f, callee)->model && only_reads(name)) return true;
    return is_pure(f, callee, depth + 1);
}

static bool instruction_is_pure(Front *f, LLVMValueRef i, unsigned depth) {
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMStore: return LLVMIsAAllocaInst(LLVMGetOperand(i, 1)) && LLVMGetVolatile(i) == 0;
    case LLVMCall: return call_is_pure(f, i, depth);
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
    case LLVMFence:
    case LLVMVAArg:
    case LLVMInvoke:
    case LLVMCallBr: return false;
    default: return true;
    }
}

bool is_pure(Front *f, LLVMValueRef function, unsigned depth) {
    if (LLVMIsDeclaration(function) || depth == MAX_NESTING) return false;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (!instruction_is_pure(f, i, depth)) return false;
    return true;
}

/* ---- calls back into the program ---- */

static bool runs_program(Front *f, LLVMValueRef function);

static bool instruction_runs_program(Front *f, LLVMValueRef i) {
    if (!LLVMIsACallInst(i) || LLVMIsAInlineAsm(LLVMGetCalledValue(i))) return false;
    LLVMValueRef callee = strip_alias(LLVMGetCalledValue(i));
    return !LLVMIsAFunction(callee) || runs_program(f, callee);
}

/* True if a call of the function may run a function of the program in the same thread. A model may call one directly or by a pointer, and an
   end runs those that are registered for it. The front end notes the effects of unknown functions where they are called. */
static bool runs_program(Front *f, LLVMValueRef function) {
    uint64_t known;
    if (is_special(function)) return special_ends(function);
    if (LLVMIsDeclaration(function)) return false;
    if (!function_info(f, function)->model) return true;
    if (!f->running) f->running = map_new();
    if (map_get(f->running, map_key(function), &known)) return known;
    map_put(f->running, map_key(function), true); /* recursion is not followed */
    bool runs = false;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i && !runs; i = LLVMGetNextInstruction(i)) runs = instruction_runs_program(f, i);
    map_put(f->running, map_key(function), runs);
    return runs;
}

/* True if a call of the library function may end its thread, which is then cancelled while it waits. */
static bool may_end_waiting(Front *f, const char *name) {
    if (!program_uses(f, "pthread_cancel")) return false;
    return LLVMGetNamedFunction(f->module, arena_printf(f->scratch, "__heddle_ending_%s", name)) != NULL;
}

/* ---- read-write locks ---- */

static const char *const write_locks[] = {"pthread_rwlock_wrlock", "pthread_rwlock_trywrlock", "pthread_rwlock_timedwrlock",
                                          "pthread_rwlock_clockwrlock"};
enum { WRITE_LOCKS = sizeof write_locks / sizeof *write_locks };

static bool takes_to_write(Front *f, LLVMValueRef call) {
    const char *name = library_name(f, call);
    for (size_t i = 0; i < WRITE_LOCKS; i++)
        if (!strcmp(name, write_locks[i])) return true;
    return false;
}

/* True if the instruction may leave the section from a lock to its unlock, or lock something in it. *unlocks: it is that unlock. */
static bool leaves_section(Front *f, LLVMValueRef i, LLVMValueRef lock, bool *unlocks) {
    if (LLVMIsAReturnInst(i)) return true;
    const char *name = library_name(f, i);
    *unlocks = !strcmp(name, "pthread_rwlock_unlock") && LLVMGetOperand(i, 0) == lock;
    if (!strncmp(name, "pthread_rwlock_", 15)) return !*unlocks;
    return instruction_runs_program(f, i) || may_end_waiting(f, name);
}

/* True if every path from the call leads to the unlock of the same global lock, and no function of the program runs before. */
static bool is_simple_section(Front *f, LLVMValueRef call) {
    LLVMValueRef lock = LLVMGetOperand(call, 0), *work = NULL;
    bool simple = LLVMIsAGlobalVariable(lock);
    Map *seen = map_new();
    vec_push(work, LLVMGetNextInstruction(call));
    while (simple && vec_len(work)) {
        bool unlocks = false;
        for (LLVMValueRef i = vec_pop(work); i && simple && !unlocks; i = LLVMGetNextInstruction(i)) {
            simple = !leaves_section(f, i, lock, &unlocks);
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
    return simple;
}

static bool function_relocks(Front *f, LLVMValueRef function) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (LLVMIsACallInst(i) && takes_to_write(f, i) && !is_simple_section(f, i)) return true;
    return false;
}

/* True if a function that locks for writing is used in another way than by a direct call. Such uses are not followed. */
static bool is_taken(Front *f) {
    for (size_t i = 0; i < WRITE_LOCKS; i++) {
        LLVMValueRef function = LLVMGetNamedFunction(f->module, write_locks[i]);
        for (LLVMUseRef u = function ? LLVMGetFirstUse(function) : NULL; u; u = LLVMGetNextUse(u))
            if (!LLVMIsACallInst(LLVMGetUser(u)) || LLVMGetCalledValue(LLVMGetUser(u)) != function) return true;
    }
    return false;
}

bool may_relock(Front *f) {
    if (f->relocks) return f->relocks == 2;
    bool found = is_taken(f);
    for (LLVMValueRef v = LLVMGetFirstFunction(f->module); v && !found; v = LLVMGetNextFunction(v))
        found = !LLVMIsDeclaration(v) && !function_info(f, v)->model && function_relocks(f, v);
    f->relocks = found ? 2 : 1;
    return found;
}
