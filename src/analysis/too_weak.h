/* SPDX-License-Identifier: Apache-2.0 */
/* Finds atomic accesses that may pass a value from one thread to another without ordering the two. */
#pragma once
#include "ir/program.h"

/* Returns the position of an atomic write that does not release, or of an atomic read that does not acquire. An atomic access of another
   thread reads what it writes, or writes what it reads. Returns {0} if there is no such access. Initial values, and values that the reading
   thread has written itself, need no order. */
Position too_weak(const Program *);
