/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "options/options.h"

/* Writes the harness of --harness: a C program in which a thread calls each of the functions with any arguments. The user completes it.
   Returns false and sets *error on failure. */
bool harness_write(const Options *, Buf *out, Buf *error);
