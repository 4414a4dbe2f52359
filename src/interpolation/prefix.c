/* SPDX-License-Identifier: Apache-2.0 */
/* Decides which formulas the path implies at a position, by its guards in the core before it. Executions (models) that answered one
   question are kept, since they answer most of the next ones as well. */
#include "interpolation/internal.h"
#include <string.h>

enum { MOST_MODELS = 12 };

void path_position_open(PathPosition *a, Path *p, size_t position) {
    ensure(position <= p->n); /* no execution reaches later positions */
    *a = (PathPosition){.path = p, .by = p->by, .position = position, .inputs = position < p->n ? p->steps[position].inputs : NULL};
    for (size_t i = 0; i < vec_len(p->guards); i++)
        if (p->guards[i].needed && path_guard_before(&p->guards[i], position)) vec_push(a->assumed, p->guards[i].literal);
}

void path_position_free(PathPosition *a) { vec_free(a->assumed); }

/* Keeps the solver's model as the last one, in place of the second one if there are too many. The first one stays. */
static void keep_model(Path *p) {
    PathModel m = {.model = solver_model(p->by->paths)};
    if (!m.model) return;
    m.truths = map_new();
    if (vec_len(p->models) == MOST_MODELS) {
        model_free(p->models[1].model);
        map_free(p->models[1].truths);
        memmove(&p->models[1], &p->models[2], (MOST_MODELS - 2) * sizeof *p->models);
        (void)vec_pop(p->models);
    }
    vec_push(p->models, m);
}

/* Checks the path before the place together with another formula. */
static SmtAnswer ask(PathPosition *a, const Expr *also) {
    Solver *v = a->by->paths;
    solver_push(v);
    solver_assert(v, also);
    SmtAnswer answer = solver_check_assuming(v, vec_len(a->assumed), a->assumed);
    if (answer == SMT_SAT) keep_model(a->path);
    solver_pop(v);
    return answer;
}

static bool have_model(PathPosition *a) { return vec_len(a->path->models) || ask(a, expr_bool(a->by->exprs, true)) == SMT_SAT; }

static bool holds_in(PathModel *m, const Expr *image) {
    uint64_t known;
    if (map_get(m->truths, map_key(image), &known)) return known == 2;
    bool yes = model_satisfies(m->model, image);
    map_put(m->truths, map_key(image), yes ? 2 : 1);
    return yes;
}

/* True if the formula holds in all executions that were kept. */
static bool always(const PathPosition *a, const Expr *image) {
    for (size_t i = vec_len(a->path->models); i-- > 0;)
        if (!holds_in(&a->path->models[i], image)) return false;
    return true;
}

bool path_position_possible(PathPosition *a, const Expr *e) {
    const Expr *image = path_at(a->path, a->position, e);
    return have_model(a) && always(a, image);
}

bool path_position_implies(PathPosition *a, const Expr *e) {
    const Expr *image = path_at(a->path, a->position, e);
    return always(a, image) && ask(a, expr_not(a->by->exprs, image)) == SMT_UNSAT;
}

static const Expr *some_false(Interpolator *p, const Expr *const *images) {
    const Expr **negated = NULL;
    for (size_t i = 0; i < vec_len(images); i++) vec_push(negated, expr_not(p->exprs, images[i]));
    const Expr *e = vec_len(negated) ? expr_make(p->exprs, OP_OR, 0, (unsigned)vec_len(negated), negated) : expr_bool(p->exprs, false);
    vec_free(negated);
    return e;
}

bool path_position_implies_all(PathPosition *a, const Expr *const *list) {
    const Expr **images = NULL;
    for (size_t i = 0; i < vec_len(list); i++) vec_push(images, path_at(a->path, a->position, list[i]));
    const Expr *doubt = some_false(a->by, images);
    vec_free(images);
    return expr_is_false(doubt) || ask(a, doubt) == SMT_UNSAT;
}

const Expr *path_position_value(PathPosition *a, const Expr *e) {
    const Expr *image = path_at(a->path, a->position, e), *value = NULL;
    if (!have_model(a)) return NULL;
    for (size_t i = 0; i < vec_len(a->path->models); i++) {
        const Expr *v = model_value(a->path->models[i].model, image);
        if (!v || (value && v != value)) return NULL;
        value = v;
    }
    return value;
}

/* Keeps the candidates that hold in all executions that were kept, in their order. */
static void filter(PathPosition *a, const Expr ***candidates, const Expr ***images) {
    size_t kept = 0;
    for (size_t i = 0; i < vec_len(*candidates); i++) {
        if (!always(a, (*images)[i])) continue;
        (*candidates)[kept] = (*candidates)[i];
        (*images)[kept++] = (*images)[i];
    }
    vec_resize(*candidates, kept);
    vec_resize(*images, kept);
}

/* Keeps the candidates that the path implies, by a question for each. */
static void keep_each(PathPosition *a, const Expr ***candidates, const Expr *const *images) {
    size_t kept = 0;
    for (size_t i = 0; i < vec_len(*candidates); i++)
        if (ask(a, expr_not(a->by->exprs, images[i])) == SMT_UNSAT) (*candidates)[kept++] = (*candidates)[i];
    vec_resize(*candidates, kept);
}

void path_position_keep_implied(PathPosition *a, const Expr ***candidates) {
    const Expr **images = NULL;
    for (size_t i = 0; i < vec_len(*candidates); i++) vec_push(images, path_at(a->path, a->position, (*candidates)[i]));
    if (!have_model(a)) vec_clear(*candidates);
    filter(a, candidates, &images);
    for (size_t before = SIZE_MAX; vec_len(*candidates);) {
        SmtAnswer answer = vec_len(*candidates) < before ? ask(a, some_false(a->by, images)) : SMT_UNKNOWN;
        if (answer == SMT_UNSAT) break;
        if (answer == SMT_UNKNOWN) {
            keep_each(a, candidates, images);
            break;
        }
        before = vec_len(*candidates); /* the new execution refutes a candidate */
        filter(a, candidates, &images);
    }
    vec_free(images);
}
