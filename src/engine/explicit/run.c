/* SPDX-License-Identifier: Apache-2.0 */
/* Performs the runs of the search of all states. A run begins at a stored state with a step of one thread; an atomic section counts as one step. Then
   every thread whose next step is invisible to other threads takes it. The run continues while the persistent set is a single thread. Only the
   run's last state is stored. Choices, and the selection among actions, are decisions. The search enumerates them by repeating the run from the
   stored state with the next decisions. */
#include "engine/explicit/search.h"

/* A run ends early when it gets long or has many decisions. Its last state is then stored, so that the rest need not be repeated for every
   decision. */
enum { LONG_RUN = 500, MANY_DECISIONS = 3 };

/* ---- steps and decisions ---- */

/* Returns the decision at this point of the run: that of the previous time, or a new one if all previous decisions are used up. Returns NULL if the
   next previous decision belongs to a later point, so there was nothing to decide here. */
static Decision *decide(Search *x, bool choice, uint64_t count, bool *fresh) {
    *fresh = x->cursor == vec_len(x->decisions);
    if (*fresh) {
        Decision d = {.step = x->step, .choice = choice, .count = count};
        vec_push(x->decisions, d);
    } else if (x->decisions[x->cursor].step != x->step || x->decisions[x->cursor].choice != choice) {
        return NULL;
    }
    return &x->decisions[x->cursor++];
}

u128 search_choose(void *context, const Choice *c) {
    Search *x = context;
    Candidates all = inputs_candidates(x->context->inputs, c);
    if (!all.complete) context_sampled(x->context, c);
    uint64_t k = 0;
    if (all.count > 1) {
        bool fresh;
        const Decision *d = decide(x, true, all.count, &fresh);
        ensure(d);
        k = d->value;
        x->guard_chose |= !c->instr;
    }
    u128 value = all.values ? all.values[k] : k;
    vec_push(x->chosen, value);
    return value;
}

bool search_next_decisions(Search *x, size_t start) {
    while (vec_len(x->decisions) > start) {
        Decision *d = &vec_last(x->decisions);
        if (d->choice) {
            if (++d->value < d->count) return true;
        } else if (d->value < d->count && !(d->succeeded && d->exclusive)) {
            d->value++;
            if (d->value < d->count || !d->succeeded) return true;
        }
        (void)vec_pop(x->decisions);
    }
    return false;
}

static void record_step(Search *x, unsigned thread, unsigned action) {
    trace_add(x->recording, x->real[thread], action, vec_copy(x->chosen));
}

static Moved finish_step(Search *x, unsigned thread, const Template *t, const Action *a) {
    if (x->recording) record_step(x, thread, a->index);
    else x->context->task->stats->steps++;
    if (action_is_over(x->context->program, a)) x->over = true;
    notice_step(x->context, t, a);
    Arrival arrival = context_arrive(x->context, x->state, t, a);
    if (arrival == ARRIVAL_END) return DEAD;
    if (arrival != ARRIVAL_ERROR && arrival != ARRIVAL_LEAK) return MOVED;
    x->end = arrival == ARRIVAL_LEAK ? TRACE_LEAK : TRACE_ERROR;
    return !x->over || x->recording || context_wants_doubtful(x->context) ? ERROR : DEAD;
}

/* Ends the run with a fault that violates the property. The step is part of the trace, though it has no effect. */
static Moved faulted(Search *x, unsigned thread, const Action *a) {
    if (x->recording) record_step(x, thread, a->index);
    if (action_is_over(x->context->program, a)) x->over = true;
    x->end = TRACE_FAULT;
    return !x->over || x->recording || context_wants_doubtful(x->context) ? ERROR : DEAD;
}

/* Removes the fresh decision at `mine`: there was nothing to decide. */
static void undecide(Search *x, size_t mine) {
    (void)vec_pop(x->decisions);
    x->cursor = mine;
}

/* Takes one action of the thread, as decided. STUCK: no action is enabled. DEAD: no action is enabled for these decisions, or the step faults. */
static Moved thread_step(Search *x, unsigned thread) {
    const Site *site = reduction_site(x->context->reduction, x->state, thread);
    const Template *t = x->context->program->templates[state_template(x->state, thread)];
    Chooser chooser = {search_choose, x};
    size_t mine = x->cursor;
    bool fresh;
    x->step++;
    if (site->nout == 0) return STUCK;
    Decision *d = decide(x, false, site->nout, &fresh);
    if (fresh) d->exclusive = site->exclusive;
    for (uint64_t i = d ? d->value : 0; i < site->nout; i++) {
        vec_clear(x->chosen);
        size_t before = x->cursor;
        x->guard_chose = false;
        const Action *a = &t->actions[site->out[i]];
        if (context_beyond_limit(x->context, x->state, a)) continue;
        StepResult r = machine_step(x->context->machine, x->state, thread, a->index, &chooser, NULL);
        bool chose = x->cursor > before;
        if (r.status == STEP_FAULT) context_fault(x->context, a, &r);
        if (r.status == STEP_DISABLED && r.blocker && x->context->deadlocks && !x->recording) x->blocked = thread;
        bool violates = context_violates(x->context, a, &r);
        if (r.status != STEP_DONE && !chose && !violates) continue;
        if (d) x->decisions[mine].value = i;                           /* not d: the vec may have moved */
        if (d && x->guard_chose) x->decisions[mine].exclusive = false; /* another choice may enable another guard */
        if (violates) return faulted(x, thread, a);
        if (r.status != STEP_DONE) return DEAD;
        if (d) x->decisions[mine].succeeded = true;
        if (fresh && site->exclusive && !chose) undecide(x, mine);
        return finish_step(x, thread, t, a);
    }
    if (d && x->decisions[mine].succeeded) return DEAD;
    if (d) x->decisions[mine].value = site->nout;
    if (fresh) undecide(x, mine);
    return STUCK;
}

/* Returns true if the run should end here. The answer depends only on the run itself, so that a repeated run ends at the same point. */
static bool run_is_long(const Search *x) { return x->step > LONG_RUN || x->cursor - x->run_start > MANY_DECISIONS; }

static bool section_is_long(const Search *x, uint32_t first) {
    return x->step - first > LONG_RUN || x->cursor - x->run_start > MANY_DECISIONS;
}

/* Takes one step of a thread, and, if that enters an atomic section, the whole section. */
static Moved transaction(Search *x, unsigned thread) {
    uint32_t first = x->step;
    Moved r = thread_step(x, thread);
    if (!x->reduce && !search_counts(x)) return r;
    while (r == MOVED && !section_is_long(x, first) && reduction_site(x->context->reduction, x->state, thread)->atomic) {
        r = thread_step(x, thread);
        if (r == STUCK) return DEAD; /* an atomic section that gets stuck has no outcome */
    }
    return r;
}

static void check_symmetry(Search *x, unsigned thread) {
    if (x->symmetry && !x->recording && !symmetry_holds(x->symmetry, x->state, thread)) x->asymmetric = true;
}

/* Takes the invisible steps of all threads, or, if switches are counted, of the running thread only. */
static Moved take_invisible_steps(Search *x) {
    for (unsigned t = 1; t <= state_threads(x->state); t++)
        while ((!search_counts(x) || t == x->runner) && reduction_site(x->context->reduction, x->state, t)->invisible && !run_is_long(x)) {
            Moved r = thread_step(x, t);
            if (r == STUCK) break;
            if (r != MOVED) return r;
            check_symmetry(x, t);
        }
    return MOVED;
}

/* ---- sleep ---- */

/* Removes from the sleep set the threads whose next step conflicts with a step that was taken. */
static void wake(Search *x, Footprint by) {
    size_t kept = 0;
    for (size_t i = 0; i < vec_len(x->asleep); i++)
        if (!footprints_conflict(x->asleep[i].next, by)) x->asleep[kept++] = x->asleep[i];
    vec_resize(x->asleep, kept);
}

static bool is_asleep(const Sleeper *sleepers, unsigned thread) {
    for (size_t i = 0; i < vec_len(sleepers); i++)
        if (sleepers[i].thread == thread) return true;
    return false;
}

/* ---- runs ---- */

Moved search_run_on(Search *x, unsigned thread, Footprint *touched, bool *first_moved) {
    for (bool first = true;; first = false) {
        Footprint f = {0, 0};
        Moved r = MOVED;
        if (thread) {
            machine_track(x->context->machine, &f);
            r = transaction(x, thread);
            machine_track(x->context->machine, NULL);
            if (first) footprint_add(touched, f);
        }
        if (r == STUCK && !first) return MOVED; /* the run ends here: the persistent set must be widened */
        if (r != MOVED) return r;
        if (thread) check_symmetry(x, thread);
        *first_moved = true;
        x->set_known = false;
        if (!x->reduce) return search_counts(x) ? take_invisible_steps(x) : MOVED;
        wake(x, f);
        if ((r = take_invisible_steps(x)) != MOVED) return r;
        unsigned size;
        x->set = reduction_persistent(x->context->reduction, x->state, &size, &thread);
        x->set_known = true;
        if (size != 1 || run_is_long(x) || x->cursor > x->run_start + 1 || x->from_section) return MOVED;
        const Site *next = reduction_site(x->context->reduction, x->state, thread);
        if (next->enters || next->may_fail_after_choice) return MOVED; /* an atomic section may get stuck; a step with choices may fail */
        if (is_asleep(x->asleep, thread)) {
            x->context->task->stats->slept++;
            return PRUNED;
        }
    }
}

void search_restore(Search *x, const Frame *f) {
    const Record *r = store_record(x->store, f->handle);
    state_from_tuple(x->context->machine, x->state, store_components(x->store), r->tuple, r->length - (search_counts(x) ? 2 : 0));
}

Moved search_run(Search *x, Frame *f) {
    search_restore(x, f);
    x->run_start = x->cursor = f->decisions;
    x->step = 0;
    x->over = f->over;
    x->from_section = f->atomic;
    x->runner = f->active;
    x->switches = f->switches + search_is_switch(f, f->active);
    vec_clear(x->asleep);
    for (size_t i = f->sleepers; i < vec_len(x->sleepers); i++) vec_push(x->asleep, x->sleepers[i]);
    return search_run_on(x, f->active, &f->touched, &f->thread_moved);
}
