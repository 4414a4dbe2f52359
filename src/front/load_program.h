/* SPDX-License-Identifier: Apache-2.0 */
/* Loads a program from its files: C and what clang makes of it, or a whole program in text form (.hir, .sys, .wvr). */
#pragma once
#include "front/front.h"

/* False: *error says what is wrong with the files. */
bool load_program(const FrontOptions *, Loaded *, Buf *error);
void loaded_free(Loaded *);
/* Tells whether the file is a whole program in text form. */
bool load_is_text(const char *file);
