/* SPDX-License-Identifier: Apache-2.0 */
/* Checks that actions are well-formed: their symbols, operands and sorts. */
#include "ir/check.h"
#include "ir/internal.h"
#include "ir/messages.h"

/* ---- symbols ---- */

bool check_variable(Checker *c, const Variable *v) {
    const Program *p = c->program;
    if (v->global) {
        if (v->index < vec_len(p->globals) && p->globals[v->index] == v) return true;
        return check_fail(c, "symbols", MSG_IR_FOREIGN, v->name);
    }
    const Template *t = program_body(p, v->template_);
    if (!t) return check_fail(c, "symbols", MSG_IR_OWNER, v->name);
    if (v->index >= vec_len(t->locals) || t->locals[v->index] != v)
        return check_fail(c, "symbols", MSG_IR_LOCAL_GONE, body_word(t), t->name, v->name);
    if (t != c->template_) return check_fail(c, "scope", MSG_IR_SCOPE, v->name, body_word(t), t->name);
    return true;
}

bool check_object(Checker *c, const Object *o) {
    const Program *p = c->program;
    if (o->index >= vec_len(p->objects) || p->objects[o->index] != o) return check_fail(c, "symbols", MSG_IR_FOREIGN, o->name);
    const Template *t = object_is_in_template(o) ? program_body(p, o->template_) : NULL;
    if (t && c->template_ != t) return check_fail(c, "scope", MSG_IR_SCOPE, o->name, body_word(t), t->name);
    return true;
}

static bool check_symbol(Checker *c, const Symbol *s) {
    if (s->kind == SYM_FUNCTION) return check_fail(c, "symbols", MSG_IR_SYMBOL_FUNCTION, s->name);
    if (!s->user) return check_fail(c, "symbols", MSG_IR_SYMBOL_OWNER, s->name);
    if (s->kind == SYM_VARIABLE) {
        const Variable *v = s->user;
        if (v->symbol != s) return check_fail(c, "symbols", MSG_IR_SYMBOL, s->name);
        return check_variable(c, v);
    }
    const Object *o = s->user;
    if (o->symbol != s) return check_fail(c, "symbols", MSG_IR_SYMBOL, s->name);
    if (o->kind == OBJECT_HEAP) return check_fail(c, "address", MSG_IR_OBJECT_SITE, o->name);
    return check_object(c, o);
}

bool check_expr(Checker *c, const Expr *root) {
    unsigned stamp = c->template_ ? c->template_->index + 1 : ~0u;
    vec_clear(c->work);
    vec_push(c->work, root);
    while (vec_len(c->work)) {
        const Expr *e = vec_pop(c->work);
        if (c->seen[e->id] == stamp) continue;
        c->seen[e->id] = stamp;
        if (e->symbol && !check_symbol(c, e->symbol)) return false;
        for (unsigned i = 0; i < e->nargs; i++) vec_push(c->work, e->args[i]);
    }
    return true;
}

/* ---- sorts ---- */

static bool check_sort(Checker *c, const char *what, const Sort *actual, const Sort *expected) {
    if (actual == expected) return true;
    Buf has = {0}, needs = {0};
    sort_print(&has, actual);
    sort_print(&needs, expected);
    check_fail(c, "sorts", MSG_IR_OPERAND_SORT, what, buf_string(&has), buf_string(&needs));
    buf_free(&has);
    buf_free(&needs);
    return false;
}

static bool check_bv(Checker *c, const char *what, const Sort *s, unsigned width) {
    return check_sort(c, what, s, sort_bv(c->program->exprs, width));
}

static bool check_pointer(Checker *c, const char *what, const Sort *s) { return check_bv(c, what, s, c->program->pointer_width); }

static bool check_stored(Checker *c, const char *what, const Sort *s) {
    if (s->kind == SORT_BV) return true;
    Buf has = {0};
    sort_print(&has, s);
    check_fail(c, "sorts", MSG_IR_OPERAND_BYTES, what, buf_string(&has));
    buf_free(&has);
    return false;
}

static bool check_lock(Checker *c, const Instr *i) {
    if (!i->address == !i->cell) return check_fail(c, "operands", MSG_IR_LOCK_OPERAND);
    if (i->cell && (!check_variable(c, i->cell) || !check_bv(c, "mutex word", i->cell->sort, 32))) return false;
    if (i->address && !check_pointer(c, "address", i->address->sort)) return false;
    return !i->target || check_bv(c, "result", i->target->sort, 32);
}

static bool check_alloc(Checker *c, const Instr *i) {
    if (i->object->kind != OBJECT_HEAP) return check_fail(c, "objects", MSG_IR_OBJECT_HEAP, i->object->name);
    return check_pointer(c, "target", i->target->sort) && check_pointer(c, "size", i->size->sort);
}

static bool check_life(Checker *c, const Instr *i) {
    if (i->object->kind == OBJECT_LOCAL) return true;
    return check_fail(c, "objects", MSG_IR_OBJECT_LOCAL, i->object->name);
}

static bool check_create(Checker *c, const Instr *i) {
    if (i->template_ >= vec_len(c->program->templates)) return check_fail(c, "create", MSG_IR_CREATE_UNKNOWN);
    if (i->template_ == 0) return check_fail(c, "create", MSG_IR_CREATE_MAIN);
    return check_pointer(c, "argument", i->value->sort) && (!i->target || check_bv(c, "target", i->target->sort, 32));
}

/* Checks that only locals are undefined: another thread could read a global. */
static bool check_undefined(Checker *c, const Instr *i) {
    return !i->target->global || check_fail(c, "operands", MSG_IR_UNDEFINED_GLOBAL, i->target->name);
}

/* ---- calls ---- */

static bool check_count(Checker *c, const char *what, unsigned given, const Template *callee, size_t declared) {
    return given == declared || check_fail(c, "call", MSG_IR_CALL_COUNT, given, what, callee->name, declared);
}

/* Checks that arguments and results are as declared. The results may be left out. */
static bool check_callee(Checker *c, const CallParts *call, const Template *callee) {
    if (!check_count(c, "arguments", call->narguments, callee, vec_len(callee->parameters))) return false;
    if (call->nresults && !check_count(c, "results", call->nresults, callee, vec_len(callee->results))) return false;
    for (unsigned k = 0; k < call->narguments; k++)
        if (!check_sort(c, "argument", call->arguments[k]->sort, callee->parameters[k]->sort)) return false;
    for (unsigned k = 0; k < call->nresults; k++)
        if (!check_sort(c, "result", call->results[k]->sort, callee->results[k]->sort)) return false;
    return true;
}

static bool check_call(Checker *c, const Instr *i) {
    const Template *callee = i->address ? NULL : program_body(c->program, i->template_);
    if (!i->address && (!callee || !template_is_procedure(callee))) return check_fail(c, "call", MSG_IR_CALL_UNKNOWN);
    if (!vec_len(c->program->procedures)) return check_fail(c, "call", MSG_IR_CALL_UNKNOWN);
    for (unsigned k = 0; k < i->call->narguments; k++)
        if (!i->call->arguments[k]) return check_fail(c, "operands", MSG_IR_OPERAND_MISSING, "argument");
    for (unsigned k = 0; k < i->call->narguments; k++)
        if (!check_expr(c, i->call->arguments[k])) return false;
    for (unsigned k = 0; k < i->call->nresults; k++) {
        if (!check_variable(c, i->call->results[k])) return false;
        if (i->call->results[k] == c->template_->self) return check_fail(c, "self", MSG_IR_SELF_ASSIGNED);
    }
    return callee ? check_callee(c, i->call, callee) : check_pointer(c, "address", i->address->sort);
}

/* Checks the place of a call in its action. */
static bool check_call_place(Checker *c, const Action *a, const Instr *i) {
    if (i != &vec_last(a->instrs)) return check_fail(c, "call", MSG_IR_CALL_LAST);
    if (i->address && vec_len(a->instrs) > 1) return check_fail(c, "call", MSG_IR_CALL_ALONE);
    if (a->subsumed || c->template_->locations[a->target].within) return check_fail(c, "call", MSG_IR_CALL_STEP);
    return true;
}

static bool check_sorts(Checker *c, const Instr *i) {
    switch (i->kind) {
    case INSTR_ASSIGN: return check_sort(c, "value", i->value->sort, i->target->sort);
    case INSTR_HAVOC: return !i->undefined || check_undefined(c, i);
    case INSTR_ASSUME:
        if (i->address && !i->waits) return check_fail(c, "operands", MSG_IR_AWAIT_ONLY);
        return check_sort(c, "condition", i->value->sort, sort_bool(c->program->exprs)) &&
               (!i->address || check_bv(c, "thread number", i->address->sort, 32));
    case INSTR_LOAD: return check_pointer(c, "address", i->address->sort) && check_stored(c, "target", i->target->sort);
    case INSTR_STORE: return check_pointer(c, "address", i->address->sort) && check_stored(c, "value", i->value->sort);
    case INSTR_COPY:
        return check_pointer(c, "address", i->address->sort) && check_pointer(c, "source", i->value->sort) &&
               check_pointer(c, "size", i->size->sort);
    case INSTR_FILL:
        return check_pointer(c, "address", i->address->sort) && check_bv(c, "byte", i->value->sort, 8) &&
               check_pointer(c, "size", i->size->sort);
    case INSTR_ALLOC: return check_alloc(c, i);
    case INSTR_FREE: return check_pointer(c, "address", i->address->sort);
    case INSTR_SIZE: return check_pointer(c, "address", i->address->sort) && check_pointer(c, "target", i->target->sort);
    case INSTR_WRITTEN: return check_pointer(c, "address", i->address->sort) && check_bv(c, "target", i->target->sort, 32);
    case INSTR_ALIVE:
    case INSTR_DEAD: return check_life(c, i);
    case INSTR_INVALID: return check_pointer(c, "address", i->address->sort) && (!i->size || check_pointer(c, "size", i->size->sort));
    case INSTR_LOST: return true;
    case INSTR_LOCK:
    case INSTR_TRYLOCK:
    case INSTR_UNLOCK: return check_lock(c, i);
    case INSTR_CREATE: return check_create(c, i);
    case INSTR_JOIN:
        return check_bv(c, "thread number", i->address->sort, 32) && (!i->target || check_pointer(c, "target", i->target->sort));
    case INSTR_FENCE: return true;
    case INSTR_CALL: return check_call(c, i);
    }
    return false;
}

/* ---- instructions and actions ---- */

static bool check_part(Checker *c, const char *what, Part part, const void *operand) {
    if (part == PART_REQUIRED && !operand) return check_fail(c, "operands", MSG_IR_OPERAND_MISSING, what);
    if (part == PART_NONE && operand) return check_fail(c, "operands", MSG_IR_OPERAND_EXTRA, what);
    return true;
}

static bool check_parts(Checker *c, const Instr *i) {
    const InstrShape *s = &instr_shapes[i->kind];
    if (i->atomic && i->kind != INSTR_LOAD && i->kind != INSTR_STORE && i->kind != INSTR_ASSIGN)
        return check_fail(c, "operands", MSG_IR_ATOMIC_OTHER);
    if (i->order && !i->atomic && i->kind != INSTR_FENCE) return check_fail(c, "operands", MSG_IR_ORDER_OTHER);
    if ((unsigned)i->order >= ORDERS || (i->order == ORDER_RELAXED && i->kind == INSTR_FENCE))
        return check_fail(c, "operands", MSG_IR_ORDER_KIND);
    if (i->failing && (!i->atomic || i->kind == INSTR_STORE)) return check_fail(c, "operands", MSG_IR_FAILING_OTHER);
    if (i->zeroed && i->kind != INSTR_ALLOC) return check_fail(c, "operands", MSG_IR_FLAG_OTHER, "alloc", "zeroed");
    if (i->plain && i->kind != INSTR_LOAD) return check_fail(c, "operands", MSG_IR_FLAG_OTHER, "load", "plain");
    if (i->life && i->kind != INSTR_STORE && i->kind != INSTR_ASSIGN) return check_fail(c, "operands", MSG_IR_LIFE_OTHER);
    if (i->writes && (i->kind != INSTR_INVALID || !i->size)) return check_fail(c, "operands", MSG_IR_INVALID_OTHER);
    if (i->undefined && i->kind != INSTR_HAVOC) return check_fail(c, "operands", MSG_IR_UNDEFINED_OTHER);
    return check_part(c, "target", s->target, i->target) && check_part(c, "address", s->address, i->address) &&
           check_part(c, "value", s->value, i->value) && check_part(c, "size", s->size, i->size) &&
           check_part(c, "object", s->object, i->object) &&
           check_part(c, "list of arguments", i->kind == INSTR_CALL ? PART_REQUIRED : PART_NONE, i->call) &&
           check_part(c, "mutex variable", instr_is_lock(i) ? PART_OPTIONAL : PART_NONE, i->cell);
}

static bool check_instr(Checker *c, const Instr *i) {
    if ((unsigned)i->kind >= INSTR_KINDS) return check_fail(c, "operands", MSG_IR_KIND, "the instruction");
    if (!check_parts(c, i)) return false;
    if (i->target && !check_variable(c, i->target)) return false;
    if (i->target && i->target == c->template_->self) return check_fail(c, "self", MSG_IR_SELF_ASSIGNED);
    if (i->object && !check_object(c, i->object)) return false;
    if (i->address && !check_expr(c, i->address)) return false;
    if (i->value && !check_expr(c, i->value)) return false;
    if (i->size && !check_expr(c, i->size)) return false;
    return check_sorts(c, i);
}

static bool check_approximation(Checker *c, const Action *a) {
    if (a->approximation == NO_APPROXIMATION) return true;
    if (a->approximation >= vec_len(c->program->approximations))
        return check_fail(c, "approximations", MSG_IR_ACTION_APPROXIMATION, a->approximation);
    if (c->program->approximations[a->approximation].kind != APPROX_OVER)
        return check_fail(c, "approximations", MSG_IR_ACTION_OVER, a->approximation);
    return true;
}

bool check_action(Checker *c, const Action *a) {
    c->action = a;
    if (!a->guard) return check_fail(c, "operands", MSG_IR_GUARD_MISSING);
    if (!check_sort(c, "guard", a->guard->sort, sort_bool(c->program->exprs))) return false;
    if (!check_expr(c, a->guard) || !check_approximation(c, a)) return false;
    for (size_t i = 0; i < vec_len(a->instrs); i++) {
        c->instr = &a->instrs[i];
        if (!check_instr(c, c->instr)) return false;
        if (c->instr->kind == INSTR_CALL && !check_call_place(c, a, c->instr)) return false;
    }
    c->instr = NULL;
    c->action = NULL;
    return true;
}
