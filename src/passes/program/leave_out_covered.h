/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "ir/program.h"

void leave_out_covered(Program *);
