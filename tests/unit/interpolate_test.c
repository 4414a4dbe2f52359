/* SPDX-License-Identifier: Apache-2.0 */
/* Interpolants of paths, written as text. Whatever comes back is checked against the definition, by a solver of its own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/clock.h"
#include "base/vec.h"
#include "expr/lexer.h"
#include "expr/normal.h"
#include "refine/interpolate.h"

/* ---- a system without threads, and paths as text ---- */

typedef struct World {
    Exprs *exprs;
    Arena *arena;
    System *system;
    Smt *smt, *judge;
    Interpolator *by;
    const Expr *initially;
    const Symbol **inputs; /* a vec: all there are */
    PathStep *steps;       /* vecs */
    const Expr ***known;
    Interpolants result;
} World;

static const Symbol *find(void *context, const char *name) { return symbol_find(context, name); }

static const Expr *parsed(World *w, Lexer *l) {
    const Expr *e = expr_parse(w->exprs, l, find, w->exprs);
    if (!e) fail_msg("%s", buf_string(&l->error));
    return e;
}

static const Expr *expr(World *w, const char *text) {
    Lexer l;
    lexer_init(&l, w->arena, "test", text);
    const Expr *e = parsed(w, &l);
    lexer_done(&l);
    return e;
}

/* "x : int  a : array(int,int)  u : int input" */
static void declare(World *w, const char *text) {
    Lexer l;
    lexer_init(&l, w->arena, "test", text);
    while (l.token == TOKEN_NAME) {
        const char *name = arena_strdup(w->arena, l.name);
        lexer_next(&l);
        lexer_expect(&l, ":");
        const Sort *sort = sort_parse(w->exprs, &l);
        const Symbol *s = symbol_new(w->exprs, SYM_VARIABLE, name, sort);
        if (lexer_accept(&l, "input")) vec_push(w->inputs, s);
        else system_add_variable(w->system, (SystemVariable){.symbol = s, .name = name, .thread = NONE, .owner = NONE});
        w->system->integers |= sort->kind == SORT_INT;
    }
    if (l.failed) fail_msg("%s", buf_string(&l.error));
    lexer_done(&l);
}

static World world(const char *variables, const char *initially) {
    World w = {.exprs = exprs_new(), .arena = arena_new()};
    w.system = system_empty(w.exprs);
    w.smt = smt_new(w.exprs);
    w.judge = smt_new(w.exprs);
    declare(&w, variables);
    w.initially = expr(&w, initially);
    w.by = interpolator_new(w.system, w.smt);
    return w;
}

static bool uses(const PathStep *s, const Symbol *input) {
    bool yes = expr_mentions(s->guard, input);
    for (size_t u = 0; u < vec_len(s->updates); u++) yes |= expr_mentions(s->updates[u].value, input);
    return yes;
}

/* "when GUARD x := e y := e": a parallel assignment */
static void step(World *w, const char *text) {
    PathStep s = {.guard = expr_bool(w->exprs, true)};
    Update *updates = NULL;
    const Symbol **inputs = NULL;
    Lexer l;
    lexer_init(&l, w->arena, "test", text);
    if (lexer_accept(&l, "when")) s.guard = parsed(w, &l);
    while (l.token == TOKEN_NAME) {
        unsigned v = system_variable(w->system, symbol_find(w->exprs, l.name));
        lexer_next(&l);
        lexer_expect(&l, ":=");
        const Expr *value = parsed(w, &l);
        vec_push(updates, ((Update){v, value}));
    }
    if (l.failed) fail_msg("%s", buf_string(&l.error));
    lexer_done(&l);
    s.updates = updates;
    for (size_t i = 0; i < vec_len(w->inputs); i++)
        if (uses(&s, w->inputs[i])) vec_push(inputs, w->inputs[i]);
    s.inputs = inputs;
    vec_push(w->steps, s);
}

static void steps(World *w, size_t times, const char *text) {
    for (size_t i = 0; i < times; i++) step(w, text);
}

static void know(World *w, size_t position, const char *text) {
    if (vec_len(w->known) <= position) vec_resize(w->known, position + 1);
    vec_push(w->known[position], expr(w, text));
}

static void clear_path(World *w) {
    interpolants_free(&w->result);
    for (size_t i = 0; i < vec_len(w->steps); i++) {
        Update *updates = (Update *)w->steps[i].updates;
        const Symbol **inputs = (const Symbol **)w->steps[i].inputs;
        vec_free(updates);
        vec_free(inputs);
    }
    for (size_t i = 0; i < vec_len(w->known); i++) vec_free(w->known[i]);
    vec_free(w->steps);
    vec_free(w->known);
}

static void destroy(World *w) {
    clear_path(w);
    interpolator_free(w->by);
    smt_free(w->smt);
    smt_free(w->judge);
    system_free(w->system);
    vec_free(w->inputs);
    arena_free(w->arena);
    exprs_free(w->exprs);
}

/* ---- the definition ---- */

static const Expr *all(World *w, const Expr *const *list) {
    const Expr *e = expr_bool(w->exprs, true);
    for (size_t i = 0; i < vec_len(list); i++) e = expr_and(w->exprs, e, list[i]);
    return e;
}

static const Expr *image(void *context, const Expr *e) {
    World *w = ((void **)context)[0];
    const PathStep *s = ((void **)context)[1];
    for (size_t u = 0; u < vec_len(s->updates); u++)
        if (s->updates[u].variable == system_variable(w->system, e->symbol)) return s->updates[u].value;
    return NULL;
}

static void only_variables(void *context, const Symbol *s) {
    World *w = context;
    if (system_variable(w->system, s) == NONE) fail_msg("%s is no variable", s->name);
}

static void valid(World *w, size_t position, const Expr *from, const Expr *to) {
    const Expr *e = expr_implies(w->exprs, from, to);
    if (smt_is_valid(w->judge, w->exprs, SMT_OBLIGATION, 20000, e)) return;
    Buf b = {0};
    expr_print(&b, e);
    fail_msg("position %zu: not valid: %s", position, buf_string(&b));
}

static void check_definition(World *w, const Interpolants *r) {
    size_t n = vec_len(w->steps);
    assert_int_equal(vec_len(r->at), n + 1);
    valid(w, 0, w->initially, all(w, r->at[0]));
    for (size_t i = 0; i < n; i++) {
        const Expr *before = expr_and(w->exprs, all(w, r->at[i]), w->steps[i].guard);
        if (i < vec_len(w->known)) before = expr_and(w->exprs, before, all(w, w->known[i]));
        void *context[] = {w, &w->steps[i]};
        valid(w, i, before, expr_substitute(w->exprs, all(w, r->at[i + 1]), image, context));
    }
    assert_true(expr_is_false(all(w, r->at[n])));
    for (size_t i = 0; i <= n; i++)
        for (size_t k = 0; k < vec_len(r->at[i]); k++) expr_symbols(r->at[i][k], only_variables, w);
}

static void run(World *w, PathAnswer expected) {
    if (w->known) vec_resize(w->known, vec_len(w->steps) + 1);
    w->result = interpolate(w->by, w->initially, w->steps, vec_len(w->steps), w->known);
    assert_int_equal(w->result.answer, expected);
    if (expected == PATH_IMPOSSIBLE) check_definition(w, &w->result);
    else assert_null(w->result.at);
}

static void show(const World *w) __attribute__((unused));
static void show(const World *w) {
    for (size_t i = 0; i < vec_len(w->result.at); i++) {
        Buf b = {0};
        for (size_t k = 0; k < vec_len(w->result.at[i]); k++) {
            if (k) buf_text(&b, " | ");
            expr_print_c(&b, w->result.at[i][k]);
        }
        print_message("%3zu: %s\n", i, buf_string(&b));
        buf_free(&b);
    }
}

/* Is this one of the assertions at that position? */
static bool has(World *w, size_t position, const char *text) __attribute__((unused));
static bool has(World *w, size_t position, const char *text) {
    Normaliser *n = normaliser_new(w->exprs);
    const Expr *e = normal(n, expr(w, text));
    bool found = false;
    for (size_t k = 0; k < vec_len(w->result.at[position]); k++) found |= w->result.at[position][k] == e;
    normaliser_free(n);
    if (!found) show(w);
    return found;
}

/* ---- tests ---- */

static void possible(void **state) {
    (void)state;
    World w = world("x : int y : int", "(= x 0)");
    run(&w, PATH_POSSIBLE); /* the empty path */
    step(&w, "x := (add x 1)");
    step(&w, "when (= x 1) y := x");
    step(&w, "when (= y 1)");
    run(&w, PATH_POSSIBLE);
    step(&w, "when (= y 2)");
    run(&w, PATH_IMPOSSIBLE);
    destroy(&w);
}

static void initially_false(void **state) {
    (void)state;
    World w = world("x : int", "(and (= x 0) (slt 0 x))");
    step(&w, "x := (add x 1)");
    run(&w, PATH_IMPOSSIBLE);
    assert_true(expr_is_false(w.result.at[0][0]));
    destroy(&w);
}

/* The error comes after something impossible: what follows plays no part. */
static void shortest_prefix(void **state) {
    (void)state;
    World w = world("x : int y : int", "(and (= x 0) (= y 0))");
    step(&w, "x := (add x 1)");
    step(&w, "when (= x 0)");
    step(&w, "y := 7");
    step(&w, "when (= y 8)");
    run(&w, PATH_IMPOSSIBLE);
    for (size_t i = 2; i <= 4; i++) {
        assert_int_equal(vec_len(w.result.at[i]), 1);
        assert_true(expr_is_false(w.result.at[i][0]));
    }
    assert_int_equal(vec_len(w.result.at[1]), 1);
    assert_false(expr_mentions(w.result.at[1][0], symbol_find(w.exprs, "y")));
    destroy(&w);
}

static void loop(void **state) {
    (void)state;
    World w = world("s : int i : int n : int", "(and (= s 0) (= i 0))");
    steps(&w, 6, "when (slt i n) s := (add s i) i := (add i 1)");
    step(&w, "when (sle n i)");
    step(&w, "when (slt s 0)");
    run(&w, PATH_IMPOSSIBLE);
    destroy(&w);
}

static void arrays(void **state) {
    (void)state;
    World w = world("a : array(int,int) i : int j : int n : int", "(and (= i 0) (sle 1 n))");
    steps(&w, 3, "when (slt i n) a := (store a i 7) i := (add i 1)");
    step(&w, "when (and (sle 0 j) (slt j i))");
    step(&w, "when (not (= (select a j) 7))");
    run(&w, PATH_IMPOSSIBLE);
    destroy(&w);
}

static void inputs(void **state) {
    (void)state;
    World w = world("x : int y : int u : int input v : int input", "true");
    step(&w, "when (slt 3 u) x := u");
    step(&w, "when (and (= v (add x 1)) (sle v 100)) y := (add v u)");
    step(&w, "when (slt y x)");
    run(&w, PATH_POSSIBLE);
    clear_path(&w);
    step(&w, "when (slt 3 u) x := u y := 0");
    step(&w, "when (and (sle 0 u) (sle v 0)) y := (add (sub y v) u)");
    step(&w, "when (slt (add x y) 2)");
    run(&w, PATH_IMPOSSIBLE);
    destroy(&w);
}

static void bitvectors(void **state) {
    (void)state;
    World w = world("x : bv32 y : bv32 b : bv8 a : array(bv32,bv8) u : bv8 input", "(and (= x 0:32) (= y 0:32))");
    steps(&w, 4, "when (ult x 10:32) x := (add nsw x 1:32) y := (add y 1:32)");
    step(&w, "when (not (= x y))");
    run(&w, PATH_IMPOSSIBLE);
    clear_path(&w);
    step(&w, "when (ult u 9:8) b := (band u 12:8)");
    step(&w, "a := (store a y b)");
    step(&w, "when (= (select a x) 3:8)");
    run(&w, PATH_IMPOSSIBLE);
    destroy(&w);
}

static void known(void **state) {
    (void)state;
    World w = world("x : int y : int", "(and (= x 0) (= y 0))");
    steps(&w, 3, "x := (add x 1) y := (add y 1)");
    step(&w, "when (slt x y)");
    know(&w, 2, "(= x y)");
    run(&w, PATH_IMPOSSIBLE);
    assert_int_equal(vec_len(w.result.at[1]), 0); /* nothing to be shown before */
    destroy(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(possible),   cmocka_unit_test(initially_false), cmocka_unit_test(shortest_prefix), cmocka_unit_test(loop),
        cmocka_unit_test(arrays),     cmocka_unit_test(inputs),          cmocka_unit_test(bitvectors),      cmocka_unit_test(known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
