/* SPDX-License-Identifier: Apache-2.0 */
/* Reads .sys text (doc/system.md). The parser checks what it needs to build a System (names, labels, numbers); system_check does the rest.
   After the first error the lexer returns only ends, so every loop terminates, and every NULL is passed on.

   A text may mention a thread before it declares it. So the parser stores an index of Parser.threads instead, and resolve_threads replaces
   it in the end. */
#include "expr/messages.h"
#include "expr/named.h"
#include "ir/messages.h"
#include "ir/text.h"
#include "system/system.h"
#include "system/compose.h"
#include "system/messages.h"
#include "system/text.h"
#include <stdlib.h>
#include <string.h>

enum { NO_LOCATION = ~0u };

typedef struct Mention {
    const char *name;
    LexerPlace place;
} Mention;

typedef struct Label {
    const char *name;
    unsigned location; /* NO_LOCATION until the label is defined */
    LexerPlace place;  /* the place of the first use */
} Label;

typedef struct Parser {
    Lexer *lexer;
    System *system;
    Map *variables;   /* name -> index + 1 */
    Map *inputs;      /* name -> Symbol */
    Mention *threads; /* a vec of all mentions of threads */
    /* the present thread: */
    SystemThread *thread;
    Map *label_of; /* name → index in labels; until the end of the thread, the target of a transition is an index in labels */
    Label *labels;
    unsigned *numbers; /* the numbers of the transitions, in the order of the text */
    /* the present transition: */
    const Transition *transition;
    Lets *lets; /* the definitions by `let`; NULL without definitions */
} Parser;

#define error_at(r, place, ...) lexer_error_at((r)->lexer, (place), __VA_ARGS__)

/* ---- parts ---- */

static const char *interned(Parser *r, const char *text) { return exprs_intern(r->system->exprs, text); }

static const char *parse_name(Parser *r, const char *what) { return text_name(r->lexer, r->system->exprs, what); }
static const char *parse_string(Parser *r, const char *what) { return text_string(r->lexer, r->system->exprs, what); }
static bool parse_position(Parser *r, Position *position) { return text_position(r->lexer, r->system->exprs, position); }

static unsigned parse_number(Parser *r) {
    Lexer *l = r->lexer;
    unsigned n = 0;
    if (l->token != TOKEN_NUMBER || l->width || l->number < 0 || l->number >= ACTIONS_LOOP) lexer_error(l, MSG_EXPR_EXPECTED, "a number");
    else n = (unsigned)l->number;
    lexer_next(l);
    return n;
}

static unsigned parse_thread_name(Parser *r) {
    Mention m = {.place = lexer_place(r->lexer)};
    m.name = parse_name(r, "the name of a thread");
    vec_push(r->threads, m);
    return (unsigned)vec_len(r->threads) - 1;
}

static unsigned parse_variable_name(Parser *r) {
    LexerPlace place = lexer_place(r->lexer);
    const char *name = parse_name(r, "the name of a variable");
    uint64_t n = 0;
    if (name && !map_get(r->variables, map_key(name), &n)) error_at(r, place, MSG_EXPR_UNDECLARED, name);
    return n ? (unsigned)n - 1 : 0;
}

static int parse_sign(Parser *r) { return lexer_accept(r->lexer, "signed") ? 1 : lexer_accept(r->lexer, "unsigned") ? -1 : 0; }

/* ---- expressions ---- */

static const Symbol *resolve(void *context, const char *text) {
    Parser *r = context;
    const char *name = interned(r, text);
    const Symbol *s = map_find(r->inputs, name);
    uint64_t v;
    if (s && r->transition && vec_has(r->transition->inputs, s)) return s;
    return map_get(r->variables, map_key(name), &v) ? r->system->variables[v - 1].symbol : NULL;
}

static const Expr *parse_expr(Parser *r) { return lets_parse_expr(r->lets, r->system->exprs, r->lexer, resolve, r); }

/* ---- variables ---- */

/* Parses the type that the variable has in the program: [signed] [congruent] sort. */
static void parse_origin(Parser *r, SystemVariable *v) {
    Variable *o = arena_new_of(r->system->arena, Variable);
    o->symbol = v->symbol;
    o->name = v->name;
    o->global = v->thread == NONE;
    o->is_signed = lexer_accept(r->lexer, "signed");
    o->congruent = lexer_accept(r->lexer, "congruent");
    o->sort = sort_parse(r->system->exprs, r->lexer);
    v->origin = o;
}

static bool parse_attribute(Parser *r, SystemVariable *v, Symbol *symbol) {
    Lexer *l = r->lexer;
    if (lexer_is(l, "signed") || lexer_is(l, "unsigned")) symbol->sign = parse_sign(r);
    else if (lexer_accept(l, "as")) parse_origin(r, v);
    else if (lexer_accept(l, "hidden")) v->hidden = true;
    else if (lexer_accept(l, "name")) v->name = parse_string(r, "a name");
    else if (lexer_is(l, "in") && v->thread == NONE - 1) lexer_next(l), v->thread = parse_thread_name(r);
    else return false;
    return true;
}

static void parse_variable(Parser *r, bool global, Mention **holders) {
    Lexer *l = r->lexer;
    Exprs *x = r->system->exprs;
    LexerPlace place = lexer_place(l);
    const char *name = parse_name(r, "the variable's name");
    const Sort *sort = lexer_expect(l, ":") ? sort_parse(x, l) : NULL;
    if (!name || !sort || l->failed) return;
    if (map_get(r->variables, map_key(name), NULL)) error_at(r, place, MSG_EXPR_NAME_TAKEN, name);
    Symbol *symbol = symbol_new(x, SYM_VARIABLE, name, sort);
    SystemVariable v = {.symbol = symbol, .name = name, .thread = global ? NONE : NONE - 1, .owner = NONE};
    if (lexer_accept(l, "=")) v.init = parse_expr(r);
    Mention holder = {0};
    for (bool more = true; more;) {
        more = parse_attribute(r, &v, symbol);
        if (more || !lexer_accept(l, "holder")) continue;
        holder.place = lexer_place(l);
        holder.name = parse_name(r, "the name of a variable");
        more = true;
    }
    if (v.thread == NONE - 1) lexer_error(l, MSG_SYSTEM_LOCAL_THREAD);
    lexer_expect(l, ";");
    if (v.name == NULL) v.name = name;
    map_put(r->variables, map_key(name), system_add_variable(r->system, v) + 1);
    vec_push(*holders, holder);
}

static void resolve_holders(Parser *r, const Mention *holders) {
    for (size_t i = 0; i < vec_len(holders) && !r->lexer->failed; i++) {
        uint64_t n = 0;
        if (!holders[i].name) continue;
        if (!map_get(r->variables, map_key(holders[i].name), &n)) error_at(r, holders[i].place, MSG_EXPR_UNDECLARED, holders[i].name);
        r->system->variables[i].owner = (unsigned)n - 1;
    }
}

/* ---- transitions ---- */

static unsigned parse_label(Parser *r) {
    LexerPlace place = lexer_place(r->lexer);
    const char *name = parse_name(r, "a label");
    uint64_t known;
    if (!name) return 0;
    if (map_get(r->label_of, map_key(name), &known)) return (unsigned)known;
    vec_push(r->labels, ((Label){.name = name, .location = NO_LOCATION, .place = place}));
    map_put(r->label_of, map_key(name), vec_len(r->labels) - 1);
    return (unsigned)vec_len(r->labels) - 1;
}

/* Parses an input. Several transitions may have the same input. */
static const Symbol *parse_input(Parser *r) {
    LexerPlace place = lexer_place(r->lexer);
    const char *name = parse_name(r, "the input's name");
    const Sort *sort = lexer_expect(r->lexer, ":") ? sort_parse(r->system->exprs, r->lexer) : NULL;
    int sign = parse_sign(r);
    if (!name || !sort) return NULL;
    Symbol *s = map_find(r->inputs, name);
    if (map_get(r->variables, map_key(name), NULL)) error_at(r, place, MSG_SYSTEM_INPUT_VARIABLE, name);
    else if (s && s->sort != sort) error_at(r, place, MSG_SYSTEM_INPUT_SORTS, name);
    if (!s) s = symbol_new(r->system->exprs, SYM_VARIABLE, name, sort);
    s->sign = sign;
    map_set(r->inputs, name, s);
    return s;
}

static void parse_inputs(Parser *r, Transition *tr) {
    if (!lexer_accept(r->lexer, "any")) return;
    do {
        const Symbol *s = parse_input(r);
        if (s) vec_push(tr->inputs, s);
    } while (lexer_accept(r->lexer, ","));
}

static bool parse_note(Parser *r, Transition *tr) {
    Lexer *l = r->lexer;
    if (lexer_accept(l, "creates")) tr->creates = parse_thread_name(r);
    else if (lexer_accept(l, "joins")) tr->joins = parse_thread_name(r), tr->waits = true;
    else if (lexer_accept(l, "waits")) tr->waits = true;
    else if (lexer_accept(l, "locks")) tr->lock = parse_variable_name(r);
    else if (lexer_accept(l, "unlocks")) tr->unlock = parse_variable_name(r);
    else return parse_position(r, &tr->position);
    return true;
}

static void parse_actions(Parser *r, Transition *tr) {
    Lexer *l = r->lexer;
    lexer_expect(l, "(");
    while (!l->failed && !lexer_is(l, ")")) {
        unsigned a = lexer_accept(l, "either") ? ACTIONS_EITHER
                     : lexer_accept(l, "or")   ? ACTIONS_OR
                     : lexer_accept(l, "loop") ? ACTIONS_LOOP
                     : lexer_accept(l, "end")  ? ACTIONS_END
                                               : parse_number(r);
        vec_push(tr->actions, a);
    }
    lexer_expect(l, ")");
}

static void parse_update(Parser *r, Transition *tr) {
    LexerPlace place = lexer_place(r->lexer);
    unsigned v = parse_variable_name(r);
    const Expr *e = lexer_expect(r->lexer, ":=") ? parse_expr(r) : NULL;
    lexer_expect(r->lexer, ";");
    if (!e || r->lexer->failed) return;
    if (e->sort != r->system->variables[v].symbol->sort) error_at(r, place, MSG_SYSTEM_UPDATE_SORT, r->system->variables[v].symbol->name);
    vec_push(tr->updates, ((Update){v, e}));
}

static void parse_guard(Parser *r, Transition *tr) {
    LexerPlace place = lexer_place(r->lexer);
    const Expr *e = parse_expr(r);
    if (e && e->sort->kind != SORT_BOOL) error_at(r, place, MSG_SYSTEM_GUARD_SORT);
    if (e) tr->guard = e;
}

static void parse_transition(Parser *r, unsigned source) {
    Lexer *l = r->lexer;
    unsigned number = (unsigned)vec_len(r->numbers);
    bool actions = false;
    Transition tr = {.source = source,
                     .guard = expr_bool(r->system->exprs, true),
                     .creates = NONE,
                     .joins = NONE,
                     .lock = NONE,
                     .unlock = NONE,
                     .position = r->thread->locations[source].position};
    if (lexer_accept(l, "transition")) number = parse_number(r);
    parse_inputs(r, &tr);
    r->transition = &tr;
    if (lexer_is(l, "let")) r->lets = lets_new();
    while (lexer_accept(l, "let")) lets_parse(r->lets, r->system->exprs, l, resolve, r);
    if (lexer_accept(l, "when")) parse_guard(r, &tr);
    while (parse_note(r, &tr)) continue;
    if (lexer_accept(l, "actions")) parse_actions(r, &tr), actions = true;
    if (lexer_accept(l, "do"))
        while (!l->failed && !lexer_is(l, "goto")) parse_update(r, &tr);
    if (lexer_expect(l, "goto")) tr.target = parse_label(r);
    lexer_expect(l, ";");
    if (!actions) vec_push(tr.actions, number);
    r->transition = NULL;
    lets_free(r->lets);
    r->lets = NULL;
    vec_push(r->numbers, number);
    vec_push(r->thread->transitions, tr);
}

/* ---- locations ---- */

static void parse_live(Parser *r, SystemLocation *at) {
    lexer_expect(r->lexer, "(");
    vec_resize(at->live, 0);
    while (!r->lexer->failed && !lexer_is(r->lexer, ")")) {
        unsigned v = parse_variable_name(r);
        vec_push(at->live, v);
    }
    lexer_expect(r->lexer, ")");
}

static bool parse_location_attribute(Parser *r, SystemLocation *at, bool *live) {
    Lexer *l = r->lexer;
    unsigned kind = l->token == TOKEN_NAME ? text_word(location_words, 5, l->name) : 5;
    if (lexer_accept(l, "atomic")) at->atomic = true;
    else if (lexer_accept(l, "loop")) at->loop_head = true;
    else if (lexer_accept(l, "live")) parse_live(r, at), *live = true;
    else if (l->token == TOKEN_STRING) at->text = parse_string(r, "a text");
    else if (kind > 0 && kind < 5) {
        at->kind = (LocationKind)kind;
        lexer_next(l);
    } else return parse_position(r, &at->position);
    return true;
}

/* Marks all locals of the thread that were declared as live, at a location without the attribute `live`. */
static void all_live(Parser *r, SystemLocation *at) {
    const System *s = r->system;
    for (unsigned v = 0; v < vec_len(s->variables); v++) {
        unsigned mention = s->variables[v].thread;
        if (mention != NONE && r->threads[mention].name && !strcmp(r->threads[mention].name, r->thread->name)) vec_push(at->live, v);
    }
}

static void parse_location(Parser *r) {
    Lexer *l = r->lexer;
    LexerPlace place = lexer_place(l);
    unsigned name = parse_label(r), index = (unsigned)vec_len(r->thread->locations);
    bool live = false;
    if (l->failed) return;
    if (r->labels[name].location != NO_LOCATION) error_at(r, place, MSG_IR_LABEL_TWICE, r->labels[name].name);
    r->labels[name].location = index;
    vec_push(r->thread->locations, ((SystemLocation){0}));
    while (parse_location_attribute(r, &r->thread->locations[index], &live)) continue;
    if (!live) all_live(r, &r->thread->locations[index]);
    if (lexer_accept(l, ";")) return;
    if (!lexer_is(l, "{")) lexer_error(l, MSG_IR_LOCATION_EXPECTED);
    lexer_accept(l, "{");
    while (!l->failed && !lexer_is(l, "}")) parse_transition(r, index);
    lexer_expect(l, "}");
}

/* ---- threads ---- */

static void resolve_labels(Parser *r, unsigned entry) {
    SystemThread *t = r->thread;
    for (size_t i = 0; i < vec_len(r->labels); i++)
        if (r->labels[i].location == NO_LOCATION) error_at(r, r->labels[i].place, MSG_IR_LABEL_UNDEFINED, r->labels[i].name);
    if (r->lexer->failed) return;
    if (entry != NO_LOCATION) t->entry = r->labels[entry].location;
    for (size_t i = 0; i < vec_len(t->transitions); i++) t->transitions[i].target = r->labels[t->transitions[i].target].location;
}

/* Moves each transition to the index that the text gives it. */
static void number_transitions(Parser *r, LexerPlace place) {
    SystemThread *t = r->thread;
    size_t n = vec_len(t->transitions);
    Transition *ordered = NULL;
    if (r->lexer->failed) return;
    vec_resize(ordered, n);
    for (size_t i = 0; i < n && !r->lexer->failed; i++) {
        unsigned k = r->numbers[i];
        if (k >= n || ordered[k].guard) error_at(r, place, MSG_SYSTEM_TRANSITION_NUMBERS, n - 1);
        else ordered[k] = t->transitions[i];
    }
    if (!r->lexer->failed) {
        if (n) memcpy(t->transitions, ordered, n * sizeof *ordered);
        thread_relink(t);
    }
    vec_free(ordered);
}

static unsigned parse_thread_head(Parser *r, SystemThread *t) {
    Lexer *l = r->lexer;
    unsigned entry = NO_LOCATION;
    for (bool more = true; more;) {
        if (lexer_accept(l, "many")) t->many = true;
        else if (lexer_accept(l, "twin")) t->other_instance = parse_thread_name(r);
        else if (lexer_accept(l, "self")) t->self = parse_variable_name(r);
        else if (lexer_accept(l, "status")) t->status = parse_variable_name(r);
        else if (lexer_accept(l, "template")) t->template_ = parse_number(r);
        else if (lexer_accept(l, "entry")) entry = parse_label(r);
        else more = false;
    }
    return entry;
}

static void parse_thread(Parser *r) {
    Lexer *l = r->lexer;
    LexerPlace place = lexer_place(l);
    const char *name = parse_name(r, "the thread's name");
    SystemThread t = {
        .name = name, .template_ = (unsigned)vec_len(r->system->threads), .status = NONE, .self = NONE, .other_instance = NONE};
    if (!name) return;
    for (size_t i = 0; i < vec_len(r->system->threads); i++)
        if (r->system->threads[i].name == name) error_at(r, place, MSG_EXPR_NAME_TAKEN, name);
    r->label_of = map_new();
    r->thread = &t;
    unsigned entry = parse_thread_head(r, &t);
    lexer_expect(l, "{");
    while (!l->failed && !lexer_is(l, "}")) parse_location(r);
    lexer_expect(l, "}");
    resolve_labels(r, entry);
    number_transitions(r, place);
    vec_push(r->system->threads, t);
    r->thread = NULL;
    map_free(r->label_of);
    vec_free(r->labels);
    vec_free(r->numbers);
}

/* ---- the whole ---- */

/* Replaces the index of a mention by the thread that it names. */
static void find_thread(Parser *r, unsigned *mention) {
    if (*mention == NONE || r->lexer->failed) return;
    const Mention *m = &r->threads[*mention];
    for (unsigned t = 0; t < vec_len(r->system->threads); t++)
        if (r->system->threads[t].name == m->name) {
            *mention = t;
            return;
        }
    error_at(r, m->place, MSG_IR_THREAD_UNDECLARED, m->name);
}

static void resolve_threads(Parser *r) {
    System *s = r->system;
    for (size_t v = 0; v < vec_len(s->variables); v++) find_thread(r, &s->variables[v].thread);
    for (size_t t = 0; t < vec_len(s->threads); t++) {
        find_thread(r, &s->threads[t].other_instance);
        for (size_t i = 0; i < vec_len(s->threads[t].transitions); i++) {
            find_thread(r, &s->threads[t].transitions[i].creates);
            find_thread(r, &s->threads[t].transitions[i].joins);
        }
    }
}

static void parse_fill(Parser *r) {
    SystemFill f = {.array = parse_variable_name(r)};
    lexer_expect(r->lexer, "at");
    f.index = parse_variable_name(r);
    lexer_expect(r->lexer, "with");
    f.input = parse_input(r);
    lexer_expect(r->lexer, ";");
    if (!r->lexer->failed) vec_push(r->system->fills, f);
}

static void parse_system(Parser *r) {
    Lexer *l = r->lexer;
    Mention *holders = NULL;
    lexer_expect(l, "system");
    r->system->integers = lexer_accept(l, "integers");
    if (!r->system->integers && !lexer_accept(l, "bitvectors")) lexer_error(l, MSG_EXPR_EXPECTED, "integers or bitvectors");
    lexer_expect(l, ";");
    while (!l->failed && (lexer_is(l, "global") || lexer_is(l, "local"))) {
        bool global = lexer_is(l, "global");
        lexer_next(l);
        parse_variable(r, global, &holders);
    }
    while (!l->failed && lexer_accept(l, "thread")) parse_thread(r);
    while (!l->failed && lexer_accept(l, "fill")) parse_fill(r);
    if (l->token != TOKEN_END) lexer_error(l, MSG_SYSTEM_DECLARATION_EXPECTED);
    resolve_holders(r, holders);
    resolve_threads(r);
    vec_free(holders);
}

System *system_parse(Exprs *x, const char *file, const char *text, Buf *error) {
    Lexer lexer;
    Arena *arena = arena_new();
    lexer_init(&lexer, arena, file, text);
    Parser r = {.lexer = &lexer, .system = system_empty(x), .variables = map_new(), .inputs = map_new()};
    parse_system(&r);
    map_free(r.variables);
    map_free(r.inputs);
    vec_free(r.threads);
    bool failed = lexer.failed;
    if (failed) buf_text(error, buf_string(&lexer.error));
    lexer_done(&lexer);
    arena_free(arena);
    Buf why = {0};
    if (!failed && !system_check(r.system, &why)) {
        buf_printf(error, "%s: error: not well-formed: %s\n", file, buf_string(&why));
        failed = true;
    }
    buf_free(&why);
    if (!failed) return r.system;
    system_free(r.system);
    return NULL;
}
