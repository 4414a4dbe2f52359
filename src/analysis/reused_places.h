/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the objects that may lie where a freed heap object was: the objects whose life may begin after the free. Objects that live at the
   same time do not overlap, and an object that always exists never reuses a place. */
#pragma once
#include "analysis/pointsto.h"

typedef struct ReusedPlaces ReusedPlaces;
/* Analyses the program in its present state. The program and the PointsTo must outlive the result. */
ReusedPlaces *reuse_new(const Program *, PointsTo *);
void reuse_free(ReusedPlaces *);
/* True if a life of `later` may begin after an object of the site was freed. */
bool reuse_of(const ReusedPlaces *, const Object *site, const Object *later);

/* Finds when objects on a thread's stack live: local objects, and what the thread allocates there (variable-length arrays, alloca). */
typedef struct StackLives StackLives;
/* Locations and actions may be added to the program while the result is in use. */
StackLives *stack_new(const Program *, PointsTo *);
void stack_free(StackLives *);
/* True if two objects on a thread's stack never live at the same time. Then one may reuse the place of the other. */
bool stack_disjoint_lives(StackLives *, const Object *, const Object *);
/* True if a local's place may differ between its lives, since stack allocations may lie below it. */
bool stack_moves(StackLives *, const Object *);
