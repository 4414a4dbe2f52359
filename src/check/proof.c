/* SPDX-License-Identifier: Apache-2.0 */
/* Discharges the obligations of a proof; each kind has a file of its own. The groups have the names of doc/rules.md.
   - fact-init, fact-step, fact-stable: a fact holds whenever its thread is at its location;
   - right, left: a transition moves as claimed past each transition of another thread;
   - `apart` (in their place): two threads are never at these two locations together;
   - block: after its commit a block has only left movers, and can take one of them;
   - init, step, error, by rule: the invariants hold at the start, every run keeps them, and they exclude the errors;
   - decrease (in place of step, RULE_RANKING): every run also makes the tuple of its node smaller;
   - keep (RULE_EACH): no run of another thread makes the tuple of a thread larger;
   - start, around, cover (RULE_RANKING): a node that is cut is visited only finitely often. */
#include "check/proof.h"
#include "base/clock.h"
#include "check/checker.h"
#include "check/messages.h"

/* Checks that facts mention only globals and locals of their thread. Invariants of nodes may mention any variable. */
static void check_scopes(Checker *c) {
    const System *s = c->system;
    for (unsigned t = 0; t < vec_len(s->threads); t++)
        for (unsigned l = 0; l < vec_len(s->threads[t].locations); l++) {
            checker_name(c, "claim %s %u", s->threads[t].name, l);
            checker_scope(c, checker_fact(c, t, l), (CheckScope){t, t, false});
        }
    for (size_t i = 0; i < vec_len(c->proof->nodes); i++) {
        checker_name(c, "claim of node %zu", i);
        checker_scope(c, c->proof->nodes[i].invariant, (CheckScope){.all = true});
        for (size_t k = 0; k < vec_len(c->proof->nodes[i].rank); k++)
            checker_scope(c, c->proof->nodes[i].rank[k], (CheckScope){.all = true});
    }
}

/* Checks that each input belongs to one thread. If two threads shared one, the obligations would assume that they choose the same value. */
static void check_inputs(Checker *c) {
    const System *s = c->system;
    Map *owner = map_new();
    for (unsigned t = 0; t < vec_len(s->threads); t++)
        vec_each_at(const Transition, x, s->threads[t].transitions) {
            checker_name(c, "claim %s %u->%u", s->threads[t].name, x->source, x->target);
            for (size_t k = 0; k < vec_len(x->inputs); k++) {
                uint64_t other = t;
                map_get(owner, map_key(x->inputs[k]), &other);
                if (other != t || system_variable(s, x->inputs[k]) != NONE) checker_refuse(c, MSG_CHECK_INPUT_FOREIGN);
                map_put(owner, map_key(x->inputs[k]), t);
            }
        }
    map_free(owner);
}

/* ---- the head of the certificate ---- */

static void write_head(Checker *c) {
    buf_text(c->certificate,
             "; Heddle proof certificate. Every (check-sat) is to be answered unsat.\n"
             "; Trusted: the translation of C to the program (clang and the front end), of the program to the transitions that\n"
             "; occur below (threads, memory regions, arithmetic), the enumeration of obligations, and the theory of reduction.\n"
             "(set-logic ALL)\n");
    if (c->system->integers)
        buf_text(c->certificate, "; Arithmetic: integers; signed overflow is undefined, unsigned wrap-around explicit.\n");
}

/* Ensures that every list of claims has the length that the system requires. The makers and the parser of proofs guarantee this. */
static void ensure_shape(const Proof *p) {
    const System *s = p->system;
    size_t n = vec_len(s->threads);
    ensure(vec_len(p->out) == n && vec_len(p->stop) == n && vec_len(p->movers) == n);
    ensure((!p->facts || vec_len(p->facts) == n) && (!p->invariants || vec_len(p->invariants) == n));
    ensure(p->invariants || (p->rule != RULE_MODULAR && p->rule != RULE_EACH && p->rule != RULE_REDSAFETY && p->rule != RULE_RELY));
    ensure(p->rule != RULE_EACH || vec_len(p->ranks) == n);
    ensure(p->rule != RULE_RELY || (vec_len(p->guarantees) == n && vec_len(p->relies) == n));
    for (size_t t = 0; t < n; t++) {
        ensure(p->rule != RULE_EACH || vec_len(p->ranks[t]) == vec_len(s->threads[t].locations));
        size_t locations = vec_len(s->threads[t].locations);
        ensure(vec_len(p->out[t]) == locations && vec_len(p->stop[t]) == locations);
        ensure(vec_len(p->movers[t]) == vec_len(s->threads[t].transitions));
        ensure((!p->facts || vec_len(p->facts[t]) == locations) && (!p->invariants || vec_len(p->invariants[t]) == locations));
    }
}

bool proof_check(const Proof *p, Smt *smt, double seconds, ProofReport *report, Buf *certificate) {
    Checker c = {.proof = p,
                 .system = p->system,
                 .exprs = p->system->exprs,
                 .smt = smt,
                 .deadline = clock_seconds() + seconds,
                 .report = report,
                 .certificate = certificate,
                 .ok = true,
                 .groups = map_new()};
    *report = (ProofReport){0};
    ensure_shape(p);
    if (certificate) write_head(&c);
    accesses_find(&c);
    check_scopes(&c);
    check_inputs(&c);
    check_facts(&c);
    check_movers(&c);
    check_blocks(&c);
    switch (p->rule) {
    case RULE_PRODUCT:
    case RULE_RANKING: check_product(&c); break;
    case RULE_MODULAR:
    case RULE_EACH: check_modular(&c); break;
    case RULE_REDSAFETY: check_safety(&c); break;
    case RULE_PAIRS: check_pairs(&c); break;
    case RULE_REDUCED: check_reduced(&c); break;
    case RULE_RELY: check_rely(&c); break;
    }
    checker_forget_block_paths(&c);
    accesses_forget(&c);
    map_free(c.groups);
    return c.ok;
}
