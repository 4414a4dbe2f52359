/* SPDX-License-Identifier: Apache-2.0 */
/* The door to Z3: the only folder that includes z3.h. Everything goes in and comes out as our expressions, so no other
   module sees a solver's terms. The encoding is one to one: bit-vectors stay bit-vectors, int stays int (choosing
   between them is a transformation of the program, not of the encoding). Two deviations, both on the side of more models, so
   "unsatisfiable" always means it: floating-point operators are uninterpreted functions, and an operator that
   would fault has the value SMT-LIB gives it (who needs its absence says so, with expr_no_fault). */
#pragma once
#include "expr/expr.h"

typedef struct Smt Smt; /* a context: encoded expressions are remembered */

Smt *smt_new(Exprs *);
void smt_free(Smt *);
uint64_t smt_calls(const Smt *); /* how often a solver was asked */

typedef enum SmtAnswer { SMT_UNSAT, SMT_SAT, SMT_UNKNOWN } SmtAnswer;

/* ---- incremental solvers ---- */
typedef struct Solver Solver;
Solver *solver_new(Smt *, unsigned timeout_ms /* per check; 0: none */);
/* The same, for many small questions: quick to start, without the preprocessing that helps with hard ones. */
Solver *solver_small(Smt *, unsigned timeout_ms);
void solver_free(Solver *);
void solver_push(Solver *);
void solver_pop(Solver *);
void solver_assert(Solver *, const Expr *);
SmtAnswer solver_check(Solver *);
/* … under assumptions; after SMT_UNSAT, solver_core tells of each whether it was needed. */
SmtAnswer solver_check_assuming(Solver *, size_t n, const Expr *const *assumptions);
void solver_core(Solver *, size_t n, bool *needed);
/* After SMT_SAT, before anything else is done with the solver: the value of an expression in the model, as a constant expression (arrays: stores on a constant array);
   NULL if the model has no such value. */
const Expr *solver_value(Solver *, const Expr *);
/* After SMT_SAT: the model, to be kept; NULL if there is none. It speaks of what was asserted when it was made. */
typedef struct Model Model;
Model *solver_model(Solver *);
void model_free(Model *);
const Expr *model_value(Model *, const Expr *); /* as solver_value */
bool model_satisfies(Model *, const Expr *);    /* false also where the model has no value */

/* One question, cached by the smt context: is this conjunction unsatisfiable? */
SmtAnswer smt_check(Smt *, unsigned timeout_ms, const Expr *);
static inline bool smt_is_valid(Smt *s, Exprs *x, unsigned ms, const Expr *e) { return smt_check(s, ms, expr_not(x, e)) == SMT_UNSAT; }
/* The same, with a limit on Z3's work instead of its time: where the questions are the same the answers are, however busy the machine is.
   Passes ask so. */
SmtAnswer smt_try(Smt *, const Expr *);
static inline bool smt_proves(Smt *s, Exprs *x, const Expr *e) { return smt_try(s, expr_not(x, e)) == SMT_UNSAT; }
/* The work that Z3 has done for the context so far, in its own units: of the order of a million a second. To be asked now and then. */
uint64_t smt_work(Smt *);

/* There are values of these symbols such that e holds, said without them; NULL if that is not found in time. */
const Expr *smt_exists(Smt *, unsigned milliseconds, size_t n, const Symbol *const *, const Expr *e);
