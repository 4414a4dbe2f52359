/* SPDX-License-Identifier: Apache-2.0 */
#include "process/claims.h"
#include "check/accept.h"
#include "process/messages.h"
#include "process/portfolio.h"
#include "process/progress.h"

/* Visits the states in the way of the engine, since there are too many otherwise. */
static Verdict *visit_reduced(Work *work, const Engine *engine, Verdict *claim) {
    Worker worker = worker_new(work, engine, 0, 1);
    uint64_t states = claim->states;
    verdict_free(claim);
    Verdict *v = worker_run(&worker);
    if (v->kind == VERDICT_SAFE) verdict_note(v, MSG_PROCESS_CLAIM_REDUCED, (unsigned long long)states);
    return v;
}

/* Returns the verdict of a process that checks the claim. */
static Verdict *check_apart(const Work *work, const Engine *engine, const Claim *claim) {
    Work w = *work;
    w.board = board_new();
    Worker worker = worker_new(&w, engine, 0, 1);
    Child *list[] = {&worker.child};
    Verdict *v = NULL;
    for (worker_check(&worker, claim_verdict(claim)); !v; v = worker_finish(&worker)) children_wait(list, 1, w.time.deadline + 1);
    bool visited = v->kind != VERDICT_SAFE || claim->proof != PROOF_EXHAUSTED || v->checked;
    if (!visited) v = visit_reduced(&w, engine, v);
    board_free(w.board);
    return v;
}

static Verdict *check_here(const Work *work, const Claim *claim) {
    Verdict *v = claim_verdict(claim);
    v->engine = engine_order.name;
    return accept_omissions(work_certify(work, accept_verdict(work->route->program, work->question, v, NULL, 0)),
                            route_omissions(work->route, engine_needs_errors(&engine_order, work->question->property)));
}

/* Returns the engine whose verdicts have such a proof of the property, or NULL. The claim also names an engine, but this name is not
   trusted. */
static const Engine *engine_of(const Work *work, ProofKind proof) {
    MemoryModel memory = work_memory(work);
    const Engine *e = proof == PROOF_INVARIANT   ? &engine_redcomp
                      : proof == PROOF_ORDER     ? &engine_order
                      : proof != PROOF_EXHAUSTED ? NULL
                      : memory == MEMORY_C11     ? &engine_rc11
                                                 : &engine_explicit;
    return e && e->memory == memory && e->supports(work->question->property) ? e : NULL;
}

Verdict *claims_check(const Work *work) {
    Buf key = work_key(work);
    const Claim *claim = certificate_claim(work->config->claims, buf_string(&key));
    const Engine *engine = claim ? engine_of(work, claim->proof) : NULL;
    Verdict *v = NULL;
    progress_phase("checking the certificate");
    if (!engine) v = verdict_unknown((Position){0}, claim ? MSG_PROCESS_CLAIM_KIND : MSG_PROCESS_NO_CLAIM, buf_string(&key));
    else v = engine == &engine_order ? check_here(work, claim) : check_apart(work, engine, claim);
    if (v->kind == VERDICT_UNKNOWN && slot_left(work->time) < 0.2) v->cause = REASON_LIMIT;
    buf_free(&key);
    return v;
}
