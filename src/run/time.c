/* SPDX-License-Identifier: Apache-2.0 */
/* Clocks and sleeping, in virtual time. A thread that reads a clock or sleeps gives way. */
#include "run/access.h"
#include "run/scheduler.h"
#include "run/sync.h"
#include "run/vtime.h"
#include <sched.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

enum { EVENT_TIME = 100, QUERY_TIME = 50000 }; /* nanoseconds that an event, and a look at a clock, take */
enum { PATIENCE = 16 };                        /* looks at a clock until the thread gives way */
static const uint64_t BEGIN = UINT64_C(1700000000) * VTIME_SECOND;
static uint64_t skipped;

uint64_t vtime_now(void) { return BEGIN + skipped + shared->events * EVENT_TIME; }

void vtime_reach(uint64_t moment) {
    if (moment > vtime_now()) skipped += moment - vtime_now();
}

uint64_t vtime_of(const struct timespec *t) { return (uint64_t)t->tv_sec * VTIME_SECOND + (uint64_t)t->tv_nsec; }

/* ---- clocks ---- */

/* Returns the time for the program. Zero: the runtime does not control the call. */
static uint64_t query(Address pc) {
    if (!scheduler_enter()) return 0;
    bool waits = ++self->queries % PATIENCE == 0; /* it seems to wait until a time */
    scheduler_event(&(Event){.kind = waits ? EVENT_YIELD : EVENT_CLOCK, .pc = pc}, nlive > 1);
    skipped += QUERY_TIME;
    uint64_t now = vtime_now();
    scheduler_leave();
    return now;
}

EXPORTED int clock_gettime(clockid_t clock, struct timespec *to) {
    uint64_t now = query(CALLER);
    if (!now) return (int)syscall(SYS_clock_gettime, clock, to);
    access_observe((Address)to, sizeof *to, true, CALLER);
    *to = (struct timespec){.tv_sec = (time_t)(now / VTIME_SECOND), .tv_nsec = (long)(now % VTIME_SECOND)};
    return 0;
}
EXPORTED int gettimeofday(struct timeval *restrict to, void *restrict zone) {
    uint64_t now = query(CALLER);
    if (!now) return (int)syscall(SYS_gettimeofday, to, zone);
    access_observe((Address)to, sizeof *to, true, CALLER);
    *to = (struct timeval){.tv_sec = (time_t)(now / VTIME_SECOND), .tv_usec = (suseconds_t)(now % VTIME_SECOND / 1000)};
    return 0;
}
EXPORTED int timespec_get(struct timespec *to, int base) { return clock_gettime(CLOCK_REALTIME, to) ? 0 : base; }
EXPORTED time_t time(time_t *to) {
    uint64_t now = query(CALLER);
    time_t seconds = (time_t)(now / VTIME_SECOND);
    if (!now) {
        struct timespec t;
        syscall(SYS_clock_gettime, CLOCK_REALTIME, &t);
        seconds = t.tv_sec;
    }
    if (to) {
        access_observe((Address)to, sizeof *to, true, CALLER);
        *to = seconds;
    }
    return seconds;
}
EXPORTED clock_t clock(void) {
    uint64_t now = query(CALLER);
    return now ? (clock_t)((now - BEGIN) / (VTIME_SECOND / CLOCKS_PER_SEC)) : 0;
}

/* ---- sleeping ---- */

/* Sleeps until a moment; it passes when the thread goes on. Returns false if the runtime does not control the call. */
static bool sleep_until(uint64_t moment, Address pc) {
    if (!scheduler_enter()) return false;
    scheduler_event(&(Event){.kind = EVENT_SLEEP, .pc = pc, .cancels = true, .deadline = moment}, true);
    vtime_reach(moment);
    scheduler_leave();
    return true;
}

static int sleep_for(struct timespec t, Address pc) {
    if (!sleep_until(vtime_now() + vtime_of(&t), pc)) syscall(SYS_nanosleep, &t, NULL);
    return 0;
}

EXPORTED unsigned sleep(unsigned seconds) { return (unsigned)sleep_for((struct timespec){.tv_sec = (time_t)seconds}, CALLER); }
EXPORTED int usleep(useconds_t n) { return sleep_for((struct timespec){.tv_sec = n / 1000000, .tv_nsec = n % 1000000 * 1000L}, CALLER); }
EXPORTED int nanosleep(const struct timespec *t, struct timespec *left) {
    if (left) *left = (struct timespec){0};
    if (!vtime_is_valid(t) || t->tv_sec < 0) {
        errno = EINVAL;
        return -1;
    }
    return sleep_for(*t, CALLER);
}
EXPORTED int clock_nanosleep(clockid_t clock, int flags, const struct timespec *t, struct timespec *left) {
    if (!vtime_is_valid(t)) return EINVAL;
    if (!(flags & TIMER_ABSTIME)) return sleep_for(*t, CALLER);
    if (sleep_until(vtime_of(t), CALLER)) return 0;
    return (int)syscall(SYS_clock_nanosleep, clock, flags, t, left) ? errno : 0;
}
EXPORTED int sched_yield(void) {
    if (!scheduler_enter()) return (int)syscall(SYS_sched_yield);
    scheduler_event(&(Event){.kind = EVENT_YIELD, .pc = CALLER}, true);
    scheduler_leave();
    return 0;
}
