/* SPDX-License-Identifier: Apache-2.0 */
/* Barriers. Two words: how many threads make a round, and the state of the present round. While threads arrive the state
   counts them. When the last one comes, the others leave (LEAVING, and how many have still to) before the next round
   can begin: leaving is always possible and invisible, so nothing is lost by having it done first, and no
   round number need be kept. Any one thread of the round is the serial one (SERIAL: it has been named). */
#include "heddle.h"

enum { EINVAL = 22, PTHREAD_BARRIER_SERIAL_THREAD = -1 };
#define LEAVING (1u << 31)
#define SERIAL (1u << 30)
typedef struct Barrier {
    u32 count, state;
} Barrier;

MODEL int pthread_barrier_init(Barrier *barrier, const void *attributes, unsigned count) {
    (void)attributes;
    if (count == 0) return EINVAL;
    barrier->count = count;
    barrier->state = 0;
    return 0;
}
/* Waits until the last round has been left, so that the barrier's memory may be reused. */
MODEL int pthread_barrier_destroy(Barrier *barrier) {
    __heddle_atomic_begin();
    __heddle_await((barrier->state & LEAVING) == 0);
    __heddle_atomic_end();
    return 0;
}

/* Is it the last of its round? */
static _Bool arrive(Barrier *barrier, _Bool *serial) {
    __heddle_atomic_begin();
    u32 state = barrier->state;
    __heddle_await((state & LEAVING) == 0);
    u32 arrived = state + 1, count = barrier->count;
    _Bool last = arrived == count;
    if (!last)
        barrier->state = arrived;
    else if (count == 1)
        *serial = 1, barrier->state = 0;
    else if (__heddle_choose())
        *serial = 1, barrier->state = LEAVING | SERIAL | (count - 1);
    else
        barrier->state = LEAVING | (count - 1);
    __heddle_atomic_end();
    return last;
}
static void leave(Barrier *barrier, _Bool *serial) {
    __heddle_atomic_begin();
    u32 state = barrier->state;
    __heddle_await((state & LEAVING) != 0);
    u32 others = (state & ~(LEAVING | SERIAL)) - 1;
    if ((state & SERIAL) == 0 && (others == 0 || __heddle_choose())) {
        *serial = 1;
        state |= SERIAL;
    }
    barrier->state = others == 0 ? 0 : state - 1;
    __heddle_atomic_end();
}
MODEL int pthread_barrier_wait(Barrier *barrier) {
    _Bool serial = 0;
    if (!arrive(barrier, &serial)) leave(barrier, &serial);
    return serial ? PTHREAD_BARRIER_SERIAL_THREAD : 0;
}

MODEL int pthread_barrierattr_init(u32 *attributes) { *attributes = 0; return 0; }
MODEL int pthread_barrierattr_destroy(u32 *attributes) { (void)attributes; return 0; }
MODEL int pthread_barrierattr_setpshared(u32 *attributes, int shared) { (void)attributes, (void)shared; return 0; }
