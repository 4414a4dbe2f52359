/* SPDX-License-Identifier: Apache-2.0 */
/* Atomic operations and fences. The operations are executed one after the other (sequentially consistent). The memory order decides only what they
   order (C11 5.1.2.4, 7.17.3). A release sequence includes later read-modify-write operations, and later stores of its thread. */
#include "run/bounds.h"
#include "run/race.h"
#include "run/scheduler.h"
#include "run/history.h"
#include <stdint.h>

enum { RELAXED, CONSUME, ACQUIRE, RELEASE, ACQ_REL, SEQ_CST };
/* COMPARE: whether it stores is known only afterwards. */
typedef enum AtomicKind { LOAD, STORE, UPDATE, COMPARE } AtomicKind;

static void acquire(const Object *o, int order) {
    if (!o->clock) return;
    if (order != RELAXED && order != RELEASE) {
        clock_join(self->clock, o->clock);
        return;
    }
    if (!self->seen) self->seen = clock_new();
    clock_join(self->seen, o->clock);
}

static void release(Object *o, int order, bool continues) {
    bool orders = order >= RELEASE;
    if (!continues && o->releaser != self->id + 1) o->clock = NULL; /* the store begins another release sequence */
    if (!orders && !self->released) return;
    if (!o->clock) o->clock = clock_new();
    clock_join(o->clock, orders ? self->clock : self->released);
    o->releaser = self->id + 1;
    if (orders) self->clock->at[self->id]++;
}

/* Comes before an atomic operation. Returns false if the runtime does not control it. */
static bool begin(volatile void *at, size_t size, AtomicKind kind, int order, Address pc) {
    if (!scheduler_enter()) return false;
    Address a = (Address)at;
    bounds_check(a, size, kind != LOAD, pc);
    bool waits = (kind == LOAD || kind == COMPARE) && pc == self->last_pc && a == self->last_address; /* it seems to */
    Event e = {.kind = EVENT_ATOMIC, .pc = pc, .address = a, .size = (unsigned)size, .write = kind != LOAD};
    if (nlive > 1 && waits) e.kind = EVENT_YIELD;
    self->last_pc = pc;
    self->last_address = a;
    scheduler_event(&e, nlive > 1);
    e.kind = EVENT_ATOMIC;
    history_access(&e);
    race_check(a, size, kind == STORE || kind == UPDATE, true, pc);
    Object *o = object_at(at);
    if (kind == LOAD || kind == UPDATE) acquire(o, order);
    if (kind == STORE || kind == UPDATE) release(o, order, kind == UPDATE);
    return true;
}

/* Comes after a comparison. */
static void compared(volatile void *at, size_t size, bool done, int order, Address pc) {
    Object *o = object_at(at);
    acquire(o, order);
    if (!done) return;
    race_check((Address)at, size, true, true, pc);
    release(o, order, true);
}

static void end(bool seen) {
    if (seen) scheduler_leave();
}

#define UPDATE_BY(bits, type, op)                                                              \
    EXPORTED type __tsan_atomic##bits##_fetch_##op(volatile type *at, type value, int order);  \
    EXPORTED type __tsan_atomic##bits##_fetch_##op(volatile type *at, type value, int order) { \
        bool seen = begin(at, sizeof(type), UPDATE, order, CALLER);                            \
        value = __atomic_fetch_##op(at, value, __ATOMIC_SEQ_CST);                              \
        end(seen);                                                                             \
        return value;                                                                          \
    }
/* Defines a comparison. If it fails, it is a load with the order for failure. */
#define EXCHANGE_IF(bits, type, how)                                                                                                     \
    EXPORTED int __tsan_atomic##bits##_compare_exchange_##how(volatile type *at, type *expected, type value, int order, int otherwise);  \
    EXPORTED int __tsan_atomic##bits##_compare_exchange_##how(volatile type *at, type *expected, type value, int order, int otherwise) { \
        bool seen = begin(at, sizeof(type), COMPARE, RELAXED, CALLER);                                                                   \
        bool done = __atomic_compare_exchange_n(at, expected, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);                         \
        if (seen) compared(at, sizeof(type), done, done ? order : otherwise, CALLER);                                                    \
        end(seen);                                                                                                                       \
        return done;                                                                                                                     \
    }
#define ATOMICS(bits, type)                                                                                                            \
    EXPORTED type __tsan_atomic##bits##_load(const volatile type *at, int order);                                                      \
    EXPORTED type __tsan_atomic##bits##_load(const volatile type *at, int order) {                                                     \
        bool seen = begin((volatile void *)(uintptr_t)at, sizeof(type), LOAD, order, CALLER);                                          \
        type value = __atomic_load_n(at, __ATOMIC_SEQ_CST);                                                                            \
        end(seen);                                                                                                                     \
        return value;                                                                                                                  \
    }                                                                                                                                  \
    EXPORTED void __tsan_atomic##bits##_store(volatile type *at, type value, int order);                                               \
    EXPORTED void __tsan_atomic##bits##_store(volatile type *at, type value, int order) {                                              \
        bool seen = begin(at, sizeof(type), STORE, order, CALLER);                                                                     \
        __atomic_store_n(at, value, __ATOMIC_SEQ_CST);                                                                                 \
        end(seen);                                                                                                                     \
    }                                                                                                                                  \
    EXPORTED type __tsan_atomic##bits##_exchange(volatile type *at, type value, int order);                                            \
    EXPORTED type __tsan_atomic##bits##_exchange(volatile type *at, type value, int order) {                                           \
        bool seen = begin(at, sizeof(type), UPDATE, order, CALLER);                                                                    \
        value = __atomic_exchange_n(at, value, __ATOMIC_SEQ_CST);                                                                      \
        end(seen);                                                                                                                     \
        return value;                                                                                                                  \
    }                                                                                                                                  \
    EXPORTED type __tsan_atomic##bits##_compare_exchange_val(volatile type *at, type expected, type value, int order, int otherwise);  \
    EXPORTED type __tsan_atomic##bits##_compare_exchange_val(volatile type *at, type expected, type value, int order, int otherwise) { \
        bool seen = begin(at, sizeof(type), COMPARE, RELAXED, CALLER);                                                                 \
        bool done = __atomic_compare_exchange_n(at, &expected, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);                      \
        if (seen) compared(at, sizeof(type), done, done ? order : otherwise, CALLER);                                                  \
        end(seen);                                                                                                                     \
        return expected;                                                                                                               \
    }                                                                                                                                  \
    EXCHANGE_IF(bits, type, strong)                                                                                                    \
    EXCHANGE_IF(bits, type, weak)                                                                                                      \
    UPDATE_BY(bits, type, add)                                                                                                         \
    UPDATE_BY(bits, type, sub) UPDATE_BY(bits, type, and) UPDATE_BY(bits, type, or) UPDATE_BY(bits, type, xor) UPDATE_BY(bits, type, nand)

ATOMICS(8, uint8_t)
ATOMICS(16, uint16_t)
ATOMICS(32, uint32_t)
ATOMICS(64, uint64_t)

EXPORTED void __tsan_atomic_thread_fence(int order);
EXPORTED void __tsan_atomic_thread_fence(int order) {
    if (!scheduler_enter()) return;
    scheduler_event(&(Event){.kind = EVENT_FENCE, .pc = CALLER}, false);
    if (order != RELAXED && order != RELEASE && self->seen) clock_join(self->clock, self->seen);
    if (order >= RELEASE) {
        if (!self->released) self->released = clock_new();
        clock_join(self->released, self->clock);
        self->clock->at[self->id]++;
    }
    scheduler_leave();
}
EXPORTED void __tsan_atomic_signal_fence(int order);
EXPORTED void __tsan_atomic_signal_fence(int order) { (void)order; }
