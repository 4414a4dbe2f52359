/* SPDX-License-Identifier: Apache-2.0 */
/* Random small programs in .hir text: main and one or two workers over a few shared bytes, with locks, atomic
   locations, loops, waiting, memory, and errors under conditions. All state spaces are small and finite. */
#ifndef HEDDLE_TEST_RANDOM_PROGRAM_H
#define HEDDLE_TEST_RANDOM_PROGRAM_H
#include "base/buf.h"
#include <stdint.h>

typedef struct Dice {
    uint64_t state;
} Dice;

static inline unsigned roll(Dice *d, unsigned sides) {
    uint64_t x = d->state;
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    d->state = x;
    return (unsigned)((x * 0x2545f4914f6cdd1du) >> 33) % sides;
}

/* One of the shared variables, or a local. */
static inline const char *random_place(Dice *d) {
    static const char *const names[] = {"x", "y", "z", "a", "b"};
    return names[roll(d, 5)];
}

static inline void random_value(Dice *d, Buf *out) {
    switch (roll(d, 4)) {
    case 0: buf_printf(out, "%u:2", roll(d, 4)); break;
    case 1: buf_printf(out, "(add %s 1:2)", random_place(d)); break;
    case 2: buf_printf(out, "(bxor %s %s)", random_place(d), random_place(d)); break;
    default: buf_text(out, random_place(d));
    }
}

static inline void random_condition(Dice *d, Buf *out) {
    switch (roll(d, 3)) {
    case 0: buf_printf(out, "(= %s %u:2)", random_place(d), roll(d, 4)); break;
    case 1: buf_printf(out, "(ult %s %u:2)", random_place(d), 1 + roll(d, 3)); break;
    default: buf_printf(out, "(= %s %s)", random_place(d), random_place(d));
    }
}

static inline const char *random_lock(Dice *d) { return roll(d, 2) ? "m" : "n"; }

static inline void random_instr(Dice *d, Buf *out) {
    switch (roll(d, 14)) {
    case 0:
    case 1: buf_printf(out, "lock [%s];", random_lock(d)); break;
    case 2:
    case 3: buf_printf(out, "unlock [%s];", random_lock(d)); break;
    case 4: buf_printf(out, "e := trylock [%s]; a := (extract 0 2 e);", random_lock(d)); break;
    case 5: buf_printf(out, "store [(add arr (zext 64 %s))] := %u:8;", random_place(d), roll(d, 4)); break;
    case 6: buf_printf(out, "c := load [(add arr (zext 64 %s))]; b := (extract 0 2 c);", random_place(d)); break;
    case 7: buf_printf(out, "%s := any;", roll(d, 3) ? "a" : "x"); break;
    case 8: buf_text(out, "assume "), random_condition(d, out), buf_text(out, ";"); break;
    default:
        buf_printf(out, "%s := ", random_place(d));
        random_value(d, out);
        buf_char(out, ';');
    }
}

/* Location i of n: one or two actions to later locations, now and then back. */
static inline void random_location(Dice *d, Buf *out, unsigned i, unsigned n) {
    unsigned ways = roll(d, 3) ? 1 : 2;
    buf_printf(out, "  l%u%s {", i, i && roll(d, 6) == 0 ? " atomic" : "");
    Buf condition = {0};
    random_condition(d, &condition);
    bool guarded = ways == 2 || roll(d, 4) == 0, errs = roll(d, 8) == 0;
    for (unsigned w = 0; w < ways; w++) {
        unsigned target = roll(d, 8) ? i + 1 + (w ? roll(d, n - i) : 0) : roll(d, n);
        if (guarded) buf_printf(out, w ? " when (not %s)" : " when %s", buf_string(&condition));
        if (roll(d, 5)) buf_text(out, " do "), random_instr(d, out);
        if (errs && ways == 2 && w == 0) buf_text(out, " goto bad;");
        else buf_printf(out, " goto l%u;", target > n ? n : target);
    }
    buf_text(out, " }\n");
    buf_free(&condition);
}

static inline void random_thread(Dice *d, Buf *out, const char *name, unsigned count, unsigned workers, bool is_main) {
    unsigned n = 2 + roll(d, 4);
    if (is_main) buf_text(out, "thread main {\n");
    else buf_printf(out, "thread %s count %u {\n", name, count);
    buf_text(out, "  local a : bv2; local b : bv2; local c : bv8; local e : bv32; local p : bv32; local q : bv32;\n");
    buf_text(out, "  start { do a := 0:2; b := 0:2; goto ");
    if (!is_main) buf_text(out, "l0; }\n");
    for (unsigned w = 0; is_main && w < workers; w++) {
        if (w == 0) buf_text(out, "c0; }\n");
        buf_printf(out, "  c%u { do %s := create w%u (0:64); goto %s; }\n", w, w ? "q" : "p", w && roll(d, 2) ? 1 : 0,
                   w + 1 < workers ? "c1" : "l0");
    }
    for (unsigned i = 0; i < n; i++) random_location(d, out, i, n);
    if (is_main && roll(d, 2)) {
        buf_printf(out, "  l%u { do join (p); goto j; }\n", n);
        buf_text(out, "  j { when "), random_condition(d, out), buf_text(out, " goto bad; when (= x 3:2) goto done; }\n");
        buf_printf(out, "  done %s;\n", roll(d, 2) ? "end" : "halt");
    } else {
        buf_printf(out, "  l%u %s;\n", n, is_main && roll(d, 2) ? "halt" : "end");
    }
    buf_text(out, "  bad error \"reached\";\n}\n");
}

static inline void random_program(Dice *d, Buf *out) {
    unsigned workers = 1 + roll(d, 2);
    buf_text(out, "global x : bv2 = 0:2;\nglobal y : bv2 = 0:2;\nglobal z : bv2 = 0:2;\n");
    buf_text(out, "object m : global 4;\nobject n : global 4;\nobject arr : global 4;\n");
    random_thread(d, out, "main", 1, workers, true);
    random_thread(d, out, "w0", 2, 0, false);
    random_thread(d, out, "w1", 1, 0, false);
}

#endif
