/* SPDX-License-Identifier: Apache-2.0 */
/* Evaluates the indices of elements that the expression of an access contains. It uses the values that the step itself has read. */
#include "explain/elements.h"

typedef struct Finder {
    const ReplayStep *step;
    const Access *access;
    const ArrayValue *before;
    Values *values;
    Element *found; /* a vec */
    bool whole;     /* the array was accessed otherwise than by elements */
} Finder;

/* Looks up a global variable among the reads of the same instruction. */
static Fault look_up(void *context, const Symbol *s, unsigned n, const Value *args, Value *result) {
    const Finder *f = context;
    (void)n, (void)args;
    for (size_t i = 0; i < f->step->naccesses; i++) {
        const Access *a = &f->step->accesses[i];
        if (a->kind != ACCESS_READ || a->instr != f->access->instr || !a->variable || a->variable->symbol != s) continue;
        *result = a->value;
        return FAULT_NONE;
    }
    return FAULT_RANGE;
}

/* True if evaluation makes no new array. The machine's arrays belong to another pool. */
static bool makes_no_array(const Expr *e) {
    if (e->op == OP_STORE || e->op == OP_CONST_ARRAY || e->op == OP_APPLY) return false;
    for (unsigned i = 0; i < e->nargs; i++)
        if (!makes_no_array(e->args[i])) return false;
    return true;
}

static bool evaluate(Finder *f, const Expr *e, Value *v) {
    EvalEnv environment = {f->values, look_up, f};
    return makes_no_array(e) && !expr_eval(&environment, e, v);
}

static bool is_variable(const Finder *f, const Expr *e) { return e->op == OP_SYMBOL && e->symbol == f->access->variable->symbol; }

static void append_index(Buf *name, const Sort *sort, Value v) {
    buf_char(name, '[');
    value_print(name, sort, v, true);
    buf_char(name, ']');
}

/* Evaluates e, a selection from the variable: its name as an element, and its value. Returns false if an index is not known. */
static bool element_at(Finder *f, const Expr *e, Buf *name, Value *value) {
    Value index;
    if (is_variable(f, e)) {
        buf_text(name, f->access->variable->name);
        *value = f->access->value;
        return true;
    }
    if (!element_at(f, e->args[0], name, value) || !evaluate(f, e->args[1], &index)) return false;
    append_index(name, e->args[1]->sort, index);
    *value = array_select(value->array, index);
    return true;
}

static bool is_element(const Finder *f, const Expr *e) {
    while (e->op == OP_SELECT) e = e->args[0];
    return is_variable(f, e);
}

static void find_reads(Finder *f, const Expr *e) {
    if (is_variable(f, e)) {
        f->whole = true;
    } else if (e->op == OP_SELECT && is_element(f, e)) {
        Element element = {.sort = e->sort};
        if (element_at(f, e, &element.name, &element.value)) {
            vec_push(f->found, element);
        } else {
            buf_free(&element.name);
            f->whole = true;
        }
        for (; e->op == OP_SELECT; e = e->args[0]) find_reads(f, e->args[1]);
    } else {
        for (unsigned i = 0; i < e->nargs; i++) find_reads(f, e->args[i]);
    }
}

/* True if the value is one or more stores into the variable itself. */
static bool is_update(const Finder *f, const Expr *value) {
    const Expr *e = value;
    while (e->op == OP_STORE) e = e->args[0];
    return e != value && is_variable(f, e);
}

enum { LARGE = 5000 }; /* size of an expression as a tree; larger expressions are not searched */

static void find_reads_of(Finder *f, const Expr *e) {
    const Instr *i = f->access->instr;
    if (!e) return;
    if (e->tree > LARGE) {
        f->whole = true;
        return;
    }
    if (!i || i->kind != INSTR_ASSIGN || i->target != f->access->variable || !is_update(f, e)) {
        find_reads(f, e);
        return;
    }
    for (; e->op == OP_STORE; e = e->args[0]) {
        find_reads(f, e->args[1]);
        find_reads(f, e->args[2]);
    }
}

static void find_writes(Finder *f, const Expr *e) {
    if (!is_update(f, e) || e->tree > LARGE) f->whole = true;
    for (; !f->whole && e->op == OP_STORE; e = e->args[0]) {
        Element element = {.sort = e->sort->element};
        Value index;
        f->whole = !evaluate(f, e->args[1], &index);
        if (f->whole) return;
        buf_text(&element.name, f->access->variable->name);
        append_index(&element.name, e->args[1]->sort, index);
        element.value = array_select(f->access->value.array, index);
        element.before = array_select(f->before, index);
        vec_push(f->found, element);
    }
}

bool elements_of(const ReplayStep *step, const Access *a, const ArrayValue *before, Element **list) {
    Finder f = {.step = step, .access = a, .before = before, .values = values_new()};
    const Instr *i = a->instr;
    if (a->kind == ACCESS_READ && !i) find_reads_of(&f, step->action->guard);
    else if (a->kind == ACCESS_READ) {
        find_reads_of(&f, i->value);
        find_reads_of(&f, i->address);
        find_reads_of(&f, i->size);
    } else if (i && i->kind == INSTR_ASSIGN && before) {
        find_writes(&f, i->value);
    } else {
        f.whole = true;
    }
    values_free(f.values);
    while (f.whole && vec_len(f.found)) buf_free(&vec_pop(f.found).name);
    *list = f.found;
    return !f.whole;
}
