/* SPDX-License-Identifier: Apache-2.0 */
/* Checks passes over a system that remove transitions, or change guards and updates.

   The threads before and after the pass are walked together from their entries. The transitions of a location keep their order. Thus the walk
   finds which transition became which, and which ones the pass removed. A transition that stays must be possible wherever it was possible
   before. Its effect must be the same on all variables that anything may still read. The kind of the omission decides why the removed ones do
   not matter. */
#include "check/omission_checks.h"
#include "check/messages.h"
#include "smt/smt.h"
#include "system/compose.h"

typedef struct ThreadPair {
    const SystemThread *before, *after;
    unsigned *was;  /* a vec, by location after: the location before, or NONE if the walk did not get there */
    unsigned *kept; /* a vec, by transition before: 1 + the transition after; 0: it is gone, or the walk did not get there */
    bool *walked;   /* a vec, by location before */
} ThreadPair;

typedef struct Check {
    const System *before, *after;
    const OmissionView *view;
    Exprs *exprs;
    Omission *omission;
    ThreadPair *threads; /* a vec */
    bool *relevant;      /* by variable: of the system after */
    Smt *smt;            /* made when first needed */
} Check;

static void refuse(Check *c, Position at, const char *why) { omission_refuse(c->omission, at, "%s", why); }

/* ---- types: the ranges of integers that stand for C's integers ---- */

typedef struct Ranges {
    const Check *check;
    const Expr *facts;
    Expr const **seen; /* a vec */
} Ranges;

static void add_range(Ranges *r, const Expr *e, const Sort *sort, bool is_signed) {
    Exprs *x = r->check->exprs;
    if (sort->kind != SORT_BV || sort->width > 64) return;
    i128 half = (i128)1 << (sort->width - 1), least = is_signed ? -half : 0, most = is_signed ? half - 1 : half * 2 - 1;
    r->facts = expr_and(x, r->facts, expr_and(x, expr_2(x, OP_SLE, expr_int(x, least), e), expr_2(x, OP_SLE, e, expr_int(x, most))));
}

static void find_ranges(Ranges *r, const Expr *e) {
    if (vec_has(r->seen, e)) return;
    vec_push(r->seen, e);
    const Expr *base = e;
    while (base->op == OP_SELECT || base->op == OP_STORE) base = base->args[0];
    unsigned v = base->op == OP_SYMBOL ? system_variable(r->check->before, base->symbol) : NONE;
    const Variable *origin = v == NONE ? NULL : r->check->before->variables[v].origin;
    if (origin && !origin->congruent && e->sort->kind == SORT_INT && (e == base || e->op == OP_SELECT))
        add_range(r, e, e == base ? origin->sort : origin->sort->element, origin->is_signed);
    for (unsigned i = 0; i < e->nargs; i++) find_ranges(r, e->args[i]);
}

/* Returns whether the hypothesis implies the conclusion, for variables in the ranges of their types. */
static bool implies(Check *c, const Expr *hypothesis, const Expr *conclusion) {
    const Expr *claim = expr_implies(c->exprs, hypothesis, conclusion);
    if (expr_is_true(claim)) return true;
    Ranges r = {.check = c, .facts = expr_bool(c->exprs, true)};
    if (c->before->integers) find_ranges(&r, claim);
    vec_free(r.seen);
    if (!c->smt) c->smt = smt_new(c->exprs);
    return smt_proves(c->smt, c->exprs, expr_implies(c->exprs, r.facts, claim));
}

/* ---- which transition became which ---- */

static bool is_bad(const SystemThread *t, unsigned l) {
    return t->locations[l].kind == LOCATION_ERROR || t->locations[l].kind == LOCATION_STOP;
}

static bool same_actions(const Transition *x, const Transition *y) {
    bool same = vec_len(x->actions) == vec_len(y->actions);
    for (size_t i = 0; i < vec_len(x->actions) && same; i++) same = x->actions[i] == y->actions[i];
    return same;
}

/* Returns whether x may have become y. exactly: they have the same guard. */
static bool is_like(const ThreadPair *p, const Transition *x, const Transition *y, bool exactly) {
    unsigned was = p->was[y->target];
    return (was == NONE || was == x->target) && p->before->locations[x->target].kind == p->after->locations[y->target].kind &&
           same_actions(x, y) && (!exactly || x->guard == y->guard);
}

static bool pair_locations(ThreadPair *p, unsigned l, unsigned m) {
    const SystemLocation *x = &p->before->locations[l], *y = &p->after->locations[m];
    if (p->was[m] == l) return true;
    if (p->was[m] != NONE || p->walked[l] || x->kind != y->kind || x->atomic != y->atomic) return false;
    p->was[m] = l;
    p->walked[l] = true;
    return true;
}

/* Finds for each transition out of m the transition out of l that it was. Returns false if one has none. */
static bool pair_transitions(ThreadPair *p, unsigned l, unsigned m, unsigned **work) {
    const unsigned *from = p->before->locations[l].out, *to = p->after->locations[m].out;
    size_t at = 0;
    for (size_t k = 0; k < vec_len(to); k++) {
        const Transition *y = &p->after->transitions[to[k]];
        size_t found = vec_len(from);
        for (unsigned exactly = 2; exactly-- > 0 && found == vec_len(from);)
            for (size_t i = vec_len(from); i-- > at;)
                if (is_like(p, &p->before->transitions[from[i]], y, exactly)) found = i;
        if (found == vec_len(from)) return false;
        at = found + 1;
        p->kept[from[found]] = to[k] + 1;
        bool is_new = p->was[y->target] == NONE;
        if (!pair_locations(p, p->before->transitions[from[found]].target, y->target)) return false;
        if (is_new) vec_push(*work, y->target);
    }
    return true;
}

static bool pair_thread(ThreadPair *p) {
    unsigned *work = NULL;
    bool good = true;
    for (size_t m = 0; m < vec_len(p->after->locations); m++) vec_push(p->was, NONE);
    vec_resize(p->kept, vec_len(p->before->transitions));
    vec_resize(p->walked, vec_len(p->before->locations));
    good = pair_locations(p, p->before->entry, p->after->entry);
    vec_push(work, p->after->entry);
    while (good && vec_len(work)) {
        unsigned m = vec_pop(work);
        good = pair_transitions(p, p->was[m], m, &work);
    }
    vec_free(work);
    return good;
}

/* ---- transitions that stayed ---- */

/* Returns whether the thread, from m on, may read the local before it sets it. */
static bool is_read_from(const Check *c, const SystemThread *t, unsigned m, unsigned variable) {
    const Symbol *symbol = c->after->variables[variable].symbol;
    unsigned *work = NULL;
    bool *seen = NULL, read = false;
    vec_resize(seen, vec_len(t->locations));
    vec_push(work, m);
    while (vec_len(work) && !read) {
        unsigned l = vec_pop(work);
        if (seen[l]) continue;
        seen[l] = true;
        vec_each_of(const Transition, x, t->transitions, t->locations[l].out) {
            read |= expr_mentions(x->guard, symbol);
            vec_each_at(const Update, u, x->updates) read |= expr_mentions(u->value, symbol);
            if (!transition_update(x, variable)) vec_push(work, x->target);
        }
    }
    vec_free(work);
    vec_free(seen);
    return read;
}

/* Returns whether nothing after the transition depends on the variable. */
static bool is_forgotten(const Check *c, unsigned thread, const Transition *y, unsigned variable) {
    if (!c->relevant[variable]) return true;
    return c->after->variables[variable].thread == thread && !is_read_from(c, c->threads[thread].after, y->target, variable);
}

static void check_update(Check *c, unsigned thread, const Transition *x, const Transition *y, unsigned variable) {
    const Expr *was = transition_value(c->before, x, variable), *is = transition_value(c->after, y, variable);
    if (was == is || (!transition_update(y, variable) && is_forgotten(c, thread, y, variable))) return;
    if (!implies(c, expr_and(c->exprs, x->guard, y->guard), expr_eq(c->exprs, was, is))) refuse(c, x->position, MSG_CHECK_SYSTEM_EFFECT);
}

static void check_effect(Check *c, unsigned thread, const Transition *x, const Transition *y) {
    if (x->creates != y->creates) refuse(c, x->position, MSG_CHECK_SYSTEM_EFFECT);
    vec_each_at(const Update, u, x->updates) check_update(c, thread, x, y, u->variable);
    vec_each_at(const Update, u, y->updates) check_update(c, thread, x, y, u->variable);
}

static bool has_conjunct(const Expr *e, const Expr *conjunct) {
    if (e == conjunct) return true;
    for (unsigned i = 0; i < e->nargs && e->op == OP_AND; i++)
        if (has_conjunct(e->args[i], conjunct)) return true;
    return false;
}

/* Returns whether each conjunct of the weaker guard is one of the other. */
static bool is_weaker(const Expr *weaker, const Expr *other) {
    if (has_conjunct(other, weaker) || expr_is_true(weaker)) return true;
    for (unsigned i = 0; i < weaker->nargs && weaker->op == OP_AND; i++)
        if (!is_weaker(weaker->args[i], other)) return false;
    return weaker->op == OP_AND;
}

/* ---- the walk over all threads ---- */

typedef void Kept(Check *, unsigned thread, const Transition *x, const Transition *y);
typedef void Gone(Check *, unsigned thread, const Transition *x);

static void check_thread(Check *c, unsigned t, Kept *kept, Gone *gone) {
    const ThreadPair *p = &c->threads[t];
    for (unsigned i = 0; i < vec_len(p->before->transitions) && !c->omission->refused; i++) {
        const Transition *x = &p->before->transitions[i];
        if (p->kept[i]) kept(c, t, x, &p->after->transitions[p->kept[i] - 1]);
        else if (p->walked[x->source]) {
            c->omission->count++;
            gone(c, t, x);
        }
    }
}

/* The fixed parts of the two systems are the same. */
static bool same_frame(const System *x, const System *y) {
    bool same = vec_len(x->threads) == vec_len(y->threads) && vec_len(x->variables) == vec_len(y->variables) && x->integers == y->integers;
    for (size_t v = 0; v < vec_len(x->variables) && same; v++)
        same = x->variables[v].symbol == y->variables[v].symbol && x->variables[v].init == y->variables[v].init &&
               x->variables[v].thread == y->variables[v].thread;
    for (size_t t = 0; t < vec_len(x->threads) && same; t++)
        same = x->threads[t].status == y->threads[t].status && x->threads[t].self == y->threads[t].self &&
               x->threads[t].many == y->threads[t].many && x->threads[t].other_instance == y->threads[t].other_instance;
    return same;
}

static void compare(const OmissionView *v, Omission *o, Kept *kept, Gone *gone) {
    Check c = {.before = v->system_before, .after = v->system_after, .view = v, .exprs = v->system_after->exprs, .omission = o};
    if (!same_frame(c.before, c.after)) {
        refuse(&c, (Position){0}, MSG_CHECK_SYSTEM_OTHER);
        return;
    }
    c.relevant = system_relevant(c.after);
    for (unsigned t = 0; t < vec_len(c.before->threads) && !o->refused; t++) {
        ThreadPair p = {.before = &c.before->threads[t], .after = &c.after->threads[t]};
        if (!pair_thread(&p)) refuse(&c, p.before->locations[p.before->entry].position, MSG_CHECK_SYSTEM_OTHER);
        vec_push(c.threads, p);
    }
    for (unsigned t = 0; t < vec_len(c.threads) && !o->refused; t++) check_thread(&c, t, kept, gone);
    vec_each_at(ThreadPair, p, c.threads) {
        vec_free(p->was);
        vec_free(p->kept);
        vec_free(p->walked);
    }
    vec_free(c.threads);
    vec_free(c.relevant);
    if (c.smt) smt_free(c.smt);
}

/* ---- STUTTERS and SIGNS_OF_CONDITIONS: all transitions stay ---- */

static void none_gone(Check *c, unsigned thread, const Transition *x) {
    (void)thread;
    refuse(c, x->position, MSG_CHECK_SYSTEM_GONE);
}

/* Where the guard was true and is not any more, the step leads to where it starts, and changes nothing. */
static void kept_or_stutters(Check *c, unsigned thread, const Transition *x, const Transition *y) {
    check_effect(c, thread, x, y);
    if (is_weaker(y->guard, x->guard)) return;
    const Expr *same = expr_bool(c->exprs, x->source == x->target && !c->before->threads[thread].locations[x->source].atomic);
    vec_each_at(const Update, u, x->updates)
        same = expr_and(c->exprs, same, expr_eq(c->exprs, u->value, system_expr(c->before, u->variable)));
    c->omission->count++;
    if (!implies(c, x->guard, expr_or(c->exprs, y->guard, same))) refuse(c, x->position, MSG_CHECK_SYSTEM_GUARD);
}

static void kept_with_types(Check *c, unsigned thread, const Transition *x, const Transition *y) {
    check_effect(c, thread, x, y);
    if (!is_weaker(y->guard, x->guard) && !implies(c, x->guard, y->guard)) refuse(c, x->position, MSG_CHECK_SYSTEM_GUARD);
}

/* Endless executions may need the steps that are gone, even if no error needs them. */
static void refuse_for_ends(const OmissionView *v, Omission *o) {
    if (o->count && v->question && v->question->property == PROPERTY_TERMINATION)
        omission_refuse(o, (Position){0}, "%s", MSG_CHECK_SYSTEM_ENDS);
}

void omit_stutters(const OmissionView *v, Omission *o) {
    compare(v, o, kept_or_stutters, none_gone);
    refuse_for_ends(v, o);
}

void omit_signs(const OmissionView *v, Omission *o) { compare(v, o, kept_with_types, none_gone); }

/* ---- TAILS and STUCK_STEPS: transitions that lead to no error ---- */

static void kept_whole(Check *c, unsigned thread, const Transition *x, const Transition *y) {
    check_effect(c, thread, x, y);
    if (!is_weaker(y->guard, x->guard)) refuse(c, x->position, MSG_CHECK_SYSTEM_GUARD);
}

/* Returns the number of threads with errors, and sets *which to the last of these threads. */
static unsigned count_bad(const System *s, unsigned *which) {
    unsigned n = 0;
    for (unsigned t = 0; t < vec_len(s->threads); t++) {
        bool bad = false;
        for (unsigned l = 0; l < vec_len(s->threads[t].locations); l++) bad |= is_bad(&s->threads[t], l);
        if (bad) n += s->threads[t].many ? 2 : 1, *which = t;
    }
    return n;
}

static bool leads_to_error(const SystemThread *t, unsigned from) {
    unsigned *work = NULL;
    bool *seen = NULL, found = false;
    vec_resize(seen, vec_len(t->locations));
    for (vec_push(work, from); vec_len(work);) {
        unsigned l = vec_pop(work);
        if (seen[l]) continue;
        seen[l] = true;
        found |= is_bad(t, l);
        vec_each_of(const Transition, x, t->transitions, t->locations[l].out) vec_push(work, x->target);
    }
    vec_free(work);
    vec_free(seen);
    return found;
}

/* Returns whether the thread never begins: its status is not 1 at the start, and no other thread changes it. */
static bool never_begins(const System *s, unsigned thread) {
    const SystemThread *of = &s->threads[thread];
    const Expr *init = of->status == NONE ? NULL : s->variables[of->status].init;
    if (!thread || of->many || !init || !expr_is_const(init) || init->value == 1) return false;
    for (unsigned t = 0; t < vec_len(s->threads); t++)
        vec_each_at(const Transition, x, s->threads[t].transitions)
            if (t != thread && transition_update(x, of->status)) return false;
    return true;
}

static void gone_tail(Check *c, unsigned thread, const Transition *x) {
    unsigned which = NONE, bad = count_bad(c->before, &which);
    bool good = bad == 0 || (bad == 1 && thread == which && !leads_to_error(&c->before->threads[thread], x->source)) ||
                (bad == 1 && thread != which && never_begins(c->before, thread));
    if (!good) refuse(c, x->position, MSG_CHECK_SYSTEM_TAIL);
}

/* A step that other threads do not observe, to a location where the thread would stay for ever. Other threads may run at that location, so they
   may run before the step as well. */
static void gone_stuck(Check *c, unsigned thread, const Transition *x) {
    const ThreadPair *p = &c->threads[thread];
    const SystemLocation *to = &p->before->locations[x->target];
    unsigned which = NONE;
    if (!count_bad(c->before, &which)) return;
    bool good = to->kind == LOCATION_PLAIN && x->creates == NONE && x->target != p->before->entry &&
                (to->atomic || !p->before->locations[x->source].atomic);
    for (size_t i = 0; i < vec_len(to->out); i++) good &= !p->kept[to->out[i]];
    vec_each_at(const Update, u, x->updates) good &= c->before->variables[u->variable].thread == thread;
    if (!good) refuse(c, x->position, MSG_CHECK_SYSTEM_STUCK);
}

static void compare_errors(const OmissionView *v, Omission *o, Gone *gone) {
    compare(v, o, kept_whole, gone);
    refuse_for_ends(v, o);
}

void omit_tails(const OmissionView *v, Omission *o) { compare_errors(v, o, gone_tail); }
void omit_stuck_steps(const OmissionView *v, Omission *o) { compare_errors(v, o, gone_stuck); }
