/* SPDX-License-Identifier: Apache-2.0 */
/* The passes over programs, in the order of the tables (passes.c). The head of each one's file says what it requires, ensures and breaks.
   (Passes of weak memory: weak_memory.h. Of properties: asked.h.) */
#pragma once
#include "result/translation.h"

void focus(Program *, Matters property); /* a bit of Matters */
/* sorted: the variables of an object follow each other as they lie in memory. */
void program_promote(Program *, bool sorted);
void jump_threading(Program *); /* marks loop heads afresh */
void program_clean(Program *);
void count_threads(Program *);
bool unspecified_values(Program *); /* true if the program was changed */
void unwind(Program *, unsigned times);
void count_steps(Program *);
bool count_steps_finds(const Program *); /* is there anything to count? */
void drop_subsumed(Program *);
void specialise(Program *, Translation *, bool whole_loops);
/* The same, but large templates that neither create nor join threads are left as they are: it takes time and memory by the square of their size. */
void specialise_but_large(Program *, Translation *);
void bound_thread_creation(Program *, Translation *, unsigned rounds);
void instantiate_threads(Program *, Translation *);
void second_instance(Program *, Translation *);
/* False: *why says which access stands in the way, with its position in *where. */
bool partition(Program *, Translation *, Buf *why, Position *where);
void final_values(Program *);
void mutex_kinds(Program *, Translation *);
void lock_results(Program *);
void infer_signs(Program *);
void mark_wide(Program *);
void mutex_words(Program *);
