/* SPDX-License-Identifier: Apache-2.0 */
#include "front/clang.h"
#include "base/messages.h"
#include "front/messages.h"
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
    const FrontOptions *options;
    const char *file;
    bool inlines;
    uint64_t gcc; /* a bit for each construct in gcc_constructs that the file has */
};

static const char *const clang_names[] = {"clang-19", "clang", NULL};

static const char *const base_flags[] = {"-x",
                                         "c",
                                         "-std=gnu11",
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

/* Constructs of gcc, as in files that its preprocessor has written, that clang refuses. A file that clang accepts is never changed. */
typedef struct GccConstruct {
    const char *complaint; /* clang's */
    const char *flag;
} GccConstruct;

static const GccConstruct gcc_constructs[] = {
    /* It names the function that frees what this one allocates. gcc only warns about other ways to free it. */
    {"'__malloc__' attribute takes no arguments", "-D__malloc__(...)="},
    /* In gcc these are types of their own, with the values and the size of these. */
    {"'_Float32'", "-D_Float32=float"},
    {"'_Float64'", "-D_Float64=double"},
    {"'_Float32x'", "-D_Float32x=double"},
    {"'_Float64x'", "-D_Float64x=long double"},
    {"'_Float128'", "-D_Float128=__float128"},
};
enum { GCC_CONSTRUCTS = sizeof gcc_constructs / sizeof *gcc_constructs };

/* ---- the child ---- */

/* Adds the flags for all files and, behind each -- with this file's name, the flags for this file. */
static void add_flags(const char ***list, const FrontOptions *o, const char *file) {
    bool for_it = true;
    for (unsigned i = 0; i < o->nflags; i++) {
        if (strcmp(o->clang_flags[i], "--")) {
            if (for_it) vec_push(*list, o->clang_flags[i]);
        } else if (++i < o->nflags) for_it = !strcmp(o->clang_flags[i], file);
    }
}

/* Adds flags to print the declarations of a function, as JSON, instead of code. */
static void add_show(const char ***list, const char *name) {
    static const char *const flags[] = {"-w", "-fsyntax-only", "-Xclang", "-ast-dump=json", "-Xclang", "-ast-dump-filter", "-Xclang"};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) vec_push(*list, flags[i]);
    vec_push(*list, name);
}

/* Flags that make clang call functions at undefined arithmetic, which matters for overflows; front/repair.h gives them our names.
   - Shifts: those of LLVM do not record whether they are signed, so clang adds the checks.
   - Constants: clang computes 24 * 60 * 60 * 1000 * 1000 or 1 / 0 itself, and the result hides the fault. As it warns, it is run a
     second time, with flags that leave such arithmetic to us. */
static const char *const watch_flags[] = {"-Wno-error",
                                          "-Wno-everything",
                                          "-Winteger-overflow",
                                          "-Wno-error=integer-overflow",
                                          "-Wdivision-by-zero",
                                          "-Wno-error=division-by-zero",
                                          "-fno-sanitize=all",
                                          "-fno-sanitize-trap=all",
                                          "-fsanitize-recover=all",
                                          "-fsanitize-minimal-runtime",
                                          "-fsanitize=shift-base"};

static void add_watch(const char ***list, bool checks) {
    for (size_t i = 0; i < sizeof watch_flags / sizeof *watch_flags; i++) vec_push(*list, watch_flags[i]);
    if (checks) vec_push(*list, "-fsanitize=signed-integer-overflow,integer-divide-by-zero");
}

static bool warns(const Buf *messages) {
    const char *said = buf_string(messages);
    return strstr(said, "[-Winteger-overflow]") || strstr(said, "[-Wdivision-by-zero]");
}

static const char **clang_arguments(const Clang *c, bool checks) {
    const FrontOptions *o = c->options;
    const char **a = NULL;
    vec_push(a, "clang");
    for (size_t i = 0; i < sizeof base_flags / sizeof *base_flags; i++) vec_push(a, base_flags[i]);
    if (o->ilp32) vec_push(a, "-m32");
    if (o->ilp32) vec_push(a, "-idirafter/usr/include/x86_64-linux-gnu"); /* the kernel's headers, which both data models share */
    if (c->inlines) vec_push(a, "-fgnu89-inline");
    for (unsigned i = 0; i < GCC_CONSTRUCTS; i++)
        if (c->gcc >> i & 1) vec_push(a, gcc_constructs[i].flag);
    if (c->gcc) vec_push(a, "-ferror-limit=0"); /* lest a later construct be missed */
    add_flags(&a, o, c->file);
    if (o->show) add_show(&a, o->show);
    else add_watch(&a, checks);
    vec_push(a, c->file);
    vec_push(a, NULL);
    return a;
}

enum { NO_CLANG = 126 }; /* not 127, which the loader of programs returns where memory is scarce */

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

/* Reads both pipes until both are closed. */
static void drain(int out, int errors, Buf *bitcode, Buf *messages) {
    struct pollfd p[2] = {{.fd = out, .events = POLLIN}, {.fd = errors, .events = POLLIN}};
    Buf *to[2] = {bitcode, messages};
    static const size_t room = 1 << 16;
    char *chunk = malloc(room);
    if (!chunk) out_of_resources(MSG_BASE_NO_MEMORY);
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

/* True if clang or the loader reports a lack of memory instead of a fault of the program. */
static bool out_of_memory(const char *messages) {
    static const char *const signs[] = {"LLVM ERROR: out of memory", "bad_alloc", "error while loading shared libraries",
                                        ": Cannot allocate memory\n"};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (strstr(messages, signs[i])) return true;
    return false;
}

/* True if clang succeeded. Faults of the input are those that clang reports with exit code 1; any other failure is a lack of resources. */
static bool finished_well(pid_t child, const char *file, const Buf *messages, Buf *error) {
    int status = 0;
    const char *said = buf_string(messages);
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) break;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return true;
    if (WIFEXITED(status) && WEXITSTATUS(status) == NO_CLANG && strcmp(said, strerror(ENOMEM))) incomplete(MSG_FRONT_CLANG_MISSING, said);
    if (out_of_memory(said) || (WIFEXITED(status) && WEXITSTATUS(status) == NO_CLANG)) out_of_resources(MSG_FRONT_CLANG_MEMORY, file);
    if (strstr(said, ": Too many open files\n")) out_of_resources(MSG_FRONT_CLANG_FILES, file);
    int signal = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status) > 128 ? WEXITSTATUS(status) - 128 : 0;
    if (signal)
        out_of_resources(MSG_FRONT_CLANG_CRASHED, file, signal_from_outside(signal) ? signal_from_outside(signal) : strsignal(signal));
    if (WEXITSTATUS(status) != 1) out_of_resources(MSG_FRONT_CLANG_CODE, file, WEXITSTATUS(status));
    if (messages->length) buf_text(error, said);
    else buf_line(error, MSG_FRONT_CLANG_SILENT, file);
    return false;
}

/* ---- all ---- */

static bool has_suffix(const char *name, const char *suffix) {
    size_t n = strlen(name), m = strlen(suffix);
    return n > m && !strcmp(name + n - m, suffix);
}

bool clang_reads(const char *file) { return !has_suffix(file, ".ll") && !has_suffix(file, ".bc"); }

static void start(Clang *c, bool checks) {
    int out[2] = {-1, -1}, errors[2] = {-1, -1};
    const char **arguments = clang_arguments(c, checks);
    if (pipe2(out, O_CLOEXEC)) out_of_resources(MSG_FRONT_NO_PIPE, strerror(errno));
    if (pipe2(errors, O_CLOEXEC)) out_of_resources(MSG_FRONT_NO_PIPE, strerror(errno));
    c->pid = fork();
    c->out = out[0];
    c->errors = errors[0];
    if (c->pid < 0) out_of_resources(MSG_FRONT_NO_PROCESS, strerror(errno));
    if (c->pid == 0) become_clang(arguments, out[1], errors[1]);
    close(out[1]);
    close(errors[1]);
    vec_free(arguments);
}

Clang *clang_start(const FrontOptions *o, const char *file, bool inlines) {
    Clang *c = zeroed(1, sizeof *c);
    *c = (Clang){.options = o, .file = file, .inlines = inlines};
    start(c, false);
    return c;
}

static bool finish(Clang *c, Buf *bitcode, Buf *messages, Buf *error) {
    drain(c->out, c->errors, bitcode, messages);
    close(c->out);
    close(c->errors);
    return finished_well(c->pid, c->file, messages, error);
}

/* Notes the constructs of gcc that clang complains of. False if none of them is new. */
static bool note_constructs(Clang *c, const Buf *messages) {
    uint64_t before = c->gcc;
    const char *said = messages->length ? messages->text : "";
    for (unsigned i = 0; i < GCC_CONSTRUCTS; i++)
        if (strstr(said, gcc_constructs[i].complaint)) c->gcc |= UINT64_C(1) << i;
    return c->gcc != before;
}

static bool run_again(Clang *c, bool checks, Buf *bitcode, Buf *messages, Buf *error) {
    buf_clear(bitcode);
    buf_clear(messages);
    start(c, checks);
    return finish(c, bitcode, messages, error);
}

bool clang_finish(Clang *c, Buf *bitcode, Buf *error) {
    Buf messages = {0}, complaints = {0};
    bool ok = finish(c, bitcode, &messages, &complaints);
    while (!ok && note_constructs(c, &messages)) {
        buf_clear(&complaints);
        ok = run_again(c, false, bitcode, &messages, &complaints);
    }
    if (ok && !c->options->show && warns(&messages)) ok = run_again(c, true, bitcode, &messages, &complaints);
    if (complaints.length) buf_text(error, buf_string(&complaints));
    buf_free(&messages);
    buf_free(&complaints);
    free(c);
    return ok;
}
