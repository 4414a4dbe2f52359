/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "options/options.h"

/* --suite: the files are tasks; each is verified by a run of its own, several at a time. Returns the exit code: 0, or 1 if an answer is wrong. */
int suite_run(const Options *);
