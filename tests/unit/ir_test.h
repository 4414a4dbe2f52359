/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of the IR share: cmocka, and programs from text. */
#pragma once
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "base/vec.h"
#include "ir/program.h"
#include <string.h>

static inline Program *program_of(const char *text) {
    Buf error = {0};
    Program *p = program_parse("test", text, &error);
    if (!p) print_error("%s", buf_string(&error));
    assert_non_null(p);
    if (!program_check(p, &error)) fail_msg("%s", buf_string(&error));
    buf_free(&error);
    return p;
}

static inline const Object *object_called(const Program *p, const char *name) {
    for (size_t i = 0; i < vec_len(p->objects); i++)
        if (!strcmp(p->objects[i]->name, name)) return p->objects[i];
    fail_msg("no object %s", name);
    return NULL;
}

static inline Variable *local_called(const Template *t, const char *name) {
    for (size_t i = 0; i < vec_len(t->locals); i++)
        if (!strcmp(t->locals[i]->name, name)) return t->locals[i];
    return NULL;
}

static inline void assert_printed(const Program *p, const char *expected) {
    Buf text = {0};
    program_print(&text, p);
    assert_string_equal(buf_string(&text), expected);
    buf_free(&text);
}
