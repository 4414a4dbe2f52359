/* SPDX-License-Identifier: Apache-2.0 */
/* Searches for signs that a SAFE is vacuous, and decides endless executions again under fairness (fences: fences.c). */
#include "base/clock.h"
#include "ir/asserts.h"
#include "process/progress.h"
#include "strategy/messages.h"
#include "strategy/second_looks.h"
#include <math.h>
#include <string.h>

/* Records that some execution reaches undefined behaviour, if an engine found one and had no time left to name its place. */
static void note_cut(Verdict *v) {
    if (v->kind != VERDICT_SAFE || v->cut || !v->met_undefined) return;
    v->cut = strdup(MSG_STRATEGY_SOME_REACH);
    v->cut_by = property_faults(PROPERTY_VALID_MEMSAFETY, 0) | property_faults(PROPERTY_NO_OVERFLOW, 0);
}

/* Warns that leaks are not checked where main ends by pthread_exit. The passes only check them where main returns. */
static void note_unchecked_leaks(const Program *p, const Question *q, Verdict *v) {
    const Template *main_ = p->templates[0];
    if (v->kind != VERDICT_SAFE || q->property != PROPERTY_VALID_MEMSAFETY || !program_allocates(p)) return;
    if (!question_has_parts(q, PART_MEMTRACK | PART_MEMCLEANUP)) return;
    for (size_t i = 0; i < vec_len(main_->locations); i++)
        if (main_->locations[i].kind == LOCATION_END) {
            verdict_warn(v, MSG_STRATEGY_LEAKS);
            return;
        }
}

static void check_fault(void *context, const Expr *e) { *(bool *)context |= expr_may_fault(e); }

static void check_variable(void *context, const Symbol *s) { *(bool *)context |= s->kind == SYM_VARIABLE; }

/* True if some operation, or some access by a computed address, may be undefined. */
static bool may_be_undefined(const Program *p) {
    bool found = false;
    for (size_t t = 0; t < vec_len(p->templates); t++)
        for (size_t a = 0; a < vec_len(p->templates[t]->actions) && !found; a++) {
            const Action *x = &p->templates[t]->actions[a];
            if (x->guard) check_fault(&found, x->guard);
            for (size_t i = 0; i < vec_len(x->instrs) && !found; i++) {
                instr_expressions(&x->instrs[i], check_fault, &found);
                bool number = x->instrs[i].kind == INSTR_JOIN || x->instrs[i].kind == INSTR_ASSUME; /* the address is a thread's number */
                if (x->instrs[i].address && !number) expr_symbols(x->instrs[i].address, check_variable, &found);
            }
        }
    return found;
}

/* Notes that a proof by invariants does not find executions that undefined behaviour cuts off, unless other questions check that. */
static void note_unchecked_behaviour(const Program *p, const Question *q, Verdict *v) {
    unsigned both = 1u << PROPERTY_VALID_MEMSAFETY | 1u << PROPERTY_NO_OVERFLOW;
    if (v->kind != VERDICT_SAFE || v->proof == PROOF_EXHAUSTED || v->proof == PROOF_NOTHING || v->cut) return;
    if ((q->others & both) != both && may_be_undefined(p)) verdict_note(v, MSG_STRATEGY_UNDEFINED);
}

static void take_warnings(Verdict *v, Verdict *from) {
    for (size_t i = 0; i < vec_len(from->warnings); i++) verdict_warn(v, "%s", from->warnings[i]);
    v->vacuous = from->vacuous;
    v->trace = from->trace;
    from->trace = NULL;
}

/* Searches for an execution that reaches an assertion, for as long as the proof took, but from half a second to one second. Returns true if
   all executions were visited. */
static bool probe(const Config *c, const Program *p, const Question *q, Verdict *v, TimeSlot time) {
    double taken = clock_seconds() - time.start;
    Route route = route_new(p, q, (PassSettings){.memory = MEMORY_AS_SC});
    Work work = {.config = c, .question = q, .route = &route, .time = slot_share(time, 1, fmin(fmax(taken, 0.5), 1)), .board = board_new()};
    progress_phase("looking for an execution that reaches an assertion");
    Worker w = worker_new(&work, &engine_explicit, 0, 1);
    w.searches_assertion = true;
    Verdict *seen = worker_run(&w);
    bool all = seen->kind == VERDICT_SAFE;
    v->explored = seen->stats;
    if (all) take_warnings(v, seen);
    verdict_free(seen);
    route_free(&route);
    board_free(work.board);
    return all;
}

/* An invariant may hold only because no execution gets far. No search is needed if an engine has tried enough executions. */
void check_vacuity(const Config *c, const Program *p, const Question *q, Verdict *v, TimeSlot time) {
    enum { ENOUGH = 1000 };
    note_cut(v);
    note_unchecked_leaks(p, q, v);
    note_unchecked_behaviour(p, q, v);
    double left = slot_left(time) - 0.3;
    if (v->kind != VERDICT_SAFE || v->proof != PROOF_INVARIANT || v->states) return;
    if (v->explored.judged || left < 0.1 || !program_has(p, LOCATION_ERROR)) return;
    bool all = v->explored.runs < ENOUGH && probe(c, p, q, v, time);
    if (!all && !v->explored.judged && v->explored.runs) verdict_warn(v, MSG_STRATEGY_NOT_REACHED);
}

VerdictKind verify_under_fairness(const Config *c, const Loaded *in, const Program *p, const Question *q, TimeSlot time) {
    const double least = 1, most = 5;
    Question fair = *q;
    TimeSlot slot = slot_share(time, 1, fmin(least + (clock_seconds() - time.start), most)); /* about as much time as so far */
    fair.fair = FAIR_WEAK;
    if (slot_left(slot) < least / 2) return VERDICT_UNKNOWN;
    Verdict *v = answer(c, in, p, &fair, slot);
    VerdictKind kind = v->kind;
    verdict_free(v);
    return kind;
}
