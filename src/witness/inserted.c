/* SPDX-License-Identifier: Apache-2.0 */
#include "witness/instrument.h"
#include "base/file.h"
#include <string.h>

static bool is_line(const Inserted *i, const Position *p) {
    return p->file && i->line == p->line && !strcmp(base_name(i->file), base_name(p->file));
}

bool inserted_has(const void *inserted, Position p) {
    const Inserted *list = inserted;
    for (size_t i = 0; i < vec_len(list); i++)
        if (is_line(&list[i], &p) && p.column >= list[i].column && p.column < list[i].column + list[i].length) return true;
    return false;
}

/* ---- only expressions ---- */

/* Returns whether a call in the inserted text leads to the position. */
static bool is_called(const Inserted *list, const Position *p) {
    for (const Activation *a = p->in; a; a = a->from.in)
        if (!a->library && inserted_has(list, a->from)) return true;
    return false;
}

static bool is_ghost(const Witness *w, const char *name) {
    for (size_t i = 0; i < vec_len(w->ghosts); i++)
        if (!strcmp(w->ghosts[i].name, name)) return true;
    return !strcmp(name, INVARIANT_VARIABLE);
}

static bool is_expression(const Witness *w, const Instr *i) {
    const Object *o = i->address ? address_base(i->address) : NULL;
    switch (i->kind) {
    case INSTR_ASSIGN: return i->target->temporary || is_ghost(w, i->target->name);
    case INSTR_STORE: return o && is_ghost(w, o->name);
    case INSTR_HAVOC:
    case INSTR_LOAD:
    case INSTR_ALIVE:
    case INSTR_DEAD: return true;
    default: return false;
    }
}

static bool is_action_good(const Action *a, const Inserted *list, const Witness *w) {
    if (is_called(list, &a->position)) return false;
    for (size_t i = 0; i < vec_len(a->instrs); i++) {
        const Position *at = a->instrs[i].position.file ? &a->instrs[i].position : &a->position;
        if (is_called(list, at) || (inserted_has(list, *at) && !is_expression(w, &a->instrs[i]))) return false;
    }
    return true;
}

bool inserted_is_expressions(const Program *p, const Inserted *list, const Witness *w) {
    program_each_action(const Action, action, p)
        if (!is_action_good(action, list, w)) return false;
    return true;
}

/* ---- columns ---- */

static void forget(Position *p, const Inserted *list) {
    unsigned column = p->column;
    for (size_t i = 0; i < vec_len(list); i++) {
        if (!is_line(&list[i], p) || p->column < list[i].column) continue;
        unsigned behind = p->column - list[i].column;
        column -= behind < list[i].length ? behind : list[i].length;
    }
    p->column = column;
}

void inserted_forget(Program *p, const Inserted *list) {
    vec_each(Template *, t, p->templates) {
        for (size_t k = 0; k < vec_len(t->locations); k++) forget(&t->locations[k].position, list);
        for (size_t k = 0; k < vec_len(t->actions); k++) {
            forget(&t->actions[k].position, list);
            for (size_t n = 0; n < vec_len(t->actions[k].instrs); n++) forget(&t->actions[k].instrs[n].position, list);
        }
    }
    for (size_t i = 0; i < vec_len(p->approximations); i++) forget(&p->approximations[i].position, list);
}
