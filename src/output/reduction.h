/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HEDDLE_OUTPUT_REDUCTION_H
#define HEDDLE_OUTPUT_REDUCTION_H
#include "base/buf.h"
#include "output/readable.h"

/* A proof by the rule reduced, for people. */
void reduction_text(Buf *, People *, const Proof *, bool all);

#endif
