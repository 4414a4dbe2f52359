/* SPDX-License-Identifier: Apache-2.0 */
/* Makes a program that reaches an error if another thread may observe a delayed store under TSO. Follows Bouajjani, Derevenetc and Meyer,
   "Checking and Enforcing Robustness against TSO", ESOP 2013; doc/rules.md ("Robustness") has the statement and the soundness argument.

   requires  a well-formed program whose memory is TSO, and its delays
   ensures   a sequentially consistent program, at most three times as large. If the new program reaches no error, each
             execution of the given program under TSO, with buffers of any depth, has an equivalent sequentially consistent execution. In
             both, each thread takes the same steps and reads the same values. The result is NULL for a refused program (Events.refused).
   breaks    errors: the only error is that a thread observes a delayed store. Paths to an ERROR, a STOP or the end of the process end before.
             Locations and actions are numbered anew.

   One thread, the attacker, keeps its stores private from some store s on: it reads their values, and other threads do not. The attacker stops at
   some load l that reads memory. The other threads continue under sequential consistency. The chain is the set of events after l. The chain
   begins when a thread writes a place that l has read. An event is added if it conflicts with an event of the chain. A thread of the chain adds
   its later events, the threads that it creates, and their joins. If an event e of the chain accesses the place of s, a cycle closes. For s is
   before l in program order, e is after l, and s arrives after e. An event outside the chain is never taken after l, since it could have been
   taken before l.

   A location of the new program is an old location with a mode. The attacker is DELAYING after s, a thread of the chain is BEHIND, and all
   other threads are NORMAL. Global variables mark the places that the chain accessed and wrote. Locals hold the private values.

   The file deviates from the theorem where it knows too little; all deviations only add errors. If the attacker stored to memory (not to a
   variable), its loads of that memory return any value. An action that copies or fills memory, or that begins or ends the life of a shared
   object, counts as observed. Conflicts are those of robustness_events.c. The store s is one that `delays` marks late: no other store closes
   a cycle. */
#include "passes/program/robustness_monitor.h"
#include "ir/copy.h"
#include "ir/fields.h"
#include "passes/messages.h"
#include "passes/program/robustness_events.h"
#include <string.h>

enum { NONE = ~0u };

typedef enum Mode { NORMAL, DELAYING, BEHIND, MODES } Mode;

typedef struct Private { /* the attacker's own value of a global variable */
    Variable *value;     /* NULL: the attacker does not store to the variable while it delays */
    Variable *is_set;    /* the attacker has stored to it */
} Private;

typedef struct Todo {
    unsigned location;
    Mode mode;
} Todo;

typedef struct Build {
    Program *program;
    const StoreDelays *delays;
    const Events *events;
    Variable *busy;                        /* some thread is the attacker */
    Variable *loaded;                      /* the attacker has taken l */
    Variable **touched, **written, **late; /* vecs, by place: the chain accessed it, the chain wrote it, s stores to it; NULL: never true */
    /* for the present template: */
    Template *template_;
    Location *locations; /* a vec: the old locations */
    Action *actions;     /* a vec: the old actions */
    const StoreDelay *delay;
    Private *private;    /* a vec: by global variable */
    bool *keeps;         /* a vec: by object: the attacker may have stored to it */
    unsigned *at[MODES]; /* vecs: by old location: the new one, or NONE */
    Todo *todo;
    unsigned observed, done; /* locations, or NONE: the error; the place where the attacker stops */
} Build;

/* ---- expressions and instructions ---- */

static const Expr *truth(Build *b, bool value) { return expr_bool(b->program->exprs, value); }

static const Expr *expr_of(Build *b, const Variable *v) { return variable_expr(b->program, v); }

static const Expr *both(Build *b, const Expr *x, const Expr *y) { return expr_and(b->program->exprs, x, y); }

static const Expr *negated(Build *b, const Expr *x) { return expr_not(b->program->exprs, x); }

static Instr assignment(Variable *to, const Expr *value, Position at) {
    return (Instr){.kind = INSTR_ASSIGN, .target = to, .value = value, .position = at};
}

static void set(Build *b, Instr **instrs, Variable *v, Position at) {
    if (v) vec_push(*instrs, assignment(v, truth(b, true), at));
}

static Variable *mark(Build *b, const char *name) {
    Variable *v = program_global(b->program, name, sort_bool(b->program->exprs), truth(b, false));
    v->temporary = true;
    return v;
}

static Variable *mark_of(Build *b, const char *what, unsigned place) {
    const Program *p = b->events->program;
    size_t globals = vec_len(p->globals), objects = vec_len(p->objects);
    const char *name = place < globals             ? p->globals[place]->name
                       : place < globals + objects ? p->objects[place - globals]->name
                       : place == b->events->heap  ? "heap"
                                                   : "threads";
    Buf text = {0};
    buf_printf(&text, "%s.%s", what, name);
    Variable *v = mark(b, exprs_intern(b->program->exprs, buf_string(&text)));
    buf_free(&text);
    return v;
}

static Instr *copied(const Action *a) {
    Instr *instrs = NULL;
    for (size_t i = 0; i < vec_len(a->instrs); i++) vec_push(instrs, a->instrs[i]);
    return instrs;
}

/* ---- locations ---- */

static unsigned location_for(Build *b, unsigned old, Mode mode) {
    if (b->at[mode][old] != NONE) return b->at[mode][old];
    Location l = b->locations[old];
    l.index = b->at[mode][old] = (unsigned)vec_len(b->template_->locations);
    l.out = NULL;
    if (l.kind != LOCATION_END || mode == DELAYING) {
        l.kind = LOCATION_PLAIN;
        l.text = NULL;
        l.approximation = NO_APPROXIMATION;
    }
    vec_push(b->template_->locations, l);
    vec_push(b->todo, ((Todo){old, mode}));
    return l.index;
}

/* Returns the error location of the template. */
static unsigned observed(Build *b, Position at) {
    if (b->observed != NONE) return b->observed;
    b->observed = template_location(b->program, b->template_, LOCATION_ERROR, at);
    b->template_->locations[b->observed].text = MSG_PASSES_DELAY_OBSERVED;
    return b->observed;
}

/* Returns the location where the attacker stops, which has no way on. */
static unsigned done(Build *b, Position at) {
    if (b->done == NONE) b->done = template_location(b->program, b->template_, LOCATION_PLAIN, at);
    return b->done;
}

static void add_action(Build *b, unsigned from, unsigned to, const Expr *guard, Instr *instrs, const Action *like) {
    if (expr_is_false(guard)) {
        vec_free(instrs);
        return;
    }
    Action *a = template_action(b->program, b->template_, from, to, guard, like->position);
    a->instrs = instrs;
    fields_copy(action_fields, a, like);
}

static bool goes_on(const Build *b, const Action *a) { return b->locations[a->target].kind == LOCATION_PLAIN; }

/* ---- the chain ---- */

static const EventAccess *touches(const Build *b, const Action *a) { return b->events->ordering[b->template_->index][a->index]; }

/* Returns the condition that an event with these accesses comes after an event of the chain. */
static const Expr *joins_chain(Build *b, const EventAccess *list) {
    const Expr *any = truth(b, false);
    for (size_t i = 0; i < vec_len(list); i++)
        if (event_may_join_chain(b->events, &list[i]))
            any = expr_or(b->program->exprs, any, expr_of(b, (list[i].writes ? b->touched : b->written)[list[i].place]));
    return any;
}

/* Returns the condition that one of the accesses is of the place of s, so that the cycle closes. */
static const Expr *closes_cycle(Build *b, const EventAccess *list) {
    const Expr *any = truth(b, false);
    for (size_t i = 0; i < vec_len(list); i++)
        if (b->late[list[i].place]) any = expr_or(b->program->exprs, any, expr_of(b, b->late[list[i].place]));
    return any;
}

/* Adds the action as an event of the chain, under the condition `when`: it leads to the error if it closes the cycle, otherwise it marks its
   places. */
static void add_behind(Build *b, unsigned from, const Action *a, const Expr *when) {
    const EventAccess *list = touches(b, a);
    const Expr *closed = closes_cycle(b, list);
    Instr *instrs = copied(a);
    if (!expr_is_false(closed)) add_action(b, from, observed(b, a->position), both(b, both(b, when, closed), a->guard), copied(a), a);
    for (size_t i = 0; i < vec_len(list); i++) {
        set(b, &instrs, b->touched[list[i].place], a->position);
        if (list[i].writes) set(b, &instrs, b->written[list[i].place], a->position);
    }
    add_action(b, from, location_for(b, a->target, BEHIND), both(b, both(b, when, negated(b, closed)), a->guard), instrs, a);
}

/* ---- the attacker ---- */

/* Returns the value of a global variable for the attacker: its private value if that is set. */
static const Expr *view(void *context, const Expr *e) {
    Build *b = context;
    const Variable *v = expr_variable(e);
    if (!v || !v->global || !b->private[v->index].value) return NULL;
    return expr_ite(b->program->exprs, expr_of(b, b->private[v->index].is_set), expr_of(b, b->private[v->index].value), e);
}

static const Expr *viewed(Build *b, const Expr *e) { return e ? expr_substitute(b->program->exprs, e, view, b) : NULL; }

/* True if the action may access an object that the attacker has stored to. */
static bool may_keep(const Build *b, const Action *a) {
    const EventAccess *list = b->events->all[b->template_->index][a->index];
    for (size_t i = 0; i < vec_len(list); i++) {
        size_t globals = vec_len(b->events->program->globals), object = list[i].place - globals;
        if (list[i].place >= globals && object < vec_len(b->keeps) && b->keeps[object]) return true;
    }
    return false;
}

static bool is_seen(const Build *b, const Expr *address) {
    const Object *o = address_base(address);
    return !o || b->events->shared[o->index];
}

static Instr *viewed_instrs(Build *b, const Action *a) {
    Instr *instrs = copied(a);
    bool kept = may_keep(b, a);
    vec_each_at(Instr, x, instrs) {
        x->address = viewed(b, x->address);
        x->value = viewed(b, x->value);
        x->size = viewed(b, x->size);
        if (x->kind == INSTR_LOAD && kept && is_seen(b, x->address))
            *x = (Instr){.kind = INSTR_HAVOC, .target = x->target, .position = x->position};
    }
    return instrs;
}

/* Adds the instructions of the action, with its store made private: a store to a variable sets the private value, a store to memory is
   dropped. */
static void keep_store(Build *b, const Action *a, Instr **instrs) {
    unsigned at = b->delay[a->index].weak.instr;
    for (unsigned i = 0; i < vec_len(a->instrs); i++) {
        Instr x = a->instrs[i];
        if (i == at && x.kind == INSTR_STORE) continue;
        if (i == at) {
            Private *p = &b->private[x.target->index];
            x.target = p->value;
            x.atomic = false;
            x.order = ORDER_SEQ_CST;
            set(b, instrs, p->is_set, x.position);
        }
        vec_push(*instrs, x);
    }
}

/* Returns a value of the variable's sort; no thread reads it. */
static const Expr *unused_value(Build *b, const Variable *v) {
    return v->sort->kind == SORT_BV ? expr_bv(b->program->exprs, v->sort->width, 0) : expr_of(b, v);
}

/* Adds the action as s: the thread becomes the attacker. */
static void begin(Build *b, unsigned from, const Action *a) {
    Instr *instrs = NULL;
    for (size_t i = 0; i < vec_len(b->private); i++) {
        Private *p = &b->private[i];
        if (!p->value) continue;
        vec_push(instrs, assignment(p->value, unused_value(b, b->program->globals[i]), a->position));
        vec_push(instrs, assignment(p->is_set, truth(b, false), a->position));
    }
    keep_store(b, a, &instrs);
    set(b, &instrs, b->busy, a->position);
    const EventAccess *list = touches(b, a);
    for (size_t i = 0; i < vec_len(list); i++)
        if (list[i].writes) set(b, &instrs, b->late[list[i].place], a->position);
    add_action(b, from, location_for(b, a->target, DELAYING), both(b, negated(b, expr_of(b, b->busy)), a->guard), instrs, a);
}

/* Adds the action as l: the chain begins with the places that it reads from memory. */
static void stop_at(Build *b, unsigned from, const Action *a) {
    Instr *instrs = viewed_instrs(b, a);
    const EventAccess *list = touches(b, a);
    for (size_t i = 0; i < vec_len(list); i++) {
        unsigned place = list[i].place;
        if (!b->touched[place]) continue;
        const Private *p = place < vec_len(b->private) ? &b->private[place] : NULL;
        const Expr *memory = p && p->value ? negated(b, expr_of(b, p->is_set)) : truth(b, true);
        vec_push(instrs, assignment(b->touched[place], memory, a->position));
    }
    set(b, &instrs, b->loaded, a->position);
    add_action(b, from, done(b, a->position), viewed(b, a->guard), instrs, a);
}

static bool ends_life(const Build *b, const Action *a) {
    for (size_t i = 0; i < vec_len(a->instrs); i++)
        if ((a->instrs[i].kind == INSTR_ALIVE || a->instrs[i].kind == INSTR_DEAD) && b->events->shared[a->instrs[i].object->index])
            return true;
    return false;
}

/* Adds the action as one of the attacker between s and l. The attacker never takes a drain, which would make its stores
   arrive. */
static void delay(Build *b, unsigned from, const Action *a) {
    const StoreDelay *d = &b->delay[a->index];
    Instr *instrs = NULL;
    if (d->weak.kind == WEAK_DRAIN) return;
    if (d->weak.kind == WEAK_BLOCK || ends_life(b, a)) {
        add_action(b, from, observed(b, a->position), truth(b, true), NULL, a);
        return;
    }
    if (d->weak.kind == WEAK_LOAD && d->is_observable) stop_at(b, from, a);
    if (!goes_on(b, a)) return;
    if (d->weak.kind == WEAK_STORE) keep_store(b, a, &instrs);
    else instrs = viewed_instrs(b, a);
    add_action(b, from, location_for(b, a->target, DELAYING), viewed(b, a->guard), instrs, a);
}

/* ---- a template ---- */

static void expand_action(Build *b, unsigned from, Mode mode, const Action *a) {
    const EventAccess *list = touches(b, a);
    if (b->locations[a->target].kind == LOCATION_HALT) return;
    if (mode == DELAYING) {
        delay(b, from, a);
    } else if (!vec_len(list)) {
        add_action(b, from, location_for(b, a->target, mode), a->guard, copied(a), a);
    } else if (mode == BEHIND) {
        add_behind(b, from, a, truth(b, true));
    } else {
        const Expr *joined = joins_chain(b, list), *loaded = expr_of(b, b->loaded);
        add_action(b, from, location_for(b, a->target, NORMAL), both(b, negated(b, loaded), a->guard), copied(a), a);
        if (!expr_is_false(joined)) add_behind(b, from, a, both(b, loaded, joined));
        if (b->delay[a->index].may_be_delayed) begin(b, from, a);
    }
}

/* Adds the entry of the template. A thread that the chain created starts as part of it. */
static void add_entry(Build *b, unsigned entry) {
    Template *t = b->template_;
    Variable *created = t->index ? b->written[b->events->created] : NULL;
    if (!created) {
        t->entry = location_for(b, entry, NORMAL);
        return;
    }
    Action like = {.approximation = NO_APPROXIMATION, .position = b->locations[entry].position};
    t->entry = template_location(b->program, t, LOCATION_PLAIN, like.position);
    add_action(b, t->entry, location_for(b, entry, NORMAL), negated(b, expr_of(b, b->loaded)), NULL, &like);
    add_action(b, t->entry, location_for(b, entry, BEHIND), both(b, expr_of(b, b->loaded), expr_of(b, created)), NULL, &like);
}

static void add_private(Build *b, const Variable *global) {
    Private *p = &b->private[global->index];
    if (p->value) return;
    p->value = template_local(b->program, b->template_, "kept", global->sort);
    p->is_set = template_local(b->program, b->template_, "keeps", sort_bool(b->program->exprs));
    p->value->temporary = p->is_set->temporary = true;
    if (global->is_signed) variable_set_signed(b->program, p->value, true);
}

/* Finds the variables and objects that the template stores to while it delays. */
static void find_kept(Build *b) {
    for (size_t i = 0; i < vec_len(b->actions); i++) {
        const Action *a = &b->actions[i];
        const StoreDelay *d = &b->delay[i];
        if (d->weak.kind != WEAK_STORE || !(d->may_be_delayed || b->events->delaying[b->template_->index][a->source])) continue;
        const Variable *v = a->instrs[d->weak.instr].target;
        const EventAccess *list = b->events->all[b->template_->index][i];
        if (v && a->instrs[d->weak.instr].kind != INSTR_STORE) add_private(b, v);
        else
            for (size_t k = 0; k < vec_len(list); k++) b->keeps[list[k].place - vec_len(b->private)] = true;
    }
}

static void release_template(Build *b) {
    for (size_t i = 0; i < vec_len(b->locations); i++) vec_free(b->locations[i].out);
    for (size_t i = 0; i < vec_len(b->actions); i++) vec_free(b->actions[i].instrs);
    for (int m = 0; m < MODES; m++) vec_free(b->at[m]);
    vec_free(b->locations);
    vec_free(b->actions);
    vec_free(b->private);
    vec_free(b->keeps);
    vec_free(b->todo);
}

static void build_template(Build *b, Template *t) {
    b->template_ = t;
    b->locations = t->locations;
    b->actions = t->actions;
    b->delay = b->delays->of[t->index];
    t->locations = NULL;
    t->actions = NULL;
    b->observed = b->done = NONE;
    vec_resize(b->private, vec_len(b->events->program->globals));
    vec_resize(b->keeps, vec_len(b->events->program->objects));
    for (int m = 0; m < MODES; m++)
        for (size_t i = 0; i < vec_len(b->locations); i++) vec_push(b->at[m], NONE);
    find_kept(b);
    add_entry(b, t->entry);
    while (vec_len(b->todo)) {
        Todo x = vec_pop(b->todo);
        const Location *l = &b->locations[x.location];
        unsigned from = b->at[x.mode][x.location];
        for (size_t i = 0; i < vec_len(l->out); i++) expand_action(b, from, x.mode, &b->actions[l->out[i]]);
    }
    template_mark_loops(t);
    release_template(b);
}

/* ---- the program ---- */

/* Adds the marks: for the places that s may store to, and for those that a chain may access. */
static void add_marks(Build *b) {
    const Events *e = b->events;
    vec_resize(b->touched, e->places);
    vec_resize(b->written, e->places);
    vec_resize(b->late, e->places);
    b->busy = mark(b, "attacked");
    b->loaded = mark(b, "loaded");
    for (unsigned i = 0; i < e->places; i++) {
        if (e->touched[i]) b->touched[i] = mark_of(b, "touched", i);
        if (e->written[i]) b->written[i] = mark_of(b, "written", i);
    }
    for (size_t t = 0; t < vec_len(e->ordering); t++)
        for (size_t a = 0; a < vec_len(e->ordering[t]); a++)
            for (size_t i = 0; b->delays->of[t][a].may_be_delayed && i < vec_len(e->ordering[t][a]); i++)
                if (e->ordering[t][a][i].writes && !b->late[e->ordering[t][a][i].place])
                    b->late[e->ordering[t][a][i].place] = mark_of(b, "late", e->ordering[t][a][i].place);
}

Program *robustness_monitor(const Program *original, const StoreDelays *delays) {
    Events *e = original->memory == MEMORY_TSO ? events_new(original, delays) : NULL;
    Program *p = e && !e->refused ? program_copy(original) : NULL;
    if (p) {
        Build b = {.program = p, .delays = delays, .events = e};
        add_marks(&b);
        for (size_t t = 0; t < vec_len(p->templates); t++) build_template(&b, p->templates[t]);
        p->memory = MEMORY_SC;
        vec_free(b.touched);
        vec_free(b.written);
        vec_free(b.late);
    }
    if (e) events_free(e);
    return p;
}
