/* SPDX-License-Identifier: Apache-2.0 */
/* States which variables of a thread may hold an address that no other thread knows. A *site* of a thread is an instruction object of ALLOC.
   Consider the address of the last object that the thread allocated at a site. The site is *unknown* at a location if neither memory, nor a
   global variable, nor another thread has anything made of this address. A site is also unknown before its first allocation.

   A *holder* is a local variable that may get something made of such an address. For each holder, a row says which unknown sites its value
   may be made of: none, one, or any. For one site there are three levels. The value is the address, or the address plus
   constants, or it may be made of the address. A row claims nothing about sites that are not unknown. */
#pragma once
#include "base/vec.h"
#include <stdint.h>

typedef struct RaceEvent RaceEvent;

enum { HOLDS_NOTHING = 0, HOLDS_ANY = UINT16_MAX, MOST_SITES = UINT16_MAX / 3 - 1 };
typedef enum HolderLevel { HOLDS_ADDRESS, HOLDS_WITHIN, HOLDS_PERHAPS, HOLDER_LEVELS } HolderLevel;

typedef struct RaceHolders {
    unsigned sites, variables;
    uint16_t *rows; /* a vec, by location: 1 for each site that is unknown, then the value of each holder. Empty: nothing is claimed */
} RaceHolders;

static inline unsigned holders_width(const RaceHolders *h) { return h->sites + h->variables; }
static inline uint16_t *holders_row(const RaceHolders *h, unsigned location) { return &h->rows[(size_t)location * holders_width(h)]; }
static inline uint16_t holder_value(unsigned site, HolderLevel level) { return (uint16_t)(1 + site * HOLDER_LEVELS + level); }
static inline unsigned holder_site(uint16_t value) { return (value - 1u) / HOLDER_LEVELS; }
static inline HolderLevel holder_level(uint16_t value) { return (HolderLevel)((value - 1u) % HOLDER_LEVELS); }

/* Tells whether numbers of sites and variables in the events are of things that exist. */
bool holders_valid(const RaceHolders *, const RaceEvent *events, size_t n);
/* Sets the row that holds when the thread begins. */
void holders_begin(const RaceHolders *, uint16_t *row);
/* Changes the row as the event does. */
void holders_apply(const RaceHolders *, uint16_t *row, const RaceEvent *);
/* Sets to nothing what holders have of sites that are not unknown. */
void holders_tidy(const RaceHolders *, uint16_t *row);
/* Tells whether all that `claimed` says follows from the row. */
bool holders_cover(const RaceHolders *, const uint16_t *claimed, const uint16_t *row);
/* Returns the site in the last object of which the holder points, if no other thread knows it; otherwise RACE_NONE. */
unsigned holders_points(const RaceHolders *, const uint16_t *row, unsigned variable);
