/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "system/system.h"

/* A loop that fills memory with any values, which hold any value already, is gone; see fill_loops.c. No other thread
   may notice it. */
bool fill_loop(System *, SystemThread *, unsigned location);
