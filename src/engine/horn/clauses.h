/* SPDX-License-Identifier: Apache-2.0 */
/* From a rule's clauses to their solution. In this order, each as far as needed: differences of integers (zones), the same for predicates
   split by constants, the solver, simple inductive facts (houdini), the solver again. What is found on the way is put into the
   clauses' bodies. */
#pragma once
#include "smt/horn.h"

/* What differences and disequalities of integers hold of the atoms that clauses derive: an abstract interpretation of the clauses,
   whatever rule made them. Interference is a clause like any other. */
typedef struct HornZones HornZones;

/* NULL: no time was left. *solved: what is known excludes every query. */
HornZones *zones_new(const Horn *, double seconds, bool *solved);
void zones_free(HornZones *);
/* What holds of an atom; false if it cannot be derived. */
const Expr *zones_of_atom(const HornZones *, const Expr *atom);
/* Puts it into the clauses' bodies, and makes the choices that it decides (wraps that cannot happen). */
void zones_strengthen(const HornZones *, Horn *);

/* Predicates split by the constants that their arguments take: flags, mutexes and who is where are then told by which predicate it is, and
   what is left to be found of each is simpler. What the rule product does with its nodes, for the clauses of any rule. */
typedef struct Split Split;

/* NULL: it would have too many clauses, there is no time left (deadline: clock_seconds), or there is nothing to split. */
Split *split_new(const Horn *, Smt *, size_t max_clauses, double deadline);
void split_free(Split *);
Horn *split_horn(const Split *); /* its own */
/* What an atom of the clauses given comes to, if `solution` says what an atom of the split ones does (NULL: cannot be read). */
const Expr *split_solution(const Split *, const Expr *atom, const Expr *(*solution)(const void *context, const Expr *atom),
                           const void *context);

/* ---- houdini.c: the largest set of simple candidate facts that is inductive: quick, and often all the proof needs ---- */
/* A predicate, the symbols that stand for its arguments, and facts over these. */
typedef struct HoudiniFacts {
    const Symbol *predicate;
    const Symbol **arguments; /* vecs */
    const Expr **facts;
} HoudiniFacts;

/* Takes away from each predicate's candidates what the clauses do not keep, until the rest is inductive. False: no time was
   left, and nothing may be used. *solved: the facts alone satisfy the queries too. */
bool houdini(Horn *, Smt *, HoudiniFacts *list, size_t n, double seconds, bool *solved);

/* Facts about what an atom says, of its own arguments. */
const Expr *houdini_of_atom(Exprs *, const HoudiniFacts *list, size_t n, const Expr *atom);

/* Candidates for variables of the given symbols: comparisons with the constants, and with each other. */
void houdini_candidates(Exprs *, HoudiniFacts *, const Expr *const *constants /* a vec */);

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
