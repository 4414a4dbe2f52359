/* SPDX-License-Identifier: Apache-2.0 */
/* Models mutexes and spin locks. The first 32 bits of the object are a mutex word (see heddle.h).

   A mutex attribute object holds the type, in the numbers of the C library: 0 normal, 1 recursive, 2 error-checking, 3 adaptive, which
   is only faster than normal.

   Timed locking gives up when it finds the mutex taken, since the deadline may be at any moment. A wait that succeeds is like a later
   call. */
#include "heddle.h"

enum { ENOMEM = 12, EBUSY = 16, EINVAL = 22, EDEADLK = 35, ETIMEDOUT = 110 };
enum { TYPE_ADAPTIVE = 3, KIND_SHIFT = 28, KIND_RECURSIVE = 1, KIND_CHECKED = 2, OWNER = 0xffff, AGAIN_LOCKED = 0xfff0000 };

/* ---- misuse: see heddle.h. The second word of a mutex is its mark. Where mutexes may be copied, the words behind it hold its own address
   once it was used: that of a copy is another's. ---- */
enum { MARK = 1, OWN = sizeof(void *) / sizeof(u32) == 2 ? 1 : 2 };
static void **own_address(u32 *mutex) { return (void **)mutex + OWN; }
MODEL void check_mutex(u32 *mutex) {
    __heddle_atomic_begin();
    void **own = own_address(mutex);
    if (__heddle_written(own))
        if (*own != NULL && *own != mutex) __heddle_misuse(COPY);
    *own = mutex;
    __heddle_atomic_end();
}
/* Begins the life of a mutex. */
MODEL void begin_mutex(u32 *mutex) {
    make(&mutex[MARK]);
    if (__heddle_copies()) *own_address(mutex) = mutex;
}

MODEL int pthread_mutex_init(u32 *mutex, const u32 *attributes) {
    MAY_RETURN(ENOMEM);
    u32 type = attributes == NULL ? 0 : *attributes;
    if (__heddle_lives()) begin_mutex(mutex);
    __heddle_life();
    *mutex = (type * (type != TYPE_ADAPTIVE)) << KIND_SHIFT;
    return 0;
}
/* Destroys a mutex. The attempt to lock it first reports a fault if it was destroyed before or never initialised. */
MODEL void destroy_mutex(u32 *mutex) {
    if (__heddle_copies()) check_mutex(mutex);
    __heddle_atomic_begin();
    if (__heddle_trylock(mutex) != 0 || (*mutex & AGAIN_LOCKED) != 0) __heddle_misuse(HELD);
    *mutex = DESTROYED;
    mutex[MARK] = OBJECT_ENDED;
    __heddle_atomic_end();
}
/* Destroying a locked mutex is undefined; the C library returns EBUSY. */
MODEL int pthread_mutex_destroy(u32 *mutex) {
    if (__heddle_use() != UNUSED && !__heddle_destroys())
        if ((*mutex & OWNER) != 0 && __heddle_choose()) return EBUSY;
    TOUCH_MUTEX(mutex);
    if (__heddle_destroys()) destroy_mutex(mutex);
    return 0;
}
MODEL int lock_checked(u32 *mutex) {
    check_mutex(mutex);
    return __heddle_lock(mutex);
}
MODEL int unlock_checked(u32 *mutex) {
    check_mutex(mutex);
    return __heddle_unlock(mutex);
}
MODEL int pthread_mutex_lock(u32 *mutex) { return __heddle_copies() ? lock_checked(mutex) : __heddle_lock(mutex); }
static int try(u32 *mutex) { return turned_down() ? EBUSY : __heddle_trylock(mutex); }

/* True if the mutex looks taken. Then the thread has only read it, which empties no store buffer. */
static _Bool looks_taken(const u32 *mutex) {
    __heddle_atomic_begin();
    u32 word = *mutex;
    __heddle_atomic_end();
    return (word & OWNER) != 0 && !(word >> KIND_SHIFT == KIND_RECURSIVE && (word & OWNER) == __heddle_self());
}
MODEL int pthread_mutex_trylock(u32 *mutex) {
    if (__heddle_buffered())
        if (looks_taken(mutex)) return EBUSY;
    if (__heddle_copies()) check_mutex(mutex);
    return try(mutex);
}
MODEL int pthread_mutex_unlock(u32 *mutex) { return __heddle_copies() ? unlock_checked(mutex) : __heddle_unlock(mutex); }
/* Returns the error for a mutex that is taken. If it is free, the deadline need not be a valid time. */
static int give_up(const u32 *mutex, const long *until, int use) {
    __heddle_atomic_begin();
    u32 word = *mutex;
    __heddle_atomic_end();
    _Bool own = word >> KIND_SHIFT == KIND_CHECKED && (word & OWNER) == __heddle_self();
    if (use == MATTERS && is_no_time(until)) return own && __heddle_choose() ? EDEADLK : EINVAL;
    return own ? EDEADLK : ETIMEDOUT;
}
MODEL int pthread_mutex_timedlock(u32 *mutex, const long *until) {
    if (__heddle_copies()) check_mutex(mutex);
    int error = try(mutex);
    return error == EBUSY ? give_up(mutex, until, __heddle_use()) : error;
}
MODEL int pthread_mutex_clocklock(u32 *mutex, int clock, const long *until) {
    if (__heddle_copies()) check_mutex(mutex);
    int error = clock == 0 || clock == 1 ? try(mutex) : EINVAL;
    return error == EBUSY ? give_up(mutex, until, __heddle_use()) : error;
}
MODEL int pthread_mutex_consistent(u32 *mutex) {
    (void)mutex;
    __heddle_unsupported("robust mutexes");
}

/* ---- attributes ---- */
MODEL int pthread_mutexattr_init(u32 *attributes) {
    MAY_RETURN(ENOMEM);
    *attributes = 0;
    return 0;
}
MODEL int pthread_mutexattr_destroy(u32 *attributes) {
    (void)attributes;
    return 0;
}
MODEL int pthread_mutexattr_settype(u32 *attributes, int type) {
    if (type < 0 || type > TYPE_ADAPTIVE) return EINVAL;
    *attributes = (u32)type;
    return 0;
}
MODEL int pthread_mutexattr_gettype(const u32 *attributes, int *type) {
    *type = (int)*attributes;
    return 0;
}
MODEL int pthread_mutexattr_setpshared(u32 *attributes, int shared) {
    (void)attributes;
    return shared == 0 || shared == 1 ? 0 : EINVAL;
}
MODEL int pthread_mutexattr_setprotocol(u32 *attributes, int protocol) {
    (void)attributes;
    return protocol >= 0 && protocol <= 2 ? 0 : EINVAL;
}
MODEL int pthread_mutexattr_setprioceiling(u32 *attributes, int ceiling) {
    (void)attributes;
    return ceiling >= 1 && ceiling <= 99 ? 0 : EINVAL;
}
MODEL int pthread_mutexattr_setrobust(u32 *attributes, int robust) {
    (void)attributes;
    if (robust == 0) return 0;
    if (robust != 1) return EINVAL;
    __heddle_unsupported("robust mutexes");
}

/* ---- spin locks ---- */
MODEL int pthread_spin_init(u32 *lock, int shared) {
    (void)shared;
    MAY_RETURN(ENOMEM);
    __heddle_life();
    *lock = 0;
    return 0;
}
MODEL int pthread_spin_destroy(u32 *lock) {
    TOUCH_MUTEX(lock);
    return 0;
}
/* Takes a spin lock where stores wait in buffers. The store that releases the lock waits there, too, so the word holds the owner and is
   not a mutex word. */
static int spin(u32 *lock, _Bool waits) {
    u32 self = __heddle_self();
    __heddle_atomic_begin();
    u32 owner = *lock;
    if (waits) __heddle_await_of(owner == 0, owner);
    *lock = owner == 0 ? self : owner;
    __heddle_atomic_end();
    return owner == 0 ? 0 : EBUSY;
}
MODEL int pthread_spin_lock(u32 *lock) { return __heddle_buffered() ? spin(lock, 1) : __heddle_lock(lock); }
MODEL int pthread_spin_trylock(u32 *lock) {
    if (!__heddle_buffered()) return try(lock);
    return turned_down() ? EBUSY : spin(lock, 0);
}
MODEL int pthread_spin_unlock(u32 *lock) {
    if (!__heddle_buffered()) return __heddle_unlock(lock);
    __atomic_store_n(lock, 0, __ATOMIC_RELEASE);
    return 0;
}
