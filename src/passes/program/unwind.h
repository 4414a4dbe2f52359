/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "ir/program.h"

/* Loops are followed so many times only; see unwind.c. */
void unwind(Program *, unsigned times);
