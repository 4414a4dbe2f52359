/* SPDX-License-Identifier: Apache-2.0 */
/* The parent reads the pipe until the child and all that inherited it are gone, or until the deadline or a signal; then
   it kills what is left. PDEATHSIG covers the case that the parent itself is killed. */
#include "child.h"
#include "base/clock.h"
#include "base/die.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined __SANITIZE_ADDRESS__
#define LIMIT_MEMORY 0 /* its shadow memory alone is beyond any limit */
#else
#define LIMIT_MEMORY 1
#endif

static volatile sig_atomic_t caught;

static void on_signal(int number) { caught = number; }

void child_catch_signals(void) {
    struct sigaction action = {.sa_handler = on_signal};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGHUP, &action, NULL);
}

/* ---- in the child ---- */
static void set_limit(int resource, uint64_t value) {
    struct rlimit r;
    if (getrlimit((__rlimit_resource_t)resource, &r)) return;
    r.rlim_cur = value < r.rlim_max ? value : r.rlim_max;
    setrlimit((__rlimit_resource_t)resource, &r);
}

static _Noreturn void be_child(const ChildLimits *limits, pid_t parent, int pipe_end, int error_end,
                               int (*work)(void *, FILE *), void *context) {
    struct sigaction normal = {.sa_handler = SIG_DFL};
    sigaction(SIGINT, &normal, NULL);
    sigaction(SIGTERM, &normal, NULL);
    sigaction(SIGHUP, &normal, NULL);
    if (limits->group) setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(EXIT_INTERNAL);
    set_limit(RLIMIT_CORE, 0);
    set_limit(RLIMIT_STACK, 100u << 20);
    if (LIMIT_MEMORY && limits->memory) set_limit(RLIMIT_DATA, limits->memory);
    if (error_end >= 0) dup2(error_end, STDERR_FILENO);
    FILE *out = fdopen(pipe_end, "w");
    int code = out ? work(context, out) : EXIT_INTERNAL;
    if (!out || fflush(out)) code = EXIT_INTERNAL;
    fflush(stderr);
    _exit(code);
}

/* ---- in the parent ---- */
/* Something can be read: true at the end of it. */
static bool collect(Child *c) {
    char bytes[1 << 16];
    ssize_t n = read(c->pipe, bytes, sizeof bytes);
    if (n > 0) buf_bytes(&c->out, bytes, (size_t)n);
    return n == 0 || (n < 0 && errno != EINTR);
}

size_t children_wait(Child *const *list, size_t n, double until) {
    enum { MOST = 16 };
    struct pollfd p[MOST];
    ensure(n <= MOST);
    for (;;) {
        double now = clock_seconds(), next = until;
        if (caught && n) return 0;
        for (size_t i = 0; i < n; i++) {
            if (list[i]->limits.deadline <= now) return i;
            if (list[i]->limits.deadline < next) next = list[i]->limits.deadline;
            p[i] = (struct pollfd){.fd = list[i]->pipe, .events = POLLIN};
        }
        if (until <= now) return n;
        if (poll(p, n, next - now < 1 ? (int)((next - now) * 1000) + 1 : 1000) <= 0) continue;
        for (size_t i = 0; i < n; i++)
            if (p[i].revents && collect(list[i])) {
                list[i]->whole = true;
                return i;
            }
    }
}

static void read_back(int fd, Buf *out) {
    char bytes[4096];
    ssize_t n;
    off_t at = 0;
    while ((n = pread(fd, bytes, sizeof bytes, at)) > 0) {
        buf_bytes(out, bytes, (size_t)n);
        at += n;
    }
}

static ChildResult judge(const ChildLimits *limits, bool whole, int status, const struct rusage *usage) {
    if (!whole && caught) return (ChildResult){ENDING_INTERRUPT, caught};
    if (!whole) return (ChildResult){ENDING_TIMEOUT, 0};
    if (WIFEXITED(status) && WEXITSTATUS(status) != EXIT_INTERNAL) return (ChildResult){ENDING_EXIT, WEXITSTATUS(status)};
    /* Programs report a failed allocation in many ways; near the limit that is what an abnormal end means. */
    if (limits->memory && (uint64_t)usage->ru_maxrss * 1024 > limits->memory / 10 * 7) return (ChildResult){ENDING_MEMORY, 0};
    if (WIFSIGNALED(status)) return (ChildResult){ENDING_CRASH, WTERMSIG(status)};
    return (ChildResult){ENDING_EXIT, WEXITSTATUS(status)};
}

void child_start(Child *c, const ChildLimits *limits, int (*work)(void *, FILE *), void *context) {
    int ends[2];
    *c = (Child){.limits = *limits, .errors = limits->capture ? memfd_create("stderr", MFD_CLOEXEC) : -1};
    if (pipe2(ends, O_CLOEXEC)) die("no pipe");
    fflush(NULL);
    pid_t parent = getpid();
    c->pid = fork();
    if (c->pid < 0) die("cannot start a process");
    if (!c->pid) {
        close(ends[0]);
        be_child(limits, parent, ends[1], c->errors, work, context);
    }
    if (limits->group) setpgid(c->pid, c->pid);
    close(ends[1]);
    c->pipe = ends[0];
}

ChildResult child_finish(Child *c, Buf *out, Buf *errors) {
    struct rusage usage = {0};
    int status = 0;
    close(c->pipe);
    if (!c->whole) kill(c->limits.group ? -c->pid : c->pid, SIGKILL);
    while (wait4(c->pid, &status, 0, &usage) < 0 && errno == EINTR) {}
    if (c->limits.group) kill(-c->pid, SIGKILL);
    if (c->errors >= 0) {
        read_back(c->errors, errors);
        close(c->errors);
    }
    buf_bytes(out, buf_string(&c->out), c->out.length);
    buf_free(&c->out);
    return judge(&c->limits, c->whole, status, &usage);
}

ChildResult child_run(const ChildLimits *limits, int (*work)(void *, FILE *), void *context, Buf *out, Buf *errors) {
    Child c, *list[] = {&c};
    child_start(&c, limits, work, context);
    children_wait(list, 1, limits->deadline + 1);
    return child_finish(&c, out, errors);
}
