/* SPDX-License-Identifier: Apache-2.0 */
/* Knows which bytes of the heap the program may access. */
#pragma once
#include "run/base.h"

enum { GRANULE = 8 };

/* Reserves the memory of the heap. Returns its first address, and its size. */
Address bounds_start(size_t *size);
/* Allows, or forbids, accesses of a block. `from` is a multiple of GRANULE. */
void bounds_allow(Address from, size_t size);
void bounds_forget(Address from, size_t size); /* the block was freed */
void bounds_forbid(Address from, size_t size); /* the block is no block any more */
/* Ends the run if the program may not access these bytes. */
void bounds_check(Address, size_t size, bool write, Address pc);
