/* SPDX-License-Identifier: Apache-2.0 */
/* The whole verifier: load, run an engine, judge its verdict, publish it.

   Three kinds of processes. The supervisor (pipeline_run) lives through everything and prints what the worker hands back. The
   worker (verify) loads the program, checks and tells the verdict; clang runs below it. Each engine runs in a child of the worker
   (runner.c). Whatever dies, the run ends with a verdict and a reason. What the processes (and libraries in them) say on stderr is
   kept from it: the supervisor passes on what explains an end without a verdict, and with --verbose all of it. */
#include "pipeline.h"
#include "strategy/apart.h"
#include "base/clock.h"
#include "base/die.h"
#include "base/processors.h"
#include "check/known.h"
#include "witness/check_witness.h"
#include "process/child.h"
#include "app/choose.h"
#include "output/deliver.h"
#include "strategy/drf.h"
#include "app/dump.h"
#include "strategy/engines.h"
#include "strategy/excluded.h"
#include "explain/explain.h"
#include "ir/asserts.h"
#include "check/judge.h"
#include "load.h"
#include "result/property.h"
#include "output/report.h"
#include "witness/prove_claims.h"
#include "output/publish.h"
#include "several.h"
#include "process/race.h"
#include "strategy/robust.h"
#include "process/runner.h"
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* ---- the worker: the verifier on one screen ---- */

/* Does the program hold whatever happens: is there no error in it, nor anything that is left out and might be one? */
static bool is_trivial(const Job *job) {
    const Program *p = job->program;
    if (job->question.property != PROPERTY_UNREACH_CALL || job_wants_obligations(job)) return false;
    return !program_has(p, LOCATION_ERROR) && !program_has(p, LOCATION_STOP);
}

static Verdict *trivial(Job *job) {
    Verdict *v = verdict_new(VERDICT_SAFE);
    v->proof = PROOF_NOTHING;
    job->engine = NULL;
    return v;
}

static Verdict *decide(Job *job) {
    if (is_trivial(job)) return trivial(job);
    Verdict *v = apart(job);
    if (v) return v;
    job_phase(job, "running the engine");
    if (job->automatic) return race(job);
    Runner r = runner_new(job, job->engine, job->engine != &engine_explicit, 1);
    v = runner_run(&r);
    stats_add(&job->shared->stats, runner_stats(&r));
    return v;
}

static Verdict *run_engine(Job *job) {
    if (!job->engine)
        return verdict_unknown((Position){0}, "the engine %s is not for the property %s", job->options->engine,
                               property_name(job->question.property));
    if (is_trivial(job)) return trivial(job);
    switch (job->program->memory) {
    case MEMORY_C11: return drf_run(job, decide);
    case MEMORY_TSO:
    case MEMORY_PSO: return robust_run(job, decide);
    default: return decide(job);
    }
}

/* The same of fair schedulers, in about as much time again. */
static VerdictKind under_fair(const Job *job) {
    const double least = 1, most = 5;
    Job other = *job;
    Stats stats = job->shared->stats;
    double now = clock_seconds(), more = least + (now - job->start);
    other.question.fair = FAIR_WEAK;
    other.deadline = fmin(job->deadline, now + fmin(more, most));
    if (other.deadline - now < least / 2) return VERDICT_UNKNOWN;
    Verdict *v = judge(&other, run_engine(&other));
    VerdictKind kind = v->kind;
    verdict_free(v);
    job->shared->stats = stats;
    return kind;
}

static void note_fairness(const Job *job, Verdict *v) {
    bool fair = job->question.fair == FAIR_WEAK;
    if (job->question.property != PROPERTY_TERMINATION) return;
    explain_fairness(v, fair, v->kind == VERDICT_UNSAFE && !fair && !job->options->replay ? under_fair(job) : VERDICT_UNKNOWN);
}

static int bad_input(const Buf *error) {
    fputs(buf_string(error), stderr);
    if (error->length && error->text[error->length - 1] != '\n') fputc('\n', stderr);
    return EXIT_INPUT;
}

/* What is to be seen instead of a verdict. False: nothing. */
static bool dump(const Job *job, Output *out, int *code) {
    const Options *o = job->options;
    Buf error = {0};
    if (o->dump_after) *code = engines_dump_after(job, &out->text, &error) ? 0 : bad_input(&error);
    else if (o->dump_ir) program_print(&out->text, job->program);
    else if (o->dump_blocks) engines_show(job, VIEW_BLOCKS, &out->text);
    else if (o->dump_chc) engines_show(job, VIEW_CLAUSES, &out->text);
    else return false;
    buf_free(&error);
    return true;
}

/* A verdict that is believed. NULL: *error says what is wrong with the claim. */
static Verdict *answer(Job *job, Buf *error) {
    Verdict *v = job->options->replay ? load_claim(job, error) : job->witnesses ? check_witness(job, run_engine) : run_engine(job);
    if (job->options->replay) drf_replay(job, v);
    if (v) v = judge(job, v);
    if (v) v = judge_vacuity(job, v);
    if (v && job->witnesses) check_witness_settle(job, v);
    if (v && v->kind == VERDICT_SAFE && job->options->witness && job->question.property == PROPERTY_UNREACH_CALL)
        prove_claims(job, v, run_engine);
    if (v && !job->options->quiet && !job->options->replay) excluded(job, v, decide);
    bool searched =
        v && !(job->options->replay && v->kind == VERDICT_UNKNOWN && v->cause == CAUSE_OTHER); /* else there is nothing to try */
    if (searched && !job->witnesses) explain(v, job->program, job->question.property, job->automatic && !job->options->switches);
    if (v) note_fairness(job, v);
    return v;
}

/* Violations at other places than the first, each after those that are known by then. */
static void answer_more(Job *job, Verdict *first, Output *out) {
    Verdict *v = first;
    Buf none = {0};
    Known known = {0};
    unsigned n = 0;
    Question before = job->question;
    for (; v->kind == VERDICT_UNSAFE && known_add(&known, job->program, &before, v->trace) && job->deadline - clock_seconds() > 0.5; n++) {
        job->question.known = &known;
        job->program = load(job->options, &job->question, job->kept, &none);
        job->engine = NULL;
        if (!engines_choose(job, &none)) break;
        if (v != first) verdict_free(v);
        v = answer(job, &none);
        publish_more(job, v, n + 1, out);
    }
    if (v->kind == VERDICT_UNSAFE) publish_note(job, "there may be more violations", out);
    if (v != first) verdict_free(v);
    known_free(&known);
    buf_free(&none);
}

static int verify(void *context, FILE *to) {
    Job *job = context;
    Buf error = {0};
    Output out = {0};
    int code = 0;
    job_phase(job, "reading the program");
    Program *program = job->witnesses ? check_witness_load(job, &error) : load(job->options, &job->question, job->kept, &error);
    job->program = program;
    if (!program) code = bad_input(&error);
    else if (!dump(job, &out, &code)) {
        load_count(program, &job->loaded);
        job->shared->stats = job->loaded;
        Verdict *v = answer(job, &error);
        code = v ? publish(job, v, &out) : bad_input(&error);
        bool more = job->options->all_violations && !job->options->replay && !job->witnesses;
        if (v && v->kind == VERDICT_UNSAFE && more) answer_more(job, v, &out);
        verdict_free(v);
        witnesses_free(job->claims);
    }
    output_send(to, &out);
    program_free(program);
    output_free(&out);
    buf_free(&error);
    return code;
}

/* ---- the supervisor ---- */
static int worker_crashed(const char *doing, int signal) {
    fprintf(stderr, "heddle: internal error: crashed while %s: %s\n", doing, strsignal(signal));
    return EXIT_INTERNAL;
}

static int without_worker(Job *job, ChildResult r, Buf *errors, Output *out) {
    const char *doing = job->shared->phase ? job->shared->phase : "starting", *reason = crash_reason(r, errors);
    Verdict *v;
    Buf limit = {0};
    switch (r.ending) {
    case ENDING_TIMEOUT:
        job_put_time_limit(job, &limit);
        v = verdict_unknown((Position){0}, "%s while %s", buf_string(&limit), doing);
        buf_free(&limit);
        break;
    case ENDING_MEMORY:
        v = verdict_unknown((Position){0}, "the memory limit of %g MB was reached while %s", job->options->memory, doing);
        break;
    case ENDING_INTERRUPT: v = verdict_unknown((Position){0}, "interrupted while %s", doing); break;
    case ENDING_LACK: v = verdict_unknown((Position){0}, "%s (while %s)", last_words(errors), doing); break;
    default:
        if (!reason) return worker_crashed(doing, r.code);
        v = verdict_unknown((Position){0}, "%s (while %s)", reason, doing);
    }
    job->program = NULL;
    int code = publish(job, v, out);
    verdict_free(v);
    return code;
}

/* The worker has ended as it should, or with a complaint of its own: about the input, or about itself. */
static int with_worker(const Job *job, int code, const Buf *sent, const Buf *errors, Output *out) {
    bool complaint = code == EXIT_INPUT || code == EXIT_INTERNAL;
    if (complaint) fputs(buf_string(errors), stderr);
    else job_said(job, errors);
    if (complaint || output_receive(out, sent)) return code;
    fprintf(stderr, "heddle: internal error: the verdict did not arrive\n");
    return EXIT_INTERNAL;
}

static int supervise(Job *job, Output *out) {
    Buf sent = {0}, errors = {0};
    /* The engine is stopped at the deadline by the worker; a worker that overruns it is stuck itself. */
    ChildLimits limits = {.deadline = job->deadline + 0.5, .memory = job_memory(job), .group = true, .capture = true};
    ChildResult r = child_run(&limits, verify, job, &sent, &errors);
    if (job->terminal >= 0) dprintf(job->terminal, "\r\033[K");
    if (r.ending != ENDING_EXIT) job_said(job, &errors);
    int code = r.ending == ENDING_EXIT ? with_worker(job, r.code, &sent, &errors, out) : without_worker(job, r, &errors, out);
    buf_free(&sent);
    buf_free(&errors);
    return code;
}

int pipeline_run(const Options *o, double start) {
    Job job = {.options = o, .start = start, .terminal = -1, .log = -1};
    job.question = (Question){.fair = o->fair,
                              .unwinds = o->unwind >= 0,
                              .unwind = (unsigned)fmax(0, fmin(o->unwind, 1e9)),
                              .bounded = o->switches >= 0,
                              .switches = (unsigned)fmax(0, fmin(o->switches, 1e9)),
                              .all_pairs = o->all_pairs,
                              .certificate = o->certificate || o->recheck};
    job.processors = processors_available();
    job.jobs = o->jobs < 0 ? job.processors : (unsigned)fmin(fmax(o->jobs, 1), 1e6);
    Buf error = {0};
    Output out = {0};
    unsigned set;
    child_catch_signals();
    Witnesses *witnesses = o->check_witness ? witnesses_read(o->check_witness, &error) : NULL;
    job.witnesses = witnesses;
    if (error.length || !choose_properties(o, witnesses, &set, &job.question.parts, &error) || !load_fits_witness(o, &error) ||
        (o->dump_after && !dump_knows(o->dump_after, &error))) {
        fprintf(stderr, "heddle: %s%s", buf_string(&error), error.text[error.length - 1] == '\n' ? "" : "\n");
        witnesses_free(witnesses);
        buf_free(&error);
        return EXIT_INPUT;
    }
    job.shared = mmap(NULL, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (job.shared == MAP_FAILED) lack("no shared memory: %s", strerror(errno));
    if (isatty(STDERR_FILENO) && !o->quiet) job.terminal = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
    if (o->verbose) job.log = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
    if (set & (set - 1)) job.kept = memfd_create("clang", MFD_CLOEXEC);
    if (job.kept < 0) job.kept = 0;
    int code = several_run(&job, set, start + o->timeout, supervise, &out);
    if (out.html.length) report_page(&out.html);
    bool verdict = code == EXIT_SAFE || code == EXIT_UNSAFE || code == EXIT_UNKNOWN;
    if (!output_deliver(&out, o)) code = EXIT_INTERNAL;
    if (verdict) output_lacks(&out, o);
    output_free(&out);
    buf_free(&error);
    witnesses_free(witnesses);
    munmap(job.shared, sizeof(Shared));
    return code;
}
