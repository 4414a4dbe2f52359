/* SPDX-License-Identifier: Apache-2.0 */
/* Describes what the pass `specialise` knows at the locations of its result, for the check of its omission. */
#pragma once
#include "ir/program.h"

/* States that a local has a constant value. */
typedef struct SpecialisedFact {
    unsigned local;
    const Expr *value;
} SpecialisedFact;

typedef struct SpecialisedLocation {
    unsigned was;           /* the location before the pass */
    SpecialisedFact *facts; /* a vec, in the order of the locals */
} SpecialisedLocation;

/* The vecs of all templates, by location. */
typedef struct Specialised {
    SpecialisedLocation **templates; /* a vec of vecs */
} Specialised;

void specialised_free(void *);
