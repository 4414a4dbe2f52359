/* SPDX-License-Identifier: Apache-2.0 */
/* Cancellation of threads. */
#pragma once
#include "run/base.h"

/* Ends the calling thread, which was cancelled. */
_Noreturn void cancel_act(void);
