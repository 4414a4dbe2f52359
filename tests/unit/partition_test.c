/* SPDX-License-Identifier: Apache-2.0 */
/* Memory becomes variables: scalars for cells at exact offsets, arrays by element for those that vary. The rewritten program
   is run beside the original: it gets the same verdict from the explicit engine. */
#include "ir_test.h"
#include "ir/step.h"
#include "engine/engine.h"
#include "passes/program/program_passes.h"

static Program *rewritten(const char *text) {
    Program *p = program_of(text);
    Buf why = {0};
    Position where = {0};
    Translation *translation = translation_new(p);
    if (!partition(p, translation, &why, &where)) fail_msg("%s", buf_string(&why));
    translation_free(translation);
    buf_free(&why);
    if (!program_check(p, &why)) fail_msg("%s", buf_string(&why));
    for (size_t t = 0; t < vec_len(p->templates); t++)
        for (size_t a = 0; a < vec_len(p->templates[t]->actions); a++)
            for (size_t i = 0; i < vec_len(p->templates[t]->actions[a].instrs); i++) {
                InstrKind k = p->templates[t]->actions[a].instrs[i].kind;
                assert_false(k == INSTR_LOAD || k == INSTR_STORE || k == INSTR_COPY || k == INSTR_FILL || k == INSTR_ALLOC ||
                             k == INSTR_FREE);
            }
    buf_free(&why);
    return p;
}

static unsigned globals_of(const Program *p, SortKind kind) {
    unsigned n = 0;
    for (size_t i = 0; i < vec_len(p->globals); i++) n += p->globals[i]->sort->kind == kind;
    return n;
}

static VerdictKind explored(const Program *p) {
    Stats stats = {0};
    EngineTask task = {.question = &(Question){0}, .program = p, .budget = {.seconds = 20, .memory = 1u << 30}, .stats = &stats};
    Verdict *v = engine_explicit.run(&task);
    VerdictKind k = v->kind;
    verdict_free(v);
    return k;
}

/* The program and what partition makes of it get the same verdict. */
static Program *assert_same_verdict(const char *text, VerdictKind expected) {
    Program *original = program_of(text), *now = rewritten(text);
    assert_int_equal(explored(original), expected);
    assert_int_equal(explored(now), expected);
    program_free(original);
    return now;
}

/* A struct is a variable for each field. */
static void fields(void **state) {
    (void)state;
    Program *p = assert_same_verdict("object s : global 16 = \"0100000002000000\";\n"
                                     "thread main { local a : bv32; local b : bv32;\n"
                                     "  l0 { do a := load [s]; b := load [(add s 4:64)]; goto l1; }\n"
                                     "  l1 { do store [(add s 8:64)] := (concat a b); goto l2; }\n"
                                     "  l2 { when (and (= a 1:32) (= b 2:32)) goto l3; when (not (and (= a 1:32) (= b 2:32))) goto bad; }\n"
                                     "  l3 end; bad error \"no\"; }\n",
                                     VERDICT_SAFE);
    assert_int_equal(globals_of(p, SORT_ARRAY), 0);
    assert_int_equal(globals_of(p, SORT_BV), 3);
    program_free(p);
}

/* An array is one variable by element; an array of structs one for each field. */
static void arrays(void **state) {
    (void)state;
    Program *p = assert_same_verdict(
        "object a : global 16;\n"
        "thread main { local i : bv64; local v : bv32;\n"
        "  l0 { do i := 0:64; goto l1; }\n"
        "  l1 loop { when (ult i 4:64) do store [(add a (mul i 4:64))] := (extract 0 32 i); i := (add i 1:64); goto l1;\n"
        "            when (= i 4:64) do v := load [(add a 8:64)]; goto l2; }\n"
        "  l2 { when (= v 2:32) goto l3; when (not (= v 2:32)) goto bad; }\n"
        "  l3 end; bad error \"no\"; }\n",
        VERDICT_SAFE);
    assert_int_equal(globals_of(p, SORT_ARRAY), 1);
    program_free(p);
    p = assert_same_verdict(
        "object a : global 32;\n"
        "thread main { local i : bv64; local v : bv32;\n"
        "  l0 { do i := 0:64; goto l1; }\n"
        "  l1 loop { when (ult i 4:64) do store [(add a (mul i 8:64))] := 1:32; store [(add (add a (mul i 8:64)) 4:64)] := 2:32;\n"
        "              i := (add i 1:64); goto l1;\n"
        "            when (= i 4:64) do v := load [(add a 12:64)]; goto l2; }\n"
        "  l2 { when (= v 2:32) goto l3; when (not (= v 2:32)) goto bad; }\n"
        "  l3 end; bad error \"no\"; }\n",
        VERDICT_SAFE);
    assert_int_equal(globals_of(p, SORT_ARRAY), 2);
    program_free(p);
}

/* One pointer, two objects: the address decides. */
static void two_targets(void **state) {
    (void)state;
    static const char text[] = "object x : global 4; object y : global 4; global which : bv1;\n"
                               "thread main { local p : bv64; local v : bv32;\n"
                               "  l0 { when (= which 0:1) do p := x; goto l1; when (not (= which 0:1)) do p := y; goto l1; }\n"
                               "  l1 { do store [p] := 7:32; goto l2; }\n"
                               "  l2 { do v := load [x]; goto l3; }\n"
                               "  l3 { when (= v %s:32) goto bad; when (not (= v %s:32)) goto l4; }\n"
                               "  l4 end; bad error \"v\"; }\n";
    static const char *const values[] = {"0", "7", "8"};
    static const VerdictKind expected[] = {VERDICT_UNSAFE, VERDICT_UNSAFE, VERDICT_SAFE};
    for (int i = 0; i < 3; i++) {
        Buf b = {0};
        buf_printf(&b, text, values[i], values[i]);
        Program *now = assert_same_verdict(buf_string(&b), expected[i]);
        program_free(now);
        buf_free(&b);
    }
}

/* A list of cells from one site: an array for each field, indexed by the number of the cell. */
static void site(void **state) {
    (void)state;
    Program *p =
        rewritten("object cell : heap; global head : bv64 = 0:64;\n"
                  "thread main { local p : bv64; local i : bv32; local v : bv32;\n"
                  "  l0 { do i := 0:32; goto l1; }\n"
                  "  l1 loop { when (ult i 3:32) do p := alloc cell size 16:64; store [p] := i; goto l2; when (= i 3:32) goto l3; }\n"
                  "  l2 { do store [(add p 8:64)] := head; head := p; i := (add i 1:32); goto l1; }\n"
                  "  l3 { do p := head; v := load [p]; goto l4; }\n"
                  "  l4 { when (= v 2:32) goto l5; when (not (= v 2:32)) goto bad; }\n"
                  "  l5 { do p := load [(add p 8:64)]; v := load [p]; goto l6; }\n"
                  "  l6 { when (= v 1:32) goto l7; when (not (= v 1:32)) goto bad; }\n"
                  "  l7 end; bad error \"no\"; }\n");
    assert_int_equal(globals_of(p, SORT_ARRAY), 2);
    program_free(p);
}

/* Pieces that overlap: cells as small as need be. */
static void pieces(void **state) {
    (void)state;
    Program *p = program_of("object a : global 8 = \"01 02 03 04 05 06 07 08\";\n"
                            "thread main { local v : bv32; local w : bv8; local x : bv64;\n"
                            "  l0 { do store [a] := 287454020:32; goto l1; }\n"
                            "  l1 { do v := load [(add a 2:64)]; goto l2; }\n"
                            "  l2 { do w := load [(add a 3:64)]; x := load [a]; goto l3; }\n"
                            "  l3 { when (and (= v 100995362:32) (and (= w 17:8) (= x 578437695972455236:64))) goto l4; }\n"
                            "  l4 end; }\n");
    Buf why = {0};
    Position where = {0};
    Translation *translation = translation_new(p);
    if (!partition(p, translation, &why, &where)) fail_msg("%s", buf_string(&why));
    assert_int_equal(vec_len(p->globals), 5); /* bytes 0-1, 2, 3, 4-5, 6-7 */
    Machine *m = machine_new(p, (MachineRules){0});
    State *s = state_initial(m, NULL);
    for (unsigned a = 0; a < 4; a++) assert_int_equal(machine_step(m, s, 1, a, NULL, NULL).status, STEP_DONE);
    state_free(m, s);
    machine_free(m);
    translation_free(translation);
    buf_free(&why);
    program_free(p);
}

static void assert_refused(const char *text, const char *reason, unsigned line) {
    Program *p = program_of(text);
    Buf why = {0};
    Position where = {0};
    Translation *translation = translation_new(p);
    assert_false(partition(p, translation, &why, &where));
    assert_string_equal(buf_string(&why), reason);
    assert_int_equal(where.line, line);
    translation_free(translation);
    buf_free(&why);
    program_free(p);
}

/* What is in the way is said, with its place. */
static void refused(void **state) {
    (void)state;
    assert_refused("object a : global 16;\n"
                   "thread main { local v : bv32;\n"
                   "  l0 { do store [a] := a @\"a.c:7:3\"; goto l1; }\n"
                   "  l1 { do v := load [(add a 2:64)]; goto l2; } l2 end; }\n",
                   "the program accesses memory in pieces that overlap (a) [H0741]", 7);
    assert_refused("object a : global 16;\n"
                   "thread main { local v : bv128;\n"
                   "  l0 { do store [(add a 8:64)] := a; goto l1; }\n"
                   "  l1 { do v := load [a] @\"a.c:7:3\"; goto l2; } l2 end; }\n",
                   "the program accesses memory in pieces that overlap (a) [H0741]", 7);
    assert_refused("object a : global 16;\n"
                   "thread main { local i : bv64;\n"
                   "  l0 { do i := any; lock [(add a (add 4:64 (mul i 8:64)))]; goto l1; }\n"
                   "  l1 { do store [a] := 4294967296:64 @\"a.c:7:3\"; goto l2; } l2 end; }\n",
                   "the engine supports only normal mutexes; this one is another (a) [H0742]", 7);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields), cmocka_unit_test(arrays), cmocka_unit_test(two_targets),
        cmocka_unit_test(site),   cmocka_unit_test(pieces), cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
