/* SPDX-License-Identifier: Apache-2.0 */
/* Checks that the facts of a static race proof are inductive. Facts at entries hold at the start, and facts at the target of a step
   follow from those at its source. Then the facts must order every two accesses that might race. */
#include "check/proof.h"
#include "check/messages.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct Check {
    const RaceProof *proof;
    RaceFamily family;
    uint64_t *obligations;
    Buf *certificate;              /* gets a line for each obligation; NULL: none is wanted */
    uint64_t left;                 /* number of pairs that may race */
    const RaceAccess *one, *other; /* the first of these pairs */
} Check;

/* ---- the certificate: a comment for each obligation, since no solver is needed ---- */

static void say(Check *c, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say(Check *c, const char *format, ...) {
    char text[300];
    va_list list;
    ++*c->obligations;
    if (!c->certificate) return;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    buf_printf(c->certificate, "; checked: %s", text);
}

/* Adds the facts of a location, which the present obligation states. */
static void say_facts(Check *c, unsigned t, const uint64_t *row) {
    const RaceThread *thread = &c->proof->threads[t];
    if (!c->certificate) return;
    for (unsigned l = 0; l < vec_len(thread->locks); l++)
        if (race_bit(row, race_fact_lock(l))) buf_printf(c->certificate, ", holds %s", c->proof->classes[thread->locks[l].class_]);
    for (unsigned k = 0; k < vec_len(thread->conditions); k++)
        if (race_bit(row, race_fact_condition(thread, k)))
            buf_printf(c->certificate, ", holds a lock if flag %u is 0", thread->conditions[k].flag);
    for (unsigned u = 0; u < vec_len(c->proof->threads); u++)
        if (race_bit(row, race_fact_absent(thread, u))) buf_printf(c->certificate, ", %s does not run", c->proof->threads[u].name);
    buf_char(c->certificate, '\n');
}

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
    say(c, "%s begins", thread->name);
    say_facts(c, t, row);
    return true;
}

static bool step_holds(Check *c, unsigned t, const RaceStep *s) {
    const uint64_t *row = race_row(c->proof, t, s->target);
    unsigned n = race_facts(c->proof, t), events = (unsigned)vec_len(s->events);
    for (unsigned f = 0; f < n; f++)
        if (race_bit(row, f) && !race_holds(c->proof, &c->family, t, s, events, f)) return false;
    say(c, "behind step %u->%u of %s", s->source, s->target, c->proof->threads[t].name);
    say_facts(c, t, row);
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
        say(c, "behind step %u->%u of %s, the holders of addresses%s", step->source, step->target, thread->name, "\n");
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

static void say_accesses(Check *c) {
    vec_each_at(const RaceAccess, a, c->proof->accesses)
        say(c, "the access by instruction %u of step %u of %s races with no other%s", a->instr, a->step, c->proof->threads[a->thread].name,
            "\n");
}

bool race_free_check(const RaceProof *p, uint64_t *obligations, Buf *certificate, Buf *words, Buf *why) {
    ensure(race_proof_valid(p));
    Check c = {.proof = p, .family = race_family(p), .obligations = obligations, .certificate = certificate};
    bool good = true;
    *obligations = 0;
    for (unsigned t = 0; t < vec_len(p->threads) && good; t++) good = thread_holds(&c, t, why);
    if (good) race_pairs(p, note_pair, &c, words);
    if (good && c.left) buf_printf(why, MSG_CHECK_RACE_PAIR, p->threads[c.one->thread].name, p->threads[c.other->thread].name);
    if (good && !c.left) say_accesses(&c);
    race_family_free(&c.family);
    return good && !c.left;
}

bool race_facts_check(const RaceProof *p, RaceFound *found, void *context, Buf *why) {
    uint64_t obligations = 0;
    ensure(race_proof_valid(p));
    Check c = {.proof = p, .family = race_family(p), .obligations = &obligations};
    bool good = true;
    for (unsigned t = 0; t < vec_len(p->threads) && good; t++) good = thread_holds(&c, t, why);
    if (good) race_pairs(p, found, context, NULL);
    race_family_free(&c.family);
    return good;
}
