/* SPDX-License-Identifier: Apache-2.0 */
/* Which threads are to go in lockstep: those that have to do with each other. */
#pragma once
#include "base/buf.h"
#include "system/system.h"

/* An order (order.h): threads that are related go in lockstep, groups of them in sequence, the first thread beside them all. */
void related_order(Buf *tree, const System *);
