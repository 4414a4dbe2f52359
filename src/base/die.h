/* SPDX-License-Identifier: Apache-2.0 */
/* Internal errors. die() is for what is our own fault or out of our hands (a broken invariant, no memory): it says
   so on stderr and exits with EXIT_INTERNAL. Faults of the input are reported by the module that reads it. */
#ifndef HEDDLE_BASE_DIE_H
#define HEDDLE_BASE_DIE_H
#include <assert.h>

enum { EXIT_SAFE = 0, EXIT_UNSAFE = 1, EXIT_UNKNOWN = 2, EXIT_INPUT = 3, EXIT_INTERNAL = 4 };

_Noreturn void die(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Checked in every build. */
#define ensure(condition) ((condition) ? (void)0 : die("%s:%d: broken invariant: %s", __FILE__, __LINE__, #condition))

#endif
