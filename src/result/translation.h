/* SPDX-License-Identifier: Apache-2.0 */
/* Records for each action of a transformed program the template and action of the original program that it came from. Passes keep this table up to
   date. Threads keep their numbers, and steps their choices. */
#pragma once
#include "result/trace.h"

typedef struct Translation {
    unsigned *templates; /* vecs by template of the transformed program: the original template … */
    unsigned **actions;  /* … and for each action, the original action */
} Translation;

Translation *translation_new(const Program *); /* the identity of the program; the caller frees it */
void translation_free(Translation *);
/* Tells whether the table has an entry for each action of each template of the program. */
bool translation_valid(const Translation *, const Program *);
