/* SPDX-License-Identifier: Apache-2.0 */
/* clang, run as a child that writes its bitcode to a pipe: there is no temporary file to lose. Its own diagnostics are the message
   to the user: they have file, line and caret already. */
#pragma once
#include "front/front.h"

/* Does clang read this file? .ll and .bc are LLVM's. */
bool clang_reads(const char *file);

/* inlines: with the bodies of inline functions that need not exist. */
Clang *clang_start(const FrontOptions *, const char *file, bool inlines);

/* Wait for it, and forget it. On a fault of the input false, and its message is appended to *error. */
bool clang_finish(Clang *, Buf *bitcode, Buf *error);
