/* SPDX-License-Identifier: Apache-2.0 */
/* Any over-approximated action is an assumption, with one exception: the result of a function without a body. This result may be any value. As long as
   the trace only moves it from variable to variable, its value is irrelevant to the trace.

   So the trace is walked with a set of results for each variable: those that its value depends on. A result counts once it is used in another way:
   in a guard, an address or memory, or in an operation that may fault. Memory has no sets: a stored value counts as used. */
#include "result/assume.h"
#include "base/map.h"

/* Sets are words of 64 bits. Results beyond the last bit share it. */
enum { LAST = 63 };

typedef struct Walk {
    const Program *program;
    Map *sets;           /* variable (with the thread, if it is local) → the results that its value depends on */
    unsigned *template_; /* a vec, by thread number - 1 */
    unsigned thread;
    size_t *sources; /* a vec by bit: the step that made the result; further entries share the last bit */
    uint64_t used;
} Walk;

static uint64_t key_of(const Walk *w, const Variable *v) { return hash_word(map_key(v)) + (v->global ? 0 : w->thread); }

static uint64_t set_of(const Walk *w, const Variable *v) {
    uint64_t set = 0;
    return map_get(w->sets, key_of(w, v), &set) ? set : 0;
}

static void set_to(Walk *w, const Variable *v, uint64_t set) {
    if (set || set_of(w, v)) map_put(w->sets, key_of(w, v), set);
}

typedef struct Sum {
    const Walk *walk;
    uint64_t set;
} Sum;

static void add_symbol(void *context, const Symbol *s) {
    Sum *sum = context;
    if (s->kind == SYM_VARIABLE) sum->set |= set_of(sum->walk, s->user);
}

static uint64_t set_of_expr(const Walk *w, const Expr *e) {
    Sum sum = {.walk = w};
    if (e) expr_symbols(e, add_symbol, &sum);
    return sum.set;
}

static bool same_place(Position a, Position b) { return a.file == b.file && a.line == b.line && a.column == b.column; }

/* True if the instruction chooses the result of the function. Without positions, this holds for any choice of the action. */
static bool is_result(const Approximation *a, const Instr *i) {
    return a && a->kind == APPROX_OVER && a->result && i->kind == INSTR_HAVOC && same_place(a->position, i->position);
}

static uint64_t source(Walk *w, size_t step) {
    if (!vec_len(w->sources) || vec_last(w->sources) != step) vec_push(w->sources, step);
    size_t bit = vec_len(w->sources) - 1;
    return UINT64_C(1) << (bit < LAST ? bit : LAST);
}

static void walk_instr(Walk *w, const Approximation *a, const Instr *i, size_t step) {
    const Template *t = w->program->templates[w->template_[w->thread - 1]];
    uint64_t set = 0, value = set_of_expr(w, i->value);
    if (i->kind == INSTR_ASSIGN && !expr_may_fault(i->value)) set = value;
    else w->used |= value;
    if (is_result(a, i)) set = source(w, step);
    w->used |= set_of_expr(w, i->address) | set_of_expr(w, i->size) | (i->cell ? set_of(w, i->cell) : 0);
    if (i->target && i->target == t->result) w->used |= set; /* results of other calls join it in the caller */
    if (i->target) set_to(w, i->target, set);
    if (i->kind == INSTR_CREATE) vec_push(w->template_, i->template_);
}

static void walk_step(Walk *w, const TraceStep *s, size_t step) {
    w->thread = s->thread;
    if (s->action == TRACE_FLUSH) return;
    const Action *a = &w->program->templates[w->template_[s->thread - 1]]->actions[s->action];
    const Approximation *over = a->approximation == NO_APPROXIMATION ? NULL : &w->program->approximations[a->approximation];
    w->used |= set_of_expr(w, a->guard);
    for (size_t i = 0; i < vec_len(a->instrs); i++) walk_instr(w, over, &a->instrs[i], step);
}

static const Approximation *over_at(const Program *p, const unsigned *templates, const TraceStep *s) {
    if (s->action == TRACE_FLUSH) return NULL;
    unsigned index = p->templates[templates[s->thread - 1]]->actions[s->action].approximation;
    const Approximation *a = index == NO_APPROXIMATION ? NULL : &p->approximations[index];
    return a && a->kind == APPROX_OVER ? a : NULL;
}

/* True if the result of the step is used. A result that is not among the sources was never chosen, so it is not used. */
static bool result_matters(const Walk *w, size_t step) {
    for (size_t i = 0; i < vec_len(w->sources); i++)
        if (w->sources[i] == step) return w->used >> (i < LAST ? i : LAST) & 1;
    return false;
}

size_t *trace_assumptions(const Program *p, const Trace *t) {
    Walk w = {.program = p, .sets = map_new()};
    size_t *found = NULL;
    vec_push(w.template_, 0);
    for (size_t i = 0; i < vec_len(t->steps); i++) walk_step(&w, &t->steps[i], i);
    for (size_t i = 0; i < vec_len(t->steps); i++) {
        const Approximation *a = over_at(p, w.template_, &t->steps[i]);
        if (a && (!a->result || result_matters(&w, i))) vec_push(found, i);
    }
    map_free(w.sets);
    vec_free(w.template_);
    vec_free(w.sources);
    return found;
}
