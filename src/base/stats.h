/* SPDX-License-Identifier: Apache-2.0 */
/* Counters. One table (stats.def), one struct; passed along, never global. */
#ifndef HEDDLE_BASE_STATS_H
#define HEDDLE_BASE_STATS_H
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

#endif
