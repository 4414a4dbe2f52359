/* SPDX-License-Identifier: Apache-2.0 */
/* Accesses to heap objects that only their own thread knows: it has allocated them, and their address has been in its locals only since. Others can
   neither see nor disturb these. */
#pragma once
#include "ir/program.h"

typedef struct UnescapedHeap UnescapedHeap;
UnescapedHeap *unescaped_new(const Program *);
void unescaped_free(UnescapedHeap *);
/* The site of the object, if the instruction of this action is a load or store in such a one whenever it is taken; otherwise NULL. */
const Object *unescaped_object(const UnescapedHeap *, const Template *, const Action *, const Instr *);
