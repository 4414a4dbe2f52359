// expect: SAFE
/* A thread that holds the lock for writing may get EDEADLK. */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
int main(void) {
    struct timespec until = {1, 0};
    assert(pthread_rwlock_clockwrlock(&l, CLOCK_MONOTONIC, &until) == 0);
    int error = pthread_rwlock_clockwrlock(&l, CLOCK_MONOTONIC, &until);
    assert(error == EDEADLK || error == ETIMEDOUT);
    error = pthread_rwlock_clockrdlock(&l, CLOCK_MONOTONIC, &until);
    assert(error == EDEADLK || error == ETIMEDOUT);
    pthread_rwlock_unlock(&l);
}
