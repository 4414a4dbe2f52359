/* SPDX-License-Identifier: Apache-2.0 */
/* Checks the obligations of the rule rely; see doc/rules.md. A thread's guarantee and its rely condition, on the runs of other threads,
   are relations: formulas over the variables before and after a run. If the proof has places, its formulas may mention all variables and
   the places of threads. A proof without places is modular. */
#include "check/checker.h"
#include "check/messages.h"

/* ---- before and after ---- */

static bool is_modular(const Checker *c) { return !vec_len(c->proof->places); }

static unsigned index_of(const Symbol *const *list, const Symbol *symbol) {
    for (unsigned i = 0; i < vec_len(list); i++)
        if (list[i] == symbol) return i;
    return NONE;
}

/* a renaming of formulas about a run of thread t, or about a run of another thread */
typedef struct Image {
    const Checker *checker;
    unsigned thread, location; /* its location before the run */
    const Transition *run;     /* its own run; NULL: a run of another thread, which leaves its locals unchanged */
    bool later;                /* formulas about a state are about the state after the run of another thread */
} Image;

static const Expr *place_image(const Image *i, const Symbol *symbol) {
    const Checker *c = i->checker;
    const Proof *p = c->proof;
    unsigned t = index_of(p->places, symbol);
    if (t == i->thread) return expr_int(c->exprs, i->location);
    if (t != NONE) return i->later ? expr_symbol(c->exprs, p->places_after[t]) : NULL;
    t = index_of(p->places_after, symbol);
    if (t == i->thread) return expr_int(c->exprs, i->run ? i->run->target : i->location);
    if (t != NONE && i->run) return expr_symbol(c->exprs, p->places[t]);
    return NULL;
}

static const Expr *image(void *context, const Expr *e) {
    const Image *i = context;
    const System *s = i->checker->system;
    unsigned v = system_variable(s, e->symbol);
    if (v != NONE) return i->later && s->variables[v].thread != i->thread ? expr_symbol(s->exprs, i->checker->proof->after[v]) : NULL;
    v = index_of(i->checker->proof->after, e->symbol);
    if (v == NONE) return place_image(i, e->symbol);
    if (i->run) return transition_value(s, i->run, v);
    return s->variables[v].thread == i->thread ? system_expr(s, v) : NULL;
}

static const Expr *with_image(Checker *c, Image i, const Expr *e) {
    i.checker = c;
    return expr_substitute(c->exprs, e, image, &i);
}

/* Returns the invariant of t at l before a run; invariant_later: after a run of another thread. */
static const Expr *invariant(Checker *c, unsigned t, unsigned l) {
    return with_image(c, (Image){.thread = t, .location = l}, c->proof->invariants[t][l]);
}

static const Expr *invariant_later(Checker *c, unsigned t, unsigned l) {
    return with_image(c, (Image){.thread = t, .location = l, .later = true}, c->proof->invariants[t][l]);
}

/* ---- the scope of formulas ---- */

typedef struct Scope {
    const Checker *checker;
    unsigned thread;
    bool relies; /* the formula is the thread's rely condition */
    bool foreign;
} Scope;

/* Returns whether v is the number of a thread marked many that the formula may mention. A guarantee may mention the thread's own number.
   A rely condition may mention the number of the running thread, too. */
static bool is_number(const Scope *s, unsigned v) {
    const System *y = s->checker->system;
    unsigned owner = y->variables[v].thread;
    return y->threads[owner].many && y->threads[owner].self == v && (owner == s->thread || s->relies);
}

/* Finds symbols outside of the scope. A modular proof may mention globals before and after, and numbers of threads. */
static void look_at_symbol(void *context, const Symbol *symbol) {
    Scope *s = context;
    const Checker *c = s->checker;
    unsigned v = system_variable(c->system, symbol), later = index_of(c->proof->after, symbol);
    if (!is_modular(c)) {
        bool place = index_of(c->proof->places, symbol) != NONE || index_of(c->proof->places_after, symbol) != NONE;
        s->foreign |= v == NONE && later == NONE && !place;
    } else if (v != NONE) s->foreign |= c->system->variables[v].thread != NONE && !is_number(s, v);
    else s->foreign |= later == NONE || c->system->variables[later].thread != NONE;
}

static void check_relation(Checker *c, unsigned t, bool relies, const Expr *e) {
    Scope s = {c, t, relies, false};
    expr_symbols(e, look_at_symbol, &s);
    if (s.foreign) checker_refuse(c, MSG_CHECK_RELATION_SCOPE);
}

/* Checks that the symbols for the state after a run have no other meaning, and are different. */
void checker_after(Checker *c) {
    const Proof *p = c->proof;
    const System *s = c->system;
    checker_name(c, "after");
    size_t places = p->rule == RULE_REDSAFETY ? 0 : vec_len(p->places); /* inside a block, other threads stay where they are */
    bool good = vec_len(p->after) == vec_len(s->variables) && vec_len(p->places_after) == places;
    Map *seen = map_new();
    for (size_t k = 0; k < vec_len(p->places); k++) map_put(seen, map_key(p->places[k]), 1);
    for (size_t k = 0; k < vec_len(p->after) + vec_len(p->places_after) && good; k++) {
        bool place = k >= vec_len(p->after);
        const Symbol *symbol = place ? p->places_after[k - vec_len(p->after)] : p->after[k];
        const Sort *sort = place ? sort_int(c->exprs) : s->variables[k].symbol->sort;
        uint64_t before;
        good = symbol->sort == sort && symbol->kind == SYM_VARIABLE && system_variable(s, symbol) == NONE && !checker_is_input(s, symbol) &&
               !map_get(seen, map_key(symbol), &before);
        map_put(seen, map_key(symbol), 1);
    }
    map_free(seen);
    if (!good) checker_refuse(c, MSG_CHECK_AFTER_SYMBOL);
}

static void check_claims(Checker *c, unsigned t) {
    const System *s = c->system;
    const Proof *p = c->proof;
    const SystemThread *thread = &s->threads[t];
    for (unsigned l = 0; l < vec_len(thread->locations); l++) {
        checker_name(c, "claim %s %u", thread->name, l);
        checker_scope(c, p->invariants[t][l], (CheckScope){t, t, !is_modular(c)});
    }
    checker_name(c, "claim %s", thread->name);
    check_relation(c, t, false, p->guarantees[t]);
    check_relation(c, t, true, p->relies[t]);
    if (!thread->many) return;
    if (!is_modular(c)) checker_refuse(c, MSG_CHECK_MANY);
    checker_second_instance(c, t);
    if (c->ok && !checker_is_renamed(c, t, p->guarantees[t], p->guarantees[thread->other_instance]))
        checker_refuse(c, MSG_CHECK_SECOND_GUARANTEE);
}

/* ---- obligations ---- */

static void check_run(Checker *c, unsigned t, const Transition *run) {
    const System *s = c->system;
    const Expr *mine = expr_and(c->exprs, expr_and(c->exprs, checker_numbers(c, t, t), invariant(c, t, run->source)), run->guard);
    if (checker_is_bad(c, t, run->target)) {
        checker_name(c, "error %s %u", s->threads[t].name, run->target);
        checker_obligation(c, mine, expr_bool(c->exprs, false));
        return;
    }
    checker_name(c, "step %s %u to %u", s->threads[t].name, run->source, run->target);
    checker_obligation(c, mine, transition_after(s, run, invariant(c, t, run->target)));
    checker_name(c, "guarantee %s %u to %u", s->threads[t].name, run->source, run->target);
    Image i = {.thread = t, .location = run->source, .run = run};
    checker_obligation(c, mine, with_image(c, i, c->proof->guarantees[t]));
}

/* Checks that runs of other threads keep the invariant where they may run. The running thread has another number than t; the numbers of
   the remaining threads are only known to be different. */
static void check_stable(Checker *c, unsigned t, unsigned l) {
    const Expr *rely = with_image(c, (Image){.thread = t, .location = l}, c->proof->relies[t]);
    const Expr *before = invariant(c, t, l);
    for (unsigned u = 0; u < vec_len(c->system->threads); u++) before = expr_and(c->exprs, before, checker_numbers(c, t, u));
    checker_name(c, "stable %s %u", c->system->threads[t].name, l);
    checker_obligation(c, expr_and(c->exprs, before, rely), invariant_later(c, t, l));
}

/* Returns whether each disjunct of `part` is, syntactically, a disjunct of `whole`. */
static bool is_part(const Expr *part, const Expr *whole) {
    bool found = part == whole;
    if (part->op == OP_OR && !found) {
        for (unsigned i = 0; i < part->nargs; i++)
            if (!is_part(part->args[i], whole)) return false;
        return true;
    }
    for (unsigned i = 0; whole->op == OP_OR && i < whole->nargs && !found; i++) found = is_part(part, whole->args[i]);
    return found;
}

static void check_thread(Checker *c, unsigned t) {
    const SystemThread *thread = &c->system->threads[t];
    for (unsigned l = 0; l < vec_len(thread->locations) && c->ok; l++) {
        if (c->proof->out[t][l] && !checker_is_bad(c, t, l)) check_stable(c, t, l);
        checker_name(c, "step %s %u", thread->name, l);
        if (!c->proof->stop[t][l] || thread->locations[l].kind != LOCATION_PLAIN) continue;
        const Transition *runs = checker_block_paths(c, t, l);
        for (size_t i = 0; i < vec_len(runs) && c->ok; i++) check_run(c, t, &runs[i]);
    }
    for (unsigned u = 0; u < vec_len(c->system->threads) && c->ok; u++) {
        if (u == t) continue;
        checker_name(c, "rely %s on %s", thread->name, c->system->threads[u].name);
        bool plain = is_part(c->proof->guarantees[u], c->proof->relies[t]);
        checker_obligation(c, expr_and(c->exprs, checker_numbers(c, t, u), c->proof->guarantees[u]),
                           plain ? expr_bool(c->exprs, true) : c->proof->relies[t]);
    }
}

/* Replaces the places of threads by their entries. */
static const Expr *entry_image(void *context, const Expr *e) {
    const Checker *c = context;
    unsigned t = index_of(c->proof->places, e->symbol);
    return t == NONE ? NULL : expr_int(c->exprs, c->system->threads[t].entry);
}

static void check_start(Checker *c, unsigned t) {
    const SystemThread *thread = &c->system->threads[t];
    checker_name(c, "init %s", thread->name);
    if (checker_is_bad(c, t, thread->entry)) checker_refuse(c, MSG_CHECK_ENTRY_ERROR);
    const Expr *claim = expr_substitute(c->exprs, c->proof->invariants[t][thread->entry], entry_image, c);
    checker_obligation(c, expr_and(c->exprs, checker_initially(c), checker_numbers(c, t, t)), claim);
}

void check_rely(Checker *c) {
    ensure(c->proof->rule == RULE_RELY);
    if (!is_modular(c)) checker_places(c);
    checker_after(c);
    for (unsigned t = 0; t < vec_len(c->system->threads) && c->ok; t++) check_claims(c, t);
    for (unsigned t = 0; t < vec_len(c->system->threads) && c->ok; t++) {
        check_start(c, t);
        check_thread(c, t);
    }
}
