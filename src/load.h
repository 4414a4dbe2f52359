/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HEDDLE_LOAD_H
#define HEDDLE_LOAD_H
#include "process/job.h"
#include "result/question.h"

/* The program of the files that the options name, as engines get it, or as it is after the pass of --dump-after, if that is one of loading.
   kept: see front.h. NULL: *error says what is wrong with them. */
Program *load(const Options *, const Question *, int kept, Buf *error);
/* The same, with these flags for clang before those of the options. */
Program *load_with(const Options *, const char *const *flags, unsigned nflags, const Question *, int kept, Buf *error);
/* The property that a trace violates, by its file, as a set (property.h); false: it does not say. A pipe keeps what is in it. */
bool load_claimed(const char *path, unsigned *set);
/* Is it C, or what clang made of C? */
bool load_is_c(const Options *);
/* A file that can be read only once, or NULL. */
const char *load_once_only(const Options *);
/* Are the files such that witnesses can be about them? False: *error says why not. */
bool load_fits_witness(const Options *, Buf *error);
/* --replay: the claim that is in a file. */
Verdict *load_claim(const Job *, Buf *error);
/* How large it is. */
void load_count(const Program *, Stats *);

#endif
