/* SPDX-License-Identifier: Apache-2.0 */
/* Checks a program in which constants replace locals, and actions with a false guard are gone.

   The pass gives for each location the location that it was, and the locals with a constant value there. The check does not trust these hints. The
   check goes through the actions of each location before and after the pass together. With the constants in place of the locals, they must be
   the same, or the guard before must be false. The constants at the target must hold after the action, so they hold at all times by induction. */
#include "check/messages.h"
#include "check/omission_checks.h"
#include "result/specialised.h"

typedef struct Check {
    const Template *before, *after;
    const SpecialisedLocation *locations; /* a vec, by location after */
    Exprs *exprs;
    const Expr **now; /* a vec by local: its constant, or NULL */
    Omission *omission;
} Check;

static void refuse(Check *c, Position at, const char *why) { omission_refuse(c->omission, at, "%s", why); }

static const Expr *value_now(void *context, const Expr *symbol) {
    const Check *c = context;
    const Variable *v = expr_variable(symbol);
    return v && !v->global ? c->now[v->index] : NULL;
}

static const Expr *evaluate(Check *c, const Expr *e) { return e ? expr_substitute(c->exprs, e, value_now, c) : NULL; }

/* Sets the constants to those of the location. */
static void recall(Check *c, unsigned location) {
    for (size_t i = 0; i < vec_len(c->now); i++) c->now[i] = NULL;
    vec_each_at(const SpecialisedFact, f, c->locations[location].facts)
        if (f->local < vec_len(c->now)) c->now[f->local] = f->value;
}

/* Returns whether the constants of the location hold now. */
static bool holds(const Check *c, unsigned location) {
    vec_each_at(const SpecialisedFact, f, c->locations[location].facts)
        if (f->local >= vec_len(c->now) || c->now[f->local] != f->value || !expr_is_const(f->value)) return false;
    return true;
}

static bool same_instr(Check *c, const Instr *x, const Instr *y) {
    return x->kind == y->kind && x->target == y->target && x->cell == y->cell && x->object == y->object && x->template_ == y->template_ &&
           x->undefined == y->undefined && x->waits == y->waits && x->writes == y->writes && x->atomic == y->atomic &&
           x->order == y->order && x->zeroed == y->zeroed && x->life == y->life && evaluate(c, x->address) == evaluate(c, y->address) &&
           evaluate(c, x->value) == evaluate(c, y->value) && evaluate(c, x->size) == evaluate(c, y->size);
}

static void execute(Check *c, const Instr *i) {
    if (i->cell && !i->cell->global) c->now[i->cell->index] = NULL;
    if (!i->target || i->target->global) return;
    const Expr *value = i->kind == INSTR_ASSIGN ? evaluate(c, i->value) : NULL;
    c->now[i->target->index] = value && expr_is_const(value) ? value : NULL;
}

/* Checks that y does what x does. The constants are those at the source. */
static void check_action(Check *c, const Action *x, const Action *y) {
    bool same = evaluate(c, x->guard) == evaluate(c, y->guard) && vec_len(x->instrs) == vec_len(y->instrs) && x->section == y->section &&
                x->approximation == y->approximation && c->locations[y->target].was == x->target;
    for (size_t i = 0; i < vec_len(x->instrs) && same; i++) {
        same = same_instr(c, &x->instrs[i], &y->instrs[i]);
        execute(c, &x->instrs[i]);
    }
    if (!same) refuse(c, x->position, MSG_CHECK_CONSTANTS_ACTION);
    else if (!holds(c, y->target)) refuse(c, x->position, MSG_CHECK_CONSTANTS_VALUE);
}

static void check_location(Check *c, unsigned m) {
    unsigned was = c->locations[m].was;
    const Location *y = &c->after->locations[m];
    const Location *x = was < vec_len(c->before->locations) ? &c->before->locations[was] : y;
    size_t k = 0;
    if (x == y || x->kind != y->kind || x->atomic != y->atomic || x->approximation != y->approximation)
        refuse(c, y->position, MSG_CHECK_CONSTANTS_ACTION);
    for (size_t i = 0; i < vec_len(x->out) && !c->omission->refused; i++) {
        const Action *a = &c->before->actions[x->out[i]];
        recall(c, m);
        if (expr_is_false(evaluate(c, a->guard))) c->omission->count++;
        else if (k < vec_len(y->out)) check_action(c, a, &c->after->actions[y->out[k++]]);
        else refuse(c, a->position, MSG_CHECK_CONSTANTS_GONE);
    }
}

static void check_template(Check *c) {
    if (vec_len(c->locations) != vec_len(c->after->locations) || c->locations[c->after->entry].was != c->before->entry) {
        refuse(c, (Position){0}, MSG_CHECK_CONSTANTS_ACTION);
        return;
    }
    vec_clear(c->now);
    vec_resize(c->now, vec_len(c->after->locals));
    for (size_t i = 0; i < vec_len(c->now); i++) c->now[i] = NULL;
    if (c->after->index == 0) c->now[c->after->self->index] = expr_bv(c->exprs, 32, 1); /* main's number */
    if (!holds(c, c->after->entry)) refuse(c, (Position){0}, MSG_CHECK_CONSTANTS_VALUE);
    for (unsigned m = 0; m < vec_len(c->locations) && !c->omission->refused; m++) check_location(c, m);
}

void omit_constants(const OmissionView *v, Omission *o) {
    const Specialised *hints = v->claim;
    size_t n = vec_len(v->before->templates);
    Check c = {.exprs = v->after->exprs, .omission = o};
    if (!hints || vec_len(hints->templates) != n || vec_len(v->after->templates) != n)
        refuse(&c, (Position){0}, MSG_CHECK_CONSTANTS_ACTION);
    for (size_t t = 0; t < n && !o->refused; t++) {
        c.before = v->before->templates[t];
        c.after = v->after->templates[t];
        c.locations = hints->templates[t];
        check_template(&c);
    }
    vec_free(c.now);
}
