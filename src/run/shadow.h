/* SPDX-License-Identifier: Apache-2.0 */
/* Shadow memory: for each word of the program's memory, its last accesses. */
#pragma once
#include "run/base.h"

enum { WORD = 8, CELLS = 4, PC_BITS = 48 };

/* An access of some bytes of a word. */
typedef struct Cell {
    uint64_t pc : PC_BITS, thread : 16;
    unsigned clock; /* the thread's own clock at the access */
    unsigned char mask;
    bool used, write, atomic;
} Cell;

/* Returns the cells of the word at this address. Returns NULL if there is no memory left for them. */
Cell *shadow_cells(Address);
/* Forgets all accesses of these bytes, and of the words that they begin and end in. */
void shadow_clear(Address, size_t size);
