/* SPDX-License-Identifier: Apache-2.0 */
/* A system that was written as text, as a program: so every engine decides it, and its traces are replayed as any. */
#pragma once
#include "system/system.h"

/* The program that has the same executions, with a few steps before them; the system uses its expressions. False: *why says what stands in the way. */
bool system_as_program(const System *, Program *, Buf *why);
/* Parse .sys text; on an error NULL, and *error has file:line:column, the line and a caret. */
Program *system_program(const char *file, const char *text, Buf *error);
