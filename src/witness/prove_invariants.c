/* SPDX-License-Identifier: Apache-2.0 */
/* Proves invariants for our own witness. All candidates become assertions of the program together. A candidate that fails is weakened to
   states in which no mutex is held, or dropped. The rounds end when all remaining candidates are proved. If time runs out before, there
   are no invariants.
   The proof also covers the property of the program with these assertions, since a validator of the witness verifies both. */
#include "base/clock.h"
#include "base/file.h"
#include "explain/explain_trace.h"
#include "witness/check_witness.h"
#include "process/progress.h"
#include "witness/witness_invariants.h"
#include "witness/instrument.h"
#include <math.h>
#include <string.h>

enum { MOST_ROUNDS = 16 };

/* Returns whether the invariant can be inserted at its place. */
static bool fits(const FrontOptions *o, const Invariant *v) {
    Witness one = {0};
    Inserted *inserted = NULL;
    bool good = false, limited = false;
    vec_push(one.invariants, *v);
    for (size_t i = 0; i < o->nfiles && !good; i++) {
        Buf text = {0}, out = {0}, why = {0};
        good = !strcmp(o->files[i], v->spot.file) && file_read(o->files[i], FILE_TEXT, &text, &why) &&
               instrument(&out, o->files[i], buf_string(&text), &one, true, &inserted, &why, &limited);
        buf_free(&text);
        buf_free(&out);
        buf_free(&why);
    }
    vec_free(one.invariants);
    vec_free(inserted);
    return good;
}

static void drop(Witness *w, size_t i) {
    for (; i + 1 < vec_len(w->invariants); i++) w->invariants[i] = w->invariants[i + 1];
    (void)vec_pop(w->invariants);
}

static void add_ghosts(const FrontOptions *o, Witness *w, Arena *arena) {
    for (size_t i = 0; i < o->nfiles; i++) {
        Buf text = {0}, error = {0};
        if (file_read(o->files[i], FILE_TEXT, &text, &error)) invariants_ghosts(w, arena, o->files[i], buf_string(&text));
        buf_free(&text);
        buf_free(&error);
    }
}

/* Returns the index of the invariant that the trace violates, or the number of invariants if it violates none. */
static size_t failing(const Program *p, const Question *q, const Witness *w, const Verdict *v) {
    size_t i = 0, n = vec_len(w->invariants);
    Counterexample *counterexample = v->trace ? explain_trace(p, q, v->trace) : NULL;
    for (; i < n; i++) {
        const Invariant *c = &w->invariants[i];
        if (!counterexample || !counterexample->error || counterexample->position.line != c->spot.line) continue;
        if (strstr(counterexample->error, UNDEFINED_MARK) ||
            (strstr(counterexample->error, INVARIANT_MARK) && strstr(counterexample->error, c->text)))
            break;
    }
    if (counterexample) counterexample_free(counterexample);
    return i;
}

/* Tries to prove all invariants. *again: one of them was changed, and another attempt makes sense. */
static bool prove_all(const Config *c, const FrontOptions *o, const Question *q, Witness *w, Arena *arena, TimeSlot time, bool *again) {
    Buf why = {0};
    bool proved = false;
    WithInvariants with;
    *again = false;
    if (instrument_program(o, q, w, &with, &why)) {
        Verdict *v = answer(c, &with.loaded, with.program, q, time);
        proved = v->kind == VERDICT_SAFE && !v->vacuous;
        size_t bad = v->kind == VERDICT_UNSAFE ? failing(with.program, q, w, v) : vec_len(w->invariants);
        *again = bad < vec_len(w->invariants);
        if (*again && !invariants_weaken(w, arena, &w->invariants[bad])) drop(w, bad);
        verdict_free(v);
        with_invariants_free(&with);
    }
    buf_free(&why);
    return proved;
}

Witnesses *prove_invariants(const Config *c, const FrontOptions *o, const Program *p, const Question *q, const Verdict *v, TimeSlot time) {
    Witnesses *all = witnesses_new();
    Witness *w = witness_of(all, false, "");
    bool proved = false, again = true;
    if (v->view) invariants_of_view(w, all->arena, p, v->view);
    for (size_t i = vec_len(w->invariants); i-- > 0;)
        if (!fits(o, &w->invariants[i])) drop(w, i);
    if (vec_len(w->invariants)) add_ghosts(o, w, all->arena);
    /* the time is limited to a small multiple of the time for the verdict */
    TimeSlot slot = slot_share(time, 0.5, fmin(30, fmax(2, 4 * (clock_seconds() - time.start))));
    progress_phase("proving the invariants of the witness");
    for (unsigned i = 0; i < MOST_ROUNDS && again && !proved && vec_len(w->invariants) && slot_left(slot) > 0; i++)
        proved = prove_all(c, o, q, w, all->arena, slot, &again);
    if (proved) {
        invariants_tidy(w);
        return all;
    }
    witnesses_free(all);
    return NULL;
}
