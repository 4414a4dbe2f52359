/* SPDX-License-Identifier: Apache-2.0 */
#include "strategy/weak.h"
#include "base/clock.h"
#include "base/die.h"
#include "engine/graphs/graphs.h"
#include "ir/copy.h"
#include "result/property.h"
#include "passes/program/buffers.h"
#include "passes/program/meeting.h"
#include <string.h>

static const char *model_name(MemoryModel m) { return m == MEMORY_TSO ? "TSO" : m == MEMORY_PSO ? "PSO" : "C11"; }

Program *weak_program(const Program *p, const Delays *known, unsigned depth) {
    if (!memory_is_buffered(p->memory) || depth > DEEPEST_BUFFER) return NULL;
    const Delays *delays = known && known->program == p ? known : meeting_delays(p);
    if (delays->any != (depth > 0)) return NULL;
    if (depth) return buffers(p, delays, depth).program;
    Program *copy = program_copy(p);
    stores_read_values(copy, delays);
    copy->memory = MEMORY_SC;
    return copy;
}

/* Nothing that is late matters. */
static Verdict *run_same(const Engine *engine, EngineTask *task, WeakRun *run, const Delays *delays) {
    const Program *original = task->program;
    task->program = weak_program(original, delays, 0);
    Verdict *v = run(engine, task);
    if (v && v->trace) unbuffered_trace(original, delays, v->trace);
    if (v && v->kind == VERDICT_SAFE)
        verdict_note(v, "under %s as under sequential consistency: no store can be late in a way that others notice",
                     model_name(original->memory));
    return v;
}

static Verdict *run_deep(const Engine *engine, EngineTask *task, WeakRun *run, const Buffered *b, unsigned depth) {
    Buf why = {0};
    if (!program_check(b->program, &why)) die("with store buffers the program is not well-formed: %s", buf_string(&why));
    buf_free(&why);
    task->program = b->program;
    Verdict *v = run(engine, task);
    if (v && v->trace) buffered_trace(b, v->trace);
    if (v && v->invariant) buf_printf(&v->invariant->settings, " buffers %u", depth);
    if (v && v->kind == VERDICT_SAFE && b->full) verdict_note(v, "no more than %u stores wait in a store buffer at a time", depth);
    return v;
}

/* A fault is where a thread is, with what it has read, like an error. (Memory that was given up is not: a store is judged when it is made.) */
bool weak_has_buffers(Property p) { return p == PROPERTY_UNREACH_CALL || p == PROPERTY_NO_OVERFLOW; }

/* Where the program itself bounds how many stores wait, that is the depth; otherwise some are tried. */
static Verdict *run_buffered(const Engine *engine, EngineTask *task, WeakRun *run, const Delays *delays) {
    static const unsigned depths[] = {SHALLOW_BUFFER, 4, 8, DEEPEST_BUFFER};
    enum { TRIES = sizeof depths / sizeof *depths };
    const Program *original = task->program;
    double start = clock_seconds(), seconds = task->budget.seconds;
    Verdict *v = NULL;
    Buffered b = buffers(original, delays, DEEPEST_BUFFER);
    if (b.program && !b.full) return run_deep(engine, task, run, &b, DEEPEST_BUFFER);
    for (unsigned i = 0; i < TRIES; i++) {
        b = buffers(original, delays, depths[i]);
        if (!b.program) break;
        verdict_free(v);
        task->budget.seconds = seconds - (clock_seconds() - start);
        v = run_deep(engine, task, run, &b, depths[i]);
        if (!v || v->kind != VERDICT_UNKNOWN || !b.full || v->cause != CAUSE_OMITTED) return v;
    }
    if (v && strstr(v->reason, BUFFER_FULL)) v->cause = CAUSE_FULL;
    return v ? v : verdict_unknown(delays->where, "the store buffers have too many contents to follow");
}

/* One engine is enough to look at all executions. */
static Verdict *run_c11(const Engine *engine, EngineTask *task) {
    Verdict *v = NULL;
    if (task->question->property != PROPERTY_UNREACH_CALL && task->question->property != PROPERTY_NO_DATA_RACE)
        v = verdict_unknown((Position){0}, "the property %s is not judged under C11", property_name(task->question->property));
    else if (engine != &engine_explicit)
        v = verdict_unknown((Position){0}, "under C11 only the engine %s looks at executions", engine_explicit.name);
    if (!v) return graphs_run(task);
    v->cause = CAUSE_OTHER;
    return v;
}

Verdict *weak_run(const Engine *engine, EngineTask *task, const Delays *known, WeakRun *run) {
    const Program *p = task->program;
    if (p->memory == MEMORY_SC) return run(engine, task);
    if (p->memory == MEMORY_C11) return run_c11(engine, task);
    const Delays *delays = known && known->program == p ? known : meeting_delays(p);
    if (!delays->any) return run_same(engine, task, run, delays);
    if (weak_has_buffers(task->question->property)) return run_buffered(engine, task, run, delays);
    return verdict_unknown(delays->where,
                           "the property %s is judged under %s only where no store can be late in a way that others notice; this one can",
                           property_name(task->question->property), model_name(p->memory));
}
