/* SPDX-License-Identifier: Apache-2.0 */
/* Declares the parts that the files of the interpolator share.

   - interpolate.c computes interpolants, backward along the path.
   - path.c translates the path into formulas, and finds its shortest impossible prefix with the core.
   - prefix.c decides which formulas the path implies at a position.
   - tiers.c finds the simplest assertions that suffice at a position.
   - choice.c chooses few assertions that imply a goal.
   - farkas.c finds assertions that imply a clause: combinations of its inequalities, differences of variables.
   - formulas.c finds atoms, clauses and variables of formulas.
   - project.c eliminates inputs.
   - chain.c gets interpolants from Spacer. */
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
    Solver *paths; /* for questions about paths; formulas of one path are pushed */
    Solver *steps; /* for questions about one step */
    /* Symbols are made once and used for all paths, so the solver shares its terms as well. */
    const Symbol ***versions;   /* by variable: symbols for its values after its assignments, in order */
    Map *copies;                /* input → index in copy_lists */
    const Symbol ***copy_lists; /* by input: a vec of its copies */
    const Expr **literals;      /* a vec of Bool symbols */
    /* Formulas to try first: assertions that the proof has, and guards. */
    const Expr **preferred, **guards; /* vecs */
    Map *is_preferred, *is_guard;
    Map *supports; /* Expr → the set of its variables */
    unsigned failed_chains;
};

/* ---- the path (path.c) ---- */

/* A conjunct of a guard, or of the initial condition (step NONE) */
typedef struct PathGuard {
    unsigned step;
    const Expr *condition; /* over variables and inputs, in normal form */
    const Expr *literal;   /* implies the condition in the solver */
    bool needed;           /* the conjunct is in the core */
} PathGuard;

typedef struct PathModel {
    Model *model;
    Map *truths; /* formula over versions → 1 if false, 2 if true in the model */
} PathModel;

typedef struct Path {
    Interpolator *by;
    const PathStep *steps;
    size_t n;             /* the length of the path; after path_refute, of its shortest impossible prefix */
    PathGuard *guards;    /* a vec, in the order of steps */
    const Expr ***values; /* by position (0 … n) and variable: its value, over versions */
    Map *definitions;     /* version → its value, until the solver gets this definition */
    unsigned *used;       /* by variable: the number of versions in use */
    PathModel *models;    /* a vec: executions of the path up to the present position, by the guards in the core */
} Path;

/* Pushes the path's formulas on by->paths. path_free pops them. */
void path_open(Path *, Interpolator *, const Expr *initially, const PathStep *, size_t n);
void path_free(Path *);
/* Finds the shortest impossible prefix and a core of its guards. */
PathAnswer path_refute(Path *);
/* Returns the formula at this position, over versions. The solver gets the definitions of these versions. */
const Expr *path_at(Path *, size_t position, const Expr *);
/* True if the guard belongs to a step before this position. */
static inline bool path_guard_before(const PathGuard *g, size_t position) { return g->step == NONE || g->step < position; }
/* Returns the k-th literal of a supply of Bool symbols. */
const Expr *path_literal(Interpolator *, size_t k);

/* ---- a position (prefix.c) ---- */

/* A position of the path, with the guards before it. Places are opened from the end of the path to its start, since an execution up to one
   place is also an execution up to the places before. */
typedef struct PathPosition {
    Path *path;
    Interpolator *by;
    size_t position;
    const Symbol *const *inputs; /* of the step that starts here; assertions must not mention them */
    const Expr **assumed;        /* a vec: the literals of the guards in the core before this position */
} PathPosition;

void path_position_open(PathPosition *, Path *, size_t position);
void path_position_free(PathPosition *);
/* True if the path before the place implies the formula, or all formulas. An execution that refutes it is kept. False as well if the solver
   does not know. */
bool path_position_implies(PathPosition *, const Expr *);
bool path_position_implies_all(PathPosition *, const Expr *const *);
/* True if no execution that was kept refutes the formula. */
bool path_position_possible(PathPosition *, const Expr *);
/* Removes the candidates (a vec) that the path before the place does not imply. */
void path_position_keep_implied(PathPosition *, const Expr ***candidates);
/* Returns the value that the expression has in all executions that were kept. NULL if they differ, or if no execution was kept. */
const Expr *path_position_value(PathPosition *, const Expr *);

/* ---- formulas (formulas.c) ---- */

/* Appends the Bool atoms of a formula, including conditions of choices (OP_ITE), and equalities between the indices at which one array is
   read. */
void formula_atoms(Interpolator *, const Expr *, const Expr ***atoms);
bool formula_contains(const Expr *, Op);
/* Returns the formula in normal form, with these literals replaced by true and their negations by false. */
const Expr *formula_with_literals(Interpolator *, const Expr *, const Expr *const *literals);
/* Returns the clauses of a formula: a vec of vecs of literals, which the caller frees by vec_free_rows. */
const Expr ***formula_clauses(Interpolator *, const Expr *);
/* Returns the variables of a formula as a set of bits. */
const uint64_t *formula_support(Interpolator *, const Expr *);
size_t formula_support_words(const Interpolator *);                     /* the number of words of such a set */
bool formula_shares(Interpolator *, const Expr *, const uint64_t *set); /* true if a variable of the formula is in the set */
static inline bool formula_has(const uint64_t *set, unsigned variable) { return set[variable / 64] >> variable % 64 & 1; }
const Expr *formula_all(Interpolator *, const Expr *const *);
/* Rewrites the assertions with each other's equalities that define a variable. */
void formula_use_equalities(Interpolator *, const Expr ***assertions);

/* ---- choosing (choice.c) ---- */

typedef struct Candidate {
    const Expr *assertion;
    bool certain;  /* it holds at the place */
    bool refuted;  /* it does not hold there, or was retired */
    bool left_out; /* the goal follows without it */
} Candidate;

/* A choice uses by->steps from choice_open to choice_close, so only one choice may be open at a time. */
typedef struct Choice {
    Interpolator *by;
    PathPosition *place;
    Candidate *candidates; /* a vec: candidate k has the literal path_literal(by, k) */
    Map *seen;
} Choice;
/* given: formulas that may be assumed for the goal */
void choice_open(Choice *, PathPosition *, const Expr *goal, const Expr *const *given);
void choice_close(Choice *);
/* Adds candidates. certain: they are known to hold at the place. False if there is no new candidate. */
bool choice_add(Choice *, const Expr *const *list, bool certain);
/* Retires the candidates from this index on. A later choice_add may add them again. */
void choice_retire(Choice *, size_t from);
/* Appends few candidates that hold at the place and imply the goal. prefer_first: of two candidates, the one that was added first is kept,
   otherwise the last. False if all that hold do not imply the goal. */
bool choice_settle(Choice *, bool prefer_first, const Expr ***found);
/* True if the assertions, and `more` (may be NULL), imply e. */
bool choice_follows(Interpolator *, const Expr *const *assertions, const Expr *const *more, const Expr *e);

/* ---- assertions (tiers.c, farkas.c) ---- */

/* Appends assertions that hold at the place and, with the known ones, imply the goal, which may mention inputs. The goal is the
   precondition of the assertions `after` the step. False if none were found. */
bool tiers_choose(PathPosition *, const Expr *goal, const Expr *const *known, const Expr *const *after, const Expr ***found);
/* Appends assertions that hold at the place and, with `given`, imply the clause, which has no inputs. The assertions `more` hold there as
   well, and the needed ones are appended. */
void farkas_imply_clause(PathPosition *, const Expr *const *clause, const Expr *const *given, const Expr *const *more, const Expr ***found);

/* ---- inputs (project.c) ---- */

/* Returns the weakest formula without the inputs that implies e for all their values, or a stronger formula. NULL if none was found. */
const Expr *project_inputs(Interpolator *, const Symbol *const *inputs, const Expr *e);
bool project_mentions(const Expr *, const Symbol *const *symbols);
/* Returns the value that an equality gives to a symbol, or NULL. */
const Expr *project_definition(Interpolator *, const Expr *equality, const Symbol *);
/* Returns e in normal form, with the symbol replaced. */
const Expr *project_replace(Interpolator *, const Expr *e, const Symbol *, const Expr *value);

/* ---- Horn clauses (chain.c) ---- */
/* Finds assertions for the positions before the last. False if none were found. The caller must check them. */
bool chain_assertions(Path *, const Expr **const *known, const Expr ***at);
