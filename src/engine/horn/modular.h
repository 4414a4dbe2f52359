/* SPDX-License-Identifier: Apache-2.0 */
/* The rule `modular`: see doc/rules.md. */
#ifndef HEDDLE_ENGINE_HORN_MODULAR_H
#define HEDDLE_ENGINE_HORN_MODULAR_H
#include "engine/horn/houdini.h"
#include "smt/horn.h"
#include "transform/blocks.h"

typedef struct Modular {
    const System *system;
    const Blocks *blocks;
    Horn *horn;
    bool *relevant;
    const Symbol ***predicates; /* by thread, by location: NULL where none; a twin has its twin's */
    unsigned ***args;           /* … and the variables it speaks of, in the names of this thread */
    HoudiniFacts *facts;        /* a vec, by predicate; inductive once modular_facts has found them */
    bool by_facts;              /* they are the whole proof */
} Modular;

Modular *modular_new(const System *, const Blocks *, Smt *);
void modular_free(Modular *);
/* Finds simple inductive facts and puts them into the clauses; true if they are all the proof needs. */
bool modular_facts(Modular *, Smt *, double seconds);
/* After the clauses were solved: the invariant of a thread at a location; NULL: unreadable. True where there is none. */
const Expr *modular_invariant(Modular *, unsigned thread, unsigned location);

#endif
