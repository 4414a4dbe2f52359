/* SPDX-License-Identifier: Apache-2.0 */
/* Prints the .hir text of a program (doc/ir.md). It leaves out what the parser adds: the position of an instruction if it equals its
   action's, and the position of an action if it equals its source location's. */
#include "ir/fields.h"
#include "ir/internal.h"
#include "ir/text.h"
#include <inttypes.h>

/* ---- small parts ---- */

static void expression(Buf *out, const char *before, const Expr *e, const char *after) {
    buf_text(out, before);
    if (e) expr_print(out, e);
    else buf_text(out, "missing");
    buf_text(out, after);
}

/* Prints the attributes and the end of a declaration. */
static void attributes(Buf *out, const Field *fields, const void *x) {
    fields_print(out, fields, x, (Position){0}, " ", "");
    buf_text(out, ";\n");
}

static void label(Buf *out, unsigned location) { buf_printf(out, "l%u", location); }

/* ---- declarations ---- */

static void print_approximation(Buf *out, const Approximation *a) {
    buf_printf(out, "approximation %s ", approximation_words[a->kind]);
    text_print_string(out, a->text ? a->text : "");
    if (a->function) {
        buf_text(out, a->result ? " result " : " function ");
        text_print_string(out, a->function);
    }
    attributes(out, approximation_fields, a);
}

static void variable_head(Buf *out, const char *keyword, const Variable *v) {
    buf_text(out, keyword);
    text_print_name(out, v->symbol->name);
    buf_text(out, " : ");
    sort_print(out, v->sort);
}

static void print_global(Buf *out, const Variable *v) {
    variable_head(out, "global ", v);
    if (v->init) expression(out, " = ", v->init, "");
    attributes(out, variable_fields, v);
}

static void print_local(Buf *out, const Template *t, const Variable *v) {
    variable_head(out, "  local ", v);
    if (v == t->self) buf_text(out, " self");
    if (v == t->argument) buf_text(out, " argument");
    if (v == t->result) buf_text(out, " result");
    attributes(out, variable_fields, v);
}

/* Prints the initial bytes in hexadecimal, without the zeros at the end. */
static void object_bytes(Buf *out, const Object *o) {
    if (!o->bytes) return;
    uint64_t n = o->size;
    while (n && !o->bytes[n - 1]) n--;
    buf_text(out, " = \"");
    for (uint64_t i = 0; i < n; i++) buf_printf(out, "%02x", o->bytes[i]);
    buf_char(out, '"');
}

static void print_relocation(Buf *out, const Relocation *r) {
    buf_printf(out, " reloc %" PRIu64 " -> ", r->offset);
    text_print_name(out, r->target->name);
    if (r->addend) buf_printf(out, " + %" PRId64, r->addend);
}

static void print_object(Buf *out, const Program *p, const Object *o) {
    buf_text(out, "object ");
    text_print_name(out, o->symbol->name);
    buf_printf(out, " : %s", object_words[o->kind]);
    if (o->size) buf_printf(out, " %" PRIu64, o->size);
    const Template *owner = object_is_in_template(o) ? program_body(p, o->template_) : NULL;
    if (owner) {
        buf_text(out, template_is_procedure(owner) ? " in procedure " : " in ");
        text_print_name(out, owner->name);
    }
    object_bytes(out, o);
    for (unsigned i = 0; i < o->nrelocations; i++) print_relocation(out, &o->relocations[i]);
    attributes(out, object_fields, o);
}

/* ---- instructions ---- */

/* Prints the variable or expression behind :=, and quotes a variable that is called any: `x := any` would be a choice. */
static void print_value(Buf *out, const Expr *e) {
    if (e && e->op == OP_SYMBOL) text_print_name(out, e->symbol->name);
    else expression(out, "", e, "");
}

static void print_lock(Buf *out, const Instr *i) {
    buf_printf(out, "%s ", instr_shapes[i->kind].text);
    if (i->cell) text_print_name(out, i->cell->symbol->name);
    else expression(out, "[", i->address, "]");
}

static void print_create(Buf *out, const Program *p, const Instr *i) {
    buf_text(out, "create ");
    if (i->template_ < vec_len(p->templates)) text_print_name(out, p->templates[i->template_]->name);
    else buf_printf(out, "%u", i->template_);
    expression(out, " (", i->value, ")");
}

static void print_call(Buf *out, const Program *p, const Instr *i) {
    const Template *callee = program_body(p, i->template_);
    for (unsigned k = 0; k < i->call->nresults; k++) {
        buf_text(out, k ? ", " : "");
        text_print_name(out, i->call->results[k]->symbol->name);
    }
    buf_text(out, i->call->nresults ? " := call " : "call ");
    if (i->address) expression(out, "[", i->address, "]");
    else text_print_name(out, callee ? callee->name : "missing");
    buf_text(out, " (");
    for (unsigned k = 0; k < i->call->narguments; k++) expression(out, k ? ", " : "", i->call->arguments[k], "");
    buf_char(out, ')');
}

static void print_alloc(Buf *out, const Instr *i) {
    buf_text(out, "alloc ");
    text_print_name(out, i->object ? i->object->symbol->name : "missing");
    expression(out, " size ", i->size, "");
}

static void print_order(Buf *out, MemoryOrder o) {
    if (o != ORDER_SEQ_CST) buf_printf(out, " %s", order_words[o]);
}

static void print_atomic(Buf *out, const Instr *i) {
    if (!i->atomic) return;
    buf_text(out, "atomic");
    print_order(out, i->order);
    buf_char(out, ' ');
}

static void instr_body(Buf *out, const Program *p, const Instr *i) {
    const char *text = instr_shapes[i->kind].text;
    switch (i->kind) {
    case INSTR_ASSIGN:
        print_atomic(out, i);
        print_value(out, i->value);
        break;
    case INSTR_HAVOC: buf_text(out, i->undefined ? "undefined" : "any"); break;
    case INSTR_ASSUME:
        expression(out, i->waits ? "await " : "assume ", i->value, "");
        if (i->address) expression(out, " of ", i->address, "");
        break;
    case INSTR_LOAD:
        print_atomic(out, i);
        expression(out, "load [", i->address, "]");
        break;
    case INSTR_STORE:
        print_atomic(out, i);
        expression(out, "store [", i->address, "] := ");
        expression(out, "", i->value, "");
        break;
    case INSTR_COPY:
        expression(out, "copy [", i->address, "] := [");
        expression(out, "", i->value, "] size ");
        expression(out, "", i->size, "");
        break;
    case INSTR_FILL:
        expression(out, "fill [", i->address, "] := ");
        expression(out, "", i->value, " size ");
        expression(out, "", i->size, "");
        break;
    case INSTR_ALLOC: print_alloc(out, i); break;
    case INSTR_FREE: expression(out, "free [", i->address, "]"); break;
    case INSTR_SIZE: expression(out, "sizeof [", i->address, "]"); break;
    case INSTR_WRITTEN: expression(out, "written [", i->address, "]"); break;
    case INSTR_ALIVE:
    case INSTR_DEAD:
        buf_printf(out, "%s ", text);
        text_print_name(out, i->object ? i->object->symbol->name : "missing");
        break;
    case INSTR_INVALID:
        expression(out, !i->size ? "invalid free [" : i->writes ? "invalid store [" : "invalid [", i->address, "]");
        if (i->size) expression(out, " size ", i->size, "");
        break;
    case INSTR_LOST: buf_text(out, text); break;
    case INSTR_LOCK:
    case INSTR_TRYLOCK:
    case INSTR_UNLOCK: print_lock(out, i); break;
    case INSTR_CREATE: print_create(out, p, i); break;
    case INSTR_JOIN: expression(out, "join (", i->address, ")"); break;
    case INSTR_FENCE:
        buf_text(out, text);
        print_order(out, i->order);
        break;
    case INSTR_CALL: print_call(out, p, i); break;
    }
}

static void print_instr(Buf *out, const Program *p, const Instr *i, Position inherited) {
    if (i->target) {
        text_print_name(out, i->target->symbol->name);
        buf_text(out, " := ");
    }
    instr_body(out, p, i);
    fields_print(out, instr_fields, i, inherited, " ", "");
    buf_char(out, ';');
}

/* ---- control ---- */

static void print_instrs(Buf *out, const Program *p, const Action *a) {
    size_t n = vec_len(a->instrs);
    if (!n) return;
    if (n == 1) {
        buf_text(out, "do ");
        print_instr(out, p, &a->instrs[0], a->position);
        buf_char(out, ' ');
        return;
    }
    buf_text(out, "do\n");
    for (size_t i = 0; i < n; i++) {
        buf_text(out, "      ");
        print_instr(out, p, &a->instrs[i], a->position);
        buf_char(out, '\n');
    }
    buf_text(out, "    ");
}

static void print_action(Buf *out, const Program *p, const Location *l, const Action *a, unsigned expected) {
    buf_text(out, "    ");
    if (a->index != expected) buf_printf(out, "action %u ", a->index);
    if (!a->guard || !expr_is_true(a->guard)) expression(out, "when ", a->guard, " ");
    fields_print(out, action_fields, a, l->position, "", " ");
    print_instrs(out, p, a);
    buf_text(out, "goto ");
    label(out, a->target);
    buf_text(out, ";\n");
}

static void print_location(Buf *out, const Program *p, const Template *t, const Location *l, unsigned *expected) {
    buf_text(out, "  ");
    label(out, l->index);
    fields_print(out, location_fields, l, (Position){0}, " ", "");
    if (!vec_len(l->out)) {
        buf_text(out, ";\n");
        return;
    }
    buf_text(out, " {\n");
    for (size_t i = 0; i < vec_len(l->out); i++) print_action(out, p, l, &t->actions[l->out[i]], (*expected)++);
    buf_text(out, "  }\n");
}

static void print_body(Buf *out, const Program *p, const Template *t) {
    unsigned expected = 0;
    if (vec_len(t->locations)) {
        buf_text(out, " entry ");
        label(out, t->entry);
    }
    buf_text(out, " {\n");
    for (size_t i = vec_len(t->parameters) + vec_len(t->results); i < vec_len(t->locals); i++) print_local(out, t, t->locals[i]);
    for (size_t i = 0; i < vec_len(t->locations); i++) print_location(out, p, t, &t->locations[i], &expected);
    buf_text(out, "}\n");
}

static void print_template(Buf *out, const Program *p, const Template *t) {
    buf_text(out, "\nthread ");
    text_print_name(out, t->name);
    if (t->count) buf_printf(out, " count %u", t->count);
    else buf_text(out, " count many");
    print_body(out, p, t);
}

/* Prints parameters or results, with their attributes. */
static void print_parameters(Buf *out, Variable *const *list) {
    for (size_t i = 0; i < vec_len(list); i++) {
        variable_head(out, i ? ", " : "", list[i]);
        fields_print(out, variable_fields, list[i], (Position){0}, " ", "");
    }
}

static void print_procedure(Buf *out, const Program *p, const Template *t) {
    buf_text(out, "\nprocedure ");
    text_print_name(out, t->name);
    buf_text(out, " (");
    print_parameters(out, t->parameters);
    buf_char(out, ')');
    if (vec_len(t->results)) buf_text(out, " -> ");
    print_parameters(out, t->results);
    if (t->address) {
        buf_text(out, " address ");
        text_print_name(out, t->address->symbol->name);
    }
    fields_print(out, template_fields, t, (Position){0}, " ", "");
    if (vec_len(t->locations)) print_body(out, p, t);
    else buf_text(out, ";\n");
}

void program_print(Buf *out, const Program *p) {
    buf_printf(out, "program pointer %u", p->pointer_width);
    attributes(out, program_fields, p);
    for (size_t i = 0; i < vec_len(p->approximations); i++) print_approximation(out, &p->approximations[i]);
    for (size_t i = 0; i < vec_len(p->objects); i++) print_object(out, p, p->objects[i]);
    for (size_t i = 0; i < vec_len(p->globals); i++) print_global(out, p->globals[i]);
    for (size_t i = 0; i < vec_len(p->templates); i++) print_template(out, p, p->templates[i]);
    for (size_t i = 0; i < vec_len(p->procedures); i++) print_procedure(out, p, p->procedures[i]);
}
