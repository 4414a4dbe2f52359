/* SPDX-License-Identifier: Apache-2.0 */
/* Computes liveness for one local at a time: from the actions that read it, backwards along actions that do not write it. Each location
   has the list of its live locals. So cost and memory are proportional to the live ranges, not to locals times locations. Most locals
   are temporaries that live for a step or two.

   Invariant: lists are ascending, since locals are treated in the order of their index. */
#include "ir/live.h"
#include "base/messages.h"
#include "ir/internal.h"
#include <stdlib.h>

enum { NONE = ~0u };

/* Stores a linked list of actions for each local, in two flat arrays. */
typedef struct Mark {
    unsigned action, next;
} Mark;
typedef struct Marks {
    unsigned *first; /* by local: in list, or NONE */
    Mark *list;      /* a vec */
} Marks;

struct Liveness {
    const Template *template_;
    unsigned **live; /* by location: a vec of local indices */
};

typedef struct Pass {
    Liveness *result;
    const Template *template_;
    Marks reads, writes;          /* reads: only those that precede a write of the same action */
    unsigned action;              /* the one being scanned */
    unsigned *in_first, *in_next; /* incoming actions: by location, by action */
    unsigned *written_by;         /* by action: 1 + the last propagated local that it writes */
    unsigned *work;               /* a vec of locations */
} Pass;

static unsigned *array_of(size_t n, unsigned value) {
    unsigned *a = malloc((n + 1) * sizeof *a);
    if (!a) out_of_resources(MSG_BASE_NO_MEMORY);
    for (size_t i = 0; i <= n; i++) a[i] = value;
    return a;
}

/* Returns true if the local is marked for this action. Actions are scanned in order, so such a mark is the head of the local's list. */
static bool is_marked(const Pass *s, const Marks *m, const Variable *v) {
    unsigned head = m->first[v->index];
    return head != NONE && m->list[head].action == s->action;
}

static void mark(const Pass *s, Marks *m, const Variable *v) {
    if (is_marked(s, m, v)) return;
    Mark fresh = {.action = s->action, .next = m->first[v->index]};
    m->first[v->index] = (unsigned)vec_len(m->list);
    vec_push(m->list, fresh);
}

/* ---- reads and writes of an action ---- */

/* Returns true for a local of this template. Ill-formed programs, which the checker rejects later, may name other templates' locals. */
static bool is_own(const Template *t, const Variable *v) {
    return v && !v->global && v->index < vec_len(t->locals) && t->locals[v->index] == v;
}

static void read_symbol(void *context, const Symbol *symbol) {
    Pass *s = context;
    const Variable *v = symbol->kind == SYM_VARIABLE ? symbol->user : NULL;
    if (is_own(s->template_, v) && !is_marked(s, &s->writes, v)) mark(s, &s->reads, v);
}

static void read_expression(void *context, const Expr *e) { expr_each_symbol(e, read_symbol, context); }

static void scan_action(Pass *s, const Action *a) {
    s->action = a->index;
    if (a->guard) read_expression(s, a->guard);
    vec_each_at(const Instr, instr, a->instrs) {
        instr_expressions(instr, read_expression, s);
        if (instr->cell) read_symbol(s, instr->cell->symbol);
        const Variable *written = instr_written(instr);
        if (is_own(s->template_, written)) mark(s, &s->writes, written);
        for (unsigned k = 0; instr->call && k < instr->call->nresults; k++)
            if (is_own(s->template_, instr->call->results[k])) mark(s, &s->writes, instr->call->results[k]);
    }
}

/* ---- propagation ---- */

static void enliven(Pass *s, unsigned location, unsigned local) {
    unsigned **list = &s->result->live[location];
    if (vec_len(*list) && vec_last(*list) == local) return;
    vec_push(*list, local);
    vec_push(s->work, location);
}

/* Returns true for a result of a procedure: the return reads it. */
static bool is_result(const Template *t, unsigned local) {
    size_t n = vec_len(t->parameters);
    return local >= n && local - n < vec_len(t->results);
}

static void propagate(Pass *s, unsigned local) {
    const Template *t = s->template_;
    for (unsigned m = s->writes.first[local]; m != NONE; m = s->writes.list[m].next) s->written_by[s->writes.list[m].action] = local + 1;
    for (unsigned m = s->reads.first[local]; m != NONE; m = s->reads.list[m].next)
        enliven(s, t->actions[s->reads.list[m].action].source, local);
    LocationKind read_at = is_result(t, local) ? LOCATION_RETURN : LOCATION_END;
    if (read_at == LOCATION_RETURN || (t->result && t->result->index == local))
        for (unsigned l = 0; l < vec_len(t->locations); l++)
            if (t->locations[l].kind == read_at) enliven(s, l, local);
    while (vec_len(s->work)) {
        unsigned location = vec_pop(s->work);
        for (unsigned a = s->in_first[location]; a != NONE; a = s->in_next[a])
            if (s->written_by[a] != local + 1) enliven(s, t->actions[a].source, local);
    }
}

static void enliven_everywhere(Pass *s, unsigned local) {
    for (unsigned l = 0; l < vec_len(s->template_->locations); l++) vec_push(s->result->live[l], local);
}

static void link_incoming(Pass *s) {
    const Template *t = s->template_;
    for (unsigned a = 0; a < vec_len(t->actions); a++) {
        unsigned target = t->actions[a].target;
        s->in_next[a] = s->in_first[target];
        s->in_first[target] = a;
    }
}

static void run(Pass *s) {
    const Template *t = s->template_;
    link_incoming(s);
    for (size_t a = 0; a < vec_len(t->actions); a++) scan_action(s, &t->actions[a]);
    for (unsigned v = 0; v < vec_len(t->locals); v++) {
        if (t->locals[v] == t->self) enliven_everywhere(s, v);
        else propagate(s, v);
    }
}

Liveness *live_new(const Program *p, const Template *t) {
    (void)p;
    size_t locals = vec_len(t->locals), locations = vec_len(t->locations), actions = vec_len(t->actions);
    Liveness *result = zeroed(1, sizeof *result);
    result->template_ = t;
    vec_resize(result->live, locations);
    Pass s = {.result = result, .template_ = t};
    s.reads.first = array_of(locals, NONE);
    s.writes.first = array_of(locals, NONE);
    s.in_first = array_of(locations, NONE);
    s.in_next = array_of(actions, NONE);
    s.written_by = array_of(actions, 0);
    run(&s);
    free(s.reads.first);
    free(s.writes.first);
    free(s.in_first);
    free(s.in_next);
    free(s.written_by);
    vec_free(s.reads.list);
    vec_free(s.writes.list);
    vec_free(s.work);
    return result;
}

void live_free(Liveness *l) {
    if (!l) return;
    vec_free_rows(l->live);
    free(l);
}

const unsigned *live_list(const Liveness *l, unsigned location, size_t *count) {
    ensure(location < vec_len(l->live));
    *count = vec_len(l->live[location]);
    return l->live[location];
}

bool live_at(const Liveness *l, unsigned location, const Variable *local) {
    ensure(location < vec_len(l->live) && !local->global);
    const unsigned *list = l->live[location];
    size_t low = 0, high = vec_len(list);
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (list[middle] < local->index) low = middle + 1;
        else high = middle;
    }
    return low < vec_len(list) && list[low] == local->index;
}
