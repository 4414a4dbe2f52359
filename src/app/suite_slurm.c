/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a file of shell commands, one for each task, and starts an array of jobs, each of which runs its line. sbatch waits for all
   jobs. Partition, memory and time are set by the variables of the environment for sbatch (SBATCH_PARTITION …). */
#include "app/suite_slurm.h"
#include "app/messages.h"
#include "base/file.h"
#include "process/messages.h"
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ARRAY = 1000 }; /* Slurm's default limit on the size of an array */

static void put_quoted(Buf *out, const char *word) {
    buf_char(out, '\'');
    for (; *word; word++) {
        if (*word == '\'') buf_text(out, "'\\''");
        else buf_char(out, *word == '\n' ? ' ' : *word);
    }
    buf_text(out, "' ");
}

/* Adds the command of a task. A run without a verdict leaves its stderr as the reason, without the characters that JSON would have to
   escape. */
static void put_command(Buf *out, const SlurmTask *t) {
    buf_text(out, "said=$(");
    for (size_t i = 0; i < vec_len(t->command); i++) put_quoted(out, t->command[i]);
    buf_text(out, "</dev/null 2>&1 >/dev/null); code=$?; r=");
    put_quoted(out, t->result);
    buf_text(out, "; said=$(printf %s \"$said\" | tr '\\n' ' ' | LC_ALL=C tr -dc ' !#-[]-~' | head -c 600)");
    buf_text(out, "; [ -e \"$r\" ] || { echo \"{\\\"verdict\\\": \\\"ERROR\\\", \\\"code\\\": $code, \\\"seconds\\\": 0, \\\"reason\\\": "
                  "{\\\"text\\\": \\\"$said\\\"}}\" >\"$r.new\" && mv \"$r.new\" \"$r\"; }\n");
}

static char *write_commands(const Options *o, const SlurmTask *tasks, size_t from, size_t to, Buf *error) {
    Buf text = {0}, path = {0};
    buf_printf(&path, "%s/slurm-%d-%zu.commands", o->results, (int)getpid(), from);
    for (size_t i = from; i < to; i++) put_command(&text, &tasks[i]);
    if (!file_write(path.text, text.text, text.length)) buf_printf(error, "%s: %s", path.text, strerror(errno));
    buf_free(&text);
    return path.text;
}

/* ---- sbatch ---- */

static _Noreturn void become_sbatch(const char *commands, size_t n, int out) {
    Buf array = {0}, wrap = {0};
    const char **a = NULL;
    bool memory = getenv("SBATCH_MEM_PER_NODE") || getenv("SBATCH_MEM_PER_CPU");
    buf_printf(&array, "--array=1-%zu", n);
    buf_text(&wrap, "--wrap=eval \"$(sed -n \"${SLURM_ARRAY_TASK_ID}p\" ");
    put_quoted(&wrap, commands);
    buf_text(&wrap, ")\"; exit 0");
    const char *fixed[] = {"sbatch",  "--wait", "--parsable", "--job-name=heddle", "-c1", "--output=/dev/null", "--error=/dev/null",
                           array.text};
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++) vec_push(a, fixed[i]);
    if (!memory) vec_push(a, "--mem=0");
    vec_push(a, wrap.text);
    vec_push(a, NULL);
    dup2(out, STDOUT_FILENO);
    execvp("sbatch", (char *const *)(void *)a);
    print_error(MSG_APP_SLURM_NO_SBATCH, strerror(errno));
    _exit(EXIT_INTERNAL);
}

static void cancel(const char *job) {
    pid_t child = fork();
    if (child < 0) return;
    if (!child) {
        execlp("scancel", "scancel", job, (char *)NULL);
        _exit(EXIT_INTERNAL);
    }
    waitpid(child, NULL, 0);
}

/* Reads the job's number, the first word that sbatch prints. */
static void read_number(int from, Buf *number) {
    char bytes[64];
    struct pollfd p = {.fd = from, .events = POLLIN};
    if (poll(&p, 1, 500) <= 0) return;
    ssize_t n = read(from, bytes, sizeof bytes);
    if (n > 0) buf_bytes(number, bytes, (size_t)n);
    else usleep(500000); /* sbatch has closed its end of the pipe, and waits for the jobs */
}

static bool run_array(const char *commands, size_t n, volatile sig_atomic_t *stopped, void (*done)(void *), void *context, Buf *error) {
    int pipes[2], status = 0;
    Buf number = {0};
    if (pipe(pipes)) out_of_resources(MSG_PROCESS_NO_PIPE, strerror(errno));
    pid_t child = fork();
    if (child < 0) out_of_resources(MSG_PROCESS_NO_PROCESS, strerror(errno));
    if (!child) close(pipes[0]), become_sbatch(commands, n, pipes[1]);
    close(pipes[1]);
    while (!*stopped && !waitpid(child, &status, WNOHANG)) {
        read_number(pipes[0], &number);
        done(context);
    }
    close(pipes[0]);
    if (*stopped) {
        char *job = strndup(buf_string(&number), strspn(buf_string(&number), "0123456789"));
        if (job && *job) cancel(job);
        free(job);
        kill(child, SIGTERM);
        waitpid(child, NULL, 0);
    } else if (!number.length) buf_text(error, MSG_APP_SLURM_NOT_STARTED);
    buf_free(&number);
    return !error->length;
}

bool suite_slurm(const Options *o, const SlurmTask *tasks, volatile sig_atomic_t *stopped, void (*done)(void *), void *context,
                 Buf *error) {
    for (size_t from = 0; from < vec_len(tasks) && !*stopped && !error->length; from += ARRAY) {
        size_t to = from + ARRAY < vec_len(tasks) ? from + ARRAY : vec_len(tasks);
        char *commands = write_commands(o, tasks, from, to, error);
        if (!error->length) run_array(commands, to - from, stopped, done, context, error);
        unlink(commands);
        free(commands);
    }
    return !error->length;
}
