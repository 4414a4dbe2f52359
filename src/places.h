/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HEDDLE_PLACES_H
#define HEDDLE_PLACES_H
#include "options.h"

/* Is each file that is to be written another one than all others, and than all that is read? False: *error says which are the same. */
bool places_apart(const Options *, Buf *error);

#endif
