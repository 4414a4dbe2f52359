/* SPDX-License-Identifier: Apache-2.0 */
/* Finds accesses to heap objects that only their own thread knows. The thread has allocated the object, and only its locals have contained
   the address since. Other threads can neither see nor disturb such an access. The facts are those of result/race_holders.h. */
#pragma once
#include "ir/program.h"
#include "result/race_proof.h"

typedef struct UnescapedHeap UnescapedHeap;
/* Analyses a program, which must outlive the result. */
UnescapedHeap *unescaped_new(const Program *);
void unescaped_free(UnescapedHeap *);
/* Returns the allocation site if the instruction of this action always loads or stores in such an object; otherwise NULL. */
const Object *unescaped_object(const UnescapedHeap *, const Template *, const Action *, const Instr *);

/* Returns what is claimed about the locals of the template; the rows belong to the analysis. */
const RaceHolders *unescaped_holders(const UnescapedHeap *, const Template *);
/* Returns the object of a site of the template. */
const Object *unescaped_site(const UnescapedHeap *, const Template *, unsigned site);
/* Returns the holder that an address is made of, if at most a constant is added; otherwise RACE_NONE. */
unsigned unescaped_holder(const UnescapedHeap *, const Template *, const Expr *address);
/* Appends what a condition of the template, or an instruction, does with addresses, as events. */
void unescaped_test(const UnescapedHeap *, const Template *, const Expr *condition, RaceEvent **events);
void unescaped_execute(const UnescapedHeap *, const Template *, const Instr *, RaceEvent **events);
