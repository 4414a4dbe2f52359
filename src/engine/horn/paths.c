/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/horn/paths.h"
#include "base/vec.h"

typedef struct Now {
    const System *system;
    const Expr *const *values;
} Now;

static const Expr *image(void *context, const Expr *e) {
    const Now *n = context;
    unsigned v = system_variable(n->system, e->symbol);
    return v == NONE ? NULL : n->values[v];
}

static const Expr *now(const System *s, const Path *p, const Expr *e) {
    Now n = {s, p->values};
    return expr_substitute(s->exprs, e, image, &n);
}

static void follow(const System *s, const Blocks *b, const Path *p, bool moved, Path **out) {
    const SystemThread *t = &s->threads[p->thread];
    const SystemLocation *l = &t->locations[p->target];
    if (moved && (b->stop[p->thread][p->target] || l->kind != LOCATION_PLAIN)) {
        Path copy = *p;
        copy.values = NULL;
        for (size_t v = 0; v < vec_len(p->values); v++) vec_push(copy.values, p->values[v]);
        vec_push(*out, copy);
        return;
    }
    for (size_t i = 0; i < vec_len(l->out); i++) {
        const Transition *x = &t->transitions[l->out[i]];
        Path next = *p;
        next.guard = expr_and(s->exprs, p->guard, now(s, p, x->guard));
        if (expr_is_false(next.guard)) continue;
        next.target = x->target;
        next.values = NULL;
        for (size_t v = 0; v < vec_len(p->values); v++) vec_push(next.values, p->values[v]);
        for (size_t u = 0; u < vec_len(x->updates); u++) next.values[x->updates[u].variable] = now(s, p, x->updates[u].value);
        follow(s, b, &next, true, out);
        vec_free(next.values);
    }
}

Path *paths_from(const System *s, const Blocks *b, unsigned thread, unsigned location) {
    Path *out = NULL, start = {.thread = thread, .source = location, .target = location, .guard = expr_bool(s->exprs, true)};
    vec_resize(start.values, vec_len(s->variables));
    follow(s, b, &start, false, &out);
    vec_free(start.values);
    return out;
}

void paths_free(Path *list) {
    for (size_t i = 0; i < vec_len(list); i++) vec_free(list[i].values);
    vec_free(list);
}
