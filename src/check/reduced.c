/* SPDX-License-Identifier: Apache-2.0 */
/* The obligations of the rule reduced; see doc/rules.md, "The rule reduced". Runs of threads are found here anew: what the proof
   calls a letter is only a name for one of them.

   An invariant is a conjunction, and most obligations need few of its conjuncts: the ones used are remembered (an unsatisfiable core), and the next node that
   has them too needs no solver. The certificate has each such obligation once. */
#include "base/clock.h"
#include "base/vec.h"
#include "check/checker.h"
#include <string.h>

/* A run of one thread from a stop to its next stop. */
typedef struct Run {
    unsigned thread;
    unsigned letter; /* of the proof, or NONE: the proof does not know it */
    Transition step; /* composed */
    unsigned *transitions;
    bool *reads, *writes; /* vecs, by variable: those that matter */
} Run;

typedef struct Core {
    const Expr **conjuncts; /* a vec */
} Core;

typedef struct Reduced {
    Checker *checker;
    const Proof *proof;
    const System *system;
    Exprs *exprs;
    Run *runs;           /* a vec */
    unsigned ***from;    /* by thread, by location: a vec of runs */
    bool **found;        /* … which is there */
    unsigned *of_letter; /* by letter: its run, or NONE */
    const Expr ***conjuncts; /* by node: a vec */
    unsigned *stamps;    /* by expression id: the last node (+ 1) that has it as a conjunct */
    Map *cores;          /* what is to be excluded -> a vec of cores that exclude it */
    Core **core_lists;   /* all these vecs, to be freed */
    Solver *solver;
    Map *proxies;        /* conjunct -> the Boolean that stands for it in the solver */
} Reduced;

/* ---- runs ---- */

static void compose(Reduced *r, Run *run, const Transition *x) {
    const System *s = r->system;
    Update *updates = NULL;
    run->step.guard = expr_and(r->exprs, run->step.guard, transition_after(s, &run->step, x->guard));
    for (size_t i = 0; i < vec_len(x->updates); i++)
        vec_push(updates, ((Update){x->updates[i].variable, transition_after(s, &run->step, x->updates[i].value)}));
    for (size_t i = 0; i < vec_len(run->step.updates); i++)
        if (!transition_update(x, run->step.updates[i].variable)) vec_push(updates, run->step.updates[i]);
    vec_free(run->step.updates);
    run->step.updates = updates;
    run->step.target = x->target;
    vec_push(run->transitions, x->index);
}

typedef struct Touched {
    const System *system;
    bool *variables;
} Touched;

static void touch(void *context, const Symbol *symbol) {
    Touched *t = context;
    unsigned v = system_variable(t->system, symbol);
    if (v != NONE) t->variables[v] = true;
}

/* What a transition reads and writes of what matters. */
static void note_touched(const Checker *c, const Transition *x, bool *reads, bool *writes) {
    Touched t = {c->system, reads};
    expr_symbols(x->guard, touch, &t);
    for (size_t i = 0; i < vec_len(x->updates); i++) {
        unsigned v = x->updates[i].variable;
        if (!c->relevant[v]) continue;
        writes[v] = true;
        expr_symbols(x->updates[i].value, touch, &t);
    }
}

static bool same_transitions(const unsigned *a, const unsigned *b) {
    return vec_len(a) == vec_len(b) && !memcmp(a, b, vec_len(a) * sizeof *a);
}

static void add_run(Reduced *r, const Run *run, unsigned source) {
    Run copy = {.thread = run->thread, .letter = NONE, .step = run->step};
    copy.step.updates = NULL;
    copy.step.index = (unsigned)vec_len(r->runs);
    copy.step.source = source;
    for (size_t i = 0; i < vec_len(run->step.updates); i++) vec_push(copy.step.updates, run->step.updates[i]);
    for (size_t i = 0; i < vec_len(run->transitions); i++) vec_push(copy.transitions, run->transitions[i]);
    vec_resize(copy.reads, vec_len(r->system->variables));
    vec_resize(copy.writes, vec_len(r->system->variables));
    note_touched(r->checker, &copy.step, copy.reads, copy.writes);
    for (unsigned l = 0; l < vec_len(r->proof->letters); l++) {
        const ProofLetter *letter = &r->proof->letters[l];
        if (letter->thread != run->thread || !same_transitions(letter->transitions, run->transitions)) continue;
        if (copy.letter != NONE) checker_refuse(r->checker, "two names for one run");
        copy.letter = l;
        r->of_letter[l] = copy.step.index;
    }
    vec_push(r->from[run->thread][source], copy.step.index);
    vec_push(r->runs, copy);
}

static void follow(Reduced *r, const Run *run, unsigned source) {
    const SystemThread *t = &r->system->threads[run->thread];
    const SystemLocation *l = &t->locations[run->step.target];
    if (!r->checker->ok) return;
    if (vec_len(run->transitions) && (r->proof->stop[run->thread][run->step.target] || l->kind != LOCATION_PLAIN)) {
        add_run(r, run, source);
        return;
    }
    for (size_t i = 0; i < vec_len(l->out) && r->checker->ok; i++) {
        const Transition *x = &t->transitions[l->out[i]];
        for (size_t k = 0; k < vec_len(run->transitions); k++)
            if (run->transitions[k] == x->index) checker_refuse(r->checker, "a run that takes a transition twice without a stop");
        Run next = *run;
        next.step.updates = NULL;
        next.transitions = NULL;
        for (size_t k = 0; k < vec_len(run->step.updates); k++) vec_push(next.step.updates, run->step.updates[k]);
        for (size_t k = 0; k < vec_len(run->transitions); k++) vec_push(next.transitions, run->transitions[k]);
        compose(r, &next, x);
        if (!expr_is_false(next.step.guard)) follow(r, &next, source);
        vec_free(next.step.updates);
        vec_free(next.transitions);
    }
}

static const unsigned *runs_from(Reduced *r, unsigned t, unsigned location) {
    if (r->found[t][location]) return r->from[t][location];
    r->found[t][location] = true;
    Run start = {.thread = t, .step = {.target = location, .guard = expr_bool(r->exprs, true)}};
    checker_name(r->checker, "runs %s %u", r->system->threads[t].name, location);
    if (r->system->threads[t].locations[location].kind == LOCATION_PLAIN) follow(r, &start, location);
    return r->from[t][location];
}

static bool is_bad(const Reduced *r, const Run *run) {
    LocationKind kind = r->system->threads[run->thread].locations[run->step.target].kind;
    return kind == LOCATION_ERROR || kind == LOCATION_STOP;
}

/* ---- what an invariant excludes ---- */

static void flatten(const Expr *e, const Expr ***out) {
    if (e->op == OP_AND)
        for (unsigned i = 0; i < e->nargs; i++) flatten(e->args[i], out);
    else if (!expr_is_true(e)) vec_push(*out, e);
}

static void at_node(Reduced *r, unsigned node) {
    const Expr *const *list = r->conjuncts[node];
    for (size_t i = 0; i < vec_len(list); i++) {
        if (list[i]->id >= vec_len(r->stamps)) vec_resize(r->stamps, list[i]->id + 1000);
        r->stamps[list[i]->id] = node + 1;
    }
}

static bool has(const Reduced *r, unsigned node, const Expr *e) { return e->id < vec_len(r->stamps) && r->stamps[e->id] == node + 1; }

static bool is_known(const Reduced *r, unsigned node, const Core *cores) {
    for (size_t i = 0; i < vec_len(cores); i++) {
        bool all = true;
        for (size_t k = 0; k < vec_len(cores[i].conjuncts) && all; k++) all = has(r, node, cores[i].conjuncts[k]);
        if (all) return true;
    }
    return false;
}

static const Expr *proxy(Reduced *r, const Expr *e) {
    const Expr *p = map_find(r->proxies, e);
    if (p) return p;
    p = expr_symbol(r->exprs, symbol_new(r->exprs, SYM_VARIABLE, "holds", sort_bool(r->exprs)));
    solver_assert(r->solver, expr_implies(r->exprs, p, e));
    map_set(r->proxies, e, p);
    return p;
}

static void remember(Reduced *r, const Expr *excluded, Core core) {
    uint64_t n = 0;
    map_get(r->cores, map_key(excluded), &n);
    if (!n) {
        vec_push(r->core_lists, NULL);
        n = vec_len(r->core_lists);
        map_put(r->cores, map_key(excluded), n);
    }
    vec_push(r->core_lists[n - 1], core);
}

/* The node's invariant excludes this. */
static void exclude(Reduced *r, unsigned node, const Expr *what) {
    Checker *c = r->checker;
    uint64_t n = 0;
    if (!c->ok) return;
    if (expr_is_false(what) || (map_get(r->cores, map_key(what), &n) && is_known(r, node, r->core_lists[n - 1]))) {
        c->report->trivial++;
        return;
    }
    if (clock_seconds() > c->deadline) {
        checker_refuse(c, "no time left to check it");
        return;
    }
    const Expr **assumptions = NULL, *negated = what;
    bool *needed = NULL;
    size_t count = vec_len(r->conjuncts[node]);
    Core core = {NULL};
    for (size_t i = 0; i < count; i++) vec_push(assumptions, proxy(r, r->conjuncts[node][i]));
    vec_resize(needed, count);
    solver_push(r->solver);
    solver_assert(r->solver, what);
    if (solver_check_assuming(r->solver, count, assumptions) == SMT_UNSAT) {
        solver_core(r->solver, count, needed);
        for (size_t i = 0; i < count; i++) {
            if (!needed[i]) continue;
            vec_push(core.conjuncts, r->conjuncts[node][i]);
            negated = expr_and(r->exprs, negated, r->conjuncts[node][i]);
        }
        remember(r, what, core);
        c->report->obligations++;
        if (c->certificate) checker_write(c, negated);
    } else checker_refuse(c, "does not hold");
    solver_pop(r->solver);
    vec_free(needed);
    vec_free(assumptions);
}

/* ---- steps ---- */

static bool is_in(const unsigned *list, unsigned x) {
    for (size_t i = 0; i < vec_len(list); i++)
        if (list[i] == x) return true;
    return false;
}

typedef struct Written {
    const System *system;
    const Transition *step;
    bool some;
} Written;

static void note_written(void *context, const Symbol *symbol) {
    Written *w = context;
    unsigned v = system_variable(w->system, symbol);
    w->some |= v != NONE && transition_update(w->step, v);
}

/* A conjunct of the target's invariant after a run. */
static void check_conjunct(Reduced *r, unsigned node, const Run *run, const Expr *conjunct) {
    Written w = {r->system, &run->step, false};
    expr_symbols(conjunct, note_written, &w);
    if (!w.some && has(r, node, conjunct)) {
        r->checker->report->trivial++;
        return;
    }
    const Expr *after = transition_after(r->system, &run->step, conjunct);
    exclude(r, node, expr_and(r->exprs, run->step.guard, expr_not(r->exprs, after)));
}

static bool leads_to(const Reduced *r, const ProofNode *n, const Run *run, const ProofNode *target) {
    for (unsigned t = 0; t < vec_len(r->system->threads); t++)
        if (target->locations[t] != (t == run->thread ? run->step.target : n->locations[t])) return false;
    return true;
}

/* A run that is not asleep leads to where its letter's edges do. */
static void check_run(Reduced *r, unsigned node, const Run *run) {
    Checker *c = r->checker;
    const ProofNode *n = &r->proof->nodes[node];
    const SystemThread *t = &r->system->threads[run->thread];
    const Expr *otherwise = expr_bool(r->exprs, true);
    unsigned only = NONE, targets = 0;
    if (is_bad(r, run)) {
        checker_name(c, "error %s %u->%u at node %u", t->name, run->step.source, run->step.target, node);
        exclude(r, node, run->step.guard);
        return;
    }
    checker_name(c, "step %s %u->%u at node %u", t->name, run->step.source, run->step.target, node);
    for (size_t e = 0; e < vec_len(n->edges) && run->letter != NONE; e++) {
        if (n->edges[e].letter != run->letter) continue;
        const ProofNode *target = &r->proof->nodes[n->edges[e].target];
        if (!leads_to(r, n, run, target)) checker_refuse(c, "an edge to where its letter does not lead");
        targets++;
        only = n->edges[e].target;
        otherwise = expr_and(r->exprs, otherwise, expr_not(r->exprs, transition_after(r->system, &run->step, target->invariant)));
    }
    if (targets == 1)
        for (size_t i = 0; i < vec_len(r->conjuncts[only]) && c->ok; i++) check_conjunct(r, node, run, r->conjuncts[only][i]);
    else exclude(r, node, expr_and(r->exprs, run->step.guard, otherwise));
}

/* ---- sleep ---- */

static bool are_disjoint(const Run *a, const Run *b) {
    for (size_t v = 0; v < vec_len(a->reads); v++)
        if ((a->writes[v] && (b->reads[v] || b->writes[v])) || (b->writes[v] && a->reads[v])) return false;
    return true;
}

static const Expr *result_of(const Reduced *r, const Run *first, const Run *second, unsigned v) {
    const Expr *u = transition_update(&second->step, v);
    if (u) return transition_after(r->system, &first->step, u);
    u = transition_update(&first->step, v);
    return u ? u : system_expr(r->system, v);
}

/* a, then b can be done, but not b, then a, with the same result. */
static const Expr *no_exchange(Reduced *r, const Run *a, const Run *b) {
    Exprs *x = r->exprs;
    const Expr *can = expr_and(x, a->step.guard, transition_after(r->system, &a->step, b->step.guard));
    const Expr *then = expr_and(x, b->step.guard, transition_after(r->system, &b->step, a->step.guard));
    for (unsigned v = 0; v < vec_len(a->writes); v++)
        if (a->writes[v] || b->writes[v]) then = expr_and(x, then, expr_eq(x, result_of(r, a, b, v), result_of(r, b, a, v)));
    return expr_and(x, can, expr_not(x, then));
}

static size_t first_edge(const ProofNode *n, unsigned letter) {
    for (size_t e = 0; e < vec_len(n->edges); e++)
        if (n->edges[e].letter == letter) return e + 1;
    return 0; /* claimed to be impossible here: as if it came first */
}

/* b may sleep at the target of a's edge. */
static void check_asleep(Reduced *r, unsigned node, const Run *a, unsigned b_letter, bool inside) {
    Checker *c = r->checker;
    const ProofNode *n = &r->proof->nodes[node];
    const Run *b = &r->runs[r->of_letter[b_letter]];
    checker_name(c, "asleep %s %u->%u past %s %u->%u at node %u", r->system->threads[b->thread].name, b->step.source, b->step.target,
                 r->system->threads[a->thread].name, a->step.source, a->step.target, node);
    if (a->thread == b->thread || n->locations[b->thread] != b->step.source) checker_refuse(c, "it could not be done before");
    else if (inside || !r->proof->out[a->thread][a->step.target] || !r->proof->out[b->thread][b->step.target]) checker_refuse(c, "inside a block");
    else if (!is_in(n->sleep, b_letter) && first_edge(n, b_letter) >= first_edge(n, a->letter)) checker_refuse(c, "nobody else does it");
    else if (are_disjoint(a, b)) c->report->trivial++;
    else exclude(r, node, no_exchange(r, a, b));
}

/* ---- nodes ---- */

/* The thread that is in the middle of a block; NONE: nobody. */
static unsigned inside(const Reduced *r, const ProofNode *n) {
    for (unsigned t = 0; t < vec_len(n->locations); t++)
        if (!r->proof->out[t][n->locations[t]]) return t;
    return NONE;
}

static bool is_well_formed(Reduced *r, unsigned node) {
    Checker *c = r->checker;
    const ProofNode *n = &r->proof->nodes[node];
    unsigned in = 0;
    checker_name(c, "node %u", node);
    if (vec_len(n->locations) != vec_len(r->system->threads)) checker_refuse(c, "locations are missing");
    for (unsigned t = 0; t < vec_len(n->locations) && c->ok; t++) {
        const SystemThread *thread = &r->system->threads[t];
        if (n->locations[t] >= vec_len(thread->locations)) {
            checker_refuse(c, "a location that is none");
            break;
        }
        LocationKind kind = thread->locations[n->locations[t]].kind;
        if (!r->proof->stop[t][n->locations[t]]) checker_refuse(c, "a location where no run stops");
        if (kind == LOCATION_ERROR || kind == LOCATION_STOP) checker_refuse(c, "an error");
        in += !r->proof->out[t][n->locations[t]];
    }
    if (in > 1) checker_refuse(c, "two threads inside blocks");
    for (size_t e = 0; e < vec_len(n->edges); e++)
        if (n->edges[e].target >= vec_len(r->proof->nodes) || n->edges[e].letter >= vec_len(r->proof->letters)) checker_refuse(c, "an edge to nowhere");
    for (size_t i = 0; i < vec_len(n->sleep); i++)
        if (n->sleep[i] >= vec_len(r->proof->letters)) checker_refuse(c, "a letter that is none");
    if (n->dead && vec_len(n->edges)) checker_refuse(c, "dead, but with edges");
    return c->ok;
}

/* What threads that are not frozen can touch, and whether they get to an error, while the others stand still. */
typedef struct Future {
    bool *frozen;         /* vecs: by thread */
    const Expr **lasting; /* by variable: constants that stay */
    bool *reads, *writes; /* by variable */
    bool error;
} Future;

static const Expr *lasting_image(void *context, const Expr *e) {
    const Reduced *r = ((const Reduced *const *)context)[0];
    const Future *f = ((const Future *const *)context)[1];
    unsigned v = system_variable(r->system, e->symbol);
    return v == NONE ? NULL : f->lasting[v];
}

/* A thread from its location on, without runs that the lasting constants exclude. */
static void look_ahead(Reduced *r, Future *f, unsigned t, unsigned location) {
    const void *context[] = {r, f};
    bool *seen = NULL;
    unsigned *work = NULL;
    vec_resize(seen, vec_len(r->system->threads[t].locations));
    seen[location] = true;
    vec_push(work, location);
    while (vec_len(work)) {
        const unsigned *from = runs_from(r, t, vec_pop(work));
        for (size_t i = 0; i < vec_len(from); i++) {
            const Run *run = &r->runs[from[i]];
            if (expr_is_false(expr_substitute(r->exprs, run->step.guard, lasting_image, context))) continue;
            f->error |= is_bad(r, run);
            for (size_t v = 0; v < vec_len(run->reads); v++) {
                f->reads[v] |= run->reads[v];
                f->writes[v] |= run->writes[v];
            }
            if (!seen[run->step.target]) vec_push(work, run->step.target);
            seen[run->step.target] = true;
        }
    }
    vec_free(seen);
    vec_free(work);
}

/* Constants that the invariant names. */
static void name_constants(const Reduced *r, unsigned node, Future *f) {
    vec_resize(f->lasting, vec_len(r->system->variables));
    for (size_t i = 0; i < vec_len(r->conjuncts[node]); i++) {
        const Expr *e = r->conjuncts[node][i];
        for (unsigned k = 0; k < 2 && e->op == OP_EQ; k++) {
            unsigned v = e->args[k]->op == OP_SYMBOL ? system_variable(r->system, e->args[k]->symbol) : NONE;
            if (v != NONE && expr_is_const(e->args[1 - k])) f->lasting[v] = e->args[1 - k];
        }
        const Expr *atom = e->op == OP_NOT ? e->args[0] : e; /* a Boolean */
        unsigned v = atom->op == OP_SYMBOL ? system_variable(r->system, atom->symbol) : NONE;
        if (v != NONE) f->lasting[v] = expr_bool(r->exprs, atom == e);
    }
}

/* Constants stay that nobody writes who is not frozen; who is not frozen does what these constants do not exclude. */
static void find_future(Reduced *r, unsigned node, Future *f) {
    bool changed = true;
    name_constants(r, node, f);
    vec_resize(f->reads, vec_len(f->lasting));
    vec_resize(f->writes, vec_len(f->lasting));
    while (changed) {
        changed = f->error = false;
        memset(f->reads, 0, vec_len(f->reads) * sizeof *f->reads);
        memset(f->writes, 0, vec_len(f->writes) * sizeof *f->writes);
        for (unsigned u = 0; u < vec_len(f->frozen); u++)
            if (!f->frozen[u]) look_ahead(r, f, u, r->proof->nodes[node].locations[u]);
        for (unsigned v = 0; v < vec_len(f->lasting); v++) {
            if (!f->lasting[v] || (!f->writes[v] && r->checker->relevant[v])) continue;
            f->lasting[v] = NULL;
            changed = true;
        }
    }
}

/* Every run of the thread from here is asleep and ends where others may run, or the constants of the node exclude it. */
static bool is_asleep(Reduced *r, const ProofNode *n, Future *f, unsigned t) {
    const unsigned *from = runs_from(r, t, n->locations[t]);
    const void *context[] = {r, f};
    for (size_t i = 0; i < vec_len(from); i++) {
        const Run *run = &r->runs[from[i]];
        if (expr_is_false(expr_substitute(r->exprs, run->step.guard, lasting_image, context))) continue;
        if (run->letter == NONE || !is_in(n->sleep, run->letter) || !r->proof->out[t][run->step.target]) return false;
    }
    return vec_len(from) > 0;
}

static bool may_wake(Reduced *r, const ProofNode *n, const Future *f, unsigned t) {
    const unsigned *from = runs_from(r, t, n->locations[t]);
    for (size_t i = 0; i < vec_len(from); i++) {
        const Run *run = &r->runs[from[i]];
        for (size_t v = 0; v < vec_len(run->reads); v++)
            if ((run->writes[v] && (f->reads[v] || f->writes[v])) || (run->reads[v] && f->writes[v])) return true;
    }
    return false;
}

static void check_dead(Reduced *r, unsigned node) {
    Checker *c = r->checker;
    const ProofNode *n = &r->proof->nodes[node];
    Future f = {0};
    bool some = false, changed = true;
    name_constants(r, node, &f);
    for (unsigned t = 0; t < vec_len(n->locations); t++) vec_push(f.frozen, is_asleep(r, n, &f, t));
    while (changed) {
        some = changed = false;
        find_future(r, node, &f);
        for (unsigned t = 0; t < vec_len(f.frozen); t++) {
            if (!f.frozen[t]) continue;
            f.frozen[t] = !may_wake(r, n, &f, t);
            some |= f.frozen[t];
            changed |= !f.frozen[t];
        }
    }
    checker_name(c, "dead node %u", node);
    if (!some || inside(r, n) != NONE) checker_refuse(c, "no thread sleeps for good");
    if (f.error) checker_refuse(c, "an error can be reached without what sleeps");
    c->report->trivial++;
    vec_free(f.frozen);
    vec_free(f.lasting);
    vec_free(f.reads);
    vec_free(f.writes);
}

static void check_edges(Reduced *r, unsigned node, unsigned in) {
    Checker *c = r->checker;
    const ProofNode *n = &r->proof->nodes[node];
    for (size_t e = 0; e < vec_len(n->edges) && c->ok; e++) {
        unsigned run = r->of_letter[n->edges[e].letter];
        const ProofNode *target = &r->proof->nodes[n->edges[e].target];
        checker_name(c, "edge %zu of node %u", e, node);
        if (run == NONE || n->locations[r->runs[run].thread] != r->runs[run].step.source || (in != NONE && r->runs[run].thread != in))
            checker_refuse(c, "a letter that cannot be done here");
        for (size_t i = 0; i < vec_len(target->sleep) && c->ok; i++) {
            unsigned b = target->sleep[i];
            /* b is at the source's locations too, or it is refused: so its run is known by now */
            if (r->of_letter[b] == NONE) checker_refuse(c, "a letter asleep that is no run from here");
            else check_asleep(r, node, &r->runs[run], b, in != NONE);
        }
    }
}

static void check_node(Reduced *r, unsigned node) {
    Checker *c = r->checker;
    const ProofNode *n = &r->proof->nodes[node];
    unsigned in = inside(r, n);
    at_node(r, node);
    for (unsigned t = 0; t < vec_len(n->locations) && c->ok; t++) {
        const unsigned *from = runs_from(r, t, n->locations[t]);
        if (in != NONE && t != in) continue;
        for (size_t i = 0; i < vec_len(from) && c->ok && !n->dead; i++) {
            Run run = r->runs[from[i]];
            if (run.letter == NONE || !is_in(n->sleep, run.letter)) check_run(r, node, &run);
        }
    }
    if (!c->ok) return;
    if (n->dead) check_dead(r, node);
    else check_edges(r, node, in);
}

static void check_first(Reduced *r) {
    Checker *c = r->checker;
    const ProofNode *first = r->proof->nodes;
    checker_name(c, "init");
    if (!vec_len(first)) {
        checker_refuse(c, "there is no node");
        return;
    }
    for (unsigned t = 0; t < vec_len(r->system->threads); t++)
        if (first->locations[t] != r->system->threads[t].entry) checker_refuse(c, "the first node is not at the entries");
    if (vec_len(first->sleep)) checker_refuse(c, "something sleeps from the start");
    checker_obligation(c, checker_initially(c), first->invariant);
}

static void begin(Reduced *r) {
    const System *s = r->system;
    r->cores = map_new();
    r->proxies = map_new();
    r->solver = solver_small(r->checker->smt, SMT_OBLIGATION, OBLIGATION_MS);
    for (size_t t = 0; t < vec_len(s->threads); t++) {
        unsigned **from = NULL;
        bool *found = NULL;
        vec_resize(from, vec_len(s->threads[t].locations));
        vec_resize(found, vec_len(s->threads[t].locations));
        vec_push(r->from, from);
        vec_push(r->found, found);
        checker_name(r->checker, "reduced %s", s->threads[t].name);
        if (s->threads[t].many) checker_refuse(r->checker, "a number of threads that is not known");
    }
    for (size_t l = 0; l < vec_len(r->proof->letters); l++) vec_push(r->of_letter, NONE);
    for (size_t i = 0; i < vec_len(r->proof->nodes); i++) {
        const Expr **list = NULL;
        flatten(r->proof->nodes[i].invariant, &list);
        vec_push(r->conjuncts, list);
    }
}

static void end(Reduced *r) {
    for (size_t i = 0; i < vec_len(r->runs); i++) {
        vec_free(r->runs[i].step.updates);
        vec_free(r->runs[i].transitions);
        vec_free(r->runs[i].reads);
        vec_free(r->runs[i].writes);
    }
    for (size_t t = 0; t < vec_len(r->from); t++) {
        for (size_t l = 0; l < vec_len(r->from[t]); l++) vec_free(r->from[t][l]);
        vec_free(r->from[t]);
        vec_free(r->found[t]);
    }
    for (size_t i = 0; i < vec_len(r->core_lists); i++) {
        for (size_t k = 0; k < vec_len(r->core_lists[i]); k++) vec_free(r->core_lists[i][k].conjuncts);
        vec_free(r->core_lists[i]);
    }
    for (size_t i = 0; i < vec_len(r->conjuncts); i++) vec_free(r->conjuncts[i]);
    vec_free(r->runs);
    vec_free(r->from);
    vec_free(r->found);
    vec_free(r->core_lists);
    vec_free(r->conjuncts);
    vec_free(r->of_letter);
    vec_free(r->stamps);
    solver_free(r->solver);
    map_free(r->cores);
    map_free(r->proxies);
}

void check_reduced(Checker *c) {
    Reduced r = {.checker = c, .proof = c->proof, .system = c->system, .exprs = c->exprs};
    begin(&r);
    for (unsigned i = 0; i < vec_len(c->proof->nodes) && c->ok; i++) is_well_formed(&r, i);
    if (c->ok) check_first(&r);
    for (unsigned i = 0; i < vec_len(c->proof->nodes) && c->ok; i++) check_node(&r, i);
    end(&r);
}
