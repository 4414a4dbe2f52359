/* SPDX-License-Identifier: Apache-2.0 */
/* Are addresses compared that could be others in another run?

   requires  a well-formed program, one template per thread; points-to
   ensures   programs that could tell are refused
   breaks    nothing: it only looks

   The system never uses an address again, malloc may. A program can tell only by comparing a pointer to freed memory
   with one to new memory: if memory is freed at all, no two pointers into the heap may be compared. And a site that
   allocates many objects has room for some hundreds before their addresses are those of the next site: pointers to
   different ones may not be compared. An object of each of many threads has one address for all of them: pointers to
   it may be compared with nothing but null. */
#include "passes/program/partition_internal.h"

static bool into_heap(Partition *r, const Expr *e) {
    const Targets *t = pointsto(r->pointsto, e);
    for (size_t i = 0; i < vec_len(t->list); i++)
        if (t->list[i].object->kind == OBJECT_HEAP) return true;
    return false;
}

/* What tells one address from another, or takes a number from an address that nobody follows: all but moving within an
   object, choosing, keeping in arrays, and comparing with what is no pointer into the heap. */
static bool reveals(Partition *r, const Expr *e) {
    unsigned n = 0;
    for (unsigned i = 0; i < e->nargs; i++) n += e->args[i]->sort->kind == SORT_BV && into_heap(r, e->args[i]);
    if (!n) return false;
    switch (e->op) {
    case OP_ITE:
    case OP_SELECT:
    case OP_STORE:
    case OP_CONST_ARRAY: return false;
    case OP_EQ:
    case OP_ULT:
    case OP_ULE:
    case OP_ADD: return n > 1;
    case OP_SUB: return n > 1 || into_heap(r, e->args[1]);
    default: return true;
    }
}

/* Are pointers compared that may be to objects of different sites, one of which allocates many? */
static bool compares_sites(Partition *r, const Expr *e) {
    const Object *first = NULL;
    bool many = false, differ = false;
    if (e->op != OP_EQ && e->op != OP_ULT && e->op != OP_ULE) return false;
    for (unsigned k = 0; k < 2; k++) {
        if (e->args[k]->sort->kind != SORT_BV || !into_heap(r, e->args[k])) return false;
        const Targets *t = pointsto(r->pointsto, e->args[k]);
        for (size_t i = 0; i < vec_len(t->list); i++) {
            const Object *o = t->list[i].object;
            if (o->kind != OBJECT_HEAP) continue;
            differ |= first && first != o;
            first = o;
            many |= pointsto_allocates_many(r->pointsto, o);
        }
    }
    return many && differ;
}

/* Has the object an instance in each of many threads? */
static bool is_of_many(const Program *p, const Object *o) {
    if (o->kind == OBJECT_LOCAL) return p->templates[o->template_]->count != 1;
    bool many = false;
    for (size_t t = 0; t < vec_len(p->templates); t++) many |= p->templates[t]->count != 1;
    return o->kind == OBJECT_THREAD && many;
}

static bool into_many(Partition *r, const Expr *e) {
    const Targets *t = pointsto(r->pointsto, e);
    for (size_t i = 0; i < vec_len(t->list); i++)
        if (is_of_many(r->program, t->list[i].object)) return true;
    return false;
}

/* Is the address of an object of many threads looked at? */
static bool tells_threads(Partition *r, const Expr *e) {
    bool into = false;
    for (unsigned i = 0; i < e->nargs; i++) into |= e->args[i]->sort->kind == SORT_BV && into_many(r, e->args[i]);
    if (!into) return false;
    switch (e->op) {
    case OP_ITE:
    case OP_ADD:
    case OP_SELECT:
    case OP_STORE:
    case OP_CONST_ARRAY: return false;
    case OP_SUB: return into_many(r, e->args[1]);
    case OP_EQ: return !(expr_is_const(e->args[0]) && !e->args[0]->value) && !(expr_is_const(e->args[1]) && !e->args[1]->value);
    default: return true;
    }
}

static void look_for_comparisons(void *context, const Expr *e) {
    Partition *r = context;
    if (r->frees && reveals(r, e))
        region_fail(r, "pointers into the heap are compared while memory is freed: malloc may use an address again", NULL);
    if (tells_threads(r, e)) region_fail(r, "addresses of the local variables of many threads are compared", NULL);
    if (compares_sites(r, e)) region_fail(r, "pointers to objects of several places that allocate many are compared", NULL);
    for (unsigned i = 0; i < e->nargs; i++) look_for_comparisons(r, e->args[i]);
}

void partition_check_comparisons(Partition *r) {
    Program *p = r->program;
    for (int round = 0; round < 2; round++)
        program_each_action(const Action, action, p) {
            if (round) look_for_comparisons(r, action->guard);
            for (size_t i = 0; i < vec_len(action->instrs); i++) {
                r->frees |= action->instrs[i].kind == INSTR_FREE;
                r->at = &action->instrs[i];
                if (round) instr_expressions(&action->instrs[i], look_for_comparisons, r);
            }
        }
    r->at = NULL;
}
