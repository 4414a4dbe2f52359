/* SPDX-License-Identifier: Apache-2.0 */
/* Executions under C11's memory model, as RC11 has it (Lahav, Vafeiadis, Kang, Hur and Dreyer: Repairing sequential consistency in C/C++11, PLDI 2017): a graph of
   events, in which each read has the write that it reads from and the writes to a place have an order. It grows by steps of threads, each
   with what it reads. What orders and fences mean is in rc11_consistent alone. */
#pragma once
#include "ir/step.h"

enum { RC11_EVENTS = 64 };

typedef enum EventKind { EVENT_READ, EVENT_WRITE, EVENT_FENCE, EVENT_CREATE, EVENT_START, EVENT_JOIN } EventKind;
typedef struct Event {
    EventKind kind;
    unsigned thread; /* 0: the value that was there when there was one thread only */
    unsigned nth;    /* of its thread */
    bool plain;      /* not atomic */
    MemoryOrder order;
    bool change;              /* WRITE: of the read before it, a read-modify-write */
    const Variable *variable; /* of READ and WRITE: the place; or, if NULL, memory: */
    uint64_t address, size;
    u128 value;
    unsigned from; /* READ: the write; START: the create; JOIN: the end of the thread, RC11_EVENTS if it did nothing */
    unsigned rank; /* WRITE: in the order of those of its place */
    Position position;
} Event;

typedef struct Rc11 { /* an execution; an array of these may be copied as they are, but for the state */
    Machine *machine;
    State *state; /* of threads; what is shared is as it was when there was one only */
    State *start; /* that state, NULL: there still is one thread only. Shared by copies */
    unsigned n;
    Event events[RC11_EVENTS];
    bool doubtful; /* a compare-exchange or attempt to lock failed of which it is not known what it then orders */
} Rc11;

typedef enum Rc11Kind { RC11_LOCAL, RC11_READ, RC11_WRITE, RC11_CHANGE, RC11_FENCE, RC11_THREAD, RC11_UNSUPPORTED } Rc11Kind;
/* What the action does that others see. */
Rc11Kind rc11_kind(const Rc11 *, unsigned thread, unsigned action);

typedef struct Rc11Step {
    unsigned thread, action;
    unsigned source; /* READ, CHANGE: the event read from, RC11_EVENTS: the value at the start */
    unsigned rank;   /* WRITE, CHANGE: among the writes of its place; one that is too high is the last */
    const Chooser *chooser;
} Rc11Step;
typedef struct Rc11Result {
    StepResult step;
    const char *unsupported; /* a literal, or NULL */
} Rc11Result;
/* Not taken: nothing has changed. The graph may be inconsistent then. */
Rc11Result rc11_step(Rc11 *, const Rc11Step *, Accesses *);
/* The place that READ, WRITE or CHANGE accesses, as an event. False: it is not known without taking the step. */
bool rc11_place(Rc11 *, unsigned thread, unsigned action, Event *place);
bool rc11_same_place(const Event *, const Event *);

/* A number for all that only this thread knows. */
uint64_t rc11_thread(const Rc11 *, unsigned thread);

bool rc11_consistent(const Rc11 *);
/* Two plain accesses, or one and an atomic, that nothing orders: *second is the later one. Of a consistent graph. */
bool rc11_races(const Rc11 *, Position *first, Position *second);
