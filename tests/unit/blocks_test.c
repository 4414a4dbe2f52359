/* SPDX-License-Identifier: Apache-2.0 */
/* Mutexes held, movers and blocks: the paper's own example, and what we ask for beyond it. */
#include "system_test.h"

static uint8_t move(const Chain *p, unsigned t, unsigned source, unsigned target) {
    const SystemThread *thread = &p->system->threads[t];
    for (size_t i = 0; i < vec_len(thread->transitions); i++)
        if (thread->transitions[i].source == source && thread->transitions[i].target == target) return p->movers->kind[t][i];
    fail_msg("no transition %u->%u", source, target);
    return 0;
}

/* The Out locations as text: "0 6 11". */
static void assert_out(const Chain *p, const char *thread, const char *expected) {
    unsigned t = thread_called(p->system, thread);
    Buf text = {0};
    for (unsigned l = 0; l < vec_len(p->blocks->out[t]); l++)
        if (p->blocks->out[t][l]) buf_printf(&text, "%s%u", text.length ? " " : "", l);
    assert_string_equal(buf_string(&text), expected);
    buf_free(&text);
}

/* Example 3: thread 1 holds mx from l1 to l10, my at l3, l4, l7 and l8. */
static void paper_held(void **state) {
    (void)state;
    Chain p = prepared(p1_1, INTEGERS);
    unsigned one = thread_called(p.system, "one"), mx = variable_called(p.system, "mx"), my = variable_called(p.system, "my");
    for (unsigned l = 0; l < 12; l++) {
        assert_int_equal(movers_holds(p.movers, one, l, mx), l >= 1 && l <= 10);
        assert_int_equal(movers_holds(p.movers, one, l, my), l == 3 || l == 4 || l == 7 || l == 8);
    }
    release(&p);
}

/* Example 4. */
static void paper_movers(void **state) {
    (void)state;
    static const uint8_t expected[] = {MOVES_RIGHT, MOVES_BOTH, MOVES_RIGHT, MOVES_BOTH, MOVES_LEFT, MOVES_BOTH,
                                       MOVES_RIGHT, MOVES_BOTH, MOVES_LEFT,  MOVES_BOTH, MOVES_LEFT};
    for (Arithmetic a = BITVECTORS; a <= INTEGERS; a++) {
        Chain p = prepared(p1_1, a);
        unsigned one = thread_called(p.system, "one");
        for (unsigned l = 0; l < 11; l++) assert_int_equal(move(&p, one, l, l + 1), expected[l]);
        release(&p);
    }
}

/* Example 5. */
static void paper_blocks(void **state) {
    (void)state;
    Chain p = prepared(p1_1, INTEGERS);
    assert_out(&p, "one", "0 6 11");
    assert_out(&p, "two", "0 3");
    assert_out(&p, "three", "0 3");
    release(&p);
}

/* The variation P2-1: thread 3 writes y once more, without the lock. Accesses of y no longer move, and blocks are smaller. */
static void paper_race(void **state) {
    (void)state;
    Buf text = {0};
    const char *last = strstr(p1_1, "  l2 { do unlock my; goto l3; }\n  l3 end;");
    buf_bytes(&text, p1_1, (size_t)(last - p1_1));
    buf_text(&text, "  l2 { do unlock my; goto l3; } l3 { do y := 7:32; goto l4; } l4 end;\n}\n");
    Chain p = prepared(buf_string(&text), INTEGERS);
    unsigned one = thread_called(p.system, "one");
    assert_int_equal(move(&p, one, 3, 4), 0);
    assert_int_equal(move(&p, one, 1, 2), MOVES_BOTH);
    assert_out(&p, "one", "0 6 11");
    assert_out(&p, "three", "0 3 4");
    release(&p);
    buf_free(&text);
}

/* After its commit (x := 1) the thread may wait for y: others must be able to run there, although waiting is followed by
   nothing but both-movers. The paper's In would have it inside. */
static void waits_after_commit(void **state) {
    (void)state;
    Chain p = prepared("global x : bv32 = 0:32; global seen : bv32 = 0:32;\n"
                       "thread main { l0 { do create one (0:64); goto l1; } l1 { do seen := x; goto l2; } l2 end; }\n"
                       "thread one { local a : bv32;\n"
                       "  l0 { do a := any; goto l1; }\n"
                       "  l1 { do x := 1:32; goto l2; }\n"
                       "  l2 { when (= a 5:32) do a := 6:32; goto l3; }\n"
                       "  l3 { do a := 7:32; goto l4; }\n"
                       "  l4 end; }\n",
                       INTEGERS);
    assert_out(&p, "one", "0 2 4");
    assert_int_equal(move(&p, thread_called(p.system, "one"), 2, 3), MOVES_BOTH);
    release(&p);
}

/* An input after the commit counts as a place to wait; before it, it is no obstacle. */
static void input_after_commit(void **state) {
    (void)state;
    Chain p = prepared("global x : bv32 = 0:32; global seen : bv32 = 0:32;\n"
                       "thread main { l0 { do create one (0:64); goto l1; } l1 { do seen := x; goto l2; } l2 end; }\n"
                       "thread one { local a : bv32;\n"
                       "  l0 { do a := 1:32; goto l1; }\n"
                       "  l1 { do a := any; goto l2; }\n"
                       "  l2 { do x := a; goto l3; }\n"
                       "  l3 { do a := any; goto l4; }\n"
                       "  l4 end; }\n",
                       INTEGERS);
    assert_out(&p, "one", "0 3 4");
    release(&p);
}

/* Nobody runs inside an atomic section, whatever it does; it moves as all of it does. Its loop keeps it from being fused
   to one transition, and is a stop. */
static void atomic_section(void **state) {
    (void)state;
    Chain p = prepared(
        "global x : bv32 = 0:32; global y : bv32 = 0:32;\n"
        "thread main { l0 { do create one (0:64); goto l1; } l1 { do x := 5:32; goto l2; } l2 { do y := 6:32; goto l3; } l3 end; }\n"
        "thread one { local a : bv32;\n"
        "  l0 { do a := 0:32; goto l1; }\n"
        "  l1 { do x := a; goto l2; }\n"
        "  l2 atomic { when (ult a 3:32) do a := (add a 1:32); goto l2; when (not (ult a 3:32)) do y := a; goto l3; }\n"
        "  l3 { do a := 0:32; goto l4; }\n"
        "  l4 end; }\n",
        INTEGERS);
    unsigned one = thread_called(p.system, "one");
    assert_out(&p, "one", "0 4");
    assert_true(p.blocks->stop[one][2]);
    assert_false(p.blocks->stop[one][1] || p.blocks->stop[one][3]);
    release(&p);
}

/* wait-and-set in an atomic section is one transition, and found to be a lock. */
static void flag_as_lock(void **state) {
    (void)state;
    Chain p = prepared("global busy : bv32 = 0:32; global x : bv32 = 0:32;\n"
                       "thread main { l0 { do create one (0:64); goto l1; } l1 { do create one (0:64); goto l2; } l2 end; }\n"
                       "thread one { local a : bv32;\n"
                       "  l0 { goto l1; }\n"
                       "  l1 atomic { do assume (= busy 0:32); goto l2; }\n"
                       "  l2 atomic { do busy := 1:32; goto l3; }\n"
                       "  l3 { do a := x; goto l4; }\n"
                       "  l4 { do x := (add a 1:32); goto l5; }\n"
                       "  l5 { do busy := 0:32; goto l6; }\n"
                       "  l6 end; }\n",
                       false);
    unsigned one = thread_called(p.system, "one"), busy = variable_called(p.system, "busy");
    assert_int_not_equal(p.system->variables[busy].owner, NONE);
    assert_true(movers_holds(p.movers, one, 3, busy) && movers_holds(p.movers, one, 5, busy) && !movers_holds(p.movers, one, 6, busy));
    assert_int_equal(move(&p, one, 3, 4), MOVES_BOTH);
    assert_int_equal(move(&p, one, 0, 3), MOVES_RIGHT);
    assert_int_equal(move(&p, one, 5, 6), MOVES_LEFT);
    assert_out(&p, "one", "0 6");
    release(&p);
}

/* A mutex that somebody unlocks without holding it protects nothing. */
static void undisciplined(void **state) {
    (void)state;
    Chain p = prepared("global m : bv32 = 0:32; global x : bv32 = 0:32;\n"
                       "thread main { l0 { do create one (0:64); goto l1; } l1 { do create two (0:64); goto l2; } l2 end; }\n"
                       "thread one { l0 { do lock m; goto l1; } l1 { do x := 1:32; goto l2; } l2 { do unlock m; goto l3; } l3 end; }\n"
                       "thread two { l0 { do unlock m; goto l1; } l1 { do lock m; goto l2; } l2 { do x := 2:32; goto l3; } l3 { do "
                       "unlock m; goto l4; } l4 end; }\n",
                       INTEGERS);
    unsigned one = thread_called(p.system, "one");
    assert_false(movers_holds(p.movers, one, 1, variable_called(p.system, "m")));
    assert_int_equal(move(&p, one, 1, 2), 0);
    release(&p);
}

/* Additions to a counter commute, whatever the locks: Z3 says so. A test of it does not. */
static void commuting(void **state) {
    (void)state;
    Chain p =
        prepared("global n : bv32 = 0:32;\n"
                 "thread main { l0 { do create one (0:64); goto l1; } l1 { do create two (0:64); goto l2; } l2 end; }\n"
                 "thread one { l0 { goto l1; } l1 { do n := (add n 1:32); goto l2; } l2 { do n := (add n 2:32); goto l3; } l3 end; }\n"
                 "thread two { l0 { goto l1; } l1 { do n := (add n 3:32); goto l2; } l2 end; }\n",
                 INTEGERS);
    unsigned one = thread_called(p.system, "one");
    assert_int_equal(move(&p, one, 1, 2), MOVES_BOTH);
    release(&p);
    p = prepared("global n : bv32 = 0:32;\n"
                 "thread main { l0 { do create one (0:64); goto l1; } l1 { do create two (0:64); goto l2; } l2 end; }\n"
                 "thread one { l0 { goto l1; } l1 { do n := (add n 1:32); goto l2; } l2 end; }\n"
                 "thread two { l0 { goto l1; } l1 { when (= n 0:32) goto l2; } l2 end; }\n",
                 INTEGERS);
    assert_int_equal(move(&p, thread_called(p.system, "one"), 1, 2), 0);
    release(&p);
}

/* What is never parallel does not conflict: before the creation, after the join. */
static void not_parallel(void **state) {
    (void)state;
    Chain p = prepared("global x : bv32 = 0:32;\n"
                       "thread main { local t : bv32;\n"
                       "  l0 { do x := 1:32; goto l1; } l1 { do x := 2:32; goto l2; } l2 { do t := create one (0:64); goto l3; }\n"
                       "  l3 { do x := 3:32; goto l4; } l4 { do join (t); goto l5; } l5 { do x := 4:32; goto l6; } l6 end; }\n"
                       "thread one { l0 { goto l1; } l1 { do x := 9:32; goto l2; } l2 end; }\n",
                       INTEGERS);
    assert_int_equal(move(&p, 0, 1, 2), MOVES_BOTH);
    assert_int_equal(move(&p, 0, 3, 4), 0);
    assert_true(move(&p, 0, 5, 6) & MOVES_LEFT);
    release(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paper_held),     cmocka_unit_test(paper_movers),       cmocka_unit_test(paper_blocks),
        cmocka_unit_test(paper_race),     cmocka_unit_test(waits_after_commit), cmocka_unit_test(input_after_commit),
        cmocka_unit_test(atomic_section), cmocka_unit_test(flag_as_lock),       cmocka_unit_test(undisciplined),
        cmocka_unit_test(commuting),      cmocka_unit_test(not_parallel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
