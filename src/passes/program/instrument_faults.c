/* SPDX-License-Identifier: Apache-2.0 */
/* Turns undefined arithmetic into errors, for engines that search for error locations.

   requires  a well-formed program whose assertions are forgotten (ir/asserts.h)
   ensures   an ERROR is reachable if the program can evaluate an undefined expression. A STOP is reachable instead if no formula
             describes when the expression is defined. Locations and actions of the program come first, with their old numbers
   breaks    nothing

   For each expression of an action that may fault, the pass adds an action from the same location to an error. The new action executes the
   instructions before the expression, and assumes that the expression is undefined. */
#include "passes/program/instrumented.h"
#include "expr/defined.h"
#include "passes/messages.h"

typedef struct Ask {
    Program *program;
    Template *template_;
    unsigned action, before; /* the action, and the number of its instructions before the present expression */
    Instrumented *out;
} Ask;

static void ask_expression(void *context, const Expr *e) {
    Ask *a = context;
    if (!expr_may_fault(e)) return;
    DefinedValue m = expr_meaning(a->program->exprs, e);
    if (m.value && expr_is_true(m.defined)) return;
    Instr asks = {.kind = INSTR_ASSUME, .value = m.value ? expr_not(a->program->exprs, m.defined) : NULL};
    if (m.value)
        instrumented_add(a->out, a->template_, a->action, a->before, LOCATION_ERROR, MSG_PASSES_FAULT_ARITHMETIC, &asks, TRACE_FAULT);
    else instrumented_add(a->out, a->template_, a->action, a->before, LOCATION_STOP, MSG_PASSES_FAULT_ARITHMETIC_OPEN, NULL, TRACE_FAULT);
}

static void ask_action(Ask *a) {
    a->before = BEFORE_GUARD;
    if (!known_at(a->out->question->known, a->template_->actions[a->action].position))
        ask_expression(a, a->template_->actions[a->action].guard);
    for (a->before = 0; a->before < vec_len(a->template_->actions[a->action].instrs); a->before++) {
        Instr i = a->template_->actions[a->action].instrs[a->before];
        if (!known_at(a->out->question->known, i.position)) instr_expressions(&i, ask_expression, a);
    }
}

void add_fault_errors(Instrumented *out) {
    Ask a = {.program = out->program, .out = out};
    for (size_t t = 0; t < vec_len(a.program->templates); t++) {
        a.template_ = a.program->templates[t];
        size_t n = vec_len(a.template_->actions);
        for (a.action = 0; a.action < n; a.action++) ask_action(&a);
    }
}

Instrumented instrument_faults(Program *program, const Question *question) {
    Instrumented out = {.program = program, .question = question, .end = TRACE_FAULT};
    add_fault_errors(&out);
    return out;
}
