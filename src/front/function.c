/* SPDX-License-Identifier: Apache-2.0 */
/* Analyses a function once, however often it is inlined: which allocas are plain variables, which values are used in other blocks, and
   how many edges lead to a block. */
#include "front/module.h"
#include <string.h>

/* ---- plain variables ---- */

/* True if this use treats the pointer only as the address of one scalar of that sort. */
static bool plain_use(Front *f, LLVMValueRef user, LLVMValueRef pointer, const Sort *sort) {
    if (!LLVMIsAInstruction(user)) return false;
    switch (LLVMGetInstructionOpcode(user)) {
    case LLVMLoad: return type_sort(f, LLVMTypeOf(user)) == sort;
    case LLVMStore: return LLVMGetOperand(user, 0) != pointer && type_sort(f, LLVMTypeOf(LLVMGetOperand(user, 0))) == sort;
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        if (LLVMGetOperand(user, 1) == pointer || type_sort(f, LLVMTypeOf(LLVMGetOperand(user, 1))) != sort) return false;
        return LLVMGetInstructionOpcode(user) == LLVMAtomicRMW || LLVMGetOperand(user, 2) != pointer;
    case LLVMCall: {
        LLVMValueRef callee = LLVMGetCalledValue(user);
        const char *name = LLVMIsAFunction(callee) ? LLVMGetValueName(callee) : "";
        return !strncmp(name, "llvm.lifetime.", 14) || !strncmp(name, "llvm.dbg.", 9);
    }
    default: return false;
    }
}

bool is_plain(Front *f, LLVMValueRef pointer, const Sort *sort) {
    for (LLVMUseRef u = LLVMGetFirstUse(pointer); u; u = LLVMGetNextUse(u))
        if (!plain_use(f, LLVMGetUser(u), pointer, sort)) return false;
    return true;
}

/* Returns the index of the parameter that the alloca holds all the time, or NONE. */
static unsigned held_parameter(LLVMValueRef alloca) {
    LLVMValueRef argument = NULL;
    for (LLVMUseRef u = LLVMGetFirstUse(alloca); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        LLVMOpcode op = LLVMGetInstructionOpcode(user);
        if (op == LLVMLoad || op == LLVMCall) continue;
        LLVMValueRef value = op == LLVMStore ? LLVMGetOperand(user, 0) : NULL;
        if (argument || !value || !LLVMIsAArgument(value)) return NONE;
        if (LLVMGetInstructionParent(user) != LLVMGetInstructionParent(alloca)) return NONE;
        argument = value;
    }
    if (!argument) return NONE;
    unsigned i = 0;
    for (LLVMValueRef p = LLVMGetFirstParam(LLVMGetParamParent(argument)); p != argument; p = LLVMGetNextParam(p)) i++;
    return i;
}

/* True if the first use of the alloca, in the entry block, is a store. */
static bool written_first(LLVMValueRef alloca) {
    for (LLVMValueRef i = LLVMGetNextInstruction(alloca); i; i = LLVMGetNextInstruction(i))
        for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(i); k++)
            if (LLVMGetOperand(i, k) == alloca && LLVMGetInstructionOpcode(i) != LLVMCall) return LLVMGetInstructionOpcode(i) == LLVMStore;
    return false;
}

/* True if control can return to the block. */
bool in_loop(LLVMBasicBlockRef block) {
    LLVMBasicBlockRef *work = NULL;
    Map *seen = map_new();
    bool found = false;
    vec_push(work, block);
    while (vec_len(work) && !found) {
        LLVMValueRef last = LLVMGetBasicBlockTerminator(vec_pop(work));
        for (unsigned i = 0; i < LLVMGetNumSuccessors(last); i++) {
            LLVMBasicBlockRef to = LLVMGetSuccessor(last, i);
            found |= to == block;
            if (map_get(seen, map_key(to), NULL)) continue;
            map_put(seen, map_key(to), 1);
            vec_push(work, to);
        }
    }
    map_free(seen);
    vec_free(work);
    return found;
}

static AllocaInfo *analyse_alloca(Front *f, FunctionInfo *info, LLVMValueRef v) {
    AllocaInfo *a = arena_new_of(f->scratch, AllocaInfo);
    LLVMTypeRef type = LLVMGetAllocatedType(v);
    LLVMValueRef count = LLVMGetOperand(v, 0);
    size_t length;
    const char *name = LLVMGetValueName2(v, &length);
    a->value = v;
    a->parameter = NONE;
    a->name = length ? arena_strndup(f->scratch, name, length) : "local";
    a->static_ = LLVMIsAConstantInt(count) && LLVMGetInstructionParent(v) == LLVMGetEntryBasicBlock(info->function);
    a->size = type_size(f, type) * (LLVMIsAConstantInt(count) ? LLVMConstIntGetZExtValue(count) : 0);
    if (!a->static_) return a;
    const Sort *sort = LLVMConstIntGetZExtValue(count) == 1 ? type_sort(f, type) : NULL;
    if (sort && is_plain(f, v, sort)) {
        a->sort = sort;
        a->parameter = held_parameter(v);
        a->set_first = written_first(v);
    } else {
        a->private_ = !pointer_escapes(f, v);
    }
    return a;
}

/* ---- stack space that is given back ---- */

static bool calls_intrinsic(LLVMValueRef i, const char *prefix) {
    LLVMValueRef callee = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
    return callee && LLVMIsAFunction(callee) && !strncmp(LLVMGetValueName(callee), prefix, strlen(prefix));
}

/* Returns the variable in which clang keeps the stack pointer while a scope with variable-length arrays is open. */
LLVMValueRef saved_stack(LLVMValueRef restore) {
    LLVMValueRef pointer = LLVMGetOperand(restore, 0);
    LLVMValueRef place = LLVMIsALoadInst(pointer) ? LLVMGetOperand(pointer, 0) : NULL;
    unsigned saves = 0;
    if (!place || !LLVMIsAAllocaInst(place)) return NULL;
    for (LLVMUseRef u = LLVMGetFirstUse(place); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (LLVMIsALoadInst(user)) continue;
        if (!LLVMIsAStoreInst(user) || !calls_intrinsic(LLVMGetOperand(user, 0), "llvm.stacksave")) return NULL;
        saves++;
    }
    return saves == 1 ? place : NULL;
}

/* Marks the allocations between the place that saves the stack pointer and the places that restore it, where they die. Scopes nest; the
   mark of an inner scope counts, since it comes later in the code. C forbids jumps into such a scope. clang restores the stack pointer
   on every way out; if some way does not, the return frees. */
static void mark_scope(FunctionInfo *info, LLVMValueRef save, LLVMValueRef place) {
    LLVMValueRef *work = NULL;
    AllocaInfo **inside = NULL;
    Map *seen = map_new();
    bool returns = false;
    vec_push(work, save);
    while (vec_len(work)) {
        LLVMValueRef i = vec_pop(work);
        for (; i; i = LLVMGetNextInstruction(i)) {
            if (calls_intrinsic(i, "llvm.stackrestore") && saved_stack(i) == place) break;
            AllocaInfo *a = LLVMIsAAllocaInst(i) ? map_find(info->alloca_of, i) : NULL;
            if (a && !a->static_) vec_push(inside, a);
            returns |= LLVMIsAReturnInst(i) != NULL;
            for (unsigned k = 0; LLVMIsATerminatorInst(i) && k < LLVMGetNumSuccessors(i); k++) {
                LLVMBasicBlockRef to = LLVMGetSuccessor(i, k);
                if (map_get(seen, map_key(to), NULL)) continue;
                map_put(seen, map_key(to), 1);
                vec_push(work, LLVMGetFirstInstruction(to));
            }
        }
    }
    for (size_t k = 0; k < vec_len(inside) && !returns; k++) inside[k]->scope = place;
    map_free(seen);
    vec_free(work);
    vec_free(inside);
}

static void mark_scopes(FunctionInfo *info) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(info->function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (LLVMIsAStoreInst(i) && calls_intrinsic(LLVMGetOperand(i, 0), "llvm.stacksave")) mark_scope(info, i, LLVMGetOperand(i, 1));
}

/* ---- uses ---- */

static uint64_t pack(ValueUse u) { return (uint64_t)u.index << 32 | (uint64_t)u.last << 1 | u.crosses; }

ValueUse value_use(const FunctionInfo *info, LLVMValueRef v) {
    uint64_t packed = 0;
    map_get(info->uses, map_key(v), &packed);
    return (ValueUse){.index = (unsigned)(packed >> 32), .last = (unsigned)(packed >> 1) & 0x7fffffff, .crosses = packed & 1};
}

enum { BLOCK_END = 0x7fffffff };

static void note_use(FunctionInfo *info, LLVMValueRef user, unsigned operand, unsigned index) {
    LLVMValueRef v = LLVMGetOperand(user, operand);
    if (!LLVMIsAInstruction(v)) return;
    ValueUse u = value_use(info, v);
    LLVMBasicBlockRef block = LLVMGetInstructionParent(user);
    if (LLVMIsAPHINode(user)) { /* it reads at the end of the block that the edge leaves */
        block = LLVMGetIncomingBlock(user, operand);
        index = BLOCK_END;
    }
    if (block != LLVMGetInstructionParent(v)) u.crosses = true;
    else if (index > u.last) u.last = index;
    map_put(info->uses, map_key(v), pack(u));
}

/* True if the block ends a && or ||: it only branches on where control came from. */
bool branches_on_phi(LLVMBasicBlockRef block, LLVMValueRef *phi) {
    LLVMValueRef first = LLVMGetFirstInstruction(block), last = LLVMGetBasicBlockTerminator(block);
    if (!LLVMIsAPHINode(first) || !LLVMIsABranchInst(last) || !LLVMIsConditional(last)) return false;
    if (LLVMGetNextInstruction(first) != last || LLVMGetCondition(last) != first) return false;
    *phi = first;
    return !LLVMGetNextUse(LLVMGetFirstUse(first));
}

static void analyse_block(Front *f, FunctionInfo *info, LLVMBasicBlockRef block) {
    unsigned index = 1;
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i), index++) {
        ValueUse u = value_use(info, i);
        u.index = index;
        map_put(info->uses, map_key(i), pack(u));
        LLVMOpcode op = LLVMGetInstructionOpcode(i);
        for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(i); k++) note_use(info, i, k, index);
        if (op == LLVMRet) info->returns++;
        if (op != LLVMAlloca) continue;
        AllocaInfo *a = analyse_alloca(f, info, i);
        vec_push(info->allocas, a);
        map_set(info->alloca_of, i, a);
    }
    LLVMValueRef last = LLVMGetBasicBlockTerminator(block), phi;
    unsigned edges = branches_on_phi(block, &phi) ? 2 : 1; /* each edge into such a block branches itself */
    for (unsigned k = 0; k < LLVMGetNumSuccessors(last); k++) {
        uint64_t n = 0;
        LLVMBasicBlockRef to = LLVMGetSuccessor(last, k);
        map_get(info->predecessors, map_key(to), &n);
        map_put(info->predecessors, map_key(to), n + edges);
    }
}

/* ---- names ---- */

static void read_debug(Front *f, FunctionInfo *info, LLVMValueRef call) {
    LLVMValueRef callee = LLVMGetCalledValue(call), variable;
    const char *name = LLVMIsAFunction(callee) ? LLVMGetValueName(callee) : "";
    DebugName d;
    if (strcmp(name, "llvm.dbg.declare") || !debug_local(f, call, &variable, &d)) return;
    AllocaInfo *a = map_find(info->alloca_of, variable);
    if (!a) return;
    a->named = true;
    a->declare = call;
    a->name = d.name;
    a->type = d.type;
    a->ctype = d.ctype;
    a->shape = d.shape;
    a->is_signed = d.is_signed;
    a->position = d.position;
    if (a->static_ && !info->model) a->repeats = in_loop(LLVMGetInstructionParent(call));
}

/* Finds lists of arguments. A list is private if its variable is and only va_arg can take its contents out, as from a struct. */
static void read_list(Front *f, FunctionInfo *info, LLVMValueRef call) {
    if (!calls_intrinsic(call, "llvm.va_start")) return;
    LLVMValueRef list = LLVMGetOperand(call, 0);
    while (LLVMIsAGetElementPtrInst(list)) list = LLVMGetOperand(list, 0);
    bool hidden = f->pointer_width == 64 && LLVMIsAAllocaInst(list) && !pointer_escapes(f, list);
    info->list_private = hidden && (info->list_private || !info->lists_arguments);
    info->lists_arguments = true;
}

static void read_calls(Front *f, FunctionInfo *info) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(info->function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            if (LLVMGetInstructionOpcode(i) != LLVMCall) continue;
            read_debug(f, info, i);
            read_list(f, info, i);
        }
}

FunctionInfo *function_info(Front *f, LLVMValueRef function) {
    FunctionInfo *info = map_find(f->functions, function);
    if (info) return info;
    info = arena_new_of(f->scratch, FunctionInfo);
    map_set(f->functions, function, info);
    info->function = function;
    info->name = debug_function_name(f, function);
    info->model = LLVMGetStringAttributeAtIndex(function, ON_FUNCTION, MODEL_ATTRIBUTE, strlen(MODEL_ATTRIBUTE)) != NULL;
    info->optimised = !info->model && function_is_optimised(function);
    info->section = !strncmp(info->name, "__VERIFIER_atomic_", 18);
    info->alloca_of = map_new();
    info->uses = map_new();
    info->predecessors = map_new();
    for (int i = 0; i < 2; i++) info->lives[i] = map_new();
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) analyse_block(f, info, b);
    read_calls(f, info);
    mark_scopes(info);
    lives_find(f, info);
    constant_locals_find(f, info);
    return info;
}

void function_info_free(FunctionInfo *info) {
    map_free(info->alloca_of);
    map_free(info->uses);
    map_free(info->predecessors);
    for (int i = 0; i < 2; i++) map_free(info->lives[i]);
    vec_free(info->allocas);
}
