/* SPDX-License-Identifier: Apache-2.0 */
/* Properties of random expressions: simplification keeps values and faults, text reads back, substitution of values
   is evaluation. SEED and ROUNDS in the environment change what is tried. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "expr/lexer.h"
#include "expr/normal.h"
#include "expr_random.h"

static uint64_t setting(const char *name, uint64_t otherwise) {
    const char *text = getenv(name);
    return text ? strtoull(text, NULL, 10) : otherwise;
}

static void report(const Pair *p, const char *what) {
    Buf raw = {0}, simple = {0};
    expr_print(&raw, p->raw);
    expr_print(&simple, p->simple);
    print_error("%s\nbuilt: %s\nmade:  %s\n", what, buf_string(&raw), buf_string(&simple));
    buf_free(&raw);
    buf_free(&simple);
}

static bool same(Value a, Value b) { return a.bits == b.bits && a.array == b.array; }

static void check_meaning_at(Values *values, const Pair *p, Assignment *a) {
    EvalEnv env = {.values = values, .lookup = lookup, .context = a};
    Value raw = {0}, simple = {0};
    Fault before = expr_eval(&env, p->raw, &raw), after = expr_eval(&env, p->simple, &simple);
    if (before == FAULT_RANGE || (before && after == FAULT_RANGE))
        return; /* a limit of evaluation, which simplification may avoid or meet sooner */
    if (before != after || (!before && !same(raw, simple)) || (before && !expr_may_fault(p->simple))) {
        report(p, "simplification changed the meaning");
        fail_msg("%s became %s", fault_text(before), fault_text(after));
    }
}

static void check_meaning(Random *r, Values *values, const Pair *p) {
    for (int i = 0; i < 4; i++) {
        Assignment a;
        assign(r, values, &a);
        check_meaning_at(values, p, &a);
    }
}

/* ---- all values ---- */

static void note_used(void *context, const Symbol *s) {
    const Symbol ***used = context;
    for (size_t i = 0; i < vec_len(*used); i++)
        if ((*used)[i] == s) return;
    vec_push(*used, s);
}

static unsigned bits_of(const Sort *s) { return s->kind == SORT_BOOL ? 1 : s->width; }

/* With every value of the variables, if there are at most 2^12. */
static bool check_everywhere(Values *values, const Pair *p, Normaliser *n) {
    const Symbol **used = NULL;
    unsigned bits = 0;
    expr_symbols(p->raw, note_used, &used);
    for (size_t i = 0; i < vec_len(used); i++) bits += bits_of(used[i]->sort);
    for (unsigned all = 0; bits <= 12 && all < 1u << bits; all++) {
        Assignment a;
        unsigned rest = all;
        for (size_t i = 0; i < vec_len(used); i++) {
            a.values[used[i]->id] = (Value){.bits = rest & ((1u << bits_of(used[i]->sort)) - 1)};
            rest >>= bits_of(used[i]->sort);
        }
        check_meaning_at(values, p, &a);
        EvalEnv env = {.values = values, .lookup = lookup, .context = &a};
        Value plain = {0}, form = {0};
        const Expr *normal_form = normalise(n, p->simple);
        if (expr_eval(&env, p->simple, &plain) || expr_eval(&env, normal_form, &form)) continue;
        if (!same(plain, form)) {
            report(&(Pair){p->simple, normal_form}, "the normal form means something else");
            fail();
        }
    }
    vec_free(used);
    return bits && bits <= 12;
}

static void small_expressions(void **state) {
    (void)state;
    uint64_t rounds = setting("ROUNDS", 3000), seed = setting("SEED", 1);
    unsigned checked = 0;
    for (uint64_t i = 0; i < rounds; i++) {
        Random r;
        Values *values = values_new();
        random_init_small(&r, seed * 1000003 + i);
        Normaliser *n = normaliser_new(r.pool);
        for (int k = 0; k < 4; k++) {
            Pair p = gen(&r, rnd_sort(&r), 1 + (unsigned)rnd(&r, 3));
            if (p.simple->tree <= 2000) checked += check_everywhere(values, &p, n);
        }
        normaliser_free(n);
        values_free(values);
        random_done(&r);
    }
    print_message("%u expressions with all their values\n", checked);
    assert_true(checked > rounds);
}

/* The normal form means the same where nothing faults, that of the negation the opposite, and it is its own normal form. */
static void check_normal(Random *r, Values *values, const Expr *e) {
    Normaliser *n = normaliser_new(r->pool), *fresh = normaliser_new(r->pool);
    const Expr *form = normalise(n, e), *negated = e->sort->kind == SORT_BOOL ? normalise_not(n, e) : NULL;
    for (int i = 0; i < 4; i++) {
        Assignment a;
        assign(r, values, &a);
        EvalEnv env = {.values = values, .lookup = lookup, .context = &a};
        Value before = {0}, after = {0}, opposite = {0};
        if (expr_eval(&env, e, &before) || expr_eval(&env, form, &after))
            continue; /* operands change places: another fault may come first */
        if (!same(before, after)) {
            report(&(Pair){e, form}, "the normal form means something else");
            fail();
        }
        if (negated && !expr_eval(&env, negated, &opposite) && opposite.bits == before.bits) {
            report(&(Pair){e, negated}, "this is not the negation");
            fail();
        }
    }
    if (!form->may_fault && normalise(fresh, form) != form) {
        report(&(Pair){form, normalise(fresh, form)}, "a normal form has another one");
        fail();
    }
    normaliser_free(n);
    normaliser_free(fresh);
}

static const Symbol *find(void *context, const char *name) { return symbol_find(context, name); }

static const Expr *read(Exprs *pool, Arena *arena, const char *text) {
    Lexer l;
    lexer_init(&l, arena, "test", text);
    const Expr *e = expr_parse(pool, &l, find, pool);
    if (!e || l.token != TOKEN_END) fail_msg("%s", buf_string(&l.error));
    lexer_done(&l);
    return e;
}

static void check_text(Random *r, const Pair *p) {
    Random fresh;
    Buf text = {0}, again = {0};
    expr_print(&text, p->simple);
    if (read(r->pool, r->arena, buf_string(&text)) != p->simple) fail_msg("does not read back: %s", buf_string(&text));
    random_init(&fresh, 1, true, true);
    expr_print(&again, read(fresh.pool, r->arena, buf_string(&text)));
    assert_string_equal(buf_string(&text), buf_string(&again));
    random_done(&fresh);
    buf_clear(&text);
    expr_print_c(&text, p->simple);
    expr_print_smt(&text, p->simple);
    buf_free(&text);
    buf_free(&again);
}

typedef struct Constants {
    Random *random;
    const Assignment *assignment;
} Constants;

static const Expr *constant(void *context, const Expr *symbol) {
    const Constants *c = context;
    if (symbol->sort->kind == SORT_ARRAY) return NULL;
    return expr_const(c->random->pool, symbol->sort, c->assignment->values[symbol->symbol->id].bits);
}

static void check_substitution(Random *r, Values *values, const Pair *p) {
    Assignment a;
    assign(r, values, &a);
    EvalEnv env = {.values = values, .lookup = lookup, .context = &a};
    const Expr *closed = expr_substitute(r->pool, p->simple, constant, &(Constants){r, &a});
    Value before = {0}, after = {0};
    Fault f = expr_eval(&env, p->simple, &before), g = expr_eval(&env, closed, &after);
    if (f == FAULT_RANGE || (f && g == FAULT_RANGE)) return;
    if (f != g || (!f && !same(before, after))) {
        report(&(Pair){p->simple, closed}, "substitution changed the meaning");
        fail_msg("%s became %s", fault_text(f), fault_text(g));
    }
}

static void random_expressions(void **state) {
    (void)state;
    uint64_t rounds = setting("ROUNDS", 3000), seed = setting("SEED", 1);
    for (uint64_t i = 0; i < rounds; i++) {
        Random r;
        Values *values = values_new();
        random_init(&r, seed + i, i % 3 == 0, i % 2 == 0);
        for (int k = 0; k < 8; k++) {
            Pair p = gen(&r, rnd_sort(&r), 1 + (unsigned)rnd(&r, 4));
            if (p.simple->tree > 20000) continue;
            check_meaning(&r, values, &p);
            check_substitution(&r, values, &p);
            check_normal(&r, values, p.simple);
            if (k == 0) check_text(&r, &p);
        }
        values_free(values);
        random_done(&r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_expressions), cmocka_unit_test(small_expressions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
