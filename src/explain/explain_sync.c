/* SPDX-License-Identifier: Apache-2.0 */
/* Describes synchronisation as the programmer knows it: semaphores, read-write locks, condition variables, barriers. In the models of the library
   these are numbers. The reader sees the called library function and its effect instead. This file also tracks which thread holds which lock. */
#include "base/file.h"
#include "explain/trace_explainer.h"
#include <string.h>

enum { MUTEX_OWNER = 0xffff }; /* the bits of a mutex word with the owner's number; see doc/ir.md */
#define WRITER 0xffffffffu /* the state of a read-write lock that is held to write; other states count readers; see front/model/rwlock.c */
#define RWLOCK_STATE "__data.__writers"

/* Returns the library function that the program itself calls; NULL if the position is in the program's own code. */
static const char *library_call(Position p) {
    static const char *const variants[] = {"__heddle_again_", "__heddle_once_", "__heddle_reads_", "__heddle_ending_", NULL};
    const char *name = NULL;
    for (const Activation *a = p.in; a && a->library; a = a->from.in) name = a->function;
    for (size_t i = 0; name && variants[i]; i++)
        if (!strncmp(name, variants[i], strlen(variants[i]))) return name + strlen(variants[i]);
    return name;
}

static bool is_one_of(const char *name, const char *const *list) {
    for (; name && *list; list++)
        if (!strcmp(name, *list)) return true;
    return false;
}

/* ---- the locks that threads hold ---- */

static bool is_place(const HeldLock *l, const Access *a) { return l->variable == a->variable && l->address == a->address; }

static void remove_held(TraceExplainer *t, size_t i) {
    for (; i + 1 < vec_len(t->held); i++) t->held[i] = t->held[i + 1];
    (void)vec_pop(t->held);
}

static size_t find_held(const TraceExplainer *t, const Access *a, unsigned thread) {
    size_t i = 0;
    while (i < vec_len(t->held) && !(is_place(&t->held[i], a) && (!thread || t->held[i].thread == thread))) i++;
    return i;
}

static void note_mutex(TraceExplainer *t, unsigned thread, const Access *a) {
    bool hidden, holds = (a->value.bits & MUTEX_OWNER) == thread;
    size_t i = find_held(t, a, thread);
    if (i == vec_len(t->held) && holds) {
        HeldLock l = {thread, HELD_MUTEX, a->variable, a->address, access_name(t, a, &hidden)};
        vec_push(t->held, l);
    } else if (i < vec_len(t->held) && !holds) remove_held(t, i);
}

static const char *const readers[] = {"pthread_rwlock_rdlock", "pthread_rwlock_tryrdlock", "pthread_rwlock_timedrdlock",
                                      "pthread_rwlock_clockrdlock", NULL};
static const char *const writers[] = {"pthread_rwlock_wrlock", "pthread_rwlock_trywrlock", "pthread_rwlock_timedwrlock",
                                      "pthread_rwlock_clockwrlock", NULL};
static const char *const unlocks[] = {"pthread_rwlock_unlock", NULL};

/* A thread that unlocks a lock without holding it releases the lock of another thread. */
static void note_rwlock(TraceExplainer *t, unsigned thread, const Access *a, const char *call) {
    const char *part, *name = library_place(t, a, &part);
    Value before;
    bool known = a->variable ? variable_before(t, a->variable, &before) : memory_before(t, a, &before);
    if (!name || strcmp(part, RWLOCK_STATE) || !known || before.bits == a->value.bits) return;
    HeldLock l = {thread, is_one_of(call, readers) ? HELD_TO_READ : HELD_TO_WRITE, a->variable, a->address, name};
    if (is_one_of(call, readers) || is_one_of(call, writers)) vec_push(t->held, l);
    if (!is_one_of(call, unlocks)) return;
    size_t i = find_held(t, a, thread);
    if (i == vec_len(t->held)) i = find_held(t, a, 0);
    if (i < vec_len(t->held)) remove_held(t, i);
}

void note_held(TraceExplainer *t, unsigned thread, const Access *a) {
    size_t i = a->kind == ACCESS_WRITE ? find_held(t, a, 0) : vec_len(t->held);
    if (i < vec_len(t->held) && t->held[i].how == HELD_MUTEX) remove_held(t, i); /* it is initialised or destroyed */
    if (a->kind == ACCESS_LOCK || a->kind == ACCESS_UNLOCK) note_mutex(t, thread, a);
    if (a->kind == ACCESS_WRITE && a->instr) note_rwlock(t, thread, a, library_call(a->instr->position));
}

/* ---- events ---- */

/* A call of a library function; the call changes the number of a synchronisation object. */
typedef struct Call {
    const char *name, *part; /* the object's name, and the C library's name of the changed member */
    uint32_t before, after;
    bool known; /* `before` is known */
} Call;

typedef const char *Describe(TraceExplainer *, const Call *, TraceLineEvent *); /* the effect in words; NULL: not shown */

static const char *does(TraceExplainer *t, const char *verb, const Call *c) {
    return arena_printf(t->counterexample->arena, "%s %s", verb, c->name);
}

static const char *initialise(TraceExplainer *t, const Call *c, TraceLineEvent *e) {
    e->value = e->before = NULL;
    return does(t, "initialises", c);
}
static const char *destroy(TraceExplainer *t, const Call *c, TraceLineEvent *e) {
    e->value = e->before = NULL;
    return does(t, "destroys", c);
}
static const char *change_value(TraceExplainer *t, const char *verb, const Call *c, TraceLineEvent *e) {
    e->before = c->known ? arena_printf(t->counterexample->arena, "%u", c->before) : NULL;
    e->value = arena_printf(t->counterexample->arena, "%u", c->after);
    if (!c->known) return arena_printf(t->counterexample->arena, "%s %s, which is then %u", verb, c->name, c->after);
    return arena_printf(t->counterexample->arena, "%s %s: %u → %u", verb, c->name, c->before, c->after);
}
static const char *begin_semaphore(TraceExplainer *t, const Call *c, TraceLineEvent *e) {
    e->value = arena_printf(t->counterexample->arena, "%u", c->after);
    e->before = NULL;
    return arena_printf(t->counterexample->arena, "initialises %s with %u", c->name, c->after);
}
static const char *post(TraceExplainer *t, const Call *c, TraceLineEvent *e) { return change_value(t, "posts", c, e); }
static const char *take(TraceExplainer *t, const Call *c, TraceLineEvent *e) {
    if (c->known && c->before == c->after) return arena_printf(t->counterexample->arena, "finds %s = %u", c->name, c->after);
    return change_value(t, "takes", c, e);
}

static const char *rwlock(TraceExplainer *t, const Call *c, TraceLineEvent *e, AccessKind kind, const char *verb) {
    if (strcmp(c->part, RWLOCK_STATE)) return NULL;
    e->value = e->before = NULL;
    e->kind = kind;
    e->failed = kind == ACCESS_LOCK && c->known && c->before == c->after;
    return e->failed ? arena_printf(t->counterexample->arena, "finds %s locked", c->name) : does(t, verb, c);
}
static const char *lock_to_read(TraceExplainer *t, const Call *c, TraceLineEvent *e) { return rwlock(t, c, e, ACCESS_LOCK, "read-locks"); }
static const char *lock_to_write(TraceExplainer *t, const Call *c, TraceLineEvent *e) {
    return rwlock(t, c, e, ACCESS_LOCK, "write-locks");
}
static const char *unlock(TraceExplainer *t, const Call *c, TraceLineEvent *e) { return rwlock(t, c, e, ACCESS_UNLOCK, "unlocks"); }

static const char *wait_in_turn(TraceExplainer *t, const Call *c, TraceLineEvent *e) { /* the events of its mutex show it */
    (void)t, (void)c, (void)e;
    return NULL;
}
static const char *wake(TraceExplainer *t, const Call *c, TraceLineEvent *e, const char *verb) {
    e->value = e->before = NULL;
    if (c->known && !c->before) return arena_printf(t->counterexample->arena, "%s %s, for which no thread waits", verb, c->name);
    return does(t, verb, c);
}
static const char *signal_one(TraceExplainer *t, const Call *c, TraceLineEvent *e) { return wake(t, c, e, "signals"); }
static const char *signal_all(TraceExplainer *t, const Call *c, TraceLineEvent *e) { return wake(t, c, e, "broadcasts"); }

/* The state of a barrier counts threads that have arrived. While the state is negative, threads have yet to leave. */
static const char *arrive(TraceExplainer *t, const Call *c, TraceLineEvent *e) {
    int32_t before = (int32_t)c->before, after = (int32_t)c->after;
    e->value = e->before = NULL;
    if (!c->known || (before >= 0 && after > before)) return does(t, "arrives at", c);
    return does(t, before < 0 ? "leaves" : "is the last to arrive at", c);
}

static const char *call_once(TraceExplainer *t, const Call *c, TraceLineEvent *e) {
    e->value = e->before = NULL;
    return does(t, c->after == 1 ? "begins the routine of" : "has finished the routine of", c);
}

typedef struct Description {
    Describe *describe;
    bool any; /* also for objects that are not of a library's type */
    const char *functions[6];
} Description;

static const Description descriptions[] = {
    {initialise, false, {"pthread_mutex_init", "mtx_init", "pthread_cond_init", "cnd_init", "pthread_rwlock_init"}},
    {initialise, false, {"pthread_barrier_init"}},
    {destroy, false, {"pthread_mutex_destroy", "mtx_destroy", "pthread_cond_destroy", "cnd_destroy", "pthread_rwlock_destroy"}},
    {destroy, false, {"pthread_barrier_destroy", "sem_destroy"}},
    {begin_semaphore, false, {"sem_init"}},
    {post, false, {"sem_post"}},
    {take, false, {"sem_wait", "sem_trywait", "sem_timedwait", "sem_clockwait"}},
    {lock_to_read,
     false,
     {"pthread_rwlock_rdlock", "pthread_rwlock_tryrdlock", "pthread_rwlock_timedrdlock", "pthread_rwlock_clockrdlock"}},
    {lock_to_write,
     false,
     {"pthread_rwlock_wrlock", "pthread_rwlock_trywrlock", "pthread_rwlock_timedwrlock", "pthread_rwlock_clockwrlock"}},
    {unlock, false, {"pthread_rwlock_unlock"}},
    {wait_in_turn, false, {"pthread_cond_wait", "pthread_cond_timedwait", "pthread_cond_clockwait", "cnd_wait", "cnd_timedwait"}},
    {signal_one, false, {"pthread_cond_signal", "cnd_signal"}},
    {signal_all, false, {"pthread_cond_broadcast", "cnd_broadcast"}},
    {arrive, false, {"pthread_barrier_wait"}},
    {call_once, true, {"pthread_once", "call_once"}},
};

static const Description *description_of(const char *call) {
    for (size_t i = 0; call && i < sizeof descriptions / sizeof *descriptions; i++)
        if (is_one_of(call, descriptions[i].functions)) return &descriptions[i];
    return NULL;
}

/* True if the instruction of the access belongs to a model of the library. */
static bool is_of_model(const Access *a) { return a->instr && a->instr->position.in && a->instr->position.in->library; }

static bool is_requested(const Access *a) {
    const char *name = a->variable ? a->variable->name : a->object ? a->object->name : "";
    return !strncmp(name, LIBRARY_PREFIX "requested", strlen(LIBRARY_PREFIX "requested"));
}

/* Describes cancellation, whose state is in the library's own variables. Returns NULL for another access. */
static const char *cancel_text(TraceExplainer *t, const Access *a, const char *call) {
    uint64_t thread = (uint64_t)a->value.bits;
    if (call && !strcmp(call, "pthread_cancel") && is_requested(a) && thread && thread <= vec_len(t->counterexample->threads)) {
        vec_push(t->asked, thread);
        return arena_printf(t->counterexample->arena, "asks %s to end", t->counterexample->threads[thread - 1]);
    }
    const char *name = a->variable ? a->variable->name : a->object ? a->object->name : "";
    for (const Activation *in = a->instr->position.in; in && in->library; in = in->from.in)
        if (!strcmp(in->function, "__heddle_leave_cancelled") && !strcmp(name, LIBRARY_PREFIX "cancel_state"))
            return "ends, since it was asked to";
    return NULL;
}

SyncEvent sync_event(TraceExplainer *t, const Access *a, TraceLineEvent *e) {
    if (a->kind != ACCESS_WRITE || !is_of_model(a) || a->undefined) return SYNC_NONE;
    const char *call = library_call(a->instr->position), *ends = cancel_text(t, a, call);
    *e = (TraceLineEvent){.kind = a->kind, .shared = true, .does = ends};
    if (ends) return SYNC_TOLD;
    const Description *l = description_of(call);
    Call c = {.after = (uint32_t)a->value.bits};
    bool hidden;
    c.name = l ? library_place(t, a, &c.part) : NULL;
    if (l && !c.name && l->any && a->size <= 4 && a->shared) c.name = access_name(t, a, &hidden), c.part = "";
    if (!c.name) return SYNC_NONE;
    Value before;
    c.known = a->variable ? variable_before(t, a->variable, &before) : memory_before(t, a, &before);
    if (c.known) c.before = (uint32_t)before.bits;
    e->name = c.name;
    e->does = l->describe(t, &c, e);
    return e->does ? SYNC_TOLD : SYNC_HIDDEN;
}

/* ---- waits ---- */

/* Adds the known holders of a read-write lock. */
static void put_holders(TraceExplainer *t, Buf *out, const Access *place, unsigned thread) {
    unsigned n = 0;
    vec_each_at(const HeldLock, l, t->held) {
        if (!is_place(l, place)) continue;
        if (n++) buf_text(out, " and ");
        else buf_printf(out, ", which is held to %s by ", l->how == HELD_TO_READ ? "read" : "write");
        if (l->thread == thread) buf_text(out, "itself");
        else put_thread(t, out, l->thread);
    }
}

typedef struct Awaited {
    const char *text; /* the name follows */
    enum { OF_LIBRARY, OF_PROGRAM, RWLOCK } type;
    const char *functions[3];
} Awaited;

static const Awaited awaited[] = {
    {"a post of the semaphore ", OF_LIBRARY, {"sem_wait"}},
    {"a signal of the condition variable ", OF_LIBRARY, {"pthread_cond_wait", "cnd_wait"}},
    {"more threads at the barrier ", OF_LIBRARY, {"pthread_barrier_wait"}},
    {"all to leave the barrier ", OF_LIBRARY, {"pthread_barrier_destroy"}},
    {"the read-write lock ", RWLOCK, {"pthread_rwlock_rdlock", "pthread_rwlock_wrlock"}},
    {"the end of the routine of ", OF_PROGRAM, {"pthread_once", "call_once"}},
};

/* Returns the name of the last object of the type that the model has accessed; NULL if it has accessed no such object. */
static const char *awaited_name(TraceExplainer *t, const Awaited *w, const Access *list, const Access **place) {
    const char *name = NULL, *part;
    bool hidden;
    vec_each_at(const Access, a, list) {
        const char *n = is_of_model(a) ? library_place(t, a, &part) : NULL;
        if (w->type == RWLOCK && n && strcmp(part, RWLOCK_STATE)) continue;
        if (w->type == OF_PROGRAM && is_of_model(a) && a->shared && !n) n = access_name(t, a, &hidden);
        if (n) name = n, *place = a;
    }
    return name;
}

/* Returns the library function in which the action waits. */
static const char *waiting_call(const Action *a) {
    for (size_t i = 0; i < vec_len(a->instrs); i++)
        if (a->instrs[i].waits && a->instrs[i].position.file) return library_call(a->instrs[i].position);
    return library_call(a->position);
}

void put_awaited(TraceExplainer *t, Buf *out, Machine *m, const State *s, const Wait *w) {
    Accesses seen = {0};
    const Access *place = NULL;
    const Awaited *what = NULL;
    const char *call = waiting_call(w->action);
    for (size_t i = 0; i < sizeof awaited / sizeof *awaited; i++)
        if (is_one_of(call, awaited[i].functions)) what = &awaited[i];
    state_wait_accesses(m, s, w->thread, &seen);
    const char *name = what ? awaited_name(t, what, seen.list, &place) : NULL;
    if (name) buf_printf(out, "%s%s", what->text, name);
    else buf_text(out, "an event that no thread causes any more");
    if (!name && call) buf_printf(out, ", in %s", call);
    if (name && what->type == RWLOCK) put_holders(t, out, place, w->thread);
    vec_free(seen.list);
}

/* ---- waking up, and failed exchanges ---- */

/* Returns the number of steps that other threads have taken. */
static uint64_t steps_of_others(const TraceExplainer *t, unsigned thread) {
    uint64_t own = 0;
    return map_get(t->own, thread, &own) ? t->step - own : t->step;
}

/* A thread wakes up spuriously if no other thread has taken a step since its wait began. In other cases the cause is not known, since the model of
   a signal does nothing. */
void note_wait(TraceExplainer *t, const Access *a, unsigned thread, TraceLineEvent *e) {
    static const char *const plain[] = {"pthread_cond_wait", "cnd_wait", NULL};
    static const char *const timed[] = {"pthread_cond_timedwait", "pthread_cond_clockwait", "cnd_timedwait", NULL};
    const char *call = a->instr ? library_call(a->instr->position) : NULL;
    bool for_ever = is_one_of(call, plain), asked = false;
    for (size_t i = 0; i < vec_len(t->asked); i++) asked |= t->asked[i] == thread;
    uint64_t since = 0;
    if ((a->kind != ACCESS_LOCK && a->kind != ACCESS_UNLOCK) || (!for_ever && !is_one_of(call, timed))) return;
    e->waits = true;
    if (a->kind == ACCESS_UNLOCK) map_put(t->waits, thread, steps_of_others(t, thread) + 1);
    else e->spurious = for_ever && !asked && map_get(t->waits, thread, &since) && since == steps_of_others(t, thread) + 1;
}

/* ---- misuse ---- */

void note_written(TraceExplainer *t, unsigned thread, const Access *a, Position p) {
    static const char *const destroyers[] = {"pthread_mutex_destroy", "mtx_destroy", NULL};
    if (a->kind != ACCESS_WRITE || !a->instr) return;
    bool destroys = is_one_of(library_call(a->instr->position), destroyers);
    vec_push(t->writes, ((Written){a->variable, a->address, a->size, thread, p, destroys}));
}

/* Finds the last write to the mutex of a fault. A write of the step at fault has no access, since the step has no effect. */
static bool find_written(const TraceExplainer *t, const ReplayStep *s, Written *w) {
    const Instr *at = s->fault->instr, *all = s->action->instrs;
    const Object *object = at && at->address ? address_base(at->address) : NULL;
    for (size_t i = object && at >= all && at < all + vec_len(all) ? (size_t)(at - all) : 0; i-- > 0;) {
        bool writes = all[i].kind == INSTR_STORE || all[i].kind == INSTR_FILL || all[i].kind == INSTR_COPY;
        if (!writes || address_base(all[i].address) != object) continue;
        *w = (Written){.thread = s->thread, .position = all[i].position};
        return true;
    }
    for (size_t i = vec_len(t->writes); i-- > 0;) {
        *w = t->writes[i];
        if (at && at->cell ? w->variable == at->cell : !w->variable && s->fault->address - w->address < w->size) return true;
    }
    return false;
}

Fault told_fault(const TraceExplainer *t, const ReplayStep *s) {
    Written w;
    if (s->fault->fault != FAULT_DESTROYED) return s->fault->fault;
    return find_written(t, s, &w) && w.destroys ? FAULT_DESTROYED : FAULT_MUTEX;
}

static const HeldLock *mutex_at(const TraceExplainer *t, const Variable *v, uint64_t address) {
    for (size_t i = 0; i < vec_len(t->held); i++)
        if (t->held[i].variable == v && t->held[i].address == address && t->held[i].how == HELD_MUTEX) return &t->held[i];
    return NULL;
}

void tell_mutex(TraceExplainer *t, const ReplayStep *s) {
    const StepResult *fault = s->fault;
    const Variable *cell = fault->instr ? fault->instr->cell : NULL;
    bool misused = fault->fault == FAULT_UNLOCK || fault->fault == FAULT_DESTROYED || fault->fault == FAULT_MUTEX;
    const char *name = misused ? place_name(t, cell, fault->address) : NULL;
    const HeldLock *held = mutex_at(t, cell, fault->address);
    Written w;
    Buf out = {0};
    if (!name) return;
    buf_printf(&out, "the mutex is %s", name);
    if (fault->fault == FAULT_UNLOCK && !held) buf_text(&out, ", which no thread holds");
    if (held) {
        buf_text(&out, ", which is held by ");
        put_thread(t, &out, held->thread);
    }
    if (fault->fault == FAULT_DESTROYED && find_written(t, s, &w)) {
        buf_text(&out, w.destroys ? ", which was destroyed" : ", whose bytes were written");
        if (w.position.file) buf_printf(&out, " at %s:%u", base_name(w.position.file), w.position.line);
        buf_text(&out, " by ");
        put_thread(t, &out, w.thread);
    }
    vec_push(t->counterexample->details, kept(t, &out));
}
