/* SPDX-License-Identifier: Apache-2.0 */
/* What a trace's steps are part of: functions and their callers, waits for condition variables, compare-exchanges. */
#include "explain/teller.h"
#include <string.h>

/* ---- callers ---- */

const Activation *own_activation(Position p) {
    const Activation *a = p.in;
    while (a && a->library) a = a->from.in;
    return a;
}

static const char *last_part(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

const char *callers_text(Teller *t, Position p) {
    enum { MOST = 5 };
    const Activation *a = own_activation(p);
    const char *file = p.file;
    Buf text = {0};
    for (unsigned n = 0; a && a->from.file; n++) {
        const Activation *caller = own_activation(a->from);
        bool other = !file || strcmp(file, a->from.file);
        if (n) buf_text(&text, " ← ");
        if (n == MOST) {
            buf_text(&text, "…");
            break;
        }
        if (other) buf_printf(&text, "%s (%s:%u)", caller ? caller->function : "?", last_part(a->from.file), a->from.line);
        else buf_printf(&text, "%s:%u", caller ? caller->function : "?", a->from.line);
        file = a->from.file;
        a = caller;
    }
    if (text.length) return kept(t, &text);
    return NULL;
}

/* ---- waits ---- */

/* Steps that others have taken. */
static uint64_t others(const Teller *t, unsigned thread) {
    uint64_t own = 0;
    return map_get(t->own, thread, &own) ? t->step - own : t->step;
}

/* Who wakes up though nobody else has done anything was not woken. (Otherwise it is not known: the model of a signal does nothing.) */
void note_wait(Teller *t, const Access *a, unsigned thread, StoryEvent *e) {
    static const char *const plain[] = {"pthread_cond_wait", "cnd_wait", NULL};
    static const char *const timed[] = {"pthread_cond_timedwait", "pthread_cond_clockwait", "cnd_timedwait", NULL};
    const char *call = a->instr ? library_call(a->instr->position) : NULL;
    bool for_ever = is_one_of(call, plain), asked = false;
    for (size_t i = 0; i < vec_len(t->asked); i++) asked |= t->asked[i] == thread;
    uint64_t since = 0;
    if ((a->kind != ACCESS_LOCK && a->kind != ACCESS_UNLOCK) || (!for_ever && !is_one_of(call, timed))) return;
    e->waits = true;
    if (a->kind == ACCESS_UNLOCK) map_put(t->waits, thread, others(t, thread) + 1);
    else e->spurious = for_ever && !asked && map_get(t->waits, thread, &since) && since == others(t, thread) + 1;
}

/* ---- compare-exchange ---- */

/* It writes (ite success new old), and success is a variable of the front end's. */
void note_exchange(const Machine *m, const ReplayStep *s, const Access *a, StoryEvent *e) {
    const Expr *value = a->kind == ACCESS_WRITE && a->instr ? a->instr->value : NULL;
    if (!value || value->op != OP_ITE) return;
    const Variable *success = expr_variable(value->args[0]);
    if (!success || !success->temporary || success->global || success->sort->kind != SORT_BOOL) return;
    e->exchange_fails = !state_variable(m, s->after, success, s->thread).bits;
}
