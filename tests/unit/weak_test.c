/* SPDX-License-Identifier: Apache-2.0 */
/* Store buffers of the interpreter: what two threads may read, by trying every order of their steps and of what arrives. */
#include "ir_test.h"
#include "ir/step.h"
#include <stdio.h>
#include <stdlib.h>

typedef struct Outcomes {
    Program *program;
    Machine *machine;
    char found[64][24]; /* values of a, b and so on, sorted */
    unsigned n;
} Outcomes;

static void note(Outcomes *o, const State *s) {
    char text[24] = "";
    for (size_t i = 0; i < vec_len(o->program->globals); i++) {
        const Variable *v = o->program->globals[i];
        size_t at = strlen(text);
        if (v->name[0] <= 'd') snprintf(text + at, sizeof text - at, "%u", (unsigned)state_variable(o->machine, s, v, 1).bits);
    }
    for (unsigned i = 0; i < o->n; i++)
        if (!strcmp(o->found[i], text)) return;
    strcpy(o->found[o->n++], text);
}

static void explore(Outcomes *o, const State *s) {
    bool moved = false;
    const Action *stored;
    for (unsigned t = 1; t <= state_threads(s); t++) {
        const Template *template_ = o->program->templates[state_template(s, t)];
        const Location *l = &template_->locations[state_location(s, t)];
        unsigned ways = (unsigned)vec_len(l->out), waiting = state_buffered_stores(s, t);
        for (unsigned i = 0; i < ways + waiting; i++) {
            State *next = state_copy(o->machine, s);
            StepResult r = i < ways ? machine_step(o->machine, next, t, l->out[i], NULL, NULL)
                                    : machine_flush(o->machine, next, t, i - ways, NULL, &stored);
            if (r.status == STEP_DONE) explore(o, next);
            moved |= r.status == STEP_DONE;
            state_free(o->machine, next);
        }
    }
    if (!moved) note(o, s);
}

static int compare(const void *a, const void *b) { return strcmp(a, b); }

/* Every way to its end, with what is in a to d then. */
static void check_outcomes(MemoryModel model, const char *text, const char *expected) {
    Buf found = {0};
    Outcomes o = {.program = program_of(text)};
    o.program->memory = model;
    o.machine = machine_new(o.program, (MachineRules){0});
    State *s = state_initial(o.machine, NULL);
    explore(&o, s);
    qsort(o.found, o.n, sizeof *o.found, compare);
    for (unsigned i = 0; i < o.n; i++) buf_printf(&found, "%s%s", i ? " " : "", o.found[i]);
    assert_string_equal(buf_string(&found), expected);
    state_free(o.machine, s);
    machine_free(o.machine);
    program_free(o.program);
    buf_free(&found);
}

/* Each thread: actions with / between them. (One that writes twice drains: fewer orders to try.) Globals x, y, z and a to d are 0; m is memory of 8 bytes. */
static void outcomes(MemoryModel model, const char *first, const char *second, const char *expected) {
    const char *const threads[] = {first, second};
    Buf text = {0};
    for (const char *v = "xyzabcd"; *v; v++) buf_printf(&text, "global %c : bv32 = 0:32;\n", *v);
    buf_text(&text,
             "global k : bv32 = 0:32;\nglobal n : bv32 = 0:32;\nobject m : global 8;\nthread main { local s : bv32; local t : bv32;\n"
             "l0 { do s := create w0 (0:64); goto l1; } l1 { do t := create w1 (0:64); goto l2; } l2 { do join (s); goto l3; }\n"
             "l3 { do join (t); goto l4; } l4 halt; }\n");
    for (unsigned t = 0; t < 2; t++) {
        buf_printf(&text,
                   "thread w%u { local r : bv32; local s : bv32; local h : bv16;\n l0 { do r := 0:32; s := 0:32; h := 0:16; goto l1; }\n",
                   t);
        unsigned l = 1;
        for (const char *s = threads[t]; *s; l++) {
            size_t n = strcspn(s, "/");
            buf_printf(&text, "  l%u { do %.*s; goto l%u; }\n", l, (int)n, s, l + 1);
            s += n + (s[n] == '/');
        }
        buf_printf(&text, "  l%u end; }\n", l);
    }
    check_outcomes(model, buf_string(&text), expected);
    buf_free(&text);
}

/* a and b: what each reads of the other's store. c and d: not used. */
static void store_buffering(void **state) {
    (void)state;
    const char *f = "x := 1:32/r := y/a := r; n := 0:32", *s = "y := 1:32/r := x/b := r; n := 0:32";
    outcomes(MEMORY_SC, f, s, "0100 1000 1100");
    outcomes(MEMORY_TSO, f, s, "0000 0100 1000 1100");
    outcomes(MEMORY_PSO, f, s, "0000 0100 1000 1100");
}

static void drains(void **state) {
    (void)state;
    static const char *const between[] = {"fence", "lock k/unlock k", "r := z; z := (add r 1:32)", "z := atomic 1:32",
                                          "z := 1:32; k := 1:32"};
    for (unsigned i = 0; i < sizeof between / sizeof *between; i++) {
        char f[200], s[200];
        snprintf(f, sizeof f, "x := 1:32/%s/r := y/a := r; n := 0:32", between[i]);
        snprintf(s, sizeof s, "y := 1:32/%s/r := x/b := r; n := 0:32", between[i]);
        outcomes(MEMORY_TSO, f, s, "0100 1000 1100");
        outcomes(MEMORY_PSO, f, s, "0100 1000 1100");
    }
    outcomes(MEMORY_TSO, "x := atomic 1:32/r := y/a := r; n := 0:32", "y := atomic 1:32/r := x/b := r; n := 0:32", "0100 1000 1100");
}

/* These do not. */
static void passes(void **state) {
    (void)state;
    static const char *const between[] = {"fence release", "fence acquire", "fence acq_rel", "r := atomic z", "z := atomic release 1:32"};
    for (unsigned i = 0; i < sizeof between / sizeof *between; i++) {
        char f[200], s[200];
        snprintf(f, sizeof f, "x := atomic release 1:32/%s/r := atomic y/a := r; n := 0:32", between[i]);
        snprintf(s, sizeof s, "y := atomic release 1:32/r := atomic x/b := r; n := 0:32");
        outcomes(MEMORY_TSO, f, s, "0000 0100 1000 1100");
        outcomes(MEMORY_PSO, f, s, "0000 0100 1000 1100");
    }
}

static void order_of_arrival(void **state) {
    (void)state;
    const char *reader = "r := y; s := r/r := x/a := s; b := r";
    outcomes(MEMORY_TSO, "x := 1:32/y := 1:32", reader, "0000 0100 1100");
    outcomes(MEMORY_PSO, "x := 1:32/y := 1:32", reader, "0000 0100 1000 1100");
    outcomes(MEMORY_PSO, "x := 1:32/y := atomic release 1:32", reader, "0000 0100 1100");
    outcomes(MEMORY_PSO, "x := 1:32/fence release/y := 1:32", reader, "0000 0100 1100");
    outcomes(MEMORY_PSO, "x := 1:32/fence acquire/y := 1:32", reader, "0000 0100 1000 1100");
    /* of one place they arrive in order */
    outcomes(MEMORY_PSO, "x := 1:32/x := 2:32", "r := x; s := r/r := x/a := s; b := r", "0000 0100 0200 1100 1200 2200");
}

static void own_stores(void **state) {
    (void)state;
    /* the last of them, though none has arrived */
    outcomes(MEMORY_TSO, "x := 1:32/x := 2:32/r := x; s := r/r := y/a := s; b := r", "y := 1:32/r := x/c := r; n := 0:32",
             "2000 2010 2020 2100 2110 2120");
    outcomes(MEMORY_PSO, "store [m] := 1:32/r := load [m]/a := r; n := 0:32", "r := 0:32", "1000");
    /* a part of one that waits: when it has arrived */
    outcomes(MEMORY_TSO, "store [m] := 65536:32/h := load [(add m 2:64)]/a := (concat 0:16 h); n := 0:32",
             "r := load [m]/b := (ite (= r 0:32) 0:32 1:32); n := 0:32", "1000 1100");
}

/* Who joins a thread sees all that it stored. */
static void joins(void **state) {
    (void)state;
    static const char text[] =
        "global x : bv32 = 0:32;\nglobal a : bv32 = 0:32;\nthread main { local s : bv32;\n"
        "l0 { do s := create w (0:64); goto l1; } l1 { do join (s); goto l2; } l2 { do a := x; goto l3; } l3 halt; }\n"
        "thread w { l0 { do x := 1:32; goto l1; } l1 end; }\n";
    check_outcomes(MEMORY_TSO, text, "1");
    check_outcomes(MEMORY_PSO, text, "1");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(store_buffering),  cmocka_unit_test(drains),     cmocka_unit_test(passes),
                                       cmocka_unit_test(order_of_arrival), cmocka_unit_test(own_stores), cmocka_unit_test(joins)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
