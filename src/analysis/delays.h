/* SPDX-License-Identifier: Apache-2.0 */
/* Of a program whose stores are buffered: which of them it matters for that they may arrive late. */
#pragma once
#include "ir/weak.h"

typedef struct StoreDelay { /* of an action */
    WeakAction weak;
    bool alone; /* no other thread exists yet when it is taken */
    bool late;  /* STORE, BLOCK: an execution in which it arrives later may have no equal in which it arrives at once */
    bool seen;  /* LOAD: others may write what it reads; STORE: others may access what it writes */
} StoreDelay;

typedef struct StoreDelays {
    const Program *program;
    StoreDelay **of; /* vecs: by template and action */
    bool any;        /* some action is late: otherwise the program does under its memory model what it does under sequential consistency */
    Position where;
    bool assumed; /* … or would be, if memory were allocated or freed without a drain */
    Position assuming;
} StoreDelays;

/* May these two actions of different threads, by template and number, access the same place with nothing that orders them (locks, creation, joins)? */
typedef bool MayMeet(const void *context, unsigned template_, unsigned action, unsigned other_template, unsigned other);
/* There is a word on every action, only stores and blocks are late, and where one is, `any` says so. */
bool delays_valid(const StoreDelays *);
/* may_meet: NULL if that is not known. */
StoreDelays *delays_new(const Program *, MayMeet *may_meet, const void *context);
void delays_free(StoreDelays *);
