/* SPDX-License-Identifier: Apache-2.0 */
/* Splits predicates into instances, by the constants that their arguments take.

   An instance is a predicate with constants for some arguments. The clauses without a body give the first instances. Then each
   clause is copied for all instances of the predicates in its body that agree on their common variables. The constants in its head
   determine the instance of the head.

   Arguments share a domain if the same variable stands for them in bodies. A domain with more than MAX_DOMAIN constants is not split. If
   there are too many clauses, the domain with the most constants is not split, and the procedure begins again. */
#include "engine/horn/clauses.h"
#include "base/clock.h"
#include "base/map.h"
#include "base/vec.h"
#include <stdio.h>
#include <stdlib.h>

enum { MAX_DOMAIN = 6, MAX_BODY = 8 };

typedef struct Instance {
    unsigned predicate;
    const Expr **constants; /* a vec, by argument; NULL: any value */
    const Symbol *symbol;
} Instance;

typedef struct Use {
    size_t clause;
    unsigned position; /* of the atom in the body of the clause */
} Use;

typedef struct Domain {
    const Expr **constants; /* a vec */
    bool not_split;
} Domain;

typedef struct Predicate {
    const Symbol *symbol;
    unsigned *domains; /* a vec, by argument */
    bool named;        /* its arguments have names */
    Use *uses;         /* vecs */
    unsigned *instances;
} Predicate;

struct Split {
    const Horn *given;
    Smt *smt;
    Exprs *exprs;
    Horn *horn;
    size_t *origins;       /* a vec, by clause of `horn`: the clause of `given` that it is a copy of */
    Map *index;            /* symbol of a predicate -> its number + 1 */
    Map *names;            /* symbol of a variable -> domain + 1 */
    Predicate *predicates; /* vecs */
    Domain *domains;
    Instance *instances;
    bool again; /* a domain is not split any more: begin again */
};

/* ---- predicates and their arguments ---- */

static unsigned domain_of(Split *s, const Symbol *name) {
    uint64_t known;
    if (name && map_get(s->names, map_key(name), &known)) return (unsigned)known - 1;
    vec_push(s->domains, ((Domain){.not_split = !name}));
    if (name) map_put(s->names, map_key(name), vec_len(s->domains));
    return (unsigned)vec_len(s->domains) - 1;
}

static unsigned predicate_of(Split *s, const Symbol *symbol) {
    uint64_t known;
    if (map_get(s->index, map_key(symbol), &known)) return (unsigned)known - 1;
    vec_push(s->predicates, ((Predicate){.symbol = symbol}));
    map_put(s->index, map_key(symbol), vec_len(s->predicates));
    return (unsigned)vec_len(s->predicates) - 1;
}

static void name_arguments(Split *s, unsigned predicate, const Expr *atom) {
    if (s->predicates[predicate].named) return;
    s->predicates[predicate].named = true;
    for (unsigned i = 0; i < atom->nargs; i++) {
        bool plain = atom->args[i]->op == OP_SYMBOL && atom->args[i]->sort->kind != SORT_ARRAY;
        unsigned d = domain_of(s, plain ? atom->args[i]->symbol : NULL);
        vec_push(s->predicates[predicate].domains, d);
    }
}

/* Finds the predicates and the domains of their arguments. Returns false if a clause has too many atoms. */
static bool find_predicates(Split *s) {
    for (size_t c = 0; c < horn_clauses(s->given); c++) {
        const HornClause *clause = horn_get(s->given, c);
        if (vec_len(clause->body) > MAX_BODY) return false;
        for (unsigned b = 0; b < vec_len(clause->body); b++) {
            unsigned p = predicate_of(s, clause->body[b]->symbol);
            name_arguments(s, p, clause->body[b]);
            vec_push(s->predicates[p].uses, ((Use){c, b}));
        }
        if (clause->head) predicate_of(s, clause->head->symbol);
    }
    for (size_t p = 0; p < vec_len(s->predicates); p++) /* predicates that no body mentions are not split */
        for (unsigned i = 0; i < s->predicates[p].symbol->nparams && !s->predicates[p].named; i++) {
            unsigned d = domain_of(s, NULL);
            vec_push(s->predicates[p].domains, d);
        }
    return true;
}

/* Adds a constant to a domain. Returns true if instances may fix the argument to this constant. */
static bool admit(Split *s, unsigned domain, const Expr *constant) {
    Domain *d = &s->domains[domain];
    if (d->not_split) return false;
    if (vec_has(d->constants, constant)) return true;
    vec_push(d->constants, constant);
    if (vec_len(d->constants) <= MAX_DOMAIN) return true;
    d->not_split = s->again = true;
    return false;
}

/* ---- instances ---- */

static unsigned instance_for(Split *s, unsigned predicate, const Expr **constants) {
    const Predicate *p = &s->predicates[predicate];
    for (size_t i = 0; i < vec_len(p->instances); i++) {
        bool same = true;
        const Instance *known = &s->instances[p->instances[i]];
        for (size_t k = 0; k < vec_len(constants) && same; k++) same = known->constants[k] == constants[k];
        if (!same) continue;
        vec_free(constants);
        return p->instances[i];
    }
    char name[80];
    const Sort **sorts = NULL;
    for (unsigned i = 0; i < p->symbol->nparams; i++)
        if (!constants[i]) vec_push(sorts, p->symbol->params[i]);
    snprintf(name, sizeof name, "%.60s/%zu", p->symbol->name, vec_len(p->instances));
    Instance n = {.predicate = predicate, .constants = constants, .symbol = horn_predicate(s->horn, name, (unsigned)vec_len(sorts), sorts)};
    vec_free(sorts);
    vec_push(s->instances, n);
    unsigned index = (unsigned)vec_len(s->instances) - 1;
    vec_push(s->predicates[predicate].instances, index);
    return index;
}

static const Expr *instance_atom(const Split *s, unsigned instance, const Expr *const *values) {
    const Instance *n = &s->instances[instance];
    const Expr **args = NULL;
    for (size_t i = 0; i < vec_len(n->constants); i++)
        if (!n->constants[i]) vec_push(args, values[i]);
    const Expr *a = expr_apply(s->exprs, n->symbol, (unsigned)vec_len(args), args);
    vec_free(args);
    return a;
}

/* ---- one clause, for instances of its body ---- */

typedef struct Binding {
    const Symbol *symbol;
    const Expr *constant;
} Binding;

typedef struct Taking {
    Split *split;
    const HornClause *clause;
    unsigned chosen[MAX_BODY]; /* by atom of the body: an instance */
    Binding *bindings;         /* a vec */
} Taking;

static const Expr *bound_symbol(void *context, const Expr *e) {
    const Taking *t = context;
    for (size_t i = 0; i < vec_len(t->bindings); i++)
        if (t->bindings[i].symbol == e->symbol) return t->bindings[i].constant;
    return NULL;
}

static const Expr *under(Taking *t, const Expr *e) {
    return vec_len(t->bindings) ? expr_substitute(t->split->exprs, e, bound_symbol, t) : e;
}

/* Binds an argument of a body atom to a constant. Returns false if the argument has another constant. */
static bool bind_symbol(Taking *t, const Expr *argument, const Expr *constant) {
    if (argument->op == OP_CONST) return argument == constant;
    if (argument->op != OP_SYMBOL) return true;
    for (size_t i = 0; i < vec_len(t->bindings); i++)
        if (t->bindings[i].symbol == argument->symbol) return t->bindings[i].constant == constant;
    vec_push(t->bindings, ((Binding){argument->symbol, constant}));
    return true;
}

/* Binds the variables that a constraint equates with constants. */
static void bind_equalities(Taking *t, const Expr *e) {
    if (e->op == OP_AND)
        for (unsigned i = 0; i < e->nargs; i++) bind_equalities(t, e->args[i]);
    for (unsigned k = 0; k < 2 && e->op == OP_EQ; k++)
        if (e->args[k]->op == OP_SYMBOL && e->args[1 - k]->op == OP_CONST) bind_symbol(t, e->args[k], e->args[1 - k]);
}

static void emit(Taking *t, const Expr *constraint, const Expr **values) {
    Split *s = t->split;
    const Expr *body[MAX_BODY], *head = NULL;
    char name[64];
    for (unsigned b = 0; b < vec_len(t->clause->body); b++) {
        const Expr **args = NULL;
        for (unsigned i = 0; i < t->clause->body[b]->nargs; i++) vec_push(args, under(t, t->clause->body[b]->args[i]));
        body[b] = instance_atom(s, t->chosen[b], args);
        vec_free(args);
    }
    if (t->clause->head) {
        unsigned predicate = predicate_of(s, t->clause->head->symbol);
        const Expr **constants = NULL;
        for (size_t i = 0; i < vec_len(values); i++) {
            bool fixed = expr_is_const(values[i]) && admit(s, s->predicates[predicate].domains[i], values[i]);
            vec_push(constants, fixed ? values[i] : NULL);
        }
        head = instance_atom(s, instance_for(s, predicate, constants), values);
    }
    snprintf(name, sizeof name, "%.40s.%zu", t->clause->name, horn_clauses(s->horn));
    horn_clause(s->horn, name, constraint, (unsigned)vec_len(t->clause->body), body, head);
    if (horn_clauses(s->horn) > vec_len(s->origins)) vec_push(s->origins, (size_t)(t->clause - horn_get(s->given, 0)));
}

/* Emits one clause for each alternative of the choices between constants in the head. */
static void emit_choices(Taking *t, const Expr *constraint, const Expr **values, size_t from) {
    Exprs *x = t->split->exprs;
    if (expr_is_false(constraint) || t->split->again) return;
    while (from < vec_len(values) &&
           !(values[from]->op == OP_ITE && expr_is_const(values[from]->args[1]) && expr_is_const(values[from]->args[2])))
        from++;
    if (from == vec_len(values)) {
        emit(t, constraint, values);
        return;
    }
    const Expr *choice = values[from];
    for (unsigned side = 0; side < 2; side++) {
        values[from] = choice->args[1 + side];
        emit_choices(t, expr_and(x, constraint, side ? expr_not(x, choice->args[0]) : choice->args[0]), values, from + 1);
    }
    values[from] = choice;
}

static void take(Taking *t) {
    const Expr **values = NULL, *head = t->clause->head;
    if (!vec_len(t->clause->body)) bind_equalities(t, t->clause->constraint);
    for (unsigned i = 0; head && i < head->nargs; i++) vec_push(values, under(t, head->args[i]));
    emit_choices(t, under(t, t->clause->constraint), values, 0);
    vec_free(values);
}

/* Chooses instances for the atoms of the body from b on. The atom at `fixed` gets the instance `newest`, atoms before it get older ones, and
   atoms behind it get older ones or the same. So each combination is chosen once. */
static void choose(Taking *t, unsigned b, unsigned fixed, unsigned newest) {
    Split *s = t->split;
    if (s->again) return;
    if (b == vec_len(t->clause->body)) {
        take(t);
        return;
    }
    const Expr *atom = t->clause->body[b];
    unsigned predicate = predicate_of(s, atom->symbol);
    vec_each(unsigned, instance, s->predicates[predicate].instances) {
        if (b == fixed ? instance != newest : b < fixed ? instance >= newest : instance > newest) continue;
        size_t mark = vec_len(t->bindings);
        bool agree = true;
        const Expr *const *constants = s->instances[instance].constants;
        for (unsigned k = 0; k < atom->nargs && agree; k++)
            if (constants[k]) agree = bind_symbol(t, atom->args[k], constants[k]);
        t->chosen[b] = instance;
        if (agree) choose(t, b + 1, fixed, newest);
        while (vec_len(t->bindings) > mark) (void)vec_pop(t->bindings);
    }
}

/* ---- all clauses ---- */

static void forget(Split *s) {
    for (size_t i = 0; i < vec_len(s->instances); i++) vec_free(s->instances[i].constants);
    vec_free(s->instances);
    for (size_t p = 0; p < vec_len(s->predicates); p++) vec_free(s->predicates[p].instances);
    for (size_t d = 0; d < vec_len(s->domains); d++) vec_free(s->domains[d].constants);
    horn_free(s->horn);
    s->horn = NULL;
    vec_clear(s->origins);
    s->again = false;
}

static void explore(Split *s, size_t max_clauses, double deadline) {
    s->horn = horn_new(s->smt);
    for (size_t c = 0; c < horn_clauses(s->given) && !s->again; c++) {
        Taking t = {.split = s, .clause = horn_get(s->given, c)};
        if (!vec_len(t.clause->body)) take(&t);
        vec_free(t.bindings);
    }
    for (unsigned i = 0; i < vec_len(s->instances) && !s->again; i++) {
        unsigned predicate = s->instances[i].predicate;
        for (size_t u = 0; u < vec_len(s->predicates[predicate].uses) && !s->again; u++) {
            Use use = s->predicates[predicate].uses[u];
            Taking t = {.split = s, .clause = horn_get(s->given, use.clause)};
            if (!expr_is_false(t.clause->constraint)) choose(&t, 0, use.position, i);
            vec_free(t.bindings);
            if (horn_clauses(s->horn) > max_clauses || clock_seconds() > deadline) return;
        }
    }
}

/* Excludes the domain with the most constants from splitting. Returns false if no domain has two constants. */
static bool exclude_largest(Split *s) {
    size_t worst = vec_len(s->domains);
    for (size_t d = 0; d < vec_len(s->domains); d++)
        if (!s->domains[d].not_split && vec_len(s->domains[d].constants) > 1 &&
            (worst == vec_len(s->domains) || vec_len(s->domains[d].constants) > vec_len(s->domains[worst].constants)))
            worst = d;
    if (worst < vec_len(s->domains)) s->domains[worst].not_split = true;
    return worst < vec_len(s->domains);
}

static bool has_split(const Split *s) {
    for (size_t d = 0; d < vec_len(s->domains); d++)
        if (!s->domains[d].not_split && vec_len(s->domains[d].constants)) return true;
    return false;
}

Split *split_new(const Horn *given, Smt *smt, size_t max_clauses, double deadline) {
    Split *s = zeroed(1, sizeof *s);
    *s = (Split){.given = given, .smt = smt, .exprs = horn_exprs(given), .index = map_new(), .names = map_new()};
    bool good = find_predicates(s), done = false;
    while (good && !done) {
        explore(s, max_clauses, deadline);
        bool large = horn_clauses(s->horn) > max_clauses;
        good = clock_seconds() <= deadline && (!large || s->again || exclude_largest(s));
        done = good && !s->again && !large;
        if (good && !done) forget(s);
    }
    if (good && has_split(s)) return s;
    split_free(s);
    return NULL;
}

void split_free(Split *s) {
    if (!s) return;
    forget(s);
    for (size_t p = 0; p < vec_len(s->predicates); p++) {
        vec_free(s->predicates[p].domains);
        vec_free(s->predicates[p].uses);
    }
    vec_free(s->predicates);
    vec_free(s->domains);
    vec_free(s->origins);
    map_free(s->index);
    map_free(s->names);
    free(s);
}

Horn *split_horn(const Split *s) { return s->horn; }

size_t split_origin(const Split *s, size_t clause) { return s->origins[clause]; }

const Expr *split_solution(const Split *s, const Expr *atom, const Expr *(*solution)(const void *, const Expr *), const void *context) {
    uint64_t known;
    const Expr *all = expr_bool(s->exprs, false);
    if (!map_get(s->index, map_key(atom->symbol), &known)) return expr_bool(s->exprs, true);
    const Predicate *p = &s->predicates[known - 1];
    for (size_t i = 0; i < vec_len(p->instances); i++) {
        const Instance *n = &s->instances[p->instances[i]];
        const Expr *one = expr_bool(s->exprs, true);
        for (unsigned k = 0; k < atom->nargs; k++)
            if (n->constants[k]) one = expr_and(s->exprs, one, expr_eq(s->exprs, atom->args[k], n->constants[k]));
        const Expr *rest = expr_is_false(one) ? one : solution(context, instance_atom(s, p->instances[i], atom->args));
        if (!rest) return NULL;
        all = expr_or(s->exprs, all, expr_and(s->exprs, one, rest));
    }
    return all;
}
