/* SPDX-License-Identifier: Apache-2.0 */
/* --check-witness: does what others say of the program hold? */
#ifndef HEDDLE_WITNESS_CHECK_WITNESS_H
#define HEDDLE_WITNESS_CHECK_WITNESS_H
#include "process/job.h"
#include "result/verdict.h"

/* The properties that the witnesses speak of, those of *set if any were asked for. False: *error. */
bool check_witness_properties(const Witnesses *, bool asked, unsigned *set, Buf *error);
/* The program of the job's property, with the invariants of its witness as assertions. NULL: *error, or the witness is refused (job_standing). */
Program *check_witness_load(Job *, Buf *error);
/* The program with the invariants of a witness as assertions. NULL: *why. */
Program *check_witness_instrument(Job *, const Witness *, Buf *why);
/* A verdict to be judged; `prove` is asked where a proof is claimed. */
Verdict *check_witness(Job *, Verdict *(*prove)(Job *));
/* What the verdict that was judged means for the witness. */
void check_witness_settle(Job *, Verdict *);

#endif
