/* SPDX-License-Identifier: Apache-2.0 */
/* When what lies on a thread's stack lives: its local objects, and what it allocates there (variable-length arrays, alloca). */
#pragma once
#include "analysis/pointsto.h"

typedef struct Stack Stack;
/* Locations and actions may be added to the program while it is in use. */
Stack *stack_new(const Program *, PointsTo *);
void stack_free(Stack *);
/* Do two of a thread never live at the same time? Then one may have the place of the other. */
bool stack_apart(Stack *, const Object *, const Object *);
/* Is it a local whose place may differ from one life to the next, since other things may be on the stack below it? */
bool stack_moves(Stack *, const Object *);
