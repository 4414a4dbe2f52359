/* SPDX-License-Identifier: Apache-2.0 */
/* For robustness_monitor.c: what threads do that others may notice, by places, and how far a chain of such events may lead. */
#pragma once
#include "analysis/delays.h"

/* A place is a global variable, an object, or one of: what allocation and giving up change; that threads are created; that they end. */
typedef struct Touch {
    unsigned place;
    bool writes;
    bool asks; /* it comes behind whoever wrote the place, and if it writes, whoever touched it */
} Touch;

typedef struct Events {
    const Program *program;
    unsigned places, heap, created, ended;
    bool *shared;    /* vecs: by object */
    Touch ***all;    /* by template and action; of what enters an atomic section, all that the section does */
    Touch ***of;     /* … of places that matter only: several threads touch them, and somebody writes */
    bool **delaying; /* by template and location: reached from a store that may be late, with no drain between */
    bool *touched;   /* by place: an event of the chain may touch it … */
    bool *written;   /* … or write it */
    bool *behind;    /* by template: its threads may be part of the chain */
    bool refused;    /* what is accessed is not known */
} Events;

/* Of a program whose memory is TSO. */
Events *events_new(const Program *, const StoreDelays *);
void events_free(Events *);
/* Is the touch a reason to be part of the chain? */
bool touch_may_join(const Events *, const Touch *);
