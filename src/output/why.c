/* SPDX-License-Identifier: Apache-2.0 */
/* Explains a SAFE in one sentence, which all forms of the answer share. */
#include "output/messages.h"
#include "output/report.h"
#include <string.h>

static bool is_termination(const Report *r) { return !strcmp(r->property, "termination"); }

static const char *claim(const Report *r) {
    if (!is_termination(r)) return MSG_OUTPUT_SAFE;
    return r->fair ? MSG_OUTPUT_ENDS_IF_FAIR : MSG_OUTPUT_ENDS;
}

static const char *by_states(const Report *r) {
    if (!is_termination(r)) return "";
    return r->fair ? MSG_OUTPUT_NO_FAIR_LOOP : MSG_OUTPUT_NO_LOOP;
}

void report_why(Buf *out, const Report *r) {
    const Verdict *v = r->verdict;
    if (v->kind != VERDICT_SAFE) return;
    buf_printf(out, "%s: ", v->proof == PROOF_NOTHING ? MSG_OUTPUT_SAFE : claim(r));
    switch (v->proof) {
    case PROOF_NONE:
    case PROOF_NOTHING: buf_text(out, MSG_OUTPUT_WHY_NOTHING); break;
    case PROOF_EXHAUSTED: buf_printf(out, MSG_OUTPUT_WHY_STATES, (unsigned long long)v->states, by_states(r)); break;
    case PROOF_ORDER: buf_text(out, MSG_OUTPUT_WHY_ORDER); break;
    case PROOF_INVARIANT: buf_text(out, is_termination(r) ? MSG_OUTPUT_WHY_RANKING : MSG_OUTPUT_WHY_INVARIANT); break;
    case PROOF_RACE_FREE: buf_text(out, MSG_OUTPUT_WHY_RACE_FREE); break;
    }
    if ((v->proof == PROOF_INVARIANT || v->proof == PROOF_RACE_FREE) && v->obligations)
        buf_printf(out, MSG_OUTPUT_WHY_OBLIGATIONS, (unsigned long long)v->obligations);
    buf_char(out, '.');
}
