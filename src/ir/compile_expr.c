/* SPDX-License-Identifier: Apache-2.0 */
/* Compiles expressions to register code. Values of up to 64 bits live in narrow registers and have operations of their own. All other
   values go through expr_apply_op, which alone defines the meaning of operators (step_test compares the two). ITE, AND and OR become
   jumps, so they are lazy as in expr_eval. Equal subexpressions are computed once, if the first computation is certain to have happened. */
#include "ir/machine.h"
#include <string.h>

typedef struct Known {
    const Expr *expr;
    uint16_t reg;
} Known;

typedef struct Compiler {
    Machine *machine;
    const CompiledTemplate *template_; /* NULL outside of threads */
    Known *known;                      /* computed on every path to here */
    unsigned next;
    Operand *operand;
} Compiler;

static Rep rep_of(const Sort *s) {
    if (s->kind == SORT_ARRAY) return REP_ARRAY;
    return s->kind == SORT_INT || (s->kind == SORT_BV && s->width > 64) ? REP_WIDE : REP_NARROW;
}
static bool is_narrow(const Expr *e) { return rep_of(e->sort) == REP_NARROW; }
static uint8_t width_of(const Sort *s) { return s->kind == SORT_BV ? (uint8_t)s->width : 1; }

static Code *emit(Compiler *c, CodeOp op) {
    Code code = {.op = (uint8_t)op};
    vec_push(c->machine->code, code);
    return &vec_last(c->machine->code);
}

static uint16_t fresh(Compiler *c) {
    ensure(c->next < UINT16_MAX);
    unsigned r = c->next++;
    if (c->next > c->machine->nregs) c->machine->nregs = c->next;
    return (uint16_t)r;
}

static uint16_t compile(Compiler *, const Expr *);

static void note_global(Compiler *c, const Variable *v) {
    for (size_t i = 0; i < vec_len(c->operand->globals); i++)
        if (c->operand->globals[i] == v) return;
    vec_push(c->operand->globals, v);
    c->operand->reads |= c->machine->global_bits[v->index];
}

static void compile_variable(Compiler *c, const Variable *v, uint16_t dst) {
    Machine *m = c->machine;
    if (v->global) note_global(c, v);
    else if (c->template_ && c->template_->template_->self == v) {
        emit(c, CODE_SELF)->dst = dst;
        return;
    }
    const Slot *slot = v->global ? &m->globals[v->index] : &c->template_->slots[v->index];
    bool narrow = slot->rep == REP_NARROW;
    if (slot->mask) emit(c, CODE_DEFINE)->imm = (uint64_t)slot->mask << 32 | v->index;
    Code *code = emit(c, v->global ? (narrow ? CODE_GLOBAL : CODE_WIDE_GLOBAL) : (narrow ? CODE_LOCAL : CODE_WIDE_LOCAL));
    code->dst = dst;
    code->size = slot->size;
    code->flags = (uint8_t)slot->rep;
    code->imm = slot->offset;
}

static void compile_address(Compiler *c, const Object *o, uint16_t dst) {
    const Layout *l = c->machine->layout;
    bool own = o->kind == OBJECT_LOCAL || o->kind == OBJECT_THREAD;
    uint64_t address = layout_address(l, o, 1);
    Code *code = emit(c, own ? CODE_ADDRESS : CODE_CONST);
    code->dst = dst;
    code->imm = address;
}

static void compile_symbol(Compiler *c, const Expr *e, uint16_t dst) {
    if (e->symbol->kind == SYM_VARIABLE) compile_variable(c, e->symbol->user, dst);
    else compile_address(c, e->symbol->user, dst);
}

static void compile_const(Compiler *c, const Expr *e, uint16_t dst) {
    Machine *m = c->machine;
    bool narrow = is_narrow(e);
    Code *code = emit(c, narrow ? CODE_CONST : CODE_WIDE_CONST);
    code->dst = dst;
    if (narrow) {
        code->imm = (uint64_t)e->value;
        return;
    }
    code->imm = vec_len(m->wide_consts);
    Value v = {.bits = e->value};
    vec_push(m->wide_consts, v);
}

/* Compiles e into dst, and forgets subexpressions that were computed on this path: another path may not compute them. */
static void compile_branch(Compiler *c, const Expr *e, uint16_t dst) {
    size_t known = vec_len(c->known);
    uint16_t r = compile(c, e);
    Code *code = emit(c, is_narrow(e) ? CODE_MOVE : CODE_WIDE_MOVE);
    code->dst = dst;
    code->a = r;
    vec_resize(c->known, known);
}

static void compile_ite(Compiler *c, const Expr *e, uint16_t dst) {
    uint16_t condition = compile(c, e->args[0]);
    size_t unless = vec_len(c->machine->code);
    emit(c, CODE_UNLESS)->a = condition;
    compile_branch(c, e->args[1], dst);
    size_t jump = vec_len(c->machine->code);
    emit(c, CODE_JUMP);
    c->machine->code[unless].imm = vec_len(c->machine->code);
    compile_branch(c, e->args[2], dst);
    c->machine->code[jump].imm = vec_len(c->machine->code);
}

static void compile_and_or(Compiler *c, const Expr *e, uint16_t dst) {
    size_t *exits = NULL, known = vec_len(c->known);
    for (unsigned i = 0; i < e->nargs; i++) {
        compile_branch(c, e->args[i], dst);
        if (i + 1 == e->nargs) break;
        vec_push(exits, vec_len(c->machine->code));
        emit(c, e->op == OP_AND ? CODE_UNLESS : CODE_IF)->a = dst;
    }
    for (size_t i = 0; i < vec_len(exits); i++) c->machine->code[exits[i]].imm = vec_len(c->machine->code);
    vec_resize(c->known, known);
    vec_free(exits);
}

/* Returns the narrow operation for an operator, or CODE_GENERIC. */
static CodeOp narrow_op(const Expr *e) {
    if (!is_narrow(e)) return CODE_GENERIC;
    for (unsigned i = 0; i < e->nargs; i++)
        if (!is_narrow(e->args[i])) return CODE_GENERIC;
    switch (e->op) {
    case OP_EQ: return CODE_EQ;
    case OP_NOT: return CODE_NOT;
    case OP_ADD: return CODE_ADD;
    case OP_SUB: return CODE_SUB;
    case OP_MUL: return CODE_MUL;
    case OP_UDIV: return e->flags ? CODE_GENERIC : CODE_UDIV;
    case OP_SDIV: return e->flags ? CODE_GENERIC : CODE_SDIV;
    case OP_UREM: return CODE_UREM;
    case OP_SREM: return CODE_SREM;
    case OP_SHL: return e->flags ? CODE_GENERIC : CODE_SHL;
    case OP_LSHR: return e->flags ? CODE_GENERIC : CODE_LSHR;
    case OP_ASHR: return e->flags ? CODE_GENERIC : CODE_ASHR;
    case OP_BAND: return CODE_BAND;
    case OP_BOR: return CODE_BOR;
    case OP_BXOR: return CODE_BXOR;
    case OP_ULT: return CODE_ULT;
    case OP_ULE: return CODE_ULE;
    case OP_SLT: return CODE_SLT;
    case OP_SLE: return CODE_SLE;
    case OP_ZEXT: return CODE_MOVE; /* registers are zero-extended already */
    case OP_SEXT: return CODE_SEXT;
    case OP_BOOL_TO_BV: return CODE_MOVE;
    case OP_EXTRACT: return CODE_EXTRACT;
    case OP_CONCAT: return CODE_CONCAT;
    default: return CODE_GENERIC;
    }
}

static void compile_generic(Compiler *c, const Expr *e, uint16_t dst) {
    Generic g = {.expr = e};
    for (unsigned i = 0; i < e->nargs; i++) vec_push(g.args, compile(c, e->args[i]));
    Code *code = emit(c, CODE_GENERIC);
    code->dst = dst;
    code->imm = vec_len(c->machine->generics);
    vec_push(c->machine->generics, g);
}

static void compile_operator(Compiler *c, const Expr *e, uint16_t dst) {
    CodeOp op = narrow_op(e);
    if (op == CODE_GENERIC) {
        compile_generic(c, e, dst);
        return;
    }
    bool second_constant = e->nargs == 2 && expr_is_const(e->args[1]);
    uint16_t a = compile(c, e->args[0]), b = 0;
    if (e->nargs == 2 && !second_constant) b = compile(c, e->args[1]);
    Code *code = emit(c, op);
    code->dst = dst;
    code->a = a;
    code->b = b;
    code->flags = e->flags;
    code->b_imm = second_constant;
    code->imm = second_constant ? (uint64_t)e->args[1]->value : 0;
    code->width = width_of(e->args[0]->sort);
    if (op == CODE_SEXT || op == CODE_EXTRACT) code->imm = e->sort->width;
    if (op == CODE_EXTRACT) code->size = (uint16_t)e->low;
    if (op == CODE_CONCAT) code->size = (uint16_t)e->args[1]->sort->width;
}

static uint16_t compile(Compiler *c, const Expr *e) {
    for (size_t i = vec_len(c->known); i-- > 0;)
        if (c->known[i].expr == e) return c->known[i].reg;
    uint16_t dst = fresh(c);
    switch (e->op) {
    case OP_CONST: compile_const(c, e, dst); break;
    case OP_SYMBOL: compile_symbol(c, e, dst); break;
    case OP_ITE: compile_ite(c, e, dst); break;
    case OP_AND:
    case OP_OR: compile_and_or(c, e, dst); break;
    default: compile_operator(c, e, dst);
    }
    Known k = {e, dst};
    vec_push(c->known, k);
    return dst;
}

/* Makes an operand without code for a constant or a variable. Returns false for other expressions. */
static bool simple_operand(const Machine *m, const CompiledTemplate *t, const Expr *e, Operand *o) {
    if (e->op == OP_CONST && is_narrow(e)) {
        o->kind = OPERAND_CONST;
        o->imm = (uint64_t)e->value;
        return true;
    }
    const Variable *v = expr_variable(e);
    if (!v || (!v->global && (t->template_->self == v || t->slots[v->index].mask))) return false;
    o->kind = OPERAND_SLOT;
    o->slot = v->global ? m->globals[v->index] : t->slots[v->index];
    if (v->global) {
        vec_push(o->globals, v);
        o->reads = m->global_bits[v->index];
    }
    return true;
}

Operand compile_operand(Machine *m, const CompiledTemplate *t, const Expr *e) {
    Operand o = {.expr = e};
    if (!e) return o;
    o.rep = rep_of(e->sort);
    if (simple_operand(m, t, e, &o)) return o;
    Compiler c = {.machine = m, .template_ = t, .operand = &o};
    o.kind = OPERAND_CODE;
    o.code = (uint32_t)vec_len(m->code);
    uint16_t r = compile(&c, e);
    emit(&c, CODE_END)->a = r;
    vec_free(c.known);
    /* Addresses of global objects, and sums with them, are constants. */
    if (vec_len(m->code) == o.code + 2 && m->code[o.code].op == CODE_CONST) {
        o.kind = OPERAND_CONST;
        o.imm = m->code[o.code].imm;
    }
    return o;
}
