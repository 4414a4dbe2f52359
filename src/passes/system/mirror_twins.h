/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "system/system.h"

/* A thread's twin gets the thread's transitions, in its own variables and inputs, whatever it had. The system has a
   fine one. */
void mirror(System *, unsigned thread, unsigned twin);
