/* SPDX-License-Identifier: Apache-2.0 */
/* Checks that programs are well-formed: every rule of doc/ir.md, section "Well-formedness". The check runs after every pass, in every
   build. So it takes linear time: it visits each expression once per template, and liveness analysis decides the reads of locals. The
   first violation ends it. */
#include "ir/check.h"
#include "base/map.h"
#include "ir/effects.h"
#include "ir/internal.h"
#include "ir/layout.h"
#include "ir/live.h"
#include "ir/messages.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- complaints ---- */

const char *body_word(const Template *t) { return template_is_procedure(t) ? "procedure" : "thread"; }

static Position position_of(const Checker *c) {
    if (c->instr && c->instr->position.file) return c->instr->position;
    if (c->action && c->action->position.file) return c->action->position;
    return c->location ? c->location->position : (Position){0};
}

bool check_fail(Checker *c, const char *rule, const char *format, ...) {
    char message[400];
    va_list list;
    va_start(list, format);
    vsnprintf(message, sizeof message, format, list);
    va_end(list);
    Buf *out = c->complaint;
    Position at = position_of(c);
    if (at.file) buf_printf(out, "%s:%u:%u: ", at.file, at.line, at.column);
    if (c->template_) buf_printf(out, "%s %s: ", body_word(c->template_), c->template_->name);
    if (c->location) buf_printf(out, "location l%u: ", c->location->index);
    if (c->action) buf_printf(out, "action %u to l%u: ", c->action->index, c->action->target);
    if (c->instr && (unsigned)c->instr->kind < INSTR_KINDS)
        buf_printf(out, "instruction %zu (%s): ", (size_t)(c->instr - c->action->instrs) + 1, instr_shapes[c->instr->kind].text);
    buf_printf(out, "[%s] %s", rule, message);
    return false;
}

/* ---- variables ---- */

/* Returns true for an address that is the same for all threads. */
static bool is_static_address(const Expr *e) {
    if (e->op != OP_SYMBOL || e->symbol->kind != SYM_ADDRESS || !e->symbol->user) return false;
    ObjectKind kind = ((const Object *)e->symbol->user)->kind;
    return kind == OBJECT_GLOBAL || kind == OBJECT_FUNCTION;
}

/* Returns true for a constant, an address plus a constant, or an array of these. */
static bool is_initial(const Expr *e) {
    if (expr_is_const(e) || is_static_address(e)) return true;
    if (e->op == OP_ADD || e->op == OP_SUB) {
        const Expr *a = e->args[0], *b = e->args[1];
        if (is_static_address(a) && expr_is_const(b)) return true;
        return e->op == OP_ADD && expr_is_const(a) && is_static_address(b);
    }
    while (e->op == OP_STORE) {
        if (!expr_is_const(e->args[1]) || e->args[2]->op == OP_STORE || !is_initial(e->args[2])) return false;
        e = e->args[0];
    }
    return e->op == OP_CONST_ARRAY && e->args[0]->op != OP_CONST_ARRAY && is_initial(e->args[0]);
}

static bool check_declared(Checker *c, const Variable *v, size_t index, bool global) {
    const Symbol *s = v->symbol;
    if (!v->name || !v->sort || !s) return check_fail(c, "symbols", MSG_IR_BARE, "variable", index);
    if (v->index != index || v->global != global) return check_fail(c, "indices", MSG_IR_INDEX, v->name);
    if (s->kind != SYM_VARIABLE || s->user != v || s->sort != v->sort) return check_fail(c, "symbols", MSG_IR_SYMBOL, v->name);
    return true;
}

static bool check_global(Checker *c, const Variable *v, size_t index) {
    if (!check_declared(c, v, index, true)) return false;
    if (!v->init) return true;
    if (v->init->sort != v->sort) return check_fail(c, "sorts", MSG_IR_INIT_SORT, v->name);
    if (!is_initial(v->init)) return check_fail(c, "initial", MSG_IR_INIT_KIND, v->name);
    return check_expr(c, v->init);
}

static bool check_local(Checker *c, const Variable *v, size_t index) {
    if (!check_declared(c, v, index, false)) return false;
    if (v->template_ != c->template_->index) return check_fail(c, "indices", MSG_IR_INDEX, v->name);
    if (v->init) return check_fail(c, "initial", MSG_IR_LOCAL_INIT, v->name);
    return true;
}

/* ---- objects ---- */

static bool check_relocation(Checker *c, const Object *o, const Relocation *r) {
    unsigned bytes = c->program->pointer_width / 8;
    if (o->size < bytes || r->offset > o->size - bytes) return check_fail(c, "objects", MSG_IR_RELOCATION_OUTSIDE, o->name);
    const Object *target = r->target && r->target->kind == SYM_ADDRESS ? r->target->user : NULL;
    if (!target || target->symbol != r->target) return check_fail(c, "symbols", MSG_IR_RELOCATION_TARGET, o->name);
    if (target->kind != OBJECT_GLOBAL && target->kind != OBJECT_FUNCTION)
        return check_fail(c, "objects", MSG_IR_RELOCATION_VARIES, o->name, target->name);
    return check_object(c, target);
}

static bool check_object_shape(Checker *c, const Object *o) {
    bool initialised = o->kind == OBJECT_GLOBAL || o->kind == OBJECT_THREAD;
    if (!initialised && (o->bytes || o->nrelocations)) return check_fail(c, "objects", MSG_IR_OBJECT_CONTENTS, o->name);
    if ((o->kind == OBJECT_HEAP || o->kind == OBJECT_FUNCTION) && o->size) return check_fail(c, "objects", MSG_IR_OBJECT_SIZE, o->name);
    if (o->stack && o->kind != OBJECT_HEAP) return check_fail(c, "objects", MSG_IR_OBJECT_STACK, o->name);
    if (object_is_in_template(o) && !program_body(c->program, o->template_)) return check_fail(c, "objects", MSG_IR_OWNER, o->name);
    return true;
}

static bool check_declared_object(Checker *c, const Object *o, size_t index) {
    const Symbol *s = o->symbol;
    if (!o->name || !s) return check_fail(c, "symbols", MSG_IR_BARE, "object", index);
    if ((unsigned)o->kind > OBJECT_FUNCTION) return check_fail(c, "objects", MSG_IR_KIND, o->name);
    if (o->index != index) return check_fail(c, "indices", MSG_IR_INDEX, o->name);
    if (s->kind != SYM_ADDRESS || s->user != o) return check_fail(c, "symbols", MSG_IR_SYMBOL, o->name);
    if (s->sort != sort_bv(c->program->exprs, c->program->pointer_width)) return check_fail(c, "sorts", MSG_IR_OBJECT_ADDRESS, o->name);
    if (!check_object_shape(c, o)) return false;
    for (unsigned i = 0; i < o->nrelocations; i++)
        if (!check_relocation(c, o, &o->relocations[i])) return false;
    return true;
}

static bool check_space(Checker *c) {
    Layout *l = layout_new(c->program);
    bool fits = layout_max_threads(l) > 0, near = !(c->program->skew >> layout_granule_bits(l));
    layout_free(l);
    if (!near) return check_fail(c, "space", MSG_IR_SKEW);
    return fits || check_fail(c, "space", MSG_IR_SPACE, c->program->pointer_width);
}

/* ---- control ---- */

static bool check_location(Checker *c, const Location *l, size_t index) {
    const Program *p = c->program;
    if (l->index != index) return check_fail(c, "indices", MSG_IR_INDEX, "the location");
    if ((unsigned)l->kind >= LOCATION_KINDS) return check_fail(c, "locations", MSG_IR_KIND, "the location");
    if (l->kind != LOCATION_PLAIN && vec_len(l->out)) return check_fail(c, "locations", MSG_IR_LOCATION_LEFT);
    if (l->kind == LOCATION_RETURN && (!template_is_procedure(c->template_) || l->atomic || l->loop_head || l->within))
        return check_fail(c, "return", MSG_IR_RETURN_PLACE);
    if (l->kind != LOCATION_STOP)
        return l->approximation == NO_APPROXIMATION || check_fail(c, "approximations", MSG_IR_LOCATION_APPROXIMATION);
    if (l->approximation >= vec_len(p->approximations)) return check_fail(c, "approximations", MSG_IR_STOP_BARE);
    if (p->approximations[l->approximation].kind != APPROX_UNDER && p->approximations[l->approximation].kind != APPROX_UNSUPPORTED)
        return check_fail(c, "approximations", MSG_IR_STOP_KIND, l->approximation);
    return true;
}

/* Checks that each action is listed once, by its source. It suffices to count, since every listed action must name this source. */
static bool check_out(Checker *c, const Location *l, unsigned char *listed) {
    const Template *t = c->template_;
    vec_each(unsigned, a, l->out) {
        if (a >= vec_len(t->actions)) return check_fail(c, "indices", MSG_IR_ACTION_UNKNOWN, a);
        if (listed[a]++) return check_fail(c, "indices", MSG_IR_ACTION_TWICE, a);
        if (t->actions[a].source != l->index) return check_fail(c, "indices", MSG_IR_ACTION_SOURCE, a, t->actions[a].source);
    }
    return true;
}

/* Returns true if the action is never enabled, or another action that is not marked as subsumed has the same source and target. A call leads
   to its callee first. */
static bool is_subsumed(const Template *t, const Action *a) {
    const Location *l = &t->locations[a->source];
    bool found = expr_is_false(a->guard);
    for (size_t i = 0; i < vec_len(l->out) && !found; i++) {
        const Action *other = &t->actions[l->out[i]];
        found = !other->subsumed && other->target == a->target && !action_call(other);
    }
    return found;
}

static bool check_edges(Checker *c, unsigned char *listed) {
    const Template *t = c->template_;
    for (size_t i = 0; i < vec_len(t->locations); i++) {
        c->location = &t->locations[i];
        if (!check_location(c, c->location, i) || !check_out(c, c->location, listed)) return false;
    }
    c->location = NULL;
    for (size_t i = 0; i < vec_len(t->actions); i++) {
        const Action *a = c->action = &t->actions[i];
        if (a->index != i) return check_fail(c, "indices", MSG_IR_INDEX, "the action");
        if (!listed[i]) return check_fail(c, "indices", MSG_IR_ACTION_UNLISTED);
        if (a->target >= vec_len(t->locations)) return check_fail(c, "indices", MSG_IR_ACTION_TARGET);
        if (a->subsumed && !is_subsumed(t, a)) return check_fail(c, "subsumed", MSG_IR_ACTION_SUBSUMED);
    }
    c->action = NULL;
    return true;
}

static bool check_actions(Checker *c) {
    const Template *t = c->template_;
    for (size_t i = 0; i < vec_len(t->actions); i++) {
        c->location = &t->locations[t->actions[i].source];
        if (!check_action(c, &t->actions[i])) return false;
    }
    c->location = NULL;
    return true;
}

/* ---- locals are assigned before they are read ---- */

typedef struct Use {
    const Variable *local;
    bool read;
} Use;

static void note_use(void *context, const Expr *e) {
    Use *u = context;
    u->read |= expr_mentions(e, u->local->symbol);
}

static bool call_assigns(const Instr *i, const Variable *v) {
    for (unsigned k = 0; i->call && k < i->call->nresults; k++)
        if (i->call->results[k] == v) return true;
    return false;
}

/* Returns 1 if the action's first use of the local is a read, -1 if it is a write, 0 if it does not use the local. */
static int first_use(const Action *a, const Variable *v) {
    if (expr_mentions(a->guard, v->symbol)) return 1;
    vec_each_at(const Instr, instr, a->instrs) {
        Use use = {.local = v, .read = instr->cell == v};
        instr_expressions(instr, note_use, &use);
        if (use.read) return 1;
        if (instr_written(instr) == v || call_assigns(instr, v)) return -1;
    }
    return 0;
}

/* Returns an action that reads v on a path from the entry without a write. It exists if v is live at the entry. */
static const Action *find_read(const Template *t, const Variable *v) {
    unsigned char *seen = zeroed(vec_len(t->locations), 1);
    const Action *found = NULL;
    unsigned *queue = NULL;
    vec_push(queue, t->entry);
    seen[t->entry] = 1;
    for (size_t i = 0; i < vec_len(queue) && !found; i++) {
        const Location *l = &t->locations[queue[i]];
        for (size_t j = 0; j < vec_len(l->out) && !found; j++) {
            const Action *a = &t->actions[l->out[j]];
            int use = first_use(a, v);
            if (use > 0) found = a;
            if (use || seen[a->target]) continue;
            seen[a->target] = 1;
            vec_push(queue, a->target);
        }
    }
    vec_free(queue);
    free(seen);
    return found;
}

/* Returns true if some actions are for some properties only. Not all their combinations are paths of a program, so the check waits for
   `focus`. */
static bool is_for_some(const Template *t) {
    for (size_t i = 0; i < vec_len(t->actions); i++)
        if (t->actions[i].properties) return true;
    return false;
}

static bool check_assigned(Checker *c) {
    const Template *t = c->template_;
    Liveness *live = live_new(c->program, t);
    size_t n;
    const unsigned *list = live_list(live, t->entry, &n);
    const Variable *bad = NULL;
    for (size_t i = 0; i < n && !bad; i++) {
        const Variable *v = t->locals[list[i]];
        if (v != t->self && v != t->argument && v != t->result && v->index >= vec_len(t->parameters)) bad = v;
    }
    live_free(live);
    if (!bad || is_for_some(t)) return true;
    c->action = find_read(t, bad);
    if (c->action) c->location = &t->locations[c->action->source];
    if (!c->action) return check_fail(c, "assigned", MSG_IR_RESULT_UNASSIGNED, bad->symbol->name);
    return check_fail(c, "assigned", MSG_IR_LOCAL_UNASSIGNED, bad->symbol->name);
}

/* ---- threads ---- */

static bool check_special(Checker *c, const char *what, const Variable *v, unsigned width) {
    if (!v) return check_fail(c, "threads", MSG_IR_ROLE_MISSING, what);
    if (v->sort != sort_bv(c->program->exprs, width)) return check_fail(c, "sorts", MSG_IR_ROLE_SORT, what, width);
    return check_variable(c, v);
}

static bool check_specials(Checker *c) {
    const Template *t = c->template_;
    unsigned width = c->program->pointer_width;
    if (template_is_procedure(t)) {
        if (t->argument || t->result) return check_fail(c, "threads", MSG_IR_PROCEDURE_ROLES);
        return !t->self || check_special(c, "self", t->self, 32);
    }
    if (!check_special(c, "self", t->self, 32)) return false;
    if (t->index == 0 && (t->argument || t->result)) return check_fail(c, "threads", MSG_IR_MAIN_ROLES);
    return t->index == 0 || (check_special(c, "argument", t->argument, width) && check_special(c, "result", t->result, width));
}

static bool check_control(Checker *c) {
    const Template *t = c->template_;
    if (t->entry >= vec_len(t->locations)) return check_fail(c, "threads", MSG_IR_ENTRY_MISSING);
    unsigned char *listed = zeroed(vec_len(t->actions) + 1, 1);
    bool good = check_edges(c, listed);
    free(listed);
    if (!good || !check_actions(c) || !check_assigned(c)) return false;
    LocationKind first = t->locations[t->entry].kind;
    if (first == LOCATION_ERROR || first == LOCATION_STOP || first == LOCATION_RETURN) return check_fail(c, "locations", MSG_IR_ENTRY_KIND);
    return true;
}

/* Checks that parameters and results are the first locals of a procedure. */
static bool check_parameters(Checker *c, const Template *t) {
    size_t n = vec_len(t->parameters);
    for (size_t i = 0; i < n + vec_len(t->results); i++) {
        const Variable *v = i < n ? t->parameters[i] : t->results[i - n];
        if (i >= vec_len(t->locals) || t->locals[i] != v) return check_fail(c, "indices", MSG_IR_INDEX, v->name);
    }
    return true;
}

static bool check_effects(Checker *c, const Template *t) {
    Buf why = {0};
    bool good = !t->effects || effects_check(t->effects, (unsigned)vec_len(t->parameters), &why);
    if (!good) check_fail(c, "effects", "%s", buf_string(&why));
    buf_free(&why);
    return good;
}

static bool check_procedure(Checker *c, const Template *t, size_t index) {
    c->template_ = t;
    if (t->index != (PROCEDURE | index)) return check_fail(c, "indices", MSG_IR_INDEX, "the procedure");
    for (size_t i = 0; i < vec_len(t->locals); i++)
        if (!check_local(c, t->locals[i], i)) return false;
    if (!check_parameters(c, t) || !check_effects(c, t) || !check_specials(c)) return false;
    if (t->address && (t->address->kind != OBJECT_FUNCTION || !check_object(c, t->address))) return false;
    if (vec_len(t->locations) && !check_control(c)) return false;
    c->template_ = NULL;
    return true;
}

static bool check_template(Checker *c, const Template *t, size_t index) {
    c->template_ = t;
    if (t->index != index) return check_fail(c, "indices", MSG_IR_INDEX, "the thread");
    if (index == 0 && t->count != 1) return check_fail(c, "threads", MSG_IR_MAIN_COUNT);
    for (size_t i = 0; i < vec_len(t->locals); i++)
        if (!check_local(c, t->locals[i], i)) return false;
    if (!check_specials(c) || !check_control(c)) return false;
    c->template_ = NULL;
    return true;
}

/* Checks that names of threads, or of procedures, are unique: instructions refer to them by name in the text. */
static bool check_names(Checker *c, Template *const *list, const char *what, const char *message) {
    Map *names = map_new();
    bool good = true;
    for (size_t i = 0; i < vec_len(list) && good; i++) {
        const char *name = list[i]->name;
        if (!name) good = check_fail(c, "threads", MSG_IR_BARE, what, i);
        else if (map_get(names, map_key(name = exprs_intern(c->program->exprs, name)), NULL))
            good = check_fail(c, "threads", message, name);
        else map_put(names, map_key(name), 1);
    }
    map_free(names);
    return good;
}

/* Checks that no two procedures have the same address. */
static bool check_addresses(Checker *c) {
    Map *taken = map_new();
    bool good = true;
    vec_each(const Template *, t, c->program->procedures) {
        if (!t->address || !good) continue;
        if (map_find(taken, t->address)) good = check_fail(c, "threads", MSG_IR_PROCEDURE_ADDRESS, t->address->name);
        map_set(taken, t->address, t);
    }
    map_free(taken);
    return good;
}

static bool check_program(Checker *c) {
    const Program *p = c->program;
    if (!vec_len(p->templates)) return check_fail(c, "threads", MSG_IR_THREAD_NONE);
    if (!check_names(c, p->templates, "thread", MSG_IR_THREAD_NAMES)) return false;
    if (!check_names(c, p->procedures, "procedure", MSG_IR_PROCEDURE_NAMES) || !check_addresses(c)) return false;
    for (size_t i = 0; i < vec_len(p->objects); i++)
        if (!check_declared_object(c, p->objects[i], i)) return false;
    if (!check_space(c)) return false;
    for (size_t i = 0; i < vec_len(p->globals); i++)
        if (!check_global(c, p->globals[i], i)) return false;
    for (size_t i = 0; i < vec_len(p->templates); i++)
        if (!check_template(c, p->templates[i], i)) return false;
    for (size_t i = 0; i < vec_len(p->procedures); i++)
        if (!check_procedure(c, p->procedures[i], i)) return false;
    return true;
}

bool program_check(const Program *p, Buf *complaint) {
    Checker c = {.program = p, .complaint = complaint};
    c.seen = zeroed(exprs_count(p->exprs) + 1, sizeof *c.seen);
    bool good = check_program(&c);
    free(c.seen);
    vec_free(c.work);
    return good;
}
