/* SPDX-License-Identifier: Apache-2.0 */
#include "ir/weak.h"
#include "ir/internal.h"

typedef struct Sum { /* the effects of an action on shared state */
    unsigned reads, writes, other;
    unsigned instr; /* the last instruction that writes */
    bool block, fence, allocates;
    bool atomic; /* some write is atomic */
} Sum;

static void note_global(void *context, const Symbol *s) {
    unsigned *reads = context;
    *reads += s->kind == SYM_VARIABLE && ((const Variable *)s->user)->global;
}

static void note_reads(void *context, const Expr *e) { expr_each_symbol(e, note_global, context); }

static bool is_seen(const Expr *address, const bool *shared) {
    const Object *o = address_base(address);
    return !o || shared[o->index];
}

static void add_instr(Sum *s, const Instr *i, unsigned k, const bool *shared) {
    unsigned writes = i->target && i->target->global;
    instr_expressions(i, note_reads, &s->reads);
    switch (i->kind) {
    case INSTR_ASSIGN:
    case INSTR_HAVOC:
    case INSTR_ASSUME:
    case INSTR_ALIVE:
    case INSTR_DEAD: break;
    case INSTR_LOAD: s->reads += is_seen(i->address, shared); break;
    case INSTR_STORE: writes += is_seen(i->address, shared); break;
    case INSTR_COPY: s->block |= is_seen(i->address, shared) || is_seen(i->value, shared); break;
    case INSTR_FILL: s->block |= is_seen(i->address, shared); break;
    case INSTR_FENCE: s->fence = true; break;
    case INSTR_ALLOC:
    case INSTR_FREE: s->allocates = true; break;
    default: s->other++;
    }
    if (writes) s->instr = k;
    s->atomic |= writes && i->atomic;
    s->writes += writes;
}

static WeakKind fence_kind(const Program *p, const Action *a) {
    WeakKind kind = WEAK_LOCAL;
    vec_each_at(const Instr, x, a->instrs) {
        if (x->kind != INSTR_FENCE) continue;
        if (x->order == ORDER_SEQ_CST) return WEAK_DRAIN;
        if (p->memory == MEMORY_PSO && x->order != ORDER_ACQUIRE) kind = WEAK_BARRIER;
    }
    return kind;
}

WeakAction weak_action(const Program *p, const Template *t, const Action *a, const bool *shared) {
    Sum s = {0};
    WeakAction w = {.kind = WEAK_DRAIN};
    if (t->locations[a->source].atomic || t->locations[a->target].atomic || a->section) return w;
    note_reads(&s.reads, a->guard);
    for (size_t i = 0; i < vec_len(a->instrs); i++) add_instr(&s, &a->instrs[i], (unsigned)i, shared);
    WeakKind fence = s.fence ? fence_kind(p, a) : WEAK_LOCAL;
    s.block |= s.writes > 1 && !s.atomic;
    if (s.other || (s.writes > 1 && !s.block) || (s.writes && (s.reads || s.fence)) || (s.fence && s.reads) || fence == WEAK_DRAIN)
        return w;
    w.assumed = s.allocates;
    if (s.allocates) return w;
    w.kind = s.block ? WEAK_BLOCK : s.reads ? WEAK_LOAD : fence;
    if (s.block || !s.writes) return w;
    const Instr *store = &a->instrs[s.instr];
    if (store->atomic && store->order == ORDER_SEQ_CST) {
        w.kind = WEAK_DRAIN;
        return w;
    }
    return (WeakAction){
        .kind = WEAK_STORE, .instr = s.instr, .barrier = p->memory == MEMORY_PSO && store->atomic && store->order != ORDER_RELAXED};
}
