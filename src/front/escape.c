/* SPDX-License-Identifier: Apache-2.0 */
/* Finds which local objects no other thread can reach, and which functions may be called through a pointer.

   A pointer stays private while it is used as an address, offset, compared, kept in a plain local variable, or passed to a function that
   treats it so. Everything derived from it is followed, through calls too. Any other use lets it escape. */
#include "front/lower.h"
#include <string.h>

typedef struct Chase {
    Front *front;
    Map *seen;
    LLVMValueRef *work; /* a vec: values derived from the pointer */
    bool escaped;
    bool kept;         /* in a variable of its own function, or compared */
    LLVMValueRef home; /* its function */
    bool starts;       /* the pointer is a function, and starting a thread with it is no escape */
    /* Set to find pointers to a dead object: a variable of its function lets the pointer escape unless `inner` is true for it */
    InnerVariable *inner;
    PointerWrite *writes; /* called for each write through the pointer */
    void *context;
} Chase;

static void follow(Chase *c, LLVMValueRef v) {
    if (map_get(c->seen, map_key(v), NULL)) return;
    map_put(c->seen, map_key(v), 1);
    vec_push(c->work, v);
}

/* Follows all values read from a plain variable that keeps the pointer. */
static void follow_variable(Chase *c, LLVMValueRef place) {
    const Sort *sort = LLVMIsAAllocaInst(place) ? type_sort(c->front, LLVMGetAllocatedType(place)) : NULL;
    if (!sort || !is_plain(c->front, place, sort)) {
        c->escaped = true;
        return;
    }
    bool own = LLVMGetBasicBlockParent(LLVMGetInstructionParent(place)) == c->home;
    c->kept |= own;
    if (own && c->inner && !c->inner(c->context, place)) c->escaped = true;
    for (LLVMUseRef u = LLVMGetFirstUse(place); u; u = LLVMGetNextUse(u))
        if (LLVMIsALoadInst(LLVMGetUser(u))) follow(c, LLVMGetUser(u));
}

static bool harmless_callee(LLVMValueRef callee) {
    const char *name = LLVMGetValueName(callee);
    static const char *const intrinsics[] = {"llvm.memcpy.", "llvm.memmove.",    "llvm.memset.",      "llvm.lifetime.",
                                             "llvm.dbg.",    "llvm.objectsize.", "llvm.stackrestore", "llvm.va_"};
    for (size_t i = 0; i < sizeof intrinsics / sizeof *intrinsics; i++)
        if (!strncmp(name, intrinsics[i], strlen(intrinsics[i]))) return true;
    return is_special(callee) && special_keeps(name);
}

/* True for a library function that formats or scans text, which does not keep its arguments. */
static bool formats(Chase *c, LLVMValueRef callee) {
    const char *name = LLVMGetValueName(callee);
    return c->inner && (strstr(name, "printf") || strstr(name, "scanf")) && function_info(c->front, callee)->model;
}

/* Follows the result of another function in all of its callers. */
static void follow_return(Chase *c, LLVMValueRef at) {
    LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(at));
    if (!c->inner || function == c->home) c->escaped = true;
    for (LLVMUseRef u = LLVMGetFirstUse(function); u && !c->escaped; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (LLVMIsACallInst(user) && LLVMGetCalledValue(user) == function) follow(c, user);
        else c->escaped = true;
    }
}

static bool writes_first(LLVMValueRef callee) {
    const char *name = LLVMGetValueName(callee);
    return !strncmp(name, "llvm.memcpy.", 12) || !strncmp(name, "llvm.memmove.", 13) || !strncmp(name, "llvm.memset.", 12);
}

static void follow_call(Chase *c, LLVMValueRef call, LLVMValueRef v) {
    LLVMValueRef callee = strip_alias(LLVMGetCalledValue(call));
    if (callee == v || !LLVMIsAFunction(callee)) {
        bool direct = callee == v && LLVMIsAFunction(v);
        for (unsigned i = 0; i < LLVMGetNumArgOperands(call) && direct; i++) direct = LLVMGetOperand(call, i) != v;
        c->escaped |= !direct;
        return;
    }
    if (c->starts && !strcmp(LLVMGetValueName(callee), "__heddle_create") && LLVMGetOperand(call, 1) != v) return;
    bool defined = !LLVMIsDeclaration(callee);
    if (c->writes && writes_first(callee) && LLVMGetOperand(call, 0) == v) c->writes(c->context, call);
    if (harmless_callee(callee) || (defined && formats(c, callee))) return;
    unsigned n = LLVMGetNumArgOperands(call), params = LLVMCountParams(callee);
    for (unsigned i = 0; i < n; i++) {
        if (LLVMGetOperand(call, i) != v) continue;
        if (!defined || i >= params || is_special(callee)) c->escaped = true;
        else follow(c, LLVMGetParam(callee, i));
    }
}

static void follow_use(Chase *c, LLVMValueRef user, LLVMValueRef v) {
    if (!LLVMIsAInstruction(user)) {
        c->escaped = true;
        return;
    }
    switch (LLVMGetInstructionOpcode(user)) {
    case LLVMICmp: c->kept = true; return;
    case LLVMLoad: return;
    case LLVMStore:
        if (LLVMGetOperand(user, 0) == v) follow_variable(c, LLVMGetOperand(user, 1));
        else if (c->writes) c->writes(c->context, user);
        return;
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg: c->escaped |= LLVMGetOperand(user, 0) != v || LLVMGetOperand(user, 1) == v; return;
    case LLVMGetElementPtr:
    case LLVMBitCast:
    case LLVMPHI:
    case LLVMSelect: follow(c, user); return;
    case LLVMCall: follow_call(c, user, v); return;
    case LLVMRet: follow_return(c, user); return;
    default: c->escaped = true;
    }
}

static void chase(Chase *c, LLVMValueRef pointer) {
    c->seen = map_new();
    follow(c, pointer);
    while (vec_len(c->work) && (!c->escaped || c->writes)) {
        LLVMValueRef v = vec_pop(c->work);
        for (LLVMUseRef u = LLVMGetFirstUse(v); u && (!c->escaped || c->writes); u = LLVMGetNextUse(u)) follow_use(c, LLVMGetUser(u), v);
    }
    map_free(c->seen);
    vec_free(c->work);
}

bool pointer_escapes(Front *f, LLVMValueRef pointer) {
    Chase c = {.front = f};
    chase(&c, pointer);
    return c.escaped;
}

bool pointer_kept(Front *f, LLVMValueRef alloca) {
    Chase c = {.front = f, .home = LLVMGetBasicBlockParent(LLVMGetInstructionParent(alloca))};
    chase(&c, alloca);
    return c.escaped || c.kept;
}

bool pointer_outlives(Front *f, LLVMValueRef alloca, InnerVariable *inner, void *context) {
    Chase c = {.front = f, .home = LLVMGetBasicBlockParent(LLVMGetInstructionParent(alloca)), .inner = inner, .context = context};
    chase(&c, alloca);
    return c.escaped;
}

void pointer_writes(Front *f, LLVMValueRef alloca, PointerWrite *writes, void *context) {
    Chase c = {.front = f, .home = LLVMGetBasicBlockParent(LLVMGetInstructionParent(alloca)), .writes = writes, .context = context};
    chase(&c, alloca);
}

/* A function that is only called directly or started as a thread is never called through a pointer. */
bool may_be_called(Front *f, LLVMValueRef function) {
    Chase c = {.front = f, .starts = true};
    chase(&c, function);
    return c.escaped;
}

/* ---- uses of a function ---- */

bool program_uses(Front *f, const char *name) {
    LLVMValueRef function = LLVMGetNamedFunction(f->module, name);
    for (LLVMUseRef u = function ? LLVMGetFirstUse(function) : NULL; u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (!LLVMIsAInstruction(user)) return true;
        if (!function_info(f, LLVMGetBasicBlockParent(LLVMGetInstructionParent(user)))->model) return true;
    }
    return false;
}

/* ---- functions whose address is a value ---- */

static bool address_taken(LLVMValueRef function) {
    for (LLVMUseRef u = LLVMGetFirstUse(function); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (!LLVMIsACallInst(user) || LLVMGetCalledValue(user) != function) return true;
        for (unsigned i = 0; i < LLVMGetNumArgOperands(user); i++)
            if (LLVMGetOperand(user, i) == function) return true;
    }
    return false;
}

const LLVMValueRef *taken_functions(Front *f) {
    if (f->taken_known) return f->taken;
    f->taken_known = true;
    for (LLVMValueRef v = LLVMGetFirstFunction(f->module); v; v = LLVMGetNextFunction(v))
        if (strncmp(LLVMGetValueName(v), "llvm.", 5) && address_taken(v)) vec_push(f->taken, v);
    return f->taken;
}
