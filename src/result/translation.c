/* SPDX-License-Identifier: Apache-2.0 */
#include "result/translation.h"
#include <stdlib.h>

Translation *translation_new(const Program *p) {
    Translation *t = zeroed(1, sizeof *t);
    for (unsigned i = 0; i < vec_len(p->templates); i++) {
        unsigned *actions = NULL;
        for (unsigned a = 0; a < vec_len(p->templates[i]->actions); a++) vec_push(actions, a);
        vec_push(t->templates, i);
        vec_push(t->actions, actions);
    }
    return t;
}

void translation_free(Translation *t) {
    if (!t) return;
    vec_free_rows(t->actions);
    vec_free(t->templates);
    free(t);
}

bool translation_valid(const Translation *t, const Program *p) {
    bool good = vec_len(t->templates) == vec_len(p->templates) && vec_len(t->actions) == vec_len(p->templates);
    for (size_t i = 0; i < vec_len(p->templates) && good; i++) good = vec_len(t->actions[i]) == vec_len(p->templates[i]->actions);
    return good;
}
