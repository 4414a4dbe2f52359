/* SPDX-License-Identifier: Apache-2.0 */
/* Which properties are asked of the files: those that are named, or the usual ones. */
#ifndef HEDDLE_APP_CHOOSE_H
#define HEDDLE_APP_CHOOSE_H
#include "app/options.h"
#include "witness/witness.h"

/* *set has bit p for property p; *parts: of valid-memsafety, 0: the usual ones. False: *error says what is wrong. */
bool choose_properties(const Options *, const Witnesses *, unsigned *set, unsigned *parts, Buf *error);

#endif
