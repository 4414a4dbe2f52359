/* SPDX-License-Identifier: Apache-2.0 */
/* Parses .hir text (doc/ir.md): declarations, threads, locations and actions. It checks what it needs to build a Program: names, labels
   and numbers. The checker decides whether the program is well-formed. After the first error the lexer returns only ends of text, so
   every loop here ends, and every NULL is passed on. */
#include "ir/parse.h"
#include "expr/messages.h"
#include "ir/effects.h"
#include "ir/fields.h"
#include "ir/internal.h"
#include "ir/messages.h"
#include "ir/text.h"
#include <string.h>

enum { MAX_BYTES = 1 << 28 }; /* of initial contents */

/* ---- parts ---- */

static const char *interned(Parser *r, const char *text) { return exprs_intern(r->program->exprs, text); }

const char *parser_name(Parser *r, const char *what) { return text_name(r->lexer, r->program->exprs, what); }
static const char *string(Parser *r, const char *what) { return text_string(r->lexer, r->program->exprs, what); }

bool parser_number(Parser *r, uint64_t max, uint64_t *number) {
    Lexer *l = r->lexer;
    if (l->token != TOKEN_NUMBER || l->width || l->number < 0 || l->number > (i128)max) {
        lexer_error(l, MSG_IR_NUMBER_EXPECTED, (unsigned long long)max);
        return false;
    }
    *number = (uint64_t)l->number;
    lexer_next(l);
    return true;
}

static void small_number(Parser *r, unsigned *number) {
    uint64_t n;
    if (parser_number(r, NO_APPROXIMATION - 1, &n)) *number = (unsigned)n;
}

static const Symbol *resolve(void *context, const char *name) {
    Parser *r = context;
    const char *key = interned(r, name);
    const Symbol *s = r->template_ ? map_find(r->locals, key) : NULL;
    return s ? s : map_find(r->globals, key);
}

const Expr *parser_expr(Parser *r) { return expr_parse(r->program->exprs, r->lexer, resolve, r); }

bool parser_position(Parser *r, Position *position) { return text_position(r->lexer, r->program->exprs, position); }

static void declare(Parser *r, Map *scope, Place place, const char *name, const Symbol *s) {
    if (map_find(scope, name)) parser_error_at(r, place, MSG_EXPR_NAME_TAKEN, name);
    map_set(scope, name, s);
}

/* ---- approximations, variables ---- */

static void parse_approximation(Parser *r) {
    unsigned kind =
        r->lexer->token == TOKEN_NAME ? text_word(approximation_words, APPROXIMATION_KINDS, r->lexer->name) : APPROXIMATION_KINDS;
    Approximation attributes = {0};
    if (kind == APPROXIMATION_KINDS) {
        lexer_error(r->lexer, MSG_IR_APPROXIMATION_EXPECTED);
        return;
    }
    lexer_next(r->lexer);
    const char *text = string(r, "the text of the approximation");
    bool result = lexer_accept(r->lexer, "result");
    const char *function = result || lexer_accept(r->lexer, "function") ? string(r, "the function's name") : NULL;
    while (fields_parse(r, approximation_fields, &attributes)) continue;
    if (!lexer_expect(r->lexer, ";")) return;
    unsigned index = program_approximation(r->program, (ApproximationKind)kind, attributes.position, text);
    r->program->approximations[index].properties = attributes.properties;
    r->program->approximations[index].result = result;
    r->program->approximations[index].function = function ? exprs_intern(r->program->exprs, function) : NULL;
}

/* Parses self, argument or result, which mark the special locals of a thread. */
static bool parse_role(Parser *r, Variable *v) {
    Template *t = r->template_;
    if (v->global) return false;
    Variable **role = lexer_is(r->lexer, "self")       ? &t->self
                      : template_is_procedure(t)       ? NULL
                      : lexer_is(r->lexer, "argument") ? &t->argument
                      : lexer_is(r->lexer, "result")   ? &t->result
                                                       : NULL;
    if (!role) return false;
    if (*role) lexer_error(r->lexer, MSG_IR_ROLE_TWICE, r->lexer->name);
    *role = v;
    lexer_next(r->lexer);
    return true;
}

static void parse_variable(Parser *r, bool global) {
    Lexer *l = r->lexer;
    Place place = parser_place(r);
    const char *name = parser_name(r, "the variable's name");
    const Sort *sort = lexer_expect(l, ":") ? sort_parse(r->program->exprs, l) : NULL;
    if (!name || !sort || l->failed) return;
    const Expr *init = global && lexer_accept(l, "=") ? parser_expr(r) : NULL;
    Variable *v = global ? program_global(r->program, name, sort, init) : template_local(r->program, r->template_, name, sort);
    declare(r, global ? r->globals : r->locals, place, name, v->symbol);
    while (fields_parse(r, variable_fields, v) || parse_role(r, v)) continue;
    variable_set_signed(r->program, v, v->is_signed);
    lexer_expect(l, ";");
}

/* ---- objects ---- */

static int hex(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

/* Parses hexadecimal bytes, with optional blanks between them. Missing bytes at the end are zero. */
static void parse_bytes(Parser *r, Object *o) {
    Place place = parser_place(r);
    const char *text = string(r, "bytes");
    if (!text) return;
    if (o->size > MAX_BYTES) {
        parser_error_at(r, place, MSG_IR_BYTES_LIMIT, MAX_BYTES);
        return;
    }
    uint8_t *bytes = arena_array(r->program->arena, uint8_t, o->size + 1);
    uint64_t n = 0;
    for (; *text; text++) {
        if (*text == ' ') continue;
        int high = hex(text[0]), low = high < 0 ? -1 : hex(text[1]);
        if (low < 0) parser_error_at(r, place, MSG_IR_BYTES_FORM);
        else if (n == o->size) parser_error_at(r, place, MSG_IR_BYTES_MANY);
        if (r->lexer->failed) return;
        bytes[n++] = (uint8_t)(high * 16 + low);
        text++;
    }
    o->bytes = bytes;
}

static void mention(Parser *r, Object *o, unsigned relocation) {
    bool procedure = relocation == NO_RELOCATION && lexer_accept(r->lexer, "procedure");
    ObjectMention m = {.mention.place = parser_place(r), .object = o, .procedure = procedure, .relocation = relocation};
    m.mention.name = parser_name(r, procedure                     ? "the name of a procedure"
                                    : relocation == NO_RELOCATION ? "the name of a thread"
                                                                  : "the name of an object");
    vec_push(r->objects, m);
}

static void parse_addend(Parser *r, int64_t *addend) {
    Lexer *l = r->lexer;
    lexer_accept(l, "+");
    if (l->token != TOKEN_NUMBER || l->width || l->number < INT64_MIN || l->number > INT64_MAX) {
        lexer_error(l, MSG_EXPR_EXPECTED, "a number of 64 bits");
        return;
    }
    *addend = (int64_t)l->number;
    lexer_next(l);
}

static void parse_relocation(Parser *r, Object *o, Relocation **relocations) {
    Relocation relocation = {0};
    unsigned index = (unsigned)vec_len(*relocations);
    if (parser_number(r, UINT64_MAX, &relocation.offset) && lexer_expect(r->lexer, "->")) mention(r, o, index);
    if (lexer_is(r->lexer, "+") || r->lexer->token == TOKEN_NUMBER) parse_addend(r, &relocation.addend);
    vec_push(*relocations, relocation);
}

static bool parse_object_attribute(Parser *r, Object *o, Relocation **relocations) {
    Lexer *l = r->lexer;
    if (lexer_accept(l, "=")) parse_bytes(r, o);
    else if (lexer_accept(l, "in")) mention(r, o, NO_RELOCATION);
    else if (lexer_accept(l, "reloc")) parse_relocation(r, o, relocations);
    else return fields_parse(r, object_fields, o);
    return true;
}

static void parse_object(Parser *r) {
    Lexer *l = r->lexer;
    Place place = parser_place(r);
    const char *name = parser_name(r, "the object's name");
    lexer_expect(l, ":");
    unsigned kind = l->token == TOKEN_NAME ? text_word(object_words, 5, l->name) : 5;
    if (kind == 5) {
        lexer_error(l, MSG_IR_OBJECT_EXPECTED);
        return;
    }
    lexer_next(l);
    uint64_t size = 0;
    if (l->token == TOKEN_NUMBER) parser_number(r, INT64_MAX, &size);
    if (l->failed) return;
    Object *o = program_object(r->program, (ObjectKind)kind, name, size);
    declare(r, r->template_ ? r->locals : r->globals, place, name, o->symbol);
    Relocation *relocations = NULL;
    while (parse_object_attribute(r, o, &relocations)) continue;
    o->nrelocations = (unsigned)vec_len(relocations);
    o->relocations = arena_copy(r->program->arena, relocations, sizeof *relocations * vec_len(relocations));
    vec_free(relocations);
    if (r->template_ && object_is_in_template(o)) o->template_ = r->template_->index;
    lexer_expect(l, ";");
}

/* ---- control ---- */

static unsigned label(Parser *r) {
    Place place = parser_place(r);
    const char *name = parser_name(r, "a label");
    uint64_t known;
    if (!name) return 0;
    if (map_get(r->label_of, map_key(name), &known)) return (unsigned)known;
    Label fresh = {.name = name, .location = NO_LOCATION, .place = place};
    vec_push(r->labels, fresh);
    map_put(r->label_of, map_key(name), vec_len(r->labels) - 1);
    return (unsigned)vec_len(r->labels) - 1;
}

static void parse_action(Parser *r, unsigned source) {
    Lexer *l = r->lexer;
    Position inherited = r->template_->locations[source].position;
    unsigned number = (unsigned)vec_len(r->numbers);
    Action *a = template_action(r->program, r->template_, source, 0, NULL, inherited);
    if (lexer_accept(l, "action")) small_number(r, &number);
    if (lexer_accept(l, "when")) a->guard = parser_expr(r);
    while (fields_parse(r, action_fields, a)) continue;
    vec_push(r->numbers, number);
    if (lexer_accept(l, "do"))
        while (!l->failed && !lexer_is(l, "goto")) parse_instr(r, a, a->position);
    if (lexer_expect(l, "goto")) a->target = label(r);
    lexer_expect(l, ";");
}

static void parse_location(Parser *r) {
    Lexer *l = r->lexer;
    Place place = parser_place(r);
    unsigned name = label(r);
    if (l->failed) return;
    if (r->labels[name].location != NO_LOCATION) parser_error_at(r, place, MSG_IR_LABEL_TWICE, r->labels[name].name);
    unsigned index = template_location(r->program, r->template_, LOCATION_PLAIN, (Position){0});
    r->labels[name].location = index;
    while (fields_parse(r, location_fields, &r->template_->locations[index])) continue;
    if (lexer_accept(l, ";")) return;
    if (!lexer_is(l, "{")) lexer_error(l, MSG_IR_LOCATION_EXPECTED);
    lexer_accept(l, "{");
    while (!l->failed && !lexer_is(l, "}")) parse_action(r, index);
    lexer_expect(l, "}");
}

/* Replaces labels by locations. */
static void resolve_labels(Parser *r, unsigned entry) {
    Template *t = r->template_;
    for (size_t i = 0; i < vec_len(r->labels); i++)
        if (r->labels[i].location == NO_LOCATION) parser_error_at(r, r->labels[i].place, MSG_IR_LABEL_UNDEFINED, r->labels[i].name);
    if (r->lexer->failed) return;
    if (entry != NO_LOCATION) t->entry = r->labels[entry].location;
    for (size_t i = 0; i < vec_len(t->actions); i++) t->actions[i].target = r->labels[t->actions[i].target].location;
}

/* Moves actions to the indices that the text gives them. */
static void number_actions(Parser *r, Place place) {
    Template *t = r->template_;
    size_t n = vec_len(t->actions);
    Action *ordered = NULL;
    vec_resize(ordered, n);
    for (size_t i = 0; i < n && !r->lexer->failed; i++) {
        unsigned k = r->numbers[i];
        if (k >= n || ordered[k].guard) {
            parser_error_at(r, place, MSG_IR_ACTION_NUMBERS, n - 1);
            break;
        }
        ordered[k] = t->actions[i];
        ordered[k].index = k;
    }
    if (!r->lexer->failed) {
        for (size_t i = 0; i < n; i++) t->actions[i] = ordered[i];
        for (size_t i = 0; i < vec_len(t->locations); i++)
            for (size_t j = 0; j < vec_len(t->locations[i].out); j++) t->locations[i].out[j] = r->numbers[t->locations[i].out[j]];
    }
    vec_free(ordered);
}

static void complete_locals(Parser *r) {
    Template *t = r->template_;
    if (template_is_procedure(t)) return;
    size_t before = vec_len(t->locals);
    template_complete(r->program, t);
    for (size_t i = before; i < vec_len(t->locals); i++) {
        const Variable *v = t->locals[i];
        if (!map_find(r->locals, v->name)) map_set(r->locals, v->name, v->symbol);
    }
}

static void parse_body(Parser *r, unsigned entry, Place place) {
    Lexer *l = r->lexer;
    bool complete = false;
    lexer_expect(l, "{");
    while (!l->failed && !lexer_is(l, "}")) {
        if (lexer_accept(l, "local")) parse_variable(r, false);
        else if (lexer_accept(l, "object")) parse_object(r);
        else {
            if (!complete) complete_locals(r);
            complete = true;
            parse_location(r);
        }
    }
    if (!complete) complete_locals(r);
    lexer_expect(l, "}");
    resolve_labels(r, entry);
    number_actions(r, place);
}

/* Parses the name of a thread or procedure. No other one in the list may have it. */
static const char *fresh_name(Parser *r, Template *const *list, const char *what) {
    Place place = parser_place(r);
    const char *name = parser_name(r, what);
    for (size_t i = 0; name && i < vec_len(list); i++)
        if (list[i]->name == name) parser_error_at(r, place, MSG_EXPR_NAME_TAKEN, name);
    return name;
}

static void begin_scope(Parser *r) {
    r->locals = map_new();
    r->label_of = map_new();
}

static void end_scope(Parser *r) {
    r->template_ = NULL;
    map_free(r->locals);
    map_free(r->label_of);
    vec_free(r->labels);
    vec_free(r->numbers);
}

static void parse_thread(Parser *r) {
    Lexer *l = r->lexer;
    Place place = parser_place(r);
    const char *name = fresh_name(r, r->program->templates, "the thread's name");
    unsigned count = 1, entry = NO_LOCATION;
    begin_scope(r);
    if (lexer_accept(l, "count")) {
        if (lexer_accept(l, "many")) count = 0;
        else small_number(r, &count);
    }
    if (lexer_accept(l, "entry")) entry = label(r);
    if (!l->failed) {
        r->template_ = template_bare(r->program, name, count);
        parse_body(r, entry, place);
    }
    end_scope(r);
}

/* ---- procedures ---- */

static void parse_parameter(Parser *r, bool result) {
    Lexer *l = r->lexer;
    Place place = parser_place(r);
    const char *name = parser_name(r, result ? "the result's name" : "the parameter's name");
    const Sort *sort = lexer_expect(l, ":") ? sort_parse(r->program->exprs, l) : NULL;
    if (!name || !sort || l->failed) return;
    Variable *v = (result ? procedure_result : procedure_parameter)(r->program, r->template_, name, sort);
    declare(r, r->locals, place, name, v->symbol);
    while (fields_parse(r, variable_fields, v)) continue;
    variable_set_signed(r->program, v, v->is_signed);
}

static void parse_parameters(Parser *r) {
    Lexer *l = r->lexer;
    lexer_expect(l, "(");
    while (!l->failed && !lexer_is(l, ")")) {
        parse_parameter(r, false);
        if (!lexer_is(l, ")")) lexer_expect(l, ",");
    }
    lexer_expect(l, ")");
    if (!lexer_accept(l, "->")) return;
    do parse_parameter(r, true);
    while (!l->failed && lexer_accept(l, ","));
}

/* Parses the function object whose address is that of the procedure. */
static void parse_address(Parser *r) {
    Place place = parser_place(r);
    const char *name = parser_name(r, "the name of a function");
    const Symbol *s = name ? map_find(r->globals, name) : NULL;
    const Object *o = s && s->kind == SYM_ADDRESS ? s->user : NULL;
    if (name && !s) parser_error_at(r, place, MSG_EXPR_UNDECLARED, name);
    else if (name && (!o || o->kind != OBJECT_FUNCTION)) parser_error_at(r, place, MSG_IR_NAME_KIND, name, "a function");
    else if (o) r->template_->address = s->user;
}

static void parse_effects(Parser *r) {
    Buf why = {0};
    Place place = parser_place(r);
    const char *text = r->template_->effects = string(r, "effects");
    if (text && !effects_check(text, (unsigned)vec_len(r->template_->parameters), &why)) parser_error_at(r, place, "%s", buf_string(&why));
    buf_free(&why);
}

static bool parse_procedure_attribute(Parser *r) {
    if (lexer_accept(r->lexer, "address")) parse_address(r);
    else if (lexer_accept(r->lexer, "effects")) parse_effects(r);
    else return fields_parse(r, template_fields, r->template_);
    return true;
}

static void parse_procedure(Parser *r) {
    Lexer *l = r->lexer;
    Place place = parser_place(r);
    const char *name = fresh_name(r, r->program->procedures, "the procedure's name");
    unsigned entry = NO_LOCATION;
    begin_scope(r);
    if (!l->failed) {
        r->template_ = program_procedure(r->program, name);
        parse_parameters(r);
        while (!l->failed && parse_procedure_attribute(r)) continue;
        if (lexer_accept(l, "entry")) entry = label(r);
        if (entry != NO_LOCATION || !lexer_accept(l, ";")) parse_body(r, entry, place);
    }
    end_scope(r);
}

/* ---- the whole ---- */

/* Returns the index of the thread or procedure with this name. */
static unsigned find_body(Parser *r, const Mention *m, bool procedure) {
    vec_each(const Template *, t, procedure ? r->program->procedures : r->program->templates)
        if (t->name == m->name) return t->index;
    parser_error_at(r, m->place, procedure ? MSG_IR_PROCEDURE_UNDECLARED : MSG_IR_THREAD_UNDECLARED, m->name);
    return 0;
}

static void resolve_objects(Parser *r) {
    for (size_t i = 0; i < vec_len(r->objects) && !r->lexer->failed; i++) {
        const ObjectMention *m = &r->objects[i];
        if (m->relocation == NO_RELOCATION) {
            m->object->template_ = find_body(r, &m->mention, m->procedure);
            continue;
        }
        const Symbol *s = map_find(r->globals, m->mention.name);
        if (!s) parser_error_at(r, m->mention.place, MSG_EXPR_UNDECLARED, m->mention.name);
        else if (s->kind != SYM_ADDRESS) parser_error_at(r, m->mention.place, MSG_IR_NAME_KIND, m->mention.name, "an object");
        m->object->relocations[m->relocation].target = s;
    }
}

/* Replaces the mentions of threads that are created, and of procedures that are called by name. */
static void resolve_named(Parser *r, Template *const *bodies) {
    vec_each(Template *, body, bodies)
        for (size_t a = 0; a < vec_len(body->actions); a++)
            vec_each_at(Instr, instr, body->actions[a].instrs) {
                if (r->lexer->failed) return;
                bool calls = instr->kind == INSTR_CALL && !instr->address;
                if (calls || instr->kind == INSTR_CREATE) instr->template_ = find_body(r, &r->created[instr->template_], calls);
            }
}

static void parse_head(Parser *r) {
    Lexer *l = r->lexer;
    if (!lexer_accept(l, "program")) return;
    lexer_expect(l, "pointer");
    if (l->token != TOKEN_NUMBER || l->width || (l->number != 32 && l->number != 64)) lexer_error(l, MSG_IR_POINTER_WIDTH);
    else r->program->pointer_width = (unsigned)l->number;
    lexer_next(l);
    while (fields_parse(r, program_fields, r->program)) continue;
    lexer_expect(l, ";");
}

static void parse_declarations(Parser *r) {
    Lexer *l = r->lexer;
    while (!l->failed && l->token != TOKEN_END) {
        if (lexer_accept(l, "approximation")) parse_approximation(r);
        else if (lexer_accept(l, "global")) parse_variable(r, true);
        else if (lexer_accept(l, "object")) parse_object(r);
        else if (lexer_accept(l, "thread")) parse_thread(r);
        else if (lexer_accept(l, "procedure")) parse_procedure(r);
        else lexer_error(l, MSG_IR_DECLARATION_EXPECTED);
    }
    resolve_objects(r);
    resolve_named(r, r->program->templates);
    resolve_named(r, r->program->procedures);
}

Program *program_parse(const char *file, const char *text, Buf *error) {
    Lexer lexer;
    Arena *arena = arena_new();
    lexer_init(&lexer, arena, file, text);
    Parser r = {.lexer = &lexer, .program = program_new(64), .globals = map_new()};
    parse_head(&r);
    parse_declarations(&r);
    map_free(r.globals);
    vec_free(r.objects);
    vec_free(r.created);
    bool failed = lexer.failed;
    if (failed) buf_text(error, buf_string(&lexer.error));
    lexer_done(&lexer);
    arena_free(arena);
    if (!failed) return r.program;
    program_free(r.program);
    return NULL;
}
