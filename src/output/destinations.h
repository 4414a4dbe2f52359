/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "options/options.h"

/* Is each file that is to be written another one than all others, and than all that is read? False: *error says which are the same. */
bool destinations_apart(const Options *, Buf *error);
