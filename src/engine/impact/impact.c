/* SPDX-License-Identifier: Apache-2.0 */
/* The engine `impact`: lazy abstraction with interpolants, with partial order reduction. After Wachter, Kroening, Ouaknine: Verifying
   multi-threaded software with Impact. An abstract reachability tree is unfolded over vectors of locations; paths to an error that are not
   possible give labels; a node whose label implies that of another need not be unfolded.

   We deviate: vectors carry the constants of plain variables, so labels speak only of what has many values; steps are whole blocks; sleep sets take
   the place of monotonic paths (which are there for comparison); and the tree is a proof that is checked apart from the engine. */
#include "base/clock.h"
#include "base/vec.h"
#include "engine/impact/art.h"

static bool has_many(const System *s) {
    for (size_t t = 0; t < vec_len(s->threads); t++)
        if (s->threads[t].many) return true;
    return false;
}

static Verdict *safe_verdict(const Art *a, Prepared *p) {
    Verdict *v = verdict_new(VERDICT_SAFE);
    v->proof = PROOF_INVARIANT;
    v->invariant = certify(a, p);
    return v;
}

static Verdict *error_verdict(const Art *a, const Prepared *p) {
    const Letter *last = &a->letters->list[a->reached];
    const SystemLocation *l = &p->system->threads[last->thread].locations[last->step.target];
    if (l->kind == LOCATION_STOP)
        return verdict_unknown(prepared_position(a->task->program, l->position), "impact: an execution reaches what is not modelled");
    Trace *trace = schedule_trace(a->task->program, p->program, p->translation, p->system, p->smt, a->schedule, vec_len(a->schedule));
    if (!trace) return verdict_unknown((Position){0}, "impact: a counterexample of the abstraction is none of the program");
    Verdict *v = verdict_new(VERDICT_UNSAFE);
    v->trace = trace;
    return v;
}

static Verdict *search(const EngineTask *task, Prepared *p, double deadline) {
    Art *a = art_new(task, p, deadline);
    Verdict *v = NULL;
    switch (explore(a)) {
    case EXPLORED_SAFE: v = safe_verdict(a, p); break;
    case EXPLORED_ERROR: v = error_verdict(a, p); break;
    case EXPLORED_UNKNOWN: v = verdict_unknown((Position){0}, "impact: %s", a->incomplete ? a->incomplete : "no time is left"); break;
    }
    art_free(a);
    return v;
}

static Verdict *attempt(const EngineTask *task, double start, bool integers) {
    Prepared p;
    Verdict *v = prepare(&p, task->program, integers, "impact");
    if (!v && has_many(p.system)) v = verdict_unknown((Position){0}, "impact: the number of threads has no known bound");
    if (!v) {
        if (task->progress) task->progress(task->context, "impact: movers and blocks");
        prepare_blocks(&p, !task->no_reduction, task->stats);
        v = search(task, &p, start + task->budget.seconds);
    }
    prepared_release(&p);
    return v;
}

static Verdict *run(const EngineTask *task) {
    double start = clock_seconds();
    Verdict *v = attempt(task, start, task->arith != ARITH_BV);
    if (task->arith != ARITH_AUTO || v->kind != VERDICT_UNKNOWN || clock_seconds() - start > task->budget.seconds / 2) return v;
    Verdict *again = attempt(task, start, false);
    if (again->kind == VERDICT_UNKNOWN) {
        verdict_free(again);
        return v;
    }
    verdict_free(v);
    return again;
}

static bool supports(Property p) { return p == PROPERTY_UNREACH_CALL; }

const Engine engine_impact = {"impact", "lazy abstraction with interpolants, partial order reduction", supports, run};
