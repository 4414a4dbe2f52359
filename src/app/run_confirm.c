/* SPDX-License-Identifier: Apache-2.0 */
#include "app/run_confirm.h"
#include "app/messages.h"
#include "app/run_program.h"
#include "base/file.h"
#include "front/load_program.h"
#include "output/publish.h"
#include "result/property.h"
#include <inttypes.h>

/* Finds functions that are atomic sections by their names, which the runtime does not observe. */
static bool has_atomic_functions(const char *path) {
    static const char prefix[] = "__VERIFIER_atomic_";
    Buf text = {0}, error = {0};
    bool found = false;
    if (file_read(path, FILE_TEXT, &text, &error))
        for (const char *at = buf_string(&text); !found && (at = strstr(at, prefix));) {
            at += sizeof prefix - 1;
            found = strncmp(at, "begin", 5) && strncmp(at, "end", 3);
        }
    buf_free(&text);
    buf_free(&error);
    return found;
}

/* Returns why the program cannot be run, or NULL. */
static const char *obstacle(const Options *o) {
    if (o->data_model != DATA_LP64) return "it is a program for 32 bits";
    if (o->args) return "its arguments are those of --args";
    vec_each(const char *, f, o->files) {
        if (load_is_text(f)) return "it is not a C program";
        if (has_atomic_functions(f)) return "it has functions that are atomic by their names";
    }
    return NULL;
}

/* Returns whether the answer has no restriction, which a real run may ignore: its line ends with the seconds. */
static bool is_plain(const Result *r) {
    const char *line = buf_string(&r->out.line);
    size_t n = strcspn(line, "\n");
    return n > 2 && !strncmp(line + n - 2, " s", 2);
}

static unsigned safe_properties(const Results *r) {
    unsigned set = 0;
    for (unsigned p = 0; p < NPROPERTIES; p++)
        set |= (unsigned)(r->list[p].there && r->list[p].code == EXIT_SAFE && is_plain(&r->list[p])) << p;
    return set;
}

/* An abort is not a violation for the engines. */
static bool contradicts(const RunViolation *v, Property p) { return !strcmp(v->property, property_name(p)) && v->outcome != RUN_END_ABORT; }

static void refuse(Result *r, Property p, const RunViolation *v, const char *folder) {
    Buf run = {0};
    buf_printf(&run, "%" PRIu64, v->run);
    output_free(&r->out);
    r->out = (Output){0};
    buf_printf(&r->out.complaint, "heddle: ");
    buf_printf(&r->out.complaint, MSG_APP_RUN_CONTRADICTION, property_name(p), buf_string(&run), run_outcome_text(v->outcome), folder);
    r->code = EXIT_INTERNAL;
    buf_free(&run);
}

/* Compares what the runs found with the properties that are SAFE. Returns whether a run contradicts. */
static bool compare(Results *results, const Campaign *k, unsigned safe) {
    bool found = false;
    for (unsigned p = 0; p < NPROPERTIES; p++)
        vec_each_at(const RunResult, r, k->results)
            vec_each_at(const RunViolation, v, r->violations)
                if (safe >> p & 1 && contradicts(v, (Property)p)) {
                    refuse(&results->list[p], (Property)p, v, k->folder);
                    found = true;
                }
    return found;
}

static void note(Results *results, unsigned safe, const char *text) {
    for (unsigned p = 0; p < NPROPERTIES; p++)
        if (safe >> p & 1) publish_note(results->options, text, &results->list[p].out);
}

void run_confirm(Results *results, double start) {
    const Options *o = results->options;
    unsigned safe = safe_properties(results);
    Campaign k = {.options = o, .start = start, .runs = o->confirm, .flags = o->clang_flags};
    Buf error = {0}, text = {0};
    results->confirmed = true;
    if (!safe) return;
    const char *why = obstacle(o);
    if (!why && campaign_prepare(&k, &error) && campaign_run(&k, &error)) {
        k.keeps = compare(results, &k, safe);
        buf_printf(&text, MSG_APP_RUN_CONFIRMED, o->confirm);
    } else {
        const char *line = buf_string(&error);
        buf_printf(&text, MSG_APP_RUN_UNCONFIRMED, why ? why : strchr(line, '\n') ? "it cannot be compiled and linked" : line);
    }
    if (!k.keeps) note(results, safe, buf_string(&text));
    if (*k.folder) campaign_free(&k);
    buf_free(&error);
    buf_free(&text);
}
