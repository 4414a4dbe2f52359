/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the events that can close a cycle through a delayed store, for robustness_monitor.c. The events are the accesses of each action, and
   the templates that a chain of conflicts can reach. All sets are over-approximations. */
#pragma once
#include "analysis/delays.h"

/* An access of a place. A place is a global variable, an object, or one of three more. `heap` stands for the memory that allocation and
   freeing change, `created` for the creation of threads, and `ended` for their ends. */
typedef struct EventAccess {
    unsigned place;
    bool writes;
    bool is_ordered; /* earlier accesses come before this one: all earlier writes, and if this is a write, all earlier reads */
} EventAccess;

typedef struct Events {
    const Program *program;
    unsigned places, heap, created, ended;
    bool *shared;            /* a vec (as all that follow): by object, other threads may access it */
    EventAccess ***all;      /* by template and action; an action that enters an atomic section has the accesses of the whole section */
    EventAccess ***ordering; /* the same, without places that order nothing: accessed by one thread only, or never written */
    bool **delaying;         /* by template and location: reached from a store that may be late, with no drain between */
    bool *touched;           /* by place: an event of the chain may access it … */
    bool *written;           /* … or write it */
    bool *in_chain;          /* by template: its threads may be part of the chain */
    bool refused;            /* the program is not supported: for example, the address of an access is not known */
} Events;

/* Returns the events of a program whose memory is TSO. The program must outlive them. */
Events *events_new(const Program *, const StoreDelays *);
void events_free(Events *);
/* True if the access may come after an event of the chain, so that its own event belongs to the chain. */
bool event_may_join_chain(const Events *, const EventAccess *);
