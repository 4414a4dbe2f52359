/* SPDX-License-Identifier: Apache-2.0 */
/* Pointers that were never initialised. An access through one faults with the value that was chosen for it, often null; but that is not what is wrong with it. */
#include "explain/teller.h"

static uint64_t bare_key(const Variable *v, unsigned thread) { return hash_word(map_key(v)) + thread; }

static bool is_bare(const Teller *t, const Variable *v, unsigned thread) {
    uint64_t bare = 0;
    return map_get(t->bare, bare_key(v, thread), &bare) && bare;
}

/* Of what a load puts into its target nothing was written. */
static bool loads_nothing(const ReplayStep *s, const Instr *load) {
    for (size_t i = 0; i < s->naccesses; i++) {
        const Access *a = &s->accesses[i];
        if (a->instr == load && a->kind == ACCESS_READ && (a->chosen || a->undefined)) return true;
    }
    return false;
}

void note_bare(Teller *t, const ReplayStep *s, const Instr *until) {
    for (size_t i = 0; i < vec_len(s->action->instrs) && &s->action->instrs[i] != until; i++) {
        const Instr *x = &s->action->instrs[i];
        const Variable *v = instr_written(x), *from = x->kind == INSTR_ASSIGN ? expr_variable(x->value) : NULL;
        if (!v || v->global) continue;
        bool bare = (x->kind == INSTR_HAVOC && x->undefined) || (from && is_bare(t, from, s->thread)) ||
                    (x->kind == INSTR_LOAD && loads_nothing(s, x));
        map_put(t->bare, bare_key(v, s->thread), bare);
    }
}

/* The variable that the address is computed from, if it is bare. */
static const Variable *bare_base(const Teller *t, const Expr *address, unsigned thread) {
    const Variable *v = expr_variable(address);
    if (v) return is_bare(t, v, thread) ? v : NULL;
    for (unsigned i = 0; i < address->nargs && address->op == OP_ADD; i++)
        if ((v = bare_base(t, address->args[i], thread))) return v;
    return NULL;
}

void tell_bare(Teller *t, const ReplayStep *s) {
    const Instr *x = s->fault->instr;
    Fault f = s->fault->fault;
    bool memory = f == FAULT_NULL || f == FAULT_BOUNDS || f == FAULT_FREED || f == FAULT_SCOPE || f == FAULT_READONLY || f == FAULT_FREE ||
                  f == FAULT_TWICE;
    if (!memory || !x || !x->address) return;
    note_bare(t, s, x);
    const Variable *v = bare_base(t, x->address, s->thread);
    if (!v) return;
    Buf out = {0};
    buf_text(&out, x->kind == INSTR_FREE ? "free of a pointer that was never initialised"
                                         : "access through a pointer that was never initialised");
    if (!v->temporary) buf_printf(&out, ": %s", v->name);
    t->story->error = kept(t, &out);
}
