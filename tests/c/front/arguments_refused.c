// expect: SAFE
// Calls that must fail do.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <threads.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

int main(void) {
    pthread_attr_t a;
    pthread_mutexattr_t m;
    struct timespec none = {0, -1}, late = {0, 1000000000}, soon = {0, 1};
    sem_t s;
    size_t size;
    int state;
    assert(pthread_attr_init(&a) == 0);
    assert(pthread_attr_setstacksize(&a, 1) == EINVAL);
    assert(pthread_attr_setstacksize(&a, 1 << 20) == 0);
    assert(pthread_attr_getstacksize(&a, &size) == 0 && size == 1 << 20);
    assert(pthread_attr_setinheritsched(&a, 55) != 0);
    assert(pthread_attr_setdetachstate(&a, 7) == EINVAL);
    assert(pthread_attr_getdetachstate(&a, &state) == 0 && state == PTHREAD_CREATE_JOINABLE);
    assert(pthread_mutexattr_init(&m) == 0 && pthread_mutexattr_setpshared(&m, 5) == EINVAL);
    assert(pthread_setname_np(pthread_self(), "sixteen letters!") == ERANGE);
    assert(pthread_setname_np(pthread_self(), "fifteen letters") == 0);
    assert(nanosleep(&none, 0) == -1 && errno == EINVAL);
    assert(nanosleep(&late, 0) == -1);
    assert(nanosleep(&soon, 0) == 0);
    assert(clock_nanosleep(CLOCK_MONOTONIC, 0, &late, 0) == EINVAL);
    assert(thrd_sleep(&none, 0) < 0);
    assert(pthread_mutex_lock(&mutex) == 0);
    assert(pthread_mutex_timedlock(&mutex, &none) == EINVAL);
    assert(pthread_mutex_timedlock(&mutex, &soon) == ETIMEDOUT);
    assert(pthread_rwlock_wrlock(&lock) == 0);
    int error = pthread_rwlock_timedrdlock(&lock, &late);
    assert(error == EINVAL || error == EDEADLK);
    sem_init(&s, 0, 0);
    assert(sem_timedwait(&s, &late) == -1 && errno == EINVAL);
    return 0;
}
