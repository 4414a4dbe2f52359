/* SPDX-License-Identifier: Apache-2.0 */
#include "check/judge.h"
#include "base/clock.h"
#include "base/vec.h"
#include "check/assumed.h"
#include "check/lock_order.h"
#include "check/recheck.h"
#include "check/replay.h"
#include "ir/asserts.h"
#include "process/runner.h"
#include <string.h>

/* ---- orders of locks ---- */

static Verdict *judge_order(const Job *job, Verdict *v) {
    Buf why = {0}, certificate = {0};
    LockOrder *order = lock_order_receive(job->program, v->order);
    if (!order) buf_text(&why, "it is none");
    v->checked = order && lock_order_check(job->program, order, &v->obligations, job_wants_obligations(job) ? &certificate : NULL, &why);
    Verdict *bad =
        v->checked ? NULL : verdict_unknown((Position){0}, "the order of locks that was found does not check: %s", buf_string(&why));
    v->certificate = certificate.text;
    lock_order_free(order);
    buf_free(&why);
    if (bad) verdict_free(v);
    return bad ? bad : v;
}

/* ---- traces ---- */

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
    if (v->trace && !replay_to_fault(job->program, &job->question, v->trace)) {
        trace_free(v->trace);
        v->trace = NULL;
    }
    return v;
}

Verdict *judge_witness(const Job *job, Verdict *v) {
    Buf why = {0};
    Verdict *bad = NULL;
    Position at = {0};
    if (v->kind == VERDICT_SAFE && v->proof == PROOF_ORDER && !v->checked) return judge_order(job, v);
    if (v->kind == VERDICT_SAFE) return with_fault(job, v);
    if (v->kind != VERDICT_UNSAFE && v->cause != CAUSE_ASSUMED) return v;
    bool error = v->trace && replay_violates(job->program, &job->question, v->trace, &why);
    if (!error && job->options->replay)
        bad = verdict_unknown((Position){0}, "the trace in %s does not replay: %s; perhaps it was cut short or changed",
                              job->options->replay, buf_string(&why));
    else if (!error) bad = verdict_unknown((Position){0}, "the trace that was found does not replay: %s", buf_string(&why));
    else if (v->trace->end == TRACE_ENDLESS && job->question.fair == FAIR_WEAK)
        bad = verdict_unknown((Position){0}, "the trace is of a scheduler that is not fair");
    else if (assumed_text(&why, &at, job->program, &job->question, v->trace)) bad = assumed(v, at, buf_string(&why));
    else v->kind = VERDICT_UNSAFE;
    buf_free(&why);
    if (bad) verdict_free(v);
    return bad ? bad : v;
}

/* ---- all ---- */

Verdict *judge(Job *job, Verdict *v) {
    Buf why_not = {0};
    Verdict *bad = NULL;
    job_phase(job, "checking the verdict");
    v = judge_witness(job, v);
    bool proved = (v->proof == PROOF_INVARIANT || v->proof == PROOF_ORDER || v->proof == PROOF_APART) && v->checked;
    bool nothing = v->proof == PROOF_NOTHING && !program_has(job->program, LOCATION_ERROR);
    if (v->kind == VERDICT_SAFE && !(nothing || v->proof == PROOF_EXHAUSTED || proved))
        bad = verdict_unknown((Position){0}, "the engine gave no proof of its verdict");
    if (!bad && job->options->recheck && v->kind == VERDICT_SAFE && v->certificate &&
        !recheck(v->certificate, job->deadline - clock_seconds(), &why_not))
        bad = verdict_unknown((Position){0}, "cvc5 does not confirm the proof: %s", buf_string(&why_not));
    buf_free(&why_not);
    if (!bad) return v;
    verdict_free(v);
    return bad;
}

/* ---- a second look at what was proved ---- */

/* Somebody met undefined behaviour, and had no time left to say which. */
static void note_cut(const Job *job, Verdict *v) {
    bool met = false;
    for (unsigned i = 0; i < MOST_RUNNERS; i++) met |= job->shared->stats_of[i].undefined != 0;
    if (v->kind != VERDICT_SAFE || v->cut || !met) return;
    v->cut = strdup("some executions come to it");
    v->cut_by = property_faults(PROPERTY_VALID_MEMSAFETY, 0) | property_faults(PROPERTY_NO_OVERFLOW, 0);
}

/* Whether memory is lost is asked where main returns. Where it ends by pthread_exit, nobody asks. */
static void note_unasked(const Job *job, Verdict *v) {
    const Program *p = job->program;
    const Template *main_ = p->templates[0];
    if (v->kind != VERDICT_SAFE || job->question.property != PROPERTY_VALID_MEMSAFETY || !program_allocates(p)) return;
    if (!question_has_parts(&job->question, PART_MEMTRACK | PART_MEMCLEANUP)) return;
    for (size_t i = 0; i < vec_len(main_->locations); i++)
        if (main_->locations[i].kind == LOCATION_END) {
            verdict_warn(v, "main may end by pthread_exit: whether memory is lost then is not asked");
            return;
        }
}

static void look_for_fault(void *context, const Expr *e) { *(bool *)context |= expr_may_fault(e); }

static void look_for_variable(void *context, const Symbol *s) { *(bool *)context |= s->kind == SYM_VARIABLE; }

/* Is there an operation, or an access by a computed address, that may be at fault? */
static bool may_be_undefined(const Program *p) {
    bool found = false;
    for (size_t t = 0; t < vec_len(p->templates); t++)
        for (size_t a = 0; a < vec_len(p->templates[t]->actions) && !found; a++) {
            const Action *x = &p->templates[t]->actions[a];
            if (x->guard) look_for_fault(&found, x->guard);
            for (size_t i = 0; i < vec_len(x->instrs) && !found; i++) {
                instr_expressions(&x->instrs[i], look_for_fault, &found);
                bool number = x->instrs[i].kind == INSTR_JOIN || x->instrs[i].kind == INSTR_ASSUME; /* of a thread */
                if (x->instrs[i].address && !number) expr_symbols(x->instrs[i].address, look_for_variable, &found);
            }
        }
    return found;
}

/* Proofs follow no execution: nobody looked whether one is cut off. */
static void note_unlooked(const Job *job, Verdict *v) {
    unsigned both = 1u << PROPERTY_VALID_MEMSAFETY | 1u << PROPERTY_NO_OVERFLOW;
    if (v->kind != VERDICT_SAFE || v->proof == PROOF_EXHAUSTED || v->proof == PROOF_NOTHING || v->cut) return;
    if ((job->properties & both) != both && may_be_undefined(job->program))
        verdict_note(v, "whether behaviour is undefined elsewhere was not looked at: --property all does");
}

static void take_warnings(Verdict *v, Verdict *from) {
    for (size_t i = 0; i < vec_len(from->warnings); i++) verdict_warn(v, "%s", from->warnings[i]);
    v->vacuous = from->vacuous;
    v->trace = from->trace;
    from->trace = NULL;
}

/* The engine that runs the program looks for an execution that reaches an assertion, for a moment or as long as the proof took. True: it has seen all. */
static bool glance(Job *job, Verdict *v, double left) {
    double taken = clock_seconds() - job->start, most = taken < 0.5 ? 0.5 : taken < 1 ? taken : 1;
    job_phase(job, "looking for an execution that reaches an assertion");
    Runner r = runner_new(job, &engine_explicit, 0, (left < most ? left : most) / (job->deadline - clock_seconds()));
    r.glance = true;
    Verdict *g = judge_witness(job, runner_run(&r));
    bool all = g->kind == VERDICT_SAFE;
    if (all) take_warnings(v, g);
    verdict_free(g);
    return all;
}

/* An invariant may hold because nothing happens. The engine that runs the program tells; beside the one that proved it, it has tried enough. */
Verdict *judge_vacuity(Job *job, Verdict *v) {
    enum { ENOUGH = 1000 };
    note_cut(job, v);
    note_unasked(job, v);
    note_unlooked(job, v);
    const Stats *seen = &job->shared->stats_of[0];
    double left = job->deadline - clock_seconds() - 0.3;
    if (v->kind != VERDICT_SAFE || v->proof != PROOF_INVARIANT || v->states) return v;
    if (seen->judged || left < 0.1 || !program_has(job->program, LOCATION_ERROR)) return v;
    bool all = seen->runs < ENOUGH && glance(job, v, left);
    if (!all && !seen->judged && seen->runs) verdict_warn(v, "none of the executions that were tried reaches an assertion");
    return v;
}
