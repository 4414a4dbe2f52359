/* SPDX-License-Identifier: Apache-2.0 */
/* Resolves branches that the action before them decides (jump threading). For instance, `return false` in an inlined function sets a variable, and
   the caller branches on it. An action may decide the branch at its target by its assignments and its guard. The pass leads this action to a copy
   of the chosen branch. Analyses then know on each path which branches were taken.

   requires  a well-formed program in which guards read only locals
   ensures   the same steps, since the copy of a location is as atomic as the location; the program is well-formed, and loop heads are marked
   breaks    nothing: locations and actions are only added

   A branch at a loop head stays, so that the loop head remains the only entry of its loop. */
#include "passes/program/program_passes.h"
#include "base/map.h"

enum { MAX_CHAIN = 16, MAX_COPIES = 2000 };

typedef struct Known {
    const Variable *variable;
    Value value;
} Known;

typedef struct Jump {
    Program *program;
    Template *template_;
    Known *known; /* a vec: the values that are known after the present action */
    Map *copies;  /* action → the new location with a copy of the action, and no other action */
    Values *values;
    unsigned made;
} Jump;

/* ---- values that are known after an action ---- */

static void forget(Jump *j, const Variable *v) {
    for (size_t i = 0; i < vec_len(j->known); i++)
        if (j->known[i].variable == v) j->known[i].variable = NULL;
}

static void learn(Jump *j, const Variable *v, u128 bits) {
    Known k = {.variable = v, .value = {.bits = bits}};
    forget(j, v);
    vec_push(j->known, k);
}

static void learn_guard(Jump *j, const Expr *guard) {
    bool negated = guard->op == OP_NOT;
    const Expr *e = negated ? guard->args[0] : guard;
    const Variable *v = expr_variable(e);
    if (v && !v->global && e->sort->kind == SORT_BOOL) learn(j, v, !negated);
    if (guard->op == OP_AND)
        for (unsigned i = 0; i < guard->nargs; i++) learn_guard(j, guard->args[i]);
    if (guard->op != OP_EQ || !expr_is_const(guard->args[1])) return;
    v = expr_variable(guard->args[0]);
    if (v && !v->global && v->sort->kind != SORT_ARRAY) learn(j, v, guard->args[1]->value);
}

static Fault lookup(void *context, const Symbol *s, unsigned n, const Value *args, Value *result) {
    const Jump *j = context;
    (void)n, (void)args;
    for (size_t i = 0; i < vec_len(j->known); i++)
        if (j->known[i].variable && j->known[i].variable->symbol == s) {
            *result = j->known[i].value;
            return FAULT_NONE;
        }
    return FAULT_RANGE;
}

static bool evaluate(Jump *j, const Expr *e, Value *value) {
    EvalEnv env = {.values = j->values, .lookup = lookup, .context = j};
    return e->sort->kind != SORT_ARRAY && expr_eval(&env, e, value) == FAULT_NONE;
}

static void learn_action(Jump *j, const Action *a) {
    vec_clear(j->known);
    learn_guard(j, a->guard);
    vec_each_at(const Instr, in, a->instrs) {
        if (in->kind == INSTR_ASSUME) learn_guard(j, in->value);
        if (!in->target) continue;
        Value value;
        bool known = in->kind == INSTR_ASSIGN && !in->target->global && evaluate(j, in->value, &value);
        if (known) learn(j, in->target, value.bits);
        else forget(j, in->target);
    }
}

/* ---- the chosen branch ---- */

/* Returns the only action of the location that the known values allow. NULL: they do not decide the branch, or the location has no branch. */
static const Action *decided(Jump *j, const Location *at) {
    const Action *chosen = NULL;
    if (at->kind != LOCATION_PLAIN || at->loop_head || vec_len(at->out) < 2) return NULL;
    vec_each_of(const Action, a, j->template_->actions, at->out) {
        Value holds;
        if (!evaluate(j, a->guard, &holds) || (holds.bits && chosen)) return NULL;
        if (holds.bits) chosen = a;
    }
    return chosen;
}

/* Returns a copy of the location where the action starts, with a copy of this action only. */
static unsigned copy_of(Jump *j, const Action *chosen) {
    uint64_t known;
    if (map_get(j->copies, chosen->index, &known)) return (unsigned)known;
    Template *t = j->template_;
    Action original = *chosen;
    Location like = t->locations[original.source];
    unsigned at = template_location(j->program, t, LOCATION_PLAIN, like.position);
    t->locations[at].atomic = like.atomic;
    t->locations[at].function = like.function;
    Action *a = template_action(j->program, t, at, original.target, NULL, original.position);
    a->approximation = original.approximation;
    a->section = original.section;
    for (size_t i = 0; i < vec_len(original.instrs); i++) vec_push(a->instrs, original.instrs[i]);
    map_put(j->copies, original.index, at);
    j->made++;
    return at;
}

/* True if the chosen action has no effect, so that a jump to its target needs no copy. An action into an atomic section must stay, since other
   threads may run before the section. An action to an end must stay as well. */
static bool skippable(const Jump *j, const Action *chosen) {
    const Location *from = &j->template_->locations[chosen->source], *to = &j->template_->locations[chosen->target];
    return to->kind == LOCATION_PLAIN && !vec_len(chosen->instrs) && chosen->approximation == NO_APPROXIMATION &&
           (from->atomic || !to->atomic);
}

static void jump_action(Jump *j, unsigned index) {
    learn_action(j, &j->template_->actions[index]);
    if (!vec_len(j->known)) return;
    for (unsigned n = 0; n < MAX_CHAIN; n++) {
        const Action *chosen = decided(j, &j->template_->locations[j->template_->actions[index].target]);
        if (!chosen) return;
        j->template_->locations[chosen->source].bypassed = true;
        bool skip = skippable(j, chosen);
        unsigned to = skip ? chosen->target : copy_of(j, chosen);
        j->template_->actions[index].target = to;
        if (!skip) return;
    }
}

static void jump_template(Program *p, Template *t) {
    Jump j = {.program = p, .template_ = t, .copies = map_new(), .values = values_new()};
    template_mark_loops(t);
    for (unsigned i = 0; i < vec_len(t->actions) && j.made < MAX_COPIES; i++) jump_action(&j, i);
    template_mark_loops(t);
    vec_free(j.known);
    map_free(j.copies);
    values_free(j.values);
}

void jump_threading(Program *p) {
    for (size_t i = 0; i < vec_len(p->templates); i++) jump_template(p, p->templates[i]);
}
