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
                           "  local a : bv32;\n"
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

/* Something is changed, is noticed, and changed back. */
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
    BROKEN(s->variables[n].symbol, s->variables[m].symbol, "[variables]");
    BROKEN(s->variables[b].thread, 77u, "[variables]");
    BROKEN(s->variables[n].init, expr_bool(s->exprs, true), "[sorts]");
    BROKEN(s->variables[n].init, system_expr(s, m), "[initial]");
    BROKEN(s->variables[n].owner, b, "[locks]");
    BROKEN(s->variables[b].thread, 0u, "[");
    release(&p);
}

static void notices_threads(void **state) {
    (void)state;
    Chain p = prepared(pool, BITVECTORS);
    System *s = p.system;
    expect_good(s);
    unsigned one = thread_called(s, "one"), w = thread_called(s, "w"), twin = s->threads[w].other_instance;
    BROKEN(s->threads[one].name, s->threads[w].name, "[threads]");
    BROKEN(s->threads[one].entry, 50u, "[threads]");
    BROKEN(s->threads[one].status, variable_called(s, "b"), "[threads]");
    BROKEN(s->threads[one].many, true, "[threads]");
    BROKEN(s->threads[w].self, variable_called(s, "b"), "[threads]");
    BROKEN(s->threads[w].other_instance, one, "[second-instance]");
    BROKEN(s->threads[w].status, variable_called(s, "n"), "[second-instance]");
    BROKEN(s->threads[twin].locations[1].atomic, true, "[second-instance]");
    BROKEN(s->threads[twin].transitions[0].lock, (unsigned)NONE, "[second-instance]");
    BROKEN(s->threads[one].locations[0].kind, LOCATION_ERROR, "[locations]");
    BROKEN(s->threads[one].locations[1].kind, LOCATION_END, "[locations]");
    BROKEN(s->fine->threads[one].many, true, "[");
    BROKEN(s->fine->threads[one].transitions[0].index, 3u, "fine system: ");
    release(&p);
}

static void notices_transitions(void **state) {
    (void)state;
    Chain p = prepared(pool, INTEGERS);
    System *s = p.system;
    unsigned one = thread_called(s, "one"), w = thread_called(s, "w"), b = variable_called(s, "b");
    Transition *x = &s->threads[one].transitions[0], *lock = &s->threads[w].transitions[0], *any = &s->threads[w].transitions[1];
    BROKEN(x->index, 1u, "[indices]");
    BROKEN(x->target, 9u, "[indices]");
    BROKEN(x->source, 1u, "[indices]");
    BROKEN(x->guard, system_expr(s, b), "[sorts]");
    BROKEN(x->updates[0].variable, 99u, "[updates]");
    BROKEN(x->updates[0].value, expr_bool(s->exprs, true), "[sorts]");
    BROKEN(lock->updates[0].value, system_expr(s, b), "[scopes]");
    BROKEN(lock->updates[0].variable, b, "[");
    BROKEN(lock->updates[0].variable, s->threads[w].self, "[updates]");
    BROKEN(any->inputs[0], s->variables[b].symbol, "[inputs]");
    BROKEN(any->inputs[0], symbol_new(s->exprs, SYM_VARIABLE, "other", any->inputs[0]->sort), "[scopes]");
    BROKEN(lock->creates, 77u, "[notes]");
    BROKEN(lock->creates, s->threads[w].other_instance, "[notes]");
    BROKEN(lock->joins, one, "[notes]");
    BROKEN(lock->lock, b, "[notes]");
    BROKEN(lock->unlock, b, "[notes]");
    BROKEN(lock->actions[0], ACTIONS_EITHER, "[actions]");
    BROKEN(lock->actions[0], ACTIONS_END, "[actions]");
    BROKEN(lock->actions[0], ACTIONS_OR, "[actions]");
    release(&p);
}

static void notices_fills(void **state) {
    (void)state;
    Chain p = prepared(pool, INTEGERS);
    System *s = p.system;
    Symbol *input = symbol_new(s->exprs, SYM_VARIABLE, "filling", sort_int(s->exprs));
    vec_push(s->fills, ((SystemFill){input, variable_called(s, "n"), variable_called(s, "b")}));
    expect_complaint(s, "[fills]");
    release(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(notices_variables), cmocka_unit_test(notices_threads),
                                       cmocka_unit_test(notices_transitions), cmocka_unit_test(notices_fills)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
