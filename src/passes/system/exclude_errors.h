/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HEDDLE_PASSES_SYSTEM_EXCLUDE_ERRORS_H
#define HEDDLE_PASSES_SYSTEM_EXCLUDE_ERRORS_H
#include "smt/smt.h"
#include "system/system.h"

void exclude_errors(System *, Smt *); /* see exclude_errors.c */

#endif
