/* SPDX-License-Identifier: Apache-2.0 */
/* The obligations of a proof. Names of the groups as in doc/rules.md:
     fact-init, fact-step, fact-stable   what is claimed of a thread at a location holds whenever it is there
     right, left                         a transition moves as claimed past each transition of another thread
     apart                               (in their place) two threads are never at these two locations together
     block                               after its commit a block has only left movers to do, and can do them
     init, step, error                   the invariants hold at the start, are kept by every run from stop to stop,
                                         and exclude the errors: here of the rule product, for the others in files of their own */
#include "check/proof.h"
#include "check/checker.h"
#include "base/clock.h"
#include "base/map.h"
#include "base/vec.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

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
    Buf *out = c->certificate;
    buf_printf(out, "; %s\n(push 1)\n", c->name);
    expr_symbols(negated, declare, out);
    buf_text(out, "(assert ");
    expr_print_smt(out, negated);
    buf_text(out, ")\n(check-sat)\n(pop 1)\n");
}

/* hypothesis implies conclusion */
void checker_obligation(Checker *c, const Expr *hypothesis, const Expr *conclusion) {
    const Expr *negated = expr_and(c->exprs, hypothesis, expr_not(c->exprs, conclusion));
    if (!c->ok) return;
    if (expr_is_false(negated)) {
        c->report->trivial++;
        return;
    }
    c->report->obligations++;
    if (c->certificate) checker_write(c, negated);
    if (clock_seconds() > c->deadline) checker_refuse(c, "no time left to check it");
    else if (smt_check(c->smt, SMT_OBLIGATION, OBLIGATION_MS, negated) != SMT_UNSAT) checker_refuse(c, "does not hold");
}

/* ---- facts ---- */

const Expr *checker_fact(const Checker *c, unsigned thread, unsigned location) {
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

/* ---- who touches what ---- */

typedef struct Touch {
    Checker *checker;
    Toucher toucher;
} Touch;

static void note_read(void *context, const Symbol *symbol) {
    const Touch *t = context;
    unsigned v = system_variable(t->checker->system, symbol);
    if (v != NONE) vec_push(t->checker->touchers[v], t->toucher);
}

/* Reads count where they matter: in guards, and for relevant variables. */
static void find_touchers(Checker *c) {
    const System *s = c->system;
    c->relevant = system_relevant(s);
    vec_resize(c->touchers, vec_len(s->variables));
    for (unsigned t = 0; t < vec_len(s->threads); t++) {
        unsigned *stamps = NULL;
        vec_resize(stamps, vec_len(s->threads[t].transitions));
        vec_push(c->stamps, stamps);
        for (unsigned i = 0; i < vec_len(s->threads[t].transitions); i++) {
            const Transition *x = &s->threads[t].transitions[i];
            Touch read = {c, {t, i, false}};
            expr_symbols(x->guard, note_read, &read);
            for (size_t u = 0; u < vec_len(x->updates); u++) {
                unsigned v = x->updates[u].variable;
                vec_push(c->touchers[v], ((Toucher){t, i, true}));
                if (c->relevant[v]) expr_symbols(x->updates[u].value, note_read, &read);
            }
        }
    }
}

static void forget_touchers(Checker *c) {
    for (size_t v = 0; v < vec_len(c->touchers); v++) vec_free(c->touchers[v]);
    for (size_t t = 0; t < vec_len(c->stamps); t++) vec_free(c->stamps[t]);
    vec_free(c->touchers);
    vec_free(c->stamps);
    vec_free(c->relevant);
}

/* True the first time since the stamp was renewed. */
static bool first_time(Checker *c, const Toucher *y) {
    if (c->stamps[y->thread][y->transition] == c->stamp) return false;
    c->stamps[y->thread][y->transition] = c->stamp;
    return true;
}

typedef struct Stability {
    Checker *checker;
    unsigned thread, location;
    const Expr *fact;
} Stability;

/* The fact speaks of this variable: every other thread that writes it keeps the fact. */
static void check_writers(void *context, const Symbol *symbol) {
    const Stability *f = context;
    Checker *c = f->checker;
    const System *s = c->system;
    unsigned v = system_variable(s, symbol);
    const Toucher *list = v == NONE ? NULL : c->touchers[v];
    for (size_t i = 0; i < vec_len(list); i++) {
        unsigned u = list[i].thread;
        if (u == f->thread || !list[i].writes || !first_time(c, &list[i])) continue;
        const Transition *y = &s->threads[u].transitions[list[i].transition];
        checker_name(c, "fact-stable %s %u by %s %u->%u", s->threads[f->thread].name, f->location, s->threads[u].name, y->source, y->target);
        const Expr *both = expr_and(c->exprs, checker_numbers(c, f->thread, u), expr_and(c->exprs, f->fact, checker_fact(c, u, y->source)));
        checker_obligation(c, expr_and(c->exprs, both, y->guard), transition_after(s, y, f->fact));
    }
}

static void check_fact(Checker *c, unsigned t, unsigned l) {
    Stability f = {c, t, l, checker_fact(c, t, l)};
    c->stamp++;
    expr_symbols(f.fact, check_writers, &f);
}

/* ---- what claims speak of ---- */

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
    Scope s = {c, allowed, false};
    expr_symbols(e, look_at_symbol, &s);
    if (s.foreign) checker_refuse(c, allowed.all ? "it speaks of what is no variable" : "it speaks of more than globals and its thread's locals");
}

/* Facts speak of the globals and the thread's own locals, invariants of nodes of any variable. */
static void check_scopes(Checker *c) {
    const System *s = c->system;
    for (unsigned t = 0; t < vec_len(s->threads); t++)
        for (unsigned l = 0; l < vec_len(s->threads[t].locations); l++) {
            checker_name(c, "claim %s %u", s->threads[t].name, l);
            checker_scope(c, checker_fact(c, t, l), (CheckScope){t, t, false});
        }
    for (size_t i = 0; i < vec_len(c->proof->nodes); i++) {
        checker_name(c, "claim of node %zu", i);
        checker_scope(c, c->proof->nodes[i].invariant, (CheckScope){.all = true});
    }
}

/* An input belongs to one thread: two threads that share one would be taken to choose alike. */
static void check_inputs(Checker *c) {
    const System *s = c->system;
    Map *owner = map_new();
    for (unsigned t = 0; t < vec_len(s->threads); t++)
        for (size_t i = 0; i < vec_len(s->threads[t].transitions); i++) {
            const Transition *x = &s->threads[t].transitions[i];
            checker_name(c, "claim %s %u->%u", s->threads[t].name, x->source, x->target);
            for (size_t k = 0; k < vec_len(x->inputs); k++) {
                uint64_t other = t;
                map_get(owner, map_key(x->inputs[k]), &other);
                if (other != t || system_variable(s, x->inputs[k]) != NONE) checker_refuse(c, "an input that is not its own");
                map_put(owner, map_key(x->inputs[k]), t);
            }
        }
    map_free(owner);
}

static void check_facts(Checker *c) {
    const System *s = c->system;
    for (unsigned t = 0; t < vec_len(s->threads) && c->ok; t++) {
        checker_name(c, "fact-init %s", s->threads[t].name);
        checker_obligation(c, checker_initially(c), checker_fact(c, t, s->threads[t].entry));
        for (size_t i = 0; i < vec_len(s->threads[t].transitions); i++) {
            const Transition *x = &s->threads[t].transitions[i];
            checker_name(c, "fact-step %s %u->%u", s->threads[t].name, x->source, x->target);
            checker_obligation(c, expr_and(c->exprs, checker_fact(c, t, x->source), x->guard), transition_after(s, x, checker_fact(c, t, x->target)));
        }
        for (unsigned l = 0; l < vec_len(s->threads[t].locations); l++) check_fact(c, t, l);
    }
}

/* ---- movers ---- */

static const Expr *result_of(const System *s, const Transition *first, const Transition *second, unsigned v) {
    const Expr *u = transition_update(second, v);
    if (u) return transition_after(s, first, u);
    u = transition_update(first, v);
    return u ? u : system_expr(s, v);
}

/* Whenever first then second can be done, so can second then first, with the same result. */
static void check_swap(Checker *c, const Expr *context, const Transition *first, const Transition *second) {
    const System *s = c->system;
    Exprs *x = c->exprs;
    const Expr *can = expr_and(x, context, expr_and(x, first->guard, transition_after(s, first, second->guard)));
    const Expr *then = expr_and(x, second->guard, transition_after(s, second, first->guard));
    const Transition *both[] = {first, second};
    for (int k = 0; k < 2; k++)
        for (size_t i = 0; i < vec_len(both[k]->updates); i++) {
            unsigned v = both[k]->updates[i].variable;
            if (c->relevant[v]) then = expr_and(x, then, expr_eq(x, result_of(s, first, second, v), result_of(s, second, first, v)));
        }
    checker_obligation(c, can, then);
}

static void check_pair(Checker *c, unsigned t, const Transition *x, unsigned u, const Transition *y) {
    const System *s = c->system;
    uint8_t claim = c->proof->movers[t][x->index];
    const Expr *context = expr_and(c->exprs, checker_numbers(c, t, u), expr_and(c->exprs, checker_fact(c, t, x->source), checker_fact(c, u, y->source)));
    /* Facts that exclude each other settle all pairs at these locations with one question. */
    checker_name(c, "apart %s %u and %s %u", s->threads[t].name, x->source, s->threads[u].name, y->source);
    if (!expr_is_true(context) && smt_check(c->smt, SMT_OBLIGATION, OBLIGATION_MS, context) == SMT_UNSAT) {
        checker_obligation(c, context, expr_bool(c->exprs, false));
        return;
    }
    for (unsigned side = MOVES_RIGHT; side <= MOVES_LEFT; side++) {
        if (!(claim & side)) continue;
        checker_name(c, "%s %s %u->%u past %s %u->%u", side == MOVES_RIGHT ? "right" : "left", s->threads[t].name, x->source, x->target,
             s->threads[u].name, y->source, y->target);
        if (side == MOVES_RIGHT) check_swap(c, context, x, y);
        else check_swap(c, context, y, x);
    }
}

typedef struct Past {
    Checker *checker;
    unsigned thread;
    const Transition *transition;
    bool writes; /* it writes the variables visited; else it reads them */
} Past;

static void check_touchers(const Past *p, unsigned v) {
    Checker *c = p->checker;
    const Toucher *list = v == NONE || !c->relevant[v] ? NULL : c->touchers[v];
    for (size_t i = 0; i < vec_len(list) && c->ok; i++)
        if (list[i].thread != p->thread && (p->writes || list[i].writes) && first_time(c, &list[i]))
            check_pair(c, p->thread, p->transition, list[i].thread, &c->system->threads[list[i].thread].transitions[list[i].transition]);
}

static void check_read(void *context, const Symbol *symbol) {
    const Past *p = context;
    check_touchers(p, system_variable(p->checker->system, symbol));
}

/* Past what touches nothing relevant in common that either writes, a transition moves trivially. */
static void check_mover(Checker *c, unsigned t, const Transition *x) {
    Past p = {c, t, x, true};
    c->stamp++;
    for (size_t i = 0; i < vec_len(x->updates); i++) check_touchers(&p, x->updates[i].variable);
    p.writes = false;
    expr_symbols(x->guard, check_read, &p);
    for (size_t i = 0; i < vec_len(x->updates); i++)
        if (c->relevant[x->updates[i].variable]) expr_symbols(x->updates[i].value, check_read, &p);
}

static void check_movers(Checker *c) {
    const System *s = c->system;
    for (unsigned t = 0; t < vec_len(s->threads); t++)
        for (size_t i = 0; i < vec_len(s->threads[t].transitions) && c->ok; i++) {
            const Transition *x = &s->threads[t].transitions[i];
            checker_name(c, "mover %s %u->%u", s->threads[t].name, x->source, x->target);
            if (c->proof->movers[t][i]) check_mover(c, t, x);
        }
}

/* ---- blocks ---- */

enum { BEFORE = 1, AFTER = 2 };

static bool is_atomic(const Checker *c, unsigned t, unsigned l) { return c->system->threads[t].locations[l].atomic; }

/* How the atomic section that a transition enters moves as a whole; *locations: those inside (a vec). */
static uint8_t section_effect(Checker *c, unsigned t, const Transition *x, unsigned **locations) {
    const SystemThread *thread = &c->system->threads[t];
    uint8_t effect = c->proof->movers[t][x->index];
    if (is_atomic(c, t, x->target)) vec_push(*locations, x->target);
    for (size_t i = 0; i < vec_len(*locations); i++) {
        const SystemLocation *l = &thread->locations[(*locations)[i]];
        for (size_t k = 0; k < vec_len(l->out); k++) {
            const Transition *y = &thread->transitions[l->out[k]];
            bool known = !is_atomic(c, t, y->target);
            effect &= c->proof->movers[t][y->index];
            for (size_t n = 0; n < vec_len(*locations); n++) known |= (*locations)[n] == y->target;
            if (!known) vec_push(*locations, y->target);
        }
    }
    return effect;
}

static bool is_in(const unsigned *list, unsigned l) {
    for (size_t i = 0; i < vec_len(list); i++)
        if (list[i] == l) return true;
    return false;
}

/* The section can loop: after a commit it must not, or others would never see what was committed. */
static bool section_loops(const Checker *c, unsigned t, const unsigned *section) {
    const SystemThread *thread = &c->system->threads[t];
    unsigned *waiting = NULL, *work = NULL;
    size_t done = 0;
    vec_resize(waiting, vec_len(thread->locations));
    for (size_t i = 0; i < vec_len(thread->transitions); i++)
        if (is_in(section, thread->transitions[i].source)) waiting[thread->transitions[i].target]++;
    for (size_t i = 0; i < vec_len(section); i++)
        if (!waiting[section[i]]) vec_push(work, section[i]);
    while (vec_len(work)) {
        const SystemLocation *l = &thread->locations[vec_pop(work)];
        done++;
        for (size_t i = 0; i < vec_len(l->out); i++) {
            unsigned target = thread->transitions[l->out[i]].target;
            if (is_in(section, target) && !--waiting[target]) vec_push(work, target);
        }
    }
    vec_free(waiting);
    vec_free(work);
    return done != vec_len(section);
}

/* A thread at the location can go on. */
static void check_goes_on(Checker *c, unsigned t, unsigned l) {
    const System *s = c->system;
    const SystemThread *thread = &s->threads[t];
    const Expr *some = expr_bool(c->exprs, false);
    checker_name(c, "block %s %u goes on", thread->name, l);
    for (size_t i = 0; i < vec_len(thread->locations[l].out); i++) {
        const Transition *y = &thread->transitions[thread->locations[l].out[i]];
        if (vec_len(y->inputs)) checker_refuse(c, "an input after the commit of a block");
        some = expr_or(c->exprs, some, y->guard);
    }
    checker_obligation(c, checker_fact(c, t, l), some);
}

/* Can the location be reached from itself without passing one where others may run? */
static bool loops_inside(const Checker *c, unsigned t, unsigned start) {
    const SystemThread *thread = &c->system->threads[t];
    bool *seen = NULL, found = false;
    unsigned *work = NULL;
    vec_resize(seen, vec_len(thread->locations));
    vec_push(work, start);
    while (vec_len(work) && !found) {
        unsigned l = vec_pop(work);
        for (size_t i = 0; i < vec_len(thread->locations[l].out); i++) {
            unsigned target = thread->transitions[thread->locations[l].out[i]].target;
            found |= target == start;
            if (c->proof->out[t][target] || seen[target]) continue;
            seen[target] = true;
            vec_push(work, target);
        }
    }
    vec_free(seen);
    vec_free(work);
    return found;
}

/* A block ends after its commit: no cycle stays inside it, but for one within an atomic section, where the program itself
   lets nobody in. */
static void check_ends(Checker *c, unsigned t, const uint8_t *phases) {
    for (unsigned l = 0; l < vec_len(c->system->threads[t].locations); l++) {
        checker_name(c, "block %s %u", c->system->threads[t].name, l);
        if (!c->proof->out[t][l] && !is_atomic(c, t, l) && (phases[l] & AFTER) && loops_inside(c, t, l))
            checker_refuse(c, "after the commit a loop without a location where others may run");
    }
}

static void check_after_commit(Checker *c, unsigned t, unsigned l) {
    const SystemThread *thread = &c->system->threads[t];
    for (size_t i = 0; i < vec_len(thread->locations[l].out) && c->ok; i++) {
        const Transition *x = &thread->transitions[thread->locations[l].out[i]];
        unsigned *section = NULL;
        uint8_t effect = section_effect(c, t, x, &section);
        checker_name(c, "block %s %u->%u", thread->name, x->source, x->target);
        if (!(effect & MOVES_LEFT)) checker_refuse(c, "after its commit a block does what is no left mover");
        if (section_loops(c, t, section)) checker_refuse(c, "after its commit a block may loop in an atomic section");
        for (size_t k = 0; k < vec_len(section); k++) check_goes_on(c, t, section[k]);
        vec_free(section);
    }
    check_goes_on(c, t, l);
}

static uint8_t *find_phases(Checker *c, unsigned t) {
    const SystemThread *thread = &c->system->threads[t];
    uint8_t *phases = NULL;
    unsigned *work = NULL;
    vec_resize(phases, vec_len(thread->locations));
    phases[thread->entry] = BEFORE;
    vec_push(work, thread->entry);
    while (vec_len(work)) {
        unsigned l = vec_pop(work);
        uint8_t from = c->proof->out[t][l] ? BEFORE : phases[l];
        for (size_t i = 0; i < vec_len(thread->locations[l].out); i++) {
            const Transition *x = &thread->transitions[thread->locations[l].out[i]];
            unsigned *section = NULL;
            uint8_t effect = is_atomic(c, t, l) ? MOVES_BOTH : section_effect(c, t, x, &section);
            uint8_t to = effect == MOVES_BOTH ? from : effect & MOVES_RIGHT ? BEFORE : AFTER;
            vec_free(section);
            if ((phases[x->target] & to) == to) continue;
            phases[x->target] |= to;
            vec_push(work, x->target);
        }
    }
    vec_free(work);
    return phases;
}

static void check_blocks(Checker *c) {
    const System *s = c->system;
    for (unsigned t = 0; t < vec_len(s->threads) && c->ok; t++) {
        uint8_t *phases = find_phases(c, t);
        check_ends(c, t, phases);
        for (unsigned l = 0; l < vec_len(s->threads[t].locations) && c->ok; l++) {
            bool out = c->proof->out[t][l], plain = s->threads[t].locations[l].kind == LOCATION_PLAIN;
            checker_name(c, "block %s %u", s->threads[t].name, l);
            if (out && is_atomic(c, t, l)) checker_refuse(c, "an atomic section is preempted"); /* would be more than the program does */
            if (!out && !plain) checker_refuse(c, "an end inside a block");
            if (!out && l == s->threads[t].entry) checker_refuse(c, "the entry inside a block");
            if (out && !c->proof->stop[t][l]) checker_refuse(c, "others may run where no run stops");
            if (!out && !is_atomic(c, t, l) && (phases[l] & AFTER)) check_after_commit(c, t, l);
        }
        vec_free(phases);
    }
}

/* ---- invariants of the product ---- */

typedef struct Path Path;
struct Path {
    unsigned thread, location;
    const unsigned *locations; /* of the start */
    const Expr *hypothesis;    /* invariant and guards, in terms of the start's variables */
    const Expr **values;       /* by variable: NULL unchanged */
    unsigned length;
    const Transition *last;    /* the transition taken to get here … */
    const Path *before;        /* … from there */
};

static const Expr *now(const Checker *c, const Path *p, const Expr *e) { return system_with(c->system, p->values, e); }

/* A node says otherwise of a variable whose value is known. */
static bool contradicts(const Update *constants, const Expr *const *values) {
    for (size_t i = 0; i < vec_len(constants) && values; i++) {
        const Expr *value = values[constants[i].variable];
        if (value && value != constants[i].value && expr_is_const(value)) return true;
    }
    return false;
}

/* The invariant of a vector of locations, which is its nodes' disjunction, in terms of the start. Nodes that the path's
   values contradict would become false: they are left out (which at worst asks for more). */
static const Expr *invariant_at(Checker *c, const unsigned *locations, unsigned moved, unsigned to, const Path *path) {
    const Expr *e = expr_bool(c->exprs, false);
    size_t n = vec_len(c->system->threads);
    uint64_t h = 0, list = 0;
    for (unsigned t = 0; t < n; t++) h = hash_word(h ^ ((t == moved ? to : locations[t]) + 1));
    map_get(c->groups, h, &list);
    const unsigned *nodes = (const unsigned *)(uintptr_t)list;
    for (size_t i = 0; i < vec_len(nodes); i++) {
        const ProofNode *k = &c->proof->nodes[nodes[i]];
        bool same = true;
        if (path && contradicts(c->constants[nodes[i]], path->values)) continue;
        for (unsigned t = 0; t < n; t++) same &= k->locations[t] == (t == moved ? to : locations[t]);
        if (same) e = expr_or(c->exprs, e, path ? now(c, path, k->invariant) : k->invariant);
    }
    return e;
}

static void follow(Checker *c, const Path *p) {
    const System *s = c->system;
    const SystemThread *thread = &s->threads[p->thread];
    const SystemLocation *l = &thread->locations[p->location];
    if (!c->ok) return;
    if (l->kind == LOCATION_ERROR || l->kind == LOCATION_STOP) {
        checker_name(c, "error %s %u", thread->name, p->location);
        checker_obligation(c, p->hypothesis, expr_bool(c->exprs, false));
        return;
    }
    if (p->length && c->proof->stop[p->thread][p->location]) {
        checker_name(c, "step %s to %u", thread->name, p->location);
        checker_obligation(c, p->hypothesis, invariant_at(c, p->locations, p->thread, p->location, p));
        return;
    }
    for (const Path *q = p->before; q && c->ok; q = q->before) /* its inputs would be those of the first time */
        if (q->last && q->last == p->last) checker_refuse(c, "a run that takes a transition twice without a stop");
    for (size_t i = 0; i < vec_len(l->out) && c->ok; i++) {
        const Transition *x = &thread->transitions[l->out[i]];
        Path next = *p;
        next.hypothesis = expr_and(c->exprs, p->hypothesis, now(c, p, x->guard));
        if (expr_is_false(next.hypothesis)) continue;
        next.location = x->target;
        next.last = x;
        next.before = p;
        next.length++;
        next.values = NULL;
        for (unsigned v = 0; v < vec_len(s->variables); v++) vec_push(next.values, p->values[v]);
        for (size_t u = 0; u < vec_len(x->updates); u++) next.values[x->updates[u].variable] = now(c, p, x->updates[u].value);
        follow(c, &next);
        vec_free(next.values);
    }
}

/* A constant, or an array of constants. */
static bool is_ground(const Expr *e) {
    bool ground = e->op == OP_CONST || e->op == OP_STORE || e->op == OP_CONST_ARRAY;
    for (unsigned i = 0; i < e->nargs && ground; i++) ground = is_ground(e->args[i]);
    return ground;
}

/* Equalities with constants in an invariant. */
static void find_constants(const Checker *c, const Expr *e, Update **constants) {
    if (e->op == OP_AND)
        for (unsigned i = 0; i < e->nargs; i++) find_constants(c, e->args[i], constants);
    if (e->op != OP_EQ) return;
    for (unsigned k = 0; k < 2; k++) {
        unsigned v = e->args[k]->op == OP_SYMBOL ? system_variable(c->system, e->args[k]->symbol) : NONE;
        if (v != NONE && is_ground(e->args[1 - k])) vec_push(*constants, ((Update){v, e->args[1 - k]}));
    }
}

static void check_node(Checker *c, size_t node) {
    const System *s = c->system;
    const ProofNode *n = &c->proof->nodes[node];
    unsigned only = NONE;
    for (unsigned t = 0; t < vec_len(s->threads); t++)
        if (!c->proof->out[t][n->locations[t]]) only = t;
    for (unsigned t = 0; t < vec_len(s->threads) && c->ok; t++) {
        if (only != NONE && t != only) continue;
        Path p = {.thread = t, .location = n->locations[t], .locations = n->locations, .hypothesis = n->invariant};
        vec_resize(p.values, vec_len(s->variables));
        /* Constants are taken into the path at once: most guards then simplify away. */
        for (size_t i = 0; i < vec_len(c->constants[node]); i++) p.values[c->constants[node][i].variable] = c->constants[node][i].value;
        follow(c, &p);
        vec_free(p.values);
    }
}

static void group_nodes(Checker *c) {
    for (unsigned i = 0; i < vec_len(c->proof->nodes); i++) {
        uint64_t h = 0, list = 0;
        for (unsigned t = 0; t < vec_len(c->system->threads); t++) h = hash_word(h ^ (c->proof->nodes[i].locations[t] + 1));
        map_get(c->groups, h, &list);
        unsigned *nodes = (unsigned *)(uintptr_t)list;
        vec_push(nodes, i);
        map_put(c->groups, h, map_key(nodes));
        Update *constants = NULL;
        find_constants(c, c->proof->nodes[i].invariant, &constants);
        vec_push(c->constants, constants);
    }
}

static void check_product(Checker *c) {
    const System *s = c->system;
    unsigned *entries = NULL;
    for (size_t t = 0; t < vec_len(s->threads); t++) {
        vec_push(entries, s->threads[t].entry);
        checker_name(c, "product %s", s->threads[t].name);
        if (s->threads[t].many) checker_refuse(c, "a product of a number of threads that is not known");
    }
    group_nodes(c);
    checker_name(c, "init");
    checker_obligation(c, checker_initially(c), invariant_at(c, entries, NONE, 0, NULL));
    for (size_t i = 0; i < vec_len(c->proof->nodes) && c->ok; i++) check_node(c, i);
    vec_free(entries);
    for (size_t i = 0; i < vec_len(c->constants); i++) vec_free(c->constants[i]);
    vec_free(c->constants);
    for (size_t i = 0; i < vec_len(c->proof->nodes); i++) { /* each list once: by its first node */
        uint64_t h = 0, list = 0;
        for (unsigned t = 0; t < vec_len(s->threads); t++) h = hash_word(h ^ (c->proof->nodes[i].locations[t] + 1));
        if (!map_get(c->groups, h, &list) || !list) continue;
        unsigned *nodes = (unsigned *)(uintptr_t)list;
        vec_free(nodes);
        map_put(c->groups, h, 0);
    }
}

/* ---- the certificate's head ---- */

static void write_head(Checker *c) {
    buf_text(c->certificate,
             "; Heddle proof certificate. Every (check-sat) is to be answered unsat.\n"
             "; Trusted: the translation of C to the program (clang and the front end), of the program to the transitions that\n"
             "; occur below (threads, memory regions, arithmetic), the enumeration of obligations, and the theory of reduction.\n"
             "(set-logic ALL)\n");
    if (c->system->integers) buf_text(c->certificate, "; Arithmetic: integers; signed overflow is undefined, unsigned wrap-around explicit.\n");
}

bool proof_check(const Proof *p, Smt *smt, double seconds, ProofReport *report, Buf *certificate) {
    Checker c = {.proof = p, .system = p->system, .exprs = p->system->exprs, .smt = smt, .deadline = clock_seconds() + seconds,
                 .report = report, .certificate = certificate, .ok = true, .groups = map_new()};
    *report = (ProofReport){0};
    if (certificate) write_head(&c);
    find_touchers(&c);
    check_scopes(&c);
    check_inputs(&c);
    check_facts(&c);
    check_movers(&c);
    check_blocks(&c);
    switch (p->rule) {
    case RULE_PRODUCT: check_product(&c); break;
    case RULE_MODULAR: check_modular(&c); break;
    case RULE_SAFETY: check_safety(&c); break;
    case RULE_PAIRS: check_pairs(&c); break;
    case RULE_REDUCED: check_reduced(&c); break;
    }
    checker_forget_runs(&c);
    forget_touchers(&c);
    map_free(c.groups);
    return c.ok;
}
