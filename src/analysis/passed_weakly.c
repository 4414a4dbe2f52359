/* SPDX-License-Identifier: Apache-2.0 */
/* An address is passed on by who stores it and who loads it. Both must order: the store releases and the load acquires. So all objects count that a value
   may point to which is stored and not released, or loaded and not acquired. An exchange that fails may have a weaker order than the one that it has in the IR,
   unless the program has no access that is weaker than acquire and release. Fences are not looked at. */
#include "analysis/passed_weakly.h"
#include "base/vec.h"

typedef struct Search {
    const Program *program;
    PointsTo *pointsto;
    bool *weak; /* a vec, by object */
} Search;

static bool acquires(MemoryOrder o) { return o == ORDER_ACQUIRE || o == ORDER_ACQ_REL || o == ORDER_SEQ_CST; }
static bool releases(MemoryOrder o) { return o == ORDER_RELEASE || o == ORDER_ACQ_REL || o == ORDER_SEQ_CST; }

static bool writes(const Instr *i) { return i->kind == INSTR_STORE || (i->kind == INSTR_ASSIGN && i->target->global); }

static void note_global(void *context, const Symbol *s) {
    const Variable *v = s->kind == SYM_VARIABLE ? s->user : NULL;
    if (v && v->global) *(bool *)context = true;
}

static bool reads(const Instr *i) {
    bool global = false;
    if (i->kind == INSTR_ASSIGN) expr_symbols(i->value, note_global, &global);
    return i->kind == INSTR_LOAD || global;
}

/* May the instruction be the read of an exchange? Then what its action writes depends on more than one value, or on what was read. */
static bool may_fail(const Action *a, const Instr *read) {
    const Instr *end = a->instrs + vec_len(a->instrs);
    for (const Instr *i = read + 1; i < end; i++) {
        if (!i->atomic || !writes(i)) continue;
        const Variable *v = expr_variable((Expr *)i->value);
        if ((!v && !expr_is_const(i->value)) || v == read->target) return true;
    }
    return false;
}

static void pass(const Search *s, const Expr *value) {
    if (value->sort->kind != SORT_BV) return;
    const Targets *t = pointsto(s->pointsto, value);
    bool any = pointsto_is_wild(s->pointsto, value);
    for (size_t o = 0; o < vec_len(s->weak) && any; o++) s->weak[o] = true;
    for (size_t k = 0; k < vec_len(t->list); k++) s->weak[t->list[k].object->index] = true;
}

static void look_at(const Search *s, const Action *a, const Instr *i) {
    if (!i->atomic) return;
    if (writes(i) && !releases(i->order)) pass(s, i->value);
    if (reads(i) && (!acquires(i->order) || (s->program->unordered.file && may_fail(a, i))))
        pass(s, i->kind == INSTR_ASSIGN ? i->value : variable_expr((Program *)s->program, i->target));
}

bool *passed_weakly(const Program *p, PointsTo *pointsto) {
    Search s = {p, pointsto, NULL};
    vec_resize(s.weak, vec_len(p->objects));
    for (size_t t = 0; t < vec_len(p->templates); t++)
        for (size_t a = 0; a < vec_len(p->templates[t]->actions); a++) {
            const Action *x = &p->templates[t]->actions[a];
            for (size_t i = 0; i < vec_len(x->instrs); i++) look_at(&s, x, &x->instrs[i]);
        }
    return s.weak;
}
