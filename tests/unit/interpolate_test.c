/* SPDX-License-Identifier: Apache-2.0 */
/* Interpolants of paths, written as text. Whatever comes back is checked against the definition, by a solver of its own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/clock.h"
#include "base/vec.h"
#include "expr/lexer.h"
#include "expr/normal.h"
#include "interpolation/interpolate.h"

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
    if (smt_is_valid(w->judge, w->exprs, 20000, e)) return;
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
static bool has(World *w, size_t position, const char *text) {
    Normaliser *n = normaliser_new(w->exprs);
    const Expr *e = normalise(n, expr(w, text));
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
    for (size_t i = 1; i < 6; i++) assert_true(has(&w, i, "(sle 0 s)") && has(&w, i, "(sle 0 i)"));
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

/* Two counters in lockstep: that they are equal, not what they are. */
static void lockstep(void **state) {
    (void)state;
    World w = world("x : int y : int", "(and (= x 0) (= y 0))");
    for (int i = 0; i < 3; i++) {
        step(&w, "x := (add x 1)");
        step(&w, "y := (add y 1)");
    }
    step(&w, "when (slt x y)");
    step(&w, "when true");
    run(&w, PATH_IMPOSSIBLE);
    clear_path(&w);
    steps(&w, 3, "x := (add x 1) y := (add y 1)");
    step(&w, "when (not (= x y))");
    run(&w, PATH_IMPOSSIBLE);
    for (size_t i = 1; i <= 3; i++) assert_true(has(&w, i, "(= x y)"));
    destroy(&w);
}

/* i runs to n and not beyond. */
static void bound(void **state) {
    (void)state;
    World w = world("i : int n : int", "(and (= i 0) (sle 0 n))");
    steps(&w, 2, "when (slt i n) i := (add i 1)");
    step(&w, "when (sle n i)");
    step(&w, "when (not (= i n))");
    run(&w, PATH_IMPOSSIBLE);
    assert_true(has(&w, 2, "(sle i n)"));
    destroy(&w);
}

/* A sum over an array, computed twice: what the two sums are to each other. */
static void combination(void **state) {
    (void)state;
    World w = world("f : array(int,int) s : int t : int i : int j : int", "(and (= s t) (= i 0) (= j 0))");
    for (int k = 0; k < 2; k++) {
        step(&w, "s := (add s (select f i)) i := (add i 1)");
        step(&w, "t := (add t (select f j)) j := (add j 1)");
    }
    step(&w, "when (slt s t)");
    run(&w, PATH_IMPOSSIBLE);
    assert_true(has(&w, 3, "(= s (add t (select f j)))"));
    assert_true(has(&w, 4, "(= s t)"));
    destroy(&w);
}

/* An assertion of the proof is taken rather than a new one. */
static void preferred(void **state) {
    (void)state;
    World w = world("x : int y : int z : int", "(and (= x 0) (= y 0) (= z 0))");
    interpolator_prefer(w.by, expr(&w, "(and (sle 0 y) (sle x z))"));
    steps(&w, 2, "x := (add x 1) y := (add y 1)");
    step(&w, "when (slt y -5)");
    run(&w, PATH_IMPOSSIBLE);
    for (size_t i = 0; i <= 2; i++) assert_true(has(&w, i, "(sle 0 y)"));
    destroy(&w);
}

static void booleans(void **state) {
    (void)state;
    World w = world("b : bool c : bool x : int", "(and b (= x 1))");
    step(&w, "c := b x := (ite b (add x 1) 0)");
    step(&w, "b := (not c)");
    step(&w, "when (or b (= x 1))");
    run(&w, PATH_IMPOSSIBLE);
    destroy(&w);
}

/* What an input can be is said without it. */
static void input_bounds(void **state) {
    (void)state;
    World w = world("x : int y : int u : int input", "true");
    step(&w, "when (and (sle 0 y) (sle x 5))");
    step(&w, "when (and (slt u x) (slt y u)) y := (add u u)");
    step(&w, "when (slt 8 y)");
    run(&w, PATH_IMPOSSIBLE);
    clear_path(&w);
    step(&w, "when (= x (add u u))");
    step(&w, "x := (add x 2)");
    step(&w, "when (= x (add (add u u) 1))");
    run(&w, PATH_IMPOSSIBLE);
    destroy(&w);
}

/* Long paths do not take long. (The bound is far above what they take: machines differ.) */
static void long_path(void **state) {
    (void)state;
    World w = world("x : int y : int n : int", "(and (= x 0) (= y 0))");
    for (int i = 0; i < 60; i++) {
        step(&w, "when (slt x n) x := (add x 1)");
        step(&w, "y := (add y 1)");
    }
    step(&w, "when (not (= x y))");
    double start = clock_seconds();
    run(&w, PATH_IMPOSSIBLE);
    assert_true(clock_seconds() - start < 30);
    for (size_t i = 2; i <= 120; i += 2) assert_true(has(&w, i, "(= x y)"));
    destroy(&w);
}

/* ---- random paths ---- */

static uint64_t seed = 88172645463325252u;

static size_t rnd(size_t below) {
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (seed >> 11) % below;
}

static const char *pick(size_t n, const char *const *list) { return list[rnd(n)]; }

#define PICK(list) pick(sizeof(list) / sizeof *(list), list)

typedef struct Words {
    const char *variables, *numbers[4], *terms[8], *less;
} Words;

static const Words integers = {"x : int y : int z : int a : array(int,int) u : int input",
                               {"-1", "0", "1", "3"},
                               {"x", "y", "z", "u", "(select a x)", "(select a y)", "(add x y)", "(sub z u)"},
                               "sle"};
static const Words vectors = {"x : bv6 y : bv6 z : bv6 a : array(bv6,bv6) u : bv6 input",
                              {"-1:6", "0:6", "1:6", "3:6"},
                              {"x", "y", "z", "u", "(select a x)", "(band x y)", "(add x y)", "(sub z u)"},
                              "ule"};

static void random_term(Buf *b, const Words *v) {
    size_t kind = rnd(8);
    if (kind == 0) buf_text(b, PICK(v->numbers));
    else if (kind < 5) buf_text(b, PICK(v->terms));
    else buf_printf(b, "(%s %s %s)", rnd(2) ? "add" : "sub", PICK(v->terms), PICK(v->numbers));
}

static void random_guard(Buf *b, const Words *v, int depth) {
    size_t kind = rnd(depth ? 5 : 3);
    static const char *const junction[] = {"and", "or"};
    if (kind >= 3) {
        buf_printf(b, "(%s ", junction[kind - 3]);
        random_guard(b, v, depth - 1);
        buf_char(b, ' ');
        random_guard(b, v, depth - 1);
        buf_char(b, ')');
        return;
    }
    buf_printf(b, kind == 0 ? "(= " : kind == 1 ? "(not (= " : "(%s ", v->less);
    random_term(b, v);
    buf_char(b, ' ');
    random_term(b, v);
    buf_text(b, kind == 1 ? "))" : ")");
}

static void random_step(World *w, const Words *v) {
    static const char *const targets[] = {"x", "y", "z"};
    Buf b = {0};
    if (rnd(5)) {
        buf_text(&b, "when (and ");
        random_guard(&b, v, 1);
        buf_char(&b, ' ');
        random_guard(&b, v, 2);
        buf_char(&b, ')');
    }
    if (rnd(2)) {
        buf_printf(&b, " %s := ", PICK(targets));
        random_term(&b, v);
    }
    if (!rnd(4)) {
        buf_text(&b, " a := (store a ");
        random_term(&b, v);
        buf_char(&b, ' ');
        random_term(&b, v);
        buf_char(&b, ')');
    }
    step(w, buf_string(&b));
    buf_free(&b);
}

/* The path forward, as one formula over the first values and copies of the inputs. */
typedef struct Forward {
    World *world;
    const Expr **values; /* by variable */
    const Symbol *input;
    const Expr *copy;
} Forward;

static const Expr *forward_image(void *context, const Expr *e) {
    Forward *f = context;
    if (e->symbol == f->input) return f->copy;
    unsigned v = system_variable(f->world->system, e->symbol);
    return v == NONE ? NULL : f->values[v];
}

static SmtAnswer feasible(World *w) {
    Forward f = {.world = w, .input = w->inputs[0]};
    const Expr *all_guards = w->initially, **next = NULL;
    for (unsigned v = 0; v < vec_len(w->system->variables); v++) vec_push(f.values, system_expr(w->system, v));
    vec_resize(next, vec_len(f.values));
    for (size_t k = 0; k < vec_len(w->steps); k++) {
        f.copy = expr_symbol(w->exprs, symbol_new(w->exprs, SYM_VARIABLE, "copy", f.input->sort));
        all_guards = expr_and(w->exprs, all_guards, expr_substitute(w->exprs, w->steps[k].guard, forward_image, &f));
        memcpy(next, f.values, vec_len(next) * sizeof *next);
        for (size_t u = 0; u < vec_len(w->steps[k].updates); u++)
            next[w->steps[k].updates[u].variable] = expr_substitute(w->exprs, w->steps[k].updates[u].value, forward_image, &f);
        memcpy(f.values, next, vec_len(next) * sizeof *next);
    }
    vec_free(f.values);
    vec_free(next);
    return smt_check(w->judge, 20000, all_guards);
}

static void random_paths(const Words *v, size_t worlds, size_t paths) {
    size_t impossible = 0, unknown = 0;
    for (size_t i = 0; i < worlds; i++) {
        Buf b = {0};
        World w = world(v->variables, "true");
        random_guard(&b, v, 2);
        const Expr *initially = expr(&w, buf_string(&b));
        if (!expr_mentions(initially, w.inputs[0])) w.initially = initially;
        buf_free(&b);
        for (size_t k = 0; k < paths; k++) {
            for (size_t n = 1 + rnd(7); n; n--) random_step(&w, v);
            w.result = interpolate(w.by, w.initially, w.steps, vec_len(w.steps), NULL);
            SmtAnswer expected = feasible(&w);
            if (w.result.answer == PATH_IMPOSSIBLE) {
                assert_int_not_equal(expected, SMT_SAT);
                check_definition(&w, &w.result);
                for (size_t n = 0; n < vec_len(w.result.at[0]) && rnd(2); n++)
                    interpolator_prefer(w.by, w.result.at[vec_len(w.steps) / 2][0]);
            } else if (w.result.answer == PATH_POSSIBLE) {
                assert_int_not_equal(expected, SMT_UNSAT);
            }
            impossible += w.result.answer == PATH_IMPOSSIBLE;
            unknown += w.result.answer == PATH_UNKNOWN;
            clear_path(&w);
        }
        destroy(&w);
    }
    print_message("%zu of %zu paths impossible, %zu unknown\n", impossible, worlds * paths, unknown);
    assert_true(impossible > worlds && unknown * 20 <= worlds * paths);
}

/* SEED and ROUNDS in the environment change what is tried. */
static size_t setting(const char *name, size_t otherwise) {
    const char *text = getenv(name);
    return text ? strtoull(text, NULL, 10) : otherwise;
}

static void random_integers(void **state) {
    (void)state;
    seed += setting("SEED", 0);
    random_paths(&integers, setting("ROUNDS", 12), 25);
}

static void random_bitvectors(void **state) {
    (void)state;
    random_paths(&vectors, setting("ROUNDS", 12) / 2, 20);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(possible),
        cmocka_unit_test(initially_false),
        cmocka_unit_test(shortest_prefix),
        cmocka_unit_test(loop),
        cmocka_unit_test(arrays),
        cmocka_unit_test(inputs),
        cmocka_unit_test(bitvectors),
        cmocka_unit_test(known),
        cmocka_unit_test(lockstep),
        cmocka_unit_test(bound),
        cmocka_unit_test(combination),
        cmocka_unit_test(preferred),
        cmocka_unit_test(booleans),
        cmocka_unit_test(input_bounds),
        cmocka_unit_test(long_path),
        cmocka_unit_test(random_integers),
        cmocka_unit_test(random_bitvectors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
