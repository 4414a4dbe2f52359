/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the directions in which each transition moves. Follows Popeea, Rybalchenko and Wilhelm, "Reduction for Compositional Verification of
   Multi-Threaded Programs", Section V-A. doc/rules.md, "Locks held and facts" and "Movers", has the definitions.

   requires  a system whose variables used as locks are marked (find_locks)
   ensures   a right (left) mover commutes to the right (left) with each transition of another thread that may be next to it, given the facts.
             A fact holds whenever its thread is at its location.
   breaks    nothing

   The paper stops at step 2. Each pair of transitions of two threads is decided by the first step that applies:
   1. The transitions have no conflict: neither writes a variable that the other accesses. A pair also commutes if it cannot run in parallel:
      when one thread is at its location, the other thread is not created yet, or is joined already.
   2. Both threads hold a common mutex (HC1, as a data flow over locations), or the transitions conflict on mutex words only.
   3. Z3 proves that they commute, to the right and to the left separately.

   Variables that no guard depends on are not compared: they do not change the path of any thread. Locking is at best a right mover, and
   unlocking at best a left mover, since a thread that waits for the mutex is not enabled in between. Likewise, a join is at best a right
   mover, and a creation or the end of a thread at best a left mover. */
#include "passes/reduce/movers.h"
#include "analysis/parallel.h"
#include <stdlib.h>

/* The accesses of a transition to relevant globals. */
typedef struct Touches {
    unsigned *reads, *writes; /* vecs of variables, in any order */
    unsigned lock, unlock;    /* the mutex variable that the transition locks or unlocks, or NONE */
} Touches;

typedef struct VariableAccess {
    unsigned thread, transition;
    bool writes;
} VariableAccess;

typedef struct Analysis {
    const System *system;
    Smt *smt;
    Movers *movers;
    Touches **touches; /* by thread, transition */
    Parallel parallel;
    bool *relevant, *scheduling; /* by variable */
    VariableAccess **accesses;   /* by variable: the transitions that read or write it */
    /* by thread, location and variable: the constant value of a variable that joins depend on, or NULL */
    const Expr ****known;
    bool *mutex; /* by variable: only locked, unlocked and initialised */
} Analysis;

/* ---- access sets ---- */

static void add(unsigned **set, unsigned v) {
    for (size_t i = 0; i < vec_len(*set); i++)
        if ((*set)[i] == v) return;
    vec_push(*set, v);
}

static bool has(const unsigned *set, unsigned v) {
    for (size_t i = 0; i < vec_len(set); i++)
        if (set[i] == v) return true;
    return false;
}

typedef struct Collect {
    Analysis *analysis;
    unsigned **set;
} Collect;

/* Returns the set of variables for scheduling, by variable: statuses of threads, and ghosts of owners. The function mover handles conflicts on
   a status separately. No transition reads a ghost. */
static bool *scheduling_variables(const System *s) {
    bool *set = NULL;
    vec_resize(set, vec_len(s->variables));
    for (size_t i = 0; i < vec_len(s->variables); i++)
        if (s->variables[i].owner != NONE) set[s->variables[i].owner] = true;
    for (size_t t = 0; t < vec_len(s->threads); t++)
        if (s->threads[t].status != NONE) set[s->threads[t].status] = true;
    return set;
}

static bool is_shared(const Analysis *a, unsigned v) {
    return v != NONE && a->system->variables[v].thread == NONE && a->relevant[v] && !a->scheduling[v];
}

static void collect(void *context, const Symbol *symbol) {
    Collect *c = context;
    unsigned v = system_variable(c->analysis->system, symbol);
    if (is_shared(c->analysis, v)) add(c->set, v);
}

static void find_touches(Analysis *a) {
    const System *s = a->system;
    for (size_t t = 0; t < vec_len(s->threads); t++) {
        Touches *list = NULL;
        vec_each_at(const Transition, tr, s->threads[t].transitions) {
            Touches to = {0};
            expr_symbols(tr->guard, collect, &(Collect){a, &to.reads});
            for (size_t u = 0; u < vec_len(tr->updates); u++) {
                unsigned v = tr->updates[u].variable;
                if (a->relevant[v]) expr_symbols(tr->updates[u].value, collect, &(Collect){a, &to.reads});
                if (is_shared(a, v)) add(&to.writes, v);
            }
            to.lock = tr->lock;
            to.unlock = tr->unlock;
            vec_push(list, to);
        }
        vec_push(a->touches, list);
    }
    vec_resize(a->accesses, vec_len(s->variables));
    for (unsigned t = 0; t < vec_len(s->threads); t++)
        for (unsigned i = 0; i < vec_len(a->touches[t]); i++) {
            const Touches *to = &a->touches[t][i];
            for (size_t k = 0; k < vec_len(to->writes); k++) vec_push(a->accesses[to->writes[k]], ((VariableAccess){t, i, true}));
            for (size_t k = 0; k < vec_len(to->reads); k++) vec_push(a->accesses[to->reads[k]], ((VariableAccess){t, i, false}));
        }
}

/* Finds the mutex variables: a mutex variable is only accessed by LOCK and UNLOCK, and by transitions that run while no other thread exists. */
static void find_mutexes(Analysis *a) {
    const System *s = a->system;
    vec_resize(a->mutex, vec_len(s->variables));
    for (size_t t = 0; t < vec_len(s->threads); t++)
        vec_each_at(const Touches, to, a->touches[t])
            if (to->lock != NONE) a->mutex[to->lock] = true;
    for (size_t t = 0; t < vec_len(s->threads); t++)
        for (size_t i = 0; i < vec_len(a->touches[t]); i++) {
            const Touches *to = &a->touches[t][i];
            const Transition *tr = &s->threads[t].transitions[i];
            bool alone = true;
            for (size_t o = 0; o < vec_len(s->threads); o++) alone &= o == t || a->parallel.absent[t][tr->source][o];
            const unsigned *sets[] = {to->reads, to->writes};
            for (int k = 0; k < 2 && !alone; k++)
                for (size_t n = 0; n < vec_len(sets[k]); n++)
                    if (sets[k][n] != to->lock && sets[k][n] != to->unlock) a->mutex[sets[k][n]] = false;
        }
}

/* ---- mutexes held (HC1) ---- */

static bool is_mutex(const Analysis *a, unsigned v) { return v != NONE && a->mutex[v]; }
static bool ends_thread(const SystemThread *t, const Transition *x) { return t->locations[x->target].kind == LOCATION_END; }

/* Returns the variable with the number of the mutex's owner: a ghost, or the mutex word itself. */
static unsigned owner_of(const System *s, unsigned v) { return s->variables[v].owner == NONE ? v : s->variables[v].owner; }

/* True if the thread owns the mutex after the transition, which assigns its owner. A composed transition may lock and unlock several mutexes,
   so only the assigned value counts. */
static bool takes(const System *s, unsigned t, const Transition *tr, unsigned v) {
    unsigned owner = owner_of(s, v);
    return transition_update(tr, owner) == system_number(s, t, s->variables[owner].symbol->sort);
}

/* Returns the mutexes held after the transition. A thread that has ended holds no mutex: other threads may initialise the mutex again. */
static unsigned *held_after(const Analysis *a, unsigned t, const Transition *tr, const unsigned *before) {
    const System *s = a->system;
    unsigned *after = NULL, lock = a->touches[t][tr->index].lock;
    if (ends_thread(&s->threads[t], tr)) return NULL;
    for (size_t i = 0; i < vec_len(before); i++)
        if (!transition_update(tr, before[i]) || takes(s, t, tr, before[i])) vec_push(after, before[i]);
    if (is_mutex(a, lock) && takes(s, t, tr, lock)) add(&after, lock);
    return after;
}

static void flow_held(Analysis *a) {
    const System *s = a->system;
    for (unsigned t = 0; t < vec_len(s->threads); t++) {
        const SystemThread *thread = &s->threads[t];
        size_t n = vec_len(thread->locations);
        unsigned **held = NULL, *work = NULL;
        bool *reached = NULL;
        vec_resize(held, n);
        vec_resize(reached, n);
        reached[thread->entry] = true;
        vec_push(work, thread->entry);
        while (vec_len(work)) {
            unsigned l = vec_pop(work);
            vec_each_of(const Transition, tr, thread->transitions, thread->locations[l].out) {
                unsigned *after = held_after(a, t, tr, held[l]), **target = &held[tr->target];
                bool changed = !reached[tr->target];
                if (!reached[tr->target]) {
                    *target = after;
                    reached[tr->target] = true;
                } else {
                    for (size_t i = 0; i < vec_len(*target);)
                        if (has(after, (*target)[i])) i++;
                        else (*target)[i] = vec_last(*target), (void)vec_pop(*target), changed = true;
                    vec_free(after);
                }
                if (changed) vec_push(work, tr->target);
            }
        }
        vec_free(work);
        vec_free(reached);
        vec_push(a->movers->held, held);
    }
}

static void free_held(Movers *m) {
    for (size_t t = 0; t < vec_len(m->held); t++) {
        vec_free_rows(m->held[t]);
    }
    vec_free(m->held);
}

/* Removes the mutexes that some thread unlocks without holding them: such a mutex protects nothing, and its operations do not move. Returns
   true if it removed a mutex. */
static bool drop_undisciplined(Analysis *a) {
    const System *s = a->system;
    bool dropped = false;
    for (unsigned t = 0; t < vec_len(s->threads); t++)
        for (size_t i = 0; i < vec_len(a->touches[t]); i++) {
            unsigned v = a->touches[t][i].unlock;
            if (v == NONE || !a->mutex[v] || movers_holds(a->movers, t, s->threads[t].transitions[i].source, v)) continue;
            a->mutex[v] = false;
            dropped = true;
        }
    return dropped;
}

static void find_held(Analysis *a) {
    do {
        free_held(a->movers);
        flow_held(a);
    } while (drop_undisciplined(a));
}

bool movers_holds(const Movers *m, unsigned thread, unsigned location, unsigned variable) {
    ensure(thread < vec_len(m->held) && location < vec_len(m->held[thread]));
    return has(m->held[thread][location], variable);
}

/* ---- commutation ---- */

static bool conflict(const Touches *x, const Touches *y) {
    for (size_t i = 0; i < vec_len(x->writes); i++)
        if (has(y->reads, x->writes[i]) || has(y->writes, x->writes[i])) return true;
    for (size_t i = 0; i < vec_len(y->writes); i++)
        if (has(x->reads, y->writes[i])) return true;
    return false;
}

static bool common_mutex(const Analysis *a, unsigned t, unsigned l, unsigned u, unsigned k) {
    const unsigned *held = a->movers->held[t][l];
    for (size_t i = 0; i < vec_len(held); i++)
        if (movers_holds(a->movers, u, k, held[i])) return true;
    return false;
}

/* Returns the value of v after the transition `first` and then `second`. */
static const Expr *final_value(Analysis *a, const Transition *first, const Transition *second, unsigned v) {
    const Expr *u = transition_update(second, v);
    if (u) return transition_after(a->system, first, u);
    u = transition_update(first, v);
    return u ? u : system_expr(a->system, v);
}

/* True if Z3 proves that x of thread t moves right past y of thread u: if x;y is possible, y;x is possible with the same inputs and result. */
static bool moves_past(Analysis *a, unsigned t, const Transition *x, unsigned u, const Transition *y) {
    Exprs *e = a->system->exprs;
    const Expr *before = expr_and(e, x->guard, transition_after(a->system, x, y->guard));
    const Expr *then = expr_and(e, y->guard, transition_after(a->system, y, x->guard));
    const Transition *both[] = {x, y};
    for (int k = 0; k < 2; k++)
        for (size_t i = 0; i < vec_len(both[k]->updates); i++) {
            unsigned v = both[k]->updates[i].variable;
            if (a->relevant[v]) then = expr_and(e, then, expr_eq(e, final_value(a, x, y, v), final_value(a, y, x, v)));
        }
    const Expr *facts = expr_and(e, a->movers->facts[t][x->source], a->movers->facts[u][y->source]);
    return smt_proves(a->smt, e, expr_implies(e, expr_and(e, facts, before), then));
}

/* True if the accesses conflict on a variable that is not a mutex. */
static bool conflict_beyond_mutexes(const Analysis *a, const Touches *x, const Touches *y) {
    vec_each(unsigned, v, x->writes)
        if (!a->mutex[v] && (has(y->reads, v) || has(y->writes, v))) return true;
    for (size_t i = 0; i < vec_len(y->writes); i++)
        if (!a->mutex[y->writes[i]] && has(x->reads, y->writes[i])) return true;
    return false;
}

/* Returns the directions in which transition x of thread t moves past y of thread u. */
static unsigned pair(Analysis *a, unsigned t, const Transition *x, unsigned u, const Transition *y) {
    const Touches *tx = &a->touches[t][x->index], *ty = &a->touches[u][y->index];
    unsigned kind = 0;
    if (parallel_never(&a->parallel, t, x->source, u, y->source)) return MOVES_BOTH;
    if (!conflict(tx, ty)) return MOVES_BOTH;
    a->movers->pairs++;
    if (common_mutex(a, t, x->source, u, y->source)) {
        a->movers->by_locks++;
        return MOVES_BOTH;
    }
    if (!conflict_beyond_mutexes(a, tx, ty) && (tx->lock == NONE || tx->unlock == NONE)) {
        /* The conflict is on mutex words only. A lock moves right past an unlock of the same mutex: lock and then unlock is impossible. */
        if (is_mutex(a, tx->lock)) kind |= MOVES_RIGHT;
        if (is_mutex(a, tx->unlock)) kind |= MOVES_LEFT;
        if (kind) {
            a->movers->by_locks++;
            return kind;
        }
    }
    if (moves_past(a, t, x, u, y)) kind |= MOVES_RIGHT;
    if (moves_past(a, u, y, t, x)) kind |= MOVES_LEFT;
    a->movers->by_solver += kind != 0;
    return kind;
}

static unsigned mover(Analysis *a, unsigned t, const Transition *x) {
    const System *s = a->system;
    const SystemThread *thread = &s->threads[t];
    unsigned kind = MOVES_BOTH;
    if (x->creates != NONE || ends_thread(thread, x)) kind &= MOVES_LEFT;
    if (thread->status != NONE && x->source == thread->entry) kind &= MOVES_RIGHT; /* not before its creation */
    if (x->waits) kind &= MOVES_RIGHT;
    /* Each conflicting transition accesses a common variable. (If t is marked many, its second instance stands for other such threads.) */
    const Touches *to = &a->touches[t][x->index];
    const unsigned *sets[] = {to->writes, to->reads};
    for (int k = 0; k < 2; k++)
        for (size_t n = 0; n < vec_len(sets[k]) && kind; n++) {
            const VariableAccess *list = a->accesses[sets[k][n]];
            for (size_t i = 0; i < vec_len(list) && kind; i++)
                if (list[i].thread != t && (k == 0 || list[i].writes))
                    kind &= pair(a, t, x, list[i].thread, &s->threads[list[i].thread].transitions[list[i].transition]);
        }
    return kind;
}

/* ---- facts, for the proof ---- */

typedef struct Choice {
    const System *system;
    bool *chosen;
} Choice;

static void choose(void *context, const Symbol *symbol) {
    const Choice *c = context;
    unsigned v = system_variable(c->system, symbol);
    if (v != NONE) c->chosen[v] = true;
}

/* Returns the set of variables that joins of the thread depend on and that no other thread writes: variables in guards of joins, and locals
   that are copied to these. */
static bool *join_variables(const Analysis *a, unsigned t) {
    const System *s = a->system;
    bool *chosen = NULL;
    vec_resize(chosen, vec_len(s->variables));
    for (size_t i = 0; i < vec_len(s->threads[t].transitions); i++)
        if (s->threads[t].transitions[i].waits) expr_symbols(s->threads[t].transitions[i].guard, choose, &(Choice){s, chosen});
    for (unsigned u = 0; u < vec_len(s->threads); u++)
        for (size_t i = 0; i < vec_len(s->threads[u].transitions) && u != t; i++)
            for (size_t k = 0; k < vec_len(s->threads[u].transitions[i].updates); k++)
                chosen[s->threads[u].transitions[i].updates[k].variable] = false;
    for (unsigned v = 0; v < vec_len(s->variables); v++) chosen[v] &= !a->scheduling[v];
    /* the sources of copies */
    for (bool again = true; again;) {
        again = false;
        for (size_t i = 0; i < vec_len(s->threads[t].transitions); i++)
            vec_each_at(const Update, u, s->threads[t].transitions[i].updates) {
                unsigned from = u->value->op == OP_SYMBOL ? system_variable(s, u->value->symbol) : NONE;
                if (chosen[u->variable] && from != NONE && !chosen[from] && s->variables[from].thread == t) chosen[from] = again = true;
            }
    }
    return chosen;
}

/* Returns the constants of these variables at each location, by a forward data flow. */
static const Expr ***known_constants(const Analysis *a, unsigned t) {
    const System *s = a->system;
    const SystemThread *thread = &s->threads[t];
    bool *chosen = join_variables(a, t);
    const Expr ***known = NULL;
    unsigned *work = NULL;
    bool any = false;
    for (unsigned v = 0; v < vec_len(s->variables); v++) any |= chosen[v];
    vec_resize(known, vec_len(thread->locations));
    if (any) {
        vec_resize(known[thread->entry], vec_len(s->variables));
        vec_push(work, thread->entry);
    }
    while (vec_len(work)) {
        unsigned l = vec_pop(work);
        vec_each_of(const Transition, tr, thread->transitions, thread->locations[l].out) {
            const Expr **after = NULL;
            for (unsigned v = 0; v < vec_len(s->variables); v++) {
                const Expr *u = chosen[v] ? transition_update(tr, v) : NULL;
                unsigned from = u && u->op == OP_SYMBOL ? system_variable(s, u->symbol) : NONE;
                vec_push(after, !u ? known[l][v] : expr_is_const(u) ? u : from != NONE ? known[l][from] : NULL);
            }
            const Expr ***target = &known[tr->target];
            bool changed = !*target;
            for (unsigned v = 0; v < vec_len(s->variables) && *target; v++)
                if ((*target)[v] && (*target)[v] != after[v]) (*target)[v] = NULL, changed = true;
            if (*target) vec_free(after);
            else *target = after;
            if (changed) vec_push(work, tr->target);
        }
    }
    vec_free(work);
    vec_free(chosen);
    return known;
}

static const Expr *constant(const System *s, unsigned v, unsigned value) {
    return expr_const(s->exprs, s->variables[v].symbol->sort, value);
}

/* Returns a formula that holds of a flag while it is held as a lock. If each acquisition assigns the same constant, the flag equals the
   constant; otherwise it is not 0. */
static const Expr *locked_value(const System *s, unsigned v) {
    const Expr *value = NULL;
    bool same = true;
    for (size_t t = 0; t < vec_len(s->threads); t++)
        vec_each_at(const Transition, tr, s->threads[t].transitions) {
            const Expr *u = tr->lock == v ? transition_update(tr, v) : NULL;
            same &= !u || !value || u == value;
            if (u) value = u;
        }
    if (value && same) return expr_eq(s->exprs, system_expr(s, v), value);
    return expr_not(s->exprs, expr_eq(s->exprs, system_expr(s, v), constant(s, v, 0)));
}

static const Expr *fact_at(const Analysis *a, unsigned t, unsigned l) {
    const System *s = a->system;
    const SystemThread *thread = &s->threads[t];
    const Expr *f = expr_bool(s->exprs, a->parallel.reached[t][l]);
    const unsigned *held = a->movers->held[t][l];
    for (size_t i = 0; i < vec_len(held); i++) {
        unsigned owner = owner_of(s, held[i]);
        const Expr *mine = expr_eq(s->exprs, system_expr(s, owner), system_number(s, t, s->variables[owner].symbol->sort));
        f = expr_and(s->exprs, f, mine);
        if (owner != held[i]) f = expr_and(s->exprs, f, locked_value(s, held[i]));
    }
    for (unsigned o = 0; o < vec_len(s->threads); o++) {
        unsigned status = s->threads[o].status;
        if (o != t && status != NONE && a->parallel.absent[t][l][o])
            f = expr_and(s->exprs, f, expr_not(s->exprs, expr_eq(s->exprs, system_expr(s, status), constant(s, status, 1))));
    }
    const Expr *const *known = a->known[t][l];
    for (unsigned v = 0; v < vec_len(known) && !thread->many; v++)
        if (known[v]) f = expr_and(s->exprs, f, expr_eq(s->exprs, system_expr(s, v), known[v]));
    if (thread->status != NONE && (l != thread->entry || t == 0) && thread->locations[l].kind != LOCATION_END &&
        thread->locations[l].kind != LOCATION_HALT)
        f = expr_and(s->exprs, f, expr_eq(s->exprs, system_expr(s, thread->status), constant(s, thread->status, 1)));
    return f;
}

static void make_facts(Analysis *a) {
    for (unsigned t = 0; t < vec_len(a->system->threads); t++) vec_push(a->known, known_constants(a, t));
    for (unsigned t = 0; t < vec_len(a->system->threads); t++) {
        const Expr **facts = NULL;
        for (unsigned l = 0; l < vec_len(a->system->threads[t].locations); l++) vec_push(facts, fact_at(a, t, l));
        vec_push(a->movers->facts, facts);
    }
    for (unsigned t = 0; t < vec_len(a->system->threads); t++) {
        vec_free_rows(a->known[t]);
    }
    vec_free(a->known);
}

bool movers_valid(const System *s, const Movers *m) {
    size_t n = vec_len(s->threads);
    if (vec_len(m->kind) != n || vec_len(m->held) != n || vec_len(m->facts) != n) return false;
    for (size_t t = 0; t < n; t++) {
        size_t locations = vec_len(s->threads[t].locations);
        if (vec_len(m->kind[t]) != vec_len(s->threads[t].transitions)) return false;
        if (vec_len(m->held[t]) != locations || vec_len(m->facts[t]) != locations) return false;
        for (size_t i = 0; i < vec_len(m->kind[t]); i++)
            if (m->kind[t][i] & ~MOVES_BOTH) return false;
        for (size_t l = 0; l < locations; l++)
            if (!expr_is_formula(m->facts[t][l])) return false;
    }
    return true;
}

Movers *movers_new(const System *s, Smt *smt, const bool *relevant) {
    Movers *m = zeroed(1, sizeof *m);
    Analysis a = {.system = s, .smt = smt, .movers = m};
    for (size_t v = 0; v < vec_len(s->variables); v++) vec_push(a.relevant, !relevant || relevant[v]);
    a.scheduling = scheduling_variables(s);
    find_touches(&a);
    a.parallel = parallel_find(s);
    find_mutexes(&a);
    find_held(&a);
    make_facts(&a);
    for (unsigned t = 0; t < vec_len(s->threads); t++) {
        uint8_t *kinds = NULL;
        for (size_t i = 0; i < vec_len(s->threads[t].transitions); i++)
            vec_push(kinds, (uint8_t)mover(&a, t, &s->threads[t].transitions[i]));
        vec_push(m->kind, kinds);
    }
    for (size_t t = 0; t < vec_len(s->threads); t++) {
        for (size_t i = 0; i < vec_len(a.touches[t]); i++) {
            vec_free(a.touches[t][i].reads);
            vec_free(a.touches[t][i].writes);
        }
        vec_free(a.touches[t]);
    }
    parallel_free(&a.parallel);
    vec_free_rows(a.accesses);
    vec_free(a.relevant);
    vec_free(a.scheduling);
    vec_free(a.touches);
    vec_free(a.mutex);
    ensure(movers_valid(s, m));
    return m;
}

void movers_free(const System *s, Movers *m) {
    if (!m) return;
    for (size_t t = 0; t < vec_len(s->threads); t++) {
        vec_free(m->kind[t]);
        vec_free(m->facts[t]);
    }
    vec_free(m->facts);
    vec_free(m->kind);
    free_held(m);
    free(m);
}

void movers_clear(Movers *m) {
    for (size_t t = 0; t < vec_len(m->kind); t++)
        for (size_t i = 0; i < vec_len(m->kind[t]); i++) m->kind[t][i] = 0;
}

const char *mover_text(uint8_t kind) {
    static const char *const text[] = {"none", "right", "left", "both"};
    return text[kind & 3];
}
