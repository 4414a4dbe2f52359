/* SPDX-License-Identifier: Apache-2.0 */
/* A program under TSO in which some store may be late is decided in one of two ways. With store buffers (weak.c): this needs a bound of how many stores wait. Or by two proofs
   under sequential consistency: that nobody can notice a late store (passes/program/attack.c), and the property; for buffers of any depth.

   Where the program itself bounds the buffers, they come first, and have most of the time. Otherwise there is a glance at them, since many errors are found soon; then it is asked whether anybody
   notices anything, and if somebody may, the buffers have the rest.
   Of properties that buffers are not for, an execution under sequential consistency that violates them is one under TSO. */
#include "strategy/robust.h"
#include "strategy/aside.h"
#include "base/clock.h"
#include "base/vec.h"
#include "passes/program/attack.h"
#include "passes/program/buffers.h"
#include "passes/program/meeting.h"
#include "strategy/weak.h"

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

static bool is_decided(const Verdict *v) { return v->kind != VERDICT_UNKNOWN; }

/* If neither decides it, the reason is the one that a user can do more about. */
static Verdict *better(Verdict *first, Verdict *second) {
    bool take = second && (is_decided(second) || second->cause >= first->cause);
    verdict_free(take ? first : second);
    return take ? second : first;
}

static Verdict *decide_errors(Job *job, Decide *decide) {
    const double glance = 1;
    bool bounded = is_bounded(job);
    double most = share_of(job, bounded ? 0.6 : 0.1), soon = clock_seconds() + glance;
    Verdict *v = until(job, bounded || most < soon ? most : soon, decide);
    if (!is_decided(v)) v = better(v, by_two_proofs(job, bounded ? 0.5 : 0.3, decide));
    if (!is_decided(v) && !bounded) v = better(v, decide(job));
    return v;
}

/* Two threads that are about to race are where they are, with what they have read; who waits for ever does so when all stores have arrived. */
static bool holds_if_robust(Property p) { return p == PROPERTY_NO_DATA_RACE || p == PROPERTY_NO_DEADLOCK; }

/* Buffers are not for this property. What violates it under sequential consistency violates it. */
static Verdict *decide_other(Job *job, Decide *decide) {
    Verdict *v = as_under_sc(job, share_of(job, 0.6), decide);
    if (v->kind != VERDICT_SAFE) return v;
    Shared before = *job->shared;
    Verdict *robust = holds_if_robust(job->question.property) ? prove_robust(job, job->deadline, decide) : NULL;
    *job->shared = before;
    if (robust) note_robust(v, robust);
    verdict_free(robust);
    if (robust) return v;
    verdict_free(v);
    return decide(job);
}

static Verdict *decide_weak(Job *job, Decide *decide) {
    bool two_ways = job->program->memory == MEMORY_TSO && job->question.property == PROPERTY_UNREACH_CALL;
    if (!job->delays->any || job->question.bounded) return decide(job);
    if (two_ways) return decide_errors(job, decide);
    return weak_has_buffers(job->question.property) ? decide(job) : decide_other(job, decide);
}

static bool allocates(const Delays *d) {
    for (size_t t = 0; t < vec_len(d->of); t++)
        for (size_t a = 0; a < vec_len(d->of[t]); a++)
            if (d->of[t][a].weak.assumed && !d->of[t][a].alone) return true;
    return false;
}

Verdict *robust_run(Job *job, Decide *decide) {
    const Delays *d = job->delays = meeting_delays(job->program);
    Verdict *v = decide_weak(job, decide);
    const Position *at = &d->assuming;
    if (!v || v->kind != VERDICT_SAFE || !d->assumed || !allocates(d)) return v;
    static const char text[] = "assuming that malloc and free wait until the store buffer is empty";
    if (at->file) verdict_warn(v, "%s:%u:%u: %s; this store may be late otherwise", at->file, at->line, at->column, text);
    else verdict_warn(v, "%s", text);
    return v;
}
