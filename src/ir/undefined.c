/* SPDX-License-Identifier: Apache-2.0 */
/* Which locals may hold undefined bytes, so that they need a mask that says which.

   An undefined byte gets its value when it is read, and keeps it. So its value may be left open only as long as it is
   in one place: `y := x` and `store [a] := x` take undefined bytes along if x is not read again (a move); otherwise
   x is read there. A LOAD leaves its bytes behind in memory, so it reads them. The exception is what COPY does too, where
   undefined bytes become undefined bytes in a second place: a LOAD into a local whose value is only ever moved on until it is in
   memory again (a conduit), if ever. The two places are then more than the program has: origins.c tells. */
#include "ir/internal.h"
#include "ir/live.h"
#include "ir/machine.h"

/* ---- moves ---- */

typedef struct Mention {
    const Variable *variable;
    bool found;
} Mention;

static void meet_symbol(void *context, const Symbol *s) {
    Mention *m = context;
    m->found |= s == m->variable->symbol;
}

static void meet_expression(void *context, const Expr *e) { expr_each_symbol(e, meet_symbol, context); }

static bool reads(const Instr *i, const Variable *v) {
    Mention m = {.variable = v};
    instr_expressions(i, meet_expression, &m);
    return m.found || i->cell == v;
}

static bool needed_behind(const Liveness *live, const Action *a, size_t k, const Variable *v) {
    for (size_t i = k + 1; i < vec_len(a->instrs); i++) {
        if (reads(&a->instrs[i], v)) return true;
        if (a->instrs[i].target == v) return false;
    }
    return live_at(live, a->target, v);
}

const Variable *undefined_moved(const CompiledTemplate *t, const Action *a, size_t k) {
    const Instr *i = &a->instrs[k];
    if (i->kind != INSTR_ASSIGN && i->kind != INSTR_STORE) return NULL;
    const Variable *v = expr_variable(i->value);
    if (!v || v->global || i->target == v) return NULL;
    if (i->kind == INSTR_STORE && v->sort->width % 8) return NULL; /* the rest of the byte is 0, not undefined */
    Mention m = {.variable = v};
    if (i->address) meet_expression(&m, i->address);
    return m.found || needed_behind(t->live, a, k, v) ? NULL : v;
}

/* ---- locals ---- */

static void no_conduit(void *context, const Symbol *s) {
    CompiledTemplate *t = context;
    const Variable *v = s->kind == SYM_VARIABLE ? s->user : NULL;
    if (v && !v->global) t->conduit[v->index] = false;
}

static void no_conduits(void *context, const Expr *e) { expr_each_symbol(e, no_conduit, context); }

typedef struct Move {
    unsigned from, to;
} Move;

/* Other threads look at results. */
static bool may_have_mask(const Template *t, const Variable *v) { return !v->global && v != t->self && v != t->result; }

/* Begins with every local a conduit, and finds those that are not. */
static void look_at_action(CompiledTemplate *t, const Action *a, Move **moves) {
    no_conduits(t, a->guard);
    for (size_t k = 0; k < vec_len(a->instrs); k++) {
        const Instr *i = &a->instrs[k];
        const Variable *moved = undefined_moved(t, a, k);
        if (!moved) {
            instr_expressions(i, no_conduits, t);
        } else if (i->kind == INSTR_STORE) {
            no_conduits(t, i->address);
        } else if (may_have_mask(t->template_, i->target)) {
            Move m = {moved->index, i->target->index};
            vec_push(*moves, m);
        } else {
            t->conduit[moved->index] = false;
        }
        if (i->cell && !i->cell->global) t->conduit[i->cell->index] = false;
    }
}

static void settle_conduits(CompiledTemplate *t, const Move *moves) {
    const Template *template_ = t->template_;
    t->conduit[template_->self->index] = false;
    if (template_->argument) t->conduit[template_->argument->index] = false;
    if (template_->result) t->conduit[template_->result->index] = false;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < vec_len(moves); i++)
            if (t->conduit[moves[i].from] && !t->conduit[moves[i].to]) {
                t->conduit[moves[i].from] = false;
                changed = true;
            }
    }
}

/* Objects of LOCAL kind can be undefined in any program, others where undefined bytes are copied about. */
static bool may_find_undefined(const Machine *m, const Expr *address) {
    const Object *base = address_base(address);
    return base && base->kind == OBJECT_LOCAL ? true : m->copies && !(base && base->readonly);
}

/* What is loaded for nobody is not read either, wherever it is. */
static bool begins_undefined(const Machine *m, const CompiledTemplate *t, const Action *a, size_t k) {
    const Instr *i = &a->instrs[k];
    if (i->kind == INSTR_HAVOC) return i->undefined && may_have_mask(t->template_, i->target);
    if (i->kind != INSTR_LOAD || i->target->global || !t->conduit[i->target->index]) return false;
    return may_find_undefined(m, i->address) || !needed_behind(t->live, a, k, i->target);
}

static void spread(const Machine *m, CompiledTemplate *t, const Move *moves) {
    vec_each_at(const Action, action, t->template_->actions)
        for (size_t i = 0; i < vec_len(action->instrs); i++)
            if (begins_undefined(m, t, action, i)) t->undefined[action->instrs[i].target->index] = true;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < vec_len(moves); i++)
            if (t->undefined[moves[i].from] && !t->undefined[moves[i].to]) t->undefined[moves[i].to] = changed = true;
    }
}

/* Is an undefined local moved to memory that is not a local object? */
static bool stores_undefined(const CompiledTemplate *t) {
    vec_each_at(const Action, action, t->template_->actions)
        for (size_t k = 0; k < vec_len(action->instrs); k++) {
            const Instr *i = &action->instrs[k];
            const Variable *v = i->kind == INSTR_STORE ? expr_variable(i->value) : NULL;
            if (!v || v->global || !t->undefined[v->index] || !undefined_moved(t, action, k)) continue;
            const Object *base = address_base(i->address);
            if (!base || base->kind != OBJECT_LOCAL) return true;
        }
    return false;
}

void undefined_find(Machine *m) {
    Move **moves = NULL;
    vec_resize(moves, vec_len(m->templates));
    for (size_t i = 0; i < vec_len(m->templates); i++) {
        CompiledTemplate *t = &m->templates[i];
        const Template *template_ = t->template_;
        vec_resize(t->conduit, vec_len(template_->locals));
        vec_resize(t->undefined, vec_len(template_->locals));
        for (size_t v = 0; v < vec_len(t->conduit); v++) t->conduit[v] = true;
        for (size_t a = 0; a < vec_len(template_->actions); a++) look_at_action(t, &template_->actions[a], &moves[i]);
        settle_conduits(t, moves[i]);
    }
    for (bool before = !m->copies; before != m->copies;) {
        before = m->copies;
        for (size_t i = 0; i < vec_len(m->templates); i++) {
            spread(m, &m->templates[i], moves[i]);
            m->copies |= stores_undefined(&m->templates[i]);
        }
    }
    vec_free_rows(moves);
}
