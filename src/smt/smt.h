/* SPDX-License-Identifier: Apache-2.0 */
/* Asks Z3. No other folder includes z3.h: expressions go in and come out, and no other module sees Z3's terms.

   Bit-vectors are encoded as bit-vectors and integers as integers. A pass over the program chooses between them. Two deviations add models,
   so an answer "unsatisfiable" always holds. Floating-point operators are uninterpreted functions. An operator that would fault has the
   value that SMT-LIB defines; expr_no_fault is the condition that it does not fault. */
#pragma once
#include "expr/expr.h"

typedef struct Smt Smt; /* a context, which keeps all encoded expressions */

/* The expressions must outlive the context, and the context its solvers and models. */
Smt *smt_new(Exprs *);
void smt_free(Smt *);
uint64_t smt_calls(const Smt *); /* how often a solver was called */

typedef enum SmtAnswer { SMT_UNSAT, SMT_SAT, SMT_UNKNOWN } SmtAnswer;

/* ---- incremental solvers ---- */
typedef struct Solver Solver;
Solver *solver_new(Smt *, unsigned timeout_ms /* per check; 0: none */);
/* Makes a solver for many small questions: it starts quickly, without the preprocessing that helps with hard questions. */
Solver *solver_small(Smt *, unsigned timeout_ms);
void solver_free(Solver *);
void solver_push(Solver *);
void solver_pop(Solver *);
void solver_assert(Solver *, const Expr *);
SmtAnswer solver_check(Solver *);
/* Checks under assumptions. After SMT_UNSAT, solver_core sets needed[i] to whether the core contains assumption i. */
SmtAnswer solver_check_assuming(Solver *, size_t n, const Expr *const *assumptions);
void solver_core(Solver *, size_t n, bool *needed);
/* Returns the value of an expression in the model, as a constant expression (of an array: stores on a constant array). NULL if the model
   has no value. The last answer must be SMT_SAT, and the solver unchanged since. */
const Expr *solver_value(Solver *, const Expr *);
/* A model that outlives later calls of its solver. */
typedef struct Model Model;
/* Returns the model after SMT_SAT, or NULL. The model satisfies what was asserted at that time. The caller frees it. */
Model *solver_model(Solver *);
void model_free(Model *);
const Expr *model_value(Model *, const Expr *); /* returns the same as solver_value */
bool model_satisfies(Model *, const Expr *);    /* false also if the model has no value */

/* Checks whether a formula is satisfiable. The context remembers the answer. */
SmtAnswer smt_check(Smt *, unsigned timeout_ms, const Expr *);
static inline bool smt_is_valid(Smt *s, Exprs *x, unsigned ms, const Expr *e) { return smt_check(s, ms, expr_not(x, e)) == SMT_UNSAT; }
/* Checks with a limit on Z3's work instead of its time, so that the answer does not depend on the load of the machine. Passes use this. */
SmtAnswer smt_try(Smt *, const Expr *);
static inline bool smt_proves(Smt *s, Exprs *x, const Expr *e) { return smt_try(s, expr_not(x, e)) == SMT_UNSAT; }
/* Returns the work that Z3 has done for the context, in its own units: about a million a second. Meant for occasional calls. */
uint64_t smt_work(Smt *);

/* Returns a formula without the symbols that holds where e holds for some values of them; NULL if the elimination fails or takes too
   long. */
const Expr *smt_exists(Smt *, unsigned milliseconds, size_t n, const Symbol *const *, const Expr *e);
