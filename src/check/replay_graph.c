/* SPDX-License-Identifier: Apache-2.0 */
/* Replays execution graphs of C11. A step that reads names the write that it reads from, and a step that writes names its place in the
   modification order. A step of kind TRACE_FLUSH before it has both. All steps together are a graph, which must be consistent
   (ir/rc11.h). */
#include "check/replay.h"
#include "ir/rc11.h"
#include "ir/script.h"
#include "check/messages.h"

static bool is_note(const TraceStep *s) { return s->action == TRACE_FLUSH; }

static const char *take(Rc11 *g, const Program *p, const TraceStep *note, const TraceStep *step, Accesses *accesses, ReplayVisit *visit,
                        void *context) {
    if (step->thread == 0 || step->thread > state_threads(g->state)) return MSG_CHECK_STEP_UNKNOWN;
    const Template *t = p->templates[state_template(g->state, step->thread)];
    if (step->action >= vec_len(t->actions)) return MSG_CHECK_STEP_UNKNOWN;
    Script script = {.choices = step->choices};
    Chooser chooser = script_chooser(&script);
    Rc11Step x = {.thread = step->thread, .action = step->action, .source = RC11_EVENTS, .rank = RC11_EVENTS, .chooser = &chooser};
    if (note) {
        x.source = (unsigned)note->choices[0];
        x.rank = (unsigned)note->choices[1];
    }
    vec_clear(accesses->list);
    Rc11Result r = rc11_step(g, &x, accesses);
    if (r.unsupported) return r.unsupported;
    if (r.step.status != STEP_DONE) return MSG_CHECK_STEP_DISABLED;
    if (script.missing) return MSG_CHECK_STEP_CHOICES;
    ReplayStep done = {step->thread,  t,   &t->actions[step->action], false, accesses->list, vec_len(accesses->list), g->state,
                       step->choices, NULL};
    if (visit) visit(context, g->machine, &done);
    return NULL;
}

bool replay_graph(const Program *p, Machine *m, const Trace *t, State *s, ReplayVisit *visit, void *context, Buf *why_not) {
    Rc11 g = {.machine = m, .state = s};
    Accesses accesses = {0};
    const TraceStep *note = NULL;
    const char *why = NULL;
    for (size_t i = 0; i < vec_len(t->steps) && !why; i++) {
        const TraceStep *step = &t->steps[i];
        if (is_note(step)) {
            note = vec_len(step->choices) == 2 ? step : NULL;
            continue;
        }
        why = take(&g, p, note, step, &accesses, visit, context);
        if (why && why_not) buf_printf(why_not, MSG_CHECK_STEP_IMPOSSIBLE, i + 1, step->thread, step->action, why);
        note = NULL;
    }
    bool consistent = why || rc11_consistent(&g);
    if (!consistent && why_not) buf_text(why_not, MSG_CHECK_GRAPH);
    vec_free(accesses.list);
    if (g.start) state_free(m, g.start);
    return consistent && !why;
}
