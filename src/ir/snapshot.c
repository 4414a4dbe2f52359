/* SPDX-License-Identifier: Apache-2.0 */
#include "ir/snapshot.h"
#include <stdlib.h>

static Template *snapshot_of(const Template *t) {
    Template *n = zeroed(1, sizeof *n);
    *n = *t;
    n->locals = vec_copy(t->locals);
    n->locations = vec_copy(t->locations);
    n->actions = vec_copy(t->actions);
    for (size_t l = 0; l < vec_len(n->locations); l++) n->locations[l].out = vec_copy(t->locations[l].out);
    for (size_t a = 0; a < vec_len(n->actions); a++) n->actions[a].instrs = vec_copy(t->actions[a].instrs);
    return n;
}

Program *program_snapshot(const Program *p) {
    Program *n = zeroed(1, sizeof *n);
    *n = *p;
    n->approximations = vec_copy(p->approximations);
    n->objects = vec_copy(p->objects);
    n->globals = vec_copy(p->globals);
    n->templates = NULL;
    vec_each(const Template *, t, p->templates) vec_push(n->templates, snapshot_of(t));
    return n;
}

void program_snapshot_free(Program *p) {
    if (!p) return;
    vec_each(Template *, t, p->templates) {
        template_release(t);
        free(t);
    }
    vec_free(p->templates);
    vec_free(p->approximations);
    vec_free(p->objects);
    vec_free(p->globals);
    free(p);
}
