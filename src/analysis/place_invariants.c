/* SPDX-License-Identifier: Apache-2.0 */
/* Place invariants of Petri nets, with counters instead of tokens. The unknowns are a factor for each variable that only gets
   constants added, and an offset for each location. Each transition is an equation: the factors times the constants that it adds, plus the
   offset of its target, minus the offset of its source, is 0. A solution is a conserved sum. The sum gets its value by the first transition
   of main, which may set variables to any value. */
#include "analysis/congruence_invariants.h"

enum { MOST_UNKNOWNS = 200, MOST_SUMS = 4, MOST_VALUES = 6, MOST_CONDITIONS = 2 };
static const i128 LARGEST = (i128)1 << 40;

typedef struct Conservation {
    const System *system;
    const Transition *first; /* the only transition from the entry of main; NULL if there are several */
    unsigned *variables;     /* a vec: the variables of the unknowns that follow those of the locations */
    unsigned *offset;        /* a vec, by thread: the unknown of location 0 of the thread */
    size_t locations, unknowns;
    i128 **rows;        /* a vec of equations, which are vecs by unknown */
    const Expr **found; /* the result, a vec */
} Conservation;

/* ---- what a transition adds ---- */

/* Returns the value of an update in one case: bit i of `which` decides condition i. */
static const Expr *in_case(const Expr *e, const Expr *const *conditions, unsigned which) {
    while (e->op == OP_ITE) {
        size_t i = 0;
        while (i < vec_len(conditions) && conditions[i] != e->args[0]) i++;
        if (i == vec_len(conditions)) return e;
        e = e->args[which >> i & 1 ? 1 : 2];
    }
    return e;
}

static bool is_increment(const Expr *variable, const Expr *value, i128 *by) {
    *by = 0;
    if (value == variable) return true;
    if (value->op != OP_ADD && value->op != OP_SUB) return false;
    unsigned k = value->args[0] == variable ? 1 : 0;
    if (value->args[1 - k] != variable || !expr_is_const(value->args[k]) || (value->op == OP_SUB && k == 0)) return false;
    *by = value->op == OP_SUB ? -(i128)value->args[k]->value : (i128)value->args[k]->value;
    return true;
}

static bool only_increments(const Expr *variable, const Expr *value) {
    i128 by;
    if (value->op == OP_ITE) return only_increments(variable, value->args[1]) && only_increments(variable, value->args[2]);
    return is_increment(variable, value, &by);
}

static void collect_conditions(const Expr *e, const Expr ***conditions) {
    if (e->op != OP_ITE) return;
    bool there = false;
    for (size_t i = 0; i < vec_len(*conditions); i++) there |= (*conditions)[i] == e->args[0];
    if (!there) vec_push(*conditions, e->args[0]);
    collect_conditions(e->args[1], conditions);
    collect_conditions(e->args[2], conditions);
}

/* ---- unknowns ---- */

/* True if a transition after the first changes the variable, and all of these only add constants. */
static bool is_counter(const Conservation *c, unsigned v) {
    const System *s = c->system;
    bool changed = false;
    if (s->variables[v].thread != NONE || s->variables[v].hidden || s->variables[v].symbol->sort->kind != SORT_INT) return false;
    system_each_transition(const Transition, tr, s) {
        const Expr *value = tr == c->first ? NULL : transition_update(tr, v);
        if (!value) continue;
        if (!only_increments(system_expr(s, v), value)) return false;
        changed = true;
    }
    return changed;
}

/* True if only the first transition may change the global variable. */
static bool is_stable(const Conservation *c, unsigned v) {
    const System *s = c->system;
    system_each_transition(const Transition, tr, s)
        if (tr != c->first && transition_update(tr, v)) return false;
    return s->variables[v].thread == NONE;
}

static void find_unknowns(Conservation *c) {
    const System *s = c->system;
    for (size_t t = 0; t < vec_len(s->threads); t++) {
        vec_push(c->offset, (unsigned)c->locations);
        c->locations += vec_len(s->threads[t].locations);
    }
    for (unsigned v = 0; v < vec_len(s->variables); v++)
        if (is_counter(c, v)) vec_push(c->variables, v);
    c->unknowns = c->locations + vec_len(c->variables);
}

/* ---- equations ---- */

static void add_equation(Conservation *c, size_t thread, const Transition *tr, const Expr *const *conditions, unsigned which) {
    const System *s = c->system;
    i128 *row = NULL;
    vec_resize(row, c->unknowns);
    row[c->offset[thread] + tr->target] += 1;
    row[c->offset[thread] + tr->source] -= 1;
    for (size_t k = 0; k < vec_len(c->variables); k++) {
        const Expr *value = transition_update(tr, c->variables[k]);
        if (value && !is_increment(system_expr(s, c->variables[k]), in_case(value, conditions, which), &row[c->locations + k]))
            row[c->locations + k] = LARGEST;
    }
    vec_push(c->rows, row);
}

static void add_equations(Conservation *c, size_t thread, const Transition *tr) {
    const Expr **conditions = NULL;
    for (size_t k = 0; k < vec_len(c->variables); k++) {
        const Expr *value = transition_update(tr, c->variables[k]);
        if (value) collect_conditions(value, &conditions);
    }
    if (vec_len(conditions) <= MOST_CONDITIONS)
        for (unsigned which = 0; which < 1u << vec_len(conditions); which++) add_equation(c, thread, tr, conditions, which);
    else c->unknowns = MOST_UNKNOWNS + 1;
    vec_free(conditions);
}

static void find_equations(Conservation *c) {
    const System *s = c->system;
    for (size_t t = 0; t < vec_len(s->threads); t++) {
        i128 *start = NULL; /* offsets are relative to the entry's */
        vec_resize(start, c->unknowns);
        start[c->offset[t] + s->threads[t].entry] = 1;
        vec_push(c->rows, start);
        for (size_t i = 0; i < vec_len(s->threads[t].transitions) && c->unknowns <= MOST_UNKNOWNS; i++)
            if (&s->threads[t].transitions[i] != c->first) add_equations(c, t, &s->threads[t].transitions[i]);
    }
    i128 *first = NULL;
    vec_resize(first, c->unknowns); /* main's first transition changes variables, but not the offset */
    if (c->unknowns <= MOST_UNKNOWNS) first[c->offset[0] + c->first->target] = 1;
    vec_push(c->rows, first);
}

/* ---- solutions ---- */

static i128 size_of(i128 a) { return a < 0 ? -a : a; }

static i128 common_divisor(i128 a, i128 b) {
    for (a = size_of(a), b = size_of(b); b;) {
        i128 r = a % b;
        a = b;
        b = r;
    }
    return a;
}

static bool reduce(i128 *row) {
    i128 d = 0;
    for (size_t i = 0; i < vec_len(row); i++) d = common_divisor(d, row[i]);
    for (size_t i = 0; i < vec_len(row) && d; i++) {
        row[i] /= d;
        if (size_of(row[i]) >= LARGEST) return false;
    }
    return true;
}

/* Solves the equations by the method of Gauss and Jordan, over integers. *pivot becomes, by column, the row with its pivot; NONE for a free
   column. False if numbers become too large. */
static bool eliminate(Conservation *c, unsigned **pivot) {
    size_t next = 0;
    for (size_t r = 0; r < vec_len(c->rows); r++)
        if (!reduce(c->rows[r])) return false;
    for (size_t col = 0; col < c->unknowns; col++) {
        size_t r = next;
        while (r < vec_len(c->rows) && !c->rows[r][col]) r++;
        vec_push(*pivot, r < vec_len(c->rows) ? (unsigned)next : NONE);
        if (r == vec_len(c->rows)) continue;
        i128 *row = c->rows[r];
        c->rows[r] = c->rows[next];
        c->rows[next] = row;
        for (size_t k = 0; k < vec_len(c->rows); k++) {
            i128 by = c->rows[k][col];
            if (k == next || !by) continue;
            for (size_t i = 0; i < c->unknowns; i++) c->rows[k][i] = c->rows[k][i] * row[col] - row[i] * by;
            if (!reduce(c->rows[k])) return false;
        }
        next++;
    }
    return true;
}

/* Returns the solution in which, of all free unknowns, only this one is not 0: a vec. NULL if its numbers are too large. */
static i128 *solution(const Conservation *c, const unsigned *pivot, size_t unknown) {
    i128 *x = NULL, scale = 1;
    for (size_t i = 0; i < c->unknowns; i++)
        if (pivot[i] != NONE && c->rows[pivot[i]][unknown]) {
            i128 p = size_of(c->rows[pivot[i]][i]);
            scale = scale / common_divisor(scale, p) * p;
            if (scale >= LARGEST) return NULL;
        }
    vec_resize(x, c->unknowns);
    x[unknown] = scale;
    for (size_t i = 0; i < c->unknowns; i++)
        if (pivot[i] != NONE) x[i] = -c->rows[pivot[i]][unknown] * scale / c->rows[pivot[i]][i];
    if (reduce(x)) return x;
    vec_free(x);
    return NULL;
}

/* ---- as assertions ---- */

static const Expr *plus_multiple(Exprs *x, const Expr *sum, i128 factor, const Expr *e) {
    const Expr *part = factor == 1 ? e : expr_2(x, OP_MUL, expr_int(x, factor), e);
    return sum ? expr_2(x, OP_ADD, sum, part) : part;
}

/* Returns the value of the variable after the first transition, in variables that do not change later; NULL if that is impossible. */
static const Expr *first_value(const Conservation *c, unsigned v) {
    const Expr *value = transition_update(c->first, v);
    if (!value) value = c->system->variables[v].init;
    if (!value || expr_is_const(value)) return value;
    for (size_t u = 0; u < vec_len(c->first->updates); u++)
        if (c->first->updates[u].value == value && is_stable(c, c->first->updates[u].variable))
            return system_expr(c->system, c->first->updates[u].variable);
    return NULL;
}

static void add_values(Conservation *c, const Expr *sum, const Expr *start, const i128 *x) {
    Exprs *e = c->system->exprs;
    i128 *values = NULL;
    vec_push(values, 0);
    for (size_t i = 0; i < c->locations && vec_len(values) < MOST_VALUES; i++) {
        bool there = false;
        for (size_t k = 0; k < vec_len(values); k++) there |= values[k] == -x[i];
        if (!there) vec_push(values, -x[i]);
    }
    for (size_t k = 0; k < vec_len(values); k++) vec_push(c->found, expr_eq(e, sum, expr_2(e, OP_ADD, start, expr_int(e, values[k]))));
    vec_free(values);
}

static void add_sum(Conservation *c, const i128 *x) {
    Exprs *e = c->system->exprs;
    const Expr *sum = NULL, *start = expr_int(e, 0);
    size_t parts = 0;
    for (size_t k = 0; k < vec_len(c->variables); k++) {
        i128 factor = x[c->locations + k];
        if (!factor) continue;
        const Expr *first = first_value(c, c->variables[k]);
        if (!first) return;
        sum = plus_multiple(e, sum, factor, system_expr(c->system, c->variables[k]));
        start = plus_multiple(e, start, factor, first);
        parts++;
    }
    if (parts > 1) add_values(c, sum, start, x);
}

static const Transition *first_transition(const System *s) {
    const SystemThread *main_ = &s->threads[0];
    const unsigned *out = main_->locations[main_->entry].out;
    return vec_len(out) == 1 ? &main_->transitions[out[0]] : NULL;
}

const Expr **place_invariants(const System *s) {
    Conservation c = {.system = s, .first = s->integers ? first_transition(s) : NULL};
    unsigned *pivot = NULL, sums = 0;
    if (c.first) find_unknowns(&c);
    if (vec_len(c.variables) > 1 && c.unknowns <= MOST_UNKNOWNS) find_equations(&c);
    if (vec_len(c.rows) && c.unknowns <= MOST_UNKNOWNS && eliminate(&c, &pivot))
        for (size_t i = c.locations; i < c.unknowns && sums < MOST_SUMS; i++) {
            i128 *x = pivot[i] == NONE ? solution(&c, pivot, i) : NULL;
            size_t before = vec_len(c.found);
            if (x) add_sum(&c, x);
            sums += vec_len(c.found) > before;
            vec_free(x);
        }
    vec_free_rows(c.rows);
    vec_free(c.variables);
    vec_free(c.offset);
    vec_free(pivot);
    return c.found;
}
