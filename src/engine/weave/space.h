/* SPDX-License-Identifier: Apache-2.0 */
/* ControlStates of locations (interpolation/control_states.h) under the proof: which of their letters are possible, where they lead, which commute. */
#pragma once
#include "interpolation/abstract_post.h"
#include "interpolation/set_pool.h"
#include "interpolation/control_states.h"

/* Which letters commute. */
typedef struct Commutation {
    bool none;       /* none do */
    bool semi;       /* one direction suffices: ab may be exchanged for ba, if not the other way round */
    bool contextual; /* it suffices that they commute where the assertions of a mask hold */
} Commutation;

/* A letter that is possible at a vector, as far as its constants go. */
typedef struct Group {
    unsigned letter, thread;
    unsigned first, count; /* its steps: which of control_states_next */
} Group;

/* A vector, unfolded: each step belongs to the group of its letter, one group after the other. */
typedef struct Place {
    const ControlStep *steps; /* a vec */
    Group *groups;            /* a vec, by thread */
    uint64_t threads;         /* that have a group: bits */
    uint64_t *letters;        /* … and the letters: a set */
    unsigned *hoare;          /* a vec: of each step; good while `tracked` is what the proof tracks */
    unsigned tracked;
    unsigned *swaps; /* by two groups: a step of the proof that is excluded where they commute; or a constant of space.c */
} Place;

/* What one strategy has of the proof. */
typedef struct Part {
    PredicateSet assertions;
    Map *after; /* step of the proof, mask -> mask: good until there are more assertions */
} Part;

void part_begin(Part *);
void part_end(Part *);
bool part_add(Part *, unsigned assertion); /* false: it has it */

typedef struct Space {
    const System *system;
    const BlockSteps *letters;
    ControlStates *vectors;
    AbstractPost *hoare;
    Commutation commutation;
    Place **places;  /* a vec, by vector; NULL: not met yet */
    SetPool *sleeps; /* sets of letters */
    Map *dead;       /* vector, sleep set -> bool */
    Part *part;      /* at work */
    Stats *stats;
} Space;

Space *space_new(const System *, const BlockSteps *, ControlStates *, AbstractPost *, Commutation, Stats *);
void space_free(Space *);
Place *space_place(Space *, unsigned vector);
/* The step of the proof for a step of the vector. */
unsigned space_step(Space *, unsigned vector, unsigned step);
/* The mask after a step of the proof, of assertions of the part at work; NEVER: it is not possible. */
unsigned space_follow(Space *, unsigned step, unsigned mask);
/* … of the vector. */
unsigned space_after(Space *, unsigned vector, unsigned step, unsigned mask);
/* Where the mask's assertions hold at the vector, first, then second can be exchanged (numbers of groups). */
bool space_commute(Space *, unsigned vector, unsigned first, unsigned second, unsigned mask);
/* The formula that says so, for letters at the vector's locations. */
const Expr *space_swap(Space *, unsigned vector, unsigned first_letter, unsigned second_letter);
/* What the proof needs for it. */
PredicateSet space_needs(Space *, unsigned vector, unsigned first, unsigned second, unsigned mask);
/* control_states_dead, remembered. */
bool space_dead(Space *, unsigned vector, unsigned sleep);
