/* SPDX-License-Identifier: Apache-2.0 */
/* Implements Expand, Refine, and the main loop of the Impact algorithm (Wachter, Kroening and Ouaknine, FMCAD 2013, Algorithm 1). A block step to an
   error has no node of its own. Refine excludes it when its source node is expanded, before the node gets children. */
#include "base/clock.h"
#include "engine/impact/art.h"
#include <stdio.h>
#include <string.h>

static const BlockStep *block_step_of(const Art *a, const ControlStep *s) { return &a->block_steps->list[s->block_step]; }

/* ---- refine ---- */

static void note_error(Art *a, const unsigned *path, const ControlStep *bad) {
    for (size_t i = 1; i <= vec_len(path); i++) {
        const BlockStep *l = block_step_of(a, i < vec_len(path) ? a->nodes[path[i]].step : bad);
        for (size_t k = 0; k < vec_len(l->transitions); k++) vec_push(a->schedule, ((ScheduleStep){l->thread, l->transitions[k]}));
    }
    a->reached = bad->block_step;
}

static bool is_stop(const Art *a, const ControlStep *s) {
    const BlockStep *l = block_step_of(a, s);
    return a->system->threads[l->thread].locations[l->step.target].kind == LOCATION_STOP;
}

/* Checks the step `bad`, which leads from the node to an error or to a STOP. If it is impossible, labels exclude it afterwards. If it is possible and
   leads to an error, the error is recorded. If it leads to a STOP, or the solver cannot decide, there will be no proof, but the search continues for
   errors elsewhere. */
static void refine(Art *a, unsigned node, const ControlStep *bad) {
    if (art_excludes(a, a->nodes[node].conjunction, bad->guard)) return;
    unsigned *path = art_path(a, 0, node);
    PathAnswer answer = art_interpolate(a, art_initially(a), path, bad->guard, block_step_of(a, bad)->step.inputs);
    a->task->stats->refinements++;
    if (answer == PATH_POSSIBLE && is_stop(a, bad)) a->stopped = bad->block_step;
    else if (answer == PATH_POSSIBLE) note_error(a, path, bad);
    a->not_known |= answer == PATH_UNKNOWN;
    /* Nodes with stronger labels may now be covered. */
    for (size_t i = 1; i + 1 < vec_len(path) && answer == PATH_IMPOSSIBLE; i++)
        if (art_alive(a, path[i]) && cover_close(a, path[i], false)) break;
    vec_free(path);
}

/* ---- expand ---- */

/* Returns the block steps of the node that are neither asleep nor explored, as a vec. Earlier ones may sleep after later ones. */
static unsigned *block_steps_to_explore(Art *a, unsigned node) {
    const ArtNode *n = &a->nodes[node];
    const ControlStep *steps = control_states_next(a->control_states, n->control_state);
    unsigned *list = NULL;
    for (size_t i = 0; i < vec_len(steps); i++) {
        unsigned l = steps[i].block_step;
        if (art_has(n->sleep, l) || art_has(n->done, l) || (vec_len(list) && vec_last(list) == l)) continue;
        vec_push(list, l);
    }
    return list;
}

/* Refines the steps to errors among the block steps. Returns true if the node is still alive and no error was found. */
static bool refine_errors(Art *a, unsigned node, const unsigned *block_steps) {
    const ControlStep *steps = control_states_next(a->control_states, a->nodes[node].control_state);
    for (size_t i = 0; i < vec_len(steps); i++) {
        if (steps[i].target != NONE || !vec_has(block_steps, steps[i].block_step)) continue;
        refine(a, node, &steps[i]);
        if (a->reached != NONE || !art_alive(a, node)) return false;
    }
    return true;
}

static void add_children(Art *a, unsigned node, unsigned block_step, const uint64_t *before, ArtEdge **edges) {
    ensure(block_step < vec_len(a->block_steps->list));
    const ControlStep *steps = control_states_next(a->control_states, a->nodes[node].control_state);
    uint64_t *sleep = NULL;
    vec_each_at(const ControlStep, s, steps) {
        if (s->block_step != block_step || s->target == NONE) continue;
        if (vec_len(a->nodes[node].label) && art_excludes(a, a->nodes[node].conjunction, s->guard)) continue;
        if (!sleep) {
            vec_resize(sleep, a->words);
            reduce_sleep(a, node, block_step, before, sleep);
        }
        unsigned child = art_add(a, node, s, s->target);
        memcpy(a->nodes[child].sleep, sleep, a->words * sizeof *sleep);
        vec_push(*edges, ((ArtEdge){block_step, child}));
    }
    vec_free(sleep);
}

static void expand(Art *a, unsigned node, const unsigned *block_steps) {
    uint64_t *before = NULL;
    ArtEdge *edges = NULL;
    vec_resize(before, a->words);
    for (size_t i = 0; i < vec_len(block_steps); i++) {
        add_children(a, node, block_steps[i], before, &edges);
        art_put(before, block_steps[i]);
    }
    for (size_t i = vec_len(edges); i-- > 0;) art_queue(a, edges[i].child); /* work is a stack: the first edge is explored first */
    ArtNode *n = &a->nodes[node];
    if (vec_len(n->edges)) a->task->stats->cover_expansions += vec_len(edges);
    for (size_t i = 0; i < vec_len(block_steps); i++) art_put(n->done, block_steps[i]);
    /* New edges come before the existing ones (cover expansion). */
    vec_append(edges, n->edges);
    vec_free(n->edges);
    n->edges = edges;
    vec_free(before);
}

static void process(Art *a, unsigned node) {
    ArtNode *n = &a->nodes[node];
    if (a->task->options.impact_por == IMPACT_POR_SLEEP &&
        control_states_is_covered_by_sleep(a->control_states, n->control_state, n->sleep)) {
        n->dead = true;
        a->task->stats->dead_nodes++;
        return;
    }
    if (cover_close(a, node, a->task->options.impact_force_cover == SETTING_YES)) return;
    unsigned *block_steps = block_steps_to_explore(a, node);
    if (!a->nodes[node].impossible && refine_errors(a, node, block_steps)) expand(a, node, block_steps);
    vec_free(block_steps);
}

/* ---- the main loop ---- */

static void show_progress(Art *a) {
    char line[96];
    if (!a->task->progress || clock_seconds() < a->next_progress) return;
    snprintf(line, sizeof line, "impact: %zu nodes, %llu refinements, %zu waiting", vec_len(a->nodes),
             (unsigned long long)a->task->stats->refinements, vec_len(a->work));
    a->task->progress(a->task->context, line);
    a->next_progress = clock_seconds() + 0.25;
}

/* Returns the index of the work with the fewest context switches, and of these the newest: most errors need few switches. */
static size_t fewest_switches(const Art *a) {
    size_t best = vec_len(a->work) - 1;
    for (size_t i = best; i-- > 0;)
        if (a->nodes[a->work[i]].switches < a->nodes[a->work[best]].switches) best = i;
    return best;
}

static unsigned next_node(Art *a) {
    size_t i = a->task->options.impact_order == IMPACT_SWITCHES ? fewest_switches(a) : vec_len(a->work) - 1;
    unsigned node = a->work[i];
    memmove(&a->work[i], &a->work[i + 1], (vec_len(a->work) - i - 1) * sizeof *a->work);
    (void)vec_pop(a->work);
    a->nodes[node].queued = false;
    return node;
}

/* Returns true if a node of the proof has block steps that are not explored. */
static bool is_unfinished(Art *a, unsigned node) {
    const ArtNode *n = &a->nodes[node];
    if (n->impossible || n->dead) return false;
    unsigned *block_steps = block_steps_to_explore(a, node);
    bool some = vec_len(block_steps) > 0;
    vec_free(block_steps);
    return some;
}

static bool queue_unfinished(Art *a) {
    unsigned *needed = certify_needed(a);
    for (size_t i = vec_len(needed); i-- > 0;)
        if (is_unfinished(a, needed[i])) art_queue(a, needed[i]);
    vec_free(needed);
    return vec_len(a->work) > 0;
}

Explored explore(Art *a) {
    do {
        while (vec_len(a->work)) {
            unsigned node = next_node(a);
            show_progress(a);
            if (clock_seconds() > a->deadline) return EXPLORED_UNKNOWN;
            if (art_alive(a, node)) process(a, node);
            if (a->reached != NONE) return EXPLORED_ERROR;
        }
    } while (queue_unfinished(a));
    return a->stopped == NONE && !a->not_known ? EXPLORED_SAFE : EXPLORED_UNKNOWN;
}
