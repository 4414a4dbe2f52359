/* SPDX-License-Identifier: Apache-2.0 */
/* Checks the blocks: after its commit, a block has only left movers, one of them can be taken (block … goes on), and it ends. */
#include "check/checker.h"
#include "check/messages.h"

enum { BEFORE = 1, AFTER = 2 };

static bool is_atomic(const Checker *c, unsigned t, unsigned l) { return c->system->threads[t].locations[l].atomic; }

/* Returns how the atomic section that a transition enters moves as a whole. *locations gets those inside it, as a vec. */
static uint8_t section_effect(Checker *c, unsigned t, const Transition *x, unsigned **locations) {
    const SystemThread *thread = &c->system->threads[t];
    uint8_t effect = c->proof->movers[t][x->index];
    if (is_atomic(c, t, x->target)) vec_push(*locations, x->target);
    for (size_t i = 0; i < vec_len(*locations); i++) {
        const SystemLocation *l = &thread->locations[(*locations)[i]];
        for (size_t k = 0; k < vec_len(l->out); k++) {
            const Transition *y = &thread->transitions[l->out[k]];
            bool known = !is_atomic(c, t, y->target);
            effect &= c->proof->movers[t][y->index];
            for (size_t n = 0; n < vec_len(*locations); n++) known |= (*locations)[n] == y->target;
            if (!known) vec_push(*locations, y->target);
        }
    }
    return effect;
}

/* Returns whether the section can loop. After a commit it must not, or other threads would never see the commit. */
static bool section_loops(const Checker *c, unsigned t, const unsigned *section) {
    const SystemThread *thread = &c->system->threads[t];
    unsigned *waiting = NULL, *work = NULL;
    size_t done = 0;
    vec_resize(waiting, vec_len(thread->locations));
    for (size_t i = 0; i < vec_len(thread->transitions); i++)
        if (vec_has(section, thread->transitions[i].source)) waiting[thread->transitions[i].target]++;
    for (size_t i = 0; i < vec_len(section); i++)
        if (!waiting[section[i]]) vec_push(work, section[i]);
    while (vec_len(work)) {
        const SystemLocation *l = &thread->locations[vec_pop(work)];
        done++;
        for (size_t i = 0; i < vec_len(l->out); i++) {
            unsigned target = thread->transitions[l->out[i]].target;
            if (vec_has(section, target) && !--waiting[target]) vec_push(work, target);
        }
    }
    vec_free(waiting);
    vec_free(work);
    return done != vec_len(section);
}

/* Checks that a thread at the location can take a step. */
static void check_can_continue(Checker *c, unsigned t, unsigned l) {
    const System *s = c->system;
    const SystemThread *thread = &s->threads[t];
    const Expr *some = expr_bool(c->exprs, false);
    checker_name(c, "block %s %u goes on", thread->name, l);
    for (size_t i = 0; i < vec_len(thread->locations[l].out); i++) {
        const Transition *y = &thread->transitions[thread->locations[l].out[i]];
        if (vec_len(y->inputs)) checker_refuse(c, MSG_CHECK_COMMIT_INPUT);
        some = expr_or(c->exprs, some, y->guard);
    }
    checker_obligation(c, checker_fact(c, t, l), some);
}

/* Returns whether a cycle leads back to the location without one where other threads may run. */
static bool loops_inside(const Checker *c, unsigned t, unsigned start) {
    const SystemThread *thread = &c->system->threads[t];
    bool *seen = NULL, found = false;
    unsigned *work = NULL;
    vec_resize(seen, vec_len(thread->locations));
    vec_push(work, start);
    while (vec_len(work) && !found) {
        unsigned l = vec_pop(work);
        for (size_t i = 0; i < vec_len(thread->locations[l].out); i++) {
            unsigned target = thread->transitions[thread->locations[l].out[i]].target;
            found |= target == start;
            if (c->proof->out[t][target] || seen[target]) continue;
            seen[target] = true;
            vec_push(work, target);
        }
    }
    vec_free(seen);
    vec_free(work);
    return found;
}

/* Checks that a block ends after its commit: no cycle stays inside it. A cycle within an atomic section is allowed, since the program
   itself keeps other threads out. */
static void check_ends(Checker *c, unsigned t, const uint8_t *phases) {
    for (unsigned l = 0; l < vec_len(c->system->threads[t].locations); l++) {
        checker_name(c, "block %s %u", c->system->threads[t].name, l);
        if (!c->proof->out[t][l] && !is_atomic(c, t, l) && (phases[l] & AFTER) && loops_inside(c, t, l))
            checker_refuse(c, MSG_CHECK_COMMIT_LOOP);
    }
}

static void check_after_commit(Checker *c, unsigned t, unsigned l) {
    const SystemThread *thread = &c->system->threads[t];
    for (size_t i = 0; i < vec_len(thread->locations[l].out) && c->ok; i++) {
        const Transition *x = &thread->transitions[thread->locations[l].out[i]];
        unsigned *section = NULL;
        uint8_t effect = section_effect(c, t, x, &section);
        checker_name(c, "block %s %u->%u", thread->name, x->source, x->target);
        if (!(effect & MOVES_LEFT)) checker_refuse(c, MSG_CHECK_COMMIT_MOVER);
        if (section_loops(c, t, section)) checker_refuse(c, MSG_CHECK_COMMIT_SECTION);
        for (size_t k = 0; k < vec_len(section); k++) check_can_continue(c, t, section[k]);
        vec_free(section);
    }
    check_can_continue(c, t, l);
}

/* Computes, by location, whether a block may be before or after its commit there. Returns a vec of bit sets of BEFORE and AFTER. */
static uint8_t *find_phases(Checker *c, unsigned t) {
    const SystemThread *thread = &c->system->threads[t];
    uint8_t *phases = NULL;
    unsigned *work = NULL;
    vec_resize(phases, vec_len(thread->locations));
    phases[thread->entry] = BEFORE;
    vec_push(work, thread->entry);
    while (vec_len(work)) {
        unsigned l = vec_pop(work);
        uint8_t from = c->proof->out[t][l] ? BEFORE : phases[l];
        for (size_t i = 0; i < vec_len(thread->locations[l].out); i++) {
            const Transition *x = &thread->transitions[thread->locations[l].out[i]];
            unsigned *section = NULL;
            uint8_t effect = is_atomic(c, t, l) ? MOVES_BOTH : section_effect(c, t, x, &section);
            uint8_t to = effect == MOVES_BOTH ? from : effect & MOVES_RIGHT ? BEFORE : AFTER;
            vec_free(section);
            if ((phases[x->target] & to) == to) continue;
            phases[x->target] |= to;
            vec_push(work, x->target);
        }
    }
    vec_free(work);
    return phases;
}

void check_blocks(Checker *c) {
    const System *s = c->system;
    for (unsigned t = 0; t < vec_len(s->threads) && c->ok; t++) {
        uint8_t *phases = find_phases(c, t);
        check_ends(c, t, phases);
        for (unsigned l = 0; l < vec_len(s->threads[t].locations) && c->ok; l++) {
            bool out = c->proof->out[t][l], plain = s->threads[t].locations[l].kind == LOCATION_PLAIN;
            checker_name(c, "block %s %u", s->threads[t].name, l);
            if (out && is_atomic(c, t, l)) checker_refuse(c, MSG_CHECK_SECTION_LEFT); /* this adds executions */
            if (!out && !plain) checker_refuse(c, MSG_CHECK_BLOCK_END);
            if (!out && l == s->threads[t].entry) checker_refuse(c, MSG_CHECK_BLOCK_ENTRY);
            if (out && !c->proof->stop[t][l]) checker_refuse(c, MSG_CHECK_NO_STOP);
            if (!out && !is_atomic(c, t, l) && (phases[l] & AFTER)) check_after_commit(c, t, l);
        }
        vec_free(phases);
    }
}
