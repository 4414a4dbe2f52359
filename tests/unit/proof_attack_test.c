/* SPDX-License-Identifier: Apache-2.0 */
/* Proofs written by hand, about systems written by hand, each wrong in one place that engines never get wrong: what happens inside a block of the
   rule reduced, and what a third of many threads does to two of them. The checker refuses each, for the reason that is meant. */
#include "ir_test.h"
#include "check/proof.h"
#include "system/text.h"

static Exprs *exprs;
static Smt *smt;

/* Others may run everywhere, nothing moves, nothing is claimed. */
static Proof *proof_about(const char *text, ProofRule rule) {
    Buf error = {0};
    exprs = exprs_new();
    System *s = system_parse(exprs, "test", text, &error);
    if (!s) fail_msg("%s", buf_string(&error));
    smt = smt_new(exprs);
    Proof *p = proof_new(rule, NULL, s);
    for (size_t t = 0; t < vec_len(s->threads); t++) {
        bool *out = NULL, *stop = NULL;
        uint8_t *movers = NULL;
        for (size_t l = 0; l < vec_len(s->threads[t].locations); l++) {
            vec_push(out, true);
            vec_push(stop, true);
        }
        vec_resize(movers, vec_len(s->threads[t].transitions));
        vec_push(p->out, out);
        vec_push(p->stop, stop);
        vec_push(p->movers, movers);
    }
    return p;
}

static void done(Proof *p) {
    smt_free(smt);
    proof_free(p);
    exprs_free(exprs);
}

/* The location is inside a block, between transitions of which this one moves both ways. */
static void inside(Proof *p, unsigned thread, unsigned location, unsigned mover) {
    p->out[thread][location] = false;
    p->movers[thread][mover] = MOVES_BOTH;
}

/* A run of one transition. */
static void block_step(Proof *p, unsigned thread, unsigned transition) {
    ProofStep l = {thread, NULL};
    vec_push(l.transitions, transition);
    vec_push(p->block_steps, l);
}

static const Expr *equals(const Proof *p, unsigned variable, unsigned value) {
    return expr_eq(exprs, system_expr(p->system, variable), expr_int(exprs, value));
}

static void node(Proof *p, unsigned first, unsigned second, const Expr *invariant) {
    ProofNode n = {.invariant = invariant ? invariant : expr_bool(exprs, true)};
    vec_push(n.locations, first);
    vec_push(n.locations, second);
    vec_push(p->nodes, n);
}

static void edge(Proof *p, unsigned from, unsigned label, unsigned to) { vec_push(p->nodes[from].edges, ((ProofEdge){label, to})); }
static void sleeps(Proof *p, unsigned at, unsigned label) { vec_push(p->nodes[at].sleep, label); }
static void wakes(Proof *p, unsigned at) { (void)vec_pop(p->nodes[at].sleep); }

static void assert_accepted(const Proof *p) {
    ProofReport report;
    if (!proof_check(p, smt, 30, &report, NULL)) fail_msg("refused: %s", report.failed);
}

static void assert_refused(const Proof *p, const char *group, const char *code) {
    ProofReport report;
    assert_false(proof_check(p, smt, 30, &report, NULL));
    if (strncmp(report.failed, group, strlen(group)) || !strstr(report.failed, code))
        fail_msg("refused, but not as %s, %s: %s", group, code, report.failed);
}

/* ---- the rule reduced: inside a block ---- */

/* What a does is seen by b in the middle of a's block, and not before. */
static const char seen_inside[] = "system integers;\n"
                                  "global y : int = 0;\n"
                                  "local i : int = 0 in a;\n"
                                  "thread a { l0 { do y := 1; goto l1; } l1 { do i := 1; goto l2; } l2 end; }\n"
                                  "thread b { l0 { when (= y 1) goto l1; }\n"
                                  "  l1 { when (= y 2) goto bad; when (not (= y 2)) goto l2; } l2 end; bad error \"two\"; }\n";
enum { A_SETS, A_ENDS, B_SEES, B_ENDS };

static Proof *proof_of_seen(void) {
    Proof *p = proof_about(seen_inside, RULE_REDUCED);
    inside(p, 0, 1, 1);
    block_step(p, 0, 0);
    block_step(p, 0, 1);
    block_step(p, 1, 0);
    block_step(p, 1, 2);
    node(p, 0, 0, equals(p, 0, 0));
    for (unsigned k = 0; k < 2; k++) node(p, 1 + k, 0, equals(p, 0, 1));
    node(p, 2, 1, equals(p, 0, 1));
    node(p, 2, 2, NULL);
    node(p, 1, 1, equals(p, 0, 1)); /* nobody gets to this one */
    edge(p, 0, A_SETS, 1);
    edge(p, 1, A_ENDS, 2);
    edge(p, 2, B_SEES, 3);
    edge(p, 3, B_ENDS, 4);
    edge(p, 5, A_ENDS, 3);
    assert_accepted(p);
    return p;
}

static void only_who_is_inside(void **state) {
    (void)state;
    Proof *p = proof_of_seen();
    sleeps(p, 2, B_SEES); /* b has not been looked at while a was inside: no earlier edge covers the block step */
    assert_refused(p, "asleep", "H1040");
    wakes(p, 2);
    sleeps(p, 1, B_SEES);
    assert_refused(p, "asleep", "H1040");
    wakes(p, 1);
    sleeps(p, 3, A_SETS); /* from where a is no more */
    assert_refused(p, "asleep", "H1039");
    wakes(p, 3);
    edge(p, 1, B_SEES, 5); /* others do not run inside a's block */
    assert_refused(p, "edge", "H1047");
    (void)vec_pop(p->nodes[1].edges);
    (void)vec_pop(p->nodes[1].edges); /* but a does */
    assert_refused(p, "step", "H1007");
    edge(p, 1, A_ENDS, 2);
    assert_accepted(p);
    done(p);
}

static void dead_inside(void **state) {
    (void)state;
    Proof *p = proof_of_seen();
    (void)vec_pop(p->nodes[5].edges);
    p->nodes[5].dead = true;
    sleeps(p, 5, B_ENDS);
    assert_refused(p, "dead", "H1052");
    done(p);
}

/* b's first step commutes with what a does, the rest of its block does not. */
static const char ends_inside[] = "system integers;\n"
                                  "global x : int = 0;\n"
                                  "local j : int = 0 in b;\n"
                                  "thread a { l0 { do x := 1; goto l1; } l1 end; }\n"
                                  "thread b { l0 { do j := 1; goto l1; }\n"
                                  "  l1 { when (= x 2) goto bad; when (not (= x 2)) goto l2; } l2 end; bad error \"two\"; }\n";

static void no_sleep_into_a_block(void **state) {
    (void)state;
    enum { A, B_BEGINS, B_ENDS_IT };
    Proof *p = proof_about(ends_inside, RULE_REDUCED);
    inside(p, 1, 1, 0);
    block_step(p, 0, 0);
    block_step(p, 1, 0);
    block_step(p, 1, 2);
    for (unsigned k = 0; k < 3; k++) node(p, 0, k, equals(p, 0, 0));
    for (unsigned k = 0; k < 3; k++) node(p, 1, k, equals(p, 0, 1));
    node(p, 1, 0, equals(p, 0, 1)); /* nobody gets to this one */
    edge(p, 0, B_BEGINS, 1);
    edge(p, 0, A, 3);
    edge(p, 1, B_ENDS_IT, 2);
    edge(p, 2, A, 5);
    edge(p, 3, B_BEGINS, 4);
    edge(p, 4, B_ENDS_IT, 5);
    edge(p, 6, B_BEGINS, 4);
    assert_accepted(p);
    sleeps(p, 3, B_BEGINS);
    assert_refused(p, "asleep", "H1040");
    wakes(p, 3);
    (void)vec_pop(p->nodes[6].edges);
    p->nodes[6].dead = true;
    sleeps(p, 6, B_BEGINS);
    assert_refused(p, "dead", "H1052");
    done(p);
}

static const char two_blocks[] = "system integers;\n"
                                 "local i : int = 0 in a;\n"
                                 "local j : int = 0 in b;\n"
                                 "thread a { l0 { do i := 1; goto l1; } l1 { do i := 2; goto l2; } l2 end; }\n"
                                 "thread b { l0 { do j := 1; goto l1; } l1 { do j := 2; goto l2; } l2 end; }\n";

static void one_is_inside(void **state) {
    (void)state;
    static const unsigned places[][2] = {{0, 0}, {1, 0}, {2, 0}, {0, 1}, {2, 1}, {0, 2}, {2, 2}, {1, 2}};
    static const unsigned edges[][3] = {{0, 0, 1}, {0, 2, 3}, {1, 1, 2}, {2, 2, 4}, {3, 3, 5}, {4, 3, 6}, {5, 0, 7}, {7, 1, 6}};
    Proof *p = proof_about(two_blocks, RULE_REDUCED);
    for (unsigned t = 0; t < 2; t++) {
        inside(p, t, 1, 0);
        p->movers[t][1] = MOVES_BOTH;
        block_step(p, t, 0);
        block_step(p, t, 1);
    }
    for (unsigned i = 0; i < 8; i++) node(p, places[i][0], places[i][1], NULL);
    for (unsigned i = 0; i < 8; i++) edge(p, edges[i][0], edges[i][1], edges[i][2]);
    assert_accepted(p);
    node(p, 1, 1, NULL);
    assert_refused(p, "node", "H1044");
    done(p);
}

/* ---- two threads at a time: what a third does ---- */

/* Any number of threads write their own number into c, whatever it is. */
static const char writers[] = "system integers;\n"
                              "global c : int = 0;\n"
                              "local mine : int in w;\n"
                              "local me : int in w;\n"
                              "local mine#2 : int in w#2;\n"
                              "local me#2 : int in w#2;\n"
                              "thread main { l0 { when (= c 7) goto l1; } l1 end; }\n"
                              "thread w many twin w#2 self me { l0 { do c := mine; goto l1; } l1 end; }\n"
                              "thread w#2 many twin w self me#2 { l0 { do c := mine#2; goto l1; } l1 end; }\n";

/* The invariant of the two writers, wherever they are. */
static void claim(Proof *p, const Expr *e) {
    for (unsigned l = 0; l < 2; l++)
        for (unsigned k = 0; k < 2; k++) p->pairs[0].invariants[l][k] = e;
}

static void a_third_writes(void **state) {
    (void)state;
    Proof *p = proof_about(writers, RULE_PAIRS);
    ProofPair pair = {1, 2, NULL};
    for (unsigned l = 0; l < 2; l++) {
        const Expr **row = NULL;
        vec_resize(row, 2);
        vec_push(pair.invariants, row);
    }
    vec_push(p->pairs, pair);
    vec_push(p->partners, 1);
    vec_push(p->partners, 2);
    vec_push(p->partners, 1);
    claim(p, expr_bool(exprs, true));
    assert_accepted(p);
    const Expr *c = system_expr(p->system, 0), *first = system_expr(p->system, 1), *second = system_expr(p->system, 3);
    claim(p, expr_or(exprs, equals(p, 0, 0), expr_or(exprs, expr_eq(exprs, c, first), expr_eq(exprs, c, second))));
    assert_refused(p, "interfere w", "H1007"); /* that c is 0 or of one of the two */
    done(p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_who_is_inside), cmocka_unit_test(dead_inside),    cmocka_unit_test(no_sleep_into_a_block),
        cmocka_unit_test(one_is_inside),      cmocka_unit_test(a_third_writes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
