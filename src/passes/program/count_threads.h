/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HEDDLE_PASSES_PROGRAM_COUNT_THREADS_H
#define HEDDLE_PASSES_PROGRAM_COUNT_THREADS_H
#include "ir/program.h"

/* Set Template.count of every template: how many threads of it there can be; see count_threads.c. */
void count_threads(Program *);

#endif
