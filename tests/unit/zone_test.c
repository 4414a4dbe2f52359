/* SPDX-License-Identifier: Apache-2.0 */
/* Zones against evaluation: on random formulas over three variables, what satisfies them is in their zone, and what a zone says of terms is
   true of all of its points. */
#include "analysis/zone_terms.h"
#include "base/vec.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

enum { VARIABLES = 3, LOW = -5, HIGH = 5, ROUNDS = 1500 };

typedef struct World {
    Exprs *exprs;
    ZoneNames names;
    const Expr *symbols[VARIABLES];
    Values *values;
    i128 point[VARIABLES];
} World;

static unsigned pick(unsigned n) { return (unsigned)rand() % n; }

static World begin(void) {
    World w = {.exprs = exprs_new(), .values = values_new()};
    for (int i = 0; i < VARIABLES; i++) {
        w.symbols[i] = expr_symbol(w.exprs, symbol_new(w.exprs, SYM_VARIABLE, "x", sort_int(w.exprs)));
        zone_names_add(&w.names, w.symbols[i]);
    }
    return w;
}

static void end(World *w) {
    zone_names_free(&w->names);
    values_free(w->values);
    exprs_free(w->exprs);
}

static const Expr *number(World *w) { return expr_int(w->exprs, (i128)pick(9) - 4); }
static const Expr *formula(World *w, unsigned depth);

static const Expr *term(World *w, unsigned depth) {
    Exprs *x = w->exprs;
    if (!depth || !pick(3)) return pick(4) ? w->symbols[pick(VARIABLES)] : number(w);
    switch (pick(6)) {
    case 0: return expr_2(x, OP_MUL, term(w, depth - 1), pick(3) ? number(w) : term(w, depth - 1));
    case 1: return expr_ite(x, formula(w, depth - 1), term(w, depth - 1), term(w, depth - 1));
    case 2: return expr_2(x, pick(2) ? OP_MOD : OP_DIV, term(w, depth - 1), expr_int(x, 1 + pick(5)));
    default: return expr_2(x, pick(2) ? OP_ADD : OP_SUB, term(w, depth - 1), pick(2) ? number(w) : term(w, depth - 1));
    }
}

static const Expr *formula(World *w, unsigned depth) {
    static const Op compare[] = {OP_EQ, OP_SLT, OP_SLE};
    Exprs *x = w->exprs;
    if (depth && pick(2)) {
        const Expr *a = formula(w, depth - 1), *b = formula(w, depth - 1);
        return pick(3) ? (pick(3) ? expr_and(x, a, b) : expr_or(x, a, b)) : expr_not(x, a);
    }
    return expr_2(x, compare[pick(3)], term(w, depth), term(w, depth ? depth - 1 : 0));
}

static Fault lookup(void *context, const Symbol *s, unsigned n, const Value *args, Value *result) {
    const World *w = context;
    (void)n, (void)args;
    for (int i = 0; i < VARIABLES; i++)
        if (w->symbols[i]->symbol == s) *result = (Value){.bits = (u128)w->point[i]};
    return FAULT_NONE;
}

static i128 at_point(World *w, const Expr *e) {
    Value v;
    assert_int_equal(expr_eval(&(EvalEnv){w->values, lookup, w}, e, &v), FAULT_NONE);
    return (i128)v.bits;
}

static bool next_point(World *w) {
    for (int i = 0; i < VARIABLES; i++) {
        if (++w->point[i] <= HIGH) return true;
        w->point[i] = LOW;
    }
    return false;
}

static void first_point(World *w) {
    for (int i = 0; i < VARIABLES; i++) w->point[i] = LOW;
}

static bool contains(const World *w, const Zone *z) {
    i128 x[VARIABLES + 1] = {0};
    bool inside = !z->empty;
    for (int i = 0; i < VARIABLES; i++) x[i + 1] = w->point[i];
    for (unsigned i = 0; i < z->n; i++)
        for (unsigned j = 0; j < z->n; j++) inside &= x[i] - x[j] <= zone_bound(z, i, j) && !(zone_apart(z, i, j) && x[i] == x[j]);
    return inside;
}

static Zone *zone_of(World *w, const Expr *e) {
    Zone *z = zone_new(VARIABLES + 1);
    zone_assume(z, &w->names, e, true);
    return z;
}

/* Its text says the same as the zone. */
static void formulas(void **state) {
    (void)state;
    World w = begin();
    for (int k = 0; k < ROUNDS; k++) {
        const Expr *e = formula(&w, 3), *terms[VARIABLES + 1] = {NULL, w.symbols[0], w.symbols[1], w.symbols[2]};
        Zone *z = zone_of(&w, e);
        const Expr *text = zone_formula(w.exprs, z, terms);
        first_point(&w);
        do {
            if (at_point(&w, e)) assert_true(contains(&w, z));
            assert_int_equal(at_point(&w, text) != 0, contains(&w, z));
        } while (next_point(&w));
        zone_free(z);
    }
    end(&w);
}

static void unions(void **state) {
    (void)state;
    static const i128 thresholds[] = {-1, 0, 1, 4};
    World w = begin();
    for (int k = 0; k < ROUNDS; k++) {
        Zone *a = zone_of(&w, formula(&w, 2)), *b = zone_of(&w, formula(&w, 2)), *joined = zone_copy(a), *widened = zone_copy(a);
        bool grown = false, grew = zone_widen(widened, b, thresholds, 4);
        zone_join(joined, b);
        first_point(&w);
        do {
            bool in_b = contains(&w, b), either = contains(&w, a) || in_b;
            if (either) assert_true(contains(&w, joined) && contains(&w, widened));
            grown |= in_b && !contains(&w, a);
        } while (next_point(&w));
        if (grown) assert_true(grew);
        assert_false(zone_widen(widened, b, thresholds, 4)); /* it is there already */
        zone_free(a);
        zone_free(b);
        zone_free(joined);
        zone_free(widened);
    }
    end(&w);
}

static void terms(void **state) {
    (void)state;
    World w = begin();
    for (int k = 0; k < ROUNDS; k++) {
        Zone *z = zone_of(&w, formula(&w, 2));
        const Expr *a = term(&w, 3), *b = term(&w, 2), *f = formula(&w, 3);
        const Expr *simple = zone_simplify(w.exprs, z, &w.names, a), *simple_formula = zone_simplify(w.exprs, z, &w.names, f);
        i128 most = zone_difference(z, &w.names, a, b);
        bool differ = zone_differ(z, &w.names, a, b);
        ZoneAnswer answer = zone_decides(z, &w.names, f);
        first_point(&w);
        do {
            if (!contains(&w, z)) continue;
            assert_true(at_point(&w, a) - at_point(&w, b) <= most);
            if (differ) assert_true(at_point(&w, a) != at_point(&w, b));
            if (answer != ZONE_MAYBE) assert_int_equal(at_point(&w, f) != 0, answer == ZONE_YES);
            assert_true(at_point(&w, simple) == at_point(&w, a));
            assert_int_equal(at_point(&w, simple_formula), at_point(&w, f));
        } while (next_point(&w));
        zone_free(z);
    }
    end(&w);
}

/* What is known of tickets: those of two threads differ, and are served one after the other. */
static void tickets(void **state) {
    (void)state;
    World w = begin();
    Exprs *x = w.exprs;
    const Expr *mine = w.symbols[0], *yours = w.symbols[1], *serving = w.symbols[2];
    const Expr *known =
        expr_and(x, expr_2(x, OP_SLE, serving, mine), expr_and(x, expr_2(x, OP_SLE, serving, yours), expr_not(x, expr_eq(x, mine, yours))));
    Zone *z = zone_of(&w, expr_and(x, known, expr_eq(x, serving, mine)));
    assert_true(zone_difference(z, &w.names, serving, yours) == -1);
    assert_true(zone_differ(z, &w.names, serving, yours));
    zone_assume(z, &w.names, expr_eq(x, serving, yours), true);
    assert_true(z->empty);
    zone_free(z);
    end(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(formulas), cmocka_unit_test(unions), cmocka_unit_test(terms),
                                       cmocka_unit_test(tickets)};
    srand(7);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
