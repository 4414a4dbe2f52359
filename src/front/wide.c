/* SPDX-License-Identifier: Apache-2.0 */
/* Lowers integers of more than 128 bits. clang makes them for runs of bit-fields, and only moves, shifts by constants, masks and cuts
   them. So each limb of the result is composed of bits of the operands. */
#include "front/lower.h"

typedef struct Wide {
    const Expr **limbs;
    unsigned width;
    const Expr *fill; /* one bit: the value of all bits above */
} Wide;

static unsigned width_of(LLVMValueRef v) { return LLVMGetIntTypeWidth(LLVMTypeOf(v)); }

/* Returns n <= 64 bits from bit `low` on. Bits beyond the width are `fill`, bits below 0 are zero. */
static const Expr *bits(Lower *l, const Wide *w, int64_t low, unsigned n) {
    const Expr *result = NULL;
    while (n > 0) {
        const Expr *part;
        unsigned take;
        if (low < 0) {
            take = (uint64_t)-low < n ? (unsigned)-low : n;
            part = expr_bv(l->pool, take, 0);
        } else if (low >= (int64_t)w->width) {
            take = n;
            part = take == 1 ? w->fill : expr_convert(l->pool, OP_SEXT, w->fill, take);
        } else {
            const Expr *limb = w->limbs[low / LIMB];
            unsigned at = (unsigned)(low % LIMB);
            take = limb->sort->width - at < n ? limb->sort->width - at : n;
            part = expr_extract(l->pool, limb, at, take);
        }
        result = result ? expr_2(l->pool, OP_CONCAT, part, result) : part;
        low += take;
        n -= take;
    }
    return result;
}

/* Returns any integer value as limbs. */
static Wide widened(Lower *l, LLVMValueRef v, bool is_signed) {
    Wide w = {.limbs = value_leaves(l, v), .width = width_of(v), .fill = expr_bv(l->pool, 1, 0)};
    if (!type_is_wide(LLVMTypeOf(v))) {
        const Expr *e = as_bits(l->front, w.limbs[0]);
        w.limbs = arena_array(l->front->scratch, const Expr *, 2);
        w.limbs[0] = e->sort->width > LIMB ? expr_extract(l->pool, e, 0, LIMB) : e;
        if (e->sort->width > LIMB) w.limbs[1] = expr_extract(l->pool, e, LIMB, e->sort->width - LIMB);
    }
    if (is_signed) w.fill = bits(l, &w, (int64_t)w.width - 1, 1);
    return w;
}

static void define_shifted(Lower *l, LLVMValueRef i, const Wide *w, int64_t shift) {
    const Leaves *type = type_leaves(l->front, LLVMTypeOf(i));
    const Expr **out = arena_array(l->front->scratch, const Expr *, type->n + 1);
    for (unsigned k = 0; k < type->n; k++) out[k] = bits(l, w, (int64_t)k * LIMB + shift, type->leaf[k].sort->width);
    define(l, i, out);
}

static void define_bitwise(Lower *l, LLVMValueRef i, Op op) {
    const Leaves *type = type_leaves(l->front, LLVMTypeOf(i));
    const Expr **a = value_leaves(l, LLVMGetOperand(i, 0)), **b = value_leaves(l, LLVMGetOperand(i, 1));
    const Expr **out = arena_array(l->front->scratch, const Expr *, type->n + 1);
    for (unsigned k = 0; k < type->n; k++) out[k] = expr_2(l->pool, op, a[k], b[k]);
    define(l, i, out);
}

static bool lower_shift(Lower *l, LLVMValueRef i, LLVMOpcode opcode) {
    const Expr **amount = value_leaves(l, LLVMGetOperand(i, 1));
    for (unsigned k = 0; k < type_leaves(l->front, LLVMTypeOf(i))->n; k++)
        if (!expr_is_const(amount[k]) || (k > 0 && amount[k]->value)) return false;
    Wide w = widened(l, LLVMGetOperand(i, 0), opcode == LLVMAShr);
    int64_t n = (int64_t)amount[0]->value;
    if (n < 0 || n >= (int64_t)w.width) return false;
    define_shifted(l, i, &w, opcode == LLVMShl ? -n : n);
    return true;
}

static void lower_cut(Lower *l, LLVMValueRef i) {
    Wide w = widened(l, LLVMGetOperand(i, 0), false);
    unsigned n = width_of(i);
    if (type_is_wide(LLVMTypeOf(i))) {
        define_shifted(l, i, &w, 0);
        return;
    }
    const Expr *e = bits(l, &w, 0, n < LIMB ? n : LIMB);
    if (n > LIMB) e = expr_2(l->pool, OP_CONCAT, bits(l, &w, LIMB, n - LIMB), e);
    define_scalar(l, i, as_sort(l->front, e, type_sort(l->front, LLVMTypeOf(i))));
}

bool lower_wide(Lower *l, LLVMValueRef i) {
    LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
    bool wide = type_is_wide(LLVMTypeOf(i));
    if (opcode == LLVMTrunc && type_is_wide(LLVMTypeOf(LLVMGetOperand(i, 0)))) {
        lower_cut(l, i);
        return true;
    }
    if (!wide) return false;
    switch (opcode) {
    case LLVMZExt:
    case LLVMSExt: {
        Wide w = widened(l, LLVMGetOperand(i, 0), opcode == LLVMSExt);
        define_shifted(l, i, &w, 0);
        return true;
    }
    case LLVMAnd: define_bitwise(l, i, OP_BAND); return true;
    case LLVMOr: define_bitwise(l, i, OP_BOR); return true;
    case LLVMXor: define_bitwise(l, i, OP_BXOR); return true;
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr: return lower_shift(l, i, opcode);
    default: return false;
    }
}
