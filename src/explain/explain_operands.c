/* SPDX-License-Identifier: Apache-2.0 */
/* Prints the operation of an arithmetic fault with the values of its operands. The faulty step was not executed. So the instructions before the
   operation in its action are evaluated here, if that is easy; otherwise nothing is printed. */
#include "explain/trace_explainer.h"

typedef struct Known {
    const Variable *variable;
    Value value;
} Known;

typedef struct Operands {
    Machine *machine;
    const ReplayStep *step;
    Values *values;
    Known *known;  /* a vec: the assignments of the action so far, in order */
    size_t chosen; /* the number of the step's choices that are used up */
} Operands;

static Fault look_up(void *context, const Symbol *s, unsigned n, const Value *args, Value *result) {
    const Operands *o = context;
    (void)args;
    if (n || s->kind != SYM_VARIABLE) return FAULT_RESOURCE;
    const Variable *v = s->user;
    for (size_t i = vec_len(o->known); i-- > 0;)
        if (o->known[i].variable == v) {
            *result = o->known[i].value;
            return FAULT_NONE;
        }
    *result = state_variable(o->machine, o->step->after, v, o->step->thread);
    return FAULT_NONE;
}

static Fault eval(Operands *o, const Expr *e, Value *result) {
    const EvalEnv env = {.values = o->values, .lookup = look_up, .context = o};
    return expr_eval(&env, e, result);
}

/* Finds the value that an instruction before the fault has assigned. Returns false if it is not known. */
static bool assigned(Operands *o, const Instr *x, Value *value) {
    if (x->kind == INSTR_ASSIGN) return eval(o, x->value, value) == FAULT_NONE;
    if (x->kind == INSTR_HAVOC && !x->undefined && x->target->sort->kind != SORT_ARRAY && o->chosen < vec_len(o->step->choices)) {
        *value = (Value){.bits = o->step->choices[o->chosen++]};
        return true;
    }
    for (size_t i = 0; i < o->step->naccesses; i++) {
        const Access *a = &o->step->accesses[i];
        if (a->instr != x || a->kind != ACCESS_READ || a->undefined || a->chosen || x->kind != INSTR_LOAD) continue;
        *value = a->value;
        return true;
    }
    return false;
}

/* Evaluates the instructions of the action before `at`, or all of them if it is NULL. Returns false if a value is not known. */
static bool run_up_to(Operands *o, const Instr *at) {
    vec_each_at(const Instr, x, o->step->action->instrs) {
        const Variable *v = instr_written(x);
        if (x == at) return true;
        Known k = {.variable = v};
        if (v && !assigned(o, x, &k.value)) return false;
        if (v) vec_push(o->known, k);
    }
    return !at;
}

/* Returns the innermost operation that has no value although its operands have one; NULL if it is not found. */
static const Expr *culprit(Operands *o, const Expr *e, Value args[2]) {
    Value v;
    for (unsigned i = 0; i < e->nargs; i++) {
        if (e->op == OP_ITE && i > 0) break;
        if (eval(o, e->args[i], &v)) return culprit(o, e->args[i], args);
        if (i < 2) args[i] = v;
    }
    if (e->op == OP_ITE) return culprit(o, e->args[args[0].bits ? 1 : 2], args);
    return e->nargs == 2 && eval(o, e, &v) ? e : NULL;
}

static const char *sign_of(Op op) {
    switch (op) {
    case OP_ADD: return "+";
    case OP_SUB: return "-";
    case OP_MUL: return "*";
    case OP_SDIV:
    case OP_UDIV: return "/";
    case OP_SREM:
    case OP_UREM: return "%";
    case OP_SHL: return "<<";
    case OP_LSHR:
    case OP_ASHR: return ">>";
    default: return NULL;
    }
}

static const Expr *at_fault(Operands *o, const Expr *const *list, unsigned n, Value args[2]) {
    Value v;
    for (unsigned i = 0; i < n; i++)
        if (list[i] && eval(o, list[i], &v)) return culprit(o, list[i], args);
    return NULL;
}

void tell_operands(TraceExplainer *t, Machine *m, const ReplayStep *s) {
    Fault f = s->fault->fault;
    const Instr *x = s->fault->instr;
    Operands o = {.machine = m, .step = s, .values = values_new()};
    Value args[2];
    bool arithmetic = f == FAULT_OVERFLOW || f == FAULT_DIVISION || f == FAULT_SHIFT;
    const Expr *const parts[] = {x ? x->value : s->action->guard, x ? x->address : NULL, x ? x->size : NULL};
    const Expr *e = arithmetic && (!x || run_up_to(&o, x)) ? at_fault(&o, parts, 3, args) : NULL;
    const char *sign = e ? sign_of(e->op) : NULL;
    if (sign && e->sort->kind == SORT_BV &&
        e->sort->width > 1) { /* operations on one bit come from the front end, for faults that clang found */
        Buf out = {0};
        bool is_signed = e->op != OP_UDIV && e->op != OP_UREM && e->op != OP_LSHR;
        value_print(&out, e->args[0]->sort, args[0], is_signed);
        buf_printf(&out, " %s ", sign);
        value_print(&out, e->args[1]->sort, args[1], is_signed);
        if (f == FAULT_OVERFLOW && e->op == OP_SREM) buf_printf(&out, ": the quotient does not fit into %u bits", e->sort->width);
        else if (f == FAULT_OVERFLOW) buf_printf(&out, " does not fit into %u bits", e->sort->width);
        else if (f == FAULT_SHIFT) buf_printf(&out, ", of %u bits", e->sort->width);
        vec_push(t->counterexample->details, kept(t, &out));
    }
    vec_free(o.known);
    values_free(o.values);
}
