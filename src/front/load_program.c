/* SPDX-License-Identifier: Apache-2.0 */
#include "front/load_program.h"
#include "base/file.h"
#include "front/messages.h"
#include "system/text.h"
#include <string.h>

static bool has_suffix(const char *file, const char *suffix) {
    size_t n = strlen(file), m = strlen(suffix);
    return n > m && !strcmp(file + n - m, suffix);
}

/* Parses a whole program in one text file: .hir, .sys or .wvr. */
static Program *load_text(const char *path, Program *(*parse)(const char *, const char *, Buf *), Buf *error) {
    Buf text = {0};
    Program *p = NULL;
    if (file_read(path, FILE_TEXT, &text, error)) p = parse(path, buf_string(&text), error);
    buf_free(&text);
    Buf complaint = {0};
    if (p && !program_check(p, &complaint)) {
        buf_printf(error, MSG_FRONT_NOT_WELL_FORMED, path, buf_string(&complaint));
        program_free(p);
        p = NULL;
    }
    buf_free(&complaint);
    return p;
}

static bool is_cpp(const char *file) {
    static const char *const suffixes[] = {".cpp", ".cc", ".cxx", ".c++", ".C", ".cp", ".hpp", ".hh", ".hxx", ".ii"};
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
        if (has_suffix(file, suffixes[i])) return true;
    return false;
}

bool load_is_text(const char *file) { return has_suffix(file, ".hir") || has_suffix(file, ".sys") || has_suffix(file, ".wvr"); }

/* Returns NULL and a message in *error if the file has a fault. */
static Program *load_whole_text(const FrontOptions *o, const char *file, Buf *error) {
    if (o->nfiles > 1) {
        buf_line(error, MSG_FRONT_WHOLE_PROGRAM, file);
        return NULL;
    }
    return load_text(file, has_suffix(file, ".hir") ? program_parse : has_suffix(file, ".sys") ? system_program : front_wvr, error);
}

bool load_program(const FrontOptions *o, Loaded *loaded, Buf *error) {
    const char *text = NULL;
    *loaded = (Loaded){0};
    for (unsigned i = 0; i < o->nfiles; i++) {
        if (is_cpp(o->files[i])) {
            buf_line(error, MSG_FRONT_CPP, o->files[i]);
            return false;
        }
        if (!file_readable(o->files[i], error)) return false;
        if (!text && load_is_text(o->files[i])) text = o->files[i];
    }
    if (text) loaded->program = load_whole_text(o, text, error);
    else if (!front_load(o, loaded, error)) return false;
    loaded->recursion = o->recursion_bound;
    if (loaded->program && (loaded->c || o->memory_given)) loaded->program->memory = o->memory; /* otherwise the text determines it */
    return loaded->program != NULL;
}

void loaded_free(Loaded *l) {
    if (l->program) program_free(l->program);
    *l = (Loaded){0};
}
