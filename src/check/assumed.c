/* SPDX-License-Identifier: Apache-2.0 */
#include "check/assumed.h"
#include "check/replay.h"
#include "result/assume.h"
#include "check/messages.h"
#include <string.h>

typedef struct Assumed {
    const Program *program;
    const Trace *trace;
    const size_t *steps;                /* a vec: indices of the steps that rely on an assumption */
    size_t step, next;                  /* step: the one being replayed; next: index in `steps` of the next one */
    Buf text;                           /* assumptions about functions without a body */
    const Approximation *first, *other; /* the first assumption; the first that is not about a function without a body */
    const char **silent;                /* a vec: functions already listed as having no effect */
} Assumed;

static bool same_place(Position a, Position b) { return a.file == b.file && a.line == b.line && a.column == b.column; }

/* Returns the access that chose the result, or NULL. */
static const Access *result_of(const Approximation *a, const ReplayStep *s) {
    for (size_t i = 0; i < s->naccesses; i++) {
        const Instr *instr = s->accesses[i].instr;
        if (instr && instr->kind == INSTR_HAVOC && s->accesses[i].variable && same_place(instr->position, a->position))
            return &s->accesses[i];
    }
    return NULL;
}

static void put_value(Assumed *w, const Access *x) {
    const Variable *v = x->variable;
    bool pointer = v->ctype && strchr(v->ctype, '*');
    if (pointer && !x->value.bits) buf_text(&w->text, "NULL");
    else if (pointer) buf_printf(&w->text, MSG_CHECK_ASSUMED_ADDRESS, (unsigned long long)x->value.bits);
    else value_print(&w->text, v->sort, x->value, v->is_signed);
}

static bool listed_before(Assumed *w, const char *function) {
    if (vec_has(w->silent, function)) return true;
    vec_push(w->silent, function);
    return false;
}

/* Adds an assumption to the text: each result separately, but only once that a function has no effect. */
static void add(Assumed *w, const Approximation *a, const ReplayStep *s) {
    const Access *x = a->result ? result_of(a, s) : NULL;
    if (!a->result && listed_before(w, a->function)) return;
    if (w->text.length) buf_text(&w->text, ", and ");
    bool variable = x && x->variable->global; /* a variable that no file defines */
    if (a->result) buf_printf(&w->text, variable ? MSG_CHECK_ASSUMED_VARIABLE : MSG_CHECK_ASSUMED_RESULT, a->function);
    else buf_printf(&w->text, MSG_CHECK_ASSUMED_EFFECT, a->function);
    if (x) put_value(w, x);
    else if (a->result) buf_text(&w->text, MSG_CHECK_ASSUMED_SOME);
    if (a->position.file && !variable) buf_printf(&w->text, MSG_CHECK_ASSUMED_LINE, a->position.line);
}

static void visit_step(void *context, Machine *m, const ReplayStep *s) {
    Assumed *w = context;
    (void)m;
    while (w->step < vec_len(w->trace->steps) && w->trace->steps[w->step].action == TRACE_FLUSH && !s->flush)
        w->step++; /* these steps only record where reads come from; they are not visited */
    if (w->next < vec_len(w->steps) && w->steps[w->next] == w->step) {
        const Approximation *a = &w->program->approximations[s->action->approximation];
        w->next++;
        if (!w->first) w->first = a;
        if (a->function) add(w, a, s);
        else if (!w->other) w->other = a;
    }
    w->step++;
}

bool assumed_text(Buf *out, Position *at, const Program *p, const Question *q, const Trace *t) {
    size_t *steps = trace_assumptions(p, t);
    Assumed w = {.program = p, .trace = t, .steps = steps};
    if (vec_len(steps)) replay(p, q, t, visit_step, &w, NULL);
    const Approximation *a = w.other ? w.other : w.first;
    if (a) *at = a->position;
    bool endless = TRACE_LOOPS(t->end);
    if (w.other)
        buf_printf(out, MSG_CHECK_APPROXIMATED, endless ? MSG_CHECK_MAY_GO_ON : MSG_CHECK_MAY_ERR, w.other->text,
                   w.text.length ? MSG_CHECK_ALSO_IF : "", buf_string(&w.text));
    else if (w.first) buf_printf(out, MSG_CHECK_ASSUMED, endless ? MSG_CHECK_ENDLESS : MSG_CHECK_MAY_ERR, buf_string(&w.text));
    vec_free(steps);
    vec_free(w.silent);
    buf_free(&w.text);
    return a != NULL;
}
