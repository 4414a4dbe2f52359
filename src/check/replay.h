/* SPDX-License-Identifier: Apache-2.0 */
/* Replays a trace on the program, step by step with ir/step. Every UNSAFE depends on this replay, which is independent of every engine,
   analysis and pass. */
#pragma once
#include "ir/clocks.h"
#include "ir/step.h"
#include "result/question.h"
#include "result/trace.h"

typedef struct ReplayStep {
    unsigned thread;
    const Template *template_;
    const Action *action;   /* if a delayed store arrives, the action that stored */
    bool flush;             /* a delayed store arrives */
    const Access *accesses; /* the accesses of the step, in their order; valid during the visit */
    size_t naccesses;
    const State *after;
    const u128 *choices;     /* a vec: the choices of the step, in their order */
    const StepResult *fault; /* for a last step that faults, and was not taken: the fault; otherwise NULL */
} ReplayStep;

/* Replays the trace from its initial state. visit (may be NULL) gets every step after it was taken, and a last step that faults. Returns
   false if a step cannot be taken or needs a choice that the trace does not have; *why_not (may be NULL) then names the step and the
   reason. In a race, the last two steps are both taken from the state before them. */
typedef void ReplayVisit(void *context, Machine *, const ReplayStep *);
bool replay(const Program *, const Question *, const Trace *, ReplayVisit *visit, void *context, Buf *why_not);

/* Returns whether the trace violates the property. The trace must run without over-approximated actions that influence it
   (result/assume.h), and must end as it claims (TraceEnd). */
bool replay_check(const Program *, const Question *, const Trace *, Buf *why_not);
/* Does the same, but allows over-approximated actions. */
bool replay_violates(const Program *, const Question *, const Trace *, Buf *why_not);
/* Calls `look` with the initial state of a trace, which may have no steps, and returns its result. */
bool replay_from_start(const Program *, const Question *, const Trace *, bool (*look)(void *context, Machine *, const State *),
                       void *context);
/* Returns whether two accesses by different threads race: they have a common place, one is a write, and they are not both atomic. */
bool accesses_race(const Access *, const Access *);
/* Finds the two accesses that happens-before does not order; the last step has *second. Returns false if the trace does not end with
   such accesses (TRACE_UNORDERED). */
bool replay_unordered(const Program *, const Question *, const Trace *, ClockedAccess *first, Access *second);
/* Returns whether the last step of the trace, and no earlier one, is undefined behaviour. */
bool replay_to_fault(const Program *, const Question *, const Trace *);
