/* SPDX-License-Identifier: Apache-2.0 */
/* Checks that a run does not overwrite its own input or output. */
#pragma once
#include "options/options.h"

/* True if each output file differs from all other output files and from all input files. Otherwise names the two equal files in *error. */
bool destinations_apart(const Options *, Buf *error);
