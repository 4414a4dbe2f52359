/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/weave/space.h"
#include <stdlib.h>

/* Values of ControlStateSteps.swaps that are not steps of the proof: not computed yet, the groups always commute, they never commute. */
enum { OPEN = ~0u, ALWAYS = ~1u, NOT_AT_ALL = ~2u };

void strategy_assertions_begin(StrategyAssertions *p) { *p = (StrategyAssertions){.after = map_new()}; }
void strategy_assertions_end(StrategyAssertions *p) { map_free(p->after); }

bool strategy_assertions_add(StrategyAssertions *p, unsigned assertion) {
    if (predicates_has(&p->assertions, assertion)) return false;
    predicates_add(&p->assertions, assertion);
    map_free(p->after);
    p->after = map_new();
    return true;
}

Space *space_new(const System *s, const BlockSteps *block_steps, ControlStates *control_states, AbstractPost *post, Commutation commutation,
                 Stats *stats) {
    Space *p = zeroed(1, sizeof *p);
    *p = (Space){.system = s,
                 .block_steps = block_steps,
                 .control_states = control_states,
                 .post = post,
                 .commutation = commutation,
                 .dead = map_new(),
                 .stats = stats};
    p->sleeps = set_pool_new((vec_len(block_steps->list) + 63) / 64);
    return p;
}

void space_free(Space *p) {
    if (!p) return;
    for (size_t i = 0; i < vec_len(p->places); i++) {
        if (!p->places[i]) continue;
        vec_free(p->places[i]->groups);
        vec_free(p->places[i]->proof_steps);
        vec_free(p->places[i]->block_steps);
        vec_free(p->places[i]->swaps);
        free(p->places[i]);
    }
    vec_free(p->places);
    set_pool_free(p->sleeps);
    map_free(p->dead);
    free(p);
}

static ControlStateSteps *unfold(Space *p, unsigned control_state) {
    ControlStateSteps *place = zeroed(1, sizeof *place);
    place->steps = control_states_next(p->control_states, control_state);
    place->tracked = NONE;
    vec_resize(place->block_steps, set_pool_words(p->sleeps));
    for (unsigned i = 0; i < vec_len(place->steps); i++) {
        unsigned block_step = place->steps[i].block_step;
        if (!vec_len(place->groups) || vec_last(place->groups).block_step != block_step)
            vec_push(place->groups, ((Group){block_step, p->block_steps->list[block_step].thread, i, 0}));
        vec_last(place->groups).count++;
        set_add(place->block_steps, block_step);
        place->threads |= (uint64_t)1 << p->block_steps->list[block_step].thread;
    }
    for (size_t i = 0; i < vec_len(place->groups) * vec_len(place->groups); i++) vec_push(place->swaps, OPEN);
    return place;
}

static bool place_valid(const Space *p, const ControlStateSteps *place) {
    unsigned next = 0;
    vec_each_at(const Group, group, place->groups) {
        if (group->first != next || !group->count || group->thread != p->block_steps->list[group->block_step].thread) return false;
        for (; next < group->first + group->count; next++)
            if (next >= vec_len(place->steps) || place->steps[next].block_step != group->block_step) return false;
    }
    return next == vec_len(place->steps) && vec_len(place->swaps) == vec_len(place->groups) * vec_len(place->groups);
}

/* Checks that each place has a control state, and that sleep sets have room for all block steps. */
static bool space_valid(const Space *p) {
    return vec_len(p->places) <= control_states_count(p->control_states) &&
           (p->commutation.none || set_pool_words(p->sleeps) * 64 >= vec_len(p->block_steps->list));
}

ControlStateSteps *space_place(Space *p, unsigned control_state) {
    ensure(space_valid(p) && control_state < control_states_count(p->control_states));
    if (vec_len(p->places) <= control_state) vec_resize(p->places, control_state + 1);
    if (!p->places[control_state]) {
        p->places[control_state] = unfold(p, control_state);
        ensure(place_valid(p, p->places[control_state]));
    }
    return p->places[control_state];
}

/* Returns the step of the proof for a step of the control state. A ControlStep has no updates of variables that are constant at the target. The
   updates of such variables that some assertion mentions are added. */
static unsigned make_step(Space *p, unsigned control_state, const ControlStep *step) {
    Update *updates = vec_copy(step->updates);
    if (step->target != NONE) {
        const ControlState *from = control_states_get(p->control_states, control_state),
                           *to = control_states_get(p->control_states, step->target);
        for (unsigned v = 0; v < vec_len(p->system->variables); v++)
            if (to->values[v] && to->values[v] != from->values[v] && post_tracks(p->post, v))
                vec_push(updates, ((Update){v, to->values[v]}));
    }
    unsigned s = post_add_step(p->post, step->guard, updates);
    vec_free(updates);
    return s;
}

unsigned space_step(Space *p, unsigned control_state, unsigned step) {
    ControlStateSteps *place = space_place(p, control_state);
    if (place->tracked != post_tracked(p->post)) {
        vec_clear(place->proof_steps);
        for (size_t i = 0; i < vec_len(place->steps); i++) vec_push(place->proof_steps, make_step(p, control_state, &place->steps[i]));
        place->tracked = post_tracked(p->post);
    }
    ensure(step < vec_len(place->proof_steps));
    return place->proof_steps[step];
}

unsigned space_follow(Space *p, unsigned step, unsigned mask) {
    ensure(p->part);
    uint64_t key = (uint64_t)step << 32 | mask, known;
    if (map_get(p->part->after, key, &known)) {
        p->stats->post_memo++;
        return (unsigned)known;
    }
    unsigned result = post_after(p->post, step, mask, &p->part->assertions);
    map_put(p->part->after, key, result);
    return result;
}

unsigned space_after(Space *p, unsigned control_state, unsigned step, unsigned mask) {
    return space_follow(p, space_step(p, control_state, step), mask);
}

/* ---- commutation ---- */

const Expr *space_swap(Space *p, unsigned control_state, unsigned first, unsigned second) {
    ensure(control_state < control_states_count(p->control_states));
    const Expr *e = control_states_swap(p->control_states, control_state, first, second);
    if (p->commutation.semi || expr_is_false(e)) return e;
    return expr_and(p->system->exprs, e, control_states_swap(p->control_states, control_state, second, first));
}

static unsigned make_swap(Space *p, unsigned control_state, const Group *first, const Group *second) {
    if (first->thread == second->thread || p->commutation.none) return NOT_AT_ALL;
    const Expr *e = space_swap(p, control_state, first->block_step, second->block_step);
    if (expr_is_const(e)) return expr_is_true(e) ? ALWAYS : NOT_AT_ALL;
    unsigned step = post_add_step(p->post, expr_not(p->system->exprs, e), NULL);
    if (p->commutation.contextual) return step;
    return post_excludes(p->post, step, 0) ? ALWAYS : NOT_AT_ALL;
}

static unsigned swap_of(Space *p, unsigned control_state, unsigned first, unsigned second) {
    ControlStateSteps *place = space_place(p, control_state);
    ensure(first < vec_len(place->groups) && second < vec_len(place->groups));
    unsigned *swap = &place->swaps[first * vec_len(place->groups) + second];
    if (*swap == OPEN) *swap = make_swap(p, control_state, &place->groups[first], &place->groups[second]);
    return *swap;
}

bool space_commute(Space *p, unsigned control_state, unsigned first, unsigned second, unsigned mask) {
    unsigned swap = swap_of(p, control_state, first, second);
    return swap == ALWAYS || (swap != NOT_AT_ALL && post_excludes(p->post, swap, mask));
}

PredicateSet space_needs(Space *p, unsigned control_state, unsigned first, unsigned second, unsigned mask) {
    unsigned swap = swap_of(p, control_state, first, second);
    return swap == ALWAYS ? (PredicateSet){0} : post_needs(p->post, swap, mask, NONE);
}

bool space_dead(Space *p, unsigned control_state, unsigned sleep) {
    uint64_t key = (uint64_t)control_state << 32 | sleep, known;
    if (map_get(p->dead, key, &known)) return known;
    bool dead = control_states_is_covered_by_sleep(p->control_states, control_state, set_pool_get(p->sleeps, sleep));
    map_put(p->dead, key, dead);
    return dead;
}
