/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/impact/art.h"
#include <stdlib.h>

enum { SHORT_MS = 500, MOST_VECTORS = 2000 };

bool art_has(const uint64_t *set, unsigned block_step) { return set[block_step / 64] >> block_step % 64 & 1; }
void art_put(uint64_t *set, unsigned block_step) { set[block_step / 64] |= (uint64_t)1 << block_step % 64; }

/* ---- making and releasing ---- */

/* Returns true if the block step closes a loop of its thread: its target is a loop head from which its source can be reached. */
static bool leads_back(const BlockSteps *ls, const BlockStep *l) {
    bool *seen = NULL, found = false;
    unsigned *work = NULL;
    vec_resize(seen, vec_len(ls->system->threads[l->thread].locations));
    vec_push(work, l->step.target);
    while (vec_len(work) && !found) {
        unsigned at = vec_pop(work);
        found = at == l->step.source;
        if (seen[at]) continue;
        seen[at] = true;
        for (size_t i = 0; i < vec_len(ls->starting_at[l->thread][at]); i++)
            vec_push(work, ls->list[ls->starting_at[l->thread][at][i]].step.target);
    }
    vec_free(seen);
    vec_free(work);
    return found && ls->system->threads[l->thread].locations[l->step.target].loop_head;
}

Art *art_new(const EngineTask *task, Chain *p, double deadline) {
    Art *a = zeroed(1, sizeof *a);
    a->task = task;
    a->deadline = deadline;
    a->system = p->system;
    a->smt = p->smt;
    a->block_steps = block_steps_new(p->system, p->blocks);
    a->control_states = control_states_new(p->system, p->blocks, a->block_steps);
    if (task->options.impact_constants == SETTING_NO) control_states_track_status(a->control_states);
    else control_states_track_small(a->control_states, MOST_VECTORS);
    a->interpolator = interpolator_new(p->system, p->smt);
    a->words = (vec_len(a->block_steps->list) + 63) / 64;
    a->steps = map_new();
    a->implied = map_new();
    a->exchanges = map_new();
    a->tried = map_new();
    a->conditional = map_new();
    a->reached = a->stopped = NONE;
    for (size_t i = 0; i < vec_len(a->block_steps->list); i++) vec_push(a->back, leads_back(a->block_steps, &a->block_steps->list[i]));
    art_queue(a, art_add(a, NONE, NULL, 0));
    return a;
}

void art_free(Art *a) {
    if (!a) return;
    vec_each_at(ArtNode, n, a->nodes) {
        vec_free(n->label);
        vec_free(n->sleep);
        vec_free(n->done);
        vec_free(n->edges);
        vec_free(n->covers);
    }
    for (size_t i = 0; i < vec_len(a->step_list); i++) {
        Update *updates = (Update *)(uintptr_t)a->step_list[i].updates;
        vec_free(updates);
    }
    vec_free_rows(a->at);
    vec_free(a->nodes);
    vec_free(a->work);
    vec_free(a->step_list);
    vec_free(a->back);
    vec_free(a->schedule);
    map_free(a->steps);
    map_free(a->implied);
    map_free(a->exchanges);
    map_free(a->tried);
    map_free(a->conditional);
    interpolator_free(a->interpolator);
    control_states_free(a->control_states);
    block_steps_free(a->block_steps);
    free(a);
}

/* ---- nodes ---- */

static unsigned switches_to(const Art *a, unsigned parent, const ControlStep *step) {
    if (parent == NONE) return 0;
    const ArtNode *p = &a->nodes[parent];
    unsigned thread = a->block_steps->list[step->block_step].thread;
    return p->switches + (p->step && a->block_steps->list[p->step->block_step].thread != thread);
}

unsigned art_add(Art *a, unsigned parent, const ControlStep *step, unsigned control_state) {
    ensure((parent == NONE) == !vec_len(a->nodes) && (parent == NONE) == !step);
    ensure(control_state < control_states_count(a->control_states));
    unsigned index = (unsigned)vec_len(a->nodes);
    ArtNode n = {
        .control_state = control_state, .parent = parent, .step = step, .coverer = NONE, .conjunction = expr_bool(a->system->exprs, true)};
    n.depth = parent == NONE ? 0 : a->nodes[parent].depth + 1;
    n.switches = switches_to(a, parent, step);
    vec_resize(n.sleep, a->words);
    vec_resize(n.done, a->words);
    if (vec_len(a->at) <= control_state) vec_resize(a->at, control_state + 1);
    vec_push(a->at[control_state], index);
    vec_push(a->nodes, n);
    a->task->stats->tree_nodes++;
    return index;
}

void art_queue(Art *a, unsigned node) {
    ensure(node < vec_len(a->nodes));
    if (a->nodes[node].queued) return;
    a->nodes[node].queued = true;
    vec_push(a->work, node);
}

bool art_alive(const Art *a, unsigned node) {
    ensure(node < vec_len(a->nodes));
    for (; node != NONE; node = a->nodes[node].parent)
        if (a->nodes[node].coverer != NONE || a->nodes[node].impossible) return false;
    return true;
}

unsigned art_coverer(const Art *a, unsigned node) {
    ensure(node < vec_len(a->nodes));
    while (a->nodes[node].coverer != NONE) node = a->nodes[node].coverer;
    return node;
}

unsigned art_common_ancestor(const Art *a, unsigned x, unsigned y) {
    ensure(x < vec_len(a->nodes) && y < vec_len(a->nodes));
    while (x != y) {
        if (a->nodes[x].depth >= a->nodes[y].depth) x = a->nodes[x].parent;
        else y = a->nodes[y].parent;
    }
    return x;
}

unsigned *art_path(const Art *a, unsigned from, unsigned to) {
    ensure(a->nodes[from].depth <= a->nodes[to].depth);
    unsigned *path = NULL;
    vec_resize(path, a->nodes[to].depth - a->nodes[from].depth + 1);
    for (size_t i = vec_len(path); i-- > 0; to = a->nodes[to].parent) path[i] = to;
    ensure(path[0] == from);
    return path;
}

static bool node_valid(const Art *a, unsigned node) {
    const ArtNode *n = &a->nodes[node];
    if (n->control_state >= control_states_count(a->control_states) || n->impossible != expr_is_false(n->conjunction)) return false;
    if (node ? n->parent >= node || n->depth != a->nodes[n->parent].depth + 1 || !n->step : n->parent != NONE || n->depth) return false;
    for (size_t i = 0; i < vec_len(n->edges); i++)
        if (n->edges[i].child <= node || a->nodes[n->edges[i].child].parent != node || !art_has(n->done, n->edges[i].block_step))
            return false;
    if (n->coverer == NONE) return true;
    const ArtNode *by = &a->nodes[n->coverer];
    for (size_t w = 0; w < a->words; w++)
        if (by->sleep[w] & ~n->sleep[w]) return false;
    return n->coverer < node && by->control_state == n->control_state && art_alive(a, n->coverer);
}

bool art_valid(const Art *a) {
    for (unsigned i = 0; i < vec_len(a->nodes); i++)
        if (!node_valid(a, i)) return false;
    return vec_len(a->nodes) > 0;
}

/* ---- labels ---- */

/* Uncovers the nodes that the node covers and whose labels do not imply the assertion. NULL stands for false: uncovers all. */
static void uncover(Art *a, unsigned node, const Expr *assertion) {
    ensure(node < vec_len(a->nodes));
    unsigned *covers = a->nodes[node].covers;
    a->nodes[node].covers = NULL;
    for (size_t i = 0; i < vec_len(covers); i++) {
        if (a->nodes[covers[i]].coverer != node) continue;
        if (assertion && cover_implies(a, covers[i], assertion)) {
            vec_push(a->nodes[node].covers, covers[i]);
            continue;
        }
        a->nodes[covers[i]].coverer = NONE;
        a->task->stats->uncovered++;
        art_queue(a, covers[i]);
    }
    vec_free(covers);
}

void art_release(Art *a, unsigned node) {
    ensure(node < vec_len(a->nodes));
    unsigned *work = NULL;
    vec_push(work, node);
    while (vec_len(work)) {
        unsigned at = vec_pop(work);
        for (size_t k = 0; k < vec_len(a->nodes[at].edges); k++) vec_push(work, a->nodes[at].edges[k].child);
        uncover(a, at, NULL);
    }
    vec_free(work);
}

static bool add_conjunct(Art *a, unsigned node, const Expr *e) {
    ensure(expr_is_formula(e));
    ArtNode *n = &a->nodes[node];
    if (expr_is_true(e) || n->impossible) return false;
    for (size_t i = 0; i < vec_len(n->label); i++)
        if (n->label[i] == e) return false;
    vec_push(n->label, e);
    n->conjunction = expr_and(a->system->exprs, n->conjunction, e);
    if (expr_is_false(n->conjunction)) {
        n->impossible = true;
        art_release(a, node);
        return true;
    }
    interpolator_prefer(a->interpolator, e);
    uncover(a, node, e);
    return true;
}

static bool add_conjuncts(Art *a, unsigned node, const Expr *e) {
    bool changed = false;
    if (e->op != OP_AND) return add_conjunct(a, node, e);
    for (unsigned i = 0; i < e->nargs; i++) changed |= add_conjuncts(a, node, e->args[i]);
    return changed;
}

bool art_strengthen(Art *a, unsigned node, const Expr *assertion) {
    ensure(expr_is_formula(assertion));
    return add_conjuncts(a, node,
                         system_with(a->system, control_states_get(a->control_states, a->nodes[node].control_state)->values, assertion));
}

/* ---- paths ---- */

/* Returns the step to the node with all its updates, also of variables with one value at the target. Interpolants may then mention any variable. */
static PathStep path_step(Art *a, unsigned node) {
    const ArtNode *n = &a->nodes[node];
    uint64_t known;
    if (map_get(a->steps, map_key(n->step), &known)) return a->step_list[known - 1];
    const ControlState *from = control_states_get(a->control_states, a->nodes[n->parent].control_state),
                       *to = control_states_get(a->control_states, n->control_state);
    Update *updates = vec_copy(n->step->updates);
    for (unsigned v = 0; v < vec_len(a->system->variables); v++)
        if (to->values[v] && to->values[v] != from->values[v]) vec_push(updates, ((Update){v, to->values[v]}));
    PathStep s = {n->step->guard, updates, a->block_steps->list[n->step->block_step].step.inputs};
    vec_push(a->step_list, s);
    map_put(a->steps, map_key(n->step), vec_len(a->step_list));
    return s;
}

const Expr *art_initially(const Art *a) {
    return expr_and(a->system->exprs, control_states_initially(a->control_states), control_states_constants(a->control_states, 0));
}

PathAnswer art_interpolate(Art *a, const Expr *initially, const unsigned *path, const Expr *guard, const Symbol *const *inputs) {
    PathStep *steps = NULL;
    const Expr ***known = NULL;
    for (size_t i = 0; i < vec_len(path); i++) {
        if (i) vec_push(steps, path_step(a, path[i]));
        vec_push(known, a->nodes[path[i]].label);
    }
    vec_push(steps, ((PathStep){guard, NULL, inputs}));
    vec_push(known, NULL);
    Interpolants found = interpolate(a->interpolator, initially, steps, vec_len(steps), (const Expr **const *)known);
    PathAnswer answer = found.answer;
    for (size_t i = 0; i < vec_len(path) && answer == PATH_IMPOSSIBLE; i++)
        for (size_t k = 0; k < vec_len(found.at[i]); k++) art_strengthen(a, path[i], found.at[i][k]);
    interpolants_free(&found);
    vec_free(steps);
    vec_free(known);
    return answer;
}

bool art_excludes(Art *a, const Expr *x, const Expr *y) {
    const Expr *both = expr_and(a->system->exprs, x, y);
    return smt_check(a->smt, SHORT_MS, both) == SMT_UNSAT;
}
