/* SPDX-License-Identifier: Apache-2.0 */
/* The engine `redcomp`: reduction to blocks, then Horn clauses. The program is prepared (one template per thread,
   memory as variables, integers where possible), its movers and blocks are found, and a rule (one file each in this folder)
   turns it into clauses for Spacer. A solution becomes a proof, a refutation a schedule. */
#include "base/clock.h"
#include "base/vec.h"
#include "engine/engine.h"
#include "engine/horn/modular.h"
#include "engine/horn/product.h"
#include "engine/horn/redcomp.h"
#include "transform/prepare.h"
#include "transform/schedule.h"

enum { MAX_NODES = 6000, MANY_NODES = 800, FEW_CONTEXTS = 20, CLAUSE_MS = 2000 };

typedef struct Work {
    const EngineTask *task;
    double start;
    Prepared prepared;
} Work;

static double remaining(const Work *w) { return w->task->budget.seconds - (clock_seconds() - w->start); }

static void progress(const Work *w, const char *line) {
    if (w->task->progress) w->task->progress(w->task->context, line);
}

/* ---- the rule product ---- */

static const Expr *node_invariant(const Work *w, const Product *p, const ProductNode *n) {
    const System *s = w->prepared.system;
    const Expr **args = NULL, *e = expr_bool(s->exprs, true);
    for (unsigned i = 0; i < n->nargs; i++) vec_push(args, system_expr(s, n->args[i]));
    for (unsigned v = 0; v < vec_len(s->variables); v++)
        if (n->values[v]) e = expr_and(s->exprs, e, expr_eq(s->exprs, system_expr(s, v), n->values[v]));
    const Expr *solution = horn_solution(p->horn, n->predicate, args);
    vec_free(args);
    return solution ? expr_and(s->exprs, e, solution) : NULL;
}

static Verdict *safe_by(Proof *proof, bool readable) {
    Verdict *v = readable ? verdict_new(VERDICT_SAFE) : verdict_unknown((Position){0}, "redcomp: the solver's invariant cannot be read");
    v->proof = PROOF_INVARIANT;
    v->invariant = proof;
    return v;
}

static Verdict *safe_by_product(Work *w, const Product *p) {
    Proof *proof = prepared_proof(&w->prepared, RULE_PRODUCT);
    bool readable = true;
    for (size_t i = 0; i < vec_len(p->nodes); i++) {
        ProofNode n = {.invariant = node_invariant(w, p, &p->nodes[i])};
        for (size_t t = 0; t < vec_len(w->prepared.system->threads); t++) vec_push(n.locations, p->nodes[i].locations[t]);
        readable &= n.invariant != NULL;
        vec_push(proof->nodes, n);
    }
    return safe_by(proof, readable);
}

static Verdict *unsafe_by_product(Work *w, Product *p) {
    HornLimits limits = {.milliseconds = (unsigned)(remaining(w) * 1000)};
    size_t *path = horn_refutation(p->horn, limits);
    ScheduleStep *steps = NULL;
    const ProductClause *last = path ? &p->clauses[vec_last(path)] : NULL;
    for (size_t i = 0; i < vec_len(path); i++)
        for (size_t k = 0; k < vec_len(p->clauses[path[i]].steps); k++) vec_push(steps, p->clauses[path[i]].steps[k]);
    Verdict *v = NULL;
    if (last && last->stop) {
        v = verdict_unknown(prepared_position(w->task->program, last->position), "redcomp: an execution reaches what is not modelled");
    } else {
        Trace *trace = steps ? schedule_trace(w->task->program, w->prepared.program, w->prepared.translation, w->prepared.system, w->prepared.smt, steps, vec_len(steps)) : NULL;
        if (trace) {
            v = verdict_new(VERDICT_UNSAFE);
            v->trace = trace;
        } else {
            v = verdict_unknown((Position){0}, "redcomp: a counterexample of the abstraction is none of the program");
        }
    }
    vec_free(path);
    vec_free(steps);
    return v;
}

/* Some models of the solver are wrong about predicates that it had inlined: then once more, without inlining. */
static HornAnswer solve(Work *w, Horn *h, double seconds, unsigned contexts) {
    HornLimits limits = {.milliseconds = (unsigned)(seconds * 1000), .contexts = contexts};
    HornAnswer a = horn_solve(h, limits);
    if (a != HORN_SOLVED || horn_check_solution(h, CLAUSE_MS, NULL) || remaining(w) < 1) return a;
    progress(w, "redcomp: solving Horn clauses without preprocessing");
    limits.plain = true;
    limits.milliseconds = (unsigned)(remaining(w) * 1000);
    return horn_solve(h, limits);
}

static Verdict *run_product(Work *w) {
    Stats *stats = w->task->stats;
    progress(w, "redcomp: product of the threads' blocks");
    Product *p = product_new(w->prepared.system, w->prepared.blocks, w->prepared.smt, MAX_NODES);
    Verdict *v = NULL;
    stats->nodes = vec_len(p->nodes);
    stats->clauses = horn_clauses(p->horn);
    if (p->too_large) {
        v = verdict_unknown((Position){0}, "redcomp: the product of the threads has more than %d nodes", MAX_NODES);
    } else {
        progress(w, "redcomp: solving Horn clauses");
        switch (solve(w, p->horn, remaining(w), vec_len(p->nodes) > MANY_NODES ? FEW_CONTEXTS : 0)) {
        case HORN_SOLVED: v = safe_by_product(w, p); break;
        case HORN_REFUTED: v = unsafe_by_product(w, p); break;
        case HORN_UNKNOWN: v = verdict_unknown((Position){0}, "redcomp: the Horn clauses were not solved (%s)", horn_reason(p->horn)); break;
        }
    }
    product_free(p);
    return v;
}

/* ---- the rule modular ---- */

static Verdict *safe_by_modular(Work *w, Modular *m) {
    Proof *proof = prepared_proof(&w->prepared, RULE_MODULAR);
    bool readable = true;
    for (unsigned t = 0; t < vec_len(w->prepared.system->threads); t++) {
        const Expr **list = NULL;
        for (unsigned l = 0; l < vec_len(w->prepared.system->threads[t].locations); l++) {
            vec_push(list, modular_invariant(m, t, l));
            readable &= vec_last(list) != NULL;
        }
        vec_push(proof->invariants, list);
    }
    return safe_by(proof, readable);
}

static Verdict *run_modular(Work *w) {
    progress(w, "redcomp: modular invariants");
    Modular *m = modular_new(w->prepared.system, w->prepared.blocks, w->prepared.smt);
    Verdict *v = NULL;
    w->task->stats->clauses = horn_clauses(m->horn);
    /* Most are solved at once; else simple facts help, or do it alone (loops with large bounds). */
    double first = remaining(w) / 8;
    HornAnswer answer = solve(w, m->horn, first < 1.5 ? first : 1.5, 0);
    if (answer == HORN_UNKNOWN) {
        progress(w, "redcomp: simple inductive facts");
        answer = HORN_SOLVED;
        if (!modular_facts(m, w->prepared.smt, remaining(w) / 3)) answer = solve(w, m->horn, remaining(w), 0);
    }
    switch (answer) {
    case HORN_SOLVED: v = safe_by_modular(w, m); break;
    case HORN_REFUTED: v = verdict_unknown((Position){0}, "redcomp: there is no modular proof (invariants of one thread at a time do not suffice)"); break;
    case HORN_UNKNOWN: v = verdict_unknown((Position){0}, "redcomp: the Horn clauses were not solved (%s)", horn_reason(m->horn)); break;
    }
    modular_free(m);
    return v;
}

/* ---- the engine ---- */

static bool has_many(const System *s) {
    for (size_t t = 0; t < vec_len(s->threads); t++)
        if (s->threads[t].many) return true;
    return false;
}

static Verdict *attempt(const EngineTask *task, double start, bool integers) {
    Work w = {.task = task, .start = start};
    Verdict *v = prepare(&w.prepared, task->program, integers, "redcomp");
    if (!v) {
        progress(&w, "redcomp: movers and blocks");
        prepare_blocks(&w.prepared, !task->no_reduction, task->stats);
        v = has_many(w.prepared.system) ? run_modular(&w) : run_product(&w);
    }
    prepared_release(&w.prepared);
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

void redcomp_dump(const Program *program, bool blocks, Buf *out) {
    Prepared w;
    Verdict *v = prepare(&w, program, true, "redcomp");
    if (v) {
        buf_printf(out, "%s\n", v->reason);
    } else {
        prepare_blocks(&w, true, NULL);
        bool many = has_many(w.system);
        Product *p = blocks || many ? NULL : product_new(w.system, w.blocks, w.smt, MAX_NODES);
        Modular *m = blocks || !many ? NULL : modular_new(w.system, w.blocks, w.smt);
        if (blocks) blocks_print(out, w.system, w.movers, w.blocks);
        else horn_print(out, m ? m->horn : p->horn);
        product_free(p);
        modular_free(m);
    }
    verdict_free(v);
    prepared_release(&w);
}

static bool supports(Property p) { return p == PROPERTY_UNREACH_CALL; }

const Engine engine_redcomp = {"redcomp", "reduction to blocks, Horn clauses; proves programs with unbounded data", supports, run};
