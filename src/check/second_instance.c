/* SPDX-License-Identifier: Apache-2.0 */
/* Checks threads marked many. A thread and its second instance represent any two of its instances. */
#include "check/checker.h"
#include "check/messages.h"

const Expr *checker_numbers(const Checker *c, unsigned t, unsigned u) {
    ensure(t < vec_len(c->system->threads) && u < vec_len(c->system->threads));
    const System *s = c->system;
    const Expr *e = expr_bool(c->exprs, true);
    unsigned both[] = {t, u};
    for (int k = 0; k < 2; k++) {
        unsigned self = s->threads[both[k]].self;
        if (self == NONE) continue;
        const Expr *most = expr_const(c->exprs, s->variables[self].symbol->sort, vec_len(s->threads));
        e = expr_and(c->exprs, e, expr_2(c->exprs, s->integers ? OP_SLT : OP_ULT, most, system_expr(s, self)));
    }
    if (t != u && s->threads[t].self != NONE && s->threads[u].self != NONE)
        e = expr_and(c->exprs, e,
                     expr_not(c->exprs, expr_eq(c->exprs, system_expr(s, s->threads[t].self), system_expr(s, s->threads[u].self))));
    return e;
}

typedef struct InstanceImage {
    const System *system;
    unsigned from, to;
    const Transition *mine, *other; /* corresponding transitions, whose inputs are renamed; NULL: none */
} InstanceImage;

unsigned checker_corresponding_local(const System *s, unsigned v, unsigned from, unsigned to) {
    unsigned place = 0, n = 0;
    ensure(v < vec_len(s->variables) && s->variables[v].thread == from);
    for (unsigned k = 0; k < v; k++) place += s->variables[k].thread == from;
    for (unsigned k = 0; k < vec_len(s->variables); k++)
        if (s->variables[k].thread == to && n++ == place) return k;
    return NONE;
}

static const Expr *instance_image(void *context, const Expr *e) {
    const InstanceImage *i = context;
    const System *s = i->system;
    unsigned v = system_variable(s, e->symbol);
    for (size_t k = 0; i->mine && k < vec_len(i->mine->inputs) && k < vec_len(i->other->inputs); k++)
        if (i->mine->inputs[k] == e->symbol) return expr_symbol(s->exprs, i->other->inputs[k]);
    if (v == NONE || s->variables[v].thread != i->from) return NULL;
    unsigned image = checker_corresponding_local(s, v, i->from, i->to);
    return image == NONE ? NULL : system_expr(s, image);
}

/* Returns whether the second instance's expression is the thread's expression, with locals and inputs renamed. */
static bool is_image(Checker *c, unsigned t, const Transition *x, const Transition *y, const Expr *mine, const Expr *other) {
    InstanceImage i = {c->system, t, c->system->threads[t].other_instance, x, y};
    const Expr *image = expr_substitute(c->exprs, mine, instance_image, &i);
    if (image == other) return true;
    return image->sort == other->sort && smt_is_valid(c->smt, c->exprs, OBLIGATION_MS, expr_eq(c->exprs, image, other));
}

bool checker_is_renamed(Checker *c, unsigned t, const Expr *mine, const Expr *other) { return is_image(c, t, NULL, NULL, mine, other); }

/* Returns whether the transitions have the same guard, and the same values for the same variables. */
static bool same_transition(Checker *c, unsigned t, const Transition *x, const Transition *y) {
    const System *s = c->system;
    bool same = x->source == y->source && x->target == y->target && vec_len(x->updates) == vec_len(y->updates) &&
                vec_len(x->inputs) == vec_len(y->inputs) && is_image(c, t, x, y, x->guard, y->guard);
    for (size_t i = 0; i < vec_len(x->updates) && same; i++) {
        unsigned v = x->updates[i].variable;
        unsigned image = s->variables[v].thread == t ? checker_corresponding_local(s, v, t, s->threads[t].other_instance) : v;
        const Expr *value = image == NONE ? NULL : transition_update(y, image);
        same = value && is_image(c, t, x, y, x->updates[i].value, value);
    }
    return same;
}

static bool same_locals(Checker *c, unsigned t, unsigned u) {
    const System *s = c->system;
    for (unsigned v = 0; v < vec_len(s->variables); v++) {
        if (s->variables[v].thread != t) continue;
        unsigned image = checker_corresponding_local(s, v, t, u);
        if (image == NONE || s->variables[image].init != s->variables[v].init ||
            s->variables[image].symbol->sort != s->variables[v].symbol->sort)
            return false;
    }
    return true;
}

static bool same_tuples(Checker *c, unsigned t, const Expr *const *mine, const Expr *const *other) {
    bool same = vec_len(mine) == vec_len(other);
    for (size_t i = 0; i < vec_len(mine) && same; i++) same = checker_is_renamed(c, t, mine[i], other[i]);
    return same;
}

/* Checks that a thread and its second instance have the same code and the same claims, since they represent any two instances. */
void checker_second_instance(Checker *c, unsigned t) {
    const System *s = c->system;
    ensure(s->threads[t].many);
    unsigned u = s->threads[t].other_instance;
    checker_name(c, "second instance of %s", s->threads[t].name);
    if (u == NONE || s->threads[u].other_instance != t || s->threads[u].entry != s->threads[t].entry ||
        vec_len(s->threads[u].locations) != vec_len(s->threads[t].locations) ||
        vec_len(s->threads[u].transitions) != vec_len(s->threads[t].transitions) || !same_locals(c, t, u)) {
        checker_refuse(c, MSG_CHECK_SECOND_SHAPE);
        return;
    }
    for (unsigned l = 0; l < vec_len(s->threads[t].locations) && c->ok; l++) {
        bool same = c->proof->out[t][l] == c->proof->out[u][l] && c->proof->stop[t][l] == c->proof->stop[u][l];
        same &= s->threads[t].locations[l].kind == s->threads[u].locations[l].kind &&
                s->threads[t].locations[l].atomic == s->threads[u].locations[l].atomic;
        same &= checker_is_renamed(c, t, checker_fact(c, t, l), checker_fact(c, u, l));
        if (c->proof->invariants) same &= checker_is_renamed(c, t, c->proof->invariants[t][l], c->proof->invariants[u][l]);
        if (c->proof->rule == RULE_EACH)
            same &= same_tuples(c, t, (const Expr *const *)c->proof->ranks[t][l], (const Expr *const *)c->proof->ranks[u][l]);
        if (!same) checker_refuse(c, MSG_CHECK_SECOND_LOCATION);
    }
    for (size_t i = 0; i < vec_len(s->threads[t].transitions) && c->ok; i++) {
        const Transition *x = &s->threads[t].transitions[i], *y = &s->threads[u].transitions[i];
        if (c->proof->movers[t][i] != c->proof->movers[u][i] || !same_transition(c, t, x, y))
            checker_refuse(c, MSG_CHECK_SECOND_TRANSITION);
    }
}
