/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/intern.h"
#include "base/map.h"
#include "base/message.h"
#include "base/processors.h"
#include "base/vec.h"

static void arena_gives_zeroed_aligned_memory(void **state) {
    (void)state;
    Arena *a = arena_new();
    for (size_t size = 1; size < 100000; size = size * 3 + 1) {
        unsigned char *p = arena_alloc(a, size);
        assert_int_equal((uintptr_t)p % _Alignof(max_align_t), 0);
        for (size_t i = 0; i < size; i++) assert_int_equal(p[i], 0);
        memset(p, 0xff, size);
    }
    assert_string_equal(arena_strdup(a, "text"), "text");
    assert_string_equal(arena_strndup(a, "text", 2), "te");
    assert_string_equal(arena_printf(a, "%s-%d", "x", 42), "x-42");
    assert_memory_equal(arena_copy(a, "abc", 3), "abc", 3);
    assert_null(arena_copy(a, NULL, 0));
    arena_free(a);
}

static void buf_grows_and_ends_in_nul(void **state) {
    (void)state;
    Buf b = {0};
    assert_string_equal(buf_string(&b), "");
    for (int i = 0; i < 1000; i++) buf_printf(&b, "%d,", i);
    assert_int_equal(b.length, strlen(buf_string(&b)));
    assert_int_equal(strncmp(buf_string(&b), "0,1,2,", 6), 0);
    buf_clear(&b);
    assert_string_equal(buf_string(&b), "");
    buf_char(&b, 'x');
    buf_text(&b, "yz");
    buf_bytes(&b, "\0w", 2);
    assert_int_equal(b.length, 5);
    assert_memory_equal(b.text, "xyz\0w", 6);
    buf_free(&b);
}

static void vec_pushes_pops_resizes(void **state) {
    (void)state;
    int *v = NULL;
    assert_int_equal(vec_len(v), 0);
    vec_clear(v);
    for (int i = 0; i < 1000; i++) vec_push(v, i);
    assert_int_equal(vec_len(v), 1000);
    for (int i = 0; i < 1000; i++) assert_int_equal(v[i], i);
    assert_int_equal(vec_last(v), 999);
    assert_int_equal(vec_pop(v), 999);
    assert_int_equal(vec_len(v), 999);
    vec_clear(v);
    vec_resize(v, 2000);
    for (int i = 0; i < 2000; i++) assert_int_equal(v[i], 0);
    vec_free(v);
    assert_null(v);
}

static void vec_appends_copies_finds(void **state) {
    (void)state;
    int *v = NULL, *none = NULL, sum = 0;
    vec_append(v, none);
    assert_null(v);
    assert_false(vec_has(v, 0));
    for (int i = 1; i <= 10; i++) vec_push(v, i);
    int *w = vec_copy(v);
    vec_append(w, v);
    assert_int_equal(vec_len(w), 20);
    assert_int_equal(w[10], 1);
    w[0] = 77;
    assert_true(vec_has(w, 77) && vec_has(w, 10) && !vec_has(v, 77) && !vec_has(v, 0));
    vec_each_at(const int, x, v) sum += *x;
    vec_each_at(const int, x, none) sum += *x;
    assert_int_equal(sum, 55);
    int **rows = NULL;
    vec_push(rows, v);
    vec_push(rows, none);
    vec_push(rows, w);
    vec_free_rows(rows);
    assert_null(rows);
}

static void map_holds_many_keys(void **state) {
    (void)state;
    Map *m = map_new();
    uint64_t value;
    for (uint64_t i = 0; i < 50000; i++) map_put(m, i * 4096, i); /* keys as regular as addresses are; 0 is one */
    map_put(m, UINT64_MAX, 7);
    map_put(m, 4096, 77);
    assert_int_equal(map_size(m), 50001);
    assert_true(map_get(m, 4096, &value));
    assert_int_equal(value, 77);
    assert_true(map_get(m, UINT64_MAX, &value));
    assert_int_equal(value, 7);
    assert_true(map_get(m, 0, NULL));
    for (uint64_t i = 2; i < 50000; i++) assert_true(map_get(m, i * 4096, &value) && value == i);
    assert_false(map_get(m, 4095, &value));
    assert_null(map_find(m, m));
    map_set(m, m, state);
    assert_ptr_equal(map_find(m, m), state);
    map_free(m);
}

static void equal_text_is_one_string(void **state) {
    (void)state;
    Interner *n = interner_new();
    const char *a = intern(n, "alpha"), *words[500];
    char text[16];
    for (int i = 0; i < 500; i++) {
        snprintf(text, sizeof text, "w%d", i);
        words[i] = intern(n, text);
    }
    for (int i = 0; i < 500; i++) {
        snprintf(text, sizeof text, "w%d", i);
        assert_ptr_equal(intern(n, text), words[i]);
        assert_string_equal(words[i], text);
    }
    assert_ptr_equal(intern_n(n, "alphabet", 5), a);
    assert_ptr_not_equal(intern(n, ""), a);
    assert_ptr_equal(intern(n, ""), intern_n(n, "x", 0));
    interner_free(n);
}

static void quotas_are_processors(void **state) {
    (void)state;
    assert_int_equal(processors_of_quota("max 100000", 0), 0);
    assert_int_equal(processors_of_quota("-1", 100000), 0);
    assert_int_equal(processors_of_quota("50000 100000", 0), 1);
    assert_int_equal(processors_of_quota("400000 100000", 0), 4);
    assert_int_equal(processors_of_quota("150000", 50000), 3);
    assert_true(processors_available() >= 1);
}

static void messages_end_with_codes(void **state) {
    (void)state;
    char code[MESSAGE_CODE];
    assert_int_equal(message_length("a text [H0123]"), 6);
    assert_string_equal(message_code(code, "a text [H0123]"), "H0123");
    assert_string_equal(message_code(code, "a line [H0456]\n"), "H0456");
    static const char *const without[] = {"", "a text", "[H0123]", "a [H012]", "a [X0123]", "a [H01234]", "an index [H0123] within"};
    for (size_t i = 0; i < sizeof without / sizeof *without; i++) {
        assert_int_equal(message_length(without[i]), strlen(without[i]));
        assert_null(message_code(code, without[i]));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arena_gives_zeroed_aligned_memory),
        cmocka_unit_test(buf_grows_and_ends_in_nul),
        cmocka_unit_test(vec_pushes_pops_resizes),
        cmocka_unit_test(vec_appends_copies_finds),
        cmocka_unit_test(map_holds_many_keys),
        cmocka_unit_test(equal_text_is_one_string),
        cmocka_unit_test(quotas_are_processors),
        cmocka_unit_test(messages_end_with_codes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
