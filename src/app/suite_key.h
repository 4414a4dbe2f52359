/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "app/tasks.h"

/* Adds hashes of the content that a task reads: its own file, its programs, and the files that these include. An included file counts if
   it lies beside the including file, or in a folder of -I (flags: a vec, for clang). A task with another content is another task. */
void suite_key_contents(Buf *key, const Task *, const char *const *flags);
