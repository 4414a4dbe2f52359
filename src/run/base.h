/* SPDX-License-Identifier: Apache-2.0 */
/* Declares what every file of the runtime needs. The runtime is linked into the user's program, so it uses neither malloc nor stdio, and
   its names are local to it (Makefile). Only what the compiler's ThreadSanitizer pass calls, and functions that it replaces, are exported. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uintptr_t Address;

/* Exports a function as a weak symbol, since a program may define its own read or send. */
#define EXPORTED __attribute__((visibility("default"), weak))
#define CALLER ((Address)__builtin_return_address(0))

/* Returns the next definition of a function after ours, which is that of the C library. */
#define REAL(f)                                                       \
    ({                                                                \
        static __typeof__(&f) real_;                                  \
        if (!real_) real_ = (__typeof__(&f))base_next_definition(#f); \
        real_;                                                        \
    })
void *base_next_definition(const char *name);

/* Returns zeroed memory that is never freed. */
void *base_memory(size_t size);
/* Reserves zeroed memory at this place if it is free. It costs something only where it is used. Returns NULL if that is impossible. */
void *base_reserve(Address place, size_t size);
/* Returns zeroed memory that this process shares with the children that it forks. */
void *base_shared_memory(size_t size);
/* Prints on stderr, without the program's own write. */
void base_say(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Ends the process after an error of the runtime or of its input. */
_Noreturn void base_die(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Writes all bytes to a file descriptor. */
bool base_put(int fd, const void *bytes, size_t size);
/* Returns the seconds of the real clock. */
double base_seconds(void);
