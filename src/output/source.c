/* SPDX-License-Identifier: Apache-2.0 */
/* Reads each file once and cuts it into lines. A file that is too large, or not a regular file, has no lines. */
#include "output/source.h"
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

typedef struct Line {
    const char *text; /* without control characters */
    const char *bytes;
    size_t length;
} Line;

typedef struct SourceFile {
    const char *name;
    Line *lines; /* a vec */
} SourceFile;

struct Sources {
    Arena *arena;
    SourceFile *files; /* a vec */
};

enum { FILE_LIMIT = 64 << 20 };

Sources *sources_new(void) {
    Arena *arena = arena_new();
    Sources *s = arena_new_of(arena, Sources);
    s->arena = arena;
    return s;
}

void sources_free(Sources *s) {
    for (size_t i = 0; i < vec_len(s->files); i++) vec_free(s->files[i].lines);
    vec_free(s->files);
    arena_free(s->arena);
}

static const char *clean_line(Arena *arena, const char *text, size_t length) {
    char *line = arena_strndup(arena, text, length < SOURCE_LINE ? length : SOURCE_LINE);
    for (char *c = line; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 0x7f) *c = ' ';
    return line;
}

static void read_lines(Sources *s, SourceFile *file) {
    struct stat st;
    FILE *f = !stat(file->name, &st) && S_ISREG(st.st_mode) ? fopen(file->name, "rb") : NULL; /* a pipe might never open */
    if (!f) return;
    if (!fstat(fileno(f), &st) && S_ISREG(st.st_mode) && st.st_size <= FILE_LIMIT) {
        char *text = arena_alloc(s->arena, (size_t)st.st_size + 1);
        size_t n = fread(text, 1, (size_t)st.st_size, f);
        for (const char *p = text, *end = text + n; p < end;) {
            const char *stop = memchr(p, '\n', (size_t)(end - p));
            if (!stop) stop = end;
            vec_push(file->lines, ((Line){clean_line(s->arena, p, (size_t)(stop - p)), p, (size_t)(stop - p)}));
            p = stop + 1;
        }
    }
    fclose(f);
}

static const Line *find_line(Sources *s, Position p) {
    if (!p.file || !p.line) return NULL;
    SourceFile *file = NULL;
    for (size_t i = 0; i < vec_len(s->files) && !file; i++)
        if (!strcmp(s->files[i].name, p.file)) file = &s->files[i];
    if (!file) {
        vec_push(s->files, ((SourceFile){.name = p.file}));
        file = &vec_last(s->files);
        read_lines(s, file);
    }
    return p.line <= vec_len(file->lines) ? &file->lines[p.line - 1] : NULL;
}

const char *source_line(Sources *s, Position p) {
    const Line *line = find_line(s, p);
    return line ? line->text : NULL;
}

const char *source_bytes(Sources *s, Position p, size_t *length) {
    const Line *line = find_line(s, p);
    *length = line ? line->length : 0;
    if (line && *length && line->bytes[*length - 1] == '\r') --*length;
    return line ? line->bytes : NULL;
}

const char *source_trimmed(Sources *s, Position p) {
    const char *line = source_line(s, p);
    if (!line) return NULL;
    while (*line == ' ') line++;
    size_t n = strlen(line);
    while (n && line[n - 1] == ' ') n--;
    return arena_strndup(s->arena, line, n);
}

unsigned text_width(const char *text) {
    unsigned n = 0;
    for (; *text; text++) n += ((unsigned char)*text & 0xc0) != 0x80;
    return n;
}

unsigned text_cut(const char *text, unsigned width) {
    const char *p = text;
    for (; *p; p++) {
        if (((unsigned char)*p & 0xc0) == 0x80) continue;
        if (!width--) break;
    }
    return (unsigned)(p - text);
}
