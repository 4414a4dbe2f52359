/* SPDX-License-Identifier: Apache-2.0 */
/* Finds unescaped heap objects by a data flow through each template. A local is fresh for an allocation site at a location under two
   conditions. The local contains the address of the last object that the thread allocated there, plus a constant. Memory and other variables
   do not contain that address. A fresh local may be used to access memory, be copied and compared. Any other use makes all
   locals of the site lose this state. */
#include "analysis/unescaped_heap.h"
#include "base/map.h"
#include <stdlib.h>
#include <string.h>

enum { NONE = 0, UNREACHED = UINT16_MAX };

typedef struct Flow {
    Map *numbers; /* Variable → its number, from 1, for locals that may be fresh somewhere */
    unsigned count;
    uint16_t *fresh; /* a vec by location and number: site + 1, NONE, or UNREACHED */
} Flow;

struct UnescapedHeap {
    const Program *program;
    Flow *flows;    /* a vec, by template */
    uint16_t *here; /* a vec, by number: the state at the present instruction */
};

/* ---- locals that may hold such an address ---- */

/* Returns the local that an address is made of, if at most a constant is added; otherwise NULL. */
static const Variable *base_local(const Expr *e) {
    if (e->op == OP_ADD && expr_is_const(e->args[1])) e = e->args[0];
    else if (e->op == OP_ADD && expr_is_const(e->args[0])) e = e->args[1];
    const Variable *v = expr_variable((Expr *)e);
    return v && !v->global ? v : NULL;
}

static unsigned number_of(const Flow *f, const Variable *v) {
    uint64_t n;
    return v && map_get(f->numbers, (uintptr_t)v, &n) ? (unsigned)n : 0;
}

static bool give_number(Flow *f, const Variable *v) {
    if (!v || v->global || number_of(f, v)) return false;
    map_put(f->numbers, (uintptr_t)v, ++f->count);
    return true;
}

static bool number_locals(Flow *f, const Instr *i) {
    if (i->kind == INSTR_ALLOC) return give_number(f, i->target);
    return i->kind == INSTR_ASSIGN && number_of(f, base_local(i->value)) && give_number(f, i->target);
}

static void find_locals(Flow *f, const Template *t) {
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t a = 0; a < vec_len(t->actions); a++)
            for (size_t i = 0; i < vec_len(t->actions[a].instrs); i++) changed |= number_locals(f, &t->actions[a].instrs[i]);
    }
}

/* ---- the flow ---- */

typedef struct Use {
    const Flow *flow;
    uint16_t *here;
} Use;

static void forget_site(const Flow *f, uint16_t *here, uint16_t site) {
    for (unsigned k = 0; k < f->count && site != NONE; k++)
        if (here[k] == site) here[k] = NONE;
}

static void escape_symbol(void *context, const Symbol *s) {
    const Use *u = context;
    unsigned n = s->kind == SYM_VARIABLE ? number_of(u->flow, s->user) : 0;
    if (n) forget_site(u->flow, u->here, u->here[n - 1]);
}

/* Makes known to other threads all that is fresh and occurs in e. A truth value contains no address. */
static void escape(const Use *u, const Expr *e) {
    if (e && e->sort->kind != SORT_BOOL) expr_symbols(e, escape_symbol, (void *)u);
}

/* Escapes the address of an access, unless it is a local plus a constant: the access does not pass such an address on. */
static void escape_address(const Use *u, const Expr *e) {
    if (e && !base_local(e)) escape(u, e);
}

static void set(const Use *u, const Variable *v, uint16_t site) {
    unsigned n = number_of(u->flow, v);
    if (n) u->here[n - 1] = site;
}

static void assign(const Use *u, const Instr *i) {
    unsigned from = number_of(u->flow, base_local(i->value));
    if (!from || i->target->global) {
        escape(u, i->value);
        set(u, i->target, NONE);
        return;
    }
    set(u, i->target, u->here[from - 1]);
}

static void execute(const Use *u, const Instr *i) {
    switch (i->kind) {
    case INSTR_ASSIGN: assign(u, i); return;
    case INSTR_ASSUME: return;
    case INSTR_ALLOC:
        escape(u, i->size);
        forget_site(u->flow, u->here, (uint16_t)(i->object->index + 1));
        set(u, i->target, (uint16_t)(i->object->index + 1));
        return;
    case INSTR_LOAD:
    case INSTR_STORE:
        escape_address(u, i->address);
        escape(u, i->value);
        break;
    default: /* the object is freed, copied or passed to a thread, or contains a mutex */
        escape(u, i->address);
        escape(u, i->value);
        escape(u, i->size);
    }
    if (i->target) set(u, i->target, NONE);
    if (i->cell) set(u, i->cell, NONE);
}

static bool meet(uint16_t *to, const uint16_t *here, unsigned n) {
    bool changed = false;
    for (unsigned k = 0; k < n; k++) {
        uint16_t both = to[k] == UNREACHED || to[k] == here[k] ? here[k] : NONE;
        changed |= both != to[k];
        to[k] = both;
    }
    return changed;
}

static bool flow_once(UnescapedHeap *fresh, Flow *f, const Template *t) {
    bool changed = false;
    vec_each_at(const Action, action, t->actions) {
        const uint16_t *from = &f->fresh[f->count * action->source];
        if (from[0] == UNREACHED) continue;
        memcpy(fresh->here, from, f->count * sizeof *from);
        for (size_t i = 0; i < vec_len(action->instrs); i++) execute(&(Use){f, fresh->here}, &action->instrs[i]);
        changed |= meet(&f->fresh[f->count * action->target], fresh->here, f->count);
    }
    return changed;
}

static void run_flow(UnescapedHeap *fresh, Flow *f, const Template *t) {
    f->numbers = map_new();
    find_locals(f, t);
    if (!f->count) return;
    vec_resize(f->fresh, f->count * vec_len(t->locations));
    vec_resize(fresh->here, f->count);
    for (size_t k = 0; k < vec_len(f->fresh); k++) f->fresh[k] = UNREACHED;
    for (unsigned k = 0; k < f->count; k++) f->fresh[f->count * t->entry + k] = NONE;
    while (flow_once(fresh, f, t)) continue;
}

UnescapedHeap *unescaped_new(const Program *p) {
    UnescapedHeap *f = zeroed(1, sizeof *f);
    f->program = p;
    vec_resize(f->flows, vec_len(p->templates));
    for (size_t t = 0; t < vec_len(p->templates); t++)
        if (vec_len(p->objects) < UNREACHED - 1) run_flow(f, &f->flows[t], p->templates[t]);
    return f;
}

void unescaped_free(UnescapedHeap *f) {
    for (size_t t = 0; t < vec_len(f->flows); t++) {
        map_free(f->flows[t].numbers);
        vec_free(f->flows[t].fresh);
    }
    vec_free(f->flows);
    vec_free(f->here);
    free(f);
}

const Object *unescaped_object(const UnescapedHeap *fresh, const Template *t, const Action *a, const Instr *i) {
    const Flow *f = &fresh->flows[t->index];
    if (!f->count || (i->kind != INSTR_LOAD && i->kind != INSTR_STORE)) return NULL;
    unsigned n = number_of(f, base_local(i->address));
    if (!n) return NULL;
    const uint16_t *from = &f->fresh[f->count * a->source];
    uint16_t *here = NULL;
    vec_resize(here, f->count);
    memcpy(here, from, f->count * sizeof *from);
    if (from[0] != UNREACHED)
        for (const Instr *k = a->instrs; k != i; k++) execute(&(Use){f, here}, k);
    uint16_t site = here[n - 1];
    vec_free(here);
    return site != NONE && site != UNREACHED ? fresh->program->objects[site - 1] : NULL;
}
