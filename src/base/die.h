/* SPDX-License-Identifier: Apache-2.0 */
/* Ends a process that cannot continue, with a line on stderr. The module that reads an input reports the faults of the input. */
#pragma once
#include <assert.h>
#include <stddef.h>

enum { EXIT_SAFE = 0, EXIT_UNSAFE = 1, EXIT_UNKNOWN = 2, EXIT_INPUT = 3, EXIT_INTERNAL = 4 };

/* Reports a broken invariant of Heddle and exits with EXIT_INTERNAL. */
_Noreturn void die(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Reports that Heddle is not installed completely: clang, or a file of its own, is missing or broken. Exits with EXIT_INTERNAL. */
_Noreturn void incomplete(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Reports that the machine lacks memory, processes or open files. Exits with EXIT_UNKNOWN and prints no verdict: the parent process prints
   the verdict, with the line as its reason. */
_Noreturn void out_of_resources(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Prints a message as a line on stderr. */
void print_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Returns zeroed memory for n elements, which the caller frees by free. Calls out_of_resources if memory is exhausted. */
void *zeroed(size_t n, size_t element) __attribute__((malloc));

/* Returns why a signal ended a process: a limit, or a kill from outside. Returns NULL if the process itself was at fault. */
const char *signal_from_outside(int signal);

/* Checks an invariant, in every build. */
#define ensure(condition) ((condition) ? (void)0 : die("%s:%d: broken invariant: %s", __FILE__, __LINE__, #condition))
/* Checks an invariant only where the sanitizers are on, since the check takes time. */
#ifdef __SANITIZE_ADDRESS__
#define ensure_slow(condition) ensure(condition)
#else
#define ensure_slow(condition) ((void)(0 && (condition)))
#endif
