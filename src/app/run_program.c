/* SPDX-License-Identifier: Apache-2.0 */
#include "app/run_program.h"
#include "app/messages.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/installation.h"
#include "base/processors.h"
#include "process/child.h"
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

static const double GRACE = 120; /* seconds after the time-out, to minimise and to write results */

static char *copy(const char *text) {
    char *kept = strdup(text);
    if (!kept) out_of_resources("memory is exhausted");
    return kept;
}

/* ---- compiling ---- */

typedef struct Command {
    char **words; /* a vec */
} Command;

static int execute(void *context, FILE *out) {
    const Command *c = context;
    (void)out;
    execv(c->words[0], c->words);
    print_error("%s: %s", c->words[0], strerror(errno));
    return EXIT_INTERNAL;
}

static void add_flags(Command *c, const char *flags) {
    while (flags && *flags) {
        size_t n = strcspn(flags, " ");
        if (n) vec_push(c->words, strndup(flags, n));
        flags += n + (flags[n] == ' ');
    }
}

static bool compile(Campaign *k, Buf *error) {
    const Options *o = k->options;
    char folder[PATH_MAX], path[PATH_MAX + 32];
    Command c = {0};
    Buf said = {0}, unused = {0};
    snprintf(path, sizeof path, "%s/heddle-cc", installation_folder("heddle-cc", "/../bin", folder) ? folder : "");
    snprintf(folder, sizeof folder, "%s/program", k->folder);
    vec_push(c.words, copy(path));
    for (size_t i = 0; i < vec_len(o->files); i++) vec_push(c.words, copy(o->files[i]));
    add_flags(&c, o->cflags);
    for (size_t i = 0; i < vec_len(k->flags); i++) vec_push(c.words, copy(k->flags[i]));
    vec_push(c.words, copy("-pthread"));
    vec_push(c.words, copy("-o"));
    vec_push(c.words, copy(folder));
    vec_push(c.words, NULL);
    ChildLimits limits = {.deadline = k->start + o->timeout, .group = true, .capture = true};
    ChildResult r = child_run(&limits, execute, &c, &unused, &said);
    bool good = r.ending == ENDING_EXIT && !r.code;
    if (!good) buf_printf(error, "%s", said.length ? buf_string(&said) : "clang failed");
    for (size_t i = 0; i < vec_len(c.words); i++) free(c.words[i]);
    vec_free(c.words);
    buf_free(&said);
    buf_free(&unused);
    k->program = copy(folder);
    return good;
}

/* ---- a recorded schedule ---- */

static char *decoded(const char *word, size_t n) {
    char *text = strndup(word, n), *to = text;
    for (const char *at = text; *at; at++) {
        char digits[] = {at[0] == '%' ? at[1] : 0, at[0] == '%' && at[1] ? at[2] : 0, 0};
        *to++ = digits[1] ? (char)strtol(digits, NULL, 16) : *at;
        if (digits[1]) at += 2;
    }
    *to = 0;
    return text;
}

static bool read_schedule(Campaign *k, Buf *error) {
    const char *path = k->options->replay;
    Buf text = {0};
    if (!file_read(path, FILE_TEXT, &text, error)) return false;
    bool good = !strncmp(buf_string(&text), "heddle-replay 1\n", 16);
    for (const char *at = buf_string(&text); good && *at; at += strcspn(at, "\n"), at += *at == '\n') {
        size_t word = strcspn(at, " \n"), n = strcspn(at, "\n");
        if (word == n) continue;
        const char *value = at + word + 1;
        size_t length = n - word - 1;
        if (!strncmp(at, "program ", 8) && !k->program) k->program = decoded(value, length);
        if (!strncmp(at, "folder ", 7)) k->directory = decoded(value, length);
        if (!strncmp(at, "argument ", 9)) vec_push(k->arguments, decoded(value, length));
        if (!strncmp(at, "environment ", 12)) vec_push(k->environment, decoded(value, length));
        if (!strncmp(at, "decisions ", 10)) break;
    }
    if (!good || !k->program || !vec_len(k->arguments)) buf_printf(error, MSG_APP_RUN_NO_SCHEDULE, path);
    buf_free(&text);
    return !error->length;
}

/* ---- preparation ---- */

static bool find_program(Campaign *k, Buf *error) {
    const char *path = k->options->program;
    char *real = realpath(path, NULL);
    if (!real || access(real, X_OK)) {
        buf_printf(error, MSG_APP_RUN_NO_FILE, path, strerror(errno));
        free(real);
        return false;
    }
    k->program = real;
    return true;
}

bool campaign_prepare(Campaign *k, Buf *error) {
    const Options *o = k->options;
    strcpy(k->folder, "/tmp/heddle-run-XXXXXX");
    if (!mkdtemp(k->folder)) out_of_resources("no folder can be made in /tmp: %s", strerror(errno));
    if (o->program ? !find_program(k, error) : vec_len(o->files) && !compile(k, error)) return false;
    if (o->replay) return read_schedule(k, error);
    vec_push(k->arguments, copy(o->program ? o->program : base_name(o->files[0])));
    for (size_t i = 0; i < vec_len(k->words); i++) vec_push(k->arguments, copy(k->words[i]));
    return true;
}

void campaign_free(Campaign *k) {
    DIR *d = k->keeps ? NULL : opendir(k->folder);
    for (struct dirent *e; d && (e = readdir(d));) {
        char path[PATH_MAX];
        snprintf(path, sizeof path, "%s/%s", k->folder, e->d_name);
        unlink(path);
    }
    if (d) closedir(d);
    if (!k->keeps) rmdir(k->folder);
    for (size_t i = 0; i < vec_len(k->arguments); i++) free(k->arguments[i]);
    for (size_t i = 0; i < vec_len(k->environment); i++) free(k->environment[i]);
    for (size_t i = 0; i < vec_len(k->results); i++) run_result_free(&k->results[i]);
    vec_free(k->arguments);
    vec_free(k->environment);
    vec_free(k->results);
    free(k->program);
    free(k->directory);
}

/* ---- running ---- */

static void put_path(Buf *words, const char *name, const char *path) {
    char *real = realpath(path, NULL);
    buf_printf(words, " %s=", name);
    for (const char *at = real ? real : path; *at; at++) {
        if (*at == ' ' || *at == '%') buf_printf(words, "%%%02x", (unsigned)*at);
        else buf_char(words, *at);
    }
    free(real);
}

static bool read_shard(const Options *o, Buf *words, Buf *error) {
    unsigned part = 0, parts = 0;
    char more;
    if (!o->shard) return true;
    bool good = sscanf(o->shard, "%u/%u%c", &part, &parts, &more) == 2 && part && part <= parts;
    if (good) buf_printf(words, " shard=%u shards=%u", part, parts);
    else buf_printf(error, MSG_APP_RUN_SHARD, o->shard);
    return good;
}

/* Puts the words of HEDDLE_RUN into the buffer (run/config.h). */
static bool put_words(const Campaign *k, Buf *words, Buf *error) {
    const Options *o = k->options;
    double left = k->start + o->timeout - clock_seconds();
    double jobs = o->jobs < 0 ? processors_available() : o->jobs < 1 ? 1 : o->jobs;
    buf_printf(words, "seed=%.0f runs=%.0f jobs=%.0f events=%.0f timeout=%.1f strategy=%s", o->seed, k->runs, k->runs < jobs ? 1 : jobs,
               o->events * 1e6, left > 0 ? left : 0, options_word("strategy", o->strategy));
    buf_printf(words, " all=%d spurious=%d output=%d", o->all_violations, !o->no_spurious_wakeups, o->show_output);
    put_path(words, "results", k->folder);
    if (o->replay) put_path(words, "replay", o->replay);
    else if (k->property) buf_printf(words, " property=%s", k->property);
    return read_shard(o, words, error);
}

typedef struct Start {
    const Campaign *campaign;
    const char *words;
} Start;

static int start_program(void *context, FILE *out) {
    const Start *s = context;
    const Campaign *k = s->campaign;
    char **words = NULL;
    (void)out;
    if (k->directory && chdir(k->directory)) return EXIT_INTERNAL;
    if (k->options->replay) clearenv();
    for (size_t i = 0; i < vec_len(k->environment); i++) putenv(k->environment[i]);
    setenv("HEDDLE_RUN", s->words, true);
    for (size_t i = 0; i < vec_len(k->arguments); i++) vec_push(words, k->arguments[i]);
    vec_push(words, NULL);
    execv(k->program, words);
    print_error("%s: %s", k->program, strerror(errno));
    return EXIT_INPUT;
}

static bool read_results(Campaign *k) {
    DIR *d = opendir(k->folder);
    for (struct dirent *e; d && (e = readdir(d));) {
        size_t n = strlen(e->d_name);
        char path[PATH_MAX];
        Buf text = {0}, error = {0};
        RunResult r;
        if (n < 7 || strcmp(e->d_name + n - 7, ".result")) continue;
        snprintf(path, sizeof path, "%s/%s", k->folder, e->d_name);
        if (file_read(path, FILE_TEXT, &text, &error)) {
            if (run_result_read(buf_string(&text), &r)) vec_push(k->results, r);
            else run_result_free(&r);
        }
        buf_free(&text);
        buf_free(&error);
    }
    if (d) closedir(d);
    return vec_len(k->results);
}

bool campaign_run(Campaign *k, Buf *error) {
    Buf words = {0}, said = {0}, unused = {0};
    Start start = {.campaign = k};
    if (!put_words(k, &words, error)) {
        buf_free(&words);
        return false;
    }
    start.words = buf_string(&words);
    ChildLimits limits = {.deadline = k->start + k->options->timeout + GRACE, .group = true, .capture = true};
    ChildResult r = child_run(&limits, start_program, &start, &unused, &said);
    bool ended = r.ending == ENDING_EXIT;
    if (!read_results(k)) {
        const char *why = said.length ? last_error_line(&said) : ended ? NULL : "it was stopped";
        if (why) buf_printf(error, MSG_APP_RUN_ENDED, why);
        else buf_printf(error, MSG_APP_RUN_NOT_OBSERVED, k->program);
    }
    buf_free(&words);
    buf_free(&said);
    buf_free(&unused);
    return !error->length;
}
