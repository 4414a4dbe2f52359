/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "app/tasks.h"

/* Adds the content of what a task reads, as hashes: its own file, its programs, and what these include that lies beside the file that includes it, or in a folder
   of -I (flags: a vec, for clang). The same task with another content is not the same task. */
void suite_key_contents(Buf *key, const Task *, const char *const *flags);
