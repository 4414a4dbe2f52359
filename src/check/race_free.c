/* SPDX-License-Identifier: Apache-2.0 */
/* Checks that the facts of a static race proof are inductive. Facts at entries hold at the start, and facts at the target of a step
   follow from those at its source. Then the facts must order every two accesses that might race. */
#include "check/proof.h"
#include "check/messages.h"
#include <string.h>

typedef struct Check {
    const RaceProof *proof;
    RaceFamily family;
    uint64_t *obligations;
    uint64_t left;                 /* number of pairs that may race */
    const RaceAccess *one, *other; /* the first of these pairs */
} Check;

/* Returns whether the facts at an entry hold. Before its first step a thread holds no lock. A thread is known not to run only if this
   one alone creates it, directly or indirectly. */
static bool entry_holds(Check *c, unsigned t) {
    const RaceThread *thread = &c->proof->threads[t];
    const uint64_t *row = race_row(c->proof, t, thread->entry);
    for (unsigned f = 0; f < race_fact_absent(thread, 0); f++)
        if (race_bit(row, f)) return false;
    for (unsigned u = 0; u < vec_len(c->proof->threads); u++) {
        bool may = t == 0 ? u != 0 : c->family.depends[t][u];
        if (race_bit(row, race_fact_absent(thread, u)) && !may) return false;
    }
    ++*c->obligations;
    return true;
}

static bool step_holds(Check *c, unsigned t, const RaceStep *s) {
    const uint64_t *row = race_row(c->proof, t, s->target);
    unsigned n = race_facts(c->proof, t), events = (unsigned)vec_len(s->events);
    for (unsigned f = 0; f < n; f++)
        if (race_bit(row, f) && !race_holds(c->proof, &c->family, t, s, events, f)) return false;
    ++*c->obligations;
    return true;
}

/* Returns whether the claims about holders of addresses hold where the thread begins, and behind each step. */
static bool holders_hold(Check *c, unsigned t) {
    const RaceThread *thread = &c->proof->threads[t];
    const RaceHolders *h = &thread->holders;
    if (!vec_len(h->rows)) return true; /* nothing is claimed */
    uint16_t *row = NULL;
    vec_resize(row, holders_width(h));
    holders_begin(h, row);
    bool good = holders_cover(h, holders_row(h, thread->entry), row);
    for (size_t s = 0; s < vec_len(thread->steps) && good; s++) {
        const RaceStep *step = &thread->steps[s];
        memcpy(row, holders_row(h, step->source), vec_len(row) * sizeof *row);
        for (size_t e = 0; e < vec_len(step->events); e++) holders_apply(h, row, &step->events[e]);
        good = holders_cover(h, holders_row(h, step->target), row);
        ++*c->obligations;
    }
    vec_free(row);
    return good;
}

static bool thread_holds(Check *c, unsigned t, Buf *why) {
    const RaceThread *thread = &c->proof->threads[t];
    if (vec_len(thread->facts) != (size_t)thread->locations * race_width(c->proof, t)) {
        buf_printf(why, MSG_CHECK_RACE_MISSING, thread->name);
        return false;
    }
    if (vec_len(thread->holders.rows) && vec_len(thread->holders.rows) != (size_t)thread->locations * holders_width(&thread->holders)) {
        buf_printf(why, MSG_CHECK_RACE_MISSING, thread->name);
        return false;
    }
    if (!holders_hold(c, t)) {
        buf_printf(why, MSG_CHECK_RACE_HOLDERS, thread->name);
        return false;
    }
    if (!entry_holds(c, t)) {
        buf_printf(why, MSG_CHECK_RACE_START, thread->name);
        return false;
    }
    for (size_t s = 0; s < vec_len(thread->steps); s++)
        if (!step_holds(c, t, &thread->steps[s])) {
            buf_printf(why, MSG_CHECK_RACE_STEP, thread->steps[s].action, thread->name);
            return false;
        }
    return true;
}

static void note_pair(void *context, const RaceAccess *one, const RaceAccess *other) {
    Check *c = context;
    if (!c->left++) c->one = one, c->other = other;
}

bool race_free_check(const RaceProof *p, uint64_t *obligations, Buf *words, Buf *why) {
    ensure(race_proof_valid(p));
    Check c = {.proof = p, .family = race_family(p), .obligations = obligations};
    bool good = true;
    *obligations = 0;
    for (unsigned t = 0; t < vec_len(p->threads) && good; t++) good = thread_holds(&c, t, why);
    if (good) race_pairs(p, note_pair, &c, words);
    if (good && c.left) buf_printf(why, MSG_CHECK_RACE_PAIR, p->threads[c.one->thread].name, p->threads[c.other->thread].name);
    *obligations += vec_len(p->accesses);
    race_family_free(&c.family);
    return good && !c.left;
}
