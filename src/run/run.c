/* SPDX-License-Identifier: Apache-2.0 */
#include "run/run.h"
#include "run/failure.h"
#include "run/limits.h"
#include "run/random.h"
#include "run/schedule.h"
#include "run/scheduler.h"
#include "run/strategy.h"
#include "run/trace.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATIENCE = 1000 };
enum { OFTEN_PERIOD = 5, RARELY = 64, OFTEN = 4 }; /* how often waits end, in one of five runs and in the rest */
Shared *shared;
Limits limits = {.events = ~UINT64_C(0)};
static int input = -1;

/* ---- standard input and output ---- */

static void copy_to(int to) {
    char text[1 << 14];
    for (long n; (n = syscall(SYS_read, STDIN_FILENO, text, sizeof text)) > 0;)
        if (!base_put(to, text, (size_t)n)) break;
}

void run_keep_input(void) {
    struct stat st;
    if (fstat(STDIN_FILENO, &st) || S_ISCHR(st.st_mode)) return;
    input = (int)syscall(SYS_memfd_create, "input", MFD_CLOEXEC);
    if (input >= 0) copy_to(input);
}

static void replace(int fd, const char *path, int flags) {
    int opened = (int)syscall(SYS_openat, AT_FDCWD, path, flags);
    if (opened < 0 || opened == fd) return;
    dup2(opened, fd);
    syscall(SYS_close, opened);
}

static void redirect(bool output) {
    char path[32];
    snprintf(path, sizeof path, "/proc/self/fd/%d", input); /* opened anew, it is read from its beginning */
    replace(STDIN_FILENO, input < 0 ? "/dev/null" : path, O_RDONLY);
    if (output) return;
    replace(STDOUT_FILENO, "/dev/null", O_WRONLY);
    replace(STDERR_FILENO, "/dev/null", O_WRONLY);
}

/* ---- the child ---- */

/* All threads run on one processor, since one thread runs at a time. */
static void stay_on_processor(void) {
    cpu_set_t set;
    unsigned cpu = 0;
    syscall(SYS_getcpu, &cpu, NULL, NULL);
    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    syscall(SYS_sched_setaffinity, 0, sizeof set, &set);
}

static void leave_control(void) { scheduler_stop(); }

static _Noreturn void child(const Program *p, const Config *c, const Run *r) {
    trace_start((Address)__builtin_frame_address(0));
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    random_start(r->seed);
    strategy = strategy_select(r->strategy, r->seed);
    limits = (Limits){.seed = r->seed,
                      .events = r->events ? r->events : c->events,
                      .long_run = 300000,
                      .patience = PATIENCE,
                      .wait_ends = r->seed % OFTEN_PERIOD ? RARELY : OFTEN,
                      .spurious = c->spurious,
                      .reuse = r->reuse,
                      .history = r->history};
    if (r->until) limits.until[0] = r->until->pc, limits.until[1] = r->until->other_pc;
    if (strategy->start) strategy->start();
    if (r->decisions) schedule_follow(r->decisions, r->ndecisions, r->strict);
    redirect(r->output);
    failure_start();
    stay_on_processor();
    pthread_atfork(NULL, NULL, leave_control); /* a child of the program is not controlled */
    threads_start();
    exit(p->main(p->argc, p->argv, p->envp));
}

/* ---- the parent ---- */

static void forget_run(void) {
    shared->events = shared->points = shared->switches = shared->hash = shared->ndecisions = shared->nentries = 0;
    shared->threads = shared->nraces = 0;
    shared->ended = false;
    shared->end = (Finding){.outcome = OUTCOME_GOOD};
}

static void set_end(Outcome outcome, const char *text) {
    shared->end = (Finding){.outcome = outcome, .event = shared->events};
    strcpy(shared->end.text, text);
}

void run_schedule(const Program *p, const Config *c, const Run *r) {
    int status = 0;
    forget_run();
    pid_t pid = fork();
    if (!pid) child(p, c, r);
    if (pid < 0) base_die("the program cannot be started again: %s", strerror(errno));
    int fd = (int)syscall(SYS_pidfd_open, pid, 0);
    struct pollfd end = {.fd = fd, .events = POLLIN};
    bool slow = !syscall(SYS_poll, &end, 1, (int)(c->run_timeout * 1000));
    if (slow) kill(pid, SIGKILL);
    syscall(SYS_wait4, pid, &status, 0, NULL);
    if (fd >= 0) syscall(SYS_close, fd);
    if (slow) set_end(OUTCOME_SLOW, "");
    else if (!shared->ended && WIFSIGNALED(status)) set_end(OUTCOME_CRASH, strsignal(WTERMSIG(status)));
}
