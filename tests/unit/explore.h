/* SPDX-License-Identifier: Apache-2.0 */
/* All states of a small program, and what can be seen of them: the values of its globals x, y and z outside atomic sections, errors, faults. */
#pragma once
#include "ir_test.h"
#include "base/map.h"
#include "ir/step.h"
#include <stdlib.h>

#ifndef MAX_STATES
#define MAX_STATES 30000
#endif

/* What can be seen of a program's executions. */
typedef struct Seen {
    bool values[64]; /* of x, y, z: their two lowest bits */
    bool faults[FAULT_COUNT];
    uint64_t errors; /* a bit for each, by the first character of its text */
    bool error, complete;
} Seen;

static inline uint64_t error_bit(const char *text) { return UINT64_C(1) << (text ? (unsigned char)*text % 64 : 0); }

/* The values to try for a choice, as a vec. */
typedef const u128 *(*ValuesToTry)(void *context, const Choice *);

typedef struct Exploration {
    Program *program;
    ValuesToTry candidates; /* NULL: 0 to 3 */
    void *context;
    Machine *machine;
    Interner *encodings;
    Map *known;
    State **work; /* a vec */
    Seen *seen;
    unsigned *choices, *limits; /* vecs: what the step chose, out of how many */
    size_t next;
    bool cut; /* a step has too many choices, or a state too many threads */
} Exploration;

static u128 choose(void *context, const Choice *c) {
    Exploration *s = context;
    const u128 *values = s->candidates && c->kind == CHOICE_VALUE ? s->candidates(s->context, c) : NULL;
    unsigned limit = values ? (unsigned)vec_len(values) : c->kind == CHOICE_ONE_OF ? (unsigned)c->count : c->sort->width < 2 ? 2 : 4;
    if (s->next == vec_len(s->choices)) {
        vec_push(s->choices, 0u);
        vec_push(s->limits, limit);
    }
    unsigned choice = s->choices[s->next++];
    return values ? values[choice] : choice;
}

/* The next sequence of choices; false after the last. */
static bool advance(Exploration *s) {
    while (vec_len(s->choices)) {
        if (++vec_last(s->choices) < vec_last(s->limits)) return true;
        (void)vec_pop(s->choices);
        (void)vec_pop(s->limits);
    }
    return false;
}

static void note(Exploration *s, const State *state) {
    unsigned packed = 0;
    for (size_t i = 0; i < 3 && i < vec_len(s->program->globals); i++)
        packed = packed * 4 + ((unsigned)state_variable(s->machine, state, s->program->globals[i], 1).bits & 3);
    if (!state_atomic_thread(s->machine, state)) s->seen->values[packed] = true;
    for (unsigned t = 1; t <= state_threads(state); t++) {
        const Template *template_ = s->program->templates[state_template(state, t)];
        const Location *l = &template_->locations[state_location(state, t)];
        if (l->kind != LOCATION_ERROR) continue;
        s->seen->error = true;
        s->seen->errors |= error_bit(l->text);
    }
}

static void add(Exploration *s, State *state) {
    Buf bytes = {0};
    state_encode(s->machine, state, &bytes);
    const char *key = intern_n(s->encodings, buf_string(&bytes), bytes.length);
    buf_free(&bytes);
    if (map_get(s->known, map_key(key), NULL)) {
        state_free(s->machine, state);
        return;
    }
    map_put(s->known, map_key(key), 1);
    note(s, state);
    vec_push(s->work, state);
}

static void take(Exploration *s, const State *state, unsigned thread, unsigned action) {
    enum { MAX_CHOICES = 600 };
    Chooser chooser = {.choose = choose, .context = s};
    unsigned tries = 0;
    do {
        State *copy = state_copy(s->machine, state);
        s->next = 0;
        StepResult r = machine_step(s->machine, copy, thread, action, &chooser, NULL);
        if (r.status == STEP_FAULT) s->seen->faults[r.fault] = true;
        if (r.status == STEP_DONE) add(s, copy);
        else state_free(s->machine, copy);
        s->cut |= tries == MAX_CHOICES;
    } while (advance(s) && tries++ < MAX_CHOICES);
    vec_clear(s->choices);
    vec_clear(s->limits);
}

static void expand(Exploration *s, const State *state) {
    enum { MAX_THREADS = 10 };
    if (state_threads(state) > MAX_THREADS) {
        s->cut = true;
        return;
    }
    for (unsigned t = 1; t <= state_threads(state); t++) {
        const Template *template_ = s->program->templates[state_template(state, t)];
        const Location *l = &template_->locations[state_location(state, t)];
        for (size_t i = 0; i < vec_len(l->out); i++) take(s, state, t, l->out[i]);
    }
}

/* Everything that can be seen of p, with these values for what is chosen. */
static void explore_with(Program *p, Seen *seen, ValuesToTry candidates, void *context) {
    Exploration s = {.program = p,
                     .candidates = candidates,
                     .context = context,
                     .machine = machine_new(p, (MachineRules){0}),
                     .encodings = interner_new(),
                     .known = map_new(),
                     .seen = seen};
    add(&s, state_initial(s.machine, NULL));
    while (vec_len(s.work)) {
        State *state = vec_pop(s.work);
        if (map_size(s.known) < MAX_STATES) expand(&s, state);
        state_free(s.machine, state);
    }
    seen->complete = map_size(s.known) < MAX_STATES && !s.cut;
    vec_free(s.work);
    vec_free(s.choices);
    vec_free(s.limits);
    map_free(s.known);
    interner_free(s.encodings);
    machine_free(s.machine);
}

/* … Of inputs and undefined values only 0 to 3 are tried. */
static inline void explore(Program *p, Seen *seen) { explore_with(p, seen, NULL, NULL); }

/* The text with every `from` replaced. */
static inline void replace_all(Buf *text, const char *from, const char *to) {
    Buf changed = {0};
    const char *at = buf_string(text), *found;
    while ((found = strstr(at, from))) {
        buf_bytes(&changed, at, (size_t)(found - at));
        buf_text(&changed, to);
        at = found + strlen(from);
    }
    buf_text(&changed, at);
    buf_free(text);
    *text = changed;
}
