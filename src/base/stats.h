/* SPDX-License-Identifier: Apache-2.0 */
/* Counts what a run does. The table stats.def makes the struct. A Stats is passed along and is never global. */
#pragma once
#include <stdint.h>

typedef struct Stats {
#define STAT(name, text) uint64_t name;
#include "base/stats.def"
#undef STAT
} Stats;

static inline void stats_add(Stats *to, const Stats *s) {
#define STAT(name, text) to->name += s->name;
#include "base/stats.def"
#undef STAT
}
