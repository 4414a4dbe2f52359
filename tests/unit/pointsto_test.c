/* SPDX-License-Identifier: Apache-2.0 */
/* What pointers can point to: objects, congruences of offsets, what goes through memory, sites that allocate many. */
#include "ir_test.h"
#include "analysis/unescaped_heap.h"
#include "analysis/pointsto.h"
#include "analysis/reused_places.h"
#include <stdlib.h>
#include <string.h>

/* "a+0 b+4%8 other": objects with offset (and modulus), and whether it may be no pointer at all. */
static void assert_targets(PointsTo *a, const Expr *e, const char *expected) {
    const Targets *t = pointsto(a, e);
    Buf text = {0};
    for (size_t i = 0; i < vec_len(t->list); i++) {
        Congruence c = t->list[i].offset;
        buf_printf(&text, "%s%s+%lld", i ? " " : "", t->list[i].object->name, (long long)c.residue);
        if (c.modulus) buf_printf(&text, "%%%llu", (unsigned long long)c.modulus);
    }
    if (t->other) buf_printf(&text, "%sother", text.length ? " " : "");
    assert_string_equal(buf_string(&text), expected);
    buf_free(&text);
}

static void assert_local(const Program *p, PointsTo *a, const char *name, const char *expected) {
    assert_targets(a, variable_expr((Program *)p, local_called(p->templates[0], name)), expected);
}

static void offsets(void **state) {
    (void)state;
    Program *p = program_of("object a : global 64; object b : global 8;\n"
                            "thread main { local p : bv64; local q : bv64; local r : bv64; local n : bv64; local i : bv64;\n"
                            "  l0 { do p := (add a 8:64); n := 5:64; i := any; goto l1; }\n"
                            "  l1 { do q := (add (add a 4:64) (mul i 16:64)); goto l2; }\n"
                            "  l2 { do r := (ite (= i 0:64) q b); goto l3; }\n"
                            "  l3 end; }\n");
    PointsTo *a = pointsto_new(p);
    assert_local(p, a, "p", "a+8 other"); /* a sum may be a number */
    assert_local(p, a, "q", "a+4%16 other");
    assert_local(p, a, "r", "a+4%16 b+0 other");
    assert_local(p, a, "n", "other");
    pointsto_free(a);
    program_free(p);
}

/* Flow-insensitive: both assignments count; a pointer that is moved on in a loop keeps its stride. */
static void loops(void **state) {
    (void)state;
    Program *p = program_of("object a : global 64;\n"
                            "thread main { local p : bv64; local q : bv64;\n"
                            "  l0 { do p := a; q := 0:64; goto l1; }\n"
                            "  l1 loop { do p := (add p 12:64); goto l1; do p := (add p 8:64); goto l1; do q := p; goto l2; }\n"
                            "  l2 end; }\n");
    PointsTo *a = pointsto_new(p);
    assert_local(p, a, "p", "a+0%4 other");
    assert_local(p, a, "q", "a+0%4 other");
    pointsto_free(a);
    program_free(p);
}

/* A pointer in memory comes back; cells of an object are told apart; what is initialised counts. */
static void memory(void **state) {
    (void)state;
    Program *p = program_of("object x : global 4; object y : global 4; object box : global 24 reloc 16 -> x + 2;\n"
                            "thread main { local p : bv64; local q : bv64; local r : bv64; local s : bv64; local i : bv64;\n"
                            "  l0 { do store [box] := x; store [(add box 8:64)] := y; i := any; goto l1; }\n"
                            "  l1 { do p := load [box]; q := load [(add box 8:64)]; r := load [(add box 16:64)]; goto l2; }\n"
                            "  l2 { do s := load [(add box (mul i 8:64))]; goto l3; }\n"
                            "  l3 end; }\n");
    PointsTo *a = pointsto_new(p);
    const Targets *t = pointsto(a, variable_expr(p, local_called(p->templates[0], "p")));
    assert_int_equal(vec_len(t->list), 1);
    assert_string_equal(t->list[0].object->name, "x");
    t = pointsto(a, variable_expr(p, local_called(p->templates[0], "q")));
    assert_int_equal(vec_len(t->list), 1);
    assert_string_equal(t->list[0].object->name, "y");
    t = pointsto(a, variable_expr(p, local_called(p->templates[0], "r")));
    assert_int_equal(vec_len(t->list), 1);
    assert_int_equal(t->list[0].offset.residue, 2);
    t = pointsto(a, variable_expr(p, local_called(p->templates[0], "s")));
    assert_int_equal(vec_len(t->list), 3); /* x at two offsets */
    pointsto_free(a);
    program_free(p);
}

/* A pointer that is read in part, or with other bytes, is not lost. */
static const Targets *targets_of(PointsTo *a, Program *p, const char *local) {
    return pointsto(a, variable_expr(p, local_called(p->templates[0], local)));
}

/* A value of two words has the targets of each word apart, where it takes whole words; else any offset in both. */
static void pieces(void **state) {
    (void)state;
    Program *p = program_of(
        "object x : global 8;\n"
        "object box : global 24 reloc 16 -> x;\n"
        "thread main { local p : bv128; local q : bv32; local r : bv64; local s : bv128; local h : bv64; local l : bv64; local m : bv64;\n"
        "  l0 { do store [(add box 8:64)] := (add x 4:64); goto l1; }\n"
        "  l1 { do p := load [box]; q := load [(add box 12:64)]; r := load [box]; s := load [(add box 12:64)]; goto l2; }\n"
        "  l2 { do h := (extract 64 64 p); l := (extract 0 64 p); m := (extract 32 64 p); p := (add p 1:128); goto l3; } l3 end; }\n");
    PointsTo *a = pointsto_new(p);
    assert_int_equal(vec_len(targets_of(a, p, "q")->list), 1);
    assert_int_equal(targets_of(a, p, "q")->list[0].offset.modulus, 1);
    assert_int_equal(vec_len(targets_of(a, p, "r")->list), 0);
    assert_int_equal(vec_len(targets_of(a, p, "s")->list), 2);
    assert_int_equal(targets_of(a, p, "s")->list[1].word, 1);
    assert_int_equal(targets_of(a, p, "s")->list[1].offset.modulus, 1);
    pointsto_free(a);
    program_free(p);
    p = program_of(
        "object x : global 8;\n"
        "object box : global 16;\n"
        "thread main { local p : bv128; local w : bv128; local h : bv64; local l : bv64; local m : bv64; local g : bv64; local f : bv64;\n"
        "  l0 { do store [(add box 8:64)] := (add x 4:64); p := load [box]; store [box] := p; goto l1; }\n"
        "  l1 { do h := (extract 64 64 p); l := (extract 0 64 p); m := (extract 32 64 p); w := (add p 1:128); goto l2; }\n"
        "  l2 { do g := (extract 0 64 w); f := load [box]; goto l3; } l3 end; }\n");
    a = pointsto_new(p);
    assert_int_equal(vec_len(targets_of(a, p, "p")->list), 1);
    assert_int_equal(targets_of(a, p, "p")->list[0].word, 1);
    assert_int_equal(targets_of(a, p, "h")->list[0].offset.residue, 4);
    assert_int_equal(targets_of(a, p, "h")->list[0].word, 0);
    assert_int_equal(vec_len(targets_of(a, p, "l")->list), 0);
    assert_int_equal(targets_of(a, p, "m")->list[0].offset.modulus, 1);
    assert_int_equal(vec_len(targets_of(a, p, "w")->list), 2);
    assert_int_equal(targets_of(a, p, "g")->list[0].offset.modulus, 1);
    assert_int_equal(vec_len(targets_of(a, p, "f")->list), 0);
    Bytes *at = pointsto_addresses(a, p->objects[1]);
    assert_int_equal(at[0].offset.residue, 8);
    assert_int_equal(at[0].size, 8);
    vec_free(at);
    pointsto_free(a);
    program_free(p);
}

/* Arguments and results carry pointers between threads. */
static void threads(void **state) {
    (void)state;
    Program *p = program_of("object x : global 4; object y : global 4;\n"
                            "thread main { local t : bv32; local r : bv64;\n"
                            "  l0 { do t := create one (x); goto l1; } l1 { do r := join (t); goto l2; } l2 end; }\n"
                            "thread one { local a : bv64 argument; local z : bv64 result; local p : bv64;\n"
                            "  l0 { do p := (add a 2:64); z := y; goto l1; } l1 end; }\n");
    PointsTo *a = pointsto_new(p);
    const Targets *t = pointsto(a, variable_expr(p, local_called(p->templates[1], "p")));
    assert_int_equal(vec_len(t->list), 1);
    assert_string_equal(t->list[0].object->name, "x");
    assert_int_equal(t->list[0].offset.residue, 2);
    t = pointsto(a, variable_expr(p, local_called(p->templates[0], "r")));
    bool found = false;
    for (size_t i = 0; i < vec_len(t->list); i++) found |= !strcmp(t->list[i].object->name, "y");
    assert_true(found);
    pointsto_free(a);
    program_free(p);
}

static void sites(void **state) {
    (void)state;
    Program *p = program_of("object once : heap; object often : heap; object each : heap;\n"
                            "thread main { local p : bv64; local q : bv64;\n"
                            "  l0 { do p := alloc once size 8:64; goto l1; }\n"
                            "  l1 loop { do q := alloc often size 8:64; goto l1; do create one (0:64); goto l2; }\n"
                            "  l2 { do create one (0:64); goto l3; }\n"
                            "  l3 end; }\n"
                            "thread one count 2 { local p : bv64; l0 { do p := alloc each size 8:64; goto l1; } l1 end; }\n");
    PointsTo *a = pointsto_new(p);
    assert_false(pointsto_allocates_many(a, object_called(p, "once")));
    assert_true(pointsto_allocates_many(a, object_called(p, "often")));
    assert_true(pointsto_allocates_many(a, object_called(p, "each")));
    assert_local(p, a, "p", "once+0");
    pointsto_free(a);
    program_free(p);
}

static void assert_wild(const Program *p, PointsTo *a, const char *name, bool expected) {
    assert_int_equal(pointsto_is_wild(a, variable_expr((Program *)p, local_called(p->templates[0], name))), expected);
}

/* An input may be an address, wherever it goes; an index is none; what was never set is none that may be used. */
static void inputs(void **state) {
    (void)state;
    Program *p = program_of(
        "object a : global 64; object box : global 16; global g : bv64;\n"
        "thread main { local i : bv64; local p : bv64; local q : bv64; local r : bv64; local s : bv64; local u : bv64; local v : bv64;\n"
        "  l0 { do i := any; p := (add a (mul i 4:64)); goto l1; }\n"
        "  l1 { do store [box] := (add i 1:64); store [(add box 8:64)] := a; goto l2; }\n"
        "  l2 { do q := load [box]; r := load [(add box 8:64)]; s := g; u := undefined; v := (mul 3:64 u); goto l3; }\n"
        "  l3 end; }\n");
    PointsTo *a = pointsto_new(p);
    assert_wild(p, a, "i", true);
    assert_wild(p, a, "p", false);
    assert_wild(p, a, "q", true);
    assert_wild(p, a, "r", false);
    assert_wild(p, a, "s", true);
    assert_wild(p, a, "u", false);
    assert_wild(p, a, "v", false);
    pointsto_free(a);
    program_free(p);
}

/* Once an address is looked at as a number, every number that is computed may be one. */
static void rebuilt(void **state) {
    (void)state;
    Program *p = program_of("object a : global 4;\n"
                            "thread main { local n : bv64; local k : bv64; local z : bv64;\n"
                            "  l0 { do n := 0:64; z := 0:64; goto l1; }\n"
                            "  l1 loop { when (not (= n a)) do n := (add n 1:64); goto l1; when (= n a) do k := n; goto l2; }\n"
                            "  l2 end; }\n");
    PointsTo *a = pointsto_new(p);
    assert_wild(p, a, "n", true);
    assert_wild(p, a, "k", true);
    assert_wild(p, a, "z", false);
    pointsto_free(a);
    program_free(p);
}

/* Numbers of threads are followed through memory and arithmetic. */
static void thread_numbers(void **state) {
    (void)state;
    Program *p = program_of("object box : global 8;\n"
                            "thread main { local t : bv32; local n : bv64; local m : bv64; local other : bv64;\n"
                            "  l0 { do t := create w (0:64); store [box] := (zext 64 t); other := 7:64; goto l1; }\n"
                            "  l1 { do n := load [box]; m := (add n 1:64); goto l2; }\n"
                            "  l2 end; }\n"
                            "thread w { e end; }\n");
    PointsTo *a = pointsto_new(p);
    const char *names[] = {"t", "n", "m", "other"};
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(pointsto_is_thread(a, variable_expr(p, local_called(p->templates[0], names[i]))), i < 3);
    pointsto_free(a);
    program_free(p);
}

static void congruences(void **state) {
    (void)state;
    Congruence c = congruence_join((Congruence){0, 4}, (Congruence){0, 10});
    assert_int_equal(c.modulus, 6);
    assert_int_equal(c.residue, 4);
    c = congruence_join((Congruence){8, 2}, (Congruence){12, 6});
    assert_int_equal(c.modulus, 4);
    assert_int_equal(c.residue, 2);
    c = congruence_join((Congruence){0, 7}, (Congruence){0, 7});
    assert_int_equal(c.modulus, 0);
}

/* ---- congruences: all values of small widths ---- */

typedef struct Small {
    Exprs *exprs;
    const Symbol *symbols[12]; /* two of each width */
    uint64_t values[12];
    unsigned used;
} Small;

enum { WIDEST = 6 };

static unsigned pick(unsigned n) { return (unsigned)rand() % n; }

static const Expr *small_number(Small *s, unsigned width, unsigned depth) {
    static const Op ops[] = {OP_ADD, OP_ADD, OP_SUB, OP_MUL, OP_MUL};
    Exprs *x = s->exprs;
    unsigned r = pick(8), from = 1 + pick(width), i = 2 * (width - 1) + pick(2);
    if (depth && r < 2 && from < width) return expr_convert(x, r ? OP_ZEXT : OP_SEXT, small_number(s, from, depth - 1), width);
    if (depth && r == 2 && width > 1)
        return expr_2f(x, OP_SHL, pick(2) ? FLAG_NSW : 0, small_number(s, width, depth - 1), expr_bv(x, width, pick(width)));
    if (depth && r < 7) {
        const Expr *a = small_number(s, width, depth - 1),
                   *b = pick(2) ? expr_bv(x, width, pick(1u << width)) : small_number(s, width, depth - 1);
        return expr_2f(x, ops[pick(5)], pick(2) ? FLAG_NSW : 0, a, b);
    }
    if (r == 7) return expr_bv(x, width, pick(1u << width));
    s->used |= 1u << i;
    return expr_symbol(x, s->symbols[i]);
}

static Fault small_value(void *context, const Symbol *symbol, unsigned n, const Value *args, Value *result) {
    const Small *s = context;
    (void)n, (void)args;
    for (unsigned i = 0; i < 12; i++)
        if (s->symbols[i] == symbol) *result = (Value){.bits = s->values[i]};
    return FAULT_NONE;
}

static bool next_values(Small *s) {
    for (unsigned i = 0; i < 12; i++) {
        if (!(s->used & 1u << i)) continue;
        if (++s->values[i] < UINT64_C(1) << (i / 2 + 1)) return true;
        s->values[i] = 0;
    }
    return false;
}

static bool is_in(Congruence c, int64_t v) {
    return c.modulus ? (v - (int64_t)c.residue) % (int64_t)c.modulus == 0 : v == (int64_t)c.residue;
}

static void check_congruence(Small *s, Values *values, const Expr *e, unsigned telling[2]) {
    unsigned w = e->sort->width, bits = 0;
    Congruence c = congruence_number(expr_convert(s->exprs, OP_SEXT, e, w + 1)); /* what is extended may have wrapped around */
    for (unsigned i = 0; i < 12; i++) bits += s->used & 1u << i ? i / 2 + 1 : 0;
    if (bits > 12 || c.modulus == 1) return;
    telling[!(c.modulus & (c.modulus - 1))]++; /* a power of two, or not */
    memset(s->values, 0, sizeof s->values);
    do {
        Value v;
        if (expr_eval(&(EvalEnv){values, small_value, s}, e, &v) != FAULT_NONE) continue;
        int64_t number = (int64_t)((uint64_t)v.bits << (64 - w)) >> (64 - w);
        if (is_in(c, number)) continue;
        Buf text = {0};
        expr_print(&text, e);
        fail_msg("%s is %lld, not %llu modulo %llu", buf_string(&text), (long long)number, (unsigned long long)c.residue,
                 (unsigned long long)c.modulus);
    } while (next_values(s));
}

static void small_congruences(void **state) {
    (void)state;
    unsigned telling[2] = {0};
    Small s = {.exprs = exprs_new()};
    Values *values = values_new();
    for (unsigned i = 0; i < 12; i++) s.symbols[i] = symbol_new(s.exprs, SYM_VARIABLE, "x", sort_bv(s.exprs, i / 2 + 1));
    srand(3);
    for (unsigned k = 0; k < 20000; k++) {
        s.used = 0;
        check_congruence(&s, values, small_number(&s, 1 + pick(WIDEST), 1 + pick(4)), telling);
    }
    assert_true(telling[0] > 200 && telling[1] > 2000);
    for (int64_t a = -9; a < 10; a++)
        for (int64_t b = -9; b < 10; b++)
            for (uint64_t m = 0; m < 8; m++) {
                Congruence c = congruence_join((Congruence){m, m ? (uint64_t)(a + 9) % m : (uint64_t)a}, (Congruence){0, (uint64_t)b});
                assert_true(is_in(c, b) && is_in(c, m ? (a + 9) % (int64_t)m : a) && (!m || is_in(c, (a + 9) % (int64_t)m + (int64_t)m)));
            }
    values_free(values);
    exprs_free(s.exprs);
}

/* Marks in the low bits change the offset, and nothing else; marks alone are no address. */
static void marks(void **state) {
    (void)state;
    Program *p =
        program_of("object a : global 64;\n"
                   "thread main { local p : bv64; local q : bv64; local r : bv64; local m : bv64; local w : bv64; local i : bv64;\n"
                   "  l0 { do i := any; p := (bor (add a 8:64) 1:64); q := (band p -2:64); m := (band p 3:64); goto l1; }\n"
                   "  l1 { do r := (bxor (add a (mul i 16:64)) 2:64); w := (band (add a (mul i 4:64)) -8:64); goto l2; }\n"
                   "  l2 end; }\n");
    PointsTo *a = pointsto_new(p);
    assert_local(p, a, "p", "a+9 other");
    assert_local(p, a, "q", "a+8 other");
    assert_local(p, a, "m", "other");
    assert_local(p, a, "r", "a+2%16 other");
    assert_local(p, a, "w", "a+0%1 other");
    pointsto_free(a);
    program_free(p);
}

/* ---- objects that nobody else knows, and places that are used again ---- */

/* Of the loads and stores of a thread, in the order of its actions: f fresh, s not. */
static void assert_fresh(const char *text, unsigned thread, const char *expected) {
    Program *p = program_of(text);
    UnescapedHeap *f = unescaped_new(p);
    Buf seen = {0};
    const Template *t = p->templates[thread];
    for (size_t a = 0; a < vec_len(t->actions); a++)
        for (size_t i = 0; i < vec_len(t->actions[a].instrs); i++) {
            const Instr *in = &t->actions[a].instrs[i];
            if (in->kind == INSTR_LOAD || in->kind == INSTR_STORE) buf_char(&seen, unescaped_object(f, t, &t->actions[a], in) ? 'f' : 's');
        }
    assert_string_equal(buf_string(&seen), expected);
    buf_free(&seen);
    unescaped_free(f);
    program_free(p);
}

static void fresh_objects(void **state) {
    (void)state;
    const char *head =
        "global g : bv64 = 0:64; object h : heap; object k : heap;\nthread main { local p : bv64; local q : bv64; local x : bv64;\n";
    static const struct {
        const char *body, *expected;
    } cases[] = {
        {"l0 { do p := alloc h size 16:64; store [p] := 1:64; q := (add p 8:64); store [q] := 2:64; x := load [p]; goto l1; } l1 end; }",
         "fff"},
        {"l0 { do p := alloc h size 16:64; q := p; g := q; store [p] := 1:64; goto l1; } l1 end; }", "s"},     /* an alias is out */
        {"l0 { do p := alloc h size 16:64; x := (bxor p 1:64); store [p] := 1:64; goto l1; } l1 end; }", "f"}, /* followed through locals */
        {"l0 { do p := alloc h size 16:64; x := (bxor p 1:64); g := x; store [p] := 1:64; goto l1; } l1 end; }", "s"},
        {"l0 { do p := alloc h size 8:64; q := alloc k size 8:64; store [q] := p; store [p] := 1:64; goto l1; } l1 end; }",
         "fs"}, /* in memory */
        {"l0 { do p := alloc h size 8:64; free [p]; store [p] := 1:64; goto l1; } l1 end; }", "s"},
        {"l0 { do p := alloc h size 8:64; goto l1; do p := g; goto l1; } l1 { do store [p] := 1:64; goto l2; } l2 end; }",
         "s"}, /* on one way only */
        {"l0 { do p := alloc h size 8:64; q := p; goto l1; }\n"
         "l1 loop { do p := alloc h size 8:64; store [p] := 1:64; store [q] := 2:64; goto l1; goto l2; } l2 end; }",
         "fs"}, /* not the last one */
        {"l0 { do p := alloc h size 8:64; goto l1; } l1 { when (= p 0:64) goto l2; when (not (= p 0:64)) do store [p] := 1:64; goto l2; } "
         "l2 end; }",
         "f"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Buf text = {0};
        buf_printf(&text, "%s%s", head, cases[i].body);
        assert_fresh(buf_string(&text), 0, cases[i].expected);
        buf_free(&text);
    }
}

static void places(void **state) {
    (void)state;
    Program *p =
        program_of("global g : bv64 = 0:64; object a : heap; object b : heap; object c : heap; object d : heap; object s : global 8;\n"
                   "thread main { local p : bv64; local q : bv64; local x : bv64; local y : bv64; local h : bv32; object l : local 8; "
                   "object k : local 8;\n"
                   "  l0 { do alive l; p := alloc a size 8:64; q := alloc b size 8:64; free [p]; goto l1; }\n"
                   "  l1 { do x := alloc c size 8:64; alive k; g := q; h := create other (0:64); goto l2; }\n"
                   "  l2 { do y := alloc d size 8:64; goto l3; }\n"
                   "  l3 end; }\n"
                   "thread other { l0 { do free [g]; goto l1; } l1 end; }\n");
    PointsTo *pt = pointsto_new(p);
    ReusedPlaces *r = reuse_new(p, pt);
    static const char *const names[] = {"a", "b", "c", "d", "s", "l", "k"};
    Buf text = {0};
    for (unsigned i = 0; i < 4; i++) {
        for (unsigned k = 0; k < 7; k++)
            for (size_t x = 0; x < vec_len(p->objects); x++)
                for (size_t y = 0; y < vec_len(p->objects); y++)
                    if (!strcmp(p->objects[x]->name, names[i]) && !strcmp(p->objects[y]->name, names[k]) &&
                        reuse_of(r, p->objects[x], p->objects[y]))
                        buf_printf(&text, "%s<%s ", names[i], names[k]);
    }
    assert_string_equal(buf_string(&text), "a<c a<d a<k b<d ");
    buf_free(&text);
    reuse_free(r);
    pointsto_free(pt);
    program_free(p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(offsets),
        cmocka_unit_test(loops),
        cmocka_unit_test(memory),
        cmocka_unit_test(pieces),
        cmocka_unit_test(threads),
        cmocka_unit_test(sites),
        cmocka_unit_test(inputs),
        cmocka_unit_test(rebuilt),
        cmocka_unit_test(thread_numbers),
        cmocka_unit_test(congruences),
        cmocka_unit_test(small_congruences),
        cmocka_unit_test(marks),
        cmocka_unit_test(fresh_objects),
        cmocka_unit_test(places),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
