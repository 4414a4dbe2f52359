/* SPDX-License-Identifier: Apache-2.0 */
/* Orders of locks that the engine finds are accepted, and broken ones are refused: each claim is changed in turn. */
#include "check/proof.h"
#include "engine/engine.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static const char text[] = "global a : bv32 = 0:32;\nglobal b : bv32 = 0:32;\nglobal g : bv32 = 0:32;\n"
                           "thread main {\n"
                           "  local t : bv32;\n"
                           "  l0 { do t := create worker (0:64); goto l1; }\n"
                           "  l1 { do lock g; goto l2; }\n"
                           "  l2 { do lock b; goto l3; }\n"
                           "  l3 { do lock a; goto l4; }\n"
                           "  l4 { do unlock a; goto l5; }\n"
                           "  l5 { do unlock b; goto l6; }\n"
                           "  l6 { do unlock g; goto l7; }\n"
                           "  l7 { do join (t); goto l8; }\n"
                           "  l8 end;\n"
                           "}\n"
                           "thread worker {\n"
                           "  local r : bv32;\n"
                           "  l0 { do lock g; goto l1; }\n"
                           "  l1 { do lock a; goto l2; }\n"
                           "  l2 { do lock b; goto l3; }\n"
                           "  l3 { do unlock b; goto l4; }\n"
                           "  l4 { do unlock a; goto l5; }\n"
                           "  l5 { do unlock g; goto l6; }\n"
                           "  l6 { do r := trylock b; goto l7; }\n"
                           "  l7 { when (= r 0:32) do unlock b; goto l8; when (not (= r 0:32)) goto l8; }\n"
                           "  l8 end;\n"
                           "}\n";

static Program *parse(const char *from) {
    Buf error = {0};
    Program *p = program_parse("p", from, &error);
    assert_non_null(p);
    return p;
}

static LockOrder *find(const Program *p) {
    Stats stats = {0};
    EngineTask task = {.program = p, .question = &(Question){.property = PROPERTY_NO_DEADLOCK}, .stats = &stats};
    Verdict *v = engine_order.run(&task);
    LockOrder *o = v->kind == VERDICT_SAFE ? lock_order_receive(p, v->order) : NULL;
    verdict_free(v);
    return o;
}

static Buf reasons; /* of all orders that were refused */

static bool holds(const Program *p, const LockOrder *o) {
    Buf why = {0};
    uint64_t kept;
    bool ok = lock_order_check(p, o, &kept, NULL, &why);
    buf_printf(&reasons, "%s\n", buf_string(&why));
    buf_free(&why);
    return ok;
}

static void test_found(void **state) {
    (void)state;
    Program *p = parse(text);
    LockOrder *o = find(p);
    assert_non_null(o);
    assert_true(holds(p, o));
    lock_order_free(o);
    program_free(p);
}

/* Every number that is sent matters: changed by a bit, the order is refused, or still one. */
static void test_broken(void **state) {
    (void)state;
    Program *p = parse(text);
    LockOrder *o = find(p);
    uint64_t *sent = lock_order_send(o);
    unsigned refused = 0, tried = 0;
    for (size_t i = 0; i < vec_len(sent); i++)
        for (unsigned bit = 0; bit < 3; bit++) {
            sent[i] ^= UINT64_C(1) << bit;
            LockOrder *other = lock_order_receive(p, sent);
            tried++;
            refused += !other || !holds(p, other);
            lock_order_free(other);
            sent[i] ^= UINT64_C(1) << bit;
        }
    assert_true(refused > tried / 2);
    lock_order_free(o);
    program_free(p);
    vec_free(sent);
}

/* Without a claim that matters it is none. */
static void test_claims(void **state) {
    (void)state;
    Program *p = parse(text);
    LockOrder *o = find(p);
    unsigned rank = 0;
    for (unsigned i = 0; i < vec_len(o->classes); i++)
        if (o->classes[i].gate != NO_LOCK) rank = i;
    unsigned gate = o->classes[rank].gate;
    o->classes[rank].gate = NO_LOCK;
    assert_false(holds(p, o));
    o->classes[rank].alone = 0; /* there are two threads */
    assert_false(holds(p, o));
    o->classes[rank] = (OrderRank){gate, NO_TEMPLATE};
    assert_true(holds(p, o));
    o->places[1][2].may[0] = 0; /* it holds locks there */
    assert_false(holds(p, o));
    lock_order_free(o);
    program_free(p);
}

/* What the order does not cover. */
static void test_refused(void **state) {
    (void)state;
    static const char *const changes[][2] = {
        {"do unlock g; goto l7", "goto l7"},               /* joins, and ends, with a lock */
        {"l1 { do lock g; goto l2; }", "l1 { goto l2; }"}, /* no gate */
        {"l5 { do unlock g; goto l6; }\n  l6 { do r", "l5 { goto l6; }\n  l6 { do r"},
        {"when (not (= r 0:32)) goto l8", "when (= r 0:32) goto l8"}, /* ends with a lock */
        {"do join (t)", "await (= t 7:32); join (t)"},
        {"global g : bv32 = 0:32", "global g : bv32 = 1:32"},
        {"do join (t)", "g := 2:32; join (t)"},
        {"do join (t)", "join (self)"},
        {"l1 { do lock a", "l1 atomic { do lock a"},
    };
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        Buf changed = {0};
        const char *at = strstr(text, changes[i][0]);
        assert_non_null(at);
        buf_bytes(&changed, text, (size_t)(at - text));
        if (!strncmp(changes[i][0], "do ", 3) && strncmp(changes[i][1], "do ", 3) && strncmp(changes[i][1], "goto", 4))
            buf_text(&changed, "do ");
        buf_printf(&changed, "%s%s", changes[i][1], at + strlen(changes[i][0]));
        Program *p = parse(buf_string(&changed));
        LockOrder *o = find(p);
        if (o && holds(p, o)) fail_msg("%s is accepted", changes[i][1]);
        lock_order_free(o);
        program_free(p);
        buf_free(&changed);
    }
}

/* The tests before refused orders for each of these reasons. */
static void test_reasons(void **state) {
    (void)state;
    static const char *const codes[] = {"[H1069]", "[H1072]", "[H1073]", "[H1074]", "[H1075]", "[H1076]", "[H1078]",
                                        "[H1080]", "[H1082]", "[H1083]", "[H1085]", "[H1086]", "[H1087]"};
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        if (!strstr(buf_string(&reasons), codes[i])) fail_msg("no order was refused for %s", codes[i]);
    buf_free(&reasons);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_found), cmocka_unit_test(test_broken), cmocka_unit_test(test_claims),
                                       cmocka_unit_test(test_refused), cmocka_unit_test(test_reasons)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
