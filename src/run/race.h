/* SPDX-License-Identifier: Apache-2.0 */
/* Finds data races: two accesses of one place, one of them a write and not both atomic, that happens-before does not order. */
#pragma once
#include "run/thread.h"

/* Compares an access of the calling thread with earlier ones, and remembers it. */
void race_check(Address, size_t size, bool write, bool atomic, Address pc);
/* Lets later runs switch threads at this place. */
void race_make_point(Address pc);
/* Returns whether an access at this place took part in a race: there, threads are switched. */
bool race_is_known(Address pc);
