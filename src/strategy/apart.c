/* SPDX-License-Identifier: Apache-2.0 */
#include "strategy/apart.h"
#include "check/race_free.h"
#include "passes/prepare.h"

/* Races are asked as errors. What locks, creation and joins keep apart is none, and need not be asked. */
static Verdict *ask(Job *job) {
    static Prepared asked;
    job->asked = NULL;
    if (job->question.property != PROPERTY_NO_DATA_RACE || job->options->replay) return NULL;
    job_phase(job, "looking for accesses that may race");
    Verdict *refused = prepare_question(&asked, job->program, &job->question);
    if (!refused) job->asked = &asked;
    return refused;
}

/* SAFE, if all accesses are kept apart; NULL: it is left to the engines. */
static Verdict *all_apart(Job *job) {
    const Asked *a = job->asked ? &job->asked->asked : NULL;
    Buf words = {0}, why = {0};
    if (!a || job->question.known || a->refused || !a->idle || !a->apart || !a->whole) return NULL;
    Verdict *v = verdict_new(VERDICT_SAFE);
    job_phase(job, "checking that all accesses are kept apart");
    v->proof = PROOF_APART;
    v->checked = race_free_check(a->apart, &v->obligations, &words, &why);
    v->invariants = words.text;
    job->engine = NULL;
    if (!v->checked) verdict_note(v, "%s", buf_string(&why));
    buf_free(&why);
    return v;
}

Verdict *apart(Job *job) {
    Verdict *v = ask(job);
    return v ? v : all_apart(job);
}
