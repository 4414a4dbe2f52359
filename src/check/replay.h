/* SPDX-License-Identifier: Apache-2.0 */
/* Replay of a trace on the program itself, step by step with ir/step: what makes an UNSAFE believable.
   Independent of every engine, analysis and transformation. */
#pragma once
#include "ir/clocks.h"
#include "ir/step.h"
#include "result/question.h"
#include "result/trace.h"

typedef struct ReplayStep {
    unsigned thread;
    const Template *template_;
    const Action *action;   /* if a store arrives, the one that stored */
    bool flush;             /* … that has waited until now */
    const Access *accesses; /* what the step did, in order; good during the visit */
    size_t naccesses;
    const State *after;
    const u128 *choices;     /* the vec of what was chosen, in order */
    const StepResult *fault; /* the last step of the trace is at fault, and was not taken; NULL otherwise */
} ReplayStep;

/* Run the trace from its initial state. visit (may be NULL) sees every step after it was taken, and a last one that faults. False: a step
   could not be taken, or asked for a choice the trace does not have; *why_not (may be NULL) says which and why. The last two steps of a race
   both start from the state before them. */
typedef void ReplayVisit(void *context, Machine *, const ReplayStep *);
bool replay(const Program *, const Question *, const Trace *, ReplayVisit *visit, void *context, Buf *why_not);

/* Is the trace a violation of the property: it runs, through no over-approximated action that matters for it (result/assume.h), and its end is
   what it says (TraceEnd)? */
bool replay_check(const Program *, const Question *, const Trace *, Buf *why_not);
/* The same, perhaps through over-approximated actions. */
bool replay_violates(const Program *, const Question *, const Trace *, Buf *why_not);
/* What is to be said of the initial state of a trace, which may have no steps. */
bool replay_from_start(const Program *, const Question *, const Trace *, bool (*look)(void *context, Machine *, const State *),
                       void *context);
/* Two accesses by different threads: of the same place, one of them a write, not both atomic? */
bool accesses_race(const Access *, const Access *);
/* Of a trace that ends with TRACE_UNORDERED: the first of the two accesses that nothing orders. False: there are none. */
bool replay_unordered(const Program *, const Question *, const Trace *, ClockedAccess *first);
/* Is the last step of the trace, and no other, undefined behaviour? */
bool replay_to_fault(const Program *, const Question *, const Trace *);
