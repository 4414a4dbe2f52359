/* SPDX-License-Identifier: Apache-2.0 */
#include "base/clock.h"
#include "ir/asserts.h"
#include "process/progress.h"
#include "strategy/second_looks.h"
#include <math.h>
#include <string.h>

/* Somebody met undefined behaviour, and had no time left to say which. */
static void note_cut(Verdict *v) {
    if (v->kind != VERDICT_SAFE || v->cut || !v->met_undefined) return;
    v->cut = strdup("some executions come to it");
    v->cut_by = property_faults(PROPERTY_VALID_MEMSAFETY, 0) | property_faults(PROPERTY_NO_OVERFLOW, 0);
}

/* Whether memory is lost is asked where main returns. Where it ends by pthread_exit, nobody asks. */
static void note_unasked(const Program *p, const Question *q, Verdict *v) {
    const Template *main_ = p->templates[0];
    if (v->kind != VERDICT_SAFE || q->property != PROPERTY_VALID_MEMSAFETY || !program_allocates(p)) return;
    if (!question_has_parts(q, PART_MEMTRACK | PART_MEMCLEANUP)) return;
    for (size_t i = 0; i < vec_len(main_->locations); i++)
        if (main_->locations[i].kind == LOCATION_END) {
            verdict_warn(v, "main may end by pthread_exit: whether memory is lost then is not asked");
            return;
        }
}

static void look_for_fault(void *context, const Expr *e) { *(bool *)context |= expr_may_fault(e); }

static void look_for_variable(void *context, const Symbol *s) { *(bool *)context |= s->kind == SYM_VARIABLE; }

/* Is there an operation, or an access by a computed address, that may be at fault? */
static bool may_be_undefined(const Program *p) {
    bool found = false;
    for (size_t t = 0; t < vec_len(p->templates); t++)
        for (size_t a = 0; a < vec_len(p->templates[t]->actions) && !found; a++) {
            const Action *x = &p->templates[t]->actions[a];
            if (x->guard) look_for_fault(&found, x->guard);
            for (size_t i = 0; i < vec_len(x->instrs) && !found; i++) {
                instr_expressions(&x->instrs[i], look_for_fault, &found);
                bool number = x->instrs[i].kind == INSTR_JOIN || x->instrs[i].kind == INSTR_ASSUME; /* of a thread */
                if (x->instrs[i].address && !number) expr_symbols(x->instrs[i].address, look_for_variable, &found);
            }
        }
    return found;
}

/* Proofs follow no execution: nobody looked whether one is cut off. */
static void note_unlooked(const Program *p, const Question *q, Verdict *v) {
    unsigned both = 1u << PROPERTY_VALID_MEMSAFETY | 1u << PROPERTY_NO_OVERFLOW;
    if (v->kind != VERDICT_SAFE || v->proof == PROOF_EXHAUSTED || v->proof == PROOF_NOTHING || v->cut) return;
    if ((q->others & both) != both && may_be_undefined(p))
        verdict_note(v, "whether behaviour is undefined elsewhere was not looked at: --property all does");
}

static void take_warnings(Verdict *v, Verdict *from) {
    for (size_t i = 0; i < vec_len(from->warnings); i++) verdict_warn(v, "%s", from->warnings[i]);
    v->vacuous = from->vacuous;
    v->trace = from->trace;
    from->trace = NULL;
}

/* Looks for an execution that reaches an assertion, for a moment or as long as the proof took. True: all were seen. */
static bool probe(const Config *c, const Program *p, const Question *q, Verdict *v, TimeSlot time) {
    double taken = clock_seconds() - time.start;
    Route route = route_new(p, q, (PassSettings){.memory = MEMORY_AS_SC});
    Work work = {.config = c, .question = q, .route = &route, .time = slot_share(time, 1, fmin(fmax(taken, 0.5), 1)), .board = board_new()};
    progress_phase("looking for an execution that reaches an assertion");
    Worker w = worker_new(&work, &engine_explicit, 0, 1);
    w.glance = true;
    Verdict *seen = worker_run(&w);
    bool all = seen->kind == VERDICT_SAFE;
    v->explored = seen->stats;
    if (all) take_warnings(v, seen);
    verdict_free(seen);
    route_free(&route);
    board_free(work.board);
    return all;
}

/* An invariant may hold because nothing happens. Where the engine that visits states took part, it has tried enough. */
void look_for_vacuity(const Config *c, const Program *p, const Question *q, Verdict *v, TimeSlot time) {
    enum { ENOUGH = 1000 };
    note_cut(v);
    note_unasked(p, q, v);
    note_unlooked(p, q, v);
    double left = slot_left(time) - 0.3;
    if (v->kind != VERDICT_SAFE || v->proof != PROOF_INVARIANT || v->states) return;
    if (v->explored.judged || left < 0.1 || !program_has(p, LOCATION_ERROR)) return;
    bool all = v->explored.runs < ENOUGH && probe(c, p, q, v, time);
    if (!all && !v->explored.judged && v->explored.runs) verdict_warn(v, "none of the executions that were tried reaches an assertion");
}

VerdictKind look_under_fairness(const Config *c, const Loaded *in, const Program *p, const Question *q, TimeSlot time) {
    const double least = 1, most = 5;
    Question fair = *q;
    TimeSlot slot = slot_share(time, 1, fmin(least + (clock_seconds() - time.start), most)); /* about as much time again */
    fair.fair = FAIR_WEAK;
    if (slot_left(slot) < least / 2) return VERDICT_UNKNOWN;
    Verdict *v = answer(c, in, p, &fair, slot);
    VerdictKind kind = v->kind;
    verdict_free(v);
    return kind;
}
