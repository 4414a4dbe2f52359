/* SPDX-License-Identifier: Apache-2.0 */
/* Describes omissions: an access, pair, step, variable or schedule is left out, and a claim says that it does not matter. The table
   omissions.def has the kinds. A check (check/omissions.h) discharges the claim, or the kind is trusted. No SAFE is given through an omission
   whose check failed. */
#pragma once
#include "ir/program.h"

typedef enum OmissionKind {
#define OMISSION(kind, pass, what, by, check, how) OMITS_##kind,
#define ADDS_ONLY(pass, why)
#include "result/omissions.def"
#undef OMISSION
#undef ADDS_ONLY
    OMISSION_KINDS
} OmissionKind;

typedef struct Omission {
    OmissionKind kind;
    unsigned count; /* the number of things that were left out; 0: they are not counted */
    char place[96]; /* file:line of one of them; "": none is known */
    bool refused;   /* its check does not show the claim … */
    char why[160];  /* … for this reason */
} Omission;

const char *omission_name(OmissionKind); /* as in the table: EXCLUDED_ERRORS */
const char *omission_what(OmissionKind);
const char *omission_by(OmissionKind);
const char *omission_check(OmissionKind); /* the name of the function that discharges it, or "trusted" */
const char *omission_how(OmissionKind);
bool omission_is_trusted(OmissionKind);
/* Returns the kind that the pass leaves out, or OMISSION_KINDS. */
OmissionKind omission_of_pass(const char *pass);
/* True if the table says that the pass leaves nothing out. */
bool omission_adds_only(const char *pass);

/* Appends the kinds from `first` to `last` to the vec, for code that is no pass. */
void omissions_of_kinds(Omission **list, OmissionKind first, OmissionKind last);
/* Returns an omission of the kind at the position. */
Omission omission_at(OmissionKind, Position, unsigned count);
/* Records that the check failed. Only the first reason is kept. */
void omission_refuse(Omission *, Position, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* Adds one line without its end: kind, number, place, and who discharges it. */
void omissions_print(Buf *, const Omission *);
