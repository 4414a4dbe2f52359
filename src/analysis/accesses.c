/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/accesses.h"
#include "ir/internal.h"

typedef struct Found {
    PointsTo *pointsto;
    const bool *shared;
    Access *list; /* a vec */
} Found;

static void add_access(Found *f, Access a) { vec_push(f->list, a); }

static void add_memory(Found *f, const Expr *address, bool writes) {
    const Object *o = address_base(address);
    if (o && !f->shared[o->index]) return;
    add_access(f, (Access){.targets = pointsto(f->pointsto, address), .wild = pointsto_is_wild(f->pointsto, address), .writes = writes});
}

static void add_global(void *context, const Symbol *s) {
    const Variable *v = s->kind == SYM_VARIABLE ? s->user : NULL;
    if (v && v->global) add_access(context, (Access){.variable = v});
}

static void add_globals(void *context, const Expr *e) { expr_each_symbol(e, add_global, context); }

static void add_instr(Found *f, const Instr *i) {
    instr_expressions(i, add_globals, f);
    if (i->target && i->target->global) add_access(f, (Access){.variable = i->target, .writes = true});
    if (i->cell && i->cell->global) add_access(f, (Access){.variable = i->cell, .writes = true});
    switch (i->kind) {
    case INSTR_LOAD: add_memory(f, i->address, false); break;
    case INSTR_COPY: add_memory(f, i->value, false); /* fall through */
    case INSTR_STORE:
    case INSTR_FILL:
    case INSTR_FREE: add_memory(f, i->address, true); break;
    case INSTR_LOCK:
    case INSTR_TRYLOCK:
    case INSTR_UNLOCK:
        if (i->address) add_memory(f, i->address, true);
        break;
    default: break;
    }
}

Access *action_accesses(const Action *a, PointsTo *p, const bool *shared) {
    Found f = {p, shared, NULL};
    add_globals(&f, a->guard);
    for (size_t i = 0; i < vec_len(a->instrs); i++) add_instr(&f, &a->instrs[i]);
    return f.list;
}

Access *instr_accesses(const Instr *i, PointsTo *p, const bool *shared) {
    Found f = {p, shared, NULL};
    add_instr(&f, i);
    return f.list;
}

static bool targets_meet(const Access *a, const Access *b) {
    for (size_t i = 0; i < vec_len(a->targets->list); i++)
        for (size_t k = 0; k < vec_len(b->targets->list); k++)
            if (a->targets->list[i].object == b->targets->list[k].object) return true;
    return false;
}

bool accesses_conflict(const Access *a, const Access *b) {
    if (!a->writes && !b->writes) return false;
    if (a->variable || b->variable) return a->variable == b->variable;
    return a->wild || b->wild || targets_meet(a, b);
}
