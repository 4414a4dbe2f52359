/* SPDX-License-Identifier: Apache-2.0 */
/* Checks the obligations of the rule modular with two threads at a time; see doc/rules.md. A thread marked many has three instances: the
   thread, its second instance, and a third one with fresh symbols for its locals. */
#include "check/checker.h"
#include "check/messages.h"

/* A thread, or one of three instances of a thread marked many. */
typedef struct Instance {
    unsigned thread; /* for a second instance, the thread that it copies */
    unsigned copy;   /* locals: 0: the thread's own, 1: those of the second instance, 2: fresh symbols */
} Instance;

typedef struct Pairs {
    Checker *checker;
    const System *system;
    Exprs *exprs;
    const Expr **third; /* by variable: the third instance's symbol for a local of a thread marked many; otherwise NULL */
} Pairs;

static Instance instance_of(const System *s, unsigned t) {
    return (Instance){system_first_instance(s, t), system_first_instance(s, t) != t};
}

/* ---- renaming ---- */

/* Returns the symbol of local v of a thread for the instance. The thread is not a second instance. */
static const Expr *local_of(const Pairs *p, Instance instance, unsigned v) {
    const System *s = p->system;
    ensure(s->variables[v].thread == instance.thread && (instance.copy != 2 || p->third[v]));
    if (instance.copy == 2) return p->third[v];
    return system_expr(s,
                       instance.copy ? checker_corresponding_local(s, v, instance.thread, s->threads[instance.thread].other_instance) : v);
}

/* A renaming of the locals of two threads to those of two instances. */
typedef struct Renaming {
    const Pairs *pairs;
    unsigned from[2];
    Instance to[2];
} Renaming;

static const Expr *renamed_symbol(void *context, const Expr *e) {
    const Renaming *r = context;
    const System *s = r->pairs->system;
    unsigned v = system_variable(s, e->symbol);
    if (v == NONE || s->variables[v].thread == NONE) return NULL;
    for (int i = 0; i < 2; i++) {
        unsigned t = r->from[i], first = system_first_instance(s, t);
        if (s->variables[v].thread == t) return local_of(r->pairs, r->to[i], t == first ? v : checker_corresponding_local(s, v, t, first));
    }
    return NULL;
}

static const ProofPair *pair_of(const Pairs *p, Instance x, Instance y, bool *turned) {
    const Proof *proof = p->checker->proof;
    const System *s = p->system;
    for (size_t i = 0; i < vec_len(proof->pairs); i++) {
        unsigned a = system_first_instance(s, proof->pairs[i].first), b = system_first_instance(s, proof->pairs[i].second);
        *turned = !(a == x.thread && b == y.thread);
        if (!*turned || (a == y.thread && b == x.thread)) return &proof->pairs[i];
    }
    return NULL;
}

/* Returns the invariant for x at l and y at k, or true if the proof has none. */
static const Expr *invariant(const Pairs *p, Instance x, unsigned l, Instance y, unsigned k) {
    bool turned;
    const ProofPair *pair = pair_of(p, x, y, &turned);
    if (!pair) return expr_bool(p->exprs, true);
    Renaming r = {p, {pair->first, pair->second}, {turned ? y : x, turned ? x : y}};
    return expr_substitute(p->exprs, turned ? pair->invariants[k][l] : pair->invariants[l][k], renamed_symbol, &r);
}

/* Renames a run's expression to the locals of the instance. */
static const Expr *renamed(const Pairs *p, Instance instance, const Expr *e) {
    Renaming r = {p, {instance.thread, instance.thread}, {instance, instance}};
    return expr_substitute(p->exprs, e, renamed_symbol, &r);
}

static const Expr *number_of(const Pairs *p, Instance instance) {
    unsigned self = p->system->threads[instance.thread].self;
    return self == NONE ? NULL : local_of(p, instance, self);
}

/* Returns the formula that the numbers of threads marked many are larger than those of single threads, and different. */
static const Expr *numbers(const Pairs *p, const Instance *list, unsigned n) {
    Exprs *x = p->exprs;
    const Expr *e = expr_bool(x, true);
    for (unsigned i = 0; i < n; i++) {
        const Expr *mine = number_of(p, list[i]);
        if (!mine) continue;
        e = expr_and(x, e, expr_2(x, p->system->integers ? OP_SLT : OP_ULT, expr_const(x, mine->sort, vec_len(p->system->threads)), mine));
        for (unsigned k = 0; k < i; k++)
            if (number_of(p, list[k])) e = expr_and(x, e, expr_not(x, expr_eq(x, mine, number_of(p, list[k]))));
    }
    return e;
}

/* ---- obligations ---- */

/* Returns whether runs stop at the location, and it is not an error. */
static bool is_place(const Pairs *p, unsigned t, unsigned l) { return p->checker->proof->stop[t][l] && !checker_is_bad(p->checker, t, l); }

/* Checks that a run of one thread of the pair keeps the invariant of the pair. */
static void check_own(Pairs *p, const ProofPair *pair, unsigned l, unsigned k, bool second) {
    Checker *c = p->checker;
    const System *s = p->system;
    unsigned t = second ? pair->second : pair->first, from = second ? k : l;
    Instance both[] = {instance_of(s, pair->first), instance_of(s, pair->second)};
    const Transition *runs = checker_block_paths(c, t, from);
    for (size_t i = 0; i < vec_len(runs) && c->ok; i++) {
        unsigned to = runs[i].target;
        if (checker_is_bad(c, t, to)) continue;
        checker_name(c, "step %s %u to %u with %s %u", s->threads[t].name, from, to, s->threads[second ? pair->first : pair->second].name,
                     second ? l : k);
        const Expr *hypothesis = expr_and(p->exprs, expr_and(p->exprs, numbers(p, both, 2), pair->invariants[l][k]), runs[i].guard);
        checker_obligation(c, hypothesis, transition_after(s, &runs[i], second ? pair->invariants[l][to] : pair->invariants[to][k]));
    }
}

/* Sets *third to an instance of t that is not in the pair. Returns false if t has no such instance. */
static bool third_of(const Pairs *p, const ProofPair *pair, unsigned t, Instance *third) {
    const System *s = p->system;
    unsigned same = (system_first_instance(s, pair->first) == t ? 1u : 0u) + (system_first_instance(s, pair->second) == t ? 1u : 0u);
    *third = (Instance){t, same};
    return system_first_instance(s, t) == t && (!same || s->threads[t].many);
}

/* Checks that a run of a third thread keeps the invariant of the pair. */
static void check_interference(Pairs *p, const ProofPair *pair, unsigned l, unsigned k, Instance third) {
    Checker *c = p->checker;
    const System *s = p->system;
    Instance all[] = {instance_of(s, pair->first), instance_of(s, pair->second), third};
    for (unsigned m = 0; m < vec_len(s->threads[third.thread].locations) && c->ok; m++) {
        if (!is_place(p, third.thread, m)) continue;
        const Expr *views = expr_and(p->exprs, invariant(p, all[0], l, third, m), invariant(p, all[1], k, third, m));
        const Expr *hypothesis = expr_and(p->exprs, numbers(p, all, 3), expr_and(p->exprs, pair->invariants[l][k], views));
        const Transition *runs = checker_block_paths(c, third.thread, m);
        for (size_t i = 0; i < vec_len(runs) && c->ok && !expr_is_false(hypothesis); i++) {
            if (checker_is_bad(c, third.thread, runs[i].target)) continue;
            Transition run = {.guard = renamed(p, third, runs[i].guard)};
            for (size_t u = 0; u < vec_len(runs[i].updates); u++)
                if (s->variables[runs[i].updates[u].variable].thread == NONE)
                    vec_push(run.updates, ((Update){runs[i].updates[u].variable, renamed(p, third, runs[i].updates[u].value)}));
            checker_name(c, "interfere %s %u and %s %u by %s %u to %u", s->threads[pair->first].name, l, s->threads[pair->second].name, k,
                         s->threads[third.thread].name, m, runs[i].target);
            checker_obligation(c, expr_and(p->exprs, hypothesis, run.guard), transition_after(s, &run, pair->invariants[l][k]));
            vec_free(run.updates);
        }
    }
}

static void check_places(Pairs *p, const ProofPair *pair, unsigned l, unsigned k) {
    const bool *const *out = (const bool *const *)p->checker->proof->out;
    bool first = out[pair->first][l], second = out[pair->second][k];
    if (expr_is_false(pair->invariants[l][k])) return;
    if (second) check_own(p, pair, l, k, false);
    if (first) check_own(p, pair, l, k, true);
    for (unsigned t = 0; t < vec_len(p->system->threads) && first && second && p->checker->ok; t++) {
        Instance third;
        if (third_of(p, pair, t, &third)) check_interference(p, pair, l, k, third);
    }
}

static void check_pair(Pairs *p, const ProofPair *pair) {
    Checker *c = p->checker;
    const System *s = p->system;
    const SystemThread *a = &s->threads[pair->first], *b = &s->threads[pair->second];
    Instance both[] = {instance_of(s, pair->first), instance_of(s, pair->second)};
    checker_name(c, "init %s and %s", a->name, b->name);
    checker_obligation(c, expr_and(p->exprs, checker_initially(c), numbers(p, both, 2)), pair->invariants[a->entry][b->entry]);
    for (unsigned l = 0; l < vec_len(a->locations) && c->ok; l++)
        for (unsigned k = 0; k < vec_len(b->locations) && c->ok; k++)
            if (is_place(p, pair->first, l) && is_place(p, pair->second, k)) check_places(p, pair, l, k);
}

static void check_claims(Pairs *p, const ProofPair *pair) {
    const SystemThread *a = &p->system->threads[pair->first], *b = &p->system->threads[pair->second];
    for (unsigned l = 0; l < vec_len(a->locations); l++)
        for (unsigned k = 0; k < vec_len(b->locations); k++) {
            checker_name(p->checker, "claim %s %u and %s %u", a->name, l, b->name, k);
            checker_scope(p->checker, pair->invariants[l][k], (CheckScope){pair->first, pair->second, false});
        }
}

/* Checks that a thread reaches no error, wherever its partner is. */
static void check_errors(Pairs *p, unsigned t) {
    Checker *c = p->checker;
    const System *s = p->system;
    unsigned partner = c->proof->partners[t];
    Instance both[] = {instance_of(s, t), instance_of(s, partner)};
    for (unsigned l = 0; l < vec_len(s->threads[t].locations) && c->ok; l++) {
        const Transition *runs = is_place(p, t, l) ? checker_block_paths(c, t, l) : NULL;
        for (size_t i = 0; i < vec_len(runs) && c->ok; i++)
            for (unsigned k = 0; k < vec_len(s->threads[partner].locations) && checker_is_bad(c, t, runs[i].target) && c->ok; k++) {
                if (!c->proof->out[partner][k] || !is_place(p, partner, k)) continue;
                checker_name(c, "error %s %u with %s %u", s->threads[t].name, runs[i].target, s->threads[partner].name, k);
                const Expr *view = expr_and(p->exprs, numbers(p, both, 2), invariant(p, both[0], l, both[1], k));
                checker_obligation(c, expr_and(p->exprs, view, runs[i].guard), expr_bool(p->exprs, false));
            }
    }
}

/* Checks that each pair has two different threads and occurs once, and that each thread has a partner. A pair has a thread with its
   second instance, or two threads that are not second instances. */
static void check_shape(Pairs *p) {
    Checker *c = p->checker;
    const System *s = p->system;
    const ProofPair *pairs = c->proof->pairs;
    checker_name(c, "pairs");
    for (size_t i = 0; i < vec_len(pairs); i++) {
        unsigned a = pairs[i].first, b = pairs[i].second;
        bool twins = s->threads[a].other_instance == b && a < b,
             firsts = system_first_instance(s, a) == a && system_first_instance(s, b) == b;
        if (a == b || !(twins || firsts)) checker_refuse(c, MSG_CHECK_PAIRS);
        for (size_t k = 0; k < i; k++)
            if (system_first_instance(s, pairs[k].first) == system_first_instance(s, a) &&
                system_first_instance(s, pairs[k].second) == system_first_instance(s, b))
                checker_refuse(c, MSG_CHECK_PAIRS);
    }
    if (vec_len(c->proof->partners) != vec_len(s->threads)) checker_refuse(c, MSG_CHECK_PARTNERS);
    for (unsigned t = 0; t < vec_len(c->proof->partners); t++) {
        unsigned partner = c->proof->partners[t];
        if (partner >= vec_len(s->threads) || partner == t) checker_refuse(c, MSG_CHECK_PARTNERS);
    }
}

void check_pairs(Checker *c) {
    ensure(c->proof->rule == RULE_PAIRS);
    Pairs p = {.checker = c, .system = c->system, .exprs = c->exprs};
    const System *s = c->system;
    check_shape(&p);
    for (unsigned v = 0; v < vec_len(s->variables); v++) {
        unsigned t = s->variables[v].thread;
        const Expr *other =
            t != NONE && s->threads[t].many
                ? expr_symbol(c->exprs, symbol_new(c->exprs, SYM_VARIABLE, s->variables[v].symbol->name, s->variables[v].symbol->sort))
                : NULL;
        vec_push(p.third, other);
    }
    for (unsigned t = 0; t < vec_len(s->threads) && c->ok; t++) {
        checker_name(c, "init %s", s->threads[t].name);
        if (checker_is_bad(c, t, s->threads[t].entry)) checker_refuse(c, MSG_CHECK_ENTRY_ERROR);
        if (s->threads[t].many) checker_second_instance(c, t);
    }
    for (size_t i = 0; i < vec_len(c->proof->pairs) && c->ok; i++) check_claims(&p, &c->proof->pairs[i]);
    for (size_t i = 0; i < vec_len(c->proof->pairs) && c->ok; i++) check_pair(&p, &c->proof->pairs[i]);
    for (unsigned t = 0; t < vec_len(s->threads) && c->ok; t++) check_errors(&p, t);
    vec_free(p.third);
}
