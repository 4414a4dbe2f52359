/* SPDX-License-Identifier: Apache-2.0 */
#include "front/clang.h"
#include "base/die.h"
#include "base/vec.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

struct Clang {
    pid_t pid;
    int out, errors; /* pipes */
    const char *file;
    int kept; /* where its bitcode is kept, or 0; pid 0: it is there already */
    uint32_t key;
    const char **again; /* its arguments, if it is to be asked once more; a vec */
};

static const char *const clang_names[] = {"clang-19", "clang", NULL};

static const char *const base_flags[] = {"-x",
                                         "c",
                                         "-std=gnu11",
                                         "-w",
                                         "-Wno-int-conversion",
                                         "-Wno-incompatible-function-pointer-types",
                                         "-Wno-implicit-function-declaration",
                                         "-Wno-implicit-int",
                                         "-Wno-return-mismatch",
                                         "-g",
                                         "-O0",
                                         "-Xclang",
                                         "-disable-O0-optnone",
                                         "-fno-discard-value-names",
                                         "-fno-color-diagnostics",
                                         "-fno-crash-diagnostics",
                                         "-emit-llvm",
                                         "-c",
                                         "-o",
                                         "-"};

/* ---- the child ---- */

/* Flags for all files; then, behind each --, the name of a file and flags for that one. */
static void add_flags(const char ***list, const FrontOptions *o, const char *file) {
    bool for_it = true;
    for (unsigned i = 0; i < o->nflags; i++) {
        if (!strcmp(o->clang_flags[i], "--")) for_it = i + 1 < o->nflags && !strcmp(o->clang_flags[++i], file);
        else if (for_it) vec_push(*list, o->clang_flags[i]);
    }
}

/* The declarations of a function, as JSON, instead of code. */
static void add_show(const char ***list, const char *name) {
    static const char *const flags[] = {"-fsyntax-only", "-Xclang", "-ast-dump=json", "-Xclang", "-ast-dump-filter", "-Xclang"};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) vec_push(*list, flags[i]);
    vec_push(*list, name);
}

/* clang computes with constants itself, 24 * 60 * 60 * 1000 * 1000 or 1 / 0, and what it makes of them is not seen. But it warns: then it
   is asked once more, to leave such arithmetic to us. */
static const char *const watch_flags[] = {"-Wno-error",         "-Wno-everything",
                                          "-Winteger-overflow", "-Wno-error=integer-overflow",
                                          "-Wdivision-by-zero", "-Wno-error=division-by-zero"};
static const char *const check_flags[] = {"-fsanitize=signed-integer-overflow,integer-divide-by-zero",
                                          "-fsanitize-trap=signed-integer-overflow,integer-divide-by-zero"};

static void add_watch(const char ***list, bool checks) {
    for (size_t i = 0; i < sizeof watch_flags / sizeof *watch_flags; i++) vec_push(*list, watch_flags[i]);
    for (size_t i = 0; checks && i < sizeof check_flags / sizeof *check_flags; i++) vec_push(*list, check_flags[i]);
}

static bool warns(const Buf *messages) {
    const char *said = buf_string(messages);
    return strstr(said, "[-Winteger-overflow]") || strstr(said, "[-Wdivision-by-zero]");
}

static bool looks_for_overflows(const FrontOptions *o) { return o->asked & FOR_OVERFLOWS; }

static const char **clang_arguments(const FrontOptions *o, const char *file, bool inlines, bool checks) {
    const char **a = NULL;
    vec_push(a, "clang");
    for (size_t i = 0; i < sizeof base_flags / sizeof *base_flags; i++)
        if (!looks_for_overflows(o) || strcmp(base_flags[i], "-w")) vec_push(a, base_flags[i]);
    if (o->ilp32) vec_push(a, "-m32");
    if (o->ilp32) vec_push(a, "-idirafter/usr/include/x86_64-linux-gnu"); /* the kernel's headers, which both data models share */
    if (inlines) vec_push(a, "-fgnu89-inline");
    if (looks_for_overflows(o))
        vec_push(a, "-fsanitize=shift-base"); /* LLVM's shifts do not say whether they are signed: clang asks for us */
    if (looks_for_overflows(o)) vec_push(a, "-fsanitize-trap=shift-base");
    add_flags(&a, o, file);
    if (looks_for_overflows(o)) add_watch(&a, checks);
    if (o->show) add_show(&a, o->show);
    vec_push(a, file);
    vec_push(a, NULL);
    return a;
}

enum { NO_CLANG = 126 }; /* not 127: the loader of programs says that where memory is scarce */

static _Noreturn void become_clang(const char **arguments, int out, int errors) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    int null = open("/dev/null", O_RDONLY);
    if (null >= 0) dup2(null, 0);
    dup2(out, 1);
    dup2(errors, 2);
    for (const char *const *name = clang_names; *name; name++) {
        arguments[0] = *name;
        execvp(*name, (char *const *)(void *)arguments);
    }
    const char *why = strerror(errno);
    (void)!write(2, why, strlen(why));
    _exit(NO_CLANG);
}

/* Read both pipes until both are closed. */
static void drain(int out, int errors, Buf *bitcode, Buf *messages) {
    struct pollfd p[2] = {{.fd = out, .events = POLLIN}, {.fd = errors, .events = POLLIN}};
    Buf *to[2] = {bitcode, messages};
    static const size_t room = 1 << 16;
    char *chunk = malloc(room);
    if (!chunk) lack("out of memory");
    while (p[0].fd >= 0 || p[1].fd >= 0) {
        if (poll(p, 2, -1) < 0 && errno != EINTR) break;
        for (int i = 0; i < 2; i++) {
            if (p[i].fd < 0 || !(p[i].revents & (POLLIN | POLLHUP | POLLERR))) continue;
            ssize_t n = read(p[i].fd, chunk, room);
            if (n > 0) buf_bytes(to[i], chunk, (size_t)n);
            else if (n == 0 || errno != EINTR) p[i].fd = -1;
        }
    }
    free(chunk);
}

/* Lines of clang and of the loader that speak of the machine, not of the program. */
static bool out_of_memory(const char *messages) {
    static const char *const signs[] = {"LLVM ERROR: out of memory", "bad_alloc", "error while loading shared libraries",
                                        ": Cannot allocate memory\n"};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (strstr(messages, signs[i])) return true;
    return false;
}

/* Errors in the input are what clang itself reports, with exit code 1. Whatever else ends it says nothing about the input. */
static bool finished_well(pid_t child, const char *file, const Buf *messages, Buf *error) {
    int status = 0;
    const char *said = buf_string(messages);
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) break;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return true;
    if (WIFEXITED(status) && WEXITSTATUS(status) == NO_CLANG && strcmp(said, strerror(ENOMEM)))
        incomplete("cannot run clang-19: %s; is it installed?", said);
    if (out_of_memory(said) || (WIFEXITED(status) && WEXITSTATUS(status) == NO_CLANG)) lack("%s: clang ran out of memory", file);
    if (strstr(said, ": Too many open files\n")) lack("%s: clang ran out of open files", file);
    int signal = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status) > 128 ? WEXITSTATUS(status) - 128 : 0;
    if (signal) lack("%s: clang crashed: %s", file, signal_from_outside(signal) ? signal_from_outside(signal) : strsignal(signal));
    if (WEXITSTATUS(status) != 1) lack("%s: clang failed with exit code %d", file, WEXITSTATUS(status));
    if (messages->length) buf_text(error, said);
    else buf_printf(error, "%s: clang failed and does not say why\n", file);
    return false;
}

/* ---- bitcode that is kept for the next who wants it ---- */

/* Before each bitcode; written last: where there is none, there is no more. */
typedef struct Record {
    uint32_t written, key;
    uint64_t length;
} Record;

/* What the bitcode depends on, but for what is the same in the whole run. */
static uint32_t key_of(const FrontOptions *o, const char *file, bool inlines) {
    uint32_t i = 0;
    while (i < o->nfiles && o->files[i] != file) i++;
    return i << 2 | (uint32_t)inlines << 1 | looks_for_overflows(o);
}

/* Where it is; *found: it is there. Else where it would be. */
static off_t look_up(int kept, uint32_t key, Record *r, bool *found) {
    off_t at = 0;
    for (*found = false; pread(kept, r, sizeof *r, at) == (ssize_t)sizeof *r && r->written; at += (off_t)(sizeof *r + r->length)) {
        if (r->key != key) continue;
        *found = true;
        return at + (off_t)sizeof *r;
    }
    return at;
}

static bool write_at(int to, const void *bytes, size_t size, off_t at) {
    for (ssize_t n; size; bytes = (const char *)bytes + n, size -= (size_t)n, at += n)
        if ((n = pwrite(to, bytes, size, at)) <= 0) return false;
    return true;
}

static void keep(int kept, uint32_t key, const Buf *bitcode) {
    Record r;
    bool found;
    off_t at = look_up(kept, key, &r, &found);
    r = (Record){.written = 1, .key = key, .length = bitcode->length};
    if (!found && write_at(kept, bitcode->text, bitcode->length, at + (off_t)sizeof r)) write_at(kept, &r, sizeof r, at);
}

static bool take(int kept, uint32_t key, Buf *bitcode) {
    char part[1 << 13];
    Record r;
    bool found;
    off_t at = look_up(kept, key, &r, &found);
    for (ssize_t n; found && r.length; at += n, r.length -= (uint64_t)n) {
        n = pread(kept, part, r.length < sizeof part ? r.length : sizeof part, at);
        if (n <= 0) return false;
        buf_bytes(bitcode, part, (size_t)n);
    }
    return found;
}

/* ---- all ---- */

static bool has_suffix(const char *name, const char *suffix) {
    size_t n = strlen(name), m = strlen(suffix);
    return n > m && !strcmp(name + n - m, suffix);
}

bool clang_reads(const char *file) { return !has_suffix(file, ".ll") && !has_suffix(file, ".bc"); }

static bool is_kept(const FrontOptions *o, const char *file, bool inlines) {
    Record r;
    bool found = false;
    if (o->kept) look_up(o->kept, key_of(o, file, inlines), &r, &found);
    return found;
}

static void start(Clang *c, const char **arguments) {
    int out[2] = {-1, -1}, errors[2] = {-1, -1};
    if (pipe2(out, O_CLOEXEC)) lack("cannot make a pipe: %s", strerror(errno));
    if (pipe2(errors, O_CLOEXEC)) lack("cannot make a pipe: %s", strerror(errno));
    c->pid = fork();
    c->out = out[0];
    c->errors = errors[0];
    if (c->pid < 0) lack("cannot start a process: %s", strerror(errno));
    if (c->pid == 0) become_clang(arguments, out[1], errors[1]);
    close(out[1]);
    close(errors[1]);
}

Clang *clang_start(const FrontOptions *o, const char *file, bool inlines) {
    Clang *c = malloc(sizeof *c);
    if (!c) lack("out of memory");
    *c = (Clang){.file = file, .kept = o->kept, .key = key_of(o, file, inlines)};
    if (is_kept(o, file, inlines)) return c;
    const char **arguments = clang_arguments(o, file, inlines, false);
    if (looks_for_overflows(o)) c->again = clang_arguments(o, file, inlines, true);
    start(c, arguments);
    vec_free(arguments);
    return c;
}

static bool finish(Clang *c, Buf *bitcode, Buf *messages, Buf *error) {
    drain(c->out, c->errors, bitcode, messages);
    close(c->out);
    close(c->errors);
    return finished_well(c->pid, c->file, messages, error);
}

bool clang_finish(Clang *c, Buf *bitcode, Buf *error) {
    Buf messages = {0};
    if (!c->pid) {
        if (!take(c->kept, c->key, bitcode)) lack("%s: what clang made of it is lost", c->file);
        free(c);
        return true;
    }
    bool ok = finish(c, bitcode, &messages, error);
    if (ok && c->again && warns(&messages)) {
        buf_clear(bitcode);
        buf_clear(&messages);
        start(c, c->again);
        ok = finish(c, bitcode, &messages, error);
    }
    if (ok && c->kept) keep(c->kept, c->key, bitcode);
    buf_free(&messages);
    vec_free(c->again);
    free(c);
    return ok;
}
