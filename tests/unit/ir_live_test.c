/* SPDX-License-Identifier: Apache-2.0 */
/* Liveness, by hand and against a plain fixpoint on random templates. */
#include "ir_test.h"
#include "ir/live.h"
#include <stdlib.h>

static void by_hand(void **state) {
    (void)state;
    Program *p = program_of("global x : bv8; thread main { local a : bv8; local b : bv8;"
                            "l0 { do a := x; goto l1; }"
                            "l1 { do b := a; a := b; goto l2; when false do b := 1:8; goto l3; }"
                            "l2 { do x := a; goto l1; goto l3; }"
                            "l3 { do x := b; goto l4; }"
                            "l4 end; }"
                            "thread w { l0 { goto l1; } l1 end; }");
    const Template *t = p->templates[0];
    const Variable *a = local_called(t, "a"), *b = local_called(t, "b");
    Liveness *l = live_new(p, t);
    assert_false(live_at(l, 0, a) || live_at(l, 0, b));
    assert_true(live_at(l, 1, a) && !live_at(l, 1, b));
    assert_true(live_at(l, 2, a) && live_at(l, 2, b));
    assert_true(!live_at(l, 3, a) && live_at(l, 3, b));
    assert_false(live_at(l, 4, a) || live_at(l, 4, b));
    for (unsigned i = 0; i < 5; i++) assert_true(live_at(l, i, t->self));
    live_free(l);
    l = live_new(p, p->templates[1]);
    assert_true(live_at(l, 1, p->templates[1]->result)); /* join reads it */
    assert_true(live_at(l, 0, p->templates[1]->result));
    assert_false(live_at(l, 1, p->templates[1]->argument));
    live_free(l);
    program_free(p);
}

enum { LOCALS = 6, LOCATIONS = 9, ACTIONS = 16 };

static Program *random_program(void) {
    Program *p = program_new(64);
    Template *t = program_template(p, "main", 1);
    const Sort *byte = sort_bv(p->exprs, 8);
    for (int i = 0; i < LOCALS; i++) template_local(p, t, "v", byte);
    for (int i = 0; i < LOCATIONS; i++) template_location(p, t, LOCATION_PLAIN, (Position){0});
    for (int i = 0; i < ACTIONS; i++) {
        Action *a = template_action(p, t, (unsigned)rand() % LOCATIONS, (unsigned)rand() % LOCATIONS, NULL, (Position){0});
        for (int n = rand() % 3; n > 0; n--) {
            Instr *instr = action_instr(a, INSTR_ASSIGN, (Position){0});
            instr->target = t->locals[1 + rand() % LOCALS];
            instr->value = variable_expr(p, t->locals[1 + rand() % LOCALS]);
        }
    }
    return p;
}

/* The definition, iterated. */
static void fixpoint(const Template *t, bool live[LOCATIONS][LOCALS + 1]) {
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < vec_len(t->actions); i++) {
            const Action *a = &t->actions[i];
            for (unsigned v = 1; v <= LOCALS; v++) {
                bool is = live[a->target][v];
                for (size_t k = vec_len(a->instrs); k-- > 0;) {
                    if (a->instrs[k].target->index == v) is = false;
                    if (expr_variable(a->instrs[k].value)->index == v) is = true;
                }
                if (is && !live[a->source][v]) changed = live[a->source][v] = true;
            }
        }
    }
}

static void random_templates(void **state) {
    (void)state;
    srand(1);
    for (int round = 0; round < 500; round++) {
        Program *p = random_program();
        const Template *t = p->templates[0];
        bool expected[LOCATIONS][LOCALS + 1] = {0};
        fixpoint(t, expected);
        Liveness *l = live_new(p, t);
        for (unsigned i = 0; i < LOCATIONS; i++) {
            size_t n, count = 1;
            const unsigned *list = live_list(l, i, &n);
            for (unsigned v = 1; v <= LOCALS; v++) {
                assert_int_equal(live_at(l, i, t->locals[v]), expected[i][v]);
                count += expected[i][v];
            }
            assert_int_equal(n, count);
            for (size_t k = 1; k < n; k++) assert_true(list[k - 1] < list[k]);
        }
        live_free(l);
        program_free(p);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(by_hand), cmocka_unit_test(random_templates)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
