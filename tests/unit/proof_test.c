/* SPDX-License-Identifier: Apache-2.0 */
/* The checker of proofs: it accepts what the engine redcomp found, and refuses it once it is broken, whichever way. */
#include "system_test.h"
#include "check/proof.h"
#include "proof_elsewhere.h"
#include "engine/engine.h"
#include <stdlib.h>

/* Any number of workers; x counts them and is never negative. */
static const char workers[] = "global x : bv32 = 0:32 signed;\n"
                              "global m : bv32 = 0:32;\n"
                              "thread main {\n"
                              "  local i : bv32 signed;\n"
                              "  l0 { do i := any; goto l1; }\n"
                              "  l1 loop { when (slt 0:32 i) do create worker (0:64); i := (sub nsw i 1:32); goto l1;\n"
                              "            when (not (slt 0:32 i)) goto l2; }\n"
                              "  l2 end;\n"
                              "}\n"
                              "thread worker count many {\n"
                              "  local t : bv32 signed;\n"
                              "  l0 { do lock m; goto l1; }\n"
                              "  l1 { do t := x; goto l2; }\n"
                              "  l2 { when (slt t 0:32) goto bad; when (not (slt t 0:32)) goto l3; }\n"
                              "  bad error \"x is negative\";\n"
                              "  l3 { do x := (add nsw t 1:32); goto l4; }\n"
                              "  l4 { do unlock m; goto l5; }\n"
                              "  l5 end;\n"
                              "}\n";
enum { WORKER_BAD = 3, WORKER_WRITES = 4 };

/* A loop inside an atomic section, with an input in it: x is even at its end, n after it. */
static const char section[] = "global n : bv32 = 0:32;\n"
                              "thread main { l0 { do create one (0:64); goto l1; }\n"
                              "  l1 { when (slt 6:32 n) goto bad; when (not (slt 6:32 n)) goto l2; } bad error \"n is large\"; l2 end; }\n"
                              "thread one { local i : bv32 signed; local x : bv32 signed; local v : bv32 signed;\n"
                              "  l0 { do i := 0:32; x := 0:32; goto l1; }\n"
                              "  l1 atomic loop { when (slt i 3:32) do v := any; assume (sle 0:32 v); assume (sle v 2:32); x := (add nsw x "
                              "v); i := (add nsw i 1:32); goto l1;\n"
                              "                   when (not (slt i 3:32)) goto l2; }\n"
                              "  l2 { do n := x; goto l3; }\n"
                              "  l3 end; }\n";

/* Any number of threads with a ticket lock: that their tickets differ is known of two at a time. */
static const char tickets[] = "global next : bv32 = 0:32 signed; global serving : bv32 = 0:32 signed; global inside : bv32 = 0:32 signed;\n"
                              "thread main {\n"
                              "  local i : bv32 signed;\n"
                              "  l0 { do i := any; goto l1; }\n"
                              "  l1 loop { when (slt 0:32 i) do create worker (0:64); i := (sub nsw i 1:32); goto l1;\n"
                              "            when (not (slt 0:32 i)) goto l2; }\n"
                              "  l2 end;\n"
                              "}\n"
                              "thread worker count many {\n"
                              "  local mine : bv32 signed;\n"
                              "  l0 { do mine := next; next := (add nsw mine 1:32); goto l1; }\n"
                              "  l1 loop { when (= serving mine) goto l2; when (not (= serving mine)) goto l1; }\n"
                              "  l2 { when (not (= inside 0:32)) goto bad; when (= inside 0:32) do inside := 1:32; goto l3; }\n"
                              "  bad error \"two inside\";\n"
                              "  l3 { do inside := 0:32; goto l4; }\n"
                              "  l4 { do serving := (add nsw serving 1:32); goto l5; }\n"
                              "  l5 end;\n"
                              "}\n";

/* A loop before the commit of a block: what it computes is published at once, and 0 until then. */
static const char searches[] = "global found : bv32 = 0:32 signed;\n"
                               "thread main {\n"
                               "  local t : bv32 signed;\n"
                               "  l0 { do create search (0:64); goto l1; }\n"
                               "  l1 { do t := found; goto l2; }\n"
                               "  l2 { when (slt t 0:32) goto bad; when (not (slt t 0:32)) goto l3; }\n"
                               "  bad error \"negative\"; l3 end;\n"
                               "}\n"
                               "thread search {\n"
                               "  local i : bv32 signed; local n : bv32 signed;\n"
                               "  l0 { do n := any; i := 0:32; goto l1; }\n"
                               "  l1 loop { when (slt i n) do i := (add nsw i 1:32); goto l1; when (not (slt i n)) goto l2; }\n"
                               "  l2 { do found := i; goto l3; }\n"
                               "  l3 end;\n"
                               "}\n";

/* ---- one proof, broken and mended ---- */

typedef struct Fixture {
    Program *program;
    Verdict *verdict;
    Proof *proof;
    System *system;
    Exprs *exprs;
    Smt *smt;
} Fixture;

static Fixture found_by(const Engine *engine, const char *text, HornRule name, ProofRule rule) {
    Fixture f = {.program = program_of(text)};
    Stats stats = {0};
    EngineTask task = {.question = &(Question){0},
                       .program = f.program,
                       .budget = {.seconds = 60},
                       .options.rule = name,
                       .stats = &stats,
                       .fine_steps = true};
    f.verdict = engine->run(&task);
    assert_int_equal(f.verdict->kind, VERDICT_SAFE);
    f.proof = f.verdict->invariant;
    assert_non_null(f.proof);
    assert_int_equal(f.proof->rule, rule);
    f.system = f.proof->system;
    f.exprs = f.system->exprs;
    f.smt = smt_new(f.exprs);
    return f;
}

static Fixture proved_by(const char *text, HornRule name, ProofRule rule) { return found_by(&engine_redcomp, text, name, rule); }

static Fixture proved(const char *text, ProofRule rule) { return proved_by(text, HORN_AUTO, rule); }

static void done(Fixture *f) {
    smt_free(f->smt);
    verdict_free(f->verdict);
    program_free(f->program);
}

static void assert_accepted(Fixture *f) {
    ProofReport report;
    if (!proof_check(f->proof, f->smt, 30, &report, NULL)) fail_msg("refused: %s", report.failed);
}

/* The obligation that fails is one of a group, and the reason has this code. */
static void assert_refused(Fixture *f, const char *group, const char *code) {
    ProofReport report;
    assert_false(proof_check(f->proof, f->smt, 30, &report, NULL));
    if (strncmp(report.failed, group, strlen(group)) || !strstr(report.failed, code))
        fail_msg("refused, but for another reason than %s, %s: %s", group, code, report.failed);
}

/* The assignment is made, the proof refused, the assignment undone. */
#define BROKEN(f, place, value, group, code) \
    do {                                     \
        __typeof__(place) saved_ = (place);  \
        (place) = (value);                   \
        assert_refused(f, group, code);      \
        (place) = saved_;                    \
    } while (0)

static Transition *transition(Fixture *f, unsigned t, unsigned source, unsigned target) {
    SystemThread *thread = &f->system->threads[t];
    for (size_t i = 0; i < vec_len(thread->transitions); i++)
        if (thread->transitions[i].source == source && thread->transitions[i].target == target) return &thread->transitions[i];
    fail_msg("no transition %u->%u", source, target);
    return NULL;
}

static Update *update_of(Fixture *f, Transition *tr, const char *variable) {
    for (size_t i = 0; i < vec_len(tr->updates); i++)
        if (!strcmp(f->system->variables[tr->updates[i].variable].name, variable)) return &tr->updates[i];
    fail_msg("%s is not updated", variable);
    return NULL;
}

static const Expr *is_value(Fixture *f, const char *variable, int value) {
    unsigned v = variable_called(f->system, variable);
    return expr_eq(f->exprs, system_expr(f->system, v), expr_int(f->exprs, value));
}

/* The first node with the thread there. */
static ProofNode *node_at(Fixture *f, unsigned thread, unsigned location) {
    for (size_t i = 0; i < vec_len(f->proof->nodes); i++)
        if (f->proof->nodes[i].locations[thread] == location) return &f->proof->nodes[i];
    fail_msg("no node");
    return NULL;
}

/* Without the conjunct of an invariant that says what a variable is. */
static const Expr *without(Fixture *f, const Expr *e, const char *variable) {
    const Symbol *s = f->system->variables[variable_called(f->system, variable)].symbol;
    const Expr *r = expr_bool(f->exprs, true);
    assert_int_equal(e->op, OP_AND);
    for (unsigned i = 0; i < e->nargs; i++)
        if (!expr_mentions(e->args[i], s)) r = expr_and(f->exprs, r, e->args[i]);
    assert_true(r != e);
    return r;
}

/* ---- the rule product, on the paper's program ---- */

static void invariants(void **state) {
    (void)state;
    Fixture f = proved(p1_1, RULE_PRODUCT);
    unsigned one = thread_called(f.system, "one");
    const Expr *truth = expr_bool(f.exprs, true);
    ProofNode *first = &f.proof->nodes[0], *half = node_at(&f, one, 6);
    assert_accepted(&f);
    BROKEN(&f, first->invariant, expr_and(f.exprs, without(&f, first->invariant, "x"), is_value(&f, "x", 3)), "init", "H1007");
    BROKEN(&f, first->invariant, expr_bool(f.exprs, false), "init", "H1007");
    BROKEN(&f, half->invariant, truth, "", "H1007");
    BROKEN(&f, half->invariant, without(&f, half->invariant, "x"), "", "H1007");
    BROKEN(&f, half->invariant, without(&f, half->invariant, "a"), "", "H1007");
    BROKEN(&f, half->invariant, expr_and(f.exprs, half->invariant, is_value(&f, "y", 99)), "step", "H1007");
    BROKEN(&f, first->locations[one], 6, "init", "H1007"); /* the node of the start is missing */
    BROKEN(&f, half->locations[one], 11, "step", "H1007"); /* so is one in the middle */
    for (size_t i = 0; i < vec_len(f.proof->nodes); i++) f.proof->nodes[i].invariant = truth;
    assert_refused(&f, "", "H1007");
    done(&f);
}

static void facts_and_movers(void **state) {
    (void)state;
    Fixture f = proved(p1_1, RULE_PRODUCT);
    unsigned one = thread_called(f.system, "one"), two = thread_called(f.system, "two");
    BROKEN(&f, f.proof->facts[one][1], is_value(&f, "y", 2), "fact-step", "H1007");
    BROKEN(&f, f.proof->facts[one][0], is_value(&f, "x", 2), "fact-stable", "H1007");
    BROKEN(&f, f.proof->facts[one][0], is_value(&f, "x", 5), "fact-init", "H1007");
    BROKEN(&f, f.proof->facts[one][1], expr_bool(f.exprs, true), "", "H1007"); /* that the mutex is held is needed */
    uint8_t *locks = &f.proof->movers[one][transition(&f, one, 0, 1)->index],
            *unlocks = &f.proof->movers[one][transition(&f, one, 10, 11)->index];
    BROKEN(&f, *locks, MOVES_BOTH, "left", "H1007");
    BROKEN(&f, *unlocks, MOVES_BOTH, "right", "H1007");
    BROKEN(&f, f.proof->movers[two][transition(&f, two, 2, 3)->index], MOVES_RIGHT, "", "H1007");
    BROKEN(&f, f.proof->movers[one][transition(&f, one, 5, 6)->index], 0, "block", "H1018"); /* after the commit */
    assert_accepted(&f);
    done(&f);
}

static void blocks(void **state) {
    (void)state;
    Fixture f = proved(p1_1, RULE_PRODUCT);
    unsigned one = thread_called(f.system, "one");
    bool *out = f.proof->out[one], *stop = f.proof->stop[one];
    BROKEN(&f, out[6], false, "block", "H1018");  /* locks after its commit */
    BROKEN(&f, out[0], false, "block", "H1022");  /* the entry */
    BROKEN(&f, out[11], false, "block", "H1021"); /* the end */
    BROKEN(&f, out[4], true, "block", "H1023");   /* no run stops there */
    BROKEN(&f, stop[6], false, "block", "H1023");
    BROKEN(&f, stop[4], true, "step", "H1007"); /* no node there */
    out[4] = stop[4] = true;
    assert_refused(&f, "step", "H1007");
    out[4] = stop[4] = false;
    Transition *add = transition(&f, one, 5, 6);
    vec_push(add->inputs, symbol_new(f.exprs, SYM_VARIABLE, "any", sort_int(f.exprs)));
    assert_refused(&f, "block", "H1016"); /* an input after the commit */
    (void)vec_pop(add->inputs);
    BROKEN(&f, add->guard, is_value(&f, "y", 4), "", "H1007"); /* it may wait after the commit */
    BROKEN(&f, f.system->threads[one].many, true, "product", "H1012");
    assert_accepted(&f);
    done(&f);
}

/* A proof of one program is none of another that is not safe. */
static void other_transitions(void **state) {
    (void)state;
    Fixture f = proved(p1_1, RULE_PRODUCT);
    unsigned one = thread_called(f.system, "one"), two = thread_called(f.system, "two");
    const Expr *eleven = expr_int(f.exprs, 11);
    Transition *writes = transition(&f, two, 1, 2), *locks = transition(&f, two, 0, 1);
    BROKEN(&f, update_of(&f, writes, "x")->value, eleven, "", "H1007");
    BROKEN(&f, locks->guard, expr_bool(f.exprs, true), "", "H1007");
    BROKEN(&f, update_of(&f, transition(&f, one, 0, 1), "mx")->value, expr_int(f.exprs, 0), "", "H1007");
    BROKEN(&f, f.system->variables[variable_called(f.system, "x")].init, eleven, "", "H1007");
    BROKEN(&f, f.system->threads[one].entry, 6, "", "H1007");
    assert_accepted(&f);
    done(&f);
}

/* Where a run is cut inside an atomic section. */
static void stops_inside(void **state) {
    (void)state;
    Fixture f = proved(section, RULE_PRODUCT);
    unsigned one = thread_called(f.system, "one");
    assert_accepted(&f);
    assert_true(f.proof->stop[one][1] && !f.proof->out[one][1]);
    BROKEN(&f, f.proof->out[one][1], true, "block", "H1020"); /* an atomic section is not preempted */
    done(&f);
}

/* ---- the rule modular ---- */

static void modular(void **state) {
    (void)state;
    Fixture f = proved(workers, RULE_MODULAR);
    unsigned worker = thread_called(f.system, "worker"), twin = f.system->threads[worker].other_instance;
    const Expr *truth = expr_bool(f.exprs, true), *zero = is_value(&f, "x", 0);
    const Expr ***inv = f.proof->invariants;
    assert_accepted(&f);
    const Expr *first = inv[0][0], *loop = inv[0][1];
    inv[0][0] = expr_and(f.exprs, first, zero);
    inv[0][1] = expr_and(f.exprs, loop, zero);
    assert_refused(&f, "interfere", "H1007"); /* main's, falsified by a worker */
    inv[0][0] = first;
    inv[0][1] = loop;
    BROKEN(&f, inv[0][0], is_value(&f, "x", 1), "init", "H1007");
    const Expr *mine = inv[worker][0], *second_instance = inv[twin][0];
    BROKEN(&f, inv[twin][0], truth, "second instance", "H1026");
    BROKEN(&f, inv[worker][0], zero, "second instance", "H1026");
    inv[worker][0] = inv[twin][0] = truth;
    assert_refused(&f, "error", "H1007");
    inv[worker][0] = inv[twin][0] = expr_and(f.exprs, zero, is_value(&f, "m", 0));
    assert_refused(&f, "interfere", "H1007");
    inv[worker][0] = mine;
    inv[twin][0] = second_instance;
    assert_accepted(&f);
    done(&f);
}

static void twins_of_a_kind(void **state) {
    (void)state;
    Fixture f = proved(workers, RULE_MODULAR);
    unsigned worker = thread_called(f.system, "worker"), twin = f.system->threads[worker].other_instance;
    SystemThread *second = &f.system->threads[twin];
    BROKEN(&f, f.system->threads[worker].other_instance, NONE, "second instance", "H1025");
    BROKEN(&f, second->other_instance, twin, "second instance", "H1025");
    BROKEN(&f, f.proof->facts[twin][1], expr_bool(f.exprs, true), "", "H1007");
    BROKEN(&f, f.proof->movers[twin][transition(&f, twin, 1, 2)->index], 0, "", "H1027");
    BROKEN(&f, second->locations[1].atomic, true, "", "H1026");
    Transition *writes = transition(&f, twin, WORKER_WRITES, 5);
    BROKEN(&f, update_of(&f, writes, "x")->value, expr_int(f.exprs, -1), "", "H1027");
    BROKEN(&f, writes->target, 6, "", "H1027");
    assert_int_equal(f.system->threads[worker].locations[WORKER_BAD].kind, LOCATION_ERROR);
    BROKEN(&f, second->locations[WORKER_BAD].kind, LOCATION_END, "second instance", "H1026");
    assert_accepted(&f);
    done(&f);
}

/* ---- two threads at a time ---- */

static void pairs(void **state) {
    (void)state;
    Fixture f = proved(tickets, RULE_PAIRS);
    unsigned worker = thread_called(f.system, "worker"), twin = f.system->threads[worker].other_instance;
    const Expr *truth = expr_bool(f.exprs, true);
    ProofPair *list = f.proof->pairs, *same = list;
    assert_accepted(&f);
    while (same->first != worker || same->second != twin) same++;
    const Expr ***inv = same->invariants;
    BROKEN(&f, inv[0][0], expr_bool(f.exprs, false), "init", "H1007");
    BROKEN(&f, inv[0][0], is_value(&f, "next", 1), "", "H1007");
    BROKEN(&f, inv[1][1], truth, "", "H1007");                                                    /* that tickets differ is needed */
    BROKEN(&f, inv[2][2], truth, "", "H1007");                                                    /* nobody is inside twice */
    BROKEN(&f, inv[1][1], expr_and(f.exprs, inv[1][1], is_value(&f, "serving", 0)), "", "H1007"); /* a third one leaves */
    BROKEN(&f, inv[1][5], expr_and(f.exprs, inv[1][5], is_value(&f, "inside", 1)), "", "H1007");  /* nobody is inside any more */
    const Expr *kept[100];
    size_t places = vec_len(f.system->threads[worker].locations);
    for (unsigned second = 0; second < 2; second++) { /* that one of the two never gets to its place 1 */
        for (unsigned l = 0; l < places; l++) {
            const Expr **at = second ? &inv[l][1] : &inv[1][l];
            kept[l] = *at;
            *at = expr_bool(f.exprs, false);
        }
        assert_refused(&f, "step", "H1007");
        for (unsigned l = 0; l < places; l++) *(second ? &inv[l][1] : &inv[1][l]) = kept[l];
    }
    const Symbol *input = symbol_new(f.exprs, SYM_VARIABLE, "input", sort_int(f.exprs));
    BROKEN(&f, inv[1][1], expr_and(f.exprs, inv[1][1], expr_eq(f.exprs, expr_symbol(f.exprs, input), expr_int(f.exprs, 0))), "claim",
           "H1010");
    ProofPair *other = list;
    while (other->first == worker || other->second == worker ? other == same : true) other++;
    unsigned foreign = 0;
    while (f.system->variables[foreign].thread != twin) foreign++;
    const Expr *of_twin = expr_eq(f.exprs, system_expr(f.system, foreign), expr_int(f.exprs, 0));
    BROKEN(&f, other->invariants[0][0], expr_and(f.exprs, other->invariants[0][0], of_twin), "claim", "H1010");
    BROKEN(&f, same->second, worker, "pairs", "H1035");
    BROKEN(&f, f.proof->partners[worker], worker, "pairs", "H1036");
    BROKEN(&f, f.system->threads[worker].other_instance, NONE, "", "H1035");
    BROKEN(&f, update_of(&f, transition(&f, twin, 0, 1), "next")->value, system_expr(f.system, variable_called(f.system, "next")), "",
           "H1027");
    vec_push(f.proof->pairs, *same);
    assert_refused(&f, "pairs", "H1035");
    (void)vec_pop(f.proof->pairs);
    done(&f);
}

/* The lock is none: a proof that it is does not fit. */
static void pairs_of_another(void **state) {
    (void)state;
    Fixture f = proved(tickets, RULE_PAIRS);
    unsigned worker = thread_called(f.system, "worker"), twin = f.system->threads[worker].other_instance;
    for (int k = 0; k < 2; k++) {
        unsigned t = k ? twin : worker, mine = 0;
        while (f.system->variables[mine].thread != t || strcmp(f.system->variables[mine].name, "mine")) mine++;
        Update *u = update_of(&f, transition(&f, t, 0, 1), "next");
        u->value = system_expr(f.system, variable_called(f.system, "next")); /* all have the same ticket */
    }
    assert_refused(&f, "", "H1007");
    done(&f);
}

/* ---- the rule redsafety ---- */

static void safety(void **state) {
    (void)state;
    Fixture f = proved_by(p1_1, HORN_REDSAFETY, RULE_REDSAFETY);
    unsigned one = thread_called(f.system, "one"), two = thread_called(f.system, "two");
    const Expr *truth = expr_bool(f.exprs, true), ***inv = f.proof->invariants;
    const Expr *two_waits = expr_eq(f.exprs, expr_symbol(f.exprs, f.proof->places[two]), expr_int(f.exprs, 0));
    assert_accepted(&f);
    BROKEN(&f, inv[one][0], expr_bool(f.exprs, false), "init", "H1007");
    BROKEN(&f, inv[one][0], expr_and(f.exprs, inv[one][0], is_value(&f, "x", 3)), "init", "H1007");
    BROKEN(&f, inv[one][0], expr_and(f.exprs, inv[one][0], two_waits), "", "H1007"); /* two runs */
    BROKEN(&f, inv[one][6], truth, "", "H1007");
    BROKEN(&f, inv[one][6], expr_and(f.exprs, inv[one][6], is_value(&f, "x", 2)), "", "H1007");
    BROKEN(&f, inv[two][3], expr_and(f.exprs, inv[two][3], is_value(&f, "mx", 0)), "", "H1007"); /* at its end: one holds it */
    const Symbol *input = symbol_new(f.exprs, SYM_VARIABLE, "input", sort_int(f.exprs));
    BROKEN(&f, inv[one][0], expr_eq(f.exprs, expr_symbol(f.exprs, input), expr_int(f.exprs, 0)), "claim", "H1009");
    BROKEN(&f, f.proof->places[one], f.proof->places[two], "places", "H1011");
    BROKEN(&f, f.proof->places[one], f.system->variables[variable_called(f.system, "x")].symbol, "places", "H1011");
    BROKEN(&f, f.proof->stop[one][4], true, "inside", "H1007"); /* nothing is claimed there */
    BROKEN(&f, f.system->threads[one].many, true, "", "H1012");
    BROKEN(&f, f.proof->out[one][6], false, "block", "H1018");
    BROKEN(&f, f.proof->movers[one][transition(&f, one, 0, 1)->index], MOVES_BOTH, "left", "H1007");
    BROKEN(&f, update_of(&f, transition(&f, two, 1, 2), "x")->value, expr_int(f.exprs, 11), "", "H1007");
    assert_accepted(&f);
    done(&f);
}

/* A relation holds inside a block with a loop. */
static void inside(void **state) {
    (void)state;
    Fixture f = proved_by(searches, HORN_REDSAFETY, RULE_REDSAFETY);
    unsigned search = thread_called(f.system, "search"), i = variable_called(f.system, "i");
    assert_accepted(&f);
    assert_int_equal(vec_len(f.proof->insides), 1);
    ProofInside *in = &f.proof->insides[0];
    const Expr *zero = expr_int(f.exprs, 0), *now = expr_symbol(f.exprs, f.proof->after[i]);
    const Symbol *input = symbol_new(f.exprs, SYM_VARIABLE, "input", sort_int(f.exprs));
    BROKEN(&f, in->relation, expr_bool(f.exprs, false), "inside search", "H1007");
    BROKEN(&f, in->relation, expr_and(f.exprs, in->relation, expr_eq(f.exprs, now, zero)), "inside search",
           "H1007"); /* the first round only */
    BROKEN(&f, in->relation, expr_bool(f.exprs, true), "", "H1007");
    BROKEN(&f, in->relation, expr_eq(f.exprs, now, expr_symbol(f.exprs, input)), "claim inside", "H1029");
    BROKEN(&f, in->relation, is_value(&f, "t", 0), "claim inside", "H1029"); /* of another thread */
    BROKEN(&f, in->thread, 1 - search, "claim inside", "H10");
    BROKEN(&f, in->start, in->location, "claim inside", "H1024");
    BROKEN(&f, in->location, in->start, "claim inside", "H1024");
    BROKEN(&f, in->location, 2, "", "H10"); /* a stop inside, but another one */
    BROKEN(&f, f.proof->after[i], f.proof->after[variable_called(f.system, "n")], "after", "H1030");
    BROKEN(&f, f.proof->out[search][2], true, "", "H10");
    assert_accepted(&f);
    ProofInside *list = f.proof->insides;
    f.proof->insides = NULL;
    assert_refused(&f, "inside search", "H1007"); /* what has no claim is not reachable */
    f.proof->insides = list;
    assert_accepted(&f);
    done(&f);
}

/* Every location is Out. */
static void no_reduction(void **state) {
    (void)state;
    Fixture f = proved_by(searches, HORN_REACHENV, RULE_REDSAFETY);
    unsigned search = thread_called(f.system, "search");
    assert_true(f.proof->out[search][1]);
    BROKEN(&f, f.proof->invariants[search][2], expr_bool(f.exprs, true), "", "H1007");
    BROKEN(&f, update_of(&f, transition(&f, search, 2, 3), "found")->value, expr_int(f.exprs, -1), "", "H1007");
    assert_accepted(&f);
    done(&f);
}

/* ---- the rule rely ---- */

/* 0 <= x, before or after a step. */
static const Expr *not_negative(Fixture *f, const Symbol *x) {
    return expr_2(f->exprs, OP_SLE, expr_int(f->exprs, 0), expr_symbol(f->exprs, x));
}

/* The proof that x is never negative, said by what each thread guarantees and relies on. */
static Fixture relying(void) {
    Fixture f = proved(workers, RULE_MODULAR);
    Proof *p = f.proof;
    unsigned x = variable_called(f.system, "x");
    p->rule = RULE_RELY;
    for (size_t v = 0; v < vec_len(f.system->variables); v++)
        vec_push(p->after, symbol_new(f.exprs, SYM_VARIABLE, "after", f.system->variables[v].symbol->sort));
    const Expr *before = not_negative(&f, f.system->variables[x].symbol),
               *keeps = expr_implies(f.exprs, before, not_negative(&f, p->after[x]));
    for (size_t t = 0; t < vec_len(f.system->threads); t++) {
        for (size_t l = 0; l < vec_len(p->invariants[t]); l++) p->invariants[t][l] = before;
        vec_push(p->guarantees, keeps);
        vec_push(p->relies, keeps);
    }
    return f;
}

static void rely(void **state) {
    (void)state;
    Fixture f = relying();
    Proof *p = f.proof;
    unsigned worker = thread_called(f.system, "worker"), twin = f.system->threads[worker].other_instance,
             x = variable_called(f.system, "x"), foreign = 0;
    const Expr *truth = expr_bool(f.exprs, true), *keeps = p->relies[0], *zero = is_value(&f, "x", 0);
    const Expr *same = expr_eq(f.exprs, expr_symbol(f.exprs, p->after[x]), system_expr(f.system, x));
    assert_accepted(&f);
    BROKEN(&f, p->invariants[0][0], is_value(&f, "x", 1), "init", "H1007");
    BROKEN(&f, p->invariants[0][0], zero, "stable", "H1007"); /* others count */
    BROKEN(&f, p->relies[0], same, "rely", "H1007");
    BROKEN(&f, p->relies[0], truth, "stable", "H1007");
    BROKEN(&f, p->guarantees[0], truth, "rely", "H1007");
    BROKEN(&f, p->guarantees[worker], same, "second instance", "H1028");
    BROKEN(&f, p->relies[twin], same, "rely", "H1007");
    p->guarantees[worker] = p->guarantees[twin] = same;
    assert_refused(&f, "guarantee", "H1007");
    p->guarantees[worker] = p->guarantees[twin] = keeps;
    unsigned entry = f.system->threads[worker].entry;
    const Expr *kept = p->invariants[worker][entry];
    p->invariants[worker][entry] = p->invariants[twin][entry] = truth;
    assert_refused(&f, "error", "H1007");
    p->invariants[worker][entry] = p->invariants[twin][entry] = kept;
    while (f.system->variables[foreign].thread != twin) foreign++;
    const Expr *of_twin = expr_eq(f.exprs, system_expr(f.system, foreign), expr_int(f.exprs, 0));
    BROKEN(&f, p->invariants[0][0], expr_and(f.exprs, kept, of_twin), "claim", "H1010");
    BROKEN(&f, p->guarantees[0], expr_and(f.exprs, keeps, of_twin), "claim", "H1029");
    BROKEN(&f, p->relies[0], expr_or(f.exprs, keeps, of_twin), "claim", "H1029");
    const Expr *number = system_expr(f.system, f.system->threads[worker].self), *few = expr_int(f.exprs, 1);
    const Expr *by_number = expr_or(f.exprs, keeps, expr_2(f.exprs, OP_SLE, number, few)); /* there are none such */
    BROKEN(&f, p->guarantees[0], by_number, "claim", "H1029");
    BROKEN(&f, p->relies[0], expr_or(f.exprs, keeps, expr_2(f.exprs, OP_SLE, few, number)), "stable", "H1007");
    p->relies[0] = by_number; /* … of who runs */
    assert_accepted(&f);
    p->relies[0] = keeps;
    BROKEN(&f, p->after[x], p->after[x + 1], "after", "H1030");
    BROKEN(&f, p->after[x], f.system->variables[x].symbol, "after", "H1030");
    assert_accepted(&f);
    done(&f);
}

/* Where others are is said in the proof, of a fixed number of threads. */
static void rely_places(void **state) {
    (void)state;
    Fixture f = proved_by(p1_1, HORN_REDSAFETY, RULE_REDSAFETY);
    Proof *p = f.proof;
    const Expr *truth = expr_bool(f.exprs, true);
    unsigned one = thread_called(f.system, "one"), two = thread_called(f.system, "two");
    p->rule = RULE_RELY;
    for (size_t v = 0; v < vec_len(f.system->variables); v++)
        vec_push(p->after, symbol_new(f.exprs, SYM_VARIABLE, "after", f.system->variables[v].symbol->sort));
    for (size_t t = 0; t < vec_len(f.system->threads); t++) {
        vec_push(p->places_after, symbol_new(f.exprs, SYM_VARIABLE, "then", sort_int(f.exprs)));
        vec_push(p->guarantees, truth);
        vec_push(p->relies, truth);
    }
    assert_refused(&f, "stable", "H1007"); /* nothing is guaranteed */
    for (size_t t = 0; t < vec_len(p->invariants); t++)
        for (size_t l = 0; l < vec_len(p->invariants[t]); l++) p->invariants[t][l] = truth;
    assert_refused(&f, "error", "H1007");
    const Expr *two_waits = expr_eq(f.exprs, expr_symbol(f.exprs, p->places[two]), expr_int(f.exprs, 0));
    const Expr *then_too = expr_eq(f.exprs, expr_symbol(f.exprs, p->places_after[two]), expr_int(f.exprs, 0));
    for (size_t l = 0; l < vec_len(p->invariants[0]); l++) p->invariants[0][l] = two_waits; /* true at the start, but two goes on */
    assert_refused(&f, "stable main", "H1007");
    p->relies[0] = expr_implies(f.exprs, two_waits, then_too);
    assert_refused(&f, "error main", "H1007");
    for (size_t l = 0; l < vec_len(p->invariants[0]); l++) p->invariants[0][l] = l == f.system->threads[0].entry ? two_waits : truth;
    for (size_t t = 0; t < vec_len(f.system->threads); t++)
        for (size_t l = 0; l < vec_len(f.system->threads[t].locations); l++)
            if (f.system->threads[t].locations[l].kind == LOCATION_ERROR) f.system->threads[t].locations[l].kind = LOCATION_END;
    assert_refused(&f, "rely main", "H1007");
    for (size_t t = 0; t < vec_len(p->guarantees); t++) p->guarantees[t] = p->relies[0];
    assert_refused(&f, "guarantee two", "H1007");
    p->guarantees[two] = truth;
    p->relies[0] = truth;
    p->invariants[0][f.system->threads[0].entry] = truth;
    assert_accepted(&f);
    BROKEN(&f, p->places_after[one], p->places[one], "after", "H1030");
    BROKEN(&f, p->places[one], p->places[two], "places", "H1011");
    done(&f);
}

/* ---- loops inside blocks ---- */

static void loops(void **state) {
    (void)state;
    Fixture f = proved(searches, RULE_PRODUCT);
    unsigned search = thread_called(f.system, "search");
    assert_accepted(&f);
    assert_true(f.proof->stop[search][1] && !f.proof->out[search][1]);
    uint8_t *counts = &f.proof->movers[search][transition(&f, search, 1, 1)->index];
    BROKEN(&f, *counts, MOVES_LEFT, "block", "H1017"); /* the loop would be after the commit */
    BROKEN(&f, *counts, 0, "block", "H1017");
    BROKEN(&f, f.proof->stop[search][1], false, "", "H1015");
    assert_accepted(&f);
    done(&f);
}

/* ---- certificates ---- */

static void certificate(void **state) {
    (void)state;
    static const char *const texts[] = {p1_1, workers, section, tickets, p1_1};
    static const HornRule names[] = {HORN_AUTO, HORN_AUTO, HORN_AUTO, HORN_AUTO, HORN_REDSAFETY};
    static const ProofRule rules[] = {RULE_PRODUCT, RULE_MODULAR, RULE_PRODUCT, RULE_PAIRS, RULE_REDSAFETY};
    for (int i = 0; i < 5; i++) {
        Fixture f = proved_by(texts[i], names[i], rules[i]);
        ProofReport report;
        Buf out = {0}, why_not = {0};
        assert_true(proof_check(f.proof, f.smt, 30, &report, &out));
        size_t questions = 0;
        for (const char *p = buf_string(&out); (p = strstr(p, "\n(check-sat)")); p++) questions++;
        assert_int_equal(questions, report.obligations);
        if (!recheck(buf_string(&out), 30, &why_not)) fail_msg("cvc5 objects: %s", buf_string(&why_not));
        buf_text(&out, "(push 1)\n(declare-const one_too_many Int)\n(assert (= one_too_many 1))\n(check-sat)\n(pop 1)\n");
        assert_false(recheck(buf_string(&out), 30, &why_not));
        assert_non_null(strstr(buf_string(&why_not), "with sat"));
        buf_free(&out);
        buf_free(&why_not);
        done(&f);
    }
}

/* ---- from one process to another ---- */

/* Nothing that is short, or has a byte changed, makes the reader fail otherwise than by saying so. */
static void damaged(const Proof *p) {
    Buf text = {0};
    proof_print(&text, p);
    for (size_t length = 0; length + 1 < text.length; length += 1 + length / 16) { /* the last is a new line */
        char *cut = strndup(text.text, length);
        Elsewhere e = read_elsewhere(p->system, cut);
        assert_null(e.proof);
        assert_non_null(strstr(buf_string(&e.error), "proof:"));
        leave_elsewhere(&e);
        free(cut);
    }
    for (size_t at = 0; at < text.length; at += 1 + text.length / 200)
        for (int bit = 0; bit < 7; bit += 3) {
            text.text[at] = (char)(text.text[at] ^ 1 << bit);
            Elsewhere e = read_elsewhere(p->system, buf_string(&text));
            leave_elsewhere(&e);
            text.text[at] = (char)(text.text[at] ^ 1 << bit);
        }
    buf_free(&text);
}

static size_t count_in(const Buf *text, const char *word) {
    size_t n = 0;
    for (const char *p = buf_string(text); (p = strstr(p, word)); p++) n++;
    return n;
}

/* What arrives is what was sent: it has the same obligations. */
static void sent(void **state) {
    (void)state;
    static const char *const texts[] = {p1_1, workers, section, tickets, p1_1, searches, p1_1, workers};
    static const HornRule names[] = {HORN_AUTO, HORN_AUTO, HORN_AUTO, HORN_AUTO, HORN_REDSAFETY, HORN_REDSAFETY, HORN_AUTO, HORN_AUTO};
    static const ProofRule rules[] = {RULE_PRODUCT,   RULE_MODULAR,   RULE_PRODUCT, RULE_PAIRS,
                                      RULE_REDSAFETY, RULE_REDSAFETY, RULE_RELY,    RULE_RELY};
    for (int i = 0; i < 8; i++) {
        Fixture f = found_by(rules[i] == RULE_RELY ? &engine_threader : &engine_redcomp, texts[i], names[i], rules[i]);
        ProofReport report;
        Buf before = {0}, after = {0};
        assert_true(proof_check(f.proof, f.smt, 30, &report, &before));
        Elsewhere e = send_elsewhere(f.proof);
        Smt *smt = smt_new(e.exprs);
        uint64_t obligations = report.obligations;
        if (!proof_check(e.proof, smt, 30, &report, &after)) fail_msg("refused: %s", report.failed);
        assert_int_equal(report.obligations, obligations);
        assert_int_equal(count_in(&before, "("), count_in(&after, "("));
        assert_int_equal(count_in(&before, "declare-const"), count_in(&after, "declare-const"));
        damaged(f.proof);
        smt_free(smt);
        leave_elsewhere(&e);
        buf_free(&before);
        buf_free(&after);
        done(&f);
    }
}

/* What is not SMT-LIB, or what cvc5 has no time for, is no consent. */
static void recheck_refuses(void **state) {
    (void)state;
    Buf why_not = {0};
    assert_true(recheck("(set-logic ALL)\n", 5, &why_not)); /* nothing was asked */
    assert_false(recheck("(set-logic ALL)\n(assert false)\n(check-sat)\n(check-sa", 5, &why_not));
    buf_clear(&why_not);
    assert_false(recheck("(set-logic ALL)\n(assert (= x 1))\n(check-sat)\n", 5, &why_not));
    assert_true(why_not.length > 0);
    buf_free(&why_not);
}

/* WitnessInvariants about what is not theirs to speak of, and a twin with other code. */
static void claims(void **state) {
    (void)state;
    Fixture f = proved(workers, RULE_MODULAR);
    unsigned worker = thread_called(f.system, "worker"), twin = f.system->threads[worker].other_instance, foreign = 0;
    while (f.system->variables[foreign].thread != twin) foreign++;
    const Expr *of_twin = expr_eq(f.exprs, system_expr(f.system, foreign), expr_int(f.exprs, 0));
    const Expr **invariant = &f.proof->invariants[0][f.system->threads[0].entry], **fact = &f.proof->facts[worker][1];
    assert_accepted(&f);
    BROKEN(&f, *invariant, expr_and(f.exprs, *invariant, of_twin), "claim", "H1010");
    BROKEN(&f, *fact, expr_and(f.exprs, *fact, of_twin), "claim", "H1010");
    const Symbol *input = symbol_new(f.exprs, SYM_VARIABLE, "input", sort_int(f.exprs));
    BROKEN(&f, *invariant, expr_eq(f.exprs, expr_symbol(f.exprs, input), expr_int(f.exprs, 0)), "claim", "H1010");
    Transition *first = &f.system->threads[twin].transitions[0];
    assert_int_equal(first->source, f.system->threads[twin].entry);
    BROKEN(&f, first->guard, expr_bool(f.exprs, false), "second instance", "H1027");
    Transition *same = &f.system->threads[worker].transitions[0];
    vec_push(first->inputs, input);
    vec_push(same->inputs, input);
    assert_refused(&f, "claim", "H1014"); /* the same input of two threads */
    (void)vec_pop(first->inputs);
    (void)vec_pop(same->inputs);
    assert_accepted(&f);
    done(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(invariants),
        cmocka_unit_test(facts_and_movers),
        cmocka_unit_test(blocks),
        cmocka_unit_test(other_transitions),
        cmocka_unit_test(stops_inside),
        cmocka_unit_test(modular),
        cmocka_unit_test(twins_of_a_kind),
        cmocka_unit_test(pairs),
        cmocka_unit_test(pairs_of_another),
        cmocka_unit_test(safety),
        cmocka_unit_test(inside),
        cmocka_unit_test(rely),
        cmocka_unit_test(rely_places),
        cmocka_unit_test(no_reduction),
        cmocka_unit_test(loops),
        cmocka_unit_test(claims),
        cmocka_unit_test(certificate),
        cmocka_unit_test(sent),
        cmocka_unit_test(recheck_refuses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
