/* SPDX-License-Identifier: Apache-2.0 */
/* Explains a SAFE in one sentence, which all forms of the answer share. */
#include "output/report.h"
#include <inttypes.h>
#include <string.h>

static bool is_termination(const Report *r) { return !strcmp(r->property, "termination"); }

static const char *claim(const Report *r) {
    if (!is_termination(r)) return "No execution violates the property";
    return r->fair ? "Every fair execution ends, or reaches a state where no thread can move (no-deadlock checks that)"
                   : "Every execution ends, or reaches a state where no thread can move (no-deadlock checks that)";
}

static const char *by_states(const Report *r) {
    if (!is_termination(r)) return "";
    return r->fair ? ", and none lies on a loop that a fair scheduler can repeat for ever" : ", and none leads back to itself";
}

void report_why(Buf *out, const Report *r) {
    const Verdict *v = r->verdict;
    if (v->kind != VERDICT_SAFE) return;
    buf_printf(out, "%s: ", v->proof == PROOF_NOTHING ? "No execution violates the property" : claim(r));
    switch (v->proof) {
    case PROOF_NONE:
    case PROOF_NOTHING: buf_text(out, "the program has nothing that could violate it"); break;
    case PROOF_EXHAUSTED: buf_printf(out, "all %" PRIu64 " relevant states were visited%s", v->states, by_states(r)); break;
    case PROOF_ORDER: buf_text(out, "threads wait for each other in a fixed order"); break;
    case PROOF_INVARIANT:
        buf_text(out, is_termination(r) ? "in every loop some value becomes smaller" : "an invariant excludes violations");
        break;
    case PROOF_RACE_FREE: buf_text(out, "accesses that may conflict are ordered, guarded by a lock, or atomic"); break;
    }
    if ((v->proof == PROOF_INVARIANT || v->proof == PROOF_RACE_FREE) && v->obligations)
        buf_printf(out, "; %" PRIu64 " proof obligations hold", v->obligations);
    buf_char(out, '.');
}
