/* SPDX-License-Identifier: Apache-2.0 */
/* Random small systems in .sys text, one transition to a line (the shrinker deletes lines). They have what passes over systems look for: locals that are
   asked once, conditions tested before, atomic sections, mutexes and flags, wrap-around, bounds of types, inputs, arrays that are filled,
   threads in any number.

   What passes take for granted holds: values are in the range of their types; a thread other than main waits at its entry for its status to be 1,
   and who sets it says `creates`; it ends by setting it to 2, and who waits for that says `joins`. */
#pragma once
#include "random_program.h"
#include <stdbool.h>
#include <stdio.h>

typedef struct SystemDice {
    Dice dice;
    Buf *out;
    bool integers;
    unsigned threads, thread, many; /* many: the first of second_instance, or 0 */
    unsigned location, locations;
    unsigned input; /* the last one's number */
    unsigned error; /* the last one's number */
    char last[400]; /* what the thread asked before */
} SystemDice;

static inline unsigned sys_roll(SystemDice *d, unsigned n) { return roll(&d->dice, n); }
static inline bool sys_chance(SystemDice *d, unsigned percent) { return sys_roll(d, 100) < percent; }

/* ---- values: 0 to 3, or bit-vectors of two bits ---- */

static inline void sys_constant(SystemDice *d, unsigned n) { buf_printf(d->out, "%u%s", n, d->integers ? "" : ":2"); }

/* x, y, z are shared, a, b the thread's own; all of them are 0 to 3. */
static inline void sys_place(SystemDice *d, bool shared) {
    if (shared && sys_chance(d, 50)) buf_char(d->out, "xyz"[sys_roll(d, 3)]);
    else buf_printf(d->out, "%c%u", "ab"[sys_roll(d, 2)], d -> thread);
}

static inline void sys_condition(SystemDice *d, unsigned depth, bool shared);

/* In range whatever the values are. */
static inline void sys_value(SystemDice *d, unsigned depth, bool shared) {
    Buf *o = d->out;
    switch (sys_roll(d, depth ? 8 : 2)) {
    case 0: sys_constant(d, sys_roll(d, 4)); break;
    case 1:
    case 2: sys_place(d, shared); break;
    case 3:
    case 4: { /* one more, wrapped around */
        char v[16] = "x";
        if (sys_chance(d, 50) || !shared) snprintf(v, sizeof v, "a%u", d->thread);
        if (!d->integers) buf_printf(o, "(add %s 1:2)", v);
        else if (sys_chance(d, 50)) buf_printf(o, "(mod (add %s 1) 4)", v);
        else buf_printf(o, "(ite (sle (add %s 1) 3) (add %s 1) (sub (add %s 1) 4))", v, v, v);
        break;
    }
    case 5: /* what is congruent */
        if (d->integers) buf_text(o, shared ? "(mod c 4)" : "(mod 7 4)");
        else sys_place(d, shared);
        break;
    default:
        buf_text(o, "(ite "), sys_condition(d, depth - 1, shared), buf_char(o, ' '), sys_value(d, depth - 1, shared), buf_char(o, ' ');
        sys_value(d, depth - 1, shared), buf_char(o, ')');
    }
}

static inline void sys_condition(SystemDice *d, unsigned depth, bool shared) {
    Buf *o = d->out;
    const char *less = d->integers ? "slt" : "ult";
    switch (sys_roll(d, depth ? 9 : 4)) {
    case 0: buf_text(o, "(= "), sys_place(d, shared), buf_char(o, ' '), sys_constant(d, sys_roll(d, 4)), buf_char(o, ')'); break;
    case 1:
        buf_printf(o, "(%s ", less), sys_place(d, shared), buf_char(o, ' '), sys_constant(d, 1 + sys_roll(d, 3)), buf_char(o, ')');
        break;
    case 2: buf_text(o, "(= "), sys_place(d, shared), buf_char(o, ' '), sys_place(d, shared), buf_char(o, ')'); break;
    case 3: /* of a large type; or of what is congruent */
        if (!shared || !d->integers) buf_text(o, "(= "), sys_place(d, shared), buf_char(o, ' '), sys_constant(d, 0), buf_char(o, ')');
        else if (sys_chance(d, 50)) buf_printf(o, sys_chance(d, 50) ? "(= %c 0)" : "(not (= %c 0))", "ns"[sys_roll(d, 2)]);
        else if (sys_chance(d, 50)) buf_text(o, "(= (mod c 4) "), sys_value(d, 0, true), buf_char(o, ')');
        else if (sys_chance(d, 50)) buf_printf(o, "(= (mod c 4) (add %c %u))", "xyz"[sys_roll(d, 3)], 2 + sys_roll(d, 2));
        else if (sys_chance(d, 50)) buf_printf(o, "(not (= (mod c 4) %u))", sys_roll(d, 4));
        else buf_printf(o, "(= s %d)", (int)sys_roll(d, 4) - 1);
        break;
    case 4: buf_text(o, "(not "), sys_condition(d, depth - 1, shared), buf_char(o, ')'); break;
    case 5: buf_text(o, "(= "), sys_value(d, depth - 1, shared), buf_char(o, ' '), sys_value(d, depth - 1, shared), buf_char(o, ')'); break;
    default:
        buf_printf(o, "(%s ", sys_chance(d, 50) ? "and" : "or"), sys_condition(d, depth - 1, shared), buf_char(o, ' ');
        sys_condition(d, depth - 1, shared), buf_char(o, ')');
    }
}

/* ---- transitions ---- */

static inline void sys_goto(SystemDice *d, unsigned target, const char *prefix) {
    bool ends = target >= d->locations && d->thread && d->thread != d->many && d->thread != d->many + 1;
    if (ends) buf_printf(d->out, "%s st%u := %s;", prefix, d->thread, d->integers ? "2" : "2:2");
    buf_printf(d->out, " goto l%u;\n", target);
}

/* `when`, with what a thread's entry asks for. */
static inline void sys_when(SystemDice *d, const char *condition) {
    Buf *o = d->out;
    unsigned status = d->many && d->thread == d->many + 1 ? d->many : d->thread;
    if (d->location || !d->thread) {
        if (*condition) buf_printf(o, "when %s ", condition);
    } else {
        buf_printf(o, "when (and (= st%u %s) %s) ", status, d->integers ? "1" : "1:2", *condition ? condition : "true");
    }
}

static inline void sys_numbers(SystemDice *d, char *self, size_t size) {
    bool many = d->many && (d->thread == d->many || d->thread == d->many + 1);
    if (many) snprintf(self, size, "me%u", d->thread);
    else snprintf(self, size, "%u%s", d->thread + 1, d->integers ? "" : ":32");
}

/* One step; the condition may be empty. */
static inline void sys_step(SystemDice *d, const char *condition, unsigned target) {
    Buf *o = d->out;
    char self[16], both[600];
    sys_numbers(d, self, sizeof self);
    const char *zero = d->integers ? "0" : "0:32", *one = d->integers ? "1" : "1:2", *none = d->integers ? "0" : "0:2";
#define AND(text, ...) (snprintf(both, sizeof both, "(and " text " %s)", __VA_ARGS__, *condition ? condition : "true"), sys_when(d, both))
    buf_text(o, "    ");
    switch (sys_roll(d, 16)) {
    case 0: AND("(= m %s)", zero), buf_printf(o, "locks m do m := %s;", self), sys_goto(d, target, ""); return;
    case 1: sys_when(d, condition), buf_printf(o, "unlocks m do m := %s;", zero), sys_goto(d, target, ""); return;
    case 2: AND("(= f %s)", none), buf_printf(o, "do f := %s;", one), sys_goto(d, target, ""); return;
    case 3: sys_when(d, condition), buf_printf(o, "do f := %s;", none), sys_goto(d, target, ""); return;
    case 4:
    case 5: /* an input */
        buf_printf(o, "any v%u : %s ", ++d->input, d->integers ? "int" : "bv2");
        if (d->integers) AND("(sle 0 v%u) (sle v%u 3)", d->input, d->input);
        else sys_when(d, condition);
        buf_printf(o, "do a%u := v%u;", d->thread, d->input);
        if (sys_chance(d, 40)) buf_printf(o, " x := v%u;", d->input);
        sys_goto(d, target, "");
        return;
    case 6: /* a large type */
        if (!d->integers) break;
        if (sys_chance(d, 50)) AND("(sle (add n %u) 4294967295)", 1u), buf_text(o, "do n := (add n 1);");
        else AND("(not (= n %u))", 0u), buf_text(o, "do n := (sub n 1);");
        sys_goto(d, target, "");
        return;
    case 7: /* a bound of a signed type */
        if (!d->integers) break;
        if (sys_chance(d, 60)) AND("(sle (add s 1) %u)", 2147483647u);
        else sys_when(d, condition);
        buf_text(o, "do s := (ite (slt s 2) (add s 1) -2);"), sys_goto(d, target, "");
        return;
    case 8: /* congruent */
        if (!d->integers) break;
        sys_when(d, condition), buf_text(o, "do c := ");
        buf_text(o, sys_chance(d, 50) ? "(mod (add c 3) 4)" : "(ite (= (mod c 4) 3) (sub c 3) (add c 1))"), buf_char(o, ';'),
            sys_goto(d, target, "");
        return;
    default: break;
    }
    sys_when(d, condition);
    unsigned n = sys_roll(d, 3);
    bool set[5] = {0};
    if (n) buf_text(o, "do");
    for (unsigned i = 0; i < n; i++) {
        unsigned v = sys_roll(d, 5);
        if (set[v]) continue;
        set[v] = true;
        if (v < 3) buf_printf(o, " %c := ", "xyz"[v]);
        else buf_printf(o, " %c%u := ", "ab"[v - 3], d -> thread);
        sys_value(d, 2, true), buf_char(o, ';');
    }
    sys_goto(d, target, n ? "" : "do");
#undef AND
}

/* ---- locations ---- */

/* A condition, or another one that means nothing if it is too long. */
static inline void sys_question(SystemDice *d, char *condition, size_t size) {
    Buf *o = d->out, text = {0};
    d->out = &text;
    if (*d->last && sys_chance(d, 30)) buf_text(&text, d->last);
    else sys_condition(d, sys_roll(d, 3), sys_chance(d, 50));
    d->out = o;
    snprintf(condition, size, "%.*s", (int)size - 1, text.length < size ? buf_string(&text) : "true");
    snprintf(d->last, sizeof d->last, "%.*s", (int)sizeof d->last - 1, condition);
    buf_free(&text);
}

static inline const char *sys_text(SystemDice *d, const char *integers, const char *bits) { return d->integers ? integers : bits; }

/* A local that is set to what is asked next, and to nothing else: two locations. */
static inline void sys_asked_once(SystemDice *d) {
    Buf *o = d->out;
    unsigned l = d->location, t = d->thread;
    char condition[300];
    sys_question(d, condition, sizeof condition);
    buf_printf(o, "  l%u {\n    ", l), sys_when(d, "");
    buf_printf(o, "do q%u := (ite %s %s %s); goto l%u;\n  }\n  l%u {\n    ", t, condition, sys_text(d, "1", "1:2"), sys_text(d, "0", "0:2"),
               l + 1, l + 1);
    d->location = l + 1;
    char yes[40], no[48];
    snprintf(yes, sizeof yes, "(= q%u %s)", t, sys_text(d, "1", "1:2"));
    snprintf(no, sizeof no, "(not %s)", yes);
    bool errs = sys_chance(d, 50);
    o->length -= 4; /* the step brings its own */
    o->text[o->length] = 0;
    sys_step(d, yes, l + 2);
    buf_text(o, "    "), sys_when(d, no);
    if (errs) buf_printf(o, "goto e%u;\n", d->error++);
    else sys_goto(d, l + 2 + sys_roll(d, d->locations - l - 1), "do");
    buf_text(o, "  }\n");
}

/* `h = any; for (i = 0; i < n; i++) h[i] = input;` and what is asked of h then: three locations. */
static inline void sys_filled(SystemDice *d) {
    Buf *o = d->out;
    unsigned l = d->location, t = d->thread, limit = 1 + sys_roll(d, 3);
    buf_printf(o, "  l%u {\n    any w%u : array(int,int) ", l, ++d->input), sys_when(d, "");
    bool fresh = sys_chance(d, 60), to_its_end = sys_chance(d, 75);
    if (fresh) buf_printf(o, "do h%u := w%u; ", t, d->input);
    else buf_printf(o, "do h%u := (const-array array(int,int) 0); ", t);
    buf_printf(o, "i%u := 0; goto l%u;\n  }\n  l%u loop {\n", t, l + 1, l + 1);
    d->input++;
    buf_printf(
        o,
        "    any v%u : int when (and (slt i%u %u) (sle 0 v%u) (sle v%u 1)) do h%u := (store h%u i%u v%u); i%u := (add i%u 1); goto l%u;\n",
        d->input, t, limit, d->input, d->input, t, t, t, d->input, t, t, l + 1);
    if (!to_its_end) buf_printf(o, "    when (slt i%u 2) goto l%u;\n", t, l + 2);
    buf_printf(o, "    when (not (slt i%u %u)) goto l%u;\n  }\n  l%u {\n", t, limit, l + 2, l + 2);
    if (!to_its_end) buf_printf(o, "    when (= i%u %u) goto e%u;\n", t, sys_roll(d, limit), d->error++);
    buf_printf(o, "    when (and (= (select h%u 0) %u) (= (select h%u %u) 1)) goto e%u;\n", t, sys_roll(d, 2), t, sys_roll(d, 3),
               d->error++);
    d->location = l + 2;
    char condition[64];
    snprintf(condition, sizeof condition, "(slt i%u %u)", t, 1 + sys_roll(d, 4));
    sys_step(d, condition, l + 3);
    buf_text(o, "  }\n");
}

/* An element that is looked for, once or again and again. */
static inline void sys_looked_for(SystemDice *d) {
    Buf *o = d->out;
    char condition[120];
    unsigned v = ++d->input, t = d->thread;
    bool again = sys_chance(d, 50);
    buf_printf(o, "  l%u%s {\n    any v%u : int ", d->location, again ? " loop" : "", v);
    snprintf(condition, sizeof condition, "(and (sle 0 v%u) (sle v%u 3) (= (select arr v%u) %u))", v, v, v, sys_roll(d, 3));
    sys_when(d, condition);
    buf_printf(o, "do b%u := a%u; a%u := v%u;", t, t, t, v);
    if (again) buf_printf(o, " goto l%u;\n", d->location);
    else sys_goto(d, d->location + 1, "");
    snprintf(condition, sizeof condition, "(and (= a%u %u) (= b%u %u))", t, sys_roll(d, 4), t, sys_roll(d, 4));
    buf_text(o, "    "), sys_when(d, condition), buf_printf(o, "goto e%u;\n", d->error++);
    buf_text(o, "    "), sys_when(d, ""), buf_text(o, "do arr := (store arr x y);"), sys_goto(d, d->location + 1, "");
    buf_text(o, "  }\n");
}

/* Signed inputs. */
static inline void sys_signed(SystemDice *d) {
    Buf *o = d->out;
    char condition[120];
    unsigned v = ++d->input;
    buf_printf(o, "  l%u {\n    any v%u : int ", d->location, v);
    snprintf(condition, sizeof condition, "(and (sle %d v%u) (sle v%u 2) %s", -(int)sys_roll(d, 3), v, v,
             sys_chance(d, 50) ? "(not " : "(or ");
    size_t n = strlen(condition);
    snprintf(condition + n, sizeof condition - n, "(= v%u 0)))", v);
    if (strstr(condition, "(or ")) snprintf(condition + n, sizeof condition - n, "(= v%u 0) (= x 1)))", v);
    sys_when(d, condition), buf_printf(o, "do x := (add v%u (ite (slt v%u 0) 2 0));", v, v), sys_goto(d, d->location + 1, "");
    snprintf(condition, sizeof condition, "(%s s 0)", sys_chance(d, 50) ? "=" : "slt");
    buf_text(o, "    "), sys_when(d, condition), buf_printf(o, "goto e%u;\n", d->error++);
    buf_text(o, "  }\n");
}

static inline void sys_stutter(SystemDice *d) {
    char condition[200];
    sys_question(d, condition, sizeof condition);
    buf_text(d->out, "    "), sys_when(d, "");
    buf_printf(d->out, "do x := (ite %s ", condition);
    if (sys_chance(d, 50)) sys_value(d, 1, true), buf_text(d->out, " x)");
    else buf_text(d->out, "x "), sys_value(d, 1, true), buf_char(d->out, ')');
    buf_printf(d->out, "; goto l%u;\n", d->location);
}

/* A loop while nobody else moves, and then a wait for the others: two locations. */
static inline void sys_atomic_loop(SystemDice *d) {
    Buf *o = d->out;
    unsigned l = d->location, t = d->thread;
    const char *less = sys_text(d, "slt", "ult"), *two = sys_text(d, "2", "2:2"), *one = sys_text(d, "1", "1:2");
    buf_printf(o, "  l%u atomic loop {\n    when (%s a%u %s) do a%u := (add a%u %s); goto l%u;\n", l, less, t, two, t, t, one, l);
    buf_printf(o, "    when (not (%s a%u %s)) do b%u := %s; goto l%u;\n  }\n  l%u {\n", less, t, two, t, one, l + 1, l + 1);
    d->location = l + 1;
    char condition[80];
    snprintf(condition, sizeof condition, "(= %c %s)", "xyz"[sys_roll(d, 3)], sys_text(d, "3", "3:2"));
    sys_step(d, condition, l + 2);
    if (sys_chance(d, 50)) buf_printf(o, "    when %s goto e%u;\n", condition, d->error++);
    buf_text(o, "  }\n");
}

/* … or first a step of its own, and the wait is inside: two locations. */
static inline void sys_atomic_wait(SystemDice *d) {
    Buf *o = d->out;
    unsigned l = d->location, t = d->thread;
    const char *less = sys_text(d, "slt", "ult"), *two = sys_text(d, "2", "2:2"), *one = sys_text(d, "1", "1:2");
    char condition[80];
    snprintf(condition, sizeof condition, "(= %c %s)", "xyz"[sys_roll(d, 3)], sys_text(d, "3", "3:2"));
    buf_printf(o, "  l%u {\n    ", l), sys_when(d, "");
    buf_printf(o, "do a%u := %s; goto l%u;\n  }\n  l%u atomic loop {\n", t, sys_text(d, "0", "0:2"), l + 1, l + 1);
    buf_printf(o, "    when (and %s (%s a%u %s)) do a%u := (add a%u %s); goto l%u;\n", condition, less, t, two, t, t, one, l + 1);
    d->location = l + 1;
    char over[120];
    snprintf(over, sizeof over, "(and %s (not (%s a%u %s)))", condition, less, t, two);
    sys_step(d, over, l + 2);
    buf_printf(o, "    when %s goto e%u;\n  }\n", over, d->error++);
}

/* Numbers that count modulo 4 only, used as such and otherwise: one location. */
static inline void sys_wrapped(SystemDice *d) {
    Buf *o = d->out;
    char condition[120];
    unsigned k = sys_roll(d, 4), n = sys_roll(d, 8);
    buf_printf(o, "  l%u {\n    ", d->location), sys_when(d, "");
    buf_text(o, sys_chance(d, 50) ? "do c := (mod (add c 3) 4);" : "do c := (mod (ite (= x y) c (add c 1)) 4);"),
        sys_goto(d, d->location + 1, "");
    switch (sys_roll(d, 4)) {
    case 0: snprintf(condition, sizeof condition, n % 2 ? "(not (= (mod c 4) %u))" : "(= (mod (add (mod c 4) %u) 8) %u)", k, n); break;
    case 1: snprintf(condition, sizeof condition, "(= (mod c 4) (add %c %u))", "xyz"[sys_roll(d, 3)], k); break;
    case 2: snprintf(condition, sizeof condition, "(= (mod (ite (= x %u) c (add c 1)) 4) %u)", k, n % 4); break;
    default: snprintf(condition, sizeof condition, "(slt (mod (mul c 3) 4) (mod (sub c %u) 4))", k);
    }
    buf_text(o, "    "), sys_when(d, condition), buf_printf(o, "goto e%u;\n  }\n", d->error++);
}

/* What passes look for, as one, two or three locations: how many. 0: nothing. */
static inline unsigned sys_special(SystemDice *d) {
    unsigned left = d->locations - d->location;
    if (left >= 3 && d->integers && sys_chance(d, 30)) return sys_filled(d), 3;
    if (left >= 2 && sys_chance(d, 30)) return sys_asked_once(d), 2;
    if (left >= 2 && (d->location || !d->thread) && sys_chance(d, 15)) return sys_atomic_loop(d), 2;
    if (left >= 2 && sys_chance(d, 12)) return sys_atomic_wait(d), 2;
    if (d->integers && sys_chance(d, 20)) return sys_wrapped(d), 1;
    if (d->integers && sys_chance(d, 10)) return sys_signed(d), 1;
    if (d->integers && sys_chance(d, 15)) return sys_looked_for(d), 1;
    return 0;
}

static inline void sys_locations(SystemDice *d) {
    unsigned n = d->locations, other[8];
    bool head[8] = {0};
    for (unsigned l = 0; l < n; l++) {
        other[l] = sys_chance(d, 25) ? sys_roll(d, n) : l + 1 + sys_roll(d, n - l);
        if (other[l] <= l) head[other[l]] = true;
    }
    for (unsigned l = 0; l < n; l++) {
        char condition[400], negation[420];
        d->location = l;
        unsigned special = head[l] ? 0 : sys_special(d);
        if (special) {
            l += special - 1;
            continue;
        }
        buf_printf(d->out, "  l%u%s%s {\n", l, l && sys_chance(d, 20) ? " atomic" : "", head[l] ? " loop" : "");
        sys_question(d, condition, sizeof condition);
        snprintf(negation, sizeof negation, "(not %s)", condition);
        bool asks = sys_chance(d, 55) || other[l] <= l, errs = sys_chance(d, 35);
        sys_step(d, asks ? condition : "", l + 1);
        if (asks && errs) {
            buf_text(d->out, "    "), sys_when(d, sys_chance(d, 70) ? negation : condition);
            buf_printf(d->out, "goto e%u;\n", d->error++);
        }
        if (asks && (!errs || other[l] <= l)) sys_step(d, negation, other[l]);
        if (sys_chance(d, 15)) sys_stutter(d);
        buf_text(d->out, "  }\n");
    }
}

static inline void sys_thread(SystemDice *d, unsigned first_error) {
    Buf *o = d->out;
    unsigned t = d->thread;
    bool many = d->many && (t == d->many || t == d->many + 1);
    if (t) buf_printf(o, "thread t%u", t);
    else buf_text(o, "thread main");
    if (many) buf_printf(o, " many twin t%u self me%u status st%u entry l0 {\n", t == d->many ? t + 1 : t - 1, t, d->many);
    else buf_printf(o, " status st%u entry %s {\n", t, t ? "l0" : "c1");
    for (unsigned k = 1; k < d->threads && !t; k++) { /* main creates the others first, perhaps it waits for one at the end */
        if (d->many && k == d->many + 1) continue;
        unsigned next = d->many && k == d->many ? k + 2 : k + 1;
        buf_printf(o, "  c%u {\n    creates t%u do st%u := %s; goto ", k, k, k, d->integers ? "1" : "1:2");
        if (next < d->threads) buf_printf(o, "c%u;\n  }\n", next);
        else buf_text(o, "l0;\n  }\n");
    }
    sys_locations(d);
    if (!t && sys_chance(d, 40) && !(d->many == 1)) {
        buf_printf(o, "  l%u {\n    when (= st1 %s) joins t1 goto j;\n  }\n  j {\n    when ", d->locations, d->integers ? "2" : "2:2");
        sys_condition(d, 1, true), buf_printf(o, " goto e%u;\n  }\n", d->error++);
    } else {
        buf_printf(o, "  l%u end;\n", d->locations);
    }
    for (unsigned e = first_error; e < d->error; e++) buf_printf(o, "  e%u error \"%c\";\n", e, 'A' + (int)(e % 32));
    buf_text(o, "}\n");
}

/* A thread that looks at one variable, and then at another: what others see between two steps counts. */
static inline void sys_watch(SystemDice *d) {
    Buf *o = d->out;
    unsigned t = d->thread;
    char first = "xyz"[sys_roll(d, 3)], second = "xyz"[sys_roll(d, 3)];
    const char *w = sys_text(d, "", ":2");
    buf_printf(o, "thread t%u status st%u entry l0 {\n  l0 {\n", t, t);
    for (unsigned v = 0; v < 4; v++) buf_printf(o, "    when (and (= st%u 1%s) (= %c %u%s)) goto l%u;\n", t, w, first, v, w, v + 1);
    buf_text(o, "  }\n");
    for (unsigned v = 0; v < 4; v++) {
        buf_printf(o, "  l%u {\n", v + 1);
        for (unsigned k = 0; k < 4; k++) buf_printf(o, "    when (= %c %u%s) goto e%u;\n", second, k, w, 1000 + 4 * v + k);
        buf_text(o, "  }\n");
    }
    for (unsigned e = 0; e < 16; e++) buf_printf(o, "  e%u error \"%c\";\n", 1000 + e, 'a' + (int)e);
    buf_text(o, "}\n");
}

/* ---- all ---- */

static inline void sys_variables(SystemDice *d) {
    Buf *o = d->out;
    const char *sort = d->integers ? "int" : "bv2", *as = d->integers ? " as bv2" : "", *w = d->integers ? "" : ":2",
               *v = d->integers ? "" : ":32";
    for (unsigned i = 0; i < 3; i++) buf_printf(o, "global %c : %s = %u%s%s;\n", "xyz"[i], sort, sys_roll(d, 3), w, as);
    buf_printf(o, "global m : %s = 0%s%s;\nglobal f : %s = 0%s%s;\n", d->integers ? "int" : "bv32", v, d->integers ? " as bv32" : "", sort,
               w, as);
    if (d->integers)
        buf_text(o, "global arr : array(int,int) = (store (store (const-array array(int,int) 0) 0 2) 1 1) as array(bv64,bv8);\n");
    if (d->integers) buf_text(o, "global n : int = 0 as bv32;\nglobal s : int = -1 as signed bv32;\n");
    if (d->integers) buf_printf(o, "global c : int = %u as congruent bv2;\n", sys_roll(d, 8));
    for (unsigned t = 0; t < d->threads; t++) {
        if (!(d->many && t == d->many + 1)) buf_printf(o, "global st%u : %s = %u%s;\n", t, sort, t ? 0u : 1u, w);
        char name[16] = "main";
        if (t) snprintf(name, sizeof name, "t%u", t);
        for (unsigned i = 0; i < 3; i++) buf_printf(o, "local %c%u : %s = 0%s in %s%s;\n", "abq"[i], t, sort, w, name, as);
        if (d->integers)
            buf_printf(o, "local i%u : int = 0 in %s as signed bv32;\nlocal h%u : array(int,int) in %s as array(bv64,bv32);\n", t, name, t,
                       name);
        if (d->many && (t == d->many || t == d->many + 1)) buf_printf(o, "local me%u : %s in %s;\n", t, d->integers ? "int" : "bv32", name);
    }
}

/* The second twin is the first with other names. */
static inline void sys_twin(SystemDice *d, const char *first) {
    unsigned t = d->many;
    for (const char *at = first; *at; at++) {
        bool begins = at == first || !(at[-1] >= 'a' && at[-1] <= 'z');
        const char *names[] = {"a", "b", "q", "i", "h", "w", "me", "t", "v"};
        size_t n = 0;
        for (unsigned i = 0; i < 9 && begins && !n; i++) {
            size_t length = strlen(names[i]);
            if (!strncmp(at, names[i], length) && at[length] >= '0' && at[length] <= '9') n = length;
        }
        if (!n) {
            buf_char(d->out, *at);
            continue;
        }
        unsigned number = 0;
        buf_bytes(d->out, at, n);
        for (at += n; *at >= '0' && *at <= '9'; at++) number = number * 10 + (unsigned)(*at - '0');
        at--;
        if (at[0] && n == 1 && first && number >= 100) buf_printf(d->out, "%u", number + 100); /* an input */
        else buf_printf(d->out, "%u", number == t ? t + 1 : number == t + 1 ? t : number);
    }
}

static inline void random_system(uint64_t seed, Buf *out) {
    SystemDice d = {.dice = {.state = seed * UINT64_C(0x9e3779b97f4a7c15) + 7}, .out = out};
    for (unsigned i = 0; i < 4; i++) (void)sys_roll(&d, 2);
    d.integers = sys_chance(&d, 70);
    d.threads = 2 + sys_roll(&d, 3) % 2 + sys_roll(&d, 2);
    d.many = sys_chance(&d, 25) ? d.threads - 1 : 0;
    if (d.many) d.threads++;
    buf_printf(out, "system %s;\n", d.integers ? "integers" : "bitvectors");
    sys_variables(&d);
    bool watched = sys_chance(&d, 50);
    for (d.thread = 0; d.thread < d.threads; d.thread++) {
        unsigned first = d.error;
        *d.last = 0;
        if (watched && d.thread == (d.many ? d.many - 1 : d.threads - 1) && d.thread) {
            sys_watch(&d);
            continue;
        }
        d.locations = 1 + sys_roll(&d, d.threads > 2 ? 3 : 5);
        if (d.many && d.thread == d.many) {
            Buf text = {0};
            d.input = 100;
            d.out = &text;
            sys_thread(&d, first);
            d.out = out;
            buf_text(out, buf_string(&text));
            sys_twin(&d, buf_string(&text));
            buf_free(&text);
            break;
        }
        sys_thread(&d, first);
    }
}
