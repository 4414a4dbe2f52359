/* SPDX-License-Identifier: Apache-2.0 */
/* Models time and the process. Sleeping takes no time that the program could rely on, and clocks show any time. */
#include "heddle.h"

enum { EINVAL = 22, ENOTSUP = 95, CLOCK_REALTIME = 0, CLOCK_MONOTONIC = 1, TIME_UTC = 1 };

static long any_long(void) { return (long)__heddle_any_long(); }

MODEL unsigned sleep(unsigned seconds) {
    (void)seconds;
    return 0;
}
MODEL int usleep(unsigned microseconds) {
    (void)microseconds;
    return 0;
}
/* No signal interrupts these functions, but their argument may not be a valid time. */
MODEL int nanosleep(const long *duration, void *remaining) {
    (void)remaining;
    if (__heddle_use() == UNUSED && !__heddle_calls("__errno_location")) return 0;
    if (!is_no_time(duration) && duration[0] >= 0) return 0;
    *__errno_location() = EINVAL;
    return -1;
}
MODEL int clock_nanosleep(int clock, int flags, const long *duration, void *remaining) {
    (void)flags, (void)remaining;
    if (__heddle_use() == UNUSED) return 0;
    if (is_no_time(duration) || duration[0] < 0) return EINVAL;
    if (clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC || __heddle_choose()) return 0;
    __heddle_over("clock_nanosleep with another clock than CLOCK_REALTIME and CLOCK_MONOTONIC");
    return __heddle_choose() ? EINVAL : ENOTSUP;
}

/* Programs add seconds to the time, and a time near the end of its type would overflow. With 32 bits, clocks do come near that end. */
static _Bool is_bounded(void) {
    if (sizeof(long) < 8) return 0;
    __heddle_assumption("assuming that clocks show less than 2^40 seconds before or after their beginning");
    return 1;
}
/* Chooses a struct timespec or struct timeval: seconds and a fraction. */
static void any_time(long time[2], long units) {
    long long seconds = any_long();
    long fraction = (long)__heddle_any();
    __heddle_assume(fraction >= 0 && fraction < units);
    if (is_bounded()) __heddle_assume(seconds >= -(1ll << 40) && seconds < 1ll << 40);
    time[0] = (long)seconds;
    time[1] = fraction;
}
/* Without an assumption about a value that is not used, an engine need not choose it. */
MODEL long time(long *result) {
    long now = is_bounded() ? any_long() >> 23 : any_long();
    if (result != NULL) *result = now;
    return now;
}
MODEL long clock(void) {
    __heddle_over("clock may run backwards");
    return any_long();
}
/* CLOCK_MONOTONIC never shows less than before, in all threads. */
static long shown[2];
static void later_time(long time[2]) {
    if (__heddle_ends()) __heddle_over("a clock may stand still");
    long now[2];
    any_time(now, 1000000000);
    __heddle_atomic_begin();
    __heddle_assume(now[0] > shown[0] || (now[0] == shown[0] && now[1] >= shown[1]));
    shown[0] = now[0];
    shown[1] = now[1];
    __heddle_atomic_end();
    time[0] = now[0];
    time[1] = now[1];
}
MODEL int clock_gettime(int clock, long *time) {
    if (clock == CLOCK_MONOTONIC) {
        later_time(time);
        return 0;
    }
    if (clock != CLOCK_REALTIME) {
        __heddle_over("clocks other than CLOCK_REALTIME and CLOCK_MONOTONIC may run backwards, or not exist");
        if (__heddle_choose()) {
            *__errno_location() = EINVAL;
            return -1;
        }
    }
    any_time(time, 1000000000);
    return 0;
}
MODEL int gettimeofday(long *time, void *zone) {
    if (zone != NULL) __heddle_unsupported("gettimeofday with a time zone");
    any_time(time, 1000000);
    return 0;
}
MODEL int timespec_get(long *time, int base) {
    if (base != TIME_UTC) {
        __heddle_over("timespec_get with another base than TIME_UTC");
        if (__heddle_choose()) return 0;
    }
    any_time(time, 1000000000);
    return base;
}

/* Returns some positive number, always the same. */
static int process;
MODEL int getpid(void) {
    __heddle_atomic_begin();
    int number = process;
    if (number == 0) {
        number = (int)__heddle_any();
        __heddle_assume(number > 0);
        process = number;
    }
    __heddle_atomic_end();
    return number;
}
/* Returns some positive number, always the same in a thread. */
MODEL int gettid(void) {
    static _Thread_local int known;
    if (known == 0) {
        __heddle_over("the number of a thread to the system is one that no other thread has; that of main is the process's");
        known = (int)__heddle_any();
        __heddle_assume(known > 0);
    }
    return known;
}
/* Returns a version such as "2.36". The major version has been 2 since 1997, and is assumed to stay so. */
MODEL const char *gnu_get_libc_version(void) {
    static _Thread_local char version[5];
    if (version[0] == 0) {
        unsigned tens = __heddle_any(), ones = __heddle_any();
        __heddle_assume(tens > 0 && tens < 10 && ones < 10);
        __heddle_over("the C library has any version from 2.10 on, in each thread");
        version[0] = '2';
        version[1] = '.';
        version[2] = (char)('0' + tens);
        version[3] = (char)('0' + ones);
    }
    return version;
}
/* Pages have one size, a power of two. */
static int page_size;
MODEL int getpagesize(void) {
    __heddle_atomic_begin();
    int size = page_size;
    if (size == 0) {
        size = __heddle_choose() ? (__heddle_choose() ? 4096 : 8192) : (__heddle_choose() ? 16384 : 65536);
        page_size = size;
    }
    __heddle_atomic_end();
    return size;
}
/* There may be any number of processors. */
static _Bool asked_before;
enum { PAGE_SIZE = 30, PROCESSORS = 83, PROCESSORS_NOW = 84, MOST_PROCESSORS = 8192 };
MODEL long sysconf(int name) {
    if (name == PAGE_SIZE) return getpagesize();
    if (name == PROCESSORS || name == PROCESSORS_NOW) {
        unsigned n = __heddle_any();
        __heddle_assume(n > 0 && n <= MOST_PROCESSORS);
        if (asked_before) __heddle_over("the number of processors is mostly what it was");
        asked_before = 1;
        return (long)n;
    }
    __heddle_over("the result of sysconf is any value");
    return any_long();
}

/* Reads any number of any bytes. Standard input may indeed be any bytes. */
void __VERIFIER_nondet_memory(void *memory, size_t size);
MODEL long read(int file, void *to, size_t size) {
    if (__heddle_use() != UNUSED && __heddle_choose()) { /* the file may be closed, or the call interrupted */
        MAY_SET_ERRNO();
        return -1;
    }
    if (file != 0 || __heddle_calls("close") || __heddle_calls("dup2")) __heddle_over("input of a file that may not be open");
    size_t got = __heddle_any_long();
    __heddle_assume(got <= size);
    __VERIFIER_nondet_memory(to, got);
    return (long)got;
}
