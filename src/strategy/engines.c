/* SPDX-License-Identifier: Apache-2.0 */
#include "strategy/engines.h"
#include "app/dump.h"
#include "passes/prepare.h"
#include <string.h>

static const Engine *const engines[] = {&engine_explicit, &engine_redcomp, &engine_weave, &engine_impact, &engine_threader, &engine_order};
enum { NENGINES = sizeof engines / sizeof *engines };

bool engines_choose(Job *job, Buf *error) {
    const char *name = job->options->engine;
    if (job->question.bounded) { /* only one engine counts them */
        if (strcmp(name, "auto") && strcmp(name, engine_explicit.name)) {
            buf_printf(error, "--switches is for the engine %s", engine_explicit.name);
            return false;
        }
        name = engine_explicit.name;
    }
    bool automatic = job->automatic = !strcmp(name, "auto"), known = automatic;
    for (unsigned i = 0; i < NENGINES && !job->engine; i++) {
        bool named = !strcmp(name, engines[i]->name);
        known |= named;
        if ((automatic || named) && engines[i]->supports(job->question.property)) job->engine = engines[i];
    }
    if (known) return true;
    buf_printf(error, "there is no engine '%s'; there are: auto", name);
    for (unsigned i = 0; i < NENGINES; i++) buf_printf(error, " %s", engines[i]->name);
    return false;
}

Property engines_asks(const Engine *engine, Property property) {
    bool itself = engine == &engine_explicit || engine == &engine_order; /* it knows what violates the property */
    bool asks = property == PROPERTY_NO_DATA_RACE || (property_is_reachability(property) && !itself);
    return asks ? property : PROPERTY_UNREACH_CALL;
}

void engines_list(Buf *out) {
    buf_text(out, "\nEngines:\n");
    for (unsigned i = 0; i < NENGINES; i++) buf_printf(out, "  %-26s%s\n", engines[i]->name, engines[i]->summary);
}

static EngineTask task_of(const Job *job) {
    return (EngineTask){.program = job->program, .question = &job->question, .options = options_of_engines(job->options)};
}

void engines_show(const Job *job, EngineView view, Buf *out) {
    EngineTask task = task_of(job);
    unsigned e = 0;
    while (e + 1 < NENGINES && !engines[e]->show) e++;
    Prepared asked;
    Verdict *v = prepare_question(&asked, job->program, engines_asks(engines[e], job->question.property) ? &job->question : NULL);
    task.program = asked.program;
    if (v) buf_printf(out, "%s\n", v->reason);
    else engines[e]->show(&task, view, out);
    verdict_free(v);
    prepared_release(&asked);
}

bool engines_dump_after(const Job *job, Buf *out, Buf *error) {
    EngineTask task = task_of(job);
    const Engine *engine = job->automatic ? &engine_redcomp : job->engine;
    if (!engine) {
        buf_printf(error, "heddle: the engine %s is not for this property\n", job->options->engine);
        return false;
    }
    return dump_after(job->options->dump_after, engine, &task, engines_asks(engine, job->question.property), out, error);
}
