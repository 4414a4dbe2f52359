/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the locals that may hold undefined bytes, and so need a mask of these bytes.

   An undefined byte gets its value at its first read, and keeps it. So its value may stay open only while the byte is in one place. `y
   := x` and `store [a] := x` pass undefined bytes on if x is not read again (a move). If it is, they read x. A LOAD leaves its bytes in
   memory, so it reads them, with one exception: a LOAD into a conduit. A conduit is a local whose value is only moved on, in the end to
   memory. Then undefined bytes are in two places, as after COPY, and may get different values, which the program does not allow.
   origins.c detects this. */
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
    if (i->kind == INSTR_STORE && v->sort->width % 8) return NULL; /* the other bits of the last byte are 0, not undefined */
    Mention m = {.variable = v};
    if (i->address) meet_expression(&m, i->address);
    return m.found || needed_behind(t->live, a, k, v) ? NULL : v;
}

/* ---- locals ---- */

static void unmark_conduit(void *context, const Symbol *s) {
    CompiledTemplate *t = context;
    const Variable *v = s->kind == SYM_VARIABLE ? s->user : NULL;
    if (v && !v->global) t->conduit[v->index] = false;
}

static void unmark_conduits(void *context, const Expr *e) { expr_each_symbol(e, unmark_conduit, context); }

typedef struct Move {
    unsigned from, to;
} Move;

/* Returns true if the local may have a mask. Results may not, since other threads read them. */
static bool may_have_mask(const Template *t, const Variable *v) { return !v->global && v != t->self && v != t->result; }

/* Unmarks locals that the action uses in another way than a conduit, and collects moves. At first every local is marked as a conduit. */
static void scan_action(CompiledTemplate *t, const Action *a, Move **moves) {
    unmark_conduits(t, a->guard);
    for (size_t k = 0; k < vec_len(a->instrs); k++) {
        const Instr *i = &a->instrs[k];
        const Variable *moved = undefined_moved(t, a, k);
        if (!moved) {
            instr_expressions(i, unmark_conduits, t);
        } else if (i->kind == INSTR_STORE) {
            unmark_conduits(t, i->address);
        } else if (may_have_mask(t->template_, i->target)) {
            Move m = {moved->index, i->target->index};
            vec_push(*moves, m);
        } else {
            t->conduit[moved->index] = false;
        }
        if (i->cell && !i->cell->global) t->conduit[i->cell->index] = false;
    }
}

static void propagate_conduits(CompiledTemplate *t, const Move *moves) {
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

/* Returns true if a load from the address may find undefined bytes. LOCAL objects can be undefined in any program, other objects only if
   undefined bytes are copied. */
static bool may_find_undefined(const Machine *m, const Expr *address) {
    const Object *base = address_base(address);
    return base && base->kind == OBJECT_LOCAL ? true : m->copies && !(base && base->readonly);
}

/* Returns true if instruction k gives its target undefined bytes. A load into a local that is dead afterwards does not read them,
   either. */
static bool begins_undefined(const Machine *m, const CompiledTemplate *t, const Action *a, size_t k) {
    const Instr *i = &a->instrs[k];
    if (i->kind == INSTR_HAVOC) return i->undefined && may_have_mask(t->template_, i->target);
    if (i->kind != INSTR_LOAD || i->target->global || !t->conduit[i->target->index]) return false;
    return may_find_undefined(m, i->address) || !needed_behind(t->live, a, k, i->target);
}

static void propagate_undefined(const Machine *m, CompiledTemplate *t, const Move *moves) {
    vec_each_at(const Action, action, t->template_->actions)
        for (size_t i = 0; i < vec_len(action->instrs); i++)
            if (begins_undefined(m, t, action, i)) t->undefined[action->instrs[i].target->index] = true;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < vec_len(moves); i++)
            if (t->undefined[moves[i].from] && !t->undefined[moves[i].to]) t->undefined[moves[i].to] = changed = true;
    }
}

/* Returns true if an undefined local is moved to memory outside of local objects. */
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
        for (size_t a = 0; a < vec_len(template_->actions); a++) scan_action(t, &template_->actions[a], &moves[i]);
        propagate_conduits(t, moves[i]);
    }
    for (bool before = !m->copies; before != m->copies;) {
        before = m->copies;
        for (size_t i = 0; i < vec_len(m->templates); i++) {
            propagate_undefined(m, &m->templates[i], moves[i]);
            m->copies |= stores_undefined(&m->templates[i]);
        }
    }
    vec_free_rows(moves);
}
