/* SPDX-License-Identifier: Apache-2.0 */
/* Assigns addresses to objects. The address space is cut into granules: 2^32 bytes each for 64-bit pointers, 2^16 for 32-bit ones. An
   object starts at the start of a granule and takes as many as its size + 1 needs, then one more as a guard. So one-past-the-end and
   small overruns never meet another object. Order: granule 0 is empty (null); then functions (one granule for all: base + 16 * k);
   global objects; for each thread number its THREAD and LOCAL objects; and the heap. With 64-bit pointers, the first LAYOUT_SMALL granules are
   empty, too. So a small number equals neither half of an address. */
#pragma once
#include "ir/program.h"

typedef struct Layout Layout;

/* The program's skew is added to all addresses, so that an address cut to 32 bits is not 0. LAYOUT_SKEW is the usual skew. The uneven
   skews have no zero byte: for memory leaks, a pointer of which a byte is cleared must not be a pointer any more. */
enum { LAYOUT_SKEW = 4096, UNEVEN_SKEW_64 = 0x13572440, UNEVEN_SKEW_32 = 0x2440, UNEVEN_ALIGN = 64 };
enum { LAYOUT_SMALL = 4096 };
/* Returns the first granule that may have an object. */
static inline uint64_t layout_first_granule(const Program *p) { return p->pointer_width == 64 ? LAYOUT_SMALL + 1 : 1; }
enum { MAX_THREADS = 32767 }; /* thread numbers are 1 … MAX_THREADS; with 32-bit pointers and many objects there are fewer */

Layout *layout_new(const Program *);
void layout_free(Layout *);
unsigned layout_granule_bits(const Layout *);
unsigned layout_max_threads(const Layout *);
uint64_t layout_address(const Layout *, const Object *, unsigned thread); /* thread: for THREAD and LOCAL objects */
uint64_t layout_heap_start(const Layout *);                               /* the lowest address of the heap */
uint64_t layout_heap_granules(const Layout *);                            /* the number of granules of the heap */
/* Returns the object (not of the heap) whose granules contain the address, or NULL. For THREAD and LOCAL objects, *thread becomes its
   owner. *offset is counted from the object's base, and may be >= its size. */
const Object *layout_find(const Layout *, uint64_t address, unsigned *thread, uint64_t *offset);
