/* SPDX-License-Identifier: Apache-2.0 */
/* Decides whether executions depend on the numbers of threads. */
#pragma once
#include "ir/program.h"

/* True if the program does more with numbers of threads than copy, join and compare them. *where becomes the place of such a use. */
bool numbers_matter(const Program *, Position *where);
