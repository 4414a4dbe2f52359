/* SPDX-License-Identifier: Apache-2.0 */
/* Solves the Horn clauses of a rule.

   The methods run in this order until one succeeds: zones, zones of predicates split by constants, the solver, simple inductive facts
   (Houdini), the solver again. Each method adds what it finds to the bodies of the clauses. */
#pragma once
#include "smt/horn.h"

/* ---- zones.c: differences and disequalities of the integer arguments of predicates, by abstract interpretation of the clauses ---- */
typedef struct HornZones HornZones;

/* Computes a zone for each predicate of the clauses. Sets *solved if the zones exclude every query. Returns NULL if the time does not
   suffice, or if a clause has too many variables. */
HornZones *zones_new(const Horn *, double seconds, bool *solved);
void zones_free(HornZones *);
/* Returns the zone of an atom as a formula over the atom's arguments, or false if the clauses do not derive the atom. */
const Expr *zones_formula(const HornZones *, const Expr *atom);
/* Adds the zones to the bodies of the clauses. Replaces choices that a zone decides, such as a wrap-around that cannot occur. */
void zones_strengthen(const HornZones *, Horn *);

/* ---- split.c: each predicate split into parts, by the constants that its arguments take ---- */

/* Clauses in which predicates are split. The part of a predicate fixes the values of flags, mutexes and locations, so that its solution
   is simpler. The rule product needs no splitting: its nodes fix these values already. */
typedef struct Split Split;

/* Splits the predicates of the clauses. Returns NULL if there would be more than max_clauses clauses, if the deadline (clock_seconds)
   passes, or if no predicate can be split. */
Split *split_new(const Horn *, Smt *, size_t max_clauses, double deadline);
void split_free(Split *);
/* Returns the split clauses, which the Split owns. */
Horn *split_horn(const Split *);
/* Returns the original clause of which a split clause is a copy. */
size_t split_origin(const Split *, size_t clause);
/* Returns the solution for an atom of the original clauses: a disjunction over the parts of its predicate. `solution` returns the solution
   for an atom of the split clauses, or NULL if that cannot be decoded. Then split_solution returns NULL as well. */
const Expr *split_solution(const Split *, const Expr *atom, const Expr *(*solution)(const void *context, const Expr *atom),
                           const void *context);

/* ---- houdini.c: the largest inductive set of simple candidate facts; often these facts suffice for the proof ---- */
typedef struct HoudiniFacts {
    const Symbol *predicate;
    const Symbol **arguments; /* a vec: symbols that stand for the arguments of the predicate in `facts` */
    const Expr **facts;       /* a vec */
} HoudiniFacts;

/* Removes candidates that the clauses do not preserve from the list of n predicates, until the facts are inductive. Sets *solved if the facts
   also exclude every query. Returns false if the time does not suffice; the facts left then hold of nothing. */
bool houdini(Horn *, Smt *, HoudiniFacts *list, size_t n, double seconds, bool *solved);

/* Returns the conjunction of the facts about the predicate of an atom, over the arguments of the atom. */
const Expr *houdini_formula(Exprs *, const HoudiniFacts *list, size_t n, const Expr *atom);

/* Adds candidate facts about the arguments of a predicate: comparisons with the constants, and with each other. */
void houdini_candidates(Exprs *, HoudiniFacts *, const Expr *const *constants /* a vec */);

/* ---- clauses.c ---- */

/* A clause stands for transitions of a thread. */
typedef struct ClauseStep {
    unsigned thread;
    unsigned *transitions; /* a vec; NULL: the clause stands for no step */
} ClauseStep;

typedef struct Clauses {
    Horn *horn;        /* the rule's */
    ClauseStep *steps; /* a vec: by clause of `horn`, as far as steps were given */
    Smt *smt;
    Split *split;               /* NULL: predicates are not split; else zones and facts are about the split clauses */
    HornZones *zones;           /* NULL: zones were not computed */
    HoudiniFacts *facts;        /* a vec */
    bool solved_without_solver; /* zones or facts are the whole solution: the solver is not needed */
    const char *reason;         /* why the answer is HORN_UNKNOWN */
} Clauses;

typedef struct ClausesPlan {
    double deadline;                                   /* clock_seconds */
    unsigned contexts;                                 /* as in HornLimits */
    size_t split;                                      /* the greatest number of clauses after splitting; 0: do not split */
    bool use_houdini;                                  /* there are few predicates: use Houdini if the solver does not answer soon */
    void (*progress)(void *context, const char *line); /* shows a line of progress; NULL: no progress is shown */
    void *context;
} ClausesPlan;

/* Begins an empty set of clauses, in Clauses.horn. */
void clauses_start(Clauses *, Smt *);
void clauses_free(Clauses *);
/* Adds a clause (horn_clause) that stands for n transitions of a thread. */
void clauses_add_step(Clauses *, HornClause, unsigned thread, size_t n, const unsigned *transitions);
/* Computes zones, also of split predicates, and adds them to the clauses. Returns true if the zones alone are a solution. */
bool clauses_simplify(Clauses *, const ClausesPlan *);
/* Runs the other methods, after clauses_simplify has returned false. */
HornAnswer clauses_solve(Clauses *, const ClausesPlan *);
/* Returns the clauses of a derivation of false, after HORN_REFUTED: each as often as it is applied, as a vec of indices of `horn`. The caller
   frees it. Returns NULL if the solver finds no derivation within the time. */
size_t *clauses_refutation(const Clauses *, double seconds);
/* Returns the solution for an atom, after HORN_SOLVED or a true clauses_simplify; NULL if the solver's answer cannot be decoded. */
const Expr *clauses_solution(const Clauses *, const Expr *atom);
