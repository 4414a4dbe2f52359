/* SPDX-License-Identifier: Apache-2.0 */
/* Chooses inputs that are array indices at the start (prophecy variables, after Abadi and Lamport 1991), if their transition is taken at
   most once. Proofs can then mention the one element that will be read, where they would otherwise need all elements.

   requires  a system
   ensures   the same executions: such an input is a global variable that starts with any value and never changes
   breaks    movers and blocks: there are more variables */
#include "passes/system/system_passes.h"

/* True if a path of transitions leads from one location to the other. */
static bool leads_to(const SystemThread *t, unsigned from, unsigned to) {
    bool *seen = NULL, found = false;
    unsigned *work = NULL;
    vec_resize(seen, vec_len(t->locations));
    vec_push(work, from);
    while (vec_len(work) && !found) {
        unsigned l = vec_pop(work);
        found = l == to;
        for (size_t i = 0; i < vec_len(t->locations[l].out) && !seen[l]; i++) vec_push(work, t->transitions[t->locations[l].out[i]].target);
        seen[l] = true;
    }
    vec_free(seen);
    vec_free(work);
    return found;
}

static bool is_in_index(const Expr *e, const Symbol *input) {
    if (e->op == OP_SELECT && expr_mentions(e->args[1], input)) return true;
    for (unsigned i = 0; i < e->nargs; i++)
        if (is_in_index(e->args[i], input)) return true;
    return false;
}

static bool has_input(const Transition *tr, const Symbol *input) {
    for (size_t i = 0; i < vec_len(tr->inputs); i++)
        if (tr->inputs[i] == input) return true;
    return false;
}

/* True if no other transition has the input. Transitions may share an input when they stand for parts of one step of the program. */
static bool is_only_here(const System *s, const Transition *here, const Symbol *input) {
    for (size_t t = 0; t < vec_len(s->threads); t++)
        vec_each_at(const Transition, tr, s->threads[t].transitions)
            if (tr != here && has_input(tr, input)) return false;
    return true;
}

static const char *name_of(const System *s, const Transition *tr, const Symbol *input) {
    for (size_t u = 0; u < vec_len(tr->updates); u++)
        if (tr->updates[u].value->op == OP_SYMBOL && tr->updates[u].value->symbol == input)
            return s->variables[tr->updates[u].variable].name;
    return "index";
}

static void move_inputs(System *s, Transition *tr) {
    size_t kept = 0;
    vec_each(const Symbol *, input, tr->inputs) {
        if (input->sort->kind == SORT_INT && is_in_index(tr->guard, input) && is_only_here(s, tr, input)) {
            SystemVariable v = {.symbol = input, .name = name_of(s, tr, input), .thread = NONE, .owner = NONE};
            system_add_variable(s, v);
        } else {
            tr->inputs[kept++] = input;
        }
    }
    vec_resize(tr->inputs, kept);
}

void prophecy_indices(System *s) {
    for (size_t t = 0; t < vec_len(s->threads) && s->integers; t++) {
        SystemThread *thread = &s->threads[t];
        for (size_t i = 0; i < vec_len(thread->transitions) && !thread->many; i++) {
            Transition *tr = &thread->transitions[i];
            if (vec_len(tr->inputs) && !leads_to(thread, tr->target, tr->source)) move_inputs(s, tr);
        }
    }
}
