/* SPDX-License-Identifier: Apache-2.0 */
/* Propagates constants, and unrolls loops that create or join threads if constants decide the number of rounds.

   requires  a well-formed program
   ensures   the behaviours stay. A local whose value at a location is one constant is replaced by it there. Actions whose guard is then false
             are removed. A loop with a CREATE or JOIN is unrolled if its rounds have different constants. No loop is unrolled if the caller
             keeps loops whole, or if the template would grow beyond LIMIT times its locations.
   breaks    locations and actions are numbered anew (the translation has the old numbers)

   The pass is a partial evaluation in two phases. Phase 1 is a forward data flow: it finds the constants that hold at a location whenever the
   location is reached. Phase 2 builds the graph anew. A location outside of the loops to unroll becomes one node with its constants. A
   location inside becomes a node for each set of constants with which it is reached. */
#include "passes/program/program_passes.h"
#include "analysis/graph.h"
#include "base/map.h"
#include "ir/live.h"
#include <string.h>

enum { LIMIT = 200 };

typedef const Expr **Env; /* by local index: a constant expression, or NULL if the value is not known */

/* A place has a vec of facts, in the order of their locals: few locals have a known value. */
typedef SpecialisedFact Fact;
typedef SpecialisedLocation Node;

typedef struct Specialiser {
    Program *program;
    bool whole_loops; /* no loop is unrolled */
    Template *template_;
    Liveness *live;
    size_t nlocals;
    bool *unrolled; /* by location: inside a loop to be unrolled */
    bool *reached;  /* phase 1, by location */
    Fact **known;   /* phase 1, by location: a vec of facts */
    Node *nodes;    /* phase 2: a vec */
    Map *by_hash;   /* hash of a node -> its first index + 1; collisions are chained */
    unsigned *chain;
    size_t original_size;
    Env env; /* the environment that recall fills */
} Specialiser;

/* ---- environments ---- */

/* Fills s->env with the facts and returns it. The next call overwrites it. */
static Env recall(const Specialiser *s, const Fact *facts) {
    memset((void *)s->env, 0, s->nlocals * sizeof *s->env);
    for (size_t i = 0; i < vec_len(facts); i++) s->env[facts[i].local] = facts[i].value;
    return s->env;
}

/* Returns the facts of env about locals that are live at the location, as a vec. */
static Fact *facts_at(const Specialiser *s, Env env, unsigned location) {
    Fact *facts = NULL;
    for (unsigned i = 0; i < s->nlocals; i++)
        if (env[i] && live_at(s->live, location, s->template_->locals[i])) vec_push(facts, ((Fact){i, env[i]}));
    return facts;
}

static Fact *facts_copy(const Fact *facts) {
    Fact *copy = NULL;
    for (size_t i = 0; i < vec_len(facts); i++) vec_push(copy, facts[i]);
    return copy;
}

static bool facts_equal(const Fact *a, const Fact *b) {
    if (vec_len(a) != vec_len(b)) return false;
    for (size_t i = 0; i < vec_len(a); i++)
        if (a[i].local != b[i].local || a[i].value != b[i].value) return false;
    return true;
}

static const Expr *image(void *env, const Expr *e) {
    const Variable *v = expr_variable(e);
    return v && !v->global ? ((Env)env)[v->index] : NULL;
}

static const Expr *evaluated(const Specialiser *s, Env env, const Expr *e) {
    return e ? expr_substitute(s->program->exprs, e, image, env) : NULL;
}

/* Executes the action's instructions on env. */
static void transfer(const Specialiser *s, Env env, const Action *a) {
    vec_each_at(const Instr, in, a->instrs) {
        const Variable *v = instr_written(in);
        if (in->cell && !in->cell->global) env[in->cell->index] = NULL;
        if (!v || v->global) continue;
        const Expr *value = in->kind == INSTR_ASSIGN ? evaluated(s, env, in->value) : NULL;
        env[v->index] = value && expr_is_const(value) ? value : NULL;
    }
}

/* ---- loops that create or join ---- */

static bool handles_threads(const Action *a) {
    for (size_t i = 0; i < vec_len(a->instrs); i++)
        if (a->instrs[i].kind == INSTR_CREATE || a->instrs[i].kind == INSTR_JOIN) return true;
    return false;
}

/* Marks the locations of each strongly connected component inside which an action has a CREATE or JOIN. */
static void find_loops(Specialiser *s) {
    const Template *t = s->template_;
    unsigned *component = graph_components(t);
    bool *chosen = NULL;
    vec_resize(chosen, vec_len(t->locations));
    for (size_t i = 0; i < vec_len(t->actions) && !s->whole_loops; i++)
        if (graph_repeats(component, &t->actions[i]) && handles_threads(&t->actions[i])) chosen[component[t->actions[i].source]] = true;
    vec_resize(s->unrolled, vec_len(t->locations));
    for (size_t l = 0; l < vec_len(t->locations); l++) s->unrolled[l] = chosen[component[l]];
    vec_free(component);
    vec_free(chosen);
}

/* ---- phase 1: constants at each location ---- */

/* Keeps the facts of the location that env agrees with; returns true if this removes one, or the location was not reached before. */
static bool join(Specialiser *s, unsigned location, Env env) {
    Fact *known = s->known[location];
    size_t n = 0;
    if (!s->reached[location]) {
        s->reached[location] = true;
        s->known[location] = facts_at(s, env, location);
        return true;
    }
    for (size_t i = 0; i < vec_len(known); i++)
        if (known[i].value == env[known[i].local]) known[n++] = known[i];
    bool changed = n < vec_len(known);
    while (vec_len(known) > n) (void)vec_pop(known);
    return changed;
}

static void propagate(Specialiser *s) {
    const Template *t = s->template_;
    unsigned *work = NULL;
    vec_resize(s->known, vec_len(t->locations));
    vec_resize(s->reached, vec_len(t->locations));
    recall(s, NULL);
    if (t->index == 0) s->env[t->self->index] = expr_bv(s->program->exprs, 32, 1);
    join(s, t->entry, s->env);
    vec_push(work, t->entry);
    while (vec_len(work)) {
        unsigned l = vec_pop(work);
        vec_each_of(const Action, a, t->actions, t->locations[l].out) {
            if (expr_is_false(evaluated(s, recall(s, s->known[l]), a->guard))) continue;
            transfer(s, s->env, a);
            if (join(s, a->target, s->env)) vec_push(work, a->target);
        }
    }
    vec_free(work);
}

/* ---- phase 2: the new graph ---- */

static uint64_t node_hash(unsigned location, const Fact *facts) {
    uint64_t h = hash_word(location + 1);
    for (size_t i = 0; i < vec_len(facts); i++) h = hash_word(h ^ hash_word((uint64_t)facts[i].local << 32 | facts[i].value->id));
    return h;
}

/* Returns the node of the location with the constants of env, which is made if it does not exist. */
static unsigned node_for(Specialiser *s, unsigned location, Env env) {
    Fact *facts = s->unrolled[location] ? facts_at(s, env, location) : facts_copy(s->known[location]);
    uint64_t h = node_hash(location, facts), head = 0;
    map_get(s->by_hash, h, &head);
    for (unsigned n = (unsigned)head; n; n = s->chain[n - 1])
        if (s->nodes[n - 1].was == location && facts_equal(s->nodes[n - 1].facts, facts)) {
            vec_free(facts);
            return n - 1;
        }
    vec_push(s->nodes, ((Node){location, facts}));
    vec_push(s->chain, (unsigned)head);
    map_put(s->by_hash, h, vec_len(s->nodes));
    return (unsigned)vec_len(s->nodes) - 1;
}

static Instr specialised_instr(const Specialiser *s, Env env, const Instr *i) {
    Instr n = *i;
    n.address = evaluated(s, env, i->address);
    n.value = evaluated(s, env, i->value);
    n.size = evaluated(s, env, i->size);
    return n;
}

static void rebuild_action(Specialiser *s, Template *out, unsigned source, const Action *a, unsigned **origin) {
    Env env = recall(s, s->nodes[source].facts);
    const Expr *guard = evaluated(s, env, a->guard);
    if (expr_is_false(guard)) return;
    Instr *instrs = NULL;
    for (size_t i = 0; i < vec_len(a->instrs); i++) {
        Action one = {.instrs = NULL};
        Instr in = specialised_instr(s, env, &a->instrs[i]);
        vec_push(instrs, in);
        vec_push(one.instrs, in);
        transfer(s, env, &one);
        vec_free(one.instrs);
    }
    unsigned target = node_for(s, a->target, env);
    while (vec_len(out->locations) < vec_len(s->nodes)) {
        Location l = s->template_->locations[s->nodes[vec_len(out->locations)].was];
        l.index = (unsigned)vec_len(out->locations);
        l.out = NULL;
        vec_push(out->locations, l);
    }
    Action *b = template_action(s->program, out, source, target, guard, a->position);
    b->approximation = a->approximation;
    b->section = a->section;
    b->instrs = instrs;
    vec_push(*origin, a->index);
}

/* Builds the new graph. Returns false if it has more than LIMIT times the old locations: then no loop is unrolled. */
static bool rebuild(Specialiser *s, Template *out, unsigned **origin) {
    const Template *t = s->template_;
    out->entry = node_for(s, t->entry, recall(s, s->known[t->entry]));
    Location first = t->locations[t->entry];
    first.index = 0;
    first.out = NULL;
    vec_push(out->locations, first);
    for (unsigned n = 0; n < vec_len(s->nodes); n++) {
        const Location *l = &t->locations[s->nodes[n].was];
        for (size_t i = 0; i < vec_len(l->out); i++) rebuild_action(s, out, n, &t->actions[l->out[i]], origin);
        if (vec_len(s->nodes) > LIMIT * s->original_size) return false;
    }
    return true;
}

static void release_code(Template *t) {
    for (size_t i = 0; i < vec_len(t->locations); i++) vec_free(t->locations[i].out);
    for (size_t i = 0; i < vec_len(t->actions); i++) vec_free(t->actions[i].instrs);
    vec_free(t->locations);
    vec_free(t->actions);
}

static void reset(Specialiser *s) {
    for (size_t i = 0; i < vec_len(s->nodes); i++) vec_free(s->nodes[i].facts);
    vec_free(s->nodes);
    vec_free(s->chain);
    map_free(s->by_hash);
    s->by_hash = map_new();
}

static void release(Specialiser *s) {
    reset(s);
    map_free(s->by_hash);
    live_free(s->live);
    vec_free_rows(s->known);
    vec_free(s->reached);
    vec_free(s->unrolled);
    vec_free(s->env);
}

/* Returns a vec with the constants at the locations of the result. */
static SpecialisedLocation *specialise_template(Program *p, Template *t, Translation *translation, bool whole_loops) {
    Specialiser s = {.program = p,
                     .whole_loops = whole_loops,
                     .template_ = t,
                     .live = live_new(p, t),
                     .nlocals = vec_len(t->locals),
                     .by_hash = map_new(),
                     .original_size = vec_len(t->locations)};
    Template out = *t;
    out.locations = NULL;
    out.actions = NULL;
    unsigned *origin = NULL;
    vec_resize(s.env, s.nlocals);
    find_loops(&s);
    propagate(&s);
    if (!rebuild(&s, &out, &origin)) {
        release_code(&out);
        vec_clear(origin);
        reset(&s);
        memset(s.unrolled, 0, s.original_size * sizeof *s.unrolled);
        ensure(rebuild(&s, &out, &origin));
    }
    unsigned **actions = &translation->actions[t->index];
    for (size_t i = 0; i < vec_len(origin); i++) origin[i] = (*actions)[origin[i]];
    vec_free(*actions);
    *actions = origin;
    release_code(t);
    *t = out;
    SpecialisedLocation *known = s.nodes;
    s.nodes = NULL;
    release(&s);
    return known;
}

Specialised *specialise(Program *p, Translation *translation, bool whole_loops) {
    ensure(translation_valid(translation, p));
    Specialised *known = zeroed(1, sizeof *known);
    for (size_t i = 0; i < vec_len(p->templates); i++)
        vec_push(known->templates, specialise_template(p, p->templates[i], translation, whole_loops));
    return known;
}

static bool has_threads(const Template *t) {
    for (size_t a = 0; a < vec_len(t->actions); a++)
        for (size_t i = 0; i < vec_len(t->actions[a].instrs); i++) {
            InstrKind kind = t->actions[a].instrs[i].kind;
            if (kind == INSTR_CREATE || kind == INSTR_JOIN) return true;
        }
    return false;
}

void specialise_small(Program *p, Translation *translation) {
    enum { LARGE = 100000 };
    Specialised *known = zeroed(1, sizeof *known);
    vec_each(Template *, t, p->templates)
        if (vec_len(t->locations) * vec_len(t->locals) < LARGE || has_threads(t))
            vec_push(known->templates, specialise_template(p, t, translation, false));
    specialised_free(known);
}
