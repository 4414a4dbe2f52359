/* SPDX-License-Identifier: Apache-2.0 */
/* Which objects may have the place, or a part of it, of a heap object that was freed: those whose life may begin afterwards. Objects that
   live at the same time do not overlap, and what has always been there never does. */
#pragma once
#include "analysis/pointsto.h"

typedef struct Reuse Reuse;
/* What is known is of the program as it is now. */
Reuse *reuse_new(const Program *, PointsTo *);
void reuse_free(Reuse *);
/* May a life of `later` begin when an object of the site was freed? */
bool reuse_of(const Reuse *, const Object *site, const Object *later);

/* When what lies on a thread's stack lives: its local objects, and what it allocates there (variable-length arrays, alloca). */
typedef struct Stack Stack;
/* Locations and actions may be added to the program while it is in use. */
Stack *stack_new(const Program *, PointsTo *);
void stack_free(Stack *);
/* Do two of a thread never live at the same time? Then one may have the place of the other. */
bool stack_apart(Stack *, const Object *, const Object *);
/* Is it a local whose place may differ from one life to the next, since other things may be on the stack below it? */
bool stack_moves(Stack *, const Object *);
