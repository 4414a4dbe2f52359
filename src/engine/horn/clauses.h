/* SPDX-License-Identifier: Apache-2.0 */
/* From a rule's clauses to their solution. In this order, each as far as needed: differences of integers (zones), the same for predicates
   split by constants, the solver, simple inductive facts (houdini), the solver again. What is found on the way is put into the
   clauses' bodies. */
#pragma once
#include "engine/horn/houdini.h"
#include "engine/horn/split.h"
#include "engine/horn/zones.h"

typedef struct Clauses {
    Horn *horn; /* the rule's */
    Smt *smt;
    Split *split;        /* NULL: predicates are as they are; else what follows is of the split ones */
    HornZones *zones;    /* NULL: none were found */
    HoudiniFacts *facts; /* a vec; empty: none */
    bool by_facts;       /* zones or facts are the whole solution */
    const char *reason;  /* why there is no answer */
} Clauses;

typedef struct ClausesPlan {
    double deadline;                                   /* clock_seconds */
    unsigned contexts;                                 /* as HornLimits */
    size_t split;                                      /* so many clauses at most once predicates are split; 0: they are not */
    bool few;                                          /* predicates: facts about each can be looked for one by one */
    void (*progress)(void *context, const char *line); /* NULL: nobody watches */
    void *context;
} ClausesPlan;

void clauses_start(Clauses *, Smt *);
void clauses_free(Clauses *);
/* Zones. True: they are a solution. */
bool clauses_simplify(Clauses *, const ClausesPlan *);
/* The rest. */
HornAnswer clauses_solve(Clauses *, const ClausesPlan *);
/* After HORN_SOLVED: what holds of an atom; NULL: the solver's answer cannot be read. */
const Expr *clauses_solution(const Clauses *, const Expr *atom);
