/* SPDX-License-Identifier: Apache-2.0 */
/* Builds executions under the memory model RC11, which repairs C11's (Lahav, Vafeiadis, Kang, Hur and Dreyer: Repairing sequential
   consistency in C/C++11, PLDI 2017). An execution is a graph of events. Each read has the write that it reads from, and the writes to a
   place are ordered. The graph grows by steps of threads; the caller chooses for each step which write it reads. Only rc11_consistent
   and rc11_races interpret memory orders and fences. */
#pragma once
#include "ir/step.h"

enum { RC11_EVENTS = 64 };

typedef enum EventKind { EVENT_READ, EVENT_WRITE, EVENT_FENCE, EVENT_CREATE, EVENT_START, EVENT_JOIN } EventKind;
typedef struct Event {
    EventKind kind;
    unsigned thread; /* 0: an initial value, from before the first creation of a thread */
    unsigned nth;    /* position among the events of its thread */
    bool plain;      /* not atomic */
    MemoryOrder order;
    bool change;              /* WRITE: with the read before it a read-modify-write */
    const Variable *variable; /* of READ and WRITE: the place; NULL: memory: */
    uint64_t address, size;
    u128 value;
    unsigned from; /* READ: the write; START: the create; JOIN: the last event of the thread, RC11_EVENTS if it has none */
    unsigned rank; /* WRITE: position among the writes to its place (modification order) */
    Position position;
} Event;

typedef struct Rc11 { /* an execution; a bytewise copy shares all but needs its own `state` */
    Machine *machine;
    State *state; /* the threads; its shared memory keeps the initial values */
    State *start; /* the state of the first creation, shared by copies; NULL: there still is one thread */
    unsigned n;
    Event events[RC11_EVENTS];
    bool failed_order_unknown; /* an attempt to lock failed: its memory order is in doubt */
} Rc11;

typedef enum Rc11Kind { RC11_LOCAL, RC11_READ, RC11_WRITE, RC11_READ_MODIFY_WRITE, RC11_FENCE, RC11_THREAD, RC11_UNSUPPORTED } Rc11Kind;
/* Returns the kind of effect that the action has on shared state. */
Rc11Kind rc11_kind(const Rc11 *, unsigned thread, unsigned action);

typedef struct Rc11Step {
    unsigned thread, action;
    unsigned source; /* READ, CHANGE: the event to read from; RC11_EVENTS: the initial value */
    unsigned rank;   /* WRITE, CHANGE: the position among the writes to its place; too high: the last */
    const Chooser *chooser;
} Rc11Step;
typedef struct Rc11Result {
    StepResult step;
    const char *unsupported; /* a literal, or NULL */
} Rc11Result;
/* Takes the step. If it is not done, nothing has changed. After it the graph may be inconsistent. */
Rc11Result rc11_step(Rc11 *, const Rc11Step *, Accesses *);
/* Stores in *place the place that a READ, WRITE or CHANGE accesses. Returns false if it is not known before the step. */
bool rc11_place(Rc11 *, unsigned thread, unsigned action, Event *place);
bool rc11_same_place(const Event *, const Event *);

/* Returns a hash of the thread's local state. */
uint64_t rc11_hash_thread(const Rc11 *, unsigned thread);

bool rc11_consistent(const Rc11 *);
/* Returns true if two accesses race, at least one of them plain. *second is the later one. The graph must be consistent. */
bool rc11_races(const Rc11 *, Position *first, Position *second);
