/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "options/options.h"

/* Runs --suite: verifies each task in a process of its own, several at a time. Returns the exit code: 0, or 1 if an answer is wrong. */
int suite_run(const Options *);
