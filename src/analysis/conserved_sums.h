/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "system/system.h"

/* Sums of global variables that keep their value, but for a constant that depends on where threads are: what is taken here is put there. As a
   vec of equalities, one for each such constant. They are hints: who uses one shows it. */
const Expr **conserved_sums(const System *);
