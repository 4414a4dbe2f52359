/* SPDX-License-Identifier: Apache-2.0 */
/* The proof of the engine weave: each kind of answer about a step, and that the cheap ones agree with the solver's. */
#include "ir_test.h"
#include "interpolation/abstract_post.h"
#include "passes/prepare.h"
#include <stdlib.h>

/* Inputs, so that no variable is plain. */
static const char text[] = "global x : bv32 = 0:32 signed;\n"
                           "global y : bv32 = 0:32 signed;\n"
                           "global z : bv32 signed;\n"
                           "thread main {\n"
                           "  l0 { do x := any; y := any; goto l1; }\n"
                           "  l1 { when (= x (add y z)) goto bad; when (not (= x (add y z))) goto l2; }\n"
                           "  bad error \"sum\"; l2 end; }\n";

typedef struct Fixture {
    Program *program;
    Chain prepared;
    Stats stats;
    AbstractPost *post;
    Exprs *exprs;
    unsigned x, y, z;
} Fixture;

static unsigned variable(const System *s, const char *name) {
    for (unsigned v = 0; v < vec_len(s->variables); v++)
        if (!strcmp(s->variables[v].name, name)) return v;
    fail_msg("no variable %s", name);
    return 0;
}

static int setup(void **state) {
    Fixture *f = calloc(1, sizeof *f);
    f->program = program_of(text);
    assert_null(
        prepare(&f->prepared, f->program, NULL, (PassSettings){.arithmetic = INTEGERS, .fine = true, .no_reduction = true}, "test"));
    prepare_blocks(&f->prepared, NULL);
    const System *s = f->prepared.system;
    f->exprs = s->exprs;
    f->x = variable(s, "x");
    f->y = variable(s, "y");
    f->z = variable(s, "z");
    f->post = post_new(s, f->prepared.smt, &f->stats);
    *state = f;
    return 0;
}

static int teardown(void **state) {
    Fixture *f = *state;
    post_free(f->post);
    chain_free(&f->prepared);
    program_free(f->program);
    free(f);
    return 0;
}

static const Expr *at_most(Fixture *f, unsigned v, int bound) {
    return expr_2(f->exprs, OP_SLE, system_expr(f->prepared.system, v), expr_int(f->exprs, bound));
}

static const Expr *plus(Fixture *f, unsigned v, int n) {
    return expr_2(f->exprs, OP_ADD, system_expr(f->prepared.system, v), expr_int(f->exprs, n));
}

/* v := v + n */
static unsigned increment(Fixture *f, unsigned v, int n) {
    Update *updates = NULL;
    vec_push(updates, ((Update){v, plus(f, v, n)}));
    unsigned s = post_add_step(f->post, expr_bool(f->exprs, true), updates);
    vec_free(updates);
    return s;
}

static unsigned predicates_of(Fixture *f, unsigned a, unsigned b) {
    PredicateSet m = {0};
    if (a != NONE) predicates_add(&m, a);
    if (b != NONE) predicates_add(&m, b);
    return post_intern_set(f->post, &m);
}

/* Of all assertions. */
static unsigned after(AbstractPost *h, unsigned step, unsigned mask) {
    PredicateSet all = {0};
    for (unsigned i = 0; i < post_predicate_count(h); i++) predicates_add(&all, i);
    return post_after(h, step, mask, &all);
}

static void frame_and_solver(void **state) {
    Fixture *f = *state;
    unsigned low = post_add_predicate(f->post, at_most(f, f->x, 3)), high = post_add_predicate(f->post, at_most(f, f->x, 4)),
             other = post_add_predicate(f->post, at_most(f, f->y, 9));
    assert_int_equal(post_add_predicate(f->post, at_most(f, f->x, 3)), low);
    unsigned step = increment(f, f->x, 1);
    assert_int_equal(increment(f, f->x, 1), step);
    /* x <= 3 gives x <= 4 afterwards; what is known of y stays by the frame rule */
    assert_int_equal(after(f->post, step, predicates_of(f, low, other)), predicates_of(f, high, other));
    assert_int_equal(f->stats.post_frame, 1);
    assert_true(f->stats.post_solver > 0);
    PredicateSet needs = post_needs(f->post, step, predicates_of(f, low, other), high);
    assert_int_equal(post_intern_set(f->post, &needs), predicates_of(f, low, NONE));
}

static void caches(void **state) {
    Fixture *f = *state;
    unsigned low = post_add_predicate(f->post, at_most(f, f->x, 3)), high = post_add_predicate(f->post, at_most(f, f->x, 4));
    unsigned step = increment(f, f->x, 1), first = after(f->post, step, predicates_of(f, low, NONE));
    uint64_t asked = f->stats.post_solver;
    assert_int_equal(after(f->post, step, predicates_of(f, low, NONE)), first);
    assert_int_equal(f->stats.post_solver, asked);
    /* a larger mask: by the core */
    unsigned other = post_add_predicate(f->post, at_most(f, f->y, 9));
    uint64_t by_core = f->stats.post_core;
    assert_int_equal(after(f->post, step, predicates_of(f, low, other)), predicates_of(f, high, other));
    assert_true(f->stats.post_core > by_core);
    /* x <= 4, so x <= 4 afterwards? A state is found where not, which answers for x <= 3 afterwards as well */
    uint64_t by_model = f->stats.post_model;
    assert_int_equal(after(f->post, step, predicates_of(f, high, NONE)), 0);
    assert_true(f->stats.post_model > by_model);
}

static void exclusion(void **state) {
    Fixture *f = *state;
    const Expr *guard = expr_not(f->exprs, at_most(f, f->x, 5));
    unsigned low = post_add_predicate(f->post, at_most(f, f->x, 3)), step = post_add_step(f->post, guard, NULL);
    assert_false(post_excludes(f->post, step, 0));
    assert_true(post_excludes(f->post, step, predicates_of(f, low, NONE)));
    assert_int_equal(after(f->post, step, predicates_of(f, low, NONE)), NEVER);
    PredicateSet needs = post_needs(f->post, step, predicates_of(f, low, NONE), NONE);
    assert_int_equal(post_intern_set(f->post, &needs), predicates_of(f, low, NONE));
}

/* Random questions, asked of one proof with all its caches and of a new one each. */
static void agrees_with_solver(void **state) {
    Fixture *f = *state;
    unsigned seed = 7, vars[] = {f->x, f->y, f->z};
    for (int i = 0; i < 9; i++) post_add_predicate(f->post, at_most(f, vars[i % 3], i));
    for (int round = 0; round < 120; round++) {
        seed = seed * 1103515245 + 12345;
        unsigned bits = seed >> 8, v = vars[bits % 3], from = vars[bits / 3 % 3];
        int n = (int)(bits / 9 % 5) - 2;
        Update *updates = NULL;
        vec_push(updates, ((Update){v, plus(f, from, n)}));
        const Expr *guard = at_most(f, vars[bits / 45 % 3], (int)(bits / 135 % 9));
        Stats nothing = {0};
        AbstractPost *fresh = post_new(f->prepared.system, f->prepared.smt, &nothing);
        PredicateSet m = {0};
        for (unsigned i = 0; i < 9; i++) {
            assert_int_equal(post_add_predicate(fresh, post_predicate(f->post, i)), i);
            if (seed >> (12 + i) & 1) predicates_add(&m, i);
        }
        unsigned a = after(f->post, post_add_step(f->post, guard, updates), post_intern_set(f->post, &m));
        unsigned b = after(fresh, post_add_step(fresh, guard, updates), post_intern_set(fresh, &m));
        assert_int_equal(a == NEVER, b == NEVER);
        if (a != NEVER) assert_memory_equal(post_predicate_set(f->post, a), post_predicate_set(fresh, b), sizeof(PredicateSet));
        post_free(fresh);
        vec_free(updates);
    }
    assert_true(f->stats.post_model > 0 && f->stats.post_core > 0 && f->stats.post_frame > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(frame_and_solver, setup, teardown),
        cmocka_unit_test_setup_teardown(caches, setup, teardown),
        cmocka_unit_test_setup_teardown(exclusion, setup, teardown),
        cmocka_unit_test_setup_teardown(agrees_with_solver, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
