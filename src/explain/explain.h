/* SPDX-License-Identifier: Apache-2.0 */
/* What the translation from C means for a verdict: what it takes for granted, and what a user can do about an UNKNOWN. */
#pragma once
#include "result/question.h"
#include "result/verdict.h"

/* Adds "assuming that f, g have no effect", or nothing if nothing was assumed. */
void explain_assumed(Buf *, const Program *);
/* Is the reason a function without a body? All of them are listed once. */
bool explain_lists(const Program *, const Verdict *);
/* Notes on functions without a body, on what is left to try; warnings. asserts: the source calls what reports errors.
   all_engines: all were tried. */
void explain(Verdict *, const Program *, bool asserts, Property, bool all_engines);

/* Of which schedulers it was asked whether executions end. */
/* Which schedulers a verdict about termination is about; weak: what holds under fair ones, if it was asked of any. */
void explain_fairness(Verdict *, bool fair, VerdictKind weak);
