/* SPDX-License-Identifier: Apache-2.0 */
/* Replaces each call by a copy of the procedure (doc/ir.md, "Procedures"). A list of work leads from location to location, so the pass copies
   only code that is reached. Its time is linear in the code that it writes.

   requires  nothing
   ensures   the program is flat: it has no procedures and no calls. A program without procedures does not change
   breaks    indices of the locations, actions, locals and objects of templates with calls

   A *frame* is one activation of a procedure: a node in the tree of calls. A call that is executed again, in a loop, has the same frame.
   Each frame has its own locals, local objects and allocation sites. Makers of programs with procedures may rely on this:
   - A parameter that the procedure never assigns stands for its argument, if this is a constant, or an address that does not change
     during the call. In a library procedure any argument that does not change and cannot fault stands for it. So addresses stay known, and conditions
     on constants fold. An action whose guard becomes false is not copied, nor is code that only such actions reach.
   - The action of a call assigns the parameters and leads to the copy of the entry. An action that leads to a return also assigns the
     results, in their order, and leads behind the call. This holds for calls that lead to a return, too. Hence a call should assign locals,
     not globals, and its arguments should read locals: these reads and writes belong to steps that have accesses of their own.
   - A copied plain location is atomic if it was, or if the location behind a call that is not over is atomic. A copied action is in a section if
     it was, or if the action of such a call is.
   - A procedure is copied a number of times within itself, and more often if all arguments are constants. The next call is a STOP.
   - A call through a pointer to a known function is a call by name. Otherwise there is an action for each procedure whose address the
     program uses as a value, and whose sorts are those of the call. A call of the null pointer reads there. All other values lead to a STOP.
   - A position in a procedure has no Activation, or one whose outermost call has no place. It gets the activations of the frame around it,
     and their contexts for native runs. Code of a library procedure gets the place of its call. */
#include "passes/program/program_passes.h"
#include "base/map.h"
#include "ir/copy.h"
#include "ir/fields.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { USUAL_RECURSION = 6, CONSTANT_RECURSION = 200, NONE = ~0u };

typedef struct Frame Frame;
struct Frame {
    Frame *caller; /* NULL: this is the thread's own code */
    const Template *body;
    unsigned id;
    const Instr *call; /* in the body of the caller, which continues at the location `back` */
    unsigned back;
    Position place; /* of the call, in the flat program */
    Activation *activation;
    Map *activations;     /* activations in the body → the same in this frame; NULL until it is first used */
    bool atomic, section; /* of a call that is not over */
};

/* Records facts about a procedure, and about its copies. */
typedef struct Procedure {
    bool *assigned;    /* a vec, by local: an instruction of the body may write it */
    bool taken;        /* its address is used as a value */
    size_t copied;     /* the size of all its copies */
    const Frame *last; /* its last copy */
} Procedure;

typedef struct Work {
    Frame *frame;
    unsigned location, copy;
} Work;

/* A call whose action is copied, but that is not yet followed. */
typedef struct Pending {
    Frame *frame;
    const Action *action;
    unsigned copy; /* the index of the copied action */
    const Template *callee;
    unsigned ways; /* the number of procedures that the call may reach */
} Pending;

typedef struct Inliner {
    Program *program;
    Exprs *exprs;
    Arena *scratch;
    unsigned recursion;
    size_t most, written;  /* actions and instructions */
    Procedure *procedures; /* a vec */
    bool *kept;            /* a vec, by object: this allocation site is in use already */
    Map *approximations;   /* text and place → index */
    Template *to;          /* the template that is being written */
    unsigned too_large;    /* its location where the program becomes too large, or NONE */
    Frame **frames;        /* vecs */
    Work *work;
    Pending *calls;
    Map *locations, *variables, *bound, *objects; /* by frame and index in its program or body: what it is in this frame */
} Inliner;

static uint64_t key(const Frame *f, unsigned index) { return (uint64_t)f->id << 32 | index; }

static void *found(const Map *m, const Frame *f, unsigned index) {
    uint64_t value;
    return map_get(m, key(f, index), &value) ? (void *)(uintptr_t)value : NULL;
}

static void keep(Map *m, const Frame *f, unsigned index, const void *value) { map_put(m, key(f, index), map_key(value)); }

static const char *function_of(const Template *t) { return t->function ? t->function : t->name; }

/* ---- what the program says about procedures ---- */

static Procedure *procedure_of(const Inliner *n, const Template *t) { return &n->procedures[t->index & ~(unsigned)PROCEDURE]; }

typedef struct Scan {
    Inliner *inliner;
    Map *by_address; /* function object → procedure */
    bool *seen;      /* by id of an expression */
    const Expr **work;
} Scan;

static void take_address(Scan *s, const Symbol *symbol) {
    const Template *t = symbol && symbol->kind == SYM_ADDRESS ? map_find(s->by_address, symbol->user) : NULL;
    if (t) procedure_of(s->inliner, t)->taken = true;
}

static void take_addresses(void *context, const Expr *root) {
    Scan *s = context;
    vec_push(s->work, root);
    while (vec_len(s->work)) {
        const Expr *e = vec_pop(s->work);
        if (s->seen[e->id]) continue;
        s->seen[e->id] = true;
        take_address(s, e->symbol);
        for (unsigned i = 0; i < e->nargs; i++) vec_push(s->work, e->args[i]);
    }
}

static void mark_assigned(Inliner *n, const Template *t, const Variable *v) {
    if (v && !v->global && template_is_procedure(t)) procedure_of(n, t)->assigned[v->index] = true;
}

static void scan_instr(Scan *s, const Template *t, const Instr *i) {
    Instr values = *i;
    if (i->kind == INSTR_CALL && i->address && i->address->op == OP_SYMBOL) values.address = NULL;
    instr_expressions(&values, take_addresses, s);
    mark_assigned(s->inliner, t, i->target);
    mark_assigned(s->inliner, t, i->cell);
    for (unsigned k = 0; i->call && k < i->call->nresults; k++) mark_assigned(s->inliner, t, i->call->results[k]);
    if (i->kind == INSTR_ALLOC && !template_is_procedure(t)) s->inliner->kept[i->object->index] = true;
}

static void scan_body(Scan *s, const Template *t) {
    vec_each_at(const Action, a, t->actions) {
        take_addresses(s, a->guard);
        for (size_t i = 0; i < vec_len(a->instrs); i++) scan_instr(s, t, &a->instrs[i]);
    }
}

static void scan(Inliner *n) {
    const Program *p = n->program;
    Scan s = {.inliner = n, .by_address = map_new(), .seen = zeroed(exprs_count(p->exprs) + 1, 1)};
    vec_resize(n->procedures, vec_len(p->procedures));
    vec_resize(n->kept, vec_len(p->objects));
    vec_each(const Template *, t, p->procedures) {
        vec_resize(procedure_of(n, t)->assigned, vec_len(t->locals));
        if (t->address) map_set(s.by_address, t->address, t);
    }
    vec_each(const Template *, t, p->procedures) scan_body(&s, t);
    vec_each(const Template *, t, p->templates) scan_body(&s, t);
    vec_each(const Variable *, v, p->globals)
        if (v->init) take_addresses(&s, v->init);
    vec_each(const Object *, o, p->objects)
        for (unsigned r = 0; r < o->nrelocations; r++) take_address(&s, o->relocations[r].target);
    map_free(s.by_address);
    vec_free(s.work);
    free(s.seen);
}

/* ---- places ---- */

static Position placed(Inliner *n, Frame *f, Position at);

/* Returns the activation of code of the body in this frame. */
static const Activation *activation_in(Inliner *n, Frame *f, const Activation *in) {
    if (!f->caller) return in;
    if (!in || !in->from.in) return f->activation;
    if (!f->activations) f->activations = map_new();
    Activation *a = map_find(f->activations, in);
    if (a) return a;
    a = arena_new_of(n->program->arena, Activation);
    *a = *in;
    a->from = placed(n, f, in->from);
    a->context = context_of_call(a->from.in->context, in->from.origin);
    map_set(f->activations, in, a);
    return a;
}

static Position placed(Inliner *n, Frame *f, Position at) {
    Position to = f->caller && f->body->library ? f->place : at;
    to.in = activation_in(n, f, at.in);
    to.origin = at.origin;
    to.sequence = at.sequence;
    return to;
}

/* ---- symbols ---- */

static Variable *variable_in(Inliner *n, const Frame *f, Variable *v) {
    if (!v || v->global || !f->caller) return v;
    if (v == f->body->self) return n->to->self;
    Variable *own = found(n->variables, f, v->index);
    if (own) return own;
    own = variable_clone(n->program, n->to, v);
    keep(n->variables, f, v->index, own);
    return own;
}

/* The first frame that uses an allocation site keeps it. */
static Object *object_in(Inliner *n, const Frame *f, Object *o) {
    if (!o || !f->caller || (o->kind != OBJECT_LOCAL && o->kind != OBJECT_HEAP)) return o;
    Object *own = found(n->objects, f, o->index);
    if (own) return own;
    bool free = !object_is_in_template(o) && !n->kept[o->index];
    own = free ? o : object_clone(n->program, n->to, o);
    if (free) n->kept[o->index] = true;
    keep(n->objects, f, o->index, own);
    return own;
}

typedef struct Here {
    Inliner *inliner;
    const Frame *frame;
} Here;

static const Expr *image(void *context, const Expr *e) {
    const Here *h = context;
    Variable *v = expr_variable(e);
    if (!v)
        return e->symbol->kind == SYM_ADDRESS ? object_address(h->inliner->program, object_in(h->inliner, h->frame, e->symbol->user))
                                              : NULL;
    const Expr *argument = v->global ? NULL : found(h->inliner->bound, h->frame, v->index);
    return argument ? argument : variable_expr(h->inliner->program, variable_in(h->inliner, h->frame, v));
}

static const Expr *expr_in(Inliner *n, const Frame *f, const Expr *e) {
    return e && f->caller ? expr_substitute(n->exprs, e, image, &(Here){n, f}) : e;
}

static Instr instr_in(Inliner *n, Frame *f, const Instr *i) {
    Instr own = *i;
    own.target = variable_in(n, f, i->target);
    own.cell = variable_in(n, f, i->cell);
    own.object = object_in(n, f, i->object);
    own.address = expr_in(n, f, i->address);
    own.value = expr_in(n, f, i->value);
    own.size = expr_in(n, f, i->size);
    own.position = placed(n, f, i->position);
    return own;
}

/* ---- locations ---- */

/* Returns the copy of the location in this frame. */
static unsigned location_in(Inliner *n, Frame *f, unsigned location) {
    uint64_t copy;
    if (map_get(n->locations, key(f, location), &copy)) return (unsigned)copy;
    Location l = f->body->locations[location];
    Work w = {f, location, (unsigned)vec_len(n->to->locations)};
    l.index = w.copy;
    l.out = NULL;
    l.atomic |= f->atomic && l.kind == LOCATION_PLAIN;
    l.position = placed(n, f, l.position);
    vec_push(n->to->locations, l);
    vec_push(n->work, w);
    map_put(n->locations, key(f, location), w.copy);
    return w.copy;
}

static void assign(Inliner *n, Action *a, Variable *v, const Expr *value, Position at) {
    Instr *i = action_instr(a, INSTR_ASSIGN, at);
    i->target = v;
    i->value = value;
    n->written++;
}

/* Lets the action lead to the location. At a return it assigns the results and leads on behind the call. */
static void lead_to(Inliner *n, Action *a, Frame *f, unsigned location) {
    for (; f->body->locations[location].kind == LOCATION_RETURN; location = f->back, f = f->caller) {
        const CallParts *parts = f->call->call;
        for (unsigned k = 0; k < parts->nresults; k++) {
            const Variable *result = variable_in(n, f, f->body->results[k]);
            assign(n, a, variable_in(n, f->caller, parts->results[k]), variable_expr(n->program, result), f->place);
        }
    }
    a->target = location_in(n, f, location);
}

/* ---- stops ---- */

static unsigned approximation(Inliner *n, ApproximationKind kind, Position at, const char *text) {
    const char *name = arena_printf(n->scratch, "%u %s %u %u %s", (unsigned)kind, at.file ? at.file : "", at.line, at.column, text);
    uint64_t index;
    name = exprs_intern(n->exprs, name);
    if (map_get(n->approximations, map_key(name), &index)) return (unsigned)index;
    index = program_approximation(n->program, kind, at, text);
    map_put(n->approximations, map_key(name), index);
    return (unsigned)index;
}

__attribute__((format(printf, 5, 6))) static unsigned stop(Inliner *n, Frame *f, const Instr *call, ApproximationKind kind,
                                                           const char *format, ...) {
    char text[600];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    Position at = placed(n, f, call->position);
    unsigned location = template_location(n->program, n->to, LOCATION_STOP, at);
    n->to->locations[location].approximation = approximation(n, kind, at, text);
    n->to->locations[location].function = function_of(f->body);
    return location;
}

/* ---- limits ---- */

/* Returns "f, called by g, called by main", with the innermost functions and the last one. */
static const char *call_chain(Inliner *n, const Frame *f) {
    const char *text = function_of(f->body);
    unsigned depth = 1;
    for (f = f->caller; f; f = f->caller, depth++) {
        if (depth == 8 && f->caller) text = arena_printf(n->scratch, "%s, …", text);
        if (depth < 8 || !f->caller) text = arena_printf(n->scratch, "%s, called by %s", text, function_of(f->body));
    }
    return text;
}

/* Names the procedure whose copies are the largest part of the program. */
static unsigned stop_too_large(Inliner *n, Frame *f, const Instr *call) {
    const Procedure *largest = &n->procedures[0];
    if (n->too_large != NONE) return n->too_large;
    vec_each_at(const Procedure, x, n->procedures)
        if (x->copied > largest->copied) largest = x;
    n->too_large = stop(n, f, call, APPROX_UNSUPPORTED,
                        "the program is too large after inlining: %zu of %zu actions and instructions are copies of %s", largest->copied,
                        n->written, call_chain(n, largest->last ? largest->last : f));
    return n->too_large;
}

static void note_variable(void *context, const Symbol *s) {
    const Variable *v = s->kind == SYM_VARIABLE ? s->user : NULL;
    if (v && !v->true_for) *(bool *)context = true;
}

/* True if the expression mentions no variable, except those that never change. */
static bool is_closed(const Expr *e) {
    bool varies = false;
    if (expr_is_const(e)) return true;
    expr_symbols(e, note_variable, &varies);
    return !varies;
}

static unsigned nested(const Frame *f, const Template *callee) {
    unsigned times = 0;
    for (; f; f = f->caller) times += f->body == callee;
    return times;
}

/* Returns a STOP if the call cannot be followed, or NONE. `ways` is the number of procedures that the call may reach. */
static unsigned why_not(Inliner *n, Frame *f, const Instr *call, const Template *callee, const Expr *const *arguments, unsigned ways) {
    const char *name = function_of(callee);
    bool constant = call->call->narguments > 0;
    unsigned times = nested(f, callee), most = n->recursion;
    if (n->written > n->most) return stop_too_large(n, f, call);
    if (!vec_len(callee->locations)) return stop(n, f, call, APPROX_UNSUPPORTED, "call of %s, which has no body", name);
    if (ways > 1 && times && times >= most / ways) /* each of these procedures calls all of them again */
        return stop(n, f, call, APPROX_UNDER, "recursion of %s through a pointer to one of %u functions beyond %u nested calls", name, ways,
                    times);
    if (times < most) return NONE;
    for (unsigned k = 0; k < call->call->narguments && constant; k++) constant = is_closed(arguments[k]);
    if (constant && times < CONSTANT_RECURSION) return NONE;
    return stop(n, f, call, APPROX_UNDER, "recursion of %s beyond %u nested calls", name, times);
}

/* ---- calls ---- */

/* True if the argument can stand for the parameter. The locals of a caller do not change while the callee runs. */
static bool can_bind(const Inliner *n, const Template *callee, unsigned parameter, const Expr *argument) {
    if (procedure_of(n, callee)->assigned[parameter] || expr_may_fault(argument)) return false;
    if (is_closed(argument)) return true;
    return (callee->library || address_base(argument)) && !expr_reads_global(argument);
}

static Frame *frame_new(Inliner *n, Frame *caller, const Template *body) {
    Frame *f = arena_new_of(n->scratch, Frame);
    f->caller = caller;
    f->body = body;
    f->id = (unsigned)vec_len(n->frames);
    vec_push(n->frames, f);
    return f;
}

static Frame *call_frame(Inliner *n, Frame *caller, const Action *a, const Template *callee) {
    const Instr *call = action_call(a);
    Frame *f = frame_new(n, caller, callee);
    f->call = call;
    f->back = a->target;
    f->place = placed(n, caller, call->position);
    f->atomic = caller->atomic || caller->body->locations[a->target].atomic;
    f->section = caller->section || a->section;
    f->activation = arena_new_of(n->program->arena, Activation);
    *f->activation = (Activation){.function = function_of(callee), .library = callee->library, .from = f->place};
    f->activation->context = context_of_call(f->place.in ? f->place.in->context : 0, f->place.origin);
    procedure_of(n, callee)->last = f;
    return f;
}

static Variable *temporary(Inliner *n, const Sort *sort) {
    Variable *v = template_local(n->program, n->to, "tmp", sort);
    v->temporary = true;
    return v;
}

/* Lets the copy of an action go on in the callee. If the call is a STOP, its arguments may fault before. */
static void enter(Inliner *n, const Pending *p) {
    Frame *f = p->frame;
    Action *copy = &n->to->actions[p->copy];
    const Template *callee = p->callee;
    const Instr *call = action_call(p->action);
    unsigned narguments = call->call->narguments;
    const Expr **arguments = arena_array(n->scratch, const Expr *, narguments + 1);
    for (unsigned k = 0; k < narguments; k++) arguments[k] = expr_in(n, f, call->call->arguments[k]);
    unsigned end = why_not(n, f, call, callee, arguments, p->ways);
    if (end != NONE) {
        for (unsigned k = 0; k < narguments; k++)
            if (expr_may_fault(arguments[k])) assign(n, copy, temporary(n, arguments[k]->sort), arguments[k], placed(n, f, call->position));
        copy->target = end;
        return;
    }
    Frame *g = call_frame(n, f, p->action, callee);
    for (unsigned k = 0; k < narguments; k++) {
        if (can_bind(n, callee, k, arguments[k])) keep(n->bound, g, k, arguments[k]);
        else assign(n, copy, variable_in(n, g, callee->parameters[k]), arguments[k], g->place);
    }
    copy->target = location_in(n, g, callee->entry);
}

/* ---- actions ---- */

/* Adds a copy of the action, without its call and with no target yet. */
static Action *action_in(Inliner *n, Frame *f, const Action *a, unsigned source, const Expr *guard) {
    Action *copy = template_action(n->program, n->to, source, source, guard, (Position){0});
    fields_copy(action_fields, copy, a);
    copy->section |= f->section;
    copy->position = placed(n, f, a->position);
    vec_each_at(const Instr, i, a->instrs)
        if (i->kind != INSTR_CALL) vec_push(copy->instrs, instr_in(n, f, i));
    size_t size = 1 + vec_len(a->instrs);
    n->written += size;
    if (f->caller) procedure_of(n, f->body)->copied += size;
    return copy;
}

static bool fits(const CallParts *call, const Template *t) {
    if (call->narguments != vec_len(t->parameters) || (call->nresults && call->nresults != vec_len(t->results))) return false;
    for (unsigned k = 0; k < call->narguments; k++)
        if (call->arguments[k]->sort != t->parameters[k]->sort) return false;
    for (unsigned k = 0; k < call->nresults; k++)
        if (call->results[k]->sort != t->results[k]->sort) return false;
    return true;
}

/* Returns the procedures that the target of a call may be, as a vec. */
static const Template **callees(const Inliner *n, const Instr *call, const Expr *target) {
    const Symbol *known = target->op == OP_SYMBOL && target->symbol->kind == SYM_ADDRESS ? target->symbol : NULL;
    const Template **list = NULL;
    vec_each(const Template *, t, n->program->procedures)
        if (t->address && fits(call->call, t) && (known ? t->address->symbol == known : procedure_of(n, t)->taken)) vec_push(list, t);
    return list;
}

/* Adds an action for the case that the condition holds. Returns NULL if it never does. */
static Action *way(Inliner *n, Frame *f, const Action *a, unsigned source, const Expr *guard, const Expr *condition) {
    guard = expr_and(n->exprs, guard, condition);
    return expr_is_false(guard) ? NULL : action_in(n, f, a, source, guard);
}

static void call_null(Inliner *n, Frame *f, const Instr *call, Action *copy) {
    Instr *i = action_instr(copy, INSTR_LOAD, placed(n, f, call->position));
    i->target = temporary(n, sort_bv(n->exprs, 8));
    i->address = expr_bv(n->exprs, n->program->pointer_width, 0);
    copy->target = stop(n, f, call, APPROX_UNSUPPORTED, "call of the null pointer");
}

/* Copies a call through a pointer: a way for each procedure, for null, and for the rest. */
static void call_pointer(Inliner *n, Frame *f, const Action *a, unsigned source, const Expr *guard) {
    const Instr *call = action_call(a);
    const Expr *target = expr_in(n, f, call->address), *null = expr_bv(n->exprs, n->program->pointer_width, 0), *rest = guard;
    const Template **list = callees(n, call, target);
    Action *copy;
    vec_each(const Template *, t, list) {
        const Expr *here = expr_eq(n->exprs, target, object_address(n->program, t->address));
        copy = way(n, f, a, source, guard, here);
        if (copy) vec_push(n->calls, ((Pending){f, a, copy->index, t, (unsigned)vec_len(list)}));
        rest = expr_and(n->exprs, rest, expr_not(n->exprs, here));
    }
    const Expr *nothing = address_base(target) ? expr_bool(n->exprs, false) : expr_eq(n->exprs, target, null);
    copy = way(n, f, a, source, guard, nothing);
    if (copy) call_null(n, f, call, copy);
    copy = way(n, f, a, source, rest, expr_not(n->exprs, nothing));
    if (copy) copy->target = stop(n, f, call, APPROX_UNSUPPORTED, "call through a pointer that is not a function of its type");
    vec_free(list);
}

/* True if an action that is not marked as subsumed, and is never disabled in this frame, has the same target. */
static bool has_superior(Inliner *n, const Frame *f, const Location *l, const Action *a) {
    bool is = false;
    vec_each(unsigned, k, l->out) {
        const Action *other = &f->body->actions[k];
        is |= !other->subsumed && other->target == a->target && !expr_is_false(expr_in(n, f, other->guard));
    }
    return is;
}

static void copy_action(Inliner *n, Frame *f, const Action *a, unsigned source) {
    const Instr *call = action_call(a);
    const Expr *guard = expr_in(n, f, a->guard);
    if (expr_is_false(guard)) return;
    if (a->subsumed && !has_superior(n, f, &f->body->locations[a->source], a)) return;
    if (call && call->address) {
        call_pointer(n, f, a, source, guard);
        return;
    }
    Action *copy = action_in(n, f, a, source, guard);
    if (call) vec_push(n->calls, ((Pending){f, a, copy->index, program_body(n->program, call->template_), 1}));
    else lead_to(n, copy, f, a->target);
}

/* ---- templates and the program ---- */

static bool has_calls(const Template *t) {
    bool has = false;
    vec_each_at(const Action, a, t->actions) has |= action_call(a) != NULL;
    return has;
}

/* Copies all locations that are reached without a further call. So few of them are left when the program becomes too large. */
static void copy_locations(Inliner *n) {
    while (vec_len(n->work)) {
        Work w = vec_pop(n->work);
        vec_each(unsigned, a, w.frame->body->locations[w.location].out) copy_action(n, w.frame, &w.frame->body->actions[a], w.copy);
    }
}

static void write_template(Inliner *n, Template *t) {
    Template old = *t;
    n->to = t;
    n->too_large = NONE;
    t->locations = NULL;
    t->actions = NULL;
    t->entry = location_in(n, frame_new(n, NULL, &old), old.entry);
    for (copy_locations(n); vec_len(n->calls); copy_locations(n)) {
        Pending next = vec_pop(n->calls);
        enter(n, &next);
    }
    old.locals = NULL; /* they are still those of the template */
    template_release(&old);
}

/* Removes the procedures and what belongs to them. */
static void drop_procedures(Program *p) {
    size_t left = 0;
    for (size_t i = 0; i < vec_len(p->objects); i++) {
        Object *o = p->objects[i];
        if (object_is_in_template(o) && o->template_ & PROCEDURE) continue;
        o->index = (unsigned)left;
        p->objects[left++] = o;
    }
    vec_resize(p->objects, left);
    vec_each(Template *, t, p->procedures) template_release(t);
    vec_free(p->procedures);
}

static void inliner_free(Inliner *n) {
    vec_each(Frame *, f, n->frames) map_free(f->activations);
    vec_each_at(Procedure, x, n->procedures) vec_free(x->assigned);
    map_free(n->locations);
    map_free(n->variables);
    map_free(n->bound);
    map_free(n->objects);
    map_free(n->approximations);
    vec_free(n->procedures);
    vec_free(n->kept);
    vec_free(n->frames);
    vec_free(n->work);
    vec_free(n->calls);
    arena_free(n->scratch);
}

void inline_procedures(Program *p, unsigned recursion, size_t most) {
    if (!vec_len(p->procedures)) return;
    Inliner n = {
        .program = p, .exprs = p->exprs, .scratch = arena_new(), .recursion = recursion ? recursion : USUAL_RECURSION, .most = most};
    n.approximations = map_new();
    n.locations = map_new();
    n.variables = map_new();
    n.bound = map_new();
    n.objects = map_new();
    scan(&n);
    vec_each(Template *, t, p->templates)
        if (has_calls(t)) write_template(&n, t);
    inliner_free(&n);
    drop_procedures(p);
}
