/* SPDX-License-Identifier: Apache-2.0 */
#include "check/replay.h"
#include "base/vec.h"
#include "ir/script.h"
#include "verdict/assume.h"

static const char *explain(StepResult r, const Script *script) {
    if (script->missing) return "the trace has too few choices";
    if (r.status == STEP_FAULT) return fault_text(r.fault);
    if (r.status == STEP_DISABLED) return r.blocked ? "the thread is blocked" : "the action is not enabled";
    return NULL;
}

static bool step_exists(const Program *p, const State *s, const TraceStep *step) {
    if (step->thread == 0 || step->thread > state_threads(s)) return false;
    return step->action < vec_len(p->templates[state_template(s, step->thread)]->actions);
}

static void complain(Buf *why_not, size_t i, const TraceStep *step, const char *why) {
    if (why_not) buf_printf(why_not, "step %zu (thread %u, action %u): %s", i + 1, step->thread, step->action, why);
}

static bool run(const Program *p, Machine *m, const Trace *t, State *s,
                void (*visit)(void *, const Machine *, const ReplayStep *), void *context, Buf *why_not) {
    Accesses accesses = {0};
    bool good = true;
    for (size_t i = 0; i < vec_len(t->steps) && good; i++) {
        const TraceStep *step = &t->steps[i];
        const char *why = "there is no such thread or action";
        if (step_exists(p, s, step)) {
            Script script = {.choices = step->choices};
            Chooser chooser = script_chooser(&script);
            const Template *template_ = p->templates[state_template(s, step->thread)];
            vec_clear(accesses.list);
            StepResult r = machine_step(m, s, step->thread, step->action, &chooser, &accesses);
            why = explain(r, &script);
            ReplayStep done = {step->thread, template_, &template_->actions[step->action], accesses.list,
                               vec_len(accesses.list), s, NULL};
            if (r.status == STEP_FAULT && i + 1 == vec_len(t->steps)) done.fault = &r;
            if ((!why || done.fault) && visit) visit(context, m, &done);
        }
        good = !why;
        if (!good) complain(why_not, i, step, why);
    }
    vec_free(accesses.list);
    return good;
}

bool replay(const Program *p, const Trace *t, void (*visit)(void *, const Machine *, const ReplayStep *), void *context,
            Buf *why_not) {
    Machine *m = machine_new(p);
    machine_watch_copies(m);
    Script script = {.choices = t->initial};
    Chooser chooser = script_chooser(&script);
    State *s = state_initial(m, &chooser);
    bool good = !script.missing;
    if (!good && why_not) buf_text(why_not, "the initial state: the trace has too few choices");
    good = good && run(p, m, t, s, visit, context, why_not);
    state_free(m, s);
    machine_free(m);
    return good;
}

typedef struct Violation {
    bool error;  /* the last step reached an ERROR location */
    bool differ; /* an undefined byte was copied, and read with two values */
} Violation;

static void watch(void *context, const Machine *m, const ReplayStep *step) {
    Violation *v = context;
    v->differ = machine_copies_differ(m);
    v->error = !step->fault && step->template_->locations[step->action->target].kind == LOCATION_ERROR;
}

bool replay_check(const Program *p, const Trace *t, Buf *why_not) {
    if (!replay_to_error(p, t, why_not)) return false;
    size_t *assumptions = trace_assumptions(p, t);
    bool good = !vec_len(assumptions);
    if (!good && why_not) buf_printf(why_not, "it relies on an over-approximation, in step %zu", assumptions[0] + 1);
    vec_free(assumptions);
    return good;
}

bool replay_to_error(const Program *p, const Trace *t, Buf *why_not) {
    Violation v = {0};
    if (!replay(p, t, watch, &v, why_not)) return false;
    if (v.differ) {
        if (why_not) buf_text(why_not, "a byte that was never written has one value, and its copy another");
        return false;
    }
    if (!v.error && why_not) buf_text(why_not, "it does not end at an error");
    return v.error;
}

static void watch_fault(void *context, const Machine *m, const ReplayStep *step) {
    bool *found = context;
    (void)m;
    *found = step->fault && step->fault->fault != FAULT_RANGE && step->fault->fault != FAULT_RESOURCE;
}

bool replay_to_fault(const Program *p, const Trace *t) {
    bool found = false;
    replay(p, t, watch_fault, &found, NULL);
    return found;
}
