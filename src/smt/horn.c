/* SPDX-License-Identifier: Apache-2.0 */
/* Solves Horn clauses by the solver of logic HORN. Its model defines every predicate, also those that preprocessing inlined (the fixedpoint
   interface drops these). The derivation of a refutation comes from the fixedpoint interface, which names its rules. */
#include "smt/horn.h"
#include "base/vec.h"
#include "smt/internal.h"
#include <stdlib.h>
#include <string.h>

struct Horn {
    Smt *smt;
    Arena *arena;
    const Symbol **predicates; /* a vec */
    HornClause *clauses;       /* a vec */
    Z3_model model;
    char reason[128];
};

Horn *horn_new(Smt *s) {
    Horn *h = zeroed(1, sizeof *h);
    h->smt = s;
    h->arena = arena_new();
    return h;
}

static void forget_model(Horn *h) {
    if (h->model) Z3_model_dec_ref(h->smt->z3, h->model);
    h->model = NULL;
}

void horn_free(Horn *h) {
    if (!h) return;
    forget_model(h);
    for (size_t i = 0; i < vec_len(h->clauses); i++) vec_free(h->clauses[i].body);
    vec_free(h->clauses);
    vec_free(h->predicates);
    arena_free(h->arena);
    free(h);
}

const Symbol *horn_predicate(Horn *h, const char *name, unsigned n, const Sort *const *sorts) {
    ensure(name && (!n || sorts));
    const Symbol *p = symbol_function(h->smt->exprs, name, sort_bool(h->smt->exprs), n, sorts);
    vec_push(h->predicates, p);
    return p;
}

void horn_clause(Horn *h, const char *name, const Expr *constraint, unsigned n, const Expr *const *body, const Expr *head) {
    ensure(expr_is_formula(constraint) && (!head || head->op == OP_APPLY));
    HornClause c = {.name = arena_strdup(h->arena, name), .constraint = constraint, .head = head};
    if (expr_is_false(constraint)) return;
    for (unsigned i = 0; i < n; i++) {
        ensure(body[i]->op == OP_APPLY);
        vec_push(c.body, body[i]);
    }
    vec_push(h->clauses, c);
}

size_t horn_clauses(const Horn *h) { return vec_len(h->clauses); }
size_t horn_predicates(const Horn *h) { return vec_len(h->predicates); }
const HornClause *horn_get(const Horn *h, size_t i) { return &h->clauses[i]; }
Exprs *horn_exprs(const Horn *h) { return h->smt->exprs; }

void horn_strengthen(Horn *h, size_t i, const Expr *e) { h->clauses[i].constraint = expr_and(h->smt->exprs, h->clauses[i].constraint, e); }

void horn_rewrite(Horn *h, size_t i, const Expr *constraint, const Expr *head) {
    ensure(i < vec_len(h->clauses) && expr_is_formula(constraint) && (!head || head->op == OP_APPLY));
    h->clauses[i].constraint = constraint;
    h->clauses[i].head = head;
}

const char *horn_reason(const Horn *h) { return h->reason; }

/* ---- clauses as formulas ---- */

static const Expr *body_of(Exprs *x, const HornClause *c) {
    const Expr *e = c->constraint;
    for (size_t i = 0; i < vec_len(c->body); i++) e = expr_and(x, e, c->body[i]);
    return e;
}

static const Expr *head_of(Exprs *x, const HornClause *c) { return c->head ? c->head : expr_bool(x, false); }

typedef struct Variables {
    Map *seen;
    const Symbol **list; /* a vec */
} Variables;

static void collect_variable(void *context, const Symbol *s) {
    Variables *v = context;
    if (s->kind == SYM_FUNCTION || map_find(v->seen, s)) return;
    map_set(v->seen, s, (void *)s);
    vec_push(v->list, s);
}

/* Returns the variables of body and head, a vec. The implication itself may simplify to a formula with fewer variables. */
static const Symbol **variables_of(Exprs *x, const HornClause *c) {
    Variables v = {.seen = map_new()};
    expr_symbols(body_of(x, c), collect_variable, &v);
    expr_symbols(head_of(x, c), collect_variable, &v);
    map_free(v.seen);
    return v.list;
}

static Z3_ast quantified(Horn *h, const HornClause *c) {
    Smt *s = h->smt;
    const Symbol **variables = variables_of(s->exprs, c);
    Z3_app *bound = NULL;
    for (size_t i = 0; i < vec_len(variables); i++) vec_push(bound, Z3_to_app(s->z3, smt_encode(s, expr_symbol(s->exprs, variables[i]))));
    /* Spacer expects an implication; our expression for it is a disjunction. */
    Z3_ast t = Z3_mk_implies(s->z3, smt_encode(s, body_of(s->exprs, c)), smt_encode(s, head_of(s->exprs, c)));
    if (vec_len(bound)) t = Z3_mk_forall_const(s->z3, 0, (unsigned)vec_len(bound), bound, 0, NULL, t);
    vec_free(bound);
    vec_free(variables);
    return t;
}

/* ---- solving ---- */

static const char *const preprocessing[] = {
    "fp.xform.inline_eager",     "fp.xform.inline_linear",       "fp.xform.slice",         "fp.xform.coi", "fp.xform.subsumption_checker",
    "fp.xform.compress_unbound", "fp.xform.tail_simplifier_pve", "fp.xform.coalesce_rules"};

/* Returns the parameters of Spacer. For a refutation, preprocessing is off, so that every rule of the derivation keeps its name. */
static Z3_params parameters(Smt *s, HornLimits limits, bool fixedpoint) {
    Z3_params p = Z3_mk_params(s->z3);
    Z3_params_inc_ref(s->z3, p);
    /* Without this, finite sorts would be enumerated. */
    Z3_params_set_symbol(s->z3, p, Z3_mk_string_symbol(s->z3, fixedpoint ? "engine" : "fp.engine"), Z3_mk_string_symbol(s->z3, "spacer"));
    if (limits.milliseconds) Z3_params_set_uint(s->z3, p, Z3_mk_string_symbol(s->z3, "timeout"), limits.milliseconds);
    if (limits.contexts)
        Z3_params_set_uint(s->z3, p, Z3_mk_string_symbol(s->z3, fixedpoint ? "spacer.max_num_contexts" : "fp.spacer.max_num_contexts"),
                           limits.contexts);
    for (size_t i = 0; i < sizeof preprocessing / sizeof *preprocessing && (limits.plain || fixedpoint); i++)
        Z3_params_set_bool(s->z3, p, Z3_mk_string_symbol(s->z3, preprocessing[i] + (fixedpoint ? 3 : 0)), false);
    return p;
}

HornAnswer horn_solve(Horn *h, HornLimits limits) {
    Z3_context c = h->smt->z3;
    forget_model(h);
    Z3_solver v = Z3_mk_solver_for_logic(c, Z3_mk_string_symbol(c, "HORN"));
    Z3_solver_inc_ref(c, v);
    Z3_params p = parameters(h->smt, limits, false);
    Z3_solver_set_params(c, v, p);
    Z3_params_dec_ref(c, p);
    for (size_t i = 0; i < vec_len(h->clauses); i++)
        if (!expr_is_false(h->clauses[i].constraint)) Z3_solver_assert(c, v, quantified(h, &h->clauses[i]));
    Z3_lbool r = Z3_solver_check(c, v);
    SmtAnswer a = smt_answer(h->smt, r);
    if (a == SMT_SAT) {
        h->model = Z3_solver_get_model(c, v);
        if (h->model) Z3_model_inc_ref(c, h->model);
    }
    if (a == SMT_UNKNOWN) {
        const char *why = Z3_solver_get_reason_unknown(c, v);
        strncpy(h->reason, why ? why : "unknown", sizeof h->reason - 1);
        h->reason[strcspn(h->reason, ":\n")] = 0; /* formulas follow the colon */
    }
    Z3_solver_dec_ref(c, v);
    return a == SMT_UNSAT ? HORN_REFUTED : h->model ? HORN_SOLVED : HORN_UNKNOWN;
}

/* ---- solutions ---- */

/* Eliminates the quantifiers in the definition of a predicate that preprocessing inlined. NULL if that fails. */
static const Expr *without_quantifiers(Smt *s, Z3_ast body, unsigned n, const Expr *const *args) {
    Z3_context c = s->z3;
    Z3_ast actual[n + 1];
    for (unsigned i = 0; i < n; i++) actual[i] = smt_encode(s, args[i]);
    return smt_eliminate(s, Z3_substitute_vars(c, body, n, actual), 0);
}

const Expr *horn_solution(Horn *h, const Symbol *predicate, const Expr *const *args) {
    Smt *s = h->smt;
    Z3_context c = s->z3;
    if (!h->model) return NULL;
    Z3_func_decl d = smt_declaration(s, predicate);
    if (!predicate->nparams) {
        Z3_ast t = Z3_model_get_const_interp(c, h->model, d);
        const Expr *known = t ? smt_decode(s, t, 0, NULL) : expr_bool(s->exprs, true);
        return known ? known : without_quantifiers(s, t, 0, NULL);
    }
    Z3_func_interp f = Z3_model_get_func_interp(c, h->model, d);
    if (!f) return expr_bool(s->exprs, true); /* the model leaves the predicate open */
    Z3_func_interp_inc_ref(c, f);
    /* In a model, bound variable i is argument i. The function smt_decode expects the reverse order. */
    const Expr *reversed[predicate->nparams + 1];
    for (unsigned i = 0; i < predicate->nparams; i++) reversed[i] = args[predicate->nparams - 1 - i];
    const Expr *e = NULL;
    if (Z3_func_interp_get_num_entries(c, f) == 0) e = smt_decode(s, Z3_func_interp_get_else(c, f), predicate->nparams, reversed);
    if (!e && Z3_func_interp_get_num_entries(c, f) == 0)
        e = without_quantifiers(s, Z3_func_interp_get_else(c, f), predicate->nparams, args);
    Z3_func_interp_dec_ref(c, f);
    return e;
}

/* Returns an atom under the solution. */
static const Expr *solved(Horn *h, const Expr *atom) { return horn_solution(h, atom->symbol, atom->args); }

/* Returns SMT_SAT if the solution violates the clause, SMT_UNSAT if the solution satisfies it. */
static SmtAnswer clause_fails(Horn *h, const HornClause *c, unsigned milliseconds) {
    Exprs *x = h->smt->exprs;
    const Expr *body = c->constraint, *head = c->head ? solved(h, c->head) : expr_bool(x, false);
    for (size_t i = 0; i < vec_len(c->body) && body; i++) {
        const Expr *a = solved(h, c->body[i]);
        body = a ? expr_and(x, body, a) : NULL;
    }
    return body && head ? smt_check(h->smt, milliseconds, expr_and(x, body, expr_not(x, head))) : SMT_UNKNOWN;
}

SmtAnswer horn_check_solution(Horn *h, unsigned milliseconds) {
    SmtAnswer all = SMT_UNSAT;
    for (size_t i = 0; i < vec_len(h->clauses) && all != SMT_SAT; i++) {
        SmtAnswer a = clause_fails(h, &h->clauses[i], milliseconds);
        if (a != SMT_UNSAT) all = a;
    }
    return all;
}

/* ---- refutations ---- */

/* Returns the indices of the named clauses, from a fact to the query. names: joined by ';', from the query back to a fact. */
static size_t *clauses_named(const Horn *h, const char *names) {
    size_t *list = NULL;
    for (const char *p = names; *p;) {
        size_t n = strcspn(p, ";"), i = 0;
        while (i < vec_len(h->clauses) && (strlen(h->clauses[i].name) != n || memcmp(h->clauses[i].name, p, n))) i++;
        if (i < vec_len(h->clauses)) vec_push(list, i);
        p += n + (p[n] == ';');
    }
    for (size_t i = 0, n = vec_len(list); i < n / 2; i++) {
        size_t swap = list[i];
        list[i] = list[n - 1 - i];
        list[n - 1 - i] = swap;
    }
    return list;
}

size_t *horn_refutation(Horn *h, HornLimits limits) {
    Smt *s = h->smt;
    Z3_context c = s->z3;
    Z3_fixedpoint f = Z3_mk_fixedpoint(c);
    Z3_fixedpoint_inc_ref(c, f);
    Z3_params p = parameters(s, limits, true);
    Z3_fixedpoint_set_params(c, f, p);
    Z3_params_dec_ref(c, p);
    const Symbol *goal = symbol_function(s->exprs, "refuted", sort_bool(s->exprs), 0, NULL);
    for (size_t i = 0; i < vec_len(h->predicates); i++) Z3_fixedpoint_register_relation(c, f, smt_declaration(s, h->predicates[i]));
    Z3_fixedpoint_register_relation(c, f, smt_declaration(s, goal));
    const Expr *falsum = expr_apply(s->exprs, goal, 0, NULL);
    vec_each(HornClause, k, h->clauses) {
        if (expr_is_false(k.constraint)) continue;
        if (!k.head) k.head = falsum;
        Z3_fixedpoint_add_rule(c, f, quantified(h, &k), Z3_mk_string_symbol(c, k.name));
    }
    Z3_lbool r = Z3_fixedpoint_query(c, f, smt_encode(s, falsum));
    smt_answer(s, r);
    size_t *list = NULL;
    if (r == Z3_L_TRUE) {
        Z3_symbol names = Z3_fixedpoint_get_rule_names_along_trace(c, f);
        list = clauses_named(h, names ? Z3_get_symbol_string(c, names) : "");
    }
    Z3_fixedpoint_dec_ref(c, f);
    return list;
}

/* ---- text ---- */

static void print_declaration(Buf *out, const Symbol *p) {
    buf_text(out, "(declare-fun ");
    symbol_print_smt(out, p);
    buf_text(out, " (");
    for (unsigned i = 0; i < p->nparams; i++) {
        if (i) buf_char(out, ' ');
        sort_print_smt(out, p->params[i]);
    }
    buf_text(out, ") Bool)\n");
}

static void print_clause(Buf *out, const Horn *h, const HornClause *c) {
    Exprs *x = h->smt->exprs;
    const Symbol **variables = variables_of(x, c);
    buf_printf(out, "; %s\n(assert ", c->name);
    if (vec_len(variables)) buf_text(out, "(forall (");
    for (size_t i = 0; i < vec_len(variables); i++) {
        buf_text(out, i ? " (" : "(");
        symbol_print_smt(out, variables[i]);
        buf_char(out, ' ');
        sort_print_smt(out, variables[i]->sort);
        buf_char(out, ')');
    }
    if (vec_len(variables)) buf_text(out, ")\n  ");
    buf_text(out, "(=> ");
    expr_print_smt(out, body_of(x, c));
    buf_text(out, "\n      ");
    expr_print_smt(out, head_of(x, c));
    buf_text(out, vec_len(variables) ? ")))\n" : "))\n");
    vec_free(variables);
}

void horn_print(Buf *out, const Horn *h) {
    buf_text(out, "(set-logic HORN)\n");
    for (size_t i = 0; i < vec_len(h->predicates); i++) print_declaration(out, h->predicates[i]);
    for (size_t i = 0; i < vec_len(h->clauses); i++) print_clause(out, h, &h->clauses[i]);
    buf_text(out, "(check-sat)\n(get-model)\n");
}
