/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "ir/program.h"

/* Set Template.count of every template: how many threads of it there can be; see count_threads.c. */
void count_threads(Program *);
