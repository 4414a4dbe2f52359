/* SPDX-License-Identifier: Apache-2.0 */
#include "app/run_end.h"
#include "base/file.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char *kept(RunExplainer *t, Buf *text) {
    const char *copy = arena_strdup(t->c->arena, buf_string(text));
    buf_free(text);
    return copy;
}

static void put_thread(RunExplainer *t, Buf *out, unsigned thread) {
    if (thread < vec_len(t->c->threads)) buf_text(out, t->c->threads[thread]);
    else buf_printf(out, "thread %u", thread + 1);
}

static void put_place(Buf *out, Position p) {
    if (p.file) buf_printf(out, " at %s:%u", base_name(p.file), p.line);
}

/* ---- locks held ---- */

/* Adds the locks that the thread holds after the first `steps` steps, or "no lock". */
static void put_locks(RunExplainer *t, Buf *out, unsigned thread, size_t steps) {
    uint64_t *held = NULL;
    for (size_t n = 0; n < steps; n++) {
        const RunStep *s = &t->v->steps[n];
        if (s->thread != thread || s->flag) continue;
        bool takes = s->kind == RUN_LOCK || s->kind == RUN_TRY || s->kind == RUN_READ_LOCK;
        if (takes) vec_push(held, s->address);
        for (size_t i = 0; s->kind == RUN_UNLOCK && i < vec_len(held); i++)
            if (held[i] == s->address) {
                held[i] = vec_last(held);
                (void)vec_pop(held);
                break;
            }
    }
    buf_text(out, " holds ");
    for (size_t i = 0; i < vec_len(held); i++) buf_printf(out, "%s%s", i ? ", " : "", run_name(t, held[i]));
    if (!vec_len(held)) buf_text(out, "no lock");
    vec_free(held);
}

static void add_locks(RunExplainer *t, unsigned thread, size_t steps) {
    Buf text = {0};
    put_thread(t, &text, thread);
    put_locks(t, &text, thread, steps);
    vec_push(t->c->details, kept(t, &text));
}

/* ---- races ---- */

static void end_race(RunExplainer *t, Position second) {
    const RunViolation *v = t->v;
    Buf text = {0};
    const char *name = run_name(t, v->address);
    Position first = run_symbols_place(t->symbols, v->other_pc).position;
    buf_text(&text, "data race: ");
    put_thread(t, &text, v->other);
    buf_printf(&text, " %s %s", v->other_write ? "writes" : "reads", name);
    put_place(&text, first);
    buf_text(&text, ", and ");
    put_thread(t, &text, v->thread);
    buf_printf(&text, " %s %s", v->write ? "writes" : "reads", name);
    put_place(&text, second);
    buf_text(&text, ", and neither happens before the other");
    t->c->error = kept(t, &text);
    t->c->outcome = "a data race";
    t->c->first = first;
    t->c->first_thread = v->other + 1;
    t->c->racing = t->first;
    add_locks(t, v->other, t->first_step);
    add_locks(t, v->thread, vec_len(v->steps));
}

/* ---- deadlocks: a line for each thread: number, event, object, place ---- */

typedef struct Waiting {
    unsigned thread;
    char event[32];
    uint64_t object, pc;
} Waiting;

/* Reads the next waiting thread. Returns what follows it; NULL: there is no further one. */
static const char *next_waiting(const char *text, Waiting *w) {
    int length = 0;
    if (sscanf(text, "%u %31s %" SCNx64 " %" SCNx64 "%n", &w->thread, w->event, &w->object, &w->pc, &length) < 4) return NULL;
    const char *end = strchr(text, '\n');
    return end ? end + 1 : text + length;
}

void run_ask_waits(RunExplainer *t) {
    Waiting w;
    if (t->v->outcome != RUN_END_DEADLOCK) return;
    for (const char *at = t->v->text; at && (at = next_waiting(at, &w));) {
        run_symbols_ask(t->symbols, w.pc, false);
        run_symbols_ask(t->symbols, w.object, true);
    }
}

/* Adds the thread that holds a lock, by the steps of the counterexample. */
static void put_holder(RunExplainer *t, Buf *out, const Waiting *w) {
    unsigned holder = 0;
    bool held = false;
    vec_each_at(const RunStep, s, t->v->steps) {
        if (s->address != w->object || s->flag) continue;
        if (s->kind == RUN_LOCK || s->kind == RUN_TRY) holder = s->thread, held = true;
        if (s->kind == RUN_UNLOCK) held = false;
    }
    if (!held) return;
    if (holder == w->thread) buf_text(out, ", which it holds itself");
    else buf_text(out, ", which is held by "), put_thread(t, out, holder);
}

static const char *what_for(RunExplainer *t, const Waiting *w) {
    static const struct {
        const char *event, *what;
    } list[] = {{"lock", "the lock %s"},          {"read-lock", "the lock %s"},  {"wait", "the condition variable %s"},
                {"sem-wait", "the semaphore %s"}, {"barrier", "the barrier %s"}, {"once", "the routine of %s"},
                {"join", "the end of a thread"},  {"descriptor", "a descriptor"}};
    Buf text = {0};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        const char *hole = strstr(list[i].what, "%s");
        if (strcmp(list[i].event, w->event)) continue;
        buf_bytes(&text, list[i].what, hole ? (size_t)(hole - list[i].what) : strlen(list[i].what));
        if (hole) buf_text(&text, run_name(t, w->object));
    }
    if (!text.length) buf_text(&text, w->event);
    if (!strcmp(w->event, "lock") || !strcmp(w->event, "read-lock")) put_holder(t, &text, w);
    return kept(t, &text);
}

static void end_deadlock(RunExplainer *t) {
    Waiting w;
    for (const char *at = t->v->text; at && (at = next_waiting(at, &w));) {
        Buf text = {0};
        TraceWait wait = {.thread = w.thread + 1, .position = run_symbols_place(t->symbols, w.pc).position, .what = what_for(t, &w)};
        put_thread(t, &text, w.thread);
        buf_text(&text, " waits");
        put_place(&text, wait.position);
        buf_printf(&text, " for %s", wait.what);
        vec_push(t->c->details, kept(t, &text));
        vec_push(t->c->waits, wait);
    }
    t->c->outcome = "a deadlock";
    t->c->error = "deadlock: every thread that has not ended waits for ever";
    if (vec_len(t->c->waits)) t->c->position = t->c->waits[0].position, t->c->thread = t->c->waits[0].thread;
}

/* ---- memory ---- */

static void add_about_block(RunExplainer *t, const char *what, RunEvent kind) {
    const RunStep *found = NULL;
    vec_each_at(const RunStep, s, t->v->steps)
        if (s->kind == kind && t->v->address - s->address <= s->value + 64) found = s;
    if (!found) return;
    Buf text = {0};
    buf_printf(&text, what, found->value);
    put_thread(t, &text, found->thread);
    put_place(&text, run_symbols_place(t->symbols, found->pc).position);
    const char *callers = run_callers(t, found->calls);
    if (callers) buf_printf(&text, " ← %s", callers);
    vec_push(t->c->details, kept(t, &text));
}

static void end_memory(RunExplainer *t, const char *how) {
    const RunViolation *v = t->v;
    t->c->fault = true;
    t->c->outcome = "undefined behaviour";
    t->c->error = arena_printf(t->c->arena, "%s (%s of %u bytes)", how, v->write ? "a write" : "a read", v->size);
    if (!v->size) t->c->error = how;
    add_about_block(t, "the memory (%" PRIu64 " bytes) was allocated by ", RUN_ALLOCATE);
    if (v->outcome != RUN_END_BOUNDS) add_about_block(t, "it was freed by ", RUN_FREE);
}

static void end_assertion(RunExplainer *t) {
    const char *text = strrchr(t->v->text, ':');
    if (t->v->outcome == RUN_END_ABORT || !text) t->c->error = arena_strdup(t->c->arena, t->v->text);
    else t->c->error = arena_printf(t->c->arena, "assertion%s fails", text + 1);
}

void run_describe_end(RunExplainer *t) {
    const RunViolation *v = t->v;
    RunPlace place = run_symbols_place(t->symbols, v->pc);
    t->c->position = place.position;
    t->c->thread = v->thread + 1;
    switch (v->outcome) {
    case RUN_END_RACE: end_race(t, place.position); break;
    case RUN_END_DEADLOCK: end_deadlock(t); break;
    case RUN_END_FREED: end_memory(t, "use of freed memory"); break;
    case RUN_END_BOUNDS: end_memory(t, "access outside of an object"); break;
    case RUN_END_DOUBLE_FREE: end_memory(t, "the memory was freed before"); break;
    case RUN_END_BAD_FREE: end_memory(t, "free of memory that was not allocated"); break;
    case RUN_END_CRASH: end_memory(t, arena_printf(t->c->arena, "the program crashes: %s", v->text)); break;
    case RUN_END_DIVISION: end_memory(t, "division by zero"); break;
    case RUN_END_ASSERTION:
    case RUN_END_ABORT: end_assertion(t); break;
    default: t->c->error = run_outcome_text(v->outcome); break;
    }
}
