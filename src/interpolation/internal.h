/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of this folder share.
     interpolate.c  backward along the path
     path.c         the path as formulas: versions of variables, guards behind literals; the shortest impossible prefix and its core
     prefix.c       what the path up to a position implies of the state there
     tiers.c        assertions that are enough at a position: the simplest that are
     choice.c       the fewest of some assertions that imply a goal
     farkas.c       what else implies a clause: combinations of its inequalities, differences of variables
     formulas.c     atoms, clauses, variables of formulas
     project.c      inputs go
     chain.c        interpolants from Spacer */
#pragma once
#include "base/map.h"
#include "expr/normal.h"
#include "interpolation/interpolate.h"

struct Interpolator {
    const System *system;
    Exprs *exprs;
    Smt *smt;
    Normaliser *normaliser;
    Arena *arena;
    Solver *paths; /* asked about the path: one for all, what concerns one path is pushed */
    Solver *steps; /* asked about one step of it */
    /* Symbols are made once and used for every path, so that the solver's terms are too. */
    const Symbol ***versions;   /* by variable: its values after the first, second … assignment */
    Map *copies;                /* input -> place in copy_lists */
    const Symbol ***copy_lists; /* of each input, its copies */
    const Expr **literals;      /* a vec of Bool symbols */
    /* What is worth being asserted: in the proof already, or a guard that was seen. */
    const Expr **preferred, **guards; /* vecs */
    Map *is_preferred, *is_guard;
    Map *supports; /* Expr -> the set of its variables */
    unsigned failed_chains;
};

/* ---- the path (path.c) ---- */

/* A conjunct of a guard, or of what holds initially (step NONE). */
typedef struct PathGuard {
    unsigned step;
    const Expr *condition; /* over variables and inputs, in normal form */
    const Expr *literal;   /* stands for it in the solver */
    bool needed;           /* in the core */
} PathGuard;

typedef struct PathModel {
    Model *model;
    Map *truths; /* formula over versions -> 1 or 2: false or true in the model */
} PathModel;

typedef struct Path {
    Interpolator *by;
    const PathStep *steps;
    size_t n;             /* steps that matter: the last one is the first that is impossible */
    PathGuard *guards;    /* a vec, by step */
    const Expr ***values; /* by position (0 … n), then by variable: its value, in versions */
    Map *definitions;     /* version -> its value, until the solver knows it */
    unsigned *used;       /* versions of each variable */
    PathModel *models;    /* a vec: executions of the path up to the position that is looked at, by the guards in the core */
} Path;

/* Pushed on by->paths; path_free pops it. */
void path_open(Path *, Interpolator *, const Expr *initially, const PathStep *, size_t n);
void path_free(Path *);
/* Finds the shortest impossible prefix and a core of its guards. */
PathAnswer path_refute(Path *);
/* A formula over the variables, as it is at that position. The solver is told what its versions are. */
const Expr *path_at(Path *, size_t position, const Expr *);
/* Is the guard asked before this position? */
static inline bool path_guard_before(const PathGuard *g, size_t position) { return g->step == NONE || g->step < position; }
/* A literal that nothing stands for yet; the k-th. */
const Expr *path_literal(Interpolator *, size_t k);

/* ---- a position, and what holds there (prefix.c) ---- */

/* Positions are visited from the end of the path to its start: an execution that is possible up to one is so up to those before. */
typedef struct Place {
    Path *path;
    Interpolator *by;
    size_t position;
    const Symbol *const *inputs; /* of the step that starts here: not to be spoken of */
    const Expr **assumed;        /* a vec: literals of the guards in the core before */
} Place;

void place_open(Place *, Path *, size_t position);
void place_free(Place *);
/* Does the path so far imply it, or all of them? If not, an execution is kept that refutes it, or the solver does not know. */
bool place_implies(Place *, const Expr *);
bool place_implies_all(Place *, const Expr *const *);
/* Is there no execution seen so far that refutes it? */
bool place_possible(Place *, const Expr *);
/* Keeps those of the candidates (a vec) that the path so far implies. */
void place_keep_implied(Place *, const Expr ***candidates);
/* The value that all executions seen so far have there; NULL: they differ, or it is not known. */
const Expr *place_value(Place *, const Expr *);

/* ---- formulas (formulas.c) ---- */

/* Bool atoms of a formula, conditions of choices included, and equalities between the indices at which one array is read. */
void formula_atoms(Interpolator *, const Expr *, const Expr ***atoms);
bool formula_contains(const Expr *, Op);
/* With these literals (and their negations) replaced by what they are; in normal form. */
const Expr *formula_with_literals(Interpolator *, const Expr *, const Expr *const *literals);
/* Clauses of a formula: a vec of vecs of literals, to be freed by vec_free_rows. */
const Expr ***formula_clauses(Interpolator *, const Expr *);
/* The variables of a formula as a set of bits; how many words such a set has. */
const uint64_t *formula_support(Interpolator *, const Expr *);
size_t formula_support_words(const Interpolator *);
bool formula_shares(Interpolator *, const Expr *, const uint64_t *set);
static inline bool formula_has(const uint64_t *set, unsigned variable) { return set[variable / 64] >> variable % 64 & 1; }
const Expr *formula_all(Interpolator *, const Expr *const *);
/* Equalities that define a variable are used in the other assertions of the list. */
void formula_use_equalities(Interpolator *, const Expr ***assertions);

/* ---- choosing (choice.c) ---- */

typedef struct Candidate {
    const Expr *assertion;
    bool certain;  /* it holds at the place, */
    bool refuted;  /* or it does not, or is not wanted */
    bool left_out; /* it is not needed */
} Candidate;

/* Lies on by->steps from choice_open to choice_close; one at a time. */
typedef struct Choice {
    Interpolator *by;
    Place *place;
    Candidate *candidates; /* a vec: a literal of the solver stands for each */
    Map *seen;
} Choice;
void choice_open(Choice *, Place *, const Expr *goal, const Expr *const *given);
void choice_close(Choice *);
/* Besides those added before; certain: they are known to hold. False if there is nothing new. */
bool choice_add(Choice *, const Expr *const *list, bool certain);
/* Those added from this number on are not wanted, unless they are added again. */
void choice_retire(Choice *, size_t from);
/* Appends the fewest of those that hold at the place and imply the goal; of two, the one that was added first, or last. False if
   all that hold are not enough. */
bool choice_settle(Choice *, bool prefer_first, const Expr ***found);
/* Do these assertions and more (may be NULL) imply e? */
bool choice_follows(Interpolator *, const Expr *const *assertions, const Expr *const *more, const Expr *e);

/* ---- assertions (tiers.c, farkas.c) ---- */

/* Appends assertions that hold at the place and with what is known imply the goal (which may speak of inputs); after: what
   must hold after the step, the reason for the goal. False if none were found. */
bool tiers_assertions(Place *, const Expr *goal, const Expr *const *known, const Expr *const *after, const Expr ***found);
/* Appends assertions that hold at the place and with `given` imply the clause (without inputs); `more` hold there too: those that are needed are
   appended. */
void farkas_clause(Place *, const Expr *const *clause, const Expr *const *given, const Expr *const *more, const Expr ***found);

/* ---- inputs (project.c) ---- */

/* The weakest formula without the inputs that implies e for all their values, or a stronger one; NULL if none was found. */
const Expr *project_inputs(Interpolator *, const Symbol *const *inputs, const Expr *e);
bool project_mentions(const Expr *, const Symbol *const *symbols);
/* The value that an equality gives a symbol; NULL if it does not. */
const Expr *project_definition(Interpolator *, const Expr *equality, const Symbol *);
/* e with the symbol replaced, in normal form. */
const Expr *project_replace(Interpolator *, const Expr *e, const Symbol *, const Expr *value);

/* ---- Horn clauses (chain.c) ---- */
/* Assertions for the positions before the last; false if none were found. They are not checked. */
bool chain_assertions(Path *, const Expr **const *known, const Expr ***at);
