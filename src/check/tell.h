/* SPDX-License-Identifier: Apache-2.0 */
/* From a trace to its story, by replaying it. */
#ifndef HEDDLE_CHECK_TELL_H
#define HEDDLE_CHECK_TELL_H
#include "verdict/story.h"
#include "verdict/trace.h"

/* requires: the trace replays on the program (replay_to_error, replay_to_fault). */
Story *story_tell(const Program *, const Trace *);

#endif
