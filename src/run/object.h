/* SPDX-License-Identifier: Apache-2.0 */
/* The runtime's own state of locks, semaphores, barriers and atomic places, found by their address. The bytes of the program's object stay
   as its initialiser left them. */
#pragma once
#include "run/clock.h"

typedef struct Thread Thread;

typedef struct Object Object;
struct Object {
    Address address;
    Object *next, *in_page; /* of the same hash; of the same page */
    Thread *owner;          /* the thread that holds the lock for writing */
    unsigned count;      /* of a recursive lock: how often it is held; of a semaphore: its value; of a barrier: the threads it waits for */
    unsigned readers;    /* of a rwlock: how often it is held for reading; of a barrier: the threads that have arrived */
    unsigned generation; /* of a barrier: how often it was passed */
    unsigned state;      /* of a once control: 0 new, 1 running, 2 done */
    bool used;           /* the runtime has seen it locked */
    Clock *clock;        /* what happens before an acquisition; NULL: nothing */
    Clock *second;       /* of a rwlock: releases by readers; of a barrier: what was before the last passing */
    unsigned releaser;   /* an atomic place: 1 + the thread whose release store is the last one */
};

Object *object_at(const volatile void *);
/* Makes the object new, as its initialisation does. */
void object_reset(Object *);
/* Forgets all objects in this memory, which is freed or begins another life. */
void object_forget(Address, size_t size);
/* Orders the object's releases before the thread's later events, or its earlier events before later acquisitions. */
void object_acquire(Object *);
void object_release(Object *);
/* Do the same with the second clock. */
void object_acquire_second(Object *);
void object_release_second(Object *);
