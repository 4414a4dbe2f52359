/* SPDX-License-Identifier: Apache-2.0 */
/* Answers whether every execution ends. A depth-first search stores every state. A step back to a state of the stack closes a loop, so some execution
   is endless.

   If a thread of a persistent set (reduce.c) can move, steps of threads outside of the set are left out. No endless execution is lost. Let r be
   endless from a state s. If r has a step of a thread of the set, let a be the first one. The steps before a do not conflict with it, so a can
   come first. If r has no such step, any step of the set that is possible in s can be taken before all of r. In both cases, an endless
   execution begins with a step of the set, and the argument repeats in the next state. Sleep sets and runs (run.c) are not used: they preserve
   the states that are reached, not the endless executions. The step to the end of the process is never part of an endless execution. */
#include "engine/explicit/lasso.h"
#include "ir/script.h"
#include <string.h>

/* ---- choices ---- */

static u128 choose(void *context, const Choice *c) {
    Lasso *l = context;
    Candidates all = inputs_candidates(l->context->inputs, c);
    if (!all.complete) context_sampled(l->context, c);
    if (l->cursor == vec_len(*l->picks)) vec_push(*l->picks, ((Pick){0, all.count}));
    uint64_t k = (*l->picks)[l->cursor++].value;
    u128 value = all.values ? all.values[k] : k;
    vec_push(l->chosen, value);
    return value;
}

/* Advances to the next choices of a step. Returns false if all were tried. */
static bool next_picks(Pick **picks) {
    while (vec_len(*picks)) {
        if (++vec_last(*picks).value < vec_last(*picks).count) return true;
        (void)vec_pop(*picks);
    }
    return false;
}

static void begin_choices(Lasso *l, Pick **picks) {
    l->picks = picks;
    l->cursor = 0;
    vec_clear(l->chosen);
}

/* ---- frames ---- */

static void push_frame(Lasso *l, uint32_t handle) {
    LassoFrame f = {.handle = handle};
    unsigned size, one;
    for (unsigned t = 1; t <= state_threads(l->state); t++) threads_put(&f.others, t);
    if (l->reduce) f.todo = reduction_persistent(l->context->reduction, l->state, &size, &one);
    else f.todo = f.others;
    for (unsigned i = 0; i < 4; i++) f.others.bits[i] &= ~f.todo.bits[i];
    store_record(l->store, handle)->on_stack = 1;
    vec_push(l->frames, f);
}

static void pop_frame(Lasso *l) {
    LassoFrame f = vec_pop(l->frames);
    store_record(l->store, f.handle)->on_stack = 0;
    vec_free(f.picks);
    vec_free(f.step.choices);
}

/* Chooses the thread to try next. The thread that moved last comes first, which makes traces with fewer switches. Returns false if all were tried. */
static bool next_thread(Lasso *l, LassoFrame *f) {
    size_t n = vec_len(l->frames);
    unsigned last = n > 1 ? l->frames[n - 2].step.thread : 0;
    f->out = 0;
    f->thread = 0;
    if (last && threads_have(&f->todo, last)) {
        threads_drop(&f->todo, last);
        f->thread = last;
        return true;
    }
    f->thread = threads_take(&f->todo);
    if (f->thread || f->moved) return f->thread;
    f->todo = f->others;
    f->others = (Threads){{0}};
    f->thread = threads_take(&f->todo);
    return f->thread;
}

static void keep_step(Lasso *l, LassoFrame *f, unsigned action) {
    vec_free(f->step.choices);
    f->step = (TraceStep){f->thread, action, vec_copy(l->chosen)};
}

const Action *lasso_next_step(Lasso *l, LassoFrame *f) {
    Chooser chooser = {choose, l};
    for (;;) {
        if (!f->thread && !next_thread(l, f)) return NULL;
        const Site *site = reduction_site(l->context->reduction, l->state, f->thread);
        const Template *t = l->context->program->templates[state_template(l->state, f->thread)];
        if (f->out >= site->nout) {
            f->thread = 0;
            continue;
        }
        const Action *a = &t->actions[site->out[f->out]];
        bool beyond = context_beyond_limit(l->context, l->state, a);
        begin_choices(l, &f->picks);
        StepResult r = {.status = STEP_DISABLED};
        if (!beyond) r = machine_step(l->context->machine, l->state, f->thread, a->index, &chooser, NULL);
        if (r.status == STEP_DONE) keep_step(l, f, a->index);
        if (!next_picks(&f->picks)) f->out++;
        if (r.status == STEP_FAULT) context_fault(l->context, a, &r);
        if (r.status == STEP_DONE) return a;
    }
}

/* ---- traces ---- */

Trace *lasso_stem(const Lasso *l, size_t n) {
    Trace *t = trace_new();
    t->end = l->fair ? TRACE_FAIR : TRACE_ENDLESS;
    vec_append(t->initial, l->initial);
    for (size_t i = 0; i < n; i++) trace_add_copy(t, &l->frames[i].step);
    return t;
}

/* Returns the lasso that the last frame's step closes. The step leads to the state with that handle, which is on the stack. */
static Trace *lasso_trace(const Lasso *l, uint32_t handle) {
    Trace *t = lasso_stem(l, vec_len(l->frames));
    while (l->frames[t->loop].handle != handle) t->loop++;
    return t;
}

/* ---- shortening ---- */

bool lasso_replay(Context *c, State *s, const Trace *t, size_t from, size_t to) {
    for (size_t i = from; i < to; i++) {
        const TraceStep *step = &t->steps[i];
        if (step->thread > state_threads(s)) return false;
        const Template *template_ = c->program->templates[state_template(s, step->thread)];
        if (step->action >= vec_len(template_->actions)) return false;
        Script script = {.choices = step->choices};
        Chooser chooser = script_chooser(&script);
        StepResult r = machine_step(c->machine, s, step->thread, step->action, &chooser, NULL);
        if (r.status != STEP_DONE || !script_is_used_up(&script)) return false;
    }
    return true;
}

static bool is_lasso(Context *c, const Trace *t) {
    if (t->end == TRACE_FAIR && !fairness_holds(c, t)) return false;
    Script script = {.choices = t->initial};
    Chooser chooser = script_chooser(&script);
    State *s = state_initial(c->machine, &chooser);
    Buf before = {0}, after = {0};
    bool good = t->loop < vec_len(t->steps) && lasso_replay(c, s, t, 0, t->loop);
    if (good) state_encode(c->machine, s, &before);
    good = good && lasso_replay(c, s, t, t->loop, vec_len(t->steps));
    if (good) state_encode(c->machine, s, &after);
    good = good && before.length == after.length && !memcmp(buf_string(&before), buf_string(&after), before.length);
    buf_free(&before);
    buf_free(&after);
    state_free(c->machine, s);
    return good;
}

static Trace *without(const Trace *t, size_t from, size_t to) {
    Trace *u = trace_new();
    u->end = t->end;
    vec_append(u->initial, t->initial);
    for (size_t i = 0; i < vec_len(t->steps); i++)
        if (i < from || i >= to) trace_add_copy(u, &t->steps[i]);
    u->loop = t->loop - (from < t->loop ? (to < t->loop ? to : t->loop) - from : 0);
    return u;
}

static Trace *without_thread(const Trace *t, unsigned thread, size_t from) {
    Trace *u = trace_new();
    u->end = t->end;
    vec_append(u->initial, t->initial);
    u->loop = t->loop;
    for (size_t i = 0; i < vec_len(t->steps); i++) {
        if (i < from || t->steps[i].thread != thread) trace_add_copy(u, &t->steps[i]);
        else u->loop -= i < t->loop;
    }
    return u;
}

/* Replaces *t by `shorter` if that is a lasso with fewer steps; frees the other one. */
static bool replace_if_lasso(Context *c, Trace **t, Trace *shorter) {
    bool good = vec_len(shorter->steps) < vec_len((*t)->steps) && is_lasso(c, shorter);
    trace_free(good ? *t : shorter);
    if (good) *t = shorter;
    return good;
}

static Trace *shorten(Context *c, Trace *t, double until) {
    unsigned threads = 0;
    for (size_t i = 0; i < vec_len(t->steps); i++)
        if (t->steps[i].thread > threads) threads = t->steps[i].thread;
    for (unsigned thread = threads; thread > 1 && context_seconds(c) < until; thread--)
        for (size_t i = 0; i < vec_len(t->steps) && context_seconds(c) < until; i++)
            if (t->steps[i].thread == thread && (!i || t->steps[i - 1].thread != thread))
                replace_if_lasso(c, &t, without_thread(t, thread, i));
    for (size_t size = vec_len(t->steps) / 2; size; size /= 2)
        for (size_t i = 0; i + size <= vec_len(t->steps) && context_seconds(c) < until;)
            if (!replace_if_lasso(c, &t, without(t, i, i + size))) i++;
    return t;
}

/* Makes the stem nonempty by a copy of the loop: the replay compares the state after the stem with the state after the loop. */
static Trace *with_stem(Trace *t) {
    size_t n = vec_len(t->steps);
    if (t->loop) return t;
    for (size_t i = 0; i < n; i++) trace_add_copy(t, &t->steps[i]);
    t->loop = n;
    return t;
}

/* ---- the search ---- */

static bool in_budget(Lasso *l, LassoEnd *end) {
    if (++l->ticks % 1024) return true;
    context_progress(l->context, "explicit: %.1f million states, %zu deep", (double)store_states(l->store) / 1e6, vec_len(l->frames));
    *end = LASSO_LIMIT;
    return context_seconds(l->context) < l->until && !store_is_full(l->store, l->memory);
}

bool lasso_found(Lasso *l, Trace *t) {
    double now = context_seconds(l->context), left = l->until - now;
    t = with_stem(shorten(l->context, t, now + (left < 6 ? left / 3 : 2)));
    return context_add_doubtful(l->context, t);
}

/* Checks the fairness of the lasso that the last step closes. A component may be large, or never become complete, so the first loops are
   checked separately. Returns true if the context has the trace of a fair lasso. */
static bool is_fair_way(Lasso *l, uint32_t handle) {
    enum { MOST_WAYS = 100, DEEP = 5000 };
    if (vec_len(l->frames) > DEEP || l->ways++ >= MOST_WAYS) return false;
    Trace *t = lasso_trace(l, handle);
    if (fairness_holds(l->context, t)) return lasso_found(l, t);
    trace_free(t);
    return false;
}

/* Looks up l->state. A new state gets a frame. Returns true if the state is on the stack and the lasso that it closes is a violation. */
static bool arrive(Lasso *l) {
    bool fresh;
    size_t length = state_tuple_length(l->state);
    vec_resize(l->tuple, length);
    state_to_tuple(l->context->machine, l->state, store_components(l->store), l->tuple);
    uint32_t handle = store_add(l->store, l->tuple, length, &fresh);
    if (fresh) push_frame(l, handle);
    if (l->fair) lasso_visit(l, handle, fresh);
    if (fresh || !store_record(l->store, handle)->on_stack) return false;
    return l->fair ? is_fair_way(l, handle) : lasso_found(l, lasso_trace(l, handle));
}

void lasso_restore(Lasso *l, uint32_t handle) {
    const Record *r = store_record(l->store, handle);
    state_from_tuple(l->context->machine, l->state, store_components(l->store), r->tuple, r->length);
}

static LassoEnd explore(Lasso *l) {
    LassoEnd end = LASSO_NONE;
    while (vec_len(l->frames)) {
        if (!in_budget(l, &end)) return end;
        LassoFrame *f = &vec_last(l->frames);
        lasso_restore(l, f->handle);
        const Action *a = lasso_next_step(l, f);
        if (!a) {
            if (l->fair && lasso_leave(l)) return LASSO_FOUND;
            pop_frame(l);
            continue;
        }
        l->context->task->stats->steps++;
        const Template *t = l->context->program->templates[state_template(l->state, f->thread)];
        if (context_arrive(l->context, l->state, t, a) != ARRIVAL_PLAIN) continue;
        f->moved |= !t->locations[a->target].atomic; /* an atomic section may get stuck, and then no thread can move */
        if (arrive(l)) return LASSO_FOUND;
    }
    return LASSO_NONE;
}

static LassoEnd search(Lasso *l) {
    Chooser chooser = {choose, l};
    do {
        begin_choices(l, &l->start);
        if (l->state) state_free(l->context->machine, l->state);
        l->state = state_initial(l->context->machine, &chooser);
        vec_clear(l->initial);
        vec_append(l->initial, l->chosen);
        arrive(l);
        LassoEnd end = explore(l);
        if (end != LASSO_NONE) return end;
    } while (next_picks(&l->start));
    return LASSO_NONE;
}

LassoEnd lasso_search(Context *c, bool reduce, double until, uint64_t *states) {
    bool fair = c->task->question->fair == FAIR_WEAK;
    Lasso l = {.context = c,
               .reduce = reduce && !fair,
               .fair = fair,
               .until = until,
               .memory = c->task->budget.memory / 4 * 3,
               .store = store_new()};
    LassoEnd end = search(&l);
    *states = store_states(l.store);
    c->task->stats->states += *states;
    c->task->stats->state_bytes += store_bytes(l.store);
    while (vec_len(l.frames)) pop_frame(&l);
    if (l.state) state_free(c->machine, l.state);
    store_free(l.store);
    vec_free(l.frames);
    vec_free(l.chosen);
    vec_free(l.tuple);
    vec_free(l.start);
    vec_free(l.initial);
    lasso_free_members(&l);
    return end;
}
