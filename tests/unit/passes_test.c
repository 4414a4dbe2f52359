/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of passes: for all settings, what a pass requires was ensured before and not broken since; wrong orders are noticed. The driver
   stops where it is told to, and makes a system anew where variables wrap around. */
#include "ir_test.h"
#include "ir/loaded.h"
#include "passes/passes.h"
#include "passes/route.h"
#include "process/config.h"

static const PassTable *const tables[] = {&passes_loading, &passes_weak, &passes_property, &passes_building, &passes_reducing};
enum { TABLES = sizeof tables / sizeof *tables };

static PassSettings settings_of(unsigned k) {
    static const Property asked[] = {PROPERTY_UNREACH_CALL, PROPERTY_NO_DATA_RACE, PROPERTY_NO_OVERFLOW, PROPERTY_VALID_MEMSAFETY};
    static const Arithmetic arithmetics[] = {BITVECTORS, INTEGERS, CONGRUENT, WEAK};
    static Question question;
    question = (Question){.property = asked[k / 512 % 4], .unwinds = k / 8 % 2};
    return (PassSettings){.arithmetic = arithmetics[k % 4],
                          .c = k / 4 % 2,
                          .rounds = k / 16 % 2,
                          .fine = k / 32 % 2,
                          .no_reduction = k / 64 % 2,
                          .loops = k / 128 % 2,
                          .count = k / 256 % 2,
                          .question = &question};
}
enum { SETTINGS = 2048 };

static unsigned facts_after(const PassTable *t, const PassSettings *s, unsigned facts) {
    for (unsigned i = 0; i < t->n; i++)
        if (pass_applies(&t->list[i], s)) facts = (facts & ~t->list[i].breaks) | t->list[i].ensures;
    return facts;
}

static void in_order(void **state) {
    (void)state;
    for (unsigned k = 0; k < SETTINGS; k++) {
        PassSettings s = settings_of(k);
        unsigned facts = 0;
        for (unsigned t = 0; t < TABLES; t++) {
            Buf why = {0};
            facts |= tables[t]->given;
            if (!passes_in_order(tables[t], &s, facts, &why)) fail_msg("settings %u: %s", k, buf_string(&why));
            facts = facts_after(tables[t], &s, facts);
        }
        assert_true(facts & FACT_BLOCKS && facts & FACT_MOVERS && facts & FACT_SYSTEM);
        assert_int_equal(!(facts & FACT_WHOLE), s.rounds != 0);
    }
}

/* Any two neighbours of which the second requires what the first ensures, exchanged. */
static void wrong_order(void **state) {
    (void)state;
    PassSettings s = {.arithmetic = WEAK};
    unsigned wrong = 0;
    for (unsigned i = 0; i + 1 < passes_building.n; i++) {
        Pass list[64];
        for (unsigned k = 0; k < passes_building.n; k++) list[k] = passes_building.list[k];
        if (!(list[i].ensures & list[i + 1].requires) || !pass_applies(&list[i], &s) || !pass_applies(&list[i + 1], &s)) continue;
        Pass first = list[i];
        list[i] = list[i + 1];
        list[i + 1] = first;
        PassTable table = {"exchanged", list, passes_building.n, passes_building.given};
        Buf why = {0};
        wrong++;
        if (passes_in_order(&table, &s, table.given, &why)) fail_msg("%s may come before %s", list[i].name, first.name);
        assert_non_null(strstr(buf_string(&why), "[H0701]"));
        buf_free(&why);
    }
    assert_true(wrong >= 5);
}

/* Names are for --dump-after: each is once in all tables, and what a pass leads back to is before it. */
static void names(void **state) {
    (void)state;
    for (unsigned t = 0; t < TABLES; t++)
        for (unsigned i = 0; i < tables[t]->n; i++) {
            const Pass *x = &tables[t]->list[i];
            for (unsigned u = 0; u < TABLES; u++) assert_ptr_equal(pass_named(tables[u], x->name), u == t ? x : NULL);
            assert_int_equal(x->applies == NULL, x->when == NULL);
            if (x->back) assert_true(pass_named(tables[t], x->back) < x);
        }
}

/* ---- the driver ---- */

static const char sums[] = "global a : bv32 = 0:32;\nglobal b : bv32 = 0:32;\n"
                           "thread main { local t : bv32;\n"
                           "  l0 { do t := create w (0:64); goto l1; }\n"
                           "  l1 { do b := any; goto l2; }\n"
                           "  l2 { do a := (add a b); goto l3; }\n"
                           "  l3 { when (ult a b) goto l2; when (not (ult a b)) goto l4; }\n"
                           "  l4 { when (= a 7:32) goto bad; when (not (= a 7:32)) goto done; }\n"
                           "  bad error \"seven\";\n"
                           "  done end; }\n"
                           "thread w { l0 { do a := (add a 3000000000:32); goto l1; } l1 end; }\n";

typedef struct Seen {
    unsigned built, fused;
    const char *last;
} Seen;

static void note(void *context, const Pass *x, const Chain *p) {
    Seen *s = context;
    (void)p;
    s->built += !strcmp(x->name, "build-integers");
    s->fused += !strcmp(x->name, "merge-transitions");
    s->last = x->name;
}

static Seen run(Arithmetic a, const char *last, Chain *p) {
    Seen seen = {0};
    Program *original = program_of(sums);
    *p = chain_new(original, (PassSettings){.arithmetic = a});
    p->after = note;
    p->context = &seen;
    assert_true(passes_run(p, &passes_building, last));
    program_free(original);
    return seen;
}

static void stops(void **state) {
    (void)state;
    Chain p;
    assert_string_equal(run(INTEGERS, "instantiate-threads", &p).last, "instantiate-threads");
    assert_null(p.system);
    chain_free(&p);
    assert_string_equal(run(INTEGERS, "build-integers", &p).last, "build-integers");
    assert_true(p.facts & FACT_FINE && !p.system->fine);
    chain_free(&p);
    assert_string_equal(run(INTEGERS, NULL, &p).last, "cut-tails");
    assert_false(p.facts & FACT_FINE);
    chain_free(&p);
}

static void made_anew(void **state) {
    (void)state;
    Chain p;
    Seen seen = run(CONGRUENT, NULL, &p);
    assert_true(p.rebuilds >= 1);
    assert_int_equal(seen.built, p.rebuilds + 1);
    assert_int_equal(seen.fused, p.rebuilds + 1);
    assert_string_equal(seen.last, "prophecy-indices");
    bool congruent = false;
    for (size_t i = 0; i < vec_len(p.program->globals); i++) congruent |= p.program->globals[i]->congruent;
    assert_true(congruent);
    chain_free(&p);
    assert_string_equal(run(CONGRUENT, "merge-transitions", &p).last, "merge-transitions"); /* for the first time */
    assert_false(p.rebuilds);
    chain_free(&p);
}

/* What is passed on at the borders of modules is refused if it is broken. */
static void broken_values(void **state) {
    (void)state;
    Program *p = program_of("thread main { l0 { goto l1; } l1 end; }");
    Known known = {0};
    Question q = {.known = &known};
    Route r = route_new(p, &q, (PassSettings){0});
    assert_true(known_valid(&known) && question_valid(&q) && route_valid(&r));
    for (int i = 0; i <= MOST_KNOWN; i++) vec_push(known.list, (KnownViolation){0});
    assert_false(known_valid(&known) || question_valid(&q) || route_valid(&r));
    known_free(&known);
    assert_false(question_valid(&(Question){.property = (Property)NPROPERTIES}));
    assert_false(question_valid(&(Question){.others = 1u << NPROPERTIES}));
    r = route_new(p, &(Question){0}, (PassSettings){0});
    r.errors.refused = true;
    assert_false(route_valid(&r));
    Chain chain = chain_new(p, (PassSettings){0});
    assert_true(chain_valid(&chain) && translation_valid(chain.translation, p));
    vec_clear(chain.translation->actions[0]);
    assert_false(translation_valid(chain.translation, p));
    Program *made = chain.program;
    chain.program = NULL;
    assert_false(chain_valid(&chain));
    chain.program = made;
    chain.facts = 1u << FACTS;
    assert_false(chain_valid(&chain));
    chain_free(&chain);
    assert_false(loaded_valid(&(Loaded){0}) || loaded_valid(&(Loaded){.program = p, .native = ""}));
    Config c = {.timeout = 1, .memory = 1, .jobs = 1, .processors = 1};
    assert_true(config_valid(&c));
    c.processors = 0;
    assert_false(config_valid(&c));
    program_free(p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(in_order), cmocka_unit_test(wrong_order), cmocka_unit_test(names),
        cmocka_unit_test(stops),    cmocka_unit_test(made_anew),   cmocka_unit_test(broken_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
