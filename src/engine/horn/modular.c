/* SPDX-License-Identifier: Apache-2.0 */
/* Implements the rule `modular` (doc/rules.md; Popeea, Rybalchenko and Wilhelm, "Reduction for Compositional Verification of Multi-Threaded
   Programs", Section IV-A).

   Each thread has an invariant at each of its stops, over the globals and its own locals. There are four kinds of clauses:
   - start: the initial values satisfy the invariant at the entry of the thread;
   - own: a block step of the thread leads from its invariant at the source to its invariant at the target;
   - interfere: a block step of another thread preserves the invariant, at each Out location;
   - error: no block step of the thread leads to an error.

   A thread marked many is interfered with by its second instance, which has the same invariant about its own locals. The rule
   proves nothing about the locations of two threads at the same time; blocks make up for some of that. If the clauses have no
   solution, there is no modular proof, but nothing follows for the program. */
#include "engine/horn/modular.h"
#include "engine/messages.h"
#include "interpolation/block_steps.h"
#include <stdio.h>

/* ---- predicates ---- */

static bool has_predicate(const Modular *m, unsigned t, unsigned l) {
    return m->blocks->stop[t][l] && m->system->threads[t].locations[l].kind == LOCATION_PLAIN;
}

static unsigned *arguments(const Modular *m, unsigned t, unsigned l) {
    const System *s = m->system;
    unsigned *args = NULL;
    for (unsigned v = 0; v < vec_len(s->variables); v++)
        if (s->variables[v].thread == NONE && m->relevant[v]) vec_push(args, v);
    const unsigned *live = s->threads[t].locations[l].live;
    unsigned self = s->threads[t].self;
    for (size_t i = 0; i < vec_len(live); i++)
        if (m->relevant[live[i]] && live[i] != self) vec_push(args, live[i]);
    if (self != NONE && m->relevant[self]) vec_push(args, self);
    return args;
}

static void make_predicates(Modular *m) {
    const System *s = m->system;
    for (unsigned t = 0; t < vec_len(s->threads); t++) {
        const Symbol **predicates = NULL;
        unsigned **args = NULL;
        for (unsigned l = 0; l < vec_len(s->threads[t].locations); l++) {
            const Symbol *p = NULL;
            unsigned *list = has_predicate(m, t, l) ? arguments(m, t, l) : NULL;
            if (has_predicate(m, t, l) && system_first_instance(s, t) != t) p = m->predicates[s->threads[t].other_instance][l];
            else if (has_predicate(m, t, l)) {
                char name[32];
                const Sort **sorts = NULL;
                for (size_t i = 0; i < vec_len(list); i++) vec_push(sorts, s->variables[list[i]].symbol->sort);
                snprintf(name, sizeof name, "R%u.%u", t, l);
                p = horn_predicate(m->clauses.horn, name, (unsigned)vec_len(list), sorts);
                vec_free(sorts);
            }
            vec_push(predicates, p);
            vec_push(args, list);
        }
        vec_push(m->predicates, predicates);
        vec_push(m->arguments, args);
    }
}

/* Returns the predicate of thread t at l, of the present values, or of the values after a block step if that is not NULL. */
static const Expr *atom(const Modular *m, unsigned t, unsigned l, const BlockStep *block_step) {
    const System *s = m->system;
    const unsigned *args = m->arguments[t][l];
    const Expr **values = NULL;
    for (size_t i = 0; i < vec_len(args); i++) {
        const Expr *v = block_step ? transition_update(&block_step->step, args[i]) : NULL;
        vec_push(values, v ? v : system_expr(s, args[i]));
    }
    const Expr *a = expr_apply(s->exprs, m->predicates[t][l], (unsigned)vec_len(values), values);
    vec_free(values);
    return a;
}

/* ---- clauses ---- */

static void start(Modular *m, unsigned t) {
    const System *s = m->system;
    const Expr *number = system_self(s, t), *init = system_numbers(s, 1, &number);
    unsigned l = s->threads[t].entry;
    char name[48];
    if (!m->predicates[t][l]) return; /* the thread ends at its entry */
    for (unsigned v = 0; v < vec_len(s->variables); v++)
        if (m->relevant[v] && s->variables[v].init && (s->variables[v].thread == NONE || s->variables[v].thread == t))
            init = expr_and(s->exprs, init, expr_eq(s->exprs, system_expr(s, v), s->variables[v].init));
    snprintf(name, sizeof name, "start.%u", t);
    horn_clause(m->clauses.horn, name, init, 0, NULL, atom(m, t, l, NULL));
}

static bool changes_globals(const Modular *m, const BlockStep *p) {
    for (size_t i = 0; i < vec_len(p->writes); i++)
        if (m->system->variables[p->writes[i]].thread == NONE) return true;
    return false;
}

/* Adds a clause that stands for a block step. */
static void step_clause(Modular *m, const char *name, const BlockStep *p, const Expr *constraint, unsigned n, const Expr *const *body,
                        const Expr *head) {
    HornClause k = {.name = name, .constraint = constraint, .head = head};
    for (unsigned i = 0; i < n; i++) vec_push(k.body, body[i]);
    clauses_add_step(&m->clauses, k, p->thread, vec_len(p->transitions), p->transitions);
}

static void interfere(Modular *m, unsigned t, const BlockStep *p, size_t index) {
    const System *s = m->system;
    const Expr *both[] = {system_self(s, t), system_self(s, p->thread)}, *numbers = system_numbers(s, 2, both);
    char name[64];
    for (unsigned l = 0; l < vec_len(s->threads[t].locations); l++) {
        if (!m->predicates[t][l] || !m->blocks->out[t][l]) continue;
        const Expr *body[] = {atom(m, t, l, NULL), atom(m, p->thread, p->step.source, NULL)};
        snprintf(name, sizeof name, "interfere.%u.%u.by.%u.%zu", t, l, p->thread, index);
        step_clause(m, name, p, expr_and(s->exprs, p->step.guard, numbers), 2, body, atom(m, t, l, p));
    }
}

static void clauses_of(Modular *m, const BlockSteps *block_steps, unsigned t, unsigned l) {
    const System *s = m->system;
    const unsigned *from = block_steps->starting_at[t][l];
    char name[64];
    for (size_t i = 0; i < vec_len(from); i++) {
        const BlockStep *p = &block_steps->list[from[i]];
        const Expr *body = atom(m, t, l, NULL);
        bool bad = block_step_is_bad(block_steps, p);
        size_t index = horn_clauses(m->clauses.horn);
        snprintf(name, sizeof name, "%s.%u.%u.%zu", bad ? "error" : "own", t, l, index);
        if (system_first_instance(s, t) == t && (bad || m->predicates[t][p->step.target]))
            step_clause(m, name, p, p->step.guard, 1, &body, bad ? NULL : atom(m, t, p->step.target, p));
        if (bad || !changes_globals(m, p)) continue;
        for (unsigned u = 0; u < vec_len(s->threads); u++)
            if (u != t && system_first_instance(s, u) == u && (system_first_instance(s, t) == t || s->threads[t].other_instance == u))
                interfere(m, u, p, index);
    }
}

void modular_start(Modular *m, const Chain *w) {
    const System *s = w->system;
    *m = (Modular){.system = s, .blocks = w->blocks, .relevant = system_relevant(s)};
    clauses_start(&m->clauses, w->smt);
    make_predicates(m);
    BlockSteps *block_steps = block_steps_new(s, w->blocks);
    for (unsigned t = 0; t < vec_len(s->threads); t++) {
        if (system_first_instance(s, t) == t) start(m, t);
        for (unsigned l = 0; l < vec_len(s->threads[t].locations); l++)
            if (m->predicates[t][l]) clauses_of(m, block_steps, t, l);
    }
    block_steps_free(block_steps);
}

void modular_end(Modular *m) {
    for (size_t t = 0; t < vec_len(m->predicates); t++) {
        vec_free_rows(m->arguments[t]);
        vec_free(m->predicates[t]);
    }
    vec_free(m->arguments);
    vec_free(m->predicates);
    vec_free(m->relevant);
    clauses_free(&m->clauses);
}

/* ---- the proof ---- */

const Expr ***modular_invariants(const Modular *m) {
    const System *s = m->system;
    const Expr ***invariants = NULL;
    bool readable = true;
    for (unsigned t = 0; t < vec_len(s->threads); t++) {
        const Expr **list = NULL;
        for (unsigned l = 0; l < vec_len(s->threads[t].locations); l++) {
            vec_push(list, m->predicates[t][l] ? clauses_solution(&m->clauses, atom(m, t, l, NULL)) : expr_bool(s->exprs, true));
            readable &= vec_last(list) != NULL;
        }
        vec_push(invariants, list);
    }
    if (readable) return invariants;
    vec_free_rows(invariants);
    return NULL;
}

Verdict *modular_solve(const RuleTask *task, Modular *m) {
    ClausesPlan plan = rule_plan(task);
    plan.use_houdini = true;
    plan.split = MAX_SPLIT;
    return rule_solve(task, &m->clauses, &plan, MSG_ENGINE_NOT_MODULAR);
}

static Verdict *safe(const RuleTask *task, const Modular *m) {
    const Expr ***invariants = modular_invariants(m);
    if (!invariants) return rule_undecodable();
    Proof *proof = chain_proof(task->prepared, RULE_MODULAR);
    proof->invariants = invariants;
    return symbolic_safe(proof);
}

static Verdict *run(const RuleTask *task) {
    Modular m;
    rule_progress(task, "redcomp: modular invariants");
    modular_start(&m, task->prepared);
    Verdict *v = modular_solve(task, &m);
    if (!v) v = safe(task, &m);
    modular_end(&m);
    return v;
}

static void dump(const RuleTask *task, Buf *out) {
    Modular m;
    modular_start(&m, task->prepared);
    horn_print(out, m.clauses.horn);
    modular_end(&m);
}

const Rule rule_modular = {"modular", rule_applies_always, BLOCKS_ANY, run, dump};
