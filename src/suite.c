/* SPDX-License-Identifier: Apache-2.0 */
/* Each task is a process of its own, that writes its verdict to a file of the folder of results, whole or not at all. A task whose file is there is done: a
   suite that was interrupted goes on where it was. At the end the files are read, and make the table. */
#include "suite.h"
#include "base/clock.h"
#include "base/die.h"
#include "base/file.h"
#include "base/map.h"
#include "base/processors.h"
#include "base/vec.h"
#include "property.h"
#include "suite_slurm.h"
#include "suite_table.h"
#include "tasks.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct Suite {
    const Options *options;
    Task *tasks;    /* a vec */
    char **results; /* a vec: the file of each */
    pid_t *running; /* a vec, by task; 0: it is not */
    size_t done, next;
    unsigned jobs, busy;
} Suite;

static volatile sig_atomic_t stopped;
static void stop(int signal) { stopped = signal; }

/* ---- files ---- */

static const char *base_name(const char *path) { return strrchr(path, '/') ? strrchr(path, '/') + 1 : path; }

/* Another task, or other options, have another file. */
static char *result_file(const Options *o, const Task *t) {
    Buf key = {0}, path = {0};
    char *whole = realpath(t->file, NULL);
    buf_printf(&key, "%s|%s|%s|%g|%g|%d", whole ? whole : t->file, property_name(t->property), o->engine, o->timeout, o->memory, t->ilp32);
    buf_printf(&path, "%s/%s.%s.%016" PRIx64 ".json", o->results, base_name(t->file), property_name(t->property),
               hash_bytes(key.text, key.length, 1));
    buf_free(&key);
    free(whole);
    return path.text;
}

static bool exists(const char *path) { return !access(path, R_OK); }

/* ---- running ---- */

/* With room for what is said in numbers. */
typedef struct Command {
    const char **words; /* a vec */
    char timeout[32], memory[32];
} Command;

static void command_of(const Suite *s, size_t i, const char *program, Command *c) {
    const Options *o = s->options;
    const Task *t = &s->tasks[i];
    snprintf(c->timeout, sizeof c->timeout, "%g", o->timeout);
    snprintf(c->memory, sizeof c->memory, "%g", o->memory);
    const char *fixed[] = {program,        "-q",
                           "--jobs",       "1",
                           "--engine",     o->engine,
                           "--timeout",    c->timeout,
                           "--memory",     c->memory,
                           "--data-model", t->ilp32 ? "ILP32" : "LP64",
                           "--property",   property_name(t->property),
                           "--json",       s->results[i]};
    for (size_t k = 0; k < sizeof fixed / sizeof *fixed; k++) vec_push(c->words, fixed[k]);
    for (size_t k = 0; k < vec_len(t->inputs); k++) vec_push(c->words, t->inputs[k]);
}

static _Noreturn void become(const Suite *s, size_t i) {
    Command c = {0};
    int null = open("/dev/null", O_RDWR);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setpgid(0, 0);
    if (null >= 0) dup2(null, 0), dup2(null, 1), dup2(null, 2);
    command_of(s, i, "heddle", &c);
    vec_push(c.words, NULL);
    execv("/proc/self/exe", (char *const *)(void *)c.words);
    _exit(EXIT_INTERNAL);
}

static void start(Suite *s, size_t i) {
    pid_t child = fork();
    if (child < 0) lack("cannot start a process: %s", strerror(errno));
    if (!child) become(s, i);
    s->running[i] = child;
    s->busy++;
}

/* A run that has no verdict leaves one all the same, so that it is not run again. */
static void ended(Suite *s, pid_t child, int status) {
    for (size_t i = 0; i < vec_len(s->tasks); i++) {
        if (s->running[i] != child) continue;
        s->running[i] = 0;
        s->busy--;
        s->done++;
        char text[80];
        snprintf(text, sizeof text, "{\"verdict\": \"ERROR\", \"code\": %d, \"seconds\": 0}\n",
                 WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
        if (!exists(s->results[i])) (void)!file_write(s->results[i], text, strlen(text));
    }
}

static void show_progress(const Suite *s, bool last) {
    if (!isatty(STDERR_FILENO) || s->options->quiet) return;
    fprintf(stderr, "\r\033[K%zu of %zu tasks%s", s->done, vec_len(s->tasks), last ? "\n" : " …");
}

static void run_all(Suite *s) {
    while (!stopped) {
        for (; s->busy < s->jobs && s->next < vec_len(s->tasks); s->next++) {
            if (exists(s->results[s->next])) s->done++;
            else start(s, s->next);
        }
        show_progress(s, false);
        if (!s->busy) break;
        int status;
        pid_t child = waitpid(-1, &status, 0);
        if (child > 0) ended(s, child, status);
    }
    for (size_t i = 0; i < vec_len(s->tasks) && stopped; i++)
        if (s->running[i]) kill(-s->running[i], SIGKILL), kill(s->running[i], SIGKILL), waitpid(s->running[i], NULL, 0);
    show_progress(s, true);
}

/* ---- on a cluster ---- */

static void count_done(void *context) {
    Suite *s = context;
    s->done = 0;
    for (size_t i = 0; i < vec_len(s->tasks); i++) s->done += exists(s->results[i]);
    show_progress(s, false);
}

static bool run_on_cluster(Suite *s, Buf *error) {
    SlurmTask *list = NULL;
    Command *commands = NULL;
    char *program = realpath("/proc/self/exe", NULL);
    vec_resize(commands, vec_len(s->tasks));
    for (size_t i = 0; i < vec_len(s->tasks) && program; i++) {
        if (exists(s->results[i])) continue;
        command_of(s, i, program, &commands[i]);
        vec_push(list, ((SlurmTask){commands[i].words, s->results[i]}));
    }
    bool good = suite_slurm(s->options, list, &stopped, count_done, s, error);
    count_done(s);
    show_progress(s, true);
    for (size_t i = 0; i < vec_len(commands); i++) vec_free(commands[i].words);
    vec_free(commands);
    vec_free(list);
    free(program);
    return good;
}

/* ---- all ---- */

/* Those of the properties that are asked for, if any are. */
static void keep_asked(Suite *s, unsigned set) {
    size_t n = 0;
    for (size_t i = 0; i < vec_len(s->tasks); i++) {
        Task t = s->tasks[i];
        if (set >> t.property & 1) {
            s->tasks[i] = s->tasks[n];
            s->tasks[n++] = t;
        }
    }
    Task *rest = NULL;
    for (size_t i = n; i < vec_len(s->tasks); i++) vec_push(rest, s->tasks[i]);
    vec_resize(s->tasks, n);
    tasks_free(rest);
}

static bool prepare(Suite *s, Buf *error) {
    const Options *o = s->options;
    unsigned set = ~0u;
    for (size_t i = 0; i < vec_len(o->files); i++)
        if (!tasks_add(&s->tasks, o->files[i], error)) return false;
    if (o->property && !properties_find(o->property, &set, error)) return false;
    keep_asked(s, set);
    if (!vec_len(s->tasks)) buf_text(error, "there are no tasks");
    if (mkdir(o->results, 0777) && errno != EEXIST) buf_printf(error, "%s: %s", o->results, strerror(errno));
    for (size_t i = 0; i < vec_len(s->tasks); i++) vec_push(s->results, result_file(o, &s->tasks[i]));
    vec_resize(s->running, vec_len(s->tasks));
    return !error->length;
}

int suite_run(const Options *o) {
    Suite s = {.options = o, .jobs = o->jobs < 0 ? processors_available() : (unsigned)fmin(fmax(o->jobs, 1), 1e4)};
    Buf error = {0};
    int code = EXIT_INPUT;
    struct sigaction act = {.sa_handler = stop}; /* waiting ends */
    sigaction(SIGINT, &act, NULL);
    sigaction(SIGTERM, &act, NULL);
    if (!prepare(&s, &error)) fprintf(stderr, "heddle: %s\n", buf_string(&error));
    else if (o->slurm && !run_on_cluster(&s, &error)) {
        fprintf(stderr, "heddle: %s\n", buf_string(&error));
        code = EXIT_INTERNAL;
    } else {
        if (!o->slurm) run_all(&s);
        code = stopped ? 128 + stopped : suite_table(o, s.tasks, s.results);
    }
    tasks_free(s.tasks);
    for (size_t i = 0; i < vec_len(s.results); i++) free(s.results[i]);
    vec_free(s.results);
    vec_free(s.running);
    buf_free(&error);
    return code;
}
