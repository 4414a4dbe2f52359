/* SPDX-License-Identifier: Apache-2.0 */
/* Few, large transitions.

   requires  a system with a transition for each action
   ensures   the same errors are reachable
   breaks    locations and transitions are numbered anew

   A location is gone, every transition into it composed with every one out of it, if other threads need not run while a thread is there:

   - it is atomic: nobody else moves then;
   - nothing that transitions into it read or write is written, or of what they write read, by a thread that may run while this one is at the
     location. Then such a transition can be put off until the thread goes on: others cannot tell. (If it never goes on, it may as well not have
     been taken.) Not from an atomic location: putting off would make others wait;
   - the same holds of the transitions out of it, and one of them can always be taken: then it can be taken at once, whatever others do.
     Not into an atomic location: others would have to wait there.

   Heads of loops stay. Two transitions with the same ends become one where that is said well (compose.c).

   A location where a thread only asks how its own locals are, which it needs for nothing else, becomes one location for each
   answer: `c = x < y; … if (c)` asks at once, and c is not needed. */
#include "transform/fuse.h"
#include "base/clock.h"
#include "base/map.h"
#include "base/vec.h"
#include "transform/compose.h"
#include "transform/parallel.h"
#include "transform/tidy.h"

enum { LIMIT = 24, SPLIT_LIMIT = 8, SOLVER_MS = 200, SECONDS = 4 };

typedef struct Access {
    unsigned thread, location;
    bool writes;
} Access;

typedef struct Fuser {
    System *system;
    const System *fine;
    Smt *smt;
    Parallel parallel;
    Access **accesses; /* by variable: who touches it, in the fine system */
    bool *constant;    /* by variable: only ever set to constants. NULL: transitions stay apart */
    bool *relevant;
    unsigned *fine_location; /* by location of the thread at work: that of the fine system */
    unsigned thread;         /* at work */
    double deadline;         /* the solver is not asked after it */
} Fuser;

static SystemThread *thread_of(Fuser *f) { return &f->system->threads[f->thread]; }
static bool in_time(const Fuser *f) { return clock_seconds() < f->deadline; }

/* ---- who touches what ---- */

typedef struct Reader {
    Fuser *fuser;
    Access access;
} Reader;

static void note_read(void *context, const Symbol *symbol) {
    Reader *r = context;
    unsigned v = system_variable(r->fuser->fine, symbol);
    if (v != NONE && r->fuser->fine->variables[v].thread == NONE) vec_push(r->fuser->accesses[v], r->access);
}

static void find_accesses(Fuser *f) {
    const System *s = f->fine;
    vec_resize(f->accesses, vec_len(s->variables));
    for (unsigned t = 0; t < vec_len(s->threads); t++)
        for (size_t i = 0; i < vec_len(s->threads[t].transitions); i++) {
            const Transition *tr = &s->threads[t].transitions[i];
            Reader r = {f, {t, tr->source, false}};
            expr_symbols(tr->guard, note_read, &r);
            for (size_t u = 0; u < vec_len(tr->updates); u++) {
                unsigned v = tr->updates[u].variable;
                if (!f->relevant[v]) continue;
                expr_symbols(tr->updates[u].value, note_read, &r);
                if (s->variables[v].thread == NONE) vec_push(f->accesses[v], ((Access){t, tr->source, true}));
            }
        }
}

/* While the thread at work is at l, may another write v (if any: or read it)? */
static bool others_touch(const Fuser *f, unsigned l, unsigned v, bool any) {
    for (size_t i = 0; i < vec_len(f->accesses[v]); i++) {
        const Access *a = &f->accesses[v][i];
        if (a->thread != f->thread && (any || a->writes) && !parallel_never(&f->parallel, f->thread, f->fine_location[l], a->thread, a->location))
            return true;
    }
    return false;
}

typedef struct Search {
    const Fuser *fuser;
    unsigned location;
    bool found;
} Search;

static void search_read(void *context, const Symbol *symbol) {
    Search *s = context;
    unsigned v = system_variable(s->fuser->system, symbol);
    if (v != NONE && !s->found) s->found = others_touch(s->fuser, s->location, v, false);
}

/* Is there a thread that may run while this one is at l and with which the transition has something to do? */
static bool is_seen(const Fuser *f, unsigned l, const Transition *tr) {
    Search s = {f, l, false};
    expr_symbols(tr->guard, search_read, &s);
    for (size_t u = 0; u < vec_len(tr->updates) && !s.found; u++) {
        unsigned v = tr->updates[u].variable;
        if (!f->relevant[v]) continue;
        expr_symbols(tr->updates[u].value, search_read, &s);
        s.found |= others_touch(f, l, v, true);
    }
    return s.found;
}

/* ---- when a location can go ---- */

static bool may_delay_entering(Fuser *f, unsigned l) {
    const SystemThread *t = thread_of(f);
    for (size_t i = 0; i < vec_len(t->transitions); i++) {
        const Transition *x = &t->transitions[i];
        if (x->target == l && (t->locations[x->source].atomic || is_seen(f, l, x))) return false;
    }
    return true;
}

/* The guard without bounds of inputs, which can always be met; false (the formula) if it has other conditions on inputs. */
static const Expr *condition(const System *s, const Transition *tr) {
    Transition copy = *tr;
    const Expr **guard = conjuncts(tr->guard);
    const Expr *e = expr_bool(s->exprs, true);
    for (size_t i = 0; i < vec_len(guard); i++) {
        bool about_input = false;
        for (size_t k = 0; k < vec_len(tr->inputs); k++) about_input |= expr_mentions(guard[i], tr->inputs[k]);
        if (!about_input) e = expr_and(s->exprs, e, guard[i]);
    }
    copy.updates = NULL;
    copy.inputs = NULL;
    copy.actions = NULL;
    for (size_t k = 0; k < vec_len(tr->inputs); k++) vec_push(copy.inputs, tr->inputs[k]);
    tidy_inputs(s, &copy);
    if (vec_len(copy.inputs)) e = expr_bool(s->exprs, false);
    vec_free(copy.inputs);
    vec_free(guard);
    return e;
}

static bool goes_on(Fuser *f, unsigned l) {
    const SystemThread *t = thread_of(f);
    const System *s = f->system;
    const Expr *some = expr_bool(s->exprs, false);
    for (size_t i = 0; i < vec_len(t->locations[l].out); i++) some = expr_or(s->exprs, some, condition(s, &t->transitions[t->locations[l].out[i]]));
    if (expr_is_true(some)) return true;
    if (expr_is_false(some) || !in_time(f)) return false;
    return smt_is_valid(f->smt, s->exprs, SMT_SIMPLIFY, SOLVER_MS, expr_implies(s->exprs, tidy_types(s, some), some));
}

static bool may_leave_at_once(Fuser *f, unsigned l) {
    const SystemThread *t = thread_of(f);
    for (size_t i = 0; i < vec_len(t->locations[l].out); i++) {
        const Transition *y = &t->transitions[t->locations[l].out[i]];
        if (t->locations[y->target].atomic || is_seen(f, l, y)) return false;
    }
    return goes_on(f, l);
}

static bool is_on_cycle(const SystemThread *t, unsigned l) {
    bool *seen = NULL, found = false;
    unsigned *work = NULL;
    vec_resize(seen, vec_len(t->locations));
    vec_push(work, l);
    while (vec_len(work) && !found) {
        const unsigned *out = t->locations[vec_pop(work)].out;
        for (size_t i = 0; i < vec_len(out); i++) {
            unsigned target = t->transitions[out[i]].target;
            found |= target == l;
            if (!seen[target]) vec_push(work, target);
            seen[target] = true;
        }
    }
    vec_free(seen);
    vec_free(work);
    return found;
}

static bool may_go(Fuser *f, unsigned l) {
    const SystemThread *t = thread_of(f);
    const SystemLocation *at = &t->locations[l];
    if (at->kind != LOCATION_PLAIN || l == t->entry || !vec_len(at->out)) return false;
    if (at->atomic) return true;
    if (at->loop_head && is_on_cycle(t, l)) return false;
    return may_delay_entering(f, l) || may_leave_at_once(f, l);
}

/* ---- taking a location out ---- */

/* Is it few enough compositions, each of which can be described, and none of a loop? */
static bool composes(Fuser *f, unsigned l, size_t limit) {
    const SystemThread *t = thread_of(f);
    size_t in = 0, out = vec_len(t->locations[l].out);
    for (size_t i = 0; i < vec_len(t->transitions); i++) {
        const Transition *x = &t->transitions[i];
        if (x->target != l) continue;
        if (x->source == l) return false;
        in++;
        for (size_t k = 0; k < out && !t->locations[l].atomic; k++)
            if (!transition_composes(x, &t->transitions[t->locations[l].out[k]])) return false;
    }
    return in && in * out <= limit;
}

static bool is_possible(Fuser *f, const Transition *tr) {
    const System *s = f->system;
    if (expr_is_false(tr->guard)) return false;
    if (!f->constant || expr_is_true(tr->guard) || !in_time(f)) return true;
    return smt_check(f->smt, SMT_SIMPLIFY, SOLVER_MS, expr_and(s->exprs, tidy_types(s, tr->guard), tr->guard)) != SMT_UNSAT;
}

/* Adds a transition, or makes one with it of another that has the same ends. */
static void add(Fuser *f, Transition **all, Transition tr) {
    unsigned l = tr.source;
    for (size_t i = 0; i < vec_len(*all); i++) {
        Transition *other = &(*all)[i], one;
        if (!f->constant || other->source != tr.source || other->target != tr.target || is_seen(f, l, other) != is_seen(f, l, &tr)) continue;
        if (!transition_either(f->system, f->constant, other, &tr, &one)) continue;
        transition_free(other);
        transition_free(&tr);
        *other = vec_last(*all);
        (void)vec_pop(*all);
        add(f, all, one);
        return;
    }
    vec_push(*all, tr);
}

static void take_out(Fuser *f, unsigned l) {
    SystemThread *t = thread_of(f);
    Transition *all = NULL;
    for (size_t i = 0; i < vec_len(t->transitions); i++)
        if (t->transitions[i].source != l && t->transitions[i].target != l) vec_push(all, t->transitions[i]);
    for (size_t i = 0; i < vec_len(t->transitions); i++)
        for (size_t k = 0; k < vec_len(t->locations[l].out) && t->transitions[i].target == l; k++) {
            Transition both = transition_then(f->system, &t->transitions[i], &t->transitions[t->locations[l].out[k]]);
            if (is_possible(f, &both)) add(f, &all, both);
            else transition_free(&both);
        }
    for (size_t i = 0; i < vec_len(t->transitions); i++)
        if (t->transitions[i].source == l || t->transitions[i].target == l) transition_free(&t->transitions[i]);
    vec_free(t->transitions);
    t->transitions = all;
    thread_relink(t);
}

/* ---- one location for each answer ---- */

typedef struct Question {
    const System *system;
    unsigned thread;
    const Transition *transition; /* that asks */
    bool own, needed; /* it is about the thread's locals alone; one of them is needed afterwards */
} Question;

static void look_at(void *context, const Symbol *symbol) {
    Question *q = context;
    unsigned v = system_variable(q->system, symbol);
    if (v == NONE || q->system->variables[v].thread != q->thread) {
        q->own = false;
        return;
    }
    const SystemLocation *target = &q->system->threads[q->thread].locations[q->transition->target];
    for (size_t u = 0; u < vec_len(q->transition->updates); u++) q->needed |= expr_mentions(q->transition->updates[u].value, symbol);
    if (transition_update(q->transition, v)) return;
    for (size_t i = 0; i < vec_len(target->live); i++) q->needed |= target->live[i] == v;
}

/* 1: the transition asks for c, -1: for its negation, and for nothing else about it; 0: neither. */
static int answer(const System *s, unsigned thread, const Transition *tr, const Expr *c) {
    const Expr **guard = conjuncts(tr->guard), *negated = expr_not(s->exprs, c);
    Question q = {s, thread, tr, true, false};
    int result = 0;
    for (size_t i = 0; i < vec_len(guard); i++)
        if (guard[i] == c) result = 1;
        else if (guard[i] == negated) result = -1;
    vec_free(guard);
    expr_symbols(c, look_at, &q);
    return q.own && !q.needed ? result : 0;
}

/* What all transitions from l ask for, with yes and no; NULL: nothing. */
static const Expr *question_at(Fuser *f, unsigned l) {
    const SystemThread *t = thread_of(f);
    const unsigned *out = t->locations[l].out;
    const Expr **guard = vec_len(out) ? conjuncts(t->transitions[out[0]].guard) : NULL, *found = NULL;
    for (size_t i = 0; i < vec_len(guard) && !found; i++) {
        bool yes = false, no = false, all = true;
        for (size_t k = 0; k < vec_len(out) && all; k++) {
            int a = answer(f->system, f->thread, &t->transitions[out[k]], guard[i]);
            yes |= a > 0;
            no |= a < 0;
            all = a != 0;
        }
        if (all && yes && no) found = guard[i];
    }
    vec_free(guard);
    return found;
}

static void forget(const System *s, Transition *tr, const Expr *c) {
    const Expr **guard = conjuncts(tr->guard);
    tr->guard = expr_bool(s->exprs, true);
    for (size_t i = 0; i < vec_len(guard); i++)
        if (guard[i] != c) tr->guard = expr_and(s->exprs, tr->guard, guard[i]);
    vec_free(guard);
}

static bool split(Fuser *f, unsigned l) {
    const System *s = f->system;
    SystemThread *t = thread_of(f);
    size_t in = 0;
    if (t->locations[l].kind != LOCATION_PLAIN || t->locations[l].atomic || l == t->entry) return false;
    const Expr *c = question_at(f, l), *negated;
    for (size_t i = 0; i < vec_len(t->transitions); i++) {
        in += t->transitions[i].target == l;
        if (t->transitions[i].target == l && t->transitions[i].source == l) return false;
    }
    if (!c || in > SPLIT_LIMIT) return false;
    negated = expr_not(s->exprs, c);
    SystemLocation second = t->locations[l];
    second.out = NULL;
    second.live = NULL;
    for (size_t i = 0; i < vec_len(t->locations[l].live); i++) vec_push(second.live, t->locations[l].live[i]);
    unsigned no = (unsigned)vec_len(t->locations);
    vec_push(t->locations, second);
    vec_push(f->fine_location, f->fine_location[l]);
    for (size_t i = 0, n = vec_len(t->transitions); i < n; i++) {
        Transition *x = &t->transitions[i];
        if (x->source == l && answer(s, f->thread, x, c) < 0) x->source = no, forget(s, x, negated);
        else if (x->source == l) forget(s, x, c);
        if (x->target != l) continue;
        Transition ask = {.source = l, .target = no, .guard = negated, .creates = NONE, .joins = NONE, .lock = NONE, .unlock = NONE};
        Transition other = transition_then(s, x, &ask);
        x->guard = expr_and(s->exprs, x->guard, transition_after(s, x, c));
        vec_push(t->transitions, other);
    }
    /* What turns out impossible goes. */
    Transition *all = NULL;
    for (size_t i = 0; i < vec_len(t->transitions); i++)
        if (is_possible(f, &t->transitions[i])) vec_push(all, t->transitions[i]);
        else transition_free(&t->transitions[i]);
    vec_free(t->transitions);
    t->transitions = all;
    thread_relink(t);
    return true;
}

/* ---- a thread ---- */

/* A thread ends by a transition of its own: what it does last may be seen by others while its end is not, or the other way round. */
static void part_ends(Fuser *f) {
    SystemThread *t = thread_of(f);
    for (size_t i = 0, n = vec_len(t->transitions); i < n; i++) {
        Transition *x = &t->transitions[i];
        const Expr *ended = t->status == NONE ? NULL : transition_update(x, t->status);
        if (!ended || t->locations[x->target].kind != LOCATION_END || t->locations[x->source].atomic) continue;
        SystemLocation last = {.kind = LOCATION_PLAIN, .position = x->position};
        Transition end = {.source = (unsigned)vec_len(t->locations), .target = x->target, .guard = expr_bool(f->system->exprs, true),
                          .position = x->position, .creates = NONE, .joins = NONE, .lock = NONE, .unlock = NONE};
        vec_push(end.updates, ((Update){t->status, ended}));
        for (size_t u = 0; u < vec_len(x->updates); u++)
            if (x->updates[u].variable == t->status) x->updates[u] = vec_last(x->updates), (void)vec_pop(x->updates);
        vec_push(f->fine_location, f->fine_location[x->source]);
        x->target = end.source;
        vec_push(t->locations, last);
        vec_push(t->transitions, end);
    }
    thread_relink(t);
}

/* Parallel transitions of the program: branches without anything on them. */
static void join_parallel(Fuser *f) {
    SystemThread *t = thread_of(f);
    Transition *all = NULL;
    for (size_t i = 0; i < vec_len(t->transitions); i++) add(f, &all, t->transitions[i]);
    vec_free(t->transitions);
    t->transitions = all;
    thread_relink(t);
}

static bool is_ending(const SystemThread *t, unsigned l) {
    const unsigned *out = t->locations[l].out;
    return vec_len(out) == 1 && t->locations[t->transitions[out[0]].target].kind == LOCATION_END && !vec_len(t->transitions[out[0]].actions);
}

/* Those with the fewest compositions first, so that branches are one transition again before what follows them is looked at. */
static void take_out_all(Fuser *f, bool atomic, bool ends) {
    const SystemThread *t = thread_of(f);
    for (size_t limit = 1; limit <= LIMIT; limit++)
        for (unsigned l = 0; l < vec_len(t->locations); l++)
            if (t->locations[l].atomic >= atomic && (ends || !is_ending(t, l)) && composes(f, l, limit) && may_go(f, l)) {
                take_out(f, l);
                limit = 1;
            }
}

static void fuse_thread(Fuser *f) {
    SystemThread *t = thread_of(f);
    vec_free(f->fine_location);
    for (unsigned l = 0; l < vec_len(t->locations); l++) vec_push(f->fine_location, l);
    part_ends(f);
    join_parallel(f);
    take_out_all(f, true, false);
    for (unsigned l = 0, n = (unsigned)vec_len(t->locations); l < n; l++) split(f, l);
    take_out_all(f, false, false);
    take_out_all(f, false, true);
    for (size_t i = 0; i < vec_len(t->transitions) && in_time(f); i++) tidy_transition(f->system, f->smt, &t->transitions[i]);
}

/* ---- twins ---- */

typedef struct Renaming {
    System *system;
    Map *symbols;     /* Symbol -> Symbol */
    unsigned *number; /* by variable */
} Renaming;

static const Expr *renamed_symbol(void *context, const Expr *e) {
    const Renaming *r = context;
    const Symbol *to = map_find(r->symbols, e->symbol);
    return to ? expr_symbol(r->system->exprs, to) : NULL;
}

static const Expr *renamed(Renaming *r, const Expr *e) { return expr_substitute(r->system->exprs, e, renamed_symbol, r); }

/* Locals in their order, and the inputs of the same actions. */
static Renaming renaming_of(Fuser *f, unsigned from, unsigned to) {
    System *s = f->system;
    Renaming r = {s, map_new(), NULL};
    unsigned *own[2] = {0};
    for (unsigned v = 0; v < vec_len(s->variables); v++) {
        vec_push(r.number, v);
        if (s->variables[v].thread == from) vec_push(own[0], v);
        if (s->variables[v].thread == to) vec_push(own[1], v);
    }
    for (size_t i = 0; i < vec_len(own[0]); i++) {
        r.number[own[0][i]] = own[1][i];
        map_set(r.symbols, s->variables[own[0][i]].symbol, (void *)s->variables[own[1][i]].symbol);
    }
    const Transition *x = f->fine->threads[from].transitions, *y = f->fine->threads[to].transitions;
    for (size_t i = 0; i < vec_len(x); i++)
        for (size_t k = 0; k < vec_len(x[i].inputs); k++) map_set(r.symbols, x[i].inputs[k], (void *)y[i].inputs[k]);
    vec_free(own[0]);
    vec_free(own[1]);
    return r;
}

static Transition renamed_transition(Renaming *r, const Transition *x) {
    Transition y = *x;
    y.guard = renamed(r, x->guard);
    y.updates = NULL;
    y.inputs = NULL;
    y.actions = NULL;
    for (size_t i = 0; i < vec_len(x->updates); i++)
        vec_push(y.updates, ((Update){r->number[x->updates[i].variable], renamed(r, x->updates[i].value)}));
    for (size_t i = 0; i < vec_len(x->inputs); i++) vec_push(y.inputs, map_find(r->symbols, x->inputs[i]));
    for (size_t i = 0; i < vec_len(x->actions); i++) vec_push(y.actions, x->actions[i]);
    return y;
}

/* The twin has the same transitions, whatever the solver would have said of them. */
static void copy_to_twin(Fuser *f, unsigned from, unsigned to) {
    const SystemThread *x = &f->system->threads[from];
    SystemThread *y = &f->system->threads[to];
    Renaming r = renaming_of(f, from, to);
    for (size_t i = 0; i < vec_len(y->transitions); i++) transition_free(&y->transitions[i]);
    vec_clear(y->transitions);
    for (size_t l = vec_len(y->locations); l < vec_len(x->locations); l++) {
        SystemLocation location = x->locations[l];
        location.out = NULL;
        location.live = NULL;
        vec_push(y->locations, location);
    }
    for (size_t i = 0; i < vec_len(x->transitions); i++) vec_push(y->transitions, renamed_transition(&r, &x->transitions[i]));
    thread_relink(y);
    map_free(r.symbols);
    vec_free(r.number);
}

/* ---- all ---- */

static Fuser fuser_new(System *fine) {
    Fuser f = {.system = system_copy(fine), .fine = fine, .smt = smt_new(fine->exprs), .parallel = parallel_find(fine),
               .relevant = system_relevant(fine), .deadline = clock_seconds() + SECONDS};
    f.system->fine = fine;
    find_accesses(&f);
    return f;
}

static System *fuser_result(Fuser *f) {
    for (size_t v = 0; v < vec_len(f->accesses); v++) vec_free(f->accesses[v]);
    vec_free(f->accesses);
    vec_free(f->constant);
    vec_free(f->relevant);
    vec_free(f->fine_location);
    parallel_free(&f->parallel);
    smt_free(f->smt);
    return f->system;
}

System *fuse(System *fine) {
    Fuser f = fuser_new(fine);
    System *s = f.system;
    tidy_updates(s);
    f.constant = system_constants(s);
    for (f.thread = 0; f.thread < vec_len(s->threads); f.thread++) {
        unsigned twin = s->threads[f.thread].twin;
        if (twin != NONE && twin < f.thread) copy_to_twin(&f, twin, f.thread);
        else fuse_thread(&f);
    }
    tidy_updates(s);
    for (size_t t = 0; t < vec_len(s->threads); t++) tidy_locations(&s->threads[t]);
    return fuser_result(&f);
}

System *fuse_sections(System *fine) {
    Fuser f = fuser_new(fine);
    for (f.thread = 0; f.thread < vec_len(f.system->threads); f.thread++) take_out_all(&f, true, true);
    return fuser_result(&f);
}
