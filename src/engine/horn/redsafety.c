/* SPDX-License-Identifier: Apache-2.0 */
/* Implements the rule `redsafety`: RULESAFETY, S1 to S7 (Popeea, Rybalchenko and Wilhelm, Section IV-A, Figure 2). Each thread i has three
   kinds of predicates:
   - IR_i(V): the invariant at Out locations, over all variables and the locations of all threads;
   - LStep_i(V_G, V_i, V_G', V_i'): the relation between the start of a block and a location inside it;
   - IStep_i(V, V'): the effect on other threads, which is that of a whole block, or of a step between Out locations.

   The paper has program counters. Here the locations of thread i index its predicates, and the locations of the other threads are integer
   arguments. Transitions are composed up to the next stop, so LStep is needed at In stops alone, such as a loop inside a block. LStep
   has one argument for a variable that the block does not change. IStep is unfolded: S6 has the body of S4 or S5 in its place. ALL_i(V) is IR_i at any location of i, so that S7 need not name every combination of locations.

   IR_i is searched over two scopes in turn: first over the globals and the locals of thread i, then over everything. In the first
   scope, S7 names the thread at the error alone.

   The proof consists of the IR_i and the LStep_i of a solution (RULE_REDSAFETY). */
#include "base/clock.h"
#include "base/map.h"
#include "engine/horn/rule.h"
#include "engine/messages.h"
#include "interpolation/block_steps.h"
#include <stdio.h>

typedef enum Scope { SCOPE_OWN, SCOPE_ALL } Scope;

typedef struct Safety {
    const System *system;
    const Blocks *blocks;
    const Movers *movers;
    BlockSteps *block_steps;
    Scope scope;
    Clauses clauses;
    bool *relevant;
    const Symbol **places; /* by thread: its location */
    const Symbol **after;  /* by variable: its value inside a block */
    const Symbol ***reach; /* IR: by thread, by location; NULL: the location has none */
    unsigned ***arguments; /* by thread, by location: the variables that are arguments of IR */
    const Symbol **all;    /* ALL: by thread; only for SCOPE_ALL */
    Map *insides;          /* LStep: thread, start, location -> predicate */
    ProofInside *list;     /* a vec: what LStep was made for; the relations are still open */
} Safety;

/* A step that other threads may observe, or its part up to a location inside the block. */
typedef struct Step {
    unsigned thread, start; /* start: an Out location */
    const Expr *inside;     /* LStep of the part before, or NULL */
    const BlockStep *last;
    const Expr *guard;
    const Expr **values; /* a vec, by variable: its value behind the step */
} Step;

/* ---- predicates ---- */

static bool is_bad(const Safety *r, unsigned t, unsigned l) {
    LocationKind kind = r->system->threads[t].locations[l].kind;
    return kind == LOCATION_ERROR || kind == LOCATION_STOP;
}

/* True if the variable is a global or a local of t. */
static bool is_own(const Safety *r, unsigned v, unsigned t) {
    unsigned owner = r->system->variables[v].thread;
    return owner == NONE || owner == t;
}

static bool is_argument(const Safety *r, unsigned v, unsigned t, unsigned l) {
    const unsigned *live = r->system->threads[t].locations[l].live;
    if (!r->relevant[v]) return false;
    if (r->system->variables[v].thread == t) return vec_has(live, v);
    return r->system->variables[v].thread == NONE || r->scope == SCOPE_ALL;
}

static const Symbol *predicate_for(Safety *r, const char *name, const Expr *const *args) {
    const Sort **sorts = NULL;
    for (size_t i = 0; i < vec_len(args); i++) vec_push(sorts, args[i]->sort);
    const Symbol *p = horn_predicate(r->clauses.horn, name, (unsigned)vec_len(args), sorts);
    vec_free(sorts);
    return p;
}

static const Expr *applied(const Safety *r, const Symbol *p, const Expr **args) {
    const Expr *e = expr_apply(r->system->exprs, p, (unsigned)vec_len(args), args);
    vec_free(args);
    return e;
}

static const Expr *value_of(const Safety *r, unsigned v, const Expr *const *values) {
    return values && values[v] ? values[v] : system_expr(r->system, v);
}

/* Appends the locations of all threads except t (NONE: of all). The location of u is k. */
static void push_places(const Safety *r, const Expr ***args, unsigned t, unsigned u, unsigned k) {
    Exprs *x = r->system->exprs;
    for (unsigned i = 0; i < vec_len(r->system->threads) && r->scope == SCOPE_ALL; i++)
        if (i != t) vec_push(*args, i == u ? expr_int(x, k) : expr_symbol(x, r->places[i]));
}

static const Expr **reach_arguments(const Safety *r, unsigned t, unsigned l, const Expr *const *values, unsigned u, unsigned k) {
    const Expr **args = NULL;
    vec_each(unsigned, v, r->arguments[t][l]) vec_push(args, value_of(r, v, values));
    push_places(r, &args, t, u, k);
    return args;
}

/* Returns IR_t at l with these values (NULL: the variables). The location of u is k; if u is NONE, all locations are variables. */
static const Expr *reach(const Safety *r, unsigned t, unsigned l, const Expr *const *values, unsigned u, unsigned k) {
    return applied(r, r->reach[t][l], reach_arguments(r, t, l, values, u, k));
}

/* Returns ALL_t, or its arguments with t at l. */
static const Expr *everywhere(const Safety *r, unsigned t, unsigned u, unsigned k) {
    const Expr **args = NULL;
    for (unsigned v = 0; v < vec_len(r->system->variables); v++)
        if (r->relevant[v]) vec_push(args, system_expr(r->system, v));
    push_places(r, &args, NONE, u, k);
    return applied(r, r->all[t], args);
}

/* ---- the inside of blocks ---- */

/* Marks the In stops that block steps reach from an Out location without another Out location between, and the variables that these block
   steps and those behind them write. */
static void find_inside(const Safety *r, unsigned t, unsigned start, bool *seen, bool *written) {
    unsigned *work = NULL;
    vec_push(work, start);
    while (vec_len(work)) {
        unsigned l = vec_pop(work);
        vec_each(unsigned, i, r->block_steps->starting_at[t][l]) {
            const Transition *x = &r->block_steps->list[i].step;
            for (size_t u = 0; u < vec_len(x->updates); u++) written[x->updates[u].variable] = true;
            if (r->blocks->out[t][x->target] || seen[x->target]) continue;
            seen[x->target] = true;
            vec_push(work, x->target);
        }
    }
    vec_free(work);
}

/* Returns the values inside a block: the symbols `after` of the variables that it writes. By variable, as a vec. */
static const Expr **values_inside(const Safety *r, const bool *written) {
    const Expr **values = NULL;
    for (unsigned v = 0; v < vec_len(r->system->variables); v++)
        vec_push(values, written[v] ? expr_symbol(r->system->exprs, r->after[v]) : system_expr(r->system, v));
    return values;
}

static const void *inside_key(unsigned t, unsigned start, unsigned l) {
    return (const void *)(uintptr_t)(((uint64_t)t << 26 | start) << 26 | l);
}

/* Returns LStep_t from the start to l, with these values at l. written: by variable. */
static const Expr *inside(Safety *r, unsigned t, unsigned start, unsigned l, const bool *written, const Expr *const *values) {
    const Expr **args = NULL;
    for (unsigned v = 0; v < vec_len(r->system->variables); v++) {
        if (!r->relevant[v] || !is_own(r, v, t)) continue;
        if (is_argument(r, v, t, start)) vec_push(args, system_expr(r->system, v));
        if (written[v] && is_argument(r, v, t, l)) vec_push(args, value_of(r, v, values));
    }
    const void *key = inside_key(t, start, l);
    const Symbol *p = map_find(r->insides, key);
    if (!p) {
        char name[64];
        snprintf(name, sizeof name, "LStep%u.%u.%u", t, start, l);
        p = predicate_for(r, name, args);
        map_set(r->insides, key, p);
        vec_push(r->list, ((ProofInside){.thread = t, .start = start, .location = l}));
    }
    return applied(r, p, args);
}

/* ---- clauses ---- */

/* Adds a clause that stands for a block step, or for no step if x is NULL. */
static void clause(Safety *r, const char *name, unsigned t, const BlockStep *x, const Expr *constraint, unsigned n, const Expr *const *body,
                   const Expr *head) {
    char full[80];
    snprintf(full, sizeof full, "%s.%u.%zu", name, t, horn_clauses(r->clauses.horn));
    HornClause k = {.name = full, .constraint = constraint, .head = head};
    for (unsigned i = 0; i < n; i++)
        if (body[i]) vec_push(k.body, body[i]);
    clauses_add_step(&r->clauses, k, t, x ? vec_len(x->transitions) : 0, x ? x->transitions : NULL);
}

/* Adds S1: init(V) → IR_t(V). */
static void initial(Safety *r, unsigned t) {
    const System *s = r->system;
    Exprs *x = s->exprs;
    const Expr *init = expr_bool(x, true);
    for (unsigned v = 0; v < vec_len(s->variables); v++)
        if (r->relevant[v] && s->variables[v].init && (is_own(r, v, t) || r->scope == SCOPE_ALL))
            init = expr_and(x, init, expr_eq(x, system_expr(s, v), s->variables[v].init));
    for (unsigned u = 0; u < vec_len(s->threads) && r->scope == SCOPE_ALL; u++)
        if (u != t) init = expr_and(x, init, expr_eq(x, expr_symbol(x, r->places[u]), expr_int(x, s->threads[u].entry)));
    clause(r, "S1", t, NULL, init, 0, NULL, reach(r, t, s->threads[t].entry, NULL, NONE, 0));
}

static const Expr *fact(const Safety *r, unsigned t, unsigned l) { return r->movers->facts[t][l]; }

/* True if the step changes an argument of IR_u at m. */
static bool affects(const Safety *r, const Step *p, unsigned u, unsigned m) {
    if (r->scope == SCOPE_ALL) return true; /* at least the location of its thread */
    vec_each(unsigned, v, r->arguments[u][m])
        if (p->values[v] != system_expr(r->system, v)) return true;
    return false;
}

/* Adds S6: IR_u(V) ∧ IStep_t(V, V') → IR_u(V'), where IStep_t is this step. */
static void interference(Safety *r, const Step *p) {
    const System *s = r->system;
    unsigned t = p->thread, target = p->last->step.target;
    for (unsigned u = 0; u < vec_len(s->threads); u++)
        for (unsigned m = 0; m < vec_len(s->threads[u].locations) && u != t; m++) {
            if (!r->reach[u][m] || is_bad(r, u, m) || !affects(r, p, u, m)) continue;
            const Expr *body[] = {reach(r, u, m, NULL, t, p->start), reach(r, t, p->start, NULL, u, m), p->inside};
            clause(r, "S6", t, p->last, expr_and(s->exprs, p->guard, fact(r, u, m)), 3, body, reach(r, u, m, p->values, t, target));
        }
}

/* Adds S4 or S5, and S6. With SCOPE_OWN, a step to an error is a query. */
static void visible(Safety *r, const Step *p) {
    unsigned t = p->thread, target = p->last->step.target;
    const Expr *body[] = {reach(r, t, p->start, NULL, NONE, 0), p->inside};
    bool is_query = r->scope == SCOPE_OWN && is_bad(r, t, target);
    const char *name = is_query ? "S7" : p->inside ? "S4" : "S5";
    clause(r, name, t, p->last, p->guard, 2, body, is_query ? NULL : reach(r, t, target, p->values, NONE, 0));
    if (!is_query) interference(r, p);
}

/* Adds the clauses of a block step from `source`, in a block that begins at `start`. */
static void step(Safety *r, unsigned start, unsigned source, const BlockStep *x, const bool *written) {
    const System *s = r->system;
    unsigned t = x->thread, target = x->step.target;
    Step p = {.thread = t, .start = start, .last = x};
    const Expr **before = source == start ? NULL : values_inside(r, written);
    for (unsigned v = 0; v < vec_len(s->variables); v++) {
        const Expr *u = transition_update(&x->step, v);
        vec_push(p.values, u ? system_with(s, before, u) : value_of(r, v, before));
    }
    p.guard = expr_and(s->exprs, fact(r, t, start), system_with(s, before, expr_and(s->exprs, fact(r, t, source), x->step.guard)));
    if (before) p.inside = inside(r, t, start, source, written, before);
    const Expr *first = before ? p.inside : reach(r, t, start, NULL, NONE, 0);
    if (r->blocks->out[t][target]) visible(r, &p);
    else clause(r, before ? "S3" : "S2", t, x, p.guard, 1, &first, inside(r, t, start, target, written, p.values));
    vec_free(before);
    vec_free(p.values);
}

/* Adds S2 to S6 for the blocks that begin at this Out location. */
static void steps_from(Safety *r, unsigned t, unsigned start) {
    bool *seen = NULL, *written = NULL;
    vec_resize(seen, vec_len(r->system->threads[t].locations));
    vec_resize(written, vec_len(r->system->variables));
    find_inside(r, t, start, seen, written);
    seen[start] = true;
    for (unsigned l = 0; l < vec_len(seen); l++)
        vec_each(unsigned, i, r->block_steps->starting_at[t][l])
            if (seen[l]) step(r, start, l, &r->block_steps->list[i], written);
    vec_free(seen);
    vec_free(written);
}

enum { MAX_OTHERS = 6 }; /* the greatest number of other threads in S7; fewer make the query stronger */

/* Adds the clauses of ALL_t, and S7: ⋀ IR_i(V) ∧ error(V) → false. */
static void errors(Safety *r) {
    const System *s = r->system;
    const Expr *truth = expr_bool(s->exprs, true);
    for (unsigned t = 0; t < vec_len(s->threads); t++)
        for (unsigned l = 0; l < vec_len(s->threads[t].locations); l++) {
            const Expr *body = r->reach[t][l] ? reach(r, t, l, NULL, NONE, 0) : NULL;
            if (body) clause(r, "ALL", t, NULL, fact(r, t, l), 1, &body, everywhere(r, t, t, l));
        }
    for (unsigned t = 0; t < vec_len(s->threads); t++)
        for (unsigned l = 0; l < vec_len(s->threads[t].locations); l++) {
            const Expr **body = NULL;
            if (!is_bad(r, t, l)) continue;
            vec_push(body, reach(r, t, l, NULL, NONE, 0));
            for (unsigned u = 0; u < vec_len(s->threads) && vec_len(body) <= MAX_OTHERS; u++)
                if (u != t) vec_push(body, everywhere(r, u, t, l));
            clause(r, "S7", t, NULL, truth, (unsigned)vec_len(body), body, NULL);
            vec_free(body);
        }
}

/* ---- all of it ---- */

static void make_reach(Safety *r, unsigned t) {
    const System *s = r->system;
    const Symbol **list = NULL;
    vec_push(r->arguments, (unsigned **)NULL);
    for (unsigned l = 0; l < vec_len(s->threads[t].locations); l++) {
        char name[32];
        unsigned *arguments = NULL;
        bool has = r->blocks->out[t][l] && (r->scope == SCOPE_ALL || !is_bad(r, t, l));
        for (unsigned v = 0; v < vec_len(s->variables) && has; v++)
            if (is_argument(r, v, t, l)) vec_push(arguments, v);
        vec_push(r->arguments[t], arguments);
        const Expr **args = reach_arguments(r, t, l, NULL, NONE, 0);
        snprintf(name, sizeof name, "IR%u.%u", t, l);
        vec_push(list, has ? predicate_for(r, name, args) : NULL);
        vec_free(args);
    }
    vec_push(r->reach, list);
}

static void make_all(Safety *r, unsigned t) {
    char name[32];
    const Expr **args = NULL;
    for (unsigned v = 0; v < vec_len(r->system->variables); v++)
        if (r->relevant[v]) vec_push(args, system_expr(r->system, v));
    push_places(r, &args, NONE, NONE, 0);
    snprintf(name, sizeof name, "ALL%u", t);
    vec_push(r->all, predicate_for(r, name, args));
    vec_free(args);
}

static void make_symbols(Safety *r) {
    const System *s = r->system;
    for (size_t t = 0; t < vec_len(s->threads); t++) {
        Buf name = {0};
        buf_printf(&name, "at %s", s->threads[t].name);
        vec_push(r->places, symbol_new(s->exprs, SYM_VARIABLE, buf_string(&name), sort_int(s->exprs)));
        buf_free(&name);
    }
    for (size_t v = 0; v < vec_len(s->variables); v++) {
        Buf name = {0};
        buf_printf(&name, "%s'", s->variables[v].symbol->name);
        vec_push(r->after, symbol_new(s->exprs, SYM_VARIABLE, buf_string(&name), s->variables[v].symbol->sort));
        buf_free(&name);
    }
}

static void start(Safety *r, const Chain *w, Scope scope) {
    const System *s = w->system;
    *r = (Safety){.system = s, .blocks = w->blocks, .movers = w->movers, .scope = scope, .relevant = system_relevant(s)};
    r->insides = map_new();
    r->block_steps = block_steps_new(s, w->blocks);
    clauses_start(&r->clauses, w->smt);
    make_symbols(r);
    for (unsigned t = 0; t < vec_len(s->threads); t++) {
        make_reach(r, t);
        if (scope == SCOPE_ALL) make_all(r, t);
    }
    for (unsigned t = 0; t < vec_len(s->threads); t++) {
        if (r->reach[t][s->threads[t].entry]) initial(r, t);
        for (unsigned l = 0; l < vec_len(s->threads[t].locations); l++)
            if (r->blocks->out[t][l]) steps_from(r, t, l);
    }
    if (scope == SCOPE_ALL) errors(r);
}

static void end(Safety *r) {
    for (size_t t = 0; t < vec_len(r->arguments); t++) vec_free_rows(r->arguments[t]);
    vec_free(r->arguments);
    vec_free_rows(r->reach);
    vec_free(r->all);
    vec_free(r->places);
    vec_free(r->after);
    vec_free(r->relevant);
    vec_free(r->list);
    map_free(r->insides);
    block_steps_free(r->block_steps);
    clauses_free(&r->clauses);
}

/* ---- the proof ---- */

static const Expr *invariant(const Safety *r, unsigned t, unsigned l) {
    Exprs *x = r->system->exprs;
    if (r->reach[t][l]) return clauses_solution(&r->clauses, reach(r, t, l, NULL, NONE, 0));
    return expr_bool(x, !r->blocks->out[t][l] || !is_bad(r, t, l)); /* with SCOPE_OWN no thread reaches an error */
}

static const Expr ***invariants(const Safety *r, bool *readable) {
    const Expr ***all = NULL;
    for (unsigned t = 0; t < vec_len(r->system->threads); t++) {
        const Expr **list = NULL;
        for (unsigned l = 0; l < vec_len(r->system->threads[t].locations); l++) {
            vec_push(list, invariant(r, t, l));
            *readable &= vec_last(list) != NULL;
        }
        vec_push(all, list);
    }
    return all;
}

/* Returns the relation inside a block: the solution, and that the other variables of the thread keep their values. */
static const Expr *relation(Safety *r, const ProofInside *i) {
    Exprs *x = r->system->exprs;
    bool *seen = NULL, *written = NULL;
    vec_resize(seen, vec_len(r->system->threads[i->thread].locations));
    vec_resize(written, vec_len(r->system->variables));
    find_inside(r, i->thread, i->start, seen, written);
    const Expr **values = values_inside(r, written);
    const Expr *e = clauses_solution(&r->clauses, inside(r, i->thread, i->start, i->location, written, values));
    for (unsigned v = 0; v < vec_len(written) && e; v++)
        if (is_own(r, v, i->thread) && r->relevant[v] && !written[v])
            e = expr_and(x, e, expr_eq(x, expr_symbol(x, r->after[v]), system_expr(r->system, v)));
    vec_free(seen);
    vec_free(written);
    vec_free(values);
    return e;
}

static Verdict *safe(const RuleTask *task, Safety *r) {
    bool readable = true;
    const Expr ***all = invariants(r, &readable);
    vec_each_at(ProofInside, i, r->list) {
        i->relation = relation(r, i);
        readable &= i->relation != NULL;
    }
    if (!readable) {
        vec_free_rows(all);
        return rule_undecodable();
    }
    Proof *proof = chain_proof(task->prepared, RULE_REDSAFETY);
    proof->invariants = all;
    proof->places = r->places;
    r->places = NULL;
    if (vec_len(r->list)) {
        proof->after = r->after;
        proof->insides = r->list;
        r->after = NULL;
        r->list = NULL;
    }
    return symbolic_safe(proof);
}

/* ---- the rule ---- */

static Verdict *attempt(const RuleTask *task, const char *name, Scope scope) {
    ClausesPlan plan = rule_plan(task);
    Safety r;
    char no_proof[64];
    plan.split = MAX_SPLIT;
    plan.use_houdini = true;
    rule_progress(task, scope == SCOPE_OWN ? "redcomp: clauses S1 to S7 over a thread's own variables" : "redcomp: clauses S1 to S7");
    start(&r, task->prepared, scope);
    snprintf(no_proof, sizeof no_proof, MSG_ENGINE_NOT_BY_RULE, name);
    Verdict *v = rule_solve(task, &r.clauses, &plan, no_proof);
    if (!v) v = safe(task, &r);
    end(&r);
    return v;
}

/* The attempts in turn: each scope gets a short one before a long one. */
static const struct {
    Scope scope;
    double share, most; /* of the time that is left, and in seconds */
} attempts[] = {{SCOPE_OWN, 0.1, 3}, {SCOPE_ALL, 0.1, 3}, {SCOPE_OWN, 0.4, 20}, {SCOPE_ALL, 1, 1e9}};
enum { ATTEMPTS = sizeof attempts / sizeof *attempts };

Verdict *redsafety_run(const RuleTask *task, const char *name) {
    Verdict *v = NULL;
    bool no_proof[SCOPE_ALL + 1] = {false};
    for (unsigned i = 0; i < ATTEMPTS && (!v || v->kind == VERDICT_UNKNOWN); i++) {
        RuleTask turn = *task;
        double given = attempts[i].share * (task->deadline - clock_seconds());
        if (no_proof[attempts[i].scope]) continue;
        turn.deadline = clock_seconds() + (given < attempts[i].most ? given : attempts[i].most);
        turn.no_proof = &no_proof[attempts[i].scope];
        verdict_free(v);
        v = attempt(&turn, name, attempts[i].scope);
    }
    *task->no_proof = no_proof[SCOPE_ALL];
    return v;
}

void redsafety_dump(const RuleTask *task, Buf *out) {
    Safety r;
    start(&r, task->prepared, SCOPE_ALL);
    horn_print(out, r.clauses.horn);
    end(&r);
}

static Verdict *run(const RuleTask *task) { return redsafety_run(task, "redsafety"); }

const Rule rule_redsafety = {"redsafety", rule_fixed_number, BLOCKS_ANY, run, redsafety_dump};
