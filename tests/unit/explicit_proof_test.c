/* SPDX-License-Identifier: Apache-2.0 */
/* The states that the engine explicit visits as a proof: the checker accepts it, and refuses it once it is broken; where there is no such
   proof, the engine says why. */
#include "check/proof.h"
#include "engine/engine.h"
#include "ir_test.h"

/* An input, an array, a lock, and a counter that is 0 or 2 at the end. */
static const char program[] =
    "object t : global 16;\n"
    "global flag : bv8 = 0:8; global x : bv8 = 0:8; global busy : bv8 = 0:8;\n"
    "thread main { local i : bool; local a : bv32; local b : bv32;\n"
    "  s { do i := any; flag := (ite i 1:8 0:8); store [t] := 7:32; goto l0; }\n"
    "  l0 { do a := create w (0:64); goto l1; } l1 { do b := create w (1:64); goto l2; }\n"
    "  l2 { do join (a); goto l3; } l3 { do join (b); goto l4; }\n"
    "  l4 { when (not (or (= x 0:8) (= x 2:8))) goto bad; when (or (= x 0:8) (= x 2:8)) goto l5; } bad error; l5 halt; }\n"
    "thread w count 2 { local v : bv8; local u : bv32;\n"
    "  l0 { when (= busy 0:8) do busy := 1:8; goto l1; }\n"
    "  l1 { do v := x; u := load [(add t (mul argument 4:64))]; goto l2; }\n"
    "  l2 { do x := (add v flag); goto l3; }\n"
    "  l3 { do busy := 0:8; goto l4; } l4 end; }\n";

static const char squares[] = "global x : bv32 = 0:32; thread main { local a : bv32; local c : bv32;\n"
                              "  s { do c := create w (0:64); goto l0; } l0 { do a := any; goto l1; }\n"
                              "  l1 { when (ult 20:32 a) goto e; when (ule a 20:32) do x := (mul a a); goto e; } e end; }\n"
                              "thread w { l0 { when (= x 40:32) goto bad; when (not (= x 40:32)) goto e; } e end; bad error; }\n";

static const char long_way[] = "global x : bv32 = 0:32; thread main { l0 { when (ult x 20000:32) do x := (add x 1:32); goto l0;\n"
                               "  when (ult 20000:32 x) goto bad; when (= x 20000:32) goto e; } e end; bad error; }\n";

static Verdict *verdict_of(const char *text, bool obligations) {
    Program *p = program_of(text);
    EngineTask task = {.program = p, .question = &(Question){.certificate = obligations}, .budget = {20, UINT64_C(1) << 30}};
    Verdict *v = engine_explicit.run(&task);
    assert_int_equal(v->kind, VERDICT_SAFE);
    program_free(p);
    return v;
}

static bool accepted(const Proof *p, ProofReport *report) {
    Smt *smt = smt_new(p->system->exprs);
    bool ok = proof_check(p, smt, 30, report, NULL);
    smt_free(smt);
    return ok;
}

static void test_accepted(void **state) {
    (void)state;
    ProofReport report;
    Verdict *v = verdict_of(program, true);
    assert_int_equal(v->proof, PROOF_INVARIANT);
    assert_int_equal(v->invariant->rule, RULE_REDUCED);
    if (!accepted(v->invariant, &report)) fail_msg("%s", report.failed);
    verdict_free(v);
    v = verdict_of(program, false);
    assert_int_equal(v->proof, PROOF_EXHAUSTED);
    verdict_free(v);
}

/* Every node and every edge is needed. */
static void test_broken(void **state) {
    (void)state;
    ProofReport report;
    Verdict *v = verdict_of(program, true);
    Proof *p = v->invariant;
    const Expr *nothing = expr_bool(p->system->exprs, false);
    for (size_t i = 0; i < vec_len(p->nodes); i++) {
        ProofNode *n = &p->nodes[i];
        const Expr *invariant = n->invariant;
        n->invariant = nothing;
        if (accepted(p, &report)) fail_msg("node %zu is said not to be reached", i);
        n->invariant = invariant;
        for (size_t k = 0; k < vec_len(n->edges); k++) {
            ProofEdge edge = n->edges[k];
            n->edges[k] = (ProofEdge){edge.block_step, (unsigned)i};
            if (edge.target != i && accepted(p, &report)) fail_msg("an edge of node %zu leads elsewhere", i);
            n->edges[k] = edge;
        }
    }
    if (!accepted(p, &report)) fail_msg("%s", report.failed);
    verdict_free(v);
}

static void expect_none(const char *text, const char *why) {
    Verdict *v = verdict_of(text, true);
    assert_int_equal(v->proof, PROOF_EXHAUSTED);
    assert_null(v->invariant);
    assert_int_equal(vec_len(v->notes), 1);
    if (!strstr(v->notes[0], why)) fail_msg("%s", v->notes[0]);
    verdict_free(v);
}

static void test_none(void **state) {
    (void)state;
    expect_none(squares, "depend on inputs");
    expect_none(long_way, "too many states");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_accepted),
        cmocka_unit_test(test_broken),
        cmocka_unit_test(test_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
