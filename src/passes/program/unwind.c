/* SPDX-License-Identifier: Apache-2.0 */
/* Bounds loops: each time a loop is entered, it has at most a given number of rounds (--unwind).

   requires  a program with its loop heads marked
   ensures   the executions in which no loop has more rounds, and no other executions; a further round leads to a stop with its reason
   breaks    traces of the given program; each loop has a counter, a new local

   An action that enters a loop sets its counter to 0. A back action increments it: an action to the loop's head from a location that can only
   be reached through the head. If a loop has several heads, so that no action is a back action in this sense, each action inside the
   loop that leads to the head counts. */
#include "passes/messages.h"
#include "passes/program/program_passes.h"
#include "analysis/graph.h"
#include <stdio.h>

/* Returns the set of back actions of the head, by action. */
static bool *back_actions(const Template *t, unsigned head, const unsigned *components) {
    bool *seen = graph_reached(t, head), *back = NULL, any = false;
    vec_resize(back, vec_len(t->actions));
    for (size_t a = 0; a < vec_len(t->actions); a++) {
        if (t->actions[a].target != head) continue;
        back[a] = !seen[t->actions[a].source];
        any |= back[a];
    }
    for (size_t a = 0; a < vec_len(t->actions) && !any; a++)
        if (t->actions[a].target == head) back[a] = graph_repeats(components, &t->actions[a]);
    vec_free(seen);
    return back;
}

static void assign(Action *a, Variable *v, const Expr *value) {
    Instr *i = action_instr(a, INSTR_ASSIGN, (Position){0});
    i->target = v;
    i->value = value;
}

static void stop_instead(Program *p, Template *t, unsigned action, const Expr *beyond, unsigned times) {
    char text[80];
    snprintf(text, sizeof text, MSG_PASSES_UNWOUND, times);
    Position at = t->locations[t->actions[action].target].position;
    unsigned stop = template_location(p, t, LOCATION_STOP, at), source = t->actions[action].source;
    t->locations[stop].approximation = program_approximation(p, APPROX_UNDER, at, text);
    template_action(p, t, source, stop, expr_and(p->exprs, t->actions[action].guard, beyond), at);
}

static void bound_loop(Program *p, Template *t, unsigned head, const bool *back, Variable *count, unsigned times) {
    Exprs *x = p->exprs;
    const Expr *c = variable_expr(p, count), *one = expr_const(x, c->sort, 1);
    const Expr *within = expr_2(x, OP_ULT, c, expr_const(x, c->sort, times));
    for (unsigned a = 0; a < vec_len(back); a++) {
        if (t->actions[a].target != head) continue;
        if (!back[a]) {
            assign(&t->actions[a], count, expr_const(x, c->sort, 0));
            continue;
        }
        stop_instead(p, t, a, expr_not(x, within), times);
        t->actions[a].guard = expr_and(x, t->actions[a].guard, within);
        assign(&t->actions[a], count, expr_2(x, OP_ADD, c, one));
    }
}

static void bound_template(Program *p, Template *t, unsigned times) {
    unsigned *heads = NULL, *components = graph_components(t);
    bool **back = NULL;
    for (unsigned l = 0; l < vec_len(t->locations); l++) {
        if (!t->locations[l].loop_head) continue;
        vec_push(heads, l);
        vec_push(back, back_actions(t, l, components));
    }
    unsigned entry = t->entry;
    Action *first = NULL;
    if (vec_len(heads)) {
        t->entry = template_location(p, t, LOCATION_PLAIN, t->locations[entry].position);
        first = template_action(p, t, t->entry, entry, expr_bool(p->exprs, true), t->locations[entry].position);
    }
    unsigned start = first ? first->index : 0;
    for (size_t i = 0; i < vec_len(heads); i++) {
        Variable *count = template_local(p, t, "rounds", sort_bv(p->exprs, 32));
        count->temporary = true;
        assign(&t->actions[start], count, expr_const(p->exprs, count->sort, 0));
        bound_loop(p, t, heads[i], back[i], count, times);
        vec_free(back[i]);
    }
    vec_free(back);
    vec_free(heads);
    vec_free(components);
}

void unwind(Program *p, unsigned times) {
    for (size_t t = 0; t < vec_len(p->templates); t++) bound_template(p, p->templates[t], times);
}
