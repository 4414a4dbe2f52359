/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "result/translation.h"

/* A template for each thread; what can be created without bound stays one template marked many. */
void instances(Program *, Translation *);
