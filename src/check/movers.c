/* SPDX-License-Identifier: Apache-2.0 */
/* Checks that a transition moves as claimed past each transition of another thread (right, left). Two threads that are never at their
   two locations together need no such check (obligation `apart`). */
#include "check/checker.h"

/* ---- swaps ---- */

static const Expr *result_of(const System *s, const Transition *first, const Transition *second, unsigned v) {
    const Expr *u = transition_update(second, v);
    if (u) return transition_after(s, first, u);
    u = transition_update(first, v);
    return u ? u : system_expr(s, v);
}

Swap checker_swap(const Checker *c, const Transition *first, const Transition *second) {
    const System *s = c->system;
    Exprs *x = c->exprs;
    const Transition *both[] = {first, second};
    Swap swap = {expr_and(x, first->guard, transition_after(s, first, second->guard)),
                 expr_and(x, second->guard, transition_after(s, second, first->guard))};
    for (int k = 0; k < 2; k++)
        for (size_t i = 0; i < vec_len(both[k]->updates); i++) {
            unsigned v = both[k]->updates[i].variable;
            if (c->relevant[v])
                swap.same = expr_and(x, swap.same, expr_eq(x, result_of(s, first, second, v), result_of(s, second, first, v)));
        }
    return swap;
}

/* ---- movers ---- */

static void check_pair(Checker *c, unsigned t, const Transition *x, unsigned u, const Transition *y) {
    const System *s = c->system;
    ensure(t != u);
    uint8_t claim = c->proof->movers[t][x->index];
    const Expr *context =
        expr_and(c->exprs, checker_numbers(c, t, u), expr_and(c->exprs, checker_fact(c, t, x->source), checker_fact(c, u, y->source)));
    /* if the facts exclude each other, one obligation is enough for all pairs at these locations */
    checker_name(c, "apart %s %u and %s %u", s->threads[t].name, x->source, s->threads[u].name, y->source);
    if (!expr_is_true(context) && smt_check(c->smt, OBLIGATION_MS, context) == SMT_UNSAT) {
        checker_obligation(c, context, expr_bool(c->exprs, false));
        return;
    }
    for (unsigned side = MOVES_RIGHT; side <= MOVES_LEFT; side++) {
        if (!(claim & side)) continue;
        checker_name(c, "%s %s %u->%u past %s %u->%u", side == MOVES_RIGHT ? "right" : "left", s->threads[t].name, x->source, x->target,
                     s->threads[u].name, y->source, y->target);
        Swap swap = side == MOVES_RIGHT ? checker_swap(c, x, y) : checker_swap(c, y, x);
        checker_obligation(c, expr_and(c->exprs, context, swap.can), swap.same);
    }
}

typedef struct Past {
    Checker *checker;
    unsigned thread;
    const Transition *transition;
    bool writes; /* the transition writes the variable visited, or else reads it */
} Past;

static void check_accesses(const Past *p, unsigned v) {
    Checker *c = p->checker;
    const VariableAccess *list = v == NONE || !c->relevant[v] ? NULL : c->accesses[v];
    for (size_t i = 0; i < vec_len(list) && c->ok; i++)
        if (list[i].thread != p->thread && (p->writes || list[i].writes) && accesses_first_time(c, &list[i]))
            check_pair(c, p->thread, p->transition, list[i].thread, &c->system->threads[list[i].thread].transitions[list[i].transition]);
}

static void check_read(void *context, const Symbol *symbol) {
    const Past *p = context;
    check_accesses(p, system_variable(p->checker->system, symbol));
}

/* Checks a mover against the transitions with which it shares a relevant variable that one of them writes. It moves past all other
   transitions trivially. */
static void check_mover(Checker *c, unsigned t, const Transition *x) {
    Past p = {c, t, x, true};
    c->stamp++;
    for (size_t i = 0; i < vec_len(x->updates); i++) check_accesses(&p, x->updates[i].variable);
    p.writes = false;
    expr_symbols(x->guard, check_read, &p);
    for (size_t i = 0; i < vec_len(x->updates); i++)
        if (c->relevant[x->updates[i].variable]) expr_symbols(x->updates[i].value, check_read, &p);
}

void check_movers(Checker *c) {
    const System *s = c->system;
    for (unsigned t = 0; t < vec_len(s->threads); t++)
        for (size_t i = 0; i < vec_len(s->threads[t].transitions) && c->ok; i++) {
            const Transition *x = &s->threads[t].transitions[i];
            checker_name(c, "mover %s %u->%u", s->threads[t].name, x->source, x->target);
            if (c->proof->movers[t][i]) check_mover(c, t, x);
        }
}
