/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "options/options.h"

/* Applies --compile-commands: adds to each input file the flags with which it was compiled. Without input files, all C files of the list
   become the input files. Returns false and sets *error on failure. */
bool compile_commands_apply(Options *, Buf *error);
