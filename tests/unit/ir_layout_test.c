/* SPDX-License-Identifier: Apache-2.0 */
/* Layout: objects lie apart, addresses lead back to them, threads are limited by space. */
#include "ir_test.h"
#include "ir/layout.h"

static const char text[] = "object f : function; object g : function; object a : global 4; object empty : global 0;"
                           "object big : global 70000; object t : thread 8; object l : local 100 in main;"
                           "object site : heap;"
                           "thread main { e end; }";

static void check_object_at(const Layout *l, const Object *o, unsigned thread) {
    uint64_t base = layout_address(l, o, thread), offset = 99;
    unsigned found = thread;
    assert_int_not_equal(base, 0);
    assert_ptr_equal(layout_find(l, base, &found, &offset), o);
    assert_int_equal(offset, 0);
    assert_int_equal(found, thread);
    if (o->kind == OBJECT_FUNCTION) return;
    assert_ptr_equal(layout_find(l, base + o->size, &found, &offset), o); /* one past the end is still its own */
    assert_int_equal(offset, o->size);
    uint64_t guard = UINT64_C(1) << layout_granule_bits(l);
    assert_ptr_equal(layout_find(l, base + o->size + guard, &found, &offset), o);
    assert_ptr_not_equal(layout_find(l, base - 1, &found, &offset), o);
}

static void check_all(unsigned width) {
    Buf source = {0};
    buf_printf(&source, "program pointer %u; %s", width, text);
    Program *p = program_of(buf_string(&source));
    Layout *l = layout_new(p);
    unsigned most = layout_max_threads(l);
    assert_true(width == 64 ? most == MAX_THREADS : most > 255);
    for (size_t i = 0; i < vec_len(p->objects); i++) {
        const Object *o = p->objects[i];
        bool own = o->kind == OBJECT_THREAD || o->kind == OBJECT_LOCAL;
        if (o->kind != OBJECT_HEAP)
            for (unsigned t = 1; t <= (own ? most : 1); t++) check_object_at(l, o, t);
    }
    uint64_t start = layout_heap_start(l), offset;
    unsigned thread;
    assert_null(layout_find(l, start, &thread, &offset));
    assert_null(layout_find(l, 0, &thread, &offset));
    assert_null(layout_find(l, (UINT64_C(1) << layout_granule_bits(l)) - 1, &thread, &offset));
    assert_non_null(layout_find(l, start - 1, &thread, &offset));
    assert_true(layout_heap_granules(l) > 1000);
    /* The heap's last address exists, and the one behind it is not 0. */
    u128 end = (u128)start + ((u128)layout_heap_granules(l) << layout_granule_bits(l));
    assert_true(end < (u128)1 << width);
    layout_free(l);
    program_free(p);
    buf_free(&source);
}

static void wide(void **state) {
    (void)state;
    check_all(64);
}
static void narrow(void **state) {
    (void)state;
    check_all(32);
}

static void functions(void **state) {
    (void)state;
    Program *p = program_of(text);
    Layout *l = layout_new(p);
    uint64_t f = layout_address(l, object_called(p, "f"), 1), offset;
    unsigned thread;
    assert_int_equal(layout_address(l, object_called(p, "g"), 1), f + 16);
    assert_ptr_equal(layout_find(l, f + 17, &thread, &offset), object_called(p, "g"));
    assert_int_equal(offset, 1);
    assert_null(layout_find(l, f + 32, &thread, &offset));
    layout_free(l);
    program_free(p);
}

/* 32-bit addresses: large local objects leave room for fewer threads, and at some point for none. */
static void few_threads(void **state) {
    (void)state;
    Program *p = program_of("program pointer 32; object l : local 100000000 in main; thread main { e end; }");
    Layout *l = layout_new(p);
    assert_true(layout_max_threads(l) > 5 && layout_max_threads(l) < 30);
    assert_true(layout_heap_granules(l) > 30000);
    layout_free(l);
    p->objects[0]->size = UINT64_MAX;
    l = layout_new(p);
    assert_int_equal(layout_max_threads(l), 0);
    layout_free(l);
    program_free(p);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(wide), cmocka_unit_test(narrow), cmocka_unit_test(functions),
                                       cmocka_unit_test(few_threads)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
