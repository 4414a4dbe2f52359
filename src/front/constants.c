/* SPDX-License-Identifier: Apache-2.0 */
/* Translates LLVM's constants to expressions: numbers, addresses, and constant arithmetic. */
#include "front/lower.h"
#include <string.h>

static bool scalar(Front *f, LLVMValueRef c, const Expr **out);

LLVMValueRef strip_alias(LLVMValueRef v) {
    while (LLVMIsAGlobalAlias(v)) v = LLVMAliasGetAliasee(v);
    return v;
}

/* ---- numbers ---- */

/* Parses the text of a wide integer, "i128 -5", which has no other accessor. */
static u128 wide_integer(LLVMValueRef c) {
    char *text = LLVMPrintValueToString(c);
    const char *s = strrchr(text, ' ');
    s = s ? s + 1 : text;
    bool negative = *s == '-';
    u128 value = 0;
    for (s += negative; *s >= '0' && *s <= '9'; s++) value = value * 10 + (unsigned)(*s - '0');
    LLVMDisposeMessage(text);
    return negative ? -value : value;
}

static u128 integer(LLVMValueRef c) { return LLVMGetIntTypeWidth(LLVMTypeOf(c)) <= 64 ? LLVMConstIntGetZExtValue(c) : wide_integer(c); }

/* Parses the text of a long double, "x86_fp80 0xK4000C8F5C28F5C28F5C3". */
static bool extended_float(LLVMValueRef c, u128 *bits) {
    char *text = LLVMPrintValueToString(c);
    const char *s = strstr(text, "0xK");
    *bits = 0;
    for (const char *d = s ? s + 3 : ""; *d; d++) {
        int digit = *d >= '0' && *d <= '9' ? *d - '0' : *d >= 'A' && *d <= 'F' ? *d - 'A' + 10 : -1;
        if (digit < 0) break;
        *bits = *bits << 4 | (u128)(unsigned)digit;
    }
    LLVMDisposeMessage(text);
    return s != NULL;
}

static bool floating(Front *f, LLVMValueRef c, const Expr **out) {
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(c));
    LLVMBool loses;
    double d = LLVMConstRealGetDouble(c, &loses);
    u128 bits = 0;
    if (kind == LLVMFloatTypeKind) {
        float s = (float)d;
        memcpy(&bits, &s, sizeof s);
    } else if (kind == LLVMDoubleTypeKind) {
        memcpy(&bits, &d, sizeof d);
    } else if (kind != LLVMX86_FP80TypeKind || !extended_float(c, &bits)) {
        return false;
    }
    *out = expr_const(f->pool, type_sort(f, LLVMTypeOf(c)), bits);
    return true;
}

static bool vector(Front *f, LLVMValueRef c, const Expr **out) {
    const Sort *sort = type_sort(f, LLVMTypeOf(c));
    if (!sort) return false;
    const Expr *all = NULL;
    for (unsigned i = 0; i < LLVMGetVectorSize(LLVMTypeOf(c)); i++) {
        const Expr *e;
        LLVMValueRef element = LLVMGetAggregateElement(c, i);
        if (!element || !scalar(f, element, &e)) return false;
        if (!e) e = expr_const(f->pool, type_sort(f, LLVMTypeOf(element)), 0);
        all = all ? expr_2(f->pool, OP_CONCAT, e, all) : e;
    }
    *out = all;
    return true;
}

/* ---- constant expressions ---- */

typedef struct Context {
    Front *front;
    bool failed;
} Context;

static const Expr *constant_index(void *context, LLVMValueRef v) {
    Context *c = context;
    const Expr *e = NULL;
    if (!scalar(c->front, v, &e) || !e) {
        c->failed = true;
        e = pointer_const(c->front, 0);
    }
    return e;
}

/* Returns index * size. C does not let it wrap around within an object; flags record this where it is not obvious, for
   analysis/pointsto.c. */
static const Expr *scaled_index(Front *f, LLVMValueRef gep, const Expr *index, uint64_t size) {
    bool narrow = index->op == OP_SEXT || index->op == OP_ZEXT || expr_is_const(index);
    unsigned flags = LLVMIsInBounds(gep) && !narrow && size > 1 ? FLAG_NSW | FLAG_EXACT : 0; /* focus keeps one of them */
    return expr_2f(f->pool, OP_MUL, flags, index, pointer_const(f, size));
}

/* Returns base + the offset of a getelementptr, which is an instruction or a constant. */
const Expr *gep_address(Front *f, LLVMValueRef gep, const Expr *base, const Expr *(*index)(void *, LLVMValueRef), void *context) {
    LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
    unsigned n = (unsigned)LLVMGetNumOperands(gep);
    for (unsigned i = 1; i < n; i++) {
        LLVMValueRef operand = LLVMGetOperand(gep, i);
        if (i > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            unsigned field = (unsigned)LLVMConstIntGetZExtValue(operand);
            base = address_add(f, base, LLVMOffsetOfElement(f->target, type, field));
            type = LLVMStructGetTypeAtIndex(type, field);
            continue;
        }
        if (i > 1) type = LLVMGetElementType(type);
        const Expr *e = as_pointer(f, index(context, operand), true);
        base = expr_2(f->pool, OP_ADD, base, scaled_index(f, gep, e, type_size(f, type)));
    }
    return base;
}

static bool constant_gep(Front *f, LLVMValueRef c, const Expr **out) {
    const Expr *base;
    Context context = {f, false};
    if (!scalar(f, LLVMGetOperand(c, 0), &base) || !base) return false;
    *out = gep_address(f, c, base, constant_index, &context);
    return !context.failed;
}

static bool binary(Front *f, LLVMValueRef c, const Expr **out) {
    static const struct {
        LLVMOpcode opcode;
        Op op;
    } table[] = {{LLVMAdd, OP_ADD}, {LLVMSub, OP_SUB}, {LLVMMul, OP_MUL}, {LLVMXor, OP_BXOR}, {LLVMAnd, OP_BAND}, {LLVMOr, OP_BOR}};
    const Expr *a, *b;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if (table[i].opcode != LLVMGetConstOpcode(c)) continue;
        if (!scalar(f, LLVMGetOperand(c, 0), &a) || !scalar(f, LLVMGetOperand(c, 1), &b) || !a || !b) return false;
        if (a->sort->kind != SORT_BV) return false;
        *out = expr_2(f->pool, table[i].op, a, b);
        return true;
    }
    return false;
}

static bool expression(Front *f, LLVMValueRef c, const Expr **out) {
    const Expr *a;
    switch (LLVMGetConstOpcode(c)) {
    case LLVMGetElementPtr: return constant_gep(f, c, out);
    case LLVMBitCast:
    case LLVMAddrSpaceCast:
    case LLVMPtrToInt:
    case LLVMIntToPtr:
    case LLVMTrunc: {
        const Sort *sort = type_sort(f, LLVMTypeOf(c));
        if (!sort || !scalar(f, LLVMGetOperand(c, 0), &a)) return false;
        *out = a ? as_sort(f, a, sort) : NULL;
        return true;
    }
    default: return binary(f, c, out);
    }
}

static bool global_address(Front *f, LLVMValueRef c, const Expr **out) {
    LLVMValueRef global = strip_alias(c);
    if (LLVMGetLinkage(global) == LLVMExternalWeakLinkage || LLVMIsAGlobalIFunc(global)) return false; /* null if no file defines it */
    if (LLVMIsAFunction(global)) {
        *out = object_address(f->program, function_object(f, global));
        return true;
    }
    if (!LLVMIsAGlobalVariable(global)) return scalar(f, global, out);
    GlobalInfo *info = global_info(f, global);
    if (!info->object) return false;
    *out = object_address(f->program, info->object);
    return true;
}

static bool scalar(Front *f, LLVMValueRef c, const Expr **out) {
    *out = NULL;
    if (LLVMIsUndef(c) || LLVMIsPoison(c)) return true;
    if (LLVMIsAConstantInt(c)) {
        const Sort *sort = type_sort(f, LLVMTypeOf(c));
        if (sort) *out = expr_const(f->pool, sort, integer(c));
        return sort != NULL;
    }
    if (LLVMIsAConstantFP(c)) return floating(f, c, out);
    if (LLVMIsAConstantPointerNull(c) || LLVMIsAConstantAggregateZero(c)) {
        const Sort *sort = type_sort(f, LLVMTypeOf(c));
        if (sort) *out = expr_const(f->pool, sort, 0);
        return sort != NULL;
    }
    if (LLVMIsABlockAddress(c)) {
        *out = object_address(f->program, label_object(f, LLVMGetBlockAddressBasicBlock(c)));
        return true;
    }
    if (LLVMIsAGlobalValue(c)) return global_address(f, c, out);
    if (LLVMGetTypeKind(LLVMTypeOf(c)) == LLVMVectorTypeKind) return vector(f, c, out);
    if (LLVMIsAConstantExpr(c)) return expression(f, c, out);
    return false;
}

/* Splits decimal text into limbs by dividing it by 2^64 repeatedly. */
static bool wide_leaves(Front *f, LLVMValueRef c, const Expr **leaves, unsigned *n) {
    const Leaves *type = type_leaves(f, LLVMTypeOf(c));
    if (LLVMIsUndef(c)) {
        *n += type->n;
        return true;
    }
    char *text = LLVMPrintValueToString(c), *s = strrchr(text, ' ');
    s = s ? s + 1 : text;
    bool negative = *s == '-', number = LLVMIsAConstantInt(c) != NULL;
    for (unsigned i = 0, borrow = 1; number && i < type->n; i++) {
        u128 rest = 0;
        uint64_t limb = 0;
        for (unsigned k = 0; k < LIMB; k++) { /* halves the decimal for each bit */
            unsigned carry = 0;
            for (char *d = s + negative; *d; d++) {
                unsigned digit = carry * 10 + (unsigned)(*d - '0');
                *d = (char)('0' + digit / 2);
                carry = digit % 2;
            }
            limb |= (uint64_t)carry << k;
        }
        if (negative) {
            rest = (u128)(uint64_t)~limb + borrow;
            limb = (uint64_t)rest;
            borrow = (unsigned)(rest >> LIMB);
        }
        leaves[(*n)++] =
            expr_const(f->pool, type->leaf[i].sort,
                       limb & (type->leaf[i].sort->width < LIMB ? ((uint64_t)1 << type->leaf[i].sort->width) - 1 : ~(uint64_t)0));
    }
    LLVMDisposeMessage(text);
    return number;
}

static bool aggregate(Front *f, LLVMValueRef c, const Expr **leaves, unsigned *n) {
    LLVMTypeRef type = LLVMTypeOf(c);
    if (type_is_wide(type)) return wide_leaves(f, c, leaves, n);
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    if (kind != LLVMStructTypeKind && kind != LLVMArrayTypeKind) return scalar(f, c, &leaves[(*n)++]);
    uint64_t count = kind == LLVMStructTypeKind ? LLVMCountStructElementTypes(type) : LLVMGetArrayLength2(type);
    for (uint64_t i = 0; i < count; i++) {
        LLVMValueRef element = LLVMGetAggregateElement(c, (unsigned)i);
        if (!element || !aggregate(f, element, leaves, n)) return false;
    }
    return true;
}

bool constant_leaves(Front *f, LLVMValueRef c, const Expr **leaves) {
    const Leaves *l = type_leaves(f, LLVMTypeOf(c));
    unsigned n = 0;
    return l->supported && aggregate(f, c, leaves, &n);
}

const Expr *weak_address(Lower *l, LLVMValueRef function) {
    const Expr *address = object_address(l->front->program, function_object(l->front, function));
    emit_over(l, "another file may define the weak function %s", LLVMGetValueName(function));
    return expr_ite(l->pool, emit_any(l, sort_bool(l->pool)), address, expr_const(l->pool, address->sort, 0));
}
