/* SPDX-License-Identifier: Apache-2.0 */
/* Checks that a mutex is initialised before its first use. */
#pragma once
#include "ir/program.h"

/* True if main initialises the mutex word on all its paths, before any use and before it creates threads. Then it does not matter that
   memory holds any value at first. A local word is initialised by its own thread, before any use. raw: the word has no value at first. An
   assignment initialises it, and HAVOC makes it raw again. */
bool mutex_set_in_time(const Program *, const Variable *word, bool raw);
