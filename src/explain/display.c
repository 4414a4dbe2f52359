/* SPDX-License-Identifier: Apache-2.0 */
/* Rewrites formulas for the reader. A variable becomes a symbol with its displayed name. "m == 0" becomes a symbol called "m is free" if m is a
   mutex word. The result is only for printing; it has no meaning for a solver.

   A displayed formula must be true of the values that the variables of the C program have. Some parts are about numbers that C does not have: an
   integer that is only congruent to the value, the bits of a floating-point number, an address. Leaving such a part out makes the formula weaker.
   Variables that do not affect the property may have other values in the program than in the proof (doc/rules.md, "Movers"), so they are left out. */
#include "base/file.h"
#include "explain/display_internal.h"
#include "expr/normal.h"
#include "ir/layout.h"
#include "ir/shape.h"
#include "explain/places.h"
#include <stdlib.h>
#include <string.h>

/* ---- parts of formulas ---- */

static const Expr *words(Display *p, const char *text) { return display_text(p->exprs, text, sort_bool(p->exprs)); }

/* Returns the variable whose value after a step the symbol stands for; NONE if it stands for another value. */
static unsigned later_variable(const Display *p, const Symbol *symbol) {
    for (unsigned v = 0; v < vec_len(p->proof->after); v++)
        if (p->proof->after[v] == symbol) return v;
    return NONE;
}

/* Returns the variable whose value the symbol stands for, before or after a step; NONE if it stands for another value. */
static unsigned any_variable(const Display *p, const Symbol *symbol) {
    unsigned v = system_variable(p->system, symbol);
    return v == NONE ? later_variable(p, symbol) : v;
}

/* Returns "m is held by T" or "m is free" for the equality of a mutex and a thread's number or 0. `later`: of the value after a step. */
static const Expr *mutex_state(Display *p, unsigned v, const Expr *number, bool later) {
    const System *s = p->system;
    const char *name = arena_printf(s->arena, "%s%s", display_own_name(s, v), later ? "'" : "");
    if (expr_is_const(number)) {
        if (!number->value) return words(p, arena_printf(s->arena, "%s is free", name));
        if (number->value <= vec_len(s->threads))
            return words(p, arena_printf(s->arena, "%s is held by %s", name, p->threads[number->value - 1]));
    }
    unsigned self = number->op == OP_SYMBOL ? system_variable(s, number->symbol) : NONE;
    for (unsigned t = 0; t < vec_len(s->threads) && self != NONE; t++)
        if (s->threads[t].self == self)
            return words(p, arena_printf(s->arena, "%s is held by %s", name, system_first_instance(s, t) == t ? "it" : "the other"));
    return NULL;
}

/* Returns the variable that e is, or is an element of; NONE for another expression. */
static unsigned cell_variable(const Display *p, const Expr *e) {
    while (e->op == OP_SELECT) e = e->args[0];
    return e->op == OP_SYMBOL ? any_variable(p, e->symbol) : NONE;
}

/* Returns the width in C of the variable or of its elements; 0 if C does not store bits for it. */
static unsigned cell_width(const SystemVariable *x) {
    const Sort *sort = x->origin ? x->origin->sort : NULL;
    while (sort && sort->kind == SORT_ARRAY) sort = sort->element;
    return sort && sort->kind == SORT_BV ? sort->width : 0;
}

static char kind_of(const SystemVariable *x) { return x->origin && x->origin->shape ? *x->origin->shape : 0; }

static bool is_pointer(const SystemVariable *x) {
    if (kind_of(x)) return kind_of(x) == 'p';
    size_t n = x->origin && x->origin->ctype ? strlen(x->origin->ctype) : 0;
    return n && x->origin->ctype[n - 1] == '*';
}

/* Returns a pointer's value as &x, &buf[3] or the text NULL; a null pointer if the object at the address is not known. */
static const Expr *pointer_value(Display *p, unsigned v, const Expr *value) {
    const SystemVariable *x = &p->system->variables[v];
    unsigned thread;
    uint64_t offset = 0;
    if (!value->value) return is_pointer(x) ? display_text(p->exprs, "NULL", value->sort) : NULL;
    bool may_point = is_pointer(x) || (!kind_of(x) && x->origin && !x->origin->ctype);
    if (!may_point || value->value >> 64 || value->value < 4096 || cell_width(x) != p->proof->program->pointer_width) return NULL;
    const Object *o = layout_find(p->layout, (uint64_t)value->value, &thread, &offset);
    if (!o || o->kind == OBJECT_HEAP) return NULL;
    Buf name = {0};
    buf_printf(&name, "%s%s", o->kind == OBJECT_FUNCTION ? "" : "&", o->name);
    if (offset) shape_path(&name, o->shape, offset, NULL);
    const Expr *e = display_text(p->exprs, buf_string(&name), value->sort);
    buf_free(&name);
    return e;
}

/* Returns one of the largest unsigned numbers as UINT_MAX or UINT_MAX - 3; NULL for another number. */
static const Expr *largest_value(Display *p, unsigned v, const Expr *value) {
    const SystemVariable *x = &p->system->variables[v];
    unsigned w = cell_width(x);
    i128 below = ((i128)1 << (w & 127)) - 1 - (i128)value->value;
    if ((w != 32 && w != 64) || x->origin->is_signed || is_pointer(x) || below < 0 || below > 4095) return NULL;
    const char *largest = w == 32 ? "UINT_MAX" : "ULLONG_MAX";
    return display_text(p->exprs, below ? arena_printf(p->system->arena, "%s - %d", largest, (int)below) : largest, value->sort);
}

/* Returns a floating-point number; NULL for NAN, which equals no value. */
static const Expr *floating_value(Display *p, unsigned v, const Expr *value) {
    unsigned w = cell_width(&p->system->variables[v]);
    Buf text = {0};
    if (w == 32 || w == 64 || w == 80) float_literal_c(&text, value->value, w);
    const Expr *e = text.length && strcmp(text.text, "NAN") ? display_text(p->exprs, text.text, value->sort) : NULL;
    buf_free(&text);
    return e;
}

static const Expr *constant_value(Display *p, unsigned v, const Expr *value) {
    if (kind_of(&p->system->variables[v]) == 'f') return floating_value(p, v, value);
    const Expr *pointer = pointer_value(p, v, value);
    return pointer ? pointer : largest_value(p, v, value);
}

static const Expr *read_part(void *context, const Expr *);

static const Expr *mutex_equality(Display *p, const Expr *e) {
    for (unsigned i = 0; i < 2 && e->op == OP_EQ; i++) {
        const Expr *x = e->args[i];
        unsigned v = x->op == OP_SYMBOL ? any_variable(p, x->symbol) : NONE;
        bool later = v != NONE && system_variable(p->system, x->symbol) == NONE;
        const Expr *state = v != NONE && p->mutex[v] ? mutex_state(p, v, e->args[1 - i], later) : NULL;
        if (state) return state;
    }
    return NULL;
}

/* Rewrites an equality of a variable (or an element) and a constant (or a thread's own number). Returns NULL to keep the equality. */
static const Expr *read_equality(Display *p, const Expr *e) {
    const Expr *state = mutex_equality(p, e);
    if (state) return state;
    for (unsigned i = 0; i < 2; i++) {
        const Expr *x = e->args[i], *value = e->args[1 - i];
        unsigned v = cell_variable(p, x);
        if (v == NONE || !p->variables[v] || !expr_is_const(value) || value->sort->kind == SORT_ARRAY || value->sort->kind == SORT_BOOL)
            continue;
        const Expr *other = constant_value(p, v, value);
        if (other) return expr_eq(p->exprs, expr_replace(p->exprs, x, read_part, p), other);
    }
    return NULL;
}

static const Expr *read_negation(Display *p, const Expr *e) {
    const Expr *state = mutex_equality(p, e->args[0]);
    const char *is = state ? strstr(state->symbol->name, " is ") : NULL;
    return is ? words(p, arena_printf(p->system->arena, "%.*s is not %s", (int)(is - state->symbol->name), state->symbol->name, is + 4))
              : NULL;
}

/* Rewrites x mod 2^w to x, if x is unsigned and has w bits. */
static const Expr *read_remainder(Display *p, const Expr *e) {
    unsigned v = cell_variable(p, e->args[0]), w = v == NONE ? 0 : cell_width(&p->system->variables[v]);
    bool is =
        w && w <= 64 && !p->system->variables[v].origin->is_signed && expr_is_const(e->args[1]) && (i128)e->args[1]->value == (i128)1 << w;
    return is ? expr_replace(p->exprs, e->args[0], read_part, p) : NULL;
}

static bool has_negative_factor(const Expr *e) {
    if (e->op == OP_MUL && e->sort->kind == SORT_INT)
        for (unsigned i = 0; i < e->nargs; i++)
            if (expr_is_const(e->args[i]) && (i128)e->args[i]->value < 0) return true;
    for (unsigned i = 0; i < e->nargs; i++)
        if (has_negative_factor(e->args[i])) return true;
    return false;
}

static const Expr *read_symbol(Display *p, const Symbol *symbol) {
    unsigned v = system_variable(p->system, symbol), later = v == NONE ? later_variable(p, symbol) : NONE;
    if (later == NONE || !p->variables[later]) return v == NONE ? NULL : p->variables[v];
    return display_text(p->exprs, arena_printf(p->system->arena, "%s'", p->variables[later]->symbol->name), symbol->sort);
}

static const Expr *read_part(void *context, const Expr *e);

/* Joins the conjuncts about one thread's place into one phrase. Returns NULL if no conjuncts are joined. */
static const Expr *read_conjunction(Display *p, const Expr *e) {
    const Expr *all = expr_bool(p->exprs, true);
    bool joined = false;
    for (unsigned i = 0; i < e->nargs; i++) {
        const Expr *one = places_joined(p->proof, e, i);
        joined |= !one;
        if (one) all = expr_and(p->exprs, all, expr_replace(p->exprs, one, read_part, p));
    }
    return joined ? all : NULL;
}

static const Expr *read_part(void *context, const Expr *e) {
    Display *p = context;
    if (e->op == OP_SYMBOL) return read_symbol(p, e->symbol);
    const char *place = places_said(p, p->proof, e);
    if (place) return words(p, place);
    const Expr *other = e->op == OP_EQ    ? read_equality(p, e)
                        : e->op == OP_AND ? read_conjunction(p, e)
                        : e->op == OP_NOT ? read_negation(p, e)
                        : e->op == OP_MOD ? read_remainder(p, e)
                                          : NULL;
    if (other || !is_integer_comparison(e) || e->tree > 64 || !has_negative_factor(e)) return other;
    const Expr *tidy = normalise(p->normaliser, e);
    return tidy == e || has_negative_factor(tidy) ? NULL : expr_replace(p->exprs, tidy, read_part, p);
}

/* ---- the parts that are displayed ---- */

typedef struct Hidden {
    const Display *display;
    bool found, self;
} Hidden;

static void note_symbol(void *context, const Symbol *symbol) {
    Hidden *h = context;
    const System *s = h->display->system;
    unsigned v = any_variable(h->display, symbol);
    if (v != NONE && s->variables[v].thread != NONE && s->threads[s->variables[v].thread].self == v) h->self = true;
    else h->found |= v == NONE || !h->display->variables[v];
}

/* A thread's own number is not displayed; that the thread holds a mutex is. */
static bool is_displayed_symbol(Display *p, const Expr *e) {
    Hidden h = {p, false, false};
    unsigned thread;
    bool after;
    if (places_is_about(p->proof, e, &thread, &after)) return true;
    expr_symbols(e, note_symbol, &h);
    return !h.found && (!h.self || (e->op == OP_EQ && read_equality(p, e)));
}

/* Returns the equality that two inequalities over the integers, a <= b and b <= a, amount to; NULL for other formulas. */
static const Expr *equality_of(Display *p, const Expr *a, const Expr *b) {
    a = normalise(p->normaliser, a);
    b = normalise(p->normaliser, b);
    if (a->op != OP_SLE || b->op != OP_SLE || a->args[0]->sort->kind != SORT_INT) return NULL;
    Linear x = {0}, y = {0};
    bool equality = false;
    const Expr *result = NULL;
    if (linear_of_atom(p->exprs, a, &x, &equality) && !equality && linear_of_atom(p->exprs, b, &y, &equality) && !equality &&
        linear_add(&y, 1, &x) && !vec_len(y.terms) && !y.constant)
        result = linear_is_zero(p->exprs, &x);
    linear_free(&x);
    linear_free(&y);
    return result;
}

/* True if the range of the variable's type implies that the sum is at most 0. The sum has one variable. */
static bool is_of_type(const Display *p, const Linear *l) {
    const Expr *x = vec_len(l->terms) == 1 ? l->terms[0].monomial : NULL;
    unsigned v = x && x->op == OP_SYMBOL ? any_variable(p, x->symbol) : NONE;
    const Variable *origin = v == NONE ? NULL : p->system->variables[v].origin;
    if (!origin || origin->congruent || origin->sort->kind != SORT_BV || origin->sort->width > 64) return false;
    unsigned w = origin->sort->width;
    i128 low = origin->is_signed ? -((i128)1 << (w - 1)) : 0, high = low + ((i128)1 << w) - 1;
    return l->terms[0].factor == 1 ? high + l->constant <= 0 : l->terms[0].factor == -1 && l->constant - low <= 0;
}

static bool says_only_type(Display *p, const Expr *e) {
    if ((e->op != OP_SLE && e->op != OP_SLT) || e->args[0]->sort->kind != SORT_INT || e->tree > 64) return false;
    Linear l = {0};
    bool equality = false, is = linear_of_atom(p->exprs, normalise(p->normaliser, e), &l, &equality) && !equality && is_of_type(p, &l);
    linear_free(&l);
    return is;
}

/* ---- congruent integers ---- */

enum { EXACT = 1 << 10 };

static unsigned symbol_agreement(const Display *p, const Expr *e) {
    unsigned v = any_variable(p, e->symbol);
    const Variable *origin = v == NONE ? NULL : p->system->variables[v].origin;
    if (!origin || !origin->congruent || !p->system->integers) return EXACT;
    return cell_width(&p->system->variables[v]);
}

/* Returns the largest w such that e over the proof's integers is congruent modulo 2^w to e over the values of C. EXACT: the two are equal.
   0: no such w is known. For an array, this holds of each element. */
static unsigned agreement(const Display *p, const Expr *e) {
    unsigned least = EXACT;
    if (e->op == OP_SYMBOL) return symbol_agreement(p, e);
    for (unsigned i = 0; i < e->nargs; i++) {
        unsigned one = agreement(p, e->args[i]);
        bool decides = (e->op == OP_ITE && i == 0) || ((e->op == OP_SELECT || e->op == OP_STORE) && i == 1);
        if (decides && one != EXACT) return 0;
        if (one < least) least = one;
    }
    if (least == EXACT) return EXACT;
    switch (e->op) {
    case OP_ADD:
    case OP_SUB:
    case OP_MUL:
    case OP_ITE:
    case OP_SELECT:
    case OP_STORE:
    case OP_CONST_ARRAY: return least;
    case OP_MOD: {
        i128 m = expr_is_const(e->args[1]) ? (i128)e->args[1]->value : 0;
        return least && least <= 64 && m > 0 && ((i128)1 << least) % m == 0 ? EXACT : 0;
    }
    default: return 0;
    }
}

/* Returns x == c, with c in the range of x's type; NULL if the equality is not of that form. */
static const Expr *reduced_equality(Display *p, const Expr *e, unsigned w) {
    for (unsigned i = 0; i < 2; i++) {
        unsigned v = cell_variable(p, e->args[i]);
        const Expr *value = e->args[1 - i];
        if (v == NONE || !expr_is_const(value) || cell_width(&p->system->variables[v]) != w) continue;
        i128 turn = (i128)1 << w, c = (i128)value->value % turn;
        if (c < 0) c += turn;
        if (p->system->variables[v].origin->is_signed && c >= turn / 2) c -= turn;
        return expr_eq(p->exprs, e->args[i], expr_int(p->exprs, c));
    }
    return NULL;
}

/* Returns the congruence that an equality of the proof's integers implies for the values of C: a == b + c (mod 2^32). NULL: it implies none. */
static const Expr *congruence(Display *p, const Expr *e) {
    if (e->op != OP_EQ || e->args[0]->sort->kind != SORT_INT) return NULL;
    unsigned a = agreement(p, e->args[0]), b = agreement(p, e->args[1]), w = a < b ? a : b;
    if (!w || w > 64) return NULL;
    const Expr *reduced = reduced_equality(p, e, w);
    if (reduced) return reduced;
    Buf text = {0};
    expr_print_c(&text, expr_replace(p->exprs, e, read_part, p));
    buf_printf(&text, " (mod 2^%u)", w);
    const Expr *one = words(p, buf_string(&text));
    buf_free(&text);
    return one;
}

/* ---- floating-point numbers, pointers, bit-fields ---- */

typedef struct Kinds {
    const Display *display;
    bool mutex, floating, pointer;
} Kinds;

static void note_kind(void *context, const Symbol *symbol) {
    Kinds *k = context;
    unsigned v = any_variable(k->display, symbol);
    if (v == NONE) return;
    k->mutex |= k->display->mutex[v];
    k->floating |= kind_of(&k->display->system->variables[v]) == 'f';
    k->pointer |= is_pointer(&k->display->system->variables[v]);
}

/* True if one side is a variable or an element, and the other a constant. Sets *v to the variable and *value to the constant. */
static bool is_constant_equality(const Display *p, const Expr *e, unsigned *v, const Expr **value) {
    for (unsigned i = 0; i < 2 && e->op == OP_EQ; i++) {
        *v = cell_variable(p, e->args[i]);
        *value = e->args[1 - i];
        if (*v != NONE && expr_is_const(*value) && ((*value)->sort->kind == SORT_BV || (*value)->sort->kind == SORT_INT)) return true;
    }
    return false;
}

static const Expr *with_remark(Display *p, const Expr *e, const char *remark) {
    Buf text = {0};
    expr_print_c(&text, expr_replace(p->exprs, e, read_part, p));
    buf_text(&text, remark);
    const Expr *one = words(p, buf_string(&text));
    buf_free(&text);
    return one;
}

/* Equality of bits differs from C's ==: NAN equals no value, and 0.0 equals -0.0. */
static const Expr *floating_part(Display *p, const Expr *e) {
    bool negated = e->op == OP_NOT;
    const Expr *atom = negated ? e->args[0] : e, *value;
    unsigned v;
    if (atom->op == OP_FEQ || atom->op == OP_FLT || atom->op == OP_FLE || atom->op == OP_FUNO) return e;
    if (atom->op != OP_EQ) return NULL;
    if (!is_constant_equality(p, atom, &v, &value))
        return negated || atom->args[0]->sort->kind == SORT_BOOL ? NULL : with_remark(p, e, " (bit by bit)");
    u128 sign = (u128)1 << (cell_width(&p->system->variables[v]) - 1);
    return floating_value(p, v, value) && !(negated && (value->value & ~sign) == 0) ? e : NULL;
}

static bool has_large_constant(const Expr *e) {
    if (expr_is_const(e) && e->sort->kind != SORT_BOOL && e->sort->kind != SORT_ARRAY) {
        i128 c = (i128)e->value;
        if (e->sort->kind == SORT_BV && e->value >> (e->sort->width - 1)) c -= (i128)1 << e->sort->width;
        return c >= 4096 || c <= -4096;
    }
    for (unsigned i = 0; i < e->nargs; i++)
        if (has_large_constant(e->args[i])) return true;
    return false;
}

/* Leaves out numeric addresses: Heddle chooses where objects are. */
static const Expr *pointer_part(Display *p, const Expr *e) {
    const Expr *atom = e->op == OP_NOT ? e->args[0] : e, *value;
    unsigned v;
    if (atom->op != OP_EQ) return NULL;
    if (is_constant_equality(p, atom, &v, &value) && is_pointer(&p->system->variables[v])) return pointer_value(p, v, value) ? e : NULL;
    return has_large_constant(atom) ? NULL : e;
}

/* Splits the value of bytes that bit-fields share into the values of the bit-fields. */
static const Expr *bits_part(Display *p, const Expr *e) {
    const Expr *value, *all = NULL;
    unsigned v;
    ShapeBits fields[SHAPE_BITS_MAX];
    if (!is_constant_equality(p, e, &v, &value) || kind_of(&p->system->variables[v]) != '{') return e;
    size_t n = shape_bits(p->system->variables[v].origin->shape, 0, cell_width(&p->system->variables[v]) / 8, fields);
    if (!n && has_large_constant(e)) return NULL; /* several members in one number, which the program does not have */
    Buf name = {0};
    expr_print_c(&name, expr_replace(p->exprs, e->args[expr_is_const(e->args[0])], read_part, p));
    for (size_t i = 0; i < n; i++) {
        Buf number = {0};
        value_print(&number, sort_int(p->exprs), (Value){.bits = (u128)shape_bits_value(&fields[i], value->value)}, true);
        const Expr *one = words(p, arena_printf(p->system->arena, "%.*s.%.*s == %s", (int)shape_prefix(buf_string(&name)),
                                                buf_string(&name), (int)fields[i].length, fields[i].name, buf_string(&number)));
        all = all ? expr_and(p->exprs, all, one) : one;
        buf_free(&number);
    }
    buf_free(&name);
    return all ? all : e;
}

/* Returns the consequence of a part of a formula for the values of C; NULL: it has none. */
static const Expr *of_values(Display *p, const Expr *e) {
    unsigned thread;
    bool after;
    if (places_is_about(p->proof, e, &thread, &after)) return e;
    const Expr *atom = e->op == OP_NOT ? e->args[0] : e;
    Kinds k = {.display = p};
    if (agreement(p, e) != EXACT) e = congruence(p, e);
    if (!e) return NULL;
    expr_symbols(e, note_kind, &k);
    if (k.mutex) return mutex_equality(p, atom) ? e : NULL;
    if (k.floating) return floating_part(p, e);
    if (k.pointer) return pointer_part(p, e);
    return bits_part(p, e);
}

/* ---- formulas ---- */

static const Expr *is_displayed(Display *p, const Expr *e);

/* Adds a disjunction with the displayed part of each case. The result is weaker than the formula. */
static void collect_cases(Display *p, const Expr *e, bool negated, const Expr ***parts) {
    const Expr *cases = expr_bool(p->exprs, false);
    for (unsigned i = 0; i < e->nargs; i++)
        cases = expr_or(p->exprs, cases, is_displayed(p, negated ? expr_not(p->exprs, e->args[i]) : e->args[i]));
    if (!expr_is_true(cases)) vec_push(*parts, cases);
}

static void collect(Display *p, const Expr *e, const Expr ***parts) {
    bool negated = e->op == OP_NOT;
    const Expr *inner = negated ? e->args[0] : e;
    if (inner->op == (negated ? OP_OR : OP_AND)) {
        for (unsigned i = 0; i < inner->nargs; i++) collect(p, negated ? expr_not(p->exprs, inner->args[i]) : inner->args[i], parts);
        return;
    }
    if (inner->op == (negated ? OP_AND : OP_OR)) {
        collect_cases(p, inner, negated, parts);
        return;
    }
    if (!is_displayed_symbol(p, e) || says_only_type(p, e)) return;
    for (size_t i = 0; i < vec_len(*parts) && e->tree <= 64; i++) {
        const Expr *both = equality_of(p, (*parts)[i], e);
        if (!both) continue;
        (*parts)[i] = both;
        return;
    }
    vec_push(*parts, e);
}

static const Expr *is_displayed(Display *p, const Expr *e) {
    const Expr **parts = NULL, *all = expr_bool(p->exprs, true);
    collect(p, e, &parts);
    for (size_t i = 0; i < vec_len(parts); i++) {
        const Expr *one = parts[i]->op == OP_OR ? parts[i] : of_values(p, parts[i]);
        if (one) all = expr_and(p->exprs, all, one);
    }
    vec_free(parts);
    return all;
}

const Expr *display_read(Display *p, const Expr *e) { return expr_replace(p->exprs, is_displayed(p, e), read_part, p); }

const Expr *display_number(Display *p, const Expr *e) { return expr_replace(p->exprs, e, read_part, p); }

const char *display_variable(const Display *p, unsigned v) { return p->variables[v] ? p->variables[v]->symbol->name : NULL; }

const char *display_thread(const Display *p, unsigned thread) { return p->threads[thread]; }

void display_position(const Display *p, Buf *out, Position at) {
    if (!at.line) buf_text(out, "no line");
    else if (p->several_files && at.file) buf_printf(out, "%s:%u", base_name(at.file), at.line);
    else buf_printf(out, "line %u", at.line);
}

static void find_files(Display *p) {
    const char *first = NULL;
    for (size_t t = 0; t < vec_len(p->system->threads); t++)
        for (size_t i = 0; i < vec_len(p->system->threads[t].transitions); i++) {
            const char *file = p->system->threads[t].transitions[i].position.file;
            if (!first) first = file;
            p->several_files |= file && strcmp(file, first);
        }
}

Display *display_new(const Proof *proof) {
    Display *p = zeroed(1, sizeof *p);
    const System *s = proof->system;
    *p = (Display){
        .proof = proof, .system = s, .exprs = s->exprs, .layout = layout_new(proof->program), .normaliser = normaliser_new(s->exprs)};
    vec_resize(p->handle, vec_len(s->variables));
    vec_resize(p->mutex, vec_len(s->variables));
    p->matters = system_relevant(s);
    find_files(p);
    display_name_threads(p);
    display_find_handles(p);
    display_find_mutexes(p);
    display_name_variables(p);
    return p;
}

void display_free(Display *p) {
    if (!p) return;
    layout_free(p->layout);
    normaliser_free(p->normaliser);
    vec_free(p->threads);
    vec_free(p->variables);
    vec_free(p->handle);
    vec_free(p->mutex);
    vec_free(p->matters);
    free(p);
}
