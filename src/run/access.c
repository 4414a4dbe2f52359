/* SPDX-License-Identifier: Apache-2.0 */
/* Plain accesses: what the compiler's ThreadSanitizer pass calls. An access is a point only at a place that is known to race. Elsewhere a
   switch changes nothing that other threads could see. A thread that reads the same value again and again, or runs long without a point,
   gives way: it may wait for another thread. */
#include "run/access.h"
#include "run/bounds.h"
#include "run/race.h"
#include "run/scheduler.h"
#include "run/history.h"
#include <string.h>

enum { MOST_REPEATED = 64, MOST_UNSWITCHED = 20000 };

static bool seems_to_spin(Address a, bool write, Address pc) {
    bool again = !write && pc == self->last_pc && a == self->last_address;
    self->repeated = again ? self->repeated + 1 : 0;
    self->last_pc = pc;
    self->last_address = a;
    if (self->repeated != MOST_REPEATED && ++self->since_switch <= MOST_UNSWITCHED) return false;
    self->repeated = self->since_switch = 0;
    return true;
}

void access_observe(Address a, size_t size, bool write, Address pc) {
    if (!size || !scheduler_enter()) return;
    bounds_check(a, size, write, pc);
    Event e = {.kind = EVENT_ACCESS, .pc = pc, .address = a, .size = (unsigned)size, .write = write};
    if (thread_is_alone()) {
        scheduler_count();
    } else {
        if (nlive > 1 && seems_to_spin(a, write, pc)) scheduler_event(&(Event){.kind = EVENT_YIELD, .pc = pc}, true);
        scheduler_event(&e, nlive > 1 && race_is_known(pc));
    }
    history_access(&e);
    if (!thread_is_alone()) race_check(a, size, write, false, pc);
    scheduler_leave();
}

#define EACH_SIZE(F) F(1) F(2) F(4) F(8) F(16)
#define KIND(name, n, write)                  \
    EXPORTED void __tsan_##name##n(void *at); \
    EXPORTED void __tsan_##name##n(void *at) { access_observe((Address)at, n, write, CALLER); }
#define BOTH(name, n)                                  \
    EXPORTED void __tsan_##name##n(void *at);          \
    EXPORTED void __tsan_##name##n(void *at) {         \
        access_observe((Address)at, n, false, CALLER); \
        access_observe((Address)at, n, true, CALLER);  \
    }
#define ACCESSES(n)                \
    KIND(read, n, false)           \
    KIND(write, n, true)           \
    KIND(unaligned_read, n, false) \
    KIND(unaligned_write, n, true) \
    KIND(volatile_read, n, false)  \
    KIND(volatile_write, n, true)  \
    KIND(unaligned_volatile_read, n, false) KIND(unaligned_volatile_write, n, true) BOTH(read_write, n) BOTH(unaligned_read_write, n)
EACH_SIZE(ACCESSES)

EXPORTED void __tsan_read_range(void *at, size_t n);
EXPORTED void __tsan_read_range(void *at, size_t n) { access_observe((Address)at, n, false, CALLER); }
EXPORTED void __tsan_write_range(void *at, size_t n);
EXPORTED void __tsan_write_range(void *at, size_t n) { access_observe((Address)at, n, true, CALLER); }
EXPORTED void __tsan_vptr_update(void **at, void *to);
EXPORTED void __tsan_vptr_update(void **at, void *to) {
    if (*at != to) access_observe((Address)at, sizeof *at, true, CALLER);
}
EXPORTED void __tsan_vptr_read(void **at);
EXPORTED void __tsan_vptr_read(void **at) { access_observe((Address)at, sizeof *at, false, CALLER); }

static void *copy(void *to, const void *from, size_t n, Address pc) {
    access_observe((Address)from, n, false, pc);
    access_observe((Address)to, n, true, pc);
    return memmove(to, from, n);
}

EXPORTED void *__tsan_memcpy(void *to, const void *from, size_t n);
EXPORTED void *__tsan_memcpy(void *to, const void *from, size_t n) { return copy(to, from, n, CALLER); }
EXPORTED void *__tsan_memmove(void *to, const void *from, size_t n);
EXPORTED void *__tsan_memmove(void *to, const void *from, size_t n) { return copy(to, from, n, CALLER); }
EXPORTED void *__tsan_memset(void *to, int byte, size_t n);
EXPORTED void *__tsan_memset(void *to, int byte, size_t n) {
    access_observe((Address)to, n, true, CALLER);
    return memset(to, byte, n);
}

/* ---- calls ---- */

EXPORTED void __tsan_init(void);
EXPORTED void __tsan_init(void) {}
EXPORTED void __tsan_func_entry(void *call);
EXPORTED void __tsan_func_entry(void *call) {
    if (!self) return;
    if (self->depth < MOST_FRAMES) self->frames[self->depth] = (Address)call;
    self->depth++;
}
EXPORTED void __tsan_func_exit(void);
EXPORTED void __tsan_func_exit(void) {
    if (self && self->depth) self->depth--;
}
EXPORTED void __tsan_ignore_thread_begin(void);
EXPORTED void __tsan_ignore_thread_begin(void) {}
EXPORTED void __tsan_ignore_thread_end(void);
EXPORTED void __tsan_ignore_thread_end(void) {}
