/* SPDX-License-Identifier: Apache-2.0 */
/* The concrete semantics: operators against expr_eval, faults, memory, mutex words, atomicity of steps, encodings. */
#include "ir_test.h"
#include "ir/layout.h"
#include "ir/step.h"
#include <stdlib.h>

/* ---- running small programs ---- */

typedef struct Rig {
    Program *program;
    Machine *machine;
    State *state;
    u128 next_choice; /* what the chooser answers */
    unsigned asked;
    uint64_t last_count;
    bool last_undefined;
    const Sort *last_sort;
    const Variable *last_variable;
    const Instr *last_instr;
} Rig;

static u128 answer(void *context, const Choice *c) {
    Rig *r = context;
    if (c->kind == CHOICE_COUNT) return 0;
    r->asked++;
    r->last_count = c->count;
    r->last_undefined = c->undefined;
    r->last_sort = c->sort;
    r->last_variable = c->variable;
    r->last_instr = c->instr;
    return r->next_choice;
}

static Rig rig(const char *text) {
    Rig r = {.program = program_of(text)};
    Chooser chooser = {answer, &r};
    r.machine = machine_new(r.program, (MachineRules){0});
    r.state = state_initial(r.machine, &chooser);
    return r;
}

static void rig_free(Rig *r) {
    state_free(r->machine, r->state);
    machine_free(r->machine);
    program_free(r->program);
}

static StepResult step(Rig *r, unsigned thread, unsigned action) {
    Chooser chooser = {answer, r};
    return machine_step(r->machine, r->state, thread, action, &chooser, NULL);
}

static void done(Rig *r, unsigned thread, unsigned action) { assert_int_equal(step(r, thread, action).status, STEP_DONE); }

static void faults(Rig *r, unsigned thread, unsigned action, Fault fault) {
    Buf before = {0}, after = {0};
    state_encode(r->machine, r->state, &before);
    StepResult s = step(r, thread, action);
    assert_int_equal(s.status, STEP_FAULT);
    assert_int_equal(s.fault, fault);
    state_encode(r->machine, r->state, &after);
    assert_int_equal(before.length, after.length);
    assert_memory_equal(before.text, after.text, before.length);
    buf_free(&before);
    buf_free(&after);
}

static uint64_t global(const Rig *r, const char *name) {
    for (size_t i = 0; i < vec_len(r->program->globals); i++)
        if (!strcmp(r->program->globals[i]->name, name))
            return (uint64_t)state_variable(r->machine, r->state, r->program->globals[i], 1).bits;
    fail_msg("no global %s", name);
    return 0;
}

/* ---- operators ---- */

typedef struct Env {
    const Symbol *symbols[2];
    Value values[2];
} Env;

static Fault look_up(void *context, const Symbol *s, unsigned n, const Value *args, Value *result) {
    const Env *e = context;
    (void)n, (void)args;
    *result = e->values[s == e->symbols[0] ? 0 : 1];
    return FAULT_NONE;
}

static uint64_t seed = 88172645463325252u;
static uint64_t random_word(void) {
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed;
}

static uint64_t interesting(unsigned width) {
    uint64_t mask = width == 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1, top = UINT64_C(1) << (width - 1);
    const uint64_t some[] = {0, 1, 2, mask, top, top - 1, top + 1, width - 1, width, random_word(), random_word()};
    return some[random_word() % 11] & mask;
}

/* r := op(x, y) in a program of its own; every pair of values must give what expr_eval says. */
static void compare_operator(Op op, unsigned flags, unsigned width) {
    Program *p = program_new(64);
    const Sort *sort = sort_bv(p->exprs, width);
    Variable *x = program_global(p, "x", sort, expr_bv(p->exprs, width, 0));
    Variable *y = program_global(p, "y", sort, expr_bv(p->exprs, width, 0));
    const Expr *e = expr_2f(p->exprs, op, flags, variable_expr(p, x), variable_expr(p, y));
    Variable *r = program_global(p, "r", e->sort, expr_const(p->exprs, e->sort, 0));
    Template *t = program_template(p, "main", 1);
    unsigned l[4];
    for (unsigned i = 0; i < 4; i++) l[i] = template_location(p, t, i < 3 ? LOCATION_PLAIN : LOCATION_END, (Position){0});
    const Variable *targets[] = {x, y};
    for (unsigned i = 0; i < 2; i++) {
        Instr *instr = action_instr(template_action(p, t, l[i], l[i + 1], NULL, (Position){0}), INSTR_HAVOC, (Position){0});
        instr->target = (Variable *)(uintptr_t)targets[i];
    }
    Instr *assign = action_instr(template_action(p, t, l[2], l[3], NULL, (Position){0}), INSTR_ASSIGN, (Position){0});
    assign->target = r;
    assign->value = e;
    Values *values = values_new();
    Machine *m = machine_new(p, (MachineRules){0});
    for (unsigned k = 0; k < 200; k++) {
        Env env = {{x->symbol, y->symbol}, {{.bits = interesting(width)}, {.bits = interesting(width)}}};
        EvalEnv eval = {values, look_up, &env};
        Value expected;
        Fault fault = expr_eval(&eval, e, &expected);
        Rig rig_ = {.program = p, .machine = m};
        rig_.state = state_initial(m, NULL);
        for (unsigned i = 0; i < 2; i++) {
            rig_.next_choice = env.values[i].bits;
            done(&rig_, 1, i);
        }
        StepResult s = step(&rig_, 1, 2);
        assert_int_equal(s.status == STEP_FAULT ? s.fault : FAULT_NONE, fault);
        if (!fault) assert_int_equal(global(&rig_, "r"), (uint64_t)expected.bits);
        state_free(m, rig_.state);
    }
    machine_free(m);
    values_free(values);
    program_free(p);
}

static void operators(void **state) {
    (void)state;
    static const Op ops[] = {OP_EQ,   OP_ADD,  OP_SUB,  OP_MUL, OP_UDIV, OP_SDIV, OP_UREM, OP_SREM, OP_SHL,
                             OP_LSHR, OP_ASHR, OP_BAND, OP_BOR, OP_BXOR, OP_ULT,  OP_ULE,  OP_SLT,  OP_SLE};
    static const unsigned widths[] = {1, 7, 8, 16, 31, 32, 33, 63, 64};
    for (unsigned w = 0; w < 9; w++)
        for (unsigned i = 0; i < sizeof ops / sizeof *ops; i++) {
            compare_operator(ops[i], 0, widths[w]);
            if (ops[i] == OP_ADD || ops[i] == OP_SUB || ops[i] == OP_MUL || ops[i] == OP_SHL)
                for (unsigned f = 1; f < 4; f++) compare_operator(ops[i], f, widths[w]);
            if (ops[i] == OP_UDIV || ops[i] == OP_SDIV || ops[i] == OP_LSHR || ops[i] == OP_ASHR)
                compare_operator(ops[i], FLAG_EXACT, widths[w]);
        }
}

static void lazy_operators(void **state) {
    (void)state;
    Rig r = rig("global x : bv8 = 0:8; global r : bv8 = 9:8;"
                "thread main { a { do r := (ite (= x 0:8) 1:8 (udiv 1:8 x)); goto b; }"
                "  b { when (or (= x 0:8) (= (udiv 1:8 x) 0:8)) do x := 2:8; goto c; }"
                "  c { when (and (= x 0:8) (= (udiv 1:8 0:8) 0:8)) goto d; when (= (udiv x (sub x 2:8)) 1:8) goto d; } d end; }");
    done(&r, 1, 0);
    assert_int_equal(global(&r, "r"), 1);
    done(&r, 1, 1);
    assert_int_equal(step(&r, 1, 2).status, STEP_DISABLED);
    faults(&r, 1, 3, FAULT_DIVISION);
    rig_free(&r);
}

/* ---- atomicity ---- */

static void failed_steps_leave_nothing(void **state) {
    (void)state;
    Rig r = rig("global x : bv32 = 1:32; global p : bv64 = 0:64; object m : global 4; object h : heap; object big : global 1000;"
                "thread main { local a : bv64; local t : bv32;"
                "  l0 { do x := 5:32; store [big] := 7:64; lock [m]; p := alloc h size 16:64; t := create w (0:64);"
                "          fill [(add big 100:64)] := 3:8 size 500:64; assume (= x 6:32); goto l1;"
                "       do x := 5:32; p := alloc h size 16:64; free [p]; t := create w (0:64); store [p] := 1:8; goto l1;"
                "       do p := alloc h size 8:64; goto l1; }"
                "  l1 { do free [p]; x := (udiv 1:32 0:32); goto l2; do store [p] := x; goto l2; }"
                "  l2 end; }"
                "thread w { e end; }");
    Buf before = {0}, after = {0};
    state_encode(r.machine, r.state, &before);
    assert_int_equal(step(&r, 1, 0).status, STEP_DISABLED);
    state_encode(r.machine, r.state, &after);
    assert_int_equal(before.length, after.length);
    assert_memory_equal(before.text, after.text, before.length);
    faults(&r, 1, 1, FAULT_FREED);
    done(&r, 1, 2);
    faults(&r, 1, 3, FAULT_DIVISION);
    done(&r, 1, 4); /* the block lives still */
    assert_int_equal(state_threads(r.state), 1);
    buf_free(&before);
    buf_free(&after);
    rig_free(&r);
}

/* ---- memory ---- */

static void memory_faults(void **state) {
    (void)state;
    Rig r = rig("object g : global 8; object c : global 4 readonly; object h : heap; object f : function;"
                "thread main { local p : bv64; local v : bv32; object l : local 4;"
                "  a { do v := load [0:64]; goto a; do v := load [8:64]; goto a; do v := load [(add g 5:64)]; goto a;"
                "      do v := load [(add g 8:64)]; goto a; do v := load [(sub g 1:64)]; goto a; do store [c] := 1:32; goto a;"
                "      do v := load [l]; goto a; do v := load [f]; goto a; do free [g]; goto a; do free [f]; goto a;"
                "      do p := alloc h size 4:64; goto b; do p := alloc h size 99999999999:64; goto b; }"
                "  b { do v := load [(add p 1:64)]; goto b; do free [(add p 1:64)]; goto b; do free [p]; goto c;"
                "      do store [(add p 4:64)] := 0:8; goto b; do copy [g] := [p] size 5:64; goto b; }"
                "  c { do v := load [p]; goto c; do free [p]; goto c; do alive l; store [l] := 1:32; dead l; v := load [l]; goto c; } }");
    static const Fault expected[] = {FAULT_NULL,     FAULT_NULL,  FAULT_BOUNDS, FAULT_BOUNDS, FAULT_BOUNDS,
                                     FAULT_READONLY, FAULT_SCOPE, FAULT_BOUNDS, FAULT_FREE,   FAULT_FREE};
    for (unsigned i = 0; i < 10; i++) faults(&r, 1, i, expected[i]);
    faults(&r, 1, 11, FAULT_RESOURCE);
    done(&r, 1, 10);
    faults(&r, 1, 12, FAULT_BOUNDS);
    faults(&r, 1, 13, FAULT_FREE);
    faults(&r, 1, 15, FAULT_BOUNDS);
    faults(&r, 1, 16, FAULT_BOUNDS);
    done(&r, 1, 14);
    faults(&r, 1, 17, FAULT_FREED);
    faults(&r, 1, 18, FAULT_TWICE);
    faults(&r, 1, 19, FAULT_SCOPE);
    rig_free(&r);
}

static void undefined_bytes_are_chosen_once(void **state) {
    (void)state;
    Rig r = rig("object h : heap; global x : bv32 = 0:32; global g : bv64 = 0:64; object o : global 8;"
                "thread main { a { do g := alloc h size 8:64; store [(add g 1:64)] := 170:8; goto b; }"
                "  b { do x := load [g]; goto c; } c { do x := 0:32; goto d; } d { do x := load [g]; goto e; }"
                "  e { do copy [o] := [g] size 8:64; goto f; } f { do x := load [(add o 4:64)]; goto h; }"
                "  h { do x := load [o]; goto i; } i end; }");
    done(&r, 1, 0);
    r.next_choice = 0x112244;
    done(&r, 1, 1);
    assert_int_equal(r.asked, 1);
    assert_true(r.last_undefined);
    assert_int_equal(r.last_sort->width, 24); /* the one byte that was written is not asked for */
    assert_int_equal(global(&r, "x"), 0x1122aa44);
    done(&r, 1, 2);
    r.next_choice = 5;
    done(&r, 1, 3);
    assert_int_equal(r.asked, 1); /* it has its value now */
    assert_int_equal(global(&r, "x"), 0x1122aa44);
    done(&r, 1, 4);
    assert_int_equal(r.asked, 1); /* copying does not read */
    done(&r, 1, 5);
    assert_int_equal(r.asked, 2);
    assert_int_equal(global(&r, "x"), 5);
    done(&r, 1, 6);
    assert_int_equal(r.asked, 2);
    rig_free(&r);
}

/* ---- undefined locals ---- */

static bool same_state(const Rig *r, const State *other) {
    Buf one = {0}, two = {0};
    state_encode(r->machine, r->state, &one);
    state_encode(r->machine, other, &two);
    bool same = one.length == two.length && !memcmp(one.text, two.text, one.length);
    buf_free(&one), buf_free(&two);
    return same;
}

static void undefined_locals_are_chosen_when_read(void **state) {
    (void)state;
    Rig r = rig("global g : bv32 = 0:32; thread main { local x : bv32; local y : bv32;"
                "  a { do x := undefined; y := undefined; goto b; do x := 0:32; y := 0:32; goto b; }"
                "  b { when (= x 7:32) goto c; when (not (= x 7:32)) goto c; do y := 5:32; goto b; }"
                "  c { do g := x; goto d; } d { do g := (add x 1:32); goto e; } e { do g := y; goto f; } f end; }");
    State *start = state_copy(r.machine, r.state);
    done(&r, 1, 1);
    State *zero = state_copy(r.machine, r.state);
    state_assign(r.machine, r.state, start);
    done(&r, 1, 0);
    assert_int_equal(r.asked, 0);
    assert_false(same_state(&r, zero)); /* undefined is not 0 */
    State *undefined = state_copy(r.machine, r.state);
    r.next_choice = 3;
    assert_int_equal(step(&r, 1, 2).status, STEP_DISABLED);
    assert_int_equal(r.asked, 1);
    assert_true(r.last_undefined);
    assert_null(r.last_instr);
    assert_string_equal(r.last_variable->name, "x");
    assert_int_equal(r.last_sort->width, 32);
    assert_true(same_state(&r, undefined)); /* a disabled action has chosen nothing */
    r.next_choice = 7;
    done(&r, 1, 2);
    assert_int_equal(r.asked, 2);
    r.next_choice = 9;
    done(&r, 1, 5);
    done(&r, 1, 6);
    assert_int_equal(r.asked, 2); /* it keeps its value */
    assert_int_equal(global(&r, "g"), 8);
    done(&r, 1, 7);
    assert_int_equal(global(&r, "g"), 9);
    state_assign(r.machine, r.state, undefined);
    done(&r, 1, 4); /* written before it is read */
    r.asked = 0;
    r.next_choice = 0;
    done(&r, 1, 3);
    for (unsigned i = 5; i < 8; i++) done(&r, 1, i);
    assert_int_equal(r.asked, 1); /* x */
    assert_int_equal(global(&r, "g"), 5);
    state_free(r.machine, start), state_free(r.machine, zero), state_free(r.machine, undefined);
    rig_free(&r);
}

/* A value that stays behind is chosen when it is copied: the copy must be the same. */
static void undefined_locals_move(void **state) {
    (void)state;
    Rig r =
        rig("global g : bv32 = 0:32; object o : global 4; thread main { local x : bv32; local y : bv32; local z : bv32;"
            "  a { do x := undefined; y := x; z := y; goto b; }"          /* moves */
            "  b { do x := z; goto c; } c { do g := (add x z); goto d; }" /* a copy: z is read again */
            "  d { do x := undefined; goto e; } e { do store [o] := x; goto f; }"
            "  f { do g := load [o]; goto h; } h { do g := load [o]; goto i; }"
            "  i { do x := undefined; store [o] := x; y := x; goto j; } j { do g := y; z := load [o]; g := (sub g z); goto k; } k end; }");
    done(&r, 1, 0);
    assert_int_equal(r.asked, 0);
    r.next_choice = 4;
    done(&r, 1, 1);
    assert_int_equal(r.asked, 1);
    r.next_choice = 9;
    done(&r, 1, 2);
    assert_int_equal(global(&r, "g"), 8);
    assert_int_equal(r.asked, 1);
    done(&r, 1, 3);
    done(&r, 1, 4);
    assert_int_equal(r.asked, 1);
    done(&r, 1, 5);
    assert_int_equal(r.asked, 2);
    assert_int_equal(global(&r, "g"), 9);
    done(&r, 1, 6);
    assert_int_equal(r.asked, 2);
    done(&r, 1, 7);
    done(&r, 1, 8);
    assert_int_equal(r.asked, 3);
    assert_int_equal(global(&r, "g"), 0);
    rig_free(&r);
}

/* A struct of two and four bytes with padding between, copied as one word. */
static void padding_is_taken_along(void **state) {
    (void)state;
    Rig r = rig("global g : bv64 = 0:64; object to : global 8;"
                "thread main { local w : bv64; local v : bv64; local whole : bv64; object s : local 8; object t : local 8;"
                "  a { do alive s; alive t; store [s] := 513:16; store [(add s 4:64)] := 67305985:32; goto b; }"
                "  b { do w := load [s]; goto c; } c { do v := w; store [t] := v; goto d; }"
                "  d { do v := load [t]; store [to] := v; goto e; }"
                "  e { do g := load [to]; goto f; } f { do g := load [to]; goto h; }"
                "  h { do alive s; v := load [s]; store [t] := v; goto i; } i end; }");
    for (unsigned i = 0; i < 4; i++) done(&r, 1, i);
    assert_int_equal(r.asked, 0);
    r.next_choice = 0xbbaa;
    done(&r, 1, 4);
    assert_int_equal(r.asked, 1);
    assert_int_equal(r.last_sort->width, 16);
    assert_int_equal(global(&r, "g"), 0x04030201bbaa0201);
    done(&r, 1, 5);
    assert_int_equal(r.asked, 1);
    done(&r, 1, 6); /* wholly undefined */
    assert_int_equal(r.asked, 1);
    rig_free(&r);
}

/* An undefined byte is copied from s to t to the heap, by way of a local and by COPY; then all are read. */
static bool copies_differ(unsigned first, unsigned second, unsigned third) {
    Rig r = rig("global g : bv8 = 0:8; object h : heap; global p : bv64 = 0:64;"
                "thread main { local w : bv16; object s : local 4; object t : local 4;"
                "  a { do alive s; alive t; store [s] := 1:8; goto b; } b { do w := load [s]; store [(add t 2:64)] := w; goto c; }"
                "  c { do p := alloc h size 8:64; copy [(add p 4:64)] := [t] size 4:64; goto d; }"
                "  d { do g := load [(add s 1:64)]; goto e; } e { do g := load [(add t 3:64)]; goto f; }"
                "  f { do g := load [(add p 7:64)]; goto i; }"
                "  i { do alive s; goto j; } j { do g := load [(add s 1:64)]; goto k; } k end; }");
    machine_watch_copies(r.machine);
    for (unsigned i = 0; i < 3; i++) done(&r, 1, i);
    assert_int_equal(r.asked, 0);
    unsigned values[] = {first, second, third};
    for (unsigned i = 0; i < 3; i++) {
        r.next_choice = values[i];
        done(&r, 1, 3 + i);
        assert_int_equal(r.asked, i + 1);
    }
    bool differ = machine_copies_differ(r.machine);
    r.next_choice = 99; /* a new life, a new value */
    done(&r, 1, 6);
    done(&r, 1, 7);
    assert_int_equal(machine_copies_differ(r.machine), differ);
    rig_free(&r);
    return differ;
}

static void copies_have_one_value(void **state) {
    (void)state;
    assert_false(copies_differ(7, 7, 7));
    assert_true(copies_differ(7, 8, 7));
    assert_true(copies_differ(7, 7, 8));
}

static void undefined_of_all_sorts(void **state) {
    (void)state;
    Rig r = rig("global n : bv32 = 0:32; object h : heap; global p : bv64 = 0:64;"
                "thread main { local b : bool; local i : int; local a : array(bv8,bv8); local five : bv5; local wide : bv128; local m : "
                "bv32; object o : local 1;"
                "  s { do b := undefined; i := undefined; a := undefined; five := undefined; wide := undefined; m := undefined; goto t; }"
                "  t { when b goto u; } u { when (= i 1) goto v; } v { when (= (select a 3:8) 1:8) goto w; }"
                "  w { when (and (= five 1:5) (= five 1:5)) goto x; } x { when (= wide 1:128) goto y; }"
                "  y { do n := trylock m; unlock m; goto z; } z { do p := alloc h size 8:64; free [p]; p := 0:64; goto q; }"
                "  q { do alive o; five := undefined; store [o] := five; goto k; } k end; }"
                "thread w { local x : bv64; s { do result := undefined; x := argument; goto e; } e end; }");
    r.next_choice = 1;
    done(&r, 1, 0);
    assert_int_equal(r.asked, 0);
    for (unsigned i = 1; i < 6; i++) {
        done(&r, 1, i);
        assert_int_equal(r.asked, i);
    }
    done(&r, 1, 6);
    assert_int_equal(r.asked, 6);
    assert_int_equal(global(&r, "n"), 16); /* 1: this thread owns it */
    done(&r, 1, 7);
    done(&r, 1, 8); /* part of a byte cannot stay undefined in memory */
    assert_int_equal(r.asked, 7);
    assert_int_equal(r.last_sort->width, 5);
    rig_free(&r);
}

typedef struct Script {
    const int *numbers;
    size_t next;
} Script;

static u128 next_number(void *context, const Choice *c) {
    Script *s = context;
    (void)c;
    return (u128)(i128)s->numbers[s->next++];
}

/* The element everywhere else, how many entries, these; a later entry for the same index counts. */
static void arrays_of_any_contents(void **state) {
    (void)state;
    static const int initial[] = {/* x */ 7, /* a */ 5, 3, -1, 6, 2, 8, 2, 9, /* f */ 1, 0, 1, 4, 2, 1, 1, 3};
    static const int given[] = {/* x */ -4, /* b; what is too large for a sort is cut */ 0, 1, 300, 3};
    Program *p = program_of("global x : int; global a : array(int,int); global f : array(bv8,array(bool,int)); global b : array(bv8,bool) "
                            "= (const-array array(bv8,bool) false);"
                            "thread main { s { do x := any; b := any; goto t; }"
                            "  t { when (and (= (select a 2) 9) (= (select a -1) 6) (= (select a 3) 5) (= (select (select f 4:8) true) 3) "
                            "(= (select (select f 4:8) false) 2)"
                            "        (= (select (select f 5:8) true) 1) (select b 44:8) (not (select b 0:8)) (= x -4)) goto u; } u end; }");
    Machine *m = machine_new(p, (MachineRules){0});
    Script start = {.numbers = initial}, step = {.numbers = given};
    State *s = state_initial(m, &(Chooser){next_number, &start});
    assert_int_equal(start.next, sizeof initial / sizeof *initial);
    assert_int_equal(machine_step(m, s, 1, 0, &(Chooser){next_number, &step}, NULL).status, STEP_DONE);
    assert_int_equal(step.next, sizeof given / sizeof *given);
    assert_int_equal(machine_step(m, s, 1, 1, NULL, NULL).status, STEP_DONE);
    state_free(m, s);
    machine_free(m);
    program_free(p);
}

static void freed_places_come_back(void **state) {
    (void)state;
    Rig r = rig("object h : heap; global p : bv64 = 0:64; global q : bv64 = 0:64; global k : bv64 = 0:64;"
                "thread main { a { do p := alloc h size 8:64; k := p; goto b; } b { do free [p]; goto c; }"
                "  c { do q := alloc h size 8:64; goto d; } d { do p := 0:64; k := 0:64; goto e; } e { do free [q]; goto f; }"
                "  f { do q := 0:64; goto g; } g { do q := alloc h size 8:64; goto i; } i end; }");
    done(&r, 1, 0);
    done(&r, 1, 1);
    State *there = state_copy(r.machine, r.state);
    r.next_choice = 0; /* fresh: not where p still points */
    done(&r, 1, 2);
    assert_int_equal(r.last_count, 2);
    assert_int_not_equal(global(&r, "q"), global(&r, "p"));
    state_assign(r.machine, r.state, there);
    r.next_choice = 1; /* the same place */
    done(&r, 1, 2);
    assert_int_equal(global(&r, "q"), global(&r, "p"));
    uint64_t first = global(&r, "q");
    unsigned asked = r.asked;
    for (unsigned i = 3; i < 7; i++) done(&r, 1, i);
    assert_int_equal(r.asked, asked); /* nothing points there any more: it is as good as new */
    assert_int_equal(global(&r, "q"), first);
    state_free(r.machine, there);
    rig_free(&r);
}

/* ---- mutex words ---- */

static void mutex_words(void **state) {
    (void)state;
    Rig r = rig("object m : global 4; global e : bv32 = 77:32;"
                "thread main { local t : bv32; s { do t := create w (0:64); goto l; }"
                "  l { do e := lock [m]; goto l; do e := trylock [m]; goto l; do e := unlock [m]; goto l;"
                "      do store [m] := 268435456:32; goto l; do store [m] := 536870912:32; goto l; do e := lock [0:64]; goto l; } }"
                "thread w { l { do e := lock [m]; goto l; do e := trylock [m]; goto l; do e := unlock [m]; goto l; } }");
    enum { LOCK = 1, TRY, UNLOCK, RECURSIVE, CHECKED, NOWHERE, W_LOCK = 0, W_TRY, W_UNLOCK };
    done(&r, 1, 0);
    done(&r, 1, LOCK);
    assert_int_equal(global(&r, "e"), 0);
    StepResult s = step(&r, 1, LOCK); /* normal: waits for itself */
    assert_true(s.status == STEP_DISABLED && s.blocked && s.blocker == 1);
    s = step(&r, 2, W_LOCK);
    assert_true(s.status == STEP_DISABLED && s.blocked && s.blocker == 1);
    done(&r, 2, W_TRY);
    assert_int_equal(global(&r, "e"), 16);
    done(&r, 1, TRY);
    assert_int_equal(global(&r, "e"), 16);
    done(&r, 2, W_UNLOCK); /* anyone may unlock a normal one */
    assert_int_equal(global(&r, "e"), 0);
    done(&r, 2, W_LOCK);
    done(&r, 2, W_UNLOCK);
    done(&r, 1, RECURSIVE);
    for (unsigned i = 0; i < 3; i++) done(&r, 1, i % 2 ? TRY : LOCK);
    done(&r, 2, W_UNLOCK);
    assert_int_equal(global(&r, "e"), 1);
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(step(&r, 2, W_LOCK).status, STEP_DISABLED);
        done(&r, 1, UNLOCK);
    }
    done(&r, 2, W_LOCK);
    done(&r, 2, W_UNLOCK);
    done(&r, 1, CHECKED);
    done(&r, 1, LOCK);
    done(&r, 1, LOCK);
    assert_int_equal(global(&r, "e"), 35);
    done(&r, 2, W_UNLOCK);
    assert_int_equal(global(&r, "e"), 1);
    faults(&r, 1, NOWHERE, FAULT_NULL);
    rig_free(&r);
}

/* ---- threads ---- */

static void threads(void **state) {
    (void)state;
    Rig r = rig("global x : bv64 = 0:64; object tls : thread 4 = \"2a\"; object lock : global 4;"
                "thread main { local t : bv32;"
                "  a { do t := create w (9:64); goto b; do x := join (7:32); goto a; do x := join (1:32); goto a; }"
                "  b atomic { do x := 1:64; goto c; } c { do x := join (t); goto d; } d { do store [tls] := 1:32; goto e; } e halt; }"
                "thread w { local argument : bv64 argument; local result : bv64 result; local v : bv32;"
                "  a { do x := argument; v := load [tls]; result := (add argument (zext 64 v)); goto b; } b end; }");
    faults(&r, 1, 1, FAULT_THREAD);
    assert_true(step(&r, 1, 2).blocked); /* itself */
    done(&r, 1, 0);
    assert_int_equal(state_atomic_thread(r.machine, r.state), 1);
    StepResult s = step(&r, 2, 0);
    assert_true(s.status == STEP_DISABLED && s.blocked && s.blocker == 1);
    done(&r, 1, 3);
    s = step(&r, 1, 4);
    assert_true(s.status == STEP_DISABLED && s.blocked && s.blocker == 2);
    done(&r, 2, 0);
    assert_true(state_ended(r.machine, r.state, 2));
    assert_int_equal(global(&r, "x"), 9);
    done(&r, 1, 4);
    assert_int_equal(global(&r, "x"), 51);
    done(&r, 1, 5);
    assert_true(state_halted(r.machine, r.state));
    rig_free(&r);
}

/* ---- encodings ---- */

static uint8_t **kept; /* the components, number - 1 */
static size_t *kept_sizes;

static uint32_t keep(void *context, const void *bytes, size_t size) {
    (void)context;
    for (size_t i = 0; i < vec_len(kept); i++)
        if (kept_sizes[i] == size && (size == 0 || !memcmp(kept[i], bytes, size))) return (uint32_t)i + 1;
    uint8_t *copy = malloc(size + 1);
    if (size) memcpy(copy, bytes, size);
    vec_push(kept, copy);
    vec_push(kept_sizes, size);
    return (uint32_t)vec_len(kept);
}

static const void *kept_one(void *context, uint32_t id, size_t *size) {
    (void)context;
    *size = kept_sizes[id - 1];
    return kept[id - 1];
}

static const char busy_program[] =
    "object h : heap; object big : global 2000; object arr : global 16; global x : bv8 = 0:8; global p : bv64 = 0:64;"
    "global wide : bv128 = 0:128; global table : array(bv8,bv8) = (const-array array(bv8,bv8) 0:8);"
    "thread main { local t : bv32; object l : local 600; object s : local 9;"
    "  a { do t := create w (3:64); goto a2; } a2 { do t := create v (3:64); goto a3; } a3 { do t := create u (0:64); goto b; }"
    "  b { do alive l; alive s; store [(add s 3:64)] := x; goto c; do p := alloc h size 24:64; goto b; do free [p]; goto b;"
    "      do p := 0:64; goto b; }"
    "  c { do dead l; dead s; wide := (add wide 1:128); goto b; do store [(add big (zext 64 x))] := 1:8; goto c; } }"
    "thread w { local i : bv8; a { do i := any; goto b; } b { do x := i; table := (store table i 7:8); goto a; when (= i 0:8) goto e; } e "
    "end; }"
    "thread v { local j : bv64; object o : local 300; a { do alive o; j := p; goto b; } b { do store [o] := j; goto c; when (= x 0:8) goto "
    "e; }"
    "  c { do store [j] := 5:8; goto a; when (= j 0:64) do dead o; goto a; } e end; }"
    "thread u { local i : bv64; local k : bv16; local n : bool; a { do i := undefined; n := undefined; goto b; }"
    "  b { when n do store [arr] := i; goto c; when (not n) do k := (extract 0 16 i); goto d; }"
    "  c { do k := load [(add arr 6:64)]; goto d; } d { do store [arr] := k; goto a; when (= k 1:16) goto e; } e end; }";

static void encodings_round_trip(void **state) {
    (void)state;
    Rig r = rig(busy_program);
    ComponentStore store = {keep, kept_one, NULL};
    State *other = state_initial(r.machine, NULL), *third = state_initial(r.machine, NULL);
    uint32_t *tuple = NULL, *tuples[64] = {NULL};
    for (unsigned i = 0; i < 3000; i++) {
        unsigned thread = 1 + (unsigned)(random_word() % state_threads(r.state));
        const Template *t = r.program->templates[state_template(r.state, thread)];
        r.next_choice = random_word() % 3;
        step(&r, thread, (unsigned)(random_word() % vec_len(t->actions)));
        Buf one = {0}, two = {0}, three = {0};
        state_encode(r.machine, r.state, &one);
        state_decode(r.machine, other, one.text, one.length);
        state_encode(r.machine, other, &two);
        assert_int_equal(one.length, two.length);
        assert_memory_equal(one.text, two.text, one.length);
        vec_resize(tuple, state_tuple_length(r.state));
        state_to_tuple(r.machine, r.state, &store, tuple);
        state_from_tuple(r.machine, third, &store, tuple, vec_len(tuple));
        state_encode(r.machine, third, &three);
        assert_int_equal(one.length, three.length);
        assert_memory_equal(one.text, three.text, one.length);
        buf_free(&one), buf_free(&two), buf_free(&three);
        unsigned k = (unsigned)(random_word() % 64); /* now and then back to an old state */
        if (i % 7 == 0 && tuples[k]) {
            state_from_tuple(r.machine, r.state, &store, tuples[k], vec_len(tuples[k]));
        } else {
            vec_free(tuples[k]);
            for (size_t j = 0; j < vec_len(tuple); j++) vec_push(tuples[k], tuple[j]);
        }
    }
    for (unsigned k = 0; k < 64; k++) vec_free(tuples[k]);
    vec_free(tuple);
    for (size_t i = 0; i < vec_len(kept); i++) free(kept[i]);
    vec_free(kept);
    vec_free(kept_sizes);
    state_free(r.machine, other);
    state_free(r.machine, third);
    rig_free(&r);
}

static void dead_locals_do_not_count(void **state) {
    (void)state;
    Rig r = rig("global x : bv8 = 0:8; thread main { local a : bv8; local b : bv8;"
                "  s { do a := any; b := a; goto t; } t { do x := b; goto u; } u { do x := 0:8; goto s; } }");
    Buf zero = {0}, one = {0};
    state_encode(r.machine, r.state, &zero);
    r.next_choice = 200;
    for (unsigned i = 0; i < 3; i++) done(&r, 1, i);
    state_encode(r.machine, r.state, &one);
    assert_int_equal(zero.length, one.length);
    assert_memory_equal(zero.text, one.text, one.length);
    buf_free(&zero), buf_free(&one);
    rig_free(&r);
}

/* ---- footprints ---- */

static void footprints(void **state) {
    (void)state;
    Rig r = rig("global x : bv8 = 0:8; global y : bv8 = 0:8; object o : global 8;"
                "thread main { local a : bv8; s { do x := y; goto s; do store [o] := 1:8; goto s; do a := load [(add o 4:64)]; goto s;"
                "  when (= x 1:8) goto s; do a := 1:8; goto s; } }");
    Footprint f[5];
    for (unsigned i = 0; i < 5; i++) {
        f[i] = (Footprint){0, 0};
        machine_track(r.machine, &f[i]);
        step(&r, 1, i);
    }
    machine_track(r.machine, NULL);
    assert_true(f[0].read && f[0].write);
    assert_true(footprints_conflict(f[0], f[3])); /* though it is disabled */
    assert_false(footprints_conflict(f[0], f[1]));
    assert_false(footprints_conflict(f[1], f[2]));
    assert_false(footprints_conflict(f[1], f[0]));
    assert_true(footprints_conflict(f[1], f[1]));
    assert_false(f[4].read || f[4].write);
    rig_free(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operators),
        cmocka_unit_test(lazy_operators),
        cmocka_unit_test(failed_steps_leave_nothing),
        cmocka_unit_test(memory_faults),
        cmocka_unit_test(undefined_bytes_are_chosen_once),
        cmocka_unit_test(undefined_locals_are_chosen_when_read),
        cmocka_unit_test(undefined_locals_move),
        cmocka_unit_test(padding_is_taken_along),
        cmocka_unit_test(copies_have_one_value),
        cmocka_unit_test(undefined_of_all_sorts),
        cmocka_unit_test(arrays_of_any_contents),
        cmocka_unit_test(freed_places_come_back),
        cmocka_unit_test(mutex_words),
        cmocka_unit_test(threads),
        cmocka_unit_test(encodings_round_trip),
        cmocka_unit_test(dead_locals_do_not_count),
        cmocka_unit_test(footprints),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
