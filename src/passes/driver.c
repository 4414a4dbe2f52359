/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a table of passes, and checks the result of each pass. */
#include "base/clock.h"
#include "ir/copy.h"
#include "check/omissions.h"
#include "passes/facts.h"
#include "passes/messages.h"
#include "passes/passes.h"
#include "system/system.h"
#include <string.h>

bool pass_applies(const Pass *x, const PassSettings *s) { return !x->applies || x->applies(s); }

/* Former names of passes, for scripts that use them. */
static const char *const former[][2] = {
    {"jump-ahead", "jump-threading"},    {"opaque", "unspecified-values"},        {"clean-opaque", "clean-unspecified"},
    {"buffers", "store-buffers"},        {"attack", "robustness-monitor"},        {"ask-races", "instrument-races"},
    {"ask-faults", "instrument-faults"}, {"ask-memory", "instrument-memory"},     {"ask-waits", "instrument-waits"},
    {"covered", "drop-subsumed"},        {"few-rounds", "bound-thread-creation"}, {"instances", "instantiate-threads"},
    {"twins", "second-instance"},        {"regions", "partition-memory"},         {"settle", "final-values"},
    {"fuse", "merge-transitions"},       {"fuse-sections", "merge-sections"},     {"foresee-indices", "prophecy-indices"},
};

static const char *present_name(const char *name) {
    for (size_t i = 0; i < sizeof former / sizeof *former; i++)
        if (!strcmp(former[i][0], name)) return former[i][1];
    return name;
}

const Pass *pass_named(const PassTable *t, const char *name) {
    name = present_name(name);
    for (unsigned i = 0; i < t->n; i++)
        if (!strcmp(t->list[i].name, name)) return &t->list[i];
    return NULL;
}

bool passes_in_order(const PassTable *t, const PassSettings *s, unsigned facts, Buf *why) {
    for (unsigned i = 0; i < t->n; i++) {
        const Pass *x = &t->list[i];
        if (!pass_applies(x, s)) continue;
        for (unsigned f = 0; f < FACTS; f++)
            if (x->requires & ~facts & 1u << f) {
                buf_printf(why, MSG_PASSES_FACT_MISSING, x->name, fact_text(f));
                return false;
            }
        facts = (facts & ~x->breaks) | x->ensures;
    }
    return true;
}

/* ---- the checks after a pass ---- */

static void check(const Chain *p, const Pass *x) {
    Buf why = {0};
    if (x->over == OVER_PROGRAM && !program_check(p->program, &why))
        die("after the pass %s the program is not well-formed: %s", x->name, buf_string(&why));
    if (x->over == OVER_SYSTEM && !system_check(p->system, &why))
        die("after the pass %s the system is not well-formed: %s", x->name, buf_string(&why));
    for (unsigned f = 0; f < FACTS; f++)
        if (x->ensures & 1u << f && !fact_holds(f, p)) die("after the pass %s it does not hold that %s", x->name, fact_text(f));
    buf_free(&why);
}

/* ---- running ---- */

static unsigned index_of(const PassTable *t, const char *name) {
    const Pass *x = pass_named(t, name);
    ensure(x);
    return (unsigned)(x - t->list);
}

/* Discards the system, and returns the index of the pass to which PASS_AGAIN leads. */
static unsigned go_back(const PassTable *t, const Pass *x, Chain *p) {
    smt_free(p->smt);
    system_free(p->system);
    p->smt = NULL;
    p->system = NULL;
    p->facts &= ~(unsigned)(FACT_SYSTEM | FACT_FINE | FACT_LIVE | FACT_WRAPS);
    return index_of(t, x->back);
}

/* Runs the pass, and records what it left out, with the result of the check of its claim. */
static PassResult run_and_discharge(Chain *p, const Pass *x) {
    OmissionKind kind = p->settings.discharge ? omission_of_pass(x->name) : OMISSION_KINDS;
    if (kind == OMISSION_KINDS) return x->run(p);
    bool whole = omission_needs_before(kind), system = x->over == OVER_SYSTEM && p->system;
    OmissionView v = {.question = p->settings.question};
    Program *before = whole && x->over == OVER_PROGRAM ? program_snapshot(p->program) : NULL;
    System *system_before = whole && system ? system_copy(p->system) : NULL;
    v.before = before;
    v.system_before = system_before;
    PassResult result = x->run(p);
    v.after = p->program;
    v.system_after = p->system;
    v.claim = p->claim;
    if (result == PASS_DONE) vec_push(p->omissions, omission_checked(kind, &v));
    program_snapshot_free(before);
    system_free(system_before);
    return result;
}

static PassResult run(Chain *p, const Pass *x) {
    if (x->requires & ~p->facts) die("the pass %s lacks a fact that it requires", x->name);
    PassResult result = run_and_discharge(p, x);
    if (p->claim) p->free_claim(p->claim);
    p->claim = NULL;
    ensure(chain_valid(p) && (result != PASS_REFUSED || p->why.length) && (result != PASS_AGAIN || x->back));
    p->facts &= ~x->breaks;
    if (result == PASS_DONE) p->facts |= x->ensures, check(p, x);
    if (result == PASS_DONE && p->after) p->after(p->context, x, p);
    return result;
}

bool passes_run(Chain *p, const PassTable *t, const char *last) {
    unsigned end = last ? index_of(t, last) + 1 : t->n, begin = p->table == t ? p->next : 0;
    ensure(chain_valid(p));
    if (!begin) p->facts |= t->given;
    p->table = t;
    p->next = end;
    for (unsigned i = begin; i < end; i++) {
        const Pass *x = &t->list[i];
        if (!pass_applies(x, &p->settings)) continue;
        if (p->until > 0 && clock_seconds() > p->until) return false;
        PassResult result = run(p, x);
        if (result == PASS_REFUSED) return false;
        if (result == PASS_AGAIN) i = go_back(t, x, p) - 1; /* the loop adds 1 */
    }
    return true;
}

/* ---- beginning and end ---- */

void chain_trace_back(const Chain *p, Trace *t) {
    for (size_t i = vec_len(p->ways_back); i-- > 0;) p->ways_back[i].trace(p->ways_back[i].state, t);
}

Chain chain_new(const Program *original, PassSettings settings) {
    Program *copy = program_copy(original);
    return (Chain){.settings = settings, .program = copy, .translation = translation_new(copy)};
}

bool chain_valid(const Chain *p) {
    if (!p->program || (p->settings.question && !question_valid(p->settings.question))) return false;
    return !p->system == !p->smt && (p->system || !p->movers) && (p->movers || !p->blocks) && !(p->facts >> FACTS);
}

void chain_free(Chain *p) {
    blocks_free(p->system, p->blocks);
    movers_free(p->system, p->movers);
    smt_free(p->smt);
    translation_free(p->translation);
    for (size_t i = 0; i < vec_len(p->ways_back); i++) p->ways_back[i].free(p->ways_back[i].state);
    vec_free(p->ways_back);
    vec_free(p->instrumented.added);
    vec_free(p->omissions);
    if (!p->owned_by_proof) {
        system_free(p->system);
        program_free(p->program);
    }
    buf_free(&p->why);
    *p = (Chain){0};
}
