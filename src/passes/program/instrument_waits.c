/* SPDX-License-Identifier: Apache-2.0 */
/* Turns deadlocks into errors, for engines that search for error locations.

   requires  a well-formed program whose assertions are forgotten (ir/asserts.h), with `await` where library functions wait
   ensures   an ERROR is reachable if a state is reachable in which threads wait for ever (ir/wait.h). Locations and actions of the program come
             first, with their old numbers. Actions that create or end threads also count them
   breaks    nothing

   A thread that is about to wait may give up. Afterwards it executes no action of the program, and only reports whether it must wait. Reports change
   no variable of the program. Once all threads have ended or given up, each report stays true, and each thread can evaluate its own report.

   All threads wait. `moving` counts the threads that have neither ended nor given up. When `moving` is 0, each thread that has given up tries its
   next action, and reports if it must wait. `unsure` counts the threads that have not reported. The last of them moves to an error. A thread that
   joins another thread sets `asked` to its number. The other thread can only reset `asked` if it has given up. An ended thread cannot.

   Locks. A thread that waits for a lock moves to an error if it holds the lock itself, or if the holder has ended (`ended`: any one ended thread).
   A search for a cycle begins with a thread that has given up. This thread sets `first` to its own number, and `next` to the number of the lock's
   holder. The holder continues in the same way. The thread that would set `next` to `first` moves to an error. No thread gives up after `first` is
   set, so all threads of the cycle hold their locks at the same time.

   Some errors may be spurious: if one action of a location waits and another does not, or if a value is chosen before the wait. Replay decides. */
#include "passes/program/instrumented.h"
#include "ir/choice.h"
#include "passes/messages.h"

typedef struct Waits {
    Program *program;
    Instrumented *out;
    /* `asked` is NULL if no thread is joined; `first`, `next` and `ended` if there are no locks; `ended` also if no thread ends. */
    Variable *moving, *unsure, *asked, *first, *next, *ended;
    Template *template_; /* the present template */
    size_t actions;      /* the number of the template's actions before the pass */
    bool *blocks;        /* a vec, by old location of the template: an action from here, or later in the same atomic section, may wait */
    unsigned *copies; /* a vec, by old location within an atomic section: the location where its actions are tried; NOWHERE: not made yet */
    Variable *word;   /* a local for the mutex word at an address; NULL: not made yet */
} Waits;

enum { NOWHERE = ~0u };

/* ---- expressions and instructions ---- */

static const Expr *number(const Waits *w, uint64_t n) { return expr_bv(w->program->exprs, 32, n); }
static const Expr *value(const Waits *w, const Variable *v) { return variable_expr(w->program, v); }
static const Expr *is(const Waits *w, const Variable *v, const Expr *e) { return expr_eq(w->program->exprs, value(w, v), e); }
static const Expr *is_number(const Waits *w, const Variable *v, uint64_t n) { return is(w, v, number(w, n)); }
static const Expr *is_self(const Waits *w, const Variable *v) { return is(w, v, value(w, w->template_->self)); }
static const Expr *both(const Waits *w, const Expr *a, const Expr *b) { return expr_and(w->program->exprs, a, b); }
static const Expr *negation(const Waits *w, const Expr *e) { return expr_not(w->program->exprs, e); }

static void set(Action *a, Variable *v, const Expr *e) {
    Instr *i = action_instr(a, INSTR_ASSIGN, a->position);
    i->target = v;
    i->value = e;
}

static void assume(Action *a, const Expr *e) { action_instr(a, INSTR_ASSUME, a->position)->value = e; }

static void add(const Waits *w, Action *a, Variable *v, Op op) {
    const Expr *args[] = {value(w, v), number(w, 1)};
    set(a, v, expr_make(w->program->exprs, op, FLAG_NUW, 2, args));
}

/* ---- actions that may wait ---- */

/* True if the instruction waits for a lock, or for a thread with a known number. */
static bool has_holder(const Instr *i) { return i->kind == INSTR_LOCK || (i->kind == INSTR_ASSUME && i->waits && i->address); }

static bool action_waits(const Action *a) {
    for (size_t i = 0; i < vec_len(a->instrs); i++)
        if (instr_waits(&a->instrs[i])) return true;
    return false;
}

static bool leads_to_wait(const Waits *w, const Action *a) {
    return action_waits(a) || (w->template_->locations[a->target].atomic && w->blocks[a->target]);
}

static void find_blocks(Waits *w) {
    vec_clear(w->blocks);
    vec_resize(w->blocks, vec_len(w->template_->locations));
    for (bool more = true; more;) {
        more = false;
        for (size_t a = 0; a < w->actions; a++) {
            const Action *x = &w->template_->actions[a];
            if (w->blocks[x->source] || !leads_to_wait(w, x)) continue;
            w->blocks[x->source] = more = true;
        }
    }
}

/* True if the action can be taken whenever its guard holds. */
static bool is_free(const Waits *w, const Action *a) {
    for (size_t i = 0; i < vec_len(a->instrs); i++)
        if (a->instrs[i].kind == INSTR_ASSUME || instr_waits(&a->instrs[i])) return false;
    return !leads_to_wait(w, a);
}

/* True if the instruction changes nothing that other threads see. A thread that tries its next action may execute only such instructions. */
static bool is_private(const Instr *i) {
    switch (i->kind) {
    case INSTR_ASSIGN:
    case INSTR_HAVOC:
    case INSTR_LOAD:
    case INSTR_SIZE:
    case INSTR_WRITTEN: return !i->target->global;
    case INSTR_ASSUME:
    case INSTR_FENCE: return true;
    default: return false;
    }
}

static void refuse(Waits *w, const Action *a) {
    if (w->out->refused) return;
    w->out->refused = MSG_PASSES_WAIT_MIDDLE;
    w->out->where = a->position;
}

/* ---- added actions ---- */

static unsigned add_location(const Waits *w, const Action *like, LocationKind kind) {
    unsigned l = template_location(w->program, w->template_, kind, like->position);
    w->template_->locations[l].function = w->template_->locations[like->source].function;
    if (kind == LOCATION_ERROR) w->template_->locations[l].text = MSG_PASSES_WAIT_FOREVER;
    return l;
}

/* Adds an action that stands for no action of the program. The pointer is valid until the next action is added. */
static Action *add_extra_action(Waits *w, const Action *like, unsigned source, unsigned target, const Expr *guard) {
    Action *x = template_action(w->program, w->template_, source, target, guard, like->position);
    instrumented_record(w->out, w->template_->index, x->index, NO_ACTION);
    return x;
}

/* Adds the action by which a thread that has given up, and is at this location, answers that it has not ended. */
static void add_answer(Waits *w, const Action *like, unsigned at) {
    if (w->asked) set(add_extra_action(w, like, at, at, is_self(w, w->asked)), w->asked, number(w, 0));
}

/* Adds an action from `source`, where a thread tries the given action. It executes the first `before` instructions. */
static Action *begin(Waits *w, const Action *like, unsigned source, unsigned target, const Expr *guard, size_t before) {
    for (size_t i = 0; i < before; i++)
        if (!is_private(&like->instrs[i])) refuse(w, like);
    Action *x = add_extra_action(w, like, source, target, guard);
    x->approximation = like->approximation;
    for (size_t i = 0; i < before; i++) {
        Instr copy = like->instrs[i];
        copy.waits = false;
        if (copy.kind == INSTR_ASSUME) copy.address = NULL;
        vec_push(x->instrs, copy);
    }
    return x;
}

/* ---- a wait ---- */

typedef struct Try {
    const Action *action; /* a copy, since the template's vec of actions grows */
    const Expr *guard;
    unsigned source;
    size_t at; /* the instruction that waits */
} Try;

static Action *tried(Waits *w, const Try *t, unsigned target) { return begin(w, t->action, t->source, target, t->guard, t->at); }

static unsigned add_waiting_location(Waits *w, const Action *like) {
    unsigned l = add_location(w, like, LOCATION_PLAIN);
    add_answer(w, like, l);
    return l;
}

/* Appends the report that the thread waits. last: all other threads have reported. */
static void report_wait(Waits *w, Action *x, bool last) {
    const Expr *one = is_number(w, w->unsure, 1);
    assume(x, both(w, is_number(w, w->moving, 0), last ? one : negation(w, one)));
    if (!last) add(w, x, w->unsure, OP_SUB);
}

static void try_join(Waits *w, const Try *t) {
    const Action *like = t->action;
    unsigned asks = add_waiting_location(w, like);
    Action *x = tried(w, t, asks);
    assume(x, both(w, is_number(w, w->moving, 0), is_number(w, w->asked, 0)));
    set(x, w->asked, like->instrs[t->at].address);
    const Expr *answered = is_number(w, w->asked, 0);
    report_wait(w, add_extra_action(w, like, asks, add_location(w, like, LOCATION_ERROR), answered), true);
    report_wait(w, add_extra_action(w, like, asks, add_waiting_location(w, like), answered), false);
}

/* Appends the assumption that the thread must wait. Returns the number of the thread that it waits for. */
static const Expr *holder(Waits *w, const Try *t, Action *x) {
    const Instr *i = &t->action->instrs[t->at];
    const Expr *zero = number(w, 0);
    if (i->kind == INSTR_ASSUME) {
        assume(x, negation(w, i->value));
        return i->address;
    }
    const Expr *word = i->cell ? value(w, i->cell) : NULL;
    if (!word) {
        if (!w->word) w->word = template_local(w->program, w->template_, "word", sort_bv(w->program->exprs, 32));
        Instr *load = action_instr(x, INSTR_LOAD, x->position);
        load->target = w->word;
        load->address = i->address;
        word = value(w, w->word);
    }
    assume(x, negation(w, expr_eq(w->program->exprs, word, zero)));
    return word;
}

/* Adds the actions that find a deadlock of locks: the thread holds the lock itself, the holder has ended, or the holder waits in turn. */
static void try_cycle(Waits *w, const Try *t, unsigned error, unsigned done) {
    Exprs *e = w->program->exprs;
    Action *x = tried(w, t, error);
    const Expr *by = holder(w, t, x), *own = expr_eq(e, by, value(w, w->template_->self));
    const Expr *gone = w->ended ? both(w, negation(w, is_number(w, w->ended, 0)), is(w, w->ended, by)) : NULL;
    assume(x, gone ? expr_or(e, own, gone) : own);

    x = tried(w, t, done); /* begin a cycle */
    by = holder(w, t, x);
    assume(x, is_number(w, w->first, 0));
    set(x, w->first, value(w, w->template_->self));
    set(x, w->next, by);
    x = tried(w, t, done); /* continue the cycle */
    by = holder(w, t, x);
    assume(x, both(w, is_self(w, w->next), negation(w, is(w, w->first, by))));
    set(x, w->next, by);
    x = tried(w, t, error); /* close the cycle */
    by = holder(w, t, x);
    assume(x, both(w, is_self(w, w->next), is(w, w->first, by)));
}

/* Adds the actions that report a wait for a lock, or for the condition of a library function. */
static void try_condition(Waits *w, const Try *t) {
    const Action *like = t->action;
    unsigned error = add_location(w, like, LOCATION_ERROR), done = add_waiting_location(w, like);
    Action *x = tried(w, t, error);
    holder(w, t, x);
    report_wait(w, x, true);
    x = tried(w, t, done);
    holder(w, t, x);
    report_wait(w, x, false);
    if (has_holder(&like->instrs[t->at])) try_cycle(w, t, error, done);
}

/* ---- where a thread may wait ---- */

static void try_location(Waits *w, unsigned location, unsigned source);

/* Returns the location where the actions of a location within an atomic section are tried. */
static unsigned copy_of(Waits *w, const Action *like, unsigned location) {
    if (w->copies[location] != NOWHERE) return w->copies[location];
    unsigned l = w->copies[location] = add_location(w, like, LOCATION_PLAIN);
    w->template_->locations[l].atomic = true;
    try_location(w, location, l);
    return l;
}

static void try_action(Waits *w, const Action *a, const Expr *guard, unsigned source) {
    Try t = {a, guard, source, 0};
    for (t.at = 0; t.at < vec_len(a->instrs); t.at++) {
        const Instr *i = &a->instrs[t.at];
        if (!instr_waits(i)) continue;
        if (i->kind == INSTR_JOIN) try_join(w, &t);
        else try_condition(w, &t);
    }
    if (w->template_->locations[a->target].atomic && w->blocks[a->target])
        begin(w, a, source, copy_of(w, a, a->target), guard, vec_len(a->instrs));
}

/* Adds actions from `source` that try each action of the location that may wait. */
static void try_location(Waits *w, unsigned location, unsigned source) {
    unsigned *out = NULL;
    for (size_t i = 0; i < vec_len(w->template_->locations[location].out); i++)
        if (w->template_->locations[location].out[i] < w->actions) vec_push(out, w->template_->locations[location].out[i]);
    const Expr *none = expr_bool(w->program->exprs, true); /* no free action can be taken */
    vec_each_of(const Action, a, w->template_->actions, out)
        if (is_free(w, a)) none = both(w, none, a->guard ? negation(w, a->guard) : expr_bool(w->program->exprs, false));
    for (size_t i = 0; i < vec_len(out) && !expr_is_false(none); i++) {
        const Action a = w->template_->actions[out[i]];
        if (leads_to_wait(w, &a)) try_action(w, &a, a.guard ? both(w, a.guard, none) : none, source);
    }
    vec_free(out);
}

static void ask_location(Waits *w, unsigned location) {
    const Action like = w->template_->actions[w->template_->locations[location].out[0]];
    unsigned given_up = add_waiting_location(w, &like);
    add(w, add_extra_action(w, &like, location, given_up, w->first ? is_number(w, w->first, 0) : NULL), w->moving, OP_SUB);
    try_location(w, location, given_up);
}

/* ---- threads that begin and end ---- */

static bool begins(const Program *p, unsigned template_) {
    const Template *t = p->templates[template_];
    return t->locations[t->entry].kind != LOCATION_END;
}

static void count_threads(Waits *w, unsigned action) {
    Template *t = w->template_;
    Action *a = &t->actions[action];
    for (size_t i = 0, n = vec_len(a->instrs); i < n; i++) {
        if (a->instrs[i].kind != INSTR_CREATE || !begins(w->program, a->instrs[i].template_)) continue;
        add(w, a, w->moving, OP_ADD);
        add(w, a, w->unsure, OP_ADD);
    }
    if (t->locations[a->target].kind != LOCATION_END) return;
    add(w, a, w->moving, OP_SUB);
    add(w, a, w->unsure, OP_SUB);
    if (!w->ended) return;
    const Action like = *a;
    const Expr *first = is_number(w, w->ended, 0);
    Action *x = template_action(w->program, t, like.source, like.target, like.guard ? both(w, like.guard, first) : first, like.position);
    x->approximation = like.approximation;
    x->section = like.section;
    for (size_t i = 0; i < vec_len(like.instrs); i++) vec_push(x->instrs, like.instrs[i]);
    set(x, w->ended, value(w, t->self));
    instrumented_record(w->out, t->index, x->index, action);
    vec_last(w->out->added).in_place = true;
}

static void ask_template(Waits *w, Template *t) {
    size_t locations = vec_len(t->locations);
    w->template_ = t;
    w->actions = vec_len(t->actions);
    w->word = NULL;
    find_blocks(w);
    vec_clear(w->copies);
    for (size_t l = 0; l < locations; l++) vec_push(w->copies, NOWHERE);
    for (unsigned l = 0; l < locations; l++)
        if (w->blocks[l] && !t->locations[l].atomic) ask_location(w, l);
    for (unsigned a = 0; a < w->actions; a++) count_threads(w, a);
}

/* ---- all of it ---- */

static bool joins(const Instr *i) { return i->kind == INSTR_JOIN; }

static bool has(const Program *p, bool (*such)(const Instr *)) {
    program_each_instr(const Instr, i, p)
        if (such(i)) return true;
    return false;
}

static bool threads_end(const Program *p) {
    for (size_t t = 0; t < vec_len(p->templates); t++)
        for (size_t a = 0; a < vec_len(p->templates[t]->actions); a++)
            if (p->templates[t]->locations[p->templates[t]->actions[a].target].kind == LOCATION_END) return true;
    return false;
}

static Variable *ghost(Waits *w, const char *name, const char *display, unsigned init) {
    Variable *v =
        program_global(w->program, arena_printf(w->program->arena, "waits.%s", name), sort_bv(w->program->exprs, 32), number(w, init));
    v->name = display;
    return v;
}

Instrumented instrument_waits(Program *p) {
    Instrumented out = {.program = p, .end = TRACE_DEADLOCK};
    Waits w = {.program = p, .out = &out};
    if (p->memory != MEMORY_SC) {
        out.refused = MSG_PASSES_WAIT_WEAK;
        return out;
    }
    w.moving = ghost(&w, "moving", "(threads that have not given up)", begins(p, 0));
    w.unsure = ghost(&w, "unsure", "(threads that may go on)", begins(p, 0));
    if (has(p, joins)) w.asked = ghost(&w, "asked", "(the thread that is asked whether it has ended)", 0);
    if (has(p, has_holder)) {
        w.first = ghost(&w, "first", "(the first thread in a cycle of locks)", 0);
        w.next = ghost(&w, "next", "(the next thread in a cycle of locks)", 0);
        if (threads_end(p)) w.ended = ghost(&w, "ended", "(a thread that has ended)", 0);
    }
    for (size_t t = 0; t < vec_len(p->templates); t++) ask_template(&w, p->templates[t]);
    vec_free(w.blocks);
    vec_free(w.copies);
    return out;
}
