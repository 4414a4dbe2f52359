/* SPDX-License-Identifier: Apache-2.0 */
/* See interference.h. A table lists for each variable the locations from which threads access it. */
#include "analysis/interference.h"
#include "analysis/parallel.h"
#include <stdlib.h>

typedef struct Access {
    unsigned thread, location;
    bool writes;
} Access;

struct Interference {
    const System *fine;
    Parallel parallel;
    Access **accesses; /* by variable: its accesses; vecs */
    bool *relevant;    /* by variable: it affects where threads can be (system_relevant) */
};

/* ---- accesses ---- */

typedef struct Reader {
    Interference *seen;
    Access access;
} Reader;

static void note_read(void *context, const Symbol *symbol) {
    Reader *r = context;
    unsigned v = system_variable(r->seen->fine, symbol);
    if (v != NONE && r->seen->fine->variables[v].thread == NONE) vec_push(r->seen->accesses[v], r->access);
}

static void note_accesses(Interference *n, unsigned t, const Transition *tr) {
    Reader r = {n, {t, tr->source, false}};
    expr_symbols(tr->guard, note_read, &r);
    for (size_t u = 0; u < vec_len(tr->updates); u++) {
        unsigned v = tr->updates[u].variable;
        if (!n->relevant[v]) continue;
        expr_symbols(tr->updates[u].value, note_read, &r);
        if (n->fine->variables[v].thread == NONE) vec_push(n->accesses[v], ((Access){t, tr->source, true}));
    }
}

Interference *interference_new(const System *fine) {
    Interference *n = zeroed(1, sizeof *n);
    n->fine = fine;
    n->parallel = parallel_find(fine);
    n->relevant = system_relevant(fine);
    vec_resize(n->accesses, vec_len(fine->variables));
    for (unsigned t = 0; t < vec_len(fine->threads); t++)
        for (size_t i = 0; i < vec_len(fine->threads[t].transitions); i++) note_accesses(n, t, &fine->threads[t].transitions[i]);
    return n;
}

void interference_free(Interference *n) {
    if (!n) return;
    vec_free_rows(n->accesses);
    vec_free(n->relevant);
    parallel_free(&n->parallel);
    free(n);
}

/* ---- questions ---- */

bool interference_with_variable(const Interference *n, unsigned thread, unsigned location, unsigned variable, bool any) {
    vec_each_at(const Access, a, n->accesses[variable])
        if (a->thread != thread && (any || a->writes) && !parallel_never(&n->parallel, thread, location, a->thread, a->location))
            return true;
    return false;
}

typedef struct Search {
    const Interference *seen;
    const System *system;
    unsigned thread, location;
    bool found;
} Search;

static void search_read(void *context, const Symbol *symbol) {
    Search *s = context;
    unsigned v = system_variable(s->system, symbol);
    if (v != NONE && !s->found) s->found = interference_with_variable(s->seen, s->thread, s->location, v, false);
}

bool interference_with_transition(const Interference *n, const System *system, unsigned thread, unsigned location, const Transition *tr) {
    Search s = {n, system, thread, location, false};
    expr_symbols(tr->guard, search_read, &s);
    for (size_t u = 0; u < vec_len(tr->updates) && !s.found; u++) {
        unsigned v = tr->updates[u].variable;
        if (!n->relevant[v]) continue;
        expr_symbols(tr->updates[u].value, search_read, &s);
        s.found |= interference_with_variable(n, thread, location, v, true);
    }
    return s.found;
}
