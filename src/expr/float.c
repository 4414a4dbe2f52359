/* SPDX-License-Identifier: Apache-2.0 */
/* Applies floating-point operators with the host's types: float, double and long double are IEEE binary32, binary64 and x87 extended,
   with the default rounding (to nearest even). Values are passed as bit patterns. */
#include "expr/internal.h"
#include <float.h>
#include <math.h>
#include <string.h>

_Static_assert(FLT_MANT_DIG == 24 && DBL_MANT_DIG == 53 && LDBL_MANT_DIG == 64, "the host's floats are not x86's");

bool float_width(unsigned width) { return width == 32 || width == 64 || width == 80; }

/* Widening is exact, so long double can hold all three formats. */
long double float_value(u128 bits, unsigned width) {
    float f;
    double d;
    long double l = 0;
    switch (width) {
    case 32: memcpy(&f, &bits, 4); return (long double)f;
    case 64: memcpy(&d, &bits, 8); return (long double)d;
    default: memcpy(&l, &bits, 10); return l;
    }
}

static u128 bits_of(long double v, unsigned width) {
    u128 bits = 0;
    float f = (float)v;
    double d = (double)v;
    switch (width) {
    case 32: memcpy(&bits, &f, 4); break;
    case 64: memcpy(&bits, &d, 8); break;
    default: memcpy(&bits, &v, 10);
    }
    return bits;
}

/* Each width computes in its own type, since rounding twice would differ. */
#define ARITHMETIC(name, type, bytes, remainder) \
    static u128 name(Op op, u128 x, u128 y) {    \
        type a = 0, b = 0, r;                    \
        u128 bits = 0;                           \
        memcpy(&a, &x, bytes);                   \
        memcpy(&b, &y, bytes);                   \
        switch (op) {                            \
        case OP_FADD: r = a + b; break;          \
        case OP_FSUB: r = a - b; break;          \
        case OP_FMUL: r = a * b; break;          \
        case OP_FDIV: r = a / b; break;          \
        default: r = remainder(a, b);            \
        }                                        \
        memcpy(&bits, &r, bytes);                \
        return bits;                             \
    }
ARITHMETIC(single_arithmetic, float, 4, fmodf)
ARITHMETIC(double_arithmetic, double, 8, fmod)
ARITHMETIC(extended_arithmetic, long double, 10, fmodl)

static u128 arithmetic(Op op, unsigned width, u128 a, u128 b) {
    switch (width) {
    case 32: return single_arithmetic(op, a, b);
    case 64: return double_arithmetic(op, a, b);
    default: return extended_arithmetic(op, a, b);
    }
}

static bool compare(Op op, long double a, long double b) {
    switch (op) {
    case OP_FEQ: return a == b;
    case OP_FLT: return isless(a, b);
    case OP_FLE: return islessequal(a, b);
    default: return isunordered(a, b);
    }
}

static Fault to_integer(const Expr *e, long double v, u128 *bits) {
    unsigned width = e->sort->width;
    long double whole = truncl(v);
    if (e->op == OP_FP_TO_SBV) {
        long double limit = ldexpl(1, (int)width - 1);
        if (!(whole >= -limit && whole < limit)) /* NaN too */
            return FAULT_CONVERSION;
        *bits = (u128)(i128)whole;
    } else {
        if (!(whole >= 0 && whole < ldexpl(1, (int)width))) return FAULT_CONVERSION;
        *bits = (u128)whole;
    }
    return FAULT_NONE;
}

/* Rounds once, directly to the target type. */
static u128 from_signed(i128 v, unsigned width) {
    switch (width) {
    case 32: return bits_of((long double)(float)v, 32);
    case 64: return bits_of((long double)(double)v, 64);
    default: return bits_of((long double)v, 80);
    }
}

static u128 from_unsigned(u128 v, unsigned width) {
    switch (width) {
    case 32: return bits_of((long double)(float)v, 32);
    case 64: return bits_of((long double)(double)v, 64);
    default: return bits_of((long double)v, 80);
    }
}

Fault float_apply(const Expr *e, const Value *args, u128 *bits) {
    unsigned width = e->args[0]->sort->width;
    u128 a = args[0].bits, b = e->nargs > 1 ? args[1].bits : 0;
    switch (e->op) {
    case OP_FADD:
    case OP_FSUB:
    case OP_FMUL:
    case OP_FDIV:
    case OP_FREM: *bits = arithmetic(e->op, width, a, b); return FAULT_NONE;
    case OP_FNEG: *bits = a ^ sign_bit(width); return FAULT_NONE;
    case OP_FEQ:
    case OP_FLT:
    case OP_FLE:
    case OP_FUNO: *bits = compare(e->op, float_value(a, width), float_value(b, width)); return FAULT_NONE;
    case OP_FP_TO_SBV:
    case OP_FP_TO_UBV: return to_integer(e, float_value(a, width), bits);
    case OP_SBV_TO_FP: *bits = from_signed(signed_of(a, width), e->sort->width); return FAULT_NONE;
    case OP_UBV_TO_FP: *bits = from_unsigned(a, e->sort->width); return FAULT_NONE;
    case OP_FP_TO_FP: *bits = bits_of(float_value(a, width), e->sort->width); return FAULT_NONE;
    default: die("no meaning given to operator %s", op_text(e->op));
    }
}
