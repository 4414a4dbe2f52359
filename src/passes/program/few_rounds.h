/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "result/translation.h"

void few_rounds(Program *, Translation *, unsigned rounds);
