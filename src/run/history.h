/* SPDX-License-Identifier: Apache-2.0 */
/* Records what threads do, with the values, when a schedule is run again for its history. */
#pragma once
#include "run/limits.h"
#include "run/thread.h"

static inline bool hihistory_is_recorded(void) { return limits.history; }
/* Records that the calling thread is about to access memory. */
void history_access(const Event *);
/* Records an event of synchronisation that the calling thread has executed. flag: the event failed, or timed out. */
void history_event(const Event *, bool flag);
/* Records that it has created or joined a thread. */
void history_thread(EventKind, const Thread *other, Address pc);
/* Records that it has allocated, or is about to free, a block. */
void history_block(EventKind, const void *, size_t size, Address pc);
/* The last write will not happen, since the run ends before it. */
void history_drop(void);
/* Records the value of its last write, which has happened. */
void history_complete(void);
