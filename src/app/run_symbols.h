/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the source places of addresses of code, and the names of addresses of data, by llvm-symbolizer. */
#pragma once
#include "app/run_result.h"
#include "base/arena.h"
#include "ir/program.h"

typedef struct RunPlace {
    Position position;    /* no file: unknown */
    const char *function; /* NULL: unknown */
} RunPlace;

typedef struct RunSymbols RunSymbols;

/* `program`: the file of the module ".". The texts live in the arena. */
RunSymbols *run_symbols_new(Arena *, const char *program, const RunModule *modules);
/* Asks for an address. The answers arrive with run_symbols_resolve. */
void run_symbols_ask(RunSymbols *, uint64_t address, bool data);
/* Asks the symbolizer. Returns false if it cannot be run. */
bool run_symbols_resolve(RunSymbols *);
/* Returns the place before a return address. */
RunPlace run_symbols_place(const RunSymbols *, uint64_t address);
/* Returns the name of the global variable that has this address, with an offset. Returns NULL for other addresses. */
const char *run_symbols_data(const RunSymbols *, uint64_t address);
void run_symbols_free(RunSymbols *);
