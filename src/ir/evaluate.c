/* SPDX-License-Identifier: Apache-2.0 */
/* Evaluates expressions by running the code of compile_expr.c. Invariant: a narrow register holds its value zero-extended to 64 bits. */
#include "ir/machine.h"
#include <string.h>

static inline uint64_t mask(unsigned width) { return width >= 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1; }
static inline int64_t sign(uint64_t v, unsigned width) {
    unsigned shift = 64 - width;
    return (int64_t)(v << shift) >> shift;
}

Value slot_read(const uint8_t *base, const Slot *s) {
    Value v = {0};
    if (s->rep == REP_NARROW) v.bits = slot_read_narrow(base, s);
    else if (s->rep == REP_WIDE) memcpy(&v.bits, base + s->offset, 16);
    else memcpy(&v.array, base + s->offset, sizeof v.array);
    return v;
}

void slot_write(uint8_t *base, const Slot *s, Value v) {
    uint8_t *p = base + s->offset;
    uint64_t bits = (uint64_t)v.bits;
    if (s->rep == REP_WIDE) memcpy(p, &v.bits, 16);
    else if (s->rep == REP_ARRAY) memcpy(p, &v.array, sizeof v.array);
    else memcpy(p, &bits, s->size); /* assumes a little-endian host, as the bytes of objects do */
}

static inline Fault overflow_checked(const Code *c, uint64_t a, uint64_t b, uint64_t *r) {
    unsigned w = c->width;
    int64_t x = sign(a, w), y = sign(b, w), s;
    uint64_t u;
    bool nsw, nuw;
    switch (c->op) {
    case CODE_ADD:
        nsw = __builtin_add_overflow(x, y, &s);
        nuw = __builtin_add_overflow(a, b, &u);
        break;
    case CODE_SUB:
        nsw = __builtin_sub_overflow(x, y, &s);
        nuw = __builtin_sub_overflow(a, b, &u);
        break;
    default: nsw = __builtin_mul_overflow(x, y, &s); nuw = __builtin_mul_overflow(a, b, &u);
    }
    *r = u & mask(w);
    if ((c->flags & FLAG_EXACT) && (nsw || sign(*r, w) != s)) return FAULT_BOUNDS;
    if ((c->flags & FLAG_NSW) && (nsw || sign(*r, w) != s)) return FAULT_OVERFLOW;
    if ((c->flags & FLAG_NUW) && (nuw || *r != u)) return FAULT_OVERFLOW;
    return FAULT_NONE;
}

static inline Fault divide(const Code *c, uint64_t a, uint64_t b, uint64_t *r) {
    unsigned w = c->width;
    if (b == 0) return FAULT_DIVISION;
    if (c->op == CODE_UDIV || c->op == CODE_UREM) {
        *r = c->op == CODE_UDIV ? a / b : a % b;
        return FAULT_NONE;
    }
    int64_t x = sign(a, w), y = sign(b, w);
    if (y == -1) {
        if (a == UINT64_C(1) << (w - 1)) return FAULT_OVERFLOW;
        *r = c->op == CODE_SDIV ? (uint64_t)-x & mask(w) : 0;
        return FAULT_NONE;
    }
    *r = (uint64_t)(c->op == CODE_SDIV ? x / y : x % y) & mask(w);
    return FAULT_NONE;
}

static Fault run_generic(Machine *m, const Code *c) {
    enum { FEW = 8 };
    const Generic *g = &m->generics[c->imm];
    Value args[FEW], *more = NULL, *a = args, result = {0};
    size_t n = vec_len(g->args);
    if (g->expr->op == OP_APPLY) return FAULT_RANGE; /* uninterpreted functions have no value */
    if (n > FEW) {
        vec_resize(more, n);
        a = more;
    }
    for (size_t i = 0; i < n; i++) {
        const Sort *s = g->expr->args[i]->sort;
        bool narrow = s->kind == SORT_BOOL || (s->kind == SORT_BV && s->width <= 64);
        a[i] = narrow ? (Value){.bits = m->regs[g->args[i]]} : m->wide[g->args[i]];
    }
    Fault f = expr_apply_op(m->values, g->expr, a, &result);
    vec_free(more);
    const Sort *s = g->expr->sort;
    if (s->kind == SORT_BOOL || (s->kind == SORT_BV && s->width <= 64)) m->regs[c->dst] = (uint64_t)result.bits;
    else m->wide[c->dst] = result;
    return f;
}

static inline uint64_t read_sized(const uint8_t *base, const Code *c) {
    Slot s = {.size = (uint8_t)c->size, .offset = (uint32_t)c->imm};
    return slot_read_narrow(base, &s);
}

static Value read_wide(const uint8_t *base, const Code *c) {
    Slot s = {.rep = (Rep)c->flags, .size = (uint8_t)c->size, .offset = (uint32_t)c->imm};
    return slot_read(base, &s);
}

/* Runs the code from pc to END. *result becomes the register with the value. */
static Fault run(Machine *m, uint32_t pc, uint16_t *result) {
    uint64_t *r = m->regs;
    Fault f;
    for (;; pc++) {
        const Code *c = &m->code[pc];
        uint64_t a = r[c->a], b = c->b_imm ? c->imm : r[c->b];
        switch ((CodeOp)c->op) {
        case CODE_CONST: r[c->dst] = c->imm; break;
        case CODE_LOCAL: r[c->dst] = read_sized(m->local_data, c); break;
        case CODE_GLOBAL: r[c->dst] = read_sized(m->global_data, c); break;
        case CODE_SELF: r[c->dst] = m->thread; break;
        case CODE_ADDRESS: r[c->dst] = c->imm + (m->thread - 1) * m->thread_stride; break;
        case CODE_DEFINE:
            if (*(const uint16_t *)(const void *)(m->local_data + (c->imm >> 32)) && (f = step_define(m, (uint32_t)c->imm))) return f;
            break;
        case CODE_WIDE_CONST: m->wide[c->dst] = m->wide_consts[c->imm]; break;
        case CODE_WIDE_LOCAL: m->wide[c->dst] = read_wide(m->local_data, c); break;
        case CODE_WIDE_GLOBAL: m->wide[c->dst] = read_wide(m->global_data, c); break;
        case CODE_MOVE: r[c->dst] = a; break;
        case CODE_WIDE_MOVE: m->wide[c->dst] = m->wide[c->a]; break;
        case CODE_EQ: r[c->dst] = a == b; break;
        case CODE_NOT: r[c->dst] = !a; break;
        case CODE_ADD:
        case CODE_SUB:
        case CODE_MUL:
            if (c->flags & (FLAG_NSW | FLAG_NUW | FLAG_EXACT)) {
                if ((f = overflow_checked(c, a, b, &r[c->dst]))) return f;
            } else {
                r[c->dst] = (c->op == CODE_ADD ? a + b : c->op == CODE_SUB ? a - b : a * b) & mask(c->width);
            }
            break;
        case CODE_UDIV:
        case CODE_SDIV:
        case CODE_UREM:
        case CODE_SREM:
            if ((f = divide(c, a, b, &r[c->dst]))) return f;
            break;
        case CODE_SHL:
            if (b >= c->width) return FAULT_SHIFT;
            r[c->dst] = (a << b) & mask(c->width);
            break;
        case CODE_LSHR:
            if (b >= c->width) return FAULT_SHIFT;
            r[c->dst] = a >> b;
            break;
        case CODE_ASHR:
            if (b >= c->width) return FAULT_SHIFT;
            r[c->dst] = (uint64_t)(sign(a, c->width) >> b) & mask(c->width);
            break;
        case CODE_BAND: r[c->dst] = a & b; break;
        case CODE_BOR: r[c->dst] = a | b; break;
        case CODE_BXOR: r[c->dst] = a ^ b; break;
        case CODE_ULT: r[c->dst] = a < b; break;
        case CODE_ULE: r[c->dst] = a <= b; break;
        case CODE_SLT: r[c->dst] = sign(a, c->width) < sign(b, c->width); break;
        case CODE_SLE: r[c->dst] = sign(a, c->width) <= sign(b, c->width); break;
        case CODE_SEXT: r[c->dst] = (uint64_t)sign(a, c->width) & mask((unsigned)c->imm); break;
        case CODE_EXTRACT: r[c->dst] = (a >> c->size) & mask((unsigned)c->imm); break;
        case CODE_CONCAT: r[c->dst] = a << c->size | b; break;
        case CODE_GENERIC:
            if ((f = run_generic(m, c))) return f;
            break;
        case CODE_JUMP: pc = (uint32_t)c->imm - 1; break;
        case CODE_UNLESS:
            if (!a) pc = (uint32_t)c->imm - 1;
            break;
        case CODE_IF:
            if (a) pc = (uint32_t)c->imm - 1;
            break;
        case CODE_END: *result = c->a; return FAULT_NONE;
        }
    }
}

Fault evaluate_narrow(Machine *m, const Operand *o, uint64_t *result) {
    if (m->track) m->track->read |= o->reads;
    if (o->kind == OPERAND_CONST) {
        *result = o->imm;
        return FAULT_NONE;
    }
    if (o->kind == OPERAND_SLOT) {
        *result = slot_read_narrow(o->slot.global ? m->global_data : m->local_data, &o->slot);
        return FAULT_NONE;
    }
    uint16_t reg;
    Fault f = run(m, o->code, &reg);
    if (!f) *result = m->regs[reg];
    return f;
}

Fault evaluate_value(Machine *m, const Operand *o, Value *result) {
    *result = (Value){0};
    if (o->rep == REP_NARROW) {
        uint64_t bits = 0;
        Fault f = evaluate_narrow(m, o, &bits);
        result->bits = bits;
        return f;
    }
    if (m->track) m->track->read |= o->reads;
    if (o->kind == OPERAND_SLOT) {
        *result = slot_read(o->slot.global ? m->global_data : m->local_data, &o->slot);
        return FAULT_NONE;
    }
    uint16_t reg;
    Fault f = run(m, o->code, &reg);
    if (!f) *result = m->wide[reg];
    return f;
}
