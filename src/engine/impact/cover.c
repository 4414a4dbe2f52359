/* SPDX-License-Identifier: Apache-2.0 */
/* Implements Close and force cover (Wachter, Kroening and Ouaknine, FMCAD 2013). Three methods in turn decide whether a label implies another one:
   inclusion of their assertions, a table of previous answers, and the solver. Statistics count the answers of each method.

   With partial order reduction, a cover may need cover expansions (Close in Algorithm 2). Block steps that sleep at the coverer, but not at the
   covered node, must be explored at the coverer. We wake them there. Their new edges come before the existing edges, so they may still sleep at the
   targets of these. */
#include "engine/impact/art.h"

/* A node that was forced MAX_FORCED times, and uncovered each time, is expanded instead. Otherwise two nodes could strengthen each other for ever,
   without a path to an error that would show the assertions that are needed. */
enum { IMPLICATION_MS = 1000, MAX_CANDIDATES = 6, MAX_FORCED = 3 };

typedef enum Kind { BY_SYNTAX, BY_TABLE, BY_SOLVER } Kind;

static uint64_t pair(uint64_t x, uint64_t y) { return x << 32 | y; }

/* Returns true if the node's label implies e. *kind is the method that has decided this. */
static bool implies(Art *a, unsigned node, const Expr *e, Kind *kind) {
    const ArtNode *n = &a->nodes[node];
    uint64_t known;
    *kind = BY_SYNTAX;
    if (n->impossible || vec_has(n->label, e)) return true;
    if (!vec_len(n->label)) return false;
    *kind = BY_TABLE;
    if (map_get(a->implied, pair(n->conjunction->id, e->id), &known)) return known;
    *kind = BY_SOLVER;
    Exprs *x = a->system->exprs;
    bool yes = smt_check(a->smt, IMPLICATION_MS, expr_and(x, n->conjunction, expr_not(x, e))) == SMT_UNSAT;
    map_put(a->implied, pair(n->conjunction->id, e->id), yes);
    return yes;
}

static void count(Art *a, Kind kind) {
    Stats *s = a->task->stats;
    (*(kind == BY_SYNTAX ? &s->implied_syntax : kind == BY_TABLE ? &s->implied_table : &s->implied_solver))++;
}

bool cover_implies(Art *a, unsigned node, const Expr *e) {
    Kind kind;
    bool yes = implies(a, node, e, &kind);
    count(a, kind);
    return yes;
}

static bool label_implies(Art *a, unsigned node, unsigned other) {
    Kind hardest = BY_SYNTAX, kind;
    bool yes = true;
    for (size_t i = 0; i < vec_len(a->nodes[other].label) && yes; i++) {
        yes = implies(a, node, a->nodes[other].label[i], &kind);
        if (kind > hardest) hardest = kind;
    }
    count(a, hardest);
    return yes;
}

/* Returns true if the node's sleep set is a subset of the other one's. */
static bool sleeps_no_more(const Art *a, unsigned node, unsigned other) {
    for (size_t i = 0; i < a->words; i++)
        if (a->nodes[node].sleep[i] & ~a->nodes[other].sleep[i]) return false;
    return true;
}

static void cover(Art *a, unsigned node, unsigned by) {
    ensure(by < node && a->nodes[by].control_state == a->nodes[node].control_state);
    if (!sleeps_no_more(a, by, node)) {
        for (size_t i = 0; i < a->words; i++) a->nodes[by].sleep[i] &= a->nodes[node].sleep[i];
        a->nodes[by].dead = false;
        art_queue(a, by);
    }
    a->nodes[node].coverer = by;
    art_release(a, node);
    vec_push(a->nodes[by].covers, node);
}

/* Returns true if `by` is older than the node, not covered, and possible. */
static bool is_candidate(const Art *a, unsigned by, unsigned node) {
    return by < node && a->nodes[by].coverer == NONE && !a->nodes[by].impossible;
}

/* Strengthens the node with the label of `by`, and the path to it from the common ancestor with interpolants that imply it. Returns true if the
   node's label then implies that of `by`. */
static bool force(Art *a, unsigned node, unsigned by) {
    uint64_t key = pair(node, by), failed;
    Exprs *x = a->system->exprs;
    if (map_get(a->tried, key, &failed) && failed == a->nodes[by].conjunction->id) return false;
    unsigned from = art_common_ancestor(a, node, by), *path = art_path(a, from, node);
    const Expr *initially =
                   expr_and(x, a->nodes[from].conjunction, control_states_constants(a->control_states, a->nodes[from].control_state)),
               **wanted = NULL;
    vec_append(wanted, a->nodes[by].label);
    a->task->stats->force_tried++;
    bool yes = art_interpolate(a, initially, path, expr_not(x, a->nodes[by].conjunction), NULL) == PATH_IMPOSSIBLE;
    for (size_t i = 0; i < vec_len(wanted) && yes; i++) art_strengthen(a, node, wanted[i]);
    if (!yes) map_put(a->tried, key, a->nodes[by].conjunction->id);
    a->task->stats->force_done += yes;
    a->nodes[node].forced += yes;
    vec_free(path);
    vec_free(wanted);
    /* `by` may be an ancestor, and then it may have become stronger itself. */
    return yes && label_implies(a, node, by);
}

/* Returns a candidate whose label is implied: one that needs no cover expansion, or else the oldest one; NONE: no candidate. */
static unsigned implied_candidate(Art *a, unsigned node) {
    const unsigned *others = a->at[a->nodes[node].control_state];
    unsigned found = NONE;
    for (size_t i = 0; i < vec_len(others) && others[i] < node; i++) {
        if (!is_candidate(a, others[i], node) || !label_implies(a, node, others[i]) || !art_alive(a, others[i])) continue;
        if (sleeps_no_more(a, others[i], node)) return others[i];
        if (found == NONE) found = others[i];
    }
    return found;
}

static unsigned forced_candidate(Art *a, unsigned node) {
    unsigned tried = 0;
    for (size_t i = vec_len(a->at[a->nodes[node].control_state]); i-- > 0 && tried < MAX_CANDIDATES;) {
        unsigned by = a->at[a->nodes[node].control_state][i];
        if (!is_candidate(a, by, node) || !art_alive(a, by)) continue;
        tried++;
        if (force(a, node, by)) return by;
        if (a->nodes[node].impossible) return NONE;
    }
    return NONE;
}

bool cover_close(Art *a, unsigned node, bool forced) {
    if (a->nodes[node].impossible) return false;
    unsigned by = implied_candidate(a, node);
    if (by == NONE && forced && a->nodes[node].forced < MAX_FORCED) by = forced_candidate(a, node);
    if (by == NONE || a->nodes[node].impossible) return false;
    cover(a, node, by);
    return true;
}
