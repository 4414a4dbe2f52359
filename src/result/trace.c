/* SPDX-License-Identifier: Apache-2.0 */
#include "result/trace.h"
#include <stdlib.h>

Trace *trace_new(void) {
    Trace *t = zeroed(1, sizeof *t);
    return t;
}

bool trace_valid(const Trace *t) {
    for (size_t i = 0; i < vec_len(t->steps); i++)
        if (!t->steps[i].thread) return false;
    return !TRACE_LOOPS(t->end) || (t->loop && t->loop <= vec_len(t->steps));
}

void trace_free(Trace *t) {
    if (!t) return;
    for (size_t i = 0; i < vec_len(t->steps); i++) vec_free(t->steps[i].choices);
    vec_free(t->steps);
    vec_free(t->initial);
    free(t);
}

void trace_add(Trace *t, unsigned thread, unsigned action, u128 *choices) {
    ensure(thread);
    TraceStep step = {.thread = thread, .action = action, .choices = choices};
    vec_push(t->steps, step);
}

void trace_add_copy(Trace *t, const TraceStep *s) { trace_add(t, s->thread, s->action, vec_copy(s->choices)); }
