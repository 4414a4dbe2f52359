/* SPDX-License-Identifier: Apache-2.0 */
/* Reads and prints the text form of systems, .sys (doc/system.md). The text has neither the fine system nor the original program, except
   for the types of its variables. */
#pragma once
#include "system/system.h"

void system_print(Buf *, const System *);
/* Parses a system, which is well-formed. On an error returns NULL, and *error gets file:line:column, the line and a caret. */
System *system_parse(Exprs *, const char *file, const char *text, Buf *error);

/* Makes the program that has the same executions as the system, with a few steps before them. So every engine decides a system that was
   written as text, and its traces are replayed as traces of a program. The program must use the expressions of the system. On failure
   returns false, and *why gets the reason. */
bool system_as_program(const System *, Program *, Buf *why);
/* Parses .sys text and makes its program. On an error returns NULL, and *error gets file:line:column, the line and a caret. */
Program *system_program(const char *file, const char *text, Buf *error);
