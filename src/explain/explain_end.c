/* SPDX-License-Identifier: Apache-2.0 */
/* Describes the end of a counterexample if it is not an assertion: the accesses that race, the threads that wait for each other, the memory
   that was lost. */
#include "base/file.h"
#include "explain/messages.h"
#include "explain/trace_explainer.h"
#include <string.h>

void put_thread(TraceExplainer *t, Buf *out, unsigned thread) {
    if (thread <= vec_len(t->counterexample->threads)) buf_text(out, t->counterexample->threads[thread - 1]);
    else buf_printf(out, "thread %u", thread);
}

static void put_place(Buf *out, Position p) {
    if (p.file) buf_printf(out, " at %s:%u", base_name(p.file), p.line);
}

/* ---- races ---- */

static Position place_of(const Access *a, const Action *action) {
    return a->instr && a->instr->position.file ? a->instr->position : action->position;
}

static void put_access(TraceExplainer *t, Buf *out, unsigned thread, const Access *a, Position p) {
    bool hidden = false;
    const char *name = access_name(t, a, &hidden);
    put_thread(t, out, thread);
    buf_printf(out, " %s%s %s", a->atomic ? "atomically " : "",
               a->kind == ACCESS_READ     ? "reads"
               : a->kind == ACCESS_FREE   ? "frees"
               : a->kind == ACCESS_LOCK   ? "locks"
               : a->kind == ACCESS_UNLOCK ? "unlocks"
                                          : "writes",
               name ? name : "memory");
    put_place(out, p);
}

/* Adds the locks that a racing thread holds, and the callers of its function. */
static void add_racer(TraceExplainer *t, unsigned thread, Position at) {
    Buf text = {0};
    const char *callers = callers_text(t, at);
    unsigned n = 0;
    put_thread(t, &text, thread);
    vec_each_at(const HeldLock, l, t->held) {
        static const char *const how[] = {[HELD_TO_READ] = " (to read)", [HELD_TO_WRITE] = " (to write)"};
        if (l->thread != thread) continue;
        buf_printf(&text, "%s%s%s", n++ ? ", " : " holds ", l->name ? l->name : "a mutex", how[l->how] ? how[l->how] : "");
    }
    if (!n) buf_text(&text, " holds no lock");
    const Activation *in = own_activation(at);
    if (callers && in) buf_printf(&text, "; in %s ← %s", in->function, callers);
    vec_push(t->counterexample->details, kept(t, &text));
}

static void add_race(TraceExplainer *t, const ReplayStep *s, const Access *first, const Access *second) {
    Buf text = {0};
    buf_text(&text, "data race: ");
    put_access(t, &text, t->before.thread, first, place_of(first, t->before.action));
    buf_text(&text, " while ");
    put_access(t, &text, s->thread, second, place_of(second, s->action));
    t->counterexample->position = place_of(second, s->action);
    t->counterexample->error = kept(t, &text);
    add_racer(t, t->before.thread, place_of(first, t->before.action));
    add_racer(t, s->thread, place_of(second, s->action));
}

static size_t moments_up_to(const Counterexample *s, unsigned thread, Position p) {
    size_t n = vec_len(s->moments);
    while (n && (s->moments[n - 1].thread != thread || s->moments[n - 1].position.line != p.line)) n--;
    return n;
}

/* Describes a race whose two accesses are not adjacent in the trace, though happens-before does not order them. */
static void end_unordered(TraceExplainer *t, const ReplayStep *s) {
    ClockedAccess first;
    Access second;
    Buf text = {0}, why = {0};
    if (!clocks_step(t->clocks, s->thread, s->action, s->accesses, s->naccesses, &first, &second)) return;
    buf_text(&text, "data race: ");
    put_access(t, &text, first.thread, &first.access, place_of(&first.access, first.action));
    buf_text(&text, ", and ");
    put_access(t, &text, s->thread, &second, place_of(&second, s->action));
    buf_text(&text, ", and neither happens before the other");
    t->counterexample->position = place_of(&second, s->action);
    t->counterexample->error = kept(t, &text);
    t->counterexample->first = place_of(&first.access, first.action);
    t->counterexample->first_thread = first.thread;
    t->counterexample->racing = moments_up_to(t->counterexample, first.thread, t->counterexample->first);
    const Instr *weak = clocks_too_weak(t->clocks, &first, s->thread);
    if (!weak || !weak->position.file) return;
    buf_text(&why, MSG_EXPLAIN_WEAK_ATOMICS);
    put_place(&why, weak->position);
    vec_push(t->counterexample->details, kept(t, &why));
}

static void end_race(TraceExplainer *t, const ReplayStep *s, size_t steps) {
    if (t->step + 1 < steps) {
        t->before = *s;
        t->counterexample->racing = vec_len(t->counterexample->moments);
        for (size_t i = 0; i < s->naccesses; i++) vec_push(t->racing, s->accesses[i]);
        return;
    }
    for (size_t k = 0; k < vec_len(t->racing); k++)
        for (size_t i = 0; i < s->naccesses; i++)
            if (accesses_race(&t->racing[k], &s->accesses[i])) {
                add_race(t, s, &t->racing[k], &s->accesses[i]);
                return;
            }
}

/* ---- deadlocks ---- */

static const Instr *lock_of(const Action *a) {
    for (size_t i = 0; i < vec_len(a->instrs); i++)
        if (a->instrs[i].kind == INSTR_LOCK) return &a->instrs[i];
    return NULL;
}

static void put_lock(TraceExplainer *t, Buf *out, const Wait *w) {
    const Instr *i = lock_of(w->action);
    const char *name = place_name(t, i ? i->cell : NULL, w->address);
    if (name) buf_printf(out, "the lock %s", name);
    else buf_text(out, "a lock");
}

static const char *what_for(TraceExplainer *t, const State *s, Machine *m, const Wait *w) {
    Buf out = {0};
    bool mutex = w->lock && lock_of(w->action), awaits = !mutex && (w->lock || !w->blocker);
    if (mutex) put_lock(t, &out, w);
    else if (awaits) put_awaited(t, &out, m, s, w); /* this adds the holders as well */
    else buf_text(&out, w->blocker == w->thread ? "its own end" : "the end of ");
    if (mutex && w->blocker == w->thread) buf_text(&out, ", which it holds itself");
    else if (mutex && w->blocker) buf_text(&out, ", which is held by ");
    if (!awaits && w->blocker && w->blocker != w->thread) put_thread(t, &out, w->blocker);
    if (mutex && w->blocker && w->blocker != w->thread && state_ended(m, s, w->blocker)) buf_text(&out, ", which has ended");
    return kept(t, &out);
}

static void add_wait(TraceExplainer *t, const State *s, Machine *m, const Wait *w) {
    Buf out = {0};
    TraceWait wait = {.thread = w->thread, .position = w->action->position, .what = what_for(t, s, m, w)};
    put_thread(t, &out, w->thread);
    buf_text(&out, " waits");
    put_place(&out, wait.position);
    buf_printf(&out, " for %s", wait.what);
    vec_push(t->counterexample->details, kept(t, &out));
    vec_push(t->counterexample->waits, wait);
}

enum { NEAR = 4096 }; /* bytes: an access within this distance of an object was probably meant for it */

static void put_local(TraceExplainer *t, Buf *out, const Object *o, unsigned thread) {
    buf_printf(out, "the variable is %s, declared by ", o->name);
    put_thread(t, out, thread);
    put_place(out, o->position);
}

/* Names the local variable whose life has ended. */
static void add_scope(TraceExplainer *t, const StepResult *fault) {
    unsigned thread = 0;
    uint64_t offset = 0;
    const Object *o = fault->address ? layout_find(t->layout, fault->address, &thread, &offset) : NULL;
    Buf out = {0};
    if (!o) return;
    put_local(t, &out, o, thread);
    vec_push(t->counterexample->details, kept(t, &out));
}

void tell_memory(TraceExplainer *t, const StepResult *fault) {
    const HeapPlace *h = NULL;
    bool freed = fault->fault == FAULT_FREED || fault->fault == FAULT_TWICE,
         outside = fault->fault == FAULT_BOUNDS || fault->fault == FAULT_FREE;
    for (size_t i = vec_len(t->heap); i-- > 0 && !h && (freed || outside);) {
        const HeapPlace *x = &t->heap[i];
        if (fault->address + NEAR >= x->address && fault->address <= x->address + x->size + NEAR && freed == (x->freer != 0)) h = x;
    }
    Buf out = {0}, end = {0};
    if (fault->fault == FAULT_SCOPE) add_scope(t, fault);
    if (h && h->object->stack && freed) { /* a local variable */
        t->counterexample->kind = fault->fault == FAULT_TWICE ? FAULT_FREE : FAULT_SCOPE;
        t->counterexample->error = fault_text(t->counterexample->kind);
        put_local(t, &out, h->object, h->allocator);
        buf_text(&out, "; it was alive until ");
        put_thread(t, &out, h->freer);
        buf_text(&out, " left its block");
        put_place(&out, h->freed);
        vec_push(t->counterexample->details, kept(t, &out));
    }
    if (!h || h->object->stack) return;
    buf_printf(&out, "the memory (%llu byte%s) was allocated by ", (unsigned long long)h->size, h->size == 1 ? "" : "s");
    put_thread(t, &out, h->allocator);
    put_place(&out, h->allocated);
    vec_push(t->counterexample->details, kept(t, &out));
    if (!freed) return;
    buf_text(&end, "it was freed by ");
    put_thread(t, &end, h->freer);
    put_place(&end, h->freed);
    vec_push(t->counterexample->details, kept(t, &end));
}

static void end_deadlock(TraceExplainer *t, Machine *m, const State *s) {
    static const char *const kinds[] = {[DEADLOCK_NONE] = "no deadlock",
                                        [DEADLOCK_ALL] = MSG_EXPLAIN_DEADLOCK_ALL,
                                        [DEADLOCK_CYCLE] = MSG_EXPLAIN_DEADLOCK_CYCLE,
                                        [DEADLOCK_SELF] = MSG_EXPLAIN_DEADLOCK_SELF,
                                        [DEADLOCK_ENDED] = MSG_EXPLAIN_DEADLOCK_ENDED};
    Wait *waits = NULL;
    t->counterexample->error = kinds[state_deadlock(m, s, &waits)];
    for (size_t i = 0; i < vec_len(waits); i++) add_wait(t, s, m, &waits[i]);
    if (vec_len(waits)) t->counterexample->position = waits[0].action->position, t->counterexample->thread = waits[0].thread;
    vec_free(waits);
}

/* ---- pointers that were never initialised ---- */

/* True if the variable was never initialised. An access through such a pointer faults with the value that was chosen for it, often null. The missing
   initialisation is the actual mistake. */
static bool is_bare(const TraceExplainer *t, const Variable *v, unsigned thread) {
    uint64_t bare = 0;
    return map_get(t->bare, local_key(v, thread), &bare) && bare;
}

/* True if the load reads memory that was never written. */
static bool loads_nothing(const ReplayStep *s, const Instr *load) {
    for (size_t i = 0; i < s->naccesses; i++) {
        const Access *a = &s->accesses[i];
        if (a->instr == load && a->kind == ACCESS_READ && (a->chosen || a->undefined)) return true;
    }
    return false;
}

void note_bare(TraceExplainer *t, const ReplayStep *s, const Instr *until) {
    for (size_t i = 0; i < vec_len(s->action->instrs) && &s->action->instrs[i] != until; i++) {
        const Instr *x = &s->action->instrs[i];
        const Variable *v = instr_written(x), *from = x->kind == INSTR_ASSIGN ? expr_variable(x->value) : NULL;
        if (!v || v->global) continue;
        bool bare = (x->kind == INSTR_HAVOC && x->undefined) || (from && is_bare(t, from, s->thread)) ||
                    (x->kind == INSTR_LOAD && loads_nothing(s, x));
        map_put(t->bare, local_key(v, s->thread), bare);
    }
}

/* Returns the uninitialised variable that the address is computed from; NULL if it is computed from other variables. */
static const Variable *bare_base(const TraceExplainer *t, const Expr *address, unsigned thread) {
    const Variable *v = expr_variable(address);
    if (v) return is_bare(t, v, thread) ? v : NULL;
    for (unsigned i = 0; i < address->nargs && address->op == OP_ADD; i++)
        if ((v = bare_base(t, address->args[i], thread))) return v;
    return NULL;
}

void tell_bare(TraceExplainer *t, const ReplayStep *s) {
    const Instr *x = s->fault->instr;
    Fault f = s->fault->fault;
    bool memory = f == FAULT_NULL || f == FAULT_BOUNDS || f == FAULT_FREED || f == FAULT_SCOPE || f == FAULT_READONLY || f == FAULT_FREE ||
                  f == FAULT_TWICE;
    if (!memory || !x || !x->address) return;
    note_bare(t, s, x);
    const Variable *v = bare_base(t, x->address, s->thread);
    if (!v) return;
    Buf out = {0};
    buf_text(&out, x->kind == INSTR_FREE ? MSG_EXPLAIN_FREE_UNINITIALISED : MSG_EXPLAIN_ACCESS_UNINITIALISED);
    if (!v->temporary) buf_printf(&out, ": %s", v->name);
    t->counterexample->error = kept(t, &out);
}

/* ---- leaks ---- */

static void end_leak(TraceExplainer *t, Machine *m, const ReplayStep *s) {
    const Object *object = NULL;
    if (!state_leak(m, s->after, &object)) return;
    t->counterexample->error = question_has_parts(t->question, PART_MEMCLEANUP) ? MSG_EXPLAIN_LEAK_AT_END : MSG_EXPLAIN_LEAK;
    t->counterexample->position = object->position;
}

/* ---- loops ---- */

static void end_endless(TraceExplainer *t, const Trace *trace) {
    size_t n = vec_len(trace->steps) - trace->loop;
    Buf text = {0};
    buf_printf(&text, MSG_EXPLAIN_ENDLESS, n, n == 1 ? "" : "s", n == 1 ? "s" : "");
    t->counterexample->error = kept(t, &text);
    if (t->counterexample->loop < vec_len(t->counterexample->moments))
        t->counterexample->position = t->counterexample->moments[t->counterexample->loop].position;
}

void tell_end(TraceExplainer *t, Machine *m, const ReplayStep *s, const Trace *trace) {
    static const char *const outcomes[] = {
        [TRACE_ERROR] = "the error",    [TRACE_FAULT] = "undefined behaviour",      [TRACE_DEADLOCK] = "a deadlock",
        [TRACE_LEAK] = "a memory leak", [TRACE_ENDLESS] = "a loop that never ends", [TRACE_FAIR] = "a loop that never ends",
        [TRACE_RACE] = "a data race",   [TRACE_UNORDERED] = "a data race"};
    size_t steps = vec_len(trace->steps);
    t->counterexample->outcome = outcomes[trace->end];
    if (trace->end == TRACE_RACE && t->step + 2 >= steps) end_race(t, s, steps);
    if (t->clocks) end_unordered(t, s);
    if (t->step + 1 < steps) return;
    if (trace->end == TRACE_DEADLOCK) end_deadlock(t, m, s->after);
    if (trace->end == TRACE_LEAK) end_leak(t, m, s);
    if (TRACE_LOOPS(trace->end)) end_endless(t, trace);
}

static bool describe_initial(void *context, Machine *m, const State *s) {
    end_deadlock(context, m, s);
    return true;
}

void tell_start(TraceExplainer *t, const Trace *trace) {
    if (vec_len(trace->steps) || trace->end != TRACE_DEADLOCK) return;
    t->counterexample->outcome = "a deadlock";
    replay_from_start(t->program, t->question, trace, describe_initial, t);
}
