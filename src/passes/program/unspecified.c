/* SPDX-License-Identifier: Apache-2.0 */
/* Values that C leaves open become any value.

   requires  a well-formed program that was C
   ensures   where the program looks at an address as a number, or at the order, distance or neighbourhood of two objects, or does
             more with the id of a thread than to copy, compare and join, the value is any, and the action that chose it is an
             over-approximation; the program is well-formed; every execution that C allows is one of it, up to where objects lie
   breaks    indices of nothing that exists: locations and actions are only added; targets of actions that are split

   In a Program an object lies at the start of a granule of its own (ir/layout.h), and threads are numbered in order. A C program may be
   compiled and run otherwise. What is the same everywhere: null, equality of pointers to objects that live, all within one
   object, the low bits that alignment clears. Whether a value is of that kind is often known only when it is computed, so a
   test decides: an operator on pointers whose granules are equal, or on numbers that are no addresses, is computed as it stands.

     l --...--> k   becomes   l --when exact: t := e-->  m --... with t for e--> k
                              l --otherwise: t := e-->   m  (covered by the next)
                              l --otherwise: t := any--> m  (an over-approximation)

   The second is what happens where objects lie as they do in a Program. C allows that, so an error on such a way is one. Proofs
   leave it out (Action.covered), unless e may fault or reads a global, or the third chooses only what C allows: then it may do what the third cannot.

   Where there is one such place in the whole program, and it is passed once at most, the value is no over-approximation: nothing else that the
   program sees depends on it, so every value that C allows is possible. What C allows is then made part of the action (two objects do
   not overlap, addresses are aligned).

   A part of a pointer variable that is read from memory is any value, too, when it is looked at. Not looked at: parts of pointers in larger objects (a hash over the
   bytes of a struct), since most of what is read there is no pointer's. */
#include "passes/program/program_passes.h"
#include "analysis/graph.h"
#include "passes/program/unspecified_internal.h"

static const int64_t FARTHEST = INT64_C(1) << 46; /* no process has addresses beyond, or objects farther apart */

/* ---- finding ---- */

/* The first open value in e, innermost first. */
static bool find_open(Unspecified *o, const Expr *e, Open *out) {
    if (map_find(o->clean, e)) return false;
    for (unsigned i = 0; i < e->nargs; i++)
        if (find_open(o, e->args[i], out)) return true;
    if (unspecified_is_open(o, e, out)) return true;
    map_set(o->clean, e, (void *)e);
    return false;
}

typedef struct Replacement {
    const Expr *from, *to;
    const Expr *not_from, *not_to; /* of a condition: the opposite, which is an operator of its own perhaps */
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

static bool find_in_instr(Unspecified *o, const Instr *i, Open *out) {
    if (i->kind == INSTR_JOIN) return false; /* what is done to the id is the library's */
    return (i->address && find_open(o, i->address, out)) || (i->value && find_open(o, i->value, out)) ||
           (i->size && find_open(o, i->size, out));
}

/* ---- splitting ---- */

static Variable *temporary(Unspecified *o, const Sort *sort) {
    Variable *v = template_local(o->program, o->template_, "tmp", sort);
    v->temporary = true;
    return v;
}

static unsigned copy_location(Unspecified *o, unsigned like, bool atomic) {
    Location old = o->template_->locations[like];
    unsigned l = template_location(o->program, o->template_, LOCATION_PLAIN, old.position);
    o->template_->locations[l].function = old.function;
    o->template_->locations[l].atomic = atomic;
    return l;
}

static void mark_ours(Unspecified *o, unsigned action) {
    if (vec_len(o->ours) <= action) vec_resize(o->ours, action + 1);
    o->ours[action] = true;
}

static Action *take(Unspecified *o, unsigned from, unsigned to, const Expr *guard, Variable *t, const Expr *value, Position position) {
    Action *a = template_action(o->program, o->template_, from, to, guard, position);
    Instr *i = action_instr(a, INSTR_ASSIGN, position);
    i->target = t;
    i->value = value;
    mark_ours(o, a->index);
    return a;
}

/* From one location to another, t takes the open value. */
static void decide(Unspecified *o, unsigned from, unsigned to, Open open, Variable *t, Position position) {
    o->changed = true;
    if (!expr_is_false(open.exact)) take(o, from, to, open.exact, t, open.value, position);
    bool is_any = !expr_may_fault(open.value) && !expr_reads_global(open.value); /* `any` neither faults nor races */
    if (o->aligned) take(o, from, to, no(o, open.exact), t, open.value, position)->covered = is_any;
    unsigned index = template_action(o->program, o->template_, from, to, no(o, open.exact), position)->index;
    unsigned over = program_approximation(o->program, APPROX_OVER, position, open.why);
    Action *a = &o->template_->actions[index];
    a->approximation = over;
    mark_ours(o, index);
    action_instr(a, INSTR_HAVOC, position)->target = t;
    vec_push(o->decisions, ((Decision){o->template_->index, index, t, open}));
}

/* Open values in the guards that leave a location are decided on a way to it. */
static void split_guards(Unspecified *o, unsigned at) {
    Template *t = o->template_;
    Open open;
    for (size_t k = 0; k < vec_len(t->locations[at].out);) {
        const Action *a = &t->actions[t->locations[at].out[k]];
        if (!find_open(o, a->guard, &open)) {
            k++;
            continue;
        }
        Position position = a->position.file ? a->position : t->locations[at].position;
        unsigned next = copy_location(o, at, t->locations[at].atomic);
        Variable *v = temporary(o, open.value->sort);
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

/* An open value in the k-th instruction of an action is decided before it; what comes first is an action of its own. False: the
   action stays whole, with one more instruction. */
static bool split_action(Unspecified *o, unsigned index, size_t k, Open open) {
    Template *t = o->template_;
    Action *a = &t->actions[index];
    Instr *rest = NULL;
    bool seen = t->locations[a->source].atomic, blocks = false;
    for (size_t i = 0; i < k; i++) seen |= instr_is_visible(&a->instrs[i], NULL);
    for (size_t i = k; i < vec_len(a->instrs); i++) blocks |= waits(&a->instrs[i]);
    Position position = a->instrs[k].position;
    Variable *v = temporary(o, open.value->sort);
    const Expr *taken = variable_expr(o->program, v);
    if (seen && blocks) taken = expr_ite(o->pool, open.exact, open.value, taken); /* it is taken as a whole or not at all */
    Replacement r = replacement(o, open.value, taken);
    for (size_t i = k; i < vec_len(a->instrs); i++) {
        if (i == k && seen && blocks) vec_push(rest, ((Instr){.kind = INSTR_HAVOC, .target = v, .position = position}));
        vec_push(rest, a->instrs[i]);
        if (i > k) continue;
        Instr *first = &vec_last(rest);
        first->address = replaced(o, first->address, r);
        first->value = replaced(o, first->value, r);
        first->size = replaced(o, first->size, r);
    }
    vec_resize(a->instrs, k);
    if (seen && blocks) {
        for (size_t i = 0; i < vec_len(rest); i++) vec_push(a->instrs, rest[i]);
        vec_free(rest);
        bool mild =
            a->approximation == NO_APPROXIMATION || o->program->approximations[a->approximation].result; /* may not matter; this does */
        if (mild) a->approximation = program_approximation(o->program, APPROX_OVER, position, open.why);
        open.allowed = false;
        vec_push(o->decisions, ((Decision){t->index, index, v, open}));
        o->changed = true;
        return false;
    }
    unsigned source = a->source, target = a->target, before = copy_location(o, source, seen), after = copy_location(o, source, seen);
    t->actions[index].target = before;
    decide(o, before, after, open, v, position);
    unsigned last = template_action(o->program, t, after, target, NULL, position)->index;
    t->actions[last].instrs = rest;
    t->actions[last].section = t->actions[index].section;
    t->actions[last].approximation = t->actions[index].approximation; /* what it is about may be in either */
    return true;
}

static void open_instrs(Unspecified *o, unsigned action) {
    const Template *t = o->template_;
    Open open;
    for (size_t k = 0; k < vec_len(t->actions[action].instrs); k++)
        if (find_in_instr(o, &t->actions[action].instrs[k], &open)) {
            if (split_action(o, action, k, open)) return; /* the rest is an action that is still to come */
            k++;
        }
}

static void open_template(Unspecified *o, Template *t) {
    size_t locations = vec_len(t->locations);
    o->template_ = t;
    vec_clear(o->ours);
    unspecified_find_parts(o, t);
    for (unsigned a = 0; a < vec_len(t->actions); a++)
        if (a >= vec_len(o->ours) || !o->ours[a]) open_instrs(o, a);
    for (unsigned l = 0; l < locations; l++) split_guards(o, l);
}

/* ---- the only one ---- */

static const Expr *allowed_difference(const Unspecified *o, const Open *open, const Expr *e) {
    const Expr *d = expr_2(o->pool, OP_SUB, e, number(o, (uint64_t)open->residue));
    const Expr *apart = expr_or(o->pool, expr_2(o->pool, OP_SLE, number(o, (uint64_t)open->above), d),
                                expr_2(o->pool, OP_SLE, d, number(o, (uint64_t)open->below)));
    const Expr *near =
        expr_and(o->pool, expr_2(o->pool, OP_SLE, number(o, (uint64_t)-FARTHEST), d), expr_2(o->pool, OP_SLE, d, number(o, FARTHEST)));
    return expr_and(o->pool, unspecified_multiple(o, d, open->align), expr_and(o->pool, apart, near));
}

static void assume(Action *a, const Expr *e, Position position) { action_instr(a, INSTR_ASSUME, position)->value = e; }

/* If a single value in the program is open, and chosen once at most, it may be any that C allows. */
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
    for (size_t i = 0; i < vec_len(t->actions) && (d->open.difference || address); i++)
        if (t->actions[i].source == a->source) t->actions[i].covered = false; /* by any value, not by those that C allows */
    a->approximation = NO_APPROXIMATION;
    (void)vec_pop(o->program->approximations); /* it was the last one, and this action's alone */
    if (d->open.difference) assume(a, allowed_difference(o, &d->open, variable_expr(o->program, d->target)), position);
    if (!address) return;
    const Expr *w = variable_expr(o->program, address), *base = expr_2(o->pool, OP_SUB, w, number(o, d->open.offset));
    a->instrs[0].target = address;
    assume(a,
           expr_and(o->pool, unspecified_multiple(o, base, d->open.align),
                    expr_and(o->pool, expr_2(o->pool, OP_ULE, number(o, SMALL), base), expr_2(o->pool, OP_ULT, base, number(o, FARTHEST)))),
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
                     .parts = map_new(),
                     .reused = unspecified_reuses_ids(p),
                     .aligned = unspecified_aligned(p)};
    o.stack = stack_new(p, o.pointsto);
    o.reuse = reuse_new(p, o.pointsto);
    for (size_t t = 0; t < vec_len(p->templates); t++) open_template(&o, p->templates[t]);
    allow_single(&o);
    stack_free(o.stack);
    reuse_free(o.reuse);
    vec_free(o.ours);
    vec_free(o.decisions);
    map_free(o.clean);
    map_free(o.parts);
    pointsto_free(o.pointsto);
    return o.changed;
}
