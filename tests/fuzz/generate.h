/* SPDX-License-Identifier: Apache-2.0 */
/* Random small multi-threaded programs in .hir text, one action to a line (the shrinker deletes lines). They have what a
   reduction reasons about: mutexes used rightly and wrongly, flags as locks, atomic sections, waiting before and after a
   commit, threads created once, twice or in a loop, joined or not, memory at constant and variable places, accessed in pieces, fresh memory filled
   commit, threads created once, twice or in a loop, by main or each other, joined or not, memory at constant and variable places, fresh memory filled
   with inputs, wrap-around. */
#pragma once
#include "../unit/random_program.h"
#include <stdio.h>

enum { GLOBALS = 3 };

typedef struct Generator {
    Dice dice;
    Buf *out;
    unsigned width[GLOBALS]; /* of x, y, z */
    bool memory, many, pointers, heap, pieces, families;
    unsigned label, depth; /* of the thread at work */
    unsigned fresh;        /* the last label of a branch or loop: there is room for 100 behind each */
    bool is_main, atomic;
    unsigned kind;               /* of the mutexes k and n */
    unsigned handles;            /* threads created so far, in h0, h1, … */
    unsigned known[400], nknown; /* labels that the thread has */
} Generator;

static inline bool chance(Generator *g, unsigned percent) { return roll(&g->dice, 100) < percent; }
static inline unsigned pick(Generator *g, unsigned n) { return roll(&g->dice, n); }

/* ---- expressions ---- */

/* A variable of the width, or none (false). Locals: a (8 bits), b (32), c (2). */
static inline bool gen_variable(Generator *g, unsigned width, bool shared, bool own) {
    const char *fit[8];
    unsigned n = 0;
    static const char *const names[] = {"x", "y", "z"};
    for (unsigned i = 0; i < GLOBALS && shared; i++)
        if (g->width[i] == width) fit[n++] = names[i];
    if (own && (!n || chance(g, 60))) fit[n++] = width == 8 ? "a" : width == 32 ? "b" : "c";
    if (!n) return false;
    buf_text(g->out, fit[pick(g, n)]);
    return true;
}

static inline unsigned gen_width(Generator *g) {
    static const unsigned widths[] = {2, 8, 32};
    return chance(g, 75) ? g->width[pick(g, GLOBALS)] : widths[pick(g, 3)];
}

static inline void gen_constant(Generator *g, unsigned width) {
    static const int odd[] = {-1, -2, 127, 128, 255, -128};
    unsigned r = pick(g, 12);
    if (r == 0 && width == 32) buf_text(g->out, chance(g, 50) ? "2147483647:32" : "-2147483648:32");
    else if (r <= 1 && width >= 8) buf_printf(g->out, "%d:%u", odd[pick(g, 6)], width);
    else buf_printf(g->out, "%u:%u", pick(g, 4), width);
}

static inline void gen_value(Generator *g, unsigned width, unsigned depth) {
    Buf *o = g->out;
    static const char *const ops[] = {"add", "sub", "add", "sub", "add nsw", "sub nsw", "add nuw", "mul", "bxor", "band"};
    unsigned r = depth ? pick(g, 12) : pick(g, 4);
    if (r < 3) {
        if (!gen_variable(g, width, true, true)) gen_constant(g, width);
    } else if (r == 3) {
        gen_constant(g, width);
    } else if (r < 9) {
        buf_printf(o, "(%s ", ops[pick(g, chance(g, 85) ? 7 : 10)]);
        gen_value(g, width, depth - 1), buf_char(o, ' ');
        gen_constant(g, width), buf_char(o, ')');
    } else if (r == 9) {
        unsigned from = gen_width(g);
        if (from == width) gen_value(g, width, depth - 1);
        else if (from < width)
            buf_printf(o, "(%s %u ", chance(g, 50) ? "zext" : "sext", width), gen_value(g, from, depth - 1), buf_char(o, ')');
        else buf_printf(o, "(extract 0 %u ", width), gen_value(g, from, depth - 1), buf_char(o, ')');
    } else if (r == 10) {
        buf_printf(o, "(%s ", pick(g, 2) ? pick(g, 2) ? "urem" : "udiv" : pick(g, 2) ? "srem" : "sdiv");
        gen_value(g, width, depth - 1), buf_char(o, ' ');
        if (chance(g, 80)) gen_constant(g, width);
        else gen_value(g, width, 0);
        buf_char(o, ')');
    } else {
        buf_text(o, "(ite (= "), gen_value(g, width, 0), buf_char(o, ' '), gen_constant(g, width), buf_text(o, ") ");
        gen_value(g, width, depth - 1), buf_char(o, ' '), gen_value(g, width, 0), buf_char(o, ')');
    }
}

static inline void gen_condition(Generator *g, unsigned depth) {
    Buf *o = g->out;
    static const char *const orders[] = {"ult", "ule", "slt", "sle"};
    unsigned w = gen_width(g), r = pick(g, depth ? 10 : 7);
    if (r == 4) {
        buf_text(o, "(= "), gen_value(g, w, 1), buf_char(o, ' '), gen_value(g, w, 0), buf_char(o, ')');
    } else if (r < 5) {
        buf_text(o, "(= "), gen_value(g, w, r == 0), buf_char(o, ' '), gen_constant(g, w), buf_char(o, ')');
    } else if (r < 7) {
        buf_printf(o, "(%s ", orders[pick(g, 4)]);
        if (chance(g, 50)) gen_value(g, w, 1), buf_char(o, ' '), gen_constant(g, w);
        else gen_constant(g, w), buf_char(o, ' '), gen_value(g, w, 0);
        buf_char(o, ')');
    } else if (r == 7) {
        buf_text(o, "(not "), gen_condition(g, depth - 1), buf_char(o, ')');
    } else {
        buf_printf(o, "(%s ", r == 8 ? "and" : "or"), gen_condition(g, depth - 1), buf_char(o, ' '), gen_condition(g, depth - 1),
            buf_char(o, ')');
    }
}

/* ---- places in memory ---- */

static inline void gen_index(Generator *g, unsigned elements, unsigned size) {
    Buf *o = g->out;
    unsigned r = g->pieces ? 0 : pick(g, 3);
    if (r == 0) buf_printf(o, "%u:64", pick(g, elements) * size);
    else if (r == 1) buf_printf(o, "(mul (zext 64 (band a %u:8)) %u:64)", elements - 1, size);
    else buf_printf(o, "(mul (zext 64 c) %u:64)", size);
}

/* The address of a byte (size 1) or word (size 4). */
static inline void gen_place(Generator *g, unsigned size) {
    Buf *o = g->out;
    unsigned r = pick(g, g->pointers ? 6 : 2);
    if (g->heap && size == 1 && chance(g, 60)) {
        buf_text(o, "(add hp "), gen_index(g, 4, 1), buf_char(o, ')');
        return;
    }
    if (g->pieces && chance(g, 40)) {
        buf_printf(o, "(add words %u:64)", size == 1 ? pick(g, 12) : 2 * pick(g, 5));
        return;
    }
    if (r >= 4 && !g->is_main && size == 4) buf_text(o, "argument");
    else if (r >= 2 && size == 4) buf_text(o, chance(g, 50) ? "lp" : "gp");
    else buf_printf(o, "(add %s ", size == 1 ? "bytes" : "words"), gen_index(g, 4, size), buf_char(o, ')');
}

static inline void gen_pointer(Generator *g) {
    static const char *const names[] = {"words", "(add words 4:64)", "cell", "lp", "gp", "own"};
    buf_text(g->out, names[pick(g, g->is_main ? 6 : 5)]);
}

static inline const char *gen_mutex(Generator *g) {
    static const char *const names[] = {"[m]", "[m]", "[m]", "[n]", "k", "[(add ms (mul (zext 64 (band c 1:2)) 4:64))]", "[(add ms 4:64)]"};
    return names[pick(g, g->memory ? 7 : 5)];
}

/* ---- instructions and locations ---- */

static inline void gen_assignment(Generator *g) {
    Buf *o = g->out;
    unsigned w = gen_width(g);
    Buf *saved = g->out, target = {0};
    g->out = &target;
    if (!gen_variable(g, w, true, true)) buf_text(&target, "a"), w = 8;
    g->out = saved;
    buf_printf(o, "%s := ", buf_string(&target));
    if (target.text[0] == 'x' && chance(g, 50)) buf_printf(o, "(%s x 1:%u)", chance(g, 70) ? "add" : "sub", w);
    else gen_value(g, w, 1 + pick(g, 2));
    buf_text(o, "; ");
    buf_free(&target);
}

static inline void gen_input(Generator *g) {
    unsigned r = pick(g, 4);
    if (r == 0) buf_text(g->out, "c := any; ");
    else if (r == 1) buf_text(g->out, "a := any; assume (ult a 3:8); ");
    else if (r == 2) buf_text(g->out, "b := any; assume (and (sle -1:32 b) (slt b 2:32)); ");
    else buf_text(g->out, chance(g, 50) ? "a := undefined; " : "a := any; ");
}

static inline void gen_instr(Generator *g) {
    Buf *o = g->out;
    unsigned r = pick(g, 20);
    if (r < 10) gen_assignment(g);
    else if (r == 10) gen_input(g);
    else if (r == 11) buf_printf(o, g->kind ? "e := lock %s; a := (extract 0 8 e); " : "lock %s; ", gen_mutex(g));
    else if (r == 12) buf_printf(o, g->kind ? "e := unlock %s; a := (extract 0 8 e); " : "unlock %s; ", gen_mutex(g));
    else if (r == 13) buf_printf(o, "e := trylock %s; a := (extract 0 8 e); ", gen_mutex(g));
    else if (r == 14) buf_text(o, "assume "), gen_condition(g, 1), buf_text(o, "; ");
    else if (r == 15 && g->memory) buf_text(o, "a := load ["), gen_place(g, 1), buf_text(o, "]; ");
    else if (r == 16 && g->memory) buf_text(o, "store ["), gen_place(g, 1), buf_text(o, "] := "), gen_value(g, 8, 1), buf_text(o, "; ");
    else if (r == 17 && g->memory) buf_text(o, "b := load ["), gen_place(g, 4), buf_text(o, "]; ");
    else if (r == 18 && g->memory) buf_text(o, "store ["), gen_place(g, 4), buf_text(o, "] := "), gen_value(g, 32, 1), buf_text(o, "; ");
    else if (r == 19 && g->pointers) buf_text(o, chance(g, 60) ? "lp := " : "gp := "), gen_pointer(g), buf_text(o, "; ");
    else gen_assignment(g);
}

static inline void gen_open(Generator *g) {
    if (g->nknown < 400) g->known[g->nknown++] = g->label;
    buf_printf(g->out, "  l%u%s {\n", g->label, g->atomic && g->label ? " atomic" : "");
}

/* One location with one action to the next. */
static inline void gen_step(Generator *g) {
    gen_open(g);
    buf_text(g->out, "    ");
    if (chance(g, 7)) buf_text(g->out, "when "), gen_condition(g, 1), buf_char(g->out, ' ');
    buf_text(g->out, "do ");
    for (unsigned n = chance(g, 80) ? 1 : 2; n; n--) gen_instr(g);
    g->label++;
    buf_printf(g->out, "goto l%u;\n", g->label);
    if (chance(g, 3)) buf_text(g->out, "    do "), gen_instr(g), buf_printf(g->out, "goto l%u;\n", g->known[pick(g, g->nknown)]);
    buf_text(g->out, "  }\n");
}

static inline void gen_text_step(Generator *g, const char *text) {
    gen_open(g);
    g->label++;
    buf_printf(g->out, "    %s goto l%u;\n  }\n", text, g->label);
}

static inline void gen_statements(Generator *g, unsigned n);

static inline void gen_assert(Generator *g) {
    Buf condition = {0}, *saved = g->out;
    g->out = &condition;
    gen_condition(g, 2);
    g->out = saved;
    gen_open(g);
    g->label++;
    buf_printf(g->out, "    when %s goto bad;\n    when (not %s) goto l%u;\n  }\n", buf_string(&condition), buf_string(&condition),
               g->label);
    buf_free(&condition);
}

/* lock … unlock, with a mutex or a flag; now and then a half is missing, or only on one branch. */
static inline void gen_critical(Generator *g) {
    static const char *const pairs[][2] = {{"do lock [m];", "do unlock [m];"},
                                           {"do lock [m];", "do unlock [m];"},
                                           {"do lock [n];", "do unlock [n];"},
                                           {"do lock k;", "do unlock k;"},
                                           {"do assume (= f 0:8); f := 1:8;", "do f := 0:8;"},
                                           {"when (= f 0:8) do f := 1:8;", "do f := 0:8;"},
                                           {"do assume (= f 0:8); f := 2:8;", "do assume (not (= f 0:8)); f := 0:8;"},
                                           {"do assume (ult f 2:8); f := (add f 1:8);", "do f := (sub f 1:8);"}};
    unsigned p = pick(g, 8);
    if (chance(g, 92)) gen_text_step(g, pairs[p][0]);
    gen_statements(g, 1 + pick(g, 3));
    if (chance(g, 92)) gen_text_step(g, pairs[p][1]);
}

static inline void gen_branch(Generator *g) {
    Buf condition = {0}, *saved = g->out;
    g->out = &condition;
    gen_condition(g, 1);
    g->out = saved;
    bool both = chance(g, 50);
    unsigned at = g->label, other = g->fresh += 100, join = g->fresh += 100;
    gen_open(g);
    buf_printf(g->out, "    when %s goto l%u;\n    when (not %s) goto l%u;\n  }\n", buf_string(&condition), at + 1, buf_string(&condition),
               both ? other : join);
    g->label = at + 1;
    gen_statements(g, 1);
    buf_printf(g->out, "  l%u%s {\n    goto l%u;\n  }\n", g->label, g->atomic ? " atomic" : "", join);
    if (both) {
        g->label = other;
        gen_statements(g, 1);
        buf_printf(g->out, "  l%u%s {\n    goto l%u;\n  }\n", g->label, g->atomic ? " atomic" : "", join);
    }
    g->label = join;
    buf_free(&condition);
}

static inline void gen_loop(Generator *g) {
    unsigned head = g->label, bound = 1 + pick(g, 3), done = g->fresh += 100;
    bool endless = chance(g, 15);
    if (!endless) {
        gen_text_step(g, "do i := 0:8;");
        head = g->label;
    }
    buf_printf(g->out, "  l%u%s%s {\n", head, g->atomic ? " atomic" : "", chance(g, 80) ? " loop" : "");
    if (endless)
        buf_printf(g->out, "    when "), gen_condition(g, 0), buf_printf(g->out, " goto l%u;\n    goto l%u;\n  }\n", done, head + 1);
    else
        buf_printf(g->out, "    when (ult i %u:8) do i := (add i 1:8); goto l%u;\n    when (not (ult i %u:8)) goto l%u;\n  }\n", bound,
                   head + 1, bound, done);
    g->label = head + 1;
    gen_statements(g, 1 + pick(g, 2));
    buf_printf(g->out, "  l%u%s {\n    goto l%u;\n  }\n", g->label, g->atomic ? " atomic" : "", head);
    g->label = done;
}

/* Memory from the heap, filled with inputs; now and then not quite. */
static inline void gen_fill(Generator *g) {
    Buf *o = g->out;
    char bound[16], first[64];
    if (chance(g, 80)) snprintf(bound, sizeof bound, "%u:8", 1 + pick(g, 3));
    else snprintf(bound, sizeof bound, "a");
    snprintf(first, sizeof first, "do hp := alloc fresh size 4:64%s; i := %u:8;", chance(g, 15) ? " zeroed" : "", chance(g, 85) ? 0 : 1);
    gen_text_step(g, first);
    if (chance(g, 15)) gen_text_step(g, "do store [(add hp 1:64)] := 1:8;");
    unsigned head = g->label++;
    buf_printf(o, "  l%u loop {\n    when (ult i %s) do c := any; store [(add hp (zext 64 i))] := (zext 8 c); ", head, bound);
    if (chance(g, 15)) gen_instr(g);
    buf_printf(o, "i := (add i 1:8); goto l%u;\n", head);
    if (chance(g, 10)) buf_printf(o, "    goto l%u;\n", g->label);
    buf_printf(o, "    when (not (ult i %s)) goto l%u;\n  }\n", bound, g->label);
}

static inline void gen_atomic(Generator *g) {
    if (g->atomic) return;
    gen_step(g);
    g->atomic = true;
    gen_statements(g, 1 + pick(g, 2));
    g->atomic = false;
    gen_text_step(g, "");
}

static inline void gen_statement(Generator *g) {
    unsigned r = pick(g, 100);
    if (g->depth < 3) {
        g->depth++;
        if (r < 14) gen_critical(g);
        else if (r < 22) gen_branch(g);
        else if (r < 27) gen_loop(g);
        else if (r < 33) gen_atomic(g);
        else if (r < 43) gen_assert(g);
        else gen_step(g);
        g->depth--;
    } else {
        gen_step(g);
    }
}

static inline void gen_statements(Generator *g, unsigned n) {
    while (n--) gen_statement(g);
}

/* ---- threads ---- */

static inline void gen_create(Generator *g) {
    Buf *o = g->out;
    unsigned worker = pick(g, 2);
    if (g->many && chance(g, 60)) { /* in a loop that is not known to end after so many rounds */
        unsigned head = g->label++;
        buf_printf(o, "  l%u loop {\n    when (ult count %u:8) do count := (add count 1:8); h%u := create w%u (", head, 1 + pick(g, 2),
                   g->handles % 3, worker);
        if (g->pointers) gen_pointer(g);
        else buf_text(o, "0:64");
        buf_printf(o, "); goto l%u;\n    goto l%u;\n  }\n", head, g->label);
        g->handles++;
        return;
    }
    gen_open(g);
    g->label++;
    buf_printf(o, "    do h%u := create w%u (", g->handles % 3, worker);
    if (g->pointers) gen_pointer(g);
    else buf_text(o, "0:64");
    buf_printf(o, "); goto l%u;\n  }\n", g->label);
    g->handles++;
}

/* A worker creates another: threads of which main creates some too, perhaps. */
static inline void gen_descendants(Generator *g) {
    unsigned head = g->label++;
    if (chance(g, 50)) {
        buf_printf(g->out, "  l%u {\n    do create w1 (argument); goto l%u;\n  }\n", head, g->label);
        return;
    }
    buf_printf(g->out, "  l%u loop {\n    when (ult i 1:8) do i := (add i 1:8); create w1 (argument); goto l%u;\n    goto l%u;\n  }\n",
               head, head, g->label);
}

static inline void gen_join(Generator *g) {
    char text[64];
    snprintf(text, sizeof text, chance(g, 30) ? "do r := join (h%u); b := (extract 0 32 r);" : "do join (h%u);",
             pick(g, g->handles < 3 ? g->handles : 3));
    gen_text_step(g, text);
}

static inline void gen_main(Generator *g) {
    unsigned threads = 1 + (chance(g, 60) ? 1 : pick(g, 3));
    if (g->heap) gen_fill(g);
    for (unsigned i = 0; i < threads; i++) {
        if (chance(g, 25)) gen_statements(g, 1);
        gen_create(g);
    }
    if (g->heap && chance(g, 20)) gen_fill(g);
    gen_statements(g, pick(g, 3));
    for (unsigned i = 0; i < threads; i++) {
        if (chance(g, 75)) gen_join(g);
        if (chance(g, 20)) gen_statements(g, 1);
    }
    if (chance(g, 60)) gen_assert(g);
}

static inline void gen_thread(Generator *g, const char *name, bool is_main) {
    Buf *o = g->out;
    g->label = g->nknown = g->fresh = 0;
    g->is_main = is_main;
    g->atomic = false;
    if (is_main) buf_text(o, "thread main {\n");
    else buf_printf(o, "thread %s count many {\n", name);
    buf_printf(o, "  local a : bv8%s;\n  local b : bv32%s;\n  local c : bv2;\n  local e : bv32;\n  local i : bv8;\n",
               chance(g, 50) ? " signed" : "", chance(g, 50) ? " signed" : "");
    for (unsigned h = 0; h < 3 && is_main; h++) buf_printf(o, "  local h%u : bv32;\n", h);
    if (is_main) buf_text(o, "  local r : bv64;\n");
    if (g->pointers) buf_text(o, "  local lp : bv64;\n");
    if (g->pointers && is_main) buf_text(o, "  object own : local 4;\n");
    buf_text(o, "  start {\n    do a := 0:8; b := 0:32; c := 0:2; i := 0:8; e := 0:32; ");
    if (is_main) buf_text(o, "h0 := 1:32; h1 := 1:32; h2 := 1:32; ");
    if (g->pointers) buf_text(o, "lp := words; ");
    if (g->pointers && is_main) buf_text(o, "alive own; ");
    buf_text(o, "goto l0;\n  }\n");
    if (is_main) gen_main(g);
    else gen_statements(g, 1 + pick(g, 3));
    if (g->families && !strcmp(name, "w0")) {
        gen_descendants(g);
        if (chance(g, 50)) gen_statements(g, 1);
    }
    if (!is_main && chance(g, 30)) gen_text_step(g, "do result := (zext 64 a);");
    buf_printf(o, "  l%u %s;\n  bad error;\n}\n", g->label, is_main && chance(g, 40) ? "halt" : "end");
}

static inline void generate(uint64_t seed, Buf *out) {
    static const unsigned widths[] = {2, 8, 32};
    Generator g = {.dice = {.state = seed * 0x9e3779b97f4a7c15u + 88172645463325252u}, .out = out};
    for (unsigned i = 0; i < 5; i++) roll(&g.dice, 2);
    unsigned same = pick(&g, 5);
    for (unsigned i = 0; i < GLOBALS; i++) g.width[i] = same < 3 ? widths[same] : widths[pick(&g, 3)];
    g.memory = chance(&g, 40);
    g.pointers = g.memory && chance(&g, 50);
    g.pieces = g.memory && chance(&g, 25);
    g.heap = g.memory && chance(&g, 40);
    g.many = chance(&g, 25);
    g.families = chance(&g, 15);
    for (unsigned i = 0; i < GLOBALS; i++)
        buf_printf(out, "global %c : bv%u = %u:%u%s;\n", "xyz"[i], g.width[i], pick(&g, 2), g.width[i], chance(&g, 50) ? " signed" : "");
    /* In one of four, k and n are recursive mutexes, or error-checking ones. */
    g.kind = seed % 4 == 3 ? 1 + seed / 4 % 2 : 0;
    buf_printf(out, "global f : bv8 = 0:8;\nglobal k : bv32 = %u:32;\nobject m : global 4;\nobject n : global 4 = \"00 00 00 %u0\";\n",
               g.kind << 28, g.kind);
    if (g.many) buf_text(out, "global count : bv8 = 0:8;\n");
    if (g.memory) buf_text(out, "object ms : global 8;\nobject bytes : global 4 = \"01 02\";\nobject words : global 16;\n");
    if (g.heap) buf_text(out, "object fresh : heap;\nglobal hp : bv64 = 0:64;\n");
    if (g.pointers) buf_text(out, "object cell : global 4;\nglobal gp : bv64 = words;\n");
    gen_thread(&g, "main", true);
    gen_thread(&g, "w0", false);
    gen_thread(&g, "w1", false);
}
