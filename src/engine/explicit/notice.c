/* SPDX-License-Identifier: Apache-2.0 */
/* Collects warnings about executions that do not violate the property: deadlocks, assertions that no execution reaches, and undefined behaviour that
   precedes all assertions. */
#include "engine/explicit/explicit.h"
#include "engine/messages.h"
#include <string.h>

/* ---- assertions ---- */

void notice_place(Context *c, unsigned template_, unsigned location) {
    Asserts *a = c->asserts;
    a->is_branch[template_][location] = false;
    for (size_t i = 0; i < vec_len(a->branches); i++) {
        if (a->branches[i].template_ != template_ || a->branches[i].location != location || c->judged[a->branches[i].assertion]) continue;
        c->judged[a->branches[i].assertion] = true;
        c->task->stats->judged++;
    }
}

/* Returns " at a.c:3:5" in `into`, or an empty text if the position has no file. */
static const char *place(char *into, size_t size, Position p) {
    into[0] = 0;
    if (p.file) snprintf(into, size, " at %s:%u:%u", p.file, p.line, p.column);
    return into;
}

static void warn_of_unreached(const Context *c, Verdict *v) {
    static const unsigned most = 3;
    unsigned n = 0;
    char at[300];
    for (size_t i = 0; i < vec_len(c->asserts->places); i++) {
        if (c->judged[i] || c->asserts->bypassed[i] || n++ >= most) continue;
        verdict_warn(v, MSG_ENGINE_NOT_REACHED, place(at, sizeof at, c->asserts->places[i]));
    }
    if (n > most) verdict_warn(v, MSG_ENGINE_NOT_REACHED_MORE, n - most);
}

/* ---- deadlocks ---- */

static u128 choose_zero(void *context, const Choice *choice) {
    (void)context;
    (void)choice;
    return 0;
}

/* Returns true if the thread waits for another thread, a lock or a library function; *at is the position of the action that waits. */
static bool waits(Context *c, State *s, unsigned thread, Position *at) {
    const Template *t = c->program->templates[state_template(s, thread)];
    const Location *l = &t->locations[state_location(s, thread)];
    const Chooser chooser = {choose_zero, NULL};
    bool blocked = false;
    for (size_t i = 0; i < vec_len(l->out); i++) {
        const Action *a = &t->actions[l->out[i]];
        StepResult r = t->locations[a->target].kind == LOCATION_HALT ? (StepResult){.status = STEP_DONE}
                                                                     : machine_step(c->machine, s, thread, a->index, &chooser, NULL);
        if (r.status != STEP_DISABLED) return false;
        blocked |= r.blocked;
        if (r.blocked) *at = a->position;
    }
    return blocked;
}

void notice_deadlock(Context *c, State *s) {
    Buf who = {0};
    char at[300];
    bool all = !c->deadlock && !state_halted(c->machine, s);
    for (unsigned t = 1; t <= state_threads(s) && all; t++) {
        Position p = {0};
        if (state_ended(c->machine, s, t)) continue;
        all = waits(c, s, t, &p);
        if (all)
            buf_printf(&who, "%s%s waits%s", who.length ? ", " : "", c->program->templates[state_template(s, t)]->name,
                       place(at, sizeof at, p));
    }
    if (all && who.length) c->deadlock = strdup(buf_string(&who));
    buf_free(&who);
}

static bool asks_for_assertions(const Context *c) {
    return c->task->question->property == PROPERTY_UNREACH_CALL && vec_len(c->asserts->places);
}

/* ---- verdicts ---- */

void notice_warn(const Context *c, Verdict *v) {
    if (c->deadlock && !question_asks_elsewhere(c->task->question, PROPERTY_NO_DEADLOCK)) verdict_warn(v, MSG_ENGINE_DEADLOCK, c->deadlock);
    if (v->kind != VERDICT_SAFE || !asks_for_assertions(c)) return;
    if (c->task->stats->judged) warn_of_unreached(c, v);
    else verdict_warn(v, MSG_ENGINE_NONE_REACHED, v->vacuous ? MSG_ENGINE_UNDEFINED_FIRST : "");
}

bool notice_vacuous(const Context *c) { return c->faulted && asks_for_assertions(c) && !c->task->stats->judged; }
