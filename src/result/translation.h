/* SPDX-License-Identifier: Apache-2.0 */
/* From a transformed program back to the original: which action of which template each action came from.
   Transformations keep it up to date as they go. Threads keep their numbers and steps their choices. */
#pragma once
#include "result/trace.h"

typedef struct Translation {
    unsigned *templates; /* vecs, by template of the transformed program: the original's template … */
    unsigned **actions;  /* … and for each action, the original's action */
} Translation;

Translation *translation_new(const Program *); /* the identity */
void translation_free(Translation *);
/* Tells whether each action of each template of the program comes from one. */
bool translation_valid(const Translation *, const Program *);
