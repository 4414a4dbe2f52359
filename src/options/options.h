/* SPDX-License-Identifier: Apache-2.0 */
/* The command line, read once into a struct that is passed along. */
#pragma once
#include "base/buf.h"
#include "engine/engine.h"
#include <stdbool.h>

typedef enum DataModel { DATA_LP64, DATA_ILP32 } DataModel;
typedef enum Undefined { UNDEFINED_REFUSE, UNDEFINED_PURE } Undefined;
typedef enum Layout { LAYOUT_AUTO, LAYOUT_COLUMNS, LAYOUT_LINES } Layout;
typedef enum WitnessFormat { WITNESS_YAML, WITNESS_GRAPHML } WitnessFormat;
typedef enum Color { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER } Color;

typedef struct Options {
#define GROUP(title)
#define FLAG(field, letter, help) bool field;
#define NUMBER(field, letter, argument, value, help) double field;
#define TEXT(field, letter, argument, value, help) const char *field;
#define CHOICE(field, type, letter, value, help, ...) type field;
#define ALIAS(old, field)
#include "options/options.def"
#undef GROUP
#undef FLAG
#undef NUMBER
#undef TEXT
#undef CHOICE
#undef ALIAS
    const char **files;       /* a vec */
    const char **clang_flags; /* a vec: what follows --, with further -- in it */
    char **owned;             /* a vec: texts of the two that are not of the command line */
    uint64_t given[2];        /* a bit for each option of the command line */
} Options;

/* False: *error says what is wrong with the command line, in one or two lines. Strings point into argv. */
bool options_parse(Options *, int argc, char **argv, Buf *error);
void options_free(Options *);
/* Those that are for engines. */
EngineOptions options_of_engines(const Options *);
/* The word that stands for the value of an option of a choice: --data-model is LP64. */
const char *options_word(const char *field, unsigned value);
/* Was it on the command line? */
bool options_given(const Options *, const char *field);
/* Those that were given, as words of a command line (malloced); except: fields that are left out, the last is NULL. */
void options_words(const Options *, const char *const *except, char ***words);
/* The text of --help: usage and the option table. Engines are added by the caller. */
void options_help(Buf *);
/* Tells whether --dump-after asks for the names of all passes. */
bool options_ask_list(const Options *);
