/* SPDX-License-Identifier: Apache-2.0 */
/* Computes abstract posts: the predicates that hold after a step if the predicates of a set (a mask) hold before it.

   Each question is one Hoare triple {mask} step {predicate}. A proof check asks millions of them, and few need the solver. An answer comes
   from the first of these sources that has it:
   - memory: a mask is known to exclude the step (the callers remember all other answers);
   - the frame rule: the predicate is in the mask, and the step writes none of its variables;
   - cores: the solver has proved the triple for a subset of the mask;
   - models: a state from an earlier answer of the solver satisfies the mask and the guard, and violates the predicate after the step.
     Evaluated predicates are kept with the state, before and after the step;
   - the solver: one for each step. A literal stands for each predicate before the step, another for its negation after the step.

   A model can only refute a triple. The proof check verifies all triples that are used, so a wrong evaluation of a model does no harm. */
#include "interpolation/abstract_post.h"
#include "base/arena.h"
#include "base/map.h"
#include "interpolation/set_pool.h"
#include <stdlib.h>

enum { SOLVER_MS = 2000, MAX_MODELS = 128 };

typedef struct Assertion {
    const Expr *formula, *literal;
    unsigned *variables; /* a vec: the variables of the formula */
} Assertion;

/* A state in which a step is possible, and the state after the step */
typedef struct Model {
    Value *before, *after; /* by variable; after: NULL if an update could not be evaluated */
    Value *inputs;         /* by input of the step */
    PredicateSet before_known, before_true, after_known, after_false;
} Model;

typedef struct Step {
    Transition transition; /* inputs: all symbols that are neither variables nor functions */
    Solver *solver;        /* NULL before the first use */
    PredicateSet defined;  /* the assertions whose literals the solver knows */
    /* A vec by assertion: a literal that implies its negation after the step; NULL if the solver does not know it yet */
    const Expr **denied;
    PredicateSet written; /* the assertions with a number below `seen` that mention a variable that the step writes */
    unsigned seen;        /* the number of assertions when `written` was computed */
    /* A vec of vecs: by assertion + 1, masks with which the assertion holds after the step; by 0, masks that exclude the step */
    PredicateSet **cores;
    Model *models;   /* a vec */
    unsigned oldest; /* modulo MAX_MODELS, the index of the model to replace next */
    unsigned chain;  /* the next step with this hash, + 1; 0 at the end */
} Step;

struct AbstractPost {
    const System *system;
    Smt *smt;
    Stats *stats;
    Exprs *exprs;
    Arena *arena;
    Values *values;
    Assertion *assertions; /* a vec */
    Map *numbers;          /* formula → assertion + 1 */
    bool *tracked;         /* by variable */
    unsigned ntracked;
    SetPool *masks;
    Step *steps;              /* a vec */
    Map *by_hash;             /* hash of a step → step + 1 */
    Map *excluded;            /* step and mask → true if the mask excludes the step */
    const Expr **assumptions; /* vecs that `ask` and `store_core` use */
    bool *needed;
};

/* ---- assertions ---- */

AbstractPost *post_new(const System *s, Smt *smt, Stats *stats) {
    AbstractPost *h = zeroed(1, sizeof *h);
    *h = (AbstractPost){.system = s,
                        .smt = smt,
                        .stats = stats,
                        .exprs = s->exprs,
                        .arena = arena_new(),
                        .values = values_new(),
                        .numbers = map_new(),
                        .masks = set_pool_new(PREDICATE_WORDS),
                        .by_hash = map_new(),
                        .excluded = map_new()};
    vec_resize(h->tracked, vec_len(s->variables));
    return h;
}

static void free_step(Step *s) {
    solver_free(s->solver);
    vec_free(s->transition.updates);
    vec_free(s->transition.inputs);
    vec_free(s->denied);
    vec_free_rows(s->cores);
    vec_free(s->models);
}

void post_free(AbstractPost *h) {
    if (!h) return;
    for (size_t i = 0; i < vec_len(h->steps); i++) free_step(&h->steps[i]);
    for (size_t i = 0; i < vec_len(h->assertions); i++) vec_free(h->assertions[i].variables);
    vec_free(h->steps);
    vec_free(h->assertions);
    vec_free(h->tracked);
    vec_free(h->assumptions);
    vec_free(h->needed);
    set_pool_free(h->masks);
    map_free(h->numbers);
    map_free(h->by_hash);
    map_free(h->excluded);
    values_free(h->values);
    arena_free(h->arena);
    free(h);
}

typedef struct Collect {
    const System *system;
    unsigned *variables; /* vecs */
    const Symbol **inputs;
} Collect;

static void collect(void *context, const Symbol *s) {
    Collect *c = context;
    unsigned v = system_variable(c->system, s);
    if (s->kind == SYM_FUNCTION) return;
    if (v == NONE) {
        if (!vec_has(c->inputs, s)) vec_push(c->inputs, s);
        return;
    }
    if (!vec_has(c->variables, v)) vec_push(c->variables, v);
}

unsigned post_add_predicate(AbstractPost *h, const Expr *e) {
    ensure(expr_is_formula(e));
    uint64_t known = 0;
    if (map_get(h->numbers, map_key(e), &known)) return (unsigned)known - 1;
    if (vec_len(h->assertions) == MAX_PREDICATES) return NONE;
    Collect c = {.system = h->system};
    expr_symbols(e, collect, &c);
    vec_free(c.inputs);
    for (size_t i = 0; i < vec_len(c.variables); i++) {
        h->ntracked += !h->tracked[c.variables[i]];
        h->tracked[c.variables[i]] = true;
    }
    const Symbol *literal = symbol_new(h->exprs, SYM_VARIABLE, "holds", sort_bool(h->exprs));
    vec_push(h->assertions, ((Assertion){e, expr_symbol(h->exprs, literal), c.variables}));
    map_put(h->numbers, map_key(e), vec_len(h->assertions));
    h->stats->assertions = vec_len(h->assertions);
    return (unsigned)vec_len(h->assertions) - 1;
}

size_t post_predicate_count(const AbstractPost *h) { return vec_len(h->assertions); }
const Expr *post_predicate(const AbstractPost *h, unsigned i) {
    ensure(i < vec_len(h->assertions));
    return h->assertions[i].formula;
}
const unsigned *post_variables(const AbstractPost *h, unsigned i) { return h->assertions[i].variables; }
bool post_tracks(const AbstractPost *h, unsigned variable) { return h->tracked[variable]; }
unsigned post_tracked(const AbstractPost *h) { return h->ntracked; }
unsigned post_intern_set(AbstractPost *h, const PredicateSet *m) { return set_pool_intern(h->masks, m->word); }
const PredicateSet *post_predicate_set(const AbstractPost *h, unsigned mask) { return (const PredicateSet *)set_pool_get(h->masks, mask); }

/* ---- steps ---- */

static bool is_step(const Step *s, const Expr *guard, const Update *updates) {
    if (s->transition.guard != guard || vec_len(s->transition.updates) != vec_len(updates)) return false;
    for (size_t i = 0; i < vec_len(updates); i++)
        if (s->transition.updates[i].variable != updates[i].variable || s->transition.updates[i].value != updates[i].value) return false;
    return true;
}

unsigned post_add_step(AbstractPost *h, const Expr *guard, const Update *updates) {
    ensure(expr_is_formula(guard));
    uint64_t hash = hash_word(guard->id), head = 0;
    for (size_t i = 0; i < vec_len(updates); i++) hash = hash_word(hash ^ ((uint64_t)updates[i].variable << 32 | updates[i].value->id));
    map_get(h->by_hash, hash, &head);
    for (unsigned i = (unsigned)head; i; i = h->steps[i - 1].chain)
        if (is_step(&h->steps[i - 1], guard, updates)) return i - 1;
    Step s = {.transition = {.guard = guard}, .chain = (unsigned)head};
    Collect c = {.system = h->system};
    expr_symbols(guard, collect, &c);
    for (size_t i = 0; i < vec_len(updates); i++) {
        vec_push(s.transition.updates, updates[i]);
        expr_symbols(updates[i].value, collect, &c);
    }
    vec_free(c.variables);
    s.transition.inputs = c.inputs;
    vec_push(h->steps, s);
    map_put(h->by_hash, hash, vec_len(h->steps));
    return (unsigned)vec_len(h->steps) - 1;
}

/* Brings the lists of the step up to date with the assertions that were added since. */
static void update_step(AbstractPost *h, Step *s) {
    size_t n = vec_len(h->assertions);
    if (vec_len(s->cores) < n + 1) vec_resize(s->cores, n + 1);
    if (vec_len(s->denied) < n) vec_resize(s->denied, n);
    for (; s->seen < n; s->seen++)
        for (size_t i = 0; i < vec_len(h->assertions[s->seen].variables); i++)
            if (transition_update(&s->transition, h->assertions[s->seen].variables[i])) predicates_add(&s->written, s->seen);
}

/* ---- models ---- */

typedef struct Scope {
    const AbstractPost *post;
    const Step *step;
    const Model *model;
    const Value *values; /* before or after */
} Scope;

static Fault lookup(void *context, const Symbol *s, unsigned n, const Value *args, Value *result) {
    const Scope *c = context;
    unsigned v = system_variable(c->post->system, s);
    (void)args;
    if (n || s->kind == SYM_FUNCTION) return FAULT_RANGE;
    if (v != NONE) {
        *result = c->values[v];
        return FAULT_NONE;
    }
    for (size_t i = 0; i < vec_len(c->step->transition.inputs); i++)
        if (c->step->transition.inputs[i] == s) {
            *result = c->model->inputs[i];
            return FAULT_NONE;
        }
    return FAULT_RANGE;
}

static bool evaluate(const AbstractPost *h, const Step *s, const Model *m, const Value *values, const Expr *e, Value *result) {
    Scope scope = {h, s, m, values};
    return expr_eval(&(EvalEnv){h->values, lookup, &scope}, e, result) == FAULT_NONE;
}

static Value zero_of(const AbstractPost *h, const Sort *sort) {
    if (sort->kind != SORT_ARRAY) return (Value){0};
    return (Value){.array = array_constant(h->values, zero_of(h, sort->element))};
}

/* Converts the solver's value of a symbol to a Value. False if the model has none. */
static bool solver_state(const AbstractPost *h, const Step *s, const Symbol *symbol, Value *value) {
    const Expr *e = solver_value(s->solver, expr_symbol(h->exprs, symbol));
    return e && expr_eval(&(EvalEnv){h->values, lookup, &(Scope){h, s, NULL, NULL}}, e, value) == FAULT_NONE;
}

static void find_after(const AbstractPost *h, const Step *s, Model *m) {
    size_t n = vec_len(h->system->variables);
    Value *after = arena_copy(h->arena, m->before, n * sizeof *after);
    m->after = after;
    for (size_t i = 0; i < vec_len(s->transition.updates); i++)
        if (!evaluate(h, s, m, m->before, s->transition.updates[i].value, &after[s->transition.updates[i].variable])) m->after = NULL;
}

/* Stores the model that the solver has just found, and returns it, or NULL. Variables that the solver's formulas do not mention get the
   value 0. */
static Model *store_model(AbstractPost *h, Step *s) {
    Model m = {.before = arena_array(h->arena, Value, vec_len(h->system->variables)),
               .inputs = arena_array(h->arena, Value, vec_len(s->transition.inputs) + 1)};
    Collect c = {.system = h->system};
    bool good = true;
    expr_symbols(s->transition.guard, collect, &c);
    for (size_t i = 0; i < vec_len(s->transition.updates); i++) expr_symbols(s->transition.updates[i].value, collect, &c);
    for (unsigned v = 0; v < vec_len(h->system->variables); v++) {
        m.before[v] = zero_of(h, h->system->variables[v].symbol->sort);
        if (h->tracked[v]) good &= solver_state(h, s, h->system->variables[v].symbol, &m.before[v]);
    }
    for (size_t i = 0; i < vec_len(c.variables); i++)
        if (!h->tracked[c.variables[i]]) good &= solver_state(h, s, h->system->variables[c.variables[i]].symbol, &m.before[c.variables[i]]);
    for (size_t i = 0; i < vec_len(s->transition.inputs); i++) good &= solver_state(h, s, s->transition.inputs[i], &m.inputs[i]);
    vec_free(c.variables);
    vec_free(c.inputs);
    if (!good) return NULL;
    find_after(h, s, &m);
    if (vec_len(s->models) < MAX_MODELS) {
        vec_push(s->models, m);
        return &vec_last(s->models);
    }
    Model *place = &s->models[s->oldest++ % MAX_MODELS];
    *place = m;
    return place;
}

/* True if all assertions of the mask hold before the step in the model. */
static bool satisfies(const AbstractPost *h, const Step *s, Model *m, const PredicateSet *mask) {
    unsigned i;
    PredicateSet open = *mask;
    for (unsigned w = 0; w < PREDICATE_WORDS; w++) {
        if (mask->word[w] & m->before_known.word[w] & ~m->before_true.word[w]) return false;
        open.word[w] &= ~m->before_known.word[w];
    }
    for (PredicateWalk w = predicates_walk(&open); predicates_next(&w, &i);) {
        Value v;
        bool known = evaluate(h, s, m, m->before, h->assertions[i].formula, &v);
        predicates_add(&m->before_known, i);
        if (!known || !v.bits) return false;
        predicates_add(&m->before_true, i);
    }
    return true;
}

/* True if the assertion is false after the step in the model. */
static bool fails_after(const AbstractPost *h, const Step *s, Model *m, unsigned i) {
    Value v;
    if (!predicates_has(&m->after_known, i)) {
        predicates_add(&m->after_known, i);
        if (m->after && evaluate(h, s, m, m->after, h->assertions[i].formula, &v) && !v.bits) predicates_add(&m->after_false, i);
    }
    return predicates_has(&m->after_false, i);
}

/* ---- the solver ---- */

/* Asks the solver for a state that satisfies the mask and the guard, and violates the assertion after the step (NONE for any). */
static SmtAnswer ask(AbstractPost *h, Step *s, const PredicateSet *mask, unsigned assertion) {
    unsigned i;
    if (!s->solver) {
        s->solver = solver_small(h->smt, SOLVER_MS);
        solver_assert(s->solver, s->transition.guard);
    }
    vec_clear(h->assumptions);
    for (PredicateWalk w = predicates_walk(mask); predicates_next(&w, &i);) {
        if (!predicates_has(&s->defined, i))
            solver_assert(s->solver, expr_implies(h->exprs, h->assertions[i].literal, h->assertions[i].formula));
        predicates_add(&s->defined, i);
        vec_push(h->assumptions, h->assertions[i].literal);
    }
    if (assertion != NONE && !s->denied[assertion]) {
        const Expr *after = transition_after(h->system, &s->transition, h->assertions[assertion].formula);
        s->denied[assertion] = expr_symbol(h->exprs, symbol_new(h->exprs, SYM_VARIABLE, "fails", sort_bool(h->exprs)));
        solver_assert(s->solver, expr_implies(h->exprs, s->denied[assertion], expr_not(h->exprs, after)));
    }
    if (assertion != NONE) vec_push(h->assumptions, s->denied[assertion]);
    h->stats->post_solver++;
    return solver_check_assuming(s->solver, vec_len(h->assumptions), h->assumptions);
}

/* Stores the part of the mask that the last SMT_UNSAT needed. */
static void store_core(AbstractPost *h, Step *s, const PredicateSet *mask, unsigned assertion) {
    PredicateSet core = {0};
    unsigned i, k = 0;
    vec_resize(h->needed, vec_len(h->assumptions));
    solver_core(s->solver, vec_len(h->assumptions), h->needed);
    for (PredicateWalk w = predicates_walk(mask); predicates_next(&w, &i); k++)
        if (h->needed[k]) predicates_add(&core, i);
    vec_push(s->cores[assertion == NONE ? 0 : assertion + 1], core);
}

static const PredicateSet *find_core(const Step *s, const PredicateSet *mask, unsigned assertion) {
    const PredicateSet *list = s->cores[assertion == NONE ? 0 : assertion + 1];
    for (size_t i = 0; i < vec_len(list); i++)
        if (predicates_within(&list[i], mask)) return &list[i];
    return NULL;
}

/* ---- abstract posts ---- */

/* Returns the indices of the step's models that satisfy the mask, as a vec. The mask may exclude the step if the result is empty. */
static unsigned *fitting_models(AbstractPost *h, Step *s, const PredicateSet *mask) {
    unsigned *list = NULL;
    for (unsigned i = 0; i < vec_len(s->models); i++)
        if (satisfies(h, s, &s->models[i], mask)) vec_push(list, i);
    return list;
}

static void add_model(AbstractPost *h, Step *s, const PredicateSet *mask, unsigned **list) {
    Model *m = store_model(h, s);
    if (m && satisfies(h, s, m, mask)) vec_push(*list, (unsigned)(m - s->models));
}

static bool is_refuted(const AbstractPost *h, const Step *s, const unsigned *models, unsigned assertion) {
    for (size_t i = 0; i < vec_len(models); i++)
        if (predicates_has(&s->models[models[i]].after_false, assertion)) return true;
    for (size_t i = 0; i < vec_len(models); i++)
        if (fails_after(h, s, &s->models[models[i]], assertion)) return true;
    return false;
}

/* True if the assertion holds after the step. The caller has tried the frame rule. */
static bool holds_after(AbstractPost *h, Step *s, const PredicateSet *mask, unsigned **models, unsigned assertion) {
    if (find_core(s, mask, assertion)) {
        h->stats->post_core++;
        return true;
    }
    if (is_refuted(h, s, *models, assertion)) {
        h->stats->post_model++;
        return false;
    }
    SmtAnswer a = ask(h, s, mask, assertion);
    if (a == SMT_UNSAT) store_core(h, s, mask, assertion);
    if (a == SMT_SAT) add_model(h, s, mask, models);
    return a == SMT_UNSAT;
}

static bool is_excluded(AbstractPost *h, Step *s, const PredicateSet *mask, unsigned **models) {
    *models = fitting_models(h, s, mask);
    if (vec_len(*models)) {
        h->stats->post_model++;
        return false;
    }
    if (find_core(s, mask, NONE)) {
        h->stats->post_core++;
        return true;
    }
    SmtAnswer a = ask(h, s, mask, NONE);
    if (a == SMT_UNSAT) store_core(h, s, mask, NONE);
    if (a == SMT_SAT) add_model(h, s, mask, models);
    return a == SMT_UNSAT;
}

unsigned post_after(AbstractPost *h, unsigned step, unsigned mask, const PredicateSet *these) {
    ensure(step < vec_len(h->steps) && mask != NEVER);
    Step *s = &h->steps[step];
    PredicateSet before = *post_predicate_set(h, mask), result = {0}, open = {0};
    unsigned *models = NULL, i;
    update_step(h, s);
    if (is_excluded(h, s, &before, &models)) {
        vec_free(models);
        return NEVER;
    }
    for (unsigned w = 0; w < PREDICATE_WORDS; w++) {
        result.word[w] = before.word[w] & ~s->written.word[w] & these->word[w];
        open.word[w] = these->word[w] & ~result.word[w];
        h->stats->post_frame += (unsigned)__builtin_popcountll(result.word[w]);
    }
    for (PredicateWalk w = predicates_walk(&open); predicates_next(&w, &i);)
        if (holds_after(h, s, &before, &models, i)) predicates_add(&result, i);
    vec_free(models);
    return post_intern_set(h, &result);
}

bool post_excludes(AbstractPost *h, unsigned step, unsigned mask) {
    ensure(step < vec_len(h->steps) && mask != NEVER);
    uint64_t key = (uint64_t)step << 32 | mask, known;
    if (map_get(h->excluded, key, &known)) {
        h->stats->post_memo++;
        return known;
    }
    Step *s = &h->steps[step];
    PredicateSet before = *post_predicate_set(h, mask);
    unsigned *models = NULL;
    update_step(h, s);
    bool result = is_excluded(h, s, &before, &models);
    vec_free(models);
    map_put(h->excluded, key, result);
    return result;
}

const Transition *post_transition(const AbstractPost *h, unsigned step) { return &h->steps[step].transition; }

const PredicateSet *post_written(AbstractPost *h, unsigned step) {
    ensure(step < vec_len(h->steps));
    update_step(h, &h->steps[step]);
    return &h->steps[step].written;
}

PredicateSet post_needs(AbstractPost *h, unsigned step, unsigned mask, unsigned assertion) {
    ensure(step < vec_len(h->steps) && (assertion == NONE || assertion < vec_len(h->assertions)));
    Step *s = &h->steps[step];
    const PredicateSet *before = post_predicate_set(h, mask);
    PredicateSet own = {0};
    update_step(h, s);
    if (assertion != NONE && predicates_has(before, assertion) && !predicates_has(&s->written, assertion)) {
        predicates_add(&own, assertion);
        return own;
    }
    const PredicateSet *core = find_core(s, before, assertion);
    ensure(core);
    return *core;
}
