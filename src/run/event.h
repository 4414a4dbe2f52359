/* SPDX-License-Identifier: Apache-2.0 */
/* Events. A thread publishes its next event before it happens, and the scheduler chooses one of the threads whose event is enabled. Nothing
   ever blocks in the C library: a lock that is taken is an event that is not enabled. */
#pragma once
#include "run/object.h"

typedef enum EventKind {
#define EVENT(name, word) EVENT_##name,
#include "run/event.def"
#undef EVENT
    NEVENTS
} EventKind;

typedef struct Event {
    EventKind kind;
    bool write;   /* it may change what other threads see at the object or address */
    bool timed;   /* the wait may expire */
    bool cancels; /* the event is a cancellation point */
    Address pc, address;
    unsigned size;
    Object *object;
    bool (*ready)(const Thread *); /* returns whether the event may happen now; NULL: always */
    uint64_t deadline;             /* of a timed wait, or a sleep: virtual nanoseconds */
    const Thread *target;          /* JOIN */
    unsigned generation;           /* BARRIER */
    void *context;                 /* DESCRIPTOR */
} Event;

const char *event_word(EventKind);
/* Returns whether the thread's pending event may happen now. */
bool event_enabled(const Thread *);
/* Returns whether the order of the two pending events matters. */
bool event_conflicts(const Thread *, const Thread *);
