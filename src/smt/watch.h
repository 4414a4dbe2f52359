/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HEDDLE_SMT_WATCH_H
#define HEDDLE_SMT_WATCH_H
#include <z3.h>

typedef struct Watch Watch;
Watch *watch_new(Z3_context);
void watch_free(Watch *);
/* A call begins that must not take longer; then it has ended. */
void watch_begin(Watch *, unsigned milliseconds);
void watch_end(Watch *);

#endif
