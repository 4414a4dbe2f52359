/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "ir/program.h"
#include "result/translation.h"

void mutex_kinds(Program *, Translation *);
