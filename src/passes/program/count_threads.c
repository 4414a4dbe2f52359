/* SPDX-License-Identifier: Apache-2.0 */
/* How many threads of each template there can be.

   A template is executed abstractly: a state is a location and the values of the local variables that matter, as far
   as they are constants; everything else is unknown, and a branch on it goes both ways. The graph of these states
   covers all executions of the template, so a create on a cycle of it may happen any number of times, and the others
   at most as often as the path through the graph that has most of them. Variables matter if a guard inside a loop
   that creates depends on them. Where the graph gets too large, the template's own locations are the graph.

   requires  a well-formed program
   ensures   Template.count is an upper bound, 0 if there is none
   breaks    nothing */
#include "passes/program/program_passes.h"
#include "base/components.h"
#include "base/map.h"
#include <stdlib.h>
#include <string.h>

enum { MAX_STATES = 10000, MANY = 1000000 };

typedef struct Edge {
    unsigned target; /* state */
    const Action *action;
} Edge;

typedef struct State {
    unsigned location;
    unsigned values;    /* place in Graph.values */
    unsigned component; /* 0: not yet known */
    Edge *edges;        /* a vec */
} State;

typedef struct Cell {
    bool known;
    u128 bits;
} Cell;

typedef struct Graph {
    const Program *program;
    const Template *template_;
    unsigned *slot; /* by local index: place in a state's values + 1; 0: does not matter */
    unsigned nslots;
    State *states; /* vecs */
    Cell *values;
    Map *index; /* hash of a state → number + 1 */
    Values *pool;
    unsigned *order; /* a vec: states, each component after those it leads to */
    bool overflow;
} Graph;

static void find_components(Graph *g) {
    unsigned **out = NULL, **members = NULL, n = (unsigned)vec_len(g->states);
    vec_resize(out, n);
    vec_resize(members, n);
    for (unsigned i = 0; i < n; i++)
        vec_each_at(const Edge, e, g->states[i].edges) vec_push(out[i], e->target);
    unsigned *component = components_find(out);
    for (unsigned i = 0; i < n; i++) {
        g->states[i].component = component[i] + 1;
        vec_push(members[component[i]], i);
    }
    vec_each(unsigned *, list, members)
        vec_each(unsigned, i, list) vec_push(g->order, i);
    vec_free(component);
    vec_free_rows(members);
    vec_free_rows(out);
}

static void graph_clear(Graph *g) {
    for (size_t i = 0; i < vec_len(g->states); i++) vec_free(g->states[i].edges);
    vec_free(g->states);
    vec_free(g->values);
    vec_free(g->order);
    if (g->index) map_free(g->index);
    g->index = NULL;
}

/* ---- states ---- */

static Fault lookup(void *context, const Symbol *s, unsigned n, const Value *args, Value *result) {
    const Cell *env = ((const Cell *const *)context)[0];
    const Graph *g = ((const Graph *const *)context)[1];
    (void)n, (void)args;
    const Variable *v = s->kind == SYM_VARIABLE ? s->user : NULL;
    unsigned slot = v && !v->global ? g->slot[v->index] : 0;
    if (!slot || !env[slot - 1].known) return FAULT_RANGE;
    *result = (Value){.bits = env[slot - 1].bits};
    return FAULT_NONE;
}

static Cell evaluate(const Graph *g, const Cell *env, const Expr *e) {
    const void *context[] = {env, g};
    EvalEnv eval = {.values = g->pool, .lookup = lookup, .context = (void *)context};
    Value value;
    bool known = e->sort->kind != SORT_ARRAY && expr_eval(&eval, e, &value) == FAULT_NONE;
    return (Cell){.known = known, .bits = known ? value.bits : 0};
}

static unsigned state_number(Graph *g, unsigned location, const Cell *env) {
    uint64_t hash = hash_word(location + 1);
    for (unsigned i = 0; i < g->nslots; i++)
        hash = hash_word(hash ^ (env[i].known ? (uint64_t)env[i].bits * 2 + 1 + (uint64_t)(env[i].bits >> 64) : 0));
    uint64_t known;
    for (;; hash++) {
        if (!map_get(g->index, hash, &known)) break;
        const State *s = &g->states[known];
        bool same = s->location == location;
        for (unsigned i = 0; i < g->nslots && same; i++)
            same = g->values[s->values + i].known == env[i].known && g->values[s->values + i].bits == env[i].bits;
        if (same) return (unsigned)known;
    }
    State s = {.location = location, .values = (unsigned)vec_len(g->values)};
    unsigned number = (unsigned)vec_len(g->states);
    for (unsigned i = 0; i < g->nslots; i++) vec_push(g->values, env[i]);
    vec_push(g->states, s);
    map_put(g->index, hash, number);
    g->overflow |= number >= MAX_STATES;
    return number;
}

/* Whether the action is possible; *env becomes what holds after it. */
static bool execute(const Graph *g, const Action *a, Cell *env) {
    Cell guard = evaluate(g, env, a->guard);
    if (guard.known && !guard.bits) return false;
    vec_each_at(const Instr, in, a->instrs) {
        Cell value = {0};
        if (in->kind == INSTR_ASSUME) {
            value = evaluate(g, env, in->value);
            if (value.known && !value.bits) return false;
        }
        if (!in->target || in->target->global || !g->slot[in->target->index]) continue;
        if (in->kind == INSTR_ASSIGN) value = evaluate(g, env, in->value);
        env[g->slot[in->target->index] - 1] = value;
    }
    return true;
}

static void explore(Graph *g) {
    Cell *env = zeroed(g->nslots + 1, sizeof *env);
    g->index = map_new();
    g->overflow = false;
    state_number(g, g->template_->entry, env);
    for (unsigned n = 0; n < vec_len(g->states) && !g->overflow; n++) {
        const Location *at = &g->template_->locations[g->states[n].location];
        vec_each_of(const Action, a, g->template_->actions, at->out) {
            for (unsigned i = 0; i < g->nslots; i++) env[i] = g->values[g->states[n].values + i];
            if (!execute(g, a, env)) continue;
            Edge e = {.target = state_number(g, a->target, env), .action = a};
            vec_push(g->states[n].edges, e);
        }
    }
    free(env);
    if (!g->overflow) find_components(g);
}

/* ---- what matters ---- */

static unsigned created(const Action *a, unsigned template_) {
    unsigned n = 0;
    for (size_t i = 0; i < vec_len(a->instrs); i++) n += a->instrs[i].kind == INSTR_CREATE && a->instrs[i].template_ == template_;
    return n;
}

typedef struct Marking {
    Graph *graph;
    bool changed;
} Marking;

static void mark(void *context, const Symbol *s) {
    Marking *m = context;
    const Variable *v = s->kind == SYM_VARIABLE ? s->user : NULL;
    if (!v || v->global || m->graph->slot[v->index]) return;
    m->graph->slot[v->index] = ++m->graph->nslots;
    m->changed = true;
}

/* Guards of the loops (components of the bare location graph) that create threads of that template. False: none
   does. */
static bool mark_guards(Graph *g, Marking *m, unsigned template_) {
    Map *loops = map_new();
    for (size_t i = 0; i < vec_len(g->states); i++)
        vec_each_at(const Edge, e, g->states[i].edges)
            if (created(e->action, template_) && g->states[e->target].component == g->states[i].component)
                map_put(loops, g->states[i].component, 1);
    for (size_t i = 0; i < vec_len(g->states); i++)
        if (map_get(loops, g->states[i].component, NULL))
            for (size_t k = 0; k < vec_len(g->states[i].edges); k++) expr_symbols(g->states[i].edges[k].action->guard, mark, m);
    bool found = map_size(loops) > 0;
    map_free(loops);
    return found;
}

static void mark_flow(const Template *t, Marking *m) {
    do {
        m->changed = false;
        for (size_t i = 0; i < vec_len(t->actions); i++)
            vec_each_at(const Instr, in, t->actions[i].instrs) {
                if (in->kind != INSTR_ASSIGN || in->target->global || !m->graph->slot[in->target->index]) continue;
                expr_symbols(in->value, mark, m);
            }
    } while (m->changed);
}

/* ---- counting ---- */

/* Most creates of the template on a path; MANY if they are on a cycle. Components come in g->order after those they
   lead to; all states of one share its best count. */
static unsigned most(const Graph *g, unsigned template_) {
    size_t n = vec_len(g->states);
    unsigned *best = zeroed(n + 2, sizeof *best), result = 0;
    for (size_t i = 0; i < vec_len(g->order) && result < MANY; i++) {
        const State *s = &g->states[g->order[i]];
        for (size_t k = 0; k < vec_len(s->edges) && result < MANY; k++) {
            const State *to = &g->states[s->edges[k].target];
            unsigned here = created(s->edges[k].action, template_);
            if (to->component == s->component && here) result = MANY;
            if (best[to->component] + here > best[s->component]) best[s->component] = best[to->component] + here;
        }
        if (best[s->component] > result) result = best[s->component];
    }
    free(best);
    return result;
}

/* How many threads of template `to` one thread of t creates. */
static unsigned count_created(const Program *p, const Template *t, unsigned to) {
    Graph g = {.program = p, .template_ = t, .pool = values_new()};
    vec_resize(g.slot, vec_len(t->locals));
    explore(&g); /* locations only */
    Marking m = {.graph = &g};
    unsigned count = g.overflow ? MANY : most(&g, to);
    if (!g.overflow && count >= MANY && mark_guards(&g, &m, to)) {
        mark_flow(t, &m);
        graph_clear(&g);
        explore(&g);
        if (!g.overflow) count = most(&g, to);
    }
    graph_clear(&g);
    vec_free(g.slot);
    values_free(g.pool);
    return count;
}

static bool creates(const Template *t, unsigned to) {
    for (size_t i = 0; i < vec_len(t->actions); i++)
        if (created(&t->actions[i], to)) return true;
    return false;
}

/* Threads of template t: those of each creator times what each creates. */
static unsigned total(const unsigned *matrix, unsigned n, unsigned t, uint8_t *state, unsigned *count) {
    enum { NEW, OPEN, DONE };
    if (state[t] == DONE) return count[t];
    if (state[t] == OPEN) return MANY; /* creates itself, by way of others */
    state[t] = OPEN;
    uint64_t sum = t == 0;
    for (unsigned c = 0; c < n; c++)
        if (matrix[c * n + t]) sum += (uint64_t)total(matrix, n, c, state, count) * matrix[c * n + t];
    state[t] = DONE;
    return count[t] = sum < MANY ? (unsigned)sum : MANY;
}

void count_threads(Program *p) {
    unsigned n = (unsigned)vec_len(p->templates);
    unsigned *matrix = zeroed((size_t)n * n + 1, sizeof *matrix), *count = zeroed(n + 1, sizeof *count);
    uint8_t *state = zeroed(n + 1, 1);
    for (unsigned i = 0; i < n; i++)
        for (unsigned k = 0; k < n; k++)
            if (creates(p->templates[i], k)) matrix[i * n + k] = count_created(p, p->templates[i], k);
    for (unsigned i = 0; i < n; i++) {
        unsigned k = total(matrix, n, i, state, count);
        p->templates[i]->count = k >= MANY ? 0 : k ? k : 1;
    }
    free(matrix);
    free(count);
    free(state);
}
