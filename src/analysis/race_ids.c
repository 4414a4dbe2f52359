/* SPDX-License-Identifier: Apache-2.0 */
/* Follows the numbers of threads from CREATE through assignments. For locals, and for globals that only one thread uses, a forward data
   flow does this. Any other global counts if all its assignments are numbers of one thread. A variable that was never
   assigned has the number of no thread, and joining it is a fault. */
#include "analysis/race_terms.h"
#include "base/map.h"
#include <stdlib.h>
#include <string.h>

enum { NOT_KNOWN = 0, ANY = UINT16_MAX, DEPTH = 6 }; /* states of a variable: NOT_KNOWN, ANY for "not reached", or thread + 1 */

typedef struct Flow {
    Map *numbers; /* Variable → index in the state, + 1, for variables that may hold a number */
    unsigned count;
    uint16_t *state; /* a vec, by location and variable */
} Flow;

struct ThreadIds {
    const Program *program;
    const Map *threads;
    Map *owner;          /* global → the only template that uses it, + 1; 0 if several threads use it */
    Map *places;         /* global → index in defs, + 1 */
    const Instr ***defs; /* vecs of the instructions that assign a global */
    Flow *flows;         /* a vec, by template */
    uint16_t *now;
};

/* ---- uses and assignments ---- */

typedef struct Use {
    ThreadIds *ids;
    const Template *template_;
} Use;

static void note_use(const Use *u, const Variable *v) {
    uint64_t owner, me = u->template_->count == 1 ? u->template_->index + 1 : 0;
    if (!v || !v->global) return;
    if (map_get(u->ids->owner, map_key(v), &owner) && owner != me) me = 0;
    map_put(u->ids->owner, map_key(v), me);
}

static void use_symbol(void *context, const Symbol *s) {
    if (s->kind == SYM_VARIABLE) note_use(context, s->user);
}

static void use_expression(void *context, const Expr *e) { expr_symbols(e, use_symbol, context); }

static void note_def(ThreadIds *x, const Instr *i) {
    uint64_t place;
    if (!i->target) return;
    if (!map_get(x->places, map_key(i->target), &place)) {
        vec_push(x->defs, NULL);
        place = vec_len(x->defs);
        map_put(x->places, map_key(i->target), place);
    }
    vec_push(x->defs[place - 1], i);
}

static void find_uses(ThreadIds *x) {
    for (size_t t = 0; t < vec_len(x->program->templates); t++) {
        Use u = {x, x->program->templates[t]};
        vec_each_at(const Action, action, u.template_->actions) {
            use_expression(&u, action->guard);
            for (size_t i = 0; i < vec_len(action->instrs); i++) {
                instr_expressions(&action->instrs[i], use_expression, &u);
                note_use(&u, action->instrs[i].target);
                note_use(&u, action->instrs[i].cell);
                note_def(x, &action->instrs[i]);
            }
        }
    }
}

/* Returns the variable whose value the expression is, after conversions of its width; NULL if there is no such variable. */
static Variable *number_in(const Expr *e) {
    while (e->op == OP_ZEXT || (e->op == OP_EXTRACT && e->low == 0 && e->sort->width >= 32)) e = e->args[0];
    return expr_variable(e);
}

static uint16_t created(const ThreadIds *x, const Instr *i) {
    uint64_t thread;
    if (!map_get(x->threads, map_key(i), &thread)) thread = i->template_ + 1;
    return (uint16_t)thread;
}

/* Returns the number that a variable holds at every place, from all its assignments. */
static uint16_t ever(const ThreadIds *x, const Variable *v, unsigned depth) {
    uint64_t place;
    uint16_t found = ANY;
    if (v && v->global && !(v->init && expr_is_const(v->init) && !v->init->value)) return NOT_KNOWN;
    if (!v || !depth || !map_get(x->places, map_key(v), &place)) return NOT_KNOWN;
    const Instr **defs = x->defs[place - 1];
    for (size_t i = 0; i < vec_len(defs) && found != NOT_KNOWN; i++) {
        uint16_t here = NOT_KNOWN;
        if (defs[i]->kind == INSTR_CREATE) here = created(x, defs[i]);
        else if (defs[i]->kind == INSTR_ASSIGN) here = ever(x, number_in(defs[i]->value), depth - 1);
        found = found == ANY || found == here ? here : NOT_KNOWN;
    }
    return found == ANY ? NOT_KNOWN : found;
}

/* ---- the flow ---- */

static unsigned number_of(const Flow *f, const Variable *v) {
    uint64_t n;
    return v && map_get(f->numbers, map_key(v), &n) ? (unsigned)n : 0;
}

static bool is_own(const ThreadIds *x, const Template *t, const Variable *v) {
    uint64_t owner;
    return !v->global || (map_get(x->owner, map_key(v), &owner) && owner == t->index + 1);
}

static uint16_t value_of(const ThreadIds *x, const Flow *f, const uint16_t *now, const Expr *e) {
    const Variable *v = number_in(e);
    unsigned n = number_of(f, v);
    if (n) return now[n - 1];
    return v && v->global ? ever(x, v, DEPTH) : NOT_KNOWN;
}

static bool may_hold(const ThreadIds *x, const Flow *f, const Instr *i) {
    const Variable *v;
    if (i->kind == INSTR_CREATE) return true;
    if (i->kind != INSTR_ASSIGN || !(v = number_in(i->value))) return false;
    return number_of(f, v) || (v->global && ever(x, v, DEPTH) != NOT_KNOWN);
}

static void find_variables(const ThreadIds *x, Flow *f, const Template *t) {
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t a = 0; a < vec_len(t->actions); a++)
            vec_each_at(const Instr, i, t->actions[a].instrs) {
                if (!i->target || number_of(f, i->target) || !is_own(x, t, i->target) || !may_hold(x, f, i)) continue;
                map_put(f->numbers, map_key(i->target), ++f->count);
                changed = true;
            }
    }
}

static void execute(const ThreadIds *x, const Flow *f, uint16_t *now, const Instr *i) {
    unsigned n = number_of(f, i->target);
    if (!n) return;
    uint16_t value = NOT_KNOWN;
    if (i->kind == INSTR_CREATE) value = created(x, i);
    if (i->kind == INSTR_ASSIGN) value = value_of(x, f, now, i->value);
    now[n - 1] = value;
}

static bool meet(uint16_t *to, const uint16_t *now, unsigned n) {
    bool changed = false;
    for (unsigned k = 0; k < n; k++) {
        uint16_t both = to[k] == ANY || to[k] == now[k] ? now[k] : NOT_KNOWN;
        changed |= both != to[k];
        to[k] = both;
    }
    return changed;
}

static void run_flow(ThreadIds *x, Flow *f, const Template *t) {
    unsigned *work = NULL;
    bool *seen = NULL;
    f->numbers = map_new();
    find_variables(x, f, t);
    if (!f->count) return;
    vec_resize(f->state, (size_t)f->count * vec_len(t->locations));
    vec_resize(x->now, f->count);
    vec_resize(seen, vec_len(t->locations));
    memset(f->state, 0xff, vec_len(f->state) * sizeof *f->state);
    memset(&f->state[(size_t)f->count * t->entry], 0, f->count * sizeof *f->state);
    vec_push(work, t->entry);
    seen[t->entry] = true;
    while (vec_len(work)) {
        const Location *l = &t->locations[vec_pop(work)];
        for (size_t k = 0; k < vec_len(l->out); k++) {
            const Action *a = &t->actions[l->out[k]];
            memcpy(x->now, &f->state[(size_t)f->count * l->index], f->count * sizeof *x->now);
            for (size_t i = 0; i < vec_len(a->instrs); i++) execute(x, f, x->now, &a->instrs[i]);
            bool changed = meet(&f->state[(size_t)f->count * a->target], x->now, f->count);
            if (changed || !seen[a->target]) vec_push(work, a->target);
            seen[a->target] = true;
        }
    }
    vec_free(work);
    vec_free(seen);
}

ThreadIds *thread_ids_new(const Program *p, const Map *threads) {
    ThreadIds *x = zeroed(1, sizeof *x);
    x->program = p;
    x->threads = threads;
    x->owner = map_new();
    x->places = map_new();
    find_uses(x);
    vec_resize(x->flows, vec_len(p->templates));
    for (size_t t = 0; t < vec_len(p->templates) && vec_len(p->templates) + map_size(threads) < ANY - 1; t++)
        run_flow(x, &x->flows[t], p->templates[t]);
    return x;
}

void thread_ids_free(ThreadIds *x) {
    for (size_t t = 0; t < vec_len(x->flows); t++) {
        if (x->flows[t].numbers) map_free(x->flows[t].numbers);
        vec_free(x->flows[t].state);
    }
    vec_free_rows(x->defs);
    vec_free(x->flows);
    vec_free(x->now);
    map_free(x->owner);
    map_free(x->places);
    free(x);
}

unsigned ids_joined(ThreadIds *x, const Template *t, const Action *a, unsigned instr) {
    const Flow *f = &x->flows[t->index];
    uint16_t found = NOT_KNOWN;
    if (!f->count) {
        const Variable *v = number_in(a->instrs[instr].address);
        found = v && v->global ? ever(x, v, DEPTH) : NOT_KNOWN;
    } else {
        vec_resize(x->now, f->count);
        memcpy(x->now, &f->state[(size_t)f->count * a->source], f->count * sizeof *x->now);
        for (unsigned i = 0; i < instr; i++) execute(x, f, x->now, &a->instrs[i]);
        found = value_of(x, f, x->now, a->instrs[instr].address);
    }
    return found == NOT_KNOWN || found == ANY ? ~0u : found - 1u;
}
