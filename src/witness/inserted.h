/* SPDX-License-Identifier: Apache-2.0 */
/* What was made of the text of a witness, in the program that was made of the text with it. */
#pragma once
#include "ir/program.h"
#include "witness/instrument.h"

/* Is it in the text of the witness? The first argument is a vec of Inserted. */
bool inserted_has(const void *inserted, Position);
/* It does nothing but evaluate expressions, and change ghost variables. */
bool inserted_is_expressions(const Program *, const Inserted *, const Witness *);
/* Columns become those of the text without it. */
void inserted_forget(Program *, const Inserted *);
