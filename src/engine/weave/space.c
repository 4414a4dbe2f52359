/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/weave/space.h"
#include <stdlib.h>

/* Values of Place.swaps that are not steps of the proof: not computed yet, the groups always commute, they never commute. */
enum { OPEN = ~0u, ALWAYS = ~1u, NOT_AT_ALL = ~2u };

void part_begin(Part *p) { *p = (Part){.after = map_new()}; }
void part_end(Part *p) { map_free(p->after); }

bool part_add(Part *p, unsigned assertion) {
    if (predicates_has(&p->assertions, assertion)) return false;
    predicates_add(&p->assertions, assertion);
    map_free(p->after);
    p->after = map_new();
    return true;
}

Space *space_new(const System *s, const BlockSteps *letters, ControlStates *vectors, AbstractPost *hoare, Commutation commutation,
                 Stats *stats) {
    Space *p = zeroed(1, sizeof *p);
    *p = (Space){
        .system = s, .letters = letters, .vectors = vectors, .hoare = hoare, .commutation = commutation, .dead = map_new(), .stats = stats};
    p->sleeps = set_pool_new((vec_len(letters->list) + 63) / 64);
    return p;
}

void space_free(Space *p) {
    if (!p) return;
    for (size_t i = 0; i < vec_len(p->places); i++) {
        if (!p->places[i]) continue;
        vec_free(p->places[i]->groups);
        vec_free(p->places[i]->hoare);
        vec_free(p->places[i]->letters);
        vec_free(p->places[i]->swaps);
        free(p->places[i]);
    }
    vec_free(p->places);
    set_pool_free(p->sleeps);
    map_free(p->dead);
    free(p);
}

static Place *unfold(Space *p, unsigned vector) {
    Place *place = zeroed(1, sizeof *place);
    place->steps = control_states_next(p->vectors, vector);
    place->tracked = NONE;
    vec_resize(place->letters, set_pool_words(p->sleeps));
    for (unsigned i = 0; i < vec_len(place->steps); i++) {
        unsigned letter = place->steps[i].letter;
        if (!vec_len(place->groups) || vec_last(place->groups).letter != letter)
            vec_push(place->groups, ((Group){letter, p->letters->list[letter].thread, i, 0}));
        vec_last(place->groups).count++;
        set_add(place->letters, letter);
        place->threads |= (uint64_t)1 << p->letters->list[letter].thread;
    }
    for (size_t i = 0; i < vec_len(place->groups) * vec_len(place->groups); i++) vec_push(place->swaps, OPEN);
    return place;
}

static bool place_valid(const Space *p, const Place *place) {
    unsigned next = 0;
    vec_each_at(const Group, group, place->groups) {
        if (group->first != next || !group->count || group->thread != p->letters->list[group->letter].thread) return false;
        for (; next < group->first + group->count; next++)
            if (next >= vec_len(place->steps) || place->steps[next].letter != group->letter) return false;
    }
    return next == vec_len(place->steps) && vec_len(place->swaps) == vec_len(place->groups) * vec_len(place->groups);
}

/* Checks that each place has a vector, and that sleep sets have room for all letters. */
static bool space_valid(const Space *p) {
    return vec_len(p->places) <= control_states_count(p->vectors) &&
           (p->commutation.none || set_pool_words(p->sleeps) * 64 >= vec_len(p->letters->list));
}

Place *space_place(Space *p, unsigned vector) {
    ensure(space_valid(p) && vector < control_states_count(p->vectors));
    if (vec_len(p->places) <= vector) vec_resize(p->places, vector + 1);
    if (!p->places[vector]) {
        p->places[vector] = unfold(p, vector);
        ensure(place_valid(p, p->places[vector]));
    }
    return p->places[vector];
}

/* Returns the step of the proof for a step of the vector. A ControlStep has no updates of variables that are constant at the target. The
   updates of such variables that some assertion mentions are added. */
static unsigned make_step(Space *p, unsigned vector, const ControlStep *step) {
    Update *updates = vec_copy(step->updates);
    if (step->target != NONE) {
        const ControlState *from = control_states_get(p->vectors, vector), *to = control_states_get(p->vectors, step->target);
        for (unsigned v = 0; v < vec_len(p->system->variables); v++)
            if (to->values[v] && to->values[v] != from->values[v] && post_tracks(p->hoare, v))
                vec_push(updates, ((Update){v, to->values[v]}));
    }
    unsigned s = post_step(p->hoare, step->guard, updates);
    vec_free(updates);
    return s;
}

unsigned space_step(Space *p, unsigned vector, unsigned step) {
    Place *place = space_place(p, vector);
    if (place->tracked != post_tracked(p->hoare)) {
        vec_clear(place->hoare);
        for (size_t i = 0; i < vec_len(place->steps); i++) vec_push(place->hoare, make_step(p, vector, &place->steps[i]));
        place->tracked = post_tracked(p->hoare);
    }
    ensure(step < vec_len(place->hoare));
    return place->hoare[step];
}

unsigned space_follow(Space *p, unsigned step, unsigned mask) {
    ensure(p->part);
    uint64_t key = (uint64_t)step << 32 | mask, known;
    if (map_get(p->part->after, key, &known)) {
        p->stats->post_memo++;
        return (unsigned)known;
    }
    unsigned result = post_after(p->hoare, step, mask, &p->part->assertions);
    map_put(p->part->after, key, result);
    return result;
}

unsigned space_after(Space *p, unsigned vector, unsigned step, unsigned mask) { return space_follow(p, space_step(p, vector, step), mask); }

/* ---- commutation ---- */

const Expr *space_swap(Space *p, unsigned vector, unsigned first, unsigned second) {
    ensure(vector < control_states_count(p->vectors));
    const Expr *e = control_states_swap(p->vectors, vector, first, second);
    if (p->commutation.semi || expr_is_false(e)) return e;
    return expr_and(p->system->exprs, e, control_states_swap(p->vectors, vector, second, first));
}

static unsigned make_swap(Space *p, unsigned vector, const Group *first, const Group *second) {
    if (first->thread == second->thread || p->commutation.none) return NOT_AT_ALL;
    const Expr *e = space_swap(p, vector, first->letter, second->letter);
    if (expr_is_const(e)) return expr_is_true(e) ? ALWAYS : NOT_AT_ALL;
    unsigned step = post_step(p->hoare, expr_not(p->system->exprs, e), NULL);
    if (p->commutation.contextual) return step;
    return post_excludes(p->hoare, step, 0) ? ALWAYS : NOT_AT_ALL;
}

static unsigned swap_of(Space *p, unsigned vector, unsigned first, unsigned second) {
    Place *place = space_place(p, vector);
    ensure(first < vec_len(place->groups) && second < vec_len(place->groups));
    unsigned *swap = &place->swaps[first * vec_len(place->groups) + second];
    if (*swap == OPEN) *swap = make_swap(p, vector, &place->groups[first], &place->groups[second]);
    return *swap;
}

bool space_commute(Space *p, unsigned vector, unsigned first, unsigned second, unsigned mask) {
    unsigned swap = swap_of(p, vector, first, second);
    return swap == ALWAYS || (swap != NOT_AT_ALL && post_excludes(p->hoare, swap, mask));
}

PredicateSet space_needs(Space *p, unsigned vector, unsigned first, unsigned second, unsigned mask) {
    unsigned swap = swap_of(p, vector, first, second);
    return swap == ALWAYS ? (PredicateSet){0} : post_needs(p->hoare, swap, mask, NONE);
}

bool space_dead(Space *p, unsigned vector, unsigned sleep) {
    uint64_t key = (uint64_t)vector << 32 | sleep, known;
    if (map_get(p->dead, key, &known)) return known;
    bool dead = control_states_dead(p->vectors, vector, set_pool_get(p->sleeps, sleep));
    map_put(p->dead, key, dead);
    return dead;
}
