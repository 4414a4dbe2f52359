/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the interchangeable threads of a program (doc/rules.md, "The explicit engine").

   A thread's number gets into the data of a state by CREATE, by `self`, by the addresses of the thread's own objects, and as the owner of a mutex.
   CREATE gives the same number under every permutation. So threads of a template are interchangeable under four conditions:
   - the template does not use `self`;
   - the addresses of its threads' objects are used only to access these objects;
   - no mutex lies in these objects;
   - mutex words are accessed only by locking and unlocking.
   JOIN remains: it depends on whether the thread with a given number has ended. So a JOIN of an interchangeable thread waits for all threads of its
   template that were not joined yet (machine_join_together). By symmetry_holds, the thread must join all of them. Its steps on the way must be
   invisible to other threads, and other threads must not create more threads of the template. Then the order in which it joins them has no effect.
   Threads that own a mutex, and threads that were joined, keep their numbers. */
#include "engine/explicit/symmetry.h"
#include "analysis/pointsto.h"
#include "ir/live.h"
#include <stdlib.h>
#include <string.h>

struct Symmetry {
    const Program *program;
    Machine *machine;
    const Reduction *reduction;
    bool *interchangeable; /* vecs; by template: its threads are interchangeable */
    bool **joins;          /* by template, location: some action that leaves it joins */
    State *scratch;
};

/* ---- which templates ---- */

static bool mentions(const Expr *e, const Symbol *s) {
    if (e->op == OP_SYMBOL) return e->symbol == s;
    for (unsigned i = 0; i < e->nargs; i++)
        if (mentions(e->args[i], s)) return true;
    return false;
}

typedef struct Mention {
    const Symbol *symbol;
    bool found;
} Mention;

static void note_mention(void *context, const Expr *e) {
    Mention *m = context;
    m->found |= mentions(e, m->symbol);
}

static bool template_mentions(const Template *t, const Symbol *s) {
    Mention m = {.symbol = s};
    for (size_t a = 0; a < vec_len(t->actions) && !m.found; a++) {
        note_mention(&m, t->actions[a].guard);
        for (size_t i = 0; i < vec_len(t->actions[a].instrs); i++) instr_expressions(&t->actions[a].instrs[i], note_mention, &m);
    }
    return m.found;
}

static bool is_lock(const Instr *i) { return i->kind == INSTR_LOCK || i->kind == INSTR_TRYLOCK || i->kind == INSTR_UNLOCK; }

/* Calls visit for every instruction until it returns false. Returns true if it never did. */
static bool each_instr(const Program *p, bool (*visit)(void *, const Template *, const Action *, size_t), void *context) {
    for (size_t t = 0; t < vec_len(p->templates); t++)
        for (size_t a = 0; a < vec_len(p->templates[t]->actions); a++)
            for (size_t i = 0; i < vec_len(p->templates[t]->actions[a].instrs); i++)
                if (!visit(context, p->templates[t], &p->templates[t]->actions[a], i)) return false;
    return true;
}

/* ---- mutexes ---- */

typedef struct Words {
    const Program *program;
    PointsTo *pointsto;
    Target *locks; /* vecs: the places of mutex words */
    const Variable **cells;
    bool *in_own; /* by template: a mutex may lie in its threads */
} Words;

static bool targets_known(Words *w, const Expr *address) { return !pointsto_is_wild(w->pointsto, address); }

static bool collect_lock(void *context, const Template *t, const Action *a, size_t k) {
    Words *w = context;
    const Instr *i = &a->instrs[k];
    if (i->address && i->kind != INSTR_JOIN && i->kind != INSTR_ASSUME && !targets_known(w, i->address)) return false;
    if (i->kind == INSTR_COPY && !targets_known(w, i->value)) return false;
    if (!is_lock(i)) return true;
    if (i->cell) {
        vec_push(w->cells, i->cell);
        if (!i->cell->global) w->in_own[t->index] = true;
        return true;
    }
    const Targets *targets = pointsto(w->pointsto, i->address);
    for (size_t n = 0; n < vec_len(targets->list); n++) {
        const Object *o = targets->list[n].object;
        vec_push(w->locks, targets->list[n]);
        if (o->kind == OBJECT_LOCAL) w->in_own[o->template_] = true;
        if (o->kind == OBJECT_THREAD) return false;
    }
    return true;
}

/* Returns true if `bytes` bytes at an offset of a may overlap the four bytes of a mutex word at an offset of `lock`. */
static bool overlap(Congruence a, uint64_t bytes, Congruence lock) {
    uint64_t g = a.modulus, h = lock.modulus;
    while (h) {
        uint64_t r = g % h;
        g = h;
        h = r;
    }
    uint64_t d = a.residue - lock.residue; /* offset of a's bytes relative to the word */
    if (!g) return d < 4 || -d < bytes;
    if (g >> 62) return true;
    int64_t m = (int64_t)d % (int64_t)g;
    uint64_t up = (uint64_t)(m < 0 ? m + (int64_t)g : m);
    return up < 4 || g - up < bytes;
}

static bool reads_lock(Words *w, const Expr *address, uint64_t bytes) {
    const Targets *targets = pointsto(w->pointsto, address);
    for (size_t n = 0; n < vec_len(targets->list); n++)
        for (size_t l = 0; l < vec_len(w->locks); l++)
            if (targets->list[n].object == w->locks[l].object && overlap(targets->list[n].offset, bytes, w->locks[l].offset)) return true;
    return false;
}

/* Returns true if the instruction does not read a mutex word as data. */
static bool does_not_read_lock(void *context, const Template *t, const Action *a, size_t k) {
    Words *w = context;
    const Instr *i = &a->instrs[k];
    (void)t;
    if (i->kind == INSTR_LOAD) return !reads_lock(w, i->address, (i->target->sort->kind == SORT_BV ? i->target->sort->width + 7 : 8) / 8);
    if (i->kind != INSTR_COPY) return true;
    bool fixed = expr_is_const(i->size) && i->size->value < (u128)1 << 40;
    return !reads_lock(w, i->value, fixed ? (uint64_t)i->size->value : UINT64_MAX / 2);
}

static bool cells_are_only_locked(const Words *w) {
    for (size_t c = 0; c < vec_len(w->cells); c++)
        for (size_t t = 0; t < vec_len(w->program->templates); t++)
            if (template_mentions(w->program->templates[t], w->cells[c]->symbol)) return false;
    return true;
}

/* Returns true if mutex words are accessed only by locking and unlocking, and the targets of every address are known. */
static bool words_are_hidden(Words *w) {
    return each_instr(w->program, collect_lock, w) && each_instr(w->program, does_not_read_lock, w) && cells_are_only_locked(w);
}

/* ---- joins ---- */

/* Returns true if the instruction is not a JOIN whose result is used. */
static bool result_is_unused(void *context, const Template *t, const Action *a, size_t k) {
    const Liveness *const *live = context;
    const Instr *join = &a->instrs[k];
    if (join->kind != INSTR_JOIN || !join->target) return true;
    if (join->target->global || t->result == join->target) return false;
    for (size_t i = k + 1; i < vec_len(a->instrs); i++) {
        Mention m = {.symbol = join->target->symbol};
        instr_expressions(&a->instrs[i], note_mention, &m);
        if (m.found || a->instrs[i].cell == join->target) return false;
    }
    return !live_at(live[t->index], a->target, join->target);
}

static bool results_are_unused(const Program *p) {
    Liveness **live = NULL;
    for (size_t t = 0; t < vec_len(p->templates); t++) vec_push(live, live_new(p, p->templates[t]));
    bool unused = each_instr(p, result_is_unused, live);
    for (size_t t = 0; t < vec_len(live); t++) live_free(live[t]);
    vec_free(live);
    return unused;
}

static void find_joins(Symmetry *y) {
    vec_each(const Template *, template_, y->program->templates) {
        bool *list = NULL;
        vec_resize(list, vec_len(template_->locations));
        for (size_t a = 0; a < vec_len(template_->actions); a++)
            for (size_t i = 0; i < vec_len(template_->actions[a].instrs); i++)
                if (template_->actions[a].instrs[i].kind == INSTR_JOIN) list[template_->actions[a].source] = true;
        vec_push(y->joins, list);
    }
}

/* ---- making ---- */

/* Sets `interchangeable`: the templates that fulfil the conditions in the head of this file. */
static void find_templates(Symmetry *y, const Words *w) {
    const Program *p = y->program;
    bool *shared = program_shared_objects(p);
    vec_resize(y->interchangeable, vec_len(p->templates));
    for (size_t t = 1; t < vec_len(p->templates); t++) {
        const Template *template_ = p->templates[t];
        y->interchangeable[t] = template_->count != 1 && !w->in_own[t] && !template_mentions(template_, template_->self->symbol);
    }
    for (size_t i = 0; i < vec_len(p->objects); i++) {
        const Object *o = p->objects[i];
        if (!shared[i] || (o->kind != OBJECT_LOCAL && o->kind != OBJECT_THREAD)) continue;
        for (size_t t = 0; t < vec_len(p->templates); t++)
            if (o->kind == OBJECT_THREAD || o->template_ == t) y->interchangeable[t] = false;
    }
    vec_free(shared);
}

bool symmetry_is_left(const Symmetry *y) {
    for (size_t t = 0; t < vec_len(y->interchangeable); t++)
        if (y->interchangeable[t]) return true;
    return false;
}

Symmetry *symmetry_new(const Program *p, Machine *m, const Reduction *r) {
    bool several = false;
    for (size_t t = 1; t < vec_len(p->templates); t++) several |= p->templates[t]->count != 1;
    if (!several || !results_are_unused(p)) return NULL;
    Symmetry *y = zeroed(1, sizeof *y);
    *y = (Symmetry){.program = p, .machine = m, .reduction = r};
    Words w = {.program = p, .pointsto = pointsto_new(p)};
    vec_resize(w.in_own, vec_len(p->templates));
    bool hidden = words_are_hidden(&w);
    if (hidden) find_templates(y, &w);
    pointsto_free(w.pointsto);
    vec_free(w.locks);
    vec_free(w.cells);
    vec_free(w.in_own);
    find_joins(y);
    if (symmetry_is_left(y)) return y;
    symmetry_free(y);
    return NULL;
}

void symmetry_free(Symmetry *y) {
    if (!y) return;
    if (y->scratch) state_free(y->machine, y->scratch);
    vec_free_rows(y->joins);
    vec_free(y->interchangeable);
    free(y);
}

void symmetry_use(const Symmetry *y, bool use) { machine_join_together(y->machine, use ? y->interchangeable : NULL); }

/* ---- the check that waiting for one thread is waiting for all ---- */

enum { LONG_CHAIN = 3000 };

static u128 no_choice(void *context, const Choice *c) {
    (void)c;
    *(bool *)context = true;
    return 0;
}

static bool unjoined(const State *s, unsigned t, unsigned template_) { return state_template(s, t) == template_ && !state_joined(s, t); }

static bool all_joined(const State *s, unsigned template_) {
    for (unsigned t = 1; t <= state_threads(s); t++)
        if (unjoined(s, t, template_)) return false;
    return true;
}

/* Takes the only possible step of the thread in the scratch state. Returns false if it has no step, has several, or makes a choice, or if the step
   faults, reaches an error or is approximated. */
static bool chain_step(Symmetry *y, unsigned thread, StepResult *result) {
    const Site *site = reduction_site(y->reduction, y->scratch, thread);
    const Template *t = y->program->templates[state_template(y->scratch, thread)];
    bool chose = false;
    Chooser chooser = {no_choice, &chose};
    *result = (StepResult){.status = STEP_DISABLED};
    if (site->nout > 1 && !site->exclusive) return false;
    for (unsigned i = 0; i < site->nout; i++) {
        const Action *a = &t->actions[site->out[i]];
        LocationKind kind = t->locations[a->target].kind;
        StepResult r = machine_step(y->machine, y->scratch, thread, a->index, &chooser, NULL);
        if (chose) return false;
        if (r.status == STEP_DONE) return a->approximation == NO_APPROXIMATION && kind != LOCATION_ERROR && kind != LOCATION_STOP;
        if (r.status == STEP_FAULT) return false;
        if (r.blocked) *result = r;
    }
    return false;
}

/* Returns true if the footprint conflicts with anything that another thread may still do. Reading that a thread has ended does not count: an ended
   thread remains ended. */
static bool is_noticed(const Symmetry *y, const State *s, unsigned thread, Footprint f) {
    f.read &= ~machine_end_bits();
    for (unsigned t = 1; t <= state_threads(s); t++)
        if (t != thread && footprints_conflict(f, reduction_future(y->reduction, s, t))) return true;
    return false;
}

/* Returns true if the thread joins all threads of the template, by steps that no other thread observes, provided that each thread it waits for has
   ended. */
static bool joins_all(Symmetry *y, const State *s, unsigned thread, unsigned template_) {
    Footprint touched = {0, 0};
    bool joined = false, runs = true;
    machine_track(y->machine, &touched);
    for (unsigned n = 0; n < LONG_CHAIN && runs && !joined; n++) {
        StepResult r;
        const Site *site = reduction_site(y->reduction, y->scratch, thread);
        if (!chain_step(y, thread, &r)) {
            bool idle = !site->nout && site->kind != LOCATION_END; /* the thread takes no more steps */
            if (idle) joined = true;
            else
                runs = r.blocked && r.blocker != thread && reduction_site(y->reduction, y->scratch, thread)->nout &&
                       state_end_thread(y->machine, y->scratch, r.blocker);
        }
        joined |= all_joined(y->scratch, template_);
    }
    machine_track(y->machine, NULL);
    return joined && !is_noticed(y, s, thread, touched);
}

static bool several_unjoined(const State *s, unsigned template_) {
    unsigned n = 0;
    for (unsigned t = 1; t <= state_threads(s); t++) n += unjoined(s, t, template_);
    return n > 1;
}

/* Returns the template of the interchangeable thread that the thread waits for, if several threads of that template are not joined. Returns 0 if
   there is no such template. *known is false if the answer depends on a choice or on an atomic section. */
static unsigned waits_for_kind(Symmetry *y, const State *s, unsigned thread, bool *known) {
    const Site *site = reduction_site(y->reduction, s, thread);
    const Template *t = y->program->templates[state_template(s, thread)];
    bool chose = false;
    Chooser chooser = {no_choice, &chose};
    unsigned found = 0;
    for (unsigned i = 0; i < site->nout; i++) {
        state_assign(y->machine, y->scratch, s);
        StepResult r = machine_step(y->machine, y->scratch, thread, t->actions[site->out[i]].index, &chooser, NULL);
        if (!r.blocked || !r.blocker) continue;
        unsigned template_ = state_template(s, r.blocker);
        if (y->interchangeable[template_] && several_unjoined(s, template_)) found = template_;
    }
    *known = !chose && !state_atomic_thread(y->machine, s);
    return found;
}

bool symmetry_holds(Symmetry *y, const State *s, unsigned thread) {
    if (!y->joins[state_template(s, thread)][state_location(s, thread)]) return true;
    if (!y->scratch) y->scratch = state_copy(y->machine, s);
    bool known;
    unsigned template_ = waits_for_kind(y, s, thread, &known);
    if (!known)
        for (size_t t = 0; t < vec_len(y->interchangeable); t++) y->interchangeable[t] = false;
    if (!known || !template_) return known;
    state_assign(y->machine, y->scratch, s);
    bool ends = true;
    for (unsigned t = 1; t <= state_threads(s) && ends; t++)
        if (unjoined(s, t, template_) && !state_ended(y->machine, s, t)) ends = state_end_thread(y->machine, y->scratch, t);
    if (ends && joins_all(y, s, thread, template_)) return true;
    y->interchangeable[template_] = false;
    return false;
}

/* ---- sorting ---- */

static int compare(const uint32_t *a, const uint32_t *b, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
    return 0;
}

/* Writes the threads of a template that may be permuted to the list, and returns their number. */
static unsigned movable(const Symmetry *y, const State *s, unsigned template_, const bool *owns, unsigned *list) {
    unsigned n = 0;
    if (!y->interchangeable[template_]) return 0;
    for (unsigned t = 2; t <= state_threads(s); t++)
        if (unjoined(s, t, template_) && !owns[t]) list[n++] = t;
    return n;
}

static void sort_threads(const State *s, uint32_t *tuple, const unsigned *list, unsigned n, unsigned *to) {
    unsigned order[MOST_SEARCHED + 1];
    size_t count;
    for (unsigned i = 0; i < n; i++) { /* insertion sort: the threads are few, and mostly sorted already */
        unsigned k = i;
        const uint32_t *mine = tuple + state_thread_components(s, list[i], &count);
        for (; k && compare(mine, tuple + state_thread_components(s, order[k - 1], &count), count) < 0; k--) order[k] = order[k - 1];
        order[k] = list[i];
    }
    if (!n) return;
    uint32_t *sorted = NULL;
    for (unsigned i = 0; i < n; i++) {
        size_t at = state_thread_components(s, order[i], &count);
        for (size_t c = 0; c < count; c++) vec_push(sorted, tuple[at + c]);
        to[order[i]] = list[i];
    }
    for (unsigned i = 0; i < n; i++) memcpy(tuple + state_thread_components(s, list[i], &count), sorted + i * count, count * sizeof *tuple);
    vec_free(sorted);
}

void symmetry_sort(const Symmetry *y, const State *s, uint32_t *tuple, unsigned *to) {
    bool owns[MOST_SEARCHED + 1] = {false};
    unsigned list[MOST_SEARCHED + 1], n = state_threads(s);
    for (unsigned t = 1; t <= n; t++) to[t] = t;
    ensure(n <= MOST_SEARCHED);
    state_lock_owners(y->machine, s, owns);
    for (unsigned t = 1; t < vec_len(y->interchangeable); t++) sort_threads(s, tuple, list, movable(y, s, t, owns, list), to);
}

void symmetry_match(const Symmetry *y, const State *s, const uint32_t *tuple, const uint32_t *sorted, unsigned *to) {
    unsigned n = state_threads(s);
    bool taken[MOST_SEARCHED + 1] = {false};
    size_t count;
    for (unsigned t = 1; t <= n; t++) { /* threads that kept their numbers */
        size_t at = state_thread_components(s, t, &count);
        to[t] = compare(tuple + at, sorted + at, count) ? 0 : t;
        taken[t] = to[t];
    }
    for (unsigned t = 1; t <= n; t++)
        for (unsigned u = 1; u <= n && !to[t]; u++) {
            size_t at = state_thread_components(s, t, &count), there = state_thread_components(s, u, &count);
            if (taken[u] || !y->interchangeable[state_template(s, t)] || state_template(s, u) != state_template(s, t)) continue;
            if (compare(tuple + at, sorted + there, count)) continue;
            to[t] = u;
            taken[u] = true;
        }
    for (unsigned t = 1; t <= n; t++) ensure(to[t]);
}
