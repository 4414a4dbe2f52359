/* SPDX-License-Identifier: Apache-2.0 */
#include "base/vec.h"
#include "options/options.h"
#include "result/property.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

static bool parse(Options *o, Buf *error, char **argv) {
    int argc = 0;
    while (argv[argc]) argc++;
    return options_parse(o, argc, argv, error);
}
#define PARSE(o, error, ...) parse(o, error, (char *[]){"heddle", __VA_ARGS__, NULL})

static void test_forms(void **state) {
    (void)state;
    Options o;
    Buf error = {0};
    assert_true(PARSE(&o, &error, "-t5", "a.c", "--memory=100", "--property", "termination", "-q", "b.c", "--", "-DX", "-q"));
    assert_true(o.timeout == 5 && o.memory == 100 && o.quiet && !o.verbose);
    assert_string_equal(o.property, "termination");
    assert_int_equal(o.data_model, DATA_LP64);
    assert_string_equal(options_word("data_model", o.data_model), "LP64");
    assert_int_equal(vec_len(o.files), 2);
    assert_string_equal(o.files[1], "b.c");
    assert_int_equal(vec_len(o.clang_flags), 2);
    options_free(&o);
    buf_free(&error);
}

static void test_errors(void **state) {
    (void)state;
    static const struct {
        const char *argument, *message;
    } cases[] = {{"--tiemout", "did you mean --timeout?"},
                 {"--xyzzyxyzzy", "there is no option --xyzzyxyzzy"},
                 {"--timeout", "needs a value"},
                 {"--timeout=1x", "needs a number"},
                 {"--timeout=nan", "needs a number"},
                 {"--layout=diagonal", "is one of auto|columns|lines"},
                 {"--quiet=1", "takes no value"},
                 {"-qv", "takes no value"},
                 {"--rule=produce", "is one of auto|product|redsafety|modular|reachenv"},
                 {"-", NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Options o;
        Buf error = {0};
        bool ok = PARSE(&o, &error, (char *)(uintptr_t)cases[i].argument);
        assert_int_equal(ok, !cases[i].message);
        if (cases[i].message) assert_non_null(strstr(buf_string(&error), cases[i].message));
        options_free(&o);
        buf_free(&error);
    }
}

static void test_properties(void **state) {
    (void)state;
    Buf error = {0};
    unsigned set;
    assert_true(properties_find("no-data-race", &set, &error) && set == 1u << PROPERTY_NO_DATA_RACE);
    assert_true(properties_find("no-overflow,no-deadlock", &set, &error) &&
                set == (1u << PROPERTY_NO_OVERFLOW | 1u << PROPERTY_NO_DEADLOCK));
    assert_true(properties_find("all", &set, &error) && set == (((1u << NPROPERTIES) - 1) & ~(1u << PROPERTY_TERMINATION)));
    unsigned memory = 1u << PROPERTY_VALID_MEMSAFETY;
    assert_true(properties_find("valid-free,valid-deref,valid-memtrack", &set, &error) && set == memory);
    assert_true(properties_find("valid-memsafety,valid-deref", &set, &error) && set == memory);
    assert_true(properties_find("valid-deref", &set, &error) && set == (memory | PART_DEREF << PARTS_SHIFT));
    assert_string_equal(property_text(PROPERTY_VALID_MEMSAFETY, PART_FREE | PART_MEMTRACK), "valid-free,valid-memtrack");
    assert_string_equal(property_name(PROPERTY_TERMINATION), "termination");
    assert_false(properties_find("unreach-cal", &set, &error));
    assert_non_null(strstr(buf_string(&error), "did you mean unreach-call?"));
    buf_free(&error);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_forms), cmocka_unit_test(test_errors), cmocka_unit_test(test_properties)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
