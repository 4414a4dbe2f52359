/* SPDX-License-Identifier: Apache-2.0 */
/* RC11 has the theorem (PLDI 2017, DRF): if in all sequentially consistent executions of a program accesses race only if both are seq_cst, then these are all its
   executions. To race is to conflict without happens-before. So the property no-data-race is asked of the program in which weaker atomics are plain: then they race
   too, and of what they order nothing is used. Locks, creation and joins order, and so does a seq_cst access that reads what another one wrote. An attempt to lock
   that fails orders nothing, and may fail where the mutex is free: the models see to that (turned_down).

   Where that is no proof, all executions are looked at as graphs, if they are few; that is tried first where there are weaker atomics. */
#include "strategy/drf.h"
#include "strategy/aside.h"
#include "base/clock.h"
#include "base/vec.h"
#include "check/judge.h"
#include "load.h"
#include "result/property.h"
#include "process/runner.h"

/* Weaker atomics become plain. */
static void make_plain(Program *p) {
    for (size_t t = 0; t < vec_len(p->templates); t++)
        for (size_t a = 0; a < vec_len(p->templates[t]->actions); a++) {
            Instr *instrs = p->templates[t]->actions[a].instrs;
            for (size_t i = 0; i < vec_len(instrs); i++)
                if (instr_is_weak(&instrs[i])) instrs[i].atomic = false, instrs[i].order = instrs[i].failure = ORDER_SEQ_CST;
        }
    p->memory = MEMORY_SC;
}

/* Where the thread that takes step n from the end is then. */
static Position position_of(const Program *p, const Trace *t, size_t n) {
    unsigned *templates = NULL; /* by thread number */
    Position at = {0};
    vec_push(templates, 0);
    vec_push(templates, 0);
    for (size_t i = 0; i + n <= vec_len(t->steps); i++) {
        const TraceStep *s = &t->steps[i];
        const Action *a = &p->templates[templates[s->thread]]->actions[s->action];
        for (size_t k = 0; k < vec_len(a->instrs); k++)
            if (a->instrs[k].kind == INSTR_CREATE) vec_push(templates, a->instrs[k].template_);
        at = a->position;
    }
    vec_free(templates);
    return at;
}

static Verdict *name_pair(const Program *p, Verdict *v) {
    if (v->kind != VERDICT_UNSAFE || vec_len(v->trace->steps) < 2) return v;
    Position first = position_of(p, v->trace, 2), second = position_of(p, v->trace, 1);
    verdict_free(v);
    return verdict_unknown(second, "this access and that of line %u race, and are not both seq_cst atomics", first.line);
}

static double halfway(const Job *job) { return (clock_seconds() + job->deadline) / 2; }

/* SAFE: nothing races but seq_cst atomics. */
static Verdict *find_races(Job *job, Verdict *(*decide)(Job *)) {
    Buf error = {0};
    Question races = job->question;
    races.property = PROPERTY_NO_DATA_RACE;
    Program *p = load(job->options, &races, job->kept, &error);
    Verdict *v = p ? NULL : verdict_unknown((Position){0}, "%s", buf_string(&error));
    buf_free(&error);
    if (v) return v;
    make_plain(p);
    return name_pair(p, aside(job, p, PROPERTY_NO_DATA_RACE, halfway(job), decide));
}

/* What was proved about races goes with the rest. */
static void keep_certificate(Verdict *v, const Verdict *races) {
    aside_certificate(
        v,
        "; Under C11, where nothing races but seq_cst atomics, all executions are sequentially consistent (RC11, DRF theorem: trusted).\n"
        "; That nothing else races:\n",
        races->certificate, "; it was proved by locks, creation and joins, or by visiting all states.\n; The property:\n");
}

static void note_same(Verdict *v) {
    verdict_note(v, "under C11 (RC11) as under sequential consistency: no two accesses race, but for seq_cst atomics");
}

static Verdict *as_under_sc(Job *job, const Verdict *races, Verdict *(*decide)(Job *)) {
    job->program = aside_sc(job->program);
    Verdict *v = decide(job);
    keep_certificate(v, races);
    note_same(v);
    return v;
}

/* The number of graphs is what it is for few: others have their time. */
static Verdict *look_at_graphs(Job *job, double share) {
    if (!job->automatic && job->engine != &engine_explicit)
        return verdict_unknown((Position){0}, "under C11 only the engine %s looks at executions", engine_explicit.name);
    Runner r = runner_new(job, &engine_explicit, 0, share);
    Verdict *v = judge_witness(job, runner_run(&r));
    if (v->kind != VERDICT_UNKNOWN) stats_add(&job->shared->stats, runner_stats(&r));
    if (v->kind != VERDICT_UNKNOWN) job->engine = &engine_explicit;
    return v;
}

static bool has_weaker(const Program *p) {
    for (size_t t = 0; t < vec_len(p->templates); t++)
        for (size_t a = 0; a < vec_len(p->templates[t]->actions); a++)
            for (size_t i = 0; i < vec_len(p->templates[t]->actions[a].instrs); i++)
                if (instr_is_weak(&p->templates[t]->actions[a].instrs[i])) return true;
    return false;
}

/* A race under sequential consistency is one. What locks, creation and joins keep apart they do whatever is read. Otherwise all executions are looked at, if they are
   few. */
static Verdict *decide_races(Job *job, const Verdict *races, Verdict *(*decide)(Job *)) {
    const Program *p = job->program;
    job->program = aside_sc(p);
    Verdict *v = decide(job);
    if (v->kind != VERDICT_SAFE || v->proof == PROOF_APART) return v;
    verdict_free(v);
    job->program = p;
    if (job->automatic || job->engine == &engine_explicit) {
        v = look_at_graphs(job, 1);
        if (v->kind == VERDICT_SAFE) return v;
        verdict_free(v);
    }
    v = verdict_unknown((Position){0},
                        "there is no data race under sequential consistency; there are other executions, unless only seq_cst atomics race");
    verdict_note_reason(v, races);
    return v;
}

static Verdict *without_proof(Job *job, Verdict *graphs, const Verdict *races, Verdict *(*decide)(Job *)) {
    Verdict *v = graphs;
    if (job->question.property == PROPERTY_NO_DATA_RACE) return decide_races(job, races, decide);
    if (job->question.property != PROPERTY_UNREACH_CALL)
        v = verdict_unknown(races->position, "the property %s is judged under C11 only where nothing races but seq_cst atomics: %s",
                            property_name(job->question.property), races->reason);
    else if (!v) v = look_at_graphs(job, 1);
    if (v->kind == VERDICT_UNKNOWN) verdict_note_reason(v, races);
    return v;
}

void drf_replay(Job *job, const Verdict *claim) {
    if (!claim || job->program->memory != MEMORY_C11) return;
    for (size_t i = 0; i < vec_len(claim->trace->steps); i++)
        if (claim->trace->steps[i].action == TRACE_FLUSH) return;
    job->program = aside_sc(job->program);
}

Verdict *drf_run(Job *job, Verdict *(*decide)(Job *)) {
    bool asks_errors = job->question.property == PROPERTY_UNREACH_CALL, bounded = job->question.bounded;
    Verdict *v = asks_errors && (bounded || has_weaker(job->program)) ? look_at_graphs(job, bounded ? 1 : 0.5) : NULL;
    if (v && (v->kind != VERDICT_UNKNOWN || bounded)) return v;
    job_phase(job, "looking for what races under sequential consistency");
    Verdict *races = find_races(job, decide);
    if (races->kind != VERDICT_SAFE) return without_proof(job, v, races, decide);
    if (job->question.property != PROPERTY_NO_DATA_RACE) return as_under_sc(job, races, decide);
    note_same(races);
    return races;
}
