/* SPDX-License-Identifier: Apache-2.0 */
/* The clean-up pass keeps what can be observed: for random programs, all states are explored before and after it, and
   the reachable values of the globals (outside atomic sections, where somebody may look), the errors and the faults
   must be the same. */
#include "ir_test.h"
#include "base/map.h"
#include "ir/clean.h"
#include "ir/step.h"
#include "random_program.h"
#include <stdlib.h>

enum { MAX_STATES = 30000 };

/* What can be seen of a program's executions. */
typedef struct Seen {
    bool values[64]; /* of x, y, z */
    bool faults[FAULT_COUNT];
    bool error, complete;
} Seen;

typedef struct Search {
    Program *program;
    Machine *machine;
    Interner *encodings;
    Map *known;
    State **work; /* a vec */
    Seen *seen;
    unsigned *choices, *limits; /* vecs: what the step chose, out of how many */
    size_t next;
} Search;

static u128 choose(void *context, const Choice *c) {
    Search *s = context;
    unsigned limit = c->kind == CHOICE_ONE_OF ? (unsigned)c->count : 1u << c->sort->width;
    if (s->next == vec_len(s->choices)) {
        vec_push(s->choices, 0u);
        vec_push(s->limits, limit);
    }
    return s->choices[s->next++];
}

/* The next sequence of choices; false after the last. */
static bool advance(Search *s) {
    while (vec_len(s->choices)) {
        if (++vec_last(s->choices) < vec_last(s->limits)) return true;
        (void)vec_pop(s->choices);
        (void)vec_pop(s->limits);
    }
    return false;
}

static void note(Search *s, const State *state) {
    unsigned packed = 0;
    for (size_t i = 0; i < 3; i++)
        packed = packed * 4 + (unsigned)state_variable(s->machine, state, s->program->globals[i], 1).bits;
    if (!state_atomic_thread(s->machine, state)) s->seen->values[packed] = true;
    for (unsigned t = 1; t <= state_threads(state); t++) {
        const Template *template_ = s->program->templates[state_template(state, t)];
        if (template_->locations[state_location(state, t)].kind == LOCATION_ERROR) s->seen->error = true;
    }
}

static void add(Search *s, State *state) {
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

static void take(Search *s, const State *state, unsigned thread, unsigned action) {
    Chooser chooser = {.choose = choose, .context = s};
    do {
        State *copy = state_copy(s->machine, state);
        s->next = 0;
        StepResult r = machine_step(s->machine, copy, thread, action, &chooser, NULL);
        if (r.status == STEP_FAULT) s->seen->faults[r.fault] = true;
        if (r.status == STEP_DONE) add(s, copy);
        else state_free(s->machine, copy);
    } while (advance(s));
}

static void expand(Search *s, const State *state) {
    for (unsigned t = 1; t <= state_threads(state); t++) {
        const Template *template_ = s->program->templates[state_template(state, t)];
        const Location *l = &template_->locations[state_location(state, t)];
        for (size_t i = 0; i < vec_len(l->out); i++) take(s, state, t, l->out[i]);
    }
}

static void explore(Program *p, Seen *seen) {
    Search s = {.program = p, .machine = machine_new(p), .encodings = interner_new(), .known = map_new(), .seen = seen};
    add(&s, state_initial(s.machine, NULL));
    while (vec_len(s.work)) {
        State *state = vec_pop(s.work);
        if (map_size(s.known) < MAX_STATES) expand(&s, state);
        state_free(s.machine, state);
    }
    seen->complete = map_size(s.known) < MAX_STATES;
    vec_free(s.work);
    vec_free(s.choices);
    vec_free(s.limits);
    map_free(s.known);
    interner_free(s.encodings);
    machine_free(s.machine);
}

static size_t size_of(const Program *p) {
    size_t n = 0;
    for (size_t i = 0; i < vec_len(p->templates); i++) n += vec_len(p->templates[i]->locations);
    return n;
}

static void compare(const char *text, unsigned *compared, unsigned *smaller) {
    Program *p = program_of(text);
    Seen before = {0}, after = {0};
    Buf complaint = {0};
    explore(p, &before);
    size_t size = size_of(p);
    program_clean(p);
    if (!program_check(p, &complaint)) fail_msg("%s\n%s", buf_string(&complaint), text);
    explore(p, &after);
    if (before.complete && after.complete) {
        ++*compared;
        *smaller += size_of(p) < size;
        if (memcmp(&before, &after, sizeof before)) {
            Buf cleaned = {0};
            program_print(&cleaned, p);
            fail_msg("other behaviour after clean-up:\n%s\n%s", text, buf_string(&cleaned));
        }
    }
    program_free(p);
}

/* The same program, but its additions may overflow. */
static void make_faulty(Buf *text) {
    Buf faulty = {0};
    const char *at = buf_string(text), *found;
    while ((found = strstr(at, "(add "))) {
        buf_bytes(&faulty, at, (size_t)(found - at));
        buf_text(&faulty, "(add nsw ");
        at = found + strlen("(add ");
    }
    buf_text(&faulty, at);
    buf_free(text);
    *text = faulty;
}

static void same_behaviour(void **state) {
    (void)state;
    unsigned compared = 0, smaller = 0, rounds = getenv("ROUNDS") ? (unsigned)atoi(getenv("ROUNDS")) : 400;
    for (unsigned i = 1; i <= rounds; i++) {
        Dice dice = {.state = i * UINT64_C(0x9e3779b97f4a7c15)};
        Buf text = {0};
        random_program(&dice, &text);
        if (i % 2) make_faulty(&text);
        compare(buf_string(&text), &compared, &smaller);
        buf_free(&text);
    }
    print_message("%u programs compared, %u of them smaller after the pass\n", compared, smaller);
    assert_true(compared > rounds / 2 && smaller > rounds / 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_behaviour)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
