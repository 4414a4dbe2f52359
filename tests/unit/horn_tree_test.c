/* SPDX-License-Identifier: Apache-2.0 */
/* Horn clauses without recursion, solved by linear inequalities. Whatever comes back is put into the clauses, and these are asked of a solver. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/vec.h"
#include "interpolation/tree.h"

enum { VARIABLES = 4, ANSWER_MS = 20000 };

typedef struct World {
    Exprs *x;
    Smt *smt;
    Horn *horn;
    const Expr *v[VARIABLES]; /* variables of clauses */
    unsigned clauses;
} World;

static World world(void) {
    World w = {.x = exprs_new()};
    w.smt = smt_new(w.x);
    w.horn = horn_new(w.smt);
    for (int i = 0; i < VARIABLES; i++) {
        char name[] = {'v', (char)('0' + i), 0};
        w.v[i] = expr_symbol(w.x, symbol_new(w.x, SYM_VARIABLE, name, sort_int(w.x)));
    }
    return w;
}

static void world_free(World *w) {
    horn_free(w->horn);
    smt_free(w->smt);
    exprs_free(w->x);
}

static const Symbol *predicate(World *w, const char *name, unsigned n) {
    const Sort *sorts[VARIABLES];
    for (unsigned i = 0; i < n; i++) sorts[i] = sort_int(w->x);
    return horn_predicate(w->horn, name, n, sorts);
}

static const Expr *of1(World *w, const Symbol *p, const Expr *a) { return expr_apply(w->x, p, 1, &a); }
static const Expr *of2(World *w, const Symbol *p, const Expr *a, const Expr *b) {
    const Expr *args[] = {a, b};
    return expr_apply(w->x, p, 2, args);
}

static void clause(World *w, const Expr *constraint, const Expr *first, const Expr *second, const Expr *head) {
    const Expr *body[] = {first, second};
    char name[16];
    snprintf(name, sizeof name, "c%u", w->clauses++);
    horn_clause(w->horn, name, constraint, first && second ? 2 : first ? 1 : 0, body, head);
}

static const Expr *plus(World *w, const Expr *e, int k) { return expr_2(w->x, OP_ADD, e, expr_int(w->x, k)); }
static const Expr *is(World *w, const Expr *e, int k) { return expr_eq(w->x, e, expr_int(w->x, k)); }
static const Expr *le(World *w, const Expr *a, const Expr *b) { return expr_2(w->x, OP_SLE, a, b); }

/* ---- what is a solution ---- */

static const Expr *solved(World *w, HornTree *t, const Expr *atom) {
    return atom ? horn_tree_solution(t, atom->symbol, atom->args) : expr_bool(w->x, false);
}

static void check_solution(World *w, HornTree *t) {
    for (size_t i = 0; i < horn_clauses(w->horn); i++) {
        const HornClause *c = horn_get(w->horn, i);
        const Expr *e = c->constraint;
        for (size_t k = 0; k < vec_len(c->body); k++) e = expr_and(w->x, e, solved(w, t, c->body[k]));
        e = expr_and(w->x, e, expr_not(w->x, solved(w, t, c->head)));
        if (smt_check(w->smt, ANSWER_MS, e) != SMT_UNSAT) fail_msg("clause %zu does not hold", i);
    }
}

static HornTree *must_solve(World *w) {
    HornTree *t = horn_tree_solve(w->horn, w->smt, ANSWER_MS);
    assert_non_null(t);
    check_solution(w, t);
    return t;
}

/* ---- by hand ---- */

/* p: 0. q: one more. Never 2. */
static void chain(void **state) {
    (void)state;
    World w = world();
    const Symbol *p = predicate(&w, "p", 1), *q = predicate(&w, "q", 1);
    clause(&w, is(&w, w.v[0], 0), NULL, NULL, of1(&w, p, w.v[0]));
    clause(&w, expr_bool(w.x, true), of1(&w, p, w.v[0]), NULL, of1(&w, q, plus(&w, w.v[0], 1)));
    clause(&w, le(&w, expr_int(w.x, 2), w.v[0]), of1(&w, q, w.v[0]), NULL, NULL);
    HornTree *t = must_solve(&w);
    assert_ptr_equal(horn_tree_solution(t, p, &w.v[1]), le(&w, w.v[1], expr_int(w.x, 0))); /* what it takes of an equality */
    horn_tree_free(t);
    world_free(&w);
}

/* The error thread's state and somebody's step: e relates before and after. */
static void environment(void **state) {
    (void)state;
    World w = world();
    const Symbol *p = predicate(&w, "p", 1), *s = predicate(&w, "s", 2), *e = predicate(&w, "e", 2), *q = predicate(&w, "q", 1);
    clause(&w, le(&w, expr_int(w.x, 1), w.v[0]), NULL, NULL, of1(&w, p, w.v[0]));
    clause(&w, le(&w, expr_int(w.x, 0), w.v[1]), NULL, NULL, of2(&w, s, w.v[0], w.v[1]));
    clause(&w, expr_bool(w.x, true), of2(&w, s, w.v[0], w.v[1]), NULL, of2(&w, e, w.v[0], expr_2(w.x, OP_ADD, w.v[0], w.v[1])));
    clause(&w, expr_bool(w.x, true), of1(&w, p, w.v[0]), of2(&w, e, w.v[0], w.v[1]), of1(&w, q, w.v[1]));
    clause(&w, le(&w, w.v[0], expr_int(w.x, 0)), of1(&w, q, w.v[0]), NULL, NULL);
    HornTree *t = must_solve(&w);
    const Expr *args[] = {w.v[2], w.v[3]};
    assert_ptr_equal(horn_tree_solution(t, e, args), le(&w, w.v[2], w.v[3]));
    horn_tree_free(t);
    world_free(&w);
}

/* A predicate that is used twice says what both uses need; an atom may have a number as argument. */
static void used_twice(void **state) {
    (void)state;
    World w = world();
    const Symbol *p = predicate(&w, "p", 2), *q = predicate(&w, "q", 2);
    clause(&w, expr_and(w.x, le(&w, w.v[0], w.v[1]), le(&w, w.v[1], expr_int(w.x, 5))), NULL, NULL, of2(&w, p, w.v[0], w.v[1]));
    clause(&w, expr_bool(w.x, true), of2(&w, p, w.v[0], w.v[1]), of2(&w, p, expr_int(w.x, 3), w.v[0]), of2(&w, q, w.v[0], w.v[1]));
    const Expr *low = expr_2(w.x, OP_SLT, w.v[0], expr_int(w.x, 3)), *high = expr_2(w.x, OP_SLT, expr_int(w.x, 5), w.v[1]);
    clause(&w, expr_or(w.x, low, high), of2(&w, q, w.v[0], w.v[1]), NULL, NULL);
    horn_tree_free(must_solve(&w));
    world_free(&w);
}

/* Two arguments with the same value. */
static void same_value(void **state) {
    (void)state;
    World w = world();
    const Symbol *p = predicate(&w, "p", 2), *q = predicate(&w, "q", 1);
    clause(&w, expr_bool(w.x, true), NULL, NULL, of2(&w, p, w.v[0], w.v[0]));
    clause(&w, expr_bool(w.x, true), of2(&w, p, w.v[0], expr_int(w.x, 1)), NULL, of1(&w, q, w.v[0]));
    clause(&w, is(&w, w.v[0], 0), of1(&w, q, w.v[0]), NULL, NULL);
    horn_tree_free(must_solve(&w));
    world_free(&w);
}

/* Not 0, from nowhere but 0: two cases. */
static void cases(void **state) {
    (void)state;
    World w = world();
    const Symbol *p = predicate(&w, "p", 2), *q = predicate(&w, "q", 1);
    clause(&w, expr_not(w.x, expr_eq(w.x, w.v[0], w.v[1])), NULL, NULL, of2(&w, p, w.v[0], w.v[1]));
    clause(&w, is(&w, w.v[1], 0), of2(&w, p, w.v[0], w.v[1]), NULL, of1(&w, q, w.v[0]));
    clause(&w, is(&w, w.v[0], 0), of1(&w, q, w.v[0]), NULL, NULL);
    horn_tree_free(must_solve(&w));
    world_free(&w);
}

/* What is possible is not excluded, nor what only integers exclude, nor what a product does; a predicate that nothing defines is not looked at. */
static void given_up(void **state) {
    (void)state;
    for (int kind = 0; kind < 4; kind++) {
        World w = world();
        const Symbol *p = predicate(&w, "p", 1);
        const Expr *two = expr_2(w.x, OP_MUL, expr_int(w.x, 2), w.v[1]), *three = expr_2(w.x, OP_MUL, expr_int(w.x, 3), w.v[2]);
        const Expr *whole =
            expr_and(w.x, expr_eq(w.x, w.v[0], two), expr_eq(w.x, w.v[0], plus(&w, expr_2(w.x, OP_MUL, expr_int(w.x, 2), three), 1)));
        const Expr *square = expr_eq(w.x, expr_2(w.x, OP_MUL, w.v[0], w.v[0]), expr_int(w.x, 2));
        if (kind < 3) clause(&w, kind == 0 ? is(&w, w.v[0], 1) : kind == 1 ? whole : square, NULL, NULL, of1(&w, p, w.v[0]));
        clause(&w, kind == 0 ? is(&w, w.v[0], 1) : expr_bool(w.x, true), of1(&w, p, w.v[0]), NULL, NULL);
        assert_null(horn_tree_solve(w.horn, w.smt, ANSWER_MS));
        world_free(&w);
    }
}

/* ---- at random ---- */

static uint64_t seed;

static unsigned below(unsigned n) {
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (unsigned)((seed >> 11) % n);
}

static const Expr *random_sum(World *w) {
    const Expr *e = expr_int(w->x, (int)below(7) - 3);
    for (unsigned i = below(3); i-- > 0;) {
        const Expr *v = w->v[below(VARIABLES)];
        e = expr_2(w->x, below(3) ? OP_ADD : OP_SUB, e, below(3) ? v : expr_2(w->x, OP_MUL, expr_int(w->x, 2), v));
    }
    return e;
}

static const Expr *random_condition(World *w) {
    const Expr *a = random_sum(w), *b = random_sum(w);
    switch (below(6)) {
    case 0: return expr_eq(w->x, a, b);
    case 1: return expr_not(w->x, expr_eq(w->x, a, b));
    case 2: return expr_or(w->x, le(w, a, b), expr_eq(w->x, a, random_sum(w)));
    default: return le(w, a, b);
    }
}

static void random_clauses(World *w) {
    const Symbol *list[6];
    unsigned n = 2 + below(4);
    for (unsigned i = 0; i <= n; i++) {
        const Expr *e = random_condition(w), *head = NULL, *body[2] = {0};
        if (below(2)) e = expr_and(w->x, e, random_condition(w));
        for (unsigned k = 0; k < 2 && i && (!k || !below(3)); k++)
            body[k] = of2(w, list[k ? below(i) : i - 1], w->v[k ? below(VARIABLES) : 0], below(5) ? w->v[1 + k] : expr_int(w->x, 1));
        if (i < n) {
            char name[] = {'p', (char)('0' + i), 0};
            list[i] = predicate(w, name, 2);
            head = of2(w, list[i], below(2) ? w->v[0] : random_sum(w), random_sum(w));
        }
        clause(w, e, body[0], body[1], head);
    }
}

static void at_random(void **state) {
    (void)state;
    const char *rounds = getenv("ROUNDS"), *start = getenv("SEED");
    unsigned n = rounds ? (unsigned)atoi(rounds) : 200, found = 0;
    for (unsigned i = 0; i < n; i++) {
        seed = ((start ? (uint64_t)atoll(start) : 1) + i) * 0x9e3779b97f4a7c15u;
        World w = world();
        random_clauses(&w);
        HornTree *t = horn_tree_solve(w.horn, w.smt, ANSWER_MS);
        if (t) {
            check_solution(&w, t);
            horn_tree_free(t);
            found++;
        }
        world_free(&w);
    }
    printf("%u of %u solved\n", found, n);
    assert_true(found > n / 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chain), cmocka_unit_test(environment), cmocka_unit_test(used_twice), cmocka_unit_test(same_value),
        cmocka_unit_test(cases), cmocka_unit_test(given_up),    cmocka_unit_test(at_random),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
