/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HEDDLE_PASSES_PROGRAM_MUTEX_WORDS_H
#define HEDDLE_PASSES_PROGRAM_MUTEX_WORDS_H
#include "ir/program.h"

void mutex_words(Program *);

#endif
