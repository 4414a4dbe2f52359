/* SPDX-License-Identifier: Apache-2.0 */
/* Turns misuse of memory into errors, for engines that search for error locations.

   requires  a well-formed program whose assertions are forgotten (ir/asserts.h)
   ensures   an ERROR is reachable if an access or a FREE can be invalid, or if memory can be lost when main returns. A STOP is reachable if memory
             can be lost when the process ends in another way. Locations and actions of the program come first, with their old numbers
   breaks    nothing

   For each access, the pass adds an action from the same location to an error. The new action executes the instructions before the access, and is
   enabled if the access is invalid (INSTR_INVALID). An access at a constant offset within a named object needs no such action: the object is
   alive, since only code within its scope can name it. The product of an index and a size must not overflow, since the address would then be the
   address of another element. instrument_mutexes.c treats mutexes. */
#include "passes/program/instrumented.h"
#include "expr/defined.h"
#include "passes/messages.h"

typedef struct Ask {
    Program *program;
    Template *template_;
    unsigned action, before; /* the action, and the number of its instructions before the present one */
    bool allocates;          /* the program has an ALLOC */
    Instrumented *out;
} Ask;

/* ---- actions to errors ---- */

static void ask(Ask *a, LocationKind kind, const char *text, Instr asks, TraceEnd end) {
    instrumented_add(a->out, a->template_, a->action, a->before, kind, text, &asks, end);
}

static void ask_fault(Ask *a, Instr asks) { ask(a, LOCATION_ERROR, MSG_PASSES_FAULT_MEMORY, asks, TRACE_FAULT); }

static void ask_condition(Ask *a, const Expr *e) { ask_fault(a, (Instr){.kind = INSTR_ASSUME, .value = e}); }

/* ---- accesses ---- */

/* Returns the object if e is its address plus constants, or NULL. Adds the constants to *offset. */
static const Object *constant_place(const Expr *e, uint64_t *offset) {
    if (e->op == OP_SYMBOL && e->symbol->kind == SYM_ADDRESS) return e->symbol->user;
    if (e->op != OP_ADD) return NULL;
    unsigned k = expr_is_const(e->args[0]) ? 0 : 1;
    if (!expr_is_const(e->args[k])) return NULL;
    *offset += (uint64_t)e->args[k]->value;
    return constant_place(e->args[1 - k], offset);
}

static bool is_plainly_valid(const Program *p, const Expr *address, const Expr *size, bool writes) {
    uint64_t offset = 0;
    const Object *o = constant_place(address, &offset);
    if (p->pointer_width == 32) offset = (uint32_t)offset;
    if (!o || o->kind == OBJECT_HEAP || o->kind == OBJECT_FUNCTION || (writes && o->readonly) || !expr_is_const(size)) return false;
    return offset <= o->size && (uint64_t)size->value <= o->size - offset;
}

/* Adds errors for products of indices and sizes in the address that may overflow. */
static void ask_products(Ask *a, const Expr *e) {
    Exprs *x = a->program->exprs;
    if (e->op == OP_ADD || e->op == OP_SUB) {
        ask_products(a, e->args[0]);
        ask_products(a, e->args[1]);
    }
    if ((e->op != OP_MUL && e->op != OP_SHL) || !(e->flags & FLAG_NSW)) return;
    DefinedValue all = expr_meaning(x, e), first = expr_meaning(x, e->args[0]), second = expr_meaning(x, e->args[1]);
    if (!all.value || expr_is_true(all.defined)) return;
    ask_condition(a, expr_and(x, expr_and(x, first.defined, second.defined), expr_not(x, all.defined)));
}

static void ask_access(Ask *a, const Expr *address, const Expr *size, bool writes) {
    if (!question_has_parts(a->out->question, PART_DEREF) || is_plainly_valid(a->program, address, size, writes)) return;
    ask_products(a, address);
    ask_fault(a, (Instr){.kind = INSTR_INVALID, .address = address, .size = size, .writes = writes});
}

static void ask_free(Ask *a, const Expr *address) {
    if (question_has_parts(a->out->question, PART_FREE)) ask_fault(a, (Instr){.kind = INSTR_INVALID, .address = address});
}

static const Expr *bytes(const Ask *a, const Sort *s) {
    return expr_bv(a->program->exprs, a->program->pointer_width, s->kind == SORT_BV ? (s->width + 7) / 8 : 1);
}

static void ask_instr(Ask *a, const Instr *i) {
    Exprs *x = a->program->exprs;
    unsigned width = a->program->pointer_width;
    switch (i->kind) {
    case INSTR_LOAD: ask_access(a, i->address, bytes(a, i->target->sort), false); return;
    case INSTR_STORE: ask_access(a, i->address, bytes(a, i->value->sort), true); return;
    case INSTR_COPY:
        ask_access(a, i->value, i->size, false);
        ask_access(a, i->address, i->size, true);
        return;
    case INSTR_FILL: ask_access(a, i->address, i->size, true); return;
    case INSTR_LOCK:
    case INSTR_TRYLOCK:
    case INSTR_UNLOCK:
        if (i->address) ask_access(a, i->address, expr_bv(x, width, 4), true);
        return;
    case INSTR_WRITTEN: ask_access(a, i->address, expr_bv(x, width, 4), false); return;
    case INSTR_SIZE:
        if (question_has_parts(a->out->question, PART_FREE)) ask_condition(a, expr_eq(x, i->address, expr_bv(x, width, 0)));
        ask_free(a, i->address);
        return;
    case INSTR_FREE: ask_free(a, i->address); return;
    case INSTR_ALLOC: a->allocates = true; return;
    default: return;
    }
}

/* ---- lost memory ---- */

/* True if a known violation has lost some memory. INSTR_LOST does not distinguish this memory from other lost memory. */
static bool some_is_known(const Ask *a) {
    for (size_t i = 0; i < vec_len(a->program->objects); i++)
        if (known_lost(a->out->question->known, a->program->objects[i]->position)) return true;
    return false;
}

static void ask_end(Ask *a) {
    const Template *t = a->template_;
    const Location *l = &t->locations[t->actions[a->action].target];
    Instr lost = {.kind = INSTR_LOST};
    if (l->kind != LOCATION_HALT) return;
    a->before = (unsigned)vec_len(t->actions[a->action].instrs);
    if (l->text || some_is_known(a)) ask(a, LOCATION_STOP, MSG_PASSES_LOST_OPEN, lost, TRACE_LEAK);
    else ask(a, LOCATION_ERROR, MSG_PASSES_LOST, lost, TRACE_LEAK);
}

typedef void (*Visitor)(Ask *);

static void ask_action(Ask *a) {
    for (a->before = 0; a->before < vec_len(a->template_->actions[a->action].instrs); a->before++) {
        Instr i = a->template_->actions[a->action].instrs[a->before];
        if (!known_at(a->out->question->known, i.position) || i.kind == INSTR_ALLOC) ask_instr(a, &i);
    }
}

/* Visits the first counts[t] actions of each template t: the actions that the program had before the pass. */
static void each_action(Ask *a, const size_t *counts, Visitor visit) {
    for (size_t t = 0; t < vec_len(a->program->templates); t++) {
        a->template_ = a->program->templates[t];
        for (a->action = 0; a->action < counts[t]; a->action++) visit(a);
    }
}

static size_t *count_actions(const Program *program) {
    size_t *counts = NULL;
    for (size_t t = 0; t < vec_len(program->templates); t++) vec_push(counts, vec_len(program->templates[t]->actions));
    return counts;
}

void add_access_errors(Instrumented *out) {
    Ask a = {.program = out->program, .out = out};
    size_t *counts = count_actions(out->program);
    each_action(&a, counts, ask_action);
    vec_free(counts);
}

Instrumented instrument_memory(Program *program, const Question *question) {
    Instrumented out = {.program = program, .question = question, .end = TRACE_FAULT};
    Ask a = {.program = program, .out = &out};
    size_t *counts = count_actions(program);
    instrument_mutexes(&out);
    each_action(&a, counts, ask_action);
    if (a.allocates && question_has_parts(question, PART_MEMCLEANUP)) out.refused = MSG_PASSES_MEMCLEANUP;
    if (a.allocates && question_has_parts(question, PART_MEMTRACK)) each_action(&a, counts, ask_end);
    vec_free(counts);
    return out;
}
