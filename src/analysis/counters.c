/* SPDX-License-Identifier: Apache-2.0 */
/* A graph has an edge from each variable to the variables that its values are computed from. Counters lie on cycles of the graph. */
#include "analysis/counters.h"

typedef struct Graph {
    const Template *template_;
    unsigned **from; /* by variable: a vec of the variables that its values are computed from */
    unsigned target;
} Graph;

/* Returns the index of a variable: locals of the template come first, then globals. */
static unsigned place(const Graph *g, const Variable *v) { return v->index + (v->global ? (unsigned)vec_len(g->template_->locals) : 0); }

static void add_edge(void *context, const Symbol *s) {
    Graph *g = context;
    const Variable *v = s->kind == SYM_VARIABLE ? s->user : NULL;
    if (v) vec_push(g->from[g->target], place(g, v));
}

static bool reaches_itself(const Graph *g, unsigned start, unsigned *seen, unsigned **work) {
    vec_clear(*work);
    vec_push(*work, start);
    while (vec_len(*work)) {
        unsigned v = vec_pop(*work);
        vec_each(unsigned, u, g->from[v]) {
            if (u == start) return true;
            if (seen[u] == start + 1) continue;
            seen[u] = start + 1;
            vec_push(*work, u);
        }
    }
    return false;
}

bool *counters_of(const Program *p, const Template *t) {
    Graph g = {.template_ = t};
    bool *counters = NULL;
    unsigned *seen = NULL, *work = NULL;
    size_t n = vec_len(t->locals) + vec_len(p->globals);
    vec_resize(g.from, n);
    vec_resize(seen, n);
    vec_resize(counters, n);
    for (size_t a = 0; a < vec_len(t->actions); a++)
        vec_each_at(const Instr, in, t->actions[a].instrs) {
            if (in->kind != INSTR_ASSIGN) continue;
            g.target = place(&g, in->target);
            expr_symbols(in->value, add_edge, &g);
        }
    for (unsigned v = 0; v < n; v++) counters[v] = reaches_itself(&g, v, seen, &work);
    for (unsigned v = 0; v < n; v++) vec_free(g.from[v]);
    vec_free(g.from);
    vec_free(seen);
    vec_free(work);
    return counters;
}
