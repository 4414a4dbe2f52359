/* SPDX-License-Identifier: Apache-2.0 */
/* The ends of a process that cannot go on, each with a line on stderr. Faults of the input are reported by the module that reads it. */
#pragma once
#include <assert.h>
#include <stddef.h>

enum { EXIT_SAFE = 0, EXIT_UNSAFE = 1, EXIT_UNKNOWN = 2, EXIT_INPUT = 3, EXIT_INTERNAL = 4 };

/* Our own fault: a broken invariant. EXIT_INTERNAL. */
_Noreturn void die(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Heddle is not whole: a file of its own, or clang, is missing or broken. EXIT_INTERNAL. */
_Noreturn void incomplete(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The machine does not give what is needed: memory, processes, open files. EXIT_UNKNOWN, without a verdict: the parent of the process adds
   it, with the line as its reason. */
_Noreturn void out_of_resources(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Memory of zeros for n elements, to be freed by free. Lacks it, if there is none. */
void *zeroed(size_t n, size_t element) __attribute__((malloc));

/* What took the life of a process that a signal ended, if that was no fault of its own: a limit, or somebody. Else NULL. */
const char *signal_from_outside(int signal);

/* Checked in every build. */
#define ensure(condition) ((condition) ? (void)0 : die("%s:%d: broken invariant: %s", __FILE__, __LINE__, #condition))
/* Checked where the sanitizers are on: it takes time. */
#ifdef __SANITIZE_ADDRESS__
#define ensure_slow(condition) ensure(condition)
#else
#define ensure_slow(condition) ((void)(0 && (condition)))
#endif
