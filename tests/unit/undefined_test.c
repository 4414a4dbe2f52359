/* SPDX-License-Identifier: Apache-2.0 */
/* To put off the choice of an undefined value changes nothing that can be seen: random programs behave the same with
   `x := undefined` as with `x := any`, explored here and by the explicit engine. */
#include "check/replay.h"
#include "engine/explicit/explicit.h"
#include "explore.h"
#include "random_program.h"

/* The locals start as undefined; what is stored is c, which is loaded too. */
static void make_undefined(Buf *text) {
    replace_all(text, "a := 0:2; b := 0:2;", "a := undefined; b := undefined; c := undefined;");
    replace_all(text, "a := any;", "a := undefined;");
    replace_all(text, "unlock [m];", "b := a;");
    replace_all(text, "unlock [n];", "z := (bxor a b);");
    replace_all(text, "b := (extract 0 2 c);", "store [arr] := c;");
    replace_all(text, ":= 2:8;", ":= c; b := (extract 0 2 c);");
    replace_all(text, ":= 3:8;", ":= c; c := undefined;");
    replace_all(text, ":= 1:8;", ":= a;");
}

static void same_as_any(void **state) {
    (void)state;
    unsigned compared = 0;
    for (unsigned i = 1; i <= 60; i++) {
        Dice d = {.state = i * 0x9e3779b97f4a7c15u, .width = 2};
        Buf lazy = {0}, eager = {0};
        random_program(&d, &lazy);
        make_undefined(&lazy);
        buf_text(&eager, buf_string(&lazy));
        replace_all(&eager, "undefined", "any");
        Program *p = program_of(buf_string(&lazy)), *q = program_of(buf_string(&eager));
        Seen one = {0}, two = {0};
        explore(p, &one);
        explore(q, &two);
        if (one.complete && two.complete) {
            compared++;
            if (memcmp(&one, &two, sizeof one)) fail_msg("undefined is not like any:\n%s", buf_string(&lazy));
        }
        program_free(p);
        program_free(q);
        buf_free(&lazy);
        buf_free(&eager);
    }
    assert_true(compared > 50);
}

/* ---- by the engine ---- */

static SearchEnd engine_search(const Program *p, bool reduce) {
    Stats stats = {0};
    EngineTask task = {.question = &(Question){0}, .program = p, .budget = {5, UINT64_C(1) << 30}, .stats = &stats};
    Context *c = context_new(&task);
    Search *x = search_new(c, reduce, NULL, UINT64_C(1) << 30);
    SearchEnd end = search_continue(x, 5, 100000);
    search_free(x);
    if (end == SEARCH_FOUND) {
        assert_true(replay_check(p, &(Question){.property = PROPERTY_UNREACH_CALL}, c->trace, NULL));
        shorten_trace(c, c->trace, 1);
        assert_true(replay_check(p, &(Question){.property = PROPERTY_UNREACH_CALL}, c->trace, NULL));
    }
    context_free(c);
    return end;
}

static void engine_agrees(void **state) {
    (void)state;
    enum { N = 200 };
    unsigned found = 0;
    for (unsigned i = 1; i <= N; i++) {
        Dice d = {.state = i * 0x9e3779b97f4a7c15u, .width = 2};
        Buf lazy = {0}, eager = {0};
        random_program(&d, &lazy);
        replace_all(&lazy, "a := 0:2; b := 0:2;", "a := undefined; b := undefined;");
        replace_all(&lazy, "a := any;", "a := undefined;");
        buf_text(&eager, buf_string(&lazy));
        replace_all(&eager, "undefined", "any");
        Program *p = program_of(buf_string(&lazy)), *q = program_of(buf_string(&eager));
        SearchEnd any = engine_search(q, true), plain = engine_search(p, false), reduced = engine_search(p, true);
        bool decided = any != SEARCH_TIME && plain != SEARCH_TIME && reduced != SEARCH_TIME;
        if (decided && (any != plain || any != reduced)) fail_msg("undefined is not like any:\n%s", buf_string(&lazy));
        found += any == SEARCH_FOUND;
        program_free(p);
        program_free(q);
        buf_free(&lazy);
        buf_free(&eager);
    }
    assert_true(found > N / 20 && found < N);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_as_any), cmocka_unit_test(engine_agrees)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
