/* SPDX-License-Identifier: Apache-2.0 */
/* See mutex_set.h. The analysis follows a template with a set of states for each location. */
#include "analysis/mutex_set.h"

enum { RAW = 1, CREATED = 2 }; /* the word has no value yet; other threads may exist */

/* Returns the state of the word after an action. *wrong becomes true if the action uses the word, or other threads may use it, while it is
   raw. */
static unsigned word_after(const Variable *word, const Action *a, unsigned state, bool *wrong) {
    vec_each_at(const Instr, i, a->instrs) {
        if (i->kind == INSTR_CREATE && word->global) state |= CREATED;
        if (i->target == word) state = i->kind == INSTR_HAVOC ? state | RAW : state & ~(unsigned)RAW;
        *wrong |= (state & RAW) && (i->cell == word || (state & CREATED));
    }
    return state;
}

bool mutex_set_in_time(const Program *p, const Variable *word, bool raw) {
    const Template *t = p->templates[word->global ? 0 : word->template_];
    uint8_t *seen = NULL;  /* by location: the states it is reached in, as bits */
    unsigned *work = NULL; /* location * 4 + state */
    bool wrong = false;
    vec_resize(seen, vec_len(t->locations));
    vec_push(work, t->entry * 4 + (raw ? RAW : 0));
    while (vec_len(work) && !wrong) {
        unsigned l = vec_last(work) / 4, state = vec_pop(work) % 4;
        if (seen[l] & 1u << state) continue;
        seen[l] |= (uint8_t)(1u << state);
        for (size_t i = 0; i < vec_len(t->locations[l].out); i++) {
            const Action *a = &t->actions[t->locations[l].out[i]];
            vec_push(work, a->target * 4 + word_after(word, a, state, &wrong));
        }
    }
    vec_free(seen);
    vec_free(work);
    return !wrong;
}
