/* SPDX-License-Identifier: Apache-2.0 */
/* Bounds the number of threads where each creation is executed only once. */
#include "front/lower.h"
#include "front/messages.h"
#include <string.h>

enum { DEEPEST = 16 };

/* True if a path leads from the block back to it. */
static bool is_repeated(LLVMBasicBlockRef block) {
    Map *seen = map_new();
    LLVMBasicBlockRef *work = NULL;
    bool back = false;
    vec_push(work, block);
    while (vec_len(work) && !back) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(vec_pop(work));
        for (unsigned i = 0; end && i < LLVMGetNumSuccessors(end); i++) {
            LLVMBasicBlockRef next = LLVMGetSuccessor(end, i);
            back |= next == block;
            if (map_find(seen, next)) continue;
            map_set(seen, next, next);
            vec_push(work, next);
        }
    }
    vec_free(work);
    map_free(seen);
    return back;
}

bool is_started(Front *f, LLVMValueRef call, LLVMValueRef function) {
    const char *name = library_name(f, call);
    unsigned at = !strcmp(name, "pthread_create") ? 2 : !strcmp(name, "thrd_create") ? 1 : ~0u;
    return at != ~0u && at < LLVMGetNumArgOperands(call) && LLVMGetOperand(call, at) == function;
}

/* True if the user is a call by the program, outside of loops, in a function that runs once. */
static bool is_once(Front *f, LLVMValueRef user, unsigned depth) {
    if (!LLVMIsACallInst(user)) return false;
    LLVMBasicBlockRef block = LLVMGetInstructionParent(user);
    LLVMValueRef inside = LLVMGetBasicBlockParent(block);
    return !function_info(f, inside)->model && !is_repeated(block) && runs_once(f, inside, depth);
}

/* True for main if it is never called, for a function with one call that runs once, and for the start function of one thread that is
   created once. */
bool runs_once(Front *f, LLVMValueRef function, unsigned depth) {
    LLVMUseRef use = LLVMGetFirstUse(function);
    if (depth == DEEPEST) return false;
    if (!use) return !strcmp(LLVMGetValueName(function), "main");
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMGetNextUse(use) || !LLVMIsACallInst(user)) return false;
    bool called = strip_alias(LLVMGetCalledValue(user)) == function;
    return (called || is_started(f, user, function)) && is_once(f, user, depth + 1);
}

unsigned most_threads(Front *f) {
    static const char *const names[] = {"pthread_create", "thrd_create"};
    unsigned n = 1;
    if (f->threads_known) return f->threads;
    f->threads_known = true;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        LLVMValueRef function = LLVMGetNamedFunction(f->module, names[i]);
        for (LLVMUseRef u = function ? LLVMGetFirstUse(function) : NULL; u; u = LLVMGetNextUse(u)) {
            LLVMValueRef user = LLVMGetUser(u);
            if (LLVMIsAInstruction(user) && function_info(f, LLVMGetBasicBlockParent(LLVMGetInstructionParent(user)))->model) continue;
            if (!is_once(f, user, 0) || strip_alias(LLVMGetCalledValue(user)) != function) return f->threads = ~0u;
            n++;
        }
    }
    return f->threads = n;
}

/* ---- lowering ---- */

void create_one(Lower *l, LLVMValueRef start, const Expr *value, Variable *number) {
    unsigned template_ = template_of(l->front, start);
    Instr *i = emit_visible(l, INSTR_CREATE);
    i->template_ = template_;
    i->value = value;
    i->target = number;
}

static bool can_start(LLVMValueRef function) {
    return !LLVMIsDeclaration(function) && LLVMCountParams(function) <= 1 &&
           (LLVMCountParams(function) == 0 || LLVMGetTypeKind(LLVMTypeOf(LLVMGetParam(function, 0))) == LLVMPointerTypeKind);
}

void create_any(Lower *l, const Expr *start, const Expr *value, Variable *number) {
    const LLVMValueRef *functions = taken_functions(l->front);
    unsigned meet = NONE, depth = l->cursor.depth;
    start = emit_hold(l, start);
    for (size_t i = 0; i < vec_len(functions) && !l->cursor.dead; i++) {
        if (!can_start(functions[i])) continue;
        Cursor here, other;
        emit_branch(l, expr_eq(l->pool, start, object_address(l->program, function_object(l->front, functions[i]))), &here, &other);
        l->cursor = here;
        create_one(l, functions[i], value, number);
        if (meet == NONE) meet = emit_location(l, LOCATION_PLAIN);
        emit_goto(l, meet);
        l->cursor = other;
    }
    emit_stop(l, APPROX_UNSUPPORTED, MSG_FRONT_THREAD_POINTER);
    if (meet != NONE) l->cursor = (Cursor){.location = meet, .action = NONE, .depth = depth};
}
