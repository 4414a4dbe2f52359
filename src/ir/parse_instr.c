/* SPDX-License-Identifier: Apache-2.0 */
/* Parses instructions of .hir text. The checker checks sorts and kinds of operands. */
#include "ir/parse.h"
#include "expr/messages.h"
#include "ir/fields.h"
#include "ir/internal.h"
#include "ir/messages.h"
#include "ir/text.h"

static const Symbol *symbol_of(Parser *r, const char *what, SymbolKind kind) {
    Place place = parser_place(r);
    const char *name = parser_name(r, what);
    if (!name) return NULL;
    const Symbol *s = map_find(r->locals, name);
    if (!s) s = map_find(r->globals, name);
    if (s && s->kind == kind) return s;
    if (s) parser_error_at(r, place, MSG_IR_NAME_KIND, name, what);
    else parser_error_at(r, place, MSG_EXPR_UNDECLARED, name);
    return NULL;
}

static Variable *variable_name(Parser *r) {
    const Symbol *s = symbol_of(r, "a variable", SYM_VARIABLE);
    return s ? s->user : NULL;
}

static Object *object_name(Parser *r) {
    const Symbol *s = symbol_of(r, "an object", SYM_ADDRESS);
    return s ? s->user : NULL;
}

static const Expr *between(Parser *r, const char *open, const char *close) {
    if (!lexer_expect(r->lexer, open)) return NULL;
    const Expr *e = parser_expr(r);
    lexer_expect(r->lexer, close);
    return e;
}

static const Expr *bracketed(Parser *r) { return between(r, "[", "]"); }

static void parse_size(Parser *r, Instr *i) {
    if (lexer_expect(r->lexer, "size")) i->size = parser_expr(r);
}

static void parse_alloc(Parser *r, Instr *i) {
    i->object = object_name(r);
    parse_size(r, i);
}

static void parse_store(Parser *r, Instr *i) {
    i->address = bracketed(r);
    lexer_expect(r->lexer, ":=");
    i->value = i->kind == INSTR_COPY ? bracketed(r) : parser_expr(r);
    if (i->kind != INSTR_STORE) parse_size(r, i);
}

static void parse_lock(Parser *r, Instr *i) {
    if (lexer_is(r->lexer, "[")) i->address = bracketed(r);
    else i->cell = variable_name(r);
}

static void parse_create(Parser *r, Instr *i) {
    Mention m = {.place = parser_place(r)};
    m.name = parser_name(r, "the name of a thread");
    i->template_ = (unsigned)vec_len(r->created);
    vec_push(r->created, m);
    i->value = between(r, "(", ")");
}

/* Parses the callee and the arguments. The results come before the word. */
static void parse_call(Parser *r, Instr *i, Variable *const *results) {
    Lexer *l = r->lexer;
    const Expr **arguments = NULL;
    Mention m = {.place = parser_place(r)};
    if (lexer_is(l, "[")) {
        i->address = bracketed(r);
    } else {
        m.name = parser_name(r, "the name of a procedure");
        i->template_ = (unsigned)vec_len(r->created);
        vec_push(r->created, m);
    }
    lexer_expect(l, "(");
    while (!l->failed && !lexer_is(l, ")")) {
        vec_push(arguments, parser_expr(r));
        if (!lexer_is(l, ")")) lexer_expect(l, ",");
    }
    lexer_expect(l, ")");
    i->call = call_new(r->program, (unsigned)vec_len(arguments), arguments, (unsigned)vec_len(results), results);
    vec_free(arguments);
}

/* Parses a memory order. The text leaves out seq_cst. */
static MemoryOrder parse_order(Parser *r) {
    for (unsigned k = 1; k < ORDERS; k++)
        if (lexer_accept(r->lexer, order_words[k])) return (MemoryOrder)k;
    return ORDER_SEQ_CST;
}

static void parse_invalid(Parser *r, Instr *i) {
    bool frees = lexer_accept(r->lexer, "free");
    if (!frees) i->writes = lexer_accept(r->lexer, "store");
    i->address = bracketed(r);
    if (!frees) parse_size(r, i);
}

/* Parses the operands behind the instruction's word. */
static void parse_operands(Parser *r, Instr *i) {
    switch (i->kind) {
    case INSTR_HAVOC:
    case INSTR_LOST: break;
    case INSTR_INVALID: parse_invalid(r, i); break;
    case INSTR_ASSIGN: i->value = parser_expr(r); break;
    case INSTR_ASSUME:
        i->value = parser_expr(r);
        if (i->waits && lexer_accept(r->lexer, "of")) i->address = parser_expr(r);
        break;
    case INSTR_LOAD:
    case INSTR_FREE:
    case INSTR_SIZE:
    case INSTR_WRITTEN: i->address = bracketed(r); break;
    case INSTR_STORE:
    case INSTR_COPY:
    case INSTR_FILL: parse_store(r, i); break;
    case INSTR_ALLOC: parse_alloc(r, i); break;
    case INSTR_ALIVE:
    case INSTR_DEAD: i->object = object_name(r); break;
    case INSTR_LOCK:
    case INSTR_TRYLOCK:
    case INSTR_UNLOCK: parse_lock(r, i); break;
    case INSTR_CREATE: parse_create(r, i); break;
    case INSTR_JOIN: i->address = between(r, "(", ")"); break;
    case INSTR_FENCE: i->order = parse_order(r); break;
    case INSTR_CALL: break; /* parse_instr */
    }
}

/* Parses the word of an instruction, if its kind fits the target: some need a target, some have none. Returns false if there is no such
   word. */
static bool parse_word(Parser *r, Instr *i) {
    i->atomic = lexer_accept(r->lexer, "atomic");
    if (i->atomic) i->order = parse_order(r);
    for (unsigned k = INSTR_HAVOC; k < INSTR_KINDS; k++) {
        Part target = k == INSTR_CALL ? PART_OPTIONAL : instr_shapes[k].target;
        if (target == (i->target ? PART_NONE : PART_REQUIRED)) continue;
        if (i->atomic && k != INSTR_LOAD && k != INSTR_STORE) continue;
        if (!lexer_accept(r->lexer, instr_shapes[k].text)) continue;
        i->kind = (InstrKind)k;
        return true;
    }
    if (!i->target && !i->atomic && lexer_accept(r->lexer, "await")) {
        i->kind = INSTR_ASSUME;
        return i->waits = true;
    }
    if (i->target && !i->atomic && lexer_accept(r->lexer, "undefined")) {
        i->kind = INSTR_HAVOC;
        return i->undefined = true;
    }
    if (i->atomic && !i->target) lexer_error(r->lexer, MSG_EXPR_EXPECTED, "store");
    return false;
}

/* Parses the variables before := . Only a call has several. */
static void parse_targets(Parser *r, Variable ***targets) {
    do {
        Variable *v = variable_name(r);
        if (v) vec_push(*targets, v);
    } while (!r->lexer->failed && lexer_accept(r->lexer, ","));
}

void parse_instr(Parser *r, Action *a, Position inherited) {
    Instr i = {.kind = INSTR_ASSIGN, .position = inherited};
    Variable **targets = NULL;
    if (!parse_word(r, &i)) {
        parse_targets(r, &targets);
        i.target = vec_len(targets) ? targets[0] : NULL;
        if (i.target && lexer_expect(r->lexer, ":=")) parse_word(r, &i);
    }
    if (vec_len(targets) > 1 && i.kind != INSTR_CALL) lexer_error(r->lexer, MSG_EXPR_EXPECTED, "call");
    if (i.kind == INSTR_CALL) i.target = NULL, parse_call(r, &i, targets);
    vec_free(targets);
    if (r->lexer->failed) return;
    parse_operands(r, &i);
    while (fields_parse(r, instr_fields, &i)) continue;
    if (lexer_expect(r->lexer, ";")) vec_push(a->instrs, i);
}
