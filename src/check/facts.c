/* SPDX-License-Identifier: Apache-2.0 */
/* Checks that each fact holds whenever its thread is at its location. The obligations are for the entry (fact-init), for the thread's
   own transitions (fact-step), and for those of other threads (fact-stable). */
#include "check/checker.h"

typedef struct Stability {
    Checker *checker;
    unsigned thread, location;
    const Expr *fact;
} Stability;

/* Checks that every other thread that writes this variable of the fact keeps the fact. */
static void check_writers(void *context, const Symbol *symbol) {
    const Stability *f = context;
    Checker *c = f->checker;
    const System *s = c->system;
    unsigned v = system_variable(s, symbol);
    const VariableAccess *list = v == NONE ? NULL : c->accesses[v];
    for (size_t i = 0; i < vec_len(list); i++) {
        unsigned u = list[i].thread;
        if (u == f->thread || !list[i].writes || !accesses_first_time(c, &list[i])) continue;
        const Transition *y = &s->threads[u].transitions[list[i].transition];
        checker_name(c, "fact-stable %s %u by %s %u->%u", s->threads[f->thread].name, f->location, s->threads[u].name, y->source,
                     y->target);
        const Expr *both = expr_and(c->exprs, checker_numbers(c, f->thread, u), expr_and(c->exprs, f->fact, checker_fact(c, u, y->source)));
        checker_obligation(c, expr_and(c->exprs, both, y->guard), transition_after(s, y, f->fact));
    }
}

static void check_fact(Checker *c, unsigned t, unsigned l) {
    Stability f = {c, t, l, checker_fact(c, t, l)};
    c->stamp++;
    expr_symbols(f.fact, check_writers, &f);
}

void check_facts(Checker *c) {
    const System *s = c->system;
    for (unsigned t = 0; t < vec_len(s->threads) && c->ok; t++) {
        checker_name(c, "fact-init %s", s->threads[t].name);
        checker_obligation(c, checker_initially(c), checker_fact(c, t, s->threads[t].entry));
        vec_each_at(const Transition, x, s->threads[t].transitions) {
            checker_name(c, "fact-step %s %u->%u", s->threads[t].name, x->source, x->target);
            checker_obligation(c, expr_and(c->exprs, checker_fact(c, t, x->source), x->guard),
                               transition_after(s, x, checker_fact(c, t, x->target)));
        }
        for (unsigned l = 0; l < vec_len(s->threads[t].locations); l++) check_fact(c, t, l);
    }
}
