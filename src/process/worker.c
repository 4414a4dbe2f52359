/* SPDX-License-Identifier: Apache-2.0 */
#include "process/worker.h"
#include "base/clock.h"
#include "check/accept.h"
#include "check/proof.h"
#include "explain/invariants.h"
#include "explain/proof_view.h"
#include "ir/asserts.h"
#include "passes/program/store_buffers.h"
#include "process/messages.h"
#include "process/progress.h"
#include "process/states_again.h"
#include "process/proof_system.h"
#include "result/property.h"
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

WorkerBoard *board_new(void) {
    WorkerBoard *b = mmap(NULL, sizeof *b, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (b == MAP_FAILED) out_of_resources(MSG_PROCESS_NO_SHARED_MEMORY, strerror(errno));
    return b;
}

void board_free(WorkerBoard *b) { munmap(b, sizeof *b); }

Stats *worker_stats(const Worker *w) { return &w->work->board->stats[w->place]; }

/* ---- in the process of the engine ---- */

/* Runs the engine on the chain's program and leads its trace back. The chain is not freed: proofs refer to it, and the process ends
   soon. */
static Verdict *run_on(const Engine *engine, EngineTask *task, Route *route) {
    Chain *chain = route_chain(route, engine_needs_errors(engine, task->question->property));
    if (!chain) return route_refusal(route);
    task->program = chain->program;
    task->instrumented = &chain->instrumented;
    task->common_passes = route_common(route, engine_needs_errors(engine, task->question->property));
    Verdict *v = engine->run(task);
    if (v && v->trace) chain_trace_back(chain, v->trace);
    unsigned depth = route->settings.buffers;
    if (v && v->invariant && depth) buf_printf(&v->invariant->settings, " buffers %u", depth);
    if (v && v->kind == VERDICT_SAFE && chain->buffers_overflow) verdict_note(v, MSG_PROCESS_BUFFER_BOUND, depth);
    return v;
}

static bool is_deep_enough(const Route *r, const Verdict *v) {
    bool full = r->plain.chain.buffers_overflow || r->errors.chain.buffers_overflow;
    return v->kind != VERDICT_UNKNOWN || !full || v->cause != REASON_OMITTED;
}

/* Runs the engine with deeper and deeper store buffers, as long as it fails because they are full. */
static Verdict *run_deepening(const Engine *engine, EngineTask *task, const Route *like) {
    static const unsigned depths[] = {SHALLOW_BUFFER, 4, 8, DEEPEST_BUFFER};
    enum { TRIES = sizeof depths / sizeof *depths };
    double end = clock_seconds() + task->budget.seconds;
    Verdict *v = NULL;
    for (unsigned i = 0; i < TRIES; i++) {
        static Route route; /* static, since the proof refers to its program */
        PassSettings settings = like->settings;
        settings.buffers = depths[i];
        route = route_new(like->program, like->question, settings);
        task->budget.seconds = end - clock_seconds();
        Verdict *next = run_on(engine, task, &route);
        if (route.plain.refused && v) {
            verdict_free(next);
            break;
        }
        verdict_free(v);
        v = next;
        if (is_deep_enough(&route, v)) return v;
    }
    if (strstr(v->reason, BUFFER_FULL)) v->cause = REASON_BUFFER_BOUND;
    return v;
}

static EngineTask task_of(const Worker *w) {
    const Work *work = w->work;
    return (EngineTask){
        .question = work->question,
        .budget = {.seconds = w->deadline - clock_seconds() - 0.2,
                   .extra_seconds = &work->board->extra_seconds[w->place],
                   .memory = work->config->memory},
        .options = w->options,
        .seed = work->config->seed + w->seed_offset,
        .searches_assertion = w->searches_assertion,
        .simulates_only = w->simulates_only,
        .progress = progress_is_shown() ? progress_line : NULL,
        .stats = worker_stats(w),
    };
}

static Verdict *run_engine(const Worker *w, EngineTask *task) {
    return w->work->deepens ? run_deepening(w->engine, task, w->work->route) : run_on(w->engine, task, w->work->route);
}

static int engine_work(void *context, FILE *out) {
    EngineTask task = task_of(context);
    Verdict *v = run_engine(context, &task);
    return v && verdict_write(v, out) ? 0 : EXIT_INTERNAL;
}

/* ---- the second visit of all states; in a process if there are many ---- */

static Verdict *visit_again(const Worker *w, const Verdict *claim) {
    Stats stats = {0};
    EngineTask first = task_of(w), task = states_check_task(&first, claim, &stats);
    Verdict *v = run_engine(w, &task);
    worker_stats(w)->again = stats.again;
    return v;
}

static int again_work(void *context, FILE *out) {
    const Worker *w = context;
    Verdict *v = visit_again(w, w->claim);
    return v && verdict_write(v, out) ? 0 : EXIT_INTERNAL;
}

/* ---- the check of the proof, in a process without data of the engine ---- */

/* Returns whether the proof answers the question. With an unknown number of threads, RULE_EACH needs finitely many of them: main, which
   ends, must create them. */
static bool is_proof_of(const Work *work, const Proof *proof) {
    if (proof->rule == RULE_EACH && system_has_many(proof->system) && !program_main_creates(work->route->program)) return false;
    if (proof_is_fair(proof) && work->question->fair != FAIR_WEAK) return false;
    return proof_ends(proof) == (work->question->property == PROPERTY_TERMINATION);
}

/* Adds the proof to the verdict as text and, if wanted, by places in the source. */
static void show_proof(const Config *c, const Proof *proof, Verdict *v) {
    Buf text = {0}, view = {0};
    invariants_text(&text, proof, c->verbose);
    v->invariants = text.text;
    if (c->view_proofs || (c->view_relies && proof->rule == RULE_RELY)) proof_view(&view, proof);
    v->view = view.text;
}

static int check_work(void *context, FILE *out) {
    const Worker *w = context;
    const Work *work = w->work;
    Buf certificate = {0}, *wanted = work->question->certificate ? &certificate : NULL, why = {0};
    bool errors = proof_needs_errors(work->question->property);
    Omission *omissions = NULL;
    Proof *proof = proof_about(work->route, errors, w->claim->sent ? w->claim->sent : "", &omissions, &why);
    double seconds = slot_left(work->time) - 0.1;
    Verdict *v = verdict_new(VERDICT_SAFE);
    ProofReport report;
    if (!proof || !is_proof_of(work, proof)) {
        v = verdict_unknown((Position){0}, "%s", proof ? MSG_PROCESS_OTHER_PROPERTY : buf_string(&why));
    } else if (proof_check(proof, smt_new(proof->system->exprs), seconds, &report, wanted)) {
        v->certificate = certificate.text;
        v->obligations = worker_stats(w)->obligations = report.obligations;
        show_proof(work->config, proof, v);
        v = accept_omissions(v, omissions);
    } else {
        v = verdict_unknown((Position){0}, "%s", report.failed);
    }
    /* Freeing would take longer than most checks, and the process ends soon. */
    return verdict_write(v, out) ? 0 : EXIT_INTERNAL;
}

/* ---- in the verifier's process ---- */

Worker worker_new(const Work *work, const Engine *engine, unsigned place, double share) {
    ensure(place < MOST_WORKERS);
    return (Worker){.work = work,
                    .engine = engine,
                    .options = work->config->engines,
                    .place = place,
                    .deadline = slot_share(work->time, share, 1e9).deadline};
}

static void start(Worker *w, double deadline, int (*work)(void *, FILE *)) {
    ChildLimits limits = {.deadline = deadline, .memory = w->work->config->memory, .capture = true};
    child_start(&w->child, &limits, work, w);
    w->halted = false;
}

/* Prepares what all engines share, before they start. Later, each engine would prepare it for itself. */
static void prepare_for(const Engine *engine, const Work *work) {
    const double share = 0.1, most = 1;
    bool errors = engine_needs_errors(engine, work->question->property);
    if (!route_chain(work->route, errors) || !engine->systems) return;
    progress_phase("preparing the program for engines");
    route_prepare(work->route, errors, slot_share(work->time, share, most).deadline);
    progress_phase("running the engine");
}

void worker_start(Worker *w) {
    ensure(w->child.pid <= 0 && !w->claim && w->work->route->question == w->work->question);
    w->work->board->extra_seconds[w->place] = 0;
    *worker_stats(w) = (Stats){0};
    if (!w->work->deepens) prepare_for(w->engine, w->work);
    start(w, w->deadline, engine_work);
}

void worker_check(Worker *w, Verdict *claim) {
    ensure(claim->proof == PROOF_INVARIANT || claim->proof == PROOF_EXHAUSTED);
    w->claim = claim;
    w->restarted = true; /* there is no engine to start again */
    *worker_stats(w) = (Stats){0};
    prepare_for(w->engine, w->work);
    start(w, w->deadline, claim->proof == PROOF_EXHAUSTED ? again_work : check_work);
}

/* Starts an engine that crashed a second time, if time is left: the solver may crash by chance when its time is up. */
static bool start_again(Worker *w) {
    if (w->restarted || w->deadline - clock_seconds() < 1) return false;
    w->restarted = true;
    *worker_stats(w) = (Stats){0};
    start(w, w->deadline, engine_work);
    return true;
}

/* Returns the reason of a failure. Z3 ends the process when one of its assertions fails. */
static const char *why_failed(Buf *errors) {
    const char *text = buf_string(errors);
    if (strstr(text, "ASSERTION VIOLATION") || strstr(text, "UNEXPECTED CODE WAS REACHED")) return "an assertion in Z3 does not hold";
    return *text ? last_error_line(errors) : "it gave no reason";
}

static Verdict *limited(Verdict *v) {
    v->cause = REASON_LIMIT;
    return v;
}

static Verdict *engine_failure(const Work *work, const char *name, ChildResult r, Buf *errors) {
    const char *reason = crash_reason(r, errors);
    Buf limit = {0}, where = {0};
    const char *line;
    Verdict *v = NULL;
    buf_printf(&where, " (engine %s)", name);
    switch (r.ending) {
    case ENDING_TIMEOUT:
        config_put_time_limit(work->config, work->time, buf_string(&where), &limit);
        v = limited(verdict_unknown((Position){0}, "%s", buf_string(&limit)));
        break;
    case ENDING_MEMORY:
        v = limited(verdict_unknown((Position){0}, MSG_PROCESS_MEMORY_LIMIT, (double)work->config->memory / 1048576, buf_string(&where)));
        break;
    case ENDING_NO_RESOURCES: v = verdict_in(last_error_line(errors), buf_string(&where)); break;
    case ENDING_CRASH: v = verdict_unknown((Position){0}, MSG_PROCESS_ENGINE_CRASHED, name, reason ? reason : strsignal(r.code)); break;
    default:
        line = why_failed(errors);
        v = verdict_unknown((Position){0}, MSG_PROCESS_ENGINE_FAILED, name, (int)message_length(line), line);
    }
    buf_free(&limit);
    buf_free(&where);
    return v;
}

/* Returns the verdict that a process sent, or NULL. */
static Verdict *receive(Worker *w, ChildResult *result, Buf *errors) {
    Buf text = {0};
    Verdict *v = NULL;
    *result = child_finish(&w->child, &text, errors);
    if (w->too_large) result->ending = ENDING_MEMORY;
    if (result->ending == ENDING_EXIT && result->code == 0 && text.length) {
        FILE *f = fmemopen(text.text, text.length, "rb");
        if (f) v = verdict_read(f, w->work->route->program->exprs);
        if (f) fclose(f);
    }
    progress_said(errors);
    buf_free(&text);
    return v;
}

/* Removes a proof that the check refused. After a visit of all states, the verdict stays SAFE without obligations; otherwise it becomes
   UNKNOWN. */
static Verdict *without_proof(Verdict *v, const char *failed) {
    if (v->states) {
        v->proof = PROOF_EXHAUSTED;
        verdict_note(v, "the verdict has no proof obligations, since the check refused those of the visited states: %s", failed);
        return v;
    }
    verdict_free(v);
    return verdict_unknown((Position){0}, "the check refused the engine's proof: %s", failed);
}

/* Adds the reason why a check has no result. */
static void why_not_checked(ChildResult result, Buf *errors, Buf *out) {
    const char *line = crash_reason(result, errors);
    switch (result.ending) {
    case ENDING_TIMEOUT: buf_text(out, MSG_PROCESS_CHECK_TIME); break;
    case ENDING_MEMORY: buf_text(out, MSG_PROCESS_CHECK_MEMORY); break;
    case ENDING_CRASH: buf_printf(out, MSG_PROCESS_CHECK_CRASHED, line ? line : strsignal(result.code)); break;
    default: line = why_failed(errors); buf_printf(out, MSG_PROCESS_CHECK_FAILED, (int)message_length(line), line);
    }
}

/* Returns the engine's verdict after the check of its proof or its states. */
static Verdict *finish_check(Worker *w) {
    Buf errors = {0};
    ChildResult result;
    Verdict *claim = w->claim, *v = receive(w, &result, &errors);
    if (claim->proof == PROOF_EXHAUSTED) {
        w->claim = NULL;
        buf_free(&errors);
        return states_confirm(claim, v);
    }
    bool good = v && v->kind == VERDICT_SAFE;
    w->claim = NULL;
    if (good) {
        claim->checked = true;
        claim->obligations = v->obligations;
        claim->certificate = v->certificate;
        claim->invariants = v->invariants;
        claim->view = v->view;
        claim->omissions = v->omissions;
        v->omissions = NULL;
        v->certificate = v->invariants = v->view = NULL;
    } else {
        Buf why = {0};
        if (!v) why_not_checked(result, &errors, &why);
        claim = without_proof(claim, v ? v->reason : buf_string(&why));
        buf_free(&why);
    }
    verdict_free(v);
    buf_free(&errors);
    return claim;
}

/* Returns the engine's verdict; NULL if the worker continues. */
static Verdict *finish(Worker *w) {
    if (w->claim) return finish_check(w);
    Buf errors = {0};
    ChildResult result;
    Verdict *v = receive(w, &result, &errors);
    if (v) vec_free(v->omissions);
    bool again = v && !w->searches_assertion && states_need_check(w->engine, w->work->route->program, v);
    if (again && v->states <= STATES_AT_ONCE) {
        v = states_confirm(v, visit_again(w, v));
    } else if (again || (v && v->kind == VERDICT_SAFE && v->proof == PROOF_INVARIANT)) {
        w->claim = v;
        w->deadline = w->work->time.deadline;
        start(w, w->deadline, again ? again_work : check_work);
        v = NULL;
    } else if (!v) {
        bool crashed = result.ending == ENDING_CRASH || (result.ending == ENDING_EXIT && result.code > EXIT_INTERNAL);
        if (!crashed || !start_again(w)) v = engine_failure(w->work, w->engine->name, result, &errors);
    }
    buf_free(&errors);
    return v;
}

Buf work_key(const Work *work) {
    Buf key = {0};
    buf_printf(&key, "%s, %s", property_name(work->question->property), work->plan);
    return key;
}

Verdict *work_certify(const Work *work, Verdict *v) {
    Buf text = {0}, key = work_key(work);
    if (v->kind == VERDICT_SAFE && work->question->certificate) {
        certificate_put_claim(&text, v, buf_string(&key));
        if (v->certificate) buf_text(&text, v->certificate);
        free(v->certificate);
        v->certificate = text.text;
    }
    buf_free(&key);
    return v;
}

/* True if the verdict belongs to the program in which violations are errors. */
static bool over_errors(const Worker *w, const Verdict *v) {
    Property p = w->work->question->property;
    return v->proof == PROOF_INVARIANT ? proof_needs_errors(p) : engine_needs_errors(w->engine, p);
}

/* Adds what a visit of all states or graphs leaves out. */
static Verdict *add_omissions_of_visit(const Worker *w, Verdict *v) {
    Omission *list = NULL;
    if (v->kind != VERDICT_SAFE || v->proof != PROOF_EXHAUSTED) return v;
    bool graphs = w->engine == &engine_rc11, ends = w->work->question->property == PROPERTY_TERMINATION;
    omissions_of_kinds(&list, graphs ? OMITS_EQUAL_STATES : OMITS_INTERLEAVINGS, OMITS_EQUAL_STATES);
    if (graphs) omissions_of_kinds(&list, OMITS_GRAPHS, OMITS_GRAPHS);
    if (ends) omissions_of_kinds(&list, OMITS_ENDLESS, OMITS_ENDLESS);
    v = accept_omissions(v, list);
    vec_free(list);
    return v;
}

Verdict *worker_finish(Worker *w) {
    const Work *work = w->work;
    const Route *route = work->route;
    Verdict *v = finish(w);
    if (!v) return NULL;
    if (verdict_decides(v)) progress_phase("checking the verdict");
    v->engine = w->engine->name;
    v->stats = *worker_stats(w);
    v = accept_verdict(route->program, work->question, v, route->errors.chain.instrumented.race_proof,
                       work->config->second_solver ? slot_left(work->time) : 0);
    v = add_omissions_of_visit(w, work_certify(work, v));
    return accept_omissions(v, route_omissions(work->route, over_errors(w, v)));
}

void worker_halt(Worker *w, bool halt) {
    if (w->halted == halt || w->child.pid <= 0) return;
    kill(w->child.pid, halt ? SIGSTOP : SIGCONT);
    w->halted = halt;
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

/* The memory that the worker had when it was forked is also the verifier's, and is not counted. */
uint64_t worker_memory(const Worker *w) {
    uint64_t all = resident(w->child.pid), ours = resident(getpid());
    return all > ours ? all - ours : 0;
}

void worker_stop(Worker *w) {
    Buf nothing = {0};
    child_finish(&w->child, &nothing, &nothing);
    buf_free(&nothing);
    verdict_free(w->claim);
}

Verdict *worker_run(Worker *w) {
    Child *list[] = {&w->child};
    Verdict *v = NULL;
    for (worker_start(w); !v; v = worker_finish(w)) children_wait(list, 1, w->work->time.deadline + 1);
    return v;
}

void worker_extend(Worker *w, double deadline) {
    ensure(deadline >= w->deadline);
    w->work->board->extra_seconds[w->place] += deadline - w->deadline;
    w->deadline = w->child.limits.deadline = deadline;
}
