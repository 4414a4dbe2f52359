/* SPDX-License-Identifier: Apache-2.0 */
/* The rule reduced: a search over control states with sleep sets gives a proof where all is plain; the checker accepts it, and refuses it
   once it is broken, whichever way. */
#include "ir_test.h"
#include "check/proof.h"
#include "proof_elsewhere.h"
#include "passes/prepare.h"
#include "interpolation/control_states.h"
#include <stdlib.h>

/* Two threads that have nothing in common but a last step each: flag is 1, then 2, or 2, then 1. */
static const char two[] =
    "global a : bv32 = 0:32;\n"
    "global b : bv32 = 0:32;\n"
    "global flag : bv32 = 0:32;\n"
    "thread main { local one : bv32; local other : bv32;\n"
    "  l0 { do one := create left (0:64); goto l1; }\n"
    "  l1 { do other := create right (0:64); goto l2; }\n"
    "  l2 { do join (one); goto l3; }\n"
    "  l3 { do join (other); goto l4; }\n"
    "  l4 { when (= flag 0:32) goto bad; when (not (= flag 0:32)) goto l5; }\n"
    "  l5 { when (not (= a 2:32)) goto bad; when (= a 2:32) goto l6; }\n"
    "  l6 { when (not (= b 2:32)) goto bad; when (= b 2:32) goto l7; }\n"
    "  bad error \"wrong\"; l7 end; }\n"
    "thread left { l0 { do a := 1:32; goto l1; } l1 { do a := 2:32; goto l2; } l2 { do flag := 1:32; goto l3; } l3 end; }\n"
    "thread right { l0 { do b := 1:32; goto l1; } l1 { do b := 2:32; goto l2; } l2 { do flag := 2:32; goto l3; } l3 end; }\n";

typedef struct Fixture {
    Program *program;
    Chain prepared;
    BlockSteps *block_steps;
    ControlStates *control_states;
    Proof *proof;
    unsigned *control_state_of; /* by node */
    Smt *smt;
    bool use_dead;
} Fixture;

static bool same_sleep(const unsigned *a, const unsigned *b) { return vec_len(a) == vec_len(b) && !memcmp(a, b, vec_len(a) * sizeof *a); }

/* sleep is taken over. */
static unsigned node_for(Fixture *f, unsigned control_state, unsigned *sleep) {
    for (unsigned i = 0; i < vec_len(f->proof->nodes); i++)
        if (f->control_state_of[i] == control_state && same_sleep(f->proof->nodes[i].sleep, sleep)) {
            vec_free(sleep);
            return i;
        }
    ProofNode n = {.invariant = control_states_constants(f->control_states, control_state), .sleep = sleep};
    for (size_t t = 0; t < vec_len(f->prepared.system->threads); t++)
        vec_push(n.locations, control_states_get(f->control_states, control_state)->locations[t]);
    vec_push(f->proof->nodes, n);
    vec_push(f->control_state_of, control_state);
    return (unsigned)vec_len(f->proof->nodes) - 1;
}

static bool sleeps(const unsigned *sleep, unsigned block_step) {
    for (size_t i = 0; i < vec_len(sleep); i++)
        if (sleep[i] == block_step) return true;
    return false;
}

static bool is_dead(Fixture *f, unsigned node) {
    uint64_t *bits = NULL;
    const unsigned *sleep = f->proof->nodes[node].sleep;
    vec_resize(bits, vec_len(f->block_steps->list) / 64 + 1);
    for (size_t i = 0; i < vec_len(sleep); i++) bits[sleep[i] / 64] |= (uint64_t)1 << sleep[i] % 64;
    bool dead = f->use_dead && vec_len(sleep) && control_states_is_covered_by_sleep(f->control_states, f->control_state_of[node], bits);
    vec_free(bits);
    return dead;
}

static void expand(Fixture *f, unsigned node) {
    unsigned control_state = f->control_state_of[node], *stay = NULL;
    const ControlStep *steps = control_states_next(f->control_states, control_state);
    if ((f->proof->nodes[node].dead = is_dead(f, node))) return;
    for (size_t i = 0; i < vec_len(f->proof->nodes[node].sleep); i++) vec_push(stay, f->proof->nodes[node].sleep[i]);
    for (size_t i = 0; i < vec_len(steps); i++) {
        unsigned *sleep = NULL;
        if (sleeps(f->proof->nodes[node].sleep, steps[i].block_step)) continue;
        assert_int_not_equal(steps[i].target, NONE);
        for (size_t k = 0; k < vec_len(stay); k++)
            if (f->block_steps->list[stay[k]].thread != f->block_steps->list[steps[i].block_step].thread &&
                smt_is_valid(f->smt, f->prepared.system->exprs, 0,
                             control_states_swap(f->control_states, control_state, steps[i].block_step, stay[k])))
                vec_push(sleep, stay[k]);
        unsigned target = node_for(f, steps[i].target, sleep);
        vec_push(f->proof->nodes[node].edges, ((ProofEdge){steps[i].block_step, target}));
        if (!sleeps(stay, steps[i].block_step)) vec_push(stay, steps[i].block_step);
    }
    vec_free(stay);
}

static Fixture proved(const char *text, bool use_dead) {
    Fixture f = {.program = program_of(text), .use_dead = use_dead};
    assert_null(prepare(&f.prepared, f.program, NULL, (PassSettings){.arithmetic = INTEGERS, .fine = true, .no_reduction = true}, "test"));
    prepare_blocks(&f.prepared, NULL);
    f.block_steps = block_steps_new(f.prepared.system, f.prepared.blocks);
    f.control_states = control_states_new(f.prepared.system, f.prepared.blocks, f.block_steps);
    f.proof = chain_proof(&f.prepared, RULE_REDUCED);
    f.smt = smt_new(f.prepared.system->exprs);
    for (size_t i = 0; i < vec_len(f.block_steps->list); i++) {
        ProofStep l = {f.block_steps->list[i].thread, NULL};
        for (size_t k = 0; k < vec_len(f.block_steps->list[i].transitions); k++)
            vec_push(l.transitions, f.block_steps->list[i].transitions[k]);
        vec_push(f.proof->block_steps, l);
    }
    node_for(&f, 0, NULL);
    for (unsigned i = 0; i < vec_len(f.proof->nodes); i++) expand(&f, i);
    return f;
}

static void done(Fixture *f) {
    control_states_free(f->control_states);
    block_steps_free(f->block_steps);
    chain_free(&f->prepared);
    smt_free(f->smt);
    proof_free(f->proof);
    vec_free(f->control_state_of);
    program_free(f->program);
}

static void assert_accepted(Fixture *f) {
    ProofReport report;
    if (!proof_check(f->proof, f->smt, 30, &report, NULL)) fail_msg("refused: %s", report.failed);
    Elsewhere e = send_elsewhere(f->proof);
    Smt *smt = smt_new(e.exprs);
    if (!proof_check(e.proof, smt, 30, &report, NULL)) fail_msg("refused when sent: %s", report.failed);
    smt_free(smt);
    leave_elsewhere(&e);
}

static void assert_refused(Fixture *f, const char *group, const char *code) {
    ProofReport report;
    assert_false(proof_check(f->proof, f->smt, 30, &report, NULL));
    if (strncmp(report.failed, group, strlen(group)) || !strstr(report.failed, code))
        fail_msg("refused, but for another reason than %s, %s: %s", group, code, report.failed);
}

#define BROKEN(f, place, value, group, code) \
    do {                                     \
        __typeof__(place) saved_ = (place);  \
        (place) = (value);                   \
        assert_refused(f, group, code);      \
        (place) = saved_;                    \
    } while (0)

/* A node with several edges, the first of whose block steps sleeps at the target of another. */
static ProofNode *with_sleeper(Fixture *f, size_t *edge) {
    for (size_t i = 0; i < vec_len(f->proof->nodes); i++)
        for (size_t e = 1; e < vec_len(f->proof->nodes[i].edges); e++) {
            ProofNode *n = &f->proof->nodes[i];
            const unsigned *sleep = f->proof->nodes[n->edges[e].target].sleep;
            *edge = e;
            if (!vec_len(n->sleep) && vec_len(sleep) == 1 && sleep[0] == n->edges[0].block_step) return n;
        }
    fail_msg("nothing sleeps");
    return NULL;
}

static ProofNode *dead_node(Fixture *f) {
    for (size_t i = 0; i < vec_len(f->proof->nodes); i++)
        if (f->proof->nodes[i].dead) return &f->proof->nodes[i];
    fail_msg("no node is dead");
    return NULL;
}

static void sleep_sets(void **state) {
    (void)state;
    Fixture f = proved(two, false);
    size_t e = 0;
    assert_accepted(&f);
    ProofNode *n = with_sleeper(&f, &e), *target = &f.proof->nodes[n->edges[e].target];
    /* what others stand back for must be done first, by somebody */
    ProofEdge first = n->edges[0];
    n->edges[0] = n->edges[e];
    n->edges[e] = first;
    assert_refused(&f, "asleep", "H1041");
    n->edges[e] = n->edges[0];
    n->edges[0] = first;
    /* an edge is missing: the step is not impossible */
    BROKEN(&f, n->edges[e].block_step, n->edges[0].block_step, "step", "H1038");
    /* an edge to another place */
    BROKEN(&f, n->edges[e].target, 0, "step", "H1038");
    /* more sleeps than may */
    vec_push(target->sleep, n->edges[e].block_step);
    assert_refused(&f, "asleep", "H1039");
    (void)vec_pop(target->sleep);
    BROKEN(&f, target->sleep[0], 1000, "node", "H1045");
    /* the start */
    vec_push(f.proof->nodes[0].sleep, 0);
    assert_refused(&f, "init", "H1051");
    (void)vec_pop(f.proof->nodes[0].sleep);
    BROKEN(&f, f.proof->nodes[0].locations[0], 1, "init", "H1050");
    /* invariants */
    BROKEN(&f, n->invariant, expr_bool(f.prepared.system->exprs, true), "", "H1007");
    BROKEN(&f, f.proof->nodes[0].invariant, expr_bool(f.prepared.system->exprs, false), "init", "H1007");
    /* names of runs */
    BROKEN(&f, f.proof->block_steps[n->edges[e].block_step].transitions[0], 999, "", "H1007");
    BROKEN(&f, n->dead, true, "node", "H1046");
    assert_accepted(&f);
    done(&f);
}

/* What sleeps must wake when something it does not commute with is done: the block steps that set the flag. */
static void conflicts_do_not_sleep(void **state) {
    (void)state;
    Fixture f = proved(two, false);
    unsigned broken = 0;
    for (size_t i = 0; i < vec_len(f.proof->nodes); i++) {
        const ProofNode *n = &f.proof->nodes[i];
        for (size_t e = 0; e < vec_len(n->edges); e++)
            for (size_t k = 0; k < vec_len(n->sleep); k++) {
                ProofNode *target = &f.proof->nodes[n->edges[e].target];
                if (sleeps(target->sleep, n->sleep[k])) continue;
                vec_push(target->sleep, n->sleep[k]);
                assert_refused(&f, "asleep", "H1007");
                (void)vec_pop(target->sleep);
                broken++;
            }
    }
    assert_int_not_equal(broken, 0);
    done(&f);
}

static void dead_nodes(void **state) {
    (void)state;
    Fixture all = proved(two, false), f = proved(two, true);
    assert_accepted(&f);
    assert_true(vec_len(f.proof->nodes) < vec_len(all.proof->nodes));
    ProofNode *n = dead_node(&f);
    unsigned block_step = vec_pop(n->sleep);
    assert_refused(&f, "dead", "H1052");
    vec_push(n->sleep, block_step);
    assert_accepted(&f);
    done(&f);
    done(&all);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sleep_sets),
        cmocka_unit_test(conflicts_do_not_sleep),
        cmocka_unit_test(dead_nodes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
