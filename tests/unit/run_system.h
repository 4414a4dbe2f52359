/* SPDX-License-Identifier: Apache-2.0 */
/* All states of a small system, by evaluation alone: no solver, no analysis. Inputs and what has no initial value are a few small numbers, so a system has
   more states than are visited; what is visited can be reached.

   Of a kind of threads that exists in any number there are two: a thread and its twin. */
#ifndef HEDDLE_TEST_RUN_SYSTEM_H
#define HEDDLE_TEST_RUN_SYSTEM_H
#include "base/intern.h"
#include "base/map.h"
#include "base/vec.h"
#include "system/system.h"
#include <stdlib.h>
#include <string.h>

#ifndef MOST_SYSTEM_STATES
#define MOST_SYSTEM_STATES 20000
#endif
enum { MOST_INPUTS = 4096 }; /* tried for one transition */

typedef struct SystemSeen {
    uint64_t errors; /* a bit for each, by the first character of its text */
    bool complete;
    bool faults; /* something could not be evaluated: its transition was not taken */
    bool arrays; /* there are arrays of any value: few of them were tried */
} SystemSeen;

typedef struct SystemRun {
    const System *system;
    Values *values;
    const Value *now;            /* by variable */
    const Transition *transition;
    const Value *inputs;         /* of the transition */
    Interner *keys;
    Map *known;
    const char **work; /* a vec of states */
    size_t nthreads, nvariables, size;
    SystemSeen *seen;
} SystemRun;

/* A state is the threads' locations and the variables' values. */
static inline unsigned *run_locations(const SystemRun *r, char *state) { return (unsigned *)(void *)(state + r->nvariables * sizeof(Value)); }
static inline Value *run_values(char *state) { return (Value *)(void *)state; }

static Fault run_lookup(void *context, const Symbol *s, unsigned n, const Value *args, Value *result) {
    const SystemRun *r = context;
    (void)n, (void)args;
    unsigned v = system_variable(r->system, s);
    for (size_t i = 0; r->transition && i < vec_len(r->transition->inputs); i++)
        if (r->transition->inputs[i] == s) {
            *result = r->inputs[i];
            return FAULT_NONE;
        }
    if (v == NONE) return FAULT_UNREACHABLE;
    *result = r->now[v];
    return FAULT_NONE;
}

static bool run_eval(SystemRun *r, const Expr *e, Value *result) {
    EvalEnv env = {r->values, run_lookup, r};
    memset(result, 0, sizeof *result); /* padding is part of the state's key */
    Value v = {0};
    if (expr_eval(&env, e, &v) != FAULT_NONE) return false;
    result->bits = v.bits;
    result->array = v.array;
    return true;
}

/* ---- few values of a sort ---- */

static unsigned run_candidates(const Sort *s) {
    switch (s->kind) {
    case SORT_BOOL: return 2;
    case SORT_BV: return s->width == 1 ? 2 : 4;
    case SORT_INT: return 6;
    default: return run_candidates(s->element);
    }
}

static Value run_candidate(SystemRun *r, const Sort *s, unsigned i) {
    Value v;
    memset(&v, 0, sizeof v);
    if (s->kind == SORT_ARRAY) {
        r->seen->arrays = true;
        v.array = array_constant(r->values, run_candidate(r, s->element, i));
    } else {
        v.bits = s->kind == SORT_INT ? (u128)((i128)i - 2) : i;
    }
    return v;
}

/* ---- steps ---- */

static void run_add(SystemRun *r, const char *state) {
    const char *key = intern_n(r->keys, state, r->size);
    if (map_get(r->known, map_key(key), NULL)) return;
    map_put(r->known, map_key(key), 1);
    vec_push(r->work, key);
    for (size_t t = 0; t < r->nthreads; t++) {
        const SystemLocation *l = &r->system->threads[t].locations[run_locations(r, (char *)state)[t]];
        if (l->kind == LOCATION_ERROR) r->seen->errors |= UINT64_C(1) << (l->text ? (unsigned char)*l->text % 64 : 0);
    }
}

static void run_take(SystemRun *r, const char *state, unsigned thread, const Transition *tr, const Value *inputs) {
    Value holds, value;
    r->now = run_values((char *)state);
    r->transition = tr;
    r->inputs = inputs;
    if (!run_eval(r, tr->guard, &holds)) {
        r->seen->faults = true;
        return;
    }
    if (!holds.bits) return;
    char *after = malloc(r->size);
    memcpy(after, state, r->size);
    bool good = true;
    for (size_t u = 0; u < vec_len(tr->updates); u++) {
        good &= run_eval(r, tr->updates[u].value, &value);
        run_values(after)[tr->updates[u].variable] = value;
    }
    run_locations(r, after)[thread] = tr->target;
    if (good) run_add(r, after);
    else r->seen->faults = true;
    free(after);
}

/* With all inputs that are tried. */
static void run_transition(SystemRun *r, const char *state, unsigned thread, const Transition *tr) {
    size_t n = vec_len(tr->inputs), product = 1;
    unsigned at[16] = {0};
    Value inputs[16];
    for (size_t i = 0; i < n; i++) product *= run_candidates(tr->inputs[i]->sort);
    if (n > 16 || product > MOST_INPUTS) {
        r->seen->complete = false;
        return;
    }
    for (;;) {
        size_t i = 0;
        for (size_t k = 0; k < n; k++) inputs[k] = run_candidate(r, tr->inputs[k]->sort, at[k]);
        run_take(r, state, thread, tr, inputs);
        while (i < n && ++at[i] == run_candidates(tr->inputs[i]->sort)) at[i++] = 0;
        if (i == n) return;
    }
}

static void run_expand(SystemRun *r, const char *state) {
    const unsigned *at = run_locations(r, (char *)state);
    unsigned only = NONE;
    for (unsigned t = 0; t < r->nthreads; t++)
        if (r->system->threads[t].locations[at[t]].atomic) only = t;
    for (unsigned t = 0; t < r->nthreads; t++) {
        const SystemThread *thread = &r->system->threads[t];
        const unsigned *out = thread->locations[at[t]].out;
        for (size_t i = 0; i < vec_len(out) && (only == NONE || only == t); i++) run_transition(r, state, t, &thread->transitions[out[i]]);
    }
}

/* ---- initial states ---- */

static bool run_is_given(const SystemRun *r, unsigned v) {
    const SystemVariable *x = &r->system->variables[v];
    for (size_t t = 0; t < r->nthreads; t++)
        if (r->system->threads[t].self == v) return true;
    if (x->init || x->thread != NONE) return true; /* locals are set before they are read */
    return x->origin && !x->origin->global;        /* so are arguments; a result is 0 */
}

static void run_start(SystemRun *r, char *state, unsigned v) {
    if (v == r->nvariables) {
        run_add(r, state);
        return;
    }
    const SystemVariable *x = &r->system->variables[v];
    r->now = run_values(state);
    r->transition = NULL;
    Value zero = run_candidate(r, x->symbol->sort, x->symbol->sort->kind == SORT_INT ? 2 : 0);
    run_values(state)[v] = zero;
    if (x->init && !run_eval(r, x->init, &run_values(state)[v])) r->seen->complete = false;
    for (unsigned t = 0; t < r->nthreads; t++)
        if (r->system->threads[t].self == v) run_values(state)[v].bits = r->nthreads + 1 + t;
    if (run_is_given(r, v)) {
        run_start(r, state, v + 1);
        return;
    }
    for (unsigned i = 0; i < run_candidates(x->symbol->sort) && map_size(r->known) < MOST_SYSTEM_STATES; i++) {
        run_values(state)[v] = run_candidate(r, x->symbol->sort, i);
        run_start(r, state, v + 1);
    }
}

/* Everything that is seen of s. */
static void run_system(const System *s, SystemSeen *seen) {
    SystemRun r = {.system = s, .values = values_new(), .keys = interner_new(), .known = map_new(), .nthreads = vec_len(s->threads),
                   .nvariables = vec_len(s->variables), .seen = seen};
    *seen = (SystemSeen){.complete = true};
    r.size = r.nvariables * sizeof(Value) + r.nthreads * sizeof(unsigned);
    char *state = calloc(1, r.size);
    for (unsigned t = 0; t < r.nthreads; t++) run_locations(&r, state)[t] = s->threads[t].entry;
    run_start(&r, state, 0);
    while (vec_len(r.work)) {
        memcpy(state, vec_pop(r.work), r.size); /* aligned */
        if (map_size(r.known) < MOST_SYSTEM_STATES) run_expand(&r, state);
        else seen->complete = false;
    }
    free(state);
    vec_free(r.work);
    map_free(r.known);
    interner_free(r.keys);
    values_free(r.values);
}

#endif
