/* SPDX-License-Identifier: Apache-2.0 */
/* The parent reads the pipe until its end, the deadline or a signal. The end comes when the child and all processes that inherited the
   pipe have ended. Then it kills the remaining ones. PDEATHSIG covers the case that the parent itself is killed. */
#include "process/child.h"
#include "base/clock.h"
#include "base/die.h"
#include "process/messages.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined __SANITIZE_ADDRESS__
#define LIMIT_MEMORY 0 /* the shadow memory of the sanitizer alone exceeds any limit */
#else
#define LIMIT_MEMORY 1
#endif

static volatile sig_atomic_t caught;

static void on_signal(int number) { caught = number; }

/* Catches a signal, unless the process was started with the signal ignored, as nohup does. */
static void catch (int number) {
    struct sigaction action = {.sa_handler = on_signal}, old;
    if (!sigaction(number, NULL, &old) && old.sa_handler != SIG_IGN) sigaction(number, &action, NULL);
}

void child_catch_signals(void) {
    catch (SIGINT);
    catch (SIGTERM);
    catch (SIGHUP);
    catch (SIGALRM);
}

void child_prepare(void) {
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0) (void)!open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    sigaction(SIGPIPE, &ignore, NULL);
    sigaction(SIGXFSZ, &ignore, NULL);
}

/* ---- in the child ---- */
static void set_limit(int resource, uint64_t value) {
    struct rlimit r;
    if (getrlimit((__rlimit_resource_t)resource, &r)) return;
    r.rlim_cur = value < r.rlim_max ? value : r.rlim_max;
    setrlimit((__rlimit_resource_t)resource, &r);
}

static _Noreturn void be_child(const ChildLimits *limits, pid_t parent, int pipe_end, int error_end, int (*work)(void *, FILE *),
                               void *context) {
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGALRM, SIGPIPE};
    struct sigaction normal = {.sa_handler = SIG_DFL};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) sigaction(signals[i], &normal, NULL);
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
/* Reads what is available into *to. Returns true at the end of the file. */
static bool collect(int fd, Buf *to) {
    char bytes[1 << 12]; /* the stack may be small */
    ssize_t n = read(fd, bytes, sizeof bytes);
    if (n > 0) buf_bytes(to, bytes, (size_t)n);
    return n == 0 || (n < 0 && errno != EINTR);
}

/* Reads from the child's stderr, and keeps only the end of a long output. */
static void collect_errors(Child *c) {
    enum { LIMIT = 1 << 16 };
    Buf *b = &c->stderr_text;
    bool end = collect(c->error_fd, b);
    if (b->length > 2 * LIMIT) {
        memmove(b->text, b->text + b->length - LIMIT, LIMIT + 1);
        b->length = LIMIT;
    }
    if (!end) return;
    close(c->error_fd);
    c->error_fd = -1;
}

size_t children_wait(Child *const *list, size_t n, double until) {
    enum { MOST = 32 };
    struct pollfd p[2 * MOST];
    ensure(n <= MOST);
    for (;;) {
        double now = clock_seconds(), next = until;
        if (caught && n) return 0;
        for (size_t i = 0; i < n; i++) {
            if (list[i]->pid < 0 || list[i]->limits.deadline <= now) return i;
            if (list[i]->limits.deadline < next) next = list[i]->limits.deadline;
            p[i] = (struct pollfd){.fd = list[i]->pipe, .events = POLLIN};
            p[n + i] = (struct pollfd){.fd = list[i]->error_fd, .events = POLLIN};
        }
        if (until <= now) return n;
        if (poll(p, 2 * n, next - now < 1 ? (int)((next - now) * 1000) + 1 : 1000) <= 0) continue;
        for (size_t i = 0; i < n; i++)
            if (p[n + i].revents) collect_errors(list[i]);
        for (size_t i = 0; i < n; i++)
            if (p[i].revents) {
                list[i]->output_ended = collect(list[i]->pipe, &list[i]->out);
                if (list[i]->output_ended || (list[i]->is_complete_answer && list[i]->is_complete_answer(&list[i]->out))) return i;
            }
    }
}

static ChildResult result_of(const Child *c, int status, const struct rusage *usage) {
    const ChildLimits *limits = &c->limits;
    if (c->pid < 0) return (ChildResult){ENDING_NO_RESOURCES, 0};
    if (!c->output_ended && caught) return (ChildResult){ENDING_INTERRUPT, caught};
    if (!c->output_ended) return (ChildResult){ENDING_TIMEOUT, 0};
    bool lacking = WIFEXITED(status) && WEXITSTATUS(status) == EXIT_UNKNOWN && !c->out.length;
    if (WIFEXITED(status) && WEXITSTATUS(status) != EXIT_INTERNAL && !lacking) return (ChildResult){ENDING_EXIT, WEXITSTATUS(status)};
    /* Programs report a failed allocation in many ways. Near the limit, an abnormal end means that memory ran out. */
    if (limits->memory && (uint64_t)usage->ru_maxrss * 1024 > limits->memory / 10 * 7) return (ChildResult){ENDING_MEMORY, 0};
    if (WIFSIGNALED(status)) return (ChildResult){ENDING_CRASH, WTERMSIG(status)};
    return (ChildResult){lacking ? ENDING_NO_RESOURCES : ENDING_EXIT, WEXITSTATUS(status)};
}

static void close_both(const int ends[2]) {
    if (ends[0] >= 0) close(ends[0]);
    if (ends[1] >= 0) close(ends[1]);
}

/* Puts the child into the state of one that died immediately. */
__attribute__((format(printf, 2, 0))) static void not_started(Child *c, const char *what, const int ends[2], const int errors[2]) {
    buf_text(&c->stderr_text, "heddle: ");
    buf_line(&c->stderr_text, what, strerror(errno));
    close_both(ends);
    close_both(errors);
    c->pid = c->pipe = c->error_fd = -1;
}

void child_start(Child *c, const ChildLimits *limits, int (*work)(void *, FILE *), void *context) {
    int ends[2] = {-1, -1}, errors[2] = {-1, -1};
    *c = (Child){.limits = *limits};
    if (pipe2(ends, O_CLOEXEC) || (limits->capture && pipe2(errors, O_CLOEXEC))) {
        not_started(c, MSG_PROCESS_NO_PIPE, ends, errors);
        return;
    }
    fflush(NULL);
    pid_t parent = getpid();
    c->pid = fork();
    if (c->pid < 0) {
        not_started(c, MSG_PROCESS_NO_PROCESS, ends, errors);
        return;
    }
    if (!c->pid) {
        close(ends[0]);
        be_child(limits, parent, ends[1], errors[1], work, context);
    }
    if (limits->group) setpgid(c->pid, c->pid);
    close(ends[1]);
    if (errors[1] >= 0) close(errors[1]);
    c->pipe = ends[0];
    c->error_fd = errors[0];
}

/* Reads the rest of stderr, without waiting for processes that still hold it open. */
static void collect_rest(Child *c) {
    if (c->error_fd >= 0) fcntl(c->error_fd, F_SETFL, O_NONBLOCK);
    while (c->error_fd >= 0) collect_errors(c);
}

void child_kill(const Child *c) {
    if (c->pid > 0 && !c->output_ended) kill(c->limits.group ? -c->pid : c->pid, SIGKILL);
}

ChildResult child_finish(Child *c, Buf *out, Buf *errors) {
    struct rusage usage = {0};
    int status = 0;
    if (c->pid > 0) {
        close(c->pipe);
        child_kill(c);
        while (wait4(c->pid, &status, 0, &usage) < 0 && errno == EINTR) {
        }
        if (c->limits.group) kill(-c->pid, SIGKILL);
        collect_rest(c);
    }
    ChildResult r = result_of(c, status, &usage);
    buf_bytes(out, buf_string(&c->out), c->out.length);
    if (errors) buf_bytes(errors, buf_string(&c->stderr_text), c->stderr_text.length);
    buf_free(&c->out);
    buf_free(&c->stderr_text);
    return r;
}

ChildResult child_run(const ChildLimits *limits, int (*work)(void *, FILE *), void *context, Buf *out, Buf *errors) {
    Child c, *list[] = {&c};
    child_start(&c, limits, work, context);
    children_wait(list, 1, limits->deadline + 1);
    return child_finish(&c, out, errors);
}

/* ---- reasons, for messages ---- */

const char *last_error_line(Buf *errors) {
    char *text = errors->text, *last;
    if (!text) return "";
    while (errors->length && text[errors->length - 1] == '\n') text[--errors->length] = 0;
    last = strrchr(text, '\n');
    last = last ? last + 1 : text;
    return strncmp(last, "heddle: ", 8) ? last : last + 8;
}

const char *crash_reason(ChildResult r, const Buf *errors) {
    const char *said = buf_string(errors);
    if (r.ending != ENDING_CRASH) return NULL;
    if (strstr(said, "out of memory") || strstr(said, "bad_alloc")) return "memory ran out";
    return signal_from_outside(r.code);
}
