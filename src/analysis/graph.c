/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/graph.h"
#include "base/components.h"

unsigned *graph_components(const Template *t) {
    unsigned **out = NULL;
    vec_resize(out, vec_len(t->locations));
    vec_each_at(const Location, l, t->locations)
        vec_each_of(const Action, a, t->actions, l->out) vec_push(out[l->index], a->target);
    unsigned *component = components_find(out);
    vec_free_rows(out);
    return component;
}

bool *graph_reached(const Template *t, unsigned without) {
    bool *reached = NULL;
    unsigned *work = NULL;
    vec_resize(reached, vec_len(t->locations));
    if (t->entry != without) vec_push(work, t->entry);
    while (vec_len(work)) {
        unsigned l = vec_pop(work);
        if (reached[l]) continue;
        reached[l] = true;
        vec_each_of(const Action, a, t->actions, t->locations[l].out)
            if (a->target != without) vec_push(work, a->target);
    }
    vec_free(work);
    return reached;
}

bool *graph_taken(const Template *t) {
    bool *seen = NULL;
    unsigned *work = NULL;
    vec_resize(seen, vec_len(t->locations));
    vec_push(work, t->entry);
    seen[t->entry] = true;
    while (vec_len(work)) {
        const Location *l = &t->locations[vec_pop(work)];
        for (size_t i = 0; i < vec_len(l->out); i++) {
            const Action *a = &t->actions[l->out[i]];
            if (seen[a->target] || expr_is_false(a->guard)) continue;
            seen[a->target] = true;
            vec_push(work, a->target);
        }
    }
    vec_free(work);
    return seen;
}
