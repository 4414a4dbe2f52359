/* SPDX-License-Identifier: Apache-2.0 */
/* Computes the fixpoint. A thread's own block steps are applied before environment transitions, so that counterexamples are short. */
#include "base/clock.h"
#include "engine/threader/aret.h"

/* ---- nodes and environment transitions ---- */

static bool within(const Aret *r, unsigned a, unsigned b) {
    return predicates_within(post_predicate_set(r->abstraction->post, a), post_predicate_set(r->abstraction->post, b));
}

/* Adds a node, unless an older one covers it. Marks the nodes that it covers. */
static void add_node(Aret *r, Node n) {
    unsigned **list = &r->by_place[n.thread][n.location];
    for (size_t i = 0; i < vec_len(*list); i++)
        if (within(r, r->nodes[(*list)[i]].mask, n.mask)) return;
    for (size_t i = 0; i < vec_len(*list); i++)
        if (within(r, n.mask, r->nodes[(*list)[i]].mask)) r->nodes[(*list)[i]].covered = true;
    vec_push(*list, (unsigned)vec_len(r->nodes));
    vec_push(r->nodes, n);
}

static bool writes_the_same(const BlockStep *a, const BlockStep *b) {
    if (a->thread != b->thread || vec_len(a->writes) != vec_len(b->writes)) return false;
    for (size_t i = 0; i < vec_len(a->writes); i++)
        if (a->writes[i] != b->writes[i]) return false;
    return true;
}

bool aret_writes_the_same(const Aret *r, unsigned env, unsigned block_step) {
    return writes_the_same(&r->abstraction->block_steps->list[block_step], aret_block_step(r, env));
}

/* True if k covers i. The older one of two equal items covers the other. */
static bool is_covered_by(bool within, bool back, unsigned i, unsigned k) { return i != k && within && (!back || k < i); }

void aret_cover(Aret *r) {
    for (unsigned i = 0; i < vec_len(r->nodes); i++) {
        const unsigned *list = r->by_place[r->nodes[i].thread][r->nodes[i].location];
        for (size_t k = 0; k < vec_len(list) && !r->nodes[i].covered; k++) {
            unsigned mask = r->nodes[list[k]].mask;
            r->nodes[i].covered = !r->nodes[list[k]].covered &&
                                  is_covered_by(within(r, mask, r->nodes[i].mask), within(r, r->nodes[i].mask, mask), i, list[k]);
        }
    }
    for (unsigned i = 0; i < vec_len(r->envs); i++)
        for (unsigned k = 0; k < vec_len(r->envs) && !r->envs[i].covered; k++) {
            if (r->envs[k].covered || !writes_the_same(aret_block_step(r, i), aret_block_step(r, k))) continue;
            r->envs[i].covered =
                is_covered_by(within(r, r->envs[k].cube, r->envs[i].cube), within(r, r->envs[i].cube, r->envs[k].cube), i, k);
        }
}

static void add_env(Aret *r, EnvTransition e) {
    const BlockStep *l = &r->abstraction->block_steps->list[e.block_step];
    for (unsigned i = 0; i < vec_len(r->envs); i++)
        if (!r->envs[i].covered && writes_the_same(l, aret_block_step(r, i)) && within(r, r->envs[i].cube, e.cube)) return;
    for (unsigned i = 0; i < vec_len(r->envs); i++)
        if (writes_the_same(l, aret_block_step(r, i)) && within(r, e.cube, r->envs[i].cube)) r->envs[i].covered = true;
    vec_push(r->envs, e);
}

/* ---- environment transitions ---- */

typedef struct Renaming {
    const Aret *aret;
    const unsigned *written;
    unsigned from, to; /* the variables `self` of a thread marked many and of its second instance, or NONE */
    unsigned thread, location;
} Renaming;

/* Renames a symbol of a transition predicate for a thread at a location. Primed variables that are not written become those before. The place
   of the thread becomes its location. */
static const Expr *rename_symbol(void *context, const Expr *e) {
    const Renaming *n = context;
    const Abstraction *a = n->aret->abstraction;
    unsigned v = system_variable(a->extended, e->symbol);
    if (v == NONE) return NULL;
    if (v == n->from) return abstraction_expr(a, n->to);
    unsigned before = v >= a->shared ? v - a->shared : v;
    if (before == place_of(a, n->thread)) return expr_int(a->exprs, n->location);
    if (v < a->shared) return NULL;
    for (size_t i = 0; i < vec_len(n->written); i++)
        if (n->written[i] == before) return NULL;
    return abstraction_expr(a, before);
}

/* Returns the thread that takes the block step, as seen by `thread`: its second instance takes block steps of the same code. */
static unsigned actor_of(const Abstraction *a, const BlockStep *l, unsigned thread) {
    return l->thread == thread ? a->system->threads[thread].other_instance : l->thread;
}

unsigned aret_step(Aret *r, unsigned block_step, unsigned thread) {
    ensure(block_step < vec_len(r->abstraction->block_steps->list) && thread < vec_len(r->abstraction->system->threads));
    Abstraction *a = r->abstraction;
    const BlockStep *l = &a->block_steps->list[block_step];
    uint64_t key = (uint64_t)block_step << 32 | thread, known;
    if (map_get(a->steps, key, &known)) return (unsigned)known;
    const unsigned *written = a->written[l->step.index];
    Update *updates = NULL;
    for (size_t k = 0; k < vec_len(written); k++) {
        bool local = written[k] < vec_len(a->system->variables) && a->system->variables[written[k]].thread != NONE;
        bool mine = written[k] == place_of(a, thread) || (local && a->system->variables[written[k]].thread == thread);
        if (!mine) vec_push(updates, ((Update){written[k], abstraction_expr(a, after_of(a, written[k]))}));
    }
    unsigned step = post_add_step(a->post, abstraction_numbers(a, thread, actor_of(a, l, thread)), updates);
    vec_free(updates);
    map_put(a->steps, key, step);
    return step;
}

enum { VIEW_FALSE = NONE - 1 }; /* the view of a predicate that is false there */

/* Returns the assertion that a transition predicate of a block step becomes for a thread at a location. NONE if it is true there, VIEW_FALSE if it
   is false. */
static unsigned view_of(Aret *r, unsigned assertion, unsigned block_step, unsigned thread, unsigned location) {
    Abstraction *a = r->abstraction;
    const BlockStep *l = &a->block_steps->list[block_step];
    bool own = l->thread == thread;
    uint64_t key = hash_word(hash_word((uint64_t)assertion << 32 | block_step) ^ ((uint64_t)thread << 32 | location)), known;
    if (map_get(a->views, key, &known)) return (unsigned)known;
    const unsigned *written = a->written[l->step.index];
    Renaming n = {
        r,      written, own ? a->system->threads[thread].self : NONE, own ? a->system->threads[actor_of(a, l, thread)].self : NONE,
        thread, location};
    const Expr *e = expr_substitute(a->exprs, post_predicate(a->post, assertion), rename_symbol, &n);
    unsigned view = expr_is_true(e) ? NONE : expr_is_false(e) ? VIEW_FALSE : post_add_predicate(a->post, e);
    map_put(a->views, key, view);
    return view;
}

static unsigned find_view(Aret *r, unsigned cube, unsigned block_step, unsigned thread, unsigned location) {
    Abstraction *a = r->abstraction;
    PredicateSet m = {0}, all = *post_predicate_set(a->post, cube);
    unsigned i;
    for (PredicateWalk w = predicates_walk(&all); predicates_next(&w, &i);) {
        unsigned v = view_of(r, i, block_step, thread, location);
        if (v == VIEW_FALSE) return NEVER;
        if (v != NONE) predicates_add(&m, v);
    }
    return post_intern_set(a->post, &m);
}

/* Returns the mask of the assertions that transition predicates become for a thread at a location. NEVER if one of them is false there. */
static unsigned aret_view(Aret *r, unsigned cube, unsigned block_step, unsigned thread, unsigned location) {
    Map *views = r->abstraction->cube_views;
    uint64_t key = hash_word(hash_word((uint64_t)cube << 32 | block_step) ^ ((uint64_t)thread << 32 | location)), view;
    if (!map_get(views, key, &view)) {
        view = find_view(r, cube, block_step, thread, location);
        map_put(views, key, view);
    }
    return (unsigned)view;
}

unsigned aret_apply(Aret *r, unsigned mask, unsigned cube, unsigned block_step, unsigned thread, unsigned location,
                    const PredicateSet *these) {
    Abstraction *a = r->abstraction;
    unsigned view = aret_view(r, cube, block_step, thread, location);
    if (view == NEVER) return NEVER;
    PredicateSet both = *post_predicate_set(a->post, mask);
    predicates_join(&both, post_predicate_set(a->post, view));
    return abstraction_after(a, aret_step(r, block_step, thread), post_intern_set(a->post, &both), these);
}

void aret_needs(Aret *r, unsigned mask, unsigned cube, unsigned block_step, unsigned thread, unsigned location, unsigned assertion,
                PredicateSet *held, PredicateSet *said) {
    Abstraction *a = r->abstraction;
    unsigned view = aret_view(r, cube, block_step, thread, location), i;
    PredicateSet all = *post_predicate_set(a->post, cube), left = {0};
    *held = *said = (PredicateSet){0};
    if (view != NEVER) {
        PredicateSet both = *post_predicate_set(a->post, mask);
        predicates_join(&both, post_predicate_set(a->post, view));
        left = post_needs(a->post, aret_step(r, block_step, thread), post_intern_set(a->post, &both), assertion);
    }
    for (unsigned w = 0; w < PREDICATE_WORDS; w++) {
        held->word[w] = left.word[w] & post_predicate_set(a->post, mask)->word[w];
        left.word[w] &= ~held->word[w];
    }
    for (PredicateWalk w = predicates_walk(&all); predicates_next(&w, &i);) { /* those with a needed view, or the first with a false view */
        unsigned seen = view_of(r, i, block_step, thread, location);
        bool needed = seen == VIEW_FALSE ? view == NEVER : view != NEVER && seen != NONE && predicates_has(&left, seen);
        if (needed) predicates_add(said, i);
        if (needed && view == NEVER) return;
    }
}

bool aret_touches(Aret *r, unsigned node, unsigned env) {
    ensure(node < vec_len(r->nodes) && env < vec_len(r->envs));
    const AbstractPost *h = r->abstraction->post;
    const PredicateSet *written = post_written(r->abstraction->post, aret_step(r, r->envs[env].block_step, r->nodes[node].thread));
    const PredicateSet *holds = post_predicate_set(h, r->nodes[node].mask);
    uint64_t touched = 0;
    for (unsigned w = 0; w < PREDICATE_WORDS; w++) touched |= written->word[w] & holds->word[w];
    return touched;
}

bool aret_may_apply(const Aret *r, unsigned node, unsigned env) {
    ensure(node < vec_len(r->nodes) && env < vec_len(r->envs));
    const Abstraction *a = r->abstraction;
    const Node *n = &r->nodes[node];
    return a->blocks->out[n->thread][n->location] && (aret_block_step(r, env)->thread != n->thread || a->system->threads[n->thread].many);
}

static void apply(Aret *r, unsigned node, unsigned env) {
    Abstraction *a = r->abstraction;
    Node n = r->nodes[node];
    if (!aret_touches(r, node, env)) return; /* all predicates still hold */
    unsigned block_step = r->envs[env].block_step;
    unsigned mask = aret_apply(r, n.mask, r->envs[env].cube, block_step, n.thread, n.location, &a->predicates[n.thread][n.location]);
    if (mask != NEVER)
        add_node(r, (Node){.thread = n.thread, .location = n.location, .mask = mask, .parent = node, .block_step = NONE, .env = env});
}

/* ---- a thread's own steps ---- */

bool aret_is_noticed(const Abstraction *a, const BlockStep *l) {
    const unsigned *written = a->written[l->step.index];
    bool noticed = false;
    for (size_t i = 0; i < vec_len(written) && !noticed; i++) {
        bool own = written[i] < vec_len(a->system->variables) && a->system->variables[written[i]].thread != NONE &&
                   a->system->threads[l->thread].many;
        noticed = !own && a->noticed[written[i]];
    }
    return noticed;
}

static void expand_by(Aret *r, unsigned node, unsigned block_step) {
    ensure(node < vec_len(r->nodes) && block_step < vec_len(r->abstraction->block_steps->list));
    Abstraction *a = r->abstraction;
    const BlockStep *l = &a->block_steps->list[block_step];
    Node n = r->nodes[node];
    unsigned mask = abstraction_after(a, a->own[block_step], n.mask, &a->predicates[n.thread][l->step.target]);
    if (mask == NEVER) return;
    if (block_step_is_bad(a->block_steps, l)) {
        r->error = node;
        r->bad = block_step;
        return;
    }
    add_node(r,
             (Node){.thread = n.thread, .location = l->step.target, .mask = mask, .parent = node, .block_step = block_step, .env = NONE});
    if (!aret_is_noticed(a, l)) return;
    unsigned cube = abstraction_after(a, a->relational[block_step], n.mask, &a->relations[n.thread]);
    if (cube != NEVER) add_env(r, (EnvTransition){.source = node, .block_step = block_step, .cube = cube});
}

static void expand(Aret *r, unsigned node) {
    const Abstraction *a = r->abstraction;
    const unsigned *from = a->block_steps->starting_at[r->nodes[node].thread][r->nodes[node].location];
    r->nodes[node].expanded = true;
    for (size_t i = 0; i < vec_len(from) && r->error == NONE; i++) expand_by(r, node, from[i]);
}

/* Applies the environment transitions that were not applied to the node yet. */
static void apply_all(Aret *r, unsigned node) {
    for (size_t n = vec_len(r->envs); r->nodes[node].envs < n; r->nodes[node].envs++) {
        unsigned env = r->nodes[node].envs;
        if (!r->envs[env].covered && !r->nodes[node].covered && aret_may_apply(r, node, env)) apply(r, node, env);
    }
}

/* ---- the fixpoint ---- */

static void begin(Aret *r, Abstraction *a) {
    const System *s = a->system;
    *r = (Aret){.abstraction = a, .error = NONE, .bad = NONE};
    for (unsigned t = 0; t < vec_len(s->threads); t++) {
        unsigned **list = NULL;
        vec_resize(list, vec_len(s->threads[t].locations));
        vec_push(r->by_place, list);
        if (system_first_instance(s, t) != t) continue;
        unsigned mask = abstraction_after(a, a->start[t], 0, &a->predicates[t][s->threads[t].entry]);
        if (mask != NEVER)
            add_node(r,
                     (Node){.thread = t, .location = s->threads[t].entry, .mask = mask, .parent = NONE, .block_step = NONE, .env = NONE});
    }
}

static bool node_valid(const Aret *r, unsigned node) {
    const Node *n = &r->nodes[node];
    if (n->thread >= vec_len(r->by_place) || n->location >= vec_len(r->by_place[n->thread]) || n->envs > vec_len(r->envs)) return false;
    if (n->parent == NONE) return n->block_step == NONE && n->env == NONE;
    return n->parent < node && r->nodes[n->parent].thread == n->thread && (n->block_step == NONE) == (n->env != NONE) &&
           (n->env == NONE || n->env < vec_len(r->envs));
}

bool aret_valid(const Aret *r) {
    for (unsigned i = 0; i < vec_len(r->nodes); i++)
        if (!node_valid(r, i)) return false;
    for (unsigned i = 0; i < vec_len(r->envs); i++)
        if (r->envs[i].source >= vec_len(r->nodes) || aret_block_step(r, i)->thread != r->nodes[r->envs[i].source].thread) return false;
    return (r->error == NONE) == (r->bad == NONE) && (r->error == NONE || r->error < vec_len(r->nodes));
}

static AretAnswer find_fixpoint(Aret *r, double deadline) {
    for (bool again = true; again;) {
        again = false;
        for (unsigned n = 0; n < vec_len(r->nodes); n++)
            if (!r->nodes[n].expanded && !r->nodes[n].covered) {
                if (clock_seconds() > deadline) return ARET_TIME;
                expand(r, n);
                again = true;
                if (r->error != NONE) return ARET_ERROR;
            }
        for (unsigned n = 0, last = (unsigned)vec_len(r->nodes); n < last; n++) {
            if (clock_seconds() > deadline) return ARET_TIME;
            again |= !r->nodes[n].covered && r->nodes[n].envs < vec_len(r->envs);
            apply_all(r, n);
        }
    }
    return ARET_PROVED;
}

AretAnswer aret_build(Aret *r, Abstraction *a, double deadline) {
    begin(r, a);
    AretAnswer answer = find_fixpoint(r, deadline);
    ensure(aret_valid(r) && (answer == ARET_ERROR) == (r->error != NONE));
    return answer;
}

void aret_free(Aret *r) {
    for (size_t t = 0; t < vec_len(r->by_place); t++) {
        vec_free_rows(r->by_place[t]);
    }
    vec_free(r->by_place);
    vec_free(r->nodes);
    vec_free(r->envs);
}
