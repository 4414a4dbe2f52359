/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "system/system.h"

/* A location where a thread only asks how its own locals are, one of which it needs for nothing else, becomes one
   location for each answer: `c = x < y; … if (c)` asks at once, and c is not needed. The second location is the
   thread's last. False: it is none such. */
bool split_location(const System *, SystemThread *, unsigned location);
