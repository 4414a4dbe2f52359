/* SPDX-License-Identifier: Apache-2.0 */
/* Virtual time. It passes with events, with sleeps and with time-outs, so it is the same in every run of a schedule. */
#pragma once
#include "run/base.h"
#include <time.h>

enum { VTIME_SECOND = 1000000000 };
/* Returns the nanoseconds since the epoch. */
uint64_t vtime_now(void);
/* Lets time pass until this moment, if it is in the future. */
void vtime_reach(uint64_t moment);
uint64_t vtime_of(const struct timespec *);
/* Returns whether its nanoseconds are less than a second. Functions refuse other times. */
static inline bool vtime_is_valid(const struct timespec *t) { return t->tv_nsec >= 0 && t->tv_nsec < VTIME_SECOND; }
