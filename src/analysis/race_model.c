/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the events of locks and threads from a program in which each template is one thread, created at most once, or is marked many.
   The address of a *fixed* lock is known to be one word: a variable, or a constant offset in an object that exists once. The address of an
   *anchored* lock is an expression over variables of its thread, and is known as long as these do not change. The class of a lock is the
   set of words that it may be. A write or release through a pointer affects all classes of locks that may lie there.
   Two accesses that meet in memory hold the same anchored lock in two cases:
   - The accesses are at small offsets from addresses A and A', and the locks at A + c and A' + c. The offsets are less than S, and A and A'
     are congruent modulo S. These conditions imply A = A'.
   - The accesses are at object + s * i + d and object + s * i' + d', and d, d' and the bytes behind them are less than s. The locks are at
     other + r * i + c and other + r * i' + c. These conditions imply i = i'.

   The thread that a join waits for is found by following its number from the creation through variables. As long as only one thread
   knows a heap object, its accesses happen before all accesses of other threads. The allocation is one of these accesses. Therefore, each way
   of passing the address on must order: a lock, a creation, or an atomic access that releases and one that acquires. Otherwise the object is
   passed on weakly (published_relaxed.c). The proof claims, as rows of holders (result/race_holders.h), that only one thread knows the object. */
#include "analysis/race_model.h"
#include "analysis/unescaped_heap.h"
#include "analysis/graph.h"
#include "analysis/pointsto.h"
#include "base/map.h"
#include "analysis/race_sites.h"
#include "analysis/race_terms.h"
#include <string.h>

typedef struct Class {
    RaceBytes bytes;
    bool fixed;
} Class;

/* An anchored lock of the present thread, with its index. */
typedef struct Anchored {
    Place place;
    unsigned lock;
} Anchored;

/* The place of a lock relative to its access. If two guarded accesses with the same key meet in memory, their locks are the same. */
typedef struct Key {
    const Object *object, *other;
    uint64_t scale, residue, other_scale, offset;
} Key;

typedef struct Model {
    Program *program;
    const Translation *translation;
    RaceProof *out;
    PointsTo *pointsto;
    UnescapedHeap *fresh; /* NULL if accesses to unescaped objects count */
    bool *weak, *shared;  /* by object: its address is passed on without order; several threads may access it */
    Map *regions;         /* Variable or Object → region */
    Class *classes;       /* a vec, by class */
    unsigned **by_region; /* by region: a vec of classes */
    ThreadIds *ids;
    Map *created; /* Instr of a CREATE → the part (RaceThread.parts) that it creates, + 1 */
    bool *frozen; /* by global: the result of frozen_globals */
    Key *keys;    /* a vec */
    /* the present thread: */
    RaceThread *thread;
    const Template *template_;
    DefinedTerms *terms;
    unsigned **locks;   /* by class: a vec of the thread's locks */
    Anchored *anchored; /* a vec */
    Map *roots;         /* Variable → 1 for variables that occur in the address of an anchored lock */
    Map *flags;         /* Variable → flag + 1 */
    unsigned nflags;
    RaceEvent *events; /* a vec of the events of the present step */
} Model;

/* ---- places ---- */

static bool is_published_relaxed(const Model *m, const void *what) {
    vec_each(const Object *, o, m->program->objects)
        if (o == what) return m->weak[o->index];
    return false;
}

static unsigned region_of(Model *m, const void *what, const char *name) {
    uint64_t found;
    if (map_get(m->regions, map_key(what), &found)) return (unsigned)found;
    unsigned n = (unsigned)vec_len(m->out->regions);
    map_put(m->regions, map_key(what), n);
    vec_push(m->out->regions, name);
    vec_push(m->out->published_relaxed, is_published_relaxed(m, what));
    vec_push(m->by_region, NULL);
    return n;
}

static RaceBytes of_variable(Model *m, const Variable *v) { return (RaceBytes){.region = region_of(m, v, v->name), .size = 1}; }

static RaceBytes of_target(Model *m, const Target *t, uint64_t size) {
    return (RaceBytes){region_of(m, t->object, t->object->name), t->offset.modulus, t->offset.residue, size};
}

static uint64_t size_of(const Expr *size) { return size && expr_is_const(size) && size->value < UINT32_MAX ? (uint64_t)size->value : 0; }

static bool bytes_meet(const RaceBytes *a, const RaceBytes *b) { return a->region == b->region && race_bytes_meet(a, b); }

/* ---- locks ---- */

static bool exists_once(const Model *m, const Object *o) {
    switch (o->kind) {
    case OBJECT_GLOBAL: return true;
    case OBJECT_HEAP: return !pointsto_allocates_many(m->pointsto, o);
    case OBJECT_LOCAL: return m->program->templates[o->template_]->count == 1;
    default: return false;
    }
}

/* Finds the only word that the instruction may lock or unlock. False if there may be several. */
static bool fixed_word(Model *m, const Instr *i, RaceBytes *bytes, const char **name) {
    if (i->cell) {
        *bytes = of_variable(m, i->cell);
        *name = i->cell->name;
        return i->cell->global;
    }
    const Targets *t = pointsto(m->pointsto, i->address);
    if (pointsto_is_wild(m->pointsto, i->address) || vec_len(t->list) != 1) return false;
    if (t->list[0].offset.modulus || !exists_once(m, t->list[0].object)) return false;
    *bytes = of_target(m, &t->list[0], 4);
    *name = t->list[0].object->name;
    return true;
}

/* Finds the words that the instruction may lock if they lie in one object, at offsets with a congruence. */
static bool one_of_words(Model *m, const Instr *i, RaceBytes *bytes, const char **name) {
    if (i->cell || pointsto_is_wild(m->pointsto, i->address)) return false;
    const Targets *t = pointsto(m->pointsto, i->address);
    if (vec_len(t->list) != 1 || !t->list[0].offset.modulus) return false;
    *bytes = of_target(m, &t->list[0], 4);
    *name = t->list[0].object->name;
    return true;
}

/* Returns the class of these bytes; RACE_NONE if no instruction locks them. */
static unsigned class_at(const Model *m, RaceBytes bytes, bool fixed) {
    vec_each(unsigned, c, m->by_region[bytes.region]) {
        const RaceBytes *b = &m->classes[c].bytes;
        if (b->modulus == bytes.modulus && b->residue == bytes.residue && m->classes[c].fixed == fixed) return c;
    }
    return RACE_NONE;
}

static void add_class(Model *m, RaceBytes bytes, bool fixed, const char *name) {
    if (class_at(m, bytes, fixed) != RACE_NONE) return;
    unsigned n = (unsigned)vec_len(m->classes);
    Class c = {bytes, fixed};
    vec_push(m->classes, c);
    vec_push(m->out->classes, name);
    vec_push(m->by_region[bytes.region], n);
}

static void find_classes(Model *m) {
    RaceBytes bytes;
    const char *name;
    program_each_action(const Action, action, m->program) {
        const Instr *instrs = action->instrs;
        for (size_t i = 0; i < vec_len(instrs); i++)
            if (instrs[i].kind == INSTR_LOCK || instrs[i].kind == INSTR_TRYLOCK) {
                if (fixed_word(m, &instrs[i], &bytes, &name)) add_class(m, bytes, true, name);
                else if (one_of_words(m, &instrs[i], &bytes, &name)) add_class(m, bytes, false, name);
            }
    }
}

/* Adds a lock of the class to the present thread. */
static unsigned add_lock(Model *m, unsigned class_) {
    RaceLock l = {class_, m->classes[class_].fixed};
    unsigned n = (unsigned)vec_len(m->thread->locks);
    vec_push(m->thread->locks, l);
    vec_push(m->locks[class_], n);
    return n;
}

static void note_root(void *context, const Symbol *s) {
    Model *m = context;
    if (s->kind == SYM_VARIABLE) map_put(m->roots, map_key(s->user), 1);
}

/* Returns the lock of the thread at an address, or RACE_NONE. add: makes the lock if the thread does not have it yet. */
static unsigned anchored_lock(Model *m, unsigned class_, const Place *place, bool add) {
    for (size_t i = 0; i < vec_len(m->anchored); i++)
        if (m->anchored[i].place.rest == place->rest && m->anchored[i].place.offset == place->offset) return m->anchored[i].lock;
    if (!add) return RACE_NONE;
    Anchored a = {*place, add_lock(m, class_)};
    vec_push(m->anchored, a);
    expr_symbols(place->rest, note_root, m);
    return a.lock;
}

/* Returns the lock that an instruction locks or unlocks; RACE_NONE if it is not known. */
static unsigned lock_named(Model *m, const Action *a, unsigned k, bool add) {
    const Instr *i = &a->instrs[k];
    RaceBytes bytes;
    const char *name;
    bool fixed = fixed_word(m, i, &bytes, &name);
    unsigned class_ = fixed || one_of_words(m, i, &bytes, &name) ? class_at(m, bytes, fixed) : RACE_NONE;
    if (class_ == RACE_NONE) return RACE_NONE;
    if (fixed) return vec_len(m->locks[class_]) ? m->locks[class_][0] : add ? add_lock(m, class_) : RACE_NONE;
    Place place = place_of(m->program, terms_at(m->terms, a, k, i->address));
    return anchored_lock(m, class_, &place, add);
}

/* Finds all locks of the thread before its events, since a write may affect each of them. */
static void find_locks(Model *m) {
    vec_each_at(const Action, x, m->template_->actions)
        for (unsigned i = 0; i < vec_len(x->instrs); i++)
            if (x->instrs[i].kind == INSTR_LOCK || x->instrs[i].kind == INSTR_TRYLOCK) lock_named(m, x, i, true);
}

/* ---- effects of writes and releases ---- */

/* Returns the holder (result/race_holders.h) from which the address is computed, or RACE_NONE. */
static unsigned holder_at(const Model *m, const Expr *address) {
    return m->fresh && vec_len(m->thread->holders.rows) ? unescaped_holder(m->fresh, m->template_, address) : RACE_NONE;
}

static void emit(Model *m, RaceOp op, unsigned a, unsigned b) {
    RaceEvent e = {op, a, b};
    vec_push(m->events, e);
}

static void add_classes(const Model *m, RaceBytes bytes, unsigned **set) {
    vec_each(unsigned, c, m->by_region[bytes.region])
        if (bytes_meet(&m->classes[c].bytes, &bytes)) vec_push(*set, c);
}

/* Returns the classes of locks that may lie in `size` bytes at an address: a vec. Size 0 stands for all bytes behind the address. */
static unsigned *classes_at(Model *m, const Expr *address, uint64_t size) {
    unsigned *set = NULL;
    const Targets *t = pointsto(m->pointsto, address);
    bool wild = pointsto_is_wild(m->pointsto, address);
    for (unsigned c = 0; c < vec_len(m->classes) && wild; c++) vec_push(set, c);
    for (size_t i = 0; i < vec_len(t->list) && !wild; i++) add_classes(m, of_target(m, &t->list[i], size), &set);
    return set;
}

/* Emits that the thread may not hold the locks of these classes any more, except for one. The cause is an access where the holder points. */
static void lose_all(Model *m, const unsigned *set, unsigned but, unsigned holder) {
    for (size_t i = 0; i < vec_len(set); i++)
        for (size_t k = 0; k < vec_len(m->locks[set[i]]); k++)
            if (m->locks[set[i]][k] != but) emit(m, RACE_LOSE, m->locks[set[i]][k], holder);
}

static void emit_release(Model *m, unsigned lock, unsigned *set) {
    lose_all(m, set, lock, RACE_NONE);
    if (vec_len(set) || lock != RACE_NONE) {
        emit(m, RACE_RELEASE, lock, (unsigned)vec_len(m->out->sets));
        vec_push(m->out->sets, set);
    }
}

static void emit_smash(Model *m, unsigned holder, unsigned *set) {
    lose_all(m, set, RACE_NONE, holder);
    if (vec_len(set)) {
        emit(m, RACE_SMASH, holder, (unsigned)vec_len(m->out->sets));
        vec_push(m->out->sets, set);
    }
}

static void unlocks(Model *m, const Action *a, unsigned k) {
    const Instr *i = &a->instrs[k];
    unsigned *set = NULL;
    if (i->cell) add_classes(m, of_variable(m, i->cell), &set);
    else set = classes_at(m, i->address, 4);
    emit_release(m, lock_named(m, a, k, false), set);
}

static void writes(Model *m, const Instr *i) {
    unsigned *set = NULL, holder = i->kind == INSTR_STORE ? holder_at(m, i->address) : RACE_NONE;
    if (i->target && i->target->global) add_classes(m, of_variable(m, i->target), &set);
    if (i->kind == INSTR_STORE) set = classes_at(m, i->address, (i->value->sort->width + 7) / 8);
    if (i->kind == INSTR_COPY || i->kind == INSTR_FILL) set = classes_at(m, i->address, size_of(i->size));
    if (i->kind == INSTR_FREE) set = classes_at(m, i->address, 0);
    if (i->kind == INSTR_ALIVE) add_classes(m, (RaceBytes){.region = region_of(m, i->object, i->object->name)}, &set);
    emit_smash(m, holder, set);
}

/* ---- results of attempts to lock ---- */

static unsigned flag_of(const Model *m, const Variable *v) {
    uint64_t n;
    return v && map_get(m->flags, map_key(v), &n) ? (unsigned)n : 0;
}

static bool add_flag(Model *m, const Variable *v) {
    if (!v || v->global || flag_of(m, v)) return false;
    map_put(m->flags, map_key(v), ++m->nflags);
    return true;
}

static bool find_flag(Model *m, const Instr *i) {
    if (i->kind == INSTR_TRYLOCK) return add_flag(m, i->target);
    return i->kind == INSTR_ASSIGN && flag_of(m, expr_variable(i->value)) && add_flag(m, i->target);
}

static void find_flags(Model *m) {
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t a = 0; a < vec_len(m->template_->actions); a++) {
            const Instr *instrs = m->template_->actions[a].instrs;
            for (size_t i = 0; i < vec_len(instrs); i++) changed |= find_flag(m, &instrs[i]);
        }
    }
}

/* Emits the flags that are zero where the condition holds. */
static void tests(Model *m, const Expr *e) {
    if (e->op == OP_AND)
        for (unsigned i = 0; i < e->nargs; i++) tests(m, e->args[i]);
    if (e->op != OP_EQ) return;
    for (unsigned i = 0; i < 2; i++) {
        unsigned flag = flag_of(m, expr_variable(e->args[i]));
        if (flag && expr_is_const(e->args[1 - i]) && !e->args[1 - i]->value) emit(m, RACE_ZERO, 0, flag - 1);
    }
}

static void assign_flag(Model *m, const Instr *i) {
    unsigned flag = flag_of(m, i->target), from;
    if (!flag) return;
    if (i->kind == INSTR_ASSIGN && (from = flag_of(m, expr_variable(i->value)))) emit(m, RACE_COPY, from - 1, flag - 1);
    else if (i->kind == INSTR_ASSIGN && expr_is_const(i->value) && i->value->value) emit(m, RACE_NONZERO, 0, flag - 1);
    else emit(m, RACE_FORGET, 0, flag - 1);
}

static void tries(Model *m, const Action *a, unsigned k) {
    const Instr *i = &a->instrs[k];
    unsigned flag = flag_of(m, i->target), lock = lock_named(m, a, k, false);
    if (flag && lock != RACE_NONE) emit(m, RACE_TRY, lock, flag - 1);
    else assign_flag(m, i);
}

/* Adds a condition on a flag. A flag has conditions on the locks that were tried, and on those of the flags copied to it. True if it is
   new. */
static bool add_condition(Model *m, unsigned flag, unsigned lock) {
    for (size_t c = 0; c < vec_len(m->thread->conditions); c++)
        if (m->thread->conditions[c].flag == flag && m->thread->conditions[c].lock == lock) return false;
    RaceCondition c = {flag, lock};
    vec_push(m->thread->conditions, c);
    return true;
}

static bool event_conditions(Model *m, const RaceEvent *e) {
    bool changed = false;
    if (e->op == RACE_TRY) return add_condition(m, e->b, e->a);
    for (size_t c = 0; c < vec_len(m->thread->conditions) && e->op == RACE_COPY; c++)
        if (m->thread->conditions[c].flag == e->a) changed |= add_condition(m, e->b, m->thread->conditions[c].lock);
    return changed;
}

static void find_conditions(Model *m) {
    for (bool changed = m->nflags > 0; changed;) {
        changed = false;
        for (size_t s = 0; s < vec_len(m->thread->steps); s++)
            for (size_t e = 0; e < vec_len(m->thread->steps[s].events); e++) changed |= event_conditions(m, &m->thread->steps[s].events[e]);
    }
}

/* ---- steps ---- */

/* Emits that anchored locks whose address depends on the variable are not known any more. */
static void change(Model *m, const Variable *v) {
    if (!v || !map_get(m->roots, map_key(v), NULL)) return;
    for (size_t i = 0; i < vec_len(m->anchored); i++)
        if (expr_mentions(m->anchored[i].place.rest, v->symbol)) emit(m, RACE_LOSE, m->anchored[i].lock, RACE_NONE);
}

static void lock_events(Model *m, const Action *a, unsigned k) {
    const Instr *i = &a->instrs[k];
    unsigned lock, joined;
    uint64_t part;
    change(m, i->target);
    switch (i->kind) {
    case INSTR_ASSUME: tests(m, i->value); return;
    case INSTR_LOCK:
        assign_flag(m, i);
        writes(m, i); /* the result of the attempt, not the mutex */
        lock = lock_named(m, a, k, false);
        if (lock != RACE_NONE) emit(m, RACE_ACQUIRE, lock, 0);
        return;
    case INSTR_TRYLOCK:
        writes(m, i);
        tries(m, a, k);
        return;
    case INSTR_UNLOCK: unlocks(m, a, k); break;
    case INSTR_CREATE:
        emit(m, RACE_CREATE, i->template_, 0);
        if (map_get(m->created, map_key(i), &part)) emit(m, RACE_CREATE, (unsigned)part - 1, 0);
        break;
    case INSTR_JOIN:
        joined = ids_joined(m->ids, m->template_, a, k);
        if (joined != RACE_NONE) emit(m, RACE_JOIN, joined, 0);
        break;
    default: break;
    }
    assign_flag(m, i);
    writes(m, i);
}

/* Adds the events on addresses last: the instruction's own accesses use the addresses before them. */
static void instr_events(Model *m, const Action *a, unsigned k) {
    lock_events(m, a, k);
    if (vec_len(m->thread->holders.rows)) unescaped_execute(m->fresh, m->template_, &a->instrs[k], &m->events);
}

typedef struct Accesses {
    const Site *sites;
    size_t next, n;
} Accesses;

static bool is_own(const Site *s) {
    const Object *o = s->address ? address_base(s->address) : NULL;
    return o && (o->kind == OBJECT_LOCAL || o->kind == OBJECT_THREAD);
}

static unsigned key_of(Model *m, Key key) {
    for (size_t i = 0; i < vec_len(m->keys); i++)
        if (!memcmp(&m->keys[i], &key, sizeof key)) return (unsigned)i;
    vec_push(m->keys, key);
    return (unsigned)vec_len(m->keys) - 1;
}

static bool is_within(uint64_t offset, uint64_t size, uint64_t most) { return size && offset < most && size <= most - offset; }

/* True if the lock lies at a fixed distance from the access. *key then describes the distance. */
static bool goes_with(Model *m, const Place *access, uint64_t size, const Place *lock, Key *key) {
    if (access->rest == lock->rest) {
        const Targets *t = pointsto(m->pointsto, access->rest);
        if (pointsto_is_wild(m->pointsto, access->rest) || vec_len(t->list) != 1) return false;
        Congruence c = t->list[0].offset;
        *key = (Key){.object = t->list[0].object, .scale = c.modulus, .residue = c.residue, .offset = lock->offset};
        return c.modulus && is_within(access->offset, size, c.modulus);
    }
    if (!access->object || !lock->object || access->index != lock->index) return false;
    if (access->object->kind != OBJECT_GLOBAL || lock->object->kind != OBJECT_GLOBAL) return false;
    *key = (Key){access->object, lock->object, access->scale, 0, lock->scale, lock->offset};
    return is_within(access->offset, size, access->scale);
}

static void add_guards(Model *m, const Site *s, RaceAccess *x) {
    if (!vec_len(m->anchored) || !s->address || x->wild || vec_len(x->bytes) != 1) return;
    const Action *a = &m->template_->actions[s->action];
    Place place = place_of(m->program, terms_at(m->terms, a, s->instr, s->address));
    for (size_t i = 0; i < vec_len(m->anchored); i++) {
        Key key;
        memset(&key, 0, sizeof key);
        if (!goes_with(m, &place, x->bytes[0].size, &m->anchored[i].place, &key)) continue;
        RaceGuard g = {m->anchored[i].lock, key_of(m, key)};
        vec_push(x->guards, g);
    }
}

static void add_access(Model *m, const Site *s, unsigned step) {
    RaceAccess x = {.thread = s->template_,
                    .step = step,
                    .before = (unsigned)vec_len(m->events),
                    .instr = s->instr,
                    .writes = s->writes,
                    .atomic = s->atomic,
                    .section = s->section,
                    .first = s->first,
                    .mutex = s->mutex,
                    .life = s->life,
                    .own = is_own(s),
                    .allocates = s->allocates,
                    .holder = s->variable || s->allocates ? RACE_NONE : holder_at(m, s->address)};
    if (s->variable) vec_push(x.bytes, of_variable(m, s->variable));
    else if (s->allocates) {
        const Object *o = m->template_->actions[s->action].instrs[s->instr].object;
        vec_push(x.bytes, ((RaceBytes){.region = region_of(m, o, o->name)}));
    } else {
        const Targets *t = pointsto(m->pointsto, s->address);
        x.wild = pointsto_is_wild(m->pointsto, s->address);
        for (size_t i = 0; i < vec_len(t->list); i++) vec_push(x.bytes, of_target(m, &t->list[i], size_of(s->size)));
        add_guards(m, s, &x);
    }
    vec_push(m->out->accesses, x);
}

static void add_step(Model *m, const Action *a, Accesses *sites, bool reached) {
    m->events = NULL;
    unsigned step = (unsigned)vec_len(m->thread->steps), t = m->template_->index;
    if (reached) tests(m, a->guard);
    if (reached && vec_len(m->thread->holders.rows)) unescaped_test(m->fresh, m->template_, a->guard, &m->events);
    for (unsigned k = 0; k < vec_len(a->instrs); k++) {
        for (; sites->next < sites->n && sites->sites[sites->next].template_ == t && sites->sites[sites->next].action == a->index &&
               sites->sites[sites->next].instr == k;
             sites->next++)
            if (reached) add_access(m, &sites->sites[sites->next], step);
        if (reached) instr_events(m, a, k);
    }
    if (!reached) return;
    RaceStep s = {a->source, a->target, m->translation->actions[t][a->index], m->events};
    vec_push(m->thread->steps, s);
}

static void add_holders(Model *m, const Template *t) {
    const RaceHolders *h = unescaped_holders(m->fresh, t);
    if (!vec_len(h->rows)) return;
    m->thread->holders = *h;
    m->thread->holders.rows = vec_copy(h->rows);
    for (unsigned s = 0; s < h->sites; s++) {
        const Object *o = unescaped_site(m->fresh, t, s);
        vec_push(m->thread->sites, region_of(m, o, o->name));
    }
}

static void add_thread(Model *m, Accesses *sites) {
    const Template *t = m->template_;
    bool *reached = graph_taken(t);
    m->thread = &m->out->threads[t->index];
    *m->thread = (RaceThread){.name = t->name,
                              .parts = m->thread->parts,
                              .template_ = m->translation->templates[t->index],
                              .many = t->count != 1,
                              .entry = t->entry,
                              .locations = (unsigned)vec_len(t->locations)};
    if (m->fresh) add_holders(m, t);
    m->locks = NULL;
    vec_resize(m->locks, vec_len(m->classes));
    m->flags = map_new();
    m->nflags = 0;
    m->anchored = NULL;
    m->roots = map_new();
    m->terms = terms_new(m->program, t, m->frozen);
    find_flags(m);
    find_locks(m);
    for (size_t a = 0; a < vec_len(t->actions); a++)
        add_step(m, &t->actions[a], sites, reached[t->actions[a].source] && !expr_is_false(t->actions[a].guard));
    find_conditions(m);
    vec_free_rows(m->locks);
    terms_free(m->terms);
    map_free(m->flags);
    map_free(m->roots);
    vec_free(m->anchored);
    vec_free(reached);
}

/* Adds the parts of a template marked many, if each of its threads has a CREATE of its own that runs at most once. */
static void find_parts(Model *m, unsigned template_) {
    const Instr **list = NULL;
    bool good = true;
    vec_each(const Template *, x, m->program->templates) {
        unsigned *component = graph_components(x);
        for (size_t a = 0; a < vec_len(x->actions); a++)
            vec_each_at(const Instr, in, x->actions[a].instrs) {
                if (in->kind != INSTR_CREATE || in->template_ != template_) continue;
                good &= x->count == 1 && !graph_repeats(component, &x->actions[a]);
                vec_push(list, in);
            }
        vec_free(component);
    }
    for (size_t i = 0; i < vec_len(list) && good; i++) {
        RaceThread part = {
            .name = m->program->templates[template_]->name, .template_ = m->translation->templates[template_], .locations = 1};
        vec_push(m->out->threads, part);
        unsigned n = (unsigned)vec_len(m->out->threads);
        vec_push(m->out->threads[template_].parts, n - 1);
        map_put(m->created, map_key(list[i]), n);
    }
    vec_free(list);
}

RaceProof *race_model(Program *p, const Translation *translation, bool fresh) {
    Model m = {.program = p, .translation = translation, .out = race_proof_new()};
    const Action *guard;
    m.pointsto = pointsto_new(p);
    if (fresh) m.fresh = unescaped_new(p);
    m.weak = published_relaxed(p, m.pointsto);
    m.shared = program_shared_objects(p);
    vec_resize(m.out->threads, vec_len(p->templates));
    m.created = map_new();
    for (unsigned t = 1; t < vec_len(p->templates); t++)
        if (p->templates[t]->count != 1) find_parts(&m, t);
    m.ids = thread_ids_new(p, m.created);
    m.frozen = frozen_globals(p);
    m.regions = map_new();
    Site *sites = race_sites(p, m.shared, &guard);
    Accesses all = {sites, 0, vec_len(sites)};
    find_classes(&m);
    for (size_t t = 0; t < vec_len(p->templates); t++) {
        m.template_ = p->templates[t];
        add_thread(&m, &all);
    }
    if (guard) {
        race_proof_free(m.out);
        m.out = NULL;
    }
    vec_free_rows(m.by_region);
    vec_free(m.classes);
    vec_free(m.frozen);
    vec_free(m.keys);
    vec_free(sites);
    vec_free(m.shared);
    map_free(m.regions);
    map_free(m.created);
    thread_ids_free(m.ids);
    if (fresh) unescaped_free(m.fresh);
    vec_free(m.weak);
    pointsto_free(m.pointsto);
    return m.out;
}
