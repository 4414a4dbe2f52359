/* SPDX-License-Identifier: Apache-2.0 */
/* Loops that create threads are unrolled, each thread gets a template, what has no bound is one of many with its twin; and
   a trace finds its way back. */
#include "ir_test.h"
#include "passes/program/program_passes.h"

static const char three[] = "global x : bv32 = 0:32;\n"
                            "thread main { local i : bv32; local j : bv32;\n"
                            "  l0 { do i := 0:32; goto l1; }\n"
                            "  l1 loop { when (ult i 3:32) do create one (0:64); i := (add i 1:32); goto l1;\n"
                            "            when (not (ult i 3:32)) goto l2; }\n"
                            "  l2 { do j := i; goto l3; }\n"
                            "  l3 loop { when (ult j 9:32) do j := (add j 1:32); goto l3; when (not (ult j 9:32)) goto l4; }\n"
                            "  l4 end; }\n"
                            "thread one count many { l0 { do x := (add x 1:32); goto l1; } l1 end; }\n";

static unsigned creates(const Template *t) {
    unsigned n = 0;
    for (size_t a = 0; a < vec_len(t->actions); a++)
        for (size_t i = 0; i < vec_len(t->actions[a].instrs); i++) n += t->actions[a].instrs[i].kind == INSTR_CREATE;
    return n;
}

static void assert_well_formed(const Program *p) {
    Buf error = {0};
    if (!program_check(p, &error)) fail_msg("%s", buf_string(&error));
    buf_free(&error);
}

/* The loop with the CREATE is gone; the one without is there, though constants would decide it as well. */
static void unrolled(void **state) {
    (void)state;
    Program *p = program_of(three);
    Translation *tr = translation_new(p);
    specialised_free(specialise(p, tr, false));
    assert_well_formed(p);
    assert_int_equal(creates(p->templates[0]), 3);
    bool cycle = false;
    for (size_t a = 0; a < vec_len(p->templates[0]->actions); a++) {
        const Action *action = &p->templates[0]->actions[a];
        cycle |= action->source == action->target;
        for (size_t i = 0; i < vec_len(action->instrs); i++)
            assert_false(action->source == action->target && action->instrs[i].kind == INSTR_CREATE);
    }
    assert_true(cycle);
    assert_int_equal(vec_len(tr->actions[0]), vec_len(p->templates[0]->actions));
    for (size_t a = 0; a < vec_len(tr->actions[0]); a++) assert_true(tr->actions[0][a] < 6);
    translation_free(tr);
    program_free(p);
}

static void instances_of_three(void **state) {
    (void)state;
    Program *p = program_of(three);
    Translation *tr = translation_new(p);
    specialised_free(specialise(p, tr, false));
    instantiate_threads(p, tr);
    assert_well_formed(p);
    assert_int_equal(vec_len(p->templates), 4);
    for (unsigned t = 1; t < 4; t++) {
        assert_int_equal(p->templates[t]->count, 1);
        assert_int_equal(tr->templates[t], 1);
    }
    second_instance(p, tr); /* nothing to do */
    assert_int_equal(vec_len(p->templates), 4);
    translation_free(tr);
    program_free(p);
}

/* A loop that an input decides: any number of threads, and a twin that is created wherever the first is. */
static void many(void **state) {
    (void)state;
    Program *p = program_of("global x : bv32 = 0:32;\n"
                            "thread main { local i : bv32; local t : bv32;\n"
                            "  l0 { do i := any; goto l1; }\n"
                            "  l1 loop { when (ult 0:32 i) do t := create one (0:64); i := (sub i 1:32); goto l1;\n"
                            "            when (= i 0:32) goto l2; }\n"
                            "  l2 { do create two (0:64); goto l3; }\n"
                            "  l3 end; }\n"
                            "thread one count many { l0 { do x := (add x 1:32); goto l1; } l1 end; }\n"
                            "thread two { l0 { do create one (0:64); goto l1; } l1 end; }\n"
                            "thread never { l0 end; }\n");
    Translation *tr = translation_new(p);
    specialised_free(specialise(p, tr, false));
    instantiate_threads(p, tr);
    assert_well_formed(p);
    /* main, many of one, two, and the one that two creates */
    assert_int_equal(vec_len(p->templates), 4);
    unsigned kinds = 0;
    for (size_t t = 1; t < 4; t++) kinds += p->templates[t]->count == 0;
    assert_int_equal(kinds, 1);
    second_instance(p, tr);
    assert_well_formed(p);
    assert_int_equal(vec_len(p->templates), 5);
    assert_int_equal(creates(p->templates[0]), 3); /* two kinds of one, and two */
    for (size_t t = 1; t + 1 < 5; t++)
        if (!p->templates[t]->count && !p->templates[t + 1]->count) {
            assert_int_equal(tr->templates[t], tr->templates[t + 1]);
            assert_int_equal(vec_len(p->templates[t]->actions), vec_len(p->templates[t + 1]->actions));
            kinds++;
        }
    assert_int_equal(kinds, 2);
    translation_free(tr);
    program_free(p);
}

/* Where a local is one constant it is written in, and what cannot be taken is gone. */
static void constants(void **state) {
    (void)state;
    Program *p = program_of("global x : bv32 = 0:32;\n"
                            "thread main { local a : bv32;\n"
                            "  l0 { do a := 4:32; goto l1; }\n"
                            "  l1 { when (= a 5:32) goto bad; when (not (= a 5:32)) do x := (add x a); goto l2; }\n"
                            "  l2 end;\n"
                            "  bad error \"never\"; }\n");
    Translation *tr = translation_new(p);
    specialised_free(specialise(p, tr, false));
    assert_well_formed(p);
    const Template *t = p->templates[0];
    for (size_t a = 0; a < vec_len(t->actions); a++) assert_int_not_equal(t->locations[t->actions[a].target].kind, LOCATION_ERROR);
    const Expr *a = variable_expr(p, local_called(t, "a"));
    for (size_t i = 0; i < vec_len(t->actions); i++)
        for (size_t k = 0; k < vec_len(t->actions[i].instrs); k++)
            if (t->actions[i].instrs[k].value) assert_false(expr_mentions(t->actions[i].instrs[k].value, a->symbol));
    translation_free(tr);
    program_free(p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unrolled),
        cmocka_unit_test(instances_of_three),
        cmocka_unit_test(many),
        cmocka_unit_test(constants),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
