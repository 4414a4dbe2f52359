/* SPDX-License-Identifier: Apache-2.0 */
/* Lowers loads, stores and atomic operations. A place is a variable, of the frame or of the program, or an address. An access that other
   threads can see is a step of its own; reading a variable of the frame is not even an instruction. */
#include "front/lower.h"
#include "front/messages.h"
#include <string.h>

/* ---- memory at an address ---- */

/* An address based on an object leads into that object, or its use is undefined. */
bool address_private(Lower *l, const Expr *address) {
    if (address->op == OP_SYMBOL) {
        if (address->symbol->kind != SYM_ADDRESS) return false;
        const Object *o = address->symbol->user;
        return (o->readonly && o->kind == OBJECT_GLOBAL) || map_find(l->front->privates, o) != NULL;
    }
    if (address->op != OP_ADD) return false;
    return address_private(l, address->args[0]) || address_private(l, address->args[1]);
}

static Instr *emit_access(Lower *l, InstrKind kind, const Expr *address) {
    return address_private(l, address) ? emit_private(l, kind) : emit_visible(l, kind);
}

/* ---- orders ---- */

/* Return the order of the read and of the write that a read-modify-write consists of. */
static MemoryOrder reading_order(MemoryOrder o) { return o == ORDER_ACQ_REL ? ORDER_ACQUIRE : o == ORDER_RELEASE ? ORDER_RELAXED : o; }
static MemoryOrder writing_order(MemoryOrder o) { return o == ORDER_ACQ_REL ? ORDER_RELEASE : o == ORDER_ACQUIRE ? ORDER_RELAXED : o; }

static void mark_atomic(Instr *i, bool atomic, MemoryOrder order) {
    if (atomic) i->order = order;
    i->atomic |= atomic;
}

static void mark_read(const Lower *l, Instr *i, bool atomic) {
    mark_atomic(i, atomic, reading_order(l->order));
    i->failing = atomic && l->fails;
}

/* With store buffers, a read-modify-write and a seq_cst store wait until the buffer is empty, whatever they access. An access that other
   threads never see has no step of its own, but its fence remains. */
void fence_private(Lower *l, const Variable *v, const Expr *address, bool modifies) {
    const Object *o = address ? address_base(address) : NULL;
    bool own = v ? !v->global : address_private(l, address) || (o && (o->kind == OBJECT_LOCAL || o->kind == OBJECT_THREAD));
    MemoryOrder order = modifies ? ORDER_SEQ_CST : writing_order(l->order);
    if (own && front_is_buffered(l->front) && order != ORDER_RELAXED) emit_fence(l, order);
}

/* ---- scalars ---- */

const Expr *load_scalar(Lower *l, const Expr *address, const Sort *sort, uint64_t size, bool atomic) {
    const Expr *known = constant_load(l->front, address, sort, size);
    if (known) return known;
    Variable *t = emit_temporary(l, sort_bv(l->pool, (unsigned)size * 8));
    Instr *i = emit_access(l, INSTR_LOAD, address);
    i->target = t;
    i->address = address;
    mark_read(l, i, atomic);
    return from_memory(l->front, variable_expr(l->program, t), sort);
}

void store_scalar(Lower *l, const Expr *address, const Expr *value, uint64_t size, bool atomic) {
    Instr *i = emit_access(l, INSTR_STORE, address);
    i->address = address;
    i->value = to_memory(l->front, value, size);
    mark_atomic(i, atomic, writing_order(l->order));
    i->life = l->life;
    l->life = false;
}

/* ---- places ---- */

typedef struct Place {
    Variable *variable;  /* a plain variable, or … */
    const Expr *bound;   /* … the argument that a parameter always is, or … */
    const Expr *address; /* … an address in memory */
} Place;

static Place place_of(Lower *l, LLVMValueRef pointer) {
    Place p = {0};
    pointer = strip_alias(pointer);
    if (LLVMIsAAllocaInst(pointer)) {
        AllocaInfo *a = map_find(l->frame->info->alloca_of, pointer);
        if (a && a->sort) {
            p.variable = map_find(l->frame->variables, pointer);
            p.bound = map_find(l->frame->bound, pointer);
            return p;
        }
    } else if (LLVMIsAGlobalVariable(pointer)) {
        p.variable = global_info(l->front, pointer)->variable;
        if (p.variable) return p;
    }
    p.address = value_of(l, pointer);
    return p;
}

static const Expr *load_global(Lower *l, Variable *v, bool atomic) {
    Variable *t = emit_temporary(l, v->sort);
    Instr *i = emit_read(l, INSTR_ASSIGN);
    i->target = t;
    i->value = variable_expr(l->program, v);
    mark_read(l, i, atomic);
    return variable_expr(l->program, t);
}

/* Returns the struct (or union) that a parameter is a part of, and the offset of the part. The parameter's only use must be its store
   into the struct. */
static const AllocaInfo *struct_of_parameter(Front *f, LLVMValueRef parameter, uint64_t *offset) {
    LLVMUseRef use = LLVMGetFirstUse(parameter);
    LLVMValueRef store = use && !LLVMGetNextUse(use) ? LLVMIsAStoreInst(LLVMGetUser(use)) : NULL;
    LLVMValueRef place = store ? LLVMGetOperand(store, 1) : NULL;
    *offset = 0;
    if (place && LLVMIsAGetElementPtrInst(place)) {
        LLVMTypeRef type = LLVMGetGEPSourceElementType(place);
        unsigned n = (unsigned)LLVMGetNumOperands(place);
        LLVMValueRef index = LLVMGetOperand(place, n - 1);
        if (n != 3 || LLVMGetTypeKind(type) != LLVMStructTypeKind || !LLVMIsAConstantInt(index)) return NULL;
        *offset = LLVMOffsetOfElement(f->target, type, (unsigned)LLVMConstIntGetZExtValue(index));
        place = LLVMGetOperand(place, 0);
    }
    if (!place || !LLVMIsAAllocaInst(place)) return NULL;
    LLVMTypeRef type = LLVMGetAllocatedType(place);
    if (LLVMGetTypeKind(type) != LLVMStructTypeKind || !type_leaves(f, type)->supported) return NULL;
    return map_find(function_info(f, LLVMGetParamParent(parameter))->alloca_of, place);
}

/* Returns the struct that a loaded value is a part of, if the load's only use is to pass the struct by value to a function. In a call
   through a pointer, it is the struct of some function that the pointer may be. */
static const AllocaInfo *struct_passed(Front *f, LLVMValueRef load, uint64_t *offset) {
    LLVMUseRef use = LLVMGetFirstUse(load);
    LLVMValueRef call = use && !LLVMGetNextUse(use) ? LLVMIsACallInst(LLVMGetUser(use)) : NULL;
    if (!call || type_leaves(f, LLVMTypeOf(load))->n != 1) return NULL;
    unsigned k = 0;
    while (k < LLVMGetNumArgOperands(call) && LLVMGetOperand(call, k) != load) k++;
    LLVMValueRef callee = strip_alias(LLVMGetCalledValue(call));
    if (LLVMIsAFunction(callee)) return k < LLVMCountParams(callee) ? struct_of_parameter(f, LLVMGetParam(callee, k), offset) : NULL;
    const LLVMValueRef *taken = LLVMIsAInlineAsm(callee) ? NULL : taken_functions(f);
    for (size_t i = 0; i < vec_len(taken); i++) {
        LLVMValueRef parameter = k < LLVMCountParams(taken[i]) ? LLVMGetParam(taken[i], k) : NULL;
        const AllocaInfo *a = parameter && LLVMTypeOf(parameter) == LLVMTypeOf(load) ? struct_of_parameter(f, parameter, offset) : NULL;
        if (a) return a;
    }
    return NULL;
}

static void lower_load(Lower *l, LLVMValueRef i) {
    const Leaves *type = type_leaves(l->front, LLVMTypeOf(i));
    bool atomic = LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic;
    Place p = place_of(l, LLVMGetOperand(i, 0));
    uint64_t offset;
    const AllocaInfo *passed = p.address && !atomic && !address_private(l, p.address) ? struct_passed(l->front, i, &offset) : NULL;
    if (passed && offset + type->leaf[0].size <= passed->size) {
        define_scalar(l, i, from_memory(l->front, load_fields(l, p.address, passed, offset, type->leaf[0].size), type->leaf[0].sort));
    } else if (p.bound) {
        define_scalar(l, i, p.bound);
    } else if (p.variable) {
        define_scalar(l, i, p.variable->global ? load_global(l, p.variable, atomic) : variable_expr(l->program, p.variable));
    } else {
        const Expr **leaves = arena_array(l->front->scratch, const Expr *, type->n + 1);
        for (unsigned k = 0; k < type->n; k++)
            leaves[k] =
                load_scalar(l, address_add(l->front, p.address, type->leaf[k].offset), type->leaf[k].sort, type->leaf[k].size, atomic);
        define(l, i, leaves);
    }
}

static void store_global(Lower *l, Variable *v, const Expr *value, bool atomic) {
    Instr *i = emit_visible(l, INSTR_ASSIGN);
    i->target = v;
    i->value = value;
    mark_atomic(i, atomic, writing_order(l->order));
}

static void lower_store(Lower *l, LLVMValueRef i) {
    LLVMValueRef source = LLVMGetOperand(i, 0);
    const Leaves *type = type_leaves(l->front, LLVMTypeOf(source));
    bool atomic = LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic;
    const Expr **leaves = value_leaves(l, source), *kind = leaves[0];
    Place p = place_of(l, LLVMGetOperand(i, 1));
    if (p.bound) return; /* the store of the parameter itself */
    if (atomic) fence_private(l, p.variable, p.address, false);
    if (p.variable && p.variable->global) {
        store_global(l, p.variable, leaves[0], atomic);
    } else if (p.variable) {
        assign_local(l, p.variable, leaves[0]);
    } else if (stores_mutex_kind(l, LLVMGetOperand(i, 1), &p.address, &kind)) {
        store_scalar(l, p.address, kind, type->leaf[0].size, atomic);
    } else {
        for (unsigned k = 0; k < type->n; k++)
            store_scalar(l, address_add(l->front, p.address, type->leaf[k].offset), leaves[k], type->leaf[k].size, atomic);
    }
}

/* ---- read-modify-write: one step ---- */

static void begin_modify(Lower *l, const Place *p) {
    if (l->cursor.depth == 0) settle_faults(l);
    fence_private(l, p->variable, p->address, true);
}

/* Returns the old value, in a temporary. The action stays open for the store that completes it. */
static const Expr *read_place(Lower *l, const Place *p, const Sort *sort, uint64_t size) {
    if (!p->variable) return load_scalar(l, p->address, sort, size, true);
    return p->variable->global ? load_global(l, p->variable, true) : emit_hold(l, variable_expr(l->program, p->variable));
}

static void write_place(Lower *l, const Place *p, const Expr *value, uint64_t size) {
    if (p->variable && !p->variable->global) {
        assign_local(l, p->variable, value);
        return;
    }
    Instr *i = emit(l, p->variable ? INSTR_ASSIGN : INSTR_STORE);
    i->target = p->variable;
    i->address = p->address;
    i->value = p->variable ? value : to_memory(l->front, value, size);
    mark_atomic(i, true, writing_order(l->order));
}

static const Expr *modified(Lower *l, LLVMAtomicRMWBinOp op, const Expr *old, const Expr *x) {
    Exprs *p = l->pool;
    const Expr *zero = expr_const(p, old->sort, 0), *one = expr_const(p, old->sort, 1);
    switch (op) {
    case LLVMAtomicRMWBinOpXchg: return x;
    case LLVMAtomicRMWBinOpAdd: return expr_2(p, OP_ADD, old, x);
    case LLVMAtomicRMWBinOpSub: return expr_2(p, OP_SUB, old, x);
    case LLVMAtomicRMWBinOpAnd: return expr_2(p, OP_BAND, old, x);
    case LLVMAtomicRMWBinOpNand: return expr_2(p, OP_BXOR, expr_2(p, OP_BAND, old, x), expr_bv(p, old->sort->width, ~(u128)0));
    case LLVMAtomicRMWBinOpOr: return expr_2(p, OP_BOR, old, x);
    case LLVMAtomicRMWBinOpXor: return expr_2(p, OP_BXOR, old, x);
    case LLVMAtomicRMWBinOpMax: return expr_ite(p, expr_2(p, OP_SLT, old, x), x, old);
    case LLVMAtomicRMWBinOpMin: return expr_ite(p, expr_2(p, OP_SLT, x, old), x, old);
    case LLVMAtomicRMWBinOpUMax: return expr_ite(p, expr_2(p, OP_ULT, old, x), x, old);
    case LLVMAtomicRMWBinOpUMin: return expr_ite(p, expr_2(p, OP_ULT, x, old), x, old);
    case LLVMAtomicRMWBinOpFAdd: return expr_2(p, OP_FADD, old, x);
    case LLVMAtomicRMWBinOpFSub: return expr_2(p, OP_FSUB, old, x);
    case LLVMAtomicRMWBinOpUIncWrap: return expr_ite(p, expr_2(p, OP_ULE, x, old), zero, expr_2(p, OP_ADD, old, one));
    case LLVMAtomicRMWBinOpUDecWrap:
        return expr_ite(p, expr_or(p, expr_eq(p, old, zero), expr_2(p, OP_ULT, x, old)), x, expr_2(p, OP_SUB, old, one));
    default: return NULL;
    }
}

static void lower_modify(Lower *l, LLVMValueRef i) {
    const Leaves *type = type_leaves(l->front, LLVMTypeOf(i));
    Place p = place_of(l, LLVMGetOperand(i, 0));
    const Expr *x = value_of(l, LLVMGetOperand(i, 1));
    begin_modify(l, &p);
    const Expr *old = read_place(l, &p, type->leaf[0].sort, type->leaf[0].size);
    const Expr *value = old->sort->kind == SORT_BV ? modified(l, LLVMGetAtomicRMWBinOp(i), old, x) : NULL;
    if (!value) {
        emit_stop(l, APPROX_UNSUPPORTED, MSG_FRONT_ATOMIC_KIND);
        return;
    }
    write_place(l, &p, value, type->leaf[0].size);
    define_scalar(l, i, old);
}

/* Returns a variable that bounds the remaining failures of weak exchanges without a reason, where it matters whether executions end.
   Exchanges may fail any number of times, but not without end. */
static Variable *spare_failures(Lower *l) {
    static const char name[] = LIBRARY_PREFIX "spare failures";
    for (size_t i = 0; i < vec_len(l->program->globals); i++)
        if (!strcmp(l->program->globals[i]->name, name)) return l->program->globals[i];
    return program_global(l->program, name, sort_bv(l->pool, 32), NULL);
}

/* ---- compare-exchange: two actions, one that succeeds, and one that fails and only reads ---- */

typedef struct Exchange {
    Place place;
    const Expr *expected, *desired;
    uint64_t size;
    bool weak;
    unsigned before, after;  /* locations */
    Variable *old, *success; /* the result */
} Exchange;

/* Assumes that failures for no reason remain, if the values are equal. */
static void assume_spare(Lower *l, const Expr *equal) {
    Variable *v = spare_failures(l);
    const Expr *spare = variable_expr(l->program, v), *some = expr_2(l->pool, OP_ULT, expr_bv(l->pool, 32, 0), spare);
    emit_assume(l, expr_or(l->pool, expr_not(l->pool, equal), some), false, NULL);
    emit_assign(l, v, expr_ite(l->pool, equal, expr_2(l->pool, OP_SUB, spare, expr_bv(l->pool, 32, 1)), spare));
}

/* Assumes that the compare-exchange fails. A weak one may fail for no reason, but not for ever where FOR_ENDS is asked. */
static void assume_failure(Lower *l, const Exchange *x, const Expr *equal) {
    if (!x->weak) {
        emit_assume(l, expr_not(l->pool, equal), false, NULL);
        return;
    }
    for (Fork f = fork_by(l, FOR_ENDS); fork_next(l, &f);)
        if (asks(l, FOR_ENDS)) assume_spare(l, equal);
}

static void try_exchange(Lower *l, const Exchange *x, bool succeeds, MemoryOrder order) {
    l->cursor = emit_guarded(l, x->before, expr_bool(l->pool, true), l->cursor.depth);
    l->order = order;
    l->fails = !succeeds;
    const Expr *old = read_place(l, &x->place, x->old->sort, x->size), *equal = expr_eq(l->pool, old, x->expected);
    l->fails = false;
    if (succeeds) {
        emit_assume(l, equal, false, NULL);
        write_place(l, &x->place, x->desired, x->size);
    } else {
        assume_failure(l, x, equal);
        if (front_is_buffered(l->front)) emit(l, INSTR_FENCE)->order = ORDER_SEQ_CST; /* the machine's instruction drains the buffer */
    }
    emit_assign(l, x->old, old);
    emit_assign(l, x->success, expr_bool(l->pool, succeeds));
    emit_goto(l, x->after);
}

void lower_exchange(Lower *l, LLVMValueRef i, MemoryOrder failure) {
    const Leaves *type = type_leaves(l->front, LLVMTypeOf(LLVMGetOperand(i, 1)));
    Exchange x = {.place = place_of(l, LLVMGetOperand(i, 0)),
                  .expected = value_of(l, LLVMGetOperand(i, 1)),
                  .desired = value_of(l, LLVMGetOperand(i, 2)),
                  .size = type->leaf[0].size,
                  .weak = LLVMGetWeak(i),
                  .old = emit_temporary(l, type->leaf[0].sort),
                  .success = emit_temporary(l, sort_bool(l->pool))};
    begin_modify(l, &x.place);
    x.before = end_step(l);
    x.after = emit_location(l, LOCATION_PLAIN);
    Cursor after = {.location = x.after, .action = NONE, .depth = l->cursor.depth, .gone = l->cursor.gone, .dead = l->cursor.dead};
    try_exchange(l, &x, true, l->order);
    l->cursor = after;
    try_exchange(l, &x, false, failure);
    l->cursor = after;
    const Expr **leaves = arena_array(l->front->scratch, const Expr *, 2);
    leaves[0] = variable_expr(l->program, x.old);
    leaves[1] = variable_expr(l->program, x.success);
    define(l, i, leaves);
}

/* ---- stack space ---- */

/* Stops if a stack has no room for that many elements. This includes negative numbers. */
static void stop_if_too_large(Lower *l, const Expr *count, uint64_t size) {
    static const uint64_t most = 1ull << 30;
    const Expr *limit = pointer_const(l->front, most / (size ? size : 1) + 1);
    emit_stop_unless(l, expr_2(l->pool, OP_ULT, count, limit), MSG_FRONT_STACK_ARRAY);
}

/* Lowers a dynamic alloca; a static one exists from the entry of its frame.

   A variable-length array is freed where its scope ends. Memory of alloca() is freed at the return, or also at the end of a scope with
   variable-length arrays. If the alloca is executed again before that, the earlier memory is never freed. Only a program that keeps a
   pointer for too long could observe this. */
static void lower_alloca(Lower *l, LLVMValueRef i) {
    AllocaInfo *a = map_find(l->frame->info->alloca_of, i);
    if (a->sort || a->static_) return;
    Variable *v = map_find(l->frame->variables, i);
    const Expr *count = as_pointer(l->front, value_of(l, LLVMGetOperand(i, 0)), false);
    uint64_t size = type_size(l->front, LLVMGetAllocatedType(i));
    stop_if_too_large(l, count, size);
    Object *o = program_object(l->program, OBJECT_HEAP, a->name, 0);
    o->ctype = a->ctype;
    o->position = l->position;
    o->template_ = l->template_->index;
    o->stack = true;
    Instr *alloc = emit_visible(l, INSTR_ALLOC);
    alloc->object = o;
    alloc->target = v;
    alloc->zeroed = l->front->options->zero_memory;
    alloc->size = expr_2(l->pool, OP_MUL, count, pointer_const(l->front, size));
    define_scalar(l, i, variable_expr(l->program, v));
}

void lower_restore(Lower *l, LLVMValueRef call) {
    LLVMValueRef place = saved_stack(call);
    if (!place) {
        emit_stop(l, APPROX_UNSUPPORTED, MSG_FRONT_STACK_FREED);
        return;
    }
    vec_each(const AllocaInfo *, a, l->frame->info->allocas) {
        if (a->scope != place) continue;
        Variable *v = map_find(l->frame->variables, a->value);
        emit_visible(l, INSTR_FREE)->address = variable_expr(l->program, v);
        assign_local(l, v, pointer_const(l->front, 0));
    }
}

bool lower_memory(Lower *l, LLVMValueRef i) {
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMLoad: lower_load(l, i); return true;
    case LLVMStore: lower_store(l, i); return true;
    case LLVMAtomicRMW: lower_modify(l, i); return true;
    case LLVMAlloca: lower_alloca(l, i); return true;
    default: return false;
    }
}
