/* SPDX-License-Identifier: Apache-2.0 */
/* Describes the members of a program's structs by tables (fields.def). By them attributes are printed, read and copied, and programs
   compared. */
#pragma once
#include "ir/parse.h"
#include "ir/program.h"

typedef enum FieldKind {
    FIELD_FLAG,          /* written if true: the word alone */
    FIELD_NUMBER,        /* … if not 0 */
    FIELD_PROPERTIES,    /* … if not 0: words for its bits */
    FIELD_SKEW,          /* … if not LAYOUT_SKEW */
    FIELD_APPROXIMATION, /* … if not NO_APPROXIMATION */
    FIELD_STRING,        /* … if not NULL */
    FIELD_NAME,
    FIELD_NICKNAME, /* … if not equal to the name of the symbol, which is the struct's first member */
    FIELD_POSITION, /* … if not inherited */
    /* enums: written if not the first constant */
    FIELD_OBJECT_KIND,
    FIELD_LOCATION_KIND,
    FIELD_APPROXIMATION_KIND,
    FIELD_ORDER,
    FIELD_MEMORY,
    /* never an attribute */
    FIELD_ADDRESS,   /* points to data outside of the program's text; never compared */
    FIELD_SYMBOL,    /* equal if the names are */
    FIELD_REFERENCE, /* points to a struct whose first member is its symbol; equal if the symbols are */
    FIELD_SORT,
    FIELD_EXPR,
    FIELD_BYTES,
    FIELD_RELOCATIONS,
    FIELD_INDICES,
    FIELD_CALL, /* equal if the arguments and the symbols of the results are */
    /* lists: equal if the elements are */
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
    const char *word; /* NULL: the member has a syntax of its own */
} Field;

/* One table for each struct. A row without name ends it. */
extern const Field variable_fields[], object_fields[], instr_fields[], action_fields[], location_fields[], template_fields[],
    approximation_fields[], program_fields[];

/* Prints the attributes of x, each between `before` and `after`. The position is left out if it equals `inherited`. */
void fields_print(Buf *, const Field *, const void *x, Position inherited, const char *before, const char *after);
/* Reads one attribute of x. Returns false if no attribute begins at the next token. */
bool fields_parse(Parser *, const Field *, void *x);
/* Copies all attributes of a struct to another of the same program. */
void fields_copy(const Field *, void *to, const void *from);
