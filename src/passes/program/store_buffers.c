/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps the store buffers of each thread in its locals, so that the program becomes sequentially consistent.

   requires  a well-formed program whose memory is TSO or PSO, and its delays
   ensures   a sequentially consistent program that reaches the same errors. Any further error depends on an over-approximation of the given
             program. If more stores wait than a buffer holds, the new program stops (an under-approximation).
   breaks    locations and actions are numbered anew (Buffered has the old numbers)

   A location of the new program is an old location with a queue: the actions whose stores wait, the oldest first. The values wait in locals.
   So the queue determines the value of a variable that a load reads. For memory, the new program compares addresses.

   The new program has a representative of each execution, not all executions. A store either arrives immediately, or is delayed past at
   least one load that other threads may observe. (Under PSO, it may be delayed past a store that overtakes it instead.) A delayed store
   arrives directly after such a load, before the next store, or later. The reason: between two such loads, other threads observe a thread by
   its arrivals only. An arrival of an older store can be moved before the stores of this interval. A store that is not late by `delays`
   arrives immediately, unless an older store must arrive first. */
#include "passes/program/store_buffers.h"
#include "base/map.h"
#include "ir/copy.h"
#include "ir/fields.h"
#include "passes/messages.h"
#include <string.h>

enum { NONE = ~0u, MOST_LOCATIONS = 20000, MOST_ENTRIES = DEEPEST_BUFFER + 1 };

typedef struct Queue { /* the waiting stores and barriers */
    unsigned n;
    unsigned fresh;                   /* entries from here on were added after the last observable load */
    unsigned entry[2 * MOST_ENTRIES]; /* the action that stored; NONE: a barrier */
} Queue;

typedef struct State { /* a location of the new program */
    unsigned location; /* the old location; NONE: a location that stops */
    Queue queue;
    unsigned next; /* the next state with the same hash, or NONE */
} State;

typedef struct Slot { /* the locals of a waiting store */
    Variable *value;
    Variable *address; /* NULL: the address is constant, or the store is to a variable */
    Variable *unused;  /* the target of an additional read, by which the step faults and chooses values as the old step does; or NULL */
} Slot;

typedef struct Build {
    Program *program;
    const StoreDelays *delays;
    BufferedProgram *out;
    unsigned depth;
    bool *shared;
    bool too_large;
    size_t total;
    /* for the present template: */
    Template *template_;
    Location *locations;        /* a vec: the old locations */
    Action *actions;            /* a vec: the old actions */
    State *states;              /* a vec: by new location */
    Map *index;                 /* the hash of a state to the newest location with it; State.next has the older ones */
    bool *ahead;                /* by old location: before any drain, the thread may reach an action that a store may be delayed past */
    Slot **slots;               /* by old action: a vec of slots, by the number of waiting stores of the same action before this one */
    unsigned full, unsupported; /* locations, or NONE */
} Build;

static bool pso(const Build *b) { return b->program->memory == MEMORY_PSO; }

/* ---- locations ---- */

static bool same_queue(const Queue *a, const Queue *b) {
    return a->n == b->n && a->fresh == b->fresh && !memcmp(a->entry, b->entry, a->n * sizeof *a->entry);
}

static unsigned location_for(Build *b, unsigned old, const Queue *q) {
    unsigned key[2 * MOST_ENTRIES + 3] = {old, q->n, q->fresh};
    memcpy(key + 3, q->entry, q->n * sizeof *q->entry);
    uint64_t hash = hash_bytes(key, (q->n + 3) * sizeof *key, 0), first = NONE;
    if (!map_get(b->index, hash, &first)) first = NONE;
    for (unsigned i = (unsigned)first; i != NONE; i = b->states[i].next)
        if (b->states[i].location == old && same_queue(&b->states[i].queue, q)) return i;
    State s = {.location = old, .queue = *q, .next = (unsigned)first};
    Location l = b->locations[old];
    l.index = (unsigned)vec_len(b->states);
    l.out = NULL;
    if (l.kind == LOCATION_END && q->n) l.kind = LOCATION_PLAIN; /* the thread ends when all stores have arrived */
    vec_push(b->states, s);
    vec_push(b->template_->locations, l);
    map_put(b->index, hash, l.index);
    b->too_large |= ++b->total > MOST_LOCATIONS;
    return l.index;
}

/* Returns the location in *known, which is first made as a stop. It gets a state as well, since states have the numbers of locations. */
static unsigned stop_for(Build *b, unsigned *known, ApproximationKind kind, const Action *a, const char *text) {
    if (*known != NONE) return *known;
    State s = {.location = NONE, .next = NONE};
    unsigned approximation = program_approximation(b->program, kind, a->position, text);
    *known = template_location(b->program, b->template_, LOCATION_STOP, a->position);
    b->template_->locations[*known].approximation = approximation;
    vec_push(b->states, s);
    return *known;
}

static Action *add_action(Build *b, unsigned from, unsigned to, const Action *like, Instr *instrs, BufferedAction stands) {
    Action *a = template_action(b->program, b->template_, from, to, like->guard, like->position);
    a->instrs = instrs;
    fields_copy(action_fields, a, like);
    vec_push(b->out->actions[b->template_->index], stands);
    return a;
}

static BufferedAction same(const Action *a) { return (BufferedAction){BUFFERED_SAME, a->index, 0}; }

static const char *full_text(Build *b) {
    Buf text = {0};
    buf_printf(&text, "more than %u " BUFFER_FULL, b->depth);
    const char *kept = exprs_intern(b->program->exprs, buf_string(&text));
    buf_free(&text);
    return kept;
}

static void add_stop(Build *b, unsigned from, const Action *a, bool full) {
    unsigned to = full ? stop_for(b, &b->full, APPROX_UNDER, a, full_text(b))
                       : stop_for(b, &b->unsupported, APPROX_UNSUPPORTED, a, MSG_PASSES_BUFFER_BYTES);
    b->out->full |= full;
    Action like = *a;
    like.guard = expr_bool(b->program->exprs, true);
    add_action(b, from, to, &like, NULL, same(a));
}

/* ---- slots ---- */

static const Instr *store_of(const Build *b, unsigned action) {
    return &b->actions[action].instrs[b->delays->of[b->template_->index][action].weak.instr];
}

static const Sort *stored_sort(const Instr *i) { return i->kind == INSTR_STORE ? i->value->sort : i->target->sort; }

static uint64_t bytes_of(const Sort *s) { return (s->width + 7) / 8; }

static void note_variable(void *context, const Symbol *s) { *(bool *)context |= s->kind == SYM_VARIABLE; }

static bool is_constant(const Expr *e) {
    bool varies = false;
    expr_symbols(e, note_variable, &varies);
    return !varies;
}

static Variable *slot_variable(Build *b, const char *name, const Sort *sort) {
    Variable *v = template_local(b->program, b->template_, name, sort);
    v->temporary = true;
    return v;
}

static const Slot *slot_for(Build *b, unsigned action, unsigned nth) {
    const Instr *i = store_of(b, action);
    while (vec_len(b->slots[action]) <= nth) {
        Slot s = {.value = slot_variable(b, "waiting", stored_sort(i))};
        if (i->kind == INSTR_STORE && !is_constant(i->address)) s.address = slot_variable(b, "place", i->address->sort);
        if (s.address || i->kind == INSTR_LOAD) s.unused = slot_variable(b, "unused", stored_sort(i));
        if (i->target && i->target->is_signed) variable_set_signed(b->program, s.value, true);
        vec_push(b->slots[action], s);
    }
    return &b->slots[action][nth];
}

/* Returns the number of entries before entry k that have the same action. */
static unsigned nth(const Queue *q, unsigned k) {
    unsigned n = 0;
    for (unsigned i = 0; i < k; i++) n += q->entry[i] == q->entry[k];
    return n;
}

static const Expr *entry_value(Build *b, const Queue *q, unsigned k) {
    return variable_expr(b->program, slot_for(b, q->entry[k], nth(q, k))->value);
}

static const Expr *entry_address(Build *b, const Queue *q, unsigned k) {
    const Slot *s = slot_for(b, q->entry[k], nth(q, k));
    return s->address ? variable_expr(b->program, s->address) : store_of(b, q->entry[k])->address;
}

static bool is_memory(const Build *b, const Queue *q, unsigned k) {
    return q->entry[k] != NONE && store_of(b, q->entry[k])->kind == INSTR_STORE;
}

static unsigned stores_before(const Queue *q, unsigned k) {
    unsigned n = 0;
    for (unsigned i = 0; i < k; i++) n += q->entry[i] != NONE;
    return n;
}

/* ---- reads ---- */

typedef struct View {
    Build *build;
    const Queue *queue;
} View;

/* Returns the value of the youngest waiting store to the variable, or NULL if no store to it waits. */
static const Expr *view(void *context, const Expr *e) {
    View *w = context;
    const Variable *v = expr_variable(e);
    if (!v || !v->global) return NULL;
    for (unsigned k = w->queue->n; k-- > 0;)
        if (w->queue->entry[k] != NONE && store_of(w->build, w->queue->entry[k])->target == v) return entry_value(w->build, w->queue, k);
    return NULL;
}

static const Expr *viewed(Build *b, const Queue *q, const Expr *e) {
    View w = {b, q};
    return e ? expr_substitute(b->program->exprs, e, view, &w) : NULL;
}

static Instr viewed_instr(Build *b, const Queue *q, const Instr *i) {
    Instr n = *i;
    n.address = viewed(b, q, i->address);
    n.value = viewed(b, q, i->value);
    n.size = viewed(b, q, i->size);
    return n;
}

static Instr assumption(const Expr *e, Position at) { return (Instr){.kind = INSTR_ASSUME, .value = e, .position = at}; }

/* Returns the condition that n bytes at x and k bytes at y overlap. */
static const Expr *overlap(Build *b, const Expr *x, uint64_t n, const Expr *y, uint64_t k) {
    Exprs *e = b->program->exprs;
    const Object *o = address_base(x), *p = address_base(y);
    if (o && p && o != p) return expr_bool(e, false); /* an access outside of its object is undefined */
    unsigned width = b->program->pointer_width;
    const Expr *behind = expr_2(e, OP_ULT, expr_2(e, OP_SUB, x, y), expr_bv(e, width, k));
    const Expr *before = expr_2(e, OP_ULT, expr_2(e, OP_SUB, y, x), expr_bv(e, width, n));
    return expr_or(e, behind, before);
}

static const Expr *overlaps(Build *b, const Queue *q, unsigned k, const Expr *address, uint64_t size) {
    return overlap(b, address, size, entry_address(b, q, k), bytes_of(stored_sort(store_of(b, q->entry[k]))));
}

/* Returns the part of the value e in memory that a load of sort s reads at the offset, which is in bytes. */
static const Expr *part_of(Build *b, const Expr *e, unsigned offset, const Sort *s) {
    unsigned all = 8 * (unsigned)bytes_of(e->sort);
    if (e->sort->width < all) e = expr_convert(b->program->exprs, OP_ZEXT, e, all);
    return s->width < all ? expr_extract(b->program->exprs, e, 8 * offset, s->width) : e;
}

/* Returns the condition that the address lies `offset` bytes after the address of entry k. */
static const Expr *begins_at(Build *b, const Queue *q, unsigned k, unsigned offset, const Expr *address) {
    const Expr *there = expr_bv(b->program->exprs, b->program->pointer_width, offset);
    return expr_eq(b->program->exprs, address, expr_2(b->program->exprs, OP_ADD, entry_address(b, q, k), there));
}

static bool is_seen(const Build *b, const Expr *address) {
    const Object *o = address_base(address);
    return !o || b->shared[o->index];
}

/* Returns the instructions of the action if its load reads from entry `from` at the offset, or from memory if `from` is NONE. An
   assumption excludes that the load overlaps a younger entry, or any entry if it reads from memory. */
static Instr *load_from(Build *b, const Queue *q, const Action *a, unsigned load, unsigned from, unsigned offset) {
    Instr *instrs = NULL;
    Exprs *e = b->program->exprs;
    for (unsigned i = 0; i < vec_len(a->instrs); i++) {
        Instr x = viewed_instr(b, q, &a->instrs[i]);
        if (i == load) {
            const Expr *any = expr_bool(e, false);
            uint64_t size = bytes_of(x.target->sort);
            for (unsigned k = q->n; k > 0 && k - 1 != from; k--)
                if (is_memory(b, q, k - 1)) any = expr_or(e, any, overlaps(b, q, k - 1, x.address, size));
            if (!expr_is_false(any)) vec_push(instrs, assumption(expr_not(e, any), x.position));
            if (from != NONE) {
                vec_push(instrs, assumption(begins_at(b, q, from, offset, x.address), x.position));
                x = (Instr){.kind = INSTR_ASSIGN,
                            .target = x.target,
                            .value = part_of(b, entry_value(b, q, from), offset, x.target->sort),
                            .position = x.position};
            }
        }
        vec_push(instrs, x);
    }
    return instrs;
}

/* Returns the index of a load that may read from the buffer, or NONE. Sets *many if several loads may. */
static unsigned find_load(const Build *b, const Action *a, bool *many) {
    unsigned found = NONE;
    *many = false;
    for (unsigned i = 0; i < vec_len(a->instrs); i++) {
        if (a->instrs[i].kind != INSTR_LOAD || !is_seen(b, a->instrs[i].address)) continue;
        *many |= found != NONE;
        found = i;
    }
    return found;
}

static bool any_memory(const Build *b, const Queue *q) {
    for (unsigned k = 0; k < q->n; k++)
        if (is_memory(b, q, k)) return true;
    return false;
}

/* Adds an action for each entry that may contain all bytes that the load reads. If the youngest overlapping entry contains only a part, the
   load waits until the store has arrived. */
static void add_forwarded(Build *b, unsigned from, const Queue *q, const Action *a, const Action *like, unsigned load, unsigned to,
                          BufferedAction stands) {
    uint64_t size = bytes_of(a->instrs[load].target->sort);
    const Expr *address = viewed(b, q, a->instrs[load].address);
    for (unsigned k = q->n; k-- > 0;) {
        if (!is_memory(b, q, k) || expr_is_false(overlaps(b, q, k, address, size))) continue;
        uint64_t stored = bytes_of(stored_sort(store_of(b, q->entry[k])));
        for (unsigned offset = 0; offset + size <= stored; offset++)
            if (!expr_is_false(begins_at(b, q, k, offset, address)))
                add_action(b, from, to, like, load_from(b, q, a, load, k, offset), stands);
    }
}

/* Adds the action with its reads changed: each read returns the youngest waiting value, or memory. */
static void add_viewed(Build *b, unsigned from, const Queue *q, const Action *a, unsigned to, BufferedAction stands) {
    bool many;
    Action like = *a;
    unsigned load = find_load(b, a, &many);
    like.guard = viewed(b, q, a->guard);
    if (load != NONE && any_memory(b, q)) {
        if (many) {
            add_stop(b, from, a, false);
            return;
        }
        add_forwarded(b, from, q, a, &like, load, to, stands);
    }
    add_action(b, from, to, &like, load_from(b, q, a, load, NONE, 0), stands);
}

/* ---- steps of a thread ---- */

/* True if the action begins or ends the life of a shared object while a store to memory waits. */
static bool ends_life(const Build *b, const Action *a, const Queue *q) {
    for (size_t i = 0; i < vec_len(a->instrs); i++)
        if ((a->instrs[i].kind == INSTR_ALIVE || a->instrs[i].kind == INSTR_DEAD) && b->shared[a->instrs[i].object->index] &&
            any_memory(b, q))
            return true;
    return false;
}

/* Takes an action that delays no store. load: the action is an observable load. */
static void take_unchanged(Build *b, unsigned from, const Queue *q, const Action *a, bool load) {
    Queue then = *q;
    if (load) then.fresh = then.n;
    if (ends_life(b, a, q)) add_stop(b, from, a, false);
    else add_viewed(b, from, q, a, location_for(b, a->target, &then), same(a));
}

/* True if the store may arrive immediately. *differ is the condition for this, that its address differs from those of waiting stores, or NULL
   if there is no condition. */
static bool may_arrive_immediately(Build *b, const Queue *q, const Action *a, const Expr **differ) {
    const StoreDelay *d = &b->delays->of[b->template_->index][a->index];
    const Instr *store = store_of(b, a->index);
    *differ = NULL;
    if (q->n == 0) return true;
    if (!pso(b) || d->weak.barrier) return false;
    const Expr *meets = expr_bool(b->program->exprs, false);
    for (unsigned k = 0; k < q->n; k++) {
        if (q->entry[k] == NONE) return false;
        const Instr *other = store_of(b, q->entry[k]);
        if (other->target && other->target == store->target) return false;
        if (store->kind == INSTR_STORE && other->kind == INSTR_STORE)
            meets = expr_or(b->program->exprs, meets, overlaps(b, q, k, store->address, bytes_of(store->value->sort)));
    }
    if (expr_is_true(meets)) return false;
    if (!expr_is_false(meets)) *differ = expr_not(b->program->exprs, meets);
    return true;
}

static void store_at_once(Build *b, unsigned from, const Queue *q, const Action *a, const Expr *differ) {
    Queue then = *q;
    if (pso(b)) then.fresh = then.n; /* the store has overtaken all waiting stores */
    Instr *instrs = NULL;
    for (unsigned i = 0; i < vec_len(a->instrs); i++) {
        if (differ && &a->instrs[i] == store_of(b, a->index)) vec_push(instrs, assumption(differ, a->position));
        vec_push(instrs, a->instrs[i]);
    }
    unsigned to = location_for(b, a->target, &then);
    add_action(b, from, to, a, instrs, (BufferedAction){BUFFERED_IMMEDIATE, a->index, stores_before(q, q->n)});
}

static void push(Queue *q, unsigned entry) {
    bool fresh = q->fresh < q->n || entry != NONE;
    q->entry[q->n++] = entry;
    if (!fresh) q->fresh = q->n;
}

/* Adds the action with a store that waits: its value goes to a slot. If the address is not constant, a load from it shows a fault in the same
   step as before. */
static void store_late(Build *b, unsigned from, const Queue *q, const Action *a) {
    const Instr *store = store_of(b, a->index);
    Queue then = *q;
    if (stores_before(q, q->n) == b->depth) {
        add_stop(b, from, a, true);
        return;
    }
    if (q->n && b->delays->of[b->template_->index][a->index].weak.barrier && q->entry[q->n - 1] != NONE) push(&then, NONE);
    push(&then, a->index);
    const Slot *slot = slot_for(b, a->index, nth(&then, then.n - 1));
    Instr *instrs = NULL;
    for (unsigned i = 0; i < vec_len(a->instrs); i++) {
        Instr x = a->instrs[i];
        if (&a->instrs[i] == store) {
            x = *store; /* the store may be a LOAD of the thread's own memory into a global variable */
            if (store->kind == INSTR_STORE) x = (Instr){.kind = INSTR_ASSIGN, .value = store->value, .position = store->position};
            x.target = slot->value;
            x.atomic = false;
            x.order = ORDER_SEQ_CST;
            if (slot->address) {
                vec_push(instrs,
                         ((Instr){.kind = INSTR_LOAD, .target = slot->unused, .address = store->address, .position = store->position}));
                vec_push(instrs,
                         ((Instr){.kind = INSTR_ASSIGN, .target = slot->address, .value = store->address, .position = store->position}));
            }
        }
        vec_push(instrs, x);
        if (&a->instrs[i] == store && store->kind == INSTR_LOAD)
            vec_push(instrs, ((Instr){.kind = INSTR_ASSIGN,
                                      .target = slot->unused,
                                      .value = variable_expr(b->program, slot->value),
                                      .position = store->position}));
    }
    add_action(b, from, location_for(b, a->target, &then), a, instrs, same(a));
}

static void store(Build *b, unsigned from, const Queue *q, const Action *a) {
    const StoreDelay *d = &b->delays->of[b->template_->index][a->index];
    const Expr *differ;
    bool now = may_arrive_immediately(b, q, a, &differ);
    if (now) store_at_once(b, from, q, a, differ);
    bool must = !now || differ;
    if ((d->may_be_delayed || must) && !d->is_single_threaded && b->ahead[a->target]) store_late(b, from, q, a);
}

static void barrier(Build *b, unsigned from, const Queue *q, const Action *a) {
    Queue then = *q;
    if (q->n && q->entry[q->n - 1] != NONE) push(&then, NONE);
    add_viewed(b, from, q, a, location_for(b, a->target, &then), same(a));
}

/* ---- arrivals ---- */

/* True if the store of entry k may arrive next; *differ as above. */
static bool may_arrive(Build *b, const Queue *q, unsigned k, const Expr **differ) {
    const Instr *store = store_of(b, q->entry[k]);
    Exprs *e = b->program->exprs;
    const Expr *meets = expr_bool(e, false);
    *differ = NULL;
    if (k && !pso(b)) return false;
    for (unsigned i = 0; i < k; i++) {
        if (q->entry[i] == NONE) return false;
        const Instr *other = store_of(b, q->entry[i]);
        if (other->target && other->target == store->target) return false;
        if (store->kind == INSTR_STORE && other->kind == INSTR_STORE)
            meets = expr_or(e, meets, overlaps(b, q, i, entry_address(b, q, k), bytes_of(store->value->sort)));
    }
    if (!expr_is_false(meets)) *differ = expr_not(e, meets);
    return !expr_is_true(meets);
}

static Queue without(const Queue *q, unsigned k) {
    Queue then = {0};
    for (unsigned i = 0; i < q->n; i++)
        if (i != k && (then.n || q->entry[i] != NONE)) then.entry[then.n++] = q->entry[i];
    then.fresh = then.n;
    return then;
}

static void arrive(Build *b, unsigned from, const Queue *q, unsigned k, const Expr *differ) {
    unsigned action = q->entry[k], same_before = nth(q, k);
    const Instr *store = store_of(b, action);
    Instr *instrs = NULL, x = {.kind = INSTR_ASSIGN, .target = store->target, .value = entry_value(b, q, k), .position = store->position};
    if (store->kind == INSTR_STORE)
        x = (Instr){.kind = INSTR_STORE, .address = entry_address(b, q, k), .value = x.value, .position = store->position};
    if (differ) vec_push(instrs, assumption(differ, store->position));
    vec_push(instrs, x);
    for (unsigned i = k + 1; i < q->n; i++) {
        if (q->entry[i] != action) continue;
        const Slot next = *slot_for(b, action, nth(q, i)), here = *slot_for(b, action, same_before++);
        vec_push(
            instrs,
            ((Instr){
                .kind = INSTR_ASSIGN, .target = here.value, .value = variable_expr(b->program, next.value), .position = store->position}));
        if (here.address)
            vec_push(instrs, ((Instr){.kind = INSTR_ASSIGN,
                                      .target = here.address,
                                      .value = variable_expr(b->program, next.address),
                                      .position = store->position}));
    }
    Action like = {.guard = expr_bool(b->program->exprs, true), .approximation = NO_APPROXIMATION, .position = b->actions[action].position};
    Queue then = without(q, k);
    unsigned to = location_for(b, b->states[from].location, &then);
    add_action(b, from, to, &like, instrs, (BufferedAction){BUFFERED_ARRIVES, action, stores_before(q, k)});
}

/* ---- a template ---- */

static void expand(Build *b, unsigned at) {
    Queue q = b->states[at].queue;
    const Location *l = &b->locations[b->states[at].location];
    vec_each_of(const Action, a, b->actions, l->out) {
        const StoreDelay *d = &b->delays->of[b->template_->index][a->index];
        switch (d->weak.kind) {
        case WEAK_LOCAL: take_unchanged(b, at, &q, a, false); break;
        case WEAK_LOAD: take_unchanged(b, at, &q, a, d->is_observable); break;
        case WEAK_STORE: store(b, at, &q, a); break;
        case WEAK_BARRIER: barrier(b, at, &q, a); break;
        case WEAK_BLOCK:
            if (q.n || d->may_be_delayed) add_stop(b, at, a, false);
            else take_unchanged(b, at, &q, a, false);
            break;
        case WEAK_DRAIN:
            if (!q.n) take_unchanged(b, at, &q, a, false);
        }
    }
    const Expr *differ;
    bool goes_on = l->kind == LOCATION_PLAIN || l->kind == LOCATION_END;
    for (unsigned k = 0; k < q.n && q.fresh == q.n && goes_on; k++)
        if (q.entry[k] != NONE && may_arrive(b, &q, k, &differ)) arrive(b, at, &q, k, differ);
}

/* Finds the locations from which the thread may reach, without a drain, an action that a store may be delayed past. */
static void find_ahead(Build *b) {
    bool changed = true;
    vec_resize(b->ahead, vec_len(b->locations));
    while (changed) {
        changed = false;
        for (size_t i = 0; i < vec_len(b->actions); i++) {
            const Action *a = &b->actions[i];
            const StoreDelay *d = &b->delays->of[b->template_->index][i];
            bool past = d->is_observable && (d->weak.kind == WEAK_LOAD || (pso(b) && d->weak.kind == WEAK_STORE));
            past |= d->weak.kind == WEAK_BLOCK && !d->is_single_threaded;
            if (!past && (d->weak.kind == WEAK_DRAIN || !b->ahead[a->target])) continue;
            changed |= !b->ahead[a->source];
            b->ahead[a->source] = true;
        }
    }
}

static void build_template(Build *b, Template *t) {
    Queue empty = {0};
    b->template_ = t;
    b->locations = t->locations;
    b->actions = t->actions;
    t->locations = NULL;
    t->actions = NULL;
    b->index = map_new();
    b->full = b->unsupported = NONE;
    vec_resize(b->slots, vec_len(b->actions));
    find_ahead(b);
    t->entry = location_for(b, t->entry, &empty);
    for (unsigned i = 0; i < vec_len(b->states) && !b->too_large; i++)
        if (b->states[i].location != NONE) expand(b, i);
    template_mark_loops(t);
    for (size_t i = 0; i < vec_len(b->locations); i++) vec_free(b->locations[i].out);
    for (size_t i = 0; i < vec_len(b->actions); i++) vec_free(b->actions[i].instrs);
    vec_free_rows(b->slots);
    vec_free(b->locations);
    vec_free(b->actions);
    vec_free(b->states);
    vec_free(b->ahead);
    map_free(b->index);
}

BufferedProgram add_store_buffers(const Program *original, const StoreDelays *delays, unsigned depth) {
    ensure(memory_is_buffered(original->memory) && depth);
    BufferedProgram out = {.program = program_copy(original)};
    Build b = {.program = out.program, .delays = delays, .out = &out, .depth = depth};
    stores_read_values(out.program, delays);
    b.shared = program_shared_objects(out.program);
    vec_resize(out.actions, vec_len(out.program->templates));
    for (size_t t = 0; t < vec_len(out.program->templates); t++) build_template(&b, out.program->templates[t]);
    vec_free(b.shared);
    out.program->memory = MEMORY_SC;
    if (b.too_large) out.program = NULL;
    return out;
}
