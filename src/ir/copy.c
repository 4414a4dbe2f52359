/* SPDX-License-Identifier: Apache-2.0 */
/* Copies programs by their text, and clones templates by substituting their locals and objects. */
#include "ir/copy.h"
#include "ir/fields.h"
#include "ir/internal.h"

/* ---- a template, within its program ---- */

static const Expr *image(void *context, const Expr *e) {
    Renaming *r = context;
    const Variable *v = expr_variable(e);
    if (v) return v->global ? NULL : variable_expr(r->program, r->locals[v->index]);
    const Symbol *s = map_find(r->symbols, e->symbol);
    return s ? expr_symbol(r->program->exprs, s) : NULL;
}

static const Expr *renamed_expr(Renaming *r, const Expr *e) { return e ? expr_substitute(r->program->exprs, e, image, r) : NULL; }

static Variable *renamed_variable(Renaming *r, Variable *v) { return v && !v->global ? r->locals[v->index] : v; }

static Instr renamed_instr(Renaming *r, const Instr *i) {
    Instr n = *i;
    Object *o = i->object ? map_find(r->objects, i->object) : NULL;
    n.target = renamed_variable(r, i->target);
    n.cell = renamed_variable(r, i->cell);
    n.address = renamed_expr(r, i->address);
    n.value = renamed_expr(r, i->value);
    n.size = renamed_expr(r, i->size);
    if (o) n.object = o;
    return n;
}

Variable *variable_clone(Program *p, Template *t, const Variable *v) {
    Variable *n = template_local(p, t, v->name, v->sort);
    fields_copy(variable_fields, n, v);
    variable_set_signed(p, n, v->is_signed);
    return n;
}

Object *object_clone(Program *p, const Template *t, const Object *o) {
    Object *c = program_object(p, o->kind, o->name, o->size);
    fields_copy(object_fields, c, o);
    if (object_is_in_template(c)) c->template_ = t->index;
    return c;
}

static void clone_object(Program *p, const Object *o, const Template *n, Renaming *r) {
    Object *c = object_clone(p, n, o);
    map_set(r->symbols, o->symbol, c->symbol);
    map_set(r->objects, o, c);
}

/* Clones local objects and allocation sites, so that analyses distinguish the memory that different threads allocate. */
static void clone_objects(Program *p, const Template *t, const Template *n, Renaming *r) {
    for (size_t i = 0, count = vec_len(p->objects); i < count; i++)
        if (p->objects[i]->kind == OBJECT_LOCAL && p->objects[i]->template_ == t->index) clone_object(p, p->objects[i], n, r);
    for (size_t a = 0; a < vec_len(t->actions); a++)
        vec_each_at(const Instr, in, t->actions[a].instrs)
            if (in->kind == INSTR_ALLOC && !map_find(r->objects, in->object)) clone_object(p, in->object, n, r);
}

static void clone_code(Program *p, const Template *t, Template *n, Renaming *r) {
    vec_each(Location, l, t->locations) {
        l.out = NULL;
        vec_push(n->locations, l);
    }
    vec_each_at(const Action, a, t->actions) {
        Action *b = template_action(p, n, a->source, a->target, renamed_expr(r, a->guard), a->position);
        fields_copy(action_fields, b, a);
        for (size_t k = 0; k < vec_len(a->instrs); k++) vec_push(b->instrs, renamed_instr(r, &a->instrs[k]));
    }
    n->entry = t->entry;
}

Template *template_clone(Program *p, const Template *t, unsigned count) {
    Template *n = template_bare(p, t->name, count);
    Renaming r = {.program = p, .symbols = map_new(), .objects = map_new()};
    for (size_t i = 0; i < vec_len(t->locals); i++) vec_push(r.locals, variable_clone(p, n, t->locals[i]));
    n->self = r.locals[t->self->index];
    n->argument = t->argument ? r.locals[t->argument->index] : NULL;
    n->result = t->result ? r.locals[t->result->index] : NULL;
    clone_objects(p, t, n, &r);
    clone_code(p, t, n, &r);
    map_free(r.symbols);
    map_free(r.objects);
    vec_free(r.locals);
    return n;
}

/* ---- a whole program, into a pool of its own ---- */

/* Copies by printing and parsing, so that doc/ir.md alone defines the parts of a program. */
Program *program_copy(const Program *p) {
    Buf text = {0}, error = {0};
    program_print(&text, p);
    Program *copy = program_parse("copy", buf_string(&text), &error);
    if (!copy) die("a program's own text is refused: %s", buf_string(&error));
    ensure(program_equal(p, copy));
    buf_free(&text);
    buf_free(&error);
    return copy;
}

static void place(Position *to, const Position *from) {
    to->in = from->in;
    to->origin = from->origin;
    to->sequence = from->sequence;
}

static void place_template(Template *to, const Template *from) {
    for (size_t l = 0; l < vec_len(from->locations); l++) place(&to->locations[l].position, &from->locations[l].position);
    for (size_t a = 0; a < vec_len(from->actions); a++) {
        const Action *x = &from->actions[a];
        place(&to->actions[a].position, &x->position);
        for (size_t i = 0; i < vec_len(x->instrs); i++) place(&to->actions[a].instrs[i].position, &x->instrs[i].position);
    }
}

Program *program_copy_placed(const Program *p) {
    Program *copy = program_copy(p);
    for (size_t i = 0; i < vec_len(p->approximations); i++) place(&copy->approximations[i].position, &p->approximations[i].position);
    for (size_t t = 0; t < vec_len(p->templates); t++) place_template(copy->templates[t], p->templates[t]);
    for (size_t t = 0; t < vec_len(p->procedures); t++) place_template(copy->procedures[t], p->procedures[t]);
    return copy;
}
