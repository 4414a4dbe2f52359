/* SPDX-License-Identifier: Apache-2.0 */
/* Defines the state of the .hir parser, which its two halves share: parse.c reads declarations and control, parse_instr.c instructions. */
#pragma once
#include "base/map.h"
#include "expr/lexer.h"
#include "ir/program.h"

typedef LexerPlace Place;

/* Records the use of a name that may be declared later. */
typedef struct Mention {
    const char *name;
    Place place;
} Mention;

typedef struct Label {
    const char *name;
    unsigned location; /* NO_LOCATION until it is defined */
    Place place;       /* of its first use */
} Label;
enum { NO_LOCATION = ~0u };

typedef struct ObjectMention {
    Mention mention;
    Object *object;
    bool procedure;      /* the name is that of a procedure */
    unsigned relocation; /* the index of the relocation with this target; NO_RELOCATION: the name is the template of a LOCAL object */
} ObjectMention;
enum { NO_RELOCATION = ~0u };

typedef struct Parser {
    Lexer *lexer;
    Program *program;
    Map *globals, *locals;  /* interned name → Symbol; locals of the current thread */
    ObjectMention *objects; /* vecs */
    Mention *created;       /* until the end, Instr.template_ of a CREATE, or of a CALL by name, is an index in here */
    /* of the current thread: */
    Template *template_;
    Map *label_of; /* interned name → index in labels; until the thread's end, Action.target is an index in labels */
    Label *labels;
    unsigned *numbers; /* of the actions, in order of appearance */
} Parser;

static inline Place parser_place(const Parser *r) { return lexer_place(r->lexer); }
#define parser_error_at(r, place, ...) lexer_error_at((r)->lexer, (place), __VA_ARGS__)
/* Consumes a name and returns it, interned. If the token is not a name: reports an error (`what` was expected) and returns NULL. */
const char *parser_name(Parser *, const char *what);
bool parser_number(Parser *, uint64_t max, uint64_t *number);
const Expr *parser_expr(Parser *);
/* Consumes @"file:line:column" or @nowhere. Returns false if neither comes next. */
bool parser_position(Parser *, Position *);

/* Parses one instruction with its semicolon, and appends it to the action. */
void parse_instr(Parser *, Action *, Position inherited);
