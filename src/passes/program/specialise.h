/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "result/translation.h"

/* Constants are propagated, and loops that create or join threads are unrolled where constants decide them. */
void specialise(Program *, Translation *, bool whole_loops);
/* The same, but large templates that neither create nor join threads are left as they are: it takes time and memory by the square of their size. */
void specialise_but_large(Program *, Translation *);
