/* SPDX-License-Identifier: Apache-2.0 */
/* Lowers instructions that only compute: LLVM's operators become those of ops.def, with their flags. */
#include "front/lower.h"
#include "front/messages.h"
#include <string.h>

static LLVMValueRef op(LLVMValueRef i, unsigned k) { return LLVMGetOperand(i, k); }

static bool is_vector(LLVMValueRef v) { return LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMVectorTypeKind; }

static void unsupported(Lower *l, LLVMValueRef i) {
    char *text = LLVMPrintValueToString(i);
    const char *s = text;
    while (*s == ' ') s++;
    size_t length = strcspn(s, "!\n");
    emit_stop(l, APPROX_UNSUPPORTED, MSG_FRONT_OPERATION, (int)(length < 100 ? length : 100), s);
    LLVMDisposeMessage(text);
}

/* ---- arithmetic ---- */

typedef struct Binary {
    LLVMOpcode opcode;
    Op op;
    bool wraps, exact, floating; /* the flags that it may carry */
} Binary;

static const Binary binaries[] = {
    {LLVMAdd, OP_ADD, true, false, false},    {LLVMSub, OP_SUB, true, false, false},   {LLVMMul, OP_MUL, true, false, false},
    {LLVMShl, OP_SHL, true, false, false},    {LLVMUDiv, OP_UDIV, false, true, false}, {LLVMSDiv, OP_SDIV, false, true, false},
    {LLVMLShr, OP_LSHR, false, true, false},  {LLVMAShr, OP_ASHR, false, true, false}, {LLVMURem, OP_UREM, false, false, false},
    {LLVMSRem, OP_SREM, false, false, false}, {LLVMAnd, OP_BAND, false, false, false}, {LLVMOr, OP_BOR, false, false, false},
    {LLVMXor, OP_BXOR, false, false, false},  {LLVMFAdd, OP_FADD, false, false, true}, {LLVMFSub, OP_FSUB, false, false, true},
    {LLVMFMul, OP_FMUL, false, false, true},  {LLVMFDiv, OP_FDIV, false, false, true}, {LLVMFRem, OP_FREM, false, false, true}};

static const Binary *binary_of(LLVMOpcode opcode) {
    for (size_t i = 0; i < sizeof binaries / sizeof *binaries; i++)
        if (binaries[i].opcode == opcode) return &binaries[i];
    return NULL;
}

static const Expr *truth_operation(Lower *l, Op o, const Expr *a, const Expr *b) {
    switch (o) {
    case OP_BAND:
    case OP_MUL: return expr_and(l->pool, a, b);
    case OP_BOR: return expr_or(l->pool, a, b);
    case OP_BXOR:
    case OP_ADD:
    case OP_SUB: return expr_not(l->pool, expr_eq(l->pool, a, b));
    default: return NULL;
    }
}

static bool float_supported(unsigned width) { return width == 32 || width == 64 || width == 80; }

/* Computes an element of the result of an operator from the elements x and y. y: NULL, if the operator has a single operand. */
typedef const Expr *Elementwise(Lower *, LLVMValueRef i, const Expr *x, const Expr *y);

static unsigned element_bits(Lower *l, LLVMValueRef v) { return type_bits(type_sort(l->front, LLVMGetElementType(LLVMTypeOf(v)))); }

/* Returns the k-th element of an operand that is a vector. */
static const Expr *element(Lower *l, LLVMValueRef v, unsigned k) {
    unsigned width = element_bits(l, v);
    return expr_extract(l->pool, value_of(l, v), k * width, width);
}

/* Applies an operator to each element of its operands. The result is a vector, or NULL if the operator is not modelled. */
static const Expr *elementwise(Lower *l, LLVMValueRef i, bool two, Elementwise *apply) {
    const Expr *all = NULL;
    for (unsigned k = 0; k < LLVMGetVectorSize(LLVMTypeOf(i)); k++) {
        const Expr *e = apply(l, i, element(l, op(i, 0), k), two ? element(l, op(i, 1), k) : NULL);
        if (!e) return NULL;
        e = as_bits(l->front, e);
        all = all ? expr_2(l->pool, OP_CONCAT, e, all) : e;
    }
    return all;
}

static const Expr *binary_of_values(Lower *l, LLVMValueRef i, const Expr *x, const Expr *y) {
    const Binary *b = binary_of(LLVMGetInstructionOpcode(i));
    if (x->sort->kind == SORT_BOOL) return truth_operation(l, b->op, x, y);
    if (b->floating && !float_supported(x->sort->width)) return NULL;
    unsigned flags = 0;
    if (b->wraps && LLVMGetNSW(i)) flags |= FLAG_NSW;
    if (b->wraps && LLVMGetNUW(i)) flags |= FLAG_NUW;
    if (b->exact && LLVMGetExact(i)) flags |= FLAG_EXACT;
    return expr_2f(l->pool, b->op, flags, x, y);
}

static const Expr *binary(Lower *l, LLVMValueRef i) {
    if (is_vector(i)) return elementwise(l, i, true, binary_of_values);
    return binary_of_values(l, i, value_of(l, op(i, 0)), value_of(l, op(i, 1)));
}

/* ---- comparisons ---- */

/* Decides a comparison of addresses where it is known: no object is near address 0, and functions have different addresses. */
static const Expr *compare_addresses(Front *f, const Expr *a, const Expr *b) {
    Object *x, *y;
    uint64_t m, n;
    if (!address_split(f, a, &x, &m)) return NULL;
    if (expr_is_const(b) && b->value == 0 && m <= x->size) return expr_bool(f->pool, false);
    if (!address_split(f, b, &y, &n) || m || n || x == y) return NULL;
    return x->kind == OBJECT_FUNCTION && y->kind == OBJECT_FUNCTION ? expr_bool(f->pool, false) : NULL;
}

static const Expr *equal(Front *f, const Expr *a, const Expr *b) {
    const Expr *known = NULL;
    if (a->sort->kind == SORT_BV && a->sort->width == f->pointer_width) {
        known = compare_addresses(f, a, b);
        if (!known) known = compare_addresses(f, b, a);
    }
    return known ? known : expr_eq(f->pool, a, b);
}

static const Expr *integer_compare(Front *f, LLVMIntPredicate predicate, const Expr *a, const Expr *b) {
    if (predicate == LLVMIntEQ) return equal(f, a, b);
    if (predicate == LLVMIntNE) return expr_not(f->pool, equal(f, a, b));
    a = as_bits(f, a);
    b = as_bits(f, b);
    switch (predicate) {
    case LLVMIntUGT: return expr_2(f->pool, OP_ULT, b, a);
    case LLVMIntUGE: return expr_2(f->pool, OP_ULE, b, a);
    case LLVMIntULT: return expr_2(f->pool, OP_ULT, a, b);
    case LLVMIntULE: return expr_2(f->pool, OP_ULE, a, b);
    case LLVMIntSGT: return expr_2(f->pool, OP_SLT, b, a);
    case LLVMIntSGE: return expr_2(f->pool, OP_SLE, b, a);
    case LLVMIntSLT: return expr_2(f->pool, OP_SLT, a, b);
    default: return expr_2(f->pool, OP_SLE, a, b);
    }
}

static const Expr *compare_elements(Lower *l, LLVMValueRef i, const Expr *x, const Expr *y) {
    return integer_compare(l->front, LLVMGetICmpPredicate(i), x, y);
}

/* The unordered predicates are the negations of the opposite ordered ones. */
static const Expr *float_compare(Lower *l, LLVMRealPredicate predicate, const Expr *a, const Expr *b) {
    Exprs *p = l->pool;
    switch (predicate) {
    case LLVMRealPredicateFalse: return expr_bool(p, false);
    case LLVMRealOEQ: return expr_2(p, OP_FEQ, a, b);
    case LLVMRealOGT: return expr_2(p, OP_FLT, b, a);
    case LLVMRealOGE: return expr_2(p, OP_FLE, b, a);
    case LLVMRealOLT: return expr_2(p, OP_FLT, a, b);
    case LLVMRealOLE: return expr_2(p, OP_FLE, a, b);
    case LLVMRealONE: return expr_or(p, expr_2(p, OP_FLT, a, b), expr_2(p, OP_FLT, b, a));
    case LLVMRealORD: return expr_not(p, expr_2(p, OP_FUNO, a, b));
    case LLVMRealUNO: return expr_2(p, OP_FUNO, a, b);
    case LLVMRealUEQ: return expr_or(p, expr_2(p, OP_FUNO, a, b), expr_2(p, OP_FEQ, a, b));
    case LLVMRealUGT: return expr_not(p, expr_2(p, OP_FLE, a, b));
    case LLVMRealUGE: return expr_not(p, expr_2(p, OP_FLT, a, b));
    case LLVMRealULT: return expr_not(p, expr_2(p, OP_FLE, b, a));
    case LLVMRealULE: return expr_not(p, expr_2(p, OP_FLT, b, a));
    case LLVMRealUNE: return expr_not(p, expr_2(p, OP_FEQ, a, b));
    default: return expr_bool(p, true);
    }
}

/* ---- conversions ---- */

/* Changes the width of an element. */
static const Expr *resize_element(Lower *l, LLVMValueRef i, const Expr *x, const Expr *none) {
    (void)none;
    unsigned width = element_bits(l, i);
    return LLVMIsATruncInst(i) ? expr_extract(l->pool, x, 0, width)
                               : expr_convert(l->pool, LLVMIsASExtInst(i) ? OP_SEXT : OP_ZEXT, x, width);
}

static const Expr *convert(Lower *l, LLVMValueRef i) {
    const Sort *sort = type_sort(l->front, LLVMTypeOf(i));
    const Expr *e = value_of(l, op(i, 0));
    if (!sort) return NULL;
    LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
    if (is_vector(i) != is_vector(op(i, 0)) && opcode != LLVMBitCast) return NULL;
    if (is_vector(i) && (opcode == LLVMTrunc || opcode == LLVMZExt || opcode == LLVMSExt)) return elementwise(l, i, false, resize_element);
    if (is_vector(i) && opcode != LLVMBitCast) return NULL;
    /* A _Bool in memory is 0 or 1, so its bits need not be extracted. */
    if (opcode == LLVMTrunc && sort->kind == SORT_BOOL && e->sort->width == 8 && LLVMIsALoadInst(op(i, 0)))
        return expr_not(l->pool, expr_eq(l->pool, e, expr_bv(l->pool, 8, 0)));
    switch (opcode) {
    case LLVMTrunc:
    case LLVMZExt:
    case LLVMPtrToInt:
    case LLVMIntToPtr:
    case LLVMBitCast:
    case LLVMAddrSpaceCast: return as_sort(l->front, e, sort);
    case LLVMSExt: return expr_convert(l->pool, OP_SEXT, as_bits(l->front, e), sort->width);
    default: break;
    }
    Op conversion = opcode == LLVMFPToSI   ? OP_FP_TO_SBV
                    : opcode == LLVMFPToUI ? OP_FP_TO_UBV
                    : opcode == LLVMSIToFP ? OP_SBV_TO_FP
                    : opcode == LLVMUIToFP ? OP_UBV_TO_FP
                                           : OP_FP_TO_FP;
    bool from_float = conversion != OP_SBV_TO_FP && conversion != OP_UBV_TO_FP;
    bool to_float = conversion != OP_FP_TO_SBV && conversion != OP_FP_TO_UBV;
    if ((from_float && !float_supported(e->sort->width)) || (to_float && !float_supported(sort->width))) return NULL;
    if (to_float) return expr_convert(l->pool, conversion, as_bits(l->front, e), sort->width);
    return as_sort(l->front, expr_convert(l->pool, conversion, e, type_bits(sort)), sort);
}

/* ---- aggregates ---- */

/* Returns the index of the first leaf of the part that the indices lead to. */
static unsigned leaf_of(Lower *l, LLVMTypeRef type, const unsigned *indices, unsigned n) {
    unsigned leaf = 0;
    for (unsigned k = 0; k < n; k++) {
        if (LLVMGetTypeKind(type) == LLVMArrayTypeKind) {
            type = LLVMGetElementType(type);
            leaf += indices[k] * type_leaves(l->front, type)->n;
            continue;
        }
        for (unsigned i = 0; i < indices[k]; i++) leaf += type_leaves(l->front, LLVMStructGetTypeAtIndex(type, i))->n;
        type = LLVMStructGetTypeAtIndex(type, indices[k]);
    }
    return leaf;
}

static void extract_value(Lower *l, LLVMValueRef i) {
    const Expr **whole = value_leaves(l, op(i, 0));
    unsigned first = leaf_of(l, LLVMTypeOf(op(i, 0)), LLVMGetIndices(i), LLVMGetNumIndices(i));
    unsigned n = type_leaves(l->front, LLVMTypeOf(i))->n;
    const Expr **part = arena_array(l->front->scratch, const Expr *, n + 1);
    for (unsigned k = 0; k < n; k++) part[k] = whole[first + k];
    define(l, i, part);
}

static void insert_value(Lower *l, LLVMValueRef i) {
    const Expr **whole = value_leaves(l, op(i, 0)), **part = value_leaves(l, op(i, 1));
    unsigned first = leaf_of(l, LLVMTypeOf(i), LLVMGetIndices(i), LLVMGetNumIndices(i));
    unsigned n = type_leaves(l->front, LLVMTypeOf(i))->n, m = type_leaves(l->front, LLVMTypeOf(op(i, 1)))->n;
    const Expr **result = arena_array(l->front->scratch, const Expr *, n + 1);
    for (unsigned k = 0; k < n; k++) result[k] = k >= first && k < first + m ? part[k - first] : whole[k];
    define(l, i, result);
}

static const Expr *extract_element(Lower *l, LLVMValueRef i) {
    const Sort *sort = type_sort(l->front, LLVMTypeOf(i));
    const Expr *index = value_of(l, op(i, 1)), *whole = value_of(l, op(i, 0));
    if (!sort || sort->kind != SORT_BV || !expr_is_const(index)) return NULL;
    unsigned low = (unsigned)index->value * sort->width;
    return low + sort->width <= whole->sort->width ? expr_extract(l->pool, whole, low, sort->width) : NULL;
}

static const Expr *insert_element(Lower *l, LLVMValueRef i) {
    const Expr *whole = value_of(l, op(i, 0)), *part = value_of(l, op(i, 1)), *index = value_of(l, op(i, 2));
    if (part->sort->kind != SORT_BV || !expr_is_const(index)) return NULL;
    unsigned width = whole->sort->width, low = (unsigned)index->value * part->sort->width, high = low + part->sort->width;
    if (high > width) return NULL;
    const Expr *e = part;
    if (low) e = expr_2(l->pool, OP_CONCAT, e, expr_extract(l->pool, whole, 0, low));
    if (high < width) e = expr_2(l->pool, OP_CONCAT, expr_extract(l->pool, whole, high, width - high), e);
    return e;
}

/* Makes a vector of the elements of two vectors. An element that is not chosen is any value. */
static const Expr *shuffle_elements(Lower *l, LLVMValueRef i) {
    unsigned n = LLVMGetVectorSize(LLVMTypeOf(op(i, 0)));
    const Expr *all = NULL;
    for (unsigned k = 0; k < LLVMGetNumMaskElements(i); k++) {
        int from = LLVMGetMaskValue(i, k);
        const Expr *e = from == LLVMGetUndefMaskElem() ? emit_any(l, sort_bv(l->pool, element_bits(l, i)))
                                                       : element(l, op(i, (unsigned)from >= n), (unsigned)from % n);
        all = all ? expr_2(l->pool, OP_CONCAT, e, all) : e;
    }
    return all;
}

static void select_value(Lower *l, LLVMValueRef i) {
    const Expr *c = value_of(l, op(i, 0)), **a = value_leaves(l, op(i, 1)), **b = value_leaves(l, op(i, 2));
    unsigned n = type_leaves(l->front, LLVMTypeOf(i))->n;
    const Expr **result = arena_array(l->front->scratch, const Expr *, n + 1);
    for (unsigned k = 0; k < n; k++) result[k] = expr_ite(l->pool, c, a[k], b[k]);
    define(l, i, result);
}

static void freeze(Lower *l, LLVMValueRef i) {
    unsigned n = type_leaves(l->front, LLVMTypeOf(i))->n;
    const Expr **from = value_leaves(l, op(i, 0)), **result = arena_array(l->front->scratch, const Expr *, n + 1);
    for (unsigned k = 0; k < n; k++) result[k] = from[k];
    define(l, i, result);
}

/* ---- all ---- */

static const Expr *gep_index(void *context, LLVMValueRef v) { return value_of(context, v); }

static const Expr *scalar_instr(Lower *l, LLVMValueRef i) {
    LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
    if (binary_of(opcode)) return binary(l, i);
    const Expr *x;
    switch (opcode) {
    case LLVMICmp:
        if (is_vector(op(i, 0))) return elementwise(l, i, true, compare_elements);
        x = value_of(l, op(i, 0));
        return integer_compare(l->front, LLVMGetICmpPredicate(i), x, value_of(l, op(i, 1)));
    case LLVMFCmp:
        x = value_of(l, op(i, 0));
        if (is_vector(op(i, 0)) || !float_supported(x->sort->width)) return NULL;
        return float_compare(l, LLVMGetFCmpPredicate(i), x, value_of(l, op(i, 1)));
    case LLVMFNeg: x = value_of(l, op(i, 0)); return is_vector(i) || !float_supported(x->sort->width) ? NULL : expr_1(l->pool, OP_FNEG, x);
    case LLVMGetElementPtr:
        if (is_vector(i)) return NULL;
        return gep_address(l->front, i, value_of(l, op(i, 0)), gep_index, l);
    case LLVMExtractElement: return extract_element(l, i);
    case LLVMInsertElement: return insert_element(l, i);
    case LLVMShuffleVector: return shuffle_elements(l, i);
    case LLVMTrunc:
    case LLVMZExt:
    case LLVMSExt:
    case LLVMPtrToInt:
    case LLVMIntToPtr:
    case LLVMBitCast:
    case LLVMAddrSpaceCast:
    case LLVMFPToSI:
    case LLVMFPToUI:
    case LLVMSIToFP:
    case LLVMUIToFP:
    case LLVMFPTrunc:
    case LLVMFPExt: return convert(l, i);
    default: return NULL;
    }
}

static bool operands_supported(Lower *l, LLVMValueRef i) {
    if (!type_leaves(l->front, LLVMTypeOf(i))->supported) return false;
    if (LLVMIsACallInst(i)) return true;
    for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(i); k++)
        if (!type_leaves(l->front, LLVMTypeOf(op(i, k)))->supported) return false;
    return true;
}

/* True for an operand of a wide type, of which other code would see only the lowest limb. */
static bool touches_wide(LLVMValueRef i) {
    bool wide = type_is_wide(LLVMTypeOf(i));
    for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(i); k++) wide |= type_is_wide(LLVMTypeOf(op(i, k)));
    return wide;
}

static LLVMAtomicOrdering ordering_of(LLVMValueRef i) {
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMLoad:
    case LLVMStore:
    case LLVMFence:
    case LLVMAtomicRMW: return LLVMGetOrdering(i);
    case LLVMAtomicCmpXchg: return LLVMGetCmpXchgSuccessOrdering(i);
    default: return LLVMAtomicOrderingNotAtomic;
    }
}

static MemoryOrder order_of(LLVMAtomicOrdering o) {
    switch (o) {
    case LLVMAtomicOrderingSequentiallyConsistent: return ORDER_SEQ_CST;
    case LLVMAtomicOrderingAcquireRelease: return ORDER_ACQ_REL;
    case LLVMAtomicOrderingRelease: return ORDER_RELEASE;
    case LLVMAtomicOrderingAcquire: return ORDER_ACQUIRE;
    default: return ORDER_RELAXED;
    }
}

void emit_fence(Lower *l, MemoryOrder order) {
    PropertySet set = l->front->options->weak ? FOR_ALL : FOR_RACES;
    for (Fork f = fork_by(l, set); fork_next(l, &f);)
        if (asks(l, set)) emit_visible(l, INSTR_FENCE)->order = order;
}

/* A fence for a single thread orders only what its signal handlers see, so it does not affect other threads. */
static void lower_fence(Lower *l, LLVMValueRef i) {
    if (!LLVMIsAtomicSingleThread(i)) emit_fence(l, l->order);
}

static MemoryOrder failure_order(LLVMValueRef i) {
    return LLVMIsAAtomicCmpXchgInst(i) ? order_of(LLVMGetCmpXchgFailureOrdering(i)) : ORDER_SEQ_CST;
}

/* Records that weaker accesses have more executions than those under sequential consistency. */
static void note_weak(Lower *l, LLVMValueRef i) {
    if (ordering_of(i) == LLVMAtomicOrderingNotAtomic || (l->order == ORDER_SEQ_CST && failure_order(i) == ORDER_SEQ_CST)) return;
    if (!(l->asked & ~l->front->weak_noted) || l->frame->info->model || l->front->options->weak) return;
    l->front->weak_noted |= l->asked;
    emit_assumption(l, NULL, MSG_FRONT_WEAK_AS_SC);
}

void lower_instr(Lower *l, LLVMValueRef i) {
    if (!operands_supported(l, i)) {
        unsupported(l, i);
        return;
    }
    l->order = order_of(ordering_of(i));
    note_weak(l, i);
    if (lower_memory(l, i) || lower_wide(l, i)) return;
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMCall: lower_call(l, i); return;
    case LLVMFence: lower_fence(l, i); return;
    case LLVMAtomicCmpXchg: lower_exchange(l, i, failure_order(i)); return;
    case LLVMExtractValue: extract_value(l, i); return;
    case LLVMInsertValue: insert_value(l, i); return;
    case LLVMFreeze: freeze(l, i); return;
    case LLVMSelect:
        if (!is_vector(op(i, 0))) {
            select_value(l, i);
            return;
        }
        break;
    default: break;
    }
    const Expr *e = touches_wide(i) ? NULL : scalar_instr(l, i);
    if (e) define_scalar(l, i, e);
    else unsupported(l, i);
}
