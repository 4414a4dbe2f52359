/* SPDX-License-Identifier: Apache-2.0 */
/* Explains why loops end, by the ranking functions of a proof. */
#pragma once
#include "explain/display.h"

/* Adds the expressions that decrease, each with the places of the steps that decrease it. */
void ranking_text(Buf *, Display *, const Proof *);
