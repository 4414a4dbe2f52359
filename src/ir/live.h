/* SPDX-License-Identifier: Apache-2.0 */
/* Liveness of a template's locals: a local is live at a location if some path from there reads it before writing it.
   At END the result is read (by join). self is live everywhere: it is part of the thread, not of its data. */
#pragma once
#include "ir/program.h"

typedef struct Liveness Liveness;

Liveness *live_new(const Program *, const Template *);
void live_free(Liveness *);
bool live_at(const Liveness *, unsigned location, const Variable *local);
/* The indices of the locals live at a location, ascending; *count of them. */
const unsigned *live_list(const Liveness *, unsigned location, size_t *count);
