/* SPDX-License-Identifier: Apache-2.0 */
/* Models read-write locks. The second 32 bits count the readers, or are all ones while a writer holds the lock. The next 32 are its
   owner, where that matters. The first 32 are not used: they are the word of a mutex, for programs that confuse the two.

   No thread is preferred, except as described below. Unlocking a lock that is not held is undefined in POSIX, and is not detected. A
   writer that asks for the lock again waits for ever or gets an error. A reader that asks to write waits, as with the C library. */
#include "heddle.h"

enum { ENOMEM = 12, EBUSY = 16, EINVAL = 22, EDEADLK = 35, ETIMEDOUT = 110 };
enum { STATE = 1, OWNER, WRITERS };
#define WRITER (~0u)

/* ---- readers and waiting writers, where it matters whether a wait ends ----
   A waiting writer may keep new readers out while other readers hold the lock: POSIX leaves this open. The C library lets them in,
   unless the kind of the lock prefers writers; the kind is at the same place as in the C library. */
enum { PREFERS_WRITERS = 2, KIND = sizeof(long) == 8 ? 48 : 24 };

static _Bool writers_wait(void) {
    return __heddle_calls("pthread_rwlock_wrlock") || __heddle_calls("pthread_rwlock_timedwrlock") ||
           __heddle_calls("pthread_rwlock_clockwrlock");
}
static _Bool is_polite(const u32 *lock) {
    if (!__heddle_progress()) return 0;
    if (!writers_wait()) return 0;
    if (((const u8 *)lock)[KIND] == PREFERS_WRITERS) return 1;
    if (!__heddle_choose()) return 0;
    __heddle_over("whether a reader gets in while a writer waits is left open by POSIX; with glibc it does");
    return 1;
}
static _Bool kept_out(const u32 *lock, u32 state, _Bool polite) {
    if (!__heddle_progress()) return state == WRITER;
    return state == WRITER || (polite && state != 0 && lock[WRITERS] != 0);
}
static void begin_to_wait(u32 *lock) {
    if (!__heddle_progress()) return;
    __heddle_atomic_begin();
    lock[WRITERS] = lock[WRITERS] + 1;
    __heddle_atomic_end();
}
static void end_wait(u32 *lock) {
    if (__heddle_progress()) lock[WRITERS] = lock[WRITERS] - 1;
}

/* ---- misuse: a thread notes which locks it holds ---- */
enum { MARK = 4 }; /* see heddle.h */
static _Thread_local const u32 *held0, *held1, *held2, *held3;
static void hold(const u32 *lock) {
    require_alive(&lock[MARK]);
    if (held0 == NULL) held0 = lock;
    else if (held1 == NULL) held1 = lock;
    else if (held2 == NULL) held2 = lock;
    else if (held3 == NULL) held3 = lock;
    else __heddle_unsupported("a thread holds more than 4 read-write locks");
}
static void let_lock_go(const u32 *lock) {
    require_alive(&lock[MARK]);
    if (held0 == lock) held0 = NULL;
    else if (held1 == lock) held1 = NULL;
    else if (held2 == lock) held2 = NULL;
    else if (held3 == lock) held3 = NULL;
    else __heddle_misuse(RWLOCK);
}

static void end_lock(u32 *lock) {
    require_alive(&lock[MARK]);
    __heddle_atomic_begin();
    if (lock[STATE] != 0) __heddle_misuse(HELD);
    lock[MARK] = OBJECT_ENDED;
    __heddle_atomic_end();
}

/* Record the owner: the writer, or one of the readers; 0 if it is unknown which readers are left. */
static void reads_now(u32 *lock, u32 state) {
    if (__heddle_lives()) hold(lock);
    if (__heddle_progress() && (state == 0 || lock[OWNER] == 0)) lock[OWNER] = __heddle_self();
}
static void leaves_now(u32 *lock, u32 state) {
    if (__heddle_progress() && state != WRITER && state > 1 && lock[OWNER] == __heddle_self()) lock[OWNER] = 0;
}
static void writes_now(u32 *lock) {
    if (__heddle_lives()) hold(lock);
    if (__heddle_progress() || __heddle_relocks()) lock[OWNER] = __heddle_self();
}
static void await_lock(const u32 *lock, _Bool free) {
    if (!__heddle_progress()) __heddle_await(free);
    else __heddle_await_of(free, lock[OWNER]);
}

MODEL int pthread_rwlock_init(u32 *lock, const u32 *attributes) {
    MAY_RETURN(ENOMEM);
    if (__heddle_lives()) make(&lock[MARK]);
    lock[STATE] = 0;
    if (__heddle_progress()) {
        lock[WRITERS] = 0;
        ((u8 *)lock)[KIND] = attributes != NULL ? (u8)*attributes : 0;
    }
    if (__heddle_progress() || __heddle_relocks()) lock[OWNER] = 0;
    return 0;
}
MODEL int pthread_rwlock_destroy(u32 *lock) {
    TOUCH(&lock[STATE]);
    if (__heddle_lives()) end_lock(lock);
    return 0;
}

MODEL int pthread_rwlock_rdlock(u32 *lock) {
    _Bool polite = is_polite(lock);
    __heddle_atomic_begin();
    u32 state = lock[STATE];
    await_lock(lock, !kept_out(lock, state, polite));
    lock[STATE] = state + 1;
    reads_now(lock, state);
    __heddle_atomic_end();
    return 0;
}
MODEL int pthread_rwlock_wrlock(u32 *lock) {
    begin_to_wait(lock);
    __heddle_atomic_begin();
    await_lock(lock, lock[STATE] == 0);
    lock[STATE] = WRITER;
    writes_now(lock);
    end_wait(lock);
    __heddle_atomic_end();
    return 0;
}
MODEL int pthread_rwlock_unlock(u32 *lock) {
    if (__heddle_lives()) let_lock_go(lock);
    __heddle_atomic_begin();
    u32 state = lock[STATE];
    lock[STATE] = state - 1 + 2 * (state == WRITER);
    leaves_now(lock, state);
    __heddle_atomic_end();
    return 0;
}

/* True if a reader is also turned away because a writer waits. */
static _Bool turned_away(void) {
    if (!writers_wait()) return 0;
    if (!__heddle_choose()) return 0;
    __heddle_over("a reader is turned away only if a writer waits");
    return 1;
}
static int try_read(u32 *lock, int otherwise) {
    if (turned_down()) return otherwise;
    _Bool away = turned_away();
    __heddle_atomic_begin();
    u32 state = lock[STATE];
    _Bool taken = (state == WRITER) | ((state != 0) & away);
    lock[STATE] = state + !taken;
    if (!taken) reads_now(lock, state);
    __heddle_atomic_end();
    return taken ? otherwise : 0;
}
static int try_write(u32 *lock, int otherwise) {
    if (turned_down()) return otherwise;
    __heddle_atomic_begin();
    u32 state = lock[STATE];
    lock[STATE] = state - (state == 0); /* WRITER is 0 - 1 */
    if (state == 0) writes_now(lock);
    __heddle_atomic_end();
    return state == 0 ? 0 : otherwise;
}
/* True if the lock looks taken. Then the thread has only read it, which empties no store buffer. */
static _Bool looks_taken(const u32 *lock, _Bool away) {
    if (!__heddle_buffered()) return 0;
    __heddle_atomic_begin();
    u32 state = lock[STATE];
    __heddle_atomic_end();
    return (state == WRITER) | ((state != 0) & away);
}
MODEL int pthread_rwlock_tryrdlock(u32 *lock) {
    if (__heddle_buffered())
        if (looks_taken(lock, turned_away())) return EBUSY;
    return try_read(lock, EBUSY);
}
MODEL int pthread_rwlock_trywrlock(u32 *lock) { return looks_taken(lock, 1) ? EBUSY : try_write(lock, EBUSY); }
/* Returns the error of a timed attempt. If the lock is free, the deadline need not be a valid time. */
static int late(int error, const long *until, int use) { return error != 0 && use == MATTERS && is_no_time(until) ? EINVAL : error; }
MODEL int pthread_rwlock_timedrdlock(u32 *lock, const long *until) { return late(try_read(lock, ETIMEDOUT), until, __heddle_use()); }
MODEL int pthread_rwlock_timedwrlock(u32 *lock, const long *until) { return late(try_write(lock, ETIMEDOUT), until, __heddle_use()); }

/* ---- variants where a thread may ask for a lock that it holds for writing; the front end calls these instead ----
   Such a thread may wait for ever or get an error. It chooses before it waits. No other thread can change whether it holds the lock. */
static _Bool notices(const u32 *lock) {
    __heddle_atomic_begin();
    _Bool own = (lock[STATE] == WRITER) & (lock[OWNER] == __heddle_self());
    __heddle_atomic_end();
    return own && __heddle_choose();
}

MODEL int rdlock_again(u32 *lock) __asm__("__heddle_again_pthread_rwlock_rdlock");
MODEL int rdlock_again(u32 *lock) { return notices(lock) ? EDEADLK : pthread_rwlock_rdlock(lock); }
MODEL int wrlock_again(u32 *lock) __asm__("__heddle_again_pthread_rwlock_wrlock");
MODEL int wrlock_again(u32 *lock) { return notices(lock) ? EDEADLK : pthread_rwlock_wrlock(lock); }
static int write_again(u32 *lock, int otherwise) {
    if (turned_down()) return otherwise;
    __heddle_atomic_begin();
    u32 state = lock[STATE];
    if (state == 0) writes_now(lock);
    lock[STATE] = state - (state == 0);
    __heddle_atomic_end();
    return state == 0 ? 0 : otherwise;
}
MODEL int trywrlock_again(u32 *lock) __asm__("__heddle_again_pthread_rwlock_trywrlock");
MODEL int trywrlock_again(u32 *lock) { return looks_taken(lock, 1) ? EBUSY : write_again(lock, EBUSY); }
MODEL int timedrdlock_again(u32 *lock, const long *until) __asm__("__heddle_again_pthread_rwlock_timedrdlock");
MODEL int timedrdlock_again(u32 *lock, const long *until) {
    return try_read(lock, ETIMEDOUT) == 0 ? 0 : late(notices(lock) ? EDEADLK : ETIMEDOUT, until, __heddle_use());
}
MODEL int timedwrlock_again(u32 *lock, const long *until) __asm__("__heddle_again_pthread_rwlock_timedwrlock");
MODEL int timedwrlock_again(u32 *lock, const long *until) {
    return write_again(lock, ETIMEDOUT) == 0 ? 0 : late(notices(lock) ? EDEADLK : ETIMEDOUT, until, __heddle_use());
}

/* ---- deadlines of a clock ---- */
static _Bool is_no_clock(int clock) { return clock != 0 && clock != 1; }
MODEL int pthread_rwlock_clockrdlock(u32 *lock, int clock, const long *until) {
    return is_no_clock(clock) ? EINVAL : late(try_read(lock, ETIMEDOUT), until, __heddle_use());
}
MODEL int pthread_rwlock_clockwrlock(u32 *lock, int clock, const long *until) {
    return is_no_clock(clock) ? EINVAL : late(try_write(lock, ETIMEDOUT), until, __heddle_use());
}
MODEL int clockrdlock_again(u32 *lock, int clock, const long *until) __asm__("__heddle_again_pthread_rwlock_clockrdlock");
MODEL int clockrdlock_again(u32 *lock, int clock, const long *until) {
    if (is_no_clock(clock)) return EINVAL;
    return try_read(lock, ETIMEDOUT) == 0 ? 0 : late(notices(lock) ? EDEADLK : ETIMEDOUT, until, __heddle_use());
}
MODEL int clockwrlock_again(u32 *lock, int clock, const long *until) __asm__("__heddle_again_pthread_rwlock_clockwrlock");
MODEL int clockwrlock_again(u32 *lock, int clock, const long *until) {
    if (is_no_clock(clock)) return EINVAL;
    return write_again(lock, ETIMEDOUT) == 0 ? 0 : late(notices(lock) ? EDEADLK : ETIMEDOUT, until, __heddle_use());
}

MODEL int pthread_rwlockattr_init(u32 *attributes) {
    MAY_RETURN(ENOMEM);
    *attributes = 0;
    return 0;
}
MODEL int pthread_rwlockattr_destroy(u32 *attributes) {
    (void)attributes;
    return 0;
}
MODEL int pthread_rwlockattr_setpshared(u32 *attributes, int shared) {
    (void)attributes;
    return shared == 0 || shared == 1 ? 0 : EINVAL;
}
MODEL int pthread_rwlockattr_setkind_np(u32 *attributes, int kind) {
    if (kind < 0 || kind > PREFERS_WRITERS) return EINVAL;
    *attributes = (u32)kind;
    return 0;
}
