/* SPDX-License-Identifier: Apache-2.0 */
/* A call that would block becomes an event that is enabled when the descriptor is ready. */
#include "run/descriptors.h"
#include "run/access.h"
#include "run/scheduler.h"
#include "run/sync.h"
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { MILLISECOND = 1000000 };

void descriptors_sleep(void) { syscall(SYS_nanosleep, &(struct timespec){.tv_nsec = MILLISECOND}, NULL); }

static void wait_until(bool (*ready)(const Thread *), void *context, int milliseconds, Address pc) {
    Event e = {.kind = EVENT_DESCRIPTOR, .pc = pc, .ready = ready, .context = context, .timed = milliseconds >= 0, .cancels = true};
    e.deadline = vtime_now() + (uint64_t)(milliseconds > 0 ? milliseconds : 0) * MILLISECOND;
    scheduler_event(&e, true);
}

/* ---- one descriptor ---- */

static bool is_ready(const Thread *t) { return syscall(SYS_poll, t->event.context, 1, 0) != 0; }

/* Waits until a read or write of the descriptor does not block. Files never do. */
static void await(int fd, short what, Address pc) {
    struct stat st;
    if (!scheduler_enter()) return;
    bool file = fstat(fd, &st) || S_ISREG(st.st_mode) || S_ISDIR(st.st_mode);
    bool waits = !file && !S_ISCHR(st.st_mode) && !(fcntl(fd, F_GETFL) & O_NONBLOCK);
    if (waits) wait_until(is_ready, &(struct pollfd){.fd = fd, .events = what}, -1, pc);
    else if (!file) scheduler_event(&(Event){.kind = EVENT_YIELD, .pc = pc, .cancels = true}, nlive > 1);
    scheduler_leave();
}

/* The system call has written what it has read into the program's memory. */
static ssize_t filled(const void *to, ssize_t n, Address pc) {
    int error = errno;
    if (n > 0) access_observe((Address)to, (size_t)n, true, pc);
    errno = error;
    return n;
}

EXPORTED ssize_t read(int fd, void *to, size_t n) {
    await(fd, POLLIN, CALLER);
    return filled(to, syscall(SYS_read, fd, to, n), CALLER);
}
EXPORTED ssize_t recv(int fd, void *to, size_t n, int flags) {
    await(fd, POLLIN, CALLER);
    return filled(to, syscall(SYS_recvfrom, fd, to, n, flags, NULL, NULL), CALLER);
}
EXPORTED ssize_t recvfrom(int fd, void *restrict to, size_t n, int flags, struct sockaddr *restrict from, socklen_t *restrict length) {
    await(fd, POLLIN, CALLER);
    return filled(to, syscall(SYS_recvfrom, fd, to, n, flags, from, length), CALLER);
}
EXPORTED ssize_t write(int fd, const void *from, size_t n) {
    access_observe((Address)from, n, false, CALLER);
    await(fd, POLLOUT, CALLER);
    return syscall(SYS_write, fd, from, n);
}
EXPORTED ssize_t send(int fd, const void *from, size_t n, int flags) {
    access_observe((Address)from, n, false, CALLER);
    await(fd, POLLOUT, CALLER);
    return syscall(SYS_sendto, fd, from, n, flags, NULL, 0);
}
EXPORTED ssize_t readv(int fd, const struct iovec *to, int n) {
    await(fd, POLLIN, CALLER);
    return syscall(SYS_readv, fd, to, n);
}
EXPORTED ssize_t writev(int fd, const struct iovec *from, int n) {
    await(fd, POLLOUT, CALLER);
    return syscall(SYS_writev, fd, from, n);
}
EXPORTED int accept(int fd, struct sockaddr *restrict from, socklen_t *restrict length) {
    await(fd, POLLIN, CALLER);
    return (int)syscall(SYS_accept, fd, from, length);
}
EXPORTED int accept4(int fd, struct sockaddr *restrict from, socklen_t *restrict length, int flags) {
    await(fd, POLLIN, CALLER);
    return (int)syscall(SYS_accept4, fd, from, length, flags);
}

/* ---- several descriptors ---- */

typedef struct Polled {
    struct pollfd *list;
    nfds_t n;
} Polled;

static bool polled_is_ready(const Thread *t) {
    const Polled *p = t->event.context;
    return syscall(SYS_poll, p->list, p->n, 0) != 0;
}

EXPORTED int poll(struct pollfd *list, nfds_t n, int milliseconds) {
    if (!scheduler_enter()) return (int)syscall(SYS_poll, list, n, milliseconds);
    wait_until(polled_is_ready, &(Polled){list, n}, milliseconds, CALLER);
    scheduler_leave();
    return (int)syscall(SYS_poll, list, n, 0);
}

typedef struct Selected {
    int n;
    fd_set *sets[3];
} Selected;

static int select_now(const Selected *s, fd_set copies[3]) {
    struct timeval zero = {0};
    for (int i = 0; i < 3; i++)
        if (s->sets[i]) copies[i] = *s->sets[i];
    return (int)syscall(SYS_select, s->n, s->sets[0] ? &copies[0] : NULL, s->sets[1] ? &copies[1] : NULL, s->sets[2] ? &copies[2] : NULL,
                        &zero);
}

static bool selected_is_ready(const Thread *t) {
    fd_set copies[3];
    return select_now(t->event.context, copies) != 0;
}

EXPORTED int select(int n, fd_set *restrict in, fd_set *restrict out, fd_set *restrict odd, struct timeval *restrict limit) {
    Selected s = {n, {in, out, odd}};
    fd_set copies[3];
    if (!scheduler_enter()) return (int)syscall(SYS_select, n, in, out, odd, limit);
    wait_until(selected_is_ready, &s, limit ? (int)(limit->tv_sec * 1000 + limit->tv_usec / 1000) : -1, CALLER);
    scheduler_leave();
    int result = select_now(&s, copies);
    for (int i = 0; i < 3; i++)
        if (s.sets[i]) *s.sets[i] = copies[i];
    return result;
}

EXPORTED int epoll_wait(int fd, struct epoll_event *events, int n, int milliseconds) {
    if (!scheduler_enter()) return (int)syscall(SYS_epoll_wait, fd, events, n, milliseconds);
    wait_until(is_ready, &(struct pollfd){.fd = fd, .events = POLLIN}, milliseconds, CALLER);
    scheduler_leave();
    return (int)syscall(SYS_epoll_wait, fd, events, n, 0);
}
