/* SPDX-License-Identifier: Apache-2.0 */
/* Explains a verdict to the user: assumptions of the translation from C, and advice after UNKNOWN. */
#pragma once
#include "result/question.h"
#include "result/verdict.h"

/* Adds "assuming that f, g have no effect", or nothing if nothing was assumed. */
void explain_assumed(Buf *, const Program *);
/* True if the reason is a function without a body. `explain` lists all of these functions in one note. */
bool explain_lists(const Program *, const Verdict *);
/* Adds notes on functions without a body and on what a user can try, and warnings about a SAFE. `asserts`: the source has assertions. `all_engines`:
   all engines were tried. */
void explain(Verdict *, const Program *, bool asserts, Property, bool all_engines);

/* Adds the schedulers that a verdict about termination covers. `fair`: the question was about fair schedulers. `weak`: the answer for fair
   schedulers to a question about all schedulers. */
void explain_fairness(Verdict *, bool fair, VerdictKind weak);
