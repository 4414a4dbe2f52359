/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps the parts of the program that affect one property. The front end makes one program for all properties (ir/program.h, PropertySet).

   requires  a program as the front end made it
   ensures   the program has no marks: actions, approximations, objects and variables that only other properties need are gone. A variable that
             tests for properties is true or false. Actions that are parts of one step are one action. A product that may be an index keeps one
             of its two flags: `exact`, a product of the program, for overflows; otherwise `nsw`, a product that must not wrap around
   breaks    indices of actions, approximations, objects and globals; unreachable locations stay until `clean` */
#include "passes/program/program_passes.h"
#include "analysis/graph.h"
#include "base/map.h"
#include "ir/layout.h"

typedef struct Focus {
    Program *program;
    PropertySet property;
    bool *shared; /* program_shared_objects */
    Map *used;    /* the variables, objects, templates and approximations that the program for all properties uses */
} Focus;

static bool is_kept(const Focus *f, PropertySet only) { return !only || only & f->property; }

/* ---- expressions ---- */

static const Expr *image(void *context, const Expr *e) {
    const Focus *f = context;
    Exprs *pool = f->program->exprs;
    const Variable *v = expr_variable(e);
    if (v && v->true_for) return expr_bool(pool, v->true_for & f->property);
    if (e->op != OP_MUL || (e->flags & (FLAG_NSW | FLAG_EXACT)) != (FLAG_NSW | FLAG_EXACT)) return NULL;
    const Expr *factors[] = {expr_replace(pool, e->args[0], image, context), expr_replace(pool, e->args[1], image, context)};
    unsigned flags = e->flags & ~(unsigned)(f->property == FOR_OVERFLOWS ? FLAG_NSW : FLAG_EXACT);
    return expr_2f(pool, OP_MUL, flags, factors[0], factors[1]);
}

static const Expr *focused(Focus *f, const Expr *e) { return e ? expr_replace(f->program->exprs, e, image, f) : NULL; }

static void focus_instr(Focus *f, Instr *i) {
    i->address = focused(f, i->address);
    i->value = focused(f, i->value);
    i->size = focused(f, i->size);
}

/* ---- actions ---- */

static bool is_way(Focus *f, Action *a) {
    const Expr *guard = a->guard;
    if (!is_kept(f, a->properties)) return false;
    a->guard = focused(f, guard);
    return guard == a->guard || !expr_is_false(a->guard);
}

static void keep_ways(Focus *f, Template *t, Location *l) {
    unsigned kept = 0;
    for (size_t i = 0; i < vec_len(l->out); i++)
        if (is_way(f, &t->actions[l->out[i]])) l->out[kept++] = l->out[i];
    vec_resize(l->out, kept);
}

/* Empties the locations that only actions for other properties reach. */
static void keep_reachable(Template *t) {
    bool *reached = graph_reached(t, ANY_WAY);
    for (size_t i = 0; i < vec_len(t->locations); i++) {
        if (reached[i]) continue;
        vec_clear(t->locations[i].out);
        t->locations[i].kind = LOCATION_PLAIN;
        t->locations[i].approximation = NO_APPROXIMATION;
    }
    vec_free(reached);
}

/* Returns the action after a that belongs to the same step, or NULL. */
static Action *rest_of_step(const Focus *f, Template *t, const Action *a) {
    const Location *l = &t->locations[a->target];
    if (!(l->within & f->property) || vec_len(l->out) != 1) return NULL;
    Action *b = &t->actions[l->out[0]];
    return b != a && expr_is_true(b->guard) ? b : NULL;
}

static bool accesses(const Focus *f, const Action *a) { return action_is_visible(a, f->shared); }

/* True if the action does nothing but lead to the rest of its step. */
static bool is_empty(const Action *a) { return !vec_len(a->instrs) && expr_is_true(a->guard) && a->approximation == NO_APPROXIMATION; }

/* Appends b to a. The position of the action is the position of its visible access. If no access is visible, it is the position of the first part. */
static void append(const Focus *f, Action *a, const Action *b) {
    if (is_empty(a) || (!accesses(f, a) && accesses(f, b))) a->position = b->position;
    for (size_t i = 0; i < vec_len(b->instrs); i++) vec_push(a->instrs, b->instrs[i]);
    if (a->approximation == NO_APPROXIMATION) a->approximation = b->approximation;
    a->section |= b->section;
    a->target = b->target;
}

/* Joins the actions that are parts of one step. Only one action leads to each later part, so no part is copied. */
static void join_steps(const Focus *f, Template *t) {
    vec_each_at(const Location, l, t->locations)
        for (size_t k = 0; k < vec_len(l->out); k++) {
            Action *a = &t->actions[l->out[k]], *b;
            while (!(l->within & f->property && vec_len(l->out) == 1) && (b = rest_of_step(f, t, a))) {
                vec_clear(t->locations[b->source].out);
                append(f, a, b);
            }
        }
    for (size_t i = 0; i < vec_len(t->locations); i++) t->locations[i].within = 0;
}

/* Drops the actions that no location lists, and renumbers the rest. */
static void take_actions(Template *t) {
    Action *taken = NULL;
    bool *listed = NULL;
    unsigned *number = NULL;
    vec_resize(listed, vec_len(t->actions));
    for (size_t i = 0; i < vec_len(t->locations); i++)
        for (size_t k = 0; k < vec_len(t->locations[i].out); k++) listed[t->locations[i].out[k]] = true;
    for (size_t i = 0; i < vec_len(t->actions); i++) {
        Action a = t->actions[i];
        a.index = (unsigned)vec_len(taken);
        a.properties = 0;
        vec_push(number, a.index);
        if (listed[i]) vec_push(taken, a);
        else vec_free(a.instrs);
    }
    for (size_t i = 0; i < vec_len(t->locations); i++)
        for (size_t k = 0; k < vec_len(t->locations[i].out); k++) t->locations[i].out[k] = number[t->locations[i].out[k]];
    vec_free(listed);
    vec_free(number);
    vec_free(t->actions);
    t->actions = taken;
}

static void focus_template(Focus *f, Template *t) {
    for (size_t i = 0; i < vec_len(t->locations); i++) keep_ways(f, t, &t->locations[i]);
    keep_reachable(t);
    for (size_t i = 0; i < vec_len(t->actions); i++)
        for (size_t k = 0; k < vec_len(t->actions[i].instrs); k++) focus_instr(f, &t->actions[i].instrs[k]);
    join_steps(f, t);
    take_actions(t);
}

/* ---- uses ---- */

static void use_expression(void *used, const Expr *e);

static void use_symbol(void *used, const Symbol *s) {
    if (map_get(used, map_key(s->user), NULL)) return;
    map_put(used, map_key(s->user), 1);
    const Variable *v = s->kind == SYM_VARIABLE ? s->user : NULL;
    const Object *o = s->kind == SYM_ADDRESS ? s->user : NULL;
    if (v && v->init) use_expression(used, v->init);
    for (unsigned i = 0; o && i < o->nrelocations; i++) use_symbol(used, o->relocations[i].target);
}

static void use_expression(void *used, const Expr *e) { expr_symbols(e, use_symbol, used); }

static uint64_t approximation_key(unsigned index) { return 2 * (uint64_t)index + 1; /* no address */ }

static void use_action(Map *used, const Program *p, const Action *a) {
    use_expression(used, a->guard);
    if (a->approximation != NO_APPROXIMATION) map_put(used, approximation_key(a->approximation), 1);
    vec_each_at(const Instr, i, a->instrs) {
        instr_expressions(i, use_expression, used);
        if (i->target) use_symbol(used, i->target->symbol);
        if (i->cell) use_symbol(used, i->cell->symbol);
        if (i->object) use_symbol(used, i->object->symbol);
        if (i->kind == INSTR_CREATE) map_put(used, map_key(p->templates[i->template_]), 1);
    }
}

static Map *find_used(const Program *p) {
    Map *used = map_new();
    vec_each(const Template *, t, p->templates) {
        for (size_t a = 0; a < vec_len(t->actions); a++) use_action(used, p, &t->actions[a]);
        for (size_t l = 0; l < vec_len(t->locations); l++)
            if (t->locations[l].kind == LOCATION_STOP) map_put(used, approximation_key(t->locations[l].approximation), 1);
    }
    return used;
}

/* True if the program for all properties uses the thing, but the program for this property does not. */
static bool is_lost(const Focus *f, const Map *used, uint64_t key) { return map_get(f->used, key, NULL) && !map_get(used, key, NULL); }

static void drop_memory(const Focus *f, const Map *used) {
    Program *p = f->program;
    unsigned objects = 0, globals = 0;
    vec_each(Object *, o, p->objects) {
        if (is_lost(f, used, map_key(o))) continue;
        o->index = objects;
        p->objects[objects++] = o;
    }
    vec_each(Variable *, v, p->globals) {
        if (v->true_for || is_lost(f, used, map_key(v))) continue;
        v->index = globals;
        p->globals[globals++] = v;
    }
    vec_resize(p->objects, objects);
    vec_resize(p->globals, globals);
}

static void drop_approximations(const Focus *f, const Map *used) {
    Program *p = f->program;
    unsigned *number = NULL, kept = 0;
    for (unsigned i = 0; i < vec_len(p->approximations); i++) {
        Approximation a = p->approximations[i];
        bool lost = !is_kept(f, a.properties) || is_lost(f, used, approximation_key(i));
        vec_push(number, lost ? NO_APPROXIMATION : kept);
        a.properties = 0;
        if (!lost) p->approximations[kept++] = a;
    }
    vec_resize(p->approximations, kept);
    vec_each(Template *, t, p->templates) {
        for (size_t k = 0; k < vec_len(t->locations); k++)
            if (t->locations[k].kind == LOCATION_STOP) t->locations[k].approximation = number[t->locations[k].approximation];
        for (size_t k = 0; k < vec_len(t->actions); k++)
            if (t->actions[k].approximation != NO_APPROXIMATION) t->actions[k].approximation = number[t->actions[k].approximation];
    }
    vec_free(number);
}

void focus(Program *p, PropertySet property) {
    Focus f = {.program = p, .property = property, .shared = program_shared_objects(p), .used = find_used(p)};
    for (size_t i = 0; i < vec_len(p->templates); i++) focus_template(&f, p->templates[i]);
    Map *used = find_used(p);
    drop_memory(&f, used);
    drop_approximations(&f, used);
    map_free(used);
    map_free(f.used);
    vec_free(f.shared);
    if (property != FOR_MEMORY) p->skew = LAYOUT_SKEW;
}
