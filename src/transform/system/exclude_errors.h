/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HEDDLE_TRANSFORM_SYSTEM_EXCLUDE_ERRORS_H
#define HEDDLE_TRANSFORM_SYSTEM_EXCLUDE_ERRORS_H
#include "smt/smt.h"
#include "system/system.h"

void exclude_errors(System *, Smt *); /* see exclude_errors.c */

#endif
