/* SPDX-License-Identifier: Apache-2.0 */
/* What the two halves of the .hir reader share: parse.c reads declarations and control, parse_instr.c instructions. */
#pragma once
#include "base/map.h"
#include "expr/lexer.h"
#include "ir/program.h"

typedef LexerPlace Place;

/* A name that may be declared further down. */
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
    unsigned relocation; /* whose target it is; NO_RELOCATION: the template of a LOCAL object */
} ObjectMention;
enum { NO_RELOCATION = ~0u };

typedef struct Parser {
    Lexer *lexer;
    Program *program;
    Map *globals, *locals;  /* interned name → Symbol; locals of the current thread */
    ObjectMention *objects; /* vecs */
    Mention *created;       /* Instr.template_ of a CREATE is an index in here until the end */
    /* of the current thread: */
    Template *template_;
    Map *label_of; /* interned name → index in labels; Action.target is one until the thread's end */
    Label *labels;
    unsigned *numbers; /* of the actions, in order of appearance */
} Parser;

static inline Place parser_place(const Parser *r) { return lexer_place(r->lexer); }
#define parser_error_at(r, place, ...) lexer_error_at((r)->lexer, (place), __VA_ARGS__)
/* The current token's name, interned, and step over it; NULL and an error if it is none. */
const char *parser_name(Parser *, const char *what);
bool parser_number(Parser *, uint64_t max, uint64_t *number);
const Expr *parser_expr(Parser *);
/* @"file:line:column" or @nowhere, if there is one. */
bool parser_position(Parser *, Position *);

/* One instruction with its semicolon, appended to the action. */
void parse_instr(Parser *, Action *, Position inherited);
