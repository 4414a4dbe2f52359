/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "base/buf.h"
#include "explain/display.h"

/* A proof by the rule reduced, for display. */
void reduction_text(Buf *, Display *, const Proof *, bool all);
