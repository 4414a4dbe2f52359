/* SPDX-License-Identifier: Apache-2.0 */
#include "app/inputs.h"
#include "app/messages.h"
#include "base/file.h"
#include "base/processors.h"
#include "front/load_program.h"
#include "process/portfolio.h"
#include "result/property.h"
#include "witness/check_witness.h"
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- files ---- */

static bool inputs_are_c(const Options *o) {
    for (size_t i = 0; i < vec_len(o->files); i++)
        if (load_is_text(o->files[i])) return false;
    return true;
}

static const char *inputs_read_once(const Options *o) {
    struct stat s;
    for (size_t i = 0; i < vec_len(o->files); i++)
        if (!stat(o->files[i], &s) && !S_ISREG(s.st_mode)) return o->files[i];
    return NULL;
}

bool inputs_fit(const Options *o, Buf *error) {
    const char *option = o->witness ? "witness" : o->check_witness ? "check-witness" : o->native ? "native" : NULL;
    if (!option) return true;
    if (o->native && o->memory_model == MEMORY_C11) {
        buf_text(error, MSG_APP_NATIVE_C11);
        return false;
    }
    for (size_t i = 0; i < vec_len(o->files); i++)
        if (load_is_text(o->files[i])) {
            buf_printf(error, MSG_APP_NEEDS_C, option, o->files[i]);
            return false;
        }
    return true;
}

FrontOptions inputs_front(const Options *o) {
    return (FrontOptions){
        .files = o->files,
        .nfiles = (unsigned)vec_len(o->files),
        .clang_flags = o->clang_flags,
        .nflags = (unsigned)vec_len(o->clang_flags),
        .ilp32 = o->data_model == DATA_ILP32,
        .recursion_bound = (unsigned)o->recursion,
        .may_fail = o->may_fail,
        .undefined_pure = o->undefined == UNDEFINED_PURE,
        .pure = o->pure,
        .zero_memory = o->zero_memory,
        .memory = o->memory_model,
        .memory_given = options_given(o, "memory_model"),
        .weak = o->memory_model != MEMORY_SC,
        .c11 = o->memory_model == MEMORY_C11,
        .no_spurious_wakeups = o->no_spurious_wakeups,
        .args = o->args,
        .native = o->native,
    };
}

/* ---- properties ---- */

/* Reads the property that a trace violates from the head of its file, as a set. Returns false if there is no property. A pipe is not
   read, since its content could not be read again. */
static bool inputs_claim(const char *path, unsigned *set) {
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
    bool known = !strchr(name, '/') && !strstr(name, ".prp") && properties_find(name, set, &error);
    buf_free(&error);
    return known;
}

static bool dumps(const Options *o) { return o->dump_after || o->dump_ir || o->dump_blocks || o->dump_chc; }

/* Finds the properties that the user named. Their file may be a pipe without a writer, so the time limit holds for it, too. */
static bool find_properties(const Options *o, unsigned *set, Buf *error) {
    alarm((unsigned)fmin(o->timeout + 1, 1e9));
    bool found = properties_find(o->property, set, error);
    alarm(0);
    if (dumps(o)) *set &= -*set; /* a dump shows only the first property */
    return found;
}

/* Returns the properties to verify if the user named no property: all for C. A dump, or a file that can be read only once, allows a
   single property. */
static unsigned usual_properties(const Options *o) {
    Buf none = {0};
    unsigned set = 1u << PROPERTY_UNREACH_CALL;
    if (inputs_are_c(o) && !dumps(o) && !inputs_read_once(o)) properties_find("all", &set, &none);
    buf_free(&none);
    return set;
}

/* Separates the parts of valid-memsafety from the set. If the user named parts, these stay, even if a trace or a witness names fewer. */
static void split_parts(unsigned asked, unsigned *set, unsigned *parts) {
    unsigned all = asked ? asked : *set;
    *parts = *set >> PROPERTY_VALID_MEMSAFETY & 1 ? all >> PARTS_SHIFT : 0;
    *set &= (1u << PARTS_SHIFT) - 1;
}

Certificate *certificate_read(const char *path, Buf *error) {
    Buf text = {0};
    Certificate *c = file_read(path, FILE_TEXT, &text, error) ? certificate_parse(path, buf_string(&text), error) : NULL;
    buf_free(&text);
    return c;
}

/* Returns the properties of which the certificate has answers, as a set. */
static unsigned certified_properties(const Certificate *c) {
    Buf names = {0}, error = {0};
    unsigned set = 0;
    vec_each_at(const CertifiedAnswer, a, c->answers) buf_printf(&names, "%s%s", names.length ? "," : "", a->property);
    properties_find(buf_string(&names), &set, &error);
    buf_free(&names);
    buf_free(&error);
    return set;
}

bool inputs_properties(const Options *o, const Witnesses *witnesses, const Certificate *certificate, unsigned *set, unsigned *parts,
                       Buf *error) {
    *set = o->property ? 0 : usual_properties(o);
    unsigned claimed, asked;
    if (o->property && !find_properties(o, set, error)) return false;
    asked = o->property ? *set : 0;
    if (certificate && !o->property) *set = certified_properties(certificate);
    if (o->replay && !o->property) *set = 1u << PROPERTY_UNREACH_CALL;
    if (o->replay && inputs_claim(o->replay, &claimed) && (!o->property || *set & claimed & ((1u << PARTS_SHIFT) - 1))) *set = claimed;
    if (witnesses && !check_witness_properties(witnesses, o->property, set, error)) return false;
    split_parts(asked, set, parts);
    const char *once = *set & (*set - 1) ? inputs_read_once(o) : NULL;
    if (once) buf_printf(error, MSG_APP_READ_ONCE, once);
    return !once;
}

Question inputs_question(const Options *o, Property property, unsigned all, unsigned parts) {
    return (Question){.property = property,
                      .parts = parts,
                      .fair = o->fair,
                      .unwinds = o->unwind >= 0,
                      .unwind = (unsigned)fmax(0, fmin(o->unwind, 1e9)),
                      .has_context_bound = o->context_bound >= 0,
                      .context_bound = (unsigned)fmax(0, fmin(o->context_bound, 1e9)),
                      .no_static_race_check = o->no_static_race_check,
                      .certificate = o->certificate || o->second_solver || o->check_certificate,
                      .others = all};
}

/* ---- engines ---- */

/* Finds the engine of that name. Only the engine explicit counts context switches. */
static bool find_engine(const Options *o, const char *name, const Engine **engine, Buf *error) {
    *engine = strcmp(name, "auto") ? engine_named(name) : NULL;
    if (o->context_bound >= 0 && strcmp(name, "auto") && *engine != &engine_explicit) {
        buf_printf(error, MSG_APP_CONTEXT_BOUND_ENGINE, engine_explicit.name);
        return false;
    }
    if (*engine || !strcmp(name, "auto")) return true;
    Buf names = {0};
    engines_names(&names);
    buf_printf(error, MSG_APP_ENGINE_UNKNOWN, name, buf_string(&names));
    buf_free(&names);
    return false;
}

bool inputs_config(const Options *o, bool several, Config *c, Buf *error) {
    unsigned processors = processors_available();
    *c = (Config){.engine_name = o->engine,
                  .engines = options_of_engines(o),
                  .timeout = o->timeout,
                  .several = several,
                  .memory = (uint64_t)(o->memory * 1048576),
                  .seed = (uint64_t)o->seed,
                  .jobs = o->jobs < 0 ? processors : (unsigned)fmin(fmax(o->jobs, 1), 1e6),
                  .processors = processors,
                  .second_solver = o->second_solver,
                  .verbose = o->verbose,
                  .view_proofs = o->html || o->witness,
                  .view_relies = o->json};
    return find_engine(o, o->engine, &c->engine, error);
}
