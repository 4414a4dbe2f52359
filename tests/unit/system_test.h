/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of systems share: from text to a system with movers and blocks, as the engine redcomp makes it, and the
   programs that several of them use. */
#pragma once
#include "ir_test.h"
#include "passes/passes.h"

/* By the tables of passes, a transition for each action or atomic section. */
static inline Chain prepared(const char *text, Arithmetic arithmetic) {
    Program *original = program_of(text);
    Chain p = chain_new(original, (PassSettings){.arithmetic = arithmetic, .fine = true});
    program_free(original);
    if (!passes_run(&p, &passes_building, NULL)) fail_msg("%s", buf_string(&p.why));
    passes_run(&p, &passes_reducing, "find-locks");
    p.movers = movers_new(p.system, p.smt, NULL); /* all variables matter: most programs here have no assertion */
    p.blocks = blocks_new(p.system, p.smt, p.movers);
    return p;
}

static inline void release(Chain *p) { chain_free(p); }

/* The thread of that name; an instance is called name#2. */
static inline unsigned thread_called(const System *s, const char *name) {
    size_t n = strlen(name);
    for (unsigned t = 0; t < vec_len(s->threads); t++)
        if (!strncmp(s->threads[t].name, name, n) && (!s->threads[t].name[n] || s->threads[t].name[n] == '#')) return t;
    fail_msg("no thread %s", name);
    return 0;
}

static inline unsigned variable_called(const System *s, const char *name) {
    for (unsigned v = 0; v < vec_len(s->variables); v++)
        if (!strcmp(s->variables[v].name, name)) return v;
    fail_msg("no variable %s", name);
    return 0;
}

/* Program P1-1, Figure 1 of the RedComp paper; main creates and joins its threads and asks whether x is 11. */
static const char p1_1[] = "global x : bv32 = 2:32 signed;\n"
                           "global y : bv32 = 2:32 signed;\n"
                           "global mx : bv32 = 0:32;\n"
                           "global my : bv32 = 0:32;\n"
                           "thread main {\n"
                           "  local t1 : bv32; local t2 : bv32; local t3 : bv32;\n"
                           "  c1 { do t1 := create one (0:64); goto c2; }\n"
                           "  c2 { do t2 := create two (0:64); goto c3; }\n"
                           "  c3 { do t3 := create three (0:64); goto j1; }\n"
                           "  j1 { do join (t1); goto j2; }\n"
                           "  j2 { do join (t2); goto j3; }\n"
                           "  j3 { do join (t3); goto test; }\n"
                           "  test { when (= x 11:32) goto bad; when (not (= x 11:32)) goto done; }\n"
                           "  bad error \"x is 11\";\n"
                           "  done halt;\n"
                           "}\n"
                           "thread one {\n"
                           "  local a : bv32 signed;\n"
                           "  l0 { do lock mx; goto l1; }\n"
                           "  l1 { do a := x; goto l2; }\n"
                           "  l2 { do lock my; goto l3; }\n"
                           "  l3 { do y := (add nsw y a); goto l4; }\n"
                           "  l4 { do unlock my; goto l5; }\n"
                           "  l5 { do a := (add nsw a 1:32); goto l6; }\n"
                           "  l6 { do lock my; goto l7; }\n"
                           "  l7 { do y := (add nsw y a); goto l8; }\n"
                           "  l8 { do unlock my; goto l9; }\n"
                           "  l9 { do x := (add nsw (mul nsw 2:32 x) a); goto l10; }\n"
                           "  l10 { do unlock mx; goto l11; }\n"
                           "  l11 end;\n"
                           "}\n"
                           "thread two {\n"
                           "  l0 { do lock mx; goto l1; }\n"
                           "  l1 { do x := (add nsw x 2:32); goto l2; }\n"
                           "  l2 { do unlock mx; goto l3; }\n"
                           "  l3 end;\n"
                           "}\n"
                           "thread three {\n"
                           "  l0 { do lock my; goto l1; }\n"
                           "  l1 { do y := (add nsw y 2:32); goto l2; }\n"
                           "  l2 { do unlock my; goto l3; }\n"
                           "  l3 end;\n"
                           "}\n";
