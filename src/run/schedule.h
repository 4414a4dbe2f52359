/* SPDX-License-Identifier: Apache-2.0 */
/* Records the decisions of a run, and follows recorded ones. */
#pragma once
#include "run/thread.h"

/* Begins a run that follows these decisions. If it cannot follow them, it ends as diverged (strict), or goes on by defaults. */
void schedule_follow(const Decision *, uint64_t n, bool strict);
bool schedule_follows(void);
/* Returns whether the next recorded decision belongs to the place where the calling thread is. */
bool schedule_is_due(void);
/* Takes the next decision if it is of this kind and belongs here. */
bool schedule_take(DecisionKind, unsigned *value);
/* Chooses a thread as recorded; if nothing is recorded, by default. */
Thread *schedule_choose(Thread *const *enabled, unsigned n);
/* Returns the thread that goes on unless a decision says otherwise: the calling thread, or the next one after it if it is not enabled or
   gives way. */
Thread *schedule_default(Thread *const *enabled, unsigned n);
/* Records a decision of the calling thread. */
void schedule_record(DecisionKind, unsigned value);
