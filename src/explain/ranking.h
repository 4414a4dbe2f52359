/* SPDX-License-Identifier: Apache-2.0 */
/* Why loops end, as a proof by rankings claims it. */
#ifndef HEDDLE_EXPLAIN_RANKING_H
#define HEDDLE_EXPLAIN_RANKING_H
#include "explain/readable.h"

void ranking_text(Buf *, People *, const Proof *);

#endif
