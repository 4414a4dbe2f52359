/* SPDX-License-Identifier: Apache-2.0 */
/* Computes the liveness of a template's locals. A local is live at a location if some path from there reads it before it writes it. At
   END the result is live, since join reads it. At RETURN the results of the procedure are live. self is live everywhere: it is part of the thread, not of its data. */
#pragma once
#include "ir/program.h"

typedef struct Liveness Liveness;

Liveness *live_new(const Program *, const Template *);
void live_free(Liveness *);
bool live_at(const Liveness *, unsigned location, const Variable *local);
/* Returns the indices of the locals that are live at a location, ascending. *count becomes their number. */
const unsigned *live_list(const Liveness *, unsigned location, size_t *count);
