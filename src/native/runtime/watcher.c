/* SPDX-License-Identifier: Apache-2.0 */
/* ThreadSanitizer sees the accesses of the program's functions, and its atomic operations. It is told of what library functions do, which are
   models here: locks and ends of threads order what it sees. Passing the token on is none of its business. */
#include "runtime.h"
#ifdef THREAD_SANITIZER
#include <linux/futex.h>
#include <sys/syscall.h>

extern void __tsan_acquire(void *), __tsan_release(void *);
extern void __tsan_read_range_pc(void *, unsigned long, void *), __tsan_write_range_pc(void *, unsigned long, void *);
extern int __tsan_get_report_mop(void *report, unsigned long, int *thread, void **address, int *size, int *write, int *atomic, void **trace,
                                 unsigned long);

const char *__tsan_default_options(void) {
    return "ignore_interceptors_accesses=1:suppress_equal_stacks=0:suppress_equal_addresses=0:report_thread_leaks=0:report_signal_unsafe=0";
}

/* Is it what was told? */
void __tsan_on_report(void *report) {
    for (unsigned long i = 0; i < 2 && racing && nracers == 2; i++) {
        int thread = 0, size = 0, write = 0, atomic = 0;
        void *address = NULL, *trace[1];
        const Racer *r = racers[0].size ? &racers[0] : &racers[1];
        if (!__tsan_get_report_mop(report, i, &thread, &address, &size, &write, &atomic, trace, 1)) return;
        reported |= !r->size || ((char *)address < r->address + r->size && r->address < (char *)address + size);
    }
}

/* Semaphores of the system alone: those of the library would order what the program does not. */
int watch_wait(sem_t *s) {
    int *word = (int *)s;
    while (!__atomic_exchange_n(word, 0, __ATOMIC_SEQ_CST)) syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
    return 0;
}

int watch_post(sem_t *s) {
    __atomic_store_n((int *)s, 1, __ATOMIC_SEQ_CST);
    syscall(SYS_futex, s, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
    return 0;
}

void watch_acquire(void *at) { __tsan_acquire(at); }
void watch_release(void *at) { __tsan_release(at); }

void watch_library(unsigned flags, void *address) {
    if (!address) return;
    if (flags & POINT_READS) __tsan_acquire(address);
    if (flags & POINT_WRITES) __tsan_release(address);
}

/* What a library function does with a place that is not known, it does with that of the other. */
void watch_access(void *address, size_t size, unsigned flags, void *where) {
    const Racer *other = &racers[self->number == racers[0].thread];
    if (!size && racing) {
        address = other->address;
        size = other->size;
        flags = other->flags & POINT_WRITES ? POINT_READS : POINT_WRITES;
    }
    if (!size) return;
    if (flags & POINT_READS) __tsan_read_range_pc(address, size, where);
    if (flags & POINT_WRITES) __tsan_write_range_pc(address, size, where);
}
#endif
