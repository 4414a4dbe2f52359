/* SPDX-License-Identifier: Apache-2.0 */
/* Replaces each value that C leaves open (an unspecified value) by any value.

   requires  a well-formed program that was C
   ensures   three kinds of results are any value. An operator uses an address as a number. A result depends on the order, distance or
             neighbourhood of two objects. An operator other than a comparison uses a thread's id. The action that chooses the value is an
             over-approximation. The program is well-formed. Every execution that C allows is an execution of the program, up to the places of
             objects.
   breaks    targets of actions that are split. No index changes: locations and actions are only added.

   In a Program each object lies at the start of a granule of its own (ir/layout.h), and threads are numbered in order. A C program may be
   compiled and run differently. Four things are the same everywhere: null, equality of pointers to live objects, results within one
   object, and the low bits that alignment clears. Often the program knows only when it computes a value whether the value is one of these.
   So a test decides: an operator on pointers with equal granules, or on numbers that are no addresses, is computed exactly.

     l --...--> k   becomes   (1)  l --when exact: t := e-->  m --... with t for e--> k
                              (2)  l --otherwise: t := e-->   m  (covered by 3)
                              (3)  l --otherwise: t := any--> m  (an over-approximation)

   Action 2 gives the value for the places of objects in a Program. C allows these places, so an error after action 2 is an error of the C
   program. Proofs omit action 2 (Action.subsumed), since action 3 includes its effect, unless e may fault or reads a
   global. If action 3 chooses only the values that C allows, action 2 is not covered.

   If the whole program has a single open value, which is chosen at most once, action 3 is not an over-approximation. Nothing else that the
   program computes depends on the places of objects, so every value that C allows is possible. The action then assumes the constraints of C:
   two objects do not overlap, and addresses are aligned.

   A part of an address that is read from memory is open, too, if an operator uses it (unspecified_parts.c). */
#include "passes/program/program_passes.h"
#include "analysis/graph.h"
#include "passes/program/unspecified_internal.h"

static const int64_t FARTHEST = INT64_C(1) << 46; /* a bound of addresses, and of the distance of two objects */

/* ---- finding ---- */

/* Finds an open value in e, an innermost one; returns false if no value in e is open. */
static bool find_open(Unspecified *o, const Expr *e, OpenValue *out) {
    if (map_find(o->clean, e)) return false;
    for (unsigned i = 0; i < e->nargs; i++)
        if (find_open(o, e->args[i], out)) return true;
    if (unspecified_is_open(o, e, out)) return true;
    map_set(o->clean, e, (void *)e);
    return false;
}

typedef struct Replacement {
    const Expr *from, *to;
    const Expr *not_from, *not_to; /* if these are conditions: their negations, as simplified */
} Replacement;

static Replacement replacement(const Unspecified *o, const Expr *from, const Expr *to) {
    Replacement r = {.from = from, .to = to};
    if (from->sort->kind == SORT_BOOL) r.not_from = no(o, from), r.not_to = no(o, to);
    return r;
}

static const Expr *image(void *context, const Expr *e) {
    const Replacement *r = context;
    return e == r->from ? r->to : e == r->not_from ? r->not_to : NULL;
}

static const Expr *replaced(const Unspecified *o, const Expr *e, Replacement r) { return e ? expr_replace(o->pool, e, image, &r) : NULL; }

static bool find_in_instr(Unspecified *o, const Instr *i, OpenValue *out) {
    if (i->kind == INSTR_JOIN) return false; /* the library uses the id itself */
    return (i->address && find_open(o, i->address, out)) || (i->value && find_open(o, i->value, out)) ||
           (i->size && find_open(o, i->size, out));
}

/* ---- splitting ---- */

static Variable *temporary(Unspecified *o, const Sort *sort) {
    Variable *v = template_local(o->program, o->template_, "tmp", sort);
    v->temporary = true;
    return v;
}

unsigned unspecified_location(Unspecified *o, unsigned like, bool atomic) {
    Location old = o->template_->locations[like];
    unsigned l = template_location(o->program, o->template_, LOCATION_PLAIN, old.position);
    o->template_->locations[l].function = old.function;
    o->template_->locations[l].atomic = atomic;
    return l;
}

void unspecified_set_decided(Unspecified *o, unsigned action, size_t n) {
    if (vec_len(o->decided) <= action) vec_resize(o->decided, action + 1);
    o->decided[action] = n;
}

static Action *take(Unspecified *o, unsigned from, unsigned to, const Expr *guard, Variable *t, const Expr *value, Position position) {
    Action *a = template_action(o->program, o->template_, from, to, guard, position);
    Instr *i = action_instr(a, INSTR_ASSIGN, position);
    i->target = t;
    i->value = value;
    unspecified_set_decided(o, a->index, SIZE_MAX);
    return a;
}

/* Adds the actions from one location to another that assign the open value to t. */
static void decide(Unspecified *o, unsigned from, unsigned to, OpenValue open, Variable *t, Position position) {
    o->changed = true;
    if (!expr_is_false(open.exact)) take(o, from, to, open.exact, t, open.value, position);
    bool is_any = !expr_may_fault(open.value) && !expr_reads_global(open.value); /* `any` neither faults nor races */
    if (o->aligned) take(o, from, to, no(o, open.exact), t, open.value, position)->subsumed = is_any;
    unsigned index = template_action(o->program, o->template_, from, to, no(o, open.exact), position)->index;
    unsigned over = program_approximation(o->program, APPROX_OVER, position, open.why);
    Action *a = &o->template_->actions[index];
    a->approximation = over;
    unspecified_set_decided(o, index, SIZE_MAX);
    action_instr(a, INSTR_HAVOC, position)->target = t;
    vec_push(o->decisions, ((Decision){o->template_->index, index, t, open}));
}

/* Decides the open values in the guards of the actions from a location: new actions before these guards choose them. */
static void split_guards(Unspecified *o, unsigned at) {
    Template *t = o->template_;
    OpenValue open;
    for (size_t k = 0; k < vec_len(t->locations[at].out);) {
        const Action *a = &t->actions[t->locations[at].out[k]];
        if (!find_open(o, a->guard, &open)) {
            k++;
            continue;
        }
        Position position = a->position.file ? a->position : t->locations[at].position;
        unsigned next = unspecified_location(o, at, t->locations[at].atomic);
        Variable *v = temporary(o, open.value->sort);
        map_set(o->meanings, v->symbol, (void *)open.value);
        Replacement r = replacement(o, open.value, variable_expr(o->program, v));
        t->locations[next].out = t->locations[at].out;
        t->locations[at].out = NULL;
        vec_each_of(Action, b, t->actions, t->locations[next].out) {
            b->source = next;
            b->guard = replaced(o, b->guard, r);
        }
        decide(o, at, next, open, v, position);
        at = next;
        k = 0;
    }
}

static bool waits(const Instr *i) { return i->kind == INSTR_LOCK || i->kind == INSTR_JOIN || i->kind == INSTR_ASSUME; }

/* Returns a copy of the action with one more way to get the value: v := value under the condition; NULL: any value. */
static unsigned add_way(Unspecified *o, unsigned like, const Expr *condition, Variable *v, const Expr *value, const Instr *rest) {
    const Action *from = &o->template_->actions[like];
    unsigned index = template_action(o->program, o->template_, from->source, from->target, from->guard, from->position)->index;
    Action *a = &o->template_->actions[index];
    from = &o->template_->actions[like];
    Position position = rest[0].position;
    a->section = from->section;
    a->properties = from->properties;
    a->subsumed = from->subsumed;
    a->approximation = from->approximation;
    vec_append(a->instrs, from->instrs);
    vec_push(a->instrs, ((Instr){.kind = INSTR_ASSUME, .value = condition, .position = position}));
    vec_push(a->instrs, ((Instr){.kind = value ? INSTR_ASSIGN : INSTR_HAVOC, .target = v, .value = value, .position = position}));
    unspecified_set_decided(o, index, vec_len(a->instrs));
    vec_append(a->instrs, rest);
    return index;
}

/* Decides an open value of an action that stays whole. The action becomes one for each way to get the value: its guard is false now. */
static void decide_whole(Unspecified *o, unsigned index, OpenValue open, Variable *v, const Instr *rest) {
    const Expr *otherwise = no(o, open.exact);
    bool is_any = !expr_may_fault(open.value) && !expr_reads_global(open.value);
    if (!expr_is_false(open.exact)) add_way(o, index, open.exact, v, open.value, rest);
    if (o->aligned) {
        unsigned here = add_way(o, index, otherwise, v, open.value, rest);
        o->template_->actions[here].subsumed |= is_any;
    }
    unsigned any = add_way(o, index, otherwise, v, NULL, rest);
    Action *a = &o->template_->actions[any];
    /* This approximation is stronger than one of a result only. */
    bool mild = a->approximation == NO_APPROXIMATION || o->program->approximations[a->approximation].result;
    if (mild) a->approximation = program_approximation(o->program, APPROX_OVER, rest[0].position, open.why);
    open.allowed = false;
    vec_push(o->decisions, ((Decision){o->template_->index, any, v, open}));
    /* Nothing takes the old action. It assigns what its target reads, as every action to there must. */
    Action *old = &o->template_->actions[index];
    old->guard = expr_bool(o->pool, false);
    vec_clear(old->instrs);
    vec_append(old->instrs, o->template_->actions[any].instrs);
    o->changed = true;
}

/* Decides an open value in the k-th instruction of an action before that instruction: the action is split there, or becomes several. */
static void split_action(Unspecified *o, unsigned index, size_t k, OpenValue open) {
    Template *t = o->template_;
    Action *a = &t->actions[index];
    Instr *rest = NULL;
    bool seen = t->locations[a->source].atomic, blocks = false;
    for (size_t i = 0; i < k; i++) seen |= instr_is_visible(&a->instrs[i], NULL);
    for (size_t i = k; i < vec_len(a->instrs); i++) blocks |= waits(&a->instrs[i]);
    Position position = a->instrs[k].position;
    Variable *v = temporary(o, open.value->sort);
    map_set(o->meanings, v->symbol, (void *)open.value);
    Replacement r = replacement(o, open.value, variable_expr(o->program, v));
    for (size_t i = k; i < vec_len(a->instrs); i++) {
        vec_push(rest, a->instrs[i]);
        if (i > k) continue;
        Instr *first = &vec_last(rest);
        first->address = replaced(o, first->address, r);
        first->value = replaced(o, first->value, r);
        first->size = replaced(o, first->size, r);
    }
    vec_resize(a->instrs, k);
    if (seen && blocks) { /* a step that may block stays whole if an instruction before it is visible */
        decide_whole(o, index, open, v, rest);
        vec_free(rest);
        return;
    }
    unsigned source = a->source, target = a->target, before = unspecified_location(o, source, seen),
             after = unspecified_location(o, source, seen);
    t->actions[index].target = before;
    decide(o, before, after, open, v, position);
    unsigned last = template_action(o->program, t, after, target, NULL, position)->index;
    t->actions[last].instrs = rest;
    t->actions[last].section = t->actions[index].section;
    t->actions[last].approximation = t->actions[index].approximation; /* either half may have the approximated instruction */
}

static size_t decided(const Unspecified *o, unsigned action) { return action < vec_len(o->decided) ? o->decided[action] : 0; }

static void open_instrs(Unspecified *o, unsigned action) {
    const Template *t = o->template_;
    OpenValue open;
    for (size_t k = decided(o, action); k<vec_len(t->actions[action].instrs); k = decided(o, action)> k ? decided(o, action) : k + 1) {
        bool opens = find_in_instr(o, &t->actions[action].instrs[k], &open);
        if (opens) split_action(o, action, k, open);
        if (opens || unspecified_stop_before(o, action, k)) return; /* open_template visits the rest later: it is in new actions */
    }
}

static void open_template(Unspecified *o, Template *t) {
    size_t locations = vec_len(t->locations);
    o->template_ = t;
    vec_clear(o->decided);
    for (unsigned a = 0; a < vec_len(t->actions); a++) open_instrs(o, a);
    for (unsigned l = 0; l < locations; l++) split_guards(o, l);
}

/* ---- a single open value ---- */

static const Expr *allowed_difference(const Unspecified *o, const OpenValue *open, const Expr *e) {
    const Expr *d = expr_2(o->pool, OP_SUB, e, number(o, (uint64_t)open->residue));
    const Expr *apart = expr_or(o->pool, expr_2(o->pool, OP_SLE, number(o, (uint64_t)open->above), d),
                                expr_2(o->pool, OP_SLE, d, number(o, (uint64_t)open->below)));
    const Expr *near = expr_and(o->pool, expr_2(o->pool, OP_SLE, number(o, (uint64_t)-FARTHEST), d),
                                expr_2(o->pool, OP_SLE, d, number(o, (uint64_t)FARTHEST)));
    return expr_and(o->pool, unspecified_multiple(o, d, open->align), expr_and(o->pool, apart, near));
}

/* Returns the condition that the value may be a part of some address that is as aligned as the whole one. */
static const Expr *allowed_part(const Unspecified *o, const OpenValue *open, const Expr *e) {
    unsigned width = e->sort->width, low = 8 * (unsigned)open->offset;
    uint64_t most = (uint64_t)(FARTHEST - 1) >> low, mask = (open->align - 1) >> low;
    if (width < 64 && most >> width) most = (UINT64_C(1) << width) - 1;
    const Expr *marks = expr_bv(o->pool, width, mask), *part = expr_extract(o->pool, open->whole, low, width);
    return expr_and(o->pool, expr_2(o->pool, OP_ULE, e, expr_bv(o->pool, width, most)),
                    expr_eq(o->pool, expr_2(o->pool, OP_BAND, e, marks), expr_2(o->pool, OP_BAND, part, marks)));
}

static void assume(Action *a, const Expr *e, Position position) { action_instr(a, INSTR_ASSUME, position)->value = e; }

/* If the program has a single open value, which is chosen at most once, restricts it to the values that C allows. The choice is then exact. */
static void allow_single(Unspecified *o) {
    if (vec_len(o->decisions) != 1 || o->program->pointer_width != 64) return;
    Decision *d = &o->decisions[0];
    Template *t = o->template_ = o->program->templates[d->template_];
    unsigned *components = graph_components(t);
    bool once = t->count == 1 && !graph_repeats(components, &t->actions[d->action]);
    vec_free(components);
    if (!once || !d->open.allowed) return;
    Variable *address = d->open.address ? temporary(o, d->open.address->sort) : NULL;
    Action *a = &t->actions[d->action];
    Position position = a->instrs[0].position;
    for (size_t i = 0; i < vec_len(t->actions) && (d->open.difference || d->open.whole || address); i++)
        if (t->actions[i].source == a->source) t->actions[i].subsumed = false; /* only the choice of any value covered the action */
    a->approximation = NO_APPROXIMATION;
    (void)vec_pop(o->program->approximations); /* the last approximation belongs to this action only */
    if (d->open.difference) assume(a, allowed_difference(o, &d->open, variable_expr(o->program, d->target)), position);
    if (d->open.whole) assume(a, allowed_part(o, &d->open, variable_expr(o->program, d->target)), position);
    if (!address) return;
    const Expr *w = variable_expr(o->program, address), *base = expr_2(o->pool, OP_SUB, w, number(o, d->open.offset));
    a->instrs[0].target = address;
    assume(a,
           expr_and(o->pool, unspecified_multiple(o, base, d->open.align),
                    expr_and(o->pool, expr_2(o->pool, OP_ULE, number(o, SMALL), base),
                             expr_2(o->pool, OP_ULT, base, number(o, (uint64_t)FARTHEST)))),
           position);
    Instr *i = action_instr(a, INSTR_ASSIGN, position);
    i->target = d->target;
    i->value = replaced(o, d->open.value, (Replacement){.from = d->open.address, .to = w});
}

bool unspecified_values(Program *p) {
    Unspecified o = {.program = p,
                     .pool = p->exprs,
                     .pointsto = pointsto_new(p),
                     .clean = map_new(),
                     .meanings = map_new(),
                     .reused = unspecified_reuses_ids(p),
                     .aligned = unspecified_aligned(p)};
    unspecified_open_parts(&o);
    o.stack = stack_new(p, o.pointsto);
    o.reuse = reuse_new(p, o.pointsto);
    for (size_t t = 0; t < vec_len(p->templates); t++) open_template(&o, p->templates[t]);
    allow_single(&o);
    stack_free(o.stack);
    reuse_free(o.reuse);
    vec_free(o.decided);
    vec_free(o.decisions);
    map_free(o.clean);
    map_free(o.loads);
    map_free(o.meanings);
    unspecified_free_parts(&o);
    pointsto_free(o.pointsto);
    return o.changed;
}
