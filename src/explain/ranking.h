/* SPDX-License-Identifier: Apache-2.0 */
/* Why loops end, as a proof by rankings claims it. */
#pragma once
#include "explain/display.h"

void ranking_text(Buf *, Display *, const Proof *);
