/* SPDX-License-Identifier: Apache-2.0 */
/* Finds writes to const locals.

   To LLVM a const local is like any other: its initialisation is a store like one through a cast that removes const. Debug information
   distinguishes them, as initialisation is at the place of the declaration.

   A write by name is a fault, like a write to a readonly object. A write through a pointer that may point to a const local is in doubt
   and prevents SAFE. Members and elements may each be initialised at a place of their own, so they are checked only if all are copied
   from a constant. Writes that cannot be followed (through a pointer in memory) and writes by name to a local without a known
   initialisation are not checked. */
#include "front/lower.h"
#include "front/messages.h"
#include <string.h>

enum { BREAKS_SURELY = 1, BREAKS_PERHAPS };

typedef struct Find {
    Front *front;
    const AllocaInfo *local;
    Position declared;
    bool whole; /* it is initialised as a whole, so any other write by name is no initialisation */
} Find;

static bool is_initial(const Find *x, LLVMValueRef i) {
    Position p = debug_position(x->front, i);
    if (LLVMIsAStoreInst(i) && LLVMIsAArgument(LLVMGetOperand(i, 0))) return true;
    return !p.file || (p.line == x->declared.line && p.column == x->declared.column);
}

static LLVMValueRef written_place(LLVMValueRef i) { return LLVMGetOperand(i, LLVMIsAStoreInst(i) ? 1 : 0); }

/* True if the local is one number or pointer without parts. */
static bool is_single(const Find *x) {
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMGetAllocatedType(x->local->value));
    return kind != LLVMStructTypeKind && kind != LLVMArrayTypeKind && kind != LLVMVectorTypeKind;
}

static void find_whole(void *context, LLVMValueRef i) {
    Find *x = context;
    if (written_place(i) != x->local->value || !is_initial(x, i)) return;
    bool copied =
        LLVMIsACallInst(i) && LLVMIsAConstant(LLVMGetOperand(i, 1)) && strncmp(LLVMGetValueName(LLVMGetCalledValue(i)), "llvm.memset.", 12);
    x->whole |= copied || (LLVMIsAStoreInst(i) && is_single(x));
}

static void find_write(void *context, LLVMValueRef i) {
    Find *x = context;
    LLVMValueRef place = written_place(i);
    while (LLVMIsAGetElementPtrInst(place)) place = LLVMGetOperand(place, 0);
    bool named = place == x->local->value;
    if (is_initial(x, i) || (named && !x->whole)) return;
    if (!x->front->breaks) x->front->breaks = map_new();
    map_put(x->front->breaks, map_key(i), named && LLVMIsAStoreInst(i) ? BREAKS_SURELY : BREAKS_PERHAPS);
}

void constant_locals_find(Front *f, FunctionInfo *info) {
    if (info->model || info->optimised) return;
    vec_each(const AllocaInfo *, a, info->allocas) {
        if (!a->declare || !a->type || !debug_is_const(f, a->type)) continue;
        Find x = {.front = f, .local = a, .declared = debug_position(f, a->declare)};
        pointer_writes(f, a->value, find_whole, &x);
        pointer_writes(f, a->value, find_write, &x);
    }
}

static void break_constant(Lower *l) {
    Object *o = program_object(l->program, OBJECT_GLOBAL, "const", 1);
    o->readonly = true;
    Instr *store = emit_visible(l, INSTR_STORE);
    store->address = object_address(l->program, o);
    store->value = expr_bv(l->pool, 8, 0);
}

void constant_locals_guard(Lower *l, LLVMValueRef i) {
    uint64_t how;
    if (!map_get(l->front->breaks, map_key(i), &how)) return;
    settle_faults(l);
    for (Fork f = fork_by(l, FOR_MEMORY); fork_next(l, &f);) {
        if (!asks(l, FOR_MEMORY)) continue;
        if (how == BREAKS_PERHAPS) emit_doubt(l, MSG_FRONT_CONST_LOCAL);
        else break_constant(l);
    }
}
