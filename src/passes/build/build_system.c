/* SPDX-License-Identifier: Apache-2.0 */
/* Builds a system from a program without memory: a thread for each template, and a transition for each action.

   requires  a template for each thread, and a second instance of each template marked many. There is no memory (partition-memory). LOCK and
             UNLOCK have no result. Mutex words are unsigned. For integers, the signs of variables and the congruent variables are marked.
   ensures   each execution of the program without faults is an execution of the system. The number of a thread is its index plus 1. A
             program for which this does not hold is refused.
   breaks    nothing: the program does not change

   Each action is executed symbolically on bit-vectors, instruction by instruction. The guard and the final values are then translated to the
   chosen arithmetic. */
#include "passes/build/build_system.h"
#include "base/map.h"
#include "ir/live.h"
#include "passes/build/integers.h"
#include "analysis/mutex_set.h"
#include "analysis/thread_numbers.h"
#include "passes/messages.h"
#include <stdlib.h>
#include <stdio.h>
#include <string.h>

typedef struct Builder {
    System *system;
    const Program *program;
    Exprs *exprs;
    Integers *integers;  /* NULL: bit-vectors */
    bool weaker;         /* congruences in guards become equalities (INTEGERS in system/arithmetic.h) */
    Variable **status;   /* by thread: 0 before its creation, 1 while it runs, 2 after its end; many: 1 after the first creation */
    Map *index;          /* Symbol of the program -> variable + 1 */
    unsigned thread;     /* the thread of the present action */
    const Expr **values; /* by variable: its value after the instructions so far; NULL: unchanged */
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
        snprintf(text, sizeof text, MSG_PASSES_OPERATOR_BITS, op ? op : "?");
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

/* Returns a new global variable of the system, which the program does not have. */
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
        bool second = system_first_instance(b->system, t) != t; /* an action creates both instances */
        vec_push(b->status, second ? b->status[thread->other_instance] : state_global(b, "status.", thread->name));
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

/* Returns the argument of the template's threads if each CREATE passes the same constant, otherwise NULL. */
static const Expr *common_argument(const Builder *b, unsigned template_) {
    const Expr *found = NULL;
    program_each_instr(const Instr, i, b->program) {
        if (i->kind != INSTR_CREATE || i->template_ != template_) continue;
        if (!expr_is_const(i->value) || (found && found != i->value)) return NULL;
        found = i->value;
    }
    return found;
}

/* True for the argument and the result, which are globals of the system: other threads write the argument and read the result. */
static bool is_shared_local(const Template *t, const Variable *v) { return v == t->argument || v == t->result; }

static void add_variables(Builder *b) {
    System *s = b->system;
    for (size_t i = 0; i < vec_len(b->program->globals); i++) add_variable(b, b->program->globals[i], NONE);
    for (unsigned t = 0; t < vec_len(s->threads); t++)
        if (system_first_instance(s, t) == t) add_variable(b, b->status[t], NONE);
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

/* ---- symbolic execution of an action ---- */

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

/* Returns a new input of the transition, which may have any value of v's type. */
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

/* Returns the index of the word, or NONE if it belongs to one thread, so that no other thread can lock it. */
static unsigned shared_index_of(const Builder *b, const Variable *word) {
    unsigned v = index_of(b, word);
    return b->system->variables[v].thread == NONE ? v : NONE;
}

/* Executes a lock operation. A mutex word holds the owner's number or 0, since check_mutexes refuses all other words. */
static void run_lock(Builder *b, const Instr *i, Transition *tr) {
    const Expr *word = read(b, i->cell), *zero = expr_bv(b->exprs, 32, 0), *result = zero;
    const Expr *self = read(b, template_of(b, b->thread)->self), *is_free = expr_eq(b->exprs, word, zero);
    if (i->kind == INSTR_LOCK) {
        assume(b, is_free);
        set(b, i->cell, self);
        tr->lock = shared_index_of(b, i->cell);
    } else if (i->kind == INSTR_TRYLOCK) {
        result = expr_ite(b->exprs, is_free, zero, expr_bv(b->exprs, 32, 16));
        set(b, i->cell, expr_ite(b->exprs, is_free, self, word));
    } else {
        set(b, i->cell, zero);
        tr->unlock = shared_index_of(b, i->cell);
    }
    if (i->target) set(b, i->target, result);
}

static void run_create(Builder *b, const Instr *i, Transition *tr) {
    unsigned t = i->template_; /* a thread for each template */
    const SystemThread *created = &b->system->threads[t];
    if (created->other_instance == NONE || created->other_instance > t) {
        if (tr->creates != NONE) fail(b, i->position, MSG_PASSES_CREATES_TWO); /* `creates` is a single thread */
        tr->creates = t;
    }
    bool ends_at_once = !created->many && created->locations[created->entry].kind == LOCATION_END;
    set(b, b->status[t], expr_bv(b->exprs, 8, ends_at_once ? 2 : 1));
    if (created->many) { /* the number of the thread is any number, and its argument too, unless it is a constant */
        if (i->target) set(b, i->target, fresh_input(b, i->target));
        return;
    }
    set(b, template_of(b, t)->argument, now(b, i->value));
    if (i->target) set(b, i->target, thread_number(b, t, i->target->sort->width));
}

/* Returns the thread that e stands for if e is a variable that only ever gets the number of this thread, by its creation. For any
   other expression it returns NONE. Copies are followed up to the given depth. */
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

/* Executes a JOIN, which is enabled when the thread with the number has ended. A thread of a template marked many may have ended at any time,
   with any result. */
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
        else fail(b, i->position, MSG_PASSES_MEMORY_MUTEX);
        return;
    case INSTR_CREATE: run_create(b, i, tr); return;
    case INSTR_JOIN: run_join(b, i, tr); return;
    case INSTR_FENCE: return;
    default: fail(b, i->position, MSG_PASSES_MEMORY_ACCESS);
    }
}

/* Adds the conditions and effects of scheduling: a thread runs between its creation and its end, and main runs from the start. */
static void run_scheduling(Builder *b, const Template *t, const Action *a) {
    const Variable *status = b->status[b->thread];
    if (b->thread && status && a->source == t->entry) assume(b, expr_eq(b->exprs, read(b, status), expr_bv(b->exprs, 8, 1)));
    LocationKind kind = t->locations[a->target].kind;
    if (kind == LOCATION_END && status && !b->system->threads[b->thread].many) set(b, status, expr_bv(b->exprs, 8, 2));
}

/* Translates guard, updates and inputs to the chosen arithmetic. */
static void finish(Builder *b, const Action *a, Transition *tr) {
    tr->guard = read_in(b, b->guard, NULL, a->position);
    if (tr->guard && b->integers && b->weaker) tr->guard = integers_weaken(b->integers, tr->guard);
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

/* Adds the transition of an action. Actions that end the process are omitted: the thread stays before its end. All states before the end of
   the process are reached in this way, and no state follows the end. */
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

/* ---- refused programs ---- */

/* Refuses a program that depends on the numbers of threads, since the system chooses these numbers. */
static void check_numbers(Builder *b) {
    Position where = {0};
    if (numbers_matter(b->program, &where)) fail(b, where, MSG_PASSES_THREAD_NUMBER);
}

/* Refuses a thread whose entry is an error or a stop: proof rules have obligations only for errors at the end of a transition. */
static void check_entries(Builder *b) {
    for (size_t t = 0; t < vec_len(b->program->templates); t++) {
        const Location *l = &b->program->templates[t]->locations[b->program->templates[t]->entry];
        if (l->kind == LOCATION_ERROR || l->kind == LOCATION_STOP) fail(b, l->position, MSG_PASSES_THREAD_ERROR);
    }
}

/* True if the word is only ever set to 0, except by locking. Then the mutex is neither recursive nor error-checking. */
static bool is_normal_word(const Builder *b, const Variable *word) {
    bool raw = !word->init;
    unsigned owner = word->global ? 0 : word->template_; /* the template that may leave the word without a value for a time */
    if (!raw && !(expr_is_const(word->init) && !word->init->value)) return false;
    for (size_t t = 0; t < vec_len(b->program->templates); t++)
        vec_each_at(const Action, action, b->program->templates[t]->actions)
            vec_each_at(const Instr, i, action->instrs) {
                if (i->target != word) continue;
                raw |= i->kind == INSTR_HAVOC;
                if (i->kind == INSTR_HAVOC ? t != owner : !(i->kind == INSTR_ASSIGN && expr_is_const(i->value) && !i->value->value))
                    return false;
            }
    return !raw || mutex_set_in_time(b->program, word, !word->init);
}

static void check_mutexes(Builder *b) {
    Map *words = map_new();
    program_each_instr(const Instr, i, b->program) {
        if (!i->cell || map_find(words, i->cell)) continue;
        map_set(words, i->cell, i);
        if (!is_normal_word(b, i->cell)) fail(b, i->position, MSG_PASSES_MUTEX_WORD);
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
                           .other_instance = NONE};
    vec_each_at(const Location, from, t->locations) {
        SystemLocation location = {
            .kind = from->kind, .atomic = from->atomic, .loop_head = from->loop_head, .text = from->text, .position = from->position};
        if (from->kind == LOCATION_STOP && from->approximation != NO_APPROXIMATION) { /* a construct that is not modelled */
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

/* Relates the two instances of each template marked many: the second instance follows directly. */
static void relate_instances(Builder *b) {
    System *s = b->system;
    for (unsigned t = 1; t + 1 < vec_len(s->threads); t++)
        if (s->threads[t].many && s->threads[t + 1].many && s->threads[t].other_instance == NONE) {
            s->threads[t].other_instance = t + 1;
            s->threads[t + 1].other_instance = t;
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
    relate_instances(&b);
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
