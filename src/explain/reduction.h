/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "base/buf.h"
#include "explain/readable.h"

/* A proof by the rule reduced, for people. */
void reduction_text(Buf *, People *, const Proof *, bool all);
