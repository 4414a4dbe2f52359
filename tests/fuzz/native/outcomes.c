/* SPDX-License-Identifier: Apache-2.0 */
/* outcomes [--states N] FILE.hir: every outcome of every execution of a program of the IR, by its interpreter, without any reduction. The lines are those of
   explore.c; others are
     stop TEXT  what follows is not modelled     over TEXT  from here on there may be more behaviours than the program has
     names      which of o0, o1 … the values are of (a variable that nobody needs is not there)
   Exit code 3: bad input, or a choice among too many; 4: more states than N. */
#include "base/map.h"
#include "base/vec.h"
#include "ir/step.h"
#include "ir/wait.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_OUTS = 16, WIDE = 8 };

typedef struct Exploration {
    Program *program;
    Machine *machine;
    Interner *strings;
    Map *known, *outcomes;
    const char **lines;         /* vec: outcomes */
    const char **states;        /* vec: encodings, in the order in which they were found */
    size_t *sizes;              /* vec */
    unsigned *choices, *limits; /* vecs: what the step chose, out of how many */
    size_t next, steps, most;
    const Variable *outs[MAX_OUTS];
} Exploration;

static _Noreturn void refuse(int code, const char *text) {
    fprintf(stderr, "outcomes: %s\n", text);
    exit(code);
}

/* ---- choices ---- */

static u128 choose(void *context, const Choice *c) {
    Exploration *e = context;
    unsigned width = c->kind == CHOICE_VALUE && c->sort->kind == SORT_BV ? c->sort->width : 1;
    if (c->kind == CHOICE_COUNT || (width > WIDE && !c->undefined)) refuse(3, "a choice among too many values");
    unsigned limit = c->undefined               ? 1
                     : c->kind == CHOICE_ONE_OF ? (unsigned)c->count
                                                : 1u << width; /* the programs do not look at what is undefined */
    if (e->next == vec_len(e->choices)) {
        vec_push(e->choices, 0u);
        vec_push(e->limits, limit);
    }
    return e->choices[e->next++];
}

/* The next sequence of choices; false after the last. */
static bool advance(Exploration *e) {
    while (vec_len(e->choices)) {
        if (++vec_last(e->choices) < vec_last(e->limits)) return true;
        (void)vec_pop(e->choices);
        (void)vec_pop(e->limits);
    }
    return false;
}

/* ---- outcomes ---- */

static void add_line(Exploration *e, Buf *line) {
    const char *text = intern_n(e->strings, buf_string(line), line->length);
    buf_free(line);
    if (map_get(e->outcomes, map_key(text), NULL)) return;
    map_put(e->outcomes, map_key(text), 1);
    vec_push(e->lines, text);
}

static void outcome(Exploration *e, const State *s, const char *what) {
    Buf line = {0};
    buf_text(&line, what);
    for (unsigned i = 0; i < MAX_OUTS; i++)
        if (e->outs[i]) buf_printf(&line, " %llu", (unsigned long long)state_variable(e->machine, s, e->outs[i], 1).bits);
    add_line(e, &line);
}

/* That it can be called at all is what matters: what others do meanwhile does not. */
static void verdict(Exploration *e) {
    Buf line = {0};
    buf_text(&line, "X");
    add_line(e, &line);
}

static void remark(Exploration *e, const char *what, unsigned approximation) {
    Buf line = {0};
    buf_printf(&line, "%s %s", what, e->program->approximations[approximation].text);
    add_line(e, &line);
}

static void fault(Exploration *e, const State *s, Fault f) {
    switch (f) {
    case FAULT_DIVISION: outcome(e, s, "F DIVISION"); break;
    case FAULT_OVERFLOW: outcome(e, s, "F OVERFLOW"); break;
    case FAULT_SHIFT: outcome(e, s, "F SHIFT"); break;
    case FAULT_NULL: outcome(e, s, "F NULL"); break;
    case FAULT_THREAD: outcome(e, s, "F THREAD"); break;
    case FAULT_RANGE:
    case FAULT_RESOURCE: refuse(3, "a limit of the interpreter");
    default: outcome(e, s, "F MEMORY"); break;
    }
}

/* What can be seen of the state. Does the execution go on from there? */
static bool note(Exploration *e, const State *s) {
    if (!state_atomic_thread(e->machine, s)) outcome(e, s, "R");
    if (state_halted(e->machine, s)) {
        outcome(e, s, "H");
        return false;
    }
    for (unsigned t = 1; t <= state_threads(s); t++) {
        const Location *at = &e->program->templates[state_template(s, t)]->locations[state_location(s, t)];
        if (at->kind == LOCATION_ERROR) verdict(e);
        if (at->kind == LOCATION_STOP) remark(e, "stop", at->approximation);
        if (at->kind == LOCATION_ERROR || at->kind == LOCATION_STOP) return false;
    }
    return true;
}

/* ---- states ---- */

static void add(Exploration *e, const State *s) {
    Buf bytes = {0};
    state_encode(e->machine, s, &bytes);
    size_t size = bytes.length;
    const char *key = intern_n(e->strings, buf_string(&bytes), size);
    buf_free(&bytes);
    if (map_get(e->known, map_key(key), NULL)) return;
    map_put(e->known, map_key(key), 1);
    if (!note(e, s)) return;
    vec_push(e->states, key);
    vec_push(e->sizes, size);
    if (vec_len(e->states) > e->most) refuse(4, "too many states");
}

static void take(Exploration *e, const State *from, State *s, unsigned thread, const Action *action) {
    Chooser chooser = {.choose = choose, .context = e};
    do {
        e->next = 0;
        state_assign(e->machine, s, from);
        StepResult r = machine_step(e->machine, s, thread, action->index, &chooser, NULL);
        e->steps++;
        if (r.status == STEP_FAULT) fault(e, from, r.fault);
        if (r.status != STEP_DISABLED && action->approximation != NO_APPROXIMATION) remark(e, "over", action->approximation);
        if (r.status == STEP_DONE) add(e, s);
    } while (advance(e));
}

static void explore(Exploration *e) {
    Chooser chooser = {.choose = choose, .context = e};
    State *from = state_initial(e->machine, &chooser), *s = state_copy(e->machine, from);
    add(e, from);
    for (size_t i = 0; i < vec_len(e->states); i++) {
        state_decode(e->machine, from, e->states[i], e->sizes[i]);
        bool stuck = !state_atomic_thread(e->machine, from); /* a section is entered only by who comes out of it */
        for (unsigned t = 1; t <= state_threads(from); t++) {
            const Template *template_ = e->program->templates[state_template(from, t)];
            const Location *at = &template_->locations[state_location(from, t)];
            stuck = stuck && !state_can_move(e->machine, from, t);
            for (size_t k = 0; k < vec_len(at->out); k++) take(e, from, s, t, &template_->actions[at->out[k]]);
        }
        if (stuck) outcome(e, from, "D");
    }
}

/* ---- the program ---- */

static char *read_all(const char *file) {
    FILE *f = fopen(file, "r");
    Buf text = {0};
    char chunk[4096];
    if (!f) refuse(3, "cannot read the file");
    for (size_t n; (n = fread(chunk, 1, sizeof chunk, f)) > 0;) buf_bytes(&text, chunk, n);
    fclose(f);
    return text.text;
}

static void find_outs(Exploration *e) {
    printf("names");
    for (size_t i = 0; i < vec_len(e->program->globals); i++) {
        const Variable *v = e->program->globals[i];
        char *end;
        unsigned long n = v->name[0] == 'o' ? strtoul(v->name + 1, &end, 10) : MAX_OUTS;
        if (n < MAX_OUTS && end != v->name + 1 && !*end) e->outs[n] = v;
    }
    for (unsigned i = 0; i < MAX_OUTS; i++)
        if (e->outs[i]) printf(" o%u", i);
    printf("\n");
}

static int by_text(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

int main(int argc, char **argv) {
    Exploration e = {.most = 100000};
    int a = 1;
    for (; a + 1 < argc && argv[a][0] == '-'; a += 2)
        if (!strcmp(argv[a], "--states")) e.most = strtoul(argv[a + 1], NULL, 10);
    if (a >= argc) refuse(3, "usage: outcomes [--states N] FILE.hir");
    Buf error = {0};
    e.program = program_parse(argv[a], read_all(argv[a]), &error);
    if (!e.program) refuse(3, buf_string(&error));
    e.machine = machine_new(e.program, (MachineRules){0});
    e.strings = interner_new();
    e.known = map_new();
    e.outcomes = map_new();
    find_outs(&e);
    explore(&e);
    qsort(e.lines, vec_len(e.lines), sizeof *e.lines, by_text);
    for (size_t i = 0; i < vec_len(e.lines); i++) puts(e.lines[i]);
    printf("%zu states, %zu steps\n", vec_len(e.states), e.steps);
    fflush(stdout);
    _Exit(0); /* nothing is taken apart */
}
