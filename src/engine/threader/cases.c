/* SPDX-License-Identifier: Apache-2.0 */
/* Splits block steps by cases. No conjunction of predicates describes both cases of a test-and-set. So a block step with a choice in its updates or
   its guard becomes several block steps, each with its case in the guard and the same transitions. */
#include "engine/threader/aret.h"

enum { MOST_CASES = 8, MOST_TREE = 400 };

typedef struct Cases {
    BlockSteps *block_steps;
    const bool *relevant;
    const BlockStep *of; /* the block step that is split */
    unsigned left;       /* how many further cases it may have */
} Cases;

/* ---- conditions ---- */

static bool is_plain(const Expr *e) { return expr_is_const(e) || e->op == OP_SYMBOL || (e->op == OP_NOT && e->args[0]->op == OP_SYMBOL); }

/* Returns the condition of a choice inside e, or NULL. */
static const Expr *choice_in(const Expr *e) {
    if (e->op == OP_ITE) return e->args[0];
    const Expr *found = NULL;
    for (unsigned i = 0; i < e->nargs && !found; i++) found = choice_in(e->args[i]);
    return found;
}

/* Returns a disjunct of a disjunction in the guard, or NULL. */
static const Expr *disjunct_in(const Expr *guard) {
    if (guard->op == OP_OR) return guard->args[0];
    const Expr *found = NULL;
    for (unsigned i = 0; guard->op == OP_AND && i < guard->nargs && !found; i++) found = disjunct_in(guard->args[i]);
    return found;
}

static const Expr *find_condition(const Cases *c, const Transition *x) {
    for (size_t i = 0; i < vec_len(x->updates); i++) {
        const Expr *value = x->updates[i].value;
        if (!c->relevant[x->updates[i].variable] || value->tree > MOST_TREE) continue;
        const Expr *found = choice_in(value);
        if (!found && expr_is_formula(value) && !is_plain(value)) found = value;
        if (found) return found;
    }
    return x->guard->tree > MOST_TREE ? NULL : disjunct_in(x->guard);
}

/* ---- cases ---- */

typedef struct CaseValue {
    Exprs *exprs;
    const Expr *condition, *opposite;
    bool holds;
} CaseValue;

static const Expr *image(void *context, const Expr *e) {
    const CaseValue *k = context;
    if (e == k->condition) return expr_bool(k->exprs, k->holds);
    return e == k->opposite ? expr_bool(k->exprs, !k->holds) : NULL;
}

static void add_block_step(const Cases *c, const Expr *guard, const Update *updates) {
    BlockStep l = {.thread = c->of->thread, .step = transition_copy(&c->of->step)};
    l.step.index = (unsigned)vec_len(c->block_steps->list);
    l.step.guard = guard;
    vec_clear(l.step.updates);
    for (size_t i = 0; i < vec_len(updates); i++) {
        vec_push(l.step.updates, updates[i]);
        if (c->relevant[updates[i].variable]) vec_push(l.writes, updates[i].variable);
    }
    vec_append(l.transitions, c->of->transitions);
    vec_append(l.reads, c->of->reads);
    vec_push(c->block_steps->starting_at[l.thread][l.step.source], l.step.index);
    vec_push(c->block_steps->list, l);
}

static void split(Cases *c, const Transition *x) {
    Exprs *exprs = c->block_steps->system->exprs;
    const Expr *condition = c->left ? find_condition(c, x) : NULL;
    if (!condition) {
        add_block_step(c, x->guard, x->updates);
        return;
    }
    c->left--;
    for (int holds = 1; holds >= 0; holds--) {
        CaseValue k = {exprs, condition, expr_not(exprs, condition), holds};
        Transition part = {.guard = expr_and(exprs, holds ? condition : k.opposite, expr_replace(exprs, x->guard, image, &k))};
        for (size_t i = 0; i < vec_len(x->updates); i++) {
            unsigned v = x->updates[i].variable;
            const Expr *value = expr_replace(exprs, x->updates[i].value, image, &k);
            if (value != system_expr(c->block_steps->system, v)) vec_push(part.updates, ((Update){v, value}));
        }
        if (!expr_is_false(part.guard)) split(c, &part);
        vec_free(part.updates);
    }
}

void block_steps_by_cases(BlockSteps *block_steps, const bool *relevant) {
    BlockStep *before = block_steps->list;
    block_steps->list = NULL;
    for (size_t t = 0; t < vec_len(block_steps->starting_at); t++)
        for (size_t l = 0; l < vec_len(block_steps->starting_at[t]); l++) vec_clear(block_steps->starting_at[t][l]);
    for (size_t i = 0; i < vec_len(before); i++) {
        Cases c = {block_steps, relevant, &before[i], MOST_CASES - 1};
        split(&c, &before[i].step);
        transition_free(&before[i].step);
        vec_free(before[i].transitions);
        vec_free(before[i].reads);
        vec_free(before[i].writes);
    }
    vec_free(before);
}
