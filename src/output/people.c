/* SPDX-License-Identifier: Apache-2.0 */
/* Formulas are rewritten: variables become symbols with the name that is shown, "m == 0" for a mutex word a symbol called "m is free". What comes
   out is for printing; it means nothing to a solver. */
#include "output/people.h"
#include "base/die.h"
#include "base/vec.h"
#include "expr/normal.h"
#include "ir/layout.h"
#include "ir/shape.h"
#include <stdlib.h>
#include <string.h>

struct People {
    const Proof *proof;
    const System *system;
    Exprs *exprs;
    Layout *layout;
    Normaliser *normaliser;
    const char **threads;   /* vecs: by thread */
    const Expr **variables; /* by variable: the symbol that is shown; NULL: it is not for people */
    bool *handle, *mutex;   /* by variable: it holds a thread's number; who locked it */
};

/* ---- names ---- */

static bool same(const char *a, const char *b) { return !strcmp(a, b); }

/* Without the number that tells symbols apart. */
static size_t plain_length(const char *name) { return strcspn(name, "#"); }

static bool same_thread_name(const System *s, unsigned t, unsigned u) {
    const char *a = s->threads[t].name, *b = s->threads[u].name;
    return plain_length(a) == plain_length(b) && !strncmp(a, b, plain_length(a));
}

static void name_threads(People *p) {
    const System *s = p->system;
    for (unsigned t = 0; t < vec_len(s->threads); t++) {
        unsigned number = 1, all = 0;
        const char *name = s->threads[t].name;
        for (unsigned u = 0; u < vec_len(s->threads); u++) {
            if (!same_thread_name(s, t, u) || s->threads[u].twin == t) continue;
            all++;
            number += u < t;
        }
        int length = (int)plain_length(name);
        vec_push(p->threads, all > 1 ? arena_printf(s->arena, "%.*s[%u]", length, name, number) : arena_printf(s->arena, "%.*s", length, name));
    }
}

/* Parts of the library's own types are called by the variable: lock.__data.__readers is lock. */
static const char *variable_name(const System *s, unsigned v) {
    const char *name = s->variables[v].name, *reserved = strstr(name, ".__");
    return reserved ? arena_printf(s->arena, "%.*s", (int)(reserved - name), name) : name;
}

/* Another variable that is shown has its name; *near: one of the same thread. */
static bool is_ambiguous(const System *s, unsigned v, bool *near) {
    bool any = *near = false;
    const SystemVariable *x = &s->variables[v];
    for (unsigned o = 0; o < vec_len(s->variables); o++) {
        const SystemVariable *y = &s->variables[o];
        if (o == v || y->hidden || !same(x->name, y->name) || (x->thread != NONE && y->thread == s->threads[x->thread].twin && y->thread != NONE)) continue;
        any = true;
        *near |= x->thread == y->thread;
    }
    return any;
}

/* As a debugger calls it: worker[2]::i, if there are several; i@12, declared in line 12, if a thread has several. */
static const char *shown_name(const People *p, unsigned v) {
    const System *s = p->system;
    const SystemVariable *x = &s->variables[v];
    bool near, ambiguous = is_ambiguous(s, v, &near);
    const char *name = variable_name(s, v);
    if (!ambiguous) return name;
    if (near && x->origin && x->origin->position.line) name = arena_printf(s->arena, "%s@%u", name, x->origin->position.line);
    return x->thread == NONE ? name : arena_printf(s->arena, "%s::%s", p->threads[x->thread], name);
}

/* Of two of many, the second's locals are marked. */
static const Expr *shown_symbol(const People *p, unsigned v) {
    const System *s = p->system;
    const SystemVariable *x = &s->variables[v];
    const char *name = shown_name(p, v);
    if (x->thread != NONE && system_first_twin(s, x->thread) != x->thread) name = arena_printf(s->arena, "%s'", name);
    Symbol *symbol = symbol_new(p->exprs, SYM_VARIABLE, name, x->symbol->sort);
    symbol->sign = x->symbol->sign;
    return expr_symbol(p->exprs, symbol);
}

/* The same text is the same symbol. */
static const Expr *text_symbol(Exprs *x, const char *text, const Sort *sort) {
    const Symbol *s = symbol_find(x, text);
    return expr_symbol(x, s && s->sort == sort ? s : symbol_new(x, SYM_VARIABLE, text, sort));
}

static void name_variables(People *p) {
    const System *s = p->system;
    for (unsigned v = 0; v < vec_len(s->variables); v++) {
        const SystemVariable *x = &s->variables[v];
        bool shown = !x->hidden && !p->handle[v];
        vec_push(p->variables, shown ? shown_symbol(p, v) : NULL);
    }
}

/* ---- numbers of threads ---- */

/* What is given a thread's number by its creation, and what that is copied to. */
static void find_handles(People *p) {
    const System *s = p->system->fine ? p->system->fine : p->system;
    for (bool again = true; again;) {
        again = false;
        for (size_t t = 0; t < vec_len(s->threads); t++)
            for (size_t i = 0; i < vec_len(s->threads[t].transitions); i++) {
                const Transition *tr = &s->threads[t].transitions[i];
                for (size_t u = 0; u < vec_len(tr->updates); u++) {
                    const Expr *value = tr->updates[u].value;
                    unsigned v = tr->updates[u].variable, from = value->op == OP_SYMBOL ? system_variable(s, value->symbol) : NONE;
                    bool created = tr->creates != NONE && expr_is_const(value) && value->value == tr->creates + 1;
                    if (p->handle[v] || s->variables[v].hidden || !(created || (from != NONE && p->handle[from]))) continue;
                    p->handle[v] = again = true;
                }
            }
    }
}

static void find_mutexes(People *p) {
    const System *s = p->system->fine ? p->system->fine : p->system;
    for (size_t t = 0; t < vec_len(s->threads); t++)
        for (size_t i = 0; i < vec_len(s->threads[t].transitions); i++) {
            unsigned v = s->threads[t].transitions[i].lock;
            if (v != NONE && s->variables[v].owner == NONE) p->mutex[v] = true;
        }
}

/* ---- parts of formulas ---- */

static const Expr *said(People *p, const char *text) { return text_symbol(p->exprs, text, sort_bool(p->exprs)); }

/* m == number of a thread, or 0. */
static const Expr *mutex_state(People *p, unsigned v, const Expr *number) {
    const System *s = p->system;
    const char *name = variable_name(s, v);
    if (expr_is_const(number)) {
        if (!number->value) return said(p, arena_printf(s->arena, "%s is free", name));
        if (number->value <= vec_len(s->threads)) return said(p, arena_printf(s->arena, "%s is held by %s", name, p->threads[number->value - 1]));
    }
    unsigned self = number->op == OP_SYMBOL ? system_variable(s, number->symbol) : NONE;
    for (unsigned t = 0; t < vec_len(s->threads) && self != NONE; t++)
        if (s->threads[t].self == self) return said(p, arena_printf(s->arena, "%s is held by %s", name, system_first_twin(s, t) == t ? "it" : "the other"));
    return NULL;
}

static bool is_pointer(const SystemVariable *x) {
    size_t n = x->origin && x->origin->ctype ? strlen(x->origin->ctype) : 0;
    return n && x->origin->ctype[n - 1] == '*';
}

/* A pointer's value: &x, &buf[3], NULL; NULL if it is not known what is there. */
static const Expr *pointer_value(People *p, unsigned v, const Expr *value) {
    const System *s = p->system;
    unsigned thread;
    uint64_t offset = 0;
    const Sort *sort = s->variables[v].symbol->sort;
    if (!value->value) return is_pointer(&s->variables[v]) ? text_symbol(p->exprs, "NULL", sort) : NULL;
    if (value->value >> 64 || value->value < 4096 || !s->variables[v].origin || s->variables[v].origin->sort->kind != SORT_BV ||
        s->variables[v].origin->sort->width != p->proof->program->pointer_width)
        return NULL;
    const Object *o = layout_find(p->layout, (uint64_t)value->value, &thread, &offset);
    if (!o || o->kind == OBJECT_HEAP) return NULL;
    Buf name = {0};
    buf_printf(&name, "%s%s", o->kind == OBJECT_FUNCTION ? "" : "&", o->name);
    if (offset) shape_path(&name, o->shape, offset, NULL);
    const Expr *e = text_symbol(p->exprs, buf_string(&name), sort);
    buf_free(&name);
    return e;
}

/* Of an unsigned number that is a little less than 0 when it wraps around: C reads x == -1 so. */
static const Expr *wrapped_value(People *p, unsigned v, const Expr *value) {
    const Variable *origin = p->system->variables[v].origin;
    unsigned w = origin && origin->sort->kind == SORT_BV ? origin->sort->width : 0;
    if (value->sort->kind != SORT_INT || origin->is_signed || (w != 32 && w != 64)) return NULL;
    i128 below = ((i128)1 << w) - (i128)value->value;
    return below > 0 && below <= 4096 ? expr_int(p->exprs, -below) : NULL;
}

/* An equality of a variable and a constant (or a thread's own number), said otherwise. */
static const Expr *read_equality(People *p, const Expr *e) {
    for (unsigned i = 0; i < 2; i++) {
        const Expr *x = e->args[i], *value = e->args[1 - i];
        unsigned v = x->op == OP_SYMBOL ? system_variable(p->system, x->symbol) : NONE;
        if (v == NONE || !p->variables[v]) continue;
        const Expr *state = p->mutex[v] ? mutex_state(p, v, value) : NULL;
        if (state) return state;
        if (!expr_is_const(value) || value->sort->kind == SORT_ARRAY || value->sort->kind == SORT_BOOL) continue;
        const Expr *other = pointer_value(p, v, value);
        if (!other && p->system->integers && p->system->variables[v].origin) other = wrapped_value(p, v, value);
        if (other) return expr_eq(p->exprs, p->variables[v], other);
    }
    return NULL;
}

static bool has_negative_factor(const Expr *e) {
    if (e->op == OP_MUL && e->sort->kind == SORT_INT)
        for (unsigned i = 0; i < e->nargs; i++)
            if (expr_is_const(e->args[i]) && (i128)e->args[i]->value < 0) return true;
    for (unsigned i = 0; i < e->nargs; i++)
        if (has_negative_factor(e->args[i])) return true;
    return false;
}

static bool is_comparison(const Expr *e) { return (e->op == OP_EQ || e->op == OP_SLE || e->op == OP_SLT) && e->args[0]->sort->kind == SORT_INT; }

static const Expr *read_part(void *context, const Expr *e) {
    People *p = context;
    if (e->op == OP_SYMBOL) {
        unsigned v = system_variable(p->system, e->symbol);
        return v == NONE ? NULL : p->variables[v];
    }
    const Expr *other = e->op == OP_EQ ? read_equality(p, e) : NULL;
    if (other || !is_comparison(e) || e->tree > 64 || !has_negative_factor(e)) return other;
    const Expr *tidy = normal(p->normaliser, e);
    return tidy == e || has_negative_factor(tidy) ? NULL : expr_replace(p->exprs, tidy, read_part, p);
}

/* ---- formulas ---- */

typedef struct Hidden {
    const People *people;
    bool found, self;
} Hidden;

static void look(void *context, const Symbol *symbol) {
    Hidden *h = context;
    const System *s = h->people->system;
    unsigned v = system_variable(s, symbol);
    if (v != NONE && s->variables[v].thread != NONE && s->threads[s->variables[v].thread].self == v) h->self = true;
    else h->found |= v == NONE || !h->people->variables[v];
}

/* A thread's own number is not for people, but that it holds a mutex is. */
static bool is_for_people(People *p, const Expr *e) {
    Hidden h = {p, false, false};
    expr_symbols(e, look, &h);
    return !h.found && (!h.self || (e->op == OP_EQ && read_equality(p, e)));
}

/* Of integers: both a <= b and b <= a. */
static const Expr *equality_of(People *p, const Expr *a, const Expr *b) {
    a = normal(p->normaliser, a);
    b = normal(p->normaliser, b);
    if (a->op != OP_SLE || b->op != OP_SLE || a->args[0]->sort->kind != SORT_INT) return NULL;
    Linear x = {0}, y = {0};
    bool equality = false;
    const Expr *result = NULL;
    if (linear_of_atom(p->exprs, a, &x, &equality) && !equality && linear_of_atom(p->exprs, b, &y, &equality) && !equality && linear_add(&y, 1, &x) && !vec_len(y.terms) && !y.constant)
        result = linear_is_zero(p->exprs, &x);
    linear_free(&x);
    linear_free(&y);
    return result;
}

/* Is the sum, of one variable, at most 0 by the variable's type? */
static bool is_of_type(const People *p, const Linear *l) {
    const Expr *x = vec_len(l->terms) == 1 ? l->terms[0].monomial : NULL;
    unsigned v = x && x->op == OP_SYMBOL ? system_variable(p->system, x->symbol) : NONE;
    const Variable *origin = v == NONE ? NULL : p->system->variables[v].origin;
    if (!origin || origin->congruent || origin->sort->kind != SORT_BV || origin->sort->width > 64) return false;
    unsigned w = origin->sort->width;
    i128 low = origin->is_signed ? -((i128)1 << (w - 1)) : 0, high = low + ((i128)1 << w) - 1;
    return l->terms[0].factor == 1 ? high + l->constant <= 0 : l->terms[0].factor == -1 && l->constant - low <= 0;
}

static bool says_only_type(People *p, const Expr *e) {
    if ((e->op != OP_SLE && e->op != OP_SLT) || e->args[0]->sort->kind != SORT_INT || e->tree > 64) return false;
    Linear l = {0};
    bool equality = false, is = linear_of_atom(p->exprs, normal(p->normaliser, e), &l, &equality) && !equality && is_of_type(p, &l);
    linear_free(&l);
    return is;
}

static const Expr *for_people(People *p, const Expr *e);

static void collect(People *p, const Expr *e, const Expr ***parts) {
    if (e->op == OP_AND) {
        for (unsigned i = 0; i < e->nargs; i++) collect(p, e->args[i], parts);
        return;
    }
    if (e->op == OP_OR) { /* of each case what is for people: weaker, but true */
        const Expr *cases = expr_bool(p->exprs, false);
        for (unsigned i = 0; i < e->nargs; i++) cases = expr_or(p->exprs, cases, for_people(p, e->args[i]));
        if (!expr_is_true(cases)) vec_push(*parts, cases);
        return;
    }
    if (!is_for_people(p, e) || says_only_type(p, e)) return;
    for (size_t i = 0; i < vec_len(*parts) && e->tree <= 64; i++) {
        const Expr *both = equality_of(p, (*parts)[i], e);
        if (!both) continue;
        (*parts)[i] = both;
        return;
    }
    vec_push(*parts, e);
}

static const Expr *for_people(People *p, const Expr *e) {
    const Expr **parts = NULL, *all = expr_bool(p->exprs, true);
    collect(p, e, &parts);
    for (size_t i = 0; i < vec_len(parts); i++) all = expr_and(p->exprs, all, parts[i]);
    vec_free(parts);
    return all;
}

const Expr *people_read(People *p, const Expr *e) { return expr_replace(p->exprs, for_people(p, e), read_part, p); }

const char *people_thread(const People *p, unsigned thread) { return p->threads[thread]; }

People *people_new(const Proof *proof) {
    People *p = calloc(1, sizeof *p);
    if (!p) lack("out of memory");
    const System *s = proof->system;
    *p = (People){.proof = proof, .system = s, .exprs = s->exprs, .layout = layout_new(proof->program), .normaliser = normaliser_new(s->exprs)};
    vec_resize(p->handle, vec_len(s->variables));
    vec_resize(p->mutex, vec_len(s->variables));
    name_threads(p);
    find_handles(p);
    find_mutexes(p);
    name_variables(p);
    return p;
}

void people_free(People *p) {
    if (!p) return;
    layout_free(p->layout);
    normaliser_free(p->normaliser);
    vec_free(p->threads);
    vec_free(p->variables);
    vec_free(p->handle);
    vec_free(p->mutex);
    free(p);
}
