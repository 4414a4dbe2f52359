/* SPDX-License-Identifier: Apache-2.0 */
/* Observes what functions of the C library do with the program's memory. Their wrappers are made from effects.tsv. */
#pragma once
#include "run/base.h"

typedef uintptr_t Word;
typedef Word Function(Word, Word, Word, Word, Word, Word);

/* Returns whether the call at this place comes from the program, and not from a library, whose synchronisation may not be observed. */
bool effects_are_observed(Address pc);
/* Observes an effect, in the form of effects.tsv. result: what the function returned; it counts only for effects that follow the call. */
void effects_observe(const char *effect, const Word *arguments, Word result, Address pc);
