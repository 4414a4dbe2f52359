/* SPDX-License-Identifier: Apache-2.0 */
/* Initialises the variables of each thread.

   requires  a program without memory, in which addresses are numbers
   ensures   the first step of a thread sets thread-local storage to its initial value. Locals have no initial value. Every local is assigned before
             it is read, so that the program is well-formed
   breaks    locations and actions are added: if a thread returns to its first location, it gets a new location for its start

   Other locals that may be read before they are assigned were memory that is not alive at the read. The read would fault, so any value is correct.
   The pass assigns 0. */
#include "passes/program/partition_internal.h"
#include "ir/live.h"

static const Expr *zero_of(Exprs *x, const Sort *s) {
    return s->kind == SORT_ARRAY ? expr_const_array(x, s, zero_of(x, s->element)) : expr_const(x, s, 0);
}

/* Returns the assignments to the locals that may be read before they are assigned. */
static Instr *first_assignments(Program *p, const Template *t) {
    Liveness *live = live_new(p, t);
    size_t n;
    const unsigned *list = live_list(live, t->entry, &n);
    Instr *out = NULL;
    for (size_t i = 0; i < n; i++) {
        Variable *v = t->locals[list[i]];
        if (v == t->self || v == t->argument || v == t->result) continue;
        const Expr *value = v->init ? v->init : zero_of(p->exprs, v->sort);
        vec_push(out, ((Instr){.kind = INSTR_ASSIGN, .target = v, .value = value, .position = v->position}));
    }
    live_free(live);
    return out;
}

static bool comes_back(const Template *t) {
    for (size_t a = 0; a < vec_len(t->actions); a++)
        if (t->actions[a].target == t->entry) return true;
    return false;
}

/* Adds a copy of the entry, with copies of its actions, and makes it the entry. No action leads to the copy. */
static void part_entry(Program *p, Template *t, unsigned **actions) {
    const Location like = t->locations[t->entry];
    unsigned at = template_location(p, t, LOCATION_PLAIN, like.position);
    t->locations[at].atomic = like.atomic;
    t->locations[at].function = like.function;
    for (size_t i = 0; i < vec_len(like.out); i++) {
        Action from = t->actions[like.out[i]];
        Action *a = template_action(p, t, at, from.target, from.guard, from.position);
        a->approximation = from.approximation;
        a->subsumed = from.subsumed;
        for (size_t k = 0; k < vec_len(from.instrs); k++) vec_push(a->instrs, from.instrs[k]);
        vec_push(*actions, (*actions)[from.index]);
    }
    t->entry = at;
}

static void prepend(Action *a, const Instr *first) {
    Instr *all = NULL;
    for (size_t i = 0; i < vec_len(first); i++) vec_push(all, first[i]);
    for (size_t i = 0; i < vec_len(a->instrs); i++) vec_push(all, a->instrs[i]);
    vec_free(a->instrs);
    a->instrs = all;
}

void partition_start(Program *p, Translation *tr) {
    for (size_t i = 0; i < vec_len(p->templates); i++) {
        Template *t = p->templates[i];
        Instr *first = first_assignments(p, t);
        if (vec_len(first) && comes_back(t)) part_entry(p, t, &tr->actions[i]);
        const unsigned *out = t->locations[t->entry].out;
        for (size_t k = 0; k < vec_len(out) && vec_len(first); k++) prepend(&t->actions[out[k]], first);
        vec_free(first);
        for (size_t v = 0; v < vec_len(t->locals); v++) t->locals[v]->init = NULL;
    }
}
