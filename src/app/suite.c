/* SPDX-License-Identifier: Apache-2.0 */
/* Each task is a process of its own, which writes its verdict to a file in the folder of results, in full or not at all. A task with a
   verdict in its file is done, and so an interrupted suite can continue. The name of the file depends on the task, the options and the
   content of the files that are read (suite_key). At the end, the files are read to make the table. */
#include "app/suite.h"
#include "app/messages.h"
#include "base/file.h"
#include "base/map.h"
#include "base/processors.h"
#include "base/version.h"
#include "result/property.h"
#include "app/suite_key.h"
#include "app/suite_slurm.h"
#include "app/suite_table.h"
#include "app/tasks.h"
#include "process/messages.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct Suite {
    const Options *options;
    Task *tasks;    /* a vec */
    char **results; /* a vec, by task: the result file, named when the task's turn comes, since programs may change before */
    char **words;   /* a vec: the options that are passed to each task */
    pid_t *running; /* a vec, by task: its process; 0: it does not run */
    int *said;      /* a vec, by task: the file with the stderr of a running task */
    size_t done, next;
    unsigned jobs, busy;
    sigset_t before; /* the signals that were blocked at the start; the other signals arrive only while the suite waits */
} Suite;

static volatile sig_atomic_t stopped;
static void stop(int signal) { stopped = signal; }
static void wake(int signal) { (void)signal; }

/* ---- files ---- */

static const char *model_of(const Options *o, const Task *t) {
    return t->data_model ? t->data_model : options_word("data_model", o->data_model);
}

/* Returns the path of the result file. It differs for another task, other options or another content. */
static char *result_file(const Suite *s, const Task *t) {
    const Options *o = s->options;
    Buf key = {0}, path = {0};
    char *whole = realpath(t->file, NULL);
    buf_printf(&key, "%s|%s|%s|%s", HEDDLE_VERSION, whole ? whole : t->file, task_property(t), model_of(o, t));
    for (size_t i = 0; i < vec_len(s->words); i++) buf_printf(&key, "|%s", s->words[i]);
    for (size_t i = 0; i < vec_len(o->clang_flags); i++) buf_printf(&key, "|%s%s", i ? "" : "--|", o->clang_flags[i]);
    suite_key_contents(&key, t, o->clang_flags);
    buf_printf(&path, "%s/%s.%s.%016" PRIx64 ".json", o->results, base_name(t->file), task_property(t),
               hash_bytes(key.text, key.length, 1));
    buf_free(&key);
    free(whole);
    return path.text;
}

static bool exists(const char *path) { return !access(path, R_OK); }

/* Returns whether the current program has a verdict. Removes a file that has no verdict or cannot be read. */
static bool is_done(Suite *s, size_t i) {
    vec_push(s->results, result_file(s, &s->tasks[i]));
    if (suite_answered(s->results[i])) return true;
    unlink(s->results[i]);
    return false;
}

/* ---- running ---- */

/* Returns the command for a task, as a vec. */
static const char **command_of(const Suite *s, size_t i, const char *program) {
    const Task *t = &s->tasks[i];
    const char **words = NULL;
    const char *fixed[] = {
        program, "-q", "--jobs", "1", "--property", task_property(t), "--json", s->results[i], "--data-model", model_of(s->options, t)};
    for (size_t k = 0; k < sizeof fixed / sizeof *fixed; k++) vec_push(words, fixed[k]);
    for (size_t k = 0; k < vec_len(s->words); k++) vec_push(words, s->words[k]);
    for (size_t k = 0; k < vec_len(t->inputs); k++) vec_push(words, t->inputs[k]);
    for (size_t k = 0; k < vec_len(s->options->clang_flags); k++) {
        if (!k) vec_push(words, "--");
        vec_push(words, s->options->clang_flags[k]);
    }
    return words;
}

static _Noreturn void become(const Suite *s, size_t i) {
    const char **words = command_of(s, i, "heddle");
    int null = open("/dev/null", O_RDWR);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setpgid(0, 0);
    sigprocmask(SIG_SETMASK, &s->before, NULL);
    if (null >= 0) dup2(null, 0), dup2(null, 1);
    dup2(s->said[i], 2);
    vec_push(words, NULL);
    execv("/proc/self/exe", (char *const *)(void *)words);
    _exit(EXIT_INTERNAL);
}

static void start(Suite *s, size_t i) {
    s->said[i] = memfd_create("stderr", MFD_CLOEXEC);
    if (s->said[i] < 0) out_of_resources(MSG_APP_SUITE_NO_FILE, strerror(errno));
    pid_t child = fork();
    if (child < 0) out_of_resources(MSG_PROCESS_NO_PROCESS, strerror(errno));
    if (!child) become(s, i);
    s->running[i] = child;
    s->busy++;
}

/* Writes the reason for a run that ended without a verdict. */
static void put_error(const Suite *s, size_t i, int status) {
    char said[600];
    ssize_t n = pread(s->said[i], said, sizeof said - 1, 0);
    said[n < 0 ? 0 : n] = 0;
    if (!exists(s->results[i])) suite_put_error(s->results[i], WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), said);
}

static void ended(Suite *s, pid_t child, int status) {
    for (size_t i = 0; i < vec_len(s->tasks); i++) {
        if (s->running[i] != child) continue;
        s->running[i] = 0;
        s->busy--;
        s->done++;
        put_error(s, i, status);
        close(s->said[i]);
    }
}

static void show_progress(const Suite *s, bool last) {
    if (!isatty(STDERR_FILENO) || s->options->quiet) return;
    fprintf(stderr, "\r\033[K%zu of %zu tasks%s", s->done, vec_len(s->tasks), last ? "\n" : " …");
}

/* Blocks signals, so that they arrive only in sigsuspend. No signal is lost between two checks of `stopped` and of the children. */
static void block_signals(Suite *s) {
    sigset_t set;
    struct sigaction act = {.sa_handler = wake};
    sigaction(SIGCHLD, &act, NULL);
    sigemptyset(&set);
    sigaddset(&set, SIGCHLD);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    sigprocmask(SIG_BLOCK, &set, &s->before);
}

static void run_all(Suite *s) {
    block_signals(s);
    while (!stopped) {
        for (; s->busy < s->jobs && s->next < vec_len(s->tasks); s->next++) {
            if (is_done(s, s->next)) s->done++;
            else start(s, s->next);
        }
        show_progress(s, false);
        if (!s->busy) break;
        int status;
        pid_t child = waitpid(-1, &status, WNOHANG);
        if (child > 0) ended(s, child, status);
        else sigsuspend(&s->before);
    }
    sigprocmask(SIG_SETMASK, &s->before, NULL);
    for (size_t i = 0; i < vec_len(s->tasks) && stopped; i++)
        if (s->running[i]) kill(-s->running[i], SIGKILL), kill(s->running[i], SIGKILL), waitpid(s->running[i], NULL, 0);
    show_progress(s, true);
}

/* ---- on a cluster ---- */

static void count_done(void *context) {
    Suite *s = context;
    s->done = 0;
    for (size_t i = 0; i < vec_len(s->results); i++) s->done += exists(s->results[i]);
    show_progress(s, false);
}

static bool run_on_cluster(Suite *s, Buf *error) {
    SlurmTask *list = NULL;
    char *program = realpath("/proc/self/exe", NULL);
    for (size_t i = 0; i < vec_len(s->tasks) && program; i++) {
        if (is_done(s, i)) continue;
        vec_push(list, ((SlurmTask){command_of(s, i, program), s->results[i]}));
    }
    bool good = suite_slurm(s->options, list, &stopped, count_done, s, error);
    count_done(s);
    show_progress(s, true);
    for (size_t i = 0; i < vec_len(list); i++) vec_free(list[i].command);
    vec_free(list);
    free(program);
    return good;
}

/* ---- a suite ---- */

static bool is_asked(const Task *t, unsigned set) {
    unsigned asked = set >> PARTS_SHIFT ? set >> PARTS_SHIFT : PARTS_USUAL, parts = t->parts ? t->parts : PARTS_USUAL;
    return (set >> t->property & 1) && (t->property != PROPERTY_VALID_MEMSAFETY || !(parts & ~asked));
}

/* Keeps the tasks for the properties in the set, and frees the other tasks. */
static void keep_asked(Suite *s, unsigned set) {
    size_t n = 0;
    for (size_t i = 0; i < vec_len(s->tasks); i++) {
        Task t = s->tasks[i];
        if (is_asked(&t, set)) {
            s->tasks[i] = s->tasks[n];
            s->tasks[n++] = t;
        }
    }
    Task *rest = NULL;
    for (size_t i = n; i < vec_len(s->tasks); i++) vec_push(rest, s->tasks[i]);
    vec_resize(s->tasks, n);
    tasks_free(rest);
}

/* Chooses the options to pass on. Refuses options for a single program, and leaves out those of the suite itself. */
static bool choose_words(Suite *s, Buf *error) {
    static const char *const refused[] = {
        "compile_commands", "harness", "replay",  "check_witness", "check_certificate", "trace",   "certificate", "json", "sarif", "html",
        "native",           "witness", "dump_ir", "dump_after",    "dump_blocks",       "dump_chc"};
    static const char *const own[] = {"property", "data_model", "jobs",  "suite",   "slurm", "results",
                                      "layout",   "color",      "stats", "verbose", "quiet", NULL};
    for (size_t i = 0; i < sizeof refused / sizeof *refused && !error->length; i++) {
        if (!options_given(s->options, refused[i])) continue;
        char name[32];
        snprintf(name, sizeof name, "%s", refused[i]);
        for (char *c = name; *c; c++) *c = *c == '_' ? '-' : *c;
        buf_printf(error, MSG_APP_SUITE_OPTION, name);
    }
    options_words(s->options, own, &s->words);
    return !error->length;
}

/* Makes the folder of results. Returns false and sets errno if no file can be written there. */
static bool make_folder(const char *path) {
    struct stat s;
    if (mkdir(path, 0777) && errno != EEXIST) return false;
    if (stat(path, &s)) return false;
    errno = ENOTDIR;
    return S_ISDIR(s.st_mode) && !access(path, W_OK | X_OK);
}

static bool prepare(Suite *s, Buf *error) {
    const Options *o = s->options;
    unsigned set = ~0u;
    if (!choose_words(s, error)) return false;
    for (size_t i = 0; i < vec_len(o->files); i++)
        if (!tasks_add(&s->tasks, o->files[i], error)) return false;
    if (o->property && !properties_find(o->property, &set, error)) return false;
    keep_asked(s, set);
    if (!vec_len(s->tasks)) buf_text(error, MSG_APP_SUITE_EMPTY);
    if (!make_folder(o->results)) buf_printf(error, "%s: %s", o->results, strerror(errno));
    vec_resize(s->running, vec_len(s->tasks));
    vec_resize(s->said, vec_len(s->tasks));
    return !error->length;
}

static int end_early(const Suite *s) {
    print_error(MSG_APP_SUITE_INTERRUPTED, s->done, vec_len(s->tasks));
    return 128 + stopped;
}

int suite_run(const Options *o) {
    Suite s = {.options = o, .jobs = o->jobs < 0 ? processors_available() : (unsigned)fmin(fmax(o->jobs, 1), 1e4)};
    Buf error = {0};
    int code = EXIT_INPUT;
    struct sigaction act = {.sa_handler = stop}; /* without SA_RESTART, so that waiting ends */
    sigaction(SIGINT, &act, NULL);
    sigaction(SIGTERM, &act, NULL);
    if (!prepare(&s, &error)) print_error("%s", buf_string(&error));
    else if (o->slurm && !run_on_cluster(&s, &error)) {
        print_error("%s", buf_string(&error));
        code = EXIT_INTERNAL;
    } else {
        if (!o->slurm) run_all(&s);
        code = stopped ? end_early(&s) : suite_table(o, s.tasks, s.results);
    }
    tasks_free(s.tasks);
    for (size_t i = 0; i < vec_len(s.results); i++) free(s.results[i]);
    for (size_t i = 0; i < vec_len(s.words); i++) free(s.words[i]);
    vec_free(s.words);
    vec_free(s.results);
    vec_free(s.running);
    vec_free(s.said);
    buf_free(&error);
    return code;
}
