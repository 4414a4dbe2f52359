/* SPDX-License-Identifier: Apache-2.0 */
/* The table of omissions: each pass has a row, and each check refuses a claim that is wrong. */
#include "check/omissions.h"
#include "ir_test.h"
#include "passes/passes.h"

static const PassTable *const tables[] = {&passes_loading, &passes_weak, &passes_property, &passes_building, &passes_reducing};
enum { TABLES = sizeof tables / sizeof *tables };

static bool has_pass(const char *name) {
    for (unsigned t = 0; t < TABLES; t++)
        for (unsigned i = 0; i < tables[t]->n; i++)
            if (!strcmp(tables[t]->list[i].name, name)) return true;
    return false;
}

static void each_pass_has_a_row(void **state) {
    (void)state;
    for (unsigned t = 0; t < TABLES; t++)
        for (unsigned i = 0; i < tables[t]->n; i++) {
            const char *name = tables[t]->list[i].name;
            bool omits = omission_of_pass(name) != OMISSION_KINDS, adds = omission_adds_only(name);
            if (omits == adds) fail_msg("the pass %s has %s row in omissions.def", name, omits ? "more than one" : "no");
        }
}

static void rows_are_whole(void **state) {
    (void)state;
    for (unsigned k = 0; k < OMISSION_KINDS; k++) {
        assert_true(*omission_what(k) && *omission_by(k) && *omission_how(k));
        assert_int_equal(omission_is_trusted(k), !omission_needs_before(k));
    }
#define OMISSION(kind, pass, what, by, check, how) assert_true(!*pass || has_pass(pass));
#define ADDS_ONLY(pass, why) assert_true(has_pass(pass) && *why);
#include "result/omissions.def"
#undef OMISSION
#undef ADDS_ONLY
}

static void lines(void **state) {
    (void)state;
    Buf text = {0};
    Omission o = omission_at(OMITS_FOCUS, (Position){.file = "a.c", .line = 7}, 3);
    omissions_print(&text, &o);
    assert_string_equal(buf_string(&text), "omission FOCUS (3) at a.c:7: trusted");
    omission_refuse(&o, (Position){0}, "it reads %s", "x");
    omission_refuse(&o, (Position){0}, "another reason");
    buf_free(&text);
    omissions_print(&text, &o);
    assert_string_equal(buf_string(&text), "omission FOCUS (3) at a.c:7: not discharged: it reads x");
    buf_free(&text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_pass_has_a_row),
        cmocka_unit_test(rows_are_whole),
        cmocka_unit_test(lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
