/* SPDX-License-Identifier: Apache-2.0 */
/* Models barriers with two words: the number of threads of a round, and the state of the present round.

   While threads arrive, the state counts them. When the last one comes, all other threads leave before the next round can begin. As
   leaving is always possible and invisible, this order loses no behaviour, and no round number is needed.

   While n threads have still to leave, the state is -2n, or -2n - 1 if the serial thread has not been chosen yet. Any thread of the
   round may be the serial one. */
#include "heddle.h"

enum { ENOMEM = 12, EINVAL = 22, PTHREAD_BARRIER_SERIAL_THREAD = -1 };
typedef struct Barrier {
    unsigned count;
    int state;
    u32 mark; /* see heddle.h */
} Barrier;

MODEL int pthread_barrier_init(Barrier *barrier, const void *attributes, unsigned count) {
    (void)attributes;
    if (count == 0) return EINVAL;
    MAY_RETURN(ENOMEM);
    if (__heddle_lives()) make(&barrier->mark);
    barrier->count = count;
    barrier->state = 0;
    return 0;
}
/* Waits until all threads have left the last round, so that the barrier's memory may be reused. */
MODEL int pthread_barrier_destroy(Barrier *barrier) {
    if (__heddle_lives()) require_made(&barrier->mark);
    __heddle_atomic_begin();
    __heddle_await(barrier->state >= 0);
    if (__heddle_lives()) {
        if (barrier->state > 0) __heddle_misuse(AWAITED);
        barrier->mark = OBJECT_ENDED;
    }
    __heddle_atomic_end();
    TOUCH(&barrier->count);
    return 0;
}

MODEL int pthread_barrier_wait(Barrier *barrier) {
    int serial;
    __heddle_atomic_begin();
    if (__heddle_lives()) require_made(&barrier->mark);
    int state = barrier->state;
    __heddle_await(state >= 0);
    int others = (int)barrier->count - 1;
    if (state == others) { /* the last to arrive */
        serial = __heddle_choose() | (others == 0);
        barrier->state = -2 * others - !serial;
        __heddle_atomic_end();
        return serial * PTHREAD_BARRIER_SERIAL_THREAD;
    }
    barrier->state = state + 1;
    __heddle_atomic_end();

    __heddle_atomic_begin();
    state = barrier->state;
    __heddle_await(state < 0);
    serial = (state & 1) & (__heddle_choose() | (state == -3)); /* -3: the last to leave */
    barrier->state = state + 2 + serial;
    __heddle_atomic_end();
    return serial * PTHREAD_BARRIER_SERIAL_THREAD;
}

MODEL int pthread_barrierattr_init(u32 *attributes) {
    MAY_RETURN(ENOMEM);
    *attributes = 0;
    return 0;
}
MODEL int pthread_barrierattr_destroy(u32 *attributes) {
    (void)attributes;
    return 0;
}
MODEL int pthread_barrierattr_setpshared(u32 *attributes, int shared) {
    (void)attributes, (void)shared;
    return 0;
}
