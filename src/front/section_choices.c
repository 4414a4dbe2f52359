/* SPDX-License-Identifier: Apache-2.0 */
/* Finds atomic sections in which a thread makes a choice and then waits, where it matters whether a wait ends.

   A section is one step. A thread enters it if some choice leads through it, so it would never choose to wait (ir/choice.h). The template
   stops before such a wait. */
#include "front/lower.h"
#include "front/messages.h"

/* True if instructions of the action before this index make a choice. The value of an uninitialised variable is not a choice, since it is not defined. */
static bool chooses_before(const Action *a, size_t end) {
    for (size_t i = 0; i < end; i++)
        if (a->instrs[i].kind == INSTR_HAVOC && !a->instrs[i].undefined) return true;
    return false;
}

static bool matters(const Action *a) { return !a->properties || a->properties & FOR_WAITS; }

/* Returns an array by location: true inside of a section that has made a choice. */
static bool *locations_after_choices(Lower *l) {
    const Template *t = l->template_;
    bool *chosen = arena_array(l->front->scratch, bool, vec_len(t->locations) + 1);
    for (size_t i = 0; i < vec_len(t->locations); i++) chosen[i] = false;
    for (bool more = true; more;) {
        more = false;
        for (size_t i = 0; i < vec_len(t->actions); i++) {
            const Action *a = &t->actions[i];
            if (chosen[a->target] || !t->locations[a->target].atomic || !matters(a)) continue;
            more |= chosen[a->target] = chosen[a->source] || chooses_before(a, vec_len(a->instrs));
        }
    }
    return chosen;
}

void refuse_section_choices(Lower *l) {
    if (!vec_len(l->waits)) return;
    const bool *chosen = locations_after_choices(l);
    Cursor here = l->cursor;
    Position position = l->position;
    PropertySet asked = l->asked;
    for (size_t i = 0; i < vec_len(l->waits); i++) {
        const Action *a = &l->template_->actions[l->waits[i].action];
        if (!matters(a) || !(chosen[a->source] || chooses_before(a, l->waits[i].instr))) continue;
        l->asked = a->properties ? a->properties & FOR_WAITS : FOR_WAITS;
        l->position = a->instrs[l->waits[i].instr].position;
        l->cursor = (Cursor){.dead = false};
        l->cursor = emit_guarded(l, a->source, a->guard ? a->guard : expr_bool(l->pool, true), 1);
        emit_stop(l, APPROX_UNSUPPORTED, MSG_FRONT_SECTION_CHOICE);
    }
    l->cursor = here;
    l->position = position;
    l->asked = asked;
}
