/* SPDX-License-Identifier: Apache-2.0 */
/* The engine impact in all its configurations: verdicts, proofs that check, traces that replay; what control states know; loops that create threads, cut
   after some rounds. */
#include "check/proof.h"
#include "check/replay.h"
#include "engine/engine.h"
#include "ir_test.h"
#include "passes/prepare.h"
#include "passes/program/program_passes.h"
#include "interpolation/control_states.h"

/* Without cover expansions the reader is forgotten at the node that covers; see tests/c/engines/impact/cover_expansion.c. */
static const char covers[] =
    "global x : bv8 = 0:8;\n"
    "thread main { local r : bv32; local w : bv32;\n"
    "  l0 { do r := create reader (0:64); goto l1; } l1 { do w := create writer (0:64); goto l2; } l2 { do join (w); goto l3; } l3 halt; "
    "}\n"
    "thread reader { l0 { when (not (= x 0:8)) goto bad; when (= x 0:8) goto l1; } bad error; l1 end; }\n"
    "thread writer { l0 { goto l2; goto l1; } l1 { do x := 1:8; goto l2; } l2 { do x := 0:8; goto l3; } l3 end; }\n";

/* Two threads add to a counter; each iteration is atomic. The bound needs an invariant. */
#define COUNT(limit)                                                                                   \
    "global x : bv32 = 0:32 signed;\n"                                                                 \
    "thread main { local a : bv32; local b : bv32;\n"                                                  \
    "  l0 { do a := create up (0:64); goto l1; } l1 { do b := create down (0:64); goto l2; }\n"        \
    "  l2 { when (slt x -" limit ":32) goto bad; when (sle -" limit ":32 x) goto l2; } bad error; }\n" \
    "thread up { l0 loop { do x := (add nsw x 1:32); goto l0; } }\n"                                   \
    "thread down { l0 { do x := (sub nsw x 3:32); goto l1; } l1 end; }\n"

static const char two_indices[] = "object t : global 16;\n"
                                  "global i : bv64 signed; global j : bv64 signed;\n"
                                  "thread main { local a : bv32; local b : bv32; local v : bv32;\n"
                                  "  s { do i := any; j := any; goto l; }\n"
                                  "  l { when (and (ult i 4:64) (ult j 4:64) (not (= i j))) do store [t] := 0:32; goto l0; }\n"
                                  "  l0 { do a := create one (0:64); goto l1; } l1 { do b := create two (0:64); goto l2; }\n"
                                  "  l2 { do join (a); goto l3; } l3 { do join (b); goto l4; }\n"
                                  "  l4 { do v := load [(add t (mul i 4:64))]; goto l5; }\n"
                                  "  l5 { when (not (= v 1:32)) goto bad; when (= v 1:32) goto l6; } bad error; l6 halt; }\n"
                                  "thread one { l0 { do store [(add t (mul i 4:64))] := 1:32; goto l1; } l1 end; }\n"
                                  "thread two { l0 { do store [(add t (mul j 4:64))] := 2:32; goto l1; } l1 end; }\n";

/* Any number of threads; three of them make an error. */
static const char many[] = "global n : bv32 = 0:32;\n"
                           "thread main { local t : bv32; l0 loop { do t := create one (0:64); goto l0; } }\n"
                           "thread one count many { l0 { do n := (add n 1:32); goto l1; } l1 { when (= n 3:32) goto bad; when (not (= n "
                           "3:32)) goto l2; } bad error; l2 end; }\n";

static Verdict *verdict_of(const Program *p, const EngineTask *like, Stats *stats) {
    EngineTask task = *like;
    task.program = p;
    task.budget = (Budget){20, UINT64_C(1) << 30, NULL};
    task.stats = stats;
    return engine_impact.run(&task);
}

static void check_witness(const Program *p, Verdict *v) {
    Buf why = {0};
    ProofReport report;
    if (v->kind == VERDICT_UNSAFE && !replay_check(p, &(Question){.property = PROPERTY_UNREACH_CALL}, v->trace, &why))
        fail_msg("%s", buf_string(&why));
    if (v->kind == VERDICT_SAFE) {
        Smt *smt = smt_new(v->invariant->system->exprs);
        assert_int_equal(v->invariant->rule, RULE_REDUCED);
        if (!proof_check(v->invariant, smt, 20, &report, NULL)) fail_msg("%s", report.failed);
        smt_free(smt);
    }
    buf_free(&why);
}

static void expect(const char *text, VerdictKind kind) {
    Program *p = program_of(text);
    for (unsigned k = 0; k < 64; k += text == covers ? 1 : 3) {
        EngineTask like = {.question = &(Question){0},
                           .options = {.reduction = k & 1 ? REDUCTION_NO : REDUCTION_YES,
                                       .impact_force_cover = k & 2 ? SETTING_NO : SETTING_YES,
                                       .impact_constants = k & 4 ? SETTING_NO : SETTING_YES,
                                       .impact_order = k & 8 ? IMPACT_SWITCHES : IMPACT_DEPTH,
                                       .impact_por = (ImpactPor)(k >> 4)}};
        Stats stats = {0};
        Verdict *v = verdict_of(p, &like, &stats);
        if (v->kind != kind) fail_msg("configuration %u: verdict %d, %s", k, v->kind, v->reason ? v->reason : "");
        check_witness(p, v);
        verdict_free(v);
    }
    program_free(p);
}

static void cover_expansions(void **state) {
    (void)state;
    expect(covers, VERDICT_UNSAFE);
}

static void labels(void **state) {
    (void)state;
    expect(COUNT("3"), VERDICT_SAFE);
    expect(COUNT("2"), VERDICT_UNSAFE);
}

static void conditional_dependence(void **state) {
    (void)state;
    Stats stats = {0};
    Program *p = program_of(two_indices);
    Verdict *v = verdict_of(p, &(EngineTask){.options.arith = INTEGERS}, &stats);
    assert_int_equal(v->kind, VERDICT_SAFE);
    check_witness(p, v);
    assert_true(stats.conditional > 0);
    verdict_free(v);
    program_free(p);
}

static void hunting(void **state) {
    (void)state;
    Stats stats = {0};
    Program *p = program_of(many);
    Verdict *v = verdict_of(p, &(EngineTask){0}, &stats);
    assert_int_equal(v->kind, VERDICT_UNSAFE);
    check_witness(p, v);
    verdict_free(v);
    program_free(p);
}

static unsigned creations(const Template *t) {
    unsigned n = 0;
    for (size_t a = 0; a < vec_len(t->actions); a++)
        for (size_t i = 0; i < vec_len(t->actions[a].instrs); i++) n += t->actions[a].instrs[i].kind == INSTR_CREATE;
    return n;
}

static void rounds(void **state) {
    (void)state;
    for (unsigned n = 1; n < 5; n++) {
        Program *p = program_of(many);
        Translation *t = translation_new(p);
        Buf complaint = {0};
        bound_thread_creation(p, t, n);
        if (!program_check(p, &complaint)) fail_msg("%s", buf_string(&complaint));
        assert_int_equal(creations(p->templates[0]), n - 1); /* the last back edge leads to nowhere, and the creation is on it */
        translation_free(t);
        program_free(p);
    }
}

/* A counter that is 0 or 1 wherever it is looked at is plain, if control states are widened. */
static const char counter[] =
    "global m : bv32 = 0:32; global inside : bv32 = 0:32 signed; global other : bv32 signed;\n"
    "thread main { local a : bv32; l0 { do a := create one (0:64); goto l1; } l1 { do a := create one (0:64); goto l2; } l2 halt; }\n"
    "thread one { l0 loop { do lock m; goto l1; } l1 { do inside := (add nsw inside 1:32); goto l2; }\n"
    "  l2 { when (not (= inside 1:32)) goto bad; when (= inside 1:32) goto l3; }\n"
    "  l3 { do inside := (sub nsw inside 1:32); other := (add nsw other 1:32); goto l4; } l4 { do unlock m; goto l0; } bad error; }\n";

static unsigned variable(const System *s, const char *name) {
    for (unsigned v = 0; v < vec_len(s->variables); v++)
        if (!strcmp(s->variables[v].name, name)) return v;
    fail_msg("no variable %s", name);
    return 0;
}

static size_t reachable(ControlStates *vs) {
    for (unsigned i = 0; i < control_states_count(vs) && i < 1000; i++) control_states_next(vs, i);
    return control_states_count(vs);
}

static void widening(void **state) {
    (void)state;
    Program *p = program_of(counter);
    Chain w;
    assert_null(prepare(&w, p, NULL, (PassSettings){.arithmetic = INTEGERS, .no_reduction = true}, "test"));
    prepare_blocks(&w, NULL);
    BlockSteps *block_steps = block_steps_new(w.system, w.blocks);
    ControlStates *vs = control_states_new(w.system, w.blocks, block_steps);
    unsigned inside = variable(w.system, "inside"), m = variable(w.system, "m");
    assert_null(control_states_get(vs, 0)->values[inside]);
    assert_non_null(control_states_get(vs, 0)->values[m]);
    control_states_track_small(vs, 1000);
    assert_non_null(control_states_get(vs, 0)->values[inside]);
    size_t n = reachable(vs);
    assert_true(n < 1000);
    for (unsigned i = 0; i < n; i++) assert_non_null(control_states_get(vs, i)->values[inside]);
    control_states_track_status(vs);
    assert_null(control_states_get(vs, 0)->values[m]);
    assert_true(reachable(vs) > 1);
    control_states_free(vs);
    block_steps_free(block_steps);
    chain_free(&w);
    program_free(p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cover_expansions), cmocka_unit_test(labels), cmocka_unit_test(conditional_dependence),
        cmocka_unit_test(hunting),          cmocka_unit_test(rounds), cmocka_unit_test(widening)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
