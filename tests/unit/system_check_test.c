/* SPDX-License-Identifier: Apache-2.0 */
/* system_check accepts what the passes make, and notices each thing that is broken in it. */
#include "system_test.h"
#include "system/system.h"

static const char pool[] = "global n : bv32 = 0:32;\n"
                           "global m : bv32 = 0:32;\n"
                           "thread main {\n"
                           "  l0 loop { do create w (0:64); goto l0; do create one (0:64); goto l1; }\n"
                           "  l1 halt;\n"
                           "}\n"
                           "thread w count many {\n"
                           "  local a : bv32; local c : bv8;\n"
                           "  l0 { do lock m; goto l1; }\n"
                           "  l1 { do a := any; n := a; goto l2; }\n"
                           "  l2 { when (= n a) do unlock m; goto l3; when (not (= n a)) goto bad; }\n"
                           "  l3 end;\n"
                           "  bad error \"others wrote\";\n"
                           "}\n"
                           "thread one {\n"
                           "  local b : bv32;\n"
                           "  l0 { do b := n; goto l1; }\n"
                           "  l1 { when (= b 1:32) goto l2; }\n"
                           "  l2 end;\n"
                           "}\n";

/* rule: the code of the complaint, or another part of it. */
static void expect_complaint(System *s, const char *rule) {
    Buf why = {0};
    assert_false(system_check(s, &why));
    if (!strstr(buf_string(&why), rule)) fail_msg("%s is not %s", buf_string(&why), rule);
    buf_free(&why);
}

static void expect_good(System *s) {
    Buf why = {0};
    if (!system_check(s, &why)) fail_msg("%s", buf_string(&why));
    buf_free(&why);
}

/* Breaks, checks and restores a part of the system. */
#define BROKEN(place, wrong, rule)        \
    do {                                  \
        __typeof__(place) was_ = (place); \
        (place) = (wrong);                \
        expect_complaint(s, rule);        \
        (place) = was_;                   \
        expect_good(s);                   \
    } while (0)

static void notices_variables(void **state) {
    (void)state;
    Chain p = prepared(pool, INTEGERS);
    System *s = p.system;
    expect_good(s);
    unsigned n = variable_called(s, "n"), b = variable_called(s, "b"), m = variable_called(s, "m");
    BROKEN(s->variables[n].symbol, s->variables[m].symbol, "[H0639]");
    BROKEN(s->variables[b].thread, 77u, "[H0640]");
    BROKEN(s->variables[n].init, expr_bool(s->exprs, true), "[H0534]");
    BROKEN(s->variables[n].init, system_expr(s, m), "[H0642]");
    BROKEN(s->variables[n].owner, b, "[H0643]");
    BROKEN(s->variables[b].thread, 0u, "[H0661]");
    BROKEN(s->variables[n].name, NULL, "[H0638]");
    BROKEN(s->fine->fine, s, "[H0694]");
    release(&p);
}

static void notices_threads(void **state) {
    (void)state;
    Chain p = prepared(pool, BITVECTORS);
    System *s = p.system;
    expect_good(s);
    unsigned one = thread_called(s, "one"), w = thread_called(s, "w"), twin = s->threads[w].other_instance;
    BROKEN(s->threads[one].name, s->threads[w].name, "[H0568]");
    BROKEN(s->threads[one].entry, 50u, "[H0573]");
    BROKEN(s->threads[one].status, variable_called(s, "b"), "[H0672]");
    BROKEN(s->threads[one].many, true, "[H0673]");
    BROKEN(s->threads[w].self, variable_called(s, "b"), "[H0674]");
    BROKEN(s->threads[w].other_instance, one, "[H0677]");
    BROKEN(s->threads[w].status, variable_called(s, "n"), "[H0678]");
    BROKEN(s->threads[w].self, variable_called(s, "c"), "[H0675]");
    BROKEN(s->threads[one].other_instance, w, "[H0676]");
    BROKEN(s->threads[0].many, true, "[H0671]");
    BROKEN(s->threads[one].locations[0].out[0], 9u, "[H0664]");
    BROKEN(s->threads[twin].locations[1].atomic, true, "[H0678]");
    BROKEN(s->threads[twin].transitions[0].lock, (unsigned)NONE, "[H0679]");
    BROKEN(s->threads[one].locations[0].kind, LOCATION_ERROR, "[H0574]");
    BROKEN(s->threads[one].locations[1].kind, LOCATION_END, "[H0663]");
    BROKEN(s->fine->threads[one].many, true, "[H0695]");
    BROKEN(s->fine->threads[one].transitions[0].index, 3u, "fine system: ");
    release(&p);
}

static void notices_transitions(void **state) {
    (void)state;
    Chain p = prepared(pool, INTEGERS);
    System *s = p.system;
    unsigned one = thread_called(s, "one"), w = thread_called(s, "w"), b = variable_called(s, "b");
    Transition *x = &s->threads[one].transitions[0], *lock = &s->threads[w].transitions[0], *any = &s->threads[w].transitions[1];
    BROKEN(x->index, 1u, "[H0525]");
    BROKEN(x->target, 9u, "[H0667]");
    BROKEN(x->source, 1u, "[H0666]");
    BROKEN(x->guard, system_expr(s, b), "[H0649]");
    BROKEN(x->updates[0].variable, 99u, "[H0650]");
    BROKEN(x->updates[0].value, expr_bool(s->exprs, true), "[H0651]");
    BROKEN(lock->updates[0].value, system_expr(s, b), "[H0532]");
    BROKEN(lock->updates[0].variable, b, "[H0532]");
    BROKEN(lock->updates[0].variable, s->threads[w].self, "[H0653]");
    BROKEN(any->inputs[0], s->variables[b].symbol, "[H0647]");
    BROKEN(any->inputs[0], NULL, "[H0646]");
    BROKEN(any->inputs[0], symbol_new(s->exprs, SYM_VARIABLE, "other", any->inputs[0]->sort), "[H0645]");
    BROKEN(lock->creates, 77u, "[H0655]");
    BROKEN(lock->creates, s->threads[w].other_instance, "[H0655]");
    BROKEN(lock->joins, one, "[H0657]");
    BROKEN(lock->joins, 77u, "[H0656]");
    BROKEN(lock->lock, b, "[H0658]");
    BROKEN(lock->unlock, b, "[H0659]");
    BROKEN(lock->actions[0], ACTIONS_EITHER, "[H0654]");
    BROKEN(lock->actions[0], ACTIONS_END, "[H0654]");
    BROKEN(lock->actions[0], ACTIONS_OR, "[H0654]");
    release(&p);
}

static void notices_lists(void **state) {
    (void)state;
    Chain p = prepared(pool, INTEGERS);
    System *s = p.system;
    SystemThread *w = &s->threads[thread_called(s, "w")];
    Transition *lock = &w->transitions[0], *any = &w->transitions[1];
    vec_push(any->inputs, any->inputs[0]);
    expect_complaint(s, "[H0648]");
    (void)vec_pop(any->inputs);
    vec_push(lock->updates, lock->updates[0]);
    expect_complaint(s, "[H0652]");
    (void)vec_pop(lock->updates);
    unsigned *two = w->locations[2].out;
    unsigned first = two[0];
    two[0] = two[1], two[1] = first;
    expect_complaint(s, "[H0665]");
    two[1] = two[0], two[0] = first;
    unsigned last = vec_pop(w->locations[2].out);
    expect_complaint(s, "[H0668]");
    vec_push(w->locations[2].out, last);
    expect_good(s);
    SystemVariable extra = s->fine->variables[0];
    size_t had = vec_len(s->fine->variables);
    while (vec_len(s->fine->variables) <= vec_len(s->variables)) vec_push(s->fine->variables, extra);
    expect_complaint(s, "[H0696]");
    while (vec_len(s->fine->variables) > had) (void)vec_pop(s->fine->variables);
    expect_good(s);
    release(&p);
}

static void notices_fills(void **state) {
    (void)state;
    Chain p = prepared(pool, INTEGERS);
    System *s = p.system;
    Symbol *input = symbol_new(s->exprs, SYM_VARIABLE, "filling", sort_int(s->exprs));
    vec_push(s->fills, ((SystemFill){input, variable_called(s, "n"), variable_called(s, "b")}));
    expect_complaint(s, "[H0693]");
    s->fills[0].index = 99;
    expect_complaint(s, "[H0692]");
    s->fills[0].input = s->variables[0].symbol;
    expect_complaint(s, "[H0691]");
    release(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(notices_variables), cmocka_unit_test(notices_threads),
                                       cmocka_unit_test(notices_transitions), cmocka_unit_test(notices_lists),
                                       cmocka_unit_test(notices_fills)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
