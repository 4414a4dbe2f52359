/* SPDX-License-Identifier: Apache-2.0 */
/* The engine `order` proves that there is no deadlock, by an order in which all locks are taken.

   1. For each location, a data-flow analysis computes the locks that a thread may hold there, and those that it must hold.
   2. A graph of the locks has an edge from a to b if a thread may hold a while it waits for b.
   3. The strongly connected components of the graph, in topological order, are the ranks of the locks.
   4. Locks of one component need a gate: a lock that must be held at every wait for one of them while another one is held. Without a gate, all
      these waits must be in one thread.
   The time is linear in the program, times the number of locks.

   The engine finds no violations. It supports mutexes that are global variables. It refuses mutexes in the heap, condition variables,
   semaphores and barriers. check/lock_order.c states the conditions (doc/rules.md, "An order of locks") and checks them again. */
#include "engine/engine.h"
#include "result/lock_order.h"
#include "base/components.h"
#include "engine/messages.h"
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* At a location of a template, a thread waits for the lock `taken` and may hold the lock `held`. */
typedef struct Edge {
    unsigned held, taken, template_, location;
} Edge;

typedef struct Finder {
    const Program *program;
    LockOrder *order;
    unsigned *lock_of; /* a vec, by global: its lock, or NO_LOCK */
    const Template *template_;
    OrderPlace now; /* the locks held after the instructions so far */
    unsigned *work; /* a vec of locations */
    bool *waiting;  /* a vec, by location: it is in `work` */
    Edge *edges;    /* a vec */
    bool *loose;    /* a vec, by lock: a thread that does not hold the lock may free it */
    Verdict *refused;
} Finder;

static void refuse(Finder *f, Position at, const char *why) {
    if (!f->refused) f->refused = verdict_unknown(at, "order: %s", why);
}

/* Returns the name of the mutex whose word the lock is. */
static const char *lock_name(const Finder *f, unsigned lock) {
    const char *name = f->program->globals[f->order->locks[lock]]->name, *part = strstr(name, ".__data.__lock");
    char copy[200];
    if (!part || part - name >= (ptrdiff_t)sizeof copy) return name;
    memcpy(copy, name, (size_t)(part - name));
    copy[part - name] = 0;
    return exprs_intern(f->program->exprs, copy);
}

/* ---- locks ---- */

/* Returns true if v is a global variable that is initially a free mutex. */
static bool is_mutex_word(const Variable *v) { return v->global && v->init && expr_is_const(v->init) && !(v->init->value & 0xffff); }

static void find_lock(Finder *f, const Instr *x) {
    if (x->kind != INSTR_LOCK && x->kind != INSTR_TRYLOCK && x->kind != INSTR_UNLOCK) return;
    if (!x->cell || !is_mutex_word(x->cell)) {
        refuse(f, x->position, MSG_ENGINE_ORDER_START);
        return;
    }
    unsigned *lock = &f->lock_of[x->cell->index];
    if (*lock != NO_LOCK) return;
    *lock = (unsigned)vec_len(f->order->locks);
    vec_push(f->order->locks, x->cell->index);
}

static void find_locks(Finder *f) {
    const Program *p = f->program;
    vec_resize(f->lock_of, vec_len(p->globals));
    for (size_t i = 0; i < vec_len(p->globals); i++) f->lock_of[i] = NO_LOCK;
    program_each_instr(const Instr, instr, p) find_lock(f, instr);
    vec_resize(f->loose, vec_len(f->order->locks));
    for (size_t i = 0; i < vec_len(f->order->locks); i++) f->loose[i] = false;
}

/* ---- the locks that are held ---- */

/* Removes the tries of the lock, and those whose result is in the local variable v. */
static void drop_tries(OrderPlace *p, unsigned lock, const Variable *v) {
    size_t n = 0;
    for (size_t i = 0; i < vec_len(p->tries); i++)
        if (p->tries[i].lock != lock && !(v && !v->global && p->tries[i].local == v->index)) p->tries[n++] = p->tries[i];
    vec_resize(p->tries, n);
}

static void release(OrderPlace *p, unsigned lock) {
    locks_remove(p->may, lock);
    locks_remove(p->must, lock);
    drop_tries(p, lock, NULL);
}

static const Expr *as_zero(void *context, const Expr *symbol) {
    const Finder *f = ((const void *const *)context)[0];
    return symbol->symbol == ((const void *const *)context)[1] ? expr_const(f->program->exprs, symbol->sort, 0) : symbol;
}

/* Releases the locks whose attempts have failed if the guard holds: the guard is false if the attempt's result is 0. */
static void follow_guard(Finder *f, const Expr *guard) {
    for (size_t i = 0; guard && i < vec_len(f->now.tries);) {
        const void *context[] = {f, f->template_->locals[f->now.tries[i].local]->symbol};
        if (expr_is_false(expr_substitute(f->program->exprs, guard, as_zero, (void *)context))) {
            release(&f->now, f->now.tries[i].lock);
            i = 0;
        } else i++;
    }
}

static void copy_tries(Finder *f, const Instr *x, const Variable *v) {
    const Variable *from = x->kind == INSTR_ASSIGN ? expr_variable(x->value) : NULL;
    if (!from || from->global || v->global || from == v) return;
    for (size_t i = 0, n = vec_len(f->now.tries); i < n; i++)
        if (f->now.tries[i].local == from->index) vec_push(f->now.tries, ((OrderTry){f->now.tries[i].lock, v->index}));
}

static void follow_instr(Finder *f, const Instr *x) {
    const Variable *v = instr_written(x);
    bool mutex = x->kind == INSTR_LOCK || x->kind == INSTR_TRYLOCK || x->kind == INSTR_UNLOCK;
    unsigned lock = mutex ? f->lock_of[x->cell->index] : v && v->global ? f->lock_of[v->index] : NO_LOCK;
    if (v) drop_tries(&f->now, NO_LOCK, v);
    if (v) copy_tries(f, x, v);
    if (lock == NO_LOCK) return;
    release(&f->now, lock);
    if (x->kind == INSTR_LOCK || x->kind == INSTR_TRYLOCK) locks_add(f->now.may, lock);
    if (x->kind == INSTR_LOCK) locks_add(f->now.must, lock);
    if (x->kind == INSTR_TRYLOCK && v && !v->global) vec_push(f->now.tries, ((OrderTry){lock, v->index}));
}

static void set_now(Finder *f, const OrderPlace *from) {
    size_t words = locks_words(f->order);
    vec_resize(f->now.may, words);
    vec_resize(f->now.must, words);
    vec_clear(f->now.tries);
    memcpy(f->now.may, from->may, words * sizeof *from->may);
    memcpy(f->now.must, from->must, words * sizeof *from->must);
    vec_append(f->now.tries, from->tries);
}

static bool has_try(const OrderTry *list, OrderTry t) {
    for (size_t i = 0; i < vec_len(list); i++)
        if (list[i].lock == t.lock && list[i].local == t.local) return true;
    return false;
}

/* Intersects the tries of the location with those of f->now, but keeps a try of one side if the other side does not hold the lock. Returns true if
   the location's tries change. */
static bool merge_tries(Finder *f, OrderPlace *to) {
    OrderTry *both = NULL;
    size_t before = vec_len(to->tries);
    for (size_t i = 0; i < before; i++)
        if (!locks_have(f->now.may, to->tries[i].lock) || has_try(f->now.tries, to->tries[i])) vec_push(both, to->tries[i]);
    bool changed = vec_len(both) != before;
    for (size_t i = 0; i < vec_len(f->now.tries); i++)
        if (!locks_have(to->may, f->now.tries[i].lock) && !has_try(both, f->now.tries[i])) vec_push(both, f->now.tries[i]), changed = true;
    vec_free(to->tries);
    to->tries = both;
    return changed;
}

/* Joins f->now into the facts of a location. Returns true if these change. */
static bool arrive(Finder *f, OrderPlace *to) {
    size_t words = locks_words(f->order);
    if (!to->reached) {
        to->reached = true;
        for (size_t w = 0; w < words; w++) vec_push(to->may, f->now.may[w]);
        for (size_t w = 0; w < words; w++) vec_push(to->must, f->now.must[w]);
        vec_append(to->tries, f->now.tries);
        return true;
    }
    bool changed = merge_tries(f, to);
    for (size_t w = 0; w < words; w++) {
        changed |= (f->now.may[w] & ~to->may[w]) || (to->must[w] & ~f->now.must[w]);
        to->may[w] |= f->now.may[w];
        to->must[w] &= f->now.must[w];
    }
    return changed;
}

static void follow_action(Finder *f, const Action *a) {
    OrderPlace *places = f->order->places[f->template_->index];
    set_now(f, &places[a->source]);
    follow_guard(f, a->guard);
    for (size_t i = 0; i < vec_len(a->instrs); i++) follow_instr(f, &a->instrs[i]);
    if (!arrive(f, &places[a->target]) || f->waiting[a->target]) return;
    f->waiting[a->target] = true;
    vec_push(f->work, a->target);
}

static void find_held(Finder *f, const Template *t) {
    OrderPlace *entry = &f->order->places[t->index][t->entry];
    f->template_ = t;
    vec_resize(f->waiting, vec_len(t->locations));
    for (size_t l = 0; l < vec_len(t->locations); l++) f->waiting[l] = false;
    entry->reached = true;
    for (size_t w = 0; w < locks_words(f->order); w++) {
        vec_push(entry->may, 0);
        vec_push(entry->must, 0);
    }
    vec_push(f->work, t->entry);
    while (vec_len(f->work)) {
        const Location *l = &t->locations[vec_pop(f->work)];
        f->waiting[l->index] = false;
        for (size_t i = 0; i < vec_len(l->out); i++) follow_action(f, &t->actions[l->out[i]]);
    }
}

/* ---- the waits for locks while other locks are held ---- */

static void find_edges_of(Finder *f, const Action *a) {
    const OrderPlace *at = &f->order->places[f->template_->index][a->source];
    set_now(f, at);
    follow_guard(f, a->guard);
    for (size_t i = 0; i < vec_len(a->instrs) && !f->refused; i++) {
        const Instr *x = &a->instrs[i];
        unsigned lock = x->cell ? f->lock_of[x->cell->index] : NO_LOCK;
        if (x->kind == INSTR_ASSUME && x->waits) refuse(f, x->position, MSG_ENGINE_ORDER_OTHER_WAIT);
        for (unsigned h = 0; x->kind == INSTR_LOCK && h < vec_len(f->order->locks); h++)
            if (locks_have(at->may, h)) vec_push(f->edges, ((Edge){h, lock, f->template_->index, a->source}));
        if (x->kind == INSTR_LOCK && (locks_have(at->may, lock) || locks_have(f->now.may, lock)))
            refuse(f, x->position, MSG_ENGINE_ORDER_AGAIN);
        if (x->kind == INSTR_UNLOCK && !locks_have(f->now.must, lock)) f->loose[lock] = true;
        if (instr_written(x) && instr_written(x)->global && f->lock_of[instr_written(x)->index] != NO_LOCK)
            f->loose[f->lock_of[instr_written(x)->index]] = true;
        follow_instr(f, x);
    }
}

static void find_edges(Finder *f, const Template *t) {
    f->template_ = t;
    for (size_t l = 0; l < vec_len(t->locations) && !f->refused; l++) {
        if (!f->order->places[t->index][l].reached) continue;
        if (t->locations[l].kind == LOCATION_STOP) refuse(f, t->locations[l].position, MSG_ENGINE_ORDER_STOP);
        for (size_t i = 0; i < vec_len(t->locations[l].out) && !f->refused; i++) find_edges_of(f, &t->actions[t->locations[l].out[i]]);
    }
}

/* ---- ranks ---- */

static int compare_edges(const void *x, const void *y) { return memcmp(x, y, sizeof(Edge)); }

/* Sets the ranks: components_find finds the last component of the order first. */
static void find_ranks(Finder *f) {
    unsigned **out = NULL, ranks = 0;
    vec_resize(out, vec_len(f->order->locks));
    if (vec_len(f->edges)) qsort(f->edges, vec_len(f->edges), sizeof *f->edges, compare_edges);
    vec_each_at(const Edge, e, f->edges) vec_push(out[e->held], e->taken);
    f->order->ranks = components_find(out);
    vec_free_rows(out);
    vec_each(unsigned, rank, f->order->ranks)
        if (rank >= ranks) ranks = rank + 1;
    vec_each_at(unsigned, rank, f->order->ranks) *rank = ranks - 1 - *rank;
    while (vec_len(f->order->classes) < ranks) vec_push(f->order->classes, ((OrderRank){NO_LOCK, NO_TEMPLATE}));
}

/* ---- gates ---- */

/* Returns true if both locks of the edge have this rank. */
static bool is_inside(const Finder *f, const Edge *e, unsigned rank) {
    return f->order->ranks[e->held] == rank && f->order->ranks[e->taken] == rank;
}

static bool is_gate(const Finder *f, unsigned gate, unsigned rank) {
    vec_each_at(const Edge, e, f->edges)
        if (is_inside(f, e, rank) && !locks_have(f->order->places[e->template_][e->location].must, gate)) return false;
    return !f->loose[gate];
}

static void refuse_both_orders(Finder *f, const Edge *e) {
    const Template *t = f->program->templates[e->template_];
    if (f->refused) return;
    f->refused = verdict_unknown(t->locations[e->location].position, MSG_ENGINE_ORDER_BOTH, lock_name(f, e->taken), lock_name(f, e->held));
}

/* Finds the gate of a rank, or the only thread that has its waits; refuses the program if it has neither. */
static void find_gate(Finder *f, unsigned rank) {
    OrderRank *k = &f->order->classes[rank];
    const Edge *first = NULL;
    bool one = true;
    for (size_t i = 0; i < vec_len(f->edges); i++) {
        if (!is_inside(f, &f->edges[i], rank)) continue;
        if (!first) first = &f->edges[i];
        one &= f->edges[i].template_ == first->template_;
    }
    if (!first) return;
    for (unsigned g = 0; g < vec_len(f->order->locks) && k->gate == NO_LOCK; g++)
        if (is_gate(f, g, rank)) k->gate = g;
    if (k->gate == NO_LOCK && one && f->program->templates[first->template_]->count == 1) k->alone = first->template_;
    else if (k->gate == NO_LOCK) refuse_both_orders(f, first);
}

/* ---- for display ---- */

static void print_rank(const Finder *f, Buf *out, unsigned rank) {
    const OrderRank *k = &f->order->classes[rank];
    unsigned n = 0;
    for (unsigned l = 0; l < vec_len(f->order->locks); l++) {
        if (f->order->ranks[l] != rank) continue;
        buf_text(out, n++ ? " or " : "");
        buf_text(out, lock_name(f, l));
    }
    if (k->gate != NO_LOCK) buf_printf(out, MSG_ENGINE_ORDER_GATE, lock_name(f, k->gate));
    else if (k->alone != NO_TEMPLATE) buf_printf(out, MSG_ENGINE_ORDER_ALONE, f->program->templates[k->alone]->name);
}

/* Returns the order in words. */
static char *in_words(const Finder *f) {
    Buf out = {0};
    size_t n = vec_len(f->order->classes);
    if (!vec_len(f->order->locks)) buf_text(&out, MSG_ENGINE_ORDER_NO_LOCK);
    else if (!vec_len(f->edges)) buf_text(&out, MSG_ENGINE_ORDER_NO_EDGE);
    else {
        buf_text(&out, MSG_ENGINE_ORDER_RANKS);
        for (unsigned r = 0; r < n; r++) {
            if (r) buf_text(&out, ", ");
            print_rank(f, &out, r);
        }
        buf_char(&out, '\n');
    }
    return out.text;
}

/* ---- the engine ---- */

static void find(Finder *f) {
    const Program *p = f->program;
    find_locks(f);
    for (size_t t = 0; t < vec_len(p->templates) && !f->refused; t++) find_held(f, p->templates[t]);
    for (size_t t = 0; t < vec_len(p->templates) && !f->refused; t++) find_edges(f, p->templates[t]);
    if (f->refused) return;
    find_ranks(f);
    for (unsigned r = 0; r < vec_len(f->order->classes); r++) find_gate(f, r);
}

static void finder_free(Finder *f) {
    lock_order_free(f->order);
    vec_free(f->lock_of);
    vec_free(f->now.may);
    vec_free(f->now.must);
    vec_free(f->now.tries);
    vec_free(f->work);
    vec_free(f->waiting);
    vec_free(f->edges);
    vec_free(f->loose);
}

static Verdict *run(const EngineTask *task) {
    Finder f = {.program = task->program, .order = lock_order_new(task->program)};
    find(&f);
    Verdict *v = f.refused;
    if (!v) {
        v = verdict_new(VERDICT_SAFE);
        v->proof = PROOF_ORDER;
        v->order = lock_order_send(f.order);
        v->invariants = in_words(&f);
    }
    finder_free(&f);
    return v;
}

static bool supports(Property p) { return p == PROPERTY_NO_DEADLOCK; }

const Engine engine_order = {
    .name = "order",
    .summary = "finds an order in which all locks are taken; proves that there are no deadlocks",
    .supports = supports,
    .run = run,
};
