/* SPDX-License-Identifier: Apache-2.0 */
/* Array values against a plain C array: same contents, same pointer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "expr/expr.h"

enum { CELLS = 12 };

static u128 index_of(unsigned cell) {
    static const u128 some[] = {0,       1, 2, 3, 255, 256, (u128)1 << 63, (u128)1 << 64, ((u128)1 << 64) + 1, (u128)1 << 127, ~(u128)0 - 1,
                                ~(u128)0};
    return some[cell]; /* ascending */
}

static void check_contents(const ArrayValue *a, const unsigned char *cells) {
    size_t at = 0;
    for (unsigned c = 0; c < CELLS; c++) {
        assert_true(array_select(a, (Value){.bits = index_of(c)}).bits == cells[c]);
        if (!cells[c]) continue;
        Value index, element;
        array_entry(a, at++, &index, &element);
        assert_true(index.bits == index_of(c) && element.bits == cells[c]);
    }
    assert_int_equal(at, array_entries(a));
    assert_true(array_select(a, (Value){.bits = 77}).bits == 0);
}

static const ArrayValue *from_cells(Values *v, const unsigned char *cells) {
    const ArrayValue *a = array_constant(v, (Value){0});
    for (unsigned c = CELLS; c-- > 0;) a = array_store(v, a, (Value){.bits = index_of(c)}, (Value){.bits = cells[c]});
    return a;
}

static void random_stores(void **state) {
    (void)state;
    Values *v = values_new();
    unsigned char cells[CELLS] = {0};
    const ArrayValue *a = array_constant(v, (Value){0});
    uint64_t seed = 42;
    for (int i = 0; i < 20000; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        unsigned c = (unsigned)(seed >> 33) % CELLS;
        cells[c] = (unsigned char)((seed >> 50) % 3);
        a = array_store(v, a, (Value){.bits = index_of(c)}, (Value){.bits = cells[c]});
        check_contents(a, cells);
        assert_ptr_equal(a, from_cells(v, cells));
    }
    values_free(v);
}

static void arrays_of_arrays(void **state) {
    (void)state;
    Values *v = values_new();
    const ArrayValue *inner = array_constant(v, (Value){.bits = 5});
    const ArrayValue *outer = array_constant(v, (Value){.array = inner});
    const ArrayValue *other = array_store(v, inner, (Value){.bits = 1}, (Value){.bits = 6});
    const ArrayValue *changed = array_store(v, outer, (Value){.bits = 2}, (Value){.array = other});
    assert_ptr_not_equal(changed, outer);
    assert_ptr_equal(array_select(changed, (Value){.bits = 2}).array, other);
    assert_ptr_equal(array_select(changed, (Value){.bits = 3}).array, inner);
    assert_ptr_equal(array_store(v, changed, (Value){.bits = 2}, (Value){.array = inner}), outer);
    assert_ptr_not_equal(array_constant(v, (Value){.bits = 0}), array_constant(v, (Value){.bits = 1}));
    /* arrays as indices */
    const ArrayValue *map = array_constant(v, (Value){0});
    map = array_store(v, map, (Value){.array = inner}, (Value){.bits = 1});
    map = array_store(v, map, (Value){.array = other}, (Value){.bits = 2});
    assert_true(array_select(map, (Value){.array = inner}).bits == 1);
    assert_true(array_select(map, (Value){.array = other}).bits == 2);
    assert_true(array_select(map, (Value){.array = outer}).bits == 0);
    values_free(v);
}

static void displayed_values(void **state) {
    (void)state;
    Exprs *p = exprs_new();
    Values *v = values_new();
    Buf b = {0};
    const ArrayValue *a = array_constant(v, (Value){0});
    a = array_store(v, a, (Value){.bits = 3}, (Value){.bits = 255});
    a = array_store(v, a, (Value){.bits = 0}, (Value){.bits = 1});
    value_print(&b, sort_array(p, sort_bv(p, 32), sort_bv(p, 8)), (Value){.array = a}, true);
    assert_string_equal(buf_string(&b), "{0: 1, 3: -1, else 0}");
    buf_clear(&b);
    value_print(&b, sort_bool(p), (Value){.bits = 1}, false);
    value_print(&b, sort_bv(p, 32), (Value){.bits = 0xffffffff}, false);
    value_print(&b, sort_int(p), (Value){.bits = -(u128)7}, false);
    assert_string_equal(buf_string(&b), "true4294967295-7");
    buf_free(&b);
    values_free(v);
    exprs_free(p);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_stores), cmocka_unit_test(arrays_of_arrays),
                                       cmocka_unit_test(displayed_values)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
