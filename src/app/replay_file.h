/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "result/verdict.h"

/* --replay: returns what the trace in the file is to the program, accepted or refused. NULL: *error says what is wrong with the file. */
Verdict *replay_file(const char *path, const Program *, const Question *, Buf *error);
