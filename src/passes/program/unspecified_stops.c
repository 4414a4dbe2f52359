/* SPDX-License-Identifier: Apache-2.0 */
/* Stops the program before it stores an address at an index that leads to guarded bytes.

   requires  the bytes that unspecified_parts.c guards
   ensures   no execution stores an address, or a part of one, over guarded bytes
   breaks    targets of actions that are split

   A program with `struct { int *items[4]; unsigned tail; }` stores an address at an unknown index of `items`, and reads `tail`. The index may be
   known to be below 4 only by a proof. So the STORE becomes

     before --place is apart from tail: store--> after
     before --otherwise-->                       STOP

   A LOAD of such guarded bytes is marked `plain`. A SAFE needs a proof that no execution reaches the STOP. */
#include "passes/program/unspecified_internal.h"

static const char text[] =
    "an address may be stored where the program reads a part of it, or another value, and C leaves open what that part is";

/* Returns the condition that x, one of several addresses, does not point to this object. Returns false for an object that is no global. */
static const Expr *lies_elsewhere(const Unspecified *o, const Expr *original, const Expr *x, const Targets *to, const Object *of) {
    bool alone = vec_len(to->list) == 1 && !pointsto_is_wild(o->pointsto, original);
    if (alone || of->kind != OBJECT_GLOBAL) return expr_bool(o->pool, false);
    return no(o, unspecified_same_granule(o, x, object_address(o->program, of)));
}

/* Returns the condition that bytes of a STORE, from x on, do not meet the guarded bytes of a target. */
static const Expr *meets_none(const Unspecified *o, const Target *at, const Expr *x, Bytes stored) {
    const Expr *all = expr_bool(o->pool, true);
    vec_each_at(const Bytes, read, o->inside[at->object->index].guarded)
        if (unspecified_guards(o, at->object, *read, stored)) all = expr_and(o->pool, all, unspecified_apart(o, x, stored.size, *read));
    return all;
}

static const Expr *meaning_of(void *o, const Expr *symbol) {
    const Expr *value = map_find(((Unspecified *)o)->meanings, symbol->symbol);
    return value ? expr_substitute(((Unspecified *)o)->pool, value, meaning_of, o) : NULL;
}

/* Returns the expression as it was before this pass, of which the analysis knows where it points. */
static const Expr *original(Unspecified *o, const Expr *e) { return expr_substitute(o->pool, e, meaning_of, o); }

static const Expr *allowed_at(const Unspecified *o, const Instr *i, const Expr *value, const Target *at) {
    uint64_t word = o->program->pointer_width / 8;
    const Expr *all = expr_bool(o->pool, true);
    if (unspecified_is_part(o, value)) all = meets_none(o, at, i->address, (Bytes){at->offset, (value->sort->width + 7) / 8});
    const Targets *targets = pointsto(o->pointsto, value);
    vec_each_at(const Target, v, targets->list) {
        Congruence offset = congruence_add(at->offset, congruence_of(0, v->word * word));
        const Expr *x = expr_2(o->pool, OP_ADD, i->address, number(o, v->word * word));
        all = expr_and(o->pool, all, meets_none(o, at, x, (Bytes){offset, word}));
    }
    return all;
}

/* Returns the condition under which half a word may replace a half of an address: a LOAD of the word must see that it is no address. */
static const Expr *allowed_half(const Unspecified *o, const Instr *i, const Target *at) {
    const Inside *in = &o->inside[at->object->index];
    vec_each_at(const Bytes, b, in->mixed)
        if (in->halved && i->value->sort->width == 32 && pointsto_meet(*b, (Bytes){at->offset, 4}) != APART)
            return unspecified_is_small(o, i->value);
    return expr_bool(o->pool, true);
}

/* Returns the condition under which a STORE need not stop. */
static const Expr *allowed(Unspecified *o, const Instr *i) {
    const Expr *all = expr_bool(o->pool, true), *x = original(o, i->address), *value = original(o, i->value);
    const Targets *to = pointsto(o->pointsto, x);
    vec_each_at(const Target, at, to->list) {
        const Expr *here = expr_and(o->pool, allowed_at(o, i, value, at), allowed_half(o, i, at));
        if (!expr_is_true(here)) all = expr_and(o->pool, all, expr_or(o->pool, here, lies_elsewhere(o, x, i->address, to, at->object)));
    }
    return all;
}

static bool waits(const Instr *i) { return i->kind == INSTR_LOCK || i->kind == INSTR_JOIN || i->kind == INSTR_ASSUME; }

static unsigned add_stop(Unspecified *o, Position at) {
    unsigned stop = template_location(o->program, o->template_, LOCATION_STOP, at);
    o->template_->locations[stop].approximation = program_approximation(o->program, APPROX_UNSUPPORTED, at, text);
    return stop;
}

/* Adds an action that does what another does before its k-th instruction, and then stops if the condition holds. */
static void stop_from(Unspecified *o, unsigned action, size_t k, const Expr *condition) {
    Template *t = o->template_;
    Position at = t->actions[action].instrs[k].position;
    unsigned stop = add_stop(o, at), source = t->actions[action].source;
    Action *a = template_action(o->program, t, source, stop, t->actions[action].guard, at);
    for (size_t i = 0; i < k; i++) vec_push(a->instrs, t->actions[action].instrs[i]);
    vec_push(a->instrs, ((Instr){.kind = INSTR_ASSUME, .value = condition, .position = at}));
    unspecified_set_decided(o, a->index, SIZE_MAX);
}

/* Splits an action before its k-th instruction: the rest is executed if the condition holds, and the program stops if not. */
static void split(Unspecified *o, unsigned action, size_t k, const Expr *condition, bool atomic) {
    Template *t = o->template_;
    unsigned before = unspecified_location(o, t->actions[action].source, atomic), target = t->actions[action].target;
    Position at = t->actions[action].instrs[k].position;
    unsigned rest = template_action(o->program, t, before, target, condition, at)->index;
    Action *a = &t->actions[action];
    for (size_t i = k; i < vec_len(a->instrs); i++) vec_push(t->actions[rest].instrs, a->instrs[i]);
    a->subsumed = false; /* it has a target of its own now */
    t->actions[rest].section = a->section;
    t->actions[rest].approximation = a->approximation;
    unspecified_set_decided(o, rest, 1);
    vec_resize(a->instrs, k);
    a->target = before;
    template_action(o->program, t, before, add_stop(o, at), no(o, condition), at);
}

/* Stops before the k-th instruction of an action that stays whole. */
static void stop_within(Unspecified *o, unsigned action, size_t k, const Expr *condition) {
    stop_from(o, action, k, no(o, condition));
    Action *whole = &o->template_->actions[action];
    Instr assumption = {.kind = INSTR_ASSUME, .value = condition, .position = whole->instrs[k].position};
    vec_push(whole->instrs, assumption);
    for (size_t i = vec_len(whole->instrs) - 1; i > k; i--) whole->instrs[i] = whole->instrs[i - 1];
    whole->instrs[k] = assumption;
    unspecified_set_decided(o, action, k + 2);
}

bool unspecified_stop_before(Unspecified *o, unsigned action, size_t k) {
    const Action *a = &o->template_->actions[action];
    if (a->instrs[k].kind != INSTR_STORE || a->instrs[k].value->sort->kind != SORT_BV) return false;
    const Expr *condition = allowed(o, &a->instrs[k]);
    if (expr_is_true(condition)) return false;
    bool atomic = o->template_->locations[a->source].atomic, blocks = false;
    for (size_t i = 0; i < k; i++) atomic |= instr_is_visible(&a->instrs[i], NULL);
    for (size_t i = k; i < vec_len(a->instrs); i++) blocks |= waits(&a->instrs[i]);
    o->changed = true;
    if (atomic && blocks) stop_within(o, action, k, condition);
    else split(o, action, k, condition, atomic);
    return !(atomic && blocks);
}
