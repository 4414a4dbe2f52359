/* SPDX-License-Identifier: Apache-2.0 */
/* The command line, read once into a struct that is passed along. */
#ifndef HEDDLE_OPTIONS_H
#define HEDDLE_OPTIONS_H
#include "base/buf.h"
#include <stdbool.h>

typedef struct Options {
#define GROUP(title)
#define FLAG(field, letter, help) bool field;
#define NUMBER(field, letter, argument, value, help) double field;
#define TEXT(field, letter, argument, value, help) const char *field;
#define CHOICE(field, letter, values, value, help) const char *field;
#define LATER(field, argument, help)
#include "options.def"
#undef GROUP
#undef FLAG
#undef NUMBER
#undef TEXT
#undef CHOICE
#undef LATER
    const char **files;       /* a vec */
    const char **clang_flags; /* a vec: what follows --, with further -- in it */
} Options;

/* False: *error says what is wrong with the command line, in one or two lines. Strings point into argv. */
bool options_parse(Options *, int argc, char **argv, Buf *error);
void options_free(Options *);
/* The text of --help: usage and the option table. Engines are added by the caller. */
void options_help(Buf *);
/* The word of the n candidates (NULL ones are skipped) that looks most like text, or NULL if none is near. */
const char *nearest_word(const char *text, const char *const *candidates, unsigned n);

#endif
