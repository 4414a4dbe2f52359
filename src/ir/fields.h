/* SPDX-License-Identifier: Apache-2.0 */
/* The members of a program's structs as tables (fields.def): attributes are printed, read and copied by them, and programs compared. */
#pragma once
#include "ir/parse.h"
#include "ir/program.h"

typedef enum FieldKind {
    FIELD_FLAG,          /* written if it is true: the word alone */
    FIELD_NUMBER,        /* … if it is not 0 */
    FIELD_MATTERS,       /* likewise: words for its bits */
    FIELD_SKEW,          /* … if it is not LAYOUT_SKEW */
    FIELD_APPROXIMATION, /* … if it is not NO_APPROXIMATION */
    FIELD_STRING,        /* … if there is one */
    FIELD_NAME,
    FIELD_NICKNAME, /* … if it is not the name of the symbol, which is the struct's first member */
    FIELD_POSITION, /* … if it is not inherited */
    /* enums: written if it is not the first */
    FIELD_OBJECT_KIND,
    FIELD_LOCATION_KIND,
    FIELD_APPROXIMATION_KIND,
    FIELD_ORDER,
    FIELD_MEMORY,
    /* never an attribute */
    FIELD_ADDRESS, /* of what is no part of the program */
    FIELD_SYMBOL,  /* equal if their names are, and so is what has a symbol: */
    FIELD_REFERENCE,
    FIELD_SORT,
    FIELD_EXPR,
    FIELD_BYTES,
    FIELD_RELOCATIONS,
    FIELD_INDICES,
    /* lists, equal if their elements are */
    FIELD_INSTRS,
    FIELD_ACTIONS,
    FIELD_LOCATIONS,
    FIELD_APPROXIMATIONS,
    FIELD_VARIABLES,
    FIELD_OBJECTS,
    FIELD_TEMPLATES,
    FIELD_KINDS
} FieldKind;

typedef struct Field {
    const char *name; /* of the member */
    FieldKind kind;
    size_t offset, size;
    const char *word; /* NULL: it has a form of its own */
} Field;

/* A table for each struct, up to a row without name. */
extern const Field variable_fields[], object_fields[], instr_fields[], action_fields[], location_fields[], template_fields[],
    approximation_fields[], program_fields[];

/* Prints the attributes of x, each between `before` and `after`; `inherited` is the position that is not printed. */
void fields_print(Buf *, const Field *, const void *x, Position inherited, const char *before, const char *after);
/* Reads one attribute of x; false: the next token begins none. */
bool fields_parse(Parser *, const Field *, void *x);
/* Copies all attributes of one struct to another of the same program. */
void fields_copy(const Field *, void *to, const void *from);
