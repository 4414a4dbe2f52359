/* SPDX-License-Identifier: Apache-2.0 */
/* The engine `redcomp`: reduction to blocks, then Horn clauses. The program is prepared (one template per thread,
   memory as variables, integers where possible), its movers and blocks are found, and a rule (one file each in this folder)
   turns it into clauses for Spacer. A solution becomes a proof, a refutation a schedule. */
#include "base/die.h"
#include "base/vec.h"
#include "engine/engine.h"
#include "engine/horn/redcomp.h"
#include "engine/horn/modular.h"
#include "engine/horn/schedule.h"
#include "ir/copy.h"
#include "ir/promote.h"
#include "transform/build_system.h"
#include "transform/instances.h"
#include "transform/lock_results.h"
#include "transform/locks.h"
#include "transform/regions.h"
#include "transform/specialise.h"
#include "transform/twins.h"
#include <stdlib.h>
#include <time.h>

enum { MAX_NODES = 6000, MANY_NODES = 800, FEW_CONTEXTS = 20, CLAUSE_MS = 2000 };

typedef struct Work {
    const EngineTask *task;
    double start;
    Program *program; /* transformed */
    Translation *translation;
    System *system;
    Smt *smt;
    Movers *movers;
    Blocks *blocks;
} Work;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static double remaining(const Work *w) { return w->task->budget.seconds - (now() - w->start); }

static void progress(const Work *w, const char *line) {
    if (w->task->progress) w->task->progress(w->task->context, line);
}

/* A position of the transformed program, with a file name that outlives it. */
static Position lasting(const Work *w, Position at) {
    if (at.file) at.file = exprs_intern(w->task->program->exprs, at.file);
    return at;
}

/* ---- preparation ---- */

static void release(Work *w) {
    blocks_free(w->system, w->blocks);
    movers_free(w->system, w->movers);
    smt_free(w->smt);
    system_free(w->system);
    translation_free(w->translation);
    program_free(w->program);
}

/* NULL, or why it cannot be done. */
static Verdict *prepare(Work *w, bool integers) {
    Buf why = {0};
    Position where = {0};
    w->program = program_copy(w->task->program);
    w->translation = translation_new(w->program);
    specialise(w->program, w->translation);
    program_promote(w->program);
    instances(w->program, w->translation);
    twins(w->program, w->translation);
    Verdict *v = NULL;
    bool done = regions(w->program, &why, &where);
    if (done) {
        lock_results(w->program);
        specialise(w->program, w->translation); /* what is constant now that memory and locks are assignments */
    }
    if (!done) v = verdict_unknown(lasting(w, where), "redcomp: %s", buf_string(&why));
    else if (!(w->system = build_system(w->program, integers, &why))) v = verdict_unknown(lasting(w, where), "redcomp: %s", buf_string(&why));
    buf_free(&why);
    return v;
}

static void find_blocks(Work *w) {
    progress(w, "redcomp: movers and blocks");
    w->smt = smt_new(w->system->exprs);
    find_locks(w->system, w->smt);
    bool *relevant = system_relevant(w->system);
    w->movers = movers_new(w->system, w->smt, relevant);
    vec_free(relevant);
    bool reduce = !w->task->no_reduction;
    if (!reduce) movers_forget(w->movers);
    w->blocks = blocks_new(w->system, w->smt, reduce ? w->movers : NULL);
    w->task->stats->blocks = 0;
    for (size_t t = 0; t < vec_len(w->system->threads); t++)
        for (size_t l = 0; l < vec_len(w->blocks->out[t]); l++)
            w->task->stats->blocks += w->blocks->out[t][l] && vec_len(w->system->threads[t].locations[l].out);
}

/* ---- the rule product ---- */

static const Expr *node_invariant(const Work *w, const Product *p, const ProductNode *n) {
    const System *s = w->system;
    const Expr **args = NULL, *e = expr_bool(s->exprs, true);
    for (unsigned i = 0; i < n->nargs; i++) vec_push(args, system_expr(s, n->args[i]));
    for (unsigned v = 0; v < vec_len(s->variables); v++)
        if (n->values[v]) e = expr_and(s->exprs, e, expr_eq(s->exprs, system_expr(s, v), n->values[v]));
    const Expr *solution = horn_solution(p->horn, n->predicate, args);
    vec_free(args);
    return solution ? expr_and(s->exprs, e, solution) : NULL;
}

#define COPY_VEC(to, from, type)                                                                                                      \
    do {                                                                                                                              \
        type *copy_ = NULL;                                                                                                           \
        for (size_t i_ = 0; i_ < vec_len(from); i_++) vec_push(copy_, (from)[i_]);                                                     \
        vec_push(to, copy_);                                                                                                          \
    } while (0)

/* A proof by some rule, with blocks, movers and facts. It takes the program and the system over. */
static Proof *begin_proof(Work *w, ProofRule rule) {
    Proof *proof = proof_new(rule, w->program, w->system);
    for (size_t t = 0; t < vec_len(w->system->threads); t++) {
        COPY_VEC(proof->out, w->blocks->out[t], bool);
        COPY_VEC(proof->stop, w->blocks->stop[t], bool);
        COPY_VEC(proof->movers, w->movers->kind[t], uint8_t);
        COPY_VEC(proof->facts, w->movers->facts[t], const Expr *);
    }
    return proof;
}

static Verdict *safe_by(Proof *proof, bool readable) {
    Verdict *v = readable ? verdict_new(VERDICT_SAFE) : verdict_unknown((Position){0}, "redcomp: the solver's invariant cannot be read");
    v->proof = PROOF_INVARIANT;
    v->invariant = proof;
    return v;
}

static Verdict *safe_by_product(Work *w, const Product *p) {
    Proof *proof = begin_proof(w, RULE_PRODUCT);
    bool readable = true;
    for (size_t i = 0; i < vec_len(p->nodes); i++) {
        ProofNode n = {.invariant = node_invariant(w, p, &p->nodes[i])};
        for (size_t t = 0; t < vec_len(w->system->threads); t++) vec_push(n.locations, p->nodes[i].locations[t]);
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
        v = verdict_unknown(lasting(w, last->position), "redcomp: an execution reaches what is not modelled");
    } else {
        Trace *trace = steps ? schedule_trace(w->task->program, w->program, w->translation, w->system, w->smt, steps, vec_len(steps)) : NULL;
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
    Product *p = product_new(w->system, w->blocks, w->smt, MAX_NODES);
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
    Proof *proof = begin_proof(w, RULE_MODULAR);
    bool readable = true;
    for (unsigned t = 0; t < vec_len(w->system->threads); t++) {
        const Expr **list = NULL;
        for (unsigned l = 0; l < vec_len(w->system->threads[t].locations); l++) {
            vec_push(list, modular_invariant(m, t, l));
            readable &= vec_last(list) != NULL;
        }
        vec_push(proof->invariants, list);
    }
    return safe_by(proof, readable);
}

static Verdict *run_modular(Work *w) {
    progress(w, "redcomp: modular invariants");
    Modular *m = modular_new(w->system, w->blocks, w->smt);
    Verdict *v = NULL;
    w->task->stats->clauses = horn_clauses(m->horn);
    /* Most are solved at once; else simple facts help, or do it alone (loops with large bounds). */
    double first = remaining(w) / 8;
    HornAnswer answer = solve(w, m->horn, first < 1.5 ? first : 1.5, 0);
    if (answer == HORN_UNKNOWN) {
        progress(w, "redcomp: simple inductive facts");
        answer = HORN_SOLVED;
        if (!modular_facts(m, w->smt, remaining(w) / 3)) answer = solve(w, m->horn, remaining(w), 0);
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

static Verdict *attempt(const EngineTask *task, double start, bool integers) {
    Work w = {.task = task, .start = start};
    Verdict *v = prepare(&w, integers);
    bool many = false;
    for (size_t t = 0; w.system && t < vec_len(w.system->threads); t++) many |= w.system->threads[t].many;
    if (!v) {
        find_blocks(&w);
        v = many ? run_modular(&w) : run_product(&w);
    }
    if (v->invariant) { /* the proof has taken them over */
        blocks_free(w.system, w.blocks);
        movers_free(w.system, w.movers);
        smt_free(w.smt);
        translation_free(w.translation);
    } else {
        release(&w);
    }
    return v;
}

static Verdict *run(const EngineTask *task) {
    double start = now();
    Verdict *v = attempt(task, start, task->arith != ARITH_BV);
    if (task->arith != ARITH_AUTO || v->kind != VERDICT_UNKNOWN || now() - start > task->budget.seconds / 2) return v;
    Verdict *again = attempt(task, start, false);
    if (again->kind == VERDICT_UNKNOWN) {
        verdict_free(again);
        return v;
    }
    verdict_free(v);
    return again;
}

void redcomp_dump(const Program *program, bool blocks, Buf *out) {
    EngineTask task = {.program = program, .budget = {.seconds = 60}, .stats = &(Stats){0}};
    Work w = {.task = &task, .start = now()};
    Verdict *v = prepare(&w, true);
    if (v) {
        buf_printf(out, "%s\n", v->reason);
    } else {
        find_blocks(&w);
        bool many = false;
        for (size_t t = 0; t < vec_len(w.system->threads); t++) many |= w.system->threads[t].many;
        Product *p = blocks || many ? NULL : product_new(w.system, w.blocks, w.smt, MAX_NODES);
        Modular *m = blocks || !many ? NULL : modular_new(w.system, w.blocks, w.smt);
        if (blocks) blocks_print(out, w.system, w.movers, w.blocks);
        else horn_print(out, m ? m->horn : p->horn);
        product_free(p);
        modular_free(m);
    }
    verdict_free(v);
    release(&w);
}

static bool supports(Property p) { return p == PROPERTY_UNREACH_CALL; }

const Engine engine_redcomp = {"redcomp", "reduction to blocks, Horn clauses; proves programs with unbounded data", supports, run};
