/* SPDX-License-Identifier: Apache-2.0 */
/* One thread stores an address and another loads it. The store must release and the load must acquire. So an object counts if an address of
   it may be stored without release or loaded without acquire. The analysis does not count fences. */
#include "analysis/race_terms.h"

typedef struct Search {
    const Program *program;
    PointsTo *pointsto;
    bool *weak; /* by object: a vec */
} Search;

/* Marks the objects that the value may point to. */
static void mark_passed(const Search *s, const Expr *value) {
    if (value->sort->kind != SORT_BV) return;
    const Targets *t = pointsto(s->pointsto, value);
    bool any = pointsto_is_wild(s->pointsto, value);
    for (size_t o = 0; o < vec_len(s->weak) && any; o++) s->weak[o] = true;
    for (size_t k = 0; k < vec_len(t->list); k++) s->weak[t->list[k].object->index] = true;
}

static void visit_instr(const Search *s, const Instr *i) {
    if (instr_writes_weakly(i)) mark_passed(s, i->value);
    if (instr_reads_weakly(i)) mark_passed(s, i->kind == INSTR_ASSIGN ? i->value : variable_expr((Program *)s->program, i->target));
}

bool *published_relaxed(const Program *p, PointsTo *pointsto) {
    Search s = {p, pointsto, NULL};
    vec_resize(s.weak, vec_len(p->objects));
    program_each_instr(const Instr, instr, p) visit_instr(&s, instr);
    return s.weak;
}
