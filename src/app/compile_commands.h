/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "options/options.h"

/* --compile-commands: the flags that each of the files was compiled with are added for that file; if there are no files, all C files of the list become
   the files. False: *error says why not. */
bool compile_commands_apply(Options *, Buf *error);
