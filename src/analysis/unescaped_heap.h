/* SPDX-License-Identifier: Apache-2.0 */
/* Finds accesses to heap objects that only their own thread knows. The thread has allocated the object, and only its locals have contained
   the address since. Other threads can neither see nor disturb such an access. */
#pragma once
#include "ir/program.h"

typedef struct UnescapedHeap UnescapedHeap;
/* Analyses a program, which must outlive the result. */
UnescapedHeap *unescaped_new(const Program *);
void unescaped_free(UnescapedHeap *);
/* Returns the allocation site if the instruction of this action always loads or stores in such an object; otherwise NULL. */
const Object *unescaped_object(const UnescapedHeap *, const Template *, const Action *, const Instr *);
