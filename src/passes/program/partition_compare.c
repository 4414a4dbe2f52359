/* SPDX-License-Identifier: Apache-2.0 */
/* Refuses programs whose behaviour depends on the numbers that addresses have.

   requires  a well-formed program, one template per thread; points-to
   ensures   all programs with such a comparison of addresses are refused
   breaks    nothing: the program stays unchanged

   The addresses of the result differ from real addresses in three ways. First, malloc may use an address again, but the result never does. Only a
   comparison of a pointer to freed memory with a pointer to new memory shows the difference. So a program that frees memory may not compare two
   pointers into the heap. Second, a site that allocates many objects has room for some hundreds of them. Later objects have the addresses of the
   next site. So a program may not compare pointers to objects of different sites if one of them allocates many. Third, an object that exists once in
   each of many threads has the same address in all of them. So a program may compare pointers to it only with null. */
#include "passes/messages.h"
#include "passes/program/partition_internal.h"

static bool points_into_heap(Partition *r, const Expr *e) {
    const Targets *t = pointsto(r->pointsto, e);
    for (size_t i = 0; i < vec_len(t->list); i++)
        if (t->list[i].object->kind == OBJECT_HEAP) return true;
    return false;
}

/* True if the operation depends on the number of an address in the heap. An operation may move a pointer within its object, choose a pointer, keep it
   in an array, or compare it with a value that is no pointer into the heap. All other operations on a pointer into the heap depend on its number. */
static bool reveals_heap_address(Partition *r, const Expr *e) {
    unsigned n = 0;
    for (unsigned i = 0; i < e->nargs; i++) n += e->args[i]->sort->kind == SORT_BV && points_into_heap(r, e->args[i]);
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
    case OP_SUB: return n > 1 || points_into_heap(r, e->args[1]);
    default: return true;
    }
}

/* True if the operation compares pointers that may lead to objects of different sites, and one of the sites allocates many. */
static bool compares_sites(Partition *r, const Expr *e) {
    const Object *first = NULL;
    bool many = false, differ = false;
    if (e->op != OP_EQ && e->op != OP_ULT && e->op != OP_ULE) return false;
    for (unsigned k = 0; k < 2; k++) {
        if (e->args[k]->sort->kind != SORT_BV || !points_into_heap(r, e->args[k])) return false;
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

/* True if the object exists once in each of many threads. */
static bool is_of_many(const Program *p, const Object *o) {
    if (o->kind == OBJECT_LOCAL) return p->templates[o->template_]->count != 1;
    bool many = false;
    for (size_t t = 0; t < vec_len(p->templates); t++) many |= p->templates[t]->count != 1;
    return o->kind == OBJECT_THREAD && many;
}

static bool points_to_one_of_many(Partition *r, const Expr *e) {
    const Targets *t = pointsto(r->pointsto, e);
    for (size_t i = 0; i < vec_len(t->list); i++)
        if (is_of_many(r->program, t->list[i].object)) return true;
    return false;
}

/* True if the operation depends on the address of an object that exists in each of many threads. */
static bool reveals_thread_address(Partition *r, const Expr *e) {
    bool into = false;
    for (unsigned i = 0; i < e->nargs; i++) into |= e->args[i]->sort->kind == SORT_BV && points_to_one_of_many(r, e->args[i]);
    if (!into) return false;
    switch (e->op) {
    case OP_ITE:
    case OP_ADD:
    case OP_SELECT:
    case OP_STORE:
    case OP_CONST_ARRAY: return false;
    case OP_SUB: return points_to_one_of_many(r, e->args[1]);
    case OP_EQ: return !(expr_is_const(e->args[0]) && !e->args[0]->value) && !(expr_is_const(e->args[1]) && !e->args[1]->value);
    default: return true;
    }
}

static void check_expression(void *context, const Expr *e) {
    Partition *r = context;
    if (r->frees && reveals_heap_address(r, e)) partition_refuse(r, MSG_PASSES_HEAP_COMPARED, NULL);
    if (reveals_thread_address(r, e)) partition_refuse(r, MSG_PASSES_LOCALS_COMPARED, NULL);
    if (compares_sites(r, e)) partition_refuse(r, MSG_PASSES_SITES_COMPARED, NULL);
    for (unsigned i = 0; i < e->nargs; i++) check_expression(r, e->args[i]);
}

void partition_check_comparisons(Partition *r) {
    Program *p = r->program;
    for (int round = 0; round < 2; round++)
        program_each_action(const Action, action, p) {
            if (round) check_expression(r, action->guard);
            for (size_t i = 0; i < vec_len(action->instrs); i++) {
                r->frees |= action->instrs[i].kind == INSTR_FREE;
                r->at = &action->instrs[i];
                if (round) instr_expressions(&action->instrs[i], check_expression, r);
            }
        }
    r->at = NULL;
}
