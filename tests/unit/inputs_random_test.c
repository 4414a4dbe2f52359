/* SPDX-License-Identifier: Apache-2.0 */
/* Few values of an input stand for all: random programs over an input of 3 to 8 bits reach the same errors and faults with those values as with
   every value. SEED and ROUNDS in the environment change what is tried. */
#include "explore.h"
#include "engine/explicit/values.h"
#include "random_program.h"

/* Locals: a is the input, b and c are wider, d is as wide as a, e too; g is a global, as wide as b. */
typedef struct Maker {
    Dice dice;
    Buf *out;
    unsigned narrow, wide;
    enum { COPIES, REMAINDERS, MIXED } style;
    const char *rest; /* of REMAINDERS: the operator, and by what */
    unsigned by;
} Maker;

static const char *choice_of(Maker *m, const char *const *list, unsigned n) { return list[roll(&m->dice, n)]; }

static void term(Maker *m, bool wide) {
    static const char *const narrow_names[] = {"a", "a", "d"}, *const wide_names[] = {"b", "c", "b", "c", "g"},
                             *const rest[] = {"urem", "srem"};
    unsigned w = wide ? m->wide : m->narrow;
    const char *name = wide ? choice_of(m, wide_names, 5) : choice_of(m, narrow_names, 3);
    if (m->style == COPIES) {
        buf_text(m->out, name);
        return;
    }
    if (m->style == REMAINDERS) {
        buf_printf(m->out, "(%s %s %u:%u)", m->rest, name, m->by, w);
        return;
    }
    switch (roll(&m->dice, 9)) {
    case 0:
    case 1:
    case 2: buf_printf(m->out, "(%s %s %u:%u)", choice_of(m, rest, 2), name, 2 + roll(&m->dice, 3), w); return;
    case 3:
        if (wide) buf_printf(m->out, "(%s %u a)", roll(&m->dice, 2) ? "zext" : "sext", w);
        else buf_printf(m->out, "(add %s 1:%u)", name, w);
        return;
    default: buf_text(m->out, name);
    }
}

static void comparison(Maker *m) {
    static const char *const orders[] = {"=", "=", "ult", "ule", "slt", "sle"};
    bool wide = roll(&m->dice, 2), first = roll(&m->dice, 2);
    unsigned w = wide ? m->wide : m->narrow;
    int c = (int)roll(&m->dice, 1u << m->narrow) - (roll(&m->dice, 3) ? 0 : 1 << (m->narrow - 1));
    buf_printf(m->out, "(%s ", choice_of(m, orders, 6));
    if (!first) buf_printf(m->out, "%d:%u ", c, w);
    term(m, wide);
    if (first) buf_printf(m->out, " %d:%u", c, w);
    buf_char(m->out, ')');
}

static void condition(Maker *m, unsigned depth) {
    static const char *const joins[] = {"and", "or"};
    if (!depth || roll(&m->dice, 3) == 0) {
        comparison(m);
    } else if (roll(&m->dice, 4) == 0) {
        buf_text(m->out, "(not "), condition(m, depth - 1), buf_char(m->out, ')');
    } else {
        buf_printf(m->out, "(%s ", choice_of(m, joins, 2));
        condition(m, depth - 1), buf_char(m->out, ' '), condition(m, depth - 1), buf_char(m->out, ')');
    }
}

static void step(Maker *m) {
    unsigned r = m->style == MIXED ? roll(&m->dice, 10) : roll(&m->dice, 3) ? 9 : roll(&m->dice, 2);
    if (r < 2) buf_text(m->out, "assume "), condition(m, 1), buf_text(m->out, "; ");
    else if (r < 4) buf_text(m->out, roll(&m->dice, 2) ? "b := " : "c := "), term(m, true), buf_text(m->out, "; ");
    else if (r < 5) buf_text(m->out, "d := "), term(m, false), buf_text(m->out, "; ");
    else if (r < 6) buf_text(m->out, "g := "), term(m, true), buf_text(m->out, "; ");
    else if (r < 7) buf_text(m->out, "a := "), term(m, false), buf_text(m->out, "; ");
    else if (r < 8) buf_text(m->out, "h := create worker ((zext 64 a)); ");
    else buf_printf(m->out, "%c := (%s %u a); ", roll(&m->dice, 2) ? 'b' : 'c', roll(&m->dice, 2) ? "zext" : "sext", m->wide);
}

static void make_program(Maker *m) {
    Buf *o = m->out;
    unsigned n = 2 + roll(&m->dice, 3), w = m->narrow;
    buf_printf(o, "global g : bv%u = 0:%u;\nglobal y : bv2 = 0:2;\nglobal z : bv2 = 0:2;\n", m->wide, m->wide);
    buf_printf(o, "thread main {\n  local a : bv%u; local b : bv%u; local c : bv%u; local d : bv%u; local h : bv32; local r : bv64;\n", w,
               m->wide, m->wide, w);
    buf_printf(o, "  start { do b := 0:%u; c := 0:%u; d := 0:%u; h := 1:32; a := any; d := a; ", m->wide, m->wide, w);
    if (m->style != MIXED)
        buf_printf(o, "b := (%s %u a); c := (%s %u a); ", roll(&m->dice, 2) ? "zext" : "sext", m->wide, roll(&m->dice, 2) ? "zext" : "sext",
                   m->wide);
    for (unsigned k = roll(&m->dice, 3); k; k--) step(m);
    buf_text(o, "goto l0; }\n");
    for (unsigned i = 0; i < n; i++) {
        buf_printf(o, "  l%u { when ", i), condition(m, 2), buf_text(o, " goto bad; when "), condition(m, 1), buf_text(o, " do ");
        step(m);
        buf_printf(o, "goto l%u; do ", i + 1 + roll(&m->dice, n - i));
        step(m);
        buf_printf(o, "goto l%u; }\n", i + 1);
    }
    buf_printf(o,
               "  l%u end;\n  bad error;\n}\nthread worker count 8 {\n  local a : bv%u; local b : bv%u; local c : bv%u; local d : bv%u;\n",
               n, w, m->wide, m->wide, w);
    buf_printf(o, "  start { do a := (extract 0 %u argument); b := (extract 0 %u argument); c := b; d := a; goto l0; }\n", w, m->wide);
    buf_text(o, "  l0 { when "), condition(m, 1), buf_text(o, " goto bad; goto l1; }\n  l1 end;\n  bad error;\n}\n");
}

/* The values to try: those that stand for all, or all. */
typedef struct Tried {
    const Instr *havoc;
    u128 *few, *all; /* vecs */
    bool use_few;
} Tried;

static const u128 *tried(void *context, const Choice *c) {
    const Tried *t = context;
    return c->instr == t->havoc ? t->use_few ? t->few : t->all : NULL;
}

static const Instr *find_havoc(const Program *p) {
    const Template *t = p->templates[0];
    for (size_t a = 0; a < vec_len(t->actions); a++)
        for (size_t i = 0; i < vec_len(t->actions[a].instrs); i++)
            if (t->actions[a].instrs[i].kind == INSTR_HAVOC) return &t->actions[a].instrs[i];
    fail_msg("no input");
    return NULL;
}

/* True if both were explored. */
static bool compare(const char *text, unsigned width, bool by_flow, unsigned *fewer) {
    Program *p = program_of(text);
    Tried t = {.havoc = find_havoc(p)};
    Seen all = {0}, few = {0};
    bool found = by_flow ? values_by_flow(p, t.havoc->target, &t.few) : values_by_range(p, t.havoc, &t.few);
    for (u128 v = 0; v < (u128)1 << width; v++) vec_push(t.all, v);
    if (found && !vec_len(t.few)) vec_push(t.few, 0); /* it does not matter */
    if (found) {
        *fewer += vec_len(t.few) < vec_len(t.all);
        explore_with(p, &all, tried, &t);
        t.use_few = true;
        explore_with(p, &few, tried, &t);
        found = all.complete && few.complete;
        bool same = all.error == few.error && !memcmp(all.faults, few.faults, sizeof all.faults);
        if (found && !same) fail_msg("%s: some values are missing:\n%s", by_flow ? "flow" : "range", text);
    }
    vec_free(t.few);
    vec_free(t.all);
    program_free(p);
    return found;
}

static unsigned setting(const char *name, unsigned otherwise) { return getenv(name) ? (unsigned)atoi(getenv(name)) : otherwise; }

static void few_stand_for_all(void **state) {
    (void)state;
    unsigned rounds = setting("ROUNDS", 1500), compared[2] = {0}, fewer[2] = {0};
    for (uint64_t i = setting("SEED", 1) * UINT64_C(1000000), end = i + rounds; i < end; i++) {
        Buf text = {0};
        Maker m = {.dice = {.state = i * UINT64_C(0x9e3779b97f4a7c15) + 7}, .out = &text};
        m.narrow = 3 + roll(&m.dice, 6);
        m.style = roll(&m.dice, 3);
        m.rest = roll(&m.dice, 2) ? "urem" : "srem";
        m.by = 2 + roll(&m.dice, (1u << (m.narrow - 1)) - 2);
        m.wide = m.narrow + 1 + roll(&m.dice, 4);
        make_program(&m);
        for (unsigned k = 0; k < 2; k++) compared[k] += compare(buf_string(&text), m.narrow, k == 0, &fewer[k]);
        buf_free(&text);
    }
    print_message("of %u programs, by flow %u (%u with fewer values), by range %u (%u)\n", rounds, compared[0], fewer[0], compared[1],
                  fewer[1]);
    assert_true(fewer[0] > rounds / 30 && fewer[1] > rounds / 30);
}

/* ---- equality ---- */

static char variable_of(Maker *m) { return "abcdg"[roll(&m->dice, 5)]; }

static void operand(Maker *m) {
    unsigned r = roll(&m->dice, 12);
    if (r < 2) buf_printf(m->out, "%u:%u", roll(&m->dice, 1u << m->narrow), m->narrow);
    else if (r == 2) buf_printf(m->out, "(ite (= %c %c) %c %c)", variable_of(m), variable_of(m), variable_of(m), variable_of(m));
    else if (r == 3 && m->style == MIXED) buf_printf(m->out, "(add e 1:%u)", m->narrow);
    else buf_char(m->out, variable_of(m));
}

static void equation(Maker *m) {
    buf_text(m->out, roll(&m->dice, 2) ? "(not (= " : "(and true (= ");
    operand(m), buf_char(m->out, ' '), operand(m);
    buf_text(m->out, "))");
}

static void equal_step(Maker *m) {
    unsigned r = roll(&m->dice, 10);
    if (r < 3) buf_printf(m->out, "%c := any; ", variable_of(m));
    else if (r < 4) buf_text(m->out, "assume "), equation(m), buf_text(m->out, "; ");
    else buf_printf(m->out, "%c := ", variable_of(m)), operand(m), buf_text(m->out, "; ");
}

static void make_equal_program(Maker *m) {
    unsigned n = 3 + roll(&m->dice, 3), w = m->narrow;
    buf_printf(
        m->out,
        "global g : bv%u = 1:%u;\nthread main {\n  local a : bv%u; local b : bv%u; local c : bv%u; local d : bv%u; local e : bv%u;\n", w, w,
        w, w, w, w, w);
    buf_printf(m->out, "  start { do a := any; b := a; c := 0:%u; d := 2:%u; e := 3:%u; goto l0; }\n", w, w, w);
    for (unsigned i = 0; i < n; i++) {
        buf_printf(m->out, "  l%u { when ", i), equation(m), buf_text(m->out, " do ");
        equal_step(m), equal_step(m);
        buf_printf(m->out, "goto l%u; when ", roll(&m->dice, 6) ? i + 1 : roll(&m->dice, n)), equation(m), buf_text(m->out, " do ");
        equal_step(m);
        buf_printf(m->out, "goto l%u; }\n", i + 1);
    }
    buf_printf(m->out, "  l%u { when ", n), equation(m), buf_text(m->out, " goto l99; when "), equation(m),
        buf_text(m->out, " goto bad; }\n  l99 end;\n  bad error;\n}\n");
}

/* Each input of the program gets the values that stand for all of its own. */
typedef struct Equal {
    const Program *program;
    PointsTo *pointsto;
    u128 *all, **lists; /* vecs; of lists the last is that of the last choice */
    bool few;
} Equal;

static const u128 *of_equal(void *context, const Choice *c) {
    Equal *e = context;
    u128 *values = NULL;
    if (!c->instr || c->instr->kind != INSTR_HAVOC) return NULL;
    if (!e->few || !values_by_equality(e->program, e->pointsto, c->instr, &values)) return e->all;
    vec_push(e->lists, values);
    return values;
}

static void few_are_equal_to_all(void **state) {
    (void)state;
    unsigned rounds = setting("ROUNDS", 3000) / 10, compared = 0, fewer = 0;
    for (uint64_t i = setting("SEED", 1) * UINT64_C(1000000), end = i + rounds; i < end; i++) {
        Buf text = {0};
        Maker m = {.dice = {.state = i * UINT64_C(0x9e3779b97f4a7c15) + 11}, .out = &text, .narrow = 3};
        m.style = roll(&m.dice, 4) ? COPIES : MIXED;
        make_equal_program(&m);
        Program *p = program_of(buf_string(&text));
        Equal e = {.program = p, .pointsto = pointsto_new(p)};
        Seen all = {0}, few = {0};
        for (u128 v = 0; v < 8; v++) vec_push(e.all, v);
        explore_with(p, &all, of_equal, &e);
        e.few = true;
        explore_with(p, &few, of_equal, &e);
        if (all.complete && few.complete && all.error != few.error) fail_msg("equality: some values are missing:\n%s", buf_string(&text));
        compared += all.complete && few.complete;
        for (size_t k = 0; k < vec_len(e.lists); k++) fewer += !k && vec_len(e.lists[k]) < 8;
        for (size_t k = 0; k < vec_len(e.lists); k++) vec_free(e.lists[k]);
        vec_free(e.lists);
        vec_free(e.all);
        pointsto_free(e.pointsto);
        program_free(p);
        buf_free(&text);
    }
    print_message("of %u programs, by equality %u (%u with fewer values)\n", rounds, compared, fewer);
    assert_true(fewer > rounds / 30);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(few_stand_for_all), cmocka_unit_test(few_are_equal_to_all)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
