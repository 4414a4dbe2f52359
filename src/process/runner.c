/* SPDX-License-Identifier: Apache-2.0 */
#include "process/runner.h"
#include "base/clock.h"
#include "base/vec.h"
#include "base/die.h"
#include "check/proof.h"
#include "ir/asserts.h"
#include "strategy/engines.h"
#include "explain/invariants.h"
#include "output/proof_view.h"
#include "strategy/proof_system.h"
#include "strategy/states_again.h"
#include "strategy/weak.h"
#include "strategy/weigh.h"
#include <math.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

Stats *runner_stats(const Runner *r) { return &r->job->shared->stats_of[r->place]; }

/* ---- in its process ---- */

/* The engine that looks for errors does so in a program in which violations of the property are errors. */
static Verdict *run_asked(const Engine *engine, EngineTask *task) {
    const Job *job = task->context;
    const Prepared *made = task->program == job->program ? job->asked : NULL;
    Prepared asked;
    Verdict *v = made ? NULL : prepare_question(&asked, task->program, task->question);
    if (v) return v;
    if (made) asked = *made;
    EngineTask plain = *task;
    task->program = asked.program;
    v = engine->run(task);
    if (v && v->trace) asked_trace(&asked.asked, v->trace);
    return task->claimed
               ? v
               : weigh(&plain, asked.asked.idle, v); /* the program is not freed: the proof is about it, and the process ends soon */
}

static Verdict *run_plain(const Engine *engine, EngineTask *task) { return engine->run(task); }

static EngineTask task_of(const Runner *r) {
    Job *job = r->job;
    const Options *o = job->options;
    return (EngineTask){
        .program = job->program,
        .question = &job->question,
        .budget = {.seconds = r->deadline - clock_seconds() - 0.2, .more = &job->shared->more_of[r->place], .memory = job_memory(job)},
        .options = r->options,
        .seed = (uint64_t)o->seed + r->luck,
        .glance = r->glance,
        .hunts = r->hunts,
        .progress = job->terminal >= 0 ? job_progress : NULL,
        .context = job,
        .stats = runner_stats(r),
    };
}

static Verdict *run_engine(const Runner *r, EngineTask *task) {
    bool asks = engines_asks(r->engine, r->job->question.property) != PROPERTY_UNREACH_CALL;
    return weak_run(r->engine, task, r->job->delays, asks ? run_asked : run_plain);
}

static int engine_work(void *context, FILE *out) {
    EngineTask task = task_of(context);
    Verdict *v = run_engine(context, &task);
    return v && verdict_write(v, out) ? 0 : EXIT_INTERNAL;
}

/* ---- the check that all states were visited, where they are many in such a process as well ---- */

static Verdict *visit_again(const Runner *r, const Verdict *claim) {
    Stats stats = {0};
    EngineTask first = task_of(r), task = states_check_task(&first, claim, &stats);
    Verdict *v = run_engine(r, &task);
    runner_stats(r)->again = stats.again;
    return v;
}

static int again_work(void *context, FILE *out) {
    const Runner *r = context;
    Verdict *v = visit_again(r, r->claim);
    return v && verdict_write(v, out) ? 0 : EXIT_INTERNAL;
}

/* ---- the check of its proof, in a process that has nothing to do with it ---- */

/* The proof is of what is asked. Where the number of threads is not known, there are finitely many if one that ends creates them. */
static bool is_proof_of(const Job *job, const Proof *proof) {
    bool many = false;
    for (size_t t = 0; t < vec_len(proof->system->threads); t++) many |= proof->system->threads[t].many;
    if (proof->rule == RULE_EACH && many && !program_main_creates(job->program)) return false;
    if (proof_is_fair(proof) && job->question.fair != FAIR_WEAK) return false;
    return proof_ends(proof) == (job->question.property == PROPERTY_TERMINATION);
}

/* The proof that was claimed, about the program that we have. */
static Proof *read_claim(const Runner *r, Buf *why) {
    const Job *job = r->job;
    ProofSubject subject = {.program = job->program, .question = &job->question, .asked = job->asked, .delays = job->delays};
    return proof_about(&subject, r->claim->sent ? r->claim->sent : "", why);
}

/* For people. */
static void show_proof(const Job *job, const Proof *proof, Verdict *v) {
    const Options *o = job->options;
    Buf text = {0}, view = {0};
    invariants_text(&text, proof, o->verbose);
    v->invariants = text.text;
    if (o->html || o->witness || (o->json && proof->rule == RULE_RELY)) proof_view(&view, proof);
    v->view = view.text;
}

static int check_work(void *context, FILE *out) {
    const Runner *r = context;
    const Job *job = r->job;
    Buf why = {0};
    Proof *proof = read_claim(r, &why);
    double seconds = job->deadline - clock_seconds() - 0.1;
    Verdict *v = verdict_new(VERDICT_SAFE);
    ProofReport report;
    Buf certificate = {0}, *wanted = job_wants_obligations(job) ? &certificate : NULL;
    if (!proof || !is_proof_of(job, proof)) {
        v = verdict_unknown((Position){0}, "%s", proof ? "it is about something else" : buf_string(&why));
    } else if (proof_check(proof, smt_new(proof->system->exprs), seconds, &report, wanted)) {
        v->certificate = certificate.text;
        v->obligations = runner_stats(r)->obligations = report.obligations + report.trivial;
        show_proof(job, proof, v);
    } else {
        v = verdict_unknown((Position){0}, "%s", report.failed);
    }
    /* Nothing is freed: the process ends soon, and that would take longer than most checks. */
    return verdict_write(v, out) ? 0 : EXIT_INTERNAL;
}

/* ---- in ours ---- */

Runner runner_new(Job *job, const Engine *engine, unsigned place, double share) {
    double now = clock_seconds();
    ensure(place < MOST_RUNNERS);
    return (Runner){.job = job,
                    .engine = engine,
                    .options = options_of_engines(job->options),
                    .place = place,
                    .deadline = now + share * (job->deadline - now)};
}

static void start(Runner *r, double deadline, int (*work)(void *, FILE *)) {
    ChildLimits limits = {.deadline = deadline, .memory = job_memory(r->job), .capture = true};
    child_start(&r->child, &limits, work, r);
    r->halted = false;
}

void runner_start(Runner *r) {
    r->job->shared->more_of[r->place] = 0;
    start(r, r->deadline, engine_work);
}

/* The solver may crash when its time is up, by chance: an engine that crashes is given a second chance in the time that is left. */
static bool start_again(Runner *r) {
    if (r->again || r->deadline - clock_seconds() < 1) return false;
    r->again = true;
    *runner_stats(r) = (Stats){0};
    start(r, r->deadline, engine_work);
    return true;
}

/* Z3 ends the process where it finds itself wrong. */
static const char *why_failed(Buf *errors) {
    const char *text = buf_string(errors);
    if (strstr(text, "ASSERTION VIOLATION") || strstr(text, "UNEXPECTED CODE WAS REACHED")) return "an assertion in Z3 does not hold";
    return *text ? last_words(errors) : "it does not say why";
}

static Verdict *limited(Verdict *v) {
    v->cause = CAUSE_LIMIT;
    return v;
}

static Verdict *engine_failure(const Job *job, const char *name, ChildResult r, Buf *errors) {
    const char *reason = crash_reason(r, errors);
    Buf limit = {0};
    Verdict *v;
    switch (r.ending) {
    case ENDING_TIMEOUT:
        job_put_time_limit(job, &limit);
        v = verdict_unknown((Position){0}, "%s (engine %s)", buf_string(&limit), name);
        buf_free(&limit);
        return limited(v);
    case ENDING_MEMORY:
        return limited(verdict_unknown((Position){0}, "the memory limit of %g MB was reached (engine %s)", job->options->memory, name));
    case ENDING_LACK: return verdict_unknown((Position){0}, "%s (engine %s)", last_words(errors), name);
    case ENDING_CRASH: return verdict_unknown((Position){0}, "the engine %s crashed: %s", name, reason ? reason : strsignal(r.code));
    default: return verdict_unknown((Position){0}, "the engine %s failed: %s", name, why_failed(errors));
    }
}

/* The verdict that a process sent, or NULL. */
static Verdict *receive(Runner *r, ChildResult *result, Buf *errors) {
    Buf text = {0};
    Verdict *v = NULL;
    *result = child_finish(&r->child, &text, errors);
    if (r->too_large) result->ending = ENDING_MEMORY;
    if (result->ending == ENDING_EXIT && result->code == 0 && text.length) {
        FILE *f = fmemopen(text.text, text.length, "rb");
        if (f) v = verdict_read(f, r->job->program->exprs);
        if (f) fclose(f);
    }
    job_said(r->job, errors);
    buf_free(&text);
    return v;
}

/* A proof that does not check is none. Who visited all states loses only the obligations. */
static Verdict *without_proof(Verdict *v, const char *failed) {
    if (v->states) {
        v->proof = PROOF_EXHAUSTED;
        verdict_note(v, "there are no obligations to be checked: those of the states do not hold: %s", failed);
        return v;
    }
    verdict_free(v);
    return verdict_unknown((Position){0}, "the proof that was found does not check: %s", failed);
}

/* Why a check has no result. */
static const char *why_not_checked(ChildResult result, Buf *errors) {
    switch (result.ending) {
    case ENDING_TIMEOUT: return "no time was left to check it";
    case ENDING_MEMORY: return "there was not enough memory to check it";
    case ENDING_CRASH: return crash_reason(result, errors) ? crash_reason(result, errors) : "the check crashed";
    default: return why_failed(errors);
    }
}

/* What the engine claimed, if its proof is one. */
static Verdict *finish_check(Runner *r) {
    Buf errors = {0};
    ChildResult result;
    Verdict *claim = r->claim, *v = receive(r, &result, &errors);
    if (claim->proof == PROOF_EXHAUSTED) {
        r->claim = NULL;
        buf_free(&errors);
        return states_confirm(claim, v);
    }
    bool good = v && v->kind == VERDICT_SAFE;
    r->claim = NULL;
    if (good) {
        claim->checked = true;
        claim->obligations = v->obligations;
        claim->certificate = v->certificate;
        claim->invariants = v->invariants;
        claim->view = v->view;
        v->certificate = v->invariants = v->view = NULL;
    } else {
        claim = without_proof(claim, v ? v->reason : why_not_checked(result, &errors));
    }
    verdict_free(v);
    buf_free(&errors);
    return claim;
}

Verdict *runner_finish(Runner *r) {
    if (r->claim) return finish_check(r);
    Buf errors = {0};
    ChildResult result;
    Verdict *v = receive(r, &result, &errors);
    bool again = v && !r->glance && states_need_check(r->engine, r->job->program, v);
    if (again && v->states <= STATES_AT_ONCE) {
        v = states_confirm(v, visit_again(r, v));
    } else if (again || (v && v->kind == VERDICT_SAFE && v->proof == PROOF_INVARIANT)) {
        r->claim = v;
        r->deadline = r->job->deadline;
        start(r, r->deadline, again ? again_work : check_work);
        v = NULL;
    } else if (!v) {
        bool crashed = result.ending == ENDING_CRASH || (result.ending == ENDING_EXIT && result.code > EXIT_INTERNAL);
        if (!crashed || !start_again(r)) v = engine_failure(r->job, r->engine->name, result, &errors);
    }
    buf_free(&errors);
    return v;
}

void runner_halt(Runner *r, bool halt) {
    if (r->halted == halt || r->child.pid <= 0) return;
    kill(r->child.pid, halt ? SIGSTOP : SIGCONT);
    r->halted = halt;
}

static uint64_t resident(pid_t pid) {
    char path[40];
    unsigned long long pages = 0;
    snprintf(path, sizeof path, "/proc/%d/statm", (int)pid);
    FILE *f = fopen(path, "r");
    if (f && fscanf(f, "%*s %llu", &pages) != 1) pages = 0;
    if (f) fclose(f);
    return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

/* What was there when it started is ours as well. */
uint64_t runner_memory(const Runner *r) {
    uint64_t all = resident(r->child.pid), ours = resident(getpid());
    return all > ours ? all - ours : 0;
}

void runner_stop(Runner *r) {
    Buf nothing = {0};
    child_finish(&r->child, &nothing, &nothing);
    buf_free(&nothing);
    verdict_free(r->claim);
}

Verdict *runner_run(Runner *r) {
    Child *list[] = {&r->child};
    Verdict *v = NULL;
    for (runner_start(r); !v; v = runner_finish(r)) children_wait(list, 1, r->job->deadline + 1);
    return v;
}

void runner_extend(Runner *r, double deadline) {
    r->job->shared->more_of[r->place] += deadline - r->deadline;
    r->deadline = r->child.limits.deadline = deadline;
}
