/* SPDX-License-Identifier: Apache-2.0 */
/* Discharges the claims of omissions (result/omission.h). Each check compares the program or system before a pass with that after it, and
   finds again why what is missing does not matter. It shares no code with the pass or the analysis that made the claim. */
#pragma once
#include "ir/snapshot.h"
#include "result/omission.h"
#include "result/question.h"
#include "system/system.h"

/* Describes a pass to its check. Programs before and after share their expressions, variables and objects. */
typedef struct OmissionView {
    const Program *before, *after;
    const System *system_before, *system_after; /* of a pass over a system; otherwise NULL */
    const Question *question;
    void *claim; /* what the pass gives to its check; NULL: nothing */
} OmissionView;

/* Returns the omission of a pass after its check, which has a reason if it failed. Nothing is left out if count is 0 and the kind has a
   check. */
Omission omission_checked(OmissionKind, const OmissionView *);
/* True if the kind has a check that needs the program or system before the pass. */
bool omission_needs_before(OmissionKind);
/* Returns the first omission of the vec whose check failed, or NULL. */
const Omission *omissions_refused(const Omission *list);
