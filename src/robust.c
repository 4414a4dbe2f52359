/* SPDX-License-Identifier: Apache-2.0 */
/* A program under TSO in which some store may be late is decided in one of two ways. With store buffers (weak.c): this needs a bound of how many stores wait. Or by two proofs
   under sequential consistency: that nobody can notice a late store (transform/program/attack.c), and the property; for buffers of any depth.

   Where the program itself bounds the buffers, they come first, and have most of the time; what is noticed there is an error at once. Otherwise it is asked first whether anybody notices anything.
   Of properties that buffers are not for, an execution under sequential consistency that violates them is one under TSO. */
#include "robust.h"
#include "aside.h"
#include "base/clock.h"
#include "base/vec.h"
#include "transform/program/attack.h"
#include "transform/program/buffers.h"
#include "transform/program/meeting.h"
#include "weak.h"

typedef Verdict *Decide(Job *);

static double share_of(const Job *job, double share) {
    double now = clock_seconds();
    return now + share * (job->deadline - now);
}

static Verdict *until(Job *job, double deadline, Decide *decide) {
    double before = job->deadline;
    job->deadline = deadline;
    Verdict *v = decide(job);
    job->deadline = before;
    return v;
}

/* The verdict under sequential consistency; its trace is one with buffers. */
static Verdict *as_under_sc(Job *job, double deadline, Decide *decide) {
    const Program *p = job->program;
    job->program = aside_sc(p);
    Verdict *v = until(job, deadline, decide);
    if (v->trace) unbuffered_trace(p, job->delays, v->trace);
    job->program = p;
    return v;
}

/* A proof that nobody notices a late store; NULL: there is none. */
static Verdict *prove_robust(Job *job, double deadline, Decide *decide) {
    Program *p = attack(job->program, job->delays);
    if (!p) return NULL;
    job_phase(job, "asking whether anybody can notice that a store is late");
    Verdict *v = aside(job, p, PROPERTY_UNREACH_CALL, deadline, decide);
    if (v->kind == VERDICT_SAFE) return v;
    verdict_free(v);
    program_free(p);
    return NULL;
}

static void note_robust(Verdict *v, const Verdict *robust) {
    if (v->kind != VERDICT_SAFE) return;
    if (robust->obligations)
        verdict_note(
            v,
            "under TSO, however many stores wait, as under sequential consistency: that nobody can notice a late store is proved, too; "
            "%llu proof obligations hold",
            (unsigned long long)robust->obligations);
    else
        verdict_note(
            v, "under TSO, however many stores wait, as under sequential consistency: that nobody can notice a late store is proved, too");
    aside_certificate(v,
                      "; Under TSO, where nobody can notice a late store, all executions are sequentially consistent (Bouajjani, "
                      "Derevenetc, Meyer: trusted).\n"
                      "; That nobody can:\n",
                      robust->certificate, "; there is no way to, or all states were visited.\n; The property:\n");
}

/* Two proofs, or an error under sequential consistency; NULL: neither. */
static Verdict *by_two_proofs(Job *job, double share, Decide *decide) {
    Verdict *robust = prove_robust(job, share_of(job, share), decide);
    if (!robust) return NULL;
    Verdict *v = as_under_sc(job, job->deadline, decide);
    note_robust(v, robust);
    verdict_free(robust);
    return v;
}

static bool is_bounded(const Job *job) {
    Buffered b = buffers(job->program, job->delays, DEEPEST_BUFFER);
    bool bounded = b.program && !b.full;
    for (size_t t = 0; t < vec_len(b.actions); t++) vec_free(b.actions[t]);
    vec_free(b.actions);
    if (b.program) program_free(b.program);
    return bounded;
}

static Verdict *decide_errors(Job *job, Decide *decide) {
    if (job->property != PROPERTY_UNREACH_CALL) return decide(job);
    bool bounded = is_bounded(job);
    Verdict *v = bounded ? until(job, share_of(job, 0.6), decide) : by_two_proofs(job, 0.3, decide);
    if (v && v->kind != VERDICT_UNKNOWN) return v;
    Verdict *other = bounded ? by_two_proofs(job, 0.5, decide) : decide(job);
    if (!v || (other && other->kind != VERDICT_UNKNOWN)) {
        verdict_free(v);
        return other;
    }
    verdict_free(other);
    return v;
}

/* Two threads that are about to race are where they are, with what they have read; who waits for ever does so when all stores have arrived. */
static bool holds_if_robust(Property p) { return p == PROPERTY_NO_DATA_RACE || p == PROPERTY_NO_DEADLOCK; }

/* Buffers are not for this property. What violates it under sequential consistency violates it. */
static Verdict *decide_other(Job *job, Decide *decide) {
    Verdict *v = as_under_sc(job, share_of(job, 0.6), decide);
    if (v->kind != VERDICT_SAFE) return v;
    Shared before = *job->shared;
    Verdict *robust = holds_if_robust(job->property) ? prove_robust(job, job->deadline, decide) : NULL;
    *job->shared = before;
    if (robust) note_robust(v, robust);
    verdict_free(robust);
    if (robust) return v;
    verdict_free(v);
    return decide(job);
}

Verdict *robust_run(Job *job, Decide *decide) {
    const Delays *delays = job->delays = meeting_delays(job->program);
    bool tso = job->program->memory == MEMORY_TSO, errors = weak_has_buffers(job->property);
    if (!delays->any || job->options->switches >= 0 || (errors && !tso)) return decide(job);
    return errors ? decide_errors(job, decide) : decide_other(job, decide);
}
