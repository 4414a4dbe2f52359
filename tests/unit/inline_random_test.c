/* SPDX-License-Identifier: Apache-2.0 */
/* Random programs with procedures, recursion and pointers to functions: what the pass inline makes of them has the same outcomes as the
   program itself, in an interpreter with stacks of frames (frames.h). ROUNDS programs from SEED; SHOW=seed prints one. */
#define MAX_STATES 12000
#include "frames.h"
#include "passes/program/program_passes.h"
#include "random_program.h"
#include "ir/copy.h"
#include <stdio.h>

enum { KINDS = 5, MOST_PROCEDURES = 4, MOST_WRITTEN = 6000 };

/* Parameters and results by kind of procedure. Their names are the same in all procedures: n, p, h and r, s. */
static const char *const heads[KINDS] = {"(n : bv2) -> r : bv2", "(n : bv2, p : bv64) -> r : bv2", "()",
                                         "(n : bv2, h : bv64) -> r : bv2, s : bv2", "(n : bv2, w : bv8) -> r : bv2"};

typedef struct Maker {
    Dice d;
    Buf *out;
    unsigned procedures, kind[MOST_PROCEDURES];
    bool address[MOST_PROCEDURES];
    int own; /* the procedure that is being written; -1: a thread */
} Maker;

static bool has_number(const Maker *m) { return m->own >= 0 && m->kind[m->own] != 2; }
static bool has_pointer(const Maker *m) { return m->own >= 0 && m->kind[m->own] == 1; }
static bool has_function(const Maker *m) { return m->own >= 0 && m->kind[m->own] == 3; }

static const char *some_global(Maker *m) {
    static const char *const names[] = {"x", "y", "z"};
    return names[roll(&m->d, 3)];
}

static const char *some_place(Maker *m) {
    if (has_number(m) && roll(&m->d, 9) == 0) return "n";
    return roll(&m->d, 2) ? some_global(m) : roll(&m->d, 2) ? "a" : "b";
}

static void some_value(Maker *m) {
    const char *local = has_number(m) && roll(&m->d, 2) ? "n" : roll(&m->d, 2) ? "a" : "b";
    switch (roll(&m->d, 6)) {
    case 0: buf_printf(m->out, "%u:2", roll(&m->d, 4)); break;
    case 1: buf_printf(m->out, "(add %s 1:2)", local); break;
    case 2: buf_printf(m->out, "(bxor %s %s)", local, some_global(m)); break;
    case 3: buf_text(m->out, local); break;
    case 4: buf_printf(m->out, "(extract 0 2 %s)", roll(&m->d, 2) ? "self" : "c"); break;
    default: buf_text(m->out, some_global(m));
    }
}

static void some_condition(Maker *m) {
    const char *local = has_number(m) && roll(&m->d, 2) ? "n" : roll(&m->d, 2) ? "a" : "b";
    buf_printf(m->out, roll(&m->d, 2) ? "(= %s %u:2)" : "(ult %s %u:2)", roll(&m->d, 2) ? local : some_global(m), 1 + roll(&m->d, 3));
}

static void some_address(Maker *m) {
    const char *base = has_pointer(m) && roll(&m->d, 2) ? "p" : roll(&m->d, 2) ? "o" : "shared";
    if (base[0] != 'p' && roll(&m->d, 3) == 0) buf_printf(m->out, "(add %s (zext 64 %s))", base, roll(&m->d, 2) ? "a" : "b");
    else buf_text(m->out, base);
}

static void some_function(Maker *m) {
    if (has_function(m) && roll(&m->d, 2)) buf_text(m->out, "h");
    else if (roll(&m->d, 3) == 0) buf_text(m->out, "q");
    else if (roll(&m->d, 20) == 0) buf_text(m->out, roll(&m->d, 2) ? "0:64" : "shared");
    else buf_printf(m->out, "f%u", roll(&m->d, m->procedures));
}

static void some_step(Maker *m) {
    Buf *out = m->out;
    switch (roll(&m->d, 16)) {
    case 0: buf_text(out, "a := any;"); break;
    case 1: buf_text(out, "store ["), some_address(m), buf_printf(out, "] := (zext 8 %s);", roll(&m->d, 2) ? "a" : "b"); break;
    case 2: buf_text(out, "c := load ["), some_address(m), buf_text(out, "]; b := (extract 0 2 c);"); break;
    case 3: buf_text(out, "q := "), some_function(m), buf_char(out, ';'); break;
    case 4: buf_text(out, "fp := "), some_function(m), buf_char(out, ';'); break;
    case 5: buf_text(out, "q := fp;"); break;
    case 6: buf_text(out, "assume "), some_condition(m), buf_char(out, ';'); break;
    case 7: buf_printf(out, "a := (udiv 2:2 %s);", some_global(m)); break;
    default: buf_printf(out, "%s := ", some_place(m)), some_value(m), buf_char(out, ';');
    }
}

/* The first argument. From a thread it may be a constant. Within procedures it is never one by itself, so that recursion on constants
   ends: it is smaller than the parameter, where that is not 0, or it varies. */
static void number_argument(Maker *m, bool smaller) {
    if (smaller) buf_text(m->out, "(sub n 1:2)");
    else if (m->own < 0 && roll(&m->d, 2)) buf_printf(m->out, roll(&m->d, 9) ? "%u:2" : "(udiv 3:2 %u:2)", roll(&m->d, 4));
    else if (roll(&m->d, 8) == 0) buf_printf(m->out, "(udiv 3:2 %s)", roll(&m->d, 2) ? some_global(m) : "b");
    else if (roll(&m->d, 3) == 0) buf_printf(m->out, "(bxor %s 1:2)", some_global(m));
    else buf_text(m->out, roll(&m->d, 2) ? some_global(m) : roll(&m->d, 2) ? "a" : "b");
}

static void call_targets(Maker *m, unsigned kind) {
    if (kind == 2 || roll(&m->d, 5) == 0) return;
    buf_printf(m->out, kind == 3 ? "%s, b := " : "%s := ", roll(&m->d, 4) == 0 ? some_global(m) : "a");
}

static void some_call(Maker *m, bool smaller) {
    unsigned callee = roll(&m->d, m->procedures), kind = m->kind[callee];
    if (smaller && kind == 2) callee = (unsigned)m->own, kind = m->kind[callee];
    bool pointer = roll(&m->d, 3) == 0;
    if (!pointer && roll(&m->d, 3) == 0) some_step(m), buf_char(m->out, ' ');
    call_targets(m, kind);
    buf_text(m->out, "call ");
    if (pointer) buf_char(m->out, '['), some_function(m), buf_char(m->out, ']');
    else buf_printf(m->out, "p%u", callee);
    buf_text(m->out, " (");
    if (kind != 2) number_argument(m, smaller);
    if (kind == 1) buf_text(m->out, ", "), some_address(m);
    if (kind == 3) buf_text(m->out, ", "), some_function(m);
    if (kind == 4) buf_text(m->out, ", c");
    buf_text(m->out, ");");
}

/* Location i of n. `last` is behind them. */
static void some_location(Maker *m, unsigned i, unsigned n, const char *last) {
    Buf *out = m->out;
    unsigned to = roll(&m->d, 9) ? i + 1 + (roll(&m->d, 4) == 0) : roll(&m->d, n);
    bool calls = roll(&m->d, 9) < 5, smaller = calls && has_number(m) && roll(&m->d, 2);
    char next[8];
    if (to < n) snprintf(next, sizeof next, "l%u", to);
    else snprintf(next, sizeof next, "%s", last);
    buf_printf(out, "  l%u%s {", i, roll(&m->d, 6) == 0 ? " atomic" : "");
    if (smaller) {
        buf_text(out, " when (not (= n 0:2)) do "), some_call(m, true);
        buf_printf(out, " goto %s; when (= n 0:2) goto %s; }\n", next, last);
        return;
    }
    Buf condition = {0};
    Maker other = *m;
    other.out = &condition;
    some_condition(&other);
    m->d = other.d;
    bool guarded = roll(&m->d, 3) == 0, errs = roll(&m->d, 6) == 0;
    if (guarded) buf_printf(out, " when (not %s) goto %s; when %s", buf_string(&condition), errs ? "bad" : last, buf_string(&condition));
    if (calls || roll(&m->d, 6)) buf_text(out, " do "), calls ? some_call(m, false) : some_step(m);
    buf_printf(out, " goto %s; }\n", next);
    buf_free(&condition);
}

static void some_body(Maker *m, const char *last) {
    unsigned n = 2 + roll(&m->d, 3);
    for (unsigned i = 0; i < n; i++) some_location(m, i, n, last);
}

static void locals(Maker *m) { buf_text(m->out, "  object o : local 4; local a : bv2; local b : bv2; local c : bv8; local q : bv64;\n"); }

static void some_procedure(Maker *m) {
    Buf *out = m->out;
    unsigned own = (unsigned)m->own, kind = m->kind[own];
    buf_printf(out, "procedure p%u %s", own, heads[kind]);
    if (m->address[own]) buf_printf(out, " address f%u", own);
    if (roll(&m->d, 15) == 0) {
        buf_text(out, ";\n");
        return;
    }
    if (roll(&m->d, 2)) buf_text(out, " library");
    buf_text(out, " {\n  local self : bv32 self;\n");
    locals(m);
    buf_printf(out, "  in { do alive o; store [o] := 0:32; a := 0:2; b := 1:2; c := 0:8; q := f%u;%s%s goto l0; }\n",
               roll(&m->d, m->procedures), kind == 2 ? "" : " r := 0:2;", kind == 3 ? " s := 3:2;" : "");
    some_body(m, roll(&m->d, 3) ? "out" : "ret");
    buf_text(out, "  out {");
    if (roll(&m->d, 2)) buf_text(out, " do dead o; goto less; }\n  less {");
    if (kind != 2) buf_text(out, " do r := "), some_value(m), buf_char(out, ';');
    if (kind == 3) buf_text(out, " s := "), some_value(m), buf_char(out, ';');
    buf_printf(out, " goto ret; }\n  ret return;\n  bad %s;\n}\n", roll(&m->d, 3) ? "error \"bad\"" : roll(&m->d, 2) ? "end" : "halt");
}

static void some_thread(Maker *m, bool first, bool joins) {
    Buf *out = m->out;
    buf_printf(out, "thread %s {\n  local t : bv32;\n", first ? "main" : "other");
    locals(m);
    buf_printf(out, "  in { do alive o; store [o] := 0:32; a := 0:2; b := 1:2; c := 0:8; q := 0:64; goto %s; }\n", first ? "new" : "l0");
    if (first) buf_printf(out, "  new { do t := create other (f%u); goto l0; }\n", roll(&m->d, m->procedures));
    some_body(m, "out");
    if (joins) buf_text(out, "  out { do join (t); goto last; }\n  last end;\n");
    else buf_text(out, "  out end;\n");
    buf_text(out, "  bad error \"bad\";\n}\n");
}

static void make_program(uint64_t seed, Buf *out) {
    Maker m = {.d = {.state = seed * UINT64_C(0x9e3779b97f4a7c15) + 1}, .out = out};
    for (unsigned i = 0; i < 9; i++) roll(&m.d, 2);
    m.procedures = 1 + roll(&m.d, MOST_PROCEDURES);
    for (unsigned i = 0; i < m.procedures; i++) {
        m.kind[i] = roll(&m.d, KINDS);
        m.address[i] = roll(&m.d, 3) > 0;
        buf_printf(out, "object f%u : function;\n", i);
    }
    buf_text(out,
             "object shared : global 4;\nglobal x : bv2 = 0:2;\nglobal y : bv2 = 0:2;\nglobal z : bv2 = 0:2;\nglobal fp : bv64 = 0:64;\n");
    m.own = -1;
    some_thread(&m, true, roll(&m.d, 2));
    some_thread(&m, false, false);
    for (m.own = 0; m.own < (int)m.procedures; m.own++) some_procedure(&m);
}

/* ---- comparing ---- */

/* Makes the stops of the flat program errors that see() knows. Returns false if the program is too large. */
static bool show_stops(Program *p) {
    static const char *const begins[] = {"recursion of ", "", "call of the null", "call through", "call of "};
    vec_each(Template *, t, p->templates)
        vec_each_at(Location, l, t->locations) {
            if (l->kind != LOCATION_STOP) continue;
            const char *text = p->approximations[l->approximation].text;
            unsigned why = STOP_RECURSION;
            if (strstr(text, "too large")) return false;
            while (!*begins[why - 1] || strncmp(text, begins[why - 1], strlen(begins[why - 1]))) why++;
            if (why == STOP_RECURSION && strstr(text, "through a pointer")) why = STOP_WAYS;
            l->kind = LOCATION_ERROR;
            l->approximation = NO_APPROXIMATION;
            l->text = exprs_intern(p->exprs, stop_text(why));
        }
    return true;
}

typedef struct Outcome {
    bool compared, differs;
    unsigned deepest;
    Seen seen;
} Outcome;

static Outcome compare_program(const char *text, unsigned recursion) {
    Outcome o = {.compared = false};
    Seen flat = {.complete = false};
    Buf why = {0};
    Program *p = program_of(text), *q = program_copy(p);
    inline_procedures(q, recursion, MOST_WRITTEN);
    if (!program_check(q, &why)) fail_msg("%s\n%s", buf_string(&why), text);
    if (show_stops(q)) {
        explore(q, &flat);
        if (flat.complete) frames_explore(p, recursion, &o.seen, &o.deepest);
        o.compared = flat.complete && o.seen.complete;
        o.differs = o.compared && (memcmp(flat.values, o.seen.values, sizeof flat.values) ||
                                   memcmp(flat.faults, o.seen.faults, sizeof flat.faults) || flat.errors != o.seen.errors);
    }
    program_free(q);
    program_free(p);
    buf_free(&why);
    return o;
}

static unsigned setting(const char *name, unsigned otherwise) { return getenv(name) ? (unsigned)atoi(getenv(name)) : otherwise; }

static void outcomes_are_the_same(void **state) {
    (void)state;
    unsigned rounds = setting("ROUNDS", 800), compared = 0, nested = 0, stopped[6] = {0}, null = 0, error = 0;
    uint64_t seed = setting("SEED", 1) * UINT64_C(1000000);
    for (uint64_t tries = 0; compared < rounds && tries < 4 * (uint64_t)rounds; tries++, seed++) {
        Buf text = {0};
        make_program(seed, &text);
        if (setting("SHOW", 0) == seed) print_message("%s", buf_string(&text));
        unsigned recursion = 1 + (unsigned)(seed % 3);
        Outcome o = compare_program(buf_string(&text), recursion);
        if (o.differs)
            fail_msg("program %llu with recursion %u has other outcomes:\n%s", (unsigned long long)seed, recursion, buf_string(&text));
        compared += o.compared;
        nested += o.deepest > 2;
        null += o.seen.faults[FAULT_NULL];
        error += o.seen.errors >> 'b' % 64 & 1;
        for (unsigned k = 1; k <= STOP_BODY; k++) stopped[k] += o.compared && o.seen.errors & error_bit(stop_text(k));
        buf_free(&text);
    }
    print_message(
        "%u programs compared: %u with calls in calls, %u with errors, %u calls of null, %u + %u end recursion, %u bad pointers, %u "
        "without body\n",
        compared, nested, error, null, stopped[STOP_RECURSION], stopped[STOP_WAYS], stopped[STOP_POINTER], stopped[STOP_BODY]);
    assert_true(compared >= rounds / 2 && nested >= compared / 6 && error >= compared / 15 && null >= compared / 40);
    assert_true(stopped[STOP_RECURSION] >= compared / 40 && stopped[STOP_POINTER] >= compared / 40 && stopped[STOP_BODY] >= compared / 40);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(outcomes_are_the_same)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
