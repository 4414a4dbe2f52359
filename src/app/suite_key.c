/* SPDX-License-Identifier: Apache-2.0 */
#include "app/suite_key.h"
#include "base/file.h"
#include "base/map.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct Reading {
    const char *const *flags;
    char **files; /* a vec: the files found so far; each is read once */
} Reading;

/* Adds a regular file. The content of pipes and devices does not last, so they are left out. */
static void add_file(Reading *r, char *path) {
    struct stat s;
    bool known = stat(path, &s) || !S_ISREG(s.st_mode);
    for (size_t i = 0; i < vec_len(r->files) && !known; i++) known = !strcmp(r->files[i], path);
    if (known) free(path);
    else vec_push(r->files, path);
}

/* Adds the file if it exists in the folder, which is the first n bytes of a path. */
static void add_from(Reading *r, const char *folder, size_t n, const char *name, size_t length) {
    Buf path = {0};
    if (*name != '/') buf_bytes(&path, folder, n);
    if (n && folder[n - 1] != '/' && *name != '/') buf_char(&path, '/');
    buf_bytes(&path, name, length);
    add_file(r, strdup(buf_string(&path)));
    buf_free(&path);
}

/* Adds an included file from the folder of the including file or from a folder of the flags. */
static void add_included(Reading *r, const char *from, const char *name, size_t length) {
    const char *slash = strrchr(from, '/');
    add_from(r, from, slash ? (size_t)(slash - from) + 1 : 0, name, length);
    for (size_t i = 0; i < vec_len(r->flags); i++) {
        const char *flag = r->flags[i], *next = i + 1 < vec_len(r->flags) ? r->flags[i + 1] : "";
        const char *folder = strncmp(flag, "-I", 2) ? NULL : flag[2] ? flag + 2 : next;
        if (!strcmp(flag, "-iquote") || !strcmp(flag, "-isystem")) folder = next;
        if (folder) add_from(r, folder, strlen(folder), name, length);
    }
}

/* Finds the lines with #include. */
static void scan(Reading *r, const char *path, const char *text) {
    for (; text; text = strchr(text, '\n'), text += text != NULL) {
        const char *at = text + strspn(text, " \t");
        if (*at++ != '#') continue;
        at += strspn(at, " \t");
        if (strncmp(at, "include", strlen("include"))) continue;
        at += strcspn(at, "\"<\n");
        size_t length = *at == '\n' || !*at ? 0 : strcspn(at + 1, "\">\n");
        if (length) add_included(r, path, at + 1, length);
    }
}

void suite_key_contents(Buf *key, const Task *t, const char *const *flags) {
    Reading r = {.flags = flags};
    add_file(&r, strdup(t->file));
    for (size_t i = 0; i < vec_len(t->inputs); i++) add_file(&r, strdup(t->inputs[i]));
    for (size_t i = 0; i + 1 < vec_len(flags); i++)
        if (!strcmp(flags[i], "-include")) add_file(&r, strdup(flags[i + 1]));
    for (size_t i = 0; i < vec_len(r.files); i++) { /* the vec grows during the loop */
        Buf text = {0}, error = {0};
        bool read = file_read(r.files[i], FILE_LLVM, &text, &error);
        buf_printf(key, "|%zu:%016" PRIx64, text.length, read ? hash_bytes(text.text, text.length, 2) : 0);
        if (read) scan(&r, r.files[i], buf_string(&text));
        buf_free(&text);
        buf_free(&error);
    }
    for (size_t i = 0; i < vec_len(r.files); i++) free(r.files[i]);
    vec_free(r.files);
}
