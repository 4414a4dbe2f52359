/* SPDX-License-Identifier: Apache-2.0 */
#include "check/accept.h"
#include "check/assumed.h"
#include "check/omissions.h"
#include "check/proof.h"
#include "check/replay.h"
#include "ir/asserts.h"
#include "check/messages.h"
#include <stdlib.h>
#include <string.h>

/* ---- proofs that are checked in this process ---- */

static Verdict *refuse(Verdict *v, const char *what, const Buf *why) {
    verdict_free(v);
    return verdict_unknown((Position){0}, "%s: %s", what, buf_string(why));
}

static Verdict *accept_order(const Program *p, const Question *q, Verdict *v) {
    Buf why = {0}, certificate = {0};
    LockOrder *order = lock_order_receive(p, v->order);
    if (!order) buf_text(&why, MSG_CHECK_ORDER_TEXT);
    v->checked = order && lock_order_check(p, order, &v->obligations, q->certificate ? &certificate : NULL, &why);
    v->certificate = certificate.text;
    if (!v->checked) v = refuse(v, MSG_CHECK_REFUSED_ORDER, &why);
    lock_order_free(order);
    buf_free(&why);
    return v;
}

static Verdict *accept_race_free(const RaceProof *proof, const Question *q, Verdict *v) {
    Buf words = {0}, why = {0}, certificate = {0};
    if (!proof) buf_text(&why, MSG_CHECK_RACE_NONE);
    v->checked = proof && race_free_check(proof, &v->obligations, q->certificate ? &certificate : NULL, &words, &why);
    v->certificate = certificate.text;
    v->invariants = words.text;
    if (!v->checked) v = refuse(v, MSG_CHECK_REFUSED_RACE, &why);
    buf_free(&why);
    return v;
}

/* Accepts a SAFE verdict by the kind of its proof. Invariants were checked in a process of their own (process/worker.h). */
static Verdict *accept_safe(const Program *p, const Question *q, const RaceProof *apart, Verdict *v) {
    bool good = false;
    if (v->trace && !replay_to_fault(p, q, v->trace)) { /* the trace does not show undefined behaviour before all assertions */
        trace_free(v->trace);
        v->trace = NULL;
    }
    switch (v->proof) {
    case PROOF_ORDER: return v->checked ? v : accept_order(p, q, v);
    case PROOF_RACE_FREE: return accept_race_free(apart, q, v);
    case PROOF_NOTHING: good = !program_has(p, LOCATION_ERROR); break;
    case PROOF_INVARIANT: good = v->checked; break;
    case PROOF_EXHAUSTED: good = true; break;
    case PROOF_NONE: break;
    }
    if (good) return v;
    verdict_free(v);
    return verdict_unknown((Position){0}, MSG_CHECK_NO_PROOF);
}

/* ---- traces ---- */

/* Returns UNKNOWN with the trace: there is an error if the assumption in `text` holds. */
static Verdict *assumed(Verdict *v, Position at, const char *text) {
    Verdict *u = verdict_unknown(at, "%s", text);
    u->cause = REASON_ASSUMED;
    u->trace = v->trace;
    v->trace = NULL;
    verdict_free(v);
    return u;
}

static Verdict *accept_trace(const Program *p, const Question *q, Verdict *v) {
    Buf why = {0};
    Position at = {0};
    Verdict *result = v;
    if (!v->trace || !replay_violates(p, q, v->trace, &why)) result = refuse(v, MSG_CHECK_REFUSED_TRACE, &why);
    else if (v->trace->end == TRACE_ENDLESS && q->fair == FAIR_WEAK) {
        verdict_free(v);
        result = verdict_unknown((Position){0}, MSG_CHECK_UNFAIR);
    } else if (assumed_text(&why, &at, p, q, v->trace)) result = assumed(v, at, buf_string(&why));
    else v->kind = VERDICT_UNSAFE;
    buf_free(&why);
    return result;
}

/* ---- verdicts ---- */

/* Asks cvc5 to discharge the obligations of a certificate. */
static Verdict *accept_again(Verdict *v, double seconds) {
    Buf why = {0};
    if (v->kind == VERDICT_SAFE && v->certificate && !recheck(v->certificate, seconds, &why)) v = refuse(v, MSG_CHECK_REFUSED_AGAIN, &why);
    buf_free(&why);
    return v;
}

Verdict *accept_verdict(const Program *p, const Question *q, Verdict *v, const RaceProof *apart, double recheck_seconds) {
    ensure(verdict_valid(v) && question_valid(q));
    const char *engine = v->engine;
    Stats stats = v->stats;
    if (v->kind == VERDICT_SAFE) v = accept_safe(p, q, apart, v);
    else if (v->kind == VERDICT_UNSAFE || v->cause == REASON_ASSUMED) v = accept_trace(p, q, v);
    if (recheck_seconds > 0) v = accept_again(v, recheck_seconds);
    v->engine = engine;
    v->stats = stats;
    return v;
}

/* ---- omissions ---- */

static void certify(Verdict *v, const Omission *list) {
    Buf text = {0};
    if (!v->certificate) return;
    buf_text(&text, v->certificate);
    for (size_t i = 0; i < vec_len(list); i++) {
        buf_text(&text, "; ");
        omissions_print(&text, &list[i]);
        buf_char(&text, '\n');
    }
    free(v->certificate);
    v->certificate = text.text;
}

Verdict *accept_omissions(Verdict *v, const Omission *list) {
    if (!v || v->kind != VERDICT_SAFE) return v;
    const Omission *bad = omissions_refused(list);
    if (bad) {
        Verdict *u = verdict_unknown((Position){0}, MSG_CHECK_OMISSION, omission_name(bad->kind), omission_by(bad->kind), bad->why,
                                     *bad->place ? " at " : "", bad->place);
        u->engine = v->engine;
        u->stats = v->stats;
        verdict_free(v);
        return u;
    }
    certify(v, list);
    vec_append(v->omissions, list);
    return v;
}
