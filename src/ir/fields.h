/* SPDX-License-Identifier: Apache-2.0 */
/* The members of a program's structs as tables (fields.def): attributes are printed, read and copied by them, and programs compared. */
#ifndef HEDDLE_IR_FIELDS_H
#define HEDDLE_IR_FIELDS_H
#include "ir/parse.h"
#include "ir/program.h"

typedef enum FieldKind {
    FIELD_FLAG,          /* written if it is true: the word alone */
    FIELD_NUMBER,        /* … if it is not 0 */
    FIELD_INDEX,         /* likewise */
    FIELD_SKEW,          /* … if it is not LAYOUT_SKEW */
    FIELD_APPROXIMATION, /* … if it is not NO_APPROXIMATION */
    FIELD_STRING,        /* … if there is one */
    FIELD_NAME,          /* likewise */
    FIELD_NICKNAME,      /* … if it is not the name of the symbol, which is the struct's first member */
    FIELD_POSITION,      /* … if it is not inherited */
    FIELD_OBJECT_KIND,   /* enums: written if it is not the first */
    FIELD_LOCATION_KIND,
    FIELD_APPROXIMATION_KIND,
    FIELD_INSTR_KIND,
    FIELD_ORDER,
    FIELD_MEMORY,
    FIELD_SYMBOL, /* what follows is never an attribute; symbols, and what has one, are equal if their names are */
    FIELD_VARIABLE,
    FIELD_OBJECT,
    FIELD_SORT,
    FIELD_EXPR,
    FIELD_BYTES,
    FIELD_RELOCATIONS,
    FIELD_INDICES, /* lists: equal if all elements are */
    FIELD_INSTRS,
    FIELD_ACTIONS,
    FIELD_LOCATIONS,
    FIELD_APPROXIMATIONS,
    FIELD_VARIABLES,
    FIELD_OBJECTS,
    FIELD_TEMPLATES,
    FIELD_ARENA, /* where it is kept: never compared */
    FIELD_POOL
} FieldKind;
enum { FIELD_KINDS = FIELD_POOL + 1 };

typedef struct Field {
    const char *name; /* of the member */
    FieldKind kind;
    size_t offset;
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

#endif
