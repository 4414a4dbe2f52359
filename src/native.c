/* SPDX-License-Identifier: Apache-2.0 */
#include "native.h"
#include "base/file.h"
#include "check/native.h"
#include "output/native.h"
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- the worker: the bitcode behind its length, and the schedule ---- */

void native_gather(Buf *to, const Job *job, const Verdict *v, const Story *story) {
    const Program *p = job->program;
    if (v->kind != VERDICT_UNSAFE || !v->trace || !p->native) return;
    NativeRun *run = native_run(p, v->trace);
    uint64_t size = p->native_size;
    buf_bytes(to, &size, sizeof size);
    buf_bytes(to, p->native, p->native_size);
    native_schedule(to, run, v->trace, story, job->options->args);
    native_run_free(run);
}

/* ---- the supervisor ---- */

static bool complain(const char *what) {
    fprintf(stderr, "heddle: %s: %s\n", what, strerror(errno));
    return false;
}

static bool put(const char *dir, const char *name, const char *bytes, size_t size) {
    Buf path = {0};
    buf_printf(&path, "%s/%s", dir, name);
    bool ok = file_write(buf_string(&path), bytes, size) || complain(buf_string(&path));
    buf_free(&path);
    return ok;
}

static bool build(const Options *o) {
    Buf script = {0};
    int status = 0;
    buf_printf(&script, "%s/build.sh", o->native);
    pid_t child = fork();
    if (child == 0) {
        dup2(STDERR_FILENO, STDOUT_FILENO);
        execl("/bin/sh", "sh", buf_string(&script), o->data_model == DATA_ILP32 ? "32" : "64", (char *)NULL);
        _exit(127);
    }
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
    buf_free(&script);
    if (child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0) return true;
    fprintf(stderr, "heddle: %s: build.sh failed\n", o->native);
    return false;
}

bool native_make(const Buf *made, const Options *o) {
    uint64_t size;
    if (!o->native || !made->length) return true;
    memcpy(&size, made->text, sizeof size);
    const char *bitcode = made->text + sizeof size, *schedule = bitcode + size;
    if (mkdir(o->native, 0777) && errno != EEXIST) return complain(o->native);
    bool ok = put(o->native, "bug.bc", bitcode, size);
    ok = ok && put(o->native, "schedule.c", schedule, made->length - sizeof size - size);
    for (const NativeFile *f = native_files; ok && f->name; f++) ok = put(o->native, f->name, f->text, strlen(f->text));
    return ok && build(o);
}
