/* SPDX-License-Identifier: Apache-2.0 */
/* Checks dead nodes: some threads sleep permanently, and the other threads, whatever they do, neither wake them nor reach an error. */
#include "check/reduced.h"
#include "check/messages.h"
#include <string.h>

/* The future of the threads that are not frozen, while the frozen ones stand still: the variables that they access, and whether they
   reach an error. */
typedef struct Future {
    bool *frozen;         /* a vec, by thread */
    const Expr **lasting; /* a vec, by variable: its constant if it lasts, or NULL */
    bool *reads, *writes; /* vecs, by variable */
    bool error;
} Future;

static const Expr *lasting_image(void *context, const Expr *e) {
    const Reduced *r = ((const Reduced *const *)context)[0];
    const Future *f = ((const Future *const *)context)[1];
    unsigned v = system_variable(r->system, e->symbol);
    return v == NONE ? NULL : f->lasting[v];
}

/* Adds the runs of a thread from its location on, without those that the lasting constants exclude. */
static void look_ahead(Reduced *r, Future *f, unsigned t, unsigned location) {
    const void *context[] = {r, f};
    bool *seen = NULL;
    unsigned *work = NULL;
    vec_resize(seen, vec_len(r->system->threads[t].locations));
    seen[location] = true;
    vec_push(work, location);
    while (vec_len(work)) {
        const unsigned *from = reduced_runs(r, t, vec_pop(work));
        for (size_t i = 0; i < vec_len(from); i++) {
            const KnownRun *run = &r->runs[from[i]];
            if (expr_is_false(expr_substitute(r->exprs, run->step.guard, lasting_image, context))) continue;
            f->error |= reduced_is_bad(r, run);
            for (size_t v = 0; v < vec_len(run->reads); v++) {
                f->reads[v] |= run->reads[v];
                f->writes[v] |= run->writes[v];
            }
            if (!seen[run->step.target]) vec_push(work, run->step.target);
            seen[run->step.target] = true;
        }
    }
    vec_free(seen);
    vec_free(work);
}

/* Collects the constants that the invariant of the node states. */
static void name_constants(const Reduced *r, unsigned node, Future *f) {
    vec_resize(f->lasting, vec_len(r->system->variables));
    vec_each(const Expr *, e, r->conjuncts[node]) {
        for (unsigned k = 0; k < 2 && e->op == OP_EQ; k++) {
            unsigned v = e->args[k]->op == OP_SYMBOL ? system_variable(r->system, e->args[k]->symbol) : NONE;
            if (v != NONE && expr_is_const(e->args[1 - k])) f->lasting[v] = e->args[1 - k];
        }
        const Expr *atom = e->op == OP_NOT ? e->args[0] : e; /* a Boolean variable, or its negation */
        unsigned v = atom->op == OP_SYMBOL ? system_variable(r->system, atom->symbol) : NONE;
        if (v != NONE) f->lasting[v] = expr_bool(r->exprs, atom == e);
    }
}

/* Computes the largest set of lasting constants and the future under them. A constant lasts if no thread that is not frozen writes it in
   a run that the constants do not exclude. */
static void find_future(Reduced *r, unsigned node, Future *f) {
    bool changed = true;
    name_constants(r, node, f);
    vec_resize(f->reads, vec_len(f->lasting));
    vec_resize(f->writes, vec_len(f->lasting));
    while (changed) {
        changed = f->error = false;
        memset(f->reads, 0, vec_len(f->reads) * sizeof *f->reads);
        memset(f->writes, 0, vec_len(f->writes) * sizeof *f->writes);
        for (unsigned u = 0; u < vec_len(f->frozen); u++)
            if (!f->frozen[u]) look_ahead(r, f, u, r->proof->nodes[node].locations[u]);
        for (unsigned v = 0; v < vec_len(f->lasting); v++) {
            if (!f->lasting[v] || (!f->writes[v] && r->checker->relevant[v])) continue;
            f->lasting[v] = NULL;
            changed = true;
        }
    }
}

/* Returns whether the constants of the node exclude each run of the thread from here, or the run sleeps and ends where other threads may
   run. */
static bool is_asleep(Reduced *r, const ProofNode *n, Future *f, unsigned t) {
    const unsigned *from = reduced_runs(r, t, n->locations[t]);
    const void *context[] = {r, f};
    for (size_t i = 0; i < vec_len(from); i++) {
        const KnownRun *run = &r->runs[from[i]];
        if (expr_is_false(expr_substitute(r->exprs, run->step.guard, lasting_image, context))) continue;
        if (run->block_step == NONE || !vec_has(n->sleep, run->block_step) || !r->proof->out[t][run->step.target]) return false;
    }
    return vec_len(from) > 0;
}

static bool may_wake(Reduced *r, const ProofNode *n, const Future *f, unsigned t) {
    const unsigned *from = reduced_runs(r, t, n->locations[t]);
    for (size_t i = 0; i < vec_len(from); i++) {
        const KnownRun *run = &r->runs[from[i]];
        for (size_t v = 0; v < vec_len(run->reads); v++)
            if ((run->writes[v] && (f->reads[v] || f->writes[v])) || (run->reads[v] && f->writes[v])) return true;
    }
    return false;
}

void check_dead(Reduced *r, unsigned node) {
    ensure(node < vec_len(r->proof->nodes));
    Checker *c = r->checker;
    const ProofNode *n = &r->proof->nodes[node];
    Future f = {0};
    bool some = false, changed = true;
    name_constants(r, node, &f);
    for (unsigned t = 0; t < vec_len(n->locations); t++) vec_push(f.frozen, is_asleep(r, n, &f, t));
    while (changed) {
        some = changed = false;
        find_future(r, node, &f);
        for (unsigned t = 0; t < vec_len(f.frozen); t++) {
            if (!f.frozen[t]) continue;
            f.frozen[t] = !may_wake(r, n, &f, t);
            some |= f.frozen[t];
            changed |= !f.frozen[t];
        }
    }
    checker_name(c, "dead node %u", node);
    if (!some || reduced_inside(r, n) != NONE) checker_refuse(c, MSG_CHECK_DEAD_WAKES);
    if (f.error) checker_refuse(c, MSG_CHECK_DEAD_ERROR);
    c->report->trivial++;
    vec_free(f.frozen);
    vec_free(f.lasting);
    vec_free(f.reads);
    vec_free(f.writes);
}
