/* SPDX-License-Identifier: Apache-2.0 */
/* See race_sites.h. */
#include "analysis/race_sites.h"

typedef struct Search {
    Program *program;
    const bool *shared; /* by object */
    Site *sites;        /* a vec */
    const Action *guard;
} Search;

static bool is_private(const Search *a, const Expr *address) {
    const Object *o = address_base(address);
    return o && !a->shared[o->index];
}

static uint64_t bytes_of(const Sort *s) { return s->kind == SORT_BV ? (s->width + 7) / 8 : 1; }

static Site *add_site(Search *a, Site s, bool writes) {
    s.writes = writes;
    vec_push(a->sites, s);
    return &vec_last(a->sites);
}

static void add_memory(Search *a, Site s, bool writes, const Expr *address, const Expr *size) {
    if (is_private(a, address)) return;
    Site *x = add_site(a, s, writes);
    x->address = address;
    x->size = size;
}

typedef struct Reads {
    Search *search;
    Site site;
} Reads;

static void add_read(void *context, const Symbol *s) {
    Reads *r = context;
    const Variable *v = s->kind == SYM_VARIABLE ? s->user : NULL;
    if (!v || !v->global) return;
    Site *x = add_site(r->search, r->site, false);
    x->variable = v;
}

static void read_globals(void *context, const Expr *e) { expr_symbols(e, add_read, context); }

static const Expr *constant_size(const Search *a, const Sort *s) {
    return expr_bv(a->program->exprs, a->program->pointer_width, bytes_of(s));
}

/* An object on the stack begins to live without a write. */
static void add_allocation(Search *a, Site s, const Instr *i) {
    if (i->object->stack) return;
    s.allocates = true;
    add_memory(a, s, true, variable_expr(a->program, i->target), i->size);
}

/* A mutex is read and written atomically. Its initialisation and its destruction are plain writes. */
static void add_mutex(Search *a, Site s, const Instr *i) {
    s.atomic = s.mutex = true;
    if (i->cell && i->cell->global) add_site(a, s, true)->variable = i->cell;
    if (i->address) add_memory(a, s, true, i->address, expr_bv(a->program->exprs, a->program->pointer_width, 4));
}

static void add_sites(Search *a, const Template *t, const Action *action, unsigned k, bool first) {
    const Instr *i = &action->instrs[k];
    Site s = {.template_ = t->index,
              .action = action->index,
              .instr = k,
              .atomic = i->atomic,
              .section = action->section,
              .first = first,
              .life = i->life || i->kind == INSTR_FREE || i->kind == INSTR_ALLOC};
    Reads reads = {a, s};
    instr_expressions(i, read_globals, &reads);
    switch (i->kind) {
    case INSTR_LOAD: add_memory(a, s, false, i->address, constant_size(a, i->target->sort)); break;
    case INSTR_STORE: add_memory(a, s, true, i->address, constant_size(a, i->value->sort)); break;
    case INSTR_COPY:
        add_memory(a, s, true, i->address, i->size);
        add_memory(a, s, false, i->value, i->size);
        break;
    case INSTR_FILL: add_memory(a, s, true, i->address, i->size); break;
    case INSTR_FREE: add_memory(a, s, true, i->address, NULL); break;
    case INSTR_ALLOC: add_allocation(a, s, i); break;
    case INSTR_LOCK:
    case INSTR_TRYLOCK:
    case INSTR_UNLOCK: add_mutex(a, s, i); break;
    default: break;
    }
    if (i->target && i->target->global) add_site(a, s, true)->variable = i->target;
}

static void collect(Search *a, const Template *t) {
    vec_each_at(const Action, action, t->actions) {
        bool first = !t->locations[action->source].atomic;
        if (!a->guard && expr_reads_global(action->guard)) a->guard = action;
        for (size_t i = 0; i < vec_len(action->instrs); i++) {
            add_sites(a, t, action, (unsigned)i, first);
            first = first && !instr_is_visible(&action->instrs[i], a->shared);
        }
    }
}

Site *race_sites(Program *p, const bool *shared, const Action **guard) {
    Search a = {.program = p, .shared = shared};
    for (size_t t = 0; t < vec_len(p->templates); t++) collect(&a, p->templates[t]);
    *guard = a.guard;
    return a.sites;
}
