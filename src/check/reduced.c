/* SPDX-License-Identifier: Apache-2.0 */
/* Checks the obligations of the rule reduced; see doc/rules.md, "The rule reduced". The check enumerates the runs of threads anew. A
   block step of the proof is only a name for such a run. */
#include "check/reduced.h"
#include "check/messages.h"
#include <string.h>

/* ---- runs ---- */

typedef struct Touched {
    const System *system;
    bool *variables;
} Touched;

static void touch(void *context, const Symbol *symbol) {
    Touched *t = context;
    unsigned v = system_variable(t->system, symbol);
    if (v != NONE) t->variables[v] = true;
}

/* Marks the relevant variables that a transition reads and writes. */
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

/* Returns whether these are the transitions of the run, in their order. */
static bool is_named(const BlockPath *run, const unsigned *transitions) {
    size_t n = vec_len(transitions);
    for (; run->last && n; run = run->before)
        if (transitions[--n] != run->last->index) return false;
    return !run->last && !n;
}

static void add_run(void *context, const BlockPath *run) {
    Reduced *r = context;
    KnownRun new = {.thread = run->thread, .block_step = NONE, .step = block_path_step(run)};
    new.step.index = (unsigned)vec_len(r->runs);
    vec_resize(new.reads, vec_len(r->system->variables));
    vec_resize(new.writes, vec_len(r->system->variables));
    note_touched(r->checker, &new.step, new.reads, new.writes);
    for (unsigned l = 0; l < vec_len(r->proof->block_steps); l++) {
        const ProofStep *block_step = &r->proof->block_steps[l];
        if (block_step->thread != run->thread || !is_named(run, block_step->transitions)) continue;
        if (new.block_step != NONE) checker_refuse(r->checker, MSG_CHECK_RUN_LETTERS);
        new.block_step = l;
        r->of_block_step[l] = new.step.index;
    }
    vec_push(r->from[run->thread][new.step.source], new.step.index);
    vec_push(r->runs, new);
}

const unsigned *reduced_runs(Reduced *r, unsigned t, unsigned location) {
    ensure(t < vec_len(r->system->threads) && location < vec_len(r->system->threads[t].locations));
    if (r->found[t][location]) return r->from[t][location];
    r->found[t][location] = true;
    checker_name(r->checker, "runs %s %u", r->system->threads[t].name, location);
    if (r->system->threads[t].locations[location].kind == LOCATION_PLAIN) block_paths_from(r->checker, t, location, add_run, r);
    return r->from[t][location];
}

bool reduced_is_bad(const Reduced *r, const KnownRun *run) { return checker_is_bad(r->checker, run->thread, run->step.target); }

/* ---- steps ---- */

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

/* Checks that a conjunct of the target's invariant holds after the run. */
static void check_conjunct(Reduced *r, unsigned node, const KnownRun *run, const Expr *conjunct) {
    Written w = {r->system, &run->step, false};
    expr_symbols(conjunct, note_written, &w);
    if (!w.some && cores_has(r, node, conjunct)) {
        r->checker->report->trivial++;
        return;
    }
    const Expr *after = transition_after(r->system, &run->step, conjunct);
    cores_exclude(r, node, expr_and(r->exprs, run->step.guard, expr_not(r->exprs, after)));
}

static bool leads_to(const Reduced *r, const ProofNode *n, const KnownRun *run, const ProofNode *target) {
    for (unsigned t = 0; t < vec_len(r->system->threads); t++)
        if (target->locations[t] != (t == run->thread ? run->step.target : n->locations[t])) return false;
    return true;
}

/* Checks that a run that does not sleep leads to the targets of its block step's edges. */
static void check_run(Reduced *r, unsigned node, const KnownRun *run) {
    Checker *c = r->checker;
    const ProofNode *n = &r->proof->nodes[node];
    const SystemThread *t = &r->system->threads[run->thread];
    const Expr *otherwise = expr_bool(r->exprs, true);
    unsigned only = NONE, targets = 0;
    ensure(n->locations[run->thread] == run->step.source);
    if (reduced_is_bad(r, run)) {
        checker_name(c, "error %s %u->%u at node %u", t->name, run->step.source, run->step.target, node);
        cores_exclude(r, node, run->step.guard);
        return;
    }
    checker_name(c, "step %s %u->%u at node %u", t->name, run->step.source, run->step.target, node);
    for (size_t e = 0; e < vec_len(n->edges) && run->block_step != NONE; e++) {
        if (n->edges[e].block_step != run->block_step) continue;
        const ProofNode *target = &r->proof->nodes[n->edges[e].target];
        if (!leads_to(r, n, run, target)) checker_refuse(c, MSG_CHECK_EDGE_TARGET);
        targets++;
        only = n->edges[e].target;
        otherwise = expr_and(r->exprs, otherwise, expr_not(r->exprs, transition_after(r->system, &run->step, target->invariant)));
    }
    if (targets == 1)
        for (size_t i = 0; i < vec_len(r->conjuncts[only]) && c->ok; i++) check_conjunct(r, node, run, r->conjuncts[only][i]);
    else cores_exclude(r, node, expr_and(r->exprs, run->step.guard, otherwise));
}

/* ---- sleep ---- */

static bool are_disjoint(const KnownRun *a, const KnownRun *b) {
    for (size_t v = 0; v < vec_len(a->reads); v++)
        if ((a->writes[v] && (b->reads[v] || b->writes[v])) || (b->writes[v] && a->reads[v])) return false;
    return true;
}

static size_t first_edge(const ProofNode *n, unsigned block_step) {
    for (size_t e = 0; e < vec_len(n->edges); e++)
        if (n->edges[e].block_step == block_step) return e + 1;
    return 0; /* the proof claims that the block step is impossible here, and so it counts as the first */
}

/* Checks that b may sleep at the target of a's edge. */
static void check_asleep(Reduced *r, unsigned node, const KnownRun *a, unsigned b_block_step, bool inside) {
    Checker *c = r->checker;
    const ProofNode *n = &r->proof->nodes[node];
    const KnownRun *b = &r->runs[r->of_block_step[b_block_step]];
    checker_name(c, "asleep %s %u->%u past %s %u->%u at node %u", r->system->threads[b->thread].name, b->step.source, b->step.target,
                 r->system->threads[a->thread].name, a->step.source, a->step.target, node);
    if (a->thread == b->thread || n->locations[b->thread] != b->step.source) checker_refuse(c, MSG_CHECK_SLEEP_SOURCE);
    else if (inside || !r->proof->out[a->thread][a->step.target] || !r->proof->out[b->thread][b->step.target])
        checker_refuse(c, MSG_CHECK_SLEEP_INSIDE);
    else if (!vec_has(n->sleep, b_block_step) && first_edge(n, b_block_step) >= first_edge(n, a->block_step))
        checker_refuse(c, MSG_CHECK_SLEEP_UNCOVERED);
    else if (are_disjoint(a, b)) c->report->trivial++;
    else {
        Swap swap = checker_swap(c, &a->step, &b->step);
        cores_exclude(r, node, expr_and(r->exprs, swap.can, expr_not(r->exprs, swap.same)));
    }
}

/* ---- nodes ---- */

unsigned reduced_inside(const Reduced *r, const ProofNode *n) {
    ensure(vec_len(n->locations) == vec_len(r->system->threads));
    for (unsigned t = 0; t < vec_len(n->locations); t++)
        if (!r->proof->out[t][n->locations[t]]) return t;
    return NONE;
}

static bool is_well_formed(Reduced *r, unsigned node) {
    Checker *c = r->checker;
    const ProofNode *n = &r->proof->nodes[node];
    unsigned in = 0;
    checker_name(c, "node %u", node);
    if (vec_len(n->locations) != vec_len(r->system->threads)) checker_refuse(c, MSG_CHECK_NODE_LOCATIONS);
    for (unsigned t = 0; t < vec_len(n->locations) && c->ok; t++) {
        const SystemThread *thread = &r->system->threads[t];
        if (n->locations[t] >= vec_len(thread->locations)) {
            checker_refuse(c, MSG_CHECK_NODE_LOCATIONS);
            break;
        }
        LocationKind kind = thread->locations[n->locations[t]].kind;
        if (!r->proof->stop[t][n->locations[t]]) checker_refuse(c, MSG_CHECK_NODE_STOPS);
        if (kind == LOCATION_ERROR || kind == LOCATION_STOP) checker_refuse(c, MSG_CHECK_NODE_STOPS);
        in += !r->proof->out[t][n->locations[t]];
    }
    if (in > 1) checker_refuse(c, MSG_CHECK_NODE_INSIDE);
    for (size_t e = 0; e < vec_len(n->edges); e++)
        if (n->edges[e].target >= vec_len(r->proof->nodes) || n->edges[e].block_step >= vec_len(r->proof->block_steps))
            checker_refuse(c, MSG_CHECK_NODE_NAMES);
    for (size_t i = 0; i < vec_len(n->sleep); i++)
        if (n->sleep[i] >= vec_len(r->proof->block_steps)) checker_refuse(c, MSG_CHECK_NODE_NAMES);
    if (n->dead && vec_len(n->edges)) checker_refuse(c, MSG_CHECK_DEAD_EDGES);
    return c->ok;
}

static void check_edges(Reduced *r, unsigned node, unsigned in) {
    Checker *c = r->checker;
    const ProofNode *n = &r->proof->nodes[node];
    for (size_t e = 0; e < vec_len(n->edges) && c->ok; e++) {
        unsigned run = r->of_block_step[n->edges[e].block_step];
        const ProofNode *target = &r->proof->nodes[n->edges[e].target];
        checker_name(c, "edge %zu of node %u", e, node);
        if (run == NONE || n->locations[r->runs[run].thread] != r->runs[run].step.source || (in != NONE && r->runs[run].thread != in))
            checker_refuse(c, MSG_CHECK_EDGE_IMPOSSIBLE);
        for (size_t i = 0; i < vec_len(target->sleep) && c->ok; i++) {
            unsigned b = target->sleep[i];
            /* b starts at the source's locations, or it is refused. So its run was enumerated already. */
            if (r->of_block_step[b] == NONE) checker_refuse(c, MSG_CHECK_SLEEP_UNKNOWN);
            else check_asleep(r, node, &r->runs[run], b, in != NONE);
        }
    }
}

static void check_node(Reduced *r, unsigned node) {
    Checker *c = r->checker;
    const ProofNode *n = &r->proof->nodes[node];
    unsigned in = reduced_inside(r, n);
    cores_at(r, node);
    for (unsigned t = 0; t < vec_len(n->locations) && c->ok; t++) {
        const unsigned *from = reduced_runs(r, t, n->locations[t]);
        if (in != NONE && t != in) continue;
        for (size_t i = 0; i < vec_len(from) && c->ok && !n->dead; i++) {
            KnownRun run = r->runs[from[i]];
            if (run.block_step == NONE || !vec_has(n->sleep, run.block_step)) check_run(r, node, &run);
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
        checker_refuse(c, MSG_CHECK_NO_NODE);
        return;
    }
    for (unsigned t = 0; t < vec_len(r->system->threads); t++)
        if (first->locations[t] != r->system->threads[t].entry) checker_refuse(c, MSG_CHECK_FIRST_LOCATIONS);
    if (vec_len(first->sleep)) checker_refuse(c, MSG_CHECK_FIRST_SLEEPS);
    checker_obligation(c, checker_initially(c), first->invariant);
}

static void begin(Reduced *r) {
    const System *s = r->system;
    cores_begin(r);
    for (size_t t = 0; t < vec_len(s->threads); t++) {
        unsigned **from = NULL;
        bool *found = NULL;
        vec_resize(from, vec_len(s->threads[t].locations));
        vec_resize(found, vec_len(s->threads[t].locations));
        vec_push(r->from, from);
        vec_push(r->found, found);
        checker_name(r->checker, "reduced %s", s->threads[t].name);
        if (s->threads[t].many) checker_refuse(r->checker, MSG_CHECK_MANY);
    }
    for (size_t l = 0; l < vec_len(r->proof->block_steps); l++) vec_push(r->of_block_step, NONE);
}

static void end(Reduced *r) {
    for (size_t i = 0; i < vec_len(r->runs); i++) {
        vec_free(r->runs[i].step.updates);
        vec_free(r->runs[i].reads);
        vec_free(r->runs[i].writes);
    }
    for (size_t t = 0; t < vec_len(r->from); t++) {
        vec_free_rows(r->from[t]);
        vec_free(r->found[t]);
    }
    vec_free(r->runs);
    vec_free(r->from);
    vec_free(r->found);
    vec_free(r->of_block_step);
    cores_end(r);
}

void check_reduced(Checker *c) {
    ensure(c->proof->rule == RULE_REDUCED);
    Reduced r = {.checker = c, .proof = c->proof, .system = c->system, .exprs = c->exprs};
    begin(&r);
    for (unsigned i = 0; i < vec_len(c->proof->nodes) && c->ok; i++) is_well_formed(&r, i);
    if (c->ok) check_first(&r);
    for (unsigned i = 0; i < vec_len(c->proof->nodes) && c->ok; i++) check_node(&r, i);
    end(&r);
}
