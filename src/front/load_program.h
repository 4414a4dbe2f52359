/* SPDX-License-Identifier: Apache-2.0 */
/* Loads a program from its files: C and other input of clang, LLVM code, or a whole program in text form (.hir, .sys, .wvr). */
#pragma once
#include "front/front.h"

/* Fills *loaded, which the caller frees with loaded_free. If the files have a fault, returns false and a message in *error. */
bool load_program(const FrontOptions *, Loaded *, Buf *error);
void loaded_free(Loaded *);
/* True if the file is a whole program in text form. */
bool load_is_text(const char *file);
