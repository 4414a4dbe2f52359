/* SPDX-License-Identifier: Apache-2.0 */
/* Checks that no more threads of a template are created than its count says.

   For two templates, the check bounds the CREATEs of the second one on any path of the first. It counts them along all paths of a graph, until no
   count grows. A node of the graph is a location with the constants that some locals have there. At first no local is followed. If a bound is
   missing then, the locals are followed on which guards depend, on the way round a CREATE. The numbers of threads follow by multiplication,
   from main on. */
#include "base/components.h"
#include "base/map.h"
#include "check/messages.h"
#include "check/omission_checks.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_NODES = 20000, MOST_ROUNDS = 2000000, UNBOUNDED = 1000000 };

typedef struct Node {
    unsigned location;
    unsigned most;       /* CREATEs on any path to here */
    const Expr **values; /* by local that is followed: a constant, or NULL; a vec */
    bool waiting;        /* in the list of work */
} Node;

typedef struct Count {
    const Program *program;
    const Template *template_;
    unsigned to;       /* the template whose CREATEs are counted */
    unsigned *slot;    /* by local: 1 + its place in Node.values; 0: it is not followed */
    unsigned followed; /* the number of locals that are followed */
    Node *nodes;       /* vecs */
    unsigned *work;
    Map *numbers; /* hash of a node → 1 + its number; the next hash if another node has it */
    const Expr **now;
} Count;

static unsigned creates(const Action *a, unsigned to) {
    unsigned n = 0;
    vec_each_at(const Instr, i, a->instrs) n += i->kind == INSTR_CREATE && i->template_ == to;
    return n;
}

/* ---- nodes ---- */

static bool is_node(const Count *c, const Node *n, unsigned location) {
    return n->location == location && (!c->followed || !memcmp(n->values, c->now, c->followed * sizeof *c->now));
}

static unsigned node_number(Count *c, unsigned location) {
    uint64_t hash = hash_word(location + 1), n;
    for (unsigned i = 0; i < c->followed; i++) hash = hash_word(hash ^ map_key(c->now[i]));
    for (; map_get(c->numbers, hash, &n); hash++)
        if (is_node(c, &c->nodes[n - 1], location)) return (unsigned)n - 1;
    map_put(c->numbers, hash, vec_len(c->nodes) + 1);
    vec_push(c->nodes, ((Node){.location = location, .values = vec_copy(c->now), .waiting = true}));
    vec_push(c->work, (unsigned)vec_len(c->nodes) - 1);
    return (unsigned)vec_len(c->nodes) - 1;
}

static const Expr *value_now(void *context, const Expr *symbol) {
    const Count *c = context;
    const Variable *v = expr_variable(symbol);
    return v && !v->global && c->slot[v->index] ? c->now[c->slot[v->index] - 1] : NULL;
}

static const Expr *evaluate(Count *c, const Expr *e) {
    const Expr *value = c->followed ? expr_substitute(c->program->exprs, e, value_now, c) : e;
    return value && expr_is_const(value) ? value : NULL;
}

static bool is_excluded(Count *c, const Expr *e) {
    const Expr *value = evaluate(c, e);
    return value && expr_is_false(value);
}

/* Sets c->now to the values after the action. Returns false if the action cannot be taken. */
static bool take(Count *c, const Action *a) {
    if (is_excluded(c, a->guard)) return false;
    vec_each_at(const Instr, i, a->instrs) {
        if (i->kind == INSTR_ASSUME && is_excluded(c, i->value)) return false;
        if (!i->target || i->target->global || !c->slot[i->target->index]) continue;
        c->now[c->slot[i->target->index] - 1] = i->kind == INSTR_ASSIGN ? evaluate(c, i->value) : NULL;
    }
    return true;
}

static void raise(Count *c, unsigned node, unsigned most) {
    Node *n = &c->nodes[node];
    if (most <= n->most) return;
    n->most = most;
    if (!n->waiting) vec_push(c->work, node);
    n->waiting = true;
}

static void extend(Count *c, unsigned from) {
    vec_each_of(const Action, a, c->template_->actions, c->template_->locations[c->nodes[from].location].out) {
        for (unsigned i = 0; i < c->followed; i++) c->now[i] = c->nodes[from].values[i];
        if (take(c, a)) raise(c, node_number(c, a->target), c->nodes[from].most + creates(a, c->to));
    }
}

/* Returns the largest number of CREATEs on a path; UNBOUNDED if it exceeds the limit, or the graph is too large. */
static unsigned count_paths(Count *c, unsigned limit) {
    unsigned most = 0, rounds = 0;
    c->numbers = map_new();
    vec_clear(c->now);
    vec_resize(c->now, c->followed);
    node_number(c, c->template_->entry);
    while (vec_len(c->work) && most <= limit) {
        unsigned n = vec_pop(c->work);
        c->nodes[n].waiting = false;
        if (c->nodes[n].most > most) most = c->nodes[n].most;
        extend(c, n);
        if (vec_len(c->nodes) > MOST_NODES || ++rounds > MOST_ROUNDS) most = UNBOUNDED;
    }
    vec_each_at(Node, n, c->nodes) vec_free(n->values);
    vec_free(c->nodes);
    vec_free(c->work);
    map_free(c->numbers);
    return most > limit ? UNBOUNDED : most;
}

/* ---- locals to follow ---- */

static void follow_symbol(void *context, const Symbol *s) {
    Count *c = context;
    const Variable *v = s->kind == SYM_VARIABLE ? s->user : NULL;
    if (v && !v->global && !c->slot[v->index]) c->slot[v->index] = ++c->followed;
}

/* Follows the locals of guards that are on a cycle with a CREATE, and the locals from which these get their values. */
static void follow(Count *c) {
    const Template *t = c->template_;
    unsigned **out = NULL;
    vec_resize(out, vec_len(t->locations));
    vec_each_at(const Action, a, t->actions) vec_push(out[a->source], a->target);
    unsigned *component = components_find(out);
    vec_each_at(const Action, a, t->actions) {
        bool loops = creates(a, c->to) && component[a->source] == component[a->target];
        vec_each_at(const Action, b, t->actions)
            if (loops && component[b->source] == component[a->source]) expr_symbols(b->guard, follow_symbol, c);
    }
    for (unsigned before = ~0u; before != c->followed;) {
        before = c->followed;
        vec_each_at(const Action, a, t->actions)
            vec_each_at(const Instr, i, a->instrs)
                if (i->kind == INSTR_ASSIGN && !i->target->global && c->slot[i->target->index]) expr_symbols(i->value, follow_symbol, c);
    }
    vec_free(component);
    vec_free_rows(out);
}

static unsigned created_by(const Program *p, const Template *t, unsigned to, unsigned limit) {
    Count c = {.program = p, .template_ = t, .to = to};
    bool any = false;
    vec_each_at(const Action, a, t->actions) any |= creates(a, to) > 0;
    if (!any) return 0;
    vec_resize(c.slot, vec_len(t->locals));
    unsigned n = count_paths(&c, limit);
    if (n == UNBOUNDED) follow(&c);
    if (c.followed) n = count_paths(&c, limit);
    vec_free(c.slot);
    vec_free(c.now);
    return n;
}

/* ---- all templates ---- */

static unsigned product(unsigned a, unsigned b) {
    uint64_t n = (uint64_t)a * b;
    return n > UNBOUNDED ? UNBOUNDED : (unsigned)n;
}

void omit_threads(const OmissionView *v, Omission *o) {
    const Program *p = v->after;
    unsigned n = (unsigned)vec_len(p->templates), *by = zeroed((size_t)n * n + 1, sizeof *by), *now = zeroed(n + 1, sizeof *now);
    for (unsigned t = 0; t < n; t++)
        for (unsigned c = 0; c < n; c++)
            by[c * n + t] = p->templates[t]->count ? created_by(p, p->templates[c], t, p->templates[t]->count) : 0;
    for (unsigned round = 0; round <= n; round++)
        for (unsigned t = 0; t < n; t++) {
            unsigned sum = t == 0;
            for (unsigned c = 0; c < n; c++) {
                bool many = by[c * n + t] && !p->templates[c]->count;
                unsigned more = many ? UNBOUNDED : product(by[c * n + t], now[c]);
                sum = sum + more > UNBOUNDED ? UNBOUNDED : sum + more;
            }
            if (round == n && sum != now[t]) sum = UNBOUNDED; /* threads that create each other */
            now[t] = sum;
        }
    for (unsigned t = 0; t < n; t++) {
        o->count += p->templates[t]->count > 0;
        if (p->templates[t]->count && now[t] > p->templates[t]->count)
            omission_refuse(o, p->templates[t]->locations[p->templates[t]->entry].position, MSG_CHECK_THREADS, p->templates[t]->name);
    }
    free(by);
    free(now);
}
