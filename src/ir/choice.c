/* SPDX-License-Identifier: Apache-2.0 */
#include "ir/choice.h"

bool action_chooses(const Action *a) {
    for (size_t i = 0; i < vec_len(a->instrs); i++)
        if (a->instrs[i].kind == INSTR_HAVOC) return true;
    return false;
}

bool instr_waits(const Instr *i) { return i->kind == INSTR_LOCK || i->kind == INSTR_JOIN || (i->kind == INSTR_ASSUME && i->waits); }

static void look(void *context, const Expr *e) {
    Affected *f = context;
    for (size_t i = 0; i < vec_len(f->variables); i++) f->found |= expr_mentions(e, f->variables[i]->symbol);
}

bool affected_mentions(Affected *f, const Expr *e) {
    f->found = false;
    look(f, e);
    return f->found;
}

static bool reads_memory(const Instr *i) {
    return i->kind == INSTR_LOAD || i->kind == INSTR_COPY || (!i->cell && (i->kind == INSTR_LOCK || i->kind == INSTR_TRYLOCK));
}

bool affected_follow(Affected *f, const Action *a) {
    for (size_t i = 0; i < vec_len(a->instrs); i++) {
        const Instr *k = &a->instrs[i];
        f->found = k->kind == INSTR_HAVOC || (f->memory && reads_memory(k));
        instr_expressions(k, look, f);
        for (size_t v = 0; k->cell && v < vec_len(f->variables); v++) f->found |= f->variables[v] == k->cell;
        if (!f->found) continue;
        if (instr_waits(k)) return true;
        f->memory |= !k->target;
        if (k->target) vec_push(f->variables, k->target);
        if (k->cell) vec_push(f->variables, k->cell);
    }
    return false;
}

void affected_free(Affected *f) { vec_free(f->variables); }
