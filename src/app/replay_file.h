/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "result/verdict.h"

/* Runs --replay: returns the verdict of the trace in the file, accepted or refused. Returns NULL and sets *error if the file is not a
   trace. */
Verdict *replay_file(const char *path, const Program *, const Question *, Buf *error);
