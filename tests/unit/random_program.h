/* SPDX-License-Identifier: Apache-2.0 */
/* Random small programs in .hir text: main and one or two workers over a few shared bytes, with locks, atomic
   locations, loops, waiting, memory, and errors under conditions. All state spaces are small and finite. */
#pragma once
#include "base/buf.h"
#include <stdint.h>
#include <string.h>

typedef struct Dice {
    uint64_t state;
    unsigned width; /* of variables */
    bool inputs;    /* many of them, and what is done with inputs */
    bool undefined; /* some of the inputs are uninitialised locals */
    bool heap;      /* of width 2 */
    bool locks;     /* and little else, of width 2 */
    bool parts;     /* weak memory: of what is accessed in several sizes */
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
    unsigned w = d->width, any = 1u << w;
    switch (roll(d, d->inputs ? 8 : 4)) {
    case 0: buf_printf(out, "%u:%u", roll(d, any), w); break;
    case 1: buf_printf(out, "(add %s 1:%u)", random_place(d), w); break;
    case 2: buf_printf(out, "(bxor %s %s)", random_place(d), random_place(d)); break;
    case 3: buf_printf(out, "(%s %s %u:%u)", roll(d, 2) ? "urem" : "srem", random_place(d), 1 + roll(d, any / 2 - 1), w); break;
    default: buf_text(out, random_place(d));
    }
}

static inline void random_condition(Dice *d, Buf *out) {
    static const char *const orders[] = {"ult", "ule", "slt", "sle"};
    unsigned w = d->width, any = 1u << w;
    switch (roll(d, d->inputs ? 6 : 3)) {
    case 0: buf_printf(out, "(= %s %u:%u)", random_place(d), roll(d, any), w); break;
    case 1: buf_printf(out, "(ult %s %u:%u)", random_place(d), 1 + roll(d, any - 1), w); break;
    case 2: buf_printf(out, "(= %s %s)", random_place(d), random_place(d)); break;
    case 3: buf_printf(out, "(%s %u:%u %s)", orders[roll(d, 4)], roll(d, any), w, random_place(d)); break;
    case 4:
        buf_printf(out, "(%s (%s %u %s) %d:%u)", orders[roll(d, 4)], roll(d, 2) ? "zext" : "sext", w + 2, random_place(d),
                   (int)roll(d, 2 * any) - (int)any, w + 2);
        break;
    default:
        buf_printf(out, "(%s (%s %s %u:%u) ", roll(d, 2) ? "and" : "or", orders[roll(d, 4)], random_place(d), roll(d, any), w);
        buf_printf(out, "(not (%s %u:%u %s)))", orders[roll(d, 4)], roll(d, any), w, random_place(d));
    }
}

/* The heap, through a shared pointer and one of the thread's own. */
static inline void random_heap_instr(Dice *d, Buf *out) {
    static const char *const instrs[] = {"g := alloc h size 1:64;",
                                         "lp := alloc h size 1:64 zeroed;",
                                         "free [g];",
                                         "free [lp];",
                                         "lp := g;",
                                         "g := lp;",
                                         "g := 0:64;",
                                         "c := load [g]; b := (extract 0 2 c);",
                                         "c := load [lp]; a := (extract 0 2 c);",
                                         "store [lp] := 1:8;",
                                         "store [g] := (zext 8 a);",
                                         "assume (= lp g);",
                                         "assume (not (= lp g));"};
    buf_text(out, instrs[roll(d, 13)]);
}

static inline const char *random_lock(Dice *d) { return roll(d, 2) ? "m" : "n"; }

static inline void random_instr(Dice *d, Buf *out) {
    unsigned w = d->width;
    if (d->inputs && roll(d, 3) == 0) {
        buf_text(out, d->undefined && roll(d, 3) ? "a := undefined;" : "a := any;");
        if (roll(d, 2)) buf_text(out, " assume "), random_condition(d, out), buf_char(out, ';');
        if (roll(d, 3) == 0) buf_text(out, " b := a;");
        return;
    }
    if (d->heap && roll(d, 2)) {
        random_heap_instr(d, out);
        return;
    }
    switch (roll(d, 14)) {
    case 0:
    case 1: buf_printf(out, "lock [%s];", random_lock(d)); break;
    case 2:
    case 3: buf_printf(out, "unlock [%s];", random_lock(d)); break;
    case 4: buf_printf(out, "e := trylock [%s]; a := (extract 0 %u e);", random_lock(d), w); break;
    case 5: buf_printf(out, "store [(add arr (zext 64 %s))] := (zext 8 %s);", random_place(d), random_place(d)); break;
    case 6: buf_printf(out, "c := load [(add arr (zext 64 %s))]; b := (extract 0 %u c);", random_place(d), w); break;
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
    unsigned erring = roll(d, 2);
    for (unsigned w = 0; w < ways; w++) {
        unsigned target = roll(d, 8) ? i + 1 + (w ? roll(d, n - i) : 0) : roll(d, n);
        if (guarded) buf_printf(out, w ? " when (not %s)" : " when %s", buf_string(&condition));
        if (roll(d, 5)) buf_text(out, " do "), random_instr(d, out);
        if (errs && ways == 2 && w == erring) buf_text(out, " goto bad;");
        else buf_printf(out, " goto l%u;", target > n ? n : target);
    }
    buf_text(out, " }\n");
    buf_free(&condition);
}

/* One after the other: a mutex, and what it guards. It may be initialised while it is held. */
static inline void random_locked_location(Dice *d, Buf *out, unsigned i, unsigned n) {
    static const char *const instrs[] = {"lock [m];", "lock [m];", "unlock [m];", "store [m] := 0:32;", "lock [n];", "unlock [n];",
                                         "x := 1:2;", "x := 0:2;", "a := x;",     "x := (add x 1:2);",  "y := x;"};
    buf_printf(out, "  l%u {", i);
    if (i + 1 == n) buf_printf(out, " when (= a %u:2) goto bad; goto l%u; }\n", 1 + roll(d, 3), i + 1);
    else buf_printf(out, " do %s goto l%u; }\n", instrs[i == 0 ? roll(d, 4) : roll(d, 11)], i + 1);
}

static inline void random_thread(Dice *d, Buf *out, const char *name, unsigned count, unsigned workers, bool is_main) {
    unsigned n = 2 + roll(d, 4);
    if (is_main) buf_text(out, "thread main {\n");
    else buf_printf(out, "thread %s count %u {\n", name, count);
    unsigned w = d->width;
    buf_printf(out, "  local a : bv%u; local b : bv%u; local c : bv8; local e : bv32; local p : bv32; local q : bv32;\n", w, w);
    buf_printf(out, "  local lp : bv64;\n  start { do a := 0:%u; b := 0:%u; lp := 0:64; goto ", w, w);
    if (!is_main) buf_text(out, "l0; }\n");
    for (unsigned k = 0; is_main && k < workers; k++) {
        if (k == 0) buf_text(out, "c0; }\n");
        buf_printf(out, "  c%u { do %s := create w%u (0:64); goto %s; }\n", k, k ? "q" : "p", k && roll(d, 2) ? 1 : 0,
                   k + 1 < workers ? "c1" : "l0");
    }
    n += d->locks ? 2 : 0;
    for (unsigned i = 0; i < n; i++) (d->locks ? random_locked_location : random_location)(d, out, i, n);
    if (is_main && roll(d, 2)) {
        buf_printf(out, "  l%u { do join (p); goto j; }\n", n);
        buf_text(out, "  j { when "), random_condition(d, out), buf_printf(out, " goto bad; when (= x 3:%u) goto done; }\n", w);
        buf_printf(out, "  done %s;\n", roll(d, 2) ? "end" : "halt");
    } else {
        buf_printf(out, "  l%u %s;\n", n, is_main && roll(d, 2) ? "halt" : "end");
    }
    buf_text(out, "  bad error \"reached\";\n}\n");
}

static inline void random_program(Dice *d, Buf *out) {
    unsigned workers = 1 + roll(d, 2);
    for (const char *name = "xyz"; *name; name++) buf_printf(out, "global %c : bv%u = 0:%u;\n", *name, d->width, d->width);
    buf_printf(out, "global g : bv64 = 0:64;\nobject h : heap;\nobject m : global 4;\nobject n : global 4;\nobject arr : global %u;\n",
               1u << d->width);
    random_thread(d, out, "main", 1, workers, true);
    random_thread(d, out, "w0", 2, 0, false);
    random_thread(d, out, "w1", 1, 0, false);
}

/* ---- several threads of one template, which are joined in all sorts of ways ---- */

/* Steps of main from location `at` on, now and then; the next location. */
static inline unsigned random_work(Dice *d, Buf *out, unsigned at, unsigned one_in) {
    while (roll(d, one_in) == 0) {
        buf_printf(out, "  l%u {", at);
        if (roll(d, 3)) buf_text(out, " do "), random_instr(d, out);
        buf_printf(out, " goto l%u; }\n", at + 1);
        at++;
    }
    return at;
}

static inline void random_same_main(Dice *d, Buf *out) {
    unsigned at = 0, rounds = 1 + (roll(d, 4) == 0);
    buf_text(out, "thread main {\n  local a : bv2; local b : bv2; local c : bv8; local e : bv32; local lp : bv64; local r : bv64;\n");
    for (unsigned k = 0; k < 4; k++) buf_printf(out, "  local t%u : bv32;\n", k);
    /* Of a recursive mutex it matters who owns it. */
    buf_printf(out, "  start { do a := 0:2; b := 0:2; lp := 0:64; store [m] := %u:32; goto l0; }\n", roll(d, 3) << 28);
    for (unsigned round = 0; round < rounds; round++) {
        unsigned n = 2 + roll(d, rounds == 1 ? 3 : 1), differ = roll(d, 2), used = roll(d, 8) == 0;
        for (unsigned k = 0; k < n; k++, at++) {
            at = random_work(d, out, at, 6);
            buf_printf(out, "  l%u { do t%u := create w%u (%u:64); goto l%u; }\n", at, k, roll(d, 8) == 0, differ ? k % 2 : 0, at + 1);
        }
        at = random_work(d, out, at, 2);
        for (unsigned k = 0; k < n; k++) {
            unsigned who = roll(d, 16) ? k : roll(d, n);
            if (roll(d, 5) == 0) continue;
            buf_printf(out, "  l%u { do %sjoin (t%u);%s goto l%u; }\n", at,
                       roll(d, 2) ? "r := "
                       : used     ? "r := "
                                  : "",
                       who, used ? " a := (extract 0 2 r);" : "", at + 1);
            at = random_work(d, out, at + 1, roll(d, 2) ? 6 : 99);
        }
    }
    buf_printf(out, "  l%u { when ", at), random_condition(d, out);
    buf_printf(out, " goto bad; when (= x 3:2) goto done; }\n  done %s;\n  bad error \"reached\";\n}\n", roll(d, 2) ? "end" : "halt");
}

static inline void random_same_worker(Dice *d, Buf *out, const char *name) {
    static const char *const locks[] = {"lock", "trylock", "unlock"};
    unsigned n = 2 + roll(d, 5), odd = roll(d, 10);
    buf_printf(out, "thread %s count many {\n  local a : bv2; local b : bv2; local c : bv8; local e : bv32; local lp : bv64;\n", name);
    buf_printf(
        out,
        "  object own : local 2;\n  start { do a := (extract 0 2 %s); b := 0:2; lp := 0:64; alive own; store [own] := 0:16; goto l0; }\n",
        odd == 0 ? "self" : "argument");
    for (unsigned i = 0; i < n; i++) {
        unsigned what = roll(d, 12);
        if (what == 0) buf_printf(out, "  l%u { do store [own] := (zext 8 %s); goto l%u; }\n", i, random_place(d), i + 1);
        else if (what == 1) buf_printf(out, "  l%u { do c := load [own]; b := (extract 0 2 c); goto l%u; }\n", i, i + 1);
        else if (what == 2 && odd == 1) buf_printf(out, "  l%u { do c := load [m]; b := (extract 0 2 c); goto l%u; }\n", i, i + 1);
        else if (what == 3 && odd == 2) buf_printf(out, "  l%u { do g := own; goto l%u; }\n", i, i + 1);
        else if (what < 5 && odd == 3) buf_printf(out, "  l%u { do b := (extract 0 2 self); goto l%u; }\n", i, i + 1);
        else if (what < 7)
            buf_printf(out, "  l%u { do e := %s [m]; %s goto l%u; }\n", i, locks[roll(d, 3)], roll(d, 2) ? "" : "a := (extract 0 2 e);",
                       i + 1);
        else random_location(d, out, i, n);
    }
    buf_printf(out, "  l%u { do result := (zext 64 a); goto out; }\n  out end;\n  bad error \"reached\";\n}\n", n);
}

static inline void random_same_program(Dice *d, Buf *out) {
    for (const char *name = "xyz"; *name; name++) buf_printf(out, "global %c : bv2 = 0:2;\n", *name);
    buf_text(out, "global g : bv64 = 0:64;\nobject h : heap;\nobject m : global 4;\nobject n : global 4;\nobject arr : global 4;\n");
    random_same_main(d, out);
    random_same_worker(d, out, "w0");
    random_same_worker(d, out, "w1");
}
