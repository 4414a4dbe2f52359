/* SPDX-License-Identifier: Apache-2.0 */
/* Builds programs. Structs and strings live in the program's arena and pool. The length of vecs changes, so they live on the heap until
   program_free. */
#include "ir/internal.h"
#include "ir/layout.h"
#include <string.h>

Program *program_new(unsigned pointer_width) {
    ensure(pointer_width == 32 || pointer_width == 64);
    Arena *arena = arena_new();
    Program *p = arena_new_of(arena, Program);
    p->arena = arena;
    p->exprs = exprs_new();
    p->pointer_width = pointer_width;
    p->skew = LAYOUT_SKEW;
    return p;
}

void template_release(Template *t) {
    for (size_t i = 0; i < vec_len(t->locations); i++) vec_free(t->locations[i].out);
    for (size_t i = 0; i < vec_len(t->actions); i++) vec_free(t->actions[i].instrs);
    vec_free(t->locations);
    vec_free(t->actions);
    vec_free(t->locals);
    vec_free(t->parameters);
    vec_free(t->results);
}

void program_free(Program *p) {
    if (!p) return;
    for (size_t i = 0; i < vec_len(p->templates); i++) template_release(p->templates[i]);
    for (size_t i = 0; i < vec_len(p->procedures); i++) template_release(p->procedures[i]);
    vec_free(p->templates);
    vec_free(p->procedures);
    vec_free(p->globals);
    vec_free(p->objects);
    vec_free(p->approximations);
    exprs_free(p->exprs);
    arena_free(p->arena);
}

static Position position_in(Program *p, Position position) {
    if (position.file) position.file = exprs_intern(p->exprs, position.file);
    return position;
}

static Variable *variable_new(Program *p, const char *name, const Sort *sort) {
    ensure(name && sort);
    Variable *v = arena_new_of(p->arena, Variable);
    Symbol *s = symbol_new(p->exprs, SYM_VARIABLE, name, sort);
    s->user = v;
    v->symbol = s;
    v->name = exprs_intern(p->exprs, name);
    v->sort = sort;
    return v;
}

Variable *program_global(Program *p, const char *name, const Sort *sort, const Expr *init) {
    Variable *v = variable_new(p, name, sort);
    v->global = true;
    v->init = init;
    v->index = (unsigned)vec_len(p->globals);
    vec_push(p->globals, v);
    return v;
}

Variable *template_local(Program *p, Template *t, const char *name, const Sort *sort) {
    ensure(program_body(p, t->index) == t);
    Variable *v = variable_new(p, name, sort);
    v->template_ = t->index;
    v->index = (unsigned)vec_len(t->locals);
    vec_push(t->locals, v);
    return v;
}

Object *program_object(Program *p, ObjectKind kind, const char *name, uint64_t size) {
    ensure(name);
    Object *o = arena_new_of(p->arena, Object);
    Symbol *s = symbol_new(p->exprs, SYM_ADDRESS, name, sort_bv(p->exprs, p->pointer_width));
    s->user = o;
    o->kind = kind;
    o->symbol = s;
    o->name = exprs_intern(p->exprs, name);
    o->size = size;
    o->index = (unsigned)vec_len(p->objects);
    vec_push(p->objects, o);
    return o;
}

static bool is_taken(Template *const *list, const char *name) {
    for (size_t i = 0; i < vec_len(list); i++)
        if (!strcmp(list[i]->name, name)) return true;
    return false;
}

static Template *body_new(Program *p, Template *const *list, const char *name) {
    ensure(name);
    Template *t = arena_new_of(p->arena, Template);
    const char *unique = name;
    for (unsigned n = 2; is_taken(list, unique); n++) unique = arena_printf(p->arena, "%s#%u", name, n);
    t->name = exprs_intern(p->exprs, unique);
    return t;
}

Template *template_bare(Program *p, const char *name, unsigned count) {
    Template *t = body_new(p, p->templates, name);
    t->index = (unsigned)vec_len(p->templates);
    t->count = count;
    vec_push(p->templates, t);
    return t;
}

Template *program_procedure(Program *p, const char *name) {
    Template *t = body_new(p, p->procedures, name);
    t->index = PROCEDURE | (unsigned)vec_len(p->procedures);
    vec_push(p->procedures, t);
    return t;
}

Template *program_body(const Program *p, unsigned index) {
    Template *const *list = index & PROCEDURE ? p->procedures : p->templates;
    unsigned i = index & ~(unsigned)PROCEDURE;
    return i < vec_len(list) ? list[i] : NULL;
}

static Variable *special_local(Program *p, Template *t, const char *name, unsigned width) {
    Variable *v = template_local(p, t, name, sort_bv(p->exprs, width));
    v->temporary = true;
    return v;
}

void template_complete(Program *p, Template *t) {
    if (!t->self) t->self = special_local(p, t, "self", 32);
    if (t->index == 0) return;
    if (!t->argument) t->argument = special_local(p, t, "argument", p->pointer_width);
    if (!t->result) t->result = special_local(p, t, "result", p->pointer_width);
}

Template *program_template(Program *p, const char *name, unsigned count) {
    Template *t = template_bare(p, name, count);
    template_complete(p, t);
    return t;
}

Variable *procedure_parameter(Program *p, Template *t, const char *name, const Sort *sort) {
    ensure(vec_len(t->locals) == vec_len(t->parameters));
    Variable *v = template_local(p, t, name, sort);
    vec_push(t->parameters, v);
    return v;
}

Variable *procedure_result(Program *p, Template *t, const char *name, const Sort *sort) {
    ensure(vec_len(t->locals) == vec_len(t->parameters) + vec_len(t->results));
    Variable *v = template_local(p, t, name, sort);
    vec_push(t->results, v);
    return v;
}

unsigned program_approximation(Program *p, ApproximationKind kind, Position position, const char *text) {
    ensure(text);
    Approximation a = {.kind = kind, .text = exprs_intern(p->exprs, text), .position = position_in(p, position)};
    vec_push(p->approximations, a);
    return (unsigned)vec_len(p->approximations) - 1;
}

unsigned template_location(Program *p, Template *t, LocationKind kind, Position position) {
    ensure(program_body(p, t->index) == t);
    unsigned index = (unsigned)vec_len(t->locations);
    Location l = {.index = index, .kind = kind, .approximation = NO_APPROXIMATION, .position = position_in(p, position)};
    vec_push(t->locations, l);
    return index;
}

Action *template_action(Program *p, Template *t, unsigned source, unsigned target, const Expr *guard, Position position) {
    unsigned index = (unsigned)vec_len(t->actions);
    Action a = {.index = index,
                .source = source,
                .target = target,
                .guard = guard ? guard : expr_bool(p->exprs, true),
                .approximation = NO_APPROXIMATION,
                .position = position_in(p, position)};
    ensure(source < vec_len(t->locations) && target < vec_len(t->locations));
    ensure(!guard || expr_is_formula(guard));
    vec_push(t->actions, a);
    vec_push(t->locations[source].out, index);
    return &t->actions[index];
}

Instr *action_instr(Action *a, InstrKind kind, Position position) {
    Instr i = {.kind = kind, .position = position};
    vec_push(a->instrs, i);
    return &vec_last(a->instrs);
}

const CallParts *call_new(Program *p, unsigned narguments, const Expr *const *arguments, unsigned nresults, Variable *const *results) {
    CallParts *c = arena_new_of(p->arena, CallParts);
    c->narguments = narguments;
    c->nresults = nresults;
    c->arguments = arena_copy(p->arena, arguments, narguments * sizeof *arguments);
    c->results = arena_copy(p->arena, results, nresults * sizeof *results);
    return c;
}

void variable_set_signed(Program *p, Variable *v, bool is_signed) {
    v->is_signed = is_signed;
    symbol_find(p->exprs, v->symbol->name)->sign = is_signed ? 1 : -1;
}

const Expr *variable_expr(Program *p, const Variable *v) { return expr_symbol(p->exprs, v->symbol); }

const Expr *object_address(Program *p, const Object *o) { return expr_symbol(p->exprs, o->symbol); }

/* ---- loop heads ---- */

void template_mark_loops(Template *t) {
    enum { NEW, OPEN, DONE };
    unsigned *stack = NULL, *next = NULL;
    uint8_t *state = NULL;
    ensure(t->entry < vec_len(t->locations));
    vec_resize(state, vec_len(t->locations));
    for (size_t i = 0; i < vec_len(t->locations); i++) t->locations[i].loop_head = false;
    vec_push(stack, t->entry);
    vec_push(next, 0);
    state[t->entry] = OPEN;
    while (vec_len(stack)) {
        const Location *at = &t->locations[vec_last(stack)];
        unsigned k = vec_last(next)++;
        if (k >= vec_len(at->out)) {
            state[vec_pop(stack)] = DONE;
            (void)vec_pop(next);
            continue;
        }
        unsigned to = t->actions[at->out[k]].target;
        if (state[to] == OPEN) t->locations[to].loop_head = true;
        if (state[to] != NEW) continue;
        state[to] = OPEN;
        vec_push(stack, to);
        vec_push(next, 0);
    }
    vec_free(stack);
    vec_free(next);
    vec_free(state);
}
