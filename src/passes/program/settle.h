/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "ir/program.h"

void settle(Program *); /* see settle.c */
