/* SPDX-License-Identifier: Apache-2.0 */
#include "result/omission.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct Kind {
    const char *name, *pass, *what, *by, *check, *how;
} Kind;

static const Kind kinds[] = {
#define OMISSION(kind, pass, what, by, check, how) {#kind, pass, what, by, #check, how},
#define ADDS_ONLY(pass, why)
#include "result/omissions.def"
#undef OMISSION
#undef ADDS_ONLY
};

static const char *const adding[] = {
#define OMISSION(kind, pass, what, by, check, how)
#define ADDS_ONLY(pass, why) pass,
#include "result/omissions.def"
#undef OMISSION
#undef ADDS_ONLY
};

const char *omission_name(OmissionKind k) { return kinds[k].name; }
const char *omission_what(OmissionKind k) { return kinds[k].what; }
const char *omission_by(OmissionKind k) { return kinds[k].by; }
const char *omission_check(OmissionKind k) { return kinds[k].check; }
const char *omission_how(OmissionKind k) { return kinds[k].how; }
bool omission_is_trusted(OmissionKind k) { return !strcmp(kinds[k].check, "trusted"); }

OmissionKind omission_of_pass(const char *pass) {
    for (unsigned k = 0; k < OMISSION_KINDS; k++)
        if (*kinds[k].pass && !strcmp(kinds[k].pass, pass)) return k;
    return OMISSION_KINDS;
}

bool omission_adds_only(const char *pass) {
    for (size_t i = 0; i < sizeof adding / sizeof *adding; i++)
        if (!strcmp(adding[i], pass)) return true;
    return false;
}

static void put_place(Omission *o, Position at) {
    if (at.file) snprintf(o->place, sizeof o->place, "%s:%u", at.file, at.line);
}

void omissions_of_kinds(Omission **list, OmissionKind first, OmissionKind last) {
    for (unsigned k = first; k <= last; k++) vec_push(*list, ((Omission){.kind = k}));
}

Omission omission_at(OmissionKind kind, Position at, unsigned count) {
    Omission o = {.kind = kind, .count = count};
    put_place(&o, at);
    return o;
}

void omission_refuse(Omission *o, Position at, const char *format, ...) {
    va_list list;
    if (o->refused) return;
    o->refused = true;
    put_place(o, at);
    va_start(list, format);
    vsnprintf(o->why, sizeof o->why, format, list);
    va_end(list);
}

void omissions_print(Buf *out, const Omission *o) {
    buf_printf(out, "omission %s", kinds[o->kind].name);
    if (o->count) buf_printf(out, " (%u)", o->count);
    if (*o->place) buf_printf(out, " at %s", o->place);
    if (o->refused) buf_printf(out, ": not discharged: %s", o->why);
    else if (omission_is_trusted(o->kind)) buf_text(out, ": trusted");
    else buf_printf(out, ": discharged by %s", kinds[o->kind].check);
}
