/* SPDX-License-Identifier: Apache-2.0 */
/* Compares existing files by device and inode. Names of files that do not exist yet are the same if they resolve to the same path. */
#include "output/destinations.h"
#include "base/file.h"
#include "native/gather.h"
#include "output/messages.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct Place {
    const char *option, *path;
} Place;

static bool is_stdout(const char *path) {
    return !strcmp(path, "-") || !strcmp(path, "/dev/stdout") || !strcmp(path, "/dev/fd/1") || !strcmp(path, "/proc/self/fd/1");
}

/* Returns the name in the folder of the path (malloced). */
static char *in_folder(const char *path, const char *name) {
    const char *slash = strrchr(path, '/');
    Buf out = {0};
    if (*name != '/') buf_bytes(&out, slash ? path : "./", slash ? (size_t)(slash - path) + 1 : 2);
    buf_text(&out, name);
    return out.text;
}

/* Returns the path at which a missing file would be created: links are followed, and the folder has no "." and ".." (malloced). */
static char *place_of(const char *path) {
    char *at = strdup(path), target[PATH_MAX];
    ssize_t n;
    for (unsigned i = 0; i < 40 && (n = readlink(at, target, sizeof target - 1)) > 0; i++) {
        target[n] = 0;
        char *next = in_folder(at, target);
        free(at);
        at = next;
    }
    const char *name = base_name(at);
    char *folder = in_folder(at, ""), *real = realpath(folder, NULL);
    Buf out = {0};
    buf_printf(&out, "%s/%s", real ? real : folder, name);
    free(real);
    free(folder);
    free(at);
    return out.text;
}

/* Character devices such as terminals and /dev/null may be named twice. */
static bool same_file(const char *a, const char *b) {
    struct stat s, t;
    if (is_stdout(a) || is_stdout(b)) return is_stdout(a) && is_stdout(b);
    bool first = !stat(a, &s), second = !stat(b, &t);
    if (first || second) return first && second && s.st_dev == t.st_dev && s.st_ino == t.st_ino && !S_ISCHR(s.st_mode);
    char *one = place_of(a), *other = place_of(b);
    bool same = !strcmp(one, other);
    free(one);
    free(other);
    return same;
}

static void add(Place **places, const char *option, const char *path) {
    if (path && *path) vec_push(*places, ((Place){option, path}));
}

/* Adds an input file. A folder is not added, since no output replaces it. */
static void add_input(const char ***paths, const char *path) {
    struct stat s;
    if (path && !stat(path, &s) && !S_ISDIR(s.st_mode)) vec_push(*paths, path);
}

/* --native writes files of fixed names to its folder. */
static bool in_native(const Options *o, const char *path) {
    const char *name = base_name(path);
    char *folder = in_folder(path, ".");
    bool same = o->native && native_writes(name) && same_file(folder, o->native);
    free(folder);
    return same;
}

static bool is_written(const Options *o, const char *in, const Place *outputs, Buf *error) {
    for (size_t i = 0; i < vec_len(outputs) && !error->length; i++)
        if (!is_stdout(outputs[i].path) && same_file(in, outputs[i].path)) buf_printf(error, MSG_OUTPUT_OVERWRITES, outputs[i].option, in);
    if (!error->length && in_native(o, in)) buf_printf(error, MSG_OUTPUT_NATIVE_OVERWRITES, in);
    return error->length;
}

bool destinations_apart(const Options *o, Buf *error) {
    Place *outputs = NULL;
    const char **inputs = NULL;
    add(&outputs, "json", o->json);
    add(&outputs, "sarif", o->sarif);
    add(&outputs, "html", o->html);
    add(&outputs, "trace", o->trace);
    add(&outputs, "certificate", o->certificate);
    add(&outputs, "witness", o->witness);
    add(&outputs, "native", o->native);
    add_input(&inputs, o->replay);
    add_input(&inputs, o->check_witness);
    add_input(&inputs, o->check_certificate);
    add_input(&inputs, o->property && strpbrk(o->property, "/.") ? o->property : NULL); /* other texts are names of properties */
    Buf commands = {0};
    if (o->compile_commands) buf_printf(&commands, "%s/compile_commands.json", o->compile_commands);
    add_input(&inputs, o->compile_commands);
    add_input(&inputs, buf_string(&commands));
    for (size_t i = 0; i < vec_len(o->files); i++) add_input(&inputs, o->files[i]);
    for (size_t i = 0; i < vec_len(outputs) && !error->length; i++)
        for (size_t k = i + 1; k < vec_len(outputs) && !error->length; k++)
            if (same_file(outputs[i].path, outputs[k].path)) buf_printf(error, MSG_OUTPUT_SAME_FILE, outputs[i].option, outputs[k].option);
    for (size_t i = 0; i < vec_len(inputs) && !is_written(o, inputs[i], outputs, error); i++) continue;
    vec_free(outputs);
    vec_free(inputs);
    buf_free(&commands);
    return !error->length;
}
