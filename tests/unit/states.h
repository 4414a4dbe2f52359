/* SPDX-License-Identifier: Apache-2.0 */
/* All states of a small system, by evaluation alone: no solver, no analysis. It is what passes over systems are compared by.

   Of inputs, and of variables without an initial value, a few small values are tried: what is visited can be reached, but perhaps not everything
   that can be reached is visited. A variable without an initial value gets one when it is read first. Of a kind of threads that exists in any
   number there are two: a thread and its twin. A transition whose guard or values cannot be evaluated (a fault) is not taken. */
#pragma once
#include "base/die.h"
#include "base/intern.h"
#include "base/vec.h"
#include "system/system.h"
#include <stdlib.h>
#include <string.h>

typedef struct SystemPlace {
    unsigned thread, location;
} SystemPlace;

typedef struct SystemStates {
    SystemPlace *errors; /* a vec: the error locations that are reached, once each, in the order in which they are found */
    size_t count;        /* states visited */
    bool complete;       /* false: there are more states, or choices of a transition, than were to be visited */
    bool faults;         /* something could not be evaluated */
    bool arrays;         /* there are arrays of any value: only those were tried that are 0 but for 1 in some of the first places */
} SystemStates;

enum { MOST_CHOICES = 4096, MOST_CHOSEN = 16 }; /* tried for one transition; inputs, and variables read first, of one */

/* A state is the variables' values, which of them have one, and the threads' locations: bytes that are interned. */
typedef struct Run {
    const System *system;
    SystemStates *seen;
    size_t most;
    Values *values;
    Interner *keys;
    Map *known;
    const char **work; /* a vec of states */
    size_t nthreads, nvariables, size;
    unsigned ***reads; /* by thread, transition: a vec of the variables without an initial value in it */
    /* the transition that is being taken, from this state: */
    char *now;
    const Transition *transition;
    const Symbol *chosen[MOST_CHOSEN]; /* inputs; then variables that are read first */
    Value choice[MOST_CHOSEN];
    size_t nchosen;
} Run;

static inline Value *values_of(char *state) { return (Value *)(void *)state; }
static inline unsigned *locations_of(const Run *r, char *state) { return (unsigned *)(void *)(state + r->nvariables * sizeof(Value)); }
static inline char *has_value(const Run *r, char *state) { return (char *)(locations_of(r, state) + r->nthreads); }

static inline void *allocated(size_t size) {
    void *p = calloc(1, size ? size : 1);
    if (!p) out_of_resources("out of memory");
    return p;
}

/* ---- evaluation ---- */

static inline Fault lookup(void *context, const Symbol *s, unsigned n, const Value *args, Value *result) {
    const Run *r = context;
    (void)n, (void)args;
    for (size_t i = 0; i < r->nchosen; i++)
        if (r->chosen[i] == s) {
            *result = r->choice[i];
            return FAULT_NONE;
        }
    unsigned v = system_variable(r->system, s);
    if (v == NONE) return FAULT_UNREACHABLE;
    *result = values_of(r->now)[v];
    return FAULT_NONE;
}

static inline bool evaluate(Run *r, const Expr *e, Value *result) {
    EvalEnv env = {r->values, lookup, r};
    Value v = {0};
    memset(result, 0, sizeof *result); /* padding is part of the state's key */
    if (expr_eval(&env, e, &v) != FAULT_NONE) return false;
    result->bits = v.bits;
    result->array = v.array;
    return true;
}

/* ---- few values of a sort ---- */

enum { FILLED = 3 }; /* elements of an array that are tried as 0 and 1 */

static inline unsigned candidates(const Sort *s) {
    switch (s->kind) {
    case SORT_BOOL: return 2;
    case SORT_BV: return s->width == 1 ? 2 : 4;
    case SORT_INT: return 6;
    default: return 1u << FILLED;
    }
}

static inline Value candidate(Run *, const Sort *, unsigned i);

/* Arrays of zeros and ones that begin as the bits of i. */
static inline Value candidate_array(Run *r, const Sort *s, unsigned i) {
    const unsigned zero = s->element->kind == SORT_INT ? 2 : 0;
    Value v, index;
    memset(&v, 0, sizeof v);
    memset(&index, 0, sizeof index);
    r->seen->arrays = true;
    v.array = array_constant(r->values, candidate(r, s->element, zero));
    for (unsigned k = 0; k < FILLED && s->index->kind != SORT_ARRAY && (s->index->kind == SORT_INT || k < candidates(s->index)); k++) {
        index.bits = k;
        if (i >> k & 1) v.array = array_store(r->values, v.array, index, candidate(r, s->element, zero + 1));
    }
    return v;
}

/* 0 to 3; of integers -2 to 3. */
static inline Value candidate(Run *r, const Sort *s, unsigned i) {
    Value v;
    memset(&v, 0, sizeof v);
    if (s->kind == SORT_ARRAY) return candidate_array(r, s, i);
    v.bits = s->kind == SORT_INT ? (u128)((i128)i - 2) : i;
    return v;
}

/* ---- steps ---- */

static inline void note_errors(Run *r, char *state) {
    for (unsigned t = 0; t < r->nthreads; t++) {
        SystemPlace p = {t, locations_of(r, state)[t]};
        bool known = r->system->threads[t].locations[p.location].kind != LOCATION_ERROR;
        for (size_t i = 0; i < vec_len(r->seen->errors) && !known; i++)
            known = r->seen->errors[i].thread == p.thread && r->seen->errors[i].location == p.location;
        if (!known) vec_push(r->seen->errors, p);
    }
}

static inline void add_state(Run *r, char *state) {
    const char *key = intern_n(r->keys, state, r->size);
    if (map_get(r->known, map_key(key), NULL)) return;
    map_put(r->known, map_key(key), 1);
    vec_push(r->work, key);
    note_errors(r, state);
}

/* With what is chosen now. */
static inline void take_transition(Run *r, unsigned thread) {
    const Transition *tr = r->transition;
    Value holds, value;
    if (!evaluate(r, tr->guard, &holds)) {
        r->seen->faults = true;
        return;
    }
    if (!holds.bits) return;
    char *after = allocated(r->size);
    memcpy(after, r->now, r->size);
    for (size_t i = vec_len(tr->inputs); i < r->nchosen; i++) {
        unsigned v = system_variable(r->system, r->chosen[i]);
        values_of(after)[v] = r->choice[i];
        has_value(r, after)[v] = 1;
    }
    bool good = true;
    for (size_t u = 0; u < vec_len(tr->updates) && good; u++) {
        good = evaluate(r, tr->updates[u].value, &value);
        values_of(after)[tr->updates[u].variable] = value;
        has_value(r, after)[tr->updates[u].variable] = 1;
    }
    locations_of(r, after)[thread] = tr->target;
    if (good) add_state(r, after);
    else r->seen->faults = true;
    free(after);
}

/* Its inputs, and what it reads that has no value yet. False: too much. */
static inline bool find_choices(Run *r, unsigned thread) {
    const unsigned *reads = r->reads[thread][r->transition->index];
    size_t product = 1;
    r->nchosen = 0;
    for (size_t i = 0; i < vec_len(r->transition->inputs) && r->nchosen < MOST_CHOSEN; i++)
        r->chosen[r->nchosen++] = r->transition->inputs[i];
    for (size_t i = 0; i < vec_len(reads) && r->nchosen < MOST_CHOSEN; i++)
        if (!has_value(r, r->now)[reads[i]]) r->chosen[r->nchosen++] = r->system->variables[reads[i]].symbol;
    for (size_t i = 0; i < r->nchosen && product <= MOST_CHOICES; i++) product *= candidates(r->chosen[i]->sort);
    return r->nchosen < MOST_CHOSEN && product <= MOST_CHOICES;
}

/* With all that can be chosen. */
static inline void take_all_choices(Run *r, unsigned thread, const Transition *tr) {
    unsigned at[MOST_CHOSEN] = {0};
    r->transition = tr;
    if (!find_choices(r, thread)) {
        r->seen->complete = false;
        return;
    }
    for (;;) {
        size_t i = 0;
        for (size_t k = 0; k < r->nchosen; k++) r->choice[k] = candidate(r, r->chosen[k]->sort, at[k]);
        take_transition(r, thread);
        while (i < r->nchosen && ++at[i] == candidates(r->chosen[i]->sort)) at[i++] = 0;
        if (i == r->nchosen) return;
    }
}

static inline void expand_state(Run *r) {
    const unsigned *at = locations_of(r, r->now);
    unsigned only = NONE;
    for (unsigned t = 0; t < r->nthreads; t++)
        if (r->system->threads[t].locations[at[t]].atomic) only = t;
    for (unsigned t = 0; t < r->nthreads; t++) {
        const SystemThread *thread = &r->system->threads[t];
        const unsigned *out = thread->locations[at[t]].out;
        for (size_t i = 0; i < vec_len(out) && (only == NONE || only == t); i++) take_all_choices(r, t, &thread->transitions[out[i]]);
    }
}

/* ---- the start ---- */

typedef struct Reading {
    const System *system;
    unsigned *list; /* a vec */
} Reading;

static inline void note_read(void *context, const Symbol *s) {
    Reading *g = context;
    unsigned v = system_variable(g->system, s);
    if (v == NONE || g->system->variables[v].init) return;
    for (size_t i = 0; i < vec_len(g->list); i++)
        if (g->list[i] == v) return;
    vec_push(g->list, v);
}

static inline void find_reads(Run *r) {
    const System *s = r->system;
    for (size_t t = 0; t < r->nthreads; t++) {
        unsigned **of_thread = NULL;
        for (size_t i = 0; i < vec_len(s->threads[t].transitions); i++) {
            const Transition *tr = &s->threads[t].transitions[i];
            Reading g = {s, NULL};
            expr_symbols(tr->guard, note_read, &g);
            for (size_t u = 0; u < vec_len(tr->updates); u++) expr_symbols(tr->updates[u].value, note_read, &g);
            vec_push(of_thread, g.list);
        }
        vec_push(r->reads, of_thread);
    }
}

static inline void free_reads(Run *r) {
    for (size_t t = 0; t < vec_len(r->reads); t++) {
        for (size_t i = 0; i < vec_len(r->reads[t]); i++) vec_free(r->reads[t][i]);
        vec_free(r->reads[t]);
    }
    vec_free(r->reads);
}

static inline void start(Run *r) {
    const System *s = r->system;
    for (unsigned v = 0; v < r->nvariables; v++) {
        if (!s->variables[v].init) continue;
        has_value(r, r->now)[v] = 1;
        if (!evaluate(r, s->variables[v].init, &values_of(r->now)[v])) r->seen->complete = false;
    }
    for (unsigned t = 0; t < r->nthreads; t++) {
        locations_of(r, r->now)[t] = s->threads[t].entry;
        if (s->threads[t].self == NONE) continue;
        values_of(r->now)[s->threads[t].self].bits = r->nthreads + 1 + t;
        has_value(r, r->now)[s->threads[t].self] = 1;
    }
    add_state(r, r->now);
}

/* Visits at most so many states. */
static inline void system_states(const System *s, size_t most, SystemStates *seen) {
    Run r = {.system = s,
             .seen = seen,
             .most = most,
             .values = values_new(),
             .keys = interner_new(),
             .known = map_new(),
             .nthreads = vec_len(s->threads),
             .nvariables = vec_len(s->variables)};
    *seen = (SystemStates){.complete = true};
    r.size = r.nvariables * (sizeof(Value) + 1) + r.nthreads * sizeof(unsigned);
    r.now = allocated(r.size);
    find_reads(&r);
    start(&r);
    while (vec_len(r.work)) {
        memcpy(r.now, vec_pop(r.work), r.size); /* aligned */
        if (map_size(r.known) < most) expand_state(&r);
        else seen->complete = false;
    }
    seen->count = map_size(r.known);
    free(r.now);
    free_reads(&r);
    vec_free(r.work);
    map_free(r.known);
    interner_free(r.keys);
    values_free(r.values);
}

static inline void system_states_free(SystemStates *s) { vec_free(s->errors); }
