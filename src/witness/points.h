/* SPDX-License-Identifier: Apache-2.0 */
/* Which waypoints a step passes. */
#pragma once
#include "ir/step.h"
#include "witness/witness.h"

/* How far an execution has come. */
typedef struct Passed {
    unsigned ways; /* that it has passed */
    unsigned *ids; /* a vec: the number of the thread that a witness calls k */
    uint64_t *
        marks; /* a vec, by thread number: lines where it is, a hash of both: the last that it was at, and the last that others may have noticed */
} Passed;

typedef struct Points {
    const Program *program;
    Machine *machine;
    const Witness *witness;
    bool *lines; /* a vec: lines that the witness speaks of */
    bool unsure; /* some constraint could not be evaluated for certain */
} Points;

Points points_new(const Program *, Machine *, const Witness *);
void points_free(Points *);

Passed passed_copy(const Passed *);
void passed_free(Passed *);

bool spot_is(const Spot *, Position);    /* the position is there */
bool spot_calls(const Spot *, Position); /* … or in what is called from there */
bool way_is_of(const Passed *, const Way *, unsigned thread);

/* The step was taken from `before`: p goes on by what it passes. */
void points_pass(Points *, Passed *p, const State *before, const State *after, unsigned thread, const Action *, const Accesses *);
/* The thread is at a line that the witness speaks of. */
bool points_is_at(const Passed *, unsigned thread, unsigned line);
/* The value that the witness wants for the n-th input of a step at this position; false: it does not say. */
bool points_wanted(const Points *, const Passed *, unsigned thread, Position, unsigned n, i128 *value);
/* Does the program have anything at the spot? */
bool points_exist(const Program *, const Spot *);
/* Does some variable have the name? */
bool points_named(const Program *, const char *name);
