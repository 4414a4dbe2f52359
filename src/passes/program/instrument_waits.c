/* SPDX-License-Identifier: Apache-2.0 */
/* Threads that wait for ever become errors, for engines that look for errors.

   requires  a well-formed program whose assertions are forgotten (ir/asserts.h), with `await` where library functions wait
   ensures   an ERROR is reachable if a state is in which threads wait for ever (ir/wait.h). Locations and actions of the program come first, with their
             numbers; actions that create threads or end them count these as well
   breaks    nothing

   Who is about to wait may give up: it never moves again, and only says whether it must wait. Nothing of the program's own changes by that. So once no thread
   moves any more, what each of them says stays true, and each can say it with its own variables.

   All wait. `moving` counts the threads that have neither ended nor given up. When it is 0, those that have given up try what they would do next. Who must wait
   says so. `unsure` counts those that have not said so; the last one gets to an error. Who waits for the end of another thread asks it (`asked`):
   only one that has given up answers.

   Locks. A thread gets to an error if it holds the lock itself that it waits for, or one that has ended does (`ended`: any one such thread). For cycles, a
   thread that has given up sets `first` to its own number and `next` to that of the lock's holder. That one goes on in the same way, until `next` would be `first`: an error. Nobody
   gives up once this has begun, so each of them has held its locks all the time.

   There may be errors that are none, where of several actions of a location one waits and another does not, or where a value is chosen before the wait.
   Replay decides. */
#include "passes/program/instrumented.h"

typedef struct Waits {
    Program *program;
    Instrumented *out;
    Variable *moving, *unsure, *asked, *first, *next,
        *ended;          /* `asked` where threads are joined, the last three where there are locks, `ended` if threads end */
    Template *template_; /* at work */
    size_t actions;      /* of the template, as it was */
    bool *blocks;        /* a vec, by location of the template as it was: within its atomic section somebody may wait from here on */
    unsigned *copies;    /* … and where that is tried, in an atomic section; NOWHERE: not made yet */
    Variable *word;      /* for the mutex word at an address; NULL: not made yet */
} Waits;

enum { NOWHERE = ~0u };

/* ---- expressions and instructions ---- */

static const Expr *number(const Waits *w, uint64_t n) { return expr_bv(w->program->exprs, 32, n); }
static const Expr *value(const Waits *w, const Variable *v) { return variable_expr(w->program, v); }
static const Expr *is(const Waits *w, const Variable *v, const Expr *e) { return expr_eq(w->program->exprs, value(w, v), e); }
static const Expr *is_number(const Waits *w, const Variable *v, uint64_t n) { return is(w, v, number(w, n)); }
static const Expr *is_self(const Waits *w, const Variable *v) { return is(w, v, value(w, w->template_->self)); }
static const Expr *both(const Waits *w, const Expr *a, const Expr *b) { return expr_and(w->program->exprs, a, b); }
static const Expr *no(const Waits *w, const Expr *e) { return expr_not(w->program->exprs, e); }

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

/* ---- what may wait ---- */

static bool instr_waits(const Instr *i) { return i->kind == INSTR_LOCK || i->kind == INSTR_JOIN || (i->kind == INSTR_ASSUME && i->waits); }

/* It may be known who holds what it waits for. */
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

/* Nothing can keep it from being taken, but its guard. */
static bool is_free(const Waits *w, const Action *a) {
    for (size_t i = 0; i < vec_len(a->instrs); i++)
        if (a->instrs[i].kind == INSTR_ASSUME || instr_waits(&a->instrs[i])) return false;
    return !leads_to_wait(w, a);
}

/* Who tries what it would do next must change nothing that others see. */
static bool is_private(const Instr *i) {
    switch (i->kind) {
    case INSTR_ASSIGN:
    case INSTR_HAVOC:
    case INSTR_LOAD:
    case INSTR_SIZE: return !i->target->global;
    case INSTR_ASSUME:
    case INSTR_FENCE: return true;
    default: return false;
    }
}

static void refuse(Waits *w, const Action *a) {
    if (w->out->refused) return;
    w->out->refused = "a thread may wait in the middle of a step that others see: whether it does is not asked of this engine";
    w->out->where = a->position;
}

/* ---- actions that are none of the program's ---- */

static unsigned place(const Waits *w, const Action *like, LocationKind kind) {
    unsigned l = template_location(w->program, w->template_, kind, like->position);
    w->template_->locations[l].function = w->template_->locations[like->source].function;
    if (kind == LOCATION_ERROR) w->template_->locations[l].text = "threads wait for ever";
    return l;
}

/* Good until the next is added. */
static Action *extra(Waits *w, const Action *like, unsigned source, unsigned target, const Expr *guard) {
    Action *x = template_action(w->program, w->template_, source, target, guard, like->position);
    instrumented_note(w->out, w->template_->index, x->index, NO_ACTION);
    return x;
}

static void answer(Waits *w, const Action *like, unsigned at) {
    if (w->asked) set(extra(w, like, at, at, is_self(w, w->asked)), w->asked, number(w, 0));
}

/* From `source`, where it is tried: as much of the action as comes before an instruction. */
static Action *begin(Waits *w, const Action *like, unsigned source, unsigned target, const Expr *guard, size_t before) {
    for (size_t i = 0; i < before; i++)
        if (!is_private(&like->instrs[i])) refuse(w, like);
    Action *x = extra(w, like, source, target, guard);
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
    const Action *action; /* a copy of it, and of the instructions' vec: templates grow */
    const Expr *guard;
    unsigned source;
    size_t at; /* the instruction that waits */
} Try;

static Action *tried(Waits *w, const Try *t, unsigned target) { return begin(w, t->action, t->source, target, t->guard, t->at); }

static unsigned rest(Waits *w, const Action *like) {
    unsigned l = place(w, like, LOCATION_PLAIN);
    answer(w, like, l);
    return l;
}

/* The thread says that it waits. */
static void say(Waits *w, Action *x, bool last) {
    const Expr *one = is_number(w, w->unsure, 1);
    assume(x, both(w, is_number(w, w->moving, 0), last ? one : no(w, one)));
    if (!last) add(w, x, w->unsure, OP_SUB);
}

static void try_join(Waits *w, const Try *t) {
    const Action *like = t->action;
    unsigned asks = rest(w, like);
    Action *x = tried(w, t, asks);
    assume(x, both(w, is_number(w, w->moving, 0), is_number(w, w->asked, 0)));
    set(x, w->asked, like->instrs[t->at].address);
    const Expr *answered = is_number(w, w->asked, 0);
    say(w, extra(w, like, asks, place(w, like, LOCATION_ERROR), answered), true);
    say(w, extra(w, like, asks, rest(w, like), answered), false);
}

/* The thread must wait; what it waits for is held by the thread with this number. */
static const Expr *holder(Waits *w, const Try *t, Action *x) {
    const Instr *i = &t->action->instrs[t->at];
    const Expr *zero = number(w, 0);
    if (i->kind == INSTR_ASSUME) {
        assume(x, no(w, i->value));
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
    assume(x, no(w, expr_eq(w->program->exprs, word, zero)));
    return word;
}

/* … by itself, or by a thread that has ended; or by one that waits in turn. */
static void try_cycle(Waits *w, const Try *t, unsigned error, unsigned done) {
    Exprs *e = w->program->exprs;
    Action *x = tried(w, t, error);
    const Expr *by = holder(w, t, x), *own = expr_eq(e, by, value(w, w->template_->self));
    const Expr *gone = w->ended ? both(w, no(w, is_number(w, w->ended, 0)), is(w, w->ended, by)) : NULL;
    assume(x, gone ? expr_or(e, own, gone) : own);

    x = tried(w, t, done); /* a cycle begins … */
    by = holder(w, t, x);
    assume(x, is_number(w, w->first, 0));
    set(x, w->first, value(w, w->template_->self));
    set(x, w->next, by);
    x = tried(w, t, done); /* … goes on … */
    by = holder(w, t, x);
    assume(x, both(w, is_self(w, w->next), no(w, is(w, w->first, by))));
    set(x, w->next, by);
    x = tried(w, t, error); /* … and closes */
    by = holder(w, t, x);
    assume(x, both(w, is_self(w, w->next), is(w, w->first, by)));
}

/* For a lock, or what a library function waits for. */
static void try_condition(Waits *w, const Try *t) {
    const Action *like = t->action;
    unsigned error = place(w, like, LOCATION_ERROR), done = rest(w, like);
    Action *x = tried(w, t, error);
    holder(w, t, x);
    say(w, x, true);
    x = tried(w, t, done);
    holder(w, t, x);
    say(w, x, false);
    if (has_holder(&like->instrs[t->at])) try_cycle(w, t, error, done);
}

/* ---- where a thread may wait ---- */

static void try_location(Waits *w, unsigned location, unsigned source);

/* Where the atomic section's location is tried. */
static unsigned copy_of(Waits *w, const Action *like, unsigned location) {
    if (w->copies[location] != NOWHERE) return w->copies[location];
    unsigned l = w->copies[location] = place(w, like, LOCATION_PLAIN);
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

/* From `source`, each action that may wait is tried as if it were at the location. */
static void try_location(Waits *w, unsigned location, unsigned source) {
    unsigned *out = NULL;
    for (size_t i = 0; i < vec_len(w->template_->locations[location].out); i++)
        if (w->template_->locations[location].out[i] < w->actions) vec_push(out, w->template_->locations[location].out[i]);
    const Expr *none = expr_bool(w->program->exprs, true); /* of those that do not wait can be taken */
    vec_each_of(const Action, a, w->template_->actions, out)
        if (is_free(w, a)) none = both(w, none, a->guard ? no(w, a->guard) : expr_bool(w->program->exprs, false));
    for (size_t i = 0; i < vec_len(out) && !expr_is_false(none); i++) {
        const Action a = w->template_->actions[out[i]];
        if (leads_to_wait(w, &a)) try_action(w, &a, a.guard ? both(w, a.guard, none) : none, source);
    }
    vec_free(out);
}

static void ask_location(Waits *w, unsigned location) {
    const Action like = w->template_->actions[w->template_->locations[location].out[0]];
    unsigned given_up = rest(w, &like);
    add(w, extra(w, &like, location, given_up, w->first ? is_number(w, w->first, 0) : NULL), w->moving, OP_SUB);
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
    instrumented_note(w->out, t->index, x->index, action);
    vec_last(w->out->extra).in_place = true;
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
        out.refused = "deadlocks under weak memory are not asked of this engine";
        return out;
    }
    w.moving = ghost(&w, "moving", "(threads that have not given up)", begins(p, 0));
    w.unsure = ghost(&w, "unsure", "(threads that may go on)", begins(p, 0));
    if (has(p, joins)) w.asked = ghost(&w, "asked", "(who is asked whether it has ended)", 0);
    if (has(p, has_holder)) {
        w.first = ghost(&w, "first", "(who is first in a cycle of locks)", 0);
        w.next = ghost(&w, "next", "(who is next in a cycle of locks)", 0);
        if (threads_end(p)) w.ended = ghost(&w, "ended", "(a thread that has ended)", 0);
    }
    for (size_t t = 0; t < vec_len(p->templates); t++) ask_template(&w, p->templates[t]);
    vec_free(w.blocks);
    vec_free(w.copies);
    return out;
}
