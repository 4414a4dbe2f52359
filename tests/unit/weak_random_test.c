/* SPDX-License-Identifier: Apache-2.0 */
/* Random programs under TSO and PSO: the errors that the interpreter reaches, with its buffers and in every order of steps and arrivals, are those of the
   program that `buffers` makes; and those under sequential consistency, if `delays` says that no store can be late, or what `robustness_monitor` makes (TSO) has no error. ROUNDS=n SEED=n
   tries others. */
#define MAX_STATES 4000
#include "explore.h"
#include "random_program.h"
#include "passes/program/robustness_monitor.h"
#include "passes/program/store_buffers.h"
#include "passes/program/mhp.h"
#include "weak_explore.h"

/* ---- programs ---- */

/* Errors have bits by their first letter; these are different ones. */
static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmno0123456789";

static const char *one_of(Dice *d, const char *const *list, unsigned n) { return list[roll(d, n)]; }

static const char *value(Dice *d) {
    static const char *const values[] = {"1:2", "2:2", "3:2", "a", "b"};
    return one_of(d, values, 5);
}

static const char *variable(Dice *d) {
    static const char *const names[] = {"x", "x", "y", "y", "z"};
    return one_of(d, names, 5);
}

static const char *place(Dice *d) {
    static const char *const places[] = {"m", "(add m 1:64)", "(add m (zext 64 a))", "lp", "k"};
    return one_of(d, places, 5);
}

static void weak_store(Dice *d, Buf *out) {
    static const char *const orders[] = {"", "", "", "", "atomic ", "atomic relaxed ", "atomic release "};
    if (roll(d, 3)) buf_printf(out, "%s := %s%s;", variable(d), one_of(d, orders, 7), value(d));
    else if (roll(d, 3)) buf_printf(out, "%sstore [%s] := (zext 8 %s);", one_of(d, orders, 7), place(d), value(d));
    else buf_printf(out, "store [%s] := (concat (zext 8 %s) (zext 8 %s));", roll(d, 2) ? "m" : "(add m 1:64)", value(d), value(d));
}

static void weak_load(Dice *d, Buf *out) {
    static const char *const orders[] = {"", "", "", "atomic ", "atomic relaxed ", "atomic acquire "};
    const char *to = roll(d, 2) ? "a" : "b";
    if (roll(d, 3)) buf_printf(out, "%s := %s%s;", to, one_of(d, orders, 6), variable(d));
    else if (roll(d, 3)) buf_printf(out, "c := %sload [%s]; %s := (extract 0 2 c);", one_of(d, orders, 6), place(d), to);
    else buf_printf(out, "h := load [%s]; %s := (extract 8 2 h);", roll(d, 2) ? "m" : "(add m 1:64)", to);
}

/* All or a byte of the two at m. */
static void store_part(Dice *d, Buf *out) {
    buf_text(out, roll(d, 3)   ? "store [m] := (concat (zext 8 1:2) (zext 8 2:2));"
                  : roll(d, 2) ? "store [m] := 1:8;"
                               : "store [(add m 1:64)] := 2:8;");
}

static void load_part(Dice *d, Buf *out, const char *to) {
    unsigned how = roll(d, 4), at = roll(d, 2);
    if (how == 0) buf_printf(out, "c := load [(add m (zext 64 a))]; %s := (extract 0 2 c);", to);
    else if (how < 3) buf_printf(out, "c := load [(add m %u:64)]; %s := (extract 0 2 c);", at, to);
    else buf_printf(out, "h := load [m]; %s := (extract %u 2 h);", to, 8 * at);
}

static void weak_instr(Dice *d, Buf *out) {
    static const char *const others[] = {
        "fence;",   "fence release;", "fence acquire;",  "a := x; x := (add a 1:2);", "x := any;", "lp := m;", "lp := (add m 2:64);",
        "lp := k;", "a := b;",        "b := x; a := y;", "fill [m] := 1:8 size 2:64;"};
    unsigned kind = roll(d, 9);
    if (kind < 4) weak_store(d, out);
    else if (kind < 8) weak_load(d, out);
    else buf_text(out, one_of(d, others, roll(d, 30) ? 10 : 11));
}

static void weak_condition(Dice *d, Buf *out) {
    static const char *const names[] = {"a", "b", "a", "b", "x"};
    buf_printf(out, "(= %s %u:2)", one_of(d, names, d->locks ? 4 : 5), roll(d, 4));
}

/* Store buffering, with something around it; or with parts of memory, of which the first thread has read its own. */
static bool weak_pattern(Dice *d, Buf *out, unsigned number, unsigned i, unsigned n) {
    bool stores = i == 1, loads = i + 2 == n, between = d->parts && number == 1 && i == 2;
    if (!stores && !loads && !between) return false;
    buf_printf(out, "  l%u { do ", i);
    if (d->parts && number == 1 && stores) store_part(d, out);
    else if (between && !loads) load_part(d, out, "b");
    else if (d->parts && number != 1 && !stores) load_part(d, out, "a");
    else if (stores) buf_printf(out, "%s := %s1:2;", number == 1 ? "x" : "y", d->parts && roll(d, 3) ? "atomic " : ""); /* which drains */
    else buf_printf(out, "a := %s;", number == 1 ? "y" : "x");
    buf_printf(out, " goto l%u; }\n", i + 1);
    return true;
}

/* Some threads hold a lock for a stretch. (Who reads variables in conditions is not asked what locks keep apart.) */
static void weak_location(Dice *d, Buf *out, unsigned number, unsigned i, unsigned n, unsigned *error) {
    if (d->undefined && number && weak_pattern(d, out, number, i, n)) return;
    if (d->locks && n > 2 && (i == 0 || i + 1 == n)) {
        buf_printf(out, "  l%u { do %s [l]; goto l%u; }\n", i, i ? "unlock" : "lock", i + 1);
        return;
    }
    buf_printf(out, "  l%u%s {", i, i && roll(d, 25) == 0 ? " atomic" : "");
    if (roll(d, 6)) {
        buf_text(out, " do "), weak_instr(d, out);
        buf_printf(out, " goto l%u; }\n", roll(d, 40) ? i + 1 : roll(d, n));
        return;
    }
    Buf condition = {0};
    weak_condition(d, &condition);
    unsigned other = roll(d, 8) ? i + 1 + roll(d, n - i) : roll(d, n);
    buf_printf(out, " when %s", buf_string(&condition));
    if (roll(d, 3) == 0) buf_printf(out, " goto bad%u;", (*error)++);
    else buf_printf(out, " goto l%u;", i + 1);
    if (roll(d, 20)) buf_printf(out, " when (not %s)", buf_string(&condition));
    if (roll(d, 3) == 0) buf_text(out, " do "), weak_instr(d, out);
    buf_printf(out, " goto l%u; }\n", other > n ? n : other);
    buf_free(&condition);
}

/* Main looks at what the others have read last, and there is an error for each outcome, but for one that is a fault. */
static void weak_end_of_main(Dice *d, Buf *out, unsigned n, unsigned *error) {
    unsigned fault = roll(d, 2) ? 0 : roll(d, 16);
    buf_printf(out, "  l%u { do join (p); goto m1; }\n  m1 { do join (q); goto m2; }\n  m2 { do a := u; goto m3; }\n", n);
    buf_text(out, "  m3 { do b := v; goto m4; }\n  m4 {");
    for (unsigned k = 0; k < 16; k++)
        buf_printf(out, " when (and (= a %u:2) (= b %u:2)) %sgoto bad%u;", k / 4, k % 4, k == fault ? "do p := (udiv p 0:32); " : "",
                   (*error)++);
    buf_text(out, " }\n");
}

static void weak_thread(Dice *d, Buf *out, unsigned number, unsigned *error) {
    unsigned first = *error;
    unsigned n = number ? 3 + roll(d, 5) : roll(d, d->locks ? 5 : 2);
    if (number) buf_printf(out, "thread w%u%s {\n", number - 1, number == 1 ? " count 2" : "");
    else buf_text(out, "thread main {\n  local p : bv32; local q : bv32; local r : bv32;\n");
    buf_text(out, "  local a : bv2; local b : bv2; local c : bv8; local h : bv16; local lp : bv64;\n");
    buf_text(out, "  start { do a := 0:2; b := 0:2; lp := m; goto ");
    buf_text(out, number ? "l0; }\n" : "c0; }\n  c0 { do p := create w0 (0:64); goto c1; }\n");
    if (!number) buf_printf(out, "  c1 { do q := create w%u (0:64); goto l0; }\n", roll(d, 4) != 0);
    for (unsigned i = 0; i < n; i++) weak_location(d, out, number, i, n, error);
    if (number) buf_printf(out, "  l%u { do %s := a; goto last; }\n  last end;\n", n, number == 1 ? "u" : "v");
    else weak_end_of_main(d, out, n, error);
    for (unsigned e = first; e < *error; e++) buf_printf(out, "  bad%u error \"%c\";\n", e, letters[e % (sizeof letters - 1)]);
    buf_text(out, "}\n");
}

static void weak_program(Dice *d, Buf *out) {
    unsigned error = 0;
    d->locks = roll(d, 3) == 0;
    d->undefined = roll(d, 2) == 0;
    d->parts = roll(d, 3) == 0;
    for (const char *name = "xyzuv"; *name; name++) buf_printf(out, "global %c : bv2 = 0:2;\n", *name);
    buf_text(out, "object m : global 4;\nobject k : global 1;\nobject l : global 4;\n");
    for (unsigned t = 0; t < 3; t++) weak_thread(d, out, t, &error);
}

/* ---- the comparison ---- */

typedef struct Count {
    unsigned compared, robust, weaker, divided, large;
    unsigned attacks, failed, needless; /* programs asked; of these, nobody notices anything; others have no other errors, either */
} Count;

static void disagree(const char *text, MemoryModel model, const char *how, uint64_t a, uint64_t b) {
    fail_msg("%s under %s: errors %llx and %llx in\n%s", how, model == MEMORY_TSO ? "TSO" : "PSO", (unsigned long long)a,
             (unsigned long long)b, text);
}

static bool stops(const Program *p) {
    for (size_t t = 0; t < vec_len(p->templates); t++)
        for (size_t i = 0; i < vec_len(p->templates[t]->locations); i++)
            if (p->templates[t]->locations[i].kind == LOCATION_STOP &&
                p->approximations[p->templates[t]->locations[i].approximation].kind == APPROX_UNSUPPORTED)
                return true;
    return false;
}

static void compare_errors(const char *text, Program *p, const Program *made, const Seen *seen, const Seen *sc, unsigned depth,
                           Count *count) {
    Weak few = weak_explore(p, depth);
    if (few.cut || !seen->complete) {
        count->large++;
        return;
    }
    count->compared++;
    count->weaker += (few.errors & ~sc->errors) != 0;
    if ((few.errors & ~seen->errors) && !stops(made)) disagree(text, p->memory, "buffers lose", few.errors, seen->errors);
    count->divided += few.divides && !sc->faults[FAULT_DIVISION];
    if (few.divides && !seen->faults[FAULT_DIVISION] && !stops(made)) disagree(text, p->memory, "buffers lose a fault", 1, 0);
    if (!few.full && seen->faults[FAULT_DIVISION] && !few.divides) disagree(text, p->memory, "buffers add a fault", 0, 1);
    if (!(seen->errors & ~few.errors)) return;
    Weak more = weak_explore(p, depth + 1); /* under PSO a store that arrives at once may overtake as many as there is room for */
    if ((seen->errors & ~more.errors) && !more.cut) disagree(text, p->memory, "buffers add", more.errors, seen->errors);
}

static void compare_buffers(const char *text, Program *p, const StoreDelays *d, const Seen *sc, unsigned depth, Count *count) {
    Seen seen = {0};
    BufferedProgram b = add_store_buffers(p, d, depth);
    Buf error = {0};
    assert_non_null(b.program);
    if (!program_check(b.program, &error)) fail_msg("%s in\n%s", buf_string(&error), text);
    explore(b.program, &seen);
    compare_errors(text, p, b.program, &seen, sc, depth, count);
    for (size_t t = 0; t < vec_len(b.actions); t++) vec_free(b.actions[t]);
    vec_free(b.actions);
    program_free(b.program);
}

/* If nobody notices that a store is late, there are no errors but those under sequential consistency. */
static void compare_attack(const char *text, Program *p, const StoreDelays *d, const Seen *sc, unsigned depth, Count *count) {
    Seen seen = {0};
    Buf error = {0};
    Program *made = robustness_monitor(p, d);
    if (!made) return;
    if (!program_check(made, &error)) fail_msg("%s in\n%s", buf_string(&error), text);
    explore(made, &seen);
    program_free(made);
    if (!seen.complete || !sc->complete) return;
    Weak w = weak_explore(p, depth);
    if (w.cut) return;
    count->attacks++;
    count->failed += !seen.errors;
    count->needless += seen.errors && !w.full && w.errors == sc->errors;
    bool more = (w.errors & ~sc->errors) || (w.divides && !sc->faults[FAULT_DIVISION]);
    if (!seen.errors && more) disagree(text, p->memory, "a late store that nobody notices", w.errors, sc->errors);
}

static void compare_one(Dice *dice, Count *count) {
    Buf text = {0};
    weak_program(dice, &text);
    Program *p = program_of(buf_string(&text));
    Seen sc = {0};
    explore(p, &sc);
    p->memory = roll(dice, 2) ? MEMORY_TSO : MEMORY_PSO;
    Mhp *m = roll(dice, 3) ? mhp_new(p) : NULL;
    StoreDelays *d = delays_new(p, m ? mhp_in_parallel : NULL, m);
    mhp_free(m);
    unsigned depth = 1 + roll(dice, 3);
    if (d->any) {
        compare_buffers(buf_string(&text), p, d, &sc, depth, count);
        if (p->memory == MEMORY_TSO) compare_attack(buf_string(&text), p, d, &sc, depth, count);
    } else {
        Weak w = weak_explore(p, depth);
        if (!w.cut && sc.complete && w.errors != sc.errors) disagree(buf_string(&text), p->memory, "no delays", w.errors, sc.errors);
        count->robust++;
    }
    delays_free(d);
    program_free(p);
    buf_free(&text);
}

static void test_random(void **state) {
    (void)state;
    const char *rounds = getenv("ROUNDS"), *seed = getenv("SEED");
    Count count = {0};
    for (unsigned i = 0; i < (rounds ? (unsigned)atoi(rounds) : 300); i++) {
        Dice d = {.state = (seed ? (uint64_t)atoi(seed) : 1) * 1000003 + i * 7919 + 1, .width = 2};
        for (unsigned k = 0; k < 5; k++) roll(&d, 2);
        compare_one(&d, &count);
    }
    print_message("%u compared (%u with other errors than under SC, %u where somebody divides by 0), %u with no delays, %u too large\n",
                  count.compared, count.weaker, count.divided, count.robust, count.large);
    print_message("%u attacked: in %u nobody notices, in %u somebody does with no other errors\n", count.attacks, count.failed,
                  count.needless);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
