/* SPDX-License-Identifier: Apache-2.0 */
/* Makes a proof by the rule `rely` from the fixpoint (doc/rules.md).

   The invariant of a thread at a location is the disjunction of its abstract states there. Its guarantee is the disjunction of its
   environment transitions, and its rely condition is the disjunction of the guarantees of the other threads. Conjuncts that follow from
   the rest are removed. */
#include "base/clock.h"
#include "engine/threader/aret.h"

typedef struct Certificate {
    const Aret *aret;
    Abstraction *abstraction;
    Proof *proof;
    double deadline; /* no conjuncts are removed afterwards */
    bool *tracked;   /* by variable or place: a formula about steps, or of a thread that does not own it, mentions it */
    bool modular;    /* formulas mention only globals and the thread's own locals */
} Certificate;

/* ---- the variables of the proof ---- */

typedef struct Mention {
    Certificate *certificate;
    unsigned thread; /* the thread that the formula belongs to */
    bool step;       /* the formula is a guarantee: it describes steps, not states */
} Mention;

static void note_symbol(void *context, const Symbol *symbol) {
    const Mention *s = context;
    Certificate *c = s->certificate;
    const Abstraction *a = c->abstraction;
    unsigned v = system_variable(a->extended, symbol);
    if (v == NONE) return;
    if (v >= a->shared) v -= a->shared;
    bool place = v >= vec_len(a->system->variables);
    unsigned owner = place ? NONE : a->system->variables[v].thread;
    c->modular &= !place && (owner == NONE || owner == s->thread);
    c->tracked[v] |= s->step || place || owner != s->thread;
}

static void note_mask(Certificate *c, unsigned thread, bool step, unsigned mask) {
    const AbstractPost *h = c->abstraction->post;
    unsigned i;
    for (PredicateWalk w = predicates_walk(post_predicate_set(h, mask)); predicates_next(&w, &i);)
        expr_symbols(post_predicate(h, i), note_symbol, &(Mention){c, thread, step});
}

static void find_tracked(Certificate *c) {
    const Aret *r = c->aret;
    vec_resize(c->tracked, c->abstraction->shared);
    for (size_t i = 0; i < vec_len(r->nodes); i++)
        if (!r->nodes[i].covered) note_mask(c, r->nodes[i].thread, false, r->nodes[i].mask);
    for (unsigned i = 0; i < vec_len(r->envs); i++)
        if (!r->envs[i].covered) note_mask(c, aret_block_step(r, i)->thread, true, r->envs[i].cube);
}

/* ---- formulas ---- */

/* The order in which conjuncts are tried for removal: those with primed variables, then negations, then the rest. */
enum { RANKS = 3 };
static int rank(const Abstraction *a, unsigned assertion) {
    const unsigned *list = post_variables(a->post, assertion);
    for (size_t i = 0; i < vec_len(list); i++)
        if (list[i] >= a->shared) return 0;
    return post_predicate(a->post, assertion)->op == OP_NOT ? 1 : 2;
}

/* Removes predicates that follow from the remaining ones and the formula. */
static PredicateSet without_implied(const Certificate *c, PredicateSet mask, const Expr *formula) {
    Abstraction *a = c->abstraction;
    unsigned step = post_add_step(a->post, formula, NULL), i;
    for (int k = 0; k < RANKS && clock_seconds() < c->deadline; k++) {
        PredicateSet all = mask;
        for (PredicateWalk w = predicates_walk(&all); predicates_next(&w, &i);) {
            PredicateSet rest = mask, one = {0};
            rest.word[i / 64] &= ~((uint64_t)1 << i % 64);
            predicates_add(&one, i);
            if (rank(a, i) != k) continue;
            unsigned after = post_after(a->post, step, post_intern_set(a->post, &rest), &one);
            if (after == NEVER || predicates_has(post_predicate_set(a->post, after), i)) mask = rest;
        }
    }
    return mask;
}

static const Expr *conjunction(const Certificate *c, unsigned mask, const Expr *formula) {
    const Abstraction *a = c->abstraction;
    const Expr *e = expr_bool(a->exprs, true);
    PredicateSet rest = without_implied(c, *post_predicate_set(a->post, mask), formula);
    unsigned i;
    for (PredicateWalk w = predicates_walk(&rest); predicates_next(&w, &i);) e = expr_and(a->exprs, e, post_predicate(a->post, i));
    return expr_and(a->exprs, e, formula);
}

static const Expr *invariant(const Certificate *c, unsigned t, unsigned l) {
    const Abstraction *a = c->abstraction;
    const unsigned *list = c->aret->by_place[t][l];
    if (!a->blocks->stop[t][l]) return expr_bool(a->exprs, true);
    const Expr *e = expr_bool(a->exprs, false);
    for (size_t i = 0; i < vec_len(list); i++)
        if (!c->aret->nodes[list[i]].covered)
            e = expr_or(a->exprs, e, conjunction(c, c->aret->nodes[list[i]].mask, expr_bool(a->exprs, true)));
    return e;
}

/* Returns the formula that all variables of the proof are unchanged, except those in `written`. */
static const Expr *unchanged(const Certificate *c, const unsigned *written) {
    const Abstraction *a = c->abstraction;
    const Expr *e = expr_bool(a->exprs, true);
    for (unsigned v = 0; v < a->shared; v++) {
        bool place = v >= vec_len(a->system->variables), local = !place && a->system->variables[v].thread != NONE, but = false;
        for (size_t i = 0; i < vec_len(written); i++) but |= written[i] == v;
        if (!but && c->tracked[v] && !(c->modular && (local || place)))
            e = expr_and(a->exprs, e, expr_eq(a->exprs, abstraction_expr(a, after_of(a, v)), abstraction_expr(a, v)));
    }
    return e;
}

/* Returns the guarantee of a thread: one of its environment transitions, or no variable of the proof changes. */
static const Expr *guarantee(const Certificate *c, unsigned t) {
    const Abstraction *a = c->abstraction;
    const Aret *r = c->aret;
    const Expr *nothing = unchanged(c, NULL), *e = nothing;
    for (unsigned i = 0; i < vec_len(r->envs); i++) {
        const BlockStep *l = aret_block_step(r, i);
        if (l->thread != t || r->envs[i].covered) continue;
        const Expr *rest = unchanged(c, a->written[l->step.index]);
        if (rest != nothing) e = expr_or(a->exprs, e, conjunction(c, r->envs[i].cube, rest));
    }
    return e;
}

/* ---- second instances ---- */

typedef struct InstanceRenaming {
    const System *system;
    unsigned from, to; /* a thread and its second instance */
} InstanceRenaming;

/* Returns the local of the second instance that has the same position among its locals. */
static const Expr *second_instance_symbol(void *context, const Expr *e) {
    const InstanceRenaming *t = context;
    unsigned v = system_variable(t->system, e->symbol), place = 0, n = 0;
    if (v == NONE || t->system->variables[v].thread != t->from) return NULL;
    for (unsigned k = 0; k < v; k++) place += t->system->variables[k].thread == t->from;
    for (unsigned k = 0; k < vec_len(t->system->variables); k++)
        if (t->system->variables[k].thread == t->to && n++ == place) return system_expr(t->system, k);
    return NULL;
}

static const Expr *for_instance(const Certificate *c, unsigned from, unsigned to, const Expr *e) {
    InstanceRenaming r = {c->abstraction->system, from, to};
    return from == to ? e : expr_substitute(c->abstraction->exprs, e, second_instance_symbol, &r);
}

/* ---- the proof ---- */

static void add_thread(Certificate *c, unsigned t) {
    const System *s = c->abstraction->system;
    unsigned first = system_first_instance(s, t);
    const Expr **list = NULL;
    for (unsigned l = 0; l < vec_len(s->threads[t].locations); l++) vec_push(list, for_instance(c, first, t, invariant(c, first, l)));
    vec_push(c->proof->invariants, list);
    vec_push(c->proof->guarantees, for_instance(c, first, t, guarantee(c, first)));
}

static void add_symbols(Certificate *c) {
    const Abstraction *a = c->abstraction;
    for (unsigned v = 0; v < vec_len(a->system->variables); v++) vec_push(c->proof->after, a->extended->variables[after_of(a, v)].symbol);
    for (unsigned t = 0; t < vec_len(a->system->threads) && !c->modular; t++) {
        vec_push(c->proof->places, a->extended->variables[place_of(a, t)].symbol);
        vec_push(c->proof->places_after, a->extended->variables[after_of(a, place_of(a, t))].symbol);
    }
}

void aret_certify(const Aret *r, Proof *proof, double deadline) {
    const Abstraction *a = r->abstraction;
    Certificate c = {.aret = r, .abstraction = r->abstraction, .proof = proof, .modular = true, .deadline = deadline};
    size_t n = vec_len(a->system->threads);
    find_tracked(&c);
    add_symbols(&c);
    for (unsigned t = 0; t < n; t++) add_thread(&c, t);
    for (unsigned t = 0; t < n; t++) {
        const Expr *e = expr_bool(a->exprs, false);
        for (unsigned u = 0; u < n; u++)
            if (u != t) e = expr_or(a->exprs, e, proof->guarantees[u]);
        vec_push(proof->relies, e);
    }
    vec_free(c.tracked);
}
