/* SPDX-License-Identifier: Apache-2.0 */
/* Arithmetic on congruences, and the congruences of expressions. */
#include "analysis/congruence.h"

const Congruence congruence_any = {1, 0};

static uint64_t gcd(uint64_t a, uint64_t b) {
    while (b) {
        uint64_t r = a % b;
        a = b;
        b = r;
    }
    return a;
}

/* Brings the residue, a signed number, into 0 … modulus - 1. */
Congruence congruence_of(uint64_t modulus, uint64_t residue) {
    if (modulus >> 62) modulus = 1;
    if (!modulus) return (Congruence){0, residue};
    int64_t r = (int64_t)residue % (int64_t)modulus;
    return (Congruence){modulus, (uint64_t)(r < 0 ? r + (int64_t)modulus : r)};
}

Congruence congruence_join(Congruence a, Congruence b) {
    uint64_t difference = a.residue - b.residue;
    if ((int64_t)difference < 0) difference = -difference;
    return congruence_of(gcd(gcd(a.modulus, b.modulus), difference), a.residue);
}

Congruence congruence_add(Congruence a, Congruence b) { return congruence_of(gcd(a.modulus, b.modulus), a.residue + b.residue); }

Congruence congruence_negate(Congruence a) {
    return a.modulus ? congruence_of(a.modulus, a.modulus - a.residue) : (Congruence){0, -a.residue};
}

static Congruence congruence_scale(Congruence a, uint64_t by) {
    uint64_t modulus;
    if (__builtin_mul_overflow(a.modulus, by, &modulus)) return congruence_any;
    return congruence_of(modulus, a.residue * by);
}

bool congruence_constant(const Expr *e, uint64_t *value) {
    if (!expr_is_const(e) || e->sort->kind != SORT_BV || e->sort->width > 64) return false;
    unsigned shift = 64 - e->sort->width;
    *value = (uint64_t)((int64_t)((uint64_t)e->value << shift) >> shift);
    return true;
}

/* Returns the congruence after arithmetic that may wrap around: only the residue modulo a power of two stays valid. */
static Congruence wrapped(Congruence a, unsigned width) {
    uint64_t turn = (uint64_t)1 << (width < 61 ? width : 61), lowest = a.modulus & -a.modulus;
    return congruence_of(lowest && lowest < turn ? lowest : turn, a.residue);
}

/* Returns n with |e| < 2^n for all values of the symbols, at most the width of e. */
static unsigned magnitude(const Expr *e) {
    uint64_t c;
    unsigned a, b, n;
    if (congruence_constant(e, &c)) {
        uint64_t size = (int64_t)c < 0 ? -c : c;
        return size ? 64 - (unsigned)__builtin_clzll(size) : 0;
    }
    switch (e->op) {
    case OP_ZEXT:
    case OP_SEXT: return e->args[0]->sort->width;
    case OP_ADD:
    case OP_SUB:
    case OP_MUL:
        a = magnitude(e->args[0]);
        b = magnitude(e->args[1]);
        n = e->op == OP_MUL ? a + b : (a > b ? a : b) + 1;
        break;
    case OP_SHL: n = magnitude(e->args[0]) + (congruence_constant(e->args[1], &c) && c < 64 ? (unsigned)c : 64); break;
    default: n = 128;
    }
    return n < e->sort->width ? n : e->sort->width;
}

bool congruence_exact(const Expr *e) {
    return (e->flags & FLAG_NSW) || (e->op == OP_MUL && (e->flags & FLAG_EXACT)) || magnitude(e) < e->sort->width;
}

/* Returns the congruence of e, read with sign. offset: e is added to a pointer. C forbids that the sum leaves the address space, so a
   constant in e then only shifts the residue. */
static Congruence number(const Expr *e, bool offset) {
    uint64_t c;
    Congruence r;
    if (congruence_constant(e, &c)) return (Congruence){0, c};
    switch (e->op) {
    case OP_ADD:
    case OP_SUB:
        offset &= expr_is_const(e->args[0]) || expr_is_const(e->args[1]);
        r = number(e->args[1], offset);
        r = congruence_add(number(e->args[0], offset), e->op == OP_ADD ? r : congruence_negate(r));
        return offset || congruence_exact(e) ? r : wrapped(r, e->sort->width);
    case OP_MUL:
        if (congruence_constant(e->args[1], &c) && (int64_t)c > 0) r = congruence_scale(number(e->args[0], false), c);
        else if (congruence_constant(e->args[0], &c) && (int64_t)c > 0) r = congruence_scale(number(e->args[1], false), c);
        else return congruence_any;
        return congruence_exact(e) ? r : wrapped(r, e->sort->width);
    case OP_SHL:
        if (!congruence_constant(e->args[1], &c) || c >= 32) return congruence_any;
        r = congruence_scale(number(e->args[0], false), (uint64_t)1 << c);
        return congruence_exact(e) ? r : wrapped(r, e->sort->width);
    case OP_SEXT: return number(e->args[0], false);
    case OP_ZEXT: return wrapped(number(e->args[0], false), e->args[0]->sort->width); /* without sign perhaps greater by 2^width */
    default: return congruence_any;
    }
}

Congruence congruence_number(const Expr *e) { return number(e, true); }
bool congruence_includes(Congruence a, Congruence b) {
    if (!a.modulus) return !b.modulus && a.residue == b.residue;
    return b.modulus % a.modulus == 0 && (int64_t)(b.residue - a.residue) % (int64_t)a.modulus == 0;
}
