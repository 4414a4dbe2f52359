/* SPDX-License-Identifier: Apache-2.0 */
/* Bounds the number of threads of each template.

   The pass executes a template abstractly. A state is a location with the values of the relevant local variables, as far as these are constants.
   Every other value is unknown, and a branch on an unknown value goes both ways. The graph of these states covers all executions of the template.
   A CREATE on a cycle of the graph may run any number of times. Any other CREATE runs at most as often as on the path with most CREATEs.
   A variable is relevant if a guard inside a loop that creates threads depends on it. If the graph gets too large, the locations of the template
   are the states.

   requires  a well-formed program
   ensures   Template.count is an upper bound of the number of the template's threads; 0: no bound is known
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
    unsigned *slot; /* by local index: place in a state's values + 1; 0: the local is not relevant */
    unsigned nslots;
    State *states; /* vecs */
    Cell *values;
    Map *index; /* hash of a state → number + 1 */
    Values *pool;
    unsigned *order; /* a vec: states, each component after the components that it leads to */
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

/* Executes the action from *env, and sets *env to the values after it. Returns false if the action cannot be taken. */
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

/* ---- relevant variables ---- */

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

/* Marks the variables in guards of loops that create threads of the template. Here, loops are the components of the graph of locations.
   Returns false if no loop creates such threads. */
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

/* Returns the largest number of CREATEs of the template on a path; MANY if such a CREATE is on a cycle. All states of a component share its
   count. The order of g->order makes one traversal enough. */
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

/* Returns a bound of the number of threads of template `to` that one thread of t creates. */
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

/* Returns a bound of the number of threads of template t: the sum, over all templates, of their threads times the threads that each creates. */
static unsigned total(const unsigned *matrix, unsigned n, unsigned t, uint8_t *state, unsigned *count) {
    enum { NEW, OPEN, DONE };
    if (state[t] == DONE) return count[t];
    if (state[t] == OPEN) return MANY; /* the template creates itself, perhaps through other templates */
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
