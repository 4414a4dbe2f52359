/* SPDX-License-Identifier: Apache-2.0 */
/* Programs from files: what kind of file it is, who reads it, and what is done to every program before anybody else sees it. */
#include "load.h"
#include "base/file.h"
#include "base/vec.h"
#include "front/front.h"
#include "ir/check.h"
#include "ir/parse.h"
#include "output/report.h"
#include "passes/passes.h"
#include "system/as_program.h"
#include "result/property.h"
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool has_suffix(const char *file, const char *suffix) {
    size_t n = strlen(file), m = strlen(suffix);
    return n > m && !strcmp(file + n - m, suffix);
}

/* A whole program in one text file: .hir, .sys or .wvr. */
static Program *load_text(const char *path, Program *(*parse)(const char *, const char *, Buf *), Buf *error) {
    Buf text = {0};
    Program *p = NULL;
    if (file_read(path, FILE_TEXT, &text, error)) p = parse(path, buf_string(&text), error);
    buf_free(&text);
    Buf complaint = {0};
    if (p && !program_check(p, &complaint)) {
        buf_printf(error, "%s: error: not well-formed: %s", path, buf_string(&complaint));
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

static Program *load_c(const Options *o, const char *const *flags, const Question *question, int kept, Buf *error) {
    FrontOptions front = {
        .files = o->files,
        .nfiles = (unsigned)vec_len(o->files),
        .clang_flags = flags,
        .nflags = (unsigned)vec_len(flags),
        .ilp32 = o->data_model == DATA_ILP32,
        .recursion_bound = (unsigned)o->recursion,
        .may_fail = o->may_fail,
        .undefined_pure = o->undefined == UNDEFINED_PURE,
        .pure = o->pure,
        .zero_memory = o->zero_memory,
        .arithmetic = question->property == PROPERTY_NO_OVERFLOW,
        .progress = question->property == PROPERTY_NO_DEADLOCK,
        .ends = question->property == PROPERTY_TERMINATION,
        .lives = question->property == PROPERTY_VALID_MEMSAFETY,
        .order = question->property == PROPERTY_NO_DATA_RACE,
        .lost_bits = question->property == PROPERTY_NO_OVERFLOW,
        .reads = question->property == PROPERTY_VALID_MEMSAFETY || question->property == PROPERTY_NO_DATA_RACE,
        .touches = question->property == PROPERTY_VALID_MEMSAFETY,
        .weak = o->memory_model != MEMORY_SC,
        .c11 = o->memory_model == MEMORY_C11,
        .no_spurious = o->no_spurious,
        .args = o->args,
        .native = o->native,
        .kept = kept,
    };
    return front_load(&front, error);
}

static bool is_whole_text(const char *file) { return has_suffix(file, ".hir") || has_suffix(file, ".sys") || has_suffix(file, ".wvr"); }

bool load_fits_witness(const Options *o, Buf *error) {
    const char *option = o->witness ? "witness" : o->check_witness ? "check-witness" : o->native ? "native" : NULL;
    if (!option) return true;
    if (o->native && o->memory_model == MEMORY_C11) {
        buf_text(error, "--native is not for --memory-model c11: its executions are no sequences of steps");
        return false;
    }
    for (size_t i = 0; i < vec_len(o->files); i++)
        if (is_whole_text(o->files[i])) {
            buf_printf(error, "--%s is for C programs; %s is none", option, o->files[i]);
            return false;
        }
    return true;
}

bool load_is_c(const Options *o) {
    for (size_t i = 0; i < vec_len(o->files); i++)
        if (is_whole_text(o->files[i])) return false;
    return true;
}

const char *load_once_only(const Options *o) {
    struct stat s;
    for (size_t i = 0; i < vec_len(o->files); i++)
        if (!stat(o->files[i], &s) && !S_ISREG(s.st_mode)) return o->files[i];
    return NULL;
}

/* *c: it was C. */
static Program *load_whole(const Options *o, const char *const *flags, const Question *question, int kept, bool *c, Buf *error) {
    for (size_t i = 0; i < vec_len(o->files); i++) {
        if (is_cpp(o->files[i])) {
            buf_printf(error, "%s: C++ is not supported\n", o->files[i]);
            return NULL;
        }
        if (!file_readable(o->files[i], error)) return NULL;
        bool hir = has_suffix(o->files[i], ".hir"), sys = has_suffix(o->files[i], ".sys");
        if (is_whole_text(o->files[i]) && vec_len(o->files) > 1) {
            buf_printf(error, "%s: this is a whole program; give it alone\n", o->files[i]);
            return NULL;
        }
        if (is_whole_text(o->files[i])) return load_text(o->files[i], hir ? program_parse : sys ? system_program : front_wvr, error);
    }
    *c = true;
    return load_c(o, flags, question, kept, error);
}

Program *load(const Options *o, const Question *question, int kept, Buf *error) { return load_with(o, NULL, 0, question, kept, error); }

Program *load_with(const Options *o, const char *const *flags, unsigned nflags, const Question *question, int kept, Buf *error) {
    bool c = false;
    const char **all = NULL;
    for (unsigned i = 0; i < nflags; i++) vec_push(all, flags[i]);
    for (size_t i = 0; i < vec_len(o->clang_flags); i++) vec_push(all, o->clang_flags[i]);
    Prepared p = {.program = load_whole(o, all, question, kept, &c, error)};
    vec_free(all);
    if (!p.program) return NULL;
    if (c || options_given(o, "memory_model")) p.program->memory = o->memory_model; /* else as the text says */
    p.settings = (PassSettings){.c = c, .question = question};
    const Pass *last = o->dump_after ? pass_named(&passes_loading, o->dump_after) : NULL;
    if (last && !pass_applies(last, &p.settings)) {
        buf_printf(error, "heddle: the pass %s is only run %s\n", last->name, last->when);
        program_free(p.program);
        return NULL;
    }
    passes_run(&p, &passes_loading, last ? last->name : NULL);
    return p.program;
}

void load_count(const Program *p, Stats *s) {
    s->variables = vec_len(p->globals);
    s->objects = vec_len(p->objects);
    for (size_t i = 0; i < vec_len(p->templates); i++) {
        s->variables += vec_len(p->templates[i]->locals);
        s->locations += vec_len(p->templates[i]->locations);
        s->actions += vec_len(p->templates[i]->actions);
    }
}

bool load_claimed(const char *path, unsigned *set) {
    char head[256];
    struct stat s;
    int fd = stat(path, &s) || !S_ISREG(s.st_mode) ? -1 : open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd >= 0 ? read(fd, head, sizeof head - 1) : 0;
    if (fd >= 0) close(fd);
    head[n > 0 ? n : 0] = 0;
    char *name = strstr(head, "\nproperty ");
    if (!name) return false;
    name += strlen("\nproperty ");
    name[strcspn(name, "\n")] = 0;
    Buf error = {0};
    bool known = !strchr(name, '/') && !has_suffix(name, ".prp") && properties_find(name, set, &error);
    buf_free(&error);
    return known;
}

Verdict *load_claim(const Job *job, Buf *error) {
    const char *file = job->options->replay;
    Buf text = {0};
    Verdict *v = NULL;
    Trace *t = file_read(file, FILE_TEXT, &text, error)
                   ? schedule_read(file, buf_string(&text), job->program, property_text(job->question.property, job->question.parts), error)
                   : NULL;
    if (t) {
        v = verdict_new(VERDICT_UNSAFE);
        v->trace = t;
    }
    buf_free(&text);
    return v;
}
