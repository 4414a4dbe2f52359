/* SPDX-License-Identifier: Apache-2.0 */
/* Observes plain accesses. */
#pragma once
#include "run/thread.h"

/* The calling thread is about to access this memory. */
void access_observe(Address, size_t size, bool write, Address pc);
