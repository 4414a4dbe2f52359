/* SPDX-License-Identifier: Apache-2.0 */
/* Robustness against TSO, as reachability under sequential consistency (Bouajjani, Derevenetc, Meyer: Checking and Enforcing Robustness against TSO, ESOP 2013).

   requires  a well-formed program whose memory is TSO, and its delays
   ensures   a sequentially consistent program, three times as large at most. If it reaches no error, then all executions of the given one under TSO, with buffers of any
             depth, are equal to sequentially consistent ones: each thread does and reads the same. NULL where that cannot be asked
   breaks    errors: there is one kind, that a late store is noticed; what was an error, a stop or the end of the process leads nowhere. Numbers of locations and actions

   One thread, the attacker, keeps its stores to itself from some store s on: it reads them, others do not. At some load l that reads memory it stops. The others go on as under
   sequential consistency. What comes behind l is a chain: who writes what l has read; then who reads what the chain has written, or writes what it has touched; what
   a thread of the chain does later, threads that it creates, and who joins it. If an event of the chain touches the place of s, the cycle closes: s comes before l in its thread, l before
   that event, that event before s arrives. Who is not behind l need not move after it, and does not: it could as well have moved before.

   A location of the new program is one of the old with a mode. NORMAL: as it was; DELAYING: the attacker behind s; BEHIND: in the chain. The places that the chain has touched and written are
   marked in global variables; private values are in locals.

   Why it is enough. Events are loads, stores (when they arrive), and drains; an atomic section is one event. Say that an execution under TSO has no equal. Then the order of its events
   (program order, conflicts, creation and joins) has a cycle. Of all executions in which some thread A has a store s waiting, has loaded l behind it, and an event e that
   conflicts with s comes behind l in this order, take one with the fewest events. e is its last one. (a) Every store that has arrived may as well have arrived at once: when it did, no event behind
   the first load that overtook it conflicts with it, or there were an execution with fewer events; so that load, and all behind it, can be taken after the arrival. (b) The same
   holds for a store that waits to the end and does not conflict with e; what comes behind its loads and not before e can be left out. (c) No two threads have stores waiting that conflict with e: of the loads behind these
   on the chains to e take the last; the other thread's events from its store on matter to nobody, since they are loads and stores that wait; without them there were fewer. So all threads but A are
   sequentially consistent, and A is up to s, its first store that waits; l is the last event of A. What is not behind l can be taken before it. This is an execution of the new program.

   Where this file knows less than that, it does more: of memory (not variables) that it has stored to, the attacker reads any value, and what it copies, fills or gives
   up counts as noticed; conflicts are those of robustness_events.c; the store s is one of those that `delays` says may be late (others close no such cycle). */
#include "passes/program/robustness_monitor.h"
#include "ir/copy.h"
#include "ir/fields.h"
#include "passes/program/robustness_events.h"
#include <string.h>

enum { NONE = ~0u };

typedef enum Mode { NORMAL, DELAYING, BEHIND, MODES } Mode;

typedef struct Private { /* of a global variable */
    Variable *value;     /* NULL: the attacker does not store to it while it delays */
    Variable *is_set;
} Private;

typedef struct Todo {
    unsigned location;
    Mode mode;
} Todo;

typedef struct Build {
    Program *program;
    const StoreDelays *delays;
    const Events *events;
    Variable *busy;                        /* there is an attacker */
    Variable *loaded;                      /* … and it has loaded l */
    Variable **touched, **written, **late; /* vecs: by place; NULL: never. late: s is a store to it */
    /* of the template: */
    Template *template_;
    Location *locations; /* as it was: vecs */
    Action *actions;
    const StoreDelay *delay;
    Private *private;    /* a vec: by global variable */
    bool *keeps;         /* a vec: by object: the attacker may have stored to it */
    unsigned *at[MODES]; /* vecs: by old location: the new one, or NONE */
    Todo *todo;
    unsigned noticed, done; /* locations, or NONE: the error; where the attacker stops */
} Build;

/* ---- small things ---- */

static const Expr *truth(Build *b, bool value) { return expr_bool(b->program->exprs, value); }

static const Expr *is(Build *b, const Variable *v) { return variable_expr(b->program, v); }

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

static unsigned noticed(Build *b, Position at) {
    if (b->noticed != NONE) return b->noticed;
    b->noticed = template_location(b->program, b->template_, LOCATION_ERROR, at);
    b->template_->locations[b->noticed].text = "others notice that a store is late";
    return b->noticed;
}

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

static const Touch *touches(const Build *b, const Action *a) { return b->events->of[b->template_->index][a->index]; }

/* Does the event come behind one of the chain? */
static const Expr *joins(Build *b, const Touch *list) {
    const Expr *any = truth(b, false);
    for (size_t i = 0; i < vec_len(list); i++)
        if (touch_may_join(b->events, &list[i]))
            any = expr_or(b->program->exprs, any, is(b, (list[i].writes ? b->touched : b->written)[list[i].place]));
    return any;
}

/* Does it touch what s stores to? */
static const Expr *closes(Build *b, const Touch *list) {
    const Expr *any = truth(b, false);
    for (size_t i = 0; i < vec_len(list); i++)
        if (b->late[list[i].place]) any = expr_or(b->program->exprs, any, is(b, b->late[list[i].place]));
    return any;
}

/* An event of the chain, when that is so. */
static void add_behind(Build *b, unsigned from, const Action *a, const Expr *when) {
    const Touch *list = touches(b, a);
    const Expr *closed = closes(b, list);
    Instr *instrs = copied(a);
    if (!expr_is_false(closed)) add_action(b, from, noticed(b, a->position), both(b, both(b, when, closed), a->guard), copied(a), a);
    for (size_t i = 0; i < vec_len(list); i++) {
        set(b, &instrs, b->touched[list[i].place], a->position);
        if (list[i].writes) set(b, &instrs, b->written[list[i].place], a->position);
    }
    add_action(b, from, location_for(b, a->target, BEHIND), both(b, both(b, when, negated(b, closed)), a->guard), instrs, a);
}

/* ---- the attacker ---- */

static const Expr *view(void *context, const Expr *e) {
    Build *b = context;
    const Variable *v = expr_variable(e);
    if (!v || !v->global || !b->private[v->index].value) return NULL;
    return expr_ite(b->program->exprs, is(b, b->private[v->index].is_set), is(b, b->private[v->index].value), e);
}

static const Expr *viewed(Build *b, const Expr *e) { return e ? expr_substitute(b->program->exprs, e, view, b) : NULL; }

/* May it be memory that the attacker has stored to? */
static bool may_keep(const Build *b, const Action *a) {
    const Touch *list = b->events->all[b->template_->index][a->index];
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

/* The store is kept: the other instructions of its action are as they were. */
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

/* A value that nobody reads. */
static const Expr *nothing(Build *b, const Variable *v) {
    return v->sort->kind == SORT_BV ? expr_bv(b->program->exprs, v->sort->width, 0) : is(b, v);
}

/* It is s. */
static void begin(Build *b, unsigned from, const Action *a) {
    Instr *instrs = NULL;
    for (size_t i = 0; i < vec_len(b->private); i++) {
        Private *p = &b->private[i];
        if (!p->value) continue;
        vec_push(instrs, assignment(p->value, nothing(b, b->program->globals[i]), a->position));
        vec_push(instrs, assignment(p->is_set, truth(b, false), a->position));
    }
    keep_store(b, a, &instrs);
    set(b, &instrs, b->busy, a->position);
    const Touch *list = touches(b, a);
    for (size_t i = 0; i < vec_len(list); i++)
        if (list[i].writes) set(b, &instrs, b->late[list[i].place], a->position);
    add_action(b, from, location_for(b, a->target, DELAYING), both(b, negated(b, is(b, b->busy)), a->guard), instrs, a);
}

/* It is l: what it reads in memory the chain begins with. */
static void stop_at(Build *b, unsigned from, const Action *a) {
    Instr *instrs = viewed_instrs(b, a);
    const Touch *list = touches(b, a);
    for (size_t i = 0; i < vec_len(list); i++) {
        unsigned place = list[i].place;
        if (!b->touched[place]) continue;
        const Private *p = place < vec_len(b->private) ? &b->private[place] : NULL;
        const Expr *memory = p && p->value ? negated(b, is(b, p->is_set)) : truth(b, true);
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

static void delay(Build *b, unsigned from, const Action *a) {
    const StoreDelay *d = &b->delay[a->index];
    Instr *instrs = NULL;
    if (d->weak.kind == WEAK_DRAIN) return;
    if (d->weak.kind == WEAK_BLOCK || ends_life(b, a)) {
        add_action(b, from, noticed(b, a->position), truth(b, true), NULL, a);
        return;
    }
    if (d->weak.kind == WEAK_LOAD && d->seen) stop_at(b, from, a);
    if (!goes_on(b, a)) return;
    if (d->weak.kind == WEAK_STORE) keep_store(b, a, &instrs);
    else instrs = viewed_instrs(b, a);
    add_action(b, from, location_for(b, a->target, DELAYING), viewed(b, a->guard), instrs, a);
}

/* ---- a template ---- */

static void expand_action(Build *b, unsigned from, Mode mode, const Action *a) {
    const Touch *list = touches(b, a);
    if (b->locations[a->target].kind == LOCATION_HALT) return;
    if (mode == DELAYING) {
        delay(b, from, a);
    } else if (!vec_len(list)) {
        add_action(b, from, location_for(b, a->target, mode), a->guard, copied(a), a);
    } else if (mode == BEHIND) {
        add_behind(b, from, a, truth(b, true));
    } else {
        const Expr *joined = joins(b, list), *loaded = is(b, b->loaded);
        add_action(b, from, location_for(b, a->target, NORMAL), both(b, negated(b, loaded), a->guard), copied(a), a);
        if (!expr_is_false(joined)) add_behind(b, from, a, both(b, loaded, joined));
        if (b->delay[a->index].late) begin(b, from, a);
    }
}

/* Who was created by the chain is part of it. */
static void add_entry(Build *b, unsigned entry) {
    Template *t = b->template_;
    Variable *created = t->index ? b->written[b->events->created] : NULL;
    if (!created) {
        t->entry = location_for(b, entry, NORMAL);
        return;
    }
    Action like = {.approximation = NO_APPROXIMATION, .position = b->locations[entry].position};
    t->entry = template_location(b->program, t, LOCATION_PLAIN, like.position);
    add_action(b, t->entry, location_for(b, entry, NORMAL), negated(b, is(b, b->loaded)), NULL, &like);
    add_action(b, t->entry, location_for(b, entry, BEHIND), both(b, is(b, b->loaded), is(b, created)), NULL, &like);
}

static void add_private(Build *b, const Variable *global) {
    Private *p = &b->private[global->index];
    if (p->value) return;
    p->value = template_local(b->program, b->template_, "kept", global->sort);
    p->is_set = template_local(b->program, b->template_, "keeps", sort_bool(b->program->exprs));
    p->value->temporary = p->is_set->temporary = true;
    if (global->is_signed) variable_set_signed(b->program, p->value, true);
}

static void find_kept(Build *b) {
    for (size_t i = 0; i < vec_len(b->actions); i++) {
        const Action *a = &b->actions[i];
        const StoreDelay *d = &b->delay[i];
        if (d->weak.kind != WEAK_STORE || !(d->late || b->events->delaying[b->template_->index][a->source])) continue;
        const Variable *v = a->instrs[d->weak.instr].target;
        const Touch *list = b->events->all[b->template_->index][i];
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
    b->noticed = b->done = NONE;
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

/* ---- all ---- */

/* Marks of what matters only: places that s may store to, and those that a chain may touch. */
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
    for (size_t t = 0; t < vec_len(e->of); t++)
        for (size_t a = 0; a < vec_len(e->of[t]); a++)
            for (size_t i = 0; b->delays->of[t][a].late && i < vec_len(e->of[t][a]); i++)
                if (e->of[t][a][i].writes && !b->late[e->of[t][a][i].place])
                    b->late[e->of[t][a][i].place] = mark_of(b, "late", e->of[t][a][i].place);
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
