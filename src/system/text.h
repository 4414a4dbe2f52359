/* SPDX-License-Identifier: Apache-2.0 */
/* The text form of systems, .sys: doc/system.md. Not in the text: the fine system, and of the program it was made from all but the types
   of variables. */
#pragma once
#include "system/system.h"

void system_print(Buf *, const System *);
/* On an error NULL, and *error has file:line:column, the line and a caret. What is read is well-formed. */
System *system_parse(Exprs *, const char *file, const char *text, Buf *error);

/* A system as a program: so every engine decides one that was written as text, and its traces are replayed as any. The program that has the same executions, with a few steps before them; the system uses its expressions. False: *why says what stands in the way. */
bool system_as_program(const System *, Program *, Buf *why);
/* Parse .sys text; on an error NULL, and *error has file:line:column, the line and a caret. */
Program *system_program(const char *file, const char *text, Buf *error);
