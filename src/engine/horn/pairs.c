/* SPDX-License-Identifier: Apache-2.0 */
/* Implements the rule `modular` for two threads at a time (doc/rules.md, "Two threads at a time"; k = 2).

   Each two threads have an invariant at each two of their stops, over the globals and the locals of both. Two threads together can state
   facts that one thread cannot, such as tickets that differ. There are four kinds of clauses:
   - start: the initial values satisfy the invariant at the two entries;
   - own: a block step of one of the two preserves it, while the other is at an Out location;
   - interfere: a block step of a third thread preserves it at two Out locations; both pairs with the third satisfy their invariants before;
   - error: no block step leads to an error, wherever the partner of the thread is.

   For threads marked many, the two and the third can be instances of the same thread. The system has the locals of the thread and of
   its second instance; this file makes names for the locals of a third instance. A pair of instances of one thread has one predicate for
   both orders. */
#include "engine/horn/rule.h"
#include "engine/messages.h"
#include "interpolation/block_steps.h"
#include <stdio.h>

enum { MAX_CLAUSES = 30000 };

/* A thread, or one of three instances of a thread marked many. */
typedef struct Instance {
    unsigned thread; /* never a second instance */
    unsigned copy;   /* 0: the thread; 1: its second instance; 2: a third instance */
} Instance;

typedef struct Pair {
    unsigned first, second;     /* threads; `second` may be the second instance of `first`, but of no other thread */
    const Symbol ***predicates; /* by location of the first, by location of the second, or NULL */
} Pair;

typedef struct Pairs {
    const System *system;
    const Blocks *blocks;
    Clauses clauses;
    BlockSteps *block_steps;
    bool *relevant;
    const Expr **third; /* by variable: for a local of a thread marked many, that of the third instance */
    Pair *pairs;        /* a vec */
    bool too_large;
} Pairs;

/* ---- threads ---- */

static Instance instance_of(const System *s, unsigned t) {
    return (Instance){system_first_instance(s, t), system_first_instance(s, t) != t};
}

static bool is_bad(const System *s, unsigned t, unsigned l) {
    ensure(t < vec_len(s->threads) && l < vec_len(s->threads[t].locations));
    LocationKind kind = s->threads[t].locations[l].kind;
    return kind == LOCATION_ERROR || kind == LOCATION_STOP;
}

static bool is_place(const Pairs *p, unsigned t, unsigned l) { return p->blocks->stop[t][l] && !is_bad(p->system, t, l); }

/* Returns the local of thread `to` that has the same position among its locals as v among the locals of thread `from`. */
static unsigned local_in_thread(const System *s, unsigned v, unsigned from, unsigned to) {
    unsigned place = 0, n = 0;
    for (unsigned k = 0; k < v; k++) place += s->variables[k].thread == from;
    for (unsigned k = 0; k < vec_len(s->variables); k++)
        if (s->variables[k].thread == to && n++ == place) return k;
    return NONE;
}

/* Returns the local of an instance that corresponds to the local v of its thread. */
static const Expr *local_of(const Pairs *p, Instance x, unsigned v) {
    if (x.copy == 2) return p->third[v];
    return system_expr(p->system, x.copy ? local_in_thread(p->system, v, x.thread, p->system->threads[x.thread].other_instance) : v);
}

typedef struct Renaming {
    const Pairs *pairs;
    Instance x;
} Renaming;

static const Expr *renamed_symbol(void *context, const Expr *e) {
    const Renaming *r = context;
    unsigned v = system_variable(r->pairs->system, e->symbol);
    return v == NONE || r->pairs->system->variables[v].thread != r->x.thread ? NULL : local_of(r->pairs, r->x, v);
}

/* Renames the locals of a thread in an expression to those of an instance. */
static const Expr *renamed(const Pairs *p, Instance x, const Expr *e) {
    Renaming r = {p, x};
    return x.copy ? expr_substitute(p->system->exprs, e, renamed_symbol, &r) : e;
}

static const Expr *number_of(const Pairs *p, Instance x) {
    unsigned self = p->system->threads[x.thread].self;
    return self == NONE ? NULL : local_of(p, x, self);
}

static const Expr *numbers(const Pairs *p, const Instance *list, unsigned n) {
    const Expr *of[3];
    for (unsigned i = 0; i < n; i++) of[i] = number_of(p, list[i]);
    return system_numbers(p->system, n, of);
}

/* ---- predicates ---- */

/* A block step with its instance. The locals in `block_step` are those of the thread, not of the instance. */
typedef struct Change {
    const BlockStep *block_step; /* NULL: nothing changes */
    Instance mover;
} Change;

static const Expr *value(const Pairs *p, Instance x, unsigned v, Change c) {
    bool global = p->system->variables[v].thread == NONE;
    bool moves = c.block_step && (global || (c.mover.thread == x.thread && c.mover.copy == x.copy));
    const Expr *u = moves ? transition_update(&c.block_step->step, v) : NULL;
    if (u) return renamed(p, c.mover, u);
    return global ? system_expr(p->system, v) : local_of(p, x, v);
}

static void push_locals(const Pairs *p, const Expr ***args, Instance x, unsigned l, Change c) {
    const unsigned *live = p->system->threads[x.thread].locations[l].live;
    unsigned self = p->system->threads[x.thread].self;
    for (size_t i = 0; i < vec_len(live); i++)
        if (p->relevant[live[i]] && live[i] != self) vec_push(*args, value(p, x, live[i], c));
    if (self != NONE && p->relevant[self]) vec_push(*args, value(p, x, self, c));
}

static const Expr **arguments(const Pairs *p, Instance x, unsigned l, Instance y, unsigned k, Change c) {
    const Expr **args = NULL;
    for (unsigned v = 0; v < vec_len(p->system->variables); v++)
        if (p->system->variables[v].thread == NONE && p->relevant[v]) vec_push(args, value(p, x, v, c));
    push_locals(p, &args, x, l, c);
    push_locals(p, &args, y, k, c);
    return args;
}

static const Pair *pair_of(const Pairs *p, Instance x, Instance y, bool *turned) {
    for (size_t i = 0; i < vec_len(p->pairs); i++) {
        unsigned a = p->pairs[i].first, b = system_first_instance(p->system, p->pairs[i].second);
        *turned = !(a == x.thread && b == y.thread);
        if (!*turned || (a == y.thread && b == x.thread)) return &p->pairs[i];
    }
    return NULL;
}

/* Returns the invariant of x at l and y at k, applied to the values after a change. If both are instances of one thread, the first is at the
   location with the smaller number. */
static const Expr *atom(const Pairs *p, Instance x, unsigned l, Instance y, unsigned k, Change c) {
    bool turned;
    const Pair *pair = pair_of(p, x, y, &turned);
    if (x.thread == y.thread) turned = l > k;
    const Expr **args = turned ? arguments(p, y, k, x, l, c) : arguments(p, x, l, y, k, c);
    const Expr *a = expr_apply(p->system->exprs, turned ? pair->predicates[k][l] : pair->predicates[l][k], (unsigned)vec_len(args), args);
    vec_free(args);
    return a;
}

static void make_pair(Pairs *p, unsigned first, unsigned second) {
    const System *s = p->system;
    Pair pair = {.first = first, .second = second};
    Instance x = instance_of(s, first), y = instance_of(s, second);
    for (unsigned l = 0; l < vec_len(s->threads[first].locations); l++) {
        const Symbol **row = NULL;
        for (unsigned k = 0; k < vec_len(s->threads[second].locations); k++) {
            bool both_in = !p->blocks->out[first][l] && !p->blocks->out[second][k], other_order = x.thread == y.thread && l > k;
            const Symbol *predicate = NULL;
            if (is_place(p, first, l) && is_place(p, second, k) && !both_in && !other_order) {
                const Expr **args = arguments(p, x, l, y, k, (Change){0});
                const Sort **sorts = NULL;
                char name[64];
                for (size_t i = 0; i < vec_len(args); i++) vec_push(sorts, args[i]->sort);
                snprintf(name, sizeof name, "R%u.%u,%u.%u", first, l, second, k);
                predicate = horn_predicate(p->clauses.horn, name, (unsigned)vec_len(sorts), sorts);
                vec_free(sorts);
                vec_free(args);
            }
            vec_push(row, predicate);
        }
        vec_push(pair.predicates, row);
    }
    vec_push(p->pairs, pair);
}

/* ---- clauses ---- */

/* Adds a clause that stands for the block step x, or for no step if x is NULL. */
static void clause(Pairs *p, const char *name, const BlockStep *x, const Expr *constraint, unsigned n, const Expr *const *body,
                   const Expr *head) {
    char full[64];
    if (p->too_large) return;
    snprintf(full, sizeof full, "%s.%zu", name, horn_clauses(p->clauses.horn));
    HornClause k = {.name = full, .constraint = constraint, .head = head};
    for (unsigned i = 0; i < n; i++) vec_push(k.body, body[i]);
    clauses_add_step(&p->clauses, k, x ? x->thread : NONE, x ? vec_len(x->transitions) : 0, x ? x->transitions : NULL);
    p->too_large = horn_clauses(p->clauses.horn) > MAX_CLAUSES;
}

static void start(Pairs *p, const Pair *pair) {
    const System *s = p->system;
    Instance both[] = {instance_of(s, pair->first), instance_of(s, pair->second)};
    const Expr *init = numbers(p, both, 2);
    for (unsigned v = 0; v < vec_len(s->variables); v++) {
        unsigned t = s->variables[v].thread;
        if (p->relevant[v] && s->variables[v].init && (t == NONE || t == pair->first || t == pair->second))
            init = expr_and(s->exprs, init, expr_eq(s->exprs, system_expr(s, v), s->variables[v].init));
    }
    clause(p, "start", NULL, init, 0, NULL,
           atom(p, both[0], s->threads[pair->first].entry, both[1], s->threads[pair->second].entry, (Change){0}));
}

/* Adds the clauses `own` for the block steps of mover from l, while other is at k. */
static void own(Pairs *p, Instance mover, unsigned l, Instance other, unsigned k) {
    const System *s = p->system;
    const unsigned *from = p->block_steps->starting_at[mover.thread][l];
    Instance both[] = {mover, other};
    for (size_t i = 0; i < vec_len(from); i++) {
        const BlockStep *x = &p->block_steps->list[from[i]];
        const Expr *body = atom(p, mover, l, other, k, (Change){0});
        if (block_step_is_bad(p->block_steps, x)) continue;
        const Expr *guard = expr_and(s->exprs, renamed(p, mover, x->step.guard), numbers(p, both, 2));
        clause(p, "own", x, guard, 1, &body, atom(p, mover, x->step.target, other, k, (Change){x, mover}));
    }
}

/* Adds the clause that two instances of a thread at the same location can be exchanged. */
static void exchange(Pairs *p, Instance x, Instance y, unsigned l) {
    const Expr *body = atom(p, x, l, y, l, (Change){0});
    clause(p, "exchange", NULL, expr_bool(p->system->exprs, true), 1, &body, atom(p, y, l, x, l, (Change){0}));
}

static bool changes_globals(const Pairs *p, const BlockStep *x) {
    for (size_t i = 0; i < vec_len(x->writes); i++)
        if (p->system->variables[x->writes[i]].thread == NONE) return true;
    return false;
}

static void interfere(Pairs *p, Instance x, unsigned l, Instance y, unsigned k, Instance z) {
    const System *s = p->system;
    Instance all[] = {x, y, z};
    for (unsigned m = 0; m < vec_len(s->threads[z.thread].locations) && !p->too_large; m++) {
        const unsigned *from = is_place(p, z.thread, m) ? p->block_steps->starting_at[z.thread][m] : NULL;
        for (size_t i = 0; i < vec_len(from); i++) {
            const BlockStep *block_step = &p->block_steps->list[from[i]];
            if (block_step_is_bad(p->block_steps, block_step) || !changes_globals(p, block_step)) continue;
            const Expr *body[] = {atom(p, x, l, y, k, (Change){0}), atom(p, x, l, z, m, (Change){0}), atom(p, y, k, z, m, (Change){0})};
            clause(p, "interfere", block_step, expr_and(s->exprs, renamed(p, z, block_step->step.guard), numbers(p, all, 3)), 3, body,
                   atom(p, x, l, y, k, (Change){block_step, z}));
        }
    }
}

static void clauses_at(Pairs *p, const Pair *pair, unsigned l, unsigned k) {
    const System *s = p->system;
    Instance x = instance_of(s, pair->first), y = instance_of(s, pair->second);
    bool first = p->blocks->out[pair->first][l], second = p->blocks->out[pair->second][k];
    if (x.thread == y.thread && l == k) exchange(p, x, y, l);
    if (second) own(p, x, l, y, k);
    if (first) own(p, y, k, x, l);
    for (unsigned t = 0; t < vec_len(s->threads) && first && second; t++) {
        unsigned same = (x.thread == t ? 1u : 0u) + (y.thread == t ? 1u : 0u);
        if (system_first_instance(s, t) == t && (!same || s->threads[t].many)) interfere(p, x, l, y, k, (Instance){t, same});
    }
}

/* Returns the thread whose pair with t excludes the errors of t: the second instance of t, else a thread marked many, else another thread. */
static unsigned partner_of(const System *s, unsigned t) {
    if (s->threads[t].other_instance != NONE) return s->threads[t].other_instance;
    for (unsigned u = 0; u < vec_len(s->threads); u++)
        if (s->threads[u].many) return u;
    return t ? 0 : 1;
}

static void errors(Pairs *p, unsigned t) {
    const System *s = p->system;
    unsigned partner = partner_of(s, t);
    Instance both[] = {instance_of(s, t), instance_of(s, partner)};
    for (unsigned l = 0; l < vec_len(s->threads[t].locations); l++) {
        const unsigned *from = is_place(p, t, l) ? p->block_steps->starting_at[t][l] : NULL;
        for (size_t i = 0; i < vec_len(from); i++) {
            const BlockStep *x = &p->block_steps->list[from[i]];
            if (!block_step_is_bad(p->block_steps, x)) continue;
            for (unsigned k = 0; k < vec_len(s->threads[partner].locations); k++) {
                if (!is_place(p, partner, k) || !p->blocks->out[partner][k]) continue;
                const Expr *body = atom(p, both[0], l, both[1], k, (Change){0});
                clause(p, "error", x, expr_and(s->exprs, x->step.guard, numbers(p, both, 2)), 1, &body, NULL);
            }
        }
    }
}

/* ---- all of it ---- */

static void start_pairs(Pairs *p, const Chain *w) {
    const System *s = w->system;
    *p = (Pairs){.system = s, .blocks = w->blocks, .relevant = system_relevant(s), .block_steps = block_steps_new(s, w->blocks)};
    clauses_start(&p->clauses, w->smt);
    vec_each_at(const SystemVariable, x, s->variables) {
        bool many = x->thread != NONE && s->threads[x->thread].many;
        vec_push(p->third, many ? expr_symbol(s->exprs, symbol_new(s->exprs, SYM_VARIABLE, x->symbol->name, x->symbol->sort)) : NULL);
    }
    for (unsigned t = 0; t < vec_len(s->threads); t++)
        if (system_first_instance(s, t) == t && s->threads[t].other_instance != NONE) make_pair(p, t, s->threads[t].other_instance);
    for (unsigned t = 0; t < vec_len(s->threads); t++)
        for (unsigned u = t + 1; u < vec_len(s->threads) && system_first_instance(s, t) == t; u++)
            if (system_first_instance(s, u) == u) make_pair(p, t, u);
    vec_each_at(const Pair, pair, p->pairs) {
        start(p, pair);
        for (unsigned l = 0; l < vec_len(pair->predicates); l++)
            for (unsigned k = 0; k < vec_len(pair->predicates[l]); k++)
                if (pair->predicates[l][k]) clauses_at(p, pair, l, k);
    }
    for (unsigned t = 0; t < vec_len(s->threads); t++)
        if (system_first_instance(s, t) == t) errors(p, t);
}

static void end_pairs(Pairs *p) {
    for (size_t i = 0; i < vec_len(p->pairs); i++) {
        vec_free_rows(p->pairs[i].predicates);
    }
    vec_free(p->pairs);
    vec_free(p->third);
    vec_free(p->relevant);
    block_steps_free(p->block_steps);
    clauses_free(&p->clauses);
}

/* ---- the proof ---- */

/* Finds the invariants of a pair; the invariant is false for two locations that cannot be occupied together. Returns false if a solution
   cannot be decoded. */
static bool pair_invariants(const Pairs *p, const Pair *pair, ProofPair *result) {
    const System *s = p->system;
    Instance x = instance_of(s, pair->first), y = instance_of(s, pair->second);
    bool readable = true;
    *result = (ProofPair){.first = pair->first, .second = pair->second};
    for (unsigned l = 0; l < vec_len(pair->predicates); l++) {
        const Expr **row = NULL;
        for (unsigned k = 0; k < vec_len(pair->predicates[l]); k++) {
            bool there = pair->predicates[l][k] || (x.thread == y.thread && pair->predicates[k][l]);
            vec_push(row, there ? clauses_solution(&p->clauses, atom(p, x, l, y, k, (Change){0})) : expr_bool(s->exprs, false));
            readable &= vec_last(row) != NULL;
        }
        vec_push(result->invariants, row);
    }
    return readable;
}

static Verdict *safe(const RuleTask *task, const Pairs *p) {
    const System *s = p->system;
    ProofPair *pairs = NULL;
    bool readable = true;
    for (size_t i = 0; i < vec_len(p->pairs); i++) {
        ProofPair one;
        readable &= pair_invariants(p, &p->pairs[i], &one);
        vec_push(pairs, one);
    }
    if (readable) {
        Proof *proof = chain_proof(task->prepared, RULE_PAIRS);
        proof->pairs = pairs;
        for (unsigned t = 0; t < vec_len(s->threads); t++) vec_push(proof->partners, partner_of(s, t));
        return symbolic_safe(proof);
    }
    for (size_t i = 0; i < vec_len(pairs); i++) {
        vec_free_rows(pairs[i].invariants);
    }
    vec_free(pairs);
    return rule_undecodable();
}

static Verdict *run(const RuleTask *task) {
    ClausesPlan plan = rule_plan(task);
    Pairs p;
    Verdict *v = NULL;
    plan.use_houdini = true;
    plan.split = MAX_SPLIT;
    rule_progress(task, "redcomp: modular invariants of two threads");
    start_pairs(&p, task->prepared);
    if (p.too_large) v = verdict_unknown((Position){0}, MSG_ENGINE_PAIRS_LARGE, MAX_CLAUSES);
    else v = rule_solve(task, &p.clauses, &plan, MSG_ENGINE_NOT_PAIRS);
    if (!v) v = safe(task, &p);
    end_pairs(&p);
    return v;
}

static void dump(const RuleTask *task, Buf *out) {
    Pairs p;
    start_pairs(&p, task->prepared);
    horn_print(out, p.clauses.horn);
    end_pairs(&p);
}

static bool has_two(const System *s) { return vec_len(s->threads) > 1; }

const Rule rule_pairs = {"modular", has_two, BLOCKS_ANY, run, dump};
