/* SPDX-License-Identifier: Apache-2.0 */
/* Reports synchronisation to ThreadSanitizer. It sees the accesses of the program's functions and its atomic operations, but library
   functions are models here. Their locks and ends of threads order accesses. The passing of the token must not. */
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

/* Is called for each report. Sets `reported` if it is the race of the trace. */
void __tsan_on_report(void *report) {
    for (unsigned long i = 0; i < 2 && racing && nracers == 2; i++) {
        int thread = 0, size = 0, write = 0, atomic = 0;
        void *address = NULL, *trace[1];
        const Racer *r = racers[0].size ? &racers[0] : &racers[1];
        if (!__tsan_get_report_mop(report, i, &thread, &address, &size, &write, &atomic, trace, 1)) return;
        reported |= !r->size || ((char *)address < r->address + r->size && r->address < (char *)address + size);
    }
}

/* Semaphores by system calls: the library's semaphores would order accesses that the program does not order. */
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

/* Reports an access. For the unknown place of a library function, the place of the other access is reported. */
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
