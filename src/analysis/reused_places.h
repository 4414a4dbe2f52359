/* SPDX-License-Identifier: Apache-2.0 */
/* Which objects may have the place, or a part of it, of a heap object that was freed: those whose life may begin afterwards. Objects that
   live at the same time do not overlap, and what has always been there never does. */
#pragma once
#include "analysis/pointsto.h"

typedef struct Reuse Reuse;
/* What is known is of the program as it is now. */
Reuse *reuse_new(const Program *, PointsTo *);
void reuse_free(Reuse *);
/* May a life of `later` begin when an object of the site was freed? */
bool reuse_of(const Reuse *, const Object *site, const Object *later);
