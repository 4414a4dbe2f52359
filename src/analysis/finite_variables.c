/* SPDX-License-Identifier: Apache-2.0 */
/* The analysis grows a domain of constants for each variable, until nothing changes. A variable that gets more than MAX_DOMAIN constants,
   or a value that is not constant, is not plain. Variables that are computed from it are not plain either. */
#include "analysis/finite_variables.h"

enum { MAX_DOMAIN = 8, MAX_COMBINATIONS = 64 };

typedef struct Domains {
    const System *system;
    const Expr ***of; /* by variable: a vec of its constants */
    bool *plain;      /* by variable: all its values are in its domain */
    bool changed;
} Domains;

static void give_up(Domains *d, unsigned v) {
    d->changed |= d->plain[v];
    d->plain[v] = false;
}

/* Adds a constant to the domain of a variable. */
static void admit(Domains *d, unsigned v, const Expr *constant) {
    if (vec_has(d->of[v], constant)) return;
    vec_push(d->of[v], constant);
    d->changed = true;
    if (vec_len(d->of[v]) > MAX_DOMAIN) give_up(d, v);
}

/* ---- the values of an expression ---- */

typedef struct Mentioned {
    Domains *domains;
    unsigned *variables; /* a vec */
    bool other;          /* a symbol occurs that is not a plain variable */
} Mentioned;

static void mention(void *context, const Symbol *symbol) {
    Mentioned *m = context;
    unsigned v = system_variable(m->domains->system, symbol);
    if (v == NONE || !m->domains->plain[v]) m->other = true;
    else vec_push(m->variables, v);
}

typedef struct Combination {
    const System *system;
    const unsigned *variables;
    const Expr *const *values;
} Combination;

static const Expr *combination_image(void *context, const Expr *e) {
    const Combination *c = context;
    unsigned v = system_variable(c->system, e->symbol);
    for (size_t i = 0; i < vec_len(c->variables); i++)
        if (c->variables[i] == v) return c->values[i];
    return NULL;
}

/* Admits the values of e for every combination of values of its variables. False if a value is not constant, or there are too many. */
static bool combine(Domains *d, unsigned target, const Expr *e, const unsigned *variables) {
    size_t n = 1;
    const Expr **values = NULL;
    bool all = true;
    for (size_t i = 0; i < vec_len(variables) && n <= MAX_COMBINATIONS; i++) n *= vec_len(d->of[variables[i]]);
    if (n > MAX_COMBINATIONS) return false;
    for (size_t k = 0; k < n && all; k++) {
        size_t rest = k;
        vec_clear(values);
        for (size_t i = 0; i < vec_len(variables); i++) {
            const Expr *const *domain = d->of[variables[i]];
            vec_push(values, domain[rest % vec_len(domain)]);
            rest /= vec_len(domain);
        }
        Combination c = {d->system, variables, values};
        const Expr *value = expr_substitute(d->system->exprs, e, combination_image, &c);
        all = expr_is_const(value);
        if (all) admit(d, target, value);
    }
    vec_free(values);
    return all;
}

static void assign(Domains *d, unsigned target, const Expr *e) {
    Mentioned m = {d, NULL, false};
    if (!d->plain[target]) return;
    if (e->op == OP_ITE) {
        assign(d, target, e->args[1]);
        assign(d, target, e->args[2]);
        return;
    }
    expr_symbols(e, mention, &m);
    if (m.other || !combine(d, target, e, m.variables)) give_up(d, target);
    vec_free(m.variables);
}

bool *finite_valued_variables(const System *s) {
    Domains d = {.system = s};
    vec_resize(d.of, vec_len(s->variables));
    vec_resize(d.plain, vec_len(s->variables));
    for (unsigned v = 0; v < vec_len(s->variables); v++) {
        const Expr *init = s->variables[v].init;
        d.plain[v] = (init && expr_is_const(init)) || (!init && s->variables[v].thread != NONE);
        if (init && d.plain[v]) vec_push(d.of[v], init);
    }
    do {
        d.changed = false;
        system_each_transition(const Transition, x, s)
            for (size_t u = 0; u < vec_len(x->updates); u++) assign(&d, x->updates[u].variable, x->updates[u].value);
    } while (d.changed);
    vec_free_rows(d.of);
    return d.plain;
}
