/* SPDX-License-Identifier: Apache-2.0 */
/* Where objects lie. Address space is cut into granules: 2^32 bytes each for 64-bit pointers, 2^16 for 32-bit ones.
   An object starts at a granule's start and takes as many as its size + 1 needs, then one more as a guard, so
   one-past-the-end and small overruns never meet another object. Order: granule 0 nothing (null), functions (one
   granule for all: base + 16 * k), global objects, then for each thread number its THREAD and LOCAL objects, then heap. */
#pragma once
#include "ir/program.h"

typedef struct Layout Layout;

/* All addresses are the program's skew above what the granules say, so that an address cut to 32 bits is not 0. This is the usual one. Where it is asked
   whether pointers are lost, it is one without bytes of zero: a pointer of which a byte is cleared is none any more. */
enum { LAYOUT_SKEW = 4096, UNEVEN_SKEW_64 = 0x13572440, UNEVEN_SKEW_32 = 0x2440, UNEVEN_ALIGN = 64 };
enum { MAX_THREADS = 32767 }; /* thread numbers 1 … MAX_THREADS; fewer with 32-bit pointers if objects are many */

Layout *layout_new(const Program *);
void layout_free(Layout *);
unsigned layout_granule_bits(const Layout *);
unsigned layout_max_threads(const Layout *);
uint64_t layout_address(const Layout *, const Object *, unsigned thread); /* thread matters for THREAD and LOCAL */
uint64_t layout_heap_start(const Layout *);                               /* first heap address; granules go up from it */
uint64_t layout_heap_granules(const Layout *);                            /* how many there are */
/* The static object (not heap) whose granules hold address; *thread for THREAD and LOCAL, *offset from its base
   (may be >= its size). NULL if none. */
const Object *layout_find(const Layout *, uint64_t address, unsigned *thread, uint64_t *offset);
