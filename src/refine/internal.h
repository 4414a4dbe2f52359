/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of this folder share.
     path.c        the path as formulas: versions of variables, guards behind literals; the shortest impossible prefix and its core
     interpolate.c backward along the path
     project.c     inputs go */
#ifndef HEDDLE_REFINE_INTERNAL_H
#define HEDDLE_REFINE_INTERNAL_H
#include "base/map.h"
#include "base/vec.h"
#include "expr/normal.h"
#include "refine/interpolate.h"

struct Interpolator {
    const System *system;
    Exprs *exprs;
    Smt *smt;
    Normaliser *normaliser;
    Solver *paths; /* asked about the path: one for all, what concerns one path is pushed */
    Solver *steps; /* asked about one step of it */
    /* Symbols are made once and used for every path, so that the solver's terms are too. */
    const Symbol ***versions; /* by variable: its values after the first, second … assignment */
    Map *copies;              /* input -> a vec of its copies + … see path.c */
    const Symbol ***copy_lists;
    const Expr **literals;    /* a vec of Bool symbols */
    const Expr **preferred;   /* a vec */
    Map *is_preferred;
};

/* ---- the path (path.c) ---- */

/* A conjunct of a guard, or of what holds initially (step NONE). */
typedef struct PathGuard {
    unsigned step;
    const Expr *condition; /* over variables and inputs, in normal form */
    const Expr *literal;   /* stands for it in the solver */
    bool needed;           /* in the core */
} PathGuard;

typedef struct Path {
    Interpolator *by;
    const PathStep *steps;
    size_t n;             /* steps that matter: the last one is the first that is impossible */
    PathGuard *guards;    /* a vec, by step */
    const Expr ***values; /* by position (0 … n), then by variable: its value, in versions */
    Map *definitions;     /* version -> its value, until the solver knows it */
    unsigned *used;       /* versions of each variable */
} Path;

/* Pushed on by->paths; path_free pops it. */
void path_open(Path *, Interpolator *, const Expr *initially, const PathStep *, size_t n);
void path_free(Path *);
/* Finds the shortest impossible prefix and a core of its guards. */
PathAnswer path_refute(Path *);
/* A formula over the variables, as it is at that position. */
const Expr *path_at(const Path *, size_t position, const Expr *);
/* e, which is over versions: the solver is told what they are. To be called before something is pushed. */
const Expr *path_spoken(Path *, const Expr *e);
/* A literal that nothing stands for yet; the k-th. */
const Expr *spare_literal(Interpolator *, size_t k);

/* ---- inputs (project.c) ---- */

/* The weakest formula without the inputs that implies e for all their values, or a stronger one; NULL if none was found. */
const Expr *without_inputs(Interpolator *, const Symbol *const *inputs, const Expr *e);
bool mentions_any(const Expr *, const Symbol *const *symbols);
/* The value that an equality gives a symbol; NULL if it does not. */
const Expr *definition_in(Interpolator *, const Expr *equality, const Symbol *);
/* e with the symbol replaced, in normal form. */
const Expr *replaced(Interpolator *, const Expr *e, const Symbol *, const Expr *value);

/* ---- steps (interpolate.c) ---- */
typedef struct Before {
    Interpolator *by;
    const PathStep *step;
} Before;
const Expr *after_step(Interpolator *, const PathStep *, const Expr *); /* e as it is after the step */

#endif
