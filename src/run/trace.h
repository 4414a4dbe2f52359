/* SPDX-License-Identifier: Apache-2.0 */
/* Hashes the events of a run in their order. Two runs with the same hash were the same. */
#pragma once
#include "run/thread.h"

/* Begins a run, whose main thread has its stack near this address. */
void trace_start(Address stack);
/* Adds an event of the calling thread. */
void trace_add(const Event *);
