/* SPDX-License-Identifier: Apache-2.0 */
/* Replay of a trace on the program itself, step by step with ir/step: what makes an UNSAFE believable.
   Independent of every engine, analysis and transformation. */
#ifndef HEDDLE_CHECK_REPLAY_H
#define HEDDLE_CHECK_REPLAY_H
#include "ir/step.h"
#include "verdict/trace.h"

typedef struct ReplayStep {
    unsigned thread;
    const Template *template_;
    const Action *action;
    const Access *accesses; /* what the step did, in order; good during the visit */
    size_t naccesses;
    const State *after;
    const StepResult *fault; /* the last step of the trace is at fault, and was not taken; NULL otherwise */
} ReplayStep;

/* Run the trace from its initial state. visit (may be NULL) sees every step after it was taken, and a last one that faults. False: a step
   could not be taken, or asked for a choice the trace does not have; *why_not (may be NULL) says which and why. */
bool replay(const Program *, const Trace *, void (*visit)(void *context, const Machine *, const ReplayStep *),
            void *context, Buf *why_not);

/* Is the trace a violation: it runs, through no over-approximated action that matters for it (verdict/assume.h), and its last step
   brings its thread to an ERROR location? */
bool replay_check(const Program *, const Trace *, Buf *why_not);
/* The same, perhaps through over-approximated actions. */
bool replay_to_error(const Program *, const Trace *, Buf *why_not);
/* Is the last step of the trace, and no other, undefined behaviour? */
bool replay_to_fault(const Program *, const Trace *);

#endif
