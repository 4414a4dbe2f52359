/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "result/translation.h"

/* A second copy of each template marked many, right behind the first; see twins.c. */
void twins(Program *, Translation *);
