/* SPDX-License-Identifier: Apache-2.0 */
/* Data flow does not see two ways in which a number can become an address. An input may be an address by chance, as in `if (input == &x)
   *input = 1`. A program that uses an address as a number may make the number again by control flow, as in `while (n != &x) n++`. A
   fixpoint after that of the targets finds the numbers that may be addresses in such a way: they are wild. Another one finds the numbers
   of threads. */
#include "analysis/pointsto_flow.h"
#include "base/map.h"
#include <stdlib.h>

struct Flow {
    PointsTo *p;
    const Program *program;
    bool (*carries)(Flow *, const Expr *); /* true if the value of an expression may be of the kind */
    Map *variables;                        /* Symbol → Variable: those that may hold such numbers */
    Bytes **bytes;                         /* by object index: a vec of the bytes that may hold such numbers */
    bool changed;
    bool revealed; /* the program uses some address as a number */
};

bool flow_carries(Flow *f, const Expr *e) { return f->carries(f, e); }

/* ---- addresses that are used as numbers ---- */

static bool has_targets(Flow *f, const Expr *e) { return e->sort->kind == SORT_BV && vec_len(pointsto(f->p, e)->list) > 0; }

/* True if the operator makes a number from an address. Moving within an object, choosing, and comparing with an address or null do not. */
static bool reveals(Flow *f, const Expr *e) {
    unsigned n = 0;
    bool other = false;
    for (unsigned i = 0; i < e->nargs; i++) {
        n += has_targets(f, e->args[i]);
        other |= !has_targets(f, e->args[i]) && !(expr_is_const(e->args[i]) && !e->args[i]->value);
    }
    if (!n) return false;
    switch (e->op) {
    case OP_ITE:
    case OP_ADD:
    case OP_SUB:
    case OP_SELECT:
    case OP_STORE:
    case OP_CONST_ARRAY: return false;
    case OP_EQ: return other;
    default: return true;
    }
}

/* Sets f->revealed if an operator in e reveals an address. */
static void find_reveal(void *context, const Expr *e) {
    Flow *f = context;
    if (f->revealed) return;
    f->revealed = reveals(f, e);
    for (unsigned i = 0; i < e->nargs && !f->revealed; i++) find_reveal(f, e->args[i]);
}

/* ---- the flow of numbers ---- */

static void flow_to(Flow *f, const Variable *v) {
    if (!v || map_find(f->variables, v->symbol)) return;
    map_set(f->variables, v->symbol, (void *)v);
    f->changed = true;
}

static bool has_bytes(const Bytes *list, Bytes at) {
    for (size_t i = 0; i < vec_len(list); i++)
        if (list[i].size == at.size && congruence_includes(list[i].offset, at.offset)) return true;
    return false;
}

static void flow_to_bytes(Flow *f, const Object *o, Bytes at) {
    Bytes **list = &f->bytes[o->index];
    if (has_bytes(*list, at)) return;
    if (vec_len(*list) >= MOST_CONTENTS) at = (Bytes){congruence_any, MOST_BYTES};
    if (has_bytes(*list, at)) return; /* the list has all bytes already */
    vec_push(*list, at);
    f->changed = true;
}

static bool bytes_carry(const Flow *f, const Object *o, Bytes at) {
    const Bytes *list = f->bytes[o->index];
    for (size_t i = 0; i < vec_len(list); i++)
        if (pointsto_meet(at, list[i]) != APART) return true;
    return false;
}

static bool is_wild(Flow *, const Expr *);

static void flow_load(Flow *f, const Instr *i) {
    const Targets *from = pointsto(f->p, i->address);
    bool carries = f->carries == is_wild && is_wild(f, i->address);
    for (size_t k = 0; k < vec_len(from->list) && !carries; k++)
        carries = bytes_carry(f, from->list[k].object, (Bytes){from->list[k].offset, bytes_of(i->target->sort)});
    if (carries) flow_to(f, i->target);
}

static void flow_store(Flow *f, const Instr *i, const Congruence *anywhere, uint64_t size) {
    const Targets *to = pointsto(f->p, i->address);
    for (size_t k = 0; k < vec_len(to->list); k++)
        flow_to_bytes(f, to->list[k].object, (Bytes){anywhere ? *anywhere : to->list[k].offset, size});
}

static void flow_copy(Flow *f, const Instr *i) {
    const Targets *from = pointsto(f->p, i->value);
    for (size_t k = 0; k < vec_len(from->list); k++)
        if (vec_len(f->bytes[from->list[k].object->index])) {
            flow_store(f, i, &congruence_any, MOST_BYTES);
            return;
        }
}

static void flow_join(Flow *f, const Instr *i) {
    for (size_t t = 0; t < vec_len(f->program->templates); t++) {
        const Variable *result = f->program->templates[t]->result;
        if (result && map_find(f->variables, result->symbol)) flow_to(f, i->target);
    }
}

static void flow_instruction(Flow *f, const Instr *i) {
    switch (i->kind) {
    case INSTR_ASSIGN:
        if (f->carries(f, i->value)) flow_to(f, i->target);
        return;
    case INSTR_LOAD: flow_load(f, i); return;
    case INSTR_STORE:
        if (f->carries(f, i->value)) flow_store(f, i, NULL, bytes_of(i->value->sort));
        return;
    case INSTR_COPY: flow_copy(f, i); return;
    case INSTR_FILL:
        if (f->carries(f, i->value)) flow_store(f, i, &congruence_any, MOST_BYTES);
        return;
    case INSTR_JOIN: flow_join(f, i); return;
    case INSTR_CREATE:
        if (f->carries(f, i->value)) flow_to(f, f->program->templates[i->template_]->argument);
        return;
    default: return; /* other results are no addresses, or addresses of new objects */
    }
}

static Flow *flow_new(PointsTo *p, const Program *program, bool (*carries)(Flow *, const Expr *)) {
    Flow *f = zeroed(1, sizeof *f);
    *f = (Flow){.p = p, .program = program, .carries = carries, .variables = map_new()};
    vec_resize(f->bytes, vec_len(program->objects));
    return f;
}

static void flow_until_stable(Flow *f, void (*visit)(Flow *, const Instr *)) {
    do {
        f->changed = false;
        program_each_instr(const Instr, i, f->program) visit(f, i);
    } while (f->changed);
}

void flow_free(Flow *f) {
    vec_free_rows(f->bytes);
    map_free(f->variables);
    free(f);
}

/* ---- wild numbers ---- */

/* True if operands without targets may be computed to an address. */
static bool computed_wild(Flow *f, const Expr *e) {
    bool pointer = false, constant = true;
    for (unsigned i = 0; i < e->nargs; i++) {
        if (e->args[i]->sort->kind == SORT_BV && is_wild(f, e->args[i])) return true;
        pointer |= has_targets(f, e->args[i]);
        constant &= expr_is_const(e->args[i]);
    }
    return f->revealed && !pointer && !constant;
}

static bool is_wild(Flow *f, const Expr *e) {
    switch (e->op) {
    case OP_CONST: return false;
    case OP_SYMBOL: return map_find(f->variables, e->symbol);
    case OP_ITE: return is_wild(f, e->args[1]) || is_wild(f, e->args[2]);
    case OP_ADD: /* an address plus an offset stays in the object of the address */
        if (has_targets(f, e->args[0]) != has_targets(f, e->args[1])) return is_wild(f, e->args[has_targets(f, e->args[0]) ? 0 : 1]);
        return computed_wild(f, e);
    case OP_SUB:
        if (has_targets(f, e->args[0]) && !has_targets(f, e->args[1])) return is_wild(f, e->args[0]);
        return computed_wild(f, e);
    default: return computed_wild(f, e);
    }
}

static void wild_instruction(Flow *f, const Instr *i) {
    /* An uninitialised value is no address that a program may use. */
    if (i->kind == INSTR_HAVOC && !i->undefined) flow_to(f, i->target);
    else flow_instruction(f, i);
}

Flow *flow_of_wild(PointsTo *p, const Program *program) {
    Flow *f = flow_new(p, program, is_wild);
    program_each_instr(const Instr, i, program) instr_expressions(i, find_reveal, f);
    program_each_action(const Action, action, program) find_reveal(f, action->guard);
    vec_each(const Variable *, v, program->globals)
        if (!v->init) flow_to(f, v);
    flow_until_stable(f, wild_instruction);
    return f;
}

/* ---- numbers of threads ---- */

static bool is_thread(Flow *f, const Expr *e) {
    if (e->op == OP_SYMBOL) return map_find(f->variables, e->symbol);
    if (e->sort->kind == SORT_BOOL) return false;
    for (unsigned i = e->op == OP_ITE; i < e->nargs; i++)
        if (is_thread(f, e->args[i])) return true;
    return false;
}

static void thread_instruction(Flow *f, const Instr *i) {
    if (i->kind == INSTR_CREATE) flow_to(f, i->target);
    flow_instruction(f, i);
}

Flow *flow_of_threads(PointsTo *p, const Program *program) {
    Flow *f = flow_new(p, program, is_thread);
    vec_each(const Template *, t, program->templates) flow_to(f, t->self);
    flow_until_stable(f, thread_instruction);
    return f;
}
