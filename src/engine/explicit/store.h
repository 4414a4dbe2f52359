/* SPDX-License-Identifier: Apache-2.0 */
/* Where visited states are kept: components interned by content, a state as the tuple of their numbers (collapse
   compression), found through an open hash table. */
#pragma once
#include "ir/step.h"

typedef struct Store Store;

/* What is kept of a state; good until the next store_add. */
typedef struct Record {
    uint32_t length;     /* of the tuple */
    uint32_t sleep : 31; /* bit t-1: thread t was asleep at every visit so far */
    uint32_t on_stack : 1;
    uint32_t tuple[];
} Record;

Store *store_new(void);
void store_free(Store *);
const ComponentStore *store_components(Store *);
/* The handle of the state with that tuple; *fresh: it was not there (sleep and on_stack are 0 then). */
uint32_t store_add(Store *, const uint32_t *tuple, size_t length, bool *fresh);
Record *store_record(Store *, uint32_t handle);
uint64_t store_states(const Store *);
uint64_t store_bytes(const Store *);
/* Could growing take it beyond this many bytes, or out of handles? */
bool store_is_full(const Store *, uint64_t bytes);
