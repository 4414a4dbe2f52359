/* SPDX-License-Identifier: Apache-2.0 */
/* Finds interpolants as the solution of a chain of Horn clauses, with one predicate for each position. Spacer sometimes finds interpolants
   where preconditions nest too many stores, or where inputs cannot be eliminated. The method is slower, and its assertions are less likely
   to hold on other paths. */
#include "interpolation/internal.h"
#include "smt/horn.h"
#include <stdio.h>

enum { CHAIN_MS = 2000 };

typedef struct ClauseChain {
    Path *path;
    Horn *horn;
    uint64_t **relevant;       /* by position: the set of variables that later guards of the core depend on */
    const Symbol **predicates; /* a vec, by position */
} ClauseChain;

/* ---- relevant variables ---- */

static void add_set(ClauseChain *c, uint64_t *to, const Expr *e) {
    const uint64_t *set = formula_support(c->path->by, e);
    for (size_t i = 0; i < formula_support_words(c->path->by); i++) to[i] |= set[i];
}

static void relevant_before(ClauseChain *c, size_t k) {
    const Path *p = c->path;
    const PathStep *s = &p->steps[k];
    size_t words = formula_support_words(p->by);
    for (size_t i = 0; i < words; i++) c->relevant[k][i] = c->relevant[k + 1][i];
    for (size_t u = 0; u < vec_len(s->updates); u++)
        c->relevant[k][s->updates[u].variable / 64] &= ~((uint64_t)1 << s->updates[u].variable % 64);
    for (size_t u = 0; u < vec_len(s->updates); u++)
        if (formula_has(c->relevant[k + 1], s->updates[u].variable)) add_set(c, c->relevant[k], s->updates[u].value);
    for (size_t i = 0; i < vec_len(p->guards); i++)
        if (p->guards[i].needed && p->guards[i].step == k) add_set(c, c->relevant[k], p->guards[i].condition);
}

static void find_relevant(ClauseChain *c) {
    size_t words = formula_support_words(c->path->by);
    for (size_t k = 0; k <= c->path->n; k++) {
        uint64_t *set = NULL;
        vec_resize(set, words);
        vec_push(c->relevant, set);
    }
    for (size_t k = c->path->n; k-- > 0;) relevant_before(c, k);
}

/* ---- clauses ---- */

/* Returns a vec: the relevant variables at position k, or their images, where `image` (by variable; may be NULL) has one. */
static const Expr **arguments(ClauseChain *c, size_t k, const Expr *const *image) {
    const Expr **list = NULL;
    const System *s = c->path->by->system;
    for (unsigned v = 0; v < vec_len(s->variables); v++)
        if (formula_has(c->relevant[k], v)) vec_push(list, image && image[v] ? image[v] : system_expr(s, v));
    return list;
}

static const Expr *atom(ClauseChain *c, size_t k, const Expr *const *image) {
    const Expr **list = arguments(c, k, image);
    const Expr *e = expr_apply(c->path->by->exprs, c->predicates[k], (unsigned)vec_len(list), list);
    vec_free(list);
    return e;
}

static void declare(ClauseChain *c) {
    for (size_t k = 0; k <= c->path->n; k++) {
        const Expr **list = arguments(c, k, NULL);
        const Sort **sorts = NULL;
        for (size_t i = 0; i < vec_len(list); i++) vec_push(sorts, list[i]->sort);
        vec_push(c->predicates, horn_predicate(c->horn, "at", (unsigned)vec_len(sorts), sorts));
        vec_free(list);
        vec_free(sorts);
    }
}

static const Expr *constraint(const Path *p, unsigned step, const Expr *const *known) {
    const Expr *e = formula_all(p->by, known);
    for (size_t i = 0; i < vec_len(p->guards); i++)
        if (p->guards[i].needed && p->guards[i].step == step) e = expr_and(p->by->exprs, e, p->guards[i].condition);
    return e;
}

static void add_step(ClauseChain *c, size_t k, const Expr *const *known) {
    Path *p = c->path;
    const Expr *body = atom(c, k, NULL), **image = NULL;
    char name[32];
    snprintf(name, sizeof name, "step%zu", k);
    vec_resize(image, vec_len(p->by->system->variables));
    for (size_t u = 0; u < vec_len(p->steps[k].updates); u++) image[p->steps[k].updates[u].variable] = p->steps[k].updates[u].value;
    const Expr *head = k + 1 == p->n ? NULL : atom(c, k + 1, image);
    horn_clause(c->horn, name, constraint(p, (unsigned)k, known), 1, &body, head);
    vec_free(image);
}

/* ---- all ---- */

static bool read_solution(ClauseChain *c, const Expr ***at) {
    Interpolator *p = c->path->by;
    for (size_t k = 0; k < c->path->n; k++) {
        const Expr **list = arguments(c, k, NULL);
        const Expr *e = horn_solution(c->horn, c->predicates[k], list);
        vec_free(list);
        vec_clear(at[k]);
        if (!e) return false;
        normalise_conjuncts(p->normaliser, e, &at[k]);
    }
    return true;
}

static void chain_free(ClauseChain *c) {
    horn_free(c->horn);
    vec_free_rows(c->relevant);
    vec_free(c->predicates);
}

bool chain_assertions(Path *p, const Expr **const *known, const Expr ***at) {
    ClauseChain c = {.path = p, .horn = horn_new(p->by->smt)};
    find_relevant(&c);
    declare(&c);
    horn_clause(c.horn, "start", constraint(p, NONE, NULL), 0, NULL, atom(&c, 0, NULL));
    for (size_t k = 0; k < p->n; k++) add_step(&c, k, known ? known[k] : NULL);
    bool ok = p->n && horn_solve(c.horn, (HornLimits){.milliseconds = CHAIN_MS, .plain = true}) == HORN_SOLVED && read_solution(&c, at);
    chain_free(&c);
    return ok;
}
