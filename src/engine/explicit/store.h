/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps the visited states. Components of states are interned by content, and a state is the tuple of their numbers (collapse compression: Holzmann,
   SPIN 1997). An open hash table finds states by their tuples. */
#pragma once
#include "ir/step.h"

typedef struct Store Store;

/* The entry of a state in the store. The next store_add may move it. */
typedef struct Record {
    uint32_t length;     /* of the tuple */
    uint32_t sleep : 31; /* bit t-1: thread t was asleep at every visit so far */
    uint32_t on_stack : 1;
    uint32_t tuple[];
} Record;

Store *store_new(void);
void store_free(Store *);
const ComponentStore *store_components(Store *);
/* Returns the handle of the state with that tuple, and adds the state if it is new. *fresh is true if it was new; its sleep and on_stack are 0. */
uint32_t store_add(Store *, const uint32_t *tuple, size_t length, bool *fresh);
/* Returns the entry of a state. */
Record *store_record(Store *, uint32_t handle);
/* Returns the number of states. */
uint64_t store_states(const Store *);
/* Returns the bytes in use. */
uint64_t store_bytes(const Store *);
/* Returns true if the next growth could need more than this many bytes, or more handles than there are. */
bool store_is_full(const Store *, uint64_t bytes);
