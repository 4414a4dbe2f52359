/* SPDX-License-Identifier: Apache-2.0 */
#include "heddle.h"
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

typedef struct List {
    char **items;
    size_t n;
} List;

struct Heddle {
    char *program;
    List options, flags, files;
    List names, texts; /* names and texts of the sources, in pairs */
};

typedef struct Run {
    HeddleRun run; /* the part that the caller sees; first, so that heddle_run_free can cast it back */
    json_t *root;
    char *message, *json;
} Run;

/* ---- the command ---- */

static int add(List *l, char *text) {
    char **items = text ? realloc(l->items, (l->n + 1) * sizeof *items) : NULL;
    if (!items) {
        free(text);
        return -1;
    }
    l->items = items;
    l->items[l->n++] = text;
    return 0;
}

static void drop(List *l) {
    for (size_t i = 0; i < l->n; i++) free(l->items[i]);
    free(l->items);
}

Heddle *heddle_new(void) { return calloc(1, sizeof(Heddle)); }

void heddle_free(Heddle *h) {
    if (!h) return;
    free(h->program);
    drop(&h->options);
    drop(&h->flags);
    drop(&h->files);
    drop(&h->names);
    drop(&h->texts);
    free(h);
}

int heddle_program(Heddle *h, const char *path) {
    free(h->program);
    h->program = strdup(path);
    return h->program ? 0 : -1;
}

/* Returns whether the option must not be passed on: it would send the answer elsewhere than as JSON on stdout, or print something else
   there. */
static int is_refused(const char *name) {
    static const char *const refused[] = {"json", "help", "version", "suite", "slurm", "harness", "dump-ir", "dump-after", "dump-blocks", "dump-chc"};
    size_t length = strcspn(name, "=");
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        if (strlen(refused[i]) == length && !strncmp(refused[i], name, length)) return 1;
    return 0;
}

int heddle_option(Heddle *h, const char *name, const char *value) {
    if (is_refused(name)) {
        errno = EINVAL;
        return -1;
    }
    size_t size = strlen(name) + (value ? strlen(value) : 0) + 4;
    char *text = malloc(size);
    if (!text) return -1;
    snprintf(text, size, value ? "--%s=%s" : "--%s", name, value);
    return add(&h->options, text);
}

int heddle_clang_flag(Heddle *h, const char *flag) { return add(&h->flags, strdup(flag)); }
int heddle_file(Heddle *h, const char *path) { return add(&h->files, strdup(path)); }

int heddle_source(Heddle *h, const char *name, const char *text) {
    if (!*name || strchr(name, '/')) {
        errno = EINVAL;
        return -1;
    }
    if (add(&h->names, strdup(name))) return -1;
    if (!add(&h->texts, strdup(text))) return 0;
    free(h->names.items[--h->names.n]);
    return -1;
}

/* ---- sources, in a folder that exists only during the run ---- */

static char *join_path(const char *folder, const char *name) {
    size_t size = strlen(folder) + strlen(name) + 2;
    char *path = malloc(size);
    if (path) snprintf(path, size, "%s/%s", folder, name);
    return path;
}

static int write_sources(const Heddle *h, const char *folder, List *paths) {
    for (size_t i = 0; i < h->names.n; i++) {
        char *path = join_path(folder, h->names.items[i]);
        FILE *f = path ? fopen(path, "w") : NULL;
        int good = f && fputs(h->texts.items[i], f) >= 0;
        if (f && fclose(f)) good = 0;
        if (add(paths, path) || !good) return -1;
    }
    return 0;
}

static void remove_sources(const char *folder, List *paths) {
    int why = errno;
    for (size_t i = 0; i < paths->n; i++) unlink(paths->items[i]);
    rmdir(folder);
    errno = why;
}

/* ---- the process ---- */

typedef struct Text {
    char *bytes;
    size_t length;
} Text;

static int grow(Text *t, const char *bytes, size_t n) {
    char *more = realloc(t->bytes, t->length + n + 1);
    if (!more) return -1;
    memcpy(more + t->length, bytes, n);
    t->bytes = more;
    t->length += n;
    more[t->length] = 0;
    return 0;
}

static void read_both(int out, int err, Text *output, Text *errors) {
    struct pollfd p[2] = {{.fd = out, .events = POLLIN}, {.fd = err, .events = POLLIN}};
    Text *to[2] = {output, errors};
    char bytes[4096];
    while (p[0].fd >= 0 || p[1].fd >= 0) {
        if (poll(p, 2, -1) < 0 && errno != EINTR) return;
        for (int i = 0; i < 2; i++) {
            if (p[i].fd < 0 || !p[i].revents) continue;
            ssize_t n = read(p[i].fd, bytes, sizeof bytes);
            if (n <= 0 || grow(to[i], bytes, (size_t)n)) p[i].fd = -1;
        }
    }
}

static pid_t start(char *const *arguments, int out, int err) {
    posix_spawn_file_actions_t actions;
    pid_t child = -1;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, out, 1);
    posix_spawn_file_actions_adddup2(&actions, err, 2);
    errno = posix_spawnp(&child, arguments[0], &actions, NULL, arguments, environ);
    int why = errno;
    posix_spawn_file_actions_destroy(&actions);
    errno = why;
    return why ? -1 : child;
}

/* Runs the command and collects its outputs. Returns the exit code, or -1 if it cannot be started. */
static int execute(char *const *arguments, Text *output, Text *errors) {
    int out[2], err[2], status = 0;
    if (pipe2(out, O_CLOEXEC)) return -1;
    if (pipe2(err, O_CLOEXEC)) {
        close(out[0]);
        close(out[1]);
        return -1;
    }
    pid_t child = start(arguments, out[1], err[1]);
    close(out[1]);
    close(err[1]);
    if (child > 0) read_both(out[0], err[0], output, errors);
    close(out[0]);
    close(err[0]);
    if (child <= 0) return -1;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 4;
}

static int command_of(const Heddle *h, const List *paths, List *command) {
    const char *named = getenv("HEDDLE");
    int bad = add(command, strdup(h->program ? h->program : named && *named ? named : "heddle")) || add(command, strdup("--json=-"));
    for (size_t i = 0; i < h->options.n && !bad; i++) bad = add(command, strdup(h->options.items[i]));
    for (size_t i = 0; i < h->files.n && !bad; i++) bad = add(command, strdup(h->files.items[i]));
    for (size_t i = 0; i < paths->n && !bad; i++) bad = add(command, strdup(paths->items[i]));
    if (h->flags.n && !bad) bad = add(command, strdup("--"));
    for (size_t i = 0; i < h->flags.n && !bad; i++) bad = add(command, strdup(h->flags.items[i]));
    return bad;
}

/* ---- the answer ---- */

/* Removes the temporary folder from all paths, so that sources have the names that the caller gave them. */
static void remove_folder(Text *t, const char *folder) {
    size_t n = strlen(folder) + 1;
    char *to = t->bytes;
    for (const char *from = t->bytes; from && *from;) {
        if (!strncmp(from, folder, n - 1) && from[n - 1] == '/') from += n;
        else *to++ = *from++;
    }
    if (to) *to = 0;
}

static const char *text_of(const json_t *o, const char *key) { return json_string_value(json_object_get(o, key)); }
static unsigned number_of(const json_t *o, const char *key) { return (unsigned)json_integer_value(json_object_get(o, key)); }

static HeddlePlace place_of(const json_t *o) {
    return (HeddlePlace){
        .file = text_of(o, "file"), .line = number_of(o, "line"), .column = number_of(o, "column"), .function = text_of(o, "function")};
}

/* Returns the texts of a list, and NULL if it is empty. */
static const char **texts_of(const json_t *list, size_t *n) {
    *n = json_array_size(list);
    const char **texts = *n ? calloc(*n, sizeof *texts) : NULL;
    for (size_t i = 0; texts && i < *n; i++) {
        const char *text = json_string_value(json_array_get(list, i));
        texts[i] = text ? text : "";
    }
    if (!texts) *n = 0;
    return texts;
}

static void read_step(HeddleStep *s, const json_t *o) {
    const json_t *list = json_object_get(o, "accesses");
    size_t n = json_array_size(list);
    HeddleAccess *accesses = n ? calloc(n, sizeof *accesses) : NULL;
    for (size_t i = 0; accesses && i < n; i++) {
        const json_t *a = json_array_get(list, i);
        accesses[i] = (HeddleAccess){.kind = text_of(a, "kind"),
                                     .name = text_of(a, "name"),
                                     .value = text_of(a, "value"),
                                     .before = text_of(a, "before"),
                                     .thread = number_of(a, "thread"),
                                     .shared = json_is_true(json_object_get(a, "shared")),
                                     .input = json_is_true(json_object_get(a, "input")),
                                     .failed = json_is_true(json_object_get(a, "failed"))};
    }
    *s = (HeddleStep){.thread = number_of(o, "thread"), .place = place_of(o), .naccesses = accesses ? n : 0, .accesses = accesses};
}

static void read_trace(HeddleResult *r, const json_t *trace) {
    const json_t *steps = json_object_get(trace, "steps"), *error = json_object_get(trace, "error");
    size_t n = json_array_size(steps);
    HeddleStep *list = n ? calloc(n, sizeof *list) : NULL;
    for (size_t i = 0; list && i < n; i++) read_step(&list[i], json_array_get(steps, i));
    r->steps = list;
    r->nsteps = list ? n : 0;
    r->threads = texts_of(json_object_get(trace, "threads"), &r->nthreads);
    r->error = text_of(error, "text");
    r->error_place = place_of(error);
}

static void read_result(HeddleResult *r, const json_t *o) {
    const char *verdict = text_of(o, "verdict");
    const json_t *reason = json_object_get(o, "reason"), *trace = json_object_get(o, "trace");
    r->verdict = verdict && !strcmp(verdict, "SAFE") ? HEDDLE_SAFE : verdict && !strcmp(verdict, "UNSAFE") ? HEDDLE_UNSAFE : HEDDLE_UNKNOWN;
    r->witness = text_of(o, "witness");
    r->property = text_of(o, "property");
    r->engine = text_of(o, "engine");
    r->seconds = json_number_value(json_object_get(o, "seconds"));
    r->assuming = text_of(o, "assuming");
    r->reason = text_of(reason, "text");
    r->reason_place = place_of(reason);
    r->invariants = text_of(o, "invariants");
    r->states = (unsigned long long)json_integer_value(json_object_get(o, "states"));
    r->obligations = (unsigned long long)json_integer_value(json_object_get(o, "obligations"));
    r->notes = texts_of(json_object_get(o, "notes"), &r->nnotes);
    if (trace) read_trace(r, trace);
}

/* Reads the results of a run: a single object, or a list of objects. */
static void read_results(Run *run) {
    size_t n = json_is_array(run->root) ? json_array_size(run->root) : json_is_object(run->root);
    HeddleResult *list = n ? calloc(n, sizeof *list) : NULL;
    for (size_t i = 0; list && i < n; i++) read_result(&list[i], json_is_array(run->root) ? json_array_get(run->root, i) : run->root);
    run->run.results = list;
    run->run.nresults = list ? n : 0;
}

/* ---- a run ---- */

static Run *finish(int code, Text *output, Text *errors) {
    Run *run = code < 0 ? NULL : calloc(1, sizeof *run);
    if (!run) {
        free(output->bytes);
        free(errors->bytes);
        return NULL;
    }
    run->message = errors->bytes;
    run->json = output->bytes;
    run->root = output->bytes ? json_loads(output->bytes, 0, NULL) : NULL;
    run->run.code = code;
    run->run.message = errors->bytes ? errors->bytes : "";
    run->run.json = run->root ? run->json : NULL;
    read_results(run);
    return run;
}

HeddleRun *heddle_run(const Heddle *h) {
    const char *temporary = getenv("TMPDIR");
    char *folder = join_path(temporary && *temporary ? temporary : "/tmp", "heddle-XXXXXX");
    List paths = {0}, command = {0};
    Text output = {0}, errors = {0};
    int code = -1;
    if (folder && (!h->names.n || mkdtemp(folder))) {
        if (!write_sources(h, folder, &paths) && !command_of(h, &paths, &command)) {
            char **arguments = realloc(command.items, (command.n + 1) * sizeof *arguments);
            if (arguments) {
                command.items = arguments;
                arguments[command.n] = NULL;
                code = execute(arguments, &output, &errors);
                if (h->names.n) {
                    remove_folder(&output, folder);
                    remove_folder(&errors, folder);
                }
            }
        }
        if (h->names.n) remove_sources(folder, &paths);
    }
    int why = errno;
    drop(&paths);
    drop(&command);
    free(folder);
    Run *run = finish(code, &output, &errors);
    errno = why;
    return run ? &run->run : NULL;
}

void heddle_run_free(HeddleRun *r) {
    Run *run = (Run *)(void *)r;
    if (!run) return;
    for (size_t i = 0; i < r->nresults; i++) {
        for (size_t k = 0; k < r->results[i].nsteps; k++) free((void *)r->results[i].steps[k].accesses);
        free((void *)r->results[i].steps);
        free((void *)r->results[i].threads);
        free((void *)r->results[i].notes);
    }
    free((void *)r->results);
    json_decref(run->root);
    free(run->message);
    free(run->json);
    free(run);
}
