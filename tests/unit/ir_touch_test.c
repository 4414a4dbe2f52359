/* SPDX-License-Identifier: Apache-2.0 */
/* Which objects are shared, and what other threads can see. */
#include "ir_test.h"

static void shared_objects(void **state) {
    (void)state;
    Program *p = program_of("object g : global 8; object constant : global 8 readonly; object fun : function; object site : heap;"
                            "object home : local 8 in main; object away : local 8 in main; object stored : local 8 in main;"
                            "object offset : local 8 in main; object chosen : local 8 in main; object mutex : local 8 in main;"
                            "object tls : thread 8; object tls_away : thread 8;"
                            "global p : bv64; global b : bool;"
                            "thread main { local t : bv64; local i : bv64;"
                            "l0 { do i := any; t := load [home]; t := load [(add home 4:64)]; store [(add (mul i 4:64) home)] := 1:32;"
                            "  copy [(sub home i)] := [(add (add home i) 1:64)] size i; fill [home] := 0:8 size 8:64; goto l1; }"
                            "l1 { when (= p away) do store [g] := stored; goto l2; }"
                            "l2 { do t := load [(add home (mul offset i))]; goto l3; }"
                            "l3 { do t := load [(ite b chosen g)]; lock [mutex]; t := load [tls]; p := tls_away; goto l4; }"
                            "l4 end; }");
    const struct {
        const char *name;
        bool shared;
    } expected[] = {{"g", true},      {"constant", false}, {"site", true},  {"home", false}, {"away", true},    {"stored", true},
                    {"offset", true}, {"chosen", true},    {"mutex", true}, {"tls", false},  {"tls_away", true}};
    bool *shared = program_shared_objects(p);
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        if (shared[object_called(p, expected[i].name)->index] != expected[i].shared) fail_msg("%s", expected[i].name);
    vec_free(shared);
    program_free(p);
}

static void visibility(void **state) {
    (void)state;
    Program *p = program_of("global x : bv64; object g : global 8; object c : global 8 readonly; object site : heap;"
                            "object l : local 8 in main;"
                            "thread main { local t : bv64; local u : bv32;"
                            /* seen */
                            "a { do t := x; goto b; when (= x 0:64) goto b; do x := 0:64; goto b; do x := any; goto b;"
                            "    do t := load [g]; goto b; do t := 0:64; t := load [t]; goto b; do lock [g]; goto b;"
                            "    do store [g] := 1:8; goto b; do t := alloc site size 1:64; goto b; do free [0:64]; goto b;"
                            "    do u := create w (0:64); goto b; do join (1:32); goto b; do assume (= x 0:64); goto b;"
                            "    do t := load [(add l x)]; goto b; do copy [l] := [g] size 8:64; goto b; }"
                            /* not seen */
                            "b { do t := 1:64; goto a; do t := any; goto a; do alive l; goto a; do t := load [l]; goto a;"
                            "    do store [(add l 3:64)] := 0:8; goto a; do t := load [c]; goto a; do assume false; goto a;"
                            "    do copy [l] := [c] size 8:64; dead l; goto a; goto a; when (= self 1:32) goto a; } }"
                            "thread w { e end; }");
    bool *shared = program_shared_objects(p);
    const Template *t = p->templates[0];
    for (size_t i = 0; i < vec_len(t->actions); i++)
        if (action_is_visible(&t->actions[i], shared) != (t->actions[i].source == 0)) fail_msg("action %zu", i);
    const Action *load = &t->actions[t->locations[1].out[3]];
    assert_true(action_is_visible(load, NULL)); /* nothing known: all objects count as shared */
    vec_free(shared);
    program_free(p);
}

static void bases(void **state) {
    (void)state;
    Program *p = program_of("object o : global 8; object q : global 8; global i : bv64; thread main { e end; }");
    Exprs *x = p->exprs;
    const Object *o = object_called(p, "o");
    const Expr *a = object_address(p, o), *b = object_address(p, object_called(p, "q"));
    const Expr *i = variable_expr(p, p->globals[0]);
    assert_ptr_equal(address_base(a), o);
    assert_ptr_equal(address_base(expr_2(x, OP_ADD, i, a)), o);
    assert_ptr_equal(address_base(expr_2(x, OP_SUB, a, i)), o);
    assert_null(address_base(expr_2(x, OP_SUB, i, a)));
    assert_null(address_base(expr_2(x, OP_ADD, a, b)));
    assert_null(address_base(expr_2(x, OP_MUL, a, i)));
    const Expr *deep = a;
    for (int k = 0; k < 5000; k++) deep = expr_2(x, OP_ADD, deep, expr_2(x, OP_MUL, i, expr_bv(x, 64, (u128)k + 2)));
    assert_null(address_base(deep)); /* too deep: nothing is claimed, and soon */
    program_free(p);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(shared_objects), cmocka_unit_test(visibility), cmocka_unit_test(bases)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
