/* SPDX-License-Identifier: Apache-2.0 */
/* Computes the conditions that hold whenever a thread is at a location, from the tests on its way.

   requires  a system that is being merged, and the interference of other threads with its fine system
   ensures   the formula of a location holds whenever the thread is at the location
   breaks    nothing: the system does not change

   The analysis is a forward data flow over sets of conditions. The set at a location is the intersection over all ways there. */
#include "passes/system/known_conditions.h"
#include "system/compose.h"

enum { MOST = 24, LARGEST = 24 }; /* bounds of the number of conditions at a location, and of the nodes of a condition */

KnownConditions known_conditions_new(const System *s, const Interference *seen, unsigned *const *fine_location) {
    KnownConditions k = {.system = s, .seen = seen, .fine_location = fine_location};
    vec_resize(k.inherited, vec_len(s->threads));
    vec_resize(k.created, vec_len(s->threads));
    return k;
}

void known_conditions_free(KnownConditions *k) {
    vec_free_rows(k->inherited);
    vec_free(k->created);
}

/* ---- conditions across a transition ---- */

typedef struct Crossing {
    const System *system;
    const Transition *transition;
    bool lost; /* the condition mentions a value that the transition overwrites, or an input that it does not store */
} Crossing;

/* Replaces an input by a variable that is set to it. A condition on a variable that the transition sets is lost. */
static const Expr *crossed_symbol(void *context, const Expr *e) {
    Crossing *c = context;
    const Transition *tr = c->transition;
    unsigned v = system_variable(c->system, e->symbol);
    if (v != NONE) {
        c->lost |= transition_update(tr, v) != NULL;
        return NULL;
    }
    for (size_t u = 0; u < vec_len(tr->updates); u++)
        if (tr->updates[u].value == e) return system_expr(c->system, tr->updates[u].variable);
    c->lost = true;
    return NULL;
}

static const Expr *crossed(const System *s, const Transition *tr, const Expr *e) {
    Crossing c = {s, tr, false};
    const Expr *r = expr_substitute(s->exprs, e, crossed_symbol, &c);
    return c.lost ? NULL : r;
}

typedef struct Stability {
    const KnownConditions *known;
    unsigned thread, location; /* location: of the fine system */
    bool only_globals, stable;
} Stability;

static void check_symbol(void *context, const Symbol *symbol) {
    Stability *t = context;
    const System *s = t->known->system;
    unsigned v = system_variable(s, symbol);
    if (v == NONE || (t->only_globals && s->variables[v].thread != NONE)) t->stable = false;
    else if (s->variables[v].thread == NONE && interference_with_variable(t->known->seen, t->thread, t->location, v, false))
        t->stable = false;
}

/* True if no other thread changes the truth of e while the thread is at the location (of the fine system). only_globals: e must also
   mention global variables only. */
static bool is_stable(const KnownConditions *k, unsigned thread, unsigned location, bool only_globals, const Expr *e) {
    Stability t = {k, thread, location, only_globals, true};
    expr_symbols(e, check_symbol, &t);
    return t.stable;
}

static void add(const Expr ***set, const Expr *e) {
    if (!e || e->tree > LARGEST || expr_is_const(e) || vec_len(*set) >= MOST) return;
    for (size_t i = 0; i < vec_len(*set); i++)
        if ((*set)[i] == e) return;
    vec_push(*set, e);
}

/* Returns a vec of conditions that hold after the transition if the given ones hold before it. */
static const Expr **after(const KnownConditions *k, unsigned thread, const Transition *tr, const Expr *const *before) {
    const System *s = k->system;
    const Expr **now = NULL, **kept = NULL, **guard = conjuncts(tr->guard);
    for (size_t i = 0; i < vec_len(before); i++) add(&now, crossed(s, tr, before[i]));
    for (size_t i = 0; i < vec_len(guard); i++) add(&now, crossed(s, tr, guard[i]));
    for (size_t u = 0; u < vec_len(tr->updates); u++) {
        const Expr *value = crossed(s, tr, tr->updates[u].value), *v = system_expr(s, tr->updates[u].variable);
        if (value && value != v && value->sort->kind != SORT_ARRAY) add(&now, expr_eq(s->exprs, v, value));
    }
    for (size_t i = 0; i < vec_len(now); i++)
        if (is_stable(k, thread, k->fine_location[thread][tr->target], false, now[i])) vec_push(kept, now[i]);
    vec_free(guard);
    vec_free(now);
    return kept;
}

/* Keeps the conditions that are in both sets; true if some are removed. */
static bool intersect(const Expr ***set, const Expr *const *other) {
    size_t kept = 0, n = vec_len(*set);
    for (size_t i = 0; i < n; i++) {
        bool both = false;
        for (size_t j = 0; j < vec_len(other); j++) both |= (*set)[i] == other[j];
        if (both) (*set)[kept++] = (*set)[i];
    }
    vec_resize(*set, kept);
    return kept < n;
}

/* ---- a thread ---- */

/* Passes conditions on globals that hold after a creation to the created thread (the heir), for its entry. The conditions hold once the
   thread is created, that is, when the transitions of its entry are enabled. The condition on its status is left out. */
static void bequeath(KnownConditions *k, unsigned thread, const Transition *tr, const Expr *const *before) {
    unsigned heir = tr->creates;
    const Symbol *status = k->system->variables[k->system->threads[heir].status].symbol;
    const Expr **list = NULL, **now = after(k, thread, tr, before);
    for (size_t i = 0; i < vec_len(now); i++)
        if (!expr_mentions(now[i], status) && is_stable(k, heir, k->system->fine->threads[heir].entry, true, now[i]))
            vec_push(list, now[i]);
    if (k->created[heir]) {
        intersect(&k->inherited[heir], list);
        vec_free(list);
    } else {
        k->inherited[heir] = list;
    }
    k->created[heir] = true;
    vec_free(now);
}

static const Expr *conjunction(const System *s, const Expr *const *set) {
    const Expr *e = expr_bool(s->exprs, true);
    for (size_t i = 0; i < vec_len(set); i++) e = expr_and(s->exprs, e, set[i]);
    return e;
}

/* True if the conditions of all creators are known. Threads are handled by index, so a creator with a greater index is not. */
static bool is_after_creators(const System *s, unsigned thread) {
    for (size_t t = thread + 1; t < vec_len(s->threads); t++)
        for (size_t i = 0; i < vec_len(s->threads[t].transitions); i++)
            if (s->threads[t].transitions[i].creates == thread) return false;
    return true;
}

const Expr **known_conditions(KnownConditions *k, unsigned thread) {
    ensure(thread < vec_len(k->system->threads));
    const SystemThread *t = &k->system->threads[thread];
    const Expr ***sets = NULL, **result = NULL;
    bool *reached = NULL;
    unsigned *work = NULL;
    vec_resize(sets, vec_len(t->locations));
    vec_resize(reached, vec_len(t->locations));
    for (size_t i = 0; i < vec_len(k->inherited[thread]) && is_after_creators(k->system, thread); i++)
        vec_push(sets[t->entry], k->inherited[thread][i]);
    reached[t->entry] = true;
    vec_push(work, t->entry);
    while (vec_len(work)) {
        unsigned l = vec_pop(work);
        vec_each_of(const Transition, tr, t->transitions, t->locations[l].out) {
            const Expr **now = after(k, thread, tr, sets[l]);
            bool changed = !reached[tr->target];
            if (changed) sets[tr->target] = now;
            else changed = intersect(&sets[tr->target], now), vec_free(now);
            reached[tr->target] = true;
            if (changed) vec_push(work, tr->target);
        }
    }
    for (size_t i = 0; i < vec_len(t->transitions); i++)
        if (t->transitions[i].creates != NONE) bequeath(k, thread, &t->transitions[i], sets[t->transitions[i].source]);
    for (size_t l = 0; l < vec_len(sets); l++) {
        vec_push(result, conjunction(k->system, sets[l]));
        vec_free(sets[l]);
    }
    vec_free(sets);
    vec_free(reached);
    vec_free(work);
    return result;
}
