/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/arithmetic.h"
#include "base/clock.h"

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
