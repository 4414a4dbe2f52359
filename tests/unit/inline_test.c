/* SPDX-License-Identifier: Apache-2.0 */
/* What the pass inline makes beyond the text of a program: activations and their contexts for native runs, the limit of size, marks. What its
   programs do is in inline_random_test.c, and what they look like in tests/pass/inline.hir. */
#include "ir_test.h"
#include "ir/copy.h"
#include "passes/program/program_passes.h"

static const char calls[] = "thread main { l0 @\"a.c:1:1\" { do call f (); goto l1; } l1 { goto l2; } l2 end; }\n"
                            "procedure f () { l0 @\"a.c:10:1\" { do call g (); goto l1; } l1 @\"a.c:11:1\" { goto l2; } l2 return; }\n"
                            "procedure g () library in g_it { l0 @\"m.c:20:1\" { goto l1; } l1 @\"m.c:21:1\" { goto l2; } l2 return; }\n";

static const Action *action_at(const Program *p, unsigned line, unsigned nth) {
    vec_each_at(const Action, a, p->templates[0]->actions)
        if (a->position.line == line && !nth--) return a;
    fail_msg("no action at line %u", line);
    return NULL;
}

/* Each call has an activation, with the context of its callers. */
static void activations(void **state) {
    (void)state;
    Program *p = program_of(calls);
    const Activation start = {.function = "main", .context = 77};
    Instr *outer = &p->templates[0]->actions[0].instrs[0], *inner = &p->procedures[0]->actions[0].instrs[0];
    outer->position.in = &start;
    outer->position.origin = 5;
    inner->position.origin = 6;
    p->procedures[0]->actions[1].position.origin = 7;
    inline_procedures(p, 0, INLINE_MOST);
    const Activation *f = action_at(p, 11, 0)->position.in;
    assert_string_equal(f->function, "f");
    assert_false(f->library);
    assert_ptr_equal(f->from.in, &start);
    assert_int_equal(f->from.line, 1);
    assert_true(f->context == context_of_call(77, 5));
    assert_int_equal(action_at(p, 11, 0)->position.origin, 7);
    const Activation *g = action_at(p, 10, 1)->position.in;
    assert_string_equal(g->function, "g_it");
    assert_true(g->library);
    assert_ptr_equal(g->from.in, f);
    assert_true(g->context == context_of_call(f->context, 6));
    program_free(p);
}

/* Code that the maker of the program has inlined already, in a procedure. */
static void activations_within(void **state) {
    (void)state;
    Program *p = program_of(calls);
    const Activation own = {.function = "f"};
    const Activation model = {.function = "model", .library = true, .from = {.file = "a.c", .line = 11, .in = &own, .origin = 9}};
    p->procedures[0]->actions[1].position.in = &model;
    p->procedures[0]->actions[0].position.in = &own;
    inline_procedures(p, 0, INLINE_MOST);
    const Activation *f = action_at(p, 10, 0)->position.in, *m = action_at(p, 11, 0)->position.in;
    assert_string_equal(f->function, "f");
    assert_int_equal(f->from.line, 1);
    assert_string_equal(m->function, "model");
    assert_true(m->library);
    assert_ptr_equal(m->from.in, f);
    assert_int_equal(m->from.line, 11);
    assert_true(m->context == context_of_call(f->context, 9));
    program_free(p);
}

static unsigned stops_with(const Program *p, const char *text) {
    unsigned n = 0;
    vec_each_at(const Location, l, p->templates[0]->locations)
        if (l->kind == LOCATION_STOP) n += strstr(p->approximations[l->approximation].text, text) != NULL;
    return n;
}

/* The reason names the procedure with the most copies, and a way to it. */
static void too_large(void **state) {
    (void)state;
    static const char text[] =
        "global x : bv32;\n"
        "thread main { l0 { do call a (); goto l1; } l1 { do call b (); goto l2; } l2 { do call a (); goto l3; } l3 end; }\n"
        "procedure a () { l0 { do call b (); goto l1; } l1 { do call b (); goto l2; } l2 return; }\n"
        "procedure b () { l0 { do call c (); goto l1; } l1 { do call c (); goto l2; } l2 return; }\n"
        "procedure c () { l0 { do x := 1:32; goto l1; } l1 { do x := 2:32; goto l2; } l2 { do x := 3:32; goto l3; } l3 return; }\n";
    Program *p = program_of(text), *q = program_copy(p);
    Buf why = {0};
    inline_procedures(p, 0, 60);
    assert_int_equal(stops_with(p, "the program is too large after inlining: "), 1);
    assert_int_equal(stops_with(p, " actions and instructions are copies of c, called by b, called by "), 1);
    assert_true(program_check(p, &why));
    inline_procedures(q, 0, 500);
    assert_int_equal(stops_with(q, ""), 0);
    program_free(p);
    program_free(q);
}

/* Each of several procedures calls all of them again: the bound is smaller, since the copies are many. */
static void recursion_through_pointers(void **state) {
    (void)state;
    static const char text[] =
        "object a : function; object b : function; global p : bv64;\n"
        "thread main { local q : bv64; l0 { do q := p; goto l1; } l1 { do call [q] (); goto l2; } l2 { do p := a; p := b; "
        "goto l3; } l3 end; }\n"
        "procedure f () address a { local q : bv64; l0 { do q := p; goto l1; } l1 { do call [q] (); goto l2; } l2 return; }\n"
        "procedure g () address b { l0 { do call f (); goto l1; } l1 return; }\n";
    Program *p = program_of(text);
    inline_procedures(p, 4, INLINE_MOST);
    assert_int_equal(stops_with(p, "recursion of f through a pointer to one of 2 functions beyond 2 nested calls"), 4);
    assert_int_equal(stops_with(p, "recursion of f beyond"), 0);
    assert_true(stops_with(p, "recursion of g through a pointer to one of 2 functions beyond 2 nested calls") > 0);
    program_free(p);
}

/* The argument of a library procedure stands for the parameter, unless it reads what may change meanwhile. */
static void library_arguments(void **state) {
    (void)state;
    static const char text[] =
        "global x : bv8 = 0:8;\n"
        "thread main { local a : bv8; l0 { do a := 1:8; goto l1; } l1 { do call f (x, (add a 1:8), (udiv a a)); goto l2; } l2 end; }\n"
        "procedure f (global : bv8, sum : bv8, faulty : bv8) library { l0 { do x := (add global sum); goto l1; } l1 { do x := faulty; goto "
        "l2; } "
        "l2 return; }\n";
    Program *p = program_of(text);
    inline_procedures(p, 0, INLINE_MOST);
    const Template *t = p->templates[0];
    assert_non_null(local_called(t, "global"));
    assert_null(local_called(t, "sum"));
    assert_non_null(local_called(t, "faulty"));
    program_free(p);
}

/* An action stays marked as subsumed only beside one that is copied. */
static void subsumed(void **state) {
    (void)state;
    static const char text[] =
        "approximation over \"any\";\n"
        "thread main { l0 { do call f (true); goto l1; } l1 { do call f (false); goto l2; } l2 end; }\n"
        "procedure f (b : bool) { local v : bv8; l0 { when b subsumed do v := 1:8; goto l1; when b approximates 0 do v := any; goto l1; "
        "when (not b) do v := 2:8; goto l2; } l1 { goto l2; } l2 return; }\n"
        "procedure g (b : bool) { local v : bv8; l0 { when true subsumed do v := 1:8; goto l1; when b do v := any; goto l1; } l1 { goto "
        "l2; } "
        "l2 return; }\n"
        "thread other { l0 { do call g (false); goto l1; } l1 end; }\n";
    Program *p = program_of(text);
    Buf why = {0};
    inline_procedures(p, 0, INLINE_MOST);
    if (!program_check(p, &why)) fail_msg("%s", buf_string(&why));
    unsigned marked = 0;
    vec_each_at(const Action, a, p->templates[0]->actions) marked += a->subsumed;
    assert_int_equal(marked, 1);
    assert_int_equal(vec_len(p->templates[1]->actions), 1);
    program_free(p);
}

/* Nothing changes without procedures, or in threads that call none. */
static void others(void **state) {
    (void)state;
    static const char text[] = "thread main { local a : bv8; l0 { when false goto l1; goto l2; } l1 { goto l0; } l2 end; }\n";
    Program *p = program_of(text), *q = program_copy(p);
    inline_procedures(q, 0, INLINE_MOST);
    assert_true(program_equal(p, q));
    program_free(q);
    Buf longer = {0};
    buf_printf(&longer, "%sprocedure f () { object o : local 4; l0 { do alive o; goto l1; } l1 return; }\n", text);
    q = program_of(buf_string(&longer));
    inline_procedures(q, 0, INLINE_MOST);
    assert_true(program_equal(p, q));
    program_free(q);
    program_free(p);
    buf_free(&longer);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(activations),
                                       cmocka_unit_test(activations_within),
                                       cmocka_unit_test(too_large),
                                       cmocka_unit_test(recursion_through_pointers),
                                       cmocka_unit_test(library_arguments),
                                       cmocka_unit_test(subsumed),
                                       cmocka_unit_test(others)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
