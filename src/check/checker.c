/* SPDX-License-Identifier: Apache-2.0 */
/* Has what all kinds of obligations need: a single obligation, the facts that it may assume, and the scope of formulas. */
#include "check/checker.h"
#include "base/clock.h"
#include "check/messages.h"
#include <stdarg.h>
#include <stdio.h>

void checker_name(Checker *c, const char *format, ...) {
    va_list ap;
    va_start(ap, format);
    vsnprintf(c->name, sizeof c->name, format, ap);
    va_end(ap);
}

void checker_refuse(Checker *c, const char *why) {
    if (c->ok) snprintf(c->report->failed, sizeof c->report->failed, "%s: %s", c->name, why);
    c->ok = false;
}

/* ---- one obligation ---- */

static void declare(void *context, const Symbol *s) {
    Buf *out = context;
    if (s->kind == SYM_FUNCTION) return;
    buf_text(out, "(declare-const ");
    symbol_print_smt(out, s);
    buf_char(out, ' ');
    sort_print_smt(out, s->sort);
    buf_text(out, ")\n");
}

void checker_write(Checker *c, const Expr *negated) {
    ensure(c->certificate && expr_is_formula(negated));
    Buf *out = c->certificate;
    buf_printf(out, "; %s\n(push 1)\n", c->name);
    expr_symbols(negated, declare, out);
    buf_text(out, "(assert ");
    expr_print_smt(out, negated);
    buf_text(out, ")\n(check-sat)\n(pop 1)\n");
}

void checker_obligation(Checker *c, const Expr *hypothesis, const Expr *conclusion) {
    ensure(expr_is_formula(hypothesis) && expr_is_formula(conclusion));
    const Expr *negated = expr_and(c->exprs, hypothesis, expr_not(c->exprs, conclusion));
    if (!c->ok) return;
    if (expr_is_false(negated)) {
        c->report->trivial++;
        return;
    }
    c->report->obligations++;
    if (c->certificate) checker_write(c, negated);
    if (clock_seconds() > c->deadline) checker_refuse(c, MSG_CHECK_TIME);
    else if (smt_check(c->smt, OBLIGATION_MS, negated) != SMT_UNSAT) checker_refuse(c, MSG_CHECK_FAILS);
}

/* ---- facts ---- */

const Expr *checker_fact(const Checker *c, unsigned thread, unsigned location) {
    ensure(thread < vec_len(c->system->threads) && location < vec_len(c->system->threads[thread].locations));
    const Expr *f = c->proof->facts ? c->proof->facts[thread][location] : NULL;
    return f ? f : expr_bool(c->exprs, true);
}

const Expr *checker_initially(Checker *c) {
    const System *s = c->system;
    const Expr *e = expr_bool(c->exprs, true);
    for (unsigned v = 0; v < vec_len(s->variables); v++)
        if (s->variables[v].init) e = expr_and(c->exprs, e, expr_eq(c->exprs, system_expr(s, v), s->variables[v].init));
    return e;
}

/* ---- the scope of formulas ---- */

typedef struct Scope {
    const Checker *checker;
    CheckScope allowed;
    bool foreign;
} Scope;

static void look_at_symbol(void *context, const Symbol *symbol) {
    Scope *s = context;
    const Checker *c = s->checker;
    unsigned v = system_variable(c->system, symbol), owner = v == NONE ? NONE : c->system->variables[v].thread;
    bool place = false;
    for (size_t t = 0; t < vec_len(c->proof->places) && s->allowed.all; t++) place |= c->proof->places[t] == symbol;
    s->foreign |= v == NONE ? !place : owner != NONE && !s->allowed.all && owner != s->allowed.first && owner != s->allowed.second;
}

void checker_scope(Checker *c, const Expr *e, CheckScope allowed) {
    ensure(allowed.all || (allowed.first < vec_len(c->system->threads) && allowed.second < vec_len(c->system->threads)));
    Scope s = {c, allowed, false};
    expr_symbols(e, look_at_symbol, &s);
    if (s.foreign) checker_refuse(c, allowed.all ? MSG_CHECK_SYMBOL_UNKNOWN : MSG_CHECK_SYMBOL_FOREIGN);
}

/* ---- places of threads ---- */

bool checker_is_input(const System *s, const Symbol *symbol) {
    system_each_transition(const Transition, tr, s)
        if (vec_has(tr->inputs, symbol)) return true;
    return false;
}

/* Checks that each thread has a symbol for its place, and that it has no other meaning. */
void checker_places(Checker *c) {
    const Symbol *const *places = c->proof->places;
    checker_name(c, "places");
    if (vec_len(places) != vec_len(c->system->threads)) checker_refuse(c, MSG_CHECK_PLACES);
    for (size_t t = 0; t < vec_len(places); t++) {
        bool good =
            places[t]->sort->kind == SORT_INT && system_variable(c->system, places[t]) == NONE && !checker_is_input(c->system, places[t]);
        for (size_t u = 0; u < t; u++) good &= places[u] != places[t];
        if (!good) checker_refuse(c, MSG_CHECK_PLACES);
    }
}
