/* SPDX-License-Identifier: Apache-2.0 */
/* Proofs that travel as text. */
#pragma once
#include "result/proof_text.h"
#include "system/text.h"

/* A proof about a system that is a copy of another, with a pool of its own. */
typedef struct Elsewhere {
    Exprs *exprs;
    Proof *proof;
    Buf error; /* why there is no proof */
} Elsewhere;

static Elsewhere read_elsewhere(const System *system, const char *text) {
    Elsewhere e = {.exprs = exprs_new()};
    Buf copy = {0};
    system_print(&copy, system);
    System *s = system_parse(e.exprs, "system", buf_string(&copy), &e.error);
    if (!s) fail_msg("%s", buf_string(&e.error));
    e.proof = proof_parse(text, NULL, s, &e.error);
    if (!e.proof) system_free(s);
    buf_free(&copy);
    return e;
}

static void leave_elsewhere(Elsewhere *e) {
    proof_free(e->proof);
    exprs_free(e->exprs);
    buf_free(&e->error);
}

/* What arrives has the same text. (Operands may stand in another order, as what was made first in a pool decides it: but not twice.) */
static Elsewhere send_elsewhere(const Proof *p) {
    Buf text[3] = {{0}};
    proof_print(&text[0], p);
    Elsewhere first = read_elsewhere(p->system, buf_string(&text[0]));
    if (!first.proof) fail_msg("%s", buf_string(&first.error));
    proof_print(&text[1], first.proof);
    assert_int_equal(text[0].length, text[1].length);
    Elsewhere second = read_elsewhere(first.proof->system, buf_string(&text[1]));
    if (!second.proof) fail_msg("%s", buf_string(&second.error));
    proof_print(&text[2], second.proof);
    assert_string_equal(buf_string(&text[1]), buf_string(&text[2]));
    leave_elsewhere(&first);
    for (int i = 0; i < 3; i++) buf_free(&text[i]);
    return second;
}
