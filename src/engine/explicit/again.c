/* SPDX-License-Identifier: Apache-2.0 */
/* Checks a claim that all states were visited. If the states are few, it visits all of them again without partial order reduction and without
   symmetry. Then it runs random executions with another seed, for as long as the second visit took. A violation that it finds refutes the
   claim. Without a violation, a complete second visit confirms the claim. */
#include "engine/explicit/explicit.h"
#include "engine/explicit/lasso.h"

enum { FEW = 20000, MORE_TIMES = 40 }; /* most states to visit again; the factor by which states without reduction may be more */

static bool all_again(Context *c, double until, SearchEnd *end) {
    uint64_t most = MORE_TIMES * (c->task->claimed_states + 100);
    Search *x = search_new(c, false, NULL, c->task->budget.memory / 2);
    *end = search_continue(x, until, most);
    c->task->stats->again = search_states(x);
    search_free(x);
    return *end == SEARCH_EXHAUSTED && !c->incomplete && !c->doubtful && !c->beyond_limit;
}

static bool ends_again(Context *c, double until, SearchEnd *end) {
    LassoEnd found = lasso_search(c, false, until, &c->task->stats->again);
    *end = found == LASSO_FOUND ? SEARCH_FOUND : SEARCH_TIME;
    return found == LASSO_NONE && !c->incomplete && !c->doubtful && !c->beyond_limit;
}

bool revisit_states(Context *c, double simulating, double until, SearchEnd *end) {
    bool ends = c->task->question->property == PROPERTY_TERMINATION, few = c->task->claimed_states <= FEW, all = false;
    double start = context_seconds(c);
    *end = SEARCH_STATES;
    if (few) all = ends ? ends_again(c, until, end) : all_again(c, until, end);
    double taken = context_seconds(c) - start;
    if (*end == SEARCH_FOUND || ends) return all;
    if (simulation_run(c, context_seconds(c) + (few && taken < simulating ? taken : simulating))) *end = SEARCH_FOUND;
    return all && *end != SEARCH_FOUND;
}
