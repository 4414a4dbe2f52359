/* SPDX-License-Identifier: Apache-2.0 */
/* From a program without memory to a system, a transition for each action.

   requires  one template per thread, twins of those marked many; no memory (regions); LOCK and UNLOCK without
             result; words of mutexes not signed; for integers, the signs of variables and which are congruent
   ensures   every execution of the program that does not fault is one of the system; a thread's number is its place;
             a program of which that cannot be said is refused
   breaks    nothing: the program stays as it is

   Each action is run symbolically, instruction by instruction, on bit-vectors; guard and final values are then read
   in the chosen arithmetic. */
#include "passes/build/build_system.h"
#include "base/map.h"
#include "ir/live.h"
#include "passes/build/integers.h"
#include "analysis/mutex_set.h"
#include "analysis/thread_numbers.h"
#include <stdlib.h>
#include <stdio.h>
#include <string.h>

typedef struct Builder {
    System *system;
    const Program *program;
    Exprs *exprs;
    Integers *integers;  /* NULL: bit-vectors */
    bool weaker;         /* see Arithmetic */
    Variable **status;   /* by thread. Of many: 1 once there may be one */
    Map *index;          /* Symbol of the program -> variable + 1 */
    unsigned thread;     /* at work */
    const Expr **values; /* by variable: what the action has made of it; NULL: nothing yet */
    unsigned *touched;   /* the variables with a value */
    const Expr *guard;
    Variable **inputs;
    Buf *why;
    bool failed;
} Builder;

static void fail(Builder *b, Position at, const char *text) {
    if (b->failed) return;
    b->failed = true;
    if (at.file) buf_printf(b->why, "%s:%u:%u: ", at.file, at.line, at.column);
    buf_text(b->why, text);
}

/* ---- arithmetic ---- */

static const Symbol *symbol_in(Builder *b, const Symbol *s) { return b->integers ? integers_symbol(b->integers, s) : s; }

static const Expr *read_in(Builder *b, const Expr *e, const Variable *v, Position at) {
    const Expr *r = !b->integers ? e : v ? integers_value(b->integers, e, v) : integers_formula(b->integers, e);
    if (!r) {
        char text[128];
        const char *op = integers_refusal(b->integers);
        snprintf(text, sizeof text, "what is computed here (%s) depends on bits, and cannot be followed in unbounded integers",
                 op ? op : "?");
        fail(b, at, text);
    }
    return r;
}

/* ---- variables ---- */

static unsigned add_variable(Builder *b, const Variable *v, unsigned thread) {
    SystemVariable n = {
        .symbol = symbol_in(b, v->symbol), .name = v->name, .hidden = v->temporary, .origin = v, .thread = thread, .owner = NONE};
    if (v->init) n.init = read_in(b, v->init, v, v->position);
    unsigned index = system_add_variable(b->system, n);
    map_put(b->index, map_key(v->symbol), index + 1);
    return index;
}

/* One that the program does not know: it stays as it is. */
static Variable *state_global(Builder *b, const char *prefix, const char *name) {
    Buf text = {0};
    buf_printf(&text, "%s%s", prefix, name);
    Variable *v = arena_new_of(b->program->arena, Variable);
    Symbol *s = symbol_new(b->exprs, SYM_VARIABLE, buf_string(&text), sort_bv(b->exprs, 8));
    *v = (Variable){.symbol = s,
                    .name = exprs_intern(b->exprs, buf_string(&text)),
                    .sort = s->sort,
                    .global = true,
                    .temporary = true,
                    .index = NONE,
                    .init = expr_bv(b->exprs, 8, 0)};
    s->user = v;
    buf_free(&text);
    return v;
}

static void add_state(Builder *b) {
    for (unsigned t = 0; t < vec_len(b->system->threads); t++) {
        const SystemThread *thread = &b->system->threads[t];
        bool second = system_first_twin(b->system, t) != t; /* twins are created together */
        vec_push(b->status, second ? b->status[thread->twin] : state_global(b, "status.", thread->name));
        if (!t) b->status[0]->init = expr_bv(b->exprs, 8, 1); /* main runs from the start */
    }
}

static const Template *template_of(const Builder *b, unsigned thread) {
    return b->program->templates[b->system->threads[thread].template_];
}

static unsigned index_of(const Builder *b, const Variable *v) {
    uint64_t n = 0;
    bool there = map_get(b->index, map_key(v->symbol), &n);
    ensure(there);
    return (unsigned)n - 1;
}

/* The argument that every CREATE of the template gives, if it is one constant. */
static const Expr *common_argument(const Builder *b, unsigned template_) {
    const Expr *found = NULL;
    program_each_instr(const Instr, i, b->program) {
        if (i->kind != INSTR_CREATE || i->template_ != template_) continue;
        if (!expr_is_const(i->value) || (found && found != i->value)) return NULL;
        found = i->value;
    }
    return found;
}

/* argument and result are written or read by other threads: global here. */
static bool is_shared_local(const Template *t, const Variable *v) { return v == t->argument || v == t->result; }

static void add_variables(Builder *b) {
    System *s = b->system;
    for (size_t i = 0; i < vec_len(b->program->globals); i++) add_variable(b, b->program->globals[i], NONE);
    for (unsigned t = 0; t < vec_len(s->threads); t++)
        if (system_first_twin(s, t) == t) add_variable(b, b->status[t], NONE);
    for (unsigned t = 0; t < vec_len(s->threads); t++) {
        SystemThread *thread = &s->threads[t];
        const Template *tm = template_of(b, t);
        thread->status = b->status[t] ? index_of(b, b->status[t]) : NONE;
        for (size_t i = 0; i < vec_len(tm->locals); i++) {
            if (tm->locals[i] == tm->self && !thread->many) continue; /* a constant */
            unsigned owner = is_shared_local(tm, tm->locals[i]) && !thread->many ? NONE : t;
            unsigned v = add_variable(b, tm->locals[i], owner);
            const Expr *given = thread->many && tm->locals[i] == tm->argument ? common_argument(b, tm->index) : NULL;
            if (given) s->variables[v].init = read_in(b, given, tm->argument, tm->argument->position);
            if (tm->locals[i] == tm->self) thread->self = v;
        }
    }
    vec_resize(b->values, vec_len(s->variables));
}

/* ---- running one action ---- */

static const Expr *thread_number(Builder *b, unsigned thread, unsigned width) { return expr_bv(b->exprs, width, thread + 1); }

static const Expr *current(void *context, const Expr *e) {
    Builder *b = context;
    const SystemThread *t = &b->system->threads[b->thread];
    uint64_t n;
    if (e->symbol == template_of(b, b->thread)->self->symbol && !t->many) return thread_number(b, b->thread, 32);
    return map_get(b->index, map_key(e->symbol), &n) ? b->values[n - 1] : NULL;
}

static const Expr *now(Builder *b, const Expr *e) { return expr_substitute(b->exprs, e, current, b); }
static const Expr *read(Builder *b, const Variable *v) { return now(b, expr_symbol(b->exprs, v->symbol)); }
static void assume(Builder *b, const Expr *e) { b->guard = expr_and(b->exprs, b->guard, e); }

static void set(Builder *b, const Variable *v, const Expr *value) {
    unsigned i = index_of(b, v);
    if (!b->values[i]) vec_push(b->touched, i);
    b->values[i] = value;
}

/* A fresh variable that may have any value of v's type. */
static const Expr *fresh_input(Builder *b, const Variable *v) {
    Variable *n = arena_new_of(b->program->arena, Variable);
    *n = *v;
    Symbol *s = symbol_new(b->exprs, SYM_VARIABLE, "any", v->sort);
    s->user = n;
    s->sign = v->is_signed ? 1 : -1;
    n->symbol = s;
    vec_push(b->inputs, n);
    return expr_symbol(b->exprs, s);
}

/* Mutex words hold the owner's number, or 0: other kinds of mutex are refused beforehand. */
static void run_lock(Builder *b, const Instr *i, Transition *tr) {
    const Expr *word = read(b, i->cell), *zero = expr_bv(b->exprs, 32, 0), *result = zero;
    const Expr *self = read(b, template_of(b, b->thread)->self), *is_free = expr_eq(b->exprs, word, zero);
    if (i->kind == INSTR_LOCK) {
        assume(b, is_free);
        set(b, i->cell, self);
        tr->lock = index_of(b, i->cell);
    } else if (i->kind == INSTR_TRYLOCK) {
        result = expr_ite(b->exprs, is_free, zero, expr_bv(b->exprs, 32, 16));
        set(b, i->cell, expr_ite(b->exprs, is_free, self, word));
    } else {
        set(b, i->cell, zero);
        tr->unlock = index_of(b, i->cell);
    }
    if (i->target) set(b, i->target, result);
}

static void run_create(Builder *b, const Instr *i, Transition *tr) {
    unsigned t = i->template_; /* a thread for each template */
    const SystemThread *created = &b->system->threads[t];
    if (created->twin == NONE || created->twin > t) {
        if (tr->creates != NONE) fail(b, i->position, "two threads created in one step"); /* a transition names one */
        tr->creates = t;
    }
    bool ends_at_once = !created->many && created->locations[created->entry].kind == LOCATION_END;
    set(b, b->status[t], expr_bv(b->exprs, 8, ends_at_once ? 2 : 1));
    if (created->many) { /* its number and, unless it is always the same, its argument are its own affair */
        if (i->target) set(b, i->target, fresh_input(b, i->target));
        return;
    }
    set(b, template_of(b, t)->argument, now(b, i->value));
    if (i->target) set(b, i->target, thread_number(b, t, i->target->sort->width));
}

/* The thread that a number means, if it is certain: a constant, or a variable that is only ever given that thread's
   number, by its creation. */
static unsigned joined_thread(const Builder *b, const Expr *e, unsigned depth) {
    unsigned found = NONE;
    if (!depth) return NONE;
    while (e->op == OP_EXTRACT || e->op == OP_ZEXT) e = e->args[0];
    const Variable *v = expr_variable(e);
    for (size_t t = 0; v && t < vec_len(b->program->templates); t++)
        vec_each_at(const Action, action, b->program->templates[t]->actions)
            vec_each_at(const Instr, i, action->instrs) {
                unsigned thread = NONE;
                if (i->target != v) continue;
                if (i->kind == INSTR_CREATE) thread = i->template_;
                else if (i->kind == INSTR_ASSIGN) thread = joined_thread(b, i->value, depth - 1);
                if (thread == NONE || (found != NONE && found != thread)) return NONE;
                found = thread;
            }
    return found;
}

/* Enabled when the thread with that number has ended. Of the many, any may have ended, with any result. */
static void run_join(Builder *b, const Instr *i, Transition *tr) {
    const System *s = b->system;
    tr->waits = true;
    tr->joins = joined_thread(b, i->address, 6);
    if (tr->joins != NONE && !s->threads[tr->joins].many) {
        const Template *joined = template_of(b, tr->joins);
        assume(b, expr_eq(b->exprs, read(b, b->status[tr->joins]), expr_bv(b->exprs, 8, 2)));
        if (i->target) set(b, i->target, joined->result ? read(b, joined->result) : fresh_input(b, i->target));
        return;
    }
    const Expr *number = now(b, i->address), *ended = expr_bool(b->exprs, false), *result = i->target ? fresh_input(b, i->target) : NULL;
    for (unsigned t = 0; t < vec_len(s->threads); t++) {
        if (s->threads[t].many) {
            ended = expr_bool(b->exprs, true);
            continue;
        }
        const Expr *it = expr_eq(b->exprs, number, thread_number(b, t, number->sort->width));
        ended = expr_or(b->exprs, ended, expr_and(b->exprs, it, expr_eq(b->exprs, read(b, b->status[t]), expr_bv(b->exprs, 8, 2))));
        if (result && template_of(b, t)->result) result = expr_ite(b->exprs, it, read(b, template_of(b, t)->result), result);
    }
    assume(b, ended);
    if (result) set(b, i->target, result);
}

static void run_instr(Builder *b, const Instr *i, Transition *tr) {
    switch (i->kind) {
    case INSTR_ASSIGN: set(b, i->target, now(b, i->value)); return;
    case INSTR_HAVOC: set(b, i->target, fresh_input(b, i->target)); return;
    case INSTR_ASSUME: assume(b, now(b, i->value)); return;
    case INSTR_LOCK:
    case INSTR_TRYLOCK:
    case INSTR_UNLOCK:
        if (i->cell) run_lock(b, i, tr);
        else fail(b, i->position, "a mutex in memory");
        return;
    case INSTR_CREATE: run_create(b, i, tr); return;
    case INSTR_JOIN: run_join(b, i, tr); return;
    case INSTR_FENCE: return;
    default: fail(b, i->position, "an access of memory");
    }
}

/* What the scheduler sees: a thread runs between its creation and its end; main from the start. */
static void run_scheduling(Builder *b, const Template *t, const Action *a) {
    const Variable *status = b->status[b->thread];
    if (b->thread && status && a->source == t->entry) assume(b, expr_eq(b->exprs, read(b, status), expr_bv(b->exprs, 8, 1)));
    LocationKind kind = t->locations[a->target].kind;
    if (kind == LOCATION_END && status && !b->system->threads[b->thread].many) set(b, status, expr_bv(b->exprs, 8, 2));
}

/* Reads guard, updates and inputs in the chosen arithmetic. */
static void finish(Builder *b, const Action *a, Transition *tr) {
    tr->guard = read_in(b, b->guard, NULL, a->position);
    if (tr->guard && b->integers && b->weaker) tr->guard = integers_weaker(b->integers, tr->guard);
    for (size_t i = 0; i < vec_len(b->touched) && !b->failed; i++) {
        unsigned v = b->touched[i];
        const Expr *value = read_in(b, b->values[v], b->system->variables[v].origin, a->position);
        if (value && value != expr_symbol(b->exprs, b->system->variables[v].symbol)) vec_push(tr->updates, ((Update){v, value}));
    }
    vec_each(Variable *, input, b->inputs) {
        if (b->integers && tr->guard) {
            tr->guard = expr_and(b->exprs, tr->guard, integers_range(b->integers, input));
            input->symbol = integers_symbol(b->integers, input->symbol);
        }
        vec_push(tr->inputs, input->symbol);
    }
}

/* The end of the process is left out: a thread that would end it simply does not move any more. Every state of the
   program that is reached before its end is so reached, and there is none after it. */
static void add_transition(Builder *b, const Template *t, const Action *a) {
    if (t->locations[a->target].kind == LOCATION_HALT) return;
    Transition tr = {
        .source = a->source, .target = a->target, .position = a->position, .creates = NONE, .joins = NONE, .lock = NONE, .unlock = NONE};
    SystemThread *thread = &b->system->threads[b->thread];
    for (size_t i = 0; i < vec_len(b->touched); i++) b->values[b->touched[i]] = NULL;
    vec_clear(b->touched);
    vec_clear(b->inputs);
    b->guard = expr_bool(b->exprs, true);
    run_scheduling(b, t, a);
    assume(b, now(b, a->guard));
    for (size_t i = 0; i < vec_len(a->instrs); i++) run_instr(b, &a->instrs[i], &tr);
    finish(b, a, &tr);
    tr.index = (unsigned)vec_len(thread->transitions);
    vec_push(tr.actions, a->index);
    vec_push(thread->locations[a->source].out, tr.index);
    vec_push(thread->transitions, tr);
}

/* ---- what is refused ---- */

/* A thread's number is its place here. */
static void check_numbers(Builder *b) {
    Position where = {0};
    if (numbers_matter(b->program, &where)) fail(b, where, "the number of a thread matters");
}

/* A thread does something before it reaches an error: rules look at errors behind transitions only. */
static void check_entries(Builder *b) {
    for (size_t t = 0; t < vec_len(b->program->templates); t++) {
        const Location *l = &b->program->templates[t]->locations[b->program->templates[t]->entry];
        if (l->kind == LOCATION_ERROR || l->kind == LOCATION_STOP) fail(b, l->position, "a thread that begins with an error");
    }
}

/* A mutex word is only ever set to 0, but for locking: then no mutex is recursive or error-checking. */
static bool is_normal_word(const Builder *b, const Variable *word) {
    bool raw = !word->init;
    if (!raw && !(expr_is_const(word->init) && !word->init->value)) return false;
    for (size_t t = 0; t < vec_len(b->program->templates); t++)
        vec_each_at(const Action, action, b->program->templates[t]->actions)
            vec_each_at(const Instr, i, action->instrs) {
                if (i->target != word) continue;
                raw |= i->kind == INSTR_HAVOC;
                if (i->kind == INSTR_HAVOC ? t != 0 : !(i->kind == INSTR_ASSIGN && expr_is_const(i->value) && !i->value->value))
                    return false;
            }
    return !raw || mutex_set_in_time(b->program, word, !word->init);
}

static void check_mutexes(Builder *b) {
    Map *words = map_new();
    program_each_instr(const Instr, i, b->program) {
        if (!i->cell || map_find(words, i->cell)) continue;
        map_set(words, i->cell, i);
        if (!is_normal_word(b, i->cell)) fail(b, i->position, "a mutex that is not a normal one");
    }
    map_free(words);
}

/* ---- threads ---- */

static SystemThread thread_from(Builder *b, const Template *t) {
    SystemThread thread = {.name = arena_strdup(b->system->arena, t->name),
                           .template_ = t->index,
                           .many = t->count == 0,
                           .entry = t->entry,
                           .status = NONE,
                           .self = NONE,
                           .twin = NONE};
    vec_each_at(const Location, from, t->locations) {
        SystemLocation location = {
            .kind = from->kind, .atomic = from->atomic, .loop_head = from->loop_head, .text = from->text, .position = from->position};
        if (from->kind == LOCATION_STOP && from->approximation != NO_APPROXIMATION) { /* what is not modelled there */
            location.text = b->program->approximations[from->approximation].text;
            location.position = b->program->approximations[from->approximation].position;
        }
        vec_push(thread.locations, location);
    }
    return thread;
}

static void add_liveness(Builder *b, unsigned thread) {
    const Template *t = template_of(b, thread);
    Liveness *live = live_new(b->program, t);
    for (unsigned l = 0; l < vec_len(t->locations); l++)
        for (size_t i = 0; i < vec_len(t->locals); i++) {
            if (t->locals[i] == t->self && !b->system->threads[thread].many) continue;
            unsigned v = index_of(b, t->locals[i]);
            if (b->system->variables[v].thread == thread && live_at(live, l, t->locals[i]))
                vec_push(b->system->threads[thread].locations[l].live, v);
        }
    live_free(live);
}

/* Twins are a pair of templates, the second right behind the first. */
static void find_twins(Builder *b) {
    System *s = b->system;
    for (unsigned t = 1; t + 1 < vec_len(s->threads); t++)
        if (s->threads[t].many && s->threads[t + 1].many && s->threads[t].twin == NONE) {
            s->threads[t].twin = t + 1;
            s->threads[t + 1].twin = t;
        }
}

System *build_system(const Program *p, Arithmetic arithmetic, Buf *why) {
    System *s = system_empty(p->exprs);
    s->integers = arithmetic_has_integers(arithmetic);
    Builder b = {.system = s,
                 .program = p,
                 .exprs = p->exprs,
                 .integers = s->integers ? integers_new(p) : NULL,
                 .weaker = arithmetic == INTEGERS,
                 .index = map_new(),
                 .why = why};
    for (size_t t = 0; t < vec_len(p->templates); t++) vec_push(s->threads, thread_from(&b, p->templates[t]));
    find_twins(&b);
    check_entries(&b);
    check_mutexes(&b);
    check_numbers(&b);
    add_state(&b);
    add_variables(&b);
    for (b.thread = 0; b.thread < vec_len(s->threads) && !b.failed; b.thread++) {
        const Template *t = template_of(&b, b.thread);
        for (size_t a = 0; a < vec_len(t->actions) && !b.failed; a++) add_transition(&b, t, &t->actions[a]);
        add_liveness(&b, b.thread);
    }
    integers_free(b.integers);
    map_free(b.index);
    vec_free(b.values);
    vec_free(b.touched);
    vec_free(b.inputs);
    vec_free(b.status);
    if (!b.failed) return s;
    system_free(s);
    return NULL;
}
