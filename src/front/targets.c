/* SPDX-License-Identifier: Apache-2.0 */
/* Guesses which functions a call through a pointer may reach. Any other function leads to a stop, so a wrong guess costs an answer but
   never makes one wrong. Without the guess a pointer may be any function that fits, and inlining grows too large.

   Values are united with the places that they are copied to, regardless of control flow (Steensgaard 1996). A field of a struct is one
   value for each type of struct and number of field, whatever the object. Everything that is stored and read in other ways is one value,
   `elsewhere`. */
#include "front/lower.h"
#include <stdio.h>
#include <string.h>

struct FunctionTargets {
    Front *front;
    Map *nodes;        /* value or name → index in parents */
    unsigned *parents; /* a vec: union-find */
};

enum {
    ELSEWHERE,
    MOST_ARGUMENTS = 16,
    FIRST_NODE = 1 + MOST_ARGUMENTS + 1
}; /* nodes between ELSEWHERE and FIRST_NODE: arguments of calls through pointers, and their results */

static unsigned find(FunctionTargets *g, unsigned n) {
    while (g->parents[n] != n) n = g->parents[n] = g->parents[g->parents[n]];
    return n;
}

static void unite(FunctionTargets *g, unsigned a, unsigned b) { g->parents[find(g, a)] = find(g, b); }

static unsigned node_of(FunctionTargets *g, const void *key) {
    uint64_t known;
    if (map_get(g->nodes, map_key(key), &known)) return (unsigned)known;
    unsigned n = (unsigned)vec_len(g->parents);
    vec_push(g->parents, n);
    map_put(g->nodes, map_key(key), n);
    return n;
}

static unsigned argument_node(unsigned i) { return i < MOST_ARGUMENTS ? 1 + i : ELSEWHERE; }
enum { RESULT_NODE = 1 + MOST_ARGUMENTS };

/* ---- places ---- */

/* Returns the node of a field. Types with one name in several files are the same struct, which the linker numbers. */
static unsigned field_node(FunctionTargets *g, LLVMTypeRef type, unsigned index) {
    const char *name = LLVMGetTypeKind(type) == LLVMStructTypeKind ? LLVMGetStructName(type) : NULL;
    if (!name) return ELSEWHERE;
    size_t length = strlen(name), digits = 0;
    while (digits < length && name[length - digits - 1] >= '0' && name[length - digits - 1] <= '9') digits++;
    if (digits && digits + 1 < length && name[length - digits - 1] == '.') length -= digits + 1;
    return node_of(g, exprs_intern(g->front->pool, arena_printf(g->front->scratch, "field %.*s %u", (int)length, name, index)));
}

static bool is_offset(LLVMValueRef p) {
    if (LLVMIsAGetElementPtrInst(p)) return true;
    return LLVMIsAConstantExpr(p) && LLVMGetConstOpcode(p) == LLVMGetElementPtr;
}

/* Returns the node of a variable's contents. A struct that is accessed without naming a field stands for its first field. */
static unsigned variable_node(FunctionTargets *g, LLVMValueRef v, LLVMTypeRef type) {
    while (LLVMGetTypeKind(type) == LLVMArrayTypeKind) type = LLVMGetElementType(type);
    if (LLVMGetTypeKind(type) == LLVMStructTypeKind) return LLVMCountStructElementTypes(type) ? field_node(g, type, 0) : ELSEWHERE;
    return node_of(g, exprs_intern(g->front->pool, arena_printf(g->front->scratch, "contents %p", (void *)v)));
}

/* Returns the node of the contents of an address. */
static unsigned place_of(FunctionTargets *g, LLVMValueRef p) {
    if (LLVMIsAAllocaInst(p)) return variable_node(g, p, LLVMGetAllocatedType(p));
    if (LLVMIsAGlobalVariable(p)) return variable_node(g, p, LLVMGlobalGetValueType(p));
    if (!is_offset(p)) return ELSEWHERE;
    LLVMTypeRef type = LLVMGetGEPSourceElementType(p), of = NULL;
    unsigned n = (unsigned)LLVMGetNumOperands(p), index = 0;
    for (unsigned i = 2; i < n; i++) {
        if (LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            of = type;
            index = (unsigned)LLVMConstIntGetZExtValue(LLVMGetOperand(p, i));
            type = LLVMStructGetTypeAtIndex(type, index);
        } else {
            type = LLVMGetElementType(type);
        }
    }
    return of ? field_node(g, of, index) : place_of(g, LLVMGetOperand(p, 0));
}

static unsigned value_node(FunctionTargets *g, LLVMValueRef v) { return node_of(g, strip_alias(v)); }

/* ---- what is copied ---- */

static bool may_carry(LLVMValueRef v) {
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(v));
    return kind == LLVMPointerTypeKind || kind == LLVMStructTypeKind || kind == LLVMArrayTypeKind;
}

static void note_call(FunctionTargets *g, LLVMValueRef call) {
    LLVMValueRef callee = strip_alias(LLVMGetCalledValue(call));
    bool direct = LLVMIsAFunction(callee) != NULL, starts = direct && !strcmp(LLVMGetValueName(callee), "__heddle_create");
    bool inlined = direct && !LLVMIsDeclaration(callee) && !is_special(callee);
    if (direct && !strncmp(LLVMGetValueName(callee), "llvm.", 5)) return; /* copies of structs keep their fields */
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
        LLVMValueRef v = LLVMGetOperand(call, i);
        if (!may_carry(v)) continue;
        unsigned to = starts ? argument_node(0) : !direct ? argument_node(i) : ELSEWHERE;
        if (inlined && i < LLVMCountParams(callee)) to = value_node(g, LLVMGetParam(callee, i));
        unite(g, value_node(g, v), to);
    }
    unsigned from = inlined  ? node_of(g, exprs_intern(g->front->pool, arena_printf(g->front->scratch, "result %p", (void *)callee)))
                    : direct ? ELSEWHERE
                             : RESULT_NODE;
    if (may_carry(call)) unite(g, value_node(g, call), from);
}

static void note_return(FunctionTargets *g, LLVMValueRef function, LLVMValueRef i) {
    if (!LLVMGetNumOperands(i) || !may_carry(LLVMGetOperand(i, 0))) return;
    unsigned result = node_of(g, exprs_intern(g->front->pool, arena_printf(g->front->scratch, "result %p", (void *)function)));
    unite(g, value_node(g, LLVMGetOperand(i, 0)), result);
}

/* Unites all operands with the result of a copy, else with elsewhere. */
static void note_other(FunctionTargets *g, LLVMValueRef i, bool copies) {
    for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(i); k++) {
        LLVMValueRef v = LLVMGetOperand(i, k);
        if (LLVMIsABasicBlock(v) || !may_carry(v)) continue;
        unite(g, value_node(g, v), copies ? value_node(g, i) : ELSEWHERE);
    }
    if (may_carry(i) && !copies) unite(g, value_node(g, i), ELSEWHERE);
}

static void note_instr(FunctionTargets *g, LLVMValueRef function, LLVMValueRef i) {
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMStore:
        if (may_carry(LLVMGetOperand(i, 0))) unite(g, value_node(g, LLVMGetOperand(i, 0)), place_of(g, LLVMGetOperand(i, 1)));
        return;
    case LLVMLoad:
        if (may_carry(i)) unite(g, value_node(g, i), place_of(g, LLVMGetOperand(i, 0)));
        return;
    case LLVMRet: note_return(g, function, i); return;
    case LLVMCall: note_call(g, i); return;
    case LLVMPHI:
    case LLVMSelect:
    case LLVMFreeze: note_other(g, i, true); return;
    case LLVMAlloca:
    case LLVMBr:
    case LLVMSwitch:
    case LLVMICmp:
    case LLVMGetElementPtr: return; /* these carry data, or values that are no functions */
    default: note_other(g, i, false);
    }
}

/* ---- initial values ---- */

static void note_initial(FunctionTargets *g, LLVMValueRef value, unsigned place) {
    LLVMTypeRef type = LLVMTypeOf(value);
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    if (kind == LLVMPointerTypeKind && !LLVMIsNull(value)) unite(g, value_node(g, value), place);
    if (!LLVMIsAConstantStruct(value) && !LLVMIsAConstantArray(value)) return;
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(value); i++)
        note_initial(g, LLVMGetOperand(value, i), kind == LLVMStructTypeKind ? field_node(g, type, i) : place);
}

/* ---- all of it ---- */

static FunctionTargets *targets_new(Front *f) {
    FunctionTargets *g = arena_array(f->scratch, FunctionTargets, 1);
    *g = (FunctionTargets){.front = f, .nodes = map_new()};
    for (unsigned i = 0; i < FIRST_NODE; i++) vec_push(g->parents, i);
    for (LLVMValueRef v = LLVMGetFirstGlobal(f->module); v; v = LLVMGetNextGlobal(v))
        if (!LLVMIsDeclaration(v)) note_initial(g, LLVMGetInitializer(v), variable_node(g, v, LLVMGlobalGetValueType(v)));
    const LLVMValueRef *taken = taken_functions(f);
    for (size_t i = 0; i < vec_len(taken); i++) {
        for (unsigned k = 0; k < LLVMCountParams(taken[i]); k++) unite(g, value_node(g, LLVMGetParam(taken[i], k)), argument_node(k));
        unite(g, node_of(g, exprs_intern(f->pool, arena_printf(f->scratch, "result %p", (void *)taken[i]))), RESULT_NODE);
    }
    for (LLVMValueRef v = LLVMGetFirstFunction(f->module); v; v = LLVMGetNextFunction(v))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(v); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) note_instr(g, v, i);
    return g;
}

bool may_point_to(Front *f, LLVMValueRef pointer, LLVMValueRef function) {
    if (!f->targets) f->targets = targets_new(f);
    unsigned n = find(f->targets, value_node(f->targets, function));
    return n == find(f->targets, value_node(f->targets, pointer)) || n == find(f->targets, ELSEWHERE);
}

void targets_free(FunctionTargets *g) {
    if (!g) return;
    map_free(g->nodes);
    vec_free(g->parents);
}
