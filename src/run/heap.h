/* SPDX-License-Identifier: Apache-2.0 */
/* Allocates and frees the memory of the program. Addresses are the same in every run of a schedule. Forbidden bytes surround each block, and freed blocks are used
   again as late as possible, so that wrong accesses are found. */
#pragma once
#include "run/shared.h"

/* Stands before the memory of each block. */
typedef struct Block {
    uint64_t magic;
    Address user; /* the memory that the program gets */
    size_t size;
    Address start;         /* of the chunk that holds the block */
    struct Block *next;    /* in a list of free chunks */
    Address pc, free_pc;   /* where it was allocated and freed */
    unsigned class_;       /* of the chunk's size */
    unsigned short thread; /* the thread that allocated it */
    unsigned short by;     /* the thread that freed it */
    bool freed;
    uint64_t number; /* it is the n-th allocation */
} Block;

void *heap_allocate(size_t size, size_t alignment, Address pc); /* zeroed; NULL: no memory is left */
/* Frees a block. Ends the run if the memory is no block, or was freed before. */
void heap_free(void *, Address pc);
/* Returns the block whose memory begins here, or NULL. */
Block *heap_block(const void *);
/* Adds to the finding's text where the block was allocated and freed. */
void heap_describe(const Block *, Finding *);
