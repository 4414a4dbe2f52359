/* SPDX-License-Identifier: Apache-2.0 */
/* Proofs that every execution ends: the checker accepts what redcomp found, and refuses it once it is broken. And lassos: replay accepts
   those that explicit found, and refuses them once they are broken. */
#include "system_test.h"
#include "check/proof.h"
#include "check/replay.h"
#include "engine/engine.h"
#include "proof_elsewhere.h"

/* Two loops side by side, one up to a number that is not known, one down from it. */
static const char loops[] = "global n : bv32 signed;\n"
                            "global m : bv32 = 0:32;\n"
                            "global x : bv32 = 0:32 signed;\n"
                            "thread main { l0 { do create down (0:64); goto l1; }\n"
                            "  l1 { do create up (0:64); goto l2; } l2 end; }\n"
                            "thread down { local i : bv32 signed;\n"
                            "  l0 { do i := n; goto l1; }\n"
                            "  l1 loop { when (slt 0:32 i) do i := (sub nsw i 1:32); goto l2; when (not (slt 0:32 i)) goto l5; }\n"
                            "  l2 { do lock m; goto l3; }\n"
                            "  l3 { do x := (sub nsw 1:32 x); goto l4; }\n"
                            "  l4 { do unlock m; goto l1; }\n"
                            "  l5 end; }\n"
                            "thread up { local k : bv32 signed;\n"
                            "  l0 { do k := 0:32; goto l1; }\n"
                            "  l1 loop { when (slt k n) do k := (add nsw k 1:32); goto l1; when (not (slt k n)) goto l2; }\n"
                            "  l2 end; }\n";

/* one may wait for ever after its commit, which two sees. */
static const char waits[] = "global m : bv32 = 0:32;\n"
                            "global s : bv32 = 0:32;\n"
                            "global x : bv32 = 0:32;\n"
                            "thread main { l0 { do create one (0:64); goto l1; } l1 { do create two (0:64); goto l2; } l2 end; }\n"
                            "thread one { l0 { do lock m; goto l1; }\n"
                            "  l1 { do x := 1:32; goto l2; }\n"
                            "  l2 { when (not (= s 0:32)) goto l3; }\n"
                            "  l3 { do x := 0:32; goto l4; }\n"
                            "  l4 { do unlock m; goto l5; } l5 end; }\n"
                            "thread two { l0 { when (= x 2:32) goto l0; when (not (= x 2:32)) goto l1; } l1 end; }\n";

/* Towards 0 from both sides: no sum becomes smaller in every round. */
static const char towards[] = "global x : bv32 signed;\n"
                              "thread main {\n"
                              "  l0 loop { when (slt 0:32 x) do x := (sub nsw x 1:32); goto l0;\n"
                              "            when (slt x 0:32) do x := (add nsw x 1:32); goto l0; when (= x 0:32) goto l1; }\n"
                              "  l1 end; }\n";

/* Any number of threads that make a number smaller, which others do too, and loops of their own. */
static const char crowd[] = "global n : bv32 signed;\n"
                            "global m : bv32 signed;\n"
                            "thread main { local k : bv32 signed;\n"
                            "  l0 { do k := 0:32; goto l1; }\n"
                            "  l1 loop { when (slt k m) do k := (add nsw k 1:32); goto l2; when (not (slt k m)) goto l3; }\n"
                            "  l2 { do create each (0:64); goto l1; } l3 end; }\n"
                            "thread each count many { local i : bv32 signed;\n"
                            "  l0 { do i := n; goto l1; }\n"
                            "  l1 loop { when (slt 0:32 i) do i := (sub nsw i 1:32); goto l1; when (not (slt 0:32 i)) goto l2; }\n"
                            "  l2 loop { when (slt 0:32 n) do n := (sub nsw n 1:32); goto l2; when (not (slt 0:32 n)) goto l3; }\n"
                            "  l3 end; }\n";

typedef struct Fixture {
    Program *program;
    Verdict *verdict;
    Proof *proof;
    System *system;
    Exprs *exprs;
    Smt *smt;
} Fixture;

static Fixture proved(const char *text) {
    Fixture f = {.program = program_of(text)};
    Stats stats = {0};
    EngineTask task = {.program = f.program,
                       .question = &(Question){.property = PROPERTY_TERMINATION},
                       .budget = {.seconds = 60},
                       .stats = &stats,
                       .fine_steps = true,
                       .options.arith = INTEGERS};
    f.verdict = engine_redcomp.run(&task);
    if (f.verdict->kind != VERDICT_SAFE) fail_msg("not proved: %s", f.verdict->reason);
    f.proof = f.verdict->invariant;
    assert_true(proof_ends(f.proof));
    f.system = f.proof->system;
    f.exprs = f.system->exprs;
    f.smt = smt_new(f.exprs);
    return f;
}

static void done(Fixture *f) {
    smt_free(f->smt);
    verdict_free(f->verdict);
    program_free(f->program);
}

static void assert_accepted(Fixture *f) {
    ProofReport report;
    if (!proof_check(f->proof, f->smt, 60, &report, NULL)) fail_msg("refused: %s", report.failed);
}

static void assert_refused(Fixture *f, const char *group, const char *code) {
    ProofReport report;
    assert_false(proof_check(f->proof, f->smt, 60, &report, NULL));
    if (strncmp(report.failed, group, strlen(group)) || !strstr(report.failed, code))
        fail_msg("refused, but for another reason than %s, %s: %s", group, code, report.failed);
}

/* The place of a component that mentions the variable; its node is that of the thread's loop. */
static const Expr **component_of(Fixture *f, const char *variable) {
    const Symbol *s = f->system->variables[variable_called(f->system, variable)].symbol;
    for (size_t n = 0; n < vec_len(f->proof->nodes); n++)
        for (size_t i = 0; i < vec_len(f->proof->nodes[n].rank); i++)
            if (expr_mentions(f->proof->nodes[n].rank[i], s)) return &f->proof->nodes[n].rank[i];
    fail_msg("%s is in no tuple", variable);
    return NULL;
}

/* All that mention it become something else. */
static void set_components(Fixture *f, const char *variable, const Expr *to, const Expr ***saved) {
    const Symbol *s = f->system->variables[variable_called(f->system, variable)].symbol;
    for (size_t n = 0; n < vec_len(f->proof->nodes); n++)
        for (size_t i = 0; i < vec_len(f->proof->nodes[n].rank); i++) {
            vec_push(*saved, f->proof->nodes[n].rank[i]);
            if (expr_mentions(f->proof->nodes[n].rank[i], s)) f->proof->nodes[n].rank[i] = to;
        }
}

static void restore_components(Fixture *f, const Expr ***saved) {
    size_t next = 0;
    for (size_t n = 0; n < vec_len(f->proof->nodes); n++)
        for (size_t i = 0; i < vec_len(f->proof->nodes[n].rank); i++) f->proof->nodes[n].rank[i] = (*saved)[next++];
    vec_free(*saved);
}

static void refuse_with(Fixture *f, const char *variable, const Expr *to) {
    const Expr **saved = NULL;
    set_components(f, variable, to, &saved);
    assert_refused(f, "decrease", "H1007");
    restore_components(f, &saved);
}

static void tuples(void **state) {
    (void)state;
    Fixture f = proved(loops);
    const Expr *i = system_expr(f.system, variable_called(f.system, "i")), *k = system_expr(f.system, variable_called(f.system, "k")),
               *n = system_expr(f.system, variable_called(f.system, "n"));
    assert_accepted(&f);
    refuse_with(&f, "i", expr_2(f.exprs, OP_SUB, n, i));                    /* it grows */
    refuse_with(&f, "i", expr_2(f.exprs, OP_SUB, i, expr_int(f.exprs, 5))); /* it falls, but below 0 */
    refuse_with(&f, "k", expr_2(f.exprs, OP_SUB, expr_int(f.exprs, 0), k)); /* likewise: nothing bounds it */
    refuse_with(&f, "k", expr_int(f.exprs, 7));                             /* it stays */
    refuse_with(&f, "k", k);
    const Expr **one = component_of(&f, "i"), *was = *one;
    *one = expr_int(f.exprs, -1); /* at one node only */
    assert_refused(&f, "decrease", "H1007");
    *one = was;
    const Expr *last = vec_pop(f.proof->nodes[0].rank);
    assert_refused(&f, "decrease", "H1031");
    vec_push(f.proof->nodes[0].rank, last);
    assert_accepted(&f);
    done(&f);
}

static Transition *transition(Fixture *f, const char *thread, unsigned source, unsigned target) {
    SystemThread *t = &f->system->threads[thread_called(f->system, thread)];
    for (size_t i = 0; i < vec_len(t->transitions); i++)
        if (t->transitions[i].source == source && t->transitions[i].target == target) return &t->transitions[i];
    fail_msg("no transition %u->%u", source, target);
    return NULL;
}

/* A proof of one system is none of another, and one that looks away from a part of it is none. */
static void others(void **state) {
    (void)state;
    Fixture f = proved(loops);
    unsigned up = thread_called(f.system, "up"), down = thread_called(f.system, "down");
    Transition *round = transition(&f, "up", 1, 1);
    const Expr *guard = round->guard, *value = round->updates[0].value;
    round->guard = expr_bool(f.exprs, true);
    assert_refused(&f, "decrease", "H1007");
    round->guard = guard;
    round->updates[0].value = system_expr(f.system, round->updates[0].variable);
    assert_refused(&f, "decrease", "H1007");
    round->updates[0].value = value;
    f.proof->stop[up][1] = false; /* a cycle without a stop */
    f.proof->out[up][1] = false;
    assert_refused(&f, "", "H1015");
    f.proof->stop[up][1] = true;
    f.proof->out[up][1] = true;
    unsigned *there = NULL;
    for (size_t n = 0; n < vec_len(f.proof->nodes) && !there; n++)
        if (f.proof->nodes[n].locations[down] == 1 && f.proof->nodes[n].locations[up] == 1) there = &f.proof->nodes[n].locations[up];
    if (there) {
        *there = 0; /* a node is missing */
        assert_refused(&f, "", "H10");
        *there = 1;
    }
    done(&f);
}

static void commits_then_waits(void **state) {
    (void)state;
    Fixture f = proved(waits);
    unsigned one = thread_called(f.system, "one");
    assert_accepted(&f);
    assert_true(f.proof->out[one][2]);
    f.proof->out[one][2] = f.proof->stop[one][2] = false;
    assert_refused(&f, "block", "H1007");
    done(&f);
}

/* The node that is cut, and the component at which it is. */
static ProofRound *cut_of(Fixture *f) {
    for (size_t n = 0; n < vec_len(f->proof->nodes); n++)
        for (size_t i = 0; i < vec_len(f->proof->nodes[n].rounds); i++)
            if (vec_len(f->proof->nodes[n].rounds[i].measures)) return &f->proof->nodes[n].rounds[i];
    fail_msg("no node is cut");
    return NULL;
}

static void rounds(void **state) {
    (void)state;
    Fixture f = proved(towards);
    Exprs *e = f.exprs;
    unsigned v = variable_called(f.system, "x");
    const Expr *now = system_expr(f.system, v), *then = expr_symbol(e, f.proof->after[v]);
    ProofRound *cut = cut_of(&f);
    const Expr *was = cut->relation, **measures = cut->measures;
    assert_accepted(&f);
    cut->relation = NULL; /* no round at all is in it */
    assert_refused(&f, "start", "H1007");
    /* Each round is in it, and some measure falls from one visit to the next: but two rounds are not, and so it says nothing. */
    const Expr *zero = expr_int(e, 0), *one = expr_int(e, 1);
    const Expr *down = expr_and(e, expr_2(e, OP_SLT, zero, then), expr_eq(e, expr_2(e, OP_SUB, then, now), one));
    const Expr *up = expr_and(e, expr_2(e, OP_SLT, then, zero), expr_eq(e, expr_2(e, OP_SUB, now, then), one));
    cut->relation = expr_or(e, down, up);
    assert_refused(&f, "around", "H1007");
    cut->relation = expr_bool(e, true); /* it is closed, and not well-founded */
    assert_refused(&f, "cover", "H1007");
    cut->relation = was;
    for (size_t i = 0; i < vec_len(measures); i++) { /* each is needed … */
        const Expr *measure = measures[i];
        measures[i] = expr_int(e, 0);
        assert_refused(&f, "cover", "H1007");
        measures[i] = expr_2(e, OP_SUB, measure, expr_int(e, 10)); /* … and must not be negative where it falls */
        assert_refused(&f, "cover", "H1007");
        measures[i] = measure;
    }
    cut->measures = NULL; /* nothing is cut */
    assert_refused(&f, "decrease", "H1007");
    cut->measures = measures;
    const Symbol *saved = f.proof->after[v];
    f.proof->after[v] = f.system->variables[v].symbol; /* the values of then are not those of now */
    assert_refused(&f, "after", "H1030");
    f.proof->after[v] = saved;
    cut->relation = expr_and(e, was, expr_eq(e, expr_symbol(e, symbol_new(e, SYM_VARIABLE, "other", sort_int(e))), one));
    assert_refused(&f, "claim", "H1033");
    cut->relation = was;
    assert_accepted(&f);
    done(&f);
}

/* ---- any number of threads ---- */

/* A component of the thread that mentions the variable. */
static const Expr **component_at(Fixture *f, unsigned thread, const char *variable) {
    const Symbol *s = f->system->variables[variable_called(f->system, variable)].symbol;
    for (size_t l = 0; l < vec_len(f->proof->ranks[thread]); l++)
        for (size_t i = 0; i < vec_len(f->proof->ranks[thread][l]); i++)
            if (expr_mentions(f->proof->ranks[thread][l][i], s)) return &f->proof->ranks[thread][l][i];
    fail_msg("%s is in no tuple", variable);
    return NULL;
}

static void each(void **state) {
    (void)state;
    Fixture f = proved(crowd);
    assert_int_equal(f.proof->rule, RULE_EACH);
    assert_accepted(&f);
    unsigned main_ = thread_called(f.system, "main");
    const Expr **k = component_at(&f, main_, "k"), *was = *k;
    const Expr *n = system_expr(f.system, variable_called(f.system, "n")), *zero = expr_int(f.exprs, 0);
    *k = expr_2(f.exprs, OP_SUB, zero, *k); /* it grows */
    assert_refused(&f, "decrease main", "H1007");
    /* others make it larger: n falls to 0 */
    *k = expr_2(f.exprs, OP_ADD, was, expr_ite(f.exprs, expr_2(f.exprs, OP_SLT, zero, n), zero, expr_int(f.exprs, 1)));
    assert_refused(&f, "keep main", "H1007");
    *k = expr_2(f.exprs, OP_SUB, was, system_expr(f.system, variable_called(f.system, "i"))); /* it speaks of somebody else's local */
    assert_refused(&f, "claim main", "H1010");
    *k = was;
    for (unsigned t = 0; t < vec_len(f.system->threads); t++) { /* the second_instance stand for any two */
        if (!f.system->threads[t].many) continue;
        const Expr **one = component_at(&f, t, "n"), *before = *one;
        *one = expr_2(f.exprs, OP_ADD, *one, expr_int(f.exprs, 1));
        assert_refused(&f, "second instance", "H1026");
        *one = before;
    }
    const Expr *last = vec_pop(f.proof->ranks[main_][0]);
    assert_refused(&f, "", "H1031");
    vec_push(f.proof->ranks[main_][0], last);
    assert_accepted(&f);
    done(&f);
}

static void sent_and_accepted(const char *program) {
    Fixture f = proved(program);
    ProofReport report;
    Elsewhere e = send_elsewhere(f.proof);
    assert_int_equal(e.proof->rule, f.proof->rule);
    Smt *smt = smt_new(e.exprs);
    assert_true(proof_check(e.proof, smt, 60, &report, NULL));
    smt_free(smt);
    leave_elsewhere(&e);
    done(&f);
}

static void sent(void **state) {
    (void)state;
    sent_and_accepted(loops);
    sent_and_accepted(towards);
    sent_and_accepted(crowd);
}

/* ---- lassos ---- */

static const char spins[] = "global flag : bv8 = 0:8;\n"
                            "thread main { l0 { do create one (0:64); goto l1; } l1 { do flag := 1:8; goto l2; } l2 end; }\n"
                            "thread one { local i : bv8;\n"
                            "  l0 { do i := 0:8; goto l1; }\n"
                            "  l1 loop { when (= flag 0:8) do i := (bxor i 1:8); goto l1; when (not (= flag 0:8)) goto l2; }\n"
                            "  l2 { when (= i 2:8) goto l2; when (not (= i 2:8)) goto l3; } l3 end; }\n";

static void lassos(void **state) {
    (void)state;
    Program *p = program_of(spins);
    Stats stats = {0};
    EngineTask task = {.program = p,
                       .question = &(Question){.property = PROPERTY_TERMINATION},
                       .budget = {.seconds = 60, .memory = UINT64_C(1) << 30},
                       .stats = &stats};
    Verdict *v = engine_explicit.run(&task);
    assert_int_equal(v->kind, VERDICT_UNSAFE);
    Trace *t = v->trace;
    assert_int_equal(t->end, TRACE_ENDLESS);
    assert_true(replay_check(p, &(Question){.property = PROPERTY_TERMINATION}, t, NULL));
    assert_false(replay_check(p, &(Question){.property = PROPERTY_UNREACH_CALL}, t, NULL));
    assert_int_equal(vec_len(t->steps) - t->loop, 2);
    size_t loop = t->loop;
    for (t->loop = 0; t->loop < vec_len(t->steps) + 2; t->loop++) /* from anywhere else it does not come back */
        if (t->loop != loop) assert_false(replay_check(p, &(Question){.property = PROPERTY_TERMINATION}, t, NULL));
    t->loop = loop;
    TraceStep last = vec_pop(t->steps);
    assert_false(replay_check(p, &(Question){.property = PROPERTY_TERMINATION}, t, NULL));
    vec_push(t->steps, last);
    verdict_free(v);
    program_free(p);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(tuples), cmocka_unit_test(others), cmocka_unit_test(commits_then_waits),
                                       cmocka_unit_test(rounds), cmocka_unit_test(each),   cmocka_unit_test(sent),
                                       cmocka_unit_test(lassos)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
