/* SPDX-License-Identifier: Apache-2.0 */
#include "check/omission_checks.h"

/* Stands in the table for kinds without a check. */
static OmissionCheck trusted;
static void trusted(const OmissionView *v, Omission *o) { (void)v, (void)o; }

static OmissionCheck *const checks[OMISSION_KINDS] = {
#define OMISSION(kind, pass, what, by, check, how) [OMITS_##kind] = check,
#define ADDS_ONLY(pass, why)
#include "result/omissions.def"
#undef OMISSION
#undef ADDS_ONLY
};

bool omission_needs_before(OmissionKind k) { return checks[k] != trusted; }

Omission omission_checked(OmissionKind kind, const OmissionView *v) {
    Omission o = {.kind = kind};
    checks[kind](v, &o);
    return o;
}

const Omission *omissions_refused(const Omission *list) {
    for (size_t i = 0; i < vec_len(list); i++)
        if (list[i].refused) return &list[i];
    return NULL;
}
