/* SPDX-License-Identifier: Apache-2.0 */
/* Searches for executions to an error with the solver (interpolation/bounded_search.h).

   A counterexample of the abstraction may be impossible in its order, but it mostly shows between which locations the threads step. So the
   solver searches for an execution with as many block steps, in any order, between the same locations. From time to time it also
   searches with all block steps, with growing bounds. */
#include "base/clock.h"
#include "engine/threader/tree.h"
#include "interpolation/bounded_search.h"
#include <math.h>

enum { MOST_STEPS = 40, MOST_BLOCK_STEPS = 250, FIRST_DEPTH = 10, MORE_DEPTH = 5, MOST_FAILED = 8, TREE_MS = 2000, DEPTH_MS = 500 };

/* ---- block steps like those of the tree ---- */

static bool has_same_ends(const System *s, const BlockStep *a, const BlockStep *b) {
    return system_first_instance(s, a->thread) == system_first_instance(s, b->thread) && a->step.source == b->step.source &&
           a->step.target == b->step.target;
}

/* Returns the block steps with the same source and target as a block step of the tree, as a vec. */
static unsigned *block_steps_like(const Tree *t) {
    const Abstraction *a = t->abstraction;
    unsigned *list = NULL;
    for (unsigned k = 0; k < vec_len(a->whole->list); k++) {
        bool found = false;
        for (size_t i = 0; i < vec_len(t->block_steps) && !found; i++)
            found = has_same_ends(a->system, &a->whole->list[k], &a->block_steps->list[t->block_steps[i]]);
        if (found) vec_push(list, k);
    }
    return list;
}

/* True if these block steps, or more block steps, were tried with as many steps. Records the block steps and steps as tried if not. */
static bool is_tried(Abstraction *a, const unsigned *block_steps, unsigned steps) {
    Tried one = {steps, NULL};
    vec_resize(one.block_steps, vec_len(a->whole->list));
    for (size_t i = 0; i < vec_len(block_steps); i++) one.block_steps[block_steps[i]] = true;
    for (size_t i = 0; i < vec_len(a->tried); i++) {
        bool within = a->tried[i].steps >= steps;
        for (size_t k = 0; k < vec_len(one.block_steps) && within; k++) within = !one.block_steps[k] || a->tried[i].block_steps[k];
        if (!within) continue;
        vec_free(one.block_steps);
        return true;
    }
    vec_push(a->tried, one);
    return false;
}

unsigned *interleave_tree(Aret *r) {
    Abstraction *a = r->abstraction;
    unsigned *list = NULL, *block_steps;
    SmtAnswer answer;
    Tree t;
    tree_open(&t, r, VOCABULARY_ALL);
    block_steps = block_steps_like(&t);
    double start = clock_seconds();
    bool now = start - a->started > 8 * a->ordered - 3; /* at most an eighth of the time, but some in any case */
    unsigned steps = (unsigned)vec_len(t.block_steps) + system_has_many(a->system); /* one more step creates a second instance */
    if (now && vec_len(t.threads) > 1 && steps <= MOST_STEPS && vec_len(block_steps) <= MOST_BLOCK_STEPS &&
        !is_tried(a, block_steps, steps))
        list = bounded_search(a->blocks, a->whole, solver_small(a->smt, TREE_MS), block_steps, steps, &answer);
    a->ordered += clock_seconds() - start;
    vec_free(block_steps);
    tree_close(&t);
    return list;
}

/* ---- all block steps ---- */

unsigned *interleave_all(Abstraction *a) {
    double start = clock_seconds();
    unsigned *block_steps = NULL, *list;
    SmtAnswer answer = SMT_UNKNOWN;
    double passed = (start - a->started) * 1000, limit = fmax(passed / 3, (double)DEPTH_MS);
    bool now = passed > 8000 * a->searched + 500;
    if (!now || a->depth > MOST_STEPS || a->failed > MOST_FAILED || vec_len(a->whole->list) > MOST_BLOCK_STEPS) return NULL;
    if (!a->depth) a->depth = FIRST_DEPTH;
    for (unsigned i = 0; i < vec_len(a->whole->list); i++) vec_push(block_steps, i);
    list = bounded_search(a->blocks, a->whole, solver_new(a->smt, (unsigned)limit), block_steps, a->depth, &answer);
    if (answer == SMT_UNKNOWN) a->failed++;
    else a->depth += MORE_DEPTH;
    a->searched += clock_seconds() - start;
    vec_free(block_steps);
    return list;
}
