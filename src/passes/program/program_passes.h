/* SPDX-License-Identifier: Apache-2.0 */
/* Declares the passes over programs, in the order of their tables (passes.c). Each pass changes the program in place. The head of its file states
   what it requires, ensures and breaks. A Translation leads from the changed program back to the original, and the pass keeps it up to date.
   The passes for weak memory models are in weak_memory.h. The passes that turn violations of a property into error locations are in
   instrumented.h. */
#pragma once
#include "result/promoted.h"
#include "result/specialised.h"
#include "result/translation.h"

enum { INLINE_MOST = 1000000 };
/* Makes the program flat. Procedures are followed within themselves `recursion` times, 0 for the usual number. Calls beyond `most` actions and
   instructions lead to a STOP with the reason why the program is so large. */
void inline_procedures(Program *, unsigned recursion, size_t most);
void focus(Program *, PropertySet property); /* one bit of PropertySet */
/* Returns a vec of the variables that objects became, for the check. sorted: the variables of an object are created in the order of their
   offsets. */
PromotedCell *promote_memory(Program *, bool sorted);
void jump_threading(Program *); /* also marks the loop heads anew */
void program_clean(Program *);
void count_threads(Program *);
bool unspecified_values(Program *); /* true if the program was changed */
void unwind(Program *, unsigned times);
void count_steps(Program *);
bool count_steps_applies(const Program *); /* true if count_steps would add a counter */
void drop_subsumed(Program *);
Specialised *specialise(Program *, Translation *, bool whole_loops);
/* Does the same, but skips large templates that neither create nor join threads: time and memory grow with the square of their size. */
void specialise_small(Program *, Translation *);
void bound_thread_creation(Program *, Translation *, unsigned rounds);
void instantiate_threads(Program *, Translation *);
void second_instance(Program *, Translation *);
/* Returns false if an access cannot be expressed by variables; *why describes the access and *where is its position. */
bool partition(Program *, Translation *, Buf *why, Position *where);
void final_values(Program *);
void mutex_kinds(Program *, Translation *);
void lock_results(Program *);
void mark_signs(Program *);
void mark_congruent_sums(Program *);
void mutex_words(Program *);
