/* SPDX-License-Identifier: Apache-2.0 */
/* Reads compile_commands.json, as CMake, Meson and Bear write it: a list of {directory, file, arguments or command}. Takes the flags
   that determine the meaning of the text (folders of headers, macros, the language). Paths in them are relative to the directory. */
#include "app/compile_commands.h"
#include "app/messages.h"
#include "base/file.h"
#include <ctype.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- the words of a command ---- */

/* Splits a command as a shell does, by blanks, quotes and backslashes. Returns a vec of malloced words. */
static char **split(const char *text) {
    char **words = NULL;
    Buf word = {0};
    bool open = false;
    for (char quote = 0; *text; text++) {
        if (quote && *text == quote) quote = 0;
        else if (!quote && (*text == '\'' || *text == '"')) quote = *text, open = true;
        else if (*text == '\\' && text[1] && quote != '\'') buf_char(&word, *++text), open = true;
        else if (quote || !isspace((unsigned char)*text)) buf_char(&word, *text), open = true;
        else if (open) {
            vec_push(words, strdup(buf_string(&word)));
            buf_clear(&word);
            open = false;
        }
    }
    if (open) vec_push(words, strdup(buf_string(&word)));
    buf_free(&word);
    return words;
}

static char **words_of(const json_t *entry) {
    const json_t *list = json_object_get(entry, "arguments");
    const char *command = json_string_value(json_object_get(entry, "command"));
    char **words = NULL;
    if (!json_is_array(list)) return command ? split(command) : NULL;
    for (size_t i = 0; i < json_array_size(list); i++)
        if (json_is_string(json_array_get(list, i))) vec_push(words, strdup(json_string_value(json_array_get(list, i))));
    return words;
}

/* ---- flags ---- */

static const char *own(Options *o, char *text) {
    vec_push(o->owned, text);
    return text;
}

static char *in_directory(const char *directory, const char *path) {
    Buf out = {0};
    if (*path != '/' && directory && *directory) buf_printf(&out, "%s/", directory);
    buf_text(&out, path);
    return out.text ? out.text : strdup("");
}

/* Returns the length of the option at the beginning of the word if its argument is a path, and otherwise 0. */
static size_t path_option(const char *word) {
    static const char *const list[] = {"-isystem", "-iquote", "-idirafter", "-include-pch", "-include", "-imacros", "-I"};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        if (!strncmp(word, list[i], strlen(list[i]))) return strlen(list[i]);
    return 0;
}

static bool is_kept(const char *word) {
    static const char *const list[] = {
        "-D",       "-U",       "-std=", "-funsigned-char", "-fsigned-char", "-fno-builtin", "-fms-extensions", "-fgnu89-inline",
        "-fcommon", "-pthread", "-ansi", "-fopenmp"};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        if (!strncmp(word, list[i], strlen(list[i]))) return true;
    return false;
}

static void add_flags(Options *o, const char *directory, char *const *words) {
    for (size_t i = 1; i < vec_len(words); i++) {
        size_t path = path_option(words[i]);
        bool more = i + 1 < vec_len(words);
        if (path && words[i][path]) {
            Buf flag = {0};
            char *whole = in_directory(directory, words[i] + path);
            buf_printf(&flag, "%.*s%s", (int)path, words[i], whole);
            free(whole);
            vec_push(o->clang_flags, own(o, flag.text));
        } else if (path && more) {
            vec_push(o->clang_flags, own(o, strdup(words[i])));
            vec_push(o->clang_flags, own(o, in_directory(directory, words[++i])));
        } else if (more && (!strcmp(words[i], "-D") || !strcmp(words[i], "-U"))) {
            vec_push(o->clang_flags, own(o, strdup(words[i])));
            vec_push(o->clang_flags, own(o, strdup(words[++i])));
        } else if (more && !strcmp(words[i], "-o")) {
            i++;
        } else if (is_kept(words[i])) {
            vec_push(o->clang_flags, own(o, strdup(words[i])));
        }
    }
}

/* ---- files ---- */

static bool is_c(const char *file) {
    size_t n = strlen(file);
    return n > 2 && !strcmp(file + n - 2, ".c");
}

static bool same_file(const char *a, const char *b) {
    struct stat x, y;
    return !strcmp(a, b) || (!stat(a, &x) && !stat(b, &y) && x.st_dev == y.st_dev && x.st_ino == y.st_ino);
}

static void add_entry(Options *o, const json_t *entry, const char *file) {
    const char *directory = json_string_value(json_object_get(entry, "directory"));
    char **words = words_of(entry);
    vec_push(o->clang_flags, "--");
    vec_push(o->clang_flags, file);
    add_flags(o, directory, words);
    for (size_t i = 0; i < vec_len(words); i++) free(words[i]);
    vec_free(words);
}

static char *entry_file(const json_t *entry) {
    const char *file = json_string_value(json_object_get(entry, "file"));
    return file ? in_directory(json_string_value(json_object_get(entry, "directory")), file) : NULL;
}

/* Adds all C files of the list, each of them once. */
static void add_all(Options *o, const json_t *list) {
    for (size_t i = 0; i < json_array_size(list); i++) {
        char *file = entry_file(json_array_get(list, i));
        bool known = !file || !is_c(file);
        for (size_t k = 0; k < vec_len(o->files) && !known; k++) known = same_file(o->files[k], file);
        if (known) free(file);
        else vec_push(o->files, own(o, file));
    }
}

static bool apply(Options *o, const char *path, const json_t *list, Buf *error) {
    if (!vec_len(o->files)) add_all(o, list);
    if (!vec_len(o->files)) {
        buf_printf(error, MSG_APP_COMMANDS_EMPTY, path);
        return false;
    }
    for (size_t k = 0; k < vec_len(o->files); k++)
        for (size_t i = 0; i < json_array_size(list); i++) {
            char *file = entry_file(json_array_get(list, i));
            bool found = file && same_file(file, o->files[k]);
            free(file);
            if (!found) continue;
            add_entry(o, json_array_get(list, i), o->files[k]);
            break;
        }
    return true;
}

bool compile_commands_apply(Options *o, Buf *error) {
    if (!o->compile_commands) return true;
    struct stat s;
    Buf path = {0}, text = {0};
    json_error_t why;
    buf_text(&path, o->compile_commands);
    if (!stat(o->compile_commands, &s) && S_ISDIR(s.st_mode)) buf_text(&path, "/compile_commands.json");
    bool good = file_read(buf_string(&path), FILE_TEXT, &text, error);
    while (error->length && error->text[error->length - 1] == '\n') error->text[--error->length] = 0;
    json_t *list = good ? json_loads(buf_string(&text), 0, &why) : NULL;
    if (good && !json_is_array(list)) {
        buf_printf(error, list ? MSG_APP_COMMANDS_NO_LIST : MSG_APP_COMMANDS_NO_JSON, buf_string(&path));
        good = false;
    }
    good = good && apply(o, buf_string(&path), list, error);
    json_decref(list);
    buf_free(&path);
    buf_free(&text);
    return good;
}
