/* SPDX-License-Identifier: Apache-2.0 */
/* An address is passed on by who stores it and who loads it. Both must order: the store releases and the load acquires. So all objects count that a value
   may point to which is stored and not released, or loaded and not acquired. Fences are not looked at. */
#include "analysis/race_terms.h"

typedef struct Search {
    const Program *program;
    PointsTo *pointsto;
    bool *weak; /* a vec, by object */
} Search;

static void pass(const Search *s, const Expr *value) {
    if (value->sort->kind != SORT_BV) return;
    const Targets *t = pointsto(s->pointsto, value);
    bool any = pointsto_is_wild(s->pointsto, value);
    for (size_t o = 0; o < vec_len(s->weak) && any; o++) s->weak[o] = true;
    for (size_t k = 0; k < vec_len(t->list); k++) s->weak[t->list[k].object->index] = true;
}

static void look_at(const Search *s, const Instr *i) {
    if (instr_writes_weakly(i)) pass(s, i->value);
    if (instr_reads_weakly(i)) pass(s, i->kind == INSTR_ASSIGN ? i->value : variable_expr((Program *)s->program, i->target));
}

bool *published_relaxed(const Program *p, PointsTo *pointsto) {
    Search s = {p, pointsto, NULL};
    vec_resize(s.weak, vec_len(p->objects));
    program_each_instr(const Instr, instr, p) look_at(&s, instr);
    return s.weak;
}
