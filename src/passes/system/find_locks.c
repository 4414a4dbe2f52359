/* SPDX-License-Identifier: Apache-2.0 */
/* Marks variables that a program uses as locks: test-and-set loops, spin locks, atomic functions that wait for a flag and set it.

   requires  a system
   ensures   variables with the form of a lock are marked
   breaks    movers and blocks: there are more locks

   A variable has the form of a lock if it is global, starts at 0, and every update does one of two things. An acquisition sets it to
   another constant where the guard implies that it is 0. A release sets it to 0. Such transitions get the variable as `lock` or `unlock`. A
   ghost variable gets the number of the acquiring thread, and 0 at the release. No transition reads the ghost variable, so it changes no
   behaviour. A real mutex needs no ghost variable, since its word is the number of its owner.

   Only the form is checked here. passes/reduce/movers.h decides whether the holder alone releases the lock. */
#include "passes/system/system_passes.h"

static bool is_zero(const Expr *e) { return expr_is_const(e) && !e->value; }

/* Returns 1 if the update has the form of an acquisition of v, -1 for a release, 0 for any other update. */
static int update_form(const System *s, Smt *smt, const Transition *tr, unsigned v, const Expr *value) {
    Exprs *x = s->exprs;
    if (!expr_is_const(value)) return 0;
    if (is_zero(value)) return -1;
    const Expr *zero = expr_const(x, value->sort, 0);
    return smt_proves(smt, x, expr_implies(x, tr->guard, expr_eq(x, system_expr(s, v), zero))) ? 1 : 0;
}

static bool looks_like_lock(const System *s, Smt *smt, unsigned v) {
    bool acquired = false, released = false;
    for (size_t t = 0; t < vec_len(s->threads); t++)
        vec_each_at(const Transition, tr, s->threads[t].transitions) {
            const Expr *value = transition_update(tr, v);
            if (!value) continue;
            int f = update_form(s, smt, tr, v, value);
            if (!f) return false;
            acquired |= f > 0;
            released |= f < 0;
        }
    return acquired && released;
}

static bool is_candidate(const System *s, unsigned v) {
    const SystemVariable *x = &s->variables[v];
    SortKind kind = x->symbol->sort->kind;
    if (x->thread != NONE || !x->init || !is_zero(x->init) || (kind != SORT_INT && kind != SORT_BV)) return false;
    for (size_t t = 0; t < vec_len(s->threads); t++) {
        if (s->threads[t].status == v) return false;
        for (size_t i = 0; i < vec_len(s->threads[t].transitions); i++)
            if (s->threads[t].transitions[i].lock == v) return false; /* v is a real mutex */
    }
    return true;
}

static void add_ghost(System *s, unsigned v) {
    Buf name = {0};
    buf_printf(&name, "owner.%s", s->variables[v].name);
    const Sort *sort = s->integers ? sort_int(s->exprs) : sort_bv(s->exprs, 32);
    const Symbol *symbol = symbol_new(s->exprs, SYM_VARIABLE, buf_string(&name), sort);
    SystemVariable ghost = {.symbol = symbol,
                            .name = arena_strdup(s->arena, buf_string(&name)),
                            .hidden = true,
                            .thread = NONE,
                            .init = expr_const(s->exprs, sort, 0),
                            .owner = NONE};
    unsigned g = system_add_variable(s, ghost);
    s->variables[v].owner = g;
    for (unsigned t = 0; t < vec_len(s->threads); t++)
        vec_each_at(Transition, tr, s->threads[t].transitions) {
            const Expr *value = transition_update(tr, v);
            if (!value) continue;
            if (is_zero(value)) tr->unlock = v;
            else tr->lock = v;
            vec_push(tr->updates, ((Update){g, is_zero(value) ? expr_const(s->exprs, sort, 0) : system_number(s, t, sort)}));
        }
    buf_free(&name);
}

void find_locks(System *s, Smt *smt) {
    for (unsigned v = 0, n = (unsigned)vec_len(s->variables); v < n; v++)
        if (is_candidate(s, v) && looks_like_lock(s, smt, v)) add_ghost(s, v);
}
