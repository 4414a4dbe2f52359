/* SPDX-License-Identifier: Apache-2.0 */
/* Determines the state that instructions touch, and which of it other threads can see.

   A LOCAL or THREAD object is not shared if its address symbol occurs only as the base of LOAD, STORE, COPY and FILL addresses. Only its
   own thread can reach such an object. C makes pointer arithmetic that leaves an object undefined, so an address with that base points
   into it. */
#include "ir/internal.h"
#include <stdlib.h>

const InstrShape instr_shapes[INSTR_KINDS] = {
    /*                  word       target         address        value          size           object */
    [INSTR_ASSIGN] = {"assign", PART_REQUIRED, PART_NONE, PART_REQUIRED, PART_NONE, PART_NONE},
    [INSTR_HAVOC] = {"any", PART_REQUIRED, PART_NONE, PART_NONE, PART_NONE, PART_NONE},
    [INSTR_ASSUME] = {"assume", PART_NONE, PART_OPTIONAL, PART_REQUIRED, PART_NONE, PART_NONE},
    [INSTR_LOAD] = {"load", PART_REQUIRED, PART_REQUIRED, PART_NONE, PART_NONE, PART_NONE},
    [INSTR_STORE] = {"store", PART_NONE, PART_REQUIRED, PART_REQUIRED, PART_NONE, PART_NONE},
    [INSTR_COPY] = {"copy", PART_NONE, PART_REQUIRED, PART_REQUIRED, PART_REQUIRED, PART_NONE},
    [INSTR_FILL] = {"fill", PART_NONE, PART_REQUIRED, PART_REQUIRED, PART_REQUIRED, PART_NONE},
    [INSTR_ALLOC] = {"alloc", PART_REQUIRED, PART_NONE, PART_NONE, PART_REQUIRED, PART_REQUIRED},
    [INSTR_FREE] = {"free", PART_NONE, PART_REQUIRED, PART_NONE, PART_NONE, PART_NONE},
    [INSTR_SIZE] = {"sizeof", PART_REQUIRED, PART_REQUIRED, PART_NONE, PART_NONE, PART_NONE},
    [INSTR_WRITTEN] = {"written", PART_REQUIRED, PART_REQUIRED, PART_NONE, PART_NONE, PART_NONE},
    [INSTR_ALIVE] = {"alive", PART_NONE, PART_NONE, PART_NONE, PART_NONE, PART_REQUIRED},
    [INSTR_DEAD] = {"dead", PART_NONE, PART_NONE, PART_NONE, PART_NONE, PART_REQUIRED},
    [INSTR_INVALID] = {"invalid", PART_NONE, PART_REQUIRED, PART_NONE, PART_OPTIONAL, PART_NONE},
    [INSTR_LOST] = {"lost", PART_NONE, PART_NONE, PART_NONE, PART_NONE, PART_NONE},
    [INSTR_LOCK] = {"lock", PART_OPTIONAL, PART_OPTIONAL, PART_NONE, PART_NONE, PART_NONE},
    [INSTR_TRYLOCK] = {"trylock", PART_OPTIONAL, PART_OPTIONAL, PART_NONE, PART_NONE, PART_NONE},
    [INSTR_UNLOCK] = {"unlock", PART_OPTIONAL, PART_OPTIONAL, PART_NONE, PART_NONE, PART_NONE},
    [INSTR_CREATE] = {"create", PART_OPTIONAL, PART_NONE, PART_REQUIRED, PART_NONE, PART_NONE},
    [INSTR_JOIN] = {"join", PART_OPTIONAL, PART_REQUIRED, PART_NONE, PART_NONE, PART_NONE},
    [INSTR_FENCE] = {"fence", PART_NONE, PART_NONE, PART_NONE, PART_NONE, PART_NONE},
    [INSTR_CALL] = {"call", PART_NONE, PART_OPTIONAL, PART_NONE, PART_NONE, PART_NONE},
};

enum { SMALL_TREE = 200 };

static void each_symbol_of_tree(const Expr *e, void (*visit)(void *context, const Symbol *), void *context) {
    if (e->symbol) visit(context, e->symbol);
    for (unsigned i = 0; i < e->nargs; i++) each_symbol_of_tree(e->args[i], visit, context);
}

void expr_each_symbol(const Expr *e, void (*visit)(void *context, const Symbol *), void *context) {
    if (e->tree <= SMALL_TREE) each_symbol_of_tree(e, visit, context);
    else expr_symbols(e, visit, context);
}

void instr_expressions(const Instr *i, void (*visit)(void *context, const Expr *), void *context) {
    if (i->address) visit(context, i->address);
    if (i->value) visit(context, i->value);
    if (i->size) visit(context, i->size);
    for (unsigned k = 0; i->call && k < i->call->narguments; k++) visit(context, i->call->arguments[k]);
}

Variable *instr_written(const Instr *i) { return i->target; }

/* ---- the base of an address ---- */

static const Object *address_object(const Expr *e) { return e->op == OP_SYMBOL && e->symbol->kind == SYM_ADDRESS ? e->symbol->user : NULL; }

/* Deeper sums do not occur in practice. To give up on them is safe. */
enum { BASE_DEPTH = 16 };

static const Object *base_within(const Expr *e, unsigned depth) {
    if (e->op == OP_SYMBOL) return address_object(e);
    if (depth == 0) return NULL;
    if (e->op == OP_SUB) return base_within(e->args[0], depth - 1);
    if (e->op != OP_ADD) return NULL;
    const Object *a = base_within(e->args[0], depth - 1), *b = base_within(e->args[1], depth - 1);
    return a && b ? NULL : a ? a : b;
}

const Object *address_base(const Expr *address) { return base_within(address, BASE_DEPTH); }

/* ---- which objects are shared ---- */

typedef struct Sharing {
    bool *shared;     /* a vec, by object index */
    uint8_t *visited; /* by expression id */
    const Expr **work;
} Sharing;

/* Marks every object whose address occurs in e as shared. */
static void escape(void *context, const Expr *root) {
    Sharing *s = context;
    vec_push(s->work, root);
    while (vec_len(s->work)) {
        const Expr *e = vec_pop(s->work);
        if (s->visited[e->id]) continue;
        s->visited[e->id] = 1;
        const Object *o = address_object(e);
        if (o) s->shared[o->index] = true;
        for (unsigned i = 0; i < e->nargs; i++) vec_push(s->work, e->args[i]);
    }
}

/* Does the same for the address of an access, but not for the base of the address. */
static void escape_offset(Sharing *s, const Expr *address) {
    if (!address_base(address)) {
        escape(s, address);
        return;
    }
    const Expr *e = address;
    for (unsigned depth = BASE_DEPTH; e->op != OP_SYMBOL; depth--) {
        bool first = e->op == OP_SUB || base_within(e->args[0], depth - 1);
        escape(s, e->args[first ? 1 : 0]);
        e = e->args[first ? 0 : 1];
    }
}

static void escape_instr(Sharing *s, const Instr *i) {
    switch (i->kind) {
    case INSTR_LOAD:
    case INSTR_WRITTEN:
    case INSTR_INVALID:
        escape_offset(s, i->address);
        if (i->size) escape(s, i->size);
        break;
    case INSTR_STORE:
    case INSTR_FILL:
        escape_offset(s, i->address);
        escape(s, i->value);
        if (i->size) escape(s, i->size);
        break;
    case INSTR_COPY:
        escape_offset(s, i->address);
        escape_offset(s, i->value);
        escape(s, i->size);
        break;
    default: instr_expressions(i, escape, s);
    }
}

static void escape_initial(Sharing *s, const Program *p) {
    for (size_t i = 0; i < vec_len(p->globals); i++)
        if (p->globals[i]->init) escape(s, p->globals[i]->init);
    vec_each(const Object *, o, p->objects)
        for (unsigned r = 0; r < o->nrelocations; r++) {
            const Object *target = o->relocations[r].target->user;
            s->shared[target->index] = true;
        }
}

bool *program_shared_objects(const Program *p) {
    Sharing s = {0};
    vec_resize(s.shared, vec_len(p->objects));
    s.visited = zeroed(exprs_count(p->exprs) + 1, 1);
    escape_initial(&s, p);
    program_each_action(const Action, action, p) {
        escape(&s, action->guard);
        for (size_t i = 0; i < vec_len(action->instrs); i++) escape_instr(&s, &action->instrs[i]);
    }
    for (size_t i = 0; i < vec_len(p->objects); i++) {
        ObjectKind kind = p->objects[i]->kind;
        if (kind != OBJECT_LOCAL && kind != OBJECT_THREAD) s.shared[i] = !p->objects[i]->readonly;
    }
    free(s.visited);
    vec_free(s.work);
    return s.shared;
}

/* ---- visibility ---- */

static void note_global(void *context, const Symbol *s) {
    bool *found = context;
    if (s->kind == SYM_VARIABLE && ((const Variable *)s->user)->global) *found = true;
}

bool expr_reads_global(const Expr *e) {
    bool found = false;
    expr_each_symbol(e, note_global, &found);
    return found;
}

static void expression_reads_global(void *context, const Expr *e) { *(bool *)context |= expr_reads_global(e); }

static bool memory_is_visible(const Expr *address, const bool *shared) {
    const Object *base = address_base(address);
    return !base || !shared || shared[base->index];
}

static bool effect_is_visible(const Instr *i, const bool *shared) {
    switch (i->kind) {
    case INSTR_ASSIGN:
    case INSTR_HAVOC:
    case INSTR_ASSUME: return false;
    case INSTR_LOAD:
    case INSTR_STORE:
    case INSTR_FILL:
    case INSTR_WRITTEN:
    case INSTR_INVALID: return memory_is_visible(i->address, shared);
    case INSTR_COPY: return memory_is_visible(i->address, shared) || memory_is_visible(i->value, shared);
    case INSTR_ALIVE:
    case INSTR_DEAD: return !shared || shared[i->object->index];
    default: return true;
    }
}

bool instr_is_visible(const Instr *i, const bool *shared) {
    if (i->target && i->target->global) return true;
    if (effect_is_visible(i, shared)) return true;
    bool reads = false;
    instr_expressions(i, expression_reads_global, &reads);
    return reads;
}

bool action_is_visible(const Action *a, const bool *shared) {
    bool reads = false;
    expression_reads_global(&reads, a->guard);
    if (reads) return true;
    for (size_t i = 0; i < vec_len(a->instrs); i++)
        if (instr_is_visible(&a->instrs[i], shared)) return true;
    return false;
}

/* ---- orders ---- */

bool instr_reads_weakly(const Instr *i) {
    if (!i->atomic || order_acquires(i->order)) return false;
    return i->kind == INSTR_LOAD || (i->kind == INSTR_ASSIGN && expr_reads_global(i->value));
}

bool instr_writes_weakly(const Instr *i) {
    return i->atomic && !order_releases(i->order) && (i->kind == INSTR_STORE || (i->kind == INSTR_ASSIGN && i->target->global));
}

Position program_first_weak_access(const Program *p) {
    program_each_instr(const Instr, x, p)
        if (instr_reads_weakly(x) || instr_writes_weakly(x)) return x->position;
    return (Position){0};
}
