/* SPDX-License-Identifier: Apache-2.0 */
/* Finds an affine ranking function f for the nodes of a strongly connected component, by Farkas' lemma (smt/farkas.h). The method is that of
   Podelski and Rybalchenko, "A Complete Method for the Synthesis of Linear Ranking Functions", VMCAI 2004.

   An edge is split into cases. A case is a conjunction of linear inequalities (rows). The conditions that f does not grow on an edge,
   or falls on it, are linear in the coefficients of f and the factors of the rows. We deviate: each node has a function of its own, and f
   need not fall on all edges.

   A term that is not linear stands for any number, and cases beyond MOST_CASES are omitted. So rank_take checks the result in full.
   Coefficients are at first the same at all nodes. */
#include "base/clock.h"
#include "engine/horn/rank.h"
#include "smt/farkas.h"

enum { MOST_CASES = 24, MOST_ROWS = 60, MOST_FORMS = 600, SOLVE_MS = 8000, MOST_STRICT = 40 };

/* ---- cases of an edge: linear conditions, and linear values of the variables at the target ---- */

typedef struct Case {
    Linear *rows;  /* a vec: sums that are at most 0 */
    Linear *after; /* a vec, by argument of the target's predicate; the sort is NULL if the argument is not an integer */
} Case;

typedef struct Split {
    Ranker *ranker;
    const ProductNode *target;
    Case *cases; /* a vec */
} Split;

static void case_free(Case *c) {
    for (size_t i = 0; i < vec_len(c->rows); i++) linear_free(&c->rows[i]);
    for (size_t i = 0; i < vec_len(c->after); i++) linear_free(&c->after[i]);
    vec_free(c->rows);
    vec_free(c->after);
}

/* Returns a choice or a remainder inside e, or NULL. */
static const Expr *find_choice(const Expr *e) {
    bool is_int = e->sort->kind == SORT_INT;
    if (is_int && (e->op == OP_ITE || (e->op == OP_MOD && expr_is_const(e->args[1])))) return e;
    for (unsigned i = 0; i < e->nargs; i++) {
        const Expr *found = find_choice(e->args[i]);
        if (found) return found;
    }
    return NULL;
}

static void finish_case(Split *s, Case *rows, const Expr *const *after) {
    Case c = {0};
    for (size_t i = 0; i < vec_len(rows->rows) && i < MOST_ROWS; i++) {
        Linear copy = {.sort = rows->rows[i].sort};
        linear_add(&copy, 1, &rows->rows[i]);
        vec_push(c.rows, copy);
    }
    for (unsigned i = 0; i < s->target->nargs; i++) {
        Linear l = {0};
        if (after[i]->sort->kind == SORT_INT) linear_of(s->ranker->exprs, after[i], &l);
        vec_push(c.after, l);
    }
    vec_push(s->cases, c);
}

static void conditions(Split *, Case *, const Expr ***todo, const Expr *const *after);

/* Adds the cases in which a further condition holds. */
static void add_cases_with(Split *s, Case *c, const Expr *const *todo, const Expr *one, const Expr *const *after) {
    const Expr **more = vec_copy(todo);
    size_t rows = vec_len(c->rows);
    vec_push(more, one);
    conditions(s, c, &more, after);
    vec_free(more);
    while (vec_len(c->rows) > rows) {
        Linear l = vec_pop(c->rows);
        linear_free(&l);
    }
}

/* Adds a comparison as a row, or the negation of an inequality. An equality becomes two rows. */
static void add_comparison(Case *c, Exprs *x, const Expr *e, bool negated) {
    Linear sum, turned;
    bool equality;
    if (!linear_of_atom(x, e, &sum, &equality)) return;
    bool good = linear_subtract(equality ? 0 : 1, &sum, &turned);
    if (equality || !negated) vec_push(c->rows, sum);
    else linear_free(&sum);
    if (good && (equality || negated)) vec_push(c->rows, turned);
    else linear_free(&turned);
}

/* Makes rows of the conditions in `todo`, a vec. A disjunction becomes several cases. */
static void conditions(Split *s, Case *c, const Expr ***todo, const Expr *const *after) {
    Exprs *x = s->ranker->exprs;
    while (vec_len(*todo) && vec_len(s->cases) < MOST_CASES) {
        const Expr *e = vec_pop(*todo);
        bool negated = e->op == OP_NOT;
        const Expr *inner = negated ? e->args[0] : e;
        if (expr_is_false(e)) return;
        if ((e->op == OP_AND) || (negated && inner->op == OP_OR)) {
            for (unsigned i = 0; i < inner->nargs; i++) vec_push(*todo, negated ? expr_not(x, inner->args[i]) : inner->args[i]);
        } else if ((e->op == OP_OR) || (negated && inner->op == OP_AND)) {
            for (unsigned i = 0; i < inner->nargs; i++)
                add_cases_with(s, c, *todo, negated ? expr_not(x, inner->args[i]) : inner->args[i], after);
            return;
        } else if (is_integer_comparison(inner) && inner->op == OP_EQ && negated) {
            add_cases_with(s, c, *todo, expr_2(x, OP_SLT, inner->args[0], inner->args[1]), after);
            add_cases_with(s, c, *todo, expr_2(x, OP_SLT, inner->args[1], inner->args[0]), after);
            return;
        } else if (is_integer_comparison(inner)) {
            add_comparison(c, x, inner, negated);
        }
    }
    finish_case(s, c, after);
}

static void choices(Split *, const Expr *guard, const Expr *const *after, unsigned depth);

static void choose(Split *s, const Expr *guard, const Expr *const *after, const Expr *choice, const Expr *when, const Expr *value,
                   unsigned depth) {
    Exprs *x = s->ranker->exprs;
    const Expr **then = NULL;
    for (unsigned i = 0; i < s->target->nargs; i++) vec_push(then, expr_exchange(x, after[i], choice, value));
    const Expr *rest = expr_and(x, when, expr_exchange(x, guard, choice, value));
    if (!expr_is_false(rest)) choices(s, rest, then, depth + 1);
    vec_free(then);
}

/* Adds a case for each alternative of the choices. A remainder a mod m is a + m, a or a − m, whichever is in range. Other values of a are
   omitted. */
static void choices(Split *s, const Expr *guard, const Expr *const *after, unsigned depth) {
    Exprs *x = s->ranker->exprs;
    const Expr *found = depth < 5 ? find_choice(guard) : NULL;
    for (unsigned i = 0; i < s->target->nargs && !found && depth < 5; i++) found = find_choice(after[i]);
    if (!found) {
        Case c = {0};
        const Expr **todo = NULL;
        vec_push(todo, guard);
        conditions(s, &c, &todo, after);
        vec_free(todo);
        case_free(&c);
    } else if (found->op == OP_ITE) {
        choose(s, guard, after, found, found->args[0], found->args[1], depth);
        choose(s, guard, after, found, expr_not(x, found->args[0]), found->args[2], depth);
    } else {
        for (int turn = -1; turn <= 1; turn++) {
            const Expr *shift = expr_int(x, (i128)found->args[1]->value * turn);
            const Expr *value = expr_2(x, OP_SUB, found->args[0], shift);
            const Expr *low = expr_2(x, OP_SLE, expr_int(x, 0), value), *high = expr_2(x, OP_SLT, value, found->args[1]);
            choose(s, guard, after, found, expr_and(x, low, high), value, depth);
        }
    }
}

static Case *cases_of(Ranker *r, const RankEdge *e) {
    Split s = {.ranker = r, .target = &r->product->nodes[e->target]};
    const Expr **after = NULL;
    for (unsigned i = 0; i < s.target->nargs; i++) vec_push(after, e->after[s.target->args[i]]);
    choices(&s, e->guard, after, 0);
    vec_free(after);
    return s.cases;
}

/* ---- affine values with coefficients to be found ---- */

typedef struct Shape {
    Ranker *ranker;
    bool shared;                /* a variable has the same coefficient at all nodes */
    const Expr ***coefficients; /* by node (if shared, the first stands for all), by variable; NULL: not used yet */
    const Expr **constants;     /* by node */
    Solver *solver;
    unsigned forms;
} Shape;

static const Expr *unknown(Ranker *r) { return expr_symbol(r->exprs, symbol_new(r->exprs, SYM_VARIABLE, "rank", sort_int(r->exprs))); }

static const Expr *coefficient(Shape *t, unsigned node, unsigned variable) {
    const Expr ***list = &t->coefficients[t->shared ? 0 : node];
    if (!*list) vec_resize(*list, vec_len(t->ranker->system->variables));
    if (!(*list)[variable]) (*list)[variable] = unknown(t->ranker);
    return (*list)[variable];
}

static const Expr *constant(Shape *t, unsigned node) {
    if (!t->constants[node]) t->constants[node] = unknown(t->ranker);
    return t->constants[node];
}

static bool is_integer(const Ranker *r, unsigned v) { return r->system->variables[v].symbol->sort->kind == SORT_INT; }

/* Adds the value of f at a node. */
static void add_before(Shape *t, FarkasSum *f, unsigned node) {
    const ProductNode *n = &t->ranker->product->nodes[node];
    Exprs *x = t->ranker->exprs;
    farkas_add_constant(f, x, constant(t, node));
    for (unsigned i = 0; i < n->nargs; i++)
        if (is_integer(t->ranker, n->args[i]))
            farkas_add(f, x, system_expr(t->ranker->system, n->args[i]), coefficient(t, node, n->args[i]));
}

/* Subtracts the value of f at the target, after the case. */
static void subtract_after(Shape *t, FarkasSum *f, unsigned node, const Case *c) {
    const ProductNode *n = &t->ranker->product->nodes[node];
    Exprs *x = t->ranker->exprs;
    f->constant = expr_2(x, OP_SUB, f->constant, constant(t, node));
    for (unsigned i = 0; i < n->nargs; i++)
        if (c->after[i].sort) farkas_add_row(f, x, -1, coefficient(t, node, n->args[i]), &c->after[i]);
}

/* Asserts that the sum is at least `least` wherever the rows hold. */
static void assert_at_least(Shape *t, FarkasSum *f, const Linear *rows, i128 least) {
    Exprs *x = t->ranker->exprs;
    for (size_t i = 0; i < vec_len(rows); i++) {
        const Expr *k = unknown(t->ranker);
        solver_assert(t->solver, expr_2(x, OP_SLE, expr_int(x, 0), k));
        farkas_add_row(f, x, 1, k, &rows[i]);
    }
    farkas_assert(f, x, t->solver, least);
    t->forms++;
}

static void assert_falls(Shape *t, const RankEdge *e, const Case *cases, bool strictly) {
    for (size_t i = 0; i < vec_len(cases); i++) {
        FarkasSum change = {0}, before = {0};
        add_before(t, &change, e->source);
        subtract_after(t, &change, e->target, &cases[i]);
        assert_at_least(t, &change, cases[i].rows, strictly ? 1 : 0);
        if (!strictly) continue;
        add_before(t, &before, e->source);
        assert_at_least(t, &before, cases[i].rows, 0);
    }
}

/* ---- a solution ---- */

static const Expr *value_of(Shape *t, const Expr *unknown_) {
    const Expr *v = unknown_ ? solver_value(t->solver, unknown_) : NULL;
    return v ? v : expr_int(t->ranker->exprs, 0);
}

static const Expr *solved_at(Shape *t, unsigned node) {
    const ProductNode *n = &t->ranker->product->nodes[node];
    Exprs *x = t->ranker->exprs;
    const Expr *e = value_of(t, t->constants[node]), **list = t->coefficients[t->shared ? 0 : node];
    for (unsigned i = 0; i < n->nargs && list; i++)
        if (list[n->args[i]])
            e = expr_2(x, OP_ADD, e, expr_2(x, OP_MUL, value_of(t, list[n->args[i]]), system_expr(t->ranker->system, n->args[i])));
    Linear sum;
    linear_of(x, e, &sum);
    e = linear_expr(x, &sum);
    linear_free(&sum);
    return e;
}

static void read_solution(Shape *t, RankPart *p) {
    for (size_t n = 0; n < vec_len(p->value); n++) p->value[n] = NULL;
    for (size_t i = 0; i < vec_len(p->edges); i++) {
        unsigned node = t->ranker->edges[p->edges[i]].source;
        if (!p->value[node]) p->value[node] = solved_at(t, node);
    }
}

/* Tries the edges in turn, and keeps the condition that f falls on an edge if it is consistent with those kept before. */
static bool solve(Shape *t, RankPart *p, Case **cases) {
    bool found = false;
    unsigned tries = 0;
    for (size_t i = 0; i < vec_len(p->edges) && tries < MOST_STRICT && clock_seconds() < t->ranker->deadline; i++, tries++) {
        const RankEdge *e = &t->ranker->edges[p->edges[i]];
        if (e->foreign) continue;
        if (found && rank_change(t->ranker, e, p->value[e->source], p->value[e->target]) == RANK_FALLS) continue;
        solver_push(t->solver);
        assert_falls(t, e, cases[i], true);
        if (solver_check(t->solver) == SMT_SAT) {
            read_solution(t, p);
            found = true;
        } else {
            solver_pop(t->solver);
        }
    }
    return found && rank_take(t->ranker, p);
}

static bool attempt(Ranker *r, RankPart *p, Case **cases, bool shared) {
    Shape t = {.ranker = r, .shared = shared, .solver = solver_new(r->smt, SOLVE_MS)};
    vec_resize(t.coefficients, vec_len(r->product->nodes));
    vec_resize(t.constants, vec_len(r->product->nodes));
    for (size_t i = 0; i < vec_len(p->edges); i++) assert_falls(&t, &r->edges[p->edges[i]], cases[i], false);
    bool found = t.forms <= MOST_FORMS && solve(&t, p, cases);
    solver_free(t.solver);
    vec_free_rows(t.coefficients);
    vec_free(t.constants);
    return found;
}

bool rank_farkas(Ranker *r, RankPart *p) {
    Case **cases = NULL;
    bool found = false;
    if (!r->system->integers) return false;
    for (size_t i = 0; i < vec_len(p->edges); i++) vec_push(cases, cases_of(r, &r->edges[p->edges[i]]));
    found = attempt(r, p, cases, true) || attempt(r, p, cases, false);
    for (size_t i = 0; i < vec_len(cases); i++) {
        for (size_t k = 0; k < vec_len(cases[i]); k++) case_free(&cases[i][k]);
        vec_free(cases[i]);
    }
    vec_free(cases);
    return found;
}
