/* SPDX-License-Identifier: Apache-2.0 */
/* The whole verifier: load, check, run an engine, check its verdict, report.

   Three processes. The supervisor (pipeline_run) lives through everything and prints what the worker hands back. The
   worker (verify) loads the program, checks and tells the verdict; clang runs below it. The engine runs in a child of
   the worker. Whatever dies, the run ends with a verdict and a reason. What the processes (and libraries in them) say on stderr is
   kept from it: the supervisor passes on what explains an end without a verdict, and with --verbose all of it. */
#include "pipeline.h"
#include "base/clock.h"
#include "base/die.h"
#include "base/file.h"
#include "base/vec.h"
#include "check/assumed.h"
#include "check/replay.h"
#include "check/tell.h"
#include "child.h"
#include "check/proof.h"
#include "check/recheck.h"
#include "deliver.h"
#include "dump.h"
#include "engine/engine.h"
#include "explain.h"
#include "engine/horn/redcomp.h"
#include "output/invariants.h"
#include "front/front.h"
#include "ir/asserts.h"
#include "output/report.h"
#include "passes/passes.h"
#include "property.h"
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

/* In the order in which `auto` starts them: after so many seconds (sooner if a processor is idle), for a share of the time that is left then. */
static const struct {
    const Engine *engine;
    double start, share;
} engines[] = {{&engine_explicit, 0, 0.4}, {&engine_redcomp, 0.3, 1}, {&engine_weave, 1.5, 1}, {&engine_impact, 4, 1}};
enum { NENGINES = sizeof engines / sizeof *engines };

/* What the supervisor still knows when the worker is gone. */
typedef struct Shared {
    Stats stats; /* of loading; then of the engine that answered, too */
    Stats stats_of[NENGINES];
    double more_of[NENGINES]; /* seconds that others have left to it */
    const char *phase; /* a literal */
} Shared;

typedef struct Job {
    const Options *options;
    double start, deadline;
    Property property;
    const Engine *engine; /* the one named, or the one that answered; NULL: none supports the property */
    bool automatic;       /* all that support the property take their turns */
    Shared *shared;
    Stats loaded; /* counted of the program itself */
    int terminal; /* where progress goes, or -1 */
    int log;      /* what is being done, likewise */
    const Program *program;
} Job;

static void phase(Job *job, const char *name) {
    job->shared->phase = name;
    if (job->log >= 0) dprintf(job->log, "heddle: %6.2f s  %s\n", clock_seconds() - job->start, name);
}

/* ---- loading ---- */
static bool has_suffix(const char *file, const char *suffix) {
    size_t n = strlen(file), m = strlen(suffix);
    return n > m && !strcmp(file + n - m, suffix);
}

/* A whole program in one text file: .hir or .wvr. */
static Program *load_text(const char *path, Program *(*parse)(const char *, const char *, Buf *), Buf *error) {
    Buf text = {0};
    Program *p = NULL;
    if (file_read(path, FILE_TEXT, &text, error)) p = parse(path, buf_string(&text), error);
    buf_free(&text);
    Buf complaint = {0};
    if (p && !program_check(p, &complaint)) {
        buf_printf(error, "%s: error: not well-formed: %s", path, buf_string(&complaint));
        program_free(p);
        p = NULL;
    }
    buf_free(&complaint);
    return p;
}

static bool is_cpp(const char *file) {
    static const char *const suffixes[] = {".cpp", ".cc", ".cxx", ".c++", ".C", ".cp", ".hpp", ".hh", ".hxx", ".ii"};
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
        if (has_suffix(file, suffixes[i])) return true;
    return false;
}

/* *c: it was C. */
static Program *load_whole(Job *job, bool *c, Buf *error) {
    const Options *o = job->options;
    phase(job, "reading the program");
    for (size_t i = 0; i < vec_len(o->files); i++) {
        if (is_cpp(o->files[i])) {
            buf_printf(error, "%s: C++ is not supported\n", o->files[i]);
            return NULL;
        }
        if (!file_readable(o->files[i], error)) return NULL;
        bool hir = has_suffix(o->files[i], ".hir"), wvr = has_suffix(o->files[i], ".wvr");
        if ((hir || wvr) && vec_len(o->files) > 1) {
            buf_printf(error, "%s: this is a whole program; give it alone\n", o->files[i]);
            return NULL;
        }
        if (hir || wvr) return load_text(o->files[i], hir ? program_parse : front_wvr, error);
    }
    FrontOptions front = {
        .files = o->files,
        .nfiles = (unsigned)vec_len(o->files),
        .clang_flags = o->clang_flags,
        .nflags = (unsigned)vec_len(o->clang_flags),
        .ilp32 = !strcmp(o->data_model, "ILP32"),
        .recursion_bound = (unsigned)o->recursion,
        .may_fail = o->may_fail,
        .undefined_pure = !strcmp(o->undefined, "pure"),
        .pure = o->pure,
        .zero_memory = o->zero_memory,
        .no_spurious = o->no_spurious,
        .args = o->args,
    };
    *c = true;
    return front_load(&front, error);
}

/* The program that engines get, or as it is after the pass of that name. */
static Program *load(Job *job, const char *last, Buf *error) {
    const Options *o = job->options;
    bool c = false;
    Prepared p = {.program = load_whole(job, &c, error)};
    if (!p.program) return NULL;
    p.settings = (PassSettings){.c = c, .unwind = o->unwind >= 0, .unwind_times = (unsigned)fmax(0, fmin(o->unwind, 1e9))};
    const Pass *x = last ? pass_named(&passes_loading, last) : NULL;
    if (x && !pass_applies(x, &p.settings)) {
        buf_printf(error, "heddle: the pass %s is only run %s\n", x->name, x->when);
        program_free(p.program);
        return NULL;
    }
    passes_run(&p, &passes_loading, x ? last : NULL);
    return p.program;
}

static void count_program(const Program *p, Stats *s) {
    s->variables = vec_len(p->globals);
    s->objects = vec_len(p->objects);
    for (size_t i = 0; i < vec_len(p->templates); i++) {
        s->variables += vec_len(p->templates[i]->locals);
        s->locations += vec_len(p->templates[i]->locations);
        s->actions += vec_len(p->templates[i]->actions);
    }
}

/* ---- the engine, in its own process ---- */
static void show_progress(void *context, const char *line) {
    const Job *job = context;
    struct winsize w = {0};
    ioctl(job->terminal, TIOCGWINSZ, &w);
    dprintf(job->terminal, "\r\033[K%5.1f s  %.*s", clock_seconds() - job->start, w.ws_col > 12 ? w.ws_col - 11 : 60, line);
}

/* An engine at work, in its process. */
typedef struct Runner {
    Job *job;
    const Engine *engine;
    double deadline;
    Stats *stats;
    double *more;
    bool again;    /* it crashed before */
    bool glance;   /* only for an execution that reaches an assertion */
    uint64_t luck; /* added to the seed */
    Child child;
} Runner;

static bool wants_obligations(const Job *job) { return job->options->certificate || job->options->recheck; }

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

/* A proof is checked where it was found: obligations discharged by a solver of their own. */
static Verdict *with_checked_proof(const Runner *r, Verdict *v) {
    const Job *job = r->job;
    if (v->kind != VERDICT_SAFE || v->proof != PROOF_INVARIANT) return v;
    ProofReport report;
    Buf certificate = {0}, text = {0};
    Smt *smt = smt_new(v->invariant->system->exprs);
    v->checked = proof_check(v->invariant, smt, job->deadline - clock_seconds() - 0.1, &report, wants_obligations(job) ? &certificate : NULL);
    v->obligations = r->stats->obligations = report.obligations + report.trivial;
    /* smt is not freed: the process ends soon, and that would take longer than most checks. */
    if (!v->checked) return without_proof(v, report.failed);
    invariants_text(&text, v->invariant, job->options->verbose);
    v->certificate = certificate.text;
    v->invariants = text.text;
    return v;
}

static Arithmetic arithmetic_named(const char *name) {
    return !strcmp(name, "int") ? INTEGERS : !strcmp(name, "bv") ? BITVECTORS : ARITHMETIC_AUTO;
}

static Commutations commutation_named(const char *reduction) {
    if (!strcmp(reduction, "s")) return COMMUTE_SEMI;
    if (!strcmp(reduction, "c")) return COMMUTE_IN_CONTEXT;
    return !strcmp(reduction, "yes") || !strcmp(reduction, "sc") ? COMMUTE_BOTH : COMMUTE_NONE;
}

static ImpactOptions impact_options(const Options *o) {
    static const char *const names[] = {[IMPACT_POR_SLEEP] = "sleep", [IMPACT_POR_NONE] = "none", [IMPACT_POR_STATIC] = "static", [IMPACT_POR_MONOTONIC] = "monotonic"};
    ImpactOptions i = {.no_force_cover = !strcmp(o->impact_force_cover, "no"), .no_constants = !strcmp(o->impact_constants, "no"), .few_switches = !strcmp(o->impact_order, "switches")};
    while (strcmp(names[i.por], o->impact_por)) i.por++;
    return i;
}

static int engine_work(void *context, FILE *out) {
    const Runner *r = context;
    const Options *o = r->job->options;
    EngineTask task = {
        .program = r->job->program,
        .property = r->job->property,
        .budget = {.seconds = r->deadline - clock_seconds() - 0.2, .more = r->more, .memory = (uint64_t)(o->memory * 1048576)},
        .seed = (uint64_t)o->seed + r->luck,
        .no_reduction = strcmp(o->reduction, "yes") != 0,
        .commutation = commutation_named(o->reduction),
        .order = o->weave_order,
        .impact = impact_options(o),
        .glance = r->glance,
        .bounded = o->switches >= 0,
        .switches = o->switches >= 0 ? (unsigned)fmin(o->switches, 1e9) : 0,
        .obligations = wants_obligations(r->job) && !r->glance,
        .rule = strcmp(o->rule, "auto") ? o->rule : NULL,
        .arithmetic = arithmetic_named(o->arith),
        .progress = r->job->terminal >= 0 ? show_progress : NULL,
        .context = r->job,
        .stats = r->stats,
    };
    Verdict *v = r->engine->run(&task);
    if (v) v = with_checked_proof(r, v);
    return v && verdict_write(v, out) ? 0 : EXIT_INTERNAL;
}

/* What a child said that explains nothing, unless it is a sanitizer that says it. */
static void said(const Job *job, const Buf *errors) {
    const char *text = buf_string(errors);
    if (job->log >= 0) dprintf(job->log, "%s", text);
    else if (strstr(text, "Sanitizer:") || strstr(text, ": runtime error: ")) fputs(text, stderr);
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
    switch (r.ending) {
    case ENDING_TIMEOUT:
        return limited(verdict_unknown((Position){0}, "the time limit of %g s was reached (engine %s)", job->options->timeout, name));
    case ENDING_MEMORY:
        return limited(verdict_unknown((Position){0}, "the memory limit of %g MB was reached (engine %s)", job->options->memory, name));
    case ENDING_LACK: return verdict_unknown((Position){0}, "%s (engine %s)", last_words(errors), name);
    case ENDING_CRASH: return verdict_unknown((Position){0}, "the engine %s crashed: %s", name, reason ? reason : strsignal(r.code));
    default: return verdict_unknown((Position){0}, "the engine %s failed: %s", name, why_failed(errors));
    }
}

static void start_runner(Runner *r) {
    ChildLimits limits = {.deadline = r->deadline, .memory = (uint64_t)(r->job->options->memory * 1048576), .capture = true};
    child_start(&r->child, &limits, engine_work, r);
}

static void start_engine(Job *job, unsigned engine, double share, uint64_t luck, Runner *r, bool glance) {
    double now = clock_seconds();
    *r = (Runner){.job = job, .engine = engines[engine].engine, .deadline = now + share * (job->deadline - now), .stats = &job->shared->stats_of[engine], .more = &job->shared->more_of[engine], .luck = luck, .glance = glance};
    *r->more = 0;
    start_runner(r);
}

/* The solver may crash when its time is up, by chance: an engine that crashes is given a second chance in the time that is left. */
static bool start_again(Runner *r) {
    if (r->again || r->deadline - clock_seconds() < 1) return false;
    r->again = true;
    *r->stats = (Stats){0};
    start_runner(r);
    return true;
}

/* What the engine said, or what became of it. NULL: it crashed, and was started again. */
static Verdict *finish_engine(Runner *r) {
    Buf text = {0}, errors = {0};
    Verdict *v = NULL;
    ChildResult result = child_finish(&r->child, &text, &errors);
    if (result.ending == ENDING_EXIT && result.code == 0 && text.length) {
        FILE *f = fmemopen(text.text, text.length, "rb");
        if (f) v = verdict_read(f, r->job->program->exprs);
        if (f) fclose(f);
    }
    said(r->job, &errors);
    bool crashed = result.ending == ENDING_CRASH || (result.ending == ENDING_EXIT && result.code > EXIT_INTERNAL);
    if (!v && !(crashed && start_again(r))) v = engine_failure(r->job, r->engine->name, result, &errors);
    buf_free(&text);
    buf_free(&errors);
    return v;
}

static void stop_engine(Runner *r) {
    Buf nothing = {0};
    child_finish(&r->child, &nothing, &nothing);
    buf_free(&nothing);
}

/* It is an error if the program is as the trace assumes. */
static Verdict *assumed(Verdict *v, Position at, const char *text) {
    Verdict *u = verdict_unknown(at, "%s", text);
    u->cause = CAUSE_ASSUMED;
    u->trace = v->trace;
    v->trace = NULL;
    return u;
}

/* Undefined behaviour that comes before any assertion: the trace is to show it, or is none. */
static Verdict *with_fault(const Job *job, Verdict *v) {
    if (v->trace && !replay_to_fault(job->program, v->trace)) {
        trace_free(v->trace);
        v->trace = NULL;
    }
    return v;
}

/* A trace must replay, and assume nothing: UNKNOWN with the reason, if it does. */
static Verdict *replayed(const Job *job, Verdict *v) {
    Buf why = {0};
    Verdict *bad = NULL;
    Position at = {0};
    if (v->kind == VERDICT_SAFE) return with_fault(job, v);
    if (v->kind != VERDICT_UNSAFE && v->cause != CAUSE_ASSUMED) return v;
    bool error = v->trace && replay_to_error(job->program, v->trace, &why);
    if (!error) bad = verdict_unknown((Position){0}, "the trace that was found does not replay: %s", buf_string(&why));
    else if (assumed_text(&why, &at, job->program, v->trace)) bad = assumed(v, at, buf_string(&why));
    else v->kind = VERDICT_UNSAFE;
    buf_free(&why);
    if (bad) verdict_free(v);
    return bad ? bad : v;
}

/* The engines of `auto`, side by side: the first alone for a moment, since most programs are decided by then, the others one after the
   other. A reason is kept until somebody answers: the one that a user can best do something about (Cause), with the others as notes. */
typedef struct Race {
    Job *job;
    Runner running[NENGINES];
    Child *children[NENGINES];
    size_t n;
    double start;
    unsigned next;     /* engine to be started */
    unsigned cut_off;  /* one that used up its share, + 1 */
    Verdict *answer, *unknown;
} Race;

/* An exhaustive search has no obligations to show: who asked for them gets an answer with a proof, if there is one in time. */
static bool is_final(const Job *job, const Verdict *answer) {
    return answer && (answer->proof != PROOF_EXHAUSTED || !wants_obligations(job));
}

static void take_verdict(Race *r, const Runner *from, Verdict *v) {
    Job *job = r->job;
    v = replayed(job, v);
    if (v->kind != VERDICT_UNKNOWN) {
        verdict_free(r->answer);
        r->answer = v;
        job->engine = from->engine;
        job->shared->stats = job->loaded;
        stats_add(&job->shared->stats, from->stats);
    } else if (!r->unknown) {
        r->unknown = v;
    } else if (v->cause > r->unknown->cause) {
        Verdict *before = r->unknown;
        verdict_note_reason(v, before);
        for (size_t i = 0; i < vec_len(before->notes); i++) verdict_note(v, "%s", before->notes[i]);
        verdict_free(before);
        r->unknown = v;
    } else if (from->luck || explain_lists(job->program, v)) { /* it has said so before, or will be told with others */
        verdict_free(v);
    } else {
        verdict_note_reason(r->unknown, v);
        verdict_free(v);
    }
}

/* When the next engine is to be started. */
static double next_start(const Race *r) {
    static const double head_start = 0.3;
    static const size_t processors = 2;
    if (r->next == NENGINES) return r->job->deadline + 1;
    double start = r->n < processors && engines[r->next].start > head_start ? head_start : engines[r->next].start;
    return r->n ? r->start + start : r->start;
}

static void join_race(Race *r, Runner runner) {
    r->running[r->n] = runner;
    r->children[r->n] = &r->running[r->n].child;
    r->n++;
}

static void start_engines(Race *r) {
    while (r->next < NENGINES && clock_seconds() >= next_start(r)) {
        unsigned e = r->next++;
        if (!engines[e].engine->supports(r->job->property)) continue;
        Runner runner;
        start_engine(r->job, e, engines[e].share, 0, &runner, false);
        join_race(r, runner);
    }
}

static void leave_race(Race *r, size_t i) {
    r->running[i] = r->running[--r->n];
    r->children[i] = &r->running[i].child;
}

/* An engine whose share ended, not its ideas. */
static void note_cut_off(Race *r, const Runner *done) {
    double left = done->deadline - clock_seconds(), share = done->deadline - r->start;
    for (unsigned e = 0; e < NENGINES; e++)
        if (engines[e].engine == done->engine && engines[e].share < 1 && left < 0.1 * share + 0.3) r->cut_off = e + 1;
}

/* The others have given up: the one that still runs has all the time. */
static void extend_last(Race *r) {
    if (r->n != 1 || r->next < NENGINES) return;
    Runner *last = &r->running[0];
    *last->more += r->job->deadline - last->deadline;
    last->deadline = last->child.limits.deadline = r->job->deadline;
}

/* The others have given up: what is left of the time is for one that was cut off, which tries its luck anew. */
static void use_rest(Race *r) {
    if (r->n || r->answer || !r->cut_off || r->job->deadline - clock_seconds() < 1) return;
    Runner runner;
    start_engine(r->job, r->cut_off - 1, 1.0, 1, &runner, false);
    r->cut_off = 0;
    join_race(r, runner);
}

static Verdict *run_race(Job *job) {
    Race r = {.job = job, .start = clock_seconds()};
    for (start_engines(&r); r.n && !is_final(job, r.answer); start_engines(&r), use_rest(&r), extend_last(&r)) {
        size_t i = children_wait(r.children, r.n, next_start(&r));
        if (i == r.n) continue;
        Runner done = r.running[i];
        leave_race(&r, i);
        note_cut_off(&r, &done);
        Verdict *v = finish_engine(&done);
        if (v) take_verdict(&r, &done, v);
        else join_race(&r, done);
    }
    while (r.n) stop_engine(&r.running[--r.n]);
    if (!r.answer) return r.unknown ? r.unknown : verdict_unknown((Position){0}, "no time was left for an engine");
    verdict_free(r.unknown);
    return r.answer;
}

/* Does the program hold whatever happens: is there no error in it, nor anything that is left out and might be one? */
static bool is_trivial(const Job *job) {
    const Program *p = job->program;
    if (job->property != PROPERTY_UNREACH_CALL || wants_obligations(job)) return false;
    return !program_has(p, LOCATION_ERROR) && !program_has(p, LOCATION_STOP);
}

static Verdict *trivial(Job *job) {
    Verdict *v = verdict_new(VERDICT_SAFE);
    v->proof = PROOF_NOTHING;
    job->engine = NULL;
    return v;
}

static Verdict *run_engine(Job *job) {
    if (!job->engine)
        return verdict_unknown((Position){0}, "no engine can decide the property %s yet", property_name(job->property));
    if (is_trivial(job)) return trivial(job);
    phase(job, "running the engine");
    if (job->automatic) return run_race(job);
    unsigned e = 0;
    while (engines[e].engine != job->engine) e++;
    Runner r;
    Child *list[] = {&r.child};
    start_engine(job, e, 1.0, 0, &r, false);
    Verdict *v = NULL;
    while (!v) {
        children_wait(list, 1, job->deadline + 1);
        v = finish_engine(&r);
    }
    stats_add(&job->shared->stats, r.stats);
    return v;
}

/* ---- a second look at what was proved ---- */

static Verdict *glance(Job *job, double seconds) {
    Runner r;
    Child *list[] = {&r.child};
    Verdict *v = NULL;
    start_engine(job, 0, seconds / (job->deadline - clock_seconds()), 0, &r, true);
    while (!v) {
        children_wait(list, 1, job->deadline + 1);
        v = finish_engine(&r);
    }
    return v;
}

static void take_warnings(Verdict *v, Verdict *from) {
    for (size_t i = 0; i < vec_len(from->warnings); i++) verdict_warn(v, "%s", from->warnings[i]);
    v->vacuous = from->vacuous;
    v->trace = from->trace;
    from->trace = NULL;
}

/* An invariant may hold because nothing happens: does any execution reach an assertion? The engine that runs the program tells, if it has
   not yet. */
static Verdict *with_glance(Job *job, Verdict *v) {
    const Stats *seen = &job->shared->stats_of[0];
    double left = job->deadline - clock_seconds() - 0.3, most = 1;
    if (v->kind != VERDICT_SAFE || v->proof != PROOF_INVARIANT || v->states || seen->judged || left < 0.1 || !program_has(job->program, LOCATION_ERROR))
        return v;
    phase(job, "looking for an execution that reaches an assertion");
    Verdict *g = replayed(job, glance(job, left < most ? left : most));
    if (g->kind == VERDICT_SAFE)
        take_warnings(v, g);
    else if (!seen->judged && seen->runs) verdict_warn(v, "none of the executions that were tried reaches an assertion");
    verdict_free(g);
    return v;
}

/* ---- checking ---- */
/* --replay: the claim is in a file. */
static Verdict *claim_of_file(const Job *job, Buf *error) {
    Buf text = {0};
    Verdict *v = NULL;
    Trace *t = file_read(job->options->replay, FILE_TEXT, &text, error)
                   ? schedule_read(job->options->replay, buf_string(&text), job->program, error)
                   : NULL;
    if (t) {
        v = verdict_new(VERDICT_UNSAFE);
        v->trace = t;
    }
    buf_free(&text);
    return v;
}

/* What is published: the verdict if its witness checks, else UNKNOWN. */
static Verdict *checked(Job *job, Verdict *v) {
    Buf why_not = {0};
    Verdict *bad = NULL;
    phase(job, "checking the verdict");
    v = replayed(job, v);
    bool nothing = v->proof == PROOF_NOTHING && !program_has(job->program, LOCATION_ERROR);
    if (v->kind == VERDICT_SAFE && !(nothing || v->proof == PROOF_EXHAUSTED || (v->proof == PROOF_INVARIANT && v->checked)))
        bad = verdict_unknown((Position){0}, "the engine gave no proof of its verdict");
    if (!bad && job->options->recheck && v->kind == VERDICT_SAFE && v->certificate &&
        !recheck(v->certificate, job->deadline - clock_seconds(), &why_not))
        bad = verdict_unknown((Position){0}, "cvc5 does not confirm the proof: %s", buf_string(&why_not));
    buf_free(&why_not);
    if (!bad) return v;
    verdict_free(v);
    return bad;
}

/* ---- reporting ---- */
static bool wants(const char *choice, const char *yes, bool otherwise) {
    return strcmp(choice, "auto") ? !strcmp(choice, yes) : otherwise;
}

static unsigned terminal_width(void) {
    struct winsize w;
    const char *columns = getenv("COLUMNS");
    if (!ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) && w.ws_col) return w.ws_col;
    return columns && atoi(columns) > 0 ? (unsigned)atoi(columns) : 0;
}

static TextStyle style_of(const Options *o) {
    bool terminal = isatty(STDOUT_FILENO);
    const char *term = getenv("TERM");
    return (TextStyle){
        .brief = o->quiet,
        .all = o->verbose,
        .stats = o->stats,
        .color = wants(o->color, "always", terminal && !getenv("NO_COLOR") && term && strcmp(term, "dumb")),
        .columns = wants(o->layout, "columns", terminal),
        .width = terminal_width(),
    };
}

static int exit_code(VerdictKind kind) {
    return kind == VERDICT_SAFE ? EXIT_SAFE : kind == VERDICT_UNSAFE ? EXIT_UNSAFE : EXIT_UNKNOWN;
}

typedef enum Form { FORM_TEXT, FORM_JSON, FORM_TRACE } Form;

static void tell(Buf *to, Form form, const Report *r, const TextStyle *style) {
    char *text = NULL;
    size_t length = 0;
    FILE *f = open_memstream(&text, &length);
    if (f && form == FORM_TEXT) report_text(f, r, style);
    else if (f && form == FORM_JSON) report_json(f, r);
    else if (f) schedule_write(f, r->program, r->verdict->trace, r->story);
    if (!f || ferror(f) || fclose(f)) lack("out of memory");
    buf_bytes(to, text, length);
    free(text);
}

/* Tell the verdict in all the forms asked for; the exit code. */
static int publish(Job *job, const Verdict *v, Output *out) {
    const Options *o = job->options;
    TextStyle style = style_of(o);
    Report report = {
        .program = job->program,
        .verdict = v,
        .property = property_name(job->property),
        .engine = o->replay ? "replay" : job->engine ? job->engine->name : "none",
        .data_model = o->data_model,
        .files = o->files,
        .seconds = clock_seconds() - job->start,
        .stats = &job->shared->stats,
    };
    Story *story = v->trace ? story_tell(job->program, v->trace) : NULL;
    Buf assuming = {0};
    if (v->vacuous) buf_text(&assuming, "vacuously");
    if (job->program && v->kind != VERDICT_UNKNOWN) explain_assumed(&assuming, job->program);
    report.story = story;
    report.assuming = assuming.length ? buf_string(&assuming) : NULL;
    if (!o->json || strcmp(o->json, "-")) tell(&out->text, FORM_TEXT, &report, &style);
    if (o->json) tell(&out->json, FORM_JSON, &report, &style);
    if (o->certificate && v->certificate) buf_text(&out->certificate, v->certificate);
    if (o->trace && v->trace && v->kind != VERDICT_SAFE) tell(&out->trace, FORM_TRACE, &report, &style);
    story_free(story);
    buf_free(&assuming);
    return exit_code(v->kind);
}

/* ---- the worker: the verifier on one screen ---- */
static int bad_input(const Buf *error) {
    fputs(buf_string(error), stderr);
    if (error->length && error->text[error->length - 1] != '\n') fputc('\n', stderr);
    return EXIT_INPUT;
}

/* Of --engine auto, those of redcomp. */
static int dump_pass(const Job *job, Output *out) {
    const Options *o = job->options;
    Buf error = {0};
    EngineTask task = {.program = job->program, .arithmetic = arithmetic_named(o->arith), .no_reduction = strcmp(o->reduction, "yes") != 0,
                       .rule = strcmp(o->rule, "auto") ? o->rule : NULL};
    bool done = dump_after(o->dump_after, job->automatic ? &engine_redcomp : job->engine, &task, &out->text, &error);
    int code = done ? 0 : bad_input(&error);
    buf_free(&error);
    return code;
}

static int dump(const Job *job, Output *out) {
    const Options *o = job->options;
    const Program *p = job->program;
    if (o->dump_after) return dump_pass(job, out);
    if (o->dump_ir) program_print(&out->text, p);
    else redcomp_dump(p, strcmp(o->rule, "auto") ? o->rule : NULL, o->dump_blocks, &out->text);
    return 0;
}

static bool dumps(const Options *o) { return o->dump_ir || o->dump_after || o->dump_blocks || o->dump_chc; }

static int verify(void *context, FILE *to) {
    Job *job = context;
    Buf error = {0};
    Output out = {0};
    int code;
    Program *program = load(job, job->options->dump_after, &error);
    job->program = program;
    if (!program) code = bad_input(&error);
    else if (dumps(job->options)) code = dump(job, &out);
    else {
        count_program(program, &job->loaded);
        job->shared->stats = job->loaded;
        Verdict *v = job->options->replay ? claim_of_file(job, &error) : run_engine(job);
        if (v) v = checked(job, v);
        if (v) v = with_glance(job, v);
        if (v) explain(v, program);
        code = v ? publish(job, v, &out) : bad_input(&error);
        verdict_free(v);
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
    switch (r.ending) {
    case ENDING_TIMEOUT:
        v = verdict_unknown((Position){0}, "the time limit of %g s was reached while %s", job->options->timeout, doing);
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

static bool choose_engine(Job *job, Buf *error) {
    const char *name = job->options->engine;
    if (job->options->switches >= 0) { /* only one engine counts them */
        if (strcmp(name, "auto") && strcmp(name, engine_explicit.name)) {
            buf_printf(error, "--switches is for the engine %s", engine_explicit.name);
            return false;
        }
        name = engine_explicit.name;
    }
    bool automatic = job->automatic = !strcmp(name, "auto"), known = automatic;
    for (unsigned i = 0; i < NENGINES && !job->engine; i++) {
        bool named = !strcmp(name, engines[i].engine->name);
        known |= named;
        if ((automatic || named) && engines[i].engine->supports(job->property)) job->engine = engines[i].engine;
    }
    if (known) return true;
    buf_printf(error, "there is no engine '%s'; there are: auto", name);
    for (unsigned i = 0; i < NENGINES; i++) buf_printf(error, " %s", engines[i].engine->name);
    return false;
}

void pipeline_engines(Buf *out) {
    buf_text(out, "\nEngines:\n");
    for (unsigned i = 0; i < NENGINES; i++) buf_printf(out, "  %-26s%s\n", engines[i].engine->name, engines[i].engine->summary);
}

/* The worker has ended as it should, or with a complaint of its own: about the input, or about itself. */
static int with_worker(const Job *job, int code, const Buf *sent, const Buf *errors, Output *out) {
    bool complaint = code == EXIT_INPUT || code == EXIT_INTERNAL;
    if (complaint) fputs(buf_string(errors), stderr);
    else said(job, errors);
    if (complaint || output_receive(out, sent)) return code;
    fprintf(stderr, "heddle: internal error: the verdict did not arrive\n");
    return EXIT_INTERNAL;
}

static int supervise(Job *job, Output *out) {
    Buf sent = {0}, errors = {0};
    /* The engine is stopped at the deadline by the worker; a worker that overruns it is stuck itself. */
    ChildLimits limits = {.deadline = job->deadline + 0.5, .memory = (uint64_t)(job->options->memory * 1048576), .group = true, .capture = true};
    ChildResult r = child_run(&limits, verify, job, &sent, &errors);
    if (job->terminal >= 0) dprintf(job->terminal, "\r\033[K");
    if (r.ending != ENDING_EXIT) said(job, &errors);
    int code = r.ending == ENDING_EXIT ? with_worker(job, r.code, &sent, &errors, out) : without_worker(job, r, &errors, out);
    buf_free(&sent);
    buf_free(&errors);
    return code;
}

/* A property's file may be a pipe that nobody writes to: the time limit holds for it, too. */
static bool find_property(Job *job, Buf *error) {
    alarm((unsigned)fmin(job->options->timeout + 1, 1e9));
    bool found = property_find(job->options->property, &job->property, error);
    alarm(0);
    return found;
}

int pipeline_run(const Options *o, double start) {
    Job job = {.options = o, .start = start, .deadline = start + o->timeout, .terminal = -1, .log = -1};
    Buf error = {0};
    Output out = {0};
    child_catch_signals();
    if (!find_property(&job, &error) || !choose_engine(&job, &error) || (o->dump_after && !dump_knows(o->dump_after, &error))) {
        fprintf(stderr, "heddle: %s\n", buf_string(&error));
        buf_free(&error);
        return EXIT_INPUT;
    }
    job.shared = mmap(NULL, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (job.shared == MAP_FAILED) lack("no shared memory: %s", strerror(errno));
    if (isatty(STDERR_FILENO) && !o->quiet) job.terminal = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
    if (o->verbose) job.log = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
    int code = supervise(&job, &out);
    if (!output_deliver(&out, o)) code = EXIT_INTERNAL;
    output_free(&out);
    buf_free(&error);
    munmap(job.shared, sizeof(Shared));
    return code;
}
