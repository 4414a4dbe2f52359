/* SPDX-License-Identifier: Apache-2.0 */
/* Implements the rule `each` (doc/rules.md): every thread by itself takes finitely many steps.

   A proof has modular invariants, and a ranking of the locations of each thread, over the globals and its own locals. Block steps of the
   thread make its tuple smaller, and block steps of other threads let no component grow. If only main creates threads, their number need not
   be known: main takes finitely many steps, so it creates finitely many threads. */
#include "engine/horn/modular.h"
#include "engine/horn/rank.h"
#include "engine/messages.h"
#include "ir/asserts.h"
#include "interpolation/block_steps.h"

typedef struct Each {
    const RuleTask *task;
    const System *system;
    Modular modular;
    BlockSteps *block_steps;
    const Expr ***invariants; /* vecs: by thread, by location */
    const Expr ****ranks;     /* vecs: by thread, by location: a tuple */
    Position stuck;           /* a place on a loop without a ranking */
} Each;

/* ---- one thread's locations as the nodes of a product ---- */

static void nodes_start(Product *p, const Each *e, unsigned t) {
    const System *s = e->system;
    *p = (Product){.system = s, .blocks = e->modular.blocks};
    for (unsigned v = 0; v < vec_len(s->variables); v++) {
        bool mine = s->variables[v].thread == NONE || s->variables[v].thread == t;
        vec_push(p->relevant, e->modular.relevant[v] && mine);
    }
    for (unsigned l = 0; l < vec_len(s->threads[t].locations); l++) {
        ProductNode n = {.args = e->modular.arguments[t][l], .nargs = (unsigned)vec_len(e->modular.arguments[t][l])};
        unsigned *locations = NULL;
        for (unsigned u = 0; u < vec_len(s->threads); u++) vec_push(locations, u == t ? l : s->threads[u].entry);
        n.locations = locations;
        vec_resize(n.values, vec_len(s->variables));
        vec_push(p->nodes, n);
    }
}

static void nodes_end(Product *p) {
    for (size_t n = 0; n < vec_len(p->nodes); n++) {
        unsigned *locations = (unsigned *)p->nodes[n].locations;
        vec_free(locations);
        vec_free(p->nodes[n].values);
    }
    vec_free(p->nodes);
    vec_free(p->relevant);
}

static const Expr **values_after(const Each *e, const BlockStep *p, unsigned t, unsigned l) {
    const unsigned *args = e->modular.arguments[t][l];
    const Expr **after = NULL;
    vec_resize(after, vec_len(e->system->variables));
    for (size_t i = 0; i < vec_len(args); i++) after[args[i]] = transition_value(e->system, &p->step, args[i]);
    return after;
}

static void add_own(const Each *e, Ranker *r, unsigned t, unsigned l) {
    const unsigned *from = e->block_steps->starting_at[t][l];
    for (size_t i = 0; i < vec_len(from); i++) {
        const BlockStep *p = &e->block_steps->list[from[i]];
        if (block_step_is_bad(e->block_steps, p)) continue; /* the invariants exclude it */
        rank_add(r, (RankEdge){.source = l,
                               .target = p->step.target,
                               .thread = t,
                               .guard = expr_and(r->exprs, e->invariants[t][l], p->step.guard),
                               .after = values_after(e, p, t, p->step.target)});
    }
}

static bool changes_globals(const Each *e, const BlockStep *p) {
    for (size_t i = 0; i < vec_len(p->writes); i++)
        if (e->system->variables[p->writes[i]].thread == NONE) return true;
    return false;
}

/* Adds the block steps of threads other than t as foreign edges at l. A second instance is left out unless it is that of t, since its thread has the
   same block steps. */
static void add_foreign(const Each *e, Ranker *r, unsigned t, unsigned l) {
    const System *s = e->system;
    for (size_t i = 0; i < vec_len(e->block_steps->list) && e->modular.blocks->out[t][l]; i++) {
        const BlockStep *p = &e->block_steps->list[i];
        unsigned u = p->thread;
        if (u == t || (system_first_instance(s, u) != u && s->threads[u].other_instance != t)) continue;
        if (block_step_is_bad(e->block_steps, p) || !changes_globals(e, p)) continue;
        const Expr *both[] = {system_self(s, t), system_self(s, u)};
        const Expr *known = expr_and(r->exprs, system_numbers(s, 2, both), e->invariants[t][l]);
        const Expr *can = expr_and(r->exprs, e->invariants[u][p->step.source], p->step.guard);
        rank_add(r, (RankEdge){.source = l,
                               .target = l,
                               .thread = u,
                               .foreign = true,
                               .guard = expr_and(r->exprs, known, can),
                               .after = values_after(e, p, t, l)});
    }
}

/* ---- tuples ---- */

static const Expr ***take_tuples(Ranker *r) {
    const Expr ***list = NULL;
    for (size_t l = 0; l < vec_len(r->tuples); l++) {
        vec_push(list, r->tuples[l]);
        r->tuples[l] = NULL;
    }
    return list;
}

static bool rank_thread(Each *e, unsigned t) {
    const SystemThread *thread = &e->system->threads[t];
    Product p;
    unsigned stuck = 0;
    nodes_start(&p, e, t);
    Ranker r = {.product = &p,
                .system = e->system,
                .exprs = e->system->exprs,
                .smt = e->task->prepared->smt,
                .deadline = e->task->deadline,
                .each = true};
    for (unsigned l = 0; l < vec_len(thread->locations); l++) {
        if (!e->modular.predicates[t][l]) continue;
        add_own(e, &r, t, l);
        add_foreign(e, &r, t, l);
    }
    bool good = rank_nodes(&r, &stuck);
    if (good) e->ranks[t] = take_tuples(&r);
    else e->stuck = chain_position(e->task->engine->program, thread->locations[stuck].position);
    rank_free(&r);
    nodes_end(&p);
    return good;
}

typedef struct Image {
    const System *system;
    unsigned from, to;
} Image;

/* Returns the corresponding local of the other instance: the locals of both are in the same order. */
static const Expr *corresponding_local(void *context, const Expr *e) {
    const Image *i = context;
    const System *s = i->system;
    unsigned v = system_variable(s, e->symbol), place = 0;
    if (v == NONE || s->variables[v].thread != i->from) return NULL;
    for (unsigned k = 0; k < v; k++) place += s->variables[k].thread == i->from;
    for (unsigned k = 0; k < vec_len(s->variables); k++)
        if (s->variables[k].thread == i->to && !place--) return system_expr(s, k);
    return NULL;
}

static void rank_second_instance(Each *e, unsigned t, unsigned first) {
    Image i = {e->system, first, t};
    for (size_t l = 0; l < vec_len(e->ranks[first]); l++) {
        const Expr **tuple = NULL;
        for (size_t k = 0; k < vec_len(e->ranks[first][l]); k++)
            vec_push(tuple, expr_substitute(e->system->exprs, e->ranks[first][l][k], corresponding_local, &i));
        vec_push(e->ranks[t], tuple);
    }
}

/* ---- the rule ---- */

static Verdict *proved(Each *e) {
    Proof *proof = chain_proof(e->task->prepared, RULE_EACH);
    proof->invariants = e->invariants;
    proof->ranks = e->ranks;
    e->invariants = NULL;
    e->ranks = NULL;
    return symbolic_safe(proof);
}

static Verdict *rank_all(Each *e) {
    const System *s = e->system;
    rule_progress(e->task, "redcomp: rankings of each thread's loops");
    e->invariants = modular_invariants(&e->modular);
    if (!e->invariants) return rule_undecodable();
    e->block_steps = block_steps_new(s, e->modular.blocks);
    vec_resize(e->ranks, vec_len(s->threads));
    bool good = true;
    for (unsigned t = 0; t < vec_len(s->threads) && good; t++) {
        unsigned first = system_first_instance(s, t);
        if (first == t) good = rank_thread(e, t);
        else rank_second_instance(e, t, first);
    }
    block_steps_free(e->block_steps);
    if (good) return proved(e);
    Verdict *v = verdict_unknown(e->stuck, MSG_ENGINE_RANK_EACH_NONE);
    v->cause = REASON_REFUSED;
    return v;
}

static void forget(Each *e) {
    for (size_t t = 0; t < vec_len(e->ranks); t++) {
        vec_free_rows(e->ranks[t]);
    }
    vec_free_rows(e->invariants);
    vec_free(e->ranks);
    modular_end(&e->modular);
}

static Verdict *run(const RuleTask *task) {
    Each e = {.task = task, .system = task->prepared->system};
    if (!rule_fixed_number(e.system) && !program_main_creates(task->engine->program))
        return verdict_unknown((Position){0}, MSG_ENGINE_RANK_EACH_THREADS);
    modular_start(&e.modular, task->prepared);
    Verdict *v = modular_solve(task, &e.modular);
    if (!v) v = rank_all(&e);
    forget(&e);
    return v;
}

static void dump(const RuleTask *task, Buf *out) {
    Modular m;
    modular_start(&m, task->prepared);
    horn_print(out, m.clauses.horn);
    modular_end(&m);
}

const Rule rule_each = {"each", rule_applies_always, BLOCKS_ANY, run, dump};
