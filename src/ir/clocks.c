/* SPDX-License-Identifier: Apache-2.0 */
/* Computes happens-before with vector clocks, as DJIT+ does (Flanagan and Freund, FastTrack, PLDI 2009, Section 2). Our deviation: the
   memory orders of C11 decide what is released and acquired. Each thread counts its steps, and knows for each other thread how many of
   its steps happen before the own next step. A releasing store leaves this clock at its place. An acquiring load adopts the clock that
   it finds. A release sequence continues through read-modify-writes of all threads, and through stores of the thread that began it. A
   releasing fence has the effect that later stores of the thread leave the clock of the fence. An acquiring fence adopts the clocks that
   earlier loads have found. Atomic sections are totally ordered. */
#include "ir/clocks.h"
#include "base/map.h"
#include <stdlib.h>

typedef struct Clock {
    uint32_t *times; /* a vec, by thread number */
} Clock;

/* Records a thread's last access of its kind to a place. */
typedef struct Seen {
    ClockedAccess what;
    uint32_t time;
    bool write, section;
} Seen;

/* Records an allocation, which counts as a write of the whole object. */
typedef struct Birth {
    ClockedAccess what;
    uint32_t time;
} Birth;

/* Records that a thread reads what another has written, and one of the two accesses is too weak to order them. */
typedef struct Missed {
    unsigned writer, reader;
    size_t step; /* of the write */
    const Instr *weak;
} Missed;

typedef struct Place {
    const Object *object;
    unsigned owner; /* the thread whose object it is, if each thread has its own */
    bool born;      /* `seen` has the allocation */
    Clock released;
    unsigned *heads; /* vecs: the threads whose stores began release sequences that still continue */
    Seen *seen;
    unsigned writer; /* of the last atomic write: the thread, the step, and the instruction, or NULL */
    size_t step;
    const Instr *write;
} Place;

struct Clocks {
    Map *variables, *bytes; /* → 1 + index in places */
    Place *places;          /* a vec */
    Clock *threads;         /* vecs, by number */
    Clock *found, *fenced;  /* clocks that loads found and did not acquire; clocks at the last releasing fence */
    Clock sections;
    Birth *births;  /* a vec: of objects that do not overlap */
    Missed *missed; /* a vec */
    size_t step;
};

enum { MOST_BYTES = 4096 };

Clocks *clocks_new(void) {
    Clocks *c = zeroed(1, sizeof *c);
    c->variables = map_new();
    c->bytes = map_new();
    return c;
}

static void free_clocks(Clock *list) {
    for (size_t i = 0; i < vec_len(list); i++) vec_free(list[i].times);
    vec_free(list);
}

void clocks_free(Clocks *c) {
    for (size_t i = 0; i < vec_len(c->places); i++) {
        vec_free(c->places[i].released.times);
        vec_free(c->places[i].heads);
        vec_free(c->places[i].seen);
    }
    vec_free(c->places);
    free_clocks(c->threads);
    free_clocks(c->found);
    free_clocks(c->fenced);
    vec_free(c->sections.times);
    vec_free(c->births);
    vec_free(c->missed);
    map_free(c->variables);
    map_free(c->bytes);
    free(c);
}

/* ---- clocks ---- */

static void join_clock(Clock *to, const Clock *from) {
    ensure(to != from); /* it may move while it grows */
    if (vec_len(to->times) < vec_len(from->times)) vec_resize(to->times, vec_len(from->times));
    for (size_t i = 0; i < vec_len(from->times); i++)
        if (to->times[i] < from->times[i]) to->times[i] = from->times[i];
}

static Clock *clock_in(Clock **list, unsigned thread) {
    if (vec_len(*list) <= thread) vec_resize(*list, thread + 1);
    return &(*list)[thread];
}

static Clock *clock_of(Clocks *c, unsigned thread) {
    Clock *t = clock_in(&c->threads, thread);
    if (vec_len(t->times) <= thread) vec_resize(t->times, thread + 1);
    return t;
}

static uint32_t time_of(const Clock *c, unsigned thread) { return thread < vec_len(c->times) ? c->times[thread] : 0; }

/* Begins a new time of the thread: its later accesses are not part of a clock that it has released. */
static void tick(Clocks *c, unsigned thread) { clock_of(c, thread)->times[thread]++; }

static void synchronise(Clocks *c, Clock *at, unsigned thread) {
    join_clock(clock_of(c, thread), at);
    join_clock(at, clock_of(c, thread));
    tick(c, thread);
}

/* ---- places ---- */

static Place *place_in(Clocks *c, Map *map, uint64_t key) {
    uint64_t i = 0;
    if (!map_get(map, key, &i)) {
        vec_push(c->places, ((Place){0}));
        i = vec_len(c->places);
        map_put(map, key, i);
    }
    return &c->places[i - 1];
}

static uint64_t bytes_of(const Access *a) { return a->variable ? 1 : a->size < MOST_BYTES ? a->size : MOST_BYTES; }

static Place *place_at(Clocks *c, const Access *a, uint64_t byte) {
    return a->variable ? place_in(c, c->variables, map_key(a->variable)) : place_in(c, c->bytes, a->address + byte);
}

static void forget_place(Place *p) {
    vec_clear(p->released.times);
    vec_clear(p->seen);
    vec_clear(p->heads);
    p->born = false;
    p->write = NULL;
}

/* Forgets accesses to the thread's memory whose life begins, perhaps where other memory was. */
static void begin_lives(Clocks *c, unsigned thread, const Action *a) {
    for (size_t i = 0; i < vec_len(a->instrs); i++)
        for (size_t p = 0; p < vec_len(c->places) && a->instrs[i].kind == INSTR_ALIVE; p++)
            if (c->places[p].object == a->instrs[i].object && c->places[p].owner == thread) forget_place(&c->places[p]);
}

/* ---- accesses ---- */

static bool is_mutex(const Access *a) { return a->kind == ACCESS_LOCK || a->kind == ACCESS_UNLOCK; }

/* True if the access may begin or end the life of a mutex. Only this races with taking and releasing it. */
static bool is_life(const Access *a) { return a->kind == ACCESS_FREE || a->kind == ACCESS_ALLOC || (a->instr && a->instr->life); }

static bool may_conflict(const Access *a, const Access *b) { return !(is_mutex(a) && !is_life(b)) && !(is_mutex(b) && !is_life(a)); }

static bool is_write(const Access *a) { return a->kind == ACCESS_WRITE || a->kind == ACCESS_FREE || is_mutex(a); }

static bool is_atomic(const Access *a) { return a->atomic || is_mutex(a); }

static bool find_race(const Place *p, const Clock *now, unsigned thread, const Action *action, const Access *a, ClockedAccess *first) {
    vec_each_at(const Seen, s, p->seen) {
        if (s->what.thread == thread || !(s->write || is_write(a)) || (is_atomic(&s->what.access) && is_atomic(a))) continue;
        if (!may_conflict(&s->what.access, a)) continue;
        if ((s->section && action->section) || s->time <= time_of(now, s->what.thread)) continue;
        *first = s->what;
        return true;
    }
    return false;
}

static void record_access(const Clocks *c, Place *p, const Clock *now, unsigned thread, const Action *action, const Access *a) {
    Seen new = {{c->step, thread, action, *a}, time_of(now, thread), is_write(a), action->section};
    size_t i = 0;
    while (i < vec_len(p->seen) &&
           !(p->seen[i].what.thread == thread && p->seen[i].write == new.write &&is_atomic(&p->seen[i].what.access) == is_atomic(a) &&
             p->seen[i].section == new.section))
        i++;
    if (i < vec_len(p->seen)) p->seen[i] = new;
    else vec_push(p->seen, new);
}

/* The memory begins to live, and is written thereby; not so on the stack. */
static void allocate(Clocks *c, unsigned thread, const Action *action, const Access *a) {
    for (uint64_t b = 0; b < bytes_of(a); b++) {
        uint64_t known;
        if (map_get(c->bytes, a->address + b, &known)) forget_place(&c->places[known - 1]);
    }
    for (size_t i = vec_len(c->births); i-- > 0;) {
        const Access *old = &c->births[i].what.access;
        if (old->address >= a->address + a->size || a->address >= old->address + old->size) continue;
        c->births[i] = vec_last(c->births);
        (void)vec_pop(c->births);
    }
    Birth new = {{c->step, thread, action, *a}, time_of(clock_of(c, thread), thread)};
    if (a->size && !(a->object && a->object->stack)) vec_push(c->births, new);
}

/* Notes the allocation of a byte of memory, the first time that the byte is accessed. */
static void note_birth(const Clocks *c, Place *p, const Access *a, uint64_t byte) {
    if (p->born || a->variable) return;
    p->born = true;
    for (size_t i = vec_len(c->births); i-- > 0;) {
        const Birth *b = &c->births[i];
        if (a->address + byte - b->what.access.address >= b->what.access.size) continue;
        vec_push(p->seen, ((Seen){b->what, b->time, true, b->what.action->section}));
        return;
    }
}

static bool is_head(const Place *p, unsigned thread) {
    for (size_t i = 0; i < vec_len(p->heads); i++)
        if (p->heads[i] == thread) return true;
    return false;
}

/* Releases the clock `known` at the place. changes: the store is the write of a read-modify-write. */
static void release(Place *p, const Clock *known, unsigned thread, bool changes) {
    if (!changes && !is_head(p, thread)) {
        vec_clear(p->released.times);
        vec_clear(p->heads);
    }
    if (vec_len(known->times) && !is_head(p, thread)) vec_push(p->heads, thread);
    join_clock(&p->released, known);
}

static void apply_fence(Clocks *c, unsigned thread, MemoryOrder order) {
    if (order_acquires(order)) join_clock(clock_of(c, thread), clock_in(&c->found, thread));
    if (!order_releases(order)) return;
    join_clock(clock_in(&c->fenced, thread), clock_of(c, thread));
    tick(c, thread);
}

static void note_missed(Clocks *c, Place *p, unsigned thread, const Access *a) {
    if (!a->atomic || !a->instr) return;
    if (a->kind == ACCESS_WRITE) {
        p->writer = thread;
        p->step = c->step;
        p->write = a->instr;
    } else if (p->write && p->writer != thread) {
        const Instr *weak = !order_acquires(a->instr->order) ? a->instr : !order_releases(p->write->order) ? p->write : NULL;
        if (weak) vec_push(c->missed, ((Missed){p->writer, thread, p->step, weak}));
    }
}

static bool apply_data_access(Clocks *c, unsigned thread, const Action *action, const Access *list, size_t i, ClockedAccess *first) {
    const Access *a = &list[i];
    bool changes = false, races = false;
    MemoryOrder order = a->instr ? a->instr->order : ORDER_SEQ_CST;
    for (size_t k = 0; k < i; k++)
        changes |= list[k].kind == ACCESS_READ && list[k].variable == a->variable && list[k].address == a->address;
    for (uint64_t b = 0; b < bytes_of(a) && !races; b++) {
        Place *p = place_at(c, a, b);
        Clock *now = clock_of(c, thread);
        p->object = a->object;
        p->owner = a->instance ? a->instance : thread;
        note_birth(c, p, a, b);
        if (a->atomic && a->kind == ACCESS_READ) join_clock(order_acquires(order) ? now : clock_in(&c->found, thread), &p->released);
        races = find_race(p, now, thread, action, a, first);
        record_access(c, p, now, thread, action, a);
        note_missed(c, p, thread, a);
        if (a->atomic && a->kind == ACCESS_WRITE) release(p, order_releases(order) ? now : clock_in(&c->fenced, thread), thread, changes);
    }
    if (a->atomic && a->kind == ACCESS_WRITE) tick(c, thread);
    return races;
}

/* A thread that takes a mutex then knows what was done before the mutex was released; a thread that releases it has accessed it before. */
static bool apply_mutex(Clocks *c, unsigned thread, const Action *action, const Access *a, ClockedAccess *first) {
    bool races = false;
    if (a->kind == ACCESS_LOCK) synchronise(c, &place_at(c, a, 0)->released, thread);
    for (uint64_t b = 0; b < bytes_of(a) && !races && (a->variable ? a->variable->global : a->shared); b++) {
        Place *p = place_at(c, a, b);
        p->object = a->object;
        p->owner = a->instance ? a->instance : thread;
        note_birth(c, p, a, b);
        races = find_race(p, clock_of(c, thread), thread, action, a, first);
        record_access(c, p, clock_of(c, thread), thread, action, a);
    }
    if (a->kind == ACCESS_UNLOCK) synchronise(c, &place_at(c, a, 0)->released, thread);
    return races;
}

static bool apply_access(Clocks *c, unsigned thread, const Action *action, const Access *list, size_t i, ClockedAccess *first) {
    const Access *a = &list[i];
    switch (a->kind) {
    case ACCESS_CREATE:
        clock_of(c, (unsigned)a->address);
        join_clock(clock_of(c, (unsigned)a->address), clock_of(c, thread));
        tick(c, (unsigned)a->address);
        tick(c, thread);
        return false;
    case ACCESS_JOIN:
        clock_of(c, (unsigned)a->address);
        join_clock(clock_of(c, thread), clock_of(c, (unsigned)a->address));
        return false;
    case ACCESS_LOCK:
    case ACCESS_UNLOCK: return apply_mutex(c, thread, action, a, first);
    case ACCESS_ALLOC: allocate(c, thread, action, a); return false;
    default: return a->shared && apply_data_access(c, thread, action, list, i, first);
    }
}

/* Applies the fences of the action up to an instruction. */
static void apply_fences(Clocks *c, unsigned thread, const Instr **from, const Instr *to) {
    for (; *from < to; ++*from)
        if ((*from)->kind == INSTR_FENCE) apply_fence(c, thread, (*from)->order);
}

bool clocks_step(Clocks *c, unsigned thread, const Action *action, const Access *list, size_t n, ClockedAccess *first, Access *second) {
    ensure(thread);
    bool races = false;
    const Instr *passed = action->instrs, *end = passed + vec_len(passed);
    tick(c, thread);
    if (action->section) synchronise(c, &c->sections, thread);
    begin_lives(c, thread, action);
    for (size_t i = 0; i < n && !races; i++) {
        if (list[i].instr >= passed && list[i].instr < end) apply_fences(c, thread, &passed, list[i].instr);
        races = apply_access(c, thread, action, list, i, first);
        if (races) *second = list[i];
    }
    apply_fences(c, thread, &passed, end);
    if (action->section) synchronise(c, &c->sections, thread);
    c->step++;
    return races;
}

const Instr *clocks_too_weak(const Clocks *c, const ClockedAccess *first, unsigned thread) {
    const Instr *some = NULL;
    for (size_t i = vec_len(c->missed); i-- > 0;) {
        const Missed *m = &c->missed[i];
        if (m->writer == first->thread && m->reader == thread && m->step >= first->step) return m->weak;
        if (!some) some = m->weak;
    }
    return some;
}
