/* SPDX-License-Identifier: Apache-2.0 */
/* Marks the variables whose value may leave the range of their type. Any integer that is congruent to the value may represent it.

   requires  a program without memory (partition-memory) whose variables have signs (signs)
   ensures   these variables are marked congruent
   breaks    nothing

   Unsigned arithmetic wraps around. Suppose that a program only adds to a sum and compares it with another sum for equality. Then any
   integer congruent to the sum may represent it, and terms stay linear. A variable is marked under two conditions. First, it is unsigned and
   holds a result of arithmetic that may wrap, or a copy. Second, no use observes the value itself: it occurs only in sums, products, copies, and
   comparisons for equality with an expression that is not constant. The second condition must hold for all copies as well. The pass computes two
   fixpoints over all assignments: backwards, the variables whose value is observed; forwards, the variables that hold results of arithmetic. */
#include "passes/program/program_passes.h"
#include "base/map.h"

typedef struct Uses {
    Map *looked_at, *sums; /* Variables whose value is observed; variables that hold results of arithmetic */
    bool changed;
} Uses;

static bool is_candidate(const Variable *v) {
    const Sort *s = v->sort->kind == SORT_ARRAY ? v->sort->element : v->sort;
    return !v->is_signed && s->kind == SORT_BV && s->width <= 64;
}

static void mark(Uses *u, Map *set, const Variable *v) {
    if (map_find(set, v)) return;
    map_set(set, v, (void *)v);
    u->changed = true;
}

static bool is_plain_sum(const Expr *e) { return (e->op == OP_ADD || e->op == OP_SUB || e->op == OP_MUL) && !e->flags; }

static bool is_constant_shift(const Expr *e) { return e->op == OP_SHL && !e->flags && expr_is_const(e->args[1]); }

/* True if the value of e, modulo a power of two, depends only on the operand's value modulo this power. */
static bool passes(const Expr *e, unsigned operand) {
    switch (e->op) {
    case OP_ADD:
    case OP_SUB:
    case OP_MUL: return is_plain_sum(e);
    case OP_SHL: return is_constant_shift(e) && operand == 0;
    case OP_EXTRACT: return !e->low;
    case OP_ITE: return operand != 0;
    case OP_SELECT: return operand == 0;
    case OP_STORE: return operand != 1;
    case OP_CONST_ARRAY: return true;
    default: return false;
    }
}

/* Marks the variables of e whose value is observed. looks: the value of e itself is observed. */
static void visit(Uses *u, const Expr *e, bool looks) {
    const Variable *v = expr_variable(e);
    if (v && looks) mark(u, u->looked_at, v);
    bool compares = e->op == OP_EQ && !expr_is_const(e->args[0]) && !expr_is_const(e->args[1]) && e->args[0]->sort->kind == SORT_BV;
    for (unsigned i = 0; i < e->nargs; i++) visit(u, e->args[i], passes(e, i) ? looks : !compares);
}

/* True if e may be the result of arithmetic, or a variable that may hold such a result. */
static bool takes_sum(const Uses *u, const Expr *e) {
    const Variable *v = expr_variable(e);
    if (v) return map_find(u->sums, v) != NULL;
    if (is_plain_sum(e) || is_constant_shift(e)) return true;
    for (unsigned i = 0; i < e->nargs; i++)
        if (passes(e, i) && takes_sum(u, e->args[i])) return true;
    return false;
}

static const Expr *array_base(const Expr *e) {
    while (e->op == OP_STORE || e->op == OP_ITE) e = e->args[e->op == OP_ITE ? 1 : 0];
    return e;
}

static void assign(Uses *u, const Variable *to, const Expr *value) {
    bool other_array = to->sort->kind == SORT_ARRAY && array_base(value)->op != OP_CONST_ARRAY && expr_variable(array_base(value)) != to;
    if (other_array) mark(u, u->looked_at, to);
    visit(u, value, !is_candidate(to) || map_find(u->looked_at, to));
    if (takes_sum(u, value)) mark(u, u->sums, to);
}

static void visit_instr(Uses *u, const Instr *i) {
    if (i->kind == INSTR_ASSIGN) {
        assign(u, i->target, i->value);
        return;
    }
    if (i->cell) mark(u, u->looked_at, i->cell);
    if (i->kind != INSTR_HAVOC && i->target) mark(u, u->looked_at, i->target);
    if (i->value) visit(u, i->value, true);
    if (i->address) visit(u, i->address, true);
}

static void visit_template(Uses *u, const Template *t) {
    const Variable *special[] = {t->self, t->argument, t->result};
    for (int i = 0; i < 3; i++)
        if (special[i]) mark(u, u->looked_at, special[i]);
    for (size_t a = 0; a < vec_len(t->actions); a++) {
        visit(u, t->actions[a].guard, true);
        for (size_t i = 0; i < vec_len(t->actions[a].instrs); i++) visit_instr(u, &t->actions[a].instrs[i]);
    }
}

static void mark_if_wide(const Uses *u, Variable *v) {
    if (is_candidate(v) && map_find(u->sums, v) && !map_find(u->looked_at, v)) v->congruent = true;
}

void mark_congruent_sums(Program *p) {
    Uses u = {.looked_at = map_new(), .sums = map_new()};
    do {
        u.changed = false;
        for (size_t t = 0; t < vec_len(p->templates); t++) visit_template(&u, p->templates[t]);
    } while (u.changed);
    for (size_t i = 0; i < vec_len(p->globals); i++) mark_if_wide(&u, p->globals[i]);
    for (size_t t = 0; t < vec_len(p->templates); t++)
        for (size_t i = 0; i < vec_len(p->templates[t]->locals); i++) mark_if_wide(&u, p->templates[t]->locals[i]);
    map_free(u.looked_at);
    map_free(u.sums);
}
