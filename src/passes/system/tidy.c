/* SPDX-License-Identifier: Apache-2.0 */
/* Removes parts of a system that do not affect its errors.

   requires  a system; tidy_transition: a system of integers, and a formula that holds where the transition starts
   ensures   the same errors are reachable; tidy_updates: each location lists the locals that are live there
   breaks    tidy_updates: irrelevant variables keep their values; tidy_locations: locations and transitions are numbered anew */
#include "passes/system/tidy.h"
#include "base/map.h"
#include "system/compose.h"

enum { MOST_CONJUNCTS = 40, MOST_PARTS = 24 };

/* ---- updates that are not used ---- */

typedef struct Marks {
    const System *system;
    unsigned thread;
    bool *set; /* by variable */
    bool changed;
} Marks;

static void mark(void *context, const Symbol *symbol) {
    Marks *m = context;
    unsigned v = system_variable(m->system, symbol);
    if (v == NONE || m->system->variables[v].thread != m->thread || m->set[v]) return;
    m->set[v] = m->changed = true;
}

static bool is_used(const System *s, const bool *relevant, bool *const *live, const Transition *tr, unsigned v) {
    return s->variables[v].thread == NONE ? relevant[v] : live[tr->target][v];
}

/* Marks the locals that are live at the source because of this transition. True if some were not marked before. */
static bool flow_live(const System *s, unsigned t, const bool *relevant, bool **live, const Transition *tr) {
    Marks m = {s, t, live[tr->source], false};
    expr_symbols(tr->guard, mark, &m);
    for (size_t u = 0; u < vec_len(tr->updates); u++)
        if (is_used(s, relevant, live, tr, tr->updates[u].variable)) expr_symbols(tr->updates[u].value, mark, &m);
    for (unsigned v = 0; v < vec_len(live[tr->target]); v++)
        if (live[tr->target][v] && !m.set[v] && !transition_update(tr, v)) m.set[v] = m.changed = true;
    return m.changed;
}

/* Returns a vec of vecs by location and variable: true if later steps may use the thread's local. */
static bool **find_live(const System *s, unsigned t, const bool *relevant) {
    const SystemThread *thread = &s->threads[t];
    bool **live = NULL;
    vec_resize(live, vec_len(thread->locations));
    for (size_t l = 0; l < vec_len(live); l++) vec_resize(live[l], vec_len(s->variables));
    for (bool again = true; again;) {
        again = false;
        for (size_t i = vec_len(thread->transitions); i-- > 0;) again |= flow_live(s, t, relevant, live, &thread->transitions[i]);
    }
    return live;
}

static bool drop_updates(const System *s, const bool *relevant, bool *const *live, Transition *tr) {
    size_t kept = 0, n = vec_len(tr->updates);
    for (size_t u = 0; u < n; u++) {
        unsigned v = tr->updates[u].variable;
        if (is_used(s, relevant, live, tr, v) && tr->updates[u].value != system_expr(s, v)) {
            tr->updates[kept++] = tr->updates[u];
        } else { /* a mutex whose value is never used is no mutex */
            if (tr->lock == v) tr->lock = NONE;
            if (tr->unlock == v) tr->unlock = NONE;
        }
    }
    vec_resize(tr->updates, kept);
    return kept < n;
}

static bool tidy_thread(System *s, unsigned t, const bool *relevant) {
    SystemThread *thread = &s->threads[t];
    bool **live = find_live(s, t, relevant), changed = false;
    for (size_t i = 0; i < vec_len(thread->transitions); i++) changed |= drop_updates(s, relevant, live, &thread->transitions[i]);
    for (size_t l = 0; l < vec_len(live); l++) {
        vec_clear(thread->locations[l].live);
        for (unsigned v = 0; v < vec_len(live[l]); v++)
            if (live[l][v]) vec_push(thread->locations[l].live, v);
        vec_free(live[l]);
    }
    vec_free(live);
    return changed;
}

/* ---- inputs that are not used ---- */

/* The constant bounds of an input, both inclusive */
typedef struct Bounds {
    i128 lo, hi;
} Bounds;

static bool is_bound(const Expr *e, const Symbol *input, Bounds *b) {
    if (e->op != OP_SLE || e->args[0]->sort->kind != SORT_INT) return false;
    const Expr *low = e->args[0], *high = e->args[1];
    if (expr_is_const(low) && high->op == OP_SYMBOL && high->symbol == input) {
        if ((i128)low->value > b->lo) b->lo = (i128)low->value;
        return true;
    }
    if (!expr_is_const(high) || low->op != OP_SYMBOL || low->symbol != input) return false;
    if ((i128)high->value < b->hi) b->hi = (i128)high->value;
    return true;
}

/* True if nothing but constant bounds depends on the input, and some value meets the bounds. */
static bool is_unused(const Transition *tr, const Expr *const *guard, const Symbol *input) {
    Bounds b = {-((i128)1 << 120), (i128)1 << 120};
    for (size_t u = 0; u < vec_len(tr->updates); u++)
        if (expr_mentions(tr->updates[u].value, input)) return false;
    for (size_t i = 0; i < vec_len(guard); i++)
        if (!is_bound(guard[i], input, &b) && expr_mentions(guard[i], input)) return false;
    return b.lo <= b.hi;
}

void tidy_inputs(const System *s, Transition *tr) {
    size_t kept = 0;
    vec_each(const Symbol *, input, tr->inputs) {
        const Expr **guard = conjuncts(tr->guard);
        if (is_unused(tr, guard, input)) {
            tr->guard = expr_bool(s->exprs, true);
            for (size_t i = 0; i < vec_len(guard); i++)
                if (!expr_mentions(guard[i], input)) tr->guard = expr_and(s->exprs, tr->guard, guard[i]);
        } else {
            tr->inputs[kept++] = input;
        }
        vec_free(guard);
    }
    vec_resize(tr->inputs, kept);
}

void tidy_updates(System *s) {
    for (bool again = true; again;) {
        bool *relevant = system_relevant(s);
        again = false;
        for (unsigned t = 0; t < vec_len(s->threads); t++) again |= tidy_thread(s, t, relevant);
        for (size_t t = 0; t < vec_len(s->threads); t++)
            for (size_t i = 0; i < vec_len(s->threads[t].transitions); i++) tidy_inputs(s, &s->threads[t].transitions[i]);
        vec_free(relevant);
    }
}

/* ---- types ---- */

typedef struct Types {
    const System *system;
    Map *seen;
    const Expr *facts;
} Types;

static const Expr *array_base(const Expr *e) {
    while (e->op == OP_STORE) e = e->args[0];
    return e;
}

static void add_range(Types *t, const Expr *e, const Variable *origin, const Sort *sort) {
    Exprs *x = t->system->exprs;
    if (!origin || origin->congruent || sort->kind != SORT_BV || sort->width > 64) return;
    unsigned w = sort->width;
    i128 lo = origin->is_signed ? -((i128)1 << (w - 1)) : 0, hi = origin->is_signed ? ((i128)1 << (w - 1)) - 1 : ((i128)1 << w) - 1;
    t->facts = expr_and(x, t->facts, expr_2(x, OP_SLE, expr_int(x, lo), e));
    t->facts = expr_and(x, t->facts, expr_2(x, OP_SLE, e, expr_int(x, hi)));
}

static void visit_types(Types *t, const Expr *e) {
    if (map_find(t->seen, e)) return;
    map_set(t->seen, e, t);
    const Expr *base = e->op == OP_SELECT ? array_base(e->args[0]) : e;
    unsigned v = base->op == OP_SYMBOL ? system_variable(t->system, base->symbol) : NONE;
    const Variable *origin = v == NONE ? NULL : t->system->variables[v].origin;
    if (origin && e->sort->kind == SORT_INT) add_range(t, e, origin, e->op == OP_SELECT ? origin->sort->element : origin->sort);
    for (unsigned i = 0; i < e->nargs; i++) visit_types(t, e->args[i]);
}

const Expr *tidy_types(const System *s, const Expr *e) {
    Types t = {s, map_new(), expr_bool(s->exprs, true)};
    if (s->integers) visit_types(&t, e);
    map_free(t.seen);
    return t.facts;
}

/* ---- simplification in a context ---- */

typedef struct Context {
    const System *system;
    Smt *smt;
    const Expr *known;
} Context;

static bool holds(const Context *c, const Expr *e) {
    Exprs *x = c->system->exprs;
    const Expr *claim = expr_implies(x, c->known, e);
    return smt_proves(c->smt, x, expr_implies(x, tidy_types(c->system, claim), claim));
}

/* Collects the choices (OP_ITE) and remainders in e, the innermost first. */
static void collect_parts(const Expr *e, Map *seen, const Expr ***parts) {
    if (!e->nargs || map_find(seen, e)) return;
    map_set(seen, e, (void *)e);
    for (unsigned i = 0; i < e->nargs; i++) collect_parts(e->args[i], seen, parts);
    bool modulo = e->op == OP_MOD && e->sort->kind == SORT_INT && expr_is_const(e->args[1]);
    if (modulo || (e->op == OP_ITE && !expr_is_const(e->args[0]))) vec_push(*parts, e);
}

/* Returns a simpler expression that equals the part in the context, or NULL. */
static const Expr *simpler_part(const Context *c, const Expr *part) {
    Exprs *x = c->system->exprs;
    if (part->op == OP_ITE) {
        if (holds(c, part->args[0])) return part->args[1];
        return holds(c, expr_not(x, part->args[0])) ? part->args[2] : NULL;
    }
    const Expr *low = expr_2(x, OP_SLE, expr_int(x, 0), part->args[0]), *high = expr_2(x, OP_SLT, part->args[0], part->args[1]);
    return holds(c, expr_and(x, low, high)) ? part->args[0] : NULL;
}

/* Replaces choices that the context decides, and remainders of numbers that it bounds. */
static const Expr *simpler(const Context *c, const Expr *e) {
    for (bool again = true; again;) {
        Map *seen = map_new();
        const Expr **parts = NULL;
        collect_parts(e, seen, &parts);
        again = false;
        for (size_t i = 0; i < vec_len(parts) && i < MOST_PARTS && !again; i++) {
            const Expr *by = simpler_part(c, parts[i]);
            if (!by) continue;
            e = expr_exchange(c->system->exprs, e, parts[i], by);
            again = true;
        }
        map_free(seen);
        vec_free(parts);
    }
    return e;
}

/* Simplifies e, and each side of a choice in the context of its condition. */
static const Expr *simpler_sides(const Context *c, const Expr *e) {
    Exprs *x = c->system->exprs;
    e = simpler(c, e);
    if (e->op != OP_ITE) return e;
    Context yes = {c->system, c->smt, expr_and(x, c->known, e->args[0])};
    Context no = {c->system, c->smt, expr_and(x, c->known, expr_not(x, e->args[0]))};
    return expr_ite(x, e->args[0], simpler_sides(&yes, e->args[1]), simpler_sides(&no, e->args[2]));
}

static const Expr *all_but(const System *s, const Expr *const *list, size_t one) {
    const Expr *e = expr_bool(s->exprs, true);
    for (size_t i = 0; i < vec_len(list); i++)
        if (i != one) e = expr_and(s->exprs, e, list[i]);
    return e;
}

void tidy_transition(const System *s, Smt *smt, const Expr *known, Transition *tr) {
    Context all = {s, smt, expr_and(s->exprs, known, tr->guard)};
    if (!s->integers) return;
    if (holds(&all, expr_bool(s->exprs, false))) {
        tr->guard = expr_bool(s->exprs, false);
        return;
    }
    const Expr **guard = conjuncts(tr->guard);
    for (size_t i = vec_len(guard); i-- > 0 && vec_len(guard) <= MOST_CONJUNCTS;) {
        Context c = {s, smt, expr_and(s->exprs, known, all_but(s, guard, i))};
        guard[i] = simpler(&c, guard[i]);
        if (holds(&c, guard[i])) guard[i] = expr_bool(s->exprs, true);
    }
    tr->guard = all_but(s, guard, vec_len(guard));
    Context c = {s, smt, expr_and(s->exprs, known, tr->guard)};
    for (size_t u = 0; u < vec_len(tr->updates); u++) tr->updates[u].value = simpler_sides(&c, tr->updates[u].value);
    vec_free(guard);
    tidy_inputs(s, tr);
}

/* ---- steps that change nothing ---- */

/* Returns the condition under which each update changes its variable, or NULL. Each update must be a choice (OP_ITE) with one side that
   changes nothing. */
static const Expr *condition_to_change(const System *s, const Transition *tr) {
    const Expr *c = NULL;
    for (size_t u = 0; u < vec_len(tr->updates); u++) {
        const Expr *value = tr->updates[u].value, *same = system_expr(s, tr->updates[u].variable);
        if (value->op != OP_ITE || (value->args[1] == same) == (value->args[2] == same)) return NULL;
        const Expr *changes = value->args[1] == same ? expr_not(s->exprs, value->args[0]) : value->args[0];
        if (c && c != changes) return NULL;
        c = changes;
    }
    return c;
}

static void drop_stutter(const System *s, Transition *tr) {
    const Expr *c = tr->source == tr->target && !vec_len(tr->inputs) ? condition_to_change(s, tr) : NULL;
    if (!c) return;
    tr->guard = expr_and(s->exprs, tr->guard, c);
    for (size_t u = 0; u < vec_len(tr->updates); u++) {
        const Expr *value = tr->updates[u].value;
        tr->updates[u].value = value->args[value->args[1] == system_expr(s, tr->updates[u].variable) ? 2 : 1];
    }
}

void tidy_stutter(System *s) {
    for (size_t t = 0; t < vec_len(s->threads); t++)
        for (size_t i = 0; i < vec_len(s->threads[t].transitions); i++)
            if (!s->threads[t].locations[s->threads[t].transitions[i].source].atomic) drop_stutter(s, &s->threads[t].transitions[i]);
}

/* ---- locations ---- */

void tidy_locations(SystemThread *t) {
    bool *reached = NULL;
    unsigned *work = NULL, *number = NULL;
    vec_resize(reached, vec_len(t->locations));
    reached[t->entry] = true;
    vec_push(work, t->entry);
    while (vec_len(work)) {
        unsigned l = vec_pop(work);
        for (size_t i = 0; i < vec_len(t->locations[l].out); i++) {
            unsigned target = t->transitions[t->locations[l].out[i]].target;
            if (!reached[target]) vec_push(work, target);
            reached[target] = true;
        }
    }
    SystemLocation *kept = NULL;
    for (unsigned l = 0; l < vec_len(t->locations); l++) {
        vec_push(number, (unsigned)vec_len(kept));
        if (reached[l]) {
            vec_push(kept, t->locations[l]);
        } else {
            vec_free(t->locations[l].out);
            vec_free(t->locations[l].live);
        }
    }
    Transition *transitions = NULL;
    vec_each_at(Transition, tr, t->transitions) {
        if (!reached[tr->source]) {
            transition_free(tr);
            continue;
        }
        tr->source = number[tr->source];
        tr->target = number[tr->target];
        vec_push(transitions, *tr);
    }
    t->entry = number[t->entry];
    vec_free(t->transitions);
    vec_free(t->locations);
    t->transitions = transitions;
    t->locations = kept;
    thread_relink(t);
    vec_free(reached);
    vec_free(work);
    vec_free(number);
}
