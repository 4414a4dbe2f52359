/* SPDX-License-Identifier: Apache-2.0 */
/* The passes over systems, each by itself, by name. What is given to one is a system with a transition for each action; what comes out of it is
   the caller's to free. */
#pragma once
#include "analysis/interference.h"
#include "base/vec.h"
#include "passes/build/wraps.h"
#include "passes/system/system_passes.h"
#include "passes/system/known_conditions.h"
#include "passes/system/tidy.h"

typedef struct SystemPass {
    const char *name;
    System *(*run)(System *, Smt *);
    bool exact;  /* no error is new */
    bool solves; /* it is given a solver */
    bool rare;   /* it finds little to do: more systems are worth trying */
} SystemPass;

/* A copy that has the system as its fine one. */
static inline System *with_fine(System *s) {
    System *copy = system_copy(s);
    copy->fine = s;
    return copy;
}

static inline bool is_second_twin(const System *s, unsigned t) { return system_first_instance(s, t) != t; }

static inline void mirror_all(System *s) {
    for (unsigned t = 0; t < vec_len(s->threads); t++)
        if (is_second_twin(s, t)) mirror_instance(s, s->threads[t].other_instance, t);
}

/* What the second twin had is gone. */
static inline System *pass_mirror(System *s, Smt *smt) {
    (void)smt;
    s = with_fine(s);
    for (unsigned t = 0; t < vec_len(s->threads); t++)
        for (size_t i = 0; i < vec_len(s->threads[t].transitions) && is_second_twin(s, t); i++)
            s->threads[t].transitions[i].guard = expr_bool(s->exprs, false);
    mirror_all(s);
    return s;
}

static inline System *pass_split(System *s, Smt *smt) {
    (void)smt;
    s = with_fine(s);
    tidy_updates(s); /* what is live */
    for (unsigned t = 0; t < vec_len(s->threads); t++)
        for (unsigned l = 0, n = (unsigned)vec_len(s->threads[t].locations); l < n && !is_second_twin(s, t); l++)
            split_location(s, &s->threads[t], l);
    mirror_all(s);
    tidy_updates(s);
    return s;
}

/* Of loops that are nothing but their head, and that others do not notice. */
static inline bool has_hidden_rounds(const Interference *seen, const System *s, Smt *smt, unsigned t, unsigned l) {
    bool hidden = true;
    for (size_t i = 0; i < vec_len(s->threads[t].transitions); i++) {
        Transition *x = &s->threads[t].transitions[i];
        if (x->source != l || x->target != l) continue;
        tidy_transition(s, smt, expr_bool(s->exprs, true), x);
        hidden &= !interference_with_transition(seen, s, t, l, x);
    }
    return hidden;
}

static inline System *pass_fills(System *s, Smt *smt) {
    Interference *seen = interference_new(s);
    s = with_fine(s);
    for (unsigned t = 0; t < vec_len(s->threads); t++)
        for (unsigned l = 0, n = (unsigned)vec_len(s->threads[t].locations); l < n && !is_second_twin(s, t); l++)
            if (has_hidden_rounds(seen, s, smt, t, l)) fill_loop(s, &s->threads[t], l);
    interference_free(seen);
    mirror_all(s);
    return s;
}

static inline System *pass_known(System *s, Smt *smt) {
    Interference *seen = interference_new(s);
    unsigned **same = NULL;
    for (size_t t = 0; t < vec_len(s->threads); t++) {
        unsigned *list = NULL;
        for (unsigned l = 0; l < vec_len(s->threads[t].locations); l++) vec_push(list, l);
        vec_push(same, list);
    }
    s = with_fine(s);
    KnownConditions known = known_conditions_new(s, seen, same);
    for (unsigned t = 0; t < vec_len(s->threads); t++) {
        if (is_second_twin(s, t)) continue;
        const Expr **conditions = known_conditions(&known, t);
        for (size_t i = 0; i < vec_len(s->threads[t].transitions); i++) {
            Transition *tr = &s->threads[t].transitions[i];
            tidy_transition(s, smt, conditions[tr->source], tr);
        }
        vec_free(conditions);
    }
    known_conditions_free(&known);
    interference_free(seen);
    for (size_t t = 0; t < vec_len(same); t++) vec_free(same[t]);
    vec_free(same);
    mirror_all(s);
    return s;
}

static inline System *pass_tidy(System *s, Smt *smt) {
    for (size_t t = 0; t < vec_len(s->threads); t++)
        for (size_t i = 0; i < vec_len(s->threads[t].transitions); i++)
            tidy_transition(s, smt, expr_bool(s->exprs, true), &s->threads[t].transitions[i]);
    tidy_updates(s);
    for (size_t t = 0; t < vec_len(s->threads); t++) tidy_locations(&s->threads[t]);
    return s;
}

static inline System *pass_stutter(System *s, Smt *smt) {
    (void)smt;
    tidy_stutter(s);
    return s;
}

static inline System *pass_weaken(System *s, Smt *smt) {
    weaken_guards(s, smt);
    return s;
}

static inline System *pass_orders(System *s, Smt *smt) {
    (void)smt;
    orders_by_type(s);
    return s;
}

static inline System *pass_prophecies(System *s, Smt *smt) {
    (void)smt;
    prophecy_indices(s);
    return s;
}

static inline System *pass_locks(System *s, Smt *smt) {
    find_locks(s, smt);
    return s;
}

static inline System *pass_wraps(System *s, Smt *smt) {
    wraps_loosen(s, smt);
    return s;
}

static inline System *pass_cut(System *s, Smt *smt) {
    (void)smt;
    cut_tails(s);
    return s;
}

static const SystemPass system_passes[] = {
    {"fuse", merge_transitions, .exact = true, .solves = true},
    {"fuse_sections", merge_sections, .exact = true, .solves = true},
    {"split_location", pass_split, .exact = true, .rare = true},
    {"known_conditions", pass_known, .exact = true, .solves = true, .rare = true},
    {"fill_loops", pass_fills, .exact = true, .solves = true, .rare = true},
    {"tidy", pass_tidy, .exact = true, .solves = true},
    {"tidy_stutter", pass_stutter, .exact = true, .rare = true},
    {"weaken_guards", pass_weaken, .solves = true, .rare = true},
    {"orders_by_type", pass_orders, .exact = true, .rare = true},
    {"foresee_indices", pass_prophecies, .exact = true, .rare = true},
    {"mirror_twins", pass_mirror, .exact = true},
    {"find_locks", pass_locks, .exact = true, .solves = true},
    {"cut_tails", pass_cut, .exact = true},
    {"wraps", pass_wraps, .exact = true, .solves = true, .rare = true},
};
