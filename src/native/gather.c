/* SPDX-License-Identifier: Apache-2.0 */
#include "native/gather.h"
#include "base/file.h"
#include "native/schedule.h"
#include "native/files.h"
#include "native/messages.h"
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- the worker: the bitcode behind its length, and the schedule ---- */

void native_collect(Buf *to, const Program *p, const Question *q, const Loaded *in, const Verdict *v, const Counterexample *counterexample,
                    const char *args) {
    if (v->kind != VERDICT_UNSAFE || !v->trace || !in->native) return;
    NativeRun *run = native_run_of_trace(p, q, v->trace);
    uint64_t size = in->native_size;
    buf_bytes(to, &size, sizeof size);
    buf_bytes(to, in->native, in->native_size);
    native_schedule(to, run, v->trace, counterexample, args);
    native_run_free(run);
}

/* ---- the supervisor ---- */

static bool complain(const char *what) {
    fprintf(stderr, "heddle: %s: %s\n", what, strerror(errno));
    return false;
}

/* Names the folders of a run. Files are made in a temporary folder inside that of --native, and each is moved when all are complete. */
typedef struct Folders {
    const char *to;
    Buf new;
    bool made; /* `to` did not exist before */
} Folders;

static const char *const programs[] = {"bug.bc", "schedule.c", "bug", "bug-tsan"}; /* the other files are native_files */

static char *path_in(const char *dir, const char *name) {
    Buf path = {0};
    buf_printf(&path, "%s/%s", dir, name);
    return path.text;
}

static bool put(const Folders *f, const char *name, const char *bytes, size_t size) {
    char *path = path_in(buf_string(&f->new), name), *wanted = path_in(f->to, name);
    bool ok = file_write(path, bytes, size) || complain(wanted);
    free(path);
    free(wanted);
    return ok;
}

static bool build(const Folders *f, const Options *o) {
    char *script = path_in(buf_string(&f->new), "build.sh");
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        dup2(STDERR_FILENO, STDOUT_FILENO);
        execl("/bin/sh", "sh", script, o->data_model == DATA_ILP32 ? "32" : "64", (char *)NULL);
        _exit(127);
    }
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
    free(script);
    if (child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0) return true;
    print_error(MSG_NATIVE_BUILD_FAILED, f->to);
    return false;
}

static bool write_files(const Folders *f, const Buf *made) {
    uint64_t size;
    memcpy(&size, made->text, sizeof size);
    const char *bitcode = made->text + sizeof size, *schedule = bitcode + size;
    bool ok = put(f, "bug.bc", bitcode, size) && put(f, "schedule.c", schedule, made->length - sizeof size - size);
    for (const NativeFile *n = native_files; ok && n->name; n++) ok = put(f, n->name, n->text, strlen(n->text));
    return ok;
}

/* Moves the file to its final place, or removes it. */
static bool move_or_remove(const Folders *f, const char *name, bool keep) {
    char *from = path_in(buf_string(&f->new), name), *to = path_in(f->to, name);
    bool ok = !keep || !rename(from, to) || (errno == ENOENT && (!unlink(to) || errno == ENOENT)) || complain(to);
    if (!keep || !ok) unlink(from);
    free(from);
    free(to);
    return ok;
}

static bool move_or_remove_all(const Folders *f, bool keep) {
    bool ok = true;
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) ok &= move_or_remove(f, programs[i], keep);
    for (const NativeFile *n = native_files; n->name; n++) ok &= move_or_remove(f, n->name, keep);
    rmdir(buf_string(&f->new));
    if (!keep && f->made) rmdir(f->to);
    return ok;
}

bool native_writes(const char *name) {
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
        if (!strcmp(programs[i], name)) return true;
    for (const NativeFile *n = native_files; n->name; n++)
        if (!strcmp(n->name, name)) return true;
    return false;
}

bool native_build_program(const Buf *made, const Options *o) {
    if (!o->native || !made->length) return true;
    Folders f = {.to = o->native, .made = !mkdir(o->native, 0777)};
    if (!f.made && errno != EEXIST) return complain(o->native);
    buf_printf(&f.new, "%s/.new.%d", o->native, (int)getpid());
    bool ok = !mkdir(buf_string(&f.new), 0777) || complain(o->native);
    if (ok) {
        ok = write_files(&f, made) && build(&f, o);
        ok = move_or_remove_all(&f, ok) && ok;
    } else if (f.made) rmdir(o->native);
    buf_free(&f.new);
    return ok;
}
