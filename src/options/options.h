/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the command line once, into a struct. */
#pragma once
#include "base/buf.h"
#include "engine/engine.h"
#include <stdbool.h>

typedef enum DataModel { DATA_LP64, DATA_ILP32 } DataModel;
typedef enum Undefined { UNDEFINED_REFUSE, UNDEFINED_PURE } Undefined;
typedef enum Layout { LAYOUT_AUTO, LAYOUT_COLUMNS, LAYOUT_LINES } Layout;
typedef enum WitnessFormat { WITNESS_YAML, WITNESS_GRAPHML } WitnessFormat;
typedef enum RunStrategy { RUN_MIX, RUN_RANDOM, RUN_PCT, RUN_POS, RUN_RACE } RunStrategy;
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
    bool run;                 /* the command is `heddle run` */
    const char **files;       /* a vec: the input files */
    const char **clang_flags; /* a vec: all arguments after the first --, each further -- included. heddle run: those of the program */
    char **owned;             /* a vec: texts in `files` and `clang_flags` that are not from the command line; malloced */
    uint64_t given[2];        /* by index of the option table: a bit for each option of the command line */
} Options;

/* Reads the command line. Returns false if it is wrong, with one or two lines in *error. Strings point into argv. */
bool options_parse(Options *, int argc, char **argv, Buf *error);
void options_free(Options *);
/* Returns the options of engines. */
EngineOptions options_of_engines(const Options *);
/* Returns the word for a value of a choice, such as LP64 for --data-model. Returns NULL if the field is not a choice. */
const char *options_word(const char *field, unsigned value);
/* Returns whether the option was on the command line. */
bool options_given(const Options *, const char *field);
/* Adds the options of the command line to *words, a vec of malloced arguments. except: names of fields to leave out; the last is NULL. */
void options_words(const Options *, const char *const *except, char ***words);
/* Adds the text of --help: usage and the option table. The caller adds the engines. */
void options_help(Buf *);
/* Returns whether --dump-after asks for the names of all passes. */
bool options_lists_passes(const Options *);
/* Returns whether the options ask for a text about Heddle itself: help, a list or the version. */
bool options_inform(const Options *);
