/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "smt/smt.h"
#include "system/system.h"

void exclude_errors(System *, Smt *); /* see exclude_errors.c */
