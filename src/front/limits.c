/* SPDX-License-Identifier: Apache-2.0 */
/* Bounds how much code is lowered, as inlining may make a program too large. Code for some properties counts only for these. */
#include "front/lower.h"
#include "front/messages.h"

enum { MAX_ACTIONS = 400000, MAX_WORK = 1500000 };

/* Returns "f, called by g, called by main", with the innermost functions and the last one. */
static const char *call_chain(Lower *l) {
    const char *text = NULL;
    unsigned n = 0;
    for (const Frame *f = l->frame; f; f = f->caller, n++) {
        if (n == 8 && f->caller) text = arena_printf(l->front->scratch, "%s, …", text);
        if (n >= 8 && f->caller) continue;
        text = text ? arena_printf(l->front->scratch, MSG_FRONT_CALLED_BY, text, f->info->name) : f->info->name;
    }
    return text ? text : "main";
}

void lower_work(Lower *l, unsigned n) {
    for (unsigned i = 0; i < PROPERTY_BITS; i++) l->front->work[i] += l->asked >> i & 1 ? n : 0;
}

bool lower_too_large(Lower *l) {
    size_t most = 0;
    for (unsigned i = 0; i < PROPERTY_BITS; i++)
        if (l->asked >> i & 1 && l->front->work[i] > most) most = l->front->work[i];
    if (vec_len(l->template_->actions) < MAX_ACTIONS && most < MAX_WORK) return false;
    if (l->cursor.dead) return true;
    if (l->too_large == NONE) {
        emit_stop(l, APPROX_UNSUPPORTED, MSG_FRONT_TOO_LARGE, call_chain(l));
        l->too_large = (unsigned)vec_len(l->template_->locations) - 1;
    } else {
        emit_goto(l, l->too_large);
    }
    return true;
}
