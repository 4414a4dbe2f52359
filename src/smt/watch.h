/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <z3.h>

typedef struct Watch Watch;
Watch *watch_new(Z3_context);
void watch_free(Watch *);
/* A call of the solver begins that must not take longer; then it has ended. */
void watch_begin(Watch *, Z3_solver, unsigned milliseconds);
/* … by the processor's time, which does not pass faster where others want the processor too. */
void watch_begin_work(Watch *, Z3_solver, unsigned milliseconds);
void watch_end(Watch *);
