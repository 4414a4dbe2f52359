/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "options/options.h"

/* --harness: a C program in which a thread calls each of the functions, with any arguments; a start for display. False: *error says why not. */
bool harness_write(const Options *, Buf *out, Buf *error);
