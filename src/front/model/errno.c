/* SPDX-License-Identifier: Apache-2.0 */
/* errno: one per thread. */
#include "heddle.h"

static _Thread_local int errno_of_thread;
MODEL int *__errno_location(void) { return &errno_of_thread; }
