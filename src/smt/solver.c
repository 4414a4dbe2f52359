/* SPDX-License-Identifier: Apache-2.0 */
/* Contexts and incremental solvers. A context holds a reference to every term that it encoded, until it is freed. */
#include "smt/internal.h"
#include "base/vec.h"
#include <stdlib.h>
#include <string.h>

struct Solver {
    Smt *smt;
    unsigned timeout_ms; /* 0: no limit */
    bool by_work;        /* limited by Z3's count of its work; the time-out is then processor time, and a last resort */
    Z3_solver z3;
    bool satisfied;      /* the last answer was SMT_SAT */
    Z3_model model;      /* the model of the last answer; NULL until it is needed */
    Z3_ast *assumptions; /* a vec: the assumptions of the last check */
};

/* Treats Z3's errors as ours: a term that Z3 refuses is a broken invariant of the encoding. */
static void failed(Z3_context c, Z3_error_code code) {
    /* A missing model or core, or exhausted resources, is an answer and no error. */
    if (code == Z3_INVALID_USAGE || code == Z3_EXCEPTION || code == Z3_MEMOUT_FAIL) return;
    die("Z3: %s", Z3_get_error_msg(c, code));
}

Smt *smt_new(Exprs *x) {
    Smt *s = zeroed(1, sizeof *s);
    Z3_config config = Z3_mk_config();
    Z3_set_param_value(config, "model", "true");
    s->z3 = Z3_mk_context_rc(config);
    Z3_del_config(config);
    Z3_set_error_handler(s->z3, failed);
    s->exprs = x;
    s->watch = watch_new(s->z3);
    s->sorts = map_new();
    s->symbols = map_new();
    s->answers = map_new();
    return s;
}

void smt_free(Smt *s) {
    if (!s) return;
    solver_free(s->quick);
    watch_free(s->watch);
    for (size_t i = 0; i < vec_len(s->terms); i++)
        if (s->terms[i]) Z3_dec_ref(s->z3, s->terms[i]);
    vec_free(s->terms);
    map_free(s->sorts);
    map_free(s->symbols);
    map_free(s->answers);
    Z3_del_context(s->z3);
    free(s);
}

uint64_t smt_calls(const Smt *s) { return s->calls; }

SmtAnswer smt_answer(Smt *s, Z3_lbool r) {
    s->calls++;
    return r == Z3_L_TRUE ? SMT_SAT : r == Z3_L_FALSE ? SMT_UNSAT : SMT_UNKNOWN;
}

static Solver *solver_over(Smt *s, Z3_solver z3, unsigned timeout_ms) {
    Solver *v = zeroed(1, sizeof *v);
    *v = (Solver){.smt = s, .z3 = z3, .timeout_ms = timeout_ms};
    Z3_solver_inc_ref(s->z3, v->z3);
    return v;
}

Solver *solver_new(Smt *s, unsigned timeout_ms) { return solver_over(s, Z3_mk_solver(s->z3), timeout_ms); }
Solver *solver_small(Smt *s, unsigned timeout_ms) { return solver_over(s, Z3_mk_simple_solver(s->z3), timeout_ms); }

/* Limits the work of each check, in Z3's units. most is 0: no limit but the time-out. */
static void limit_work(Solver *v, unsigned most, unsigned timeout_ms) {
    Z3_context c = v->smt->z3;
    Z3_params p = Z3_mk_params(c);
    Z3_params_inc_ref(c, p);
    Z3_params_set_uint(c, p, Z3_mk_string_symbol(c, "rlimit"), most);
    Z3_solver_set_params(c, v->z3, p);
    Z3_params_dec_ref(c, p);
    v->by_work = most;
    v->timeout_ms = timeout_ms;
}

static void forget_model(Solver *v) {
    if (v->model) Z3_model_dec_ref(v->smt->z3, v->model);
    v->model = NULL;
    v->satisfied = false;
}

static Z3_model model_of(Solver *v) {
    if (!v->satisfied || v->model) return v->model;
    v->model = Z3_solver_get_model(v->smt->z3, v->z3);
    if (v->model) Z3_model_inc_ref(v->smt->z3, v->model);
    return v->model;
}

void solver_free(Solver *v) {
    if (!v) return;
    forget_model(v);
    Z3_solver_dec_ref(v->smt->z3, v->z3);
    vec_free(v->assumptions);
    free(v);
}

void solver_push(Solver *v) { Z3_solver_push(v->smt->z3, v->z3); }
void solver_pop(Solver *v) { Z3_solver_pop(v->smt->z3, v->z3, 1); }
void solver_assert(Solver *v, const Expr *e) {
    ensure(expr_is_formula(e));
    Z3_solver_assert(v->smt->z3, v->z3, smt_encode(v->smt, e));
}

SmtAnswer solver_check(Solver *v) { return solver_check_assuming(v, 0, NULL); }

SmtAnswer solver_check_assuming(Solver *v, size_t n, const Expr *const *assumptions) {
    Z3_context c = v->smt->z3;
    forget_model(v);
    vec_clear(v->assumptions);
    for (size_t i = 0; i < n; i++) {
        ensure(expr_is_formula(assumptions[i]));
        vec_push(v->assumptions, smt_encode(v->smt, assumptions[i]));
    }
    if (v->timeout_ms) (v->by_work ? watch_begin_work : watch_begin)(v->smt->watch, v->z3, v->timeout_ms);
    Z3_lbool r = n ? Z3_solver_check_assumptions(c, v->z3, (unsigned)n, v->assumptions) : Z3_solver_check(c, v->z3);
    if (v->timeout_ms) watch_end(v->smt->watch);
    v->satisfied = r == Z3_L_TRUE;
    return smt_answer(v->smt, r);
}

void solver_core(Solver *v, size_t n, bool *needed) {
    Z3_context c = v->smt->z3;
    Z3_ast_vector core = Z3_solver_get_unsat_core(c, v->z3);
    Z3_ast_vector_inc_ref(c, core);
    ensure(n == vec_len(v->assumptions));
    if (n) memset(needed, 0, n * sizeof *needed);
    for (unsigned k = 0; k < Z3_ast_vector_size(c, core); k++)
        for (size_t i = 0; i < n; i++) needed[i] |= Z3_is_eq_ast(c, Z3_ast_vector_get(c, core, k), v->assumptions[i]);
    Z3_ast_vector_dec_ref(c, core);
}

static const Expr *value_in(Smt *s, Z3_model model, const Expr *e) {
    Z3_ast value = NULL;
    if (!model || !Z3_model_eval(s->z3, model, smt_encode(s, e), true, &value)) return NULL;
    Z3_inc_ref(s->z3, value);
    const Expr *x = smt_decode_in(s, model, value, 0, NULL);
    Z3_dec_ref(s->z3, value);
    return x;
}

const Expr *solver_value(Solver *v, const Expr *e) { return value_in(v->smt, model_of(v), e); }

/* ---- models that are kept ---- */

struct Model {
    Smt *smt;
    Z3_model z3;
};

Model *solver_model(Solver *v) {
    if (!model_of(v)) return NULL;
    Model *m = zeroed(1, sizeof *m);
    m->smt = v->smt;
    m->z3 = v->model;
    Z3_model_inc_ref(v->smt->z3, m->z3);
    return m;
}

void model_free(Model *m) {
    if (!m) return;
    Z3_model_dec_ref(m->smt->z3, m->z3);
    free(m);
}

const Expr *model_value(Model *m, const Expr *e) { return value_in(m->smt, m->z3, e); }

bool model_satisfies(Model *m, const Expr *e) {
    ensure(expr_is_formula(e));
    Z3_ast value = NULL;
    if (expr_is_const(e)) return expr_is_true(e);
    return Z3_model_eval(m->smt->z3, m->z3, smt_encode(m->smt, e), true, &value) && Z3_get_bool_value(m->smt->z3, value) == Z3_L_TRUE;
}

/* ---- single questions ---- */

/* QUICK_WORK is more than twice what any answered question of a pass takes, and ten times what most take. The time-outs of
   checks that are limited by work are for parts of Z3 that do not heed the limit. */
enum { QUICK_MS = 100, QUICK_WORK = 20000, MORE_WORK = 50000, WORK_MS = 5000 };

/* Asks the solver that is kept for small questions, since making a solver costs more than most questions do. */
static SmtAnswer quick_answer(Smt *s, bool by_work, const Expr *e) {
    if (!s->quick) s->quick = solver_small(s, QUICK_MS);
    if (s->quick->by_work != by_work) limit_work(s->quick, by_work ? QUICK_WORK : 0, by_work ? WORK_MS : QUICK_MS);
    solver_push(s->quick);
    solver_assert(s->quick, e);
    SmtAnswer a = solver_check(s->quick);
    solver_pop(s->quick);
    return a;
}

/* Answers one question: first quickly, then by a new solver that is limited by time or by work. */
static SmtAnswer ask(Smt *s, unsigned timeout_ms, bool by_work, const Expr *e) {
    ensure(expr_is_formula(e));
    uint64_t known;
    if (expr_is_const(e)) return expr_is_true(e) ? SMT_SAT : SMT_UNSAT;
    if (map_get(s->answers, e->id, &known)) return (SmtAnswer)known;
    SmtAnswer a = quick_answer(s, by_work, e);
    if (a == SMT_UNKNOWN) {
        Solver *v = solver_new(s, timeout_ms);
        if (by_work) limit_work(v, MORE_WORK, WORK_MS);
        solver_assert(v, e);
        a = solver_check(v);
        solver_free(v);
    }
    if (a != SMT_UNKNOWN) map_put(s->answers, e->id, a);
    return a;
}

SmtAnswer smt_check(Smt *s, unsigned timeout_ms, const Expr *e) { return ask(s, timeout_ms, false, e); }
SmtAnswer smt_try(Smt *s, const Expr *e) { return ask(s, 0, true, e); }

uint64_t smt_work(Smt *s) {
    uint64_t work = 0;
    if (!s->quick) return 0;
    Z3_stats all = Z3_solver_get_statistics(s->z3, s->quick->z3); /* the statistics of this solver are those of the context */
    Z3_stats_inc_ref(s->z3, all);
    for (unsigned i = 0; i < Z3_stats_size(s->z3, all); i++)
        if (!strcmp(Z3_stats_get_key(s->z3, all, i), "rlimit count")) work = Z3_stats_get_uint_value(s->z3, all, i);
    Z3_stats_dec_ref(s->z3, all);
    return work;
}
