/* SPDX-License-Identifier: Apache-2.0 */
/* The integer reading of bit-vector formulas: on random formulas and values, where the bit-vector one does not fault, both
   have the same truth. At small widths all values are tried, and those of every expression are in the range that it is said to have. */
#include "base/vec.h"
#include "passes/build/integers.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

enum { VARIABLES = 8 };

typedef struct World {
    Program *program;
    Variable *variables[VARIABLES];
    u128 values[VARIABLES];
} World;

static unsigned pick(unsigned n) { return (unsigned)rand() % n; }

static const Expr *bv(World *w, unsigned width, unsigned depth);

static const Expr *condition(World *w, unsigned depth) {
    static const Op compare[] = {OP_EQ, OP_ULT, OP_ULE, OP_SLT, OP_SLE};
    static const unsigned widths[] = {8, 16, 32, 64};
    Exprs *x = w->program->exprs;
    if (depth && !pick(4)) {
        const Expr *a = condition(w, depth - 1), *b = condition(w, depth - 1);
        return pick(3) ? (pick(2) ? expr_and(x, a, b) : expr_or(x, a, b)) : expr_not(x, a);
    }
    unsigned width = widths[pick(4)];
    return expr_2(x, compare[pick(5)], bv(w, width, depth), bv(w, width, depth));
}

static const Expr *leaf(World *w, unsigned width) {
    Exprs *x = w->program->exprs;
    unsigned i = pick(VARIABLES);
    if (w->variables[i]->sort->width == width) return variable_expr(w->program, w->variables[i]);
    return expr_bv(x, width, pick(3) ? (u128)pick(5) : (u128)0 - (u128)pick(300));
}

static const Expr *bv(World *w, unsigned width, unsigned depth) {
    static const Op ops[] = {OP_ADD, OP_SUB, OP_MUL, OP_UDIV, OP_SDIV, OP_UREM, OP_SREM, OP_ADD, OP_SUB};
    Exprs *x = w->program->exprs;
    if (!depth) return leaf(w, width);
    switch (pick(10)) {
    case 0: return leaf(w, width);
    case 1: return width > 8 ? expr_convert(x, pick(2) ? OP_ZEXT : OP_SEXT, bv(w, width / 2, depth - 1), width) : leaf(w, width);
    case 2: return width < 64 ? expr_extract(x, bv(w, width * 2, depth - 1), pick(2) ? width : 0, width) : leaf(w, width);
    case 3: return expr_ite(x, condition(w, depth - 1), bv(w, width, depth - 1), bv(w, width, depth - 1));
    case 4: return expr_2(x, pick(2) ? OP_SHL : pick(2) ? OP_LSHR : OP_ASHR, bv(w, width, depth - 1), expr_bv(x, width, pick(width)));
    case 5: return expr_2(x, OP_BAND, bv(w, width, depth - 1), expr_bv(x, width, ((u128)1 << pick(width)) - pick(2)));
    case 6: return expr_2(x, OP_BXOR, bv(w, width, depth - 1), expr_bv(x, width, ~(u128)0));
    default: {
        Op op = ops[pick(9)];
        unsigned flags = op == OP_ADD || op == OP_SUB || op == OP_MUL ? (pick(2) ? FLAG_NSW : 0) : 0;
        return expr_2f(x, op, flags, bv(w, width, depth - 1), bv(w, width, depth - 1));
    }
    }
}

static Fault lookup_bits(void *context, const Symbol *s, unsigned n, const Value *args, Value *result) {
    const World *w = context;
    (void)n, (void)args;
    const Variable *v = s->user;
    *result = (Value){.bits = w->values[v->index]};
    return FAULT_NONE;
}

static Fault lookup_integers(void *context, const Symbol *s, unsigned n, const Value *args, Value *result) {
    const World *w = context;
    (void)n, (void)args;
    const Variable *v = s->user;
    i128 value = (i128)w->values[v->index];
    if (v->is_signed && value >= (i128)1 << (v->sort->width - 1)) value -= (i128)1 << v->sort->width;
    *result = (Value){.bits = (u128)value};
    return FAULT_NONE;
}

static void agrees(void **state) {
    (void)state;
    unsigned compared = 0;
    srand(11);
    for (unsigned round = 0; round < 300; round++) {
        World w = {.program = program_new(64)};
        Values *values = values_new();
        for (unsigned i = 0; i < VARIABLES; i++) {
            unsigned width = 8u << i / 2;
            w.variables[i] = program_global(w.program, "x", sort_bv(w.program->exprs, width), NULL);
            variable_set_signed(w.program, w.variables[i], i % 2);
        }
        Integers *n = integers_new(w.program);
        for (unsigned k = 0; k < 60; k++) {
            const Expr *e = condition(&w, 4), *f = integers_formula(n, e);
            for (unsigned again = 0; again < 8 && f; again++) {
                for (unsigned i = 0; i < VARIABLES; i++) {
                    unsigned width = w.variables[i]->sort->width;
                    u128 v = pick(2) ? (u128)pick(4) : pick(2) ? (u128)0 - (u128)pick(4) : (u128)rand() * (u128)rand();
                    w.values[i] = width == 128 ? v : v & (((u128)1 << width) - 1);
                }
                Value a, b;
                if (expr_eval(&(EvalEnv){values, lookup_bits, &w}, e, &a) != FAULT_NONE) continue;
                if (expr_eval(&(EvalEnv){values, lookup_integers, &w}, f, &b) != FAULT_NONE) continue;
                compared++;
                assert_int_equal((int)a.bits, (int)b.bits);
            }
        }
        integers_free(n);
        values_free(values);
        program_free(w.program);
    }
    assert_true(compared > 50000);
}

/* ---- all values of small widths ---- */

enum { LARGEST = 6, SMALL = 2 }; /* bits; variables of each width */

/* Variables of the widths 1 to LARGEST, SMALL of each: signed, unsigned or, of these, congruent. */
typedef struct SmallWorld {
    Program *program;
    Variable *variables[LARGEST * SMALL], *arrays[4];
    Values *values;
    u128 bits[LARGEST * SMALL];
    i128 turns[LARGEST * SMALL]; /* of congruent ones: how often the width is added */
    u128 elements[4][2];         /* by array: the first, the others */
    unsigned used;               /* a bit for each variable */
} SmallWorld;

static const Expr *small(SmallWorld *w, unsigned width, unsigned depth);

static const Expr *small_variable(SmallWorld *w, unsigned width) {
    unsigned i = (width - 1) * SMALL + pick(SMALL);
    w->used |= 1u << i;
    return variable_expr(w->program, w->variables[i]);
}

static const Expr *small_condition(SmallWorld *w, unsigned width, unsigned depth) {
    static const Op compare[] = {OP_EQ, OP_EQ, OP_ULT, OP_ULE, OP_SLT, OP_SLE};
    Exprs *x = w->program->exprs;
    if (depth && !pick(4)) {
        const Expr *a = small_condition(w, width, depth - 1), *b = small_condition(w, width, depth - 1);
        return pick(3) ? (pick(2) ? expr_and(x, a, b) : expr_or(x, a, b)) : expr_not(x, a);
    }
    return expr_2(x, compare[pick(6)], small(w, width, depth), small(w, width, depth));
}

static const Expr *small_array(SmallWorld *w, unsigned depth) {
    Exprs *x = w->program->exprs;
    const Expr *a = variable_expr(w->program, w->arrays[pick(4)]);
    if (!depth || !pick(3)) return a;
    if (!pick(3)) return expr_ite(x, small_condition(w, 2, 0), small_array(w, depth - 1), small_array(w, depth - 1));
    const Expr *args[] = {small_array(w, depth - 1), small(w, 2, 0), small(w, 2, depth - 1)};
    return expr_make(x, OP_STORE, 0, 3, args);
}

static const Expr *small(SmallWorld *w, unsigned width, unsigned depth) {
    static const struct {
        Op op;
        unsigned flags;
    } ops[] = {{OP_ADD, FLAG_NSW | FLAG_NUW},
               {OP_SUB, FLAG_NSW | FLAG_NUW},
               {OP_MUL, FLAG_NSW | FLAG_NUW},
               {OP_UDIV, FLAG_EXACT},
               {OP_SDIV, FLAG_EXACT},
               {OP_UREM, 0},
               {OP_SREM, 0},
               {OP_BAND, 0},
               {OP_BOR, 0},
               {OP_BXOR, 0}};
    static const Op shifts[] = {OP_SHL, OP_LSHR, OP_ASHR};
    Exprs *x = w->program->exprs;
    Op shift = shifts[pick(3)];
    unsigned r = pick(14), all = (1u << width) - 1, low = 1 + pick(width), mask = (1u << pick(width + 1)) - 1;
    if (!depth || !r) return pick(4) ? small_variable(w, width) : expr_bv(x, width, pick(1u << width));
    if (r == 1)
        return low < width ? expr_convert(x, pick(2) ? OP_ZEXT : OP_SEXT, small(w, low, depth - 1), width) : small(w, width, depth - 1);
    if (r == 2 && width < LARGEST) {
        unsigned from = width + 1 + pick(LARGEST - width);
        return expr_extract(x, small(w, from, depth - 1), pick(from - width + 1), width);
    }
    if (r == 3) return expr_ite(x, small_condition(w, width, depth - 1), small(w, width, depth - 1), small(w, width, depth - 1));
    if (r == 4)
        return expr_2f(x, shift, shift == OP_SHL && !pick(3) ? FLAG_NSW : 0, small(w, width, depth - 1), expr_bv(x, width, pick(width)));
    if (r == 5 || r == 6) return expr_2(x, OP_BAND, small(w, width, depth - 1), expr_bv(x, width, pick(2) ? mask : ~mask & all));
    if (r == 7) return expr_2(x, pick(2) ? OP_BXOR : OP_BOR, small(w, width, depth - 1), expr_bv(x, width, pick(2) ? all : 0));
    if (r == 8 && low < width) return expr_2(x, OP_CONCAT, small(w, width - low, depth - 1), small(w, low, depth - 1));
    if (r == 9 && width == 1) return expr_1(x, OP_BOOL_TO_BV, small_condition(w, 1, depth - 1));
    if (r == 9 && width == 2) return expr_2(x, OP_SELECT, small_array(w, depth), small(w, 2, depth - 1));
    if (r == 10 && low < width) /* in a range that begins above 0 */
        return expr_2(x, OP_ADD, expr_convert(x, OP_ZEXT, small_variable(w, low), width),
                      expr_bv(x, width, 1 + pick(all - (1u << low) + 1)));
    unsigned k = pick(10);
    return expr_2f(x, ops[k].op, pick(2) ? 0 : pick(8) & ops[k].flags, small(w, width, depth - 1), small(w, width, depth - 1));
}

/* A number of so many bits as the variable keeps it. */
static i128 integer_of(const Variable *v, const Sort *s, u128 bits, i128 turns) {
    i128 value = (i128)bits;
    if (v->is_signed && value >= (i128)1 << (s->width - 1)) value -= (i128)1 << s->width;
    return v->congruent ? value + turns * ((i128)1 << s->width) : value;
}

/* Elements other than the first are all the same; of a congruent array they are some turns away. */
static Value array_of(const SmallWorld *w, const Variable *v, unsigned array, bool integers) {
    const Sort *s = v->sort->element;
    Value first = {.bits = w->elements[array][0]}, others = {.bits = w->elements[array][1]};
    if (integers) {
        first.bits = (u128)integer_of(v, s, first.bits, 1);
        others.bits = (u128)integer_of(v, s, others.bits, -1);
    }
    return (Value){.array = array_store(w->values, array_constant(w->values, others), (Value){.bits = 0}, first)};
}

static Fault small_lookup(const SmallWorld *w, const Symbol *s, Value *result, bool integers) {
    const Variable *v = s->user;
    for (unsigned a = 0; a < 4; a++)
        if (w->arrays[a] == v) {
            *result = array_of(w, v, a, integers);
            return FAULT_NONE;
        }
    u128 bits = w->bits[v->index];
    *result = (Value){.bits = integers ? (u128)integer_of(v, v->sort, bits, w->turns[v->index]) : bits};
    return FAULT_NONE;
}

static Fault small_bits(void *context, const Symbol *s, unsigned n, const Value *args, Value *result) {
    (void)n, (void)args;
    return small_lookup(context, s, result, false);
}

static Fault small_integers(void *context, const Symbol *s, unsigned n, const Value *args, Value *result) {
    (void)n, (void)args;
    return small_lookup(context, s, result, true);
}

/* The next values of the variables that are used; false after the last. */
static bool next_values(SmallWorld *w) {
    for (unsigned i = 0; i < LARGEST * SMALL; i++) {
        if (!(w->used & 1u << i)) continue;
        w->turns[i] = (i128)pick(5) - 2;
        if (++w->bits[i] < (u128)1 << (i / SMALL + 1)) return true;
        w->bits[i] = 0;
    }
    return false;
}

static bool few_values(const SmallWorld *w) {
    unsigned bits = 0;
    for (unsigned i = 0; i < LARGEST * SMALL; i++) bits += w->used & 1u << i ? i / SMALL + 1 : 0;
    return bits <= 12;
}

static void random_elements(SmallWorld *w) {
    for (unsigned a = 0; a < 4; a++)
        for (unsigned i = 0; i < 2; i++) w->elements[a][i] = pick(4);
}

static void refuse_value(const Expr *e, const Expr *image, const char *what) {
    Buf text = {0};
    expr_print(&text, e);
    buf_text(&text, "\nread as ");
    expr_print(&text, image);
    fail_msg("%s: %s", what, buf_string(&text));
}

/* Every value: the integer is congruent to it, and in its range. */
static unsigned check_number(SmallWorld *w, Integers *n, const Expr *e) {
    i128 lo, hi;
    unsigned compared = 0;
    const Expr *image = integers_number(n, e, &lo, &hi);
    if (!image || !few_values(w)) return 0;
    for (unsigned i = 0; i < LARGEST * SMALL; i++) w->bits[i] = 0;
    do {
        Value a, b;
        random_elements(w);
        if (expr_eval(&(EvalEnv){w->values, small_bits, w}, e, &a) != FAULT_NONE) continue;
        if (expr_eval(&(EvalEnv){w->values, small_integers, w}, image, &b) != FAULT_NONE) refuse_value(e, image, "the integer faults");
        i128 value = (i128)b.bits;
        compared++;
        if (((u128)value - a.bits) & (((u128)1 << e->sort->width) - 1)) refuse_value(e, image, "not congruent");
        if (value < lo || value > hi) refuse_value(e, image, "not in its range");
    } while (next_values(w));
    return compared;
}

static unsigned check_formula(SmallWorld *w, Integers *n, const Expr *e) {
    unsigned compared = 0;
    const Expr *image = integers_formula(n, e);
    if (!image || !few_values(w)) return 0;
    const Expr *weaker = integers_weaken(n, image);
    for (unsigned i = 0; i < LARGEST * SMALL; i++) w->bits[i] = 0;
    do {
        Value a, b, c;
        random_elements(w);
        if (expr_eval(&(EvalEnv){w->values, small_bits, w}, e, &a) != FAULT_NONE) continue;
        if (expr_eval(&(EvalEnv){w->values, small_integers, w}, image, &b) != FAULT_NONE) refuse_value(e, image, "the formula faults");
        if (expr_eval(&(EvalEnv){w->values, small_integers, w}, weaker, &c) != FAULT_NONE) refuse_value(e, weaker, "the formula faults");
        compared++;
        if (a.bits != b.bits) refuse_value(e, image, "another truth");
        if (b.bits && !c.bits) refuse_value(image, weaker, "not weaker");
    } while (next_values(w));
    return compared;
}

static SmallWorld small_world(void) {
    SmallWorld w = {.program = program_new(64), .values = values_new()};
    Exprs *x = w.program->exprs;
    for (unsigned i = 0; i < LARGEST * SMALL; i++) {
        w.variables[i] = program_global(w.program, "x", sort_bv(x, i / SMALL + 1), NULL);
        variable_set_signed(w.program, w.variables[i], pick(2));
    }
    for (unsigned i = 0; i < 4; i++) {
        w.arrays[i] = program_global(w.program, "a", sort_array(x, sort_bv(x, 2), sort_bv(x, 2)), NULL);
        variable_set_signed(w.program, w.arrays[i], pick(2));
    }
    return w;
}

static void small_widths(void **state) {
    (void)state;
    const char *rounds = getenv("ROUNDS"), *seed = getenv("SEED");
    unsigned numbers = 0, formulas = 0, all = rounds ? (unsigned)atoi(rounds) : 60;
    srand(seed ? (unsigned)atoi(seed) : 12);
    for (unsigned round = 0; round < all; round++) {
        SmallWorld w = small_world();
        Integers *n = integers_new(w.program);
        for (unsigned i = 0; i < LARGEST * SMALL; i++) w.variables[i]->congruent = !w.variables[i]->is_signed && !pick(3);
        for (unsigned i = 0; i < 4; i++) w.arrays[i]->congruent = !w.arrays[i]->is_signed && !pick(3);
        for (unsigned k = 0; k < 200; k++) {
            unsigned width = 1 + pick(LARGEST);
            w.used = 0;
            if (k % 3) numbers += check_number(&w, n, small(&w, width, 1 + pick(3))) > 0;
            else formulas += check_formula(&w, n, small_condition(&w, width, 1 + pick(2))) > 0;
        }
        integers_free(n);
        values_free(w.values);
        program_free(w.program);
    }
    print_message("%u numbers and %u formulas compared\n", numbers, formulas);
    assert_true(numbers > 15 * all && formulas > 8 * all);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(agrees), cmocka_unit_test(small_widths)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
