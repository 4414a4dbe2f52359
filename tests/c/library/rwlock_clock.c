// expect: UNSAFE assertion error != 110
#include <assert.h>
#include <pthread.h>
#include <time.h>
extern int pthread_rwlock_clockwrlock(pthread_rwlock_t *, clockid_t, const struct timespec *);
extern int pthread_rwlock_clockrdlock(pthread_rwlock_t *, clockid_t, const struct timespec *);
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static int x;
static const struct timespec now;
static void *worker(void *a) {
    if (pthread_rwlock_clockwrlock(&l, CLOCK_MONOTONIC, &now) == 0) {
        x++;
        x--;
        pthread_rwlock_unlock(&l);
    }
    return a;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    int error = pthread_rwlock_clockrdlock(&l, CLOCK_MONOTONIC, &now);
    if (error == 0) assert(x == 0);
    assert(error != 110);
}
