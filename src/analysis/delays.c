/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the stores that may be delayed with an observable effect, by the critical cycles of Shasha and Snir, seen from one thread. A store
   s may be assumed to reach memory immediately, except under two conditions. An access l follows s in its thread, without a drain between
   them. A chain of accesses of other threads leads from l back to s. In a chain, l conflicts with the first access and the last one
   conflicts with s. Each other access conflicts with the next, or precedes it in its thread. Under TSO, l is a load; under PSO, l may be a
   store too.

   The reason is this. If s cannot reach memory before l, the order of the execution has a cycle through s and l, and its part in other
   threads is a chain. If l is a load of the place that s writes, there is no cycle: l reads s or a later store.

   The pairs of l and the first access, and of s and the last one, must be unordered. If both accesses of a pair hold the same lock, the
   store reaches memory before its thread releases the lock, since the release drains. So everything between s or l and the arrival of s
   happens while the thread holds the lock, and the other access is not among it. Creation and joins drain as well, so they order pairs in
   the same way. Under TSO, stores to a new object arrive before its address does; so the two cannot meet while only one thread knows the
   object. Under PSO they can. Owens (Reasoning about the implementation of concurrency abstractions on x86-TSO, ECOOP 2010) shows that
   programs without data races behave under TSO as under sequential consistency. Here his result is applied to each single store.

   The chain follows conflicts in both directions, and program order along control flow, creation and joins. Accesses of main before the
   first creation cannot be part of it. An atomic section is one step: from any access in it, the chain continues with all of its
   accesses. */
#include "analysis/delays.h"
#include "analysis/accesses.h"
#include <stdlib.h>

enum { MOST_NODES = 1200 }; /* with more nodes, every store counts as delayed */

typedef struct Node { /* an action that other threads can see */
    unsigned template_, action;
    Access *accesses; /* a vec */
    bool joins, locks;
    unsigned *creates;   /* a vec of templates */
    unsigned *conflicts; /* a vec of nodes of other threads */
} Node;

typedef struct Search {
    const Program *program;
    StoreDelays *out;
    bool *shared;
    PointsTo *pointsto;
    Node *nodes;     /* a vec */
    unsigned **node; /* by template and action: the number of the node, from 1; 0 for an action without a node */
    MayBeUnordered *may_be_unordered;
    const void *context;
} Search;

/* ---- accesses ---- */

static void add_instr(Node *n, const Instr *i) {
    n->locks |= i->kind == INSTR_LOCK || i->kind == INSTR_TRYLOCK || i->kind == INSTR_UNLOCK;
    n->joins |= i->kind == INSTR_JOIN;
    if (i->kind == INSTR_CREATE) vec_push(n->creates, i->template_);
}

static void collect(Search *s, const Template *t) {
    unsigned *of = NULL;
    vec_resize(of, vec_len(t->actions));
    for (size_t a = 0; a < vec_len(t->actions); a++) {
        Node n = {.template_ = t->index, .action = (unsigned)a};
        if (s->out->of[t->index][a].is_single_threaded) continue;
        n.accesses = action_accesses(&t->actions[a], s->pointsto, s->shared);
        for (size_t i = 0; i < vec_len(t->actions[a].instrs); i++) add_instr(&n, &t->actions[a].instrs[i]);
        if (!vec_len(n.accesses) && !vec_len(n.creates) && !n.joins) continue;
        vec_push(s->nodes, n);
        of[a] = (unsigned)vec_len(s->nodes);
    }
    vec_push(s->node, of);
}

/* True if two different threads can execute the two nodes. */
static bool may_be_different_threads(const Search *s, const Node *a, const Node *b) {
    return a->template_ != b->template_ || s->program->templates[a->template_]->count != 1;
}

static bool conflict(const Node *a, const Node *b) {
    for (size_t i = 0; i < vec_len(a->accesses); i++)
        for (size_t k = 0; k < vec_len(b->accesses); k++)
            if (accesses_conflict(&a->accesses[i], &b->accesses[k])) return true;
    return false;
}

static void find_conflicts(Search *s) {
    for (unsigned i = 0; i < vec_len(s->nodes); i++)
        for (unsigned k = i; k < vec_len(s->nodes); k++) {
            if (!may_be_different_threads(s, &s->nodes[i], &s->nodes[k]) || !conflict(&s->nodes[i], &s->nodes[k])) continue;
            vec_push(s->nodes[i].conflicts, k);
            if (i != k) vec_push(s->nodes[k].conflicts, i);
        }
}

/* True if the two accesses may be unordered. Accesses of a lock's word always count as unordered. */
static bool may_be_unordered(const Search *s, unsigned a, unsigned b) {
    const Node *x = &s->nodes[a], *y = &s->nodes[b];
    if (!s->may_be_unordered || x->locks || y->locks) return true;
    return s->may_be_unordered(s->context, x->template_, x->action, y->template_, y->action);
}

/* ---- chains ---- */

typedef struct Chain {
    const Search *search;
    unsigned from;  /* the template in which the chain begins and ends */
    bool single;    /* the template is a single thread, so the chain does not enter it */
    bool *visited;  /* by node */
    bool **past;    /* by template and location: all that follows was visited. NULL for a template that was not visited */
    bool *back;     /* by node: the chain returns to the node */
    unsigned *work; /* a vec of nodes to follow */
} Chain;

static void visit(Chain *c, unsigned n) {
    if (c->visited[n] || (c->single && c->search->nodes[n].template_ == c->from)) return;
    c->visited[n] = true;
    vec_push(c->work, n);
}

/* Visits all nodes that follow the location in its thread. */
static void visit_behind(Chain *c, unsigned template_, unsigned location) {
    const Template *t = c->search->program->templates[template_];
    unsigned *work = NULL;
    if (!c->past[template_]) vec_resize(c->past[template_], vec_len(t->locations));
    if (!c->past[template_][location]) vec_push(work, location);
    c->past[template_][location] = true;
    while (vec_len(work)) {
        const Location *l = &t->locations[vec_pop(work)];
        for (size_t i = 0; i < vec_len(l->out); i++) {
            unsigned n = c->search->node[template_][l->out[i]], to = t->actions[l->out[i]].target;
            if (n) visit(c, n - 1);
            if (!c->past[template_][to]) vec_push(work, to);
            c->past[template_][to] = true;
        }
    }
    vec_free(work);
}

/* Visits all nodes that follow the beginning of the atomic section that contains the location. */
static void visit_section(Chain *c, unsigned template_, unsigned location) {
    const Template *t = c->search->program->templates[template_];
    bool *seen = NULL;
    unsigned *work = NULL;
    vec_resize(seen, vec_len(t->locations));
    vec_push(work, location);
    seen[location] = true;
    while (vec_len(work)) {
        unsigned at = vec_pop(work);
        if (!t->locations[at].atomic || at == t->entry) visit_behind(c, template_, at);
        for (size_t i = 0; t->locations[at].atomic && i < vec_len(t->actions); i++) {
            const Action *a = &t->actions[i];
            if (a->target != at || seen[a->source]) continue;
            seen[a->source] = true;
            vec_push(work, a->source);
        }
    }
    vec_free(seen);
    vec_free(work);
}

/* Continues the chain from a node: by conflicts, program order, creation and joins. */
static void follow(Chain *c, unsigned at) {
    const Search *s = c->search;
    const Node *n = &s->nodes[at];
    for (size_t i = 0; i < vec_len(n->conflicts); i++) {
        if (s->nodes[n->conflicts[i]].template_ == c->from && may_be_unordered(s, at, n->conflicts[i])) c->back[n->conflicts[i]] = true;
        visit(c, n->conflicts[i]);
    }
    const Action *a = &s->program->templates[n->template_]->actions[n->action];
    visit_behind(c, n->template_, a->target);
    if (s->program->templates[n->template_]->locations[a->source].atomic) visit_section(c, n->template_, a->source);
    for (size_t i = 0; i < vec_len(n->creates); i++)
        if (!(c->single && n->creates[i] == c->from)) visit_behind(c, n->creates[i], s->program->templates[n->creates[i]]->entry);
    for (unsigned k = 0; k < vec_len(s->nodes); k++)
        if (s->nodes[k].joins && k != at) visit(c, k);
}

/* Returns a vec by node: true if a chain that begins at `from` returns to the node. */
static bool *chain_back(const Search *s, unsigned from) {
    const Node *l = &s->nodes[from];
    Chain c = {.search = s, .from = l->template_, .single = s->program->templates[l->template_]->count == 1};
    vec_resize(c.visited, vec_len(s->nodes));
    vec_resize(c.back, vec_len(s->nodes));
    vec_resize(c.past, vec_len(s->program->templates));
    for (size_t i = 0; i < vec_len(l->conflicts); i++)
        if (may_be_unordered(s, from, l->conflicts[i])) visit(&c, l->conflicts[i]);
    while (vec_len(c.work)) follow(&c, vec_pop(c.work));
    vec_free_rows(c.past);
    vec_free(c.visited);
    vec_free(c.work);
    return c.back;
}

/* ---- pairs ---- */

/* True if l accesses only the variable that s writes: what l reads is s or later. */
static bool same_place(const Node *s, const Node *l) {
    for (size_t i = 0; i < vec_len(l->accesses); i++)
        if (!l->accesses[i].variable || l->accesses[i].variable != s->accesses[0].variable) return false;
    return vec_len(s->accesses) == 1 && s->accesses[0].variable;
}

typedef struct Pairs {
    const Search *search;
    bool **back; /* by node: the result of chain_back, or NULL if it is not computed yet */
} Pairs;

/* True if a chain leads from l to s. */
static bool has_chain(Pairs *p, unsigned s, unsigned l) {
    if (same_place(&p->search->nodes[s], &p->search->nodes[l])) return false;
    if (!p->back[l]) p->back[l] = chain_back(p->search, l);
    return p->back[l][s];
}

/* True if the store may reach memory after this action. passed: a barrier was passed, and no later store overtakes the store any more. */
static bool overtakes(const Program *p, const StoreDelay *d, bool passed) {
    if (d->weak.kind == WEAK_LOAD || d->weak.kind == WEAK_BLOCK) return true;
    return p->memory == MEMORY_PSO && !passed && d->weak.kind == WEAK_STORE && !d->weak.barrier;
}

/* Flags of a way from a store: it has passed a barrier, or a drain that is only assumed. */
enum { PASSED = 1, ASSUMED = 2, WAYS = 4 };

static void push_way(unsigned **work, bool **seen, unsigned to, unsigned way) {
    if (seen[way][to]) return;
    seen[way][to] = true;
    vec_push(*work, WAYS * to + way);
}

/* Searches the ways from a store for an access that it may be delayed beyond. *assumed becomes true if only ways over assumed drains lead
   to one. */
static bool may_be_delayed(Pairs *p, const Template *t, unsigned action, bool *assumed) {
    const StoreDelay *of = p->search->out->of[t->index];
    unsigned *work = NULL, store = p->search->node[t->index][action] - 1;
    bool *seen[WAYS] = {NULL}, found = false;
    for (unsigned k = 0; k < WAYS; k++) vec_resize(seen[k], vec_len(t->locations));
    push_way(&work, seen, t->actions[action].target, 0);
    while (vec_len(work)) {
        unsigned top = vec_pop(work), way = top % WAYS;
        const Location *l = &t->locations[top / WAYS];
        bool *known = way & ASSUMED ? assumed : &found;
        for (size_t i = 0; i < vec_len(l->out); i++) {
            const StoreDelay *d = &of[l->out[i]];
            unsigned n = p->search->node[t->index][l->out[i]], to = t->actions[l->out[i]].target;
            if (n && !*known && overtakes(p->search->program, d, way & PASSED)) *known = has_chain(p, store, n - 1);
            unsigned then = way | (d->weak.kind == WEAK_BARRIER || d->weak.barrier ? PASSED : 0) | (d->weak.assumed ? ASSUMED : 0);
            if (d->weak.kind != WEAK_DRAIN || d->weak.assumed) push_way(&work, seen, to, then);
        }
    }
    for (unsigned k = 0; k < WAYS; k++) vec_free(seen[k]);
    vec_free(work);
    return found;
}

/* Decides for each action whether it may be delayed. */
static void find_delayed(Search *s) {
    Pairs p = {.search = s};
    bool many = vec_len(s->nodes) > MOST_NODES;
    if (!many) find_conflicts(s);
    vec_resize(p.back, vec_len(s->nodes));
    vec_each_at(const Node, n, s->nodes) {
        const Template *t = s->program->templates[n->template_];
        StoreDelay *d = &s->out->of[t->index][n->action];
        bool stores = d->weak.kind == WEAK_STORE || d->weak.kind == WEAK_BLOCK;
        d->is_observable = many || vec_len(n->conflicts);
        bool assumed = s->out->assumed;
        d->may_be_delayed = stores && d->is_observable && (many || may_be_delayed(&p, t, n->action, &assumed));
        if (assumed && !s->out->assumed) s->out->assuming = t->actions[n->action].position;
        s->out->assumed |= assumed || (many && d->may_be_delayed);
        if (d->may_be_delayed && !s->out->any) s->out->where = t->actions[n->action].position;
        s->out->any |= d->may_be_delayed;
    }
    vec_free_rows(p.back);
}

/* ---- all ---- */

/* Marks the actions of main before its first creation: no other thread exists. */
static void mark_alone(const Template *t, StoreDelay *of) {
    bool *after = NULL;
    vec_resize(after, vec_len(t->locations));
    bool changed = true;
    while (changed) {
        changed = false;
        vec_each_at(const Action, x, t->actions) {
            bool creates = after[x->source];
            for (size_t i = 0; i < vec_len(x->instrs); i++) creates |= x->instrs[i].kind == INSTR_CREATE;
            changed |= creates && !after[x->target];
            if (creates) after[x->target] = true;
        }
    }
    for (size_t a = 0; a < vec_len(t->actions); a++) of[a].is_single_threaded = !after[t->actions[a].source];
    vec_free(after);
}

static void release(Search *s) {
    for (size_t i = 0; i < vec_len(s->nodes); i++) {
        vec_free(s->nodes[i].accesses);
        vec_free(s->nodes[i].creates);
        vec_free(s->nodes[i].conflicts);
    }
    vec_free_rows(s->node);
    vec_free(s->nodes);
    vec_free(s->shared);
    pointsto_free(s->pointsto);
}

bool delays_valid(const StoreDelays *d) {
    bool any = false;
    for (size_t i = 0; i < vec_len(d->program->templates); i++) {
        if (vec_len(d->of) <= i || vec_len(d->of[i]) != vec_len(d->program->templates[i]->actions)) return false;
        for (size_t a = 0; a < vec_len(d->of[i]); a++) {
            any |= d->of[i][a].may_be_delayed;
            if (d->of[i][a].may_be_delayed && d->of[i][a].weak.kind != WEAK_STORE && d->of[i][a].weak.kind != WEAK_BLOCK) return false;
        }
    }
    return !any || d->any;
}

StoreDelays *delays_new(const Program *p, MayBeUnordered *asked, const void *context) {
    StoreDelays *out = zeroed(1, sizeof *out);
    out->program = p;
    Search s = {.program = p,
                .out = out,
                .shared = program_shared_objects(p),
                .pointsto = pointsto_new(p),
                .may_be_unordered = asked,
                .context = context};
    for (size_t i = 0; i < vec_len(p->templates); i++) {
        const Template *t = p->templates[i];
        StoreDelay *of = NULL;
        vec_resize(of, vec_len(t->actions));
        for (size_t a = 0; a < vec_len(t->actions); a++) of[a].weak = weak_action(p, t, &t->actions[a], s.shared);
        if (i == 0) mark_alone(t, of);
        vec_push(out->of, of);
    }
    for (size_t i = 0; i < vec_len(p->templates); i++) collect(&s, p->templates[i]);
    find_delayed(&s);
    release(&s);
    ensure(delays_valid(out));
    return out;
}

void delays_free(StoreDelays *d) {
    vec_free_rows(d->of);
    free(d);
}
