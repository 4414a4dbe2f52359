/* SPDX-License-Identifier: Apache-2.0 */
/* Checks the rules of doc/system.md in linear time: each expression of a transition is visited once, however often it is shared. */
#include "ir/messages.h"
#include "system/messages.h"
#include "system/system.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct Checker {
    const System *system;
    Buf *why;
    bool is_fine; /* the system is the fine system of another */
    /* the place that is checked; NULL or NONE outside of a thread, location or transition */
    const SystemThread *thread;
    unsigned location;
    const Transition *transition;
    unsigned *seen; /* by Expr.id: the number of the last visit; a vec */
    unsigned visit;
    const Expr **work; /* a vec */
} Checker;

/* ---- complaints ---- */

static Position position_of(const Checker *c) {
    if (c->transition && c->transition->position.file) return c->transition->position;
    return c->location != NONE ? c->thread->locations[c->location].position : (Position){0};
}

static bool fail(Checker *c, const char *rule, const char *format, ...) __attribute__((format(printf, 3, 4)));
static bool fail(Checker *c, const char *rule, const char *format, ...) {
    char message[400];
    va_list list;
    va_start(list, format);
    vsnprintf(message, sizeof message, format, list);
    va_end(list);
    Position at = position_of(c);
    if (at.file) buf_printf(c->why, "%s:%u:%u: ", at.file, at.line, at.column);
    if (c->is_fine) buf_text(c->why, "fine system: ");
    if (c->thread) buf_printf(c->why, "thread %s: ", c->thread->name);
    if (c->location != NONE) buf_printf(c->why, "location l%u: ", c->location);
    if (c->transition) buf_printf(c->why, "transition %u to l%u: ", c->transition->index, c->transition->target);
    buf_printf(c->why, "[%s] %s", rule, message);
    return false;
}

static unsigned thread_number(const Checker *c) { return (unsigned)(c->thread - c->system->threads); }
static bool is_variable(const Checker *c, unsigned v) { return v < vec_len(c->system->variables); }
static bool is_global(const Checker *c, unsigned v) { return is_variable(c, v) && c->system->variables[v].thread == NONE; }
static bool is_thread(const Checker *c, unsigned t) { return t < vec_len(c->system->threads); }

/* ---- variables ---- */

/* True for a constant, or an array of constants. */
static bool is_initial(const Expr *e) {
    while (e->op == OP_STORE) {
        if (!is_initial(e->args[1]) || !is_initial(e->args[2])) return false;
        e = e->args[0];
    }
    return e->op == OP_CONST_ARRAY ? is_initial(e->args[0]) : expr_is_const(e);
}

/* Returns false for a sort with bit-vectors in a system of integers. Any system may have integers, since a program may have them. */
static bool fits_arithmetic(const Checker *c, const Sort *s) {
    if (s->kind == SORT_ARRAY) return fits_arithmetic(c, s->index) && fits_arithmetic(c, s->element);
    return s->kind != SORT_BV || !c->system->integers;
}

static bool check_owner(Checker *c, const SystemVariable *v) {
    if (v->owner == NONE) return true;
    if (!is_global(c, v->owner) || v->thread != NONE) return fail(c, "locks", MSG_SYSTEM_HOLDER_LOCAL, v->name);
    return true;
}

static bool check_variable(Checker *c, unsigned index) {
    const SystemVariable *v = &c->system->variables[index];
    if (!v->symbol || !v->name || v->symbol->kind != SYM_VARIABLE) return fail(c, "variables", MSG_SYSTEM_VARIABLE_BARE, index);
    if (system_variable(c->system, v->symbol) != index) return fail(c, "variables", MSG_SYSTEM_VARIABLE_SYMBOL, v->symbol->name);
    if (!fits_arithmetic(c, v->symbol->sort)) return fail(c, "sorts", MSG_SYSTEM_ARITHMETIC, v->symbol->name);
    if (v->thread != NONE && !is_thread(c, v->thread)) return fail(c, "variables", MSG_SYSTEM_VARIABLE_THREAD, v->symbol->name);
    if (v->init && v->init->sort != v->symbol->sort) return fail(c, "sorts", MSG_IR_INIT_SORT, v->symbol->name);
    if (v->init && !is_initial(v->init)) return fail(c, "initial", MSG_SYSTEM_INIT_KIND, v->symbol->name);
    return check_owner(c, v);
}

/* ---- expressions ---- */

/* Checks that the symbol is a global variable, a local of the thread, or an input of the transition. */
static bool check_symbol(Checker *c, const Symbol *s) {
    unsigned v = system_variable(c->system, s);
    if (v == NONE) return vec_has(c->transition->inputs, s) || fail(c, "scopes", MSG_SYSTEM_SYMBOL_FOREIGN, s->name);
    unsigned owner = c->system->variables[v].thread;
    return owner == NONE || owner == thread_number(c) || fail(c, "scopes", MSG_IR_SCOPE, s->name, "thread", c->system->threads[owner].name);
}

static void push_expr(Checker *c, const Expr *e) {
    if (e->id >= vec_len(c->seen)) vec_resize(c->seen, exprs_count(c->system->exprs));
    if (c->seen[e->id] == c->visit) return;
    c->seen[e->id] = c->visit;
    vec_push(c->work, e);
}

static bool check_expr(Checker *c, const Expr *root) {
    bool good = true;
    push_expr(c, root);
    while (vec_len(c->work) && good) {
        const Expr *e = vec_pop(c->work);
        if (e->op == OP_SYMBOL) good = check_symbol(c, e->symbol);
        for (unsigned i = 0; i < e->nargs; i++) push_expr(c, e->args[i]);
    }
    vec_clear(c->work);
    return good;
}

/* ---- transitions ---- */

static bool check_inputs(Checker *c) {
    const Transition *tr = c->transition;
    for (size_t i = 0; i < vec_len(tr->inputs); i++) {
        const Symbol *s = tr->inputs[i];
        if (!s || s->kind != SYM_VARIABLE) return fail(c, "inputs", MSG_SYSTEM_INPUT_BARE, i);
        if (system_variable(c->system, s) != NONE) return fail(c, "inputs", MSG_SYSTEM_INPUT_VARIABLE, s->name);
        if (!fits_arithmetic(c, s->sort)) return fail(c, "sorts", MSG_SYSTEM_ARITHMETIC, s->name);
        for (size_t k = 0; k < i; k++)
            if (tr->inputs[k] == s) return fail(c, "inputs", MSG_SYSTEM_INPUT_TWICE, s->name);
    }
    return true;
}

static bool check_updates(Checker *c) {
    const Transition *tr = c->transition;
    for (size_t i = 0; i < vec_len(tr->updates); i++) {
        const Update *u = &tr->updates[i];
        if (!is_variable(c, u->variable)) return fail(c, "updates", MSG_SYSTEM_UPDATE_UNKNOWN, u->variable);
        const SystemVariable *v = &c->system->variables[u->variable];
        if (!u->value || u->value->sort != v->symbol->sort) return fail(c, "sorts", MSG_SYSTEM_UPDATE_SORT, v->symbol->name);
        for (size_t k = 0; k < i; k++)
            if (tr->updates[k].variable == u->variable) return fail(c, "updates", MSG_SYSTEM_UPDATE_TWICE, v->symbol->name);
        if (u->variable == c->thread->self) return fail(c, "updates", MSG_SYSTEM_UPDATE_SELF, v->symbol->name);
        if (!check_symbol(c, v->symbol) || !check_expr(c, u->value)) return false;
    }
    return true;
}

/* Checks that EITHER way OR way … END and LOOP way END are nested. */
static bool check_actions(Checker *c) {
    const unsigned *actions = c->transition->actions;
    unsigned *open = NULL; /* a vec */
    bool good = true;
    for (size_t i = 0; i < vec_len(actions) && good; i++) {
        unsigned a = actions[i];
        if (a == ACTIONS_EITHER || a == ACTIONS_LOOP) vec_push(open, a);
        else if (a == ACTIONS_OR) good = vec_len(open) && vec_last(open) == ACTIONS_EITHER;
        else if (a == ACTIONS_END) good = vec_len(open), good ? (void)vec_pop(open) : (void)0;
        else good = a != NONE;
    }
    good &= !vec_len(open);
    vec_free(open);
    return good || fail(c, "actions", MSG_SYSTEM_ACTIONS_NESTED);
}

/* Checks the notes of a transition, which only analyses read. */
static bool check_notes(Checker *c) {
    const Transition *tr = c->transition;
    if (tr->creates != NONE && (!is_thread(c, tr->creates) || system_first_instance(c->system, tr->creates) != tr->creates))
        return fail(c, "notes", MSG_SYSTEM_CREATES, tr->creates);
    if (tr->joins != NONE && !is_thread(c, tr->joins)) return fail(c, "notes", MSG_SYSTEM_JOINS, tr->joins);
    if (tr->joins != NONE && !tr->waits) return fail(c, "notes", MSG_SYSTEM_JOIN_WAITS);
    if (tr->lock != NONE && !is_global(c, tr->lock)) return fail(c, "notes", MSG_SYSTEM_LOCK_LOCAL);
    if (tr->unlock != NONE && !is_global(c, tr->unlock)) return fail(c, "notes", MSG_SYSTEM_UNLOCK_LOCAL);
    return true; /* the transition need not assign the lock: the program may never read it */
}

static bool check_transition(Checker *c, const Transition *tr) {
    c->transition = tr;
    c->location = tr->source;
    c->visit++;
    if (!tr->guard || tr->guard->sort->kind != SORT_BOOL) return fail(c, "sorts", MSG_SYSTEM_GUARD_SORT);
    if (!check_inputs(c) || !check_expr(c, tr->guard) || !check_updates(c) || !check_actions(c) || !check_notes(c)) return false;
    c->transition = NULL;
    c->location = NONE;
    return true;
}

/* ---- locations ---- */

static bool check_live(Checker *c, const SystemLocation *l) {
    for (size_t i = 0; i < vec_len(l->live); i++) {
        unsigned v = l->live[i];
        if (!is_variable(c, v) || c->system->variables[v].thread != thread_number(c)) return fail(c, "live", MSG_SYSTEM_LIVE_FOREIGN, v);
        if (i && l->live[i - 1] >= v) return fail(c, "live", MSG_SYSTEM_LIVE_ORDER);
    }
    return true;
}

static bool check_out(Checker *c, const SystemLocation *l) {
    const SystemThread *t = c->thread;
    for (size_t i = 0; i < vec_len(l->out); i++) {
        if (l->out[i] >= vec_len(t->transitions)) return fail(c, "indices", MSG_SYSTEM_LISTED_UNKNOWN, l->out[i]);
        if (i && l->out[i - 1] >= l->out[i]) return fail(c, "indices", MSG_SYSTEM_LISTED_ORDER);
        if (t->transitions[l->out[i]].source != c->location) return fail(c, "indices", MSG_SYSTEM_LISTED_SOURCE, l->out[i]);
    }
    return true;
}

static bool check_locations(Checker *c) {
    const SystemThread *t = c->thread;
    size_t listed = 0;
    for (c->location = 0; c->location < vec_len(t->locations); c->location++) {
        const SystemLocation *l = &t->locations[c->location];
        if ((unsigned)l->kind > LOCATION_STOP) return fail(c, "locations", MSG_IR_KIND, "the location");
        if (l->kind != LOCATION_PLAIN && vec_len(l->out)) return fail(c, "locations", MSG_SYSTEM_LOCATION_LEFT);
        if (!check_live(c, l) || !check_out(c, l)) return false;
        listed += vec_len(l->out);
    }
    c->location = NONE;
    for (size_t i = 0; i < vec_len(t->transitions); i++) {
        const Transition *tr = &t->transitions[i];
        if (tr->index != i) return fail(c, "indices", MSG_IR_INDEX, "a transition");
        if (tr->source >= vec_len(t->locations) || tr->target >= vec_len(t->locations))
            return fail(c, "indices", MSG_SYSTEM_TRANSITION_ENDS, i);
    }
    return listed == vec_len(t->transitions) || fail(c, "indices", MSG_SYSTEM_TRANSITION_UNLISTED);
}

/* ---- threads ---- */

static const Sort *number_sort(const System *s) { return s->integers ? sort_int(s->exprs) : sort_bv(s->exprs, 32); }

static bool check_special(Checker *c) {
    const SystemThread *t = c->thread;
    if (t->status != NONE && !is_global(c, t->status)) return fail(c, "threads", MSG_SYSTEM_STATUS_LOCAL);
    if (t->many == (t->self == NONE)) return fail(c, "threads", MSG_SYSTEM_SELF_MANY);
    if (t->self != NONE && (!is_variable(c, t->self) || c->system->variables[t->self].thread != thread_number(c)))
        return fail(c, "threads", MSG_SYSTEM_SELF_LOCAL);
    if (t->self != NONE && c->system->variables[t->self].symbol->sort != number_sort(c->system))
        return fail(c, "threads", MSG_SYSTEM_SELF_SORT);
    if (t->many == (t->other_instance == NONE)) return fail(c, "second-instance", MSG_SYSTEM_SECOND_MANY);
    if (t->other_instance == NONE) return true;
    if (!is_thread(c, t->other_instance) || t->other_instance == thread_number(c) ||
        c->system->threads[t->other_instance].other_instance != thread_number(c))
        return fail(c, "second-instance", MSG_SYSTEM_SECOND_MUTUAL);
    return c->system->threads[t->other_instance].status == t->status ||
           fail(c, "second-instance", MSG_SYSTEM_SECOND_DIFFERS, "their status");
}

/* True if the locals of two threads have the same sorts in the same order. */
static bool same_locals(const System *s, unsigned a, unsigned b) {
    size_t n = vec_len(s->variables);
    for (size_t i = 0, k = 0;; i++, k++) {
        while (i < n && s->variables[i].thread != a) i++;
        while (k < n && s->variables[k].thread != b) k++;
        if (i == n || k == n) return i == k;
        if (s->variables[i].symbol->sort != s->variables[k].symbol->sort) return false;
    }
}

static bool same_transition(const Transition *x, const Transition *y) {
    if (x->source != y->source || x->target != y->target || vec_len(x->inputs) != vec_len(y->inputs)) return false;
    if (vec_len(x->updates) != vec_len(y->updates)) return false;
    for (size_t i = 0; i < vec_len(x->updates); i++)
        if (x->updates[i].value->sort != y->updates[i].value->sort) return false;
    for (size_t i = 0; i < vec_len(x->inputs); i++)
        if (x->inputs[i]->sort != y->inputs[i]->sort) return false;
    return x->creates == y->creates && x->joins == y->joins && x->waits == y->waits && x->lock == y->lock && x->unlock == y->unlock;
}

static bool check_instances(Checker *c) {
    const SystemThread *x = c->thread, *y = &c->system->threads[x->other_instance];
    if (!same_locals(c->system, thread_number(c), x->other_instance))
        return fail(c, "second-instance", MSG_SYSTEM_SECOND_DIFFERS, "their locals");
    if (x->entry != y->entry || vec_len(x->locations) != vec_len(y->locations) || vec_len(x->transitions) != vec_len(y->transitions))
        return fail(c, "second-instance", MSG_SYSTEM_SECOND_DIFFERS, "their locations or transitions");
    for (c->location = 0; c->location < vec_len(x->locations); c->location++) {
        const SystemLocation *a = &x->locations[c->location], *b = &y->locations[c->location];
        if (a->kind != b->kind || a->atomic != b->atomic || vec_len(a->live) != vec_len(b->live))
            return fail(c, "second-instance", MSG_SYSTEM_SECOND_DIFFERS, "this location");
    }
    c->location = NONE;
    for (size_t i = 0; i < vec_len(x->transitions); i++)
        if (!same_transition(&x->transitions[i], &y->transitions[i])) return fail(c, "second-instance", MSG_SYSTEM_SECOND_TRANSITION, i);
    return true;
}

static bool check_thread(Checker *c, unsigned number) {
    c->thread = &c->system->threads[number];
    const SystemThread *t = c->thread;
    if (t->entry >= vec_len(t->locations)) return fail(c, "threads", MSG_IR_ENTRY_MISSING);
    LocationKind first = t->locations[t->entry].kind;
    if (first == LOCATION_ERROR || first == LOCATION_STOP) return fail(c, "locations", MSG_IR_ENTRY_KIND);
    if (!check_special(c) || !check_locations(c)) return false;
    for (size_t i = 0; i < vec_len(t->transitions); i++)
        if (!check_transition(c, &t->transitions[i])) return false;
    c->thread = NULL;
    return true;
}

static bool check_names(Checker *c) {
    const SystemThread *threads = c->system->threads;
    if (!vec_len(threads)) return fail(c, "threads", MSG_IR_THREAD_NONE);
    for (size_t i = 0; i < vec_len(threads); i++) {
        if (!threads[i].name) return fail(c, "threads", MSG_IR_BARE, "thread", i);
        for (size_t k = 0; k < i; k++)
            if (!strcmp(threads[i].name, threads[k].name)) return fail(c, "threads", MSG_IR_THREAD_NAMES, threads[i].name);
    }
    return !threads[0].many || fail(c, "threads", MSG_SYSTEM_MAIN_MANY);
}

/* ---- all ---- */

static bool check_fill(Checker *c, const SystemFill *f) {
    if (!f->input || system_variable(c->system, f->input) != NONE) return fail(c, "fills", MSG_SYSTEM_FILL_INPUT);
    if (!is_variable(c, f->array) || !is_variable(c, f->index)) return fail(c, "fills", MSG_SYSTEM_FILL_VARIABLE);
    const Sort *array = c->system->variables[f->array].symbol->sort, *index = c->system->variables[f->index].symbol->sort;
    if (array->kind != SORT_ARRAY || array->index != index || array->element != f->input->sort)
        return fail(c, "fills", MSG_SYSTEM_FILL_SORTS, c->system->variables[f->array].name);
    return true;
}

static bool check_fine(Checker *c) {
    const System *s = c->system, *fine = s->fine;
    if (fine->fine) return fail(c, "fine", MSG_SYSTEM_FINE_FINE);
    if (fine->exprs != s->exprs || fine->integers != s->integers) return fail(c, "fine", MSG_SYSTEM_FINE_DIFFERS, "their arithmetic");
    if (vec_len(fine->threads) != vec_len(s->threads)) return fail(c, "fine", MSG_SYSTEM_FINE_DIFFERS, "the number of their threads");
    if (vec_len(fine->variables) > vec_len(s->variables)) return fail(c, "fine", MSG_SYSTEM_FINE_VARIABLES);
    for (size_t v = 0; v < vec_len(fine->variables); v++)
        if (fine->variables[v].symbol != s->variables[v].symbol || fine->variables[v].thread != s->variables[v].thread)
            return fail(c, "fine", MSG_SYSTEM_FINE_DIFFERS, s->variables[v].symbol->name);
    for (size_t t = 0; t < vec_len(fine->threads); t++) {
        const SystemThread *x = &fine->threads[t], *y = &s->threads[t];
        if (strcmp(x->name, y->name) || x->template_ != y->template_ || x->many != y->many || x->status != y->status ||
            x->self != y->self || x->other_instance != y->other_instance)
            return fail(c, "fine", MSG_SYSTEM_FINE_DIFFERS, y->name);
    }
    return true;
}

static bool check_all(Checker *c) {
    const System *s = c->system;
    if (!check_names(c)) return false;
    for (unsigned v = 0; v < vec_len(s->variables); v++)
        if (!check_variable(c, v)) return false;
    for (unsigned t = 0; t < vec_len(s->threads); t++)
        if (!check_thread(c, t)) return false;
    for (unsigned t = 0; t < vec_len(s->threads); t++) {
        c->thread = &s->threads[t];
        if (c->thread->many && system_first_instance(s, t) == t && !check_instances(c)) return false;
        c->thread = NULL;
    }
    for (size_t i = 0; i < vec_len(s->fills); i++)
        if (!check_fill(c, &s->fills[i])) return false;
    return !s->fine || check_fine(c);
}

static bool check_one(const System *s, bool is_fine, Buf *why) {
    Checker c = {.system = s, .why = why, .is_fine = is_fine, .location = NONE};
    bool good = check_all(&c);
    vec_free(c.seen);
    vec_free(c.work);
    return good;
}

bool system_check(const System *s, Buf *why) { return check_one(s, false, why) && (!s->fine || check_one(s->fine, true, why)); }
