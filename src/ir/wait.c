/* SPDX-License-Identifier: Apache-2.0 */
#include "ir/wait.h"
#include "ir/machine.h"
#include <string.h>

/* ---- waiting ---- */

typedef struct Probe {
    Machine *machine;
    unsigned thread;
    bool lost;  /* unknown result: a choice has too many values, or a path is too long */
    bool waits; /* some action waits */
    Wait wait;
    unsigned depth;
    const Action *action; /* the action that is tried */
    Accesses *seen;       /* the accesses before it waits; may be NULL */
    /* the choices of the action that is tried, counted up as an odometer; vecs */
    u128 *values, *counts;
    size_t next;
} Probe;

enum { DEEPEST = 200, MOST_VALUES = 16 }; /* most actions of an atomic section that are followed; most values of a choice that are tried */

typedef struct Taint {
    const Variable **chosen; /* a vec: the variables that depend on the choice */
    bool used;
} Taint;

static void look_for_chosen(void *context, const Expr *e) {
    Taint *t = context;
    for (size_t i = 0; i < vec_len(t->chosen); i++) t->used |= expr_mentions(e, t->chosen[i]->symbol);
}

/* Returns true if nothing depends on the choice until the action reaches a lock or a join. */
static bool is_idle(const Action *a, const Choice *c) {
    Taint t = {0};
    bool idle = false;
    size_t i = 0, n = vec_len(a->instrs);
    while (i < n && &a->instrs[i] != c->instr) i++;
    if (i == n || a->instrs[i].kind != INSTR_HAVOC) return false;
    vec_push(t.chosen, a->instrs[i].target);
    for (i++; i < n && !t.used && !idle; i++) {
        const Instr *k = &a->instrs[i];
        instr_expressions(k, look_for_chosen, &t);
        for (size_t v = 0; v < vec_len(t.chosen); v++) t.used |= t.chosen[v] == k->cell;
        bool passed_on = t.used && k->kind == INSTR_ASSIGN && !expr_may_fault(k->value);
        if (passed_on) vec_push(t.chosen, k->target);
        t.used &= !passed_on;
        idle = !t.used && (k->kind == INSTR_LOCK || k->kind == INSTR_JOIN);
    }
    vec_free(t.chosen);
    return idle;
}

static u128 choose_next(void *context, const Choice *c) {
    Probe *p = context;
    u128 count = is_idle(p->action, c)                                                       ? 1
                 : c->kind == CHOICE_ONE_OF                                                  ? c->count
                 : c->kind == CHOICE_VALUE && c->sort->kind == SORT_BOOL                     ? 2
                 : c->kind == CHOICE_VALUE && c->sort->kind == SORT_BV && c->sort->width < 5 ? (u128)1 << c->sort->width
                                                                                             : MOST_VALUES + 1;
    if (count > MOST_VALUES) p->lost = true;
    if (p->next == vec_len(p->values)) {
        vec_push(p->values, 0);
        vec_push(p->counts, count);
    }
    return p->values[p->next++];
}

static bool next_choices(Probe *p) {
    while (vec_len(p->values)) {
        if (++vec_last(p->values) < vec_last(p->counts)) return true;
        (void)vec_pop(p->values);
        (void)vec_pop(p->counts);
    }
    return false;
}

static bool can_move(Probe *, const State *);

static bool may_wait(const Template *t, const Action *a) {
    bool waits = t->locations[a->target].atomic;
    for (size_t i = 0; i < vec_len(a->instrs); i++)
        waits |= a->instrs[i].kind == INSTR_LOCK || a->instrs[i].kind == INSTR_JOIN || a->instrs[i].waits;
    return waits;
}

/* Takes the action with these choices. Returns true if the thread moves on, perhaps by a fault. `after` is a copy of s, before and
   after. */
static bool try_action(Probe *p, const State *s, State *after, const Template *t, const Action *a) {
    const Chooser chooser = {choose_next, p};
    Accesses *seen = p->waits ? NULL : p->seen;
    size_t before = seen ? vec_len(seen->list) : 0;
    StepResult r = machine_step(p->machine, after, p->thread, a->index, &chooser, seen);
    if (r.status == STEP_DISABLED && r.blocked && !p->waits) {
        p->waits = true;
        bool held = r.instr && (r.instr->kind == INSTR_LOCK || (r.instr->kind == INSTR_ASSUME && r.blocker)); /* a thread holds the lock */
        p->wait = (Wait){p->thread, r.blocker, held, r.address, a};
    }
    if (r.status != STEP_DONE) return r.status == STEP_FAULT;
    bool moves = true;
    if (t->locations[a->target].atomic) {
        Probe inside = {.machine = p->machine, .thread = p->thread, .depth = p->depth, .seen = seen};
        moves = can_move(&inside, after);
        if (inside.waits && !p->waits) p->waits = true, p->wait = inside.wait;
    }
    if (seen && !p->waits) vec_resize(seen->list, before);
    state_assign(p->machine, after, s);
    return moves;
}

/* Returns true if the action moves on by some choices. Sets p->lost if not all choices were tried and no tried one moves on. */
static bool try_choices(Probe *p, const State *s, State *after, const Template *t, const Action *a) {
    bool leads = false;
    p->action = a;
    p->lost = false;
    do {
        p->next = 0;
        leads = try_action(p, s, after, t, a);
    } while (!leads && !p->lost && next_choices(p));
    vec_clear(p->values);
    vec_clear(p->counts);
    return leads;
}

/* Returns true if the thread can take an action from this state and, if that enters an atomic section, leave the section. A lost result
   counts as true. */
static bool can_move(Probe *p, const State *s) {
    const Template *t = p->machine->program->templates[state_template(s, p->thread)];
    const Location *l = &t->locations[state_location(s, p->thread)];
    State *after = state_copy(p->machine, s);
    bool deep = p->depth++ > DEEPEST, moves = deep, lost = false, unsure = deep;
    for (size_t i = 0; i < vec_len(l->out) && !moves; i++) {
        const Action *a = &t->actions[l->out[i]];
        moves = try_choices(p, s, after, t, a);
        lost |= !moves && p->lost;
        unsure |= !moves && p->lost && may_wait(t, a);
    }
    if (unsure && (deep || !moves)) p->machine->unsure = true;
    state_free(p->machine, after);
    vec_free(p->values);
    vec_free(p->counts);
    p->values = p->counts = NULL;
    return moves || lost;
}

bool state_can_move(Machine *m, const State *s, unsigned thread) {
    ensure(thread && thread <= state_threads(s));
    Probe p = {.machine = m, .thread = thread};
    Footprint *track = m->track;
    m->track = NULL;
    bool moves = can_move(&p, s);
    m->track = track;
    return moves;
}

bool machine_skipped_choices(const Machine *m) { return m->unsure; }

static bool waits(Probe *p, const State *s) {
    Footprint *track = p->machine->track;
    p->machine->track = NULL;
    bool waits = !state_ended(p->machine, s, p->thread) && !can_move(p, s) && p->waits;
    p->machine->track = track;
    return waits;
}

/* Returns true if the thread waits: it has not ended and cannot move, because of a lock, the end of a thread, or the wait of a library
   function. A condition that the program itself assumes is not a wait: an execution in which it is false does not exist. */
static bool state_waits(Machine *m, const State *s, unsigned thread, Wait *w) {
    Probe p = {.machine = m, .thread = thread};
    if (!waits(&p, s)) return false;
    *w = p.wait;
    return true;
}

bool state_wait_accesses(Machine *m, const State *s, unsigned thread, Accesses *seen) {
    Probe p = {.machine = m, .thread = thread, .seen = seen};
    return waits(&p, s);
}

/* ---- waiting for ever ---- */

static void append(Wait **list, Wait w) {
    if (list) vec_push(*list, w);
}

DeadlockKind state_deadlock_of(Machine *m, const State *s, unsigned thread, Wait **waits) {
    Wait w, *chain = NULL;
    DeadlockKind kind = DEADLOCK_NONE;
    size_t start = 0;
    if (state_halted(m, s) || state_atomic_thread(m, s)) return DEADLOCK_NONE;
    for (unsigned t = thread; !kind && state_waits(m, s, t, &w) && w.lock && w.blocker;) {
        vec_push(chain, w);
        if (w.blocker == t) kind = DEADLOCK_SELF;
        else if (state_ended(m, s, w.blocker)) kind = DEADLOCK_ENDED;
        for (size_t i = 0; i < vec_len(chain) && !kind; i++)
            if (chain[i].thread == w.blocker) kind = DEADLOCK_CYCLE, start = i;
        t = w.blocker;
    }
    if (kind == DEADLOCK_SELF || kind == DEADLOCK_ENDED) start = vec_len(chain) - 1;
    for (size_t i = start; kind && i < vec_len(chain); i++) append(waits, chain[i]);
    vec_free(chain);
    return kind;
}

static bool all_wait(Machine *m, const State *s, Wait **waits) {
    size_t before = waits ? vec_len(*waits) : 0;
    bool any = false, all = true;
    for (unsigned t = 1; t <= state_threads(s) && all; t++) {
        Wait w;
        if (state_ended(m, s, t)) continue;
        all = state_waits(m, s, t, &w);
        if (all) append(waits, w);
        any |= all;
    }
    if (!(all && any) && waits) vec_resize(*waits, before);
    return all && any;
}

DeadlockKind state_deadlock(Machine *m, const State *s, Wait **waits) {
    if (state_halted(m, s) || state_atomic_thread(m, s)) return DEADLOCK_NONE;
    for (unsigned t = 1; t <= state_threads(s); t++) {
        DeadlockKind kind = state_deadlock_of(m, s, t, waits);
        if (kind) return kind;
    }
    return all_wait(m, s, waits) ? DEADLOCK_ALL : DEADLOCK_NONE;
}

/* ---- memory that nothing points to ---- */

typedef struct Marking {
    const Machine *machine;
    const State *state;
    bool *marked; /* vecs, by block */
    size_t *work;
} Marking;

static void mark_pointer(Marking *k, uint64_t word) {
    const Machine *m = k->machine;
    for (size_t i = 0; i < vec_len(k->state->blocks); i++) {
        const Block *b = &k->state->blocks[i];
        uint64_t base = granule_address(m, b->granule);
        if (!b->alive || k->marked[i] || word < base || word > base + b->size) continue;
        k->marked[i] = true;
        vec_push(k->work, i);
    }
}

/* Marks the blocks to which a word of these bytes points. Pointers are usually aligned, but memory may be copied in pieces, so all
   offsets are tried. */
static void mark_from(Marking *k, const uint8_t *bytes, size_t size) {
    size_t width = k->machine->pointer_bytes;
    for (size_t i = 0; i + width <= size; i++) {
        uint64_t word = 0;
        memcpy(&word, bytes + i, width);
        if (word >= granule_address(k->machine, k->machine->heap_granule)) mark_pointer(k, word);
    }
}

/* Returns true if the segment belongs to a thread that has ended. Its result is not a pointer: no thread reads it when the process ends. */
static bool has_ended(const Machine *m, const State *s, size_t seg) {
    for (unsigned t = state_threads(s); t >= 1; t--)
        if (seg >= s->first[t - 1]) return state_ended(m, s, t);
    return false;
}

uint64_t state_leak(const Machine *m, const State *s, const Object **object) {
    Marking k = {.machine = m, .state = s};
    uint64_t leak = 0;
    bool all = parts_have(m->rules.parts, PART_MEMCLEANUP); /* memory that something points to is left behind, too */
    if (!vec_len(s->blocks)) return 0;
    vec_resize(k.marked, vec_len(s->blocks));
    for (size_t i = 0; i < vec_len(s->segs) && !all; i++)
        if (!has_ended(m, s, i)) mark_from(&k, s->segs[i].data, s->segs[i].size);
    while (vec_len(k.work)) {
        const Block *b = &s->blocks[vec_pop(k.work)];
        mark_from(&k, b->seg.data, b->size < b->seg.size ? b->size : b->seg.size);
    }
    for (size_t i = 0; i < vec_len(s->blocks) && !leak; i++) {
        const Block *b = &s->blocks[i];
        if (!b->alive || k.marked[i] || m->program->objects[b->site]->stack) continue;
        leak = granule_address(m, b->granule);
        *object = m->program->objects[b->site];
    }
    vec_free(k.marked);
    vec_free(k.work);
    return leak;
}
