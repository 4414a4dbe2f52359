/* SPDX-License-Identifier: Apache-2.0 */
/* What locks, creation and joins keep apart does not race: random programs in which that is left out reach an error if and only if they do when everything is asked. And the
   checker refuses claims that do not hold. */
#define MAX_STATES 60000
#include "explore.h"
#include "random_program.h"
#include "check/proof.h"
#include <stdio.h>
#include "ir/copy.h"
#include "passes/program/instrumented.h"

/* ---- random programs ---- */

typedef struct Writer {
    Dice *dice;
    Buf *out;
    unsigned at;     /* location */
    unsigned copies; /* of addresses, each in a local of its own */
} Writer;

static void put(Writer *w, const char *instructions) {
    buf_printf(w->out, "  l%u { do %s goto l%u; }\n", w->at, instructions, w->at + 1), w->at++;
}

static const char *one_of(Writer *w, const char *const *list, unsigned n) { return list[roll(w->dice, n)]; }

/* A mutex: a variable, a fixed place in memory, or one that a pointer or an index finds. */
static const char *some_lock(Writer *w) {
    static const char *const list[] = {"m", "n", "[o]", "[(add o 8:64)]", "[p]", "[(add o (mul (zext 64 i) 8:64))]", "[q]"};
    return one_of(w, list, 7);
}

static void random_access(Writer *w) {
    static const char *const list[] = {"x := 1:8;",
                                       "v := x;",
                                       "y := 1:8;",
                                       "v := y;",
                                       "store [(add p 4:64)] := 1:8;",
                                       "v := load [(add p 4:64)];",
                                       "store [(add o 12:64)] := 1:8;",
                                       "v := load [(add o 4:64)];",
                                       "store [(add (add o (mul (zext 64 i) 8:64)) 4:64)] := 1:8;",
                                       "store [(add d (zext 64 i))] := 1:8;",
                                       "v := load [(add q 4:64)];"};
    put(w, one_of(w, list, 11));
}

static void random_other(Writer *w) {
    static const char *const list[] = {"i := any;",         "p := (add o (mul (zext 64 i) 8:64));",
                                       "q := p;",           "r := 16:32;",
                                       "p := q;",           "r := 0:32;",
                                       "s := r;",           "q := g;",
                                       "p := (add q 0:64);"};
    put(w, one_of(w, list, 9));
}

static void random_lock_step(Writer *w, const char *lock) {
    char text[100];
    static const char *const forms[] = {"lock %s;", "unlock %s;", "r := trylock %s;", "r := lock %s;"};
    snprintf(text, sizeof text, forms[roll(w->dice, 4)], lock);
    put(w, text);
}

static void critical_section(Writer *w) {
    char text[100];
    const char *lock = some_lock(w);
    bool tries = roll(w->dice, 4) == 0;
    snprintf(text, sizeof text, tries ? "r := trylock %s;" : "lock %s;", lock);
    put(w, text);
    unsigned branch = w->at;
    if (tries) {
        buf_printf(w->out, "  l%u { when (= r 0:32) goto l%u; when (not (= r 0:32)) goto l%u; }\n", branch, branch + 1, branch + 4);
        w->at++;
    }
    random_access(w);
    if (roll(w->dice, 3) == 0) random_other(w);
    else random_access(w);
    snprintf(text, sizeof text, "unlock %s;", lock);
    put(w, text);
}

/* The lock is found by a copy of an address, which others may change meanwhile; perhaps several times. */
static void section_by_copy(Writer *w) {
    static const char *const from[] = {"p", "q", "(add o (mul (zext 64 i) 8:64))", "(add p 0:64)"};
    char text[100];
    unsigned k = w->copies++, first = w->at + 1;
    if (k >= 6) return;
    put(w, "v := 0:8;"); /* a branch may skip a step */
    snprintf(text, sizeof text, "w%u := %s;", k, one_of(w, from, 4));
    put(w, text);
    if (roll(w->dice, 4) == 0) random_other(w);
    snprintf(text, sizeof text, "lock [%s];", roll(w->dice, 3) ? (char[]){'w', (char)('0' + k), 0} : "p");
    put(w, text);
    if (roll(w->dice, 2)) random_other(w);
    snprintf(text, sizeof text, roll(w->dice, 2) ? "store [(add w%u 4:64)] := 1:8;" : "v := load [(add w%u 4:64)];", k);
    if (roll(w->dice, 2)) put(w, text);
    else random_access(w);
    snprintf(text, sizeof text, "unlock [%s];", roll(w->dice, 3) ? (char[]){'w', (char)('0' + k), 0} : "p");
    put(w, text);
    if (roll(w->dice, 3)) return;
    put(w, "i := any; p := (add o (mul (zext 64 i) 8:64));");
    buf_printf(w->out, "  l%u { when (= i 0:1) goto l%u; when (not (= i 0:1)) goto l%u; }\n", w->at, w->at + 1, first);
    w->at++;
}

static void random_step(Writer *w) {
    switch (roll(w->dice, 16)) {
    case 0: random_access(w); break;
    case 1: random_lock_step(w, some_lock(w)); break;
    case 2:
    case 3: random_other(w); break;
    case 4:
        buf_printf(w->out, "  l%u { when (= %s 0:32) goto l%u; when (not (= %s 0:32)) goto l%u; }\n", w->at, "s", w->at + 1, "s",
                   w->at + 1 + roll(w->dice, 2));
        w->at++;
        break;
    case 5:
        if (roll(w->dice, 6) == 0) put(w, "store [p] := 0:32;");
        else if (roll(w->dice, 6) == 0) put(w, "m := 0:32;");
        break;
    case 6:
    case 7:
    case 8:
    case 9:
    case 10: section_by_copy(w); break;
    default: critical_section(w);
    }
}

static const char locals[] =
    "  local r : bv32; local s : bv32; local p : bv64; local q : bv64; local i : bv1; local v : bv8; local t : bv32; local u : bv32;\n"
    "  local w0 : bv64; local w1 : bv64; local w2 : bv64; local w3 : bv64; local w4 : bv64; local w5 : bv64;\n";
static const char start[] = "r := 1:32; s := 1:32; p := o; q := o; i := 0:1; v := 0:8; t := 0:32; u := 0:32;";

/* What a thread does with the addresses of new objects: an instruction, which may be left out. */
static void heap_step(Writer *w) {
    static const char *const list[] = {"w0 := alloc h size 8:64 zeroed;",
                                       "w1 := alloc k size 8:64 zeroed;",
                                       "w1 := w0;",
                                       "w0 := w1;",
                                       "w2 := w0;",
                                       "w2 := w1;",
                                       "w2 := (add w0 1:64);",
                                       "w2 := (bxor w0 4:64);",
                                       "w2 := (bxor w2 4:64);",
                                       "store [w0] := 1:8;",
                                       "store [w1] := 2:8;",
                                       "v := load [w1];",
                                       "store [w2] := 3:8;",
                                       "store [o] := w2;",
                                       "w1 := load [o];",
                                       "i := (= w0 w1);",
                                       "w2 := (ite i w0 w1);",
                                       "w2 := (ite i w2 w0);"};
    static const char *const passed[] = {"g := w0;", "g := w1;", "g := w2;"};
    if (roll(w->dice, 4) == 0) { /* one way goes past what follows */
        buf_printf(w->out, "  l%u { goto l%u; goto l%u; }\n", w->at, w->at + 1, w->at + 2);
        w->at++;
    }
    if (roll(w->dice, 3)) {
        put(w, one_of(w, list, sizeof list / sizeof *list));
        return;
    }
    put(w, "lock m;");
    put(w, one_of(w, passed, 3));
    put(w, "unlock m;");
}

/* One thread makes objects and may pass their addresses on. The other one accesses an object whose address it gets. */
static void heap_threads(Dice *d, Buf *out) {
    Writer w = {d, out, 0, 0};
    buf_text(out,
             "global m : bv32 = 0:32; global g : bv64 = 0:64; object o : global 16; object h : heap; object k : heap;\n"
             "thread main { local t : bv32; l0 { do t := create a (0:64); goto l1; } l1 { do t := create b (0:64); goto l2; } l2 end; }\n"
             "thread b { local w0 : bv64; l0 { do lock m; goto l1; } l1 { do w0 := g; goto l2; } l2 { do unlock m; goto l3; }\n"
             "  l3 { when (not (= w0 0:64)) goto l4; when (= w0 0:64) goto l5; } l4 { do store [w0] := 4:8; goto l5; } l5 end; }\n"
             "thread a { local i : bool; local v : bv8; local w0 : bv64; local w1 : bv64; local w2 : bv64;\n");
    put(&w, "w0 := alloc h size 8:64 zeroed; i := any; v := 0:8;");
    put(&w, roll(d, 2) ? "w1 := w0; w2 := w1;" : "w1 := (add o 8:64); w2 := w0;");
    for (unsigned n = 3 + roll(d, 5); n > 0; n--) heap_step(&w);
    put(&w, roll(d, 2) ? "v := load [w0];" : "v := load [w1];");
    buf_printf(out, "  l%u end; l%u end; }\n", w.at, w.at + 1);
}

static void random_body(Writer *w, unsigned most) {
    for (unsigned n = roll(w->dice, most); n > 0; n--) random_step(w);
}

static void random_threads(Dice *d, Buf *out) {
    Writer w = {d, out, 0, 0};
    bool same = roll(d, 3) == 0;
    buf_text(out, "global x : bv8 = 0:8; global y : bv8 = 0:8; global m : bv32 = 0:32; global n : bv32 = 0:32;\nobject o : global 16; "
                  "object d : global 2;\n"
                  "global g : bv64 = o;\nthread main {\n");
    buf_text(out, locals);
    put(&w, start);
    random_body(&w, 2);
    if (roll(d, 2)) put(&w, "g := p;");
    put(&w, "t := create a (0:64);");
    if (roll(d, 3) == 0) put(&w, "join (t);");
    put(&w, same ? "u := create a (0:64);" : "u := create b (0:64);");
    random_body(&w, 2);
    if (roll(d, 2)) put(&w, "join (t);");
    if (roll(d, 2)) put(&w, "join (u);");
    random_body(&w, 2);
    buf_printf(out, "  l%u end; l%u end; l%u end; l%u end; }\n", w.at, w.at + 1, w.at + 2, w.at + 3);
    for (unsigned k = 0; k < (same ? 1 : 2); k++) {
        w.at = w.copies = 0;
        buf_printf(out, "thread %s count %u {\n%s", k ? "b" : "a", same ? 2 : 1, locals);
        put(&w, start);
        random_body(&w, 4);
        for (unsigned i = 0; i < 3; i++) random_step(&w);
        buf_printf(out, "  l%u end; l%u end; l%u end; l%u end; }\n", w.at, w.at + 1, w.at + 2, w.at + 3);
    }
}

/* ---- what is asked ---- */

static bool races(const Program *p, bool exclude, bool *complete, bool *apart) {
    Instrumented a = instrument_races(program_copy(p), &(Question){.property = PROPERTY_NO_DATA_RACE}, exclude);
    Seen seen = {0};
    uint64_t obligations;
    Buf why = {0}, words = {0};
    *apart = a.race_proof && a.nothing_added;
    if (*apart && !race_free_check(a.race_proof, &obligations, NULL, &words, &why)) fail_msg("not accepted: %s", buf_string(&why));
    explore(a.program, &seen);
    *complete = seen.complete;
    race_proof_free(a.race_proof);
    if (a.race_program) program_free(a.race_program);
    program_free(a.program);
    vec_free(a.added);
    buf_free(&why);
    buf_free(&words);
    return seen.error;
}

typedef void Generator(Dice *, Buf *);

static void compare_programs(Generator *generate, unsigned usual) {
    const char *count = getenv("HEDDLE_PROGRAMS"), *first = getenv("HEDDLE_SEED");
    unsigned n = count ? (unsigned)atoi(count) : usual, seed = first ? (unsigned)atoi(first) : 1, looked = 0, found = 0, kept = 0;
    for (unsigned k = 0; k < n; k++) {
        Dice d = {.state = (seed + k) * 0x9e3779b97f4a7c15u + 1};
        Buf text = {0};
        bool all, some, apart, nothing;
        for (unsigned i = 0; i < 5; i++) roll(&d, 2);
        generate(&d, &text);
        Program *p = program_of(buf_string(&text));
        bool asked = races(p, true, &some, &apart), everything = races(p, false, &all, &nothing);
        if (all && some && asked != everything)
            fail_msg("seed %u: %s\n%s", seed + k, asked ? "a race is new" : "a race is lost", buf_string(&text));
        looked += all && some;
        found += everything;
        kept += apart;
        program_free(p);
        buf_free(&text);
    }
    if (count) print_message("%u of %u programs explored, %u with races, %u kept apart\n", looked, n, found, kept);
    assert_true(looked > n / 2 && found > n / 10 && kept > n / 50);
}

static void random_programs(void **state) {
    (void)state;
    compare_programs(random_threads, 200);
}

static void random_heap_programs(void **state) {
    (void)state;
    compare_programs(heap_threads, 300);
}

/* ---- claims that do not hold ---- */

static const char two[] =
    "global x : bv8 = 0:8; global m : bv32 = 0:32;\n"
    "thread main { local t : bv32; local u : bv32; l0 { do t := create a (0:64); goto l1; } l1 { do u := create a (0:64); goto l2; }\n"
    "  l2 { do join (t); goto l3; } l3 { do join (u); goto l4; } l4 { do x := 2:8; goto l5; } l5 end; }\n"
    "thread a count 2 { l0 { do lock m; goto l1; } l1 { do x := 1:8; goto l2; } l2 { do unlock m; goto l3; } l3 end; }\n";

static Buf reasons; /* of all proofs that were refused */

static bool accepts(const RaceProof *p) {
    uint64_t n;
    Buf why = {0};
    bool good = race_free_check(p, &n, NULL, NULL, &why);
    buf_printf(&reasons, "%s\n", buf_string(&why));
    buf_free(&why);
    return good;
}

static void broken_claims(void **state) {
    (void)state;
    Program *p = program_of(two);
    Instrumented a = instrument_races(program_copy(p), &(Question){.property = PROPERTY_NO_DATA_RACE}, true);
    assert_true(a.nothing_added && a.models_all_code && a.race_proof);
    assert_true(accepts(a.race_proof));
    unsigned refused = 0, tried = 0;
    for (unsigned t = 0; t < vec_len(a.race_proof->threads); t++)
        for (unsigned l = 0; l < a.race_proof->threads[t].locations; l++)
            for (unsigned f = 0; f < race_facts(a.race_proof, t); f++) {
                uint64_t *row = race_row(a.race_proof, t, l);
                if (race_bit(row, f)) continue;
                race_set(row, f, true);
                tried++;
                refused += !accepts(a.race_proof);
                race_set(row, f, false);
            }
    assert_true(tried > 10);
    assert_int_equal(refused, tried); /* the facts were the most that hold */
    RaceEvent *first = &a.race_proof->threads[1].steps[0].events[0];
    *first = (RaceEvent){RACE_LOSE, first->a, RACE_NONE}; /* it does not lock */
    assert_false(accepts(a.race_proof));
    assert_non_null(strstr(buf_string(&reasons), "[H1091]"));
    assert_non_null(strstr(buf_string(&reasons), "[H1092]"));
    buf_free(&reasons);
    race_proof_free(a.race_proof);
    program_free(a.race_program);
    program_free(a.program);
    program_free(p);
}

/* A new object gets to `g` by a local that holds its address on one way only. */
static const char given[] =
    "global g : bv64 = 0:64; global m : bv32 = 0:32; object h : heap;\n"
    "thread main { local t : bv32; local s : bv64; l0 { do t := create a (0:64); goto l1; } l1 { do lock m; goto l2; }\n"
    "  l2 { do s := g; goto l3; } l3 { do unlock m; goto l4; } l4 { when (not (= s 0:64)) goto l5; when (= s 0:64) goto l6; }\n"
    "  l5 { do store [s] := 2:8; goto l6; } l6 end; }\n"
    "thread a { local p : bv64; local r : bv64; local x : bv8;\n"
    "  l0 { do p := alloc h size 4:64; goto l1; } l1 { do store [p] := 1:8; r := 0:64; goto l2; }\n"
    "  l2 { goto l3; do r := p; goto l3; } l3 { do lock m; goto l4; } l4 { do g := r; goto l5; }\n"
    "  l5 { do unlock m; goto l6; } l6 { do x := load [p]; goto l7; } l7 end; }\n";

static unsigned early_accesses(const RaceProof *p) {
    unsigned n = 0;
    for (size_t i = 0; i < vec_len(p->accesses); i++) n += race_is_early(p, &p->accesses[i]);
    return n;
}

/* Every claim about addresses that says more than holds is refused. */
static void broken_holders(void **state) {
    (void)state;
    Program *p = program_of(given);
    Instrumented a = instrument_races(program_copy(p), &(Question){.property = PROPERTY_NO_DATA_RACE}, true);
    assert_true(a.race_proof && !a.nothing_added);
    assert_int_equal(early_accesses(a.race_proof), 2); /* the allocation and the first store */
    unsigned refused = 0, tried = 0;
    for (unsigned t = 0; t < vec_len(a.race_proof->threads); t++) {
        RaceHolders *h = &a.race_proof->threads[t].holders;
        uint16_t *whole = vec_copy(h->rows);
        for (size_t k = 0; k < vec_len(h->rows); k++)
            for (uint16_t value = 0; value <= HOLDER_LEVELS; value++) {
                bool site = k % holders_width(h) < h->sites;
                if (site ? value != 1 || whole[k] : value == whole[k]) continue;
                unsigned location = (unsigned)(k / holders_width(h));
                h->rows[k] = value;
                if (!holders_cover(h, &h->rows[k - k % holders_width(h)], &whole[k - k % holders_width(h)])) {
                    tried++;
                    Buf why = {0};
                    uint64_t n;
                    assert_false(race_free_check(a.race_proof, &n, NULL, NULL, &why));
                    bool named = strstr(buf_string(&why), "[H1090]") != NULL;
                    if (!named) fail_msg("location %u of thread %u, value %u: %s", location, t, value, buf_string(&why));
                    refused += named;
                    buf_free(&why);
                }
                h->rows[k] = whole[k];
            }
        vec_free(whole);
    }
    assert_true(tried > 10);
    assert_int_equal(refused, tried);
    vec_free(a.added);
    race_proof_free(a.race_proof);
    program_free(a.race_program);
    program_free(a.program);
    program_free(p);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(broken_claims), cmocka_unit_test(broken_holders), cmocka_unit_test(random_programs),
                                       cmocka_unit_test(random_heap_programs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
