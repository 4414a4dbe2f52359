/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/symbolic.h"
#include "base/clock.h"
#include "engine/messages.h"

Arithmetic first_arithmetic(const EngineTask *task) { return task->options.arith == BITVECTORS ? BITVECTORS : INTEGERS; }

Verdict *attempt_arithmetics(const EngineTask *task, Attempt attempt) {
    double start = clock_seconds(), deadline = start + task->budget.seconds;
    Verdict *v = attempt(task, deadline, first_arithmetic(task));
    if (task->options.arith != ARITHMETIC_AUTO || v->kind != VERDICT_UNKNOWN || clock_seconds() - start > task->budget.seconds / 2)
        return v;
    Verdict *again = attempt(task, deadline, BITVECTORS);
    if (again->kind == VERDICT_UNKNOWN) {
        verdict_free(again);
        return v;
    }
    verdict_free(v);
    return again;
}

void symbolic_progress(const EngineTask *task, const char *line) {
    if (task->progress) task->progress(task->context, line);
}

Verdict *symbolic_prepare(const EngineTask *task, Chain *p, PassSettings settings, const char *engine) {
    return prepare(p, task->program, task->common_passes, settings, engine);
}

Verdict *symbolic_safe(Proof *proof) {
    Verdict *v = verdict_new(VERDICT_SAFE);
    v->proof = PROOF_INVARIANT;
    v->invariant = proof;
    return v;
}

Verdict *symbolic_unsafe(const EngineTask *task, const Chain *p, const ScheduleStep *steps, size_t n) {
    Trace *trace = schedule_trace(task->program, p->program, p->translation, p->system, p->smt, steps, n);
    if (!trace) return NULL;
    Verdict *v = verdict_new(VERDICT_UNSAFE);
    v->trace = trace;
    return v;
}

Verdict *symbolic_end(const EngineTask *task, const Chain *p, const ScheduleStep *steps, size_t n, const char *engine) {
    const SystemThread *t = n ? &p->system->threads[steps[n - 1].thread] : NULL;
    const SystemLocation *end = t ? &t->locations[t->transitions[steps[n - 1].transition].target] : NULL;
    if (end && end->kind == LOCATION_STOP) return chain_stopped(task->program, end, engine);
    Verdict *v = symbolic_unsafe(task, p, steps, n);
    return v ? v : verdict_unknown((Position){0}, MSG_ENGINE_SPURIOUS, engine);
}
