/* SPDX-License-Identifier: Apache-2.0 */
/* Finds unescaped heap objects by a data flow through each template. The result has the form of result/race_holders.h. Holders are all locals
   that may get a value made of the result of an ALLOC. A holder may be copied, tested for null, compared with a pointer into the same object,
   and used to access memory. Any other expression over holders is followed through locals. If its value reaches memory or another thread, or
   decides where the thread goes, other threads may know the address. */
#include "analysis/unescaped_heap.h"
#include "base/map.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_CELLS = 1 << 25, LARGEST_CONDITION = 200 };

typedef struct Flow {
    Map *numbers;           /* Variable → holder + 1 */
    Map *sites;             /* Object → site + 1 */
    const Object **objects; /* a vec, by site */
    RaceHolders holders;
} Flow;

struct UnescapedHeap {
    const Program *program;
    Flow *flows; /* a vec, by template */
};

/* ---- holders ---- */

/* Returns the local that an address is made of, if at most a constant is added; otherwise NULL. */
static const Variable *base_local(const Expr *e) {
    if (e->op == OP_ADD && expr_is_const(e->args[1])) e = e->args[0];
    else if (e->op == OP_ADD && expr_is_const(e->args[0])) e = e->args[1];
    const Variable *v = expr_variable((Expr *)e);
    return v && !v->global ? v : NULL;
}

static unsigned holder_of(const Flow *f, const Variable *v) {
    uint64_t n;
    return v && f->numbers && map_get(f->numbers, map_key(v), &n) ? (unsigned)n - 1 : RACE_NONE;
}

static bool give_number(Flow *f, const Variable *v) {
    if (!v || v->global || holder_of(f, v) != RACE_NONE) return false;
    map_put(f->numbers, map_key(v), ++f->holders.variables);
    return true;
}

typedef struct Visit {
    const Flow *flow;
    RaceEvent **events;
    unsigned target; /* the holder that is assigned the expression; RACE_NONE: the holders in it become known */
    bool any, itself;
} Visit;

static void look_for_holder(void *context, const Symbol *s) {
    Visit *v = context;
    unsigned holder = s->kind == SYM_VARIABLE ? holder_of(v->flow, s->user) : RACE_NONE;
    v->any |= holder != RACE_NONE;
    v->itself |= holder != RACE_NONE && holder == v->target;
}

static bool has_holder(const Flow *f, const Expr *e) {
    Visit v = {.flow = f, .target = RACE_NONE};
    expr_symbols(e, look_for_holder, &v);
    return v.any;
}

static bool number_instr(Flow *f, const Instr *i) {
    if (!i->target || i->target->global || holder_of(f, i->target) != RACE_NONE) return false;
    if (i->kind != INSTR_ALLOC && (i->kind != INSTR_ASSIGN || !has_holder(f, i->value))) return false;
    return give_number(f, i->target);
}

static void number_site(Flow *f, const Instr *i) {
    if (i->kind != INSTR_ALLOC || map_get(f->sites, map_key(i->object), NULL)) return;
    map_put(f->sites, map_key(i->object), ++f->holders.sites);
    vec_push(f->objects, i->object);
}

static void find_holders(Flow *f, const Template *t) {
    vec_each_at(const Action, action, t->actions)
        for (size_t i = 0; i < vec_len(action->instrs); i++) number_site(f, &action->instrs[i]);
    for (bool changed = f->holders.sites > 0; changed;) {
        changed = false;
        for (size_t a = 0; a < vec_len(t->actions); a++)
            for (size_t i = 0; i < vec_len(t->actions[a].instrs); i++) changed |= number_instr(f, &t->actions[a].instrs[i]);
    }
}

/* ---- events ---- */

static void emit(RaceEvent **events, RaceOp op, unsigned a, unsigned b) { vec_push(*events, ((RaceEvent){op, a, b})); }

static void visit_symbol(void *context, const Symbol *s) {
    Visit *v = context;
    unsigned holder = s->kind == SYM_VARIABLE ? holder_of(v->flow, s->user) : RACE_NONE;
    if (holder == RACE_NONE) return;
    emit(v->events, v->target == RACE_NONE ? RACE_TELL : RACE_DERIVE, holder, v->target == RACE_NONE ? 0 : v->target);
}

/* Makes known to other threads all that the holders in e may hold. */
static void tell(const Flow *f, const Expr *e, RaceEvent **events) {
    if (e) expr_symbols(e, visit_symbol, &(Visit){.flow = f, .events = events, .target = RACE_NONE});
}

/* Assigns an expression over holders to a holder. */
static void derive(const Flow *f, unsigned target, const Expr *e, RaceEvent **events) {
    Visit v = {.flow = f, .events = events, .target = target};
    expr_symbols(e, look_for_holder, &v);
    if (!v.itself) emit(events, RACE_CLEAR, 0, target);
    expr_symbols(e, visit_symbol, &v);
}

static bool is_null(const Expr *e) { return expr_is_const(e) && !e->value; }

static void compare(const Flow *f, const Expr *e, RaceEvent **events) {
    unsigned x = holder_of(f, base_local(e->args[0])), y = holder_of(f, base_local(e->args[1]));
    if (x != RACE_NONE && y != RACE_NONE) emit(events, RACE_COMPARE, x, y);
    else if (x != RACE_NONE && e->op == OP_EQ && expr_variable(e->args[0]) && is_null(e->args[1])) emit(events, RACE_NULL, x, 0);
    else if (y != RACE_NONE && e->op == OP_EQ && expr_variable(e->args[1]) && is_null(e->args[0])) emit(events, RACE_NULL, y, 0);
    else tell(f, e, events);
}

/* Handles a condition: the steps of the thread may depend on it. */
static void test(const Flow *f, const Expr *e, RaceEvent **events) {
    if (!has_holder(f, e)) return;
    if (e->tree > LARGEST_CONDITION) {
        tell(f, e, events);
        return;
    }
    switch (e->op) {
    case OP_NOT:
    case OP_AND:
    case OP_OR:
        for (unsigned i = 0; i < e->nargs; i++) test(f, e->args[i], events);
        return;
    case OP_EQ:
    case OP_ULT:
    case OP_ULE:
    case OP_SLT:
    case OP_SLE: compare(f, e, events); return;
    default: tell(f, e, events);
    }
}

static void assign(const Flow *f, const Instr *i, RaceEvent **events) {
    unsigned to = holder_of(f, i->target), from = holder_of(f, base_local(i->value));
    if (to == RACE_NONE) tell(f, i->value, events);
    else if (from != RACE_NONE) emit(events, expr_variable(i->value) ? RACE_MOVE : RACE_SHIFT, from, to);
    else derive(f, to, i->value, events);
}

/* The thread accesses memory at the address. */
static void reach(const Flow *f, const Expr *address, RaceEvent **events) {
    unsigned holder = holder_of(f, base_local(address));
    if (holder != RACE_NONE) emit(events, RACE_REACH, holder, 0);
    else tell(f, address, events);
}

static void clear(const Flow *f, const Variable *v, RaceEvent **events) {
    unsigned holder = holder_of(f, v);
    if (holder != RACE_NONE) emit(events, RACE_CLEAR, 0, holder);
}

static void allocate(const Flow *f, const Instr *i, RaceEvent **events) {
    uint64_t site = 0;
    tell(f, i->size, events);
    ensure(map_get(f->sites, map_key(i->object), &site));
    emit(events, RACE_NEW, (unsigned)site - 1, holder_of(f, i->target));
}

static void execute(const Flow *f, const Instr *i, RaceEvent **events) {
    switch (i->kind) {
    case INSTR_ASSIGN: assign(f, i, events); return;
    case INSTR_ALLOC: allocate(f, i, events); return;
    case INSTR_ASSUME:
        tell(f, i->address, events);
        test(f, i->value, events);
        return;
    case INSTR_LOAD: reach(f, i->address, events); break;
    case INSTR_STORE:
        reach(f, i->address, events);
        tell(f, i->value, events);
        break;
    case INSTR_FILL:
        reach(f, i->address, events);
        tell(f, i->value, events);
        tell(f, i->size, events);
        break;
    case INSTR_COPY: /* no memory has anything made of an unknown address */
        reach(f, i->address, events);
        reach(f, i->value, events);
        tell(f, i->size, events);
        break;
    default: /* the object is freed or passed to a thread, or contains a mutex */
        tell(f, i->address, events);
        tell(f, i->value, events);
        tell(f, i->size, events);
    }
    clear(f, i->target, events);
    clear(f, i->cell, events);
}

/* ---- the flow ---- */

/* Returns the value where two ways join, of which the values are x and y. */
static uint16_t either(uint16_t x, uint16_t y) {
    if (x == y) return x;
    if (x == HOLDS_ANY || y == HOLDS_ANY) return HOLDS_ANY;
    if (x == HOLDS_NOTHING || y == HOLDS_NOTHING) return holder_value(holder_site(x == HOLDS_NOTHING ? y : x), HOLDS_PERHAPS);
    if (holder_site(x) != holder_site(y)) return HOLDS_ANY;
    return holder_level(x) > holder_level(y) ? x : y;
}

/* Joins a row to another. True if that changes. */
static bool join(const RaceHolders *h, uint16_t *to, uint16_t *row) {
    bool changed = false;
    for (unsigned s = 0; s < h->sites; s++) {
        changed |= to[s] && !row[s];
        to[s] = row[s] = to[s] && row[s];
    }
    if (changed) holders_tidy(h, to);
    holders_tidy(h, row);
    for (unsigned v = h->sites; v < holders_width(h); v++) {
        uint16_t both = either(to[v], row[v]);
        changed |= both != to[v];
        to[v] = both;
    }
    return changed;
}

static void events_of(const Flow *f, const Action *a, const Instr *before, RaceEvent **events) {
    vec_clear(*events);
    test(f, a->guard, events);
    for (const Instr *i = a->instrs; i != before; i++) execute(f, i, events);
}

static const Instr *end_of(const Action *a) { return a->instrs + vec_len(a->instrs); }

/* Sets the row to the claims that hold in the action before an instruction. */
static void row_before(const Flow *f, const Action *a, const Instr *before, uint16_t *row, RaceEvent **events) {
    const RaceHolders *h = &f->holders;
    memcpy(row, holders_row(h, a->source), holders_width(h) * sizeof *row);
    events_of(f, a, before, events);
    for (size_t e = 0; e < vec_len(*events); e++) holders_apply(h, row, &(*events)[e]);
}

static void spread(const Flow *f, const Template *t, bool *reached, uint16_t *row, RaceEvent **events) {
    const RaceHolders *h = &f->holders;
    unsigned *work = NULL;
    vec_push(work, t->entry);
    reached[t->entry] = true;
    holders_begin(h, holders_row(h, t->entry));
    while (vec_len(work)) {
        const Location *l = &t->locations[vec_pop(work)];
        for (size_t k = 0; k < vec_len(l->out); k++) {
            const Action *a = &t->actions[l->out[k]];
            if (expr_is_false(a->guard)) continue;
            row_before(f, a, end_of(a), row, events);
            bool changed = !reached[a->target];
            if (changed) memcpy(holders_row(h, a->target), row, holders_width(h) * sizeof *row);
            else changed = join(h, holders_row(h, a->target), row);
            reached[a->target] = true;
            if (changed) vec_push(work, a->target);
        }
    }
    vec_free(work);
}

/* Tells whether the rows claim no more than holds, from step to step. */
static bool inductive(const Flow *f, const Template *t, const bool *reached, uint16_t *row, RaceEvent **events) {
    const RaceHolders *h = &f->holders;
    holders_begin(h, row);
    bool good = holders_cover(h, holders_row(h, t->entry), row);
    vec_each_at(const Action, a, t->actions) {
        if (!reached[a->source] || expr_is_false(a->guard)) continue;
        row_before(f, a, end_of(a), row, events);
        good = good && holders_cover(h, holders_row(h, a->target), row);
    }
    return good;
}

static void run_flow(Flow *f, const Template *t) {
    f->numbers = map_new();
    f->sites = map_new();
    find_holders(f, t);
    RaceHolders *h = &f->holders;
    if (!h->sites || h->sites > MOST_SITES || (uint64_t)holders_width(h) * vec_len(t->locations) > MOST_CELLS) return;
    uint16_t *row = NULL;
    bool *reached = NULL;
    RaceEvent *events = NULL;
    vec_resize(h->rows, (size_t)holders_width(h) * vec_len(t->locations));
    vec_resize(row, holders_width(h));
    vec_resize(reached, vec_len(t->locations));
    spread(f, t, reached, row, &events);
    if (!inductive(f, t, reached, row, &events)) vec_free(h->rows);
    vec_free(row);
    vec_free(reached);
    vec_free(events);
}

UnescapedHeap *unescaped_new(const Program *p) {
    UnescapedHeap *u = zeroed(1, sizeof *u);
    u->program = p;
    vec_resize(u->flows, vec_len(p->templates));
    for (size_t t = 0; t < vec_len(p->templates); t++) run_flow(&u->flows[t], p->templates[t]);
    return u;
}

void unescaped_free(UnescapedHeap *u) {
    for (size_t t = 0; t < vec_len(u->flows); t++) {
        map_free(u->flows[t].numbers);
        map_free(u->flows[t].sites);
        vec_free(u->flows[t].objects);
        vec_free(u->flows[t].holders.rows);
    }
    vec_free(u->flows);
    free(u);
}

/* ---- answers ---- */

static const Flow *flow_of(const UnescapedHeap *u, const Template *t) { return &u->flows[t->index]; }

const RaceHolders *unescaped_holders(const UnescapedHeap *u, const Template *t) { return &flow_of(u, t)->holders; }

const Object *unescaped_site(const UnescapedHeap *u, const Template *t, unsigned site) { return flow_of(u, t)->objects[site]; }

unsigned unescaped_holder(const UnescapedHeap *u, const Template *t, const Expr *address) {
    return holder_of(flow_of(u, t), base_local(address));
}

void unescaped_test(const UnescapedHeap *u, const Template *t, const Expr *condition, RaceEvent **events) {
    test(flow_of(u, t), condition, events);
}

void unescaped_execute(const UnescapedHeap *u, const Template *t, const Instr *i, RaceEvent **events) { execute(flow_of(u, t), i, events); }

const Object *unescaped_object(const UnescapedHeap *u, const Template *t, const Action *a, const Instr *i) {
    const Flow *f = flow_of(u, t);
    const RaceHolders *h = &f->holders;
    unsigned holder = i->kind == INSTR_LOAD || i->kind == INSTR_STORE ? unescaped_holder(u, t, i->address) : RACE_NONE;
    if (holder == RACE_NONE || !vec_len(h->rows)) return NULL;
    uint16_t *row = NULL;
    RaceEvent *events = NULL;
    vec_resize(row, holders_width(h));
    row_before(f, a, i, row, &events);
    unsigned site = holders_points(h, row, holder);
    vec_free(row);
    vec_free(events);
    return site == RACE_NONE ? NULL : f->objects[site];
}
