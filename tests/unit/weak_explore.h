/* SPDX-License-Identifier: Apache-2.0 */
/* All executions of a small program with the interpreter's buffers, in every order of steps and arrivals. After explore.h. */
#pragma once
#include "explore.h"
#include "ir/machine.h"
#include <stdio.h>

typedef struct Weak {
    Program *program;
    Machine *machine;
    Interner *encodings;
    Map *known;
    State **work; /* a vec */
    unsigned room;
    bool cut, full, divides;
    uint64_t errors;
    void (*ended)(void *context, Machine *,
                  const State *); /* called where all threads have ended and all stores have arrived; NULL: nobody is */
    void *context;
} Weak;

static void weak_add(Weak *w, State *s) {
    Buf bytes = {0};
    state_encode(w->machine, s, &bytes);
    for (unsigned t = 1; t <= state_threads(s); t++) {
        buf_printf(&bytes, "/%u", t);
        for (size_t i = 0; i < vec_len(s->pending); i++) {
            const Pending *p = &s->pending[i];
            if (p->thread != t) continue;
            buf_printf(&bytes, " %d %p %llu %llu %u", p->barrier, (const void *)p->variable, (unsigned long long)p->address,
                       (unsigned long long)p->size, (unsigned)p->value.bits);
        }
        const Location *l = &w->program->templates[state_template(s, t)]->locations[state_location(s, t)];
        if (l->kind == LOCATION_ERROR) w->errors |= error_bit(l->text);
        if (state_buffered_stores(s, t) > w->room) {
            w->full = true;
            state_free(w->machine, s);
            buf_free(&bytes);
            return;
        }
    }
    const char *key = intern_n(w->encodings, buf_string(&bytes), bytes.length);
    buf_free(&bytes);
    if (map_get(w->known, map_key(key), NULL)) {
        state_free(w->machine, s);
        return;
    }
    map_put(w->known, map_key(key), 1);
    vec_push(w->work, s);
}

typedef struct Chance {
    unsigned value;
    bool asked;
} Chance;

static u128 by_chance(void *context, const Choice *c) {
    Chance *x = context;
    (void)c;
    x->asked = true;
    return x->value;
}

static void weak_step(Weak *w, const State *s, unsigned thread, unsigned action) {
    Chance chance = {0};
    Chooser chooser = {by_chance, &chance};
    do {
        State *next = state_copy(w->machine, s);
        StepResult r = machine_step(w->machine, next, thread, action, &chooser, NULL);
        w->divides |= r.status == STEP_FAULT && r.fault == FAULT_DIVISION;
        if (r.status == STEP_DONE) weak_add(w, next);
        else state_free(w->machine, next);
    } while (chance.asked && ++chance.value < 4);
}

static void weak_expand(Weak *w, const State *s) {
    const Action *stored;
    bool ended = w->ended;
    for (unsigned t = 1; t <= state_threads(s); t++) {
        const Location *l = &w->program->templates[state_template(s, t)]->locations[state_location(s, t)];
        ended &= !state_buffered_stores(s, t) && !vec_len(l->out);
    }
    if (ended) w->ended(w->context, w->machine, s);
    for (unsigned t = 1; t <= state_threads(s); t++) {
        const Location *l = &w->program->templates[state_template(s, t)]->locations[state_location(s, t)];
        for (size_t i = 0; i < vec_len(l->out); i++) weak_step(w, s, t, l->out[i]);
        for (unsigned i = 0; i < state_buffered_stores(s, t); i++) {
            State *next = state_copy(w->machine, s);
            if (machine_flush(w->machine, next, t, i, NULL, &stored).status == STEP_DONE) weak_add(w, next);
            else state_free(w->machine, next);
        }
    }
}

static inline Weak weak_explore_ends(Program *p, unsigned room, void (*ended)(void *, Machine *, const State *), void *context) {
    Weak w = {.program = p,
              .machine = machine_new(p, (MachineRules){0}),
              .encodings = interner_new(),
              .known = map_new(),
              .room = room,
              .ended = ended,
              .context = context};
    weak_add(&w, state_initial(w.machine, NULL));
    while (vec_len(w.work)) {
        State *s = vec_pop(w.work);
        if (map_size(w.known) < MAX_STATES) weak_expand(&w, s);
        state_free(w.machine, s);
    }
    w.cut = map_size(w.known) >= MAX_STATES;
    vec_free(w.work);
    map_free(w.known);
    interner_free(w.encodings);
    machine_free(w.machine);
    return w;
}

/* The errors, with no more than so many stores that wait in a buffer. */
static inline Weak weak_explore(Program *p, unsigned room) { return weak_explore_ends(p, room, NULL, NULL); }
