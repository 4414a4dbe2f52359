/* SPDX-License-Identifier: Apache-2.0 */
/* Serves native runs of verification programs (sanitized.py): random inputs, random delays, and what assertions do.
   The compiler calls the __sanitizer_cov functions at each edge, load and store. $SANITIZED_SEED chooses inputs and delays. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { FAILED_ASSERTION = 97, FAILED_ASSUMPTION = 98, MANY_EVENTS = 20000 };

static uint64_t seed;
static int small; /* inputs are small */
static _Thread_local uint64_t for_delays, for_inputs;
static _Thread_local unsigned events;

/* ---- random numbers: each thread has its own, and those of inputs do not depend on delays ---- */

static uint64_t next(uint64_t *of, unsigned stream) {
    static uint64_t threads[2];
    if (!*of)
        *of = (seed + 1) * 0x9e3779b97f4a7c15u +
              0x632be59bd9b4e019u * (2 * __atomic_add_fetch(&threads[stream], 1, __ATOMIC_RELAXED) + stream);
    *of ^= *of << 13;
    *of ^= *of >> 7;
    *of ^= *of << 17;
    return *of * 0x2545f4914f6cdd1du >> 7;
}

__attribute__((constructor(101))) static void read_environment(void) {
    const char *text = getenv("SANITIZED_SEED"), *pinned = getenv("SANITIZED_PINNED");
    small = getenv("SANITIZED_SMALL") != NULL;
    seed = text ? strtoull(text, NULL, 10) : 1;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(seed % (uint64_t)sysconf(_SC_NPROCESSORS_ONLN), &one);
    if (pinned) sched_setaffinity(0, sizeof one, &one); /* one processor sees its own stores in order */
}

/* ---- delays ---- */

/* A system call of its own: usleep would be a place where a thread can be cancelled. */
static void rest(long microseconds) { syscall(SYS_nanosleep, &(struct timespec){.tv_nsec = 1000 * microseconds}, NULL); }

static void delay(void) {
    if (++events > MANY_EVENTS && events % 64) return;
    uint64_t n = next(&for_delays, 0);
    if (n % (seed % 3 ? 32 : 8) == 0) sched_yield();
    if (n / 64 % (seed % 4 ? 512 : 64) == 0) rest((long)(n / 65536 % (events > MANY_EVENTS ? 20 : 300)));
}

void __sanitizer_cov_trace_pc_guard_init(uint32_t *from, uint32_t *to) { (void)from, (void)to; }
void __sanitizer_cov_trace_pc_guard(uint32_t *guard) { (void)guard, delay(); }
#define DELAYS(n)                                                  \
    void __sanitizer_cov_load##n(void *at) { (void)at, delay(); }  \
    void __sanitizer_cov_store##n(void *at) { (void)at, delay(); } \
    struct heddle_delays_##n
DELAYS(1);
DELAYS(2);
DELAYS(4);
DELAYS(8);
DELAYS(16);

/* ---- ends ---- */

_Noreturn void __assert_fail(const char *text, const char *file, unsigned line, const char *function) {
    fprintf(stderr, "%s:%u: %s: the assertion %s fails\n", file, line, function, text);
    _exit(FAILED_ASSERTION);
}
__attribute__((weak)) void reach_error(void) { __assert_fail("reach_error", "?", 0, "?"); }
void __VERIFIER_error(void) { __assert_fail("__VERIFIER_error", "?", 0, "?"); }
void __VERIFIER_assert(int holds) {
    if (!holds) __assert_fail("__VERIFIER_assert", "?", 0, "?");
}
void __VERIFIER_assume(int holds) {
    if (!holds) _exit(FAILED_ASSUMPTION);
}

/* ---- sections ---- */

static pthread_mutex_t sections = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
void __VERIFIER_atomic_begin(void) { pthread_mutex_lock(&sections); }
void __VERIFIER_atomic_end(void) { pthread_mutex_unlock(&sections); }

/* ---- inputs: often small, sometimes at the ends of the type ---- */

static uint64_t input(void) {
    uint64_t n = next(&for_inputs, 1), kind = n % (small ? 5 : 8), value = n / 8;
    return kind < 4   ? value % 4
           : kind < 5 ? value % 100
           : kind < 6 ? -(value % 4)
           : kind < 7 ? (UINT64_C(1) << value % 64) - value / 64 % 3
                      : value;
}
#define INPUT(name, type)                                         \
    type __VERIFIER_nondet_##name(void) { return (type)input(); } \
    struct heddle_end_##name
INPUT(char, char);
INPUT(schar, signed char);
INPUT(uchar, unsigned char);
INPUT(short, short);
INPUT(ushort, unsigned short);
INPUT(u8, uint8_t);
INPUT(u16, uint16_t);
INPUT(u32, uint32_t);
INPUT(int, int);
INPUT(uint, unsigned);
INPUT(unsigned, unsigned);
INPUT(long, long);
INPUT(ulong, unsigned long);
INPUT(longlong, long long);
INPUT(ulonglong, unsigned long long);
INPUT(size_t, size_t);
INPUT(float, float);
INPUT(double, double);
INPUT(loff_t, long long);
INPUT(sector_t, unsigned long);
_Bool __VERIFIER_nondet_bool(void) { return input() & 1; }
_Bool __VERIFIER_nondet__Bool(void) { return input() & 1; }
void __VERIFIER_nondet_memory(void *to, size_t size) {
    for (size_t i = 0; i < size; i++) ((unsigned char *)to)[i] = (unsigned char)input();
}
