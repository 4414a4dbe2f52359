/* SPDX-License-Identifier: Apache-2.0 */
/* Decides whether the executions of a program depend on the numbers of its threads.

     requires  partition-memory: no memory is left
     ensures   nothing is changed. If the answer is no, another numbering of threads does not affect executions: main has the number 1, and
               all other threads have different numbers, except 0 and 1.

   The number of a thread is its place in a system (system/system.h), but its place in the order of creation in an execution. The difference
   does not affect a program that only copies numbers, joins by them, and compares them with each other, with 0 (no thread) and with
   1 (main). The program may also ask whether a number is negative. A data flow that ignores the order of instructions finds the variables
   that may hold a number. Any other use of such a variable counts as a dependence. */
#include "analysis/thread_numbers.h"
#include "base/map.h"

enum { BITS = 32, OWNER_BITS = 16, OWNER = 0xffff };

typedef struct Numbers {
    const Program *program;
    Map *holds;   /* Symbol → Variable, for variables that may hold a number */
    Map *adopted; /* of these, the variables that are chosen or compared where numbers are: they may only hold numbers, 0 and 1 */
    bool changed, check, misused;
} Numbers;

static bool is_harmless(const Expr *e) { return expr_is_const(e) && e->value <= 1; }

static void misuse(Numbers *n) { n->misused |= n->check; }

static void hold(Numbers *n, const Variable *v);

/* Treats a variable in the place of a number as a number, and all its values as well. */
static bool adopt(Numbers *n, const Expr *e) {
    while (e->op == OP_EXTRACT || e->op == OP_ZEXT || e->op == OP_SELECT) e = e->args[0];
    const Variable *v = expr_variable(e);
    if (!v) return false;
    map_set(n->adopted, v->symbol, (void *)v);
    hold(n, v);
    return true;
}

/* True if the value of e may be the number of a thread, or an array with one. */
static bool carries(Numbers *n, const Expr *e) {
    bool any = false, here[e->nargs + 1];
    if (e->op == OP_SYMBOL) return map_find(n->holds, e->symbol) != NULL;
    for (unsigned i = 0; i < e->nargs; i++) any |= here[i] = carries(n, e->args[i]);
    if (!any) return false;
    switch (e->op) {
    case OP_ITE:
        if (here[0]) misuse(n);
        for (unsigned i = 1; i < 3; i++)
            if (!here[i] && !is_harmless(e->args[i]) && e->sort->kind != SORT_ARRAY && !adopt(n, e->args[i])) misuse(n);
        return here[1] || here[2];
    case OP_EQ:
        for (unsigned i = 0; i < 2; i++)
            if (!here[i] && !is_harmless(e->args[i]) && !adopt(n, e->args[i])) misuse(n);
        return false;
    case OP_SLE: /* all numbers are positive */
        if (here[0] || !expr_is_const(e->args[0]) || e->args[0]->value) misuse(n);
        return false;
    case OP_ZEXT: return true;
    case OP_EXTRACT:
        if (e->sort->width < BITS || e->low != 0) misuse(n);
        return true;
    case OP_BAND: /* the owner of a mutex word */
        if (!(expr_is_const(e->args[1]) && (e->args[1]->value & OWNER) == OWNER)) misuse(n);
        return true;
    case OP_LSHR: /* the kind of the mutex word, without the owner */
        if (!(expr_is_const(e->args[1]) && e->args[1]->value >= OWNER_BITS)) misuse(n);
        return false;
    case OP_SELECT:
        if (here[1]) misuse(n);
        return here[0];
    case OP_STORE:
        if (here[1] || (here[0] && !here[2] && !is_harmless(e->args[2]))) misuse(n);
        return here[0] || here[2];
    case OP_CONST_ARRAY: return true;
    case OP_NOT:
    case OP_AND:
    case OP_OR: return false;
    default: misuse(n); return false;
    }
}

static bool is_harmless_array(const Expr *e) { return e->op == OP_CONST_ARRAY && is_harmless(e->args[0]); }

static void hold(Numbers *n, const Variable *v) {
    if (map_find(n->holds, v->symbol)) return;
    map_set(n->holds, v->symbol, (void *)v);
    n->changed = true;
}

/* Treats the variable in e as a number: it is joined, or copied to a variable that holds numbers. */
static void hold_source(Numbers *n, const Expr *e) {
    while (e->op == OP_EXTRACT || e->op == OP_ZEXT || e->op == OP_SELECT) e = e->args[0];
    const Variable *v = expr_variable(e);
    if (v) hold(n, v);
}

/* Assigns e to v. */
static void flow(Numbers *n, const Variable *v, const Expr *e) {
    if (map_find(n->holds, v->symbol)) hold_source(n, e);
    if (carries(n, e)) hold(n, v);
    else if (map_find(n->holds, v->symbol) && !is_harmless(e) && !is_harmless_array(e)) misuse(n);
}

/* True for the number that models of library functions join where a thread must not be joined. No thread ever has it. */
static bool is_no_thread(const Expr *e) { return expr_is_const(e) && (uint32_t)e->value == UINT32_MAX; }

static void visit(Numbers *n, const Instr *i) {
    const Program *p = n->program;
    switch (i->kind) {
    case INSTR_ASSIGN: flow(n, i->target, i->value); return;
    case INSTR_ASSUME:
        if (carries(n, i->value)) misuse(n);
        return;
    case INSTR_LOCK:
    case INSTR_TRYLOCK:
    case INSTR_UNLOCK:
        if (i->cell) hold(n, i->cell);
        return;
    case INSTR_CREATE:
        if (i->target) hold(n, i->target);
        flow(n, p->templates[i->template_]->argument, i->value);
        return;
    case INSTR_JOIN:
        if (is_no_thread(i->address)) return;
        hold_source(n, i->address);
        if (!carries(n, i->address) && !is_harmless(i->address)) misuse(n);
        for (size_t t = 1; t < vec_len(p->templates) && i->target; t++)
            if (map_find(n->holds, p->templates[t]->result->symbol)) hold(n, i->target);
        return;
    case INSTR_HAVOC:
        if (map_find(n->adopted, i->target->symbol)) misuse(n);
        return;
    default: return;
    }
}

/* True if v may hold a number and has an initial value that is no number. */
static bool starts_otherwise(const Numbers *n, const Variable *v, Position *where) {
    if (!map_find(n->holds, v->symbol) || !v->init || is_harmless(v->init) || is_harmless_array(v->init)) return false;
    *where = v->position;
    return true;
}

bool numbers_matter(const Program *p, Position *where) {
    Numbers n = {.program = p, .holds = map_new(), .adopted = map_new(), .changed = true};
    bool matter = false;
    for (size_t t = 0; t < vec_len(p->templates); t++) hold(&n, p->templates[t]->self);
    while ((n.changed || !n.check) && !matter) { /* one more round, which checks */
        n.check = !n.changed;
        n.changed = false;
        for (size_t t = 0; t < vec_len(p->templates) && !matter; t++)
            for (size_t a = 0; a < vec_len(p->templates[t]->actions) && !matter; a++) {
                const Action *action = &p->templates[t]->actions[a];
                if (carries(&n, action->guard)) misuse(&n);
                for (size_t i = 0; i < vec_len(action->instrs); i++) visit(&n, &action->instrs[i]);
                matter = n.misused;
                if (matter) *where = action->position;
            }
    }
    for (size_t i = 0; i < vec_len(p->globals) && !matter; i++) matter = starts_otherwise(&n, p->globals[i], where);
    for (size_t t = 0; t < vec_len(p->templates); t++)
        for (size_t i = 0; i < vec_len(p->templates[t]->locals) && !matter; i++)
            matter = starts_otherwise(&n, p->templates[t]->locals[i], where);
    map_free(n.holds);
    map_free(n.adopted);
    return matter;
}
