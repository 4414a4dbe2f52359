/* SPDX-License-Identifier: Apache-2.0 */
/* Chooses the order of the engine `weave` by the variables that threads share. In lockstep, unrelated loops end at different times, and the proof
   has nodes for each set of threads that have ended. With n loops, there are 2ⁿ of these sets; in sequence, there are n. So only related threads
   run in lockstep. Two threads are related if a proof may have to relate their variables. Either one thread mentions a variable that the
   other one writes, or the first thread mentions variables of both in one condition or update. (The first thread creates and joins the rest.) */
#include "engine/weave/order.h"

enum { MOST_GROUPS = 7 }; /* in lockstep: an order has MAX_TURNS = 8 lockstep nodes, and the root is one of them */

/* A union-find structure over variables and threads; thread t has the number vec_len(variables) + t. */
typedef struct Related {
    const System *system;
    bool *shared;    /* a vec by variable: some thread other than the first writes it */
    unsigned *up;    /* a vec: the parent in the union-find forest */
    unsigned joined; /* the last element of the set that the present expressions join; NONE: no element yet */
} Related;

static unsigned find(Related *r, unsigned i) {
    while (r->up[i] != i) i = r->up[i] = r->up[r->up[i]];
    return i;
}

static void join(Related *r, unsigned i) {
    if (r->joined != NONE) r->up[find(r, i)] = find(r, r->joined);
    r->joined = i;
}

static void mention(void *context, const Symbol *s) {
    Related *r = context;
    unsigned v = system_variable(r->system, s);
    if (v != NONE && r->shared[v]) join(r, v);
}

/* Joins the shared variables of each conjunct of a guard. A thread other than the first is joined with them. */
static void relate_guard(Related *r, unsigned thread, const Expr *e) {
    if (e->op == OP_AND) {
        for (unsigned i = 0; i < e->nargs; i++) relate_guard(r, thread, e->args[i]);
        return;
    }
    r->joined = thread ? (unsigned)vec_len(r->system->variables) + thread : NONE;
    expr_symbols(e, mention, r);
}

static void relate_update(Related *r, unsigned thread, const Update *u) {
    r->joined = thread ? (unsigned)vec_len(r->system->variables) + thread : NONE;
    join(r, u->variable);
    expr_symbols(u->value, mention, r);
}

/* Joins the variables of a transition. The first transition of the first thread is left out: no other threads exist yet. */
static void relate_transition(Related *r, unsigned thread, const Transition *t) {
    bool begins = !thread && t->source == r->system->threads[0].entry && !r->system->threads[0].locations[t->source].loop_head;
    if (!begins) relate_guard(r, thread, t->guard);
    for (size_t i = 0; i < vec_len(t->updates) && !begins; i++) relate_update(r, thread, &t->updates[i]);
}

static void relate(Related *r) {
    const System *s = r->system;
    for (unsigned t = 1; t < vec_len(s->threads); t++)
        for (size_t i = 0; i < vec_len(s->threads[t].transitions); i++)
            for (size_t u = 0; u < vec_len(s->threads[t].transitions[i].updates); u++)
                r->shared[s->threads[t].transitions[i].updates[u].variable] = true;
    for (unsigned t = 0; t < vec_len(s->threads); t++)
        for (size_t i = 0; i < vec_len(s->threads[t].transitions); i++) relate_transition(r, t, &s->threads[t].transitions[i]);
}

/* Appends the threads that are related to `first`, in lockstep if they are several. *locksteps counts the groups in lockstep. */
static void write_group(Buf *tree, Related *r, unsigned first, unsigned *locksteps) {
    unsigned n = (unsigned)vec_len(r->system->threads), base = (unsigned)vec_len(r->system->variables), members = 0;
    for (unsigned t = first; t < n; t++) members += find(r, base + t) == find(r, base + first);
    bool lockstep = members > 1 && *locksteps < MOST_GROUPS;
    *locksteps += lockstep;
    buf_printf(tree, "%s%s%u", first > 1 ? "," : "", lockstep ? "L(" : "", first);
    for (unsigned t = first + 1; t < n; t++)
        if (find(r, base + t) == find(r, base + first)) buf_printf(tree, ",%u", t);
    if (lockstep) buf_text(tree, ")");
}

static bool is_first_of_group(Related *r, unsigned thread) {
    unsigned base = (unsigned)vec_len(r->system->variables);
    for (unsigned t = 1; t < thread; t++)
        if (find(r, base + t) == find(r, base + thread)) return false;
    return true;
}

void related_order(Buf *tree, const System *s) {
    unsigned n = (unsigned)vec_len(s->threads), groups = 0, locksteps = 0;
    Related r = {.system = s};
    vec_resize(r.shared, vec_len(s->variables));
    for (unsigned i = 0; i < vec_len(s->variables) + n; i++) vec_push(r.up, i);
    relate(&r);
    for (unsigned t = 1; t < n; t++) groups += is_first_of_group(&r, t);
    buf_text(tree, "L(0");
    if (groups > 1) {
        buf_text(tree, ",S(");
        for (unsigned t = 1; t < n; t++)
            if (is_first_of_group(&r, t)) write_group(tree, &r, t, &locksteps);
        buf_text(tree, ")");
    } else {
        for (unsigned t = 1; t < n; t++) buf_printf(tree, ",%u", t);
    }
    buf_text(tree, ")");
    vec_free(r.shared);
    vec_free(r.up);
}
