/* SPDX-License-Identifier: Apache-2.0 */
/* See thread_numbers.c. */
#pragma once
#include "ir/program.h"

/* Does the program do with threads' numbers more than keep and compare them? *where: there. */
bool numbers_matter(const Program *, Position *where);
