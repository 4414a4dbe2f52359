/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the C front end: compiles each file with clang, links the modules, and lowers the result. */
#include "front/clang.h"
#include "front/cleanup.h"
#include "front/module.h"
#include "front/repair.h"
#include "ir/layout.h"
#include "base/file.h"
#include "front/messages.h"
#include <stdio.h>
#include <string.h>

enum { DEFAULT_RECURSION = 6 };

/* ---- input files ---- */

static LLVMModuleRef module_of_clang(Module *m, const char *file, Clang *clang, Buf *error) {
    Buf code = {0};
    LLVMModuleRef module = clang_finish(clang, &code, error) ? module_parse(m, file, code.text, code.length, error) : NULL;
    buf_free(&code);
    if (module) repair_atomics(module);
    if (module) name_checks(module);
    return module;
}

/* Makes inline definitions, which the first compilation left out, give way to an external definition in another file. */
static void weaken_inlines(LLVMModuleRef without, LLVMModuleRef with) {
    for (LLVMValueRef f = LLVMGetFirstFunction(with); f; f = LLVMGetNextFunction(f)) {
        LLVMValueRef other = LLVMGetNamedFunction(without, LLVMGetValueName(f));
        if (LLVMIsDeclaration(f) || LLVMGetLinkage(f) != LLVMExternalLinkage) continue;
        if (!other || LLVMIsDeclaration(other)) LLVMSetLinkage(f, LLVMWeakAnyLinkage);
    }
}

/* Compiles the file again with inline functions if it lacks some function. C lets a compiler omit their bodies. */
static LLVMModuleRef with_inlines(const FrontOptions *o, Module *m, const char *file, LLVMModuleRef module) {
    if (!module || !module_missing(m, module)) return module;
    Buf ignored = {0};
    LLVMModuleRef other = module_of_clang(m, file, clang_start(o, file, true), &ignored);
    buf_free(&ignored);
    if (!other) return module;
    bool better = module_missing(m, other) < module_missing(m, module);
    if (better) weaken_inlines(module, other);
    LLVMDisposeModule(better ? module : other);
    return better ? other : module;
}

static LLVMModuleRef module_of_file(Module *m, const char *file, Buf *error) {
    Buf code = {0};
    LLVMModuleRef module = file_read(file, FILE_LLVM, &code, error) ? module_parse(m, file, code.text, code.length, error) : NULL;
    buf_free(&code);
    return module;
}

static bool asks_to_optimise(const FrontOptions *o) {
    for (unsigned i = 0; i < o->nflags; i++)
        if (!strncmp(o->clang_flags[i], "-O", 2) && strcmp(o->clang_flags[i], "-O0")) return true;
    return false;
}

/* clang: already started on the file; NULL if the file is not for clang. */
static bool add_input(const FrontOptions *o, Module *m, const char *file, Clang *clang, Buf *error) {
    LLVMModuleRef module = clang ? with_inlines(o, m, file, module_of_clang(m, file, clang, error)) : module_of_file(m, file, error);
    if (module && (!clang || asks_to_optimise(o))) mark_optimised(m->context, module);
    return module && module_link(m, file, module, error);
}

static bool add_inputs(const FrontOptions *o, Module *m, Clang *first, Buf *error) {
    bool ok = add_input(o, m, o->files[0], first, error);
    for (unsigned i = 1; ok && i < o->nfiles; i++)
        ok = add_input(o, m, o->files[i], clang_reads(o->files[i]) ? clang_start(o, o->files[i], false) : NULL, error);
    return ok;
}

static void read_models(const FrontOptions *o, Module *m) {
    Buf path = {0}, code = {0}, error = {0};
    buf_printf(&path, "%s/model-%s.bc", o->model_dir, o->ilp32 ? "ILP32" : "LP64");
    if (!file_read(buf_string(&path), FILE_LLVM, &code, &error) ||
        !module_read_models(m, buf_string(&path), code.text, code.length, &error))
        incomplete(MSG_FRONT_MODELS_UNREADABLE, (int)message_length(buf_string(&error)), buf_string(&error));
    buf_free(&path);
    buf_free(&code);
}

/* ---- lowering ---- */

static void front_free(Front *f) {
    for (LLVMValueRef v = LLVMGetFirstFunction(f->module); v; v = LLVMGetNextFunction(v)) {
        FunctionInfo *info = map_find(f->functions, v);
        if (info) function_info_free(info);
    }
    Map *maps[] = {f->globals,        f->functions, f->types,  f->object_function, f->labels,     f->assigned, f->privates,   f->templates,
                   f->approximations, f->files,     f->closed, f->structs,         f->seen_types, f->breaks,   f->taken_once, f->running};
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) map_free(maps[i]);
    vec_free(f->starts);
    vec_free(f->taken);
    targets_free(f->targets);
    vec_free(f->undefined);
    vec_free(f->foreign);
    arena_free(f->scratch);
}

/* True if the program relies only on the usual alignment. Then malloc may return unevenly aligned addresses. */
static bool aligns_little(Front *f) {
    static const char *const names[] = {"aligned_alloc", "memalign", "posix_memalign", "valloc"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (program_uses(f, names[i])) return false;
    for (size_t i = 0; i < vec_len(f->program->objects); i++)
        if (f->program->objects[i]->align > UNEVEN_ALIGN) return false;
    return true;
}

/* Records an assumption for optimised code: an optimiser may remove endless loops that do nothing. */
static void note_optimised(Front *f) {
    for (LLVMValueRef v = LLVMGetFirstFunction(f->module); v; v = LLVMGetNextFunction(v)) {
        if (LLVMIsDeclaration(v) || function_info(f, v)->model || !function_is_optimised(v)) continue;
        unsigned index = program_approximation(f->program, APPROX_ASSUMED, (Position){0}, MSG_FRONT_LOOPS_LEFT);
        f->program->approximations[index].properties = FOR_ENDS;
        return;
    }
}

static void lower_module(const FrontOptions *o, Module *m, LLVMValueRef entry, Loaded *loaded) {
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
               .labels = map_new(),
               .assigned = map_new(),
               .privates = map_new(),
               .templates = map_new(),
               .approximations = map_new(),
               .files = map_new(),
               .closed = map_new()};
    if (o->native) native_begin(&f);
    program_template(p, "main", 1);
    vec_push(f.starts, entry);
    for (unsigned i = 0; i < vec_len(f.starts); i++) lower_template(&f, i);
    lower_prologue(&f);
    p->detaches = program_uses(&f, "pthread_detach") || program_uses(&f, "thrd_detach") || program_uses(&f, "pthread_attr_setdetachstate");
    *loaded = (Loaded){.program = p, .c = true, .asserts = program_asserts(&f)};
    if (aligns_little(&f)) p->skew = width == 64 ? UNEVEN_SKEW_64 : UNEVEN_SKEW_32;
    note_optimised(&f);
    if (o->native) native_finish(&f, entry, loaded);
    front_free(&f);
}

static LLVMValueRef find_main(const Module *m, const FrontOptions *o, Buf *error) {
    LLVMValueRef v = LLVMGetNamedFunction(m->module, "main");
    if (v && !LLVMIsDeclaration(v)) return v;
    buf_line(error, MSG_FRONT_NO_MAIN, o->nfiles ? o->files[0] : "heddle");
    return NULL;
}

static bool load(const FrontOptions *o, Clang *first, Loaded *loaded, Buf *error) {
    Module *m = module_new(o->ilp32);
    read_models(o, m); /* while clang runs */
    bool ok = add_inputs(o, m, first, error);
    if (ok) {
        name_cleanups(m->module);
        mark_cancellation_points(m->module);
    }
    ok = ok && module_link_models(m, error);
    LLVMValueRef entry = ok ? find_main(m, o, error) : NULL;
    if (entry) lower_module(o, m, entry, loaded);
    module_free(m);
    return entry != NULL;
}

__attribute__((visibility("default"))) FrontC *const front_c = load;
