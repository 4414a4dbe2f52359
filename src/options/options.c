/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the command line. One table, made from options.def, serves the parser, --help and the suggestion of the nearest name. */
#include "options/options.h"
#include "base/nearest.h"
#include "options/messages.h"
#include <ctype.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef enum OptionKind { KIND_GROUP, KIND_FLAG, KIND_NUMBER, KIND_TEXT, KIND_CHOICE, KIND_ALIAS } OptionKind;

typedef struct OptionChoice {
    const char *word;
    unsigned value; /* of the enum */
} OptionChoice;

typedef struct OptionSpec {
    OptionKind kind;
    char letter;
    const char *field; /* for a group: its title */
    const char *argument;
    const char *help;
    size_t offset; /* of the field in Options */
    double number; /* default of a number; `text` and `value` are defaults, too */
    const char *text;
    unsigned value;
    const OptionChoice *choices; /* the last has no word */
} OptionSpec;

static const OptionSpec specs[] = {
#define GROUP(title) {.kind = KIND_GROUP, .field = title},
#define FLAG(f, l, h) {.kind = KIND_FLAG, .letter = l, .field = #f, .help = h, .offset = offsetof(Options, f)},
#define NUMBER(f, l, a, v, h) \
    {.kind = KIND_NUMBER, .letter = l, .field = #f, .argument = a, .help = h, .offset = offsetof(Options, f), .number = v},
#define TEXT(f, l, a, v, h) \
    {.kind = KIND_TEXT, .letter = l, .field = #f, .argument = a, .help = h, .offset = offsetof(Options, f), .text = v},
#define CHOICE(f, t, l, v, h, ...)   \
    {.kind = KIND_CHOICE,            \
     .letter = l,                    \
     .field = #f,                    \
     .help = h,                      \
     .offset = offsetof(Options, f), \
     .value = v,                     \
     .choices = (const OptionChoice[]){__VA_ARGS__, {0}}},
#define ALIAS(old, f) {.kind = KIND_ALIAS, .field = #old, .text = #f},
#include "options/options.def"
#undef GROUP
#undef FLAG
#undef NUMBER
#undef TEXT
#undef CHOICE
#undef ALIAS
};
enum { NSPECS = sizeof specs / sizeof *specs, NAME_MAX_LENGTH = 32, HELP_COLUMN = 28, HELP_WIDTH = 100 };

/* Writes the option's name on the command line: data-model for the field data_model. */
static const char *option_name(const OptionSpec *s, char name[NAME_MAX_LENGTH]) {
    size_t i = 0;
    for (; s->field[i] && i + 1 < NAME_MAX_LENGTH; i++) name[i] = s->field[i] == '_' ? '-' : s->field[i];
    name[i] = 0;
    return name;
}

static const OptionSpec *find_field(const char *field) {
    for (unsigned i = 0; i < NSPECS; i++)
        if (!strcmp(specs[i].field, field)) return &specs[i];
    return NULL;
}

/* ---- the nearest name ---- */

static void unknown_option(const char *name, Buf *error) {
    char names[NSPECS][NAME_MAX_LENGTH];
    const char *candidates[NSPECS] = {0};
    for (unsigned i = 0; i < NSPECS; i++)
        if (specs[i].kind != KIND_GROUP && specs[i].kind != KIND_ALIAS) candidates[i] = option_name(&specs[i], names[i]);
    const char *near = nearest_word(name, candidates, NSPECS);
    if (near) buf_printf(error, MSG_OPTION_UNKNOWN_NEAR, name, near);
    else buf_printf(error, MSG_OPTION_UNKNOWN, name);
}

/* ---- choices ---- */
static const char *word_of(const OptionSpec *s, unsigned value) {
    const OptionChoice *c = s->choices;
    while (c->word && c->value != value) c++;
    return c->word;
}

/* Adds the words of a choice: a|b|c. */
static void put_words(Buf *out, const OptionSpec *s) {
    for (const OptionChoice *c = s->choices; c->word; c++) buf_printf(out, "%s%s", c == s->choices ? "" : "|", c->word);
}

static bool choose(const OptionSpec *s, const char *word, unsigned *to) {
    for (const OptionChoice *c = s->choices; c->word; c++)
        if (!strcmp(c->word, word)) {
            *to = c->value;
            return true;
        }
    return false;
}

const char *options_word(const char *field, unsigned value) {
    const OptionSpec *s = find_field(field);
    return s && s->kind == KIND_CHOICE ? word_of(s, value) : NULL;
}

/* ---- options on the command line ---- */
_Static_assert(NSPECS <= 128, "Options.given has a bit for each option");

static bool is_given(const Options *o, const OptionSpec *s) {
    size_t i = (size_t)(s - specs);
    return o->given[i / 64] >> i % 64 & 1;
}

bool options_lists_passes(const Options *o) { return o->dump_after && (!strcmp(o->dump_after, "list") || !strcmp(o->dump_after, "help")); }

bool options_inform(const Options *o) { return o->help || o->version || o->list_messages || options_lists_passes(o); }

bool options_given(const Options *o, const char *field) {
    const OptionSpec *s = find_field(field);
    return s && is_given(o, s);
}

static char *word_given(const Options *o, const OptionSpec *s) {
    char name[NAME_MAX_LENGTH];
    const char *at = (const char *)o + s->offset;
    Buf word = {0};
    buf_printf(&word, "--%s%s", option_name(s, name), s->kind == KIND_FLAG ? "" : "=");
    if (s->kind == KIND_NUMBER) buf_printf(&word, "%.17g", *(const double *)(const void *)at);
    if (s->kind == KIND_TEXT) buf_text(&word, *(const char *const *)(const void *)at);
    if (s->kind == KIND_CHOICE) buf_text(&word, word_of(s, *(const unsigned *)(const void *)at));
    return word.text;
}

void options_words(const Options *o, const char *const *except, char ***words) {
    for (unsigned i = 0; i < NSPECS; i++) {
        bool wanted = is_given(o, &specs[i]);
        for (const char *const *e = except; *e && wanted; e++) wanted = strcmp(*e, specs[i].field);
        if (wanted) vec_push(*words, word_given(o, &specs[i]));
    }
}

EngineOptions options_of_engines(const Options *o) {
    return (EngineOptions){
#define TEXT(f, l, a, v, h) .f = o->f,
#define CHOICE(f, t, l, v, h, ...) .f = o->f,
#include "engine/options.def"
#undef TEXT
#undef CHOICE
    };
}

/* ---- parsing ---- */
static bool takes_value(const OptionSpec *s) { return s->argument || s->choices; }

/* True if Heddle does not have this choice although other tools have it. */
static bool is_declined(const char *option, const char *value) {
    static const char *const machines[] = {"power", "ppc", "arm", "armv7", "armv8", "aarch64", "riscv", "rmo", "alpha"};
    if (strcmp(option, "memory-model")) return false;
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++)
        if (!strcasecmp(value, machines[i])) return true;
    return false;
}

static bool no_choice(const OptionSpec *s, const char *name, const char *value, Buf *error) {
    Buf words = {0};
    put_words(&words, s);
    buf_printf(error, is_declined(name, value) ? MSG_OPTION_MODEL_DECLINED : MSG_OPTION_NO_CHOICE, name, buf_string(&words), value);
    buf_free(&words);
    return false;
}

static bool no_value(const OptionSpec *s, const char *arg, Buf *error) {
    Buf words = {0};
    if (s->choices) put_words(&words, s);
    buf_printf(error, MSG_OPTION_NO_VALUE, arg, s->choices ? buf_string(&words) : s->argument);
    buf_free(&words);
    return false;
}

static bool set_option(Options *o, const OptionSpec *s, const char *value, Buf *error) {
    char name[NAME_MAX_LENGTH];
    char *at = (char *)o + s->offset, *end;
    option_name(s, name);
    o->given[(s - specs) / 64] |= UINT64_C(1) << (s - specs) % 64;
    switch (s->kind) {
    case KIND_FLAG: *(bool *)at = true; return true;
    case KIND_NUMBER: {
        double d = strtod(value, &end);
        if (end == value || *end || !isfinite(d) || d < 0) {
            buf_printf(error, MSG_OPTION_NO_NUMBER, name, value);
            return false;
        }
        *(double *)(void *)at = d;
        return true;
    }
    case KIND_CHOICE: return choose(s, value, (unsigned *)(void *)at) || no_choice(s, name, value, error);
    case KIND_TEXT: *(const char **)(void *)at = value; return true;
    case KIND_GROUP:
    case KIND_ALIAS: break;
    }
    return false;
}

/* Finds the option of that name; an alias leads to the option that it stands for. */
static const OptionSpec *find_long(const char *name, size_t length) {
    char full[NAME_MAX_LENGTH];
    for (unsigned i = 0; i < NSPECS; i++)
        if (specs[i].kind != KIND_GROUP && strlen(specs[i].field) == length && !strncmp(option_name(&specs[i], full), name, length))
            return specs[i].kind == KIND_ALIAS ? find_field(specs[i].text) : &specs[i];
    return NULL;
}

static const OptionSpec *find_letter(char letter) {
    for (unsigned i = 0; i < NSPECS; i++)
        if (letter && specs[i].letter == letter) return &specs[i];
    return NULL;
}

/* Parses the option at argv[*i]: --name, --name=value, --name value, -l, -l value or -lvalue. */
static bool parse_option(Options *o, int argc, char **argv, int *i, Buf *error) {
    const char *arg = argv[*i], *value = NULL;
    const OptionSpec *s;
    if (arg[1] == '-') {
        size_t length = strcspn(arg + 2, "=");
        s = find_long(arg + 2, length);
        if (!s) {
            char name[64];
            snprintf(name, sizeof name, "%.*s", (int)(length < 63 ? length : 63), arg + 2);
            unknown_option(name, error);
            return false;
        }
        if (arg[2 + length] == '=') value = arg + 3 + length;
    } else {
        s = find_letter(arg[1]);
        if (!s) {
            buf_printf(error, MSG_OPTION_LETTER_UNKNOWN, isprint((unsigned char)arg[1]) ? arg[1] : '?');
            return false;
        }
        if (arg[2] && takes_value(s)) value = arg + 2;
        else if (arg[2]) {
            buf_printf(error, MSG_OPTION_LETTER_VALUE, arg[1], arg);
            return false;
        }
    }
    if (value && !takes_value(s)) {
        buf_printf(error, MSG_OPTION_VALUE, (int)strcspn(arg, "="), arg);
        return false;
    }
    if (!value && takes_value(s)) {
        ++*i;
        if (*i >= argc) return no_value(s, arg, error);
        value = argv[*i];
    }
    return set_option(o, s, value, error);
}

/* Returns whether each further -- is followed by one of the files. */
static bool check_flags(const Options *o, Buf *error) {
    for (size_t i = 0; i < vec_len(o->clang_flags); i++) {
        if (strcmp(o->clang_flags[i], "--")) continue;
        const char *file = ++i < vec_len(o->clang_flags) ? o->clang_flags[i] : NULL;
        bool known = false;
        for (size_t k = 0; file && k < vec_len(o->files); k++) known |= !strcmp(o->files[k], file);
        if (known) continue;
        if (file) buf_printf(error, MSG_OPTION_FLAGS_FILE_UNKNOWN, file);
        else buf_text(error, MSG_OPTION_FLAGS_FILE_MISSING);
        return false;
    }
    return true;
}

bool options_parse(Options *o, int argc, char **argv, Buf *error) {
    *o = (Options){0};
    for (unsigned i = 0; i < NSPECS; i++) {
        char *at = (char *)o + specs[i].offset;
        if (specs[i].kind == KIND_NUMBER) *(double *)(void *)at = specs[i].number;
        if (specs[i].kind == KIND_TEXT) *(const char **)(void *)at = specs[i].text;
        if (specs[i].kind == KIND_CHOICE) *(unsigned *)(void *)at = specs[i].value;
    }
    o->run = argc > 1 && !strcmp(argv[1], "run");
    for (int i = 1 + o->run; i < argc; i++) {
        if (!strcmp(argv[i], "--")) {
            while (++i < argc) vec_push(o->clang_flags, argv[i]);
        } else if (argv[i][0] == '-' && argv[i][1]) {
            if (!parse_option(o, argc, argv, &i, error)) return false;
        } else {
            vec_push(o->files, argv[i]);
        }
    }
    if (!o->run && !check_flags(o, error)) return false;
    bool input = vec_len(o->files) || o->compile_commands || (o->run && (o->program || o->replay));
    if (!input && !options_inform(o)) {
        buf_text(error, MSG_OPTION_NO_INPUT);
        return false;
    }
    return true;
}

void options_free(Options *o) {
    vec_free(o->files);
    vec_free(o->clang_flags);
    for (size_t i = 0; i < vec_len(o->owned); i++) free(o->owned[i]);
    vec_free(o->owned);
}

/* ---- help ---- */
/* Prints the text from column HELP_COLUMN on, and breaks it at spaces before HELP_WIDTH. */
static void wrap(Buf *out, const char *text) {
    size_t room = HELP_WIDTH - HELP_COLUMN;
    while (strlen(text) > room) {
        size_t cut = room;
        while (cut && text[cut] != ' ') cut--;
        if (!cut) break;
        buf_printf(out, "%.*s\n%*s", (int)cut, text, HELP_COLUMN, "");
        text += cut + 1;
    }
    buf_printf(out, "%s\n", text);
}

static void help_line(Buf *out, const OptionSpec *s) {
    char name[NAME_MAX_LENGTH];
    Buf left = {0}, text = {0};
    if (s->letter) buf_printf(&left, "  -%c, ", s->letter);
    else buf_text(&left, "      ");
    buf_printf(&left, "--%s%s", option_name(s, name), takes_value(s) ? " " : "");
    if (s->choices) put_words(&left, s);
    else if (s->argument) buf_text(&left, s->argument);
    buf_text(&text, s->help);
    if (s->kind == KIND_NUMBER && s->number >= 0) buf_printf(&text, " (default %g)", s->number);
    else if (s->choices) buf_printf(&text, " (default %s)", word_of(s, s->value));
    else if (s->text) buf_printf(&text, " (default %s)", s->text);
    if (left.length + 2 > HELP_COLUMN) buf_printf(out, "%s\n%*s", buf_string(&left), HELP_COLUMN, "");
    else buf_printf(out, "%-*s", HELP_COLUMN, buf_string(&left));
    wrap(out, buf_string(&text));
    buf_free(&left);
    buf_free(&text);
}

void options_help(Buf *out) {
    buf_text(out, "usage: heddle [options] FILE… [-- CLANG-FLAGS [-- FILE CLANG-FLAGS]…]\n"
                  "       heddle run [options] FILE… [-- ARGUMENTS]\n"
                  "       heddle run [options] --program PROGRAM [-- ARGUMENTS]\n"
                  "Proves or refutes a property of a multi-threaded C program. FILE: .c .i .ll .bc,\n"
                  ".wvr (Weaver's language), .hir (Heddle's IR), or .sys (a system).\n");
    for (unsigned i = 0; i < NSPECS; i++) {
        if (specs[i].kind == KIND_GROUP) buf_printf(out, "\n%s:\n", specs[i].field);
        else if (specs[i].kind != KIND_ALIAS) help_line(out, &specs[i]);
    }
}
