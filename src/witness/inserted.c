/* SPDX-License-Identifier: Apache-2.0 */
#include "witness/instrument.h"
#include "base/file.h"
#include <string.h>

bool inserted_same_file(const Inserted *i, const Position *p) { return p->file && !strcmp(base_name(i->file), base_name(p->file)); }

static bool is_line(const Inserted *i, const Position *p) { return i->line == p->line && inserted_same_file(i, p); }

const Inserted *inserted_at(const Inserted *list, Position p) {
    vec_each_at(const Inserted, i, list)
        if (is_line(i, &p) && p.column >= i->column && p.column < i->column + i->length) return i;
    return NULL;
}

bool inserted_has(const void *inserted, Position p) { return inserted_at(inserted, p) != NULL; }

/* ---- only expressions ---- */

/* Returns whether a call in the inserted text leads to the position. */
static bool is_called(const Inserted *list, const Position *p) {
    for (const Activation *a = p->in; a; a = a->from.in)
        if (!a->library && inserted_has(list, a->from)) return true;
    return false;
}

static bool is_ghost(const char *name) { return !strncmp(name, GHOST_PREFIX, strlen(GHOST_PREFIX)); }

static bool is_expression(const Instr *i) {
    const Object *o = i->address ? address_base(i->address) : NULL;
    switch (i->kind) {
    case INSTR_ASSIGN: return i->target->temporary || is_ghost(i->target->name) || !strcmp(i->target->name, INVARIANT_VARIABLE);
    case INSTR_STORE: return o && (is_ghost(o->name) || !strcmp(o->name, INVARIANT_VARIABLE));
    case INSTR_HAVOC:
    case INSTR_LOAD:
    case INSTR_ALIVE:
    case INSTR_DEAD: return true;
    default: return false;
    }
}

static bool is_action_good(const Action *a, const Inserted *list) {
    if (is_called(list, &a->position)) return false;
    for (size_t i = 0; i < vec_len(a->instrs); i++) {
        const Position *at = a->instrs[i].position.file ? &a->instrs[i].position : &a->position;
        if (is_called(list, at) || (inserted_has(list, *at) && !is_expression(&a->instrs[i]))) return false;
    }
    return true;
}

bool inserted_is_expressions(const Program *p, const Inserted *list) {
    program_each_action(const Action, action, p)
        if (!is_action_good(action, list)) return false;
    return true;
}

/* ---- columns and names ---- */

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
    vec_each(Variable *, v, p->globals)
        if (is_ghost(v->name)) v->name = exprs_intern(p->exprs, v->name + strlen(GHOST_PREFIX));
    vec_each(Object *, o, p->objects)
        if (is_ghost(o->name)) o->name = exprs_intern(p->exprs, o->name + strlen(GHOST_PREFIX));
    for (size_t i = 0; i < vec_len(p->approximations); i++) forget(&p->approximations[i].position, list);
}
