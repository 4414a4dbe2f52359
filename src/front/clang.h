/* SPDX-License-Identifier: Apache-2.0 */
/* Runs clang as a child that writes its bitcode to a pipe, so no temporary file can be left behind. The message to the user is the text
   of clang, which has file, line and caret already. */
#pragma once
#include "front/front.h"

/* True if the file is for clang; .ll and .bc are read by LLVM itself. */
bool clang_reads(const char *file);

/* Starts clang on the file. `inlines`: emit also the bodies of inline functions that C lets a compiler omit. */
Clang *clang_start(const FrontOptions *, const char *file, bool inlines);

/* Waits for clang and frees it. If the input has a fault, returns false and appends a message to *error. */
bool clang_finish(Clang *, Buf *bitcode, Buf *error);
