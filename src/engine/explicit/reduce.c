/* SPDX-License-Identifier: Apache-2.0 */
/* Computes persistent sets (Godefroid, LNCS 1032, Chapter 4) from static summaries. The summary of a location is the footprint of everything that
   its thread, and threads that it may create, can do from there on. A set T of threads is persistent if no thread outside of T has a summary that
   conflicts with the next step of a thread in T. Footprints come from points-to analysis, and leave out unescaped heap objects (touches.c).
   Two refinements of the book's conflict relation make the sets smaller:
   - A LOCK of a mutex that a thread in T holds cannot happen before that thread moves. So summaries stop before this LOCK, unless an
     UNLOCK of the mutex, or another write to its word, may come first: any thread may unlock or initialise a normal mutex.
   - A thread that waits for the end of a thread in T cannot move before that thread moves.
   HALT ends the process, so it can only prevent errors. Actions that lead there are not taken, and a thread without other actions stays at its
   location. If the property depends on the end of the process (leaks), they are taken, and conflict with everything. */
#include "engine/explicit/reduce.h"
#include "base/map.h"
#include <stdlib.h>
#include <string.h>

enum { MAX_LOCKS = 16 };

typedef struct Summary {
    Footprint all;
    bool unlocks; /* may reach an UNLOCK of a mutex at whose LOCKs the summary stops */
} Summary;

typedef struct ThreadStatus { /* of a thread in the state of the present query */
    unsigned template_, location;
    const Site *site;
    unsigned waits; /* the thread whose end it waits for, or 0 */
    bool able;      /* it may be able to move */
} ThreadStatus;

struct Reduction {
    const Program *program;
    Machine *machine;
    bool ends;        /* the property depends on the end of the process */
    Site **sites;     /* by template, location */
    LockPlace *locks; /* a vec of at most MAX_LOCKS */
    u128 *words;      /* a vec: the footprint of each */
    Map *summaries;   /* set of held locks, at which the summaries stop → Summary ** (by template, location) */
    unsigned *held;   /* a vec of the keys of `summaries` */
    unsigned **outs;  /* a vec of the lists of sites */
    Summary **plain;  /* the summaries that stop at no lock */
    Summary **coarse; /* the same, with the bits of machine_track */
    Touches *touches;
    Footprint **fine; /* footprints by touches.c, by template, action */
    unsigned threads; /* number of threads in the state of the present query */
    ThreadStatus status[MOST_SEARCHED + 1];
};

/* ---- locks ---- */

static int find_lock(const Reduction *r, const LockPlace *l) {
    for (size_t i = 0; i < vec_len(r->locks); i++)
        if (r->locks[i].cell == l->cell && r->locks[i].object == l->object && r->locks[i].offset == l->offset) return (int)i;
    return -1;
}

static bool is_mutex_instr(const Instr *i) { return i->kind == INSTR_LOCK || i->kind == INSTR_TRYLOCK || i->kind == INSTR_UNLOCK; }

static void collect_locks(Reduction *r, const Template *t) {
    for (size_t a = 0; a < vec_len(t->actions); a++)
        vec_each_at(const Instr, instr, t->actions[a].instrs) {
            LockPlace l;
            if (!is_mutex_instr(instr) || !machine_lock_place(r->machine, t, &t->actions[a], instr, &l)) continue;
            if (find_lock(r, &l) >= 0 || vec_len(r->locks) == MAX_LOCKS) continue;
            vec_push(r->locks, l);
            vec_push(r->words, touches_of(r->touches, t, &t->actions[a], instr).write);
        }
}

/* Returns true if the instruction, which is not a mutex operation, may write the word of one of these locks. */
static bool overwrites(const Reduction *r, const Template *t, const Action *a, const Instr *instr, unsigned held) {
    u128 writes = touches_of(r->touches, t, a, instr).write;
    for (size_t k = 0; k < vec_len(r->words); k++)
        if ((held >> k & 1) && (r->words[k] & writes)) return true;
    return false;
}

/* Returns the locks of `held` that the action must take. Sets *unlocks if the action may release one of `held`. */
static unsigned action_locks(const Reduction *r, const Template *t, const Action *a, unsigned held, bool *unlocks) {
    unsigned takes = 0;
    vec_each_at(const Instr, instr, a->instrs) {
        if (!is_mutex_instr(instr) && overwrites(r, t, a, instr, held)) *unlocks = true;
        if (instr->kind != INSTR_LOCK && instr->kind != INSTR_UNLOCK) continue;
        LockPlace l;
        bool known = machine_lock_place(r->machine, t, a, instr, &l);
        int k = known ? find_lock(r, &l) : -1;
        if (instr->kind == INSTR_LOCK && k >= 0) takes |= 1u << k & held;
        if (instr->kind == INSTR_UNLOCK && (!known || (k >= 0 && (held >> k & 1)))) *unlocks = true;
    }
    return takes;
}

/* ---- sites ---- */

static Footprint action_touch(const Reduction *r, const Template *t, const Action *a) { return r->fine[t->index][a->index]; }

/* Returns the footprint of each action, by touches.c (fine), or with the bits of machine_track. */
static Footprint **find_touches(const Reduction *r, bool fine) {
    Footprint **all = NULL;
    vec_each(const Template *, template_, r->program->templates) {
        Footprint *of = NULL;
        vec_each_at(const Action, action, template_->actions) {
            Footprint f = machine_may_touch(r->machine, template_, action, NULL);
            if (r->ends && template_->locations[action->target].kind == LOCATION_HALT) f = (Footprint){~(u128)0, ~(u128)0};
            vec_each_at(const Instr, instr, action->instrs)
                footprint_add(&f, fine ? touches_of(r->touches, template_, action, instr)
                                       : machine_may_touch(r->machine, template_, action, instr));
            vec_push(of, f);
        }
        vec_push(all, of);
    }
    return all;
}

static bool enters_section(const Template *t, const Action *a) { return !t->locations[a->source].atomic && t->locations[a->target].atomic; }

static bool action_is_quiet(const Reduction *r, const Template *t, const Action *a) {
    return !machine_action_visible(r->machine, t, a) && !enters_section(t, a) && t->locations[a->target].kind != LOCATION_HALT;
}

static void note_fault(void *context, const Expr *e) {
    if (expr_may_fault(e)) *(bool *)context = true;
}

/* Returns true if the action may, after a choice, be disabled or fault, perhaps for every value. The thread then stays at its location, and other
   threads must move there. */
static bool action_is_chancy(const Action *a) {
    bool chosen = false, ends = false;
    vec_each_at(const Instr, instr, a->instrs) {
        if (chosen) {
            ends |= instr->kind != INSTR_ASSIGN && instr->kind != INSTR_HAVOC && instr->kind != INSTR_ALIVE && instr->kind != INSTR_DEAD;
            instr_expressions(instr, note_fault, &ends);
        }
        chosen |= instr->kind == INSTR_HAVOC && !instr->undefined;
    }
    return ends;
}

/* a < b and b <= a */
static bool opposite_order(const Expr *a, const Expr *b) {
    bool ordered = (a->op == OP_SLT && b->op == OP_SLE) || (a->op == OP_ULT && b->op == OP_ULE);
    return ordered && a->args[0] == b->args[1] && a->args[1] == b->args[0];
}

/* Returns true if the guards cannot both hold: one is the other's negation, or they compare one term with different constants. */
static bool guards_exclude(const Expr *a, const Expr *b) {
    if (opposite_order(a, b) || opposite_order(b, a)) return true;
    if (a->op == OP_NOT && a->args[0] == b) return true;
    if (b->op == OP_NOT && b->args[0] == a) return true;
    if (a->op != OP_EQ || b->op != OP_EQ) return false;
    for (unsigned i = 0; i < 2; i++)
        for (unsigned k = 0; k < 2; k++)
            if (a->args[i] == b->args[k] && expr_is_const(a->args[1 - i]) && expr_is_const(b->args[1 - k]) &&
                a->args[1 - i] != b->args[1 - k])
                return true;
    return false;
}

/* Returns true if the guards cannot both hold, and a may be a conjunction. The default of a C switch is the conjunction of all negated guards. */
static bool conjunction_excludes(const Expr *a, const Expr *b) {
    if (a->op == OP_AND)
        for (unsigned i = 0; i < a->nargs; i++)
            if (guards_exclude(a->args[i], b)) return true;
    return guards_exclude(a, b);
}

static bool all_exclusive(const Template *t, const unsigned *out, unsigned n) {
    for (unsigned i = 0; i < n; i++)
        for (unsigned k = 0; k < i; k++) {
            const Expr *a = t->actions[out[i]].guard, *b = t->actions[out[k]].guard;
            if (!conjunction_excludes(a, b) && !conjunction_excludes(b, a)) return false;
        }
    return true;
}

static bool starts_with_join(const Action *a) { return vec_len(a->instrs) && a->instrs[0].kind == INSTR_JOIN && expr_is_true(a->guard); }

/* Adds the footprints of the atomic section from this location on. */
static void add_section(const Reduction *r, const Template *t, unsigned location, bool *seen, Footprint *f) {
    const Location *l = &t->locations[location];
    if (!l->atomic || seen[location]) return;
    seen[location] = true;
    for (size_t i = 0; i < vec_len(l->out); i++) {
        const Action *a = &t->actions[l->out[i]];
        footprint_add(f, action_touch(r, t, a));
        add_section(r, t, a->target, seen, f);
    }
}

static Site make_site(const Reduction *r, const Template *t, const Location *l, unsigned *out) {
    Site s = {.kind = l->kind, .atomic = l->atomic, .invisible = true, .joins = true, .out = out, .nout = (unsigned)vec_len(out)};
    bool *seen = zeroed(vec_len(t->locations), sizeof *seen);
    for (unsigned i = 0; i < s.nout; i++) {
        const Action *a = &t->actions[out[i]];
        s.invisible &= action_is_quiet(r, t, a);
        s.may_fail_after_choice |= action_is_chancy(a);
        s.joins &= starts_with_join(a);
        s.enters |= enters_section(t, a);
        footprint_add(&s.next, action_touch(r, t, a));
        add_section(r, t, a->target, seen, &s.next);
    }
    if (s.may_fail_after_choice) s.invisible = false;
    if (s.nout == 0) s.invisible = s.joins = false;
    s.exclusive = all_exclusive(t, out, s.nout);
    free(seen);
    return s;
}

static void make_sites(Reduction *r, const Template *t) {
    Site *sites = NULL;
    vec_each_at(const Location, l, t->locations) {
        unsigned *out = NULL;
        for (size_t k = 0; k < vec_len(l->out); k++)
            if (r->ends || t->locations[t->actions[l->out[k]].target].kind != LOCATION_HALT) vec_push(out, l->out[k]);
        vec_push(r->outs, out);
        vec_push(sites, make_site(r, t, l, out));
    }
    vec_push(r->sites, sites);
}

/* ---- summaries ---- */

static bool grow(Summary *s, Footprint f, bool unlocks) {
    Summary old = *s;
    footprint_add(&s->all, f);
    s->unlocks |= unlocks;
    return s->all.read != old.all.read || s->all.write != old.all.write || s->unlocks != old.unlocks;
}

static bool grow_by_action(const Reduction *r, Summary **all, const Template *t, const Action *a, unsigned held, Footprint touch) {
    Summary *s = &all[t->index][a->source];
    bool unlocks = false;
    unsigned takes = action_locks(r, t, a, held, &unlocks);
    if (takes) return grow(s, (Footprint){0, 0}, unlocks); /* the action waits for the lock's owner */
    bool changed = grow(s, touch, unlocks);
    const Summary *after = &all[t->index][a->target];
    changed |= grow(s, after->all, after->unlocks);
    for (size_t i = 0; i < vec_len(a->instrs); i++) {
        if (a->instrs[i].kind != INSTR_CREATE) continue;
        const Template *other = r->program->templates[a->instrs[i].template_];
        const Summary *its = &all[other->index][other->entry];
        changed |= grow(s, its->all, its->unlocks);
    }
    return changed;
}

static Summary **compute_summaries(const Reduction *r, unsigned held, Footprint **touch) {
    Summary **all = NULL;
    for (size_t t = 0; t < vec_len(r->program->templates); t++) {
        Summary *of = NULL;
        vec_resize(of, vec_len(r->program->templates[t]->locations));
        vec_push(all, of);
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t t = 0; t < vec_len(all); t++) {
            const Template *template_ = r->program->templates[t];
            for (size_t a = vec_len(template_->actions); a-- > 0;)
                changed |= grow_by_action(r, all, template_, &template_->actions[a], held, touch[t][a]);
        }
    }
    return all;
}

/* Returns the summaries that stop at the locks of `held`. */
static Summary **summaries(Reduction *r, unsigned held) {
    uint64_t found;
    if (map_get(r->summaries, held, &found)) return (Summary **)(uintptr_t)found;
    Summary **all = compute_summaries(r, held, r->fine);
    map_put(r->summaries, held, (uintptr_t)all);
    vec_push(r->held, held);
    return all;
}

/* ---- making ---- */

static void free_touches(Footprint **all) { vec_free_rows(all); }

static void free_summaries(Summary **all) { vec_free_rows(all); }

Reduction *reduction_new(const Program *p, Machine *m, bool ends) {
    Reduction *r = zeroed(1, sizeof *r);
    r->program = p;
    r->machine = m;
    r->ends = ends;
    r->summaries = map_new();
    r->touches = touches_new(p, m);
    r->fine = find_touches(r, true);
    for (size_t t = 0; t < vec_len(p->templates); t++) collect_locks(r, p->templates[t]);
    for (size_t t = 0; t < vec_len(p->templates); t++) make_sites(r, p->templates[t]);
    r->plain = summaries(r, 0);
    Footprint **coarse = find_touches(r, false);
    r->coarse = compute_summaries(r, 0, coarse);
    free_touches(coarse);
    return r;
}

void reduction_free(Reduction *r) {
    if (!r) return;
    for (size_t i = 0; i < vec_len(r->held); i++) {
        uint64_t found;
        map_get(r->summaries, r->held[i], &found);
        free_summaries((Summary **)(uintptr_t)found);
    }
    free_summaries(r->coarse);
    free_touches(r->fine);
    touches_free(r->touches);
    vec_free_rows(r->sites);
    vec_free_rows(r->outs);
    vec_free(r->held);
    vec_free(r->locks);
    vec_free(r->words);
    map_free(r->summaries);
    free(r);
}

const Site *reduction_site(const Reduction *r, const State *s, unsigned thread) {
    return &r->sites[state_template(s, thread)][state_location(s, thread)];
}

Footprint reduction_future(const Reduction *r, const State *s, unsigned thread) {
    return r->coarse[state_template(s, thread)][state_location(s, thread)].all;
}

/* ---- persistent sets ---- */

static const Summary *summary_of(const Reduction *r, Summary **all, unsigned thread) {
    const ThreadStatus *at = &r->status[thread];
    return &all[at->template_][at->location];
}

static unsigned locks_held(const Reduction *r, const State *s, const Threads *by) {
    unsigned held = 0;
    for (size_t i = 0; i < vec_len(r->locks); i++) {
        unsigned owner = state_lock_owner(r->machine, s, &r->locks[i]);
        if (owner && owner <= r->threads && threads_have(by, owner)) held |= 1u << i;
    }
    return held;
}

/* Returns true if a thread other than u may write what is read here. */
static bool others_write(const Reduction *r, unsigned u, u128 reads) {
    for (unsigned v = 1; v <= r->threads && reads; v++)
        if (v != u && (summary_of(r, r->plain, v)->all.write & reads)) return true;
    return false;
}

/* Returns the thread that u waits to end, if no other thread can change this; or 0. */
static unsigned waits_for(Reduction *r, State *s, unsigned u) {
    const Site *site = r->status[u].site;
    if (!site->joins || site->nout != 1) return 0;
    u128 reads;
    unsigned other = machine_joined_thread(r->machine, s, u, site->out[0], &reads);
    return other && !others_write(r, u, reads) ? other : 0;
}

/* Returns true if u cannot move before a thread of the set moves, because u waits for its end, possibly through a chain of joins. */
static bool waits_for_set(const Reduction *r, const Threads *set, unsigned u) {
    for (unsigned hops = 0; hops < 8 && r->status[u].waits; hops++) {
        u = r->status[u].waits;
        if (threads_have(set, u)) return true;
    }
    return false;
}

/* Returns summaries of the threads outside of the set that are valid until a thread of the set moves. */
static Summary **summaries_without(Reduction *r, const State *s, const Threads *set) {
    unsigned held = locks_held(r, s, set);
    if (!held) return r->plain;
    Summary **all = summaries(r, held);
    for (unsigned u = 1; u <= r->threads; u++)
        if (!threads_have(set, u) && !waits_for_set(r, set, u) && summary_of(r, all, u)->unlocks) return r->plain;
    return all;
}

/* Returns the smallest persistent set with t that the summaries allow. *able is the number of its threads that may be able to move. If that reaches
   `limit`, the set is incomplete and must not be used. */
static Threads closure(Reduction *r, const State *s, unsigned t, unsigned limit, unsigned *able) {
    Threads set = {{0}};
    *able = 1;
    Footprint next = r->status[t].site->next;
    threads_put(&set, t);
    for (bool grown = true; grown;) {
        grown = false;
        Summary **all = summaries_without(r, s, &set);
        for (unsigned u = 1; u <= r->threads; u++) {
            if (threads_have(&set, u) || !footprints_conflict(next, summary_of(r, all, u)->all)) continue;
            if (waits_for_set(r, &set, u)) continue;
            threads_put(&set, u);
            footprint_add(&next, r->status[u].site->next);
            if (r->status[u].able && ++*able >= limit) return set;
            grown = true;
        }
    }
    return set;
}

/* Sets the status of all threads. Returns the threads that may be able to move, their number, and the lowest one. */
static Threads find_able_threads(Reduction *r, State *s, unsigned *count, unsigned *lowest) {
    Threads able = {{0}};
    *count = *lowest = 0;
    r->threads = state_threads(s);
    for (unsigned t = 1; t <= r->threads; t++) {
        ThreadStatus *at = &r->status[t];
        at->template_ = state_template(s, t);
        at->location = state_location(s, t);
        at->site = &r->sites[at->template_][at->location];
        at->waits = 0;
    }
    for (unsigned t = 1; t <= r->threads; t++) {
        ThreadStatus *at = &r->status[t];
        if (at->site->joins) at->waits = waits_for(r, s, t);
        at->able = at->site->nout && !at->waits;
        if (!at->able) continue;
        threads_put(&able, t);
        if (!(*count)++) *lowest = t;
    }
    return able;
}

Threads reduction_persistent(Reduction *r, State *s, unsigned *size, unsigned *one) {
    Threads best = find_able_threads(r, s, size, one);
    for (unsigned t = *one; t <= r->threads && *size > 1; t++) {
        unsigned count;
        if (!r->status[t].able) continue;
        Threads set = closure(r, s, t, *size, &count);
        if (count >= *size) continue;
        best = set;
        *size = count;
        *one = t;
    }
    return best;
}
