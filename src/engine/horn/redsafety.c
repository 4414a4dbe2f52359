/* SPDX-License-Identifier: Apache-2.0 */
/* Implements the rule `redsafety`: RULESAFETY, S1 to S7 (Popeea, Rybalchenko and Wilhelm, Section IV-A, Figure 2). Each thread i has three
   kinds of predicates:
   - IR_i(V): the invariant at Out locations, over all variables and the locations of all threads;
   - LStep_i(V_G, V_i, V_G', V_i'): the relation between the start of a block and a location inside it;
   - IStep_i(V, V'): the effect on other threads, which is that of a whole block, or of a step between Out locations.

   The paper has program counters. Here the locations of thread i index its predicates, and the locations of the other threads are integer
   arguments. ALL_i(V) is IR_i at any location of i, so that S7 need not name every combination of locations. Steps are single
   transitions, and the solver finds the effect of a block.

   The proof consists of the IR_i of a solution (RULE_REDSAFETY). The checker refuses blocks with a loop inside, as in an atomic section. */
#include "engine/horn/rule.h"
#include "base/map.h"
#include "engine/messages.h"
#include <stdio.h>

typedef struct Safety {
    const System *system;
    const Blocks *blocks;
    Clauses clauses;
    bool *relevant;
    const Symbol **places; /* by thread: its location */
    const Expr **primed;   /* by variable: its value at the end of a step */
    const Symbol ***reach; /* IR: by thread, by location; NULL: the location is In */
    const Symbol **all;    /* ALL: by thread */
    Map *steps;            /* LStep and IStep: thread, from, to, kind -> predicate */
    unsigned *work;        /* for one thread: pairs of locations whose LStep is derived but not continued */
} Safety;

/* ---- arguments ---- */

static bool is_shared_with(const Safety *r, unsigned v, unsigned t) {
    unsigned owner = r->system->variables[v].thread;
    return r->relevant[v] && (owner == NONE || owner == t);
}

/* Replaces variables in an expression by the values `before` (by variable), unless that is NULL. */
static const Expr *with_values(const Safety *r, const Expr *const *before, const Expr *e) { return system_with(r->system, before, e); }

/* Returns the values after a transition from the values `before`, or from the variables if that is NULL. By variable, as a vec. */
static const Expr **after(const Safety *r, const Transition *x, const Expr *const *before) {
    const Expr **values = NULL;
    for (unsigned v = 0; v < vec_len(r->system->variables); v++) {
        const Expr *u = r->relevant[v] ? transition_update(x, v) : NULL;
        vec_push(values, u ? with_values(r, before, u) : before ? before[v] : system_expr(r->system, v));
    }
    return values;
}

/* Appends the given values of the globals and of the locals of t, or the variables if `values` is NULL. */
static void push_own(const Safety *r, const Expr ***args, unsigned t, const Expr *const *values) {
    for (unsigned v = 0; v < vec_len(r->system->variables); v++)
        if (is_shared_with(r, v, t)) vec_push(*args, values ? values[v] : system_expr(r->system, v));
}

static void push_all(const Safety *r, const Expr ***args, const Expr *const *values) {
    for (unsigned v = 0; v < vec_len(r->system->variables); v++)
        if (r->relevant[v]) vec_push(*args, values ? values[v] : system_expr(r->system, v));
}

/* Appends the locations of all threads except t (NONE: of all). The location of u is k. */
static void push_places(const Safety *r, const Expr ***args, unsigned t, unsigned u, unsigned k) {
    Exprs *x = r->system->exprs;
    for (unsigned i = 0; i < vec_len(r->system->threads); i++)
        if (i != t) vec_push(*args, i == u ? expr_int(x, k) : expr_symbol(x, r->places[i]));
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

/* ---- atoms ---- */

/* Returns IR_t at l with these values. The location of u is k; if u is NONE, all locations are variables. */
static const Expr *reach(const Safety *r, unsigned t, unsigned l, const Expr *const *values, unsigned u, unsigned k) {
    const Expr **args = NULL;
    push_all(r, &args, values);
    push_places(r, &args, t, u, k);
    return applied(r, r->reach[t][l], args);
}

static const void *step_key(unsigned t, unsigned l, unsigned k, bool visible) {
    return (const void *)(uintptr_t)((((uint64_t)t << 26 | l) << 26 | k) << 1 | visible);
}

static const Symbol *step_predicate(Safety *r, unsigned t, unsigned l, unsigned k, bool visible, const Expr *const *args) {
    const void *key = step_key(t, l, k, visible);
    const Symbol *p = map_find(r->steps, key);
    char name[64];
    if (p) return p;
    snprintf(name, sizeof name, "%s%u.%u.%u", visible ? "IStep" : "LStep", t, l, k);
    p = predicate_for(r, name, args);
    map_set(r->steps, key, p);
    return p;
}

static const Expr *lstep(Safety *r, unsigned t, unsigned l, unsigned k, const Expr *const *values) {
    const Expr **args = NULL;
    push_own(r, &args, t, NULL);
    push_own(r, &args, t, values);
    return applied(r, step_predicate(r, t, l, k, false, args), args);
}

static const Expr *istep(Safety *r, unsigned t, unsigned l, unsigned k, const Expr *const *values, unsigned u, unsigned m) {
    const Expr **args = NULL;
    push_all(r, &args, NULL);
    push_places(r, &args, t, u, m);
    push_own(r, &args, t, values);
    return applied(r, step_predicate(r, t, l, k, true, args), args);
}

/* ---- clauses ---- */

/* Adds a clause that stands for the transition x of thread t, or for no step if x is NULL. */
static void clause(Safety *r, const char *name, unsigned t, const Transition *x, const Expr *constraint, unsigned n,
                   const Expr *const *body, const Expr *head) {
    char full[80];
    snprintf(full, sizeof full, "%s.%u.%zu", name, t, horn_clauses(r->clauses.horn));
    HornClause k = {.name = full, .constraint = constraint, .head = head};
    for (unsigned i = 0; i < n; i++) vec_push(k.body, body[i]);
    clauses_add_step(&r->clauses, k, t, x ? 1 : 0, x ? &x->index : NULL);
}

/* Adds S1: init(V) → IR_t(V). */
static void initial(Safety *r, unsigned t) {
    const System *s = r->system;
    const Expr *init = expr_bool(s->exprs, true);
    for (unsigned v = 0; v < vec_len(s->variables); v++)
        if (r->relevant[v] && s->variables[v].init)
            init = expr_and(s->exprs, init, expr_eq(s->exprs, system_expr(s, v), s->variables[v].init));
    for (unsigned u = 0; u < vec_len(s->threads); u++)
        if (u != t)
            init =
                expr_and(s->exprs, init, expr_eq(s->exprs, expr_symbol(s->exprs, r->places[u]), expr_int(s->exprs, s->threads[u].entry)));
    clause(r, "S1", t, NULL, init, 0, NULL, reach(r, t, s->threads[t].entry, NULL, NONE, 0));
}

/* Adds S6: IR_u(V) ∧ IStep_t(V, V') → IR_u(V'), for IStep_t from l to k. */
static void interference(Safety *r, unsigned t, unsigned l, unsigned k) {
    const System *s = r->system;
    const Expr **values = NULL;
    for (unsigned v = 0; v < vec_len(s->variables); v++) vec_push(values, is_shared_with(r, v, t) ? r->primed[v] : system_expr(s, v));
    for (unsigned u = 0; u < vec_len(s->threads); u++)
        for (unsigned m = 0; m < vec_len(s->threads[u].locations) && u != t; m++) {
            if (!r->reach[u][m]) continue;
            const Expr *body[] = {reach(r, u, m, NULL, t, l), istep(r, t, l, k, values, u, m)};
            clause(r, "S6", u, NULL, expr_bool(s->exprs, true), 2, body, reach(r, u, m, values, t, k));
        }
    vec_free(values);
}

/* Adds the clauses of a step from l, which ends with the transition x and which other threads observe: IStep_t and IR_t follow from the same body. */
static void visible(Safety *r, const char *name, unsigned t, unsigned l, const Transition *x, const Expr *constraint, unsigned n,
                    const Expr *const *body, const Expr *const *values) {
    unsigned k = x->target;
    bool first = !map_find(r->steps, step_key(t, l, k, true));
    clause(r, name, t, x, constraint, n, body, istep(r, t, l, k, values, NONE, 0));
    clause(r, name, t, x, constraint, n, body, reach(r, t, k, values, NONE, 0));
    if (first) interference(r, t, l, k);
}

/* Adds S2 or S5: a transition from an Out location. */
static void from_outside(Safety *r, unsigned t, const Transition *x) {
    const Expr *body = reach(r, t, x->source, NULL, NONE, 0), **values = after(r, x, NULL);
    if (r->reach[t][x->target]) {
        visible(r, "S5", t, x->source, x, x->guard, 1, &body, values);
    } else {
        clause(r, "S2", t, x, x->guard, 1, &body, lstep(r, t, x->source, x->target, values));
        vec_push(r->work, x->source);
        vec_push(r->work, x->target);
    }
    vec_free(values);
}

/* Adds S3 or S4: a transition from an In location of a block that begins at `start`. */
static void from_inside(Safety *r, unsigned t, unsigned start, const Transition *x) {
    const Expr **values = after(r, x, r->primed), *guard = with_values(r, r->primed, x->guard);
    const Expr *body[] = {lstep(r, t, start, x->source, r->primed), reach(r, t, start, NULL, NONE, 0)};
    if (r->reach[t][x->target]) {
        visible(r, "S4", t, start, x, guard, 2, body, values);
    } else {
        clause(r, "S3", t, x, guard, 1, body, lstep(r, t, start, x->target, values));
        vec_push(r->work, start);
        vec_push(r->work, x->target);
    }
    vec_free(values);
}

static void steps_of(Safety *r, unsigned t) {
    const SystemThread *thread = &r->system->threads[t];
    bool **done = NULL;
    vec_resize(done, vec_len(thread->locations));
    for (size_t l = 0; l < vec_len(done); l++) vec_resize(done[l], vec_len(thread->locations));
    for (size_t i = 0; i < vec_len(thread->transitions); i++)
        if (r->reach[t][thread->transitions[i].source]) from_outside(r, t, &thread->transitions[i]);
    while (vec_len(r->work)) {
        unsigned l = vec_pop(r->work), start = vec_pop(r->work);
        if (done[start][l]) continue;
        done[start][l] = true;
        for (size_t i = 0; i < vec_len(thread->locations[l].out); i++)
            from_inside(r, t, start, &thread->transitions[thread->locations[l].out[i]]);
    }
    vec_free_rows(done);
}

/* Adds the clauses of ALL_t, and S7: ⋀ IR_i(V) ∧ error(V) → false. */
static void errors(Safety *r) {
    const System *s = r->system;
    const Expr *truth = expr_bool(s->exprs, true);
    for (unsigned t = 0; t < vec_len(s->threads); t++)
        for (unsigned l = 0; l < vec_len(s->threads[t].locations); l++) {
            if (!r->reach[t][l]) continue;
            const Expr **args = NULL, *body = reach(r, t, l, NULL, NONE, 0);
            push_all(r, &args, NULL);
            push_places(r, &args, NONE, t, l);
            clause(r, "ALL", t, NULL, truth, 1, &body, applied(r, r->all[t], args));
        }
    for (unsigned t = 0; t < vec_len(s->threads); t++)
        for (unsigned l = 0; l < vec_len(s->threads[t].locations); l++) {
            LocationKind kind = s->threads[t].locations[l].kind;
            if (kind != LOCATION_ERROR && kind != LOCATION_STOP) continue;
            const Expr **body = NULL;
            vec_push(body, reach(r, t, l, NULL, NONE, 0));
            for (unsigned u = 0; u < vec_len(s->threads); u++) {
                const Expr **args = NULL;
                if (u == t) continue;
                push_all(r, &args, NULL);
                push_places(r, &args, NONE, t, l);
                vec_push(body, applied(r, r->all[u], args));
            }
            clause(r, "S7", t, NULL, truth, (unsigned)vec_len(body), body, NULL);
            vec_free(body);
        }
}

/* ---- all of it ---- */

static void make_reach(Safety *r, unsigned t) {
    const System *s = r->system;
    const Symbol **list = NULL;
    const Expr **args = NULL, **more = NULL;
    char name[32];
    push_all(r, &args, NULL);
    push_places(r, &args, t, NONE, 0);
    for (unsigned l = 0; l < vec_len(s->threads[t].locations); l++) {
        snprintf(name, sizeof name, "IR%u.%u", t, l);
        vec_push(list, r->blocks->out[t][l] ? predicate_for(r, name, args) : NULL);
    }
    push_all(r, &more, NULL);
    push_places(r, &more, NONE, NONE, 0);
    snprintf(name, sizeof name, "ALL%u", t);
    vec_push(r->reach, list);
    vec_push(r->all, predicate_for(r, name, more));
    vec_free(args);
    vec_free(more);
}

static void start(Safety *r, const Chain *w) {
    const System *s = w->system;
    *r = (Safety){.system = s, .blocks = w->blocks, .relevant = system_relevant(s), .steps = map_new()};
    clauses_start(&r->clauses, w->smt);
    for (size_t t = 0; t < vec_len(s->threads); t++) {
        Buf name = {0};
        buf_printf(&name, "at %s", s->threads[t].name);
        vec_push(r->places, symbol_new(s->exprs, SYM_VARIABLE, buf_string(&name), sort_int(s->exprs)));
        buf_free(&name);
    }
    for (size_t v = 0; v < vec_len(s->variables); v++)
        vec_push(r->primed,
                 expr_symbol(s->exprs, symbol_new(s->exprs, SYM_VARIABLE, s->variables[v].symbol->name, s->variables[v].symbol->sort)));
    for (unsigned t = 0; t < vec_len(s->threads); t++) make_reach(r, t);
    for (unsigned t = 0; t < vec_len(s->threads); t++) {
        initial(r, t);
        steps_of(r, t);
    }
    errors(r);
}

static void end(Safety *r) {
    vec_free_rows(r->reach);
    vec_free(r->all);
    vec_free(r->places);
    vec_free(r->primed);
    vec_free(r->relevant);
    vec_free(r->work);
    map_free(r->steps);
    clauses_free(&r->clauses);
}

static const Expr ***invariants(const Safety *r, bool *readable) {
    const System *s = r->system;
    const Expr ***all = NULL;
    for (unsigned t = 0; t < vec_len(s->threads); t++) {
        const Expr **list = NULL;
        for (unsigned l = 0; l < vec_len(s->threads[t].locations); l++) {
            vec_push(list, r->reach[t][l] ? clauses_solution(&r->clauses, reach(r, t, l, NULL, NONE, 0)) : expr_bool(s->exprs, true));
            *readable &= vec_last(list) != NULL;
        }
        vec_push(all, list);
    }
    return all;
}

static Verdict *safe(const RuleTask *task, Safety *r) {
    bool readable = true;
    const Expr ***all = invariants(r, &readable);
    if (!readable) {
        vec_free_rows(all);
        return rule_undecodable();
    }
    Proof *proof = chain_proof(task->prepared, RULE_REDSAFETY);
    proof->invariants = all;
    proof->places = r->places;
    r->places = NULL;
    for (size_t t = 0; t < vec_len(proof->stop); t++)
        for (size_t l = 0; l < vec_len(proof->stop[t]); l++) proof->stop[t][l] = proof->out[t][l];
    return symbolic_safe(proof);
}

Verdict *redsafety_run(const RuleTask *task, const char *name) {
    ClausesPlan plan = rule_plan(task);
    Safety r;
    char no_proof[64];
    plan.split = MAX_SPLIT;
    rule_progress(task, "redcomp: clauses S1 to S7");
    start(&r, task->prepared);
    snprintf(no_proof, sizeof no_proof, MSG_ENGINE_NOT_BY_RULE, name);
    Verdict *v = rule_solve(task, &r.clauses, &plan, no_proof);
    if (!v) v = safe(task, &r);
    end(&r);
    return v;
}

void redsafety_dump(const RuleTask *task, Buf *out) {
    Safety r;
    start(&r, task->prepared);
    horn_print(out, r.clauses.horn);
    end(&r);
}

static Verdict *run(const RuleTask *task) { return redsafety_run(task, "redsafety"); }

const Rule rule_redsafety = {"redsafety", rule_fixed_number, BLOCKS_WITHOUT_LOOPS, run, redsafety_dump};
