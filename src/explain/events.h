/* SPDX-License-Identifier: Apache-2.0 */
/* What happens in a story, in words. */
#pragma once
#include "explain/story.h"

const char *story_thread(const Story *, unsigned thread); /* its name */
/* All events of a moment, with commas; the middle of a long list is left out. */
void story_events(const Story *, Buf *, const StoryMoment *);
