/* SPDX-License-Identifier: Apache-2.0 */
/* The C front end: compile each file with clang, link, lower, clean.
   clang runs as a child and writes its bitcode to a pipe, so there is no temporary file to lose. Its own diagnostics are the
   message to the user: they have file, line and caret already. */
#include "front/creation.h"
#include "front/jump.h"
#include "front/module.h"
#include "base/die.h"
#include "ir/clean.h"
#include "ir/promote.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { DEFAULT_RECURSION = 6 };

static const char *const clang_names[] = {"clang-19", "clang", NULL};

static const char *const base_flags[] = {
    "-x", "c", "-std=gnu11", "-w", "-Wno-int-conversion", "-Wno-incompatible-function-pointer-types",
    "-Wno-implicit-function-declaration", "-Wno-implicit-int", "-Wno-return-mismatch", "-g", "-O0", "-Xclang",
    "-disable-O0-optnone", "-fno-discard-value-names", "-fno-color-diagnostics", "-emit-llvm", "-c", "-o", "-"};

/* ---- the child ---- */

static const char **clang_arguments(const FrontOptions *o, const char *file, bool inlines) {
    const char **a = NULL;
    vec_push(a, "clang");
    for (size_t i = 0; i < sizeof base_flags / sizeof *base_flags; i++) vec_push(a, base_flags[i]);
    if (o->ilp32) vec_push(a, "-m32");
    if (inlines) vec_push(a, "-fgnu89-inline");
    for (unsigned i = 0; i < o->nflags; i++) vec_push(a, o->clang_flags[i]);
    vec_push(a, file);
    vec_push(a, NULL);
    return a;
}

static _Noreturn void become_clang(const char **arguments, int out, int errors) {
    int null = open("/dev/null", O_RDONLY);
    if (null >= 0) dup2(null, 0);
    dup2(out, 1);
    dup2(errors, 2);
    for (const char *const *name = clang_names; *name; name++) {
        arguments[0] = *name;
        execvp(*name, (char *const *)(void *)arguments);
    }
    static const char text[] = "heddle: cannot run clang-19: is it installed?\n";
    (void)!write(2, text, sizeof text - 1);
    _exit(127);
}

/* Read both pipes until both are closed. */
static void drain(int out, int errors, Buf *bitcode, Buf *messages) {
    struct pollfd p[2] = {{.fd = out, .events = POLLIN}, {.fd = errors, .events = POLLIN}};
    Buf *to[2] = {bitcode, messages};
    static const size_t room = 1 << 16;
    char *chunk = malloc(room);
    if (!chunk) die("out of memory");
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

static bool finished_well(pid_t child, const char *file, Buf *messages, Buf *error) {
    int status = 0;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) break;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return true;
    if (messages->length) buf_text(error, buf_string(messages));
    else if (WIFSIGNALED(status)) buf_printf(error, "%s: clang was killed by signal %d\n", file, WTERMSIG(status));
    else buf_printf(error, "%s: clang failed with exit code %d\n", file, WEXITSTATUS(status));
    return false;
}

static bool compile(const FrontOptions *o, const char *file, bool inlines, Buf *bitcode, Buf *error) {
    int out[2], errors[2];
    if (pipe2(out, O_CLOEXEC)) die("cannot make a pipe: %s", strerror(errno));
    if (pipe2(errors, O_CLOEXEC)) die("cannot make a pipe: %s", strerror(errno));
    const char **arguments = clang_arguments(o, file, inlines);
    pid_t child = fork();
    if (child < 0) die("cannot start a process: %s", strerror(errno));
    if (child == 0) become_clang(arguments, out[1], errors[1]);
    vec_free(arguments);
    close(out[1]);
    close(errors[1]);
    Buf messages = {0};
    drain(out[0], errors[0], bitcode, &messages);
    close(out[0]);
    close(errors[0]);
    bool ok = finished_well(child, file, &messages, error);
    buf_free(&messages);
    return ok;
}

/* ---- input files ---- */

static bool has_suffix(const char *name, const char *suffix) {
    size_t n = strlen(name), m = strlen(suffix);
    return n > m && !strcmp(name + n - m, suffix);
}

static bool read_file(const char *file, Buf *text, Buf *error) {
    FILE *in = fopen(file, "rb");
    if (!in) {
        buf_printf(error, "%s: %s\n", file, strerror(errno));
        return false;
    }
    char chunk[4096];
    for (size_t n; (n = fread(chunk, 1, sizeof chunk, in)) > 0;) buf_bytes(text, chunk, n);
    bool ok = !ferror(in);
    if (!ok) buf_printf(error, "%s: %s\n", file, strerror(errno));
    fclose(in);
    return ok;
}

static LLVMModuleRef compile_module(const FrontOptions *o, Module *m, const char *file, bool inlines, Buf *error) {
    Buf code = {0};
    bool direct = has_suffix(file, ".ll") || has_suffix(file, ".bc");
    bool ok = direct ? read_file(file, &code, error) : compile(o, file, inlines, &code, error);
    LLVMModuleRef module = ok ? module_parse(m, file, code.text, code.length, error) : NULL;
    buf_free(&code);
    return module;
}

/* C says that the body of an inline function need not exist; a second compilation makes clang emit it. */
static LLVMModuleRef with_inlines(const FrontOptions *o, Module *m, const char *file, LLVMModuleRef module) {
    if (has_suffix(file, ".ll") || has_suffix(file, ".bc") || !module_missing(m, module)) return module;
    Buf ignored = {0};
    LLVMModuleRef other = compile_module(o, m, file, true, &ignored);
    buf_free(&ignored);
    if (!other) return module;
    bool better = module_missing(m, other) < module_missing(m, module);
    LLVMDisposeModule(better ? module : other);
    return better ? other : module;
}

static bool add_input(const FrontOptions *o, Module *m, const char *file, Buf *error) {
    LLVMModuleRef module = compile_module(o, m, file, false, error);
    return module && module_link(m, file, with_inlines(o, m, file, module), error);
}

static bool read_models(const FrontOptions *o, Module *m, Buf *error) {
    Buf path = {0}, code = {0};
    buf_printf(&path, "%s/model-%s.bc", o->model_dir, o->ilp32 ? "ILP32" : "LP64");
    bool ok = read_file(buf_string(&path), &code, error) && module_read_models(m, buf_string(&path), code.text, code.length, error);
    buf_free(&path);
    buf_free(&code);
    return ok;
}

/* ---- lowering ---- */

static void front_free(Front *f) {
    for (LLVMValueRef v = LLVMGetFirstFunction(f->module); v; v = LLVMGetNextFunction(v)) {
        FunctionInfo *info = map_find(f->functions, v);
        if (info) function_info_free(info);
    }
    Map *maps[] = {f->globals, f->functions, f->types, f->object_function, f->privates, f->templates, f->approximations, f->files, f->closed};
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) map_free(maps[i]);
    vec_free(f->starts);
    vec_free(f->taken);
    vec_free(f->undefined);
    arena_free(f->scratch);
}

static Program *lower_module(const FrontOptions *o, Module *m, LLVMValueRef entry) {
    unsigned width = o->ilp32 ? 32 : 64;
    Program *p = program_new(width);
    Front f = {.options = o,
               .program = p,
               .pool = p->exprs,
               .scratch = arena_new(),
               .context = m->context,
               .module = m->module,
               .target = LLVMGetModuleDataLayout(m->module),
               .pointer_width = width,
               .recursion_bound = o->recursion_bound ? o->recursion_bound : DEFAULT_RECURSION,
               .globals = map_new(),
               .functions = map_new(),
               .types = map_new(),
               .object_function = map_new(),
               .privates = map_new(),
               .templates = map_new(),
               .approximations = map_new(),
               .files = map_new(),
               .closed = map_new()};
    program_template(p, "main", 1);
    vec_push(f.starts, entry);
    for (unsigned i = 0; i < vec_len(f.starts); i++) lower_template(&f, i);
    lower_prologue(&f);
    front_free(&f);
    return p;
}

static LLVMValueRef find_main(const Module *m, const FrontOptions *o, Buf *error) {
    LLVMValueRef v = LLVMGetNamedFunction(m->module, "main");
    if (v && !LLVMIsDeclaration(v)) return v;
    buf_printf(error, "%s: there is no function main\n", o->nfiles ? o->files[0] : "heddle");
    return NULL;
}

static void finish(Program *p) {
    program_promote(p);
    program_jump(p);
    program_clean(p);
    creation_count(p);
    Buf complaint = {0};
    if (!program_check(p, &complaint)) die("the front end made an ill-formed program: %s", buf_string(&complaint));
    buf_free(&complaint);
}

static Program *load(const FrontOptions *o, Buf *error) {
    Module *m = module_new(o->ilp32);
    bool ok = read_models(o, m, error);
    for (unsigned i = 0; ok && i < o->nfiles; i++) ok = add_input(o, m, o->files[i], error);
    ok = ok && module_link_models(m, error);
    LLVMValueRef entry = ok ? find_main(m, o, error) : NULL;
    Program *p = entry ? lower_module(o, m, entry) : NULL;
    module_free(m);
    if (p) finish(p);
    return p;
}

__attribute__((visibility("default"))) FrontC *const front_c = load;
